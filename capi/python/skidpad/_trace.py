"""Records of runs."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ._run_warning import RunWarning
from ._variables import alike, similar

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas


MOST_CURVES = 20  # drawn without names
MOST_ROWS = 60  # variables shown in a notebook


class Trace(Mapping[str, NDArray[np.float64]]):
    """Recorded variables over time: a mapping from their names to arrays, in SI units.

        time   seconds, one for each row
        table  a row for each time, a column for each name
        units  unit of each name, "1" for a pure number

    The list warnings has RunWarnings of quantities that left their limits since the start of the run, also if they have
    returned.
    """

    def __init__(
        self,
        time: NDArray[np.float64],
        table: NDArray[np.float64],
        units: Mapping[str, str],
        warnings: tuple[RunWarning, ...] = (),
    ) -> None:
        self.time = time
        self.table = table
        self.units = dict(units)
        self.warnings = warnings
        self._columns = {name: i for i, name in enumerate(self.units)}

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        try:
            return self.table[:, self._columns[name]]
        except KeyError:
            raise KeyError(f'"{name}" is not recorded{similar(name, self._columns)}') from None

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __eq__(self, other: object) -> bool:
        return alike(self, other)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<skidpad.Trace of {len(self)} variables, {self.time[0]:g} s to {self.time[-1]:g} s>"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a Parquet file with the units, as the command writes a run. Needs pyarrow: pip install
        skidpad[study]."""
        import pyarrow
        import pyarrow.parquet

        table = pyarrow.table({"time": self.time, **{name: self[name] for name in self}})
        units = {name: {"unit": unit, "text": ""} for name, unit in self.units.items()}
        pyarrow.parquet.write_table(table.replace_schema_metadata({"signals": json.dumps(units)}), path)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame with one column for each name over the index "time" [s]; its
        attrs["units"] holds the units. Needs pandas: pip install skidpad[pandas]."""
        import pandas

        frame = pandas.DataFrame(self.table, index=pandas.Index(self.time, name="time"), columns=list(self))
        frame.attrs["units"] = self.units
        return frame

    def plot(self, *names: str) -> list[matplotlib.axes.Axes]:
        """Draws variables over time, with a panel for each unit; without names all variables, if they are few. Needs
        matplotlib: pip install skidpad[plot]."""
        import matplotlib.pyplot as plt

        chosen = list(names) or list(self)
        if len(chosen) > MOST_CURVES:
            raise ValueError(f"{len(chosen)} curves are too many; name {MOST_CURVES} at most")
        for name in chosen:
            _ = self[name]  # raises for a wrong name
        units = list(dict.fromkeys(self.units[name] for name in chosen))
        figure, panels = plt.subplots(len(units), 1, sharex=True, squeeze=False, figsize=(7, 1 + 2 * len(units)),
                                      layout="constrained")  # fmt: skip
        for panel, unit in zip(panels[:, 0], units):
            for name in chosen:
                if self.units[name] == unit:
                    panel.plot(self.time, self[name], label=name)
            panel.set_ylabel(f"[{unit}]")
            panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        panels[-1, 0].set_xlabel("time [s]")
        return list(panels[:, 0])

    def _repr_html_(self) -> str:
        """A table of the variables with a small curve of each, for notebooks."""
        rows = []
        for name in list(self)[:MOST_ROWS]:
            values = self[name]
            rows.append(
                f"<tr><td>{html.escape(name)}</td><td>{html.escape(self.units[name])}</td><td>{_curve(values)}</td>"
                f"<td>{np.min(values):.4g}</td><td>{np.max(values):.4g}</td><td>{values[-1]:.4g}</td></tr>"
            )
        head = "<tr><th>name</th><th>unit</th><th></th><th>least</th><th>largest</th><th>last</th></tr>"
        span = f"<p>{len(self)} variables, {self.time[0]:g} s to {self.time[-1]:g} s; {len(rows)} are shown.</p>"
        return f"<table>{head}{''.join(rows)}</table>{span}"


def _curve(values: NDArray[np.float64]) -> str:
    """A curve of 120 by 20 pixels."""
    picked = values[np.linspace(0, len(values) - 1, min(len(values), 60)).astype(int)]
    low, high = float(np.min(picked)), float(np.max(picked))
    height = np.full(len(picked), 10.0) if high == low else 19 - 18 * (picked - low) / (high - low)
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(np.linspace(1, 119, len(picked)), height))
    return f'<svg width="120" height="20"><polyline points="{points}" fill="none" stroke="#0072b2"/></svg>'
