/* Calls the functions of a vehicle in any order, with any numbers, and checks what holds whatever is called. */
#include "vehicle.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint32_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static double number(void)
{
    static const double odd[] = {0.0, -0.0, 1.0, -1.0, 1e-300, 1e9, -1e30, 1e308};
    const double zero = odd[0] * (double)next();
    switch (next() % 12) {
    case 0:
        return odd[next() % 8];
    case 1:
        return 1 / zero;
    case 2:
        return zero / zero;
    default:
        return (double)next() / 4294967296.0 - 0.5;
    }
}

static vehicle two[2];

#define CHECK(holds) \
    do { \
        if (!(holds)) { \
            printf("line %d: %s\n", __LINE__, #holds); \
            return 1; \
        } \
    } while (0)

/* A step that fails leaves everything as it was. */
static int step(vehicle *c, double h)
{
    static unsigned char before[1 << 17], after[1 << 17];
    const size_t size = vehicle_save_size();
    const double t = vehicle_time(c);
    int is;
    CHECK(size <= sizeof before && vehicle_save(c, before, size) == size && vehicle_save(c, before, size - 1) == 0);
    is = vehicle_step(c, h);
    CHECK(vehicle_save(c, after, size) == size);
    if (is == VEHICLE_ERROR)
        CHECK(memcmp(before, after, size) == 0 && vehicle_time(c) == t);
    else
        CHECK(h > 0 && vehicle_time(c) == t + h);
    return 0;
}

/* Whether all numbers of a saved state are below 1e5: others can be out of the range of functions. */
static int usual(const unsigned char *saved, size_t size)
{
    size_t i, k;
    for (i = 4; i < size / 8; i++) {
        uint64_t bits = 0;
        double x;
        for (k = 0; k < 8; k++)
            bits |= (uint64_t)saved[8 * i + k] << 8 * k;
        memcpy(&x, &bits, sizeof x);
        if (!(x < 1e5 && x > -1e5))
            return 0;
    }
    return 1;
}

/* What cannot be a saved state is refused, and changes nothing. */
static int restore(vehicle *c, vehicle *other)
{
    static unsigned char good[1 << 17], bad[1 << 17], before[1 << 17];
    const size_t size = vehicle_save_size();
    vehicle_save(c, good, size);
    vehicle_save(other, before, size);
    memcpy(bad, good, size);
    bad[next() % 8] ^= 1; /* another program */
    CHECK(vehicle_restore(other, bad, size) == VEHICLE_ERROR);
    CHECK(vehicle_restore(other, good, size - 1) == VEHICLE_ERROR);
    CHECK(vehicle_restore(other, good, size + 1) == VEHICLE_ERROR);
    memcpy(bad, good, size);
    bad[8 * 3] = VEHICLE_METHODS; /* no method */
    CHECK(vehicle_restore(other, bad, size) == VEHICLE_ERROR);
    memcpy(bad, good, size);
    memset(bad + 8 * (4 + next() % (size / 8 - 4)), 0xff, 8); /* not a number */
    CHECK(vehicle_restore(other, bad, size) == VEHICLE_ERROR);
    vehicle_save(other, bad, size);
    CHECK(memcmp(bad, before, size) == 0);
    memcpy(bad, good, size);
    bad[8 + next() % (size - 8)] ^= (unsigned char)next(); /* which may be a state, or not */
    vehicle_restore(other, bad, size);
    vehicle_step(other, 0.001);
    if (usual(good, size)) {
        CHECK(vehicle_restore(other, good, size) == VEHICLE_OK);
        vehicle_save(other, bad, size);
        CHECK(memcmp(bad, good, size) == 0);
    }
    return 0;
}

static int call(vehicle *c, vehicle *other)
{
    static double x[VEHICLE_STATES + 1], u[VEHICLE_INPUTS + 1], dx[VEHICLE_STATES + 1];
    int i;
    switch (next() % 17) {
    case 16:
        i = (int)(next() % (VEHICLE_METHODS + 2)) - 1;
        CHECK((vehicle_set_method(c, i) == VEHICLE_OK) == (i >= 0 && i < VEHICLE_METHODS));
        CHECK(vehicle_method(c) >= 0 && vehicle_method(c) < VEHICLE_METHODS);
        break;
    case 0:
        vehicle_reset(c);
        break;
    case 1:
        vehicle_parameter(c)[next() % VEHICLE_PARAMETERS] *= 1 + 0.1 * number();
        break;
    case 2:
    case 3:
        vehicle_initialise(c);
        break;
    case 4:
        vehicle_input(c)[next() % VEHICLE_INPUTS] = number();
        break;
    case 5:
        vehicle_input_rate(c)[next() % VEHICLE_INPUTS] = number();
        break;
    case 6:
        vehicle_output(c);
        vehicle_warnings(c);
        break;
    case 7:
        for (i = 0; i < VEHICLE_STATES; i++)
            x[i] = number();
        for (i = 0; i < VEHICLE_INPUTS; i++)
            u[i] = number();
        vehicle_rates(c, x, u, dx);
        break;
    case 8:
        return restore(c, other);
    case 9:
        return step(c, 0.1 * number());
    case 10: /* what leaves its range first, and fails then */
        vehicle_reset(c);
        vehicle_initialise(c);
        for (i = 0; i < VEHICLE_INPUTS; i++)
            vehicle_input(c)[i] = 1e7 * number();
        return step(c, 0.05);
    default:
        return step(c, 0.001);
    }
    return 0;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 0;
    vehicle_reset(&two[0]);
    vehicle_reset(&two[1]);
    for (; n > 0; n--) {
        const int which = (int)(next() & 1);
        if (call(&two[which], &two[1 - which]) != 0)
            return 1;
    }
    return 0;
}
