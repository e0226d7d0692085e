"""Traces of a study: the choice of recorded runs, the recording, and the file of a chunk.

A recorded run is repeated alone. Its results come from the chunk, as for all other runs, and are bit-identical. The
number of a run, not its chunk or worker, decides whether it is recorded.
"""

from __future__ import annotations

import ctypes
import pathlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _study_files as files
from ._fleet import Fleet
from ._library import Error, Status, library
from ._trace import Trace
from ._vehicle import Vehicle, matching
from ._variables import Causality, reads_late

if TYPE_CHECKING:
    import pyarrow

RUN, NUMBER, TIME = "run", "manoeuvre_run", "time"
_KEY = 0x74726163  # key of the random numbers that choose runs, different from designs
_WORDS = 4  # words of Philox per counter


def chosen(share: float, first: int, count: int) -> NDArray[np.int64]:
    """Which of the runs first, first + 1, ... are recorded: each run with the probability share, by its own counter."""
    words = np.random.Philox(key=_KEY, counter=[first, 0, 0, 0]).random_raw(_WORDS * count)[::_WORDS]
    return first + np.flatnonzero((words >> np.uint64(11)) * 2.0**-53 < share)


class RecordingFleet(Fleet):
    """A fleet of one vehicle that records variables at each of its communication points."""

    def __init__(self, vehicle: Vehicle, names: Sequence[str], threads: int) -> None:
        super().__init__(vehicle, 1, threads)
        self._recorded, self._units = vehicle._refer(names), {name: vehicle.variables[name].unit for name in names}
        self._about = {name: vehicle.variables[name].text for name in names}
        self._times: list[float] = []
        self._kept: list[NDArray[np.float64]] = []

    def initialise(self, where: ArrayLike | None = None, trim: bool = False) -> None:
        super().initialise(where, trim)
        self._keep()

    def step(self, h: float, where: ArrayLike | None = None, errors: str = "raise") -> NDArray[np.int32]:
        statuses = super().step(h, where, errors)
        if not statuses.any():
            self._keep()
        return statuses

    def rollout(
        self, inputs: ArrayLike, step: float, steps: int | None = None, errors: str = "raise", read: str = "before"
    ) -> NDArray[np.float64]:
        """Makes the steps one by one, with the same results."""
        late, table = reads_late(read), self._blocks(inputs, steps)
        result = np.full((len(table), 1, len(self._names[1])), np.nan)
        bound = self._inputs.copy(), self._outputs.copy()
        try:
            for row, outputs in zip(table, result):
                self._inputs[:] = row
                first = self._first(errors) if late else self._outputs
                if first is None or self.step(step, errors=errors).any():
                    break
                outputs[:] = first
        finally:
            self._inputs[:], self._outputs[:] = bound
        return result

    def _first(self, errors: str) -> NDArray[np.float64] | None:
        """Sets the bound inputs and returns the outputs before a step; None if an input is refused."""
        try:
            self.set(self._names[0], self._inputs)
        except Error:
            if errors == "raise":
                raise
            return None
        return self.get(self._names[1])

    def _keep(self) -> None:
        values, time = np.empty(len(self._recorded)), ctypes.c_double()
        native = library()
        vehicle = ctypes.c_void_p(native.skidpad_fleet_vehicle(self._handle, 0))
        self._call(lambda _: native.skidpad_time(vehicle, ctypes.byref(time)))
        self._call(
            native.skidpad_fleet_get, None, self._recorded.ctypes.data, len(values), values.ctypes.data, len(values)
        )
        self._times.append(time.value)
        self._kept.append(values)

    def write(self, path: pathlib.Path) -> None:
        """Writes the record in the format of the command, unless it is empty."""
        import pyarrow
        import pyarrow.parquet

        if not self._times:
            return
        about = {TIME: {"unit": "s", "text": TIME}}
        about |= {name: {"unit": unit, "text": self._about[name]} for name, unit in self._units.items()}
        schema = pyarrow.schema([pyarrow.field(name, pyarrow.float64(), metadata=about[name]) for name in about])
        path.parent.mkdir(parents=True, exist_ok=True)
        columns = [np.array(self._times), *np.array(self._kept).T]
        pyarrow.parquet.write_table(pyarrow.table(columns, schema=schema), path)


def variables(vehicle: Vehicle, patterns: Sequence[str]) -> list[str]:
    """The variables that match patterns; all outputs without patterns."""
    if not patterns:
        return vehicle.names(Causality.OUTPUT)
    names = list(dict.fromkeys(name for pattern in patterns for name in matching(vehicle, pattern)))
    vehicle._refer(names)
    return names


def gather(
    path: pathlib.Path, identity: str, runs: Iterator[tuple[int, Sequence[pathlib.Path]]], several: bool
) -> dict[str, Any] | None:
    """Writes the traces of runs, one row group after the other, to path. Returns the number of runs and the columns.
    Without traces, writes nothing and returns None. Runs of a manoeuvre come with their number."""
    import pyarrow.parquet

    writer, count = None, 0
    try:
        for run, recorded in runs:
            for number, file in enumerate(recorded, 1):
                table = _with_numbers(pyarrow.parquet.read_table(file), run, number if several else None)
                table = table.replace_schema_metadata({"study": identity})
                if writer is None:
                    writer = pyarrow.parquet.ParquetWriter(path, table.schema, version="2.6", compression="zstd")
                writer.write_table(table, row_group_size=1 << 16)
            count += bool(recorded)
    finally:
        if writer is not None:
            writer.close()
    return {"runs": count, "columns": files.columns(writer.schema)} if writer is not None else None


def _with_numbers(table: pyarrow.Table, run: int, number: int | None) -> pyarrow.Table:
    """A recorded run with its numbers in the first columns, and units and definitions in the metadata of the other
    columns."""
    import pyarrow

    numbers = {RUN: run, **({} if number is None else {NUMBER: number})}
    columns = [pyarrow.array(np.full(len(table), value)) for value in numbers.values()]
    fields = [pyarrow.field(name, pyarrow.int64(), nullable=False) for name in numbers]
    for name in [TIME, *(name for name in table.column_names if name != TIME)]:
        column = table.column(name)
        known = table.schema.field(name).metadata or {}
        about = {key: known.get(key.encode(), b"").decode() for key in ("unit", "text")}
        fields.append(pyarrow.field(name, column.type, nullable=False, metadata=about))
        columns.append(column)
    return pyarrow.table(columns, schema=pyarrow.schema(fields))


def read(place: files.Store, name: str, run: int, number: int) -> Trace:
    """The trace of a run in the file of its chunk."""
    import pyarrow.parquet

    path, filesystem = place.path(name), place.filesystem
    wanted = [(RUN, "==", run)]
    if NUMBER in pyarrow.parquet.read_schema(path, filesystem=filesystem).names:
        wanted.append((NUMBER, "==", number))
    table = pyarrow.parquet.read_table(path, filesystem=filesystem, filters=wanted)
    if not len(table) or (number != 1 and NUMBER not in table.column_names):
        raise Error(Status.ARGUMENT, f"run {run} has no trace of number {number}")
    names = [name for name in table.column_names if name not in (RUN, NUMBER, TIME)]
    units = {name: table.schema.field(name).metadata[b"unit"].decode() for name in names}
    values = np.column_stack([table.column(name).to_numpy().astype(np.float64) for name in names])
    return Trace(table.column(TIME).to_numpy().astype(np.float64), values, units)
