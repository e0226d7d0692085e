/* The calls of component.go and entry.go that need no Go. */
#include "window.h"

#include <math.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Reads variables whose values are all in the window. */
static int get_from_window(const skidpad_window *w, const uint32_t *references, size_t n, double *values)
{
    const uint32_t unread = w->unread_to - w->unread_from, read = w->count - w->read_from;
    for (size_t k = 0; k < n; k++) {
        if (references[k] - w->read_from >= read || references[k] - w->unread_from < unread)
            return 0;
        values[k] = w->values[references[k]];
    }
    return 1;
}

/* Passes the written inputs to the plan; outputs follow these inputs at once. */
static void take_inputs(skidpad_window *w)
{
    step_set(w->plan, w->values + w->inputs_from, w->written);
    memset(w->written, 0, w->inputs_to - w->inputs_from);
    w->inputs_written = 0;
}

int window_needs(const skidpad_window *w, const uint32_t *references, size_t n)
{
    const skidpad_plan *p = w->plan;
    const uint32_t count = w->count;
    unsigned needed = STEP_NOTHING;
    if (p == NULL || !p->ready || references == NULL || n > count)
        return STEP_BY_GO;
    for (size_t k = 0; k < n; k++) {
        if (references[k] >= count)
            return STEP_BY_GO;
        needed |= p->needs[references[k]];
    }
    return needed >= STEP_BY_GO ? STEP_BY_GO : needed >= STEP_OUTPUTS ? STEP_OUTPUTS : (int)needed;
}

/* Copies values; 0 if one is NaN: the core has other code for outputs, and its NaNs can have other signs. */
static int gather(const double *const *from, const uint32_t *references, size_t n, double *values)
{
    size_t k = 0;
    int good = 1;
#if defined(__SSE2__)
    __m128d unordered = _mm_setzero_pd();
    for (; k + 2 <= n; k += 2) {
        const __m128d two = _mm_loadh_pd(_mm_load_sd(from[references[k]]), from[references[k + 1]]);
        _mm_storeu_pd(values + k, two);
        unordered = _mm_or_pd(unordered, _mm_cmpunord_pd(two, two));
    }
    good = _mm_movemask_pd(unordered) == 0;
#endif
    for (; k < n; k++) {
        values[k] = *from[references[k]];
        good &= !isnan(values[k]);
    }
    return good;
}

int window_read(skidpad_window *w, const uint32_t *references, size_t n, int needed, double *values)
{
    skidpad_plan *p = w->plan;
    if (needed == STEP_BY_GO || values == NULL)
        return 0;
    if (needed > STEP_NOTHING && w->inputs_written && !w->keeps)
        take_inputs(w);
    if (!step_evaluate(p, needed))
        return 0;
    p->shown = 1;
    return gather(p->values, references, n, values);
}

int window_get(skidpad_window *w, const uint32_t *references, size_t n, double *values)
{
    if (!w->readable)
        return window_read(w, references, n, window_needs(w, references, n), values);
    return references != NULL && values != NULL && n <= w->count && get_from_window(w, references, n, values);
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
    w->readable = 0;
    w->reached = w->plan->time;
    w->event_needed = w->returned_early = w->set_wanted = 0;
    w->pause = SKIDPAD_NO_PAUSE;
    return 1;
}

