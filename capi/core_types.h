/* core_types.h - core.h with names for its pointers to constants, which the functions
 * that Go exports need. */
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

/* What an importer is told when the text that it should be told finds no memory. */
extern const skidpad_message core_no_memory[1];

/* Not 0 in the process that loaded the library, 0 in children of it: every function that enters Go looks first. */
extern volatile int32_t *core_usable;
extern const char core_fork_text[];
void core_restore_limit(void);

#endif
