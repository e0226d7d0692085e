"""Kinematics and compliance of suspensions."""

from __future__ import annotations

import io
import json
import os
import pathlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _command
from ._shipped import model_path
from ._variables import listed

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Suspension:
    """Kinematics and compliance of an axle in SI units, as returned by kc."""

    axle: int
    missing: dict[str, str]
    """For each figure without a value, the reason."""
    compliance: NDArray[np.float64]
    """The compliance matrix: 12 motions of both wheels by 12 loads at both contacts."""
    _figures: list[dict[str, Any]]
    _curves: str
    _sensitivities: str
    _forces: str
    _shares: str

    def __getitem__(self, key: str) -> float:
        """The value of a figure: of the axle, or of the left wheel."""
        for figure in self._figures:
            if figure["key"] == key:
                if key in self.missing:
                    raise KeyError(f"{key} is missing: {self.missing[key]}")
                return float(figure["value"] if "value" in figure else figure["left"])
        raise KeyError(f"there is no figure {key}; there are {', '.join(figure['key'] for figure in self._figures)}")

    @property
    def figures(self) -> pandas.DataFrame:
        """The figures: text, unit, left and right, which are equal for a figure of the axle. Needs pandas."""
        import pandas

        rows = [
            (figure["key"], figure["text"], figure.get("unit", ""))
            + tuple(figure.get("value", figure.get(side, float("nan"))) for side in ("left", "right"))
            for figure in self._figures
        ]
        return pandas.DataFrame(rows, columns=["figure", "text", "unit", "left", "right"]).set_index("figure")

    @property
    def curves(self) -> pandas.DataFrame:
        """The states of all tests, as in kc.csv. Needs pandas."""
        import pandas

        return pandas.read_csv(io.StringIO(self._curves))

    @property
    def sensitivities(self) -> pandas.DataFrame:
        """The derivatives of the figures of the left wheel by parameters: rows are parameters, columns figures. Needs
        pandas."""
        import pandas

        if not self._sensitivities:
            raise ValueError("call kc with sensitivities=True")
        table = pandas.read_csv(io.StringIO(self._sensitivities))
        return table.pivot(index="parameter", columns="figure", values="left_derivative")

    @property
    def shares(self) -> pandas.DataFrame:
        """The contributions of yielding components to the compliance of the left wheel: rows are components, columns
        figures. Needs pandas."""
        import pandas

        if not self._shares:
            raise ValueError("call kc with shares=True")
        table = pandas.read_csv(io.StringIO(self._shares))
        return table.pivot(index="component", columns="figure", values="contribution")

    @property
    def forces(self) -> pandas.DataFrame:
        """The loads of all joints, rods, bushings and springs by load case, as in forces.csv. Needs pandas."""
        import pandas

        if not self._forces:
            raise ValueError("call kc with forces, a file of load cases")
        return pandas.read_csv(io.StringIO(self._forces))


def kc(
    model: str | os.PathLike[str],
    axle: int = 1,
    *,
    parameters: Mapping[str, float] | None = None,
    tests: str | Sequence[str] = (),
    rack: Literal["held", "free"] | float = "held",
    hold: Literal["height", "load"] = "height",
    hold_at_zero: str | Sequence[str] = (),
    radius: float | None = None,
    car: str | os.PathLike[str] | None = None,
    sensitivities: bool = False,
    shares: bool = False,
    forces: str | os.PathLike[str] | None = None,
) -> Suspension:
    """Measures kinematics and compliance of an axle of a model file, or of a shipped model by its name, on a rig: bump
    steer, camber, wheel rate, roll centres, anti-dive, castor, compliance and others. docs/kc.md defines the figures.

    The mapping parameters gives numbers in place of those of the file, in SI units. The curves have the tests bounce,
    roll, steer, lateral, longitudinal and aligning, by default all. The rack is held, free, or held by a spring of the
    given stiffness [N/m, N.m/rad]. With hold "load" the pads keep their forces in the curves under loads. The joints of
    hold_at_zero stay at 0. The loaded radius [m] is by default the height of the wheel at the start. The file car adds
    roles. With sensitivities, the derivatives of all figures by all parameters are found, too. With
    shares, the contributions of bushings and other yielding components to the compliance are found. The file forces has
    load cases, for which the forces of all joints are found.
    """
    arguments = ["kc", model_path(model), "--axle", str(axle), "--rack", str(rack), "--hold", hold, "--json"]
    arguments += _command.pairs("--set", parameters)
    for flag, names in (("--test", tests), ("--hold-at-zero", hold_at_zero)):
        if names:
            arguments += [flag, ",".join(listed(names))]
    if radius is not None:
        arguments += ["--radius", repr(float(radius))]
    if car is not None:
        arguments += ["--car", os.fspath(car)]
    if forces is not None:
        arguments += ["--forces", os.fspath(forces)]
    if sensitivities:
        arguments.append("--sensitivities")
    if shares:
        arguments.append("--shares")
    with tempfile.TemporaryDirectory(prefix="skidpad-") as folder:
        found = json.loads(_command.run_command(*arguments, "--out", folder))
        curves = pathlib.Path(folder, "kc.csv").read_text(encoding="utf-8")
        tables = [pathlib.Path(folder, name) for name in ("sensitivities.csv", "forces.csv", "shares.csv")]
        derivatives, loads, parts = (table.read_text(encoding="utf-8") if table.exists() else "" for table in tables)
    return Suspension(
        axle=axle,
        missing={figure["key"]: figure["missing"] for figure in found["figures"] if "missing" in figure},
        compliance=np.array(found["compliance_matrix"], np.float64),
        _figures=found["figures"],
        _curves=curves,
        _sensitivities=derivatives,
        _forces=loads,
        _shares=parts,
    )
