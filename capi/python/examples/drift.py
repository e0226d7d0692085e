"""A driver learns to drift: to go round a circle with a side-slip angle of 30 degrees: python drift.py [GENERATIONS].

The front wheels steer and the rear wheels are driven by a policy that is linear in side-slip angle, yaw rate and speed.
Policies are drawn by the cross-entropy method, one for each vehicle of a fleet. Needs numpy alone.
"""

import sys

import numpy as np
import skidpad

VEHICLES, ELITE = 128, 16
SIDE_SLIP, SPEED = -0.5, 11.0  # rad, m/s: a turn to the left, with the tail out to the right
CONTROL, DURATION = 0.02, 6.0  # s
STEERED, DRIVEN = ("FL", "FR"), ("RL", "RR")


def drive(fleet: skidpad.Fleet, start: skidpad.States, policies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The costs of policies, a row for each vehicle, and the side-slip angles over time."""
    names = [f"steer_{wheel}.{part}" for wheel in STEERED for part in ("angle", "rate", "acceleration")]
    inputs, outputs = fleet.bind(
        [*names, *(f"drive_{wheel}.torque" for wheel in DRIVEN)], ["body.vx", "body.vy", "body.wz"]
    )
    fleet.restore(start, source=0)
    outputs[:] = fleet.get(["body.vx", "body.vy", "body.wz"])
    angle, cost, slips = np.zeros(VEHICLES), np.zeros(VEHICLES), []
    for n in range(round(DURATION / CONTROL)):
        vx, vy, wz = outputs.T
        slip = np.arctan2(vy, np.maximum(vx, 0.1))
        slips.append(slip)
        seen = np.stack([slip - SIDE_SLIP, wz - 0.9, (np.hypot(vx, vy) - SPEED) / 5.0, np.ones(VEHICLES)], axis=1)
        wanted = np.einsum("vaf,vf->va", policies, seen)
        turn = np.clip(np.clip(wanted[:, 0], -0.6, 0.6) - angle, -0.02, 0.02)  # 1 rad/s of the road wheels
        inputs[:, [0, 3]], inputs[:, [1, 4]] = angle[:, None], turn[:, None] / CONTROL
        inputs[:, 6:] = 1500.0 * np.clip(wanted[:, 1:], 0.0, 1.0)
        failed = fleet.step(CONTROL, errors="return") != 0
        angle += turn
        lost = failed | (vx < 1.0)
        cost += CONTROL * np.where(lost, 2.0, abs(slip - SIDE_SLIP) + 0.1 * abs(np.hypot(vx, vy) - SPEED))
    return np.nan_to_num(cost, nan=100.0), np.array(slips)


def main(generations: int) -> float:
    """Learns for a number of generations, and returns the side-slip angle of the best policy in the last 2 s [rad]."""
    random = np.random.default_rng(2)
    mean = np.array([[0.5, -0.3, 0.0, 0.0], [0.0, 0.0, -0.5, 0.6]])
    spread = np.full(mean.shape, 0.5)
    with skidpad.Vehicle("generic4w") as car, skidpad.Fleet(car, 1) as one, skidpad.Fleet(car, VEHICLES) as fleet:
        one.set(["body.vx"], SPEED)
        one.initialise(trim=True)
        start = one.save()
        for generation in range(generations):
            policies = mean + spread * random.standard_normal((VEHICLES, *mean.shape))
            cost, _ = drive(fleet, start, policies)
            best = policies[np.argsort(cost)[:ELITE]]
            mean, spread = best.mean(axis=0), best.std(axis=0) + 0.01
            print(f"generation {generation}: least cost {cost.min():.2f}, mean {cost.mean():.2f}")
        _, slips = drive(fleet, start, np.broadcast_to(mean, policies.shape))
    last = slips[-round(2.0 / CONTROL):, 0]
    print(f"side-slip angle in the last 2 s: {np.degrees(last.mean()):.1f} degrees, from {np.degrees(last.min()):.1f} "
          f"to {np.degrees(last.max()):.1f}")  # fmt: skip
    return float(last.mean())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
