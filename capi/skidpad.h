/*
 * skidpad.h - the native C API of the Skidpad vehicle library.
 *
 * One handle is one vehicle: a TOML model, formulated and ready to step. The
 * usual life of a vehicle is
 *
 *     skidpad_load             parameters, start values, inputs and
 *     skidpad_set, _set_text   solver.method may be changed now
 *     skidpad_trim             (optional) steady motion as start state
 *     skidpad_initialise       the initial state is computed, time is 0
 *     skidpad_set              inputs for the coming step
 *     skidpad_step             from t to t + h
 *     skidpad_get              outputs at t + h
 *     ...                      skidpad_save, _restore, _reset as needed
 *     skidpad_free
 *
 * For many vehicles of one model there are skidpad_copy and skidpad_step_all.
 *
 * Units are SI, angles are radians, axes follow ISO 8855 (x forward, y left,
 * z up). Every variable says its own unit, see skidpad_describe.
 *
 * Return value. Every function that returns int32_t returns a skidpad_status:
 * SKIDPAD_OK or a negative number. A call that fails changes nothing that the
 * caller passed in, unless its comment says otherwise, and the reason is
 * readable with skidpad_last_error.
 *
 * Handles. A skidpad_vehicle pointer is a name, not an object: the library
 * never reads through it, and neither may the caller. A NULL handle, a released
 * handle and a pointer that never was a handle give SKIDPAD_NO_VEHICLE. An
 * address is never given out twice in one process, so that a released handle
 * never turns into another vehicle; each costs a few bytes until the process
 * ends.
 *
 * Memory. What the caller passes in is read or written during the call only and
 * stays the caller's. What the library returns belongs to the library; each
 * function says until when it may be read. The caller never frees anything.
 * Saved states are bytes in the caller's own buffer.
 *
 * Threads. Different vehicles may be used from different threads at the same
 * time. One vehicle may be used from any thread, but by one at a time: a second
 * call during the first is refused with SKIDPAD_BUSY and does no harm. No
 * function writes to stdout or stderr, or calls back into the caller, except its tire functions and road routines.
 * skidpad_step_all uses as many threads as it is given; the Go runtime has a few of its own. A thread that is cancelled
 * within a call ends when the call has returned.
 *
 * Speed. Where the equations are machine code and the tire functions machine code or C (solver.code, Linux on
 * x86-64), skidpad_set of inputs, skidpad_step, skidpad_get of inputs and outputs, skidpad_rollout and skidpad_time use
 * no Go, no lock and no system call from the second step on, and less than 16 KiB of stack. So does skidpad_step_all
 * with at most three vehicles; more are stepped in vector lanes, by Go. The rounding and the flush modes of the host do
 * not matter to results, and are as they were after each call.
 *
 * Processes. A process that forks before it loads the library may use it in every child. In a child that is forked
 * afterwards every function with a status does nothing and returns SKIDPAD_FORKED at once, skidpad_free included, and
 * the tire routines below return IERR 3; skidpad_abi_version, skidpad_version and skidpad_status_text answer as ever.
 * Programs that such a child executes are not concerned.
 *
 * Signals. Go installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGPIPE and SIGURG, and
 * passes on what is not its own. Handlers of the host must be installed with SA_ONSTACK.
 *
 * Unloading. The library stays mapped until the process ends, dlclose
 * notwithstanding; released vehicles give back their memory at once.
 */
#ifndef SKIDPAD_H
#define SKIDPAD_H

#include <stddef.h>
#include <stdint.h>

#include "skidpad_law.h"
#include "skidpad_tire.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define SKIDPAD_API __declspec(dllexport)
#else
#define SKIDPAD_API
#endif

/* The version of this interface. It grows whenever a caller would notice. */
#define SKIDPAD_ABI_VERSION 7

