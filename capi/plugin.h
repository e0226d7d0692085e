/* plugin.h - calls of tire functions, laws and controllers through their pointers, which Go cannot make. A skidpad_law
 * and a skidpad_controller have the layout of a skidpad_tire and are passed as one; abi tells them apart. */
#ifndef SKIDPAD_PLUGIN_H
#define SKIDPAD_PLUGIN_H

#include <stdint.h>

#include "skidpad_controller.h"
#include "skidpad_law.h"
#include "skidpad_tire.h"

/* Load a library, NULL with the reason in error; find the address of a symbol, or NULL; unload the library. */
void *plugin_library(const char *library, char *error, size_t capacity);
void *plugin_symbol(void *library, const char *symbol);
void plugin_release(void *library);

/* The function that library exports as symbol; NULL with the reason in error. */
const skidpad_tire *plugin_open(const char *library, const char *symbol, char *error, size_t capacity);

/* Mark the begin and end of a library's function on this thread. If the function crashes, its name is printed before
 * the report of the Go runtime. who is NULL for functions of the host, whose own handlers may continue after a
 * signal. */
void plugin_enter(const char *who);
void plugin_leave(void);

/* Instances are passed as numbers: a library may use any number as an instance, and the Go runtime follows pointers. */
int32_t plugin_init(const skidpad_tire *, const char *who, const char *tire, const char *file, double *states,
                    uintptr_t *instance, char *error, size_t capacity);
int32_t plugin_evaluate(const skidpad_tire *, const char *who, size_t n, const uintptr_t *instances,
                        const double *inputs, const double *states, double *outputs, double *rates);
int32_t plugin_jacobian(const skidpad_tire *, const char *who, uintptr_t instance, const double *inputs,
                        const double *states, double *derivatives);
const char *plugin_error(const skidpad_tire *, const char *who, uintptr_t instance);
void plugin_free(const skidpad_tire *, const char *who, uintptr_t instance);

#endif
