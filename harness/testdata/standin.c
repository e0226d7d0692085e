/* A stand-in for the Skidpad library with one vehicle that is simple enough to
 * follow by hand: a motion driver "steer", a brake, and outputs
 *
 *     body.sum  integral of steer.rate over time, by explicit Euler
 *     body.now  the sum of all inputs and of their slopes as they are now
 *
 * Model files are not read: the path "good" loads, every other fails. */
#include "skidpad.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifndef STANDIN_VERSION
#define STANDIN_VERSION SKIDPAD_ABI_VERSION
#endif

enum { ANGLE, RATE, ACCELERATION, TORQUE, SUM, NOW, STEP, COUNT };

static const struct { const char *name, *unit; int causality; } variables[COUNT] = {
    {"steer.angle", "rad", SKIDPAD_INPUT},          {"steer.rate", "rad/s", SKIDPAD_INPUT},
    {"steer.acceleration", "rad/s2", SKIDPAD_INPUT}, {"brake.torque", "N.m", SKIDPAD_INPUT},
    {"body.sum", "rad", SKIDPAD_OUTPUT},            {"body.now", "1", SKIDPAD_OUTPUT},
    {"solver.step", "s", SKIDPAD_PARAMETER},
};

static struct { double x[COUNT], slope[COUNT], time; int ready; char error[200]; } car;
static char handle;

static int32_t fail(int32_t status, const char *why)
{
    snprintf(car.error, sizeof car.error, "%s", why);
    return status;
}

int32_t skidpad_abi_version(void) { return STANDIN_VERSION; }
const char *skidpad_version(void) { return "stand-in"; }
const char *skidpad_status_text(int32_t status) { return status ? "bad" : "ok"; }

int32_t skidpad_load(const char *path, const char *tree, skidpad_vehicle **vehicle, char *error, int64_t capacity)
{
    *vehicle = NULL;
    if (strcmp(path, "good") != 0) {
        snprintf(error, capacity, "%s:1:1: no such thing as tree %s", path, tree);
        return SKIDPAD_MODEL;
    }
    memset(&car, 0, sizeof car);
    *vehicle = (skidpad_vehicle *)&handle;
    return SKIDPAD_OK;
}

int32_t skidpad_load_reactions(const char *path, const char *tree, const char *reactions, skidpad_vehicle **vehicle,
                               char *error, int64_t capacity)
{
    (void)reactions;
    return skidpad_load(path, tree, vehicle, error, capacity);
}

int32_t skidpad_free(skidpad_vehicle *vehicle) { return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE; }
const char *skidpad_last_error(skidpad_vehicle *vehicle) { return vehicle ? car.error : NULL; }

