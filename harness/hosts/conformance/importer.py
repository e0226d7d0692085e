"""FMPy as importer: validity, schemas, co-simulation, model exchange, saved states.

    importer.py OUT [short]    short leaves out what takes minutes: whole manoeuvres, model exchange, and states that
                               another process resumes
"""

from __future__ import annotations

import functools
import itertools
import math
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path

import fmpy
import lark
import numpy as np
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu
from lxml import etree

from common import STEP, VEHICLES, Log, Report, drive, fmu_path, shipped

METHODS = ("euler", "heun", "rk4", "linearly-implicit")

# FMPy parses some fifty variable names a second. Many FMUs have the same names, so each name is parsed once. The cache
# keeps no exceptions: an invalid name fails in every FMU.
lark.Lark.parse = functools.cache(lark.Lark.parse)
lark.Lark = functools.cache(lark.Lark)


def validity(out: Path, report: Report) -> None:
    """FMPy's validation, and the schemas of the standard that come with it."""
    schemas = Path(fmpy.__file__).parent / "schema"
    for model, version in itertools.product(shipped(out), (2, 3)):
        path = out / f"fmi{version}" / f"{model}.fmu"
        problems = validate_fmu(str(path))
        report.note(not problems, f"FMPy validates {model} {version}.0: {len(problems)} problems {problems[:3]}")
        with zipfile.ZipFile(path) as archive:
            parts = {"modelDescription.xml": schemas / f"fmi{version}" / f"fmi{version}ModelDescription.xsd"}
            if version == 3:
                parts["terminalsAndIcons/terminalsAndIcons.xml"] = schemas / "fmi3" / "fmi3TerminalsAndIcons.xsd"
            for name, schema in parts.items():
                validator = etree.XMLSchema(etree.parse(str(schema)))
                valid = validator.validate(etree.fromstring(archive.read(name)))
                report.note(
                    valid,
                    f"{name} of {model} {version}.0 fits {schema.name} {validator.error_log.last_error or ''}",
                )


def short_run(path: Path) -> tuple[list[str], np.ndarray, str]:
    """50 steps of an FMU with constant forces and torques: the outputs, their values after each step, and in what a new
    instance differs that gets the state saved after 25 steps."""
    steps = 50
    one, other = Stepper(path), Stepper(path)
    pushed = [name for name in one.inputs if name.endswith((".torque", ".force"))]
    push = 10.0 * (1 + np.arange(len(pushed)))  # N or N m, different ones
    one.start("", {})
    one.set(pushed, push)
    rows = []
    for n in range(steps):
        if n == steps // 2:
            other.restore(one.save())
        one.step(n)
        rows.append(one.get(one.outputs))
        if n >= steps // 2:
            other.step(n)
    differ = [
        name
        for name, a, b in zip([*one.outputs, "state"], [*rows[-1], one.save()], [*other.get(one.outputs), other.save()])
        if a != b
    ]
    names = one.outputs
    one.end()
    other.end()
    return names, np.array(rows), ", ".join(differ)


def short_runs(out: Path, report: Report) -> None:
    """Each FMU runs, with finite values that move; 2.0 equals 3.0; a restored state goes on alike; all to the last
    bit."""
    for model in shipped(out):
        results = {}
        for version in (2, 3):
            name = f"{model} {version}.0"
            try:
                names, rows, differ = short_run(out / f"fmi{version}" / f"{model}.fmu")
            except Exception as error:
                report.note(False, f"{name} runs in FMPy: {error!r}")
                continue
            infinite = [names[k] for k in np.flatnonzero(~np.isfinite(rows).all(axis=0))]
            moved = int(np.count_nonzero(np.ptp(rows, axis=0)))
            report.note(
                not infinite and moved > 0,
                f"FMPy steps {name}: {moved} of {len(names)} outputs move, {len(infinite)} are not finite "
                f"{infinite[:3]}",
            )
            report.note(not differ, f"{name}: a restored state goes on alike {differ}")
            results[version] = names, rows
        if len(results) == 2:
            same = results[2][0] == results[3][0] and results[2][1].tobytes() == results[3][1].tobytes()
            report.note(same, f"{model}: 50 steps of FMI 2.0 equal those of FMI 3.0 to the last bit")


