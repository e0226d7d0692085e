/* Group 4, continued: the single-file library in processes that fork.
 *
 *     forked LIBRARY HEADER MODEL
 *
 * A child that hangs is killed, which is a failure. The library is loaded in children of this process only, so that
 * each scene begins without it. */
#include "host.h"

#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../../../capi/skidpad.h"

/* LIMIT only ends a hang: a child needs milliseconds. [s] */
enum { LIMIT = 10, REPETITIONS = 100 };

static char **paths;
static double longest; /* from the fork to the end of a child [s] */

static void *library;
static skidpad_vehicle *vehicle;

#define FUNCTION(name) ((__typeof__(&name))dlsym(library, #name))

static void map(void)
{
    library = dlopen(paths[0], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        figure("  %s\n", dlerror());
    MUST(library != NULL);
}

static void load(void)
{
    char error[1024];
    map();
    if (FUNCTION(skidpad_load)(paths[2], NULL, &vehicle, error, sizeof error) != SKIDPAD_OK)
        figure("  %s\n", error);
    MUST(vehicle != NULL && FUNCTION(skidpad_initialise)(vehicle) == SKIDPAD_OK);
}

static void names_the_way_out(const char *text)
{
    MUST(text != NULL && strstr(text, "forked") && strstr(text, "spawn") && strstr(text, "forkserver"));
}

/* Every function with a status, by its arguments on the vehicle of the parent. */
static int refused(void)
{
    static char text[1 << 16];
    double number = 0;
    uint32_t reference = 0;
    int64_t count = 0;
    int32_t status = 0;
    skidpad_vehicle *other = (skidpad_vehicle *)text;
    skidpad_fleet *fleet = NULL;
    skidpad_variable variable;
    skidpad_tire tire = {.abi = SKIDPAD_TIRE_ABI, .size = sizeof tire};
    skidpad_law law = {.abi = SKIDPAD_LAW_ABI, .size = sizeof law};
    skidpad_controller controller = {.abi = SKIDPAD_CONTROLLER_ABI, .size = sizeof controller};
    int calls = 0;
#define REFUSED(name, ...)                                      \
    do {                                                        \
        MUST(FUNCTION(name)(__VA_ARGS__) == SKIDPAD_FORKED);    \
        calls++;                                                \
    } while (0)
    REFUSED(skidpad_register_tire, &tire, text, sizeof text);
    REFUSED(skidpad_register_law, &law, text, sizeof text);
    REFUSED(skidpad_register_controller, &controller, text, sizeof text);
    names_the_way_out(text);
    text[0] = 0;
    REFUSED(skidpad_load, paths[2], NULL, &other, text, sizeof text);
    names_the_way_out(text);
    MUST(other == NULL);
    text[0] = 0;
    REFUSED(skidpad_load_reactions, paths[2], NULL, "*", &other, text, sizeof text);
    names_the_way_out(text);
    MUST(other == NULL);
    REFUSED(skidpad_copy, vehicle, &other);
    REFUSED(skidpad_variable_count, vehicle, &count);
    REFUSED(skidpad_describe, vehicle, 0, &variable);
    REFUSED(skidpad_find, vehicle, "body.vx", &reference);
    REFUSED(skidpad_set, vehicle, &reference, 1, &number);
    REFUSED(skidpad_set_rates, vehicle, &reference, 1, &number);
    REFUSED(skidpad_get, vehicle, &reference, 1, &number);
    REFUSED(skidpad_jacobian, vehicle, &reference, 1, &reference, 1, &number);
    REFUSED(skidpad_set_directions, vehicle, 1);
    REFUSED(skidpad_set_tangents, vehicle, &reference, 1, &number);
    REFUSED(skidpad_get_tangents, vehicle, &reference, 1, &number);
    REFUSED(skidpad_record, vehicle, 0);
    REFUSED(skidpad_add_adjoints, vehicle, &reference, 1, &number);
    REFUSED(skidpad_step_back, vehicle);
    REFUSED(skidpad_get_adjoints, vehicle, &reference, 1, &number);
    REFUSED(skidpad_set_text, vehicle, "solver.method", "rk4");
    REFUSED(skidpad_get_text, vehicle, "solver.method", text, sizeof text);
    REFUSED(skidpad_set_time_limit, vehicle, 1.0);
    REFUSED(skidpad_warnings, vehicle, text, sizeof text);
    REFUSED(skidpad_trim, vehicle);
    REFUSED(skidpad_initialise, vehicle);
    REFUSED(skidpad_step, vehicle, 0.001);
    REFUSED(skidpad_rollout, vehicle, 1, 0.001, &reference, 1, &number, &reference, 1, &number, 0, &count);
    REFUSED(skidpad_step_all, &vehicle, 1, 0.001, 0, &status);
    fleet = (skidpad_fleet *)vehicle;
    REFUSED(skidpad_fleet_make, vehicle, 1, 1, &fleet);
    MUST(fleet == NULL);
    REFUSED(skidpad_fleet_set, fleet, NULL, &reference, 1, &number, 1);
    REFUSED(skidpad_fleet_get, fleet, NULL, &reference, 1, &number, 1);
    REFUSED(skidpad_fleet_initialise, fleet, NULL, 0, &status);
    REFUSED(skidpad_fleet_reset, fleet, NULL);
    REFUSED(skidpad_fleet_bind, fleet, &reference, 1, &number, &reference, 1, &number);
    REFUSED(skidpad_fleet_step, fleet, NULL, 0.001, &status);
    REFUSED(skidpad_fleet_rollout, fleet, 1, 0.001, &number, 0, &number, SKIDPAD_READ_AFTER_STEP, &status);
    REFUSED(skidpad_fleet_save, fleet, NULL, text, sizeof text);
    REFUSED(skidpad_fleet_restore, fleet, text, 1, &count, &status);
    REFUSED(skidpad_fleet_free, fleet);
    REFUSED(skidpad_time, vehicle, &number);
    REFUSED(skidpad_state_size, vehicle, &count);
    REFUSED(skidpad_save, vehicle, text, sizeof text);
    REFUSED(skidpad_restore, vehicle, text, 1);
    REFUSED(skidpad_model_files, vehicle, text, sizeof text, &count);
    REFUSED(skidpad_reset, vehicle);
    REFUSED(skidpad_free, vehicle);
    return calls;
}

/* A routine of the Standard Tyre Interface has no status of ours: it says so in IERR and TYRMOD. */
static void refused_tyre(void)
{
    int n[9] = {0}, one = 1, job = 0, ierr = 0;
    double x[9] = {0};
    char text[257] = "";
    FUNCTION(skidpad_dtyre_)
    (&one, &one, &job, &one, x, x, x, x, x, x, x, n, x, n, x, n, "", NULL, n, n, x, n, "", x, x, x, x, text, n, x, n, x,
     n, n, &ierr, 0, 0, 256);
    MUST(ierr == 3);
    names_the_way_out(text);
}

static void *refused_on_a_thread(void *none)
{
    MUST(FUNCTION(skidpad_step)(vehicle, 0.001) == SKIDPAD_FORKED);
    return none;
}

/* What never meets Go answers everywhere. */
static void versions(void)
{
    MUST(FUNCTION(skidpad_abi_version)() == SKIDPAD_ABI_VERSION);
    MUST(strchr(FUNCTION(skidpad_version)(), '.') != NULL);
}

static void child_after(void *none)
{
    pthread_t thread;
    (void)none;
    if (library == NULL) /* it was loaded while this process was forked, and could not report it */
        library = dlopen(paths[0], RTLD_NOW | RTLD_NOLOAD);
    MUST(library != NULL);
    versions();
    refused();
    refused_tyre();
    names_the_way_out(FUNCTION(skidpad_status_text)(SKIDPAD_FORKED));
    names_the_way_out(FUNCTION(skidpad_last_error)(vehicle));
    MUST(pthread_create(&thread, NULL, refused_on_a_thread, NULL) == 0);
    pthread_join(thread, NULL);
    exit(0); /* with all exit handlers of the process, which must not hang either */
}

static void works(void *none)
{
    (void)none;
    load();
    MUST(FUNCTION(skidpad_step)(vehicle, 0.001) == SKIDPAD_OK);
    MUST(FUNCTION(skidpad_free)(vehicle) == SKIDPAD_OK);
}

static void must_end_well(int status)
{
    if (status != 0)
        figure("  wait status %#x of a child\n", status);
    MUST(status == 0);
}

static void fork_and(void (*body)(void *))
{
    double begin = seconds();
    must_end_well(in_child(body, NULL, LIMIT));
    if (seconds() - begin > longest)
        longest = seconds() - begin;
}

/* The scenes. */

static void fork_then_load(void *none)
{
    (void)none;
    fork_and(works);
    works(NULL);
}

static void often_after_mapping(void *none)
{
    (void)none;
    map();
    for (int n = 0; n < REPETITIONS; n++)
        fork_and(child_after);
    figure("  mapped, forked, used: %d of %d children refused, the slowest in %.0f ms\n", REPETITIONS, REPETITIONS,
           1000 * longest);
}

static void after_the_version(void *none)
{
    (void)none;
    map();
    versions();
    fork_and(child_after);
}

static void grandchild(void *none)
{
    (void)none;
    must_end_well(in_child(child_after, NULL, LIMIT));
}

static void often_after_a_vehicle(void *none)
{
    double before, after;
    (void)none;
    load();
    MUST(FUNCTION(skidpad_time)(vehicle, &before) == SKIDPAD_OK);
    for (int n = 0; n < REPETITIONS; n++)
        fork_and(child_after);
    fork_and(grandchild);
    MUST(system("true") == 0); /* fork and exec of the host are no concern of ours */
    MUST(FUNCTION(skidpad_step)(vehicle, 0.001) == SKIDPAD_OK);
    MUST(FUNCTION(skidpad_time)(vehicle, &after) == SKIDPAD_OK && after == before + 0.001);
    figure("  a vehicle made, forked, used: %d of %d children refused, the slowest in %.0f ms\n", REPETITIONS,
           REPETITIONS, 1000 * longest);
}

static atomic_bool stop;

static void *keep_stepping(void *none)
{
    while (!stop)
        MUST(FUNCTION(skidpad_step)(vehicle, 0.001) == SKIDPAD_OK);
    return none;
}

static void while_a_thread_steps(void *none)
{
    pthread_t thread;
    (void)none;
    load();
    MUST(pthread_create(&thread, NULL, keep_stepping, NULL) == 0);
    for (int n = 0; n < REPETITIONS; n++)
        fork_and(child_after);
    stop = true;
    pthread_join(thread, NULL);
}

/* The library comes while a fork of the process is under way: no handler that it registers then runs in the child. */
static void *map_on_a_thread(void *none)
{
    map();
    return none;
}

static void map_before_fork(void)
{
    pthread_t thread;
    if (library == NULL && pthread_create(&thread, NULL, map_on_a_thread, NULL) == 0)
        pthread_join(thread, NULL);
}

static void mapped_during_the_fork(void *none)
{
    (void)none;
    MUST(pthread_atfork(map_before_fork, NULL, NULL) == 0);
    fork_and(child_after);
}

/* Children that the C library does not know to be any. */
static void forked_by_the_kernel(void *none)
{
    int status;
    (void)none;
    load();
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    MUST(child >= 0);
    if (child == 0) {
        refused();
        _exit(0);
    }
    MUST(waitpid(child, &status, 0) == child);
    must_end_well(status);
}

/* Kernels before Linux 4.14 have no MADV_WIPEONFORK. */
static void on_an_old_kernel(void *none)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MADV_WIPEONFORK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 22),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    (void)none;
    MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0);
    MUST(madvise(NULL, 0, MADV_WIPEONFORK) != 0);
    map();
    fork_and(child_after);
}

