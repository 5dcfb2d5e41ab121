"""The rules of Checkered Flag put together."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import Ruleset, Types
from adjudicator.games.checkered_flag.amend import validated_amendment
from adjudicator.games.checkered_flag.check import check, validate
from adjudicator.games.checkered_flag.components import Components
from adjudicator.games.checkered_flag.config import Config, configure
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
from adjudicator.games.checkered_flag.turn import awaiting, eliminated, is_over
from adjudicator.games.checkered_flag.view import FACT_NAMES, View, facts, names, public_text, redact, view

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
"""The rules of Checkered Flag."""
