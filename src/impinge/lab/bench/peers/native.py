"""What the peers in C++ have in common: arrays for their C interface, and answers from it."""

from __future__ import annotations

import ctypes
from typing import Any, ClassVar

import numpy as np

from impinge.lab.bench.cases import Deforming, Posed
from impinge.lab.bench.compiled import CompileError, Program
from impinge.lab.bench.peers.protocol import Adapter, Task, pairs_of, sorted_pairs

_RETURNED = {
    **dict.fromkeys(
        ("pairs_new", "touch_new", "distance_new", "itself_new", "bodies_new", "built_new"),
        ctypes.c_void_p,
    ),
    **dict.fromkeys(("pairs_run", "touch_run", "itself_run", "bodies_run"), ctypes.c_int64),
    "distance_run": ctypes.c_double,
}


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
            for name, restype in _RETURNED.items():
                if hasattr(library, name):
                    getattr(library, name).restype = restype
            self.__dict__["loaded"] = library
        return library

    def ask(self, name: str, *arguments: Any, keep: Any = ()) -> Question:
        """Prepares a question: `name` is the function that does."""
        library = self.library()
        return Question(library, getattr(library, name)(*arguments), keep)

    def between(self, name: str, case: Posed) -> Question:
        """Prepares a question about two meshes."""
        a, b = (arrays(mesh.vertices, mesh.faces) for mesh in (case.a, case.b))
        return self.ask(name, surface(*a), surface(*b), keep=(a, b))

    def pair(self, case: Posed) -> Task:
        question = self.between("pairs_new", case)
        return Task(self.runner("pairs_run", question, case.poses), pairs_of)

    def within(self, case: Deforming) -> Task:
        """The task `itself` of those that can do it."""
        first = arrays(case.frames[0], case.faces)
        question = self.ask("itself_new", surface(*first), keep=first)
        return Task(self.runner("itself_run", question, case.frames), sorted_pairs)

    def runner(self, name: str, question: Question, inputs: Any) -> Any:
        """Runs with one of the inputs, and copies the pairs."""
        call = self.caller(name, question, inputs)
        return lambda step: question.pairs(call(step))

    def caller(self, name: str, question: Question, inputs: Any) -> Any:
        """Runs with one of the inputs, for the number that comes back."""
        call, inputs = getattr(self.library(), name), np.ascontiguousarray(inputs, dtype=float)
        # made before, since a pointer takes as long as an easy answer; each keeps its array
        places = [one.ctypes.data_as(ctypes.c_void_p) for one in inputs]
        return lambda step: call(question.handle, places[step])


def arrays(vertices: Any, faces: Any, dtype: Any = np.float64) -> tuple[Any, Any]:
    return np.ascontiguousarray(vertices, dtype=dtype), np.ascontiguousarray(faces, dtype=np.int32)


def surface(vertices: Any, faces: Any) -> Surface:
    return Surface(vertices.ctypes.data, len(vertices), faces.ctypes.data, len(faces))


def address(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def count(array: Any) -> ctypes.c_int64:
    return ctypes.c_int64(len(array))
