/* Group 10, second part: all functions in random order with random arguments.
 *
 *     strangers CALLS SEED FMU...
 *
 * A few instances live at any time; some calls make them, free them and lead
 * them on, so that every mode is reached; the others are anything, on handles
 * that live, are freed, or are NULL. Whatever is not OK must have been logged. */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

enum { LIVING = 4 };

/* What a host holds: an instance, and one saved state of it. */
struct holding {
    struct instance i;
    void *state;
    bool failed; /* the latest call on it was an Error */
};

static struct holding holdings[LIVING];
static void *freed, *freed_state;

static void lead_on(struct holding *h, uint64_t *random)
{
    struct instance *i = &h->i;
    const struct fmu *f = i->fmu;
    int what = h->failed ? 1 : (int)(random_next(random) % 8);
    h->failed = false;
    if (what == 0) {
        freed = i->handle;
        freed_state = h->state;
        instance_free(i);
        h->state = NULL;
        return;
    }
    if (what == 1)
        instance_reset(i);
    if (what <= 3 && random_next(random) % 8 != 0)
        instance_initialise(i);
    if (f->version == 2 && what == 4) {
        struct event_info2 info;
        f->f2.NewDiscreteStates(i->handle, &info);
        f->f2.EnterContinuousTimeMode(i->handle);
    } else if (f->version == 3 && what == 4) {
        f->f3.EnterStepMode(i->handle);
        f->f3.EnterContinuousTimeMode(i->handle);
    } else {
        instance_step(i, 0.002);
    }
}

static bool make(struct instance *i, const struct fmu *f, bool exchange)
{
    if (!exchange)
        return instance_new(i, f, "stranger");
    memset(i, 0, sizeof *i);
    i->fmu = f;
    if (f->version == 2) {
        struct callbacks2 callbacks = {log2_message, calloc, free, NULL, &i->log};
        i->handle = f->f2.Instantiate("stranger", MODEL_EXCHANGE, f->token, f->resources, &callbacks, 0, 1);
    } else {
        i->handle =
            f->f3.InstantiateModelExchange("stranger", f->token, f->resources, false, true, &i->log, log3_message);
    }
    return i->handle != NULL;
}

static void strangers(const struct fmu *f, long calls, uint64_t seed)
{
    uint64_t random = seed;
    long by_status[FATAL + 2] = {0};
    double values[DRIVE], again[DRIVE], begin = seconds();
    drive(f, 1, values);
    for (long n = 0; n < calls; n++) {
        struct holding *h = &holdings[random_next(&random) % LIVING];
        if (h->i.handle == NULL) {
            h->failed = false;
            MUST(make(&h->i, f, random_next(&random) % 2));
        }
        if (random_next(&random) % 4 < (h->failed ? 2 : 1)) {
            lead_on(h, &random);
            continue;
        }
        void *handle = h->i.handle;
        int choice = (int)(random_next(&random) % 16);
        if (choice == 0)
            handle = NULL;
        if (choice == 1)
            handle = freed;
        bool living = handle == h->i.handle;
        int k = (int)(random_next(&random) % (uint64_t)calls_count(f));
        h->i.log.messages = 0;
        int status = call(f, k, handle, &h->state, freed_state, &random);
        if (status == NO_STATUS)
            continue;
        if (status < OK || status > ERROR || (!living && status != ERROR))
            figure("  call %ld, fmi%d%s on %s: status %d\n", n, f->version, call_name(f, k),
                   living ? "a living instance" : "no instance", status);
        MUST(status >= OK && status <= ERROR);
        MUST(living || status == ERROR);
        /* SetDebugLogging may have turned the messages off; then nothing is due. */
        if (living && strcmp(call_name(f, k), "SetDebugLogging") == 0)
            MUST((f->version == 2 ? f->f2.SetDebugLogging(handle, 1, 0, NULL)
                                  : f->f3.SetDebugLogging(handle, true, 0, NULL)) == OK);
        else if (living && status != OK && h->i.log.messages == 0)
            figure("  call %ld, fmi%d%s: status %d without a message\n", n, f->version, call_name(f, k), status);
        MUST(!living || status == OK || h->i.log.messages > 0 || strcmp(call_name(f, k), "SetDebugLogging") == 0);
        by_status[status]++;
        h->failed |= living && status == ERROR;
    }
    for (int n = 0; n < LIVING; n++) {
        if (holdings[n].i.handle != NULL)
            instance_free(&holdings[n].i);
        holdings[n].state = NULL;
    }
    freed = freed_state = NULL;
    drive(f, 1, again);
    MUST(drive_equal(values, again));
    figure("  %s, FMI %d.0: %ld calls with seed %lu in %.1f s: %ld OK, %ld Warning, %ld Discard, %ld Error; a drive "
           "afterwards is bit-equal to one before\n",
           f->name, f->version, calls, (unsigned long)seed, seconds() - begin, by_status[OK], by_status[WARNING],
           by_status[DISCARD], by_status[ERROR]);
}

int main(int argc, char **argv)
{
    MUST(argc > 3);
    alarm(240);
    for (int n = 3; n < argc; n++) {
        struct fmu f;
        fmu_open(&f, argv[n]);
        strangers(&f, atol(argv[1]), strtoul(argv[2], NULL, 10));
    }
    return 0;
}
