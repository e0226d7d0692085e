/* shim.h - what fmi2.c and fmi3.c share: instances, the core, messages. */
#ifndef SKIDPAD_SHIM_H
#define SKIDPAD_SHIM_H

#include <signal.h>
#include <stdatomic.h>

#include "../core.h"

enum { OK, WARNING, DISCARD, ERROR, FATAL };

/* Delivers one message to the importer. */
typedef struct instance instance;
typedef void deliver(instance *, int32_t status, const char *category, const char *text);

/* One instance of the importer's. Handles that importers see are addresses of slots
 * that hold pointers to these; a slot is never used twice, so that a handle which was
 * freed stays known as such. */
struct instance {
    skidpad_window *window;
    atomic_int busy;
    deliver *deliver; /* NULL without logger */
    void *environment;
    void (*logger)(void); /* of the importer */
    void (*update)(void); /* intermediate update of FMI 3.0 */
    int early_return;
    char *name;
};

/* The core, loaded now if it is not; NULL with the reason in error. */
const skidpad_core *core_load(char *error, size_t capacity);

/* The core once it is loaded. */
extern const skidpad_core *core;

/* Makes an instance of the core for i and returns its handle. If that fails, or a problem
 * is known already, NULL: then the reason is delivered, unless silent, and i is freed. */
void *instance_start(instance *, const skidpad_settings *, const char *problem, int silent);
/* Ends the instance of a handle, if it has one. */
void instance_end(void *handle);

/* Begins a call: the instance of a handle, NULL if it has none, if another call is
 * under way on it, or in a child process. End it with leave. */
instance *enter(void *handle);
/* Ends a call, delivers its messages and passes on its status. */
int32_t leave(instance *, int32_t status);
/* Refuses a call with a missing argument. */
int32_t refuse_null(skidpad_window *, const char *function);
/* Lets the importer call back in, and ends that. */
void open_for_callback(instance *);
void close_after_callback(instance *);
/* Delivers the messages of the latest call. */
void flush(instance *);

/* What Go code needs of the thread it runs on: the floating-point environment that
 * results are defined in, and no signal handler of the host on its small stacks. Those
 * of faults stay as they are. */
typedef struct {
    unsigned float_old;
    int float_changed;
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

/* Fast paths: 1 if done without the core. */
int fast_get(instance *, const uint32_t *references, size_t n, double *values);
int fast_set(instance *, const uint32_t *references, size_t n, const double *values);
int fast_read(instance *, int32_t what, double *x, size_t n);

#endif
