"""Describe The Great Race without loading its rules."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import GameMeta, Option, Unit

META: Final = GameMeta(
    id="great-race",
    name="The Great Race",
    version=3,
    oldest=2,
    prefix="GR",
    players=(2, 4),
    unit=Unit("F", "francs", "cash"),
    options=(
        Option("board", (), "first", "the board, by its id; first: the one that the component set names first"),
        Option("start", (), "first", "the purple city where the race begins; first: the one that the board names first"),
    ),
    component_sets=("house",),
    older_sets=("house-1",),
    ruleset="adjudicator.games.great_race.rules:GreatRace",
)
