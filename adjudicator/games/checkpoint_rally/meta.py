"""Metadata of Checkpoint Rally, loaded without its rules."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import GameMeta, Option, Unit

META: Final = GameMeta(
    id="checkpoint-rally",
    name="Checkpoint Rally",
    version=3,
    oldest=2,
    prefix="CR",
    players=(2, 4),
    unit=Unit("min", "minutes"),
    options=(
        Option(
            "map",
            ("auto", "upper", "lower"),
            "auto",
            "which half of the cards counts; auto: upper for 2 players, else lower",
        ),
        Option("layout", ("diamond", "cross"), "diamond", "where the second four tiles go: B2 D2 D4 B4, or C2 D3 C4 B3"),
        Option(
            "last-chance", ("turns", "any-marker"), "turns", "what ends a last chance: a seat's turn, or passing any marker"
        ),
        Option("car", (), "random", "the car of a seat, by its id; random: drawn", per_seat=True),
        Option("corner", ("auto", "A1", "E1", "E5", "A5"), "auto", "the starting corner of a seat", per_seat=True),
    ),
    component_sets=("house",),
    older_sets=("house-1",),
    ruleset="adjudicator.games.checkpoint_rally.rules:CheckpointRally",
)
