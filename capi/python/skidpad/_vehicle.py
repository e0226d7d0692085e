"""Vehicles."""

from __future__ import annotations

import ctypes
import fnmatch
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _command, _control, _files, _gradient, _inverse, _linear, _manoeuvre
from ._gradient import By, Gradient
from ._inputs import Drive, Signal
from ._library import Error, Status, library
from ._linear import Linear
from ._loaded import LoadedVehicle
from ._manoeuvre import Manoeuvre
from ._trace import Trace
from ._variables import Causality, listed, reads_late, real, whole
from .cost import Cost

MOST_THREADS = 1024
"""Threads that step at once."""

_STEPS_AT_ONCE = 1000  # of a simulation, which Python can interrupt in between


class Vehicle(LoadedVehicle):
    """A vehicle of a model file.

    Set parameters, start values, inputs and texts first, then call initialise, then step or
    simulate. Close a vehicle when done, preferably by ``with``; garbage collection closes a
    vehicle, too. During a call, a second call from another thread is rejected with Status.BUSY.
    """

    def __reduce__(self) -> tuple[Callable[..., Vehicle], tuple[bytes, str, str, bytes]]:
        """Files of the model, tree and state. Another process, on any machine, continues with bit-identical results."""
        return _unpickled, (self.model_files(), self._tree, self._reactions, self.save())

    def simulate(
        self,
        duration: float,
        step: float,
        inputs: Mapping[str, Signal] | None = None,
        record: Sequence[str] | None = None,
        read: str = "before",
    ) -> Trace:
        """Drives an initialised vehicle on for duration seconds in steps of step seconds.

        At every communication point, first and last included, the variables of record (None for all
        outputs) are read, the inputs are set, and the vehicle steps. Other inputs keep their
        values. Each input is

            a number                  held all the time
            an array                  one value for each communication point
            a function of time [s]    called at each communication point; it may read the
                                      vehicle, and so be a feedback law, but not step it

        in the input's unit. The name of a motion driver, such as "steer_FL", means its position, rate and acceleration;
        the motion continues with them within a step. An array for a driver has three columns, a function returns three
        numbers; a number is a position at rest.

        With read="after" the variables are read after the inputs of the communication point are set, and correspond to
        these inputs. This saves an evaluation if inputs change at every point: reading and step share an evaluation.

        Raises Error if a step fails; the vehicle then has the state before this step. Trace.warnings equals
        run_warnings at the end.
        """
        duration, step = real("duration", duration), real("step", step)
        steps = round(duration / step) if step > 0 and math.isfinite(duration / step) else 0
        if steps < 1 or abs(steps * step - duration) > 1e-9 * duration:
            raise ValueError(f"a duration of {duration:g} s is not a whole number of steps of {step:g} s")
        late = reads_late(read)
        names = self.names(Causality.OUTPUT) if record is None else list(dict.fromkeys(listed(record)))
        recorded, drive = self._refer(names), Drive(self, inputs or {}, steps)
        time = self.time + step * np.arange(steps + 1, dtype=np.float64)
        table = np.empty((steps + 1, len(names)))
        native = library()
        if drive.known:
            if not late:
                self._call(native.skidpad_get, recorded.ctypes.data, len(names), table[0].ctypes.data)
            for first in range(0, steps, _STEPS_AT_ONCE):
                count, row = min(_STEPS_AT_ONCE, steps - first), first if late else first + 1
                self._call(
                    native.skidpad_rollout, count, step, drive.references.ctypes.data, len(drive.references),
                    drive.table[first].ctypes.data, recorded.ctypes.data, len(names), table[row].ctypes.data,
                    late, None,
                )  # fmt: skip
            values = drive.table[steps]
            self._call(native.skidpad_set, drive.references.ctypes.data, len(values), values.ctypes.data)
            if late:
                self._call(native.skidpad_get, recorded.ctypes.data, len(names), table[steps].ctypes.data)
            return Trace(time, table, self._units(names), self.run_warnings())
        get, put, advance = native.skidpad_get, native.skidpad_set, native.skidpad_step
        for n in range(steps + 1):
            if not late:
                self._call(get, recorded.ctypes.data, len(names), table[n].ctypes.data)
            now = self.time
            values = drive.at(n, float(time[n]))
            if self.time != now:
                raise Error(
                    Status.REFUSED,
                    f"a function of inputs has moved the vehicle from {now:g} s to {self.time:g} s; it may read it, "
                    "but simulate makes the steps",
                )
            self._call(put, drive.references.ctypes.data, len(values), values.ctypes.data)
            if late:
                self._call(get, recorded.ctypes.data, len(names), table[n].ctypes.data)
            if n < steps:
                self._call(advance, step)
        return Trace(time, table, self._units(names), self.run_warnings())

    def jacobian(self, of: Sequence[str], by: Sequence[str]) -> NDArray[np.float64]:
        """The derivatives of outputs and rates of states at the present point, in SI units: a row for each name in of,
        a column for each name in by.

        The list of has outputs, such as "body.ay", and rates of states, such as "der(body.wz)". The list by has states,
        inputs and parameters; before initialisation, start values replace the states. The derivatives are exact, except
        that tire functions in Python and the ground's parameters contribute central differences. At a kink (limits,
        min, max, abs) a derivative belongs to one side, or is the mean of both. The vehicle is not changed.

            A = car.jacobian([f"der({name})" for name in states], states)

        Raises Error for derivatives of or by other variables, such as coefficients of tires.
        """
        rows, columns = self._row(of).references.copy(), self._row(by).references.copy()
        matrix = np.zeros((len(rows), len(columns)))
        self._call(
            library().skidpad_jacobian, rows.ctypes.data, len(rows), columns.ctypes.data, len(columns),
            matrix.ctypes.data,
        )  # fmt: skip
        return matrix

    def gradient(
        self,
        of: Sequence[str] | Cost,
        by: By,
        duration: float,
        step: float,
        inputs: Mapping[str, Signal] | None = None,
        by_inputs: Sequence[str] = (),
        memory: int = 0,
    ) -> Gradient:
        """The exact derivatives of a run of duration seconds in steps of step seconds, by the methods euler, heun, rk4.

        A copy of the vehicle, which is not initialised, runs from the start; the vehicle is not changed. The list of
        has outputs, states and rates, which are read at every communication point before its inputs are set. Of a cost
        of skidpad.cost the derivatives need one run and the way back over it, however many there are. The list by has
        parameters and start values; a mapping {"stiffness": ["spring_FL.stiffness", "spring_FR.stiffness"]} has groups
        that change together. Inputs are numbers and arrays as in simulate; those of the first communication point hold
        at the start, too. by_inputs names inputs for the derivatives of a cost by their values in each step. A run that
        does not fit into memory [bytes], 0 for 64 MiB, is made again in parts on the way back, with the same bits.

            g = car.gradient(["body.wz"], ["body.mass", "body.vx"], duration=2, step=0.01, inputs={"steer_FL": angle})
            g["body.wz", "body.mass"]

        The derivatives belong to the steps that were made, branches of min, max and abs included. Raises Error for runs
        without derivatives, with the reason: other methods, wheel contacts, sampled controllers, ground that is not
        level.
        """
        return _gradient.gradient(self, of, by, duration, step, inputs, by_inputs, memory)

    def linearize(
        self, at: Mapping[str, float] | None = None, hold: Sequence[str] = (), free: Sequence[str] = ()
    ) -> Linear:
        """The linear equations about a steady motion, as ``skidpad linearize`` finds them for this vehicle.

        The search for a steady motion keeps the start values and parameters of at, such as {"body.vx": 20}, and the
        start values of the states named by hold. It chooses the inputs named by free, such as torques that hold a
        speed. If there is no steady motion and free is empty, it chooses the inputs of the role throttle. Settings of
        the vehicle hold: texts and parameters, and before initialisation start values and inputs, too. The vehicle is
        not changed.
        """
        return _linear.linearize(self, at, hold, free)

    def manoeuvre(
        self,
        manoeuvre: str | os.PathLike[str],
        let: Mapping[str, float | str] | None = None,
        car: str | os.PathLike[str] | None = None,
        controller: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
        control: _control.Control | None = None,
        sample: float | None = None,
        signals: Sequence[str] = (),
        outputs: Sequence[str] = (),
    ) -> Manoeuvre:
        """Drives a manoeuvre file, or a shipped manoeuvre by its name, such as "step_steer", as ``skidpad manoeuvre``
        does.

        Set constants of the manoeuvre by let, in SI units or as strings with a unit, such as "80 km/h"; car is a file
        with roles. Files of subsystems in controller are put into the vehicle, which its roles connect. Texts and
        parameters set in the vehicle hold; start values come from the model and the manoeuvre. Runs include the
        reactions requested from the vehicle. The vehicle is not changed.

        A function control(time, *values) is called each sample seconds, a whole number of communication steps, the
        first time at 0 s. It gets the values of signals and returns a number for each of outputs, inputs that keep
        these numbers until the next sample. Signals and outputs are variables or roles. For an output that the
        manoeuvre sets, too, the signal of this name is the value of the manoeuvre. Each run begins with a call of
        control.reset(), if there is one, or, if control is a class, with a new object of it. If the function raises an
        exception, the run ends with its text as the verdict.
        """
        law = None if control is None else _control.Law(control, sample, signals, outputs)
        return _manoeuvre.drive(self, manoeuvre, let, car, controller, law)

    def inverse(
        self,
        motion: _inverse.Motion,
        prescribe: str | Sequence[str],
        reactions: str | Sequence[str] = (),
        record: str | Sequence[str] = (),
    ) -> Trace:
        """The force [N] or torque [N.m] and power [W] of each prescribed joint at the times of a motion, as ``skidpad
        inverse`` computes them.

        The motion is a Trace, a file of a run, or a mapping from names to arrays, "time" [s] included. For a joint it
        has <joint>.phi and .omega (.s and .s_dot), or .angle (.position), .rate and .acceleration; columns of inputs
        are applied. Cubic splines give missing rates and accelerations. List names or patterns of revolute and
        prismatic joints in prescribe; the rest of the model moves freely, from the first row of the motion. Request
        reactions as in Vehicle, and other variables by patterns in record. Texts and parameters set in the vehicle
        hold. The vehicle is not changed.
        """
        return _inverse.inverse(self, motion, prescribe, reactions, record)

    def equations(self) -> dict[str, Any]:
        """The output of ``skidpad equations --json``: trees, branches, states, number and cost of equations.
        """
        return _command.equations(self)


