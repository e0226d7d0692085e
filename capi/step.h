/* step.h - communication steps without Go.
 *
 * The core writes a plan of a step, and C executes it: machine code of the core, moves of numbers, and tire functions
 * in C. The step is bit-identical to a step of the core. If the step would cause a message or a note, C undoes it, and
 * the core makes the step. No signal mask is touched and nothing is allocated. */
#ifndef SKIDPAD_STEP_H
#define SKIDPAD_STEP_H

#include <stddef.h>
#include <stdint.h>

#define STEP_PLACE const double *
#include "standalone/text/step_tables.h"

/* Code of the core. It returns 0 unless it gives up, as where an argument is beyond its range. */
typedef uint64_t step_code(double *memory, const double *pool, const double *fixed);
typedef struct {
    step_code *code;
    double *memory;
    const double *pool, *fixed;
} step_job;

typedef struct {
    const double *from;
    double *to;
} step_move;

/* Tires of one function in C, which is called through evaluate as the core calls it. */
typedef struct {
    int32_t (*evaluate)(const void *function, const char *who, size_t n, const uintptr_t *instances,
                        const double *inputs, const double *states, double *outputs, double *rates);
    const void *function;
    const char *who;
    size_t n;
    const uintptr_t *instances;
    const double *inputs, *states;
    double *outputs, *rates;
    size_t output_count;
    double largest; /* magnitude of an output */
    void *guards[4];    /* what stands before and behind outputs and rates */
    const void *intact; /* what each of them is made of */
    size_t guard_size;
} step_tires;

/* One of its pointers is set. */
typedef struct {
    const step_job *jobs;
    const step_move *moves;
    const step_tires *tires;
    size_t count;
} step_part;

/* An evaluation: states and inputs are put where it wants them, results are found where it says; collect, of rates,
 * copies them to its memory, side by side. */
typedef struct {
    double *states, *inputs;
    const step_part *parts;
    size_t part_count;
    const double *const *results;
    size_t result_count;
    step_job collect;
} step_evaluation;

/* An implicit system (I - c J) k = b for the number at c: at writes its numbers, factors leaves the k for the rates b
 * at right and prepares solves, and solves takes b at given and leaves k at right. With residuals of constraints,
 * correct takes changes of their rates at by and leaves changes of speeds and, by c, of coordinates at right. */
typedef struct {
    step_evaluation at;
    double *c, *given, *right, *by;
    step_job factors, solves, correct;
    step_evaluation residuals; /* without results where there are no constraints */
    size_t speeds;
} step_linear;

/* A formula of x, y [m] and the time [s]: height [m] or factor of friction, both slopes, rate. */
typedef struct {
    step_evaluation rates, outputs; /* outputs after rates */
} step_formula;

/* A variable that is 1 where a number is above 0, else 0; logged is its value when it was logged, NULL if it never
 * is. */
typedef struct {
    const double *above;
    double *value;
    const double *logged;
} step_touch;

/* The numbers of a sampler, by step_samples.h. */
typedef struct {
    const double *numbers[3];
} step_sampling;

/* What has been evaluated, or has to be: outputs follow from rates. */
enum { STEP_NOTHING, STEP_RATES_ALONE, STEP_OUTPUTS, STEP_BY_GO = 4 };

/* Inputs may have been written before the latest step, were not, or will keep their bits, of numbers that are near,
 * until some are written. */
enum { STEP_INPUTS_WRITTEN, STEP_INPUTS_LEFT, STEP_INPUTS_HELD };

