/* A C program that uses the library like any third-party program, with valid and invalid calls:
 *
 *     host MODEL DRIVER BRAKE OUTPUT
 *
 * MODEL is a model file, DRIVER the name of a motion driver, BRAKE and OUTPUT
 * names of an input and an output. Prints "ok", or the first thing that is wrong. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad.h"

#define STEPS 300

static const char *model, *driver, *brake, *output;

#define MUST(condition)                                                     \
    do {                                                                    \
        if (!(condition)) {                                                 \
            printf("host.c:%d: %s does not hold\n", __LINE__, #condition);  \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

static skidpad_vehicle *load(void)
{
    char error[4096];
    skidpad_vehicle *v;
    if (skidpad_load(model, NULL, &v, error, sizeof error) != SKIDPAD_OK) {
        printf("%s\n", error);
        exit(1);
    }
    MUST(error[0] == 0);
    return v;
}

/* Every function refuses what is not a living vehicle. */
static void stranger(skidpad_vehicle *v)
{
    uint32_t reference = 0;
    int64_t n = 0;
    double x = 0;
    char buffer[8];
    skidpad_variable variable;
    MUST(skidpad_free(v) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_last_error(v) == NULL);
    MUST(skidpad_variable_count(v, &n) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_describe(v, 0, &variable) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_find(v, "x", &reference) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_set(v, &reference, 1, &x) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_get(v, &reference, 1, &x) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_set_rates(v, &reference, 1, &x) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_set_text(v, "a", "b") == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_trim(v) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_initialise(v) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_step(v, 0.001) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_time(v, &x) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_state_size(v, &n) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_save(v, buffer, 8) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_restore(v, buffer, 8) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_model_files(v, buffer, 8, &n) == SKIDPAD_NO_VEHICLE);
    MUST(skidpad_reset(v) == SKIDPAD_NO_VEHICLE);
}

static uint32_t reference(skidpad_vehicle *v, const char *name)
{
    uint32_t r = 0;
    MUST(skidpad_find(v, name, &r) == SKIDPAD_OK);
    return r;
}

static double get(skidpad_vehicle *v, const char *name)
{
    uint32_t r = reference(v, name);
    double x = NAN;
    MUST(skidpad_get(v, &r, 1, &x) == SKIDPAD_OK);
    MUST(isfinite(x));
    return x;
}

/* set tries to set one variable. */
static int32_t set(skidpad_vehicle *v, const char *name, double x)
{
    uint32_t r = reference(v, name);
    return skidpad_set(v, &r, 1, &x);
}

/* drive makes STEPS steps with a brake torque that depends on kind, and returns
 * the output. */
static double drive(skidpad_vehicle *v, double kind)
{
    int i;
    for (i = 0; i < STEPS; i++) {
        MUST(set(v, brake, kind * i) == SKIDPAD_OK);
        MUST(skidpad_step(v, 0.001) == SKIDPAD_OK);
    }
    return get(v, output);
}

static void misuse(void)
{
    char error[64], tight[3] = "##";
    int local = 0;
    skidpad_vehicle *v = (skidpad_vehicle *)&local;
    MUST(skidpad_abi_version() == SKIDPAD_ABI_VERSION);
    MUST(strlen(skidpad_version()) > 0);
    MUST(strcmp(skidpad_status_text(SKIDPAD_OK), "ok") == 0);
    MUST(strcmp(skidpad_status_text(12345), "unknown status") == 0);

    MUST(skidpad_load("no-such-file.toml", NULL, &v, error, sizeof error) == SKIDPAD_MODEL);
    MUST(v == NULL);
    MUST(strstr(error, "no-such-file.toml") != NULL);
    MUST(skidpad_load("no-such-file.toml", NULL, &v, tight, 2) == SKIDPAD_MODEL);
    MUST(tight[1] == 0 && tight[2] == 0);
    MUST(skidpad_load("no-such-file.toml", NULL, &v, NULL, 0) == SKIDPAD_MODEL);
    MUST(skidpad_load(model, "no such tree", &v, error, sizeof error) == SKIDPAD_MODEL);
    MUST(skidpad_load(NULL, NULL, &v, error, sizeof error) == SKIDPAD_ARGUMENT);
    MUST(skidpad_load(model, NULL, NULL, error, sizeof error) == SKIDPAD_ARGUMENT);
    MUST(skidpad_load(model, NULL, &v, error, -1) == SKIDPAD_ARGUMENT);
    MUST(skidpad_load(model, NULL, &v, NULL, 10) == SKIDPAD_ARGUMENT);

    stranger(NULL);
    stranger((skidpad_vehicle *)1);
    stranger((skidpad_vehicle *)UINTPTR_MAX);
    stranger((skidpad_vehicle *)&local);
    v = malloc(64);
    stranger(v);
    free(v);
}

