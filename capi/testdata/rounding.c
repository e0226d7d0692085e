/* What a host's floating-point environment does to results:
 *
 *     rounding LIBRARY MODEL WHEN ENVIRONMENT TIRES
 *
 * The host sets ENVIRONMENT (0 to nearest, 1 upward, 2 downward, 3 to zero; 4 more: tiny numbers are 0) WHEN it loads
 * the library (load), or before the first step (step). TIRES is none, polite or rude: functions of the host, of which
 * the rude ones leave another environment behind. Prints a number that stands for all results. */
#include <dlfcn.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "skidpad.h"

#define MUST(condition)                                                        \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("rounding.c:%d: %s does not hold\n", __LINE__, #condition); \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

enum { VEHICLES = 9, STEPS = 60 };
#define H 0.001

static void set_environment(int which)
{
    static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    fesetround(roundings[which & 3]);
#if defined(__x86_64__)
    if (which & 4)
        _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

static int environment(void)
{
#if defined(__x86_64__)
    return (int)(_mm_getcsr() & ~0x3fu); /* without the flags of what has happened */
#else
    return fegetround();
#endif
}

/* Forces in proportion to slip; divisions, so that roundings matter. */
static int rude;
static int32_t init(const char *tire, const char *file, double *states, void **instance, char *error, size_t capacity)
{
    (void)tire, (void)file, (void)states, (void)error, (void)capacity;
    *instance = &rude;
    if (rude)
        set_environment(5);
    return 0;
}
static int32_t evaluate(size_t n, void *const *instances, const double *inputs, const double *states, double *outputs,
                        double *rates)
{
    (void)instances, (void)states, (void)rates;
    for (size_t k = 0; k < n; k++) {
        double load = inputs[3 * k], slip = inputs[3 * k + 1], angle = inputs[3 * k + 2];
        double *f = outputs + SKIDPAD_TIRE_OUTPUTS * k;
        memset(f, 0, SKIDPAD_TIRE_OUTPUTS * sizeof *f);
        f[0] = load * slip / 0.07, f[1] = -load * angle / 0.09;
    }
    if (rude)
        set_environment(5);
    return 0;
}

static uint64_t hash = 14695981039346656037u;
static void add(const void *data, size_t size)
{
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ ((const unsigned char *)data)[k]) * 1099511628211u;
}

int main(int count, char **arguments)
{
    MUST(count == 6);
    int at_load = strcmp(arguments[3], "load") == 0, which = atoi(arguments[4]);
    if (at_load)
        set_environment(which);
    int before = environment();
    void *library = dlopen(arguments[1], RTLD_NOW);
    MUST(library != NULL && environment() == before);
#define FUNCTION(name) __typeof__(skidpad_##name) *name = (__typeof__(name))dlsym(library, "skidpad_" #name)
    FUNCTION(register_tire);
    FUNCTION(load);
    FUNCTION(copy);
    FUNCTION(set_text);
    FUNCTION(initialise);
    FUNCTION(step);
    FUNCTION(step_all);
    FUNCTION(state_size);
    FUNCTION(save);
    FUNCTION(get);
    char error[1024];
    if (strcmp(arguments[5], "none") != 0) {
        static const char *inputs[] = {"Fz", "S", "alpha"};
        const skidpad_tire tire = {.abi = SKIDPAD_TIRE_ABI, .size = sizeof tire, .name = "Proportional",
                                   .inputs = inputs, .input_count = 3, .init = init, .evaluate = evaluate};
        rude = strcmp(arguments[5], "rude") == 0;
        MUST(register_tire(&tire, error, sizeof error) == SKIDPAD_OK);
    }
    skidpad_vehicle *vehicles[VEHICLES];
    int32_t statuses[VEHICLES];
    for (int k = 0; k < VEHICLES; k++) {
        MUST((k == 0 ? load(arguments[2], NULL, &vehicles[0], error, sizeof error)
                     : copy(vehicles[0], &vehicles[k])) == SKIDPAD_OK);
        for (int corner = 0; corner < 4 && strcmp(arguments[5], "none") != 0; corner++) {
            static const char *corners[] = {"FL", "FR", "RL", "RR"};
            char name[32];
            snprintf(name, sizeof name, "tire_%s.model", corners[corner]);
            MUST(set_text(vehicles[k], name, "Proportional") == SKIDPAD_OK);
        }
    }
    if (!at_load)
        set_environment(which);
    before = environment();
    for (int k = 0; k < VEHICLES; k++)
        MUST(initialise(vehicles[k]) == SKIDPAD_OK);
    for (int k = 0; k < STEPS; k++)
        MUST(step(vehicles[0], H) == SKIDPAD_OK);
    for (int k = 0; k < STEPS; k++)
        MUST(step_all(vehicles, VEHICLES, H, 4, statuses) == SKIDPAD_OK);
    for (int k = 0; k < VEHICLES; k++) {
        static char state[1 << 20];
        int64_t size;
        MUST(state_size(vehicles[k], &size) == SKIDPAD_OK && size <= (int64_t)sizeof state);
        MUST(save(vehicles[k], state, size) == SKIDPAD_OK);
        add(state, (size_t)size);
        for (uint32_t reference = 0; reference < 100; reference++) {
            double value = 0;
            if (get(vehicles[k], &reference, 1, &value) == SKIDPAD_OK)
                add(&value, sizeof value);
        }
    }
    MUST(environment() == before);
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
