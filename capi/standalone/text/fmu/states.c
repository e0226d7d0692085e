/* Saved states: bytes that are the same on every machine. They are a mark, then numbers of 64 bits, the lowest byte
 * first: what this FMU knows, the numbers that can be read, the model, and a sum of all that. */
#include "component.h"

#include <stdlib.h>
#include <string.h>

struct vehicle_saved {
    struct vehicle_saved *next;
};

enum {
    STATE_MARK = 0x534b4944, /* SKID */
    STATE_VERSION = 1,
    IS_CURRENT = 1,
    IS_SET_UP = 2,
    IS_INITIALISED = 4,
    IS_ENDED_TOLD = 8,
    STATE_FLAGS = 16
};

static size_t head_size(void)
{
    return 8 * (9 + (size_t)VEHICLE_NUMBERS + VEHICLE_CONTACTS + VEHICLE_CHOICES);
}

static size_t saved_size(void) { return head_size() + vehicle_save_size() + 8; }

static unsigned char *bytes_of(vehicle_saved *s) { return (unsigned char *)(s + 1); }

static void write_word(unsigned char **to, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        *(*to)++ = (unsigned char)(word >> 8 * i & 0xff);
}

static uint64_t read_word(const unsigned char **from)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)*(*from)++ << 8 * i;
    return word;
}

static void write_number(unsigned char **to, double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    write_word(to, word);
}

static double read_number(const unsigned char **from)
{
    const uint64_t word = read_word(from);
    double x;
    memcpy(&x, &word, sizeof x);
    return x;
}

/* FNV-1a: it finds damage, not intent. */
static uint64_t sum_of(const unsigned char *bytes, size_t n)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static void save(const vehicle_component *k, unsigned char *bytes)
{
    unsigned char *to = bytes;
    write_word(&to, STATE_MARK);
    write_word(&to, STATE_VERSION);
    write_word(&to, (uint64_t)k->interface);
    write_word(&to, k->mode);
    write_word(&to, (k->current ? IS_CURRENT : 0u) | (k->set_up ? IS_SET_UP : 0u) |
                        (k->initialised ? IS_INITIALISED : 0u) | (k->ended_told ? IS_ENDED_TOLD : 0u));
    write_number(&to, k->start);
    write_number(&to, k->stop);
    write_number(&to, k->time);
    write_word(&to, (uint64_t)k->code);
    for (int i = 0; i < VEHICLE_NUMBERS; i++)
        write_number(&to, k->values[i]);
    for (int i = 0; i < VEHICLE_CONTACTS; i++)
        write_word(&to, (uint64_t)k->on[i]);
    for (int i = 0; i < VEHICLE_CHOICES; i++)
        write_word(&to, (uint64_t)k->choices[i]);
    to += vehicle_save(&k->model, to, vehicle_save_size());
    write_word(&to, sum_of(bytes, saved_size() - 8));
}

/* Why bytes are no saved state of the instance; 0 where they can be one. */
static int refuses_state(const vehicle_component *k, const unsigned char *bytes, size_t n, vehicle_text *why)
{
    const unsigned char *from = bytes, *end;
    const size_t size = saved_size();
    if (n < size) {
        vehicle_put_count(why, n);
        vehicle_put(why, " bytes are too few for a saved state of this model");
        return 1;
    }
    if (read_word(&from) != STATE_MARK) {
        vehicle_put(why, "these bytes are not a saved state of sources of an FMU");
        return 1;
    }
    end = bytes + size - 8;
    if (n != size || read_word(&end) != sum_of(bytes, n - 8)) {
        vehicle_put(why, "the saved state is corrupted or cut short");
        return 1;
    }
    const uint64_t version = read_word(&from), interface = read_word(&from), mode = read_word(&from);
    const uint64_t flags = read_word(&from);
    const unsigned char *code = bytes + 8 * 8;
    if (version != STATE_VERSION || interface > VEHICLE_CO_SIMULATION || mode == 0 || (mode & (mode - 1)) != 0 ||
        (mode & VEHICLE_ANYTIME) == 0 || flags >= STATE_FLAGS || read_word(&code) > 1) {
        vehicle_put(why, "the saved state holds values that no instance can have");
        return 1;
    }
    if ((int)interface != k->interface) {
        vehicle_put(why, "the saved state comes from an instance that was made otherwise: model exchange or "
                         "co-simulation, with or without event mode");
        return 1;
    }
    return 0;
}

