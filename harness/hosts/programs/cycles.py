"""Group 1 in Python: cycles.py COUNT SCRATCH FOLDER... -- FMU...

COUNT cycles from fresh copies with ctypes, and as many with FMPy's simulate_fmu.
"""

import os
import shutil
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy's own threads, one per processor, are not ours

import fmpy

import hostile

MAX_THREADS, MAX_GROWTH, SETTLED = 16, 20 << 20, 20


def measure():
    with open("/proc/self/statm") as file:
        resident = int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    with open("/proc/self/maps") as file:
        mappings = sum("skidpad" in line or "GenericVehicle" in line for line in file)
    return len(os.listdir("/proc/self/task")), resident, mappings


def repeat(title, count, cycle):
    for n in range(count):
        cycle(n)
        if n + 1 == SETTLED:
            _, resident_before, mappings_before = measure()
    threads, resident, mappings = measure()
    growth = resident - resident_before
    hostile.figure(f"{title}: {count} cycles, {threads} threads, resident {growth / (1 << 20):+.1f} MiB since cycle "
                   f"{SETTLED}, our mappings {mappings - mappings_before:+d}")
    assert threads <= MAX_THREADS
    assert growth < MAX_GROWTH
    assert mappings <= mappings_before


def main():
    count, scratch, rest = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    folders, packages = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    first = {}

    def fresh(n):
        target = os.path.join(scratch, f"python{n}")
        shutil.copytree(folders[n % len(folders)], target)
        fmu = hostile.Fmu(target)
        rates = hostile.drive(fmu, 10)
        fmu.close()
        shutil.rmtree(target)
        assert first.setdefault(n % len(folders), rates) == rates

    def simulate(n):
        package = packages[n % len(packages)]
        result = fmpy.simulate_fmu(package, stop_time=0.05, step_size=0.01, output_interval=0.01,
                                   output=["body.vx", "body.wz"], fmi_type="CoSimulation")
        rows = [tuple(row) for row in result]
        assert len(rows) == 6
        assert first.setdefault(package, rows) == rows

    repeat("ctypes", count, fresh)
    repeat(f"FMPy {fmpy.__version__}", count, simulate)


if __name__ == "__main__":
    main()