static void variables(void)
{
    skidpad_vehicle *v = load();
    skidpad_variable variable;
    int64_t count = 0, i;
    MUST(skidpad_variable_count(v, &count) == SKIDPAD_OK && count > 20);
    for (i = 0; i < count; i++) {
        MUST(skidpad_describe(v, i, &variable) == SKIDPAD_OK);
        MUST(variable.causality >= SKIDPAD_PARAMETER && variable.causality <= SKIDPAD_LOCAL);
        MUST(strlen(variable.name) > 0 && strlen(variable.unit) > 0 && variable.text != NULL);
        MUST(isfinite(variable.start));
        MUST(variable.kind >= SKIDPAD_KIND_PARAMETER && variable.kind <= SKIDPAD_KIND_RATE);
        MUST((variable.kind == SKIDPAD_KIND_STATE) == (variable.nominal > 0));
        MUST(isnan(variable.minimum) || variable.minimum == 0);
        MUST(isnan(variable.maximum) || variable.maximum == 1);
        MUST(reference(v, variable.name) == variable.reference);
    }
    MUST(skidpad_describe(v, -1, &variable) == SKIDPAD_ARGUMENT);
    MUST(skidpad_describe(v, count, &variable) == SKIDPAD_ARGUMENT);
    MUST(skidpad_describe(v, 0, NULL) == SKIDPAD_ARGUMENT);
    MUST(skidpad_free(v) == SKIDPAD_OK);
    stranger(v);
}

