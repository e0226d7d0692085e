/* shim.h - what fmi2.c and fmi3.c share: instances, the core, messages. */
#ifndef SKIDPAD_SHIM_H
#define SKIDPAD_SHIM_H

#include <signal.h>

#include "core.h"
#include "handles.h"

enum { OK, WARNING, DISCARD, ERROR, FATAL };

/* Delivers one message to the importer, in whose language it is already. */
typedef void deliver(instance *, int32_t status, const char *category, const char *text);

/* What the importer answers to an intermediate update. */
typedef struct {
    int32_t early_return; /* the step shall end early */
    double until;         /* at this time or before */
} skidpad_update;
typedef void update(instance *, skidpad_update *);

/* One instance of the importer's. */
struct instance {
    skidpad_window *window;
    slot *slot;       /* of its handle */
    deliver *deliver; /* NULL without logger */
    int formats;      /* the logger takes texts for formats, as in FMI 2.0 */
    update *update;   /* NULL without intermediate updates */
    void *environment;
    void (*logger)(void); /* of the importer */
    void (*updater)(void); /* of the importer: intermediate update of FMI 3.0 */
    int early_return;
    const char *name; /* what the logger of FMI 2.0 is given, else NULL */
};

/* The core, loaded now if it is not; NULL with the reason in error. */
const skidpad_core *core_load(char *error, size_t capacity);

/* The core once it is loaded. */
extern const skidpad_core *core;

/* Makes an instance of the core and a copy of given for it, and returns its handle. If that fails, or a problem is
 * known already, NULL: then the reason is delivered, unless silent. */
void *instance_start(const instance *given, const skidpad_settings *, const char *problem, int silent);
extern const char no_memory[];
/* Ends the instance of a handle, if it has one. */
void instance_end(void *handle);

/* Begins a call: the instance of a handle, NULL if it has none, if another call is
 * under way on it, or in a child process. End it with leave. */
instance *enter(void *handle);
/* Ends a call, delivers its messages and passes on its status. */
int32_t leave(instance *, int32_t status);
/* Refuses a call with a missing argument. */
int32_t refuse_null(skidpad_window *, const char *function);
/* Delivers a message to the importer, if it has a logger. Every text goes this way. */
void say(instance *, int32_t status, const char *category, const char *text);
/* Makes a step. While the core pauses, signals of the host are handled and its callback for intermediate updates runs,
 * called from C with no Go below it. */
int32_t instance_step(instance *, double time, double h);

/* What Go code needs of the thread it runs on: the floating-point environment that
 * results are defined in, no cancellation, and no signal handler of the host on its small stacks. Those
 * of faults stay as they are. */
typedef struct {
    step_thread thread;
#if !defined(_WIN32)
    sigset_t signals;
#endif
} calm;
void calm_begin(calm *);
void calm_end(const calm *);

/* The bodies of the functions of the standard, which return STATUS; i is the instance, w
 * its window. A call is fast if that can be done without the core. */
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

/* The same, with a refusal if a pointer is missing. */
#define CALL_WITH(present, expression) CALL((present) ? (expression) : refuse_null(w, __func__))

/* The functions of the core that write the handle of a saved state. */
int32_t get_state(skidpad_window *, void **state);
int32_t free_state(skidpad_window *, void **state);
int32_t read_state(skidpad_window *, const uint8_t *bytes, size_t size, void **state);

/* States, rates and indicators: 1 if they are read without the core. */
int fast_read(instance *, int32_t what, double *x, size_t n);

#endif
