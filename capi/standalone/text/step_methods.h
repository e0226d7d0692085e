/* step_methods.h - the arithmetic of communication steps: division into solver steps, inputs between communication
 * points, methods, and what is watched. Sums and products stand in the order of packages cosim and solver.
 *
 * The library compiles this text over a plan, and files of generated C contain it, both behind step_ground.h. Before
 * it they define
 *
 *   STEP_OF                  struct with the tables: motions, motion_count, gates, gate_count, gate_limits, rows,
 *                            row_count, row_limits, noted, kept, out, method, and those of step_ground.h
 *   STEP_STATES(w)           number of states, w being the step_work *; STEP_INPUTS(w) that of inputs
 *   STEP_HAS_EULER           1 where the method is compiled, else 0; so for STEP_HAS_HEUN and the others
 *   STEP_CONTACTS            1 behind step_contacts.h, else 0; then STEP_OF has contact_along_before, too: room for a
 *                            copy of the places along roads
 *   STEP_AT(w, place)        the number at a place
 *   STEP_RATE_INPUTS(w)      where rates take inputs; STEP_RATES(w, x, dx) evaluates, 0 where it gives up
 *   STEP_KNOWN_RATES(w, dx)  gives the rates that have been evaluated before the step; only where one sets known
 *   STEP_SYSTEM_INPUTS(w), STEP_SYSTEM(w, x, c, k)   the same of the k of (I - c J) k = f, f being the rates;
 *                            prepares STEP_SOLVE(w, r), which replaces r by the k of (I - c J) k = r
 *   STEP_CORRECTS            1 where there can be constraints that are corrected, else 0; then
 *   STEP_CONSTRAINTS(w), STEP_SPEEDS(w)   numbers of these, and of speeds: the first states are speeds, then there are
 *                            as many coordinates
 *   STEP_RESIDUAL_INPUTS(w), STEP_RESIDUALS(w, x, phi)   the same of violations, then their rates;
 *   STEP_CORRECT(w, by, k)   writes the changes of speeds that change rates of violations, and c times the changes of
 *                            coordinates
 *   STEP_WATCHES(w)          whether conditions that end runs are looked at; STEP_ENDS(w, t) looks at time t: 0 to give
 *                            up
 *   STEP_LEAVES(w, row, t, x)   a row leaves its limits at time t with the value x: 1 to note it, 0 to give up
 *   STEP_FAR(w)              the step ends where rates or outputs of finite states can overflow; 0 to give up
 *
 * Who gives up has the state before the step, and step_put_back(). */
#include <math.h>
#include <stddef.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Copies numbers that may just have been written one by one: wide moves of a library function would wait for them. */
static inline void step_copy(double *to, const double *from, size_t n)
{
#if defined(__SSE2__)
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k += 2)
            _mm_storeu_pd(to + i + k, _mm_loadu_pd(from + i + k));
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
    const STEP_OF *of;
    double *x, *stage, *k[4]; /* by state */
    double *u, *next, *rate;  /* by input: as set last, of the end of the solver step, and how they go on */
    double start;             /* of the communication step [s] */
    double before, from, to;  /* of the part of the step under way: the time of the step before it, begin and end [s] */
    int last;                 /* it is the last part */
    int due;                  /* the next rates are looked at */
    int known;                /* the next rates have been evaluated, and nothing else since */
    int kept;                 /* what was noted before the step has been copied */
    int hold;                 /* inputs keep their bits in the step: those of its end, next, are u */
} step_work;

/* Copies the places of tires along roads with a line. */
static void step_places(const STEP_OF *of, const double *from, double *to)
{
#if STEP_TERRAIN
    for (size_t i = 0; i < of->ground_count; i++)
        if (of->surfaces[of->grounds[i].surface].heights.kind == STEP_LINE)
            to[i] = from[i];
#else
    (void)of;
    (void)from;
    (void)to;
#endif
}

/* Gives a step room for STEP_WORK numbers. */
static inline void step_begin(step_work *w, const STEP_OF *of, double start, double *room)
{
    w->of = of;
    w->start = w->from = start;
    w->before = w->to = 0;
    w->last = 1;
    w->due = w->known = w->kept = w->hold = 0;
    step_places(of, of->along, of->along_before);
#if STEP_CONTACTS
    step_copy(of->contact_along_before, of->contact_along, of->contact_count);
#endif
    const size_t n = STEP_STATES(w), m = STEP_INPUTS(w);
    w->x = room;
    w->stage = room + n;
    for (size_t i = 0; i < 4; i++)
        w->k[i] = room + (2 + i) * n;
    w->u = room + 6 * n;
    w->next = w->u + m;
    w->rate = w->next + m;
}

