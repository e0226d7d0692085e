/* Group 6: a million steps without a garbage collection.
 *
 *     GODEBUG=gctrace=1 collections STEPS STDERR FMU...
 *
 * STDERR is the file stderr goes to; the library's runtime writes one line there
 * for each collection. run.sh makes the environment as hostile as it can be. */
#include "host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int collections(const char *path)
{
    char *line = NULL;
    size_t capacity = 0;
    int count = 0;
    FILE *file = fopen(path, "re");
    MUST(file != NULL);
    while (getline(&line, &capacity, file) > 0)
        count += strncmp(line, "gc ", 3) == 0;
    fclose(file);
    free(line);
    return count;
}

/* A collection that began while instantiating writes its line when it ends. */
static int settled(const char *path)
{
    int count = collections(path);
    for (int last = -1; count != last;) {
        last = count;
        usleep(500000);
        count = collections(path);
    }
    return count;
}

int main(int argc, char **argv)
{
    MUST(argc > 3);
    long steps = atol(argv[1]);
    for (int n = 3; n < argc; n++) {
        struct fmu f;
        struct instance i;
        fmu_open(&f, argv[n]);
        bool skidder = fmu_is_skidder(&f);
        uint32_t inputs[] = {fmu_reference(&f, skidder ? "articulation.angle" : "steer_FL.angle"),
                             fmu_reference(&f, skidder ? "articulation.rate" : "steer_FR.angle")};
        uint32_t outputs[] = {fmu_reference(&f, skidder ? "front.vx" : "body.vx"),
                              fmu_reference(&f, skidder ? "front.wz" : "body.wz"), fmu_reference(&f, "time")};
        int before_instance = collections(argv[2]);
        MUST(instance_new(&i, &f, "long") && instance_initialise(&i) == OK);
        int before = settled(argv[2]);
        double start = seconds(), values[3];
        for (long step = 0; step < steps; step++) {
            double angle = step % 2000 < 1000 ? 0.01 : -0.01, angles[] = {angle, skidder ? 0 : angle};
            MUST(instance_set(&i, inputs, 2, angles) == OK);
            MUST(instance_step(&i, 0.001) == OK);
            MUST(instance_get(&i, outputs, 3, values) == OK);
        }
        int during = collections(argv[2]) - before;
        figure("  %s, FMI %d.0: %ld times set, step, get in %.1f s (vx = %.3f m/s at %.0f s): %d collections; %d while "
               "instantiating\n",
               f.name, f.version, steps, seconds() - start, values[0], values[2], during, before - before_instance);
        MUST(during == 0);
        MUST(fabs(values[2] - 0.001 * (double)steps) < 1e-6 * (double)steps); /* and they were steps */
        instance_free(&i);
    }
    MUST(collections(argv[2]) > 0); /* or nothing was traced */
    return 0;
}
