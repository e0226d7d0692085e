/*
 * Skidpad for MATLAB and Octave: the calls of skidpad.h that SkidpadVehicle.m makes.
 *
 *     handle = skidpad_mex('load', file, tree)     uint64
 *     skidpad_mex('free', handle)
 *     list = skidpad_mex('describe', handle)       struct array: name, unit, text, causality, start, minimum,
 *                                                  maximum, nominal, kind
 *     references = skidpad_mex('find', handle, names)   uint32
 *     skidpad_mex('set', handle, references, values)
 *     values = skidpad_mex('get', handle, references)
 *     skidpad_mex('set_text', handle, name, text), text = skidpad_mex('get_text', handle, name)
 *     skidpad_mex('trim' | 'initialise' | 'reset', handle)
 *     skidpad_mex('step', handle, seconds), time = skidpad_mex('time', handle)
 *     values = skidpad_mex('run', handle, seconds, inputs, table, outputs)
 *     text = skidpad_mex('version')
 *
 * 'run' goes through the columns of table: it reads the outputs, sets the inputs, and steps, but
 * after the last column. What fails ends with an error whose identifier begins with "skidpad:".
 */
#include <stdint.h>
#include <string.h>

#include "mex.h"
#include "skidpad.h"

static void refuse(const char *what) { mexErrMsgIdAndTxt("skidpad:arguments", "%s", what); }

/* check ends the call with the library's reason, if a call of it failed. */
static void check(skidpad_vehicle *vehicle, int32_t status)
{
    const char *reason;

    if (status == SKIDPAD_OK)
        return;
    reason = skidpad_last_error(vehicle);
    mexErrMsgIdAndTxt("skidpad:call", "%s", reason && *reason ? reason : skidpad_status_text(status));
}

/* text_of returns a char array as a string, which MATLAB frees. */
static char *text_of(const mxArray *value, const char *what)
{
    char *text = mxIsChar(value) ? mxArrayToString(value) : NULL;

    if (!text)
        mexErrMsgIdAndTxt("skidpad:arguments", "%s must be a char array", what);
    return text;
}

static skidpad_vehicle *vehicle_of(const mxArray *value)
{
    if (!mxIsUint64(value) || mxGetNumberOfElements(value) != 1)
        refuse("the handle must be what 'load' returned");
    return (skidpad_vehicle *)(uintptr_t)*(const uint64_t *)mxGetData(value);
}

static double number_of(const mxArray *value, const char *what)
{
    if (!mxIsDouble(value) || mxIsComplex(value) || mxGetNumberOfElements(value) != 1)
        mexErrMsgIdAndTxt("skidpad:arguments", "%s must be a number", what);
    return mxGetScalar(value);
}

static const uint32_t *references_of(const mxArray *value)
{
    if (!mxIsUint32(value))
        refuse("references must be those of 'find'");
    return (const uint32_t *)mxGetData(value);
}

static const double *numbers_of(const mxArray *value, size_t count)
{
    if (!mxIsDouble(value) || mxIsComplex(value) || mxIsSparse(value) || mxGetNumberOfElements(value) != count)
        mexErrMsgIdAndTxt("skidpad:arguments", "there must be %d real numbers, one for each reference", (int)count);
    return mxGetPr(value);
}

static mxArray *load(const char *file, const char *tree)
{
    static char error[65536];
    skidpad_vehicle *vehicle;
    mxArray *handle;

    if (skidpad_load(file, tree, &vehicle, error, sizeof error) != SKIDPAD_OK)
        mexErrMsgIdAndTxt("skidpad:call", "%s", error);
    handle = mxCreateNumericMatrix(1, 1, mxUINT64_CLASS, mxREAL);
    *(uint64_t *)mxGetData(handle) = (uint64_t)(uintptr_t)vehicle;
    return handle;
}

static mxArray *describe(skidpad_vehicle *vehicle)
{
    static const char *fields[] = {"name",    "unit",    "text",    "causality", "start",
                                   "minimum", "maximum", "nominal", "kind"};
    static const char *causalities[] = {"parameter", "input", "output", "tunable", "local"};
    static const char *kinds[] = {"parameter", "input",  "output", "state",
                                  "contact",   "energy", "end",    "coefficient",
                                  "peak",      "rate"};
    skidpad_variable variable;
    int64_t count;
    mxArray *list;

    check(vehicle, skidpad_variable_count(vehicle, &count));
    list = mxCreateStructMatrix((mwSize)count, 1, 9, fields);
    for (int64_t i = 0; i < count; i++) {
        check(vehicle, skidpad_describe(vehicle, i, &variable));
        mxSetFieldByNumber(list, (mwIndex)i, 0, mxCreateString(variable.name));
        mxSetFieldByNumber(list, (mwIndex)i, 1, mxCreateString(variable.unit));
        mxSetFieldByNumber(list, (mwIndex)i, 2, mxCreateString(variable.text));
        mxSetFieldByNumber(list, (mwIndex)i, 3, mxCreateString(causalities[variable.causality]));
        mxSetFieldByNumber(list, (mwIndex)i, 4, mxCreateDoubleScalar(variable.start));
        mxSetFieldByNumber(list, (mwIndex)i, 5, mxCreateDoubleScalar(variable.minimum));
        mxSetFieldByNumber(list, (mwIndex)i, 6, mxCreateDoubleScalar(variable.maximum));
        mxSetFieldByNumber(list, (mwIndex)i, 7, mxCreateDoubleScalar(variable.nominal));
        mxSetFieldByNumber(list, (mwIndex)i, 8, mxCreateString(kinds[variable.kind]));
    }
    return list;
}

