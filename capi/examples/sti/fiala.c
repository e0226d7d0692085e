/* fiala.c - the Fiala tire as a routine of the Standard Tyre Interface (STI, TYDEX, release 1.4).
 *
 *     cc -O2 -fPIC -shared -ffp-contract=off fiala.c -o fiala_sti.so -lm
 *
 *     tire_FL.model = sti:fiala_sti.so#fiala_
 *     tire_FL.file  = fiala.txt
 *
 * By the convention of gfortran and with the road routine of TYDEX. With -DADAMS_C the lengths of
 * texts are pointers directly behind them, as C tires in the style of Adams have it, and the routine
 * is called fiala; with -DADAMS_ROAD the road routine is that of Adams, which wants a disc.
 *
 * Equations: Morency (2007), 3.22 to 3.25 and 3.31 to 3.37, corrected. The operations of the force are those
 * of the built-in function Fiala in the same order, so that results are equal to the last bit where
 * the parameter given is 1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* The tire file has lines NAME = VALUE; TYPARR keeps the values in this order. */
static const char *const names[] = {"D2",        "CS",      "Calpha", "Cr",    "mu0",  "mu1",  "radius",
                                    "stiffness", "damping", "width",  "Blong", "Blat", "given"};
enum {
    D2, CS, CALPHA, CR, MU0, MU1,         /* of the force, SI units */
    RADIUS, STIFFNESS, DAMPING, WIDTH,    /* free radius [m], vertical stiffness [N/m] and damping [N s/m], width [m] */
    BLONG, BLAT,                          /* relaxation lengths [m], 0: none */
    GIVEN,                                /* 1: the vehicle's contact is in ROPAR, see CONTACT */
    PARAMETERS
};

/* What ROPAR holds: sti:...?ropar=Fz:1,S:2,alpha:3,Omega:4,mu:5,VPy:6,VEx:7,VPxs:8,VExs:9 */
enum { FZ, S, ALPHA, OMEGA, MU, VPY, VEX, VPXS, VEXS, CONTACT };

/* Jobs and what is said of them. */
enum { EVALUATE = 0, INQUIRE = 1, INITIALISE = 2, AGAIN = 3, DIFFERENCES = 5 };
enum { FINE = 0, FATAL = 3 };

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

static double limited(double x, double bound) { return x < -bound ? -bound : x > bound ? bound : x; }

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/* The tangent of an angle of at most a right angle: sine over cosine, by the polynomials of
 * FreeBSD's msun (k_sin.c, k_cos.c) in pairs of terms. Its operations do not depend on a
 * mathematics library. */
static double tangent(double angle)
{
    static const double half_pi[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11,
                                     2.02226624879595063154e-21};
    static const double s[] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
        2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10};
    static const double c[] = {4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
        -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11};
    double n = angle > 0.785398163397448 ? 1 : angle < -0.785398163397448 ? -1 : 0; /* right angles taken off */
    double r = ((angle - n * half_pi[0]) - n * half_pi[1]) - n * half_pi[2], z = r * r, z2 = z * z, w = 1 - z * 0.5;
    double sine = r + z * r * (s[0] + z * ((s[1] + z * s[2]) + z2 * ((s[3] + z * s[4]) + z2 * s[5])));
    double cosine =
        w + (((1 - w) - z * 0.5) + z2 * (((c[0] + z * c[1]) + z2 * (c[2] + z * c[3])) + (z2 * z2) * (c[4] + z * c[5])));
    return n == 0 ? sine / cosine : cosine / -sine;
}

/* The arc tangent, in the same way (s_atan.c): of small arguments, here below 7/16; larger slip angles
 * go to the mathematics library. */
static double arc_tangent(double x)
{
    static const double t[] = {3.33333333333329318027e-01,  -1.99999999998764832476e-01, 1.42857142725034663711e-01,
                               -1.11111104054623557880e-01, 9.09088713343650656196e-02,  -7.69187620504482999495e-02,
                               6.66107313738753120669e-02,  -5.83357013379057348645e-02, 4.97687799461593236017e-02,
                               -3.65315727442169155270e-02, 1.62858201153657823623e-02};
    double w = fabs(x), z = w * w, z2 = z * z, z4 = z2 * z2, p, q, r;
    if (w >= 7. / 16)
        return atan(x);
    p = (t[0] + z * t[1]) + z2 * (t[2] + z * t[3]);
    q = (t[4] + z * t[5]) + z2 * (t[6] + z * t[7]);
    r = (t[8] + z * t[9]) + z2 * t[10];
    p += z4 * (q + z4 * r);
    return copysign(0 - ((w * z * p - 0) - w), x);
}

