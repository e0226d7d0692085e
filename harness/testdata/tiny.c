/* A tiny FMU, of which each kind differs from others as the standard allows. VERSION is that of FMI, CS, ME or SE the
   interface, and MATHS adds a function of the mathematical library, which the library does not name. What else it does
   follows from its token: "tiny" and words behind it.

   x' = 1 + k u, x(0) = x0. Outputs are y = x, n, the number of steps, and b, whether x > 0.5. With the word ball x is
   the height of a ball that falls with 2 m/s2 and bounces without loss; with stairs n is the number of whole seconds.
   With decay x' = 1 - x, with fast x' = -50 x, with ramp x' = n, and adds adds a discrete input to x'. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK, WARNING, DISCARD, ERROR, FATAL };

#if VERSION == 2
typedef int boolean;
typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} callbacks;
#define NAME(name) fmi2##name
#else
typedef bool boolean;
#define NAME(name) fmi3##name
#endif

typedef struct {
    char words[200];
    double t, x, v, x0, k, u, last;
    double array[6];
    int n, steps, mode; /* 0 instantiated, 1 initialisation, 2 running, 3 event mode, 4 configuration */
    int crossed;
    boolean flag, ended;
    int64_t whole[8];
    float single;
    char text[100];
#if VERSION == 2
    const callbacks *functions;
#else
    void *environment;
    void (*log)(void *, int, const char *, const char *);
#endif
} tiny;

static int has(const tiny *c, const char *word) { return strstr(c->words, word) != NULL; }

/* discrete reports whether discrete inputs can be set: in model exchange they change at events. */
static int discrete(const tiny *c)
{
#ifdef ME
    return c->mode != 2;
#else
    (void)c;
    return 1;
#endif
}

/* prepare fills a new instance; it reports whether it can be made. */
static int prepare(tiny *c, const char *token, const char *resources)
{
    static int attempts;
    static const double array[] = {11, 12, 13, 21, 22, 23};
    attempts++;
    if (strncmp(token, "tiny", 4) != 0 || strlen(token) >= sizeof c->words)
        return 0;
    strcpy(c->words, token);
    c->k = 2;
    c->x0 = has(c, "ball") || has(c, "fast") ? 1 : 0;
    strcpy(c->text, "start");
    if (has(c, " tool"))
        return 0;
    if (has(c, " alone") && attempts > 1)
        return 0;
    memcpy(c->array, array, sizeof array);
    if (has(c, " resources")) {
        char path[4000];
        FILE *file;
        if (resources == NULL)
            return 0;
#if VERSION == 2
        if (strncmp(resources, "file:///", 8) != 0 || resources[strlen(resources) - 1] == '/')
            return 0;
        snprintf(path, sizeof path, "%s/y.txt", resources + 7);
#else
        if (resources[0] != '/' || resources[strlen(resources) - 1] != '/')
            return 0;
        snprintf(path, sizeof path, "%sy.txt", resources);
#endif
        file = fopen(path, "r");
        if (file == NULL)
            return 0;
        fclose(file);
    }
#if VERSION == 3
    if (!has(c, " resources") && resources != NULL)
        return 0;
#endif
    return 1;
}

#ifdef MATHS
static inline double slope(const tiny *c) { return cos(c->t * 0) + c->k * c->u; }
#else
static inline double slope(const tiny *c)
{
    return 1 + c->k * c->u + (has(c, " adds") ? (double)c->whole[5] : 0);
}
#endif

static void start(tiny *c)
{
    c->t = 0;
    c->x = c->x0;
    c->v = 0;
    c->steps = c->n = 0;
    c->last = 0;
    c->ended = 0;
}

/* An instance that still runs, or that is dead, must not be freed. */
static void end(const tiny *c)
{
    if (has(c, " strict") && c->mode > 1)
        abort();
}

/* What the functions of both versions share. */
int NAME(ExitInitializationMode)(tiny *c)
{
    c->mode = has(c, " clocked") ? 3 : 2;
    start(c);
#ifdef ME
    c->mode = 3;
#endif
    return OK;
}
int NAME(Terminate)(tiny *c)
{
    if (c->mode != 2)
        return ERROR;
    c->mode = 0;
    return OK;
}
int NAME(Reset)(tiny *c)
{
    double k = 2;
    c->mode = 0;
    c->k = k;
    c->u = 0;
    return OK;
}
int NAME(SetDebugLogging)(void *c, boolean on, size_t n, const char *const *categories)
{
    (void)c, (void)on, (void)n, (void)categories;
    return OK;
}
const char *NAME(GetVersion)(void) { return VERSION == 2 ? "2.0" : "3.0"; }

