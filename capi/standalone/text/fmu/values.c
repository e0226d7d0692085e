/* Values of variables: read, set, computed. */
#include "component.h"

#include <string.h>

/* Tires of an importer that handles events touch the road as the importer has been told. */
static int by_events(const vehicle_component *k) { return k->interface == VEHICLE_MODEL_EXCHANGE && k->initialised; }

/* The condition that ended the run, counted from 1, and when; in model exchange, the one that is true now. */
static double ended(vehicle_component *k, int when)
{
    double now = k->model.ended;
    if (k->interface == VEHICLE_CO_SIMULATION)
        return when ? k->model.ended_at : now;
    if (!vehicle_look_at_ends_now(&k->model, &now))
        now = 0;
    return !when ? now : now > 0 ? k->time : 0;
}

static double value_of(vehicle_component *k, const vehicle_entry *v)
{
    const double *y = k->model.outputs;
    switch (v->kind) {
    case VEHICLE_AT_PARAMETER:
        return k->model.parameters[v->at];
    case VEHICLE_AT_STEP:
        return k->model.longest;
    case VEHICLE_AT_TOLERANCE:
        return k->model.tolerance;
    case VEHICLE_AT_INPUT:
        return k->model.inputs[v->at];
    case VEHICLE_AT_OUTPUT:
        return y[v->at];
    case VEHICLE_AT_CONTACT:
        return by_events(k) ? k->on[v->at] : y[VEHICLE_FIRST_CONTACT + v->at] > 0;
    case VEHICLE_AT_ENDED:
    case VEHICLE_AT_ENDED_TIME:
        return ended(k, v->kind == VEHICLE_AT_ENDED_TIME);
    case VEHICLE_AT_STATE:
        return k->model.states[v->at];
    case VEHICLE_AT_RATE:
        return k->model.work[v->at];
    case VEHICLE_AT_INDICATOR:
        if (!by_events(k))
            return y[VEHICLE_FIRST_CONTACT + v->at];
        return k->on[v->at] ? y[VEHICLE_FIRST_CONTACT + v->at] + VEHICLE_HYSTERESIS
                            : y[VEHICLE_FIRST_CONTACT + v->at] - VEHICLE_HYSTERESIS;
    case VEHICLE_AT_TIME:
        return k->time;
    default:
        return 0;
    }
}

static void take_values(vehicle_component *k, int from, int to)
{
    for (int r = from; r < to; r++)
        k->values[r] = value_of(k, &vehicle_entries[r]);
}

static void copy_values(vehicle_component *k, int to, const double *from, size_t n)
{
    if (n > 0)
        memcpy(k->values + to, from, n * sizeof *from);
}

int vehicle_refresh(vehicle_component *k, vehicle_text *why)
{
    if (k->current)
        return 1;
    if (!vehicle_start_model(k, why))
        return 0;
    if (vehicle_output(&k->model) == NULL) {
        vehicle_put(why, "rates and outputs cannot be computed: an argument of a function is out of range");
        return 0;
    }
    /* outputs and rates stand side by side; parameters do not change after the initialization */
    take_values(k, k->initialised ? VEHICLE_FIRST_INPUT : 0, VEHICLE_FIRST_OUTPUT);
    copy_values(k, VEHICLE_FIRST_OUTPUT, k->model.outputs, VEHICLE_OUTPUT_NUMBERS);
    take_values(k, VEHICLE_FIRST_OUTPUT + VEHICLE_OUTPUT_NUMBERS, VEHICLE_FIRST_RATE);
    copy_values(k, VEHICLE_FIRST_RATE, k->model.work, VEHICLE_STATES);
    take_values(k, VEHICLE_FIRST_RATE + VEHICLE_STATES, VEHICLE_NUMBERS);
    k->current = 1;
    return 1;
}

/* The window always has the inputs. */
void vehicle_keep_inputs(vehicle_component *k)
{
    k->current = 0;
    if (VEHICLE_INPUTS > 0)
        memcpy(k->values + VEHICLE_FIRST_INPUT, k->model.inputs, sizeof(double) * VEHICLE_INPUTS);
}

const vehicle_entry *vehicle_find(uint32_t reference, int type, vehicle_text *why)
{
    static const char *const types[] = {"a floating-point number", "a Boolean", "a String"};
    const vehicle_entry *v;
    if (reference >= VEHICLE_REFERENCES) {
        vehicle_put(why, "unknown value reference ");
        vehicle_put_count(why, reference);
        vehicle_put(why, "; the model has 0 to ");
        vehicle_put_count(why, VEHICLE_REFERENCES - 1);
        return NULL;
    }
    v = &vehicle_entries[reference];
    if (v->type == type)
        return v;
    vehicle_put(why, v->name);
    vehicle_put(why, " (value reference ");
    vehicle_put_count(why, reference);
    vehicle_put(why, ") is ");
    vehicle_put(why, types[v->type]);
    vehicle_put(why, ", not ");
    vehicle_put(why, types[type]);
    return NULL;
}

