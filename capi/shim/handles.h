/* handles.h - the handles that importers hold, and who may enter an instance. */
#ifndef SKIDPAD_HANDLES_H
#define SKIDPAD_HANDLES_H

typedef struct instance instance;
typedef struct slot slot;

/* A new handle for an instance, which learns its slot; NULL if there is no memory. A handle is an address that nobody
 * reads. No other instance of this library ever gets the same one, so that a handle which was freed stays known as
 * such. */
void *handle_make(instance *);

/* Begins a call on the instance of a handle, whatever its bits are: NULL if it has none, if another call is under way
 * on it, or if the instance waits for a callback that is inside another call. */
instance *handle_enter(void *handle);
/* Ends that call. */
void handle_leave(slot *);

/* Takes the instance away from its handle for good: NULL as handle_enter, and while a callback runs. The caller frees
 * the instance; handle_retire makes the slot ready for the next one. */
instance *handle_take(void *handle);
void handle_retire(slot *);

/* Lets calls in while the importer's callback runs within a call, and ends that. */
void handle_open(slot *);
void handle_close(slot *);
/* Whether a call waits for the importer's callback, asked from within another call. */
int handle_waits(slot *);

#endif