static double *real(tiny *c, uint32_t reference)
{
    switch (reference) {
    case 0: return &c->t;
    case 1: return &c->x;
    case 2: return &c->k;
    case 3: return &c->u;
    case 4: return &c->x0;
    case 5: return &c->v;
    }
    return NULL;
}

#ifndef NO_STATE
/* States: they count as errors where the description does not announce them. */
#if VERSION == 2
#define STATE(before, after) fmi2##before##state##after
#define DESERIALIZE fmi2DeSerializeFMUstate
#else
#define STATE(before, after) fmi3##before##State##after
#define DESERIALIZE fmi3DeserializeFMUState
#endif
int STATE(GetFMU, )(tiny *c, void **state)
{
    if (!has(c, " state"))
        return ERROR;
    if (*state == NULL)
        *state = malloc(sizeof *c);
    memcpy(*state, c, sizeof *c);
    return OK;
}
int STATE(SetFMU, )(tiny *c, void *state)
{
    memcpy(c, state, sizeof *c);
    return OK;
}
int STATE(FreeFMU, )(tiny *c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}
int STATE(SerializedFMU, Size)(tiny *c, void *state, size_t *size)
{
    (void)state;
    *size = sizeof *c;
    return has(c, " bytes") ? OK : ERROR;
}
int STATE(SerializeFMU, )(tiny *c, void *state, char *bytes, size_t size)
{
    memcpy(bytes, state, size);
    return has(c, " bytes") ? OK : ERROR;
}
int DESERIALIZE(tiny *c, const char *bytes, size_t size, void **state)
{
    if (!has(c, " bytes") || size != sizeof *c)
        return ERROR;
    *state = malloc(size);
    memcpy(*state, bytes, size);
    return OK;
}
#endif

#if VERSION == 2

