/* An instance of the FMU: which call comes when, and what follows from it. */
#include "component.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void vehicle_log(vehicle_component *k, int32_t status, int category, const char *text)
{
    if (!(k->logging >> category & 1) && (status == OK || k->version == 3))
        return;
    say(&k->shim, status, vehicle_categories[category], text);
}

int32_t vehicle_fail_by(vehicle_component *k, const char *text)
{
    vehicle_log(k, ERROR, VEHICLE_LOG_STATUS_ERROR, text);
    k->mode = VEHICLE_FAILED;
    return ERROR;
}

int32_t vehicle_fail(vehicle_component *k, const vehicle_text *t) { return vehicle_fail_by(k, t->text); }

int32_t vehicle_discard(vehicle_component *k, const vehicle_text *t)
{
    vehicle_log(k, DISCARD, VEHICLE_LOG_STATUS_DISCARD, t->text);
    return DISCARD;
}

int32_t vehicle_warn(vehicle_component *k, const vehicle_text *t)
{
    vehicle_log(k, WARNING, VEHICLE_LOG_STATUS_WARNING, t->text);
    return WARNING;
}

int32_t vehicle_refuse_count(vehicle_component *k, size_t n)
{
    vehicle_text t;
    if (n <= (size_t)1 << 24)
        return OK;
    vehicle_begin_text(&t);
    vehicle_put(&t, "an array of ");
    vehicle_put_count(&t, n);
    vehicle_put(&t, " elements; at most 16777216 are taken");
    return vehicle_fail(k, &t);
}

const char *vehicle_mode_name(unsigned mode)
{
    int n = 0;
    while (mode > 1u << n && n < VEHICLE_MODES - 1)
        n++;
    return vehicle_mode_names[n];
}

int32_t vehicle_allow(vehicle_component *k, int call)
{
    const vehicle_call *of_call = &vehicle_calls[call];
    vehicle_text t;
    if ((of_call->modes[k->interface] & k->mode) != 0)
        return OK;
    vehicle_begin_text(&t);
    vehicle_put(&t, of_call->name);
    if (of_call->modes[k->interface] == 0) {
        vehicle_put(&t, " does not belong to this kind of instance");
    } else {
        vehicle_put(&t, " is not allowed in ");
        vehicle_put(&t, vehicle_mode_name(k->mode));
    }
    return vehicle_fail(k, &t);
}

int32_t vehicle_uncomputed(vehicle_component *k, const vehicle_text *t)
{
    const int tried = (k->mode & (VEHICLE_INSTANTIATED | VEHICLE_INITIALIZATION)) != 0;
    return tried ? vehicle_discard(k, t) : vehicle_fail(k, t);
}

/* Instances. */

static int begins_with_brace(const char *token) { return token[0] == '{'; }

static int is_token(const char *given)
{
    const char *own = vehicle_token;
    given += begins_with_brace(given);
    while (*own != 0 && *own == *given) {
        own++;
        given++;
    }
    return *own == 0 && (*given == 0 || (given[0] == '}' && given[1] == 0));
}

static int refuses(const skidpad_settings *s, vehicle_text *why)
{
    if (s->token == NULL) {
        vehicle_put(why, "no GUID or instantiation token is given; it is in modelDescription.xml");
    } else if (!is_token(s->token)) {
        vehicle_put(why, "the GUID or instantiation token ");
        vehicle_put(why, s->token);
        vehicle_put(why, " is not that of these sources, which is ");
        vehicle_put(why, vehicle_token);
        vehicle_put(why, "; model description and sources do not belong together");
    } else if (s->event_mode) {
        vehicle_put(why, "these sources have no event mode, as the model description says; instantiate without "
                         "eventModeUsed");
    } else if (VEHICLE_DISCRETE_CONTACTS > 0 && !s->cosimulation) {
        vehicle_put(why, "the model has wheel contacts, which act between steps of its own solver; use it for "
                         "co-simulation");
    } else {
        return 0;
    }
    return 1;
}

