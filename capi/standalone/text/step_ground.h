/* step_ground.h - terrain under tires: the plane z = height + slope_x x + slope_y y, rising at a rate, above which the
 * centre of the wheel is nearest, and the factor of friction there. Sums and products stand in the order of packages
 * cosim and road.
 *
 * Who includes it has defined
 *
 *   STEP_OF                  struct with the tables: grounds, ground_count, surfaces, levels, footprints; by ground the
 *                            place along a road with a line, not a number where unknown, where the latest evaluation
 *                            has been, and room for a copy: along, reached, along_before; room for the shares of the
 *                            waves of a surface: shares
 *   STEP_SQRT(x)             the square root
 *   STEP_TERRAIN             0 where all grounds are level: then the planes do not depend on where the wheels are
 *   STEP_UNEVEN(of)          whether one of the grounds is not
 *   STEP_WHEELS(of, x, u)    by ground, the centre of the wheel [m], three numbers, and where there is a footprint the
 *                            direction, two numbers; NULL where it gives up
 *   STEP_FORMULA(of, k, x, y, t, to)   height [m], both slopes and rate [m/s] of formula k, 0 where it gives up; of the
 *                            formula of waves, sine and cosine of x */
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
/* A surface at a place: height [m], slopes, rate [m/s], factor of friction; the place along and across the line of the
 * road, x and y without one [m]; whether there is nothing to stand on. */
typedef struct {
    double height, slope_x, slope_y, rate, friction, u, v;
    int no_ground;
} step_point;

/* A place and a time, the height above it from which one looks down, and the place along the road of an earlier look
 * nearby, not a number without one [m, s]. */
typedef struct {
    double x, y, t, above, near;
} step_query;

#include "step_line.h"

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
static void step_table(const double *xs, int32_t columns, double x, double y, step_point *p)
{
    const double *const zs = xs + columns;
    int32_t k = 0, end = columns;
    while (k < end) { /* the first sample beyond x */
        const int32_t middle = k + (end - k) / 2;
        if (xs[middle] > x)
            end = middle;
        else
            k = middle + 1;
    }
    if (k == 0)
        p->height = zs[0];
    else if (k == columns)
        p->height = zs[k - 1];
    else {
        p->slope_x = (zs[k] - zs[k - 1]) / (xs[k] - xs[k - 1]);
        p->height = zs[k - 1] + p->slope_x * (x - xs[k - 1]);
    }
    p->height += 0 * x + 0 * y;
}

/* A table over the distance travelled, another one on either side. */
static void step_profile(const step_shape *s, double x, double y, step_point *p)
{
    const double *const of = s->numbers, *const left = of + STEP_PROFILE_NUMBERS;
    const double cosine = of[STEP_PROFILE_COSINE], sine = of[STEP_PROFILE_SINE], lean = of[STEP_PROFILE_LEAN];
    double slope;
    p->u = cosine * x + sine * y;
    p->v = cosine * y - sine * x;
    if (p->v >= 0 || s->rows == 0)
        step_table(left, s->columns, p->u + lean * p->v, 0, p);
    else
        step_table(left + 2 * s->columns, s->rows, p->u + lean * p->v, 0, p);
    slope = p->slope_x;
    p->height = p->height + of[STEP_PROFILE_OFFSET] + (0 * x + 0 * y);
    p->slope_x = slope * (cosine - lean * sine);
    p->slope_y = slope * (sine + lean * cosine);
    p->friction = of[STEP_PROFILE_FRICTION];
}

/* Whether a surface at height z counts rather than one at height than, where one looks down from above. */
static int step_is_preferred(double z, double than, double above)
{
    if ((z <= above) != (than <= above))
        return z <= above;
    return (z > than) == (z <= above) && z != than;
}

/* Whether a place lies in a triangle or on its edge. */
static int step_contains(const double *triangle, double x, double y)
{
    const double *const xs = triangle + STEP_TRIANGLE_X, *const ys = triangle + STEP_TRIANGLE_Y;
    int positive = 0, negative = 0;
    for (int k = 0; k < 3; k++) {
        const int n = (k + 1) % 3;
        const double side = (xs[n] - xs[k]) * (y - ys[k]) - (ys[n] - ys[k]) * (x - xs[k]);
        positive |= side > 0;
        negative |= side < 0;
    }
    return !(positive && negative);
}

/* The number of a cell, the nearest of those that there are. */
static int32_t step_cell(double distance, double cell, int32_t count)
{
    const double last = count - 1, at = distance / cell;
    return at >= last ? count - 1 : at > 0 ? (int32_t)at : 0;
}

