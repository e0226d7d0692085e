
/* Functions for CasADi: f, step and y with their derivatives, in the forms that its class External looks for. The
 * room of a call is in the work vector w: calls share nothing, so that any number may run at the same time. An argument
 * that is NULL is zero, a result that is NULL is not wanted. */

#ifndef CASADI_SYMBOL_EXPORT
#if defined(_WIN32)
#define CASADI_SYMBOL_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define CASADI_SYMBOL_EXPORT __attribute__((visibility("default")))
#else
#define CASADI_SYMBOL_EXPORT
#endif
#endif

#ifndef casadi_real
#define casadi_real double
#endif
#ifndef casadi_int
#define casadi_int long long int
#endif

/* What CasADi asks of a function, beside its evaluation. */
#define VEHICLE_CASADI(name, inputs, outputs, room)                                                           \
    CASADI_SYMBOL_EXPORT casadi_int name##_n_in(void) { return inputs; }                                   \
    CASADI_SYMBOL_EXPORT casadi_int name##_n_out(void) { return outputs; }                                 \
    CASADI_SYMBOL_EXPORT const char *name##_name_in(casadi_int i) { return name##_names[i]; }              \
    CASADI_SYMBOL_EXPORT const char *name##_name_out(casadi_int i) { return name##_names[(inputs) + i]; }  \
    CASADI_SYMBOL_EXPORT const casadi_int *name##_sparsity_in(casadi_int i) { return name##_patterns[i]; } \
    CASADI_SYMBOL_EXPORT const casadi_int *name##_sparsity_out(casadi_int i)                               \
    {                                                                                                      \
        return name##_patterns[(inputs) + i];                                                              \
    }                                                                                                      \
    CASADI_SYMBOL_EXPORT int name##_work(casadi_int *arg, casadi_int *res, casadi_int *iw, casadi_int *w)  \
    {                                                                                                      \
        if (arg)                                                                                           \
            *arg = inputs;                                                                                 \
        if (res)                                                                                           \
            *res = outputs;                                                                                \
        if (iw)                                                                                            \
            *iw = 0;                                                                                       \
        if (w)                                                                                             \
            *w = (casadi_int)(sizeof(room) / sizeof(casadi_real));                                 \
        return 0;                                                                                          \
    }                                                                                                      \
    CASADI_SYMBOL_EXPORT void name##_incref(void) {}                                                       \
    CASADI_SYMBOL_EXPORT void name##_decref(void) {}                                                       \
    CASADI_SYMBOL_EXPORT int name##_checkout(void) { return 0; }                                           \
    CASADI_SYMBOL_EXPORT void name##_release(int mem) { (void)mem; }

/* Copies a result. */
static void vehicle_give(double *to, const double *from, int n)
{
    if (to)
        memcpy(to, from, sizeof(double) * (size_t)n);
}

/* Which values a function has: rates, or outputs. */
typedef struct {
    int first, count;
} vehicle_values;

static const vehicle_values vehicle_rates_of = {0, VEHICLE_STATES};
static const vehicle_values vehicle_outputs_of = {VEHICLE_STATES, VEHICLE_OUTPUTS};

CASADI_SYMBOL_EXPORT int f(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    vehicle_room *const r = vehicle_make(w, arg, 0);
    (void)iw;
    (void)mem;
    if (!r || vehicle_rates(&r->vehicle, r->x, r->u, r->dx) != VEHICLE_OK)
        return 1;
    vehicle_give(res[0], r->dx, VEHICLE_STATES);
    return 0;
}
VEHICLE_CASADI(f, 3, 1, vehicle_room)

CASADI_SYMBOL_EXPORT int y(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    vehicle_room *const r = vehicle_make(w, arg, 0);
    const double *values = r ? vehicle_output(&r->vehicle) : NULL;
    (void)iw;
    (void)mem;
    if (!values)
        return 1;
    vehicle_give(res[0], values, VEHICLE_OUTPUTS);
    return 0;
}
VEHICLE_CASADI(y, 3, 1, vehicle_room)

CASADI_SYMBOL_EXPORT int step(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)
{
    vehicle_room *const r = vehicle_make(w, arg, 0);
    (void)iw;
    (void)mem;
    if (!r || vehicle_step(&r->vehicle, arg[3] ? arg[3][0] : 0) == VEHICLE_ERROR)
        return 1;
    vehicle_give(res[0], r->vehicle.states, VEHICLE_STATES);
    return 0;
}
VEHICLE_CASADI(step, 4, 1, vehicle_room)

