/* The C functions of skidpad.h. Each hands its arguments to one Go function of
 * export.go; handles cross as numbers, see main.go. */
#include "skidpad.h"

#include <stdio.h>

#include "core_types.h"
#include "_cgo_export.h"

int32_t skidpad_abi_version(void) { return SKIDPAD_ABI_VERSION; }

const char *skidpad_version(void) { return "0.1.0"; }

const char *skidpad_status_text(int32_t status)
{
    switch (status) {
    case SKIDPAD_OK: return "ok";
    case SKIDPAD_NO_VEHICLE: return "the handle is not a living vehicle";
    case SKIDPAD_ARGUMENT: return "invalid argument";
    case SKIDPAD_MODEL: return "the model cannot be loaded";
    case SKIDPAD_REFUSED: return "the engine refuses the call";
    case SKIDPAD_BUSY: return "another thread is using the vehicle";
    case SKIDPAD_FORKED: return core_fork_text;
    case SKIDPAD_INTERNAL: return "defect of the library";
    }
    return "unknown status";
}

/* Ends a call in a child that was forked. */
#define NOT_FORKED        \
    if (!*core_usable)    \
    return SKIDPAD_FORKED

/* The same for calls that write their reason to error. */
static int32_t refuse_forked(char *error, int64_t capacity)
{
    if (error && capacity > 0)
        snprintf(error, (size_t)capacity, "%s", core_fork_text);
    return SKIDPAD_FORKED;
}

int32_t skidpad_register_tire(const skidpad_tire *tire, char *error, int64_t capacity)
{
    if (!*core_usable)
        return refuse_forked(error, capacity);
    return goRegisterTire((void *)tire, error, capacity);
}

int32_t skidpad_load(const char *path, const char *tree, skidpad_vehicle **vehicle,
                     char *error, int64_t capacity)
{
    uintptr_t handle = 0;
    int32_t status;
    if (vehicle)
        *vehicle = NULL;
    if (!*core_usable)
        return refuse_forked(error, capacity);
    status = goLoad((void *)path, (void *)tree, vehicle ? &handle : 0, error, capacity);
    if (vehicle)
        *vehicle = (skidpad_vehicle *)handle;
    return status;
}

int32_t skidpad_copy(skidpad_vehicle *vehicle, skidpad_vehicle **copy)
{
    uintptr_t handle = 0;
    int32_t status;
    if (copy)
        *copy = NULL;
    NOT_FORKED;
    status = goCopy((uintptr_t)vehicle, copy ? &handle : 0);
    if (copy)
        *copy = (skidpad_vehicle *)handle;
    return status;
}

int32_t skidpad_free(skidpad_vehicle *vehicle) {
    NOT_FORKED;
    return goFree((uintptr_t)vehicle);
}

const char *skidpad_last_error(skidpad_vehicle *vehicle)
{
    return *core_usable ? goLastError((uintptr_t)vehicle) : core_fork_text;
}

int32_t skidpad_variable_count(skidpad_vehicle *vehicle, int64_t *count)
{
    NOT_FORKED;
    return goVariableCount((uintptr_t)vehicle, count);
}

int32_t skidpad_describe(skidpad_vehicle *vehicle, int64_t index, skidpad_variable *variable)
{
    NOT_FORKED;
    return goDescribe((uintptr_t)vehicle, index, variable);
}

int32_t skidpad_find(skidpad_vehicle *vehicle, const char *name, uint32_t *reference)
{
    NOT_FORKED;
    return goFind((uintptr_t)vehicle, (void *)name, reference);
}

int32_t skidpad_set(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                    const double *values)
{
    NOT_FORKED;
    return goSet((uintptr_t)vehicle, (void *)references, count, (void *)values);
}

int32_t skidpad_set_rates(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                          const double *rates)
{
    NOT_FORKED;
    return goSetRates((uintptr_t)vehicle, (void *)references, count, (void *)rates);
}

int32_t skidpad_get(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                    double *values)
{
    NOT_FORKED;
    return goGet((uintptr_t)vehicle, (void *)references, count, values);
}

int32_t skidpad_set_text(skidpad_vehicle *vehicle, const char *name, const char *value)
{
    NOT_FORKED;
    return goSetText((uintptr_t)vehicle, (void *)name, (void *)value);
}

int32_t skidpad_get_text(skidpad_vehicle *vehicle, const char *name, char *value, int64_t capacity)
{
    NOT_FORKED;
    return goGetText((uintptr_t)vehicle, (void *)name, value, capacity);
}

int32_t skidpad_set_time_limit(skidpad_vehicle *vehicle, double seconds)
{
    NOT_FORKED;
    return goSetTimeLimit((uintptr_t)vehicle, seconds);
}

int32_t skidpad_warnings(skidpad_vehicle *vehicle, char *text, int64_t capacity)
{
    NOT_FORKED;
    return goWarnings((uintptr_t)vehicle, text, capacity);
}

int32_t skidpad_trim(skidpad_vehicle *vehicle) {
    NOT_FORKED;
    return goTrim((uintptr_t)vehicle);
}

int32_t skidpad_initialise(skidpad_vehicle *vehicle) {
    NOT_FORKED;
    return goInitialise((uintptr_t)vehicle);
}

int32_t skidpad_step(skidpad_vehicle *vehicle, double h) {
    NOT_FORKED;
    return goStep((uintptr_t)vehicle, h);
}

