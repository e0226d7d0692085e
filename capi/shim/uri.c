//go:build ignore

#include "uri.h"

#include <stdlib.h>
#include <string.h>

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Whether text begins with prefix, in upper or lower case. */
static int begins(const char *text, const char *prefix)
{
    for (; *prefix != 0; text++, prefix++)
        if ((*text | 0x20) != *prefix)
            return 0;
    return 1;
}

static int drive(const char *p)
{
    return ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z') && p[1] == ':';
}

const char *path_of_uri(const char *uri)
{
    const char *p = uri;
    int escapes = 0;
    char *path = malloc(strlen(uri) + 1), *to = path;
    if (path == NULL)
        return NULL;
    if (begins(p, "file:")) {
        escapes = 1;
        p += 5;
        if (p[0] == '/' && p[1] == '/') { /* an authority, empty or localhost */
            p += 2;
            if (begins(p, "localhost/"))
                p += 9;
        }
        while (p[0] == '/' && p[1] == '/')
            p++;
        if (p[0] == '/' && drive(p + 1))
            p++;
    }
    while (*p != 0) {
        if (escapes && *p == '%' && hex(p[1]) >= 0 && hex(p[2]) >= 0) {
            char c = (char)(16 * hex(p[1]) + hex(p[2]));
            if (c == 0)
                break;
            *to++ = c;
            p += 3;
        } else {
            *to++ = *p++;
        }
    }
    *to = 0;
    return path;
}

void path_free(const char *path) { free((char *)path); }
