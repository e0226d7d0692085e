
/* A vehicle at states, inputs and parameters that are given. Its memory lies in the room of a call, and every call
 * fills it. */

/* How many directions are swept at once. */
enum { VEHICLE_TOGETHER = 4 };

/* What a call works on. */
typedef struct {
    vehicle vehicle;
    double x[VEHICLE_STATES + 1], u[VEHICLE_INPUTS + 1], dx[VEHICLE_STATES + 1];
    double directions[VEHICLE_TOGETHER * VEHICLE_VARIABLES + 1], results[VEHICLE_TOGETHER * VEHICLE_VALUES + 1];
    double entries[VEHICLE_ENTRIES + 1];
} vehicle_room;

/* Copies an argument. */
static void vehicle_take(double *to, const double *from, int n)
{
    int i;
    for (i = 0; i < n; i++)
        to[i] = from ? from[i] : 0;
}

/* Makes a vehicle with parameters p that is at states x with inputs u: arg has x, u and p. NULL where that fails. */
static vehicle_room *vehicle_make(void *w, const double **arg, int with_derivatives)
{
    vehicle_room *const r = (vehicle_room *)w;
    vehicle *const c = &r->vehicle;
    int i;
    vehicle_take(r->x, arg[0], VEHICLE_STATES);
    vehicle_take(r->u, arg[1], VEHICLE_INPUTS);
    c->time = c->ended_at = c->out = 0;
    c->ended = 1; /* no condition that ends runs is looked at */
    c->warnings = 0;
    c->gate_count = 0;
    c->method = 0;
    c->longest = vehicle_longest;
    c->tolerance = vehicle_tolerance;
    for (i = 0; i < VEHICLE_PARAMETERS; i++)
        c->parameters[i] = vehicle_parameter_table[i].start;
    for (i = 0; i < VEHICLE_VARIED; i++)
        c->parameters[vehicle_varied[i]] = arg[2] ? arg[2][i] : 0;
    op_copy(c->inputs, vehicle_input_starts, VEHICLE_ALL_INPUTS);
    memcpy(c->inputs, r->u, sizeof(double) * VEHICLE_INPUTS);
    memset(c->input_rates, 0, sizeof c->input_rates);
    if (!vehicle_put_step_numbers(c) || (with_derivatives && !vehicle_put_other_numbers(c)))
        return NULL;
    memcpy(c->memory + VEHICLE_RATE_INPUTS, c->inputs, sizeof(double) * VEHICLE_ALL_INPUTS);
    vehicle_put_grounds(c);
    if (!vehicle_fits_grounds(c))
        return NULL;
    memcpy(c->states, r->x, sizeof(double) * VEHICLE_STATES);
    c->ready = VEHICLE_READY;
    return r;
}
