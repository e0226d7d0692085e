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
 * Units are SI, angles are radians, axes follow ISO 8855 (x forward, y left, z
 * up). skidpad_describe returns the unit of each variable.
 *
 * Return value. Every function that returns int32_t returns a skidpad_status:
 * SKIDPAD_OK or a negative number. A failed call leaves the caller's memory
 * unchanged, unless its comment says otherwise. skidpad_last_error returns the
 * reason.
 *
 * Handles. A skidpad_vehicle pointer is a name, not an object: the library
 * never reads through it, and neither may the caller. A NULL handle, a released
 * handle and a pointer that never was a handle give SKIDPAD_NO_VEHICLE. The
 * library uses an address once per process, so a released handle never names
 * another vehicle. Each handle costs a few bytes until the process ends.
 *
 * Memory. The library reads and writes the caller's memory during the call
 * only; the caller keeps it. Memory that a function returns belongs to the
 * library; the comment of the function states how long it is readable. The
 * caller never frees memory of the library. Saved states are bytes in a buffer
 * of the caller.
 *
 * Threads. Different vehicles may be used from different threads at the same time. Any thread may use a vehicle, one
 * thread at a time: a second call during the first returns SKIDPAD_BUSY and does nothing. No function writes to stdout
 * or stderr. The library calls back into the host only for its tire functions, road routines, laws and controllers.
 * skidpad_step_all uses the given number of threads; the Go runtime has a few threads besides. A thread that is
 * cancelled within a call ends when the call has returned.
 *
 * Speed. The fast path uses no Go, no lock and no system call from the second step on, and less than 16 KiB of stack.
 * It requires equations in machine code and tire functions in machine code or C (solver.code, Linux on x86-64). These
 * calls take it: skidpad_set of inputs, skidpad_step, skidpad_get of inputs and outputs, skidpad_rollout, skidpad_time,
 * and skidpad_step_all with at most three vehicles. Go steps more vehicles, in vector lanes. The rounding and flush
 * modes of the host do not affect results; each call restores them.
 *
 * Processes. A process that forks before it loads the library may use the library in every child. In a child that is
 * forked afterwards, every function with a status does nothing and returns SKIDPAD_FORKED at once, skidpad_free
 * included. The tire routines below return IERR 3 there. Only skidpad_abi_version, skidpad_version and
 * skidpad_status_text work as usual. Programs that such a child executes are not affected.
 *
 * Signals. Go installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGPIPE and SIGURG, and
 * forwards signals that Go code has not caused. Handlers of the host must be installed with
 * SA_ONSTACK.
 *
 * Unloading. The library stays mapped until the process ends, also after
 * dlclose. The memory of a released vehicle is freed at once.
 */
#ifndef SKIDPAD_H
#define SKIDPAD_H

#include <stddef.h>
#include <stdint.h>

#include "skidpad_controller.h"
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

/* The version of this interface. It grows with every change that callers can notice. */
#define SKIDPAD_ABI_VERSION 8

typedef enum {
    SKIDPAD_OK = 0,
    SKIDPAD_NO_VEHICLE = -1, /* the handle is not a living vehicle */
    SKIDPAD_ARGUMENT = -2,   /* NULL, a negative count, a short buffer, an unknown
                                name or reference */
    SKIDPAD_MODEL = -3,      /* the model file cannot be read or formulated */
    SKIDPAD_REFUSED = -4,    /* the engine rejects the call: wrong phase of the vehicle, a
                                value out of range or not finite, no equilibrium found, a
                                step whose result would not be finite */
    SKIDPAD_BUSY = -5,       /* another thread is inside a call on this vehicle */
    SKIDPAD_FORKED = -7,     /* the process was forked after the library was loaded: start
                                workers without fork, or load the library in them only */
    SKIDPAD_INTERNAL = -6    /* a defect of the library. This vehicle now rejects every call except
                                skidpad_reset and skidpad_restore, which revive it,
                                skidpad_last_error and skidpad_free; other vehicles go on */
} skidpad_status;

