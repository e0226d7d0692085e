/* Hosts whose communication points are not exactly where the steps have ended, in Unix time, with steps that enter Go
 * and with steps that do not:
 *
 *     times FOLDER
 *
 * FOLDER holds the FMU of the generic vehicle, or of one whose ground can move: then values are read at all points. */
#include <math.h>
#include <string.h>

#include "host.h"

#define START 1.7e9
#define STEP 1e-4
enum { STEPS = 150, PLACES = 3 };

static struct fmu f;

static bool moves; /* the ground */

static void set_text(struct instance *i, const char *name, const char *text)
{
    const uint32_t r = fmu_reference(&f, name);
    MUST((f.version == 2 ? f.f2.SetString(i->handle, &r, 1, &text) : f.f3.SetString(i->handle, &r, 1, &text, 1)) == OK);
}

static void set_texts(struct instance *i, const char *code)
{
    set_text(i, "solver.code", code);
    if (moves) {
        set_text(i, "solver.method", "euler");
        set_text(i, "road.kind", "formula");
        set_text(i, "road.formula", "0.003*sin(20*t)");
    }
}

static void begin(struct instance *i, bool logging, const char *code, double start)
{
    const uint32_t brake = fmu_reference(&f, "brake_FL.torque");
    const double torque = 200;
    memset(i, 0, sizeof *i);
    i->fmu = &f;
    if (f.version == 2) {
        struct callbacks2 callbacks = {log2_message, NULL, NULL, NULL, &i->log};
        i->handle = f.f2.Instantiate("i", CO_SIMULATION, f.token, f.resources, &callbacks, 0, logging);
        MUST(i->handle != NULL);
        set_texts(i, code);
        MUST(f.f2.SetupExperiment(i->handle, 0, 0, start, 0, 0) == OK && f.f2.EnterInitializationMode(i->handle) == OK);
        MUST(f.f2.ExitInitializationMode(i->handle) == OK);
    } else {
        i->handle = f.f3.InstantiateCoSimulation("i", f.token, f.resources, false, logging, false, false, NULL, 0,
                                                 &i->log, log3_message, NULL);
        MUST(i->handle != NULL);
        set_texts(i, code);
        MUST(f.f3.EnterInitializationMode(i->handle, false, 0, start, false, 0) == OK);
        MUST(f.f3.ExitInitializationMode(i->handle) == OK);
    }
    MUST(instance_set(i, &brake, 1, &torque) == OK);
    i->log = (struct log){0};
}

static int step(struct instance *i, double time, double h)
{
    i->time = time;
    return instance_step(i, h);
}

static void places(struct instance *i, double values[PLACES])
{
    const uint32_t references[PLACES] = {fmu_reference(&f, "body.x"), fmu_reference(&f, "body.vx"),
                                         fmu_reference(&f, "wheel_FL.omega")};
    MUST(instance_get(i, references, PLACES, values) == OK);
}

/* How hosts come to their times: by a product, by a sum, and a unit in the last place off. */
static double clock_of(int host, int k, double sum)
{
    double grid = START + k * STEP;
    return host == 0 ? grid : host == 1 ? sum : nextafter(grid, k % 2 ? INFINITY : 0);
}

static const char *const codes[] = {"native", "portable"};

/* On ground that moves, a step begins on the ground of its own time, also where a point is read at another one. */
static void moving(int host)
{
    static double rates[2][STEPS];
    const uint32_t rate = fmu_reference(&f, "der(body.vz)");
    struct instance i;
    for (int code = 0; code < 2; code++) {
        double sum = START;
        begin(&i, true, codes[code], START);
        for (int k = 0; k < STEPS; k++, sum += STEP) {
            MUST(instance_get(&i, &rate, 1, &rates[code][k]) == OK);
            MUST(step(&i, clock_of(host, k, sum), STEP) == OK);
        }
        instance_free(&i);
    }
    MUST(memcmp(rates[0], rates[1], sizeof rates[0]) == 0);
}

int main(int count, char **arguments)
{
    struct instance i;
    double want[PLACES], got[PLACES];
    MUST(count == 2);
    fmu_open(&f, arguments[1]);
    moves = strstr(f.description, "\"road.formula\"") != NULL;
    for (int host = 0; moves && host < 3; host++)
        moving(host);
    if (moves)
        return 0;
    begin(&i, true, "native", 0);
    for (int k = 0; k < STEPS; k++)
        MUST(step(&i, k * STEP, STEP) == OK);
    places(&i, want);
    instance_free(&i);
    for (int code = 0; code < 2; code++) {
        for (int host = 0; host < 3; host++) {
            double sum = START;
            begin(&i, true, codes[code], START);
            for (int k = 0; k < STEPS; k++, sum += STEP)
                MUST(step(&i, clock_of(host, k, sum), STEP) == OK);
            MUST(i.log.messages == 0);
            places(&i, got); /* time is in no equation */
            MUST(memcmp(got, want, sizeof want) == 0);
            MUST(step(&i, clock_of(0, STEPS - 1, 0), STEP) == ERROR); /* the latest step again */
            instance_free(&i);
        }
        /* A host that is wrong by more than rounding is warned once; what it does is counted. */
        for (int logging = 0; logging < 2; logging++) {
            int warnings = 0;
            begin(&i, logging, codes[code], 0);
            for (int k = 0; k < STEPS; k++) {
                int status = step(&i, k * STEP + (k % 2) * 1e-9, STEP);
                MUST(status == OK || (status == WARNING && k == 1));
                warnings += status == WARNING;
            }
            MUST(warnings == logging && i.log.messages == logging);
            MUST((f.version == 2 ? f.f2.Terminate(i.handle) : f.f3.Terminate(i.handle)) == OK);
            MUST(i.log.messages == 2 * logging);
            MUST(!logging || strstr(i.log.latest, "steps have begun at another time") != NULL);
            instance_free(&i);
        }
    }
    return 0;
}
