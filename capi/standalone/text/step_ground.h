/* step_ground.h - terrain under tires: the plane z = height + slope_x x + slope_y y, rising at a rate, above which the
 * centre of the wheel is nearest, and the factor of friction there. Sums and products stand in the order of packages
 * cosim and road.
 *
 * Who includes it has defined
 *
 *   STEP_OF                  struct with the tables: grounds, ground_count, surfaces, levels, footprints
 *   STEP_TERRAIN             0 where all grounds are level: then the planes do not depend on where the wheels are
 *   STEP_UNEVEN(of)          whether one of the grounds is not
 *   STEP_WHEELS(of, x, u)    by ground, the centre of the wheel [m], three numbers, and where there is a footprint the
 *                            direction, two numbers; NULL where it gives up
 *   STEP_FORMULA(of, k, x, y, t, to)   height [m], both slopes and rate [m/s] of formula k, 0 where it gives up */
#include <stddef.h>
#include <string.h>

/* The planes where all grounds are level. */
static void step_lay_level(const STEP_OF *of, double *u)
{
    for (size_t i = 0; i < of->ground_count; i++) {
        const step_ground *g = &of->grounds[i];
        const double *level = &of->levels[g->surface * STEP_GROUND_NUMBERS];
        u[g->slope_x] = u[g->slope_y] = u[g->rate] = 0;
        u[g->friction] = level[STEP_LEFT];
        u[g->height] = level[STEP_LEVEL] + u[g->above];
    }
}

#if STEP_TERRAIN
/* A surface at a place: height [m], slopes, rate [m/s], factor of friction. */
typedef struct {
    double height, slope_x, slope_y, rate, friction;
} step_point;

/* The interval of a position among n nodes; where in it the position is, and whether it is there at all. */
static int32_t step_interval(double s, int32_t n, double *share, int *inside)
{
    int32_t k = 0;
    *share = 0;
    *inside = 0;
    if (s >= n - 1) {
        *share = 1;
        return n - 2;
    }
    if (s >= 0) {
        k = (int32_t)s;
        *share = s - k;
        *inside = 1;
    }
    return k;
}

/* Bilinear between nodes; beyond the border the height is that of the border. */
static void step_grid(const step_shape *s, double x, double y, step_point *p)
{
    double u, v;
    int in_x, in_y;
    const int32_t i = step_interval((x - s->x) / s->cell, s->columns, &u, &in_x);
    const int32_t j = step_interval((y - s->y) / s->cell, s->rows, &v, &in_y);
    const double *row = s->numbers + (size_t)j * (size_t)s->columns + (size_t)i, *next = row + s->columns;
    const double a = row[0], b = row[1], c = next[0], d = next[1];
    const double low = a + u * (b - a), high = c + u * (d - c);
    p->height = low + v * (high - low) + (0 * x + 0 * y);
    if (in_x)
        p->slope_x = ((b - a) + v * ((d - c) - (b - a))) / s->cell;
    if (in_y)
        p->slope_y = (high - low) / s->cell;
}

/* Linear between samples, constant beyond. A segment has its first sample, and not its last one. */
static void step_table(const step_shape *s, double x, double y, step_point *p)
{
    const double *const xs = s->numbers, *const zs = xs + s->columns;
    int32_t k = 0, end = s->columns;
    while (k < end) { /* the first sample beyond x */
        const int32_t middle = k + (end - k) / 2;
        if (xs[middle] > x)
            end = middle;
        else
            k = middle + 1;
    }
    if (k == 0)
        p->height = zs[0];
    else if (k == s->columns)
        p->height = zs[k - 1];
    else {
        p->slope_x = (zs[k] - zs[k - 1]) / (xs[k] - xs[k - 1]);
        p->height = zs[k - 1] + p->slope_x * (x - xs[k - 1]);
    }
    p->height += 0 * x + 0 * y;
}

static int step_shape_at(const STEP_OF *of, const step_shape *s, double x, double y, double t, step_point *p)
{
    double to[4] = {0};
    memset(p, 0, sizeof *p);
    switch (s->kind) {
    case STEP_GRID:
        step_grid(s, x, y, p);
        return 1;
    case STEP_TABLE:
        step_table(s, x, y, p);
        return 1;
    case STEP_FORMULA_KIND:
        if (!STEP_FORMULA(of, s->formula, x, y, t, to))
            return 0;
        p->height = to[0];
        p->slope_x = to[1];
        p->slope_y = to[2];
        p->rate = to[3];
        return 1;
    default:
        (void)of;
        p->height = 0 * x + 0 * y;
        return 1;
    }
}

/* The factor of friction at a place. */
static int step_friction_at(const STEP_OF *of, int32_t number, double x, double y, double t, double *factor)
{
    const step_surface *s = &of->surfaces[number];
    step_point map;
    *factor = of->levels[number * STEP_GROUND_NUMBERS + (y >= 0 ? STEP_LEFT : STEP_RIGHT)];
    if (s->mapped) {
        if (!step_shape_at(of, &s->friction, x, y, t, &map))
            return 0;
        *factor *= map.height <= 0 ? 0 : map.height;
    }
    return 1;
}

static int step_surface_at(const STEP_OF *of, int32_t number, double x, double y, double t, step_point *p)
{
    const step_surface *s = &of->surfaces[number];
    const double *level = &of->levels[number * STEP_GROUND_NUMBERS];
    if (!step_shape_at(of, &s->heights, x, y, t, p))
        return 0;
    p->height += level[STEP_LEVEL];
    if (s->sloped) {
        p->height += level[STEP_SLOPE_X] * x + level[STEP_SLOPE_Y] * y;
        p->slope_x = level[STEP_SLOPE_X];
        p->slope_y = level[STEP_SLOPE_Y];
    }
    return step_friction_at(of, number, x, y, t, &p->friction);
}

