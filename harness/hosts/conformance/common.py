"""What the checks share: the FMUs, the manoeuvres as the command drives them, reports."""

from __future__ import annotations

import csv
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

STEP = 0.001  # s, communication step of the manoeuvres


@dataclass(frozen=True)
class Vehicle:
    """A shipped model with its manoeuvres and the names that the checks look at."""

    name: str
    model: str
    manoeuvres: tuple[str, str]
    speed: str


VEHICLES = (
    Vehicle("GenericVehicle", "generic4w", ("generic4w_sine", "generic4w_braking"), "body.vx"),
    Vehicle("ForestrySkidder", "skidder", ("skidder_sine", "skidder_braking"), "front.vx"),
)


def fmu_path(out: Path, vehicle: Vehicle, version: int) -> Path:
    return out / f"fmi{version}" / f"{vehicle.name}.fmu"


def every_fmu(out: Path):
    """Yields vehicle, version and path of the FMUs that have manoeuvres here."""
    for vehicle in VEHICLES:
        for version in (2, 3):
            yield vehicle, version, fmu_path(out, vehicle, version)


def shipped(out: Path) -> list[str]:
    """The names of all built FMUs; each FMU must exist in both versions."""
    names = [sorted(path.stem for path in (out / f"fmi{version}").glob("*.fmu")) for version in (2, 3)]
    if not names[0] or names[0] != names[1]:
        raise SystemExit(f"{out}: FMUs of FMI 2.0 {names[0]}, of FMI 3.0 {names[1]}; run ./build.sh build")
    return names[0]


def read_csv(path: Path) -> tuple[list[str], np.ndarray]:
    """Names without time, and rows with time first."""
    with path.open() as file:
        rows = list(csv.reader(file))
    return rows[0][1:], np.array(rows[1:], dtype=float)


@dataclass(frozen=True)
class Drive:
    """A run of the command: inputs at every communication point, and outputs."""

    input_names: list[str]
    inputs: np.ndarray
    output_names: list[str]
    outputs: np.ndarray


def drive(out: Path, fmu: Path, manoeuvre: str, *options: str) -> Drive:
    """Lets the command simulate an FMU, with inputs that are held for each step as importers hold those of a table."""
    with tempfile.TemporaryDirectory() as folder:
        values, inputs = Path(folder) / "values.csv", Path(folder) / "inputs.csv"
        subprocess.run(
            [
                out / "skidpad",
                "simulate",
                fmu,
                "--manoeuvre",
                f"resources/manoeuvres/{manoeuvre}.toml",
                "--hold",
                "--out",
                values,
                "--inputs",
                inputs,
                *options,
            ],
            check=True,
            capture_output=True,
        )
        return Drive(*read_csv(inputs), *read_csv(values))


@dataclass
class Report:
    """Prints the checks and counts the failures."""

    failures: int = 0

    def note(self, ok: bool, text: str) -> None:
        self.failures += not ok
        print(("passed  " if ok else "FAILED  ") + text, flush=True)


class Log:
    """Collects what an FMU logs; warnings and worse must not come."""

    def __init__(self) -> None:
        self.bad: list[str] = []

    def __call__(self, *arguments) -> None:
        texts = [a.decode(errors="replace") if isinstance(a, bytes) else a for a in arguments]
        # FMI 2.0: environment, name, status, category, message; 3.0: environment, status, category, message
        status = texts[-3]
        if isinstance(status, int) and status > 0:
            self.bad.append(f"{texts[-2]}: {texts[-1]}")
