/* What is not equations: steps, start, states that are saved. */

/* Tables and numbers of an instance, as the steps read them. */
typedef struct {
    vehicle *self;
    const step_motion *motions;
    const step_ground *grounds;
    const step_surface *surfaces;
    const step_contact *contacts;
    const step_row *rows;
    const step_place *gates;
    const double *levels, *footprints, *gate_limits, *row_limits;
    double *noted, *kept, *out, *shares, *along, *reached, *along_before, *contact_along,
        *contact_along_before;
    double *samples, *samples_before, *next_values;
    const int32_t *held_by, *held;
    size_t motion_count, ground_count, contact_count, row_count, gate_count, sampler_count;
    int method;
} vehicle_of;

static void vehicle_tables(vehicle_of *of, vehicle *c)
{
    of->self = c;
    of->motions = vehicle_motions;
    of->grounds = vehicle_grounds;
    of->surfaces = vehicle_surfaces;
    of->contacts = vehicle_contacts;
    of->rows = vehicle_rows;
    of->gates = c->gates;
    of->levels = c->levels;
    of->footprints = c->footprints;
    of->gate_limits = c->gate_limits;
    of->row_limits = c->row_limits;
    of->noted = c->noted;
    of->shares = c->shares;
    of->along = c->along;
    of->reached = c->reached;
    of->along_before = c->along_before;
    of->contact_along = c->contact_along;
    of->contact_along_before = c->contact_along_before;
    of->kept = c->kept;
    of->out = &c->out;
    of->motion_count = VEHICLE_MOTIONS;
    of->ground_count = VEHICLE_GROUNDS;
    of->contact_count = VEHICLE_WHEEL_CONTACTS;
    of->row_count = VEHICLE_ROWS;
    of->gate_count = (size_t)c->gate_count;
    of->method = vehicle_step_methods[c->method];
    of->sampler_count = VEHICLE_SAMPLERS;
#if STEP_SAMPLES
    of->samples = c->samples;
    of->samples_before = c->samples_before;
    of->next_values = c->next_values;
    of->held_by = vehicle_held_by;
    of->held = vehicle_held;
#endif
}

static int vehicle_is_far(vehicle *c, const double *x, const double *u);
static int vehicle_look_at_ends(vehicle *c, const double *x, const double *next, double reached);

/* A number that can be 0, which compilers would say of loops. */
static size_t vehicle_count(size_t n) { return n; }

/* A row has left its limits at a time, with a value. */
static int vehicle_leaves(vehicle *c, size_t row, double t, double x)
{
    if (vehicle_once[row] && c->noted[row * STEP_ROW_NUMBERS + STEP_COUNT] > 0)
        return 1;
    c->warnings |= 1ULL << vehicle_bits[row];
    if (!c->untold[row]) {
        c->untold[row] = 1;
        c->left[2 * row] = t;
        c->left[2 * row + 1] = x;
    }
    return 1;
}

