"""CC-C: suspects, investigators, clue counters, markers; what makes a set or an option unfit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from adjudicator.core.problem import SetupError
from adjudicator.games.checkpoint_charlie.components import FACES, INVESTIGATORS, Colour, Face, Power, Trait


def test_cc_c1_every_combination_of_looks_is_on_one_card(house):
    """32 suspects: each of five traits in either of two values, names unique and of one word."""
    assert len(house.suspects) == 32
    assert {suspect.looks for suspect in house.suspects} == set(product(*FACES.values()))
    names = {suspect.id for suspect in house.suspects}
    assert len(names) == 32
    assert {"Boris", "Fleming", "Nils", "Lash"} <= names
    assert all(name.isalpha() and name == name.capitalize() for name in names)


def test_cc_c1_the_rulebook_s_example_can_be_played(house):
    """Nils can be the chief without glasses and Lash an assistant: they differ in one trait."""
    looks = {suspect.id: suspect.looks for suspect in house.suspects}
    assert Face.NO_GLASSES in looks["Nils"]
    assert sum(one is not other for one, other in zip(looks["Nils"], looks["Lash"], strict=True)) == 1


def test_cc_c2_five_investigators_and_five_counters(start):
    """Each counter has two faces of one trait; seats play investigators in order unless they choose."""
    assert len(INVESTIGATORS) == 5
    assert sorted(FACES) == sorted(Trait)
    game = start(4, 1, investigator_blue="Meridian", investigator_yellow="Laces")
    assert game.config.investigators == {"red": "Lansbury", "blue": "Meridian", "green": "Britton", "yellow": "Laces"}
    assert game.config.unused == ("Colombini",)


@pytest.mark.parametrize("name", ["blue", "BLUE", "meridian", "Meridian"])
def test_cc_c2_a_seat_is_known_by_either_name(start, name):
    """Orders and facts take the seat or its investigator, in any case."""
    assert start(3, 1, investigator_blue="Meridian").config.seat_called(name) == "blue"


def test_cc_c2_nobody_is_called_otherwise(start):
    """An investigator whom nobody plays is no seat."""
    assert start(3, 1).config.seat_called("Meridian") is None


def test_cc_c2_an_investigator_is_played_once(start):
    with pytest.raises(SetupError) as error:
        start(3, 1, investigator_blue="Meridian", investigator_red="Meridian")
    (problem,) = error.value.problems
    assert (problem.code, problem.rule) == ("checkpoint-charlie/investigator-twice", "CC-C2")


def configure(house, seats=("red", "blue", "green"), **options):
    from adjudicator.core.options import fill_options
    from adjudicator.core.ruleset import Player, Setup
    from adjudicator.games.checkpoint_charlie.rules import RULESET

    named = {name.replace("_", "."): value for name, value in options.items()}
    filled = fill_options(RULESET.meta, seats, named)
    return RULESET.configure(Setup(tuple(Player(seat) for seat in seats), filled, house), RULESET.meta.version)


def test_cc_c2_a_seat_called_like_an_investigator_plays_that_one(house):
    """Otherwise nobody would know who is meant."""
    config = configure(house, ("meridian", "red", "laces"))
    assert config.investigators == {"meridian": "Meridian", "red": "Lansbury", "laces": "Laces"}
    assert config.named("laces") == "Laces"
    assert config.named("red") == "Lansbury (red)"
    for options in ({"investigator_laces": "Britton"}, {"investigator_red": "Laces"}):
        with pytest.raises(SetupError) as error:
            configure(house, ("meridian", "red", "laces"), **options)
        assert error.value.problems[0].code == "checkpoint-charlie/seat-named-like-investigator"


def test_cc_c3_twenty_five_markers_and_five_more(house):
    """5 gold of 3 to 5 points, 12 white of 1 or 2, 8 black of 0 or −1; a Stasi marker, four of Café Adler."""
    base = [marker for marker in house.markers if marker.power is Power.NONE]
    assert Counter(marker.colour for marker in base) == {Colour.GOLD: 5, Colour.WHITE: 12, Colour.BLACK: 8}
    values = {Colour.GOLD: {3, 4, 5}, Colour.WHITE: {1, 2}, Colour.BLACK: {0, -1}}
    assert {colour: {marker.points for marker in base if marker.colour is colour} for colour in Colour} == values
    extra = [(marker.power, marker.colour, marker.points) for marker in house.markers if marker.power is not Power.NONE]
    assert sorted(extra) == sorted(
        [
            (Power.STASI, Colour.BLACK, -2),
            (Power.ADLER, Colour.GOLD, 3),
            (Power.ADLER, Colour.WHITE, 1),
            (Power.ADLER, Colour.WHITE, 1),
            (Power.ADLER, Colour.BLACK, -1),
        ]
    )


@pytest.mark.parametrize(
    ("options", "there", "gone"),
    [
        ({}, set(), set()),
        ({"stasi": "on"}, {"STASI"}, {"B1a"}),
        ({"adler": "on"}, {"GA", "WA", "WB", "BA"}, {"G3a", "W1a", "W1b", "B1b"}),
        ({"stasi": "on", "adler": "on"}, {"STASI", "GA", "WA", "WB", "BA"}, {"B1a", "G3a", "W1a", "W1b", "B1b"}),
    ],
)
def test_cc_c3_optional_markers_replace_others(start, house, options, there, gone):
    """Always 25 markers: the Stasi replaces a −1, Café Adler a 3, two 1s and a −1."""
    game = start(3, 1, **options)
    base = {marker.id for marker in house.markers if marker.power is Power.NONE}
    assert set(game.pool) == (base - gone) | there
    assert len(game.pool) == 25
    replaced = {marker.id: marker.points for marker in house.markers if marker.id in gone - {"B1a"}}
    added = [marker.points for marker in house.markers if marker.id in there - {"STASI"}]
    assert sorted(replaced.values()) == sorted(added)


def with_suspect(house, at, **changes):
    suspects = list(house.suspects)
    suspects[at] = replace(suspects[at], **changes)
    return replace(house, suspects=tuple(suspects))


def with_marker(house, name, **changes):
    markers = tuple(replace(marker, **changes) if marker.id == name else marker for marker in house.markers)
    return replace(house, markers=markers)


@pytest.mark.parametrize(
    ("spoil", "message", "rule"),
    [
        (lambda house: with_suspect(house, 0, id="Boris"), "suspect Boris 2 times", "CC-C1"),
        (lambda house: with_suspect(house, 0, id="anton"), "one word, a capital and small letters; “anton” is not", "CC-C1"),
        (lambda house: with_suspect(house, 0, id="Mc Anton"), "“Mc Anton” is not", "CC-C1"),
        (lambda house: with_suspect(house, 0, id="Glasses"), "cannot be called Glasses", "CC-C1"),
        (lambda house: with_suspect(house, 0, id="Laces"), "cannot be called Laces", "CC-C2"),
        (lambda house: with_suspect(house, 0, id="Row"), "cannot be called Row", "CC-C1"),
        (lambda house: with_suspect(house, 0, looks=house.suspects[1].looks), "the set has no card with", "CC-C1"),
        (lambda house: with_suspect(house, 0, looks=house.suspects[0].looks[::-1]), "a face of each trait", "CC-C1"),
        (lambda house: with_marker(house, "G5a", id="G4a"), "marker G4a 2 times", "CC-C3"),
        (lambda house: with_marker(house, "G5a", id="G-5"), "letters and digits; “G-5” is not", "CC-C3"),
        (lambda house: replace(house, markers=house.markers[5:25]), "no gold marker", "CC-C3"),
        (lambda house: with_marker(house, "GA", replaces=None), "an optional marker replaces another", "CC-C3"),
        (lambda house: with_marker(house, "W2a", replaces="W1a"), "and no other does", "CC-C3"),
        (lambda house: with_marker(house, "GA", replaces="W2a"), "must replace an ordinary gold marker, not W2a", "CC-C3"),
        (lambda house: with_marker(house, "GA", replaces="G9z"), "must replace an ordinary gold marker, not G9z", "CC-C3"),
        (lambda house: with_marker(house, "GA", points=4), "worth what it replaces: 3, not 4", "CC-O2"),
        (lambda house: with_marker(house, "WB", replaces="W1a"), "a replacement of marker W1a 2 times", "CC-C3"),
        (lambda house: with_marker(house, "BA", power=Power.STASI), "one Stasi marker at most", "CC-O1"),
    ],
)
def test_cc_c1_an_unfit_set_is_refused(house, spoil, message, rule):
    """Everything wrong is told, each with the rule it breaks."""
    with pytest.raises(SetupError) as error:
        configure(spoil(house))
    found = [(problem.message, problem.rule) for problem in error.value.problems]
    assert any(message in words and rule == cited for words, cited in found), found
    assert {problem.code for problem in error.value.problems} == {"checkpoint-charlie/unfit-set"}
