"""The named values that conditions may use: a seat's own knowledge, and no more."""

import pytest

from adjudicator.core.conditions import Compare, Comparison, CostOf, FactOf, Number, Word
from adjudicator.core.order import FirstOf, When
from adjudicator.games.checkpoint_rally.orders import DrawTwo, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.rules import RULESET


@pytest.fixture
def rally(scene):
    """Red at 44 minutes with two tiles and one of three checkpoints; blue at 50 with one tile."""
    return scene(
        {"C3": "HC1", "C2": "GC1", "A1": "UC5"},
        row="UM1 UM2 UM3",
        discard="UD1 UD2",
        red={"cell": "C3", "hand": "GM1 GM2", "map": "A5 C2 E5", "marked": "A5", "minutes": 44, "gps": 1},
        blue={"cell": "A1", "hand": "UG1", "minutes": 50},
    )


FACTS = {
    ("minutes", ""): 44,
    ("minutes", "blue"): 50,
    ("minutes", "BLUE"): 50,
    ("minutes", "green"): None,
    ("dial", ""): 14,
    ("dial", "blue"): 20,
    ("hand", ""): ("GM1", "GM2"),
    ("hand", "blue"): 1,
    ("row", ""): ("UM1", "UM2", "UM3"),
    ("stack", ""): 60 - 3 - 3 - 2 - 3,
    ("discards", ""): ("UD1", "UD2"),
    ("gps", ""): 1,
    ("gps", "blue"): 2,
    ("checkpoints", ""): ("A5",),
    ("checkpoints", "blue"): (),
    ("left", ""): ("C2", "E5"),
    ("left", "blue"): None,
    ("car", ""): "C3",
    ("car", "blue"): "A1",
    ("tile", "C2"): "GC1",
    ("tile", "c2"): "GC1",
    ("tile", "D4"): None,
    ("tile", "Z9"): None,
}


def test_a_fact_is_what_the_seat_knows(rally):
    """One's own hand and map, and of others what lies open."""
    assert {(name, argument): rally.fact("red", name, argument) for name, argument in FACTS} == FACTS


def test_a_bystander_has_no_own_facts(rally):
    """Nobody's hand, map or clock is that of a bystander."""
    assert [rally.fact(None, name) for name in ("minutes", "hand", "left", "car")] == [None] * 4


def test_every_fact_is_explained(rally):
    """The list of facts and their explanations name the same ones."""
    assert set(RULESET.fact_values(rally.config, rally.view("red"))) == set(RULESET.fact_names)


def test_the_cost_of_an_order_is_a_condition(rally):
    """``IF cost of MOVE C2 <= 4 THEN MOVE C2 ELSE DRAW``: red's car needs 4 minutes for gravel."""
    move = Move(("C2",))
    cheap = Compare(CostOf(move), Comparison.AT_MOST, Number(4))
    outcome = RULESET.cost_if_legal(rally.config, rally.state, "red", move)
    assert sum(part.amount for part in outcome) == 4
    rally.send("red", When(cheap, move, DrawTwo()), draws=("UM4",))
    assert rally.racer("red").cell == "C2"


def test_an_order_that_is_not_legal_has_no_cost(rally):
    """Nothing is told of what cannot be done."""
    for order in (Move(("C4",)), Place("UG1", "B2", 0), Take("UM4")):
        assert RULESET.cost_if_legal(rally.config, rally.state, "red", order) is None
    assert RULESET.cost_if_legal(rally.config, rally.state, "blue", DrawTwo()) is None


def test_a_condition_sees_the_row(rally):
    """``IF row has UM2 THEN TAKE UM2 ELSE REFRESH``."""
    has = Compare(FactOf("row"), Comparison.HAS, Word("UM2"))
    rally.send("red", When(has, Take("UM2"), Refresh()), draws=("UC1",))
    assert "UM2" in rally.racer("red").hand


def test_the_first_legal_alternative_is_taken(rally):
    """``MOVE C4 OR MOVE C2``: no tile lies on C4."""
    rally.send("red", FirstOf((Move(("C4",)), Move(("C2",)))), draws=("UM4",))
    assert rally.racer("red").cell == "C2"
