/* Steps as package cosim makes them: see Instance.Begin, Next and look there. standalone/text/step_methods.h has the
 * arithmetic. */
#include "step.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
#if !defined(_WIN32)
#include <pthread.h>
#endif

void step_arithmetic_begin(step_arithmetic *a)
{
    a->old = 0;
    a->changed = 0;
#if defined(__x86_64__)
    a->old = _mm_getcsr();
    a->changed = (a->old & ~0x3fu) != 0x1f80u;
    if (a->changed)
        _mm_setcsr(0x1f80u);
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    a->old = (unsigned)fpcr;
    a->changed = fpcr != 0;
    if (a->changed)
        __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
#endif
}

void step_arithmetic_end(const step_arithmetic *a)
{
    if (!a->changed)
        return;
#if defined(__x86_64__)
    _mm_setcsr(a->old);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)a->old));
#endif
}

#if defined(_WIN32)
int step_cancellation_off(void) { return 0; }
void step_cancellation_back(int was) { (void)was; }
#else
int step_cancellation_off(void)
{
    int was;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &was);
    return was;
}
void step_cancellation_back(int was) { pthread_setcancelstate(was, &was); }
#endif

void step_thread_begin(step_thread *t)
{
    t->cancellation = step_cancellation_off();
    step_arithmetic_begin(&t->arithmetic);
}

void step_thread_end(const step_thread *t)
{
    step_arithmetic_end(&t->arithmetic);
    step_cancellation_back(t->cancellation);
}

/* Begins and ends what needs no Go. Only foreign functions have points at which a thread can be cancelled. */
static void begin(const skidpad_plan *p, step_thread *t)
{
    t->cancellation = p->foreign ? step_cancellation_off() : 0;
    step_arithmetic_begin(&t->arithmetic);
}

static void end(const skidpad_plan *p, const step_thread *t)
{
    step_arithmetic_end(&t->arithmetic);
    if (p->foreign)
        step_cancellation_back(t->cancellation);
}

/* One instruction, where the compiler would call a library that may be missing. */
static double square_root(double x)
{
#if defined(__SSE2__)
    const __m128d in = _mm_set_sd(x);
    return _mm_cvtsd_f64(_mm_sqrt_sd(in, in));
#elif defined(__aarch64__)
    return vget_lane_f64(vsqrt_f64(vdup_n_f64(x)), 0);
#else
    return sqrt(x);
#endif
}

static int evaluate(const struct skidpad_plan *, const step_evaluation *, const double *x, double *dx);
static void collect(const step_evaluation *, double *dx);
static int linearise(const struct skidpad_plan *, const double *x, double c, double *k);
static void solve(const struct skidpad_plan *, double *r);
static void correct(const struct skidpad_plan *, const double *by, double *k);
static const double *wheels(const struct skidpad_plan *, const double *x, const double *u);
static int formula(const struct skidpad_plan *, int32_t k, double x, double y, double t, double *to);
static double *numbers_of_contact(const struct skidpad_plan *, size_t i);
static int touch(const struct skidpad_plan *, size_t i);
static int next_values(const struct skidpad_plan *, const double *x, double *dx, double *to);
static int watches(const struct skidpad_plan *);
static int ends(const struct skidpad_plan *, const double *x, const double *u);

