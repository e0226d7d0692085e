/* Laws that do something wrong, each in its own way. */
#include <math.h>
#include <stdint.h>

#include "skidpad_law.h"

static const char *const names[] = {"speed", "wish", "z"};
static const char *const unknown[] = {"speed", "wish", "nothing"};
static const char *const all[] = {"throttle", "z_dot"};
static const char *const swapped[] = {"z_dot", "throttle"};
static const char *const missing[] = {"throttle", NULL};

static int32_t init(const char *component, const char *file, double *unused, void **instance, char *error,
                    size_t capacity)
{
    (void)component, (void)file, (void)unused, (void)error, (void)capacity;
    *instance = 0;
    return 0;
}

#define RETURNS(function, status, ...)                                                                            \
    static int32_t function(size_t n, void *const *i, const double *in, const double *x, double *out, double *dx) \
    {                                                                                                             \
        (void)i, (void)in, (void)x, (void)dx;                                                                     \
        for (size_t k = 0; k < n; k++, out += 2) {                                                                \
            const double results[] = {__VA_ARGS__};                                                               \
            for (size_t r = 0; r < sizeof results / sizeof *results; r++)                                         \
                out[r] = results[r];                                                                              \
        }                                                                                                         \
        return status;                                                                                            \
    }

RETURNS(still, 0, 0.3, 0)
RETURNS(large, 0, 0.3, 2e9)
RETURNS(not_finite, 0, NAN, 0)
RETURNS(failing, 7, 0, 0)
RETURNS(wide, 0, 0, 0, [8] = 1)

#define LAW(symbol, version, asked, returned, count, function, ...)                                              \
    SKIDPAD_LAW_EXPORT const skidpad_law *symbol(uint32_t abi)                                                   \
    {                                                                                                            \
        static skidpad_law law;                                                                                  \
        law = (skidpad_law){.abi = version, .size = sizeof law, .name = #symbol, .inputs = asked,                \
                            .input_count = 3, .init = init, .evaluate = function, .outputs = returned,           \
                            .output_count = count, __VA_ARGS__};                                                 \
        return abi == SKIDPAD_LAW_ABI ? &law : NULL;                                                             \
    }

LAW(good, SKIDPAD_LAW_ABI, names, all, 2, still, .none = 0)
LAW(large_rate, SKIDPAD_LAW_ABI, names, all, 2, large, .none = 0)
LAW(later, SKIDPAD_LAW_ABI + 1, names, all, 2, still, .none = 0)
LAW(no_outputs, SKIDPAD_LAW_ABI, names, NULL, 0, still, .none = 0)
LAW(null_output, SKIDPAD_LAW_ABI, names, missing, 2, still, .none = 0)
LAW(own_states, SKIDPAD_LAW_ABI, names, all, 2, still, .none = 1)
LAW(other_order, SKIDPAD_LAW_ABI, names, swapped, 2, still, .none = 0)
LAW(one_result, SKIDPAD_LAW_ABI, names, all, 1, still, .none = 0)
LAW(other_input, SKIDPAD_LAW_ABI, unknown, all, 2, still, .none = 0)
LAW(nan_result, SKIDPAD_LAW_ABI, names, all, 2, not_finite, .none = 0)
LAW(fails, SKIDPAD_LAW_ABI, names, all, 2, failing, .none = 0)
LAW(writes, SKIDPAD_LAW_ABI, names, all, 2, wide, .none = 0)
