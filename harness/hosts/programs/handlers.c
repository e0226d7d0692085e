/* Group 3: the host's own signal handlers.
 *
 *     handlers FMU...
 *
 * Every case is a process of its own. */
#include "host.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

struct fault_case {
    const char *folder;
    int signal;
    bool before;   /* handler installed before the library is loaded, or after the first step */
    int flags;     /* SA_ONSTACK or 0 */
    bool elsewhere; /* the faults happen on a thread that never called the library */
};

static sigjmp_buf recovery;
static volatile sig_atomic_t caught;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    caught = signal;
    siglongjmp(recovery, 1);
}

static void install(int signal, int flags)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | flags};
    sigemptyset(&action.sa_mask);
    MUST(sigaction(signal, &action, NULL) == 0);
}

/* fault makes the hardware raise the signal and comes back through the handler. */
static void fault(int signal)
{
    caught = 0;
    if (sigsetjmp(recovery, 1) == 0) {
        if (signal == SIGSEGV) {
            *(volatile int *)(uintptr_t)getpagesize() = 1;
        } else if (signal == SIGBUS) {
            FILE *empty = tmpfile();
            volatile char *beyond = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(empty), 0);
            *beyond = 1;
        } else {
#ifdef __x86_64__
            volatile int seven = 7, zero = 0;
            seven = seven / zero;
#else
            raise(SIGFPE); /* integer division does not trap here */
#endif
        }
    }
    MUST(caught == signal);
}

static void *fault_on_thread(void *argument)
{
    fault(*(int *)argument);
    return NULL;
}

static void fault_body(void *argument)
{
    struct fault_case *c = argument;
    double values[DRIVE], again[DRIVE];
    struct fmu f;
    struct instance i;
    stack_t own = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&own, NULL);
    if (c->before)
        install(c->signal, c->flags);
    fmu_open(&f, c->folder);
    drive(&f, 1, values);
    MUST(instance_new(&i, &f, "faults") && instance_initialise(&i) == OK);
    for (int step = 0; step < DRIVE_STEPS; step++) {
        drive_step(&i, 1, step, again + step * DRIVE_OUTPUTS);
        if (step == 0 && !c->before)
            install(c->signal, c->flags);
        if (c->elsewhere) {
            pthread_t thread;
            MUST(pthread_create(&thread, NULL, fault_on_thread, &c->signal) == 0);
            pthread_join(thread, NULL);
        } else {
            fault(c->signal);
        }
    }
    instance_free(&i);
    MUST(drive_equal(values, again));
}

static void dump(struct sigaction actions[NSIG])
{
    memset(actions, 0, NSIG * sizeof *actions);
    for (int signal = 1; signal < NSIG; signal++)
        sigaction(signal, NULL, &actions[signal]);
}

static bool same_action(const struct sigaction *a, const struct sigaction *b)
{
    return a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags;
}

/* Loading changes no handler; the first instance changes those the Go runtime
 * is documented to change, and no others. */
static void dump_body(void *folder)
{
    static const int documented[] = {SIGSEGV, SIGBUS, SIGFPE, SIGPIPE, SIGURG};
    static struct sigaction before[NSIG], loaded[NSIG], used[NSIG];
    sigset_t mask_before, mask_after;
    double values[DRIVE];
    struct fmu f;
    sigprocmask(SIG_BLOCK, NULL, &mask_before);
    dump(before);
    fmu_open(&f, folder);
    dump(loaded);
    for (int signal = 1; signal < NSIG; signal++)
        MUST(same_action(&before[signal], &loaded[signal]));
    drive(&f, 1, values);
    dump(used);
    char changed[256] = "";
    for (int signal = 1; signal < NSIG; signal++) {
        if (same_action(&before[signal], &used[signal]))
            continue;
        bool allowed = false;
        for (size_t k = 0; k < sizeof documented / sizeof *documented; k++)
            allowed |= documented[k] == signal;
        /* glibc keeps 32 and 33 for itself and takes them with the first thread. */
        if (!allowed && signal >= 32 && signal < SIGRTMIN)
            continue;
        if (!allowed)
            figure("  handler of signal %d changed\n", signal);
        MUST(allowed && (used[signal].sa_flags & SA_ONSTACK));
        strcat(strcat(changed, " "), sigabbrev_np(signal));
    }
    sigprocmask(SIG_BLOCK, NULL, &mask_after);
    MUST(memcmp(&mask_before, &mask_after, sizeof mask_before) == 0);
    figure("  %s: no handler changed by loading, by the first instance:%s\n", f.name, changed);
}

static volatile sig_atomic_t alarms, profiles;

static void on_alarm(int signal)
{
    if (signal == SIGALRM)
        alarms++;
    else
        profiles++;
}

struct storm {
    const char *folder;
    int flags; /* SA_ONSTACK or 0 */
};

/* Ten thousand alarms per second, and profiling ticks, change no bit. Most hosts
 * install handlers without SA_ONSTACK; theirs must not run on a Go stack. There
 * only alarms are tried: the Go runtime lets nobody keep SIGPROF from its threads. */
static void storm_body(void *argument)
{
    const struct storm *storm = argument;
    double calm[DRIVE], values[DRIVE];
    struct fmu f;
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = storm->flags | SA_RESTART};
    struct itimerval every = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    fmu_open(&f, storm->folder);
    drive(&f, 1, calm);
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    if (storm->flags)
        setitimer(ITIMER_PROF, &every, NULL);
    int drives = 0;
    for (double end = seconds() + 2; seconds() < end; drives++) {
        drive(&f, 1, values);
        MUST(drive_equal(values, calm));
    }
    setitimer(ITIMER_REAL, &never, NULL);
    setitimer(ITIMER_PROF, &never, NULL);
    figure("  %s: %d drives bit-equal under %d SIGALRM and %d SIGPROF, handlers %s SA_ONSTACK\n", f.name, drives,
           (int)alarms, (int)profiles, storm->flags ? "with" : "without");
    MUST(alarms > 100 && (profiles > 100 || !storm->flags));
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE};
    int cases = 0;
    MUST(argc > 1);
    for (int n = 1; n < argc; n++) {
        MUST(in_child(dump_body, argv[n], 60) == 0);
        for (int onstack = 1; onstack >= 0; onstack--) {
            struct storm storm = {argv[n], onstack ? SA_ONSTACK : 0};
            int status = in_child(storm_body, &storm, 30);
            if (status != 0)
                figure("  wait status %#x: storm, handlers %s SA_ONSTACK\n", status, onstack ? "with" : "without");
            MUST(status == 0);
        }
        for (int bits = 0; bits < 24; bits++) {
            struct fault_case c = {argv[n], signals[bits / 8], bits & 1, bits & 2 ? SA_ONSTACK : 0, bits & 4};
            int status = in_child(fault_body, &c, 60);
            if (status != 0)
                figure("  wait status %#x: %s, handler %s, %s SA_ONSTACK, %s\n", status, strsignal(c.signal),
                       c.before ? "before" : "after", c.flags ? "with" : "without",
                       c.elsewhere ? "on another thread" : "on the stepping thread");
            MUST(status == 0);
            cases++;
        }
    }
    figure("  %d cases of host faults: all reached the host's handler, all drives bit-equal\n", cases);
    return 0;
}