const char *fmi2GetTypesPlatform(void) { return "default"; }
tiny *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const callbacks *functions,
                      boolean visible, boolean logging)
{
    tiny *c;
    (void)visible, (void)logging;
#ifdef ME
    if (type != 0)
        return NULL;
#else
    if (type != 1)
        return NULL;
#endif
    if (strstr(guid, " memory") != NULL) {
        unsigned char *zeros;
        size_t i;
        if (functions->allocate == NULL || functions->release == NULL)
            return NULL;
        zeros = functions->allocate(3, 100);
        for (i = 0; i < 300; i++)
            if (zeros[i] != 0)
                return NULL;
        memset(zeros, 1, 300);
        functions->release(zeros);
        c = functions->allocate(1, sizeof *c);
    } else
        c = calloc(1, sizeof *c);
    if (!prepare(c, guid, resources))
        return NULL;
    c->functions = functions;
    if (has(c, " talk")) {
        functions->logger(functions->environment, name, OK, NULL, "%s: %d, %5.2f, %ld, 100%%, %s and %g", name, -3,
                          0.25, 1L << 40, "text", 1.5);
        functions->logger(functions->environment, name, OK, "own", "%s", "plain");
        functions->logger(functions->environment, name, OK, NULL, "wrong: %s %s");
        functions->logger(functions->environment, name, OK, NULL, "%d %d %d %d %d %d %g", 1, 2, 3, 4, 5, 6, 7.5);
        functions->logger(functions->environment, name, OK, NULL, NULL);
    }
    return c;
}
void fmi2FreeInstance(tiny *c)
{
    end(c);
    if (has(c, " memory"))
        c->functions->release(c);
    else
        free(c);
}
int fmi2SetupExperiment(tiny *c, boolean defined, double tolerance, double begin, boolean stops, double stop)
{
    (void)defined, (void)tolerance, (void)begin, (void)stops, (void)stop;
    return c->mode == 0 ? OK : ERROR;
}
int fmi2EnterInitializationMode(tiny *c)
{
    c->mode = 1;
    return OK;
}
int fmi2GetReal(tiny *c, const uint32_t *vr, size_t n, double *values)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (real(c, vr[i]) == NULL)
            return ERROR;
        values[i] = *real(c, vr[i]);
    }
    return OK;
}
int fmi2SetReal(tiny *c, const uint32_t *vr, size_t n, const double *values)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (vr[i] < 2 || real(c, vr[i]) == NULL)
            return ERROR;
        *real(c, vr[i]) = values[i];
    }
    return OK;
}
int fmi2GetInteger(tiny *c, const uint32_t *vr, size_t n, int *values)
{
    size_t i;
    for (i = 0; i < n; i++)
        values[i] = vr[i] == 1 ? c->n : (int)c->whole[vr[i]];
    return OK;
}
int fmi2SetInteger(tiny *c, const uint32_t *vr, size_t n, const int *values)
{
    size_t i;
    if (!discrete(c))
        return ERROR;
    for (i = 0; i < n; i++)
        c->whole[vr[i]] = values[i];
    return OK;
}
int fmi2GetBoolean(tiny *c, const uint32_t *vr, size_t n, boolean *values)
{
    size_t i;
    for (i = 0; i < n; i++)
        values[i] = vr[i] == 1 ? (c->x > 0.5) * 7 : c->flag; /* what is not zero is true */
    return OK;
}
int fmi2SetBoolean(tiny *c, const uint32_t *vr, size_t n, const boolean *values)
{
    (void)vr, (void)n;
    c->flag = values[0];
    return OK;
}
int fmi2GetString(tiny *c, const uint32_t *vr, size_t n, const char **values)
{
    (void)vr, (void)n;
    values[0] = c->text;
    return OK;
}
int fmi2SetString(tiny *c, const uint32_t *vr, size_t n, const char *const *values)
{
    (void)vr, (void)n;
    snprintf(c->text, sizeof c->text, "%s", values[0]);
    return OK;
}
#ifdef CS
int fmi2DoStep(tiny *c, double t, double h, boolean noSetPrior)
{
    (void)noSetPrior;
    if (c->mode != 2 || fabs(t - c->t) > 1e-9)
        return ERROR;
    if (has(c, " end") && t + h > 0.5 + 1e-9) {
        c->ended = 1;
        return DISCARD;
    }
    if (has(c, " dies") && t > 0.5) {
        c->mode = 99;
        return FATAL;
    }
    if (has(c, " constant") && c->last != 0 && fabs(h - c->last) > 1e-12)
        return ERROR;
    c->last = h;
    c->x += h * slope(c);
    c->t = t + h;
    c->n = ++c->steps;
    if (has(c, " prints")) {
        printf("noise\n");
        fflush(stdout);
    }
    if (has(c, " warns")) {
        c->functions->logger(c->functions->environment, "x", WARNING, NULL, "careful");
        return WARNING;
    }
    return OK;
}
int fmi2GetRealStatus(tiny *c, int kind, double *value)
{
    *value = c->t;
    return kind == 2 ? OK : DISCARD;
}
int fmi2GetBooleanStatus(tiny *c, int kind, boolean *value)
{
    *value = c->ended;
    return kind == 3 ? OK : DISCARD;
}
int fmi2GetStatus(tiny *c, int kind, int *value)
{
    (void)c, (void)kind, (void)value;
    return DISCARD;
}
int fmi2GetIntegerStatus(tiny *c, int kind, int *value) { return fmi2GetStatus(c, kind, value); }
int fmi2GetStringStatus(tiny *c, int kind, const char **value)
{
    (void)c, (void)kind, (void)value;
    return DISCARD;
}
int fmi2CancelStep(tiny *c)
{
    (void)c;
    return ERROR;
}
#endif

#else /* FMI 3.0 */

static tiny *make(const char *token, const char *resources, void *environment,
                  void (*log)(void *, int, const char *, const char *))
{
    tiny *c = calloc(1, sizeof *c);
    if (!prepare(c, token, resources))
        return NULL;
    c->environment = environment;
    c->log = log;
    if (has(c, " talk"))
        log(environment, OK, NULL, "plain 100% ##");
    return c;
}
#ifdef CS
tiny *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool eventMode, bool earlyReturn, const uint32_t *required, size_t n,
                                  void *environment, void (*log)(void *, int, const char *, const char *), void *update)
{
    tiny *c = make(token, resources, environment, log);
    (void)name, (void)visible, (void)logging, (void)earlyReturn, (void)required, (void)n, (void)update;
    if (c != NULL && has(c, " clocked") != eventMode)
        return NULL;
    return c;
}
/* With the word clocked, the clock 32 ticks every 0.25 s from 0.1 s on; the FMU wants to handle an event at the end of
   the step to or beyond 0.6 s, and announces one at 0.8 s. n is the number of ticks, and 10 for each event. */
