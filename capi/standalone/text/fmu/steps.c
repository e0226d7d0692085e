/* Steps, and what is said of them. */
#include "component.h"

static double size(double x) { return x < 0 ? -x : x; }

static double less(double a, double b) { return a < b ? a : b; }

int vehicle_counts(vehicle_component *k, vehicle_habit *h, double of_size)
{
    const int now = !h->told && (k->logging >> VEHICLE_LOG_STATUS_WARNING & 1);
    h->count++;
    if (of_size > h->largest)
        h->largest = of_size;
    h->told |= now;
    return now;
}

void vehicle_report_habits(vehicle_component *k)
{
    vehicle_text t;
    vehicle_begin_text(&t);
    if (k->drifting.told && k->drifting.count > 1) {
        vehicle_put_count(&t, (unsigned long long)k->drifting.count);
        vehicle_put(&t, " steps have begun at another time than the instance was at, by up to ");
        vehicle_put_number(&t, k->drifting.largest, 3);
        vehicle_put(&t, " s");
        vehicle_log(k, OK, VEHICLE_LOG_STATUS_WARNING, t.text);
        vehicle_begin_text(&t);
    }
    if (k->bending.told && k->bending.count > 1) {
        vehicle_put_count(&t, (unsigned long long)k->bending.count);
        vehicle_put(&t, " derivatives of inputs, of orders up to ");
        vehicle_put_number(&t, k->bending.largest, 0);
        vehicle_put(&t, ", were not used");
        vehicle_log(k, OK, VEHICLE_LOG_STATUS_WARNING, t.text);
    }
    k->drifting.told = k->bending.told = 0;
    k->drifting.count = k->bending.count = k->drifting.largest = k->bending.largest = 0;
}

void vehicle_report_events(vehicle_component *k)
{
    vehicle_text t;
    vehicle_begin_text(&t);
    if (!(k->logging >> VEHICLE_LOG_EVENTS & 1) || !vehicle_refresh(k, &t))
        return;
    for (int i = 0; i < VEHICLE_EVENTS; i++) {
        const uint32_t r = vehicle_event_references[i];
        if (!(k->values[r] != k->logged[i]))
            continue;
        k->logged[i] = k->values[r];
        vehicle_begin_text(&t);
        vehicle_put(&t, vehicle_entries[r].name);
        vehicle_put(&t, " = ");
        vehicle_put_number(&t, k->values[r], 0);
        vehicle_put(&t, " at t = ");
        vehicle_put_number(&t, k->time, 0);
        vehicle_put(&t, " s");
        vehicle_log(k, OK, VEHICLE_LOG_EVENTS, t.text);
    }
}

/* Fills in the places of a text of vehicle_row_news: numbers of digits, 0 for as many as are needed, each before a
 * letter: t the time, x the value, s its size, h the upper limit, e the limit that was left. */
static void fill_in(vehicle_text *to, const char *news, double t, double x, double low, double high)
{
    for (; *news != 0; news++) {
        if (*news != '{') {
            const char one[2] = {*news, 0};
            vehicle_put(to, one);
            continue;
        }
        const int digits = news[1] - '0';
        const char what = news[2];
        vehicle_put_number(to, what == 't' ? t : what == 'x' ? x : what == 's' ? size(x) : what == 'h' ? high
                               : x < low ? low : high, digits);
        news += 3;
    }
}

void vehicle_report(vehicle_component *k)
{
    vehicle_text t;
    double when, x;
    if (k->model.ended > 0 && !k->ended_told) {
        k->ended_told = 1;
        vehicle_begin_text(&t);
        vehicle_put(&t, vehicle_end_table[(int)k->model.ended - 1]);
        vehicle_put(&t, " at ");
        vehicle_put_number(&t, k->model.ended_at, 6);
        vehicle_put(&t, " s; later results are beyond the purpose of the model (solver.end_at)");
        vehicle_log(k, OK, VEHICLE_LOG_STATUS_WARNING, t.text);
    }
    for (int row = 0; row < VEHICLE_LIMIT_ROWS; row++) {
        const double *limits = k->model.row_limits + 4 * row;
        if (!vehicle_has_left(&k->model, row, &when, &x))
            continue;
        vehicle_begin_text(&t);
        fill_in(&t, vehicle_row_news[2 * row + (x > limits[1])], when, x, limits[0], limits[1]);
        vehicle_log(k, OK, VEHICLE_LOG_STATUS_WARNING, t.text);
    }
}

