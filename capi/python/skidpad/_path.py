"""Paths of random curvature, one for each vehicle of a fleet."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SPACING = 1.0  # m, between points of a path
WAVES = 3  # sines that make up a curvature
PATH_NUMBERS = 2 * WAVES + 2  # random numbers from 0 to 1 for a path
LENGTHS = (60.0, 240.0)  # m, of the shortest and of the longest wave
EASE = 30.0  # m, over which curvature begins

Array = NDArray[np.float64]


class Paths:
    """Points of paths, with headings and curvatures, and the positions of the vehicles on the paths."""

    def __init__(self, count: int, length: float) -> None:
        """Paths of a length [m] for a number of vehicles, straight until they are drawn."""
        self._points = int(length / SPACING) + 2
        self._x, self._y, self._heading, self._curvature = (np.zeros((count, self._points)) for _ in range(4))
        self._flatten()
        self._base = np.arange(count) * self._points
        s = SPACING * np.arange(self._points)
        self._waves = 2 * np.pi * s / np.array(np.geomspace(*LENGTHS, WAVES))[:, np.newaxis]
        self._ease = np.minimum(s / EASE, 1.0)
        self._place = np.zeros(count, np.int64)  # index of the nearest point

    def _flatten(self) -> None:
        """Creates flat views, which index all paths together."""
        self._flat = [table.reshape(-1) for table in (self._x, self._y, self._heading, self._curvature)]

    def __getstate__(self) -> dict[str, object]:
        """The attributes to copy and pickle, without views, which would become separate arrays."""
        return {name: value for name, value in vars(self).items() if name != "_flat"}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self._flatten()

    def draw(self, places: NDArray[np.int64], pose: Array, sharpest: Array, numbers: Array) -> None:
        """Draws paths from numbers, a row of PATH_NUMBERS for each of places, with vehicles at a pose (x, y, yaw). The
        vehicles are up to 0.5 m and 0.03 rad off the path, whose curvature is at most as given [1/m]."""
        phase, weight = 2 * np.pi * numbers[:, :WAVES], 0.2 + numbers[:, WAVES : 2 * WAVES]
        waves = np.sin(self._waves + phase[:, :, np.newaxis])
        shape = np.einsum("pk,pks->ps", weight / weight.sum(axis=1, keepdims=True), waves)
        curvature = sharpest[:, np.newaxis] * shape * self._ease
        turned = np.zeros_like(curvature)
        np.cumsum(0.5 * SPACING * (curvature[:, 1:] + curvature[:, :-1]), axis=1, out=turned[:, 1:])
        offset, error = numbers[:, -2] - 0.5, 0.06 * (numbers[:, -1] - 0.5)
        first = pose[:, 2] - error
        heading = first[:, np.newaxis] + turned
        middle = 0.5 * (heading[:, 1:] + heading[:, :-1])
        for table, start, direction in (
            (self._x, pose[:, 0] + offset * np.sin(first), np.cos(middle)),
            (self._y, pose[:, 1] - offset * np.cos(first), np.sin(middle)),
        ):
            table[places, 0] = start
            table[places, 1:] = start[:, np.newaxis] + SPACING * np.cumsum(direction, axis=1)
        self._heading[places], self._curvature[places], self._place[places] = heading, curvature, 0

    def follow(self, x: Array, y: Array, yaw: Array) -> tuple[Array, Array]:
        """Moves the positions along the paths with the vehicles. Returns offsets to the left [m] and headings relative
        to the path [rad]."""
        along, _, _, _ = self._seen(self._place, x, y)
        place = self._place + np.rint(along / SPACING).astype(np.int64)
        self._place = np.minimum(np.maximum(place, 0), self._points - 1)
        along, aside, heading, curvature = self._seen(self._place, x, y)
        difference = yaw - heading - curvature * along
        return aside - 0.5 * curvature * along**2, (difference + np.pi) % (2 * np.pi) - np.pi

    def ahead(self, x: Array, y: Array, yaw: Array, distance: Array) -> Array:
        """Lateral offsets of the path, positive to the left of vehicles [m], at distances ahead of their positions on
        the path [m], with a row of vehicles for each distance."""
        at = self._base + np.minimum(self._place + (distance / SPACING).astype(np.int64), self._points - 1)
        return np.asarray((self._flat[1][at] - y) * np.cos(yaw) - (self._flat[0][at] - x) * np.sin(yaw))

    def _seen(self, place: NDArray[np.int64], x: Array, y: Array) -> tuple[Array, Array, Array, Array]:
        """Positions of vehicles relative to points of their paths: ahead and to the left [m]; heading and curvature at
        the points."""
        at = self._base + place
        dx, dy, heading = x - self._flat[0][at], y - self._flat[1][at], self._flat[2][at]
        c, s = np.cos(heading), np.sin(heading)
        return dx * c + dy * s, dy * c - dx * s, heading, self._flat[3][at]