#define STEP_OF skidpad_plan
#define STEP_STATES(w) ((w)->of->states)
#define STEP_INPUTS(w) ((w)->of->inputs)
#define STEP_CONTACTS 1
#define STEP_HAS_EULER 1
#define STEP_HAS_HEUN 1
#define STEP_HAS_RK4 1
#define STEP_HAS_LINEARLY_IMPLICIT 1
#define STEP_AT(w, place) (*(place))
#define STEP_RATE_INPUTS(w) ((w)->of->rates.inputs)
#define STEP_RATES(w, x, dx) evaluate((w)->of, &(w)->of->rates, x, dx)
#define STEP_KNOWN_RATES(w, dx) collect(&(w)->of->rates, dx)
#define STEP_SYSTEM_INPUTS(w) ((w)->of->linear.at.inputs)
#define STEP_SYSTEM(w, x, c, k) linearise((w)->of, x, c, k)
#define STEP_SOLVE(w, r) solve((w)->of, r)
#define STEP_CORRECTS 1
#define STEP_CONSTRAINTS(w) ((w)->of->linear.residuals.result_count / 2)
#define STEP_SPEEDS(w) ((w)->of->linear.speeds)
#define STEP_RESIDUAL_INPUTS(w) ((w)->of->linear.residuals.inputs)
#define STEP_RESIDUALS(w, x, phi) evaluate((w)->of, &(w)->of->linear.residuals, x, phi)
#define STEP_CORRECT(w, by, k) correct((w)->of, by, k)
#define STEP_WATCHES(w) watches((w)->of)
#define STEP_ENDS(w, t) (!ends((w)->of, (w)->x, (w)->next))
#define STEP_LEAVES(w, row, t, x) 0 /* the core notes it */
#define STEP_FAR(w) 0               /* the core looks */
#define STEP_TERRAIN 1
#define STEP_UNEVEN(of) ((of)->wheels.result_count > 0)
#define STEP_WHEELS(of, x, u) wheels(of, x, u)
#define STEP_SQRT(x) square_root(x)
#define STEP_FORMULA(of, k, x, y, t, to) formula(of, k, x, y, t, to)
#define STEP_CONTACT(of, i) numbers_of_contact(of, i)
#define STEP_CONTACT_LAW(of, i) touch(of, i)
#include "standalone/text/step_ground.h"
#include "standalone/text/step_contacts.h"
#define STEP_LONGEST(of) ((of)->longest)
#define STEP_SAMPLING(of, i, what) (*(of)->sampling[i].numbers[what])
#define STEP_NEXT_VALUES(of, x, dx, to) next_values(of, x, dx, to)
#include "standalone/text/step_methods.h"
#include "standalone/text/step_samples.h"

/* Calls tire functions in C; 0 where the core has to say something about the results. It finds guards as they were: it
 * shall see for itself in which evaluation they are written. */
static int evaluate_tires(const step_tires *t)
{
    const size_t guards = sizeof t->guards / sizeof *t->guards;
    int good = t->evaluate(t->function, t->who, t->n, t->instances, t->inputs, t->states, t->outputs, t->rates) == 0;
    for (size_t k = 0; k < t->output_count; k++)
        good &= fabs(t->outputs[k]) <= t->largest;
    for (size_t g = 0; g < guards; g++)
        good &= memcmp(t->guards[g], t->intact, t->guard_size) == 0;
    for (size_t g = 0; g < guards && !good; g++)
        memcpy(t->guards[g], t->intact, t->guard_size);
    return good;
}

/* 0 where code gives up. */
static int run(const step_job *j) { return j->code(j->memory, j->pool, j->fixed) == 0; }

/* Evaluates at a state, with the inputs in their place; 0 where something gives up. */
static int evaluate_parts(const skidpad_plan *p, const step_evaluation *e, const double *x)
{
    if (e->states != NULL)
        step_copy(e->states, x, p->states);
    for (const step_part *part = e->parts; part < e->parts + e->part_count; part++) {
        for (size_t k = 0; part->moves != NULL && k < part->count; k++)
            *part->moves[k].to = *part->moves[k].from;
        for (size_t k = 0; part->jobs != NULL && k < part->count; k++)
            if (!run(&part->jobs[k]))
                return 0;
        if (part->tires != NULL && !evaluate_tires(part->tires))
            return 0;
    }
    return 1;
}

static void collect(const step_evaluation *e, double *dx)
{
    if (e->collect.code != NULL)
        e->collect.code(dx, e->collect.pool, e->collect.fixed); /* copies, which never give up */
    else
        for (size_t i = 0; i < e->result_count; i++)
            dx[i] = *e->results[i];
}

