#define _GNU_SOURCE
#include "plugin.h"

#include <stdio.h>
#include <string.h>

#include "step.h"

/* Restores the floating-point environment after foreign code, and after the start of a library that was compiled with
 * -ffast-math. */
static void clear_arithmetic(void)
{
    step_arithmetic left;
    step_arithmetic_begin(&left);
}

#if defined(_WIN32)

#include <windows.h>

void *plugin_library(const char *library, char *error, size_t capacity)
{
    wchar_t path[4096];
    HMODULE module;
    if (MultiByteToWideChar(CP_UTF8, 0, library, -1, path, sizeof path / sizeof *path) == 0) {
        snprintf(error, capacity, "the path is too long");
        return NULL;
    }
    module = LoadLibraryExW(path, NULL, wcspbrk(path, L"/\\") ? LOAD_WITH_ALTERED_SEARCH_PATH : 0);
    if (module == NULL)
        snprintf(error, capacity,
                 "it cannot be loaded: error %lu; check that the file exists and is built for this system",
                 (unsigned long)GetLastError());
    return module;
}

void *plugin_symbol(void *library, const char *symbol) { return (void *)GetProcAddress(library, symbol); }

void plugin_release(void *library) { FreeLibrary(library); }

void plugin_enter(const char *who) { (void)who; }
void plugin_leave(void) { clear_arithmetic(); }

#else

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

void *plugin_library(const char *library, char *error, size_t capacity)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    clear_arithmetic();
    if (handle == NULL)
        snprintf(error, capacity, "it cannot be loaded: %s; check that the file exists and is built for this system",
                 dlerror());
    return handle;
}

void *plugin_symbol(void *library, const char *symbol) { return dlsym(library, symbol); }

void plugin_release(void *library) { dlclose(library); }

/* Name of the function that runs on this thread. Signal handlers may read thread-local storage of this model. */
static _Thread_local const char *volatile running __attribute__((tls_model("initial-exec")));

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE};
static struct sigaction earlier[sizeof faults / sizeof *faults];

/* Prints the name of the function, once, and calls the previous handler. */
static void name_culprit(int signal, siginfo_t *info, void *context)
{
    const char *who = running;
    running = NULL;
    if (who != NULL) {
        static const char before[] = "skidpad: a crash in the ";
        static const char behind[] = "; the library is at fault, and ends the process\n";
        ssize_t ignored = write(STDERR_FILENO, before, sizeof before - 1);
        ignored = write(STDERR_FILENO, who, strlen(who));
        ignored = write(STDERR_FILENO, behind, sizeof behind - 1);
        (void)ignored;
    }
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        if (faults[k] == signal)
            earlier[k].sa_sigaction(signal, info, context);
}

/* Installs name_culprit before the handlers of the Go runtime, and of the host. Signals without a handler stay
 * without. */
static void watch_faults(void)
{
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        struct sigaction ours;
        if (sigaction(faults[k], NULL, &earlier[k]) != 0 || !(earlier[k].sa_flags & SA_SIGINFO))
            continue;
        ours = earlier[k];
        ours.sa_sigaction = name_culprit;
        sigaction(faults[k], &ours, NULL);
    }
}

void plugin_enter(const char *who)
{
    static pthread_once_t watching = PTHREAD_ONCE_INIT;
    if (who != NULL)
        pthread_once(&watching, watch_faults);
    running = who;
}

void plugin_leave(void)
{
    running = NULL;
    clear_arithmetic();
}

#endif

#define ONE_LAYOUT(description)                                                                         \
    _Static_assert(sizeof(description) == sizeof(skidpad_tire), "one layout");                          \
    _Static_assert(offsetof(description, init) == offsetof(skidpad_tire, init), "one layout");          \
    _Static_assert(offsetof(description, outputs) == offsetof(skidpad_tire, outputs), "one layout");    \
    _Static_assert(offsetof(description, output_count) == offsetof(skidpad_tire, output_count), "one layout")

ONE_LAYOUT(skidpad_law);
ONE_LAYOUT(skidpad_controller);
_Static_assert(offsetof(skidpad_controller, nothing) == offsetof(skidpad_tire, jacobian), "one layout");

const skidpad_tire *plugin_open(const char *library, const char *symbol, char *error, size_t capacity)
{
    skidpad_tire_entry *entry;
    const skidpad_tire *tire;
    void *address, *handle = plugin_library(library, error, capacity);
    if (handle == NULL)
        return NULL;
    address = plugin_symbol(handle, symbol);
    if (address == NULL) {
        snprintf(error, capacity, "it exports no function %s", symbol);
        return NULL;
    }
    memcpy(&entry, &address, sizeof entry);
    tire = entry(SKIDPAD_TIRE_ABI);
    if (tire == NULL)
        tire = entry(SKIDPAD_LAW_ABI);
    if (tire == NULL)
        tire = entry(SKIDPAD_CONTROLLER_ABI);
    if (tire == NULL)
        snprintf(error, capacity,
                 "%s does not serve version %d of the tire interface, nor version %d of laws or version %d of "
                 "controllers; build it with the skidpad_tire.h, skidpad_law.h or skidpad_controller.h of this library",
                 symbol, SKIDPAD_TIRE_ABI, SKIDPAD_LAW_ABI, SKIDPAD_CONTROLLER_ABI);
    return tire;
}

int32_t plugin_init(const skidpad_tire *t, const char *who, const char *tire, const char *file, double *states,
                    uintptr_t *instance, char *error, size_t capacity)
{
    plugin_enter(who);
    void *made = NULL;
    int32_t failed = t->init(tire, file, states, &made, error, capacity);
    plugin_leave();
    *instance = (uintptr_t)made;
    return failed;
}

int32_t plugin_evaluate(const skidpad_tire *t, const char *who, size_t n, const uintptr_t *instances,
                        const double *inputs, const double *states, double *outputs, double *rates)
{
    plugin_enter(who);
    int32_t failed = t->evaluate(n, (void *const *)instances, inputs, states, outputs, rates);
    plugin_leave();
    return failed;
}

int32_t plugin_jacobian(const skidpad_tire *t, const char *who, uintptr_t instance, const double *inputs,
                        const double *states, double *derivatives)
{
    plugin_enter(who);
    int32_t failed = t->jacobian((void *)instance, inputs, states, derivatives);
    plugin_leave();
    return failed;
}

const char *plugin_error(const skidpad_tire *t, const char *who, uintptr_t instance)
{
    const char *text = NULL;
    plugin_enter(who);
    if (t->error)
        text = t->error((void *)instance);
    plugin_leave();
    return text;
}

void plugin_free(const skidpad_tire *t, const char *who, uintptr_t instance)
{
    plugin_enter(who);
    if (t->free)
        t->free((void *)instance);
    plugin_leave();
}
