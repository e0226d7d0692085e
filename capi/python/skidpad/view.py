"""Drives vehicles in the live view, and feeds it. Needs ``pip install skidpad[view]``.

    import skidpad.view

    with skidpad.view.open("passenger_car", pace="lockstep", speed=15) as car:  # starts the command "skidpad view"
        print(car.address)  # open it in a browser to watch
        for _ in range(100):
            car.drive(steering=0.5, throttle=0.1)
            car.advance(10)  # slices of 1 ms
        print(car.state()["body.vx"])

    with skidpad.Vehicle("generic4w") as vehicle, skidpad.view.feed(vehicle) as feed:
        vehicle.initialise()
        for _ in range(500):
            vehicle.step(0.01)  # a loop of your own
            feed.show(vehicle)
"""

from __future__ import annotations

import math
import os
import struct
import time as clock
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from ._command import pairs
from ._library import Error, Status
from ._loaded import LoadedVehicle
from ._shipped import model_path
from ._variables import real, similar, whole
from ._view_client import ANSWER_TIME, Client, Event
from ._view_process import Process

__all__ = ["Event", "Feed", "State", "View", "feed", "open"]

_MOST_SLICES = 1_000_000
_DEVICE = (("steering", -100.0, 100.0), ("throttle", 0.0, 1.0), ("brake", 0.0, 100.0), ("clutch", 0.0, 1.0))
_LATE = 0.2  # s, from which on a feed gives up to catch up with the clock


@dataclass(frozen=True)
class State:
    """A moment of a live vehicle. Axes follow ISO 8855; quaternions are w, x, y, z."""

    time: float  # of the vehicle [s]
    segment: int  # of the drive, modulo 65536
    number: int  # of the last input that acted
    paused: bool  # nothing is stepped; in lockstep always
    late: bool  # slices are more than 5 ms behind the clock
    recording: bool  # the drive is recorded
    driven: bool  # a driver has the seat
    position: NDArray[np.float64]  # of the chassis, x, y, z [m]
    quaternion: NDArray[np.float64]  # of the chassis
    velocity: NDArray[np.float64]  # of the chassis, in axes of the ground [m/s]
    angular_velocity: NDArray[np.float64]  # of the chassis, in axes of the ground [rad/s]
    frames: Mapping[str, NDArray[np.float64]]  # position [m] and quaternion of the other frames, in the chassis
    signals: Mapping[str, float]  # by name, in their units
    units: Mapping[str, str]  # of the signals, by name
    roles: Mapping[str, str]  # names of signals by role, such as "@chassis.vx"

    def __getitem__(self, name: str) -> float:
        """A signal by its name, such as "body.vx", or by its role, such as "@chassis.vx"."""
        name = self.roles.get(name, name)
        if name not in self.signals:
            raise KeyError(f'no signal is called "{name}"{similar(name, [*self.signals, *self.roles])}')
        return self.signals[name]

    @property
    def yaw(self) -> float:
        """Yaw angle of the chassis [rad], positive to the left."""
        w, x, y, z = self.quaternion
        return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


_Kind = TypeVar("_Kind", bound=Client)


