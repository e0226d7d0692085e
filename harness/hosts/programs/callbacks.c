/* Group 12: callbacks of the importer that call back what they must not.
 *
 *     callbacks ROUNDS FMU...
 *
 * Built with sanitizers, too: what is freed too early often does no harm otherwise. */
#include "calls.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What the callbacks of an instance know. */
struct scene {
    struct log log; /* first, for the loggers of host.c */
    const struct fmu *f;
    void *handle, *state;
    struct instance other; /* another instance, which may be used at any time */
    uint64_t random;
    int function; /* to call, the number of functions for FreeInstance, or -1 for none */
    int calls, inside;
    bool within_log, free_twice, told, slow;
};

static void free_instance(const struct fmu *f, void *handle)
{
    if (f->version == 2)
        f->f2.FreeInstance(handle);
    else
        f->f3.FreeInstance(handle);
}

/* A forbidden call from within a callback. While a call runs, nothing on its instance is possible; the intermediate
 * update lets some calls in. */
static void intrude(struct scene *s, bool update)
{
    int function = s->function;
    if (function < 0 || s->inside)
        return;
    s->inside = 1;
    s->calls++;
    if (function == calls_count(s->f)) {
        free_instance(s->f, s->handle);
        if (s->free_twice)
            free_instance(s->f, s->handle);
    } else {
        int status = call(s->f, function, s->handle, &s->state, NULL, &s->random);
        MUST(update || status == ERROR || status == NO_STATUS);
    }
    MUST(instance_step(&s->other, DRIVE_STEP) == OK);
    s->inside = 0;
}

static void scene_log2(void *environment, const char *name, int status, const char *category, const char *message, ...)
{
    struct scene *s = environment;
    log2_message(&s->log, name, status, category, message);
    if (s->within_log)
        intrude(s, false);
}

static void scene_log3(void *environment, int status, const char *category, const char *message)
{
    struct scene *s = environment;
    log3_message(&s->log, status, category, message);
    s->told |= strstr(message, "FreeInstance within a callback") != NULL;
    if (s->within_log)
        intrude(s, false);
}

static void update(void *environment, double time, bool set_requested, bool get_allowed, bool step_finished,
                   bool can_return_early, bool *early_return_requested, double *early_return_time)
{
    struct scene *s = environment;
    (void)time, (void)set_requested, (void)get_allowed, (void)step_finished, (void)can_return_early;
    (void)early_return_requested, (void)early_return_time;
    if (s->slow)
        usleep(50); /* the other thread gets in, and is in when this returns */
    if (!s->within_log)
        intrude(s, true);
}

static uint32_t speed(const struct fmu *f) { return fmu_reference(f, fmu_is_skidder(f) ? "front.vx" : "body.vx"); }

static void make(struct scene *s, const struct fmu *f, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    uint32_t used = speed(f);
    s->f = f;
    s->random = seed;
    s->function = -1;
    if (f->version == 2) {
        struct callbacks2 callbacks = {scene_log2, calloc, free, NULL, s};
        s->handle = f->f2.Instantiate("callbacks", CO_SIMULATION, f->token, f->resources, &callbacks, 0, 1);
    } else {
        s->handle = f->f3.InstantiateCoSimulation("callbacks", f->token, f->resources, false, true, false, false, &used,
                                                  1, s, scene_log3, update);
    }
    MUST(s->handle != NULL);
    MUST(instance_new(&s->other, f, "other") && instance_initialise(&s->other) == OK);
}

/* As a struct instance, for the functions of host.c. */
static struct instance named(struct scene *s) { return (struct instance){.fmu = s->f, .handle = s->handle}; }

static void unmake(struct scene *s)
{
    free_instance(s->f, s->handle);
    struct instance i = named(s);
    MUST(instance_reset(&i) == ERROR); /* it is gone, and no one gets its handle */
    instance_free(&s->other);
}

/* After whatever happened the instance can be reset, and drives as any. */
static void revive(struct scene *s, const double expected[DRIVE])
{
    struct instance i = named(s);
    double values[DRIVE];
    s->function = -1;
    MUST(instance_reset(&i) == OK);
    MUST(instance_initialise(&i) == OK);
    for (int step = 0; step < DRIVE_STEPS; step++)
        drive_step(&i, 1, step, values + step * DRIVE_OUTPUTS);
    MUST(drive_equal(values, expected));
}

/* Another thread that calls and frees while this one steps. */
struct rival {
    struct scene *s;
    atomic_bool stop;
    atomic_int calls;
};

