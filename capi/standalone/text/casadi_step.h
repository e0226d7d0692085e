
/* Derivatives of a step, for CasADi. */

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
    if (!vehicle_make(w, arg, 1))
        return 1;
    for (first = 0; first < ends[3]; first += VEHICLE_TOGETHER) {
        count = ends[3] - first < VEHICLE_TOGETHER ? ends[3] - first : VEHICLE_TOGETHER;
        vehicle_take(r->room.x, arg[0], VEHICLE_STATES);
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

/* How many states are kept on the way back. There are never as many as 2^32 solver steps, so that halves of what is
 * left need half of the places at most. */
enum { VEHICLE_KEPT = 64 };

/* What the way back works on: states, and how many solver steps led to them; weights of the states
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
