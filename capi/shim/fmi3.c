//go:build ignore

/* The 75 functions of FMI 3.0. */
#include "fmi3.h"

#include "shim.h"

#define STATUS fmi3Status

typedef fmi3Instance I;
typedef fmi3ValueReference VR;

static void deliver3(instance *i, int32_t status, const char *category, const char *text)
{
    ((fmi3LogMessageCallback)i->logger)(i->environment, (fmi3Status)status, category, text);
}

static void update3(instance *i, skidpad_update *answer)
{
    const skidpad_window *w = i->window;
    fmi3Boolean early = false;
    ((fmi3IntermediateUpdateCallback)i->updater)(i->environment, w->reached, w->set_wanted != 0, true, true,
                                                 i->early_return != 0, &early, &answer->until);
    answer->early_return = early;
}

static I instantiate(const char *name, skidpad_settings settings, fmi3InstanceEnvironment environment,
                     fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback updater)
{
    instance i = {.update = update3, .updater = (void (*)(void))updater, .early_return = settings.early_return};
    if (logMessage != NULL) {
        i.deliver = deliver3;
        i.logger = (void (*)(void))logMessage;
        i.environment = environment;
    }
    settings.version = 3;
    return instance_start(&i, &settings, name == NULL || name[0] == 0 ? "the instance name is missing" : NULL,
                          !settings.logging);
}

/* For arrays of n references and m values, which have to be as many: every variable
 * is a scalar. */
#define CALL_VALUES(n, m, present, expression) CALL(VALUES(n, m, present, expression))
#define VALUES(n, m, present, expression)                                                                   \
    ((n) != (m) ? core->refuse(w, "nValues differs from nValueReferences; every variable has one value") \
                    : ((n) == 0 || (present)) ? (expression)                                                \
                                              : refuse_null(w, __func__))

FMI3_EXPORT const char *fmi3GetVersion(void) { return "3.0"; }

FMI3_EXPORT fmi3Status fmi3SetDebugLogging(I c, fmi3Boolean loggingOn, size_t nCategories,
                                           const fmi3String categories[])
{
    CALL_WITH(nCategories == 0 || categories != NULL, core->set_debug_logging(w, loggingOn, nCategories, categories));
}

FMI3_EXPORT I fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                           fmi3String resourcePath, fmi3Boolean visible, fmi3Boolean loggingOn,
                                           fmi3InstanceEnvironment instanceEnvironment,
                                           fmi3LogMessageCallback logMessage)
{
    const skidpad_settings settings = {.token = instantiationToken, .resources = resourcePath, .logging = loggingOn};
    (void)visible; /* there is nothing to be seen */
    return instantiate(instanceName, settings, instanceEnvironment, logMessage, NULL);
}

FMI3_EXPORT I fmi3InstantiateCoSimulation(fmi3String instanceName, fmi3String instantiationToken,
                                          fmi3String resourcePath, fmi3Boolean visible, fmi3Boolean loggingOn,
                                          fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
                                          const VR requiredIntermediateVariables[],
                                          size_t nRequiredIntermediateVariables,
                                          fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage,
                                          fmi3IntermediateUpdateCallback intermediateUpdate)
{
    const skidpad_settings settings = {
        .cosimulation = 1,
        .token = instantiationToken,
        .resources = resourcePath,
        .logging = loggingOn,
        .event_mode = eventModeUsed,
        .early_return = earlyReturnAllowed,
        .intermediate = intermediateUpdate != NULL,
        .references = requiredIntermediateVariables,
        .reference_count = nRequiredIntermediateVariables,
    };
    (void)visible;
    return instantiate(instanceName, settings, instanceEnvironment, logMessage, intermediateUpdate);
}

FMI3_EXPORT I fmi3InstantiateScheduledExecution(fmi3String instanceName, fmi3String instantiationToken,
                                                fmi3String resourcePath, fmi3Boolean visible, fmi3Boolean loggingOn,
                                                fmi3InstanceEnvironment instanceEnvironment,
                                                fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
                                                fmi3LockPreemptionCallback lockPreemption,
                                                fmi3UnlockPreemptionCallback unlockPreemption)
{
    (void)instanceName, (void)instantiationToken, (void)resourcePath, (void)visible;
    (void)clockUpdate, (void)lockPreemption, (void)unlockPreemption;
    if (logMessage != NULL && loggingOn)
        logMessage(instanceEnvironment, fmi3Error, "logStatusError",
                   "this FMU has no Scheduled Execution; use Co-Simulation or Model Exchange");
    return NULL;
}

FMI3_EXPORT void fmi3FreeInstance(I c) { instance_end(c); }

