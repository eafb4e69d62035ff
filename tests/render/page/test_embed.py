"""The page as text: built from its sources, run by nothing but what its policy names."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from zlib import decompress

from impinge.render.drawing import Drawing
from impinge.render.page import embed, snapshot

PAGE = Path(embed.__file__).parent / "web"


def test_the_built_page_is_as_new_as_its_sources() -> None:
    files = [PAGE / "package-lock.json", *sorted((PAGE / "source").glob("*.js"))]
    sources = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    assert embed.program().startswith(f"/* sources {sources};"), "run scripts/page"


def test_the_page_asks_nobody_for_anything() -> None:
    # names of namespaces, and links in messages of three.js, are the only addresses
    addresses = set(re.findall(r"(?:https?:|wss?:)?//[a-z][\w.-]+\.[a-z]{2,}", embed.program()))
    assert addresses <= {"http://www.w3.org", "https://github.com"}
    for sheet in ("scene", "window"):
        assert "url(" not in embed.style(sheet)
        assert "@import" not in embed.style(sheet)


def test_the_policy_knows_the_scripts_that_run(boxes) -> None:
    page = embed.alone(snapshot.of_drawing(Drawing(boxes.collide()), title="boxes"), "boxes")
    allowed = set(re.findall(r"sha256-([\w+/=]+)", page))
    (loader,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    (packed,) = re.findall(r'<script type="text/plain" id="program">(.*?)</script>', page)
    program = decompress(b64decode(packed)).decode()
    assert program == embed.program()
    hashes = {b64encode(sha256(text.encode()).digest()).decode() for text in (loader, program)}
    assert hashes == allowed
