/* The operations of generated functions on two and four numbers side by side, and on lanes: as many numbers as one
 * instruction computes. With -DOP_LANES=1 the text needs nothing but C99, as it does for compilers that are not known
 * here. */
#ifndef OP_LANES
#if defined(__GNUC__) && defined(__AVX__)
#define OP_LANES 4
#elif defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__))
#define OP_LANES 2
#else
#define OP_LANES 1
#endif
#endif

#if OP_LANES > 1

typedef double op_v2 __attribute__((vector_size(16)));
typedef uint64_t op_u2 __attribute__((vector_size(16)));

/* An instruction of AVX, by the builtin of gcc or by its intrinsic. */
#if defined(__clang__)
#define OP_AVX(builtin, intrinsic) intrinsic
#else
#define OP_AVX(builtin, intrinsic) __builtin_ia32_##builtin
#endif

#define op_number2(x) ((op_v2)(x))
#define op_word2(x) ((op_u2)(x))
#define op_first2(x) ((x)[0])
#define op_second2(x) ((x)[1])
#define op_add2(a, b) ((a) + (b))
#define op_sub2(a, b) ((a) - (b))
#define op_mul2(a, b) ((a) * (b))
#define op_div2(a, b) ((a) / (b))
#define op_neg2(a) (-(a))
#define op_less2(a, b) ((op_u2)((a) < (b)))
#define op_not2(a) (~(a))
#define op_and2(a, b) ((a) & (b))
#define op_or2(a, b) ((a) | (b))
#define op_xor2(a, b) ((a) ^ (b))
#define op_shift2(a, by) ((a) << op_bits2(by))
#define op_shift_right2(a, by) ((a) >> op_bits2(by))

OP_INLINE op_v2 op_pair2(double a, double b)
{
    const op_v2 v = {a, b};
    return v;
}

OP_INLINE op_u2 op_words2(uint64_t a, uint64_t b)
{
    const op_u2 v = {a, b};
    return v;
}

OP_INLINE op_v2 op_load2(const double *at)
{
    op_v2 v;
    memcpy(&v, at, sizeof v);
    return v;
}

OP_INLINE void op_store2(double *at, op_v2 v) { memcpy(at, &v, sizeof v); }
OP_INLINE op_v2 op_splat2(double a) { return op_pair2(a, a); }
OP_INLINE op_u2 op_bits2(uint64_t a) { return op_words2(a, a); }
OP_INLINE op_u2 op_unordered2(op_v2 a, op_v2 b) { return (op_u2)(a != a) | (op_u2)(b != b); }
OP_INLINE op_v2 op_abs2(op_v2 x) { return (op_v2)((op_u2)x & ~op_bits2(OP_SIGN)); }

OP_INLINE op_v2 op_copysign2(op_v2 x, op_v2 y)
{
    const op_u2 sign = op_bits2(OP_SIGN);
    return (op_v2)(((op_u2)x & ~sign) | ((op_u2)y & sign));
}

/* x where all bits of a mask are set, y where none is. */
OP_INLINE op_v2 op_choose2(op_u2 mask, op_v2 x, op_v2 y)
{
#if defined(__AVX__)
    return OP_AVX(blendvpd, _mm_blendv_pd)(y, x, (op_v2)mask);
#else
    return (op_v2)(((op_u2)x & mask) | ((op_u2)y & ~mask));
#endif
}

/* The mask of words whose sign bits are set. */
OP_INLINE op_u2 op_signs2(op_u2 word) { return op_bits2(0) - (word >> op_bits2(63)); }