#define STEP_OF vehicle_of
#define STEP_STATES(w) vehicle_count(VEHICLE_STATES)
#define STEP_INPUTS(w) vehicle_count(VEHICLE_ALL_INPUTS)
#define STEP_AT(w, place) ((w)->of->self->memory[place])
#define STEP_RATE_INPUTS(w) ((w)->of->self->memory + VEHICLE_RATE_INPUTS)
#define STEP_RATES(w, x, dx) vehicle_evaluate((w)->of->self, x, dx)
#define STEP_KNOWN_RATES(w, dx) (void)(dx)
#define STEP_SYSTEM_INPUTS(w) ((w)->of->self->memory + VEHICLE_LINEAR_INPUTS)
#define STEP_SYSTEM(w, x, c, k) vehicle_linearise((w)->of->self, x, c, k)
#define STEP_SOLVE(w, r) vehicle_solve((w)->of->self, r)
#define STEP_CONSTRAINTS(w) vehicle_count(VEHICLE_CORRECTED)
#define STEP_SPEEDS(w) vehicle_count(VEHICLE_SPEEDS)
#define STEP_RESIDUAL_INPUTS(w) ((w)->of->self->memory + VEHICLE_RESIDUAL_INPUTS)
#define STEP_RESIDUALS(w, x, phi) vehicle_residuals((w)->of->self, x, phi)
#define STEP_CORRECT(w, by, k) vehicle_correct((w)->of->self, by, k)
#define STEP_WATCHES(w) (VEHICLE_WATCHED > 0 && (VEHICLE_RANGES > 0 || (w)->of->self->ended == 0))
#define STEP_ENDS(w, t) vehicle_look_at_ends((w)->of->self, (w)->x, (w)->next, t)
#define STEP_LEAVES(w, row, t, x) vehicle_leaves((w)->of->self, row, t, x)
#define STEP_FAR(w) (!vehicle_is_far((w)->of->self, (w)->x, (w)->u))
#define STEP_UNEVEN(of) (VEHICLE_UNEVEN || (of)->levels != (of)->self->levels)
#define STEP_WHEELS(of, x, u) vehicle_wheels((of)->self, x, u)
#define STEP_SQRT(x) op_sqrt(x)
#define STEP_FORMULA(of, k, x, y, t, to) vehicle_formula((of)->self, k, x, y, t, to)
#define STEP_LONGEST(of) vehicle_longest_step((of)->self)
#define STEP_SAMPLING(of, i, what) ((of)->self->sampling[(i) * STEP_SAMPLING_NUMBERS + (what)])
#define STEP_NEXT_VALUES(of, x, dx, to) vehicle_next_values((of)->self, x, dx, to)
#define STEP_CONTACT(of, i) vehicle_numbers_of_contact((of)->self, i)
#define STEP_CONTACT_LAW(of, i) vehicle_touch((of)->self, i)

/* @step_ground@ */

/* @step_contacts@ */

/* @step_methods@ */

/* @step_samples@ */

/* Looks at the conditions that end runs, with the inputs of that time. 0 where they cannot be computed, or where the
 * argument of a table has left its points. */
static int vehicle_look_at_ends(vehicle *c, const double *x, const double *next, double reached)
{
    double ended;
    if (VEHICLE_GROUNDS > 0) /* planes under tires are those of the latest rates */
        next = c->memory + VEHICLE_RATE_INPUTS;
    if (!vehicle_evaluate_ends(c, x, next, &ended))
        return 0;
    if (c->ended == 0 && ended > 0) {
        c->ended = ended;
        c->ended_at = reached;
    }
    return 1;
}

static int vehicle_lay(vehicle *c, const double *x, double *u)
{
    vehicle_of of;
    vehicle_tables(&of, c);
    return step_lay(&of, c->time, x, u);
}

/* Rates and outputs at states and inputs. */
static int vehicle_evaluate_all(vehicle *c, const double *x, const double *u, double *dx)
{
    double *const to = c->memory + VEHICLE_RATE_INPUTS;
    step_copy(to, u, VEHICLE_ALL_INPUTS);
    return vehicle_lay(c, x, to) && vehicle_evaluate(c, x, dx) && vehicle_evaluate_outputs(c, c->outputs);
}

/* Whether rates or outputs overflow. */
static int vehicle_is_far(vehicle *c, const double *x, const double *u)
{
    double dx[VEHICLE_STATES + 1] = {0};
    return !vehicle_evaluate_all(c, x, u, dx) || !step_all_finite(dx, VEHICLE_STATES) ||
           !step_all_finite(c->outputs, VEHICLE_OUTPUTS);
}

