"""The hand limit and the orders that keep it: the last thing in a turn (CR-T2)."""

from itertools import combinations

import pytest

from adjudicator.games.checkpoint_rally.events import TilesDiscarded
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Keep, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.present import redact_entry

BOARD = {"C3": "HC1", "D3": "HC2", "A1": "UC1"}


@pytest.fixture
def crowded(scene):
    """Red holds GM1 GM2 GM3 UM1 UM2: two tiles must go; blue is next."""
    rally = scene(
        BOARD,
        row="UD1 UD2 UD3",
        red={"cell": "C3", "hand": "GM1 GM2 GM3", "minutes": 5},
        blue={"cell": "A1", "hand": "UG1", "minutes": 6},
    )
    rally.do("red", DrawTwo(), "UM1", "UM2")
    return rally


def test_cr_t2_the_discard_comes_before_the_next_action(crowded):
    """Checking your hand limit is the last thing you do in your turn: blue's action waits for it."""
    assert crowded.due() == [("red", "discard")]
    assert crowded.wrong("blue", DrawTwo()) == ("not-your-turn", "CR-T1")
    crowded.do("red", Discard(("GM1", "GM2")))
    assert crowded.due() == [("blue", "action")]


def test_cr_t2_the_refusal_says_how_many_must_go(scene, crowded):
    """Two of five, one of four, in words."""
    assert "discard 2 tiles first" in crowded.refuse("red", DrawTwo()).message
    rally = scene(BOARD, red={"cell": "C3", "hand": "GM1 GM2 GM3 GM4"}, blue={"cell": "A1", "minutes": 9})
    assert "discard 1 tile first" in rally.refuse("red", DrawTwo()).message
    assert "discard 1 tile, not 2" in rally.refuse("red", Discard(("GM1", "GM2"))).message


def test_cr_t2_the_discard_comes_before_the_own_next_action_too(scene):
    """Before the next action is taken (by you or another player)."""
    rally = scene(BOARD, red={"cell": "C3", "hand": "GM1 GM2 GM3"}, blue={"cell": "A1", "minutes": 9})
    rally.do("red", DrawTwo(), "UM1", "UM2")
    for order in (DrawTwo(), Refresh(), Move(("D3",)), Place("GM1", "B2", 0)):
        assert rally.why_not("red", order) == ("discard-first", "CR-T2")
    rally.do("red", Discard(("UM1", "UM2")))
    assert rally.due() == [("red", "action")]


def test_cr_t2_the_player_chooses_what_goes(crowded):
    """Any two of the five may go, and nothing else is possible: ten choices, each as DISCARD or as KEEP."""
    hand = ("GM1", "GM2", "GM3", "UM1", "UM2")
    legal = list(RULESET.legal(crowded.config, crowded.state, "red"))
    assert {order.tiles for order in legal if isinstance(order, Discard)} == set(combinations(hand, 2))
    assert {order.tiles for order in legal if isinstance(order, Keep)} == set(combinations(hand, 3))
    assert len(legal) == 20


def test_cr_t2_what_goes_lies_on_the_discard_pile(crowded):
    """Discarded tiles go to the discard pile, face-up."""
    told = crowded.do("red", Discard(("GM2", "UM1")))
    assert crowded.racer("red").hand == ("GM1", "GM3", "UM2")
    assert set(crowded.state.discard) == {"GM2", "UM1"}
    assert [RULESET.redact(crowded.config, event, "blue") for event in told.of(TilesDiscarded)] == told.of(TilesDiscarded)


def test_cr_t2_the_discard_costs_nothing(crowded):
    """It is a step of the turn, not an action."""
    before = crowded.racer("red").minutes
    assert crowded.minutes("red", Discard(("GM1", "GM2"))) == 0
    assert crowded.do("red", Discard(("GM1", "GM2"))).minutes == 0
    assert crowded.racer("red").minutes == before


def test_cr_t2_keep_names_what_stays(crowded):
    """``KEEP`` names exactly the hand limit and discards the rest."""
    crowded.do("red", Keep(("GM1", "GM3", "UM2")))
    assert crowded.racer("red").hand == ("GM1", "GM3", "UM2")
    assert set(crowded.state.discard) == {"GM2", "UM1"}


def test_cr_t2_keep_is_announced_as_discard(crowded):
    """What stays in the hand is secret: everybody else reads what went."""
    order = Keep(("GM1", "GM3", "UM2"))
    assert RULESET.public_text(crowded.config, crowded.state, "red", order) == "DISCARD GM2 UM1"
    crowded.do("red", order)
    entry = crowded.game.journal[-1].entry
    assert (entry.order, entry.written) == ("DISCARD GM2 UM1", "KEEP GM1 GM3 UM2")
    for viewer in ("blue", None):
        text = repr(redact_entry(RULESET, crowded.config, entry, viewer))
        assert not any(tile in text for tile in ("KEEP", "GM1", "GM3", "UM2"))
    assert redact_entry(RULESET, crowded.config, entry, "red").written == "KEEP GM1 GM3 UM2"


