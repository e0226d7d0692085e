/* Drives a vehicle of the C library through a sine steer, as a program in C does.
 *
 *     library LIBRARY MODEL METHOD STEPS [LIMIT]
 *
 * Prints for each of five drives the nanoseconds for one step of 1 ms, setting the steering and reading three outputs
 * included. LIMIT is a time limit of steps in seconds, which makes the core make every step. System calls that do
 * nothing mark the beginning and the end of the steps in a list of system calls. */
#define _POSIX_C_SOURCE 199309L
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "skidpad.h"

enum { INPUTS = 6, OUTPUTS = 3 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec*1e9 + t.tv_nsec;
}

static void mark(const char *text)
{
	if (write(-1, text, strlen(text)) >= 0)
		abort();
}

#define FIND(name) __typeof__(skidpad_##name) *name = dlsym(library, "skidpad_" #name)
#define MUST(call) \
	do { if ((call) != SKIDPAD_OK) return fprintf(stderr, "library: %s: %s\n", #call, last_error(v)), 1; } while (0)

int main(int argc, char **argv)
{
	static const char *const inputs[INPUTS] = {"steer_FL.angle", "steer_FL.rate", "steer_FL.acceleration",
	                                           "steer_FR.angle", "steer_FR.rate", "steer_FR.acceleration"};
	static const char *const outputs[OUTPUTS] = {"body.vx", "body.wz", "tire_FL.Fz"};
	uint32_t in[INPUTS], out[OUTPUTS];
	char error[4096];
	skidpad_vehicle *v = NULL;
	void *library = argc >= 5 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library)
		return fprintf(stderr, "library: %s\n", argc >= 5 ? dlerror() : "four arguments are needed"), 1;
	FIND(load);
	FIND(last_error);
	FIND(find);
	FIND(set_text);
	FIND(set_time_limit);
	FIND(initialise);
	FIND(set);
	FIND(step);
	FIND(get);
	FIND(reset);
	if (load(argv[2], NULL, &v, error, sizeof error) != SKIDPAD_OK)
		return fprintf(stderr, "library: %s\n", error), 1;
	for (int i = 0; i < INPUTS; i++)
		MUST(find(v, inputs[i], &in[i]));
	for (int i = 0; i < OUTPUTS; i++)
		MUST(find(v, outputs[i], &out[i]));
	for (int drive = 0; drive < 5; drive++) {
		double values[INPUTS], read[OUTPUTS];
		long steps = atol(argv[4]);
		MUST(set_text(v, "solver.method", argv[3]));
		MUST(set_time_limit(v, argc > 5 ? atof(argv[5]) : 0));
		MUST(initialise(v));
		mark("steps begin");
		double begin = now();
		for (long k = 0; k < steps; k++) {
			double t = k*0.001, w = 0.628318530717958648, a = 0.03;
			for (int i = 0; i < INPUTS; i += 3) {
				values[i] = a*sin(w*t);
				values[i + 1] = w*a*cos(w*t);
				values[i + 2] = -w*w*values[i];
			}
			MUST(set(v, in, INPUTS, values));
			MUST(step(v, 0.001));
			MUST(get(v, out, OUTPUTS, read));
		}
		double end = now();
		mark("steps end");
		printf("%.1f\n", (end - begin)/steps);
		MUST(reset(v));
	}
	return 0;
}
