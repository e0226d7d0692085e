/* Times the rates of a model: emitted C with tires in plain C.
 *
 *     rates EVALUATIONS ROUNDS     nanoseconds for one evaluation, a line for each round
 *     rates 0                      the rates themselves
 *     rates -STEPS                 nanoseconds of each of STEPS Euler steps of 1 ms, as binary doubles
 *
 * Parameters, states and inputs come from standard input. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "tires.c"
#include "model.c"

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec*1e9 + t.tv_nsec;
}

#include "calls.c"

int main(int argc, char **argv)
{
	static double v[vehicle_memory], p[vehicle_parameters], x[vehicle_states], u[vehicle_inputs], dx[vehicle_states];
	long n = argc > 1 ? atol(argv[1]) : 0, rounds = argc > 2 ? atol(argv[2]) : 1;
	for (int i = 0; i < vehicle_parameters; i++)
		if (scanf("%lf", p + i) != 1) return 1;
	for (int i = 0; i < vehicle_states; i++)
		if (scanf("%lf", x + i) != 1) return 1;
	for (int i = 0; i < vehicle_inputs; i++)
		if (scanf("%lf", u + i) != 1) return 1;
	vehicle_parameters_set(v, p);
	vehicle_rates(v, x, u, dx, calls, 0);
	if (n == 0)
		for (int i = 0; i < vehicle_states; i++)
			printf("%.17g\n", dx[i]);
	if (n < 0) {
		double *took = malloc(-n*sizeof *took);
		for (long k = 0; k < -n; k++) {
			double begin = now();
			vehicle_rates(v, x, u, dx, calls, 0);
			for (int i = 0; i < vehicle_states; i++)
				x[i] += 0.001*dx[i];
			took[k] = now() - begin;
		}
		fwrite(took, sizeof *took, -n, stdout);
		return 0;
	}
	for (long r = 0; n > 0 && r < rounds; r++) {
		double begin = now();
		for (long i = 0; i < n; i++) {
			x[3] += 1e-12;
			vehicle_rates(v, x, u, dx, calls, 0);
		}
		printf("%.3f\n", (now() - begin)/n);
	}
	return 0;
}