/* A rectangle of rows of points on the ground, as many along as across its direction (forward_x, forward_y). */
typedef struct {
    int32_t points;
    double length, width, forward_x, forward_y;
} step_footprint;

/* The point i along and k across, in the axes of the footprint and in those of ground, relative to the middle [m]. */
typedef struct {
    double a, b, x, y;
} step_offset;

static step_offset step_offset_of(const step_footprint *f, int32_t i, int32_t k)
{
    const double steps = f->points - 1;
    step_offset o;
    o.a = f->length * (i / steps - 0.5);
    o.b = f->width * (k / steps - 0.5);
    o.x = o.a * f->forward_x - o.b * f->forward_y;
    o.y = o.a * f->forward_y + o.b * f->forward_x;
    return o;
}

/* The mean factor of friction of the points. */
static int step_mean_friction(const STEP_OF *of, int32_t number, const step_footprint *f, double x, double y, double t,
                              double *mean)
{
    const double *level = &of->levels[number * STEP_GROUND_NUMBERS];
    double sum = 0, factor;
    if (!of->surfaces[number].mapped && level[STEP_LEFT] == level[STEP_RIGHT]) {
        *mean = level[STEP_LEFT];
        return 1;
    }
    for (int32_t i = 0; i < f->points; i++)
        for (int32_t k = 0; k < f->points; k++) {
            const step_offset o = step_offset_of(f, i, k);
            if (!step_friction_at(of, number, x + o.x, y + o.y, t, &factor))
                return 0;
            sum += factor;
        }
    *mean = sum / (f->points * f->points);
    return 1;
}

/* The plane of least squares through the points, with their mean rate and friction. */
static int step_mean_plane(const STEP_OF *of, int32_t number, const step_footprint *f, double x, double y, double t,
                           step_point *mean)
{
    const double count = f->points * f->points;
    double along = 0, across = 0, square_along = 0, square_across = 0;
    step_point p;
    memset(mean, 0, sizeof *mean);
    for (int32_t i = 0; i < f->points; i++)
        for (int32_t k = 0; k < f->points; k++) {
            const step_offset o = step_offset_of(f, i, k);
            if (!step_surface_at(of, number, x + o.x, y + o.y, t, &p))
                return 0;
            mean->height += p.height;
            mean->rate += p.rate;
            mean->friction += p.friction;
            along += o.a * p.height;
            across += o.b * p.height;
            square_along += o.a * o.a;
            square_across += o.b * o.b;
        }
    mean->height /= count;
    mean->rate /= count;
    mean->friction /= count;
    along /= square_along;
    across /= square_across;
    mean->slope_x = along * f->forward_x - across * f->forward_y;
    mean->slope_y = along * f->forward_y + across * f->forward_x;
    return 1;
}

static int step_ground_at(const STEP_OF *of, int32_t number, const step_footprint *f, double x, double y, double t,
                          step_point *p)
{
    if (f->points == 0)
        return step_surface_at(of, number, x, y, t, p);
    if (of->surfaces[number].heights.kind != STEP_FLAT)
        return step_mean_plane(of, number, f, x, y, t, p);
    return step_surface_at(of, number, x, y, t, p) && step_mean_friction(of, number, f, x, y, t, &p->friction);
}

static step_footprint step_footprint_of(const STEP_OF *of, size_t ground, const double *wheel)
{
    const double *size = &of->footprints[ground * STEP_FOOTPRINT_NUMBERS];
    step_footprint f = {of->grounds[ground].points, 0, 0, 0, 0};
    if (f.points > 0) {
        f.length = size[STEP_LENGTH];
        f.width = size[STEP_WIDTH];
        f.forward_x = wheel[3];
        f.forward_y = wheel[4];
    }
    return f;
}

/* The plane under a wheel: the tangent plane at the foot of its centre, which two corrections from the point below the
 * centre come close to. */
static int step_plane(const STEP_OF *of, size_t ground, const double *centre, double t, double *u)
{
    const step_ground *g = &of->grounds[ground];
    const step_footprint f = step_footprint_of(of, ground, centre);
    double x = centre[0], y = centre[1];
    step_point p;
    if (!step_ground_at(of, g->surface, &f, x, y, t, &p))
        return 0;
    for (int n = 0; n < 2 && !(p.slope_x == 0 && p.slope_y == 0); n++) {
        const double above = centre[2] - p.height - p.slope_x * (centre[0] - x) - p.slope_y * (centre[1] - y);
        const double lean = above / (1 + p.slope_x * p.slope_x + p.slope_y * p.slope_y);
        x = centre[0] + lean * p.slope_x;
        y = centre[1] + lean * p.slope_y;
        if (!step_ground_at(of, g->surface, &f, x, y, t, &p))
            return 0;
    }
    u[g->slope_x] = p.slope_x;
    u[g->slope_y] = p.slope_y;
    u[g->rate] = p.rate;
    u[g->friction] = p.friction;
    u[g->height] = p.height - p.slope_x * x - p.slope_y * y + u[g->above];
    return 1;
}
#endif

/* Gives tires on terrain their planes at a time [s] and states. 0 where a formula gives up. */
static int step_lay(const STEP_OF *of, double t, const double *x, double *u)
{
#if STEP_TERRAIN
    if (STEP_UNEVEN(of)) {
        const double *wheel = STEP_WHEELS(of, x, u);
        for (size_t i = 0; i < of->ground_count; i++) {
            if (wheel == NULL || !step_plane(of, i, wheel, t, u))
                return 0;
            wheel += of->grounds[i].points > 0 ? 5 : 3;
        }
        return 1;
    }
#endif
    (void)t;
    (void)x;
    step_lay_level(of, u);
    return 1;
}
