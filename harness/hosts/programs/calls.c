#include "calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME(name, ...) #name,
static const char *const names2[] = {FMI2_FUNCTIONS(NAME, NAME)};
static const char *const names3[] = {FMI3_FUNCTIONS(NAME, NAME)};

_Static_assert(sizeof names2 / sizeof *names2 == CALLS2, "FMI 2.0 has 44 functions");
_Static_assert(sizeof names3 / sizeof *names3 == CALLS3, "FMI 3.0 has 75 functions");

int calls_count(const struct fmu *f) { return f->version == 2 ? CALLS2 : CALLS3; }

const char *call_name(const struct fmu *f, int k) { return f->version == 2 ? names2[k] : names3[k]; }

enum { ROOM = 64 };

/* What a call may be given. */
struct arguments {
    uint32_t references[ROOM], others[ROOM];
    double reals[ROOM], results[ROOM];
    float floats[ROOM];
    int ints[ROOM], more_ints[ROOM];
    bool flags[ROOM];
    size_t sizes[ROOM], more_sizes[ROOM];
    uint64_t longs[ROOM], more_longs[ROOM];
    const char *texts[ROOM];
    const uint8_t *binaries[ROOM];
    uint8_t bytes[4096];
};

static const double odd_reals[] = {0, -0.0, 1, -1, 0.001, 0.01, 0.5, 1e3, -1e3, 1e300, NAN, INFINITY, -INFINITY};
static const char *const odd_texts[] = {
    "",  "rk4",    "euler",     "fiala",          "%s%n", "#1#", "\xff\xfe", "plugin:", "plugin:none.so#f",
    "/", "inputs", "logEvents", "logStatusError", NULL};

#define PICK(list) (list)[random_next(random) % (sizeof(list) / sizeof *(list))]

static void fill(struct arguments *a, uint64_t *random)
{
    for (int n = 0; n < ROOM; n++) {
        uint64_t bits = random_next(random);
        uint32_t reference = (uint32_t)(bits % 16 == 0 ? bits >> 32 : (bits >> 32) % 400);
        a->references[n] = reference;
        a->others[n] = (uint32_t)random_next(random) % 400;
        a->reals[n] = PICK(odd_reals);
        a->results[n] = 0;
        a->floats[n] = (float)PICK(odd_reals);
        a->ints[n] = (int)(bits % 5) - 1;
        a->more_ints[n] = 0;
        a->flags[n] = bits & 1;
        a->sizes[n] = bits % 3;
        a->more_sizes[n] = 0;
        a->longs[n] = bits;
        a->more_longs[n] = 0;
        a->texts[n] = PICK(odd_texts);
        a->binaries[n] = a->bytes;
    }
    for (size_t n = 0; n < sizeof a->bytes; n++)
        a->bytes[n] = (uint8_t)random_next(random);
}

/* An array is occasionally NULL. */
#define ARRAY(array) (random_next(random) % 16 == 0 ? NULL : (array))

