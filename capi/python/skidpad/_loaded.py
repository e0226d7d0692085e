"""Vehicles loaded by the library."""

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
"""Number of lists of names whose references a vehicle caches."""


class _Row:
    """References of some variables, room for their values, and the addresses of both."""

    def __init__(self, references: NDArray[np.uint32]) -> None:
        self.references, self.values, self.count = references, np.empty(len(references)), len(references)
        self.references_at, self.values_at = references.ctypes.data, self.values.ctypes.data


class LoadedVehicle:
    """A vehicle of a model file in the library, with the functions that need the library alone."""

    def __init__(
        self, model: str | os.PathLike[str], tree: str = "", reactions: str | Sequence[str] = ()
    ) -> None:
        """Loads a model file. If the file does not exist, loads the shipped model of this name,
        such as "passenger_car". The tree selection is tree; "" selects the first.

        List in reactions names or patterns of joints, arms, rods and contacts, in axes of the tail or of a frame:
        ["wheel_*", "rod in ground"]. Their reactions are outputs, besides those of the model file. Outputs
        <component>.Fx to .Mz are the force [N] and moment [N m] of the tail side on the head, at the origin of the
        head. Rods also have the output .force, their tension [N].

        Raises Error with all errors of the file, each with file, line and column.
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
        """Owns the vehicle of a handle."""
        self._handle = handle
        self._turn = threading.Lock()  # held during a call, until its reason is read
        self._rows: dict[tuple[str, ...], _Row] = {}
        self._free = weakref.finalize(self, library().skidpad_free, handle)

    @property
    def variables(self) -> Variables:
        """All variables by name, in the order of the model. Coefficients of tires, "<tire>.<NAME>", come after the
        other variables; they depend on the texts "<tire>.model" and "<tire>.file". The peaks of the tires' force
        curves, such as "<tire>.mu_x_peak" and "<tire>.utilisation", come last. Reading computes the peaks."""
        if self._outdated:
            self._variables, self._references = self._describe()
            self._outdated = False
            self._rows.clear()
        return self._variables

    def __repr__(self) -> str:
        """Model, method, time and number of variables."""
        name = pathlib.PurePath(self._model).stem
        if not self._free.alive:
            return f"<skidpad.Vehicle {name}: closed>"
        try:
            method, step = self.text("solver.method"), self["solver.step"]
            try:
                self.get(self.names(Causality.OUTPUT))  # some outputs cannot be read before initialisation
                at = f"t = {self.time:g} s"
            except Error:
                at = "not initialised"
        except Error as error:
            return f"<skidpad.Vehicle {name}: {error}>"
        return f"<skidpad.Vehicle {name}: {method}, {1e3 * step:g} ms, {at}, {len(self.variables)} variables>"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.variables)

    def _describe(self) -> tuple[Variables, Mapping[str, int]]:
        """All variables, and their references, by name. Variables of the model stay; coefficients and peaks of tires,
        which come after them, depend on texts, which restore and reset change, too."""
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
        """Raises the error of the latest call, during its turn."""
        if status != Status.OK:
            raise self._error(status)

    def _enter(self) -> None:
        """Keeps other threads out until the turn is released."""
        if not self._turn.acquire(blocking=False):
            raise Error(
                Status.FORKED if forked() else Status.BUSY
            )  # a child inherits the turn of a thread that it lacks

    def _error(self, status: int) -> Error:
        """The reason of the library."""
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
        """Another vehicle in the same state, which shares no data with this vehicle."""
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
        """The names of all variables, or of the variables with a causality, such as skidpad.Causality.INPUT."""
        if causality is not None and all(causality != known for known in Causality):
            allowed = ", ".join(f"Causality.{known.name}" for known in Causality)
            raise ValueError(f"causality is {causality!r}; allowed are {allowed} and None")
        all_present = causality in (Causality.INPUT, Causality.OUTPUT)  # variables added by tires are neither
        variables = self._variables if all_present else self.variables
        return [v.name for v in variables.values() if causality is None or v.causality == causality]

    def _units(self, names: Sequence[str]) -> dict[str, str]:
        """The units of variables, by name."""
        lasting = all(name in self._lasting for name in names)
        variables = self._variables if lasting else self.variables
        return {name: variables[name].unit for name in names}

    def _row(self, names: Sequence[str]) -> _Row:
        """References of variables, and room for their values, which belongs to the thread that has the turn."""
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
        """Whether a text has this name."""
        try:
            self.text(name)
        except (Error, ValueError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __contains__(self, name: object) -> bool:
        """Whether a variable has this name."""
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

        The first rejected value ends the call; the values before it are set. An input keeps its
        value until it is set again. A prescribed motion continues within a step by its rate and
        acceleration.
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
        """Lets warnings report steps longer than seconds, with the tires whose function took most of the time. The
        limit 0, the default, means no limit. Results do not change."""
        self._call(library().skidpad_set_time_limit, real("seconds", seconds))

    def warnings(self) -> list[str]:
        """The messages since the last call about files, tires outside of their range, and steps over the time limit. A
        message "warning: ..." reports a probable mistake in the model file, with its position."""
        text = ctypes.create_string_buffer(REASON_SIZE)
        self._call(library().skidpad_warnings, text, REASON_SIZE)
        return text.value.decode().splitlines()

    def run_warnings(self) -> tuple[RunWarning, ...]:
        """The table of quantities that left their limits since the start, also if they have returned, and of notes of
        the start. Saved states include the warnings of the run, but not the notes of the start."""
        text = ctypes.create_string_buffer(TABLE_SIZE)
        self._call(library().skidpad_get_text, b"solver.warnings", text, TABLE_SIZE)
        return parsed(text.value.decode())

    def trim(self) -> None:
        """Replaces the start values by a steady motion, before initialisation. The speed of travel
        and the inputs set so far are kept. All other start values change until all accelerations
        vanish, except in the direction of travel."""
        self._call(library().skidpad_trim)

    def initialise(self) -> None:
        """Ends the setting of parameters, computes the initial state, and sets the time to 0."""
        self._call(library().skidpad_initialise)

    def step(self, h: float) -> None:
        """Advances the vehicle by h seconds, h > 0. A failed step does not change the vehicle."""
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
        """Restores a state saved from this vehicle or from another vehicle of the same model and tree.

        A state that names a library is rejected, unless set_text has named the same function in this process before.
        """
        if not isinstance(state, bytes):
            raise TypeError(f"state is of type {type(state).__name__}; give bytes, which save returns")
        self._outdated = True
        self._call(library().skidpad_restore, state, len(state))

    def reset(self) -> None:
        """Returns the vehicle to the moment after loading: start values, time 0, not initialised."""
        self._outdated = True
        self._call(library().skidpad_reset)


def numbers(values: object) -> NDArray[np.float64] | None:
    """Values as an array, or None for values that are not numbers."""
    if values is None or isinstance(values, (str, bytes)):
        return None
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        return None


def _other_count(values: object, count: int) -> bool:
    """Whether values are neither a number nor count numbers. numpy would broadcast a list of one element."""
    try:
        return isinstance(values, (str, bytes)) or len(values) != count  # type: ignore[arg-type]
    except TypeError:
        return False  # a number


def _unfit(names: Sequence[str], values: object, count: int) -> Exception:
    """The error for values that cannot be set."""
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
