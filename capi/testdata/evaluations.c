/* How often tires are evaluated in steps that are read, of a vehicle whose steps are made by C, and of one whose steps
 * are all made by Go, beside one that is not read:
 *
 *     evaluations LIBRARY MODEL
 *
 * The tires are of this host, which counts, or of the model file. Prints what differs. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad.h"
#include "skidpad_tire.h"

enum { STEPS = 100, FAST = 0, SLOW = 1, UNREAD = 2, VEHICLES = 3, MOST = 1024 };

#define MUST(condition)                                                           \
    do {                                                                          \
        if (!(condition)) {                                                       \
            printf("evaluations.c:%d: %s does not hold\n", __LINE__, #condition); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)
#define FUNCTION(name) ((__typeof__(skidpad_##name) *)dlsym(library, "skidpad_" #name))

static void *library;
static skidpad_vehicle *vehicles[VEHICLES];
static uint32_t steer, brake, load, acceleration;
static uint32_t outputs[MOST];
static int64_t output_count;
static long calls;

static int32_t init(const char *tire, const char *file, double *states, void **instance, char *error, size_t capacity)
{
    (void)tire, (void)file, (void)states, (void)instance, (void)error, (void)capacity;
    return 0;
}

static int32_t evaluate(size_t n, void *const *instances, const double *in, const double *states, double *out,
                        double *rates)
{
    (void)instances, (void)states, (void)rates;
    calls++;
    for (size_t k = 0; k < n; k++, in += 3, out += SKIDPAD_TIRE_OUTPUTS) {
        memset(out, 0, SKIDPAD_TIRE_OUTPUTS * sizeof *out);
        out[0] = 15 * in[2] * in[0];
        out[1] = 12 * in[2] * in[1];
    }
    return 0;
}

static int32_t jacobian(void *instance, const double *in, const double *states, double *derivatives)
{
    const double all[SKIDPAD_TIRE_OUTPUTS][3] = {{15 * in[2], 0, 15 * in[0]}, {0, 12 * in[2], 12 * in[1]}};
    (void)instance, (void)states;
    memcpy(derivatives, all, sizeof all);
    return 0;
}

static const char *const asks[] = {"S", "alpha", "Fz"};
static const skidpad_tire tire = {.abi = SKIDPAD_TIRE_ABI, .size = sizeof tire, .name = "counted", .inputs = asks,
                                  .input_count = 3, .init = init, .evaluate = evaluate, .jacobian = jacobian};

static uint32_t reference(const char *name)
{
    uint32_t r = 0;
    MUST(FUNCTION(find)(vehicles[FAST], name, &r) == SKIDPAD_OK);
    return r;
}

/* Starts all with a method, and with the tires that count or those of the model file. */
static void start_on(bool counted, const char *method)
{
    static const char *const corners[] = {"tire_FL.model", "tire_FR.model", "tire_RL.model", "tire_RR.model"};
    for (int k = 0; k < VEHICLES; k++) {
        MUST(FUNCTION(reset)(vehicles[k]) == SKIDPAD_OK);
        for (int i = 0; i < 4; i++)
            MUST(FUNCTION(set_text)(vehicles[k], corners[i], counted ? "counted" : "Pacejka02") == SKIDPAD_OK);
        MUST(FUNCTION(set_text)(vehicles[k], "solver.method", method) == SKIDPAD_OK);
        MUST(k != SLOW || FUNCTION(set_text)(vehicles[k], "solver.code", "portable") == SKIDPAD_OK);
        MUST(FUNCTION(initialise)(vehicles[k]) == SKIDPAD_OK);
        MUST(FUNCTION(step)(vehicles[k], 1e-3) == SKIDPAD_OK); /* from here on C steps */
    }
}

static void start(const char *method) { start_on(true, method); }

static void set(uint32_t r, double value)
{
    for (int k = 0; k < VEHICLES; k++)
        MUST(FUNCTION(set)(vehicles[k], &r, 1, &value) == SKIDPAD_OK);
}

/* Reads a variable of the first two. The counts are added to counts. */
static void read(uint32_t r, long counts[VEHICLES])
{
    double value[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        long before = calls;
        MUST(FUNCTION(get)(vehicles[k], &r, 1, &value[k]) == SKIDPAD_OK);
        counts[k] += calls - before;
    }
    if (memcmp(&value[FAST], &value[SLOW], sizeof *value) != 0) {
        printf("%.17g instead of %.17g\n", value[FAST], value[SLOW]);
        exit(1);
    }
}

/* Steps all, and reads a variable unless it is 0. */
static void step(double h, uint32_t r, long counts[VEHICLES])
{
    for (int k = 0; k < VEHICLES; k++) {
        long before = calls;
        MUST(FUNCTION(step)(vehicles[k], h) == SKIDPAD_OK);
        counts[k] += calls - before;
    }
    if (r != 0)
        read(r, counts);
}

