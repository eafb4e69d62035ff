"""What a frame of a deforming mesh costs on its way to the page: packing, sending, receiving."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time, sleep
from typing import TYPE_CHECKING

from impinge import _surfaces as surfaces
from impinge.render.bodies import ShownBodies
from impinge.render.page.snapshot import Snapshot, message
from impinge.scene import Scene
from impinge.view.run import in_background
from impinge.view.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# a page that does nothing but take and acknowledge
_CLIENT = """
import sys
from websockets.sync.client import connect
url, origin = sys.stdin.readline().split()
with connect(url, origin=origin, max_size=None, compression=None) as page:
    while True:
        page.recv()
        page.send('{"type": "ack"}')
"""


@dataclass(frozen=True)
class Frames:
    """Milliseconds of one frame, medians; `there` is from the new vertices to the page's answer."""

    faces: int
    megabytes: float
    pack: float
    there: float
    cpu: float


class _Published(Session):
    """Shows what it is given."""

    def request(self, message: Mapping[str, Any]) -> None:
        raise ValueError("nothing can be asked")

    def due(self) -> bool:
        return False

    def work(self) -> None: ...

    def tell(self, problem: str) -> None: ...


def frames(
    sizes: tuple[int, ...] = (10_000, 100_000, 1_000_000),
    *,
    count: int = 40,
    say: Callable[[str], object] = lambda _: None,
) -> list[Frames]:
    """Measure meshes of about so many triangles, all of whose vertices move in each frame."""
    result = []
    for size in sizes:
        say(f"{size:,} triangles")
        result.append(_measure(size, count))
    return result


def table(rows: list[Frames]) -> str:
    from impinge._text import table as text_table

    head = ("triangles", "MB", "packing ms", "packed, sent, received ms", "CPU ms")
    cells = [
        (
            f"{row.faces:,}",
            f"{row.megabytes:.1f}",
            *(f"{value:.2f}" for value in (row.pack, row.there, row.cpu)),
        )
        for row in rows
    ]
    return text_table("A frame on its way to the page", [head, *cells]) + "\n"


def _measure(size: int, count: int) -> Frames:
    vertices, faces = surfaces.blob(round((size / 20) ** 0.5), seed=1)
    scene = Scene()
    body = scene.add(vertices, faces, name="blob")
    body.vertices = vertices
    bodies = ShownBodies.of(["blob"], [body._current()], up="z")
    session = _Published()

    def shown(number: int) -> Snapshot:
        return Snapshot(number, bodies, (body._current(),))

    with in_background(session) as address:
        session.publish(shown)
        url = f"ws://127.0.0.1:{address.port}/{address.token}/live"
        origin = f"http://127.0.0.1:{address.port}"
        # what is in a command line, every user of the machine can read
        client = subprocess.Popen([sys.executable, "-c", _CLIENT], stdin=subprocess.PIPE, text=True)
        assert client.stdin is not None
        try:
            print(url, origin, file=client.stdin, flush=True)
            while session._taken < 1:
                sleep(0.01)
                if client.poll() is not None:
                    raise RuntimeError("the page that was to be sent to has ended")
            pack, there, cpu = [], [], []
            for k in range(count):
                body.vertices = vertices * (1.0 + 0.001 * k)
                before = session.snapshot
                assert before is not None
                start = perf_counter()
                data = message(shown(before.number + 1), before)
                pack.append(perf_counter() - start)
                start, worked = perf_counter(), process_time()
                session.publish(shown)
                session.await_pages()
                there.append(perf_counter() - start)
                cpu.append(process_time() - worked)
        finally:
            client.kill()
            client.wait()
    times = (1e3 * median(values) for values in (pack, there, cpu))
    return Frames(len(faces), len(data) / 1e6, *times)
