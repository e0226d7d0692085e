//go:build ignore

/* The 44 functions of FMI 2.0. */
#include "fmi2.h"

#include "shim.h"
#include "uri.h"

#define STATUS fmi2Status

static void deliver2(instance *i, int32_t status, const char *category, const char *text)
{
    fmi2CallbackLogger logger = (fmi2CallbackLogger)i->logger;
    logger(i->environment, i->name, (fmi2Status)status, category, text);
}

FMI2_EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }

FMI2_EXPORT const char *fmi2GetVersion(void) { return "2.0"; }

FMI2_EXPORT fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                                          fmi2String fmuResourceLocation, const fmi2CallbackFunctions *functions,
                                          fmi2Boolean visible, fmi2Boolean loggingOn)
{
    const char *problem = NULL;
    const char *folder = fmuResourceLocation ? path_of_uri(fmuResourceLocation) : NULL;
    instance i = {.name = instanceName ? instanceName : ""};
    (void)visible; /* there is nothing to be seen */
    if (functions != NULL && functions->logger != NULL) {
        i.deliver = deliver2;
        i.formats = 1;
        i.logger = (void (*)(void))functions->logger;
        i.environment = functions->componentEnvironment;
    }
    if (fmuResourceLocation != NULL && folder == NULL)
        problem = no_memory;
    else if (i.name[0] == 0)
        problem = "the instance name is missing";
    else if (fmuType != fmi2ModelExchange && fmuType != fmi2CoSimulation)
        problem = "the type of the instance is neither model exchange nor co-simulation";
    const skidpad_settings settings = {
        .version = 2,
        .cosimulation = fmuType == fmi2CoSimulation,
        .token = fmuGUID,
        .resources = folder,
        .logging = loggingOn != 0,
    };
    void *handle = instance_start(&i, &settings, problem, 0);
    path_free(folder);
    return handle;
}

FMI2_EXPORT void fmi2FreeInstance(fmi2Component c) { instance_end(c); }

FMI2_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories,
                                           const fmi2String categories[])
{
    CALL_WITH(nCategories == 0 || categories != NULL,
              core->set_debug_logging(w, loggingOn != 0, nCategories, categories));
}

FMI2_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                                           fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime)
{
    (void)toleranceDefined, (void)tolerance; /* solvers have fixed steps */
    CALL(core->setup_experiment(w, startTime, stopTimeDefined != 0, stopTime));
}

FMI2_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) { CALL(core->enter_initialization(w, 0, 0, 0, 0)); }

FMI2_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c) { CALL(core->call(w, SKIDPAD_EXIT_INITIALIZATION)); }

FMI2_EXPORT fmi2Status fmi2Terminate(fmi2Component c) { CALL(core->call(w, SKIDPAD_TERMINATE)); }

FMI2_EXPORT fmi2Status fmi2Reset(fmi2Component c) { CALL(core->call(w, SKIDPAD_RESET)); }

FMI2_EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2Real value[])
{
    CALL_OR(window_get(i->window, vr, nvr, value),
            nvr == 0 || (vr != NULL && value != NULL) ? core->get(w, 0, vr, nvr, value) : refuse_null(w, __func__));
}

FMI2_EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Real value[])
{
    CALL_OR(window_set(i->window, vr, nvr, value),
            nvr == 0 || (vr != NULL && value != NULL) ? core->set_real(w, vr, nvr, value) : refuse_null(w, __func__));
}

FMI2_EXPORT fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2Integer value[])
{
    (void)value;
    CALL_WITH(nvr == 0 || vr != NULL, core->absent(w, 0, "Integer", vr, nvr));
}

FMI2_EXPORT fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                      const fmi2Integer value[])
{
    (void)value;
    CALL_WITH(nvr == 0 || vr != NULL, core->absent(w, 1, "Integer", vr, nvr));
}

static int32_t get_boolean(skidpad_window *w, const fmi2ValueReference vr[], size_t nvr, fmi2Boolean value[])
{
    int32_t status = nvr == 0 ? core->get(w, 1, NULL, 0, NULL) : OK;
    for (size_t k = 0; k < nvr; k++) {
        double x;
        int32_t s = core->get(w, 1, &vr[k], 1, &x);
        if (s > WARNING)
            return s;
        status = s > status ? s : status;
        value[k] = x != 0;
    }
    return status;
}

FMI2_EXPORT fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2Boolean value[])
{
    CALL_WITH(nvr == 0 || (vr != NULL && value != NULL), get_boolean(w, vr, nvr, value));
}

FMI2_EXPORT fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                      const fmi2Boolean value[])
{
    CALL_WITH(nvr == 0 || (vr != NULL && value != NULL), core->set_boolean(w, vr, nvr));
}

FMI2_EXPORT fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2String value[])
{
    CALL_WITH(nvr == 0 || (vr != NULL && value != NULL), core->get_string(w, vr, nvr, value));
}

FMI2_EXPORT fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                     const fmi2String value[])
{
    CALL_WITH(nvr == 0 || (vr != NULL && value != NULL), core->set_string(w, vr, nvr, value));
}

FMI2_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *FMUstate)
{
    CALL_WITH(FMUstate != NULL, get_state(w, FMUstate));
}

FMI2_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate)
{
    CALL(core->state_set(w, (uintptr_t)FMUstate));
}

FMI2_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *FMUstate) { CALL(free_state(w, FMUstate)); }

FMI2_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t *size)
{
    CALL_WITH(size != NULL, core->state_size(w, (uintptr_t)FMUstate, size));
}

FMI2_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[],
                                             size_t size)
{
    CALL_WITH(serializedState != NULL, core->state_write(w, (uintptr_t)FMUstate, (uint8_t *)serializedState, size));
}

