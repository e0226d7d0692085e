/* cruise.c - a digital controller in a library: a cruise control that switches off where the driver brakes.
 *
 *     cc -O2 -fPIC -shared -ffp-contract=off -I../.. cruise.c -o cruise.so
 *
 *     cruise.function = plugin:cruise.so#skidpad_cruise
 *     cruise.file     = a file with lines NAME = VALUE: kp [s/m], ki [1/m]; without it 0.2 and 0.02
 *
 * The component has the inputs speed, wish and brake, the states off and z, and the output throttle. The throttle is
 * between 0 and 1; beyond these limits the integral z stays:
 *
 *     u = kp (wish - speed) + ki z,  throttle = min(1, max(0, u)),  z_next = z + sample (wish - speed)
 *
 * What the controller remembers are the states: off is 1 from the first sample on at which the driver brakes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad_controller.h"

static const char *const inputs[] = {"speed", "wish", "brake", "off", "z", "sample"};
enum { SPEED, WISH, BRAKE, OFF, Z, SAMPLE, INPUTS };

static const char *const outputs[] = {"throttle", "off_next", "z_next"};
enum { THROTTLE, OFF_NEXT, Z_NEXT, OUTPUTS };

typedef struct {
    double kp, ki;
} gains;

static int32_t init(const char *component, const char *file, double *unused, void **instance, char *error,
                    size_t capacity)
{
    gains *g = malloc(sizeof *g);
    char line[1024], name[64];
    double value;
    (void)component, (void)unused;
    if (g == NULL) {
        snprintf(error, capacity, "there is no memory left");
        return 1;
    }
    *g = (gains){0.2, 0.02};
    if (file != NULL) {
        FILE *from = fopen(file, "r");
        if (from == NULL) {
            snprintf(error, capacity, "the parameter file %s cannot be opened", file);
            free(g);
            return 1;
        }
        while (fgets(line, sizeof line, from) != NULL)
            if (sscanf(line, " %63[a-z] = %lf", name, &value) == 2)
                *(strcmp(name, "kp") == 0 ? &g->kp : strcmp(name, "ki") == 0 ? &g->ki : &value) = value;
        fclose(from);
    }
    *instance = g;
    return 0;
}

static int32_t evaluate(size_t n, void *const *instances, const double *in, const double *unused, double *out,
                        double *unused_too)
{
    (void)unused, (void)unused_too;
    for (size_t k = 0; k < n; k++, in += INPUTS, out += OUTPUTS) {
        const gains *g = instances[k];
        double lack = in[WISH] - in[SPEED], u = g->kp * lack + g->ki * in[Z];
        int off = in[OFF] > 0 || in[BRAKE] > 0, limited = u < 0 || u > 1;
        out[THROTTLE] = off ? 0 : fmin(1, fmax(0, u));
        out[OFF_NEXT] = off;
        out[Z_NEXT] = off || limited ? in[Z] : in[Z] + in[SAMPLE] * lack;
    }
    return 0;
}

static const skidpad_controller cruise = {
    .abi = SKIDPAD_CONTROLLER_ABI,
    .size = sizeof(skidpad_controller),
    .name = "CruiseControl",
    .text = "cruise control that switches off where the driver brakes",
    .inputs = inputs,
    .input_count = INPUTS,
    .init = init,
    .evaluate = evaluate,
    .free = free,
    .outputs = outputs,
    .output_count = OUTPUTS,
};

SKIDPAD_CONTROLLER_EXPORT const skidpad_controller *skidpad_cruise(uint32_t abi)
{
    return abi == SKIDPAD_CONTROLLER_ABI ? &cruise : NULL;
}
