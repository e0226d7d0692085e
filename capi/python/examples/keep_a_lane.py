"""A linear driver learns to keep a lane, by the cross-entropy method: python keep_a_lane.py [GENERATIONS].

Every vehicle of a fleet drives with a policy of its own: two numbers, steering and drive, from twelve, the observations
and a constant. The best tenth of them is where the policies of the next generation are drawn from. Needs skidpad[gym].
"""

import sys
import time

import numpy as np
import skidpad.envs

VEHICLES, ELITE = 128, 16
SCALES = np.array([1.0, 0.1, 1.0, 1.0, 1.0, 20.0, 0.3, 0.1, 1.0, 20.0])  # of the observations


def drive(envs: skidpad.envs.LaneKeeping, policies: np.ndarray, seed: int) -> np.ndarray:
    """The rewards of policies, a row for each vehicle, over an episode."""
    seen, _ = envs.reset(seed=seed)
    rewards, alive = np.zeros(len(policies)), np.ones(len(policies), bool)
    while alive.any():
        features = np.column_stack([seen / SCALES, np.ones(len(seen))])
        features[:, 5] = (seen[:, 5] - seen[:, 9]) / 2.0  # the error of the speed
        actions = np.tanh(np.einsum("vaf,vf->va", policies, features))
        seen, reward, terminated, truncated, _ = envs.step(actions)
        rewards += np.where(alive, reward, 0.0)
        alive &= ~(terminated | truncated)
    return rewards


def main(generations: int) -> float:
    """Learns for a number of generations, and returns the mean reward of the best policy on paths it has not seen."""
    random = np.random.default_rng(1)
    mean, spread = np.zeros((2, len(SCALES) + 1)), np.full((2, len(SCALES) + 1), 0.3)
    with skidpad.envs.LaneKeeping(VEHICLES, duration=8.0) as envs:
        for generation in range(generations):
            begin = time.monotonic()
            policies = mean + spread * random.standard_normal((VEHICLES, *mean.shape))
            rewards = drive(envs, policies, seed=1000 * generation)
            best = policies[np.argsort(rewards)[-ELITE:]]
            mean, spread = best.mean(axis=0), best.std(axis=0) + 0.02
            print(f"generation {generation}: mean {rewards.mean():.2f}, best {rewards.max():.2f} of 8, "
                  f"{time.monotonic() - begin:.1f} s")  # fmt: skip
        final = drive(envs, np.broadcast_to(mean, (VEHICLES, *mean.shape)), seed=10**6)
    print(f"on {VEHICLES} other paths: mean {final.mean():.2f} of 8, {np.sum(final > 6)} kept their lane")
    return float(final.mean())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
