/* Tire functions that do something wrong, each in its own way. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "skidpad_tire.h"

static const char *const names[] = {"Fz", "S"};
static const char *const unknown[] = {"Fz", "weather"};
static const char *const missing[] = {"Fz", NULL};

static int32_t init(const char *tire, const char *file, double *states, void **instance, char *error, size_t capacity)
{
    (void)tire, (void)file, (void)states, (void)error, (void)capacity;
    *instance = 0;
    return 0;
}

static int32_t init_fails(const char *tire, const char *file, double *states, void **instance, char *error,
                          size_t capacity)
{
    (void)file, (void)states, (void)instance;
    if (capacity > 8)
        strcpy(error, "no luck"), (void)tire;
    return 3;
}

static int32_t init_nan(const char *tire, const char *file, double *states, void **instance, char *error,
                        size_t capacity)
{
    (void)tire, (void)file, (void)error, (void)capacity;
    states[0] = NAN;
    *instance = 0;
    return 0;
}

/* An instance that is a number. */
static int32_t init_number(const char *tire, const char *file, double *states, void **instance, char *error,
                           size_t capacity)
{
    (void)tire, (void)file, (void)states, (void)error, (void)capacity;
    *instance = (void *)(uintptr_t)1;
    return 0;
}

static void free_number(void *instance) { (void)instance; }

/* The instance of the tire at the rear on the right is not NULL. */
static int32_t init_one(const char *tire, const char *file, double *states, void **instance, char *error,
                        size_t capacity)
{
    static char right;
    (void)file, (void)states, (void)error, (void)capacity;
    *instance = strcmp(tire, "tire_RR") == 0 ? &right : NULL;
    return 0;
}

static int32_t fill(size_t n, double *out, double *rates, double fx, double rate)
{
    memset(out, 0, n * SKIDPAD_TIRE_OUTPUTS * sizeof *out);
    for (size_t k = 0; k < n; k++) {
        out[k * SKIDPAD_TIRE_OUTPUTS] = fx;
        if (rate != 0)
            rates[k] = rate;
    }
    return 0;
}

static int32_t good(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    (void)i, (void)in, (void)x;
    return fill(n, out, rates, 0, 0);
}

static int32_t nan_force(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    (void)i, (void)in, (void)x;
    return fill(n, out, rates, NAN, 0);
}

static int32_t huge_force(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    (void)i, (void)in, (void)x;
    fill(n, out, rates, 0, 0);
    out[1] = -1e300;
    return 0;
}

/* Ten numbers more than there are tires, or one in front. */
static int32_t behind(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    (void)i, (void)in, (void)x;
    fill(n, out, rates, 0, 0);
    for (int k = 0; k < 10; k++)
        out[n * SKIDPAD_TIRE_OUTPUTS + k] = 1;
    return 0;
}

static int32_t ahead(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    fill(n, out, rates, 0, 0);
    (void)i, (void)in, (void)x, out[-1] = 0;
    return 0;
}

static int32_t rates_behind(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    (void)i, (void)in, (void)x;
    fill(n, out, rates, 0, 0);
    rates[n] = 0;
    return 0;
}

static int32_t wide_jacobian(void *instance, const double *in, const double *x, double *derivatives)
{
    (void)instance, (void)in, (void)x;
    for (int k = 0; k < 2 * SKIDPAD_TIRE_OUTPUTS + 10; k++)
        derivatives[k] = 0;
    return 0;
}

static int32_t init_wide(const char *tire, const char *file, double *states, void **instance, char *error,
                         size_t capacity)
{
    (void)tire, (void)file, (void)error, (void)capacity;
    *instance = 0;
    states[0] = states[1] = 0;
    return 0;
}

/* Crashes as soon as a wheel turns on the road. */
static int32_t crashes(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    (void)i, (void)in, (void)x;
    fill(n, out, rates, 0, 0);
    *(volatile int *)16 = 1;
    return 0;
}

/* Says whether it got a parameter file. */
static int32_t init_without_file(const char *tire, const char *file, double *states, void **instance, char *error,
                                 size_t capacity)
{
    (void)tire, (void)states;
    *instance = 0;
    if (file != NULL && capacity > 12)
        strcpy(error, "got a file");
    return file != NULL;
}

