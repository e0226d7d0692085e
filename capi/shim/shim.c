//go:build ignore

/* Instances, handles, messages and fast paths of the shim. */
#include "shim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
const char no_memory[] = "the system has no memory left for an instance; free instances or saved states";

void *instance_start(const instance *given, const skidpad_settings *settings, const char *problem, int silent)
{
    char error[4096] = "";
    void *handle = NULL;
    instance *i = malloc(sizeof *i);
    char *name = given->name ? strdup(given->name) : NULL;
    if (problem == NULL && (i == NULL || (given->name != NULL && name == NULL)))
        problem = no_memory;
    if (problem != NULL) {
        snprintf(error, sizeof error, "%s", problem);
    } else {
        calm before;
        *i = *given;
        i->name = name;
        calm_begin(&before);
        if (core_load(error, sizeof error) != NULL)
            i->window = core->instantiate(settings, error, sizeof error);
        if (i->window != NULL && (handle = handle_make(i)) == NULL) {
            core->free(i->window);
            snprintf(error, sizeof error, "%s", no_memory);
        }
        calm_end(&before);
    }
    if (handle == NULL) {
        instance none = *given; /* there may be no memory for another */
        if (!silent)
            say(&none, ERROR, "logStatusError", error);
        free(name);
        free(i);
    }
    return handle;
}

void instance_end(void *handle)
{
    instance *i;
    while ((i = handle_take(handle)) == NULL) {
        if ((i = enter(handle)) == NULL)
            return;
        if (handle_waits(i->slot)) {
            leave(i,
                  core->refuse(i->window, "FreeInstance within a callback of the same instance; free it when the call "
                                          "that makes the callback has returned"));
            return;
        }
        handle_leave(i->slot); /* a call of another thread has just ended: take it now */
    }
    if (*core->usable) {
        calm before;
        calm_begin(&before);
        core->free(i->window);
        calm_end(&before);
    }
    handle_retire(i->slot);
    free((char *)i->name);
    free(i);
}

instance *enter(void *handle)
{
    instance *i = handle_enter(handle);
    if (i == NULL)
        return NULL;
    if (!*core->usable) {
        say(i, ERROR, "logStatusError", core->fork_text);
        handle_leave(i->slot);
        return NULL;
    }
    i->window->message_count = 0;
    return i;
}

static size_t places(const instance *i, char c) { return c == '#' || (i->formats && c == '%') ? 2 : 1; }

/* Doubles characters that importers replace: # marks variables, and in FMI 2.0 the text is a format as for printf.
 * Passing the text as an argument of "%s" would not help: importers in Python, Java and C# cannot read arguments. */
void say(instance *i, int32_t status, const char *category, const char *text)
{
    char room[1024], *to = room;
    size_t size = 1;
    if (i->deliver == NULL)
        return;
    for (const char *from = text; *from != 0; from++)
        size += places(i, *from);
    if (size > sizeof room && (to = malloc(size)) == NULL) {
        to = room; /* without memory, only the beginning is delivered */
        size = sizeof room;
    }
    char *at = to;
    for (const char *from = text; *from != 0 && at + places(i, *from) < to + size; from++) {
        if (places(i, *from) == 2)
            *at++ = *from;
        *at++ = *from;
    }
    *at = 0;
    int cancellation = step_cancellation_off(); /* the importer's logger, in the middle of a call */
    i->deliver(i, status, category, to);
    step_cancellation_back(cancellation);
    if (to != room)
        free(to);
}

/* Delivers the messages of the latest call. */
static void flush(instance *i)
{
    skidpad_window *w = i->window;
    for (size_t k = 0; k < w->message_count; k++)
        say(i, w->messages[k].status, w->messages[k].category, w->messages[k].text);
    w->message_count = 0;
}

int32_t leave(instance *i, int32_t status)
{
    flush(i);
    handle_leave(i->slot);
    return status;
}

int32_t refuse_null(skidpad_window *w, const char *function)
{
    char text[128];
    snprintf(text, sizeof text, "%s: an argument is NULL", function);
    return core->refuse(w, text);
}

/* Delays signals, so that handlers without SA_ONSTACK do not run on a stack of Go. Threads
 * started by Go inherit this mask. Faults and Go's own SIGURG are not delayed. */
#if defined(_WIN32)
static void quiet(calm *c) { (void)c; }
static void loud(const calm *c) { (void)c; }
#else
static void quiet(calm *c)
{
    static const int passing[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGURG};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t k = 0; k < sizeof passing / sizeof *passing; k++)
        sigdelset(&blocked, passing[k]);
    pthread_sigmask(SIG_BLOCK, &blocked, &c->signals);
}
static void loud(const calm *c) { pthread_sigmask(SIG_SETMASK, &c->signals, NULL); }
#endif

void calm_begin(calm *c)
{
    quiet(c);
    step_thread_begin(&c->thread);
}

void calm_end(const calm *c)
{
    step_thread_end(&c->thread);
    loud(c);
}

int32_t instance_step(instance *i, double time, double h)
{
    skidpad_window *w = i->window;
    calm before;
    if (window_step(w, time, h))
        return OK;
    calm_begin(&before);
    int32_t status = core->step(w, time, h);
    while (status <= WARNING && w->pause != SKIDPAD_NO_PAUSE) {
        skidpad_update answer = {0, w->reached};
        calm_end(&before); /* signals of the host that have waited are handled here */
        flush(i);
        if (w->pause == SKIDPAD_PAUSE_FOR_UPDATE) {
            int cancellation = step_cancellation_off();
            handle_open(i->slot);
            i->update(i, &answer);
            handle_close(i->slot);
            step_cancellation_back(cancellation);
        }
        calm_begin(&before);
        int32_t after = core->resume(w, answer.early_return, answer.until);
        status = after > status ? after : status;
    }
    calm_end(&before);
    return status;
}

int32_t get_state(skidpad_window *w, void **state)
{
    uintptr_t handle = (uintptr_t)*state;
    int32_t status = core->state_get(w, &handle);
    *state = (void *)handle;
    return status;
}

int32_t free_state(skidpad_window *w, void **state)
{
    uintptr_t handle = state ? (uintptr_t)*state : 0;
    int32_t status = core->state_free(w, &handle);
    if (state != NULL)
        *state = (void *)handle;
    return status;
}

int32_t read_state(skidpad_window *w, const uint8_t *bytes, size_t size, void **state)
{
    uintptr_t handle = 0;
    int32_t status = core->state_read(w, bytes, size, &handle);
    if (status == OK)
        *state = (void *)handle;
    return status;
}

int fast_read(instance *i, int32_t what, double *x, size_t n)
{
    const skidpad_window *w = i->window;
    if (!w->readable || x == NULL)
        return 0;
    switch (what) {
    case SKIDPAD_STATES:
        if (n != w->state_count)
            return 0;
        for (size_t k = 0; k < n; k++)
            x[k] = w->values[w->states[k]];
        return 1;
    case SKIDPAD_DERIVATIVES:
        if (n != w->state_count)
            return 0;
        memcpy(x, w->values + w->derivatives_from, n * sizeof *x);
        break;
    case SKIDPAD_INDICATORS:
        if (n != w->indicator_count)
            return 0;
        memcpy(x, w->values + w->indicators_from, n * sizeof *x);
        break;
    default:
        return 0;
    }
    for (size_t k = 0; k < n; k++)
        if (!isfinite(x[k]))
            return 0;
    return 1;
}
