/* window.h - what calls of the standard answer by numbers of an instance. Every call asks the core here. */
#ifndef SKIDPAD_WINDOW_H
#define SKIDPAD_WINDOW_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    double reached; /* by the latest step [s] */
    int32_t event_needed, returned_early;
    int32_t event_defined;
    double next_event; /* time of the next sample [s] */
    int32_t set_wanted; /* inputs may be set in an intermediate update */
} skidpad_window;

#define window_get(w, references, n, values) 0
#define window_set(w, references, n, values) 0

#endif
