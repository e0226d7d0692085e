/* Group 10, first part: a library without its core, and calls that are wrong.
 *
 *     refusals SCRATCH FMU...
 *
 * SCRATCH is an empty folder. */
#include "host.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char *scratch;
static char core[NAME_MAX + 1];

struct damage {
    const char *folder, *kind;
};

static void copy(const char *from, const char *to)
{
    static char buffer[1 << 16];
    int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    MUST(in >= 0 && out >= 0);
    for (ssize_t n; (n = read(in, buffer, sizeof buffer)) > 0;)
        MUST(write(out, buffer, (size_t)n) == n);
    close(in);
    close(out);
}

static void make_folders(char *path)
{
    for (char *slash = path + strlen(scratch); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0755);
        *slash = '/';
    }
    mkdir(path, 0755);
}

/* Loads the library from SCRATCH, where its core is missing or damaged: no
 * instance, a message that names the core and says more, and a process in which
 * a complete FMU works. */
static void damaged(void *argument)
{
    struct damage *d = argument;
    struct fmu f, whole;
    struct instance i;
    char from[PATH_MAX], path[PATH_MAX], folder[PATH_MAX];
    double values[DRIVE];
    fmu_open(&whole, d->folder);
    fmu_library(&whole, d->folder, from);
    fmu_library(&whole, scratch, path);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    make_folders(folder);
    copy(from, path);

    DIR *directory;
    char sources[PATH_MAX];
    snprintf(sources, sizeof sources, "%.*s", (int)(strrchr(from, '/') - from), from);
    directory = opendir(sources);
    for (struct dirent *e; (e = readdir(directory)) != NULL;)
        if (strncmp(e->d_name, "skidpad-core-", 13) == 0)
            snprintf(core, sizeof core, "%s", e->d_name);
    closedir(directory);
    MUST(core[0]);
    char whole_core[2 * PATH_MAX], bad_core[2 * PATH_MAX], xml[2 * PATH_MAX], xml_copy[2 * PATH_MAX];
    snprintf(whole_core, sizeof whole_core, "%s/%s", sources, core);
    snprintf(bad_core, sizeof bad_core, "%s/%s", folder, core);
    snprintf(xml, sizeof xml, "%s/modelDescription.xml", d->folder);
    snprintf(xml_copy, sizeof xml_copy, "%s/modelDescription.xml", scratch);
    copy(xml, xml_copy);
    unlink(bad_core);
    if (strcmp(d->kind, "missing") != 0)
        copy(whole_core, bad_core);
    if (strcmp(d->kind, "truncated") == 0)
        MUST(truncate(bad_core, 5000) == 0);
    if (strcmp(d->kind, "empty") == 0)
        MUST(truncate(bad_core, 0) == 0);
    if (strcmp(d->kind, "of another machine") == 0) {
        int file = open(bad_core, O_WRONLY | O_CLOEXEC);
        unsigned char machine[2] = {0xf3, 0}; /* e_machine: RISC-V, which none of our platforms is */
        MUST(pwrite(file, machine, 2, 18) == 2);
        close(file);
    }

    fmu_open(&f, scratch);
    memcpy(f.resources, whole.resources, sizeof f.resources);
    for (int attempt = 0; attempt < 2; attempt++) {
        MUST(!instance_new(&i, &f, "no core"));
        bool misleading = strcmp(d->kind, "missing") != 0 && strstr(i.log.latest, "No such file") != NULL;
        if (strstr(i.log.latest, core) == NULL || i.log.status < ERROR || misleading)
            figure("  core %s: status %d, message: %s\n", d->kind, i.log.status, i.log.latest);
        MUST(i.log.messages > 0 && i.log.status >= ERROR);
        MUST(strstr(i.log.latest, core) != NULL);
        MUST(!misleading);
    }
    figure("  FMI %d.0, core %s: %.*s\n", f.version, d->kind, 600, i.log.latest);
    drive(&whole, 1, values);
}

/* An FMU with one living instance on which the wrong calls are tried. */
struct wrong {
    const struct fmu *f;
    struct instance i;
    int calls, failed;
};

/* refuse: the call says Error and logs a message with the text names. Then the
 * instance is as new. */
static void refuse(struct wrong *w, const char *what, const char *names, int status)
{
    w->calls++;
    if (status != ERROR || w->i.log.messages == 0 || strstr(w->i.log.latest, names) == NULL) {
        figure("  FMI %d.0, %s: status %d, %d messages: %s\n", w->f->version, what, status, w->i.log.messages,
               w->i.log.latest);
        w->failed++;
    }
    MUST(instance_reset(&w->i) == OK);
    memset(&w->i.log, 0, sizeof w->i.log);
}