/* The sign of the spin, smooth between -1e-3 rad/s and 0. */
static double rolling_sign(double omega)
{
    double x = limited(2 * omega / 1e-3 + 1, 1), s = x * x;
    return x * (15 + s * (3 * s - 10)) / 8;
}

/* (contact, axes W) => Fx, Fy, Mx, My, Mz at the contact point, axes W. */
static void fiala(const double *p, const double *in, double *out)
{
    double fz = in[FZ] < 1e9 ? in[FZ] : 1e9, s = limited(in[S], 1e6),
           alpha = limited(in[ALPHA], 3.14159265358979323846264338327950288 / 2);
    double surface = in[MU] < 0 ? 0 : in[MU] < 1e6 ? in[MU] : 1e6;
    double tan = tangent(alpha), slip = sqrt(s * s + tan * tan);
    double n = surface * (p[MU0] - (slip < 1 ? slip : 1) * (p[MU0] - p[MU1])) * fz;
    double magnitude = fabs(s), lateral = p[CALPHA] * fabs(tan), h = 0, cube;
    memset(out, 0, 5 * sizeof *out);
    if (fz <= 1e-99) /* in the air */
        return;
    out[0] = p[CS] * s;
    if (2 * magnitude * p[CS] > n)
        out[0] = copysign(n * (1 - n / (4 * magnitude * p[CS])), s);
    if (lateral < 3 * n)
        h = 1 - lateral / (3 * n);
    cube = h * h * h;
    out[1] = -n * (1 - cube) * sign(alpha);
    out[3] = -p[CR] * fz * rolling_sign(in[OMEGA]);
    out[4] = n * p[D2] * (1 - h) * cube * sign(alpha);
}

/* The axes W in earth axes, and the contact point from the wheel's centre. */
typedef struct {
    double x[3], y[3], z[3], arm[3];
} contact_axes;

/* (motion of the wheel, plane of the road with normal z and the centre at that height above it) => axes and contact. */
static void touch(const double *p, const double *tramat, const double *vel, const double *omega, double omegar,
                  double height, contact_axes *w, double *in)
{
    const double *axle = tramat + 3; /* y of C */
    double velocity[3], rate[3], sine, cosine, loaded, wx, wy, wz, rim, vcx, vcy;
    for (int k = 0; k < 3; k++) {
        velocity[k] = tramat[k] * vel[0] + tramat[3 + k] * vel[1] + tramat[6 + k] * vel[2];
        rate[k] = tramat[k] * omega[0] + tramat[3 + k] * (omega[1] + omegar) + tramat[6 + k] * omega[2];
    }
    cross(axle, w->z, w->x);
    cosine = sqrt(dot(w->x, w->x));
    for (int k = 0; k < 3; k++)
        w->x[k] /= cosine;
    cross(w->z, w->x, w->y);
    sine = dot(axle, w->z);
    loaded = height / cosine;
    for (int k = 0; k < 3; k++)
        w->arm[k] = loaded * sine * w->y[k] - height * w->z[k];
    wx = dot(rate, w->x), wy = dot(rate, w->y), wz = dot(rate, w->z);
    vcx = dot(velocity, w->x), vcy = dot(velocity, w->y);
    rim = sine * wz + cosine * wy;
    in[FZ] = fmax(p[STIFFNESS] * (p[RADIUS] * cosine - height) - p[DAMPING] * dot(velocity, w->z), 0);
    in[OMEGA] = wy / cosine;
    in[VEX] = vcx - loaded * rim; /* the effective radius is the loaded one */
    in[VEXS] = in[VPXS] = in[VEX] + in[OMEGA] * loaded;
    in[VPY] = vcy + height * wx;
    in[S] = -in[VEX] / fmax(fabs(in[VEXS]), 1e-3);
    in[ALPHA] = atan(in[VPY] / fmax(fabs(in[VPXS]), 1e-3));
}

