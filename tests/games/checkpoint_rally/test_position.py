"""Positions given explicitly: what follows from them, and what cannot be."""

import pytest

from adjudicator.core.problem import SetupError
from adjudicator.core.ruleset import Player, Setup
from adjudicator.games.checkpoint_rally.components import Frame
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.games.checkpoint_rally.state import STACK, Position, SeatAt, Stage, TileAt

BOARD = (TileAt(cell="C3", tile="HC1"), TileAt(cell="B4", tile="HC2"))
RED = SeatAt(seat="red", cell="C3")
BLUE = SeatAt(seat="blue", cell="B4")
CORNER = TileAt(cell="A1", tile="HC5")
"""A tile in the corner that red starts from."""
EVERYTHING = tuple(f"{road}{terrain}{n}" for road in "HGU" for terrain in "CMGD" for n in range(1, 6))
"""Every tile of the plain set; the first two lie on the board."""


@pytest.fixture
def put(parts):
    """Return the first state of a position for two with the plain set; fields as keywords."""

    def make(*, red=None, blue=None, **fields):
        red = RED if red is None else SeatAt(seat="red", **red)
        blue = BLUE if blue is None else SeatAt(seat="blue", **blue)
        position = Position(**{"seats": (red, blue), "board": BOARD, **fields})
        options = {"map": "auto", "layout": "diamond", "last-chance": "turns"}
        options |= {
            f"{name}.{seat}": value for seat in ("red", "blue") for name, value in (("car", "random"), ("corner", "auto"))
        }
        maps = {"K1": ("A3", "C1"), "K2": ("E3", "C5"), "K3": ("B2",)}
        setup = Setup((Player("red"), Player("blue")), options, parts(maps=maps), position)
        config = RULESET.configure(setup, RULESET.meta.version)
        return RULESET.initial(config)

    return make


DONE = {"card": "K3", "marked": ("B2",), "place": 1}


def test_what_is_not_said_is_filled_in(put):
    """First free cars and cards, the first border pieces front up, the markers by their clocks, the rest in the stack."""
    state = put(red={"cell": "C3", "minutes": 9}, blue={"cell": "B4", "minutes": 4})
    assert [(racer.car, racer.card, racer.gps) for racer in state.racers] == [("245", "K1", 2), ("254", "K2", 2)]
    assert state.border == tuple(Frame(f"P{n}", "front") for n in range(1, 5))
    assert state.order == ("blue", "red")
    assert sorted(STACK.out(state)) == ["HC1", "HC2"]  # The other 58 are in the stack.
    assert state.stage is Stage.RACING


def test_what_is_given_away_is_not_filled_in_again(put):
    """Blue has the first car and the first card: red gets the second ones."""
    state = put(blue={"cell": "B4", "car": "245", "card": "K1"})
    assert (state.racer("red").car, state.racer("red").card) == ("254", "K2")


def test_ties_go_by_the_order_of_the_seats(put):
    """Unless the order of the markers is given."""
    assert put().order == ("red", "blue")
    assert put(order=("blue", "red")).order == ("blue", "red")


def test_seats_may_be_named_in_any_order(put):
    """The seats of the position are matched by name."""
    state = put(seats=(BLUE, RED))
    assert [(racer.seat, racer.cell) for racer in state.racers] == [("red", "C3"), ("blue", "B4")]


def test_everything_given_is_taken_over(put):
    """Hands, row, discard pile, stack, border."""
    stack = EVERYTHING[6:]
    border = tuple(Frame(f"P{n}", "back") for n in (4, 3, 2, 1))
    state = put(
        red={"cell": "C3", "hand": ("HC4", "HC3"), "gps": 0, "minutes": 3},
        row=("HC5",),
        discard=("HM1",),
        stack=stack,
        border=border,
    )
    red = state.racer("red")
    assert (set(red.hand), red.gps, red.minutes) == ({"HC3", "HC4"}, 0, 3)
    assert (state.row, state.discard, state.border) == (("HC5",), ("HM1",), border)
    assert set(EVERYTHING) - set(STACK.out(state)) == set(stack)


def test_a_seat_without_a_cell_has_to_start(put):
    """Its start tile is still to be placed."""
    state = put(red={"hand": ("HC3",)})
    assert (state.stage, state.starting) == (Stage.STARTING, ("red",))