typedef enum {
    SKIDPAD_OK = 0,
    SKIDPAD_NO_VEHICLE = -1, /* the handle is not a living vehicle */
    SKIDPAD_ARGUMENT = -2,   /* NULL, a negative count, a short buffer, an unknown
                                name or reference */
    SKIDPAD_MODEL = -3,      /* the model file cannot be read or formulated */
    SKIDPAD_REFUSED = -4,    /* the engine refuses: wrong moment in the vehicle's life, a
                                value out of range or not finite, no equilibrium found, a
                                step whose result would not be finite */
    SKIDPAD_BUSY = -5,       /* another thread is inside a call on this vehicle */
    SKIDPAD_FORKED = -7,     /* the process was forked after the library was loaded: start
                                workers without fork, or load the library in them only */
    SKIDPAD_INTERNAL = -6    /* a defect of the library. This vehicle now refuses every call but
                                skidpad_reset and skidpad_restore, which revive it,
                                skidpad_last_error and skidpad_free; other vehicles go on */
} skidpad_status;

typedef enum {
    SKIDPAD_PARAMETER = 0, /* settable before initialisation, constant from then on */
    SKIDPAD_INPUT = 1,     /* settable before every step */
    SKIDPAD_OUTPUT = 2,    /* computed; readable after initialisation. One with a start
                              value is settable and readable before, too */
    SKIDPAD_TUNABLE = 3,   /* a parameter that is also settable between two steps */
    SKIDPAD_LOCAL = 4      /* computed as an output is, but only where it is read: energies, rates of states,
                              peaks of tires */
} skidpad_causality;

/* When a rollout reads. */
typedef enum {
    SKIDPAD_READ_AFTER_STEP = 0,  /* after each step */
    SKIDPAD_READ_AFTER_INPUTS = 1 /* before each step, after its inputs have been set */
} skidpad_read;

/* What a variable is in the model. */
typedef enum {
    SKIDPAD_KIND_PARAMETER = 0,
    SKIDPAD_KIND_INPUT = 1,
    SKIDPAD_KIND_OUTPUT = 2,     /* computed from states, inputs and parameters */
    SKIDPAD_KIND_STATE = 3,      /* an output that the solver integrates */
    SKIDPAD_KIND_CONTACT = 4,    /* an output: 1 while the tire touches the road, else 0 */
    SKIDPAD_KIND_ENERGY = 5,     /* of the energy ledger, or the power of a tire */
    SKIDPAD_KIND_END = 6,        /* an output: which condition that ends runs became true, and when */
    SKIDPAD_KIND_COEFFICIENT = 7, /* a parameter of a tire function, see skidpad_variable_count */
    SKIDPAD_KIND_PEAK = 8,       /* of a force curve of a tire, see skidpad_variable_count */
    SKIDPAD_KIND_RATE = 9        /* time derivative of a state, called "der(body.vx)" */
} skidpad_kind;

typedef struct skidpad_vehicle skidpad_vehicle;

/* Many vehicles of one model; a handle, too. */
typedef struct skidpad_fleet skidpad_fleet;

/* One variable. The texts are UTF-8, never NULL, and owned by the vehicle:
 * readable until skidpad_free of that vehicle. */
typedef struct {
    uint32_t reference;  /* how skidpad_set and skidpad_get name it */
    int32_t causality;   /* a skidpad_causality */
    double start;        /* value before anything is set; 0 where none is defined */
    const char *name;    /* <component>.<quantity>, for example "body.wz" */
    const char *unit;    /* "m/s", "rad", ...; "1" for a pure number */
    const char *text;    /* one line of description, may be "" */
    double minimum;      /* least value that can be set, or the bound above which it must be; NaN for none,
                            and for coefficients, which tire functions check */
    double maximum;      /* largest value that can be set; NaN likewise */
    double nominal;      /* of a state: size from which on it matters; NaN for other variables */
    int32_t kind;        /* a skidpad_kind */
} skidpad_variable;

/* SKIDPAD_ABI_VERSION of the library; compare before any other call. */
SKIDPAD_API int32_t skidpad_abi_version(void);