/* Reads the tire file, whose name is padded with blanks or ends after nchtds characters. */
static int read_file(const char *chtdst, int nchtds, double *p, char *tyrmod)
{
    char path[257] = "", line[1024];
    FILE *from = NULL;
    int given[PARAMETERS] = {0};
    if (nchtds > 0 && nchtds < (int)sizeof path) {
        memcpy(path, chtdst, nchtds);
        from = fopen(path, "r");
    }
    if (from == NULL) {
        snprintf(line, sizeof line, "the tire file %s cannot be opened", path);
        memcpy(tyrmod, line, strlen(line) < 256 ? strlen(line) : 256);
        return FATAL;
    }
    while (fgets(line, sizeof line, from) != NULL) {
        char name[64];
        double value;
        if (sscanf(line, " %63[A-Za-z0-9] = %lf", name, &value) == 2)
            for (int k = 0; k < PARAMETERS; k++)
                if (strcmp(name, names[k]) == 0)
                    p[k] = value, given[k] = 1;
    }
    fclose(from);
    for (int k = 0; k < PARAMETERS; k++)
        if (!given[k]) {
            snprintf(line, sizeof line, "%s: the parameter %s is missing", path, names[k]);
            memcpy(tyrmod, line, strlen(line) < 256 ? strlen(line) : 256);
            return FATAL;
        }
    return FINE;
}

#if defined(ADAMS_C)
#define LENGTH(name) , int *name
#define LENGTH_AT_END(a, b, c)
#define ROUTINE fiala_c
#else
#define LENGTH(name)
#define LENGTH_AT_END(a, b, c) , size_t a, size_t b, size_t c
#define ROUTINE fiala_
#endif

#if defined(ADAMS_ROAD)
typedef void road_routine(int *jobflg, int *idtyre, double *time, double *dis, double *tramat, int *idroad, int *nropar,
                          double *ropar, int *nchrds, const char *chrdst LENGTH(chrdst_length), int *points,
                          double *shape, double *unlrad, double *tirew, int *nroad, double *effvol, double *effpen,
                          double *rcp, double *rnorm, double *surfac, int *ierr,
#if defined(ADAMS_C)
                          char *errmsg, int *errmsg_length);
#else
                          char *errmsg, size_t chrdst_length, size_t errmsg_length);
#endif
#else
typedef void road_routine(double *time, double *dis, int *iflag, int *jflag, int *idtyre, int *idroad, int *nropar,
                          double *ropar, int *nchrds, const char *chrdst LENGTH(chrdst_length), int *nprsur, int *nroad,
                          double *z, double *dz, double *ddz, int *dflag, double *prsurf, int *ierr
#if !defined(ADAMS_C)
                          , size_t chrdst_length
#endif
                          );
#endif

