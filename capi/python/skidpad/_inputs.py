"""Inputs of a run over its communication points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._loaded import LoadedVehicle, numbers

Signal = Union[ArrayLike, Callable[[float], ArrayLike]]
"""The value of an input, see Vehicle.simulate."""


class Drive:
    """Inputs over the communication points of a run."""

    def __init__(self, vehicle: LoadedVehicle, inputs: Mapping[str, Signal], steps: int) -> None:
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
            values = numbers(signal)
            if values is None:
                raise TypeError(f'the signal of "{name}" is {signal!r}; give a number, an array or a function of time')
            tables.append(_table(name, values, steps + 1, len(driven)))
        self.table = np.concatenate(tables, axis=1) if tables else np.empty((steps + 1, 0))
        self.references = vehicle._refer(names)

    @staticmethod
    def parts(vehicle: LoadedVehicle, names: list[str]) -> dict[str, list[str]]:
        """The inputs of each name."""
        return {name: _driven(vehicle, name) for name in names}

    @property
    def known(self) -> bool:
        """Whether no input is a function, so that the table has all values."""
        return not self._functions

    def at(self, n: int, time: float) -> NDArray[np.float64]:
        """The inputs at communication point n, at a time [s]."""
        row: NDArray[np.float64] = self.table[n]
        for name, columns, function in self._functions:
            given, width = function(time), columns.stop - columns.start
            value = numbers(given)
            if value is None or value.shape != (() if width == 1 else (width,)):
                raise ValueError(f'the function of "{name}" gave {given} at {time:g} s; it must give {_amount(width)}')
            row[columns] = value
        return row


def _driven(vehicle: LoadedVehicle, name: str) -> list[str]:
    """The inputs of a name: three inputs of a motion driver, or the input itself."""
    if name not in vehicle._lasting:
        for position in ("angle", "position"):
            motion = [f"{name}.{position}", f"{name}.rate", f"{name}.acceleration"]
            if all(part in vehicle._lasting for part in motion):
                return motion
    return [name]


def _table(name: str, values: NDArray[np.float64], rows: int, width: int) -> NDArray[np.float64]:
    """A signal as a row for each communication point."""
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
