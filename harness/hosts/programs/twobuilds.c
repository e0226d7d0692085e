/* Group 2: two different builds of the library in one process.
 *
 *     twobuilds SECONDS FMU_A FMU_B
 *
 * Four threads create, drive and free instances, each thread of either build in
 * turn; every drive must give the bits it gave before the stress. */
#include "host.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, SEEDS = 3 };

static struct fmu builds[2];
static double expected[2][SEEDS][DRIVE];
static double end;
static atomic_long drives;

static void *stress(void *argument)
{
    uint64_t random = (uintptr_t)argument;
    while (seconds() < end) {
        int build = (int)(random_next(&random) % 2), seed = (int)(random_next(&random) % SEEDS);
        double values[DRIVE];
        drive(&builds[build], seed, values);
        MUST(drive_equal(values, expected[build][seed]));
        drives++;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads_[THREADS];
    MUST(argc == 4);
    for (int build = 0; build < 2; build++) {
        fmu_open(&builds[build], argv[2 + build]);
        for (int seed = 0; seed < SEEDS; seed++)
            drive(&builds[build], seed, expected[build][seed]);
    }
    MUST(memcmp(expected[0], expected[1], sizeof expected[0]) == 0);

    char *maps = NULL, *first = NULL;
    size_t capacity = 0;
    int different = 0;
    FILE *file = fopen("/proc/self/maps", "re");
    while (getline(&maps, &capacity, file) > 0) {
        char *core = strstr(maps, "skidpad-core-");
        if (core != NULL && first == NULL)
            first = strdup(core);
        different |= core != NULL && strcmp(core, first) != 0;
    }
    fclose(file);
    free(maps);
    free(first);
    MUST(different);

    end = seconds() + atof(argv[1]);
    for (uintptr_t t = 0; t < THREADS; t++)
        MUST(pthread_create(&threads_[t], NULL, stress, (void *)(t + 1)) == 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads_[t], NULL);
    figure("  two cores, %d threads, %s s: %ld drives, all bit-equal\n", THREADS, argv[1], (long)drives);
    return 0;
}