/* The same, with the results. */
static int evaluate(const skidpad_plan *p, const step_evaluation *e, const double *x, double *dx)
{
    if (!evaluate_parts(p, e, x))
        return 0;
    collect(e, dx);
    return 1;
}

static const double *wheels(const skidpad_plan *p, const double *x, const double *u)
{
    step_copy(p->wheels.inputs, u, p->inputs);
    return evaluate(p, &p->wheels, x, p->placed) ? p->placed : NULL;
}

static int formula(const skidpad_plan *p, int32_t k, double x, double y, double t, double *to)
{
    const step_formula *f = &p->formulas[k];
    f->rates.inputs[0] = x;
    f->rates.inputs[1] = y;
    f->rates.inputs[2] = t;
    return evaluate_parts(p, &f->rates, NULL) && evaluate(p, &f->outputs, NULL, to);
}

static double *numbers_of_contact(const skidpad_plan *p, size_t i) { return p->contact_laws[i].memory; }

static int touch(const skidpad_plan *p, size_t i) { return run(&p->contact_laws[i]); }

static int next_values(const skidpad_plan *p, const double *x, double *dx, double *to)
{
    if (p->samples_take_rates && !evaluate(p, &p->rates, x, dx))
        return 0;
    step_copy(p->next.inputs, p->rates.inputs, p->inputs);
    return evaluate(p, &p->next, x, to);
}

static int linearise(const skidpad_plan *p, const double *x, double c, double *k)
{
    *p->linear.c = c;
    if (!evaluate_parts(p, &p->linear.at, x) || !run(&p->linear.factors))
        return 0;
    step_copy(k, p->linear.right, p->states);
    return 1;
}

static void solve(const skidpad_plan *p, double *r)
{
    step_copy(p->linear.given, r, p->states);
    run(&p->linear.solves); /* sums and products, which never give up */
    step_copy(r, p->linear.right, p->states);
}

static void correct(const skidpad_plan *p, const double *by, double *k)
{
    step_copy(p->linear.by, by, p->linear.residuals.result_count / 2);
    run(&p->linear.correct); /* likewise */
    step_copy(k, p->linear.right, p->states);
}

/* Whether conditions that end runs are looked at. */
static int watches(const skidpad_plan *p) { return p->watching && p->watched_count > 0; }

/* Whether a condition that ends runs has become true, which the core notes, or cannot be looked at. */
static int ends(const skidpad_plan *p, const double *x, const double *u)
{
    /* on terrain, the core takes inputs as the solver has left them */
    step_copy(p->ends.inputs, p->ground_count == 0 ? u : p->rates.inputs, p->inputs);
    if (!evaluate_parts(p, &p->ends, x))
        return 1;
    for (size_t k = 0; k < p->watched_count; k++)
        if (*p->ends.results[p->watched[k]] > 0)
            return 1;
    return 0;
}

/* Goes on from what has been evaluated at a point to what is needed. */
static int evaluate_point(const skidpad_plan *p, double t, const double *x, const double *u, int has, int needed)
{
    if (has < STEP_RATES_ALONE && needed >= STEP_RATES_ALONE) {
        step_copy(p->rates.inputs, u, p->inputs);
        if (!step_lay(p, t, x, p->rates.inputs) || !evaluate_parts(p, &p->rates, x))
            return 0;
    }
    return has >= needed || needed < STEP_OUTPUTS || evaluate_parts(p, &p->outputs, x);
}

static double touching(const step_touch *t) { return *t->above > 0; }