void vehicle_reset_component(vehicle_component *k)
{
    int i;
    vehicle_reset(&k->model);
    k->mode = VEHICLE_INSTANTIATED;
    k->set_up = k->prepared = k->initialised = k->current = k->ended_told = 0;
    k->start = k->time = 0;
    k->stop = HUGE_VAL;
    k->drifting.told = k->bending.told = 0;
    k->drifting.count = k->bending.count = k->drifting.largest = k->bending.largest = 0;
    k->code = 0;
    for (i = 0; i < VEHICLE_CHOICES; i++)
        k->choices[i] = (int)k->model.parameters[vehicle_choice_list[i].parameter];
    vehicle_keep_inputs(k);
}

skidpad_window *vehicle_make(const skidpad_settings *s, size_t room, vehicle_text *why)
{
    vehicle_component *k;
    if (refuses(s, why))
        return NULL;
    if ((k = (vehicle_component *)calloc(1, sizeof *k + room)) == NULL) {
        vehicle_put(why, no_memory);
        return NULL;
    }
    k->version = s->version;
    k->interface = s->cosimulation ? VEHICLE_CO_SIMULATION : VEHICLE_MODEL_EXCHANGE;
    k->logs_start = s->logging != 0;
    k->logging = s->logging ? (1 << VEHICLE_CATEGORIES) - 1 : 0;
    vehicle_reset_component(k);
    return &k->window;
}

static void end_component(skidpad_window *w)
{
    vehicle_free_states(of(w));
    free(w);
}

static int32_t set_debug_logging(skidpad_window *w, int32_t on, size_t n, const char *const *categories)
{
    vehicle_component *const k = of(w);
    int which = n == 0 ? (1 << VEHICLE_CATEGORIES) - 1 : 0;
    vehicle_text t;
    if (vehicle_refuse_count(k, n) != OK)
        return ERROR;
    for (size_t i = 0; i < n; i++)
        if (categories[i] == NULL)
            return vehicle_fail_by(k, "a text is NULL");
    if (vehicle_allow(k, VEHICLE_CALL_SET_DEBUG_LOGGING) != OK)
        return ERROR;
    for (size_t i = 0; i < n; i++) {
        int c = 0;
        while (c < VEHICLE_CATEGORIES && !vehicle_is_text(categories[i], vehicle_categories[c]))
            c++;
        if (c == VEHICLE_CATEGORIES) {
            vehicle_begin_text(&t);
            vehicle_put(&t, "there is no log category \"");
            vehicle_put(&t, categories[i]);
            vehicle_put(&t, "\"");
            return vehicle_fail(k, &t);
        }
        which |= 1 << c;
    }
    k->logging = on ? k->logging | which : k->logging & ~which;
    return OK;
}

static int32_t refuse(skidpad_window *w, const char *text) { return vehicle_fail_by(of(w), text); }

/* The experiment and its modes. */

static int32_t experiment(vehicle_component *k, double start, int32_t stop_defined, double stop)
{
    vehicle_text t;
    if (!vehicle_finite(start) || (stop_defined && !(stop > start))) {
        vehicle_begin_text(&t);
        vehicle_put(&t, "start time ");
        vehicle_put_number(&t, start, 0);
        vehicle_put(&t, " and stop time ");
        vehicle_put_number(&t, stop, 0);
        vehicle_put(&t, ": both must be finite, and the stop after the start");
        return vehicle_fail(k, &t);
    }
    k->set_up = 1;
    k->start = start;
    k->stop = stop_defined ? stop : HUGE_VAL;
    return OK;
}

static int32_t setup_experiment(skidpad_window *w, double start, int32_t stop_defined, double stop)
{
    vehicle_component *const k = of(w);
    const int32_t status = vehicle_allow(k, VEHICLE_CALL_SETUP_EXPERIMENT);
    return status != OK ? status : experiment(k, start, stop_defined, stop);
}

