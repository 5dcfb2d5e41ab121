"""The rules of Checkered Flag put together."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import Ruleset, Types
from adjudicator.games.checkered_flag.amend import amended
from adjudicator.games.checkered_flag.check import check, vet
from adjudicator.games.checkered_flag.components import Components
from adjudicator.games.checkered_flag.decide import decide
from adjudicator.games.checkered_flag.diagram import draw
from adjudicator.games.checkered_flag.events import EVENTS
from adjudicator.games.checkered_flag.evolve import evolve
from adjudicator.games.checkered_flag.initial import initial
from adjudicator.games.checkered_flag.legal import cost, legal
from adjudicator.games.checkered_flag.lint import lint
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.orders import LANGUAGE
from adjudicator.games.checkered_flag.position import Position
from adjudicator.games.checkered_flag.proceed import proceed
from adjudicator.games.checkered_flag.prose import tell
from adjudicator.games.checkered_flag.standings import standings
from adjudicator.games.checkered_flag.state import State
from adjudicator.games.checkered_flag.table import Table, lay
from adjudicator.games.checkered_flag.turn import awaiting, is_over, retired
from adjudicator.games.checkered_flag.view import FACT_NAMES, View, announce, facts, names, view, witness

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
"""The rules of Checkered Flag."""
