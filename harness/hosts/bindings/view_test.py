"""The live view from Python: python view_test.py."""

import concurrent.futures
import importlib
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import zipfile

import numpy as np
import skidpad

sys.path.append(str(pathlib.Path(__file__).parent))  # an isolated Python does not look there
import testrun

testrun.module_requires("websockets")

import skidpad.view
from websockets.sync.client import connect


def page(address):
    """A connected page, and the scene that it gets."""
    host, token = address.removeprefix("http://").split("/#")
    socket = connect(f"ws://{host}/socket", subprotocols=["skidpad-view.1"], compression=None, proxy=None)
    with socket as connection:
        connection.send(json.dumps({"type": "hello", "token": token, "kind": "page", "identity": "p", "rate": 240}))
        yield json.loads(connection.recv())
        while True:
            yield connection.recv(20)


class Lockstep(unittest.TestCase):
    """A controller drives in lockstep."""

    def drive(self, folder):
        """Digests of the recorded drive of a controller that follows a sine, and the drive."""
        with skidpad.view.open("generic4w", pace="lockstep", speed=15, record=folder) as car:
            self.assertTrue(car.lockstep)
            for n in range(210):
                state = car.state()
                self.assertAlmostEqual(state.time, 0.01 * n, places=9)
                car.drive(steering=math.sin(0.05 * n) - 3 * state.yaw, throttle=0.1 * (16 - state["@chassis.vx"]))
                car.advance(10)
            state = car.state()
            self.assertEqual((state.number, state.paused, state.recording, state.driven), (210, True, True, True))
            self.assertEqual(state["body.vx"], state["@chassis.vx"])
            self.assertEqual(state.units["body.vx"], "m/s")
            with self.assertRaisesRegex(KeyError, "no signal is called .body.vxx.; similar are .*body.vx"):
                state["body.vxx"]
            with self.assertRaisesRegex(skidpad.Error, "run: the vehicle is in lockstep"):
                car.run()
        with zipfile.ZipFile(car.recorded) as drive:
            segments = json.loads(drive.read("drive.json"))["segments"]
        return [s["digests"] for s in segments], state, car.recorded

    def test_equal_orders_give_equal_bits_and_the_replay_too(self):
        with tempfile.TemporaryDirectory() as folder:
            with concurrent.futures.ThreadPoolExecutor() as pool:
                (one, state, drive), (two, same, _) = pool.map(self.drive, (f"{folder}/one", f"{folder}/two"))
            self.assertEqual(one, two)
            self.assertEqual([len(digests) for digests in one], [2])
            np.testing.assert_array_equal(state.position, same.position)
            arguments = ["simulate", "--replay", drive, "--out", f"{folder}/run.csv", "--record", "body.*"]
            done = subprocess.run([skidpad.command(), *arguments], check=True, capture_output=True, text=True)
            self.assertIn("2.1 s, 2 of 2 states equal", done.stderr)
            columns = np.genfromtxt(f"{folder}/run.csv", delimiter=",", names=True, deletechars="")
            row = columns[-1]
            self.assertAlmostEqual(row["time"], 2.1, places=9)
            np.testing.assert_array_equal(state.position, [row["body.x"], row["body.y"], row["body.z"]])
            self.assertAlmostEqual(state.yaw, row["body.yaw"], places=6)
            self.assertAlmostEqual(state.velocity[0], row["body.vx"] * np.cos(state.yaw), delta=0.2)


