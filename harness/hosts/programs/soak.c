/* A long run of all that hosts do at once, well and badly, in many threads of one process.
 *
 *     soak SECONDS THREADS SEED FMU...
 *
 * Checked are the bits of drives, and what the process holds: memory, threads, open files, mappings, cores. */
#include "calls.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, SEEDS = 4, MANY_THREADS = 64, MAX_GROWTH = 64 << 20, MORE_MAPPINGS = 64, MORE_THREADS = 8 };

static struct fmu fmus[MOST];
static char **folders;
static double expected[MOST][SEEDS][DRIVE];
static int count;
static atomic_bool stop;

enum { DRIVES, CALLS, LOADS, REFUSALS, STATES, STEPS, KINDS };
static const char *const names[KINDS] = {"drives bit-equal",  "random calls",    "loads",
                                         "instances refused", "states restored", "long steps"};
static atomic_long made[KINDS];

static void *new_instance(struct instance *i, int which)
{
    if (!instance_new(i, &fmus[which], "soak"))
        figure("  no instance: %s\n", i->log.latest);
    MUST(i->handle != NULL);
    return i->handle;
}

static void drives(int which, uint64_t *random)
{
    double values[DRIVE];
    int seed = (int)(random_next(random) % SEEDS);
    drive(&fmus[which], seed, values);
    MUST(drive_equal(values, expected[which][seed]));
    made[DRIVES]++;
}

/* A host that does not follow the state machine; saved states it forgets. */
static void calls(int which, uint64_t *random)
{
    struct instance i;
    void *state = NULL, *freed = NULL;
    new_instance(&i, which);
    if (random_next(random) % 2)
        MUST(instance_initialise(&i) == OK);
    for (int n = 0; n < 200; n++) {
        int k = (int)(random_next(random) % (uint64_t)calls_count(&fmus[which]));
        int status = call(&fmus[which], k, i.handle, &state, freed, random);
        MUST(status >= NO_STATUS && status <= ERROR);
        if (status == ERROR && random_next(random) % 4 == 0)
            MUST(instance_reset(&i) == OK && instance_initialise(&i) == OK);
        made[CALLS]++;
    }
    void *handle = i.handle;
    instance_free(&i);
    i.handle = handle; /* an error is all that comes of it */
    MUST(instance_reset(&i) == ERROR);
}

/* The library comes and goes, with an instance or without. */
static void loads(int which, uint64_t *random)
{
    struct fmu f;
    double values[DRIVE];
    fmu_open(&f, folders[which]);
    if (random_next(random) % 2) {
        drive(&f, 1, values);
        MUST(drive_equal(values, expected[which][1]));
    }
    fmu_close(&f);
    made[LOADS]++;
}

static void refusals(int which, uint64_t *random)
{
    struct fmu f = fmus[which];
    struct instance i;
    if (random_next(random) % 2)
        snprintf(f.token, sizeof f.token, "no token of ours %%n");
    else
        snprintf(f.resources, sizeof f.resources, "/nowhere/%%n/");
    MUST(!instance_new(&i, &f, "refused") && i.log.messages > 0);
    made[REFUSALS]++;
}

/* From a saved state on everything comes again. */
static void states(int which, uint64_t *random)
{
    const struct fmu *f = &fmus[which];
    struct instance i;
    void *state = NULL;
    double first[DRIVE], again[DRIVE];
    int from = (int)(random_next(random) % (DRIVE_STEPS / 2));
    new_instance(&i, which);
    MUST(instance_initialise(&i) == OK);
    for (int step = 0; step < DRIVE_STEPS; step++) {
        if (step == from)
            MUST((f->version == 2 ? f->f2.GetFMUstate(i.handle, &state) : f->f3.GetFMUState(i.handle, &state)) == OK);
        drive_step(&i, 1, step, first + step * DRIVE_OUTPUTS);
    }
    MUST((f->version == 2 ? f->f2.SetFMUstate(i.handle, state) : f->f3.SetFMUState(i.handle, state)) == OK);
    i.time = from * DRIVE_STEP;
    for (int step = from; step < DRIVE_STEPS; step++)
        drive_step(&i, 1, step, again + step * DRIVE_OUTPUTS);
    int kept = from * DRIVE_OUTPUTS;
    MUST(memcmp(first + kept, again + kept, (size_t)(DRIVE - kept) * sizeof *first) == 0);
    instance_free(&i); /* with the state */
    made[STATES]++;
}

