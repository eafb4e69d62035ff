"""Sources of a room or several as few files, for a compiler that mostly reads headers.

    python unity.py native folder room ...

Writes the files into the folder and prints their paths, with ; between them. Sources whose local
names collide are kept apart.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_LOCAL = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
_NAMESPACE = re.compile(r"^namespace (impinge\S*) \{$", re.MULTILINE)
_SEVERAL = re.compile(r"^(constexpr \w[\w:]* )(\w+ = [^;]*), (\w+ =)", re.M)
# constants, types and functions at the beginning of a line
_NAMES = (
    re.compile(r"^(?:inline |static )*(?:constexpr|const) .*?(\w+)(?:\[\w*\])? ?(?:=|\{)", re.M),
    re.compile(r"^(?:struct|class|enum class|enum|union) (?:alignas\(\w+\) )?(\w+)", re.M),
    re.compile(r"^using (\w+) =", re.M),
    re.compile(r"^\w[\w:<>,*& ]*?[ *&](\w+)\(", re.M),
)


def local_names(text: str) -> set[str]:
    """What a file declares for itself alone, with the namespace around it."""
    around = _NAMESPACE.search(text)
    prefix = around.group(1) if around else ""
    local = "\n".join(_LOCAL.findall(text))
    # of "constexpr int kOne = 1, kTwo = 2;" both
    several = _SEVERAL.sub(r"\1\2;\n\1\3", local)
    return {f"{prefix}::{name}" for pattern in _NAMES for name in pattern.findall(several)}


def public_names(native: Path) -> set[str]:
    """What headers declare, and namespaces."""
    rooms = {folder.name for folder in native.iterdir()}
    return rooms.union(
        name
        for header in native.rglob("*.hpp")
        for pattern in _NAMES
        for name in pattern.findall(header.read_text())
    )


def packed(files: list[Path], public: set[str], most: int = 16) -> list[list[Path]]:
    """The files in groups without collisions, of each other or with public names."""
    groups: list[tuple[list[Path], set[str]]] = []
    for file in sorted(files, key=lambda each: (-each.stat().st_size, each)):
        names = local_names(file.read_text())
        if public & {name.rpartition("::")[2] for name in names}:
            groups.append(([file], {"nobody else"}))
            continue
        for group, taken in groups:
            if len(group) < most and "nobody else" not in taken and not names & taken:
                group.append(file)
                taken.update(names)
                break
        else:
            groups.append(([file], names))
    return [group for group, _ in groups]


def write(native: Path, folder: Path, rooms: list[str]) -> list[Path]:
    """Files that include all sources of the rooms."""
    files = [file for room in rooms for file in (native / room).rglob("*.cpp")]
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, group in enumerate(packed(files, public_names(native))):
        path = folder / f"group{number}.cpp"
        path.write_text("".join(f'#include "{file.resolve()}"\n' for file in group))
        written.append(path)
    return written


if __name__ == "__main__":
    print(*write(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]), sep=";", end="")
