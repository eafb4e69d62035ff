"""The binding behaves: threads, forks, references, instruction sets, interrupts."""

import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import impinge
from impinge import _core
from support import meshes

NO_BODIES = np.zeros(0, dtype=np.int32)


def crossing_balls(rings: int = 24) -> tuple[impinge.Mesh, impinge.Mesh]:
    vertices, faces = meshes.sphere(rings)
    return impinge.Mesh(vertices, faces), impinge.Mesh(vertices + np.array([0.7, 0.2, 0.1]), faces)


def test_trees_hold_read_only_arrays_and_let_go() -> None:
    vertices, faces = (np.array(part) for part in meshes.sphere(8))
    faces = faces.astype(np.int32)
    moved = vertices + 1
    for array in (vertices, faces, moved):
        array.setflags(write=False)
    before = sys.getrefcount(vertices), sys.getrefcount(faces)
    tree = _core.Tree(vertices, faces)
    tree.refit(moved)
    assert sys.getrefcount(vertices) == before[0]
    assert sys.getrefcount(faces) > before[1]
    del tree
    gc.collect()
    assert (sys.getrefcount(vertices), sys.getrefcount(faces)) == before


def test_results_are_freed() -> None:
    a, b = crossing_balls(60)
    resource = pytest.importorskip("resource")

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for _ in range(20):
        impinge.collide(a, b)
    start = peak()
    for _ in range(2000):
        impinge.collide(a, b)
    # each result holds some 20 kB; kept ones would be 40 MB
    assert peak() - start < 20_000


def test_many_threads_agree() -> None:
    a, b = crossing_balls()
    truth = impinge.collide(a, b).pairs
    fresh_a, fresh_b = crossing_balls()
    wrong: list[object] = []

    def ask() -> None:
        for _ in range(20):
            pairs = impinge.collide(fresh_a, fresh_b).pairs
            if not np.array_equal(pairs, truth):
                wrong.append(pairs)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_run_meanwhile() -> None:
    """The GIL is released: a counter goes on while a long query runs."""
    points = np.random.default_rng(0).random((9000, 3, 3))
    mesh = impinge.Mesh(points.reshape(-1, 3), np.arange(27000).reshape(-1, 3))
    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        start = time.perf_counter()
        impinge.self_collide(mesh, workers=1)
        seconds = time.perf_counter() - start
    finally:
        stop.set()
        thread.join()
    assert counted > 20 * seconds


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_child_answers_too() -> None:
    a, b = crossing_balls()
    expected = len(impinge.collide(a, b, workers=2))
    child = os.fork()
    if child == 0:
        try:
            same = len(impinge.collide(a, b, workers=2)) == expected
        except BaseException:
            same = False
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0


ASK_A_LEVEL = """
import sys
sys.path[:0] = sys.argv[1:]
import numpy as np, families, impinge
from impinge import _core
print(_core.cpu)
for name, family in list(families.PAIRS.items())[::2]:
    hits = impinge.collide(*family.build("big", 0))
    print(name, len(hits), hash((hits.pairs.tobytes(), hits.kinds.tobytes())))
    print(hash(hits.segments.tobytes()))
    a, b = family.build("big", 0)
    poses = np.eye(4)[None].repeat(3, axis=0)
    poses[:, :3, 3] = ((0.3, 1.7, 0.9), (40, 2, 1), (0, 0, 0))
    apart = impinge.distance(a, b, poses=poses)
    print(hash((apart.values.tobytes(), apart.points.tobytes(), apart.pairs.tobytes())))
    mesh = impinge.Mesh(*family.build("big", 0)[0])
    rng = np.random.default_rng(1)
    directions = rng.normal(size=(400, 3))
    directions[::4] = np.round(directions[::4]) + (0, 0, 9)
    targets = mesh.vertices[rng.integers(0, len(mesh.vertices), 400)] if mesh.vertices.size else 0
    for mode in ("closest", "any", "all"):
        rays = impinge.raycast(mesh, targets - directions, directions, mode=mode)
        print(mode, len(rays), hash((rays.ray.tobytes(), rays.face.tobytes(), rays.t.tobytes())))
"""


def answers_of(level: str) -> list[str]:
    environment = {**os.environ, "IMPINGE_CPU": level, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-c", ASK_A_LEVEL, *sys.path]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_every_instruction_set_gives_the_same_bits() -> None:
    baseline, best = answers_of("baseline"), answers_of("")
    assert baseline[0] == "baseline"
    assert best[0] == _core.cpu
    assert baseline[1:] == best[1:]
    assert len(baseline) > 3


def test_ctrl_c_stops_a_query() -> None:
    program = """
import numpy as np, os, signal, threading, impinge
points = np.random.default_rng(0).random((60000, 3, 3))
mesh = impinge.Mesh(points.reshape(-1, 3), np.arange(180000).reshape(-1, 3))
impinge.self_collide(mesh, mode="first")
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
impinge.self_collide(mesh)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120
    )
    assert "KeyboardInterrupt" in done.stderr


def test_progress_can_cancel() -> None:
    points = np.random.default_rng(0).random((9000, 3, 3))
    mesh = impinge.Mesh(points.reshape(-1, 3), np.arange(27000).reshape(-1, 3))
    seen: list[float] = []

    def stop_soon(fraction: float) -> bool:
        seen.append(fraction)
        return len(seen) < 3

    with pytest.raises(impinge.errors.Cancelled):
        impinge.self_collide(mesh, progress=stop_soon)
    assert seen == sorted(seen)


def test_wrong_arrays_are_refused() -> None:
    vertices, faces = meshes.sphere(4)
    with pytest.raises(TypeError):
        _core.Tree(vertices[:, :2], faces.astype(np.int32))
    tree = _core.Tree(vertices, faces.astype(np.int32))
    with pytest.raises(ValueError, match="number"):
        tree.refit(vertices[:-1].copy())
    wrong = np.array([[0, 7]], dtype=np.int32)
    with pytest.raises(ValueError, match="out of range"):
        _core.bvh_scene([tree, tree], None, wrong, NO_BODIES, True, False, False, 0, None)
    pose = np.eye(4).tobytes()
    for placements in ([None], [pose, pose[:-8]]):
        with pytest.raises(ValueError, match="placement"):
            _core.bvh_scene([tree] * 2, placements, None, NO_BODIES, True, False, False, 0, None)


def test_counts_are_a_mapping_that_becomes_a_dict() -> None:
    vertices, faces = meshes.sphere(4)
    tree = _core.Tree(vertices, faces.astype(np.int32))
    *_, counts = _core.bvh_scene([tree] * 2, None, None, NO_BODIES, True, False, False, 1, None)
    counted = {**counts}
    assert counted["broad_pairs"] == 1
    assert counted["hits"] > 0
    assert pickle.loads(pickle.dumps(counts)) == copy.deepcopy(counts) == counted
    with pytest.raises(KeyError, match="misses"):
        counts["misses"]


def test_a_progress_callback_may_ask_too() -> None:
    points = np.random.default_rng(0).random((6000, 3, 3))
    mesh = impinge.Mesh(points.reshape(-1, 3), np.arange(18000).reshape(-1, 3))
    a, b = crossing_balls()
    expected = impinge.self_collide(mesh).pairs, impinge.collide(a, b).pairs
    inner = []
    outer = impinge.self_collide(
        mesh, progress=lambda _: inner.append(impinge.collide(a, b).pairs), workers=1
    )
    np.testing.assert_array_equal(outer.pairs, expected[0])
    assert len(inner) > 1
    for pairs in inner:
        np.testing.assert_array_equal(pairs, expected[1])
