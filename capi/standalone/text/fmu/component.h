/* component.h - an instance of the FMU, and what its files share. */
#ifndef VEHICLE_COMPONENT_H
#define VEHICLE_COMPONENT_H

#include "shim.h"
#include "tables.h"

/* Numbers of FMI 2.0, and of what is asked for. */
enum { VEHICLE_MODEL_EXCHANGE, VEHICLE_CO_SIMULATION };

/* A state that was saved, in the list of its instance. */
typedef struct vehicle_saved vehicle_saved;

/* A cause of warnings that an importer can give in every step: one is logged in a run, and a count at its end. */
typedef struct {
    int told;
    double count, largest;
} vehicle_habit;

typedef struct {
    skidpad_window window; /* the first: its address is that of the component */
    instance shim;
    vehicle model;
    int version, interface;
    int logging, logs_start; /* bits of categories; messages were asked for at instantiation */
    unsigned mode;                   /* one of those of tables.h */
    double start, stop;              /* of the experiment [s] */
    int set_up;                      /* it was defined */
    int prepared;                    /* the model has been started with the present parameters and inputs */
    int initialised;
    int current; /* values are those of the present state */
    int ended_told;
    double time;                     /* [s] */
    double values[VEHICLE_NUMBERS];  /* by value reference */
    int on[VEHICLE_CONTACTS + 1];    /* contacts, as an importer of model exchange has been told */
    double logged[VEHICLE_EVENTS + 1];
    int choices[VEHICLE_CHOICES + 1];
    int code;                        /* index of vehicle_codes */
    vehicle_habit drifting, bending; /* steps that begin elsewhere, derivatives of inputs that are not used */
    vehicle_saved *saved;
    double variables[VEHICLE_VARIABLES + 1]; /* of a derivative */
    double sensed[VEHICLE_VALUES + VEHICLE_STATES + 1]; /* of values, and behind them of states at the start */
} vehicle_component;

static inline vehicle_component *of(skidpad_window *w) { return (vehicle_component *)(void *)w; }

/* A text that is put together; what does not fit is cut. */
typedef struct {
    size_t n;
    char text[2500];
} vehicle_text;

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(hidden)
#endif

void vehicle_begin_text(vehicle_text *);
void vehicle_put(vehicle_text *, const char *);
void vehicle_put_count(vehicle_text *, unsigned long long);
void vehicle_put_integer(vehicle_text *, int);
/* A number of this many digits at most; 0 for as many as tell it from others. */
void vehicle_put_number(vehicle_text *, double, int digits);
int vehicle_is_text(const char *a, const char *b); /* whether they are equal */

void vehicle_log(vehicle_component *, int32_t status, int category, const char *text);
int32_t vehicle_fail(vehicle_component *, const vehicle_text *);
int32_t vehicle_fail_by(vehicle_component *, const char *text);
int32_t vehicle_discard(vehicle_component *, const vehicle_text *);
int32_t vehicle_warn(vehicle_component *, const vehicle_text *);
int32_t vehicle_refuse_count(vehicle_component *, size_t n); /* OK unless nobody can have an array so long */

/* Whether a call of tables.h may be made now; a status. */
int32_t vehicle_allow(vehicle_component *, int call);
/* The status of a value that cannot be computed. */
int32_t vehicle_uncomputed(vehicle_component *, const vehicle_text *);
/* The variable of a reference if it has the type; NULL and why not. */
const vehicle_entry *vehicle_find(uint32_t reference, int type, vehicle_text *why);
/* Warns of a computed value that is read before FMI 2.0 allows it; a status. */
int32_t vehicle_warn_of_early_reading(vehicle_component *, const char *what, const vehicle_entry *);
/* Starts the model; 0 and why not. */
int vehicle_start_model(vehicle_component *, vehicle_text *why);
/* Makes values current; 0 and why not. */
int vehicle_refresh(vehicle_component *, vehicle_text *why);
const char *vehicle_mode_name(unsigned mode);
/* Why a variable cannot be set now; 0 where it can. */
int vehicle_is_not_settable(const vehicle_component *, const vehicle_entry *, vehicle_text *why);
/* Whether a number is finite. */
int vehicle_finite(double);
void vehicle_keep_inputs(vehicle_component *);
/* What has happened in a step, and at the start. */
void vehicle_report(vehicle_component *);
void vehicle_report_start(vehicle_component *);
void vehicle_report_events(vehicle_component *);
int vehicle_counts(vehicle_component *, vehicle_habit *, double size);
void vehicle_report_habits(vehicle_component *);
void vehicle_reset_component(vehicle_component *);

/* Functions of the table. */
skidpad_window *vehicle_make(const skidpad_settings *, size_t room, vehicle_text *why);
int32_t vehicle_get(skidpad_window *, int32_t boolean, const uint32_t *references, size_t n, double *values);
int32_t vehicle_set_real(skidpad_window *, const uint32_t *references, size_t n, const double *values);
int32_t vehicle_set_boolean(skidpad_window *, const uint32_t *references, size_t n);
int32_t vehicle_get_string(skidpad_window *, const uint32_t *references, size_t n, const char **values);
int32_t vehicle_set_string(skidpad_window *, const uint32_t *references, size_t n, const char *const *values);
int32_t vehicle_absent(skidpad_window *, int32_t set, const char *kind, const uint32_t *references, size_t n);
int32_t vehicle_step_to(skidpad_window *, double time, double h);
int32_t vehicle_set_input_derivatives(skidpad_window *, const uint32_t *references, size_t n, const int32_t *orders,
                                      const double *values);
int32_t vehicle_get_output_derivatives(skidpad_window *, const uint32_t *references, size_t n, const int32_t *orders,
                                       double *values);
int32_t vehicle_derivatives(skidpad_window *, int32_t adjoint, const uint32_t *unknowns, size_t n_unknowns,
                            const uint32_t *knowns, size_t n_knowns, const double *seed, size_t n_seed,
                            double *sensitivity, size_t n_sensitivity);
int32_t vehicle_save_state(skidpad_window *, uintptr_t *state);
int32_t vehicle_set_state(skidpad_window *, uintptr_t state);
int32_t vehicle_free_state(skidpad_window *, uintptr_t *state);
int32_t vehicle_size_of_state(skidpad_window *, uintptr_t state, size_t *size);
int32_t vehicle_write_state(skidpad_window *, uintptr_t state, uint8_t *bytes, size_t size);
int32_t vehicle_read_state(skidpad_window *, const uint8_t *bytes, size_t size, uintptr_t *state);
void vehicle_free_states(vehicle_component *);

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

#endif
