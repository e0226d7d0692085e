/* step_line.h - a curved regular grid: heights along a reference line and across it. Sums and products stand in the
 * order of package road. Who includes it has defined STEP_SQRT(x), the square root. */

/* A line with its grid. */
typedef struct {
    int32_t chords, sections;                               /* sections: lines of heights beside each other */
    const double *of, *x, *y, *height, *banking, *v, *blocks; /* of: numbers of the line; the others are lists */
    const float *z;
} step_line;

/* A place relative to a line, with the gradients of u and v by x and y, and the chord that it belongs to. */
typedef struct {
    double u, v, ux, uy, vx, vy;
    int32_t chord;
} step_coordinates;

/* Height with its derivatives by u and v; whether there is ground at all. */
typedef struct {
    double z, zu, zv;
    int ground;
} step_line_height;

static step_line step_line_of(const step_shape *s)
{
    const int32_t n = s->columns;
    step_line l;
    l.chords = n - 1;
    l.sections = s->rows;
    l.of = s->numbers;
    l.x = l.of + STEP_LINE_NUMBERS;
    l.y = l.x + n;
    l.height = l.y + n;
    l.banking = l.height + n;
    l.v = l.banking + n;
    l.blocks = l.v + s->rows;
    l.z = s->heights;
    return l;
}

static double step_least(double a, double b) { return b < a ? b : a; }
static double step_largest(double a, double b) { return b > a ? b : a; }
static double step_magnitude(double x) { return x < 0 ? -x : x; }

static double step_hypotenuse(double x, double y)
{
    const double a = step_magnitude(x), b = step_magnitude(y), p = step_largest(a, b);
    double q = step_least(a, b);
    if (p == 0)
        return 0;
    q /= p;
    return p * STEP_SQRT(1 + q * q);
}

/* s modulo a length, from 0 on, without a rounding of quotients. */
static double step_modulo(double s, double length)
{
    double left = s < 0 ? -s : s, part = length;
    if (!(left <= 0x1.fffffffffffffp1023))
        return s - s;
    while (part <= left / 2)
        part *= 2;
    for (; part >= length; part /= 2)
        if (left >= part)
            left -= part;
    if (s < 0)
        left = -left;
    return left < 0 ? left + length : left;
}

static double step_line_length(const step_line *l) { return l->chords * l->of[STEP_LINE_DU]; }

static int step_line_extended(const step_line *l)
{
    return l->of[STEP_LINE_BEFORE] + l->of[STEP_LINE_BEHIND] > 0;
}

static int step_line_joined(const step_line *l) { return l->of[STEP_LINE_JOINED] > 0; }

static int step_line_closed(const step_line *l) { return step_line_joined(l) || step_line_extended(l); }

static double step_line_period(const step_line *l)
{
    return l->of[STEP_LINE_BEFORE] + step_line_length(l) + l->of[STEP_LINE_BEHIND];
}

/* Maps a position relative to a border to one between 0 and the length, with the derivative. */
static double step_line_within(double mode, double s, double length, double *derivative, int *beyond)
{
    *derivative = 1;
    *beyond = 0;
    if (s >= 0 && s <= length)
        return s;
    *beyond = 1;
    if (mode == STEP_BORDER_REPEAT)
        return step_modulo(s, length);
    if (mode == STEP_BORDER_REFLECT) {
        s = step_modulo(s, 2 * length);
        if (!(s > length))
            return s;
        *derivative = -1;
        return 2 * length - s;
    }
    *derivative = 0;
    return s >= length ? length : s <= 0 ? 0 : s;
}

/* The interval of v among the lines of heights, which are nearly as far from each other. */
static int32_t step_line_section(const step_line *l, double v)
{
    const int32_t last = l->sections - 2;
    const double at = (last + 1) * (v - l->v[0]) / (l->v[last + 1] - l->v[0]);
    int32_t j = at >= last ? last : at > 0 ? (int32_t)at : 0;
    while (j > 0 && v < l->v[j])
        j--;
    while (j < last && v >= l->v[j + 1])
        j++;
    return j;
}

/* Blends a height and its slopes, at a distance from an end of the road below length, into the height at that end. du
 * is the slope of the distance. */
static void step_line_fade(double length, double du, double distance, double base, step_line_height *h)
{
    double share;
    if (!(distance < length))
        return;
    share = distance / length;
    h->zu = share * h->zu + du * (h->z - base) / length;
    h->z = base + share * (h->z - base);
    h->zv *= share;
}

