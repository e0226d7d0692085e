/* Group 16: steps that the shim makes without Go, beside the same steps of the core.
 *
 *     paths SEED CALLS FMU [TIRES]
 *
 * Two instances of an FMU get the same calls by chance: inputs of all sizes, steps of all lengths, reads, states that
 * one saves and both restore, resets, instances freed and made again, and the rounding that the host has set. One of
 * them is asked to log slow steps, so that the core makes all of its steps. Statuses, messages, values and saved states
 * have to be the same to the last bit. TIRES is a library of tire functions, of which each start takes one. */
#include "host.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { MOST = 4096, SMALL = 100, FAST = 0, SLOW = 1 };

/* A call that enters the core masks signals by this function, which stands before that of the C library. */
static long entered;
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    entered++;
    return syscall(SYS_rt_sigprocmask, how, set, old, 8) == 0 ? 0 : 22;
}

static struct fmu f;
static struct instance pair[2];
static uint64_t seed;
static uint32_t inputs[MOST], numbers[MOST], outputs[MOST];
static size_t input_count, number_count, output_count;
static const char *tires; /* library, or NULL */
static bool events;       /* FMI 3.0: the importer handles events */
static long ended;        /* reads after a condition that ends runs has become true */
static int small_without; /* the thread with a small stack has not entered Go */
static long steps, without, reads, reads_without, recorded, failed[FATAL + 1];
static uint8_t *kept; /* a saved state of good days */
static size_t kept_size;
static double kept_time;

static double chance(void) { return (double)(random_next(&seed) >> 11) * 0x1p-53; }
static int of(int n) { return (int)(random_next(&seed) % (uint64_t)n); }

#define TELL(what, ...)                                                                                   \
    do {                                                                                                  \
        figure("  %s, FMI %d.0, %ld steps: " what "\n", f.name, f.version, steps, __VA_ARGS__);           \
        _exit(1);                                                                                         \
    } while (0)

/* Finds the numbers among the variables. */
static void read_variables(void)
{
    const char *element = f.version == 2 ? "<ScalarVariable " : "<Float64 ";
    for (const char *p = f.description; (p = strstr(p, element)) != NULL; p++) {
        const char *end = strchr(p, '>'), *at = strstr(p, " valueReference=\"");
        const char *input = strstr(p, "causality=\"input\""), *output = strstr(p, "causality=\"output\"");
        const char *child = end + 1 + strspn(end + 1, " \n");
        if (f.version == 2 && strncmp(child, "<Real", 5) != 0)
            continue;
        uint32_t r = (uint32_t)strtoul(at + strlen(" valueReference=\""), NULL, 10);
        MUST(number_count < MOST && at < end);
        numbers[number_count++] = r;
        if (input != NULL && input < end)
            inputs[input_count++] = r;
        if (output != NULL && output < end)
            outputs[output_count++] = r;
    }
    MUST(number_count > 0);
}

#define CALL2OR3(i, two, three, ...)                                                                      \
    ((i)->fmu->version == 2 ? (i)->fmu->f2.two(__VA_ARGS__) : (i)->fmu->f3.three(__VA_ARGS__))

static int set_text(struct instance *i, const char *name, const char *text)
{
    uint32_t r = fmu_reference(&f, name);
    return f.version == 2 ? f.f2.SetString(i->handle, &r, 1, &text) : f.f3.SetString(i->handle, &r, 1, &text, 1);
}

/* What a call has led to in both: the same status, as many messages, the same latest one. */
static int same(int fast, int slow, const char *what)
{
    const struct log *a = &pair[FAST].log, *b = &pair[SLOW].log;
    if (fast != slow || a->messages != b->messages || strcmp(a->latest, b->latest) != 0)
        TELL("%s: status %d instead of %d, %d messages instead of %d, the last \"%s\" instead of \"%s\"", what, fast,
             slow, a->messages, b->messages, a->latest, b->latest);
    failed[fast]++;
    return fast;
}

