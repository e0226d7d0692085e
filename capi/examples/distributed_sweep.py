"""A parameter study of an FMU, spread over a cluster by Dask.

    python distributed_sweep.py FMU [SCHEDULER]

FMU is GenericVehicle.fmu (FMI 2.0 or 3.0). SCHEDULER is the address of a Dask scheduler,
for example tcp://host:8786; without it two worker processes of this machine do the work.
Needs fmpy and distributed. The file is sent to the workers, so that they need no access to
this machine's disk. Prints for each mass the lateral position after 2 s of steady steering,
and how many processes took part.
"""

import os
import sys
import tempfile
from pathlib import Path


def simulate(content, mass):
    """One run; a worker keeps the unpacked FMU for the next one."""
    import hashlib

    import fmpy

    folder = Path(tempfile.gettempdir()) / ("fmu-" + hashlib.sha256(content).hexdigest()[:16] + f"-{os.getpid()}")
    if not (folder / "modelDescription.xml").exists():
        file = folder.with_suffix(".fmu")
        file.write_bytes(content)
        fmpy.extract(str(file), str(folder))
    result = fmpy.simulate_fmu(
        str(folder), fmi_type="CoSimulation", stop_time=2.0, output_interval=0.1,
        start_values={"body.mass": mass, "steer_FL.angle": 0.02, "steer_FR.angle": 0.02}, output=["body.y"],
    )
    return mass, float(result["body.y"][-1]), os.getpid()


def main():
    from distributed import Client, LocalCluster

    if len(sys.argv) > 2:
        client = Client(sys.argv[2])
    else:
        client = Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))
    with client:
        content = client.scatter(Path(sys.argv[1]).read_bytes(), broadcast=True)
        runs = [client.submit(simulate, content, 1800.0 + 100 * i, pure=False) for i in range(7)]
        results = client.gather(runs)
    for mass, y, _ in results:
        print(f"{mass:.0f} kg: y = {y:.3f} m")
    print(f"{len(results)} runs in {len({process for _, _, process in results})} processes")


if __name__ == "__main__":
    main()
