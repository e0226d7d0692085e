/* Instances, handles, messages and fast paths of the shim. */
#include "shim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Slots of handles, in slabs that stay until the library is unloaded: a slot costs 8
 * bytes for each instance that ever was. */
enum { SLAB = 62 };
typedef struct slab {
    struct slab *next;
    atomic_size_t used;
    _Atomic(instance *) slot[SLAB];
} slab;

static _Atomic(slab *) slabs;

__attribute__((destructor)) static void unload(void)
{
    slab *s = atomic_exchange(&slabs, NULL);
    while (s != NULL) {
        slab *next = s->next;
        free(s);
        s = next;
    }
}

/* A new handle; NULL if there is no memory. */
static void *handle_make(instance *i)
{
    for (;;) {
        slab *first = atomic_load(&slabs);
        if (first != NULL) {
            size_t at = atomic_fetch_add(&first->used, 1);
            if (at < SLAB) {
                atomic_store(&first->slot[at], i);
                return &first->slot[at];
            }
        }
        slab *more = calloc(1, sizeof *more);
        if (more == NULL)
            return NULL;
        more->next = first;
        if (!atomic_compare_exchange_strong(&slabs, &first, more))
            free(more);
    }
}

/* The slot that a handle names, whatever its bits are; NULL for none. */
static _Atomic(instance *) * slot_of(void *handle)
{
    for (slab *s = atomic_load(&slabs); s != NULL; s = s->next) {
        uintptr_t from = (uintptr_t)s->slot, at = (uintptr_t)handle;
        if (at >= from && at < from + sizeof s->slot && (at - from) % sizeof s->slot[0] == 0)
            return &s->slot[(at - from) / sizeof s->slot[0]];
    }
    return NULL;
}

/* Forgets a handle and returns its instance, NULL if it has none. */
static instance *handle_free(void *handle)
{
    _Atomic(instance *) *slot = slot_of(handle);
    if (slot == NULL)
        return NULL;
    instance *i = atomic_load(slot);
    if (i == NULL || atomic_exchange(&i->busy, 1))
        return NULL;
    atomic_store(slot, NULL);
    return i;
}

void *instance_start(instance *i, const skidpad_settings *settings, const char *problem, int silent)
{
    char error[4096] = "";
    void *handle = NULL;
    if (problem != NULL) {
        snprintf(error, sizeof error, "%s", problem);
    } else {
        calm before;
        calm_begin(&before);
        if (core_load(error, sizeof error) != NULL)
            i->window = core->instantiate(settings, error, sizeof error);
        calm_end(&before);
        if (i->window != NULL && (handle = handle_make(i)) == NULL) {
            core->free(i->window);
            snprintf(error, sizeof error, "out of memory");
        }
    }
    if (handle == NULL) {
        if (i->deliver != NULL && !silent)
            i->deliver(i, ERROR, "logStatusError", error);
        free(i->name);
        free(i);
    }
    return handle;
}

void instance_end(void *handle)
{
    instance *i = handle ? handle_free(handle) : NULL;
    if (i == NULL)
        return;
    if (!*core->forked)
        core->free(i->window);
    free(i->name);
    free(i);
}

instance *enter(void *handle)
{
    _Atomic(instance *) *slot = handle ? slot_of(handle) : NULL;
    instance *i = slot ? atomic_load(slot) : NULL;
    if (i == NULL)
        return NULL;
    if (*core->forked) {
        if (i->deliver != NULL)
            i->deliver(i, ERROR, "logStatusError", core->fork_text);
        return NULL;
    }
    if (atomic_exchange_explicit(&i->busy, 1, memory_order_acquire))
        return NULL;
    i->window->message_count = 0;
    return i;
}

void flush(instance *i)
{
    skidpad_window *w = i->window;
    if (i->deliver != NULL)
        for (size_t k = 0; k < w->message_count; k++)
            i->deliver(i, w->messages[k].status, w->messages[k].category, w->messages[k].text);
    w->message_count = 0;
}

int32_t leave(instance *i, int32_t status)
{
    flush(i);
    atomic_store_explicit(&i->busy, 0, memory_order_release);
    return status;
}

int32_t refuse_null(skidpad_window *w, const char *function)
{
    char text[128];
    snprintf(text, sizeof text, "%s: an argument is NULL", function);
    return core->refuse(w, text);
}

void open_for_callback(instance *i)
{
    flush(i);
    atomic_store_explicit(&i->busy, 0, memory_order_release);
}

void close_after_callback(instance *i)
{
    atomic_store_explicit(&i->busy, 1, memory_order_release);
}

/* Signals come later, so that handlers without SA_ONSTACK do not run on a stack of Go.
 * Threads that Go starts inherit this. Faults and Go's own SIGURG pass. */
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

/* Rounding to nearest, no flushing of tiny numbers to zero, no traps. */
void calm_begin(calm *c)
{
    quiet(c);
    c->float_old = 0;
    c->float_changed = 0;
#if defined(__x86_64__)
    c->float_old = _mm_getcsr();
    c->float_changed = (c->float_old & ~0x3fu) != 0x1f80u;
    if (c->float_changed)
        _mm_setcsr(0x1f80u);
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    c->float_old = (unsigned)fpcr;
    c->float_changed = fpcr != 0;
    if (c->float_changed)
        __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
#endif
}

void calm_end(const calm *c)
{
    if (c->float_changed) {
#if defined(__x86_64__)
        _mm_setcsr(c->float_old);
#elif defined(__aarch64__)
        __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)c->float_old));
#endif
    }
    loud(c);
}

int fast_get(instance *i, const uint32_t *references, size_t n, double *values)
{
    const skidpad_window *w = i->window;
    const uint32_t booleans = w->booleans_to - w->booleans_from;
    if (!w->readable || references == NULL || values == NULL)
        return 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t r = references[k];
        if (r >= w->count || r - w->booleans_from < booleans)
            return 0;
        values[k] = w->values[r];
    }
    return 1;
}

int fast_set(instance *i, const uint32_t *references, size_t n, const double *values)
{
    skidpad_window *w = i->window;
    const uint32_t inputs = w->inputs_to - w->inputs_from;
    if (!w->writable || references == NULL || values == NULL)
        return 0;
    for (size_t k = 0; k < n; k++)
        if (references[k] - w->inputs_from >= inputs || !isfinite(values[k]))
            return 0;
    for (size_t k = 0; k < n; k++)
        w->values[references[k]] = values[k];
    w->inputs_written = 1;
    if (!w->keeps)
        w->readable = 0;
    return 1;
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
