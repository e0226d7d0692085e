/* Calls routines of the Standard Tyre Interface in their calling conventions, and serves their road routines: the plane
 * under the wheel from the vehicle. */
#define _GNU_SOURCE
#include "sti.h"

#include <stdio.h>
#include <string.h>

#include "plugin.h"

/* The tires by IDROAD - 1; routines pass IDROAD on to the road routine. */
static sti_tire *tires[STI_TIRES];

void sti_place(int32_t idroad, sti_tire *t) { tires[idroad - 1] = t; }

static const sti_tire *find(int32_t idroad) { return idroad >= 1 && idroad <= STI_TIRES ? tires[idroad - 1] : NULL; }

void *sti_load(const char *library, const char *symbol, sti_routine *routine, char *error, size_t capacity)
{
    void *address, *handle = plugin_library(library, error, capacity);
    if (handle == NULL)
        return NULL;
    address = plugin_symbol(handle, symbol);
    if (address == NULL) {
        snprintf(error, capacity,
                 "it exports no routine %s; gfortran makes lower case with a trailing underscore, Intel Fortran on "
                 "Windows capitals",
                 symbol);
        plugin_release(handle);
        return NULL;
    }
    memcpy(routine, &address, sizeof address);
    return handle;
}

void sti_unload(void *library) { plugin_release(library); }

double sti_root(double x)
{
    double y = 1 + x, before = 0;
    if (!(x > 0))
        return 0;
    do {
        before = y;
        y = (y + x / y) / 2;
    } while (y < before);
    return before;
}

/* Area of the segment of a circle beyond a chord at distance from the centre. With the central angle 2 a, cos a =
 * distance/radius, the area is radius^2 a - distance sqrt(radius^2 - distance^2); a = 8 arctan(tan(a/8)). */
static double segment(double radius, double distance)
{
    double c = distance / radius, t = sti_root((1 - c) / (1 + c)), z, angle = 0;
    for (int k = 0; k < 2; k++)
        t /= 1 + sti_root(1 + t * t); /* tan(x/2) */
    z = t * t;
    for (int k = 31; k > 0; k -= 2) /* arctan t = t - t^3/3 + ... */
        angle = 1.0 / k - z * angle;
    return radius * radius * 8 * t * angle - distance * sti_root(radius * radius - distance * distance);
}

/* (time, x, y) => height z, its derivatives dz = (dz/dx, dz/dy), ddz = (xx, yy, xy), and surface properties, friction
 * first. nroad 0: no road, 1: even. */
static void height(int idroad, const double *dis, int nprsur, int *nroad, double *z, double *dz, double *ddz,
                   int *dflag, double *prsurf, int *ierr)
{
    const sti_tire *t = find(idroad);
    const double *p, *n;
    *nroad = 0, *ierr = 3;
    if (t == NULL)
        return;
    p = t->fixed.plane.point, n = t->fixed.plane.normal;
    *nroad = t->fixed.plane.ground;
    dz[0] = -n[0] / n[2], dz[1] = -n[1] / n[2];
    *z = p[2] + dz[0] * (dis[0] - p[0]) + dz[1] * (dis[1] - p[1]);
    memset(ddz, 0, 3 * sizeof *ddz);
    *dflag = 2;
    for (int k = 0; k < nprsur; k++)
        prsurf[k] = k == 0 ? t->fixed.plane.friction : 0;
    *ierr = 0;
}

/* (pose of a disc) => nroad 1 if the disc touches, effpen: free radius minus loaded radius, effvol: volume of the
 * cylinder of this width below the plane, point and normal of the contact, friction. */
static void penetration(int idroad, const double *dis, const double *tramat, double radius, double width, int *nroad,
                        double *effvol, double *effpen, double *rcp, double *rnorm, double *surfac, int *ierr)
{
    const sti_tire *t = find(idroad);
    const double *p, *n, *axle = tramat + 3;
    double sine, cosine, loaded;
    *nroad = 0, *ierr = 3;
    if (t == NULL)
        return;
    p = t->fixed.plane.point, n = t->fixed.plane.normal;
    sine = n[0] * axle[0] + n[1] * axle[1] + n[2] * axle[2], cosine = sti_root(1 - sine * sine);
    loaded = (n[0] * (dis[0] - p[0]) + n[1] * (dis[1] - p[1]) + n[2] * (dis[2] - p[2])) / cosine;
    *nroad = t->fixed.plane.ground && loaded < radius;
    *effpen = *nroad ? radius - loaded : 0;
    *effvol = *nroad ? width * segment(radius, loaded > 0 ? loaded : 0) : 0;
    for (int k = 0; k < 3; k++) {
        rcp[k] = dis[k] - loaded * (n[k] - sine * axle[k]) / cosine;
        rnorm[k] = n[k];
    }
    *surfac = t->fixed.plane.friction;
    *ierr = 0;
}

/* height and penetration as road routines, for Fortran and for C in the style of Adams. In the
 * latter, the length of a text follows directly after the text. */
#define UNUSED (void)time, (void)idtyre, (void)nropar, (void)ropar, (void)nchrds, (void)chrdst, (void)chrdst_length

