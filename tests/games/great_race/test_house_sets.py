"""The house set as it ships, and its version 1, with which games were begun: two lines of Asia have other prices."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.games.great_race.rules import RULESET
from adjudicator.store.components import is_shipped, reference, shipped, shipped_version

HOUSE, OLD = shipped(RULESET)[0], shipped(RULESET, "house-1")[0]
PUBLISHED = "41c22e10f4fdc732f38dacc974bd22c7d6a73e60c9f7410e9765cbfc987cbe5c"
"""The hash of version 1 in the files of games."""


def test_version_1_is_what_it_was():
    found = reference(OLD)
    assert (found.id, found.version, found.hash) == ("house", 1, PUBLISHED)
    assert is_shipped(RULESET, found)
    assert shipped_version(RULESET, "house", 1)[0] == OLD


def test_version_2_has_other_prices_for_two_lines_of_asia_and_no_other_difference():
    assert (HOUSE.id, HOUSE.version) == ("house", 2)
    (africa, asia), (old_africa, old_asia) = HOUSE.boards, OLD.boards
    assert africa == old_africa
    assert replace(HOUSE, version=1, boards=OLD.boards) == OLD
    assert replace(asia, lines=old_asia.lines) == old_asia
    pairs = zip(old_asia.lines, asia.lines, strict=True)
    changed = {old.ends: (old.price, new.price) for old, new in pairs if old != new}
    assert changed == {("Istanbul", "Port-Said"): (50, 30), ("Paris", "Istanbul"): (60, 70)}
    assert [replace(new, price=0) for new in asia.lines] == [replace(old, price=0) for old in old_asia.lines]
