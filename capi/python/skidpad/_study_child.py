"""The process that runs a function of a study. If the process crashes, the worker survives."""

from __future__ import annotations

import contextlib
import pathlib
import pickle
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _study_files as files
from . import _study_traces as traces
from . import _study_work as work
from ._fleet import Fleet
from ._library import Error, Status
from ._run_warning import short
from ._tire import is_registered
from ._vehicle import Vehicle, matching

Columns = Mapping[str, Any]
Function = Callable[[Fleet, Mapping[str, NDArray[np.float64]]], Columns]


def main(arguments: list[str]) -> int:
    """Makes runs of a study: rows|traces FOLDER FIRST COUNT THREADS OUT. Returns the exit status."""
    verb, folder, out = arguments[0], pathlib.Path(arguments[1]), pathlib.Path(arguments[5])
    first, count, threads = map(int, arguments[2:5])
    try:
        chunks = work.Chunks(folder)
        chunks.check()
        with open(folder / files.FUNCTION, "rb") as file:
            function: Function = pickle.load(file)
        car = Vehicle(work.model_file(folder), chunks.manifest["tree"], chunks.manifest.get("reactions", ""))
        for name, tire in chunks.manifest.get("tires", {}).items():
            car.set_text(name, tire)  # a state alone loads no libraries
        _must_be_registered(chunks.manifest.get("registered", {}))
        car.restore((folder / files.STATE).read_bytes())
        names = traces.variables(car, chunks.manifest["traces"]["record"]) if verb == "traces" else []
    except Exception as error:  # a function or a model may need anything that is missing here
        return _refused(error)
    if verb == "traces":
        for row, run in enumerate(traces.chosen(chunks.manifest["traces"]["share"], first, count)):
            recorder = traces.RecordingFleet(car, names, threads)
            with recorder:
                with contextlib.suppress(Exception):  # the row of the run has the reason
                    _columns(chunks, function, car, recorder, int(run))
                recorder.write(out / str(row) / "run_1.parquet")
        out.mkdir(exist_ok=True)
        (out / work.DONE).touch()
        return 0
    try:
        rows = _runs(chunks, function, car, first, count, threads)
    except _Unusable as error:
        return _refused(error)
    import pyarrow.parquet

    table = chunks.table(first, rows)
    pyarrow.parquet.write_table(table, out)
    return 0


def _must_be_registered(functions: Mapping[str, str]) -> None:
    """Raises Error if this process lacks a function that was registered where the study began."""
    for name, function in functions.items():
        if not is_registered(function):
            raise Error(
                Status.REFUSED,
                f'{name} is "{function}", which register_tire, register_law or register_controller registered in '
                "the process that began the study, but not in this process, which makes the runs: register it in the "
                "module of the function of the runs, at import",
            )


class _Unusable(Exception):
    """The results of a function cannot be columns of a study, for any runs."""


def _refused(error: Exception) -> int:
    """Prints why no run can be made, and returns the exit status for this case."""
    print(error if isinstance(error, (Error, _Unusable)) else f"{type(error).__name__}: {error}", file=sys.stderr)
    return work.REFUSED_EXIT


def _runs(
    chunks: work.Chunks, function: Function, car: Vehicle, first: int, count: int, threads: int
) -> list[work.Row]:
    """Makes the runs together or, if the function fails, in halves, until the failing run is alone. The row of this run
    has the reason."""
    try:
        with Fleet(car, count, threads) as fleet:
            columns = _columns(chunks, function, car, fleet, first)
            warnings = [short(table) for table in fleet.run_warnings()]
        cells = [{name: float(column[i]) for name, column in columns.items()} for i in range(count)]
        return [work.Row(work.OK, "", row, warnings=text) for row, text in zip(cells, warnings)]
    except _Unusable:
        raise
    except Exception as error:  # a function may raise anything
        if count == 1:
            reason = str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}"
            return [work.Row(work.FAILED, chunks.plain(reason).removeprefix("vehicle 0: "))]
        half = count // 2
        before = _runs(chunks, function, car, first, half, threads)
        return before + _runs(chunks, function, car, first + half, count - half, threads)


def _columns(
    chunks: work.Chunks, function: Function, car: Vehicle, fleet: Fleet, first: int
) -> dict[str, NDArray[np.float64]]:
    """The results of the function for the vehicles of a fleet: runs first, first + 1, ..."""
    count, names = len(fleet), chunks.design.names
    values = chunks.design.rows(first, count)
    for k, name in enumerate(names):
        fleet.set(matching(car, name), values[:, k : k + 1])
    varied = {name: values[:, k] for k, name in enumerate(names)}
    varied["run"] = np.arange(first, first + count, dtype=np.float64)
    given = {name: np.asarray(column) for name, column in function(fleet, varied).items()}
    for name, column in given.items():
        if name in work.COLUMNS or name in names:
            raise _Unusable(f'the function of the study gives a column "{name}", which the table has already: its own '
                            f"are {', '.join([*work.COLUMNS, *names])}; rename it")  # fmt: skip
        if np.iscomplexobj(column):
            raise _Unusable(f'the function of the study gives a column "{name}" of complex numbers; give real and '
                            "imaginary parts in two columns")  # fmt: skip
    columns = {name: np.asarray(column, np.float64) for name, column in given.items()}
    for name, column in columns.items():
        if column.shape != (count,):
            raise ValueError(f'the column "{name}" has the shape {column.shape}; {count} runs need ({count},)')
    return columns
