"""CC-A and CC-P: accusations, windows, who comes first, the end of a round."""

from __future__ import annotations

import pytest

from adjudicator.core.conditions import Compare, Comparison, FactOf, Number
from adjudicator.core.order import Instruction, Sheet, When
from adjudicator.core.timeline import Timeline
from adjudicator.games.checkpoint_charlie.events import (
    Accused,
    Answered,
    ClaimRejected,
    ClaimVoid,
    DeckEmptied,
    RoundEnded,
    SuspectTurned,
    WindowClosed,
    WindowOpened,
)
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Clue, Pass, Swap, Wait
from adjudicator.games.checkpoint_charlie.state import SEALED, Answer, Stage

FIVE = {"red": "hat", "blue": "glasses", "green": "raincoat", "yellow": "grey", "white": "newspaper"}
SHOWN = {"red": "Viktor Boris", "blue": "Emil Ivan", "green": "Fleming Olga"}
THREE = {"red": {"clue": "hat"}, "blue": {"clue": "glasses"}, "green": {"clue": "raincoat"}}
LATER = When(Compare(FactOf("round"), Comparison.AT_LEAST, Number(3)), Wait())
"""An order whose condition fails in the first round."""


def five(**changes):
    seats = {seat: {"clue": clue, "turned": SHOWN.get(seat, "")} for seat, clue in FIVE.items()}
    for seat, more in changes.items():
        seats[seat].update(more)
    return seats


def three(**changes):
    seats = {seat: {**given, "turned": SHOWN[seat]} for seat, given in THREE.items()}
    for seat, more in changes.items():
        seats[seat].update(more)
    return seats


def test_cc_a1_any_suspect_shown_may_be_accused(scene):
    """In a row or on a pile, one's own or another's; nobody who is in the deck still."""
    game = scene(**five())
    everybody = set(" ".join(SHOWN.values()).split())
    assert all(game.accusable(seat) == everybody for seat in FIVE)
    assert game.wrong("red", Accuse("Nils")) == ("not-shown", "CC-A1")


def test_cc_a1_rows_only(scene):
    """With ``accuse=rows`` the innocent cannot be accused."""
    game = scene(**five(), options={"accuse": "rows"})
    assert game.accusable("red") == {"Viktor", "Ivan", "Fleming"}
    assert game.wrong("red", Accuse("Boris")) == ("not-in-a-row", "CC-A1")
    assert game.wrong("red", Accuse("Nils")) == ("not-shown", "CC-A1")


def test_cc_a1_nobody_is_accused_twice(scene):
    """Whom another accuses cannot be accused, nor whom one has accused oneself."""
    game = scene(**five(blue={"accused": "Viktor"}))
    assert game.wrong("red", Accuse("Viktor")) == ("accused-by-another", "CC-A1")
    assert "Viktor" not in game.accusable("red")


def test_cc_a1_once_a_round_and_no_taking_back(scene):
    """Who has accused is not asked any more, and is told so."""
    game = scene(**five(blue={"accused": "Viktor"}))
    assert "blue" not in game.asked()
    assert game.wrong("blue", Accuse("Boris")) == ("accused-already", "CC-A1")
    assert game.wrong("blue", Wait()) == ("accused-already", "CC-A1")


def test_cc_a1_out_of_turn(scene):
    """Every seat without an accusation is asked, whoever turns next."""
    game = scene(**five(), to_turn="green")
    assert game.asked() == ["green", "yellow", "white", "red", "blue"]


def test_cc_a1_an_accusation_stays_while_cards_go_on(scene):
    """Blue accuses, the others wait: a card is turned and the next window is without blue."""
    game = scene(**five())
    for seat in ("red", "green", "yellow", "white"):
        game.do(seat, Wait())
    told = game.do("blue", Accuse("Ivan"), "Nils")
    assert told.kinds == ["answered", "accused", "window-closed", "suspect-turned", "window-opened"]
    assert told.one(Accused) == Accused(seat="blue", suspect="Ivan", place=1)
    assert game.asked() == ["blue", "green", "yellow", "white", "red"][1:]


