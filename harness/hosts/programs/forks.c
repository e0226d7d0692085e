/* Group 4: fork before and after the first instance.
 *
 *     forks FMU...
 *
 * A child that hangs is killed, which is a failure. */
#include "calls.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { LIMIT = 5 };

struct scene {
    struct fmu *fmu;
    struct instance *instance;
    void *state;
    double values[DRIVE];
};

static void child_before(void *argument)
{
    struct scene *s = argument;
    drive(s->fmu, 1, s->values);
}

static void *call_on_thread(void *argument)
{
    struct scene *s = argument;
    MUST(instance_step(s->instance, 0.001) == ERROR);
    return NULL;
}

/* In the child every function that has a status says Error, and the log why. */
static void child_after(void *argument)
{
    struct scene *s = argument;
    const struct fmu *f = s->fmu;
    struct instance more;
    uint64_t random = 1;
    int calls = 0;
    for (int k = 0; k < calls_count(f); k++) {
        s->instance->log.messages = 0;
        int status = call(f, k, s->instance->handle, &s->state, NULL, &random);
        if (status == NO_STATUS)
            continue;
        if (status != ERROR || s->instance->log.messages == 0 || strstr(s->instance->log.latest, "fork") == NULL)
            figure("  fmi%d%s in the child: status %d, %d messages: %s\n", f->version, call_name(f, k), status,
                   s->instance->log.messages, s->instance->log.latest);
        MUST(status == ERROR && s->instance->log.messages > 0);
        MUST(strstr(s->instance->log.latest, "fork") != NULL);
        calls++;
    }
    MUST(!instance_new(&more, f, "in the child"));
    MUST(strstr(more.log.latest, "fork") != NULL);
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, call_on_thread, s) == 0);
    pthread_join(thread, NULL);
    instance_free(s->instance);
    exit(0); /* with all exit handlers of the process, which must not hang either */
}

static atomic_bool stop;

static void *keep_stepping(void *fmu)
{
    double values[DRIVE];
    while (!stop)
        drive(fmu, 2, values);
    return NULL;
}

static void must_end_well(const char *what, int status)
{
    if (WIFSIGNALED(status))
        figure("  %s: child ended by signal %d (%s)\n", what, WTERMSIG(status), strsignal(WTERMSIG(status)));
    MUST(status == 0);
}

/* One version in a process of its own, because the core must not be there yet. */
static void version_body(void *folder)
{
    struct fmu f;
    struct instance i;
    struct scene s = {.fmu = &f, .instance = &i};
    double again[DRIVE];
    pthread_t thread;
    fmu_open(&f, folder);
    must_end_well("fork before the first instance", in_child(child_before, &s, 60));
    drive(&f, 1, s.values);
    MUST(instance_new(&i, &f, "forks") && instance_initialise(&i) == OK);
    MUST(instance_step(&i, 0.001) == OK);
    if (f.version == 2)
        MUST(f.f2.GetFMUstate(i.handle, &s.state) == OK);
    else
        MUST(f.f3.GetFMUState(i.handle, &s.state) == OK);
    must_end_well("fork after the first instance", in_child(child_after, &s, LIMIT));
    MUST(pthread_create(&thread, NULL, keep_stepping, &f) == 0);
    for (int n = 0; n < 20; n++)
        must_end_well("fork while another thread steps", in_child(child_after, &s, LIMIT));
    stop = true;
    pthread_join(thread, NULL);
    MUST(system("true") == 0); /* fork and exec of the host are no concern of ours */
    MUST(instance_step(&i, 0.001) == OK);
    instance_free(&i);
    drive(&f, 1, again);
    MUST(drive_equal(again, s.values));
    figure("  %s, FMI %d.0: a child forked before drives; children forked after get Error from every function, "
           "all 21 end; the parent goes on\n",
           f.name, f.version);
}

int main(int argc, char **argv)
{
    MUST(argc > 1);
    for (int n = 1; n < argc; n++)
        MUST(in_child(version_body, argv[n], 200) == 0);
    return 0;
}
