/* core.h - the interface between the shim of an FMU and the core library.
 *
 * The shim has the functions of the standard and contains no Go; the core is Go
 * and is loaded once per process. Every call from C to Go costs tens of
 * nanoseconds. Therefore numbers are in a window in C memory, which the shim
 * reads and writes itself while the core permits.
 *
 * The core never calls the shim. Messages wait in the window until the shim fetches
 * them, and a step that needs an intermediate update returns to the shim. */
#ifndef SKIDPAD_CORE_H
#define SKIDPAD_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "../window.h"

/* Shims and cores find each other by a hash of all sources, so both use the same
 * version of this file. */

typedef struct {
    int32_t version;      /* of FMI: 2 or 3 */
    int32_t cosimulation; /* 0 model exchange, 1 co-simulation */
    const char *token;    /* GUID or instantiation token */
    const char *resources; /* folder, native path */
    int32_t logging;
    int32_t event_mode;   /* the importer handles events */
    int32_t early_return; /* steps may end early */
    int32_t intermediate; /* pause for intermediate updates */
    const uint32_t *references; /* variables used in intermediate updates */
    size_t reference_count;
} skidpad_settings;

/* What call does. */
enum {
    SKIDPAD_EXIT_INITIALIZATION,
    SKIDPAD_TERMINATE,
    SKIDPAD_RESET,
    SKIDPAD_ENTER_EVENT_MODE,
    SKIDPAD_UPDATE_DISCRETE_STATES,
    SKIDPAD_EVALUATE_DISCRETE_STATES,
    SKIDPAD_ENTER_CONTINUOUS_TIME_MODE,
    SKIDPAD_ENTER_STEP_MODE,
    SKIDPAD_COMPLETED_INTEGRATOR_STEP,
    SKIDPAD_STATUS_TERMINATED
};

/* What read reads. */
enum { SKIDPAD_STATES, SKIDPAD_DERIVATIVES, SKIDPAD_INDICATORS, SKIDPAD_NOMINALS };

/* The functions of the core. They return the status of FMI. Arrays belong to the
 * caller and may be NULL where their length is 0. */
typedef struct {
    volatile int32_t *usable; /* 0 in a child of the process that loaded the core, which may call no function here */
    const char *fork_text;

    /* A new instance, or NULL and the reason in error, cut to capacity bytes. */
    skidpad_window *(*instantiate)(const skidpad_settings *, char *error, size_t capacity);
    void (*free)(skidpad_window *);
    int32_t (*call)(skidpad_window *, int32_t what);
    int32_t (*refuse)(skidpad_window *, const char *text); /* reports an error found by the shim */
    int32_t (*set_debug_logging)(skidpad_window *, int32_t on, size_t n, const char *const *categories);
    int32_t (*setup_experiment)(skidpad_window *, double start, int32_t stop_defined, double stop);
    int32_t (*enter_initialization)(skidpad_window *, int32_t defined, double start, int32_t stop_defined, double stop);

    int32_t (*get)(skidpad_window *, int32_t boolean, const uint32_t *references, size_t n, double *values);
    int32_t (*set_real)(skidpad_window *, const uint32_t *references, size_t n, const double *values);
    int32_t (*set_boolean)(skidpad_window *, const uint32_t *references, size_t n);
    /* Texts stay until the next get_string of the instance. */
    int32_t (*get_string)(skidpad_window *, const uint32_t *references, size_t n, const char **values);
    int32_t (*set_string)(skidpad_window *, const uint32_t *references, size_t n, const char *const *values);
    /* Access to variables of a type without variables. */
    int32_t (*absent)(skidpad_window *, int32_t set, const char *kind, const uint32_t *references, size_t n);

    int32_t (*set_time)(skidpad_window *, double time);
    int32_t (*set_states)(skidpad_window *, const double *x, size_t n);
    int32_t (*read)(skidpad_window *, int32_t what, double *x, size_t n);
    int32_t (*counts)(skidpad_window *, size_t *states, size_t *indicators);

    int32_t (*step)(skidpad_window *, double time, double h);
    int32_t (*resume)(skidpad_window *, int32_t early, double deadline);
    int32_t (*set_input_derivatives)(skidpad_window *, const uint32_t *references, size_t n, const int32_t *orders,
                                     const double *values);
    int32_t (*get_output_derivatives)(skidpad_window *, const uint32_t *references, size_t n, const int32_t *orders,
                                      double *values);
    int32_t (*status_time)(skidpad_window *, double *time);
    int32_t (*status_unknown)(skidpad_window *, const char *kind);

    /* Saved states are handles that the core checks. They are passed as numbers, because the Go runtime follows
     * pointers. */
    int32_t (*state_get)(skidpad_window *, uintptr_t *state);
    int32_t (*state_set)(skidpad_window *, uintptr_t state);
    int32_t (*state_free)(skidpad_window *, uintptr_t *state);
    int32_t (*state_size)(skidpad_window *, uintptr_t state, size_t *size);
    int32_t (*state_write)(skidpad_window *, uintptr_t state, uint8_t *bytes, size_t size);
    int32_t (*state_read)(skidpad_window *, const uint8_t *bytes, size_t size, uintptr_t *state);

    int32_t (*derivatives)(skidpad_window *, int32_t adjoint, const uint32_t *unknowns, size_t n_unknowns,
                           const uint32_t *knowns, size_t n_knowns, const double *seed, size_t n_seed,
                           double *sensitivity, size_t n_sensitivity);
    /* References of the variables on which a variable depends: their number, or the first n references. */
    int32_t (*dependencies)(skidpad_window *, uint32_t reference, size_t *count, uint32_t *on, size_t n);
} skidpad_core;

/* The only symbol of the core. */
typedef const skidpad_core *skidpad_core_table_function(void);

#endif
