/* FMUs of FMI 2.0 that are loaded and instantiated at the same moment, on Windows: prints how many cores the process
 * has.
 *
 *     together GUID LIBRARY RESOURCES [GUID LIBRARY RESOURCES]...
 */
#include <stdio.h>

#include <windows.h>

#include <tlhelp32.h>

typedef void *instantiate(const char *, int, const char *, const char *, const void *, int, int);

static char **arguments;
static volatile LONG waiting; /* all leave together when none is missing */

static DWORD WINAPI make(void *number)
{
    char **mine = arguments + 3 * (size_t)number;
    HMODULE library = LoadLibraryExA(mine[1], NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    FARPROC found = library ? GetProcAddress(library, "fmi2Instantiate") : NULL;
    const void *callbacks[5] = {NULL};
    InterlockedDecrement(&waiting);
    while (waiting > 0)
        ;
    return found == NULL || ((instantiate *)(void *)found)("together", 1, mine[0], mine[2], callbacks, 0, 0) == NULL;
}

int main(int argc, char **argv)
{
    HANDLE threads[16];
    MODULEENTRY32 module = {.dwSize = sizeof module};
    int count = (argc - 1) / 3, cores = 0, failed = 0;
    arguments = argv + 1;
    waiting = count;
    for (size_t n = 0; n < (size_t)count; n++)
        threads[n] = CreateThread(NULL, 0, make, (void *)n, 0, NULL);
    WaitForMultipleObjects((DWORD)count, threads, TRUE, INFINITE);
    for (int n = 0; n < count; n++) {
        DWORD code = 1;
        GetExitCodeThread(threads[n], &code);
        failed += code != 0;
    }
    HANDLE modules = CreateToolhelp32Snapshot(TH32CS_SNAPMODULE, GetCurrentProcessId());
    for (BOOL more = Module32First(modules, &module); more; more = Module32Next(modules, &module))
        cores += strstr(module.szModule, "skidpad-core-") != NULL;
    printf("%d instances failed, %d cores\n", failed, cores);
    return 0;
}