def test_cc_a2_the_round_ends_when_all_but_one_have_accused(scene):
    """The fourth of five accusations ends it; white is late."""
    accused = {"red": "Viktor", "blue": "Boris", "green": "Emil"}
    game = scene(**five(**{seat: {"accused": name} for seat, name in accused.items()}), options={"rounds": "1"})
    game.do("white", Wait())
    told = game.do("yellow", Accuse("Ivan"), "G3a B0a W1a W1b B0b")
    assert told.one(RoundEnded) == RoundEnded(late="white")
    assert not told.of(WindowClosed)


LAST = {"red": {"clue": "hat"}, "blue": {"clue": "glasses"}, "green": {"clue": "raincoat"}}


@pytest.fixture
def last_card(scene, house):
    """One card is left, and is turned: whom nobody has accused must be accused now; three players, one round."""

    def make(**options):
        names = [suspect.id for suspect in house.suspects if suspect.id != "Viktor"]
        seats = {seat: {**LAST[seat], "turned": " ".join(names[n::3])} for n, seat in enumerate(LAST)}
        return scene(
            **seats,
            to_turn="blue",
            public=("grey", "newspaper"),
            options={"rounds": "1", **options},
            outcomes="Viktor",
        )

    return make


def test_cc_a2_with_an_empty_deck_all_must_accuse(last_card):
    """One after the other in playing order from the next to turn, the last one too, and openly; nobody is late then."""
    game = last_card()
    assert game.state.stage is Stage.LAST_CALL
    assert game.due() == [("green", "last-call")]
    assert game.wrong("green", Wait()) == ("must-accuse", "CC-A2")
    assert game.wrong("red", Accuse("Viktor")) == ("not-asked", "CC-P1")
    told = game.do("green", Accuse("Viktor"))
    assert told.one(Accused) == Accused(seat="green", suspect="Viktor", place=1, rule="CC-A2")
    assert game.due() == [("red", "last-call")]
    assert game.wrong("red", Accuse("Viktor")) == ("accused-by-another", "CC-A1")
    game.do("red", Accuse("Emil"))
    told = game.do("blue", Accuse("Olga"), "G3a W1a B0a")
    assert told.one(RoundEnded) == RoundEnded(late=None)
    assert {seat: game.config.points(game.agent(seat).markers) for seat in LAST} == {"red": 1, "blue": 0, "green": 3}


def test_cc_a2_the_last_card_opens_no_window(last_card):
    """All must accuse at once: there is nothing left to wait for."""
    events = last_card().redacted(None)
    assert [type(event) for event in events] == [SuspectTurned, DeckEmptied]


def test_cc_a2_rows_only_holds_in_a_last_call(last_card):
    """With ``accuse=rows`` as well, as long as anybody is in a row."""
    game = last_card(accuse="rows")
    assert game.accusable("green") == {name for agent in game.state.agents for name in agent.row}
    assert game.wrong("green", Accuse(game.agent("red").pile[0])) == ("not-in-a-row", "CC-A1")


def test_cc_a2_rows_without_anybody_free_open_the_piles(last_card):
    """Ruling: somebody must be accused, so that with all in rows accused anybody shown may be."""
    from dataclasses import replace

    from adjudicator.games.checkpoint_charlie.orders import accusable

    game = last_card(accuse="rows")
    emptied = tuple(replace(agent, row=(), pile=agent.row + agent.pile) for agent in game.state.agents)
    assert set(accusable(game.config, replace(game.state, agents=emptied))) == set(game.config.looks)


def test_cc_p1_a_window_after_every_card(scene):
    """Each card turned opens one, in which everybody without an accusation is asked at once."""
    game = scene(**three())
    for n in range(2, 5):
        for seat in ("red", "blue"):
            game.do(seat, Wait())
        told = game.do("green", Wait(), ("Nils", "Otto", "Carla")[n - 2])
        assert told.one(WindowOpened).number == n
    assert len(game.due()) == 3