static int32_t inf_rate(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    (void)i, (void)in, (void)x;
    return fill(n, out, rates, 0, INFINITY);
}

static int32_t fails(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    (void)i, (void)in, (void)x;
    fill(n, out, rates, 0, 0);
    return 7;
}

/* Fails once the wheel slips, so after some time of braking. */
static int32_t fails_late(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    (void)i, (void)x;
    fill(n, out, rates, 0, 0);
    for (size_t k = 0; k < n; k++)
        if (in[2 * k + 1] < -0.05)
            return 9;
    return 0;
}

static const char *reason(void *instance)
{
    (void)instance;
    return "the rubber is gone";
}

static const char *reason_of_one(void *instance) { return instance ? "the rubber is gone" : NULL; }

/* Takes 3 ms. */
static int32_t slowly(size_t n, void *const *i, const double *in, const double *x, double *out, double *rates)
{
    struct timespec begin, now;
    timespec_get(&begin, TIME_UTC);
    do
        timespec_get(&now, TIME_UTC);
    while ((double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec) < 3e-3);
    return good(n, i, in, x, out, rates);
}

#define TIRE(symbol, ...)                                          \
    SKIDPAD_TIRE_EXPORT const skidpad_tire *symbol(uint32_t abi)   \
    {                                                              \
        static const skidpad_tire base = {.abi = SKIDPAD_TIRE_ABI, \
                                          .size = sizeof base,     \
                                          .name = #symbol,         \
                                          .inputs = names,         \
                                          .input_count = 2,        \
                                          .init = init,            \
                                          .evaluate = good};       \
        static skidpad_tire tire;                                  \
        (void)abi;                                                 \
        tire = base;                                               \
        __VA_ARGS__;                                               \
        return &tire;                                              \
    }

TIRE(fine, (void)0)
TIRE(slow, tire.evaluate = slowly)
TIRE(other_abi, tire.abi = 2)
TIRE(small, tire.size = 8)
TIRE(nameless, tire.name = NULL)
TIRE(no_evaluate, tire.evaluate = NULL)
TIRE(no_init, tire.init = NULL)
TIRE(no_inputs, tire.input_count = 0)
TIRE(many_inputs, tire.input_count = 1000)
TIRE(many_states, tire.state_count = 1000)
TIRE(missing_input, tire.inputs = missing)
TIRE(unknown_input, tire.inputs = unknown)
TIRE(init_error, tire.init = init_fails)
TIRE(start_nan, tire.init = init_nan; tire.state_count = 1)
TIRE(force_nan, tire.evaluate = nan_force)
TIRE(force_huge, tire.evaluate = huge_force)
TIRE(writes_behind, tire.evaluate = behind)
TIRE(writes_ahead, tire.evaluate = ahead)
TIRE(rates_wide, tire.evaluate = rates_behind; tire.state_count = 1)
TIRE(jacobian_wide, tire.jacobian = wide_jacobian)
TIRE(states_wide, tire.init = init_wide; tire.state_count = 1)
TIRE(crash, tire.evaluate = crashes)
TIRE(no_file, tire.init = init_without_file)
TIRE(null_inputs, tire.inputs = NULL; tire.input_count = 4)
TIRE(empty_name, tire.name = "")
TIRE(spaced_name, tire.name = "my tire")
TIRE(digit_name, tire.name = "2tire")
TIRE(rate_inf, tire.evaluate = inf_rate; tire.state_count = 1)
TIRE(error_code, tire.evaluate = fails; tire.error = reason)
TIRE(error_of_one, tire.init = init_one; tire.evaluate = fails; tire.error = reason_of_one)
TIRE(numbered, tire.init = init_number; tire.free = free_number; tire.evaluate = fails; tire.error = reason)
TIRE(error_later, tire.evaluate = fails_late; tire.error = reason)

SKIDPAD_TIRE_EXPORT const skidpad_tire *refuses(uint32_t abi)
{
    (void)abi;
    return NULL;
}
