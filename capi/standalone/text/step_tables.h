/* step_tables.h - tables of what a step needs beside evaluations: motions, level ground, limits.
 *
 * step_place is the place of a number: an address in the library, and an index in generated C, which defines STEP_PLACE
 * before this file. Numbers that differ between instances stand in arrays beside the tables. */
#ifndef STEP_TABLES_H
#define STEP_TABLES_H

#include <stdint.h>

typedef STEP_PLACE step_place;

/* Inputs of a prescribed motion; acceleration is negative where it has none. */
typedef struct {
    int32_t position, rate, acceleration;
} step_motion;

/* Level terrain under a tire: the input that is added to the height, and the inputs that take the plane. */
typedef struct {
    int32_t above, height, slope_x, slope_y, rate, friction;
} step_ground;

/* By ground: height [m], factor of friction. */
enum { STEP_LEVEL, STEP_FACTOR, STEP_GROUND_NUMBERS };

/* A number with limits, and the number that must be above 0 for them to mean anything, if touches is not 0. */
typedef struct {
    step_place at, touching;
    int32_t touches;
} step_row;

/* By row: limits, and the limits within which the number has come back. */
enum { STEP_LOW, STEP_HIGH, STEP_BACK_LOW, STEP_BACK_HIGH, STEP_LIMITS };

/* By row, as package cosim counts: side of the limits, how often and when first left, farthest value and its time. */
enum { STEP_SIDE, STEP_COUNT, STEP_FIRST, STEP_WORST, STEP_WHEN, STEP_ROW_NUMBERS };

/* By gate, a quick look at a number: within all limits if the magnitude of number - middle is at most half. */
enum { STEP_MIDDLE, STEP_HALF, STEP_GATE_NUMBERS };

/* The methods; the preprocessor reads these numbers. */
#define STEP_EULER 0
#define STEP_HEUN 1
#define STEP_RK4 2
#define STEP_LINEARLY_IMPLICIT 3

/* Room of a step: x, stage and four rates by state; inputs, those of an evaluation and their rates by input. */
#define STEP_WORK(states, inputs) (6 * (states) + 3 * (inputs))

#endif
