/* surface.c - step_ground.h over surfaces without formulas.
 *
 * surface TABLE COLUMNS ROWS X Y CELL reads the numbers of a table or a grid, then places, from standard input. For
 * each place it prints height, slopes and factor of friction as bits; the map of friction is the surface itself. */
#define STEP_PLACE int
#include "step_tables.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const step_ground *grounds;
    const step_surface *surfaces;
    size_t ground_count;
    const double *levels, *footprints;
} tables;

#define STEP_OF tables
#define STEP_TERRAIN 1
#define STEP_UNEVEN(of) 1
#define STEP_WHEELS(of, x, u) (x)
#define STEP_FORMULA(of, k, x, y, t, to) (((to)[0] = (t)) > 1e300)
#include "step_ground.h"

int main(int argc, char **argv)
{
    static double numbers[10000];
    static const double levels[] = {0.5, 0.125, -0.25, 0.75, 1.5};
    step_surface s = {{0, 0, 0, 0, 0, 0, 0, numbers}, {0, 0, 0, 0, 0, 0, 0, numbers}, 0, 1};
    tables of = {NULL, &s, 0, levels, NULL};
    double x, y, u[8] = {0};
    if (argc != 7)
        return 2;
    s.heights.kind = atoi(argv[1]) ? STEP_TABLE : STEP_GRID;
    s.heights.columns = atoi(argv[2]);
    s.heights.rows = atoi(argv[3]);
    s.heights.x = strtod(argv[4], NULL);
    s.heights.y = strtod(argv[5], NULL);
    s.heights.cell = strtod(argv[6], NULL);
    s.friction = s.heights;
    for (int k = 0, n = s.heights.columns * (atoi(argv[1]) ? 2 : s.heights.rows); k < n; k++)
        if (scanf("%lf", &numbers[k]) != 1)
            return 3;
    while (scanf("%lf %lf", &x, &y) == 2) {
        step_point p;
        if (!step_surface_at(&of, 0, x, y, 0, &p) || !step_lay(&of, 0, &x, u))
            return 4;
        const double values[] = {p.height, p.slope_x, p.slope_y, p.friction};
        for (int k = 0; k < 4; k++) {
            uint64_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            printf("%016llx ", (unsigned long long)bits);
        }
        putchar('\n');
    }
    return 0;
}
