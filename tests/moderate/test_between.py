"""What is asked in between, in another's turn or one's own: orders sent before wait until it is answered."""

from __future__ import annotations

from typing import Any

import pytest
from play import begin

from adjudicator.cli.turn_summary import summary_text
from adjudicator.core.ids import Seat
from adjudicator.games.great_race.components import CardId, SpaceId, TileId
from adjudicator.games.great_race.positions import Position, SeatAt, TileAt
from adjudicator.games.great_race.state import Assistants
from adjudicator.library.game import Result
from adjudicator.moderate.adjudicate import AdjudicationResult, adjudicate_files
from adjudicator.session import Session

SEATS = (Seat("red"), Seat("blue"))
ASKED = "blue: REACT cards ask\n  DRIVE E2 losing chassis\n"
AHEAD = "DRIVE E3 losing chassis\n  FUND\n"


def send(session: Session, *texts: str) -> AdjudicationResult:
    files = [(f"{number}.txt", text.encode()) for number, text in enumerate(texts, 1)]
    return adjudicate_files(session, files)


def waiting(result: AdjudicationResult) -> dict[str, list[str]]:
    return {sheet.seat: [order.order for order in sheet.orders] for sheet in result.session.game.pending}


def told(result: AdjudicationResult) -> list[tuple[str | None, str]]:
    return [(link.entry.seat, link.entry.order) for link in result.accepted]


def codes(result: AdjudicationResult) -> list[tuple[str, int]]:
    return [(one.problem.code.partition("/")[2], one.line) for one in result.diagnostics]


def due(result: AdjudicationResult) -> list[tuple[str, str]]:
    session = result.session
    return [(one.seat, one.kind) for one in session.rules.awaiting(session.config, session.game.state)]


@pytest.fixture(scope="module")
def begun() -> Session:
    """Return a race in which red, who has a Saboteur, is to play, then blue, who has a Ranger."""
    hands: dict[str, Any] = {"red": (CardId.SABOTEUR,), "blue": (CardId.RANGER, CardId.JERRYCAN)}
    places = [SeatAt(seat=seat, hand=hands[seat], assistants=Assistants(scouts=1, mechanics=3, funding=1)) for seat in SEATS]
    tiles = [TileAt(space=SpaceId(space), tile=TileId("track")) for space in ("D2", "E2")]
    tiles.append(TileAt(space=SpaceId("E3"), tile=TileId("stones")))
    position = Position(seats=tuple(places), tiles=tuple(tiles), turn="red")
    return begin("great-race", position=position, secret=f"{9:064x}")


@pytest.fixture(scope="module")
def asked(begun: Session) -> AdjudicationResult:
    """Return the race with blue asked about the Saboteur, while two of its orders wait."""
    session = send(begun, "red: DRIVE D2", ASKED).session
    session = send(session, f"blue: {AHEAD}").session
    return send(session, "red: PLAY Saboteur on blue\n  PASS\n")


def test_orders_that_wait_wait_on_while_their_seat_is_asked_in_between(asked: AdjudicationResult) -> None:
    assert due(asked) == [("blue", "react")]
    assert waiting(asked) == {"blue": ["DRIVE E3 losing chassis", "FUND"], "red": ["PASS"]}
    assert (codes(asked), asked.notes) == ([], ())


def test_a_sheet_in_the_same_mailbag_waits_too(begun: Session) -> None:
    session = send(begun, "red: DRIVE D2", ASKED).session
    result = send(session, f"blue: {AHEAD}", "red: PLAY Saboteur on blue\n  PASS\n")
    assert (due(result), codes(result)) == ([("blue", "react")], [])
    assert waiting(result) == {"blue": ["DRIVE E3 losing chassis", "FUND"], "red": ["PASS"]}


def test_an_answer_goes_before_what_waits(asked: AdjudicationResult) -> None:
    result = send(asked.session, "blue: CANCEL with ranger\n")
    assert told(result) == [
        ("blue", "CANCEL with ranger"),
        ("red", "PASS"),
        ("blue", "DRIVE E3"),
        ("blue", "FUND"),
    ]
    assert result.notes == ((SEATS[1], "the new sheet is an answer and comes before 2 orders pending since turn 2"),)
    assert waiting(result) == {}
    assert result.session.game.set_aside == ()


def test_an_answer_that_is_refused_leaves_what_waits(asked: AdjudicationResult) -> None:
    result = send(asked.session, "blue: CANCEL with escort\n")
    assert codes(result) == [("no-escort", 1)]
    assert (due(result), waiting(result)) == (due(asked), waiting(asked))
    assert "2 orders pending since turn 2 still count" in result.notes[0][1]
    assert "(line 1 of 1.txt; an answer is carried out before the pending 2 orders)" in summary_text(
        Result.of(result), is_trial=False, is_strict=False
    )


def test_an_answer_stands_if_what_waits_behind_it_is_refused(begun: Session) -> None:
    session = send(begun, "red: DRIVE D2", ASKED).session
    session = send(session, "blue: DRIVE Tamanrasset losing chassis\n  FUND\n").session
    session = send(session, "red: PLAY Saboteur on blue\n  PASS\n").session
    result = send(session, "blue: ACCEPT\n")
    assert told(result) == [("blue", "ACCEPT"), ("red", "PASS")]
    assert [(one.problem.code, one.source) for one in result.diagnostics] == [
        ("great-race/no-way", "(pending since turn 2)")
    ]
    assert waiting(result) == {}


def test_a_sheet_that_says_more_than_the_answer_takes_the_place_of_what_waits(asked: AdjudicationResult) -> None:
    result = send(asked.session, "blue: ACCEPT\n  FUND\n")
    assert told(result) == [("blue", "ACCEPT"), ("red", "PASS"), ("blue", "FUND")]
    assert result.notes == ((SEATS[1], "the new sheet replaces 2 orders pending since turn 2"),)


def test_what_is_sent_in_reply_to_the_question_and_is_no_answer_is_refused(asked: AdjudicationResult) -> None:
    result = send(asked.session, "blue: FUND\n")
    assert codes(result) == [("react-first", 1)]
    assert (due(result), waiting(result)) == (due(asked), waiting(asked))


def test_a_condition_is_not_looked_at_before_its_order_can_be_meant(begun: Session) -> None:
    """Skipped while blue is asked about the card, it would be lost: it is for the sequence."""
    session = send(begun, "red: DRIVE D2", ASKED).session
    session = send(session, "blue: IF engine < 5 THEN PASS ELSE FUND\n").session
    session = send(session, "red: PLAY Saboteur on blue engine 2 chassis 0\n  PASS\n").session
    assert told(send(session, "blue: ACCEPT\n"))[-1] == ("blue", "PASS")


def test_one_s_own_question_lets_the_rest_of_the_sheet_wait(begun: Session) -> None:
    asked = send(begun, "red: SCOUT tiles\n  DRIVE D2\n  FUND\n")
    assert (due(asked), waiting(asked), codes(asked)) == ([("red", "lay")], {"red": ["DRIVE D2", "FUND"]}, [])
    tiles = asked.session.game.state.pending.tiles
    answered = send(asked.session, f"red: LAY {tiles[0]} at D1\n  LAY {tiles[1]} at F1\n")
    assert (due(answered), waiting(answered), codes(answered)) == ([("blue", "turn")], {"red": ["DRIVE D2", "FUND"]}, [])
