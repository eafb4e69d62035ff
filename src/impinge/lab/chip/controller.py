"""The master controller: two root addresses in, intersecting triangles out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import as_pose
from impinge._options import choice
from impinge.lab.chip import timing
from impinge.lab.chip.comparators import overlap
from impinge.lab.chip.dotadd import DotAdd
from impinge.lab.chip.memory import Hierarchy, dop_of_corners
from impinge.lab.chip.registers import (
    DOP_LINES,
    POSE_LINES,
    CorrespondenceFile,
    DopFile,
    MatrixFile,
)
from impinge.lab.chip.setup import Setup, prepare
from impinge.lab.chip.stack import StackEngine
from impinge.lab.chip.triangles import TriangleTester
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge._types import Bools, Ints, Longs, Singles
    from impinge.lab.chip.stack import Range

_ROOT = 1
_SIDES = np.arange(2)
# one line serves a direction and its opposite, and there are three corners
_LEAF_DOP = 12 * 3


@dataclass(frozen=True)
class Run:
    """What one query of the chip found, and what it took.

    See Also
    --------
    impinge.lab.chip.Chip.run

    Examples
    --------
    >>> from impinge.lab import chip
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> wall = [(0.2, 0.2, -1), (0.2, 0.2, 1), (1, 1, 0)], [(0, 1, 2)]
    >>> run = chip.Chip(sheet, wall).run()
    >>> run.pairs.tolist(), run.checks
    ([[0, 0]], 1)
    """

    pairs: Ints
    """(n, 2): intersecting faces of a and b, sorted."""
    aligned: int
    """Aligned nodes visited, each as often as it is compared with a tumbled node."""
    tumbled: int
    """Tumbled nodes visited, once each."""
    lists: int
    """Lists that were taken through."""
    list_pairs: int
    """Aligned pairs in all lists, read from memory."""
    checks: int
    """Pairs of triangles tested."""
    leaf_dops: int
    """DOPs that were made of the corners of aligned leaves, where these met inner nodes."""
    cycles: int
    """By the paper's access rules, without triangles."""
    extra_cycles: int
    """What these rules leave out: testing triangles, and making DOPs of leaves."""
    levels: int
    """Deepest level of the stack."""
    sram_words: int
    """Most words of lists at a time."""

    @property
    def microseconds(self) -> float:
        """By the count of cycles, without triangles."""
        return 1e-3 * timing.CYCLE_NS * self.cycles

    @property
    def microseconds_with_triangles(self) -> float:
        """By the count of cycles, with triangles and DOPs of leaves."""
        return 1e-3 * timing.CYCLE_NS * (self.cycles + self.extra_cycles)

    @property
    def formula(self) -> float:
        """Microseconds by the closed formula."""
        return timing.time(self.aligned, self.tumbled)


class Chip:
    """A collision chip with the trees of two meshes in its memory (Zachmann and Knittel 2003).

    `a` is aligned, `b` tumbled. It computes in float32, as the paper has it.

    Parameters
    ----------
    a, b : mesh-like
        See `Mesh.of`.
    boundary : {"open", "closed"}
        "open" leaves out faces that only touch. With "closed" they count, and edges within the
        plane of the other triangle are left to software.

    See Also
    --------
    impinge.detectors.dop.Dop : The same trees in software, exact.

    Examples
    --------
    >>> import numpy as np
    >>> from impinge.lab import chip
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> run = chip.Chip((vertices, faces), (vertices + 0.2, faces)).run()
    >>> run.pairs.tolist()
    [[3, 0], [3, 1], [3, 2]]
    >>> run.cycles
    292
    """

    def __init__(self, a: object, b: object, *, boundary: str = "open") -> None:
        meshes = Mesh.of(a, argument="a"), Mesh.of(b, argument="b")
        self._closed = choice("boundary", boundary, {"open": False, "closed": True})
        self._aligned = Hierarchy(meshes[0])
        same = meshes[0] is meshes[1]
        self._tumbled = self._aligned if same else Hierarchy(meshes[1])

    def run(self, pose: object = None) -> Run:
        """One query.

        Parameters
        ----------
        pose : (4, 4) array_like, optional
            Of b; world = R v + t.

        Returns
        -------
        Run
        """
        placed = np.eye(4) if pose is None else as_pose(pose)
        setup = prepare(self._aligned, self._tumbled, placed)
        return _MasterController(self._aligned, self._tumbled, setup, self._closed).run()


