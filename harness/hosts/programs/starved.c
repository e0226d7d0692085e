/* Group 15, first part: the system has no memory for the library at one moment, whichever it is.
 *
 *     starved TIRES LIBRARY MODEL PARAMETERS WHEEL2 WHEEL3 FMU...
 *
 * TIRES is the folder of the example tires, PARAMETERS a parameter file for them; WHEEL2 and WHEEL3
 * are FMUs of a small model. This host has malloc, calloc and
 * realloc of its own, which the library, the shims and the loader of the system use, too. For every kind of call the
 * first allocation within it fails, then the second, and so on until the call passes without a failure. After each
 * failure there is an error with a message, and the instance comes back to life and drives as before, to the last bit.
 *
 * The memory of Go does not come from here, and Go ends the process where the system gives it none; docs/limits.md. So
 * what Go's own runtime asks of the system for threads is left out. */
#include "host.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../../../capi/skidpad.h"

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static _Thread_local long countdown; /* this allocation of this thread fails; 0: none */
static _Thread_local bool failed;

static bool fails(void)
{
    if (countdown == 0 || --countdown != 0)
        return false;
    failed = true;
    errno = ENOMEM;
    return true;
}

/* Go describes each thread that it makes in a block of three words from malloc, which no other code of the library
 * calls: that takes calloc. */
static bool for_thread(size_t size, const void *caller)
{
    Dl_info info;
    return countdown != 0 && size == 3 * sizeof(void *) && dladdr(caller, &info) != 0 && info.dli_fname != NULL &&
           (strstr(info.dli_fname, "skidpad-core") != NULL || strstr(info.dli_fname, "libskidpad") != NULL);
}

void *malloc(size_t size)
{
    return !for_thread(size, __builtin_return_address(0)) && fails() ? NULL : __libc_malloc(size);
}
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t size) { return fails() ? NULL : __libc_realloc(p, size); }

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
    static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    long kept = countdown;
    countdown = 0;
    if (create == NULL)
        *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    int status = create(thread, attributes, body, argument);
    countdown = kept;
    return status;
}

/* With this Go asks where the stack of a thread ends that calls it for the first time, without looking at the status.
 */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    static int (*get)(pthread_t, pthread_attr_t *);
    long kept = countdown;
    countdown = 0;
    if (get == NULL)
        *(void **)&get = dlsym(RTLD_NEXT, "pthread_getattr_np");
    int status = get(thread, attributes);
    countdown = kept;
    return status;
}

static void starve_from(long n)
{
    countdown = n;
    failed = false;
}

/* Whether an allocation has failed since. */
static bool fed(void)
{
    countdown = 0;
    return failed;
}

struct starving {
    const struct fmu *f;
    struct instance i;
    char plugin[PATH_MAX + 64], sti[PATH_MAX + 64], sti_file[PATH_MAX], file[PATH_MAX];
    double before[DRIVE];
    void *states[2];
    char *bytes;
    size_t size;
    int failures, calls;
};

#define CALL(s, two, three) ((s)->f->version == 2 ? (s)->f->f2.two : (s)->f->f3.three)

/* A run of the instance, which is new or reset, is the one that was made at first. */
static void drive_as_before(struct starving *s, const char *after)
{
    double values[DRIVE];
    if (instance_initialise(&s->i) != OK) {
        figure("  FMI %d.0, after %s: %s\n", s->f->version, after, s->i.log.latest);
        _exit(1);
    }
    for (int step = 0; step < DRIVE_STEPS; step++)
        drive_step(&s->i, 1, step, values + step * DRIVE_OUTPUTS);
    MUST(drive_equal(values, s->before));
    MUST(instance_reset(&s->i) == OK);
}

typedef int attempt(struct starving *);