class View(Client):
    """A vehicle of ``skidpad view --driver socket``, driven by this program.

    Use it as a context manager, or close it. Orders wait for their answer; a refused order raises Error with the
    reason. One thread at a time may give orders.
    """

    def __init__(self, address: str, rate: float = 60.0) -> None:
        """Connects to the printed address of a live view, token included, and takes the driver's seat. At most rate
        states per second arrive, 1 to 240; in lockstep the state after each order arrives, too.

        A present driver is asked for the seat and has 5 s to refuse."""
        super().__init__(address, rate)
        look, signals = self._scene["look"], self._scene["signals"]
        self._frames = [name for f, name in enumerate(self._scene["names"]) if f != look["chassis"]]
        self._signals = [s["name"] for s in signals]
        self._units = {s["name"]: s["unit"] for s in signals}
        self._roles = {s["role"]: s["name"] for s in signals if s.get("role")}
        try:
            self._sit()
        except BaseException:
            self.close()
            raise

    @property
    def lockstep(self) -> bool:
        """Whether the vehicle advances by orders only."""
        return bool(self._scene["lockstep"])

    @property
    def recorded(self) -> Path | None:
        """The recorded drive, after close, of a command that open has started with record."""
        return self._process.drive() if self._process is not None else None

    def drive(
        self, steering: float = 0.0, throttle: float = 0.0, brake: float = 0.0, clutch: float = 0.0, gear: int = 0
    ) -> None:
        """Gives the driver's command: angle of the steering wheel [rad], positive to the left; throttle from 0 to 1;
        brake [m/s2]; clutch from 0, closed, to 1; gear 1 forward, -1 backward at rest, 0 unchanged.

        The steering wheel follows the angle by a filter of 40 rad/s. In real time a command holds for 0.25 s; then the
        pedals count as released, and a second later the vehicle pauses. In lockstep it holds until the next one.
        """
        numbers = []
        for (name, least, most), value in zip(_DEVICE, (steering, throttle, brake, clutch)):
            numbers.append(real(name, value))
            if not least <= numbers[-1] <= most:
                raise ValueError(f"{name} is {numbers[-1]:g}; give a number from {least:g} to {most:g}")
        self._inputs = (self._inputs + 1) % (1 << 32)
        self._send(struct.pack("<BBHI4fb", 2, 3, 0, self._inputs, *numbers, whole("gear", gear, -1, 1)))

    def advance(self, slices: int = 1) -> None:
        """Steps a paused vehicle, or a vehicle in lockstep, and waits for its end. A slice is 1 ms, if --step says
        nothing else."""
        self._order("advance", slices=whole("slices", slices, 1, _MOST_SLICES))

    def state(self) -> State:
        """The newest state. After an order in lockstep it is the state after the order."""
        with self._changed:
            until = clock.monotonic() + ANSWER_TIME
            while not self._state and not self._closed and clock.monotonic() < until:
                self._changed.wait(1.0)
            data = self._state
        if not data:
            self._check()
            raise Error(Status.REFUSED, "the view sends no state")
        kind, flags, segment, number, time, x, y, z = struct.unpack_from("<BBHI4d", data)
        values = np.frombuffer(data, "<f4", offset=40).astype(np.float64)
        frames = 10 + 7 * len(self._frames)
        if kind != 1 or len(values) != frames + len(self._signals):
            raise Error(Status.REFUSED, f"a state has {len(data)} bytes, which this version of skidpad cannot read")
        poses = values[10:frames].reshape(-1, 7)
        return State(
            time, segment, number, bool(flags & 1), bool(flags & 2), bool(flags & 4), bool(flags & 8),
            np.array([x, y, z]), values[:4], values[4:7], values[7:10], dict(zip(self._frames, poses)),
            dict(zip(self._signals, values[frames:].tolist())), self._units, self._roles,
        )  # fmt: skip

    def run(self) -> None:
        """Lets a paused vehicle go on in real time."""
        self._order("run")

    def pause(self) -> None:
        """Pauses the vehicle."""
        self._order("pause")

    def pace(self, pace: float) -> None:
        """Sets vehicle time by real time, 0.1 to 4."""
        self._order("pace", pace=_finite("pace", pace))

    def reset(self) -> None:
        """Brings the vehicle back to its start."""
        self._order("reset")

    def rewind(self, seconds: float) -> None:
        """Returns to a state that is at least some seconds old, or to the oldest. One state per second is kept, the
        last 120."""
        self._order("rewind", seconds=_finite("seconds", seconds))

    def keep(self, slot: int) -> None:
        """Keeps the present state in a slot, 1 to 9."""
        self._order("keep", slot=whole("slot", slot, 1, 9))

    def return_to(self, slot: int) -> None:
        """Returns to the state of a slot."""
        self._order("return", slot=whole("slot", slot, 1, 9))

    def set(self, name: str, value: float) -> None:
        """Sets a parameter that can change between two steps, or an input that the driver does not set, in its unit."""
        self._order("set", name=name, value=_finite(name, value))

    def take_seat(self) -> None:
        """Takes the driver's seat back from another program, which has 5 s to refuse."""
        self._sit()


