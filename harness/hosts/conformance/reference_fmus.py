"""Skidpad as importer of FMUs of other tools: the Reference FMUs of both versions, for co-simulation beside FMPy, for
model exchange beside closed solutions, and an FMU of Dymola.

    reference_fmus.py OUT FOLDER    the FMUs are below FOLDER
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from fmpy import read_model_description, simulate_fmu
from lxml import etree

from common import Report, read_csv

# Communication step and duration [s]: multiples of the steps of the FMUs.
RUNS = {"Dahlquist": (0.1, 3.0), "Stair": (0.2, 8.0), "StateSpace": (1.0, 5.0), "Feedthrough": (0.1, 2.0)}
USUAL = (0.01, 3.0)

# The description of this FMU has a mistake in this release.
MISTAKES = {"fmi2/Feedthrough": {"F-MST-5"}}


def check(out: Path, fmu: Path, allowed: set[str]) -> list[str]:
    """The errors that the check finds, without those of rules that are allowed."""
    run = subprocess.run([out / "skidpad", "check", "--json", fmu], capture_output=True, text=True)
    findings = json.loads(run.stdout)["findings"] if run.stdout else [{"grade": "error", "text": run.stderr}]
    return [f["text"] for f in findings if f["grade"] == "error" and f.get("rule") not in allowed]


def simulate(out: Path, fmu: Path, inputs: dict[str, float]) -> tuple[dict[str, np.ndarray], str]:
    """Columns of a run, and what the command has said."""
    model = read_model_description(str(fmu), validate=False).modelName
    step, duration = RUNS.get(model, USUAL)
    with tempfile.TemporaryDirectory() as folder:
        manoeuvre, values = Path(folder) / "run.toml", Path(folder) / "values.csv"
        text = f'name = "run"\ntitle = "Run"\nmodels = ["{model}"]\nduration = {duration}\nstep = {step}\n'
        for name, value in inputs.items():
            text += f'[[input]]\nvariables = ["{name}"]\nsignal = {{ kind = "constant", value = {value} }}\n'
        manoeuvre.write_text(text)
        command = [out / "skidpad", "simulate", fmu, "--manoeuvre", manoeuvre, "--out", values]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            return {}, run.stderr
        names, rows = read_csv(values)
        return dict(zip(["time", *names], rows.T)), run.stderr


def in_fmpy(fmu: Path, interface: str = "CoSimulation") -> dict[str, np.ndarray]:
    """The same by FMPy."""
    description = read_model_description(str(fmu), validate=False)
    step, duration = RUNS.get(description.modelName, USUAL)
    result = simulate_fmu(
        str(fmu),
        validate=False,
        fmi_type=interface,
        step_size=step,
        output_interval=step,
        stop_time=duration,
        output=[v.name for v in description.modelVariables if v.causality == "output"],
        relative_tolerance=1e-9 if interface == "ModelExchange" else None,
    )
    columns = {}
    for name in result.dtype.names:
        if result[name].ndim == 1:
            columns[name] = result[name]
        else:
            columns |= {f"{name}[{i + 1}]": column for i, column in enumerate(result[name].T)}
    return columns


def differences(got: dict[str, np.ndarray], want: dict[str, np.ndarray]) -> tuple[float, str]:
    """The largest difference of outputs, and a text; infinite where outputs or rows are missing."""
    worst = 0.0
    names = [name for name in want if name != "time" and np.issubdtype(want[name].dtype, np.number)]
    for name in names:
        if name not in got or len(got[name]) != len(want[name]):
            return math.inf, f"{name} has {len(got.get(name, []))} rows, in FMPy {len(want[name])}"
        worst = max(worst, float(np.max(np.abs(got[name] - want[name].astype(float)))))
    return worst if names else math.inf, f"{worst:.3g} off in {len(names)} outputs"


def without_cosimulation(fmu: Path, folder: Path) -> Path:
    """A copy for model exchange alone."""
    path = folder / f"{fmu.parent.name}-{fmu.name}"
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "modelDescription.xml":
                root = etree.fromstring(data)
                root.remove(root.find("CoSimulation"))
                data = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
            target.writestr(name, data)
    return path


def ball(t: np.ndarray) -> np.ndarray:
    """The height [m] of a ball that falls from 1 m. Each bounce leaves 0.7 of the speed."""
    heights = []
    for time in t:
        begin, speed, height = 0.0, 0.0, 1.0
        while (end := begin + (speed + math.sqrt(speed**2 + 2 * 9.81 * height)) / 9.81) < time:
            speed = 0.7 * (9.81 * (end - begin) - speed)
            begin, height = end, 0.0
        heights.append(height + speed * (time - begin) - 9.81 / 2 * (time - begin) ** 2)
    return np.array(heights)


# What model exchange must give, as functions of time, and the tolerance.
SOLUTIONS = {
    "Dahlquist": ({"x": lambda t: np.exp(-t)}, 1e-6),
    "BouncingBall": ({"h": ball}, 1e-6),
    "Stair": ({"counter": lambda t: 1 + np.floor(t + 1e-9)}, 0),
    "StateSpace": ({f"y[{i}]": lambda t, i=i: i * np.exp(t) for i in (1, 2, 3)}, 1e-3),
}


def model_exchange(out: Path, fmu: Path, report: Report) -> None:
    """Model exchange beside solutions, or FMPy with a tight tolerance."""
    name = read_model_description(str(fmu), validate=False).modelName
    got, said = simulate(out, fmu, {})
    if not got:
        report.note(False, f"{fmu.stem}, model exchange: {said}")
        return
    solutions, tolerance = SOLUTIONS.get(name, (None, 1e-4))
    if solutions is None:
        reference = in_fmpy(fmu, "ModelExchange")
        solutions = {k: lambda t, v=v: v for k, v in reference.items() if k != "time" and k in got}
    if name == "BouncingBall":  # before the bounces come so fast that the FMU ends them
        got = {k: v[got["time"] < 2.0] for k, v in got.items()}
    worst = max(float(np.max(np.abs(got[k] - f(got["time"])))) for k, f in solutions.items())
    report.note(worst <= tolerance, f"{fmu.stem}, model exchange: {worst:.3g} off, at most {tolerance}")


def feedthrough(out: Path, fmu: Path, report: Report) -> None:
    """Inputs of every type come out again."""
    variables = read_model_description(str(fmu), validate=False).modelVariables
    inputs = {}
    for v in variables:
        if v.causality == "input" and v.type not in ("String", "Binary") and not v.dimensions:
            inputs[v.name] = 2 if re.search("Int|Enum", v.type) else 1 if v.type == "Boolean" else 0.5
    got, said = simulate(out, fmu, inputs)
    pairs = [(name, name.replace("_input", "_output")) for name in inputs]
    wrong = [o for i, o in pairs if o not in got or got[o][-1] != inputs[i]]
    report.note(
        bool(got) and not wrong and len(pairs) >= 3,
        f"{fmu.parent.name}/Feedthrough passes {len(pairs)} inputs on; wrong are {wrong} {said if not got else ''}",
    )


def main(out: Path, folder: Path) -> int:
    report = Report()
    names = [f"reference/{path.parent.name}/{path.stem}" for path in sorted(folder.glob("reference/fmi[23]/*.fmu"))]
    report.note(len(names) == 11, f"{len(names)} Reference FMUs")
    clutches = ("CoupledClutches_CS_linux64",)
    with tempfile.TemporaryDirectory() as scratch:
        for name in [*names, *clutches]:
            fmu = folder / f"{name}.fmu"
            short = "/".join(fmu.parts[-2:]).removesuffix(".fmu")
            errors = check(out, fmu, MISTAKES.get(short, set()))
            report.note(not errors, f"{short}, checked: {len(errors)} errors {errors[:2]}")
            got, said = simulate(out, fmu, {})
            if not got:
                report.note(False, f"{short}, co-simulation: {said}")
                continue
            worst, text = differences(got, in_fmpy(fmu))
            allowed = 1e-9 if name in clutches else 0  # whose solver heeds the stop time that FMPy sets
            report.note(worst <= allowed, f"{short}, co-simulation as in FMPy: {text}")
            if name in clutches:
                continue
            if short.endswith("Feedthrough"):
                feedthrough(out, fmu, report)
            copy = without_cosimulation(fmu, Path(scratch))
            errors = check(out, copy, MISTAKES.get(short, set()))
            report.note(not errors, f"{copy.stem} for model exchange, checked: {len(errors)} errors {errors[:2]}")
            model_exchange(out, copy, report)
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])) > 0)
