/* relaxation.c - a relaxation function in a library: delayed slip whose lengths grow with the speed.
 *
 *     cc -O2 -fPIC -shared -ffp-contract=off -I../.. relaxation.c -o relaxation.so -lm
 *
 *     tire_FL.relaxation.model = plugin:relaxation.so#skidpad_relaxation
 *     tire_FL.relaxation.file  = a file with lines NAME = VALUE
 *
 * Blong, Blat [m] are the lengths at standstill, growth [s/m] is by which share of them they grow with the speed.
 * Below Vlow [m/s] a slip above limit does not grow: Figure 3.5 of Morency (2007). Without Vlow there is no limit.
 * Equations: Morency (2007), 3.22, 3.23. With growth 0 and no limit results are those of the built-in function
 * ConstantLength to the last bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad_tire.h"

static const char *const inputs[] = {"VCx", "VEx", "VExs", "VPy", "VPxs", "q1", "q2"};
enum { VCX, VEX, VEXS, VPY, VPXS, Q1, Q2, INPUTS };

static const char *const outputs[] = {"q1dot", "q2dot", "sigma1", "sigma2"};
enum { OUTPUTS = sizeof outputs / sizeof *outputs };

static const char *const names[] = {"Blong", "Blat", "growth", "Vlow", "limit"};
enum { BLONG, BLAT, GROWTH, VLOW, LIMIT, PARAMETERS };

typedef struct {
    double p[PARAMETERS];
} relaxation;

static int32_t init(const char *tire, const char *file, double *states, void **instance, char *error, size_t capacity)
{
    relaxation *r;
    char line[1024];
    FILE *from = file ? fopen(file, "r") : NULL;
    (void)tire, (void)states; /* there are none */
    if (from == NULL) {
        snprintf(error, capacity, "the parameter file %s cannot be opened; set tire_XX.relaxation.file",
                 file ? file : "(none given)");
        return 1;
    }
    if ((r = calloc(1, sizeof *r)) != NULL)
        while (fgets(line, sizeof line, from) != NULL) {
            char name[64];
            double value;
            if (sscanf(line, " %63[A-Za-z0-9] = %lf", name, &value) == 2)
                for (int k = 0; k < PARAMETERS; k++)
                    if (strcmp(name, names[k]) == 0)
                        r->p[k] = value;
        }
    fclose(from);
    if (r == NULL || !(r->p[BLONG] > 0 && r->p[BLAT] > 0 && r->p[GROWTH] >= 0 && r->p[VLOW] >= 0)) {
        snprintf(error, capacity, "%s: Blong and Blat must be above 0, growth and Vlow not below", file);
        free(r);
        return 1;
    }
    *instance = r;
    return 0;
}

static void release(void *instance) { free(instance); }

/* Figure 3.5: a large slip of a slow wheel stays where it is. */
static double limited(const double *p, double speed, double slip, double rate)
{
    if (fabs(speed) < p[VLOW] && fabs(slip) > p[LIMIT] && rate * slip > 0)
        return 0;
    return rate;
}

static int32_t evaluate(size_t n, void *const *instances, const double *in, const double *states, double *out,
                        double *rates)
{
    (void)states, (void)rates;
    for (size_t k = 0; k < n; k++, in += INPUTS, out += OUTPUTS) {
        const double *p = ((const relaxation *)instances[k])->p;
        double more = 1 + p[GROWTH] * fabs(in[VCX]), along = p[BLONG] * more, across = p[BLAT] * more;
        out[0] = limited(p, in[VEXS], in[Q1], (-in[VEX] - in[Q1] * fabs(in[VEXS])) / along);
        out[1] = limited(p, in[VPXS], in[Q2], (in[VPY] - in[Q2] * fabs(in[VPXS])) / across);
        out[2] = along;
        out[3] = across;
    }
    return 0;
}

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/* d out[i] / d in[j] at derivatives[i * INPUTS + j]. */
static int32_t jacobian(void *instance, const double *in, const double *states, double *derivatives)
{
    const double *p = ((const relaxation *)instance)->p;
    double more = 1 + p[GROWTH] * fabs(in[VCX]), grow = p[GROWTH] * sign(in[VCX]);
    double length[2] = {p[BLONG] * more, p[BLAT] * more}, slide[2] = {-in[VEX], in[VPY]};
    const int slides[2] = {VEX, VPY}, travels[2] = {VEXS, VPXS}, slips[2] = {Q1, Q2};
    (void)states;
    memset(derivatives, 0, OUTPUTS * INPUTS * sizeof *derivatives);
    for (int i = 0; i < 2; i++) {
        double *row = derivatives + i * INPUTS, speed = in[travels[i]], q = in[slips[i]];
        double rate = (slide[i] - q * fabs(speed)) / length[i];
        derivatives[(2 + i) * INPUTS + VCX] = p[i == 0 ? BLONG : BLAT] * grow;
        if (limited(p, speed, q, rate) != rate)
            continue;
        row[VCX] = -rate * grow / more;
        row[slides[i]] = (i == 0 ? -1 : 1) / length[i];
        row[travels[i]] = -q * sign(speed) / length[i];
        row[slips[i]] = -fabs(speed) / length[i];
    }
    return 0;
}

SKIDPAD_TIRE_EXPORT const skidpad_tire *skidpad_relaxation(uint32_t abi)
{
    static const skidpad_tire tire = {
        .abi = SKIDPAD_TIRE_ABI,
        .size = sizeof tire,
        .name = "SpeedString",
        .text = "delayed slip with lengths that grow with the speed",
        .inputs = inputs,
        .input_count = INPUTS,
        .init = init,
        .evaluate = evaluate,
        .jacobian = jacobian,
        .free = release,
        .outputs = outputs,
        .output_count = OUTPUTS,
    };
    return abi == SKIDPAD_TIRE_ABI ? &tire : NULL;
}
