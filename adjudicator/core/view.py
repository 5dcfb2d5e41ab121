"""The part of a position that a seat, the public or the moderator may know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from adjudicator.core.each_seat import HasSeat
from adjudicator.core.ruleset import Decision
from adjudicator.core.values import Value, Viewer

S = TypeVar("S")
X = TypeVar("X", bound=HasSeat)


class View(Value, Generic[S]):
    """The ``state`` as ``viewer`` sees it, without secrets, and the decisions that are ``due``."""

    viewer: Viewer
    state: S
    due: tuple[Decision, ...]

    def own(self, things: Iterable[X]) -> X | None:
        """Return the one of ``things`` that belongs to the viewer, or ``None`` for a viewer without a seat."""
        return next((thing for thing in things if thing.seat == self.viewer), None)

    def is_due(self, seat: str) -> bool:
        """Return whether ``seat`` has a decision due."""
        return any(decision.seat == seat for decision in self.due)