static void steps(int which, uint64_t *random)
{
    struct instance i;
    new_instance(&i, which);
    MUST(instance_initialise(&i) == OK);
    MUST(instance_step(&i, 0.001 * (double)(1 + random_next(random) % 200)) <= DISCARD);
    instance_free(&i);
    made[STEPS]++;
}

static void *work(void *argument)
{
    static void (*const kinds[KINDS])(int, uint64_t *) = {drives, calls, loads, refusals, states, steps};
    uint64_t random = (uintptr_t)argument;
    while (!stop) {
        int which = (int)(random_next(&random) % (uint64_t)count);
        kinds[random_next(&random) % KINDS](which, &random);
    }
    return NULL;
}

/* ThreadSanitizer keeps a list of all modules of each dlopen and dlclose, which every new instance calls: there the
 * memory of the process says nothing about the library. The other builds judge it. */
#ifdef __SANITIZE_THREAD__
static const bool memory_judged = false;
#else
static const bool memory_judged = true;
#endif

/* What the process holds. */
struct holding {
    long resident;
    int threads, files, mappings, cores;
};

static struct holding look(void)
{
    /* A core is mapped in several parts, one of them executable. */
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[PATH_MAX + 256];
    struct holding h = {.resident = resident(), .threads = threads(), .files = open_files(), .mappings = mappings("")};
    MUST(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL)
        h.cores += strstr(line, "skidpad-core-") != NULL && strstr(line, "r-xp") != NULL;
    fclose(maps);
    return h;
}

int main(int argc, char **argv)
{
    pthread_t thread[MANY_THREADS];
    MUST(argc > 4 && argc - 4 <= MOST);
    double duration = atof(argv[1]), begin = seconds(), told = begin;
    int workers = atoi(argv[2]);
    uint64_t seed = strtoul(argv[3], NULL, 10);
    MUST(duration > 0 && workers > 0 && workers <= MANY_THREADS);
    folders = argv + 4;
    count = argc - 4;
    for (int n = 0; n < count; n++) {
        fmu_open(&fmus[n], folders[n]);
        for (int s = 0; s < SEEDS; s++)
            drive(&fmus[n], s, expected[n][s]);
    }
    for (int n = 0; n < workers; n++)
        MUST(pthread_create(&thread[n], NULL, work, (void *)(uintptr_t)(seed * MANY_THREADS + (uint64_t)n)) == 0);
    struct holding settled = {0}, now = {0};
    while (seconds() < begin + duration) {
        usleep(200000);
        if (seconds() < begin + 0.3 * duration)
            continue;
        now = look();
        if (settled.threads == 0)
            settled = now;
        bool fine = now.cores == 1 && now.threads <= settled.threads + MORE_THREADS &&
                    now.files <= settled.files + 2 * workers;
        if (memory_judged) /* collections let it swing */
            fine = fine && now.mappings <= settled.mappings + MORE_MAPPINGS &&
                   now.resident <= 2 * settled.resident + MAX_GROWTH;
        if (!fine || seconds() > told + 60) {
            told = seconds();
            figure(
                "  after %.0f s: %ld MiB, %d threads, %d files, %d mappings, %d cores (settled: %ld MiB, %d, %d, %d)\n",
                told - begin, now.resident >> 20, now.threads, now.files, now.mappings, now.cores,
                settled.resident >> 20, settled.threads, settled.files, settled.mappings);
        }
        MUST(fine);
    }
    stop = true;
    for (int n = 0; n < workers; n++)
        pthread_join(thread[n], NULL);
    figure("  %.0f s in %d threads:", seconds() - begin, workers);
    for (int k = 0; k < KINDS; k++) {
        MUST(made[k] > 0);
        figure(" %ld %s%s", (long)made[k], names[k], k + 1 < KINDS ? "," : "");
    }
    figure("; %ld MiB (%+ld), %d threads, %d files, %d mappings (%+d), one core\n", now.resident >> 20,
           (now.resident - settled.resident) >> 20, now.threads, now.files, now.mappings,
           now.mappings - settled.mappings);
    return 0;
}
