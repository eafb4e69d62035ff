"""XML piece by piece, with limits on what a few bytes of it can cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn
from xml.parsers import expat

from impinge.errors import MeshFileError
from impinge.io.checks import Findings

# The parser makes the full name of every element: a long namespace costs as much each time.
_LONGEST_NAMESPACE = 1000
# A tag has to be there as a whole before its attributes are.
_LONGEST_TAG = 1 << 20


class Xml:
    """A parser of one member of a package, or "" for a file; document types are refused.

    Its owner sets the `StartElementHandler` of `parser`.
    """

    def __init__(self, path: str, findings: Findings) -> None:
        self.namespaces: dict[str | None, str] = {}
        self.path = path
        self._findings = findings
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartNamespaceDeclHandler = self._on_namespace
        self.parser.StartDoctypeDeclHandler = self._on_doctype

    def parse(self, pieces: Iterable[bytes]) -> None:
        """All of the text; what is not XML is an error that tells the line."""
        fed = 0
        pieces = iter(pieces)
        try:
            for piece in pieces:
                self.parser.Parse(piece, False)
                fed += len(piece)
                if fed - self.parser.CurrentByteIndex > _LONGEST_TAG:
                    self.fail(f"a tag or comment is longer than {_LONGEST_TAG:,} bytes")
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            # A wrong checksum at the end of a member is the better reason.
            for _ in pieces:
                pass
            reason = expat.errors.messages.get(error.code, "malformed")
            self._findings.fail(f"is not valid XML ({reason})", place=self._place(error.lineno))
        except MeshFileError:
            raise
        except (LookupError, ValueError) as error:
            self.fail(f"is in an encoding that is not supported ({error})")

    def fail(self, cause: str) -> NoReturn:
        """An error where the parser is."""
        self._findings.fail(cause, place=self.place())

    def spend(self, amount: int) -> None:
        """Takes bytes of memory from the budget of the file."""
        # The place costs more than the rest.
        too_much = self._findings.budget.spend(amount)
        if too_much:
            self.fail(f"what the XML holds {too_much}")

    def place(self) -> str:
        return self._place(self.line())

    def line(self) -> int:
        return self.parser.CurrentLineNumber

    def _place(self, line: int) -> str:
        return f"{self.path}, line {line}" if self.path else f"line {line}"

    def _on_namespace(self, prefix: str | None, uri: str | None) -> None:
        uri = uri or ""
        if len(uri) > _LONGEST_NAMESPACE:
            self.fail(
                f"a namespace has {len(uri):,} characters; the limit is {_LONGEST_NAMESPACE:,}"
            )
        self.namespaces[prefix] = uri

    def _on_doctype(self, *_: object) -> None:
        self.fail("declares a document type, which is refused")
