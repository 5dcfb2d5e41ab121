"""Everything that a ruleset needs, in one import, for this program and for other packages.

- the game and its rules: GameMeta Option Unit Rules Setup Configuration ComponentSet Chance Moves Standing
- positions: State At View of_seat fill
- the order of play: Phase Ask at_stage
- values: Value Tagged replace field kept Memo remembered remember_last
- their types: Annotated Meta Count Positive Whole LARGEST Name Holder Seat ByFields
- orders and their grammar: Order Term Given
- events and costs: Event events_of InOrder Part Spent total
- refusals and flaws: Problem Flaw several suggest
- who sees what: Viewer MODERATOR PUBLIC OWNER NOBODY Public Secret Mark Seen
- facts for conditions: Fact FactValue
- sentences: Said count listed ordinal
- modules: advice drawing piles scenes

``docs/own-ruleset.md`` uses most of them in a small game, and ``docs/rulesets.md`` describes the rest.
"""

# ruff: noqa: RUF022 - the names are listed by purpose
from typing import TYPE_CHECKING, Annotated, Any

from adjudicator.core import advice, piles
from adjudicator.core.advice import Seen
from adjudicator.core.at import Ask, At, State, View, fill, of_seat
from adjudicator.core.chance import Chance
from adjudicator.core.conditions import Fact, FactValue
from adjudicator.core.event import Event, InOrder, Part, Spent, events_of, total
from adjudicator.core.order import Given, Order, Term
from adjudicator.core.phrases import Said, count, listed, ordinal
from adjudicator.core.problem import Flaw, Problem, several, suggest
from adjudicator.core.remember import Memo, remember_last, remembered
from adjudicator.core.rules import Moves, Phase, Rules, at_stage
from adjudicator.core.ruleset import ComponentSet, Configuration, GameMeta, Option, Setup, Standing, Unit
from adjudicator.core.values import (
    LARGEST,
    MODERATOR,
    ByFields,
    Count,
    Holder,
    Meta,
    Name,
    Positive,
    Seat,
    Tagged,
    Value,
    Viewer,
    Whole,
    field,
    kept,
    replace,
)
from adjudicator.core.visibility import NOBODY, OWNER, PUBLIC, Mark, Public, Secret

if TYPE_CHECKING:
    from adjudicator import scenes
    from adjudicator.scenes import drawing

__all__ = ["GameMeta", "Option", "Unit", "Rules", "Setup", "Configuration", "ComponentSet", "Chance", "Moves", "Standing"]
__all__ += ["State", "At", "View", "of_seat", "fill"]
__all__ += ["Phase", "Ask", "at_stage"]
__all__ += ["Value", "Tagged", "replace", "field", "kept", "Memo", "remembered", "remember_last"]
__all__ += ["Annotated", "Meta", "Count", "Positive", "Whole", "LARGEST", "Name", "Holder", "Seat", "ByFields"]
__all__ += ["Order", "Term", "Given"]
__all__ += ["Event", "events_of", "InOrder", "Part", "Spent", "total"]
__all__ += ["Problem", "Flaw", "several", "suggest"]
__all__ += ["Viewer", "MODERATOR", "PUBLIC", "OWNER", "NOBODY", "Public", "Secret", "Mark", "Seen"]
__all__ += ["Fact", "FactValue"]
__all__ += ["Said", "count", "listed", "ordinal"]
__all__ += ["advice", "drawing", "piles", "scenes"]


def __getattr__(name: str) -> Any:
    """Return ``scenes`` or ``drawing`` when a game draws first: most commands do not."""
    if name == "drawing":
        import adjudicator.scenes.drawing

        return adjudicator.scenes.drawing
    if name == "scenes":
        import adjudicator.scenes

        return adjudicator.scenes
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