#define BOTH(what, call)                                                \
    __extension__({                                                     \
        int of_both[2];                                                 \
        for (int which = 0; which < 2; which++) {                       \
            struct instance *i = &pair[which];                          \
            of_both[which] = (call);                                    \
        }                                                               \
        same(of_both[FAST], of_both[SLOW], what);                       \
    })

/* Level ground of some height and friction, or, in one start of four, friction that differs from left to right. */
static void lay_ground(void)
{
    if (strstr(f.description, "name=\"road.friction_left\"") == NULL)
        return;
    uint32_t r[] = {fmu_reference(&f, "road.height"), fmu_reference(&f, "road.friction_left"),
                    fmu_reference(&f, "road.friction_right")};
    double friction = of(2) ? 1 : 0.4 + 0.6 * chance();
    double values[] = {of(2) ? 0 : -0.01 * chance(), friction, of(4) ? friction : 0.5};
    MUST(BOTH("ground", instance_set(i, r, 3, values)) == OK);
}

static void start(void)
{
    static const char *const methods[] = {"euler", "heun", "rk4", "linearly-implicit"};
    static const char *const moods[] = {"calm", "returns", "not_a_number", "huge", "behind", "ahead", "rates_behind"};
    static const double substeps[] = {0.001, 0.0005, 0.002};
    static const char *const corners[] = {"tire_FL.model", "tire_FR.model", "tire_RL.model", "tire_RR.model"};
    const char *method = methods[of(4)];
    double substep = substeps[of(3)];
    uint32_t r = fmu_reference(&f, "solver.step");
    char text[PATH_MAX + 64];
    snprintf(text, sizeof text, "plugin:%s#%s", tires ? tires : "", moods[of(7)]);
    same(BOTH("method", set_text(i, "solver.method", method)), OK, "method");
    BOTH("substep", instance_set(i, &r, 1, &substep));
    for (int k = 0; tires != NULL && k < 4; k++)
        MUST(BOTH("tire", set_text(i, corners[k], text)) == OK);
    if (strstr(f.description, "name=\"solver.end_at\"") != NULL && of(3) == 0) /* else the conditions of the model */
        MUST(BOTH("ends", set_text(i, "solver.end_at", "none")) == OK);
    lay_ground();
    MUST(BOTH("initialise", instance_initialise(i)) == OK);
    if (events)
        MUST(BOTH("step mode", i->fmu->f3.EnterStepMode(i->handle)) == OK);
    free(kept);
    kept = NULL;
}

/* An instance, for FMI 3.0 of one of four importers that handle events. */
static void instantiate(struct instance *i)
{
    MUST(instance_new(i, &f, "one"));
    if (!events)
        return;
    instance_free(i);
    i->handle = f.f3.InstantiateCoSimulation("one", f.token, f.resources, false, true, true, true, NULL, 0, &i->log,
                                             log3_message, NULL);
    MUST(i->handle != NULL);
}

/* Event Mode of FMI 3.0, and out of it. */
static int handle_event(struct instance *i)
{
    bool more = true, terminate, nominals, values, timed;
    double next;
    int status = i->fmu->f3.EnterEventMode(i->handle);
    while (status == OK && more)
        status = i->fmu->f3.UpdateDiscreteStates(i->handle, &more, &terminate, &nominals, &values, &timed, &next);
    return status == OK ? i->fmu->f3.EnterStepMode(i->handle) : status;
}

static void make(void)
{
    events = f.version == 3 && of(4) == 0;
    instantiate(&pair[FAST]);
    setenv("SKIDPAD_TIME_LIMIT", "1000000", 1);
    instantiate(&pair[SLOW]);
    unsetenv("SKIDPAD_TIME_LIMIT");
    if (of(2)) /* most hosts log nothing */
        BOTH("logging", CALL2OR3(i, SetDebugLogging, SetDebugLogging, i->handle, 0, 0, NULL));
    start();
}