int32_t skidpad_variable_count(skidpad_vehicle *vehicle, int64_t *count)
{
    *count = COUNT;
    return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_describe(skidpad_vehicle *vehicle, int64_t i, skidpad_variable *v)
{
    v->reference = (uint32_t)(100 + i);
    v->causality = variables[i].causality;
    v->start = 0.25 * (double)i;
    v->name = variables[i].name;
    v->unit = variables[i].unit;
    v->text = "";
    v->minimum = v->maximum = v->nominal = NAN;
    v->kind = variables[i].causality;
    return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_find(skidpad_vehicle *vehicle, const char *name, uint32_t *reference)
{
    (void)vehicle, (void)name, (void)reference;
    return fail(SKIDPAD_ARGUMENT, "not offered");
}

int32_t skidpad_set(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count, const double *values)
{
    int64_t i;
    (void)vehicle;
    for (i = 0; i < count; i++) {
        if (values[i] > 1e6)
            return fail(SKIDPAD_REFUSED, "too large");
        car.x[references[i] - 100] = values[i];
    }
    return SKIDPAD_OK;
}

int32_t skidpad_set_rates(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count, const double *rates)
{
    int64_t i;
    for (i = 0; i < count; i++)
        car.slope[references[i] - 100] = rates[i];
    return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_get(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count, double *values)
{
    int64_t i;
    (void)vehicle;
    car.x[NOW] = car.x[ANGLE] + car.x[RATE] + car.x[ACCELERATION] + car.x[TORQUE] + car.slope[TORQUE];
    for (i = 0; i < count; i++)
        values[i] = car.x[references[i] - 100];
    return SKIDPAD_OK;
}

int32_t skidpad_set_text(skidpad_vehicle *vehicle, const char *name, const char *value)
{
    (void)vehicle;
    if (strcmp(name, "solver.method") != 0 || strcmp(value, "euler") != 0)
        return fail(SKIDPAD_REFUSED, value);
    return SKIDPAD_OK;
}

int32_t skidpad_trim(skidpad_vehicle *vehicle) { return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE; }

int32_t skidpad_initialise(skidpad_vehicle *vehicle)
{
    car.ready = 1;
    return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_get_text(skidpad_vehicle *vehicle, const char *name, char *value, int64_t capacity)
{
    (void)vehicle;
    if (capacity > 0)
        value[0] = 0;
    return fail(SKIDPAD_REFUSED, name);
}

int32_t skidpad_warnings(skidpad_vehicle *vehicle, char *text, int64_t capacity)
{
    if (capacity > 0)
        text[0] = 0;
    return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_copy(skidpad_vehicle *vehicle, skidpad_vehicle **copy)
{
    *copy = 0;
    return vehicle ? SKIDPAD_REFUSED : SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_step_all(skidpad_vehicle *const *vehicles, int64_t count, double h, int32_t threads, int32_t *statuses)
{
    (void)vehicles, (void)count, (void)h, (void)threads, (void)statuses;
    return SKIDPAD_REFUSED;
}

int32_t skidpad_step(skidpad_vehicle *vehicle, double h)
{
    (void)vehicle;
    if (!car.ready)
        return fail(SKIDPAD_REFUSED, "not initialised");
    car.x[SUM] += h * car.x[RATE];
    car.time += h;
    return SKIDPAD_OK;
}

int32_t skidpad_time(skidpad_vehicle *vehicle, double *time)
{
    *time = car.time;
    return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_state_size(skidpad_vehicle *vehicle, int64_t *size)
{
    *size = sizeof car;
    return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_save(skidpad_vehicle *vehicle, void *buffer, int64_t capacity)
{
    (void)vehicle;
    memcpy(buffer, &car, (size_t)capacity);
    return SKIDPAD_OK;
}

int32_t skidpad_restore(skidpad_vehicle *vehicle, const void *buffer, int64_t size)
{
    if (size != sizeof car)
        return fail(SKIDPAD_ARGUMENT, "wrong size");
    memcpy(&car, buffer, sizeof car);
    return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_reset(skidpad_vehicle *vehicle)
{
    memset(&car, 0, sizeof car);
    return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_rollout(skidpad_vehicle *vehicle, int64_t steps, double h, const uint32_t *in, int64_t n_in,
                        const double *inputs, const uint32_t *out, int64_t n_out, double *outputs, int32_t read,
                        int64_t *made)
{
    int32_t status = SKIDPAD_OK;
    int64_t n;
    for (n = 0; n < steps && status == SKIDPAD_OK; n++) {
        if ((status = skidpad_set(vehicle, in, n_in, inputs + n * n_in)) == SKIDPAD_OK &&
            (status = skidpad_step(vehicle, h)) == SKIDPAD_OK)
            status = skidpad_get(vehicle, out, n_out, outputs + n * n_out);
    }
    if (made != NULL)
        *made = n;
    return read == SKIDPAD_READ_AFTER_STEP ? status : SKIDPAD_REFUSED;
}

/* An archive of 3 bytes. */
int32_t skidpad_model_files(skidpad_vehicle *vehicle, void *buffer, int64_t capacity, int64_t *size)
{
    *size = 3;
    if (capacity >= *size)
        memcpy(buffer, "zip", (size_t)*size);
    return vehicle ? SKIDPAD_OK : SKIDPAD_NO_VEHICLE;
}

/* There are no fleets. */
int32_t skidpad_fleet_make(skidpad_vehicle *like, int64_t count, int32_t threads, skidpad_fleet **fleet)
{
    (void)like, (void)count, (void)threads, (void)fleet;
    return SKIDPAD_REFUSED;
}

int32_t skidpad_fleet_free(skidpad_fleet *fleet) { return fleet ? SKIDPAD_REFUSED : SKIDPAD_NO_VEHICLE; }

skidpad_vehicle *skidpad_fleet_vehicle(skidpad_fleet *fleet, int64_t place)
{
    (void)fleet, (void)place;
    return NULL;
}

int32_t skidpad_fleet_set(skidpad_fleet *fleet, const uint8_t *mask, const uint32_t *references, int64_t count,
                          const double *values, int64_t row)
{
    (void)fleet, (void)mask, (void)references, (void)count, (void)values, (void)row;
    return SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_fleet_bind(skidpad_fleet *fleet, const uint32_t *in, int64_t n_in, const double *inputs,
                           const uint32_t *out, int64_t n_out, double *outputs)
{
    (void)fleet, (void)in, (void)n_in, (void)inputs, (void)out, (void)n_out, (void)outputs;
    return SKIDPAD_NO_VEHICLE;
}

int32_t skidpad_fleet_step(skidpad_fleet *fleet, const uint8_t *mask, double h, int32_t *statuses)
{
    (void)fleet, (void)mask, (void)h, (void)statuses;
    return SKIDPAD_NO_VEHICLE;
}
