"""What program.c does, in Python."""

import sys

import skidpad

with skidpad.Vehicle(sys.argv[1]) as car:
    car.initialise()
    for _ in range(1000):
        car.set(["steer_FL.angle", "steer_FR.angle"], 0.01)  # rad
        car.step(0.001)
    print(f"{car['body.wz']:.17g}")