def test_a_seat_that_has_finished_needs_no_cell(put):
    """The race goes on for the other."""
    state = put(red=DONE)
    assert (state.stage, state.racer("red").has_chance, state.racer("blue").has_chance) == (Stage.RACING, False, True)


def test_a_position_may_be_over(put):
    """All have finished or had their chance."""
    assert put(red=DONE, blue={"cell": "B4", "has_chance": False}).stage is Stage.OVER


IMPOSSIBLE = {
    "an unknown seat": {"seats": (RED, SeatAt(seat="green", cell="B4"))},
    "a seat twice": {"seats": (RED, RED)},
    "a seat missing": {"seats": (RED,)},
    "an unknown tile on the board": {"board": (*BOARD, TileAt(cell="B2", tile="X1"))},
    "an unknown tile in a hand": {"red": {"cell": "C3", "hand": ("X1",)}},
    "an unknown tile in the row": {"row": ("X1",)},
    "a tile on two cells": {"board": (*BOARD, TileAt(cell="B2", tile="HC1"))},
    "a tile on the board and in a hand": {"red": {"cell": "C3", "hand": ("HC2",)}},
    "a tile in two hands": {"red": {"cell": "C3", "hand": ("HC3",)}, "blue": {"cell": "B4", "hand": ("HC3",)}},
    "a tile in the row and the discard pile": {"row": ("HC3",), "discard": ("HC3",)},
    "a tile in the stack and the row": {"row": ("HC3",), "stack": ("HC3",)},
    "tiles that are nowhere": {"stack": ("HC3",)},
    "a cell off the board": {"board": (*BOARD, TileAt(cell="F1", tile="HC3"))},
    "a cell with two tiles": {"board": (*BOARD, TileAt(cell="C3", tile="HC3"))},
    "an unknown car": {"red": {"cell": "C3", "car": "tractor"}},
    "a car twice": {"red": {"cell": "C3", "car": "245"}, "blue": {"cell": "B4", "car": "245"}},
    "an unknown card": {"red": {"cell": "C3", "card": "K9"}},
    "a card twice": {"red": {"cell": "C3", "card": "K1"}, "blue": {"cell": "B4", "card": "K1"}},
    "a car where no tile lies": {"red": {"cell": "B2"}},
    "a finished car on the board": {"red": {"cell": "C3", **DONE}},
    "checkpoints of no card": {"red": {"cell": "C3", "marked": ("A3",)}},
    "checkpoints of an unknown card": {"red": {"cell": "C3", "card": "K9", "marked": ("A3",)}},
    "checkpoints of another card": {"red": {"cell": "C3", "card": "K1", "marked": ("E3",)}},
    "a checkpoint marked twice": {"red": {"cell": "C3", "card": "K1", "marked": ("A3", "A3")}},
    "all checkpoints and no place": {"red": {"cell": "C3", "card": "K3", "marked": ("B2",)}},
    "a place without all checkpoints": {"red": {"card": "K1", "marked": ("A3",), "place": 1}},
    "a place without any checkpoint": {"red": {"place": 1}},
    "a second without a first": {"red": {**DONE, "place": 2}},
    "two first": {"red": DONE, "blue": {"card": "K1", "marked": ("A3", "C1"), "place": 1}},
    "a chance over before a finish": {"red": {"cell": "C3", "has_chance": False}},
    "a last chance before a finish": {"acting": "red"},
    "a last chance of a finished seat": {"red": DONE, "acting": "red"},
    "a last chance that is over": {"red": DONE, "blue": {"cell": "B4", "has_chance": False}, "acting": "blue"},
    "a last chance of nobody": {"red": DONE, "acting": "green"},
    "an order without a seat": {"order": ("red",)},
    "an order with a seat twice": {"order": ("red", "red")},
    "an order against the clocks": {"red": {"cell": "C3", "minutes": 5}, "order": ("red", "blue")},
    "a tile in the stack twice": {"stack": (*EVERYTHING[2:], "HC3")},
    "a tile in the stack and on the board": {"stack": EVERYTHING},
    "a tile in the stack that does not exist": {"stack": (*EVERYTHING[2:], "X1")},
    "a tile off the board that does not exist": {"board": (*BOARD, TileAt(cell="F1", tile="X1"))},
    "a tile in the corner of a seat that has to start": {"red": {"hand": ("HC3",)}, "board": (*BOARD, CORNER)},
    "a car in the corner of a seat that has to start": {
        "red": {"hand": ("HC3",)},
        "blue": {"cell": "A1"},
        "board": (CORNER,),
    },
    "an unknown border piece": {"border": tuple(Frame(piece, "front") for piece in ("P1", "P2", "P3", "P9"))},
    "a border piece twice": {"border": tuple(Frame(piece, "front") for piece in ("P1", "P2", "P3", "P3"))},
}