static void *rival_calls(void *argument)
{
    struct rival *r = argument;
    struct instance i = named(r->s);
    uint32_t reference = speed(r->s->f);
    double value;
    while (!r->stop) {
        instance_get(&i, &reference, 1, &value);
        r->calls++;
    }
    return NULL;
}

/* Instances come and go while another thread calls on whichever handle it has seen last. */
struct chase {
    const struct fmu *f;
    _Atomic(void *) handle;
    atomic_bool stop;
    atomic_long calls;
};

static void *chaser_calls(void *argument)
{
    struct chase *c = argument;
    uint32_t reference = speed(c->f);
    double value;
    for (; !c->stop; c->calls++) {
        struct instance i = {.fmu = c->f, .handle = c->handle};
        int status = instance_get(&i, &reference, 1, &value);
        MUST(status == OK || status == ERROR);
    }
    return NULL;
}

static void chase(const struct fmu *f, int instances)
{
    struct chase c = {.f = f};
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, chaser_calls, &c) == 0);
    for (int n = 0; n < instances; n++) {
        void *handle = f->version == 2 ? f->f2.Instantiate("chase", CO_SIMULATION, f->token, f->resources, NULL, 0, 0)
                                       : f->f3.InstantiateCoSimulation("chase", f->token, f->resources, false, false,
                                                                       false, false, NULL, 0, NULL, NULL, NULL);
        MUST(handle != NULL);
        c.handle = handle;
        struct instance i = {.fmu = f, .handle = handle};
        free_instance(f, handle); /* refused if the other thread is in */
        c.handle = NULL;
        for (long before = c.calls; c.calls < before + 2;)
            sched_yield();
        free_instance(f, handle);
        MUST(instance_reset(&i) == ERROR);
    }
    c.stop = true;
    pthread_join(thread, NULL);
    figure("; %ld calls of another thread beside %d instances that come and go", (long)c.calls, instances);
}

static void callbacks(const struct fmu *f, int rounds)
{
    double expected[DRIVE];
    struct scene s;
    int calls = 0, refused = 0;
    drive(f, 1, expected);
    for (int round = 0; round < rounds; round++) {
        for (int function = 0; function <= calls_count(f); function++) {
            make(&s, f, (uint64_t)round);
            struct instance i = named(&s);
            MUST(instance_initialise(&i) == OK);
            if (f->version == 3) { /* within the intermediate update */
                s.function = function;
                s.free_twice = round % 2;
                s.log.messages = 0;
                int status = instance_step(&i, 0.005);
                MUST(s.calls > 0);
                if (function == calls_count(f))
                    MUST(status == ERROR && s.told);
                refused += status == ERROR;
                calls += s.calls;
                revive(&s, expected);
                MUST(instance_reset(&i) == OK && instance_initialise(&i) == OK);
            }
            s.calls = 0;
            s.within_log = true; /* within the message about a wrong step */
            s.function = function;
            i.time = 0;
            MUST(instance_step(&i, -1) == ERROR);
            MUST(s.calls == 1);
            calls += s.calls;
            revive(&s, expected);
            unmake(&s);
        }
    }
    figure("  %s, FMI %d.0: %d calls within callbacks, %d steps ended by them; every instance goes on after Reset",
           f->name, f->version, calls, refused);
    chase(f, 300 * rounds);
    make(&s, f, 1);
    struct instance i = named(&s);
    struct rival r = {.s = &s};
    pthread_t thread;
    int done = 0, tried = 0;
    MUST(instance_initialise(&i) == OK);
    s.log.messages = 0;
    s.slow = true;
    MUST(pthread_create(&thread, NULL, rival_calls, &r) == 0);
    for (; done < 300 || r.calls < 3000; tried++) { /* refused while the other is in */
        double before = i.time;
        if (instance_step(&i, 0.001) == OK) {
            done++;
        } else {
            MUST(s.log.messages == 0); /* it was refused, and not ended */
            i.time = before;
        }
    }
    r.stop = true;
    pthread_join(thread, NULL);
    figure("; %d of %d steps beside %d calls of another thread\n", done, tried, (int)r.calls);
    unmake(&s);
}

int main(int argc, char **argv)
{
    MUST(argc > 2);
    for (int n = 2; n < argc; n++) {
        struct fmu f;
        fmu_open(&f, argv[n]);
        callbacks(&f, atoi(argv[1]));
    }
    return 0;
}