typedef enum {
    SKIDPAD_PARAMETER = 0, /* settable before initialisation, constant from then on */
    SKIDPAD_INPUT = 1,     /* settable before every step */
    SKIDPAD_OUTPUT = 2,    /* computed; readable after initialisation. Outputs with a start
                              value are settable and readable before, too */
    SKIDPAD_TUNABLE = 3,   /* a parameter that is also settable between two steps */
    SKIDPAD_LOCAL = 4      /* computed like an output, but only when it is read: energies, rates of states,
                              peaks of tires */
} skidpad_causality;

/* When a rollout reads outputs. */
typedef enum {
    SKIDPAD_READ_AFTER_STEP = 0,  /* after each step */
    SKIDPAD_READ_AFTER_INPUTS = 1 /* before each step, after its inputs have been set */
} skidpad_read;

/* The role of a variable in the model. */
typedef enum {
    SKIDPAD_KIND_PARAMETER = 0,
    SKIDPAD_KIND_INPUT = 1,
    SKIDPAD_KIND_OUTPUT = 2,     /* computed from states, inputs and parameters */
    SKIDPAD_KIND_STATE = 3,      /* an output that the solver integrates */
    SKIDPAD_KIND_CONTACT = 4,    /* an output: 1 while the tire touches the road, else 0 */
    SKIDPAD_KIND_ENERGY = 5,     /* of the energy ledger, or the power of a tire */
    SKIDPAD_KIND_END = 6,        /* an output: the end condition that became true, and its time */
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
    uint32_t reference;  /* number of the variable in skidpad_set and skidpad_get */
    int32_t causality;   /* a skidpad_causality */
    double start;        /* value before anything is set; 0 where none is defined */
    const char *name;    /* <component>.<quantity>, for example "body.wz" */
    const char *unit;    /* "m/s", "rad", ...; "1" for a pure number */
    const char *text;    /* one line of description, may be "" */
    double minimum;      /* least value that can be set, or the bound that values must exceed; NaN for none,
                            and for coefficients, which tire functions check */
    double maximum;      /* largest value that can be set; NaN for none, and for coefficients */
    double nominal;      /* of a state: magnitude from which on it is significant; NaN for other variables */
    int32_t kind;        /* a skidpad_kind */
} skidpad_variable;

/* SKIDPAD_ABI_VERSION of the library; compare before any other call. */
SKIDPAD_API int32_t skidpad_abi_version(void);

/* The library's version, for example "0.1.0". Static, never freed. */
SKIDPAD_API const char *skidpad_version(void);

/* The meaning of a status, in one line. Static; "unknown status" for others. */
SKIDPAD_API const char *skidpad_status_text(int32_t status);

/* Registers a tire function of the host under its name. Vehicles loaded later select it by
 * tire_XX.model = NAME. Memory that the structure points to must stay until the process
 * ends. On failure error receives the reason, as in skidpad_load. A name can be registered
 * once. */
SKIDPAD_API int32_t skidpad_register_tire(const skidpad_tire *tire, char *error, int64_t capacity);

/* Registers a law of the host, as skidpad_register_tire does. Components of type equations
 * select the law by their key function or by <component>.model = NAME. */
SKIDPAD_API int32_t skidpad_register_law(const skidpad_law *law, char *error, int64_t capacity);

/* Registers a controller of the host, as skidpad_register_tire does. Components of type controller
 * select it by their key function or by <component>.function = NAME. */
SKIDPAD_API int32_t skidpad_register_controller(const skidpad_controller *controller, char *error, int64_t capacity);

/* Reads and formulates the model file at path (UTF-8) and stores the handle of
 * a new vehicle in *vehicle.
 *
 * tree names one of the model's tree selections; NULL or "" takes the model's
 * first. On failure *vehicle becomes NULL, and error receives the reason, cut
 * to capacity bytes and ended by NUL. The reason lists all errors of the model
 * file, one per line with file, line and column. If capacity is 0, error may be
 * NULL. On success error becomes "", and the vehicle must be released with
 * skidpad_free. */
SKIDPAD_API int32_t skidpad_load(const char *path, const char *tree, skidpad_vehicle **vehicle,
                                 char *error, int64_t capacity);

