/* A third-party program that has a socket for routines of the Standard Tyre Interface and calls ours:
 *
 *     sti_host TIRE_FILE
 *
 * Its road is a valley along y, a circular cylinder of 50 m, whose normals meet in its axis: the contact of a wheel is
 * known in closed form. Prints "ok", or the first thing that is wrong. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skidpad.h"

#define VALLEY 50.0
#define MU 0.6

#define MUST(condition)                                                        \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("sti_host.c:%d: %s does not hold: %.256s\n", __LINE__, #condition, tyrmod); \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

static char tyrmod[257];
static int slopes = 2, failing, ground = 1, first, last, asked;
static int even, environment; /* the road is a plane whose numbers follow from nothing; the rounding that it has seen */

static void road(const double *time, const double *dis, const int *iflag, const int *jflag, const int *idtyre,
                 const int *idroad, const int *nropar, const double *ropar, const int *nchrds, const char *chrdst,
                 const int *nprsur, int *nroad, double *z, double *dz, double *ddz, int *dflag, double *prsurf,
                 int *ierr, size_t chrdst_length)
{
    double depth = sqrt(VALLEY * VALLEY - dis[0] * dis[0]);
    (void)time, (void)iflag, (void)idtyre, (void)idroad, (void)nropar, (void)ropar, (void)nchrds, (void)chrdst,
        (void)ddz, (void)chrdst_length;
    first += *jflag == 1, last += *jflag == 99, asked++;
    *nroad = ground, *dflag = slopes, *ierr = failing;
    environment = fegetround();
    *z = even ? 0.002 : VALLEY - depth;
    if (slopes)
        dz[0] = even ? 0.01 : dis[0] / depth, dz[1] = 0;
    if (*nprsur > 0)
        prsurf[0] = MU;
}

/* The same as the contact of a disc that stands across the valley. */
static void disc_road(const int *jobflg, const int *idtyre, const double *time, const double *dis, const double *tramat,
                      const int *idroad, const int *nropar, const double *ropar, const int *nchrds, const char *chrdst,
                      const int *chrdst_length, const int *points, const double *shape, const double *unlrad,
                      const double *tirew, int *nroad, double *effvol, double *effpen, double *rcp, double *rnorm,
                      double *surfac, int *ierr, char *errmsg, const int *errmsg_length)
{
    double to_axis = hypot(dis[0], VALLEY - dis[2]);
    (void)jobflg, (void)idtyre, (void)time, (void)tramat, (void)idroad, (void)nropar, (void)ropar, (void)nchrds,
        (void)chrdst, (void)chrdst_length;
    (void)points, (void)shape, (void)tirew, (void)effvol, (void)errmsg, (void)errmsg_length;
    *nroad = ground && VALLEY - to_axis < *unlrad, *ierr = failing;
    rnorm[0] = -dis[0] / to_axis, rnorm[1] = 0, rnorm[2] = (VALLEY - dis[2]) / to_axis;
    for (int k = 0; k < 3; k++)
        rcp[k] = dis[k] - (VALLEY - to_axis) * rnorm[k];
    environment = fegetround();
    if (even)
        for (int k = 0; k < 3; k++)
            rcp[k] = k == 2 ? 0.002 : dis[k], rnorm[k] = k == 2;
    *effpen = *unlrad - (VALLEY - to_axis);
    *surfac = MU;
}

static int ndev = 6, iswtch = 4, idtyre = 1, ndeqvr, ntypar, nchtds, idroad = 1, nropar, nchrds, nvars, nwork, niwork,
           ierr;
static double deqvar[8], typarr[8], ropar[8], forces[3], torque[3], deqini[8], deqder[8], varinf[32], wrkarr[8], angtwc;
static int iwrkar[8];
static double dis[3], tramat[9], vel[3], omega[3], omegar, now;
static const char *file;

enum { FORTRAN, CAPITALS, ADAMS };

static void call(int convention, int jobflg)
{
    int length = 256;
    nchtds = (int)strlen(file);
    memset(tyrmod, 0, sizeof tyrmod);
    ierr = 77;
    if (convention == ADAMS)
        skidpad_dtyre(&ndev, &iswtch, &jobflg, &idtyre, &now, dis, tramat, &angtwc, vel, omega, &omegar, &ndeqvr,
                      deqvar, &ntypar, typarr, &nchtds, file, &nchtds, disc_road, &idroad, &nropar, ropar, &nchrds, "",
                      &nchrds, forces, torque, deqini, deqder, tyrmod, &length, &nvars, varinf, &nwork, wrkarr, &niwork,
                      iwrkar, &ierr);
    else
        (convention == FORTRAN ? skidpad_dtyre_ : SKIDPAD_DTYRE)(
            &ndev, &iswtch, &jobflg, &idtyre, &now, dis, tramat, &angtwc, vel, omega, &omegar, &ndeqvr, deqvar, &ntypar,
            typarr, &nchtds, file, road, &idroad, &nropar, ropar, &nchrds, "", forces, torque, deqini, deqder, tyrmod,
            &nvars, varinf, &nwork, wrkarr, &niwork, iwrkar, &ierr, (size_t)nchtds, 0, 256);
}

