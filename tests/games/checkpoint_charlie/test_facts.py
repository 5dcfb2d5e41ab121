"""What conditions may ask, and how orders are written."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.order import When, expression_text, instruction_text
from adjudicator.games.checkpoint_charlie.components import INVESTIGATORS, Colour, Face
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Clue, Pass, Swap, Wait, is_time
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.orders.submission import Addressee
from adjudicator.orders.turnfile import read_turn_files

SEATS = {
    "red": {"clue": "hat", "turned": "Viktor Boris", "markers": "G3a W1a"},
    "blue": {"clue": "glasses", "turned": "Emil Fleming", "accused": "Viktor", "markers": "B1a"},
    "green": {"clue": "raincoat"},
}


def file_of(words):
    """Return what a turn file with one line for red says."""
    addressee = Addressee("game", 1, ("red", "blue", "green"))
    return read_turn_files(RULESET, addressee, [("orders.txt", f"red: {words}\n".encode())])


def read(words):
    """Return the order or expression of one line."""
    found = file_of(words)
    assert not found.diagnostics, [diagnostic.problem.message for diagnostic in found.diagnostics]
    ((instruction,),) = [sheet.instructions for sheet in found.sheets]
    return instruction.expression


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [
        ("round", "", 1),
        ("window", "", 1),
        ("shown", "", ("Viktor", "Boris", "Fleming", "Emil")),
        ("deck", "", 29),
        ("row", "", ("Viktor",)),
        ("pile", "", ("Boris",)),
        ("row", "Lansbury", ("Fleming",)),
        ("row", "LANSBURY", ("Fleming",)),
        ("row", "blue", ("Fleming",)),
        ("pile", "blue", ("Emil",)),
        ("row", "Meridian", None),
        ("accused", "", ("Viktor",)),
        ("accused", "blue", "Viktor"),
        ("accused", "red", None),
        ("public", "", ("no_newspaper",)),
        ("clue", "", "hat"),
        ("clue", "blue", None),
        ("looks", "boris", ("no_hat", "glasses", "sweater", "grey", "newspaper")),
        ("looks", "nobody", None),
        ("matches", "Viktor", 1),
        ("matches", "Bruno", 2),
        ("matches", "nobody", None),
        ("markers", "", ("G3a", "W1a")),
        ("markers", "blue", 1),
        ("points", "", 4),
        ("points", "blue", None),
        ("gold", "", 1),
        ("white", "blue", 0),
        ("black", "blue", 1),
        ("pool", "", 22),
        ("pool", "gold", 4),
        ("pool", "green", None),
    ],
)
def test_a_fact_is_of_the_own_view(scene, name, argument, value):
    game = scene(**SEATS, public=(Face.NO_NEWSPAPER,))
    assert name in RULESET.fact_names
    assert game.fact("red", name, argument) == value


def test_every_fact_is_explained(scene):
    game = scene(**SEATS)
    assert set(RULESET.fact_values(game.config, game.view("red"))) == set(RULESET.fact_names)


def test_a_bystander_knows_no_own_facts(scene):
    game = scene(**SEATS)
    assert [game.fact(None, name) for name in ("row", "clue", "points", "markers")] == [None] * 4


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("ACCUSE Fleming IF Fleming in row of Lansbury ELSE WAIT", True),
        ("IF Emil in row of blue THEN ACCUSE Fleming ELSE WAIT", False),
        ("IF matches of Fleming > 0 AND NOT Fleming in accused THEN ACCUSE Fleming ELSE WAIT", True),
        ("IF no_newspaper in public THEN ACCUSE Fleming ELSE WAIT", False),
        ("IF raincoat in looks of Fleming THEN ACCUSE Fleming ELSE WAIT", True),
        ("IF deck < 20 THEN ACCUSE Fleming ELSE WAIT", False),
    ],
)
def test_a_condition_chooses(scene, words, holds):
    """Judged by the seat's own view when its answer is due."""
    game = scene(**SEATS)
    expression = read(words)
    assert isinstance(expression, When)
    game.send("red", expression)
    assert game.seen("red", "red").answer.suspect == ("Fleming" if holds else None)


@pytest.mark.parametrize(
    ("words", "order"),
    [
        ("CLUE no hat", Clue("no_hat")),
        ("clue NO-HAT", Clue("no_hat")),
        ("clue no_hat", Clue("no_hat")),
        ("Clue without a hat", None),
        ("clue is gray", Clue("grey")),
        ("CLUE without newspaper.", Clue("no_newspaper")),
        ("accuse boris", Accuse("Boris")),
        ("ACCUSE BORIS received 2026-11-20 18:05", Accuse("Boris", "2026-11-20T18:05")),
        ("accuse Boris, received on 2026-1-2, 8:05:09", Accuse("Boris", "2026-01-02T08:05:09")),
        ("accuse Boris received: 2026-11-20T18:05", Accuse("Boris", "2026-11-20T18:05")),
        ("WAIT", Wait()),
        ("wait 3", Wait(3)),
        ("wait 3 times", Wait(3)),
        ("wait 3 windows received 2026-11-20 18:05", Wait(3)),
        ("wait 3 in round 2", Wait(3, 2)),
        ("announce 10 points", Announce()),
        ("swap White with laces", Swap("white", "Laces")),
        ("SWAP gold with RED", Swap("gold", "red")),
        ("pass", Pass()),
    ],
)
def test_an_order_is_read_as_people_write_it(words, order):
    if order is None:
        assert file_of(words).diagnostics
    else:
        assert read(words) == order