/* The Jacobian of values by states, inputs and parameters, as sparse matrices. */
static int vehicle_jacobian_of(const vehicle_values *of, const double **arg, double **res, double *w)
{
    vehicle_room *const r = vehicle_make(w, arg, 1);
    double *to[2] = {res[0], res[1]};
    int e, k;
    if (!r || vehicle_jacobian(&r->vehicle, r->x, r->u, r->entries) != VEHICLE_OK)
        return 1;
    for (e = 0; e < VEHICLE_ENTRIES; e++) {
        const int row = vehicle_entry_row[e] - of->first;
        const int by = vehicle_entry_column[e] >= VEHICLE_PARAMETERS + VEHICLE_STATES;
        if (row >= 0 && row < of->count && to[by])
            *to[by]++ = r->entries[e];
    }
    for (k = 0; k < VEHICLE_VARIED && res[2]; k++) {
        memset(r->directions, 0, sizeof(double) * VEHICLE_VARIABLES);
        r->directions[vehicle_varied[k]] = 1;
        if (vehicle_forward(&r->vehicle, r->x, r->u, 1, r->directions, r->results) != VEHICLE_OK)
            return 1;
        vehicle_give(res[2] + k * of->count, r->results + of->first, of->count);
    }
    return 0;
}

/* Derivatives along several directions: arg goes on with the value, and directions of x, u and p side by side. */
static int vehicle_forward_of(const vehicle_values *of, int count, const double **arg, double **res, double *w)
{
    vehicle_room *const r = vehicle_make(w, arg, 1);
    int n, i;
    if (!r)
        return 1;
    memset(r->directions, 0, sizeof r->directions);
    for (n = 0; n < count; n++) {
        double *const to = r->directions + n * VEHICLE_VARIABLES;
        for (i = 0; i < VEHICLE_VARIED; i++)
            to[vehicle_varied[i]] = arg[6] ? arg[6][n * VEHICLE_VARIED + i] : 0;
        vehicle_take(to + VEHICLE_PARAMETERS, arg[4] ? arg[4] + n * VEHICLE_STATES : NULL, VEHICLE_STATES);
        vehicle_take(to + VEHICLE_PARAMETERS + VEHICLE_STATES, arg[5] ? arg[5] + n * VEHICLE_INPUTS : NULL,
                     VEHICLE_INPUTS);
    }
    if (vehicle_forward(&r->vehicle, r->x, r->u, count, r->directions, r->results) != VEHICLE_OK)
        return 1;
    for (n = 0; n < count && res[0]; n++)
        vehicle_give(res[0] + n * of->count, r->results + n * VEHICLE_VALUES + of->first, of->count);
    return 0;
}

/* Derivatives of a sum of values with weights: arg goes on with the value, and the weights. */
static int vehicle_adjoint_of(const vehicle_values *of, const double **arg, double **res, double *w)
{
    vehicle_room *const r = vehicle_make(w, arg, 1);
    int i;
    if (!r)
        return 1;
    memset(r->results, 0, sizeof r->results);
    vehicle_take(r->results + of->first, arg[4], of->count);
    if (vehicle_adjoint(&r->vehicle, r->x, r->u, 1, r->results, r->directions) != VEHICLE_OK)
        return 1;
    vehicle_give(res[0], r->directions + VEHICLE_PARAMETERS, VEHICLE_STATES);
    vehicle_give(res[1], r->directions + VEHICLE_PARAMETERS + VEHICLE_STATES, VEHICLE_INPUTS);
    for (i = 0; i < VEHICLE_VARIED && res[2]; i++)
        res[2][i] = r->directions[vehicle_varied[i]];
    return 0;
}

#define VEHICLE_DERIVED(name, inputs, outputs, room, call)                                                             \
    CASADI_SYMBOL_EXPORT int name(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem) \
    {                                                                                                            \
        (void)iw;                                                                                                \
        (void)mem;                                                                                               \
        return call;                                                                                             \
    }                                                                                                            \
    VEHICLE_CASADI(name, inputs, outputs, room)

VEHICLE_DERIVED(jac_f, 4, 3, vehicle_room, vehicle_jacobian_of(&vehicle_rates_of, arg, res, w))
VEHICLE_DERIVED(fwd1_f, 7, 1, vehicle_room, vehicle_forward_of(&vehicle_rates_of, 1, arg, res, w))
VEHICLE_DERIVED(fwd4_f, 7, 1, vehicle_room, vehicle_forward_of(&vehicle_rates_of, 4, arg, res, w))
VEHICLE_DERIVED(adj1_f, 5, 3, vehicle_room, vehicle_adjoint_of(&vehicle_rates_of, arg, res, w))
VEHICLE_DERIVED(jac_y, 4, 3, vehicle_room, vehicle_jacobian_of(&vehicle_outputs_of, arg, res, w))
VEHICLE_DERIVED(fwd1_y, 7, 1, vehicle_room, vehicle_forward_of(&vehicle_outputs_of, 1, arg, res, w))
VEHICLE_DERIVED(fwd4_y, 7, 1, vehicle_room, vehicle_forward_of(&vehicle_outputs_of, 4, arg, res, w))
VEHICLE_DERIVED(adj1_y, 5, 3, vehicle_room, vehicle_adjoint_of(&vehicle_outputs_of, arg, res, w))