#if defined(__SSE2__)
OP_INLINE int op_any2(op_u2 a) { return _mm_movemask_pd((op_v2)a) != 0; }
OP_INLINE op_v2 op_larger2(op_v2 a, op_v2 b) { return _mm_max_pd(a, b); }
OP_INLINE op_v2 op_smaller2(op_v2 a, op_v2 b) { return _mm_min_pd(a, b); }
OP_INLINE op_v2 op_sqrt2(op_v2 x) { return _mm_sqrt_pd(x); }
#else
OP_INLINE int op_any2(op_u2 a) { return (int)((a[0] | a[1]) >> 63); }
OP_INLINE op_v2 op_larger2(op_v2 a, op_v2 b) { return op_choose2(op_less2(b, a), a, b); }
OP_INLINE op_v2 op_smaller2(op_v2 a, op_v2 b) { return op_choose2(op_less2(a, b), a, b); }
OP_INLINE op_v2 op_sqrt2(op_v2 x) { return op_pair2(op_sqrt(x[0]), op_sqrt(x[1])); }
#endif

#if defined(__AVX__)
OP_INLINE op_v2 op_select2(op_u2 word, op_v2 x, op_v2 y) { return op_choose2(word, x, y); }
OP_INLINE op_v2 op_addsub2(op_v2 a, op_v2 b) { return OP_AVX(addsubpd, _mm_addsub_pd)(a, b); }
#else
OP_INLINE op_v2 op_select2(op_u2 word, op_v2 x, op_v2 y) { return op_choose2(op_signs2(word), x, y); }
OP_INLINE op_v2 op_addsub2(op_v2 a, op_v2 b) { return a + (op_v2)((op_u2)b ^ op_words2(OP_SIGN, 0)); }
#endif

#if defined(__AVX__) && defined(__FMA__)
OP_INLINE op_v2 op_fma2(op_v2 a, op_v2 b, op_v2 c) { return OP_AVX(vfmaddpd, _mm_fmadd_pd)(a, b, c); }
#else
OP_INLINE op_v2 op_fma2(op_v2 a, op_v2 b, op_v2 c)
{
    return op_pair2(op_fma(a[0], b[0], c[0]), op_fma(a[1], b[1], c[1]));
}
#endif

#else

typedef struct {
    double a, b;
} op_v2;
typedef struct {
    uint64_t a, b;
} op_u2;

/* Functions that do the same with both numbers. */
#define OP_BOTH(type, name, from, operation)                                                                           \
    OP_INLINE type name(from x)                                                                                        \
    {                                                                                                                  \
        type r;                                                                                                        \
        r.a = operation(x.a);                                                                                          \
        r.b = operation(x.b);                                                                                          \
        return r;                                                                                                      \
    }
#define OP_BOTH_OF_TWO(type, name, from, operation)                                                                    \
    OP_INLINE type name(from x, from y)                                                                                \
    {                                                                                                                  \
        type r;                                                                                                        \
        r.a = operation(x.a, y.a);                                                                                     \
        r.b = operation(x.b, y.b);                                                                                     \
        return r;                                                                                                      \
    }
#define op_first2(x) ((x).a)
#define op_second2(x) ((x).b)
#define OP_ADD(a, b) ((a) + (b))
#define OP_SUB(a, b) ((a) - (b))
#define OP_MUL(a, b) ((a) * (b))
#define OP_DIV(a, b) ((a) / (b))
#define OP_NEG(a) (-(a))
#define OP_LESS(a, b) ((a) < (b) ? ~UINT64_C(0) : 0)
#define OP_UNORDERED(a, b) (op_unordered(a, b) ? ~UINT64_C(0) : 0)
#define OP_NOT(a) (~(a))
#define OP_AND(a, b) ((a) & (b))
#define OP_OR(a, b) ((a) | (b))
#define OP_XOR(a, b) ((a) ^ (b))

