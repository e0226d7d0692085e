/* A vehicle whose steps are made by C and one whose steps are all made by Go:
 *
 *     twins LIBRARY MODEL TIRES METHOD STEP
 *
 * It falls from the air, slides to the left and leans; its tires, of the parameters in TIRES, are overloaded, lean
 * and are crushed, and come back. Both are saved and asked for their warnings in between and at the end. Prints the
 * number of the warnings, or the first difference. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad.h"

#define MUST(condition)                                                     \
    do {                                                                    \
        if (!(condition)) {                                                 \
            printf("twins.c:%d: %s does not hold\n", __LINE__, #condition); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)
#define FUNCTION(name) ((__typeof__(skidpad_##name) *)dlsym(library, "skidpad_" #name))

static void *library;
static skidpad_vehicle *twins[2];
static int told, crushed, leaning;

/* States and warnings are the same, byte by byte. The state has what is watched of each tire. */
static void compare(int step)
{
    static char texts[2][1 << 14], states[2][1 << 20];
    int64_t size[2];
    for (int k = 0; k < 2; k++) {
        MUST(FUNCTION(state_size)(twins[k], &size[k]) == SKIDPAD_OK && size[k] <= (int64_t)sizeof states[k]);
        MUST(FUNCTION(save)(twins[k], states[k], size[k]) == SKIDPAD_OK);
        MUST(FUNCTION(warnings)(twins[k], texts[k], sizeof texts[k]) == SKIDPAD_OK);
    }
    if (strcmp(texts[0], texts[1]) != 0) {
        printf("after step %d C says:\n%s\nand Go:\n%s\n", step, texts[0], texts[1]);
        exit(1);
    }
    if (size[0] != size[1] || memcmp(states[0], states[1], (size_t)size[0]) != 0) {
        printf("after step %d the states differ\n", step);
        exit(1);
    }
    for (const char *at = texts[0]; (at = strstr(at, " s ")) != NULL; at++)
        told++;
    crushed |= strstr(texts[0], "deeper than the tire is") != NULL;
    leaning |= strstr(texts[0], "the inclination is") != NULL;
}

static void set(int k, const char *name, double value)
{
    uint32_t reference;
    MUST(FUNCTION(find)(twins[k], name, &reference) == SKIDPAD_OK);
    MUST(FUNCTION(set)(twins[k], &reference, 1, &value) == SKIDPAD_OK);
}

int main(int count, char **arguments)
{
    static const char *corners[] = {"FL", "FR", "RL", "RR"};
    char error[1024], name[32];
    MUST(count == 6 && (library = dlopen(arguments[1], RTLD_NOW)) != NULL);
    double h = atof(arguments[5]);
    for (int k = 0; k < 2; k++) {
        MUST(FUNCTION(load)(arguments[2], NULL, &twins[k], error, sizeof error) == SKIDPAD_OK);
        for (int c = 0; c < 4; c++) {
            snprintf(name, sizeof name, "tire_%s.model", corners[c]);
            MUST(FUNCTION(set_text)(twins[k], name, "MF61") == SKIDPAD_OK);
            snprintf(name, sizeof name, "tire_%s.file", corners[c]);
            MUST(FUNCTION(set_text)(twins[k], name, arguments[3]) == SKIDPAD_OK);
        }
        MUST(FUNCTION(set_text)(twins[k], "solver.method", arguments[4]) == SKIDPAD_OK);
        set(k, "body.z", 1.2);
        set(k, "body.vy", 11);
        set(k, "body.roll", 0.1);
        set(k, "body.wx", 2.5);
        MUST(FUNCTION(initialise)(twins[k]) == SKIDPAD_OK);
    }
    MUST(FUNCTION(set_time_limit)(twins[1], 1000) == SKIDPAD_OK); /* steps with a limit are made by Go */
    int steps = (int)(2.5 / h);
    for (int n = 1; n <= steps; n++) {
        MUST(FUNCTION(step)(twins[0], h) == SKIDPAD_OK && FUNCTION(step)(twins[1], h) == SKIDPAD_OK);
        if (n % 90 == 0) /* neither too often: both look at the state that has been reached, when they are asked */
            compare(n);
    }
    compare(steps);
    MUST(crushed && leaning && told > 12);
    printf("%d\n", told);
    return 0;
}
