/* smoke.c - makes 100 steps of 1 ms with an FMU 2.0 and prints one variable.
 *
 *     smoke LIBRARY GUID RESOURCES REFERENCE
 *
 * Runs where the usual importers do not: under Wine, in user-mode emulation, with another
 * C library. Prints the value with all its digits, or why it cannot. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
static void *load(const char *path) { return (void *)LoadLibraryA(path); }
static void *find(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
#else
#include <dlfcn.h>
static void *load(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *find(void *library, const char *name) { return dlsym(library, name); }
#endif

typedef void logger(void *environment, const char *instance, int status, const char *category, const char *message,
                    ...);

static void say(void *environment, const char *instance, int status, const char *category, const char *message, ...)
{
    (void)environment, (void)instance, (void)category;
    if (status != 0)
        printf("status %d: %s\n", status, message);
}

static void *library;

static void *function(const char *name)
{
    void *f = find(library, name);
    if (f == NULL) {
        printf("no function %s\n", name);
        exit(1);
    }
    return f;
}

#define CALL(type, name) ((type)function(name))
#define MUST(call)                         \
    if ((call) != 0) {                     \
        printf("%s failed\n", #call);      \
        return 1;                          \
    }

int main(int argc, char **argv)
{
    struct {
        logger *log;
        void *(*allocate)(size_t, size_t);
        void (*release)(void *);
        void (*finished)(void *, int);
        void *environment;
    } callbacks = {say, NULL, NULL, NULL, NULL};
    unsigned reference;
    double value = 0;
    void *c;
    if (argc != 5)
        return 2;
    reference = (unsigned)strtoul(argv[4], NULL, 10);
    library = load(argv[1]);
    if (library == NULL) {
        printf("the library cannot be loaded\n");
        return 1;
    }
    c = CALL(void *(*)(const char *, int, const char *, const char *, const void *, int, int),
             "fmi2Instantiate")("smoke", 1, argv[2], argv[3], &callbacks, 0, 0);
    if (c == NULL) {
        printf("no instance\n");
        return 3;
    }
    MUST(CALL(int (*)(void *, int, double, double, int, double), "fmi2SetupExperiment")(c, 0, 0, 0, 0, 0));
    MUST(CALL(int (*)(void *), "fmi2EnterInitializationMode")(c));
    MUST(CALL(int (*)(void *), "fmi2ExitInitializationMode")(c));
    for (int n = 0; n < 100; n++)
        MUST(CALL(int (*)(void *, double, double, int), "fmi2DoStep")(c, n * 0.001, 0.001, 1));
    MUST(CALL(int (*)(void *, const unsigned *, size_t, double *), "fmi2GetReal")(c, &reference, 1, &value));
    CALL(void (*)(void *), "fmi2FreeInstance")(c);
    printf("%.17g\n", value);
    return 0;
}