/* body, from where prepare has left the instance, gives the status expected if it gets all memory. */
static void starve(struct starving *s, const char *what, attempt *prepare, attempt *body, int expected)
{
    for (long n = 1;; n++) {
        if (prepare != NULL)
            MUST(prepare(s) == OK);
        memset(&s->i.log, 0, sizeof s->i.log);
        starve_from(n);
        int status = body(s);
        bool hungry = fed();
        if (status != expected && (!hungry || status != ERROR))
            figure("  FMI %d.0, %s: status %d where allocation %ld fails: %s\n", s->f->version, what, status, n,
                   s->i.log.latest);
        MUST(status == expected || (hungry && status == ERROR));
        if (status == ERROR && s->i.log.messages == 0)
            figure("  FMI %d.0, %s: no message where allocation %ld fails\n", s->f->version, what, n);
        MUST(status != ERROR || s->i.log.messages > 0);
        memset(&s->i.log, 0, sizeof s->i.log);
        if (instance_reset(&s->i) != OK)
            figure("  FMI %d.0, %s: cannot be reset after allocation %ld failed: %s\n", s->f->version, what, n,
                   s->i.log.latest);
        MUST(instance_reset(&s->i) == OK);
        drive_as_before(s, what);
        if (!hungry)
            break;
        s->failures++;
    }
    s->calls++;
}

static int initialised(struct starving *s) { return instance_initialise(&s->i); }

static int set_text(struct starving *s, const char *name, const char *text)
{
    uint32_t reference = fmu_reference(s->f, name);
    return CALL(s, SetString(s->i.handle, &reference, 1, &text), SetString(s->i.handle, &reference, 1, &text, 1));
}

static int get_texts(struct starving *s)
{
    uint32_t references[] = {fmu_reference(s->f, "solver.method"), fmu_reference(s->f, "tire_FL.model")};
    const char *texts[2] = {NULL, NULL};
    int status = CALL(s, GetString(s->i.handle, references, 2, texts), GetString(s->i.handle, references, 2, texts, 2));
    if (status == OK)
        MUST(texts[0][0] != 0 && texts[1][0] != 0);
    return status;
}

static int initialise_and_step(struct starving *s)
{
    int status = instance_initialise(&s->i);
    return status == OK ? instance_step(&s->i, DRIVE_STEP) : status;
}

static const char *const wheels[] = {"FL", "FR", "RL", "RR"};

static int set_tires(struct starving *s, const char *model, const char *file)
{
    char name[32];
    int status = OK;
    for (int k = 0; k < 4 && status == OK; k++) {
        snprintf(name, sizeof name, "tire_%s.model", wheels[k]);
        status = set_text(s, name, model);
        snprintf(name, sizeof name, "tire_%s.file", wheels[k]);
        if (status == OK)
            status = set_text(s, name, file);
    }
    return status;
}

static int plugin_tires(struct starving *s)
{
    int status = set_tires(s, s->plugin, s->file);
    return status == OK ? initialise_and_step(s) : status;
}

static int sti_tires(struct starving *s)
{
    int status = set_tires(s, s->sti, s->sti_file);
    if (status == OK)
        status = initialise_and_step(s);
    bool hungry = fed();
    if (status == OK) /* earlier failures have kept nothing of the library, else this vehicle would get a copy */
        MUST(mappings("/skidpad-sti-") == 0);
    failed = hungry;
    return status;
}

static int step(struct starving *s) { return instance_step(&s->i, DRIVE_STEP); }
static int wrong_step(struct starving *s) { return instance_step(&s->i, -1); }
static int reset(struct starving *s) { return instance_reset(&s->i); }
static int terminate(struct starving *s) { return CALL(s, Terminate(s->i.handle), Terminate(s->i.handle)); }

static int long_message(struct starving *s)
{
    static char text[3001];
    memset(text, '#', sizeof text - 1); /* doubled for the logger */
    return set_text(s, "solver.method", text);
}

static int log_all(struct starving *s)
{
    static const char *const categories[] = {"logStatusWarning", "logStatusError"};
    return CALL(s, SetDebugLogging(s->i.handle, 1, 2, categories), SetDebugLogging(s->i.handle, true, 2, categories));
}

static int derivative(struct starving *s)
{
    uint32_t unknown = fmu_reference(s->f, "body.vx"), known = fmu_reference(s->f, "brake_FL.torque");
    double seed = 1, result;
    return CALL(s, GetDirectionalDerivative(s->i.handle, &unknown, 1, &known, 1, &seed, &result),
                GetDirectionalDerivative(s->i.handle, &unknown, 1, &known, 1, &seed, 1, &result, 1));
}

