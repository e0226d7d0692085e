/*
 * skidpad_controller.h - the interface of digital controllers that Skidpad loads at run
 * time: the software of a control unit, called at samples.
 *
 * A component of type controller has a sample time, inputs, states and outputs in the model
 * file. The function computes the outputs and the next values of the states:
 *
 *     [component.cruise]
 *     type = "controller"
 *     sample = "20 ms"
 *     inputs = [{ name = "speed", unit = "m/s", from = "@chassis.vx" }]
 *     states = [{ name = "z", unit = "m" }]
 *     outputs = [{ name = "throttle", unit = "1", to = ["@throttle"] }]
 *
 * SYMBOL is a function of type skidpad_controller_entry. A controller in the host program is
 * registered by skidpad_register_controller of skidpad.h; its function is then NAME. At load
 * time
 *
 *     cruise.function = plugin:LIBRARY#SYMBOL, or NAME
 *     cruise.file = parameter file
 *
 * select the controller. A model file names no library: the host or the user does.
 *
 * A controller requests inputs and states of the component by their names, in any order, and
 * "sample", the time between samples [s]. It returns all outputs in the order of the model
 * file, then the next values of the states in the order of the model file. A next value is
 * called NAME_next: here throttle, z_next. Quantities are SI, in the units of the model file.
 *
 * Each component is evaluated once at each sample, after the inputs for this time have been
 * set. Results are held until the next sample; they must be finite and depend on the
 * requested inputs and the parameter file alone. What a controller must remember is a state
 * of the component: the vehicle saves and restores it, and goes back if a step fails.
 *
 * Threads and failures: as for tire functions, see skidpad_tire.h; the structures have the same layout.
 */
#ifndef SKIDPAD_CONTROLLER_H
#define SKIDPAD_CONTROLLER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. No version of skidpad_tire.h and skidpad_law.h has the same number. */
#define SKIDPAD_CONTROLLER_ABI 2001

typedef struct {
    uint32_t abi;  /* SKIDPAD_CONTROLLER_ABI */
    uint32_t size; /* sizeof(skidpad_controller) */

    const char *name; /* name for registration; an identifier */
    const char *text; /* one line of description, may be NULL */

    const char *const *inputs; /* names of the requested inputs, each once */
    uint32_t input_count;      /* 1 to 64 */
    uint32_t none;             /* 0 */

    /* Makes an instance for one component. file is the path of the parameter file that
     * <component>.file names, or NULL. Pointer unused points to no memory. The instance goes to
     * *instance. On failure a message of at most capacity bytes, the ending NUL included, goes
     * to error. */
    int32_t (*init)(const char *component, const char *file, double *unused, void **instance, char *error,
                    size_t capacity);

    /* Takes a sample of n components at once: instance k has the inputs
     * inputs[k * input_count ...]; its results go to outputs[k * output_count ...]. Returns 0,
     * or another number on failure. Pointers unused and unused_too point to no memory. */
    int32_t (*evaluate)(size_t n, void *const *instances, const double *inputs, const double *unused,
                        double *outputs, double *unused_too);

    void (*nothing)(void); /* NULL */

    /* Returns why the latest call with this instance failed; may be NULL, may return NULL. */
    const char *(*error)(void *instance);

    /* Releases an instance; may be NULL. */
    void (*free)(void *instance);

    const char *const *outputs; /* names of the results, each once */
    uint32_t output_count;      /* 1 to 64 */
} skidpad_controller;

/* The function that a library exports. Argument abi is the interface version of the program
 * that loads the library. Returns a constant structure, or NULL if the library does not serve
 * this version. */
typedef const skidpad_controller *skidpad_controller_entry(uint32_t abi);

#if defined(_WIN32)
#define SKIDPAD_CONTROLLER_EXPORT __declspec(dllexport)
#else
#define SKIDPAD_CONTROLLER_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
}
#endif

#endif