/* How a communication step is divided. */
typedef struct {
    double n, sub; /* solver steps, and how long each is [s] */
} step_division;

/* Divides a step of h from t on into solver steps not longer than longest [s], or all as long where wheel contacts act
 * behind each; 0 where there would be too many, or h is not a multiple. */
static int step_divide(double t, double h, double longest, int contacts, step_division *d)
{
    static const double ulp = 0x1p-52, most = 1e9;
    double rounding = 4 * ulp * (fabs(t) + h);
    if (contacts) {
        rounding = rounding < longest / 4 ? rounding : longest / 4;
        rounding = rounding > 1e-6 * longest ? rounding : 1e-6 * longest;
    }
    const double least = rounding / longest;
    double n = h / longest * 0.999999999999 - (least > 1e-9 ? least : 1e-9);
    if (!(n <= most))
        return 0;
    double whole = n > 0 ? (double)(int64_t)n : 0;
    d->n = whole < n ? whole + 1 : whole;
    if (d->n < 1)
        d->n = 1;
    const int multiple = fabs(h - d->n * longest) <= rounding;
    d->sub = multiple ? longest : h / d->n;
    return multiple || !contacts;
}

/* The inputs, continued for dt from the time they hold, without terrain. */
static void step_inputs_at(const step_work *w, double dt, double *to)
{
    const double *u = w->u, *rate = w->rate;
    if (dt == 0 || w->hold) {
        step_copy(to, u, STEP_INPUTS(w));
        return;
    }
    for (size_t i = 0; i < STEP_INPUTS(w); i++)
        to[i] = u[i] + dt * rate[i];
    for (size_t i = 0; i < w->of->motion_count; i++) {
        const step_motion *m = &w->of->motions[i];
        double acceleration = m->acceleration >= 0 ? u[m->acceleration] : 0;
        to[m->position] += dt * (u[m->rate] + dt / 2 * (acceleration + rate[m->rate]));
        to[m->rate] += dt * acceleration;
    }
}

/* Keeps what was noted before the step. */
static void step_keep(step_work *w)
{
    const STEP_OF *of = w->of;
    if (w->kept)
        return;
    memcpy(of->kept, of->noted, of->row_count * STEP_ROW_NUMBERS * sizeof *of->noted);
    of->kept[of->row_count * STEP_ROW_NUMBERS] = *of->out;
    w->kept = 1;
}

/* Goes back to that, and to the places along roads. */
static void step_put_back(step_work *w)
{
    const STEP_OF *of = w->of;
    step_places(of, of->along_before, of->along);
#if STEP_CONTACTS
    step_copy(of->contact_along, of->contact_along_before, of->contact_count);
#endif
    if (!w->kept)
        return;
    memcpy(of->noted, of->kept, of->row_count * STEP_ROW_NUMBERS * sizeof *of->noted);
    *of->out = of->kept[of->row_count * STEP_ROW_NUMBERS];
}

static double step_excess(const double *limits, double x)
{
    double above = x - limits[STEP_HIGH], below = limits[STEP_LOW] - x;
    return above > below ? above : below;
}

/* Looks at all rows. */
static int step_look_at_rows(step_work *w, double t)
{
    const STEP_OF *of = w->of;
    int out = 0;
    for (size_t i = 0; i < of->row_count; i++) {
        const step_row *r = &of->rows[i];
        const double *limits = &of->row_limits[i * STEP_LIMITS];
        double *n = &of->noted[i * STEP_ROW_NUMBERS], x = STEP_AT(w, r->at);
        double side = x > limits[STEP_HIGH] ? 1 : x < limits[STEP_LOW] ? -1 : 0;
        if (side != 0 && r->touches && !(STEP_AT(w, r->touching) > 0))
            side = n[STEP_SIDE];
        else if (side == 0 && n[STEP_SIDE] != 0 && (x > limits[STEP_BACK_HIGH] || x < limits[STEP_BACK_LOW]))
            side = n[STEP_SIDE];
        else if (side != 0) {
            if (n[STEP_SIDE] == 0) {
                if (!STEP_LEAVES(w, i, t, x))
                    return 0;
                step_keep(w);
                n[STEP_COUNT]++;
                if (n[STEP_COUNT] == 1) {
                    n[STEP_FIRST] = n[STEP_WHEN] = t;
                    n[STEP_WORST] = x;
                }
            }
            if (step_excess(limits, x) > step_excess(limits, n[STEP_WORST])) {
                step_keep(w);
                n[STEP_WORST] = x;
                n[STEP_WHEN] = t;
            }
        }
        if (side != n[STEP_SIDE]) {
            step_keep(w);
            n[STEP_SIDE] = side;
        }
        out |= side != 0;
    }
    if (out != (*of->out != 0)) {
        step_keep(w);
        *of->out = out;
    }
    return 1;
}

