"""A worm that bends on the GPU meets a ball: only faces that may collide are ever read back.

python examples/gpu_made_body.py          (needs impinge[gpu]; a GPU in software will do)
"""

import numpy as np
from shapes import ball, torus

import impinge

FRAMES = 6

# one vertex of the worm: it swims in a wave, its parts one after the other
SWIM = """
fn deform(rest: vec3<f32>, vertex: u32, part: u32, t: f32) -> vec3<f32> {
  let wave = parameters[0] * sin(4.0 * rest.x - 6.0 * t);
  return rest + vec3<f32>(t, 0.0, wave);
}
"""


def main() -> None:
    ring, faces = torus(1.0, 0.3, sides=240, rings=96)
    parts = np.floor(np.arctan2(ring[:, 1], ring[:, 0]) / (np.pi / 4)).astype(int) + 4
    worm = impinge.Body.from_shader(
        SWIM, faces, rest=ring, parts=parts, parameters=[0.2], name="worm"
    )
    scene = impinge.Scene()
    scene.add(worm)
    scene.add(ball()[0] * 0.6 + [2.6, 0.0, 0.2], ball()[1], name="ball")
    method = impinge.detector("peel", device="gpu", resolution=256)
    for frame, time in enumerate(np.linspace(0.0, 1.5, FRAMES)):
        worm.time = float(time)
        hits = scene.collide(method=method)
        touched = sorted({part for part in hits.parts.ravel().tolist() if part >= 0})
        read = int(hits.stats["bytes_down"])
        print(f"frame {frame}: {len(hits):4d} pairs, parts {touched}, {read:,} bytes read")
    print(f"all vertices are {12 * len(ring):,} bytes, in every frame")


if __name__ == "__main__":
    main()