/* Loads a vehicle as skidpad_load does, with more outputs: reactions of joints, arms, rods
 * and contacts. Outputs <component>.Fx to .Mz are the force [N] and moment [N m] of the
 * tail side on the head, at the origin of the head. Output .force is the tension of a rod.
 * The string reactions has names or patterns, separated by commas, each in axes of the tail
 * or of a frame: "wheel_*, rod in ground". Reactions requested by the model file are
 * outputs, too. NULL or "" adds no reactions. */
SKIDPAD_API int32_t skidpad_load_reactions(const char *path, const char *tree, const char *reactions,
                                           skidpad_vehicle **vehicle, char *error, int64_t capacity);

/* Creates another vehicle of the same model and tree, as skidpad_load would, without reading
 * and formulating the model again. The copy must be released with skidpad_free, too. */
SKIDPAD_API int32_t skidpad_copy(skidpad_vehicle *vehicle, skidpad_vehicle **copy);

/* Releases the vehicle and everything it owns, the texts of its variables included.
 * SKIDPAD_BUSY leaves the vehicle alive. For a vehicle of a fleet the result is
 * SKIDPAD_ARGUMENT: skidpad_fleet_free releases it. */
SKIDPAD_API int32_t skidpad_free(skidpad_vehicle *vehicle);

/* The reason of the latest failed call on this vehicle; "" if no call failed.
 * The text belongs to the vehicle and is readable until the next call on the
 * vehicle. NULL if the handle is not a living vehicle, if the vehicle is busy,
 * or if the system has no memory for the text now. */
SKIDPAD_API const char *skidpad_last_error(skidpad_vehicle *vehicle);

/* Number of variables.
 *
 * The coefficients of the tire functions follow the variables of the model. Every number of
 * the parameter file of a built-in function is a coefficient <tire>.<NAME>, named by its key:
 * tire_FL.PKY1, tire_FL.LMUY. A coefficient of a relaxation function is called
 * <tire>.relaxation.<NAME> if the force function has the same name, too. Scale factors (L...)
 * are SKIDPAD_TUNABLE. Start values are the values of the file. The texts <tire>.model and
 * <tire>.file determine the coefficients: count, indices and texts describe the present
 * functions. A reference names the same coefficient for all vehicles of a model. Values that
 * were set stay when these texts change later, and are part of saved states; skidpad_reset
 * restores the values of the file.
 *
 * The peaks of the tires' force curves follow the coefficients. They cost nothing until skidpad_get
 * searches for them. Variables <tire>.mu_x_peak and .mu_y_peak are the largest longitudinal and
 * lateral force of pure slip, divided by the normal force. They hold on the side of the present
 * slip, at the present load, inclination, pressure, speed and friction. Variables <tire>.kappa_peak
 * [1] and .alpha_peak [rad] are the signed slips of these forces. Variables <tire>.kappa_peak_found
 * and .alpha_peak_found are 1, or 0 if the force is largest at the end of the slip range; the slip
 * is then this end. Variable <tire>.utilisation is sqrt((Fx/(mu_x_peak Fz))^2 + (Fy/(mu_y_peak
 * Fz))^2). All peaks are 0 in the air. Force functions have no peaks if they have internal states,
 * need the position of the wheel, or do not follow from slip; skidpad_get then rejects the
 * peaks. */
SKIDPAD_API int32_t skidpad_variable_count(skidpad_vehicle *vehicle, int64_t *count);

/* Describes variable number index, 0 <= index < count, in a fixed order. */
SKIDPAD_API int32_t skidpad_describe(skidpad_vehicle *vehicle, int64_t index, skidpad_variable *variable);

/* Finds the reference of the variable called name. */
SKIDPAD_API int32_t skidpad_find(skidpad_vehicle *vehicle, const char *name, uint32_t *reference);

/* Sets values[i] of variable references[i], 0 <= i < count, in the variables'
 * units. count is at most the number of variables; 0 is allowed, with or
 * without arrays. Values must be finite. The first rejected value ends the
 * call; the values before it have been set.
 *
 * An input keeps its value until it is set again, with two exceptions. A
 * prescribed motion (<driver>.angle, .rate, .acceleration) continues within a
 * step as angle + rate dt + acceleration dt^2/2. Inputs with rates from
 * skidpad_set_rates change linearly. */
SKIDPAD_API int32_t skidpad_set(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                                const double *values);

