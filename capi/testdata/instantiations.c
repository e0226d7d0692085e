/* Instances of FMI 3.0 co-simulation that are refused, each with its reason, and some that are not:
 *
 *     instantiations FOLDER NUMBERS
 *
 * FOLDER holds the FMU of a model with tires, NUMBERS is how many variables it has. */
#include <stdlib.h>
#include <string.h>

#include "host.h"

/* The arguments of a call that makes an instance. */
struct wanted {
    const char *name, *token, *resources;
    const uint32_t *required;
    size_t required_count;
    update_function *update;
};

static struct fmu f;
static struct log latest;

static void *make(const struct wanted *w)
{
    latest = (struct log){0};
    return f.f3.InstantiateCoSimulation(w->name, w->token, w->resources, false, true, false, false, w->required,
                                        w->required_count, &latest, log3_message, w->update);
}

/* No instance, and one message that says why: no panic of the library. */
static void refused(const struct wanted *w, const char *reason)
{
    void *i = make(w);
    if (i != NULL || latest.messages != 1 || latest.status != ERROR || strstr(latest.latest, reason) == NULL ||
        strstr(latest.latest, "nil pointer") != NULL || strstr(latest.latest, "defect") != NULL) {
        figure("  wanted is %s; instance %p, %d messages, status %d: %s\n", reason, i, latest.messages, latest.status,
               latest.latest);
        _exit(1);
    }
}

/* What an update reads: it has been called, and what is discrete may be read. */
static struct {
    void *instance;
    int calls;
    double ended;
    bool contact;
} seen;

static void look(void *environment, double time, bool set, bool get, bool finished, bool early, bool *stop,
                 double *until)
{
    const uint32_t ended = fmu_reference(&f, "solver.ended"), contact = fmu_reference(&f, "tire_FL.contact");
    (void)environment, (void)time, (void)set, (void)finished, (void)early, (void)until;
    *stop = false;
    seen.calls++;
    MUST(get && f.f3.GetFloat64(seen.instance, &ended, 1, &seen.ended, 1) == OK);
    MUST(f.f3.GetBoolean(seen.instance, &contact, 1, &seen.contact, 1) == OK);
}

/* The outputs, as the model description lists them. */
static size_t outputs(uint32_t *list)
{
    size_t n = 0;
    for (const char *p = f.description; (p = strstr(p, "causality=\"output\"")) != NULL; p++) {
        const char *element = p;
        while (*element != '<')
            element--;
        list[n++] = (uint32_t)strtoul(strstr(element, "valueReference=\"") + 16, NULL, 10);
    }
    return n;
}

int main(int count, char **arguments)
{
    static uint32_t all[4096];
    MUST(count == 3);
    fmu_open(&f, arguments[1]);
    const uint32_t beyond = (uint32_t)strtoul(arguments[2], NULL, 10), parameter = fmu_reference(&f, "body.mass"),
                   local = fmu_reference(&f, "der(body.vx)"), time = fmu_reference(&f, "time"),
                   text = fmu_reference(&f, "tire_FL.model");
    const struct wanted plain = {"an instance", f.token, f.resources, NULL, 0, NULL};
    struct wanted w = plain;

    w.name = NULL;
    refused(&w, "the instance name is missing");
    w.name = "";
    refused(&w, "the instance name is missing");
    w = plain;
    w.token = NULL;
    refused(&w, "no GUID or instantiation token is given");
    w.token = "{of another FMU}";
    refused(&w, "is not that of the model in");
    w = plain;
    w.resources = NULL;
    refused(&w, "no resource location is given");
    w.resources = "/no such folder/resources/";
    refused(&w, "no such folder");

    w = plain;
    w.update = look, w.required_count = 1;
    refused(&w, "list of 1 required intermediate variables is NULL");
    w.required = &beyond;
    refused(&w, "unknown value reference");
    w.required = &parameter;
    refused(&w, "intermediate variable body.mass (value reference");
    w.required = &local;
    refused(&w, "has causality local; only inputs and outputs");
    w.required = &time;
    refused(&w, "has causality independent");
    w.required = &text;
    refused(&w, "intermediate variable tire_FL.model");
    w.required_count = (size_t)1 << 40;
    refused(&w, "an array of 1099511627776 elements");

    w = plain;
    setenv("SKIDPAD_TIME_LIMIT", "soon", 1);
    refused(&w, "SKIDPAD_TIME_LIMIT is \"soon\"");
    setenv("SKIDPAD_TIME_LIMIT", "-1", 1);
    refused(&w, "SKIDPAD_TIME_LIMIT");
    unsetenv("SKIDPAD_TIME_LIMIT");

    /* Without a callback the list means nothing, whatever is in it. */
    void *i;
    w.required = &beyond, w.required_count = (size_t)1 << 40;
    MUST((i = make(&w)) != NULL && latest.status == OK);
    f.f3.FreeInstance(i);

    /* All outputs, also those that are discrete, and all of them can be read. */
    w.required = all, w.required_count = outputs(all), w.update = look;
    MUST(w.required_count > 20);
    MUST((seen.instance = make(&w)) != NULL);
    struct instance driven = {.fmu = &f, .handle = seen.instance};
    seen.ended = -1;
    MUST(instance_initialise(&driven) == OK && instance_step(&driven, 0.002) == OK);
    MUST(seen.calls == 2 && seen.ended == 0 && seen.contact);
    instance_free(&driven);
    fmu_close(&f);
    return 0;
}
