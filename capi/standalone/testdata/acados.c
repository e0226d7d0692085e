/* Calls the functions for acados as it does, on vectors and matrices of BLASFEO that are larger than their arguments.
 * Reads states, controls, and the step with parameters behind it; writes the states after the step, what the functions
 * returned, and derivatives, row by row. */
#include "vehicle_acados.c"

#include "blasfeo_d_aux_ext_dep.h"

#include <stdio.h>
#include <stdlib.h>

enum { BEFORE = 2, ROW = 1, COLUMN = 3, FILLED = 7 };

static void read_all(double *x, size_t n)
{
    if (n != 0 && fread(x, sizeof *x, n, stdin) != n)
        exit(3);
}

static void write_states(struct blasfeo_dvec *of)
{
    static double x[VEHICLE_STATES + 1];
    int i;
    blasfeo_unpack_dvec(VEHICLE_STATES, of, BEFORE, x, 1);
    fwrite(x, sizeof *x, VEHICLE_STATES, stdout);
    for (i = 0; i < BEFORE; i++)
        if (BLASFEO_DVECEL(of, i) != FILLED)
            exit(4);
}

int main(void)
{
    static double ux[VEHICLE_CONTROLLED + VEHICLE_STATES + 1], params[VEHICLE_VARIED + 1];
    struct blasfeo_dvec given, states;
    struct blasfeo_dmat jacobian;
    vehicle_vector x = {&given, VEHICLE_CONTROLLED}, u = {&given, 0}, x1 = {&states, BEFORE};
    vehicle_matrix to = {&jacobian, ROW, COLUMN};
    void *in[] = {&x, &u}, *out[] = {&x1, &to};
    double returned[2];
    int i, k;
    blasfeo_allocate_dvec(VEHICLE_CONTROLLED + VEHICLE_STATES, &given);
    blasfeo_allocate_dvec(BEFORE + VEHICLE_STATES, &states);
    blasfeo_allocate_dmat(ROW + VEHICLE_CONTROLLED + VEHICLE_STATES + 1, COLUMN + VEHICLE_STATES + 1, &jacobian);
    read_all(ux + VEHICLE_CONTROLLED, VEHICLE_STATES);
    read_all(ux, VEHICLE_CONTROLLED);
    read_all(params, VEHICLE_VARIED + 1);
    blasfeo_pack_dvec(VEHICLE_CONTROLLED + VEHICLE_STATES, ux, 1, &given, 0);
    blasfeo_dvecse(BEFORE + VEHICLE_STATES, FILLED, &states, 0);
    blasfeo_dgese(jacobian.m, jacobian.n, FILLED, &jacobian, 0, 0);
    returned[0] = vehicle_disc_dyn_fun(in, out, params);
    write_states(&states);
    blasfeo_dvecse(BEFORE + VEHICLE_STATES, FILLED, &states, 0);
    returned[1] = vehicle_disc_dyn_fun_jac(in, out, params);
    write_states(&states);
    fwrite(returned, sizeof *returned, 2, stdout);
    for (i = 0; i < jacobian.m; i++)
        for (k = 0; k < jacobian.n; k++) {
            const double entry = BLASFEO_DMATEL(&jacobian, i, k);
            const int row = i - ROW, column = k - COLUMN;
            if (row >= 0 && row < VEHICLE_CONTROLLED + VEHICLE_STATES && column >= 0 && column < VEHICLE_STATES)
                fwrite(&entry, sizeof entry, 1, stdout);
            else if (entry != FILLED)
                exit(5);
        }
    return 0;
}