@pytest.mark.parametrize(
    ("words", "canonical"),
    [
        ("ACCUSE Boris OR WAIT received 2026-11-20 18:05", "ACCUSE Boris received 2026-11-20T18:05 OR WAIT"),
        (
            "ACCUSE Boris IF Boris in row of Lansbury ELSE WAIT received 2026-11-20 18:05",
            "IF Boris in row of Lansbury THEN ACCUSE Boris received 2026-11-20T18:05 ELSE WAIT",
        ),
        (
            "ACCUSE Boris IF Boris in row of Lansbury, received 2026-11-20 18:05 [Nils].",
            "IF Boris in row of Lansbury THEN ACCUSE Boris received 2026-11-20T18:05 [Nils]",
        ),
        (
            "(ACCUSE Boris OR ACCUSE Nils received 2026-11-20 18:04) OR WAIT received 2026-11-20 18:05",
            "(ACCUSE Boris received 2026-11-20T18:05 OR ACCUSE Nils received 2026-11-20T18:04) OR WAIT",
        ),
        ("WAIT 3 received 2026-11-20 18:05", "WAIT 3"),
    ],
)
def test_cc_p1_a_time_at_the_end_of_a_line_is_that_of_every_accusation_in_it(words, canonical):
    """So that the moderator can add it without reading the line; one behind a suspect goes before it."""
    found = file_of(words)
    assert not found.diagnostics
    ((instruction,),) = [sheet.instructions for sheet in found.sheets]
    assert instruction_text(instruction, RULESET.language.text) == canonical
    assert file_of(canonical).sheets[0].instructions[0].expression == instruction.expression


def test_a_bad_time_at_the_end_of_a_line_is_told(scene):
    """Wherever it stands, it is the accusation's."""
    game = scene(**SEATS)
    outcome = game.send("red", read("ACCUSE Emil OR WAIT received 2026-02-30 18:05"))
    (diagnostic,) = outcome.diagnostics
    assert diagnostic.problem.code == "checkpoint-charlie/bad-time"


def test_a_time_that_is_none_is_told():
    """The moderator sees where it stands and how it is written."""
    (diagnostic,) = file_of("ACCUSE Boris received yesterday").diagnostics
    assert diagnostic.problem.code.startswith("orders/")


times = st.builds(
    lambda day, clock, second: f"{day}T{clock}{second}",
    st.dates(min_value=date(1970, 1, 1)).map(str),
    st.times().map(lambda time: time.strftime("%H:%M")),
    st.sampled_from(["", ":00", ":59"]),
)
orders = st.one_of(
    st.builds(Clue, st.sampled_from([face.value for face in Face])),
    st.builds(Accuse, st.sampled_from(["Boris", "Nils", "Viktor"]), st.none() | times),
    st.builds(Wait, st.integers(1, 99), st.none() | st.integers(1, 5)),
    st.just(Announce()),
    st.just(Pass()),
    st.builds(Swap, st.sampled_from([colour.value for colour in Colour]), st.sampled_from([*INVESTIGATORS, "red", "blue"])),
)


@given(orders)
def test_canonical_words_read_back_as_the_same_order(order):
    assert read(RULESET.language.text(order)) == order


@given(times)
def test_every_time_that_a_calendar_has_is_accepted(time):
    """The rules count days without a calendar of their own."""
    assert is_time(time)


@given(st.integers(1970, 2400), st.integers(0, 13), st.integers(0, 32))
def test_no_day_that_a_calendar_lacks_is_accepted(year, month, day):
    try:
        date(year, month, day)
        is_day = True
    except ValueError:
        is_day = False
    assert is_time(f"{year}-{month:02}-{day:02}T10:00") is is_day


def test_the_examples_of_the_language_can_be_read():
    assert [RULESET.language.text(read(words)) for words in RULESET.language.examples] == list(RULESET.language.examples)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (
            "ACCUSE Nils OR ACCUSE Boris received 2026-11-20 18:01",
            "ACCUSE Nils received 2026-11-20T18:01 OR ACCUSE Boris received 2026-11-20T18:01",
        ),
        (
            "IF Boris in row of Lansbury THEN ACCUSE Boris ELSE ACCUSE Nils received 2026-11-20 18:01",
            "IF Boris in row of Lansbury THEN ACCUSE Boris received 2026-11-20T18:01 "
            "ELSE ACCUSE Nils received 2026-11-20T18:01",
        ),
        (
            "ACCUSE Nils received 2026-11-20 18:00 OR ACCUSE Boris received 2026-11-20 18:01",
            "ACCUSE Nils received 2026-11-20T18:00 OR ACCUSE Boris received 2026-11-20T18:01",
        ),
        ("ACCUSE Nils received 2026-11-20 18:00 OR ACCUSE Boris", "ACCUSE Nils received 2026-11-20T18:00 OR ACCUSE Boris"),
    ],
)
def test_cc_p1_a_time_at_the_end_of_a_line_is_that_of_all_its_accusations(line, meant):
    """Of a player's line: what is on record says the time of each, and is never read otherwise."""
    from adjudicator.orders.parser import read_expression, reader

    text = RULESET.language.text
    assert expression_text(reader(RULESET).read(line).expression, text) == meant
    recorded = "ACCUSE Nils OR ACCUSE Boris received 2026-11-20T18:01"
    assert expression_text(read_expression(RULESET, recorded)[0], text) == recorded
