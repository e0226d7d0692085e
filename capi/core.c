/* The table of core.h, and what has to be known about forks. */
#include "core.h"

#include <stdlib.h>

#include "_cgo_export.h"

#if !defined(_WIN32)
#include <pthread.h>
#include <sys/resource.h>
#endif

/* Set in children of the process: there Go's threads are missing, and a call into Go
 * could wait for them forever. */
volatile int32_t core_forked;

const char core_fork_text[] =
    "this process was forked after the library began to work, and Go cannot go on in the child: create instances in the "
    "worker itself, or start workers with spawn or forkserver";

const skidpad_message core_no_memory[1] = {
    {3, "logStatusError", "the system has no memory left for messages of this instance"}};

#if !defined(_WIN32)
static void in_child(void) { core_forked = 1; }
static pthread_once_t watching = PTHREAD_ONCE_INIT;
static void watch(void) { pthread_atfork(NULL, NULL, in_child); }
void core_watch_forks(void) { pthread_once(&watching, watch); }
#else
void core_watch_forks(void) {}
#endif

/* Set when the loader has started this library. From glibc 2.35 on, one that runs out of memory late leaves it in the
 * process without having done that, and gives it to whoever asks next: there the first call would wait for Go for ever. */
static volatile int32_t started;
__attribute__((constructor)) static void note_start(void) { started = 1; }

#if !defined(_WIN32)
/* Go raises the limit on open files of the whole process while it starts. That is the host's to say, which may use
 * select: the limit from before, which this reads before Go's own start, is put back when Go has started. */
static struct rlimit open_files;
__attribute__((constructor(101))) static void note_limit(void)
{
    if (getrlimit(RLIMIT_NOFILE, &open_files) != 0)
        open_files.rlim_max = 0;
}
void core_restore_limit(void)
{
    if (open_files.rlim_max != 0)
        setrlimit(RLIMIT_NOFILE, &open_files);
}
#else
void core_restore_limit(void) {}
#endif

#if defined(_WIN32)
__declspec(dllexport)
#endif
const skidpad_core *skidpad_core_table(void)
{
    if (!started)
        return NULL;
    static const skidpad_core table = {
        .forked = &core_forked,
        .fork_text = core_fork_text,
        .instantiate = coreInstantiate,
        .free = coreFree,
        .call = coreCall,
        .refuse = coreRefuse,
        .set_debug_logging = coreSetDebugLogging,
        .setup_experiment = coreSetupExperiment,
        .enter_initialization = coreEnterInitialization,
        .get = coreGet,
        .set_real = coreSetReal,
        .set_boolean = coreSetBoolean,
        .get_string = coreGetString,
        .set_string = coreSetString,
        .absent = coreAbsent,
        .set_time = coreSetTime,
        .set_states = coreSetStates,
        .read = coreRead,
        .counts = coreCounts,
        .step = coreStep,
        .resume = coreResume,
        .set_input_derivatives = coreSetInputDerivatives,
        .get_output_derivatives = coreGetOutputDerivatives,
        .status_time = coreStatusTime,
        .status_unknown = coreStatusUnknown,
        .state_get = coreStateGet,
        .state_set = coreStateSet,
        .state_free = coreStateFree,
        .state_size = coreStateSize,
        .state_write = coreStateWrite,
        .state_read = coreStateRead,
        .derivatives = coreDerivatives,
        .dependencies = coreDependencies,
    };
    core_watch_forks();
    return &table;
}
