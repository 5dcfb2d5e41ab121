"""Metadata of Checkered Flag, loaded without its rules."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import GameMeta, Option, Unit

META: Final = GameMeta(
    id="checkered-flag",
    name="Checkered Flag",
    version=4,
    oldest=3,
    prefix="CF",
    players=(2, 2),
    unit=Unit("sp", "spaces", "driven"),
    options=(
        Option("laps", tuple("123456789"), "1", "how many times the track is driven"),
        Option(
            "braking",
            ("free", "last"),
            "free",
            "where a car may stop by choice: anywhere before danger, or right before it",
            since=2,
            before="last",
        ),
    ),
    ruleset="adjudicator.games.checkered_flag.rules:CheckeredFlag",
)
