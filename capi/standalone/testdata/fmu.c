/* Runs the calls of a script on the sources of an FMU and prints what they answer. Numbers are the bits of doubles. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if FMI_VERSION == 2
#include "fmi2.h"
#define FMI(name) fmi2##name
typedef fmi2Component handle;
typedef fmi2FMUstate state;
#else
#include "fmi3.h"
#define FMI(name) fmi3##name
typedef fmi3Instance handle;
typedef fmi3FMUState state;
#endif

enum { MOST = 100000 };
static handle of;
static unsigned references[MOST];
static double numbers[MOST];
static int orders[MOST];
static const char *texts[MOST];
static state states[8];
static char line[MOST * 24], *at;

static const char *word(void)
{
    char *from = at + strspn(at, " \n");
    at = from + strcspn(from, " \n");
    if (*at != 0)
        *at++ = 0;
    return from;
}
static long integer(void) { return strtol(word(), NULL, 10); }
static double number(void)
{
    const uint64_t bits = strtoull(word(), NULL, 16);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static void put(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    printf(" %" PRIx64, bits);
}
static size_t read_references(int with_orders, int with_numbers)
{
    const size_t n = (size_t)integer();
    for (size_t i = 0; i < n; i++) {
        references[i] = (unsigned)integer();
        if (with_orders)
            orders[i] = (int)integer();
        if (with_numbers)
            numbers[i] = number();
    }
    return n;
}

static char messages[1 << 20], *said = messages;
static void print_message(int status, const char *category, const char *text, const char *doubled)
{
    said += sprintf(said, "# %d %s ", status, category);
    for (; *text != 0; text++) {
        *said++ = *text;
        if (strchr(doubled, *text) != NULL)
            text += text[1] == *text;
    }
    *said++ = '\n';
    *said = 0;
}
#if FMI_VERSION == 2
static void logger(fmi2ComponentEnvironment e, fmi2String name, fmi2Status s, fmi2String category, fmi2String text, ...)
{
    (void)e, (void)name;
    print_message(s, category, text, "#%");
}
static const fmi2CallbackFunctions functions = {logger, calloc, free, NULL, NULL};
#else
static void logger(fmi3InstanceEnvironment e, fmi3Status s, fmi3String category, fmi3String text)
{
    (void)e;
    print_message(s, category, text, "#");
}
#endif

static int instantiate(int co_simulation, const char *token, int logging)
{
#if FMI_VERSION == 2
    of = fmi2Instantiate("a % car", co_simulation ? fmi2CoSimulation : fmi2ModelExchange, token, "file:///none",
                         &functions, 0, logging);
#else
    of = co_simulation ? fmi3InstantiateCoSimulation("car", token, NULL, 0, logging, 0, 0, NULL, 0, NULL, logger, NULL)
                       : fmi3InstantiateModelExchange("car", token, NULL, 0, logging, NULL, logger);
#endif
    return of == NULL;
}

static int do_call(const char *name)
{
#if FMI_VERSION == 2
    fmi2EventInfo info;
    int enter, end;
#else
    bool enter, end, b[4];
    double next;
#endif
    if (strcmp(name, "exit") == 0)
        return (int)FMI(ExitInitializationMode)(of);
    if (strcmp(name, "terminate") == 0)
        return (int)FMI(Terminate)(of);
    if (strcmp(name, "reset") == 0)
        return (int)FMI(Reset)(of);
    if (strcmp(name, "event") == 0)
        return (int)FMI(EnterEventMode)(of);
    if (strcmp(name, "continuous") == 0)
        return (int)FMI(EnterContinuousTimeMode)(of);
    if (strcmp(name, "completed") == 0)
        return (int)FMI(CompletedIntegratorStep)(of, 0, &enter, &end);
#if FMI_VERSION == 2
    return (int)fmi2NewDiscreteStates(of, &info);
#else
    return (int)fmi3UpdateDiscreteStates(of, &b[0], &b[1], &b[2], &b[3], &end, &next);
#endif
}

static int get(size_t n)
{
#if FMI_VERSION == 2
    return (int)fmi2GetReal(of, references, n, numbers);
#else
    return (int)fmi3GetFloat64(of, references, n, numbers, n);
#endif
}

static int get_booleans(size_t n)
{
    int status;
#if FMI_VERSION == 2
    static fmi2Boolean on[MOST];
    status = (int)fmi2GetBoolean(of, references, n, on);
#else
    static fmi3Boolean on[MOST];
    status = (int)fmi3GetBoolean(of, references, n, on, n);
#endif
    for (size_t i = 0; i < n; i++)
        numbers[i] = on[i];
    return status;
}

static int set(size_t n)
{
#if FMI_VERSION == 2
    return (int)fmi2SetReal(of, references, n, numbers);
#else
    return (int)fmi3SetFloat64(of, references, n, numbers, n);
#endif
}

static int get_texts(size_t n)
{
#if FMI_VERSION == 2
    return (int)fmi2GetString(of, references, n, texts);
#else
    return (int)fmi3GetString(of, references, n, texts, n);
#endif
}

static int set_text(void)
{
    static char room[4096];
    references[0] = (unsigned)integer();
    strcpy(room, at + strspn(at, " "));
    room[strcspn(room, "\n")] = 0;
    texts[0] = room;
#if FMI_VERSION == 2
    return (int)fmi2SetString(of, references, 1, texts);
#else
    return (int)fmi3SetString(of, references, 1, texts, 1);
#endif
}

static int enter(double start, int defined, double stop)
{
#if FMI_VERSION == 2
    const int status = (int)fmi2SetupExperiment(of, 0, 0, start, defined, stop);
    return status > 1 ? status : (int)fmi2EnterInitializationMode(of);
#else
    return (int)fmi3EnterInitializationMode(of, 0, 0, start, defined, stop);
#endif
}

static int step(double t, double h)
{
#if FMI_VERSION == 2
    return (int)fmi2DoStep(of, t, h, 0);
#else
    bool event, end, early;
    double last = -1;
    const int status = (int)fmi3DoStep(of, t, h, 0, &event, &end, &early, &last);
    numbers[0] = last;
    return status;
#endif
}

static int read_numbers(int what, size_t n)
{
    switch (what) {
    case 0:
        return (int)FMI(GetContinuousStates)(of, numbers, n);
#if FMI_VERSION == 2
    case 1:
        return (int)fmi2GetDerivatives(of, numbers, n);
#else
    case 1:
        return (int)fmi3GetContinuousStateDerivatives(of, numbers, n);
#endif
    case 2:
        return (int)FMI(GetEventIndicators)(of, numbers, n);
    default:
        return (int)FMI(GetNominalsOfContinuousStates)(of, numbers, n);
    }
}

/* Saves the state of a slot as bytes, and reads it back into the slot. */
static int renew(int slot)
{
    size_t size = 0;
    state read = NULL;
#if FMI_VERSION == 2
    int status = (int)fmi2SerializedFMUstateSize(of, states[slot], &size);
    char *bytes = malloc(size + 1);
    if (status == 0)
        status = (int)fmi2SerializeFMUstate(of, states[slot], bytes, size);
    if (status == 0)
        status = (int)fmi2DeSerializeFMUstate(of, bytes, size, &read);
    if (status == 0) {
        status = (int)fmi2FreeFMUstate(of, &states[slot]);
        states[slot] = read;
    }
#else
    int status = (int)fmi3SerializedFMUStateSize(of, states[slot], &size);
    uint8_t *bytes = malloc(size + 1);
    if (status == 0)
        status = (int)fmi3SerializeFMUState(of, states[slot], bytes, size);
    if (status == 0)
        status = (int)fmi3DeserializeFMUState(of, bytes, size, &read);
    if (status == 0) {
        status = (int)fmi3FreeFMUState(of, &states[slot]);
        states[slot] = read;
    }
#endif
    free(bytes);
    return status;
}

