/* plugin.h - calls of tire functions and laws through their pointers, which Go cannot make. A skidpad_law has the
 * layout of a skidpad_tire and is passed as one; abi tells the two apart. */
#ifndef SKIDPAD_PLUGIN_H
#define SKIDPAD_PLUGIN_H

#include <stdint.h>

#include "skidpad_law.h"
#include "skidpad_tire.h"

/* A library, NULL with the reason in error; the address of a symbol in it, or NULL; and away with it. */
void *plugin_library(const char *library, char *error, size_t capacity);
void *plugin_symbol(void *library, const char *symbol);
void plugin_release(void *library);

/* The function that library exports as symbol; NULL with the reason in error. */
const skidpad_tire *plugin_open(const char *library, const char *symbol, char *error, size_t capacity);

/* A library's function begins and ends on this thread. Should it crash meanwhile, its name stands before what the Go
 * runtime prints. who is NULL for functions of the host, whose own handlers may go on after a signal. */
void plugin_enter(const char *who);
void plugin_leave(void);

/* Instances cross as numbers: what a library calls one may be any number, and Go looks behind what it takes for a
 * pointer. */
int32_t plugin_init(const skidpad_tire *, const char *who, const char *tire, const char *file, double *states,
                    uintptr_t *instance, char *error, size_t capacity);
int32_t plugin_evaluate(const skidpad_tire *, const char *who, size_t n, const uintptr_t *instances,
                        const double *inputs, const double *states, double *outputs, double *rates);
int32_t plugin_jacobian(const skidpad_tire *, const char *who, uintptr_t instance, const double *inputs,
                        const double *states, double *derivatives);
const char *plugin_error(const skidpad_tire *, const char *who, uintptr_t instance);
void plugin_free(const skidpad_tire *, const char *who, uintptr_t instance);

#endif