/* The height at u and v. */
static step_line_height step_line_at(const step_line *l, double u, double v)
{
    const double *const of = l->of;
    const double length = step_line_length(l), u_mode = of[STEP_LINE_U_MODE], v_mode = of[STEP_LINE_V_MODE];
    const double right = of[STEP_LINE_RIGHT], left = of[STEP_LINE_LEFT];
    step_line_height h = {0, 0, 0, 0};
    double along = u - of[STEP_LINE_U0], across, du, dv, offset = 0, s, t, width, z00, z01, z10, z11, at, next;
    int beyond_u, beyond_v;
    int32_t i, j;
    const float *lower, *upper;
    if (step_line_closed(l))
        along = step_modulo(along + of[STEP_LINE_BEFORE], step_line_period(l)) - of[STEP_LINE_BEFORE];
    along = step_line_within(u_mode, along, length, &du, &beyond_u);
    across = step_line_within(v_mode, v - right, left - right, &dv, &beyond_v);
    if ((beyond_u && u_mode == STEP_BORDER_NONE) || (beyond_v && v_mode == STEP_BORDER_NONE))
        return h;
    if (beyond_u)
        offset += of[STEP_LINE_U_OFFSET];
    if (beyond_v)
        offset += of[STEP_LINE_V_OFFSET];
    h.ground = 1;
    if ((beyond_u && u_mode == STEP_BORDER_ZERO) || (beyond_v && v_mode == STEP_BORDER_ZERO)) {
        h.z = offset;
        return h;
    }
    s = along / of[STEP_LINE_DU];
    i = s >= l->chords - 1 ? l->chords - 1 : (int32_t)s;
    s -= i;
    across += right;
    j = step_line_section(l, across);
    width = l->v[j + 1] - l->v[j];
    t = (across - l->v[j]) / width;
    lower = l->z + (size_t)i * (size_t)l->sections + (size_t)j;
    upper = lower + l->sections;
    z00 = (double)lower[0];
    z01 = (double)lower[1];
    z10 = (double)upper[0];
    z11 = (double)upper[1];
    at = z00 + t * (z01 - z00);
    next = z10 + t * (z11 - z10);
    h.z = at + s * (next - at);
    if (!(h.z == h.z)) {
        h.z = 0;
        h.ground = 0;
        return h;
    }
    h.zu = next - at + l->height[i + 1] - l->height[i];
    h.zv = dv * ((z01 - z00) + s * ((z11 - z10) - (z01 - z00))) / width;
    h.z += l->height[i] + s * (l->height[i + 1] - l->height[i]);
    if (of[STEP_LINE_BANKED] > 0) {
        const double banked = step_largest(right, step_least(left, v)), rise = l->banking[i + 1] - l->banking[i];
        const double b = l->banking[i] + s * rise;
        h.z += banked * b;
        h.zu += banked * rise;
        if (!beyond_v)
            h.zv += b;
    }
    h.zu *= du / of[STEP_LINE_DU];
    step_line_fade(of[STEP_LINE_BEGIN], du, along, l->height[0], &h);
    step_line_fade(of[STEP_LINE_END], -du, length - along, l->height[l->chords], &h);
    h.z += offset;
    return h;
}

/* The direction of the line at a point, the sum of both chords. */
static void step_line_direction(const step_line *l, int32_t i, double *x, double *y)
{
    const int32_t last = l->chords;
    const int32_t before = i == 0 ? 0 : i - 1, after = i == last ? last : i + 1;
    if (step_line_joined(l) && (i == 0 || i == last)) {
        *x = l->x[last] - l->x[last - 1] + l->x[1] - l->x[0];
        *y = l->y[last] - l->y[last - 1] + l->y[1] - l->y[0];
        return;
    }
    *x = l->x[after] - l->x[before];
    *y = l->y[after] - l->y[before];
}

/* Positive for a place behind the border of the chords that meet in a point. */
static double step_line_behind(const step_line *l, int32_t i, double x, double y)
{
    double mx, my;
    step_line_direction(l, i, &mx, &my);
    return (x - l->x[i]) * mx + (y - l->y[i]) * my;
}

