"""Vehicles of point masses in third-party importers: a rough ride with and without event mode, a state
saved in the middle of a bounce; and the validity of all FMUs except those of VEHICLES."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import fmpy
import numpy as np
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu
from lxml import etree

from common import STEP, VEHICLES, Log, Report, read_csv
from masters import alone, ecos, libcosim

RIDE = Path("resources/manoeuvres/motorcycle2_rough_ride.toml")


def validity(out: Path, report: Report) -> None:
    schemas = Path(fmpy.__file__).parent / "schema"
    for version in (2, 3):
        for path in sorted((out / f"fmi{version}").glob("*.fmu")):
            model = path.stem
            if model in [vehicle.name for vehicle in VEHICLES]:
                continue  # importer.py looks at these
            problems = validate_fmu(str(path))
            with zipfile.ZipFile(path) as archive:
                validator = etree.XMLSchema(
                    etree.parse(str(schemas / f"fmi{version}" / f"fmi{version}ModelDescription.xsd"))
                )
                valid = validator.validate(etree.fromstring(archive.read("modelDescription.xml")))
            report.note(
                valid and not problems,
                f"FMPy and the schema accept {model} {version}.0 {problems[:3]} {validator.error_log.last_error or ''}",
            )


def settings() -> dict:
    """What the rough ride sets before it begins."""
    ride = tomllib.loads(RIDE.read_text())
    return ride["parameters"] | ride["start"]


def ride(path: Path, names: list[str], interval: float, events: bool) -> tuple[np.ndarray, Log]:
    log = Log()
    result = fmpy.simulate_fmu(
        str(path),
        fmi_type="CoSimulation",
        stop_time=6.0,
        output_interval=interval,
        start_values=settings(),
        output=names,
        logger=log,
        early_return_allowed=events,
        use_event_mode=events,
        record_events=events,
    )
    return result, log


def rough_ride(out: Path, report: Report) -> None:
    """The same bits in both versions, in event mode and without, and as the command has them."""
    with tempfile.TemporaryDirectory() as folder:
        values = Path(folder) / "values.csv"
        subprocess.run(
            [out / "skidpad", "simulate", out / "fmi3" / "MotorcycleModel2.fmu", "--manoeuvre", RIDE, "--out", values],
            check=True,
            capture_output=True,
        )
        names, rows = read_csv(values)
    wanted = {round(row[0] / STEP): row[1:] for row in rows}
    for version in (2, 3):
        for interval in (STEP, 10 * STEP):
            for events in (False, True) if version == 3 else (False,):
                result, log = ride(out / f"fmi{version}" / "MotorcycleModel2.fmu", names, interval, events)
                array = np.array([[row[name] for name in names] for row in result])
                same = all(np.array_equal(wanted[round(time / STEP)], row) for time, row in zip(result["time"], array))
                modes = {mode: int(np.sum(result["contact_F.mode"] == mode)) for mode in (0, 1, 2)}
                report.note(
                    same and len(result) > 6 / interval and not log.bad and (not events or modes[2] > 100),
                    f"FMPy rides over rough terrain, {version}.0, every {interval * 1000:g} ms, "
                    f"{'events handled' if events else 'no event mode'}: "
                    f"{len(result)} points, modes of the front {modes}, same bits {log.bad[:2]}",
                )


def bounce(out: Path, report: Report) -> None:
    """A state saved between impacts resumes to the last bit, in a new instance."""
    path = str(out / "fmi3" / "MotorcycleModel2.fmu")
    description = fmpy.read_model_description(path)
    references = {v.name: v.valueReference for v in description.modelVariables}
    states = [
        v.valueReference
        for v in description.modelVariables
        if v.name.startswith("mass_") and v.name.rsplit(".", 1)[1] in ("x", "z", "vx", "vz")
    ]
    strings = {name: value for name, value in settings().items() if isinstance(value, str)}
    numbers = {name: value for name, value in settings().items() if not isinstance(value, str)}
    folder = fmpy.extract(path)

    def instance() -> FMU3Slave:
        slave = FMU3Slave(
            guid=description.guid,
            unzipDirectory=folder,
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="ride",
        )
        slave.instantiate()
        slave.setString([references[name] for name in strings], list(strings.values()))
        slave.setFloat64([references[name] for name in numbers], list(numbers.values()))
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        return slave

    first, step = instance(), 0
    while step < 1500 or first.getFloat64([references["contact_F.mode"]])[0] != 2:
        first.doStep(step * STEP, STEP)
        step += 1
    state = first.serializeFMUState(first.getFMUState())
    second = instance()
    second.setFMUState(second.deserializeFMUState(state))
    for k in range(step, step + 1000):
        for slave in (first, second):
            slave.doStep(k * STEP, STEP)
    same = first.getFloat64(states) == second.getFloat64(states)
    shutil.rmtree(folder)
    report.note(
        same, f"a state of {len(state)} bytes, saved at the impact at {step * STEP:g} s, resumes to the last bit"
    )


def masters(out: Path, report: Report) -> None:
    for model, name in (("MotorcycleModel2", "mass_3.z"), ("PartialVehicles", "mass_3.z")):
        for version in (2, 3):
            path = (out / f"fmi{version}" / f"{model}.fmu").resolve()
            want = alone(path, name)
            for master in (libcosim, ecos) if version == 2 else (ecos,):
                got = master(path, name)
                report.note(
                    got == want, f"{master.__name__}: {model} {version}.0, {name} = {got!r} m, in FMPy {want!r}"
                )


def main(out: Path) -> int:
    report = Report()
    for check in (validity, rough_ride, bounce, masters):
        check(out, report)
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
