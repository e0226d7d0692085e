/* Times steps of the sedan of LFDM in LFDM and in the library, in turn, both with the steering set before each step.
 *
 *     lfdm LIBRARY MODEL DATA ROUNDS     nanoseconds of a step of 1 ms, LFDM and library, a line a round; then the
 *                                        yaw-rate difference over the library's yaw rate, root mean squares
 *
 * DATA is the folder of the files vehicle.json, suspension.json and tmeasyNr.json of LFDM. A round is a second from the start
 * at 20 m/s, the comparison ten seconds. Engine and brakes are idle on both sides. */
#include <dlfcn.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "dof24_halfImplicit.h"
extern "C" {
#include "skidpad.h"
}

enum { STEPS = 1000, TURN = 100 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec*1e9 + t.tv_nsec;
}

/* The angle of the front wheels: 0.02 rad at 0.5 Hz. */
static double steering(double t) { return 0.02*std::sin(M_PI*t); }

/* Starts LFDM as the model starts: 20 m/s, wheels rolling. */
static void begin(d24SolverHalfImplicit &car)
{
	d24::VehicleState body;
	d24::TMeasyNrState wheel;
	d24::SuspensionState strut;
	body._u = 20;
	wheel._omega = 62.11180124223603;
	d24::TMeasyNrState wheels[4] = {wheel, wheel, wheel, wheel};
	d24::SuspensionState struts[4] = {strut, strut, strut, strut};
	car.Initialize(body, wheels[0], wheels[1], wheels[2], wheels[3], struts[0], struts[1], struts[2], struts[3]);
}

#define FIND(name) auto name = (decltype(&skidpad_##name))dlsym(library, "skidpad_" #name)
#define MUST(call) \
	do { if ((call) != SKIDPAD_OK) return fprintf(stderr, "lfdm: %s: %s\n", #call, last_error(v)), 1; } while (0)

int main(int argc, char **argv)
{
	void *library = argc == 5 ? dlopen(argv[1], RTLD_NOW) : nullptr;
	if (!library)
		return fprintf(stderr, "lfdm: %s\n", argc == 5 ? dlerror() : "four arguments are needed"), 1;
	FIND(load);
	FIND(last_error);
	FIND(find);
	FIND(initialise);
	FIND(step);
	FIND(get);
	FIND(set);
	FIND(reset);

	skidpad_vehicle *v = nullptr;
	char error[4096];
	if (load(argv[2], nullptr, &v, error, sizeof error) != SKIDPAD_OK)
		return fprintf(stderr, "lfdm: %s\n", error), 1;
	uint32_t angles[2], yaw_rate;
	MUST(find(v, "steer_FL.angle", &angles[0]));
	MUST(find(v, "steer_FR.angle", &angles[1]));
	MUST(find(v, "body.wz", &yaw_rate));

	const std::string data = std::string(argv[3]) + "/";
	d24SolverHalfImplicit car;
	car.Construct(data + "vehicle.json", data + "tmeasyNr.json", data + "suspension.json", d24::TireType::TMeasyNr);
	car.SetTimeStep(1e-3);
	for (auto &loss : car.m_veh_param._lossesMap)
		loss._y = 0;
	const double full = car.m_veh_param._maxSteer;

	for (int round = 0; round < atoi(argv[4]); round++) {
		double mine = 0, theirs = 0;
		MUST(initialise(v));
		begin(car);
		for (int k = 0; k < STEPS; k += TURN) {
			double start = now();
			for (int i = k; i < k + TURN; i++)
				car.IntegrateStep(1e-3*i, 0, steering(1e-3*i)/full, 0);
			double between = now();
			for (int i = k; i < k + TURN; i++) {
				const double delta = steering(1e-3*i), both[2] = {delta, delta};
				MUST(set(v, angles, 2, both));
				MUST(step(v, 1e-3));
			}
			mine += now() - between;
			theirs += between - start;
		}
		printf("%.2f %.2f\n", theirs/STEPS, mine/STEPS);
		MUST(reset(v));
	}
	double apart = 0, all = 0;
	MUST(initialise(v));
	begin(car);
	for (int i = 0; i < 10*STEPS; i++) {
		const double delta = steering(1e-3*i), both[2] = {delta, delta};
		double wz = 0;
		car.IntegrateStep(1e-3*i, 0, delta/full, 0);
		MUST(set(v, angles, 2, both));
		MUST(step(v, 1e-3));
		MUST(get(v, &yaw_rate, 1, &wz));
		apart += (car.m_veh_state._wz - wz)*(car.m_veh_state._wz - wz);
		all += wz*wz;
	}
	printf("%.6f\n", std::sqrt(apart/all));
	return 0;
}