/* The bytes of a state; the caller frees them. */
static uint8_t *save(struct instance *i, size_t *size)
{
    void *state = NULL;
    if (CALL2OR3(i, GetFMUstate, GetFMUState, i->handle, &state) != OK)
        return NULL;
    MUST(CALL2OR3(i, SerializedFMUstateSize, SerializedFMUStateSize, i->handle, state, size) == OK);
    uint8_t *bytes = malloc(*size);
    MUST((f.version == 2 ? f.f2.SerializeFMUstate(i->handle, state, (char *)bytes, *size)
                         : f.f3.SerializeFMUState(i->handle, state, bytes, *size)) == OK);
    MUST(CALL2OR3(i, FreeFMUstate, FreeFMUState, i->handle, &state) == OK);
    return bytes;
}

static int restore(struct instance *i, const uint8_t *bytes, size_t size)
{
    void *state = NULL;
    int status = f.version == 2 ? f.f2.DeSerializeFMUstate(i->handle, (const char *)bytes, size, &state)
                                : f.f3.DeserializeFMUState(i->handle, bytes, size, &state);
    MUST(status == OK);
    status = CALL2OR3(i, SetFMUstate, SetFMUState, i->handle, state);
    MUST(CALL2OR3(i, FreeFMUstate, FreeFMUState, i->handle, &state) == OK);
    return status;
}

/* Saves both, compares, and keeps the bytes of one of them. */
static void save_both(void)
{
    size_t size[2];
    uint8_t *bytes[2];
    for (int k = 0; k < 2; k++)
        bytes[k] = save(&pair[k], &size[k]);
    same(bytes[FAST] ? OK : ERROR, bytes[SLOW] ? OK : ERROR, "save");
    if (bytes[FAST] == NULL)
        return;
    MUST(size[FAST] == size[SLOW]);
    for (size_t at = 0; at < size[FAST]; at++)
        if (bytes[FAST][at] != bytes[SLOW][at])
            TELL("saved states differ at byte %zu of %zu: %02x instead of %02x", at, size[FAST], bytes[FAST][at],
                 bytes[SLOW][at]);
    int from = of(2);
    free(kept);
    free(bytes[!from]);
    kept = bytes[from];
    kept_size = size[from];
    kept_time = pair[from].time;
}

/* Back to good days: a state that one of both has saved, or the start. */
static void recover(void)
{
    if (kept != NULL && of(3) > 0) { /* days may have been too good */
        if (f.version == 2) /* whose states are not read after an error */
            MUST(BOTH("reset", instance_reset(i)) == OK);
        if (BOTH("restore", restore(i, kept, kept_size)) != OK)
            TELL("a state is refused: %s", pair[FAST].log.latest);
        pair[FAST].time = pair[SLOW].time = kept_time;
        return;
    }
    MUST(BOTH("reset", instance_reset(i)) == OK);
    start();
}

static void compare_values(void)
{
    static double values[2][MOST];
    size_t from = of(4) ? (size_t)of((int)number_count) : 0, count = 1 + (size_t)of((int)(number_count - from));
    int status[2];
    for (int k = 0; k < 2; k++) {
        long before = entered;
        status[k] = instance_get(&pair[k], numbers + from, count, values[k]);
        if (k == FAST) {
            reads++;
            reads_without += entered == before;
        }
    }
    if (same(status[FAST], status[SLOW], "get") != OK)
        return;
    if (strstr(f.description, "name=\"solver.ended\"") != NULL) {
        uint32_t r = fmu_reference(&f, "solver.ended");
        double number[2] = {0, 0};
        if (BOTH("ended", instance_get(i, &r, 1, &number[which])) != OK)
            return;
        if (number[FAST] != number[SLOW])
            TELL("the condition that has ended the run is %g instead of %g", number[FAST], number[SLOW]);
        ended += number[FAST] != 0;
    }
    for (size_t k = 0; k < count; k++)
        if (memcmp(&values[FAST][k], &values[SLOW][k], sizeof(double)) != 0)
            TELL("variable %u is %.17g instead of %.17g", numbers[from + k], values[FAST][k], values[SLOW][k]);
}

