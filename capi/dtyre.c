/* Skidpad tire functions as routines of the Standard Tyre Interface, see skidpad.h. This file calls the host's road
 * routine: Go is entered only after the routine has returned. */
#include <string.h>

#include "core_types.h"
#include "skidpad.h"
#include "sti.h"
#include "_cgo_export.h"

/* Puts the plane through (x, y, z) with the slopes dz. */
static void put_plane(sti_arguments *a, double x, double y, double z, const double *dz, double friction)
{
    double length = sti_root(1 + dz[0] * dz[0] + dz[1] * dz[1]);
    a->plane.point[0] = x, a->plane.point[1] = y, a->plane.point[2] = z;
    a->plane.normal[0] = -dz[0] / length, a->plane.normal[1] = -dz[1] / length, a->plane.normal[2] = 1 / length;
    a->plane.friction = friction;
}

/* Distance of the heights for central differences if a road returns no slopes [m]. */
#define BESIDE 0.05

/* The used arguments of a call. */
typedef struct {
    int *jobflg, *idtyre, *idroad, *nchrds, *ndeqvr, *ntypar, *nropar, *nvars, *nwork, *niwork, *ierr;
    double *time, *dis, *tramat, *vel, *omega, *omegar, *deqvar, *typarr, *ropar, *forces, *torque, *deqini, *deqder,
        *varinf, *wrkarr;
    int *iwrkar, *nchtds;
    const char *chtdst, *chrdst;
    char *tyrmod;
    skidpad_sti_road *road;
    skidpad_sti_disc_road *disc_road;
    step_thread *thread; /* environment of the thread between calls of the host's road routine */
} host;

enum { EVALUATE = 0, INITIALISE = 2, DIFFERENCES = 5, END = 99 };

static int evaluates(const host *h) { return *h->jobflg == EVALUATE || *h->jobflg == DIFFERENCES; }

/* Height, slope and friction at a point => IERR. */
static int surface_at(const host *h, const double *xy, int slopes, int *nroad, double *z, double *dz, double *friction)
{
    int iflag = slopes, nprsur = 1, dflag = 0, ierr = 0;
    int jflag = *h->jobflg == INITIALISE ? 1 : *h->jobflg == END ? 99 : 0;
    double ddz[3] = {0, 0, 0};
    *nroad = 0, *z = 0, dz[0] = dz[1] = 0, *friction = 1;
    step_arithmetic_end(&h->thread->arithmetic);
    h->road(h->time, xy, &iflag, &jflag, h->idtyre, h->idroad, h->nropar, h->ropar, h->nchrds, h->chrdst, &nprsur,
            nroad, z, dz, ddz, &dflag, friction, &ierr, (size_t)*h->nchrds);
    step_arithmetic_begin(&h->thread->arithmetic);
    if (slopes && dflag < 1 && *nroad != 0)
        for (int k = 0; k < 2 && ierr < 2; k++) {
            double side[2], unused[2], mu;
            int there;
            for (int e = 0; e < 2 && ierr < 2; e++) {
                double beside[2] = {xy[0], xy[1]};
                beside[k] += e ? BESIDE : -BESIDE;
                ierr = surface_at(h, beside, 0, &there, &side[e], unused, &mu);
            }
            dz[k] = (side[1] - side[0]) / (2 * BESIDE);
        }
    return ierr;
}

/* The plane under the wheel, tangent to the road at the point nearest to the wheel's centre => IERR. */
static int tangent(const host *h, sti_arguments *a)
{
    double at[2] = {h->dis[0], h->dis[1]}, z, dz[2], friction;
    int nroad, ierr = 0;
    if (!evaluates(h) && *h->jobflg != INITIALISE && *h->jobflg != END)
        return 0;
    for (int pass = 0; pass < 3; pass++) {
        double lean;
        ierr = surface_at(h, at, 1, &nroad, &z, dz, &friction);
        if (ierr >= 2 || nroad == 0)
            break;
        a->plane.ground = 1;
        put_plane(a, at[0], at[1], z, dz, friction);
        lean = (h->dis[2] - z - dz[0] * (h->dis[0] - at[0]) - dz[1] * (h->dis[1] - at[1])) /
               (1 + dz[0] * dz[0] + dz[1] * dz[1]);
        at[0] = h->dis[0] + lean * dz[0], at[1] = h->dis[1] + lean * dz[1];
    }
    return ierr;
}