/* Looks at numbers by all of their limits at once: the quick look of step_look. */
static void vehicle_set_gates(vehicle *c)
{
    int i, k, known;
    c->gate_count = 0;
    for (i = 0; i < VEHICLE_ROWS; i++) {
        double low = -OP_INFINITY, high = OP_INFINITY, *const gate = c->gate_limits + c->gate_count * STEP_GATE_NUMBERS;
        for (known = 0, k = 0; k < VEHICLE_ROWS; k++) {
            if (vehicle_rows[k].at != vehicle_rows[i].at)
                continue;
            known |= k < i;
            low = op_larger(low, c->row_limits[k * STEP_LIMITS + STEP_LOW]);
            high = op_smaller(high, c->row_limits[k * STEP_LIMITS + STEP_HIGH]);
        }
        if (known || (low == -OP_INFINITY && high == OP_INFINITY))
            continue;
        if (low == -OP_INFINITY)
            low = high - 1e6;
        if (high == OP_INFINITY)
            high = low + 1e6;
        gate[STEP_MIDDLE] = low + (high - low) / 2;
        gate[STEP_HALF] = op_larger(0, (high - low) / 2 * (1 - 1e-9));
        c->gates[c->gate_count++] = vehicle_rows[i].at;
    }
}

int vehicle_step(vehicle *c, double h)
{
    const double ended = c->ended, ended_at = c->ended_at;
    const unsigned long long warnings = c->warnings;
    vehicle_of of;
    step_work w;
    step_division d;
    if (c->ready != VEHICLE_READY || !(h > 0 && h <= DBL_MAX))
        return VEHICLE_ERROR;
    vehicle_tables(&of, c);
    step_begin(&w, &of, c->time, c->work);
    step_copy(w.x, c->states, VEHICLE_STATES);
    step_copy(w.u, c->inputs, VEHICLE_ALL_INPUTS);
    step_copy(w.rate, c->input_rates, VEHICLE_ALL_INPUTS);
    if (!step_divide(c->time, h, vehicle_longest_step(c), STEP_CONTACTS, &d) ||
#if STEP_SAMPLES
        !step_integrate_parts(&w, h)) {
#else
        !step_integrate(&w, &d)) {
#endif
        step_put_back(&w);
        c->ended = ended;
        c->ended_at = ended_at;
        c->warnings = warnings;
        memset(c->untold, 0, sizeof c->untold);
        return VEHICLE_ERROR;
    }
    step_copy(c->states, w.x, VEHICLE_STATES);
    step_copy(c->inputs, w.u, VEHICLE_ALL_INPUTS);
    c->time += h;
    if (c->ended > 0)
        return VEHICLE_ENDED;
    return (c->warnings & ~warnings) != 0 ? VEHICLE_WARNING : VEHICLE_OK;
}

void vehicle_reset(vehicle *c)
{
    int i;
    memset(c, 0, sizeof *c);
    for (i = 0; i < VEHICLE_PARAMETERS; i++)
        c->parameters[i] = vehicle_parameter_table[i].start;
    op_copy(c->inputs, vehicle_input_starts, VEHICLE_ALL_INPUTS);
    c->longest = vehicle_longest;
    c->tolerance = vehicle_tolerance;
    vehicle_time_runs(c);
}

/* Brings the memory up to date with parameters and inputs. */
static int vehicle_prepare(vehicle *c)
{
    c->ready = 0;
    if (!step_all_finite(c->parameters, VEHICLE_PARAMETERS) || !step_all_finite(c->inputs, VEHICLE_ALL_INPUTS) ||
        !step_all_finite(c->input_rates, VEHICLE_ALL_INPUTS) || !vehicle_put_numbers(c))
        return 0;
    memcpy(c->memory + VEHICLE_RATE_INPUTS, c->inputs, sizeof(double) * VEHICLE_ALL_INPUTS);
    return 1;
}