static void set_time_of(vehicle_component *k, double t)
{
    k->time = k->model.time = t;
    if (VEHICLE_TIMED)
        k->model.inputs[VEHICLE_ALL_INPUTS - 1] = t;
}

static int32_t enter_initialization(skidpad_window *w, int32_t defined, double start, int32_t stop_defined, double stop)
{
    vehicle_component *const k = of(w);
    vehicle_text t;
    int32_t status = vehicle_allow(k, VEHICLE_CALL_ENTER_INITIALIZATION);
    if (status != OK)
        return status;
    if (defined) {
        if ((status = experiment(k, start, stop_defined, stop)) != OK)
            return status;
    } else if (!k->set_up) {
        vehicle_begin_text(&t);
        vehicle_put(&t, "EnterInitializationMode without SetupExperiment; the start time is 0");
        status = vehicle_warn(k, &t);
    }
    set_time_of(k, k->start);
    k->mode = VEHICLE_INITIALIZATION;
    k->current = 0;
    return status;
}

/* Why the model has refused the start. */
static void put_fault(const vehicle_component *k, vehicle_text *why)
{
    if (k->model.fault == VEHICLE_CONSTRAINT_FAULT) {
        vehicle_put(why, "the start violates constraints by ");
        vehicle_put_number(why, k->model.fault_by[0], 3);
        vehicle_put(why, ", and their rates by ");
        vehicle_put_number(why, k->model.fault_by[1], 3);
        vehicle_put(why, ": correct the start values, or allow it by solver.constraint_tolerance; the binary FMU "
                         "assembles such starts");
        return;
    }
    if (k->model.fault == VEHICLE_FRICTION_FAULT) {
        vehicle_put(why, "the friction of the ground is ");
        vehicle_put_number(why, k->model.fault_by[0], 0);
        vehicle_put(why, " on the left and ");
        vehicle_put_number(why, k->model.fault_by[1], 0);
        vehicle_put(why, " on the right; these sources are for ground of one friction: the binary FMU takes both");
        return;
    }
    if (k->model.fault == VEHICLE_SEED_FAULT) {
        vehicle_put(why, "the seed of the road is ");
        vehicle_put_number(why, k->model.fault_by[0], 0);
        vehicle_put(why, "; these sources have the waves of the seed ");
        vehicle_put_number(why, k->model.fault_by[1], 0);
        vehicle_put(why, ": the binary FMU takes any");
        return;
    }
    vehicle_put(why, vehicle_fault_texts[2 * (k->model.fault - 1)]);
    vehicle_put_number(why, k->model.fault_by[0], k->model.fault <= VEHICLE_BOUND_FAULTS ? 6 : 0);
    vehicle_put(why, vehicle_fault_texts[2 * (k->model.fault - 1) + 1]);
}

int vehicle_start_model(vehicle_component *k, vehicle_text *why)
{
    const double *x = k->model.states, *dx = k->model.work;
    int i;
    if (k->prepared)
        return 1;
    set_time_of(k, k->time);
    k->model.fault = 0;
    if (vehicle_start_at(&k->model, k->time) == VEHICLE_OK) {
        k->prepared = 1;
        return 1;
    }
    if (k->model.fault != 0) {
        put_fault(k, why);
        return 0;
    }
    for (i = 0; i < 2 * VEHICLE_STATES; i++) {
        const double v = i < VEHICLE_STATES ? x[i] : dx[i - VEHICLE_STATES];
        if (vehicle_finite(v))
            continue;
        vehicle_put(why, i < VEHICLE_STATES ? "initial value of " : "initial rate of ");
        vehicle_put(why, vehicle_entries[vehicle_state_references[i % VEHICLE_STATES_OR_1]].name);
        vehicle_put(why, " is ");
        vehicle_put_number(why, v, 0);
        vehicle_put(why, "; check the parameters and start values");
        return 0;
    }
    vehicle_put(why, "the start cannot be computed: a constraint or a bound of the model does not hold, or an argument "
                     "of a function is out of range; check the parameters and start values");
    return 0;
}

