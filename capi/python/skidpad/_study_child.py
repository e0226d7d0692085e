"""The process in which a function of a study runs, so that what ends it ends no worker."""

from __future__ import annotations

import pathlib
import pickle
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _study_work as work
from ._fleet import Fleet
from ._library import Error
from ._vehicle import Vehicle, matching

Columns = Mapping[str, Any]
Function = Callable[[Fleet, Mapping[str, NDArray[np.float64]]], Columns]


def main(arguments: list[str]) -> int:
    """Makes the runs of a study: FOLDER FIRST COUNT THREADS OUT. Returns the exit status."""
    folder, first, count, threads, out = pathlib.Path(arguments[0]), *map(int, arguments[1:4]), arguments[4]
    try:
        chunks = work.Chunks(folder)
        with open(folder / "run.pickle", "rb") as file:
            function: Function = pickle.load(file)
        car = Vehicle(work.model_file(folder), chunks.manifest["tree"])
        car.restore((folder / "state").read_bytes())
    except Exception as error:  # whatever a function or a model needs that is not here
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return work.REFUSED_EXIT
    rows = _runs(chunks, function, car, first, count, threads)
    import pyarrow.parquet

    table = chunks.table(first, rows)
    pyarrow.parquet.write_table(table, out)
    return 0


def _runs(
    chunks: work.Chunks, function: Function, car: Vehicle, first: int, count: int, threads: int
) -> list[work.Row]:
    """The runs together, or, if the function fails, in halves, until a run that fails is alone: its row then has the
    reason."""
    design = chunks.design
    values = design.rows(first, count)
    try:
        with Fleet(car, count, threads) as fleet:
            for k, name in enumerate(design.names):
                fleet.set(matching(car, name), values[:, k : k + 1])
            varied = {name: values[:, k] for k, name in enumerate(design.names)}
            varied["run"] = np.arange(first, first + count, dtype=np.float64)
            columns = {name: np.asarray(column, np.float64) for name, column in function(fleet, varied).items()}
            for name, column in columns.items():
                if column.shape != (count,):
                    raise ValueError(f'the column "{name}" has the shape {column.shape}; {count} runs need ({count},)')
        cells = [{name: float(column[i]) for name, column in columns.items()} for i in range(count)]
        return [work.Row(work.OK, "", row) for row in cells]
    except Exception as error:  # a function may raise anything
        if count == 1:
            reason = str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}"
            return [work.Row(work.FAILED, reason.removeprefix("vehicle 0: "))]
        half = count // 2
        before = _runs(chunks, function, car, first, half, threads)
        return before + _runs(chunks, function, car, first + half, count - half, threads)
