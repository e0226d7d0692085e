/* Group 3, continued: signals and floating-point environment of the host during long steps and in callbacks.
 *
 *     signals FMU...
 *
 * Every case is a process of its own. */
#include "host.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { LONG = 1000000 }; /* solver steps: seconds */

static uint32_t vx(const struct fmu *f) { return fmu_reference(f, fmu_is_skidder(f) ? "front.vx" : "body.vx"); }

static volatile sig_atomic_t alarms, elsewhere;
static char *stack_from, *stack_to; /* of the thread that steps */

static void on_alarm(int signal)
{
    char here;
    (void)signal;
    alarms++;
    if (&here < stack_from || &here >= stack_to)
        elsewhere++;
}

/* A handler without SA_ONSTACK, as most hosts install them, is called again and again within one step, on the stack of
 * the host: those of Go are small. */
static void handled_within_a_step(void *folder)
{
    struct fmu f;
    struct instance i;
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct itimerval every = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
    fmu_open(&f, folder);
    MUST(instance_new(&i, &f, "long") && instance_initialise(&i) == OK);
    pthread_attr_t attributes;
    size_t size;
    MUST(pthread_getattr_np(pthread_self(), &attributes) == 0);
    pthread_attr_getstack(&attributes, (void **)&stack_from, &size);
    stack_to = stack_from + size;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    double begin = seconds();
    MUST(instance_step(&i, 0.001 * LONG / 4) == OK);
    double took = seconds() - begin;
    int within = (int)alarms;
    setitimer(ITIMER_REAL, &never, NULL);
    instance_free(&i);
    figure("  %s, FMI %d.0: %d signals handled within one step of %.1f s, %d of them on stacks of Go\n", f.name,
           f.version, within, took, (int)elsewhere);
    MUST(within > 10 && elsewhere == 0);
}

static void *interrupt(void *nothing)
{
    (void)nothing;
    usleep(300000);
    kill(getpid(), SIGINT);
    return NULL;
}

/* Without a handler SIGINT ends the process in the middle of the longest step. A shell lets what it starts in the
 * background ignore it. */
static void interrupted(void *folder)
{
    struct fmu f;
    struct instance i;
    pthread_t thread;
    sigset_t interrupts;
    fmu_open(&f, folder);
    MUST(instance_new(&i, &f, "longest") && instance_initialise(&i) == OK);
    MUST(signal(SIGINT, SIG_DFL) != SIG_ERR);
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupts, NULL); /* of the other thread: this one has to take it */
    MUST(pthread_create(&thread, NULL, interrupt, NULL) == 0);
    pthread_sigmask(SIG_UNBLOCK, &interrupts, NULL);
    instance_step(&i, 999e3); /* half an hour at least */
}

/* The host's environment while its callbacks run. */
struct watch {
    struct log log; /* first, for the loggers of host.c */
    struct fmu *f;
    void *handle;
    sigset_t mask;
    unsigned numbers;
    int looks;
    bool wrong_call;
};

static unsigned numbers(void)
{
#if defined(__x86_64__)
    return _mm_getcsr() & ~0x3fu;
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return (unsigned)fpcr;
#endif
}

static void set_numbers(void) /* tiny numbers are zero, as libraries built with -ffast-math have it */
{
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040u);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)1 << 24));
#endif
}

static void look(struct watch *w)
{
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    for (int signal = 1; signal <= SIGRTMAX; signal++)
        MUST(sigismember(&mask, signal) == sigismember(&w->mask, signal));
    MUST(numbers() == w->numbers);
    w->looks++;
}

static void watch_log2(void *environment, const char *name, int status, const char *category, const char *message, ...)
{
    struct watch *w = environment;
    log2_message(&w->log, name, status, category, message);
    look(w);
}

static void watch_log3(void *environment, int status, const char *category, const char *message)
{
    struct watch *w = environment;
    log3_message(&w->log, status, category, message);
    look(w);
}

static void watch_update(void *environment, double time, bool set_requested, bool get_allowed, bool step_finished,
                         bool can_return_early, bool *early_return_requested, double *early_return_time)
{
    struct watch *w = environment;
    uint32_t reference = 0;
    double value;
    (void)time, (void)set_requested, (void)get_allowed, (void)step_finished, (void)can_return_early;
    (void)early_return_requested, (void)early_return_time;
    look(w);
    if (w->wrong_call) /* then the step cannot go on, and says so */
        MUST(w->f->f3.GetFloat64(w->handle, &reference, 1, &value, 1) == ERROR);
}

static void host_environment(void *folder)
{
    static struct watch w;
    struct fmu f;
    struct instance i = {.fmu = &f, .handle = NULL};
    fmu_open(&f, folder);
    w.f = &f;
    sigemptyset(&w.mask);
    sigaddset(&w.mask, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &w.mask, NULL);
    pthread_sigmask(SIG_BLOCK, NULL, &w.mask);
    set_numbers();
    w.numbers = numbers();
    uint32_t used = vx(&f);
    struct callbacks2 callbacks = {watch_log2, calloc, free, NULL, &w};
    for (int part = 0; part < 2; part++) {
        w.handle = i.handle = f.version == 2
                                  ? f.f2.Instantiate("watch", CO_SIMULATION, f.token, f.resources, &callbacks, 0, 1)
                                  : f.f3.InstantiateCoSimulation("watch", f.token, f.resources, false, true, false,
                                                                 false, &used, 1, &w, watch_log3, watch_update);
        MUST(i.handle != NULL && instance_initialise(&i) == OK);
        MUST(instance_step(&i, 0.2) == OK);
        int before = w.log.messages;
        if (part == 0) {
            i.time -= 1e-5; /* a warning */
            MUST(instance_step(&i, 0.1) == WARNING);
        } else {
            w.wrong_call = true;
            MUST(instance_step(&i, f.version == 2 ? -1 : 0.1) == ERROR);
        }
        MUST(w.log.messages > before);
        w.wrong_call = false;
        instance_free(&i);
        look(&w);
    }
    MUST((f.version == 2 ? f.f2.Instantiate("watch", CO_SIMULATION, "wrong", f.resources, &callbacks, 0, 1)
                         : f.f3.InstantiateCoSimulation("watch", "wrong", f.resources, false, true, false, false, NULL,
                                                        0, &w, watch_log3, NULL)) == NULL);
    figure("  %s, FMI %d.0: signal mask and floating-point environment of the host in %d callbacks\n", f.name,
           f.version, w.looks);
}

int main(int argc, char **argv)
{
    MUST(argc > 1);
    for (int n = 1; n < argc; n++) {
        MUST(in_child(host_environment, argv[n], 60) == 0);
        MUST(in_child(handled_within_a_step, argv[n], 120) == 0);
        int status = in_child(interrupted, argv[n], 120);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGINT)
            figure("  wait status %#x after SIGINT in the middle of a step\n", status);
        MUST(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    }
    return 0;
}
