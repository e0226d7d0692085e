/* Calls the functions for CasADi as CasADi does, on a work vector with any numbers in it. Reads arguments, writes
 * results. */
#include "vehicle_casadi.c"

#include <stdio.h>
#include <stdlib.h>

enum { TOGETHER = 4, LARGEST = 1 << 16 };

static double *room(size_t n)
{
    double *w = (double *)malloc(n * sizeof *w);
    if (w == NULL)
        exit(5);
    memset(w, 0xff, n * sizeof *w);
    return w;
}

static double *in(size_t n)
{
    double *x = room(n + 1);
    if (n != 0 && fread(x, sizeof *x, n, stdin) != n)
        exit(3);
    return x;
}

/* A function as CasADi sees it. */
typedef struct {
    int (*call)(const casadi_real **, casadi_real **, casadi_int *, casadi_real *, int);
    int (*work)(casadi_int *, casadi_int *, casadi_int *, casadi_int *);
    casadi_int (*outputs)(void);
    const casadi_int *(*pattern)(casadi_int);
    const char *(*name)(casadi_int);
} function;

#define FUNCTION(name) {name, name##_work, name##_n_out, name##_sparsity_out, name##_name_out}

static size_t entries(const casadi_int *pattern) { return (size_t)pattern[2 + pattern[1]]; }

/* Calls a function and writes its results as full matrices. */
static void call(function f, const double **arg)
{
    double *res[8], *w, *full;
    casadi_int sizes[4], i, column, k;
    f.work(&sizes[0], &sizes[1], &sizes[2], &sizes[3]);
    w = room((size_t)sizes[3]);
    for (i = 0; i < f.outputs(); i++)
        res[i] = room(entries(f.pattern(i)) + 1);
    if (f.call(arg, res, NULL, w, 0) != 0)
        exit(6);
    for (i = 0; i < f.outputs(); i++) {
        const casadi_int *p = f.pattern(i), rows = p[0], *starts = p + 2, *at = p + 3 + p[1];
        size_t n = (size_t)(rows * p[1]);
        full = room(n + 1);
        memset(full, 0, n * sizeof *full);
        for (column = 0; column < p[1]; column++)
            for (k = starts[column]; k < starts[column + 1]; k++)
                full[column * rows + at[k]] = res[i][k];
        fwrite(full, sizeof *full, n, stdout);
        free(full);
        free(res[i]);
    }
    free(w);
}

int main(void)
{
    const function plain[] = {FUNCTION(f), FUNCTION(y)}, jacobians[] = {FUNCTION(jac_f), FUNCTION(jac_y)};
    const function forward[] = {FUNCTION(fwd4_f), FUNCTION(fwd4_y)}, adjoint[] = {FUNCTION(adj1_f), FUNCTION(adj1_y)};
    const function one_step = FUNCTION(step), step_jacobian = FUNCTION(jac_step), step_forward = FUNCTION(fwd4_step);
    const function step_adjoint = FUNCTION(adj1_step);
    const double *x = in(VEHICLE_STATES), *u = in(VEHICLE_INPUTS), *p = in(VEHICLE_VARIED), *h = in(1);
    const double *dx = in(TOGETHER * VEHICLE_STATES), *du = in(TOGETHER * VEHICLE_INPUTS);
    const double *dp = in(TOGETHER * VEHICLE_VARIED), *dh = in(TOGETHER), *weights[2], *longer = in(1);
    int i;
    weights[0] = in(VEHICLE_STATES);
    weights[1] = in(VEHICLE_OUTPUTS);
    for (i = 0; i < 2; i++) {
        const double *arg[] = {x, u, p, NULL, dx, du, dp}, *against[] = {x, u, p, NULL, weights[i]};
        call(plain[i], arg);
        call(jacobians[i], arg);
        call(forward[i], arg);
        call(adjoint[i], against);
    }
    {
        const double *arg[] = {x, u, p, h, NULL, dx, du, dp, dh}, *against[] = {x, u, p, longer, NULL, weights[0]};
        call(one_step, arg);
        call(step_jacobian, arg);
        call(step_forward, arg);
        call(step_jacobian, against);
        call(step_adjoint, against);
    }
    return 0;
}
