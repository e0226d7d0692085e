/* uri.h - the resource location of FMI 2.0. */
#ifndef SKIDPAD_URI_H
#define SKIDPAD_URI_H

/* The native path of a file URI, or of a bare path that some importers pass, until
 * path_free. NULL if there is no memory. Accepted are file:///p, file:/p,
 * file://localhost/p, file:////p, file:///C:/p, file://C:\p and percent escapes. */
const char *path_of_uri(const char *uri);
void path_free(const char *);

#endif
