/* The table of core.h, and the detection of forks. */
#include "shim/core.h"

#include <stdlib.h>

#include "_cgo_export.h"

#if !defined(_WIN32)
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

const char core_fork_text[] =
    "this process was forked after the library was loaded, and the library cannot work in the child: start workers by "
    "spawn or forkserver, or fork before the library is first used";

const skidpad_message core_no_memory[1] = {
    {3, "logStatusError", "the system has no memory left for messages of this instance"}};

#if defined(_WIN32)
static volatile int32_t usable = 1;
volatile int32_t *core_usable = &usable;
#else
/* A child process has no threads of Go, and a call into Go could wait for them forever. The constructor below moves
 * this flag to a page that the kernel clears in children. A handler of pthread_atfork is not enough: glibc does not run
 * it if another thread forked while the library was loaded. Kernels before Linux 4.14 have only the handler. */
static volatile int32_t usable;
volatile int32_t *core_usable = &usable;
static void in_child(void) { *core_usable = 0; }

/* The priority makes this constructor run before Go's constructor, which starts threads. */
__attribute__((constructor(101))) static void watch_forks(void)
{
#if defined(MADV_WIPEONFORK)
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) {
        if (madvise(page, size, MADV_WIPEONFORK) == 0)
            core_usable = page;
        else
            munmap(page, size);
    }
#endif
    *core_usable = 1;
    pthread_atfork(NULL, NULL, in_child);
}
#endif

/* On Linux, a new thread inherits the floating-point environment of its creator. Go's constructor starts the first
 * threads of Go, and these threads start all others. Therefore all threads of Go have the environment in which results
 * are defined, whatever the host has set. This constructor runs before Go's constructor, note_start after it: Go's
 * object is linked first. */
#if !defined(_WIN32)
static step_arithmetic of_host;
__attribute__((constructor(101))) static void set_arithmetic(void) { step_arithmetic_begin(&of_host); }
static void restore_arithmetic(void) { step_arithmetic_end(&of_host); }
#else
static void restore_arithmetic(void) {}
#endif

/* Set when the loader has started this library. From glibc 2.35 on, a loader that runs out of memory late leaves the
 * library in the process without its constructors, and returns it to the next caller of dlopen. The first call would
 * then wait for Go for ever. */
static volatile int32_t started;
__attribute__((constructor)) static void note_start(void)
{
    started = 1;
    restore_arithmetic();
}

#if !defined(_WIN32)
/* At its start, Go raises the limit on open files of the whole process. The host must decide on this limit, since it
 * may use select. This variable holds the limit before Go's start; core_restore_limit restores it afterwards. */
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
    static skidpad_core table = {
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
    table.usable = core_usable;
    return &table;
}