int fmi3EnterEventMode(tiny *c)
{
    if (c->mode != 2)
        return ERROR;
    c->mode = 3;
    c->n += 10;
    return OK;
}
int fmi3EnterStepMode(tiny *c)
{
    if (c->mode != 3 || c->crossed) /* an update was asked for */
        return ERROR;
    c->mode = 2;
    return OK;
}
int fmi3SetClock(tiny *c, const uint32_t *vr, size_t n, const bool *values)
{
    double ticks = (c->t - 0.1) / 0.25;
    if (c->mode != 3 || n != 1 || vr[0] != 32 || !values[0] || fabs(ticks - round(ticks)) > 1e-9)
        return ERROR;
    c->n++;
    c->crossed = 1;
    return OK;
}
int fmi3UpdateDiscreteStates(tiny *c, bool *again, bool *terminate, bool *nominals, bool *states, bool *timed,
                             double *next)
{
    if (c->mode != 3)
        return ERROR;
    *terminate = *nominals = *states = false;
    *again = c->crossed;
    c->crossed = 0;
    *timed = c->t < 0.8 - 1e-9;
    *next = 0.8;
    return OK;
}
int fmi3DoStep(tiny *c, double t, double h, bool noSetPrior, bool *event, bool *terminate, bool *early, double *last)
{
    (void)noSetPrior;
    if (c->mode != 2 || fabs(t - c->t) > 1e-9)
        return ERROR;
    *event = *terminate = *early = false;
    if (has(c, " own") && fabs(h / 0.1 - round(h / 0.1)) > 1e-6) { /* steps of 0.1 s */
        *last = c->t;
        return OK;
    }
    if (has(c, " early") && h > 0.03) {
        h *= 0.5;
        *early = true;
    }
    c->x += h * slope(c);
    c->t = t + h;
    ++c->steps;
    *last = c->t;
    if (has(c, " clocked"))
        *event = t < 0.6 - 1e-9 && c->t > 0.6 - 1e-9;
    else
        c->n = c->steps;
    if (has(c, " ulp"))
        *last = nextafter(nextafter(c->t, 1e9), 1e9);
    if (has(c, " round"))
        *last = c->t + h / 100;
    if (has(c, " end") && c->t > 0.5 - 1e-9)
        *terminate = true;
    if (has(c, " warns")) {
        c->log(c->environment, WARNING, "logStatusWarning", "careful");
        return WARNING;
    }
    return OK;
}
#endif
#ifdef ME
tiny *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                   bool logging, void *environment,
                                   void (*log)(void *, int, const char *, const char *))
{
    (void)name, (void)visible, (void)logging;
    return make(token, resources, environment, log);
}
#endif
#ifdef SE
tiny *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible,
                                        bool logging, void *environment,
                                        void (*log)(void *, int, const char *, const char *), void (*update)(void *),
                                        void (*lock)(void), void (*unlock)(void))
{
    (void)name, (void)visible, (void)logging;
    if (update == NULL || lock == NULL || unlock == NULL)
        return NULL;
    lock();
    unlock();
    return make(token, resources, environment, log);
}
#endif
void fmi3FreeInstance(tiny *c)
{
    end(c);
    free(c);
}
int fmi3EnterInitializationMode(tiny *c, bool defined, double tolerance, double begin, bool stops, double stop)
{
    (void)defined, (void)tolerance, (void)begin, (void)stops, (void)stop;
    if (c->mode != 0)
        return ERROR;
    c->mode = 1;
    return OK;
}
int fmi3EnterConfigurationMode(tiny *c)
{
    if (c->mode != 0)
        return ERROR;
    c->mode = 4;
    return OK;
}
int fmi3ExitConfigurationMode(tiny *c)
{
    c->mode = 0;
    return OK;
}
/* The array has value reference 6 and six elements. */
int fmi3GetFloat64(tiny *c, const uint32_t *vr, size_t n, double *values, size_t m)
{
    size_t i, k = 0;
    for (i = 0; i < n; i++) {
        if (vr[i] == 6) {
            if (k + 6 > m)
                return ERROR;
            memcpy(values + k, c->array, sizeof c->array);
            k += 6;
            continue;
        }
        if (real(c, vr[i]) == NULL || k == m)
            return ERROR;
        values[k++] = *real(c, vr[i]);
    }
    return k == m ? OK : ERROR;
}
int fmi3SetFloat64(tiny *c, const uint32_t *vr, size_t n, const double *values, size_t m)
{
    size_t i, k = 0;
    for (i = 0; i < n; i++) {
        if (vr[i] == 6) {
            if (k + 6 > m)
                return ERROR;
            memcpy(c->array, values + k, sizeof c->array);
            k += 6;
            continue;
        }
        if (vr[i] < 2 || real(c, vr[i]) == NULL || k == m)
            return ERROR;
        *real(c, vr[i]) = values[k++];
    }
    return k == m ? OK : ERROR;
}
/* Value references 20 to 27 are whole numbers of each type, 28 is a number of single precision. */
#define WHOLE(Type, type)                                                                               \
    int fmi3Get##Type(tiny *c, const uint32_t *vr, size_t n, type *values, size_t m)                    \
    {                                                                                                   \
        size_t i;                                                                                       \
        for (i = 0; i < n; i++)                                                                         \
            values[i] = (type)(vr[i] == 11 ? c->n : c->whole[vr[i] - 20]);                              \
        return n == m ? OK : ERROR;                                                                     \
    }                                                                                                   \
    int fmi3Set##Type(tiny *c, const uint32_t *vr, size_t n, const type *values, size_t m)              \
    {                                                                                                   \
        size_t i;                                                                                       \
        if ((vr[0] == 27 && c->mode != 4) || !discrete(c)) /* 27 is a structural parameter */           \
            return ERROR;                                                                               \
        for (i = 0; i < n; i++)                                                                         \
            c->whole[vr[i] - 20] = (int64_t)values[i];                                                  \
        return n == m ? OK : ERROR;                                                                     \
    }
