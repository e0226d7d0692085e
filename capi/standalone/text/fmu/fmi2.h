/* fmi2.h - FMI 2.0 by the headers of the standard, which belong to the importer. */
#ifndef SKIDPAD_FMI2_H
#define SKIDPAD_FMI2_H

/* Names begin with this, so that FMUs can be linked into one program. An importer that wants other names defines one of
 * the two macros. */
#if !defined(FMI2_FUNCTION_PREFIX) && !defined(FMI2_OVERRIDE_FUNCTION_PREFIX)
#define FMI2_FUNCTION_PREFIX vehicle_
#define VEHICLE_HAS_OWN_NAMES
#endif
#include "fmi2Functions.h"

#define FMI2_EXPORT FMI2_Export

#endif