OP_BOTH(op_v2, op_number2, op_u2, op_number)
OP_BOTH(op_u2, op_word2, op_v2, op_word)
OP_BOTH(op_v2, op_neg2, op_v2, OP_NEG)
OP_BOTH(op_v2, op_abs2, op_v2, op_abs)
OP_BOTH(op_v2, op_sqrt2, op_v2, op_sqrt)
OP_BOTH(op_u2, op_not2, op_u2, OP_NOT)
OP_BOTH_OF_TWO(op_v2, op_add2, op_v2, OP_ADD)
OP_BOTH_OF_TWO(op_v2, op_sub2, op_v2, OP_SUB)
OP_BOTH_OF_TWO(op_v2, op_mul2, op_v2, OP_MUL)
OP_BOTH_OF_TWO(op_v2, op_div2, op_v2, OP_DIV)
OP_BOTH_OF_TWO(op_v2, op_larger2, op_v2, op_larger)
OP_BOTH_OF_TWO(op_v2, op_smaller2, op_v2, op_smaller)
OP_BOTH_OF_TWO(op_v2, op_copysign2, op_v2, op_copysign)
OP_BOTH_OF_TWO(op_u2, op_less2, op_v2, OP_LESS)
OP_BOTH_OF_TWO(op_u2, op_unordered2, op_v2, OP_UNORDERED)
OP_BOTH_OF_TWO(op_u2, op_and2, op_u2, OP_AND)
OP_BOTH_OF_TWO(op_u2, op_or2, op_u2, OP_OR)
OP_BOTH_OF_TWO(op_u2, op_xor2, op_u2, OP_XOR)

OP_INLINE op_v2 op_pair2(double a, double b)
{
    op_v2 v;
    v.a = a;
    v.b = b;
    return v;
}

OP_INLINE op_u2 op_words2(uint64_t a, uint64_t b)
{
    op_u2 v;
    v.a = a;
    v.b = b;
    return v;
}

OP_INLINE void op_store2(double *at, op_v2 v)
{
    at[0] = v.a;
    at[1] = v.b;
}

OP_INLINE op_v2 op_load2(const double *at) { return op_pair2(at[0], at[1]); }
OP_INLINE op_v2 op_splat2(double a) { return op_pair2(a, a); }
OP_INLINE op_u2 op_bits2(uint64_t a) { return op_words2(a, a); }
OP_INLINE op_u2 op_shift2(op_u2 a, uint64_t by) { return op_words2(a.a << by, a.b << by); }
OP_INLINE op_u2 op_shift_right2(op_u2 a, uint64_t by) { return op_words2(a.a >> by, a.b >> by); }
OP_INLINE int op_any2(op_u2 a) { return (int)((a.a | a.b) >> 63); }
OP_INLINE op_v2 op_addsub2(op_v2 x, op_v2 y) { return op_pair2(x.a - y.a, x.b + y.b); }

OP_INLINE op_v2 op_select2(op_u2 word, op_v2 x, op_v2 y)
{
    return op_pair2(word.a >> 63 != 0 ? x.a : y.a, word.b >> 63 != 0 ? x.b : y.b);
}

OP_INLINE op_v2 op_fma2(op_v2 x, op_v2 y, op_v2 z) { return op_pair2(op_fma(x.a, y.a, z.a), op_fma(x.b, y.b, z.b)); }

#endif

#if OP_LANES == 4

typedef double op_v4 __attribute__((vector_size(32)));
typedef uint64_t op_u4 __attribute__((vector_size(32)));

#define op_number4(x) ((op_v4)(x))
#define op_word4(x) ((op_u4)(x))
#define op_first4(x) ((x)[0])
#define op_second4(x) ((x)[1])
#define op_add4(a, b) ((a) + (b))
#define op_sub4(a, b) ((a) - (b))
#define op_mul4(a, b) ((a) * (b))
#define op_div4(a, b) ((a) / (b))
#define op_neg4(a) (-(a))
#define op_less4(a, b) ((op_u4)((a) < (b)))
#define op_not4(a) (~(a))
#define op_and4(a, b) ((a) & (b))
#define op_or4(a, b) ((a) | (b))
#define op_xor4(a, b) ((a) ^ (b))
#define op_shift4(a, by) ((a) << op_bits4(by))
#define op_shift_right4(a, by) ((a) >> op_bits4(by))

OP_INLINE op_v4 op_four(double a, double b, double c, double d)
{
    const op_v4 v = {a, b, c, d};
    return v;
}