/* Takes over what refuses_state finds no fault with. */
static void take_over(vehicle_component *k, const unsigned char *from)
{
    from += 3 * 8;
    k->mode = (unsigned)read_word(&from);
    const uint64_t flags = read_word(&from);
    k->current = (flags & IS_CURRENT) != 0;
    k->set_up = (flags & IS_SET_UP) != 0;
    k->initialised = k->prepared = (flags & IS_INITIALISED) != 0; /* else the start is made again */
    k->ended_told = (flags & IS_ENDED_TOLD) != 0;
    k->start = read_number(&from);
    k->stop = read_number(&from);
    k->time = read_number(&from);
    k->code = (int)read_word(&from);
    for (int i = 0; i < VEHICLE_NUMBERS; i++)
        k->values[i] = read_number(&from);
    for (int i = 0; i < VEHICLE_CONTACTS; i++)
        k->on[i] = read_word(&from) != 0;
    for (int i = 0; i < VEHICLE_CHOICES; i++) {
        const uint64_t at = read_word(&from);
        k->choices[i] = at < (uint64_t)vehicle_choice_list[i].count ? (int)at : 0;
    }
}

static int32_t restore(vehicle_component *k, const unsigned char *bytes)
{
    vehicle_text why;
    vehicle_begin_text(&why);
    if (refuses_state(k, bytes, saved_size(), &why))
        return vehicle_fail(k, &why);
    if (vehicle_restore(&k->model, bytes + head_size(), vehicle_save_size()) != VEHICLE_OK)
        return vehicle_fail_by(k, "the saved state belongs to another model or tree");
    take_over(k, bytes);
    return OK;
}

/* The state of a handle of this instance; NULL, which has been said, for another one. */
static vehicle_saved *find(vehicle_component *k, uintptr_t handle)
{
    for (vehicle_saved *s = k->saved; s != NULL; s = s->next)
        if ((uintptr_t)s == handle)
            return s;
    vehicle_fail_by(k, "the handle is not a state from GetFMUState or DeSerializeFMUState, or the state was freed");
    return NULL;
}

static vehicle_saved *make(vehicle_component *k)
{
    vehicle_saved *s = (vehicle_saved *)calloc(1, sizeof *s + saved_size());
    if (s == NULL) {
        vehicle_fail_by(k, no_memory);
        return NULL;
    }
    s->next = k->saved;
    k->saved = s;
    return s;
}

static void release(vehicle_component *k, vehicle_saved *s)
{
    vehicle_saved **at = &k->saved;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    free(s);
}

void vehicle_free_states(vehicle_component *k)
{
    while (k->saved != NULL)
        release(k, k->saved);
}

int32_t vehicle_save_state(skidpad_window *w, uintptr_t *state)
{
    vehicle_component *const k = of(w);
    vehicle_saved *s = *state != 0 ? find(k, *state) : NULL;
    if (*state != 0 && s == NULL)
        return ERROR;
    if (vehicle_allow(k, VEHICLE_CALL_GET_FMU_STATE) != OK || (s == NULL && (s = make(k)) == NULL))
        return ERROR;
    save(k, bytes_of(s));
    *state = (uintptr_t)s;
    return OK;
}

int32_t vehicle_set_state(skidpad_window *w, uintptr_t state)
{
    vehicle_component *const k = of(w);
    vehicle_saved *const s = find(k, state);
    return s == NULL || vehicle_allow(k, VEHICLE_CALL_SET_FMU_STATE) != OK ? (int32_t)ERROR : restore(k, bytes_of(s));
}

int32_t vehicle_free_state(skidpad_window *w, uintptr_t *state)
{
    vehicle_component *const k = of(w);
    vehicle_saved *s;
    if (*state == 0)
        return OK;
    if ((s = find(k, *state)) == NULL)
        return ERROR;
    release(k, s);
    *state = 0;
    return OK;
}

int32_t vehicle_size_of_state(skidpad_window *w, uintptr_t state, size_t *size)
{
    if (find(of(w), state) == NULL)
        return ERROR;
    *size = saved_size();
    return OK;
}

int32_t vehicle_write_state(skidpad_window *w, uintptr_t state, uint8_t *bytes, size_t size)
{
    vehicle_component *const k = of(w);
    vehicle_saved *const s = find(k, state);
    if (s == NULL)
        return ERROR;
    if (size != saved_size())
        return vehicle_fail_by(k, "the buffer for a serialized state must have the size that SerializedFMUStateSize "
                                  "says");
    memcpy(bytes, bytes_of(s), size);
    return OK;
}

int32_t vehicle_read_state(skidpad_window *w, const uint8_t *bytes, size_t size, uintptr_t *state)
{
    vehicle_component *const k = of(w);
    vehicle_saved *s;
    vehicle_text why;
    vehicle_begin_text(&why);
    if (vehicle_refuse_count(k, size) != OK || vehicle_allow(k, VEHICLE_CALL_GET_FMU_STATE) != OK)
        return ERROR;
    if (refuses_state(k, bytes, size, &why))
        return vehicle_fail(k, &why);
    if ((s = make(k)) == NULL)
        return ERROR;
    memcpy(bytes_of(s), bytes, size);
    *state = (uintptr_t)s;
    return OK;
}