/* Triangles: of those above each other the highest counts that is not above the place from which one looks down; where
 * there is none below, the lowest. */
static void step_mesh(const step_shape *s, const step_query *q, step_point *p)
{
    const double *const of = s->numbers, cosine = of[STEP_MESH_COSINE], sine = of[STEP_MESH_SINE];
    const double *best = NULL;
    double beyond = 0 * (q->x + q->y), x, y;
    int32_t cell;
    if (!(beyond == 0)) {
        p->height = beyond;
        return;
    }
    x = cosine * (q->x - of[STEP_MESH_X]) + sine * (q->y - of[STEP_MESH_Y]);
    y = cosine * (q->y - of[STEP_MESH_Y]) - sine * (q->x - of[STEP_MESH_X]);
    cell = step_cell(y - of[STEP_MESH_BOTTOM], s->cell, s->rows) * s->columns +
           step_cell(x - of[STEP_MESH_LEFT], s->cell, s->columns);
    for (int32_t i = s->indices[cell]; i < s->indices[cell + 1]; i++) {
        const int32_t number = s->indices[s->columns * s->rows + 1 + i];
        const double *const t = of + STEP_MESH_NUMBERS + (size_t)number * STEP_TRIANGLE_NUMBERS;
        double z;
        if (!step_contains(t, x, y))
            continue;
        z = t[STEP_TRIANGLE_A] + t[STEP_TRIANGLE_B] * x + t[STEP_TRIANGLE_C] * y + of[STEP_MESH_Z];
        if (best == NULL || step_is_preferred(z, p->height, q->above)) {
            best = t;
            p->height = z;
        }
    }
    p->no_ground = best == NULL;
    if (best == NULL)
        return;
    p->slope_x = cosine * best[STEP_TRIANGLE_B] - sine * best[STEP_TRIANGLE_C];
    p->slope_y = sine * best[STEP_TRIANGLE_B] + cosine * best[STEP_TRIANGLE_C];
    p->friction = best[STEP_TRIANGLE_FRICTION];
}

/* Sine and cosine of the phase of a wave at a place; 0 where they give up. */
static int step_wave(const STEP_OF *of, const step_shape *s, const double *wave, double x, double y, double *to)
{
    const double phase = wave[STEP_WAVE_X] * x + wave[STEP_WAVE_Y] * y + wave[STEP_WAVE_PHASE];
    (void)of;
    return STEP_FORMULA(of, s->formula, phase, 0, 0, to);
}

/* The sum of waves amplitude cos(kx x + ky y + phase). */
static int step_waves(const STEP_OF *of, const step_shape *s, double x, double y, step_point *p)
{
    for (int32_t i = 0; i < s->columns; i++) {
        const double *const wave = s->numbers + i * STEP_WAVE_NUMBERS;
        double to[4] = {0}, slope;
        if (!step_wave(of, s, wave, x, y, to))
            return 0;
        p->height += wave[STEP_WAVE_AMPLITUDE] * to[1];
        slope = -(wave[STEP_WAVE_AMPLITUDE] * to[0]);
        p->slope_x += slope * wave[STEP_WAVE_X];
        p->slope_y += slope * wave[STEP_WAVE_Y];
    }
    return 1;
}

static int step_shape_at(const STEP_OF *of, const step_shape *s, const step_query *q, step_point *p)
{
    double to[4] = {0};
    memset(p, 0, sizeof *p);
    p->friction = 1;
    p->u = q->x;
    p->v = q->y;
    switch (s->kind) {
    case STEP_GRID:
        step_grid(s, q->x, q->y, p);
        return 1;
    case STEP_TABLE:
        step_table(s->numbers, s->columns, q->x, q->y, p);
        return 1;
    case STEP_PROFILE:
        step_profile(s, q->x, q->y, p);
        return 1;
    case STEP_MESH:
        step_mesh(s, q, p);
        return 1;
    case STEP_LINE:
        step_line_look(s, q, p);
        return 1;
    case STEP_WAVES:
        return step_waves(of, s, q->x, q->y, p);
    case STEP_FORMULA_KIND:
        if (!STEP_FORMULA(of, s->formula, q->x, q->y, q->t, to))
            return 0;
        p->height = to[0];
        p->slope_x = to[1];
        p->slope_y = to[2];
        p->rate = to[3];
        return 1;
    default:
        (void)of;
        p->height = 0 * q->x + 0 * q->y;
        return 1;
    }
}