def structured(names: list[str], rows: np.ndarray, path: Path) -> np.ndarray:
    """Rows with time first as the structured array that FMPy takes as input. Inputs that
    the rows do not hold keep their start values."""
    others = {
        v.name: float(v.start)
        for v in fmpy.read_model_description(str(path)).modelVariables
        if v.causality == "input" and v.name not in names
    }
    array = np.zeros(len(rows), dtype=[("time", float)] + [(name, float) for name in (*names, *others)])
    for k, name in enumerate(["time", *names]):
        array[name] = rows[:, k]
    for name, start in others.items():
        array[name] = start
    return array


def starts(manoeuvre: str) -> dict[str, float]:
    """The start values that a manoeuvre sets; none without a manoeuvre."""
    if not manoeuvre:
        return {}
    return tomllib.loads(Path(f"resources/manoeuvres/{manoeuvre}.toml").read_text()).get("start", {})


def co_simulation(out: Path, report: Report, vehicles=VEHICLES, *options: str) -> None:
    """FMPy's co-simulation equals the command's to the last bit, and 2.0 equals 3.0."""
    for vehicle in vehicles:
        for manoeuvre in vehicle.manoeuvres:
            results = {}
            for version in (2, 3):
                path = fmu_path(out, vehicle, version)
                own = drive(out, path, manoeuvre, *options)
                log = Log()
                theirs = fmpy.simulate_fmu(
                    str(path),
                    fmi_type="CoSimulation",
                    stop_time=own.outputs[-1, 0],
                    output_interval=STEP,
                    input=structured(own.input_names, own.inputs, path),
                    output=own.output_names,
                    start_values=starts(manoeuvre),
                    logger=log,
                    debug_logging=True,
                )
                differ = sum(
                    int(np.count_nonzero(theirs[name] != own.outputs[:, k + 1]))
                    for k, name in enumerate(own.output_names)
                )
                same_length = len(theirs) == len(own.outputs)
                report.note(
                    same_length and differ == 0 and not log.bad,
                    f"FMPy CS {manoeuvre} {version}.0: {differ} of {theirs.size * len(own.output_names)} values "
                    "differ from the command's, "
                    f"{len(log.bad)} warnings {log.bad[:2]}",
                )
                results[version] = own
            same = np.array_equal(results[2].outputs, results[3].outputs)
            report.note(same, f"{manoeuvre}: FMI 2.0 equals FMI 3.0 to the last bit")


