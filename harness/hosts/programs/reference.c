/* An FMU that does nothing: every function of the version given by -DFMI=2 or
 * -DFMI=3 exists and returns OK at once. What calling it costs is what calling
 * any FMU costs this host at least. */
#include "fmi.h"

#define PASTE(a, b, c) a##b##c
#define NAMED(version, name) PASTE(fmi, version, name)
#define STATUS(name, arguments) \
    int NAMED(FMI, name) arguments; \
    int NAMED(FMI, name) arguments { return OK; }

static char handle;

#define DECLARE(name, result, arguments) result NAMED(FMI, name) arguments;

#if FMI == 2
FMI2_FUNCTIONS(STATUS, DECLARE)

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }
void *fmi2Instantiate(const char *, int, const char *, const char *, const struct callbacks2 *, int, int)
{
    return &handle;
}
void fmi2FreeInstance(void *) {}
#else
FMI3_FUNCTIONS(STATUS, DECLARE)

const char *fmi3GetVersion(void) { return "3.0"; }
void *fmi3InstantiateModelExchange(const char *, const char *, const char *, bool, bool, void *, log3_function *)
{
    return &handle;
}
void *fmi3InstantiateCoSimulation(const char *, const char *, const char *, bool, bool, bool, bool,
                                  const uint32_t[], size_t, void *, log3_function *, update_function *)
{
    return &handle;
}
void *fmi3InstantiateScheduledExecution(const char *, const char *, const char *, bool, bool, void *,
                                        log3_function *, void (*)(void *), void (*)(void), void (*)(void))
{
    return 0;
}
void fmi3FreeInstance(void *) {}
#endif
