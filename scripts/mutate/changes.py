"""What can be changed in a source, one line at a time."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rooms import Room

ROOT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.txt")

# what is found, and what it becomes; spaces keep templates, includes and arguments apart
_SWAPS = [
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \+= ", " -= "),
    (r" & ", " | "),
    (r" \| (?!None\b)", " & "),
    (r"\bmin\(", "max("),
    (r"\bmax\(", "min("),
]
_OWN_SWAPS = {
    "cpp": [(r" && ", " || "), (r" \|\| ", " && "), (r"\btrue\b", "false"), (r"\bfalse\b", "true")],
    "py": [(r" and ", " or "), (r" or ", " and "), (r"\bTrue\b", "False"), (r"\bFalse\b", "True")],
}
_NUMBER = re.compile(r"(?<![\w.\"'])(\d+)(?![\w.\"'])")
# of an array that is declared: one element more is never read
_EXTENT = re.compile(r"(?:(?!return|else|case)\b[\w>]+[&*]* |\(&)\w+\)?(?:\[\w+\])*\[$")
_CALL = {
    "cpp": re.compile(r"^\s+[\w.\->\[\]]+(\(.*\)|\s[-+*|&^]?=\s.*|\+\+);$"),
    "py": re.compile(r"^\s+(?!return|raise|import|from|yield)[\w.\[\]]+(\(.*\)|\s[-+*|&]?=\s.*)$"),
}
_SILENT = re.compile(
    r"^\s*(//|#|\*|\"\"\"|template|static_assert|namespace|using|from |import |struct |class )"
)


@dataclass(frozen=True)
class Mutant:
    """One change of one line: `new` in place of what stands from `start` to `end`."""

    file: str
    line: int
    before: str
    start: int
    end: int
    new: str

    @property
    def after(self) -> str:
        return self.before[: self.start] + self.new + self.before[self.end :]

    @property
    def mark(self) -> str:
        """The same wherever the line stands."""
        return f"{self.file}: {self.before.strip()}  ->  {self.after.strip()}"

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before.strip()}  ->  {self.after.strip()}"


def mutants_of(file: Path) -> Iterator[Mutant]:
    """All changes of a file."""
    kind = "py" if file.suffix == ".py" else "cpp"
    name = file.relative_to(ROOT).as_posix()
    in_text = False
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if kind == "py" and line.count('"""') == 1:
            in_text = not in_text
            continue
        if in_text or _SILENT.match(line):
            continue
        code = line if kind == "py" else line.split("//")[0]
        for start, end, new in changes(code, kind):
            yield Mutant(name, number, line, start, end, new)


def changes(code: str, kind: str) -> Iterator[tuple[int, int, str]]:
    """Where a line is changed, from and to, and what stands there then."""
    for pattern, new in (*_SWAPS, *_OWN_SWAPS[kind]):
        for found in re.finditer(pattern, code):
            yield *found.span(), new
    for found in _NUMBER.finditer(code):
        if kind == "py" or not _EXTENT.search(code[: found.start()]):
            yield *found.span(), str(int(found[1]) + 1)
    if _CALL[kind].match(code.rstrip()) and " const " not in code and " auto " not in code:
        yield len(code) - len(code.lstrip()), len(code), "pass" if kind == "py" else ";"


def equivalent() -> set[str]:
    """Marks of the changes that no test can notice."""
    if not EQUIVALENT.is_file():
        return set()
    return {line.partition("  ##")[0].strip() for line in EQUIVALENT.read_text().splitlines()}


def chosen(room: Room, count: int, seed: int) -> list[Mutant]:
    """A sample of all changes but the equivalent ones, file by file."""
    known = equivalent()
    files = sorted({file for pattern in room.sources for file in ROOT.glob(pattern)})
    every = [m for file in files for m in mutants_of(file) if m.mark not in known]
    some = random.Random(seed).sample(every, min(count, len(every)))
    return sorted(some, key=lambda m: (m.file, m.line, m.start))
