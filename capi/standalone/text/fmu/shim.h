/* shim.h - what fmi2.c or fmi3.c needs of an instance: messages, and who may call. */
#ifndef SKIDPAD_SHIM_H
#define SKIDPAD_SHIM_H

#include "core.h"

/* Several FMUs may be linked into one program. */
#define core (&vehicle_core)
#define enter vehicle_enter
#define instance_end vehicle_instance_end
#define instance_start vehicle_instance_start
#define instance_step vehicle_instance_step
#define leave vehicle_leave
#define no_memory vehicle_no_memory
#define refuse_null vehicle_refuse_null
#define say vehicle_say
#define free_state vehicle_free_state_of
#define get_state vehicle_get_state_of
#define read_state vehicle_read_state_of

enum { OK, WARNING, DISCARD, ERROR, FATAL };

typedef struct instance instance;
typedef void deliver(instance *, int32_t status, const char *category, const char *text);
typedef struct {
    int32_t early_return;
    double until;
} skidpad_update;
typedef void update(instance *, skidpad_update *);

/* The part of an instance that the functions of the standard know. */
struct instance {
    skidpad_window *window;
    deliver *deliver; /* NULL without logger */
    int formats;      /* the logger takes texts for formats, as in FMI 2.0 */
    update *update;   /* never called: there are no intermediate updates */
    void *environment;
    void (*logger)(void); /* of the importer */
    void (*updater)(void);
    int early_return;
    int inside;       /* a call is under way */
    const char *name; /* what the logger of FMI 2.0 is given, else NULL */
};

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(hidden)
#endif

extern const skidpad_core vehicle_core;
extern const char no_memory[];

/* A handle is the address of its instance. Calls with NULL, and within a call on the same instance, are refused; a
 * handle that was freed is the caller's mistake, as memory that was freed is. */
void *instance_start(const instance *given, const skidpad_settings *, const char *problem, int silent);
void instance_end(void *handle);
instance *enter(void *handle);
int32_t leave(instance *, int32_t status);
int32_t refuse_null(skidpad_window *, const char *function);
void say(instance *, int32_t status, const char *category, const char *text);
int32_t instance_step(instance *, double time, double h);
int32_t get_state(skidpad_window *, void **state);
int32_t free_state(skidpad_window *, void **state);
int32_t read_state(skidpad_window *, const uint8_t *bytes, size_t size, void **state);

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

/* The bodies of the functions of the standard, which return STATUS; i is the instance, w its window. */
#define CALL(expression)                                \
    do {                                                \
        instance *i = enter(c);                         \
        if (i == NULL)                                  \
            return (STATUS)ERROR;                       \
        skidpad_window *w = i->window;                  \
        (void)w;                                        \
        return (STATUS)leave(i, (expression));          \
    } while (0)
#define CALL_OR(fast, expression) CALL(expression)
#define CALL_WITH(present, expression) CALL((present) ? (expression) : refuse_null(w, __func__))

#endif
