"""Systems of FMUs as packages (SSP 1.0) in third-party importers: a vehicle that asks four tires for their forces, with
a driver who changes the lane; and a car whose anti-lock control is an FMU of its own."""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from ecospy import EcosSimulation, EcosSimulationStructure
from fmpy.ssp.simulation import simulate_ssp
from fmpy.ssp.ssd import read_ssd
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimObserver import CosimObserver

from common import Report

SYSTEM = "resources/systems/lane_change.toml"
ANTI_LOCK = "resources/systems/anti_lock.toml"
COMPARED = ("body.x", "body.y", "body.yaw", "body.vx")
STEP = 0.001  # s, that of the system file
END, POINT = 6.0, 0.5  # s: end of the runs, and what lies between the points that are compared
DRIVEN = (("body.x", "x"), ("body.y", "y"), ("body.yaw", "yaw"), ("body.vx", "vx"))


def package(out: Path, folder: Path, version: int, system: str = SYSTEM) -> Path:
    """Packs a system with the Linux libraries only; other platforms are not tested here."""
    (folder / "fmi").mkdir(exist_ok=True)
    platform = folder / "fmi" / "x86_64-linux"
    if not platform.exists():
        platform.symlink_to(out / "fmi" / "x86_64-linux")
    path = folder / f"{Path(system).stem}{version}.ssp"
    subprocess.run(
        [out / "skidpad", "pack", system, "-o", path, "--fmi", str(version), "--binaries", folder / "fmi"],
        check=True,
        capture_output=True,
    )
    return path


def path_in_ecos(simulation: EcosSimulation, step: float, parameters: str | None = None) -> np.ndarray:
    """COMPARED of the vehicle, at all points."""
    simulation.init(parameter_set=parameters)
    rows = []
    for _ in range(round(END / POINT)):
        simulation.step(round(POINT / step))
        rows.append([simulation.get_real(f"vehicle::{name}") for name in COMPARED])
    simulation.terminate()
    return np.array(rows)


def by_ecos(package: Path, step: float, parameters: str | None = None) -> np.ndarray:
    with EcosSimulation(ssp_path=str(package), step_size=step) as simulation:
        return path_in_ecos(simulation, step, parameters)


def built_in(out: Path, folder: Path, step: float) -> np.ndarray:
    """The same with the vehicle whose tires are built in."""
    driver = folder / "Driver.fmu"
    if not driver.exists():
        subprocess.run(
            [
                out / "skidpad",
                "pack",
                "resources/models/driver_lane_change.toml",
                "-o",
                driver,
                "--fmi",
                "2",
                "--binaries",
                folder / "fmi",
            ],
            check=True,
            capture_output=True,
        )
    with EcosSimulationStructure() as structure:
        structure.add_model("vehicle", str((out / "fmi2" / "GenericVehicle.fmu").resolve()))
        structure.add_model("driver", str(driver))
        for source, sink in DRIVEN:
            structure.make_real_connection(f"vehicle::{source}", f"driver::driver.{sink}")
        for wheel in ("FL", "FR"):
            for quantity in ("angle", "rate", "acceleration"):
                structure.make_real_connection(f"driver::driver.{quantity}", f"vehicle::steer_{wheel}.{quantity}")
        for wheel in ("RL", "RR"):
            structure.make_real_connection("driver::driver.torque", f"vehicle::drive_{wheel}.torque")
        with EcosSimulation(structure=structure, step_size=step) as simulation:
            return path_in_ecos(simulation, step)


def by_libcosim(package: Path, step: float) -> np.ndarray:
    execution = CosimExecution.from_ssp_file(ssp_path=str(package), step_size=round(step * 1e9))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer=observer)
    vehicle = execution.slave_index_from_instance_name("vehicle")
    references = {variable.name.decode(): variable.reference for variable in execution.slave_variables(vehicle)}
    rows = []
    for n in range(1, round(END / POINT) + 1):
        if not execution.simulate_until(target_time=round(n * POINT * 1e9)):
            raise RuntimeError("libcosim did not reach the end")
        rows.append(
            observer.last_real_values(slave_index=vehicle, variable_references=[references[name] for name in COMPARED])
        )
    return np.array(rows)


def by_fmpy(package: Path, step: float) -> np.ndarray:
    """FMPy writes the time before a step beside the values after it."""
    result = simulate_ssp(str(package), stop_time=END - step / 2, step_size=step)
    last = np.arange(1, round(END / POINT) + 1) * round(POINT / step) - 1
    return np.column_stack([result[f"vehicle.{name}"][last] for name in COMPARED])


def with_parameters(out: Path, folder: Path) -> Path:
    """A package whose driver goes to the other lane, by a method of another order."""
    system = Path(SYSTEM).read_text().replace('"../models/', f'"{Path(SYSTEM).parent.parent.resolve()}/models/')
    at = system.index("[component.vehicle]")
    (folder / "other_lane.toml").write_text(
        system[:at] + 'parameters = { offset = -3.5, "solver.method" = "heun" }\n' + system[at:]
    )
    path = folder / "OtherLane.ssp"
    subprocess.run(
        [out / "skidpad", "pack", folder / "other_lane.toml", "-o", path, "--fmi", "2", "--binaries", folder / "fmi"],
        check=True,
        capture_output=True,
    )
    return path


