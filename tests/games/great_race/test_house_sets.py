"""The house set as it ships, and its version 1, with which games were begun: three lines have other prices."""

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


def test_version_2_has_other_prices_for_three_lines_a_card_more_in_khartoum_and_no_other_difference():
    assert (HOUSE.id, HOUSE.version) == ("house", 2)
    assert replace(HOUSE, version=1, boards=OLD.boards) == OLD
    assert [board.id for board in HOUSE.boards] == [board.id for board in OLD.boards]
    for board, old in zip(HOUSE.boards, OLD.boards, strict=True):
        assert replace(board, lines=old.lines, spaces=old.spaces) == old
        assert [replace(line, price=0) for line in board.lines] == [replace(line, price=0) for line in old.lines]
        pairs = [*zip(old.lines, board.lines, strict=True), *zip(old.spaces, board.spaces, strict=True)]
        assert [(one, other) for one, other in pairs if one != other] == CHANGED[board.id]


def line(board, *ends):
    return next(line for line in board.lines if line.ends == ends)


def khartoum(board):
    return next(space for space in board.spaces if space.id == "Khartoum")


AFRICA, ASIA = OLD.boards
CHANGED = {
    "africa": [
        (line(AFRICA, "Algiers", "Khartoum"), replace(line(AFRICA, "Algiers", "Khartoum"), price=70)),
        (khartoum(AFRICA), replace(khartoum(AFRICA), cards=2)),
    ],
    "asia": [
        (line(ASIA, "Istanbul", "Port-Said"), replace(line(ASIA, "Istanbul", "Port-Said"), price=30)),
        (line(ASIA, "Paris", "Istanbul"), replace(line(ASIA, "Paris", "Istanbul"), price=70)),
    ],
}
