/* Gives a vehicle tire functions as nobody should, and as everybody may; says what is wrong. */
#include "vehicle.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int faults, fails;
static double most = 1e9;

#define EXPECT(holds)                                  \
    do {                                               \
        if (!(holds)) {                                \
            printf("line %d: %s\n", __LINE__, #holds); \
            faults++;                                  \
        }                                              \
    } while (0)

/* What an instance was asked for. */
typedef struct {
    double fz, omega, force;
    int called;
} spy;

static const char *const forwards[] = {"Fz", "Omega"}, *const backwards[] = {"Omega", "Fz"};
static const char *const unknown[] = {"Fz", "Fzz"}, *const nothing[] = {"Fz", NULL}, *const shorter[] = {"F"};

static int32_t ahead(size_t n, void *const *instances, const double *in, const double *states, double *out,
                     double *rates)
{
    spy *s = (spy *)instances[0];
    (void)states;
    (void)rates;
    s->fz = in[0];
    s->omega = in[1];
    s->called += (int)n;
    memset(out, 0, 5 * sizeof *out);
    out[0] = s->force;
    return fails;
}

static int32_t behind(size_t n, void *const *instances, const double *in, const double *states, double *out,
                      double *rates)
{
    const double turned[2] = {in[1], in[0]};
    return ahead(n, instances, turned, states, out, rates);
}

/* The index of an output. */
static int output(const char *name)
{
    int k;
    for (k = 0; k < VEHICLE_OUTPUTS && strcmp(vehicle_output_table[k].name, name) != 0; k++) {
    }
    EXPECT(k < VEHICLE_OUTPUTS);
    return k < VEHICLE_OUTPUTS ? k : 0;
}

int main(void)
{
    static vehicle one, two;
    static unsigned char saved[1 << 16];
    static double before[VEHICLE_STATES];
    spy spies[4] = {{0, 0, 100, 0}, {0, 0, 200, 0}, {0, 0, -300, 0}, {0, 0, 400, 0}};
    const char *many[65];
    const double *y;
    size_t size;
    int k;
    EXPECT(VEHICLE_TIRES == 4 && strcmp(vehicle_tire_table[2], "tire_RL") == 0);
    vehicle_reset(&one);
    EXPECT(vehicle_initialise(&one) == VEHICLE_ERROR);
    for (k = 0; k < 3; k++)
        EXPECT(vehicle_set_tire(&one, k, forwards, 2, ahead, &spies[k]) == VEHICLE_OK);
    EXPECT(vehicle_initialise(&one) == VEHICLE_ERROR);
    EXPECT(vehicle_set_tire(&one, 4, forwards, 2, ahead, &spies[3]) == VEHICLE_ERROR);
    EXPECT(vehicle_set_tire(&one, -1, forwards, 2, ahead, &spies[3]) == VEHICLE_ERROR);
    EXPECT(vehicle_set_tire(&one, 3, unknown, 2, ahead, &spies[3]) == VEHICLE_ERROR);
    EXPECT(vehicle_set_tire(&one, 3, nothing, 2, ahead, &spies[3]) == VEHICLE_ERROR);
    EXPECT(vehicle_set_tire(&one, 3, shorter, 1, ahead, &spies[3]) == VEHICLE_ERROR);
    EXPECT(vehicle_set_tire(&one, 3, forwards, 0, ahead, &spies[3]) == VEHICLE_ERROR);
    for (k = 0; k < 65; k++)
        many[k] = "Fz";
    EXPECT(vehicle_set_tire(&one, 3, many, 65, ahead, &spies[3]) == VEHICLE_ERROR);
    EXPECT(vehicle_set_tire(&one, 3, NULL, 2, ahead, &spies[3]) == VEHICLE_ERROR);
    EXPECT(vehicle_set_tire(&one, 3, forwards, 2, NULL, &spies[3]) == VEHICLE_ERROR);
    EXPECT(vehicle_initialise(&one) == VEHICLE_ERROR);
    EXPECT(vehicle_set_tire(&one, 3, backwards, 2, behind, &spies[3]) == VEHICLE_OK);
    EXPECT(vehicle_initialise(&one) == VEHICLE_OK);

    /* each tire has its own instance and results */
    y = vehicle_output(&one);
    EXPECT(y != NULL);
    for (k = 0; y != NULL && k < 4; k++) {
        char name[40];
        EXPECT(spies[k].called > 0);
        snprintf(name, sizeof name, "%s.Fz", vehicle_tire_table[k]);
        EXPECT(y[output(name)] == spies[k].fz && spies[k].fz > 1000);
        snprintf(name, sizeof name, "%s.Fx", vehicle_tire_table[k]);
        EXPECT(y[output(name)] == spies[k].force);
        EXPECT(spies[k].omega > 20);
    }

    /* a function that fails leaves the vehicle as it is */
    EXPECT(vehicle_step(&one, 0.001) == VEHICLE_OK);
    memcpy(before, vehicle_state(&one), sizeof before);
    fails = 7;
    EXPECT(vehicle_step(&one, 0.001) == VEHICLE_ERROR && vehicle_output(&one) == NULL);
    fails = 0;
    spies[2].force = most * 1.01;
    EXPECT(vehicle_step(&one, 0.001) == VEHICLE_ERROR);
    spies[2].force = (double)NAN;
    EXPECT(vehicle_step(&one, 0.001) == VEHICLE_ERROR);
    EXPECT(memcmp(before, vehicle_state(&one), sizeof before) == 0 && vehicle_time(&one) > 0.0005 &&
           vehicle_time(&one) < 0.0015);
    spies[2].force = -most;
    EXPECT(vehicle_step(&one, 1e-9) != VEHICLE_ERROR);

    /* functions are no part of a saved state */
    size = vehicle_save(&one, saved, sizeof saved);
    vehicle_reset(&two);
    EXPECT(vehicle_restore(&two, saved, size) == VEHICLE_ERROR && vehicle_time(&two) < 1e-9);
    for (k = 0; k < 4; k++)
        vehicle_set_tire(&two, k, forwards, 2, ahead, &spies[k]);
    EXPECT(vehicle_restore(&two, saved, size) == VEHICLE_OK);
    EXPECT(memcmp(vehicle_state(&one), vehicle_state(&two), sizeof before) == 0);
    vehicle_reset(&one);
    EXPECT(vehicle_initialise(&one) == VEHICLE_ERROR);
    return faults != 0;
}
