"""Gradients of runs."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Union

import numpy as np
from numpy.typing import NDArray

from ._inputs import Drive, Signal
from ._library import library
from ._trace import Trace
from ._variables import listed, real, similar
from .cost import Cost

if TYPE_CHECKING:
    from ._vehicle import Vehicle

By = Union[Sequence[str], Mapping[str, Sequence[str]]]
"""Names of variables, or of groups of variables that change together."""


class Gradient:
    """Exact derivatives of a run.

        value   the recorded variables, a Trace; or the cost, a number
        array   derivatives in SI units: (samples, of, by) of variables, (by,) of a cost
        by      names of the columns of array
        inputs  of a cost: derivatives by the inputs that were asked for, a row for each step

    g["body.wz", "body.mass"] are the derivatives of a variable at all samples, g["body.mass"] that of a cost.
    """

    def __init__(
        self,
        value: Trace | float,
        array: NDArray[np.float64],
        by: Sequence[str],
        inputs: Mapping[str, NDArray[np.float64]],
    ) -> None:
        self.value = value
        self.array = array
        self.by = list(by)
        self.inputs = dict(inputs)

    def __getitem__(self, key: str | tuple[str, str]) -> NDArray[np.float64] | float:
        if isinstance(self.value, Trace):
            if not (isinstance(key, tuple) and len(key) == 2):
                raise KeyError(f'{key!r} is not a pair of names; write g["body.wz", "body.mass"]')
            of = list(self.value)
            column: NDArray[np.float64] = self.array[:, _at(of, key[0]), _at(self.by, key[1])]
            return column
        if not isinstance(key, str):
            raise KeyError(f'{key!r} is not a name; a cost has one derivative by each name: g["body.mass"]')
        return float(self.array[_at(self.by, key)])

    def __repr__(self) -> str:
        what = f"{len(self.value)} variables" if isinstance(self.value, Trace) else f"a cost of {self.value:g}"
        return f"<skidpad.Gradient of {what} by {len(self.by)} parameters>"


def _at(names: list[str], name: str) -> int:
    if name not in names:
        raise KeyError(f'"{name}" is not among the derivatives{similar(name, names)}')
    return names.index(name)


def gradient(
    vehicle: Vehicle,
    of: Sequence[str] | Cost,
    by: By,
    duration: float,
    step: float,
    inputs: Mapping[str, Signal] | None,
    by_inputs: Sequence[str],
    memory: int,
) -> Gradient:
    """See Vehicle.gradient."""
    duration, step = real("duration", duration), real("step", step)
    steps = round(duration / step) if step > 0 and math.isfinite(duration / step) else 0
    if steps < 1 or abs(steps * step - duration) > 1e-9 * duration:
        raise ValueError(f"a duration of {duration:g} s is not a whole number of steps of {step:g} s")
    if isinstance(by, Mapping):
        groups = [(name, listed(names)) for name, names in by.items()]
    else:
        groups = [(name, [name]) for name in listed(by)]
    flat = [name for _, names in groups for name in names]
    twice = [name for name in dict.fromkeys(flat) if flat.count(name) > 1]
    if twice:
        raise ValueError(f'"{twice[0]}" is in by twice; name it once')
    titles = [title for title, _ in groups]
    owner = [column for column, (_, names) in enumerate(groups) for _ in names]
    if by_inputs and not isinstance(of, Cost):
        raise ValueError("by_inputs is for the derivatives of a cost; write of=skidpad.cost.final(...)")
    with copy.copy(vehicle) as run:
        drive = Drive(run, inputs or {}, steps)
        if not drive.known:
            raise ValueError("an input is a function, whose derivative is not known; give an array")
        record = of.names if isinstance(of, Cost) else list(dict.fromkeys(listed(of)))
        if isinstance(of, Cost):
            return _backwards(run, of, titles, flat, owner, drive, record, steps, step, listed(by_inputs), memory)
        return _forwards(run, titles, flat, owner, drive, record, steps, step)


def _forwards(
    run: Vehicle, titles: list[str], flat: list[str], owner: list[int], drive: Drive, record: list[str],
    steps: int, step: float,
) -> Gradient:  # fmt: skip
    native, count = library(), len(titles)
    seeds = np.zeros((len(flat), count))
    seeds[np.arange(len(flat)), owner] = 1.0
    names, recorded = run._refer(flat), run._refer(record)
    values, array = np.empty((steps + 1, len(record))), np.zeros((steps + 1, len(record), count))
    if count:
        run._call(native.skidpad_set_directions, count)
        run._call(native.skidpad_set_tangents, names.ctypes.data, len(flat), seeds.ctypes.data)
    _set(run, drive, 0)
    run.initialise()
    for n in range(steps + 1):
        if n:
            run._call(native.skidpad_step, step)
        run._call(native.skidpad_get, recorded.ctypes.data, len(record), values[n].ctypes.data)
        if count:
            run._call(native.skidpad_get_tangents, recorded.ctypes.data, len(record), array[n].ctypes.data)
        if n:
            _set(run, drive, n)
    return Gradient(_trace(run, steps, step, values, record), array, titles, {})


def _backwards(
    run: Vehicle, of: Cost, titles: list[str], flat: list[str], owner: list[int], drive: Drive,
    record: list[str], steps: int, step: float, by_inputs: list[str], memory: int,
) -> Gradient:  # fmt: skip
    native = library()
    names, recorded = run._refer(flat), run._refer(record)
    values = np.empty((steps + 1, len(record)))
    run._call(native.skidpad_record, memory)
    _set(run, drive, 0)
    run.initialise()
    for n in range(steps + 1):
        if n:
            run._call(native.skidpad_step, step)
        run._call(native.skidpad_get, recorded.ctypes.data, len(record), values[n].ctypes.data)
        if n:
            _set(run, drive, n)
    trace = _trace(run, steps, step, values, record)
    cost, weights = of.evaluate(trace.time, trace)
    table = np.stack([weights[name] for name in record], axis=1)
    driven = {name: run._refer(parts) for name, parts in drive.parts(run, by_inputs).items()}
    slopes = {name: np.empty((steps, len(references))) for name, references in driven.items()}
    for n in range(steps, -1, -1):
        row = np.ascontiguousarray(table[n])
        run._call(native.skidpad_add_adjoints, recorded.ctypes.data, len(record), row.ctypes.data)
        if n == 0:
            break
        run._call(native.skidpad_step_back)
        for name, references in driven.items():
            to = slopes[name][n - 1]
            run._call(native.skidpad_get_adjoints, references.ctypes.data, len(references), to.ctypes.data)
    single = np.empty(len(flat))
    run._call(native.skidpad_get_adjoints, names.ctypes.data, len(flat), single.ctypes.data)
    array = np.zeros(len(titles))
    np.add.at(array, owner, single)
    return Gradient(cost, array, titles, slopes)


def _set(run: Vehicle, drive: Drive, n: int) -> None:
    row = drive.table[n]
    run._call(library().skidpad_set, drive.references.ctypes.data, len(row), row.ctypes.data)


def _trace(run: Vehicle, steps: int, step: float, values: NDArray[np.float64], record: list[str]) -> Trace:
    return Trace(step * np.arange(steps + 1, dtype=np.float64), values, run._units(record), run.run_warnings())