static int has_start(const vehicle_entry *v) { return v->causality == VEHICLE_IS_INPUT || v->exact; }

/* Values where not all can be computed. */
static int32_t stored(vehicle_component *k, const uint32_t *references, size_t n, double *values, int32_t status)
{
    vehicle_text why;
    vehicle_begin_text(&why);
    for (size_t i = 0; i < n; i++) {
        const vehicle_entry *v = &vehicle_entries[references[i]];
        if (v->exact && v->parameter >= 0 && !k->initialised) {
            values[i] = k->model.parameters[v->parameter];
            continue;
        }
        if (v->kind != VEHICLE_AT_TIME && (!has_start(v) || v->parameter >= 0)) {
            if (!k->prepared) {
                vehicle_put(&why, v->name);
                vehicle_put(&why, " cannot be read: ");
                vehicle_put(&why, v->name);
                vehicle_put(&why, " has no value before initialisation");
                return vehicle_uncomputed(k, &why);
            }
            if (vehicle_output(&k->model) == NULL) {
                vehicle_put(&why, v->name);
                vehicle_put(&why, " cannot be read: an argument of a function is out of range");
                return vehicle_uncomputed(k, &why);
            }
        }
        values[i] = value_of(k, v);
    }
    return status;
}

static int32_t refuse_energy(vehicle_component *k, const vehicle_entry *v)
{
    vehicle_text t;
    vehicle_begin_text(&t);
    vehicle_put(&t, v->name);
    vehicle_put(&t, " is not computed by these sources; the binary FMU computes it");
    return vehicle_discard(k, &t);
}

int32_t vehicle_warn_of_early_reading(vehicle_component *k, const char *what, const vehicle_entry *v)
{
    vehicle_text t;
    if (k->version != 2 || k->mode != VEHICLE_INSTANTIATED)
        return OK;
    vehicle_begin_text(&t);
    vehicle_put(&t, what);
    vehicle_put(&t, v->name);
    vehicle_put(&t, " is read before initialization; it is computed from the values set so far");
    return vehicle_warn(k, &t);
}

int32_t vehicle_get(skidpad_window *w, int32_t boolean, const uint32_t *references, size_t n, double *values)
{
    vehicle_component *const k = of(w);
    int32_t status = OK;
    int compute = 0;
    vehicle_text t;
    vehicle_begin_text(&t);
    if (vehicle_refuse_count(k, n) != OK || vehicle_allow(k, VEHICLE_CALL_GET) != OK)
        return ERROR;
    for (size_t i = 0; i < n; i++) {
        const vehicle_entry *v = vehicle_find(references[i], boolean ? VEHICLE_BOOLEAN : VEHICLE_REAL, &t);
        if (v == NULL)
            return vehicle_fail(k, &t);
        compute |= !has_start(v);
        if (!has_start(v) && v->causality != VEHICLE_IS_INDEPENDENT && status == OK)
            status = vehicle_warn_of_early_reading(k, "", v);
    }
    if (((k->mode & (VEHICLE_INSTANTIATED | VEHICLE_FAILED)) != 0 && !compute) ||
        (k->mode == VEHICLE_FAILED && !k->current))
        return stored(k, references, n, values, status);
    if (!vehicle_refresh(k, &t))
        return vehicle_uncomputed(k, &t);
    for (size_t i = 0; i < n; i++) {
        if (vehicle_entries[references[i]].kind == VEHICLE_AT_ENERGY)
            return refuse_energy(k, &vehicle_entries[references[i]]);
        values[i] = k->values[references[i]];
    }
    return status;
}

/* Why a variable cannot be set now; 0 where it can. */
int vehicle_is_not_settable(const vehicle_component *k, const vehicle_entry *v, vehicle_text *why)
{
    static const unsigned before = VEHICLE_INSTANTIATED | VEHICLE_INITIALIZATION;
    if (v->causality == VEHICLE_IS_INPUT || (k->mode == VEHICLE_CONTINUOUS && v->state >= 0))
        return 0;
    if (v->causality == VEHICLE_IS_INDEPENDENT || !has_start(v)) {
        vehicle_put(why, v->name);
        vehicle_put(why, v->computed != NULL ? v->computed : " is computed by the model and cannot be set");
        return 1;
    }
    if ((k->mode & before) != 0)
        return 0;
    vehicle_put(why, v->name);
    vehicle_put(why, ", of causality ");
    vehicle_put(why, vehicle_causalities[v->causality]);
    vehicle_put(why, ", cannot be set in ");
    vehicle_put(why, vehicle_mode_name(k->mode));
    vehicle_put(why, "; set it before ExitInitializationMode");
    return 1;
}

