/* slots.h - the slots of vehicles, which C finds by their handles. */
#ifndef SKIDPAD_SLOTS_H
#define SKIDPAD_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "window.h"

enum { SLOT_SIZE = 64, SLOT_CHUNKS = 26 };

/* Up to this number, too few for the lanes of the core, vehicles are stepped one after the other. */
enum { STEP_FEW = 3 };

/* A slot has a handle for each of its bytes: each new vehicle in the slot gets the next handle. */
typedef struct {
    uintptr_t handle;       /* handle of the living vehicle, 0 for none */
    int32_t inside;         /* a call is under way on it */
    skidpad_window *window; /* for the call under way; NULL if every call enters Go */
    char room[SLOT_SIZE - 3 * sizeof(uintptr_t)];
} vehicle_slot;

/* Registers a chunk of slots, which stays until the process ends. */
void slots_grow(int chunk, vehicle_slot *first, size_t count);

/* Begins a call without Go on the vehicle of a handle; any bits are allowed as a handle. NULL if Go has to decide:
 * there is no such vehicle, another call is under way, or every call enters Go. */
vehicle_slot *slot_enter(uintptr_t handle);
/* Ends the call. */
void slot_leave(vehicle_slot *);

#endif
