/* shim.h - common code of fmi2.c and fmi3.c: instances, the core, messages. */
#ifndef SKIDPAD_SHIM_H
#define SKIDPAD_SHIM_H

#include <signal.h>

#include "core.h"
#include "handles.h"

enum { OK, WARNING, DISCARD, ERROR, FATAL };

/* Delivers a message to the importer, in the form of its FMI version. */
typedef void deliver(instance *, int32_t status, const char *category, const char *text);

/* The importer's answer to an intermediate update. */
typedef struct {
    int32_t early_return; /* the step shall end early */
    double until;         /* at this time or before */
} skidpad_update;
typedef void update(instance *, skidpad_update *);

/* An instance of the importer. */
struct instance {
    skidpad_window *window;
    slot *slot;       /* of its handle */
    deliver *deliver; /* NULL without logger */
    int formats;      /* the logger interprets texts as formats, as in FMI 2.0 */
    update *update;   /* NULL without intermediate updates */
    void *environment;
    void (*logger)(void); /* of the importer */
    void (*updater)(void); /* of the importer: intermediate update of FMI 3.0 */
    int early_return;
    const char *name; /* argument of the logger of FMI 2.0, else NULL */
};

/* The core, loaded if necessary; NULL with the reason in error. */
const skidpad_core *core_load(char *error, size_t capacity);

/* The core once it is loaded. */
extern const skidpad_core *core;

/* Creates an instance of the core and a copy of given for it, and returns its handle. NULL on failure, or if problem is
 * not NULL; the reason is then delivered, unless silent. */
void *instance_start(const instance *given, const skidpad_settings *, const char *problem, int silent);
extern const char no_memory[];
/* Ends the instance of a handle, if it has one. */
void instance_end(void *handle);

/* Begins a call and returns the instance of a handle. NULL if there is no such
 * instance, if another call is under way, or in a child process. End it with
 * leave. */
instance *enter(void *handle);
/* Ends a call, delivers its messages and passes on its status. */
int32_t leave(instance *, int32_t status);
/* Refuses a call with a missing argument. */
int32_t refuse_null(skidpad_window *, const char *function);
/* Delivers a message to the importer, if it has a logger. All messages pass through this function. */
void say(instance *, int32_t status, const char *category, const char *text);
/* Makes a step. While the core pauses, signals of the host are handled. Then the host's callback for intermediate
 * updates runs, called from C without Go on the stack. */
int32_t instance_step(instance *, double time, double h);

/* The thread settings that Go code needs: the floating-point environment in which results are defined, no cancellation,
 * and no signal handler of the host on Go's small stacks. Handlers of faults do not change. */
typedef struct {
    step_thread thread;
#if !defined(_WIN32)
    sigset_t signals;
#endif
} calm;
void calm_begin(calm *);
void calm_end(const calm *);

/* The bodies of the functions of the standard, which return STATUS; i is the instance, w
 * its window. A call is fast if it needs no core. */
#define CALL_OR(fast, expression)           \
    do {                                    \
        instance *i = enter(c);             \
        if (i == NULL)                      \
            return (STATUS)ERROR;           \
        if (fast)                           \
            return (STATUS)leave(i, OK);    \
        skidpad_window *w = i->window;      \
        calm before;                        \
        calm_begin(&before);                \
        int32_t status = (expression);      \
        calm_end(&before);                  \
        return (STATUS)leave(i, status);    \
    } while (0)
#define CALL(expression) CALL_OR(0, expression)

/* CALL, with an error if a pointer is missing. */
#define CALL_WITH(present, expression) CALL((present) ? (expression) : refuse_null(w, __func__))

/* The functions of the core that write the handle of a saved state. */
int32_t get_state(skidpad_window *, void **state);
int32_t free_state(skidpad_window *, void **state);
int32_t read_state(skidpad_window *, const uint8_t *bytes, size_t size, void **state);

/* States, rates and indicators: 1 if they are read without the core. */
int fast_read(instance *, int32_t what, double *x, size_t n);

#endif
