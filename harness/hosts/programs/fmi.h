/* The functions of FMI 2.0 and FMI 3.0 as a host sees them. Each list expands
 * S(name, arguments) for functions that return a status, and
 * O(name, result, arguments) for the others. Status, kind and other enumerations
 * are passed as int, which is what the C compilers of our platforms make of them. */
#ifndef HOSTS_FMI_H
#define HOSTS_FMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OK, WARNING, DISCARD, ERROR, FATAL };
enum { MODEL_EXCHANGE, CO_SIMULATION };

typedef void log2_function(void *environment, const char *instance, int status, const char *category,
                           const char *message, ...);
typedef void log3_function(void *environment, int status, const char *category, const char *message);
typedef void update_function(void *environment, double time, bool set_requested, bool get_allowed,
                             bool step_finished, bool can_return_early, bool *early_return_requested,
                             double *early_return_time);

struct callbacks2 {
    log2_function *log;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*step_finished)(void *, int);
    void *environment;
};

struct event_info2 {
    int discrete_states_needed, terminate, nominals_changed, values_changed, next_event_defined;
    double next_event;
};

#define FMI2_FUNCTIONS(S, O)                                                                         \
    O(GetTypesPlatform, const char *, (void))                                                        \
    O(GetVersion, const char *, (void))                                                              \
    O(Instantiate, void *, (const char *, int, const char *, const char *,                           \
                            const struct callbacks2 *, int, int))                                    \
    O(FreeInstance, void, (void *))                                                                  \
    S(SetDebugLogging, (void *, int, size_t, const char *const[]))                                   \
    S(SetupExperiment, (void *, int, double, double, int, double))                                   \
    S(EnterInitializationMode, (void *))                                                             \
    S(ExitInitializationMode, (void *))                                                              \
    S(Terminate, (void *))                                                                           \
    S(Reset, (void *))                                                                               \
    S(GetReal, (void *, const uint32_t[], size_t, double[]))                                         \
    S(GetInteger, (void *, const uint32_t[], size_t, int[]))                                         \
    S(GetBoolean, (void *, const uint32_t[], size_t, int[]))                                         \
    S(GetString, (void *, const uint32_t[], size_t, const char *[]))                                 \
    S(SetReal, (void *, const uint32_t[], size_t, const double[]))                                   \
    S(SetInteger, (void *, const uint32_t[], size_t, const int[]))                                   \
    S(SetBoolean, (void *, const uint32_t[], size_t, const int[]))                                   \
    S(SetString, (void *, const uint32_t[], size_t, const char *const[]))                            \
    S(GetFMUstate, (void *, void **))                                                                \
    S(SetFMUstate, (void *, void *))                                                                 \
    S(FreeFMUstate, (void *, void **))                                                               \
    S(SerializedFMUstateSize, (void *, void *, size_t *))                                            \
    S(SerializeFMUstate, (void *, void *, char[], size_t))                                           \
    S(DeSerializeFMUstate, (void *, const char[], size_t, void **))                                  \
    S(GetDirectionalDerivative, (void *, const uint32_t[], size_t, const uint32_t[], size_t,         \
                                 const double[], double[]))                                          \
    S(EnterEventMode, (void *))                                                                      \
    S(NewDiscreteStates, (void *, struct event_info2 *))                                             \
    S(EnterContinuousTimeMode, (void *))                                                             \
    S(CompletedIntegratorStep, (void *, int, int *, int *))                                          \
    S(SetTime, (void *, double))                                                                     \
    S(SetContinuousStates, (void *, const double[], size_t))                                         \
    S(GetDerivatives, (void *, double[], size_t))                                                    \
    S(GetEventIndicators, (void *, double[], size_t))                                                \
    S(GetContinuousStates, (void *, double[], size_t))                                               \
    S(GetNominalsOfContinuousStates, (void *, double[], size_t))                                     \
    S(SetRealInputDerivatives, (void *, const uint32_t[], size_t, const int[], const double[]))      \
    S(GetRealOutputDerivatives, (void *, const uint32_t[], size_t, const int[], double[]))           \
    S(DoStep, (void *, double, double, int))                                                         \
    S(CancelStep, (void *))                                                                          \
    S(GetStatus, (void *, int, int *))                                                               \
    S(GetRealStatus, (void *, int, double *))                                                        \
    S(GetIntegerStatus, (void *, int, int *))                                                        \
    S(GetBooleanStatus, (void *, int, int *))                                                        \
    S(GetStringStatus, (void *, int, const char **))

