"""Measures the cost of Python beside the library, as ratios in one run:

    python harness/evidence/bench/python.py [PART...]

Every value is the median of alternating rounds. Needs skidpad[gym,study]. The vehicle is the generic vehicle, Heun, 1
ms, one thread. Parts:

    fleets        the call in Python beside the C function, with and without bound arrays; rollouts; partial resets
    restores      short runs of a vehicle, each after restoring a state
    environments  environment steps beside the steps of gymnasium's single vehicles
    studies       a study beside the sum of its runs
    memory        memory of the process that drives a study, for two numbers of runs
    million       a study of a million runs; takes minutes and runs only by its name
"""

import concurrent.futures
import functools
import multiprocessing
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import gymnasium
import numpy as np
import skidpad
import skidpad.envs
from skidpad._library import library
from skidpad._study_files import sealed

COUNT, ROUNDS, STEPS = 256, 7, 40
H = 0.001  # s
INPUTS = [f"{kind}_{wheel}.torque" for kind in ("brake", "drive") for wheel in ("FL", "FR", "RL", "RR")] + [
    "tire_FL.Fx_input",
    "tire_FR.Fx_input",
]
OUTPUTS = ["body.x", "body.y", "body.yaw", "body.vx", "body.vy", "body.wz", "tire_FL.Fz", "tire_FR.Fz", "tire_RL.Fz",
           "tire_RR.Fz"]  # fmt: skip


def seconds(call, steps):
    """The processor time of a step, s."""
    begin = time.process_time()
    for _ in range(steps):
        call()
    return (time.process_time() - begin) / steps


def ratios(base, others, steps=STEPS):
    """Medians of base in s, and of base by each of the others."""
    rows = []
    for _ in range(ROUNDS):
        rows.append([seconds(base, steps), *(seconds(call, steps) for call in others)])
    return statistics.median(row[0] for row in rows), [
        statistics.median(row[0] / row[k] for row in rows) for k in range(1, len(others) + 1)
    ]


def fleets():
    """Steps, bound arrays, rollouts, resets."""
    with skidpad.Vehicle("generic4w") as car:
        car.set_text("solver.method", "heun")
        fleet, bound, rolled, reset = (skidpad.Fleet(car, COUNT, threads=1) for _ in range(4))
    for one in (fleet, bound, rolled, reset):
        one.initialise()
    bound.bind(INPUTS, OUTPUTS)
    rolled.bind(INPUTS, OUTPUTS)
    state = reset.save([0])
    some = np.arange(COUNT) % 100 == 0
    statuses = np.zeros(COUNT, np.int32)
    inputs = np.zeros((STEPS, len(INPUTS)))

    def plain():
        library().skidpad_fleet_step(fleet._handle, None, H, statuses.ctypes.data)

    def with_resets():
        reset.restore(state, into=some, source=0)
        reset.step(H)

    def restored():
        reset.restore(state, source=0)

    def restarted():
        reset.reset()
        reset.initialise()

    mask = np.arange(COUNT) % 4 != 0  # a lane of each four is left out
    base, found = ratios(plain, [lambda: fleet.step(H), lambda: bound.step(H)])
    print(f"C call: {1e6 * base / COUNT:.3f} us a vehicle and step")
    for name, ratio in zip(("Fleet.step", "Fleet.step, ten inputs and ten outputs bound"), found):
        print(f"{name}: {ratio:.2f} of its speed")
    _, found = ratios(lambda: reset.step(H), [with_resets, restored, lambda: reset.step(H, where=mask)])
    _, (again,) = ratios(lambda: [fleet.step(H) for _ in range(STEPS)], [restarted], 1)
    print("by the speed of Fleet.step:")
    for name, ratio in zip(("after a restore of 1 %", "restore of all", "of three quarters of each lane group",
                            "reset and initialise"), [*found, again / STEPS]):  # fmt: skip
        print(f"    {name}: {ratio:.3g}")
    _, (ratio,) = ratios(lambda: [bound.step(H) for _ in range(STEPS)], [lambda: rolled.rollout(inputs, H)], 1)
    print(f"rollout with them by Fleet.step with them: {ratio:.2f}")