OP_INLINE op_u4 op_words4(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const op_u4 v = {a, b, c, d};
    return v;
}

OP_INLINE op_v4 op_load4(const double *at)
{
    op_v4 v;
    memcpy(&v, at, sizeof v);
    return v;
}

OP_INLINE void op_store4(double *at, op_v4 v) { memcpy(at, &v, sizeof v); }
OP_INLINE op_v4 op_splat4(double a) { return op_four(a, a, a, a); }
OP_INLINE op_u4 op_bits4(uint64_t a) { return op_words4(a, a, a, a); }
OP_INLINE op_v2 op_low2(op_v4 v) { return OP_AVX(pd_pd256, _mm256_castpd256_pd128)(v); }
OP_INLINE op_v2 op_high2(op_v4 v) { return OP_AVX(vextractf128_pd256, _mm256_extractf128_pd)(v, 1); }
OP_INLINE op_v4 op_pair4(op_v2 a, op_v2 b)
{
    const op_v4 v = OP_AVX(pd256_pd, _mm256_castpd128_pd256)(a);
    return OP_AVX(vinsertf128_pd256, _mm256_insertf128_pd)(v, b, 1);
}

OP_INLINE op_u4 op_unordered4(op_v4 a, op_v4 b) { return (op_u4)(a != a) | (op_u4)(b != b); }
OP_INLINE op_v4 op_abs4(op_v4 x) { return (op_v4)((op_u4)x & ~op_bits4(OP_SIGN)); }

OP_INLINE op_v4 op_select4(op_u4 word, op_v4 x, op_v4 y)
{
    return OP_AVX(blendvpd256, _mm256_blendv_pd)(y, x, (op_v4)word);
}

OP_INLINE int op_any4(op_u4 a) { return OP_AVX(movmskpd256, _mm256_movemask_pd)((op_v4)a) != 0; }
OP_INLINE op_v4 op_larger4(op_v4 a, op_v4 b) { return OP_AVX(maxpd256, _mm256_max_pd)(a, b); }
OP_INLINE op_v4 op_smaller4(op_v4 a, op_v4 b) { return OP_AVX(minpd256, _mm256_min_pd)(a, b); }
OP_INLINE op_v4 op_sqrt4(op_v4 x) { return OP_AVX(sqrtpd256, _mm256_sqrt_pd)(x); }
OP_INLINE op_v4 op_addsub4(op_v4 a, op_v4 b) { return OP_AVX(addsubpd256, _mm256_addsub_pd)(a, b); }

OP_INLINE op_v4 op_copysign4(op_v4 x, op_v4 y)
{
    const op_u4 sign = op_bits4(OP_SIGN);
    return (op_v4)(((op_u4)x & ~sign) | ((op_u4)y & sign));
}

OP_INLINE op_v4 op_fma4(op_v4 a, op_v4 b, op_v4 c)
{
#if defined(__FMA__)
    return OP_AVX(vfmaddpd256, _mm256_fmadd_pd)(a, b, c);
#else
    return op_pair4(op_fma2(op_low2(a), op_low2(b), op_low2(c)), op_fma2(op_high2(a), op_high2(b), op_high2(c)));
#endif
}

#else

typedef struct {
    op_v2 low, high;
} op_v4;
typedef struct {
    op_u2 low, high;
} op_u4;

/* Functions that do the same with both halves. */
#define OP_HALVES(type, name, from)                                                                                    \
    OP_INLINE type name##4(from x)                                                                                     \
    {                                                                                                                  \
        type r;                                                                                                        \
        r.low = name##2(x.low);                                                                                        \
        r.high = name##2(x.high);                                                                                      \
        return r;                                                                                                      \
    }
#define OP_HALVES_OF_TWO(type, name, from)                                                                             \
    OP_INLINE type name##4(from x, from y)                                                                             \
    {                                                                                                                  \
        type r;                                                                                                        \
        r.low = name##2(x.low, y.low);                                                                                 \
        r.high = name##2(x.high, y.high);                                                                              \
        return r;                                                                                                      \
    }
