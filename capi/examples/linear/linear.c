#include "skidpad_tire.h"
#include "_cgo_export.h"

static int32_t init(const char *tire, const char *file, double *states, void **instance, char *error, size_t capacity)
{
    (void)tire, (void)file, (void)error, (void)capacity; /* it has no parameters */
    states[0] = 0;
    *instance = 0;
    return 0;
}

static int32_t evaluate(size_t n, void *const *instances, const double *in, const double *states, double *out,
                        double *rates)
{
    (void)instances;
    return linearEvaluate(n, (double *)in, (double *)states, out, rates);
}

SKIDPAD_TIRE_EXPORT const skidpad_tire *skidpad_linear(uint32_t abi)
{
    static const char *const names[] = {"Fz", "S", "VPy", "VPxs"};
    static const skidpad_tire tire = {
        .abi = SKIDPAD_TIRE_ABI,
        .size = sizeof tire,
        .name = "LinearLibrary",
        .text = "linear tire with a relaxation length, in a library",
        .inputs = names,
        .input_count = 4,
        .state_count = 1,
        .init = init,
        .evaluate = evaluate,
    };
    return abi == SKIDPAD_TIRE_ABI ? &tire : 0;
}
