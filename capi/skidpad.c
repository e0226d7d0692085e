/* The C functions of skidpad.h. Each function passes its arguments to a Go function of export.go; handles are numbers,
 * see main.go. Inputs, steps, values and times need no Go if the window of the vehicle permits. */
#include "skidpad.h"

#include <stdio.h>

#include "core_types.h"
#include "slots.h"
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

/* Ends a call in a forked child. */
#define NOT_FORKED        \
    if (!*core_usable)    \
    return SKIDPAD_FORKED

/* A call of Go, in the floating-point environment in which results are defined, with thread cancellation off. */
#define GO(call)                             \
    __extension__({                          \
        step_thread before_;                 \
        step_thread_begin(&before_);         \
        __typeof__(call) result_ = (call);   \
        step_thread_end(&before_);           \
        result_;                             \
    })

/* The result of a call on a vehicle without Go, 0 if the call needs Go; w is the window of the vehicle. */
#define WITHOUT_GO(vehicle, call)                               \
    __extension__({                                             \
        vehicle_slot *s_ = slot_enter((uintptr_t)(vehicle));    \
        skidpad_window *w = s_ != NULL ? s_->window : NULL;     \
        __typeof__(call) made_ = 0;                             \
        if (w != NULL) {                                        \
            made_ = (call);                                     \
            slot_leave(s_);                                     \
        }                                                       \
        made_;                                                  \
    })

/* Ends a call in a forked child, with the reason in error. */
static int32_t refuse_forked(char *error, int64_t capacity)
{
    if (error && capacity > 0)
        snprintf(error, (size_t)capacity, "%s", core_fork_text);
    return SKIDPAD_FORKED;
}

/* Registers a function of the host with the interface of version abi. */
static int32_t register_function(const void *function, uint32_t abi, char *error, int64_t capacity)
{
    if (!*core_usable)
        return refuse_forked(error, capacity);
    return GO(goRegister((void *)function, abi, error, capacity));
}

int32_t skidpad_register_tire(const skidpad_tire *tire, char *error, int64_t capacity)
{
    return register_function(tire, SKIDPAD_TIRE_ABI, error, capacity);
}

int32_t skidpad_register_law(const skidpad_law *law, char *error, int64_t capacity)
{
    return register_function(law, SKIDPAD_LAW_ABI, error, capacity);
}

int32_t skidpad_register_controller(const skidpad_controller *controller, char *error, int64_t capacity)
{
    return register_function(controller, SKIDPAD_CONTROLLER_ABI, error, capacity);
}

int32_t skidpad_load(const char *path, const char *tree, skidpad_vehicle **vehicle,
                     char *error, int64_t capacity)
{
    return skidpad_load_reactions(path, tree, NULL, vehicle, error, capacity);
}

int32_t skidpad_load_reactions(const char *path, const char *tree, const char *reactions,
                               skidpad_vehicle **vehicle, char *error, int64_t capacity)
{
    uintptr_t handle = 0;
    int32_t status;
    if (vehicle)
        *vehicle = NULL;
    if (!*core_usable)
        return refuse_forked(error, capacity);
    status = GO(goLoad((void *)path, (void *)tree, (void *)reactions, vehicle ? &handle : 0, error, capacity));
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
    status = GO(goCopy((uintptr_t)vehicle, copy ? &handle : 0));
    if (copy)
        *copy = (skidpad_vehicle *)handle;
    return status;
}

int32_t skidpad_free(skidpad_vehicle *vehicle) {
    NOT_FORKED;
    return GO(goFree((uintptr_t)vehicle));
}

const char *skidpad_last_error(skidpad_vehicle *vehicle)
{
    return *core_usable ? GO(goLastError((uintptr_t)vehicle)) : core_fork_text;
}

int32_t skidpad_variable_count(skidpad_vehicle *vehicle, int64_t *count)
{
    NOT_FORKED;
    return GO(goVariableCount((uintptr_t)vehicle, count));
}

int32_t skidpad_describe(skidpad_vehicle *vehicle, int64_t index, skidpad_variable *variable)
{
    NOT_FORKED;
    return GO(goDescribe((uintptr_t)vehicle, index, variable));
}

int32_t skidpad_find(skidpad_vehicle *vehicle, const char *name, uint32_t *reference)
{
    NOT_FORKED;
    return GO(goFind((uintptr_t)vehicle, (void *)name, reference));
}

int32_t skidpad_set(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                    const double *values)
{
    NOT_FORKED;
    if (count > 0 && WITHOUT_GO(vehicle, window_set(w, references, (size_t)count, values)))
        return SKIDPAD_OK;
    return GO(goSet((uintptr_t)vehicle, (void *)references, count, (void *)values));
}

