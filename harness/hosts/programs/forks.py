"""Group 4 in Python: forks.py FOLDER

Pools that start their workers before and after the first instance, by fork,
spawn and forkserver.
"""

import multiprocessing
import signal
import sys

import hostile

WORKERS = 2
LIMIT = 60


def work(folder):
    """The yaw rates of a drive, or why there are none."""
    try:
        return hostile.drive(hostile.Fmu(folder))
    except RuntimeError as error:
        return str(error)


def pool(method, folder):
    with multiprocessing.get_context(method).Pool(WORKERS) as workers:
        return workers.map_async(work, [folder] * 4).get(timeout=LIMIT)


def main():
    folder = sys.argv[1]
    signal.alarm(3 * LIMIT)
    early = pool("fork", folder)
    fmu = hostile.Fmu(folder)
    rates = hostile.drive(fmu)
    assert all(r == rates for r in early), early
    for method in ("spawn", "forkserver"):
        late = pool(method, folder)
        assert all(r == rates for r in late), (method, late)
    refused = pool("fork", folder)
    assert all(isinstance(r, str) and "fork" in r and "spawn" in r for r in refused), refused
    assert hostile.drive(fmu) == rates
    hostile.figure(f"Python pools, FMI {fmu.version}.0: fork before, spawn and forkserver after the first instance "
                   "work; fork after it is refused: " + refused[0])


if __name__ == "__main__":
    main()
