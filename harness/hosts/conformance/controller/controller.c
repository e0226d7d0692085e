/* controller.c - an FMU 2.0 for co-simulation that holds the lean of a bicycle by its steer torque:
 *
 *     torque = -8 (lean - target) - 8 lean' - 25 steer',  lean' = wx cos(pitch) + wz sin(pitch)
 *
 * (Afzal 2018, equation 5.3, corrected). All variables are reals, in the order of enum. The output is
 * that of the inputs: the controller has no states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef void *component;
typedef unsigned reference;
enum { lean, pitch, wx, wz, steer_rate, torque, target, gain_lean, gain_lean_rate, gain_steer_rate, count };
enum { ok, warning, discard, error };
typedef struct { double value[count]; } controller;

static const double start[count] = {
    [target] = 0.13962634015954636, [gain_lean] = 8, [gain_lean_rate] = 8, [gain_steer_rate] = 25};

static void law(controller *c)
{
    double *v = c->value, rate = v[wx] * cos(v[pitch]) + v[wz] * sin(v[pitch]);
    v[torque] = -v[gain_lean] * (v[lean] - v[target]) - v[gain_lean_rate] * rate - v[gain_steer_rate] * v[steer_rate];
}

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }
EXPORT int fmi2SetDebugLogging(component c, int on, size_t n, const char *const categories[])
{
    (void)c, (void)on, (void)n, (void)categories;
    return ok;
}
EXPORT component fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                                 const void *callbacks, int visible, int logging)
{
    (void)name, (void)resources, (void)callbacks, (void)visible, (void)logging;
    if (type != 1 || strcmp(guid, "{lean-controller-1}") != 0)
        return NULL;
    controller *c = malloc(sizeof *c);
    if (c)
        memcpy(c->value, start, sizeof start);
    return c;
}
EXPORT void fmi2FreeInstance(component c) { free(c); }
EXPORT int fmi2SetupExperiment(component c, int tolerance, double value, double begin, int stop, double end)
{
    (void)c, (void)tolerance, (void)value, (void)begin, (void)stop, (void)end;
    return ok;
}
EXPORT int fmi2EnterInitializationMode(component c) { return (void)c, ok; }
EXPORT int fmi2ExitInitializationMode(component c) { return (void)c, ok; }
EXPORT int fmi2Terminate(component c) { return (void)c, ok; }
EXPORT int fmi2Reset(component c)
{
    memcpy(((controller *)c)->value, start, sizeof start);
    return ok;
}
EXPORT int fmi2GetReal(component c, const reference *r, size_t n, double *values)
{
    law(c);
    for (size_t i = 0; i < n; i++) {
        if (r[i] >= count)
            return error;
        values[i] = ((controller *)c)->value[r[i]];
    }
    return ok;
}
EXPORT int fmi2SetReal(component c, const reference *r, size_t n, const double *values)
{
    for (size_t i = 0; i < n; i++) {
        if (r[i] >= count || r[i] == torque)
            return error;
        ((controller *)c)->value[r[i]] = values[i];
    }
    return ok;
}
EXPORT int fmi2DoStep(component c, double t, double h, int last)
{
    (void)t, (void)last;
    law(c);
    return h > 0 ? ok : error;
}

/* What the standard wants to be there and this FMU does not have. */
#define NOTHING(name, ...) \
    EXPORT int name(__VA_ARGS__) { return error; }
NOTHING(fmi2GetInteger, component, const reference *, size_t, int *)
NOTHING(fmi2GetBoolean, component, const reference *, size_t, int *)
NOTHING(fmi2GetString, component, const reference *, size_t, const char **)
NOTHING(fmi2SetInteger, component, const reference *, size_t, const int *)
NOTHING(fmi2SetBoolean, component, const reference *, size_t, const int *)
NOTHING(fmi2SetString, component, const reference *, size_t, const char *const *)
NOTHING(fmi2GetFMUstate, component, void **)
NOTHING(fmi2SetFMUstate, component, void *)
NOTHING(fmi2FreeFMUstate, component, void **)
NOTHING(fmi2SerializedFMUstateSize, component, void *, size_t *)
NOTHING(fmi2SerializeFMUstate, component, void *, char *, size_t)
NOTHING(fmi2DeSerializeFMUstate, component, const char *, size_t, void **)
NOTHING(fmi2GetDirectionalDerivative, component, const reference *, size_t, const reference *, size_t, const double *,
        double *)
NOTHING(fmi2SetRealInputDerivatives, component, const reference *, size_t, const int *, const double *)
NOTHING(fmi2GetRealOutputDerivatives, component, const reference *, size_t, const int *, double *)
NOTHING(fmi2CancelStep, component)
NOTHING(fmi2GetStatus, component, int, int *)
NOTHING(fmi2GetRealStatus, component, int, double *)
NOTHING(fmi2GetIntegerStatus, component, int, int *)
NOTHING(fmi2GetBooleanStatus, component, int, int *)
NOTHING(fmi2GetStringStatus, component, int, const char **)
