
/* Derivatives of a step of an explicit method: those of the program that ran, through every stage of every solver
 * step. The inputs are constant during the step, except those of prescribed motions. */

/* A stage takes place at this part of the solver step, after as much of the rates before it, and has this weight. */
static const double vehicle_stage_at[4] = {0, VEHICLE_STAGES == 4 ? 0.5 : 1, 0.5, 1};
static const double vehicle_stage_weight[4] = {1, VEHICLE_STAGES == 4 ? 2 : 1, 2, 1};
static const double vehicle_all_weights = VEHICLE_STAGES == 4 ? 6 : VEHICLE_STAGES;

/* What these functions work on. A direction is one of states, inputs, parameters and h. */
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
    return h > 0 && h <= DBL_MAX && step_divide(0, h, vehicle_longest_step(c), 0, d);
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
