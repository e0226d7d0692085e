"""Vehicles."""

from __future__ import annotations

import ctypes
import fnmatch
import math
import os
import pathlib
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _files
from ._library import REASON_SIZE, Error, Status, VariableDescription, forked, library
from ._run_warning import RunWarning, parsed
from ._shipped import model_path
from ._trace import Trace
from ._variables import Causality, Kind, Variable, Variables, listed, real, similar, whole

if TYPE_CHECKING:
    from ._linear import Linear
    from ._manoeuvre import Manoeuvre

Signal = Union[ArrayLike, Callable[[float], ArrayLike]]
"""What drives an input, see Vehicle.simulate."""


MOST_THREADS = 1024
"""Threads that step at once."""

TABLE_SIZE = 1 << 20
"""Bytes of a table of warnings."""

_MOST_NAMED = 4
"""Names in a message."""

_MOST_ROWS = 256
"""Lists of names whose references a vehicle keeps."""


class _Row:
    """References of some variables, room for their values, and where both are in memory."""

    def __init__(self, references: NDArray[np.uint32]) -> None:
        self.references, self.values, self.count = references, np.empty(len(references)), len(references)
        self.references_at, self.values_at = references.ctypes.data, self.values.ctypes.data


class Vehicle:
    """A vehicle of a model file.

    Set parameters, start values, inputs and texts first, then call initialise, then step or
    simulate. Close a vehicle when done, best by ``with``; one that is forgotten is closed
    when it is collected. A second call on a vehicle while another thread is inside one is
    refused with Status.BUSY.
    """

    def __init__(self, model: str | os.PathLike[str], tree: str = "") -> None:
        """Loads the model file, or the shipped model of that name where there is no such file, such as
        "passenger_car"; tree names one of its tree selections, "" takes the first.

        Raises Error with all of the file's defects together, each with file, line and column.
        """
        handle, reason = ctypes.c_void_p(), ctypes.create_string_buffer(REASON_SIZE)
        path = pathlib.Path(model_path(model)).absolute()  # the library reads it again, from any current folder
        status = library().skidpad_load(_text(str(path)), _text(tree), ctypes.byref(handle), reason, REASON_SIZE)
        if status != Status.OK:
            raise Error(status, reason.value.decode(errors="replace"))
        self._take(handle)
        self._tree, self._model, self._path = tree, os.fspath(model), path
        self._variables, self._references = self._describe()
        self._outdated = False

    def _take(self, handle: ctypes.c_void_p) -> None:
        """Owns what a handle names."""
        self._handle = handle
        self._turn = threading.Lock()  # held during a call, until its reason is read
        self._rows: dict[tuple[str, ...], _Row] = {}
        self._free = weakref.finalize(self, library().skidpad_free, handle)

    @property
    def variables(self) -> Variables:
        """All variables by name, in the order of the model. Coefficients of tires, "<tire>.<NAME>", stand behind the
        others and follow from the texts "<tire>.model" and "<tire>.file"."""
        if self._outdated:
            self._variables, self._references = self._describe()
            self._outdated = False
            self._rows.clear()
        return self._variables

    def __repr__(self) -> str:
        """What the vehicle is, and where it stands."""
        name = pathlib.PurePath(self._model).stem
        if not self._free.alive:
            return f"<skidpad.Vehicle {name}: closed>"
        try:
            method, step = self.text("solver.method"), self["solver.step"]
            try:
                self.get(self.names(Causality.OUTPUT))  # which some refuse before
                at = f"t = {self.time:g} s"
            except Error:
                at = "not initialised"
        except Error as error:
            return f"<skidpad.Vehicle {name}: {error}>"
        return f"<skidpad.Vehicle {name}: {method}, {1e3 * step:g} ms, {at}, {len(self.variables)} variables>"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.variables)

    def _describe(self) -> tuple[Variables, Mapping[str, int]]:
        """All variables, and their references, by name."""
        variables, references = {}, {}
        count, found = ctypes.c_int64(), VariableDescription()
        self._call(library().skidpad_variable_count, ctypes.byref(count))
        for i in range(count.value):
            self._call(library().skidpad_describe, i, ctypes.byref(found))
            name = found.name.decode()
            variables[name] = Variable(
                name, found.unit.decode(), found.text.decode(), Causality(found.causality), found.start,
                _number(found.minimum), _number(found.maximum), _number(found.nominal), Kind(found.kind),
            )  # fmt: skip
            references[name] = found.reference
        return Variables(variables), references

    def _call(self, function: Callable[..., int], *arguments: object) -> None:
        """Calls the library on this vehicle."""
        self._enter()
        try:
            self._check(function(self._handle, *arguments))
        finally:
            self._turn.release()

    def _check(self, status: int) -> None:
        """Raises what is wrong with the latest call, whose turn still lasts."""
        if status != Status.OK:
            raise self._error(status)

    def _enter(self) -> None:
        """Keeps other threads out until the turn is released."""
        if not self._turn.acquire(blocking=False):
            raise Error(
                Status.FORKED if forked() else Status.BUSY
            )  # a child inherits the turn of a thread that it lacks

    def _error(self, status: int) -> Error:
        """What is wrong, in the library's words."""
        reason = (
            library().skidpad_last_error(self._handle)
            if status in (Status.ARGUMENT, Status.REFUSED, Status.INTERNAL)
            else None
        )
        return Error(status, (reason or b"").decode(errors="replace"))

    def close(self) -> None:
        """Releases the vehicle; a second time does nothing."""
        self._enter()
        try:
            self._free()
        finally:
            self._turn.release()

    def __enter__(self) -> Vehicle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def copy(self) -> Vehicle:
        """Another vehicle of the same model and tree, as if loaded again, but quickly. What was set
        is not copied: copy.copy(vehicle) does that."""
        handle = ctypes.c_void_p()
        self._call(library().skidpad_copy, ctypes.byref(handle))
        other = Vehicle.__new__(Vehicle)
        other._take(handle)
        other._tree, other._model, other._path = self._tree, self._model, self._path
        other._variables, other._references, other._outdated = self._variables, self._references, True
        return other

    def __copy__(self) -> Vehicle:
        """Another vehicle in the same state, which shares nothing with this one."""
        state, other = self.save(), self.copy()
        try:
            other.restore(state)
        except BaseException:
            other.close()
            raise
        return other

    def __deepcopy__(self, memo: dict[int, object]) -> Vehicle:
        return self.__copy__()

    def __reduce__(self) -> tuple[Callable[..., Vehicle], tuple[bytes, str, bytes]]:
        """Files of the model, tree and state: another process, on any machine, goes on with the same bits."""
        return _unpickled, (self.model_files(), self._tree, self.save())

    def model_files(self) -> bytes:
        """The files of the vehicle as a ZIP archive: the model file first, then those that it and the texts name, in
        their places relative to each other. Raises Error if they have changed since the vehicle was loaded."""
        size = ctypes.c_int64()
        self._call(library().skidpad_model_files, None, 0, ctypes.byref(size))
        packed = ctypes.create_string_buffer(size.value)
        self._call(library().skidpad_model_files, packed, size.value, ctypes.byref(size))
        return packed.raw

    def names(self, causality: Causality | None = None) -> list[str]:
        """The names of all variables, or of those of a causality, such as skidpad.Causality.INPUT."""
        if causality is not None and all(causality != known for known in Causality):
            allowed = ", ".join(f"Causality.{known.name}" for known in Causality)
            raise ValueError(f"causality is {causality!r}; allowed are {allowed} and None")
        return [v.name for v in self.variables.values() if causality is None or v.causality == causality]

    def _row(self, names: Sequence[str]) -> _Row:
        """References of variables, and room for their values, which belongs to the one that has the turn."""
        key = (names,) if isinstance(names, str) else tuple(names)
        try:
            row = self._rows.get(key)
        except TypeError:  # a list among them
            wrong = next(name for name in key if not isinstance(name, str))
            raise TypeError(f"{wrong!r} is given where a name is needed; get and set take several names") from None
        if row is None:
            if len(self._rows) == _MOST_ROWS:
                self._rows.clear()
            row = self._rows[key] = _Row(self._refer(key))
        return row

    def _refer(self, names: Sequence[str]) -> NDArray[np.uint32]:
        """References of variables."""
        if self._outdated and any(name not in self._references for name in names):
            _ = self.variables
        try:
            return np.array([self._references[name] for name in names], np.uint32)
        except KeyError as unknown:
            name = str(unknown.args[0])
            if self._is_text(name):
                raise Error(
                    Status.ARGUMENT, f'"{name}": set_text sets this variable, and text reads it'
                ) from None
            raise Error(
                Status.ARGUMENT, f'no variable is called "{name}"{similar(name, self._references)}'
            ) from None

    def _is_text(self, name: str) -> bool:
        """Whether a text is called so."""
        try:
            self.text(name)
        except (Error, ValueError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __contains__(self, name: object) -> bool:
        """Whether a variable is called so."""
        return name in self.variables

    def __getitem__(self, name: str) -> float:
        """The value of a variable, in its unit."""
        row = self._row((name,))
        self._enter()
        try:
            self._check(library().skidpad_get(self._handle, row.references_at, 1, row.values_at))
            return float(row.values[0])
        finally:
            self._turn.release()

    def __setitem__(self, name: str, value: float) -> None:
        """Sets a variable, in its unit."""
        self.set((name,), value)

    def get(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The values of variables, in their units and in the order of names; one name is a list of one."""
        row = self._row(names)
        self._enter()
        try:
            self._check(library().skidpad_get(self._handle, row.references_at, row.count, row.values_at))
            return row.values.copy()
        finally:
            self._turn.release()

    def set(self, names: Sequence[str], values: ArrayLike) -> None:
        """Sets variables, in their units: each to its value, or all to the same number.

        The first value that is refused ends the call; those before it have been set. An input
        keeps its value until it is set again, but a prescribed motion goes on within a step by
        its rate and acceleration.
        """
        self._put(library().skidpad_set, names, values)

    def set_rates(self, names: Sequence[str], rates: ArrayLike) -> None:
        """Lets inputs change linearly by rates per second until they are set again."""
        self._put(library().skidpad_set_rates, names, rates)

    def _put(self, function: Callable[..., int], names: Sequence[str], values: ArrayLike) -> None:
        names = (names,) if isinstance(names, str) else tuple(names)
        row = self._row(names)
        if type(values) is not float and _other_count(values, row.count):
            raise _unfit(names, values, row.count)
        self._enter()
        try:
            try:
                row.values[:] = values
            except (TypeError, ValueError):
                raise _unfit(names, values, row.count) from None
            self._check(function(self._handle, row.references_at, row.count, row.values_at))
        finally:
            self._turn.release()

    def set_text(self, name: str, value: str) -> None:
        """Sets a text before initialisation: "solver.method" ("euler", "heun", "rk4",
        "linearly-implicit"), "solver.code" ("native", "portable"), "<tire>.model" (a tire
        function) and "<tire>.file" (its parameters, relative to the model file)."""
        self._outdated = True
        self._call(library().skidpad_set_text, _text(name), _text(value))

    def text(self, name: str) -> str:
        """The text called name, see set_text."""
        value = ctypes.create_string_buffer(REASON_SIZE)
        self._call(library().skidpad_get_text, _text(name), value, REASON_SIZE)
        return value.value.decode()

    def set_time_limit(self, seconds: float) -> None:
        """Lets warnings report steps that take longer than seconds, with the tires whose function took the most of it.
        0, as at the start, is no limit. Results are the same."""
        self._call(library().skidpad_set_time_limit, real("seconds", seconds))

    def warnings(self) -> list[str]:
        """What is to be noticed since the last call: files, tires outside of their range, steps over the time limit.
        "warning: ..." tells what is hardly meant in the model file, with its place."""
        text = ctypes.create_string_buffer(REASON_SIZE)
        self._call(library().skidpad_warnings, text, REASON_SIZE)
        return text.value.decode().splitlines()

    def run_warnings(self) -> tuple[RunWarning, ...]:
        """The table of what left its limits since the start, also if it has come back, and of what is noticed at the
        start. What happened in the run is part of saved states, what is noticed at the start is not."""
        text = ctypes.create_string_buffer(TABLE_SIZE)
        self._call(library().skidpad_get_text, b"solver.warnings", text, TABLE_SIZE)
        return parsed(text.value.decode())

    def trim(self) -> None:
        """Replaces the start values by a steady motion, before initialisation: the speed of
        travel and the inputs set so far are kept, all other start values are changed until
        nothing accelerates but in the direction of travel."""
        self._call(library().skidpad_trim)

    def initialise(self) -> None:
        """Ends the setting of parameters: computes the initial state; time becomes 0."""
        self._call(library().skidpad_initialise)

    def step(self, h: float) -> None:
        """Advances the vehicle by h seconds, h > 0. A step that fails leaves it as it was."""
        try:
            self._call(library().skidpad_step, h)
        except ctypes.ArgumentError:
            raise TypeError(f"h is {h!r}; give a number, the seconds of the step") from None

    @property
    def time(self) -> float:
        """The vehicle's time, s."""
        time = ctypes.c_double()
        self._call(library().skidpad_time, ctypes.byref(time))
        return time.value

    def save(self) -> bytes:
        """The complete state: time, states, inputs, parameters and texts."""
        size = ctypes.c_int64()
        self._call(library().skidpad_state_size, ctypes.byref(size))
        state = ctypes.create_string_buffer(size.value)
        self._call(library().skidpad_save, state, size.value)
        return state.raw

    def restore(self, state: bytes) -> None:
        """Brings back a state saved from this vehicle or another one of the same model and tree.

        A state that names a tire library is refused unless set_text has named the same function in this process before.
        """
        if not isinstance(state, bytes):
            raise TypeError(f"state is of type {type(state).__name__}; give bytes, which save returns")
        self._outdated = True
        self._call(library().skidpad_restore, state, len(state))

    def reset(self) -> None:
        """Back to the moment after loading: start values, time 0, not initialised."""
        self._outdated = True
        self._call(library().skidpad_reset)

    def simulate(
        self,
        duration: float,
        step: float,
        inputs: Mapping[str, Signal] | None = None,
        record: Sequence[str] | None = None,
    ) -> Trace:
        """Drives an initialised vehicle on for duration seconds in steps of step seconds.

        At every communication point, first and last included, the variables of record (None
        for all outputs) are read, the inputs are set, and the vehicle steps. Inputs that are
        not named keep what they are. Each input is

            a number                  held all the time
            an array                  one value for each communication point
            a function of time [s]    called at each communication point; it may read the
                                      vehicle, and so be a feedback law, but not step it

        in the input's unit. The name of a motion driver, such as "steer_FL", stands for its
        position, rate and acceleration, by which the motion goes on within a step. Its array
        has three columns, its function returns three numbers; a number is a position at rest.

        Raises Error if a step fails; the vehicle is then as it was before that step. Trace.warnings are those of
        run_warnings at the end.
        """
        duration, step = real("duration", duration), real("step", step)
        steps = round(duration / step) if step > 0 and math.isfinite(duration / step) else 0
        if steps < 1 or abs(steps * step - duration) > 1e-9 * duration:
            raise ValueError(f"a duration of {duration:g} s is not a whole number of steps of {step:g} s")
        names = self.names(Causality.OUTPUT) if record is None else list(dict.fromkeys(listed(record)))
        recorded, drive = self._refer(names), _Drive(self, inputs or {}, steps)
        time = self.time + step * np.arange(steps + 1, dtype=np.float64)
        table = np.empty((steps + 1, len(names)))
        native = library()
        if drive.known:
            self._call(native.skidpad_get, recorded.ctypes.data, len(names), table[0].ctypes.data)
            for first in range(0, steps, _STEPS_AT_ONCE):
                count = min(_STEPS_AT_ONCE, steps - first)
                self._call(
                    native.skidpad_rollout, count, step, drive.references.ctypes.data, len(drive.references),
                    drive.table[first].ctypes.data, recorded.ctypes.data, len(names), table[first + 1].ctypes.data,
                    None,
                )  # fmt: skip
            values = drive.table[steps]
            self._call(native.skidpad_set, drive.references.ctypes.data, len(values), values.ctypes.data)
            return Trace(time, table, {name: self.variables[name].unit for name in names}, self.run_warnings())
        get, put, advance = native.skidpad_get, native.skidpad_set, native.skidpad_step
        for n in range(steps + 1):
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
            if n < steps:
                self._call(advance, step)
        return Trace(time, table, {name: self.variables[name].unit for name in names}, self.run_warnings())

    def linearize(
        self, at: Mapping[str, float] | None = None, hold: Sequence[str] = (), free: Sequence[str] = ()
    ) -> Linear:
        """The linear equations about a steady motion, as ``skidpad linearize`` finds them for this vehicle.

        The search for a steady motion keeps the start values and parameters of at, such as {"body.vx": 20}, and the
        start values of the states named by hold. It chooses the inputs named by free, such as torques that hold a
        speed. If there is no steady motion and free is empty, it chooses the inputs of the role throttle.
        What was set in the vehicle holds: texts and parameters, and before initialisation start values and inputs, too.
        The vehicle is not changed.
        """
        from ._linear import linearize

        return linearize(self, at, hold, free)

    def manoeuvre(
        self,
        manoeuvre: str | os.PathLike[str],
        let: Mapping[str, float | str] | None = None,
        car: str | os.PathLike[str] | None = None,
    ) -> Manoeuvre:
        """Drives a manoeuvre file, or a shipped one by its name, such as "step_steer", as ``skidpad manoeuvre`` does.

        let sets constants of the manoeuvre, in SI units or as texts with a unit, such as "80 km/h"; car is a file with
        roles. Texts and parameters that were set in the vehicle hold; start values are those of the model and the
        manoeuvre. The vehicle is not changed.
        """
        from ._manoeuvre import drive

        return drive(self, manoeuvre, let, car)

    def equations(self) -> dict[str, Any]:
        """What ``skidpad equations --json`` says of the model: trees, branches, states, number and cost of equations.
        """
        from ._command import equations

        return equations(self)


def _unpickled(files: bytes, tree: str, state: bytes) -> Vehicle:
    """A vehicle that was pickled. Its tire functions must be known here, as in the process that it comes from."""
    vehicle = Vehicle(_files.unpacked(files), tree)
    try:
        vehicle.restore(state)
    except BaseException:
        vehicle.close()
        raise
    return vehicle


_STEPS_AT_ONCE = 1000  # of a simulation: between them Python can interrupt it


class _Drive:
    """Inputs over the communication points of a run."""

    def __init__(self, vehicle: Vehicle, inputs: Mapping[str, Signal], steps: int) -> None:
        if not isinstance(inputs, Mapping):
            raise TypeError(f"inputs is {inputs!r}; give a mapping from names to numbers, arrays or functions")
        names: list[str] = []
        self._functions: list[tuple[str, slice, Callable[[float], ArrayLike]]] = []
        tables = []
        for name, signal in inputs.items():
            driven = _driven(vehicle, name)
            twice = [part for part in driven if part in names]
            if twice:
                raise ValueError(f'"{twice[0]}" is driven twice, once by "{name}"; name it once')
            columns = slice(len(names), len(names) + len(driven))
            names += driven
            if callable(signal):
                self._functions.append((name, columns, signal))
                signal = 0.0
            values = _numbers(signal)
            if values is None:
                raise TypeError(f'the signal of "{name}" is {signal!r}; give a number, an array or a function of time')
            tables.append(_table(name, values, steps + 1, len(driven)))
        self.table = np.concatenate(tables, axis=1) if tables else np.empty((steps + 1, 0))
        self.references = vehicle._refer(names)

    @property
    def known(self) -> bool:
        """No input is a function, so that all values stand in the table."""
        return not self._functions

    def at(self, n: int, time: float) -> NDArray[np.float64]:
        """The inputs at communication point n, at a time [s]."""
        row: NDArray[np.float64] = self.table[n]
        for name, columns, function in self._functions:
            given, width = function(time), columns.stop - columns.start
            value = _numbers(given)
            if value is None or value.shape != (() if width == 1 else (width,)):
                raise ValueError(f'the function of "{name}" gave {given} at {time:g} s; it must give {_amount(width)}')
            row[columns] = value
        return row


def _driven(vehicle: Vehicle, name: str) -> list[str]:
    """The inputs that a name stands for: three of a motion driver, or itself."""
    if name not in vehicle.variables:
        for position in ("angle", "position"):
            motion = [f"{name}.{position}", f"{name}.rate", f"{name}.acceleration"]
            if all(part in vehicle.variables for part in motion):
                return motion
    return [name]


def _table(name: str, values: NDArray[np.float64], rows: int, width: int) -> NDArray[np.float64]:
    """A signal as one row for each communication point."""
    table = np.zeros((rows, width))
    if values.ndim == 0:
        table[:, 0] = values
    elif values.shape == (rows, width) or (values.shape == (rows,) and width == 1):
        table[:] = values.reshape(rows, width)
    else:
        raise ValueError(
            f'the array of "{name}" has the shape {values.shape}; '
            f"it needs {_amount(width)} for each of {rows} communication points"
        )
    return table


def _amount(width: int) -> str:
    return "one number" if width == 1 else "position, rate and acceleration"


def matching(vehicle: Vehicle, pattern: str) -> list[str]:
    """The variables that a pattern such as "tire_*.LMUY" means, or the one of that name."""
    if not any(mark in pattern for mark in "*?["):
        return [pattern]
    found = [name for name in vehicle.variables if fnmatch.fnmatchcase(name, pattern)]
    if not found:
        raise Error(Status.ARGUMENT, f'no variable matches "{pattern}"')
    return found


def step_all(vehicles: Iterable[Vehicle], h: float, threads: int = 0) -> None:
    """Advances many vehicles by h seconds, each as Vehicle.step does and with the same bits, on a
    number of threads, 1 to 1024, 0 for one for each processor. Copies of one vehicle share
    vector instructions.

    Raises Error if a step failed, with the first reason; that vehicle is as it was before, and
    the others have stepped. Vehicles that are closed, busy or named twice stop all.
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


def _numbers(values: object) -> NDArray[np.float64] | None:
    """Values as an array, or None for what is not made of numbers."""
    if values is None or isinstance(values, (str, bytes)):
        return None
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        return None


def _other_count(values: object, count: int) -> bool:
    """Whether values are neither one number nor count of them: numpy gives a single element of a list to all."""
    try:
        return isinstance(values, (str, bytes)) or len(values) != count  # type: ignore[arg-type]
    except TypeError:
        return False  # a number


def _unfit(names: Sequence[str], values: object, count: int) -> Exception:
    """What is wrong with values that cannot be set."""
    which = ", ".join([*names[:_MOST_NAMED], *["..."][: len(names) - _MOST_NAMED]])
    array, wanted = _numbers(values), "one number" if count == 1 else f"one number, or {count}, one for each name"
    if array is None:
        return TypeError(f"the value of {which} is {values!r}; give {wanted}, in the units that variables lists")
    return ValueError(f"the values of {which} have the shape {array.shape}; give {wanted}")


def _number(value: float) -> float | None:
    """A number, or None for NaN."""
    return None if math.isnan(value) else value


def _text(text: str) -> bytes:
    """A text for C, in UTF-8."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is given where a text is needed")
    if "\0" in text:
        raise ValueError(f"{text!r} holds a NUL character")
    return text.encode()
