"""The rules of Checkpoint Charlie put together."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import Ruleset, Types
from adjudicator.games.checkpoint_charlie.amend import amended
from adjudicator.games.checkpoint_charlie.check import check, vet
from adjudicator.games.checkpoint_charlie.components import Components
from adjudicator.games.checkpoint_charlie.cost import cost
from adjudicator.games.checkpoint_charlie.decide import decide
from adjudicator.games.checkpoint_charlie.diagram import draw
from adjudicator.games.checkpoint_charlie.events import EVENTS
from adjudicator.games.checkpoint_charlie.evolve import evolve
from adjudicator.games.checkpoint_charlie.initial import initial
from adjudicator.games.checkpoint_charlie.legal import legal
from adjudicator.games.checkpoint_charlie.lint import lint
from adjudicator.games.checkpoint_charlie.meta import META
from adjudicator.games.checkpoint_charlie.orders import LANGUAGE
from adjudicator.games.checkpoint_charlie.position import Position
from adjudicator.games.checkpoint_charlie.proceed import proceed
from adjudicator.games.checkpoint_charlie.prose import tell
from adjudicator.games.checkpoint_charlie.standings import standings
from adjudicator.games.checkpoint_charlie.state import State
from adjudicator.games.checkpoint_charlie.table import Table, lay
from adjudicator.games.checkpoint_charlie.turn import awaiting, is_over, lapsed, remainder, retired
from adjudicator.games.checkpoint_charlie.view import FACT_NAMES, View, announce, facts, names, view, witness

RULESET: Final[Ruleset[Table, State, View]] = Ruleset(
    meta=META,
    language=LANGUAGE,
    types=Types(components=Components, position=Position, state=State, events=EVENTS, view=View),
    lay=lay,
    initial=initial,
    awaiting=awaiting,
    vet=vet,
    check=check,
    decide=decide,
    proceed=proceed,
    evolve=evolve,
    legal=legal,
    cost=cost,
    announce=announce,
    view=view,
    witness=witness,
    facts=facts,
    fact_names=FACT_NAMES,
    names=names,
    standings=standings,
    is_over=is_over,
    retired=retired,
    amended=amended,
    tell=tell,
    draw=draw,
    lint=lint,
    remainder=remainder,
    lapsed=lapsed,
)
"""The rules of Checkpoint Charlie."""
