
/* Discrete dynamics for acados, with dyn_ext_fun_type = 'generic'. in: the states, and the inputs that are controls;
 * params: the step [s], then the parameters that vary. out: the states after the step; then their derivatives, a row
 * for each control and each state. acados does not look at what these functions return: where a step fails, all
 * results are not a number. A call has its room on the stack. */

#include "blasfeo_common.h"
#include "blasfeo_d_aux.h"

/* A vector or a matrix, and where in it the argument begins, as acados gives them. */
typedef struct {
    struct blasfeo_dvec *numbers;
    int first;
} vehicle_vector;

typedef struct {
    struct blasfeo_dmat *numbers;
    int row, column;
} vehicle_matrix;

/* What is given. */
typedef struct {
    double x[VEHICLE_STATES + 1], controls[VEHICLE_CONTROLLED + 1], u[VEHICLE_INPUTS + 1];
    const double *arg[3];
} vehicle_given;

/* Reads the arguments; returns the step [s]. */
static double vehicle_read_arguments(vehicle_given *g, void **in, const double *params)
{
    const vehicle_vector *const x = (const vehicle_vector *)in[0], *const u = (const vehicle_vector *)in[1];
    int i;
    blasfeo_unpack_dvec(VEHICLE_STATES, x->numbers, x->first, g->x, 1);
    blasfeo_unpack_dvec(VEHICLE_CONTROLLED, u->numbers, u->first, g->controls, 1);
    memcpy(g->u, vehicle_input_starts, sizeof(double) * VEHICLE_INPUTS);
    for (i = 0; i < VEHICLE_CONTROLLED; i++)
        g->u[vehicle_controlled[i]] = g->controls[i];
    g->arg[0] = g->x;
    g->arg[1] = g->u;
    g->arg[2] = params + 1;
    return params[0];
}

/* Writes the states after a step, of a vehicle that is at the beginning. */
static int vehicle_write_states(vehicle *c, double h, int is, const vehicle_vector *to)
{
    int i;
    is = is && vehicle_step(c, h) != VEHICLE_ERROR;
    for (i = 0; i < VEHICLE_STATES && !is; i++)
        c->states[i] = OP_NAN;
    blasfeo_pack_dvec(VEHICLE_STATES, c->states, 1, to->numbers, to->first);
    return is ? 0 : 1;
}

int vehicle_disc_dyn_fun(void **in, void **out, void *params);
int vehicle_disc_dyn_fun(void **in, void **out, void *params)
{
    vehicle_room room;
    vehicle_given g;
    const double h = vehicle_read_arguments(&g, in, (const double *)params);
    const int is = vehicle_make(&room, g.arg, 0) != NULL;
    return vehicle_write_states(&room.vehicle, h, is, (const vehicle_vector *)out[0]);
}

int vehicle_disc_dyn_fun_jac(void **in, void **out, void *params);
int vehicle_disc_dyn_fun_jac(void **in, void **out, void *params)
{
    vehicle_step_room r;
    vehicle_given g;
    const double h = vehicle_read_arguments(&g, in, (const double *)params);
    const vehicle_matrix *const to = (const vehicle_matrix *)out[1];
    int first, n, count, is = vehicle_make(&r, g.arg, 1) != NULL;
    for (first = 0; first < VEHICLE_CONTROLLED + VEHICLE_STATES; first += VEHICLE_TOGETHER) {
        count = VEHICLE_CONTROLLED + VEHICLE_STATES - first;
        count = count < VEHICLE_TOGETHER ? count : VEHICLE_TOGETHER;
        memset(r.given, 0, sizeof r.given);
        memset(r.h, 0, sizeof r.h);
        for (n = 0; n < count; n++) {
            const int k = first + n;
            const int state = k - VEHICLE_CONTROLLED;
            r.given[n][VEHICLE_PARAMETERS + (state < 0 ? VEHICLE_STATES + vehicle_controlled[k] : state)] = 1;
        }
        vehicle_take(r.room.x, g.x, VEHICLE_STATES);
        is = is && vehicle_step_along(&r, count, h);
        for (n = 0; n < count * (VEHICLE_STATES + 1) && !is; n++)
            r.moved[n / (VEHICLE_STATES + 1)][n % (VEHICLE_STATES + 1)] = OP_NAN;
        blasfeo_pack_tran_dmat(VEHICLE_STATES, count, r.moved[0], VEHICLE_STATES + 1, to->numbers, to->row + first,
                               to->column);
    }
    return vehicle_write_states(&r.room.vehicle, h, is, (const vehicle_vector *)out[0]);
}