/* Whether all numbers and texts are those of the model description. */
static int is_as_described(const vehicle_component *k)
{
    for (int r = 0; r < VEHICLE_NUMBERS; r++) {
        const vehicle_entry *v = &vehicle_entries[r];
        if (v->causality == VEHICLE_IS_INPUT ? k->model.inputs[v->at] != v->start
            : v->exact && v->kind == VEHICLE_AT_STEP ? k->model.longest != v->start
            : v->exact && v->kind == VEHICLE_AT_TOLERANCE ? k->model.tolerance != v->start
            : v->exact && k->model.parameters[v->parameter >= 0 ? v->parameter : v->at] != v->start)
            return 0;
    }
    for (int i = 0; i < VEHICLE_CHOICES; i++)
        if (!(k->choices[i] == vehicle_choice_list[i].start))
            return 0;
    return k->model.method == 0;
}

/* Values that differ from those of the model description. */
static void report_parameters(vehicle_component *k)
{
    vehicle_text t;
    for (uint32_t r = 0; r < VEHICLE_REFERENCES; r++) {
        const vehicle_entry *v = &vehicle_entries[r];
        if (v->causality != VEHICLE_IS_PARAMETER)
            continue;
        vehicle_begin_text(&t);
        vehicle_put(&t, v->name);
        if (v->type == VEHICLE_STRING) {
            if (!v->tire)
                continue;
            vehicle_put(&t, " = ");
            vehicle_put(&t, vehicle_texts[r - VEHICLE_NUMBERS]);
            vehicle_log(k, OK, VEHICLE_LOG_TIRE, t.text);
        } else if (k->values[r] != v->start) {
            vehicle_put(&t, " = ");
            vehicle_put_number(&t, k->values[r], 0);
            vehicle_put(&t, " instead of ");
            vehicle_put_number(&t, v->start, 0);
            vehicle_log(k, OK, VEHICLE_LOG_PARAMETERS, t.text);
        }
    }
}

void vehicle_report_start(vehicle_component *k)
{
    const int described = is_as_described(k);
    vehicle_text t;
    if (k->logs_start && k->interface == VEHICLE_CO_SIMULATION) {
        vehicle_begin_text(&t);
        vehicle_put(&t, vehicle_method_table[k->model.method]);
        vehicle_put(&t, " with steps of ");
        vehicle_put_number(&t, k->model.longest, 0);
        vehicle_put(&t, " s at most");
        vehicle_log(k, OK, VEHICLE_LOG_SOLVER, t.text);
        for (int i = 0; described && i < VEHICLE_SOLVER_NOTES; i++)
            vehicle_log(k, OK, VEHICLE_LOG_SOLVER, vehicle_solver_notes[i]);
        vehicle_begin_text(&t);
        vehicle_put(&t, "solver.code = ");
        vehicle_put(&t, vehicle_codes[k->code]);
        vehicle_put(&t, ": steps are those of compiled sources");
        vehicle_log(k, OK, VEHICLE_LOG_SOLVER, t.text);
    }
    if (k->logs_start)
        report_parameters(k);
    for (int i = 0; i < VEHICLE_NOTES; i++)
        if (described || vehicle_notes[i].of_files)
            vehicle_log(k, OK, VEHICLE_LOG_STATUS_WARNING, vehicle_notes[i].text);
    vehicle_report(k);
}

/* Whether a step may begin at t, where the importer believes the instance to be; a status. */
static int32_t meets(vehicle_component *k, double t, double h)
{
    static const double ulp = 0x1p-52, drift = 1e-9, mismatch = 1e-3;
    const double off = size(t - k->time);
    vehicle_text text;
    if (off <= less(8 * ulp * size(t), h / 2) || off <= drift * h)
        return OK;
    vehicle_begin_text(&text);
    vehicle_put(&text, "the step begins at ");
    vehicle_put_number(&text, t, 17);
    vehicle_put(&text, " s, but the instance is at ");
    vehicle_put_number(&text, k->time, 17);
    vehicle_put(&text, " s; ");
    if (off > mismatch * h) {
        vehicle_put(&text, "the next step begins where the latest one has ended");
        return vehicle_fail(k, &text);
    }
    vehicle_put(&text, "it goes on from the former, as do all steps that begin within 0.001 of a step");
    return vehicle_counts(k, &k->drifting, off) ? vehicle_warn(k, &text) : OK;
}

/* Why a step cannot begin; a status. */
static int32_t refuse_step(vehicle_component *k, double t, double h)
{
    static const double ulp = 0x1p-52, drift = 1e-9;
    vehicle_text text;
    vehicle_begin_text(&text);
    if (t + h > k->stop + drift * h + 8 * size(k->stop) * ulp) {
        vehicle_put(&text, "the step to ");
        vehicle_put_number(&text, t + h, 0);
        vehicle_put(&text, " s goes beyond the stop time ");
        vehicle_put_number(&text, k->stop, 0);
        vehicle_put(&text, " s");
        return vehicle_fail(k, &text);
    }
    if (h / k->model.longest > 1e9) {
        vehicle_put(&text, "a communication step of ");
        vehicle_put_number(&text, h, 0);
        vehicle_put(&text, " s holds more than 1e9 solver steps of ");
        vehicle_put_number(&text, k->model.longest, 0);
        vehicle_put(&text, " s");
        return vehicle_fail(k, &text);
    }
    if (VEHICLE_DISCRETE_CONTACTS > 0 && !vehicle_divides(&k->model, t, h)) {
        vehicle_put(&text, "a communication step of ");
        vehicle_put_number(&text, h, 0);
        vehicle_put(&text, " s is not an integer multiple of the solver step of ");
        vehicle_put_number(&text, k->model.longest, 0);
        vehicle_put(&text, " s, as models with wheel contacts require; choose another step, or set solver.step");
        return vehicle_fail(k, &text);
    }
    return OK;
}

