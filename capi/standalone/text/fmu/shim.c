/* Instances and messages. */
#include "component.h"

const char no_memory[] = "the system has no memory left for an instance; free instances or saved states";

void *instance_start(const instance *given, const skidpad_settings *settings, const char *problem, int silent)
{
    vehicle_text why;
    size_t room = 0;
    skidpad_window *w = NULL;
    vehicle_begin_text(&why);
    while (given->name != NULL && given->name[room++] != 0)
        ;
    if (problem != NULL)
        vehicle_put(&why, problem);
    else
        w = vehicle_make(settings, room, &why);
    if (w == NULL) {
        instance none = *given;
        if (!silent)
            say(&none, ERROR, "logStatusError", why.text);
        return NULL;
    }
    vehicle_component *const k = (vehicle_component *)(void *)w;
    char *const name = (char *)(k + 1);
    k->shim = *given;
    k->shim.window = w;
    for (size_t n = 0; n < room; n++)
        name[n] = given->name[n];
    k->shim.name = given->name != NULL ? name : NULL;
    return &k->shim;
}

void instance_end(void *handle)
{
    instance *i = (instance *)handle;
    if (i == NULL)
        return;
    if (i->inside) {
        say(i, ERROR, "logStatusError",
            "FreeInstance within a callback of the same instance; free it when the call that makes the callback has "
            "returned");
        return;
    }
    core->free(i->window);
}

instance *enter(void *handle)
{
    instance *i = (instance *)handle;
    if (i == NULL || i->inside)
        return NULL;
    i->inside = 1;
    return i;
}

int32_t leave(instance *i, int32_t status)
{
    i->inside = 0;
    return status;
}

static size_t places(const instance *i, char c) { return c == '#' || (i->formats && c == '%') ? 2 : 1; }

/* Doubles what an importer could take for a place to fill in: # stands for variables, and in FMI 2.0 the text is a
 * format like that of printf. */
void say(instance *i, int32_t status, const char *category, const char *text)
{
    char room[5000], *at = room;
    if (i->deliver == NULL)
        return;
    for (const char *from = text; *from != 0 && at + places(i, *from) < room + sizeof room; from++) {
        if (places(i, *from) == 2)
            *at++ = *from;
        *at++ = *from;
    }
    *at = 0;
    i->deliver(i, status, category, room);
}

/* Names of functions can have the prefix of this FMU. */
int32_t refuse_null(skidpad_window *w, const char *function)
{
    static const char prefix[] = "vehicle_";
    vehicle_text text;
    size_t n = 0;
    while (prefix[n] != 0 && prefix[n] == function[n])
        n++;
    vehicle_begin_text(&text);
    vehicle_put(&text, prefix[n] == 0 ? function + n : function);
    vehicle_put(&text, ": an argument is NULL");
    return core->refuse(w, text.text);
}

int32_t instance_step(instance *i, double time, double h) { return core->step(i->window, time, h); }

int32_t get_state(skidpad_window *w, void **state)
{
    uintptr_t handle = (uintptr_t)*state;
    const int32_t status = core->state_get(w, &handle);
    *state = (void *)handle;
    return status;
}

int32_t free_state(skidpad_window *w, void **state)
{
    uintptr_t handle = state ? (uintptr_t)*state : 0;
    const int32_t status = core->state_free(w, &handle);
    if (state != NULL)
        *state = (void *)handle;
    return status;
}

int32_t read_state(skidpad_window *w, const uint8_t *bytes, size_t size, void **state)
{
    uintptr_t handle = 0;
    const int32_t status = core->state_read(w, bytes, size, &handle);
    if (status == OK)
        *state = (void *)handle;
    return status;
}