def test_cr_t2_other_orders_are_announced_in_their_own_words(crowded):
    """A discard hides nothing."""
    assert RULESET.public_text(crowded.config, crowded.state, "red", Discard(("GM1", "GM2"))) is None


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Discard(("GM1",)), "wrong-count"),
        (Discard(("GM1", "GM2", "GM3")), "wrong-count"),
        (Discard(("GM1", "UG1")), "not-in-hand"),
        (Discard(("GM1", "HC1")), "not-in-hand"),
        (Discard(("GM1", "GM1")), "tile-twice"),
        (Discard(("GM1", "X9")), "unknown-tile"),
        (Keep(("GM1", "GM2")), "wrong-count"),
        (Keep(("GM1", "GM2", "GM3", "UM1")), "wrong-count"),
        (Keep(("GM1", "GM2", "UG1")), "not-in-hand"),
        (Keep(("GM1", "GM2", "GM2")), "tile-twice"),
        (Keep(("GM1", "GM2", "X9")), "unknown-tile"),
    ],
)
def test_cr_t2_exactly_the_surplus_goes(crowded, order, code):
    """Down to three tiles, neither more nor fewer, out of the own hand, each named once."""
    assert crowded.why_not("red", order) == (code, "CR-C2" if code == "unknown-tile" else "CR-T2")


@pytest.mark.parametrize("order", [Discard(("GM1",)), Keep(("GM1", "GM2", "GM3")), Discard(())])
def test_cr_t2_without_a_surplus_nothing_may_be_discarded(scene, order):
    """Three tiles may stay: discarding is no action."""
    rally = scene(BOARD, red={"cell": "C3", "hand": "GM1 GM2 GM3"}, blue={"cell": "A1", "minutes": 9})
    assert rally.why_not("red", order) == ("no-discard-due", "CR-T2")


@pytest.mark.parametrize("hand", ["", "GM1", "GM1 GM2", "GM1 GM2 GM3"])
def test_cr_t2_three_tiles_may_stay(scene, hand):
    """The hand limit is three: with up to three tiles nothing is asked."""
    rally = scene(BOARD, red={"cell": "C3", "hand": hand}, blue={"cell": "A1", "minutes": 9})
    assert rally.due() == [("red", "action")]


def test_cr_t2_four_tiles_after_a_gps_update_are_one_too_many(scene):
    """However the fourth tile came into the hand."""
    rally = scene(BOARD, row="UD1 UD2 UD3", red={"cell": "C3", "hand": "GM1 GM2 GM3"}, blue={"cell": "A1", "minutes": 9})
    rally.do("red", Take("UD2"), "UD4")
    assert rally.due() == [("red", "discard")]
    rally.do("red", Discard(("UD2",)))
    assert rally.due() == [("red", "action")]


def test_cr_t2_the_discard_may_stand_ahead_in_the_sheet(scene):
    """Its own decision and its own order: a sheet that foresees it is carried out in one go."""
    rally = scene(
        BOARD,
        red={"cell": "C3", "hand": "GM1 GM2"},
        blue={"cell": "A1", "minutes": 9},
        stack="UM1 UM2",
    )
    outcome = rally.send("red", DrawTwo(), Discard(("UM1",)), Move(("D3",)), draws=("UM1", "UM2"))
    assert [link.entry.order for link in outcome.accepted] == ["DRAW", "DISCARD UM1", "MOVE D3"]


def test_cr_t2_a_discard_of_a_tile_before_the_turns_action_is_refused(scene):
    """The discard is the last thing in a turn, so a sheet that begins with it is wrong."""
    rally = scene(BOARD, red={"cell": "C3", "hand": "GM1 GM2 GM3"}, blue={"cell": "A1", "minutes": 9})
    outcome = rally.send("red", Discard(("GM1",)), DrawTwo())
    assert not outcome.accepted
    assert [diagnostic.problem.code for diagnostic in outcome.diagnostics] == ["checkpoint-rally/no-discard-due"]


def test_cr_t2_naming_the_tiles_in_another_order_makes_no_difference(crowded):
    """DISCARD UM1 GM2 discards the same two tiles."""
    crowded.do("red", Discard(("UM1", "GM2")))
    assert crowded.racer("red").hand == ("GM1", "GM3", "UM2")


def test_cr_t2_what_is_asked_says_how_many_must_go(crowded):
    """Two of the five."""
    (decision,) = RULESET.awaiting(crowded.config, crowded.state)
    assert decision.ask == "discard 2 of 5 tiles: DISCARD or KEEP"


def test_who_is_not_due_looks_ahead_as_if_its_marker_were_the_first(scene, crowded):
    """All others keep their order, and nobody looks ahead while a discard is due."""
    rally = scene(
        BOARD | {"E5": "UC2"},
        red={"cell": "C3", "minutes": 5},
        blue={"cell": "A1", "minutes": 6},
        green={"cell": "E5", "minutes": 7},
    )
    ahead = RULESET.position_if_due(rally.config, rally.state, "green")
    assert (ahead.order, ahead.acting) == (("green", "red", "blue"), None)
    assert RULESET.position_if_due(crowded.config, crowded.state, "blue") is None