/* The plane under the wheel from a road routine for discs, by contact point and normal => IERR. */
static int under_disc(const host *h, sti_arguments *a)
{
    double shape[] = {1, 0, 1, 1}, effvol, effpen, rcp[3], rnorm[3], friction; /* a rectangle */
    int nroad = 0, points = 2, ierr = 0, length = sizeof a->tyrmod;
    if (!evaluates(h) || *h->nwork < 2)
        return 0;
    step_arithmetic_end(&h->thread->arithmetic);
    h->disc_road(h->jobflg, h->idtyre, h->time, h->dis, h->tramat, h->idroad, h->nropar, h->ropar, h->nchrds, h->chrdst,
                 h->nchrds, &points, shape, &h->wrkarr[0], &h->wrkarr[1], &nroad, &effvol, &effpen, rcp, rnorm,
                 &friction, &ierr, a->tyrmod, &length);
    step_arithmetic_begin(&h->thread->arithmetic);
    if (nroad != 0 && ierr < 2) {
        memcpy(a->plane.point, rcp, sizeof rcp), memcpy(a->plane.normal, rnorm, sizeof rnorm);
        a->plane.friction = friction, a->plane.ground = 1;
    }
    return ierr;
}

static void put_text(char *tyrmod, const char *text)
{
    size_t n = strlen(text), size = sizeof((sti_arguments *)0)->tyrmod;
    memset(tyrmod, ' ', size);
    memcpy(tyrmod, text, n < size ? n : size);
}

static void serve_calmly(const host *h)
{
    static const double level[2];
    sti_tire t;
    sti_arguments *a = &t.fixed;
    int failed;
    if (!*core_usable) {
        put_text(h->tyrmod, core_fork_text);
        *h->ierr = 3;
        return;
    }
    memset(&t, 0, sizeof t);
    a->jobflg = *h->jobflg, a->idtyre = *h->idtyre;
    a->time = *h->time, a->omegar = *h->omegar;
    memcpy(a->dis, h->dis, sizeof a->dis), memcpy(a->tramat, h->tramat, sizeof a->tramat);
    memcpy(a->vel, h->vel, sizeof a->vel), memcpy(a->omega, h->omega, sizeof a->omega);
    a->ndeqvr = *h->ndeqvr, a->ntypar = *h->ntypar, a->nropar = *h->nropar, a->nvars = *h->nvars, a->nwork = *h->nwork,
    a->niwork = *h->niwork;
    t.deqvar = h->deqvar, t.deqini = h->deqini, t.deqder = h->deqder, t.typarr = h->typarr, t.ropar = h->ropar,
    t.varinf = h->varinf;
    t.wrkarr = h->wrkarr, t.iwrkar = h->iwrkar, t.chtdst = h->chtdst, t.nchtds = *h->nchtds;
    put_plane(a, h->dis[0], h->dis[1], h->dis[2] - 1, level, 1); /* where there is no road */
    if ((failed = h->road != NULL ? tangent(h, a) : under_disc(h, a)) >= 2) {
        put_text(h->tyrmod, "the road routine failed");
        *h->ierr = failed;
        return;
    }
    goDtyre(&t);
    *h->ierr = a->ierr;
    memcpy(h->forces, a->forces, sizeof a->forces), memcpy(h->torque, a->torque, sizeof a->torque);
    *h->ndeqvr = a->ndeqvr, *h->ntypar = a->ntypar, *h->nropar = a->nropar, *h->nvars = a->nvars, *h->nwork = a->nwork,
    *h->niwork = a->niwork;
    if (a->tyrmod[0] != 0) /* a message */
        memcpy(h->tyrmod, a->tyrmod, sizeof a->tyrmod);
}

