"""Runs of a manoeuvre for every combination of values."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from . import _command
from ._variables import listed, real
from ._vehicle import Vehicle

if TYPE_CHECKING:
    import pandas


def sweep(
    vehicle: Vehicle,
    manoeuvre: str | os.PathLike[str],
    vary: Mapping[str, Iterable[float]],
    record: Sequence[str] = (),
    step: float = 0.01,
    start: float = 0.0,
    let: Mapping[str, float | str] | None = None,
) -> pandas.DataFrame:
    """Runs a manoeuvre for every combination of parameter values, with a row for each, as ``skidpad sweep`` does.

    The keys of vary are parameters or start values; "spring_2.stiffness+spring_4.stiffness" gives both the same values.
    The columns are their values, "end" [s], and the last, least and largest value of each recorded variable (all
    outputs if record is empty). Values are taken from start [s] on, at communication points that are step [s] apart.
    Set constants of the manoeuvre by let. All other settings of the vehicle, except start values, hold in all runs.
    Needs pandas.
    """
    if not isinstance(vehicle, Vehicle):
        raise TypeError(f"vehicle is {vehicle!r}; give a skidpad.Vehicle")
    if not isinstance(vary, Mapping):
        raise TypeError(f"vary is {vary!r}; give a mapping from names to sequences of numbers")
    with _command.as_set(vehicle) as known:
        arguments = ["sweep", *known, "--manoeuvre", os.fspath(manoeuvre), "--json", "--step", repr(real("step", step))]
        arguments += ["--from", repr(real("start", start)), *_command.pairs("--let", let)]
        for name, values in vary.items():
            if isinstance(values, str):
                raise ValueError(f'vary["{name}"] is "{values}"; give a sequence of numbers, such as [{values}]')
            if not isinstance(values, Iterable):
                raise TypeError(f'vary["{name}"] is {values!r}; give a sequence of numbers, such as [{values!r}]')
            numbers = [repr(real(f'a value of vary["{name}"]', value)) for value in values]
            arguments += ["--param", f"{name}={','.join(numbers)}"]
        if record:
            arguments += ["--record", ",".join(listed(record))]
        import pandas  # before the runs, which need it at the end

        table = json.loads(_command.run_command(*arguments))
    return pandas.DataFrame(table["rows"], columns=table["columns"])