RULES = {
    "an unknown tile on the board": {"CR-C2"},
    "a tile on two cells": {"CR-C2"},
    "tiles that are nowhere": {"CR-C2"},
    "a cell off the board": {"CR-C1"},
    "a cell with two tiles": {"CR-P5"},
    "an unknown car": {"CR-C5"},
    "a car twice": {"CR-S4"},
    "an unknown card": {"CR-C4"},
    "a card twice": {"CR-S4"},
    "a car where no tile lies": {"CR-M1"},
    "checkpoints of another card": {"CR-K1"},
    "all checkpoints and no place": {"CR-F1"},
    "a second without a first": {"CR-F1"},
    "a chance over before a finish": {"CR-F2"},
    "a last chance before a finish": {"CR-F2"},
    "an order against the clocks": {"CR-T1"},
    "an order without a seat": {"CR-T1"},
    "an unknown border piece": {"CR-C3"},
    "a border piece twice": {"CR-C3"},
}
"""The rule that each of these names."""


def test_what_cannot_be_is_told(put):
    """A position that could never come about, or that does not hold together, is refused, and not by one rule for all."""
    codes, rules = {}, {}
    for what, fields in IMPOSSIBLE.items():
        with pytest.raises(SetupError) as caught:
            put(**fields)
        codes[what] = {problem.code for problem in caught.value.problems}
        rules[what] = {problem.rule for problem in caught.value.problems}
    assert codes == {what: {"checkpoint-rally/impossible-position"} for what in IMPOSSIBLE}
    assert {what: rules[what] for what in RULES} == RULES


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"board": (*BOARD, TileAt(cell="F1", tile="HC3"))}, "there is no cell F1 in this game"),
        ({"board": (*BOARD, TileAt(cell="C3", tile="HC3"))}, "C3 has 2 tiles"),
        ({"red": {"hand": ("HC3",)}, "order": ("blue",)}, "the order of the markers must name every seat once"),
        ({"red": {"cell": "C3", "marked": ("A3",)}}, "red: checkpoints are marked, so the card must be named"),
        ({"red": DONE, "blue": {"hand": ("HC3",), "has_chance": False}}, "blue: its last chance cannot be over before"),
    ],
)
def test_what_is_wrong_is_not_told_of_something_else_besides(put, fields, message):
    """A tile that found no cell is not missing as well."""
    with pytest.raises(SetupError) as caught:
        put(**fields)
    assert caught.value.problems[0].message.startswith(message)
    assert len(caught.value.problems) == 1


def test_everything_wrong_is_told_at_once(put):
    """Not only the first: all unknown names, then all that is impossible of what exists."""
    for row, car, many in ((("X1",), "tractor", 2), (("HC1",), "245", 3)):
        with pytest.raises(SetupError) as caught:
            put(red={"cell": "B2", "car": car}, blue={"cell": "B4", "car": "245"}, row=row)
        assert len(caught.value.problems) == many


@pytest.mark.parametrize(
    ("blue", "message", "rule"),
    [
        ({"cell": "B4"}, "red: its start tile has still to be placed in A1, where HC5 lies", "CR-S6"),
        ({"cell": "A1"}, "red: its start tile has still to be placed in A1, where HC5 lies under the car of blue", "CR-P1"),
    ],
)
def test_the_corner_of_a_seat_that_has_to_start_is_empty(put, blue, message, rule):
    """Else its start tile would be laid over a tile, even under a car, and ``gps`` be refused as if there were none."""
    with pytest.raises(SetupError) as caught:
        put(red={"hand": ("HC3",)}, blue=blue, board=(*BOARD, CORNER))
    assert [(problem.message, problem.rule) for problem in caught.value.problems] == [(message, rule)]


def test_a_corner_that_nobody_starts_from_may_carry_what_it_will(put):
    """Also one that is the corner of somebody who has started."""
    assert put(board=(*BOARD, CORNER)).racer("red").cell == "C3"
    assert put(red={"hand": ("HC3",)}, board=(*BOARD, TileAt(cell="E1", tile="HC5"))).starting == ("red",)
