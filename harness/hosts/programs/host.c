#include "host.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#ifdef __aarch64__
#define FOLDER2 "aarch64-linux"
#define FOLDER3 "aarch64-linux"
#else
#define FOLDER2 "linux64"
#define FOLDER3 "x86_64-linux"
#endif

/* read_text returns the whole file, NUL-terminated; the caller frees it. */
static char *read_text(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        figure("  cannot read %s\n", path);
        _exit(1);
    }
    size_t size = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    for (ssize_t n; (n = read(file, text + size, capacity - size - 1)) > 0;) {
        size += (size_t)n;
        if (size + 1 == capacity)
            text = realloc(text, capacity *= 2);
    }
    close(file);
    text[size] = 0;
    return text;
}

/* attribute copies the value of an attribute of the element that starts at
 * element. In well-formed XML the next "<" ends the search in any case. */
static bool attribute(const char *element, const char *name, char *value, size_t capacity)
{
    size_t length = strlen(name);
    const char *end = element + 1 + strcspn(element + 1, "<");
    for (const char *p = element; (p = strstr(p, name)) != NULL && p < end; p += length) {
        if (p[-1] == ' ' && p[length] == '=' && p[length + 1] == '"') {
            snprintf(value, capacity, "%.*s", (int)strcspn(p + length + 2, "\""), p + length + 2);
            return true;
        }
    }
    return false;
}

void fmu_describe(struct fmu *f, const char *folder)
{
    char path[PATH_MAX], version[16];
    memset(f, 0, sizeof *f);
    snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    f->description = read_text(path);
    const char *root = strstr(f->description, "<fmiModelDescription");
    MUST(root != NULL);
    MUST(attribute(root, "fmiVersion", version, sizeof version));
    f->version = version[0] - '0';
    MUST(attribute(root, f->version == 2 ? "guid" : "instantiationToken", f->token, sizeof f->token));
    const char *interface = strstr(f->description, "<CoSimulation");
    MUST(interface != NULL && attribute(interface, "modelIdentifier", f->name, sizeof f->name));
    snprintf(f->resources, sizeof f->resources, f->version == 2 ? "file://%s/resources" : "%s/resources/", folder);
}

void fmu_library(const struct fmu *f, const char *folder, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/binaries/%s/%s.so", folder, f->version == 2 ? FOLDER2 : FOLDER3, f->name);
}

/* resolve finds a function as an importer does: one that is missing is an end. */
static void *resolve(const struct fmu *f, const char *name)
{
    char symbol[80];
    snprintf(symbol, sizeof symbol, "fmi%d%s", f->version, name);
    void *address = dlsym(f->library, symbol);
    if (address == NULL) {
        figure("  %s\n", dlerror());
        _exit(1);
    }
    return address;
}

void fmu_open(struct fmu *f, const char *folder)
{
    char path[PATH_MAX];
    fmu_describe(f, folder);
    fmu_library(f, folder, path);
    f->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (f->library == NULL) {
        figure("  %s\n", dlerror());
        _exit(1);
    }
#define RESOLVE2(name, ...) *(void **)&f->f2.name = resolve(f, #name);
#define RESOLVE3(name, ...) *(void **)&f->f3.name = resolve(f, #name);
    if (f->version == 2) {
        FMI2_FUNCTIONS(RESOLVE2, RESOLVE2)
    } else {
        FMI3_FUNCTIONS(RESOLVE3, RESOLVE3)
    }
}

void fmu_close(struct fmu *f)
{
    MUST(dlclose(f->library) == 0);
    free(f->description);
}

uint32_t fmu_reference(const struct fmu *f, const char *name)
{
    char quoted[128], value[16];
    snprintf(quoted, sizeof quoted, " name=\"%s\"", name);
    for (const char *p = f->description; (p = strstr(p, quoted)) != NULL; p++) {
        const char *element = p;
        while (*element != '<')
            element--;
        if (attribute(element, "valueReference", value, sizeof value))
            return (uint32_t)strtoul(value, NULL, 10);
    }
    figure("  %s has no variable %s\n", f->name, name);
    _exit(1);
}

bool fmu_is_skidder(const struct fmu *f) { return strcmp(f->name, "ForestrySkidder") == 0; }

/* Notes a message, with # once where it comes twice. One that comes alone would stand for a variable. */
static void record(struct log *log, int status, const char *message)
{
    size_t length = 0;
    log->messages++;
    log->status = status;
    for (; *message != 0 && length + 1 < sizeof log->latest; message++) {
        if (*message == '#')
            MUST(*++message == '#');
        log->latest[length++] = *message;
    }
    log->latest[length] = 0;
}

void log2_message(void *environment, const char *instance, int status, const char *category,
                  const char *message, ...)
{
    char text[2048];
    va_list arguments;
    MUST(instance != NULL && category != NULL);
    for (const char *p = message; (p = strchr(p, '%')) != NULL; p += 2)
        if (p[1] != '%') { /* before vsnprintf looks for an argument that is not there */
            figure("  a message is a format: %s\n", message);
            _exit(1);
        }
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    record(environment, status, text);
}

void log3_message(void *environment, int status, const char *category, const char *message)
{
    MUST(category != NULL);
    record(environment, status, message);
}