static int get_state(struct starving *s, void **state)
{
    return CALL(s, GetFMUstate(s->i.handle, state), GetFMUState(s->i.handle, state));
}
static int free_state(struct starving *s, void **state)
{
    return CALL(s, FreeFMUstate(s->i.handle, state), FreeFMUState(s->i.handle, state));
}
static int set_state(struct starving *s, void *state)
{
    return CALL(s, SetFMUstate(s->i.handle, state), SetFMUState(s->i.handle, state));
}

/* A state that was got before another could not be is still there, and brings the instance back. */
static int state_got(struct starving *s)
{
    int status = initialise_and_step(s);
    return status == OK ? get_state(s, &s->states[0]) : status;
}

static int states(struct starving *s)
{
    int status = get_state(s, &s->states[1]);
    if (status == OK)
        status = CALL(s, SerializedFMUstateSize(s->i.handle, s->states[1], &s->size),
                      SerializedFMUStateSize(s->i.handle, s->states[1], &s->size));
    if (status == OK && s->bytes == NULL)
        MUST((s->bytes = __libc_malloc(s->size)) != NULL);
    if (status == OK)
        status = CALL(s, SerializeFMUstate(s->i.handle, s->states[1], s->bytes, s->size),
                      SerializeFMUState(s->i.handle, s->states[1], (uint8_t *)s->bytes, s->size));
    if (status == OK)
        status = free_state(s, &s->states[1]);
    if (status == OK)
        status = CALL(s, DeSerializeFMUstate(s->i.handle, s->bytes, s->size, &s->states[1]),
                      DeserializeFMUState(s->i.handle, (uint8_t *)s->bytes, s->size, &s->states[1]));
    if (status == OK)
        status = get_state(s, &s->states[0]); /* into one that is there */
    bool hungry = fed();
    MUST(set_state(s, s->states[0]) == OK && instance_step(&s->i, DRIVE_STEP) == OK);
    for (int k = 0; k < 2; k++)
        if (s->states[k] != NULL)
            MUST(free_state(s, &s->states[k]) == OK && s->states[k] == NULL);
    failed = hungry;
    return status;
}

/* A state of another size takes the place of one that is there: without memory, the old one stays. */
static int state_replaced(struct starving *s)
{
    void *state = s->states[0];
    int status = get_state(s, &s->states[0]);
    bool hungry = fed();
    if (status != OK)
        MUST(s->states[0] == state && set_state(s, state) == OK);
    MUST(s->states[0] != NULL && free_state(s, &s->states[0]) == OK);
    failed = hungry;
    return status;
}

/* The state of an instance with tires that have internal states, or that is not initialised, has another size. */
static int state_of_other_size(struct starving *s)
{
    int status = get_state(s, &s->states[0]);
    return status == OK ? initialise_and_step(s) : status;
}

enum { ATTEMPTS = 70 };

/* No instance, or one that works. Many attempts fail: none of them may use up anything. */
static void instantiate(struct starving *s, const char *what)
{
    for (long n = 1;; n++) {
        bool hungry = false;
        for (int k = 0; k < ATTEMPTS; k++) {
            starve_from(n);
            bool made = instance_new(&s->i, s->f, "starving");
            hungry = fed();
            if (!made && (!hungry || s->i.log.messages == 0))
                figure("  FMI %d.0, %s: %d messages where allocation %ld fails: %s\n", s->f->version, what,
                       s->i.log.messages, n, s->i.log.latest);
            MUST(made || (hungry && s->i.log.status == ERROR && s->i.log.messages > 0));
            if (made)
                instance_free(&s->i);
            if (!hungry)
                break;
            s->failures++;
        }
        if (!hungry)
            break;
    }
    s->calls++;
    MUST(instance_new(&s->i, s->f, "starving"));
    drive_as_before(s, what);
    instance_free(&s->i);
}