/* Whether the mode of a wheel contact differs from the logged one, or its impulse from the impulse before the step. */
static int contacts_change(const skidpad_plan *p, const double *u)
{
    for (size_t i = 0; i < p->contact_count; i++) {
        const step_contact *c = &p->contacts[i];
        if (p->contact_logged[i] != NULL && u[c->mode] != *p->contact_logged[i])
            return 1;
        for (size_t k = 0; c->impulsive && k < 3; k++)
            if (u[c->impulse[k]] != p->u[c->impulse[k]])
                return 1;
    }
    return 0;
}

/* Whether the core has to look for warnings: the mode of a wheel contact differs from the mode before the step, or a
 * rim is not above its contact mass. */
static int contacts_warn(const skidpad_plan *p, const double *x, const double *u)
{
    for (size_t i = 0; i < p->contact_count; i++) {
        const step_contact *c = &p->contacts[i];
        const double *numbers = numbers_of_contact(p, i);
        int moves = c->place[2] >= 0;
        double rim = moves ? x[c->rim[2]] : numbers[STEP_CONTACT_RIM + 2];
        double mass = moves ? x[c->place[2]] : numbers[STEP_CONTACT_PLACE + 2];
        if (u[c->mode] != p->u[c->mode] || !(rim > mass))
            return 1;
    }
    return 0;
}

/* Whether something has changed that the core notes, or cannot be looked at. */
static int values_change(const skidpad_plan *p, double time, const double *x, const double *u)
{
    if (!p->logging)
        return 0;
    if (contacts_change(p, u))
        return 1;
    if (!evaluate_point(p, time, x, u, STEP_NOTHING, p->touching))
        return 1;
    for (const step_touch *t = p->touches; t < p->touches + p->touch_count; t++)
        if (t->logged != NULL && touching(t) != *t->logged)
            return 1;
    return 0;
}

/* Whether a step begins with a sample or goes beyond one. */
static int samples(const skidpad_plan *p, double t, double h)
{
    return !(t < p->due && t + h <= p->uncut);
}

/* Divides a communication step; 0 where the core has to decide. */
static int divide(const skidpad_plan *p, double t, double h, step_division *d)
{
    static const double ulp = 0x1p-52;
    double off = fabs(t - p->time); /* within the bounds of package fmu, where the core has nothing to say */
    if (!(off <= 1e-9 * h || (off <= 8 * ulp * fabs(t) && off <= h / 2)))
        return 0;
    return h > 0 && isfinite(h) && t + h <= p->stop && step_divide(t, h, p->longest, p->contact_count > 0, d);
}

/* Writes the values of touches, after what they need has been evaluated. */
static void show_touches(const skidpad_plan *p)
{
    for (const step_touch *t = p->touches; p->fresh >= p->touching && t < p->touches + p->touch_count; t++)
        *t->value = touching(t);
}

/* Whether the latest evaluation has the rates of a step that begins at time t with inputs u. How inputs go on does not
 * matter at the beginning, nor does the time, which importers add up in their own way, unless terrain moves. */
static int are_known(const skidpad_plan *p, double t, const double *u)
{
    const int same = u == p->u || memcmp(u, p->u, p->inputs * sizeof *u) == 0;
    return p->fresh && same && (t == p->time || !STEP_UNEVEN(p));
}

/* Sets inputs of which some are written, by their numbers and rates. */
static void set_inputs(const skidpad_plan *p, const double *inputs, const uint8_t *written, double *u, double *rate)
{
    for (size_t i = 0; i < p->settable;) {
        uint64_t eight = 1;
        if (i + sizeof eight <= p->settable)
            memcpy(&eight, written + i, sizeof eight);
        if (eight == 0) { /* few of many are written */
            i += sizeof eight;
            continue;
        }
        if (written[i]) {
            u[i] = inputs[i];
            rate[i] = 0;
        }
        i++;
    }
}

void step_set(skidpad_plan *p, const double *inputs, const uint8_t *written)
{
    set_inputs(p, inputs, written, p->u, p->rate);
    p->fresh = STEP_NOTHING;
    p->inputs_are = STEP_INPUTS_WRITTEN;
    p->tried = 1;
}

