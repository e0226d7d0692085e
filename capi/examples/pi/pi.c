/* pi.c - a law in a library: a PI controller with limits for a component of equations.
 *
 *     cc -O2 -fPIC -shared -ffp-contract=off -I../.. pi.c -o pi.so
 *
 *     cruise.model = plugin:pi.so#skidpad_pi
 *     cruise.file  = a file with lines NAME = VALUE
 *
 * The component has the inputs speed and wish, the state z and the output throttle. kp and ki are the gains, low and
 * high the limits of the output (default: none); beyond these limits the integral z follows the output:
 *
 *     u = kp (wish - speed) + ki z,  throttle = min(high, max(low, u)),  z' = wish - speed + (throttle - u)/kp
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad_law.h"

static const char *const inputs[] = {"speed", "wish", "z"};
enum { SPEED, WISH, Z, INPUTS };

static const char *const outputs[] = {"throttle", "z_dot"};
enum { THROTTLE, Z_DOT, OUTPUTS };

static const char *const names[] = {"kp", "ki", "low", "high"};
enum { KP, KI, LOW, HIGH, PARAMETERS };

typedef struct {
    double p[PARAMETERS];
} pi;

static int32_t init(const char *component, const char *file, double *unused, void **instance, char *error,
                    size_t capacity)
{
    FILE *from = file ? fopen(file, "r") : NULL;
    char line[1024];
    pi *law;
    (void)component, (void)unused;
    if (from == NULL) {
        snprintf(error, capacity, "the parameter file %s cannot be opened; set <component>.file",
                 file ? file : "(none given)");
        return 1;
    }
    if ((law = calloc(1, sizeof *law)) != NULL) {
        law->p[LOW] = -HUGE_VAL, law->p[HIGH] = HUGE_VAL;
        while (fgets(line, sizeof line, from) != NULL) {
            char name[64];
            double value;
            if (sscanf(line, " %63[a-z] = %lf", name, &value) == 2)
                for (int k = 0; k < PARAMETERS; k++)
                    if (strcmp(name, names[k]) == 0)
                        law->p[k] = value;
        }
    }
    fclose(from);
    if (law == NULL || !(law->p[KP] > 0)) {
        snprintf(error, capacity, "%s: kp must be above 0", file);
        free(law);
        return 1;
    }
    *instance = law;
    return 0;
}

static int32_t evaluate(size_t n, void *const *instances, const double *in, const double *unused, double *out,
                        double *unused_too)
{
    (void)unused, (void)unused_too;
    for (size_t k = 0; k < n; k++, in += INPUTS, out += OUTPUTS) {
        const double *p = ((const pi *)instances[k])->p;
        double error = in[WISH] - in[SPEED], u = p[KP] * error + p[KI] * in[Z];
        out[THROTTLE] = fmin(p[HIGH], fmax(p[LOW], u));
        out[Z_DOT] = error + (out[THROTTLE] - u) / p[KP];
    }
    return 0;
}

static int32_t jacobian(void *instance, const double *in, const double *unused, double *d)
{
    const double *p = ((const pi *)instance)->p;
    double u = p[KP] * (in[WISH] - in[SPEED]) + p[KI] * in[Z];
    double inside = u > p[LOW] && u < p[HIGH] ? 1 : 0; /* the output follows u */
    (void)unused;
    d[THROTTLE * INPUTS + SPEED] = -inside * p[KP];
    d[THROTTLE * INPUTS + WISH] = inside * p[KP];
    d[THROTTLE * INPUTS + Z] = inside * p[KI];
    d[Z_DOT * INPUTS + SPEED] = -inside;
    d[Z_DOT * INPUTS + WISH] = inside;
    d[Z_DOT * INPUTS + Z] = (inside - 1) * p[KI] / p[KP];
    return 0;
}

static const skidpad_law law = {
    .abi = SKIDPAD_LAW_ABI,
    .size = sizeof(skidpad_law),
    .name = "PI",
    .text = "PI controller with limits",
    .inputs = inputs,
    .input_count = INPUTS,
    .init = init,
    .evaluate = evaluate,
    .jacobian = jacobian,
    .free = free,
    .outputs = outputs,
    .output_count = OUTPUTS,
};

SKIDPAD_LAW_EXPORT const skidpad_law *skidpad_pi(uint32_t abi) { return abi == SKIDPAD_LAW_ABI ? &law : NULL; }
