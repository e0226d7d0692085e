/* sti.h - calls of routines of the Standard Tyre Interface, and the arguments of Skidpad's own routine. */
#ifndef SKIDPAD_STI_H
#define SKIDPAD_STI_H

#include <stddef.h>
#include <stdint.h>

/* The arguments that have a fixed size; sti.Arguments in Go. */
typedef struct {
    int32_t ndev, iswtch, jobflg, idtyre, ierr, idroad;
    double time, dis[3], tramat[9], angtwc, vel[3], omega[3], omegar, forces[3], torque[3];
    int32_t ndeqvr, ntypar, nropar, nvars, nwork, niwork;
    struct {
        double point[3], normal[3], friction;
        int32_t ground;
        double radius, width;
    } plane;
    char tyrmod[256];
} sti_arguments;

/* A routine with any arguments. */
typedef void (*sti_routine)(void);

/* A tire with all its arguments. */
typedef struct {
    sti_arguments fixed;
    double *deqvar, *deqini, *deqder, *typarr, *ropar, *varinf, *wrkarr;
    int32_t *iwrkar;
    const char *chtdst; /* name of the tire file, nchtds characters */
    int32_t nchtds;

    /* for calls of a foreign routine */
    sti_routine routine;
    int32_t abi, road; /* as sti.ABI and sti.RoadForm in Go */
    const char *who;   /* for plugin_enter */
} sti_tire;

/* Loads a library and finds a routine in it; NULL with the reason in error. */
void *sti_load(const char *library, const char *symbol, sti_routine *routine, char *error, size_t capacity);
void sti_unload(void *library);

/* Largest number of tires in a process at a time. */
#define STI_TIRES 4096

/* Assigns a tire to IDROAD, 1 to STI_TIRES; NULL: no tire. */
void sti_place(int32_t idroad, sti_tire *);

/* The square root of a number, 0 for a negative number, by Heron's method. The library does not depend on the
 * mathematics library of C. */
double sti_root(double x);

/* Calls the routine of a tire. */
void sti_call(sti_tire *);

#endif
