// Package elementary has sine, cosine, tangent, arc sine, arc tangent, exponential, logarithm and hyperbolic tangent as
// sequences of single operations that round once; no operations are fused. Package machinecode makes the same
// sequences, with the coefficients of this package, so machine code and Go are bit-identical on every processor.
//
// Coefficients are from FreeBSD's msun: sine and cosine (k_sin.c, k_cos.c, e_rem_pio2.c), arc tangent, arc sine,
// exponential and logarithm (s_atan.c, e_asin.c, e_exp.c, e_log.c). Products carry a conversion, which keeps compilers
// from fusing them into sums.
package elementary
