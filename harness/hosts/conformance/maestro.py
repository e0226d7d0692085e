"""INTO-CPS Maestro, a co-simulation master for FMI 2.0 on the Java virtual machine, in two versions: a vehicle and its
driver, an FMU each."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import fmpy
from fmpy.fmi2 import FMU2Slave

from common import Report

VERSIONS = [line.split(":")[2] for line in Path(__file__).with_name("maestro.txt").read_text().split()]
STEP, STEPS = 0.001, 200  # s, communication steps
PARAMETERS = {"driver": {"start": 10.0, "speed": 22.0}, "vehicle": {"body.vx": 20.5}}
# Both outputs of the vehicle and the angle are states, whose derivatives Maestro reads in Initialization Mode.
CONNECTIONS = (
    ("vehicle", "body.vx", "driver", "driver.vx"),
    ("vehicle", "body.yaw", "driver", "driver.yaw"),
    ("driver", "driver.angle", "vehicle", "steer_FR.angle"),
    ("driver", "driver.torque", "vehicle", "drive_RR.torque"),
)


def in_maestro(jar: Path, files: dict[str, Path], folder: Path) -> list[list[float]]:
    """Time and the outputs of CONNECTIONS at all communication points."""
    folder.mkdir()
    port = "{{{0}_fmu}}.{0}.{1}".format
    (folder / "system.json").write_text(
        json.dumps(
            {
                "fmus": {f"{{{name}_fmu}}": str(path) for name, path in files.items()},
                "connections": {port(a, x): [port(b, y)] for a, x, b, y in CONNECTIONS},
                "parameters": {port(name, p): v for name, values in PARAMETERS.items() for p, v in values.items()},
                "startTime": 0,
                "endTime": STEP * (STEPS + 0.5),
                "algorithm": {"type": "fixed-step", "size": STEP},
            }
        )
    )
    said = ""
    for command in ("import sg1 system.json -output=.", "interpret spec.mabl -runtime=spec.runtime.json"):
        done = subprocess.run(
            ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar, *command.split()],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=300,
        )
        said += done.stdout + done.stderr
    results = folder / "outputs.csv"
    if not results.exists():
        raise RuntimeError("\n".join(line for line in said.splitlines() if "rror" in line))
    with results.open() as file:
        rows = list(csv.DictReader(file))
    return [[float(row["time"])] + [float(row[port(a, x)]) for a, x, _, _ in CONNECTIONS] for row in rows]


class Part:
    """An FMU in FMPy."""

    def __init__(self, name: str, path: Path) -> None:
        description = fmpy.read_model_description(str(path))
        self.references = {v.name: v.valueReference for v in description.modelVariables}
        self.fmu = FMU2Slave(
            guid=description.guid,
            unzipDirectory=fmpy.extract(str(path)),
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName=name,
        )
        self.fmu.instantiate()
        self.fmu.setupExperiment(startTime=0.0)
        for parameter, value in PARAMETERS[name].items():
            self.write(parameter, value)
        self.fmu.enterInitializationMode()

    def read(self, name: str) -> float:
        return self.fmu.getReal([self.references[name]])[0]

    def write(self, name: str, value: float) -> None:
        self.fmu.setReal([self.references[name]], [value])


def in_fmpy(files: dict[str, Path]) -> list[list[float]]:
    """The same: both make their steps with the outputs of the communication point."""
    parts = {name: Part(name, path) for name, path in files.items()}
    for a, x, b, y in CONNECTIONS:
        parts[b].write(y, parts[a].read(x))
    for part in parts.values():
        part.fmu.exitInitializationMode()
    time, rows = 0.0, []
    for _ in range(STEPS + 1):
        outputs = [parts[a].read(x) for a, x, _, _ in CONNECTIONS]
        rows.append([time, *outputs])
        for (_, _, b, y), output in zip(CONNECTIONS, outputs):
            parts[b].write(y, output)
        for part in parts.values():
            part.fmu.doStep(currentCommunicationPoint=time, communicationStepSize=STEP)
        time += STEP
    for part in parts.values():
        part.fmu.terminate()
        part.fmu.freeInstance()
    return rows


def main(out: Path) -> int:
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {"vehicle": (out / "fmi2" / "GenericVehicle.fmu").resolve(), "driver": folder / "driver.fmu"}
        subprocess.run(
            [out / "skidpad", "pack", "resources/models/driver_lane_change.toml", "-o", files["driver"], "--fmi", "2"],
            check=True,
            capture_output=True,
        )
        want = in_fmpy(files)
        for version in VERSIONS:
            jar = out / "conformance" / "maestro" / f"maestro-{version}-jar-with-dependencies.jar"
            try:
                got = in_maestro(jar.resolve(), files, folder / version)
            except RuntimeError as error:
                report.note(False, f"Maestro {version}: {error}")
                continue
            report.note(
                got == want and all(got[-1]),
                f"Maestro {version}: vehicle and driver, {len(got)} points, at the last {got[-1]}, in FMPy {want[-1]}",
            )
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
