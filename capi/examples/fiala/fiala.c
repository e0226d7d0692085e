/* fiala.c - the Fiala tire as a tire function in a library.
 *
 *     cc -O2 -fPIC -shared -ffp-contract=off -I../.. fiala.c -o fiala.so -lm
 *
 *     tire_FL.model = plugin:fiala.so#skidpad_fiala
 *     tire_FL.file  = a file with lines NAME = VALUE for the six parameters
 *
 * It makes the same operations in the same order as the built-in function Fiala, so that
 * results are equal to the last bit. Equations: Morency (2007), 3.31 to 3.37, corrected. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad_tire.h"

static const char *const inputs[] = {"Fz", "S", "alpha", "Omega", "mu"};
static const char *const names[] = {"D2", "CS", "Calpha", "Cr", "mu0", "mu1"};
enum { D2, CS, CALPHA, CR, MU0, MU1, PARAMETERS };

typedef struct {
    double p[PARAMETERS];
} fiala;

/* Reads the lines NAME = VALUE of a file; others are passed over. */
static int32_t read_parameters(fiala *f, const char *file, char *error, size_t capacity)
{
    char line[1024];
    int given[PARAMETERS] = {0};
    FILE *from = file ? fopen(file, "r") : NULL;
    if (from == NULL) {
        snprintf(error, capacity, "the parameter file %s cannot be opened", file ? file : "(none given)");
        return 1;
    }
    while (fgets(line, sizeof line, from) != NULL) {
        char name[64];
        double value;
        if (sscanf(line, " %63[A-Za-z0-9] = %lf", name, &value) != 2)
            continue;
        for (int k = 0; k < PARAMETERS; k++)
            if (strcmp(name, names[k]) == 0)
                f->p[k] = value, given[k] = 1;
    }
    fclose(from);
    for (int k = 0; k < PARAMETERS; k++)
        if (!given[k] || !isfinite(f->p[k])) {
            snprintf(error, capacity, "%s: the parameter %s is missing or not finite", file, names[k]);
            return 1;
        }
    return 0;
}

static int32_t init(const char *tire, const char *file, double *states, void **instance, char *error, size_t capacity)
{
    fiala *f = calloc(1, sizeof *f);
    (void)tire, (void)states; /* there are none */
    if (f == NULL) {
        snprintf(error, capacity, "out of memory");
        return 1;
    }
    if (read_parameters(f, file, error, capacity) != 0) {
        free(f);
        return 1;
    }
    *instance = f;
    return 0;
}

static double limited(double x, double bound) { return x < -bound ? -bound : x > bound ? bound : x; }

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/* The tangent of an angle of at most a right angle: sine over cosine, by the polynomials of
 * FreeBSD's msun (k_sin.c, k_cos.c) in pairs of terms. Its operations do not depend on a
 * mathematics library. */
static double tangent(double angle)
{
    static const double half_pi[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11,
                                     2.02226624879595063154e-21};
    static const double s[] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
        2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10};
    static const double c[] = {4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
        -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11};
    double n = angle > 0.785398163397448 ? 1 : angle < -0.785398163397448 ? -1 : 0; /* right angles taken off */
    double r = ((angle - n * half_pi[0]) - n * half_pi[1]) - n * half_pi[2], z = r * r, z2 = z * z, w = 1 - z * 0.5;
    double sine = r + z * r * (s[0] + z * ((s[1] + z * s[2]) + z2 * ((s[3] + z * s[4]) + z2 * s[5])));
    double cosine =
        w + (((1 - w) - z * 0.5) + z2 * (((c[0] + z * c[1]) + z2 * (c[2] + z * c[3])) + (z2 * z2) * (c[4] + z * c[5])));
    return n == 0 ? sine / cosine : cosine / -sine;
}

/* The sign of the spin, smooth between -1e-3 rad/s and 0. */
static double rolling_sign(double omega)
{
    double x = limited(2 * omega / 1e-3 + 1, 1), s = x * x;
    return x * (15 + s * (3 * s - 10)) / 8;
}

static void forces(const fiala *f, const double *in, double *out)
{
    double fz = in[0] < 1e9 ? in[0] : 1e9, s = limited(in[1], 1e6),
           alpha = limited(in[2], 3.14159265358979323846264338327950288 / 2);
    double omega = in[3], surface = in[4] < 0 ? 0 : in[4] < 1e6 ? in[4] : 1e6;
    memset(out, 0, SKIDPAD_TIRE_OUTPUTS * sizeof *out);
    if (fz <= 1e-99) /* in the air */
        return;
    double tan = tangent(alpha), slip = sqrt(s * s + tan * tan);
    double n = surface * (f->p[MU0] - (slip < 1 ? slip : 1) * (f->p[MU0] - f->p[MU1])) * fz;
    double magnitude = fabs(s), lateral = f->p[CALPHA] * fabs(tan), h = 0, cube;
    out[0] = f->p[CS] * s;
    if (2 * magnitude * f->p[CS] > n)
        out[0] = copysign(n * (1 - n / (4 * magnitude * f->p[CS])), s);
    if (lateral < 3 * n)
        h = 1 - lateral / (3 * n);
    cube = h * h * h;
    out[1] = -n * (1 - cube) * sign(alpha);
    out[3] = -f->p[CR] * fz * rolling_sign(omega);
    out[4] = n * f->p[D2] * (1 - h) * cube * sign(alpha);
}

static int32_t evaluate(size_t n, void *const *instances, const double *in, const double *states, double *out,
                        double *rates)
{
    (void)states, (void)rates;
    for (size_t k = 0; k < n; k++)
        forces(instances[k], in + k * (sizeof inputs / sizeof *inputs), out + k * SKIDPAD_TIRE_OUTPUTS);
    return 0;
}

SKIDPAD_TIRE_EXPORT const skidpad_tire *skidpad_fiala(uint32_t abi)
{
    static const skidpad_tire tire = {
        .abi = SKIDPAD_TIRE_ABI,
        .size = sizeof tire,
        .name = "FialaLibrary",
        .text = "Fiala tire in a library",
        .inputs = inputs,
        .input_count = sizeof inputs / sizeof *inputs,
        .init = init,
        .evaluate = evaluate,
        .free = free,
    };
    return abi == SKIDPAD_TIRE_ABI ? &tire : NULL;
}
