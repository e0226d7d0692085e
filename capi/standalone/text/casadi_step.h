
/* Derivatives of a step of an explicit method: those of the program that ran, through every stage of every solver
 * step. The inputs are constant during the step, except those of prescribed motions. */

/* A stage takes place at this part of the solver step, after as much of the rates before it, and has this weight. */
static const double vehicle_stage_at[4] = {0, VEHICLE_STAGES == 4 ? 0.5 : 1, 0.5, 1};
static const double vehicle_stage_weight[4] = {1, VEHICLE_STAGES == 4 ? 2 : 1, 2, 1};
static const double vehicle_all_weights = VEHICLE_STAGES == 4 ? 6 : VEHICLE_STAGES;

/* What lies in the work vector of these functions. A direction is one of states, inputs, parameters and h. */
typedef struct {
    vehicle_room room;
    double stage[VEHICLE_STATES + 1], at_stage[VEHICLE_INPUTS + 1], k[4][VEHICLE_STATES + 1];
    double moved[VEHICLE_TOGETHER][VEHICLE_STATES + 1], h[VEHICLE_TOGETHER];
    double slopes[4][VEHICLE_TOGETHER][VEHICLE_STATES + 1], given[VEHICLE_TOGETHER][VEHICLE_VARIABLES + 1];
} vehicle_step_room;

/* The inputs at a time of the step, and their directions: since and its own direction are that time. */
static void vehicle_continue(vehicle_step_room *r, int count, double since, double part)
{
    const double *const u = r->room.u;
    int n, i;
    memcpy(r->at_stage, u, sizeof(double) * VEHICLE_INPUTS);
    for (i = 0; i < VEHICLE_MOTIONS; i++) {
        const step_motion *m = &vehicle_motions[i];
        const double acceleration = m->acceleration >= 0 ? u[m->acceleration] : 0;
        r->at_stage[m->position] += since * (u[m->rate] + since / 2 * acceleration);
        r->at_stage[m->rate] += since * acceleration;
    }
    for (n = 0; n < count; n++) {
        const double *const given = r->given[n] + VEHICLE_PARAMETERS + VEHICLE_STATES;
        double *const to = r->room.directions + n * VEHICLE_VARIABLES + VEHICLE_PARAMETERS + VEHICLE_STATES;
        memcpy(to, given, sizeof(double) * VEHICLE_INPUTS);
        for (i = 0; i < VEHICLE_MOTIONS; i++) {
            const step_motion *m = &vehicle_motions[i];
            const double acceleration = m->acceleration >= 0 ? u[m->acceleration] : 0;
            const double by = m->acceleration >= 0 ? given[m->acceleration] : 0;
            to[m->position] += since * (given[m->rate] + since / 2 * by);
            to[m->position] += part * r->h[n] * (u[m->rate] + since * acceleration);
            to[m->rate] += since * by + part * r->h[n] * acceleration;
        }
    }
}

/* The states at a stage of the solver step that begins at x. */
static void vehicle_reach(vehicle_step_room *r, const double *x, int stage, double sub)
{
    int i;
    for (i = 0; i < VEHICLE_STATES; i++)
        r->stage[i] = stage == 0 ? x[i] : x[i] + sub * vehicle_stage_at[stage] * r->k[stage - 1][i];
}

