"""Cards and counters on a table: what lies there is drawn, told in tables and in sentences, and recognised in grey."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import Drawing
from adjudicator.games.checkpoint_charlie.components import Face
from adjudicator.games.checkpoint_charlie.figures import ORANGE, figure_parts
from adjudicator.games.checkpoint_charlie.picture import look_entries, piece_entry, tableau_scenes
from adjudicator.games.checkpoint_charlie.tableau import Card, Cards, Counter, Counters, Feature, Place, Tableau
from adjudicator.games.checkpoint_charlie.tableau_text import tableau_tables
from adjudicator.reports.drawings.changes import Earlier, change_lines
from adjudicator.reports.drawings.drawing_text import drawing_text
from adjudicator.reports.drawings.scene_text import description_lines
from adjudicator.reports.pictures.picture import picture
from adjudicator.scenes import Legend, Path

SVG = "{http://www.w3.org/2000/svg}"
HAT, BARE = Feature("hat", Face.HAT), Feature("no hat", Face.HAT, is_missing=True)
FACES = (
    (HAT, BARE),
    (Feature("glasses", Face.GLASSES), Feature("no glasses", Face.GLASSES, is_missing=True)),
    (Feature("raincoat", Face.RAINCOAT), Feature("sweater", Face.SWEATER)),
    (Feature("grey", Face.GREY), Feature("orange", Face.ORANGE)),
    (Feature("newspaper", Face.NEWSPAPER), Feature("no newspaper", Face.NEWSPAPER, is_missing=True)),
)
BORIS, NILS = Card("Boris", (HAT,), "1/2", ("red",)), Card("Nils", (BARE,))
MIDDLE = Place("Round 1", rows=(("first", "Ann"),), cards=(Cards("deck", down=7, told="7 suspects"),))
ANN = Place(
    "Ann",
    "red",
    (("accuses", "Boris"),),
    (Counters("clue", (Counter("secret"),)), Counters("markers", (Counter("gold 3", "G3", ground="gold"),), "1 gold")),
    (Cards("row", (BORIS,)), Cards("pile", (NILS, Card("Olga", (HAT,)), Card("Otto")), is_pile=True)),
)
BOB = Place("Bob", "blue", (("accuses", "–"),), (Counters("clue"), Counters("markers")), (Cards("row"), Cards("pile")))
TABLE = Tableau("Investigators", (MIDDLE, ANN, BOB), "Suspects", "suspect", ("hat",), "accused by", "matches")


def drawing_of(shape: Tableau) -> Drawing:
    legend = Legend(((*look_entries(), piece_entry(shape)),))
    return Drawing((*tableau_scenes(shape), legend, *tableau_tables(shape)))


def root_of(shape: Tableau, seats: Iterable[str] = ("red", "blue")) -> ElementTree.Element:
    drawn = picture(drawing_of(shape), "a game", seats)
    assert drawn is not None
    return ElementTree.fromstring(drawn)


def texts(root: ElementTree.Element) -> list[str]:
    return [found.text or "" for found in root.iter(f"{SVG}text")]


def test_everything_that_lies_there_has_its_words() -> None:
    told = texts(root_of(TABLE))
    assert {"Round 1", "first: Ann", "7", "deck: 7 suspects", "Ann", "Bob", "row", "pile", "clue", "?", "secret"} <= set(
        told
    )
    assert {"Boris", "matches 1/2", "Nils", "Olga", "Otto", "G3", "1 gold", "accuses: Boris"} <= set(told)
    assert {"on a suspect: accused by this player", "hat", "newspaper", "red", "blue"} <= set(told)


def test_a_person_is_told_from_every_other_without_any_colour() -> None:
    def in_black(features: Iterable[Feature]) -> str:
        return re.sub("#[0-9a-f]{6}", "", repr([*figure_parts(tuple(features))]))

    everybody = [in_black(features) for features in product(*FACES)]
    assert len(set(everybody)) == len(everybody) == 32


def test_orange_cloth_has_a_pattern_and_grey_has_none() -> None:
    for coat in (Face.RAINCOAT, Face.SWEATER):
        worn = [Feature("coat", coat), Feature("colour", Face.ORANGE)]
        assert ORANGE in {part.fill for part in figure_parts(worn) if isinstance(part, Path)}
        assert ORANGE not in {part.fill for part in figure_parts(worn[:1]) if isinstance(part, Path)}


def places(root: ElementTree.Element) -> dict[str, tuple[float, float]]:
    """Return where each card lies, by its name, on the sheet."""
    parents = {child: parent for parent in root.iter() for child in parent}
    found = {}
    for text in root.iter(f"{SVG}text"):
        x, y, at = 0.0, 0.0, text
        while at in parents:
            at = parents[at]
            moved = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", at.get("transform", ""))
            x, y = (x + float(moved[1]), y + float(moved[2])) if moved else (x, y)
        found.setdefault(text.text or "", (x, y))
    return found


def test_a_row_lies_side_by_side_and_a_pile_on_itself_with_every_name_to_be_seen() -> None:
    row = Cards("row", tuple(Card(name) for name in ("Anton", "Bruno", "Carla", "Dimitri", "Emil")))
    pile = Cards("pile", (NILS, BORIS, Card("Olga")), is_pile=True)
    at = places(root_of(Tableau("", (Place("Ann", "red", cards=(row, pile)),))))
    lines = [at[name][1] for name in ("Anton", "Bruno", "Carla", "Dimitri", "Emil")]
    assert lines[0] == lines[1] < lines[2] == lines[3] < lines[4], "two beside a pile, as wide as a phone"
    assert at["Anton"][0] < at["Bruno"][0] < at["Olga"][0]
    assert at["Nils"][0] == at["Boris"][0] == at["Olga"][0]
    assert at["Olga"][1] - at["Boris"][1] == at["Boris"][1] - at["Nils"][1] >= 30


@pytest.mark.parametrize("count", [0, 1, 5, 32])
def test_nothing_leaves_the_paper(count: int) -> None:
    cards = tuple(Card(f"Suspect{at}", (HAT,), "1/2", ("red",)) for at in range(count))
    place = Place("Ann", "red", (("accuses", "x " * 60),), (), (Cards("row", cards), Cards("pile", cards, is_pile=True)))
    root = root_of(Tableau("", (place,)))
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for x, y in places(root).values():
        assert 0 <= x <= width - 100 or x <= 34
        assert 0 <= y <= height - 16


def test_the_piece_of_a_seat_lies_on_the_card() -> None:
    with_piece, without = (
        root_of(Tableau("", (Place("Ann", "red", cards=(Cards("row", (card,)),)),))) for card in (BORIS, NILS)
    )
    assert texts(with_piece).count("R") == texts(without).count("R") + 1


def test_an_empty_stack_is_told_and_its_room_left() -> None:
    told = texts(root_of(Tableau("", (Place("Round", cards=(Cards("deck", told="0 suspects"),)),))))
    assert {"empty", "deck: 0 suspects"} <= set(told)


def test_tables_tell_the_same() -> None:
    tables = {table.title: table.rows for table in tableau_tables(TABLE)}
    assert tables["Round 1"] == (("first", "Ann"), ("deck", "7 suspects"))
    assert tables["Investigators"][0] == ("Ann", "Boris", "secret", "1 gold", "Boris", "Nils Olga Otto")
    assert tables["Investigators"][1] == ("Bob", "–", "–", "–", "–", "–")
    assert tables["Suspects: Ann"][:2] == (("Boris", "hat", "row", "red", "1/2"), ("Nils", "–", "pile", "–", "–"))
    assert "Suspects: Bob" not in tables
    assert "  Boris    hat  row   red         1/2" in drawing_text(drawing_of(TABLE))


def test_sentences_tell_the_same() -> None:
    told = description_lines(drawing_of(TABLE))
    assert told[0] == "Round 1: first Ann; deck 7 suspects."
    assert "Ann: accuses Boris; clue secret; markers 1 gold; row Boris; pile Nils Olga Otto." in told
    assert "Boris, row of Ann: hat, accused by Ann, matches 1/2." in told
    assert "Nils, pile of Ann: no hat." in told


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", 'a"b', "a&b", "x\x1b[31m"])
def test_names_are_never_markup(hostile: str) -> None:
    feature = Feature(hostile, Face.HAT)
    card = Card(hostile, (feature,), hostile, (hostile,))
    counters = Counters(hostile, (Counter(hostile, hostile, None, hostile), Counter(hostile, feature=feature)), hostile)
    groups = Cards(hostile, (card, card)), Cards(hostile, (card, card), is_pile=True), Cards(hostile, down=2, told=hostile)
    seats = (
        Place(hostile, hostile, ((hostile, hostile),), (counters,), groups),
        Place(hostile, "", (), (counters,), groups),
    )
    shape = Tableau(hostile, seats, hostile, hostile, (hostile,), hostile, hostile)
    tags = {child.tag.removeprefix(SVG) for child in root_of(shape).iter()}
    assert tags <= {"svg", "g", "rect", "text", "path", "defs", "pattern"}
    assert "\x1b" not in "".join(description_lines(drawing_of(shape))) + drawing_text(drawing_of(shape))


def test_what_is_new_is_marked_and_told() -> None:
    earlier = Earlier(drawing_of(TABLE), 5)
    row = Cards("row", (replace(BORIS, remark="1/3", pieces=("red", "blue")), Card("Uta", (HAT,))))
    ann = replace(ANN, rows=(("accuses", "Uta"),), cards=(row, ANN.cards[1]))
    now = replace(TABLE, places=(replace(MIDDLE, title="Round 2", cards=(Cards("deck", down=6),)), ann, BOB))
    told = change_lines(drawing_of(now), earlier)
    assert told == ("New since turn 5: Round 2, deck, Ann's accuses, Uta and blue on Boris.",)
    drawn = picture(drawing_of(now), "a game", (), None, earlier) or ""
    marks = [found for found in ElementTree.fromstring(drawn).iter(f"{SVG}g") if found.get("class") == "new"]
    assert len(marks) == 2, "in the middle and before Ann"
    boxes, rings = ([one for mark in marks for one in mark.iter(f"{SVG}{name}")] for name in ("rect", "circle"))
    frames, bars = [one for one in boxes if one.get("stroke-dasharray")], [one for one in boxes if one.get("width") == "4"]
    assert (len(frames), len(bars), len(rings)) == (2, 2, 2)
