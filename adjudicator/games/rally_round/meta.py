"""Describe Rally Round without loading its rules."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import GameMeta, Option, Unit

META: Final = GameMeta(
    id="rally-round",
    name="Rally Round",
    version=4,
    oldest=2,
    prefix="RR",
    players=(1, 10_000),
    unit=Unit("marks", "marks", "penalty", "m:ss"),
    options=(
        Option(
            "mode",
            ("internet", "table"),
            "internet",
            "each crew alone on a given route, or the game at a table",
        ),
        Option("rally", (), "first", "which rally of the component set is driven; first: the first one"),
        Option(
            "illegal-speed",
            ("miss", "reject"),
            "miss",
            "what an illegal speed leads to: a missed turn, as printed, or an order that is refused",
        ),
        Option(
            "wrong-marker",
            ("lose", "reject"),
            "lose",
            "at a table: what a wrong marker leads to: the turn is lost, as printed, or the order is refused",
            since=2,
            before="reject",
        ),
        Option("sheets", ("sealed", "open"), "sealed", "by internet: whether others see a sheet before all have finished"),
        Option("kind", ("road", "stage"), "road", "at a table: a road rally or a stage rally"),
        Option("kit", ("draft", "deal"), "draft", "at a table: whether kits are picked card by card, or dealt"),
        Option("parts", tuple("12345"), "1", "at a table: in how many parts the rally is driven"),
        Option("solo", ("off", "competitive"), "off", "at a table: one player drives all crews, and wins with one"),
    ),
    component_sets=("house",),
    older_sets=("house-1", "house-2"),
    ruleset="adjudicator.games.rally_round.rules:RallyRound",
    commands="adjudicator.games.rally_round.office.commands:COMMANDS",
    schemas="adjudicator.games.rally_round.office.outputs:SCHEMAS",
)
