/* Controllers that do something wrong, each in its own way. */
#include <math.h>
#include <stdint.h>

#include "skidpad_controller.h"

static const char *const names[] = {"speed", "wish", "z"};
static const char *const unknown[] = {"speed", "wish", "nothing"};
static const char *const twice[] = {"speed", "wish", "speed"};
static const char *const hole[] = {"speed", NULL, "z"};
static const char *const all[] = {"throttle", "z_next"};
static const char *const same[] = {"throttle", "throttle"};
static const char *const swapped[] = {"z_next", "throttle"};
static const char *const rates[] = {"throttle", "z_dot"};
static const char *const missing[] = {"throttle", NULL};

static int32_t init(const char *component, const char *file, double *unused, void **instance, char *error,
                    size_t capacity)
{
    (void)component, (void)file, (void)unused, (void)error, (void)capacity;
    *instance = 0;
    return 0;
}

static int32_t no_init(const char *component, const char *file, double *unused, void **instance, char *error,
                       size_t capacity)
{
    static const char why[] = "the licence has ended";
    (void)component, (void)file, (void)unused, (void)instance;
    for (size_t k = 0; k < sizeof why && k < capacity; k++)
        error[k] = why[k];
    return 1;
}

static const char *reason(void *instance)
{
    (void)instance;
    return "the sensor is gone";
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
RETURNS(not_finite, 0, 0.3, INFINITY)
RETURNS(failing, 7, 0, 0)
RETURNS(wide, 0, 0, 0, [8] = 1)

#define CONTROLLER(symbol, ...)                                                                                   \
    SKIDPAD_CONTROLLER_EXPORT const skidpad_controller *symbol(uint32_t abi)                                      \
    {                                                                                                             \
        static skidpad_controller controller;                                                                     \
        static const skidpad_controller plain = {.abi = SKIDPAD_CONTROLLER_ABI, .size = sizeof plain,             \
                                                 .name = #symbol, .inputs = names, .input_count = 3,              \
                                                 .init = init, .evaluate = still, .outputs = all,                 \
                                                 .output_count = 2};                                              \
        controller = plain;                                                                                       \
        __VA_ARGS__;                                                                                              \
        return abi == SKIDPAD_CONTROLLER_ABI ? &controller : NULL;                                                \
    }

#define C controller
CONTROLLER(good, C.none = 0)
CONTROLLER(later, C.abi++)
CONTROLLER(short_size, C.size -= 8)
CONTROLLER(no_name, C.name = NULL)
CONTROLLER(spaced_name, C.name = "my controller")
CONTROLLER(null_init, C.init = NULL)
CONTROLLER(null_evaluate, C.evaluate = NULL)
CONTROLLER(null_inputs, C.inputs = NULL)
CONTROLLER(many_inputs, C.input_count = 65)
CONTROLLER(no_inputs, C.input_count = 0)
CONTROLLER(null_input, C.inputs = hole)
CONTROLLER(same_input, C.inputs = twice)
CONTROLLER(other_input, C.inputs = unknown)
CONTROLLER(own_states, C.none = 1)
CONTROLLER(derivatives, C.nothing = (void (*)(void))init)
CONTROLLER(no_outputs, C.outputs = NULL, C.output_count = 0)
CONTROLLER(null_output, C.outputs = missing)
CONTROLLER(same_output, C.outputs = same)
CONTROLLER(other_order, C.outputs = swapped)
CONTROLLER(of_rates, C.outputs = rates)
CONTROLLER(one_result, C.output_count = 1)
CONTROLLER(init_fails, C.init = no_init)
CONTROLLER(infinite_result, C.evaluate = not_finite)
CONTROLLER(fails, C.evaluate = failing, C.error = reason)
CONTROLLER(fails_silently, C.evaluate = failing)
CONTROLLER(writes, C.evaluate = wide)

SKIDPAD_CONTROLLER_EXPORT const skidpad_controller *refuses(uint32_t abi)
{
    (void)abi;
    return NULL;
}
