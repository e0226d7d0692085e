"""The third-party witness: accelerations at random states and trajectories of both vehicles,
found with the multibody engine MuJoCo.

    python witness.py accelerations RESOURCES OUT    OUT/generic4w.json, OUT/skidder.json
    python witness.py trajectories RESOURCES OUT     OUT/<manoeuvre>.csv
    python witness.py compare A B                    do two folders hold the same numbers?

SI units, radians, public names of variables."""

import csv
import json
import math
import sys
import tomllib
from pathlib import Path

import mujoco
import numpy as np

from vehicle import Vehicle

CASES = 50
STEP, SAMPLING = 0.002, 0.05  # s


def start(vehicle):
    """The start state of the model file by public name."""
    root = vehicle.components[vehicle.root].get("start", {})
    states = {}
    for key, names in (
        ("position", "xyz"),
        ("angles", ("yaw", "pitch", "roll")),
        ("velocity", ("vx", "vy", "vz")),
        ("angular_velocity", ("wx", "wy", "wz")),
    ):
        states |= {f"{vehicle.root}.{n}": vehicle.scalar(x) for n, x in zip(names, root.get(key, (0, 0, 0)))}
    for name, c in vehicle.joints:
        s = c.get("start", {})
        if c["type"] == "prismatic":
            states |= {name + ".s": vehicle.scalar(s.get("s", 0)), name + ".s_dot": vehicle.scalar(s.get("s_dot", 0))}
        elif c["type"] == "revolute":
            states |= {
                name + ".phi": vehicle.scalar(s.get("phi", 0)),
                name + ".omega": vehicle.scalar(s.get("omega", 0)),
            }
    for name, tire in vehicle.tires.items():
        if tire.delayed:
            states |= {name + ".q1": 0.0, name + ".q2": 0.0}
    return states


def random_case(vehicle, at_rest, random):
    """A state far from the manoeuvres; most tires touch the road."""
    states, root = dict(at_rest), vehicle.root
    speed = random.uniform(3, 30)
    for name, spread in (
        ("x", 100),
        ("y", 100),
        ("z", 0.02),
        ("yaw", math.pi),
        ("pitch", 0.03),
        ("roll", 0.03),
        ("vy", 2),
        ("vz", 0.5),
        ("wx", 0.5),
        ("wy", 0.5),
        ("wz", 0.5),
    ):
        states[f"{root}.{name}"] += random.uniform(-spread, spread)
    states[f"{root}.vx"] = speed
    inputs = {}
    heavy = not any(t.delayed for t in vehicle.tires.values())
    for name, c in vehicle.components.items():
        if c["type"] == "prismatic":
            states[name + ".s"] += random.uniform(-0.03, 0.03)
            states[name + ".s_dot"] = random.uniform(-0.3, 0.3)
        elif c["type"] == "revolute":
            states[name + ".phi"] = random.uniform(-20, 20)
            states[name + ".omega"] = speed / vehicle.tires[c["to"]].ru * random.uniform(0.75, 1.2)
        elif c["type"] == "motion-driver":
            widest = 0.5 if heavy else 0.2
            inputs |= {
                name + ".angle": random.uniform(-widest, widest),
                name + ".rate": random.uniform(-0.5, 0.5),
                name + ".acceleration": random.uniform(-2, 2),
            }
        elif c["type"] == "brake":
            inputs[name + ".torque"] = random.uniform(0, 20000 if heavy else 1000)
        elif c["type"] == "torque-driver":
            inputs[name + ".torque"] = random.uniform(-5000, 5000) if heavy else random.uniform(-300, 300)
        elif c["type"] == "tire" and not heavy:
            states |= {name + ".q1": random.uniform(-0.1, 0.1), name + ".q2": random.uniform(-0.1, 0.1)}
    return states, inputs


def accelerations(resources, out):
    for number, name in enumerate(("generic4w", "skidder")):
        vehicle = Vehicle(resources / "models" / (name + ".toml"))
        random = np.random.default_rng(2007 + number)
        at_rest, cases = start(vehicle), []
        for _ in range(CASES):
            states, inputs = random_case(vehicle, at_rest, random)
            derivatives, forces = vehicle.derivatives(*vehicle.set(states), inputs)
            cases.append({"inputs": inputs, "states": states, "derivatives": derivatives, "tires": forces})
        about = (
            "Random states of a vehicle: derivatives of speeds and slips, and tire forces, found with a third-party "
            "engine. SI units, radians, public names."
        )
        text = {"about": about, "engine": "MuJoCo " + mujoco.__version__, "model": name, "cases": cases}
        (out / (name + ".json")).write_text(json.dumps(text, indent=1) + "\n")


