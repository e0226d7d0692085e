//go:build ignore

/* Handles in constant time: a handle is an address within a slot, and each new instance in a slot gets the next
 * address. A slot without unused addresses is never used again. The cost is a byte for each instance so far. */
#include "handles.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "shim.h"

#if defined(_WIN32)
#include <windows.h>
static void give_way(void) { SwitchToThread(); }
#else
#include <sched.h>
static void give_way(void) { sched_yield(); }
#endif

/* Bits of a slot's state: a call is inside; a call waits for the importer's callback. */
enum { INSIDE = 1, WAITS = 2 };

struct slot {
    atomic_uintptr_t handle; /* handle of the living instance, 0 for none */
    instance *_Atomic instance;
    atomic_int state;
    uint32_t index;        /* among all slots */
    uint32_t given;        /* handles so far */
    atomic_uint_least32_t next; /* free slot, by index + 1; 0 if this is the last */
    char room[64 - 2 * sizeof(uintptr_t) - 4 * sizeof(uint32_t)];
};
_Static_assert(sizeof(slot) == 64, "the size of a slot is the number of its handles");

/* Slots are allocated in chunks, each twice as large as the previous chunk, and stay until the library is unloaded. */
enum { FIRST_CHUNK = 64, CHUNKS = 26 };
static _Atomic(slot *) chunks[CHUNKS];
static atomic_uint_least32_t slot_count;
/* The stack of free slots. The lower half is the index + 1 of the first free slot. The upper half counts all changes,
 * so that a slot removed and returned meanwhile is noticed (ABA problem). */
static atomic_uint_least64_t free_slots;

static size_t chunk_slots(int k) { return (size_t)FIRST_CHUNK << k; }

__attribute__((destructor)) static void unload(void)
{
    for (int k = 0; k < CHUNKS; k++)
        free(atomic_exchange(&chunks[k], NULL));
}

/* The slot of an index; a missing chunk is allocated. NULL if there is no memory. */
static slot *slot_at(uint32_t index)
{
    int k = 63 - __builtin_clzll(index / FIRST_CHUNK + 1);
    if (k >= CHUNKS)
        return NULL;
    slot *chunk = atomic_load(&chunks[k]);
    if (chunk == NULL) {
        if (k > 0 && atomic_load(&chunks[k - 1]) == NULL)
            return NULL; /* slot_of stops at the first missing chunk */
        slot *made = calloc(chunk_slots(k), sizeof *made);
        if (made == NULL)
            return NULL;
        if (atomic_compare_exchange_strong(&chunks[k], &chunk, made))
            chunk = made;
        else
            free(made);
    }
    return &chunk[index - FIRST_CHUNK * ((1u << k) - 1)];
}

/* The slot that owns an address; NULL for an address outside of all slots. */
static slot *slot_of(uintptr_t address)
{
    for (int k = 0; k < CHUNKS; k++) {
        slot *chunk = atomic_load_explicit(&chunks[k], memory_order_acquire);
        if (chunk == NULL)
            return NULL;
        size_t at = address - (uintptr_t)chunk;
        if (at < chunk_slots(k) * sizeof *chunk)
            return &chunk[at / sizeof *chunk];
    }
    return NULL;
}

static slot *free_slot(void)
{
    uint64_t top = atomic_load(&free_slots);
    while ((uint32_t)top != 0) {
        slot *s = slot_at((uint32_t)top - 1);
        uint64_t below = ((top >> 32) + 1) << 32 | atomic_load(&s->next);
        if (atomic_compare_exchange_weak(&free_slots, &top, below))
            return s;
    }
    uint_least32_t index = atomic_load(&slot_count);
    slot *s;
    do { /* an index is taken only if its slot exists: a lack of memory uses up no index */
        if ((s = slot_at((uint32_t)index)) == NULL)
            return NULL;
    } while (!atomic_compare_exchange_weak(&slot_count, &index, index + 1));
    s->index = (uint32_t)index;
    return s;
}

void *handle_make(instance *i)
{
    slot *s = free_slot();
    if (s == NULL)
        return NULL;
    uintptr_t handle = (uintptr_t)s + s->given++;
    i->slot = s;
    atomic_store(&s->instance, i);
    atomic_store(&s->handle, handle);
    return (void *)handle;
}

/* The slot of a handle with a living instance. */
static slot *living(void *handle)
{
    slot *s = handle ? slot_of((uintptr_t)handle) : NULL;
    return s != NULL && atomic_load_explicit(&s->handle, memory_order_acquire) == (uintptr_t)handle ? s : NULL;
}

instance *handle_enter(void *handle)
{
    slot *s = living(handle);
    if (s == NULL || (atomic_fetch_or_explicit(&s->state, INSIDE, memory_order_acquire) & INSIDE))
        return NULL;
    if (atomic_load_explicit(&s->handle, memory_order_relaxed) != (uintptr_t)handle) { /* freed meanwhile */
        handle_leave(s);
        return NULL;
    }
    return atomic_load_explicit(&s->instance, memory_order_relaxed);
}

/* While a call is inside, only this call changes the state: other threads set bits that are already set. */
void handle_leave(slot *s)
{
    int state = atomic_load_explicit(&s->state, memory_order_relaxed);
    atomic_store_explicit(&s->state, state & ~INSIDE, memory_order_release);
}

instance *handle_take(void *handle)
{
    slot *s = living(handle);
    int idle = 0;
    if (s == NULL || !atomic_compare_exchange_strong(&s->state, &idle, INSIDE))
        return NULL;
    if (atomic_load(&s->handle) != (uintptr_t)handle) {
        handle_leave(s);
        return NULL;
    }
    atomic_store(&s->handle, 0);
    return atomic_exchange(&s->instance, NULL);
}

void handle_retire(slot *s)
{
    handle_leave(s);
    if (s->given == sizeof *s)
        return; /* its handles are used up */
    uint64_t top = atomic_load(&free_slots), mine;
    do {
        atomic_store(&s->next, (uint32_t)top);
        mine = ((top >> 32) + 1) << 32 | (s->index + 1);
    } while (!atomic_compare_exchange_weak(&free_slots, &top, mine));
}

void handle_open(slot *s) { atomic_store_explicit(&s->state, WAITS, memory_order_release); }

int handle_waits(slot *s) { return (atomic_load_explicit(&s->state, memory_order_relaxed) & WAITS) != 0; }

void handle_close(slot *s)
{
    int waiting = WAITS;
    /* A call of another thread from outside of the callback must end first. */
    while (!atomic_compare_exchange_weak_explicit(&s->state, &waiting, INSIDE, memory_order_acquire,
                                                  memory_order_relaxed)) {
        waiting = WAITS;
        give_way();
    }
}
