/* Drives an FMU for FMI 3.0 through a sine steer, as an importer in C does.
 *
 *     fmu LIBRARY RESOURCES TOKEN STEPS METHOD-REFERENCE METHOD REFERENCE...
 *
 * The references are angle, rate and acceleration of each steered wheel. Prints for each of five
 * drives the nanoseconds for one step of 1 ms, setting the steering included. System calls that do nothing mark the
 * beginning and the end of the steps in a list of system calls. */
#define _POSIX_C_SOURCE 199309L
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec*1e9 + t.tv_nsec;
}

static void message(void *environment, int status, const char *category, const char *text)
{
	(void)environment, (void)status, (void)category;
	fprintf(stderr, "%s\n", text);
}

/* A system call that fails and shows in a list of system calls. */
static void mark(const char *text)
{
	if (write(-1, text, strlen(text)) >= 0)
		abort();
}

#define MUST(call) do { if ((call) != 0) return fprintf(stderr, "fmu: %s\n", #call), 1; } while (0)

int main(int argc, char **argv)
{
	void *library = argc > 7 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library)
		return fprintf(stderr, "fmu: %s\n", argc > 7 ? dlerror() : "arguments are missing"), 1;
        void *(*instantiate)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t,
                             void *, void *, void *) = dlsym(library, "fmi3InstantiateCoSimulation");
        int (*enter)(void *, bool, double, double, bool, double) = dlsym(library, "fmi3EnterInitializationMode");
	int (*leave)(void *) = dlsym(library, "fmi3ExitInitializationMode");
	int (*set_text)(void *, const uint32_t *, size_t, const char *const *, size_t) = dlsym(library, "fmi3SetString");
	int (*set)(void *, const uint32_t *, size_t, const double *, size_t) = dlsym(library, "fmi3SetFloat64");
	int (*step)(void *, double, double, bool, bool *, bool *, bool *, double *) = dlsym(library, "fmi3DoStep");
	void (*release)(void *) = dlsym(library, "fmi3FreeInstance");
	long steps = atol(argv[4]);
	uint32_t method = atol(argv[5]), references[32];
	size_t n = argc - 7 < 32 ? argc - 7 : 32;
	for (size_t i = 0; i < n; i++)
		references[i] = atol(argv[7 + i]);
	for (int drive = 0; drive < 5; drive++) {
		void *v = instantiate("bench", argv[3], argv[2], false, false, false, false, NULL, 0, NULL, (void *)message, NULL);
		const char *text = argv[6];
		double values[32], last;
		bool event, end, early;
		if (!v)
			return 1;
		MUST(set_text(v, &method, 1, &text, 1));
		MUST(enter(v, false, 0, 0, false, 0));
		MUST(leave(v));
		mark("steps begin");
		double begin = now();
		for (long k = 0; k < steps; k++) {
			double t = k*0.001, w = 0.628318530717958648, a = 0.03;
			double sine = a*sin(w*t), cosine = a*cos(w*t);
			for (size_t i = 0; i + 2 < n; i += 3) {
				values[i] = sine;
				values[i + 1] = w*cosine;
				values[i + 2] = -w*w*sine;
			}
			MUST(set(v, references, n, values, n));
			MUST(step(v, t, 0.001, true, &event, &end, &early, &last));
		}
		double took = now() - begin;
		mark("steps end");
		printf("%.1f\n", took/steps);
		release(v);
	}
	return 0;
}