/* A solver step of the states and of their directions, which begins after done steps of sub. */
static int vehicle_step_once(vehicle_step_room *r, int count, double done, double sub, double steps)
{
    double *const x = r->room.x;
    int j, l, n, i;
    for (j = 0; j < VEHICLE_STAGES; j++) {
        const double a = vehicle_stage_at[j];
        vehicle_reach(r, x, j, sub);
        for (n = 0; n < count; n++) {
            double *const to = r->room.directions + n * VEHICLE_VARIABLES;
            memcpy(to, r->given[n], sizeof(double) * VEHICLE_PARAMETERS);
            for (i = 0; i < VEHICLE_STATES; i++)
                to[VEHICLE_PARAMETERS + i] = r->moved[n][i] + (j == 0 ? 0 : sub * a * r->slopes[j - 1][n][i] +
                                                                   r->h[n] / steps * a * r->k[j - 1][i]);
        }
        vehicle_continue(r, count, (done + a) * sub, (done + a) / steps);
        if (vehicle_rates(&r->room.vehicle, r->stage, r->at_stage, r->k[j]) != VEHICLE_OK ||
            (count > 0 && vehicle_forward(&r->room.vehicle, r->stage, r->at_stage, count, r->room.directions,
                                          r->room.results) != VEHICLE_OK))
            return 0;
        for (n = 0; n < count; n++)
            memcpy(r->slopes[j][n], r->room.results + n * VEHICLE_VALUES, sizeof(double) * VEHICLE_STATES);
    }
    for (i = 0; i < VEHICLE_STATES; i++) {
        double sum = r->k[0][i];
        for (l = 1; l < VEHICLE_STAGES; l++)
            sum += vehicle_stage_weight[l] * r->k[l][i];
        x[i] += sub / vehicle_all_weights * sum;
        for (n = 0; n < count; n++) {
            double slope = r->slopes[0][n][i];
            for (l = 1; l < VEHICLE_STAGES; l++)
                slope += vehicle_stage_weight[l] * r->slopes[l][n][i];
            r->moved[n][i] += (sub * slope + r->h[n] / steps * sum) / vehicle_all_weights;
        }
    }
    return 1;
}

/* How a step h is divided; 0 where there is none. */
static int vehicle_divide(const vehicle *c, double h, step_division *d)
{
    return h > 0 && h <= DBL_MAX && step_divide(0, h, vehicle_longest_step(c), d);
}

/* A step h of the directions that are given. */
static int vehicle_step_along(vehicle_step_room *r, int count, double h)
{
    step_division d;
    double done;
    int n;
    if (!vehicle_divide(&r->room.vehicle, h, &d))
        return 0;
    for (n = 0; n < count; n++)
        memcpy(r->moved[n], r->given[n] + VEHICLE_PARAMETERS, sizeof(double) * VEHICLE_STATES);
    for (done = 0; done < d.n; done++)
        if (!vehicle_step_once(r, count, done, d.sub, d.n))
            return 0;
    return 1;
}

/* Derivatives of a step along several directions: arg goes on with the value, and directions of x, u, p and h. */
static int vehicle_forward_step(int count, const double **arg, double **res, double *w)
{
    vehicle_step_room *const r = (vehicle_step_room *)w;
    int n, i;
    if (!vehicle_make(w, arg, 1))
        return 1;
    memset(r->given, 0, sizeof r->given);
    for (n = 0; n < count; n++) {
        double *const to = r->given[n];
        for (i = 0; i < VEHICLE_VARIED; i++)
            to[vehicle_varied[i]] = arg[7] ? arg[7][n * VEHICLE_VARIED + i] : 0;
        vehicle_take(to + VEHICLE_PARAMETERS, arg[5] ? arg[5] + n * VEHICLE_STATES : NULL, VEHICLE_STATES);
        vehicle_take(to + VEHICLE_PARAMETERS + VEHICLE_STATES, arg[6] ? arg[6] + n * VEHICLE_INPUTS : NULL,
                     VEHICLE_INPUTS);
        r->h[n] = arg[8] ? arg[8][n] : 0;
    }
    if (!vehicle_step_along(r, count, arg[3] ? arg[3][0] : 0))
        return 1;
    for (n = 0; n < count && res[0]; n++)
        vehicle_give(res[0] + n * VEHICLE_STATES, r->moved[n], VEHICLE_STATES);
    return 0;
}

/* The Jacobian of a step by states, inputs, parameters and h, as full matrices side by side: column is the first
 * column, and is counted on. */
