"""A route that was laid on a map: its sections, where it is ambiguous, what to think of."""

from __future__ import annotations

from typing import Literal

from adjudicator.core.frozen import frozen
from adjudicator.outputs.orders import OrderProblem


@frozen(kw_only=True)
class LaidControl:
    """A control on the way of a section, ``distance`` squares from the last time control."""

    control: str
    square: str
    side: str
    distance: int


@frozen(kw_only=True)
class LaidSection:
    """A section: its kind, its length in squares, its ``target`` time in seconds (a regularity at ``speed`` mph).

    ``squares`` are those of its way in order, both ends included; ``road_book`` tells it in words.
    """

    control: str
    timing: Literal["road", "selective", "stage", "regularity"]
    speed: int | None
    distance: int
    target: int
    controls: tuple[LaidControl, ...]
    squares: tuple[str, ...]
    road_book: tuple[str, ...]


@frozen(kw_only=True)
class BlackSpots:
    """Black Spots on ``squares`` would leave the way that leads ``through`` a square alone."""

    through: str
    squares: tuple[str, ...]


@frozen(kw_only=True)
class AmbiguousLeg:
    """So many ``ways`` of ``distance`` squares lead from the control ``leaves`` to ``control``, and what would settle it.

    More than nine hundred million million of them are told as that many.
    """

    control: str
    leaves: str
    distance: int
    ways: int
    remedies: tuple[BlackSpots, ...]


@frozen(kw_only=True)
class ComparedSection:
    """The section to ``control`` compared with a transcription: at ``step`` (0: nowhere) the first square that differs.

    ``ours`` and ``theirs`` are the squares there, empty where a way has ended.
    """

    control: str
    step: int
    ours: str
    theirs: str


@frozen(kw_only=True)
class LaidRoute:
    """The rally called ``rally`` on a map: its sections (none while it is not fit), and everything to be told of it.

    ``flaws`` keep it from being driven, ``warnings`` do not; ``settled_by`` are the Black Spots that together leave
    one way everywhere (null: there is one, or none are found). ``problems`` are lines that cannot be read.
    """

    rally: str
    map: str
    laid: tuple[LaidSection, ...]
    flaws: tuple[str, ...]
    ambiguous: tuple[AmbiguousLeg, ...]
    settled_by: tuple[str, ...] | None
    warnings: tuple[str, ...]
    old_route: tuple[ComparedSection, ...]
    problems: tuple[OrderProblem, ...]
