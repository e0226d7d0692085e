/* Steps as package cosim makes them: see Instance.Begin, Next and look there, and package solver. Sums and
 * products stand here in the same order. */
#include "step.h"

#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
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

/* Copies numbers that may just have been written one by one: wide moves of a library function would wait for them. */
static inline void copy_numbers(double *to, const double *from, size_t n)
{
#if defined(__x86_64__)
    size_t i = 0;
    for (; i + 2 <= n; i += 2)
        _mm_storeu_pd(to + i, _mm_loadu_pd(from + i));
    if (i < n)
        to[i] = from[i];
#else
    memcpy(to, from, n * sizeof *to);
#endif
}

/* What a step works on. */
typedef struct {
    const skidpad_plan *plan;
    double *x, *stage, *k[4]; /* by state */
    double *u, *next, *rate;  /* by input: as set last, of the end of the solver step, and how they go on */
    double start;             /* of the communication step [s] */
    int due;                  /* the next rates are looked at */
    int kept;                 /* what was noted before the step has been copied */
} work;

/* How a communication step is divided. */
typedef struct {
    double n, sub; /* solver steps, and how long each is [s] */
} division;

/* 0 where the core has to decide. */
static int divide(const skidpad_plan *p, double t, double h, division *d)
{
    static const double ulp = 0x1p-52, most = 1e9;
    double off = fabs(t - p->time); /* within the bounds of package fmu, where the core has nothing to say */
    if (!(off <= 1e-9 * h || (off <= 8 * ulp * fabs(t) && off <= h / 2)))
        return 0;
    if (!(h > 0 && isfinite(h) && t + h <= p->stop))
        return 0;
    double rounding = 4 * ulp * (fabs(t) + h), least = rounding / p->longest;
    double n = h / p->longest * 0.999999999999 - (least > 1e-9 ? least : 1e-9);
    if (!(n <= most))
        return 0;
    double whole = n > 0 ? (double)(int64_t)n : 0;
    d->n = whole < n ? whole + 1 : whole;
    if (d->n < 1)
        d->n = 1;
    d->sub = fabs(h - d->n * p->longest) <= rounding ? p->longest : h / d->n;
    return 1;
}

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
static int evaluate(const step_evaluation *e, const skidpad_plan *p, const double *x)
{
    if (e->states != NULL)
        copy_numbers(e->states, x, p->states);
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

/* Gives tires on terrain their planes. */
static void lay(const skidpad_plan *p, double *u)
{
    for (const step_ground *g = p->grounds; g < p->grounds + p->ground_count; g++) {
        u[g->slope_x] = u[g->slope_y] = u[g->rate] = 0;
        u[g->friction] = g->factor;
        u[g->height] = g->level + u[g->above];
    }
}

/* Puts inputs with their planes where an evaluation wants them. */
static void put(const skidpad_plan *p, const double *u, double *to)
{
    copy_numbers(to, u, p->inputs);
    lay(p, to);
}

/* The inputs, continued for dt from the time they hold, without terrain. */
static void inputs_at(const work *w, double dt, double *to)
{
    const skidpad_plan *p = w->plan;
    const double *u = w->u, *rate = w->rate;
    if (dt == 0) {
        copy_numbers(to, u, p->inputs);
        return;
    }
    for (size_t i = 0; i < p->inputs; i++)
        to[i] = u[i] + dt * rate[i];
    for (const step_motion *m = p->motions; m < p->motions + p->motion_count; m++) {
        double acceleration = m->acceleration >= 0 ? u[m->acceleration] : 0;
        to[m->position] += dt * (u[m->rate] + dt / 2 * (acceleration + rate[m->rate]));
        to[m->rate] += dt * acceleration;
    }
}

enum { ROW_SIDE, ROW_COUNT, ROW_FIRST, ROW_WORST, ROW_WHEN, ROW_NUMBERS };

/* Keeps what was noted before the step. */
static void keep(work *w)
{
    const skidpad_plan *p = w->plan;
    if (w->kept)
        return;
    memcpy(p->kept, p->noted, p->noted_count * sizeof *p->noted);
    p->kept[p->noted_count] = *p->out;
    w->kept = 1;
}

/* Goes back to that. */
static void put_back(work *w)
{
    const skidpad_plan *p = w->plan;
    if (!w->kept)
        return;
    memcpy(p->noted, p->kept, p->noted_count * sizeof *p->noted);
    *p->out = p->kept[p->noted_count];
}

static double excess(const step_row *r, double x)
{
    double above = x - r->high, below = r->low - x;
    return above > below ? above : below;
}

/* Looks at all rows. 0 where one has left its limits, which the core notes. */
static int look_at_rows(work *w, double t)
{
    const skidpad_plan *p = w->plan;
    int out = 0;
    for (size_t i = 0; i < p->row_count; i++) {
        const step_row *r = &p->rows[i];
        double *n = &p->noted[i * ROW_NUMBERS], x = *r->at, side = x > r->high ? 1 : x < r->low ? -1 : 0;
        if (side != 0 && r->touching != NULL && !(*r->touching > 0))
            side = n[ROW_SIDE];
        else if (side == 0 && n[ROW_SIDE] != 0 && (x > r->back_high || x < r->back_low))
            side = n[ROW_SIDE];
        else if (side != 0) {
            if (n[ROW_SIDE] == 0)
                return 0;
            if (excess(r, x) > excess(r, n[ROW_WORST])) {
                keep(w);
                n[ROW_WORST] = x;
                n[ROW_WHEN] = t;
            }
        }
        if (side != n[ROW_SIDE]) {
            keep(w);
            n[ROW_SIDE] = side;
        }
        out |= side != 0;
    }
    if (out != (*p->out != 0)) {
        keep(w);
        *p->out = out;
    }
    return 1;
}

/* Looks at what rates have left, at a time since the beginning of the step. */
static int look(work *w, double since)
{
    const skidpad_plan *p = w->plan;
    int64_t beyond = 0;
    w->due = 0;
    for (size_t i = 0; i < p->gate_count; i++) {
        double x = *p->gates[i].at - p->gates[i].middle;
        int64_t bits;
        memcpy(&bits, &x, sizeof bits);
        beyond |= p->gates[i].half - (bits & INT64_MAX);
    }
    return (beyond >= 0 && *p->out == 0) || look_at_rows(w, w->start + since);
}

static int rates_by(const step_evaluation *e, const work *w, double since, const double *x, double *dx)
{
    inputs_at(w, since, e->inputs);
    lay(w->plan, e->inputs);
    if (!evaluate(e, w->plan, x))
        return 0;
    if (e->collect.code != NULL)
        e->collect.code(dx, e->collect.pool, e->collect.fixed); /* copies, which never give up */
    else
        for (size_t i = 0; i < e->result_count; i++)
            dx[i] = *e->results[i];
    return 1;
}

static int rates(work *w, double since, const double *x, double *dx)
{
    return rates_by(&w->plan->rates, w, since, x, dx) && (!w->due || look(w, since));
}

static int euler(work *w, double t, double h)
{
    double *k1 = w->k[0];
    if (!rates(w, t, w->x, k1))
        return 0;
    for (size_t i = 0; i < w->plan->states; i++)
        w->x[i] += h * k1[i];
    return 1;
}

static int heun(work *w, double t, double h)
{
    double *x = w->x, *y = w->stage, *k1 = w->k[0], *k2 = w->k[1];
    const size_t n = w->plan->states;
    if (!rates(w, t, x, k1))
        return 0;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + h * k1[i];
    if (!rates(w, t + h, y, k2))
        return 0;
    for (size_t i = 0; i < n; i++)
        x[i] += h / 2 * (k1[i] + k2[i]);
    return 1;
}

static int rk4(work *w, double t, double h)
{
    double *x = w->x, *y = w->stage, *k1 = w->k[0], *k2 = w->k[1], *k3 = w->k[2], *k4 = w->k[3];
    const size_t n = w->plan->states;
    if (!rates(w, t, x, k1))
        return 0;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + h / 2 * k1[i];
    if (!rates(w, t + h / 2, y, k2))
        return 0;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + h / 2 * k2[i];
    if (!rates(w, t + h / 2, y, k3))
        return 0;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + h * k3[i];
    if (!rates(w, t + h, y, k4))
        return 0;
    for (size_t i = 0; i < n; i++)
        x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return 1;
}

static void solve(const step_linear *l, size_t n, double *r)
{
    copy_numbers(l->given, r, n);
    run(&l->solves); /* sums and products, which never give up */
    copy_numbers(r, l->right, n);
}

static int linearly_implicit(work *w, double t, double h)
{
    static const double gamma = 0.29289321881345247559915563789515; /* 1 - 1/sqrt 2 */
    const step_linear *l = &w->plan->linear;
    double *x = w->x, *y = w->stage, *k1 = w->k[0], *k2 = w->k[1];
    const size_t n = w->plan->states;
    if (!rates_by(&l->at, w, t, x, k1))
        return 0;
    *l->c = -(gamma * h);
    if (!run(&l->factors))
        return 0;
    solve(l, n, k1);
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + h * k1[i];
    if (!rates(w, t + h, y, k2))
        return 0;
    for (size_t i = 0; i < n; i++)
        k2[i] -= 2 * k1[i];
    solve(l, n, k2);
    for (size_t i = 0; i < n; i++)
        x[i] += h / 2 * (3 * k1[i] + k2[i]);
    return 1;
}

static int solver_step(work *w, double t, double h)
{
    switch (w->plan->method) {
    case STEP_EULER:
        return euler(w, t, h);
    case STEP_HEUN:
        return heun(w, t, h);
    case STEP_RK4:
        return rk4(w, t, h);
    default:
        return linearly_implicit(w, t, h);
    }
}

static int all_finite(const double *x, size_t n)
{
    const uint64_t exponent = 0x7ff0000000000000, least = 0x0010000000000000;
    uint64_t carries = 0; /* beyond the largest exponent; the compiler does this for several numbers at once */
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        carries |= (bits & exponent) + least;
    }
    return carries >> 63 == 0;
}

