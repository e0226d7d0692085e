/* math.h of a module without a C library. */
#ifndef WASM_MATH_H
#define WASM_MATH_H

#define HUGE_VAL __builtin_huge_val()
#define NAN __builtin_nan("")
#define isfinite(x) __builtin_isfinite(x)
#define isnan(x) __builtin_isnan(x)
static inline double fabs(double x) { return __builtin_fabs(x); }
static inline double sqrt(double x) { return __builtin_sqrt(x); }

#endif