/* Every function that the header declares with a status is among those that are refused; the version of the interface
 * is no status. */
static void count_refused(void *none)
{
    (void)none;
    _exit(refused());
}

static void all_functions(void *none)
{
    static char text[1 << 17];
    FILE *header = fopen(paths[1], "re");
    int declared = 0, calls;
    (void)none;
    MUST(header != NULL && fread(text, 1, sizeof text - 1, header) > 0);
    fclose(header);
    for (const char *at = text; (at = strstr(at, "SKIDPAD_API int32_t skidpad_")) != NULL; at++)
        declared++;
    map();
    calls = in_child(count_refused, NULL, LIMIT);
    if (!WIFEXITED(calls) || WEXITSTATUS(calls) != declared - 1)
        figure("  %d functions declared; wait status %#x of a child that calls them\n", declared - 1, calls);
    MUST(WIFEXITED(calls) && WEXITSTATUS(calls) == declared - 1);
}

int main(int argc, char **argv)
{
    static void (*const scenes[])(void *) = {
        fork_then_load,        all_functions,        often_after_mapping,    after_the_version,
        often_after_a_vehicle, while_a_thread_steps, mapped_during_the_fork, forked_by_the_kernel,
        on_an_old_kernel,
    };
    MUST(argc == 4);
    paths = argv + 1;
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
        must_end_well(in_child(scenes[k], NULL, (REPETITIONS + 1) * LIMIT));
    figure(
        "  single-file library: forked before it is loaded a child works, forked afterwards every function refuses\n");
    return 0;
}
