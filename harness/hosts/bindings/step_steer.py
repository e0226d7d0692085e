"""What capi/matlab/step_steer.m does, in Python: the bits that octave.m prints first."""

import struct
import sys

import numpy as np

import skidpad

STEP = 0.001  # s
time = STEP * np.arange(4001)
rate = 0.2 * ((time >= 1) & (time < 1.1))
angle = 0.02 * np.minimum(np.maximum((time - 1) / 0.1, 0), 1)
with skidpad.Vehicle(sys.argv[1]) as car:
    car.initialise()
    inputs = {
        f"steer_{wheel}.{name}": values for wheel in ("FL", "FR") for name, values in (("angle", angle), ("rate", rate))
    }
    trace = car.simulate(4, STEP, inputs, ["body.wz", "body.ay"])


def total(values: np.ndarray) -> float:
    """The sum in the order of time, as Octave forms it."""
    result = 0.0
    for value in values.tolist():
        result += value
    return result


columns = trace["body.wz"], trace["body.ay"]
numbers = [trace.time[-1], *(total(c) for c in columns), *(c[-1] for c in columns)]
print(" ".join(struct.pack(">d", x).hex() for x in numbers))