/* All outputs are the same, and the saved states of those that have the same texts. */
static void compare(void)
{
    static char states[VEHICLES][1 << 16];
    static double values[VEHICLES][MOST];
    int64_t size[VEHICLES];
    for (int k = 0; k < VEHICLES; k++) {
        MUST(FUNCTION(state_size)(vehicles[k], &size[k]) == SKIDPAD_OK && size[k] <= (int64_t)sizeof states[k]);
        MUST(FUNCTION(save)(vehicles[k], states[k], size[k]) == SKIDPAD_OK);
        MUST(FUNCTION(get)(vehicles[k], outputs, output_count, values[k]) == SKIDPAD_OK);
        MUST(memcmp(values[k], values[FAST], (size_t)output_count * sizeof **values) == 0);
    }
    MUST(size[UNREAD] == size[FAST] && memcmp(states[UNREAD], states[FAST], (size_t)size[FAST]) == 0);
}

static void expect(const char *method, const char *what, long got, long want)
{
    if (got == want)
        return;
    printf("%s, %s: %ld evaluations in %d steps instead of %ld\n", method, what, got, STEPS, want);
    exit(1);
}

/* Steps of a method that evaluates as often as it has stages; shared: of them, those at points that are read. */
static void count(const char *method, long stages, long shared)
{
    const struct {
        const char *what;
        uint32_t after; /* what is read after a step; 0: nothing */
        int inputs; /* 0: left alone, 1: set to what they are, 2: changed, 3: by the sign of a zero, 4: changed, then
                       read */
        long want;
    } cases[] = {
        {"nothing read", 0, 0, STEPS * stages},
        {"an output", acceleration, 0, STEPS * (stages + 1 - shared) + shared},
        {"the load of a tire", load, 0, STEPS * (stages + 1 - shared) + shared},
        {"inputs set as they are", acceleration, 1, STEPS * (stages + 1 - shared) + shared},
        {"inputs changed", acceleration, 2, STEPS * (stages + 1)},
        {"zeros that are negative in every other step", acceleration, 3,
         STEPS * (stages + 1) - STEPS / 2 * shared}, /* they end the step positive */
        {"inputs changed and then read", 0, 4, STEPS * (stages + 1 - shared)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        long counts[VEHICLES] = {0};
        start(method);
        set(steer, 0.01);
        set(brake, 50);
        step(1e-3, 0, counts); /* which evaluates with these inputs */
        counts[FAST] = counts[SLOW] = 0;
        for (int n = 0; n < STEPS; n++) {
            if (cases[i].inputs == 1) {
                set(steer, 0.01);
                set(brake, 50);
            } else if (cases[i].inputs == 2 || cases[i].inputs == 4)
                set(steer, 0.01 + 1e-4 * (n + 1));
            else if (cases[i].inputs == 3)
                set(steer, n % 2 ? 0.0 : -0.0);
            if (cases[i].inputs == 4)
                read(acceleration, counts);
            step(1e-3, cases[i].after, counts);
        }
        compare();
        for (int k = 0; k < 2; k++)
            expect(method, cases[i].what, counts[k], cases[i].want);
    }
}

/* Several solver steps in a communication step share one evaluation at its end. */
static void count_long_steps(void)
{
    long counts[VEHICLES] = {0};
    start("euler");
    step(1e-3, acceleration, counts);
    counts[FAST] = 0;
    for (int n = 0; n < STEPS; n++)
        step(5e-3, acceleration, counts);
    compare();
    expect("euler", "five solver steps each", counts[FAST], 5 * STEPS);
}

/* Each stage has rates of its own, also where a step is so short that half of it is 0. */
static void read_and_step(void)
{
    static const char *const methods[] = {"euler", "heun", "rk4", "linearly-implicit"};
    static const double lengths[] = {1e-3, 1e-3, 5e-324, 1e-3};
    for (int i = 0; i < 4; i++) {
        long counts[VEHICLES] = {0};
        start_on(false, methods[i]);
        set(steer, 0.02);
        for (int n = 0; n < STEPS; n++)
            step(lengths[n % 4], acceleration, counts);
        compare();
    }
}

/* Inputs that nobody writes for some steps are held; what is written then moves and counts, whether a reading comes
 * before the step or not: a motion with a rate or an acceleration, a zero that is negative, an input with a rate. Rates
 * that are too small for a step move inputs in a long one. */
static void write_after_rest(void)
{
    static const char *const methods[] = {"euler", "rk4"};
    const uint32_t moved[] = {steer, reference("steer_FL.rate"), reference("steer_FL.acceleration"), brake};
    const struct {
        uint32_t input;
        double value;
    } written[] = {{moved[1], 0.5}, {moved[1], 0}, {moved[2], 3}, {moved[2], 0}, {moved[1], 0}, {steer, -0.0},
                   {steer, 0.02},   {brake, 80},   {0, 7},        {brake, 0},    {moved[2], -1}, {moved[2], 0},
                 {moved[1], 0},   {steer, 0.02}, {moved[1], 1e-16}, {0, 1e-12},  {brake, 80},   {0, 1e-12},
                 {brake, 0},      {moved[1], 0}, {moved[2], 5e-324}};
    for (int i = 0; i < 2; i++)
        for (int before = 0; before < 2; before++) {
            long counts[VEHICLES] = {0};
            start_on(false, methods[i]);
            for (size_t n = 0; n < sizeof written / sizeof *written; n++) {
                for (int k = 0; k < VEHICLES && written[n].input == 0; k++)
                    MUST(FUNCTION(set_rates)(vehicles[k], &brake, 1, &written[n].value) == SKIDPAD_OK);
                if (written[n].input != 0)
                    set(written[n].input, written[n].value);
                if (before)
                    read(acceleration, counts);
                for (int rest = 0; rest < 6; rest++) {
                    step(1e-3, acceleration, counts);
                    for (size_t m = 0; m < sizeof moved / sizeof *moved; m++)
                        read(moved[m], counts);
                }
                if (n > 12)
                    step(n + 1 < sizeof written / sizeof *written ? 0.02 : 0.6, moved[0], counts);
                for (size_t m = 0; m < sizeof moved / sizeof *moved; m++)
                    read(moved[m], counts);
            }
            compare();
        }
}

/* Every number is read alone after a step, also those that C leaves to Go. */
static void read_each(int64_t all)
{
    long counts[VEHICLES] = {0};
    skidpad_variable variable;
    start_on(false, "euler");
    for (int64_t i = 0; i < all; i++) {
        MUST(FUNCTION(describe)(vehicles[UNREAD], i, &variable) == SKIDPAD_OK);
        step(1e-3, 0, counts);
        read(variable.reference, counts);
    }
    compare();
}

/* What is changed between reading and stepping belongs to the step. */
static void change_between(void)
{
    static char good[1 << 16];
    long counts[VEHICLES] = {0};
    int64_t size;
    for (int what = 0; what < 4; what++) {
        start("euler");
        MUST(FUNCTION(state_size)(vehicles[FAST], &size) == SKIDPAD_OK && size <= (int64_t)sizeof good);
        MUST(FUNCTION(save)(vehicles[FAST], good, size) == SKIDPAD_OK);
        set(steer, 0.02);
        set(brake, 300);
        for (int n = 0; n < STEPS; n++) {
            step(1e-3, acceleration, counts);
            if (n % 10 != 5)
                continue;
            double rate = 0.1 * n, time;
            char said[64];
            for (int k = 0; k < VEHICLES; k++)
                switch (what) {
                case 0:
                    MUST(FUNCTION(set_rates)(vehicles[k], &steer, 1, &rate) == SKIDPAD_OK);
                    break;
                case 1:
                    MUST(FUNCTION(restore)(vehicles[k], good, size) == SKIDPAD_OK);
                    break;
                case 2:
                    MUST(FUNCTION(time)(vehicles[k], &time) == SKIDPAD_OK);
                    MUST(FUNCTION(warnings)(vehicles[k], said, sizeof said) == SKIDPAD_OK);
                    break;
                default: /* back to another point of the same vehicle */
                    MUST(FUNCTION(state_size)(vehicles[k], &size) == SKIDPAD_OK && size <= (int64_t)sizeof good);
                    MUST(FUNCTION(save)(vehicles[k], good, size) == SKIDPAD_OK);
                    MUST(FUNCTION(step)(vehicles[k], 2e-3) == SKIDPAD_OK);
                    MUST(k == UNREAD || FUNCTION(get)(vehicles[k], &load, 1, &time) == SKIDPAD_OK);
                    MUST(FUNCTION(restore)(vehicles[k], good, size) == SKIDPAD_OK);
                }
        }
        compare();
    }
}

int main(int count_of, char **arguments)
{
    char error[1024];
    skidpad_variable variable;
    int64_t all;
    MUST(count_of == 3 && (library = dlopen(arguments[1], RTLD_NOW)) != NULL);
    MUST(FUNCTION(register_tire)(&tire, error, sizeof error) == SKIDPAD_OK);
    MUST(FUNCTION(load)(arguments[2], NULL, &vehicles[FAST], error, sizeof error) == SKIDPAD_OK);
    MUST(FUNCTION(copy)(vehicles[FAST], &vehicles[SLOW]) == SKIDPAD_OK);
    MUST(FUNCTION(copy)(vehicles[FAST], &vehicles[UNREAD]) == SKIDPAD_OK);
    MUST(FUNCTION(variable_count)(vehicles[FAST], &all) == SKIDPAD_OK);
    for (int64_t i = 0; i < all; i++) {
        MUST(FUNCTION(describe)(vehicles[FAST], i, &variable) == SKIDPAD_OK);
        if (variable.causality == SKIDPAD_OUTPUT && output_count < MOST)
            outputs[output_count++] = variable.reference;
    }
    steer = reference("steer_FL.angle");
    brake = reference("brake_FL.torque");
    load = reference("tire_RR.Fz");
    acceleration = reference("body.ay");
    count("euler", 1, 1);
    count("heun", 2, 1);
    count("rk4", 4, 1);
    count("linearly-implicit", 2, 0);
    count_long_steps();
    read_and_step();
    write_after_rest();
    read_each(all);
    change_between();
    return 0;
}
