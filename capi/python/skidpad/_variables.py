"""Descriptions of the variables of a model."""

from __future__ import annotations

import difflib
import enum
import html
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import SupportsFloat, SupportsIndex, Union

import numpy as np

from ._library import Error, Status


class Causality(enum.IntEnum):
    """The causality of a variable: skidpad_causality."""

    PARAMETER = 0  # settable before initialisation, constant from then on
    INPUT = 1  # settable before every step
    OUTPUT = 2  # computed; settable before initialisation if there is a start value
    TUNABLE = 3  # a parameter that is also settable between two steps
    LOCAL = 4  # computed like an output, but only when it is read: energies, rates of states, peaks of tires


class Kind(enum.IntEnum):
    """The role of a variable in the model: skidpad_kind."""

    PARAMETER = 0
    INPUT = 1
    OUTPUT = 2  # computed from states, inputs and parameters
    STATE = 3  # an output that the solver integrates
    CONTACT = 4  # an output: 1 while the tire touches the road, else 0
    ENERGY = 5  # of the energy ledger, or the power of a tire
    END = 6  # an output: the end condition that became true, and its time
    COEFFICIENT = 7  # a parameter of a tire function
    PEAK = 8  # of a force curve of a tire, such as "tire_FL.mu_x_peak"
    RATE = 9  # time derivative of a state, such as "der(body.vx)"


@dataclass(frozen=True)
class Variable:
    """The description of a variable."""

    name: str  # <component>.<quantity>, such as "body.wz"
    unit: str  # "m/s", "rad", ...; "1" for a pure number
    text: str  # one line of description, may be ""
    causality: Causality
    start: float  # value before anything is set, in its unit; 0 where none is defined
    minimum: float | None = None  # least value that can be set, or the bound that values must exceed; None for none
    maximum: float | None = None  # largest value that can be set; tire functions check coefficients themselves
    nominal: float | None = None  # of a state: magnitude from which on it is significant, as in FMUs; None for others
    kind: Kind = Kind.OUTPUT

    @property
    def range(self) -> str:
        """The range of values that can be set, such as ">= 0" or "0 to 1"; "" for all."""
        if self.minimum is not None and self.maximum is not None:
            return f"{self.minimum:g} to {self.maximum:g}"
        return (f">= {self.minimum:g}" if self.minimum is not None else "") + (
            f"<= {self.maximum:g}" if self.maximum is not None else ""
        )

    @property
    def _what(self) -> str:
        """Kind and range, and the causality of parameters of tires that can be set between steps."""
        tunable = ["tunable"] if self.causality == Causality.TUNABLE else []
        return ", ".join([self.kind.name.lower(), *tunable, *filter(None, [self.range])])


MOST_SHOWN = 60  # variables shown at once


class Variables(Mapping[str, Variable]):
    """Variables by name, in the order of the model."""

    def __init__(self, variables: Mapping[str, Variable]) -> None:
        self._variables = dict(variables)

    def __getitem__(self, name: str) -> Variable:
        try:
            return self._variables[name]
        except KeyError:
            raise KeyError(f'no variable is called "{name}"{similar(name, self._variables)}') from None

    def __contains__(self, name: object) -> bool:
        return name in self._variables

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)

    def search(self, text: str) -> Variables:
        """The variables with all words of text in their name, unit, kind or description, in any case of letters."""
        if not isinstance(text, str):
            raise TypeError(f"text is {text!r}; give words, such as 'tire_FL slip'")
        words = text.lower().split()
        return Variables(
            {
                name: v
                for name, v in self._variables.items()
                if all(word in f"{name} {v.unit} {v.kind.name} {v.text}".lower() for word in words)
            }
        )

    def __repr__(self) -> str:
        rows = [f"{v.name} [{v.unit}] {v._what}: {v.text}" for v in self._variables.values()]
        more = [f"... and {len(rows) - MOST_SHOWN} more; search(text) finds some"] if len(rows) > MOST_SHOWN else []
        return "\n".join([f"<{len(rows)} variables>", *rows[:MOST_SHOWN], *more])

    def _repr_html_(self) -> str:
        """The table that notebooks show."""
        cells = [(v.name, v.unit, v.kind.name.lower(), v.range, v.text) for v in self._variables.values()]
        rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in cells[:MOST_SHOWN]]
        more = f"<p>{len(cells)} variables; {len(rows)} are shown, search(text) finds some.</p>"
        head = "<tr><th>name</th><th>unit</th><th>kind</th><th>range</th><th>description</th></tr>"
        return f"<table>{head}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>{more}"


def similar(name: object, names: Iterable[str]) -> str:
    """The end of a message about an unknown name."""
    close = difflib.get_close_matches(str(name), names)
    return "; similar are " + ", ".join(close) if close else ""


def alike(one: object, other: object) -> bool:
    """Whether two objects of a class have the same attributes, also arrays; NaN equals NaN."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f" and other.dtype.kind == "f")
    if not hasattr(one, "__dict__"):
        return bool(one == other)
    if type(one) is not type(other):
        return False
    mine, theirs = vars(one), vars(other)
    return mine.keys() == theirs.keys() and all(alike(value, theirs[name]) for name, value in mine.items())


def listed(names: Sequence[str]) -> list[str]:
    """Names as a list; a single name is a list of one."""
    return [names] if isinstance(names, str) else list(names)


def real(what: str, value: Union[SupportsFloat, SupportsIndex]) -> float:
    """A number for C."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{what} is {value!r}; give a number")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{what} is {value!r}; give a number") from None


def reads_late(read: str) -> bool:
    """Whether variables are read after the inputs of a communication point are set, not before."""
    if read not in ("before", "after"):
        raise ValueError(f'read is {read!r}; allowed are "before" and "after": the inputs of a point are set')
    return read == "after"


def whole(what: str, value: SupportsIndex, least: int, most: int) -> int:
    """An integer for C in a range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is {value!r}; give an integer from {least} to {most}") from None
    if not least <= number <= most:
        raise Error(Status.ARGUMENT, f"{what} is {number}; allowed are {least} to {most}")
    return number
