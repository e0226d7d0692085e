"""Manoeuvres of the standards in third-party importers: every variable that key figures use is bit-identical, and
so are the figures. Importers get start values and parameters from figures.json, and the inputs row by row."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import fmpy
import numpy as np
from ecospy import EcosSimulation, EcosSimulationStructure

from common import STEP, Log, Report, read_csv
from importer import structured

# Manoeuvre, constants that replace sweeps and runs before it, versions of FMI.
MANOEUVRES = (
    ("step_steer", ("side=1", "delta=0.5"), (2, 3)),
    ("sine_with_dwell", ("side=1", "A=0.4", "amplitude=4"), (3,)),
    ("brake", (), (2,)),
)


def in_ecos(path: Path, settings: dict, names: list[str], rows: np.ndarray, outputs: list[str]) -> np.ndarray:
    with EcosSimulationStructure() as structure:
        structure.add_model("car", str(path))
        structure.add_parameter_set("start", {f"car::{name}": value for name, value in settings.items()})
        with EcosSimulation(structure=structure, step_size=STEP) as master:
            master.init(parameter_set="start")
            values = np.empty((len(rows), len(outputs)))
            values[0] = [master.get_real(f"car::{name}") for name in outputs]
            for n in range(len(rows) - 1):
                for name, value in zip(names, rows[n, 1:]):
                    master.set_real(f"car::{name}", value)
                master.step(1)
                values[n + 1] = [master.get_real(f"car::{name}") for name in outputs]
            master.terminate()
            return values


def main(out: Path) -> int:
    report = Report()
    for manoeuvre, constants, versions in MANOEUVRES:
        for version in versions:
            path = out / f"fmi{version}" / "PassengerCar.fmu"
            with tempfile.TemporaryDirectory() as folder:
                let = [argument for constant in constants for argument in ("--let", constant)]
                command = [
                    out / "skidpad",
                    "manoeuvre",
                    path,
                    "--manoeuvre",
                    f"resources/manoeuvres/{manoeuvre}.toml",
                    "--hold",
                    "--out",
                    folder,
                    "--full",
                ]
                subprocess.run(command + let, check=True, capture_output=True)
                [run] = json.loads((Path(folder) / "figures.json").read_text())["runs"]
                names, rows = read_csv(Path(folder) / "inputs_1.csv")
                outputs, own = read_csv(Path(folder) / "run_1.csv")
            settings = run["parameters"] | run["start"]
            log = Log()
            theirs = fmpy.simulate_fmu(
                str(path),
                fmi_type="CoSimulation",
                stop_time=own[-1, 0],
                output_interval=STEP,
                input=structured(names, rows, path),
                output=outputs,
                start_values=settings,
                logger=log,
                debug_logging=True,
            )
            columns = {"FMPy": np.array([theirs[name] for name in outputs]).T}
            if version == 3:
                columns["Ecos"] = in_ecos(path, settings, names, rows, outputs)
            for master, values in columns.items():
                differ = int(np.count_nonzero(values != own[:, 1:])) if values.shape == own[:, 1:].shape else -1
                report.note(
                    differ == 0 and not log.bad and not run["verdict"] and len(run["figures"]) > 5,
                    f"{master}: {manoeuvre} of the passenger car {version}.0: {differ} of {own[:, 1:].size} values "
                    "that figures come from differ from the command's; "
                    f"{len(run['figures'])} figures, {len(log.bad)} warnings {log.bad[:2]}",
                )
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
