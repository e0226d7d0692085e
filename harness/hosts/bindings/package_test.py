"""Laws of the Python package, tested with the installed wheel:

    python package_test.py OUT

OUT is what ./build.sh makes; run it from the repository root.
"""

import _thread
import base64
import concurrent.futures
import copy
import csv
import ctypes
import gc
import hashlib
import importlib.metadata
import io
import math
import multiprocessing
import os
import pathlib
import pickle
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import tomllib
import unittest
import unittest.mock
import weakref
import zipfile
from xml.etree import ElementTree

import numpy as np
import skidpad

sys.path.append(str(pathlib.Path(__file__).parent))  # an isolated Python does not look there
import testrun

OUT = pathlib.Path(sys.argv[1])
CAR = "resources/models/generic4w.toml"
CORNERS = ("FL", "FR", "RL", "RR")
H = 0.001  # s


def read(path):
    """The columns of a CSV file."""
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, np.array(rows, np.float64).T))


def steer(amplitude, period):
    """A sine for a motion driver [rad]."""
    w = 2 * math.pi / period
    return lambda t: (
        amplitude * math.sin(w * t),
        amplitude * w * math.cos(w * t),
        -amplitude * w * w * math.sin(w * t),
    )


def swerve(car, steps=200):
    """The last row of a run with a steering input."""
    turn = steer(0.02, 1.0)
    return car.simulate(steps * H, H, {"steer_FL": turn, "steer_FR": turn}).table[-1]


def fiala(tire, file):
    """The tire of Morency (2007), equations 3.31 to 3.37, corrected, in an upright wheel's contact."""
    with open(file, "rb") as source:
        p = tomllib.load(source)["parameters"]

    def forces(Fz, S, alpha, Omega):
        if Fz <= 0:
            return 0, 0, 0, 0, 0
        slip = min(math.hypot(S, math.tan(alpha)), 1)
        grip = (p["mu0"] - slip * (p["mu0"] - p["mu1"])) * Fz
        Fx = p["CS"] * S
        if abs(S) > grip / (2 * p["CS"]):
            Fx = math.copysign(grip - grip**2 / (4 * abs(S) * p["CS"]), S)
        H = max(0, 1 - p["Calpha"] * abs(math.tan(alpha)) / (3 * grip))
        Fy = -math.copysign(grip * (1 - H**3), alpha)
        Mz = math.copysign(grip * p["D2"] * (1 - H) * H**3, alpha)
        return Fx, Fy, 0, -p["Cr"] * Fz * math.copysign(1, Omega), Mz

    return forces


def crc32c(data):
    """The checksum of saved states, bit by bit."""
    rest = 0xFFFFFFFF
    for byte in data:
        rest ^= byte
        for _ in range(8):
            rest = rest >> 1 ^ (0x82F63B78 if rest & 1 else 0)
    return rest ^ 0xFFFFFFFF


def with_tires(model, file):
    """The car with a tire function on all wheels."""
    car = skidpad.Vehicle(CAR)
    for corner in CORNERS:
        car.set_text(f"tire_{corner}.model", model)
        car.set_text(f"tire_{corner}.file", file)
    return car


def drive_on(car):
    """In another process."""
    with car:
        return swerve(car, 1000)


def step_fleet(fleet):
    """In another process."""
    with fleet:
        fleet.step(0.05)
        return fleet.get(Fleets.OUTPUTS)


class Wheel(unittest.TestCase):
    def test_installed_files_are_those_of_the_record(self):
        package = importlib.metadata.distribution("skidpad")
        self.assertEqual(package.version, skidpad.__version__)
        version = skidpad._library.library().skidpad_version
        version.restype = ctypes.c_char_p
        self.assertEqual(version().decode(), skidpad.__version__)
        hashed = [file for file in package.files if file.hash and file.parts[0] == "skidpad"]
        self.assertIn("skidpad/libskidpad.so", map(str, hashed))
        for file in hashed:
            content = file.locate().read_bytes()
            self.assertEqual(
                base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode(), file.hash.value, file
            )
            self.assertEqual(len(content), file.size, file)

    def test_library_is_that_of_the_build(self):
        self.assertEqual(
            (pathlib.Path(skidpad.__file__).parent / "libskidpad.so").read_bytes(), (OUT / "libskidpad.so").read_bytes()
        )


