#define _GNU_SOURCE
#include "plugin.h"

#include <stdio.h>
#include <string.h>

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
        snprintf(error, capacity, "it cannot be loaded: error %lu; check that it exists and is built for this system",
                 (unsigned long)GetLastError());
    return module;
}

void *plugin_symbol(void *library, const char *symbol) { return (void *)GetProcAddress(library, symbol); }

void plugin_release(void *library) { FreeLibrary(library); }

#else

#include <dlfcn.h>

void *plugin_library(const char *library, char *error, size_t capacity)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        snprintf(error, capacity, "it cannot be loaded: %s; check that it exists and is built for this system", dlerror());
    return handle;
}

void *plugin_symbol(void *library, const char *symbol) { return dlsym(library, symbol); }

void plugin_release(void *library) { dlclose(library); }

#endif

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
        snprintf(error, capacity, "%s does not serve version %d of the tire interface; build it with the skidpad_tire.h of this library",
                 symbol, SKIDPAD_TIRE_ABI);
    return tire;
}

int32_t plugin_init(const skidpad_tire *t, const char *tire, const char *file, double *states, void **instance, char *error,
                    size_t capacity)
{
    return t->init(tire, file, states, instance, error, capacity);
}

int32_t plugin_evaluate(const skidpad_tire *t, size_t n, void *const *instances, const double *inputs, const double *states,
                        double *outputs, double *rates)
{
    return t->evaluate(n, instances, inputs, states, outputs, rates);
}

int32_t plugin_jacobian(const skidpad_tire *t, void *instance, const double *inputs, const double *states, double *derivatives)
{
    return t->jacobian(instance, inputs, states, derivatives);
}

const char *plugin_error(const skidpad_tire *t, void *instance) { return t->error ? t->error(instance) : NULL; }

void plugin_free(const skidpad_tire *t, void *instance)
{
    if (t->free)
        t->free(instance);
}
