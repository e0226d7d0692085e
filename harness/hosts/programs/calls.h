/* Any function of FMI with any small arguments. */
#ifndef HOSTS_CALLS_H
#define HOSTS_CALLS_H

#include "host.h"

enum { CALLS2 = 44, CALLS3 = 75, NO_STATUS = -1 };

/* Number of functions of a version. */
int calls_count(const struct fmu *f);

/* Calls function number k of the version on a handle, which may be anything a
 * host may still hold, with random arguments: references that exist and that do
 * not, values that are numbers and that are not, states that live, are freed
 * (freed is one, or NULL) or were never there. Pointers are NULL or good for
 * what the count says. Returns the status, NO_STATUS where the function has
 * none. Instantiating functions are given nothing they could accept; an instance
 * they return all the same ends the host. FreeInstance is not called. */
int call(const struct fmu *f, int k, void *handle, void **state, void *freed, uint64_t *random);

/* Its name. */
const char *call_name(const struct fmu *f, int k);

#endif