static int touches(const vehicle_component *k, int contact)
{
    return k->model.outputs[VEHICLE_FIRST_CONTACT + contact] > 0;
}

static int exit_initialization(vehicle_component *k)
{
    vehicle_text why;
    int32_t status = vehicle_allow(k, VEHICLE_CALL_EXIT_INITIALIZATION);
    int i;
    if (status != OK)
        return status;
    vehicle_begin_text(&why);
    if (!vehicle_start_model(k, &why) || !vehicle_refresh(k, &why))
        return vehicle_fail(k, &why);
    k->initialised = 1;
    for (i = 0; i < VEHICLE_CONTACTS; i++)
        k->on[i] = touches(k, i);
    k->current = 0;
    if (!vehicle_refresh(k, &why))
        return vehicle_fail(k, &why);
    for (i = 0; i < VEHICLE_EVENTS; i++)
        k->logged[i] = k->values[vehicle_event_references[i]];
    k->mode = k->interface == VEHICLE_MODEL_EXCHANGE ? VEHICLE_EVENT : VEHICLE_STEP;
    k->current = 0;
    vehicle_look(&k->model);
    vehicle_report_start(k);
    return OK;
}

static int32_t terminate(vehicle_component *k)
{
    vehicle_text why;
    vehicle_begin_text(&why);
    if (!vehicle_refresh(k, &why))
        return vehicle_fail(k, &why);
    vehicle_look(&k->model);
    vehicle_report(k);
    vehicle_report_habits(k);
    k->mode = VEHICLE_TERMINATED;
    return OK;
}

static int32_t update_contacts(vehicle_component *k)
{
    vehicle_text why;
    int i, changed = 0;
    vehicle_begin_text(&why);
    if (!vehicle_refresh(k, &why))
        return vehicle_fail(k, &why);
    for (i = 0; i < VEHICLE_CONTACTS; i++) {
        const double force = k->model.outputs[VEHICLE_FIRST_CONTACT + i];
        if (k->on[i] ? force < -VEHICLE_HYSTERESIS : force > VEHICLE_HYSTERESIS) {
            k->on[i] = !k->on[i];
            changed = 1;
        }
    }
    if (VEHICLE_SAMPLED > 0) {
        if (!vehicle_sample(&k->model))
            return vehicle_fail_by(k, "a value of a sample is not a finite number, or an argument of a function is out "
                                      "of range");
        changed = 1;
        k->window.event_defined = 1;
        k->window.next_event = vehicle_next_sample(&k->model);
    }
    if (changed) {
        k->current = 0;
        vehicle_report_events(k);
    }
    return OK;
}

static int32_t to_continuous_time(vehicle_component *k)
{
    vehicle_text why;
    vehicle_begin_text(&why);
    if (!vehicle_refresh(k, &why))
        return vehicle_fail(k, &why);
    k->mode = VEHICLE_CONTINUOUS;
    return OK;
}

static int32_t call(skidpad_window *w, int32_t what)
{
    static const unsigned char calls[] = {
        VEHICLE_CALL_EXIT_INITIALIZATION, VEHICLE_CALL_TERMINATE,   VEHICLE_CALL_RESET,
        VEHICLE_CALL_ENTER_EVENT_MODE,    VEHICLE_CALL_UPDATE,      VEHICLE_CALL_EVALUATE,
        VEHICLE_CALL_ENTER_CONTINUOUS,    VEHICLE_CALL_ENTER_STEP,  VEHICLE_CALL_COMPLETED,
        VEHICLE_CALL_GET_STATUS,
    };
    vehicle_component *const k = of(w);
    if (vehicle_allow(k, calls[what]) != OK)
        return ERROR;
    switch (what) {
    case SKIDPAD_EXIT_INITIALIZATION:
        return exit_initialization(k);
    case SKIDPAD_TERMINATE:
        return terminate(k);
    case SKIDPAD_RESET:
        vehicle_report_habits(k);
        vehicle_reset_component(k);
        return OK;
    case SKIDPAD_ENTER_EVENT_MODE:
        if (k->interface == VEHICLE_CO_SIMULATION)
            return vehicle_fail_by(k, "EnterEventMode needs an instance made with eventModeUsed");
        k->mode = VEHICLE_EVENT;
        k->current = 0;
        return OK;
    case SKIDPAD_UPDATE_DISCRETE_STATES:
        return update_contacts(k);
    case SKIDPAD_ENTER_CONTINUOUS_TIME_MODE:
        return to_continuous_time(k);
    default: /* nothing to compute, or to say */
        return OK;
    }
}

