/* Tire functions for paths.c that fail where a tire slips too much, each in its own way, and are linear below. */
#include <math.h>
#include <stddef.h>

#include "skidpad_tire.h"

enum { FX, FY, MX, MY, MZ };

static int32_t init(const char *tire, const char *file, double *states, void **instance, char *error, size_t capacity)
{
    (void)tire, (void)file, (void)states, (void)error, (void)capacity;
    *instance = NULL;
    return 0;
}

static const char *reason(void *instance)
{
    (void)instance;
    return "it slips too much";
}

static int slips(const double *in) { return fabs(in[0]) > 0.1 || fabs(in[1]) > 0.05; }

/* Forces, and how many tires slip too much. */
static int forces(size_t n, const double *in, double *out)
{
    int count = 0;
    for (size_t k = 0; k < n; k++, in += 3, out += SKIDPAD_TIRE_OUTPUTS) {
        out[FX] = 20 * in[2] * in[0];
        out[FY] = 12 * in[2] * in[1];
        out[MX] = out[MY] = 0;
        out[MZ] = -0.03 * out[FY];
        count += slips(in);
    }
    return count;
}

#define MOOD(mood, failure)                                                                                    \
    static int32_t mood##_evaluate(size_t n, void *const *i, const double *in, const double *x, double *out,   \
                                   double *rates)                                                              \
    {                                                                                                          \
        (void)i, (void)x, (void)rates;                                                                         \
        if (forces(n, in, out) == 0)                                                                           \
            return 0;                                                                                          \
        failure;                                                                                               \
        return 0;                                                                                              \
    }                                                                                                          \
    SKIDPAD_TIRE_EXPORT const skidpad_tire *mood(uint32_t abi)                                                 \
    {                                                                                                          \
        static const char *const inputs[] = {"S", "alpha", "Fz"};                                              \
        static const skidpad_tire tire = {.abi = SKIDPAD_TIRE_ABI, .size = sizeof tire, .name = #mood,         \
                                          .inputs = inputs, .input_count = 3, .init = init,                    \
                                          .evaluate = mood##_evaluate, .error = reason};                       \
        return abi == SKIDPAD_TIRE_ABI ? &tire : NULL;                                                         \
    }

MOOD(calm, (void)0)
MOOD(returns, return 7)
MOOD(not_a_number, out[FY] = NAN)
MOOD(huge, out[SKIDPAD_TIRE_OUTPUTS + MZ] = -2e9)
MOOD(behind, out[n * SKIDPAD_TIRE_OUTPUTS + 3] = 1)
MOOD(ahead, out[-1] = 1)
MOOD(rates_behind, rates[0] = 1)
