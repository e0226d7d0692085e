/* surface.c - step_ground.h over surfaces without formulas.
 *
 * surface KIND COLUMNS ROWS X Y CELL NUMBERS INDICES HEIGHTS MAPPED reads as many numbers, indices and heights of a
 * surface from standard input, then places: x, y, from above and near. For each place it prints height, slopes, factor
 * of friction, the place along and across, and whether there is no ground, as bits; the map of friction, if there is
 * one, is the surface itself. */
#define STEP_PLACE int
#include "step_tables.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const step_ground *grounds;
    const step_surface *surfaces;
    size_t ground_count;
    const double *levels, *footprints;
    double *shares, *along, *reached, *along_before;
} tables;

#define STEP_OF tables
#define STEP_TERRAIN 1
#define STEP_UNEVEN(of) 1
#define STEP_WHEELS(of, x, u) (x)
#define STEP_SQRT(x) sqrt(x)
#define STEP_FORMULA(of, k, x, y, t, to) (((to)[0] = (x) + (y) + (t) + (k)) > 1e300)
#include "step_ground.h"

int main(int argc, char **argv)
{
    static double numbers[10000];
    static int32_t indices[10000];
    static float heights[10000];
    static const double levels[] = {0.5, 0.125, -0.25, 0.75, 1.5};
    const step_shape shape = {0, 0, 0, 0, 0, 0, 0, numbers, indices, heights};
    step_surface s = {shape, shape, 0, 0};
    tables of = {NULL, &s, 0, levels, NULL, NULL, NULL, NULL, NULL};
    step_query q = {0, 0, 0, 0, 0};
    double u[8] = {0};
    if (argc != 11)
        return 2;
    s.heights.kind = atoi(argv[1]);
    s.heights.columns = atoi(argv[2]);
    s.heights.rows = atoi(argv[3]);
    s.heights.x = strtod(argv[4], NULL);
    s.heights.y = strtod(argv[5], NULL);
    s.heights.cell = strtod(argv[6], NULL);
    s.friction = s.heights;
    s.mapped = atoi(argv[10]);
    for (int k = 0; k < atoi(argv[7]); k++)
        if (scanf("%lf", &numbers[k]) != 1)
            return 3;
    for (int k = 0; k < atoi(argv[8]); k++)
        if (scanf("%d", &indices[k]) != 1)
            return 3;
    for (int k = 0; k < atoi(argv[9]); k++)
        if (scanf("%f", &heights[k]) != 1)
            return 3;
    while (scanf("%lf %lf %lf %lf", &q.x, &q.y, &q.above, &q.near) == 4) {
        step_point p;
        if (!step_surface_at(&of, 0, &q, &p) || !step_lay(&of, 0, &q.x, u))
            return 4;
        const double values[] = {p.height, p.slope_x, p.slope_y, p.friction, p.u, p.v, p.no_ground};
        for (int k = 0; k < 7; k++) {
            uint64_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            printf("%016llx ", (unsigned long long)bits);
        }
        putchar('\n');
    }
    return 0;
}
