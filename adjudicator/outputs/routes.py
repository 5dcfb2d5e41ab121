"""Define the output about a route on a map: its sections, ambiguous legs and warnings."""

from __future__ import annotations

from typing import Literal

from adjudicator.core.frozen import frozen
from adjudicator.outputs.orders import OrderProblem


@frozen(kw_only=True)
class LaidControl:
    """A control in a section, ``distance`` squares after the last time control."""

    control: str
    square: str
    side: str
    distance: int


@frozen(kw_only=True)
class LaidSection:
    """A section: its kind, its length in squares, its ``target`` time in seconds (a regularity at ``speed`` mph).

    ``squares`` are the squares of its way in order, with both ends; ``road_book`` describes the way.
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
    """Black Spots on ``squares`` that would leave only the way ``through`` a square."""

    through: str
    squares: tuple[str, ...]


@frozen(kw_only=True)
class AmbiguousLeg:
    """A leg with several ``ways`` of ``distance`` squares from the control ``leaves`` to ``control``, and remedies.

    The number of ways is limited to nine hundred million million.
    """

    control: str
    leaves: str
    distance: int
    ways: int
    remedies: tuple[BlackSpots, ...]


@frozen(kw_only=True)
class ComparedSection:
    """The section to ``control`` compared with a transcription: ``step`` is the first square that differs (0: none).

    ``ours`` and ``theirs`` are the squares there; the one of a way that has ended is empty.
    """

    control: str
    step: int
    ours: str
    theirs: str


@frozen(kw_only=True)
class LaidRoute:
    """The rally called ``rally`` on a map: its sections (none while it has flaws), and all remarks.

    A rally with ``flaws`` cannot be driven, one with ``warnings`` can. ``settled_by`` are the Black Spots that together
    leave only one way everywhere (null: they are not needed, or none are found). ``problems`` are unreadable lines.
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
