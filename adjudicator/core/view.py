"""What one seat, a bystander or the moderator may know of a position."""

from __future__ import annotations

from typing import Generic, TypeVar

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Viewer
from adjudicator.core.ruleset import Decision

S = TypeVar("S")


@frozen
class View(Generic[S]):
    """The ``state`` as ``viewer`` sees it, what is secret left out, and the decisions that are ``due``."""

    viewer: Viewer
    state: S
    due: tuple[Decision, ...]

    def is_due(self, seat: str) -> bool:
        """Return whether a decision of ``seat`` is awaited."""
        return any(decision.seat == seat for decision in self.due)
