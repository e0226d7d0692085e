/* step_samples.h - samples: components that read and write at the begin of the step from their time on. Samples cut a
 * step into parts. Times are computed as in package cosim. Who includes it has included step_methods.h and defined
 *
 *   STEP_LONGEST(of)                 the longest solver step [s]
 *   STEP_SAMPLING(of, i, what)       a number of sampler i: STEP_SAMPLE or STEP_PHASE [s], or STEP_ACTIVE
 *   STEP_NEXT_VALUES(of, x, dx, to)  the next values of all samplers at states x and the inputs at STEP_RATE_INPUTS; dx
 *                                    is overwritten; 0 to give up
 *
 * STEP_OF has sampler_count, held_by: by sampler how many values it holds, held: by value its input, samples: the time
 * of the start [s], then by sampler how many samples are past, samples_before: room for these numbers, and next_values:
 * room by value. */

enum { STEP_SAMPLE, STEP_PHASE, STEP_ACTIVE, STEP_SAMPLING_NUMBERS };

/* The time of the next sample of a sampler [s], and its tolerance. */
static double step_sample_time(const STEP_OF *of, size_t i, double *rounding)
{
    static const double ulp = 0x1p-52;
    const double sample = STEP_SAMPLING(of, i, STEP_SAMPLE);
    const double t = of->samples[0] + (STEP_SAMPLING(of, i, STEP_PHASE) + of->samples[1 + i] * sample);
    const double longest = STEP_LONGEST(of);
    *rounding = 1e-3 * (sample < longest ? sample : longest) + 8 * ulp * fabs(t);
    return t;
}

static int step_sample_is_due(const STEP_OF *of, size_t i, double t)
{
    double rounding;
    const double at = step_sample_time(of, i, &rounding);
    return at <= t + rounding;
}

static int step_sampler_acts(const STEP_OF *of, size_t i) { return STEP_SAMPLING(of, i, STEP_ACTIVE) > 0; }

/* The time of the next sample, from when on one is due, and the latest end of a step that none cuts [s]. */
static double step_next_samples(const STEP_OF *of, double *due, double *uncut)
{
    double first = 0x1p1023, rounding; /* never */
    *due = *uncut = first;
    for (size_t i = 0; i < of->sampler_count; i++) {
        const double t = step_sample_time(of, i, &rounding);
        first = t < first ? t : first;
        *due = t - rounding < *due ? t - rounding : *due;
        *uncut = t + rounding < *uncut ? t + rounding : *uncut;
    }
    return first;
}

/* Counts the sample at time t. */
static void step_count_sample(const STEP_OF *of, size_t i, double t)
{
    double rounding, at;
    of->samples[1 + i]++;
    at = step_sample_time(of, i, &rounding);
    if (at <= t + rounding)
        of->samples[1 + i] += (double)(int64_t)((t + rounding - at) / STEP_SAMPLING(of, i, STEP_SAMPLE)) + 1;
}

/* Takes the samples that are due after as much of the step: all samplers read, then all write. 0 where a value cannot
 * be computed. */
static int step_take_samples(step_work *w, double since)
{
    const STEP_OF *const of = w->of;
    const double t = w->start + since;
    double *const u = STEP_RATE_INPUTS(w), *values = of->next_values;
    const int32_t *held = of->held;
    int acts = 0;
    for (size_t i = 0; i < of->sampler_count; i++)
        acts |= step_sample_is_due(of, i, t) && step_sampler_acts(of, i);
    if (acts) {
        w->known = 0;
        step_inputs_at(w, since, u);
        if (!step_lay(of, t, w->x, u) || !STEP_NEXT_VALUES(of, w->x, w->stage, values))
            return 0;
    }
    for (size_t i = 0; i < of->sampler_count; values += of->held_by[i], held += of->held_by[i], i++) {
        if (!step_sample_is_due(of, i, t))
            continue;
        for (int32_t k = 0; step_sampler_acts(of, i) && k < of->held_by[i]; k++) {
            if (!step_all_finite(values + k, 1))
                return 0;
            w->u[held[k]] = values[k];
        }
        step_count_sample(of, i, t);
    }
    return 1;
}

/* Begins the part of a step of h from time t on, which ends at the next sample. */
static int step_begin_part(step_work *w, double t, double h, step_division *d)
{
    double length = h, due, uncut;
    const double first = step_next_samples(w->of, &due, &uncut);
    w->from = t;
    w->to = w->start + h;
    w->last = 1;
    if (t != w->start)
        length = w->to - t;
    if (w->to > uncut) {
        w->to = first;
        w->last = 0;
        length = first - t;
    }
    return step_divide(t, length, STEP_LONGEST(w->of), w->of->contact_count > 0, d);
}

/* Samples are counted as before the step again. */
static void step_put_samples_back(const STEP_OF *of)
{
    memcpy(of->samples, of->samples_before, (1 + of->sampler_count) * sizeof(double));
}

/* The parts of a step of h; 0 where something gives up. */
static int step_integrate_parts(step_work *w, double h)
{
    const STEP_OF *const of = w->of;
    double t = w->start;
    step_division d;
    memcpy(of->samples_before, of->samples, (1 + of->sampler_count) * sizeof(double));
    for (;;) {
        if (!step_take_samples(w, w->before) || !step_begin_part(w, t, h, &d) || !step_integrate(w, &d))
            break;
        if (w->last)
            return 1;
        w->before += d.n * d.sub;
        t = w->to;
    }
    step_put_samples_back(of);
    return 0;
}
