/* Group 7: what a call costs, next to an FMU that does nothing.
 *
 *     crossing FMU NOTHING
 *
 * NOTHING is the library of reference.c for the same version. Both are measured
 * in turn, and the median of the rounds is printed; nothing is asserted. */
#include "host.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 21, CALLS = 20000, STEPS = 200, MANY = 100 };

enum { GET_ONE, GET_MANY, SET_ONE, DO_STEP, KINDS };
static const char *const titles[KINDS] = {"get 1", "get 100", "set 1", "doStep 1 ms"};

static uint32_t input, outputs[MANY];

static double measure(struct instance *i, int kind)
{
    double value = 0, values[MANY] = {0}, start = seconds();
    int calls = kind == DO_STEP ? STEPS : CALLS;
    for (int n = 0; n < calls; n++) {
        int status = kind == GET_ONE    ? instance_get(i, outputs, 1, values)
                     : kind == GET_MANY ? instance_get(i, outputs, MANY, values)
                     : kind == SET_ONE  ? instance_set(i, &input, 1, &value)
                                        : instance_step(i, 0.001);
        MUST(status == OK);
    }
    return (seconds() - start) / calls;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    MUST(argc == 3);
    struct fmu ours, nothing;
    fmu_open(&ours, argv[1]);
    nothing = ours;
    nothing.library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    MUST(nothing.library != NULL);
    if (ours.version == 2) {
#define NOTHING2(name, ...) *(void **)&nothing.f2.name = dlsym(nothing.library, "fmi2" #name);
        FMI2_FUNCTIONS(NOTHING2, NOTHING2)
    } else {
#define NOTHING3(name, ...) *(void **)&nothing.f3.name = dlsym(nothing.library, "fmi3" #name);
        FMI3_FUNCTIONS(NOTHING3, NOTHING3)
    }
    static const char *const names[] = {"body.vx", "body.wz", "tire_FL.Fz", "tire_FR.Fz", "tire_RL.Fx"};
    input = fmu_reference(&ours, "brake_FL.torque");
    for (int n = 0; n < MANY; n++)
        outputs[n] = fmu_reference(&ours, names[n % 5]);

    struct instance instances[2];
    MUST(instance_new(&instances[0], &ours, "ours") && instance_initialise(&instances[0]) == OK);
    MUST(instance_new(&instances[1], &nothing, "nothing") && instance_initialise(&instances[1]) == OK);
    static double rounds[KINDS][2][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int which = 0; which < 2; which++)
                rounds[kind][which][round] = measure(&instances[which], kind);
    figure("  FMI %d.0, ns per call (times the FMU that does nothing):", ours.version);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int which = 0; which < 2; which++)
            qsort(rounds[kind][which], ROUNDS, sizeof(double), ascending);
        double median = rounds[kind][0][ROUNDS / 2];
        figure(" %s %.1f (%.1f)%s", titles[kind], median * 1e9, median / rounds[kind][1][ROUNDS / 2],
               kind + 1 < KINDS ? "," : "\n");
    }
    instance_free(&instances[0]);
    instance_free(&instances[1]);
    return 0;
}
