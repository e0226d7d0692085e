/* slots.h - vehicles as C finds them: by what lies where their handles point. */
#ifndef SKIDPAD_SLOTS_H
#define SKIDPAD_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "window.h"

enum { SLOT_SIZE = 64, SLOT_CHUNKS = 26 };

/* So many vehicles, too few for the lanes of the core, are stepped one after the other. */
enum { STEP_FEW = 3 };

/* A slot has as many handles as it has bytes: each of the vehicles that use it one after the other gets the next. */
typedef struct {
    uintptr_t handle;       /* of the living vehicle, 0 without one */
    int32_t inside;         /* a call is under way on it */
    skidpad_window *window; /* for the call that is inside; NULL where every call enters Go */
    char room[SLOT_SIZE - 3 * sizeof(uintptr_t)];
} vehicle_slot;

/* Tells of a chunk of slots, which stays until the process ends. */
void slots_grow(int chunk, vehicle_slot *first, size_t count);

/* Begins a call on the vehicle of a handle, whatever its bits are, that may need no Go. NULL if Go has to decide: there
 * is no such vehicle, another call is under way on it, or every call enters Go. */
vehicle_slot *slot_enter(uintptr_t handle);
/* Ends that call. */
void slot_leave(vehicle_slot *);

#endif
