/* A step of C whose inputs are so far out that an output overflows is left to the core, which refuses it:
 *
 *     far_input LIBRARY MODEL INPUT
 *
 * The states of the model stay finite. Prints what does not hold. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad.h"

#define MUST(condition)                                                         \
    do {                                                                        \
        if (!(condition)) {                                                     \
            printf("far_input.c:%d: %s does not hold\n", __LINE__, #condition); \
            exit(1);                                                            \
        }                                                                       \
    } while (0)
#define FUNCTION(name) ((__typeof__(skidpad_##name) *)dlsym(library, "skidpad_" #name))

int main(int count_of, char **arguments)
{
    void *library;
    char error[1024];
    skidpad_vehicle *v;
    uint32_t input;
    double far = 1e300, time = 0;
    MUST(count_of == 4 && (library = dlopen(arguments[1], RTLD_NOW)) != NULL);
    MUST(FUNCTION(load)(arguments[2], NULL, &v, error, sizeof error) == SKIDPAD_OK);
    MUST(FUNCTION(find)(v, arguments[3], &input) == SKIDPAD_OK);
    MUST(FUNCTION(initialise)(v) == SKIDPAD_OK);
    for (int i = 0; i < 4; i++) /* C makes all but the first */
        MUST(FUNCTION(step)(v, 1e-3) == SKIDPAD_OK);
    MUST(FUNCTION(set)(v, &input, 1, &far) == SKIDPAD_OK);
    MUST(FUNCTION(step)(v, 1e-3) == SKIDPAD_REFUSED && strstr(FUNCTION(last_error)(v), "an output is") != NULL);
    MUST(FUNCTION(time)(v, &time) == SKIDPAD_OK && time < 4.5e-3);
    return 0;
}
