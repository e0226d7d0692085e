/* Functions that do what their parameter file says, byte by byte:
 *
 *     0        init fails if it is 1
 *     1        evaluate returns it where it is below 8
 *     2        1 writes behind the results, 2 before them, 3 does so in jacobian; 3 to 18 numbers away by byte 3
 *     4        error has a text if it is odd
 *     8, ...   numbers: result k is the sum of number 2 k and of number 2 k + 1 times the first input
 *
 * Numbers behind the end of the file are 0. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad_law.h"
#include "skidpad_tire.h"

typedef struct {
    unsigned char bytes[8];
    double numbers[32];
} script;

static int32_t init(const char *component, const char *file, double *states, void **instance, char *error,
                    size_t capacity)
{
    FILE *from = file ? fopen(file, "rb") : NULL;
    script *s = calloc(1, sizeof *s);
    (void)component, (void)states;
    if (from == NULL || s == NULL)
        return 1;
    if (fread(s, 1, sizeof *s, from) == 0)
        snprintf(error, capacity, "an empty file");
    fclose(from);
    *instance = s;
    return s->bytes[0] == 1;
}

static int32_t by_script(const script *s, size_t results, const double *in, double *out)
{
    for (size_t k = 0; k < results; k++)
        out[k] = s->numbers[2 * k] + s->numbers[2 * k + 1] * in[0];
    return s->bytes[1] < 8 ? s->bytes[1] : 0;
}

static int32_t slopes(const script *s, size_t inputs, size_t results, double *d)
{
    memset(d, 0, inputs * results * sizeof *d);
    for (size_t k = 0; k < results; k++)
        d[k * inputs] = s->numbers[2 * k + 1];
    if (s->bytes[2] == 3)
        d[inputs * results + s->bytes[3] % 16] = 1;
    return 0;
}

static const char *error(void *instance) { return ((script *)instance)->bytes[4] & 1 ? "as the script says" : NULL; }

#define FUNCTION(symbol, kind, version, asked, returned, results)                                                     \
    static int32_t symbol##_evaluate(size_t n, void *const *instances, const double *in, const double *x, double *out, \
                                     double *dx)                                                                       \
    {                                                                                                                  \
        int32_t status = 0;                                                                                            \
        (void)x, (void)dx;                                                                                             \
        for (size_t k = 0; k < n; k++) {                                                                               \
            const script *s = instances[k];                                                                            \
            size_t away = 2 + s->bytes[3] % 16;                                                                        \
            status |= by_script(s, results,                in + k * asked##_count, out + k * results);                 \
            if (s->bytes[2] == 1)                                                                                      \
                out[n * results + away] = 1;                                                                           \
            if (s->bytes[2] == 2)                                                                                      \
                *(out - away) = 1;                                                                                     \
        }                                                                                                              \
        return status;                                                                                                 \
    }                                                                                                                  \
    static int32_t symbol##_jacobian(void *s, const double *in, const double *x, double *d)                            \
    {                                                                                                                  \
        (void)in, (void)x;                                                                                             \
        return slopes(s, asked##_count, results, d);                                                                   \
    }                                                                                                                  \
    __attribute__((visibility("default"))) const kind *symbol(uint32_t abi)                                            \
    {                                                                                                                  \
        static const kind function = {.abi = version,                                                                  \
                                      .size = sizeof(kind),                                                            \
                                      .name = #symbol,                                                                 \
                                      .inputs = asked,                                                                 \
                                      .input_count = asked##_count,                                                    \
                                      .init = init,                                                                    \
                                      .evaluate = symbol##_evaluate,                                                   \
                                      .jacobian = symbol##_jacobian,                                                   \
                                      .error = error,                                                                  \
                                      .free = free,                                                                    \
                                      .outputs = returned,                                                             \
                                      .output_count = results};                                                        \
        return abi == version ? &function : NULL;                                                                      \
    }

static const char *const of_law[] = {"speed", "z"}, *const of_tire[] = {"q1", "VCx", "q2"};
enum { of_law_count = 2, of_tire_count = 3 };
static const char *const law_results[] = {"torque", "z_dot"}, *const rates[] = {"q1dot", "q2dot"},
                  *const lengths[] = {"q1dot", "q2dot", "sigma1", "sigma2"};

FUNCTION(law, skidpad_law, SKIDPAD_LAW_ABI, of_law, law_results, 2)
FUNCTION(relaxation, skidpad_tire, SKIDPAD_TIRE_ABI, of_tire, rates, 2)
FUNCTION(with_lengths, skidpad_tire, SKIDPAD_TIRE_ABI, of_tire, lengths, 4)
