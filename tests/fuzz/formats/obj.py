"""OBJ: statements, one on each line that does not end in a backslash."""

from __future__ import annotations

import re

from fuzz import mutate
from fuzz.counting import numbers, polygon, require, whole
from fuzz.layers import Layer, Layers

WORDS = (
    b"v|f|vt|vn|o|g|s off|usemtl m|mtllib m.mtl|l 1 2|p 1|\no part\n|\ng a b\n|\nf 1 2 3\n|"
    b"\nf 1/1 2/2 3/3 4/4\n|f -1 -2 -3\n|f 1//1 2//2 3//3|\nv 0 0 0\n|\nv 0 0 0 1 0.5 0.5 0.5\n|"
    b"1/2/3|-1|call other.obj\n|csh ls\n|#|# c\n|\\\n|curv 0 1 1 2\n|surf 0 1 0 1 1 2\n|end\n|"
    b"begin\n|cstype bezier\n|fo 1 2 3\n|parm u 0 1\n|4 2\n|vp 1 2\n|trace_obj x\n|f\n|v\n|3/|/3"
).split(b"|")

# As in the format's description; none of these has a face.
_NO_FACES = frozenset(
    b"v vt vn vp o g s l p usemtl mtllib usemap maplib mg bevel c_interp d_interp lod shadow_obj "
    b"trace_obj deg bmat step cstype parm trim hole scrv sp con".split()
)
# What modellers wrap round their lists.
_ENDS = (b"begin", b"end")


def extension(data: bytes) -> str:
    return ".obj"


def count(data: bytes) -> int:
    text = data.removeprefix(b"\xef\xbb\xbf")
    text = b"\n".join(text.splitlines())
    text = re.sub(rb"\\[ \t]*(\n|$)", b" ", text)
    triangles, vertices, faces, declared = 0, 0, 0, None
    for line in text.split(b"\n"):
        words = line.split()
        if words and words[0] not in (b"o", b"g"):
            words = line.split(b"#", 1)[0].split()
        if not words:
            continue
        if words[0] == b"f":
            for corner in words[1:]:
                whole(corner.split(b"/", 1)[0])
            triangles += polygon(len(words) - 1)
            faces += 1
        elif words[0] == b"v":
            require(len(words) >= 4, "a vertex of fewer numbers")
            numbers(words[1:])
            vertices += 1
        elif declared is None and not vertices and not faces and words[0].isdigit():
            declared = [int(word) for word in words]
        else:
            require(words[0] in _NO_FACES or words[0] in _ENDS, f"statement {words[0][:40]!r}")
    require(declared in (None, [vertices, faces], [vertices]), "other counts than declared")
    return triangles


def layers(data: bytes) -> Layers:
    yield Layer(data, mutate.text(WORDS), bytes, weight=4)