/* Whether parameters and inputs are within the bounds of their tables. */
static int vehicle_within(const vehicle *c)
{
    size_t i;
    for (i = 0; i < vehicle_count(VEHICLE_PARAMETERS); i++)
        if (!(c->parameters[i] >= vehicle_parameter_table[i].min && c->parameters[i] <= vehicle_parameter_table[i].max))
            return 0;
    for (i = 0; i < vehicle_count(VEHICLE_INPUTS); i++)
        if (!(c->inputs[i] >= vehicle_input_table[i].min && c->inputs[i] <= vehicle_input_table[i].max))
            return 0;
    return 1;
}

/* No tire is known to be at a place of its road. */
static void vehicle_forget_places(vehicle *c)
{
    int i;
    for (i = 0; i < VEHICLE_GROUNDS; i++)
        c->along[i] = op_number(UINT64_C(0x7ff8000000000000));
    for (i = 0; i < VEHICLE_WHEEL_CONTACTS; i++)
        c->contact_along[i] = op_number(UINT64_C(0x7ff8000000000000));
}

/* Gives wheel contacts their modes and normals at the start. */
static int vehicle_start_contacts(vehicle *c)
{
#if STEP_CONTACTS
    vehicle_of of;
    size_t i, k;
    vehicle_tables(&of, c);
    for (i = 0; i < of.contact_count; i++) {
        const step_contact *contact = &of.contacts[i];
        const double *numbers = STEP_CONTACT(&of, i);
        if (!step_touch_ground(&of, i, c->time, c->states, c->inputs))
            return 0;
        c->inputs[contact->mode] = numbers[STEP_CONTACT_START_MODE];
        for (k = 0; k < 3; k++)
            c->inputs[contact->normal[k]] = numbers[STEP_CONTACT_NORMAL + k];
    }
    step_copy(c->memory + VEHICLE_RATE_INPUTS, c->inputs, VEHICLE_ALL_INPUTS);
#else
    (void)c;
#endif
    return 1;
}

/* Computes the start at a time [s]. */
static int vehicle_initialise_at(vehicle *c, double time)
{
    double *const u = c->memory + VEHICLE_RATE_INPUTS;
    c->ready = 0;
    c->time = time;
    c->ended = c->ended_at = 0;
    c->warnings = 0;
    c->out = 0;
    memset(c->noted, 0, sizeof c->noted);
    memset(c->untold, 0, sizeof c->untold);
    vehicle_forget_places(c);
    if (!vehicle_has_tires(c) || !vehicle_within(c) || !vehicle_prepare(c))
        return VEHICLE_ERROR;
    if (!vehicle_holds_bounds(c) || !vehicle_begin(c))
        return VEHICLE_ERROR;
    vehicle_start_states(c);
#if STEP_SAMPLES
    vehicle_start_samples(c);
#endif
    if (!vehicle_start_contacts(c) || !vehicle_lay(c, c->states, u) || !vehicle_start_carcasses(c) ||
        !vehicle_holds_constraints(c) || !vehicle_evaluate(c, c->states, c->work) ||
        !step_all_finite(c->states, VEHICLE_STATES) || !step_all_finite(c->work, VEHICLE_STATES) ||
        !vehicle_holds_modes(c) || !vehicle_may_sample(c))
        return VEHICLE_ERROR;
    vehicle_set_limits(c);
    vehicle_set_gates(c);
    c->ready = VEHICLE_READY;
    return VEHICLE_OK;
}

int vehicle_initialise(vehicle *c) { return vehicle_initialise_at(c, 0); }

int vehicle_set_method(vehicle *c, int method)
{
    if (method < 0 || method >= VEHICLE_METHODS)
        return VEHICLE_ERROR;
    c->method = method;
    return VEHICLE_OK;
}

int vehicle_method(const vehicle *c) { return c->method; }

double *vehicle_parameter(vehicle *c) { return c->parameters; }
double *vehicle_input(vehicle *c) { return c->inputs; }
double *vehicle_input_rate(vehicle *c) { return c->input_rates; }
double *vehicle_state(vehicle *c) { return c->states; }
double vehicle_time(const vehicle *c) { return c->time; }
int vehicle_ended(const vehicle *c) { return (int)c->ended - 1; }