/* Whether all are smaller than 2^31. Where they are not, rates and outputs of finite states can overflow. */
static int all_near(const double *x, size_t n)
{
    const uint64_t exponent = 0x7ff0000000000000, least = 0x8000000000000000 - 0x41e0000000000000;
    uint64_t carries = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        carries |= (bits & exponent) + least;
    }
    return carries >> 63 == 0;
}

/* Whether conditions that end runs are looked at. */
static int watches(const skidpad_plan *p) { return p->watching && p->watched_count > 0; }

/* Whether a condition that ends runs has become true, which the core notes, or cannot be looked at. The inputs of that
 * time are the next ones. */
static int ends(const work *w)
{
    const skidpad_plan *p = w->plan;
    if (!watches(p))
        return 0;
    /* on terrain, the core takes inputs as the solver has left them */
    copy_numbers(p->ends.inputs, p->ground_count == 0 ? w->next : p->rates.inputs, p->inputs);
    if (!evaluate(&p->ends, p, w->x))
        return 1;
    for (size_t k = 0; k < p->watched_count; k++)
        if (*p->ends.results[p->watched[k]] > 0)
            return 1;
    return 0;
}

/* Rates and outputs. The core computes outputs by other code, whose not-a-numbers can have other signs. */
static int evaluate_all(const skidpad_plan *p, const double *x, const double *u)
{
    put(p, u, p->rates.inputs);
    if (!evaluate(&p->rates, p, x) || !evaluate(&p->outputs, p, x))
        return 0;
    for (size_t i = 0; i < p->outputs.result_count; i++)
        if (isnan(*p->outputs.results[i]))
            return 0;
    return 1;
}

