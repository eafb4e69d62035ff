"""The page as text: on its own, inside a report, or in the frame of a notebook."""

from __future__ import annotations

import zlib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from impinge.render.page.snapshot import Snapshot

_FOLDER = Path(__file__).resolve().parent / "web"

# unpacks the page's own script; the policy knows both by what is in them
_LOADER = (
    '(async()=>{const b=Uint8Array.from(atob(document.getElementById("program").textContent),'
    "c=>c.charCodeAt(0));const t=await new Response(new Blob([b]).stream().pipeThrough("
    'new DecompressionStream("deflate"))).text();const s=document.createElement("script");'
    "s.textContent=t;document.body.append(s)})()"
)


@cache
def program() -> str:
    """The script of the page."""
    return (_FOLDER / "built" / "page.js").read_text(encoding="utf-8")


@cache
def style(*sheets: str) -> str:
    """Style sheets of the page: "scene" for the view alone, "window" for all around it."""
    return "".join((_FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in sheets)


@cache
def policy() -> str:
    """Nothing is loaded, and no script runs but the two that are in the page."""
    hashes = " ".join(f"'sha256-{_hash(text)}'" for text in (_LOADER, program()))
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def scripts(model: bytes) -> str:
    """The elements at the end of a page's body: the model, the program and what starts it."""
    return (
        f'<script type="text/plain" id="model">{_packed(model)}</script>\n'
        f'<script type="text/plain" id="program">{_program_packed()}</script>\n'
        f"<script>{_LOADER}</script>"
    )


def alone(now: Snapshot, title: str) -> str:
    """A file that shows the snapshot in a whole window."""
    return _document(now, title, mode="alone")


def framed(now: Snapshot, title: str, *, height: int) -> str:
    """The frame of a notebook: a page inside the page, which can reach nothing outside it."""
    page = escape(_document(now, title, mode="glance"), quote=True)
    return (
        f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="{escape(title, quote=True)}" '
        f'style="width:100%;height:{height}px;border:0;border-radius:8px"></iframe>'
    )


def _document(now: Snapshot, title: str, *, mode: str) -> str:
    from impinge.render.page.snapshot import message

    sheets = ("scene",) if mode == "glance" else ("scene", "window")
    host = '<div id="scene" class="view"></div>' if mode == "glance" else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(), quote=True)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style(*sheets)}</style>\n</head>\n"
        f'<body data-mode="{mode}">{host}\n{scripts(message(now))}\n</body>\n</html>\n'
    )


@cache
def _program_packed() -> str:
    return _packed(program().encode("utf-8"))


def _packed(data: bytes) -> str:
    return b64encode(zlib.compress(data, 9)).decode("ascii")


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