/* The library's version, for example "0.1.0". Static, never freed. */
SKIDPAD_API const char *skidpad_version(void);

/* What a status means, in one line. Static; "unknown status" for others. */
SKIDPAD_API const char *skidpad_status_text(int32_t status);

/* Registers a tire function of the host under its name, so that vehicles loaded later
 * can say tire_XX.model = NAME. What it points to must stay until the process ends. On
 * failure the reason is written to error, as by skidpad_load. A name can be registered
 * once. */
SKIDPAD_API int32_t skidpad_register_tire(const skidpad_tire *tire, char *error, int64_t capacity);

/* The same for a law, which components of type equations name as their function, or by
 * <component>.model = NAME. */
SKIDPAD_API int32_t skidpad_register_law(const skidpad_law *law, char *error, int64_t capacity);

/* Reads and formulates the model file at path (UTF-8) and stores the handle of
 * a new vehicle in *vehicle.
 *
 * tree names one of the model's tree selections; NULL or "" takes the model's
 * first. On failure *vehicle becomes NULL and the reason is written to error,
 * all of the model file's defects together, one per line with file, line and
 * column, cut to capacity bytes and ended by NUL. error may be NULL if capacity
 * is 0. On success error becomes "" and the vehicle must be given back with
 * skidpad_free. */
SKIDPAD_API int32_t skidpad_load(const char *path, const char *tree, skidpad_vehicle **vehicle,
                                 char *error, int64_t capacity);

/* The same with outputs for reactions of joints, arms, rods and contacts: <component>.Fx to
 * .Mz, force [N] and moment [N m] of the side of the tail on the head, at the origin of the
 * head, and .force, the tension of a rod. reactions has names or patterns, separated by
 * commas, each in axes of the tail or of a frame: "wheel_*, rod in ground". They are beside
 * those that the model file asks for. NULL or "" asks for no more. */
SKIDPAD_API int32_t skidpad_load_reactions(const char *path, const char *tree, const char *reactions,
                                           skidpad_vehicle **vehicle, char *error, int64_t capacity);

/* Makes another vehicle of the same model and tree, as skidpad_load would, without reading and
 * formulating the model again. It must be given back with skidpad_free, too. */
SKIDPAD_API int32_t skidpad_copy(skidpad_vehicle *vehicle, skidpad_vehicle **copy);

/* Releases the vehicle and everything it owns, the texts of its variables
 * included. SKIDPAD_BUSY leaves the vehicle alive. A vehicle of a fleet is refused,
 * SKIDPAD_ARGUMENT: skidpad_fleet_free releases it. */
SKIDPAD_API int32_t skidpad_free(skidpad_vehicle *vehicle);

/* Why the latest failed call on this vehicle failed; "" if none failed. Owned
 * by the vehicle, readable until the next call on it. NULL if the handle is not
 * a living vehicle, or busy, or if the system has no memory for the text now. */
SKIDPAD_API const char *skidpad_last_error(skidpad_vehicle *vehicle);

/* Number of variables.
 *
 * Behind those of the model are the coefficients of its tire functions, <tire>.<NAME>, as
 * tire_FL.PKY1 and tire_FL.LMUY: every number of the parameter file of a built-in function,
 * named by its key. Those of a relaxation function are called <tire>.relaxation.<NAME> where
 * the force function has the same name, too. Scale factors (L...) are SKIDPAD_TUNABLE. Their
 * start values are those of the file. Which ones there are follows from the texts <tire>.model
 * and <tire>.file: count, indices and texts are those of the present functions. A reference
 * names the same coefficient for all vehicles of a model. What was set stays when these texts
 * change later, and is part of saved states; skidpad_reset brings the file's values back.
 *
 * Behind the coefficients are the peaks of the tires' force curves. skidpad_get searches for them;
 * they cost nothing otherwise. <tire>.mu_x_peak and .mu_y_peak are the largest longitudinal and
 * lateral force of pure slip, divided by the normal force, on the side of the present slip and at
 * the present load, inclination, pressure, speed and friction. <tire>.kappa_peak [1] and
 * .alpha_peak [rad] are the signed slips of these forces. <tire>.kappa_peak_found and
 * .alpha_peak_found are 1, or 0 if the force is largest at the end of the slip range; the slip is
 * then this end. <tire>.utilisation is sqrt((Fx/(mu_x_peak Fz))^2 + (Fy/(mu_y_peak Fz))^2). All are
 * 0 in the air. Force functions have no peaks, and skidpad_get refuses, if they have internal
 * states, need the position of the wheel, or do not follow from slip. */