/* Lets inputs references[i] change linearly by rates[i] per second, until
 * skidpad_set sets them again. Use rates for ramps of forces and torques;
 * prescribed motions have rates as inputs. Arrays as in skidpad_set. */
SKIDPAD_API int32_t skidpad_set_rates(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                                      const double *rates);

/* Reads variable references[i] into values[i], 0 <= i < count. On failure the
 * contents of values are undefined. */
SKIDPAD_API int32_t skidpad_get(skidpad_vehicle *vehicle, const uint32_t *references, int64_t count,
                                double *values);

/* Writes derivatives at the present point: matrix[i*n_by + j] = d of[i] / d by[j], n_of*n_by numbers in the units of
 * the variables. Array of lists outputs and rates of states, such as "der(body.wz)". Array by lists states, inputs and
 * parameters; before initialisation, start values replace the states. The derivatives are exact and bit-identical to
 * fmi3GetDirectionalDerivative for a seed of 1. Two parts are central differences: library functions without
 * derivatives, and the parameters of the ground. At a kink (limits, min, max, abs) the derivative belongs to one side,
 * or is the mean of both. Internal states of tire functions count as constant. The vehicle does not change. The call
 * rejects derivatives of states, contacts, energies and peaks, and derivatives by outputs, rates and coefficients of
 * tires. On failure the contents of matrix are undefined. */
SKIDPAD_API int32_t skidpad_jacobian(skidpad_vehicle *vehicle, const uint32_t *of, int64_t n_of, const uint32_t *by,
                                     int64_t n_by, double *matrix);

/* The derivatives of a run are exact derivatives of the steps that are made, by euler, heun and rk4. They begin before
 * initialisation and end with skidpad_reset. Initialisation refuses them for other methods, for models with wheel
 * contacts or sampled controllers, for tire functions with states, and for ground that is not level. Start values that
 * skidpad_trim finds count as constant, and so do friction and height of the ground along the way. A run with
 * derivatives has the bits of a run without. skidpad_restore and coefficients of tires are refused during the run.
 *
 * Directions are carried along with the steps: count of them, 0 for none, before initialisation. */
SKIDPAD_API int32_t skidpad_set_directions(skidpad_vehicle *vehicle, int64_t count);

/* Sets the seeds of variables: values[i*directions + k] of references[i] along direction k, in the variables' units;
 * of parameters, start values and inputs before initialisation, of inputs before every step. Seeds of inputs are kept
 * as the values of inputs are; 0 is the value at first. */
SKIDPAD_API int32_t skidpad_set_tangents(skidpad_vehicle *vehicle, const uint32_t *references, int64_t n,
                                         const double *values);

/* Writes the derivatives of outputs, states and rates at the time reached: values[i*directions + k] of references[i]
 * along direction k. */
SKIDPAD_API int32_t skidpad_get_tangents(skidpad_vehicle *vehicle, const uint32_t *references, int64_t n,
                                         double *values);

/* Records the run from initialisation on, in at most about memory bytes, 0 for 64 MiB. Called before initialisation.
 * Stages that do not fit are made again on the way back, with the same bits. A step that needs more memory than that
 * even so is refused. */
SKIDPAD_API int32_t skidpad_record(skidpad_vehicle *vehicle, int64_t memory);

/* Adds weights to outputs, states and rates at the point reached on the way back over a recorded run. The first call
 * of this function or of skidpad_step_back stands at the end of the run. The vehicle stays there and cannot go on. */
SKIDPAD_API int32_t skidpad_add_adjoints(skidpad_vehicle *vehicle, const uint32_t *references, int64_t n,
                                         const double *values);

/* Goes back over one communication step. */
SKIDPAD_API int32_t skidpad_step_back(skidpad_vehicle *vehicle);

/* Writes the derivatives of the sum of all weighted values: by inputs, of the step last gone over alone; once the
 * beginning is reached, by parameters and start values, too, and by inputs with their effect on the start. */
SKIDPAD_API int32_t skidpad_get_adjoints(skidpad_vehicle *vehicle, const uint32_t *references, int64_t n,
                                         double *values);

