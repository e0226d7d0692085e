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
from ._vehicle import Vehicle


@dataclass(frozen=True)
class States:
    """Saved states of vehicles of a fleet: one row of bytes for each. They can be pickled."""

    data: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.data)


class Fleet:
    """Copies of a vehicle, which step together in vector lanes and threads.

    Arrays have a row for each vehicle. ``where`` says which vehicles a call means: a mask with a Boolean for each, a
    list of places, or None for all. A vehicle that fails keeps its state, and the others go on.
    """

    def __init__(self, vehicle: Vehicle, count: int, threads: int = 0) -> None:
        """Makes count copies of a vehicle in its present state, with its texts, parameters and start values. They step
        in a number of threads, 0 for one for each processor."""
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
        """What the fleet is, and the outputs that are bound, as notebooks show it."""
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
        """A copy of one vehicle in its present state."""
        if not -self._count <= place < self._count:
            raise IndexError(f"the fleet has {self._count} vehicles, no {place}")
        vehicle = self._like.copy()
        vehicle.restore(self.save([place % self._count]).data[0].tobytes())
        return vehicle

    def __reduce__(self) -> tuple[Callable[..., Fleet], tuple[Vehicle, int, States]]:
        """The model's files, and the states. Arrays that are bound do not go with them."""
        return _unpickled, (self._like, self._threads, self.save())

    def set(self, names: Sequence[str], values: ArrayLike, where: ArrayLike | None = None) -> None:
        """Sets variables: values is one number, one for each name, or a row of them for each vehicle of the fleet."""
        rows = self._rows(names, values)
        references = self._like._refer(names)
        self._call(
            library().skidpad_fleet_set, self._mask(where), references.ctypes.data, len(names), rows.ctypes.data,
            len(names),
        )  # fmt: skip

    def get(self, names: Sequence[str], where: ArrayLike | None = None) -> NDArray[np.float64]:
        """The values of variables, a row for each vehicle of the fleet; rows that where leaves out are NaN."""
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
        """Two arrays with a row for each vehicle: step reads inputs from the first one before, and writes outputs to
        the second one afterwards. They replace those that were bound before; without names none are bound."""
        ins, outs = np.zeros((self._count, len(inputs))), np.full((self._count, len(outputs)), np.nan)
        read, written = self._like._refer(inputs), self._like._refer(outputs)

        def bind(handle: ctypes.c_void_p) -> int:
            status: int = library().skidpad_fleet_bind(
                handle, read.ctypes.data, len(inputs), ins.ctypes.data, written.ctypes.data, len(outputs),
                outs.ctypes.data,
            )  # fmt: skip
            if status == Status.OK:  # before another thread binds others: the library keeps the addresses
                self._inputs, self._outputs, self._names = ins, outs, (list(inputs), list(outputs))
            return status

        self._call(bind)
        return ins, outs

    def step(self, h: float, where: ArrayLike | None = None, errors: str = "raise") -> NDArray[np.int32]:
        """Advances vehicles by h seconds, each as Vehicle.step does and with the same bits. Returns the Status of each;
        errors is "raise" to raise the first failure, or "return" to return all of them."""
        statuses = np.zeros(self._count, np.int32)
        self._finish(errors, statuses, library().skidpad_fleet_step, self._mask(where), h, statuses.ctypes.data)
        return statuses

    def rollout(
        self, inputs: ArrayLike, step: float, steps: int | None = None, errors: str = "raise"
    ) -> NDArray[np.float64]:
        """Makes steps of step seconds in one call, with the inputs and outputs that bind has named. inputs is
        (steps, inputs) for all vehicles, or (steps, vehicles, inputs); without inputs, steps says how many. Returns
        (steps, vehicles, outputs), as they are after each step; NaN for a vehicle that has failed."""
        statuses = np.zeros(self._count, np.int32)
        result = np.empty(0)

        def roll(handle: ctypes.c_void_p) -> int:
            nonlocal result  # its size is that of what is bound while no other thread can bind
            table = self._blocks(inputs, steps)
            result = np.full((len(table), self._count, len(self._names[1])), np.nan)
            status: int = library().skidpad_fleet_rollout(
                handle, len(table), step, table.ctypes.data, table.ndim == 3, result.ctypes.data,
                statuses.ctypes.data,
            )  # fmt: skip
            return status

        self._finish(errors, statuses, roll)
        return result

    def _blocks(self, inputs: ArrayLike, steps: int | None) -> NDArray[np.float64]:
        """The inputs of a rollout: a row for each step, or one for each vehicle."""
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
        """The complete states of vehicles, in the order of their places."""
        mask = self._chosen(where)
        first = int(np.argmax(mask))
        size = ctypes.c_int64()
        native = library()
        vehicle = ctypes.c_void_p(native.skidpad_fleet_vehicle(self._handle, first))
        self._call(lambda _: native.skidpad_state_size(vehicle, ctypes.byref(size)))
        data = np.empty((int(np.count_nonzero(mask)), size.value), np.uint8)
        self._call(native.skidpad_fleet_save, mask.ctypes.data, data.ctypes.data, size.value)
        return States(data)

    def restore(self, states: States, into: ArrayLike | None = None, source: ArrayLike | None = None) -> None:
        """Gives vehicles saved states: into says which vehicles, source the number of the state, one for all or one
        for each of them; without source the states in their order."""
        places = np.flatnonzero(self._chosen(into))
        numbers = np.arange(len(places)) if source is None else np.broadcast_to(np.asarray(source), places.shape)
        if len(places) and not (0 <= numbers.min() and numbers.max() < len(states)):
            raise ValueError(f"there are {len(states)} states for {len(places)} vehicles; source says which they get")
        of = np.full(self._count, -1, np.int64)
        of[places] = numbers
        data = np.ascontiguousarray(states.data)
        self._call(library().skidpad_fleet_restore, data.ctypes.data, data.shape[1], of.ctypes.data, None)

    def _rows(self, names: Sequence[str], values: ArrayLike) -> NDArray[np.float64]:
        array = np.asarray(values, np.float64)
        if array.ndim == 1 and len(names) == 1 and array.shape == (self._count,):
            array = array[:, np.newaxis]
        try:
            return np.ascontiguousarray(np.broadcast_to(array, (self._count, len(names))))
        except ValueError:
            raise ValueError(
                f"values have the shape {array.shape}; allowed are a number, ({len(names)},) and "
                f"({self._count}, {len(names)})"
            ) from None

    def _chosen(self, where: ArrayLike | None) -> NDArray[np.uint8]:
        mask = np.ones(self._count, np.uint8)
        if where is not None:
            given = np.asarray(where)
            mask[:] = 0
            if given.dtype == np.bool_ and given.shape != mask.shape:
                raise ValueError(f"a mask of the shape {given.shape}; the fleet has {self._count} vehicles")
            mask[given] = 1
        return mask

    def _mask(self, where: ArrayLike | None) -> ctypes.c_void_p | None:
        """The mask for C; it keeps its array alive."""
        return None if where is None else self._chosen(where).ctypes.data_as(ctypes.c_void_p)

    def _call(self, function: Callable[..., int], *arguments: object) -> None:
        self._finish("raise", None, function, *arguments)

    def _finish(
        self, errors: str, statuses: NDArray[np.int32] | None, function: Callable[..., int], *arguments: object
    ) -> None:
        """Calls the library on this fleet, and raises what went wrong with the first vehicle that failed."""
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
