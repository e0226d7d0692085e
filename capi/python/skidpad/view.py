"""Drives vehicles in the live view, and feeds it. Needs ``pip install skidpad[view]``.

import skidpad.view

with skidpad.view.open("passenger_car", pace="lockstep", speed=15) as car:   # starts the command "skidpad view"
    print(car.address)                                                       # open it in a browser to watch
    for _ in range(100):
        car.drive(steering=0.5, throttle=0.1)
        car.advance(10)                                                      # slices of 1 ms
    print(car.state()["body.vx"])

with skidpad.Vehicle("generic4w") as vehicle, skidpad.view.feed(vehicle) as feed:
    vehicle.initialise()
    for _ in range(500):
        vehicle.step(0.01)                                                   # a loop of your own
        feed.show(vehicle)
"""

from __future__ import annotations

import json
import math
import os
import re
import secrets
import signal
import struct
import subprocess
import sys
import threading
import time as clock
import urllib.parse
import warnings
import weakref
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from ._command import pairs
from ._library import Error, Status
from ._loaded import LoadedVehicle
from ._shipped import command, model_path
from ._variables import real, similar, whole

try:
    from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
    from websockets.sync.client import connect
    from websockets.typing import Subprotocol
except ImportError:
    raise ImportError("skidpad.view needs the package websockets 15 or newer: pip install skidpad[view]") from None

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Event", "Feed", "State", "View", "feed", "open"]

_PROTOCOL = "skidpad-view.1"
_MOST_BYTES = 1 << 26  # of a message of the server: the scene has the ground
_ANSWER_TIME = 10.0  # s, for a connection and for the first messages
_SEAT_TIME = 5.2  # s, in which a driver can refuse the seat to another one
_END_TIME = 20.0  # s, for a command to write its recording
_MOST_SLICES = 1_000_000
_MOST_EVENTS = 1000
_DEVICE = (("steering", -100.0, 100.0), ("throttle", 0.0, 1.0), ("brake", 0.0, 100.0), ("clutch", 0.0, 1.0))
_LATE = 0.2  # s, from which on a feed gives up to catch up with the clock
_DRIVE = re.compile(r"^(.+\.zip): [\d.]+ s in \d+ segments$")
_ADDRESS = re.compile(r"^open (http://\S+#\S+)")


@dataclass(frozen=True)
class Event:
    """Something that happened in the live view."""

    kind: str  # begin, paused, running, failed, late, seat, recording
    segment: int  # that of the drive, from 1 on; resets and returns to earlier states begin another one
    slice: int  # within the segment
    time: float  # of the vehicle [s]
    text: str  # reason, "" for none


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


