"""What is known of Last Match without loading its rules."""

from adjudicator.core.ruleset import Meta, Unit

META = Meta(
    id="last-match",
    name="Last Match",
    version=1,
    prefix="LM",
    players=(2, 4),
    unit=Unit("m", "matches", "taken"),
    options=(),
    component_sets=("house",),
    ruleset="last_match.rules:RULESET",
)
