/* The operations of generated functions, each of which rounds once.
 *
 * Nothing may be fused, reordered or computed with more digits: results are bit-identical with every compiler and on
 * every processor. Where options of the compiler cannot be undone here, the file does not compile. */
#ifndef OP_OPERATIONS
#define OP_OPERATIONS

#include <float.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "generated code needs IEEE 754 arithmetic: compile without -ffast-math and /fp:fast"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "generated code needs infinities and NaN: compile without -ffinite-math-only"
#endif
/* 16: GCC on processors with half precision, where only half precision is evaluated as such */
#if !defined(FLT_EVAL_METHOD) || (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16)
#error "generated code needs sums and products of double precision: on x86 compile with -msse2 -mfpmath=sse"
#endif
#if FLT_RADIX != 2 || DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024
#error "generated code needs a double of 64 bits as in IEEE 754"
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#define OP_INLINE static __forceinline
#define OP_APART static __declspec(noinline)
#else
#if defined(__GNUC__) && !defined(__clang__)
/* Whatever fp-contract says, gcc 12 fuses products of which it adds one and subtracts one side by side. */
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#elif !defined(__cplusplus) || defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
#if defined(__clang__)
#define OP_INLINE static inline __attribute__((always_inline, unused))
#define OP_APART static __attribute__((noinline, unused))
#elif defined(__GNUC__)
#define OP_INLINE static inline __attribute__((always_inline, unused))
#define OP_APART static __attribute__((noinline, noclone, unused))
#else
#define OP_INLINE static inline
#define OP_APART static
#endif
#endif

#if defined(__AVX__) && defined(__clang__)
#include <immintrin.h>
#elif defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h> /* gcc would need 60 MB more for immintrin.h: it gets builtins in place of AVX intrinsics */
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
#if !defined(__wasm__)
#include <math.h>
#endif