/* Sets a text before initialisation:
 *
 *     solver.method   a method of docs/solvers.md, such as "rk4"
 *     solver.jacobian  matrix of the method linearly-implicit: "tangent" or "exact"
 *     solver.multipliers  of models with constraints: "step" or "stage", the point at which
 *                     dlmm and dlmm-euler take the constraint violations to correct
 *     solver.assemble  of models with constraints: "auto" changes a start that violates
 *                     them until they hold, "always" any start, "never" none
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
 *                     the values of these keys of the terrain in the model file; paths are relative
 *                     to the model file
 *
 * Initialisation opens functions and files. */
SKIDPAD_API int32_t skidpad_set_text(skidpad_vehicle *vehicle, const char *name, const char *value);

/* Reads a text into value, cut to capacity bytes and ended by NUL. Another text is readable while energy.record is
 * "true":
 *
 *     energy.ledger   a line for each component: its name, what it stored at initialisation and stores now, and the
 *                     work that it has supplied and dissipated since [J], with tabs between
 *
 * A third text is readable at any time; its lines have up to about 300 bytes:
 *
 *     solver.warnings the table of warnings: of the model file, of the start, and of quantities that left their limits
 *                     in the run, also if they have returned. Each row is a line with tabs between rule, component,
 *                     quantity, unit, low and high limit, count, first time [s], farthest value, its time [s], text
 *                     and remedy. The quantity is empty in a row without a watched quantity. Watched quantities are
 *                     part of saved states. Reading the table does not affect skidpad_warnings */
SKIDPAD_API int32_t skidpad_get_text(skidpad_vehicle *vehicle, const char *name, char *value, int64_t capacity);

/* Sets the time limit of a step [s]. skidpad_warnings reports each step over the limit, with the tires whose function
 * took most of the time. The limit 0, the default, means no limit: the library then reads no clock. A step over the
 * limit is not stopped, and its results are the same. The limit stays after skidpad_reset. FMUs read the environment
 * variable SKIDPAD_TIME_LIMIT at instantiation, and report to the logger of the importer. */
SKIDPAD_API int32_t skidpad_set_time_limit(skidpad_vehicle *vehicle, double seconds);

/* Reads the messages since the last call into text, one per line, cut to capacity bytes and ended by NUL. Messages
 * report warnings of parameter files, roads and tire functions, tires outside the range of their parameters, steps over
 * the time limit, and a condition of solver.end_at that has become true. Lines "warning: ..." report probable mistakes
 * in the model file or at the start. Lines "note: ..." report a vehicle that does not stand still with its solver. An
 * empty text means no messages. */
SKIDPAD_API int32_t skidpad_warnings(skidpad_vehicle *vehicle, char *text, int64_t capacity);

/* Replaces the start values by a steady motion, before initialisation. The speed
 * of travel and the inputs set so far are kept. All other start values change
 * until all accelerations vanish, except in the direction of travel. If no
 * steady motion is nearby, the start values do not change. */
SKIDPAD_API int32_t skidpad_trim(skidpad_vehicle *vehicle);

/* Ends the setting of parameters, computes the initial state, and sets the time to 0. */
SKIDPAD_API int32_t skidpad_initialise(skidpad_vehicle *vehicle);

/* Advances the vehicle by h seconds, h > 0 and finite, with the inputs set
 * last. The work is divided into equal solver steps no longer than the
 * parameter solver.step. Allocates no memory and takes no lock. A failed step
 * does not change the vehicle. */
SKIDPAD_API int32_t skidpad_step(skidpad_vehicle *vehicle, double h);

/* Makes steps of h seconds in one call. Before each step, the call sets the next n_in numbers of inputs. After the
 * step, it writes n_out variables to the next numbers of outputs. Results are bit-identical to skidpad_set,
 * skidpad_step and skidpad_get. If read is SKIDPAD_READ_AFTER_INPUTS, outputs are written before each step, after its
 * inputs were set. This saves an evaluation where inputs change in every step: reading and step share an evaluation.
 * The first rejected step ends the rollout, with the inputs of that step set; made, if not NULL, is the number of steps
 * before it. */
SKIDPAD_API int32_t skidpad_rollout(skidpad_vehicle *vehicle, int64_t steps, double h, const uint32_t *in,
                                    int64_t n_in, const double *inputs, const uint32_t *out, int64_t n_out,
                                    double *outputs, int32_t read, int64_t *made);