def test_cc_p1_a_window_after_every_lap(scene):
    """With ``window=lap`` three cards are turned between two windows of three players."""
    game = scene(**three(), options={"window": "lap"})
    for seat in ("red", "blue"):
        game.do(seat, Wait())
    told = game.do("green", Wait(), "Nils Otto Carla")
    assert [event.seat for event in told.of(SuspectTurned)] == ["red", "blue", "green"]
    assert len(told.of(WindowOpened)) == 1


def test_cc_p1_answers_are_sealed_until_all_are_in(scene):
    """Others see that a seat has answered and nothing else; nothing happens before the last answer."""
    game = scene(**three())
    assert [game.seen(viewer, "red").answer for viewer in ("blue", None)] == [None, None]
    told = game.do("red", Accuse("Viktor"))
    assert told.kinds == ["answered"]
    for viewer in ("blue", None):
        assert game.seen(viewer, "red").answer == SEALED
        assert game.cell(viewer, "red", "answer") == "in"
        assert game.redacted(viewer)[-1] == Answered(seat="red", answer=None)
    assert game.seen("red", "red").answer == Answer("Viktor")
    assert game.accusable("blue") == set(" ".join(SHOWN.values()).split())
    entry = game.game.journal[-1].entry
    assert (entry.order, entry.written) == ("(sealed answer)", "ACCUSE Viktor")
    assert game.wrong("red", Wait()) == ("answered-already", "CC-P1")


def test_cc_p1_playing_order_decides(scene):
    """Case: two players claim one suspect in a window; the next to turn comes first, the other is told and goes on."""
    game = scene(**five(), to_turn="green")
    game.do("red", Accuse("Viktor"))
    for seat in ("blue", "green"):
        game.do(seat, Wait())
    game.do("white", Accuse("Viktor"))
    told = game.do("yellow", Wait(), "Nils")
    assert told.one(Accused).seat == "white"
    assert told.one(ClaimRejected) == ClaimRejected(seat="red", suspect="Viktor", by="white")
    assert "red" in game.asked() and "white" not in game.asked()
    assert game.redacted("red")[-4] == told.one(ClaimRejected)


def test_cc_p1_the_time_received_decides_where_all_state_one(scene):
    """Red wrote first; seconds count, a minute without them is its beginning."""
    for times, winner in (
        (("2026-11-20T18:05", "2026-11-20T18:04"), "red"),
        (("2026-11-20T18:05:01", "2026-11-20T18:05"), "red"),
        (("2026-11-20T18:05", "2026-11-20T18:05"), "white"),  # the same moment: playing order
        (("2026-11-20T18:05", "2026-11-21T09:00"), "white"),
        (("2026-11-20T18:05", None), "white"),  # not told of all: playing order
        ((None, "2026-11-20T18:04"), "white"),
    ):
        game = scene(**five(), to_turn="green")
        game.do("white", Accuse("Viktor", times[0]))
        game.do("red", Accuse("Viktor", times[1]))
        for seat in ("blue", "green"):
            game.do(seat, Wait())
        assert game.do("yellow", Wait(), "Nils").one(Accused).seat == winner


def test_cc_p1_the_order_of_sending_in_does_not_decide(scene):
    """Who answers first in the turn file has no advantage by that."""
    for seats in (("red", "white", "blue", "green"), ("white", "red", "green", "blue")):
        game = scene(**five(), to_turn="green")
        for seat in seats:
            game.do(seat, Accuse("Viktor") if seat in ("red", "white") else Wait())
        assert game.do("yellow", Wait(), "Nils").one(Accused).seat == "white"


def test_cc_p1_claims_after_the_end_of_the_round_are_void(scene):
    """Three players: blue and green make all but one; red, who claims too, is the late one."""
    game = scene(**three(), to_turn="blue", options={"rounds": "1"})
    game.do("red", Accuse("Viktor"))
    game.do("blue", Accuse("Viktor"))
    told = game.do("green", Accuse("Emil"), "grey newspaper G3a W1a B0a")
    assert [event.seat for event in told.of(Accused)] == ["blue", "green"]
    assert told.one(ClaimVoid) == ClaimVoid(seat="red", suspect="Viktor")
    assert told.one(RoundEnded).late == "red"
    assert game.agent("red").markers == ("B0a",)