int32_t skidpad_set_rates(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                          const double *rates)
{
    NOT_FORKED;
    return GO(goSetRates((uintptr_t)vehicle, (void *)references, count, (void *)rates));
}

int32_t skidpad_get(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                    double *values)
{
    NOT_FORKED;
    if (count > 0 && WITHOUT_GO(vehicle, window_get(w, references, (size_t)count, values)))
        return SKIDPAD_OK;
    return GO(goGet((uintptr_t)vehicle, (void *)references, count, values));
}

int32_t skidpad_jacobian(skidpad_vehicle *vehicle, const uint32_t *of, int64_t n_of, const uint32_t *by, int64_t n_by,
                         double *matrix)
{
    NOT_FORKED;
    return GO(goJacobian((uintptr_t)vehicle, (void *)of, n_of, (void *)by, n_by, matrix));
}

int32_t skidpad_set_directions(skidpad_vehicle *vehicle, int64_t count)
{
    NOT_FORKED;
    return GO(goSetDirections((uintptr_t)vehicle, count));
}

int32_t skidpad_set_tangents(skidpad_vehicle *vehicle, const uint32_t *references, int64_t n, const double *values)
{
    NOT_FORKED;
    return GO(goSetTangents((uintptr_t)vehicle, (void *)references, n, (void *)values));
}

int32_t skidpad_get_tangents(skidpad_vehicle *vehicle, const uint32_t *references, int64_t n, double *values)
{
    NOT_FORKED;
    return GO(goGetTangents((uintptr_t)vehicle, (void *)references, n, values));
}

int32_t skidpad_record(skidpad_vehicle *vehicle, int64_t memory)
{
    NOT_FORKED;
    return GO(goRecord((uintptr_t)vehicle, memory));
}

int32_t skidpad_add_adjoints(skidpad_vehicle *vehicle, const uint32_t *references, int64_t n, const double *values)
{
    NOT_FORKED;
    return GO(goAddAdjoints((uintptr_t)vehicle, (void *)references, n, (void *)values));
}

int32_t skidpad_step_back(skidpad_vehicle *vehicle)
{
    NOT_FORKED;
    return GO(goStepBack((uintptr_t)vehicle));
}

int32_t skidpad_get_adjoints(skidpad_vehicle *vehicle, const uint32_t *references, int64_t n, double *values)
{
    NOT_FORKED;
    return GO(goGetAdjoints((uintptr_t)vehicle, (void *)references, n, values));
}

int32_t skidpad_set_text(skidpad_vehicle *vehicle, const char *name, const char *value)
{
    NOT_FORKED;
    return GO(goSetText((uintptr_t)vehicle, (void *)name, (void *)value));
}

int32_t skidpad_get_text(skidpad_vehicle *vehicle, const char *name, char *value, int64_t capacity)
{
    NOT_FORKED;
    return GO(goGetText((uintptr_t)vehicle, (void *)name, value, capacity));
}

int32_t skidpad_set_time_limit(skidpad_vehicle *vehicle, double seconds)
{
    NOT_FORKED;
    return GO(goSetTimeLimit((uintptr_t)vehicle, seconds));
}

int32_t skidpad_warnings(skidpad_vehicle *vehicle, char *text, int64_t capacity)
{
    NOT_FORKED;
    return GO(goWarnings((uintptr_t)vehicle, text, capacity));
}

int32_t skidpad_trim(skidpad_vehicle *vehicle) {
    NOT_FORKED;
    return GO(goTrim((uintptr_t)vehicle));
}

int32_t skidpad_initialise(skidpad_vehicle *vehicle) {
    NOT_FORKED;
    return GO(goInitialise((uintptr_t)vehicle));
}

int32_t skidpad_step(skidpad_vehicle *vehicle, double h) {
    NOT_FORKED;
    if (WITHOUT_GO(vehicle, window_step(w, w->plan->time, h)))
        return SKIDPAD_OK;
    return GO(goStep((uintptr_t)vehicle, h));
}

/* Arrays that a rollout sets and reads, a row for each step. */
typedef struct {
    const uint32_t *in, *out;
    int64_t n_in, n_out;
    const double *inputs;
    double *outputs;
    int32_t read; /* skidpad_read */
} rows;

static void advance(rows *r, int64_t steps)
{
    r->inputs += steps * r->n_in;
    r->outputs += steps * r->n_out;
}

static int set_row(skidpad_window *w, const rows *r)
{
    return r->n_in == 0 || window_set(w, r->in, (size_t)r->n_in, r->inputs);
}

