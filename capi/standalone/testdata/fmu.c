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

static const char *resources; /* the folder, which sources do not need */

static int instantiate(int co_simulation, const char *token, int logging)
{
#if FMI_VERSION == 2
    static char location[4096] = "file://";
    if (resources != NULL)
        strcpy(location + strlen("file://"), resources);
    of = fmi2Instantiate("a % car", co_simulation ? fmi2CoSimulation : fmi2ModelExchange, token, location, &functions,
                         0, logging);
#else
    of = co_simulation
             ? fmi3InstantiateCoSimulation("car", token, resources, 0, logging, 0, 0, NULL, 0, NULL, logger, NULL)
             : fmi3InstantiateModelExchange("car", token, resources, 0, logging, NULL, logger);
#endif
    return of == NULL;
}

static int release(void)
{
    FMI(FreeInstance)(of);
    of = NULL;
    memset(states, 0, sizeof states); /* they went with the instance */
    return 0;
}

static int do_call(const char *name, size_t *shown)
{
#if FMI_VERSION == 2
    fmi2EventInfo info;
    int enter, end;
#else
    bool enter, end, b[4];
#endif
    double next;
    int status;
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
    status = (int)fmi2NewDiscreteStates(of, &info);
    end = info.nextEventTimeDefined;
    next = info.nextEventTime;
#else
    status = (int)fmi3UpdateDiscreteStates(of, &b[0], &b[1], &b[2], &b[3], &end, &next);
#endif
    if (status <= 1 && end) {
        numbers[0] = next;
        *shown = 1;
    }
    return status;
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

/* Saved states, by names that both versions have. */
#if FMI_VERSION == 2
typedef char byte;
#define STATE_SIZE fmi2SerializedFMUstateSize
#define STATE_WRITE fmi2SerializeFMUstate
#define STATE_READ fmi2DeSerializeFMUstate
#define STATE_GET fmi2GetFMUstate
#define STATE_SET fmi2SetFMUstate
#define STATE_FREE fmi2FreeFMUstate
#else
typedef uint8_t byte;
#define STATE_SIZE fmi3SerializedFMUStateSize
#define STATE_WRITE fmi3SerializeFMUState
#define STATE_READ fmi3DeserializeFMUState
#define STATE_GET fmi3GetFMUState
#define STATE_SET fmi3SetFMUState
#define STATE_FREE fmi3FreeFMUState
#endif

/* The bytes of the state of a slot, NULL if it cannot be written; room for one more. */
static byte *written(int slot, size_t *size, int *status)
{
    byte *bytes;
    *status = (int)STATE_SIZE(of, states[slot], size);
    if (*status != 0)
        return NULL;
    bytes = malloc(*size + 1);
    *status = (int)STATE_WRITE(of, states[slot], bytes, *size);
    bytes[*size] = 1;
    return bytes;
}

/* Saves the state of a slot as bytes, and reads it back into the slot. */
static int renew(int slot)
{
    size_t size = 0;
    state read = NULL;
    int status;
    byte *const bytes = written(slot, &size, &status);
    if (status == 0)
        status = (int)STATE_READ(of, bytes, size, &read);
    if (status == 0) {
        status = (int)STATE_FREE(of, &states[slot]);
        states[slot] = read;
    }
    free(bytes);
    return status;
}

/* Reads bytes that were cut, made longer, or changed at a place; share is that of the size, in 1/1000. */
static int damage(int slot, int length, int share, int change)
{
    size_t size = 0, n;
    state read = NULL;
    int status;
    byte *const bytes = written(slot, &size, &status);
    if (status == 0) {
        const size_t lengths[] = {size, 0, 7, size / 2, size - 1, size + 1};
        byte *given;
        n = lengths[length];
        bytes[(size - 1) * (size_t)share / 1000] ^= (byte)change;
        given = malloc(n > 0 ? n : 1); /* so that reads beyond it are seen */
        memcpy(given, bytes, n);
        status = (int)STATE_READ(of, given, n, &read);
        free(given);
        if (status == 0)
            status = (int)STATE_SET(of, read) + (int)STATE_FREE(of, &read);
    }
    free(bytes);
    return status;
}

/* States that are none of this instance. */
static int mistake(int what, const char *token)
{
    const handle own = of;
    handle other;
    size_t size = 0;
    state given = NULL, kept;
    double x = 0;
    byte bytes[64];
    int status;
    switch (what) {
    case 0:
        return (int)STATE_SET(of, NULL);
    case 1:
        return (int)STATE_SET(of, (state)&x);
    case 2: /* one that was freed */
        if ((status = (int)STATE_GET(of, &given)) != 0)
            return status;
        kept = given;
        status = (int)STATE_FREE(of, &given);
        return status != 0 || given != NULL ? 100 : (int)STATE_SET(of, kept);
    case 3: /* NULL is freed */
        return (int)STATE_FREE(of, &given);
    case 4: /* a buffer that is too short */
        return (status = (int)STATE_GET(of, &given)) != 0 ? status : (int)STATE_WRITE(of, given, bytes, sizeof bytes);
    case 5:
        return (int)STATE_SIZE(of, (state)&x, &size);
    case 6:
        given = (state)&x;
        return (int)STATE_FREE(of, &given);
    default: /* a state of another instance */
        instantiate(1, token, 0);
        other = of;
        status = (int)STATE_GET(other, &given);
        of = own;
        status = status != 0 ? 100 : (int)STATE_SET(own, given);
        FMI(FreeInstance)(other);
        return status;
    }
}

/* Calls in which an argument is NULL. */
static int null_argument(int what)
{
#if FMI_VERSION == 2
    fmi2Boolean flag;
    fmi2Status s;
    switch (what) {
    case 0:
        return (int)fmi2GetReal(of, NULL, 1, numbers);
    case 1:
        return (int)fmi2GetReal(of, references, 1, NULL);
    case 2:
        return (int)fmi2SetReal(of, references, 1, NULL);
    case 3:
        return (int)fmi2GetBoolean(of, NULL, 1, &flag);
    case 4:
        return (int)fmi2SetString(of, references, 1, NULL);
    case 5:
        return (int)fmi2GetDirectionalDerivative(of, references, 1, NULL, 1, numbers, numbers);
    case 6:
        return (int)fmi2GetDirectionalDerivative(of, references, 1, references, 1, numbers, NULL);
    case 7:
        return (int)fmi2GetRealOutputDerivatives(of, references, 1, NULL, numbers);
    case 8:
        return (int)fmi2SetRealInputDerivatives(of, references, 1, orders, NULL);
    case 9:
        return (int)fmi2NewDiscreteStates(of, NULL);
    case 10:
        return (int)fmi2CompletedIntegratorStep(of, 0, &flag, NULL);
    case 11:
        return (int)fmi2GetStatus(of, fmi2DoStepStatus, &s);
    case 12:
        return (int)fmi2GetInteger(of, NULL, 1, NULL);
    default:
        texts[0] = NULL;
        return (int)fmi2SetDebugLogging(of, 1, 1, what == 13 ? NULL : texts);
#else
    bool flag;
    switch (what) {
    case 0:
        return (int)fmi3GetFloat64(of, NULL, 1, numbers, 1);
    case 1:
        return (int)fmi3GetFloat64(of, references, 1, NULL, 1);
    case 2:
        return (int)fmi3SetFloat64(of, references, 1, NULL, 1);
    case 3:
        return (int)fmi3GetBoolean(of, NULL, 1, &flag, 1);
    case 4:
        return (int)fmi3SetString(of, references, 1, NULL, 1);
    case 5:
        return (int)fmi3GetDirectionalDerivative(of, references, 1, NULL, 1, numbers, 1, numbers, 1);
    case 6:
        return (int)fmi3GetAdjointDerivative(of, references, 1, references, 1, numbers, 1, NULL, 1);
    case 7:
        return (int)fmi3GetOutputDerivatives(of, references, 1, NULL, numbers, 1);
    case 8:
        return (int)fmi3UpdateDiscreteStates(of, NULL, &flag, &flag, &flag, &flag, numbers);
    case 9:
        return (int)fmi3GetNumberOfEventIndicators(of, NULL);
    case 10:
        return (int)fmi3CompletedIntegratorStep(of, 0, &flag, NULL);
    case 11:
        return (int)fmi3DoStep(of, 0, 1e-3, 0, &flag, &flag, &flag, NULL);
    case 12:
        return (int)fmi3GetInt32(of, NULL, 1, NULL, 1);
    default:
        texts[0] = NULL;
        return (int)fmi3SetDebugLogging(of, 1, 1, what == 13 ? NULL : texts);
#endif
    }
}

/* Arrays whose lengths do not fit, or that nobody has. */
static int wrong_length(int what, size_t n)
{
    const size_t far = SIZE_MAX / 16 + n;
#if FMI_VERSION == 2
    switch (what) {
    case 0:
        return (int)fmi2GetReal(of, references, far, numbers);
    case 1:
        return (int)fmi2SetReal(of, references, far, numbers);
    case 2:
        return (int)fmi2GetDirectionalDerivative(of, references, 1, references, far, numbers, numbers);
    case 3:
        return (int)fmi2SetContinuousStates(of, numbers, n);
    case 4:
        return (int)fmi2GetRealOutputDerivatives(of, references, far, orders, numbers);
    default:
        return (int)fmi2GetString(of, references, far, texts);
#else
    switch (what) {
    case 0:
        return (int)fmi3GetFloat64(of, references, 1, numbers, 1 + n);
    case 1:
        return (int)fmi3SetFloat64(of, references, 1 + n, numbers, 1);
    case 2:
        return (int)fmi3GetDirectionalDerivative(of, references, 1, references, 1, numbers, 1 + n, numbers, 1);
    case 3:
        return (int)fmi3GetAdjointDerivative(of, references, 1, references, 1, numbers, 1, numbers, 1 + n);
    case 4:
        return (int)fmi3GetOutputDerivatives(of, references, 1, orders, numbers, 1 + n);
    default:
        return (int)fmi3GetFloat64(of, references, far, numbers, far);
#endif
    }
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
        status = do_call(word(), &shown);
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
        status = (int)STATE_GET(of, &states[slot]);
    } else if (strcmp(what, "restore") == 0) {
        status = (int)STATE_SET(of, states[integer()]);
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
        status = null_argument((int)integer());
    } else if (strcmp(what, "length") == 0) {
        const int which = (int)integer();
        status = wrong_length(which, (size_t)integer());
    } else if (strcmp(what, "damage") == 0) {
        const int slot = (int)integer(), length = (int)integer(), share = (int)integer();
        status = damage(slot, length, share, (int)integer());
    } else if (strcmp(what, "mistake") == 0) {
        const int which = (int)integer();
        status = mistake(which, word());
    } else if (strcmp(what, "free") == 0) {
        status = release();
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

int main(int n, char **arguments)
{
    resources = n > 1 ? arguments[1] : NULL;
    while (fgets(line, sizeof line, stdin) != NULL) {
        at = line;
        run();
    }
    FMI(FreeInstance)(of);
    return 0;
}
