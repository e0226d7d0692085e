/* window.h - numbers of an instance in C memory, and the calls that need no Go.
 *
 * C reads, writes and steps while the core permits. Otherwise the call changes nothing and goes to the core. */
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

/* One instance, or a vehicle of the library. The core makes and frees it. The core writes the fields, unless a comment
 * says otherwise. */
typedef struct {
    double *values; /* by value reference; Booleans as 0 and 1 */
    uint32_t count; /* of numbers, which come before the texts */
    uint32_t inputs_from, inputs_to;
    const uint8_t *nonnegative; /* by input: whether it must not be below 0 */
    uint32_t read_from;         /* variables before this one are not in values */
    uint32_t unread_from, unread_to; /* the core reads these: Booleans, and energies, which values lacks */
    const uint32_t *states; /* references of the continuous states */
    uint32_t state_count;
    uint32_t derivatives_from;
    uint32_t indicators_from, indicator_count;

    int32_t readable; /* all values are current and may be read */
    int32_t writable; /* inputs may be written */
    int32_t keeps;    /* outputs do not follow inputs at once */

    int32_t inputs_written; /* by the shim, since the last call */
    uint8_t *written;       /* by input: whether the shim has written it */

    const skidpad_message *messages; /* of the latest call */
    size_t message_count;

    /* result of step and resume */
    double reached;
    int32_t event_needed, returned_early;
    /* result of SKIDPAD_UPDATE_DISCRETE_STATES: whether samples come, and the time of the next one */
    int32_t event_defined;
    double next_event;
    int32_t pause;      /* why the step is not complete: resume continues */
    int32_t set_wanted; /* inputs may be set in an intermediate update */
    uintptr_t id;       /* of the core */

    skidpad_plan *plan; /* of steps that the shim makes itself; NULL if the core makes every step */
} skidpad_window;

/* The evaluation that a read of these variables from the plan requires; STEP_BY_GO if only the core can read them. The
 * result holds until the next call of the core. */
int window_needs(const skidpad_window *, const uint32_t *references, size_t n);

/* The calls return 1 if they are done, 0 if nothing was done. */
int window_read(skidpad_window *, const uint32_t *references, size_t n, int needed, double *values);
int window_get(skidpad_window *, const uint32_t *references, size_t n, double *values);
int window_set(skidpad_window *, const uint32_t *references, size_t n, const double *values);
int window_step(skidpad_window *, double time, double h);

#endif