/* Freeing needs no memory; what could not be logged meanwhile is none of it. */
static void let_go(struct starving *s)
{
    for (long n = 1;; n++) {
        MUST(instance_new(&s->i, s->f, "freed"));
        MUST(set_tires(s, s->plugin, s->file) == OK && initialise_and_step(s) == OK);
        MUST(get_state(s, &s->states[0]) == OK && get_texts(s) == OK && wrong_step(s) == ERROR);
        starve_from(n);
        instance_free(&s->i);
        if (!fed())
            break;
        s->failures++;
    }
    s->states[0] = NULL;
    s->calls++;
}

static void *handle_of_update; /* the instance within an intermediate update */
static const struct fmu *fmu_of_update;
static bool misuse; /* the update sets an output, which is refused and ends the step */

static void update(void *environment, double time, bool set_requested, bool get_allowed, bool step_finished,
                   bool can_return_early, bool *early_return_requested, double *early_return_time)
{
    uint32_t reference = fmu_reference(fmu_of_update, "body.vx");
    double value;
    (void)environment, (void)time, (void)set_requested, (void)get_allowed, (void)step_finished, (void)can_return_early;
    (void)early_return_requested, (void)early_return_time;
    int status = fmu_of_update->f3.GetFloat64(handle_of_update, &reference, 1, &value, 1);
    if (misuse)
        fmu_of_update->f3.SetFloat64(handle_of_update, &reference, 1, &value, 1);
    else
        MUST(status == OK);
}

static int step_with_updates(struct starving *s) { return instance_step(&s->i, 3 * DRIVE_STEP); }
static int step_with_misuse(struct starving *s)
{
    misuse = true;
    int status = step_with_updates(s);
    misuse = false;
    return status;
}

static void updates(struct starving *s)
{
    uint32_t reference = fmu_reference(s->f, "body.vx");
    s->i.handle = s->f->f3.InstantiateCoSimulation("updates", s->f->token, s->f->resources, false, true, false, false,
                                                   &reference, 1, &s->i.log, log3_message, update);
    MUST(s->i.handle != NULL);
    handle_of_update = s->i.handle;
    fmu_of_update = s->f;
    starve(s, "a step with intermediate updates", initialised, step_with_updates, OK);
    starve(s, "a step with wrong intermediate updates", initialised, step_with_misuse, ERROR);
    instance_free(&s->i);
}

static void calls(void *argument)
{
    struct starving *s = argument;
    drive(s->f, 1, s->before);
    MUST(instance_new(&s->i, s->f, "starving"));
    starve(s, "getting texts", NULL, get_texts, OK);
    starve(s, "initialisation", NULL, initialise_and_step, OK);
    starve(s, "a step", initialised, step, OK);
    starve(s, "a wrong step", initialised, wrong_step, ERROR);
    starve(s, "a wrong text", NULL, long_message, ERROR);
    starve(s, "choosing messages", NULL, log_all, OK);
    starve(s, "a derivative", initialised, derivative, OK);
    starve(s, "the end", initialised, terminate, OK);
    starve(s, "a reset", initialised, reset, OK);
    starve(s, "saved states", state_got, states, OK);
    starve(s, "a saved state of another size", state_of_other_size, state_replaced, OK);
    starve(s, "tires of a library", NULL, plugin_tires, OK);
    starve(s, "tires of the Standard Tyre Interface", NULL, sti_tires, OK);
    instance_free(&s->i);
    instantiate(s, "a new instance");
    let_go(s);
    if (s->f->version == 3)
        updates(s);
    figure("  %s, FMI %d.0: %d allocations refused in %d kinds of calls, all instances go on\n", s->f->name,
           s->f->version, s->failures, s->calls);
}

/* The loader of the system and the core begin without memory, each time in a process of its own; so does the shim of
 * another FMU where the core is there. Afterwards one core is there, and all goes on. */
struct beginning {
    const struct fmu *first, *second;
    long n;
};

enum { NOT_HUNGRY = 7, TOO_LATE = 8 };

/* Each core has one mapping that runs. */
static int loaded_cores(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[PATH_MAX + 256];
    int found = 0;
    MUST(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL)
        found += strstr(line, " r-xp ") != NULL && strstr(line, "/skidpad-core-") != NULL;
    fclose(maps);
    return found;
}

