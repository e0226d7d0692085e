/* uri.h - the resource location of FMI 2.0, which sources do not need. */
#ifndef SKIDPAD_URI_H
#define SKIDPAD_URI_H

#define path_of_uri(uri) (uri)
#define path_free(path) (void)(path)

#endif
