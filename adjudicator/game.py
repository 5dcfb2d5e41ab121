"""Everything that a ruleset needs, in one import, for this program and for other packages.

The classes and functions are at home in ``adjudicator.core``; ``docs/own-ruleset.md`` builds a game with them step by step.
"""

from typing import TYPE_CHECKING, Annotated, Any

from adjudicator.core import drawing
from adjudicator.core.bounds import Ge, Gt, Le, Len, Lt
from adjudicator.core.chance import Chance, pick_number
from adjudicator.core.conditions import Value
from adjudicator.core.drawing import Columns, Drawing, Fields, Shape
from adjudicator.core.each_seat import clockwise, each_seats, exchanged, of_seat
from adjudicator.core.event import Event, Part, Spent, event, events_of, reasons, total
from adjudicator.core.facts import Fact, fact, fact_at, fact_of_own, fact_of_place, fact_of_seat
from adjudicator.core.frozen import added_later, change, copier, frozen
from adjudicator.core.graph import Graph, cheapest_ways
from adjudicator.core.ids import MODERATOR, Name, RuleId, Seat, Viewer
from adjudicator.core.naming import Places
from adjudicator.core.order import leaves, with_orders
from adjudicator.core.order_of_play import Asked, OrderOfPlay, Phase, Question
from adjudicator.core.phrases import Said, count, listed, ordinal
from adjudicator.core.piles import draw_from, left_in
from adjudicator.core.problem import Flaw, Problem, SetupError, flaws, in_one_place, repeated, several
from adjudicator.core.ranking import ranking
from adjudicator.core.remember import Memo, remember_last, remembered
from adjudicator.core.rules import Moves, Rules
from adjudicator.core.ruleset import (
    ComponentSet,
    Configuration,
    Decision,
    Meta,
    Option,
    Player,
    Readiness,
    Setup,
    Standing,
    Unit,
    Upgrade,
    without,
)
from adjudicator.core.suggestions import suggest
from adjudicator.core.view import View
from adjudicator.core.visibility import NOBODY, OWNER, PUBLIC, Mark, Public, Secret
from adjudicator.core.wording import Order, Term, constant, number, order

if TYPE_CHECKING:
    from adjudicator import scenes

__all__ = [
    "MODERATOR",
    "NOBODY",
    "OWNER",
    "PUBLIC",
    "Annotated",
    "Asked",
    "Chance",
    "Columns",
    "ComponentSet",
    "Configuration",
    "Decision",
    "Drawing",
    "Event",
    "Fact",
    "Fields",
    "Flaw",
    "Ge",
    "Graph",
    "Gt",
    "Le",
    "Len",
    "Lt",
    "Mark",
    "Memo",
    "Meta",
    "Moves",
    "Name",
    "Option",
    "Order",
    "OrderOfPlay",
    "Part",
    "Phase",
    "Places",
    "Player",
    "Problem",
    "Public",
    "Question",
    "Readiness",
    "RuleId",
    "Rules",
    "Said",
    "Seat",
    "Secret",
    "Setup",
    "SetupError",
    "Shape",
    "Spent",
    "Standing",
    "Term",
    "Unit",
    "Upgrade",
    "Value",
    "View",
    "Viewer",
    "added_later",
    "change",
    "cheapest_ways",
    "clockwise",
    "constant",
    "copier",
    "count",
    "draw_from",
    "drawing",
    "each_seats",
    "event",
    "events_of",
    "exchanged",
    "fact",
    "fact_at",
    "fact_of_own",
    "fact_of_place",
    "fact_of_seat",
    "flaws",
    "frozen",
    "in_one_place",
    "leaves",
    "left_in",
    "listed",
    "number",
    "of_seat",
    "order",
    "ordinal",
    "pick_number",
    "ranking",
    "reasons",
    "remember_last",
    "remembered",
    "repeated",
    "scenes",
    "several",
    "suggest",
    "total",
    "with_orders",
    "without",
]


def __getattr__(name: str) -> Any:
    """Return ``adjudicator.scenes`` when a game draws for the first time: most commands draw nothing."""
    if name == "scenes":
        import adjudicator.scenes

        return adjudicator.scenes
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
