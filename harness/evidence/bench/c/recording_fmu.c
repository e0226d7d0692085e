/* Times steps of an FMU for FMI 3.0 of which values are recorded, beside bare ones, in turn.
 *
 *     recording_fmu LIBRARY RESOURCES TOKEN ROUNDS METHOD-REFERENCE METHOD REFERENCE...
 *
 * The references are those of outputs, 20 at least. A line a round: nanoseconds of a step of 1 ms, with nothing read in
 * one communication step of all; in communication steps with nothing read, 20 outputs, and all outputs. Each begins at
 * the same state. */
#define _POSIX_C_SOURCE 199309L
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 200, MOST = 4096, FEW = 20, CASES = 4 };

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

#define FIND(name, result, ...) result (*name)(__VA_ARGS__) = dlsym(library, "fmi3" #name)
#define MUST(call) do { if ((call) != 0) return fprintf(stderr, "recording_fmu: %s\n", #call), 1; } while (0)

int main(int argc, char **argv)
{
	static double values[MOST];
	static uint32_t all[MOST], few[FEW];
	const size_t outputs = argc > 7 ? argc - 7 : 0;
	void *library = outputs >= FEW && outputs <= MOST ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library)
		return fprintf(stderr, "recording_fmu: %s\n", outputs >= FEW ? dlerror() : "arguments are missing"), 1;
	FIND(InstantiateCoSimulation, void *, const char *, const char *, const char *, bool, bool, bool, bool,
	     const uint32_t *, size_t, void *, void *, void *);
	FIND(EnterInitializationMode, int, void *, bool, double, double, bool, double);
	FIND(ExitInitializationMode, int, void *);
	FIND(SetString, int, void *, const uint32_t *, size_t, const char *const *, size_t);
	FIND(GetFloat64, int, void *, const uint32_t *, size_t, double *, size_t);
	FIND(DoStep, int, void *, double, double, bool, bool *, bool *, bool *, double *);
	FIND(GetFMUState, int, void *, void **);
	FIND(SetFMUState, int, void *, void *);
	const uint32_t method = atol(argv[5]);
	const char *name = argv[6];
	for (size_t i = 0; i < outputs; i++)
		all[i] = atol(argv[7 + i]);
	for (size_t i = 0; i < FEW; i++)
		few[i] = all[i*outputs/FEW];
	bool event, end, early;
	double last;
	void *start = NULL, *v = InstantiateCoSimulation("bench", argv[3], argv[2], false, false, false, false, NULL, 0, NULL,
	                                                 (void *)message, NULL);
	if (!v)
		return 1;
	MUST(SetString(v, &method, 1, &name, 1));
	MUST(EnterInitializationMode(v, false, 0, 0, false, 0));
	MUST(ExitInitializationMode(v));
	MUST(GetFMUState(v, &start));
	for (int round = 0; round < atoi(argv[4]); round++) {
		double least[CASES];
		for (int turn = 0; turn < 10; turn++)
			for (int k = 0; k < CASES; k++) {
				MUST(SetFMUState(v, start));
				for (int i = 0; i < 2; i++) /* from here on without Go */
					MUST(DoStep(v, i*0.001, 0.001, true, &event, &end, &early, &last));
				const double begin = now();
				for (int i = 0; k > 0 && i < STEPS; i++) {
					MUST(DoStep(v, (2 + i)*0.001, 0.001, true, &event, &end, &early, &last));
					if (k == 2)
						MUST(GetFloat64(v, few, FEW, values, FEW));
					if (k == 3)
						MUST(GetFloat64(v, all, outputs, values, outputs));
				}
				if (k == 0)
					MUST(DoStep(v, 0.002, STEPS*0.001, true, &event, &end, &early, &last));
				const double took = (now() - begin)/STEPS;
				least[k] = turn == 0 || took < least[k] ? took : least[k];
			}
		for (int k = 0; k < CASES; k++)
			printf("%.2f%c", least[k], k + 1 < CASES ? ' ' : '\n');
	}
	return 0;
}
