"""A gripper in a cell of shelves: a thousand poses are checked in one call.

python examples/robot_poses.py
"""

import numpy as np
from numpy.typing import NDArray
from shapes import Arrays, box

import impinge

POSES = 1000


def joined(*meshes: Arrays) -> Arrays:
    """Several meshes as one."""
    vertices, faces, first = [], [], 0
    for points, triangles in meshes:
        vertices.append(points)
        faces.append(triangles + first)
        first += len(points)
    return np.concatenate(vertices), np.concatenate(faces)


def random_poses(count: int) -> NDArray[np.float64]:
    """(count, 4, 4) turns about z and shifts inside the cell."""
    rng = np.random.default_rng(1)
    turn = rng.uniform(-np.pi, np.pi, count)
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, 0, 0] = poses[:, 1, 1] = np.cos(turn)
    poses[:, 1, 0] = np.sin(turn)
    poses[:, 0, 1] = -poses[:, 1, 0]
    poses[:, :3, 3] = rng.uniform((-1.0, -1.0, 0.0), (1.0, 1.0, 1.8), (count, 3))
    return poses


def main() -> None:
    boards = [box((-1.2, -1.2, z), (1.2, -0.4, z + 0.04)) for z in (0.0, 0.6, 1.2, 1.8)]
    posts = [box((x, -1.2, 0.0), (x + 0.05, -1.15, 2.0)) for x in (-1.2, 1.15)]
    shelves = joined(*boards, *posts)
    palm = box((-0.15, -0.06, 0.0), (0.15, 0.06, 0.08))
    fingers = [box((x, -0.04, 0.08), (x + 0.03, 0.04, 0.3)) for x in (-0.14, 0.11)]
    gripper = joined(palm, *fingers)

    poses = random_poses(POSES)
    hits = impinge.collide(shelves, gripper, poses=poses)
    counts = hits.counts
    assert counts is not None
    print(hits)
    print(f"{np.count_nonzero(counts == 0)} of {POSES} poses are free")
    worst = int(np.argmax(counts))
    print(f"pose {worst} has the most pairs: {counts[worst]}")
    free = ~impinge.collides(shelves, gripper, poses=poses)
    print("the yes-or-no question agrees:", bool(np.array_equal(free, counts == 0)))


if __name__ == "__main__":
    main()