def _unpickled(files: bytes, tree: str, reactions: str, state: bytes) -> Vehicle:
    """A vehicle from a pickle. Its tire functions must be registered here, as in the original process."""
    vehicle = Vehicle(_files.unpacked(files), tree, reactions)
    try:
        vehicle.restore(state)
    except BaseException:
        vehicle.close()
        raise
    return vehicle


def matching(vehicle: Vehicle, pattern: str) -> list[str]:
    """The variables that match a pattern such as "tire_*.LMUY", or the variable of this name."""
    if not any(mark in pattern for mark in "*?["):
        return [pattern]
    found = [name for name in vehicle.variables if fnmatch.fnmatchcase(name, pattern)]
    if not found:
        raise Error(Status.ARGUMENT, f'no variable matches "{pattern}"')
    return found


def step_all(vehicles: Iterable[Vehicle], h: float, threads: int = 0) -> None:
    """Advances many vehicles by h seconds; results are bit-identical to Vehicle.step. Steps use 1
    to 1024 threads; 0 means one thread per processor. Copies of a vehicle share vector
    instructions.

    Raises Error if a step failed, with the first reason; the failed vehicle does not change, and
    the others have stepped. If a vehicle is closed, busy or named twice, no vehicle steps.
    """
    fleet, h, threads = list(vehicles), real("h", h), whole("threads", threads, 0, MOST_THREADS)
    first: dict[int, int] = {}  # places by the vehicles there
    for i, vehicle in enumerate(fleet):
        if not isinstance(vehicle, Vehicle):
            raise TypeError(f"vehicle {i} is {vehicle!r}; give vehicles, such as copies of one")
        if first.setdefault(id(vehicle), i) != i:
            raise Error(Status.BUSY, f"vehicle {i} is vehicle {first[id(vehicle)]} again; name each vehicle once")
    handles = (ctypes.c_void_p * len(fleet))(*(v._handle for v in fleet))
    statuses = (ctypes.c_int32 * len(fleet))()
    with ExitStack() as turn:
        for vehicle in fleet:
            vehicle._enter()
            turn.callback(vehicle._turn.release)
        status = library().skidpad_step_all(handles, len(fleet), h, threads, statuses)
        for i, (vehicle, own) in enumerate(zip(fleet, statuses)):
            if own != Status.OK:
                raise Error(own, f"vehicle {i}: {vehicle._error(own)}")
        if status != Status.OK:
            raise Error(status)
