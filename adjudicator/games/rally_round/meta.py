"""What is known of Rally Round without loading its rules."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ruleset import Meta, Option, Unit

META: Final = Meta(
    id="rally-round",
    name="Rally Round",
    version=1,
    prefix="RR",
    players=(1, 200),
    unit=Unit("marks", "marks", "penalty", "m:ss"),
    options=(
        Option(
            "mode",
            ("internet",),
            "internet",
            "each competitor alone on a given route (the game at a table is still missing)",
        ),
        Option("rally", (), "first", "which rally of the component set is driven; first: the first one"),
        Option(
            "illegal-speed",
            ("miss", "reject"),
            "miss",
            "what an illegal speed leads to: a missed turn, as printed, or an order that is refused",
        ),
        Option("sheets", ("sealed", "open"), "sealed", "whether others see a time sheet before all have finished"),
    ),
    component_sets=("house",),
    ruleset="adjudicator.games.rally_round.rules:RULESET",
)
