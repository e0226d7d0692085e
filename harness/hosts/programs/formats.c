/* Group 10, third part: texts of importers and files that a logger could take for a format, or for a variable.
 *
 *     formats SCRATCH FMU...
 *
 * SCRATCH is an empty folder. That no text does harm is checked by the logger, for every host. */
#include "host.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const texts[] = {"%n", "%s%s%s%s%s%s", "%x %p", "100%", "#r1#", "#1#",
                                    "##", "%#n",          "a%",    "%%n",  "%1$n", "%-999999999d"};
enum { TEXTS = sizeof texts / sizeof *texts };

static const char *scratch;
static int seen;

/* The latest message has the text as it was given. */
static void told(struct log *log, const char *text)
{
    if (log->messages == 0 || strstr(log->latest, text) == NULL)
        figure("  %d messages, the latest without \"%s\": %s\n", log->messages, text, log->latest);
    MUST(log->messages > 0 && strstr(log->latest, text) != NULL);
    log->messages = 0;
    seen++;
}

static void *instantiate(struct fmu *f, struct log *log, const char *name, const char *token, const char *resources)
{
    struct callbacks2 callbacks = {log2_message, calloc, free, NULL, log};
    return f->version == 2 ? f->f2.Instantiate(name, CO_SIMULATION, token, resources, &callbacks, 0, 1)
                           : f->f3.InstantiateCoSimulation(name, token, resources, false, true, false, false, NULL, 0,
                                                           log, log3_message, NULL);
}

/* The text as a part of a URI, every byte as %XX. */
static void escape(const char *text, char *to)
{
    while (*text != 0)
        to += sprintf(to, "%%%02X", (unsigned char)*text++);
    *to = 0;
}

static void instantiations(struct fmu *f, const char *text)
{
    struct log log = {0};
    char where[PATH_MAX + 16], escaped[256], path[PATH_MAX];
    snprintf(where, sizeof where, "{%s}", text);
    MUST(instantiate(f, &log, "name", text, f->resources) == NULL);
    MUST(log.messages > 0); /* a wrong token need not be repeated */
    log.messages = 0;
    escape(text, escaped);
    snprintf(where, sizeof where, f->version == 2 ? "file:///nowhere/%s/resources" : "/nowhere/%s/resources/",
             f->version == 2 ? escaped : text);
    MUST(instantiate(f, &log, "name", f->token, where) == NULL);
    told(&log, text);
    /* A model file that is not one, in a folder with such a name. */
    snprintf(path, sizeof path, "%s/%s", scratch, text);
    mkdir(path, 0755);
    strcat(strcpy(where, path), "/model.toml");
    int file = open(where, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    MUST(file >= 0);
    dprintf(file, "name = \"%s\"\n\"%s\" = %s\n", text, text, text);
    close(file);
    snprintf(where, sizeof where, f->version == 2 ? "file://%s/%s" : "%s/%s/", scratch,
             f->version == 2 ? escaped : text);
    MUST(instantiate(f, &log, "name", f->token, where) == NULL);
    told(&log, text);
}

static int set_text(struct instance *i, uint32_t reference, const char *text)
{
    return i->fmu->version == 2 ? i->fmu->f2.SetString(i->handle, &reference, 1, &text)
                                : i->fmu->f3.SetString(i->handle, &reference, 1, &text, 1);
}

/* No byte of a message is lost, however long it is: the category is the last that its message has. */
static void lengths(struct fmu *f)
{
    static char text[3000];
    struct instance i;
    MUST(instance_new(&i, f, "lengths"));
    for (size_t n = 0; n < 1100; n += n < 400 ? 37 : 1) {
        const char *given = text;
        memset(text, 'a', n);
        memset(text + n, n % 2 ? '%' : '#', n % 3);
        text[n + n % 3] = 0;
        strcat(text, "z");
        MUST((f->version == 2 ? f->f2.SetDebugLogging(i.handle, 1, 1, &given)
                              : f->f3.SetDebugLogging(i.handle, true, 1, &given)) == ERROR);
        MUST(strlen(i.log.latest) > n && i.log.latest[strlen(i.log.latest) - 1] == '"');
        told(&i.log, text);
    }
    instance_free(&i);
}

/* Texts that are set, categories that there are not, and tire files with such contents. */
static void settings(struct fmu *f, const char *text)
{
    static const char *const names[] = {"solver.method", "tire_FL.model", "tire_FL.file"};
    struct instance i;
    char library[300], path[PATH_MAX];
    MUST(instance_new(&i, f, text)); /* any name will do */
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        i.log.messages = 0;
        int status = set_text(&i, fmu_reference(f, names[k]), text);
        if (status == OK) /* it is read later */
            status = instance_initialise(&i);
        MUST(status == ERROR);
        told(&i.log, text);
        MUST(instance_reset(&i) == OK);
    }
    snprintf(library, sizeof library, "plugin:/nowhere/%s.so#%s", text, text);
    if (set_text(&i, fmu_reference(f, "tire_FL.model"), library) == OK)
        MUST(instance_initialise(&i) == ERROR);
    MUST(i.log.messages > 0);
    MUST(instance_reset(&i) == OK);
    snprintf(path, sizeof path, "%s/%s.toml", scratch, text);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    MUST(file >= 0);
    dprintf(file, "\"%s\" = \"%s\"\n", text, text);
    close(file);
    i.log.messages = 0;
    if (set_text(&i, fmu_reference(f, "tire_FL.file"), path) == OK)
        MUST(instance_initialise(&i) == ERROR);
    told(&i.log, text);
    MUST(instance_reset(&i) == OK);
    i.log.messages = 0;
    MUST((f->version == 2 ? f->f2.SetDebugLogging(i.handle, 1, 1, &text)
                          : f->f3.SetDebugLogging(i.handle, true, 1, &text)) == ERROR);
    told(&i.log, text);
    instance_free(&i);
}

int main(int argc, char **argv)
{
    MUST(argc > 2);
    scratch = argv[1];
    for (int n = 2; n < argc; n++) {
        struct fmu f;
        fmu_open(&f, argv[n]);
        seen = 0;
        lengths(&f);
        for (int k = 0; k < TEXTS; k++) {
            instantiations(&f, texts[k]);
            settings(&f, texts[k]);
        }
        figure("  %s, FMI %d.0: %d messages repeat %d texts with %% and # as they are\n", f.name, f.version, seen,
               TEXTS);
    }
    return 0;
}
