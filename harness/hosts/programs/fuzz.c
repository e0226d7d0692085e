/* Calls that bytes choose: a host that keeps to the state machine of the standard, or one that does not.
 *
 *     fuzz CALLS SEED CORPUS FMU...
 *
 * makes the calls of the files in CORPUS/fmi2 or CORPUS/fmi3, then CALLS more by chance.
 *
 * Built with -fsanitize=fuzzer it is a target of libFuzzer, which finds bytes that lead to code not run before
 * (fuzz.sh); the environment variable FMU names the extracted FMU then.
 *
 * Byte 0 says what kind of instance and host it is, each call takes three more: which one, and with what. */
#include "calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANTIATED, INITIALIZATION, EVENT, STEP, CONTINUOUS, TERMINATED, MODES };
enum { EXCHANGE = 1, FOLLOWS = 2, HANDLES_EVENTS = 4, UPDATES = 8, SILENT = 16 };

/* What a host that follows the standard calls in a mode, besides what is always allowed. */
static const char *const legal[MODES] = {
    " SetupExperiment EnterInitializationMode SetReal SetFloat64 SetString SetBoolean ",
    " ExitInitializationMode SetReal SetFloat64 GetDirectionalDerivative GetAdjointDerivative GetContinuousStates ",
    " UpdateDiscreteStates NewDiscreteStates EnterStepMode EnterContinuousTimeMode SetReal SetFloat64 Terminate ",
    " DoStep SetReal SetFloat64 GetDirectionalDerivative GetAdjointDerivative GetRealOutputDerivatives "
    "GetOutputDerivatives "
    "SetRealInputDerivatives EnterEventMode Terminate GetStatus GetRealStatus ",
    " SetTime SetContinuousStates GetContinuousStates GetDerivatives GetContinuousStateDerivatives GetEventIndicators "
    "CompletedIntegratorStep GetDirectionalDerivative EnterEventMode Terminate SetReal SetFloat64 ",
    " GetDirectionalDerivative ",
};
static const char always[] =
    " GetReal GetFloat64 GetString GetBoolean SetDebugLogging Reset GetFMUstate SetFMUstate FreeFMUstate "
    "SerializedFMUstateSize SerializeFMUstate GetFMUState SetFMUState FreeFMUState "
    "SerializedFMUStateSize SerializeFMUState GetNominalsOfContinuousStates "
    "GetNumberOfContinuousStates GetVariableDependencies ";

static struct fmu f;
static long calls_made, ok, instances;

static bool in_list(const char *list, const char *name)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(list, word) != NULL;
}

struct guest {
    struct log log; /* first, for the loggers of host.c */
    void *handle, *state, *freed;
    int mode, kind;
    uint64_t random;
    bool inside;
};

/* Every intermediate update makes one call more. */
static void update(void *environment, double time, bool set_requested, bool get_allowed, bool step_finished,
                   bool can_return_early, bool *early_return_requested, double *early_return_time)
{
    struct guest *g = environment;
    (void)set_requested, (void)get_allowed, (void)step_finished;
    if (!g->inside && random_next(&g->random) % 8 == 0) {
        g->inside = true;
        call(&f, (int)(random_next(&g->random) % (uint64_t)calls_count(&f)), g->handle, &g->state, g->freed,
             &g->random);
        g->inside = false;
    }
    *early_return_requested = can_return_early && random_next(&g->random) % 4 == 0;
    *early_return_time = time;
}

static void instantiate(struct guest *g)
{
    bool logging = !(g->kind & SILENT), exchange = g->kind & EXCHANGE;
    if (f.version == 2) {
        struct callbacks2 callbacks = {logging ? log2_message : NULL, calloc, free, NULL, g};
        g->handle = f.f2.Instantiate("fuzz", exchange ? MODEL_EXCHANGE : CO_SIMULATION, f.token, f.resources,
                                     &callbacks, 0, logging);
    } else if (exchange) {
        g->handle = f.f3.InstantiateModelExchange("fuzz", f.token, f.resources, false, logging, g, log3_message);
    } else {
        uint32_t used = fmu_reference(&f, fmu_is_skidder(&f) ? "front.vx" : "body.vx");
        g->handle = f.f3.InstantiateCoSimulation("fuzz", f.token, f.resources, false, logging,
                                                 (g->kind & HANDLES_EVENTS) != 0, (g->kind & UPDATES) != 0, &used, 1, g,
                                                 log3_message, g->kind & UPDATES ? update : NULL);
    }
    if (g->handle == NULL)
        figure("  no instance: %s\n", g->log.latest);
    MUST(g->handle != NULL);
    g->mode = INSTANTIATED;
    instances++;
}

