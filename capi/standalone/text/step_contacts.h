/* step_contacts.h - wheel contacts, which act at the end of a solver step: masses on rims roll on terrain, lift off and
 * hit it. Sums and products stand in the order of package cosim.
 *
 * Behind step_ground.h, with STEP_TERRAIN 1. Who includes it has defined
 *
 *   STEP_OF                      with more tables: contacts, contact_count, and contact_along, by contact the place
 *                                along the road where it was last, not a number where unknown
 *   STEP_CONTACT(of, i)          the numbers of contact i; those that follow from parameters are there, and coordinates
 *                                along axes without a state
 *   STEP_CONTACT_LAW(of, i)      computes what the law returns, 0 where it gives up */

/* Reads the motion of contact mass and rim from the states. */
static void step_read_contact(const step_contact *c, const double *x, double *numbers)
{
    for (size_t k = 0; k < 3; k++) {
        if (c->place[k] < 0)
            continue;
        numbers[STEP_CONTACT_PLACE + k] = x[c->place[k]];
        numbers[STEP_CONTACT_SPEED + k] = x[c->speed[k]];
        numbers[STEP_CONTACT_RIM + k] = x[c->rim[k]];
        numbers[STEP_CONTACT_RIM_SPEED + k] = x[c->rim_speed[k]];
    }
}

/* Notes the wheels before a solver step. */
static void step_note_contacts(const STEP_OF *of, const double *x)
{
    for (size_t i = 0; i < of->contact_count; i++) {
        double *const numbers = STEP_CONTACT(of, i);
        step_read_contact(&of->contacts[i], x, numbers);
        for (size_t k = STEP_CONTACT_BEFORE; k < STEP_CONTACT_PLACE; k++)
            numbers[k] = numbers[k + STEP_CONTACT_PLACE - STEP_CONTACT_BEFORE];
    }
}

/* Computes what the law of a contact returns, with the plane at the place of the contact mass, in the plane in which it
 * moves. Where there is no ground, it is farther below than a wheel reaches. 0 where something gives up. */
static int step_touch_ground(const STEP_OF *of, size_t i, double t, const double *x, const double *u)
{
    static const double bottomless = 10; /* m */
    const step_contact *c = &of->contacts[i];
    double *const numbers = STEP_CONTACT(of, i), *const at = numbers + STEP_CONTACT_PLACE;
    step_query q = {0, 0, t, 0, of->contact_along[i]};
    step_point p;
    step_read_contact(c, x, numbers);
    q.x = at[0];
    q.y = at[1];
    q.above = numbers[STEP_CONTACT_RIM + 2] - u[c->height];
    if (!step_surface_at(of, c->surface, &q, &p))
        return 0;
    of->contact_along[i] = p.u;
    if (p.no_ground)
        p.height = at[2] - bottomless;
    numbers[STEP_CONTACT_HEIGHT] = p.height + u[c->height];
    numbers[STEP_CONTACT_SLOPE_X] = c->place[0] < 0 ? 0 : p.slope_x;
    numbers[STEP_CONTACT_SLOPE_Y] = c->place[1] < 0 ? 0 : p.slope_y;
    numbers[STEP_CONTACT_RISING + 2] = p.rate;
    return STEP_CONTACT_LAW(of, i);
}

/* Lets the wheels touch the terrain after a solver step of h that has led to time t. 0 where something gives up. */
static int step_contacts(const STEP_OF *of, double t, double h, double *x, double *u)
{
    for (size_t i = 0; i < of->contact_count; i++) {
        const step_contact *c = &of->contacts[i];
        double *const numbers = STEP_CONTACT(of, i);
        numbers[STEP_CONTACT_STEP] = h;
        numbers[STEP_CONTACT_MODE] = u[c->mode];
        if (!step_touch_ground(of, i, t, x, u))
            return 0;
        u[c->mode] = numbers[STEP_CONTACT_NEW_MODE];
        for (size_t k = 0; k < 3; k++) {
            u[c->normal[k]] = numbers[STEP_CONTACT_NORMAL + k];
            if (c->impulsive)
                u[c->impulse[k]] = numbers[STEP_CONTACT_IMPULSE + k];
            if (c->place[k] >= 0) {
                x[c->place[k]] = numbers[STEP_CONTACT_NEW_PLACE + k];
                x[c->speed[k]] = numbers[STEP_CONTACT_NEW_SPEED + k];
            }
        }
    }
    return 1;
}
