"""What a file may unfold into: memory in proportion to its size.

A few bytes can promise gigabytes: zeros that are not stored, values used many times, packed
members, components of components. Readers spend from one budget before they make any of that.
"""

from __future__ import annotations

# What any file may take, and how much more for each of its bytes. Text of meshes is packed about
# tenfold; a file that is small in spite of many equal parts has the allowance.
ALLOWANCE = 32 << 20
GROWTH = 64

# A placed part counts as little as can be, for assemblies of a hundred thousand bolts are honest;
# one with a mesh of its own, about what Python keeps for it.
PART_BYTES = 256
MESH_BYTES = 1024


class Budget:
    """Of a file with so many bytes."""

    def __init__(self, file_bytes: int) -> None:
        self._file_bytes = file_bytes
        self._spent = 0

    @property
    def limit(self) -> int:
        """Bytes that the file may unfold into."""
        return ALLOWANCE + GROWTH * self._file_bytes

    def grow(self, file_bytes: int) -> None:
        """Another file belongs to it."""
        self._file_bytes += file_bytes

    def spend(self, amount: int) -> str:
        """Takes so many bytes; what is wrong with that, or nothing."""
        self._spent += amount
        if self._spent <= self.limit:
            return ""
        return (
            f"would take {self._spent:,} bytes of memory with what came before; the limit for a "
            f"file of {self._file_bytes:,} bytes is {self.limit:,}"
        )
