/* Routines of the Standard Tyre Interface for tests: such that record what they are called for, and such that do
 * something wrong, each in its own way. By the convention of gfortran. */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int jobflg, idtyre;
    double time, *dis, *tramat, *vel, *omega, omegar, angtwc;
    int *ndeqvr, *ntypar, *nropar, *nvars, *nwork, *niwork;
    double *deqvar, *typarr, *ropar, *varinf, *wrkarr, *deqini, *deqder, *forces, *torque;
    int *iwrkar;
    const char *chtdst;
    int nchtds;
    char *tyrmod;
    int iswtch, *idroad;
    void (*road)(void);
} call;

static void say(const call *c, const char *text)
{
    memset(c->tyrmod, ' ', 256);
    memcpy(c->tyrmod, text, strlen(text));
}

static int nothing(const call *c)
{
    memset(c->forces, 0, 3 * sizeof(double)), memset(c->torque, 0, 3 * sizeof(double));
    return 0;
}

/* Writes the jobs to the tire file. */
static int records(const call *c)
{
    char path[257] = "";
    FILE *to;
    memcpy(path, c->chtdst, c->nchtds);
    to = fopen(path, "a");
    fprintf(to, "%d %d %.3f\n", c->jobflg, c->idtyre, c->time);
    fclose(to);
    return nothing(c);
}

static int warns(const call *c)
{
    say(c, "it is warm");
    nothing(c);
    return 1;
}

static int tells(const call *c) { return say(c, "switch 14 is missing"), nothing(c), c->iswtch == 14 ? 0 : 3; }

static int late(const call *c, int ierr)
{
    nothing(c);
    if (c->jobflg != 0 || c->time < 0.0095)
        return 0;
    say(c, "the rubber is gone");
    return ierr;
}

static int fails(const call *c) { return late(c, 2); }
static int dies(const call *c) { return late(c, 3); }
static int odd(const call *c) { return late(c, -7); }

static int refuses(const call *c) { return c->jobflg == 2 ? say(c, "no luck"), 3 : nothing(c); }
static int mute(const call *c) { return c->jobflg == 1 ? 2 : nothing(c); }

static int nan_force(const call *c)
{
    nothing(c);
    c->forces[1] = NAN;
    return 0;
}

static int nan_torque(const call *c)
{
    nothing(c);
    c->torque[0] = INFINITY;
    return 0;
}

static int two_states(const call *c) { return c->jobflg == 1 ? *c->ndeqvr = 2, nothing(c) : nothing(c); }

static int nan_rate(const call *c)
{
    two_states(c);
    c->deqder[0] = 0;
    if (c->jobflg == 0)
        c->deqder[1] = NAN;
    return 0;
}

static int nan_start(const call *c)
{
    two_states(c);
    if (c->jobflg == 2)
        c->deqini[1] = NAN;
    return 0;
}

static int negative(const call *c) { return *c->nwork = -1, nothing(c); }
static int many(const call *c) { return *c->niwork = 2000000000, nothing(c); }
static int many_states(const call *c) { return *c->ndeqvr = 1000, nothing(c); }
static int grows(const call *c) { return *c->nvars = c->jobflg == 0 ? 7 : 6, nothing(c); }

static int lies(const call *c) /* VARINF(1) is no Fx */
{
    *c->nvars = 1;
    nothing(c);
    if (c->jobflg == 0)
        c->varinf[0] = c->time > 0 ? 1 : 0;
    return 0;
}

/* Keeps internal state and has room for four tires. */
static int four(const call *c)
{
    static int tires;
    tires += c->jobflg == 2 ? 1 : c->jobflg == 99 ? -1 : 0;
    if (tires > 4 || c->idtyre > 4)
        return say(c, "there are more than four tires"), 3;
    return nothing(c);
}

/* A lateral force that lags: q1 relaxes to the slip angle over 0.5 m. With a switch of 1 the state used is
 * DEQVAR + DEQINI, and DEQINI is 0.3; else DEQINI is the start of DEQVAR. */
static int lags(const call *c)
{
    double q, v = c->vel[0];
    *c->ndeqvr = 1;
    nothing(c);
    if (c->jobflg == 2)
        c->deqini[0] = 0.3;
    if (c->jobflg != 0)
        return 0;
    q = c->deqvar[0] + (c->iswtch == 1 ? c->deqini[0] : 0);
    c->deqder[0] = (c->vel[1] - q * v) / 0.5;
    c->forces[1] = -1e4 * q;
    return 0;
}

typedef void tydex_road(double *, double *, int *, int *, int *, int *, int *, double *, int *, const char *, int *,
                        int *, double *, double *, double *, int *, double *, int *, size_t);
typedef void adams_road(int *, int *, double *, double *, double *, int *, int *, double *, int *, const char *, int *,
                        double *, double *, double *, int *, double *, double *, double *, double *, double *, int *,
                        char *, size_t, size_t);

