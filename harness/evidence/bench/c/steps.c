/* Times every step of a vehicle of the native library, as a host in C sees them.
 *
 *     steps LIBRARY MODEL METHOD STEPS PACE     nanoseconds of each step of 1 ms, as binary doubles
 *
 * PACE 1: each step waits for its real time; 0: no waiting. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include "skidpad.h"

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec*1e9 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	char error[4096];
	skidpad_vehicle *v;
	void *library = argc == 6 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library)
		return fprintf(stderr, "steps: %s\n", argc == 6 ? dlerror() : "five arguments are needed"), 1;
#define USE(name) __typeof__(&skidpad_##name) name = (__typeof__(name))dlsym(library, "skidpad_" #name)
	USE(load);
	USE(set_text);
	USE(initialise);
	USE(step);
	USE(last_error);
	if (load(argv[2], NULL, &v, error, sizeof error) != SKIDPAD_OK)
		return fprintf(stderr, "steps: %s\n", error), 1;
	long n = atol(argv[4]), paced = atol(argv[5]);
	double *took = calloc(n, sizeof *took);
	mlockall(MCL_CURRENT); /* where it is allowed */
	if (set_text(v, "solver.method", argv[3]) != SKIDPAD_OK || initialise(v) != SKIDPAD_OK)
		return fprintf(stderr, "steps: %s\n", last_error(v)), 1;
	double start = now();
	for (long k = 0; k < n; k++) {
		double due = start + k*1e6;
		if (paced) {
			struct timespec t = {(time_t)((due - 2e5)/1e9), 0};
			t.tv_nsec = (long)(due - 2e5 - t.tv_sec*1e9);
			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
			while (now() < due)
				;
		}
		double begin = paced ? due : now();
		if (step(v, 0.001) != SKIDPAD_OK)
			return fprintf(stderr, "steps: %s\n", last_error(v)), 1;
		took[k] = now() - begin;
	}
	fwrite(took, sizeof *took, n, stdout);
	return 0;
}
