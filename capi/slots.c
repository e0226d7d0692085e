/* Slots of vehicles. handleTable allocates them in chunks, each twice as large as the previous chunk. */
#include "slots.h"

_Static_assert(sizeof(vehicle_slot) == SLOT_SIZE, "the size of a slot is the number of its handles");

static struct {
    vehicle_slot *first; /* NULL before the chunk is allocated */
    size_t count;
} chunks[SLOT_CHUNKS];

void slots_grow(int chunk, vehicle_slot *first, size_t count)
{
    chunks[chunk].count = count;
    __atomic_store_n(&chunks[chunk].first, first, __ATOMIC_RELEASE);
}

/* The slot that owns an address; NULL for an address outside of all slots. */
static vehicle_slot *slot_of(uintptr_t address)
{
    for (int k = 0; k < SLOT_CHUNKS; k++) {
        vehicle_slot *first = __atomic_load_n(&chunks[k].first, __ATOMIC_ACQUIRE);
        if (first == NULL)
            return NULL;
        size_t at = (address - (uintptr_t)first) / SLOT_SIZE;
        if (at < chunks[k].count)
            return &first[at];
    }
    return NULL;
}

static int names(uintptr_t handle, vehicle_slot *s)
{
    return handle != 0 && __atomic_load_n(&s->handle, __ATOMIC_ACQUIRE) == handle;
}

vehicle_slot *slot_enter(uintptr_t handle)
{
    vehicle_slot *s = slot_of(handle);
    if (s == NULL || !names(handle, s) || __atomic_exchange_n(&s->inside, 1, __ATOMIC_ACQUIRE) != 0)
        return NULL;
    if (names(handle, s) && s->window != NULL) /* not freed meanwhile */
        return s;
    slot_leave(s);
    return NULL;
}

void slot_leave(vehicle_slot *s) { __atomic_store_n(&s->inside, 0, __ATOMIC_RELEASE); }
