
/* Derivatives. A direction holds parameters, states and inputs behind each other. */

/* Evaluates the point x, u. */
static int vehicle_differentiate(vehicle *c, const double *x, const double *u)
{
    double *const to = c->memory + VEHICLE_POINT_INPUTS;
    if (c->ready != VEHICLE_READY)
        return 0;
    memcpy(to, c->inputs, sizeof(double) * VEHICLE_ALL_INPUTS);
    memcpy(to, u, sizeof(double) * VEHICLE_INPUTS);
    return vehicle_lay(c, x, to) && vehicle_evaluate_point(c, x);
}

/* By a parameter of terrain: derivatives of the planes under tires at states x, five numbers by ground. NULL where
 * they cannot be computed. */
static const double *vehicle_plane_slopes(vehicle *c, const double *x, size_t shaping)
{
    const double p = vehicle_in_use(c)[vehicle_shaping[shaping]], h = vehicle_difference(p);
    double *const u = c->planes, *const slopes = c->planes + VEHICLE_ALL_INPUTS;
    vehicle_of of;
    size_t i;
    int side;
    vehicle_tables(&of, c);
    for (i = 0; i < 5 * vehicle_count(VEHICLE_GROUNDS); i++)
        slopes[i] = 0;
    for (side = 1; side >= -1; side -= 2) {
        of.levels = c->shapes + (2 * shaping + (side < 0)) * vehicle_count(VEHICLE_SHAPE_SIZE);
        of.footprints = of.levels + STEP_GROUND_NUMBERS * VEHICLE_SURFACES;
        memcpy(u, c->memory + VEHICLE_POINT_INPUTS, sizeof(double) * VEHICLE_ALL_INPUTS);
        if (!step_lay(&of, c->time, x, u))
            return NULL;
        for (i = 0; i < vehicle_count(VEHICLE_GROUNDS); i++) {
            const step_ground *g = &vehicle_grounds[i];
            double *to = slopes + 5 * i;
            to[0] += side * u[g->height] / (2 * h);
            to[1] += side * u[g->slope_x] / (2 * h);
            to[2] += side * u[g->slope_y] / (2 * h);
            to[3] += side * u[g->rate] / (2 * h);
            to[4] += side * u[g->friction] / (2 * h);
        }
    }
    return slopes;
}

/* The inputs that take the plane under a tire. */
static void vehicle_plane_inputs(size_t ground, int32_t *to)
{
    const step_ground *g = &vehicle_grounds[ground];
    to[0] = g->height;
    to[1] = g->slope_x;
    to[2] = g->slope_y;
    to[3] = g->rate;
    to[4] = g->friction;
}

/* Puts the part of a direction that belongs to states and inputs into its place. Planes under tires follow, at states
 * x. */
static int vehicle_direct(vehicle *c, const double *x, const double *direction)
{
    const double *const states = direction + VEHICLE_PARAMETERS, *const inputs = states + VEHICLE_STATES;
    double *const to = c->memory + VEHICLE_DIRECTION + VEHICLE_PARAMETERS, *const u = to + VEHICLE_STATES;
    size_t i, k, n;
    for (i = 0; i < vehicle_count(VEHICLE_STATES); i++)
        to[i] = states[i];
    for (i = 0; i < vehicle_count(VEHICLE_INPUTS); i++)
        u[i] = inputs[i];
    for (i = 0; i < vehicle_count(VEHICLE_CONTROLS); i++)
        u[VEHICLE_INPUTS + i] = 0;
    for (i = 0; i < vehicle_count(VEHICLE_GROUNDS); i++)
        u[vehicle_grounds[i].height] += u[vehicle_grounds[i].above];
    for (k = 0; k < vehicle_count(VEHICLE_SHAPING); k++) {
        const double seed = direction[vehicle_shaping[k]];
        const double *const slopes = seed != 0 ? vehicle_plane_slopes(c, x, k) : NULL;
        if (seed != 0 && slopes == NULL)
            return 0;
        for (i = 0; i < vehicle_count(VEHICLE_GROUNDS) && slopes != NULL; i++) {
            int32_t plane[5];
            vehicle_plane_inputs(i, plane);
            for (n = 0; n < 5; n++)
                u[plane[n]] += seed * slopes[5 * i + n];
        }
    }
    return 1;
}

