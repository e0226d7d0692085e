"""What a run gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas


class Trace(Mapping[str, NDArray[np.float64]]):
    """Recorded variables over time: a mapping from their names to arrays, in SI units.

        time   seconds, one for each row
        table  one row for each time, one column for each name
        units  unit of each name, "1" for a pure number
    """

    def __init__(self, time: NDArray[np.float64], table: NDArray[np.float64], units: Mapping[str, str]) -> None:
        self.time = time
        self.table = table
        self.units = dict(units)
        self._columns = {name: i for i, name in enumerate(self.units)}

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self.table[:, self._columns[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<skidpad.Trace of {len(self)} variables, {self.time[0]:g} s to {self.time[-1]:g} s>"

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame with one column for each name over the index "time" [s]; its
        attrs["units"] holds the units. Needs pandas: pip install skidpad[pandas]."""
        import pandas

        frame = pandas.DataFrame(self.table, index=pandas.Index(self.time, name="time"), columns=list(self))
        frame.attrs["units"] = self.units
        return frame
