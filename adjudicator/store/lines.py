"""Cut a game file into its lines: the journal stays as bytes, to be read piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

_JOURNAL: Final = b'"journal":['
_LINK: Final = b'{"entry":%s,"hash":"%s"}'
_ENTRY, _HASH, _END = b'{"entry":', b',"hash":"', b'"}'
_FROM: Final = len(_ENTRY)
_HASHED: Final = -64 - len(_END)
"""The position of the hash in a link, counted from the end, where every part has a fixed length."""
_TO: Final = _HASHED - len(_HASH)


class Line(NamedTuple):
    """An entry verbatim: its canonical JSON in ``text``, and the ``hash`` beside it."""

    text: bytes
    hash: bytes


class Lines(NamedTuple):
    """A game file in three parts: the ``entries`` of its journal, the bytes ``before`` and the bytes ``after`` them."""

    before: bytes
    entries: Sequence[Line]
    after: bytes

    def part(self, numbers: Iterable[int]) -> bytes:
        """Return the same file with only the entries that have these ``numbers``."""
        chosen = map(self.entries.__getitem__, numbers)
        links = b",\n".join(_LINK % line for line in chosen)
        return b"%s\n%s\n%s" % (self.before, links, self.after)

    def runs(self, size: int) -> Iterator[range]:
        """Yield the numbers of all entries in order, in runs of about ``size`` bytes."""
        first, taken = 0, 0
        for number, line in enumerate(self.entries):
            taken += len(line.text)
            if taken >= size:
                yield range(first, number + 1)
                first, taken = number + 1, 0
        if first < len(self.entries):
            yield range(first, len(self.entries))

    def is_chained(self, beginning: str) -> bool:
        """Return whether each entry has the hash that follows from the one before, the first from ``beginning``."""
        before = beginning.encode()
        for line in self.entries:
            if sha256(before + line.text).hexdigest().encode() != line.hash:
                return False
            before = line.hash
        return True

    @property
    def head(self) -> str:
        """The hash of the last entry."""
        return self.entries[-1].hash.decode()


def lines_of(data: bytes) -> Lines | None:
    """Return the game file ``data`` cut into lines, ``None`` if this program would lay it out differently.

    The contents of the lines are not checked.
    """
    lines = data.split(b"\n")
    try:
        first = lines.index(_JOURNAL) + 1
        last = lines.index(b"],", first)
    except ValueError:
        return None
    links = lines[first:last]
    # All but the last end in a comma.
    if not links or not all(link.endswith(b"},") for link in links[:-1]):
        return None
    whole = [*[link[:-1] for link in links[:-1]], links[-1]]
    if not all(map(_is_link, whole)):
        return None
    # The chain shows whether the hashes in them are hashes.
    entries = [Line(link[_FROM:_TO], link[_HASHED:-2]) for link in whole]
    return Lines(b"\n".join(lines[:first]), entries, b"\n".join(lines[last:]))


def _is_link(line: bytes) -> bool:
    return line[:_FROM] == _ENTRY and line[_TO:_HASHED] == _HASH and line[-2:] == _END