class RealTime(unittest.TestCase):
    """Orders and errors of a vehicle that runs by the clock."""

    def test_orders_and_what_is_refused(self):
        with skidpad.view.open("generic4w", speed=10, pace=2, step=0.002) as car:
            self.assertEqual((car.lockstep, round(car.state()["@chassis.vx"], 3)), (False, 10.0))
            car.set("tire_FL.LMUY", 0.8)
            car.advance(100)
            car.keep(1)
            car.advance(50)
            car.return_to(1)
            self.assertAlmostEqual(car.state().time, 0.2, places=9)
            car.rewind(1)
            self.assertEqual((car.state().time, car.state().paused), (0.0, True))
            car.pace(4)
            car.drive(steering=0.5, brake=8)
            car.run()
            car.events()
            car.pause()
            self.assertEqual([e.kind for e in car.events()], ["paused"])
            for _ in range(5):  # a command holds for 0.25 s, which a busy machine can miss
                car.drive(steering=0.5, brake=8)
                car.advance(200)
                state = car.state()
                if state["brake"] > 7.9:
                    break
            self.assertEqual((state.number >= 2, state["throttle"]), (True, 0.0))
            self.assertAlmostEqual(state["brake"], 8, places=3)
            self.assertAlmostEqual(state["steering"], 0.5, delta=0.1)
            car.reset()
            self.assertEqual(car.state().time, 0.0)
            for call, text in (
                (lambda: car.set("body.mass", 1.0), "^set: .*body.mass"),
                (lambda: car.set("body.masss", 1.0), "^set: .*body.masss"),
                (lambda: car.pace(9), "0.1 to 4"),
                (lambda: car.keep(10), "slot is 10; allowed are 1 to 9"),
                (lambda: car.return_to(9), "slot 9 is empty"),
                (lambda: car.advance(0), "slices is 0"),
                (lambda: skidpad.view.Feed(car.address), "start 'skidpad view' with --feed"),
            ):
                with self.assertRaisesRegex(skidpad.Error, text):
                    call()
            for call, text in (
                (lambda: car.drive(throttle=1.5), "throttle is 1.5; give a number from 0 to 1"),
                (lambda: car.drive(steering=math.nan), "steering is nan"),
                (lambda: car.rewind(math.inf), "seconds is inf"),
                (lambda: skidpad.view.View("127.0.0.1:80"), "http://"),
                (lambda: skidpad.view.View("http://127.0.0.1:80/"), "has no token"),
            ):
                with self.assertRaisesRegex(ValueError, text):
                    call()
        with self.assertRaisesRegex(skidpad.Error, "the view is closed: close was called"):
            car.advance(1)
        with self.assertRaisesRegex(skidpad.Error, "no live view answers at .* is 'skidpad view' running"):
            skidpad.view.View(car.address)

    def test_commands_that_do_not_start(self):
        for options, text in (
            ({"model": "generic4"}, "generic4w"),
            ({"model": "generic4w", "pace": 9}, '^--pace "9'),
            ({"model": "generic4w", "parameters": {"body.masss": 1}}, "body.masss"),
        ):
            with self.assertRaisesRegex(skidpad.Error, text):
                skidpad.view.open(**options)

    def test_a_missing_package_is_named(self):
        with unittest.mock.patch.dict(sys.modules, {"websockets.sync.client": None}):
            del sys.modules["skidpad._view_client"], sys.modules["skidpad.view"]
            with self.assertRaisesRegex(ImportError, r"pip install skidpad\[view\]"):
                importlib.import_module("skidpad.view")


