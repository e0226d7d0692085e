/* string.h of a module without a C library. */
#ifndef WASM_STRING_H
#define WASM_STRING_H

#include <stddef.h>
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);

#endif
