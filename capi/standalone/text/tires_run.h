static int vehicle_same_name(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return a[i] == b[i];
}

/* The place of what a tire can ask for by a name, -1 where there is none. */
static int vehicle_find_offer(int tire, const char *name)
{
    int i;
    for (i = vehicle_first_offer[tire]; i < vehicle_first_offer[tire + 1]; i++)
        if (vehicle_same_name(vehicle_offers[i].name, name))
            return vehicle_offers[i].at;
    return -1;
}

int vehicle_set_tire(vehicle *c, int tire, const char *const *inputs, int input_count, vehicle_tire_function *evaluate,
                     void *instance)
{
    vehicle_tire *t;
    int i;
    if (tire < 0 || tire >= VEHICLE_TIRES || inputs == NULL || input_count < 1 || input_count > VEHICLE_TIRE_INPUTS ||
        evaluate == NULL)
        return VEHICLE_ERROR;
    for (i = 0; i < input_count; i++)
        if (inputs[i] == NULL || vehicle_find_offer(tire, inputs[i]) < 0)
            return VEHICLE_ERROR;
    t = &c->tires[tire];
    for (i = 0; i < input_count; i++)
        t->inputs[i] = vehicle_find_offer(tire, inputs[i]);
    t->input_count = input_count;
    t->evaluate = evaluate;
    t->instance = instance;
    return VEHICLE_OK;
}

/* Whether all tires have their functions. */
static int vehicle_has_tires(const vehicle *c)
{
    int i;
    for (i = 0; i < VEHICLE_TIRES; i++)
        if (c->tires[i].evaluate == NULL)
            return 0;
    return 1;
}

/* Forces and moments of a tire; 0 where its function fails, or returns what no tire has. */
static int vehicle_call_tire(vehicle *c, int tire, double *forces)
{
    static const double largest = 1e9; /* N, N m */
    const vehicle_tire *const t = &c->tires[tire];
    double in[VEHICLE_TIRE_INPUTS], none = 0;
    int i;
    for (i = 0; i < t->input_count; i++)
        in[i] = c->memory[t->inputs[i]];
    if (t->evaluate(1, &t->instance, in, &none, forces, &none) != 0)
        return 0;
    for (i = 0; i < 5; i++)
        if (!(op_abs(forces[i]) <= largest))
            return 0;
    return 1;
}

