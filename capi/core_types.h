/* core_types.h - core.h with names for its pointers to constants, which exported Go
 * functions require. */
#ifndef SKIDPAD_CORE_TYPES_H
#define SKIDPAD_CORE_TYPES_H

#include "shim/core.h"

typedef const char *text_in;
typedef const char *const *texts_in;
typedef const char **texts_out;
typedef const uint32_t *references_in;
typedef const double *numbers_in;
typedef const int32_t *orders_in;
typedef const uint8_t *bytes_in;
typedef const skidpad_settings *settings_in;

/* The message to the importer if there is no memory for the real message. */
extern const skidpad_message core_no_memory[1];

/* Not 0 in the process that loaded the library, 0 in its children. Every function that enters Go checks this flag
 * first. */
extern volatile int32_t *core_usable;
extern const char core_fork_text[];
void core_restore_limit(void);

#endif