unsigned long long vehicle_warnings(vehicle *c)
{
    const unsigned long long bits = c->warnings;
    c->warnings = 0;
    return bits;
}

int vehicle_rates(vehicle *c, const double *x, const double *u, double *dx)
{
    double *const to = c->memory + VEHICLE_RATE_INPUTS;
    if (c->ready != VEHICLE_READY)
        return VEHICLE_ERROR;
    memcpy(to, c->inputs, sizeof(double) * VEHICLE_ALL_INPUTS);
    memcpy(to, u, sizeof(double) * VEHICLE_INPUTS);
    return vehicle_lay(c, x, to) && vehicle_evaluate(c, x, dx) ? VEHICLE_OK : VEHICLE_ERROR;
}

const double *vehicle_output(vehicle *c)
{
    return c->ready == VEHICLE_READY && vehicle_evaluate_all(c, c->states, c->inputs, c->work) ? c->outputs : NULL;
}

/* Saved states: a mark of the program, then numbers of 64 bits, the lowest byte first. */

static void vehicle_write(unsigned char **to, uint64_t bits)
{
    int i;
    for (i = 0; i < 8; i++)
        *(*to)++ = (unsigned char)(bits >> 8 * i & 0xff);
}

static uint64_t vehicle_read(const unsigned char **from)
{
    uint64_t bits = 0;
    int i;
    for (i = 0; i < 8; i++)
        bits |= (uint64_t)*(*from)++ << 8 * i;
    return bits;
}

static void vehicle_write_all(unsigned char **to, const double *x, int n)
{
    int i;
    for (i = 0; i < n; i++)
        vehicle_write(to, op_word(x[i]));
}

static void vehicle_read_all(const unsigned char **from, double *x, int n)
{
    int i;
    for (i = 0; i < n; i++)
        x[i] = op_number(vehicle_read(from));
}

enum {
    VEHICLE_SAVED =
        8 * (10 + VEHICLE_STATES + 2 * VEHICLE_ALL_INPUTS + VEHICLE_PARAMETERS + VEHICLE_ROWS * STEP_ROW_NUMBERS +
             VEHICLE_GROUNDS + VEHICLE_WHEEL_CONTACTS + VEHICLE_SAMPLE_NUMBERS)
};

/* Places along roads. Those that are not known are the largest number. */
static void vehicle_write_places(unsigned char **to, const double *along, int n)
{
    int i;
    for (i = 0; i < n; i++)
        vehicle_write(to, op_word(along[i] == along[i] ? along[i] : DBL_MAX));
}

static void vehicle_read_places(const unsigned char **from, double *along, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        const double place = op_number(vehicle_read(from));
        if (place < DBL_MAX)
            along[i] = place;
    }
}

size_t vehicle_save_size(void) { return VEHICLE_SAVED; }

size_t vehicle_save(const vehicle *c, void *to, size_t size)
{
    unsigned char *at = (unsigned char *)to;
    if (size < VEHICLE_SAVED)
        return 0;
    vehicle_write(&at, VEHICLE_PROGRAM);
    vehicle_write(&at, c->ready == VEHICLE_READY);
    vehicle_write(&at, c->warnings);
    vehicle_write(&at, (uint64_t)c->method);
    vehicle_write_all(&at, &c->time, 1);
    vehicle_write_all(&at, &c->ended, 1);
    vehicle_write_all(&at, &c->ended_at, 1);
    vehicle_write_all(&at, &c->out, 1);
    vehicle_write_all(&at, &c->longest, 1);
    vehicle_write_all(&at, &c->tolerance, 1);
    vehicle_write_all(&at, c->states, VEHICLE_STATES);
    vehicle_write_all(&at, c->inputs, VEHICLE_ALL_INPUTS);
    vehicle_write_all(&at, c->input_rates, VEHICLE_ALL_INPUTS);
    vehicle_write_all(&at, c->ready == VEHICLE_READY ? vehicle_in_use(c) : c->parameters, VEHICLE_PARAMETERS);
    vehicle_write_all(&at, c->noted, VEHICLE_ROWS * STEP_ROW_NUMBERS);
    vehicle_write_places(&at, c->along, VEHICLE_GROUNDS);
    vehicle_write_places(&at, c->contact_along, VEHICLE_WHEEL_CONTACTS);
    vehicle_write_all(&at, c->samples, VEHICLE_SAMPLE_NUMBERS);
    return VEHICLE_SAVED;
}

