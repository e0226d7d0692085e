"""Costs of runs: numbers made of the samples of a run, with their exact derivatives by the samples.

    cost = skidpad.cost.squares({"body.wz": measured}, deviation=0.003)
    cost += 0.1 * skidpad.cost.integral("body.ay", power=2)

Costs are added, and multiplied by numbers. Vehicle.gradient takes one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Cost", "final", "integral", "mean", "squares"]

Samples = NDArray[np.float64]

_Term = tuple[str, float, Callable[[Samples, Samples], tuple[float, Samples]]]


class Cost:
    """A sum of terms. A term is a function of time [s] and of one variable over time."""

    def __init__(self, terms: Sequence[_Term]) -> None:
        self._terms = list(terms)

    @property
    def names(self) -> list[str]:
        """The variables that the cost needs."""
        return list(dict.fromkeys(name for name, _, _ in self._terms))

    def __add__(self, other: Cost) -> Cost:
        if not isinstance(other, Cost):
            return NotImplemented
        return Cost([*self._terms, *other._terms])

    def __mul__(self, factor: float) -> Cost:
        return Cost([(name, float(factor) * weight, term) for name, weight, term in self._terms])

    __rmul__ = __mul__

    def evaluate(self, time: Samples, samples: Mapping[str, Samples]) -> tuple[float, dict[str, Samples]]:
        """The value, and its derivatives by the samples of each variable."""
        value = 0.0
        weights = {name: np.zeros(len(time)) for name in self.names}
        for name, weight, term in self._terms:
            part, slope = term(time, samples[name])
            value += weight * part
            weights[name] += weight * slope
        return value, weights


def squares(data: Mapping[str, ArrayLike], deviation: float | Mapping[str, float] = 1.0) -> Cost:
    """The sum over variables and communication points of ((value - data)/deviation)^2. Data has a number for each
    communication point, first and last included, in SI units; NaN leaves a point out."""
    terms: list[_Term] = []
    for name, given in data.items():
        measured = np.asarray(given, dtype=np.float64)
        scale = deviation[name] if isinstance(deviation, Mapping) else deviation
        if not scale > 0:
            raise ValueError(f'the deviation of "{name}" is {scale}; it must be above 0')

        def term(time: Samples, x: Samples, name: str = name, measured: Samples = measured, scale: float = scale
                 ) -> tuple[float, Samples]:  # fmt: skip
            if measured.shape != x.shape:
                raise ValueError(
                    f'the data of "{name}" have the shape {measured.shape}; '
                    f"the run has {len(x)} communication points, first and last included"
                )
            rest = np.where(np.isnan(measured), 0.0, (x - measured) / scale)
            return float(rest @ rest), 2 * rest / scale

        terms.append((name, 1.0, term))
    return Cost(terms)


def integral(name: str, power: int = 1) -> Cost:
    """The integral of a power of a variable over time, by trapezia."""
    _check(power)

    def term(time: Samples, x: Samples) -> tuple[float, Samples]:
        weight = _trapezia(time)
        return float(weight @ x**power), weight * power * x ** (power - 1)

    return Cost([(name, 1.0, term)])


def mean(name: str, power: int = 1) -> Cost:
    """The mean of a power of a variable over time, by trapezia."""
    _check(power)

    def term(time: Samples, x: Samples) -> tuple[float, Samples]:
        weight = _trapezia(time) / (time[-1] - time[0])
        return float(weight @ x**power), weight * power * x ** (power - 1)

    return Cost([(name, 1.0, term)])


def final(name: str) -> Cost:
    """The value of a variable at the end of the run."""

    def term(time: Samples, x: Samples) -> tuple[float, Samples]:
        weight = np.zeros(len(x))
        weight[-1] = 1.0
        return float(x[-1]), weight

    return Cost([(name, 1.0, term)])


def _check(power: int) -> None:
    if not (isinstance(power, int) and power >= 1):
        raise ValueError(f"the power is {power!r}; it must be an integer of at least 1")


def _trapezia(time: Samples) -> Samples:
    weight = np.zeros(len(time))
    half = np.diff(time) / 2
    weight[:-1] += half
    weight[1:] += half
    return weight