/* The factor of friction at a place, which lies at u and v of the road. */
static int step_friction_at(const STEP_OF *of, int32_t number, const step_query *q, double u, double v, double *factor)
{
    const step_surface *s = &of->surfaces[number];
    step_point map;
    *factor = of->levels[number * STEP_GROUND_NUMBERS + (v >= 0 ? STEP_LEFT : STEP_RIGHT)];
    if (s->mapped) {
        const step_query from = {q->x, q->y, q->t, 0x1p1023, u};
        if (!step_shape_at(of, &s->friction, &from, &map))
            return 0;
        *factor *= map.height <= 0 ? 0 : map.height;
    }
    return 1;
}

static int step_surface_at(const STEP_OF *of, int32_t number, const step_query *q, step_point *p)
{
    const step_surface *s = &of->surfaces[number];
    const double *level = &of->levels[number * STEP_GROUND_NUMBERS];
    const step_query from = {q->x, q->y, q->t, q->above - level[STEP_LEVEL], q->near};
    double factor;
    if (!step_shape_at(of, &s->heights, &from, p))
        return 0;
    p->height += level[STEP_LEVEL];
    if (s->sloped) {
        p->height += level[STEP_SLOPE_X] * q->x + level[STEP_SLOPE_Y] * q->y;
        p->slope_x = level[STEP_SLOPE_X];
        p->slope_y = level[STEP_SLOPE_Y];
    }
    if (!step_friction_at(of, number, q, p->u, p->v, &factor))
        return 0;
    p->friction *= factor;
    return 1;
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
static int step_mean_friction(const STEP_OF *of, int32_t number, const step_footprint *f, const step_query *q,
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
            const step_query at = {q->x + o.x, q->y + o.y, q->t, q->above, q->near};
            if (!step_friction_at(of, number, &at, at.x, at.y, &factor))
                return 0;
            sum += factor;
        }
    *mean = sum / (f->points * f->points);
    return 1;
}

/* The plane of least squares through the points, with their mean rate and friction. Points without ground count as if
 * the plane in the middle went on there. */
