/* Group 17: steps of the C library without Go, beside the same steps of the core.
 *
 *     vehicles LIBRARY SEED CALLS MODEL [TIRES]
 *
 * Two vehicles of a model get the same calls by chance: inputs of all sizes, steps of all lengths, by themselves, with
 * others and in rollouts, reads, states that one saves and both restore, resets, and the rounding that the host has
 * set. One of them is asked to report slow steps, so that the core makes all of its steps. Statuses, texts, values and
 * saved states have to be the same to the last bit. TIRES is a library of tire functions, of which each start takes
 * one. Then threads use and free the same vehicle. */
#include "host.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "skidpad.h"
#include "slots.h"

enum { MOST = 4096, FAST = 0, SLOW = 1, ROLLED = 4, SMALL = 100 };

#define FUNCTIONS(F)                                                                                                \
    F(load) F(copy) F(free) F(last_error) F(variable_count) F(describe) F(find) F(set) F(set_rates) F(get)          \
    F(set_text) F(set_time_limit) F(warnings) F(initialise) F(step) F(rollout) F(step_all) F(time) F(state_size)    \
    F(save) F(restore) F(reset)
#define DECLARE(name) static __typeof__(skidpad_##name) *name##_;
FUNCTIONS(DECLARE)

static const char *model, *tires;
static skidpad_vehicle *pair[2], *others[3];
static uint64_t seed;
static uint32_t inputs[MOST], numbers[MOST], shown[MOST]; /* shown: of inputs and outputs */
static int input_count, number_count, shown_count;
static bool ends;
static long steps, without, reads, reads_without, refused;
static uint8_t *kept; /* a saved state of good days */
static int64_t state_size;

static double chance(void) { return (double)(random_next(&seed) >> 11) * 0x1p-53; }
static int of(int n) { return (int)(random_next(&seed) % (uint64_t)n); }

#define TELL(what, ...)                                                       \
    do {                                                                      \
        figure("  %s, %ld steps: " what "\n", model, steps, __VA_ARGS__);     \
        _exit(1);                                                             \
    } while (0)

/* What a call has led to in both: the same status and, where that is an error, the same text. */
static int same(int fast, int slow, const char *what)
{
    char text[2][1024] = {"", ""};
    for (int k = 0; k < 2 && fast != SKIDPAD_OK; k++)
        snprintf(text[k], sizeof text[k], "%s", last_error_(pair[k]));
    if (fast != slow || strcmp(text[FAST], text[SLOW]) != 0)
        TELL("%s: status %d instead of %d, \"%s\" instead of \"%s\"", what, fast, slow, text[FAST], text[SLOW]);
    refused += fast != SKIDPAD_OK;
    return fast;
}

#define BOTH(what, call)                                       \
    __extension__({                                            \
        int of_both[2];                                        \
        for (int which = 0; which < 2; which++) {              \
            skidpad_vehicle *v = pair[which];                  \
            of_both[which] = (call);                           \
        }                                                      \
        same(of_both[FAST], of_both[SLOW], what);              \
    })

/* Whether C itself, and not Go, has made the latest step of the fast vehicle, or read its values: the handle is the
 * first of its slot, whose address it is. */
static skidpad_plan *plan(void)
{
    const vehicle_slot *s = (const vehicle_slot *)pair[FAST];
    MUST(s->handle == (uintptr_t)s);
    return s->window ? s->window->plan : NULL;
}
static bool stepped_without(void) { return plan() != NULL && plan()->stepped != 0; }

static void read_variables(void)
{
    skidpad_variable v;
    int64_t count;
    MUST(variable_count_(pair[FAST], &count) == SKIDPAD_OK && count < MOST);
    for (int64_t i = 0; i < count; i++) {
        MUST(describe_(pair[FAST], i, &v) == SKIDPAD_OK);
        numbers[number_count++] = v.reference;
        if (v.causality == SKIDPAD_INPUT)
            inputs[input_count++] = v.reference;
        if (v.causality == SKIDPAD_INPUT || v.causality == SKIDPAD_OUTPUT)
            shown[shown_count++] = v.reference;
        ends |= strcmp(v.name, "solver.ended") == 0;
    }
}