/* Derivatives of unknowns by knowns, with seeds of knowns or, against, of unknowns; returns how many there are. */
static size_t derivatives(int against, int *status)
{
    static unsigned knowns[MOST];
    static double seeds[MOST];
    size_t n, m;
    m = read_references(0, !against);
    memcpy(knowns, references, m * sizeof *knowns);
    memcpy(seeds, numbers, m * sizeof *seeds);
    n = read_references(0, against);
    if (against)
        memcpy(seeds, numbers, n * sizeof *seeds);
#if FMI_VERSION == 2
    *status = against ? 3 : (int)fmi2GetDirectionalDerivative(of, references, n, knowns, m, seeds, numbers);
#else
    *status = against
                  ? (int)fmi3GetAdjointDerivative(of, references, n, knowns, m, seeds, n, numbers, m)
                  : (int)fmi3GetDirectionalDerivative(of, references, n, knowns, m, seeds, m, numbers, n);
#endif
    return against ? m : n;
}

static int dependencies(unsigned reference)
{
#if FMI_VERSION == 2
    (void)reference;
    return 0;
#else
    static size_t ones[MOST], others[MOST];
    static fmi3DependencyKind kinds[MOST];
    size_t n = 0;
    int status = (int)fmi3GetNumberOfVariableDependencies(of, reference, &n);
    if (status == 0)
        status = (int)fmi3GetVariableDependencies(of, reference, ones, references, others, kinds, n);
    for (size_t i = 0; i < n && status == 0; i++)
        printf(" %u", references[i]);
    return status;
#endif
}