/* Model exchange. */

static int32_t set_time(skidpad_window *w, double t)
{
    vehicle_component *const k = of(w);
    vehicle_text text;
    const int32_t status = vehicle_allow(k, VEHICLE_CALL_SET_TIME);
    if (status != OK)
        return status;
    if (!vehicle_finite(t)) {
        vehicle_begin_text(&text);
        vehicle_put(&text, "time ");
        vehicle_put_number(&text, t, 0);
        vehicle_put(&text, " must be finite");
        return vehicle_fail(k, &text);
    }
    set_time_of(k, t);
    k->current = 0;
    return OK;
}

static int32_t refuse_length(vehicle_component *k, const char *what, size_t n, int want)
{
    vehicle_text t;
    if (n == (size_t)want)
        return OK;
    vehicle_begin_text(&t);
    vehicle_put(&t, "the array has the wrong length: ");
    vehicle_put_count(&t, n);
    vehicle_put(&t, " ");
    vehicle_put(&t, what);
    vehicle_put(&t, ", the model has ");
    vehicle_put_count(&t, (unsigned)want);
    return vehicle_fail(k, &t);
}

static int32_t set_states(skidpad_window *w, const double *x, size_t n)
{
    vehicle_component *const k = of(w);
    vehicle_text t;
    if (vehicle_refuse_count(k, n) != OK || vehicle_allow(k, VEHICLE_CALL_SET_STATES) != OK ||
        refuse_length(k, "states", n, VEHICLE_STATES) != OK)
        return ERROR;
    for (size_t i = 0; i < n; i++)
        if (!vehicle_finite(x[i])) {
            vehicle_begin_text(&t);
            vehicle_put(&t, "not a finite number: ");
            vehicle_put(&t, vehicle_entries[vehicle_state_references[i]].name);
            vehicle_put(&t, " = ");
            vehicle_put_number(&t, x[i], 0);
            return vehicle_discard(k, &t);
        }
    if (n > 0)
        memcpy(k->model.states, x, n * sizeof *x);
    k->current = 0;
    return OK;
}

static int32_t read_numbers(skidpad_window *w, int32_t what, double *x, size_t n)
{
    static const char *const names[] = {"states", "derivatives", "event indicators", "nominal values"};
    static const uint32_t *const references[] = {vehicle_state_references, vehicle_rate_references,
                                                 vehicle_indicator_references, NULL};
    vehicle_component *const k = of(w);
    const int call_of = what == SKIDPAD_NOMINALS ? VEHICLE_CALL_NOMINALS : VEHICLE_CALL_GET_STATES;
    vehicle_text t;
    vehicle_begin_text(&t);
    if (vehicle_refuse_count(k, n) != OK || vehicle_allow(k, call_of) != OK ||
        refuse_length(k, names[what], n, what == SKIDPAD_INDICATORS ? VEHICLE_CONTACTS : VEHICLE_STATES) != OK)
        return ERROR;
    if (what == SKIDPAD_NOMINALS) {
        for (size_t i = 0; i < n; i++)
            x[i] = vehicle_nominals[i];
        return OK;
    }
    if (!vehicle_refresh(k, &t))
        return vehicle_uncomputed(k, &t);
    for (size_t i = 0; i < n; i++) {
        const uint32_t r = references[what][i];
        x[i] = k->values[r];
        if (!vehicle_finite(x[i])) {
            vehicle_put(&t, vehicle_entries[r].name);
            vehicle_put(&t, " = ");
            vehicle_put_number(&t, x[i], 0);
            vehicle_put(&t, " at t = ");
            vehicle_put_number(&t, k->time, 0);
            vehicle_put(&t, " s");
            return vehicle_discard(k, &t);
        }
    }
    return OK;
}

