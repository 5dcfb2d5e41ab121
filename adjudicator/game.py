"""Everything that a ruleset needs, in one import, for this program and for other packages.

At least two games or the tutorial (``docs/own-ruleset.md``) use each name. The classes and functions are at home in
``adjudicator.core``, where ``help`` describes them; ``drawing`` and ``scenes`` are modules.
"""

from typing import TYPE_CHECKING, Any

from adjudicator.core import drawing
from adjudicator.core.bounds import Ge, Le, Len
from adjudicator.core.chance import Chance
from adjudicator.core.conditions import Value
from adjudicator.core.each_seat import each_seats, of_seat
from adjudicator.core.event import Event, Part, Spent, event, events_of, total
from adjudicator.core.facts import Fact
from adjudicator.core.frozen import added_later, change, frozen
from adjudicator.core.ids import MODERATOR, Name, Seat, Viewer
from adjudicator.core.naming import Places
from adjudicator.core.phrases import Said, count, listed, ordinal
from adjudicator.core.problem import Flaw, Problem, several
from adjudicator.core.remember import Memo, remember_last, remembered
from adjudicator.core.rules import Moves, Rules
from adjudicator.core.ruleset import (
    ComponentSet,
    Configuration,
    Decision,
    Meta,
    Option,
    Readiness,
    Setup,
    Standing,
    Unit,
    Upgrade,
)
from adjudicator.core.suggestions import suggest
from adjudicator.core.view import View
from adjudicator.core.visibility import NOBODY, OWNER, PUBLIC, Mark, Public, Secret
from adjudicator.core.wording import Order, Term, order

if TYPE_CHECKING:
    from adjudicator import scenes

__all__ = [  # noqa: RUF022 - grouped by purpose
    # The game: what is known without its rules, and the class of its rules with the types of its hooks
    "Meta",
    "Option",
    "Unit",
    "Rules",
    "Setup",
    "Configuration",
    "ComponentSet",
    "Chance",
    "Moves",
    "Decision",
    "Readiness",
    "Standing",
    # Values: frozen classes, their bounds, what belongs to a seat, and results that are kept
    "frozen",
    "change",
    "Name",
    "Seat",
    "Ge",
    "Le",
    "Len",
    "Places",
    "each_seats",
    "of_seat",
    "Memo",
    "remembered",
    "remember_last",
    # Older files
    "added_later",
    "Upgrade",
    # Orders, and the parts of their grammar
    "Order",
    "order",
    "Term",
    # Events and costs
    "Event",
    "event",
    "events_of",
    "Part",
    "Spent",
    "total",
    # Refusals of orders, and flaws of positions and component sets
    "Problem",
    "Flaw",
    "several",
    "suggest",
    # Who sees what
    "View",
    "Viewer",
    "MODERATOR",
    "PUBLIC",
    "OWNER",
    "NOBODY",
    "Public",
    "Secret",
    "Mark",
    # Facts for conditions
    "Fact",
    "Value",
    # Sentences
    "Said",
    "count",
    "listed",
    "ordinal",
    # Drawings
    "drawing",
    "scenes",
]


def __getattr__(name: str) -> Any:
    """Return ``adjudicator.scenes`` when a game draws for the first time: most commands draw nothing."""
    if name == "scenes":
        import adjudicator.scenes

        return adjudicator.scenes
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
