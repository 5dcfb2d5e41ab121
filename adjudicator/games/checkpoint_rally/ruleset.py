"""The rules of Checkpoint Rally put together."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import Ruleset, Types
from adjudicator.games.checkpoint_rally.amend import validated_amendment
from adjudicator.games.checkpoint_rally.check import check, validate
from adjudicator.games.checkpoint_rally.components import Components
from adjudicator.games.checkpoint_rally.config import Config, configure
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
from adjudicator.games.checkpoint_rally.turn import awaiting, eliminated, is_over
from adjudicator.games.checkpoint_rally.view import FACT_NAMES, View, facts, names, public_text, redact, view

RULESET: Final[Ruleset[Config, State, View]] = Ruleset(
    meta=META,
    language=LANGUAGE,
    types=Types(components=Components, position=Position, state=State, events=EVENTS, view=View),
    configure=configure,
    initial=initial,
    awaiting=awaiting,
    validate=validate,
    check=check,
    decide=decide,
    proceed=proceed,
    evolve=evolve,
    legal=legal,
    cost=cost,
    public_text=public_text,
    view=view,
    redact=redact,
    facts=facts,
    fact_names=FACT_NAMES,
    names=names,
    standings=standings,
    is_over=is_over,
    eliminated=eliminated,
    validated_amendment=validated_amendment,
    tell=tell,
    draw=draw,
    lint=lint,
)
"""The rules of Checkpoint Rally."""
