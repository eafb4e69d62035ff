"""Programs in C++ are compiled once, and what is missing is said."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from pathlib import Path

import pytest

from impinge.lab.bench import compiled, peers
from impinge.lab.bench.compiled import CompileError, Program, Version
from impinge.lab.bench.peers.native import Native

HAS_COMPILER = compiled._compiler() is not None
needs_compiler = pytest.mark.skipif(not HAS_COMPILER, reason="no C++ compiler")

TINY = Program(
    "tiny.cpp",
    versions=(Version("no/such/header.h", "NEVER"), Version("tiny_version.h", "TINY_VERSION")),
    headers=("vector",),
    links=(("-lno_such_library_anywhere",), ()),
    packages="libtiny-dev",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of sources, a folder of headers, and a cache, all new."""
    monkeypatch.setattr(compiled, "_FOLDER", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CPATH", str(tmp_path))
    compiled._probe.cache_clear()
    (tmp_path / "question.hpp").write_text("#pragma once\n")
    (tmp_path / "tiny_version.h").write_text('#define TINY_VERSION "1.2.3"\n')
    (tmp_path / "tiny.cpp").write_text('extern "C" int answer() { return 42; }\n')
    yield tmp_path
    compiled._probe.cache_clear()


@needs_compiler
def test_a_program_is_compiled_once_and_again_when_it_changed(folder: Path) -> None:
    assert TINY.obstacle == ""
    assert TINY.version == "1.2.3"
    first = TINY.compile()
    assert first.parent == folder / "cache" / "impinge" / "bench"
    assert [*first.parent.iterdir()] == [first]
    assert ctypes.CDLL(str(first)).answer() == 42
    stamp = first.stat().st_mtime_ns
    assert TINY.compile() == first
    assert first.stat().st_mtime_ns == stamp
    (folder / "tiny.cpp").write_text('extern "C" int answer() { return 43; }\n')
    second = TINY.compile()
    assert second != first
    assert TINY.load().answer() == 43
    (folder / "another.hpp").write_text("#pragma once\n")
    assert TINY.compile() != second


@needs_compiler
def test_flags_of_a_program_are_for_its_headers_too(folder: Path) -> None:
    (folder / "aside").mkdir()
    (folder / "aside" / "elsewhere.h").write_text("#define ANSWER 44\n")
    (folder / "tiny.cpp").write_text(
        '#include <elsewhere.h>\nextern "C" int answer() { return ANSWER; }\n'
    )
    there = replace(TINY, headers=("elsewhere.h",))
    assert there.obstacle == "apt install libtiny-dev"
    there = replace(there, flags=(f"-I{folder / 'aside'}",))
    assert there.obstacle == ""
    assert there.load().answer() == 44


@needs_compiler
def test_a_missing_package_is_named(folder: Path) -> None:
    (folder / "tiny_version.h").unlink()
    assert TINY.version == ""
    assert TINY.obstacle == "apt install libtiny-dev"
    with pytest.raises(CompileError, match="apt install libtiny-dev"):
        TINY.compile()


@needs_compiler
def test_a_program_that_does_not_compile_is_a_peer_that_is_missing(folder: Path) -> None:
    (folder / "tiny.cpp").write_text("this is not C++\n")

    class Tiny(Native):
        name = "tiny"
        distribution = "libtiny-dev"
        module = ""
        program = TINY

    peer = Tiny()
    assert peer.installed
    peer.make_ready()
    assert not peer.installed
    assert peer.cure.startswith("tiny.cpp could not be compiled: ")
    assert "\n" not in peer.cure
    assert not [*(folder / "cache" / "impinge" / "bench").iterdir()]


def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_compiler", lambda: None)
    assert TINY.obstacle == "a C++ compiler is needed: apt install g++"


@pytest.mark.parametrize("name", ["embree", "cgal", "fcl"])
def test_native_peers_ship_their_source(name: str) -> None:
    (peer,) = peers.selected([name])
    assert isinstance(peer, Native)
    assert (compiled._FOLDER / peer.program.file).is_file()
    assert peer.installed == bool(peer.version)
