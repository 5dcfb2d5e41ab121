"""What is known of Last Match without loading its rules."""

from adjudicator.core.ruleset import Meta

META = Meta(
    id="last-match",
    name="Last Match",
    version=1,
    prefix="LM",
    players=(2, 4),
    unit=("m", "matches"),
    options=(),
    component_sets=("house",),
    ruleset="last_match.rules:RULESET",
)