static void start(void)
{
    static const char *const methods[] = {"euler", "heun", "rk4", "linearly-implicit"};
    static const char *const moods[] = {"calm", "returns", "not_a_number", "huge", "behind", "ahead", "rates_behind"};
    static const char *const corners[] = {"tire_FL.model", "tire_FR.model", "tire_RL.model", "tire_RR.model"};
    static const double substeps[] = {0.001, 0.0005, 0.002};
    const char *method = methods[of(4)];
    double substep = substeps[of(3)];
    char text[PATH_MAX + 64];
    uint32_t r;
    snprintf(text, sizeof text, "plugin:%s#%s", tires ? tires : "", moods[of(7)]);
    MUST(set_time_limit_(pair[SLOW], 1000) == SKIDPAD_OK);
    BOTH("method", set_text_(v, "solver.method", method)); /* refused where the model asks for another one */
    MUST(find_(pair[FAST], "solver.step", &r) == SKIDPAD_OK);
    MUST(BOTH("substep", set_(v, &r, 1, &substep)) == SKIDPAD_OK);
    for (int k = 0; tires != NULL && k < 4; k++)
        MUST(BOTH("tire", set_text_(v, corners[k], text)) == SKIDPAD_OK);
    if (ends && of(3) == 0) /* else the conditions of the model */
        MUST(BOTH("ends", set_text_(v, "solver.end_at", "none")) == SKIDPAD_OK);
    if (BOTH("initialise", initialise_(v)) != SKIDPAD_OK)
        TELL("it cannot be initialised: %s", last_error_(pair[FAST]));
    free(kept);
    kept = NULL;
}

static void begin_again(void)
{
    MUST(BOTH("reset", reset_(v)) == SKIDPAD_OK);
    start();
}

static void save_both(void)
{
    static uint8_t *bytes[2];
    int64_t size = 0;
    MUST(BOTH("size", state_size_(v, &size)) == SKIDPAD_OK);
    for (int k = 0; k < 2; k++)
        MUST((bytes[k] = realloc(bytes[k], (size_t)size)) != NULL);
    MUST(BOTH("save", save_(v, bytes[which], size)) == SKIDPAD_OK);
    for (int64_t at = 0; at < size; at++)
        if (bytes[FAST][at] != bytes[SLOW][at])
            TELL("saved states differ at byte %ld of %ld: %02x instead of %02x", (long)at, (long)size, bytes[FAST][at],
                 bytes[SLOW][at]);
    state_size = size;
    MUST((kept = realloc(kept, (size_t)size)) != NULL);
    memcpy(kept, bytes[of(2)], (size_t)size);
}

static void recover(void)
{
    if (kept == NULL || of(3) == 0) /* days may have been too good */
        begin_again();
    else
        MUST(BOTH("restore", restore_(v, kept, state_size)) == SKIDPAD_OK);
}

static void compare(const double *fast, const double *slow, const uint32_t *references, int count)
{
    for (int k = 0; k < count; k++)
        if (memcmp(&fast[k], &slow[k], sizeof *fast) != 0)
            TELL("variable %u is %.17g instead of %.17g", references[k], fast[k], slow[k]);
}

static void compare_values(void)
{
    static double values[2][MOST];
    const uint32_t *list = of(4) ? shown : numbers;
    int most = list == shown ? shown_count : number_count, from = of(4) ? of(most) : 0, count = 1 + of(most - from);
    double time[2];
    bool before = stepped_without();
    list += from;
    if (BOTH("get", get_(v, list, count, values[which])) == SKIDPAD_OK)
        compare(values[FAST], values[SLOW], list, count);
    reads++;
    reads_without += before && stepped_without();
    MUST(BOTH("time", time_(v, &time[which])) == SKIDPAD_OK);
    if (memcmp(&time[FAST], &time[SLOW], sizeof *time) != 0)
        TELL("the time is %.17g instead of %.17g", time[FAST], time[SLOW]);
}

static int choose_inputs(double *values, int *from)
{
    static const double sizes[] = {0.01, 0.05, 1, 100, 2e3, 1e7, 1e300, INFINITY};
    double size = sizes[of(20) ? of(5) : of(8)];
    if (input_count == 0)
        return 0;
    *from = of(input_count);
    int count = 1 + of(input_count - *from);
    for (int k = 0; k < count; k++)
        values[k] = of(8) ? size * (chance() - (of(2) ? 0 : 0.5)) : (of(2) ? 0.0 : -0.0);
    if (of(2000) == 0)
        values[0] = NAN;
    return count;
}

static void set_inputs(void)
{
    double values[MOST + 1] = {0};
    int from = 0, count = choose_inputs(values, &from);
    uint32_t one = numbers[of(number_count)];
    if (count > 0)
        BOTH("set", set_(v, inputs + from, count, values));
    if (of(50) == 0)
        BOTH("set one of all", set_(v, &one, 1, values));
    if (of(50) == 0) { /* more than there are variables */
        uint32_t many[MOST + 1];
        for (int k = 0; k <= number_count; k++)
            many[k] = inputs[0];
        BOTH("set too many", set_(v, many, number_count + 1, values));
        BOTH("get too many", get_(v, many, number_count + 1, values));
    }
}

static void set_rates(void)
{
    double rate = chance() - 0.5;
    const uint32_t *one = &inputs[of(input_count + (input_count == 0))];
    if (input_count > 0)
        BOTH("rate", set_rates_(v, one, 1, &rate));
}