def test_cc_p1_a_rejected_claim_does_not_end_the_round(scene):
    """Three players, red has accused: blue and green claim Viktor, blue gets him, and that is all but one."""
    game = scene(**three(red={"accused": "Boris"}), to_turn="blue", options={"rounds": "1"})
    game.do("green", Accuse("Viktor"))
    told = game.do("blue", Accuse("Viktor"), "grey newspaper B0a G3a B0b")
    assert told.one(ClaimVoid).seat == "green"
    assert told.one(RoundEnded).late == "green"


def test_cc_p1_wait_ahead(scene):
    """``WAIT 3`` is three times ``WAIT``: what is left stays pending, for this round only."""
    game = scene(**three())
    game.send("red", Wait(3))
    (pending,) = game.game.pending
    assert [order.order for order in pending.orders] == ["WAIT 2 in round 1"]
    game.adjudicate(pended("red", Wait(2, 1)), Sheet("blue", (Instruction(Wait()),)))
    assert [order.order for order in game.game.pending[0].orders] == ["WAIT 2 in round 1"]


def test_cc_p1_an_answer_is_changed_until_the_window_closes(scene):
    """A new sheet's first order takes its place; the rest of the earlier one is gone with it."""
    game = scene(**three())
    game.send("red", Wait(3))
    outcome = game.send("red", Accuse(sorted(game.accusable("blue"))[0]))
    assert (outcome.changed, outcome.diagnostics) == (("red",), ())
    assert game.state.agent("red").answer.suspect is not None
    assert set(game.asked()) == {"blue", "green"}


def test_cc_p1_waits_of_all_run_on_together(start):
    """Six windows of three players in one adjudication; then green, who has no order left, is awaited."""
    game = start(3, 5)
    for seat in game.asked():
        game.do(seat, game.legal(seat)[0])
    outcome = game.sheets({"red": [Wait(6)], "blue": [Wait(9)], "green": [Wait(2), Wait(3)]})
    assert not outcome.diagnostics
    assert game.state.window == 6
    assert game.asked() == ["green"]
    pending = {sheet.seat: [order.order for order in sheet.orders] for sheet in game.game.pending}
    assert pending == {"blue": ["WAIT 3 in round 1"]}


def pended(seat, *orders):
    """Return the sheet that has waited since an earlier turn, its first order begun."""
    return Sheet(seat, tuple(map(Instruction, orders)), turn=0, is_begun=True)


def test_cc_p1_what_is_left_of_a_wait_ends_with_the_round(scene):
    """Blue and green end the round; red's remaining waits answer nothing in the next, and its clue is laid."""
    game = scene(**three(), to_turn="blue")
    game.send("red", Wait(9), Clue("sweater"))
    assert [order.order for order in game.game.pending[0].orders] == ["WAIT 8 in round 1", "CLUE sweater"]
    game.do("blue", Accuse("Viktor"))
    game.do("green", Accuse("Emil"), "grey newspaper G3a W1a B0a hat glasses coat")
    assert (game.state.round, game.state.stage) == (2, Stage.CLUES)
    outcome = game.adjudicate(pended("red", Wait(8, 1), Clue("sweater")))
    assert not outcome.diagnostics and not game.game.pending
    assert [link.entry.written for link in outcome.accepted] == ["CLUE sweater"]
    assert game.agent("red").clue == "sweater"


