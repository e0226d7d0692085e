/* handles.h - the handles of importers, and the access to instances. */
#ifndef SKIDPAD_HANDLES_H
#define SKIDPAD_HANDLES_H

typedef struct instance instance;
typedef struct slot slot;

/* Returns a new handle for an instance and stores its slot in the instance; NULL if there is no memory. A handle is the
 * address of a reserved byte. Handles are never reused, so a freed handle is always recognised. */
void *handle_make(instance *);

/* Begins a call on the instance of a handle; any bits are allowed as a handle. NULL if there is no such instance, if
 * another call is under way, or if the instance waits for a callback within another call. */
instance *handle_enter(void *handle);
/* Ends the call. */
void handle_leave(slot *);

/* Removes the instance from its handle: NULL as for handle_enter, and while a callback runs. The caller frees the
 * instance; handle_retire prepares the slot for the next instance. */
instance *handle_take(void *handle);
void handle_retire(slot *);

/* Permits calls while the importer's callback runs within a call, and ends the permission. */
void handle_open(slot *);
void handle_close(slot *);
/* Whether a call waits for the importer's callback, for a check within another call. */
int handle_waits(slot *);

#endif
