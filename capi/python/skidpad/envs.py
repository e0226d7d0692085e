"""Environments of gymnasium: vehicles that learn to drive. Needs ``pip install skidpad[gym]``.

    import gymnasium
    import skidpad.envs                                                 # registers them
    env = gymnasium.make("skidpad/LaneKeeping-v0")                      # one vehicle
    envs = gymnasium.make_vec("skidpad/LaneKeeping-v0", num_envs=256)   # a fleet, in vector lanes and threads
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ._controls import Controls
from ._fleet import MOST_VEHICLES, Fleet
from ._path import PATH_NUMBERS, Paths
from ._variables import whole
from ._vehicle import Vehicle

if TYPE_CHECKING:
    from .view import Feed

__all__ = ["LaneKeeping", "LaneKeepingEnv"]

LEVELS = 16  # of the speed at the start
LOST_SIDE_SLIP = 0.6  # rad, beyond which a vehicle is lost
LOST_HEADING = 1.2  # rad, beyond which it has turned away from its path

Observations = NDArray[np.float32]
Step = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class LaneKeeping(VectorEnv[Observations, ArrayLike, Any]):
    """Vehicles that keep to lanes of random curvature, each at a random speed.

    **Actions** are two numbers from -1 to 1. The first number is the steering to the left, as a part of the largest
    steering-wheel angle (control="angle") or rate (control="rate"). The second number is the drive: above 0 a part of
    the open throttle, below 0 a part of the largest braking. The steering wheel turns evenly within a step, and no
    faster than its largest rate.

    **Observations** are float32, in ISO 8855 axes. They begin with the offset from the path, positive to the left [m],
    and the heading relative to the path [rad]. Then follow the path points that the vehicle will reach after each
    preview time, as lateral distances in vehicle axes [m]. The last observations are speed [m/s], yaw rate [rad/s],
    side-slip angle [rad], steering-wheel angle [rad], and target speed [m/s].

    **Reward** per second: 1 - (offset / half lane width)^2 - 0.1 (steering rate / largest rate)^2 - 10 (relative speed
    error)^2. An episode is terminated if the vehicle leaves its lane or is lost, and truncated when its time is over.

    Equal seeds give bit-identical results, for a vehicle alone or in a fleet: vehicle i uses the seed of reset plus i.

    **Rendering** in the render_mode "human" shows the first vehicle in the live view, in real time; this needs ``pip
    install skidpad[view]``.
    """

    metadata = {"render_modes": ["human"], "render_fps": 50, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 16,
        model: str = "generic4w",
        control: str = "angle",
        step: float = 0.02,
        method: str = "heun",
        duration: float = 20.0,
        speed: tuple[float, float] = (15.0, 30.0),
        lateral: float = 3.0,
        lane_width: float = 3.5,
        preview: Sequence[float] = (0.3, 0.7, 1.2),
        angle_limit: float = 2.0,
        rate_limit: float = 10.0,
        braking: float = 4.0,
        threads: int = 0,
        autoreset_mode: Union[AutoresetMode, str] = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        browser: bool = True,
    ) -> None:
        """Creates num_envs vehicles of a model with roles: chassis, steering, throttle and brake.

        The control interval is step [s]; the solver is method, with the solver step of the model. Episodes last
        duration [s]. The least and the largest speed are in speed [m/s], and lateral is the lateral acceleration in the
        sharpest turns [m/s2]. Times of preview are in seconds. Limits of the steering wheel are angle_limit [rad] and
        rate_limit [rad/s], and braking is the largest deceleration [m/s2]. Steps use the given number of threads; 0
        means one thread per processor. The render_mode "human" prints the address of its page, and opens it in the
        browser unless browser is False.
        """
        if control not in ("angle", "rate"):
            raise ValueError(f'control is "{control}"; allowed are "angle" and "rate"')
        if render_mode not in (None, "human"):
            raise ValueError(f'render_mode is {render_mode!r}; allowed are "human" and None')
        if not 0 < speed[0] <= speed[1] < np.inf:
            raise ValueError(f"speed is {speed}; give the least and the largest speed, both above 0 m/s and finite")
        for name, value, unit in (
            ("step", step, "s"), ("lane_width", lane_width, "m"), ("angle_limit", angle_limit, "rad"),
            ("rate_limit", rate_limit, "rad/s"), ("braking", braking, "m/s2"),
        ):  # fmt: skip
            if not 0 < value < np.inf:
                raise ValueError(f"{name} is {value}; give a finite number above 0 {unit}")
        if not 0 <= lateral < np.inf:
            raise ValueError(f"lateral is {lateral}; give a finite number of at least 0 m/s2")
        if not step <= duration < np.inf:
            raise ValueError(f"duration is {duration}; give a finite number of at least one step, {step} s")
        if not all(0 <= time < np.inf for time in preview):
            raise ValueError(f"preview is {preview}; give finite times of at least 0 s")
        num_envs = whole("num_envs", num_envs, 1, MOST_VEHICLES)
        self.num_envs, self.render_mode = num_envs, render_mode
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode, "render_fps": max(1, round(1 / step))}
        self._model, self._browser = model, browser
        self._feed: Feed | None = None
        self._h, self._by_rate, self._steps = step, control == "rate", round(duration / step)
        self._half, self._angle_limit, self._rate_limit = lane_width / 2, angle_limit, rate_limit
        self._preview = np.array(preview, np.float64)
        speeds = np.linspace(*speed, LEVELS)
        with Vehicle(model) as car:
            car.set_text("solver.method", method)
            self._controls = Controls(car, braking)
            chassis = self._controls.chassis
            outputs = [f"{chassis}.{quantity}" for quantity in ("x", "y", "yaw", "vx", "vy", "wz")]
            with Fleet(car, LEVELS, threads) as starts:
                starts.set([f"{chassis}.vx"], speeds)
                starts.initialise(trim=True)
                self._starts, self._start_values = starts.save(), starts.get(outputs)
            self._fleet = Fleet(car, num_envs, threads)
        self._fleet.restore(self._starts, source=0)
        self._outputs = outputs
        self._inputs, self._values = self._fleet.bind(self._controls.inputs, outputs)
        sharpest = np.minimum(lateral / speeds**2, 0.05)
        self._paths = Paths(num_envs, 1.3 * speed[1] * (duration + float(self._preview.max(initial=0.0))))
        self._speeds, self._sharpest = speeds, sharpest
        self.single_action_space = gymnasium.spaces.Box(-1.0, 1.0, (2,), np.float32)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (7 + len(preview),), np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._generators = [seeding.np_random()[0] for _ in range(num_envs)]
        self._angle, self._speed = np.zeros(num_envs), np.zeros(num_envs)
        self._drive, self._braking = np.zeros(num_envs), braking
        self._age = np.zeros(num_envs, np.int64)
        self._over = np.ones(num_envs, np.bool_)  # episodes that have ended
        self._begun = np.zeros(num_envs, np.bool_)  # vehicles that have had an episode

    def __getstate__(self) -> dict[str, Any]:
        """All but the live view: a copy has a view of its own."""
        return {**vars(self), "_feed": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A copy, whose arrays are bound to its own fleet."""
        vars(self).update(state)
        inputs, values = self._inputs, self._values
        self._inputs, self._values = self._fleet.bind(self._controls.inputs, self._outputs)
        self._inputs[:], self._values[:] = inputs, values

    def __copy__(self) -> LaneKeeping:
        """Another environment in the same state, which shares no data with this environment."""
        return copy.deepcopy(self)

    def reset(
        self, *, seed: Union[int, Sequence[int | None], None] = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins episodes: all, or those of the mask options["reset_mask"], with a Boolean for each vehicle."""
        mask = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.dtype != np.bool_:
                raise TypeError(f"reset_mask has elements of type {mask.dtype}; give a Boolean for each vehicle")
            if mask.shape != (self.num_envs,):
                raise ValueError(f"reset_mask has the shape {mask.shape}; there are {self.num_envs} vehicles")
        seeds = [None if seed is None else seed + i for i in range(self.num_envs)] if not isinstance(
            seed, Sequence
        ) else seed  # fmt: skip
        if len(seeds) != self.num_envs:
            raise ValueError(f"there are {len(seeds)} seeds for {self.num_envs} vehicles")
        for i, one in enumerate(seeds):
            if one is not None and mask[i]:
                self._generators[i] = seeding.np_random(one)[0]
        self._begin(mask)
        if self.render_mode == "human":
            self._show()
        return self._observe()[0], {}

    def step(self, actions: ArrayLike) -> Step:
        """Lets all vehicles drive for a control interval."""
        if not self._begun.all():
            raise gymnasium.error.ResetNeeded(
                f"vehicles {np.flatnonzero(~self._begun)[:5]} have begun no episode; call reset before step"
            )
        given = np.asarray(actions, np.float64)
        if given.shape != (self.num_envs, 2):
            raise ValueError(f"actions have the shape {given.shape}; needed is ({self.num_envs}, 2)")
        if np.isnan(given).any():
            raise ValueError(f"the action of vehicle {np.flatnonzero(np.isnan(given).any(axis=1))[0]} is NaN; give "
                             "numbers from -1 to 1")  # fmt: skip
        if self._mode is AutoresetMode.DISABLED and self._over.any():
            raise gymnasium.error.ResetNeeded(
                f"episodes {np.flatnonzero(self._over)[:5]} are over; reset them with options reset_mask"
            )
        given = _within(given, 1.0)
        most = self._rate_limit * self._h
        turn = given[:, 0] * most if self._by_rate else given[:, 0] * self._angle_limit - self._angle
        turn = _within(_within(turn, most) + self._angle, self._angle_limit) - self._angle
        self._controls.write(self._inputs, self._angle, turn / self._h, given[:, 1])
        statuses = self._fleet.step(self._h, errors="return")
        self._angle += turn
        self._drive = given[:, 1]
        self._age += 1
        new = self._over.copy() if self._mode is AutoresetMode.NEXT_STEP else None
        if new is not None and new.any():
            self._begin(new)
        observations, offset, heading, slip = self._observe()
        error = self._values[:, 3] / self._speed - 1.0
        reward = self._h * (
            1.0 - (offset / self._half) ** 2 - 0.1 * (turn / most) ** 2 - 10.0 * error * error
        )  # fmt: skip
        with np.errstate(invalid="ignore"):
            kept = (abs(offset) <= self._half) & (abs(slip) <= LOST_SIDE_SLIP) & (abs(heading) <= LOST_HEADING)
        terminated = ~kept | (statuses != 0)
        truncated = (self._age >= self._steps) & ~terminated
        if new is not None:
            reward[new], terminated[new] = 0.0, False
        self._over = terminated | truncated
        infos: dict[str, Any] = {}
        if self._mode is AutoresetMode.SAME_STEP and self._over.any():
            observations, infos = self._begin_again(observations)
        if self.render_mode == "human":
            self._show()
        return observations, reward, terminated, truncated, infos

    def render(self) -> None:
        """Does nothing more: with the render_mode "human", reset and step show the first vehicle."""
        if self.render_mode is None:
            gymnasium.logger.warn('render needs an environment that is made with render_mode="human"')

    def close_extras(self, **_: Any) -> None:
        """Releases the vehicles, and ends the live view."""
        if self._feed is not None:
            self._feed.close()
        self._fleet.close()

    @property
    def address(self) -> str:
        """The address of the page that shows the first vehicle, after reset with the render_mode "human"; else ""."""
        return self._feed.address if self._feed is not None else ""

    def _show(self) -> None:
        """Shows the first vehicle."""
        if self._feed is None:
            from . import view

            self._feed = view.feed(self._model, browser=self._browser)
            print(f"watch at {self._feed.address}", flush=True)
            with self._fleet[0] as car:
                self._shown = [name for name in self._feed.names if name in car]
        values = dict(zip(self._shown, self._fleet.get(self._shown, [0])[0]))
        drive = float(self._drive[0])
        values |= {"steering": self._angle[0], "throttle": max(drive, 0.0), "brake": self._braking * max(-drive, 0.0)}
        if np.isfinite(list(values.values())).all():  # a vehicle that has failed has no values
            self._feed.show(self._h * int(self._age[0]), values)

    def __enter__(self) -> LaneKeeping:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, mask: NDArray[np.bool_]) -> None:
        """Begins episodes of a mask: each from its own generator."""
        places = np.flatnonzero(mask)
        if len(places) == 0:
            return
        drawn = np.array([self._generators[i].random(1 + PATH_NUMBERS) for i in places]).reshape(len(places), -1)
        level = np.minimum((drawn[:, 0] * LEVELS).astype(np.int64), LEVELS - 1)
        self._fleet.restore(self._starts, into=places, source=level)
        self._values[places] = self._start_values[level]
        self._paths.draw(places, self._values[places, :3], self._sharpest[level], drawn[:, 1:])
        self._angle[places], self._speed[places] = 0.0, self._speeds[level]
        self._age[places], self._over[places], self._begun[places] = 0, False, True

    def _begin_again(self, observations: Observations) -> tuple[Observations, dict[str, Any]]:
        """Restarts episodes that are over, and returns their final observations in the infos."""
        over = self._over.copy()
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(over):
            final[i] = observations[i].copy()
        self._begin(over)
        infos = {"final_obs": final, "_final_obs": over, "final_info": {}, "_final_info": over}
        return self._observe()[0], infos

    def _observe(self) -> tuple[Observations, NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Observations, offset, heading to the path, side-slip angle."""
        x, y, yaw, vx, vy, wz = self._values.T
        offset, heading = self._paths.follow(x, y, yaw)
        slip = np.arctan2(vy, vx)
        seen = np.empty((self.num_envs, 7 + len(self._preview)), np.float32)
        seen[:, 0], seen[:, 1] = offset, heading
        last = 2 + len(self._preview)
        seen[:, 2:last] = self._paths.ahead(x, y, yaw, self._preview[:, np.newaxis] * self._speed).T
        seen[:, last], seen[:, last + 1], seen[:, last + 2] = vx, wz, slip
        seen[:, last + 3], seen[:, last + 4] = self._angle, self._speed
        return seen, offset, heading, slip


def _within(values: NDArray[np.float64], most: float) -> NDArray[np.float64]:
    """Values limited to -most and most. np.clip takes several times as long for some hundred values."""
    return np.minimum(np.maximum(values, -most), most)


class LaneKeepingEnv(gymnasium.Env[Observations, ArrayLike]):
    """A single vehicle of LaneKeeping, with the same actions, observations and rewards."""

    metadata: dict[str, Any] = {"render_modes": ["human"], "render_fps": 50}

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        """Takes the options of LaneKeeping except num_envs, threads and autoreset_mode."""
        self.render_mode = render_mode
        self._one = LaneKeeping(
            num_envs=1, threads=1, autoreset_mode=AutoresetMode.DISABLED, render_mode=render_mode, **options
        )
        self.metadata = {**self.metadata, "render_fps": self._one.metadata["render_fps"]}
        self.action_space, self.observation_space = self._one.single_action_space, self._one.single_observation_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins an episode."""
        super().reset(seed=seed)
        self._one._generators[0] = self.np_random
        observations, infos = self._one.reset()
        return observations[0], infos

    def step(self, action: ArrayLike) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Lets the vehicle drive for a control interval."""
        self._one._over[:] = False  # steps after the end of an episode are allowed
        seen, reward, terminated, truncated, infos = self._one.step(np.asarray(action)[np.newaxis])
        return seen[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), infos

    def render(self) -> None:
        """Does nothing more: with the render_mode "human", reset and step show the vehicle."""
        self._one.render()

    @property
    def address(self) -> str:
        """The address of the page that shows the vehicle, after reset with the render_mode "human"; else ""."""
        return self._one.address

    def close(self) -> None:
        """Releases the vehicle, and ends the live view."""
        self._one.close()


if "skidpad/LaneKeeping-v0" not in gymnasium.registry:
    gymnasium.register(
        "skidpad/LaneKeeping-v0",
        entry_point="skidpad.envs:LaneKeepingEnv",
        vector_entry_point="skidpad.envs:LaneKeeping",
    )