@pytest.mark.parametrize("lines", [[LATER], [LATER, LATER], [LATER, Accuse("Viktor")]])
def test_cc_p1_a_condition_that_fails_leaves_the_answer(scene, lines):
    """Red has answered; an order whose condition fails changes nothing, and the order after it is the new answer."""
    game = scene(**three())
    game.do("red", Wait())
    before = game.state
    outcome = game.send("red", *lines)
    is_changed = lines[-1] != LATER
    assert [link.entry.order for link in outcome.accepted].count("(condition not met)") == len(lines) - is_changed
    assert game.asked() == ["blue", "green"]
    assert (game.state == before) is not is_changed
    assert game.state == Timeline(game.rules, game.config, game.game).state
    assert outcome.changed == (("red",) if is_changed else ())


def test_cc_p1_what_is_left_of_a_wait_is_no_answer_after_the_windows(scene):
    """Nor does it speak for a seat in the scoring phase of its own round."""
    game = scene(**three(red={"markers": "G5a G4a W2a"}))
    game.do("blue", Accuse("Viktor"))
    game.do("red", Wait())
    game.do("green", Accuse("Emil"), "grey newspaper G3a W1a B0a")
    assert game.due() == [("red", "hearing")]
    outcome = game.adjudicate(pended("red", Wait(8, 1)))
    assert (outcome.accepted, outcome.diagnostics, game.game.pending) == ((), (), ())
    (diagnostic,) = game.send("red", Wait(8, 1)).diagnostics
    assert diagnostic.problem.code == "checkpoint-charlie/hearing-open"
    assert game.due() == [("red", "hearing")]
    assert game.wrong("red", Wait()) == ("hearing-open", "CC-E1")


@pytest.mark.parametrize(
    ("order", "code", "rule"),
    [
        (Wait(0), "too-many-waits", "CC-P1"),
        (Wait(100), "too-many-waits", "CC-P1"),
        (Wait(2, 9), "no-such-round", "CC-E1"),
        (Wait(2, 2), "another-round", "CC-P1"),
        (Accuse("Nobody"), "unknown-suspect", "CC-C1"),
        (Accuse("Viktor", "2026-13-01T10:00"), "bad-time", "CC-P1"),
        (Accuse("Viktor", "2026-02-29T10:00"), "bad-time", "CC-P1"),
        (Accuse("Viktor", "1900-01-01T10:00"), "bad-time", "CC-P1"),
        (Accuse("Viktor", "2026-11-00T10:00"), "bad-time", "CC-P1"),
        (Accuse("Viktor", "2026-11-20T24:00"), "bad-time", "CC-P1"),
        (Accuse("Viktor", "2026-11-20T10:60"), "bad-time", "CC-P1"),
        (Accuse("Viktor", "2026-11-20T10:00:60"), "bad-time", "CC-P1"),
        (Clue("hat"), "window-open", "CC-P1"),
        (Clue("moustache"), "unknown-face", "CC-C2"),
        (Pass(), "window-open", "CC-P1"),
        (Announce(), "window-open", "CC-P1"),
        (Swap("white", "Laces"), "no-adler-marker", "CC-O2"),
        (Swap("green", "Laces"), "unknown-colour", "CC-C3"),
        (Swap("white", "Meridian"), "unknown-investigator", "CC-C2"),
        (Swap("white", "nobody"), "unknown-investigator", "CC-C2"),
    ],
)
def test_cc_p1_what_a_window_does_not_take(scene, order, code, rule):
    """Refused with its reason; the seat is asked still."""
    game = scene(**three())
    assert game.wrong("red", order) == (code, rule)
    assert game.refuse("red", order).code == f"checkpoint-charlie/{code}"
    assert "red" in game.asked()


@pytest.mark.parametrize("time", ["2024-02-29T00:00", "2000-02-29T23:59:59", "2026-12-31T18:05"])
def test_cc_p1_times_that_can_be(scene, time):
    """Leap years and the last minute of a year."""
    assert scene(**three()).allows("red", Accuse("Viktor", time))


def test_cc_p1_first_the_clue(deal):
    """Before the clues are laid there is nothing to accuse or to wait for."""
    game = deal(3, "red hat coat colour")
    assert game.wrong("red", Wait()) == ("clue-first", "CC-S2")
    assert game.wrong("red", Accuse("Boris")) == ("clue-first", "CC-S2")