SKIDPAD_API int32_t skidpad_variable_count(skidpad_vehicle *vehicle, int64_t *count);

/* Describes variable number index, 0 <= index < count, in a fixed order. */
SKIDPAD_API int32_t skidpad_describe(skidpad_vehicle *vehicle, int64_t index, skidpad_variable *variable);

/* Finds the reference of the variable called name. */
SKIDPAD_API int32_t skidpad_find(skidpad_vehicle *vehicle, const char *name, uint32_t *reference);

/* Sets values[i] of variable references[i], 0 <= i < count, in the variables'
 * units. count is at most the number of variables; 0 is allowed, with or
 * without arrays. Values must be finite. The first one refused ends the call;
 * those before it have been set.
 *
 * An input keeps its value until it is set again, with two exceptions: a
 * prescribed motion (<driver>.angle, .rate, .acceleration) continues within a
 * step as angle + rate dt + acceleration dt^2/2, and skidpad_set_rates. */
SKIDPAD_API int32_t skidpad_set(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                                const double *values);

/* Lets inputs references[i] change linearly by rates[i] per second, until they
 * are set again by skidpad_set. For ramps of forces and torques; prescribed
 * motions have their own inputs for this. Arrays as in skidpad_set. */
SKIDPAD_API int32_t skidpad_set_rates(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                                      const double *rates);

/* Reads variable references[i] into values[i], 0 <= i < count. On failure the
 * contents of values are undefined. */
SKIDPAD_API int32_t skidpad_get(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                                double *values);

/* Writes derivatives at the present point: matrix[i*n_by + j] = d of[i] / d by[j], n_of*n_by numbers in the units of
 * the variables. of lists outputs and rates of states, such as "der(body.wz)". by lists states, inputs and parameters;
 * before initialisation, start values replace the states. The derivatives are exact and have the bits of
 * fmi3GetDirectionalDerivative for a seed of 1. Two parts are central differences: library functions without
 * derivatives, and the parameters of the ground. At a kink (limits, min, max, abs) the derivative belongs to one side,
 * or is the mean of both. Internal states of tire functions count as constant. The vehicle does not change. The call
 * rejects derivatives of states, contacts, energies and peaks, and derivatives by outputs, rates and coefficients of
 * tires. On failure the contents of matrix are undefined. */
SKIDPAD_API int32_t skidpad_jacobian(skidpad_vehicle *vehicle, const uint32_t *of, int64_t n_of, const uint32_t *by,
                                     int64_t n_by, double *matrix);

/* Sets a text before initialisation:
 *
 *     solver.method   a method of docs/solvers.md, such as "rk4"
 *     solver.multipliers  of models with constraints: "step" or "stage", where dlmm and
 *                     dlmm-euler take the violations of constraints that they correct
 *     energy.record   "true": energy.supplied, .dissipated and .balance count from
 *                     initialisation; "false", the default: they are 0
 *     solver.code     "native": machine code made at load time, where the system allows
 *                     that, or "portable"; the results are the same
 *     <tire>.model    the tire's force function: a built-in one ("Fiala", "Pacejka02"), a
 *                     registered one, "plugin:LIBRARY#SYMBOL" (see skidpad_tire.h),
 *                     "sti:LIBRARY#ROUTINE" (Standard Tyre Interface, see docs/tires.md), or
 *                     "inputs": forces and moments are the inputs <tire>.Fx_input, ...
 *     <tire>.file     its parameter file, relative to the model file
 *     <terrain>.kind, .formula, .file, .class, .friction_kind, .friction_formula, .friction_file
 *                     what the keys of the terrain in the model file say; paths are relative to
 *                     that file
 *
 * Functions and files are looked for at initialisation. */
