"""How far links can move while the joints do: upper bounds, never below the truth.

Seen from where their chains part, a point of a link moves no faster than the sum over the joints
between: for one that slides the speed of its value, for one that turns that speed times the
point's distance from the axis. That distance is bounded, whatever the joints below do, by the
distance of the next joint from the axis, and so on down to the farthest vertex of the link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.mesh import Mesh
    from impinge.robots.kinematics import Kinematics

# every bound is made a little larger: it was rounded on its way
_ABOVE = 1.0 + 1e-12


class Reach:
    """The bounds for the links with geometry of one robot."""

    def __init__(self, kinematics: Kinematics, bodies: Ints, meshes: tuple[Mesh, ...]) -> None:
        self._kinematics = kinematics
        self._chains = [kinematics.chains()[link] for link in bodies]
        # per link and joint of its chain: what does not depend on how far others slide
        self._arms = [
            self._arm(chain, mesh) for chain, mesh in zip(self._chains, meshes, strict=True)
        ]
        self.extent = max(map(self._extent, self._chains, meshes), default=0.0)
        """No vertex is farther from the root, but for what joints slide."""

    def speeds(self, pairs: Ints, change: Floats, slid: Floats) -> Floats:
        """(n, k): how fast the bodies of k pairs can approach each other in n motions.

        pairs : (k, 2) of bodies; -1 is the world, which rests.
        change : (n, movable), how much the values change in one unit of time.
        slid : (n, movable), the largest size that each value has on the way.
        """
        links = [self._of_link(body, change, slid) for body in range(len(self._chains))]
        result = np.zeros((len(change), len(pairs)))
        for column, (a, b) in enumerate(pairs.tolist()):
            shared = self._shared(a, b)
            for body in (a, b):
                if body >= 0:
                    result[:, column] += links[body][:, shared:].sum(axis=1)
        return result * _ABOVE

    def _extent(self, chain: tuple[int, ...], mesh: Mesh) -> float:
        offsets = [self._kinematics.steps[index].offset for index in chain]
        own = np.sqrt((mesh.vertices * mesh.vertices).sum(axis=1)).max(initial=0.0)
        return float(sum(np.sqrt(offset @ offset) for offset in offsets) + own) * _ABOVE

    def _shared(self, a: int, b: int) -> int:
        """Joints above both: they move the two as one."""
        if a < 0 or b < 0:
            return 0
        count = 0
        for one, other in zip(self._chains[a], self._chains[b], strict=False):
            if one != other:
                break
            count += 1
        return count

    def _of_link(self, body: int, change: Floats, slid: Floats) -> Floats:
        """(n, joints of the chain): how fast each alone can move a point of the link."""
        steps, chain = self._kinematics.steps, self._chains[body]
        speeds = np.zeros((len(change), len(chain)))
        slides = np.zeros(len(change))
        for position in range(len(chain) - 1, -1, -1):
            step = steps[chain[position]]
            if step.column < 0:
                continue
            rate = np.abs(change[:, step.column])
            if step.turns:
                speeds[:, position] = rate * (self._arms[body][position] + slides)
            else:
                speeds[:, position] = rate
                slides = slides + slid[:, step.column]
        return speeds

    def _arm(self, chain: tuple[int, ...], mesh: Mesh) -> Floats:
        """(joints of the chain,): how far from its axis the link can reach when nothing slides."""
        steps = [self._kinematics.steps[index] for index in chain]
        arms = np.zeros(len(chain))
        below = None  # how far the link reaches from the origin of the joint after this one
        for position in range(len(chain) - 1, -1, -1):
            step = steps[position]
            if below is None:
                # in the frame of the joint, its axis along z
                own = mesh.vertices
                if step.out_of is not None:
                    own = own @ step.out_of.T
                flat = np.hypot(own[:, 0], own[:, 1])
                arms[position] = flat.max(initial=0.0)
                radius = np.sqrt((own * own).sum(axis=1)).max(initial=0.0)
            else:
                after = steps[position + 1].offset
                if step.out_of is not None:
                    after = step.out_of @ after
                arms[position] = np.hypot(after[0], after[1]) + below
                radius = np.sqrt(after @ after) + below
            below = float(radius) * _ABOVE
        return arms * _ABOVE
