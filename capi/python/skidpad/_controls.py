"""Steering wheel, throttle and brake, found by the roles of a vehicle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._command import roles
from ._library import Error, Status
from ._vehicle import Vehicle

Array = NDArray[np.float64]


class Controls:
    """Controls of a vehicle as columns of inputs."""

    def __init__(self, vehicle: Vehicle, braking: float) -> None:
        """Finds them; braking is the deceleration of the fully pressed brake [m/s2]."""
        found = roles(vehicle)
        missing = [role for role in ("chassis", "steering", "throttle", "brake") if role not in found]
        if missing:
            raise Error(
                Status.REFUSED,
                f"{vehicle._path.name} lacks roles that steering and driving need: {', '.join(missing)}. Write them "
                f'into [roles] of the model file; "skidpad car {vehicle._path.name} --draft" prints a draft',
            )
        self.chassis = str(found["chassis"])
        steering, throttle = found["steering"], found["throttle"]
        drivers, self._ratio = steering.get("drivers"), 1.0
        if drivers is None:  # a steering wheel
            drivers = [str(steering["input"]).partition(".")[0]]
        else:
            self._ratio = _number(steering.get("ratio", 1.0))
        self.inputs = [f"{driver}.{part}" for driver in drivers for part in ("angle", "rate", "acceleration")]
        self._steering = 3 * len(drivers)
        driven = throttle["inputs"] if "inputs" in throttle else [throttle["input"]]
        self._throttle = slice(len(self.inputs), len(self.inputs) + len(driven))
        self._closed, self._open = _number(throttle.get("closed", 0.0)), _number(throttle.get("open", 1.0))
        self.inputs += driven
        self._brakes = []
        for brake in found["brake"] if isinstance(found["brake"], list) else [found["brake"]]:
            braked = brake["inputs"] if "inputs" in brake else [brake["input"]]
            columns = slice(len(self.inputs), len(self.inputs) + len(braked))
            most = 1.0 if brake.get("per") == "pedal" else braking * _number(brake.get("factor", 1.0))
            self._brakes.append((columns, most))
            self.inputs += braked

    def write(self, inputs: Array, angle: Array, rate: Array, drive: Array) -> None:
        """Writes inputs, a row for each vehicle: the steering wheel at an angle [rad] with a rate [rad/s], and the
        drive, from -1, fully braked, to 1, fully open throttle."""
        inputs[:, 0 : self._steering : 3] = (angle / self._ratio)[:, np.newaxis]
        inputs[:, 1 : self._steering : 3] = (rate / self._ratio)[:, np.newaxis]
        go, stop = np.maximum(drive, 0.0), np.maximum(-drive, 0.0)
        inputs[:, self._throttle] = (self._closed + (self._open - self._closed) * go)[:, np.newaxis]
        for columns, most in self._brakes:
            inputs[:, columns] = (most * stop)[:, np.newaxis]


def _number(value: Any) -> float:
    """A number of a model file, possibly with a unit."""
    return float(str(value).split()[0])
