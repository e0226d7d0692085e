/* What the hosts of this folder share: opening an extracted FMU of either
 * version as an importer does, and driving one instance of it.
 *
 * A host writes its figures, and the reason if it fails, to file descriptor 3.
 * stdout and stderr stay empty, so that whatever appears there was written by
 * the library; run.sh looks. */
#ifndef HOSTS_HOST_H
#define HOSTS_HOST_H

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "fmi.h"

#define FIGURES 3
#define figure(...) dprintf(FIGURES, __VA_ARGS__)

/* Ends the process, if condition does not hold. */
#define MUST(condition)                                                                  \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            figure("  %s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);       \
            _exit(1);                                                                    \
        }                                                                                \
    } while (0)

/* An extracted FMU with its library loaded. */
struct fmu {
    int version; /* 2 or 3 */
    char name[64];
    char token[128];             /* guid or instantiationToken */
    char resources[PATH_MAX + 32]; /* as the version wants it: URI or path */
    char *description;           /* text of modelDescription.xml */
    void *library;
    struct fmi2 f2;
    struct fmi3 f3;
};

/* Messages an instance has logged; the environment of its logger. */
struct log {
    int messages;
    int status; /* of the latest */
    char latest[2048];
};

/* One instance of an FMU. */
struct instance {
    const struct fmu *fmu;
    void *handle;
    double time;
    struct log log;
};

/* Loads the FMU extracted to folder. The second form leaves the library alone. */
void fmu_open(struct fmu *f, const char *folder);
void fmu_describe(struct fmu *f, const char *folder);
void fmu_close(struct fmu *f);

/* Where the library lies below the folder of an FMU; the caller's buffer. */
void fmu_library(const struct fmu *f, const char *folder, char path[PATH_MAX]);

/* The value reference of a variable; a name that does not exist ends the host. */
uint32_t fmu_reference(const struct fmu *f, const char *name);

/* Whether it is the articulated vehicle, whose variables have other names. */
bool fmu_is_skidder(const struct fmu *f);

/* The loggers; the environment is a struct log. */
log2_function log2_message;
log3_function log3_message;

/* new: a Co-Simulation instance with logging on, false if there is none;
 * initialise: setup with start time 0 and both ends of initialisation mode.
 * These and the following return the status of the last call made. */
bool instance_new(struct instance *i, const struct fmu *f, const char *name);
int instance_initialise(struct instance *i);
int instance_step(struct instance *i, double h);
int instance_get(struct instance *i, const uint32_t references[], size_t count, double values[]);
int instance_set(struct instance *i, const uint32_t references[], size_t count, const double values[]);
int instance_reset(struct instance *i);
void instance_free(struct instance *i);

/* A short drive: one variable of the driver moves and what the vehicle does is
 * recorded. The same seed gives the same drive; its samples go to values. */
enum { DRIVE_OUTPUTS = 3, DRIVE_STEPS = 50, DRIVE = DRIVE_OUTPUTS * DRIVE_STEPS };
#define DRIVE_STEP 0.001
void drive_step(struct instance *i, int seed, int step, double values[DRIVE_OUTPUTS]);

/* Creates an instance, drives it and frees it. */
void drive(const struct fmu *f, int seed, double values[DRIVE]);

/* Whether two drives agree in every bit. */
bool drive_equal(const double a[DRIVE], const double b[DRIVE]);

/* Monotonic seconds; /proc of this process: threads, resident bytes, mappings,
 * open files; mappings whose path contains text. */
double seconds(void);
int threads(void);
long resident(void);
int mappings(const char *text);
int open_files(void);

/* The next of a series of random numbers. */
uint64_t random_next(uint64_t *state);

/* Runs body in a child process and returns its wait status. After limit
 * seconds the child is ended by SIGKILL. */
int in_child(void (*body)(void *), void *argument, unsigned limit);

#endif