class Feed(Client):
    """A view of ``skidpad view --feed``, which draws the values that this program shows.

    Nothing is stepped by the view. Values that are not shown stay as at the start of the vehicle.
    """

    def __init__(self, address: str, rate: float = 60.0, pace: float | None = 1.0) -> None:
        """Connects to the printed address of ``skidpad view --feed``, token included.

        At most rate moments per second are sent, 1 to 120. A moment in between is not sent, except the last one, by
        close. By default show waits for the clock, so that time passes as in reality; a pace of 2 is twice as fast,
        None never waits."""
        if not 1 <= rate <= 120:
            raise ValueError(f"rate is {rate}; give 1 to 120 moments per second")
        if pace is not None and not 0 < pace < math.inf:
            raise ValueError(f"pace is {pace}; give a finite number above 0, or None")
        super().__init__(address, 1.0)
        self._interval, self._pace = 1 / rate, pace
        self._bound: tuple[str, ...] = ()
        self._common: tuple[str, ...] = ()  # that vehicles have
        self._row = b""  # that waits
        self._due = -math.inf  # of the next row, on the clock
        self._begin = (0.0, math.inf)  # of the pace: clock, and time of the vehicle
        self._last = -math.inf
        try:
            if not self._scene.get("feeds"):
                raise Error(Status.REFUSED, "this view steps its vehicle; start 'skidpad view' with --feed to feed it")
            self._sit()
        except BaseException:
            self.close()
            raise

    @property
    def names(self) -> list[str]:
        """The values that the page shows: outputs of the model, and steering, throttle, brake and gear of a driver."""
        return list(self._scene["feeds"])

    def show(self, time: Union[float, LoadedVehicle], values: Mapping[str, float] | None = None) -> None:
        """Shows a moment: a time [s] and values by name, in their units, such as show(1.5, {"body.x": 3, "body.yaw":
        0.1}); or show(vehicle), with the time and all values of a vehicle. A time before the last one begins another
        drive. Unknown names are rejected."""
        if isinstance(time, LoadedVehicle):
            vehicle = time
            names = self._common = self._common or tuple(name for name in self.names if name in vehicle)
            time, given = vehicle.time, vehicle.get(names)
        elif values is None:
            raise TypeError("show needs a time and values by name, or a vehicle")
        else:
            time = _finite("time", time)
            names = tuple(values)
            given = np.array([real(name, value) for name, value in values.items()], np.float64)
        if not np.isfinite(given).all():
            at = int(np.flatnonzero(~np.isfinite(given))[0])
            raise ValueError(f"{names[at]} is {given[at]}; give finite numbers")
        if names != self._bound:
            self._order("feed", names=names)
            self._bound = names
        if self._pace is not None:
            self._wait(time, self._pace)
        self._inputs = (self._inputs + 1) % (1 << 32)
        self._row = struct.pack("<BxxxId", 3, self._inputs, time) + given.astype("<f8").tobytes()
        now = clock.monotonic()
        if now >= self._due or time < self._last:
            self._due = now + self._interval
            self._flush()
        self._last = time

    def _wait(self, time: float, pace: float) -> None:
        """Waits until a time is due."""
        now = clock.monotonic()
        ahead = self._begin[0] + (time - self._begin[1]) / pace - now
        if not ahead >= -_LATE:  # at the begin, of another drive, too; or late
            self._begin = (now, time)
        elif ahead > 0:
            clock.sleep(ahead)

    def _flush(self) -> None:
        """Sends the row that waits."""
        row, self._row = self._row, b""
        if row:
            self._send(row)

    def close(self) -> None:
        """Shows the last moment, and ends the connection, and the command where this process has started it."""
        try:
            if self._row and not self._closed:
                self._flush()
                self._order("seat")  # is answered when the pages have the moment
        except Error:
            pass  # the page has gone
        super().close()


def open(
    model: Union[str, os.PathLike[str]],
    pace: Union[float, Literal["lockstep"]] = 1.0,
    speed: float | None = None,
    step: float = 1e-3,
    parameters: Mapping[str, Union[float, str]] | None = None,
    record: Union[str, os.PathLike[str], None] = None,
    car: Union[str, os.PathLike[str], None] = None,
    tree: str = "",
    browser: bool = False,
    rate: float = 60.0,
) -> View:
    """Starts ``skidpad view`` for a model file, a Skidpad FMU, or a shipped model by its name, and takes the driver's
    seat. Closing the View ends the command.

    The vehicle begins with a speed [m/s], by default at rest. It runs in real time after run(), by a pace of 0.1 to 4,
    or in lockstep: only advance steps it, and equal orders give equal bits. A slice is step [s] long. Set parameters
    and strings before the start by parameters. The folder record gets the recorded drive. A car file, car, has roles
    for a model without. With browser, the page opens in the browser of this machine; else open the attribute address
    there.
    """
    arguments = [
        os.fspath(model_path(model)),
        "--driver",
        "socket",
        "--pace",
        str(pace),
        "--step",
        str(real("step", step)),
    ]
    if speed is not None:
        arguments += ["--speed", str(real("speed", speed))]
    if record is not None:
        arguments += ["--record", os.fspath(record)]
    process = Process(arguments + _described(parameters, car, tree, browser))
    return _joined(process, lambda: View(process.address, rate))


def feed(
    model: Union[str, os.PathLike[str], LoadedVehicle],
    pace: float | None = 1.0,
    rate: float = 60.0,
    car: Union[str, os.PathLike[str], None] = None,
    tree: str = "",
    browser: bool = False,
) -> Feed:
    """Starts ``skidpad view --feed`` for a model file, a shipped model by its name, or the model of a vehicle, and
    feeds it. Closing the Feed ends the command. Pace and rate are those of Feed, the others those of open."""
    if isinstance(model, LoadedVehicle):
        path, tree = os.fspath(model._path), model._tree
    else:
        path = os.fspath(model_path(model))
    process = Process([path, "--feed", *_described(None, car, tree, browser)])
    return _joined(process, lambda: Feed(process.address, rate, pace))


def _described(
    parameters: Mapping[str, Union[float, str]] | None,
    car: Union[str, os.PathLike[str], None],
    tree: str,
    browser: bool,
) -> list[str]:
    """Arguments of the command."""
    arguments = pairs("--set", parameters)
    if car is not None:
        arguments += ["--car", os.fspath(car)]
    if tree:
        arguments += ["--tree", tree]
    if browser:
        arguments.append("--open")
    return arguments


def _joined(process: Process, connect: Callable[[], _Kind]) -> _Kind:
    """A client of a command, which it ends."""
    try:
        client = connect()
    except BaseException:
        process.end()
        raise
    client._process = process
    return client


def _finite(what: str, value: float) -> float:
    """A finite number for JSON."""
    number = real(what, value)
    if not math.isfinite(number):
        raise ValueError(f"{what} is {number}; give a finite number")
    return number