static int get_row(skidpad_window *w, const rows *r, int needed)
{
    return r->n_out == 0 || window_read(w, r->out, (size_t)r->n_out, needed, r->outputs);
}

/* Sets, steps and reads until one of these calls needs Go, and returns the number of steps. read: 0 if the values after
 * the last step have not been read. */
static int64_t roll(skidpad_window *w, int64_t steps, double h, rows *r, int *read)
{
    const int first = r->read == SKIDPAD_READ_AFTER_INPUTS, needed = window_needs(w, r->out, (size_t)r->n_out);
    *read = 1;
    for (int64_t made = 0; made < steps; made++) {
        if (!set_row(w, r) || (first && !get_row(w, r, needed)) || !window_step(w, w->plan->time, h))
            return made;
        if (!first && !get_row(w, r, needed)) {
            *read = 0;
            return made + 1;
        }
        advance(r, 1);
    }
    return steps;
}

int32_t skidpad_rollout(skidpad_vehicle *vehicle, int64_t steps, double h, const uint32_t *in, int64_t n_in,
                        const double *inputs, const uint32_t *out, int64_t n_out, double *outputs, int32_t read,
                        int64_t *made)
{
    rows r = {in, out, n_in, n_out, inputs, outputs, read};
    int64_t done = 0, by_go = 0;
    int32_t status = SKIDPAD_OK;
    NOT_FORKED;
    if (steps <= 0 || n_in < 0 || n_out < 0 || (read != SKIDPAD_READ_AFTER_STEP && read != SKIDPAD_READ_AFTER_INPUTS))
        return GO(goRollout((uintptr_t)vehicle, steps, h, (void *)in, n_in, (void *)inputs, (void *)out, n_out, outputs,
                            read, made));
    while (status == SKIDPAD_OK && done < steps) {
        int has_read = 1;
        int64_t left = steps - done, without = WITHOUT_GO(vehicle, roll(w, left, h, &r, &has_read)), count = 0;
        done += without;
        if (!has_read) {
            status = GO(goGet((uintptr_t)vehicle, (void *)out, n_out, r.outputs));
            done -= status != SKIDPAD_OK;
            advance(&r, 1);
        } else if (done < steps) { /* Go makes one step so that C can go on, or all remaining steps */
            by_go = without > 0 || by_go == 0 ? 1 : left;
            status = GO(goRollout((uintptr_t)vehicle, by_go, h, (void *)in, n_in, (void *)r.inputs, (void *)out, n_out,
                               r.outputs, read, &count));
            done += count;
            advance(&r, by_go);
        }
    }
    if (made != NULL)
        *made = done;
    return status;
}

/* Steps a few vehicles without Go. Returns 0 if nothing was done, because a vehicle needs Go or is named twice. */
static int step_few(skidpad_vehicle *const *vehicles, int64_t count, double h, int32_t *statuses, int32_t *first)
{
    vehicle_slot *slots[STEP_FEW];
    int made[STEP_FEW];
    int64_t entered = 0;
    while (entered < count && (slots[entered] = slot_enter((uintptr_t)vehicles[entered])) != NULL)
        entered++;
    for (int64_t i = 0; i < entered; i++) {
        skidpad_window *w = slots[i]->window;
        made[i] = entered == count && window_step(w, w->plan->time, h);
    }
    for (int64_t i = 0; i < entered; i++)
        slot_leave(slots[i]);
    for (int64_t i = 0; entered == count && i < count; i++) {
        int32_t status = made[i] ? SKIDPAD_OK : GO(goStep((uintptr_t)vehicles[i], h));
        if (*first == SKIDPAD_OK)
            *first = status;
        if (statuses != NULL)
            statuses[i] = status;
    }
    return entered == count;
}

int32_t skidpad_step_all(skidpad_vehicle *const *vehicles, int64_t count, double h, int32_t threads, int32_t *statuses)
{
    int32_t status = SKIDPAD_OK;
    NOT_FORKED;
    if (vehicles != NULL && count > 0 && count <= STEP_FEW && threads >= 0 &&
        step_few(vehicles, count, h, statuses, &status))
        return status;
    return GO(goStepAll((void *)vehicles, count, h, threads, statuses));
}

int32_t skidpad_fleet_make(skidpad_vehicle *like, int64_t count, int32_t threads, skidpad_fleet **fleet)
{
    uintptr_t handle = 0;
    int32_t status;
    if (fleet)
        *fleet = NULL;
    NOT_FORKED;
    status = GO(goFleetMake((uintptr_t)like, count, threads, fleet ? &handle : 0));
    if (fleet)
        *fleet = (skidpad_fleet *)handle;
    return status;
}