WHOLE(Int8, int8_t)
WHOLE(UInt8, uint8_t)
WHOLE(Int16, int16_t)
WHOLE(UInt16, uint16_t)
WHOLE(Int32, int32_t)
WHOLE(UInt32, uint32_t)
WHOLE(Int64, int64_t)
WHOLE(UInt64, uint64_t)
int fmi3GetFloat32(tiny *c, const uint32_t *vr, size_t n, float *values, size_t m)
{
    (void)vr;
    values[0] = c->single;
    return n == m ? OK : ERROR;
}
int fmi3SetFloat32(tiny *c, const uint32_t *vr, size_t n, const float *values, size_t m)
{
    (void)vr;
    c->single = values[0];
    return n == m ? OK : ERROR;
}
int fmi3GetBoolean(tiny *c, const uint32_t *vr, size_t n, bool *values, size_t m)
{
    size_t i;
    for (i = 0; i < n; i++)
        values[i] = vr[i] == 12 ? c->x > 0.5 : c->flag;
    return n == m ? OK : ERROR;
}
int fmi3SetBoolean(tiny *c, const uint32_t *vr, size_t n, const bool *values, size_t m)
{
    (void)vr;
    c->flag = values[0];
    return n == m ? OK : ERROR;
}
/* The texts are two elements. */
int fmi3GetString(tiny *c, const uint32_t *vr, size_t n, const char **values, size_t m)
{
    (void)vr, (void)n;
    values[0] = "fixed";
    if (m > 1)
        values[1] = c->text;
    return OK;
}
int fmi3SetString(tiny *c, const uint32_t *vr, size_t n, const char *const *values, size_t m)
{
    (void)vr, (void)n;
    if (m != 2 || strcmp(values[0], "fixed") != 0)
        return ERROR;
    snprintf(c->text, sizeof c->text, "%s", values[1]);
    return OK;
}
#endif

