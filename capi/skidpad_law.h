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
 * exchange the law. A model file cannot make code run by itself: also for the library that
 * it names, the host or the user sets cruise.model.
 *
 * A law asks for any of the inputs and states of the component, by their names, in the
 * order it likes. It returns all outputs in the order of the model file, then, for each
 * state in the order of the model file, its rate, called NAME_dot: here throttle, z_dot.
 * Quantities are SI, in the units of the model file. Results must be finite, and depend on
 * the inputs alone: a solver calls a law several times for one step, and steps back where
 * a step fails. What a law has to remember is a state of the component.
 *
 * Threads, failures: as for tire functions, see skidpad_tire.h, whose shape this is.
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

    const char *name; /* under which it is registered; an identifier */
    const char *text; /* one line of description, may be NULL */

    const char *const *inputs; /* names of what it asks for */
    uint32_t input_count;      /* 1 to 64 */
    uint32_t none;             /* 0 */

    /* Makes an instance for one component. file is the path of the parameter file that
     * <component>.file names, or NULL. unused is no memory. The instance goes to *instance.
     * On failure a message of at most capacity bytes, the ending NUL included, goes to error. */
    int32_t (*init)(const char *component, const char *file, double *unused, void **instance, char *error,
                    size_t capacity);

    /* Evaluates n components at once: instance k has the inputs inputs[k * input_count ...];
     * its results go to outputs[k * output_count ...]. Returns 0, or another number where it
     * failed. unused and unused_too are no memory. */
    int32_t (*evaluate)(size_t n, void *const *instances, const double *inputs, const double *unused,
                        double *outputs, double *unused_too);

    /* Derivatives of the results by the inputs, for one component: d outputs[i] / d inputs[j]
     * goes to derivatives[i * input_count + j]. NULL if there is none; differences are taken
     * then. */
    int32_t (*jacobian)(void *instance, const double *inputs, const double *unused, double *derivatives);

    /* Why the latest call with this instance failed; may be NULL, may return NULL. */
    const char *(*error)(void *instance);

    /* Releases an instance; may be NULL. */
    void (*free)(void *instance);

    const char *const *outputs; /* names of the results */
    uint32_t output_count;      /* 1 to 64 */
} skidpad_law;

/* What a library exports. abi is the version of the program that loads it. Returns a structure
 * that stays as it is, or NULL if that version is not served. */
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
