/* Times steps of a vehicle in generated C and in the library, in turn.
 *
 *     whole LIBRARY MODEL METHOD ROUNDS     nanoseconds of a step of 1 ms, generated C and library, a line a round
 *
 * METHOD is an index of vehicle_method_table. A round is a second from the start, and compares the states. */
#define _POSIX_C_SOURCE 199309L
#include "vehicle.c"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "skidpad.h"

enum { STEPS = 1000, TURN = 100 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec*1e9 + t.tv_nsec;
}

#define FIND(name) __typeof__(skidpad_##name) *name = dlsym(library, "skidpad_" #name)
#define MUST(call) \
	do { if ((call) != SKIDPAD_OK) return fprintf(stderr, "whole: %s: %s\n", #call, last_error(v)), 1; } while (0)

int main(int argc, char **argv)
{
	static vehicle c;
	static uint32_t at[VEHICLE_STATES + 1];
	static double x[VEHICLE_STATES + 1];
	char error[4096];
	skidpad_vehicle *v = NULL;
	void *library = argc == 5 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library)
		return fprintf(stderr, "whole: %s\n", argc == 5 ? dlerror() : "four arguments are needed"), 1;
	FIND(load);
	FIND(last_error);
	FIND(find);
	FIND(set_text);
	FIND(initialise);
	FIND(step);
	FIND(get);
	FIND(reset);
	const int method = atoi(argv[3]);
	vehicle_reset(&c);
	if (vehicle_set_method(&c, method) != VEHICLE_OK)
		return fprintf(stderr, "whole: there is no method %d\n", method), 1;
	if (load(argv[2], NULL, &v, error, sizeof error) != SKIDPAD_OK)
		return fprintf(stderr, "whole: %s\n", error), 1;
	for (int i = 0; i < VEHICLE_STATES; i++)
		MUST(find(v, vehicle_state_table[i].name, &at[i]));
	for (int round = 0; round < atoi(argv[4]); round++) {
		double mine = 0, theirs = 0;
		MUST(set_text(v, "solver.method", vehicle_method_table[method]));
		MUST(initialise(v));
		if (vehicle_initialise(&c) != VEHICLE_OK)
			return fprintf(stderr, "whole: generated C does not start\n"), 1;
		for (int k = 0; k < STEPS; k += TURN) {
			double begin = now();
			for (int i = 0; i < TURN; i++)
				if (vehicle_step(&c, 0.001) == VEHICLE_ERROR)
					return fprintf(stderr, "whole: step %d of generated C\n", k + i), 1;
			double between = now();
			for (int i = 0; i < TURN; i++)
				MUST(step(v, 0.001));
			theirs += now() - between;
			mine += between - begin;
		}
		MUST(get(v, at, VEHICLE_STATES, x));
		if (memcmp(x, vehicle_state(&c), sizeof(double)*VEHICLE_STATES) != 0)
			return fprintf(stderr, "whole: other states than those of the library\n"), 1;
		printf("%.2f %.2f\n", mine/STEPS, theirs/STEPS);
		MUST(reset(v));
		vehicle_reset(&c);
		vehicle_set_method(&c, method);
	}
	return 0;
}
