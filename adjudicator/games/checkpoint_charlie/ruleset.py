"""The rules of Checkpoint Charlie put together."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import Ruleset, Types
from adjudicator.games.checkpoint_charlie.amend import validated_amendment
from adjudicator.games.checkpoint_charlie.check import check, validate
from adjudicator.games.checkpoint_charlie.components import Components
from adjudicator.games.checkpoint_charlie.config import Config, configure
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
from adjudicator.games.checkpoint_charlie.turn import awaiting, continuation, eliminated, expired, is_over
from adjudicator.games.checkpoint_charlie.view import FACT_NAMES, View, facts, names, public_text, redact, view

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
    continuation=continuation,
    expired=expired,
)
"""The rules of Checkpoint Charlie."""