static void release(struct guest *g)
{
    if (f.version == 2)
        f.f2.FreeInstance(g->handle);
    else
        f.f3.FreeInstance(g->handle);
    g->freed = g->state;
    g->state = NULL;
}

/* The mode after a call that worked. */
static int after(const struct guest *g, const char *name)
{
    if (strcmp(name, "Reset") == 0)
        return INSTANTIATED;
    if (strcmp(name, "EnterInitializationMode") == 0)
        return INITIALIZATION;
    if (strcmp(name, "ExitInitializationMode") == 0)
        return g->kind & EXCHANGE || (f.version == 3 && g->kind & HANDLES_EVENTS) ? EVENT : STEP;
    if (strcmp(name, "EnterStepMode") == 0)
        return STEP;
    if (strcmp(name, "EnterContinuousTimeMode") == 0)
        return CONTINUOUS;
    if (strcmp(name, "EnterEventMode") == 0)
        return EVENT;
    if (strcmp(name, "Terminate") == 0)
        return TERMINATED;
    return g->mode;
}

static int reset(struct guest *g) { return f.version == 2 ? f.f2.Reset(g->handle) : f.f3.Reset(g->handle); }

static void one_call(struct guest *g, int choice, int with)
{
    int k = choice % calls_count(&f);
    g->random = (uint64_t)with;
    if (choice == 255) {
        release(g);
        instantiate(g);
        return;
    }
    if (g->kind & FOLLOWS) /* the next one that is allowed */
        while (!in_list(always, call_name(&f, k)) && !in_list(legal[g->mode], call_name(&f, k)))
            k = (k + 1) % calls_count(&f);
    int status = call(&f, k, g->handle, &g->state, g->freed, &g->random);
    calls_made++;
    ok += status == OK;
    MUST(status >= NO_STATUS && status <= ERROR);
    if (status == OK || status == WARNING)
        g->mode = after(g, call_name(&f, k));
    else if (status == ERROR && g->kind & FOLLOWS) {
        MUST(reset(g) == OK);
        g->mode = INSTANTIATED;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct guest g = {.kind = size > 0 ? bytes[0] : 0};
    instantiate(&g);
    for (size_t at = 1; at + 2 < size; at += 3)
        one_call(&g, bytes[at], bytes[at + 1] | bytes[at + 2] << 8);
    MUST(reset(&g) == OK); /* whatever happened */
    release(&g);
    return 0;
}

#ifdef LIBFUZZER

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    MUST(getenv("FMU") != NULL);
    fmu_open(&f, getenv("FMU"));
    return 0;
}

__attribute__((destructor)) static void report(void)
{
    figure("  %s, FMI %d.0: %ld calls on %ld instances, %ld of them OK\n", f.name, f.version, calls_made, instances,
           ok);
}

#else

static void corpus(const char *name)
{
    static uint8_t bytes[1 << 16];
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/fmi%d", name, f.version);
    DIR *folder = opendir(path);
    int files = 0;
    MUST(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "%s/fmi%d/%s", name, f.version, entry->d_name);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t size = read(file, bytes, sizeof bytes);
        close(file);
        if (size < 0) /* a folder */
            continue;
        LLVMFuzzerTestOneInput(bytes, (size_t)size);
        files++;
    }
    closedir(folder);
    MUST(files > 0);
    figure("  %s, FMI %d.0: %ld calls from %d files,", f.name, f.version, calls_made, files);
}

int main(int argc, char **argv)
{
    static uint8_t bytes[900];
    MUST(argc > 4);
    for (int n = 4; n < argc; n++) {
        uint64_t random = strtoul(argv[2], NULL, 10);
        fmu_open(&f, argv[n]);
        calls_made = ok = instances = 0;
        corpus(argv[3]);
        for (long kept = calls_made; calls_made < kept + atol(argv[1]);) {
            size_t size = 1 + random_next(&random) % sizeof bytes;
            for (size_t k = 0; k < size; k++)
                bytes[k] = (uint8_t)(random_next(&random) >> 24);
            LLVMFuzzerTestOneInput(bytes, size);
        }
        figure(" %ld with those by chance, on %ld instances, %ld of them OK\n", calls_made, instances, ok);
    }
    return 0;
}

#endif
