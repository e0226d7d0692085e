/* The operations of generated functions on two and four numbers side by side. */
#ifndef OP_VECTORS
#if defined(__aarch64__) && defined(__GNUC__)
#define OP_VECTORS 1
#elif defined(__x86_64__) && (defined(__clang__) || (defined(__GNUC__) && defined(__AVX__)))
#define OP_VECTORS 1
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* no function with vectors is called: all are inline */
#endif
#else
#define OP_VECTORS 0
#endif

#if OP_VECTORS

typedef double op_v2 __attribute__((vector_size(16)));
typedef double op_v4 __attribute__((vector_size(32)));
typedef uint64_t op_u2 __attribute__((vector_size(16)));
typedef uint64_t op_u4 __attribute__((vector_size(32)));

OP_INLINE op_v2 op_load2(const double *at)
{
    op_v2 v;
    memcpy(&v, at, sizeof v);
    return v;
}

OP_INLINE op_v4 op_load4(const double *at)
{
    op_v4 v;
    memcpy(&v, at, sizeof v);
    return v;
}

OP_INLINE void op_store2(double *at, op_v2 v) { memcpy(at, &v, sizeof v); }
OP_INLINE void op_store4(double *at, op_v4 v) { memcpy(at, &v, sizeof v); }

OP_INLINE op_v2 op_pair2(double a, double b)
{
    const op_v2 v = {a, b};
    return v;
}

OP_INLINE op_v4 op_four(double a, double b, double c, double d)
{
    const op_v4 v = {a, b, c, d};
    return v;
}

OP_INLINE op_u2 op_words2(uint64_t a, uint64_t b)
{
    const op_u2 v = {a, b};
    return v;
}

OP_INLINE op_u4 op_words4(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const op_u4 v = {a, b, c, d};
    return v;
}

OP_INLINE op_v2 op_splat2(double a) { return op_pair2(a, a); }
OP_INLINE op_v4 op_splat4(double a) { return op_four(a, a, a, a); }

OP_INLINE op_u2 op_bits2(uint64_t a) { return op_words2(a, a); }
OP_INLINE op_u4 op_bits4(uint64_t a) { return op_words4(a, a, a, a); }
OP_INLINE op_u2 op_unordered2(op_v2 a, op_v2 b) { return (op_u2)(a != a) | (op_u2)(b != b); }
OP_INLINE op_u4 op_unordered4(op_v4 a, op_v4 b) { return (op_u4)(a != a) | (op_u4)(b != b); }

/* Sign bits: whether any is set. */
OP_INLINE int op_any2(op_u2 a) { return (int)((a[0] | a[1]) >> 63); }

OP_INLINE op_v2 op_abs2(op_v2 x) { return (op_v2)((op_u2)x & ~op_bits2(OP_SIGN)); }
OP_INLINE op_v4 op_abs4(op_v4 x) { return (op_v4)((op_u4)x & ~op_bits4(OP_SIGN)); }

OP_INLINE op_v2 op_copysign2(op_v2 x, op_v2 y)
{
    const op_u2 sign = op_bits2(OP_SIGN);
    return (op_v2)(((op_u2)x & ~sign) | ((op_u2)y & sign));
}

OP_INLINE op_v4 op_copysign4(op_v4 x, op_v4 y)
{
    const op_u4 sign = op_bits4(OP_SIGN);
    return (op_v4)(((op_u4)x & ~sign) | ((op_u4)y & sign));
}

#if defined(__AVX__)