static void look_at_warnings(void)
{
    static char text[2][1 << 16];
    MUST(BOTH("warnings", warnings_(v, text[which], sizeof text[which])) == SKIDPAD_OK);
    if (strcmp(text[FAST], text[SLOW]) != 0)
        TELL("warnings: %s\n  instead of: %s", text[FAST], text[SLOW]);
}

/* Makes a step, by itself, with others, or several with inputs and values. */
static int make(int which, int how, double h, const double *set, int from, int set_count, double *got, int read)
{
    skidpad_vehicle *v = pair[which], *all[3] = {others[0], v, others[1]};
    int32_t statuses[3];
    int64_t made = 0;
    int status;
    switch (how) {
    case 0:
        status = step_all_(all, 3, h, 1 + (int)(h * 1e6) % 2, statuses);
        MUST(status == (statuses[0] ? statuses[0] : statuses[1] ? statuses[1] : statuses[2]));
        return statuses[1];
    case 1:
        status = step_all_(&v, 1, h, 1, statuses);
        MUST(statuses[0] == status);
        return status;
    case 2:
    case 3:
        status = rollout_(v, ROLLED, h, inputs + from, set_count, set, shown, read, got, how - 2, &made);
        MUST(status == SKIDPAD_OK ? made == ROLLED : made >= 0 && made < ROLLED);
        got[(int64_t)ROLLED * read] = (double)made;
        return status;
    default:
        return step_(v, h);
    }
}

/* A step with the rounding, the treatment of tiny numbers and the traps of some host. */
static void step_both(void)
{
    static const double lengths[] = {0.001, 0.001, 0.001, 0.0005, 0.002, 0.01, 0.0033, 1e-5, 0.0010000000001,
                                    1e-13};
    static double set[ROLLED * MOST], got[2][ROLLED * MOST + 1];
    double h = lengths[of(of(20) ? 9 : 10)] * (of(3) ? 1 : 1 + 1e-15 * of(5));
    int how = of(12), rolls = how == 2 || how == 3, from = 0, count = 0, read = of(shown_count), status[2];
    if (of(500) == 0)
        h = (double[]){0, -1e-3, NAN, INFINITY}[of(4)];
    if (rolls) {
        count = choose_inputs(set, &from);
        for (int k = count; k < ROLLED * count; k++)
            set[k] = set[k - count] * 0.9;
        if (of(3))
            read = of(8);
    }
#ifdef __x86_64__
    unsigned usual = _mm_getcsr() & ~0x3fu, odd = usual;
    if (of(4) == 0)
        odd = (usual & ~0x6000u) | (unsigned)of(4) << 13 | (of(2) ? 0x8040u : 0) | (of(8) ? 0 : 0x40u);
    if (of(16) == 0)
        odd &= ~0x0480u; /* traps: invalid and overflow */
#endif
    for (int k = 0; k < 2; k++) {
#ifdef __x86_64__
        _mm_setcsr(odd);
#endif
        status[k] = make(k, how, h, set, from, count, got[k], read);
#ifdef __x86_64__
        MUST((_mm_getcsr() & ~0x3fu) == odd);
        _mm_setcsr(usual);
#endif
        if (k == FAST) {
            steps++;
            without += stepped_without();
        }
    }
    MUST(!((const vehicle_slot *)pair[SLOW])->window);
    same(status[FAST], status[SLOW], "step");
    if (rolls && (status[FAST] == SKIDPAD_OK || got[FAST][ROLLED * read] == got[SLOW][ROLLED * read])) {
        int made = (int)got[FAST][ROLLED * read];
        for (int n = 0; n < made; n++)
            compare(got[FAST] + n * read, got[SLOW] + n * read, shown, read);
    } else if (rolls) {
        TELL("%g steps of a rollout instead of %g", got[FAST][ROLLED * read], got[SLOW][ROLLED * read]);
    }
    if (status[FAST] != SKIDPAD_OK) {
        compare_values();
        recover();
    }
}

static void one_call(void)
{
    switch (of(40)) {
    case 0:
        save_both();
        break;
    case 1:
        recover();
        break;
    case 2:
        set_rates();
        break;
    case 3:
        if (of(80) == 0)
            begin_again();
        break;
    case 4:
        if (of(4) == 0)
            look_at_warnings();
        break;
    case 5 ... 11:
        compare_values();
        break;
    case 12 ... 19:
        set_inputs();
        break;
    default:
        step_both();
    }
}

/* Threads that step, read and free the same vehicle. */
static skidpad_vehicle *shared;
static long shared_steps;
static uint32_t a_number;

