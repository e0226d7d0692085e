/* Measures the cost of a step of an FMU for FMI 3.0 besides the equations, and the longest step.
 *
 *     without_go LIBRARY RESOURCES TOKEN METHOD-REFERENCE METHOD STEPS
 *
 * Prints the nanoseconds of a communication step of one solver step of 1 ms, of a solver step among 50 in one
 * communication step, of the longest of STEPS communication steps, and of the longest of as many pieces of a loop in C
 * that take as long. The first two are medians of 15 rounds in turn. */
#define _POSIX_C_SOURCE 199309L
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 15, PIECE = 5000, MANY = 50 };

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

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

#define MUST(call) do { if ((call) != 0) return fprintf(stderr, "without_go: %s\n", #call), 1; } while (0)

int main(int argc, char **argv)
{
	void *library = argc == 7 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library)
		return fprintf(stderr, "without_go: %s\n", argc == 7 ? dlerror() : "six arguments are needed"), 1;
	void *(*instantiate)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t,
	                     void *, void *, void *) = dlsym(library, "fmi3InstantiateCoSimulation");
	int (*enter)(void *, bool, double, double, bool, double) = dlsym(library, "fmi3EnterInitializationMode");
	int (*leave)(void *) = dlsym(library, "fmi3ExitInitializationMode");
	int (*set_text)(void *, const uint32_t *, size_t, const char *const *, size_t) = dlsym(library, "fmi3SetString");
	int (*step)(void *, double, double, bool, bool *, bool *, bool *, double *) = dlsym(library, "fmi3DoStep");
	uint32_t method = atol(argv[4]);
	const char *text = argv[5];
	long steps = atol(argv[6]);
	void *v = instantiate("bench", argv[3], argv[2], false, false, false, false, NULL, 0, NULL, (void *)message, NULL);
	bool event, end, early;
	double t = 0, single[ROUNDS], among[ROUNDS];
	if (!v)
		return 1;
	MUST(set_text(v, &method, 1, &text, 1));
	MUST(enter(v, false, 0, 0, false, 0));
	MUST(leave(v));
	for (int round = 0; round < ROUNDS; round++) {
		double begin = now();
		for (int k = 0; k < PIECE; k++)
			MUST(step(v, t, 0.001, true, &event, &end, &early, &t));
		double middle = now();
		for (int k = 0; k < PIECE/MANY; k++)
			MUST(step(v, t, 0.001*MANY, true, &event, &end, &early, &t));
		single[round] = (middle - begin)/PIECE;
		among[round] = (now() - middle)/PIECE;
	}
	qsort(single, ROUNDS, sizeof *single, ascending);
	qsort(among, ROUNDS, sizeof *among, ascending);
	double longest = 0, plain = 0, ns = single[ROUNDS/2];
	volatile double sum = 0;
	long turns = 1000, counted = 0;
	double begin = now();
	while (now() - begin < 1e7) /* how many turns take as long as a step */
		for (long k = 0; k < turns; k++, counted++)
			sum += 1e-9*k;
	turns = ns/((now() - begin)/counted);
	for (long k = 0; k < steps; k++) {
		double start = now();
		MUST(step(v, t, 0.001, true, &event, &end, &early, &t));
		double took = now() - start;
		longest = took > longest ? took : longest;
		start = now();
		for (long n = 0; n < turns; n++)
			sum += 1e-9*n;
		took = now() - start;
		plain = took > plain ? took : plain;
	}
	printf("%.1f %.1f %.0f %.0f\n", ns, among[ROUNDS/2], longest, plain);
	return 0;
}
