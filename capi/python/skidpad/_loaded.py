"""Vehicles as the library knows them."""

from __future__ import annotations

import ctypes
import math
import os
import pathlib
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import REASON_SIZE, Error, Status, VariableDescription, forked, library
from ._run_warning import RunWarning, parsed
from ._shipped import model_path
from ._variables import Causality, Kind, Variable, Variables, real, similar

if TYPE_CHECKING:
    from typing_extensions import Self


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


class LoadedVehicle:
    """A vehicle of a model file that the library has loaded, with what the library does with it alone."""

    def __init__(
        self, model: str | os.PathLike[str], tree: str = "", reactions: str | Sequence[str] = ()
    ) -> None:
        """Loads the model file, or the shipped model of that name if no such file exists, such as
        "passenger_car"; tree names one of its tree selections, "" takes the first.

        reactions asks for reactions of joints, arms, rods and contacts beside those that the model file asks for, by
        names or patterns, in axes of the tail or of a frame: ["wheel_*", "rod in ground"]. They are outputs
        <component>.Fx to .Mz: force [N] and moment [N m] of the side of the tail on the head, at the origin of the
        head; rods have the output .force, their tension [N], too.

        Raises Error with all of the file's defects together, each with file, line and column.
        """
        handle, reason = ctypes.c_void_p(), ctypes.create_string_buffer(REASON_SIZE)
        path = pathlib.Path(model_path(model)).absolute()  # the library reads it again, from any current folder
        asked = reactions if isinstance(reactions, str) else ",".join(reactions)
        status = library().skidpad_load_reactions(
            _text(str(path)), _text(tree), _text(asked), ctypes.byref(handle), reason, REASON_SIZE
        )
        if status != Status.OK:
            raise Error(status, reason.value.decode(errors="replace"))
        self._take(handle)
        self._tree, self._reactions, self._model, self._path = tree, asked, os.fspath(model), path
        self._lasting: Mapping[str, tuple[Variable, int]] = {}
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
        others and follow from the texts "<tire>.model" and "<tire>.file". The peaks of the tires' force curves, such as
        "<tire>.mu_x_peak" and "<tire>.utilisation", stand last. Reading computes them."""
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
        """All variables, and their references, by name. Those of the model last; coefficients and peaks of tires, which
        stand behind them, follow from texts, which restore and reset bring back, too."""
        known = dict(self._lasting)
        count, found = ctypes.c_int64(), VariableDescription()
        self._call(library().skidpad_variable_count, ctypes.byref(count))
        for i in range(len(known), count.value):
            self._call(library().skidpad_describe, i, ctypes.byref(found))
            name = found.name.decode()
            variable = Variable(
                name, found.unit.decode(), found.text.decode(), Causality(found.causality), found.start,
                _number(found.minimum), _number(found.maximum), _number(found.nominal), Kind(found.kind),
            )  # fmt: skip
            known[name] = variable, found.reference
        self._lasting = {name: of for name, of in known.items() if of[0].kind not in (Kind.COEFFICIENT, Kind.PEAK)}
        return Variables({name: v for name, (v, _) in known.items()}), {name: at for name, (_, at) in known.items()}

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def copy(self) -> Self:
        """Another vehicle of the same model and tree, as if loaded again, but quickly. Set values are not copied;
        copy.copy(vehicle) copies them."""
        handle = ctypes.c_void_p()
        self._call(library().skidpad_copy, ctypes.byref(handle))
        other = type(self).__new__(type(self))
        other._take(handle)
        other._tree, other._reactions, other._model, other._path = self._tree, self._reactions, self._model, self._path
        other._variables, other._references, other._outdated = self._variables, self._references, True
        other._lasting = self._lasting
        return other

    def __copy__(self) -> Self:
        """Another vehicle in the same state, which shares nothing with this one."""
        state, other = self.save(), self.copy()
        try:
            other.restore(state)
        except BaseException:
            other.close()
            raise
        return other

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.__copy__()

    def model_files(self) -> bytes:
        """The files of the vehicle as a ZIP archive: the model file first, then the files named by the model file and
        by texts, with their relative paths. Raises Error if they have changed since the vehicle was loaded."""
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
        all_present = causality in (Causality.INPUT, Causality.OUTPUT)  # what tires add is neither
        variables = self._variables if all_present else self.variables
        return [v.name for v in variables.values() if causality is None or v.causality == causality]

    def _units(self, names: Sequence[str]) -> dict[str, str]:
        """The units of variables, by name."""
        lasting = all(name in self._lasting for name in names)
        variables = self._variables if lasting else self.variables
        return {name: variables[name].unit for name in names}

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
        return name in self._lasting or name in self.variables

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

        The first rejected value ends the call; the values before it are set. An input
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
        """Sets a text before initialisation: "solver.method" (of docs/solvers.md, such as "rk4"), "solver.code"
        ("native", "portable"), "<tire>.model" (a tire function) and "<tire>.file" (its parameters, relative to the
        model file)."""
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
        """The table of quantities that left their limits since the start, also if they came back, and of notes of the
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

        A state that names a library is refused unless set_text has named the same function in this process before.
        """
        if not isinstance(state, bytes):
            raise TypeError(f"state is of type {type(state).__name__}; give bytes, which save returns")
        self._outdated = True
        self._call(library().skidpad_restore, state, len(state))

    def reset(self) -> None:
        """Back to the moment after loading: start values, time 0, not initialised."""
        self._outdated = True
        self._call(library().skidpad_reset)


def numbers(values: object) -> NDArray[np.float64] | None:
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
    array, wanted = numbers(values), "one number" if count == 1 else f"one number, or {count}, one for each name"
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