#define op_first4(x) op_first2((x).low)
#define op_second4(x) op_second2((x).low)
#define op_low2(x) ((x).low)
#define op_high2(x) ((x).high)

OP_HALVES(op_v4, op_number, op_u4)
OP_HALVES(op_u4, op_word, op_v4)
OP_HALVES(op_v4, op_neg, op_v4)
OP_HALVES(op_v4, op_abs, op_v4)
OP_HALVES(op_v4, op_sqrt, op_v4)
OP_HALVES(op_u4, op_not, op_u4)
OP_HALVES_OF_TWO(op_v4, op_add, op_v4)
OP_HALVES_OF_TWO(op_v4, op_sub, op_v4)
OP_HALVES_OF_TWO(op_v4, op_mul, op_v4)
OP_HALVES_OF_TWO(op_v4, op_div, op_v4)
OP_HALVES_OF_TWO(op_v4, op_larger, op_v4)
OP_HALVES_OF_TWO(op_v4, op_smaller, op_v4)
OP_HALVES_OF_TWO(op_v4, op_copysign, op_v4)
OP_HALVES_OF_TWO(op_v4, op_addsub, op_v4)
OP_HALVES_OF_TWO(op_u4, op_less, op_v4)
OP_HALVES_OF_TWO(op_u4, op_unordered, op_v4)
OP_HALVES_OF_TWO(op_u4, op_and, op_u4)
OP_HALVES_OF_TWO(op_u4, op_or, op_u4)
OP_HALVES_OF_TWO(op_u4, op_xor, op_u4)

OP_INLINE op_v4 op_pair4(op_v2 a, op_v2 b)
{
    op_v4 v;
    v.low = a;
    v.high = b;
    return v;
}

OP_INLINE op_u4 op_words4(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    op_u4 v;
    v.low = op_words2(a, b);
    v.high = op_words2(c, d);
    return v;
}

OP_INLINE void op_store4(double *at, op_v4 v)
{
    op_store2(at, v.low);
    op_store2(at + 2, v.high);
}

OP_INLINE op_v4 op_load4(const double *at) { return op_pair4(op_load2(at), op_load2(at + 2)); }
OP_INLINE op_v4 op_four(double a, double b, double c, double d) { return op_pair4(op_pair2(a, b), op_pair2(c, d)); }
OP_INLINE op_v4 op_splat4(double a) { return op_pair4(op_splat2(a), op_splat2(a)); }
OP_INLINE op_u4 op_bits4(uint64_t a) { return op_words4(a, a, a, a); }
OP_INLINE int op_any4(op_u4 a) { return op_any2(op_or2(a.low, a.high)); }

OP_INLINE op_u4 op_shift4(op_u4 a, uint64_t by)
{
    op_u4 v;
    v.low = op_shift2(a.low, by);
    v.high = op_shift2(a.high, by);
    return v;
}

OP_INLINE op_u4 op_shift_right4(op_u4 a, uint64_t by)
{
    op_u4 v;
    v.low = op_shift_right2(a.low, by);
    v.high = op_shift_right2(a.high, by);
    return v;
}

OP_INLINE op_v4 op_select4(op_u4 word, op_v4 x, op_v4 y)
{
    return op_pair4(op_select2(word.low, x.low, y.low), op_select2(word.high, x.high, y.high));
}

OP_INLINE op_v4 op_fma4(op_v4 a, op_v4 b, op_v4 c)
{
    return op_pair4(op_fma2(a.low, b.low, c.low), op_fma2(a.high, b.high, c.high));
}

#endif

/* Numbers of tables. */
OP_INLINE op_v2 op_look2(const double *a, const double *b, op_v2 at)
{
    return op_pair2(a[(int)op_first2(at)], b[(int)op_second2(at)]);
}

OP_INLINE op_v4 op_look4(const double *a, const double *b, const double *c, const double *d, op_v4 at)
{
    return op_pair4(op_look2(a, b, op_low2(at)), op_look2(c, d, op_high2(at)));
}

