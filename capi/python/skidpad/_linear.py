"""Linear equations of vehicles."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _command
from ._library import Error, Status
from ._loaded import LoadedVehicle
from ._variables import alike, listed

if TYPE_CHECKING:
    import pandas
    import scipy.signal


@dataclass(frozen=True, eq=False)
class Linear:
    """Linear equations about a steady motion, in independent states: x' = A x + B u, y = C x + D u of perturbations."""

    A: NDArray[np.float64]  # rates of states by states
    B: NDArray[np.float64]  # rates of states by inputs
    C: NDArray[np.float64]  # outputs by states
    D: NDArray[np.float64]  # outputs by inputs
    x: NDArray[np.float64]  # states of the steady motion
    x_rate: NDArray[np.float64]  # their rates; not 0 for a distance travelled
    u: NDArray[np.float64]  # inputs of the steady motion
    y: NDArray[np.float64]  # outputs of the steady motion
    states: tuple[str, ...]  # names, in the order of x
    inputs: tuple[str, ...]  # names, in the order of u
    outputs: tuple[str, ...]  # names, in the order of y
    units: Mapping[str, str]  # by name
    groups: Mapping[str, str]  # of states, by name; they give modes their names, such as "yaw/slip"
    _modes: list[dict[str, Any]] = field(repr=False)
    _handling: dict[str, float] | str = field(repr=False)  # or the reason for missing values

    def __eq__(self, other: object) -> bool:
        return alike(self, other)

    def __repr__(self) -> str:
        return f"<skidpad.Linear of {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"

    def _repr_html_(self) -> str:
        """The modes, for notebooks."""
        head = "<tr><th>mode</th><th>real [1/s]</th><th>imaginary [1/s]</th><th>damping</th></tr>"
        rows = "".join(
            f"<tr><td>{m['name']}</td><td>{m['real']:.4g}</td><td>{m['imaginary']:.4g}</td>"
            f"<td>{'' if m['damping'] is None else format(m['damping'], '.4g')}</td></tr>"
            for m in self._modes
        )
        return f"<p>{self!r}</p>".replace("<skidpad", "&lt;skidpad") + f"<table>{head}{rows}</table>"

    def eigenvalues(self) -> NDArray[np.complex128]:
        """The eigenvalues of A [1/s]."""
        return np.linalg.eigvals(self.A).astype(np.complex128)

    def modes(self) -> pandas.DataFrame:
        """The modes; of a complex pair, the mode with the positive imaginary part. Columns: name, eigenvalue (real,
        imaginary [1/s]), undamped frequency [rad/s] and hertz [Hz], damping ratio, time_constant [s] (NaN if infinite).
        Further columns have the participation of each group of states. Needs pandas."""
        import pandas

        rows = [
            {
                **{key: mode[key] for key in ("name", "real", "imaginary", "frequency", "hertz")},
                **{key: np.nan if mode[key] is None else mode[key] for key in ("damping", "time_constant")},
                **mode["participation"],
            }
            for mode in self._modes
        ]
        frame = pandas.DataFrame(rows, index=pandas.Index([mode["mode"] for mode in self._modes], name="mode"))
        groups = sorted(set(frame.columns) & set(self.groups.values()))
        frame[groups] = frame[groups].fillna(0.0)
        return frame

    def handling(self) -> pandas.DataFrame:
        """Understeer gradient, gains, characteristic or critical speed and static margin at the speed of the steady
        motion, in one row (SI; NaN for a missing value). Raises Error if the vehicle lacks the roles chassis and
        steering, and wheelbase or axles. Needs pandas."""
        import pandas

        if isinstance(self._handling, str):
            raise Error(Status.REFUSED, self._handling)
        return pandas.DataFrame([self._handling]).astype(float)

    def to_scipy(self) -> scipy.signal.StateSpace:
        """The same equations as a scipy.signal.StateSpace. Needs scipy."""
        import scipy.signal

        return scipy.signal.StateSpace(self.A, self.B, self.C, self.D)


def linearize(
    vehicle: LoadedVehicle, at: Mapping[str, float] | None, hold: Sequence[str], free: Sequence[str]
) -> Linear:
    """See Vehicle.linearize."""
    if not at:  # a parameter at its value, which changes nothing
        name = next(v.name for v in vehicle.variables.values() if v.causality == 0 and not v.name.startswith("solver."))
        try:
            return linearize(vehicle, {name: vehicle[name]}, hold, free)
        except Error as error:
            raise Error(error.status, re.sub(rf"^{re.escape(name)} = [^:]*: ", "", str(error))) from None
    if not isinstance(at, Mapping):
        raise TypeError(f"at is {at!r}; give a mapping from names to numbers")
    for name, value in at.items():
        if isinstance(value, str) and ":" in value:
            raise ValueError(f'at["{name}"] is "{value}"; give one number, and call linearize for each of several')
    first, *others = at.items()
    with _command.as_set(vehicle) as known:
        arguments = ["linearize", *known, *_command.pairs("--at", dict([first])), "--modes", "--json"]
        arguments += _command.pairs("--set", dict(others))
        if hold:
            arguments += ["--hold", ",".join(listed(hold))]
        if free:
            arguments += ["--free", ",".join(listed(free))]
        handling: dict[str, float] | str
        try:
            found = json.loads(_command.run_command(*arguments, "--handling"))
            handling = found["systems"][0]["handling"]
        except Error as error:
            found, handling = json.loads(_command.run_command(*arguments)), str(error)
    system = found["systems"][0]
    kinds = {kind: tuple(v["name"] for v in found[kind]) for kind in ("states", "inputs", "outputs")}
    shapes = {
        "A": ("states", "states"), "B": ("states", "inputs"), "C": ("outputs", "states"), "D": ("outputs", "inputs"),
    }  # fmt: skip
    matrices = {
        name: np.array(system[name], np.float64).reshape(len(kinds[rows]), len(kinds[columns]))
        for name, (rows, columns) in shapes.items()
    }
    return Linear(
        **matrices,
        **{name: np.array(system[name], np.float64) for name in ("x", "x_rate", "u", "y")},
        states=kinds["states"],
        inputs=kinds["inputs"],
        outputs=kinds["outputs"],
        units={v["name"]: v["unit"] for kind in kinds for v in found[kind]},
        groups={v["name"]: v.get("group", "") for v in found["states"]},
        _modes=system.get("modes", []),
        _handling=handling,
    )