FMI3_EXPORT fmi3Status fmi3EnterInitializationMode(I c, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                                   fmi3Float64 startTime, fmi3Boolean stopTimeDefined,
                                                   fmi3Float64 stopTime)
{
    (void)toleranceDefined, (void)tolerance; /* solvers have fixed steps */
    CALL(core->enter_initialization(w, 1, startTime, stopTimeDefined, stopTime));
}

FMI3_EXPORT fmi3Status fmi3ExitInitializationMode(I c) { CALL(core->call(w, SKIDPAD_EXIT_INITIALIZATION)); }

FMI3_EXPORT fmi3Status fmi3EnterEventMode(I c) { CALL(core->call(w, SKIDPAD_ENTER_EVENT_MODE)); }

FMI3_EXPORT fmi3Status fmi3Terminate(I c) { CALL(core->call(w, SKIDPAD_TERMINATE)); }

FMI3_EXPORT fmi3Status fmi3Reset(I c) { CALL(core->call(w, SKIDPAD_RESET)); }

FMI3_EXPORT fmi3Status fmi3GetFloat64(I c, const VR vr[], size_t nvr, fmi3Float64 values[], size_t nValues)
{
    CALL_OR(nvr == nValues && window_get(i->window, vr, nvr, values),
            VALUES(nvr, nValues, vr != NULL && values != NULL, core->get(w, 0, vr, nvr, values)));
}

FMI3_EXPORT fmi3Status fmi3SetFloat64(I c, const VR vr[], size_t nvr, const fmi3Float64 values[], size_t nValues)
{
    CALL_OR(nvr == nValues && window_set(i->window, vr, nvr, values),
            VALUES(nvr, nValues, vr != NULL && values != NULL, core->set_real(w, vr, nvr, values)));
}

static int32_t get_boolean(skidpad_window *w, const VR vr[], size_t nvr, fmi3Boolean values[])
{
    int32_t status = nvr == 0 ? core->get(w, 1, NULL, 0, NULL) : OK;
    for (size_t k = 0; k < nvr; k++) {
        double x;
        int32_t s = core->get(w, 1, &vr[k], 1, &x);
        if (s > WARNING)
            return s;
        status = s > status ? s : status;
        values[k] = x != 0;
    }
    return status;
}

FMI3_EXPORT fmi3Status fmi3GetBoolean(I c, const VR vr[], size_t nvr, fmi3Boolean values[], size_t nValues)
{
    CALL_VALUES(nvr, nValues, vr != NULL && values != NULL, get_boolean(w, vr, nvr, values));
}

FMI3_EXPORT fmi3Status fmi3SetBoolean(I c, const VR vr[], size_t nvr, const fmi3Boolean values[], size_t nValues)
{
    CALL_VALUES(nvr, nValues, vr != NULL && values != NULL, core->set_boolean(w, vr, nvr));
}

FMI3_EXPORT fmi3Status fmi3GetString(I c, const VR vr[], size_t nvr, fmi3String values[], size_t nValues)
{
    CALL_VALUES(nvr, nValues, vr != NULL && values != NULL, core->get_string(w, vr, nvr, values));
}

FMI3_EXPORT fmi3Status fmi3SetString(I c, const VR vr[], size_t nvr, const fmi3String values[], size_t nValues)
{
    CALL_VALUES(nvr, nValues, vr != NULL && values != NULL, core->set_string(w, vr, nvr, values));
}