/* Positive for a place behind the border between both straight extensions. */
static double step_line_behind_seam(const step_line *l, double x, double y)
{
    const int32_t last = l->chords;
    const double bx = l->x[1] - l->x[0], by = l->y[1] - l->y[0];
    const double ex = l->x[last] - l->x[last - 1], ey = l->y[last] - l->y[last - 1];
    const double before = l->of[STEP_LINE_BEFORE] / l->of[STEP_LINE_DU];
    const double behind = l->of[STEP_LINE_BEHIND] / l->of[STEP_LINE_DU];
    const double mx = (l->x[0] - before * bx + l->x[last] + behind * ex) / 2;
    const double my = (l->y[0] - before * by + l->y[last] + behind * ey) / 2;
    return (x - mx) * (bx + ex) + (y - my) * (by + ey);
}

/* -1 for a place before the borders of a chord, 1 for one behind them, 0 for one between. */
static int32_t step_line_leaves(const step_line *l, int32_t k, double x, double y)
{
    const int32_t last = l->chords - 1;
    const int joined = step_line_joined(l);
    if ((k > 0 || joined) && !(step_line_behind(l, k, x, y) >= 0))
        return -1;
    if ((k < last || joined) && !(step_line_behind(l, k + 1, x, y) < 0))
        return 1;
    if (!step_line_extended(l) || (k > 0 && k < last))
        return 0;
    if (k == 0 && !(step_line_behind_seam(l, x, y) >= 0))
        return -1;
    return k == last && !(step_line_behind_seam(l, x, y) < 0);
}

/* The coordinates of a place in the part of the grid that belongs to a chord. */
static step_coordinates step_line_on(const step_line *l, int32_t k, double x, double y)
{
    const double cx = l->x[k + 1] - l->x[k], cy = l->y[k + 1] - l->y[k], c = STEP_SQRT(cx * cx + cy * cy);
    const double u0 = l->of[STEP_LINE_U0], pitch = l->of[STEP_LINE_DU];
    double ax, ay, bx, by, a, b, ta, tb, sum, s;
    step_coordinates p = {0, 0, 0, 0, -cy / c, cx / c, k};
    p.v = (x - l->x[k]) * p.vx + (y - l->y[k]) * p.vy;
    if (!step_line_joined(l)) { /* before the first and behind the last point: extrapolated linearly */
        const double along = ((x - l->x[k]) * cx + (y - l->y[k]) * cy) / c;
        const int before = k == 0 && along < 0, behind = k == l->chords - 1 && along > c;
        if (before || behind) {
            p.u = before ? u0 + along : u0 + step_line_length(l) + along - c;
            p.ux = cx / c;
            p.uy = cy / c;
            return p;
        }
    }
    step_line_direction(l, k, &ax, &ay);
    step_line_direction(l, k + 1, &bx, &by);
    a = ax * cx + ay * cy;
    b = bx * cx + by * cy;
    ax /= a;
    ay /= a;
    bx /= b;
    by /= b;
    ta = (x - l->x[k]) * ax + (y - l->y[k]) * ay;
    tb = (l->x[k + 1] - x) * bx + (l->y[k + 1] - y) * by;
    sum = ta + tb;
    if (!(sum > 0)) { /* beyond the centre of curvature, where the borders have crossed */
        p.u = u0 + (k + 0.5) * pitch;
        return p;
    }
    p.u = u0 + (k + ta / sum) * pitch;
    s = pitch / (sum * sum);
    p.ux = s * (ax * tb + bx * ta);
    p.uy = s * (ay * tb + by * ta);
    return p;
}

/* Whether a place is on the grid. */
static int step_line_inside(const step_line *l, const step_coordinates *p)
{
    const double u0 = l->of[STEP_LINE_U0];
    return p->v >= l->of[STEP_LINE_RIGHT] && p->v <= l->of[STEP_LINE_LEFT] &&
           (step_line_closed(l) || (p->u >= u0 && p->u <= u0 + step_line_length(l)));
}

/* Goes from chord to chord until one holds the place; 0 where none does. */
static int step_line_walk(const step_line *l, int32_t *k, double x, double y)
{
    int32_t turned = 0;
    for (int n = 0; n < 64; n++) {
        const int32_t step = step_line_leaves(l, *k, x, y);
        if (step == 0)
            return 1;
        if (turned == -step)
            return 0;
        turned = step;
        *k = (*k + step + l->chords) % l->chords;
    }
    return 0;
}

/* Of places on the grid, where it lies over itself, the one of the least rank counts: near an earlier place along the
 * line; without one, high, and below the place from which one looks down. */
static double step_line_rank(const step_line *l, const step_query *q, const step_coordinates *p)
{
    double distance, z;
    if (q->near == q->near) {
        distance = step_magnitude(p->u - q->near);
        return step_line_closed(l) ? step_least(distance, step_magnitude(step_line_period(l) - distance)) : distance;
    }
    z = step_line_at(l, p->u, p->v).z;
    return z > q->above ? l->of[STEP_LINE_BEHIND_ALL] + z : -z;
}