static void begin_hungry(void *argument)
{
    struct beginning *b = argument;
    struct instance i;
    if (b->second != b->first) {
        MUST(instance_new(&i, b->second, "second") && instance_initialise(&i) == OK);
        instance_free(&i);
    }
    bool made = false, hungry = false;
    for (int k = 0; k < ATTEMPTS && !made; k++) {
        starve_from(b->n);
        made = instance_new(&i, b->first, "first");
        hungry = fed() || hungry;
        if (!made && i.log.messages == 0)
            figure("  FMI %d.0: no message where allocation %ld of the first instance fails\n", b->first->version,
                   b->n);
        MUST(made || (hungry && i.log.messages > 0 && i.log.status == ERROR));
    }
    if (!made && !instance_new(&i, b->first, "first")) { /* the loader of the system does not recover from everything */
        MUST(b->first == b->second && i.log.messages > 0 && strstr(i.log.latest, "restart the process") != NULL);
        _exit(TOO_LATE);
    }
    MUST(instance_initialise(&i) == OK && instance_step(&i, DRIVE_STEP) == OK);
    instance_free(&i);
    if (loaded_cores() != 1)
        figure("  FMI %d.0: %d cores after allocation %ld has failed\n", b->first->version, loaded_cores(), b->n);
    MUST(loaded_cores() == 1);
    if (!hungry)
        _exit(NOT_HUNGRY);
}

static void first_instance(const struct fmu *first, const struct fmu *second)
{
    struct beginning b = {first, second, 1};
    int status, late = 0;
    while ((status = in_child(begin_hungry, &b, 5)) == 0 || (WIFEXITED(status) && WEXITSTATUS(status) == TOO_LATE)) {
        late += status != 0;
        b.n++;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != NOT_HUNGRY)
        figure("  FMI %d.0: wait status %#x where allocation %ld of the first instance fails\n", first->version, status,
               b.n);
    MUST(WIFEXITED(status) && WEXITSTATUS(status) == NOT_HUNGRY);
    MUST(2 * late < b.n);
    figure("  %s, FMI %d.0: %ld allocations refused while the first instance is made%s, after %d of them only another "
           "process helps\n",
           first->name, first->version, b.n - 1, first == second ? "" : " beside another FMU", late);
}

/* The same for the functions of skidpad.h. */
#define API(F)                                                                                                  \
    F(load)                                                                                                     \
    F(copy) F(free) F(last_error) F(describe) F(set_text) F(get_text) F(trim) F(initialise) F(step) F(step_all) \
        F(find) F(get) F(state_size) F(save) F(restore) F(reset)
#define MEMBER(name) __typeof__(&skidpad_##name) name;
static struct {
    API(MEMBER)
} api;

enum { VEHICLE_STEPS = 20 };

static void vehicle_run(skidpad_vehicle *v, double speeds[VEHICLE_STEPS])
{
    uint32_t vx;
    MUST(api.find(v, "body.vx", &vx) == 0 && api.initialise(v) == 0);
    for (int k = 0; k < VEHICLE_STEPS; k++)
        MUST(api.step(v, DRIVE_STEP) == 0 && api.get(v, &vx, 1, &speeds[k]) == 0);
    MUST(api.reset(v) == 0);
}

