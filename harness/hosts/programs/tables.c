/* Group 7, continued: what instances, saved states and vehicles cost when there are, or were, many.
 *
 *     tables MANY LIBRARY MODEL FMU...
 *
 * Costs with few and with many are printed side by side; that they are the same is a matter of the ratio. What is
 * asserted is that none is lost or taken for another. */
#include "host.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 1000, CALLS = 200000 };

static double cost(double begin, long n) { return (seconds() - begin) / (double)n * 1e9; }

static double call_cost(struct instance *i)
{
    uint32_t reference = 0; /* a number in every model */
    double value, begin = seconds();
    for (int n = 0; n < CALLS; n++)
        MUST(instance_get(i, &reference, 1, &value) == OK);
    return cost(begin, CALLS);
}

static double cycle_cost(const struct fmu *f, long n)
{
    struct instance i;
    double begin = seconds();
    for (long k = 0; k < n; k++) {
        MUST(instance_new(&i, f, "cycle"));
        instance_free(&i);
    }
    return cost(begin, n);
}

static int state_get(struct instance *i, void **state)
{
    return i->fmu->version == 2 ? i->fmu->f2.GetFMUstate(i->handle, state) : i->fmu->f3.GetFMUState(i->handle, state);
}

static int state_set(struct instance *i, void *state)
{
    return i->fmu->version == 2 ? i->fmu->f2.SetFMUstate(i->handle, state) : i->fmu->f3.SetFMUState(i->handle, state);
}

static int state_free(struct instance *i, void **state)
{
    return i->fmu->version == 2 ? i->fmu->f2.FreeFMUstate(i->handle, state) : i->fmu->f3.FreeFMUState(i->handle, state);
}

static void states(struct instance *i, long n, double costs[2])
{
    void **held = calloc((size_t)n, sizeof *held), *gone;
    double begin = seconds();
    for (long k = 0; k < n; k++)
        MUST(state_get(i, &held[k]) == OK);
    costs[0] = cost(begin, n);
    MUST(state_set(i, held[n / 2]) == OK);
    gone = held[n / 2];
    begin = seconds();
    for (long k = 0; k < n; k++)
        MUST(state_free(i, &held[k]) == OK);
    costs[1] = cost(begin, n);
    free(held);
    MUST(state_set(i, gone) == ERROR && instance_reset(i) == OK && instance_initialise(i) == OK);
}

static void instances(const struct fmu *f, long many)
{
    struct instance old;
    double few[2], lots[2], before, after, cycle[2];
    MUST(instance_new(&old, f, "old") && instance_initialise(&old) == OK && instance_step(&old, 0.001) == OK);
    before = call_cost(&old);
    cycle[0] = cycle_cost(f, FEW);
    cycle_cost(f, many - 2 * FEW);
    cycle[1] = cycle_cost(f, FEW);
    after = call_cost(&old);
    states(&old, FEW, few);
    states(&old, many, lots);
    instance_free(&old);
    figure("  %s, FMI %d.0, after %ld instances: a call on the first costs %.0f ns (times %.2f), one instance more "
           "%.0f us "
           "(times %.2f); with %ld states held one more costs %.0f ns (times %.2f), freeing it %.0f ns (times %.2f)\n",
           f->name, f->version, many, after, after / before, cycle[1] / 1e3, cycle[1] / cycle[0], many, lots[0],
           lots[0] / few[0], lots[1], lots[1] / few[1]);
}

typedef struct skidpad_vehicle vehicle;

static void copies(const char *library, const char *model, long many)
{
    void *l = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    int32_t (*load)(const char *, const char *, vehicle **, char *, int64_t), (*copy)(vehicle *, vehicle **),
        (*release)(vehicle *);
    MUST(l != NULL);
    *(void **)&load = dlsym(l, "skidpad_load");
    *(void **)&copy = dlsym(l, "skidpad_copy");
    *(void **)&release = dlsym(l, "skidpad_free");
    vehicle *first, **all = calloc((size_t)many, sizeof *all);
    char error[1024];
    double costs[2][2];
    MUST(load(model, NULL, &first, error, sizeof error) == 0);
    for (int round = 0; round < 2; round++) {
        long n = round == 0 ? FEW : many;
        double begin = seconds();
        for (long k = 0; k < n; k++)
            MUST(copy(first, &all[k]) == 0);
        costs[round][0] = cost(begin, n) / 1e3;
        begin = seconds();
        for (long k = 0; k < n; k++)
            MUST(release(all[k]) == 0);
        costs[round][1] = cost(begin, n) / 1e3;
        MUST(release(all[n / 2]) != 0);
    }
    MUST(release(first) == 0);
    figure("  with %ld vehicles one more costs %.1f us (times %.2f), freeing it %.1f us (times %.2f)\n", many,
           costs[1][0], costs[1][0] / costs[0][0], costs[1][1], costs[1][1] / costs[0][1]);
}

int main(int argc, char **argv)
{
    MUST(argc > 4);
    long many = atol(argv[1]);
    MUST(many > 2 * FEW);
    for (int n = 4; n < argc; n++) {
        struct fmu f;
        fmu_open(&f, argv[n]);
        instances(&f, many);
    }
    copies(argv[2], argv[3], many);
    return 0;
}
