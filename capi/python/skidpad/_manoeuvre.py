"""Manoeuvres of vehicles and their results."""

from __future__ import annotations

import io
import json
import operator
import os
import pathlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _command, _control
from ._library import Error
from ._loaded import LoadedVehicle
from ._run_warning import RunWarning, of_json
from ._trace import Trace

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Manoeuvre:
    """A manoeuvre that a vehicle has driven: characteristic values, verdicts, and the runs."""

    name: str
    title: str
    constants: Mapping[str, float]  # of the manoeuvre, SI, including constants found by a preceding run
    verdicts: tuple[str, ...]  # of each run, "" for a run as planned
    _found: dict[str, Any] = field(repr=False)
    _runs: tuple[bytes, ...] = field(repr=False)  # Parquet files

    def __repr__(self) -> str:
        failed = sum(bool(verdict) for verdict in self.verdicts)
        return f"<skidpad.Manoeuvre {self.name}: {len(self.verdicts)} runs, {failed} with a verdict>"

    def _repr_html_(self) -> str:
        """The characteristic values, for notebooks."""
        table: str = self.figures.to_html()
        return f"<p>{self.title}{': ' + self.verdict if self.verdict else ''}</p>{table}"

    @property
    def verdict(self) -> str:
        """The verdicts of all runs that did not go as planned; "" if all did."""
        several = len(self.verdicts) > 1
        return "; ".join(
            f"run {i + 1}: {verdict}" if several else verdict for i, verdict in enumerate(self.verdicts) if verdict
        )

    @property
    def figures(self) -> pandas.DataFrame:
        """The characteristic values in SI units, by name: value (NaN if missing; column "missing" has the reason),
        unit, definition, and run, from 1 on, or 0 for all runs together. Needs pandas."""
        import pandas

        rows = [
            {
                "figure": figure["figure"],
                "run": run,
                "value": np.nan if figure["value"] is None else figure["value"],
                "unit": figure["unit"],
                "definition": figure["definition"],
                "missing": figure.get("missing", ""),
            }
            for run, part in [*enumerate(self._found["runs"], 1), (0, self._found)]
            for figure in part["figures"]
        ]
        columns = ["figure", "run", "value", "unit", "definition", "missing"]
        return pandas.DataFrame(rows, columns=columns).set_index("figure")

    @property
    def trace(self) -> Trace:
        """The first run."""
        return self.run(1)

    def run(self, number: int) -> Trace:
        """A run, from 1 on: roles and the signals of the characteristic values, a row every 10 ms. Needs pyarrow."""
        import pyarrow.parquet

        try:
            number = operator.index(number)
        except TypeError:
            raise TypeError(f"number is {number!r}; give an integer from 1 to {len(self._runs)}") from None
        if not 1 <= number <= len(self._runs):
            raise IndexError(f"the manoeuvre has the runs 1 to {len(self._runs)}, no {number}")
        table = pyarrow.parquet.read_table(io.BytesIO(self._runs[number - 1]))
        names = [name for name in table.column_names if name != "time"]
        units = {name: table.schema.field(name).metadata[b"unit"].decode() or "1" for name in names}
        time = table.column("time").to_numpy().astype(np.float64)
        values = np.column_stack([table.column(name).to_numpy() for name in names]).astype(np.float64)
        return Trace(time, values, units, self.warnings[number - 1])

    @property
    def warnings(self) -> tuple[tuple[RunWarning, ...], ...]:
        """For each run, the quantities that left their limits, also if they have returned, and the notes of its
        start."""
        return tuple(tuple(of_json(row) for row in run["warnings"]) for run in self._found["runs"])


def drive(
    vehicle: LoadedVehicle,
    manoeuvre: str | os.PathLike[str],
    let: Mapping[str, float | str] | None,
    car: str | os.PathLike[str] | None,
    controller: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    law: _control.Law | None,
) -> Manoeuvre:
    """See Vehicle.manoeuvre."""
    with _command.as_set(vehicle) as known, tempfile.TemporaryDirectory(prefix="skidpad-") as folder:
        arguments = ["manoeuvre", *known, "--manoeuvre", os.fspath(manoeuvre), "--out", folder]
        arguments += _command.pairs("--let", let) + ([] if car is None else ["--car", os.fspath(car)])
        for file in [controller] if isinstance(controller, (str, os.PathLike)) else controller:
            arguments += ["--controller", os.fspath(file)]
        arguments += ["--reactions", vehicle._reactions] if vehicle._reactions else []
        found = pathlib.Path(folder, "figures.json")
        try:
            if law is None:
                _command.run_command(*arguments)
            else:
                _control.run_controlled(arguments, law)
        except Error:
            if not found.exists():
                raise
        # a failed run has a verdict, the other runs have figures
        known_of = json.loads(found.read_text(encoding="utf-8"))
        runs = [pathlib.Path(folder, f"run_{i + 1}.parquet") for i in range(len(known_of["runs"]))]
        return Manoeuvre(
            known_of["manoeuvre"],
            known_of["title"],
            known_of["constants"],
            tuple(run["verdict"] for run in known_of["runs"]),
            known_of,
            tuple(run.read_bytes() for run in runs),
        )
