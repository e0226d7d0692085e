"""Linear equations in third-party tools: their FMUs next to those of the vehicles, and the MAT-file."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import fmpy
import numpy as np
import scipy.io
import scipy.linalg
import scipy.signal
from fmpy.validation import validate_fmu

from common import Report, read_csv

INTERVAL = 0.01  # s
STOP = 1.0  # s


def torque_pulse(t: np.ndarray) -> dict[str, np.ndarray]:
    """A torque on the handlebar [N m]."""
    return {"steer.torque": np.where(t < 0.5, 0.1 * np.sin(2 * np.pi * t) ** 2, 0)}


def steer_sine(t: np.ndarray) -> dict[str, np.ndarray]:
    """Both front wheels steered by half a milliradian and back, with rate and acceleration."""
    size, omega = 5e-4, 2 * np.pi
    moved = {}
    for wheel in ("FL", "FR"):
        moved[f"steer_{wheel}.angle"] = size * (1 - np.cos(omega * t)) / 2
        moved[f"steer_{wheel}.rate"] = size * omega * np.sin(omega * t) / 2
        moved[f"steer_{wheel}.acceleration"] = size * omega**2 * np.cos(omega * t) / 2
    return moved


@dataclass(frozen=True)
class Case:
    """A vehicle, a steady motion of it, and what disturbs that.

    The bicycle without slip is self-stable. The car is in a turn: straight ahead, Pacejka tires have a
    kink in the camber, of which there is no derivative.
    """

    model: str
    fmu: str
    about: tuple[str, ...]
    start: dict[str, float] | None  # of the vehicle; None: the start values of the linear FMU
    disturbance: Callable[[np.ndarray], dict[str, np.ndarray]]
    followed: tuple[str, ...]  # outputs that deviate in the first order


BICYCLE = Case(
    "bicycle_rolling",
    "BicycleRolling",
    ("--at", "speed=4.6"),
    {"speed": 4.6},
    torque_pulse,
    ("steer.phi", "rear_frame.wz", "rear_frame.angle2", "contact_F.Fy"),
)
CAR = Case(
    "generic4w", "GenericVehicle",
    ("--at", "body.vx=20", "--set", "body.wz=0.1",
     "--free", "steer_FL.angle,steer_FR.angle,drive_RL.torque,drive_RR.torque"),
    None, steer_sine, ("body.wz", "body.ay", "body.roll", "tire_FL.Fy", "tire_RR.q2"),
)  # fmt: skip


def linearize(out: Path, case: Case, *options: str | Path) -> None:
    subprocess.run(
        [out / "skidpad", "linearize", f"resources/models/{case.model}.toml", *case.about, *options],
        check=True,
        capture_output=True,
    )


class Comparison:
    """A vehicle and its linear equations as FMUs."""

    def __init__(self, case: Case, linear: Path, vehicle: Path, kind: str) -> None:
        self.case, self.kind = case, kind
        self.linear, self.vehicle = fmpy.extract(str(linear)), fmpy.extract(str(vehicle))
        self.descriptions = {folder: fmpy.read_model_description(folder) for folder in (self.linear, self.vehicle)}
        variables = self.descriptions[self.linear].modelVariables
        own = {v.name: v.causality for v in self.descriptions[self.vehicle].modelVariables}
        self.inputs = {v.name: float(v.start) for v in variables if v.causality == "input"}
        self.outputs = [v.name for v in variables if v.causality == "output"]
        self.same = self.inputs.keys() == {n for n, causality in own.items() if causality == "input"} and all(
            own.get(n) == "output" for n in self.outputs
        )
        self.start = case.start
        if self.start is None:
            self.start = {v.name: float(v.start) for v in variables if v.initial == "exact" and v.causality == "output"}
        self.steady = self.run(self.linear, {}, 0)

    def run(self, folder: str, start: dict[str, float], size: float) -> np.ndarray:
        t = np.arange(0, STOP + INTERVAL, INTERVAL)
        moved = self.case.disturbance(t)
        if self.kind == "ModelExchange":  # FMPy changes inputs between integrator steps only: a step at the start
            moved = {
                n: np.array([np.max(row)]) for n, row in moved.items() if not n.endswith((".rate", ".acceleration"))
            }
            t = t[:1]
        inputs = np.zeros(len(t), dtype=[("time", float)] + [(n, float) for n in self.inputs])
        inputs["time"] = t
        for n, value in self.inputs.items():
            inputs[n] = value + size * moved.get(n, 0)
        return fmpy.simulate_fmu(
            folder, model_description=self.descriptions[folder], validate=False, fmi_type=self.kind,
            stop_time=STOP, output_interval=INTERVAL, input=inputs, output=self.outputs, start_values=start,
            relative_tolerance=1e-10, record_events=False,
        )  # fmt: skip

    def differences(self, size: float) -> dict[str, tuple[float, float]]:
        """Of every output the largest deviation of the linear equations from the steady motion, and
        the largest difference between them and the vehicle."""
        one, other = self.run(self.linear, {}, size), self.run(self.vehicle, self.start, size)
        return {n: (np.max(np.abs(one[n] - self.steady[n])), np.max(np.abs(other[n] - one[n]))) for n in self.outputs}

    def remove(self) -> None:
        for folder in (self.linear, self.vehicle):
            shutil.rmtree(folder, ignore_errors=True)


def drop_in(out: Path, report: Report) -> None:
    """The linear FMU has the inputs and outputs of the vehicle and the same behaviour, except for differences that fall
    with the square of the disturbance: where that is more than rounding, half the disturbance leaves
    a quarter, or less."""
    with tempfile.TemporaryDirectory() as folder:
        for case, version, kind in (
            (BICYCLE, 2, "CoSimulation"),
            (BICYCLE, 3, "CoSimulation"),
            (CAR, 2, "CoSimulation"),
            (CAR, 3, "CoSimulation"),
            (CAR, 3, "ModelExchange"),
        ):
            linear = Path(folder) / f"{case.model}_{version}.fmu"
            if not linear.exists():
                linearize(out, case, "--fmu", linear, "--fmi", str(version))
            problems = validate_fmu(str(linear)) if case is BICYCLE else []
            both = Comparison(case, linear, out / f"fmi{version}" / f"{case.fmu}.fmu", kind)
            whole, half = both.differences(1.0), both.differences(0.5)
            both.remove()
            above = [n for n in both.outputs if whole[n][1] > 1e-6 * max(1.0, np.max(np.abs(both.steady[n])))]
            share, name = max((half[n][1] / whole[n][1], n) for n in above)
            far = max(whole[n][1] / whole[n][0] for n in case.followed)
            report.note(
                not problems and both.same and len(above) > 40 and share < 0.27 and far < 0.03,
                f"FMPy {kind}, linear {case.fmu} {version}.0: deviations differ from the vehicle's by {far:.2%}; "
                "half the disturbance leaves at most "
                f"{share:.3f} of the differences of {len(above)} of {len(both.outputs)} outputs ({name}) "
                f"{problems[:3]}",
            )


def worst_of(m: dict, folder: Path, given: str, heard: str) -> dict[str, float]:
    """How far what SciPy makes of the matrices is from the tables in the same folder."""
    names = {key: [str(cell[0][0]) for cell in m[key]] for key in ("states", "inputs", "outputs")}
    values = m["values"][0]

    def page(matrix: np.ndarray, k: int) -> np.ndarray:
        return matrix if matrix.ndim == 2 else matrix[:, :, k]

    u, y = names["inputs"].index(given), names["outputs"].index(heard)
    eigenvalues, bode = read_csv(folder / "eigenvalues.csv")[1], read_csv(folder / "bode.csv")[1]
    columns, steady = read_csv(folder / "steady.csv")
    worst = dict.fromkeys(("eigenvalues", "descriptor", "response", "steady motion"), 0.0)

    def far(what: str, difference: float) -> None:
        worst[what] = max(worst[what], float(difference))

    for k, value in enumerate(values):
        a, b, c, d = (page(m[key], k) for key in "ABCD")
        wanted = [complex(*row[1:3]) for row in eigenvalues if row[0] == value]
        found = {"eigenvalues": np.linalg.eigvals(a)}
        if "descriptor" in m:
            form = m["descriptor"][0, 0]
            found["descriptor"] = scipy.linalg.eigvals(page(form["A"], k), page(form["E"], k))
        for what, list_of in found.items():
            for want in wanted:
                far(what, np.min(np.abs(list_of - want)))
        lines = bode[bode[:, 0] == value]
        _, h = scipy.signal.StateSpace(a, b[:, [u]], c[[y], :], d[[y]][:, [u]]).freqresp(lines[:, 1])
        want = 10 ** (lines[:, 2] / 20) * np.exp(1j * np.radians(lines[:, 3]))
        far("response", np.max(np.abs(h / want - 1)))
        row = dict(zip(columns, steady[steady[:, 0] == value][0, 1:], strict=True))
        for i, state in enumerate(names["states"]):
            far("steady motion", abs(m["x"][i, k] - row[state]))
    return worst


def mat_file(out: Path, report: Report) -> None:
    """SciPy reads matrices that have the eigenvalues, frequency responses and steady motions of the
    tables, of one value and of several; the descriptor form of a vehicle with constraints, too."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for model, values, constrained in (
            ("bicycle_rolling", "speed=4.6", True),
            ("bicycle_rolling", "speed=3:7:1", True),
            ("bicycle", "speed=5", False),
        ):
            given, heard = "steer.torque", "rear_frame.wz"
            subprocess.run(
                [out / "skidpad", "linearize", f"resources/models/{model}.toml", "--at", values, "--eigen",
                 "--bode", f"{given}:{heard}", "--frequencies", "0.1:100:31", "--out", folder],
                check=True, capture_output=True,
            )  # fmt: skip
            m = scipy.io.loadmat(folder / "linear.mat")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", scipy.signal.BadCoefficients)  # of polynomials with leading zeros
                worst = worst_of(m, folder, given, heard)
            report.note(
                max(worst.values()) < 1e-9 and ("descriptor" in m) == constrained,
                f"SciPy reads the MAT-file of {model}, {m['parameter'][0]} = {m['values'][0]}: differences from the "
                f"tables {', '.join(f'{key} {v:.1e}' for key, v in worst.items())}",
            )


def main(out: Path) -> int:
    report = Report()
    for check in (drop_in, mat_file):
        check(out, report)
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