class Shipped(unittest.TestCase):
    """What the package carries, used in an empty folder, as far as possible from the repository."""

    def runs(self, *arguments):
        with tempfile.TemporaryDirectory() as empty:
            return subprocess.run(list(map(str, arguments)), cwd=empty, capture_output=True, text=True)

    def test_names_are_those_of_the_files(self):
        for kind in ("models", "manoeuvres", "tires", "roads"):
            shelf, files = getattr(skidpad, kind), sorted(pathlib.Path("resources", kind).iterdir())
            self.assertEqual(len(shelf.names()), len(files))
            for name, file in zip(shelf.names(), files):
                self.assertIn(name, (file.stem, file.name))
                self.assertEqual(shelf.path(name).read_bytes(), file.read_bytes())
        self.assertLessEqual({"pacejka2002.tir", "pacejka2002.toml", "brush_wheel"}, set(skidpad.tires.names()))
        with self.assertRaisesRegex(KeyError, "similar are passenger_car,"):
            skidpad.models.path("passenger_cat")
        with self.assertRaisesRegex(KeyError, r"skidpad\.roads\.names\(\) lists all"):
            skidpad.roads.path("qqqq")

    def test_names_stand_for_models_where_there_is_no_such_file(self):
        with skidpad.Vehicle("generic4w") as car, skidpad.Vehicle(CAR) as same:
            car.initialise()
            same.initialise()
            np.testing.assert_array_equal(swerve(car), swerve(same))
        done = self.runs(
            *(sys.executable, "-I", "-c"),
            "import pathlib, skidpad; pathlib.Path('disc').write_text('name = 1'); skidpad.Vehicle('disc')",
        )
        self.assertIn("disc:1:8", done.stderr)
        done = self.runs(
            *(sys.executable, "-I", "-c"),
            "import os, skidpad; os.mkdir('generic4w'); print(skidpad.Vehicle('generic4w')['body.vx'])",
        )
        self.assertEqual((done.stdout, done.stderr), ("20.0\n", ""))
        for name, text in (
            ("generic5w", r'called "generic5w"; similar are generic4w.*; skidpad\.models\.names\(\) lists all'),
            ("qqqq", r'called "qqqq"; skidpad\.models\.names\(\) lists all'),
        ):
            with self.assertRaisesRegex(skidpad.Error, text) as raised:
                skidpad.Vehicle(name)
            self.assertEqual(raised.exception.status, skidpad.Status.MODEL)

    def test_a_vehicle_needs_no_current_folder(self):
        done = self.runs(
            *(sys.executable, "-I", "-c"),
            "import os, pathlib, pickle, shutil, sys, skidpad\n"
            "shutil.copytree(skidpad.models.path('generic4w').parents[1], 'res')\n"
            "car = skidpad.Vehicle('res/models/generic4w.toml')\n"
            "os.mkdir('elsewhere')\n"
            "os.chdir('elsewhere')\n"
            "with pickle.loads(pickle.dumps(car)) as other, skidpad.Vehicle('generic4w') as shipped:\n"
            "    assert other.save() == car.save()\n"
            "    assert car.equations() == shipped.equations()\n",
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_command_runs_anywhere(self):
        model, manoeuvre = "generic4w", "generic4w_sine"
        run = ["simulate", model, "--manoeuvre", manoeuvre, "--duration", "0.1", "--record", "body.y"]
        here = self.runs(skidpad.command(), *run)
        self.assertEqual((here.returncode, here.stdout[:11]), (0, "time,body.y"), here.stderr)
        for way in ([sys.executable, "-I", "-m", "skidpad"], [pathlib.Path(sys.executable).with_name("skidpad")]):
            self.assertEqual(self.runs(*way, *run).stdout, here.stdout)
        there = self.runs(OUT.resolve() / "skidpad", *run[:1], pathlib.Path(CAR).resolve(), *run[2:3],
                          pathlib.Path(f"resources/manoeuvres/{manoeuvre}.toml").resolve(), *run[4:])  # fmt: skip
        self.assertEqual(there.stdout, here.stdout, there.stderr)
        self.assertEqual(self.runs(sys.executable, "-I", "-m", "skidpad", "simulate").returncode, 2)

    def test_headers_are_those_of_the_library(self):
        headers = {path.name: path.read_bytes() for path in skidpad.include().iterdir()}
        self.assertEqual(headers, {path.name: path.read_bytes() for path in OUT.glob("*.h")})

    def test_a_wheel_has_at_most_20_mb(self):
        (wheel,) = OUT.glob("skidpad-*.whl")
        self.assertLess(wheel.stat().st_size, 20e6)


class Header(unittest.TestCase):
    header = (OUT / "skidpad.h").read_text()

    def test_numbers_are_those_of_the_header(self):
        numbers = {name: int(value) for name, value in re.findall(r"\bSKIDPAD_([A-Z_]+)(?: =)? (-?\d+)", self.header)}
        self.assertEqual(numbers.pop("ABI_VERSION"), skidpad._library.ABI_VERSION)
        reads = [numbers.pop(f"READ_AFTER_{point}") for point in ("STEP", "INPUTS")]
        self.assertEqual(reads, [read == "after" for read in ("before", "after")])
        kinds = {f"KIND_{name}": value for name, value in skidpad.Kind.__members__.items()}
        self.assertEqual(numbers, {**skidpad.Status.__members__, **skidpad.Causality.__members__, **kinds})

    def test_functions_are_those_of_the_header(self):
        functions = re.findall(r"^SKIDPAD_API int32_t skidpad_(\w+)\((?!void\))([^)]*)\)", self.header, re.MULTILINE)
        self.assertEqual(
            {  # describe tells all that find does, and load_reactions loads
                name: arguments.count(",") + 1 for name, arguments in functions if name not in ("find", "load")
            },
            {name: len(arguments) for name, arguments in skidpad._library._FUNCTIONS.items()},
        )


class Runs(unittest.TestCase):
    def test_runs_give_the_bits_of_the_command(self):
        for model, manoeuvre in (
            ("generic4w", "generic4w_sine"),
            ("skidder", "skidder_braking"),
            ("motorcycle2d", "motorcycle2_drive"),
        ):
            with self.subTest(manoeuvre), tempfile.TemporaryDirectory() as folder:
                model, file = f"resources/models/{model}.toml", f"resources/manoeuvres/{manoeuvre}.toml"
                subprocess.run(
                    [
                        OUT / "skidpad",
                        "simulate",
                        model,
                        "--manoeuvre",
                        file,
                        "--step",
                        "0.002",
                        "--duration",
                        "0.5",
                        "--hold",
                        "--out",
                        f"{folder}/out.csv",
                        "--inputs",
                        f"{folder}/in.csv",
                    ],
                    check=True,
                    capture_output=True,
                )
                inputs, expected = read(f"{folder}/in.csv"), read(f"{folder}/out.csv")
                time = inputs.pop("time")
                with open(file, "rb") as source:
                    description = tomllib.load(source)
                with skidpad.Vehicle(model) as vehicle:
                    for name, value in description.get("parameters", {}).items():
                        vehicle.set_text(name, value) if isinstance(value, str) else vehicle.set([name], value)
                    start = description.get("start", {})
                    vehicle.set(list(start), list(start.values()))
                    vehicle.set(list(inputs), [values[0] for values in inputs.values()])
                    vehicle.initialise()
                    trace = vehicle.simulate(0.5, 0.002, inputs)
                self.assertEqual(list(trace), [name for name in expected if name != "time"])
                np.testing.assert_array_equal(trace.time, time)
                for name in trace:
                    np.testing.assert_array_equal(trace[name], expected[name], name)
                self.assertGreater(np.ptp(trace.table, axis=0).max(), 0.1)

    def test_a_driver_stands_for_its_three_inputs(self):
        turn, n = steer(0.02, 1.0), 100
        table = np.array([turn(k * H) for k in range(n + 1)])
        parts = {f"steer_FL.{part}": table[:, i] for i, part in enumerate(("angle", "rate", "acceleration"))}
        runs = []
        for inputs in ({"steer_FL": turn}, {"steer_FL": table}, parts):
            with skidpad.Vehicle(CAR) as car:
                car.initialise()
                runs.append(car.simulate(n * H, H, inputs).table)
        np.testing.assert_array_equal(runs[0], runs[1])
        np.testing.assert_array_equal(runs[0], runs[2])
        self.assertGreater(abs(runs[0][-1]).max(), 0)

    def test_a_table_drives_as_a_function_does(self):
        """Also over more steps than the library makes in one call, and up to a value that is refused."""
        n, brake, names = 2300, "brake_FL.torque", ["body.vx", "body.wz", "brake_FL.torque"]
        torque = np.linspace(0, 300, n + 1)
        with skidpad.Vehicle(CAR) as one, one.copy() as other:
            for car in (one, other):
                car.initialise()
            table = one.simulate(n * H, H, {brake: torque}, names).table
            function = other.simulate(n * H, H, {brake: lambda t: torque[round(t / H)]}, names).table
            np.testing.assert_array_equal(table, function)
            self.assertEqual(len(np.unique(table[:, 0])), n + 1)
            before = one.time
            torque[1200] = np.nan
            self.assertRaisesRegex(skidpad.Error, "brake_FL.torque = NaN", one.simulate, n * H, H, {brake: torque})
            self.assertAlmostEqual(one.time, before + 1200 * H, delta=1e-9)

    def test_values_are_read_after_inputs_are_set(self):
        n, brake, names = 1100, "brake_FL.torque", ["brake_FL.torque", "body.ax", "body.x"]
        torque = np.linspace(0, 300, n + 1)
        with skidpad.Vehicle(CAR) as before, before.copy() as after, before.copy() as loop, before.copy() as steps:
            for car in (before, after, loop, steps):
                car.initialise()
            old = before.simulate(n * H, H, {brake: torque}, names)
            new = after.simulate(n * H, H, {brake: torque}, names, read="after")
            same = loop.simulate(n * H, H, {brake: lambda t: torque[round(t / H)]}, names, read="after")
            for k in range(n + 1):
                steps.set(brake, torque[k])
                np.testing.assert_array_equal(steps.get(names), new.table[k])
                if k < n:
                    steps.step(H)
        np.testing.assert_array_equal(new.table, same.table)
        np.testing.assert_array_equal(new["body.x"], old["body.x"])
        np.testing.assert_array_equal(new[brake], torque)
        np.testing.assert_array_equal(old[brake][1:], torque[:-1])
        self.assertTrue((new["body.ax"][1:] != old["body.ax"][1:]).all())
        with self.assertRaisesRegex(ValueError, 'read is \'late\'; allowed are "before" and "after"'):
            before.simulate(H, H, read="late")

    def test_a_function_closes_a_loop(self):
        torque, speed = "brake_FL.torque", "body.vx"
        with skidpad.Vehicle(CAR) as car:
            car.initialise()
            trace = car.simulate(0.1, H, {torque: lambda t: 10 * car[speed] + t}, [speed, torque])
        np.testing.assert_array_equal(trace[torque][1:], (10 * trace[speed] + trace.time)[:-1])

    def test_a_function_that_steps_the_vehicle_is_refused(self):
        with skidpad.Vehicle(CAR) as car:
            car.initialise()
            with self.assertRaisesRegex(skidpad.Error, r"moved the vehicle from 0 s to 0\.1 s; it may read it"):
                car.simulate(1.0, 0.1, {"brake_FL.torque": lambda t: car.step(0.1) or 0.0})

    def test_rates_make_ramps(self):
        torque, speed = "brake_FL.torque", "body.vx"
        with skidpad.Vehicle(CAR) as free, free.copy() as held, free.copy() as ramped:
            for car in (free, held, ramped):
                car.initialise()
            ramped.set_rates([torque], 5000)  # N m/s
            for k in range(100):
                held[torque] = 5000 * (k + 0.5) * H  # the mean of the ramp
                held.step(H)
            free.step(100 * H)
            ramped.step(100 * H)
            slower = free[speed] - held[speed]
            self.assertGreater(slower, 1e-3)
            self.assertAlmostEqual(free[speed] - ramped[speed], slower, delta=0.02 * slower)

    def test_a_run_in_two_parts_is_one_run(self):
        torque = np.linspace(0, 300, 101)
        with skidpad.Vehicle(CAR) as whole, whole.copy() as parts:
            for car in (whole, parts):
                car.initialise()
            one = whole.simulate(100 * H, H, {"brake_FL.torque": torque})
            first = parts.simulate(60 * H, H, {"brake_FL.torque": torque[:61]})
            second = parts.simulate(40 * H, H, {"brake_FL.torque": torque[60:]})
            self.assertAlmostEqual(parts.time, 100 * H, delta=1e-12)
        np.testing.assert_array_equal(first.table[:-1], one.table[:60])
        np.testing.assert_array_equal(second.table[1:], one.table[61:])
        np.testing.assert_allclose(np.concatenate([first.time[:-1], second.time]), one.time, rtol=0, atol=1e-12)

    def test_numbers_go_to_one_or_all(self):
        names = [f"brake_{corner}.torque" for corner in CORNERS]
        with skidpad.Vehicle(CAR) as car:
            car.set(names, np.arange(8.0)[::2])
            np.testing.assert_array_equal(car.get(names), [0, 2, 4, 6])
            car.set(names, 5)
            np.testing.assert_array_equal(car.get(names[::-1]), [5, 5, 5, 5])
            self.assertEqual(len(car.get([])), 0)
            self.assertEqual(car.variables["body.vx"].unit, "m/s")
            self.assertEqual(car.variables["body.vx"].start, 20)
            self.assertTrue(set(names) <= set(car.names(skidpad.Causality.INPUT)))
            self.assertIn("body.mass", car.names(skidpad.Causality.PARAMETER))

    def test_values_are_the_callers_own(self):
        with skidpad.Vehicle(CAR) as car:
            names = ["body.vx", "brake_FL.torque", "brake_FR.torque"]
            car["body.vx"] = 20
            before = car.get(names)
            car.set(names, [30, 1, 2])
            self.assertEqual(before.tolist(), [20, 0, 0])
            self.assertEqual(car.get(names[::-1]).tolist(), [2, 1, 30])
            with self.assertRaises(ValueError):
                car.set(names, [1, 2])
            for k in range(600):  # more lists of names than a vehicle keeps
                self.assertEqual(set(car.get([names[k % 3]] * (k // 3 + 1))), {[30, 1, 2][k % 3]})

    def test_peaks_of_tires_are_computed_where_they_are_read(self):
        names = ["tire_FL.mu_x_peak", "tire_FL.utilisation", "tire_RR.kappa_peak", "tire_RR.kappa_peak_found"]
        with skidpad.Vehicle(CAR) as car:
            for name in names:
                variable = car.variables[name]
                self.assertEqual((variable.kind, variable.causality), (skidpad.Kind.PEAK, skidpad.Causality.LOCAL))
            self.assertFalse(set(names) & set(car.names(skidpad.Causality.OUTPUT)))
            car.initialise()
            with skidpad.Fleet(car, 6) as fleet:
                alone = car.simulate(0.05, H, {"brake_RR.torque": 300.0}, names)
                for k in range(50):
                    fleet.set(["brake_RR.torque"], 300)
                    fleet.step(H)
                np.testing.assert_array_equal(fleet.get(names), [alone.table[-1]] * 6)
            mu, used, slip, found = car.get(names)
            self.assertTrue(0.5 < mu < 2 and 0 < used < 0.5 and -0.5 < slip < -0.01 and found == 1)
            of = {key: car[f"tire_FL.{key}"] for key in ("Fx", "Fy", "Fz", "mu_y_peak")}
            self.assertAlmostEqual(used, math.hypot(of["Fx"] / mu, of["Fy"] / of["mu_y_peak"]) / of["Fz"], delta=1e-12)
            with self.assertRaisesRegex(skidpad.Error, "tire_FL.mu_x_peak is computed by the model and cannot be set"):
                car[names[0]] = 1
            car.reset()
            car.set_text("tire_FL.model", "inputs")
            self.assertNotIn(names[0], car.variables)
            self.assertIn(names[2], car.variables)

    def test_jacobian_agrees_with_a_step(self):
        with skidpad.Vehicle(CAR) as car:
            car.initialise()
            car["brake_RR.torque"] = 200
            car.step(0.1)
            states = [name for name, v in car.variables.items() if v.kind == skidpad.Kind.STATE]
            rates = [f"der({name})" for name in states]
            self.assertEqual({car.variables[name].kind for name in rates}, {skidpad.Kind.RATE})
            before = car.save()
            matrix = car.jacobian([*rates, "body.ay"], [*states, "steer_FL.angle", "body.mass"])
            self.assertEqual(matrix.shape, (len(states) + 1, len(states) + 2))
            self.assertEqual(car.save(), before)
            np.testing.assert_array_equal(car.jacobian(rates[3:5], states), matrix[3:5, : len(states)])
            # what the inputs change: rates by a small steering angle
            now = car.get([*rates, "body.ay"])
            car["steer_FL.angle"] = 1e-6
            up = car.get([*rates, "body.ay"])
            np.testing.assert_allclose((up - now) / 1e-6, matrix[:, -2], atol=1e-4 * abs(matrix[:, -2]).max())
            self.assertGreater(abs(matrix[-1, -2]), 0.01)
            car["steer_FL.angle"] = 0
            # explicit Euler: x1 = x + h f(x), and the rates there by the matrix
            car.restore(before)
            x, f = car.get(states), car.get(rates)
            car.step(1e-6)
            change = matrix[:-1, : len(states)] @ (car.get(states) - x)
            np.testing.assert_allclose(car.get(rates) - f, change, atol=2e-3 * abs(change).max())
            for of, by, reason in (
                (["body.mass"], states[:1], "body.mass has no derivatives"),
                (rates[:1], ["tire_FL.PKY1"], "a coefficient of a tire"),
                (rates[:1], ["body.nothing"], "no variable is called"),
            ):
                with self.assertRaisesRegex(skidpad.Error, reason):
                    car.jacobian(of, by)
            self.assertEqual(car.jacobian([], states).shape, (0, len(states)))

    def test_gradients_of_runs(self):
        step, steps = 0.01, 50
        angle = 0.02 * np.sin(0.1 * np.arange(steps + 1))
        inputs = {"steer_FL.angle": angle, "steer_FR.angle": angle}
        cost = skidpad.cost.squares({"body.wz": 0.5 * angle}, deviation=0.01)
        cost += 2 * skidpad.cost.mean("body.ay", power=2)
        cost += skidpad.cost.integral("body.vy") + skidpad.cost.final("tire_FL.Fz") * 1e-3
        by = {"mass": ["body.mass"], "springs": ["spring_FL.stiffness", "spring_FR.stiffness"], "speed": ["body.vx"]}
        with skidpad.Vehicle(CAR) as car:
            car["body.mass"] = 1600
            along = car.gradient(cost.names, by, steps * step, step, inputs)
            value, weights = cost.evaluate(along.value.time, along.value)
            chained = sum(weights[name] @ along.array[:, i] for i, name in enumerate(cost.names))
            back = car.gradient(cost, by, steps * step, step, inputs, by_inputs=["steer_FL.angle"])
            self.assertEqual(back.value, value)
            np.testing.assert_allclose(back.array, chained, rtol=1e-9)
            self.assertEqual(back["springs"], back.array[1])
            little = car.gradient(cost, by, steps * step, step, inputs, memory=1_000_000)
            np.testing.assert_array_equal(little.array, back.array)

            def changed(at, change):
                moved = angle.copy()
                moved[at] += change
                return car.gradient(cost, [], steps * step, step, {**inputs, "steer_FL.angle": moved}).value

            for at in (3, 40):
                slope = (changed(at, 1e-5) - changed(at, -1e-5)) / 2e-5
                self.assertAlmostEqual(back.inputs["steer_FL.angle"][at, 0] / slope, 1, places=6)
            self.assertEqual(car["body.mass"], 1600)  # nothing ran
            with self.assertRaisesRegex(skidpad.Error, "coefficient of a tire"):
                car.gradient(["body.wz"], ["tire_FL.PKY1"], 1, 0.1)
            for arguments, reason in (
                ((["body.wz"], ["body.mass"], 1, 0.3), "whole number of steps"),
                ((["body.wz"], ["body.mass", "body.mass"], 1, 0.1), "twice"),
                ((["body.wz"], [], 1, 0.1, {"steer_FL.angle": lambda t: t}), "give an array"),
                ((skidpad.cost.squares({"body.wz": [1.0]}), [], 1, 0.1), "has 11 communication points"),
            ):
                with self.assertRaisesRegex(ValueError, reason):
                    car.gradient(*arguments)
            with self.assertRaisesRegex(KeyError, "similar"):
                back["sprngs"]
            car.initialise()
            with self.assertRaisesRegex(skidpad.Error, "before the initialisation"):
                car.gradient(cost, by, 1, 0.1)

    def test_coefficients_of_tires_are_parameters(self):
        with skidpad.Vehicle(CAR) as car:
            self.assertEqual(car.variables["tire_FL.LMUY"].causality, skidpad.Causality.TUNABLE)
            self.assertEqual(car.variables["tire_FL.PKY1"].causality, skidpad.Causality.PARAMETER)
            self.assertNotIn("tire_FL.Calpha", car.variables)
            soft = 0.9 * car["tire_FL.PKY1"]
            car["tire_FL.PKY1"] = soft
            car.initialise()
            car["steer_FL.angle"] = car["steer_FR.angle"] = 0.05
            state = car.save()
            car["tire_FL.LMUY"] = 0.25  # between steps
            with self.assertRaises(skidpad.Error):
                car["tire_FL.PKY1"] = 21
            car.step(0.5)
            slippery = car["body.wz"]
            car.restore(state)
            self.assertEqual(car["tire_FL.LMUY"], 1)
            self.assertEqual(car["tire_FL.PKY1"], soft)
            car.step(0.5)
            self.assertLess(slippery, car["body.wz"])
            car.reset()
            self.assertNotEqual(car["tire_FL.PKY1"], soft)
            car.set_text("tire_FL.model", "Fiala")
            car.set_text("tire_FL.file", "../tires/fiala_generic4w.toml")
            self.assertGreater(car["tire_FL.Calpha"], 0)
            self.assertNotIn("tire_FL.PKY1", car.variables)
            with self.assertRaisesRegex(skidpad.Error, "tire_FL.PKY1"):
                car["tire_FL.PKY1"]

    @testrun.requires("pandas")
    def test_pandas(self):
        with skidpad.Vehicle(CAR) as car:
            car.initialise()
            trace = car.simulate(0.01, H, record=["body.vx", "body.wz"])
        frame = trace.to_pandas()
        self.assertEqual(list(frame.columns), ["body.vx", "body.wz"])
        np.testing.assert_array_equal(frame.index, trace.time)
        np.testing.assert_array_equal(frame["body.vx"], trace["body.vx"])
        self.assertEqual(frame.attrs["units"], {"body.vx": "m/s", "body.wz": "rad/s"})


class Warned(unittest.TestCase):
    """Warnings of values beyond their limits during a run, also if they have returned."""

    def falling(self, height):
        """A car that begins at a height [m], initialised."""
        car = skidpad.Vehicle("passenger_car")
        self.addCleanup(car.close)
        car["body.z"] = height
        car.initialise()
        return car

    def test_traces_have_the_farthest_values_and_when_they_were(self):
        car = self.falling(1.4)
        trace = car.simulate(1.5, 0.001, record=["tire_FL.Fz"])
        (load,) = [w for w in trace.warnings if (w.subject, w.quantity) == ("tire_FL", "Fz")]
        beyond = trace["tire_FL.Fz"] > load.high
        self.assertEqual((load.rule, load.unit, load.high, load.low), ("range", "N", 9000.0, None))
        self.assertEqual(load.worst, trace["tire_FL.Fz"].max())
        self.assertAlmostEqual(load.when, trace.time[trace["tire_FL.Fz"].argmax()], 9)
        self.assertAlmostEqual(load.first, trace.time[beyond.argmax()], 9)
        self.assertEqual(load.count, int(beyond[0]) + int((~beyond[:-1] & beyond[1:]).sum()))
        self.assertIn("take parameters", str(load))
        self.assertTrue(load.of_run)
        quiet = self.falling(0.62).simulate(0.5, 0.001)
        self.assertFalse([w for w in quiet.warnings if w.of_run])

    def test_saved_states_have_the_table(self):
        car = self.falling(1.2)
        car.simulate(0.6, 0.001)
        other = copy.copy(car)
        self.addCleanup(other.close)
        own = [w for w in car.run_warnings() if w.of_run]
        self.assertEqual(list(other.run_warnings()), own)
        self.assertTrue(own)
        car.reset()
        car.initialise()
        self.assertEqual(car.run_warnings(), ())

    def test_fleets_have_those_of_their_vehicles(self):
        heights = [0.62, 0.9, 1.2, 1.4, 1.2]
        with skidpad.Vehicle("passenger_car") as car, skidpad.Fleet(car, len(heights)) as fleet:
            fleet.set(["body.z"], [[z] for z in heights])
            fleet.initialise()
            fleet.bind([], ["tire_FL.Fz"])
            fleet.rollout([], 0.001, steps=800)
            tables = fleet.run_warnings()
        for height, table in zip(heights, tables):
            alone = self.falling(height)
            alone.simulate(0.8, 0.001)
            self.assertEqual(table, alone.run_warnings())
        self.assertFalse([w for w in tables[0] if w.of_run])
        self.assertEqual(tables[2], tables[4])


class States(unittest.TestCase):
    def test_a_restored_vehicle_goes_on_alike(self):
        with skidpad.Vehicle(CAR) as car:
            car["body.mass"] = 1900
            car.initialise()
            swerve(car)
            state, time = car.save(), car.time
            first = swerve(car)
            car.restore(state)
            self.assertEqual(car.time, time)
            np.testing.assert_array_equal(swerve(car), first)
            with car.copy() as other:
                other.restore(state)
                self.assertEqual(other["body.mass"], 1900)
                np.testing.assert_array_equal(swerve(other), first)
            car.reset()
            self.assertEqual((car.time, car["body.mass"]), (0, 2077))
            with self.assertRaises(skidpad.Error):
                car.restore(state[:-1])

    def test_a_restored_vehicle_has_the_variables_of_its_tires(self):
        with skidpad.Vehicle(CAR) as car, car.copy() as other:
            for corner in CORNERS:
                other.set_text(f"tire_{corner}.model", "Fiala")
                other.set_text(f"tire_{corner}.file", "../tires/fiala_generic4w.toml")
            listed, states = [], []
            for one in (car, other):
                one.initialise()
                listed.append(list(one.variables.values()))
                states.append(one.save())
            coefficient = "tire_RR.Calpha"
            for k in (1, 0, 1):
                car.restore(states[k])
                self.assertEqual(coefficient in car, k == 1)
                self.assertEqual(list(car.variables.values()), listed[k])
                car.restore(states[1 - k])
                self.assertEqual(list(car.variables.values()), listed[1 - k])
                car.restore(states[k])
                self.assertEqual(len(car.names()), len(listed[k]))
                outputs = [v for v in listed[k] if v.causality == skidpad.Causality.OUTPUT]
                trace = car.simulate(0.01, H)
                self.assertEqual(trace.units, {v.name: v.unit for v in outputs})
            trace = car.simulate(0.01, H, inputs={"steer_FL": 0.01}, record=["body.wz", coefficient])
            self.assertEqual(trace.units, {"body.wz": "rad/s", coefficient: car.variables[coefficient].unit})
            with car.copy() as third:
                self.assertNotIn(coefficient, third)
                self.assertEqual(list(third.variables.values()), listed[0])
                third.restore(states[1])
                with self.assertRaisesRegex(skidpad.Error, "similar are .*tire_RR.Calpha"):
                    third["tire_RR.Calphi"]
            car.reset()
            self.assertEqual(list(car.variables.values()), listed[0])

    def test_trim_ends_where_nothing_accelerates(self):
        with skidpad.Vehicle(CAR) as car:
            car["body.z"] -= 0.02
            car.trim()
            car.initialise()
            trace = car.simulate(0.5, H, record=["body.z", "body.wy"])
        self.assertLess(np.ptp(trace["body.z"]), 1e-4)

    def test_a_forgotten_vehicle_is_released(self):
        car = skidpad.Vehicle(CAR)
        handle = car._handle
        del car
        gc.collect()
        self.assertEqual(skidpad._library.library().skidpad_reset(handle), skidpad.Status.NO_VEHICLE)


class Errors(unittest.TestCase):
    def refuses(self, status, pattern, call, *arguments):
        with self.assertRaisesRegex(skidpad.Error, pattern) as raised:
            call(*arguments)
        self.assertEqual(raised.exception.status, status)
        return raised.exception

    def test_defects_of_a_model_have_places(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "defect.toml"
            file.write_text('name = "Defect"\ncolour = "red"\n')
            error = self.refuses(skidpad.Status.MODEL, r"defect\.toml:2:\d+: .*colour", skidpad.Vehicle, file)
        copied = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copied), copied.status), (str(error), error.status))
        self.refuses(skidpad.Status.MODEL, "nowhere.toml", skidpad.Vehicle, "nowhere.toml")

    def test_refusals_name_the_cause(self):
        car = skidpad.Vehicle(CAR)
        self.refuses(
            skidpad.Status.ARGUMENT, 'no variable is called "body.vxx"; similar are .*body.vx', car.get, ["body.vxx"]
        )
        for name in ("solver.method", "tire_FL.file"):
            text = f'"{name}": set_text sets this variable, and text reads it'
            self.refuses(skidpad.Status.ARGUMENT, text, car.set, [name], 1)
            self.refuses(skidpad.Status.ARGUMENT, text, car.set, name, "rk4")
            self.refuses(skidpad.Status.ARGUMENT, text, car.get, [name])
        self.refuses(skidpad.Status.REFUSED, "brake_FL.torque.*NaN", car.set, ["brake_FL.torque"], math.nan)
        self.refuses(skidpad.Status.REFUSED, "not initialised", car.step, H)
        self.refuses(skidpad.Status.REFUSED, "no_such_method", car.set_text, "solver.method", "no_such_method")
        car.set_text("solver.method", "rk4")
        self.assertEqual(car.text("solver.method"), "rk4")
        car.initialise()
        self.refuses(skidpad.Status.REFUSED, "body.mass", car.set, ["body.mass"], 1000)
        self.refuses(skidpad.Status.REFUSED, "above 0", car.step, -1)
        car.close()
        car.close()
        self.refuses(skidpad.Status.NO_VEHICLE, "not a living vehicle", car.step, H)

    def test_wrong_types_and_ranges_say_what_is_allowed(self):
        with skidpad.Vehicle(CAR) as car, skidpad.Fleet(car, 2) as fleet:
            for call, text in (
                (lambda: car.step(None), "h is None; give a number"),
                (lambda: car.step("1"), "h is '1'; give a number"),
                (lambda: car.restore("abc"), "of type str; give bytes, which save returns"),
                (lambda: car.set_text("solver.method", 1), "1 is given where a text is needed"),
                (lambda: car.set_time_limit(None), "seconds is None"),
                (lambda: car.simulate("1", H), "duration is '1'"),
                (lambda: fleet.step("1"), "h is '1'"),
                (lambda: fleet.rollout([], None, steps=1), "step is None"),
                (lambda: skidpad.Fleet(car, 1.5), "count is 1.5; give an integer from 1 to 1048576"),
                (lambda: skidpad.Fleet("generic4w", 3), "vehicle is 'generic4w'; give a skidpad.Vehicle"),
                (lambda: skidpad.step_all("ab", H), "vehicle 0 is 'a'; give vehicles"),
                (lambda: car[["body.vx", "body.vy"]], r"\['body.vx', 'body.vy'\] is given where a name is needed"),
                (lambda: car.set("body.mass", "1900 kg"), "the value of body.mass is '1900 kg'; give one number"),
                (lambda: car.set_rates("road.z", [1j]), r"the value of road.z is \[1j\]; give one number"),
                (lambda: fleet.set("body.mass", "1900 kg"), "the value of body.mass is '1900 kg'; give numbers"),
                (lambda: car.simulate(H, H, [("road.z", 0.0)]), r"inputs is \[.*; give a mapping"),
                (lambda: car.simulate(H, H, {"road.z": "0"}, []), 'signal of "road.z" is \'0\'; give a number'),
                (lambda: car.variables.search(3), "text is 3; give words"),
                (lambda: skidpad.sweep("generic4w", "generic4w_sine", {}), "vehicle is 'generic4w'; give a skidpad.V"),
                (lambda: skidpad.sweep(car, "generic4w_sine", {"body.vx": 15}), r'vary\["body.vx"\] is 15; give a'),
                (lambda: skidpad.sweep(car, "generic4w_sine", {"body.vx": [None]}), r'vary\["body.vx"\] is None'),
                (lambda: car.linearize({"body.vx": [10, 20]}), r"at\['body.vx'\] is \[10, 20\]; give a number"),
                (lambda: car.linearize("body.vx=20"), "at is 'body.vx=20'; give a mapping"),
                (lambda: car.manoeuvre("acceleration", "to=20"), "let is 'to=20'; give a mapping"),
            ):
                self.assertRaisesRegex(TypeError, text, call)
            argument = skidpad.Status.ARGUMENT
            self.refuses(argument, "count is 0; allowed are 1 to 1048576", skidpad.Fleet, car, 0)
            self.refuses(argument, f"count is {2**63}; allowed are 1", skidpad.Fleet, car, 2**63)
            self.refuses(argument, f"threads is {2**40}; allowed are 0 to 1024", skidpad.Fleet, car, 2, 2**40)
            self.refuses(argument, "threads is -1; allowed are 0 to 1024", skidpad.step_all, [car], H, -1)
            self.refuses(skidpad.Status.BUSY, "vehicle 1 is vehicle 0 again", skidpad.step_all, [car, car], H)

    def test_one_name_is_a_list_of_one(self):
        with skidpad.Vehicle(CAR) as car, skidpad.Fleet(car, 2) as fleet:
            car.set("body.vx", 12.0)
            self.assertEqual(list(car.get("body.vx")), [12.0])
            fleet.set("body.vx", 13.0)
            np.testing.assert_array_equal(fleet.get("body.vx"), [[13.0], [13.0]])
            car.initialise()
            self.assertEqual(list(car.simulate(H, H, record="body.vx")), ["body.vx"])
            self.assertEqual([array.shape for array in fleet.bind("road.mu", "body.vx")], [(2, 1), (2, 1)])
            self.assertEqual(list(car), list(car.variables))
            self.assertTrue("body.vx" in car and "body.vxx" not in car and 3 not in car)
            for causality in ("output", 77):
                with self.assertRaisesRegex(ValueError, rf"{causality}.*; allowed are .*Causality\.INPUT"):
                    car.names(causality)

    def test_a_single_element_goes_to_one_name_only(self):
        names = ["brake_FL.torque", "brake_FR.torque", "brake_RL.torque", "brake_RR.torque", "road.mu"]
        with skidpad.Vehicle(CAR) as car, skidpad.Fleet(car, 3) as fleet:
            before = car.get(names)
            wanted = r"brake_RR.torque, \.\.\. .*or 5, one for each name"
            for values in ([7], np.ones(1), np.ones((1, 5)), np.ones((5, 1)), "12345"):
                with self.assertRaisesRegex((TypeError, ValueError), wanted):
                    car.set(names, values)
            np.testing.assert_array_equal(car.get(names), before)
            for values in ([7], np.ones((1, 1)), np.ones((1, 5)), np.ones((5, 3))):
                with self.assertRaisesRegex(ValueError, r"allowed are a number, \(5,\), \(3, 1\) and \(3, 5\)"):
                    fleet.set(names, values)
            fleet.set(names, [[7], [8], [9]])  # a number of each vehicle for all names
            np.testing.assert_array_equal(fleet.get(names), np.repeat([[7], [8], [9]], 5, axis=1))
            car.set((name for name in names[:1]), np.array([7.0]))
            self.assertEqual(car[names[0]], 7)

    def test_traces_and_states_are_compared_by_their_values(self):
        with skidpad.Vehicle(CAR) as car, skidpad.Fleet(car, 2) as fleet:
            car.initialise()
            start = car.save()
            first = car.simulate(H, H, record=["body.vx"])
            then = car.simulate(H, H, record=["body.vx"])
            car.restore(start)
            self.assertEqual(first, car.simulate(H, H, record=["body.vx"]))
            self.assertNotEqual(first, then)
            self.assertNotEqual(first, dict(first))
            states = fleet.save()
            self.assertEqual(states, fleet.save())
            fleet.set("body.mass", [1900.0, 2000.0])
            self.assertNotEqual(states, fleet.save())

    def test_names_that_are_not_there_have_similar_ones(self):
        with skidpad.Vehicle(CAR) as car:
            car.initialise()
            trace = car.simulate(H, H, record=["body.vx"])
            for call in (lambda: car.variables["body.vxx"], lambda: trace["body.vxx"]):
                self.assertRaisesRegex(KeyError, 'body.vxx".*; similar are .*body.vx', call)
            self.assertTrue("body.vx" in trace and "body.vxx" not in trace and "body.vx" in car.variables)

    def test_wrong_shapes_are_refused(self):
        with skidpad.Vehicle(CAR) as car:
            car.initialise()
            for call, arguments in {
                car.set: (["body.x", "body.y"], [1, 2, 3]),
                car.set_text: ("solver.method", "rk4\0"),
            }.items():
                self.assertRaises(ValueError, call, *arguments)
            for inputs in (
                {"brake_FL.torque": np.zeros(10)},
                {"brake_FL.torque": np.zeros((11, 3))},
                {"steer_FL": np.zeros(11)},
                {"steer_FL": lambda t: 0.0},
                {"brake_FL.torque": lambda t: (0.0, 0.0)},
                {"brake_FL.torque": lambda t: None},
                {"brake_FL.torque": lambda t: "0"},
                {"steer_FL": 0.1, "steer_FL.angle": 0.2},
            ):
                self.assertRaisesRegex(ValueError, "_FL", car.simulate, 10 * H, H, inputs)
            for duration, h in ((1.0, 0.3), (0.0, 0.1), (1.0, -0.1), (1.0, 0.0), (math.inf, 0.1), (math.nan, 0.1)):
                self.assertRaisesRegex(ValueError, "whole number", car.simulate, duration, h)
            self.assertEqual(car.time, 0)


class Threads(unittest.TestCase):
    def test_vehicles_in_threads_do_as_alone(self):
        with skidpad.Vehicle(CAR) as car:
            car.initialise()
            alone = swerve(car)

        def run(vehicle):
            with vehicle:
                vehicle.initialise()
                return swerve(vehicle)

        with skidpad.Vehicle(CAR) as first, concurrent.futures.ThreadPoolExecutor(4) as pool:
            for together in pool.map(run, [first.copy() for _ in range(8)]):
                np.testing.assert_array_equal(together, alone)

    def test_many_step_as_one(self):
        masses = np.linspace(1800, 2400, 5)
        with skidpad.Vehicle(CAR) as first:
            fleet, alone = ([first.copy() for _ in masses] for _ in range(2))
            for car, mass in zip(fleet + alone, [*masses, *masses]):
                car["body.mass"] = mass
                car.set(["steer_FL.angle", "steer_FR.angle"], 0.02)
                car.initialise()
            for _ in range(50):
                skidpad.step_all(fleet, H)
                for car in alone:
                    car.step(H)
            outputs = first.names(skidpad.Causality.OUTPUT)
            for one, other in zip(fleet, alone):
                np.testing.assert_array_equal(one.get(outputs), other.get(outputs))
            self.assertEqual(len({car["body.y"] for car in fleet}), len(masses))
            with self.assertRaises(skidpad.Error) as raised:
                skidpad.step_all([fleet[0], fleet[0]], H)
            self.assertEqual(raised.exception.status, skidpad.Status.BUSY)
            fleet[1].reset()
            with self.assertRaisesRegex(skidpad.Error, "not initialised"):
                skidpad.step_all(fleet, H)
            for car in fleet:
                car.close()  # none is held
            with self.assertRaises(skidpad.Error) as raised:
                skidpad.step_all(fleet, H)
            self.assertEqual(raised.exception.status, skidpad.Status.NO_VEHICLE)

    def test_threads_that_change_at_any_moment(self):
        """Vehicles and fleets that threads make, pickle and drop are not mixed up; a fleet that all of them step makes
        as many steps as calls have succeeded."""
        interval = sys.getswitchinterval()
        self.addCleanup(sys.setswitchinterval, interval)
        with skidpad.Vehicle(CAR) as car:
            car["body.mass"] = 2000
            shared = skidpad.Fleet(car, 4)
            car.initialise()
            car.step(H)
            expected = car.get(["body.x", "body.vz"])
        shared.initialise()

        def work(_):
            with skidpad.Vehicle(CAR) as car:
                car["body.mass"] = 2000
                with pickle.loads(pickle.dumps(car)) as other, skidpad.Fleet(other, 2) as fleet:
                    fleet.initialise()
                    fleet.step(H)
                    np.testing.assert_array_equal(fleet.get(["body.x", "body.vz"]), [expected, expected])
            done = 0
            for _ in range(200):
                try:
                    shared.step(H)
                    done += 1
                except skidpad.Error as error:
                    self.assertEqual(error.status, skidpad.Status.BUSY)
            return done

        sys.setswitchinterval(1e-6)
        with shared, concurrent.futures.ThreadPoolExecutor(6) as pool:
            done = sum(pool.map(work, range(12)))
            self.assertGreater(done, 0)
            self.assertAlmostEqual(shared[3].time, done * H, places=9)

    def test_a_second_call_on_a_vehicle_is_refused(self):
        inside, go_on = threading.Event(), threading.Event()

        def waiting(tire, file):
            def forces(Fz):
                inside.set()
                go_on.wait()
                return 0, 0, 0, 0, 0

            return forces

        skidpad.register_tire("Waiting", ["Fz"], waiting)
        with with_tires("Waiting", "") as car, concurrent.futures.ThreadPoolExecutor(1) as pool:
            try:
                stepped = pool.submit(lambda: (car.initialise(), car.step(H)))
                stepped.add_done_callback(lambda _: inside.set())  # if it fails
                inside.wait()
                for call in (lambda: car.time, car.close, lambda: skidpad.step_all([car], H)):
                    with self.assertRaises(skidpad.Error) as raised:
                        call()
                    self.assertEqual(raised.exception.status, skidpad.Status.BUSY)
            finally:
                go_on.set()
            stepped.result()
            self.assertEqual(car.time, H)


    def test_two_threads_on_one_vehicle(self):
        """Each call is done or refused as busy. No step is lost."""
        with skidpad.Vehicle(CAR) as car, concurrent.futures.ThreadPoolExecutor(2) as pool:
            car.initialise()
            names = car.names(skidpad.Causality.OUTPUT)
            calls = (lambda: car.step(H), lambda: car.get(names), lambda: car.set(["steer_FL.angle"], 0.01), car.save,
                     lambda: car.text("solver.method"), lambda: pickle.dumps(car))  # fmt: skip

            def work(seed):
                steps = 0
                for which in np.random.default_rng(seed).integers(0, len(calls), 400):
                    try:
                        calls[which]()
                        steps += int(which == 0)
                    except skidpad.Error as error:
                        self.assertEqual(error.status, skidpad.Status.BUSY)
                return steps

            steps = sum(pool.map(work, range(2)))
            self.assertGreater(steps, 0)
            self.assertAlmostEqual(car.time, steps * H, places=9)

    def test_a_fleet_that_steps_is_neither_bound_nor_closed(self):
        inside, go_on = threading.Event(), threading.Event()

        def waiting(tire, file):
            def forces(Fz):
                inside.set()
                go_on.wait()
                return 0, 0, 0, 0, 0

            return forces

        skidpad.register_tire("WaitingInFleets", ["Fz"], waiting)
        with with_tires("WaitingInFleets", "") as car, concurrent.futures.ThreadPoolExecutor(1) as pool:
            fleet = skidpad.Fleet(car, 2, threads=1)
            try:
                stepped = pool.submit(lambda: (fleet.initialise(), fleet.step(H)))
                stepped.add_done_callback(lambda _: inside.set())  # if it fails
                inside.wait()
                for call in (fleet.close, lambda: fleet.bind([], ["body.vx"]), lambda: fleet.rollout([], H, steps=1)):
                    with self.assertRaises(skidpad.Error) as raised:
                        call()
                    self.assertEqual(raised.exception.status, skidpad.Status.BUSY)
            finally:
                go_on.set()
            stepped.result()
            fleet.step(H)  # it is not closed
            fleet.close()

    def test_arrays_are_those_that_are_bound_when_the_library_uses_them(self):
        """Another thread can bind others neither between the size of an array and its use nor before it is kept."""
        with skidpad.Vehicle(CAR) as car:
            fleet = skidpad.Fleet(car, 4)
        with fleet:
            fleet.initialise()
            fleet.bind(["brake_FL.torque"], ["body.vx"])
            blocks, busy = fleet._blocks, []

            def interrupted(inputs, steps):
                table = blocks(inputs, steps)
                with self.assertRaises(skidpad.Error) as raised:
                    pool.submit(fleet.bind, [], ["body.vx", "body.vy", "body.vz"]).result()
                busy.append(raised.exception.status)
                return table

            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                with unittest.mock.patch.object(fleet, "_blocks", interrupted):
                    self.assertEqual(fleet.rollout([[0], [0]], H).shape, (2, 4, 1))
            self.assertEqual(busy, [skidpad.Status.BUSY])
            turn = unittest.mock.MagicMock()
            turn.release.side_effect = lambda: self.assertEqual(fleet._inputs.shape, (4, 2))
            with unittest.mock.patch.object(fleet, "_turn", turn):
                fleet.bind(["brake_FL.torque", "brake_FR.torque"], [])
            turn.release.assert_called_once()
        with self.assertRaises(skidpad.Error):
            fleet.bind([], ["body.vx"])
        self.assertEqual(fleet._names, (["brake_FL.torque", "brake_FR.torque"], []))  # the last call did not go well

    def test_tires_in_python_that_threads_make(self):
        """Each has its function, however many are made and dropped at a time."""
        made = []

        def linear(tire, file):
            made.append(tire)
            return lambda Fz, S, alpha: (15 * Fz * S, -12 * Fz * alpha, 0, 0, 0)

        skidpad.register_tire("LinearInThreads", ["Fz", "S", "alpha"], linear)

        def work(_):
            for _ in range(10):
                with with_tires("LinearInThreads", "") as car:
                    car.initialise()
                    car.step(H)
                    reached = car.get(["body.vx", "body.vz", "body.wz"])
            return reached

        alone = work(0)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for together in pool.map(work, range(4)):
                np.testing.assert_array_equal(together, alone)
        self.assertGreaterEqual(len(made), 5 * 10 * 4)

    def test_python_without_a_global_lock_stays_so(self):
        """Neither the package nor its imports enable the lock in a Python without it."""
        if not sysconfig.get_config_var("Py_GIL_DISABLED"):
            self.skipTest("this Python has a global interpreter lock")
        self.assertFalse(sys._is_gil_enabled())


# What the scripts below begin with. HANG only ends a child that hangs: it needs milliseconds.
FORKS = f"""
import multiprocessing, os, signal, sys, threading
import skidpad
CAR, H, HANG = {CAR!r}, {H}, 30

def drive():
    car = skidpad.Vehicle(CAR)
    car.initialise()
    car.step(H)
    return car["body.vx"]

def child(body):
    "The exit status of a forked child, which leaves as Python leaves: with finalizers and atexit."
    process = os.fork()
    if process == 0:
        signal.alarm(HANG)
        body()
        sys.exit()
    return os.waitpid(process, 0)[1]

def refused(call):
    try:
        call()
    except skidpad.Error as error:
        assert error.status == skidpad.Status.FORKED and "spawn" in str(error) and "forkserver" in str(error), error
        return str(error)
    raise AssertionError("not refused")

def all_refused():
    refused(drive)
    refused(lambda: skidpad.register_tire("Mine", ["Fz"], print))
"""


class Processes(unittest.TestCase):
    def runs(self, script):
        done = subprocess.run(
            [sys.executable, "-I", "-B", "-W", "ignore::DeprecationWarning", "-c", FORKS + script],
            capture_output=True,
            text=True,
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_import_loads_no_library(self):
        self.runs("""
assert "libskidpad" not in open("/proc/self/maps").read()
assert skidpad.__version__.count(".") == 2
assert "libskidpad" not in open("/proc/self/maps").read()
""")

    def test_what_is_forked_before_the_first_use_works(self):
        self.runs("""
assert child(drive) == 0
with multiprocessing.get_context("fork").Pool(2) as pool:
    here = drive()
    assert pool.starmap_async(drive, [()] * 4).get(HANG) == [here] * 4
""")

    def test_what_is_forked_afterwards_is_refused(self):
        self.runs(f"""
skidpad._library.library()  # loaded, and nothing asked of it
for _ in range({testrun.either(20, 100)}):
    assert child(all_refused) == 0
""")

    def test_a_child_may_not_use_a_vehicle_of_its_parent(self):
        self.runs("""
class Owner:
    def __init__(self):
        self.car = skidpad.Vehicle(CAR)
    def __del__(self):
        self.car.close()

owner, car = Owner(), skidpad.Vehicle(CAR)
car.initialise()

def use():
    all_refused()
    step, together = lambda: car.step(H), lambda: skidpad.step_all([car], H)
    for call in (step, lambda: car.time, lambda: car["body.vx"], car.save, car.copy, together):
        refused(call)
    global owner
    del owner
    car.close()
    car.close()

for _ in range(100):
    assert child(use) == 0
with multiprocessing.get_context("fork").Pool(2) as pool:
    for reason in pool.map_async(refused, [drive] * 4).get(HANG):
        assert "forked" in reason
car.step(H)
""")

    def test_a_child_is_refused_what_a_thread_of_its_parent_was_doing(self):
        self.runs("""
inside, go_on = threading.Event(), threading.Event()
def waiting(tire, file):
    def forces(Fz):
        inside.set()
        go_on.wait()
        return 0, 0, 0, 0, 0
    return forces
skidpad.register_tire("Waiting", ["Fz"], waiting)
car = skidpad.Vehicle(CAR)
car.set_text("tire_FL.model", "Waiting")
car.set_text("tire_FL.file", "")
thread = threading.Thread(target=car.initialise)
thread.start()
inside.wait()
try:
    assert child(lambda: refused(lambda: car.step(H))) == 0
finally:
    go_on.set()
    thread.join()
""")


class Words(unittest.TestCase):
    """What objects say of themselves."""

    def test_a_vehicle_says_where_it_is(self):
        with skidpad.Vehicle(CAR) as car:
            count = len(car.variables)
            car.set_text("solver.method", "heun")
            said = f"<skidpad.Vehicle generic4w: heun, 1 ms, {{}}, {count} variables>"
            self.assertEqual(repr(car), said.format("not initialised"))
            car.initialise()
            car.step(0.5)
            self.assertEqual(repr(car), said.format("t = 0.5 s"))
            self.assertEqual(car._ipython_key_completions_(), list(car.variables))
        self.assertEqual(repr(car), "<skidpad.Vehicle generic4w: closed>")

    def test_variables_are_found_by_words(self):
        with skidpad.Vehicle(CAR) as car:
            found = car.variables.search("tire_FL  SLIP")
            self.assertIn("tire_FL.kappa", found)
            self.assertTrue(0 < len(found) < 40)
            for name, v in found.items():
                self.assertIs(v, car.variables[name])
                self.assertIn("slip", f"{name} {v.text}".lower())
            self.assertEqual(len(car.variables.search("no such thing")), 0)
            self.assertIn("tire_FL.kappa [1] output: ", repr(found))
            self.assertIn("body.vx [m/s] state: ", repr(car.variables.search("body STATE")))
            self.assertIn("body.mass [kg] parameter, >= 0: ", repr(car.variables.search("body.mass")))
            self.assertIn("tire_FL.LMUY [1] coefficient, tunable: ", repr(car.variables.search("FL.LMUY")))
            self.assertIn("<td>body.mass</td><td>kg</td><td>parameter</td><td>&gt;= 0</td>",
                          car.variables.search("body.mass")._repr_html_())  # fmt: skip
            self.assertIn("search(text) finds some", repr(car.variables))
            table = car.variables._repr_html_()
            self.assertEqual(table.count("<tr>"), 61)
            self.assertNotIn("<module", skidpad.Variables({"a": skidpad.Variable(
                "<module", "1", "", skidpad.Causality.OUTPUT, 0.0)})._repr_html_())  # fmt: skip

    def test_a_fleet_shows_what_is_bound(self):
        with skidpad.Vehicle(CAR) as car, skidpad.Fleet(car, 3) as fleet:
            self.assertNotIn("<table>", fleet._repr_html_())
            fleet.set(["body.vx"], [10, 20, 30])
            fleet.initialise()
            fleet.bind([], ["body.vx", "tire_FL.kappa"])[1][:] = [(10, 0.5), (20, -0.25), (30, 0)]
            shown = fleet._repr_html_()
            self.assertIn("<td>body.vx</td><td>m/s</td><td>state</td><td>10</td><td>30</td>", shown)
            self.assertIn("<td>tire_FL.kappa</td><td>1</td><td>output</td><td>-0.25</td><td>0.5</td>", shown)

    def test_kinds_and_ranges_are_those_of_the_fmu(self):
        """The model description of every shipped FMU has the numbers of Python, and the states that have rates."""
        kinds, tops = set(), 0
        for version, value in ((3, "Float64"), (2, "Real")):
            for path in sorted((OUT / f"fmi{version}").glob("*.fmu"))[:: 1 if version == 3 else 6]:
                with zipfile.ZipFile(path) as fmu:
                    root = ElementTree.fromstring(fmu.read("modelDescription.xml"))
                described = {}
                for entry in root.find("ModelVariables"):
                    described[entry.get("name")] = (entry, entry if version == 3 else entry[0])
                with self.subTest(path.name), skidpad.Vehicle(self.model_of(root.get("modelName"))) as car:
                    for name, v in car.variables.items():
                        kinds.add(v.kind)
                        if v.kind in (skidpad.Kind.COEFFICIENT, skidpad.Kind.PEAK) and name not in described:
                            continue
                        outer, inner = described[name]
                        numbers = [inner.get(key) for key in ("min", "max", "nominal")]
                        self.assertEqual([v.minimum, v.maximum, v.nominal], [n and float(n) for n in numbers], name)
                        self.assertEqual(v.kind == skidpad.Kind.STATE, f"der({name})" in described, name)
                        self.assertEqual(v.kind == skidpad.Kind.CONTACT, inner.tag == "Boolean", name)
                        tops += v.maximum is not None
                        causality = "parameter" if v.kind == skidpad.Kind.COEFFICIENT else v.causality.name.lower()
                        self.assertEqual(outer.get("causality"), causality, name)
        self.assertEqual(kinds, set(skidpad.Kind))
        self.assertGreater(tops, 0)

    @staticmethod
    def model_of(name):
        """The shipped file of a model."""
        for path in pathlib.Path("resources/models").glob("*.toml"):
            if re.search(rf'^name = "{name}"$', path.read_text(), re.MULTILINE):
                return path
        raise KeyError(name)


class Fleets(unittest.TestCase):
    """A fleet does what its vehicles do alone, to the last bit."""

    INPUTS = ("brake_FL.torque", "brake_RR.torque")
    OUTPUTS = ("body.vx", "body.wz", "tire_FL.Fz")

    def setUp(self):
        with skidpad.Vehicle(CAR) as car:
            car.set_text("solver.method", "heun")
            self.fleet = skidpad.Fleet(car, 6, threads=2)
            self.alone = [copy.copy(car) for _ in range(6)]
        masses = np.linspace(1800, 2400, 6)
        self.fleet.set(["body.mass"], masses)
        for car, mass in zip(self.alone, masses):
            car["body.mass"] = mass
        self.addCleanup(self.fleet.close)

    def start(self):
        self.fleet.initialise()
        for car in self.alone:
            car.initialise()

    def alike(self):
        for i, car in enumerate(self.alone):
            self.assertEqual(self.fleet.save([i]).data[0].tobytes(), car.save(), i)

    def test_steps_with_arrays(self):
        self.start()
        torques, values = self.fleet.bind(self.INPUTS, self.OUTPUTS)
        random = np.random.default_rng(1)
        for n in range(40):
            torques[:] = random.uniform(0, 900, torques.shape)
            where = None if n % 2 else random.random(6) < 0.5  # lane groups are stepped in parts
            before = values.copy()
            statuses = self.fleet.step(0.005, where)
            self.assertFalse(statuses.any())
            for i, car in enumerate(self.alone):
                if where is None or where[i]:
                    car.set(self.INPUTS, torques[i])
                    car.step(0.005)
                    np.testing.assert_array_equal(car.get(self.OUTPUTS), values[i])
                else:
                    np.testing.assert_array_equal(before[i], values[i])
        self.alike()
        np.testing.assert_array_equal(self.fleet.get(self.OUTPUTS), [car.get(self.OUTPUTS) for car in self.alone])
        self.assertTrue(np.isnan(self.fleet.get(["body.vx"], where=[2])[[0, 1, 3, 4, 5]]).all())

    def test_rollouts_are_steps(self):
        self.start()
        self.fleet.bind(self.INPUTS, self.OUTPUTS)
        random = np.random.default_rng(2)
        for shape in ((20, 2), (20, 6, 2)):
            torques = random.uniform(0, 900, shape)
            table = self.fleet.rollout(torques, 0.005)
            for n in range(20):
                for i, car in enumerate(self.alone):
                    car.set(self.INPUTS, torques[n] if torques.ndim == 2 else torques[n, i])
                    car.step(0.005)
                    np.testing.assert_array_equal(car.get(self.OUTPUTS), table[n, i])
        self.alike()

    def test_states_go_to_subsets(self):
        self.start()
        pool = self.fleet.save()
        self.fleet.step(0.02)
        self.fleet.restore(pool, into=[4, 1], source=0)
        self.fleet.restore(pool, into=np.arange(6) == 5)  # the first one
        states = [pool.data[0].tobytes()] * 3
        self.assertEqual([self.fleet.save([i]).data[0].tobytes() for i in (1, 4, 5)], states)
        for i, car in enumerate(self.alone):
            if i in (1, 4, 5):
                car.restore(states[0])
            else:
                car.step(0.02)
        self.fleet.step(0.02)  # times differ
        for car in self.alone:
            car.step(0.02)
        self.alike()
        self.fleet.restore(pool, into=[3, 0, -1], source=[1, 2, 4])  # in their order
        again = self.fleet.save([3, 0, 5])
        self.assertEqual([again[i] for i in range(3)], [pool[i] for i in (1, 2, 4)])
        self.fleet.restore(again, into=[5, 3, 0])
        self.assertEqual([self.fleet.save([i])[0] for i in (5, 3, 0)], [pool[i] for i in (1, 2, 4)])
        for into, source, kind, text in (
            ([0], 6, ValueError, "there are 6 states for 1 vehicles"),
            ([0], 1.7, TypeError, "source is 1.7; states are numbered by integers"),
            ([0, 1], [1, 2, 3], ValueError, r"source has the shape \(3,\) for 2 vehicles"),
            ([2, 2], None, ValueError, "place 2 is named twice"),
            ([2, -4], None, ValueError, "place 2 is named twice"),
        ):
            with self.assertRaisesRegex(kind, text):
                self.fleet.restore(pool, into=into, source=source)
        with self.assertRaisesRegex(TypeError, "of type bytes; give States"):
            self.fleet.restore(pool[0])

    def test_states_have_the_size_of_their_texts(self):
        with skidpad.Vehicle(CAR) as euler, skidpad.Vehicle(CAR) as rk4:
            for car, method in ((euler, "euler"), (rk4, "rk4")):
                car.set_text("solver.method", method)
                car.initialise()
            self.assertNotEqual(len(euler.save()), len(rk4.save()))
            with skidpad.Fleet(rk4, 3) as fleet, skidpad.Fleet(euler, 1) as one:
                fleet.restore(one.save(), into=[1], source=0)
                fleet.step(0.05)
                euler.step(0.05)
                rk4.step(0.05)
                states = fleet.save([2, 1])
                self.assertEqual([states[0], states[1]], [rk4.save(), euler.save()])
                fleet.step(0.05)
                fleet.restore(pickle.loads(pickle.dumps(states)), into=[0, 1])
                self.assertEqual([fleet.save()[i] for i in (0, 1)], [rk4.save(), euler.save()])
                for made in (copy.copy, copy.deepcopy, lambda given: pickle.loads(pickle.dumps(given))):
                    with made(fleet) as other:
                        self.assertEqual([other.save()[i] for i in range(3)], [fleet.save()[i] for i in range(3)])
                with fleet[1] as car:
                    self.assertEqual(car.save(), euler.save())
                fleet.get(["body.vx"])  # copies have not closed what is theirs

    def test_none_may_be_selected(self):
        self.start()
        states = self.fleet.save()
        for none in ([], np.zeros(6, bool), ()):
            self.assertFalse(self.fleet.step(0.01, where=none).any())
            self.fleet.reset(none)
            self.fleet.initialise(none)
            self.fleet.set(["brake_FL.torque"], 100.0, none)
            self.assertTrue(np.isnan(self.fleet.get(["body.vx"], none)).all())
            self.assertEqual(len(self.fleet.save(none)), 0)
            self.fleet.restore(states, into=none)
            self.fleet.restore(self.fleet.save(none), into=none)
        self.alike()

    def test_integers_are_places_and_no_masks(self):
        self.start()
        for where, kind, text in (
            (np.array([0, 0, 0, 1, 0, 0], np.uint8), ValueError, "place 0 is named twice; .*, a mask needs Booleans"),
            ([1.0, 2.0], TypeError, "does not select vehicles; give a mask"),
            ([[1, 2]], TypeError, "does not select vehicles"),
            ([6], IndexError, "the fleet has 6 vehicles, no 6"),
            (np.array([2**64 - 1], np.uint64), IndexError, "6 vehicles, no 18446744073709551615"),
        ):
            with self.assertRaisesRegex(kind, text):
                self.fleet.step(0.01, where=where)
        self.fleet.step(0.01, where=np.array([3, 1], np.uint8))
        self.alone[3].step(0.01)
        self.alone[1].step(0.01)
        self.alike()

    def test_bound_inputs_begin_with_their_values(self):
        self.start()
        self.fleet.set(["road.mu"], [0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
        mu, _ = self.fleet.bind("road.mu")
        np.testing.assert_array_equal(mu[:, 0], [0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
        self.fleet.step(0.01)
        np.testing.assert_array_equal(self.fleet.get(["road.mu"]), mu)
        for name, causality in (("body.mass", "parameter"), ("tire_FL.Fz", "output")):
            with self.assertRaisesRegex(skidpad.Error, f'"{name}" cannot be bound .*causality is {causality}'):
                self.fleet.bind([name])
        self.assertEqual(self.fleet._names, (["road.mu"], []))

    def test_rollouts_read_after_inputs_are_set(self):
        self.start()
        names = [*self.INPUTS, "body.ax", "tire_FL.Fz"]
        self.fleet.bind(self.INPUTS, names)
        torques = np.random.default_rng(4).uniform(0, 900, (20, 6, 2))
        torques[15, 3, 1] = np.nan
        with unittest.mock.patch.multiple(skidpad._fleet, _VEHICLE_STEPS=0, _FEWEST_STEPS=7):
            table = self.fleet.rollout(torques, 0.005, errors="return", read="after")
        for n in range(20):
            for i, car in enumerate(self.alone):
                if i == 3 and n >= 15:
                    self.assertTrue(np.isnan(table[n, i]).all())
                    continue
                car.set(self.INPUTS, torques[n, i])
                np.testing.assert_array_equal(car.get(names), table[n, i])
                car.step(0.005)
        with self.assertRaisesRegex(ValueError, 'read is \'late\'; allowed are "before" and "after"'):
            self.fleet.rollout(torques, 0.005, read="late")

    def test_rollouts_in_pieces_are_one(self):
        """A rollout calls the library several times, so that Python can interrupt it."""
        self.start()
        self.fleet.bind(self.INPUTS, self.OUTPUTS)
        states = self.fleet.save()
        torques = np.random.default_rng(3).uniform(0, 300, (50, 6, 2))
        torques[5, 3, 0] = torques[30, 1, 0] = np.nan  # vehicle 3 fails first
        calls = []

        def roll(size):
            self.fleet.restore(states)
            with unittest.mock.patch.multiple(skidpad._fleet, _VEHICLE_STEPS=0, _FEWEST_STEPS=size):
                calls.append(self.fleet.rollout(torques, 0.005, errors="return"))
            kept = self.fleet.save()
            return [kept[i] for i in range(6)]

        ends = roll(50)
        self.assertEqual(list(np.isnan(calls[0][:, :, 0]).sum(axis=0)), [0, 20, 0, 45, 0, 0])
        for size in (1, 5, 31, 49):
            self.assertEqual(roll(size), ends)
            np.testing.assert_array_equal(calls[-1], calls[0])
        self.fleet.restore(states)
        with unittest.mock.patch.multiple(skidpad._fleet, _VEHICLE_STEPS=0, _FEWEST_STEPS=8):
            with self.assertRaisesRegex(skidpad.Error, "vehicle 3: .*brake_FL.torque"):
                self.fleet.rollout(torques, 0.005)

    def test_rollouts_can_be_interrupted(self):
        self.start()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background job ignores
        self.addCleanup(signal.signal, signal.SIGINT, before)
        threading.Timer(0.3, _thread.interrupt_main).start()
        with self.assertRaises(KeyboardInterrupt):
            self.fleet.rollout([], 0.01, steps=100_000)
        with self.fleet[0] as one:
            self.assertLess(one.time, 999)
        self.assertFalse(self.fleet.step(0.01).any())

    def test_a_vehicle_that_fails_leaves_the_others_alone(self):
        self.start()
        self.fleet.bind(self.INPUTS, self.OUTPUTS)
        torques = np.zeros((3, 6, 2))
        torques[1, 2] = np.nan
        with self.assertRaisesRegex(skidpad.Error, "vehicle 2: .*brake_FL.torque"):
            self.fleet.rollout(torques, 0.005)
        self.fleet.restore(self.fleet.save([0]), into=range(6), source=0)
        table = self.fleet.rollout(torques, 0.005, errors="return")
        self.assertFalse(np.isnan(table[0]).any())
        self.assertTrue(np.isnan(table[1:, 2]).all())
        self.assertFalse(np.isnan(table[:, [0, 1, 3, 4, 5]]).any())
        with self.fleet[0] as one, self.fleet[2] as failed:  # which has stayed where it was
            self.assertAlmostEqual(one.time - failed.time, 0.01)

    def test_initialised_one_by_one(self):
        for i in (3, 0, 5, 1, 2, 4):
            self.fleet.initialise([i])
            self.alone[i].initialise()
            done = self.fleet.get(["body.mass"]) > 0
            self.assertTrue(done.all())
            self.fleet.step(0.005, [i])
            self.alone[i].step(0.005)
        self.alike()
        self.fleet.reset([3])
        self.fleet.bind([], ["body.vx"])
        self.assertEqual(list(self.fleet.step(0.005, errors="return")), [0, 0, 0, skidpad.Status.REFUSED, 0, 0])
        with self.assertRaisesRegex(skidpad.Error, "vehicle 3: the instance is not initialised"):
            self.fleet.step(0.005)
        table = self.fleet.rollout([], 0.005, steps=2, errors="return")
        np.testing.assert_array_equal(np.isnan(table[:, :, 0]), np.tile(np.arange(6) == 3, (2, 1)))
        self.alone[3].reset()
        for i in (0, 1, 2, 4, 5):
            for _ in range(4):
                self.alone[i].step(0.005)
        self.alike()

    def test_pickled_in_processes(self):
        self.start()
        self.fleet.step(0.05)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            there = pool.apply_async(step_fleet, [self.fleet]).get(60)
        np.testing.assert_array_equal(there, step_fleet(pickle.loads(pickle.dumps(self.fleet))))
        self.assertEqual(repr(self.fleet), "<skidpad.Fleet of 6 vehicles>")
        with self.fleet[2] as car:
            car.step(0.05)
            np.testing.assert_array_equal(there[2], car.get(self.OUTPUTS))

    def test_wrong_shapes_say_what_is_allowed(self):
        self.start()
        for call, text in (
            (lambda: self.fleet.set(self.INPUTS, np.zeros((5, 2))), r"shape \(5, 2\); allowed are a number, \(2,\)"),
            (lambda: self.fleet.step(0.01, np.ones(5, bool)), "a mask of the shape"),
            (lambda: self.fleet.rollout(np.zeros((4, 3)), 0.01), r"shape \(4, 3\); they need \(steps, 0\)"),
            (lambda: self.fleet.step(0.01, errors="ignore"), 'errors is "ignore"'),
        ):
            with self.assertRaisesRegex(ValueError, text):
                call()
        with self.assertRaises(IndexError):
            self.fleet[6]
        self.fleet.close()
        self.fleet.close()
        self.assertEqual(repr(self.fleet), "<skidpad.Fleet, closed>")
        with self.assertRaises(skidpad.Error) as raised:
            self.fleet.step(0.01)
        self.assertEqual(raised.exception.status, skidpad.Status.NO_VEHICLE)


class Copies(unittest.TestCase):
    def test_a_copy_goes_on_alike_and_shares_nothing(self):
        with skidpad.Vehicle(CAR) as car:
            car.set_text("solver.method", "rk4")
            car["body.mass"] = 1900
            for made in (copy.copy, copy.deepcopy):
                with made(car) as fresh:  # before initialisation, too
                    self.assertEqual((fresh.text("solver.method"), fresh["body.mass"]), ("rk4", 1900))
                    fresh["body.mass"] = 2000
                self.assertEqual(car["body.mass"], 1900)
            car.initialise()
            swerve(car)
            outputs, state = car.names(skidpad.Causality.OUTPUT), car.save()
            for made in (copy.copy, copy.deepcopy):
                other = made(car)
                self.assertEqual(other.save(), state)
                end = swerve(other)
                self.assertEqual(car.save(), state)
                other.close()
                other.close()
                self.assertEqual(car.save(), state)
                car.get(outputs)
            np.testing.assert_array_equal(swerve(car), end)

    def test_a_copy_outlives_its_original(self):
        car = skidpad.Vehicle(CAR)
        other = copy.copy(car)
        car.close()
        with self.assertRaises(skidpad.Error) as raised:
            copy.copy(car)
        self.assertEqual(raised.exception.status, skidpad.Status.NO_VEHICLE)
        del car
        gc.collect()
        with other:
            other.initialise()
            swerve(other)

    def test_what_is_pickled_goes_on_alike(self):
        with skidpad.Vehicle(CAR) as car:
            car.set_text("solver.method", "rk4")
            car.set_text("tire_FL.model", "Fiala")
            car.set_text("tire_FL.file", "../tires/fiala_generic4w.toml")
            car["body.mass"] = 1900
            with pickle.loads(pickle.dumps(car)) as early:  # not initialised
                self.assertEqual((early.text("solver.method"), early["body.mass"]), ("rk4", 1900))
            car.initialise()
            swerve(car)
            state = car.save()
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                with pickle.loads(pickle.dumps(car, protocol)) as other:
                    self.assertEqual(other.save(), state)
            with pickle.loads(pickle.dumps(car)) as other:
                end = swerve(other, 1000)
                self.assertEqual(car.save(), state)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                there = pool.apply_async(drive_on, [car]).get(60)
            self.assertEqual(car.save(), state)
            np.testing.assert_array_equal(swerve(car, 1000), end)
            np.testing.assert_array_equal(there, end)

    def test_a_pickled_vehicle_needs_no_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for kind in ("models", "tires"):
                shutil.copytree(f"resources/{kind}", f"{folder}/Ressourcen für {kind}/{kind}")
            base = pathlib.Path(folder, "Ressourcen für models", "models")
            (base / "../tires").symlink_to(f"{folder}/Ressourcen für tires/tires")
            with skidpad.Vehicle(base / "generic4w_carcass.toml") as car:  # a variant, in a folder of any name
                packed = pickle.dumps(car)
        with pickle.loads(packed) as car:
            car.initialise()
            end = swerve(car)
        with skidpad.Vehicle("resources/models/generic4w_carcass.toml") as car:
            car.initialise()
            np.testing.assert_array_equal(swerve(car), end)

    def test_files_that_changed_are_not_pickled(self):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(shutil.copy("resources/models/pendulum.toml", folder))
            with skidpad.Vehicle(model) as pendulum:
                pickle.dumps(pendulum)
                model.write_text(model.read_text() + "# later")
                with self.assertRaisesRegex(skidpad.Error, "have changed since the vehicle was loaded; load it again"):
                    pickle.dumps(pendulum)

    def test_archives_do_not_leave_their_folder(self):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("../outside.toml", "")
        with self.assertRaisesRegex(ValueError, "lies outside"):
            skidpad._files.unpacked(packed.getvalue())


class Tires(unittest.TestCase):
    def test_a_tire_in_python_does_as_the_built_in_one(self):
        skidpad.register_tire("PythonFiala", ["Fz", "S", "alpha", "Omega"], fiala)
        file = os.path.abspath("resources/tires/fiala_generic4w.toml")
        runs, peaks = [], []
        for model in ("Fiala", "PythonFiala"):
            with with_tires(model, file) as car:
                car.initialise()
                turn, brakes = steer(0.04, 1.0), {f"brake_{corner}.torque": 400.0 for corner in CORNERS}
                runs.append(
                    car.simulate(
                        0.3, H, {"steer_FL": turn, "steer_FR": turn, **brakes}, ["body.y", "body.vx", "body.wz"]
                    )
                )
                names = ["mu_x_peak", "mu_y_peak", "kappa_peak", "alpha_peak", "utilisation"]
                peaks.append(car.get([f"tire_{corner}.{name}" for corner in CORNERS for name in names]))
        np.testing.assert_allclose(runs[0].table, runs[1].table, rtol=1e-9, atol=1e-12)
        self.assertGreater(abs(runs[0]["body.wz"]).max(), 0.1)
        np.testing.assert_allclose(peaks[0], peaks[1], rtol=1e-6)  # slips of flat tops
        np.testing.assert_allclose(peaks[0][0::5], peaks[1][0::5], rtol=1e-9)
        np.testing.assert_allclose(peaks[0][1::5], peaks[1][1::5], rtol=1e-9)

    def test_exceptions_name_tire_and_place(self):
        def one_fails(tire, file):
            return lambda Fz: (Fz / (0 if tire == "tire_RR" else 1), 0, 0, 0, 0)

        def none_made(tire, file):
            raise OSError("no parameters")

        skidpad.register_tire("OneFails", ["Fz"], one_fails)
        skidpad.register_tire("NoneMade", ["Fz"], none_made)
        skidpad.register_tire("TooFew", ["Fz"], lambda tire, file: lambda Fz: (0, 0))
        for model, pattern in {
            "OneFails": r"tire_RR: ZeroDivisionError: .*package_test\.py:\d+",
            "NoneMade": r"tire_FL.*OSError: no parameters .*package_test\.py:\d+",
            "TooFew": "2 results; there must be 5",
        }.items():
            with self.subTest(model), with_tires(model, "") as car, self.assertRaisesRegex(skidpad.Error, pattern):
                car.initialise()
        with self.assertRaisesRegex(skidpad.Error, "OneFails"):  # registered already
            skidpad.register_tire("OneFails", ["Fz"], one_fails)

    def test_a_relaxation_in_python_does_as_the_built_in_one(self):
        def string(tire, file):
            return lambda VPy, VEx, VPxs, VExs, q1, q2: (
                (-VEx - q1 * abs(VExs)) / 0.31, (VPy - q2 * abs(VPxs)) / 0.57, 0.31, 0.57,
            )

        outputs = ["q1dot", "q2dot", "sigma1", "sigma2"]
        skidpad.register_tire("PythonString", ["VPy", "VEx", "VPxs", "VExs", "q1", "q2"], string, outputs)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "lengths.toml")
            file.write_text('function = "ConstantLength"\n[parameters]\nBlong = 0.31\nBlat = 0.57\n')
            runs = []
            for function in ("ConstantLength", "PythonString"):
                for model in ("generic4w", "generic4w_carcass"):
                    with skidpad.Vehicle(f"resources/models/{model}.toml") as car:
                        for corner in CORNERS:
                            car.set_text(f"tire_{corner}.relaxation.model", function)
                            car.set_text(f"tire_{corner}.relaxation.file", file.as_posix())
                        car.initialise()
                        turn = steer(0.04, 1.0)
                        runs.append(car.simulate(0.1, H, {"steer_FL": turn, "steer_FR": turn}, ["body.y", "body.wz"]))
        for built_in, python in zip(runs[:2], runs[2:]):
            np.testing.assert_array_equal(built_in.table, python.table)

    def test_a_law_in_python_is_the_law_in_formulas(self):
        def pi(component, file):
            return lambda speed, goal, z: (0.2 * (goal - speed) + 0.02 * z, goal - speed)

        skidpad.register_law("PythonPI", ["speed", "goal", "z"], ["throttle", "z_dot"], pi)
        inputs = (
            'inputs = [{name = "speed", unit = "m/s", from = "@chassis.vx"}, '
            '{name = "goal", unit = "m/s", value = 21}]'
        )
        laws = (
            'states = [{name = "z", unit = "m", value = 13.31, rate = "goal - speed"}]\n'
            'outputs = [{name = "throttle", unit = "1", value = "0.2*(goal - speed) + 0.02*z", to = ["@throttle"]}]',
            'function = "PythonPI"\nstates = [{name = "z", unit = "m", value = 13.31}]\n'
            'outputs = [{name = "throttle", unit = "1", to = ["@throttle"]}]',
        )
        base = pathlib.Path("resources/models/passenger_car.toml").resolve().as_posix()
        speeds = []
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "car.toml")
            for law in laws:
                file.write_text(
                    f'base = "{base}"\nname = "C"\ntitle = "C"\n'
                    f'[component.cruise]\ntype = "equations"\n{inputs}\n{law}\n'
                )
                with skidpad.Vehicle(file) as car:
                    car.initialise()
                    with self.assertRaisesRegex(skidpad.Error, "engine.throttle is driven by cruise.throttle"):
                        car.set("engine.throttle", 1)
                    speeds.append(car.simulate(0.2, H, {}, ["body.vx", "cruise.z"]))
        np.testing.assert_allclose(speeds[0].table, speeds[1].table, rtol=1e-13)
        for wrong in ("speed", [], ["a"] * 65, [1]):
            with self.assertRaisesRegex(ValueError, "inputs is"):
                skidpad.register_law("Refused", wrong, ["y"], pi)
            with self.assertRaisesRegex(ValueError, "outputs is"):
                skidpad.register_law("Refused", ["u"], wrong, pi)
        with self.assertRaisesRegex(TypeError, "make is 3"):
            skidpad.register_law("Refused", ["u"], ["y"], 3)
        with self.assertRaisesRegex(skidpad.Error, "exists already"):
            skidpad.register_law("PythonPI", ["u"], ["y"], pi)

    def test_a_controller_in_python_is_that_in_formulas(self):
        """It is called once at each sample, and an exception in it ends the step with its text."""
        calls = []

        def cruise(component, file):
            def sample(speed, goal, z, sample):
                calls.append(component)
                if goal > 30:
                    raise ValueError("no goal above 30 m/s")
                lack = goal - speed
                return 0.2 * lack + 0.02 * z, z + sample * lack

            return sample

        skidpad.register_controller(
            "PythonCruise", ["speed", "goal", "z", "sample"], ["throttle", "z_next"], cruise
        )
        inputs = (
            'inputs = [{name = "speed", unit = "m/s", from = "@chassis.vx"}, '
            '{name = "goal", unit = "m/s", value = 21}]'
        )
        kinds = (
            'type = "sampled-equations"\nstates = [{name = "z", unit = "m", value = 13.31, next = "z + sample*lack"}]\n'
            'outputs = [{name = "lack", unit = "m/s", value = "goal - speed"}, '
            '{name = "throttle", unit = "1", value = "0.2*lack + 0.02*z", to = ["@throttle"]}]',
            'type = "controller"\nfunction = "PythonCruise"\nstates = [{name = "z", unit = "m", value = 13.31}]\n'
            'outputs = [{name = "throttle", unit = "1", to = ["@throttle"]}]',
        )
        base = pathlib.Path("resources/models/passenger_car.toml").resolve().as_posix()
        runs = []
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "car.toml")
            for kind in kinds:
                file.write_text(
                    f'base = "{base}"\nname = "C"\ntitle = "C"\n'
                    f"[component.cruise]\nsample = 0.01\n{inputs}\n{kind}\n"
                )
                with skidpad.Vehicle(file) as car:
                    car.initialise()
                    runs.append(car.simulate(0.2, H, {}, ["body.vx", "cruise.z", "engine.throttle"]))
                    if "PythonCruise" in kind:
                        self.assertEqual(calls, ["cruise"] * 20)
                        car.set("cruise.goal", 31)
                        with self.assertRaisesRegex(skidpad.Error, "cruise: .*no goal above 30 m/s.*in a sample at"):
                            car.step(0.02)
                        with self.assertRaisesRegex(skidpad.Error, "register_controller has registered"):
                            car.linearize()
        np.testing.assert_array_equal(runs[0].table, runs[1].table)
        with self.assertRaisesRegex(TypeError, "make is 3; .* returns the controller"):
            skidpad.register_controller("Refused", ["u"], ["y"], 3)
        with self.assertRaisesRegex(skidpad.Error, "it names the input \"u\" twice"):
            skidpad.register_controller("Refused", ["u", "u"], ["y"], cruise)

    def test_a_relaxation_that_does_not_suit_is_refused(self):
        for outputs in ("q1dot", ["q1dot"], ["q1dot"] * 6):
            with self.assertRaisesRegex(ValueError, "outputs is .*; those of a relaxation function are q1dot, q2dot"):
                skidpad.register_tire("Refused", ["q1"], print, outputs)
        with self.assertRaisesRegex(skidpad.Error, "its outputs are"):
            skidpad.register_tire("Refused", ["q1"], print, ["q2dot", "q1dot"])
        skidpad.register_tire("ThreeSlips", ["q1"], lambda t, f: lambda q1: (0, 0), ["q1dot", "q2dot", "q3dot"])
        skidpad.register_tire("OneTooFew", ["q1"], lambda t, f: lambda q1: (0,), ["q1dot", "q2dot"])
        for function, text in {
            "ThreeSlips": "returns q1dot, q2dot, q3dot; here q1dot, q2dot are needed",
            "OneTooFew": "1 results; there must be 2: q1dot, q2dot",
        }.items():
            with skidpad.Vehicle("resources/models/generic4w.toml") as car:
                car.set_text("tire_FL.relaxation.model", function)
                with self.assertRaisesRegex(skidpad.Error, text):
                    car.initialise()

    def test_what_cannot_be_a_tire_is_refused_at_once(self):
        for inputs, make, error, text in (
            (["Fz", "nothing"], print, ValueError, r"inputs is \['Fz', 'nothing'\]; give a sequence of some of"),
            ("Fz", print, ValueError, "inputs is 'Fz'; give a sequence"),
            ([], print, ValueError, r"inputs is \[\]; give a sequence"),
            (["Fz"], None, TypeError, "make is None; it must be a function"),
        ):
            with self.assertRaisesRegex(error, text):
                skidpad.register_tire("Refused", inputs, make)

    def test_all_inputs_of_the_engine_can_be_asked_for(self):
        known = sorted(skidpad._tire.INPUTS - {"q3"})  # of tires with a turn slip
        skidpad.register_tire("AsksForAll", known, lambda tire, file: lambda *inputs: (0, 0, 0, 0, 0))
        with with_tires("AsksForAll", "") as car:
            car.initialise()
        with unittest.mock.patch.object(skidpad._tire, "INPUTS", {"nothing"}):
            skidpad.register_tire("AsksForNothing", ["nothing"], lambda tire, file: None)
        with with_tires("AsksForNothing", "") as car, self.assertRaises(skidpad.Error) as raised:
            car.initialise()
        self.assertEqual(sorted(str(raised.exception).partition("; there are ")[2].split()), known)

    def test_functions_of_a_closed_vehicle_are_released(self):
        made = []

        def rolling(tire, file):
            def forces(Fz):
                return 0, 0, 0, 0, 0

            made.append(weakref.ref(forces))
            return forces

        skidpad.register_tire("Rolling", ["Fz"], rolling)
        with with_tires("Rolling", "") as car:
            car.initialise()
            self.assertNotIn(None, [forces() for forces in made])
        gc.collect()
        self.assertEqual([forces() for forces in made], [None] * len(CORNERS))


class Trust(unittest.TestCase):
    """Only the program can permit code of libraries, not a file or a saved state."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.library = self.folder / "marked.so"
        subprocess.run(
            [
                "gcc",
                "-fPIC",
                "-shared",
                "-Icapi",
                "capi/examples/fiala/fiala.c",
                "capi/testdata/marker.c",
                "-o",
                self.library,
                "-lm",
            ],
            check=True,
        )
        self.function = f"plugin:{self.library}#skidpad_fiala"

    def loaded(self):
        return pathlib.Path(f"{self.library}.loaded").exists()

    def test_a_model_cannot_name_a_library(self):
        text = pathlib.Path(CAR).read_text().replace('"Pacejka02"', f'"{self.function}"', 1)
        line = 1 + text[: text.index(self.function)].count("\n")
        model = self.folder / "car.toml"
        model.write_text(text.replace('"../', f'"{pathlib.Path("resources").resolve()}/'))
        with self.assertRaisesRegex(
            skidpad.Error, rf"car\.toml:{line}:\d+: .*{re.escape(self.function)}.*skidpad_set_text"
        ) as caught:
            skidpad.Vehicle(model)
        self.assertEqual(caught.exception.status, skidpad.Status.MODEL)
        self.assertFalse(self.loaded())

    def test_a_saved_state_cannot_name_a_library(self):
        def state(function):
            with skidpad.Vehicle(CAR) as car:
                file = car.text("tire_FL.file")
                car.set_text("tire_FL.model", function)
                car.set_text("tire_FL.file", file)
                return car.save()

        def counted(function):
            return len(function).to_bytes(4, "little") + function.encode()

        body = state("Fiala")[:-4].replace(counted("Fiala"), counted(self.function))
        forged = body + crc32c(body).to_bytes(4, "little")
        with skidpad.Vehicle(CAR) as car:
            with self.assertRaisesRegex(skidpad.Error, rf"{re.escape(self.function)}.*set tire_FL\.model"):
                car.restore(forged)
            self.assertEqual(car.text("tire_FL.model"), "Pacejka02")
        self.assertEqual(forged, state(self.function))  # and now the program has named it
        with skidpad.Vehicle(CAR) as car:
            car.restore(forged)
            self.assertFalse(self.loaded())

    def test_the_program_names_libraries_freely(self):
        with with_tires(
            self.function, pathlib.Path("resources/tires/fiala_generic4w.toml").resolve().as_posix()
        ) as car:
            car.initialise()
            self.assertTrue(self.loaded())
            with car.copy() as other:
                other.restore(car.save())
                np.testing.assert_array_equal(swerve(other), swerve(car))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
