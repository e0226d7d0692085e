/* Group 5: foreign threads, small stacks, fibers, callbacks that call back.
 *
 *     threads COUNT FMU...
 *
 * COUNT is the number of threads that make one step each. Built with a sanitizer, which cannot follow them, there are
 * no fibers.
 */
#include "host.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FIBERS
#endif

enum { AT_ONCE = 8, PARALLEL = 64, STACK = 64 << 10 };

/* A drive in progress: a thread or fiber that takes it over makes one step. */
struct journey {
    const struct fmu *fmu;
    struct instance instance;
    int seed, step;
    double values[DRIVE], expected[DRIVE];
};

static void embark(struct journey *j, const struct fmu *f, int seed)
{
    j->fmu = f;
    j->seed = seed;
    j->step = 0;
    drive(f, seed, j->expected);
    MUST(instance_new(&j->instance, f, "journey") && instance_initialise(&j->instance) == OK);
}

static void *one_step(void *argument)
{
    struct journey *j = argument;
    drive_step(&j->instance, j->seed, j->step, j->values + j->step * DRIVE_OUTPUTS);
    j->step++;
    return NULL;
}

static void arrive(struct journey *j)
{
    MUST(j->step == DRIVE_STEPS);
    MUST(drive_equal(j->values, j->expected));
    instance_free(&j->instance);
}

static pthread_t start(const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
    pthread_t thread;
    MUST(pthread_create(&thread, attributes, body, argument) == 0);
    return thread;
}

/* Every step of every journey is made by a thread that ends after it. */
static void short_threads(const struct fmu *f, int count)
{
    static struct journey journeys[AT_ONCE];
    pthread_t thread[AT_ONCE];
    int made = 0;
    double begin = seconds();
    while (made < count) {
        for (int n = 0; n < AT_ONCE; n++)
            embark(&journeys[n], f, n);
        for (int step = 0; step < DRIVE_STEPS; step++, made += AT_ONCE) {
            for (int n = 0; n < AT_ONCE; n++)
                thread[n] = start(NULL, one_step, &journeys[n]);
            for (int n = 0; n < AT_ONCE; n++)
                pthread_join(thread[n], NULL);
        }
        for (int n = 0; n < AT_ONCE; n++)
            arrive(&journeys[n]);
    }
    figure("  %s, FMI %d.0: %d threads of one step each in %.1f s, %d threads alive", f->name, f->version, made,
           seconds() - begin, threads());
    MUST(threads() <= 16);
}

static void *whole_drive(void *argument)
{
    struct journey *j = argument;
    drive(j->fmu, j->seed, j->values);
    return NULL;
}

/* 64 instances in 64 threads at once, made, driven and freed there. */
static void parallel(const struct fmu *f, const pthread_attr_t *attributes)
{
    static struct journey journeys[PARALLEL];
    pthread_t thread[PARALLEL];
    for (int n = 0; n < PARALLEL; n++) {
        journeys[n].fmu = f;
        journeys[n].seed = n;
        drive(f, n, journeys[n].expected);
    }
    MUST(!drive_equal(journeys[0].expected, journeys[1].expected));
    for (int n = 0; n < PARALLEL; n++)
        thread[n] = start(attributes, whole_drive, &journeys[n]);
    for (int n = 0; n < PARALLEL; n++)
        pthread_join(thread[n], NULL);
    for (int n = 0; n < PARALLEL; n++)
        MUST(drive_equal(journeys[n].values, journeys[n].expected));
}

#ifdef FIBERS
/* Two fibers on stacks of their own take turns after every step. */
static ucontext_t home, fiber[2];
static struct journey riders[2];

static void ride(int which)
{
    while (riders[which].step < DRIVE_STEPS) {
        one_step(&riders[which]);
        swapcontext(&fiber[which], which == 0 ? &fiber[1] : &home);
    }
}

static void fibers(const struct fmu *f)
{
    for (int n = 0; n < 2; n++) {
        embark(&riders[n], f, n);
        getcontext(&fiber[n]);
        fiber[n].uc_stack.ss_sp = malloc(STACK);
        fiber[n].uc_stack.ss_size = STACK;
        fiber[n].uc_link = &home;
        makecontext(&fiber[n], (void (*)(void))ride, 1, n);
    }
    while (riders[1].step < DRIVE_STEPS)
        swapcontext(&home, &fiber[0]);
    for (int n = 0; n < 2; n++) {
        arrive(&riders[n]);
        free(fiber[n].uc_stack.ss_sp);
    }
}