def signal(table):
    """Value, rate and acceleration of a manoeuvre's signal at a time."""
    if table["kind"] == "constant":
        return lambda t: (table["value"], 0.0, 0.0)
    if table["kind"] == "sine":
        a, w = table["amplitude"], 2 * math.pi / table["period"]
        return lambda t: (a * math.sin(w * t), a * w * math.cos(w * t), -a * w * w * math.sin(w * t))
    return lambda t: (float(np.interp(t, table["time"], table["value"])), 0.0, 0.0)


def trajectories(resources, out):
    for name in ("generic4w_sine", "generic4w_braking", "skidder_sine", "skidder_braking"):
        with open(resources / "manoeuvres" / (name + ".toml"), "rb") as file:
            manoeuvre = tomllib.load(file)
        vehicle = Vehicle(resources / "models" / (name.split("_")[0] + ".toml"))
        rows = trajectory(vehicle, manoeuvre)
        with open(out / (name + ".csv"), "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["time", *rows[0][1]])
            for time, states in rows:
                writer.writerow([format(x, ".12g") for x in (time, *states.values())])
        print(name, file=sys.stderr)


def trajectory(vehicle, manoeuvre):
    """RK4 of the manoeuvre: rows of time and states."""
    signals = [(i, signal(i["signal"])) for i in manoeuvre["input"]]

    def inputs(t):
        values = {}
        for i, s in signals:
            value, rate, acceleration = s(t)
            values |= {v: value for v in i.get("variables", ())}
            for d in i.get("drivers", ()):
                values |= {d + ".angle": value, d + ".rate": rate, d + ".acceleration": acceleration}
        return values

    def rate(t, q, v, s):
        a, slips, _ = vehicle.rates(q, v, s, inputs(t))
        dq = np.zeros(len(q))
        dq[:3], dq[7:] = v[:3], v[6:]
        w, x, y, z = q[3:7]
        p, r, n = v[3:6]  # in body axes: e' = e w/2
        dq[3:7] = 0.5 * np.array(
            [-x * p - y * r - z * n, w * p + y * n - z * r, w * r + z * p - x * n, w * n + x * r - y * p]
        )
        return dq, a, slips

    q, v, s = vehicle.set(start(vehicle) | manoeuvre.get("start", {}))
    rows = [(0.0, vehicle.public(q, v, s))]
    h, each = STEP, round(SAMPLING / STEP)
    for n in range(round(manoeuvre["duration"] / STEP)):
        t = n * STEP
        k1 = rate(t, q, v, s)
        k2 = rate(t + h / 2, *(x + h / 2 * k for x, k in zip((q, v, s), k1)))
        k3 = rate(t + h / 2, *(x + h / 2 * k for x, k in zip((q, v, s), k2)))
        k4 = rate(t + h, *(x + h * k for x, k in zip((q, v, s), k3)))
        q, v, s = (x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip((q, v, s), k1, k2, k3, k4))
        q[3:7] /= np.linalg.norm(q[3:7])
        if (n + 1) % each == 0:
            rows.append(((n + 1) // each * SAMPLING, vehicle.public(q, v, s)))
    return rows


def numbers(path):
    """The words and the numbers of a file, apart."""
    words, values = [], []

    def walk(x):
        if isinstance(x, dict):
            for k, y in x.items():
                words.append(k)
                walk(y)
        elif isinstance(x, list):
            for y in x:
                walk(y)
        elif isinstance(x, (int, float)):
            values.append(float(x))
        else:
            try:
                values.append(float(x))
            except ValueError:
                words.append(x)

    walk(json.loads(path.read_text()) if path.suffix == ".json" else list(csv.reader(path.open())))
    return words, np.array(values)


def compare(a, b):
    """Exit 1 unless both folders hold the same numbers: to 1e-11 relative, or absolute below 1,
    and in trajectories, over which rounding errors grow, to 1e-8."""
    good = True
    names = sorted(p.name for p in a.iterdir() if p.suffix in (".json", ".csv"))
    for name in names:
        (wa, va), (wb, vb) = numbers(a / name), numbers(b / name)
        if wa != wb or len(va) != len(vb):
            print(f"{name}: other names or sizes", file=sys.stderr)
            good = False
            continue
        worst = float(np.max(np.abs(va - vb) / np.maximum(1, np.abs(vb))))
        good = good and worst <= (1e-11 if name.endswith(".json") else 1e-8)
        print(f"{name}: {len(va)} numbers, largest difference {worst:.1e}", file=sys.stderr)
    return 0 if good and len(names) == 6 else 1


if __name__ == "__main__":
    verb, first, second = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if verb == "compare":
        sys.exit(compare(first, second))
    second.mkdir(parents=True, exist_ok=True)
    {"accelerations": accelerations, "trajectories": trajectories}[verb](first, second)
