//go:build ignore

/* Finds the core in the process, or else beside the shim. */
#define _GNU_SOURCE
#include "shim.h"

#include <stdio.h>
#include <string.h>

#if !defined(SKIDPAD_CORE_NAME) || !defined(SKIDPAD_CORE_SIZE) || !defined(SKIDPAD_SHIM_NAME)
#error "SKIDPAD_CORE_NAME and SKIDPAD_CORE_SIZE must be the file name of the core and its bytes, SKIDPAD_SHIM_NAME the \
name by which the loader knows all shims of that core"
#endif

/* A process has a single core, although each FMU contains one. The shims of FMUs are different libraries: with separate
 * locks, two shims could both miss the core and load two cores. Therefore the process has one lock: in its first shim
 * of this build, or by a name on Windows. */

const skidpad_core *core;

#if defined(_WIN32)

#include <windows.h>

typedef HANDLE core_lock;

static int lock_core(core_lock *lock)
{
    wchar_t name[128];
    _snwprintf(name, sizeof name / sizeof *name, L"Local\\" SKIDPAD_SHIM_NAME L"-%lu",
               (unsigned long)GetCurrentProcessId());
    *lock = CreateMutexW(NULL, FALSE, name);
    return *lock != NULL && WaitForSingleObject(*lock, INFINITE) != WAIT_FAILED;
}

static void unlock_core(core_lock *lock)
{
    ReleaseMutex(*lock);
    CloseHandle(*lock);
}

static void system_error(char *error, size_t capacity, const char *what)
{
    char text[512] = "";
    DWORD code = GetLastError();
    FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, code, 0, text, sizeof text, NULL);
    snprintf(error, capacity, "%s: error %lu: %s", what, (unsigned long)code, text);
}

static void *find_core(char *error, size_t capacity)
{
    static wchar_t path[32768];
    HMODULE module, self;
    wchar_t *name;
    /* pinned: a Go library can never be unloaded */
    if (GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN, L"" SKIDPAD_CORE_NAME, &module))
        return (void *)GetProcAddress(module, "skidpad_core_table");
    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            (LPCWSTR)(void *)&core, &self) ||
        GetModuleFileNameW(self, path, sizeof path / sizeof *path - 256) == 0) {
        system_error(error, capacity, "cannot find the folder of this library");
        return NULL;
    }
    name = wcsrchr(path, L'\\');
    wcscpy(name ? name + 1 : path, L"" SKIDPAD_CORE_NAME);
    module = LoadLibraryExW(path, NULL, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    if (module == NULL) {
        system_error(error, capacity, "cannot load " SKIDPAD_CORE_NAME ", which must lie beside this library");
        return NULL;
    }
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN, path, &module);
    return (void *)GetProcAddress(module, "skidpad_core_table");
}

#else

#include <dlfcn.h>
#if !defined(__APPLE__)
#include <link.h>
#endif
#include <pthread.h>
#include <sys/stat.h>

/* The only symbol of the shim besides the functions of the standard. */
__attribute__((visibility("default"))) pthread_mutex_t skidpad_core_lock = PTHREAD_MUTEX_INITIALIZER;

/* The lock, and the library that holds it, which must not be unloaded meanwhile. */
typedef struct {
    void *first;
    pthread_mutex_t *mutex;
} core_lock;

static int lock_core(core_lock *lock)
{
    /* All shims of this build have the same SONAME, for which the loader returns the first shim. It stays the first as
     * long as it is in use. */
    lock->first = dlopen(SKIDPAD_SHIM_NAME, RTLD_NOW | RTLD_NOLOAD);
    lock->mutex = lock->first ? dlsym(lock->first, "skidpad_core_lock") : NULL;
    if (lock->mutex == NULL) /* this library is linked into something else */
        lock->mutex = &skidpad_core_lock;
    return pthread_mutex_lock(lock->mutex) == 0;
}

static void unlock_core(core_lock *lock)
{
    pthread_mutex_unlock(lock->mutex);
    if (lock->first != NULL)
        dlclose(lock->first);
}

/* A process must not fork while a core is being loaded: in the child, the lock would be held for ever. A core that was
 * loaded while the fork waited does not notice the fork by itself. */
static void before_fork(void) { pthread_mutex_lock(&skidpad_core_lock); }
static void after_fork(void) { pthread_mutex_unlock(&skidpad_core_lock); }
static void in_child(void)
{
    if (core != NULL)
        *core->usable = 0;
    after_fork();
}