typedef struct skidpad_plan {
    int32_t ready;    /* the next step may be made, and values be read */
    int32_t stepped;  /* steps have been made since the core was called last */
    int32_t shown;    /* values of an FMU have been read, or looked at, since the latest step */
    int32_t tried;    /* something has been evaluated since then: the code's numbers are those of any time */
    int32_t fresh;    /* what of x and u has been evaluated: STEP_NOTHING, STEP_RATES_ALONE or STEP_OUTPUTS */
    int32_t inputs_are; /* STEP_INPUTS_WRITTEN, STEP_INPUTS_LEFT or STEP_INPUTS_HELD */
    int32_t touching; /* what has to be for the touches */
    int32_t logging;  /* of touches that change */
    int32_t watching; /* conditions that end runs are looked at */
    int32_t foreign;  /* some of the tires are library tire functions, or the host's */
    int32_t method;
    double time;  /* reached [s] */
    double stop;  /* no step may go beyond [s] */
    double longest; /* solver step [s] */
    double due, uncut; /* from due on, a step begins with a sample; one that ends behind uncut goes beyond one [s] */

    size_t states, inputs, settable; /* settable: of the inputs, those that the importer sets, which are the first */
    double *x, *u, *rate; /* of the instance: they change when a step is made */
    double *work;         /* STEP_WORK(states, inputs) numbers */
    const step_motion *motions;
    size_t motion_count;
    const step_ground *grounds;
    size_t ground_count;
    const step_surface *surfaces;
    const double *levels; /* of the surfaces */
    const step_formula *formulas; /* of the surfaces */
    const double *footprints;     /* of the grounds */
    double *placed;               /* results of wheels */
    double *shares;               /* room for those of waves, by surface the same */
    double *along, *reached, *along_before; /* places of tires along their roads */
    const step_contact *contacts;
    size_t contact_count;
    const step_job *contact_laws; /* of the contacts, on their numbers */
    const double **contact_logged; /* modes of the contacts when they were logged, NULL where they never are */
    double *contact_along, *contact_along_before;
    size_t sampler_count; /* 0 where the core takes the samples */
    const step_sampling *sampling; /* of the samplers */
    const int32_t *held_by, *held; /* by sampler how many values it holds, and by value its input */
    double *samples, *samples_before, *next_values;
    int32_t samples_take_rates; /* next values are evaluated after rates */

    step_evaluation rates, outputs; /* outputs after rates, without its own states and inputs */
    step_evaluation wheels;         /* on terrain; without results where all grounds are level */
    step_linear linear;             /* of linearly-implicit */
    step_evaluation ends;           /* without results where there is none */
    step_evaluation next;           /* values from a sample on */
    const int32_t *watched;             /* results of ends */
    size_t watched_count;
    const step_place *gates; /* after the first rates of a solver step */
    const double *gate_limits;
    size_t gate_count;
    const step_row *rows;
    const double *row_limits;
    size_t row_count;
    double *noted, *out, *kept; /* of the instance, by row; whether one is outside; room for a copy of both */
    const double **values; /* by variable, where its value is after needs has been evaluated */
    uint8_t *needs;
    const step_move *numbers; /* from where the values of the window come that change from step to step */
    size_t number_count;
    const step_touch *touches;
    size_t touch_count;
} skidpad_plan;

/* Makes a step from t to t + h [s] with these settable inputs, which become those of the end. 1 if it is made, 0 if
 * nothing was done. written: by input, whether it was set since the last step, which ends its rate; NULL: none was. */
int step_make(skidpad_plan *, double t, double h, double *inputs, const uint8_t *written);

/* Sets the settable inputs that are written, which ends their rates. */
void step_set(skidpad_plan *, const double *inputs, const uint8_t *written);

/* Evaluates what is needed at the present point, if it has not been. 0 where something gives up. */
int step_evaluate(skidpad_plan *, int needed);

/* Writes the values of all variables that follow from states and inputs to the window. 0 where that is left to Go. */
int step_show(skidpad_plan *);

/* Rounding to nearest, no flushing of tiny numbers to zero, no traps; and back to what the host has set. */
typedef struct {
    unsigned old;
    int changed;
} step_arithmetic;
void step_arithmetic_begin(step_arithmetic *);
void step_arithmetic_end(const step_arithmetic *);

/* A thread of the host that is cancelled within a call ends behind it: what the call holds would stay held for ever. */
int step_cancellation_off(void); /* => what it was */
void step_cancellation_back(int was);

/* Both, for a thread of the host that works for the library. */
typedef struct {
    step_arithmetic arithmetic;
    int cancellation;
} step_thread;
void step_thread_begin(step_thread *);
void step_thread_end(const step_thread *);

#endif
