"""Check component sets before a game begins with them, and list all problems at once."""

from __future__ import annotations

from typing import Any

from adjudicator.core.ids import USUAL_SEATS, Seat
from adjudicator.core.options import fill_options
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.ruleset import Player, Setup
from adjudicator.session import config_of


def set_flaws(rules: AnyRuleset, components: Any) -> tuple[Problem, ...]:
    """Return everything that makes ``components`` unfit for a game of ``rules`` with the fewest players and no options."""
    seats = tuple(map(Seat, USUAL_SEATS[: rules.meta.players[0]]))
    version = rules.meta.version
    options = fill_options(rules.meta, seats, {}, version)
    try:
        config_of(rules, Setup(tuple(map(Player, seats)), options, components), version)
    except SetupError as error:
        return error.problems
    return ()
