"""The house set as it ships, and its older versions, with which games were begun: the map is the same, kit cards are not."""

from __future__ import annotations

import pytest

from adjudicator.games.rally_round.components import Does, Kind
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.store.components import is_shipped, reference, shipped, shipped_version

HOUSE = shipped(RULESET)[0]
PUBLISHED = {
    1: "c924052017d0d0356eea2e41cda6215b156b1a53e4d6adc7b4db996cf16b4039",
    2: "7715f0ac83f71489ec386a31260e1bd44e93778ed921daa5be8e45623a13a8ac",
    3: "1710ac5fa463e49df354f45311fc637e7b3d18e1b0320fc0e7de800b9a18333c",
}
"""The hash of each version in the files of games."""
OLDER = [version for version in PUBLISHED if version < HOUSE.version]


@pytest.mark.parametrize("version", PUBLISHED)
def test_every_version_is_what_it_was(version):
    cards = shipped_version(RULESET, "house", version)[0]
    found = reference(cards)
    assert (found.id, found.version, found.hash) == ("house", version, PUBLISHED[version])
    assert is_shipped(RULESET, found)


def test_the_latest_version_is_that_of_new_games():
    assert (HOUSE.id, HOUSE.version) == ("house", max(PUBLISHED))
    assert RULESET.meta.older_sets == tuple(f"house-{version}" for version in OLDER)


@pytest.mark.parametrize("version", OLDER)
def test_versions_exchange_kit_cards_only(version):
    old = shipped(RULESET, f"house-{version}")[0]
    assert old == shipped_version(RULESET, "house", version)[0]
    for name in ("squares", "roads", "tracks", "hazards", "rallies"):
        assert getattr(HOUSE, name) == getattr(old, name)
    assert [(card.id, card.kind) for card in HOUSE.kit] == [(card.id, card.kind) for card in old.kit]
    assert HOUSE.kit != old.kit


def test_there_are_six_cards_of_each_kind_and_32_hazards_half_of_them_setbacks():
    assert [sum(card.kind is kind for card in HOUSE.kit) for kind in Kind] == [6] * 6
    assert len(HOUSE.hazards) == 32
    assert 12 <= sum(card.is_kept for card in HOUSE.hazards) <= 20


def test_no_card_is_worse_than_another_of_its_kind_in_every_respect():
    """Otherwise there would be nothing to choose."""
    cards = [(card, worth(card)) for card in HOUSE.kit]
    for card, own in cards:
        for other, its in cards:
            if card.kind is other.kind and card is not other:
                assert any(own[what] > its.get(what, 0) for what in own), (card.id, other.id)


def worth(card):
    """Return what a card gives, by effect and colour."""
    found = {}
    for effect in card.effects:
        by_colour = {"red": effect.red, "yellow": effect.yellow, "white": effect.white}
        if not any(by_colour.values()):
            found[effect.does] = 1
        found |= {(effect.does, colour): mph for colour, mph in by_colour.items() if mph}
    return found


def test_every_effect_that_helps_is_on_some_card():
    told = {effect.does for card in (*HOUSE.kit, *HOUSE.hazards) for effect in card.effects}
    assert told == set(Does)