#ifdef ME
/* Model exchange. */
int NAME(EnterEventMode)(tiny *c)
{
    if (c->mode != 2)
        return ERROR;
    c->mode = 3;
    return OK;
}
int NAME(EnterContinuousTimeMode)(tiny *c)
{
    if (c->mode != 3 || (has(c, "twice") && c->crossed)) /* an update was asked for */
        return ERROR;
    c->mode = 2;
    return OK;
}
static void update(tiny *c, boolean *again, boolean *terminate, boolean *nominals, boolean *states, boolean *timed,
                   double *next)
{
    *again = *terminate = *nominals = *states = *timed = 0;
    *next = -1;
    if (has(c, "ball") && c->x <= 0 && c->v < 0) {
        c->x = 0;
        c->v = -c->v;
        c->n++;
        *states = 1;
    }
    if (has(c, "stairs")) {
        c->n = (int)floor(c->t + 1e-9);
        *timed = 1;
        *next = c->n + 1;
    }
    *again = has(c, "twice") && c->crossed == 0;
    c->crossed = *again;
    if (has(c, " end") && c->t > 1.5)
        *terminate = 1;
}
int NAME(SetTime)(tiny *c, double t)
{
    c->t = t;
    return c->mode == 2 ? OK : ERROR;
}
/* With ball the states are x and v, with stairs there is none. */
static size_t count(const tiny *c) { return has(c, "ball") ? 2 : has(c, "stairs") && !has(c, "ramp") ? 0 : 1; }
int NAME(SetContinuousStates)(tiny *c, const double *x, size_t n)
{
    if (n != count(c) || n == 0)
        return ERROR;
    c->x = x[0];
    if (n > 1)
        c->v = x[1];
    return OK;
}
int NAME(GetContinuousStates)(tiny *c, double *x, size_t n)
{
    if (n != count(c) || n == 0)
        return ERROR;
    x[0] = c->x;
    if (n > 1)
        x[1] = c->v;
    return OK;
}
int NAME(GetNominalsOfContinuousStates)(tiny *c, double *x, size_t n)
{
    size_t i;
    (void)c;
    for (i = 0; i < n; i++)
        x[i] = 1;
    return OK;
}
static int rates(tiny *c, double *dx, size_t n)
{
    if (n != count(c))
        return ERROR;
    if (has(c, "ball")) {
        dx[0] = c->v;
        dx[1] = -2;
    } else if (has(c, "decay"))
        dx[0] = 1 - c->x;
    else if (has(c, "fast")) { /* x = exp(-50 t) */
        if (c->x < 0)
            return DISCARD;
        dx[0] = -50 * c->x;
    } else if (has(c, "ramp"))
        dx[0] = c->n;
    else
        dx[0] = slope(c);
    return OK;
}
int NAME(GetEventIndicators)(tiny *c, double *z, size_t n)
{
    if (n != 1)
        return ERROR;
    z[0] = c->x == 0 && c->v == 0 ? 1 : c->x;
    return OK;
}
#if VERSION == 2
int fmi2GetDerivatives(tiny *c, double *dx, size_t n) { return rates(c, dx, n); }
typedef struct {
    boolean again, terminate, nominals, states, timed;
    double next;
} information;
int fmi2NewDiscreteStates(tiny *c, information *i)
{
    if (c->mode != 3)
        return ERROR;
    update(c, &i->again, &i->terminate, &i->nominals, &i->states, &i->timed, &i->next);
    return OK;
}
int fmi2CompletedIntegratorStep(tiny *c, boolean noSetPrior, boolean *event, boolean *terminate)
{
    (void)noSetPrior;
    *event = *terminate = 0;
    c->steps++;
    return has(c, " silent") ? ERROR : OK;
}
#else
int fmi3GetContinuousStateDerivatives(tiny *c, double *dx, size_t n) { return rates(c, dx, n); }
int fmi3UpdateDiscreteStates(tiny *c, bool *again, bool *terminate, bool *nominals, bool *states,
                             bool *timed, double *next)
{
    if (c->mode != 3)
        return ERROR;
    update(c, again, terminate, nominals, states, timed, next);
    return OK;
}
int fmi3CompletedIntegratorStep(tiny *c, bool noSetPrior, bool *event, bool *terminate)
{
    (void)noSetPrior;
    *event = *terminate = false;
    c->steps++;
    return has(c, " silent") ? ERROR : OK;
}
int fmi3GetNumberOfContinuousStates(tiny *c, size_t *n)
{
    *n = count(c);
    return OK;
}
int fmi3GetNumberOfEventIndicators(tiny *c, size_t *n)
{
    *n = has(c, "ball") ? 1 : 0;
    return OK;
}
#endif
#endif
