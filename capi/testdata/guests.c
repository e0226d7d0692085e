/* What the threads of an importer bring with them: a way to round, and their cancellation.
 *
 *     guests LIBRARY MODEL FOLDER2 FOLDER3
 *
 * The folders hold the FMUs of the model. */
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host.h"
#include "skidpad.h"

static struct fmu f;
static struct instance common;
static void *made; /* by the thread that is cancelled */

/* Runs body on a thread that is cancelled before its first call; it ends when it looks for that. */
static void cancelled(void (*body)(void))
{
    static void *(*run)(void *);
    pthread_t thread;
    void *end;
    run = (void *(*)(void *))body;
    MUST(pthread_create(&thread, NULL, run, NULL) == 0 && pthread_join(thread, &end) == 0);
    MUST(end == PTHREAD_CANCELED);
}

static void cancel_myself(void) { MUST(pthread_cancel(pthread_self()) == 0); }

/* A call ends before its thread does. */
static void instantiate(void)
{
    struct instance i;
    cancel_myself();
    MUST(instance_new(&i, &f, "cancelled"));
    made = i.handle;
    pthread_testcancel();
}

/* A logger in which a thread can be cancelled, as it can where it prints. */
static void log2_point(void *environment, const char *instance, int status, const char *category, const char *message,
                       ...)
{
    (void)environment, (void)instance, (void)status, (void)category, (void)message;
    pthread_testcancel();
}
static void log3_point(void *environment, int status, const char *category, const char *message)
{
    (void)environment, (void)status, (void)category, (void)message;
    pthread_testcancel();
}
static void update_point(void *environment, double time, bool set, bool get, bool finished, bool early, bool *stop,
                         double *until)
{
    (void)environment, (void)time, (void)set, (void)get, (void)finished, (void)early, (void)until;
    *stop = false;
    pthread_testcancel();
}
static void instantiate_with_points(void)
{
    static const struct callbacks2 callbacks = {log2_point, calloc, free, NULL, NULL};
    common = (struct instance){.fmu = &f};
    common.handle = f.version == 2
                        ? f.f2.Instantiate("points", CO_SIMULATION, f.token, f.resources, &callbacks, 0, 1)
                        : f.f3.InstantiateCoSimulation("points", f.token, f.resources, false, true, false, false, NULL,
                                                       0, NULL, log3_point, update_point);
    MUST(common.handle != NULL);
}
static void initialise_and_step(void)
{
    cancel_myself();
    MUST(instance_initialise(&common) == OK); /* what the instance starts with is logged */
    MUST(instance_step(&common, 0.005) == OK);
    pthread_testcancel();
}

/* A drive whose inputs and times are the same numbers in any rounding. */
static void drive_exactly(double values[3])
{
    const uint32_t inputs[2] = {fmu_reference(&f, "steer_FL.angle"), fmu_reference(&f, "brake_RL.torque")};
    const uint32_t outputs[3] = {fmu_reference(&f, "body.vx"), fmu_reference(&f, "body.wz"),
                                 fmu_reference(&f, "tire_FL.Fz")};
    static const double set[2] = {0.02, 90};
    struct instance i;
    MUST(instance_new(&i, &f, "rounding") && instance_initialise(&i) == OK);
    MUST(instance_set(&i, inputs, 2, set) == OK);
    for (int k = 0; k < 40; k++)
        MUST(instance_step(&i, 0.0009765625) == OK);
    MUST(instance_get(&i, outputs, 3, values) == OK);
    instance_free(&i);
}

/* FMUs, in a process that has not loaded the core yet. */
static void importer(void *folder)
{
    double nearest[3], other[3];
    fmu_open(&f, folder);
    cancelled(instantiate);
    MUST(made != NULL);
    struct instance i = {.fmu = &f, .handle = made};
    MUST(instance_initialise(&i) == OK);
    instance_free(&i);
    instantiate_with_points();
    cancelled(initialise_and_step);
    MUST(instance_step(&common, 0.005) == OK); /* nobody is inside */
    instance_free(&common);
    drive_exactly(nearest);
    static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int k = 0; k < 3; k++) {
        fesetround(roundings[k]);
        drive_exactly(other);
        MUST(fegetround() == roundings[k] && memcmp(nearest, other, sizeof other) == 0);
    }
}

/* The library, with a tire function of the host in which a thread can be cancelled. */
static skidpad_vehicle *vehicle;
static int steps_done;
static __typeof__(skidpad_step) *step;
static int32_t init(const char *tire, const char *file, double *states, void **instance, char *error, size_t capacity)
{
    (void)tire, (void)file, (void)states, (void)error, (void)capacity;
    *instance = &vehicle;
    return 0;
}
static int32_t evaluate(size_t n, void *const *instances, const double *inputs, const double *states, double *outputs,
                        double *rates)
{
    (void)instances, (void)inputs, (void)states, (void)rates;
    memset(outputs, 0, n * SKIDPAD_TIRE_OUTPUTS * sizeof *outputs);
    pthread_testcancel();
    return 0;
}
static void steps(void)
{
    cancel_myself();
    for (steps_done = 0; steps_done < 3; steps_done++)
        MUST(step(vehicle, 0.001) == SKIDPAD_OK);
    pthread_testcancel();
}
static void program(void *arguments)
{
    static const char *inputs[] = {"Fz"};
    static const skidpad_tire tire = {.abi = SKIDPAD_TIRE_ABI, .size = sizeof tire, .name = "Point", .inputs = inputs,
                                      .input_count = 1, .init = init, .evaluate = evaluate};
    char **names = arguments, error[1024];
    void *library = dlopen(names[1], RTLD_NOW);
    MUST(library != NULL);
#define FUNCTION(name) (__typeof__(skidpad_##name) *)dlsym(library, "skidpad_" #name)
    step = FUNCTION(step);
    MUST((FUNCTION(register_tire))(&tire, error, sizeof error) == SKIDPAD_OK);
    MUST((FUNCTION(load))(names[2], NULL, &vehicle, error, sizeof error) == SKIDPAD_OK);
    MUST((FUNCTION(set_text))(vehicle, "tire_FL.model", "Point") == SKIDPAD_OK);
    MUST((FUNCTION(initialise))(vehicle) == SKIDPAD_OK);
    for (int k = 0; k < 2; k++) { /* in Go, then without it */
        cancelled(steps);
        MUST(steps_done == 3 && step(vehicle, 0.001) == SKIDPAD_OK); /* nobody is inside */
    }
}

int main(int count, char **arguments)
{
    MUST(count == 5);
    for (int version = 2; version <= 3; version++)
        MUST(in_child(importer, arguments[version + 1], 60) == 0);
    MUST(in_child(program, arguments, 60) == 0);
    return 0;
}