SKIDPAD_API int32_t skidpad_set_text(skidpad_vehicle *vehicle, const char *name, const char *value);

/* Reads a text into value, cut to capacity bytes and ended by NUL. One more can be read while energy.record is "true":
 *
 *     energy.ledger   a line for each component: its name, what it stored at initialisation and stores now, and the
 *                     work that it has supplied and dissipated since [J], with tabs between
 *
 * And one at any time, of up to some 300 bytes a line:
 *
 *     solver.warnings the table of warnings: of the model file, of the start, and what left its limits in the run, also
 *                     if it has come back. A line for each row, with tabs between rule, component, quantity, unit, low
 *                     and high limit, count, first time [s], farthest value, its time [s], text and remedy. The
 *                     quantity is empty where nothing is watched. What is watched is part of saved states. Reading the
 *                     table leaves skidpad_warnings as it is */
SKIDPAD_API int32_t skidpad_get_text(skidpad_vehicle *vehicle, const char *name, char *value, int64_t capacity);

/* Sets how long a step may take [s] before skidpad_warnings reports it, with the tires whose function took the most of
 * it. 0, as at the start, is no limit: no clock is read. A step over the limit is not stopped, and its results are the
 * same. The limit stays after skidpad_reset. FMUs take theirs from the environment variable SKIDPAD_TIME_LIMIT, when
 * they are instantiated, and report to the logger of the importer. */
SKIDPAD_API int32_t skidpad_set_time_limit(skidpad_vehicle *vehicle, double seconds);

/* Reads what is to be noticed since the last call into text, one line each, cut to capacity bytes and ended by NUL: of
 * parameter files and roads, of tires outside of the range of their parameters, of tire functions, of steps over
 * the time limit, of a condition of solver.end_at that has become true, as "warning: ..." of what is hardly meant in
 * the model file or at the start, and as "note: ..." of a vehicle that does not stand still with its solver. An empty
 * text: nothing. */
SKIDPAD_API int32_t skidpad_warnings(skidpad_vehicle *vehicle, char *text, int64_t capacity);

/* Replaces the start values by a steady motion, before initialisation: the
 * speed of travel and the inputs set so far are kept, all other start values are
 * changed until nothing accelerates but in the direction of travel. If there is
 * none nearby the start values stay as they were. */
SKIDPAD_API int32_t skidpad_trim(skidpad_vehicle *vehicle);

/* Ends the setting of parameters: computes the initial state; time becomes 0. */
SKIDPAD_API int32_t skidpad_initialise(skidpad_vehicle *vehicle);

/* Advances the vehicle by h seconds, h > 0 and finite, with the inputs set
 * last. The work is divided into equal solver steps no longer than the
 * parameter solver.step. Allocates no memory and takes no lock. A step that
 * fails leaves the vehicle as it was before it. */
SKIDPAD_API int32_t skidpad_step(skidpad_vehicle *vehicle, double h);

/* Makes steps of h seconds in one call. Before each step the next n_in numbers of inputs are set, after it n_out
 * variables are written to the next numbers of outputs, as skidpad_set, skidpad_step and skidpad_get do, with the same
 * bits. If read is SKIDPAD_READ_AFTER_INPUTS, outputs are written before each step, after its inputs were set. Where
 * inputs change in every step this saves an evaluation: the reading and the step share one. The first refused step ends
 * the rollout, with the inputs of that step set; made, if not NULL, is the number of steps before it. */
SKIDPAD_API int32_t skidpad_rollout(skidpad_vehicle *vehicle, int64_t steps, double h, const uint32_t *in,
                                    int64_t n_in, const double *inputs, const uint32_t *out, int64_t n_out,
                                    double *outputs, int32_t read, int64_t *made);