/* The number of blocks of chords, and the last chord of one. */
static int32_t step_line_blocks(const step_line *l)
{
    const int32_t size = (int32_t)l->of[STEP_LINE_BLOCK];
    return (l->chords + size - 1) / size;
}

static int32_t step_line_block_end(const step_line *l, int32_t block)
{
    const int32_t end = (block + 1) * (int32_t)l->of[STEP_LINE_BLOCK];
    return end < l->chords ? end : l->chords;
}

/* The distance of a place from the circle around a block. */
static double step_line_from_block(const step_line *l, int32_t i, double x, double y)
{
    return step_hypotenuse(x - l->blocks[3 * i], y - l->blocks[3 * i + 1]);
}

/* The chord that is nearest to a place. */
static int32_t step_line_nearest(const step_line *l, double x, double y)
{
    int32_t best = 0;
    double rank = 0x1p1023;
    for (int32_t i = 0; i < step_line_blocks(l); i++) {
        if (step_line_from_block(l, i, x, y) - l->blocks[3 * i + 2] > rank)
            continue;
        for (int32_t k = i * (int32_t)l->of[STEP_LINE_BLOCK]; k < step_line_block_end(l, i); k++) {
            const double cx = l->x[k + 1] - l->x[k], cy = l->y[k + 1] - l->y[k];
            const double at = ((x - l->x[k]) * cx + (y - l->y[k]) * cy) / (cx * cx + cy * cy);
            const double share = step_largest(0, step_least(1, at));
            const double r = step_hypotenuse(x - l->x[k] - share * cx, y - l->y[k] - share * cy);
            if (r < rank) {
                best = k;
                rank = r;
            }
        }
    }
    return best;
}

/* Looks at all chords; beside the grid the nearest point of the line counts. */
static step_coordinates step_line_search(const step_line *l, const step_query *q)
{
    const double width = step_largest(step_magnitude(l->of[STEP_LINE_RIGHT]), step_magnitude(l->of[STEP_LINE_LEFT]));
    step_coordinates best = {0, 0, 0, 0, 0, 0, 0};
    double rank = 0x1p1023;
    int32_t chord;
    for (int32_t i = 0; i < step_line_blocks(l); i++) {
        if (step_line_from_block(l, i, q->x, q->y) > l->blocks[3 * i + 2] + width)
            continue;
        for (int32_t k = i * (int32_t)l->of[STEP_LINE_BLOCK]; k < step_line_block_end(l, i); k++) {
            step_coordinates p;
            double r;
            if (step_line_leaves(l, k, q->x, q->y) != 0)
                continue;
            p = step_line_on(l, k, q->x, q->y);
            if (!step_line_inside(l, &p))
                continue;
            r = step_line_rank(l, q, &p);
            if (r < rank) {
                best = p;
                rank = r;
            }
        }
    }
    if (rank < 0x1p1023)
        return best;
    chord = step_line_nearest(l, q->x, q->y);
    step_line_walk(l, &chord, q->x, q->y);
    return step_line_on(l, chord, q->x, q->y);
}

static step_coordinates step_line_place(const step_line *l, const step_query *q)
{
    if (q->near == q->near) {
        const double at = (q->near - l->of[STEP_LINE_U0]) / l->of[STEP_LINE_DU];
        int32_t k = at >= l->chords - 1 ? l->chords - 1 : at > 0 ? (int32_t)at : 0;
        if (step_line_walk(l, &k, q->x, q->y)) {
            const step_coordinates p = step_line_on(l, k, q->x, q->y);
            if (step_line_inside(l, &p))
                return p;
        }
    }
    return step_line_search(l, q);
}

static void step_line_look(const step_shape *s, const step_query *q, step_point *to)
{
    const step_line l = step_line_of(s);
    const step_coordinates p = step_line_place(&l, q);
    const double beyond = 0 * (p.u + p.v);
    step_line_height h;
    if (!(beyond == 0)) {
        to->height = beyond;
        to->u = q->near;
        to->v = 0;
        return;
    }
    h = step_line_at(&l, p.u, p.v);
    to->height = h.z;
    to->slope_x = h.zu * p.ux + h.zv * p.vx;
    to->slope_y = h.zu * p.uy + h.zv * p.vy;
    to->u = p.u;
    to->v = p.v;
    to->no_ground = !h.ground;
}