#define FMI3_FUNCTIONS(S, O)                                                                         \
    O(GetVersion, const char *, (void))                                                              \
    S(SetDebugLogging, (void *, bool, size_t, const char *const[]))                                  \
    O(InstantiateModelExchange, void *, (const char *, const char *, const char *, bool, bool,       \
                                         void *, log3_function *))                                   \
    O(InstantiateCoSimulation, void *, (const char *, const char *, const char *, bool, bool, bool,  \
                                        bool, const uint32_t[], size_t, void *, log3_function *,     \
                                        update_function *))                                          \
    O(InstantiateScheduledExecution, void *, (const char *, const char *, const char *, bool, bool,  \
                                              void *, log3_function *, void (*)(void *),             \
                                              void (*)(void), void (*)(void)))                       \
    O(FreeInstance, void, (void *))                                                                  \
    S(EnterInitializationMode, (void *, bool, double, double, bool, double))                         \
    S(ExitInitializationMode, (void *))                                                              \
    S(EnterEventMode, (void *))                                                                      \
    S(Terminate, (void *))                                                                           \
    S(Reset, (void *))                                                                               \
    S(GetFloat32, (void *, const uint32_t[], size_t, float[], size_t))                               \
    S(GetFloat64, (void *, const uint32_t[], size_t, double[], size_t))                              \
    S(GetInt8, (void *, const uint32_t[], size_t, int8_t[], size_t))                                 \
    S(GetUInt8, (void *, const uint32_t[], size_t, uint8_t[], size_t))                               \
    S(GetInt16, (void *, const uint32_t[], size_t, int16_t[], size_t))                               \
    S(GetUInt16, (void *, const uint32_t[], size_t, uint16_t[], size_t))                             \
    S(GetInt32, (void *, const uint32_t[], size_t, int32_t[], size_t))                               \
    S(GetUInt32, (void *, const uint32_t[], size_t, uint32_t[], size_t))                             \
    S(GetInt64, (void *, const uint32_t[], size_t, int64_t[], size_t))                               \
    S(GetUInt64, (void *, const uint32_t[], size_t, uint64_t[], size_t))                             \
    S(GetBoolean, (void *, const uint32_t[], size_t, bool[], size_t))                                \
    S(GetString, (void *, const uint32_t[], size_t, const char *[], size_t))                         \
    S(GetBinary, (void *, const uint32_t[], size_t, size_t[], const uint8_t *[], size_t))            \
    S(GetClock, (void *, const uint32_t[], size_t, bool[]))                                          \
    S(SetFloat32, (void *, const uint32_t[], size_t, const float[], size_t))                         \
    S(SetFloat64, (void *, const uint32_t[], size_t, const double[], size_t))                        \
    S(SetInt8, (void *, const uint32_t[], size_t, const int8_t[], size_t))                           \
    S(SetUInt8, (void *, const uint32_t[], size_t, const uint8_t[], size_t))                         \
    S(SetInt16, (void *, const uint32_t[], size_t, const int16_t[], size_t))                         \
    S(SetUInt16, (void *, const uint32_t[], size_t, const uint16_t[], size_t))                       \
    S(SetInt32, (void *, const uint32_t[], size_t, const int32_t[], size_t))                         \
    S(SetUInt32, (void *, const uint32_t[], size_t, const uint32_t[], size_t))                       \
    S(SetInt64, (void *, const uint32_t[], size_t, const int64_t[], size_t))                         \
    S(SetUInt64, (void *, const uint32_t[], size_t, const uint64_t[], size_t))                       \
    S(SetBoolean, (void *, const uint32_t[], size_t, const bool[], size_t))                          \
    S(SetString, (void *, const uint32_t[], size_t, const char *const[], size_t))                    \
    S(SetBinary, (void *, const uint32_t[], size_t, const size_t[], const uint8_t *const[], size_t)) \
    S(SetClock, (void *, const uint32_t[], size_t, const bool[]))                                    \
    S(GetNumberOfVariableDependencies, (void *, uint32_t, size_t *))                                 \
    S(GetVariableDependencies, (void *, uint32_t, size_t[], uint32_t[], size_t[], int[], size_t))    \
    S(GetFMUState, (void *, void **))                                                                \
    S(SetFMUState, (void *, void *))                                                                 \
    S(FreeFMUState, (void *, void **))                                                               \
    S(SerializedFMUStateSize, (void *, void *, size_t *))                                            \
    S(SerializeFMUState, (void *, void *, uint8_t[], size_t))                                        \
    S(DeserializeFMUState, (void *, const uint8_t[], size_t, void **))                               \
    S(GetDirectionalDerivative, (void *, const uint32_t[], size_t, const uint32_t[], size_t,         \
                                 const double[], size_t, double[], size_t))                          \
    S(GetAdjointDerivative, (void *, const uint32_t[], size_t, const uint32_t[], size_t,             \
                             const double[], size_t, double[], size_t))                              \
    S(EnterConfigurationMode, (void *))                                                              \
    S(ExitConfigurationMode, (void *))                                                               \
    S(GetIntervalDecimal, (void *, const uint32_t[], size_t, double[], int[]))                       \
    S(GetIntervalFraction, (void *, const uint32_t[], size_t, uint64_t[], uint64_t[], int[]))        \
    S(GetShiftDecimal, (void *, const uint32_t[], size_t, double[]))                                 \
    S(GetShiftFraction, (void *, const uint32_t[], size_t, uint64_t[], uint64_t[]))                  \
    S(SetIntervalDecimal, (void *, const uint32_t[], size_t, const double[]))                        \
    S(SetIntervalFraction, (void *, const uint32_t[], size_t, const uint64_t[], const uint64_t[]))   \
    S(SetShiftDecimal, (void *, const uint32_t[], size_t, const double[]))                           \
    S(SetShiftFraction, (void *, const uint32_t[], size_t, const uint64_t[], const uint64_t[]))      \
    S(EvaluateDiscreteStates, (void *))                                                              \
    S(UpdateDiscreteStates, (void *, bool *, bool *, bool *, bool *, bool *, double *))              \
    S(EnterContinuousTimeMode, (void *))                                                             \
    S(CompletedIntegratorStep, (void *, bool, bool *, bool *))                                       \
    S(SetTime, (void *, double))                                                                     \
    S(SetContinuousStates, (void *, const double[], size_t))                                         \
    S(GetContinuousStateDerivatives, (void *, double[], size_t))                                     \
    S(GetEventIndicators, (void *, double[], size_t))                                                \
    S(GetContinuousStates, (void *, double[], size_t))                                               \
    S(GetNominalsOfContinuousStates, (void *, double[], size_t))                                     \
    S(GetNumberOfEventIndicators, (void *, size_t *))                                                \
    S(GetNumberOfContinuousStates, (void *, size_t *))                                               \
    S(EnterStepMode, (void *))                                                                       \
    S(GetOutputDerivatives, (void *, const uint32_t[], size_t, const int32_t[], double[], size_t))   \
    S(DoStep, (void *, double, double, bool, bool *, bool *, bool *, double *))                      \
    S(ActivateModelPartition, (void *, uint32_t, double))

#define HOSTS_STATUS_MEMBER(name, arguments) int(*name) arguments;
#define HOSTS_OTHER_MEMBER(name, result, arguments) result(*name) arguments;
struct fmi2 {
    FMI2_FUNCTIONS(HOSTS_STATUS_MEMBER, HOSTS_OTHER_MEMBER)
};
struct fmi3 {
    FMI3_FUNCTIONS(HOSTS_STATUS_MEMBER, HOSTS_OTHER_MEMBER)
};

#endif