/* Advances count vehicles, each of them named once, by h seconds, as skidpad_step does for one
 * and with the same results to the last bit. Vehicles made by skidpad_copy of one another that
 * have the same solver and the same kinds of tire functions share vector instructions; all are
 * spread over as many threads as threads says, 0 for one for each processor. Keep the same
 * vehicles in the same order: a change of the order rebuilds the groups.
 * statuses, unless it is NULL, receives the status of each vehicle. The result is SKIDPAD_OK
 * or the first status that is not; a vehicle whose step failed is as it was before, but after
 * SKIDPAD_INTERNAL, which all of them have then. If one of the handles is not a living vehicle,
 * or busy, or waits for skidpad_reset after SKIDPAD_INTERNAL, nothing is done. */
SKIDPAD_API int32_t skidpad_step_all(skidpad_vehicle *const *vehicles, int64_t count, double h, int32_t threads,
                                     int32_t *statuses);

/*
 * Fleets: vehicles of one model in arrays. A vehicle has a place from 0 on. A mask has a byte for each vehicle; those
 * with a byte other than 0 are meant, NULL means all. References and values are those of skidpad_set and skidpad_get.
 * values has a row for each vehicle, those outside of the mask included; row is the distance of rows in numbers, so
 * that columns of a larger array work, and 0 sets all vehicles to the same values. The result of a call is SKIDPAD_OK
 * or the first status that is not; statuses, unless it is NULL, receives the status of each vehicle. A vehicle that
 * fails says why by skidpad_last_error; the others go on.
 */

/* Makes a fleet of count copies of a vehicle in its present state, 1 to 1048576. It steps with a number of threads, 0
 * for one for each processor. The fleet must be given back with skidpad_fleet_free. */
SKIDPAD_API int32_t skidpad_fleet_make(skidpad_vehicle *like, int64_t count, int32_t threads, skidpad_fleet **fleet);

/* Releases a fleet and its vehicles. SKIDPAD_BUSY leaves it alive. */
SKIDPAD_API int32_t skidpad_fleet_free(skidpad_fleet *fleet);

/* The vehicle at a place, which belongs to the fleet and lives as long; NULL where there is none. */
SKIDPAD_API skidpad_vehicle *skidpad_fleet_vehicle(skidpad_fleet *fleet, int64_t index);

/* Sets count variables of the vehicles of a mask. */
SKIDPAD_API int32_t skidpad_fleet_set(skidpad_fleet *fleet, const uint8_t *mask, const uint32_t *references,
                                      int64_t count, const double *values, int64_t row);

/* Reads count variables of the vehicles of a mask; the other rows are left alone. */
SKIDPAD_API int32_t skidpad_fleet_get(skidpad_fleet *fleet, const uint8_t *mask, const uint32_t *references,
                                      int64_t count, double *values, int64_t row);

/* Initialises vehicles, after skidpad_trim where trim is not 0. */
SKIDPAD_API int32_t skidpad_fleet_initialise(skidpad_fleet *fleet, const uint8_t *mask, int32_t trim,
                                             int32_t *statuses);

/* Resets vehicles, see skidpad_reset. */
SKIDPAD_API int32_t skidpad_fleet_reset(skidpad_fleet *fleet, const uint8_t *mask);

/* Binds arrays that skidpad_fleet_step reads n_in inputs from before each step, and writes n_out outputs to after it: a
 * row for each vehicle, without gaps. They must stay until others are bound or the fleet is freed; 0 binds none. */
SKIDPAD_API int32_t skidpad_fleet_bind(skidpad_fleet *fleet, const uint32_t *in, int64_t n_in, const double *inputs,
                                       const uint32_t *out, int64_t n_out, double *outputs);

/* Advances vehicles by h seconds, each as skidpad_step does and with the same bits. */
SKIDPAD_API int32_t skidpad_fleet_step(skidpad_fleet *fleet, const uint8_t *mask, double h, int32_t *statuses);

