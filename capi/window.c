/* What the calls of component.go and entry.go do, where that needs no Go. */
#include "window.h"

#include <math.h>
#include <string.h>

static const double *held(const skidpad_window *w, uint32_t reference)
{
    return w->held != NULL ? w->held[reference] : NULL;
}

int window_get(skidpad_window *w, const uint32_t *references, size_t n, double *values)
{
    const uint32_t unread = w->unread_to - w->unread_from, read = w->count - w->read_from;
    const int ahead = w->inputs_written && !w->keeps; /* the plan does not have the inputs yet */
    int computed = 0;
    if ((!w->readable && w->plan == NULL) || references == NULL || values == NULL || n > w->count)
        return 0;
    for (size_t k = 0; k < n; k++) {
        if (references[k] - w->read_from >= read || references[k] - w->unread_from < unread)
            return 0;
        computed |= held(w, references[k]) == NULL;
    }
    if (computed && !w->readable && (ahead || !(w->readable = step_show(w->plan))))
        return 0;
    for (size_t k = 0; k < n; k++) {
        const double *at = held(w, references[k]);
        values[k] = at != NULL ? *at : w->values[references[k]];
    }
    return 1;
}

int window_set(skidpad_window *w, const uint32_t *references, size_t n, const double *values)
{
    const uint32_t inputs = w->inputs_to - w->inputs_from;
    if (!w->writable || references == NULL || values == NULL || n > w->count)
        return 0;
    for (size_t k = 0; k < n; k++) {
        const uint32_t input = references[k] - w->inputs_from;
        if (input >= inputs || !isfinite(values[k]) || (w->nonnegative[input] && values[k] < 0))
            return 0;
    }
    for (size_t k = 0; k < n; k++) {
        w->values[references[k]] = values[k];
        w->written[references[k] - w->inputs_from] = 1;
    }
    w->inputs_written = 1;
    if (!w->keeps)
        w->readable = 0;
    return 1;
}

int window_step(skidpad_window *w, double time, double h)
{
    const uint8_t *written = w->inputs_written ? w->written : NULL;
    if (w->plan == NULL || !step_make(w->plan, time, h, w->values + w->inputs_from, written))
        return 0;
    if (written != NULL)
        memset(w->written, 0, w->inputs_to - w->inputs_from);
    w->inputs_written = 0;
    w->readable = w->plan->logging && step_show(w->plan); /* as the core does, which looks at them then */
    w->reached = w->plan->time;
    w->event_needed = w->returned_early = w->set_wanted = 0;
    w->pause = SKIDPAD_NO_PAUSE;
    return 1;
}

