/* Derivatives: along directions, against weights, and of outputs by time. */
#include "component.h"

#include <string.h>

enum { NOWHERE = -1, NONE = -2 };

/* Where the derivatives of a variable are among the values: NOWHERE where they are 0, NONE where it has none. Before
 * the initialization is over, states at the start have derivatives. */
static int row_of(const vehicle_component *k, const vehicle_entry *v)
{
    switch (v->kind) {
    case VEHICLE_AT_OUTPUT:
        return VEHICLE_STATES + v->at;
    case VEHICLE_AT_RATE:
        return v->at;
    case VEHICLE_AT_ENDED:
    case VEHICLE_AT_ENDED_TIME:
        return NOWHERE;
    case VEHICLE_AT_STATE:
        return k->initialised ? NONE : VEHICLE_VALUES + v->at;
    default:
        return NONE;
    }
}

/* Where the derivatives by a variable are among the variables. */
static int column_of(const vehicle_component *k, const vehicle_entry *v)
{
    switch (v->kind) {
    case VEHICLE_AT_INPUT:
        return VEHICLE_PARAMETERS + VEHICLE_STATES + v->at;
    case VEHICLE_AT_PARAMETER:
        return v->at;
    case VEHICLE_AT_STEP:
    case VEHICLE_AT_TOLERANCE:
    case VEHICLE_AT_TIME:
        return NOWHERE;
    default:
        if (!k->initialised)
            return v->exact && v->parameter >= 0 ? v->parameter : NONE; /* not where a start is added to another one */
        return v->state >= 0 ? VEHICLE_PARAMETERS + v->state : NONE;
    }
}

/* Variables of a call, all of them numbers; 0 and why not. */
static int are_numbers(const uint32_t *unknowns, size_t n, const uint32_t *knowns, size_t m, vehicle_text *why)
{
    for (size_t i = 0; i < n + m; i++)
        if (vehicle_find(i < n ? unknowns[i] : knowns[i - n], VEHICLE_REAL, why) == NULL)
            return 0;
    for (size_t i = 0; i < n; i++)
        if (vehicle_entries[unknowns[i]].driven) {
            vehicle_put(why, vehicle_entries[unknowns[i]].name);
            vehicle_put(why, " is a local variable driven within the model; only outputs and rates of states have "
                             "derivatives");
            return 0;
        }
    return 1;
}

/* Variables that have derivatives, and those by which there are derivatives; 0 and why not. */
static int have_derivatives(const vehicle_component *k, const uint32_t *unknowns, size_t n, const uint32_t *knowns,
                            size_t m, vehicle_text *why)
{
    for (size_t i = 0; i < n; i++)
        if (row_of(k, &vehicle_entries[unknowns[i]]) == NONE) {
            vehicle_put(why, vehicle_entries[unknowns[i]].name);
            vehicle_put(why, " has no derivatives; outputs and derivatives of states have");
            return 0;
        }
    for (size_t i = 0; i < m; i++)
        if (column_of(k, &vehicle_entries[knowns[i]]) == NONE) {
            vehicle_put(why, "nothing can be differentiated by ");
            vehicle_put(why, vehicle_entries[knowns[i]].name);
            vehicle_put(why, " now; inputs, states and parameters can");
            return 0;
        }
    return 1;
}

/* Whether seeds and sensitivities are as many as their variables; 0 and why not. */
static int are_as_many(int32_t adjoint, size_t n, size_t m, size_t seeds, size_t sensitivities, vehicle_text *why)
{
    static const char *const names[] = {" knowns", " unknowns"};
    const size_t of_seeds = adjoint ? n : m, of_sensitivities = adjoint ? m : n;
    if (seeds == of_seeds && sensitivities == of_sensitivities)
        return 1;
    vehicle_put_count(why, seeds);
    vehicle_put(why, " seeds for ");
    vehicle_put_count(why, of_seeds);
    vehicle_put(why, names[adjoint != 0]);
    vehicle_put(why, " and ");
    vehicle_put_count(why, sensitivities);
    vehicle_put(why, " sensitivities for ");
    vehicle_put_count(why, of_sensitivities);
    vehicle_put(why, names[adjoint == 0]);
    vehicle_put(why, "; the counts must agree");
    return 0;
}

static int cannot_be_evaluated(vehicle_text *why)
{
    vehicle_put(why, "derivatives cannot be computed: an argument of a function is out of range");
    return 0;
}

/* Evaluates the present point, also where the values that can be read are those of the latest step; 0 and why not. */
static int evaluates(vehicle_component *k, vehicle_text *why)
{
    return vehicle_start_model(k, why) && (vehicle_output(&k->model) != NULL || cannot_be_evaluated(why));
}

