"""Co-simulation masters other than FMPy: libcosim (FMI 2.0) and Ecos (FMI 2.0 and 3.0)."""

from __future__ import annotations

import sys
from pathlib import Path

import fmpy
from ecospy import EcosSimulation, EcosSimulationStructure
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

from common import STEP, Report, every_fmu

STEPS = 2000


def alone(path: Path, name: str) -> float:
    """The value after STEPS steps without a master, all inputs at their start values."""
    description = fmpy.read_model_description(str(path))
    outputs = [v.name for v in description.modelVariables if v.causality == "output" and v.type in ("Real", "Float64")]
    result = fmpy.simulate_fmu(
        str(path), fmi_type="CoSimulation", stop_time=STEPS * STEP, output_interval=STEP, output=[name]
    )
    assert name in outputs
    return float(result[name][-1])


def libcosim(path: Path, name: str) -> float:
    reference = next(v.valueReference for v in fmpy.read_model_description(str(path)).modelVariables if v.name == name)
    execution = CosimExecution.from_step_size(step_size=int(STEP * 1e9))
    slave = execution.add_local_slave(local_slave=CosimLocalSlave(fmu_path=str(path), instance_name="vehicle"))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer=observer)
    if not execution.simulate_until(target_time=int(STEPS * STEP * 1e9)):
        raise RuntimeError("libcosim did not reach the end")
    return observer.last_real_values(slave_index=slave, variable_references=[reference])[0]


def ecos(path: Path, name: str) -> float:
    with EcosSimulationStructure() as structure:
        structure.add_model("vehicle", str(path))
        with EcosSimulation(structure=structure, step_size=STEP) as simulation:
            simulation.init()
            simulation.step(STEPS)
            value = simulation.get_real(f"vehicle::{name}")
            simulation.terminate()
            return value


def main(out: Path) -> int:
    report = Report()
    for vehicle, version, path in every_fmu(out):
        want = alone(path, vehicle.speed)
        for master in (libcosim, ecos) if version == 2 else (ecos,):
            got = master(path.resolve(), vehicle.speed)
            report.note(
                got == want,
                f"{master.__name__}: {vehicle.name} {version}.0, {vehicle.speed} = {got!r} m/s, in FMPy {want!r}",
            )
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