/* The importer of FMI 3.0 that reads, and sets, from within the callback, and
 * leaves the step's stack for another fiber while it is there. */
struct updating {
    const struct fmu *fmu;
    void *handle;
    struct log log;
    uint32_t vx;
    int calls, reads;
    double latest;
    bool stop, fiber;
};

static ucontext_t step_fiber, other_fiber;

static void pass_time(void)
{
    for (;;)
        swapcontext(&other_fiber, &step_fiber);
}

/* 3.0 hands the environment of the instance to both callbacks. */
static void updating_log(void *environment, int status, const char *category, const char *message)
{
    log3_message(&((struct updating *)environment)->log, status, category, message);
}

static void update(void *environment, double time, bool set_requested, bool get_allowed, bool step_finished,
                   bool can_return_early, bool *early_return_requested, double *early_return_time)
{
    struct updating *u = environment;
    (void)set_requested, (void)step_finished;
    u->calls++;
    MUST(time >= u->latest);
    u->latest = time;
    if (get_allowed) {
        double vx = 0;
        MUST(u->fmu->f3.GetFloat64(u->handle, &u->vx, 1, &vx, 1) == OK);
        MUST(vx > 0);
        u->reads++;
    }
    if (u->fiber)
        swapcontext(&step_fiber, &other_fiber);
    *early_return_requested = u->stop && can_return_early;
    *early_return_time = time;
}

static struct updating updater;
static double updater_end;

static void updated_steps(void)
{
    struct updating *u = &updater;
    bool event, terminate, early;
    for (double t = 0, last; t < 0.05; t = last) {
        MUST(u->fmu->f3.DoStep(u->handle, t, 0.01, true, &event, &terminate, &early, &last) == OK);
        MUST(last > t && last <= t + 0.01 + 1e-12);
        if (u->stop)
            MUST(early && last < t + 0.01);
        updater_end = last;
    }
}

static void updates(const struct fmu *f, bool stop)
{
    updater = (struct updating){
        .fmu = f, .vx = fmu_reference(f, fmu_is_skidder(f) ? "front.vx" : "body.vx"), .stop = stop, .fiber = true};
    updater.handle = f->f3.InstantiateCoSimulation("updates", f->token, f->resources, false, true, false, stop,
                                                   &updater.vx, 1, &updater, updating_log, update);
    MUST(updater.handle != NULL);
    MUST(f->f3.EnterInitializationMode(updater.handle, false, 0, 0, false, 0) == OK);
    MUST(f->f3.ExitInitializationMode(updater.handle) == OK);
    char *stacks = malloc(2 * STACK);
    getcontext(&other_fiber);
    other_fiber.uc_stack.ss_sp = stacks;
    other_fiber.uc_stack.ss_size = STACK;
    makecontext(&other_fiber, pass_time, 0);
    getcontext(&step_fiber);
    step_fiber.uc_stack.ss_sp = stacks + STACK;
    step_fiber.uc_stack.ss_size = STACK;
    step_fiber.uc_link = &home;
    makecontext(&step_fiber, updated_steps, 0);
    swapcontext(&home, &step_fiber);
    free(stacks);
    MUST(updater_end >= 0.05 && updater.calls > 0 && updater.reads > 0);
    figure("; %d intermediate updates with %d reads%s", updater.calls, updater.reads,
           stop ? ", each ending its step" : "");
    f->f3.FreeInstance(updater.handle);
}

#endif

int main(int argc, char **argv)
{
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    MUST(argc > 2);
    for (int n = 2; n < argc; n++) {
        struct fmu f;
        fmu_open(&f, argv[n]);
        short_threads(&f, atoi(argv[1]));
        parallel(&f, NULL);
        figure("; %d instances in %d threads bit-equal", PARALLEL, PARALLEL);
        parallel(&f, &small);
        figure(", again with %d KiB stacks", STACK >> 10);
#ifdef FIBERS
        fibers(&f);
        figure("; two fibers bit-equal");
        if (f.version == 3) {
            updates(&f, false);
            updates(&f, true);
        }
#endif
        figure("\n");
    }
    return 0;
}
