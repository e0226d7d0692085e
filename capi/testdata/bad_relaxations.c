/* Relaxation functions that do something wrong, each in its own way. */
#include <math.h>
#include <stdint.h>

#include "skidpad_tire.h"

static const char *const names[] = {"Fz", "q1", "q2"};
static const char *const rates_only[] = {"q1dot", "q2dot"};
static const char *const all[] = {"q1dot", "q2dot", "q3dot", "sigma1", "sigma2"};
static const char *const with_lengths[] = {"q1dot", "q2dot", "sigma1", "sigma2"};
static const char *const swapped[] = {"q2dot", "q1dot"};
static const char *const one_length[] = {"q1dot", "q2dot", "sigma1"};
static const char *const mixed[] = {"Fx", "q1dot"};
static const char *const missing[] = {"q1dot", NULL};

static int32_t init(const char *tire, const char *file, double *states, void **instance, char *error, size_t capacity)
{
    (void)tire, (void)file, (void)states, (void)error, (void)capacity;
    *instance = 0;
    return 0;
}

#define RETURNS(function, count, ...)                                                                              \
    static int32_t function(size_t n, void *const *i, const double *in, const double *x, double *out, double *dx)  \
    {                                                                                                              \
        (void)i, (void)in, (void)x, (void)dx;                                                                      \
        for (size_t k = 0; k < n; k++, in += 3, out += count) {                                                    \
            const double results[] = {__VA_ARGS__};                                                                \
            for (size_t r = 0; r < sizeof results / sizeof *results; r++)                                          \
                out[r] = results[r];                                                                               \
        }                                                                                                          \
        return 0;                                                                                                  \
    }

RETURNS(still, 2, 0, 0)
RETURNS(nan_rate, 2, 0, NAN)
RETURNS(huge_rate, 2, 2e9, 0)
RETURNS(negative, 4, 0, 0, 0.3, -0.3)
RETURNS(nothing, 4, 0, 0, 0.3, 0)
RETURNS(by_slip, 4, 0, 0, 0.3, 0.3 + in[2])
RETURNS(wide, 2, 0, 0, [12] = 1)
RETURNS(crashes, 2, *(volatile double *)16, 0)

#define RELAXATION(symbol, what, count, function, ...)             \
    SKIDPAD_TIRE_EXPORT const skidpad_tire *symbol(uint32_t abi)   \
    {                                                              \
        static const skidpad_tire base = {.abi = SKIDPAD_TIRE_ABI, \
                                          .size = sizeof base,     \
                                          .name = #symbol,         \
                                          .inputs = names,         \
                                          .input_count = 3,        \
                                          .init = init,            \
                                          .evaluate = function,    \
                                          .outputs = what,         \
                                          .output_count = count};  \
        static skidpad_tire tire;                                  \
        (void)abi;                                                 \
        tire = base;                                               \
        __VA_ARGS__;                                               \
        return &tire;                                              \
    }

RELAXATION(fine, rates_only, 2, still)
RELAXATION(nan_of_rate, rates_only, 2, nan_rate)
RELAXATION(huge_of_rate, rates_only, 2, huge_rate)
RELAXATION(negative_length, with_lengths, 4, negative)
RELAXATION(no_length, with_lengths, 4, nothing)
RELAXATION(length_by_slip, with_lengths, 4, by_slip)
RELAXATION(writes_behind, rates_only, 2, wide)
RELAXATION(crash, rates_only, 2, crashes)
RELAXATION(of_three, all, 5, still)
RELAXATION(of_another_order, swapped, 2, still)
RELAXATION(of_one_length, one_length, 3, still)
RELAXATION(of_forces, mixed, 2, still)
RELAXATION(of_a_missing_name, missing, 2, still)
RELAXATION(of_one_rate, rates_only, 1, still)
RELAXATION(of_six, all, 6, still)
RELAXATION(of_no_names, NULL, 2, still)
RELAXATION(with_a_state, rates_only, 2, still, tire.state_count = 1)
RELAXATION(of_the_size_before, rates_only, 2, still, tire.size = 80)