OP_INLINE uint64_t op_word(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

OP_INLINE double op_number(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#if defined(__GNUC__)
#define OP_INFINITY __builtin_inf()
#define OP_NAN __builtin_nan("")
#else
#define OP_INFINITY HUGE_VAL
#define OP_NAN NAN
#endif
#define OP_SIGN UINT64_C(0x8000000000000000)

OP_INLINE double op_abs(double x)
{
#if defined(__GNUC__)
    return __builtin_fabs(x);
#else
    return op_number(op_word(x) & ~OP_SIGN);
#endif
}

/* The magnitude of x with the sign of y. */
OP_INLINE double op_copysign(double x, double y)
{
#if defined(__GNUC__)
    return __builtin_copysign(x, y);
#else
    return op_number((op_word(x) & ~OP_SIGN) | (op_word(y) & OP_SIGN));
#endif
}

/* b where they are equal, or one is not a number. */
OP_INLINE double op_larger(double a, double b) { return a > b ? a : b; }
OP_INLINE double op_smaller(double a, double b) { return a < b ? a : b; }

OP_INLINE int op_unordered(double a, double b) { return a != a || b != b; }

/* sqrt of the C library sets errno, which keeps compilers from using the instruction alone. */
OP_INLINE double op_sqrt(double x)
{
#if defined(__SSE2__) || defined(_M_X64)
    const __m128d v = _mm_set_sd(x);
    return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
#elif defined(__aarch64__)
    return vget_lane_f64(vsqrt_f64(vdup_n_f64(x)), 0);
#elif defined(__wasm__)
    return __builtin_sqrt(x);
#else
    return sqrt(x);
#endif
}

/* Copies a table. Where gcc 12 sees which numbers memcpy copies, it can write the first four twice: with AVX-512, where
 * they are equal and four zeros follow. */
OP_APART void op_copy(double *to, const double *from, int n) { memcpy(to, from, sizeof(double) * (size_t)n); }

#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)

/* a b + c, rounded once, for processors without an instruction for it. Numbers are m 2^e with whole numbers m of 128
 * bits. The lowest bit is set where a shift to the right has lost bits (odd rounding, Boldo and Melquiond 2008). */
typedef struct {
    uint64_t high, low;
} op_wide;

OP_INLINE op_wide op_wide_product(uint64_t a, uint64_t b)
{
    const uint64_t half = UINT64_C(0xffffffff);
    const uint64_t low = (a & half) * (b & half), left = (a >> 32) * (b & half), right = (a & half) * (b >> 32);
    const uint64_t middle = (low >> 32) + (left & half) + (right & half);
    op_wide p;
    p.low = (middle << 32) | (low & half);
    p.high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32);
    return p;
}

OP_INLINE op_wide op_wide_left(op_wide x, int by)
{
    op_wide y = x;
    if (by >= 64) {
        y.high = x.low << (by - 64);
        y.low = 0;
    } else if (by > 0) {
        y.high = (x.high << by) | (x.low >> (64 - by));
        y.low = x.low << by;
    }
    return y;
}

OP_INLINE op_wide op_wide_right(op_wide x, int by)
{
    op_wide y = x;
    uint64_t lost = 0;
    if (by >= 128) {
        lost = x.high | x.low;
        y.high = y.low = 0;
    } else if (by >= 64) {
        lost = x.low | (by > 64 ? x.high << (128 - by) : 0);
        y.high = 0;
        y.low = by > 64 ? x.high >> (by - 64) : x.high;
    } else if (by > 0) {
        lost = x.low << (64 - by);
        y.low = (x.low >> by) | (x.high << (64 - by));
        y.high = x.high >> by;
    }
    y.low |= lost != 0;
    return y;
}

/* By how many places x can be shifted to the left, which is not 0. */
OP_INLINE int op_wide_room(op_wide x)
{
    uint64_t word = x.high != 0 ? x.high : x.low;
    int room = x.high != 0 ? 0 : 64, step = 32;
    for (; step > 0; step /= 2)
        if (word >> (64 - step) == 0) {
            word <<= step;
            room += step;
        }
    return room;
}

/* The whole number m and the exponent e of a number that is not 0: 2^52 <= m < 2^53. */
OP_INLINE uint64_t op_split(uint64_t bits, int *e)
{
    const uint64_t fraction = bits & UINT64_C(0xfffffffffffff);
    op_wide m;
    int room;
    *e = (int)(bits >> 52 & 0x7ff);
    if (*e != 0)
        return fraction | UINT64_C(0x10000000000000);
    m.high = fraction;
    m.low = 0;
    room = op_wide_room(m) - 11;
    *e = 1 - room;
    return fraction << room;
}

/* m 2^(e - 1150) with a sign, rounded to nearest, ties to even. The highest bit of m, that of 2^127, is set. */
OP_INLINE double op_round(op_wide m, int e, uint64_t sign)
{
    uint64_t whole, rest;
    if (e >= 0x7ff)
        return op_number(sign | UINT64_C(0x7ff0000000000000));
    if (e < 1) {
        m = op_wide_right(m, 1 - e);
        e = 0;
    }
    whole = m.high >> 11;
    rest = (m.high << 53) | (m.low >> 11) | ((m.low & 0x7ff) != 0);
    if (e > 0)
        whole += ((uint64_t)e - 1) << 52; /* the highest bit of whole adds 1 to the exponent */
    whole += rest > OP_SIGN || (rest == OP_SIGN && (whole & 1) != 0);
    return op_number(sign | whole);
}

OP_APART double op_fma(double a, double b, double c)
{
    const uint64_t wa = op_word(a), wb = op_word(b), wc = op_word(c), infinite = UINT64_C(0x7ff0000000000000);
    const uint64_t sign = (wa ^ wb) & OP_SIGN;
    int ea, eb, ec, e;
    op_wide p, q, s;
    uint64_t of = sign;
    if ((wa & infinite) == infinite || (wb & infinite) == infinite)
        return a * b + c;
    if ((wc & infinite) == infinite)
        return c;
    if (a == 0 || b == 0)
        return a * b + c;
    p = op_wide_product(op_split(wa, &ea), op_split(wb, &eb)); /* 2^104 <= p < 2^106 */
    p = op_wide_left(p, 21); /* 2^125 <= p < 2^127: there is room for a sum */
    e = ea + eb - 1021;
    if (c == 0) {
        s = p;
    } else {
        q.high = op_split(wc, &ec) << 10; /* 2^126 <= q < 2^127 */
        q.low = 0;
        ec++;
        if (e >= ec) {
            q = op_wide_right(q, e - ec);
        } else {
            p = op_wide_right(p, ec - e);
            e = ec;
        }
        if (sign == (wc & OP_SIGN)) {
            s.low = p.low + q.low;
            s.high = p.high + q.high + (s.low < p.low);
        } else if (p.high > q.high || (p.high == q.high && p.low >= q.low)) {
            s.low = p.low - q.low;
            s.high = p.high - q.high - (p.low < q.low);
        } else {
            s.low = q.low - p.low;
            s.high = q.high - p.high - (q.low < p.low);
            of ^= OP_SIGN;
        }
        if (s.high == 0 && s.low == 0)
            return 0; /* rounding to nearest: the sum of opposite numbers is +0 */
    }
    e -= op_wide_room(s);
    return op_round(op_wide_left(s, op_wide_room(s)), e, of);
}

#else

OP_INLINE double op_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

#endif

#endif
