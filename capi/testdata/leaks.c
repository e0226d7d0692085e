/* Uses an FMU and the library and gives everything back, for a checker of leaks that runs when the process ends:
 *
 *     leaks LIBRARY MODEL TIRE FILE FOLDER...
 *
 * TIRE is a library tire function, FILE its parameters; the folders hold FMUs of the model. */
#include <dlfcn.h>
#include <stdlib.h>

#include "host.h"
#include "skidpad.h"

static void import(const char *folder, const char *const *tire)
{
    struct fmu f;
    struct instance i;
    void *state = NULL;
    fmu_open(&f, folder);
    const uint32_t names[2] = {fmu_reference(&f, "tire_FL.model"), fmu_reference(&f, "tire_FL.file")};
    MUST(instance_new(&i, &f, "leaks"));
    MUST((f.version == 2 ? f.f2.SetString(i.handle, names, 2, tire)
                         : f.f3.SetString(i.handle, names, 2, tire, 2)) == OK);
    MUST(instance_initialise(&i) == OK && instance_step(&i, 0.01) == OK);
    MUST((f.version == 2 ? f.f2.GetFMUstate(i.handle, &state) : f.f3.GetFMUState(i.handle, &state)) == OK);
    MUST((f.version == 2 ? f.f2.FreeFMUstate(i.handle, &state) : f.f3.FreeFMUState(i.handle, &state)) == OK);
    instance_free(&i);
    fmu_close(&f);
}

int main(int count, char **arguments)
{
    char error[1024];
    skidpad_vehicle *vehicle;
    skidpad_variable variable;
    MUST(count > 5);
    const char *const tire[2] = {arguments[3], arguments[4]};
    for (int k = 5; k < count; k++)
        import(arguments[k], tire);
    void *library = dlopen(arguments[1], RTLD_NOW);
    MUST(library != NULL);
#define FUNCTION(name) ((__typeof__(skidpad_##name) *)dlsym(library, "skidpad_" #name))
    MUST(FUNCTION(load)(arguments[2], NULL, &vehicle, error, sizeof error) == SKIDPAD_OK);
    MUST(FUNCTION(describe)(vehicle, 0, &variable) == SKIDPAD_OK);
    MUST(FUNCTION(set_text)(vehicle, "tire_FL.model", tire[0]) == SKIDPAD_OK);
    MUST(FUNCTION(set_text)(vehicle, "tire_FL.file", tire[1]) == SKIDPAD_OK);
    MUST(FUNCTION(initialise)(vehicle) == SKIDPAD_OK);
    for (int k = 0; k < 10; k++)
        MUST(FUNCTION(step)(vehicle, 0.001) == SKIDPAD_OK);
    MUST(FUNCTION(free)(vehicle) == SKIDPAD_OK);
    return 0;
}