def restores():
    """Compares a short run after a restore with the run alone."""
    for model in ("generic4w", "passenger_car"):
        with skidpad.Vehicle(model) as car:
            car.set_text("solver.method", "euler")
            car.initialise()
            state = car.save()
            for what, record in (("one output", ["body.ay"]), ("all outputs", None)):
                run = functools.partial(car.simulate, 0.1, H, record=record)
                _, (ratio,) = ratios(lambda: (car.restore(state), run()), [run], 10)
                print(f"restore and simulate of 0.1 s by simulate alone, {model}, {what}: {ratio:.2f}")
            outputs = car.names(skidpad.Causality.OUTPUT)
            runs = [
                functools.partial(car.simulate, 2.0, H, record=record)
                for record in ([], outputs[:: len(outputs) // 20][:20], outputs)
            ]
            _, found = ratios(lambda: car.step(2.0), runs, 3)
            for what, ratio in zip(("nothing", "20 outputs", "all outputs"), found):
                print(f"simulate that records {what}, {model}, by one step of the same time: {1 / ratio:.2f}")


def environments():
    """Environment steps."""
    for step in (0.02, 0.001):
        with skidpad.envs.LaneKeeping(COUNT, step=step, threads=1) as envs:
            envs.reset(seed=1)
            actions = np.zeros((COUNT, 2))
            base, (ratio,) = ratios(lambda: envs._fleet.step(step), [lambda: envs.step(actions)], 10)
            own = COUNT * ratio / base
        print(f"LaneKeeping at {1e3 * step:g} ms: {ratio:.2f} of the fleet's own speed, {own:.0f} steps a second")
        one_by_one = gymnasium.vector.SyncVectorEnv([lambda step=step: skidpad.envs.LaneKeepingEnv(step=step)] * 8)
        one_by_one.reset(seed=1)
        took = statistics.median(seconds(lambda: one_by_one.step(np.zeros((8, 2))), 10) for _ in range(ROUNDS))
        print(f"    {own / (8 / took):.1f} times gymnasium's SyncVectorEnv over single vehicles")


def braking(fleet, design):
    """A run of a tenth of a second."""
    fleet.initialise()
    fleet.bind([], ["body.vx"])
    return {"speed": fleet.rollout([], 0.01, steps=10)[-1, :, 0]}


def studies(runs=100_000):
    """A study of many short runs beside the sum of its runs."""
    design = skidpad.design.random({"body.mass": (1800, 2400)}, runs, 1)
    folder = tempfile.mkdtemp()
    try:
        begin = time.monotonic()
        skidpad.study("generic4w", design, folder + "/study", run=braking, steps=100).wait()
        whole = time.monotonic() - begin
        with skidpad.Vehicle("generic4w") as car, skidpad.Fleet(car, 1984) as fleet:
            begin = time.monotonic()
            fleet.set(["body.mass"], design.rows(0, 1984))
            braking(fleet, {})
            part = (time.monotonic() - begin) * runs / 1984
    finally:
        shutil.rmtree(folder)
    print(f"study of {runs} runs: {whole:.0f} s, {whole / part:.2f} times the sum of its runs")


def resident(key):
    """The memory of this process now (VmRSS) or at most (VmHWM), MB."""
    line = next(line for line in pathlib.Path("/proc/self/status").read_text().splitlines() if line.startswith(key))
    return int(line.split()[1]) / 1024


def driven(runs, chunk):
    """Drives a study, and prints its time, files and memory; the workers are separate processes."""
    design = skidpad.design.random({"body.mass": (1800, 2400)}, runs, 1)
    folder = tempfile.mkdtemp()
    pool = functools.partial(concurrent.futures.ProcessPoolExecutor, 2, multiprocessing.get_context("spawn"))
    try:
        begin = time.monotonic()
        study = skidpad.study("generic4w", design, folder + "/study", run=braking, chunk=chunk, executor=pool)
        while study.progress.done == 0:
            time.sleep(0.1)
        first = resident("VmRSS")
        study.wait()
        size = sum(path.stat().st_size for path in pathlib.Path(folder, "study").iterdir()) / 1e6
        took = time.monotonic() - begin
        print(f"study of {runs} runs in chunks of {chunk}: {took:.0f} s, {size:.1f} MB of files; driver {first:.0f} MB "
              f"after the first chunk, {resident('VmHWM'):.0f} MB at most", flush=True)  # fmt: skip
    finally:
        shutil.rmtree(folder)


class Idle(concurrent.futures.Executor):
    """Workers that only report a chunk as done."""

    def submit(self, work, folder, identity, version, chunk, threads):
        done = concurrent.futures.Future()
        done.set_result(sealed({"chunk": chunk, "first": chunk * 1984, "rows": 1984, "failures": 0,
                                "sha256": "0" * 64, "bytes": 10**6, "seconds": 40.0, "worker": "host:1",
                                "study": identity}))  # fmt: skip
        return done


def counted(chunks):
    """Drives a study whose workers do nothing, and prints its time and memory."""
    design = skidpad.design.random({"body.mass": (1800, 2400)}, chunks * 1984, 1)
    with tempfile.TemporaryDirectory() as folder:
        begin, first = time.monotonic(), 0.0
        study = skidpad.study("generic4w", design, folder, run=braking, chunk=1984, executor=Idle())
        while study._thread.is_alive():
            time.sleep(0.01)
            if not first and study.progress.done > design.runs / 10:
                first = resident("VmRSS")
        took = time.monotonic() - begin
        print(f"driver of {design.runs:.3g} runs in {chunks} chunks that take no time: {took:.0f} s, "
              f"{first:.0f} MB after a tenth, {resident('VmHWM'):.0f} MB at most", flush=True)  # fmt: skip


def memory():
    """Measures the driver of several studies, each in its own process; some have ten times the runs and chunks."""
    for task in (["counted", "5000"], ["counted", "50000"], ["driven", "30000", "5000"], ["driven", "300000", "5000"]):
        subprocess.run([sys.executable, __file__, *task], check=True)


def million():
    """The driver of a study of a million runs."""
    subprocess.run([sys.executable, __file__, "driven", "1000000", "20000"], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] in (["driven"], ["counted"]):
        {"driven": driven, "counted": counted}[sys.argv[1]](*map(int, sys.argv[2:]))
    else:
        for part in sys.argv[1:] or ["fleets", "restores", "environments", "studies", "memory"]:
            {"fleets": fleets, "restores": restores, "environments": environments, "studies": studies,
             "memory": memory, "million": million}[part]()  # fmt: skip