/* FORCES(1) is what the road says a metre ahead and two to the left: height, slopes, curvature, friction, a further
 * property, NROAD, DFLAG, IERR; with a switch from 10 on for an IDROAD that nobody has. */
static int looks(const call *c)
{
    double x[3] = {c->dis[0] + 1, c->dis[1] + 2, 0}, z = 7, dz[2] = {7, 7}, ddz[3] = {7, 7, 7}, surface[2] = {7, 7};
    int iflag = 2, jflag = 0, two = 2, nroad = 7, dflag = 7, ierr = 7, none = 0,
        id = c->iswtch < 10 ? *c->idroad : 4096, tire = c->idtyre;
    double time = c->time;
    nothing(c);
    if (c->jobflg == 0) {
        ((tydex_road *)c->road)(&time, x, &iflag, &jflag, &tire, &id, c->nropar, c->ropar, &none, "", &two, &nroad, &z,
                                dz, ddz, &dflag, surface, &ierr, 0);
        c->forces[0] =
            ((double[]){z, dz[0], dz[1], ddz[2], surface[0], surface[1], nroad, dflag, ierr})[c->iswtch % 10];
    }
    return 0;
}

/* FORCES(1) is what the road says of a disc of 0.4 m and 0.2 m of width: EFFPEN, EFFVOL, height of the contact point
 * below the centre, the normal, friction, NROAD, IERR. */
static int presses(const call *c)
{
    double shape[] = {1, 0, 1, 1}, radius = c->iswtch < 10 ? 0.4 : 0.2, width = 0.2, volume = 7, penetration = 7,
           point[3] = {7, 7, 7}, normal[3] = {7, 7, 7};
    double friction = 7, time = c->time;
    int points = 2, nroad = 7, ierr = 7, none = 0, tire = c->idtyre, job = c->jobflg;
    char message[256];
    nothing(c);
    if (c->jobflg == 0) {
        ((adams_road *)c->road)(&job, &tire, &time, c->dis, c->tramat, c->idroad, c->nropar, c->ropar, &none, "",
                                &points, shape, &radius, &width, &nroad, &volume, &penetration, point, normal,
                                &friction, &ierr, message, 0, sizeof message);
        c->forces[0] = ((double[]){penetration, volume, c->dis[2] - point[2], normal[0], normal[1], normal[2], friction,
                                   nroad, ierr})[c->iswtch % 10];
    }
    return 0;
}

/* A second state that grows beyond all numbers. */
static int bursts(const call *c)
{
    *c->ndeqvr = 2;
    nothing(c);
    if (c->jobflg == 0)
        c->deqder[0] = 0, c->deqder[1] = 1.7e308;
    return 0;
}

/* The angle of the rim: FORCES(1) is ANGTWC. */
static int turns(const call *c) { return nothing(c), c->forces[0] = c->angtwc, 0; }

#define ROUTINE(name)                                                                                                  \
    void name##_(int *ndev, int *iswtch, int *jobflg, int *idtyre, double *time, double *dis, double *tramat,          \
                 double *angtwc, double *vel, double *omega, double *omegar, int *ndeqvr, double *deqvar, int *ntypar, \
                 double *typarr, int *nchtds, const char *chtdst, void (*road)(void), int *idroad, int *nropar,        \
                 double *ropar, int *nchrds, const char *chrdst, double *forces, double *torque, double *deqini,       \
                 double *deqder, char *tyrmod, int *nvars, double *varinf, int *nwork, double *wrkarr, int *niwork,    \
                 int *iwrkar, int *ierr, size_t chtdst_length, size_t chrdst_length, size_t tyrmod_length)             \
    {                                                                                                                  \
        call c = {*jobflg, *idtyre, *time,  dis,    tramat,  vel,    omega,   *omegar, *angtwc, ndeqvr, ntypar,        \
                  nropar,  nvars,   nwork,  niwork, deqvar,  typarr, ropar,   varinf,  wrkarr,  deqini, deqder,        \
                  forces,  torque,  iwrkar, chtdst, *nchtds, tyrmod, *iswtch, idroad,  road};                          \
        (void)ndev, (void)nchrds, (void)chrdst;                                                                        \
        *ierr = chtdst_length == (size_t) * nchtds && chrdst_length == 0 && tyrmod_length == 256 ? name(&c) : 5;       \
    }

ROUTINE(records)
ROUTINE(warns)
ROUTINE(tells)
ROUTINE(fails)
ROUTINE(dies)
ROUTINE(odd)
ROUTINE(refuses)
ROUTINE(mute)
ROUTINE(nan_force)
ROUTINE(nan_torque)
ROUTINE(nan_rate)
ROUTINE(nan_start)
ROUTINE(negative)
ROUTINE(many)
ROUTINE(many_states)
ROUTINE(grows)
ROUTINE(lies)
ROUTINE(four)
ROUTINE(lags)
ROUTINE(bursts)
ROUTINE(turns)
ROUTINE(looks)
ROUTINE(presses)
