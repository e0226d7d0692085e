/* A vehicle on terrain whose steps are made by C and one whose steps are all made by Go:
 *
 *     ground LIBRARY MODEL NAME=TEXT...
 *
 * Both get the texts and are steered, or pushed. Prints the first step after which a byte of their states differs. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad.h"

#define MUST(condition)                                                      \
    do {                                                                     \
        if (!(condition)) {                                                  \
            printf("ground.c:%d: %s does not hold\n", __LINE__, #condition); \
            exit(1);                                                         \
        }                                                                    \
    } while (0)
#define FUNCTION(name) ((__typeof__(skidpad_##name) *)dlsym(library, "skidpad_" #name))

static void *library;
static skidpad_vehicle *twins[2];

static void compare(int step)
{
    static char states[2][1 << 20];
    int64_t size[2];
    for (int k = 0; k < 2; k++) {
        MUST(FUNCTION(state_size)(twins[k], &size[k]) == SKIDPAD_OK && size[k] <= (int64_t)sizeof states[k]);
        MUST(FUNCTION(save)(twins[k], states[k], size[k]) == SKIDPAD_OK);
    }
    if (size[0] != size[1] || memcmp(states[0], states[1], (size_t)size[0]) != 0) {
        printf("after step %d the states differ\n", step);
        exit(1);
    }
}

int main(int count, char **arguments)
{
    double lengths[] = {0.001, 0.0007, 0.01};
    char error[1024];
    uint32_t steer, above;
    MUST(count > 2 && (library = dlopen(arguments[1], RTLD_NOW)) != NULL);
    for (int k = 0; k < 2; k++) {
        MUST(FUNCTION(load)(arguments[2], NULL, &twins[k], error, sizeof error) == SKIDPAD_OK);
        for (int i = 3; i < count; i++) {
            char *value = strchr(arguments[i], '=');
            MUST(value != NULL);
            *value = 0;
            if (FUNCTION(set_text)(twins[k], arguments[i], value + 1) != SKIDPAD_OK) { /* a parameter */
                double x = atof(value + 1);
                MUST(FUNCTION(find)(twins[k], arguments[i], &steer) == SKIDPAD_OK);
                MUST(FUNCTION(set)(twins[k], &steer, 1, &x) == SKIDPAD_OK);
            }
            *value = '=';
        }
        MUST(FUNCTION(initialise)(twins[k]) == SKIDPAD_OK);
    }
    if (FUNCTION(find)(twins[0], "contact_R.terrain_z", &above) == SKIDPAD_OK) { /* wheel contacts take multiples */
        lengths[1] = 0.002;
        MUST(FUNCTION(find)(twins[0], "force_1x.force", &steer) == SKIDPAD_OK);
    } else {
        MUST(FUNCTION(find)(twins[0], "steering.angle", &steer) == SKIDPAD_OK ||
             FUNCTION(find)(twins[0], "steer_FL.angle", &steer) == SKIDPAD_OK);
        MUST(FUNCTION(find)(twins[0], "tire_RR.terrain_z", &above) == SKIDPAD_OK);
    }
    MUST(FUNCTION(set_time_limit)(twins[1], 1000) == SKIDPAD_OK); /* steps with a limit are made by Go */
    for (int n = 1; n <= 600; n++) {
        double angle = n < 300 ? 0.02 : -0.03, height = n % 100 == 0 ? 0.002 : 0;
        for (int k = 0; k < 2; k++) {
            if (n % 50 == 0) {
                MUST(FUNCTION(set)(twins[k], &steer, 1, &angle) == SKIDPAD_OK);
                MUST(FUNCTION(set)(twins[k], &above, 1, &height) == SKIDPAD_OK);
            }
            MUST(FUNCTION(step)(twins[k], lengths[n / 201]) == SKIDPAD_OK);
        }
        if (n % 30 == 0)
            compare(n);
    }
    return 0;
}
