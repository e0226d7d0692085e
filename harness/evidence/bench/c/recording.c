/* Times steps of the C library with recorded values and bare steps, in turn.
 *
 *     recording LIBRARY MODEL METHOD ROUNDS
 *
 * A line a round: nanoseconds of a step of 1 ms, with nothing read in one communication step of all; in steps with
 * nothing read, one state, 20 outputs, and all outputs; and with an input that changes at every point, 20 outputs read
 * after each step, and after the input is set. Each case begins at the same state. */
#define _POSIX_C_SOURCE 199309L
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "skidpad.h"

enum { STEPS = 200, MOST = 4096, FEW = 20, CASES = 7 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec*1e9 + t.tv_nsec;
}

#define FIND(name) __typeof__(skidpad_##name) *name = dlsym(library, "skidpad_" #name)
#define MUST(call) \
	do { if ((call) != SKIDPAD_OK) return fprintf(stderr, "recording: %s: %s\n", #call, last_error(v)), 1; } while (0)

int main(int argc, char **argv)
{
	static double inputs[STEPS], values[STEPS*MOST];
	uint32_t all[MOST], few[FEW], state = 0, steering = 0;
	int64_t count, size, made, outputs = 0;
	char error[4096];
	skidpad_vehicle *v = NULL;
	skidpad_variable d;
	void *library = argc == 5 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library)
		return fprintf(stderr, "recording: %s\n", argc == 5 ? dlerror() : "four arguments are needed"), 1;
	FIND(load);
	FIND(last_error);
	FIND(variable_count);
	FIND(describe);
	FIND(set_text);
	FIND(initialise);
	FIND(state_size);
	FIND(save);
	FIND(restore);
	FIND(step);
	FIND(rollout);
	if (load(argv[2], NULL, &v, error, sizeof error) != SKIDPAD_OK)
		return fprintf(stderr, "recording: %s\n", error), 1;
	MUST(variable_count(v, &count));
	for (int64_t i = 0; i < count && outputs < MOST; i++) {
		MUST(describe(v, i, &d));
		if (d.causality == SKIDPAD_OUTPUT)
			all[outputs++] = d.reference;
		if (d.causality == SKIDPAD_INPUT && strstr(d.name, "steer") && strstr(d.name, ".angle") && steering == 0)
			steering = d.reference;
		if (strcmp(d.name, "body.yaw") == 0)
			state = d.reference;
	}
	if (state == 0 || steering == 0 || outputs < FEW)
		return fprintf(stderr, "recording: no steered vehicle with a body\n"), 1;
	for (int i = 0; i < FEW; i++)
		few[i] = all[i*outputs/FEW];
	for (int i = 0; i < STEPS; i++)
		inputs[i] = 1e-3*sin(0.01*(i + 1));
	MUST(set_text(v, "solver.method", argv[3]));
	MUST(initialise(v));
	MUST(state_size(v, &size));
	void *start = malloc(size);
	if (start == NULL)
		return 1;
	MUST(save(v, start, size));
	const struct {
		const uint32_t *in, *out;
		int64_t n_in, n_out;
		int32_t read;
	} cases[CASES] = {{0}, {0}, {NULL, &state, 0, 1, SKIDPAD_READ_AFTER_STEP},
	                  {NULL, few, 0, FEW, SKIDPAD_READ_AFTER_STEP}, {NULL, all, 0, outputs, SKIDPAD_READ_AFTER_STEP},
	                  {&steering, few, 1, FEW, SKIDPAD_READ_AFTER_STEP},
	                  {&steering, few, 1, FEW, SKIDPAD_READ_AFTER_INPUTS}};
	for (int round = 0; round < atoi(argv[4]); round++) {
		double least[CASES];
		for (int turn = 0; turn < 10; turn++)
			for (int k = 0; k < CASES; k++) {
				MUST(restore(v, start, size));
				MUST(step(v, 0.001));
				MUST(step(v, 0.001)); /* from here on without Go */
				double begin = now();
				if (k == 0)
					MUST(step(v, STEPS*0.001));
				else
					MUST(rollout(v, STEPS, 0.001, cases[k].in, cases[k].n_in, inputs, cases[k].out, cases[k].n_out, values,
					             cases[k].read, &made));
				double took = (now() - begin)/STEPS;
				least[k] = turn == 0 || took < least[k] ? took : least[k];
			}
		for (int k = 0; k < CASES; k++)
			printf("%.2f%c", least[k], k + 1 < CASES ? ' ' : '\n');
	}
	free(start);
	return 0;
}
