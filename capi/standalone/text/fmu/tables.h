/* tables.h - the variables of the FMU, and which call is allowed when. */
#ifndef VEHICLE_TABLES_H
#define VEHICLE_TABLES_H

#include <stdint.h>

#include "vehicle.h"

/* @sizes@ */

enum { VEHICLE_REAL, VEHICLE_BOOLEAN, VEHICLE_STRING };
enum { VEHICLE_IS_PARAMETER, VEHICLE_IS_INPUT, VEHICLE_IS_OUTPUT, VEHICLE_IS_LOCAL, VEHICLE_IS_INDEPENDENT };

/* Where the value of a variable stands. */
enum {
    VEHICLE_AT_PARAMETER,
    VEHICLE_AT_STEP,      /* longest solver step */
    VEHICLE_AT_TOLERANCE, /* of constraints at the start */
    VEHICLE_AT_INPUT,
    VEHICLE_AT_OUTPUT,
    VEHICLE_AT_CONTACT,
    VEHICLE_AT_WORK, /* 0: these sources record no works */
    VEHICLE_AT_ENERGY, /* which these sources do not compute */
    VEHICLE_AT_ENDED,
    VEHICLE_AT_ENDED_TIME,
    VEHICLE_AT_STATE,
    VEHICLE_AT_RATE,
    VEHICLE_AT_INDICATOR,
    VEHICLE_AT_TIME,
    VEHICLE_AT_METHOD,
    VEHICLE_AT_CODE,
    VEHICLE_AT_CHOICE, /* a text that is the number of a parameter */
    VEHICLE_AT_TEXT    /* which stays as it is */
};

/* Bounds of what is set. */
enum { VEHICLE_NONNEGATIVE = 1, VEHICLE_POSITIVE = 2, VEHICLE_AT_MOST_ONE = 4 };

typedef struct {
    const char *name;
    const char *computed; /* what follows its name where it cannot be set */
    double start;
    unsigned char type, causality, exact, bounds, kind;
    int at;        /* index of its kind */
    int parameter; /* that holds its start value, -1 for none */
    int state; /* the state that it is, -1 for none */
    int discrete, driven; /* it changes between solver steps only; it is an input of a component */
    int tire; /* it names the function of a tire */
} vehicle_entry;

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(hidden)
#endif

extern const vehicle_entry vehicle_entries[VEHICLE_REFERENCES];
extern const char *const vehicle_texts[VEHICLE_TEXTS]; /* by what comes behind the numbers: values at the start */
extern const char *const vehicle_causalities[5];
extern const char vehicle_token[];

/* A call: its name in messages, and the modes in which it may be made, of instances for model exchange and for
 * co-simulation. */
typedef struct {
    const char *name;
    unsigned modes[2];
} vehicle_call;
extern const vehicle_call vehicle_calls[];
extern const char *const vehicle_mode_names[VEHICLE_MODES];

/* Categories of messages. */
extern const char *const vehicle_categories[VEHICLE_CATEGORIES];

/* States: references, nominal values, and references of rates; references of event indicators. */
extern const uint32_t vehicle_state_references[VEHICLE_STATES + 1];
extern const double vehicle_nominals[VEHICLE_STATES + 1];
extern const uint32_t vehicle_rate_references[VEHICLE_STATES + 1];
extern const uint32_t vehicle_indicator_references[VEHICLE_CONTACTS + 1];
extern const uint32_t vehicle_event_references[VEHICLE_EVENTS + 1]; /* what is logged when it changes */

/* What solver.code may say. */
extern const char *const vehicle_codes[2];

/* Texts that choose the number of a parameter: the parameter, and the texts, which begin at first. */
typedef struct {
    int parameter, first, count, start;
} vehicle_choice;
extern const vehicle_choice vehicle_choice_list[VEHICLE_CHOICES + 1];
extern const char *const vehicle_choice_texts[];

/* What is said of rows of vehicle_look; of faults, two texts around a number each; and at the start: of files in any
 * case, and the rest if no value has been changed. */
typedef struct {
    const char *text;
    int of_files;
} vehicle_note;
extern const char *const vehicle_row_news[];
extern const char *const vehicle_fault_texts[];
extern const vehicle_note vehicle_notes[VEHICLE_NOTES + 1];
extern const char *const vehicle_solver_notes[VEHICLE_SOLVER_NOTES + 1];

/* What variables depend on: the reference of the dependent one, the first of its references, and their number; of the
 * simulation and of the start. */
typedef struct {
    uint32_t reference, first, count;
} vehicle_dependent;
extern const vehicle_dependent vehicle_running[VEHICLE_RUNNING + 1], vehicle_starting[VEHICLE_STARTING + 1];
extern const uint32_t vehicle_dependencies[];

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

#endif
