
int vehicle_start_at(vehicle *c, double time) { return vehicle_initialise_at(c, time); }

int vehicle_divides(const vehicle *c, double time, double h)
{
    step_division d;
    return step_divide(time, h, vehicle_longest_step(c), STEP_CONTACTS, &d);
}

void vehicle_look(vehicle *c)
{
    vehicle_of of;
    step_work w;
    if (c->ready != VEHICLE_READY || !vehicle_evaluate_all(c, c->states, c->inputs, c->work))
        return;
    vehicle_tables(&of, c);
    step_begin(&w, &of, c->time, c->work);
    step_look_at_rows(&w, c->time);
}

int vehicle_has_left(vehicle *c, int row, double *t, double *x)
{
    if (!c->untold[row])
        return 0;
    c->untold[row] = 0;
    *t = c->left[2 * row];
    *x = c->left[2 * row + 1];
    return 1;
}

int vehicle_look_at_ends_now(vehicle *c, double *ended)
{
    const double *u = VEHICLE_GROUNDS > 0 ? c->memory + VEHICLE_RATE_INPUTS : c->inputs;
    return vehicle_evaluate_ends(c, c->states, u, ended);
}

#if STEP_SAMPLES
int vehicle_sample(vehicle *c)
{
    vehicle_of of;
    step_work w;
    vehicle_tables(&of, c);
    step_begin(&w, &of, c->time, c->work);
    step_copy(w.x, c->states, VEHICLE_STATES);
    step_copy(w.u, c->inputs, VEHICLE_ALL_INPUTS);
    if (!step_take_samples(&w, 0))
        return 0;
    step_copy(c->inputs, w.u, VEHICLE_ALL_INPUTS);
    return 1;
}

double vehicle_next_sample(vehicle *c)
{
    vehicle_of of;
    double due, uncut;
    vehicle_tables(&of, c);
    return step_next_samples(&of, &due, &uncut);
}
#else
int vehicle_sample(vehicle *c)
{
    (void)c;
    return 1;
}

double vehicle_next_sample(vehicle *c)
{
    (void)c;
    return OP_INFINITY;
}
#endif

int vehicle_by_time(vehicle *c, double *results)
{
    double *const states = c->swept + VEHICLE_PARAMETERS, *const inputs = states + VEHICLE_STATES;
    const double *const point = c->memory + VEHICLE_POINT_INPUTS;
    double *const u = c->memory + VEHICLE_DIRECTION + VEHICLE_PARAMETERS + VEHICLE_STATES;
    size_t i;
    memset(c->swept, 0, sizeof(double) * VEHICLE_VARIABLES);
    step_copy(states, c->work, VEHICLE_STATES);
    step_copy(inputs, c->input_rates, VEHICLE_INPUTS);
    for (i = 0; i < vehicle_count(VEHICLE_MOTIONS); i++) {
        const step_motion *m = &vehicle_motions[i];
        inputs[m->position] += c->inputs[m->rate];
        if (m->acceleration >= 0)
            inputs[m->rate] += c->inputs[m->acceleration];
    }
    if (!vehicle_differentiate(c, c->states, c->inputs) || !vehicle_direct_parameters(c, c->swept) ||
        !vehicle_direct(c, c->states, c->swept))
        return VEHICLE_ERROR;
    for (i = VEHICLE_INPUTS; i < vehicle_count(VEHICLE_ALL_INPUTS); i++) /* the time is one of them */
        u[i] += c->input_rates[i];
    for (i = 0; i < vehicle_count(VEHICLE_GROUNDS); i++)
        u[vehicle_grounds[i].height] += point[vehicle_grounds[i].rate];
    if (!vehicle_sweep_along(c))
        return VEHICLE_ERROR;
    vehicle_read_along(c, results);
    return VEHICLE_OK;
}

/* The operations that the start follows from, with their derivatives. */
static int vehicle_differentiate_start(vehicle *c)
{
    step_copy(c->memory + VEHICLE_POINT_INPUTS, c->inputs, VEHICLE_ALL_INPUTS);
    return vehicle_evaluate_start(c);
}

int vehicle_start_along(vehicle *c, const double *direction, double *states)
{
    double *const u = c->memory + VEHICLE_DIRECTION + VEHICLE_PARAMETERS + VEHICLE_STATES;
    size_t i;
    for (i = 0; i < vehicle_count(VEHICLE_ALL_INPUTS); i++)
        u[i] = i < vehicle_count(VEHICLE_INPUTS) ? direction[VEHICLE_PARAMETERS + VEHICLE_STATES + i] : 0;
    if (!vehicle_differentiate_start(c) || !vehicle_direct_parameters(c, direction) || !vehicle_sweep_start_along(c))
        return VEHICLE_ERROR;
    vehicle_read_start_along(c, states);
    return VEHICLE_OK;
}

int vehicle_start_against(vehicle *c, const double *weights, double *starts, double *results)
{
    size_t i;
    if (!vehicle_differentiate(c, c->states, c->inputs))
        return VEHICLE_ERROR;
    vehicle_put_weights(c, weights);
    if (!vehicle_sweep_against(c) || !vehicle_collect_planes(c, c->states, results))
        return VEHICLE_ERROR;
    for (i = 0; i < vehicle_count(VEHICLE_STATES); i++)
        starts[i] += c->swept[VEHICLE_PARAMETERS + i];
    return VEHICLE_OK;
}

int vehicle_end_against(vehicle *c, const double *starts, double *results)
{
    if (!vehicle_differentiate_start(c))
        return VEHICLE_ERROR;
    step_copy(c->memory + VEHICLE_START_WEIGHTS, starts, VEHICLE_STATES);
    if (!vehicle_sweep_start_against(c))
        return VEHICLE_ERROR;
    vehicle_add_start_against(c, c->swept);
    vehicle_collect_variables(c, results);
    return VEHICLE_OK;
}

/* The states at the start of present parameters and inputs, also where steps are for ground of one friction, and a
 * difference is not: carcasses start at any friction alike. */
static int vehicle_start_again(vehicle *c)
{
    if (!vehicle_prepare(c) || !vehicle_measure(c))
        return 0;
    vehicle_start_states(c);
    c->ready = VEHICLE_READY;
    return vehicle_lay(c, c->states, c->memory + VEHICLE_RATE_INPUTS) && vehicle_start_carcasses(c);
}

int vehicle_carcass_column(vehicle *c, int variable, double *column)
{
    double *const at = variable < VEHICLE_PARAMETERS
                           ? c->parameters + variable
                           : c->inputs + (variable - VEHICLE_PARAMETERS - VEHICLE_STATES);
    const double x = *at, h = vehicle_difference(x);
    int side, computed = 1;
    size_t i;
    for (i = 0; i < vehicle_count(VEHICLE_CARCASS_STATES); i++)
        column[i] = 0;
    for (side = 1; side >= -1; side -= 2) {
        *at = x + side * h;
        computed = vehicle_start_again(c) && computed;
        for (i = 0; i < vehicle_count(VEHICLE_CARCASS_STATES); i++)
            column[i] += side * c->states[vehicle_carcass_states[i]] / (2 * h);
    }
    *at = x;
    return vehicle_start_again(c) && computed ? VEHICLE_OK : VEHICLE_ERROR;
}
