"""FMUs with C sources, compiled by FMPy without any flag: validity, and the bits of the libraries.

    sources.py OUT FOLDER    FOLDER gets the FMUs, for other checkers
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import fmpy
import numpy as np
from fmpy.build import build_platform_binary
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.model_description import read_build_description
from fmpy.validation import validate_fmu
from lxml import etree

from common import STEP, Report

STOP = 0.5  # s


def disturbed(path: Path) -> np.ndarray:
    """Every force and torque of an FMU as a sine, and angles as they start [SI units]."""
    variables = fmpy.read_model_description(str(path)).modelVariables
    inputs = [v for v in variables if v.causality == "input"]
    time = np.arange(0, STOP + STEP / 2, STEP)
    table = np.zeros(len(time), dtype=[("time", float)] + [(v.name, float) for v in inputs])
    table["time"] = time
    for k, v in enumerate(inputs):
        size = 100.0 if v.unit in ("N", "N.m") else 0.01 if v.unit == "rad" else 0.0
        table[v.name] = float(v.start) + size * np.sin(20 * time + k)
    return table


def run(folder: Path, table: np.ndarray, kind: str, method: str) -> np.ndarray:
    return fmpy.simulate_fmu(
        str(folder),
        fmi_type=kind,
        stop_time=STOP,
        output_interval=STEP,
        input=table,
        start_values={"solver.method": method},
    )


def packed(out: Path, folder: Path, model: str, version: int) -> Path:
    path = folder / f"{model}_{version}.fmu"
    source = f"resources/models/{model}.toml"
    command = [out / "skidpad", "pack", source, "-o", path, "--fmi", str(version), "--sources"]
    subprocess.run(command, check=True, capture_output=True)
    return path


def validity(path: Path, version: int, report: Report) -> None:
    """FMPy's validation, and the schemas of the standard that come with it."""
    problems = validate_fmu(str(path))
    report.note(not problems, f"FMPy validates {path.stem} with sources: {len(problems)} problems {problems[:3]}")
    described = read_build_description(str(path), validate=True)
    listed = [f for configuration in described for files in configuration.sourceFileSets for f in files.sourceFiles]
    with zipfile.ZipFile(path) as archive:
        code = [name.removeprefix("sources/") for name in archive.namelist() if name.endswith(".c")]
        schema = Path(fmpy.__file__).parent / "schema" / f"fmi{version}" / f"fmi{version}ModelDescription.xsd"
        validator = etree.XMLSchema(etree.parse(str(schema)))
        valid = validator.validate(etree.fromstring(archive.read("modelDescription.xml")))
    report.note(valid, f"modelDescription.xml of {path.stem} fits {schema.name} {validator.error_log.last_error or ''}")
    report.note(sorted(listed) == sorted(code), f"buildDescription.xml of {path.stem} lists {listed}; there is {code}")


def bits(path: Path, methods: tuple[str, ...], report: Report) -> None:
    """Runs of the libraries beside runs of the compiled sources: every output at every communication point."""
    table = disturbed(path)
    ours, built = path.with_suffix(""), path.with_suffix(".built")
    fmpy.extract(str(path), str(ours))
    with zipfile.ZipFile(path) as archive:
        archive.extractall(built, [name for name in archive.namelist() if not name.startswith("binaries/")])
    quiet = os.open(os.devnull, os.O_WRONLY)
    kept = os.dup(1)
    os.dup2(quiet, 1)  # what CMake says is no check
    try:
        build_platform_binary(built)
    finally:
        os.dup2(kept, 1)
    for kind, method in itertools.product(("CoSimulation", "ModelExchange"), methods):
        if kind == "ModelExchange" and method != methods[0]:
            continue  # the importer integrates
        library, sources = (run(folder, table, kind, method) for folder in (ours, built))
        report.note(
            len(library) > 100 and library.tobytes() == sources.tobytes(),
            f"{path.stem}, {kind}, {method}: compiled sources have the bits of the library in {len(library)} points",
        )


LOADED = {"tire.Fz": 4000.0, "tire.kappa": 0.03, "tire.alpha": -0.04, "tire.VCx": 20.0}  # of a tire alone


def sensitivities(folder: Path, version: int) -> list[float]:
    """Derivatives of all outputs and rates along one direction of all inputs, after some steps."""
    description = fmpy.read_model_description(str(folder))
    knowns = [v for v in description.modelVariables if v.causality == "input"]
    listed = [u.variable for u in description.outputs + description.derivatives]
    unknowns = [v.valueReference for v in listed if v.variability == "continuous"]
    car = (FMU2Slave if version == 2 else FMU3Slave)(
        guid=description.guid,
        unzipDirectory=str(folder),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="car",
    )
    car.instantiate()
    if version == 2:
        car.setupExperiment()
    car.enterInitializationMode()
    car.exitInitializationMode()
    loaded = {v.valueReference: LOADED[v.name] for v in knowns if v.name in LOADED}
    (car.setReal if version == 2 else car.setFloat64)(list(loaded), list(loaded.values()))
    for k in range(5):
        car.doStep(k * STEP, STEP)
    seed = [1 + 0.1 * k for k in range(len(knowns))]
    values = car.getDirectionalDerivative(unknowns, [v.valueReference for v in knowns], seed)
    car.terminate()
    car.freeInstance()
    return list(values)


def derivatives(path: Path, version: int, report: Report) -> None:
    library, sources = (sensitivities(path.with_suffix(ending), version) for ending in ("", ".built"))
    report.note(
        len(library) > 3 and library == sources and any(library),
        f"{path.stem}: compiled sources have the bits of the library in {len(library)} derivatives",
    )


def main() -> int:
    out, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    folder.mkdir()
    report = Report()
    for model, version in itertools.product(("generic4w", "passenger_car", "tire_pacejka2002"), (2, 3)):
        path = packed(out, folder, model, version)
        validity(path, version, report)
        bits(path, ("euler", "heun", "rk4"), report)
        derivatives(path, version, report)
    return report.failures > 0


if __name__ == "__main__":
    sys.exit(main())