/* Importers that record all outputs: after a step without Go, reading them needs no Go either. The core reads values
 * that are not numbers, and evaluates sines of angles above 2^20 rad, which belong to speeds of that size here. */
static void record_outputs(void)
{
    static double values[2][MOST];
    int status[2], moderate = 1;
    long before = entered;
    status[FAST] = instance_get(&pair[FAST], outputs, output_count, values[FAST]);
    int entry = entered != before;
    status[SLOW] = instance_get(&pair[SLOW], outputs, output_count, values[SLOW]);
    if (same(status[FAST], status[SLOW], "outputs") != OK)
        return;
    for (size_t k = 0; k < output_count; k++) {
        moderate &= fabs(values[FAST][k]) <= 0x1p20;
        if (memcmp(&values[FAST][k], &values[SLOW][k], sizeof(double)) != 0)
            TELL("output %u is %.17g instead of %.17g", outputs[k], values[FAST][k], values[SLOW][k]);
    }
    if (entry && moderate)
        TELL("%zu outputs are read by Go", output_count);
    recorded++;
}

static void set_inputs(void)
{
    static const double sizes[] = {0.01, 0.05, 1, 100, 2e3, 1e7, 1e300, INFINITY};
    double values[MOST], size = sizes[of(20) ? of(5) : of(8)];
    if (input_count == 0)
        return;
    size_t from = (size_t)of((int)input_count), count = 1 + (size_t)of((int)(input_count - from));
    for (size_t k = 0; k < count; k++)
        values[k] = of(8) ? size * (chance() - (of(2) ? 0 : 0.5)) : (of(2) ? 0.0 : -0.0);
    if (of(2000) == 0)
        values[0] = NAN;
    if (BOTH("set", instance_set(i, inputs + from, count, values)) > WARNING)
        recover();
}

static void set_rates(void)
{
    int order = 1;
    double rate = chance() - 0.5;
    if (f.version == 2 && input_count > 0) {
        uint32_t r = inputs[of((int)input_count)];
        BOTH("rate", i->fmu->f2.SetRealInputDerivatives(i->handle, &r, 1, &order, &rate));
    }
}

/* A step with the rounding, the treatment of tiny numbers and the traps of some host. */
static void step_both(void)
{
    static const double lengths[] = {0.001, 0.001, 0.001, 0.0005, 0.002, 0.01, 0.0033, 1e-5, 0.0010000000001,
                                    1e-13};
    double h = lengths[of(of(20) ? 9 : 10)] * (of(3) ? 1 : 1 + 1e-15 * of(5));
    double late = of(50) ? 0 : h * (of(2) ? 1e-12 : 3e-4);
    int status[2], slip = of(500), by_go = 1;
    double last[2] = {0, 0};
    bool happened[2] = {false, false};
    if (slip == 0)
        h = (double[]){0, -1e-3, NAN, INFINITY}[of(4)];
    if (slip == 1)
        late = 0.5;
#ifdef __x86_64__
    unsigned usual = _mm_getcsr() & ~0x3fu, odd = usual;
    if (of(4) == 0)
        odd = (usual & ~0x6000u) | (unsigned)of(4) << 13 | (of(2) ? 0x8040u : 0) | (of(8) ? 0 : 0x40u);
    if (of(16) == 0)
        odd &= ~0x0480u; /* traps: invalid and overflow */
#endif
    for (int k = 0; k < 2; k++) {
        struct instance *i = &pair[k];
        bool event = true, terminate = true, early = true;
        double t = i->time + late;
        long before = entered;
#ifdef __x86_64__
        _mm_setcsr(odd);
#endif
        status[k] = f.version == 2 ? f.f2.DoStep(i->handle, t, h, 1)
                                   : f.f3.DoStep(i->handle, t, h, true, &event, &terminate, &early, &last[k]);
#ifdef __x86_64__
        MUST((_mm_getcsr() & ~0x3fu) == odd);
        _mm_setcsr(usual);
#endif
        if (k == FAST) {
            steps++;
            by_go = entered != before;
            without += !by_go;
        } else {
            MUST(entered > before);
        }
        if (f.version == 3 && status[k] == OK) {
            MUST(!terminate && (events || !(event || early)));
            happened[k] = event;
        }
        i->time = f.version == 3 && status[k] == OK ? last[k] : t + h;
    }
    MUST(happened[FAST] == happened[SLOW]);
    same(status[FAST], status[SLOW], "step");
    if (memcmp(&last[FAST], &last[SLOW], sizeof(double)) != 0)
        TELL("the last successful time is %.17g instead of %.17g", last[FAST], last[SLOW]);
    if (status[FAST] > WARNING) {
        compare_values();
        recover();
    } else if (happened[FAST]) {
        MUST(BOTH("event", handle_event(i)) == OK);
    } else if (!by_go && of(4) == 0) {
        record_outputs();
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
        if (of(20) == 0) {
            for (int k = 0; k < 2; k++)
                instance_free(&pair[k]);
            make();
        } else if (of(4) == 0) {
            MUST(BOTH("reset", instance_reset(i)) == OK);
            start();
        }
        break;
    case 4 ... 11:
        compare_values();
        break;
    case 12 ... 19:
        set_inputs();
        break;
    default:
        step_both();
    }
}