/* Whether inputs that are u at the end of a step will not move: they have no rates. A zero has lost its sign in the
 * step after it was written. */
static int are_held(const skidpad_plan *p, const double *u)
{
    if (p->contact_count > 0) /* which write inputs */
        return 0;
    for (size_t i = 0; i < p->inputs; i++)
        if (p->rate[i] != 0)
            return 0;
    for (const step_motion *m = p->motions; m < p->motions + p->motion_count; m++)
        if (u[m->rate] != 0 || (m->acceleration >= 0 && u[m->acceleration] != 0))
            return 0;
    return 1;
}

int step_make(skidpad_plan *p, double t, double h, double *inputs, const uint8_t *written)
{
    if (!p->ready)
        return 0;
    const size_t n = p->states, m = p->inputs;
    step_thread before;
    begin(p, &before); /* NaN as a time would trap in the arithmetic of some hosts */
    const int sampled = samples(p, t, h);
    if (sampled && p->sampler_count == 0) {
        end(p, &before);
        return 0;
    }
    step_work w;
    step_begin(&w, p, t, p->work);
    step_copy(w.x, p->x, n);
    w.hold = written == NULL && p->inputs_are == STEP_INPUTS_HELD && !sampled;
    if (w.hold)
        w.u = w.next = p->u;
    else
        step_copy(w.u, p->u, m);
    if (written != NULL) {
        step_copy(w.rate, p->rate, m);
        set_inputs(p, inputs, written, w.u, w.rate);
    } else {
        w.rate = p->rate; /* which steps read alone */
    }
    step_division d;
    w.known = are_known(p, t, written == NULL ? p->u : w.u);
    p->fresh = STEP_NOTHING;
    p->tried = 1;
    int integrated = divide(p, t, h, &d) && (sampled ? step_integrate_parts(&w, h) : step_integrate(&w, &d));
    int made = integrated && !contacts_warn(p, w.x, w.u) && !values_change(p, t + h, w.x, w.u);
    if (made && sampled)
        step_next_samples(p, &p->due, &p->uncut);
    end(p, &before);
    if (!made) {
        step_put_back(&w);
        if (sampled && integrated)
            step_put_samples_back(p);
        return 0;
    }
    step_copy(p->x, w.x, n);
    if (written != NULL)
        p->inputs_are = STEP_INPUTS_WRITTEN;
    else if (p->inputs_are == STEP_INPUTS_WRITTEN)
        p->inputs_are = STEP_INPUTS_LEFT; /* one that is written again would have been looked at in vain */
    else if (!w.hold && are_held(p, w.u))
        p->inputs_are = STEP_INPUTS_HELD;
    if (!w.hold) {
        step_copy(p->u, w.u, m);
        step_copy(inputs, w.u, p->settable);
    }
    if (written != NULL)
        step_copy(p->rate, w.rate, m);
    p->time = t + h;
    p->stepped = 1;
    p->shown = p->logging; /* the core looks at them then */
    p->fresh = p->logging ? p->touching : STEP_NOTHING;
    show_touches(p);
    return 1;
}

int step_evaluate(skidpad_plan *p, int needed)
{
    if (p->fresh >= needed)
        return 1;
    step_thread before;
    p->tried = 1;
    begin(p, &before);
    int done = evaluate_point(p, p->time, p->x, p->u, p->fresh, needed);
    end(p, &before);
    p->fresh = done ? needed : STEP_NOTHING;
    show_touches(p);
    return done;
}

int step_show(skidpad_plan *p)
{
    if (!step_evaluate(p, STEP_OUTPUTS))
        return 0;
    for (const step_move *m = p->numbers; m < p->numbers + p->number_count; m++) {
        if (isnan(*m->from)) /* those of the core, which has other code for outputs, can have other signs */
            return 0;
        *m->to = *m->from;
    }
    return 1;
}
