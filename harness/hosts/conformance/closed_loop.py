"""The bicycle whose lean a controller FMU of another make holds, in FMPy and in Ecos."""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import fmpy
from ecospy import EcosSimulation, EcosSimulationStructure
from fmpy.fmi2 import FMU2Slave
from fmpy.validation import validate_fmu

from common import Report, read_csv

HERE = Path(__file__).parent / "controller"
MANOEUVRE = Path("resources/manoeuvres/bicycle_lean_by_steering.toml")
LOOP = (
    ("rear_frame.angle2", "lean"),
    ("rear_frame.angle3", "pitch"),
    ("rear_frame.wx", "wx"),
    ("rear_frame.wz", "wz"),
    ("steer.omega", "steer_rate"),
)


def controller(folder: Path) -> Path:
    """Compiles and packs the controller."""
    binary, path = folder / "LeanController.so", folder / "LeanController.fmu"
    subprocess.run(
        [
            "gcc",
            "-std=c11",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Wno-unused-parameter",
            "-Werror",
            "-fPIC",
            "-fvisibility=hidden",
            "-shared",
            "-o",
            binary,
            HERE / "controller.c",
            "-lm",
        ],
        check=True,
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(HERE / "modelDescription.xml", "modelDescription.xml")
        archive.write(binary, "binaries/linux64/LeanController.so")
    return path


def settings() -> dict:
    """The parameters of the manoeuvre; file names are relative to the manoeuvre."""
    values = tomllib.loads(MANOEUVRE.read_text())["parameters"]
    return {k: str((MANOEUVRE.parent / v).resolve()) if isinstance(v, str) else float(v) for k, v in values.items()}


def slave(path: Path, values: dict) -> tuple[FMU2Slave, dict[str, int]]:
    description = fmpy.read_model_description(str(path))
    references = {v.name: v.valueReference for v in description.modelVariables}
    fmu = FMU2Slave(
        guid=description.guid,
        unzipDirectory=fmpy.extract(str(path)),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName=description.modelName,
    )
    fmu.instantiate()
    for name, value in values.items():
        (fmu.setString if isinstance(value, str) else fmu.setReal)([references[name]], [value])
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    return fmu, references


def in_fmpy(out: Path, law: Path, report: Report) -> None:
    """The same path as the command with the law in its manoeuvre."""
    step = tomllib.loads(MANOEUVRE.read_text())["step"]
    with tempfile.TemporaryDirectory() as folder:
        values = Path(folder) / "values.csv"
        subprocess.run(
            [out / "skidpad", "simulate", out / "fmi2" / "Bicycle.fmu", "--manoeuvre", MANOEUVRE, "--out", values],
            check=True,
            capture_output=True,
        )
        names, rows = read_csv(values)
    bicycle, of_bicycle = slave(out / "fmi2" / "Bicycle.fmu", settings())
    control, of_control = slave(law, {})
    reads, writes = [of_bicycle[a] for a, _ in LOOP], [of_control[b] for _, b in LOOP]
    compared = ["rear_frame.x", "rear_frame.y", "rear_frame.angle1", "rear_frame.angle2", "steer.phi"]
    columns, worst = [names.index(name) + 1 for name in compared], 0.0
    for n in range(len(rows) - 1):
        control.setReal(writes, bicycle.getReal(reads))
        bicycle.setReal([of_bicycle["steer.torque"]], control.getReal([of_control["torque"]]))
        bicycle.doStep(n * step, step)
        control.doStep(n * step, step)
        got = bicycle.getReal([of_bicycle[name] for name in compared])
        worst = max(worst, *(abs(a - rows[n + 1][k]) for a, k in zip(got, columns)))
    report.note(
        worst < 1e-8,
        "FMPy closes the loop of the bicycle and a controller FMU in C: largest difference to the law in the "
        f"manoeuvre {worst:.1e}, over {rows[-1][0]:g} s",
    )


def in_ecos(out: Path, law: Path, report: Report) -> None:
    """A master that exchanges values once a step, in both versions of FMI for the bicycle: the circle
    takes as long, and the lean is the same."""
    step = 0.001
    for version in (2, 3):
        with EcosSimulationStructure() as structure:
            structure.add_model("bicycle", str((out / f"fmi{version}" / "Bicycle.fmu").resolve()))
            structure.add_model("control", str(law))
            for source, sink in LOOP:
                structure.make_real_connection(f"bicycle::{source}", f"control::{sink}")
            structure.make_real_connection("control::torque", "bicycle::steer.torque")
            structure.add_parameter_set("ride", {f"bicycle::{name}": value for name, value in settings().items()})
            with EcosSimulation(structure=structure, step_size=step) as simulation:
                simulation.init(parameter_set="ride")
                circle = None
                for n in range(60000):
                    simulation.step(1)
                    if circle is None and simulation.get_real("bicycle::rear_frame.angle1") <= -2 * math.pi:
                        circle = (n + 1) * step
                lean = math.degrees(simulation.get_real("bicycle::rear_frame.angle2"))
                simulation.terminate()
        ok = circle is not None and abs(circle - 32.9) < 0.1 and abs(lean - 7.419) < 0.02
        report.note(
            ok,
            f"Ecos closes the loop of the bicycle {version}.0 and the controller: full circle after {circle} s, lean "
            f"{lean:.3f} degrees",
        )


def main(out: Path) -> int:
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        law = controller(Path(folder))
        problems = validate_fmu(str(law))
        report.note(not problems, f"FMPy validates the controller {problems[:3]}")
        in_fmpy(out, law, report)
        in_ecos(out, law, report)
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