EXPORT void ROUTINE(int *ndev, int *iswtch, int *jobflg, int *idtyre, double *time, double *dis, double *tramat,
                    double *angtwc, double *vel, double *omega, double *omegar, int *ndeqvr, double *deqvar,
                    int *ntypar, double *typarr, int *nchtds, const char *chtdst LENGTH(chtdst_length),
                    road_routine *road, int *idroad, int *nropar, double *ropar, int *nchrds,
                    const char *chrdst LENGTH(chrdst_length), double *forces, double *torque, double *deqini,
                    double *deqder, char *tyrmod LENGTH(tyrmod_length), int *nvars, double *varinf, int *nwork,
                    double *wrkarr, int *niwork, int *iwrkar,
                    int *ierr LENGTH_AT_END(chtdst_length, chrdst_length, tyrmod_length))
{
    const double *p = typarr;
    double in[CONTACT], out[6], force[3], torque_earth[3], height;
    contact_axes w;
    int relaxing, nroad = 0, road_error = 0;
    (void)ndev, (void)iswtch, (void)angtwc, (void)deqini, (void)nwork, (void)wrkarr, (void)niwork, (void)iwrkar;
    (void)chtdst_length, (void)tyrmod_length;
    *ierr = FINE;
    if (*jobflg == INQUIRE) { /* of the file nothing is known yet */
        *ndeqvr = 2, *ntypar = PARAMETERS, *nropar = CONTACT, *nvars = 6, *nwork = 0, *niwork = 0;
        return;
    }
    if (*jobflg == INITIALISE || *jobflg == AGAIN) {
        *ierr = read_file(chtdst, *nchtds, typarr, tyrmod);
        if (*ierr == FINE)
            memcpy(tyrmod, "FIALA", 5);
        deqini[0] = deqini[1] = 0;
        return;
    }
    if (*jobflg != EVALUATE && *jobflg != DIFFERENCES)
        return;

#if defined(ADAMS_ROAD)
    {
        double shape[] = {1, 0, 1, 1}, radius = p[RADIUS], width = p[WIDTH], volume, penetration, point[3], r[3];
        int points = 2;
        char message[256];
#if defined(ADAMS_C)
        int message_length = sizeof message;
        road(jobflg, idtyre, time, dis, tramat, idroad, nropar, ropar, nchrds, chrdst, chrdst_length, &points, shape,
             &radius, &width, &nroad, &volume, &penetration, point, w.z, &in[MU], &road_error, message,
             &message_length);
#else
        road(jobflg, idtyre, time, dis, tramat, idroad, nropar, ropar, nchrds, chrdst, &points, shape, &radius, &width,
             &nroad, &volume, &penetration, point, w.z, &in[MU], &road_error, message, chrdst_length, sizeof message);
#endif
        for (int k = 0; k < 3; k++)
            r[k] = dis[k] - point[k];
        height = dot(r, w.z);
    }
#else
    {
        double z, dz[2], ddz[3], length;
        int iflag = 1, jflag = 0, nprsur = 1, dflag;
#if defined(ADAMS_C)
        road(time, dis, &iflag, &jflag, idtyre, idroad, nropar, ropar, nchrds, chrdst, chrdst_length, &nprsur, &nroad,
             &z, dz, ddz, &dflag, &in[MU], &road_error);
#else
        road(time, dis, &iflag, &jflag, idtyre, idroad, nropar, ropar, nchrds, chrdst, &nprsur, &nroad, &z, dz, ddz,
             &dflag, &in[MU], &road_error, chrdst_length);
#endif
        length = sqrt(1 + dz[0] * dz[0] + dz[1] * dz[1]);
        w.z[0] = -dz[0] / length, w.z[1] = -dz[1] / length, w.z[2] = 1 / length;
        height = (dis[2] - z) / length;
    }
#endif
    if (road_error > 1) {
        *ierr = road_error;
        return;
    }
    relaxing = p[BLONG] > 0;
    touch(p, tramat, vel, omega, *omegar, height, &w, in);
    if (p[GIVEN] == 1)
        memcpy(in, ropar, sizeof in);
    if (relaxing) /* (3.24), (3.25) */
        in[S] = deqvar[0], in[ALPHA] = arc_tangent(deqvar[1]);
    if (nroad == 0 && p[GIVEN] != 1)
        in[FZ] = 0;
    fiala(p, in, out);
    out[5] = in[FZ];
    deqder[0] = relaxing ? (-in[VEX] - deqvar[0] * fabs(in[VEXS])) / p[BLONG] : 0; /* (3.22) */
    deqder[1] = relaxing ? (in[VPY] - deqvar[1] * fabs(in[VPXS])) / p[BLAT] : 0;   /* (3.23) */

    /* from the contact point in W to the centre in C */
    memcpy(varinf, out, sizeof out);
    for (int k = 0; k < 3; k++)
        force[k] = out[0] * w.x[k] + out[1] * w.y[k] + out[5] * w.z[k];
    cross(w.arm, force, torque_earth);
    for (int k = 0; k < 3; k++)
        torque_earth[k] += out[2] * w.x[k] + out[3] * w.y[k] + out[4] * w.z[k];
    for (int i = 0; i < 3; i++)
        forces[i] = dot(tramat + 3 * i, force), torque[i] = dot(tramat + 3 * i, torque_earth);
}