static int vehicle_jacobian_step(const double **arg, double **res, double *w)
{
    vehicle_step_room *const r = (vehicle_step_room *)w;
    static const int ends[4] = {VEHICLE_STATES, VEHICLE_STATES + VEHICLE_INPUTS,
                                VEHICLE_STATES + VEHICLE_INPUTS + VEHICLE_VARIED,
                                VEHICLE_STATES + VEHICLE_INPUTS + VEHICLE_VARIED + 1};
    int first, n, block, count;
    for (first = 0; first < ends[3]; first += VEHICLE_TOGETHER) {
        count = ends[3] - first < VEHICLE_TOGETHER ? ends[3] - first : VEHICLE_TOGETHER;
        if (!vehicle_make(w, arg, 1))
            return 1;
        memset(r->given, 0, sizeof r->given);
        for (n = 0; n < count; n++) {
            const int k = first + n;
            r->h[n] = k >= ends[2];
            if (k < ends[1])
                r->given[n][VEHICLE_PARAMETERS + k] = 1;
            else if (k < ends[2])
                r->given[n][vehicle_varied[k - ends[1]]] = 1;
        }
        if (!vehicle_step_along(r, count, arg[3] ? arg[3][0] : 0))
            return 1;
        for (n = 0; n < count; n++) {
            for (block = 0; first + n >= ends[block];)
                block++;
            if (res[block])
                vehicle_give(res[block] + (first + n - (block > 0 ? ends[block - 1] : 0)) * VEHICLE_STATES, r->moved[n],
                             VEHICLE_STATES);
        }
    }
    return 0;
}

VEHICLE_DERIVED(jac_step, 5, 4, vehicle_step_room, vehicle_jacobian_step(arg, res, w))
VEHICLE_DERIVED(fwd1_step, 9, 1, vehicle_step_room, vehicle_forward_step(1, arg, res, w))
VEHICLE_DERIVED(fwd4_step, 9, 1, vehicle_step_room, vehicle_forward_step(4, arg, res, w))

/* How many states are kept on the way back. There are never as many as 2^32 solver steps, so that halves of what is left
 * need half of the places at most. */
enum { VEHICLE_KEPT = 64 };

/* What lies in the work vector of the way back: states, and how many solver steps led to them; weights of the states
 * and of the rates of each stage; and what has been found, by variables and by h. */
typedef struct {
    vehicle_step_room step;
    double kept[VEHICLE_KEPT][VEHICLE_STATES + 1], after[VEHICLE_KEPT];
    double weights[VEHICLE_STATES + 1], stage_weights[4][VEHICLE_STATES + 1], by[VEHICLE_VARIABLES + 1], by_h;
} vehicle_back_room;

/* Takes the weights back through vehicle_continue, from the inputs at a time of the step to those of the step. */
static void vehicle_continue_back(vehicle_back_room *b, const double *weights, double since, double part)
{
    const double *const u = b->step.room.u;
    double *const by = b->by + VEHICLE_PARAMETERS + VEHICLE_STATES;
    int i;
    for (i = 0; i < VEHICLE_INPUTS; i++)
        by[i] += weights[i];
    for (i = 0; i < VEHICLE_MOTIONS; i++) {
        const step_motion *m = &vehicle_motions[i];
        const double of_position = weights[m->position], of_rate = weights[m->rate];
        by[m->rate] += since * of_position;
        b->by_h += part * of_position * u[m->rate];
        if (m->acceleration >= 0) {
            by[m->acceleration] += since * (since / 2 * of_position + of_rate);
            b->by_h += part * (since * of_position + of_rate) * u[m->acceleration];
        }
    }
}

