"""What belongs to the process of the user stays as it is: its environment, its folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# hooks cannot be taken away again, so this needs a process of its own
WATCH = """
import sys, numpy

changes = []
def watch(event, arguments):
    if event in ("os.putenv", "os.unsetenv", "os.chdir"):
        changes.append((event, *arguments))
sys.addaudithook(watch)
"""
GPU = """
from impinge.gpu import open_device
open_device(software=True)
"""
BENCH = """
from impinge.lab.bench.contender import Remote
from impinge.lab.bench.peers.own import Impinge

one = Remote(Impinge(), threads=1)
one.start()
one.close()
"""
QUERIES = """
import impinge
from impinge import data

scene = impinge.load_scene(data.path("gearbox.glb"))
scene.check(workers=2)
scene.collide(method="peel")
scene.collide(method="cdfc")
"""


def changes_of(code: str, folder: Path) -> str:
    source = f"{WATCH}{code}\nprint(changes)"
    environment = {name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
    environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, sys.path[1:]))
    done = subprocess.run(
        [sys.executable, "-c", source],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list(folder.iterdir()) == [], "no file is left behind"
    return done.stdout.strip()


def test_the_environment_is_not_changed(gpu_device: object, tmp_path: Path) -> None:
    assert changes_of(GPU, tmp_path) == "[]"
    assert changes_of(QUERIES, tmp_path) == "[]"
    assert changes_of(BENCH, tmp_path) == "[]"
