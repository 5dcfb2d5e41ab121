"""Types of names, ids and short texts."""

from __future__ import annotations

from typing import Annotated, Final, NewType

from adjudicator.core.bounds import Len

Seat = NewType("Seat", str)
"""A place at the table, such as ``red``: lower case, unique in its game."""

Viewer = Seat | None
"""The reader of a view: a seat, ``MODERATOR`` (who sees everything), or ``None`` for the public."""

USUAL_SEATS: Final = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple")
"""The default names of seats, in order."""

MODERATOR: Final = Seat("moderator")
"""The viewer who sees everything. No seat of a player may have this name."""

Digest = Annotated[str, Len(64, 64)]
"""A SHA-256 value as 64 lower-case hexadecimal digits."""
DIGEST_PATTERN: Final = "^[0-9a-f]{64}$"
"""The pattern of a digest. ``$`` alone would accept a line end; the length does not."""

Name = Annotated[str, Len(1, 80)]
"""A short text that names something: an id, a label, a person."""

Line = Annotated[str, Len(0, 2000)]
"""One line of text, such as the canonical text of an order."""
