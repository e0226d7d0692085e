// What program.c does, in C++.
#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include <skidpad.h>

namespace {

struct Release {
    void operator()(skidpad_vehicle *vehicle) const { skidpad_free(vehicle); }
};
using Vehicle = std::unique_ptr<skidpad_vehicle, Release>;

Vehicle load(const char *model)
{
    std::string error(4096, '\0');
    skidpad_vehicle *vehicle = nullptr;
    if (skidpad_load(model, nullptr, &vehicle, error.data(), static_cast<std::int64_t>(error.size())) != SKIDPAD_OK)
        throw std::runtime_error(error.c_str());
    return Vehicle(vehicle);
}

void check(const Vehicle &vehicle, std::int32_t status)
{
    if (status != SKIDPAD_OK)
        throw std::runtime_error(skidpad_last_error(vehicle.get()));
}

std::uint32_t find(const Vehicle &vehicle, const char *name)
{
    std::uint32_t reference = 0;
    check(vehicle, skidpad_find(vehicle.get(), name, &reference));
    return reference;
}

} // namespace

int main(int count, char **arguments)
try {
    if (count != 2)
        return 2;
    const Vehicle car = load(arguments[1]);
    const std::array<std::uint32_t, 2> steer{find(car, "steer_FL.angle"), find(car, "steer_FR.angle")};
    const std::array<double, 2> angle{0.01, 0.01}; // rad
    const std::uint32_t yaw_rate = find(car, "body.wz");
    check(car, skidpad_initialise(car.get()));
    for (int i = 0; i < 1000; i++) {
        check(car, skidpad_set(car.get(), steer.data(), steer.size(), angle.data()));
        check(car, skidpad_step(car.get(), 0.001));
    }
    double rate = 0;
    check(car, skidpad_get(car.get(), &yaw_rate, 1, &rate));
    std::printf("%.17g\n", rate);
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