/* Takes the weights back through the solver step from x, which begins after done steps of sub. */
static int vehicle_step_back(vehicle_back_room *b, const double *x, double done, double sub, double steps)
{
    vehicle_step_room *const r = &b->step;
    const double *const by = r->room.directions;
    int i, j;
    memcpy(r->room.x, x, sizeof(double) * VEHICLE_STATES);
    if (!vehicle_step_once(r, 0, done, sub, steps))
        return 0;
    for (j = 0; j < VEHICLE_STAGES; j++)
        for (i = 0; i < VEHICLE_STATES; i++) {
            const double weight = vehicle_stage_weight[j] / vehicle_all_weights * b->weights[i];
            b->stage_weights[j][i] = sub * weight;
            b->by_h += weight * r->k[j][i] / steps;
        }
    for (j = VEHICLE_STAGES - 1; j >= 0; j--) {
        const double a = vehicle_stage_at[j];
        vehicle_reach(r, x, j, sub);
        vehicle_continue(r, 0, (done + a) * sub, (done + a) / steps);
        memset(r->room.results, 0, sizeof(double) * VEHICLE_VALUES);
        memcpy(r->room.results, b->stage_weights[j], sizeof(double) * VEHICLE_STATES);
        if (vehicle_adjoint(&r->room.vehicle, r->stage, r->at_stage, 1, r->room.results, r->room.directions) !=
            VEHICLE_OK)
            return 0;
        for (i = 0; i < VEHICLE_PARAMETERS; i++)
            b->by[i] += by[i];
        for (i = 0; i < VEHICLE_STATES; i++) {
            const double weight = by[VEHICLE_PARAMETERS + i];
            b->weights[i] += weight;
            if (j > 0) {
                b->stage_weights[j - 1][i] += sub * a * weight;
                b->by_h += a * weight * r->k[j - 1][i] / steps;
            }
        }
        vehicle_continue_back(b, by + VEHICLE_PARAMETERS + VEHICLE_STATES, (done + a) * sub, (done + a) / steps);
    }
    return 1;
}

/* Goes on from the last states that are kept until those before a solver step, and keeps states on the way: all of
 * them where there is room, else those of half of the way. Returns how many are kept, 0 where a step fails. */
static int vehicle_go_on(vehicle_back_room *b, int count, double before, const step_division *d)
{
    double *const x = b->step.room.x;
    for (; b->after[count - 1] < before; count++) {
        const double left = before - b->after[count - 1];
        double done = b->after[count - 1], until = left <= VEHICLE_KEPT - count ? done + 1 : done + left / 2;
        memcpy(x, b->kept[count - 1], sizeof(double) * VEHICLE_STATES);
        for (; done < until; done++)
            if (!vehicle_step_once(&b->step, 0, done, d->sub, d->n))
                return 0;
        memcpy(b->kept[count], x, sizeof(double) * VEHICLE_STATES);
        b->after[count] = done;
    }
    return count;
}

/* Derivatives of a sum of the states after a step with weights: arg goes on with the value, and the weights. */
static int vehicle_adjoint_step(const double **arg, double **res, double *w)
{
    vehicle_back_room *const b = (vehicle_back_room *)w;
    step_division d;
    double before;
    int count = 1, i;
    if (!vehicle_make(w, arg, 1) || !vehicle_divide(&b->step.room.vehicle, arg[3] ? arg[3][0] : 0, &d))
        return 1;
    memset(b->by, 0, sizeof b->by);
    b->by_h = 0;
    vehicle_take(b->weights, arg[5], VEHICLE_STATES);
    memcpy(b->kept[0], b->step.room.x, sizeof(double) * VEHICLE_STATES);
    b->after[0] = 0;
    for (before = d.n - 1; before >= 0; before--, count--) {
        count = vehicle_go_on(b, count, before, &d);
        if (count == 0 || !vehicle_step_back(b, b->kept[count - 1], before, d.sub, d.n))
            return 1;
    }
    vehicle_give(res[0], b->weights, VEHICLE_STATES);
    vehicle_give(res[1], b->by + VEHICLE_PARAMETERS + VEHICLE_STATES, VEHICLE_INPUTS);
    for (i = 0; i < VEHICLE_VARIED && res[2]; i++)
        res[2][i] = b->by[vehicle_varied[i]];
    vehicle_give(res[3], &b->by_h, 1);
    return 0;
}

VEHICLE_DERIVED(adj1_step, 6, 4, vehicle_back_room, vehicle_adjoint_step(arg, res, w))
