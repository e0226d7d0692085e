"""The half-car, whose constraints are relaxed, in a third-party importer: co-simulation as the command has
it, and model exchange with another integrator."""

from __future__ import annotations

import sys
from pathlib import Path

import fmpy
import numpy as np

from common import Log, Report, drive
from importer import structured

INTERVAL = 0.002  # s, communication step of its manoeuvres
SPEED, SLIP, HEIGHT = "forward.s_dot", "wheel_R.slip_speed", "upward.s"


def co_simulation(out: Path, report: Report) -> None:
    """Over the ground that becomes slippery: the same bits, and the numbers of the source's case."""
    for version in (2, 3):
        path = out / f"fmi{version}" / "HalfCar.fmu"
        own = drive(out, path, "halfcar_550", "--duration", "16")
        log = Log()
        theirs = fmpy.simulate_fmu(
            str(path),
            fmi_type="CoSimulation",
            stop_time=16,
            output_interval=INTERVAL,
            input=structured(own.input_names, own.inputs, path),
            output=own.output_names,
            logger=log,
            debug_logging=True,
        )
        differ = sum(
            int(np.count_nonzero(theirs[name] != own.outputs[:, k + 1])) for k, name in enumerate(own.output_names)
        )
        speed = float(theirs[SPEED][np.searchsorted(theirs["time"], 15 - INTERVAL / 2)])
        report.note(
            len(theirs) == len(own.outputs) and differ == 0 and not log.bad and abs(speed - 49.02) < 0.05,
            f"FMPy CS halfcar_550 {version}.0: {differ} values differ from the command's, {speed:.2f} m/s at 15 s "
            f"(49.02), {len(log.bad)} warnings {log.bad[:2]}",
        )


def model_exchange(out: Path, report: Report) -> None:
    """A wheel that spins under 550 N m on a road of mu = 0.5: CVODE and rk4 agree."""
    torque = {"motor.torque": 550.0, "road.mu": 0.5}
    names = [SPEED, SLIP, HEIGHT]
    for version in (2, 3):
        path = str(out / f"fmi{version}" / "HalfCar.fmu")
        results = []
        for kind, options in (
            ("CoSimulation", {}),
            ("ModelExchange", {"solver": "CVode", "relative_tolerance": 1e-10, "record_events": False}),
        ):
            log = Log()
            result = fmpy.simulate_fmu(
                path,
                fmi_type=kind,
                stop_time=5,
                output_interval=INTERVAL * 10,
                start_values=torque | {"solver.step": 0.0005},
                output=names,
                logger=log,
                debug_logging=True,
                **options,
            )
            results.append(result)
        worst = max(
            float(np.max(np.abs(results[0][name] - results[1][name]))) / float(np.max(np.abs(results[0][name])))
            for name in names
        )
        slip = float(results[0][SLIP][-1])
        report.note(
            worst < 1e-7 and slip > 5 and not log.bad and len(results[0]) == len(results[1]),
            f"FMPy ME of the half-car {version}.0: CVODE and rk4 differ by {worst:.1e}, slip {slip:.2f} m/s, "
            f"{len(log.bad)} warnings {log.bad[:2]}",
        )


def main(out: Path) -> int:
    report = Report()
    for check in (co_simulation, model_exchange):
        check(out, report)
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
