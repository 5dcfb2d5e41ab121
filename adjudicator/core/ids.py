"""Names that the core gives to things."""

from __future__ import annotations

from typing import Annotated, Final, NewType

from adjudicator.core.bounds import Len

Seat = NewType("Seat", str)
"""A place at the table, such as ``red``: lower case, unique in its game."""

Viewer = Seat | None
"""Who looks: a seat, ``MODERATOR`` (everything), or ``None`` for a bystander (what is open to all)."""

MODERATOR: Final = Seat("moderator")
"""The viewer from whom nothing is hidden. No player's seat may carry this name."""

RuleId = NewType("RuleId", str)
"""The number of a rule on a fact sheet, such as ``CR-P3``."""

Digest = Annotated[str, Len(64, 64)]
"""A SHA-256 value as 64 lower-case hexadecimal digits."""

Name = Annotated[str, Len(1, 80)]
"""A short text that names something: an id, a label, a person."""

Line = Annotated[str, Len(0, 2000)]
"""One line of text, such as an order in canonical words."""