/* Says why a step was not made: the state is the one before it. */
static int32_t discard_step(vehicle_component *k)
{
    vehicle_text t;
    int i = 0;
    vehicle_begin_text(&t);
    while (i < VEHICLE_STATES && vehicle_finite(k->model.work[i])) /* the states that were reached */
        i++;
    if (i < VEHICLE_STATES) {
        vehicle_put(&t, "not a finite number: ");
        vehicle_put(&t, vehicle_entries[vehicle_state_references[i]].name);
        vehicle_put(&t, " = ");
        vehicle_put_number(&t, k->model.work[i], 0);
    } else {
        vehicle_put(&t, "a state or an argument of a function is out of range");
    }
    vehicle_put(&t, "; the state at ");
    vehicle_put_number(&t, k->time, 0);
    vehicle_put(&t, " s is kept; try a smaller solver.step or the method linearly-implicit");
    k->mode = k->version == 2 ? VEHICLE_STEP_FAILED : VEHICLE_STEP;
    return vehicle_discard(k, &t);
}

int32_t vehicle_step_to(skidpad_window *w, double t, double h)
{
    vehicle_component *const k = of(w);
    vehicle_text text;
    int32_t status;
    w->reached = k->time;
    w->event_needed = w->returned_early = w->set_wanted = 0;
    if (vehicle_allow(k, VEHICLE_CALL_DO_STEP) != OK)
        return ERROR;
    if (!(h > 0) || !vehicle_finite(h) || !vehicle_finite(t)) {
        vehicle_begin_text(&text);
        vehicle_put(&text, "a step from ");
        vehicle_put_number(&text, t, 0);
        vehicle_put(&text, " s of ");
        vehicle_put_number(&text, h, 0);
        vehicle_put(&text, " s: the step must be finite and above 0");
        return vehicle_fail(k, &text);
    }
    status = meets(k, t, h);
    if (status == ERROR || refuse_step(k, t, h) != OK)
        return ERROR;
    k->time = k->model.time = t;
    if (vehicle_step(&k->model, h) == VEHICLE_ERROR) {
        vehicle_keep_inputs(k);
        w->reached = k->time;
        return discard_step(k);
    }
    w->reached = k->time = k->model.time;
    vehicle_keep_inputs(k);
    vehicle_report_events(k);
    vehicle_report(k);
    return status;
}

int32_t vehicle_set_input_derivatives(skidpad_window *w, const uint32_t *references, size_t n, const int32_t *orders,
                                      const double *values)
{
    vehicle_component *const k = of(w);
    int32_t status = OK;
    vehicle_text t;
    vehicle_begin_text(&t);
    if (vehicle_refuse_count(k, n) != OK || vehicle_allow(k, VEHICLE_CALL_INPUT_DERIVATIVES) != OK)
        return ERROR;
    for (size_t i = 0; i < n; i++) {
        const vehicle_entry *v = vehicle_find(references[i], VEHICLE_REAL, &t);
        if (v == NULL)
            return vehicle_fail(k, &t);
        if (v->causality != VEHICLE_IS_INPUT) {
            vehicle_put(&t, v->name);
            vehicle_put(&t, " is not an input");
            return vehicle_fail(k, &t);
        }
        vehicle_put(&t, "derivative of order ");
        vehicle_put_integer(&t, orders[i]);
        vehicle_put(&t, " of ");
        vehicle_put(&t, v->name);
        if (orders[i] < 1 || !vehicle_finite(values[i])) {
            vehicle_put(&t, " = ");
            vehicle_put_number(&t, values[i], 0);
            vehicle_put(&t, ": the order must be 1 or more and the value finite");
            return vehicle_fail(k, &t);
        }
        vehicle_put(&t, " is not used; inputs change linearly");
        if (orders[i] > 1 && vehicle_counts(k, &k->bending, orders[i]))
            status = vehicle_warn(k, &t);
        vehicle_begin_text(&t);
    }
    for (size_t i = 0; i < n; i++)
        if (orders[i] == 1)
            k->model.input_rates[vehicle_entries[references[i]].at] = values[i];
    return status;
}
