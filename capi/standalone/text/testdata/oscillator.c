/* oscillator.c - step_methods.h over an oscillator on level ground that follows a prescribed drive.
 *
 * oscillator METHOD LONGEST H STEPS FAIL ROWS prints after each step, as bits, the state, the drive and its rate, what
 * was noted of ROWS rows, whether one is out, and when the condition x[0] > 1.2 became true. Evaluation FAIL gives up:
 * that step changes nothing. */
#define STEP_PLACE int
#include "step_tables.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 3, DRIVE = 0, RATE, ACCELERATION, ABOVE, HEIGHT, SLOPE_X, SLOPE_Y, RISE, FRICTION, INPUTS, ROWS = 2 };

typedef struct {
    const step_motion *motions;
    const step_ground *grounds;
    const step_surface *surfaces;
    const step_place *gates;
    const step_row *rows;
    size_t motion_count, ground_count, gate_count, row_count;
    const double *levels, *footprints, *gate_limits, *row_limits;
    double *noted, *kept, *out;
    int method;
    double *along, *reached, *along_before;
} tables;

static double numbers[STATES], input[INPUTS], c_of, ended = -1;
static int evaluations, fail;

static int evaluate(const double *x, double *dx)
{
    memcpy(numbers, x, sizeof numbers);
    dx[0] = x[1];
    dx[1] = (input[DRIVE] - x[0]) * (25 * input[FRICTION]) - x[1] * 0.5;
    dx[2] = x[0] * x[1] + input[HEIGHT] + input[SLOPE_X] + input[SLOPE_Y] + input[RISE];
    return ++evaluations != fail;
}

static void solve(double *r)
{
    for (int i = 0; i < STATES; i++)
        r[i] = r[i] / (1 + 2 * c_of);
}

static int linearise(const double *x, double c, double *k)
{
    c_of = c;
    if (!evaluate(x, k))
        return 0;
    solve(k);
    return 1;
}

static int look_for_end(const double *x, double t)
{
    if (x[0] > 1.2)
        ended = t;
    return 1;
}

#define STEP_OF tables
#define STEP_STATES(w) ((size_t)STATES)
#define STEP_INPUTS(w) ((size_t)INPUTS)
#define STEP_HAS_EULER 1
#define STEP_HAS_HEUN 1
#define STEP_HAS_RK4 1
#define STEP_HAS_LINEARLY_IMPLICIT 1
#define STEP_AT(w, place) (numbers[place])
#define STEP_RATE_INPUTS(w) input
#define STEP_RATES(w, x, dx) evaluate(x, dx)
#define STEP_KNOWN_RATES(w, dx) (void)(dx)
#define STEP_SYSTEM_INPUTS(w) input
#define STEP_SYSTEM(w, x, c, k) linearise(x, c, k)
#define STEP_SOLVE(w, r) solve(r)
#define STEP_WATCHES(w) (ended < 0)
#define STEP_ENDS(w, t) look_for_end((w)->x, t)
#define STEP_LEAVES(w, row, t, x) 1
#define STEP_FAR(w) 1
#define STEP_TERRAIN 0
#define STEP_CONTACTS 0
#define STEP_CORRECTS 0
#include "step_ground.h"
#include "step_methods.h"

static void print(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        printf("%016llx ", (unsigned long long)bits);
    }
}

int main(int argc, char **argv)
{
    if (argc != 7)
        return 2;
    const size_t watched = (size_t)atoi(argv[6]);
    static const step_motion motions[] = {{DRIVE, RATE, ACCELERATION}};
    static const step_ground grounds[] = {{0, 0, ABOVE, HEIGHT, SLOPE_X, SLOPE_Y, RISE, FRICTION}};
    static const step_place gates[] = {0, 1};
    static const step_row rows[ROWS] = {{0, 0, 0}, {1, 2, 1}};
    static const double levels[] = {0.25, 0, 0, 0.8, 0.8},
                        row_limits[] = {-0.7, 0.6, -0.63, 0.54, -3, 3, -3, 3};
    double gate_limits[] = {-0.05, 0.65, 0, 3}, noted[ROWS * STEP_ROW_NUMBERS] = {0};
    double kept[ROWS * STEP_ROW_NUMBERS + 1], out = 0, room[STEP_WORK(STATES, INPUTS)];
    double x[STATES] = {-1, 0, 0.2}, u[INPUTS] = {0.3, 0.05, 0.02, 0.125}, rate[INPUTS] = {0};
    rate[RATE] = 0.01;
    rate[ABOVE] = -0.03;
    tables of = {motions, grounds, NULL, gates, rows, 1, 1, watched, watched, levels, NULL, gate_limits, row_limits,
                 noted, kept, &out, atoi(argv[1]), NULL, NULL, NULL};
    double t = 0, longest = strtod(argv[2], NULL), h = strtod(argv[3], NULL);
    fail = atoi(argv[5]);
    for (int k = 0; k < atoi(argv[4]); k++) {
        step_work w;
        step_division d;
        step_begin(&w, &of, t, room);
        step_copy(w.x, x, STATES);
        step_copy(w.u, u, INPUTS);
        step_copy(w.rate, rate, INPUTS);
        if (step_divide(t, h, longest, 0, &d) && step_integrate(&w, &d)) {
            step_copy(x, w.x, STATES);
            step_copy(u, w.u, INPUTS);
            t += h;
        } else
            step_put_back(&w);
        print(x, STATES);
        print(u, RATE + 1);
        print(noted, watched * STEP_ROW_NUMBERS);
        print(&out, 1);
        print(&ended, 1);
        putchar('\n');
    }
    return 0;
}
