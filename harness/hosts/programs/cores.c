/* Group 11: a process has one core, however many FMUs come at the same moment.
 *
 *     cores PROCESSES FMU...
 *
 * The FMUs are of one build, each in a folder of its own. */
#include "host.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST = 8, LIMIT = 30, STEPS = 5 };

static char **folders;
static int count;
static pthread_barrier_t together;

/* The different files of cores that are mapped. */
static int cores(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[PATH_MAX + 256], seen[MOST][PATH_MAX];
    int found = 0;
    MUST(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL) {
        char *path = strchr(line, '/');
        int known = 0;
        if (path == NULL || strstr(path, "/skidpad-core-") == NULL)
            continue;
        while (known < found && strcmp(seen[known], path) != 0)
            known++;
        if (known == found && found < MOST)
            strcpy(seen[found++], path);
    }
    fclose(maps);
    return found;
}

static void go(const struct fmu *f)
{
    struct instance i;
    bool made = instance_new(&i, f, "core");
    if (!made)
        figure("  no instance: %s\n", i.log.latest);
    MUST(made && instance_initialise(&i) == OK);
    for (int n = 0; n < STEPS; n++)
        MUST(instance_step(&i, 0.001) == OK);
    instance_free(&i);
}

static void *load_and_go(void *folder)
{
    struct fmu f;
    pthread_barrier_wait(&together);
    fmu_open(&f, folder);
    go(&f);
    return NULL;
}

static void *only_go(void *f)
{
    pthread_barrier_wait(&together);
    go(f);
    return NULL;
}

static void all(void *(*body)(void *), void *arguments, size_t stride)
{
    pthread_t thread[MOST];
    pthread_barrier_init(&together, NULL, (unsigned)count);
    for (int n = 0; n < count; n++)
        MUST(pthread_create(&thread[n], NULL, body, stride ? (char *)arguments + (size_t)n * stride : folders[n]) == 0);
    for (int n = 0; n < count; n++)
        pthread_join(thread[n], NULL);
}

static void one_core(void)
{
    int found = cores();
    if (found != 1)
        figure("  %d cores in one process\n", found);
    MUST(found == 1);
}

/* Every thread loads its FMU and instantiates it. */
static void loaded_together(void *nothing)
{
    (void)nothing;
    all(load_and_go, NULL, 0);
    one_core();
}

/* All are loaded before, as importers do that read all FMUs first. */
static void made_together(void *nothing)
{
    struct fmu f[MOST];
    (void)nothing;
    for (int n = 0; n < count; n++)
        fmu_open(&f[n], folders[n]);
    all(only_go, f, sizeof *f);
    one_core();
}

/* The library whose lock is used goes away before and after it was used. */
static void first_unloaded(void *nothing)
{
    struct fmu f[MOST];
    (void)nothing;
    fmu_open(&f[0], folders[0]);
    fmu_open(&f[1], folders[1]);
    fmu_close(&f[0]);
    go(&f[1]);
    fmu_close(&f[1]);
    all(load_and_go, NULL, 0);
    one_core();
}

/* A process that forks while another thread loads the core: the child either works or says why not. */
static void in_fork(void *fmu)
{
    struct instance i;
    if (instance_new(&i, fmu, "in the child"))
        instance_free(&i);
    else
        MUST(strstr(i.log.latest, "fork") != NULL);
}

static void forked_while_loading(void *nothing)
{
    struct fmu f[2];
    pthread_t thread;
    (void)nothing;
    fmu_open(&f[0], folders[0]);
    fmu_open(&f[1], folders[1]);
    pthread_barrier_init(&together, NULL, 2);
    MUST(pthread_create(&thread, NULL, only_go, &f[0]) == 0);
    pthread_barrier_wait(&together);
    usleep((useconds_t)(getpid() % 20) * 100);
    int status = in_child(in_fork, &f[1], 5);
    if (status != 0)
        figure("  wait status %#x of a child that was forked while the core was loaded\n", status);
    MUST(status == 0);
    pthread_join(thread, NULL);
    go(&f[1]);
    one_core();
}

/* A namespace of its own has a C library of its own, and so a core. */
static void in_namespace(void *nothing)
{
    char path[PATH_MAX];
    struct fmu f[2];
    (void)nothing;
    fmu_open(&f[0], folders[0]);
    go(&f[0]);
    f[1] = f[0];
    fmu_library(&f[1], folders[0], path);
    f[1].library = dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL);
    MUST(f[1].library != NULL);
#define RESOLVE2(name, ...) *(void **)&f[1].f2.name = dlsym(f[1].library, "fmi2" #name);
#define RESOLVE3(name, ...) *(void **)&f[1].f3.name = dlsym(f[1].library, "fmi3" #name);
    if (f[1].version == 2) {
        FMI2_FUNCTIONS(RESOLVE2, RESOLVE2)
    } else {
        FMI3_FUNCTIONS(RESOLVE3, RESOLVE3)
    }
    go(&f[1]);
    go(&f[0]);
}

static void often(int processes, void (*body)(void *), const char *what)
{
    int failed = 0;
    for (int n = 0; n < processes; n++)
        failed += in_child(body, NULL, LIMIT) != 0;
    figure("  %s: %d of %d processes with one core\n", what, processes - failed, processes);
    MUST(failed == 0);
}

int main(int argc, char **argv)
{
    MUST(argc > 3 && argc - 2 <= MOST);
    int processes = atoi(argv[1]);
    folders = argv + 2;
    count = argc - 2;
    often(processes, loaded_together, "FMUs loaded and instantiated at one moment");
    often(processes, made_together, "FMUs instantiated at one moment");
    often(processes / 10, first_unloaded, "the first FMU unloaded before");
    often(processes / 4, forked_while_loading, "forked while the core was loaded");
    MUST(in_child(in_namespace, NULL, LIMIT) == 0);
    figure("  an FMU works in a namespace of dlmopen\n");
    return 0;
}