FMI2_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size,
                                               fmi2FMUstate *FMUstate)
{
    CALL_WITH(serializedState != NULL && FMUstate != NULL,
              read_state(w, (const uint8_t *)serializedState, size, FMUstate));
}

FMI2_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference vUnknown_ref[],
                                                    size_t nUnknown, const fmi2ValueReference vKnown_ref[],
                                                    size_t nKnown, const fmi2Real dvKnown[], fmi2Real dvUnknown[])
{
    CALL_WITH(
        (nUnknown == 0 || (vUnknown_ref != NULL && dvUnknown != NULL)) &&
            (nKnown == 0 || (vKnown_ref != NULL && dvKnown != NULL)),
        core->derivatives(w, 0, vUnknown_ref, nUnknown, vKnown_ref, nKnown, dvKnown, nKnown, dvUnknown, nUnknown));
}

FMI2_EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c) { CALL(core->call(w, SKIDPAD_ENTER_EVENT_MODE)); }

/* Updates discrete states, and tells the time of the next sample. */
static int32_t updated(skidpad_window *w, fmi2EventInfo *info)
{
    const int32_t status = core->call(w, SKIDPAD_UPDATE_DISCRETE_STATES);
    info->nextEventTimeDefined = w->event_defined;
    info->nextEventTime = w->event_defined ? w->next_event : 0;
    return status;
}

FMI2_EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *eventInfo)
{
    if (eventInfo != NULL)
        *eventInfo = (fmi2EventInfo){0};
    CALL_WITH(eventInfo != NULL, updated(w, eventInfo));
}

FMI2_EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    CALL(core->call(w, SKIDPAD_ENTER_CONTINUOUS_TIME_MODE));
}

FMI2_EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean noSetFMUStatePriorToCurrentPoint,
                                                   fmi2Boolean *enterEventMode, fmi2Boolean *terminateSimulation)
{
    (void)noSetFMUStatePriorToCurrentPoint;
    if (enterEventMode != NULL)
        *enterEventMode = 0;
    if (terminateSimulation != NULL)
        *terminateSimulation = 0;
    CALL_WITH(enterEventMode != NULL && terminateSimulation != NULL, core->call(w, SKIDPAD_COMPLETED_INTEGRATOR_STEP));
}

FMI2_EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) { CALL(core->set_time(w, time)); }

FMI2_EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t nx)
{
    CALL_WITH(nx == 0 || x != NULL, core->set_states(w, x, nx));
}

FMI2_EXPORT fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t nx)
{
    CALL_OR(fast_read(i, SKIDPAD_DERIVATIVES, derivatives, nx),
            nx == 0 || derivatives != NULL ? core->read(w, SKIDPAD_DERIVATIVES, derivatives, nx)
                                           : refuse_null(w, __func__));
}

FMI2_EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real eventIndicators[], size_t ni)
{
    CALL_OR(fast_read(i, SKIDPAD_INDICATORS, eventIndicators, ni),
            ni == 0 || eventIndicators != NULL ? core->read(w, SKIDPAD_INDICATORS, eventIndicators, ni)
                                               : refuse_null(w, __func__));
}

FMI2_EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t nx)
{
    CALL_OR(fast_read(i, SKIDPAD_STATES, x, nx),
            nx == 0 || x != NULL ? core->read(w, SKIDPAD_STATES, x, nx) : refuse_null(w, __func__));
}

FMI2_EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x_nominal[], size_t nx)
{
    CALL_WITH(nx == 0 || x_nominal != NULL, core->read(w, SKIDPAD_NOMINALS, x_nominal, nx));
}

FMI2_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                                   const fmi2Integer order[], const fmi2Real value[])
{
    CALL_WITH(nvr == 0 || (vr != NULL && order != NULL && value != NULL),
              core->set_input_derivatives(w, vr, nvr, order, value));
}

FMI2_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                                    const fmi2Integer order[], fmi2Real value[])
{
    CALL_WITH(nvr == 0 || (vr != NULL && order != NULL && value != NULL),
              core->get_output_derivatives(w, vr, nvr, order, value));
}

FMI2_EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
                                  fmi2Boolean noSetFMUStatePriorToCurrentPoint)
{
    (void)noSetFMUStatePriorToCurrentPoint;
    instance *i = enter(c);
    if (i == NULL)
        return fmi2Error;
    return (fmi2Status)leave(i, instance_step(i, currentCommunicationPoint, communicationStepSize));
}

FMI2_EXPORT fmi2Status fmi2CancelStep(fmi2Component c)
{
    CALL(core->refuse(w, "no step can be cancelled: steps are never asynchronous"));
}

FMI2_EXPORT fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status *value)
{
    (void)s;
    CALL_WITH(value != NULL, core->status_unknown(w, "status of an asynchronous step"));
}

FMI2_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real *value)
{
    CALL_WITH(value != NULL,
              s == fmi2LastSuccessfulTime ? core->status_time(w, value) : core->status_unknown(w, "such Real status"));
}

FMI2_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer *value)
{
    (void)s;
    CALL_WITH(value != NULL, core->status_unknown(w, "Integer status"));
}

FMI2_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean *value)
{
    if (value != NULL)
        *value = 0;
    CALL_WITH(value != NULL, s == fmi2Terminated ? core->call(w, SKIDPAD_STATUS_TERMINATED)
                                                 : core->status_unknown(w, "such Boolean status"));
}

FMI2_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String *value)
{
    (void)s;
    if (value != NULL)
        *value = "";
    CALL_WITH(value != NULL, core->status_unknown(w, "String status"));
}