/* Sweeps along the parameters of a direction. */
static int vehicle_direct_parameters(vehicle *c, const double *parameters)
{
    double *const to = c->memory + VEHICLE_DIRECTION;
    size_t i;
    for (i = 0; i < vehicle_count(VEHICLE_PARAMETERS); i++)
        to[i] = (int)i == VEHICLE_STEP_SETTING ? 0.0 : 0.0 + parameters[i];
    return vehicle_follow_parameters(c);
}

int vehicle_forward(vehicle *c, const double *x, const double *u, int count, const double *directions, double *results)
{
    if (!vehicle_differentiate(c, x, u))
        return VEHICLE_ERROR;
    for (; count > 0; count--, directions += VEHICLE_VARIABLES, results += VEHICLE_VALUES) {
        if (!vehicle_direct_parameters(c, directions) || !vehicle_direct(c, x, directions) || !vehicle_sweep_along(c))
            return VEHICLE_ERROR;
        vehicle_read_along(c, results);
    }
    return VEHICLE_OK;
}

/* Of what a sweep against weights leaves in c->swept, the derivatives by parameters of terrain. */
static int vehicle_collect_planes(vehicle *c, const double *x, double *results)
{
    double *const all = c->swept, *const u = all + VEHICLE_PARAMETERS + VEHICLE_STATES;
    size_t i, k, n;
    vehicle_read_against(c, all);
    memset(results, 0, sizeof(double) * VEHICLE_VARIABLES);
    for (k = 0; k < vehicle_count(VEHICLE_SHAPING); k++) {
        const double *const slopes = vehicle_plane_slopes(c, x, k);
        if (slopes == NULL)
            return 0;
        for (i = 0; i < vehicle_count(VEHICLE_GROUNDS); i++) {
            int32_t plane[5];
            vehicle_plane_inputs(i, plane);
            for (n = 0; n < 5; n++)
                results[vehicle_shaping[k]] += u[plane[n]] * slopes[5 * i + n];
        }
    }
    for (i = 0; i < vehicle_count(VEHICLE_GROUNDS); i++)
        u[vehicle_grounds[i].above] += u[vehicle_grounds[i].height];
    return 1;
}

/* Adds the derivatives by variables. */
static void vehicle_collect_variables(const vehicle *c, double *results)
{
    size_t i;
    for (i = 0; i < vehicle_count(VEHICLE_VARIABLES); i++)
        results[i] += (int)i == VEHICLE_STEP_SETTING ? 0.0 : c->swept[i];
}

int vehicle_adjoint(vehicle *c, const double *x, const double *u, int count, const double *weights, double *results)
{
    if (!vehicle_differentiate(c, x, u))
        return VEHICLE_ERROR;
    for (; count > 0; count--, weights += VEHICLE_VALUES, results += VEHICLE_VARIABLES) {
        vehicle_put_weights(c, weights);
        if (!vehicle_sweep_against(c) || !vehicle_collect_planes(c, x, results))
            return VEHICLE_ERROR;
        vehicle_collect_variables(c, results);
    }
    return VEHICLE_OK;
}

int vehicle_jacobian(vehicle *c, const double *x, const double *u, double *entries)
{
    double *const direction = c->swept, *const values = c->swept + VEHICLE_VARIABLES;
    int group, k = 0, i, e;
    memset(c->swept, 0, sizeof c->swept);
    if (!vehicle_differentiate(c, x, u) || !vehicle_direct_parameters(c, direction))
        return VEHICLE_ERROR;
    for (group = 0; group < VEHICLE_GROUPS; group++) {
        const int begun = k;
        for (; k < vehicle_group_ends[group]; k++)
            direction[VEHICLE_PARAMETERS + vehicle_group_columns[k]] = 1;
        if (!vehicle_direct(c, x, direction) || !vehicle_sweep_along(c))
            return VEHICLE_ERROR;
        vehicle_read_along(c, values);
        for (i = begun; i < k; i++) {
            const int column = vehicle_group_columns[i];
            for (e = vehicle_column_entries[column]; e < vehicle_column_entries[column + 1]; e++)
                entries[e] = values[vehicle_entry_row[e]];
            direction[VEHICLE_PARAMETERS + column] = 0;
        }
    }
    return VEHICLE_OK;
}