def model_exchange(out: Path, report: Report) -> None:
    """CVODE with a relative tolerance of 1e-8 agrees with co-simulation by rk4 in all
    motions, and with 1e-10 in all states, both with the inputs of a quarter of the
    manoeuvre from the start on: FMPy sets inputs of model exchange between integrator
    steps only, so that they cannot change while states are to agree. Errors are relative to
    a state's largest value, or to 0.1 m/s or rad/s, 0.01 m or rad; solver steps of 0.2 ms
    make that of rk4 small."""
    every = 20
    for vehicle in VEHICLES:
        for manoeuvre in vehicle.manoeuvres:
            path = fmu_path(out, vehicle, 2)
            own = drive(out, path, manoeuvre)
            steps = 1500  # until then no vehicle has stopped
            row = own.inputs[len(own.inputs) // 4].copy()
            row[
                [k for k, name in enumerate(["time", *own.input_names]) if name.endswith((".rate", ".acceleration"))]
            ] = 0
            row[0] = 0
            instance = Stepper(path)
            names = [n for n in instance.outputs if f"der({n})" in instance.references]
            instance.set(["solver.step"], [0.0002])
            instance.set(own.input_names, row[1:])
            instance.start(manoeuvre, {})
            reference = []
            for n in range(steps + 1):
                if n % every == 0:
                    reference.append(instance.get(names))
                instance.step(n)
            instance.end()
            reference = np.array(reference)
            for version in (2, 3):
                for tolerance in (1e-8, 1e-10):
                    log = Log()
                    result = fmpy.simulate_fmu(
                        str(fmu_path(out, vehicle, version)),
                        fmi_type="ModelExchange",
                        solver="CVode",
                        stop_time=steps * STEP,
                        output_interval=STEP * every,
                        relative_tolerance=tolerance,
                        input=structured(own.input_names, row[np.newaxis], path),
                        output=names,
                        start_values=starts(manoeuvre),
                        record_events=False,
                        logger=log,
                        debug_logging=True,
                    )
                    worst, where = 0.0, ""
                    for k, name in enumerate(names):
                        if tolerance == 1e-8 and name.endswith((".q1", ".q2")):
                            continue  # CVODE itself is not that accurate in the fastest states
                        scale = max(
                            np.max(np.abs(reference[:, k])), 0.1 if instance.units[name].endswith("/s") else 0.01
                        )
                        error = float(np.max(np.abs(result[name] - reference[: len(result), k]))) / scale
                        if error > worst:
                            worst, where = error, name
                    ok = worst < 1e-6 and not log.bad and len(result) == len(reference)
                    report.note(
                        ok,
                        f"FMPy ME {manoeuvre} {version}.0: CVODE with {tolerance:g} and rk4 differ by {worst:.1e} "
                        f"({where}), {len(log.bad)} warnings {log.bad[:2]}",
                    )


def default_tolerance(out: Path, report: Report) -> None:
    """CVODE with the tolerance of the model description follows jumps of inputs: one vehicle is steered, another one
    brakes to standstill. Co-simulation gives the speed at the end."""
    for model, jumps in (
        ("GenericVehicle", {"steer_FL.angle": 0.05, "steer_FR.angle": 0.05}),
        ("PassengerCar", {"brakes.torque": 4000.0}),
    ):
        for version in (2, 3):
            path = out / f"fmi{version}" / f"{model}.fmu"
            rows = np.array([[0, *(0 for _ in jumps)], [1, *(0 for _ in jumps)], [1.001, *jumps.values()]])
            speeds = {}
            for kind in ("CoSimulation", "ModelExchange"):
                try:
                    result = fmpy.simulate_fmu(
                        str(path),
                        fmi_type=kind,
                        stop_time=6,
                        output_interval=STEP if kind == "CoSimulation" else None,
                        input=structured(list(jumps), rows, path),
                        output=["body.vx"],
                    )
                    speeds[kind] = float(result["body.vx"][-1])
                except Exception as error:
                    speeds[kind] = math.nan
                    print(error, file=sys.stderr)
            report.note(
                abs(speeds["CoSimulation"] - speeds["ModelExchange"]) < 2e-3,
                f"FMPy ME {model} {version}.0 with the default tolerance: {speeds['ModelExchange']:.4f} m/s after a "
                f"jump of {', '.join(jumps)}, by co-simulation {speeds['CoSimulation']:.4f} m/s",
            )


def needed(file: str) -> bool:
    """Reports whether a file of an FMU is for this platform, and not a library of another one."""
    return not file.startswith("binaries/") or file.split("/")[1] in (fmpy.platform, fmpy.platform_tuple)


class Stepper:
    """An instance for co-simulation through FMPy's functions, of either version."""

    def __init__(self, path: Path) -> None:
        description = fmpy.read_model_description(str(path), validate=False)  # which is a check of its own
        self.three = description.fmiVersion.startswith("3")
        self.references = {v.name: v.valueReference for v in description.modelVariables}
        self.units = {v.name: v.unit or "" for v in description.modelVariables}
        self.inputs, self.outputs = (
            [v.name for v in description.modelVariables if v.causality == causality and v.type in ("Real", "Float64")]
            for causality in ("input", "output")
        )
        self.folder = fmpy.extract(str(path), include=needed)
        self.fmu = (FMU3Slave if self.three else FMU2Slave)(
            guid=description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="stepper",
        )
        self.fmu.instantiate()

    def start(self, manoeuvre: str, texts: dict[str, str]) -> None:
        for name, text in texts.items():
            self.fmu.setString([self.references[name]], [text])
        values = starts(manoeuvre)
        self.set(list(values), list(values.values()))
        if self.three:
            self.fmu.enterInitializationMode(startTime=0.0)
        else:
            self.fmu.setupExperiment(startTime=0.0)
            self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def set(self, names, values) -> None:
        (self.fmu.setFloat64 if self.three else self.fmu.setReal)([self.references[n] for n in names], list(values))

    def get(self, names) -> list[float]:
        return list((self.fmu.getFloat64 if self.three else self.fmu.getReal)([self.references[n] for n in names]))

    def step(self, n: int) -> None:
        self.fmu.doStep(n * STEP, STEP)

    def save(self) -> bytes:
        fmu = self.fmu
        get, write, free = (
            (fmu.getFMUState, fmu.serializeFMUState, fmu.freeFMUState)
            if self.three
            else (fmu.getFMUstate, fmu.serializeFMUstate, fmu.freeFMUstate)
        )
        handle = get()
        data = bytes(write(handle))
        free(handle)
        return data

    def restore(self, data: bytes) -> None:
        fmu = self.fmu
        read, put, free = (
            (fmu.deserializeFMUState, fmu.setFMUState, fmu.freeFMUState)
            if self.three
            else (fmu.deSerializeFMUstate, fmu.setFMUstate, fmu.freeFMUstate)
        )
        handle = read(data)
        put(handle)
        free(handle)

    def end(self) -> None:
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self.folder)