/* Types that no variable has. */
#define ABSENT(type)                                                                                        \
    FMI3_EXPORT fmi3Status fmi3Get##type(I c, const VR vr[], size_t nvr, fmi3##type values[], size_t nValues) \
    {                                                                                                       \
        (void)values;                                                                                       \
        CALL_VALUES(nvr, nValues, vr != NULL, core->absent(w, 0, #type, vr, nvr));                          \
    }                                                                                                       \
    FMI3_EXPORT fmi3Status fmi3Set##type(I c, const VR vr[], size_t nvr, const fmi3##type values[], size_t nValues) \
    {                                                                                                       \
        (void)values;                                                                                       \
        CALL_VALUES(nvr, nValues, vr != NULL, core->absent(w, 1, #type, vr, nvr));                          \
    }
ABSENT(Float32)
ABSENT(Int8)
ABSENT(UInt8)
ABSENT(Int16)
ABSENT(UInt16)
ABSENT(Int32)
ABSENT(UInt32)
ABSENT(Int64)
ABSENT(UInt64)

FMI3_EXPORT fmi3Status fmi3GetBinary(I c, const VR vr[], size_t nvr, size_t valueSizes[], fmi3Binary values[],
                                     size_t nValues)
{
    (void)valueSizes, (void)values;
    CALL_VALUES(nvr, nValues, vr != NULL, core->absent(w, 0, "Binary", vr, nvr));
}

FMI3_EXPORT fmi3Status fmi3SetBinary(I c, const VR vr[], size_t nvr, const size_t valueSizes[],
                                     const fmi3Binary values[], size_t nValues)
{
    (void)valueSizes, (void)values;
    CALL_VALUES(nvr, nValues, vr != NULL, core->absent(w, 1, "Binary", vr, nvr));
}

/* Clocks, of which there are none. */
#define NO_CLOCK(set) CALL_WITH(nvr == 0 || vr != NULL, core->absent(w, set, "Clock", vr, nvr))

FMI3_EXPORT fmi3Status fmi3GetClock(I c, const VR vr[], size_t nvr, fmi3Clock values[])
{
    (void)values;
    NO_CLOCK(0);
}

FMI3_EXPORT fmi3Status fmi3SetClock(I c, const VR vr[], size_t nvr, const fmi3Clock values[])
{
    (void)values;
    NO_CLOCK(1);
}

FMI3_EXPORT fmi3Status fmi3GetIntervalDecimal(I c, const VR vr[], size_t nvr, fmi3Float64 intervals[],
                                              fmi3IntervalQualifier qualifiers[])
{
    (void)intervals, (void)qualifiers;
    NO_CLOCK(0);
}

FMI3_EXPORT fmi3Status fmi3GetIntervalFraction(I c, const VR vr[], size_t nvr, fmi3UInt64 counters[],
                                               fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
{
    (void)counters, (void)resolutions, (void)qualifiers;
    NO_CLOCK(0);
}

FMI3_EXPORT fmi3Status fmi3GetShiftDecimal(I c, const VR vr[], size_t nvr, fmi3Float64 shifts[])
{
    (void)shifts;
    NO_CLOCK(0);
}

FMI3_EXPORT fmi3Status fmi3GetShiftFraction(I c, const VR vr[], size_t nvr, fmi3UInt64 counters[],
                                            fmi3UInt64 resolutions[])
{
    (void)counters, (void)resolutions;
    NO_CLOCK(0);
}

FMI3_EXPORT fmi3Status fmi3SetIntervalDecimal(I c, const VR vr[], size_t nvr, const fmi3Float64 intervals[])
{
    (void)intervals;
    NO_CLOCK(1);
}

FMI3_EXPORT fmi3Status fmi3SetIntervalFraction(I c, const VR vr[], size_t nvr, const fmi3UInt64 counters[],
                                               const fmi3UInt64 resolutions[])
{
    (void)counters, (void)resolutions;
    NO_CLOCK(1);
}

FMI3_EXPORT fmi3Status fmi3SetShiftDecimal(I c, const VR vr[], size_t nvr, const fmi3Float64 shifts[])
{
    (void)shifts;
    NO_CLOCK(1);
}

FMI3_EXPORT fmi3Status fmi3SetShiftFraction(I c, const VR vr[], size_t nvr, const fmi3UInt64 counters[],
                                            const fmi3UInt64 resolutions[])
{
    (void)counters, (void)resolutions;
    NO_CLOCK(1);
}

FMI3_EXPORT fmi3Status fmi3ActivateModelPartition(I c, VR clockReference, fmi3Float64 activationTime)
{
    (void)clockReference, (void)activationTime;
    CALL(core->refuse(w, "there is no model partition: this FMU has no Scheduled Execution"));
}

FMI3_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(I c, VR valueReference, size_t *nDependencies)
{
    CALL_WITH(nDependencies != NULL, core->dependencies(w, valueReference, nDependencies, NULL, 0));
}

static int32_t dependencies(skidpad_window *w, VR dependent, size_t elementIndicesOfDependent[], VR independents[],
                            size_t elementIndicesOfIndependents[], fmi3DependencyKind kinds[], size_t n)
{
    size_t count = n;
    int32_t status = core->dependencies(w, dependent, &count, independents, n);
    if (status != OK)
        return status;
    for (size_t k = 0; k < n; k++) {
        elementIndicesOfDependent[k] = elementIndicesOfIndependents[k] = 0; /* all of a scalar */
        kinds[k] = fmi3Dependent;
    }
    return OK;
}

FMI3_EXPORT fmi3Status fmi3GetVariableDependencies(I c, VR dependent, size_t elementIndicesOfDependent[],
                                                   VR independents[], size_t elementIndicesOfIndependents[],
                                                   fmi3DependencyKind dependencyKinds[], size_t nDependencies)
{
    CALL_WITH(nDependencies == 0 || (elementIndicesOfDependent != NULL && independents != NULL &&
                                     elementIndicesOfIndependents != NULL && dependencyKinds != NULL),
              dependencies(w, dependent, elementIndicesOfDependent, independents, elementIndicesOfIndependents,
                           dependencyKinds, nDependencies));
}

FMI3_EXPORT fmi3Status fmi3GetFMUState(I c, fmi3FMUState *FMUState)
{
    CALL_WITH(FMUState != NULL, get_state(w, FMUState));
}

FMI3_EXPORT fmi3Status fmi3SetFMUState(I c, fmi3FMUState FMUState) { CALL(core->state_set(w, (uintptr_t)FMUState)); }

FMI3_EXPORT fmi3Status fmi3FreeFMUState(I c, fmi3FMUState *FMUState) { CALL(free_state(w, FMUState)); }

FMI3_EXPORT fmi3Status fmi3SerializedFMUStateSize(I c, fmi3FMUState FMUState, size_t *size)
{
    CALL_WITH(size != NULL, core->state_size(w, (uintptr_t)FMUState, size));
}

FMI3_EXPORT fmi3Status fmi3SerializeFMUState(I c, fmi3FMUState FMUState, fmi3Byte serializedState[], size_t size)
{
    CALL_WITH(serializedState != NULL, core->state_write(w, (uintptr_t)FMUState, serializedState, size));
}

FMI3_EXPORT fmi3Status fmi3DeserializeFMUState(I c, const fmi3Byte serializedState[], size_t size,
                                               fmi3FMUState *FMUState)
{
    CALL_WITH(serializedState != NULL && FMUState != NULL, read_state(w, serializedState, size, FMUState));
}

#define DERIVATIVE(adjoint)                                                                                         \
    CALL_WITH(                                                                                                      \
        (nUnknowns == 0 || unknowns != NULL) && (nKnowns == 0 || knowns != NULL) && (nSeed == 0 || seed != NULL) && \
            (nSensitivity == 0 || sensitivity != NULL),                                                             \
        core->derivatives(w, adjoint, unknowns, nUnknowns, knowns, nKnowns, seed, nSeed, sensitivity, nSensitivity))

FMI3_EXPORT fmi3Status fmi3GetDirectionalDerivative(I c, const VR unknowns[], size_t nUnknowns, const VR knowns[],
                                                    size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                                    fmi3Float64 sensitivity[], size_t nSensitivity)
{
    DERIVATIVE(0);
}

FMI3_EXPORT fmi3Status fmi3GetAdjointDerivative(I c, const VR unknowns[], size_t nUnknowns, const VR knowns[],
                                                size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                                fmi3Float64 sensitivity[], size_t nSensitivity)
{
    DERIVATIVE(1);
}

FMI3_EXPORT fmi3Status fmi3EnterConfigurationMode(I c)
{
    CALL(core->refuse(w, "there is no Configuration Mode: the model has no structural parameters"));
}

FMI3_EXPORT fmi3Status fmi3ExitConfigurationMode(I c)
{
    CALL(core->refuse(w, "there is no Configuration Mode: the model has no structural parameters"));
}

FMI3_EXPORT fmi3Status fmi3EvaluateDiscreteStates(I c) { CALL(core->call(w, SKIDPAD_EVALUATE_DISCRETE_STATES)); }

/* Updates discrete states, and tells the time of the next sample. */
static int32_t updated(skidpad_window *w, fmi3Boolean *defined, fmi3Float64 *at)
{
    const int32_t status = core->call(w, SKIDPAD_UPDATE_DISCRETE_STATES);
    *defined = w->event_defined != 0;
    *at = w->event_defined ? w->next_event : 0;
    return status;
}

FMI3_EXPORT fmi3Status fmi3UpdateDiscreteStates(I c, fmi3Boolean *discreteStatesNeedUpdate,
                                                fmi3Boolean *terminateSimulation,
                                                fmi3Boolean *nominalsOfContinuousStatesChanged,
                                                fmi3Boolean *valuesOfContinuousStatesChanged,
                                                fmi3Boolean *nextEventTimeDefined, fmi3Float64 *nextEventTime)
{
    fmi3Boolean *const flags[] = {discreteStatesNeedUpdate, terminateSimulation, nominalsOfContinuousStatesChanged,
                                  valuesOfContinuousStatesChanged, nextEventTimeDefined};
    int present = nextEventTime != NULL;
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        if (flags[k] != NULL)
            *flags[k] = false;
        else
            present = 0;
    }
    if (nextEventTime != NULL)
        *nextEventTime = 0;
    CALL_WITH(present, updated(w, nextEventTimeDefined, nextEventTime));
}

FMI3_EXPORT fmi3Status fmi3EnterContinuousTimeMode(I c) { CALL(core->call(w, SKIDPAD_ENTER_CONTINUOUS_TIME_MODE)); }

FMI3_EXPORT fmi3Status fmi3CompletedIntegratorStep(I c, fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                                   fmi3Boolean *enterEventMode, fmi3Boolean *terminateSimulation)
{
    (void)noSetFMUStatePriorToCurrentPoint;
    if (enterEventMode != NULL)
        *enterEventMode = false;
    if (terminateSimulation != NULL)
        *terminateSimulation = false;
    CALL_WITH(enterEventMode != NULL && terminateSimulation != NULL, core->call(w, SKIDPAD_COMPLETED_INTEGRATOR_STEP));
}

FMI3_EXPORT fmi3Status fmi3SetTime(I c, fmi3Float64 time) { CALL(core->set_time(w, time)); }

FMI3_EXPORT fmi3Status fmi3SetContinuousStates(I c, const fmi3Float64 continuousStates[], size_t nContinuousStates)
{
    CALL_WITH(nContinuousStates == 0 || continuousStates != NULL,
              core->set_states(w, continuousStates, nContinuousStates));
}

#define READ(what, x, n) \
    CALL_OR(fast_read(i, what, x, n), (n) == 0 || (x) != NULL ? core->read(w, what, x, n) : refuse_null(w, __func__))

FMI3_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(I c, fmi3Float64 derivatives[], size_t nContinuousStates)
{
    READ(SKIDPAD_DERIVATIVES, derivatives, nContinuousStates);
}

FMI3_EXPORT fmi3Status fmi3GetEventIndicators(I c, fmi3Float64 eventIndicators[], size_t nEventIndicators)
{
    READ(SKIDPAD_INDICATORS, eventIndicators, nEventIndicators);
}

FMI3_EXPORT fmi3Status fmi3GetContinuousStates(I c, fmi3Float64 continuousStates[], size_t nContinuousStates)
{
    READ(SKIDPAD_STATES, continuousStates, nContinuousStates);
}

FMI3_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(I c, fmi3Float64 nominals[], size_t nContinuousStates)
{
    CALL_WITH(nContinuousStates == 0 || nominals != NULL, core->read(w, SKIDPAD_NOMINALS, nominals, nContinuousStates));
}

FMI3_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(I c, size_t *nEventIndicators)
{
    size_t states;
    CALL_WITH(nEventIndicators != NULL, core->counts(w, &states, nEventIndicators));
}

FMI3_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(I c, size_t *nContinuousStates)
{
    size_t indicators;
    CALL_WITH(nContinuousStates != NULL, core->counts(w, nContinuousStates, &indicators));
}

FMI3_EXPORT fmi3Status fmi3EnterStepMode(I c) { CALL(core->call(w, SKIDPAD_ENTER_STEP_MODE)); }

FMI3_EXPORT fmi3Status fmi3GetOutputDerivatives(I c, const VR vr[], size_t nvr, const fmi3Int32 orders[],
                                                fmi3Float64 values[], size_t nValues)
{
    CALL_VALUES(nvr, nValues, vr != NULL && orders != NULL && values != NULL,
                core->get_output_derivatives(w, vr, nvr, orders, values));
}

FMI3_EXPORT fmi3Status fmi3DoStep(I c, fmi3Float64 currentCommunicationPoint, fmi3Float64 communicationStepSize,
                                  fmi3Boolean noSetFMUStatePriorToCurrentPoint, fmi3Boolean *eventHandlingNeeded,
                                  fmi3Boolean *terminateSimulation, fmi3Boolean *earlyReturn,
                                  fmi3Float64 *lastSuccessfulTime)
{
    (void)noSetFMUStatePriorToCurrentPoint;
    instance *i = enter(c);
    if (i == NULL)
        return fmi3Error;
    if (eventHandlingNeeded == NULL || terminateSimulation == NULL || earlyReturn == NULL || lastSuccessfulTime == NULL)
        return (fmi3Status)leave(i, refuse_null(i->window, __func__));
    int32_t status = instance_step(i, currentCommunicationPoint, communicationStepSize);
    *eventHandlingNeeded = i->window->event_needed != 0;
    *terminateSimulation = false;
    *earlyReturn = i->window->returned_early != 0;
    *lastSuccessfulTime = i->window->reached;
    return (fmi3Status)leave(i, status);
}
