/* The generic vehicle steers to the left for a second; prints its yaw rate [rad/s]. */
#include <stdio.h>
#include <skidpad.h>

int main(int count, char **arguments)
{
    const double angle[2] = {0.01, 0.01}; /* both front wheels, rad */
    skidpad_vehicle *car;
    uint32_t steer[2], yaw_rate;
    char error[4096];
    double rate;
    int failed = 0;

    if (count != 2 || skidpad_abi_version() != SKIDPAD_ABI_VERSION)
        return 2;
    if (skidpad_load(arguments[1], NULL, &car, error, sizeof error) != SKIDPAD_OK) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    failed |= skidpad_find(car, "steer_FL.angle", &steer[0]);
    failed |= skidpad_find(car, "steer_FR.angle", &steer[1]);
    failed |= skidpad_find(car, "body.wz", &yaw_rate);
    failed |= skidpad_initialise(car);
    for (int i = 0; i < 1000; i++) {
        failed |= skidpad_set(car, steer, 2, angle);
        failed |= skidpad_step(car, 0.001);
    }
    failed |= skidpad_get(car, &yaw_rate, 1, &rate);
    if (failed)
        fprintf(stderr, "%s\n", skidpad_last_error(car));
    else
        printf("%.17g\n", rate);
    skidpad_free(car);
    return failed != 0;
}
