
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

/* A solver step of the states and of their directions, which begins after done steps of sub. */
static int vehicle_step_once(vehicle_step_room *r, int count, double done, double sub, double steps)
{
    double *const x = r->room.x;
    int j, l, n, i;
    for (j = 0; j < VEHICLE_STAGES; j++) {
        const double a = vehicle_stage_at[j];
        for (i = 0; i < VEHICLE_STATES; i++)
            r->stage[i] = j == 0 ? x[i] : x[i] + sub * a * r->k[j - 1][i];
        for (n = 0; n < count; n++) {
            double *const to = r->room.directions + n * VEHICLE_VARIABLES;
            memcpy(to, r->given[n], sizeof(double) * VEHICLE_PARAMETERS);
            for (i = 0; i < VEHICLE_STATES; i++)
                to[VEHICLE_PARAMETERS + i] = r->moved[n][i] + (j == 0 ? 0 : sub * a * r->slopes[j - 1][n][i] +
                                                                   r->h[n] / steps * a * r->k[j - 1][i]);
        }
        vehicle_continue(r, count, (done + a) * sub, (done + a) / steps);
        if (vehicle_rates(&r->room.vehicle, r->stage, r->at_stage, r->k[j]) != VEHICLE_OK ||
            vehicle_forward(&r->room.vehicle, r->stage, r->at_stage, count, r->room.directions, r->room.results) !=
                VEHICLE_OK)
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

/* A step h of the directions that are given. */
static int vehicle_step_along(vehicle_step_room *r, int count, double h)
{
    vehicle *const c = &r->room.vehicle;
    step_division d;
    double done;
    int n;
    if (!(h > 0 && h <= DBL_MAX) || !step_divide(0, h, vehicle_longest_step(c), &d))
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