/* pthread_atfork. A shim cannot call it by name: a C library without this function could not load the shim, which
 * reports that another C library is needed. */
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *) __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));
__attribute__((constructor)) static void watch_forks(void)
{
    if (__register_atfork != NULL)
        __register_atfork(before_fork, after_fork, in_child, &__dso_handle);
}

/* Whether an ELF file is for another machine; the loader reports such a file as missing. */
static int other_machine(const char *path)
{
#if defined(__x86_64__) || defined(__aarch64__)
    unsigned char head[20] = {0};
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
#if defined(__x86_64__)
    return n == sizeof head && memcmp(head, "\177ELF", 4) == 0 && head[18] + 256 * head[19] != 62;
#else
    return n == sizeof head && memcmp(head, "\177ELF", 4) == 0 && head[18] + 256 * head[19] != 183;
#endif
#else
    (void)path;
    return 0;
#endif
}

/* Whether the core is in the process; allocates no memory. */
#if defined(__APPLE__)
static int core_is_there(void) { return 0; }
#else
static int is_core(struct dl_phdr_info *library, size_t size, void *none)
{
    const char *name = strrchr(library->dlpi_name, '/');
    (void)size, (void)none;
    return name != NULL && strcmp(name + 1, SKIDPAD_CORE_NAME) == 0;
}

static int core_is_there(void) { return dl_iterate_phdr(is_core, NULL); }
#endif

static void *find_core(char *error, size_t capacity)
{
    char path[4096];
    struct stat file;
    Dl_info self;
    void *library = dlopen(SKIDPAD_CORE_NAME, RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL && core_is_there()) {
        snprintf(error, capacity,
                 "the system had no memory to find " SKIDPAD_CORE_NAME
                 ", which this process has loaded; free instances "
                 "or saved states and try again");
        return NULL;
    }
    if (library == NULL) {
        const char *name;
        size_t folder;
        if (!dladdr((void *)&core, &self) || self.dli_fname == NULL) {
            snprintf(error, capacity, "cannot find the folder of this library");
            return NULL;
        }
        name = strrchr(self.dli_fname, '/');
        folder = name ? (size_t)(name + 1 - self.dli_fname) : 0;
        if (folder + sizeof SKIDPAD_CORE_NAME > sizeof path) {
            snprintf(error, capacity, "the path of this library is too long");
            return NULL;
        }
        memcpy(path, self.dli_fname, folder);
        memcpy(path + folder, SKIDPAD_CORE_NAME, sizeof SKIDPAD_CORE_NAME);
        /* loading a file that is cut short can end the process */
        if (stat(path, &file) == 0 && file.st_size != SKIDPAD_CORE_SIZE) {
            snprintf(error, capacity, "%s has %lld bytes instead of %lld; unpack the FMU again", path,
                     (long long)file.st_size, (long long)SKIDPAD_CORE_SIZE);
            return NULL;
        }
        if (other_machine(path)) {
            snprintf(error, capacity, "%s is built for another machine", path);
            return NULL;
        }
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL) {
        const char *reason = dlerror();
        snprintf(error, capacity, "cannot load %s, which must lie beside this library: %s%s", SKIDPAD_CORE_NAME, reason,
                 strstr(reason, "TLS") || strstr(reason, "relocat")
                     ? "; it needs the GNU C library, others such as musl cannot load Go libraries"
                     : "");
        return NULL;
    }
    return dlsym(library, "skidpad_core_table");
}

#endif

const skidpad_core *core_load(char *error, size_t capacity)
{
    core_lock lock;
    if (!lock_core(&lock)) {
        snprintf(error, capacity,
                 "cannot make sure that " SKIDPAD_CORE_NAME " is loaded once: the system gives no lock");
        return NULL;
    }
    if (core == NULL) {
        skidpad_core_table_function *table;
        void *symbol = find_core(error, capacity);
        if (symbol != NULL) {
            memcpy(&table, &symbol, sizeof table);
            core = table();
            if (core == NULL)
                snprintf(error, capacity, "%s", "the system had no memory to finish loading " SKIDPAD_CORE_NAME
                         " and cannot do so in this process; restart the process");
        } else if (error[0] == 0) {
            snprintf(error, capacity, "%s is not a core of Skidpad", SKIDPAD_CORE_NAME);
        }
    }
    unlock_core(&lock);
    if (core != NULL && !*core->usable) {
        snprintf(error, capacity, "%s", core->fork_text);
        return NULL;
    }
    return core;
}