/* Advances count vehicles, each named once, by h seconds. Results are bit-identical to
 * skidpad_step. Copies of a vehicle (skidpad_copy) with the same solver and the same kinds of
 * tire functions share vector instructions. The call uses the given number of threads; 0 means
 * one thread per processor. Keep the same vehicles in the same order: a change of the order
 * rebuilds the groups. If statuses is not NULL, it receives the status of each vehicle. The
 * result is SKIDPAD_OK or the first other status. A vehicle whose step failed does not change.
 * The exception is SKIDPAD_INTERNAL: all vehicles then have this status. If a handle is not a
 * living vehicle, is busy, or waits for skidpad_reset after SKIDPAD_INTERNAL, no vehicle
 * steps. */
SKIDPAD_API int32_t skidpad_step_all(skidpad_vehicle *const *vehicles, int64_t count, double h, int32_t threads,
                                     int32_t *statuses);

/*
 * Fleets: vehicles of one model in arrays. Vehicles have indices from 0 on. A mask has a byte for each vehicle and
 * selects the vehicles with a byte other than 0; NULL selects all. References and values are as in skidpad_set and
 * skidpad_get. Array values has a row for each vehicle, selected or not. Argument row is the distance of rows in
 * numbers, so that columns of a larger array work; 0 sets all vehicles to the same values. The result of a call is
 * SKIDPAD_OK or the first other status. If statuses is not NULL, it receives the status of each vehicle.
 * skidpad_last_error returns the reason of a vehicle that fails; the others go on.
 */

/* Makes a fleet of count copies of a vehicle in its present state, 1 to 1048576. The fleet steps with the given number
 * of threads; 0 means one thread per processor. The fleet must be released with skidpad_fleet_free. */
SKIDPAD_API int32_t skidpad_fleet_make(skidpad_vehicle *like, int64_t count, int32_t threads, skidpad_fleet **fleet);

/* Releases a fleet and its vehicles. SKIDPAD_BUSY leaves the fleet alive. */
SKIDPAD_API int32_t skidpad_fleet_free(skidpad_fleet *fleet);

/* The vehicle at an index; NULL if the index is out of range. The vehicle belongs to the fleet and lives as long. */
SKIDPAD_API skidpad_vehicle *skidpad_fleet_vehicle(skidpad_fleet *fleet, int64_t index);

/* Sets count variables of the vehicles of a mask. */
SKIDPAD_API int32_t skidpad_fleet_set(skidpad_fleet *fleet, const uint8_t *mask, const uint32_t *references,
                                      int64_t count, const double *values, int64_t row);

/* Reads count variables of the vehicles of a mask; other rows do not change. */
SKIDPAD_API int32_t skidpad_fleet_get(skidpad_fleet *fleet, const uint8_t *mask, const uint32_t *references,
                                      int64_t count, double *values, int64_t row);

/* Initialises vehicles, after skidpad_trim if trim is not 0. */
SKIDPAD_API int32_t skidpad_fleet_initialise(skidpad_fleet *fleet, const uint8_t *mask, int32_t trim,
                                             int32_t *statuses);

/* Resets vehicles, see skidpad_reset. */
SKIDPAD_API int32_t skidpad_fleet_reset(skidpad_fleet *fleet, const uint8_t *mask);

/* Binds arrays with a row for each vehicle, without gaps. skidpad_fleet_step reads n_in inputs of each vehicle before
 * the step and writes n_out outputs after the step. The arrays must stay until other arrays are bound or the fleet is
 * freed; a count of 0 binds no array. */
SKIDPAD_API int32_t skidpad_fleet_bind(skidpad_fleet *fleet, const uint32_t *in, int64_t n_in, const double *inputs,
                                       const uint32_t *out, int64_t n_out, double *outputs);

/* Advances vehicles by h seconds; results are bit-identical to skidpad_step. */
SKIDPAD_API int32_t skidpad_fleet_step(skidpad_fleet *fleet, const uint8_t *mask, double h, int32_t *statuses);

