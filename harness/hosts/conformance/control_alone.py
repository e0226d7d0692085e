"""A controller alone as an FMU, in FMPy: a subsystem file whose roles are inputs and outputs. The samples follow from
the law, in co-simulation with and without events, and as time events of model exchange."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import fmpy
import numpy as np
from fmpy.validation import validate_fmu

from common import Log, Report

FILE = """kind = "subsystem"
title = "Cruise control"

[parameters]
gain = { value = 0.2, unit = "s/m", text = "throttle by the error of the speed" }

[component.unit]
type = "sampled-equations"
sample = "20 ms"
inputs = [
  { name = "speed", unit = "m/s", from = "@chassis.vx" },
  { name = "brake", unit = "1", text = "the driver brakes: 1" },
  { name = "wish", unit = "m/s", text = "wanted speed", value = 22 },
]
modes = [{ mode = "on", condition = "brake > 0.51", next = "off" }]
states = [{ name = "z", unit = "m", value = 13, next = "z + sample*(wish - speed)" }]
outputs = [
  { name = "wanted", unit = "1", value = "max(0, min(1, gain*(wish - speed) + 0.02*z))" },
  { name = "throttle", unit = "1", start = 0.25, value = "select(mode == on, wanted, 0)", to = ["@throttle"] },
]
intervenes = "mode == off"
"""
SAMPLE, STEP, END = 0.02, 0.005, 1.0  # s: between samples, between communication points, end of the run
GAIN = 0.3  # s/m, set as a parameter of the FMU
OUTPUTS = ("wanted", "throttle", "z", "mode", "intervening", "interventions")


def speed(time: float) -> float:
    return 19 + 2 * time  # m/s


def brake(time: float) -> float:
    return max(0.0, time - 0.2)  # above 0.51, which switches the law off, from 0.71 s on, between two samples


def expected() -> np.ndarray:
    """OUTPUTS between each sample and the next one."""
    z, off, rows = 13.0, False, []
    for k in range(round(END / SAMPLE)):
        time = k * SAMPLE
        off = off or brake(time) > 0.51
        wanted = max(0.0, min(1.0, GAIN * (22 - speed(time)) + 0.02 * z))
        z += SAMPLE * (22 - speed(time))
        rows.append([wanted, 0.0 if off else wanted, z, off, off, off])
    return np.array(rows, dtype=float)


def run(path: Path, kind: str, log: Log, **options) -> np.ndarray:
    """OUTPUTS half-way between samples."""
    rows = [(time, speed(time), brake(time), 22.0) for time in (0.0, 0.2, END)]
    result = fmpy.simulate_fmu(
        str(path),
        fmi_type=kind,
        stop_time=END,
        output_interval=STEP,
        record_events=False,
        input=np.array(rows, dtype=[(n, float) for n in ("time", "unit.speed", "unit.brake", "unit.wish")]),
        output=[f"unit.{name}" for name in OUTPUTS],
        start_values={"gain": GAIN},
        logger=log,
        debug_logging=True,
        **options,
    )
    between = np.searchsorted(result["time"], (np.arange(round(END / SAMPLE)) + 0.5) * SAMPLE - STEP / 2)
    return np.column_stack([result[f"unit.{name}"][between] for name in OUTPUTS])


def main(out: Path) -> int:
    report, want = Report(), expected()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cruise.toml").write_text(FILE)
        (folder / "fmi").mkdir()
        (folder / "fmi" / "x86_64-linux").symlink_to(out / "fmi" / "x86_64-linux")
        for version in (2, 3):
            path = folder / f"cruise{version}.fmu"
            subprocess.run(
                [out / "skidpad", "pack", folder / "cruise.toml", "-o", path, "--fmi", str(version)]
                + ["--binaries", folder / "fmi"],
                check=True,
                capture_output=True,
            )
            problems = validate_fmu(str(path))
            variables = {v.name: v for v in fmpy.read_model_description(str(path)).modelVariables}
            inputs, outputs = (
                {n for n, v in variables.items() if v.causality == causality} for causality in ("input", "output")
            )
            report.note(
                not problems
                and inputs == {f"unit.{n}" for n in ("speed", "brake", "wish")}
                and outputs == {f"unit.{n}" for n in OUTPUTS}
                and all(variables[f"unit.{n}"].variability == "discrete" for n in OUTPUTS),
                f"a controller alone, FMI {version}.0: three inputs, discrete outputs, no problems {problems[:3]}",
            )
            kinds = [("CoSimulation", {}), *(("ModelExchange", {"solver": solver}) for solver in ("CVode", "Euler"))]
            if version == 3:
                kinds.append(("CoSimulation", {"use_event_mode": True}))
            for kind, options in kinds:
                log = Log()
                got = run(path, kind, log, **options)
                error = float(np.abs(got - want).max()) if got.shape == want.shape else np.inf
                report.note(
                    error < 1e-12 and not log.bad,
                    f"a controller alone, FMI {version}.0, {kind} {options or ''}: {len(want)} samples differ from the "
                    f"law by {error:.1e}, {len(log.bad)} warnings {log.bad[:2]}",
                )
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
