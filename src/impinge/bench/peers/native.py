"""What the peers in C++ have in common: arrays for their C interface, and answers from it."""

from __future__ import annotations

import ctypes
from typing import Any, ClassVar

import numpy as np

from impinge.bench.cases import Deforming, Posed
from impinge.bench.compiled import CompileError, Program
from impinge.bench.peers.protocol import Adapter, Task, pairs_of, sorted_pairs


class Surface(ctypes.Structure):
    """Mirrors that of `native/question.hpp`."""

    _fields_ = (
        ("vertices", ctypes.c_void_p),
        ("vertex_count", ctypes.c_int64),
        ("faces", ctypes.c_void_p),
        ("face_count", ctypes.c_int64),
    )


class Question:
    """A question of the program; keeps alive the arrays that it points to."""

    def __init__(self, program: ctypes.CDLL, handle: int, *kept: Any) -> None:
        self.handle = ctypes.c_void_p(handle)
        self._program, self._kept = program, kept

    def pairs(self, count: int) -> Any:
        """A copy of the pairs that the last run found."""
        if not count:
            return np.empty((0, 2), dtype=np.int32)
        start = self._program.question_pairs(self.handle)
        return np.ctypeslib.as_array(start, (count, 2)).copy()

    def __del__(self) -> None:
        self._program.question_free(self.handle)


class Native(Adapter):
    """A peer by way of a program in C++."""

    program: ClassVar[Program]
    failure: str = ""
    """Why it could not be compiled."""

    @property
    def installed(self) -> bool:
        return not self.failure and not self.program.obstacle

    @property
    def version(self) -> str:
        return self.program.version

    @property
    def cure(self) -> str:
        return self.failure or self.program.obstacle or f"apt install {self.program.packages}"

    def make_ready(self) -> None:
        try:
            self.program.compile()
        except CompileError as error:
            self.failure = str(error)

    def library(self) -> ctypes.CDLL:
        library: ctypes.CDLL | None = self.__dict__.get("loaded")
        if library is None:
            library = self.program.load()
            library.question_pairs.restype = ctypes.POINTER(ctypes.c_int32)
            for name in ("pairs_new", "touch_new", "itself_new", "bodies_new", "built_new"):
                if hasattr(library, name):
                    getattr(library, name).restype = ctypes.c_void_p
            for name in ("pairs_run", "touch_run", "itself_run", "bodies_run"):
                if hasattr(library, name):
                    getattr(library, name).restype = ctypes.c_int64
            self.__dict__["loaded"] = library
        return library

    def ask(self, name: str, *arguments: Any, keep: Any = ()) -> Question:
        """Prepares a question: `name` is the function that does."""
        library = self.library()
        return Question(library, getattr(library, name)(*arguments), keep)

    def pair(self, case: Posed) -> Task:
        a, b = (arrays(mesh.vertices, mesh.faces) for mesh in (case.a, case.b))
        question = self.ask("pairs_new", surface(*a), surface(*b), keep=(a, b))
        return Task(self.runner("pairs_run", question, case.poses), pairs_of)

    def itself(self, case: Deforming) -> Task:
        first = arrays(case.frames[0], case.faces)
        question = self.ask("itself_new", surface(*first), keep=first)
        return Task(self.runner("itself_run", question, case.frames), sorted_pairs)

    def runner(self, name: str, question: Question, inputs: Any) -> Any:
        """Runs with one of the inputs, and copies the pairs."""
        call, inputs = getattr(self.library(), name), np.ascontiguousarray(inputs, dtype=float)
        return lambda step: question.pairs(call(question.handle, address(inputs[step])))


def arrays(vertices: Any, faces: Any, dtype: Any = np.float64) -> tuple[Any, Any]:
    return np.ascontiguousarray(vertices, dtype=dtype), np.ascontiguousarray(faces, dtype=np.int32)


def surface(vertices: Any, faces: Any) -> Surface:
    return Surface(vertices.ctypes.data, len(vertices), faces.ctypes.data, len(faces))


def address(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def count(array: Any) -> ctypes.c_int64:
    return ctypes.c_int64(len(array))
