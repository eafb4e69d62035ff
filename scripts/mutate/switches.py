"""Many changes of C++ in one build, each asked for by its number.

To compile the core anew for a change of a header takes minutes. So changes are compiled together,
behind `switch.hpp`; what does not fit behind a switch (constants, templates, conditions of several
lines) is compiled by itself.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from changes import Mutant

_OPERATORS = {
    " < ": "Less",
    " <= ": "LessEqual",
    " > ": "Greater",
    " >= ": "GreaterEqual",
    " == ": "Equal",
    " != ": "NotEqual",
    " + ": "Plus",
    " - ": "Minus",
    " & ": "And",
    " | ": "Or",
}
# what is known when it is compiled, or declared
_FIXED = re.compile(r"\b(constexpr|static|case|enum|operator|alignas|template|requires|sizeof)\b")
_STATEMENT = re.compile(
    r"^(return\b|if \(|while \(|for \(|continue;|break;|std::(merge|copy|sort|fill|swap)\w*\(|"
    r"(\+\+|--|\*|\()?[\w.>\[\]()*+%-]+?( [-+*/|&^%]?= |\(.*\);|\+\+;|--;|\.|->))"
)
_DECLARED = re.compile(r"^(const |auto |(?!return|else)[\w:<>,]+[&*]* [\w]+( = |\{|\(|;|\[| :))")
_CONDITION = re.compile(
    r"^(\s*(?:\} else )?(?:if|while) )\((.*)\) (\{|return.*;|continue;|break;)$"
)
_RESULT = re.compile(r"^(.*\{ return )(.*)(; \};?)$")
_VALUE = re.compile(r"^(\s*(?:const )?[\w:<>]+ \w+ = )([^\[{].*)(;)$")
_PROGRAM = "::impinge_mutate::"


def switched(text: str, mutants: Iterable[tuple[int, Mutant]]) -> tuple[str, set[int]]:
    """A file with its changes behind switches, and the numbers of those that have one."""
    lines, taken = text.split("\n"), set[int]()
    by_line: dict[int, list[tuple[int, Mutant]]] = defaultdict(list)
    for number, mutant in mutants:
        by_line[mutant.line].append((number, mutant))
    for line, some in by_line.items():
        before = lines[line - 1]
        code = before.split("//")[0].rstrip()
        if _FIXED.search(code):
            continue
        if _is_statement(lines, line - 1, code):
            new = code.strip()
            for number, mutant in some:
                changed = mutant.after.split("//")[0].strip()
                new = f"if ({_PROGRAM}on({number})) {{ {changed} }} else {{ {new} }}"
            lines[line - 1] = new
            taken.update(number for number, _ in some)
            continue
        if new := _around(code, some):
            lines[line - 1] = new
            taken.update(number for number, _ in some)
            continue
        for number, mutant in sorted(some, key=lambda each: -each[1].start):
            if new := _in_expression(lines[line - 1], number, mutant):
                lines[line - 1] = new
                taken.add(number)
    return "\n".join(lines), taken


def _balanced(code: str) -> bool:
    return all(code.count(a) == code.count(b) for a, b in ("()", "[]", "{}"))


def _is_statement(lines: list[str], at: int, code: str) -> bool:
    """Whether the line is one or several whole statements that declare nothing."""
    code = code.strip()
    if not code.endswith(";") or not _balanced(code) or _DECLARED.match(code):
        return False
    if not _STATEMENT.match(code):
        return False
    above = next((line for line in reversed(lines[:at]) if line.split("//")[0].strip()), "")
    below = next((line for line in lines[at + 1 :] if line.split("//")[0].strip()), "")
    ended = above.split("//")[0].rstrip().endswith((";", "{", "}", " else"))
    header = re.match(r"^\s*(\} else )?(if|for|while) \(.*\)$", above.split("//")[0].rstrip())
    declares = re.match(r"^for \(", code) is None and re.search(r"; (const |auto |\w+ \w+ =)", code)
    return bool(ended or (header and _balanced(above))) and not (
        declares or below.strip().startswith("else")
    )


def _around(code: str, some: list[tuple[int, Mutant]]) -> str | None:
    """`if (a && b) {`, `{ return a; }` or `const bool x = a;`, with switches around all of a."""
    for pattern in (_CONDITION, _RESULT, _VALUE):
        before = pattern.match(code)
        if not before or not _balanced(before[2]) or _is_list(before[2]):
            continue
        form = "static_cast<bool>({})" if pattern is _CONDITION else "{}"
        value = form.format(before[2])
        for number, mutant in some:
            after = pattern.match(mutant.after.split("//")[0].rstrip())
            if not after or any(before[at] != after[at] for at in (1, 3)):
                return None
            if not _balanced(after[2]) or _is_list(after[2]):
                return None
            value = f"{_PROGRAM}on({number}) ? {form.format(after[2])} : {value}"
        return before[1] + (f"({value}) " if pattern is _CONDITION else value) + before[3]
    return None


def _is_list(code: str) -> bool:
    """Whether it declares or assigns something, or is a list."""
    depth = 0
    for at, letter in enumerate(code):
        depth += (letter in "([{") - (letter in ")]}")
        if (letter == "," and depth == 0) or letter == ";" or code.startswith(" = ", at):
            return True
    return False


def _in_expression(line: str, number: int, mutant: Mutant) -> str | None:
    """One operator or number, with a switch in its place."""
    old = mutant.before[mutant.start : mutant.end]
    if name := _OPERATORS.get(old):
        new = f"{old}{_PROGRAM}{name}<{number}>{{}}{old}"
    elif old in ("true", "false") or old.isdigit():
        # in braces an int is not narrowed to a double, or to fewer bits
        if line[: mutant.start].count("{") > line[: mutant.start].count("}"):
            return None
        new = f"{_PROGRAM}pick<{number}>({old}, {mutant.new})"
    else:
        return None
    return line[: mutant.start] + new + line[mutant.end :]
