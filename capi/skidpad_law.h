/*
 * skidpad_law.h - the interface of laws that Skidpad loads at run time: controllers,
 * drivers and actuators in place of formulas.
 *
 * A component of type equations with a function has inputs, states and outputs in the
 * model file. The law computes the outputs and the rates of the states:
 *
 *     [component.cruise]
 *     type = "equations"
 *     function = "plugin:LIBRARY#SYMBOL"
 *     inputs = [{ name = "speed", unit = "m/s", from = "@chassis.vx" }]
 *     states = [{ name = "z", unit = "m" }]
 *     outputs = [{ name = "throttle", unit = "1", to = ["@throttle"] }]
 *
 * SYMBOL is a function of type skidpad_law_entry. A law in the host program is registered
 * by skidpad_register_law of skidpad.h; its function is then NAME. At load time
 *
 *     cruise.model = plugin:LIBRARY#SYMBOL, or NAME
 *     cruise.file = parameter file
 *
 * replace the law. A model file alone cannot run code: the host or the user must set
 * cruise.model, also for the library that the model file names.
 *
 * A law requests inputs and states of the component by their names, in any order. It
 * returns all outputs in the order of the model file, then the rates of the states in the
 * order of the model file. A rate is called NAME_dot: here throttle, z_dot. Quantities are
 * SI, in the units of the model file. Results must be finite and depend on the inputs
 * alone: a solver calls a law several times per step, and goes back if a step fails. What a
 * law must remember is a state of the component.
 *
 * Threads and failures: as for tire functions, see skidpad_tire.h; the structures have the same layout.
 */
#ifndef SKIDPAD_LAW_H
#define SKIDPAD_LAW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. No version of skidpad_tire.h has the same number. */
#define SKIDPAD_LAW_ABI 1001

typedef struct {
    uint32_t abi;  /* SKIDPAD_LAW_ABI */
    uint32_t size; /* sizeof(skidpad_law) */

    const char *name; /* name for registration; an identifier */
    const char *text; /* one line of description, may be NULL */

    const char *const *inputs; /* names of the requested inputs */
    uint32_t input_count;      /* 1 to 64 */
    uint32_t none;             /* 0 */

    /* Makes an instance for one component. file is the path of the parameter file that
     * <component>.file names, or NULL. Pointer unused points to no memory. The instance goes to
     * *instance. On failure a message of at most capacity bytes, the ending NUL included, goes
     * to error. */
    int32_t (*init)(const char *component, const char *file, double *unused, void **instance, char *error,
                    size_t capacity);

    /* Evaluates n components at once: instance k has the inputs inputs[k * input_count ...];
     * its results go to outputs[k * output_count ...]. Returns 0, or another number on
     * failure. Pointers unused and unused_too point to no memory. */
    int32_t (*evaluate)(size_t n, void *const *instances, const double *inputs, const double *unused,
                        double *outputs, double *unused_too);

    /* Derivatives of the results by the inputs, for one component: d outputs[i] / d inputs[j]
     * goes to derivatives[i * input_count + j]. NULL if the law has no derivatives; Skidpad
     * then takes differences. */
    int32_t (*jacobian)(void *instance, const double *inputs, const double *unused, double *derivatives);

    /* Returns why the latest call with this instance failed; may be NULL, may return NULL. */
    const char *(*error)(void *instance);

    /* Releases an instance; may be NULL. */
    void (*free)(void *instance);

    const char *const *outputs; /* names of the results */
    uint32_t output_count;      /* 1 to 64 */
} skidpad_law;

/* The function that a library exports. Argument abi is the interface version of the program
 * that loads the library. Returns a constant structure, or NULL if the library does not serve
 * this version. */
typedef const skidpad_law *skidpad_law_entry(uint32_t abi);

#if defined(_WIN32)
#define SKIDPAD_LAW_EXPORT __declspec(dllexport)
#else
#define SKIDPAD_LAW_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
}
#endif

#endif
