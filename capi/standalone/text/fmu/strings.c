/* Texts: the method, and what these sources were made for. */
#include "component.h"

static const char *text_of(const vehicle_component *k, uint32_t reference)
{
    const vehicle_entry *v = &vehicle_entries[reference];
    switch (v->kind) {
    case VEHICLE_AT_METHOD:
        return vehicle_method_table[k->model.method];
    case VEHICLE_AT_CODE:
        return vehicle_codes[k->code];
    case VEHICLE_AT_CHOICE:
        return vehicle_choice_texts[vehicle_choice_list[v->at].first + k->choices[v->at]];
    default:
        return vehicle_texts[reference - VEHICLE_NUMBERS];
    }
}

int32_t vehicle_get_string(skidpad_window *w, const uint32_t *references, size_t n, const char **values)
{
    vehicle_component *const k = of(w);
    vehicle_text t;
    vehicle_begin_text(&t);
    if (vehicle_refuse_count(k, n) != OK || vehicle_allow(k, VEHICLE_CALL_GET) != OK)
        return ERROR;
    for (size_t i = 0; i < n; i++)
        if (vehicle_find(references[i], VEHICLE_STRING, &t) == NULL)
            return vehicle_fail(k, &t);
    for (size_t i = 0; i < n; i++)
        values[i] = text_of(k, references[i]);
    return OK;
}

static int index_of(const char *text, const char *const *list, int n)
{
    int i = 0;
    while (i < n && !vehicle_is_text(text, list[i]))
        i++;
    return i < n ? i : -1;
}

static void put_quoted(vehicle_text *t, const char *text)
{
    vehicle_put(t, "\"");
    vehicle_put(t, text);
    vehicle_put(t, "\"");
}

/* Why a text is none for a variable; 0 where it is taken over. */
static int refuses_text(vehicle_component *k, uint32_t reference, const char *text, vehicle_text *why)
{
    const vehicle_entry *v = &vehicle_entries[reference];
    const vehicle_choice *choice = &vehicle_choice_list[v->kind == VEHICLE_AT_CHOICE ? v->at : 0];
    int at;
    switch (v->kind) {
    case VEHICLE_AT_METHOD:
        if ((at = index_of(text, vehicle_method_table, VEHICLE_METHODS)) >= 0) {
            if (k->model.method != at)
                k->prepared = k->model.ready = 0;
            vehicle_set_method(&k->model, at);
            return 0;
        }
        vehicle_put(why, v->name);
        vehicle_put(why, " is ");
        put_quoted(why, text);
        vehicle_put(why, ", which these sources do not contain; export with --method ");
        for (at = 0; at < VEHICLE_METHODS; at++) {
            vehicle_put(why, vehicle_method_table[at]);
            vehicle_put(why, ",");
        }
        vehicle_put(why, text);
        return 1;
    case VEHICLE_AT_CODE:
        if ((at = index_of(text, vehicle_codes, 2)) >= 0) {
            if (k->code != at)
                k->prepared = k->model.ready = 0;
            k->code = at;
            return 0;
        }
        vehicle_put(why, v->name);
        vehicle_put(why, " is ");
        put_quoted(why, text);
        vehicle_put(why, "; it must be native or portable");
        return 1;
    case VEHICLE_AT_CHOICE:
        if ((at = index_of(text, vehicle_choice_texts + choice->first, choice->count)) >= 0) {
            k->choices[v->at] = at;
            k->model.parameters[choice->parameter] = at;
            k->prepared = k->model.ready = 0;
            return 0;
        }
        vehicle_put(why, v->name);
        vehicle_put(why, " is ");
        put_quoted(why, text);
        vehicle_put(why, "; it must be one of [");
        for (at = 0; at < choice->count; at++) {
            vehicle_put(why, at > 0 ? " " : "");
            put_quoted(why, vehicle_choice_texts[choice->first + at]);
        }
        vehicle_put(why, "]");
        return 1;
    default:
        if (vehicle_is_text(text, text_of(k, reference)))
            return 0;
        vehicle_put(why, v->name);
        vehicle_put(why, " is ");
        put_quoted(why, text);
        vehicle_put(why, "; in these sources it is always ");
        put_quoted(why, text_of(k, reference));
        vehicle_put(why, ": the binary FMU takes other texts");
        return 1;
    }
}

int32_t vehicle_set_string(skidpad_window *w, const uint32_t *references, size_t n, const char *const *values)
{
    vehicle_component *const k = of(w);
    vehicle_text t;
    vehicle_begin_text(&t);
    if (vehicle_refuse_count(k, n) != OK)
        return ERROR;
    for (size_t i = 0; i < n; i++)
        if (values[i] == NULL)
            return vehicle_fail_by(k, "a text is NULL");
    if (vehicle_allow(k, VEHICLE_CALL_SET) != OK)
        return ERROR;
    for (size_t i = 0; i < n; i++) {
        const vehicle_entry *v = vehicle_find(references[i], VEHICLE_STRING, &t);
        if (v == NULL || vehicle_is_not_settable(k, v, &t) || refuses_text(k, references[i], values[i], &t))
            return vehicle_fail(k, &t);
    }
    vehicle_keep_inputs(k);
    return OK;
}