def brake(path: Path, method: str, start: int, stop: int, state: bytes | None) -> tuple[bytes, list[float]]:
    """Steps an instance from step start to stop; returns its state and its outputs."""
    instance = Stepper(path)
    if state is None:
        instance.start("", {"solver.method": method})
    else:
        instance.restore(state)
    for n in range(start, stop):
        instance.set(["brake_FL.torque"], [400.0 if n % 2000 < 500 else 0.0])
        instance.step(n)
    result = instance.save(), instance.get(instance.outputs)
    instance.end()
    return result


def resume(path: str, state: str) -> None:
    """The second process of saved_states."""
    _, values = brake(Path(path), "", 5000, 10000, Path(state).read_bytes())
    print(" ".join(v.hex() for v in values))


def saved_states(out: Path, report: Report) -> None:
    """A state saved at 5 s and resumed in another process, also one that uses the other
    version, is bit-identical at 10 s."""
    for vehicle in VEHICLES:
        for method in METHODS:
            path = fmu_path(out, vehicle, 2)
            _, whole = brake(path, method, 0, 10000, None)
            data, _ = brake(path, method, 0, 5000, None)
            with tempfile.NamedTemporaryFile(suffix=".state") as file:
                file.write(data)
                file.flush()
                for version in (2, 3):
                    run = subprocess.run(
                        [sys.executable, __file__, "resume", str(fmu_path(out, vehicle, version)), file.name],
                        capture_output=True,
                        text=True,
                    )
                    same = run.returncode == 0 and [float.fromhex(w) for w in run.stdout.split()] == whole
                    report.note(
                        same,
                        f"{vehicle.name}, {method}: state of 5 s ({len(data)} bytes) resumed by FMI {version}.0 in "
                        f"another process {run.stderr[-300:]}",
                    )


def one_second(out: Path, report: Report) -> None:
    """A part of co_simulation that takes seconds."""
    co_simulation(out, report, [replace(VEHICLES[0], manoeuvres=VEHICLES[0].manoeuvres[:1])], "--duration", "1")


def main(out: Path, short: bool) -> int:
    report = Report()
    rest = (one_second,) if short else (co_simulation, model_exchange, default_tolerance, saved_states)
    for check in (validity, short_runs, *rest):
        try:
            check(out, report)
        except Exception as error:  # the others run, too
            said = getattr(error, "stderr", None) or b""
            report.note(False, f"{check.__name__} ended by {error!r} {said.decode(errors='replace')[-500:]}")
    return report.failures


if __name__ == "__main__":
    if sys.argv[1] == "resume":
        resume(*sys.argv[2:])
    else:
        sys.exit(main(Path(sys.argv[1]), sys.argv[2:] == ["short"]) > 0)
