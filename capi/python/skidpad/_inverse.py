"""Inverse dynamics: forces and torques required for a given motion."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Mapping, Sequence
from typing import Union

import numpy as np
from numpy.typing import ArrayLike

from . import _command
from ._loaded import LoadedVehicle
from ._trace import Trace

Motion = Union[Trace, Mapping[str, ArrayLike], str, "os.PathLike[str]"]


def inverse(
    vehicle: LoadedVehicle,
    motion: Motion,
    prescribe: str | Sequence[str],
    reactions: str | Sequence[str],
    record: str | Sequence[str],
) -> Trace:
    """See Vehicle.inverse."""
    with _command.as_set(vehicle) as known, tempfile.TemporaryDirectory(prefix="skidpad-") as folder:
        out = pathlib.Path(folder, "drives.json")
        arguments = ["inverse", *known, "--prescribe", _joined(prescribe), "--out", str(out)]
        arguments += ["--motion", _written(motion, pathlib.Path(folder, "motion.csv"))]
        for flag, names in (("--reactions", reactions), ("--record", record)):
            if names:
                arguments += [flag, _joined(names)]
        _command.run_command(*arguments)
        found = json.loads(out.read_text(encoding="utf-8"))
    signals = found["signals"]
    table = np.array([signal["values"] for signal in signals], np.float64).T
    return Trace(np.array(found["time"], np.float64), table, {signal["name"]: signal["unit"] for signal in signals})


def _joined(names: str | Sequence[str]) -> str:
    return names if isinstance(names, str) else ",".join(names)


def _written(motion: Motion, path: pathlib.Path) -> str:
    """The file of a motion; a motion that is not a file is written to a file."""
    if isinstance(motion, (str, os.PathLike)):
        return os.fspath(motion)
    columns = {name: np.asarray(values, np.float64) for name, values in motion.items()}
    if isinstance(motion, Trace):
        columns = {"time": motion.time, **columns}
    if "time" not in columns:
        raise ValueError(
            'the motion has no "time"; give a Trace, a file, or a mapping from names, time included, to arrays'
        )
    for name, values in columns.items():
        if values.shape != columns["time"].shape or values.ndim != 1:
            raise ValueError(f'"{name}" has the shape {values.shape}; the time has {columns["time"].shape}')
    names = ["time", *(name for name in columns if name != "time")]
    table = np.column_stack([columns[name] for name in names])
    np.savetxt(path, table, fmt="%.17g", delimiter=",", header=",".join(names), comments="")
    return str(path)