OP_INLINE op_v2 op_low2(op_v4 v) { return _mm256_castpd256_pd128(v); }
OP_INLINE op_v2 op_high2(op_v4 v) { return _mm256_extractf128_pd(v, 1); }
OP_INLINE op_v4 op_pair4(op_v2 a, op_v2 b) { return _mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1); }
OP_INLINE int op_any4(op_u4 a) { return _mm256_movemask_pd((op_v4)a) != 0; }
OP_INLINE op_v2 op_select2(op_u2 mask, op_v2 x, op_v2 y) { return _mm_blendv_pd(y, x, (op_v2)mask); }
OP_INLINE op_v4 op_select4(op_u4 mask, op_v4 x, op_v4 y) { return _mm256_blendv_pd(y, x, (op_v4)mask); }
OP_INLINE op_v2 op_larger2(op_v2 a, op_v2 b) { return _mm_max_pd(a, b); }
OP_INLINE op_v4 op_larger4(op_v4 a, op_v4 b) { return _mm256_max_pd(a, b); }
OP_INLINE op_v2 op_smaller2(op_v2 a, op_v2 b) { return _mm_min_pd(a, b); }
OP_INLINE op_v4 op_smaller4(op_v4 a, op_v4 b) { return _mm256_min_pd(a, b); }
OP_INLINE op_v2 op_sqrt2(op_v2 x) { return _mm_sqrt_pd(x); }
OP_INLINE op_v4 op_sqrt4(op_v4 x) { return _mm256_sqrt_pd(x); }
OP_INLINE op_v2 op_addsub2(op_v2 a, op_v2 b) { return _mm_addsub_pd(a, b); }
OP_INLINE op_v4 op_addsub4(op_v4 a, op_v4 b) { return _mm256_addsub_pd(a, b); }

#else

OP_INLINE op_v2 op_low2(op_v4 v) { return op_pair2(v[0], v[1]); }
OP_INLINE op_v2 op_high2(op_v4 v) { return op_pair2(v[2], v[3]); }
OP_INLINE op_v4 op_pair4(op_v2 a, op_v2 b) { return op_four(a[0], a[1], b[0], b[1]); }
OP_INLINE int op_any4(op_u4 a) { return (int)((a[0] | a[1] | a[2] | a[3]) >> 63); }

/* The sign bit of a mask decides. */
OP_INLINE op_v2 op_select2(op_u2 mask, op_v2 x, op_v2 y)
{
    const op_u2 all = op_bits2(0) - (mask >> op_bits2(63));
    return (op_v2)(((op_u2)x & all) | ((op_u2)y & ~all));
}

OP_INLINE op_v4 op_select4(op_u4 mask, op_v4 x, op_v4 y)
{
    const op_u4 all = op_bits4(0) - (mask >> op_bits4(63));
    return (op_v4)(((op_u4)x & all) | ((op_u4)y & ~all));
}

OP_INLINE op_v2 op_larger2(op_v2 a, op_v2 b) { return op_select2((op_u2)(a > b), a, b); }
OP_INLINE op_v4 op_larger4(op_v4 a, op_v4 b) { return op_select4((op_u4)(a > b), a, b); }
OP_INLINE op_v2 op_smaller2(op_v2 a, op_v2 b) { return op_select2((op_u2)(a < b), a, b); }
OP_INLINE op_v4 op_smaller4(op_v4 a, op_v4 b) { return op_select4((op_u4)(a < b), a, b); }
OP_INLINE op_v2 op_sqrt2(op_v2 x) { return op_pair2(op_sqrt(x[0]), op_sqrt(x[1])); }
OP_INLINE op_v4 op_sqrt4(op_v4 x) { return op_four(op_sqrt(x[0]), op_sqrt(x[1]), op_sqrt(x[2]), op_sqrt(x[3])); }
OP_INLINE op_v2 op_addsub2(op_v2 a, op_v2 b) { return a + (op_v2)((op_u2)b ^ op_words2(OP_SIGN, 0)); }
OP_INLINE op_v4 op_addsub4(op_v4 a, op_v4 b) { return a + (op_v4)((op_u4)b ^ op_words4(OP_SIGN, 0, OP_SIGN, 0)); }

#endif

#if defined(__AVX__) && defined(__FMA__)
OP_INLINE op_v2 op_fma2(op_v2 a, op_v2 b, op_v2 c) { return _mm_fmadd_pd(a, b, c); }
OP_INLINE op_v4 op_fma4(op_v4 a, op_v4 b, op_v4 c) { return _mm256_fmadd_pd(a, b, c); }
#else
OP_INLINE op_v2 op_fma2(op_v2 a, op_v2 b, op_v2 c)
{
    return op_pair2(op_fma(a[0], b[0], c[0]), op_fma(a[1], b[1], c[1]));
}
OP_INLINE op_v4 op_fma4(op_v4 a, op_v4 b, op_v4 c)
{
    return op_pair4(op_fma2(op_low2(a), op_low2(b), op_low2(c)), op_fma2(op_high2(a), op_high2(b), op_high2(c)));
}
#endif

#endif
#endif