/* Start states of carcasses follow from loads and slips by a function of their own, of which differences are taken. */
static int carcasses_along(vehicle_component *k, const uint32_t *knowns, size_t m, const double *seed)
{
    double *const starts = k->sensed + VEHICLE_VALUES, column[VEHICLE_CARCASS_STATES + 1];
    for (int c = 0; c < VEHICLE_CARCASS_STATES; c++)
        starts[vehicle_carcass_states[c]] = 0;
    for (size_t i = 0; i < m && VEHICLE_CARCASS_STATES > 0; i++) {
        const int at = column_of(k, &vehicle_entries[knowns[i]]);
        if (at < 0 || !(seed[i] != 0))
            continue;
        if (vehicle_carcass_column(&k->model, at, column) != VEHICLE_OK)
            return 0;
        for (int c = 0; c < VEHICLE_CARCASS_STATES; c++)
            starts[vehicle_carcass_states[c]] += seed[i] * column[c];
    }
    return 1;
}

/* The states at the start follow from parameters and inputs: they are put into the direction. */
static int start_along(vehicle_component *k, const uint32_t *knowns, size_t m, const double *seed)
{
    double *const starts = k->sensed + VEHICLE_VALUES;
    if (vehicle_start_along(&k->model, k->variables, starts) != VEHICLE_OK || !carcasses_along(k, knowns, m, seed))
        return 0;
    if (VEHICLE_STATES > 0)
        memcpy(k->variables + VEHICLE_PARAMETERS, starts, sizeof(double) * VEHICLE_STATES);
    return 1;
}

static int along(vehicle_component *k, const uint32_t *unknowns, size_t n, const uint32_t *knowns, size_t m,
                 const double *seed, double *sensitivity, vehicle_text *why)
{
    memset(k->variables, 0, sizeof k->variables);
    for (size_t i = 0; i < m; i++) {
        const int at = column_of(k, &vehicle_entries[knowns[i]]);
        if (at >= 0)
            k->variables[at] += seed[i];
    }
    if ((!k->initialised && !start_along(k, knowns, m, seed)) ||
        vehicle_forward(&k->model, k->model.states, k->model.inputs, 1, k->variables, k->sensed) != VEHICLE_OK)
        return cannot_be_evaluated(why);
    for (size_t i = 0; i < n; i++) {
        const int at = row_of(k, &vehicle_entries[unknowns[i]]);
        sensitivity[i] = at >= 0 ? k->sensed[at] : 0;
    }
    return 1;
}

static int carcasses_against(vehicle_component *k, const uint32_t *knowns, size_t m, double *sensitivity)
{
    double *const starts = k->sensed + VEHICLE_VALUES, column[VEHICLE_CARCASS_STATES + 1];
    for (size_t i = 0; i < m && VEHICLE_CARCASS_STATES > 0; i++) {
        const int at = column_of(k, &vehicle_entries[knowns[i]]);
        if (at < 0)
            continue;
        if (vehicle_carcass_column(&k->model, at, column) != VEHICLE_OK)
            return 0;
        for (int c = 0; c < VEHICLE_CARCASS_STATES; c++)
            sensitivity[i] += starts[vehicle_carcass_states[c]] * column[c];
    }
    for (int c = 0; c < VEHICLE_CARCASS_STATES; c++)
        starts[vehicle_carcass_states[c]] = 0;
    return 1;
}

/* Adds the derivatives by variables to those by knowns. */
static void take(const vehicle_component *k, const uint32_t *knowns, size_t m, double *sensitivity)
{
    for (size_t i = 0; i < m; i++) {
        const int at = column_of(k, &vehicle_entries[knowns[i]]);
        if (at >= 0)
            sensitivity[i] += k->variables[at];
    }
}

/* Against weights of values and of states at the start. */
static int start_against(vehicle_component *k, const uint32_t *knowns, size_t m, double *sensitivity)
{
    double *const starts = k->sensed + VEHICLE_VALUES;
    if (vehicle_start_against(&k->model, k->sensed, starts, k->variables) != VEHICLE_OK)
        return 0;
    take(k, knowns, m, sensitivity);
    if (!carcasses_against(k, knowns, m, sensitivity))
        return 0;
    memset(k->variables, 0, sizeof k->variables);
    if (vehicle_end_against(&k->model, starts, k->variables) != VEHICLE_OK)
        return 0;
    take(k, knowns, m, sensitivity);
    return 1;
}