/* The same on lanes. A mask has a word of its own, all of whose bits are set or none, where lanes are vectors. Signs of
 * lanes, sums, products and operations on bits are those of C. */
#if OP_LANES == 1

typedef double op_vl;
typedef uint64_t op_ul;
typedef int op_ml;
#define op_loadl(at) (*(at))
#define op_storel(at, x) (*(at) = (x))
#define op_splatl(x) (x)
#define op_bitsl(x) (x)
#define op_maskl(x) (x)
#define op_wordl(x) op_word(x)
#define op_numberl(x) op_number(x)
#define op_spreadl(mask) (0 - (uint64_t)(mask))
#define op_signl(word) ((word) >> 63 != 0)
#define op_anyl(mask) (mask)
#define op_lessl(a, b) ((a) < (b))
#define op_notl(mask) (!(mask))
#define op_unorderedl(a, b) op_unordered(a, b)
#define op_selectl(mask, x, y) ((mask) ? (x) : (y))
#define op_keepl(mask, x) ((mask) ? (x) : 0.0)
#define op_shiftl(a, by) ((a) << (by))
#define op_shift_rightl(a, by) ((a) >> (by))
#define op_lookl(a, at) ((a)[(int)(at)])
#define op_absl(x) op_abs(x)
#define op_copysignl(x, y) op_copysign(x, y)
#define op_largerl(a, b) op_larger(a, b)
#define op_smallerl(a, b) op_smaller(a, b)
#define op_sqrtl(x) op_sqrt(x)
#define op_fmal(a, b, c) op_fma(a, b, c)

#else

#if OP_LANES == 2
typedef op_v2 op_vl;
typedef op_u2 op_ul;
typedef op_u2 op_ml;
#define OP_OF_LANES(name) name##2
#define op_lookl(a, at) op_look2(a, a, at)
#define op_selectl(mask, x, y) op_choose2(mask, x, y)
#define op_signl(word) op_signs2(word)
#else
typedef op_v4 op_vl;
typedef op_u4 op_ul;
typedef op_u4 op_ml;
#define OP_OF_LANES(name) name##4
#define op_lookl(a, at) op_look4(a, a, a, a, at)
#define op_selectl(mask, x, y) op_select4(mask, x, y)
#define op_signl(word) (word)
#endif

#define op_loadl(at) OP_OF_LANES(op_load)(at)
#define op_storel(at, x) OP_OF_LANES(op_store)(at, x)
#define op_splatl(x) OP_OF_LANES(op_splat)(x)
#define op_bitsl(x) OP_OF_LANES(op_bits)(x)
#define op_maskl(x) op_bitsl(0 - (uint64_t)(x))
#define op_wordl(x) OP_OF_LANES(op_word)(x)
#define op_numberl(x) OP_OF_LANES(op_number)(x)
#define op_spreadl(mask) (mask)
#define op_anyl(mask) OP_OF_LANES(op_any)(mask)
#define op_lessl(a, b) OP_OF_LANES(op_less)(a, b)
#define op_notl(mask) (~(mask))
#define op_unorderedl(a, b) OP_OF_LANES(op_unordered)(a, b)
#define op_keepl(mask, x) op_numberl((mask) & op_wordl(x))
#define op_shiftl(a, by) OP_OF_LANES(op_shift)(a, by)
#define op_shift_rightl(a, by) OP_OF_LANES(op_shift_right)(a, by)
#define op_absl(x) OP_OF_LANES(op_abs)(x)
#define op_copysignl(x, y) OP_OF_LANES(op_copysign)(x, y)
#define op_largerl(a, b) OP_OF_LANES(op_larger)(a, b)
#define op_smallerl(a, b) OP_OF_LANES(op_smaller)(a, b)
#define op_sqrtl(x) OP_OF_LANES(op_sqrt)(x)
#define op_fmal(a, b, c) OP_OF_LANES(op_fma)(a, b, c)

#endif
