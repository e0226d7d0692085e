"""The environments of the package: python envs_test.py."""

import contextlib
import copy
import io
import math
import pathlib
import pickle
import sys
import unittest
import warnings

sys.path.append(str(pathlib.Path(__file__).parent))  # an isolated Python does not look there
import testrun

testrun.module_requires("gymnasium")

import gymnasium
import numpy as np
import skidpad.envs
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode


def drive(seen):
    """A driver that steers to the second preview point and holds the speed."""
    return np.column_stack([0.15 * seen[:, 3], 0.1 * (seen[:, 9] - seen[:, 5])])


class LaneKeeping(unittest.TestCase):
    def make(self, count=4, **options):
        envs = skidpad.envs.LaneKeeping(count, **{"threads": 1, "duration": 1.0, **options})
        self.addCleanup(envs.close)
        return envs

    def test_the_checker_of_gymnasium_passes(self):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*Box observation space m.* value is .*infinity")
            check_env(gymnasium.make("skidpad/LaneKeeping-v0").unwrapped, skip_render_check=True)
        envs = gymnasium.make_vec("skidpad/LaneKeeping-v0", num_envs=3, vectorization_mode="vector_entry_point")
        self.addCleanup(envs.close)
        seen, _ = envs.reset(seed=1)
        self.assertTrue(envs.observation_space.contains(seen))
        seen, rewards, _, _, _ = envs.step(envs.action_space.sample())
        self.assertEqual((seen.dtype, seen.shape, rewards.shape), (np.float32, (3, 10), (3,)))

    def test_equal_seeds_give_equal_bits_alone_and_among_many(self):
        many, again, alone = self.make(), self.make(), skidpad.envs.LaneKeepingEnv(duration=1.0)
        self.addCleanup(alone.close)
        seen, _ = many.reset(seed=5)
        np.testing.assert_array_equal(seen, again.reset(seed=5)[0])
        np.testing.assert_array_equal(seen[2], alone.reset(seed=7)[0])
        self.assertEqual(len({tuple(row) for row in seen}), 4)
        for _ in range(50):
            actions = drive(seen)
            seen, rewards, over, _, _ = many.step(actions)
            for value, same in zip((seen, rewards), again.step(actions)):
                np.testing.assert_array_equal(value, same)
            one, reward, _, truncated, _ = alone.step(actions[2])
            np.testing.assert_array_equal(seen[2], one)
            self.assertEqual(rewards[2], reward)
            self.assertFalse(over.any())
        self.assertTrue(truncated)

    def test_copies_go_on_alike_and_share_nothing(self):
        envs = self.make(3)
        seen, _ = envs.reset(seed=1)
        for made in (copy.copy, copy.deepcopy, lambda given: pickle.loads(pickle.dumps(given))):
            other = made(envs)
            self.addCleanup(other.close)
            for _ in range(10):
                actions = drive(seen) + [0.1, -0.2]
                before, (seen, *_) = seen, envs.step(actions)
                self.assertTrue((seen[:, 5] != before[:, 5]).all())  # speeds
            seen, rewards, *_ = envs.reset(seed=2)[0], 0.0
            np.testing.assert_array_equal(other.reset(seed=2)[0], seen)
            for _ in range(10):
                actions = drive(seen) + [0.1, -0.2]
                seen, rewards, *_ = envs.step(actions)
                there, earned, *_ = other.step(actions)
                np.testing.assert_array_equal(there, seen)
                np.testing.assert_array_equal(earned, rewards)
        alone = skidpad.envs.LaneKeepingEnv()
        self.addCleanup(alone.close)
        alone.reset(seed=1)
        alone.step([0.5, 0.1])
        other = pickle.loads(pickle.dumps(alone))  # within an episode
        self.addCleanup(other.close)
        for _ in range(10):
            (seen, reward, *_), (there, earned, *_) = alone.step([0.5, 0.1]), other.step([0.5, 0.1])
            np.testing.assert_array_equal(there, seen)
            self.assertEqual(earned, reward)

    def test_environments_have_processes_that_are_started_new(self):
        apart = gymnasium.make_vec(
            "skidpad/LaneKeeping-v0", num_envs=2, vectorization_mode="async", vector_kwargs={"context": "spawn"}
        )
        self.addCleanup(apart.close)
        envs = self.make(2, duration=20.0)
        np.testing.assert_array_equal(apart.reset(seed=1)[0], envs.reset(seed=1)[0])
        actions = np.full((2, 2), 0.1, np.float32)
        np.testing.assert_array_equal(apart.step(actions)[0], envs.step(actions)[0])

    def test_a_vehicle_ends_where_the_fleet_alone_would(self):
        """The observations equal the values of a vehicle driven by hand with the same inputs."""
        envs = self.make(1, speed=(20.0, 20.0))
        seen, _ = envs.reset(seed=3)
        with skidpad.Vehicle("generic4w") as car:
            car.set_text("solver.method", "heun")
            car["body.vx"] = 20.0
            car.trim()
            car.initialise()
            angle = 0.0
            for n in range(20):
                aim = 0.4 * np.sin(0.3 * n)
                seen, *_ = envs.step([[aim / 2.0, 0.5]])
                turned = np.clip(aim - angle, -0.2, 0.2)  # 10 rad/s
                car.set([f"steer_{w}.{q}" for w in ("FL", "FR") for q in ("angle", "rate", "acceleration")],
                        2 * [angle / 16, turned / 0.02 / 16, 0.0])  # fmt: skip
                car.set(["drive_RL.torque", "drive_RR.torque"], -150 + 0.5 * 750)
                car.step(0.02)
                angle += turned
            np.testing.assert_allclose(seen[0, 5:7], car.get(["body.vx", "body.wz"]), rtol=1e-6)
            self.assertAlmostEqual(seen[0, 8], angle, places=6)

    def test_offsets_are_those_of_a_circle(self):
        """On a path of constant curvature, offset and heading are known in closed form."""
        from skidpad._path import PATH_NUMBERS, Paths

        paths, radius = Paths(1, 300.0), 80.0
        paths.draw(np.array([0]), np.zeros((1, 3)), np.array([0.0]), np.full((1, PATH_NUMBERS), 0.5))
        s = np.arange(paths._points)
        paths._x[0], paths._y[0] = radius * np.sin(s / radius), radius * (1 - np.cos(s / radius))
        paths._heading[0], paths._curvature[0] = s / radius, 1 / radius
        for angle in np.linspace(0.055, 3.0, 60):  # inside and outside, between points
            for out in (-1.5, 1.2):
                x, y = (radius - out) * np.sin(angle), radius - (radius - out) * np.cos(angle)
                offset, heading = paths.follow(np.array([x]), np.array([y]), np.array([angle + 0.1]))
                self.assertAlmostEqual(offset[0], out, delta=1e-4)
                self.assertAlmostEqual(heading[0], 0.1, delta=2e-4)
                far = paths.ahead(np.array([x]), np.array([y]), np.array([angle]), np.array([10.0]))
                self.assertAlmostEqual(far[0], radius - out - radius * np.cos(10 / radius), delta=0.1)
        draws = Paths(3, 600.0)
        random = np.random.default_rng(1).random((3, PATH_NUMBERS))
        sharpest = np.array([0.001, 0.005, 0.01])
        draws.draw(np.arange(3), np.tile([5.0, -3.0, 0.4], (3, 1)), sharpest, random)
        self.assertTrue((abs(draws._curvature) <= sharpest[:, None] + 1e-12).all())
        steps = np.hypot(np.diff(draws._x), np.diff(draws._y))
        np.testing.assert_allclose(steps, 1.0, atol=1e-12)
        np.testing.assert_allclose(np.diff(draws._heading), (draws._curvature[:, 1:] + draws._curvature[:, :-1]) / 2)
        offset, heading = draws.follow(np.full(3, 5.0), np.full(3, -3.0), np.full(3, 0.4))
        np.testing.assert_allclose(offset, random[:, -2] - 0.5, atol=1e-9)
        np.testing.assert_allclose(heading, 0.06 * (random[:, -1] - 0.5), atol=1e-9)

    def test_the_three_ways_of_beginning_again(self):
        off = np.zeros((4, 2))
        off[1, 0] = 1.0  # the second vehicle leaves its lane
        ended = {}
        for mode in AutoresetMode:
            envs = self.make(autoreset_mode=mode, duration=10.0, speed=(25.0, 25.0))
            seen, _ = envs.reset(seed=2)
            for n in range(200):
                seen, rewards, terminated, truncated, infos = envs.step(off)
                if terminated.any():
                    break
            self.assertEqual((list(terminated), truncated.any()), ([False, True, False, False], False))
            last = infos["final_obs"][1] if mode is AutoresetMode.SAME_STEP else seen[1].copy()
            self.assertGreater(abs(last[0]), 1.75)
            ended[mode] = (n, last)
            if mode is AutoresetMode.SAME_STEP:
                self.assertEqual(list(infos["_final_obs"]), [False, True, False, False])
                begun = seen[1]
            elif mode is AutoresetMode.NEXT_STEP:
                seen, rewards, terminated, _, _ = envs.step(off)
                self.assertEqual((rewards[1], terminated[1]), (0.0, False))
                begun = seen[1]
            else:
                with self.assertRaisesRegex(gymnasium.error.ResetNeeded, "reset_mask"):
                    envs.step(off)
                others = seen[[0, 2, 3]]
                seen, _ = envs.reset(options={"reset_mask": terminated})
                np.testing.assert_array_equal(seen[[0, 2, 3]], others)
                begun = seen[1]
            self.assertLessEqual(abs(begun[0]), 0.5)
            self.assertAlmostEqual(begun[5], 25.0, places=4)
            ended[mode] += (begun,)
        for n, last, begun in ended.values():  # all three are the same drive
            self.assertEqual(n, ended[AutoresetMode.DISABLED][0])
            np.testing.assert_array_equal(last, ended[AutoresetMode.DISABLED][1])
            np.testing.assert_array_equal(begun, ended[AutoresetMode.DISABLED][2])

    def test_an_episode_has_its_whole_time(self):
        envs = self.make(1, duration=0.2)
        envs.reset(seed=1)
        for n in range(25):  # the tenth step is the last one, and another one begins the next episode
            if n == 4:
                envs.reset(seed=1)
            *_, truncated, _ = envs.step(np.zeros((1, 2)))
            self.assertEqual(truncated[0], n in (13, 24), n)

    def test_a_vehicle_that_fails_ends_its_episode(self):
        envs = self.make(3)
        envs.reset(seed=1)
        step, statuses = envs._fleet.step, np.array([0, skidpad.Status.REFUSED, 0])
        envs._fleet.step = lambda h, errors: step(h, errors=errors) * 0 + statuses
        for wanted in ([False, True, False], [False, False, False]):  # it begins again, whatever that step says
            _, _, terminated, _, _ = envs.step(np.zeros((3, 2)))
            self.assertEqual(list(terminated), wanted)

    def test_a_driver_keeps_the_lane(self):
        for model in ("generic4w", "passenger_car"):
            for control in ("angle", "rate"):
                envs = self.make(2, model=model, control=control, duration=3.0)
                seen, _ = envs.reset(seed=4)
                for _ in range(150):
                    actions = drive(seen)
                    if control == "rate":
                        actions[:, 0] = (2.0 * actions[:, 0] - seen[:, 8]) * 1.0
                    seen, rewards, over, late, _ = envs.step(actions)
                    self.assertFalse(over.any(), model)
                self.assertTrue(late.all())
                self.assertTrue((abs(seen[:, 0]) < 1.0).all())
                np.testing.assert_allclose(rewards / 0.02, 1 - (seen[:, 0] / 1.75) ** 2, atol=0.1)

    @testrun.requires("websockets")
    def test_the_first_vehicle_is_shown_to_people(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            env = gymnasium.make("skidpad/LaneKeeping-v0", render_mode="human", browser=False, step=0.04)
            self.addCleanup(env.close)
            env.reset(seed=1)
        env = env.unwrapped
        self.assertEqual(said.getvalue(), f"watch at {env.address}\n")
        self.assertEqual((env.metadata["render_modes"], env.metadata["render_fps"]), (["human"], 25))
        one, shown = env._one, []
        show, one._feed.show = one._feed.show, lambda time, values: shown.append((time, values))
        env.step([0.5, -0.25])
        show(*shown[0])  # the view takes all names
        self.assertIsNone(env.render())
        (time, values), seen = shown[0], one._values[0]
        self.assertEqual((time, len(shown)), (0.04, 1))
        self.assertEqual([values[f"body.{name}"] for name in ("x", "y", "yaw", "vx")], list(seen[:4]))
        self.assertAlmostEqual(values["steering"], 0.4)  # 10 rad/s
        self.assertEqual((values["throttle"], values["brake"]), (0.0, 1.0))
        other = pickle.loads(pickle.dumps(env))
        self.addCleanup(other.close)
        self.assertEqual(other.address, "")
        one._fleet.get = lambda names, where: np.full((1, len(names)), np.nan)
        env.step([0.5, -0.25])  # a vehicle that has failed is not shown
        self.assertEqual(len(shown), 1)
        env.close()
        with self.assertRaisesRegex(skidpad.Error, "the view is closed"):
            show(1.0, values)

    def test_what_cannot_be_is_refused(self):
        with self.assertRaisesRegex(ValueError, 'control is "torque"'):
            skidpad.envs.LaneKeeping(2, control="torque")
        with self.assertRaisesRegex(ValueError, "above 0 m/s"):
            skidpad.envs.LaneKeeping(2, speed=(0.0, 10.0))
        with self.assertRaisesRegex(skidpad.Error, r"lacks roles .*steering.* --draft"):
            skidpad.envs.LaneKeeping(2, model="bicycle")
        for options, text in (
            ({"step": -0.02}, "step is -0.02; give a finite number above 0 s"),
            ({"step": 0}, "step is 0"),
            ({"duration": -1}, "duration is -1; .*at least one step, 0.02 s"),
            ({"duration": 0}, "duration is 0"),
            ({"duration": math.inf}, "duration is inf"),
            ({"lane_width": 0}, "lane_width is 0"),
            ({"rate_limit": -1}, "rate_limit is -1"),
            ({"angle_limit": 0}, "angle_limit is 0"),
            ({"braking": 0}, "braking is 0"),
            ({"braking": math.nan}, "braking is nan"),
            ({"lateral": math.nan}, "lateral is nan"),
            ({"preview": (-1.0,)}, "give finite times"),
            ({"render_mode": "rgb_array"}, "render_mode is 'rgb_array'; allowed are \"human\" and None"),
        ):
            with self.assertRaisesRegex(ValueError, text):
                skidpad.envs.LaneKeepingEnv(**options)
        with self.assertRaisesRegex(skidpad.Error, "num_envs is 0; allowed are 1 to"):
            skidpad.envs.LaneKeeping(0)
        envs = self.make()
        with self.assertRaisesRegex(gymnasium.error.ResetNeeded, "call reset before step"):
            envs.step(np.zeros((4, 2)))
        seen, _ = envs.reset(seed=1)
        np.testing.assert_array_equal(envs.reset(options={"reset_mask": np.zeros(4, bool)})[0], seen)
        with self.assertRaisesRegex(TypeError, "give a Boolean for each vehicle"):
            envs.reset(options={"reset_mask": [0, 5, 2, 1]})
        with self.assertRaisesRegex(ValueError, "action of vehicle 2 is NaN"):
            envs.step([[0, 0], [0, 0], [0, math.nan], [0, 0]])
        with self.assertRaisesRegex(ValueError, r"needed is \(4, 2\)"):
            envs.step(np.zeros((4, 3)))
        with self.assertRaisesRegex(ValueError, "there are 4 vehicles"):
            envs.reset(options={"reset_mask": [True]})
        with self.assertRaisesRegex(ValueError, "2 seeds for 4"):
            envs.reset(seed=[1, 2])


if __name__ == "__main__":
    unittest.main(verbosity=0)
