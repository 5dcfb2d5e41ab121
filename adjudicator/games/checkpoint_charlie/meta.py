"""Metadata of Checkpoint Charlie, loaded without its rules."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import GameMeta, Option, Unit

MOST_ROUNDS: Final = 5
"""The rounds of the longest game (CC-E1)."""
META: Final = GameMeta(
    id="checkpoint-charlie",
    name="Checkpoint Charlie",
    version=3,
    oldest=2,
    prefix="CC",
    players=(3, 5),
    unit=Unit("pt", "points", "points"),
    options=(
        Option("rounds", tuple(map(str, range(MOST_ROUNDS, 0, -1))), str(MOST_ROUNDS), "rounds at most"),
        Option(
            "window", ("card", "lap"), "card", "when everybody may accuse: after every card, or after every lap of the table"
        ),
        Option(
            "accuse", ("shown", "rows"), "shown", "who may be accused: any suspect shown this round, or those in rows only"
        ),
        Option("stasi", ("off", "on"), "off", "play with the Stasi officer"),
        Option("adler", ("off", "on"), "off", "play with the Café Adler markers"),
        Option(
            "investigator",
            ("auto", "Laces", "Lansbury", "Britton", "Colombini", "Meridian"),
            "auto",
            "the investigator of a seat; auto: the first free one",
            per_seat=True,
        ),
    ),
    component_sets=("house",),
    ruleset="adjudicator.games.checkpoint_charlie.rules:CheckpointCharlie",
)