static void tydex_road(const double *time, const double *dis, const int *iflag, const int *jflag, const int *idtyre,
                       const int *idroad, const int *nropar, const double *ropar, const int *nchrds, const char *chrdst,
                       const int *nprsur, int *nroad, double *z, double *dz, double *ddz, int *dflag, double *prsurf,
                       int *ierr, size_t chrdst_length)
{
    UNUSED, (void)iflag, (void)jflag;
    height(*idroad, dis, *nprsur, nroad, z, dz, ddz, dflag, prsurf, ierr);
}

static void tydex_road_c(const double *time, const double *dis, const int *iflag, const int *jflag, const int *idtyre,
                         const int *idroad, const int *nropar, const double *ropar, const int *nchrds,
                         const char *chrdst, const int *chrdst_length, const int *nprsur, int *nroad, double *z,
                         double *dz, double *ddz, int *dflag, double *prsurf, int *ierr)
{
    UNUSED, (void)iflag, (void)jflag;
    height(*idroad, dis, *nprsur, nroad, z, dz, ddz, dflag, prsurf, ierr);
}

static void adams_road(const int *jobflg, const int *idtyre, const double *time, const double *dis,
                       const double *tramat, const int *idroad, const int *nropar, const double *ropar,
                       const int *nchrds, const char *chrdst, const int *points, const double *shape,
                       const double *unlrad, const double *tirew, int *nroad, double *effvol, double *effpen,
                       double *rcp, double *rnorm, double *surfac, int *ierr, char *errmsg, size_t chrdst_length,
                       size_t errmsg_length)
{
    UNUSED, (void)jobflg, (void)points, (void)shape, (void)errmsg, (void)errmsg_length;
    penetration(*idroad, dis, tramat, *unlrad, *tirew, nroad, effvol, effpen, rcp, rnorm, surfac, ierr);
}

static void adams_road_c(const int *jobflg, const int *idtyre, const double *time, const double *dis,
                         const double *tramat, const int *idroad, const int *nropar, const double *ropar,
                         const int *nchrds, const char *chrdst, const int *chrdst_length, const int *points,
                         const double *shape, const double *unlrad, const double *tirew, int *nroad, double *effvol,
                         double *effpen, double *rcp, double *rnorm, double *surfac, int *ierr, char *errmsg,
                         const int *errmsg_length)
{
    UNUSED, (void)jobflg, (void)points, (void)shape, (void)errmsg, (void)errmsg_length;
    penetration(*idroad, dis, tramat, *unlrad, *tirew, nroad, effvol, effpen, rcp, rnorm, surfac, ierr);
}

typedef void any_road(void);

typedef void fortran_routine(int *, int *, int *, int *, double *, double *, double *, double *, double *, double *,
                             double *, int *, double *, int *, double *, int *, const char *, any_road *, int *, int *,
                             double *, int *, const char *, double *, double *, double *, double *, char *, int *,
                             double *, int *, double *, int *, int *, int *, size_t, size_t, size_t);

typedef void c_routine(int *, int *, int *, int *, double *, double *, double *, double *, double *, double *, double *,
                       int *, double *, int *, double *, int *, const char *, int *, any_road *, int *, int *, double *,
                       int *, const char *, int *, double *, double *, double *, double *, char *, int *, int *,
                       double *, int *, double *, int *, int *, int *);

enum { ADAMS_C = 2, ADAMS_ROAD = 1 };

void sti_call(sti_tire *t)
{
    sti_arguments *a = &t->fixed;
    int nchtds = t->nchtds, nchrds = 0, text = sizeof a->tyrmod;
    const char *none = ""; /* the road is the road of the vehicle, not of a file */
    plugin_enter(t->who);
    if (t->abi == ADAMS_C) {
        any_road *road = t->road == ADAMS_ROAD ? (any_road *)adams_road_c : (any_road *)tydex_road_c;
        ((c_routine *)t->routine)(&a->ndev, &a->iswtch, &a->jobflg, &a->idtyre, &a->time, a->dis, a->tramat, &a->angtwc,
                                  a->vel, a->omega, &a->omegar, &a->ndeqvr, t->deqvar, &a->ntypar, t->typarr, &nchtds,
                                  t->chtdst, &nchtds, road, &a->idroad, &a->nropar, t->ropar, &nchrds, none, &nchrds,
                                  a->forces, a->torque, t->deqini, t->deqder, a->tyrmod, &text, &a->nvars, t->varinf,
                                  &a->nwork, t->wrkarr, &a->niwork, t->iwrkar, &a->ierr);
    } else {
        any_road *road = t->road == ADAMS_ROAD ? (any_road *)adams_road : (any_road *)tydex_road;
        ((fortran_routine *)t->routine)(
            &a->ndev, &a->iswtch, &a->jobflg, &a->idtyre, &a->time, a->dis, a->tramat, &a->angtwc, a->vel, a->omega,
            &a->omegar, &a->ndeqvr, t->deqvar, &a->ntypar, t->typarr, &nchtds, t->chtdst, road, &a->idroad, &a->nropar,
            t->ropar, &nchrds, none, a->forces, a->torque, t->deqini, t->deqder, a->tyrmod, &a->nvars, t->varinf,
            &a->nwork, t->wrkarr, &a->niwork, t->iwrkar, &a->ierr, (size_t)nchtds, (size_t)nchrds, sizeof a->tyrmod);
    }
    plugin_leave();
}