int32_t skidpad_fleet_free(skidpad_fleet *fleet)
{
    NOT_FORKED;
    return GO(goFleetFree((uintptr_t)fleet));
}

skidpad_vehicle *skidpad_fleet_vehicle(skidpad_fleet *fleet, int64_t index)
{
    return *core_usable ? (skidpad_vehicle *)GO(goFleetVehicle((uintptr_t)fleet, index)) : NULL;
}

int32_t skidpad_fleet_set(skidpad_fleet *fleet, const uint8_t *mask, const uint32_t *references, int64_t count,
                          const double *values, int64_t row)
{
    NOT_FORKED;
    return GO(goFleetSet((uintptr_t)fleet, (void *)mask, (void *)references, count, (void *)values, row));
}

int32_t skidpad_fleet_get(skidpad_fleet *fleet, const uint8_t *mask, const uint32_t *references, int64_t count,
                          double *values, int64_t row)
{
    NOT_FORKED;
    return GO(goFleetGet((uintptr_t)fleet, (void *)mask, (void *)references, count, values, row));
}

int32_t skidpad_fleet_initialise(skidpad_fleet *fleet, const uint8_t *mask, int32_t trim, int32_t *statuses)
{
    NOT_FORKED;
    return GO(goFleetInitialise((uintptr_t)fleet, (void *)mask, trim, statuses));
}

int32_t skidpad_fleet_reset(skidpad_fleet *fleet, const uint8_t *mask)
{
    NOT_FORKED;
    return GO(goFleetReset((uintptr_t)fleet, (void *)mask));
}

int32_t skidpad_fleet_bind(skidpad_fleet *fleet, const uint32_t *in, int64_t n_in, const double *inputs,
                           const uint32_t *out, int64_t n_out, double *outputs)
{
    NOT_FORKED;
    return GO(goFleetBind((uintptr_t)fleet, (void *)in, n_in, (void *)inputs, (void *)out, n_out, outputs));
}

int32_t skidpad_fleet_step(skidpad_fleet *fleet, const uint8_t *mask, double h, int32_t *statuses)
{
    NOT_FORKED;
    return GO(goFleetStep((uintptr_t)fleet, (void *)mask, h, statuses));
}

int32_t skidpad_fleet_rollout(skidpad_fleet *fleet, int64_t steps, double h, const double *inputs, int32_t by_vehicle,
                              double *outputs, int32_t read, int32_t *statuses)
{
    NOT_FORKED;
    return GO(goFleetRollout((uintptr_t)fleet, steps, h, (void *)inputs, by_vehicle, outputs, read, statuses));
}

int32_t skidpad_fleet_save(skidpad_fleet *fleet, const uint8_t *mask, void *states, int64_t size)
{
    NOT_FORKED;
    return GO(goFleetSave((uintptr_t)fleet, (void *)mask, states, size));
}

int32_t skidpad_fleet_restore(skidpad_fleet *fleet, const void *states, int64_t size, const int64_t *source,
                              int32_t *statuses)
{
    NOT_FORKED;
    return GO(goFleetRestore((uintptr_t)fleet, (void *)states, size, (void *)source, statuses));
}

int32_t skidpad_time(skidpad_vehicle *vehicle, double *time)
{
    NOT_FORKED;
    if (time != NULL && WITHOUT_GO(vehicle, (*time = w->plan->time, 1)))
        return SKIDPAD_OK;
    return GO(goTime((uintptr_t)vehicle, time));
}

int32_t skidpad_state_size(skidpad_vehicle *vehicle, int64_t *size)
{
    NOT_FORKED;
    return GO(goStateSize((uintptr_t)vehicle, size));
}

int32_t skidpad_save(skidpad_vehicle *vehicle, void *buffer, int64_t capacity)
{
    NOT_FORKED;
    return GO(goSave((uintptr_t)vehicle, buffer, capacity));
}

int32_t skidpad_restore(skidpad_vehicle *vehicle, const void *buffer, int64_t size)
{
    NOT_FORKED;
    return GO(goRestore((uintptr_t)vehicle, (void *)buffer, size));
}

int32_t skidpad_model_files(skidpad_vehicle *vehicle, void *buffer, int64_t capacity, int64_t *size)
{
    NOT_FORKED;
    return GO(goModelFiles((uintptr_t)vehicle, buffer, capacity, size));
}

int32_t skidpad_reset(skidpad_vehicle *vehicle) {
    NOT_FORKED;
    return GO(goReset((uintptr_t)vehicle));
}
