/* window.h - numbers of an instance in C memory, and the calls that need no Go.
 *
 * Reads, writes and steps are done here while the core says that they may be. Where one cannot, nothing is done, and
 * the core is asked. */
#ifndef SKIDPAD_WINDOW_H
#define SKIDPAD_WINDOW_H

#include "step.h"

typedef struct {
    int32_t status;
    const char *category;
    const char *text;
} skidpad_message;

/* Why a step pauses. */
enum {
    SKIDPAD_NO_PAUSE,
    SKIDPAD_PAUSE_FOR_UPDATE,  /* an intermediate update at time reached */
    SKIDPAD_PAUSE_FOR_SIGNALS, /* signals of the host, which wait while the core runs */
};

/* One instance, or a vehicle of the library. The core makes and frees it. Fields are written by the core, where not
 * said otherwise. */
typedef struct {
    double *values; /* by value reference; Booleans as 0 and 1 */
    uint32_t count; /* of numbers, which come before the texts */
    uint32_t inputs_from, inputs_to;
    const uint8_t *nonnegative; /* by input: whether it must not be below 0 */
    uint32_t read_from;         /* those before are not in values */
    uint32_t unread_from, unread_to; /* the core is asked for these: Booleans, and energies, which values lacks */
    const uint32_t *states; /* references of the continuous states */
    uint32_t state_count;
    uint32_t derivatives_from;
    uint32_t indicators_from, indicator_count;

    int32_t readable; /* all values are current and may be read */
    int32_t writable; /* inputs may be written */
    int32_t keeps;    /* outputs do not follow inputs at once */

    int32_t inputs_written; /* by the shim, since the last call */
    uint8_t *written;       /* by input: whether it is one of them */

    const skidpad_message *messages; /* of the latest call */
    size_t message_count;

    /* result of step and resume */
    double reached;
    int32_t event_needed, returned_early;
    int32_t pause;      /* why the step is not done yet: resume goes on */
    int32_t set_wanted; /* inputs may be set in an intermediate update */
    uintptr_t id;       /* of the core */

    skidpad_plan *plan; /* of steps that the shim makes itself; NULL if the core makes every step */
} skidpad_window;

/* What has to be evaluated before these variables are read where the plan leaves them; STEP_BY_GO where the core has to
 * be asked. It stays the same until the core is called. */
int window_needs(const skidpad_window *, const uint32_t *references, size_t n);

/* 1 if it is done, 0 if nothing was done. */
int window_read(skidpad_window *, const uint32_t *references, size_t n, int needed, double *values);
int window_get(skidpad_window *, const uint32_t *references, size_t n, double *values);
int window_set(skidpad_window *, const uint32_t *references, size_t n, const double *values);
int window_step(skidpad_window *, double time, double h);

#endif