bool instance_new(struct instance *i, const struct fmu *f, const char *name)
{
    memset(i, 0, sizeof *i);
    i->fmu = f;
    if (f->version == 2) {
        struct callbacks2 callbacks = {log2_message, calloc, free, NULL, &i->log};
        i->handle = f->f2.Instantiate(name, CO_SIMULATION, f->token, f->resources, &callbacks, 0, 1);
    } else {
        i->handle = f->f3.InstantiateCoSimulation(name, f->token, f->resources, false, true, false, false,
                                                  NULL, 0, &i->log, log3_message, NULL);
    }
    return i->handle != NULL;
}

int instance_initialise(struct instance *i)
{
    const struct fmu *f = i->fmu;
    int status;
    i->time = 0;
    if (f->version == 2) {
        status = f->f2.SetupExperiment(i->handle, 0, 0, 0, 0, 0);
        if (status == OK)
            status = f->f2.EnterInitializationMode(i->handle);
        return status == OK ? f->f2.ExitInitializationMode(i->handle) : status;
    }
    status = f->f3.EnterInitializationMode(i->handle, false, 0, 0, false, 0);
    return status == OK ? f->f3.ExitInitializationMode(i->handle) : status;
}

int instance_step(struct instance *i, double h)
{
    bool event, terminate, early;
    double last;
    int status = i->fmu->version == 2
                     ? i->fmu->f2.DoStep(i->handle, i->time, h, 1)
                     : i->fmu->f3.DoStep(i->handle, i->time, h, true, &event, &terminate, &early, &last);
    i->time += h;
    return status;
}

int instance_get(struct instance *i, const uint32_t references[], size_t count, double values[])
{
    return i->fmu->version == 2 ? i->fmu->f2.GetReal(i->handle, references, count, values)
                                : i->fmu->f3.GetFloat64(i->handle, references, count, values, count);
}

int instance_set(struct instance *i, const uint32_t references[], size_t count, const double values[])
{
    return i->fmu->version == 2 ? i->fmu->f2.SetReal(i->handle, references, count, values)
                                : i->fmu->f3.SetFloat64(i->handle, references, count, values, count);
}

int instance_reset(struct instance *i)
{
    return i->fmu->version == 2 ? i->fmu->f2.Reset(i->handle) : i->fmu->f3.Reset(i->handle);
}

void instance_free(struct instance *i)
{
    if (i->fmu->version == 2)
        i->fmu->f2.FreeInstance(i->handle);
    else
        i->fmu->f3.FreeInstance(i->handle);
    i->handle = NULL;
}

void drive_step(struct instance *i, int seed, int step, double values[DRIVE_OUTPUTS])
{
    const struct fmu *f = i->fmu;
    bool skidder = fmu_is_skidder(f);
    uint32_t input = fmu_reference(f, skidder ? "articulation.angle" : "steer_FL.angle");
    uint32_t outputs[DRIVE_OUTPUTS] = {
        fmu_reference(f, skidder ? "front.vx" : "body.vx"),
        fmu_reference(f, skidder ? "front.wz" : "body.wz"),
        fmu_reference(f, "tire_FL.Fz"),
    };
    double angle = 1e-4 * (seed + 1) * (step + 1);
    MUST(instance_set(i, &input, 1, &angle) == OK);
    MUST(instance_step(i, DRIVE_STEP) == OK);
    MUST(instance_get(i, outputs, DRIVE_OUTPUTS, values) == OK);
}

void drive(const struct fmu *f, int seed, double values[DRIVE])
{
    struct instance i;
    if (!instance_new(&i, f, "drive")) {
        figure("  no instance of %s: %s\n", f->name, i.log.latest);
        _exit(1);
    }
    MUST(instance_initialise(&i) == OK);
    for (int step = 0; step < DRIVE_STEPS; step++)
        drive_step(&i, seed, step, values + step * DRIVE_OUTPUTS);
    instance_free(&i);
}

bool drive_equal(const double a[DRIVE], const double b[DRIVE])
{
    return memcmp(a, b, DRIVE * sizeof *a) == 0;
}

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int entries(const char *folder)
{
    DIR *directory = opendir(folder);
    int count = 0;
    MUST(directory != NULL);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count - 2;
}

int threads(void) { return entries("/proc/self/task"); }

int open_files(void) { return entries("/proc/self/fd") - 1; }

long resident(void)
{
    char *text = read_text("/proc/self/statm");
    long pages = strtol(strchr(text, ' '), NULL, 10);
    free(text);
    return pages * sysconf(_SC_PAGESIZE);
}

int mappings(const char *text)
{
    char *maps = read_text("/proc/self/maps"), *rest = maps;
    int count = 0;
    for (char *line; (line = strsep(&rest, "\n")) != NULL && *line;)
        count += strstr(line, text) != NULL;
    free(maps);
    return count;
}

/* The generator is splitmix64. */
uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int in_child(void (*body)(void *), void *argument, unsigned limit)
{
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        body(argument);
        _exit(0);
    }
    int status;
    pid_t ended;
    for (double end = seconds() + limit; (ended = waitpid(child, &status, WNOHANG)) == 0; usleep(5000))
        if (seconds() > end)
            kill(child, SIGKILL);
    MUST(ended == child);
    return status;
}