static void life(void)
{
    skidpad_vehicle *v = load();
    int64_t size = 0;
    uint32_t unknown = UINT32_MAX;
    double x = 0, first, second, before;
    char *state;
    static const double bad[] = {0, -0.001, NAN, INFINITY, -INFINITY};
    size_t i;

    MUST(skidpad_step(v, 0.001) == SKIDPAD_REFUSED); /* not initialised */
    MUST(strlen(skidpad_last_error(v)) > 0);
    MUST(skidpad_set_text(v, "solver.method", "guess") != SKIDPAD_OK);
    MUST(strstr(skidpad_last_error(v), "guess") != NULL);
    MUST(skidpad_set_text(v, "no.text", "rk4") != SKIDPAD_OK);
    MUST(skidpad_set_text(v, "solver.method", "rk4") == SKIDPAD_OK);
    MUST(skidpad_initialise(v) == SKIDPAD_OK);
    MUST(skidpad_set_text(v, "solver.method", "euler") == SKIDPAD_REFUSED);
    MUST(skidpad_trim(v) == SKIDPAD_REFUSED);
    MUST(skidpad_initialise(v) == SKIDPAD_REFUSED);

    MUST(set(v, brake, NAN) != SKIDPAD_OK);
    MUST(set(v, brake, INFINITY) != SKIDPAD_OK);
    MUST(set(v, output, 1) != SKIDPAD_OK);
    MUST(skidpad_set(v, &unknown, 1, &x) == SKIDPAD_ARGUMENT);
    MUST(skidpad_get(v, &unknown, 1, &x) == SKIDPAD_ARGUMENT);
    MUST(skidpad_get(v, NULL, 1, &x) == SKIDPAD_ARGUMENT);
    MUST(skidpad_get(v, &unknown, 1, NULL) == SKIDPAD_ARGUMENT);
    MUST(skidpad_get(v, &unknown, -1, &x) == SKIDPAD_ARGUMENT);
    MUST(skidpad_get(v, &unknown, INT64_MAX, &x) == SKIDPAD_ARGUMENT);
    MUST(skidpad_set(v, NULL, 0, NULL) == SKIDPAD_OK);
    before = get(v, output);
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        MUST(skidpad_step(v, bad[i]) != SKIDPAD_OK);
        MUST(strlen(skidpad_last_error(v)) > 0);
        MUST(skidpad_time(v, &x) == SKIDPAD_OK && x == 0);
        MUST(get(v, output) == before);
    }

    /* A saved state continues to the same bits. */
    drive(v, 1);
    MUST(skidpad_time(v, &x) == SKIDPAD_OK && fabs(x - 0.001 * STEPS) < 1e-12);
    MUST(skidpad_state_size(v, &size) == SKIDPAD_OK && size > 0);
    state = malloc((size_t)size);
    MUST(skidpad_save(v, state, size - 1) == SKIDPAD_ARGUMENT);
    MUST(skidpad_save(v, NULL, size) == SKIDPAD_ARGUMENT);
    MUST(skidpad_save(v, state, size) == SKIDPAD_OK);
    first = drive(v, 2);
    MUST(skidpad_restore(v, state, size - 1) == SKIDPAD_REFUSED);
    MUST(skidpad_restore(v, NULL, size) == SKIDPAD_ARGUMENT);
    MUST(skidpad_restore(v, state, size) == SKIDPAD_OK);
    second = drive(v, 2);
    MUST(first == second);
    MUST(first != drive(v, 2)); /* the output moves at all */
    state[size / 2] ^= 1;
    before = get(v, output);
    MUST(skidpad_restore(v, state, size) == SKIDPAD_REFUSED);
    memset(state, 0, (size_t)size);
    MUST(skidpad_restore(v, state, size) == SKIDPAD_REFUSED);
    MUST(get(v, output) == before);
    free(state);

    /* So does a reset. */
    MUST(skidpad_reset(v) == SKIDPAD_OK);
    MUST(skidpad_step(v, 0.001) == SKIDPAD_REFUSED);
    MUST(skidpad_set_text(v, "solver.method", "rk4") == SKIDPAD_OK);
    MUST(skidpad_initialise(v) == SKIDPAD_OK);
    MUST(skidpad_time(v, &x) == SKIDPAD_OK && x == 0);
    drive(v, 1);
    MUST(drive(v, 2) == first);
    MUST(skidpad_free(v) == SKIDPAD_OK);
    stranger(v);
}

/* An input with a rate is where its rate brings it. */
static void rates(void)
{
    skidpad_vehicle *v = load();
    uint32_t r = reference(v, brake), out = reference(v, output);
    double value = 100, rate = 2000;
    MUST(skidpad_initialise(v) == SKIDPAD_OK);
    MUST(skidpad_set(v, &r, 1, &value) == SKIDPAD_OK);
    MUST(skidpad_set_rates(v, &r, 1, &rate) == SKIDPAD_OK);
    MUST(skidpad_step(v, 0.01) == SKIDPAD_OK);
    MUST(fabs(get(v, brake) - 120) < 1e-9);
    MUST(skidpad_set_rates(v, &out, 1, &rate) == SKIDPAD_REFUSED);
    rate = NAN;
    MUST(skidpad_set_rates(v, &r, 1, &rate) == SKIDPAD_REFUSED);
    MUST(skidpad_free(v) == SKIDPAD_OK);
}

