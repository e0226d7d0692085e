"""What the command does in Python: python command_test.py, in the root of the repository."""

import json
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest
import zipfile

import numpy as np
import skidpad

sys.path.append(str(pathlib.Path(__file__).parent))  # an isolated Python does not look there
import testrun


FILE = pathlib.Path("resources/tires/fiala_generic4w.toml").resolve().as_posix()


def speed_of(fleet, design):
    """The function of a study: how fast the vehicles are after 0.1 s."""
    fleet.initialise()
    fleet.step(0.1)
    return {"speed": fleet.get(["body.vx"])[:, 0]}


def command(*arguments):
    """What the command prints."""
    return subprocess.run([skidpad.command(), *arguments], check=True, capture_output=True, text=True).stdout


class Commands(unittest.TestCase):
    """Python and the command give bit-identical values, with the settings of Python."""

    def setUp(self):
        self.car = skidpad.Vehicle("generic4w")
        self.addCleanup(self.car.close)

    @testrun.requires("pandas")
    def test_linear_equations(self):
        self.car["body.mass"] = 1900.5
        self.car["body.vx"] = 15.0  # a start value, which the search keeps
        self.car["tire_FL.LMUY"] = 0.75
        drives = [f"drive_{wheel}.torque" for wheel in ("RL", "RR")]
        linear = self.car.linearize(free=drives)
        said = json.loads(command(
            "linearize", "generic4w", "--at", "body.vx=15", "--set", "body.mass=1900.5", "--set", "tire_FL.LMUY=0.75",
            "--free", ",".join(drives), "--modes", "--handling", "--json"))  # fmt: skip
        system = said["systems"][0]
        for name in ("A", "B", "C", "D", "x", "x_rate", "u", "y"):
            np.testing.assert_array_equal(getattr(linear, name), np.array(system[name]))
        self.assertAlmostEqual(linear.x[linear.states.index("body.vx")], 15.0)
        handling = linear.handling()
        self.assertEqual(handling["understeer_gradient"][0], system["handling"]["understeer_gradient"])
        modes = linear.modes()
        np.testing.assert_array_equal(modes["real"], [mode["real"] for mode in system["modes"]])
        shares = modes[sorted(set(linear.groups.values()) & set(modes.columns))].sum(axis=1)
        np.testing.assert_allclose(shares, 1.0, atol=1e-9)
        for mode in modes.itertuples():
            of_a = np.min(np.abs(linear.eigenvalues() - complex(mode.real, mode.imaginary)))
            self.assertLess(of_a, 1e-6)
        self.assertEqual(linear.units["body.vx"], "m/s")
        again = self.car.linearize({"body.vx": 16.0, "body.mass": 2000.0}, free=drives)
        self.car["body.mass"], self.car["body.vx"] = 2000.0, 16.0
        np.testing.assert_array_equal(again.A, self.car.linearize({"body.vx": 16.0}, free=drives).A)
        np.testing.assert_array_equal(again.A, self.car.linearize({}, free=drives).A)
        self.assertEqual(again, self.car.linearize({"body.vx": 16.0, "body.mass": 2000.0}, free=drives))
        self.assertNotEqual(again, linear)
        held = self.car.linearize(hold="body.y", free=drives)  # one name is a list of one
        np.testing.assert_array_equal(held.A, self.car.linearize(hold=["body.y"], free=drives).A)

    def test_functions_control_manoeuvres(self):
        class Soft:
            def __init__(self):
                self.calls = 0

            def __call__(self, time, pedal):
                self.calls += 1
                assert abs(time - 0.01 * (self.calls - 1)) < 1e-9, "a run goes on with the object of another run"
                return min(pedal, 1000.0)

        car = skidpad.Vehicle("passenger_car")
        self.addCleanup(car.close)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "soft.toml")
            file.write_text(
                'kind = "subsystem"\n[component.brakes]\ntype = "sampled-equations"\nsample = 0.01\n'
                'inputs = [{ name = "pedal", unit = "N.m", from = "@brake" }]\n'
                'outputs = [{ name = "torque", unit = "N.m", value = "min(pedal, 1000)", to = ["@brake"] }]\n'
            )
            inside = car.manoeuvre("brake", {"speed": 10}, controller=file)
        how = {"sample": 0.01, "signals": ["@brake"], "outputs": ["@brake"]}
        outside = car.manoeuvre("brake", {"speed": 10}, control=Soft, **how)
        self.assertEqual(inside._found["runs"][0]["figures"], outside._found["runs"][0]["figures"])
        self.assertEqual(outside.verdict, "")

        def hot(time, pedal):
            if time > 0.5:
                raise ValueError("too hot")
            return pedal

        ended = car.manoeuvre("brake", {"speed": 10}, control=hot, **how)
        self.assertIn("at 0.51 s: the control has failed: ValueError: too hot", ended.verdict)
        with self.assertRaisesRegex(ValueError, "sample is None"):
            car.manoeuvre("brake", control=hot)
        with self.assertRaisesRegex(skidpad.Error, 'no variable "body.vq"'):
            car.manoeuvre("brake", control=hot, sample=0.01, signals=["body.vq"], outputs=["@brake"])
        two = car.manoeuvre("brake", {"speed": 10}, control=lambda time, pedal: (pedal, 0.0), **how)
        self.assertIn("control returned 2 values; outputs names 1", two.verdict)
        nothing = car.manoeuvre("brake", {"speed": 10}, control=lambda time, pedal: float("nan"), **how)
        self.assertIn("the control sets @brake to NaN", nothing.verdict)

    def test_a_search_without_a_result_names_only_what_was_asked_for(self):
        with self.assertRaisesRegex(skidpad.Error, "^found no steady state near the start"):
            self.car.linearize(free="steer_FL.angle")
        with self.assertRaisesRegex(skidpad.Error, "^body.vx = 19: found no steady state near the start"):
            self.car.linearize({"body.vx": 19}, free="steer_FL.angle")
        with self.assertRaisesRegex(ValueError, r'at\["body.vx"\] is "10:20:5"; give one number'):
            self.car.linearize({"body.vx": "10:20:5"})

    def test_the_role_throttle_holds_the_speed(self):
        by_role = self.car.linearize({"body.vx": 19})
        self.assertEqual(by_role, self.car.linearize({"body.vx": 19}, free=["drive_RL.torque", "drive_RR.torque"]))

    @testrun.requires("pandas")
    def test_without_roles_handling_says_why(self):
        with skidpad.Vehicle("bicycle_rolling") as bicycle:
            linear = bicycle.linearize({"speed": 4.6})
            with self.assertRaisesRegex(skidpad.Error, "role"):
                linear.handling()
            self.assertIn("weave", " ".join(linear.modes()["name"]) + " weave")

    @testrun.requires("pandas")
    def test_kinematics_and_compliance(self):
        held = ["toe_RL", "toe_RR", "camber_RL", "camber_RR"]
        found = skidpad.kc("passenger_car", 2, tests="bounce", hold_at_zero=held, sensitivities=True,
                           parameters={"rear_spring": 30000.0})  # fmt: skip
        said = json.loads(command("kc", "passenger_car", "--axle", "2", "--hold-at-zero", ",".join(held),
                                  "--set", "rear_spring=30000", "--json"))  # fmt: skip
        for figure in said["figures"]:
            row = found.figures.loc[figure["key"]]
            for side in ("left", "right"):
                value = figure.get("value", figure.get(side))
                self.assertTrue(row[side] != row[side] if value is None else row[side] == value)
        self.assertEqual(found["wheel_rate"], found.figures.loc["wheel_rate", "left"])
        np.testing.assert_array_equal(found.compliance, said["compliance_matrix"])
        np.testing.assert_allclose(found.compliance, found.compliance.T, atol=1e-12)
        self.assertEqual(set(found.curves["test"]), {"bounce"})
        more = skidpad.kc("passenger_car", 2, hold_at_zero=held, parameters={"rear_spring": 30010.0}, tests="bounce")
        by_spring = found.sensitivities.loc["rear_spring", "wheel_rate"]
        self.assertAlmostEqual(more["wheel_rate"] - found["wheel_rate"], 10 * by_spring, 5)
        with self.assertRaisesRegex(KeyError, "castor is missing: steering does not turn"):
            found["castor"]
        with self.assertRaisesRegex(KeyError, "there is no figure bump"):
            found["bump"]
        with self.assertRaisesRegex(ValueError, "sensitivities=True"):
            more.sensitivities
        with self.assertRaisesRegex(ValueError, "shares=True"):
            more.shares
        shares = skidpad.kc("passenger_car", 1, tests="bounce", shares=True).shares
        self.assertAlmostEqual(shares.loc["toe_bushing_FL", "aligning_parallel_toe"], -4.615e-5, 7)
        with tempfile.TemporaryDirectory() as folder:
            cases = pathlib.Path(folder, "cases.toml")
            cases.write_text('[[case]]\nname = "kerb"\nleft = { pad = "9 kN" }\nright = { pad = "9 kN" }\n')
            forces = skidpad.kc("passenger_car", 2, tests="bounce", forces=cases).forces.set_index("component")
        self.assertAlmostEqual(forces.loc["susp_RL", "Fz [N]"], 31.9 * 9.81 - 9000, 6)
        with self.assertRaisesRegex(skidpad.Error, "axles 1 to 2"):
            skidpad.kc("passenger_car", 3)

    @testrun.requires("pandas", "pyarrow")
    def test_manoeuvres(self):
        self.car["body.mass"] = 1900.0
        self.car.set_text("solver.method", "rk4")
        let = {"lateral": 2.0}
        driven = self.car.manoeuvre("step_steer", let)
        with tempfile.TemporaryDirectory() as folder:
            command("manoeuvre", "generic4w", "--manoeuvre", "step_steer", "--let", "lateral=2",
                    "--set", "body.mass=1900", "--set", "solver.method=rk4", "--out", folder)  # fmt: skip
            said = json.loads(pathlib.Path(folder, "figures.json").read_text())
        figures = driven.figures
        for run, part in enumerate(said["runs"], 1):
            of = figures[figures["run"] == run]
            self.assertEqual([f["value"] for f in part["figures"]], [None if x != x else x for x in of["value"]])
            self.assertEqual([f["unit"] for f in part["figures"]], list(of["unit"]))
        self.assertEqual(driven.constants, said["constants"])
        self.assertEqual((driven.verdict, len(driven.verdicts)), ("", 2))
        left, right = driven.run(1), driven.run(2)
        self.assertEqual(left.units["body.vx"], "m/s")
        self.assertLess(left["body.wz"][-1] * right["body.wz"][-1], 0)
        with self.assertRaises(IndexError):
            driven.run(3)
        with self.assertRaisesRegex(TypeError, "number is 'left'; give an integer from 1 to 2"):
            driven.run("left")
        self.car["tire_FL.LMUY"] = 0.5  # what is set later is not in it
        self.assertNotEqual(self.car.manoeuvre("step_steer", let).figures["value"].iloc[0], figures["value"].iloc[0])
        with self.assertRaisesRegex(skidpad.Error, 'did you mean "step_steer"'):
            self.car.manoeuvre("step_steerr")
        with skidpad.Vehicle("generic4w", reactions="wheel_FL in ground") as asked:
            self.assertEqual(asked.manoeuvre("step_steer", let).run(1).units["wheel_FL.Fz"], "N")

    @testrun.requires("pandas")
    def test_an_initialised_vehicle_gives_its_parameters(self):
        self.car["body.mass"] = 1900.0
        before = self.car.manoeuvre("acceleration").figures["value"].to_numpy()
        self.car.initialise()
        self.car.step(0.5)
        state = self.car.save()
        after = self.car.manoeuvre("acceleration").figures["value"].to_numpy()
        np.testing.assert_array_equal(before, after)
        self.assertEqual(self.car.save(), state)

    @testrun.requires("pandas")
    def test_sweeps(self):
        self.car["body.mass"] = 1900.0
        table = skidpad.sweep(self.car, "generic4w_sine", {"body.vx": [15, 20]}, ["body.wz", "body.y"])
        said = command("sweep", "generic4w", "--manoeuvre", "generic4w_sine", "--set", "body.mass=1900",
                       "--param", "body.vx=15,20", "--record", "body.wz,body.y", "--json")  # fmt: skip
        self.assertEqual(list(table.columns), json.loads(said)["columns"])
        np.testing.assert_array_equal(table.to_numpy(), np.array(json.loads(said)["rows"]))

        with self.assertRaisesRegex(ValueError, r'vary\["body.vx"\] is "15"; give a sequence of numbers'):
            skidpad.sweep(self.car, "generic4w_sine", {"body.vx": "15"})

    @testrun.requires("pandas")
    def test_warnings_of_the_command_are_those_of_python(self):
        self.car["body.mass"] = 6000.0
        drives = ["drive_RL.torque", "drive_RR.torque"]
        for call in (
            lambda: self.car.manoeuvre("acceleration"),
            lambda: skidpad.sweep(self.car, "generic4w_sine", {"body.vx": [15]}, ["body.wz"]),
            lambda: self.car.linearize({"body.vx": 20}, free=drives),
            lambda: skidpad.run_command("linearize", "generic4w", "--at", "body.vx=20", "--free", ",".join(drives),
                                        "--set", "body.mass=6000", "--json"),  # fmt: skip
        ):
            with self.assertWarnsRegex(RuntimeWarning, "^with what is set: .* of the weight") as warned:
                call()
            self.assertEqual(warned.filename, __file__)
        with self.assertWarnsRegex(RuntimeWarning, "body has inertia but no mass"):
            self.car["body.mass"] = 0
            with self.assertRaisesRegex(skidpad.Error, "^body.vx = 20: found steady states"):  # without its warnings
                self.car.linearize({"body.vx": 20}, free=drives)

    def test_a_comparison_that_does_not_hold_keeps_what_it_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            ours, by = pathlib.Path(folder, "ours.csv"), pathlib.Path(folder, "by.toml")
            ours.write_text("time,a\n0,1\n1,2\n")
            pathlib.Path(folder, "reference.csv").write_text("time,a\n0,1\n1,3\n")
            by.write_text('title = "t"\n[[corridor]]\nx = "time"\ny = "a"\nx_offset = 0.1\ny_offset = 0.1\n')
            with self.assertRaisesRegex(skidpad.Error, "^a check of compare .* does not hold") as failed:
                skidpad.run_command("compare", ours, pathlib.Path(folder, "reference.csv"), "--by", by, "--json")
        error = pickle.loads(pickle.dumps(failed.exception))
        self.assertFalse(json.loads(error.output)["pass"])
        with self.assertRaises(skidpad.Error) as failed:
            skidpad.run_command("list", "model")
        self.assertEqual(failed.exception.output, "")

    @testrun.requires("pandas")
    def test_runs_of_a_sweep_that_fail_have_a_warning(self):
        with self.assertWarnsRegex(RuntimeWarning, "^1 of 2 runs failed and end early; the first is run 1: not a fin"):
            table = skidpad.sweep(self.car, "generic4w_sine", {"body.mass": [0, 1900]}, ["body.wz"])
        self.assertEqual(list(table["end"]), [0, 10])

    @testrun.requires("pyarrow")
    def test_studies_are_told_and_run_by_the_script(self):
        said = subprocess.run([sys.executable, "-m", "skidpad", "--help"], check=True, capture_output=True, text=True)
        self.assertRegex(said.stdout, "(?s)simulate .*In Python\n  study ")
        words = [sys.executable, "-m", "skidpad", "help", "study"]
        self.assertRegex(subprocess.run(words, check=True, capture_output=True, text=True).stdout, "usage: skid")
        with tempfile.TemporaryDirectory() as folder:
            design = skidpad.design.table({"body.mass": [1900, 2000]})
            skidpad.study(self.car, design, folder, manoeuvre="acceleration").wait()
            self.assertEqual(skidpad.run_command("study", "status", folder), "2 of 2 runs, 0 failed\n")
            with self.assertRaisesRegex(skidpad.Error, "^.*/nothing holds no study"):
                skidpad.run_command("study", "status", f"{folder}/nothing")

    @testrun.requires("pandas")
    def test_a_vehicle_from_elsewhere_drives_alike(self):
        self.car["body.mass"] = 1900.0
        with pickle.loads(pickle.dumps(self.car)) as other:
            np.testing.assert_array_equal(
                other.manoeuvre("acceleration").figures["value"], self.car.manoeuvre("acceleration").figures["value"]
            )

    def with_front_tires(self, function):
        """The car with a tire function in front."""
        car = skidpad.Vehicle("generic4w")
        self.addCleanup(car.close)
        for corner in ("FL", "FR"):
            car.set_text(f"tire_{corner}.model", function)
            car.set_text(f"tire_{corner}.file", FILE)
        return car

    @testrun.requires("pandas", "pyarrow")
    def test_a_library_of_tires_crosses_to_the_command(self):
        """The example library has the law of the built-in function Fiala: manoeuvres, sweeps and studies give the same
        with both."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        library = pathlib.Path(folder.name, "fiala.so")
        build = ["gcc", "-fPIC", "-shared", "-O2", "-Icapi", "capi/examples/fiala/fiala.c", "-o", library, "-lm"]
        subprocess.run(build, check=True)
        mass = skidpad.design.table({"body.mass": [1900, 2000]})
        found = []
        for number, function in enumerate(("Fiala", f"plugin:{library}#skidpad_fiala")):
            car = self.with_front_tires(function)
            values = [car.manoeuvre("brake").figures["value"].to_numpy()]
            table = skidpad.sweep(car, "generic4w_sine", {"body.mass": [1900, 2000]}, ["body.wz"])
            values.append(table.select_dtypes("number").to_numpy().ravel())
            for name, runs in (("driven", {"manoeuvre": "acceleration"}), ("stepped", {"run": speed_of})):
                study = skidpad.study(car, mass, pathlib.Path(folder.name, f"{name}{number}"), **runs).wait()
                rows = study.table().to_table()
                self.assertEqual(rows.column("status").to_pylist(), ["ok", "ok"])
                results = [c.to_numpy() for c in rows.columns[2:] if str(c.type) == "double"]
                self.assertTrue(results)
                values += results
            found.append(np.concatenate(values))
        np.testing.assert_allclose(found[1], found[0], rtol=1e-6, atol=1e-5)

    @testrun.requires("pandas", "pyarrow")
    def test_a_tire_of_this_process_does_not_cross(self):
        skidpad.register_tire("OfThisProcess", ["Fz"], lambda tire, file: lambda Fz: (0, 0, 0, 0, 0))
        car, mass = self.with_front_tires("OfThisProcess"), skidpad.design.table({"body.mass": [1900]})
        with tempfile.TemporaryDirectory() as folder:
            for call in (
                lambda: car.manoeuvre("brake"),
                lambda: car.linearize({"body.vx": 10}),
                lambda: skidpad.sweep(car, "generic4w_sine", {"body.mass": [1900]}),
                lambda: skidpad.study(car, mass, f"{folder}/driven", manoeuvre="acceleration"),
            ):
                with self.assertRaisesRegex(
                    skidpad.Error, r'tire_FL\.model is "OfThisProcess".*register_tire.*plugin:LIBRARY#SYMBOL'
                ):
                    call()
            with self.assertRaisesRegex(skidpad.Error, r'tire_FL\.model is "OfThisProcess".*register it in the module'):
                skidpad.study(car, mass, f"{folder}/stepped", run=speed_of).wait()

    def test_models_are_packed(self):
        with tempfile.TemporaryDirectory() as folder:
            for version in (2, 3):
                path = skidpad.pack("generic4w", pathlib.Path(folder, f"car{version}.fmu"), fmi=version)
                said = command("manoeuvre", str(path), "--manoeuvre", "acceleration", "--hold")
                self.assertIn("time", said)
            path = skidpad.pack("generic4w", pathlib.Path(folder, "tree.fmu"), tree="tire")
            self.assertIn(b"; tree tire\"", zipfile.ZipFile(path).read("modelDescription.xml"))
            path = pathlib.Path(folder, "sources.fmu")
            for sources, method in ((True, "rk4"), ("only", ["heun", "rk4"])):
                names = zipfile.ZipFile(skidpad.pack("generic4w", path, sources=sources, method=method)).namelist()
                self.assertIn("sources/GenericVehicle.c", names)
                self.assertEqual(any(name.startswith("binaries/") for name in names), sources != "only")
            with self.assertRaisesRegex(skidpad.Error, r'--method: "dlmm" cannot be in C sources'):
                skidpad.pack("generic4w", path, sources=True, method="dlmm")
            inside = pathlib.Path(folder, "fmus")
            self.assertEqual(skidpad.pack("generic4w", inside), inside / "GenericVehicle.fmu")
            self.assertTrue((inside / "GenericVehicle.fmu").is_file())
            with self.assertRaisesRegex(skidpad.Error, r"pip install out/skidpad_fmi-"):
                skidpad.pack("generic4w", inside, binaries=pathlib.Path(folder, "none"))

    def test_inverse_dynamics_of_a_pendulum(self):
        time = np.array([0.0, 0.1, 0.35, 0.8, 1.7])
        angle, rate, bend = 0.7 * np.sin(2 * time), 1.4 * np.cos(2 * time), -2.8 * np.sin(2 * time)
        torque = 2 * 1.5**2 / 3 * bend + 2 * 9.81 * 0.75 * np.sin(angle)
        motion = {"time": time, "hinge.angle": angle, "hinge.rate": rate, "hinge.acceleration": bend}
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, "rod.toml")
            model.write_text(
                """name = "Rod"