/* Why a value is none for a variable; 0 where it is one. */
static int is_not_allowed(const vehicle_entry *v, double x, vehicle_text *why)
{
    const char *rule = NULL;
    if (!vehicle_finite(x))
        rule = ": the value must be a finite number";
    else if ((v->bounds & VEHICLE_NONNEGATIVE) != 0 && x < 0)
        rule = ": the value must not be negative";
    else if ((v->bounds & VEHICLE_POSITIVE) != 0 && x <= 0)
        rule = ": the value must be above 0";
    else if ((v->bounds & VEHICLE_AT_MOST_ONE) != 0 && x > 1)
        rule = ": the value must not be above 1";
    if (rule == NULL)
        return 0;
    vehicle_put(why, v->name);
    vehicle_put(why, " = ");
    vehicle_put_number(why, x, 0);
    vehicle_put(why, rule);
    return 1;
}

/* Outputs stay those of the latest step until the next one: they are computed before inputs change. */
static void keep_outputs(vehicle_component *k)
{
    vehicle_text none;
    vehicle_begin_text(&none);
    if (k->mode == VEHICLE_STEP)
        vehicle_refresh(k, &none);
}

static void set_number(vehicle_component *k, const vehicle_entry *v, double x)
{
    switch (v->kind) {
    case VEHICLE_AT_INPUT:
        k->model.inputs[v->at] = x;
        k->model.input_rates[v->at] = 0;
        break;
    case VEHICLE_AT_STEP:
        k->model.longest = x;
        if (VEHICLE_STEP_PARAMETER >= 0)
            k->model.parameters[VEHICLE_STEP_PARAMETER_OR_0] = x;
        break;
    case VEHICLE_AT_TOLERANCE:
        k->model.tolerance = x;
        break;
    default:
        k->model.parameters[v->parameter >= 0 ? v->parameter : v->at] = x;
        break;
    }
    if (!k->initialised)
        k->prepared = k->model.ready = 0;
}

int32_t vehicle_set_real(skidpad_window *w, const uint32_t *references, size_t n, const double *values)
{
    vehicle_component *const k = of(w);
    vehicle_text t;
    vehicle_begin_text(&t);
    if (vehicle_refuse_count(k, n) != OK || vehicle_allow(k, VEHICLE_CALL_SET) != OK)
        return ERROR;
    for (size_t i = 0; i < n; i++) {
        const vehicle_entry *v = vehicle_find(references[i], VEHICLE_REAL, &t);
        if (v == NULL || vehicle_is_not_settable(k, v, &t))
            return vehicle_fail(k, &t);
        if (is_not_allowed(v, values[i], &t))
            return k->mode == VEHICLE_CONTINUOUS && v->state >= 0 ? vehicle_discard(k, &t) : vehicle_fail(k, &t);
    }
    keep_outputs(k);
    for (size_t i = 0; i < n; i++) {
        const vehicle_entry *v = &vehicle_entries[references[i]];
        if (k->mode == VEHICLE_CONTINUOUS && v->state >= 0)
            k->model.states[v->state] = values[i];
        else
            set_number(k, v, values[i]);
        k->values[references[i]] = values[i];
    }
    if (k->mode != VEHICLE_STEP)
        k->current = 0;
    return OK;
}

int32_t vehicle_set_boolean(skidpad_window *w, const uint32_t *references, size_t n)
{
    vehicle_component *const k = of(w);
    const vehicle_entry *v;
    vehicle_text t;
    vehicle_begin_text(&t);
    if (vehicle_refuse_count(k, n) != OK || vehicle_allow(k, VEHICLE_CALL_SET) != OK)
        return ERROR;
    if (n == 0)
        return OK;
    if ((v = vehicle_find(references[0], VEHICLE_BOOLEAN, &t)) != NULL) {
        vehicle_put(&t, v->name);
        vehicle_put(&t, " is computed by the model and cannot be set");
    }
    return vehicle_fail(k, &t);
}

int32_t vehicle_absent(skidpad_window *w, int32_t set, const char *kind, const uint32_t *references, size_t n)
{
    vehicle_component *const k = of(w);
    vehicle_text t;
    if (vehicle_allow(k, set ? VEHICLE_CALL_SET : VEHICLE_CALL_GET) != OK)
        return ERROR;
    if (n == 0)
        return OK;
    vehicle_begin_text(&t);
    vehicle_put(&t, "value reference ");
    vehicle_put_count(&t, references[0]);
    vehicle_put(&t, ": the model has no variable of type ");
    vehicle_put(&t, kind);
    return vehicle_fail(k, &t);
}
