/* Times the accelerations of a tree in MuJoCo, without the features that the tree does not use.
 *
 *     mujoco FILE                      the accelerations at each state of standard input
 *     mujoco FILE EVALUATIONS forward  nanoseconds for one mj_forward at the first state
 *     mujoco FILE EVALUATIONS rk4      nanoseconds for one stage of its RK4 from the first state
 *     mujoco                           the version
 *
 * FILE is in MuJoCo's own format. A state is positions and velocities. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <mujoco/mujoco.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec*1e9 + t.tv_nsec;
}

/* Reads numbers; 0 at the end of the input. */
static int numbers(double *list, int n)
{
	for (int i = 0; i < n; i++)
		if (scanf("%lf", list + i) != 1) return 0;
	return 1;
}

int main(int argc, char **argv)
{
	char error[1000] = "";
	if (argc < 2) {
		puts(mj_versionString());
		return 0;
	}
	mjModel *m = mj_loadXML(argv[1], 0, error, sizeof error);
	if (!m) {
		fprintf(stderr, "%s: %s\n", argv[1], error);
		return 1;
	}
	m->opt.disableflags = mjDSBL_CONSTRAINT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS | mjDSBL_LIMIT | mjDSBL_CONTACT |
		mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_ACTUATION | mjDSBL_SENSOR | mjDSBL_WARMSTART | mjDSBL_ISLAND;
	mjData *d = mj_makeData(m);
	if (argc > 2) {
		long n = atol(argv[2]);
		if (!numbers(d->qpos, m->nq) || !numbers(d->qvel, m->nv)) return 1;
		if (argc > 3 && !strcmp(argv[3], "rk4")) {
			m->opt.integrator = mjINT_RK4;
			m->opt.timestep = 1e-6;
			double begin = now();
			for (long i = 0; i < n/4; i++)
				mj_step(m, d);
			printf("%.3f\n", (now() - begin)/(n/4*4));
			return 0;
		}
		mj_forward(m, d);
		double begin = now();
		for (long i = 0; i < n; i++) {
			d->qvel[3] += 1e-12;
			mj_forward(m, d);
		}
		printf("%.3f\n", (now() - begin)/n);
		return 0;
	}
	while (numbers(d->qpos, m->nq) && numbers(d->qvel, m->nv)) {
		mj_forward(m, d);
		for (int i = 0; i < m->nv; i++)
			printf("%.17g\n", d->qacc[i]);
	}
	return 0;
}
