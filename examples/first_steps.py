"""Two tori through each other: which triangles meet, where, and along which curves.

python examples/first_steps.py
"""

import numpy as np
from shapes import torus

import impinge


def main() -> None:
    vertices, faces = torus()
    lying = (vertices, faces)
    standing = (vertices[:, [0, 2, 1]] + np.array([0.5, 0.0, 0.0]), faces[:, ::-1])

    hits = impinge.collide(lying, standing)
    print(hits)
    print("first pair of faces:", hits.pairs[0].tolist(), impinge.Kind(hits.kinds[0]).name)
    print("they meet from", hits.segments[0, 0].round(4), "to", hits.segments[0, 1].round(4))

    for number, loop in enumerate(hits.loops):
        length = np.linalg.norm(np.diff(loop.points, axis=0), axis=1).sum()
        kind = "closed" if loop.closed else "open"
        print(f"curve {number}: {len(loop.points)} points, {kind}, length {length:.3f}")

    apart = (vertices + np.array([0.0, 0.0, 1.0]), faces)
    print("moved up by one:", impinge.collides(lying, apart))
    print("with itself:", impinge.self_collide(lying))


if __name__ == "__main__":
    main()
