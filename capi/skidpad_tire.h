/*
 * skidpad_tire.h - the interface of tire functions that Skidpad loads at run time.
 *
 * A force function maps the motion of a wheel relative to the road to the forces and
 * moments of the road on the tire. A relaxation function maps this motion to the rates of
 * the delayed slips of the tire. A shared library can export both kinds,
 *
 *     tire_FL.model = plugin:LIBRARY#SYMBOL
 *     tire_FL.relaxation.model = plugin:LIBRARY#SYMBOL
 *
 * where SYMBOL is a function of type skidpad_tire_entry. The host program can define
 * functions, too: it registers each with skidpad_register_tire of skidpad.h and sets
 *
 *     tire_FL.model = NAME
 *     tire_FL.relaxation.model = NAME
 *
 * Quantities are SI, in ISO tire axes: x in the heading of the wheel, y to the left, z
 * along the road's normal. A function requests any of these inputs, in any order:
 *
 *     Fz     N      normal force, 0 in the air
 *     S      1      longitudinal slip, above 0 spins faster than free rolling
 *     alpha  rad    slip angle, above 0 moves to the left
 *     Omega  rad/s  spin, above 0 rolls forward
 *     gamma  rad    inclination, above 0 leans to the right
 *     Reff   m      effective rolling radius
 *     Rl     m      loaded radius
 *     VCx VCy       m/s  velocity of the wheel's centre
 *     VPx VPy       m/s  velocity of the contact point
 *     VEx           m/s  slip velocity on the effective radius
 *     VPxs VExs     m/s  VPx and VEx without the spin
 *     wn wx         rad/s  angular velocity of the wheel about the road's normal and about x
 *     sinking       m/s  velocity of the wheel's centre towards the road
 *     Rs depth      m    the contact point lies Rs to the left of the wheel's centre, depth below
 *     q1 q2  1      delayed slips, of tires with slip.method = "delayed"
 *     q3     rad/m  delayed turn slip, of tires that have it: slip.states = 3
 *     mu     1      friction of the road relative to nominal
 *     direction     1  of travel: 1 forward, -1 in reverse, smooth below 0.1 m/s
 *
 * Results of a force function are, in this order, Fx, Fy [N] and Mx, My, Mz [N m] at the
 * contact point. They must be finite. A function should return no force where Fz is 0.
 *
 * Member outputs lists the results of a relaxation function, in this order:
 *
 *     q1dot q2dot    1/s         rates of the delayed slips, always
 *     q3dot          rad/(m s)   rate of the delayed turn slip, if and only if the tire has q3
 *     sigma1 sigma2  m           relaxation lengths along and across the heading; optional
 *
 * Steady slip is q1 = -VEx/|VExs|, the longitudinal slip, q2 = VPy/|VPxs|, the tangent of
 * the slip angle, and q3 = -wn/|VPxs|. A string of length sigma has
 *
 *     q1dot = (-VEx - |VExs| q1)/sigma1,  q2dot = (VPy - |VPxs| q2)/sigma2.
 *
 * The states q1, q2, q3 belong to the tire. A relaxation function has no internal states:
 * state_count is 0. Results must be finite, also where Fz is 0 and the wheel is in the air.
 * With slip.method = "carcass" the tire uses only the lengths and q3dot. The function must
 * then return sigma1 and sigma2 above 0. They must not depend on S, alpha, q1, q2: these
 * inputs are 0 there.
 *
 * Threads. The thread that steps the vehicle calls the functions. Different vehicles may
 * step at the same time; one thread at a time uses an instance. The functions must not call
 * Skidpad, and must not block: a step waits for them.
 *
 * A function returns 0, or another number on failure. The step then ends with an error that
 * names the tire, and the vehicle does not change.
 */
#ifndef SKIDPAD_TIRE_H
#define SKIDPAD_TIRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. */
#define SKIDPAD_TIRE_ABI 1

/* Number of results of a force function: Fx, Fy, Mx, My, Mz. */
#define SKIDPAD_TIRE_OUTPUTS 5

typedef struct {
    uint32_t abi;  /* SKIDPAD_TIRE_ABI */
    uint32_t size; /* sizeof(skidpad_tire) */

    const char *name; /* name for registration; an identifier */
    const char *text; /* one line of description, may be NULL */

    const char *const *inputs; /* names of the requested inputs */
    uint32_t input_count;      /* 1 to 64 */
    uint32_t state_count;      /* internal states, 0 to 64; co-simulation integrates them */

    /* Makes an instance for one tire. tire is the name of the component. file is the
     * path of the parameter file that tire_XX.file names, or NULL. The start values of
     * the states are written to states. The instance goes to *instance. On failure a
     * message of at most capacity bytes, the ending NUL included, goes to error. */
    int32_t (*init)(const char *tire, const char *file, double *states, void **instance, char *error, size_t capacity);

    /* Evaluates n tires at once: instance k has the inputs inputs[k * input_count ...] and
     * the states states[k * state_count ...]. Results of a force function go to outputs[k *
     * SKIDPAD_TIRE_OUTPUTS ...], results of a relaxation function to outputs[k *
     * output_count ...], rates of states to rates[k * state_count ...]. Results must depend
     * on inputs and states alone: a solver calls the function several times per step. */
    int32_t (*evaluate)(size_t n, void *const *instances, const double *inputs, const double *states, double *outputs,
                        double *rates);

    /* Derivatives of the outputs by the inputs at constant states, for one tire: d
     * outputs[i] / d inputs[j] goes to derivatives[i * input_count + j]. NULL if the
     * function has no derivatives; Skidpad then takes differences. */
    int32_t (*jacobian)(void *instance, const double *inputs, const double *states, double *derivatives);

    /* Returns why the latest call with this instance failed; may be NULL, may return NULL.
     * Skidpad reads the text before the next call. If an evaluation of several tires fails,
     * the error names the tires that have a text, or all tires if none has a text. */
    const char *(*error)(void *instance);

    /* Releases an instance; may be NULL. */
    void (*free)(void *instance);

    /* Names of the results of a relaxation function, q1dot, q2dot, then others as above. NULL and 0 for a force
     * function. A structure whose size ends before these members describes a force function. */
    const char *const *outputs;
    uint32_t output_count; /* 2 to 5 */
} skidpad_tire;

/* The function that a library exports. Argument abi is the interface version of the program
 * that loads the library. Returns a constant structure, or NULL if the library does not serve
 * this version. */
typedef const skidpad_tire *skidpad_tire_entry(uint32_t abi);

#if defined(_WIN32)
#define SKIDPAD_TIRE_EXPORT __declspec(dllexport)
#else
#define SKIDPAD_TIRE_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
}
#endif

#endif