class Feed(unittest.TestCase):
    """A loop of its own is shown."""

    def test_a_page_draws_what_is_shown(self):
        with skidpad.Vehicle("generic4w") as car, skidpad.view.feed(car, pace=None) as feed:
            watcher = page(feed.address)
            scene = next(watcher)
            self.assertEqual(scene["feeds"], feed.names)
            car["body.vx"] = 20.0
            car.initialise()
            for _ in range(30):
                car.step(0.1)
                feed.show(car)
            feed._flush()

            def until(moment):
                for message in watcher:
                    if isinstance(message, bytes) and struct.unpack_from("<d", message, 8)[0] == moment:
                        return message

            names = [s["name"] for s in scene["signals"]]
            state = until(car.time)
            self.assertEqual(struct.unpack_from("<d", state, 16)[0], car["body.x"])
            signals = dict(zip(names, np.frombuffer(state[-4 * len(names) :], "<f4")))
            self.assertEqual(signals["body.vx"], np.float32(car["body.vx"]))
            self.assertEqual(signals["tire_FL.Fz"], np.float32(car["tire_FL.Fz"]))
            self.assertTrue(np.isnan(signals["steering"]))
            feed.show(1, {"body.x": 1e5, "body.yaw": 0.5, "steering": 0.25})
            state = until(1.0)
            self.assertEqual(struct.unpack_from("<d", state, 16)[0], 1e5)
            signals = dict(zip(names, np.frombuffer(state[-4 * len(names) :], "<f4")))
            self.assertEqual(signals["steering"], 0.25)
            self.assertTrue(np.isnan(signals["body.vx"]))
            feed.show(car)
            feed._flush()
            state = until(car.time)
            self.assertEqual(struct.unpack_from("<d", state, 16)[0], car["body.x"])
            for values, text in (
                ({"body.xx": 1}, "did you mean body.x?"),
                ({"nose": 1}, r"it shows \d+ values, such as"),
                ({}, "names no values"),
            ):
                with self.assertRaisesRegex(skidpad.Error, text):
                    feed.show(1, values)
            with self.assertRaisesRegex(ValueError, "body.yaw is nan; give finite numbers"):
                feed.show(1, {"body.x": 1, "body.yaw": math.nan})
            with self.assertRaisesRegex(TypeError, "needs a time and values"):
                feed.show(1)
            feed.show(2, {"body.x": 7})
            feed.show(2.001, {"body.x": 8})  # too early for another moment: it is sent at the end
            self.assertTrue(feed._row)
            feed._due = math.inf
            feed._pace, begin = 50.0, time.monotonic()
            feed.show(2.002, {"body.x": 8})
            feed.show(2.502, {"body.x": 9})
            self.assertGreater(time.monotonic() - begin, 0.0099)
            process, feed._process = feed._process, None
            feed.close()
            state = until(2.502)
            self.assertEqual(struct.unpack_from("<d", state, 16)[0], 9)
            watcher.close()
            process.end()

    def test_the_clock_of_a_feed(self):
        """Moments wait for their time, a new drive and a late loop begin to count again."""
        feed, now = skidpad.view.Feed.__new__(skidpad.view.Feed), [100.0]
        feed._begin, feed._last = (0.0, math.inf), -math.inf
        clock = unittest.mock.Mock(monotonic=lambda: now[0], sleep=lambda seconds: now.append(now.pop() + seconds))
        with unittest.mock.patch.object(skidpad.view, "clock", clock):
            for at, pace, late, want in (
                (5.0, 2, 0, 100.0), (6.0, 2, 0, 100.5), (6.2, 2, 0.05, 100.6), (6.4, 2, 1.0, 101.6), (7.4, 2, 0, 102.1),
                (0.0, 2, 0, 102.1), (1.0, 2, 0, 102.6),
            ):  # fmt: skip
                now[0] += late
                feed._wait(at, pace)
                feed._last = at
                self.assertAlmostEqual(now[0], want, places=9)


@unittest.skipUnless(testrun.SIZE == "all", "takes 5 s")
class Slow(unittest.TestCase):
    def test_a_wrong_token_is_refused(self):
        with skidpad.view.open("generic4w") as car:
            with self.assertRaisesRegex(skidpad.Error, "refuses this program: the token is wrong"):
                skidpad.view.View(car.address[:-4] + "0000")

    def test_another_program_takes_the_seat(self):
        with skidpad.view.open("generic4w", pace="lockstep") as car, skidpad.view.View(car.address) as other:
            other.advance(1)
            with self.assertRaisesRegex(skidpad.Error, "^only the driver may do that; ask for the seat"):
                for _ in range(200):  # the answer to an input comes later
                    car.drive(throttle=1)
                    time.sleep(0.02)
            with self.assertRaisesRegex(skidpad.Error, "only the driver may do that; ask for the seat"):
                car.advance(1)
            self.assertIn("seat", [e.kind for e in car.events()])


if __name__ == "__main__":
    unittest.main(verbosity=0)