/* The wheel at an angle from the bottom of the valley, its centre above the road, heading across. */
static void stand(double angle, double above)
{
    double c = cos(angle), s = sin(angle), axes[9] = {c, 0, s, 0, 1, 0, -s, 0, c};
    memcpy(tramat, axes, sizeof axes);
    dis[0] = (VALLEY - above) * s, dis[1] = 3, dis[2] = VALLEY - (VALLEY - above) * c;
    vel[0] = 10, vel[1] = 0.5, vel[2] = 0;
    omegar = 30;
}

int main(int argc, char **argv)
{
    enum { RADIUS, REFF = 10, RL = 9, KAPPA = 6, FX = 0, FZ = 5 };
    double flat[3], about[3];
    if (argc != 2)
        return 2;
    file = argv[1];
    for (int convention = FORTRAN; convention <= ADAMS; convention++) {
        first = last = failing = 0, ground = 1, slopes = 2;
        stand(0, 0.33);
        call(convention, 1);
        MUST(ierr == 0 && ndeqvr == 0 && nvars == 11 && nwork == 2 && niwork == 1 && nropar == 0);
        call(convention, 2);
        MUST(ierr == 0 && strncmp(tyrmod, "Fiala ", 6) == 0 && tyrmod[255] == ' ');
        MUST(convention == ADAMS || first > 0);
        call(convention, 0);
        MUST(ierr == 0);
        memcpy(flat, forces, sizeof flat), memcpy(about, torque, sizeof about);
        MUST(fabs(forces[2] - 3.04e5 * (0.355 - 0.33)) < 1e-6); /* kz (Ru - Rl) */
        MUST(forces[1] < -100 && fabs(torque[0] - 0.33 * forces[1]) < 1e-9 * fabs(torque[0])); /* the arm of Fy */
        MUST(fabs(hypot(forces[0], forces[1]) - MU * 1.22 * forces[2]) <
             0.5 * MU * 1.22 * forces[2]); /* friction is that of the road */
        MUST(fabs(varinf[RL] - 0.33) < 1e-9 && fabs(varinf[KAPPA] - (30 * 0.33 - 10) / 10) < 1e-9);
        /* the valley looks the same everywhere */
        for (slopes = 0; slopes <= 2; slopes++)
            for (double angle = -0.3; angle <= 0.3; angle += 0.1) {
                double tolerance = slopes ? 1e-6 : 1e-3; /* of heights 5 cm beside, a parabola for the arc */
                stand(angle, 0.33);
                call(convention, 0);
                MUST(ierr == 0);
                for (int k = 0; k < 3; k++)
                    MUST(fabs(forces[k] - flat[k]) <= tolerance * fabs(flat[2]) &&
                         fabs(torque[k] - about[k]) <= tolerance * fabs(flat[2]));
            }
        /* forces are bit-identical in each rounding of the host, and its road routine has that rounding */
        even = 1;
        for (int k = 0; k < 4; k++) {
            static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
            static double nearest[6];
            stand(0.1, 0.33);
            fesetround(roundings[k]);
            call(convention, 0);
            int left = fegetround();
            fesetround(FE_TONEAREST);
            MUST(ierr == 0 && left == roundings[k] && environment == roundings[k]);
            if (k == 0)
                memcpy(nearest, forces, sizeof forces), memcpy(nearest + 3, torque, sizeof torque);
            MUST(memcmp(nearest, forces, sizeof forces) == 0 && memcmp(nearest + 3, torque, sizeof torque) == 0);
        }
        even = 0;
        /* in the air, and without ground */
        stand(0.1, 0.4);
        slopes = 2;
        call(convention, 0);
        MUST(ierr == 0 && forces[0] == 0 && forces[1] == 0 && forces[2] == 0);
        stand(0.1, 0.33);
        ground = 0;
        call(convention, 5);
        MUST(ierr == 0 && forces[2] == 0 && torque[0] == 0);
        ground = 1;
        /* a road that fails says so */
        failing = 2;
        call(convention, 0);
        MUST(ierr == 2 && strncmp(tyrmod, "the road routine failed ", 24) == 0);
        failing = 0;
        call(convention, 4);
        MUST(ierr == 0);
        call(convention, 99);
        MUST(ierr == 0 && (convention == ADAMS || last > 0));
        call(convention, 0);
        MUST(ierr == 3 && strncmp(tyrmod, "the routine was called for a tire that was ended", 48) == 0);
        file = "nowhere.tir";
        call(convention, 1);
        MUST(ierr == 3 && strstr(tyrmod, "nowhere.tir") != NULL);
        file = argv[1];
    }
    puts("ok");
    return 0;
}
