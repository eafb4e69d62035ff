"""Files made to harm: each ends right or with one clear line, soon and in little memory."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from impinge.errors import MeshFileError
from impinge.io import load_scene, read
from support.hostile_files import HOSTILE
from support.mesh_files import gltf_document
from support.meshes import box

SECONDS = 10
"""Of CPU time for a file; on a quiet machine all end within two."""
BASE_BYTES = 200_000_000
PER_BYTE = 10

# Each file in a process of its own: the peak of memory never falls.
READS = """
import json, os, resource, sys, time, warnings
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
from impinge.errors import MeshFileError
from impinge.io import gltf, obj, off, ply, read, stl, threemf

def report(path, lenient):
    start = time.process_time()
    try:
        outcome = read(path, lenient=lenient).triangles
    except MeshFileError as error:
        outcome = str(error)
    seconds = time.process_time() - start
    peak = 1024 * int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
    print(json.dumps([outcome, seconds, peak]), flush=True)

warnings.simplefilter("error")
for task in sys.stdin.read().splitlines():
    path, lenient = task.split("|")
    child = os.fork()
    if not child:
        report(path, lenient == "True")
        os._exit(0)
    os.waitpid(child, 0)
"""


def written(folder: Path, name: str) -> Path:
    hostile = HOSTILE[name]
    data = hostile.make(hostile.size)
    path = folder / f"{name}{hostile.extension}"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as Linux counts it")
def test_every_file_ends_right_soon_and_in_little_memory(tmp_path):
    paths = {name: written(tmp_path, name) for name in HOSTILE}
    tasks = "\n".join(f"{path}|{HOSTILE[name].lenient}" for name, path in paths.items())
    run = subprocess.run(
        [sys.executable, "-c", READS],
        input=tasks, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(rows) == len(paths), ([*paths][len(rows)], run.stderr[-2000:])
    for (name, path), (outcome, seconds, peak) in zip(paths.items(), rows, strict=True):
        expected, size = HOSTILE[name].expected, path.stat().st_size
        if isinstance(expected, int):
            assert (name, outcome) == (name, expected)
        else:
            assert expected in str(outcome), name
            assert str(outcome).isprintable()
            assert len(outcome) < 500
        assert seconds < SECONDS, name
        assert peak < BASE_BYTES + PER_BYTE * size, name


GROWING = [name for name, hostile in HOSTILE.items() if hostile.growth]


@pytest.mark.parametrize("name", GROWING)
def test_time_grows_as_the_file_does(tmp_path, name):
    hostile = HOSTILE[name]
    paths = []
    for n in (hostile.growth, 4 * hostile.growth):
        data = hostile.make(n)
        paths.append(tmp_path / f"{n}{hostile.extension}")
        paths[-1].write_bytes(data.encode() if isinstance(data, str) else data)
    small, large = (min(seconds(path, lenient=hostile.lenient) for _ in range(3)) for path in paths)
    # four times the file: 16 if it were quadratic
    assert large < 8 * small + 0.01, (small, large)


def seconds(path: Path, *, lenient: bool) -> float:
    start = time.process_time()
    with suppress(MeshFileError):
        read(path, lenient=lenient)
    return time.process_time() - start


def test_a_scene_of_parts_of_one_name(tmp_path):
    path = tmp_path / "bolts.gltf"
    path.write_bytes(HOSTILE["parts of one name"].make(20_000).encode())
    start = time.process_time()
    scene = load_scene(path)
    assert time.process_time() - start < SECONDS
    assert [body.name for body in scene][:3] == ["bolt", "bolt-2", "bolt-3"]
    assert scene["bolt-20000"] is scene[19_999]
    assert len({id(body.mesh) for body in scene}) == 1


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path.name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (make_pipe, "is a named pipe, not a regular file"),
        (make_socket, "is a socket, not a regular file"),
        (lambda path: path.symlink_to("/dev/zero"), "is a device, not a regular file"),
        (lambda path: path.mkdir(), "is a directory, not a regular file"),
    ],
)
def test_what_is_no_regular_file_is_refused(tmp_path, monkeypatch, make, message):
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    path = Path("x.stl")
    make(path)
    with pytest.raises(MeshFileError) as caught:
        read(path)
    assert str(caught.value) == f"x.stl: {message}"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_buffer_that_is_a_pipe_is_refused(tmp_path):
    make_pipe(tmp_path / "x.bin")
    document, _ = gltf_document([box()])
    document["buffers"][0]["uri"] = "x.bin"
    (tmp_path / "x.gltf").write_text(json.dumps(document))
    with pytest.raises(MeshFileError, match=r"the buffer file 'x\.bin' is a named pipe"):
        read(tmp_path / "x.gltf")