static int against(vehicle_component *k, const uint32_t *unknowns, size_t n, const uint32_t *knowns, size_t m,
                   const double *seed, double *sensitivity, vehicle_text *why)
{
    memset(k->sensed, 0, sizeof k->sensed);
    for (size_t i = 0; i < n; i++) {
        const int at = row_of(k, &vehicle_entries[unknowns[i]]);
        if (at >= 0)
            k->sensed[at] += seed[i];
    }
    for (size_t i = 0; i < m; i++)
        sensitivity[i] = 0;
    if (!k->initialised)
        return start_against(k, knowns, m, sensitivity) || cannot_be_evaluated(why);
    if (vehicle_adjoint(&k->model, k->model.states, k->model.inputs, 1, k->sensed, k->variables) != VEHICLE_OK)
        return cannot_be_evaluated(why);
    take(k, knowns, m, sensitivity);
    return 1;
}

int32_t vehicle_derivatives(skidpad_window *w, int32_t adjoint, const uint32_t *unknowns, size_t n_unknowns,
                            const uint32_t *knowns, size_t n_knowns, const double *seed, size_t n_seed,
                            double *sensitivity, size_t n_sensitivity)
{
    vehicle_component *const k = of(w);
    const uint32_t *const named = adjoint ? knowns : unknowns;
    vehicle_text why;
    vehicle_begin_text(&why);
    if (vehicle_refuse_count(k, n_unknowns) != OK || vehicle_refuse_count(k, n_knowns) != OK ||
        vehicle_refuse_count(k, n_seed) != OK || vehicle_refuse_count(k, n_sensitivity) != OK ||
        vehicle_allow(k, VEHICLE_CALL_DERIVATIVES) != OK)
        return ERROR;
    if (!are_numbers(unknowns, n_unknowns, knowns, n_knowns, &why) ||
        !are_as_many(adjoint, n_unknowns, n_knowns, n_seed, n_sensitivity, &why))
        return vehicle_fail(k, &why);
    if (!evaluates(k, &why))
        return vehicle_uncomputed(k, &why);
    if (!have_derivatives(k, unknowns, n_unknowns, knowns, n_knowns, &why))
        return vehicle_fail(k, &why);
    if (!(adjoint ? against(k, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity, &why)
                  : along(k, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity, &why)))
        return vehicle_uncomputed(k, &why);
    for (size_t i = 0; i < n_sensitivity; i++)
        if (!vehicle_finite(sensitivity[i])) {
            vehicle_put(&why, "there is no finite derivative at this point: the derivative ");
            vehicle_put(&why, adjoint ? "by " : "of ");
            vehicle_put(&why, vehicle_entries[named[i]].name);
            vehicle_put(&why, " is ");
            vehicle_put_number(&why, sensitivity[i], 0);
            return vehicle_discard(k, &why);
        }
    return OK;
}

/* The output whose derivative is asked for; NULL and why there is none. */
static const vehicle_entry *differentiated(const vehicle_component *k, uint32_t reference, int32_t order,
                                           vehicle_text *why)
{
    const vehicle_entry *v = vehicle_find(reference, VEHICLE_REAL, why);
    if (v != NULL && v->kind == VEHICLE_AT_RATE && k->version == 2) /* masters pass der(x) for the output x */
        v = &vehicle_entries[vehicle_state_references[v->at]];
    if (v == NULL)
        return NULL;
    if (v->causality == VEHICLE_IS_OUTPUT && order >= 1)
        return v;
    if (v->causality == VEHICLE_IS_OUTPUT) {
        vehicle_put(why, "derivative of order ");
        vehicle_put_integer(why, order);
        vehicle_put(why, " of ");
    }
    vehicle_put(why, v->name);
    vehicle_put(why, v->causality == VEHICLE_IS_OUTPUT ? ": the order must be 1 or more" : " is not an output");
    return NULL;
}

int32_t vehicle_get_output_derivatives(skidpad_window *w, const uint32_t *references, size_t n, const int32_t *orders,
                                       double *values)
{
    vehicle_component *const k = of(w);
    int32_t status = OK;
    vehicle_text why;
    vehicle_begin_text(&why);
    if (vehicle_refuse_count(k, n) != OK || vehicle_allow(k, VEHICLE_CALL_OUTPUT_DERIVATIVES) != OK)
        return ERROR;
    for (size_t i = 0; i < n; i++) {
        const vehicle_entry *v = differentiated(k, references[i], orders[i], &why);
        if (v == NULL)
            return vehicle_fail(k, &why);
        if (status == OK)
            status = vehicle_warn_of_early_reading(k, "derivative of ", v);
    }
    if (!evaluates(k, &why) ||
        !(vehicle_by_time(&k->model, k->sensed) == VEHICLE_OK || cannot_be_evaluated(&why)))
        return vehicle_uncomputed(k, &why);
    for (size_t i = 0; i < n; i++) {
        const vehicle_entry *v = differentiated(k, references[i], orders[i], &why);
        values[i] = orders[i] > 1 || v->discrete ? 0 : k->sensed[row_of(k, v)];
    }
    return status;
}