int call(const struct fmu *f, int k, void *handle, void **state, void *freed, uint64_t *random)
{
    static _Thread_local struct arguments room;
    struct arguments *a = &room;
    const struct fmi2 *f2 = &f->f2;
    const struct fmi3 *f3 = &f->f3;
    const char *name = call_name(f, k);
    fill(a, random);
    size_t n = random_next(random) % 4, m = random_next(random) % 8 == 0 ? n + 1 : n;
    size_t many = random_next(random) % ROOM;
    int flag = (int)(random_next(random) % 3);
    double t = PICK(odd_reals), h = PICK(odd_reals);
    if (h > 1) /* legal, and would take until the end of days */
        h = INFINITY;
    void *which = random_next(random) % 4 == 0 ? freed : *state;
    struct event_info2 info;
    struct callbacks2 callbacks = {NULL, NULL, NULL, NULL, NULL};
    const uint32_t *references = ARRAY(a->references), *others = ARRAY(a->others);

#define IS(function) if (strcmp(name, #function) == 0)
#define ONLY2(function, ...) IS(function) return f2->function(handle, ##__VA_ARGS__)
#define ONLY3(function, ...) IS(function) return f3->function(handle, ##__VA_ARGS__)
#define VALUES3(type, array)                                                         \
    ONLY3(Get##type, references, n, ARRAY(array), m);                                \
    ONLY3(Set##type, references, n, ARRAY(array), m)

    IS(FreeInstance) return NO_STATUS;
    if (f->version == 2) {
        IS(GetTypesPlatform) { MUST(strcmp(f2->GetTypesPlatform(), "default") == 0); return NO_STATUS; }
        IS(GetVersion) { MUST(strcmp(f2->GetVersion(), "2.0") == 0); return NO_STATUS; }
        IS(Instantiate) {
            MUST(f2->Instantiate(ARRAY("name"), flag, PICK(odd_texts), PICK(odd_texts), ARRAY(&callbacks), 0, 1) ==
                 NULL);
            return NO_STATUS;
        }
        ONLY2(SetDebugLogging, flag, n, ARRAY(a->texts));
        ONLY2(SetupExperiment, flag, t, h, flag, h);
        ONLY2(EnterInitializationMode);
        ONLY2(ExitInitializationMode);
        ONLY2(Terminate);
        ONLY2(Reset);
        ONLY2(GetReal, references, n, ARRAY(a->results));
        ONLY2(GetInteger, references, n, ARRAY(a->ints));
        ONLY2(GetBoolean, references, n, ARRAY(a->ints));
        ONLY2(GetString, references, n, ARRAY(a->texts));
        ONLY2(SetReal, references, n, ARRAY(a->reals));
        ONLY2(SetInteger, references, n, ARRAY(a->ints));
        ONLY2(SetBoolean, references, n, ARRAY(a->ints));
        ONLY2(SetString, references, n, ARRAY(a->texts));
        ONLY2(GetFMUstate, ARRAY(state));
        ONLY2(SetFMUstate, which);
        ONLY2(FreeFMUstate, ARRAY(state));
        ONLY2(SerializedFMUstateSize, which, ARRAY(a->sizes));
        ONLY2(SerializeFMUstate, which, ARRAY((char *)a->bytes), sizeof a->bytes);
        ONLY2(DeSerializeFMUstate, ARRAY((char *)a->bytes), sizeof a->bytes >> flag, ARRAY(state));
        ONLY2(GetDirectionalDerivative, references, n, others, m, ARRAY(a->reals), ARRAY(a->results));
        ONLY2(EnterEventMode);
        ONLY2(NewDiscreteStates, ARRAY(&info));
        ONLY2(EnterContinuousTimeMode);
        ONLY2(CompletedIntegratorStep, flag, ARRAY(a->ints), ARRAY(a->more_ints));
        ONLY2(SetTime, t);
        ONLY2(SetContinuousStates, ARRAY(a->reals), many);
        ONLY2(GetDerivatives, ARRAY(a->results), many);
        ONLY2(GetEventIndicators, ARRAY(a->results), many);
        ONLY2(GetContinuousStates, ARRAY(a->results), many);
        ONLY2(GetNominalsOfContinuousStates, ARRAY(a->results), many);
        ONLY2(SetRealInputDerivatives, references, n, ARRAY(a->ints), ARRAY(a->reals));
        ONLY2(GetRealOutputDerivatives, references, n, ARRAY(a->ints), ARRAY(a->results));
        ONLY2(DoStep, t, h, flag);
        ONLY2(CancelStep);
        ONLY2(GetStatus, a->ints[0], ARRAY(a->more_ints));
        ONLY2(GetRealStatus, a->ints[0], ARRAY(a->results));
        ONLY2(GetIntegerStatus, a->ints[0], ARRAY(a->more_ints));
        ONLY2(GetBooleanStatus, a->ints[0], ARRAY(a->more_ints));
        ONLY2(GetStringStatus, a->ints[0], ARRAY(a->texts));
    } else {
        IS(GetVersion) { MUST(strcmp(f3->GetVersion(), "3.0") == 0); return NO_STATUS; }
        IS(InstantiateModelExchange) {
            MUST(f3->InstantiateModelExchange(ARRAY("name"), PICK(odd_texts), PICK(odd_texts), false, true, NULL,
                                              NULL) == NULL);
            return NO_STATUS;
        }
        IS(InstantiateCoSimulation) {
            MUST(f3->InstantiateCoSimulation(ARRAY("name"), PICK(odd_texts), PICK(odd_texts), false, true, flag, flag,
                                             references, n, NULL, NULL, NULL) == NULL);
            return NO_STATUS;
        }
        IS(InstantiateScheduledExecution) {
            MUST(f3->InstantiateScheduledExecution("name", f->token, f->resources, false, true, NULL, NULL, NULL, NULL,
                                                   NULL) == NULL);
            return NO_STATUS;
        }
        ONLY3(SetDebugLogging, flag, n, ARRAY(a->texts));
        ONLY3(EnterInitializationMode, flag, t, h, flag, h);
        ONLY3(ExitInitializationMode);
        ONLY3(EnterEventMode);
        ONLY3(Terminate);
        ONLY3(Reset);
        VALUES3(Float32, a->floats);
        VALUES3(Float64, a->reals);
        VALUES3(Int8, (int8_t *)a->bytes);
        VALUES3(UInt8, a->bytes);
        VALUES3(Int16, (int16_t *)a->longs);
        VALUES3(UInt16, (uint16_t *)a->longs);
        VALUES3(Int32, a->ints);
        VALUES3(UInt32, (uint32_t *)a->longs);
        VALUES3(Int64, (int64_t *)a->longs);
        VALUES3(UInt64, a->longs);
        VALUES3(Boolean, a->flags);
        VALUES3(String, a->texts);
        ONLY3(GetBinary, references, n, ARRAY(a->sizes), ARRAY(a->binaries), m);
        ONLY3(SetBinary, references, n, ARRAY(a->sizes), ARRAY(a->binaries), m);
        ONLY3(GetClock, references, n, ARRAY(a->flags));
        ONLY3(SetClock, references, n, ARRAY(a->flags));
        ONLY3(GetNumberOfVariableDependencies, a->references[0], ARRAY(a->sizes));
        ONLY3(GetVariableDependencies, a->references[0], ARRAY(a->sizes), ARRAY(a->others), ARRAY(a->more_sizes),
              ARRAY(a->ints), many);
        ONLY3(GetFMUState, ARRAY(state));
        ONLY3(SetFMUState, which);
        ONLY3(FreeFMUState, ARRAY(state));
        ONLY3(SerializedFMUStateSize, which, ARRAY(a->sizes));
        ONLY3(SerializeFMUState, which, ARRAY(a->bytes), sizeof a->bytes);
        ONLY3(DeserializeFMUState, ARRAY(a->bytes), sizeof a->bytes >> flag, ARRAY(state));
        ONLY3(GetDirectionalDerivative, references, n, others, m, ARRAY(a->reals), m, ARRAY(a->results), n);
        ONLY3(GetAdjointDerivative, references, n, others, m, ARRAY(a->reals), n, ARRAY(a->results), m);
        ONLY3(EnterConfigurationMode);
        ONLY3(ExitConfigurationMode);
        ONLY3(GetIntervalDecimal, references, n, ARRAY(a->results), ARRAY(a->ints));
        ONLY3(GetIntervalFraction, references, n, ARRAY(a->longs), ARRAY(a->more_longs), ARRAY(a->ints));
        ONLY3(GetShiftDecimal, references, n, ARRAY(a->results));
        ONLY3(GetShiftFraction, references, n, ARRAY(a->longs), ARRAY(a->more_longs));
        ONLY3(SetIntervalDecimal, references, n, ARRAY(a->reals));
        ONLY3(SetIntervalFraction, references, n, ARRAY(a->longs), ARRAY(a->more_longs));
        ONLY3(SetShiftDecimal, references, n, ARRAY(a->reals));
        ONLY3(SetShiftFraction, references, n, ARRAY(a->longs), ARRAY(a->more_longs));
        ONLY3(EvaluateDiscreteStates);
        ONLY3(UpdateDiscreteStates, ARRAY(a->flags), ARRAY(a->flags + 1), ARRAY(a->flags + 2), ARRAY(a->flags + 3),
              ARRAY(a->flags + 4), ARRAY(a->results));
        ONLY3(EnterContinuousTimeMode);
        ONLY3(CompletedIntegratorStep, flag, ARRAY(a->flags), ARRAY(a->flags + 1));
        ONLY3(SetTime, t);
        ONLY3(SetContinuousStates, ARRAY(a->reals), many);
        ONLY3(GetContinuousStateDerivatives, ARRAY(a->results), many);
        ONLY3(GetEventIndicators, ARRAY(a->results), many);
        ONLY3(GetContinuousStates, ARRAY(a->results), many);
        ONLY3(GetNominalsOfContinuousStates, ARRAY(a->results), many);
        ONLY3(GetNumberOfEventIndicators, ARRAY(a->sizes));
        ONLY3(GetNumberOfContinuousStates, ARRAY(a->sizes));
        ONLY3(EnterStepMode);
        ONLY3(GetOutputDerivatives, references, n, ARRAY(a->ints), ARRAY(a->results), m);
        ONLY3(DoStep, t, h, flag, ARRAY(a->flags), ARRAY(a->flags + 1), ARRAY(a->flags + 2), ARRAY(a->results));
        ONLY3(ActivateModelPartition, a->references[0], t);
    }
    figure("  no call for %s\n", name);
    _exit(1);
}