/* Every function that may want memory; the index of a call on the living vehicle v, -1 after the last one. */
static int vehicle_call(int k, skidpad_vehicle *v, const char *model, const struct starving *s)
{
    skidpad_vehicle *other = NULL;
    skidpad_variable variable;
    char error[1024] = "", text[256];
    int32_t status;
    switch (k) {
    case 0:
        status = api.load(model, NULL, &other, error, sizeof error);
        if (status == SKIDPAD_OK)
            MUST(api.free(other) == 0);
        else
            MUST(error[0] != 0);
        return status;
    case 1:
        status = api.copy(v, &other);
        if (status == SKIDPAD_OK)
            MUST(api.free(other) == 0);
        return status;
    case 2:
        status = api.describe(v, 3, &variable);
        if (status == SKIDPAD_OK)
            MUST(variable.name != NULL && variable.unit != NULL && variable.text != NULL);
        return status;
    case 3: /* the text of an error is none, or all of it; and again */
        MUST(api.set_text(v, "solver.method", "no such method") < 0);
        for (int again = 0; again < 3; again++) {
            const char *reason = api.last_error(v);
            MUST(reason == NULL || strstr(reason, "no such method") != NULL);
        }
        return SKIDPAD_OK;
    case 4:
        status = api.set_text(v, "tire_FL.model", s->plugin);
        if (status == SKIDPAD_OK)
            status = api.set_text(v, "tire_FL.file", s->file);
        if (status == SKIDPAD_OK)
            status = api.initialise(v);
        return status;
    case 5:
        status = api.set_text(v, "tire_RR.model", s->sti);
        if (status == SKIDPAD_OK)
            status = api.set_text(v, "tire_RR.file", s->sti_file);
        if (status == SKIDPAD_OK)
            status = api.initialise(v);
        if (status == SKIDPAD_OK)
            status = api.step_all(&v, 1, DRIVE_STEP, 1, NULL);
        return status;
    case 6:
        return api.get_text(v, "tire_FL.model", text, sizeof text);
    }
    return 1;
}

static void vehicles(void *argument)
{
    struct starving *s = ((void **)argument)[0];
    const char *library = ((void **)argument)[1], *model = ((void **)argument)[2];
    void *l = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    MUST(l != NULL);
#define RESOLVE(name) MUST((*(void **)&api.name = dlsym(l, "skidpad_" #name)) != NULL);
    API(RESOLVE)
    skidpad_vehicle *v = NULL;
    char error[1024];
    double before[VEHICLE_STEPS], after[VEHICLE_STEPS];
    MUST(api.load(model, NULL, &v, error, sizeof error) == 0);
    vehicle_run(v, before);
    int failures = 0, kinds = 0;
    for (;; kinds++) {
        int32_t status = SKIDPAD_OK;
        for (long n = 1;; n++) {
            starve_from(n);
            status = vehicle_call(kinds, v, model, s);
            bool hungry = fed();
            if (status > 0)
                break;
            if (status < 0 && (!hungry || status == SKIDPAD_INTERNAL))
                figure("  call %d of skidpad.h: status %d where allocation %ld fails: %s\n", kinds, status, n,
                       api.last_error(v));
            MUST(status == SKIDPAD_OK || (hungry && status != SKIDPAD_INTERNAL));
            MUST(api.reset(v) == 0);
            vehicle_run(v, after);
            MUST(memcmp(before, after, sizeof before) == 0);
            if (!hungry)
                break;
            failures++;
        }
        if (status > 0)
            break;
    }
    MUST(api.free(v) == 0);
    figure("  skidpad.h: %d allocations refused in %d kinds of calls, the vehicle goes on\n", failures, kinds);
}

int main(int argc, char **argv)
{
    MUST(argc > 7);
    static struct starving s;
    /* the loader of glibc 2.36 does not recover where it has no memory for a library that another one needs */
    MUST(dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL) != NULL);
    snprintf(s.plugin, sizeof s.plugin, "plugin:%s/fiala.so#skidpad_fiala", argv[1]);
    snprintf(s.sti, sizeof s.sti, "sti:%s/fiala_sti.so#fiala_", argv[1]);
    snprintf(s.sti_file, sizeof s.sti_file, "%s/fiala.txt", argv[1]);
    snprintf(s.file, sizeof s.file, "%s", argv[4]);
    struct fmu wheel[2];
    for (int n = 0; n < 2; n++)
        fmu_open(&wheel[n], argv[5 + n]);
    for (int n = 7; n < argc; n++) {
        struct fmu f;
        fmu_open(&f, argv[n]);
        s.f = &f;
        MUST(in_child(calls, &s, 60) == 0);
        fmu_close(&f);
    }
    for (int n = 0; n < 2; n++)
        first_instance(&wheel[n], &wheel[n]), first_instance(&wheel[n], &wheel[1 - n]);
    void *arguments[] = {&s, argv[2], argv[3]};
    MUST(in_child(vehicles, arguments, 60) == 0);
    return 0;
}
