"""Designs of studies: the values that runs vary. Values of run i are computed from i alone, or stored.

Names are parameters or start values; a pattern such as "tire_*.LMUY" gives all that it matches the same value.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._variables import alike, real

__all__ = ["Design", "generator", "grid", "latin", "random", "read", "sobol", "table"]

MOST_RUNS = 1_000_000_000
MOST_SEED = 1 << 128  # size of the key of Philox

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Design(ABC):
    """Values of names for each run."""

    names: tuple[str, ...]
    runs: int

    @abstractmethod
    def rows(self, first: int, count: int) -> Array:
        """The values of runs first, first + 1, ...: a row for each, a column for each name."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """The description of the design for read, without stored values."""

    @property
    def stored(self) -> Array | None:
        """The values of all runs, for a design that cannot be computed by number; None for other designs."""
        return None


@dataclass(frozen=True)
class _Grid(Design):
    levels: tuple[tuple[float, ...], ...]

    def rows(self, first: int, count: int) -> Array:
        at = np.unravel_index(np.arange(first, first + count), [len(level) for level in self.levels])
        return np.column_stack([np.array(level)[places] for level, places in zip(self.levels, at)])

    def describe(self) -> dict[str, Any]:
        return {"kind": "grid", "levels": {name: list(level) for name, level in zip(self.names, self.levels)}}


@dataclass(frozen=True)
class _Ranged(Design):
    kind: str
    least: tuple[float, ...]
    largest: tuple[float, ...]
    seed: int

    def rows(self, first: int, count: int) -> Array:
        least, largest = np.array(self.least), np.array(self.largest)
        return np.asarray(least + (largest - least) * self._unit(first, count))

    def _unit(self, first: int, count: int) -> Array:
        """Numbers from 0 to 1."""
        if self.kind == "random":
            return np.array([generator(self.seed, run).random(len(self.names)) for run in range(first, first + count)])
        from scipy.stats import qmc

        points = qmc.Sobol(len(self.names), scramble=True, rng=np.random.default_rng(self.seed))
        if first:
            return np.asarray(points.fast_forward(first).random(count))
        return np.vstack([points.random(1), points.random(count - 1)])[:count]  # other first numbers cause a warning

    def describe(self) -> dict[str, Any]:
        ranges = {name: [low, high] for name, low, high in zip(self.names, self.least, self.largest)}
        return {"kind": self.kind, "ranges": ranges, "runs": self.runs, "seed": self.seed}


@dataclass(frozen=True, eq=False)
class _Table(Design):
    values: Array

    def __eq__(self, other: object) -> bool:
        return alike(self, other)

    def __hash__(self) -> int:
        return hash((self.names, self.runs))

    def rows(self, first: int, count: int) -> Array:
        return self.values[first : first + count]

    def describe(self) -> dict[str, Any]:
        return {"kind": "table", "names": list(self.names), "runs": self.runs}

    @property
    def stored(self) -> Array | None:
        return self.values


def generator(seed: int, run: int) -> np.random.Generator:
    """Random numbers of a run, which depend on the seed and the number of the run alone."""
    return np.random.Generator(np.random.Philox(key=seed, counter=[0, run, 0, 0]))


def grid(levels: Mapping[str, Iterable[float]]) -> Design:
    """All combinations of values, the last name fastest."""
    _mapping("levels", levels)
    for name, level in levels.items():
        if isinstance(level, str) or not np.iterable(level):
            raise ValueError(f"the values of {name} are {level!r}; give a sequence of numbers")
    values = tuple(tuple(real(f"a value of {name}", x) for x in level) for name, level in levels.items())
    if not values or not all(values):
        raise ValueError("a grid needs names, and a value at least for each")
    for name, level in zip(levels, values):
        if not np.isfinite(level).all():
            raise ValueError(f"the values of {name} are {list(level)}; they must be finite numbers")
    return _checked(_Grid(tuple(levels), int(np.prod([len(level) for level in values], dtype=object)), values))


def random(ranges: Mapping[str, tuple[float, float]], runs: int, seed: int) -> Design:
    """Random values, evenly distributed between the least and the largest value of each name."""
    return _ranged("random", ranges, runs, seed)


def sobol(ranges: Mapping[str, tuple[float, float]], runs: int, seed: int) -> Design:
    """A scrambled Sobol sequence, which fills the ranges more evenly than random numbers; best with a power of 2 of
    runs. Needs scipy."""
    importlib.import_module("scipy.stats")  # raises at once if scipy is missing
    return _ranged("sobol", ranges, runs, seed)


def latin(ranges: Mapping[str, tuple[float, float]], runs: int, seed: int) -> Design:
    """A Latin hypercube: each range has as many equal parts as runs, with one value in each part. The values are
    stored. Needs scipy."""
    from scipy.stats import qmc

    of = _ranged("random", ranges, runs, seed)
    unit = qmc.LatinHypercube(len(ranges), rng=np.random.default_rng(seed)).random(runs)
    return table(dict(zip(ranges, np.transpose(of.least + (np.array(of.largest) - of.least) * unit))))


def table(columns: Mapping[str, ArrayLike]) -> Design:
    """Given values, a column for each name, such as a pandas.DataFrame. The values are stored."""
    if not isinstance(columns, Mapping) and not hasattr(columns, "columns"):  # of a pandas.DataFrame
        raise TypeError(f"columns is {columns!r}; give a mapping from names to values, or a pandas.DataFrame")
    arrays = {str(name): _column(str(name), columns[name]) for name in columns}
    if len({len(array) for array in arrays.values()}) > 1:
        lengths = ", ".join(f"{name} {len(array)}" for name, array in arrays.items())
        raise ValueError(f"the columns have different numbers of values: {lengths}; give one for each run")
    if not arrays:
        raise ValueError("a table needs columns")
    values = np.column_stack(list(arrays.values()))
    return _checked(_Table(tuple(arrays), len(values), values))


def read(description: Mapping[str, Any], stored: Array | None = None) -> Design:
    """The design of a description, with its stored values."""
    kind = description["kind"]
    if kind == "grid":
        return grid(description["levels"])
    if kind == "table":
        if stored is None:
            raise ValueError("the values of the design are missing")
        return _checked(_Table(tuple(description["names"]), len(stored), stored))
    ranges = {name: (low, high) for name, (low, high) in description["ranges"].items()}
    return _ranged(kind, ranges, description["runs"], description["seed"])


def runs(description: Mapping[str, Any]) -> int:
    """The number of runs of a description, also of a design with stored values."""
    return int(description["runs"] if "runs" in description else read(description).runs)


def _ranged(kind: str, ranges: Mapping[str, tuple[float, float]], runs: int, seed: int) -> _Ranged:
    _mapping("ranges", ranges)
    for name, given in ranges.items():
        if isinstance(given, str) or not np.iterable(given) or len(given) != 2:
            raise ValueError(f"the range of {name} is {given!r}; give the least and the largest value")
        low, high = (real(f"an end of the range of {name}", end) for end in given)
        if not (np.isfinite([low, high]).all() and low <= high):
            raise ValueError(f"the range of {name} is {low} to {high}; give the least and the largest value")
    if kind not in ("random", "sobol") or not ranges:
        raise ValueError(f'a design "{kind}" of {len(ranges)} names; allowed are random and sobol, of one at least')
    for what, number in (("runs", runs), ("seed", seed)):
        if not isinstance(number, (int, np.integer)) or isinstance(number, bool):
            raise ValueError(f"{what} is {number!r}; it must be a whole number")
    if not 0 <= seed < MOST_SEED:
        raise ValueError(f"seed is {seed}; allowed are 0 to 2**128 - 1")
    least, largest = zip(*ranges.values())
    made = _Ranged(tuple(ranges), int(runs), kind, tuple(map(float, least)), tuple(map(float, largest)), int(seed))
    _checked(made)
    return made


def _mapping(what: str, given: object) -> None:
    """Rejects an argument without names."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{what} is {given!r}; give a mapping from names to values")


def _column(name: str, values: ArrayLike) -> Array:
    """The values of a name."""
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"the values of {name} are {values!r}; give numbers") from None
    if array.ndim != 1:
        raise ValueError(f"the values of {name} have the shape {array.shape}; give a sequence of numbers")
    return array


def _checked(design: Design) -> Design:
    if not 1 <= design.runs <= MOST_RUNS:
        raise ValueError(f"the design has {design.runs} runs; allowed are 1 to {MOST_RUNS}")
    stored = design.stored
    if stored is not None and not np.isfinite(stored).all():
        row = int(np.argwhere(~np.isfinite(stored))[0, 0])
        raise ValueError(f"row {row} of the design has a value that is not finite")
    return design