/* Looks at what rates have left, at a time since the beginning of the step. */
static int step_look(step_work *w, double since)
{
    const STEP_OF *of = w->of;
    int64_t beyond = 0;
    w->due = 0;
    for (size_t i = 0; i < of->gate_count; i++) {
        const double *limits = &of->gate_limits[i * STEP_GATE_NUMBERS];
        double x = STEP_AT(w, of->gates[i]) - limits[STEP_MIDDLE];
        int64_t bits, half;
        memcpy(&bits, &x, sizeof bits);
        memcpy(&half, &limits[STEP_HALF], sizeof half);
        beyond |= half - (bits & INT64_MAX);
    }
    return (beyond >= 0 && *of->out == 0) || step_look_at_rows(w, w->start + since);
}

static int step_rates(step_work *w, double since, const double *x, double *dx)
{
    double *u = STEP_RATE_INPUTS(w);
    if (w->known) {
        w->known = 0;
        STEP_KNOWN_RATES(w, dx);
    } else {
        step_inputs_at(w, since, u);
        if (!step_lay(w->of, w->start + since, x, u) || !STEP_RATES(w, x, dx))
            return 0;
    }
    return !w->due || step_look(w, since);
}

#if STEP_HAS_EULER
static int step_euler(step_work *w, double t, double h)
{
    double *k1 = w->k[0];
    if (!step_rates(w, t, w->x, k1))
        return 0;
    for (size_t i = 0; i < STEP_STATES(w); i++)
        w->x[i] += h * k1[i];
    return 1;
}
#endif

#if STEP_HAS_HEUN
static int step_heun(step_work *w, double t, double h)
{
    double *x = w->x, *y = w->stage, *k1 = w->k[0], *k2 = w->k[1];
    const size_t n = STEP_STATES(w);
    if (!step_rates(w, t, x, k1))
        return 0;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + h * k1[i];
    if (!step_rates(w, t + h, y, k2))
        return 0;
    for (size_t i = 0; i < n; i++)
        x[i] += h / 2 * (k1[i] + k2[i]);
    return 1;
}
#endif

#if STEP_HAS_RK4
static int step_rk4(step_work *w, double t, double h)
{
    double *x = w->x, *y = w->stage, *k1 = w->k[0], *k2 = w->k[1], *k3 = w->k[2], *k4 = w->k[3];
    const size_t n = STEP_STATES(w);
    if (!step_rates(w, t, x, k1))
        return 0;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + h / 2 * k1[i];
    if (!step_rates(w, t + h / 2, y, k2))
        return 0;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + h / 2 * k2[i];
    if (!step_rates(w, t + h / 2, y, k3))
        return 0;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + h * k3[i];
    if (!step_rates(w, t + h, y, k4))
        return 0;
    for (size_t i = 0; i < n; i++)
        x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return 1;
}
#endif

#if STEP_HAS_LINEARLY_IMPLICIT && STEP_CORRECTS
/* Whether changes of speeds are out of proportion to the velocities of constraints that they correct, as in a singular
 * configuration, where a correction would stop the motion. */
static int step_singular(const double *by, size_t m, const double *k, size_t p)
{
    static const double most = 1e5;
    double cause = 0, change = 0;
    for (size_t i = 0; i < m; i++)
        if (fabs(by[i]) > cause)
            cause = fabs(by[i]);
    for (size_t i = 0; i < p; i++)
        if (fabs(k[i]) > change)
            change = fabs(k[i]);
    return change > most * cause;
}