/* Makes steps of h seconds in one call, with the bound variables but other arrays. Array inputs has a block for each
 * step: a row for each vehicle if by_vehicle is not 0, otherwise one row for all vehicles. Array outputs has a block
 * for each step, with a row for each vehicle: after the step or, if read is SKIDPAD_READ_AFTER_INPUTS, before the step,
 * after its inputs were set. A vehicle that fails stops there; its outputs are NaN from the failing step on. */
SKIDPAD_API int32_t skidpad_fleet_rollout(skidpad_fleet *fleet, int64_t steps, double h, const double *inputs,
                                          int32_t by_vehicle, double *outputs, int32_t read, int32_t *statuses);

/* Writes the states of the vehicles of a mask one after the other. Every state has size bytes, the skidpad_state_size
 * of each vehicle. */
SKIDPAD_API int32_t skidpad_fleet_save(skidpad_fleet *fleet, const uint8_t *mask, void *states, int64_t size);

/* Sets vehicle i to state number source[i] of states, from 0 on; a negative number leaves the vehicle unchanged. Every
 * state has size bytes. */
SKIDPAD_API int32_t skidpad_fleet_restore(skidpad_fleet *fleet, const void *states, int64_t size,
                                          const int64_t *source, int32_t *statuses);

/* The vehicle's time, s. */
SKIDPAD_API int32_t skidpad_time(skidpad_vehicle *vehicle, double *time);

/* Number of bytes that skidpad_save writes for this vehicle now. The size changes with
 * texts, at initialisation, and when a coefficient of a tire is set for the first time. */
SKIDPAD_API int32_t skidpad_state_size(skidpad_vehicle *vehicle, int64_t *size);

/* Writes the complete state - time, states, inputs, parameters - to buffer,
 * which holds capacity bytes; fewer than skidpad_state_size is an error. */
SKIDPAD_API int32_t skidpad_save(skidpad_vehicle *vehicle, void *buffer, int64_t capacity);

/* Restores a state saved from this vehicle or from another vehicle of the same model and
 * tree, with any texts; size is the number of saved bytes. States are not trusted:
 * SKIDPAD_REFUSED if a state names a library, unless skidpad_set_text has named the same
 * function in this process before. After SKIDPAD_INTERNAL the call revives the vehicle, as
 * skidpad_reset does. */
SKIDPAD_API int32_t skidpad_restore(skidpad_vehicle *vehicle, const void *buffer, int64_t size);

/* Writes the files of the vehicle to buffer, as a ZIP archive. The model file comes first, then its base models and the
 * files of tires, terrains and curves, including files named by present texts. All files are unchanged and keep their
 * relative paths. Another process, on any machine, can unpack the archive, load the model from there and restore a
 * saved state. Texts with absolute paths and libraries are not moved. *size becomes the number of bytes of the archive;
 * nothing is written if capacity is less. SKIDPAD_REFUSED: files have changed since the vehicle was loaded. */
SKIDPAD_API int32_t skidpad_model_files(skidpad_vehicle *vehicle, void *buffer, int64_t capacity, int64_t *size);

/* Returns the vehicle to the moment after skidpad_load: start values, time 0, not
 * initialised. After SKIDPAD_INTERNAL the call recreates the vehicle under the same handle:
 * nothing of the old state survives, and a run from here is bit-identical to a first run.
 * If this fails, the reason says so, and the vehicle can only be freed. */
SKIDPAD_API int32_t skidpad_reset(skidpad_vehicle *vehicle);

/*
 * Tires of Skidpad for other programs: routines of the Standard Tyre Interface
 * (STI, TYDEX, release 1.4). Arguments and their order follow the standard.
 *
 *     skidpad_dtyre_   for gfortran: all arguments by reference, the lengths of the
 *                      texts by value at the end
 *     SKIDPAD_DTYRE    the same under the name that Intel Fortran on Windows requires
 *     skidpad_dtyre    for C in the style of Adams: the length of each text, by reference,
 *                      directly behind the text; the road routine requires a disc
 *
 * CHTDST names a tire property file (.tir), or a TOML file that is described in
 * docs/tires.md. JOBFLG 1 returns the sizes of the arrays, 2 reads the file, 0 and 5
 * evaluate, 3 reads the file again, 4 does nothing, 99 releases the tire. Jobs 1, 2 and 3
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
