"""Fleets: many vehicles of one model, in arrays."""

from __future__ import annotations

import ctypes
import html
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import Error, Status, forked, library
from ._loaded import TABLE_SIZE
from ._run_warning import RunWarning, parsed
from ._variables import Causality, alike, listed, reads_late, real, whole
from ._vehicle import MOST_THREADS, Vehicle

MOST_VEHICLES = 1 << 20  # in a fleet of the library
_VEHICLE_STEPS, _FEWEST_STEPS = 8192, 16  # of a piece of a rollout


@dataclass(frozen=True, eq=False)
class States:
    """Saved states of vehicles of a fleet: a row of bytes for each vehicle. They can be pickled."""

    data: NDArray[np.uint8]
    sizes: NDArray[np.int64] | None = None  # bytes of each state, if they differ; shorter rows end with zeros

    def __eq__(self, other: object) -> bool:
        return alike(self, other)

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, number: int) -> bytes:
        """A state for Vehicle.restore."""
        return self.data[number, : None if self.sizes is None else self.sizes[number]].tobytes()


class Fleet:
    """Copies of a vehicle that step together in vector lanes and threads.

    Arrays have a row for each vehicle. The argument ``where`` selects vehicles: a mask with a Boolean for each vehicle,
    a list of indices without duplicates, or None for all. Integers are always indices: a mask of 0 and 1 is rejected. A
    vehicle that fails keeps its state, and the others go on.
    """

    def __init__(self, vehicle: Vehicle, count: int, threads: int = 0) -> None:
        """Creates count copies of a vehicle in its present state, with its texts, parameters and start values. Steps
        use 1 to 1024 threads; 0 means one thread per processor."""
        if not isinstance(vehicle, Vehicle):
            raise TypeError(f"vehicle is {vehicle!r}; give a skidpad.Vehicle")
        count, threads = whole("count", count, 1, MOST_VEHICLES), whole("threads", threads, 0, MOST_THREADS)
        self._handle = ctypes.c_void_p()
        vehicle._call(library().skidpad_fleet_make, count, threads, ctypes.byref(self._handle))
        self._free = weakref.finalize(self, library().skidpad_fleet_free, self._handle)
        self._turn = threading.Lock()
        self._like, self._count, self._threads = vehicle.copy(), count, threads
        self._inputs = np.empty((count, 0))
        self._outputs = np.empty((count, 0))
        self._names: tuple[list[str], list[str]] = ([], [])

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        if not self._free.alive:
            return "<skidpad.Fleet, closed>"
        return f"<skidpad.Fleet of {self._count} vehicles>"

    def _repr_html_(self) -> str:
        """The fleet and its bound outputs, for notebooks."""
        bound = [(self._like.variables[name], column) for name, column in zip(self._names[1], self._outputs.T)]
        cells = [(v.name, v.unit, v.kind.name.lower(), f"{np.min(c):.4g}", f"{np.max(c):.4g}") for v, c in bound]
        rows = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in cells)
        head = "".join(f"<th>{title}</th>" for title in ("output", "unit", "kind", "least", "largest"))
        table = f"<table><tr>{head}</tr>{rows}</table>" if rows else ""
        return f"<p>{html.escape(repr(self))}</p>{table}"

    def close(self) -> None:
        """Releases the vehicles; a second time does nothing."""
        self._enter()
        try:
            self._free()
        finally:
            self._turn.release()
        self._like.close()

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getitem__(self, place: int) -> Vehicle:
        """A copy of a vehicle in its present state."""
        if not -self._count <= place < self._count:
            raise IndexError(f"the fleet has {self._count} vehicles, no {place}")
        vehicle = self._like.copy()
        vehicle.restore(self.save([place])[0])
        return vehicle

    def __reduce__(self) -> tuple[Callable[..., Fleet], tuple[Vehicle, int, States]]:
        """The model's files, and the states, without bound arrays."""
        return _unpickled, (self._like, self._threads, self.save())

    def __copy__(self) -> Fleet:
        """Another fleet in the same state, which shares no data with this fleet."""
        return _unpickled(self._like.copy(), self._threads, self.save())

    def set(self, names: Sequence[str], values: ArrayLike, where: ArrayLike | None = None) -> None:
        """Sets variables to a number, to a number for each name, or to values with a row for each vehicle of the fleet.
        A row has a number for all names, or a number for each name."""
        names = listed(names)
        rows = self._rows(names, values)
        references = self._like._refer(names)
        self._call(
            library().skidpad_fleet_set, self._mask(where), references.ctypes.data, len(names), rows.ctypes.data,
            len(names),
        )  # fmt: skip

    def get(self, names: Sequence[str], where: ArrayLike | None = None) -> NDArray[np.float64]:
        """The values of variables, a row for each vehicle of the fleet; rows of vehicles outside where are NaN."""
        names = listed(names)
        values = np.full((self._count, len(names)), np.nan)
        references = self._like._refer(names)
        self._call(
            library().skidpad_fleet_get, self._mask(where), references.ctypes.data, len(names), values.ctypes.data,
            len(names),
        )  # fmt: skip
        return values

    def initialise(self, where: ArrayLike | None = None, trim: bool = False) -> None:
        """Initialises vehicles, after Vehicle.trim where trim is true."""
        self._call(library().skidpad_fleet_initialise, self._mask(where), trim, None)

    def reset(self, where: ArrayLike | None = None) -> None:
        """Resets vehicles, as Vehicle.reset does."""
        self._call(library().skidpad_fleet_reset, self._mask(where))

    def bind(
        self, inputs: Sequence[str] = (), outputs: Sequence[str] = ()
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Binds and returns two arrays with a row for each vehicle. Before each step, step reads inputs from the first
        array; afterwards it writes outputs to the second array. At first, the arrays hold the present values of the
        inputs, and NaN. They replace arrays that were bound before; without names no arrays are bound. Inputs can also
        be tunable parameters."""
        inputs, outputs = listed(inputs), listed(outputs)
        for name in inputs:
            variable = self._like.variables.get(name)
            if variable is not None and variable.causality not in (Causality.INPUT, Causality.TUNABLE):
                what = variable.causality.name.lower()
                raise Error(
                    Status.ARGUMENT,
                    f'"{name}" cannot be bound as an input: its causality is {what}, and steps read inputs and tunable '
                    "parameters",
                )
        ins, outs = np.empty((self._count, len(inputs))), np.full((self._count, len(outputs)), np.nan)
        read, written = self._like._refer(inputs), self._like._refer(outputs)

        def bind(handle: ctypes.c_void_p) -> int:
            native, rows = library(), (read.ctypes.data, len(inputs), ins.ctypes.data)
            status: int = native.skidpad_fleet_get(handle, None, *rows, len(inputs))
            if status == Status.OK:
                status = native.skidpad_fleet_bind(
                    handle, *rows, written.ctypes.data, len(outputs), outs.ctypes.data
                )  # fmt: skip
            if status == Status.OK:  # before another thread binds: the library keeps the addresses
                self._inputs, self._outputs, self._names = ins, outs, (inputs, outputs)
            return status

        self._call(bind)
        return ins, outs

    def step(self, h: float, where: ArrayLike | None = None, errors: str = "raise") -> NDArray[np.int32]:
        """Advances vehicles by h seconds; results are bit-identical to Vehicle.step. Returns the Status of each
        vehicle. With errors="raise" the first failure is raised; with errors="return" only the statuses are
        returned."""
        h, statuses = real("h", h), np.zeros(self._count, np.int32)
        self._finish(errors, statuses, library().skidpad_fleet_step, self._mask(where), h, statuses.ctypes.data)
        return statuses

    def rollout(
        self, inputs: ArrayLike, step: float, steps: int | None = None, errors: str = "raise", read: str = "before"
    ) -> NDArray[np.float64]:
        """Makes steps of step seconds in one call, with the inputs and outputs named by bind. The shape of inputs is
        (steps, inputs) for all vehicles, or (steps, vehicles, inputs). Without inputs, steps is the number of steps.
        Returns outputs with the shape (steps, vehicles, outputs), read after each step, before the next inputs are
        set. With read="after" the outputs are read before each step, after its inputs are set. Outputs of a vehicle
        that has failed are NaN."""
        step, late, statuses = real("step", step), reads_late(read), np.zeros(self._count, np.int32)
        result = np.empty(0)

        def roll(handle: ctypes.c_void_p) -> int:
            nonlocal result  # sized here, while no other thread can bind
            table = self._blocks(inputs, steps)
            result = np.full((len(table), self._count, len(self._names[1])), np.nan)
            pieces = _Pieces(handle, step, late, table, result, statuses)
            status, failure = pieces.roll(self._error)
            if failure is not None and errors == "raise":
                raise failure
            return status

        self._finish(errors, statuses, roll)
        return result

    def run_warnings(self) -> list[tuple[RunWarning, ...]]:
        """For each vehicle, the quantities that left their limits since its start, in steps and rollouts, also if they
        have returned."""
        tables: list[tuple[RunWarning, ...]] = []
        native, text = library(), ctypes.create_string_buffer(TABLE_SIZE)

        def read(handle: ctypes.c_void_p) -> int:
            status = int(Status.OK)
            for place in range(self._count):
                vehicle = ctypes.c_void_p(native.skidpad_fleet_vehicle(handle, place))
                status = native.skidpad_get_text(vehicle, b"solver.warnings", text, TABLE_SIZE)
                if status != Status.OK:
                    break
                tables.append(parsed(text.value.decode()))
            return status

        self._call(read)
        return tables

    def _blocks(self, inputs: ArrayLike, steps: int | None) -> NDArray[np.float64]:
        """The inputs of a rollout: a row for each step, or a row for each step and vehicle."""
        n = len(self._names[0])
        table = np.ascontiguousarray(np.asarray(inputs, np.float64))
        if n == 0 and steps is not None:
            table = np.empty((steps, 0))
        if table.shape not in ((len(table), n), (len(table), self._count, n)) or steps not in (None, len(table)):
            raise ValueError(
                f"inputs have the shape {table.shape}; they need (steps, {n}) or (steps, {self._count}, {n})"
            )
        return table

    def save(self, where: ArrayLike | None = None) -> States:
        """The complete states of vehicles, in the order of where; for a mask, in the order of indices."""
        places = self._places(where)
        sizes = np.empty(len(places), np.int64)
        native = library()

        def measure(handle: ctypes.c_void_p) -> int:
            size, status = ctypes.c_int64(), int(Status.OK)
            for i, place in enumerate(places.tolist()):
                vehicle = ctypes.c_void_p(native.skidpad_fleet_vehicle(handle, place))
                status = native.skidpad_state_size(vehicle, ctypes.byref(size))
                if status != Status.OK:
                    break
                sizes[i] = size.value
            return status

        self._call(measure)
        largest = int(sizes.max(initial=0))
        data = np.zeros((len(places), largest), np.uint8)
        for size in np.unique(sizes).tolist():  # sizes depend on texts and set coefficients
            some = np.flatnonzero(sizes == size)
            some = some[np.argsort(places[some])]  # the library writes states in the order of indices
            mask, rows = np.zeros(self._count, np.uint8), np.empty((len(some), size), np.uint8)
            mask[places[some]] = 1
            self._call(native.skidpad_fleet_save, mask.ctypes.data, rows.ctypes.data, size)
            data[some, :size] = rows
        return States(data, None if (sizes == largest).all() else sizes)

    def restore(self, states: States, into: ArrayLike | None = None, source: ArrayLike | None = None) -> None:
        """Restores saved states of the vehicles selected by into. The numbers of the states are in source, one for all
        vehicles or one for each vehicle in the order of into; without source, states are taken in their order."""
        if not isinstance(states, States):
            raise TypeError(f"states is of type {type(states).__name__}; give States, which Fleet.save returns")
        places = self._places(into)
        numbers = np.arange(len(places))
        if source is not None:
            given = np.asarray(source)
            if given.size and given.dtype.kind not in "iu":
                raise TypeError(f"source is {source!r}; states are numbered by integers, from 0 on")
            if given.shape not in ((), places.shape):
                raise ValueError(f"source has the shape {given.shape} for {len(places)} vehicles; give one number for "
                                 "all, or one for each of them")  # fmt: skip
            numbers = np.broadcast_to(given.astype(np.int64), places.shape)
        if len(places) and not (0 <= numbers.min() and numbers.max() < len(states)):
            raise ValueError(f"there are {len(states)} states for {len(places)} vehicles; source says which they get")
        sizes = np.full(len(states), states.data.shape[1]) if states.sizes is None else states.sizes
        for size in np.unique(sizes[numbers]).tolist():
            some = sizes[numbers] == size
            of = np.full(self._count, -1, np.int64)
            of[places[some]] = numbers[some]
            data = np.ascontiguousarray(states.data[:, :size])
            self._call(library().skidpad_fleet_restore, data.ctypes.data, size, of.ctypes.data, None)

    def _rows(self, names: Sequence[str], values: ArrayLike) -> NDArray[np.float64]:
        try:
            array = np.asarray(values, np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"the value of {', '.join(names)} is {values!r}; give numbers") from None
        if array.ndim == 1 and len(names) == 1 and array.shape == (self._count,):
            array = array[:, np.newaxis]
        allowed = ((), (len(names),), (self._count, 1), (self._count, len(names)))  # numpy would repeat others, too
        if array.shape not in allowed:
            raise ValueError(f"values have the shape {array.shape}; allowed are a number, ({len(names)},), "
                             f"({self._count}, 1) and ({self._count}, {len(names)})")  # fmt: skip
        return np.ascontiguousarray(np.broadcast_to(array, (self._count, len(names))))

    def _places(self, where: ArrayLike | None) -> NDArray[np.int64]:
        """The indices of vehicles, in the order of where."""
        if where is None:
            return np.arange(self._count)
        given = np.asarray(where)
        if given.dtype == np.bool_:
            if given.shape != (self._count,):
                raise ValueError(f"a mask of the shape {given.shape}; the fleet has {self._count} vehicles")
            return np.flatnonzero(given)
        if given.ndim > 1 or given.size and given.dtype.kind not in "iu":
            raise TypeError(f"{where!r} does not select vehicles; give a mask with a Boolean for each, or a list of "
                            "integers, the places of vehicles")  # fmt: skip
        outside = given[(given < -self._count) | (given >= self._count)]
        if outside.size:
            raise IndexError(f"the fleet has {self._count} vehicles, no {outside[0]}")
        places = given.reshape(-1).astype(np.int64) % self._count
        found, counts = np.unique(places, return_counts=True)
        if (counts > 1).any():
            place = found[counts > 1][0]
            raise ValueError(f"place {place} is named twice; integers are places of vehicles, a mask needs Booleans")
        return places

    def _mask(self, where: ArrayLike | None) -> ctypes.c_void_p | None:
        """The mask for C, which keeps its array alive."""
        if where is None:
            return None
        mask = np.zeros(self._count, np.uint8)
        mask[self._places(where)] = 1
        return mask.ctypes.data_as(ctypes.c_void_p)

    def _call(self, function: Callable[..., int], *arguments: object) -> None:
        self._finish("raise", None, function, *arguments)

    def _finish(
        self, errors: str, statuses: NDArray[np.int32] | None, function: Callable[..., int], *arguments: object
    ) -> None:
        """Calls the library on this fleet, and raises the error of the first vehicle that failed."""
        if errors not in ("raise", "return"):
            raise ValueError(f'errors is "{errors}"; allowed are "raise" and "return"')
        self._enter()
        try:
            status = function(self._handle, *arguments)
            alone = statuses is not None and statuses.any()  # failures of vehicles, not of the call
            if status != Status.OK and not (errors == "return" and alone):
                raise self._error(status, statuses)
        finally:
            self._turn.release()

    def _enter(self) -> None:
        """Keeps other threads out until the turn is released."""
        if not self._turn.acquire(blocking=False):
            raise Error(Status.FORKED if forked() else Status.BUSY)

    def _error(self, status: int, statuses: NDArray[np.int32] | None) -> Error:
        native = library()
        places = range(self._count) if statuses is None else np.flatnonzero(statuses)
        if status in (Status.ARGUMENT, Status.REFUSED, Status.INTERNAL):
            for place in places:
                vehicle = ctypes.c_void_p(native.skidpad_fleet_vehicle(self._handle, int(place)))
                reason = native.skidpad_last_error(vehicle)
                if reason:
                    return Error(status, f"vehicle {place}: {reason.decode(errors='replace')}")
        return Error(status)


def _unpickled(like: Vehicle, threads: int, states: States) -> Fleet:
    with like:
        fleet = Fleet(like, len(states), threads)
    fleet.restore(states)
    return fleet


class _Pieces:
    """A rollout in pieces, so that Python can interrupt it. Results are bit-identical to a single call."""

    def __init__(
        self,
        handle: ctypes.c_void_p,
        step: float,
        late: bool,
        table: NDArray[np.float64],
        result: NDArray[np.float64],
        statuses: NDArray[np.int32],
    ) -> None:
        """Prepares a rollout of a fleet during its turn; result, filled with NaN, and statuses are written."""
        self._handle, self._step, self._late, self._table, self._result = handle, step, late, table, result
        self._statuses = statuses
        self._failed: list[tuple[ctypes.c_void_p, bytes]] = []  # failed vehicles, and their states

    def roll(self, error: Callable[[int, NDArray[np.int32]], Error]) -> tuple[int, Error | None]:
        """Makes all pieces. Returns the status of a call that has failed as a whole, and the first failure of a
        vehicle."""
        steps, failure, own = len(self._table), None, np.zeros_like(self._statuses)
        size = max(_FEWEST_STEPS, _VEHICLE_STEPS // len(own))
        try:
            for first in range(0, max(steps, 1), size):
                own[:] = 0
                status: int = library().skidpad_fleet_rollout(
                    self._handle, min(size, steps - first), self._step, self._table[first:].ctypes.data,
                    self._table.ndim == 3, self._result[first:].ctypes.data, self._late, own.ctypes.data,
                )  # fmt: skip
                before = self._statuses != 0  # vehicles that must return to the state of their failure
                own[before], self._result[first : first + size, before] = 0, np.nan
                if status != Status.OK and not own.any() and not self._failed:
                    return status, None
                if own.any():
                    if failure is None:
                        failure = error(int(own[own != 0][0]), own)
                    self._statuses += own
                    if self._statuses.all():
                        break  # all have failed, as after a defect of the library
                    if first + size < steps:
                        self._keep(np.flatnonzero(own))
        finally:
            for vehicle, state in self._failed:
                library().skidpad_restore(vehicle, state, len(state))
        return Status.OK, failure

    def _keep(self, places: NDArray[np.int64]) -> None:
        """Stores the states of vehicles that have failed, because later pieces change them."""
        native, size = library(), ctypes.c_int64()
        for place in places.tolist():
            vehicle = ctypes.c_void_p(native.skidpad_fleet_vehicle(self._handle, place))
            native.skidpad_state_size(vehicle, ctypes.byref(size))
            state = ctypes.create_string_buffer(size.value)
            native.skidpad_save(vehicle, state, size.value)
            self._failed.append((vehicle, state.raw))