/* Makes steps of h seconds in one call, with the variables that are bound and other arrays: inputs has a block for each
 * step, a row for each vehicle if by_vehicle is not 0, and else one row for all; outputs has a block for each step
 * with a row for each vehicle, written after the step, or before it with the inputs of the step set, if read is
 * SKIDPAD_READ_AFTER_INPUTS. A vehicle that fails stays where it is; its outputs are NaN from the failing step on. */
SKIDPAD_API int32_t skidpad_fleet_rollout(skidpad_fleet *fleet, int64_t steps, double h, const double *inputs,
                                          int32_t by_vehicle, double *outputs, int32_t read, int32_t *statuses);

/* Writes the states of the vehicles of a mask one behind the other, each of size bytes, the skidpad_state_size of all
 * of them. */
SKIDPAD_API int32_t skidpad_fleet_save(skidpad_fleet *fleet, const uint8_t *mask, void *states, int64_t size);

/* Gives each vehicle i the state number source[i] of states, from 0 on; a vehicle with a negative number stays as it
 * is. Every state has size bytes. */
SKIDPAD_API int32_t skidpad_fleet_restore(skidpad_fleet *fleet, const void *states, int64_t size,
                                          const int64_t *source, int32_t *statuses);

/* The vehicle's time, s. */
SKIDPAD_API int32_t skidpad_time(skidpad_vehicle *vehicle, double *time);

/* Number of bytes skidpad_save writes for this vehicle now; it changes with texts, at
 * initialisation, and when a coefficient of a tire is set for the first time. */
SKIDPAD_API int32_t skidpad_state_size(skidpad_vehicle *vehicle, int64_t *size);

/* Writes the complete state - time, states, inputs, parameters - to buffer,
 * which holds capacity bytes; fewer than skidpad_state_size is an error. */
SKIDPAD_API int32_t skidpad_save(skidpad_vehicle *vehicle, void *buffer, int64_t capacity);

/* Brings back a state saved from this vehicle or from another one of the same
 * model and tree, whatever its texts are; size is how many bytes were saved. A state can come
 * from anywhere: one that names a library is refused, SKIDPAD_REFUSED, unless
 * skidpad_set_text has named the same function in this process before. After
 * SKIDPAD_INTERNAL it revives the vehicle, as skidpad_reset does. */
SKIDPAD_API int32_t skidpad_restore(skidpad_vehicle *vehicle, const void *buffer, int64_t size);

/* Writes the files of the vehicle to buffer, as a ZIP archive: the model file first, then its bases, and the files of
 * tires, terrains and curves, those that texts name now included. All are unchanged and keep their places relative to
 * each other. Another process, on any machine, can load the model from where it unpacks them and restore a saved
 * state. Texts with absolute paths and libraries are not moved. *size becomes the number of bytes of the archive;
 * nothing is written if capacity is less. SKIDPAD_REFUSED: files have changed since the vehicle was loaded. */
SKIDPAD_API int32_t skidpad_model_files(skidpad_vehicle *vehicle, void *buffer, int64_t capacity, int64_t *size);

/* Back to the moment after skidpad_load: start values, time 0, not initialised. After
 * SKIDPAD_INTERNAL it recreates the vehicle under the same handle: nothing of the old
 * state survives, and a run from here is bit-identical to a first one. Should that fail,
 * the reason says so, and the vehicle can only be freed. */
SKIDPAD_API int32_t skidpad_reset(skidpad_vehicle *vehicle);