class _MasterController:
    def __init__(self, aligned: Hierarchy, tumbled: Hierarchy, setup: Setup, closed: bool) -> None:
        self._aligned, self._tumbled = aligned, tumbled
        self._margin = setup.margin
        matrices, correspondence = MatrixFile(), CorrespondenceFile()
        matrices.load(setup.dop, setup.pose, setup.inverse)
        correspondence.load(setup.places, setup.awaited)
        self._d = DopFile()
        self._dotadd = DotAdd(matrices, correspondence, self._d)
        self._triangles = TriangleTester(matrices, correspondence, closed=closed)
        self._stack = StackEngine()
        self._leaf_pairs: list[tuple[Longs, Longs]] = []
        self._visited = self._nodes = self._lists = self._list_pairs = self._leaf_dops = 0
        self._cycles = self._extra = 0

    def run(self) -> Run:
        stack, below = self._stack, int(self._aligned.link[_ROOT])
        start = stack.write(np.array([4 * below + 3 if below > 0 else 2]))
        self._visit(self._children(_ROOT), start)
        entered = True
        while stack.level:
            if not entered and stack.top.second:
                stack.pop()
                continue
            if not entered:
                stack.flip()
            entered = self._descend(int(stack.top.second))
        return self._report()

    def _children(self, address: int) -> Longs:
        """Of a leaf, the leaf itself."""
        link = int(self._tumbled.link[address])
        return np.array([address]) if link < 0 else 2 * link + _SIDES

    def _descend(self, branch: int) -> bool:
        """To what is below the first or second node of the current level; False: nothing is."""
        top = self._stack.top
        if branch >= len(top.nodes):
            return False
        node, place = top.nodes[branch], top.lists[branch]
        if place[0] == place[1] or self._tumbled.link[node] < 0:
            return False
        self._visit(self._children(node), place)
        return True

    def _visit(self, nodes: Longs, place: Range) -> None:
        """Transforms tumbled siblings and takes them through a list.

        What is a leaf goes on at once through the lists below, while it is still in its bank.
        """
        banks = self._transform(nodes)
        self._nodes += len(nodes)
        lists = self._compare(nodes, banks, place, tumbled=len(nodes))
        for side in np.flatnonzero(self._tumbled.is_leaf(nodes)):
            alone = slice(side, side + 1)
            below = lists[side]
            while below[0] < below[1]:
                (below,) = self._compare(nodes[alone], banks[alone], below, tumbled=0)
            self._stack.forget_after(lists)
        self._stack.push(nodes, lists)

    def _transform(self, nodes: Longs) -> Singles:
        """The banks of results (n, 24)."""
        banks = np.zeros((len(nodes), 24), dtype=np.float32)
        leaf = self._tumbled.is_leaf(nodes)
        if not leaf.all():
            self._d.fill(self._tumbled.words[nodes[~leaf]].T)
            lines, results = self._dotadd.run(DOP_LINES)
            moved = np.empty_like(results)
            moved[lines] = results
            banks[~leaf] = moved.T
        if leaf.any():
            self._d.fill(self._tumbled.triangles(nodes[leaf]).corners)
            corners = self._dotadd.run(POSE_LINES)[1]
            banks[leaf] = dop_of_corners(corners, self._margin)
            # instead of the lines of a DOP, those of the pose and then of the corners
            more = 9 + timing.PIPELINE + _LEAF_DOP - timing.LINES
            self._extra += more * int(leaf.sum())
        return banks

    def _compare(self, nodes: Longs, banks: Singles, place: Range, *, tumbled: int) -> list[Range]:
        """Takes nodes through a list; the lists of what is to be compared with their children."""
        pairs, masks = self._stack.read(place)
        address = 2 * pairs[:, None] + _SIDES
        live = (masks[:, None] >> _SIDES & 1).astype(bool)
        link = self._aligned.link[address]
        leaf = live & (link < 0)
        dops = self._aligned.dops(address.ravel()).reshape(*address.shape, 24)
        meet = overlap(banks[:, None, None], dops[None]) & live
        x_leaf = self._tumbled.is_leaf(nodes)

        self._lists += 1
        self._list_pairs += len(pairs)
        self._visited += len(nodes) * int(live.sum())
        self._cycles += timing.counted(len(pairs), tumbled)
        if not x_leaf.all():
            self._leaf_dops += int(leaf.sum())
            self._extra += (_LEAF_DOP + timing.PIPELINE) * int(leaf.sum())

        lists = []
        for side, node in enumerate(nodes):
            wanted = meet[side]
            if x_leaf[side]:
                # two triangles are tested whatever their DOPs
                aligned = address[leaf]
                if len(aligned):
                    self._leaf_pairs.append((aligned, np.full(len(aligned), node)))
                wanted = wanted & ~leaf
            lists.append(self._stack.write(_entries(pairs, link, leaf, wanted)))
        return lists

    def _report(self) -> Run:
        none: list[Longs] = [np.zeros(0, dtype=np.int64)]
        aligned = np.concatenate([pair[0] for pair in self._leaf_pairs] or none)
        tumbled = np.concatenate([pair[1] for pair in self._leaf_pairs] or none)
        hit = self._triangles.test(
            self._aligned.triangles(aligned), self._tumbled.triangles(tumbled)
        )
        faces = -1 - self._aligned.link[aligned[hit]], -1 - self._tumbled.link[tumbled[hit]]
        order = np.lexsort((faces[1], faces[0]))
        return Run(
            np.stack(faces, axis=1)[order].astype(np.int32),
            self._visited,
            self._nodes,
            self._lists,
            self._list_pairs,
            len(aligned),
            self._leaf_dops,
            self._cycles,
            self._extra + self._triangles.cycles,
            self._stack.deepest,
            self._stack.words,
        )


def _entries(pairs: Longs, link: Longs, leaf: Bools, wanted: Bools) -> Longs:
    """The next list: children of inner nodes, and leaves as they are, siblings in one entry."""
    wanted = wanted.copy()
    entry = np.where(leaf, 4 * pairs[:, None] + (1 << _SIDES), 4 * link + 3)
    both = (leaf & wanted).all(axis=1)
    entry[both, 0] |= 2
    wanted[both, 1] = False
    found: Longs = entry[wanted]
    return found
