"""Lines and numbers of text files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impinge.io.text import Lines, integers, listed, numbers


@given(st.text(alphabet="ab1 \t\r\n\v\f", max_size=60))
def test_lines_are_those_of_python(text):
    raw = text.encode()
    lines = Lines.of(raw)
    expected = [(i + 1, line.split()) for i, line in enumerate(raw.splitlines()) if line.split()]
    assert lines.number.tolist() == [number for number, _ in expected]
    assert lines.tokens.tolist() == [len(tokens) for _, tokens in expected]
    assert [lines.raw(i).split() for i in range(len(lines))] == [tokens for _, tokens in expected]
    assert lines.joined().split() == [token for _, tokens in expected for token in tokens]


@given(st.lists(st.lists(st.integers(0, 9), min_size=1), min_size=1), st.data())
def test_joined_takes_the_chosen_lines_only(rows, data):
    raw = "\n".join(" ".join(map(str, row)) for row in rows).encode()
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    found = Lines.of(raw)[chosen].numbers()
    assert found.tolist() == [
        x for row, keep in zip(rows, chosen, strict=True) if keep for x in row
    ]


@given(st.lists(st.floats(allow_nan=False), max_size=20))
def test_numbers_are_read_to_the_last_bit(values):
    raw = " ".join(map(repr, values)).encode()
    assert numbers(raw, len(values)).tolist() == values


@pytest.mark.parametrize(
    "raw",
    [b"1 x", b"1-2", b"1_0", b"0x10", b"1,5", b"1 2 3", b"", b"1.5.5", b"-", b"+", b"- 1", b"--1"],
)
def test_what_is_not_one_number_is_refused(raw):
    assert numbers(raw, 1) is None
    assert integers(raw, 1) is None


@given(st.lists(st.lists(st.sampled_from(["1", "2.5", "-3"]), min_size=1), min_size=1), st.data())
def test_the_first_bad_token_is_found(rows, data):
    line = data.draw(st.integers(0, len(rows) - 1))
    rows[line].insert(data.draw(st.integers(0, len(rows[line]))), "x")
    rows.append(["y"])
    raw = "\n".join(" ".join(row) for row in rows).encode()
    assert Lines.of(raw).first_not_numeric() == (line, "x")


@given(st.lists(st.floats(allow_nan=False), max_size=20))
def test_listed_texts_are_read_to_the_last_bit(values):
    assert listed([f" {value!r}\t" for value in values], np.float64).tolist() == values


@pytest.mark.parametrize(
    "bad", ["", " ", "1 2", "1,2", "x", "1_0", "\u0661", "0x1", "\ud800", "-", "+", "- 1", "1-2"]
)
@pytest.mark.parametrize("before", [[], ["1"]])
@pytest.mark.parametrize("after", [[], ["2"], [""]])
def test_every_listed_text_is_one_number(before, bad, after):
    for kind in (np.float64, np.int64):
        assert listed([*before, bad, *after], kind) is None


def test_a_token_too_many_does_not_make_up_for_one_too_few():
    assert numbers(b"- 1 1-2", 3) is None
    assert integers(b"- 1 1-2", 3) is None
    assert listed(["-", "1"], np.int64) is None
