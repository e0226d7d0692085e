/* Times the rates and the steps of a vehicle in generated C.
 *
 *     rates EVALUATIONS ROUNDS     nanoseconds for one evaluation, a line for each round
 *     rates 0                      the rates themselves
 *     rates -STEPS                 nanoseconds of each of STEPS steps of 1 ms, as binary doubles
 *
 * States and inputs come from standard input. */
#define _POSIX_C_SOURCE 199309L
#include "vehicle.c"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec*1e9 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	static vehicle v;
	static double x[VEHICLE_STATES + 1], u[VEHICLE_INPUTS + 1], dx[VEHICLE_STATES + 1];
	long n = argc > 1 ? atol(argv[1]) : 0, rounds = argc > 2 ? atol(argv[2]) : 1;
	for (int i = 0; i < VEHICLE_STATES; i++)
		if (scanf("%lf", x + i) != 1) return 1;
	for (int i = 0; i < VEHICLE_INPUTS; i++)
		if (scanf("%lf", u + i) != 1) return 1;
	vehicle_reset(&v);
	memcpy(vehicle_input(&v), u, VEHICLE_INPUTS*sizeof *u);
	if (vehicle_initialise(&v) != VEHICLE_OK || vehicle_rates(&v, x, u, dx) != VEHICLE_OK)
		return 2;
	if (n == 0)
		for (int i = 0; i < VEHICLE_STATES; i++)
			printf("%.17g\n", dx[i]);
	if (n < 0) {
		double *took = malloc(-n*sizeof *took);
		memcpy(vehicle_state(&v), x, VEHICLE_STATES*sizeof *x);
		for (long k = 0; k < -n; k++) {
			double begin = now();
			if (vehicle_step(&v, 0.001) == VEHICLE_ERROR)
				return 3;
			took[k] = now() - begin;
		}
		fwrite(took, sizeof *took, -n, stdout);
		return 0;
	}
	for (long r = 0; n > 0 && r < rounds; r++) {
		double begin = now();
		for (long i = 0; i < n; i++) {
			x[VEHICLE_STATES > 3 ? 3 : 0] += 1e-12;
			vehicle_rates(&v, x, u, dx);
		}
		printf("%.3f\n", (now() - begin)/n);
	}
	return 0;
}
