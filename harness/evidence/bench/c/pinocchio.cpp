/* Times the accelerations of a tree in Pinocchio: aba in the LOCAL convention.
 *
 *     pinocchio FILE                  the accelerations at each state of standard input
 *     pinocchio FILE EVALUATIONS      nanoseconds for one evaluation at the first state
 *     pinocchio                       the version
 *
 * FILE has the gravity and a line for each link: parent, kind of the joint, its axis, its position in the parent, the
 * quaternion of its axes (w first), mass, centre of mass, inertia (xx, yy, zz, xy, xz, yz). A state is positions and
 * velocities. */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <pinocchio/config.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>

using namespace pinocchio;
using Vector3 = Eigen::Vector3d;

/* joint has a type with a compile-time axis, if there is one. */
static JointModel joint(const std::string &kind, const Vector3 &axis)
{
	const bool x = axis == Vector3::UnitX(), y = axis == Vector3::UnitY(), z = axis == Vector3::UnitZ();
	if (kind == "free") return JointModelFreeFlyer();
	if (kind == "slide") {
		if (x) return JointModelPX();
		if (y) return JointModelPY();
		if (z) return JointModelPZ();
		return JointModelPrismaticUnaligned(axis);
	}
	if (x) return JointModelRX();
	if (y) return JointModelRY();
	if (z) return JointModelRZ();
	return JointModelRevoluteUnaligned(axis);
}

static bool numbers(Eigen::VectorXd &list)
{
	for (Eigen::Index i = 0; i < list.size(); i++)
		if (!(std::cin >> list[i])) return false;
	return true;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		std::puts(PINOCCHIO_VERSION);
		return 0;
	}
	Model model;
	std::ifstream file(argv[1]);
	Vector3 gravity, axis, at, centre;
	file >> gravity[0] >> gravity[1] >> gravity[2];
	model.gravity.linear(gravity);
	std::vector<JointIndex> links;
	int parent;
	std::string kind;
	while (file >> parent >> kind) {
		double w, x, y, z, mass, i[6];
		file >> axis[0] >> axis[1] >> axis[2] >> at[0] >> at[1] >> at[2] >> w >> x >> y >> z >> mass;
		file >> centre[0] >> centre[1] >> centre[2];
		for (double &element : i) file >> element;
		if (!file) {
			std::cerr << argv[1] << ": link " << links.size() << " is not complete\n";
			return 1;
		}
		const JointIndex link = model.addJoint(parent < 0 ? 0 : links[parent], joint(kind, axis),
			SE3(Eigen::Quaterniond(w, x, y, z), at), "joint" + std::to_string(links.size()));
		if (mass > 0)
			model.appendBodyToJoint(link, Inertia(mass, centre, Symmetric3(i[0], i[3], i[1], i[4], i[5], i[2])));
		links.push_back(link);
	}
	Data data(model);
	Eigen::VectorXd q(model.nq), v(model.nv);
	const Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv);
	if (argc > 2) {
		const long n = std::atol(argv[2]);
		if (!numbers(q) || !numbers(v)) return 1;
		aba(model, data, q, v, tau, Convention::LOCAL);
		const auto begin = std::chrono::steady_clock::now();
		for (long k = 0; k < n; k++) {
			v[3] += 1e-12;
			aba(model, data, q, v, tau, Convention::LOCAL);
		}
		const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
		std::printf("%.3f\n", took.count()/n);
		return 0;
	}
	while (numbers(q) && numbers(v))
		for (const double a : aba(model, data, q, v, tau, Convention::LOCAL))
			std::printf("%.17g\n", a);
	return 0;
}
