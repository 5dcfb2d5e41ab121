"""What is known of the toy game."""

from adjudicator.core.ruleset import GameMeta, Option

META = GameMeta(
    id="toy-ladder",
    name="Toy Ladder",
    version=2,
    prefix="TL",
    players=(2, 3),
    unit=("s", "seconds"),
    options=(Option("pace", ("slow", "quick"), "slow", "how fast"),),
    component_sets=("standard",),
    ruleset="toy_ladder:RULES",
)
