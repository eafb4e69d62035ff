"""An arm from a URDF beside a wall: many configurations in one call, and motions that are free.

python examples/robot_configurations.py
"""

import numpy as np
from shapes import box

import impinge
from impinge import data
from impinge.robots import Robot

CONFIGURATIONS = 2000


def main() -> None:
    arm = Robot.load(data.path("arm.urdf"), srdf=data.path("arm.srdf"))
    print(arm)
    world = impinge.Scene()
    world.add(*box((-2.0, -2.0, -0.1), (2.0, 2.0, 0.0)), name="floor")
    world.add(*box((-2.0, 0.5, 0.0), (2.0, 0.6, 2.0)), name="wall")
    standing = [("base", "floor")]

    Q = arm.random(CONFIGURATIONS)
    free = ~arm.collides(Q, world, ignore=standing)
    print(f"{np.count_nonzero(free)} of {CONFIGURATIONS} configurations are free")
    near = arm.distances(Q[free][:100], world, ignore=standing, upper_bound=0.05)
    print(f"in {len(np.unique(near.pose))} of 100 of them two bodies are nearer than 0.05")

    starts, ends = Q[free][:-1:2], Q[free][1::2]
    count = min(len(starts), len(ends))
    motions = arm.free(starts[:count], ends[:count], world, ignore=standing)
    print(motions)
    blocked = np.flatnonzero(motions.blocked)
    a, b = motions.pair(int(blocked[0])) or ("", "")
    print(f"motion {blocked[0]} is blocked: {a} and {b} meet on the way")


if __name__ == "__main__":
    main()
