/* Texts of messages, with numbers as the library writes them. */
#include "component.h"

#include <string.h>

void vehicle_begin_text(vehicle_text *t) { t->text[t->n = 0] = 0; }

void vehicle_put(vehicle_text *t, const char *from)
{
    while (*from != 0 && t->n + 1 < sizeof t->text)
        t->text[t->n++] = *from++;
    t->text[t->n] = 0;
}

void vehicle_put_count(vehicle_text *t, unsigned long long n)
{
    char digits[24], *at = digits + sizeof digits;
    *--at = 0;
    do
        *--at = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    vehicle_put(t, at);
}

void vehicle_put_integer(vehicle_text *t, int n)
{
    if (n < 0)
        vehicle_put(t, "-");
    vehicle_put_count(t, n < 0 ? 0 - (unsigned long long)n : (unsigned long long)n);
}

int vehicle_is_text(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int vehicle_finite(double x) { return x - x == 0; }

/* Whole numbers in parts of 32 bits, the lowest first; the largest double has 1024 bits, the smallest needs 1074 behind
 * the point. */
enum { PARTS = 37 };
typedef struct {
    uint32_t part[PARTS];
} natural;

static void times(natural *a, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < PARTS; i++) {
        carry += (uint64_t)a->part[i] * factor;
        a->part[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void shift(natural *a, int bits)
{
    for (; bits >= 31; bits -= 31)
        times(a, (uint32_t)1 << 31);
    times(a, (uint32_t)1 << bits);
}

static natural sum(const natural *a, const natural *b)
{
    natural s;
    uint64_t carry = 0;
    for (int i = 0; i < PARTS; i++) {
        carry += (uint64_t)a->part[i] + b->part[i];
        s.part[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return s;
}

static int compare(const natural *a, const natural *b)
{
    for (int i = PARTS - 1; i >= 0; i--)
        if (a->part[i] != b->part[i])
            return a->part[i] < b->part[i] ? -1 : 1;
    return 0;
}

static void subtract(natural *a, const natural *b)
{
    int64_t carry = 0;
    for (int i = 0; i < PARTS; i++) {
        carry += (int64_t)a->part[i] - b->part[i];
        a->part[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* A number above 0 as 0.d1d2... times 10^point. */
typedef struct {
    int count, point;
    char digit[18];
} decimal;

/* The digits of r/s: as many as wanted, or as few as tell it from the doubles beside it; those from r/s - below/s to
 * r/s + above/s are nearest to it. See R. G. Burger, R. K. Dybvig, "Printing floating-point numbers
 * quickly and accurately", PLDI 1996. */
static void generate(natural *r, natural *s, natural *below, natural *above, int even, int wanted, decimal *d)
{
    int low = 0, high = 0;
    for (d->count = 0; !low && !high && d->count < (wanted ? wanted : 17); d->count++) {
        int digit = 0;
        times(r, 10);
        times(below, 10);
        times(above, 10);
        while (compare(r, s) >= 0) {
            subtract(r, s);
            digit++;
        }
        d->digit[d->count] = (char)digit;
        if (wanted)
            continue;
        const natural up = sum(r, above);
        low = compare(r, below) < (even ? 1 : 0);
        high = compare(&up, s) > (even ? -1 : 0);
    }
    const natural twice = sum(r, r);
    const int half = compare(&twice, s);
    const int last = d->digit[d->count - 1];
    if (wanted || (low && high) ? half > 0 || (half == 0 && last % 2 != 0) : high)
        d->digit[d->count - 1]++;
    for (int i = d->count - 1; i > 0 && d->digit[i] == 10; i--) {
        d->digit[i] = 0;
        d->digit[i - 1]++;
    }
    if (d->digit[0] == 10) {
        d->digit[0] = 1;
        d->point++;
    }
    while (d->count > 1 && d->digit[d->count - 1] == 0)
        d->count--;
}

static void digits_of(double x, int wanted, decimal *d)
{
    uint64_t bits;
    natural r = {{0}}, s = {{1}}, below = {{1}}, above;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    const int biased = (int)(bits >> 52 & 0x7ff), exponent = (biased == 0 ? 1 : biased) - 1075;
    const uint64_t mantissa = biased == 0 ? fraction : fraction | UINT64_C(1) << 52;
    const int narrow = fraction == 0 && biased > 1; /* the double below is half as far away */
    r.part[0] = (uint32_t)mantissa;
    r.part[1] = (uint32_t)(mantissa >> 32);
    shift(&r, 1 + narrow + (exponent > 0 ? exponent : 0));
    shift(&s, 1 + narrow + (exponent < 0 ? -exponent : 0));
    shift(&below, exponent > 0 ? exponent : 0);
    above = below;
    shift(&above, narrow);
    d->point = 0;
    const int even = mantissa % 2 == 0;
    for (;;) { /* r/s becomes less than 1, and at least 1/10 */
        const natural up = sum(&r, &above);
        if (wanted ? compare(&r, &s) < 0 : compare(&up, &s) < (even ? 0 : 1))
            break;
        times(&s, 10);
        d->point++;
    }
    for (;;) {
        natural r10 = r, above10 = above;
        times(&r10, 10);
        times(&above10, 10);
        const natural up = sum(&r10, &above10);
        if (wanted ? compare(&r10, &s) >= 0 : compare(&up, &s) >= (even ? 0 : 1))
            break;
        r = r10;
        above = above10;
        times(&below, 10);
        d->point--;
    }
    generate(&r, &s, &below, &above, even, wanted, d);
}

static void put_digits(vehicle_text *t, const decimal *d, int from, int to)
{
    for (int i = from; i < to; i++) {
        const char text[2] = {(char)('0' + (i >= 0 && i < d->count ? d->digit[i] : 0)), 0};
        vehicle_put(t, text);
    }
}

void vehicle_put_number(vehicle_text *t, double x, int wanted)
{
    decimal d;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x || !vehicle_finite(x)) {
        vehicle_put(t, x != x ? "NaN" : x > 0 ? "+Inf" : "-Inf");
        return;
    }
    if (bits >> 63)
        vehicle_put(t, "-");
    if (x == 0) {
        vehicle_put(t, "0");
        return;
    }
    digits_of(x < 0 ? -x : x, wanted, &d);
    const int exponent = d.point - 1;
    int most = wanted ? wanted : 6;
    if (wanted && most > d.count && d.count >= d.point)
        most = d.count;
    if (exponent < -4 || exponent >= most) {
        put_digits(t, &d, 0, 1);
        if (d.count > 1)
            vehicle_put(t, ".");
        put_digits(t, &d, 1, d.count);
        vehicle_put(t, exponent < 0 ? "e-" : "e+");
        if (exponent < 10 && exponent > -10)
            vehicle_put(t, "0");
        vehicle_put_count(t, (unsigned long long)(exponent < 0 ? -exponent : exponent));
        return;
    }
    if (d.point <= 0)
        vehicle_put(t, "0");
    put_digits(t, &d, 0, d.point);
    if (d.count > d.point)
        vehicle_put(t, ".");
    put_digits(t, &d, d.point, d.count);
}