[component.hinge]
type = "revolute"
from = "ground"
to = "pivot"
axis = "y"
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "rod"
translation = [0, 0, -0.75]
[component.rod]
type = "rigid-body"
mass = 2
inertia = { axial = 0.001, transverse = 0.375, axis = "z" }
"""
            )
            with skidpad.Vehicle(model) as rod:
                drives = rod.inverse(motion, "hin*", reactions="hinge in ground", record=["rod.x"])
                np.testing.assert_allclose(drives["hinge.torque"], torque, rtol=0, atol=1e-11)
                np.testing.assert_allclose(drives["hinge.power"], torque * rate, rtol=0, atol=1e-11)
                np.testing.assert_allclose(drives["rod.x"], -0.75 * np.sin(angle), rtol=0, atol=1e-14)
                centripetal = -0.75 * (bend * np.cos(angle) - rate**2 * np.sin(angle))
                np.testing.assert_allclose(drives["hinge.Fx"], 2 * centripetal, rtol=0, atol=1e-11)
                self.assertEqual((drives.units["hinge.torque"], drives.units["hinge.power"]), ("N.m", "W"))
                self.assertTrue((drives.time == time).all())
                rod["rod.mass"] = 4  # the inertia stays
                heavy = rod.inverse(motion, ["hinge"])
                more = 2 * 0.75**2 * bend + 2 * 9.81 * 0.75 * np.sin(angle)
                np.testing.assert_allclose(heavy["hinge.torque"], torque + more, rtol=0, atol=1e-11)
                with self.assertRaisesRegex(ValueError, 'the motion has no "time"'):
                    rod.inverse({"hinge.angle": angle}, "hinge")
                with self.assertRaisesRegex(ValueError, r'"hinge.angle" has the shape \(2,\)'):
                    rod.inverse({"time": time, "hinge.angle": angle[:2]}, "hinge")
                with self.assertRaisesRegex(skidpad.Error, '"knee" matches no revolute or prismatic joint'):
                    rod.inverse(motion, "knee")
            path = skidpad.pack(model, pathlib.Path(folder, "rod.fmu"), prescribe="hinge", reactions="hinge in ground")
            description = zipfile.ZipFile(path).read("modelDescription.xml")
            self.assertIn(b'"hinge.torque"', description)
            self.assertIn(b'"hinge.acceleration"', description)
            self.assertIn(b'"hinge.Fx"', description)

    def test_equations_are_those_of_the_command(self):
        self.assertEqual(self.car.equations(), json.loads(command("equations", "generic4w", "--json")))


@testrun.requires("matplotlib")
class Shown(unittest.TestCase):
    def test_traces_are_shown_and_drawn(self):
        with skidpad.Vehicle("generic4w") as car:
            car.initialise()
            trace = car.simulate(0.1, 0.01, record=["body.vx", "body.wz", "tire_FL.Fz"])
        table = trace._repr_html_()
        self.assertEqual((table.count("<svg"), table.count("m/s<")), (3, 1))
        panels = trace.plot()
        self.assertEqual([len(panel.lines) for panel in panels], [1, 1, 1])
        self.assertEqual([panel.get_ylabel() for panel in panels], ["[m/s]", "[rad/s]", "[N]"])
        np.testing.assert_array_equal(panels[0].lines[0].get_ydata(), trace["body.vx"])


if __name__ == "__main__":
    unittest.main(verbosity=0)