static int step_mean_plane(const STEP_OF *of, int32_t number, const step_footprint *f, const step_query *q,
                           step_point *mean)
{
    const double count = f->points * f->points;
    double along = 0, across = 0, square_along = 0, square_across = 0;
    step_point p, middle;
    if (!step_surface_at(of, number, q, &middle))
        return 0;
    if (middle.no_ground) {
        *mean = middle;
        return 1;
    }
    memset(mean, 0, sizeof *mean);
    mean->u = middle.u;
    mean->v = middle.v;
    for (int32_t i = 0; i < f->points; i++)
        for (int32_t k = 0; k < f->points; k++) {
            const step_offset o = step_offset_of(f, i, k);
            const step_query at = {q->x + o.x, q->y + o.y, q->t, q->above, middle.u};
            if (!step_surface_at(of, number, &at, &p))
                return 0;
            if (p.no_ground) {
                p = middle;
                p.height += p.slope_x * o.x + p.slope_y * o.y;
            }
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

/* The mean of cos(k a) and the quotient of the sums of a sin(k a) and of a^2 for the points a of a row. */
static int step_row_of_points(const STEP_OF *of, const step_shape *s, int32_t points, double k, double length,
                              double *mean, double *slope)
{
    const double spacing = length / (points - 1);
    double to[4] = {0}, sine, cosine, twice, turned, a = spacing / 2, sum = 0, products = 0, squares = 0;
    (void)of;
    if (!STEP_FORMULA(of, s->formula, k * (spacing / 2), 0, 0, to))
        return 0;
    sine = to[0];
    cosine = to[1];
    twice = cosine * cosine - sine * sine;
    turned = 2 * (sine * cosine);
    if (points % 2 == 1) { /* a point in the middle, the next one a spacing away */
        sum = 1;
        a = spacing;
        cosine = twice;
        sine = turned;
    }
    for (int32_t i = 0; i < points / 2; i++) {
        const double before = cosine;
        sum += 2 * cosine;
        products += a * sine;
        squares += a * a;
        a += spacing;
        cosine = before * twice - sine * turned;
        sine = sine * twice + before * turned;
    }
    *mean = sum / points;
    *slope = products / squares;
    return 1;
}

/* What the points leave of waves of amplitude 1: height, and slopes along and across. */
static int step_shares(const STEP_OF *of, const step_shape *s, const step_footprint *f)
{
    for (int32_t i = 0; i < s->columns; i++) {
        const double *const wave = s->numbers + i * STEP_WAVE_NUMBERS;
        double *const share = of->shares + i * 3, mean_a = 0, slope_a = 0, mean_b = 0, slope_b = 0;
        if (!step_row_of_points(of, s, f->points, wave[STEP_WAVE_X] * f->forward_x + wave[STEP_WAVE_Y] * f->forward_y,
                                f->length, &mean_a, &slope_a) ||
            !step_row_of_points(of, s, f->points, wave[STEP_WAVE_Y] * f->forward_x - wave[STEP_WAVE_X] * f->forward_y,
                                f->width, &mean_b, &slope_b))
            return 0;
        share[0] = mean_a * mean_b;
        share[1] = slope_a * mean_b;
        share[2] = mean_a * slope_b;
    }
    return 1;
}

/* The plane of least squares through the points on waves, wave by wave. */
static int step_mean_waves(const STEP_OF *of, int32_t number, const step_footprint *f, const step_query *q,
                           step_point *mean)
{
    const step_shape *s = &of->surfaces[number].heights;
    double along = 0, across = 0;
    memset(mean, 0, sizeof *mean);
    mean->u = q->x;
    mean->v = q->y;
    for (int32_t i = 0; i < s->columns; i++) {
        const double *const wave = s->numbers + i * STEP_WAVE_NUMBERS, *const share = of->shares + i * 3;
        double to[4] = {0}, falling;
        if (!step_wave(of, s, wave, q->x, q->y, to))
            return 0;
        mean->height += wave[STEP_WAVE_AMPLITUDE] * (to[1] * share[0]);
        falling = wave[STEP_WAVE_AMPLITUDE] * to[0];
        along -= falling * share[1];
        across -= falling * share[2];
    }
    mean->slope_x = along * f->forward_x - across * f->forward_y;
    mean->slope_y = along * f->forward_y + across * f->forward_x;
    mean->height += of->levels[number * STEP_GROUND_NUMBERS + STEP_LEVEL];
    return step_mean_friction(of, number, f, q, &mean->friction);
}

static int step_ground_at(const STEP_OF *of, int32_t number, const step_footprint *f, const step_query *q,
                          step_point *p)
{
    if (f->points == 0)
        return step_surface_at(of, number, q, p);
    switch (of->surfaces[number].heights.kind) {
    case STEP_FLAT:
        return step_surface_at(of, number, q, p) && step_mean_friction(of, number, f, q, &p->friction);
    case STEP_WAVES:
        return step_mean_waves(of, number, f, q, p);
    default:
        return step_mean_plane(of, number, f, q, p);
    }
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
 * centre come close to. Where there is no ground, it is farther below than a tire reaches. */
static int step_plane(const STEP_OF *of, size_t ground, const double *centre, double t, double *u)
{
    static const double bottomless = 10; /* m */
    const step_ground *g = &of->grounds[ground];
    const step_shape *const shape = &of->surfaces[g->surface].heights;
    const step_footprint f = step_footprint_of(of, ground, centre);
    step_query q = {centre[0], centre[1], t, centre[2] - u[g->above], 0};
    step_point p;
    if (shape->kind == STEP_LINE)
        q.near = of->along[ground];
    if (f.points > 0 && shape->kind == STEP_WAVES && !step_shares(of, shape, &f))
        return 0;
    if (!step_ground_at(of, g->surface, &f, &q, &p))
        return 0;
    for (int n = 0; n < 2 && !(p.slope_x == 0 && p.slope_y == 0); n++) {
        const double above = centre[2] - p.height - p.slope_x * (centre[0] - q.x) - p.slope_y * (centre[1] - q.y);
        const double lean = above / (1 + p.slope_x * p.slope_x + p.slope_y * p.slope_y);
        q.x = centre[0] + lean * p.slope_x;
        q.y = centre[1] + lean * p.slope_y;
        if (!step_ground_at(of, g->surface, &f, &q, &p))
            return 0;
    }
    if (p.no_ground)
        p.height = centre[2] - bottomless;
    if (shape->kind == STEP_LINE)
        of->reached[ground] = p.u;
    u[g->slope_x] = p.slope_x;
    u[g->slope_y] = p.slope_y;
    u[g->rate] = p.rate;
    u[g->friction] = p.friction;
    u[g->height] = p.height - p.slope_x * q.x - p.slope_y * q.y + u[g->above];
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
