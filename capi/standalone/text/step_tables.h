/* step_tables.h - tables of what a step needs beside evaluations: motions, terrain, limits.
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

/* What a surface adds to its plane, or a map of friction: nothing; heights over x, linear between samples, of which
 * there are columns, all x in numbers before all z; heights on a grid from x and y on, with columns and rows at the
 * distance cell, row by row; a formula; waves; a table along the road, at the right another one where there are rows;
 * triangles, which indices find by cells; a curved regular grid with columns along its line and rows across. Lengths
 * are in m. */
enum { STEP_FLAT, STEP_TABLE, STEP_GRID, STEP_FORMULA_KIND, STEP_WAVES, STEP_PROFILE, STEP_MESH, STEP_LINE };
typedef struct {
    int32_t kind, columns, rows, formula;
    double x, y, cell;
    const double *numbers;
    const int32_t *indices;
    const float *heights;
} step_shape;

/* Of waves, by wave. */
enum { STEP_WAVE_X, STEP_WAVE_Y, STEP_WAVE_PHASE, STEP_WAVE_AMPLITUDE, STEP_WAVE_NUMBERS };

/* Of a table along the road, before its samples. */
enum {
    STEP_PROFILE_COSINE,
    STEP_PROFILE_SINE,
    STEP_PROFILE_LEAN,
    STEP_PROFILE_OFFSET,
    STEP_PROFILE_FRICTION,
    STEP_PROFILE_NUMBERS
};

/* Of a line, before x, y, height [m] and banking of its points, v of the lines of heights, and the circles around
 * blocks of chords: what is added to the rank of heights above the place from which one looks down is behind all. */
enum {
    STEP_LINE_U0,
    STEP_LINE_DU,
    STEP_LINE_RIGHT,
    STEP_LINE_LEFT,
    STEP_LINE_JOINED,
    STEP_LINE_BEFORE,
    STEP_LINE_BEHIND,
    STEP_LINE_U_MODE,
    STEP_LINE_U_OFFSET,
    STEP_LINE_V_MODE,
    STEP_LINE_V_OFFSET,
    STEP_LINE_BEGIN,
    STEP_LINE_END,
    STEP_LINE_BANKED,
    STEP_LINE_BLOCK,
    STEP_LINE_BEHIND_ALL,
    STEP_LINE_NUMBERS
};
enum { STEP_BORDER_NONE, STEP_BORDER_ZERO, STEP_BORDER_KEEP, STEP_BORDER_REPEAT, STEP_BORDER_REFLECT };

/* Of triangles, before them, and by triangle: x and y of the corners, height a + b x + c y, friction. */
enum {
    STEP_MESH_COSINE,
    STEP_MESH_SINE,
    STEP_MESH_X,
    STEP_MESH_Y,
    STEP_MESH_Z,
    STEP_MESH_LEFT,
    STEP_MESH_BOTTOM,
    STEP_MESH_NUMBERS
};
enum {
    STEP_TRIANGLE_X,
    STEP_TRIANGLE_Y = 3,
    STEP_TRIANGLE_A = 6,
    STEP_TRIANGLE_B,
    STEP_TRIANGLE_C,
    STEP_TRIANGLE_FRICTION,
    STEP_TRIANGLE_NUMBERS
};

/* Terrain: sloped has the slopes of a plane, mapped a map of factors of friction. */
typedef struct {
    step_shape heights, friction;
    int32_t sloped, mapped;
} step_surface;

/* By surface: height [m], slopes of the plane, factors of friction at y >= 0 and below. */
enum { STEP_LEVEL, STEP_SLOPE_X, STEP_SLOPE_Y, STEP_LEFT, STEP_RIGHT, STEP_GROUND_NUMBERS };

/* Terrain under a tire: its surface, rows of points of an enveloping footprint or 0, the input that is added to the
 * height, and the inputs that take the plane. */
typedef struct {
    int32_t surface, points, above, height, slope_x, slope_y, rate, friction;
} step_ground;

/* By ground: length and width of the footprint [m]. */
enum { STEP_LENGTH, STEP_WIDTH, STEP_FOOTPRINT_NUMBERS };

/* A wheel contact: states of the contact mass and of the rim by axis of ground, negative for axes along which it does
 * not move; its surface; the input that is added to the height, and those that take mode, normal and, if impulsive is
 * not 0, impulse. */
typedef struct {
    int32_t place[3], speed[3], rim[3], rim_speed[3];
    int32_t surface, height, mode, normal[3], impulsive, impulse[3];
} step_contact;

/* By wheel contact, what the law of package contact takes, then what it returns; vectors have three numbers. */
enum {
    STEP_CONTACT_BEFORE = 7,
    STEP_CONTACT_PLACE = 16,
    STEP_CONTACT_SPEED = 19,
    STEP_CONTACT_RIM = 22,
    STEP_CONTACT_RIM_SPEED = 25,
    STEP_CONTACT_HEIGHT = 28,
    STEP_CONTACT_SLOPE_X,
    STEP_CONTACT_SLOPE_Y,
    STEP_CONTACT_RISING,
    STEP_CONTACT_STEP = STEP_CONTACT_RISING + 3,
    STEP_CONTACT_MODE,
    STEP_CONTACT_NEW_PLACE,
    STEP_CONTACT_NEW_SPEED = STEP_CONTACT_NEW_PLACE + 3,
    STEP_CONTACT_NEW_MODE = STEP_CONTACT_NEW_SPEED + 3,
    STEP_CONTACT_NORMAL,
    STEP_CONTACT_IMPULSE = STEP_CONTACT_NORMAL + 3,
    STEP_CONTACT_START_MODE = STEP_CONTACT_IMPULSE + 3,
    STEP_CONTACT_NUMBERS
};

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