static void serve(host *h)
{
    step_thread thread;
    h->thread = &thread;
    step_thread_begin(&thread);
    serve_calmly(h);
    step_thread_end(&thread);
}

#define HOST                                                                                                    \
    .jobflg = jobflg, .idtyre = idtyre, .idroad = idroad, .nchrds = nchrds, .ndeqvr = ndeqvr, .ntypar = ntypar, \
    .nropar = nropar, .nvars = nvars, .nwork = nwork, .niwork = niwork, .ierr = ierr, .time = time, .dis = dis, \
    .tramat = tramat, .vel = vel, .omega = omega, .omegar = omegar, .deqvar = deqvar, .typarr = typarr,         \
    .ropar = ropar, .forces = forces, .torque = torque, .deqini = deqini, .deqder = deqder, .varinf = varinf,   \
    .wrkarr = wrkarr, .iwrkar = iwrkar, .nchtds = nchtds, .chtdst = chtdst, .chrdst = chrdst, .tyrmod = tyrmod

void skidpad_dtyre_(int *ndev, int *iswtch, int *jobflg, int *idtyre, double *time, double *dis, double *tramat,
                    double *angtwc, double *vel, double *omega, double *omegar, int *ndeqvr, double *deqvar,
                    int *ntypar, double *typarr, int *nchtds, const char *chtdst, skidpad_sti_road *road, int *idroad,
                    int *nropar, double *ropar, int *nchrds, const char *chrdst, double *forces, double *torque,
                    double *deqini, double *deqder, char *tyrmod, int *nvars, double *varinf, int *nwork,
                    double *wrkarr, int *niwork, int *iwrkar, int *ierr, size_t chtdst_length, size_t chrdst_length,
                    size_t tyrmod_length)
{
    host h = {HOST, .road = road};
    (void)ndev, (void)iswtch, (void)angtwc, (void)chtdst_length, (void)chrdst_length, (void)tyrmod_length;
    serve(&h);
}

void SKIDPAD_DTYRE(int *ndev, int *iswtch, int *jobflg, int *idtyre, double *time, double *dis, double *tramat,
                   double *angtwc, double *vel, double *omega, double *omegar, int *ndeqvr, double *deqvar, int *ntypar,
                   double *typarr, int *nchtds, const char *chtdst, skidpad_sti_road *road, int *idroad, int *nropar,
                   double *ropar, int *nchrds, const char *chrdst, double *forces, double *torque, double *deqini,
                   double *deqder, char *tyrmod, int *nvars, double *varinf, int *nwork, double *wrkarr, int *niwork,
                   int *iwrkar, int *ierr, size_t chtdst_length, size_t chrdst_length, size_t tyrmod_length)
{
    host h = {HOST, .road = road};
    (void)ndev, (void)iswtch, (void)angtwc, (void)chtdst_length, (void)chrdst_length, (void)tyrmod_length;
    serve(&h);
}

void skidpad_dtyre(int *ndev, int *iswtch, int *jobflg, int *idtyre, double *time, double *dis, double *tramat,
                   double *angtwc, double *vel, double *omega, double *omegar, int *ndeqvr, double *deqvar, int *ntypar,
                   double *typarr, int *nchtds, const char *chtdst, int *chtdst_length, skidpad_sti_disc_road *road,
                   int *idroad, int *nropar, double *ropar, int *nchrds, const char *chrdst, int *chrdst_length,
                   double *forces, double *torque, double *deqini, double *deqder, char *tyrmod, int *tyrmod_length,
                   int *nvars, double *varinf, int *nwork, double *wrkarr, int *niwork, int *iwrkar, int *ierr)
{
    host h = {HOST, .disc_road = road};
    (void)ndev, (void)iswtch, (void)angtwc, (void)chtdst_length, (void)chrdst_length, (void)tyrmod_length;
    serve(&h);
}