static void *use(void *none)
{
    double value;
    long made = 0;
    for (int status = SKIDPAD_OK; status != SKIDPAD_NO_VEHICLE;) {
        status = step_(shared, 0.001);
        MUST(status == SKIDPAD_OK || status == SKIDPAD_BUSY || status == SKIDPAD_NO_VEHICLE);
        made += status == SKIDPAD_OK;
        status = get_(shared, &a_number, 1, &value);
        MUST(status == SKIDPAD_OK || status == SKIDPAD_BUSY || status == SKIDPAD_NO_VEHICLE);
    }
    __atomic_fetch_add(&shared_steps, made, __ATOMIC_RELAXED);
    return none;
}

static void share(void)
{
    enum { THREADS = 3, LIVES = 40, STEPS = 200 };
    for (int life = 0; life < LIVES; life++) {
        pthread_t thread[THREADS];
        double time = 0;
        int status;
        MUST(copy_(pair[FAST], &shared) == SKIDPAD_OK && initialise_(shared) == SKIDPAD_OK);
        shared_steps = 0;
        for (int k = 0; k < THREADS; k++)
            MUST(pthread_create(&thread[k], NULL, use, NULL) == 0);
        while (time < STEPS * 0.001) {
            status = time_(shared, &time);
            MUST(status == SKIDPAD_OK || status == SKIDPAD_BUSY);
        }
        while ((status = time_(shared, &time)) == SKIDPAD_BUSY || (status == SKIDPAD_OK && free_(shared) != SKIDPAD_OK))
            continue;
        MUST(status == SKIDPAD_OK && free_(shared) == SKIDPAD_NO_VEHICLE);
        for (int k = 0; k < THREADS; k++)
            MUST(pthread_join(thread[k], NULL) == 0);
        MUST((double)shared_steps * 0.001 >= time - 1e-6);
    }
}

/* A host's thread with a stack of 16 KiB makes steps that do not enter Go; the other vehicle makes them here. */
static void *steps_on_a_small_stack(void *of_both)
{
    int *status = of_both;
    for (int k = 0; k < SMALL && *status == SKIDPAD_OK; k++)
        *status = step_(pair[FAST], 0.001);
    return NULL;
}

static bool small_stack(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    int status[2] = {SKIDPAD_OK, SKIDPAD_OK};
    size_t smallest = 16384 > PTHREAD_STACK_MIN ? 16384 : (size_t)PTHREAD_STACK_MIN;
    tires = NULL;
    recover();
    for (int k = 0; k < 2; k++)
        if (BOTH("step", step_(v, 0.001)) != SKIDPAD_OK || !stepped_without())
            return false;
    pthread_attr_init(&attributes);
    MUST(pthread_attr_setstacksize(&attributes, smallest) == 0);
    MUST(pthread_create(&thread, &attributes, steps_on_a_small_stack, &status[FAST]) == 0);
    MUST(pthread_join(thread, NULL) == 0);
    for (int k = 0; k < SMALL && status[SLOW] == SKIDPAD_OK; k++)
        status[SLOW] = step_(pair[SLOW], 0.001);
    if (same(status[FAST], status[SLOW], "steps on a small stack") == SKIDPAD_OK)
        compare_values();
    return true;
}

int main(int argc, char **argv)
{
    static char error[1 << 16];
    MUST(argc == 5 || argc == 6);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    MUST(library != NULL);
#define FIND(name) MUST((name##_ = (__typeof__(name##_))dlsym(library, "skidpad_" #name)) != NULL);
    FUNCTIONS(FIND)
    seed = strtoull(argv[2], NULL, 10);
    model = argv[4];
    tires = argv[5];
    if (load_(model, NULL, &pair[FAST], error, sizeof error) != SKIDPAD_OK)
        TELL("%s", error);
    MUST(copy_(pair[FAST], &pair[SLOW]) == SKIDPAD_OK);
    for (int k = 0; k < 2; k++)
        MUST(copy_(pair[FAST], &others[k]) == SKIDPAD_OK && initialise_(others[k]) == SKIDPAD_OK);
    read_variables();
    start();
    for (long calls = atol(argv[3]); calls > 0; calls--)
        one_call();
    bool generic = strstr(model, "generic4w.toml") != NULL;
    figure("  %s%s: %ld steps, %ld without Go, %ld reads, %ld without Go, %ld calls refused", strrchr(model, '/') + 1,
           tires ? ", tires in C" : "", steps, without, reads, reads_without, refused);
#ifdef __x86_64__
    MUST(!generic || (without > steps / 20 && reads_without > reads / 40)); /* or nothing would have been compared */
#endif
    bool small = without > 0 && small_stack();
    figure("%s", small ? "; the same on a stack of 16 KiB" : "");
    if (generic && tires == NULL)
        share();
    figure("\n");
    return 0;
}