/* A host's thread with a stack of 16 KiB makes steps that do not enter Go; the other instance makes them here. */
static void *steps_on_a_small_stack(void *of_both)
{
    int *status = of_both;
    long before = entered;
    for (int k = 0; k < SMALL && *status == OK; k++)
        *status = instance_step(&pair[FAST], 0.001);
    small_without = entered == before;
    return NULL;
}

static void small_stack(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    int status[2] = {OK, OK};
    size_t smallest = 16384 > PTHREAD_STACK_MIN ? 16384 : (size_t)PTHREAD_STACK_MIN;
    for (int k = 0; k < 2; k++)
        instance_free(&pair[k]);
    tires = NULL;
    do
        make();
    while (events && (instance_free(&pair[FAST]), instance_free(&pair[SLOW]), 1));
    if (BOTH("step", instance_step(i, 0.001)) != OK || BOTH("step", instance_step(i, 0.001)) != OK)
        return; /* not with this method */
    pthread_attr_init(&attributes);
    MUST(pthread_attr_setstacksize(&attributes, smallest) == 0);
    MUST(pthread_create(&thread, &attributes, steps_on_a_small_stack, &status[FAST]) == 0);
    MUST(pthread_join(thread, NULL) == 0);
    for (int k = 0; k < SMALL && status[SLOW] == OK; k++)
        status[SLOW] = instance_step(&pair[SLOW], 0.001);
    if (same(status[FAST], status[SLOW], "steps on a small stack") <= WARNING)
        compare_values();
}

int main(int argc, char **argv)
{
    MUST(argc == 4 || argc == 5);
    seed = strtoull(argv[1], NULL, 10);
    tires = argv[4];
    fmu_open(&f, argv[3]);
    read_variables();
    make();
    for (long calls = atol(argv[2]); calls > 0; calls--)
        one_call();
    figure("  %s, FMI %d.0%s: %ld steps, %ld without Go, %ld reads, %ld without Go, all outputs %ld times; "
           "%ld refused, %ld discarded, %ld reads after an end",
           f.name, f.version, tires ? ", tires in C" : "", steps, without, reads, reads_without, recorded,
           failed[ERROR], failed[DISCARD], ended);
#ifdef __x86_64__
    MUST(strcmp(f.name, "GenericVehicle") != 0 || without > steps / 20); /* or nothing would have been compared */
    MUST(strcmp(f.name, "GenericVehicle") != 0 || (ended > 0 && recorded > 0));
#endif
    if (without > 0)
        small_stack();
    figure("%s\n", small_without ? "; the same on a stack of 16 KiB" : "");
    return 0;
}
