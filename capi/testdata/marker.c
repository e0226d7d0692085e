/* marker.c - linked into a tire library: when it is loaded, and before anything of it is called, a file LIBRARY.loaded
 * appears beside it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

static void loaded(void) __attribute__((constructor));

static void loaded(void)
{
    char path[4096];
    Dl_info self;
    FILE *marker;
    if (!dladdr((void *)loaded, &self))
        return;
    snprintf(path, sizeof path, "%s.loaded", self.dli_fname);
    marker = fopen(path, "w");
    if (marker != NULL)
        fclose(marker);
}