static void run(void)
{
    const char *what = word();
    size_t n = 0, shown = 0;
    int status = 0;
    printf("= %s", what);
    if (strcmp(what, "instantiate") == 0) {
        const int co_simulation = (int)integer(), logging = (int)integer();
        status = instantiate(co_simulation, word(), logging);
    } else if (strcmp(what, "enter") == 0) {
        const double start = number();
        const int defined = (int)integer();
        status = enter(start, defined, number());
    } else if (strcmp(what, "call") == 0) {
        status = do_call(word());
    } else if (strcmp(what, "get") == 0) {
        shown = n = read_references(0, 0);
        status = get(n);
    } else if (strcmp(what, "booleans") == 0) {
        shown = n = read_references(0, 0);
        status = get_booleans(n);
    } else if (strcmp(what, "set") == 0) {
        status = set(read_references(0, 1));
    } else if (strcmp(what, "texts") == 0) {
        n = read_references(0, 0);
        status = get_texts(n);
        for (size_t i = 0; i < n && status < 2; i++)
            printf(" %s", texts[i]);
    } else if (strcmp(what, "text") == 0) {
        status = set_text();
    } else if (strcmp(what, "step") == 0) {
        const double t = number();
        status = step(t, number());
        shown = FMI_VERSION == 3;
    } else if (strcmp(what, "time") == 0) {
        status = (int)FMI(SetTime)(of, number());
    } else if (strcmp(what, "states") == 0) {
        n = (size_t)integer();
        for (size_t i = 0; i < n; i++)
            numbers[i] = number();
        status = (int)FMI(SetContinuousStates)(of, numbers, n);
    } else if (strcmp(what, "read") == 0) {
        const int which = (int)integer();
        shown = n = (size_t)integer();
        status = read_numbers(which, n);
    } else if (strcmp(what, "derivatives") == 0) {
        n = read_references(1, 1);
#if FMI_VERSION == 2
        status = (int)fmi2SetRealInputDerivatives(of, references, n, orders, numbers);
#endif
    } else if (strcmp(what, "debug") == 0) {
        const int on = (int)integer();
        texts[0] = word();
        status = (int)FMI(SetDebugLogging)(of, on, texts[0][0] != 0, texts);
    } else if (strcmp(what, "save") == 0) {
        const int slot = (int)integer();
#if FMI_VERSION == 2
        status = (int)fmi2GetFMUstate(of, &states[slot]);
#else
        status = (int)fmi3GetFMUState(of, &states[slot]);
#endif
    } else if (strcmp(what, "restore") == 0) {
        const int slot = (int)integer();
#if FMI_VERSION == 2
        status = (int)fmi2SetFMUstate(of, states[slot]);
#else
        status = (int)fmi3SetFMUState(of, states[slot]);
#endif
    } else if (strcmp(what, "renew") == 0) {
        status = renew((int)integer());
    } else if (strcmp(what, "along") == 0) {
        shown = derivatives(0, &status);
    } else if (strcmp(what, "against") == 0) {
        shown = derivatives(1, &status);
    } else if (strcmp(what, "rates") == 0) {
        shown = n = read_references(1, 0);
#if FMI_VERSION == 2
        status = (int)fmi2GetRealOutputDerivatives(of, references, n, orders, numbers);
#else
        status = (int)fmi3GetOutputDerivatives(of, references, n, orders, numbers, n);
#endif
    } else if (strcmp(what, "null") == 0) {
#if FMI_VERSION == 2
        status = (int)fmi2GetReal(of, NULL, 1, numbers);
#else
        status = (int)fmi3GetFloat64(of, references, 1, NULL, 1);
#endif
    } else if (strcmp(what, "dependencies") == 0) {
        status = dependencies((unsigned)integer());
    } else {
        printf(" no such command");
    }
    for (size_t i = 0; i < shown && status < 2; i++)
        put(numbers[i]);
    printf(" -> %d\n%s", status, messages);
    *(said = messages) = 0;
}

int main(void)
{
    while (fgets(line, sizeof line, stdin) != NULL) {
        at = line;
        run();
    }
    FMI(FreeInstance)(of);
    return 0;
}
