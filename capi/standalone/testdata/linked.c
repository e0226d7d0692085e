/* Two FMUs of each version of FMI in one program. Each makes a step, by names with its prefix. */
#include <stdio.h>
#include <stdlib.h>

#define FMI2_FUNCTION_PREFIX car_a_
#include "fmi2Functions.h"
#define FMI3_FUNCTION_PREFIX car_c_
#include "fmi3Functions.h"

#define SECOND2(type, name) extern type car_b_##name
SECOND2(fmi2InstantiateTYPE, fmi2Instantiate);
SECOND2(fmi2SetupExperimentTYPE, fmi2SetupExperiment);
SECOND2(fmi2EnterInitializationModeTYPE, fmi2EnterInitializationMode);
SECOND2(fmi2ExitInitializationModeTYPE, fmi2ExitInitializationMode);
SECOND2(fmi2DoStepTYPE, fmi2DoStep);
SECOND2(fmi2FreeInstanceTYPE, fmi2FreeInstance);
extern fmi3InstantiateCoSimulationTYPE car_d_fmi3InstantiateCoSimulation;
extern fmi3EnterInitializationModeTYPE car_d_fmi3EnterInitializationMode;
extern fmi3ExitInitializationModeTYPE car_d_fmi3ExitInitializationMode;
extern fmi3DoStepTYPE car_d_fmi3DoStep;
extern fmi3FreeInstanceTYPE car_d_fmi3FreeInstance;

static void logger(fmi2ComponentEnvironment e, fmi2String name, fmi2Status s, fmi2String category, fmi2String text, ...)
{
    (void)e, (void)category;
    printf("%s %d %s\n", name, s, text);
}
static const fmi2CallbackFunctions functions = {logger, calloc, free, NULL, NULL};

#define RUN2(make, setup, enter, leave, step, end, token)                               \
    do {                                                                                \
        fmi2Component c = make(token, fmi2CoSimulation, token, NULL, &functions, 0, 0); \
        if (c == NULL || setup(c, 0, 0, 0, 0, 0) || enter(c) || leave(c))               \
            return 1;                                                                   \
        if (step(c, 0, 0.001, 1))                                                       \
            return 1;                                                                   \
        end(c);                                                                         \
    } while (0)
#define RUN3(make, enter, leave, step, end, token)                                           \
    do {                                                                                     \
        bool b[3];                                                                           \
        double last;                                                                         \
        fmi3Instance c = make(token, token, NULL, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL);    \
        if (c == NULL || enter(c, 0, 0, 0, 0, 0) || leave(c))                                \
            return 1;                                                                        \
        if (step(c, 0, 0.001, 1, b, b + 1, b + 2, &last))                                    \
            return 1;                                                                        \
        end(c);                                                                              \
    } while (0)

int main(int n, char **tokens)
{
    if (n != 5)
        return 2;
    RUN2(fmi2Instantiate, fmi2SetupExperiment, fmi2EnterInitializationMode, fmi2ExitInitializationMode, fmi2DoStep,
         fmi2FreeInstance, tokens[1]);
    RUN2(car_b_fmi2Instantiate, car_b_fmi2SetupExperiment, car_b_fmi2EnterInitializationMode,
         car_b_fmi2ExitInitializationMode, car_b_fmi2DoStep, car_b_fmi2FreeInstance, tokens[2]);
    RUN3(fmi3InstantiateCoSimulation, fmi3EnterInitializationMode, fmi3ExitInitializationMode, fmi3DoStep,
         fmi3FreeInstance, tokens[3]);
    RUN3(car_d_fmi3InstantiateCoSimulation, car_d_fmi3EnterInitializationMode, car_d_fmi3ExitInitializationMode,
         car_d_fmi3DoStep, car_d_fmi3FreeInstance, tokens[4]);
    return 0;
}