BRAKING_BOUND = 11.15  # m/s2, docs/brake-and-stability-control.md
BRAKING_END = 4.5  # s, when the car of the system is slower than 10 km/h


def share(x: list[float], v: list[float]) -> float:
    """Mean deceleration between 80 and 10 km/h, as a share of the braking bound. The car is faster before."""
    begin, end = np.interp([-80 / 3.6, -10 / 3.6], -np.array(v), np.array(x))
    return (80**2 - 10**2) / 3.6**2 / (2 * (end - begin)) / BRAKING_BOUND


def braking(simulation: EcosSimulation, step: float, car: str) -> float:
    """The share of a run in Ecos, from 0.2 s after the driver has begun to brake."""
    simulation.init()
    simulation.step(round(1.2 / step))
    x, v = [], []
    while simulation.get_real(f"{car}::body.vx") > 1.5:
        simulation.step(1)
        x.append(simulation.get_real(f"{car}::body.x"))
        v.append(simulation.get_real(f"{car}::body.vx"))
    simulation.terminate()
    return share(x, v)


def anti_lock(report: Report, out: Path, folder: Path) -> None:
    """A car brakes as well with its anti-lock control in an FMU of its own, at the sample of the control."""
    packages = {version: package(out, folder, version, ANTI_LOCK) for version in (2, 3)}
    inside = folder / "braking.fmu"
    subprocess.run(
        [out / "skidpad", "pack", "resources/systems/anti_lock/braking.toml", "-o", inside, "--fmi", "2"]
        + ["--binaries", folder / "fmi"],
        check=True,
        capture_output=True,
    )
    with EcosSimulationStructure() as structure:
        structure.add_model("car", str(inside))
        with EcosSimulation(structure=structure, step_size=0.005) as simulation:
            want = braking(simulation, 0.005, "car")
    report.note(want > 0.92, f"full braking with the anti-lock control inside the car: {want:.4f} of the bound")
    # at 10 ms every second sample reads old values: the page docs/own-controllers.md has this difference
    for version, step, difference in ((2, 0.005, 0.0), (3, 0.005, 0.0), (2, 0.001, 0.0), (2, 0.01, -0.079)):
        with EcosSimulation(ssp_path=str(packages[version]), step_size=step) as simulation:
            got = braking(simulation, step, "car")
        report.note(
            abs(got - want - difference) < 0.001,
            f"Ecos, FMI {version}.0, anti-lock control as an FMU at {1000 * step:g} ms: {got:.4f} of the bound, "
            f"{got - want:.1e} from that inside",
        )
    run = simulate_ssp(str(packages[2]), stop_time=BRAKING_END, step_size=0.005)
    late = run["time"] > 1.2
    got = share(run["car.body.x"][late], run["car.body.vx"][late])
    report.note(
        abs(got - want) < 0.001, f"FMPy, the same at 5 ms: {got:.4f} of the bound, {got - want:.1e} from that inside"
    )


def order(report: Report, what: str, errors: list[float]) -> None:
    orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
    texts = ", ".join(f"{e:.1e}" for e in errors), ", ".join(f"{o:.2f}" for o in orders)
    report.note(all(abs(o - 1) < 0.15 for o in orders), f"{what}: {texts[0]}, order {texts[1]}")


def main(out: Path) -> int:
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        anti_lock(report, out, folder)
        packages = {version: package(out, folder, version) for version in (2, 3)}
        for version, path in packages.items():
            system = read_ssd(str(path), validate=True).system
            report.note(
                len(system.elements) == 6 and len(system.connections) == 60,
                f"FMPy reads SystemStructure.ssd with FMUs {version}.0, which follows the schema",
            )
        steps = [STEP, STEP / 2, STEP / 4]
        coarse, fine = (built_in(out, folder, step) for step in (STEP / 4, STEP / 8))
        exact = 2 * fine - coarse  # the driver is an FMU there, too: extrapolated to no step at all
        report.note(
            abs(exact[-1][1] - 3.5) < 0.05,
            f"with tires built in the vehicle ends at y = {exact[-1][1]:.4f} m, beside the lane change of 3.5 m",
        )
        runs = [by_ecos(packages[2], step) for step in steps]
        order(
            report,
            "Ecos, steps of 1, 1/2 and 1/4 ms: largest difference to the vehicle with tires built in",
            [float(np.abs(run - exact).max()) for run in runs],
        )
        report.note(np.array_equal(by_ecos(packages[3], STEP), runs[0]), "Ecos: the same bits with FMUs 3.0")
        report.note(np.array_equal(by_libcosim(packages[2], STEP), runs[0]), "libcosim: the same bits as Ecos")
        other = with_parameters(out, folder)
        lanes = by_ecos(other, STEP, "LaneChange"), by_libcosim(other, STEP)
        report.note(
            np.array_equal(*lanes) and abs(lanes[0][-1][1] + 3.5) < 0.05,
            f"libcosim and Ecos: with parameters of the system file the vehicle ends at y = {lanes[0][-1][1]:.4f} m",
        )
        order(
            report,
            "FMPy, steps of 1 and 1/2 ms: largest difference to the vehicle with tires built in",
            [float(np.abs(by_fmpy(packages[2], step) - exact).max()) for step in steps[:2]],
        )
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
