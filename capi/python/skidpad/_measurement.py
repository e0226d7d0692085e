"""Measurement files that the command cannot read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._trace import Trace
from ._variables import similar


def measurement(file: str | os.PathLike[str], names: Iterable[str] = ()) -> Trace:
    """The channels of an MDF file, of any version and program, as a Trace in the units of the file.

    names  channels to read; without them all channels of numbers

    A row is the time of a sample of some channel; channels without a sample are NaN. What
    measurement(file).write("a.parquet")
    makes is for skidpad compare RUN --measured a.parquet. Needs asammdf: pip install skidpad[mdf]. Raises KeyError for
    a channel that the file lacks."""
    try:
        import asammdf
    except ImportError as missing:
        raise ImportError("MDF files need asammdf: pip install skidpad[mdf]") from missing
    signals: dict[str, Any] = {}
    with asammdf.MDF(file) as mdf:
        masters = set(mdf.masters_db.items())
        places = {
            name: found[0] for name, found in mdf.channels_db.items() if found and tuple(found[0]) not in masters
        }
        chosen = list(names)
        for name in chosen or places:
            if name not in places:
                raise KeyError(f'"{name}" is not measured{similar(name, places)}')
            group, index = places[name]
            signal = mdf.get(group=group, index=index)
            if signal.samples.dtype.kind in "fiub" and signal.samples.ndim == 1 and len(signal.samples):
                signals[name] = signal
            elif chosen:
                raise TypeError(f'"{name}" does not hold one number in each sample')
    if not signals:
        raise ValueError(f"{os.fspath(file)} has no channel of numbers")
    time = np.unique(np.concatenate([signal.timestamps for signal in signals.values()]))
    table = np.full((len(time), len(signals)), np.nan)
    for k, signal in enumerate(signals.values()):
        values = signal.samples.astype(float)
        invalid = signal.invalidation_bits
        if invalid is not None:
            values[np.asarray(invalid, dtype=bool)] = np.nan
        table[np.searchsorted(time, signal.timestamps), k] = values
    return Trace(time, table, {name: signal.unit for name, signal in signals.items()})