static int32_t counts(skidpad_window *w, size_t *states, size_t *indicators)
{
    *states = VEHICLE_STATES;
    *indicators = VEHICLE_CONTACTS;
    return vehicle_allow(of(w), VEHICLE_CALL_COUNT);
}

static int32_t dependencies_of(skidpad_window *w, uint32_t reference, size_t *count, uint32_t *on, size_t n)
{
    vehicle_component *const k = of(w);
    const vehicle_dependent *list = k->mode == VEHICLE_INITIALIZATION ? vehicle_starting : vehicle_running;
    int length = k->mode == VEHICLE_INITIALIZATION ? VEHICLE_STARTING : VEHICLE_RUNNING, i = 0;
    vehicle_text t;
    vehicle_begin_text(&t);
    if (reference >= VEHICLE_REFERENCES) {
        vehicle_find(reference, VEHICLE_REAL, &t);
        return vehicle_fail(k, &t);
    }
    while (i < length && list[i].reference != reference)
        i++;
    const size_t found = i < length ? list[i].count : 0;
    if (n > 0 && n != found)
        return vehicle_fail_by(k, "the arrays for dependencies must have the length that "
                                  "GetNumberOfVariableDependencies says");
    *count = found;
    for (size_t d = 0; d < n; d++)
        on[d] = vehicle_dependencies[list[i].first + d];
    return OK;
}

/* Questions about steps. */

static int32_t status_time(skidpad_window *w, double *time)
{
    vehicle_component *const k = of(w);
    const int32_t status = vehicle_allow(k, VEHICLE_CALL_GET_STATUS);
    *time = status == OK ? k->time : 0;
    return status;
}

static int32_t status_unknown(skidpad_window *w, const char *kind)
{
    vehicle_component *const k = of(w);
    vehicle_text t;
    if (vehicle_allow(k, VEHICLE_CALL_GET_STATUS) != OK)
        return ERROR;
    vehicle_begin_text(&t);
    vehicle_put(&t, "no ");
    vehicle_put(&t, kind);
    vehicle_put(&t, ": steps are never asynchronous");
    return vehicle_discard(k, &t);
}

const skidpad_core vehicle_core = {
    .free = end_component,
    .call = call,
    .refuse = refuse,
    .set_debug_logging = set_debug_logging,
    .setup_experiment = setup_experiment,
    .enter_initialization = enter_initialization,
    .get = vehicle_get,
    .set_real = vehicle_set_real,
    .set_boolean = vehicle_set_boolean,
    .get_string = vehicle_get_string,
    .set_string = vehicle_set_string,
    .absent = vehicle_absent,
    .set_time = set_time,
    .set_states = set_states,
    .read = read_numbers,
    .counts = counts,
    .step = vehicle_step_to,
    .set_input_derivatives = vehicle_set_input_derivatives,
    .get_output_derivatives = vehicle_get_output_derivatives,
    .status_time = status_time,
    .status_unknown = status_unknown,
    .state_get = vehicle_save_state,
    .state_set = vehicle_set_state,
    .state_free = vehicle_free_state,
    .state_size = vehicle_size_of_state,
    .state_write = vehicle_write_state,
    .state_read = vehicle_read_state,
    .derivatives = vehicle_derivatives,
    .dependencies = dependencies_of,
};