/* Brings coordinates and speeds nearer to the constraints, by the system of the step. */
static int step_correct(step_work *w, double t, double c)
{
    const size_t m = STEP_CONSTRAINTS(w);
    const size_t p = STEP_SPEEDS(w);
    double *x = w->x, *k = w->k[0], *by = w->k[2];
    if (m == 0)
        return 1;
    step_inputs_at(w, t, STEP_RESIDUAL_INPUTS(w));
    if (!STEP_RESIDUALS(w, x, by))
        return 0;
    for (size_t i = 0; i < m; i++) {
        by[i] = -by[i] / c;
        by[m + i] = -by[m + i];
    }
    STEP_CORRECT(w, by, k);
    if (step_singular(by, m, k, p))
        return 1;
    for (size_t i = 0; i < p; i++)
        x[p + i] += k[p + i];
    STEP_CORRECT(w, by + m, k);
    if (step_singular(by + m, m, k, p))
        return 1;
    for (size_t i = 0; i < p; i++)
        x[i] += k[i];
    return 1;
}
#endif

#if STEP_HAS_LINEARLY_IMPLICIT
static int step_linearly_implicit(step_work *w, double t, double h)
{
    static const double gamma = 0.29289321881345247559915563789515; /* 1 - 1/sqrt 2 */
    double *x = w->x, *y = w->stage, *k1 = w->k[0], *k2 = w->k[1], *u = STEP_SYSTEM_INPUTS(w);
    const size_t n = STEP_STATES(w);
    w->known = 0; /* the system does without rates */
    step_inputs_at(w, t, u);
    if (!step_lay(w->of, w->start + t, x, u) || !STEP_SYSTEM(w, x, gamma * h, k1))
        return 0;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] + h * k1[i];
    if (!step_rates(w, t + h, y, k2))
        return 0;
    for (size_t i = 0; i < n; i++)
        k2[i] -= 2 * k1[i];
    STEP_SOLVE(w, k2);
    for (size_t i = 0; i < n; i++)
        x[i] += h / 2 * (3 * k1[i] + k2[i]);
#if STEP_CORRECTS
    return step_correct(w, t + h, gamma * h);
#else
    return 1;
#endif
}
#endif

static int step_solver(step_work *w, double t, double h)
{
    switch (w->of->method) {
#if STEP_HAS_EULER
    case STEP_EULER:
        return step_euler(w, t, h);
#endif
#if STEP_HAS_HEUN
    case STEP_HEUN:
        return step_heun(w, t, h);
#endif
#if STEP_HAS_RK4
    case STEP_RK4:
        return step_rk4(w, t, h);
#endif
#if STEP_HAS_LINEARLY_IMPLICIT
    case STEP_LINEARLY_IMPLICIT:
        return step_linearly_implicit(w, t, h);
#endif
    default:
        return 0;
    }
}

static int step_all_finite(const double *x, size_t n)
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
static int step_all_near(const double *x, size_t n)
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

/* The solver steps of a part of a communication step; 0 where something gives up. At the end x is that of the end, and
 * at the end of the last part u, too. */
static int step_integrate(step_work *w, const step_division *d)
{
    double since = w->before, reached;
    int near = 0; /* then all are finite, too */
    for (double done = 1; done <= d->n; done++) {
        w->due = w->of->gate_count > 0;
#if STEP_CONTACTS
        step_note_contacts(w->of, w->x);
#endif
        if (!step_solver(w, since, d->sub))
            return 0;
        step_places(w->of, w->of->reached, w->of->along);
        since = w->before + done * d->sub;
        reached = done == d->n && !w->last ? w->to : w->from + done * d->sub;
#if STEP_CONTACTS
        if (!step_contacts(w->of, reached, d->sub, w->x, w->u))
            return 0;
#endif
        near = done == d->n && w->last && step_all_near(w->x, STEP_STATES(w));
        if (!near && !step_all_finite(w->x, STEP_STATES(w)))
            return 0;
        if (!w->hold && (done == d->n || STEP_WATCHES(w)))
            step_inputs_at(w, since, w->next);
        if (STEP_WATCHES(w) && !STEP_ENDS(w, reached))
            return 0;
    }
    if (!w->last)
        return 1;
    double *before = w->u;
    w->u = w->next;
    w->next = before;
    near = near && (w->hold || step_all_near(w->u, STEP_INPUTS(w)));
    return near || STEP_FAR(w);
}
