/* A library of FMI 2.0 whose functions do nothing, except that WAY happens in FAULT: the name of a function, or
   "constructor". Before that it writes its process into the file MARKER, if that is defined. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void at(const char *name)
{
    static volatile int zero;
    if (strcmp(name, FAULT) != 0)
        return;
#ifdef MARKER
    {
        FILE *marker = fopen(MARKER, "w");
        if (marker != NULL) {
            fprintf(marker, "%d", (int)getpid());
            fclose(marker);
        }
    }
#endif
    WAY;
    (void)zero;
}

__attribute__((constructor)) static void constructor(void) { at("constructor"); }

void *fmi2Instantiate(void)
{
    static int instance;
    at("fmi2Instantiate");
    return &instance;
}

#define FUNCTION(name) \
    int name(void)     \
    {                  \
        at(#name);     \
        return 0;      \
    }
FUNCTION(fmi2FreeInstance)
FUNCTION(fmi2SetupExperiment)
FUNCTION(fmi2EnterInitializationMode)
FUNCTION(fmi2ExitInitializationMode)
FUNCTION(fmi2Terminate)
FUNCTION(fmi2Reset)
FUNCTION(fmi2GetReal)
FUNCTION(fmi2SetReal)
FUNCTION(fmi2SetString)
FUNCTION(fmi2GetString)
FUNCTION(fmi2DoStep)
FUNCTION(fmi2GetFMUstate)
FUNCTION(fmi2SetFMUstate)
FUNCTION(fmi2FreeFMUstate)
FUNCTION(fmi2SerializedFMUstateSize)
FUNCTION(fmi2SerializeFMUstate)
FUNCTION(fmi2DeSerializeFMUstate)
