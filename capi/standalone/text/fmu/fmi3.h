/* fmi3.h - FMI 3.0 by the headers of the standard, which belong to the importer. */
#ifndef SKIDPAD_FMI3_H
#define SKIDPAD_FMI3_H

/* Names begin with this, so that FMUs can be linked into one program. An importer that wants other names defines one of
 * the two macros. */
#if !defined(FMI3_FUNCTION_PREFIX) && !defined(FMI3_OVERRIDE_FUNCTION_PREFIX)
#define FMI3_FUNCTION_PREFIX vehicle_
#define VEHICLE_HAS_OWN_NAMES
#endif
#include "fmi3Functions.h"

#define FMI3_EXPORT FMI3_Export

#endif
