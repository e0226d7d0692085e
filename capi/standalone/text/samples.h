/* Samples: components that read and write at the begin of the step from their time on. Samples cut a step into parts.
 * Times are computed as in package cosim. */

enum { VEHICLE_SAMPLE, VEHICLE_PHASE, VEHICLE_ACTIVE, VEHICLE_SAMPLING }; /* by sampler: constants, times in s */

/* The time of the next sample of a sampler [s], and its tolerance. */
static double vehicle_sample_time(const vehicle *c, int i, double *rounding)
{
    const double *const of = c->sampling + i * VEHICLE_SAMPLING;
    const double t = c->samples[0] + (of[VEHICLE_PHASE] + c->samples[1 + i] * of[VEHICLE_SAMPLE]);
    *rounding = 1e-9 * of[VEHICLE_SAMPLE] + 8 * DBL_EPSILON * op_abs(t);
    return t;
}

static int vehicle_is_due(const vehicle *c, int i, double t)
{
    double rounding;
    const double at = vehicle_sample_time(c, i, &rounding);
    return at <= t + rounding;
}

/* Counts the sample at time t. */
static void vehicle_count_sample(vehicle *c, int i, double t)
{
    double rounding, at;
    c->samples[1 + i]++;
    at = vehicle_sample_time(c, i, &rounding);
    if (at <= t + rounding)
        c->samples[1 + i] +=
            (double)(int64_t)((t + rounding - at) / c->sampling[i * VEHICLE_SAMPLING + VEHICLE_SAMPLE]) + 1;
}

/* Takes the samples that are due after as much of the step: all samplers read, then all write. 0 where a value cannot
 * be computed. */
static int vehicle_take_samples(vehicle *c, step_work *w, double since)
{
    const double t = c->time + since;
    double values[VEHICLE_HELD], *const u = c->memory + VEHICLE_RATE_INPUTS;
    int i, k, first, due[VEHICLE_SAMPLERS], any = 0;
    for (i = 0; i < VEHICLE_SAMPLERS; i++) {
        due[i] = vehicle_is_due(c, i, t);
        any |= due[i] && c->sampling[i * VEHICLE_SAMPLING + VEHICLE_ACTIVE] > 0;
    }
    if (any) {
        step_inputs_at(w, since, u);
        if (!step_lay(w->of, t, w->x, u) || !vehicle_next_values(c, w->x, w->stage, values))
            return 0;
    }
    for (i = first = 0; i < VEHICLE_SAMPLERS; first += vehicle_held_by[i], i++) {
        if (!due[i])
            continue;
        for (k = first; k < first + vehicle_held_by[i] && c->sampling[i * VEHICLE_SAMPLING + VEHICLE_ACTIVE] > 0; k++) {
            if (!step_all_finite(values + k, 1))
                return 0;
            w->u[vehicle_held[k]] = values[k];
        }
        vehicle_count_sample(c, i, t);
    }
    return 1;
}

/* Begins the part of a step of h from time t on, which ends at the next sample. */
static int vehicle_begin_part(const vehicle *c, step_work *w, double t, double h, step_division *d)
{
    double length = h, first = OP_INFINITY, rounding;
    int i;
    for (i = 0; i < VEHICLE_SAMPLERS; i++)
        first = op_smaller(first, vehicle_sample_time(c, i, &rounding));
    w->from = t;
    w->to = c->time + h;
    w->last = 1;
    if (t != c->time)
        length = w->to - t;
    if (first < w->to - 1e-9 * length - 8 * DBL_EPSILON * op_abs(t)) {
        w->to = first;
        w->last = 0;
        length = first - t;
    }
    return step_divide(t, length, vehicle_longest_step(c), STEP_CONTACTS, d);
}

/* The parts of a step of h; 0 where something gives up. */
static int vehicle_integrate(vehicle *c, step_work *w, double h)
{
    double before[VEHICLE_SAMPLERS], t = c->time;
    step_division d;
    memcpy(before, c->samples + 1, sizeof before);
    for (;;) {
        if (!vehicle_take_samples(c, w, w->before) || !vehicle_begin_part(c, w, t, h, &d) || !step_integrate(w, &d))
            break;
        if (w->last)
            return 1;
        w->before += d.n * d.sub;
        t = w->to;
    }
    memcpy(c->samples + 1, before, sizeof before);
    return 0;
}

/* Whether the times of samplers are possible: with wheel contacts they are multiples of the solver step. */
static int vehicle_may_sample(const vehicle *c)
{
    int i, k;
    for (i = 0; i < VEHICLE_SAMPLERS; i++) {
        const double *const of = c->sampling + i * VEHICLE_SAMPLING;
        if (!(of[VEHICLE_SAMPLE] >= 1e-6))
            return 0;
        for (k = 0; STEP_CONTACTS && k < VEHICLE_ACTIVE; k++) {
            const double n = of[k] / vehicle_longest_step(c);
            if (!(n < 1e15 && op_abs(n - (double)(int64_t)(n + 0.5)) <= 1e-6))
                return 0;
        }
    }
    return 1;
}