static struct wrong *ready(struct wrong *w)
{
    MUST(instance_initialise(&w->i) == OK);
    return w;
}

/* A wrong call on a new and on an initialised instance; and one whose message
 * has to say in which function an argument is NULL. */
#define REFUSE(call) refuse(w, #call, "", call)
#define REFUSE_READY(call) (ready(w), refuse(w, #call, "", call))
#define REFUSE_NULL(function, ...) \
    (ready(w), refuse(w, #function "(" #__VA_ARGS__ ")", #function, f->function(__VA_ARGS__)))

static void wrong_calls2(struct wrong *w)
{
    const struct fmi2 *f = &w->f->f2;
    void *c = w->i.handle, *state = NULL;
    uint32_t vx = fmu_reference(w->f, "body.vx"), mass = fmu_reference(w->f, "body.mass"), unknown = 1 << 23;
    uint32_t method = fmu_reference(w->f, "solver.method"), brake = fmu_reference(w->f, "brake_FL.torque");
    double x = 0;
    int n = 0, order = 1, high = 7;
    const char *text = "no such method", *none = NULL;
    size_t size = 0;
    char bytes[64] = "these are no saved state";
    REFUSE(f->DoStep(c, 0, 0.001, 1));
    REFUSE(f->ExitInitializationMode(c));
    REFUSE(f->Terminate(c));
    REFUSE(f->EnterEventMode(c));
    REFUSE_READY(f->EnterInitializationMode(c));
    REFUSE_READY(f->SetupExperiment(c, 0, 0, 0, 0, 0));
    REFUSE_READY(f->DoStep(c, 0, 0, 1));
    REFUSE_READY(f->DoStep(c, 0, -0.001, 1));
    REFUSE_READY(f->DoStep(c, 0, NAN, 1));
    REFUSE_READY(f->DoStep(c, NAN, 0.001, 1));
    REFUSE_NULL(GetReal, c, NULL, 1, &x);
    REFUSE_NULL(GetReal, c, &vx, 1, NULL);
    REFUSE_READY(f->GetReal(c, &unknown, 1, &x));
    REFUSE_READY(f->GetInteger(c, &vx, 1, &n));
    REFUSE_READY(f->GetBoolean(c, &vx, 1, &n));
    REFUSE_READY(f->SetReal(c, &vx, 1, &x));
    REFUSE_READY(f->SetReal(c, &mass, 1, &x));
    REFUSE_NULL(SetReal, c, NULL, 1, &x);
    REFUSE(f->SetString(c, &method, 1, &text));
    REFUSE(f->SetString(c, &method, 1, &none));
    x = NAN;
    REFUSE(f->SetReal(c, &mass, 1, &x));
    x = -1;
    refuse(w, "mass -1", "body.mass", f->SetReal(c, &mass, 1, &x));
    REFUSE_NULL(GetFMUstate, c, NULL);
    REFUSE_READY(f->SetFMUstate(c, NULL));
    REFUSE_READY(f->SerializedFMUstateSize(c, NULL, &size));
    REFUSE_READY(f->DeSerializeFMUstate(c, bytes, sizeof bytes, &state));
    REFUSE_NULL(DeSerializeFMUstate, c, NULL, sizeof bytes, &state);
    REFUSE_READY(f->DeSerializeFMUstate(c, bytes, 0, &state));
    REFUSE_READY(f->SetRealInputDerivatives(c, &brake, 1, &n, &x)); /* order 0 */
    REFUSE_READY(f->SetRealInputDerivatives(c, &vx, 1, &order, &x));
    ready(w); /* an order that is not available is 0 */
    MUST(f->GetRealOutputDerivatives(c, &vx, 1, &high, &x) == OK && x == 0 && f->Reset(c) == OK);
    REFUSE_NULL(GetDirectionalDerivative, c, &vx, 1, NULL, 1, &x, &x);
    REFUSE_READY(f->GetDirectionalDerivative(c, &unknown, 1, &brake, 1, &x, &x));
    REFUSE_READY(f->SetTime(c, 0)); /* a function of Model Exchange */
    MUST(state == NULL);
}

static void wrong_calls3(struct wrong *w)
{
    const struct fmi3 *f = &w->f->f3;
    void *c = w->i.handle, *state = NULL;
    uint32_t vx = fmu_reference(w->f, "body.vx"), mass = fmu_reference(w->f, "body.mass"), unknown = 1 << 23;
    uint32_t method = fmu_reference(w->f, "solver.method"), brake = fmu_reference(w->f, "brake_FL.torque");
    double x = 0, last;
    bool b, e, t;
    int64_t n = 0;
    int high = 7;
    const char *text = "no such method", *none = NULL;
    size_t size = 0;
    uint8_t bytes[64] = "these are no saved state";
    REFUSE(f->DoStep(c, 0, 0.001, true, &b, &e, &t, &last));
    REFUSE(f->ExitInitializationMode(c));
    REFUSE(f->Terminate(c));
    REFUSE(f->EnterStepMode(c));
    REFUSE(f->EnterInitializationMode(c, false, 0, NAN, false, 0));
    REFUSE_READY(f->EnterInitializationMode(c, false, 0, 0, false, 0));
    REFUSE_READY(f->DoStep(c, 0, 0, true, &b, &e, &t, &last));
    REFUSE_READY(f->DoStep(c, 0, -0.001, true, &b, &e, &t, &last));
    REFUSE_READY(f->DoStep(c, 0, NAN, true, &b, &e, &t, &last));
    REFUSE_NULL(DoStep, c, 0, 0.001, true, NULL, &e, &t, &last);
    REFUSE_NULL(GetFloat64, c, NULL, 1, &x, 1);
    REFUSE_NULL(GetFloat64, c, &vx, 1, NULL, 1);
    REFUSE_READY(f->GetFloat64(c, &vx, 1, &x, 2));
    REFUSE_READY(f->GetFloat64(c, &vx, 1, &x, 0));
    REFUSE_READY(f->GetFloat64(c, &unknown, 1, &x, 1));
    REFUSE_READY(f->GetInt64(c, &vx, 1, &n, 1));
    REFUSE_READY(f->GetBoolean(c, &vx, 1, &b, 1));
    REFUSE_READY(f->GetClock(c, &vx, 1, &b));
    REFUSE_READY(f->SetFloat64(c, &vx, 1, &x, 1));
    REFUSE_READY(f->SetFloat64(c, &mass, 1, &x, 1));
    REFUSE(f->SetString(c, &method, 1, &text, 1));
    REFUSE(f->SetString(c, &method, 1, &none, 1));
    x = NAN;
    REFUSE(f->SetFloat64(c, &mass, 1, &x, 1));
    x = -1;
    refuse(w, "mass -1", "body.mass", f->SetFloat64(c, &mass, 1, &x, 1));
    REFUSE_NULL(GetFMUState, c, NULL);
    REFUSE_READY(f->SetFMUState(c, NULL));
    REFUSE_READY(f->SerializedFMUStateSize(c, NULL, &size));
    REFUSE_READY(f->DeserializeFMUState(c, bytes, sizeof bytes, &state));
    REFUSE_NULL(DeserializeFMUState, c, NULL, sizeof bytes, &state);
    REFUSE_READY(f->DeserializeFMUState(c, bytes, 0, &state));
    ready(w); /* an order that is not available is 0 */
    MUST(f->GetOutputDerivatives(c, &vx, 1, &high, &x, 1) == OK && x == 0 && f->Reset(c) == OK);
    REFUSE_NULL(GetDirectionalDerivative, c, &vx, 1, NULL, 1, &x, 1, &x, 1);
    REFUSE_READY(f->GetDirectionalDerivative(c, &vx, 1, &brake, 1, &x, 2, &x, 1));
    REFUSE_READY(f->GetAdjointDerivative(c, &unknown, 1, &brake, 1, &x, 1, &x, 1));
    REFUSE_READY(f->SetTime(c, 0));
    REFUSE_READY(f->ActivateModelPartition(c, 0, 0));
    MUST(state == NULL);
}

/* Every damage to the bytes of a saved state is noticed. */
static int damaged_states(struct wrong *w)
{
    const struct fmu *f = w->f;
    void *c = ready(w)->i.handle, *state = NULL, *other = NULL;
    size_t size;
    uint64_t random = 10;
    int damages = 0;
#define BOTH(two, three) (f->version == 2 ? f->f2.two : f->f3.three)
    MUST(BOTH(GetFMUstate(c, &state), GetFMUState(c, &state)) == OK);
    MUST(BOTH(SerializedFMUstateSize(c, state, &size), SerializedFMUStateSize(c, state, &size)) == OK);
    char *whole = malloc(size), *bytes = malloc(2 * size);
    MUST(BOTH(SerializeFMUstate(c, state, whole, size), SerializeFMUState(c, state, (uint8_t *)whole, size)) == OK);
    for (int n = 0; n < 400; n++, damages++) {
        size_t length = size;
        memcpy(bytes, whole, size);
        memcpy(bytes + size, whole, size);
        switch (n % 4) {
        case 0: /* one bit */
            bytes[random_next(&random) % size] ^= (char)(1 << random_next(&random) % 8);
            break;
        case 1: /* shorter */
            length = random_next(&random) % size;
            break;
        case 2: /* longer */
            length = size + 1 + random_next(&random) % size;
            break;
        default: /* noise throughout */
            for (size_t k = 0; k < size; k++)
                bytes[k] = (char)random_next(&random);
        }
        w->i.log.messages = 0;
        int status = BOTH(DeSerializeFMUstate(c, bytes, length, &other),
                          DeserializeFMUState(c, (uint8_t *)bytes, length, &other));
        if (status != ERROR)
            figure("  FMI %d.0: damage %d of kind %d gives status %d\n", f->version, n, n % 4, status);
        MUST(status == ERROR && other == NULL && w->i.log.messages > 0);
    }
    MUST(BOTH(SetFMUstate(c, state), SetFMUState(c, state)) == OK);
    MUST(BOTH(DeSerializeFMUstate(c, whole, size, &other), DeserializeFMUState(c, (uint8_t *)whole, size, &other)) ==
         OK);
    MUST(BOTH(SetFMUstate(c, other), SetFMUState(c, other)) == OK);
    MUST(BOTH(FreeFMUstate(c, &state), FreeFMUState(c, &state)) == OK && state == NULL);
    MUST(BOTH(FreeFMUstate(c, &state), FreeFMUState(c, &state)) == OK);
    MUST(instance_step(&w->i, 0.001) == OK); /* and "other" is left to FreeInstance */
    free(whole);
    free(bytes);
    return damages;
}

static void wrong_body(void *folder)
{
    struct fmu f;
    struct instance i;
    struct wrong w = {.f = &f};
    double values[DRIVE], again[DRIVE];
    fmu_open(&f, folder);
    drive(&f, 1, values);

    char token[sizeof f.token], name[sizeof f.name];
    memcpy(token, f.token, sizeof token);
    strcpy(f.token, "another model");
    MUST(!instance_new(&i, &f, "token") && i.log.status >= ERROR);
    static const char end[] = "do not belong together"; /* messages arrive whole */
    MUST(strlen(i.log.latest) > sizeof end && strcmp(i.log.latest + strlen(i.log.latest) - (sizeof end - 1), end) == 0);
    memcpy(f.token, token, sizeof token);
    MUST(!instance_new(&i, &f, "") && i.log.status >= ERROR);
    MUST(!instance_new(&i, &f, NULL) && i.log.status >= ERROR);
    char resources[sizeof f.resources];
    memcpy(resources, f.resources, sizeof resources);
    strcat(f.resources, "not/here/");
    MUST(!instance_new(&i, &f, "resources") && i.log.status >= ERROR);
    MUST(strstr(i.log.latest, "not/here") != NULL);
    memcpy(f.resources, resources, sizeof resources);
    snprintf(name, sizeof name, "%s", f.name);

    MUST(instance_new(&w.i, &f, "wrong"));
    if (f.version == 2)
        wrong_calls2(&w);
    else
        wrong_calls3(&w);
    int damages = damaged_states(&w);

    /* Freed twice, and used when freed. */
    struct instance freed = w.i;
    instance_free(&w.i);
    instance_free(&w.i); /* NULL now */
    w.i = freed;
    MUST(instance_step(&w.i, 0.001) == ERROR);
    MUST(instance_reset(&w.i) == ERROR);
    instance_free(&w.i);

    drive(&f, 1, again);
    MUST(drive_equal(values, again));
    MUST(w.failed == 0);
    figure("  %s, FMI %d.0: 4 instances refused, %d wrong calls answered by Error with a message, %d damaged states "
           "noticed, freed handles refused\n",
           name, f.version, w.calls, damages);
}

int main(int argc, char **argv)
{
    static const char *const kinds[] = {"missing", "truncated", "empty", "of another machine"};
    int failed = 0;
    MUST(argc > 2);
    scratch = argv[1];
    for (int n = 2; n < argc; n++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            struct damage d = {argv[n], kinds[k]};
            int status = in_child(damaged, &d, 60);
            if (WIFSIGNALED(status))
                figure("  core %s: the process is ended by signal %d (%s)\n", d.kind, WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
            failed |= status != 0;
        }
        failed |= in_child(wrong_body, argv[n], 60) != 0;
    }
    return failed;
}