int32_t skidpad_rollout(skidpad_vehicle *vehicle, int64_t steps, double h, const uint32_t *in, int64_t n_in,
                        const double *inputs, const uint32_t *out, int64_t n_out, double *outputs, int64_t *made)
{
    NOT_FORKED;
    return goRollout((uintptr_t)vehicle, steps, h, (void *)in, n_in, (void *)inputs, (void *)out, n_out, outputs, made);
}

int32_t skidpad_step_all(skidpad_vehicle *const *vehicles, int64_t count, double h, int32_t threads, int32_t *statuses)
{
    NOT_FORKED;
    return goStepAll((void *)vehicles, count, h, threads, statuses);
}

int32_t skidpad_fleet_make(skidpad_vehicle *like, int64_t count, int32_t threads, skidpad_fleet **fleet)
{
    uintptr_t handle = 0;
    int32_t status;
    if (fleet)
        *fleet = NULL;
    NOT_FORKED;
    status = goFleetMake((uintptr_t)like, count, threads, fleet ? &handle : 0);
    if (fleet)
        *fleet = (skidpad_fleet *)handle;
    return status;
}

int32_t skidpad_fleet_free(skidpad_fleet *fleet)
{
    NOT_FORKED;
    return goFleetFree((uintptr_t)fleet);
}

skidpad_vehicle *skidpad_fleet_vehicle(skidpad_fleet *fleet, int64_t index)
{
    return *core_usable ? (skidpad_vehicle *)goFleetVehicle((uintptr_t)fleet, index) : NULL;
}

int32_t skidpad_fleet_set(skidpad_fleet *fleet, const uint8_t *mask, const uint32_t *references, int64_t count,
                          const double *values, int64_t row)
{
    NOT_FORKED;
    return goFleetSet((uintptr_t)fleet, (void *)mask, (void *)references, count, (void *)values, row);
}

int32_t skidpad_fleet_get(skidpad_fleet *fleet, const uint8_t *mask, const uint32_t *references, int64_t count,
                          double *values, int64_t row)
{
    NOT_FORKED;
    return goFleetGet((uintptr_t)fleet, (void *)mask, (void *)references, count, values, row);
}

int32_t skidpad_fleet_initialise(skidpad_fleet *fleet, const uint8_t *mask, int32_t trim, int32_t *statuses)
{
    NOT_FORKED;
    return goFleetInitialise((uintptr_t)fleet, (void *)mask, trim, statuses);
}

int32_t skidpad_fleet_reset(skidpad_fleet *fleet, const uint8_t *mask)
{
    NOT_FORKED;
    return goFleetReset((uintptr_t)fleet, (void *)mask);
}

int32_t skidpad_fleet_bind(skidpad_fleet *fleet, const uint32_t *in, int64_t n_in, const double *inputs,
                           const uint32_t *out, int64_t n_out, double *outputs)
{
    NOT_FORKED;
    return goFleetBind((uintptr_t)fleet, (void *)in, n_in, (void *)inputs, (void *)out, n_out, outputs);
}

int32_t skidpad_fleet_step(skidpad_fleet *fleet, const uint8_t *mask, double h, int32_t *statuses)
{
    NOT_FORKED;
    return goFleetStep((uintptr_t)fleet, (void *)mask, h, statuses);
}

int32_t skidpad_fleet_rollout(skidpad_fleet *fleet, int64_t steps, double h, const double *inputs, int32_t by_vehicle,
                              double *outputs, int32_t *statuses)
{
    NOT_FORKED;
    return goFleetRollout((uintptr_t)fleet, steps, h, (void *)inputs, by_vehicle, outputs, statuses);
}

int32_t skidpad_fleet_save(skidpad_fleet *fleet, const uint8_t *mask, void *states, int64_t size)
{
    NOT_FORKED;
    return goFleetSave((uintptr_t)fleet, (void *)mask, states, size);
}

int32_t skidpad_fleet_restore(skidpad_fleet *fleet, const void *states, int64_t size, const int64_t *source,
                              int32_t *statuses)
{
    NOT_FORKED;
    return goFleetRestore((uintptr_t)fleet, (void *)states, size, (void *)source, statuses);
}

int32_t skidpad_time(skidpad_vehicle *vehicle, double *time)
{
    NOT_FORKED;
    return goTime((uintptr_t)vehicle, time);
}

int32_t skidpad_state_size(skidpad_vehicle *vehicle, int64_t *size)
{
    NOT_FORKED;
    return goStateSize((uintptr_t)vehicle, size);
}

int32_t skidpad_save(skidpad_vehicle *vehicle, void *buffer, int64_t capacity)
{
    NOT_FORKED;
    return goSave((uintptr_t)vehicle, buffer, capacity);
}

int32_t skidpad_restore(skidpad_vehicle *vehicle, const void *buffer, int64_t size)
{
    NOT_FORKED;
    return goRestore((uintptr_t)vehicle, (void *)buffer, size);
}

int32_t skidpad_model_files(skidpad_vehicle *vehicle, void *buffer, int64_t capacity, int64_t *size)
{
    NOT_FORKED;
    return goModelFiles((uintptr_t)vehicle, buffer, capacity, size);
}

int32_t skidpad_reset(skidpad_vehicle *vehicle) {
    NOT_FORKED;
    return goReset((uintptr_t)vehicle);
}