static mxArray *find(skidpad_vehicle *vehicle, const mxArray *names)
{
    size_t count = mxIsCell(names) ? mxGetNumberOfElements(names) : 1;
    mxArray *references = mxCreateNumericMatrix((mwSize)count, 1, mxUINT32_CLASS, mxREAL);

    for (size_t i = 0; i < count; i++) {
        const mxArray *name = mxIsCell(names) ? mxGetCell(names, (mwIndex)i) : names;
        char *text = text_of(name, "a name");

        check(vehicle, skidpad_find(vehicle, text, (uint32_t *)mxGetData(references) + i));
        mxFree(text);
    }
    return references;
}

static mxArray *get(skidpad_vehicle *vehicle, const mxArray *references)
{
    size_t count = mxGetNumberOfElements(references);
    const uint32_t *r = references_of(references);
    mxArray *values = mxCreateDoubleMatrix((mwSize)count, 1, mxREAL);

    check(vehicle, skidpad_get(vehicle, r, (int64_t)count, mxGetPr(values)));
    return values;
}

static mxArray *run(skidpad_vehicle *vehicle, double step, const mxArray *inputs, const mxArray *table,
                    const mxArray *outputs)
{
    size_t in = mxGetNumberOfElements(inputs), out = mxGetNumberOfElements(outputs), points = mxGetN(table);
    const uint32_t *to = references_of(inputs), *from = references_of(outputs);
    const double *u = numbers_of(table, in * points);
    mxArray *values = mxCreateDoubleMatrix((mwSize)out, (mwSize)points, mxREAL);

    for (size_t n = 0; n < points; n++) {
        check(vehicle, skidpad_get(vehicle, from, (int64_t)out, mxGetPr(values) + n * out));
        check(vehicle, skidpad_set(vehicle, to, (int64_t)in, u + n * in));
        if (n + 1 < points)
            check(vehicle, skidpad_step(vehicle, step));
    }
    return values;
}

static mxArray *get_text(skidpad_vehicle *vehicle, const char *name)
{
    char value[4096];

    check(vehicle, skidpad_get_text(vehicle, name, value, sizeof value));
    return mxCreateString(value);
}

static mxArray *time_of(skidpad_vehicle *vehicle)
{
    double time;

    check(vehicle, skidpad_time(vehicle, &time));
    return mxCreateDoubleScalar(time);
}

/* The calls, with how many arguments each has behind its name. */
static const struct {
    const char *name;
    int arguments;
} calls[] = {{"load", 2},  {"free", 1},     {"describe", 1}, {"find", 2}, {"set", 3},
             {"get", 2},   {"set_text", 3}, {"get_text", 2}, {"trim", 1}, {"initialise", 1},
             {"reset", 1}, {"step", 2},     {"time", 1},     {"run", 5},  {"version", 0}};

void mexFunction(int results, mxArray *result[], int count, const mxArray *argument[])
{
    skidpad_vehicle *vehicle;
    const char *call = NULL;
    char *name;

    (void)results;
    if (skidpad_abi_version() != SKIDPAD_ABI_VERSION)
        refuse("the library is not of the version that this function was compiled for; build it again");
    if (count == 0)
        refuse("the first argument is the name of a call");
    name = text_of(argument[0], "the name of the call");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(name, calls[i].name) == 0 && count - 1 == calls[i].arguments)
            call = calls[i].name;
    if (!call)
        mexErrMsgIdAndTxt("skidpad:arguments", "there is no call '%s' with %d arguments", name, count - 1);
    argument++;
    if (strcmp(call, "version") == 0) {
        result[0] = mxCreateString(skidpad_version());
        return;
    }
    if (strcmp(call, "load") == 0) {
        result[0] = load(text_of(argument[0], "the file"), text_of(argument[1], "the tree"));
        return;
    }
    vehicle = vehicle_of(argument[0]);
    if (strcmp(call, "free") == 0)
        check(vehicle, skidpad_free(vehicle));
    else if (strcmp(call, "describe") == 0)
        result[0] = describe(vehicle);
    else if (strcmp(call, "find") == 0)
        result[0] = find(vehicle, argument[1]);
    else if (strcmp(call, "set") == 0)
        check(vehicle, skidpad_set(vehicle, references_of(argument[1]), (int64_t)mxGetNumberOfElements(argument[1]),
                                   numbers_of(argument[2], mxGetNumberOfElements(argument[1]))));
    else if (strcmp(call, "get") == 0)
        result[0] = get(vehicle, argument[1]);
    else if (strcmp(call, "set_text") == 0)
        check(vehicle, skidpad_set_text(vehicle, text_of(argument[1], "the name"), text_of(argument[2], "the text")));
    else if (strcmp(call, "get_text") == 0)
        result[0] = get_text(vehicle, text_of(argument[1], "the name"));
    else if (strcmp(call, "trim") == 0)
        check(vehicle, skidpad_trim(vehicle));
    else if (strcmp(call, "initialise") == 0)
        check(vehicle, skidpad_initialise(vehicle));
    else if (strcmp(call, "reset") == 0)
        check(vehicle, skidpad_reset(vehicle));
    else if (strcmp(call, "step") == 0)
        check(vehicle, skidpad_step(vehicle, number_of(argument[1], "the step")));
    else if (strcmp(call, "time") == 0)
        result[0] = time_of(vehicle);
    else
        result[0] = run(vehicle, number_of(argument[1], "the step"), argument[2], argument[3], argument[4]);
}