static double touching(const step_touch *t) { return *t->above > 0; }

/* Whether something has changed that the core notes, or cannot be looked at. */
static int values_change(const skidpad_plan *p, const double *x, const double *u)
{
    if (!p->logging)
        return 0;
    if (!evaluate_all(p, x, u))
        return 1;
    for (const step_touch *t = p->touches; t < p->touches + p->touch_count; t++)
        if (t->logged != NULL && touching(t) != *t->logged)
            return 1;
    return 0;
}

/* The solver steps of a communication step, and what is looked at after it. */
static int integrate(work *w, const division *d)
{
    double since = 0;
    for (double done = 1; done <= d->n; done++) {
        w->due = w->plan->gate_count > 0;
        if (!solver_step(w, since, d->sub) || !all_finite(w->x, w->plan->states))
            return 0;
        since = done * d->sub;
        if (done == d->n || watches(w->plan))
            inputs_at(w, since, w->next);
        if (ends(w))
            return 0;
    }
    double *before = w->u;
    w->u = w->next;
    w->next = before;
    if (!all_near(w->x, w->plan->states) || !all_near(w->u, w->plan->inputs))
        return 0;
    return !values_change(w->plan, w->x, w->u);
}

int step_make(skidpad_plan *p, double t, double h, double *inputs, const uint8_t *written)
{
    if (!p->ready)
        return 0;
    const size_t n = p->states, m = p->inputs;
    double *at = p->work;
    work w = {.plan = p, .start = t, .x = at, .stage = at + n, .k = {at + 2 * n, at + 3 * n, at + 4 * n, at + 5 * n}};
    w.u = at + 6 * n;
    w.next = w.u + m;
    w.rate = w.next + m;
    copy_numbers(w.x, p->x, n);
    copy_numbers(w.u, p->u, m);
    copy_numbers(w.rate, p->rate, m);
    for (size_t i = 0; written != NULL && i < p->settable; i++)
        if (written[i]) {
            w.u[i] = inputs[i];
            w.rate[i] = 0;
        }
    step_thread before;
    division d;
    p->tried = 1;
    begin(p, &before);
    int made = divide(p, t, h, &d) && integrate(&w, &d);
    end(p, &before);
    if (!made) {
        put_back(&w);
        return 0;
    }
    copy_numbers(p->x, w.x, n);
    copy_numbers(p->u, w.u, m);
    copy_numbers(p->rate, w.rate, m);
    copy_numbers(inputs, w.u, p->settable);
    p->time = t + h;
    p->stepped = 1;
    p->fresh = p->logging;
    return 1;
}

int step_show(skidpad_plan *p)
{
    if (!p->ready)
        return 0;
    if (!p->fresh) {
        step_thread before;
        p->tried = 1;
        begin(p, &before);
        p->fresh = evaluate_all(p, p->x, p->u);
        end(p, &before);
    }
    if (!p->fresh)
        return 0;
    for (const step_move *m = p->numbers; m < p->numbers + p->number_count; m++)
        *m->to = *m->from;
    for (const step_touch *t = p->touches; t < p->touches + p->touch_count; t++)
        *t->value = touching(t);
    p->shown = 1;
    return 1;
}