/*
 * Tires of Skidpad for other programs: routines of the Standard Tyre Interface
 * (STI, TYDEX, release 1.4). The arguments are those of the standard in its order.
 *
 * skidpad_dtyre_   by the convention of gfortran: everything by reference, the lengths
 *                  of the texts by value at the end
 * SKIDPAD_DTYRE    the same under the name that Intel Fortran on Windows looks for
 * skidpad_dtyre    for C in the style of Adams: the length of each text, by reference,
 *                  directly behind it; the road routine wants a disc
 *
 * CHTDST names a tire property file (.tir), or a TOML file that is described in
 * docs/tires.md. JOBFLG 1 returns the sizes of the arrays, 2 reads the file, 0 and 5
 * evaluate, 3 reads the file again, 4 does nothing, 99 gives the tire back. Jobs 1, 2 and 3
 * need CHTDST. IERR is 0, or 3 with the reason in TYRMOD, 256 characters padded with
 * blanks. ISWTCH and ANGTWC are not used. Different tires may be evaluated at the same
 * time; evaluations allocate nothing.
 */

/* The road routine of TYDEX: height z at (x, y) and its derivatives. */
typedef void skidpad_sti_road(const double *time, const double *dis, const int *iflag, const int *jflag,
                              const int *idtyre, const int *idroad, const int *nropar, const double *ropar,
                              const int *nchrds, const char *chrdst, const int *nprsur, int *nroad, double *z,
                              double *dz, double *ddz, int *dflag, double *prsurf, int *ierr, size_t chrdst_length);

/* The road routine of Adams: contact of a disc. */
typedef void skidpad_sti_disc_road(const int *jobflg, const int *idtyre, const double *time, const double *dis,
                                   const double *tramat, const int *idroad, const int *nropar, const double *ropar,
                                   const int *nchrds, const char *chrdst, const int *chrdst_length, const int *points,
                                   const double *shape, const double *unlrad, const double *tirew, int *nroad,
                                   double *effvol, double *effpen, double *rcp, double *rnorm, double *surfac,
                                   int *ierr, char *errmsg, const int *errmsg_length);

SKIDPAD_API void skidpad_dtyre_(int *ndev, int *iswtch, int *jobflg, int *idtyre, double *time, double *dis,
                                double *tramat, double *angtwc, double *vel, double *omega, double *omegar, int *ndeqvr,
                                double *deqvar, int *ntypar, double *typarr, int *nchtds, const char *chtdst,
                                skidpad_sti_road *road, int *idroad, int *nropar, double *ropar, int *nchrds,
                                const char *chrdst, double *forces, double *torque, double *deqini, double *deqder,
                                char *tyrmod, int *nvars, double *varinf, int *nwork, double *wrkarr, int *niwork,
                                int *iwrkar, int *ierr, size_t chtdst_length, size_t chrdst_length,
                                size_t tyrmod_length);

SKIDPAD_API void SKIDPAD_DTYRE(int *ndev, int *iswtch, int *jobflg, int *idtyre, double *time, double *dis,
                               double *tramat, double *angtwc, double *vel, double *omega, double *omegar, int *ndeqvr,
                               double *deqvar, int *ntypar, double *typarr, int *nchtds, const char *chtdst,
                               skidpad_sti_road *road, int *idroad, int *nropar, double *ropar, int *nchrds,
                               const char *chrdst, double *forces, double *torque, double *deqini, double *deqder,
                               char *tyrmod, int *nvars, double *varinf, int *nwork, double *wrkarr, int *niwork,
                               int *iwrkar, int *ierr, size_t chtdst_length, size_t chrdst_length,
                               size_t tyrmod_length);

SKIDPAD_API void skidpad_dtyre(int *ndev, int *iswtch, int *jobflg, int *idtyre, double *time, double *dis,
                               double *tramat, double *angtwc, double *vel, double *omega, double *omegar, int *ndeqvr,
                               double *deqvar, int *ntypar, double *typarr, int *nchtds, const char *chtdst,
                               int *chtdst_length, skidpad_sti_disc_road *road, int *idroad, int *nropar, double *ropar,
                               int *nchrds, const char *chrdst, int *chrdst_length, double *forces, double *torque,
                               double *deqini, double *deqder, char *tyrmod, int *tyrmod_length, int *nvars,
                               double *varinf, int *nwork, double *wrkarr, int *niwork, int *iwrkar, int *ierr);

#ifdef __cplusplus
}
#endif

#endif
