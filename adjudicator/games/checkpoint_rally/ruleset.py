"""The rules of Checkpoint Rally put together."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import Ruleset, Types
from adjudicator.games.checkpoint_rally.amend import amended
from adjudicator.games.checkpoint_rally.check import check, vet
from adjudicator.games.checkpoint_rally.components import Components
from adjudicator.games.checkpoint_rally.decide import decide
from adjudicator.games.checkpoint_rally.diagram import draw
from adjudicator.games.checkpoint_rally.events import EVENTS
from adjudicator.games.checkpoint_rally.evolve import evolve
from adjudicator.games.checkpoint_rally.initial import initial
from adjudicator.games.checkpoint_rally.legal import cost, legal
from adjudicator.games.checkpoint_rally.lint import lint
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.orders import LANGUAGE
from adjudicator.games.checkpoint_rally.position import Position
from adjudicator.games.checkpoint_rally.proceed import proceed
from adjudicator.games.checkpoint_rally.prose import tell
from adjudicator.games.checkpoint_rally.standings import standings
from adjudicator.games.checkpoint_rally.state import State
from adjudicator.games.checkpoint_rally.table import Table, lay
from adjudicator.games.checkpoint_rally.turn import awaiting, is_over, retired
from adjudicator.games.checkpoint_rally.view import FACT_NAMES, View, announce, facts, names, view, witness

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
)
"""The rules of Checkpoint Rally."""