/* The derivative of a rate by an input is its change. The vehicle goes on as if nobody had asked. */
static void derivatives(void)
{
    skidpad_vehicle *v = load();
    char rate[64];
    uint32_t of[2] = {0, UINT32_MAX}, by = reference(v, brake);
    double before, up, down, matrix[2] = {0, 7};
    snprintf(rate, sizeof rate, "der(%s)", output);
    of[0] = reference(v, rate);
    MUST(skidpad_initialise(v) == SKIDPAD_OK);
    MUST(set(v, brake, 100) == SKIDPAD_OK);
    MUST(skidpad_step(v, 0.001) == SKIDPAD_OK);
    before = get(v, rate);
    MUST(skidpad_jacobian(v, of, 1, &by, 1, matrix) == SKIDPAD_OK);
    MUST(get(v, rate) == before && matrix[1] == 7 && matrix[0] != 0);
    MUST(set(v, brake, 101) == SKIDPAD_OK);
    up = get(v, rate);
    MUST(set(v, brake, 99) == SKIDPAD_OK);
    down = get(v, rate);
    MUST(fabs((up - down) / 2 - matrix[0]) <= 1e-6 * fabs(matrix[0]) + 1e-9);
    MUST(skidpad_jacobian(v, &by, 1, &by, 1, matrix) == SKIDPAD_REFUSED);
    MUST(strstr(skidpad_last_error(v), "has no derivatives") != NULL);
    MUST(skidpad_jacobian(v, of, 1, &by, 1, NULL) == SKIDPAD_ARGUMENT);
    MUST(skidpad_jacobian(v, of, -1, &by, 1, matrix) == SKIDPAD_ARGUMENT);
    MUST(skidpad_jacobian(v, of, 2, &by, 1, matrix) == SKIDPAD_ARGUMENT);
    MUST(skidpad_free(v) == SKIDPAD_OK);
}

/* worker drives a vehicle of its own and stores the output in *result. */
static void *worker(void *result)
{
    skidpad_vehicle *v = load();
    MUST(skidpad_initialise(v) == SKIDPAD_OK);
    *(double *)result = drive(v, *(double *)result);
    MUST(skidpad_free(v) == SKIDPAD_OK);
    return NULL;
}

/* Two vehicles in two threads give what they give one after the other. */
static void threads(void)
{
    double alone[2] = {1, 3}, together[2] = {1, 3};
    pthread_t thread[2];
    int i;
    for (i = 0; i < 2; i++)
        worker(&alone[i]);
    MUST(alone[0] != alone[1]);
    for (i = 0; i < 2; i++)
        MUST(pthread_create(&thread[i], NULL, worker, &together[i]) == 0);
    for (i = 0; i < 2; i++)
        MUST(pthread_join(thread[i], NULL) == 0);
    MUST(alone[0] == together[0] && alone[1] == together[1]);
}

/* Inputs that C sets are those that Go would set: a friction below 0 or a value that is not finite is refused, and
 * those behind it are not set. */
static void values(void)
{
    const double wrong[] = {-0.25, -1e-300, -INFINITY, NAN, INFINITY};
    skidpad_vehicle *v = load();
    uint32_t both[2] = {reference(v, "road.mu"), reference(v, brake)};
    size_t k;
    int stage;
    for (stage = 0; stage < 2; stage++) { /* Go sets inputs of the first steps, C those of later ones */
        for (k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            double set_to[2] = {0.75, 70};
            MUST(skidpad_set(v, both, 2, set_to) == SKIDPAD_OK);
            set_to[0] = wrong[k], set_to[1] = 80;
            MUST(skidpad_set(v, both, 2, set_to) == SKIDPAD_REFUSED);
            MUST(strstr(skidpad_last_error(v), "road.mu") != NULL);
            MUST(get(v, "road.mu") == 0.75 && get(v, brake) == 70);
            MUST(set(v, "road.mu", 0) == SKIDPAD_OK);
        }
        if (stage == 0)
            MUST(skidpad_initialise(v) == SKIDPAD_OK);
        MUST(skidpad_step(v, 0.001) == SKIDPAD_OK && skidpad_step(v, 0.001) == SKIDPAD_OK);
    }
    MUST(skidpad_free(v) == SKIDPAD_OK);
}

int main(int argc, char **argv)
{
    char name[256];
    skidpad_vehicle *v;
    if (argc != 5)
        return 2;
    model = argv[1], driver = argv[2], brake = argv[3], output = argv[4];
    misuse();
    variables();
    v = load();
    snprintf(name, sizeof name, "%s.angle", driver);
    MUST(set(v, name, 0.01) == SKIDPAD_OK);
    MUST(get(v, name) == 0.01);
    MUST(skidpad_free(v) == SKIDPAD_OK);
    life();
    rates();
    derivatives();
    values();
    threads();
    puts("ok");
    return 0;
}
