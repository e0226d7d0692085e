
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

void vehicle_follow_motions(const vehicle *c, double *direction)
{
    int i;
    for (i = 0; i < VEHICLE_MOTIONS; i++) {
        const step_motion *m = &vehicle_motions[i];
        direction[m->position] += c->inputs[m->rate];
        if (m->acceleration >= 0)
            direction[m->rate] += c->inputs[m->acceleration];
    }
}