class _Process:
    """A command "skidpad view" that this process has started."""

    def __init__(self, arguments: list[str]) -> None:
        apart: dict[str, Any] = {"start_new_session": True}  # a Ctrl-C is for Python, which ends the command
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        process = subprocess.Popen(
            [str(command()), "view", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8", **apart,
        )  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        said: list[str] = []
        self._process, self._said = process, said
        self._reader = threading.Thread(target=_collect, args=(process.stderr, said), daemon=True)
        self._reader.start()
        self.end = weakref.finalize(self, _end, process, self._reader)
        first = process.stdout.readline()
        found = _ADDRESS.match(first)
        if found is None:
            self.end()
            reason = "\n".join(line for line in said if not line.endswith("shows arguments and an example"))
            reason = (reason or first).strip().removeprefix("skidpad view: ")
            raise Error(Status.REFUSED, reason or "skidpad view has printed no address")
        self.address = found[1]
        for line in said:
            if line.startswith("warning: "):
                warnings.warn(line.removeprefix("warning: "), RuntimeWarning, stacklevel=4)

    def drive(self) -> Path | None:
        """The recorded drive of a command that has ended."""
        found = [match[1] for match in map(_DRIVE.match, self._said) if match]
        return Path(found[-1]) if found else None


def _collect(stream: Any, lines: list[str]) -> None:
    """Reads messages of a command until it ends."""
    with stream:
        for line in stream:
            lines.append(line.rstrip("\n"))
            del lines[:-200]


def _end(process: subprocess.Popen[str], reader: threading.Thread) -> None:
    """Ends a command as Ctrl-C does, so that it writes its recording."""
    if process.poll() is None:
        if sys.platform == "win32":
            process.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            process.send_signal(signal.SIGINT)
        try:
            process.wait(_END_TIME)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()
    reader.join(1.0)


class _Client:
    """A program at a live view. A thread of its own takes messages."""

    address: str  #: of the page, with its token

    def __init__(self, address: str, rate: float) -> None:
        host, token = _parsed(address)
        self.address = address
        self._process: _Process | None = None
        self._changed = threading.Condition()
        self._answers: dict[int, dict[str, Any]] = {}
        self._state = b""
        self._events: list[Event] = []
        self._refusal = ""  # of the latest input
        self._closed = ""  # why
        self._orders = self._inputs = 0
        self._connection = ExitStack()
        try:
            connection = connect(
                f"ws://{host}/socket",
                subprotocols=[Subprotocol(_PROTOCOL)],
                compression=None,
                proxy=None,  # the view is on this machine, or behind a tunnel of the user
                open_timeout=_ANSWER_TIME,
                max_size=_MOST_BYTES,
            )
            self._socket = self._connection.enter_context(connection)
        except InvalidStatus as error:
            body = (error.response.body or b"").decode(errors="replace").strip()
            raise Error(Status.REFUSED, f"the view at {host} refuses this program: {body or error}") from None
        except (OSError, InvalidHandshake, EOFError) as error:
            raise Error(
                Status.REFUSED, f"no live view answers at {host} ({error}); is 'skidpad view' running?"
            ) from None
        hello = {"type": "hello", "token": token, "kind": "program", "identity": secrets.token_hex(8), "rate": rate}
        try:
            self._socket.send(json.dumps(hello))
            self._scene: dict[str, Any] = json.loads(self._socket.recv(_ANSWER_TIME))
        except ConnectionClosed as error:
            raise Error(Status.REFUSED, f"the view at {host} refuses this program: {_reason(error)}") from None
        except TimeoutError:
            self._connection.close()
            raise Error(Status.REFUSED, f"the view at {host} sends no scene") from None
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        """Takes messages until the connection ends."""
        reason = "it has ended"
        try:
            for message in self._socket:
                with self._changed:
                    if isinstance(message, bytes):
                        if _moment(message) >= _moment(self._state) or message[2:4] != self._state[2:4]:
                            self._state = message
                    else:
                        self._hear(json.loads(message))
                    self._changed.notify_all()
        except ConnectionClosed as error:
            reason = _reason(error)
        with self._changed:
            self._closed = self._closed or reason
            self._changed.notify_all()

    def _hear(self, note: dict[str, Any]) -> None:
        """Takes a text message."""
        if note["type"] == "event":
            self._events.append(
                Event(
                    note.get("kind", ""),
                    note.get("segment", 0),
                    note.get("slice", 0),
                    note["time"],
                    note.get("text", ""),
                )
            )
            del self._events[:-_MOST_EVENTS]
        elif note.get("number", 0) > 0:
            self._answers[note["number"]] = note
        elif note["type"] == "error":
            self._refusal = note.get("text", "")

    def _check(self) -> None:
        """Raises the error of a closed view, or of an input that was refused."""
        with self._changed:
            refusal, self._refusal = self._refusal, ""
            if self._closed:
                raise Error(Status.REFUSED, f"the view is closed: {self._closed}")
        if refusal:
            raise Error(Status.REFUSED, refusal)

    def _send(self, message: Union[str, bytes]) -> None:
        self._check()
        try:
            self._socket.send(message)
        except ConnectionClosed as error:
            raise Error(Status.REFUSED, f"the view is closed: {_reason(error)}") from None

    def _order(self, order: str, **more: Any) -> None:
        """Gives an order and waits for its answer."""
        self._orders += 1
        number = self._orders
        self._send(json.dumps({"type": order, "number": number, **more}))
        with self._changed:
            while number not in self._answers and not self._closed:
                self._changed.wait(1.0)  # Windows interrupts no wait without an end
            answer = self._answers.pop(number, None)
            if answer is None:
                raise Error(Status.REFUSED, f"the view is closed: {self._closed}")
        if answer["type"] == "error":
            raise Error(Status.REFUSED, f"{order}: {answer.get('text', '')}")

    def _sit(self) -> None:
        """Takes the seat, which a present driver may refuse."""
        try:
            self._order("seat")
        except Error as error:
            if "asked" not in str(error):
                raise
            clock.sleep(_SEAT_TIME)
            self._order("seat")

    def events(self) -> list[Event]:
        """What happened since the last call."""
        with self._changed:
            events, self._events = self._events, []
        return events

    def close(self) -> None:
        """Ends the connection, and the command where this process has started it."""
        with self._changed:
            self._closed = self._closed or "close was called"
        self._connection.close()
        self._thread.join(_ANSWER_TIME)
        if self._process is not None:
            self._process.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<skidpad.view.{type(self).__name__} {self._scene['look']['title']}: {self.address}>"

    def _repr_html_(self) -> str:
        """The link that notebooks show."""
        return f'<a href="{self.address}" target="_blank">{self.address.partition("#")[0]}</a>'


Client = TypeVar("Client", bound=_Client)


class View(_Client):
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
            until = clock.monotonic() + _ANSWER_TIME
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


class Feed(_Client):
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
    process = _Process(arguments + _described(parameters, car, tree, browser))
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
    process = _Process([path, "--feed", *_described(None, car, tree, browser)])
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


def _joined(process: _Process, connect: Callable[[], Client]) -> Client:
    """A client of a command, which it ends."""
    try:
        client = connect()
    except BaseException:
        process.end()
        raise
    client._process = process
    return client


def _parsed(address: str) -> tuple[str, str]:
    """Host and token of an address."""
    parts = urllib.parse.urlsplit(address)
    if parts.scheme != "http" or not parts.netloc:
        raise ValueError(f'the address is "{address}"; give that which "skidpad view" has printed, http://...')
    token = parts.fragment.partition("token=")[2] or parts.fragment
    if not token:
        raise ValueError(
            f'the address "{address}" has no token; give all that "skidpad view" has printed, also after #'
        )
    return parts.netloc, token


def _moment(state: bytes) -> float:
    """The time of a state."""
    return float(struct.unpack_from("<d", state, 8)[0]) if state else -math.inf


def _finite(what: str, value: float) -> float:
    """A finite number for JSON."""
    number = real(what, value)
    if not math.isfinite(number):
        raise ValueError(f"{what} is {number}; give a finite number")
    return number


def _reason(error: ConnectionClosed) -> str:
    """Why a connection was closed."""
    frame = error.rcvd
    return (frame.reason if frame is not None else "") or "the connection has ended"