/* Makes the memory of states that were restored. */
static int vehicle_revive(vehicle *c)
{
    if (!vehicle_prepare(c) || !vehicle_begin(c) || !step_all_finite(c->states, VEHICLE_STATES))
        return 0;
    if (!vehicle_lay(c, c->states, c->memory + VEHICLE_RATE_INPUTS) || !vehicle_evaluate(c, c->states, c->work))
        return 0;
    vehicle_set_limits(c);
    vehicle_set_gates(c);
    c->ready = VEHICLE_READY;
    return 1;
}

/* Whether numbers that are to be restored can be those of a state. */
static int vehicle_sound(const unsigned char *from)
{
    uint64_t ready, method;
    double x;
    int i;
    if (vehicle_read(&from) != VEHICLE_PROGRAM)
        return 0;
    ready = vehicle_read(&from);
    from += 8; /* warnings */
    method = vehicle_read(&from);
    for (i = 4; i < VEHICLE_SAVED / 8; i++) {
        x = op_number(vehicle_read(&from));
        if (!(op_abs(x) <= DBL_MAX) || (i == 5 && !(x >= 0 && x <= VEHICLE_ENDS)))
            return 0;
        if (i > VEHICLE_SAVED / 8 - VEHICLE_SAMPLE_NUMBERS && !(x >= 0 && x < 1e15 && x == (double)(int64_t)x))
            return 0;
    }
    return ready <= 1 && method < VEHICLE_METHODS;
}

int vehicle_restore(vehicle *c, const void *from, size_t size)
{
    const unsigned char *at = (const unsigned char *)from;
    uint64_t ready;
    if (size != VEHICLE_SAVED || !vehicle_sound(at) || !vehicle_has_tires(c))
        return VEHICLE_ERROR;
    at += 8;
    ready = vehicle_read(&at);
    c->warnings = vehicle_read(&at);
    c->method = (int)vehicle_read(&at);
    vehicle_read_all(&at, &c->time, 1);
    vehicle_read_all(&at, &c->ended, 1);
    vehicle_read_all(&at, &c->ended_at, 1);
    vehicle_read_all(&at, &c->out, 1);
    vehicle_read_all(&at, &c->longest, 1);
    vehicle_read_all(&at, &c->tolerance, 1);
    vehicle_read_all(&at, c->states, VEHICLE_STATES);
    vehicle_read_all(&at, c->inputs, VEHICLE_ALL_INPUTS);
    vehicle_read_all(&at, c->input_rates, VEHICLE_ALL_INPUTS);
    vehicle_read_all(&at, c->parameters, VEHICLE_PARAMETERS);
    vehicle_read_all(&at, c->noted, VEHICLE_ROWS * STEP_ROW_NUMBERS);
    vehicle_forget_places(c);
    vehicle_read_places(&at, c->along, VEHICLE_GROUNDS);
    vehicle_read_places(&at, c->contact_along, VEHICLE_WHEEL_CONTACTS);
    vehicle_read_all(&at, c->samples, VEHICLE_SAMPLE_NUMBERS);
    memset(c->untold, 0, sizeof c->untold);
    c->ready = 0;
    return ready == 0 || vehicle_revive(c) ? VEHICLE_OK : VEHICLE_ERROR;
}
