"""Sheets under the number of an announcement: which are taken, which are refused, and what is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from play import begin

from adjudicator.audit.decide import audit_game
from adjudicator.core.ids import Seat
from adjudicator.corrections import correct
from adjudicator.intake import mail_submission
from adjudicator.moderate.adjudicate import AdjudicationResult, adjudicate_files
from adjudicator.moderate.turn import play_turn
from adjudicator.orders.submission import text_submission
from adjudicator.present import heading_of, legal_of
from adjudicator.reports.pages.report_text import report_text
from adjudicator.script.export import export_script
from adjudicator.script.play import play_script
from adjudicator.session import Session

RED, BLUE, GREEN = Seat("red"), Seat("blue"), Seat("green")


@pytest.fixture(scope="module")
def asked() -> Session:
    """Return a game in which three seats are asked at once for their clue."""
    return begin("checkpoint-charlie", "red blue green")


@pytest.fixture(scope="module")
def clue(asked: Session) -> Callable[[str], str]:
    return lambda seat: legal_of(asked, Seat(seat))[0].order


def send(session: Session, *texts: str) -> AdjudicationResult:
    return adjudicate_files(session, [(f"{number}.txt", text.encode()) for number, text in enumerate(texts, 1)])


def accepted(result: AdjudicationResult) -> list[str]:
    return [link.entry.seat or "" for link in result.accepted]


def problems(result: AdjudicationResult) -> list[str]:
    return [diagnostic.problem.message for diagnostic in result.diagnostics]


def test_two_mails_for_the_same_open_decision_both_count(asked: Session, clue: Callable[[str], str]) -> None:
    first = send(asked, f"turn 1\nred: {clue('red')}")
    second = send(first.session, f"turn 1\nblue: {clue('blue')}")
    assert (accepted(first), accepted(second), problems(second)) == (["red"], ["blue"], [])
    assert second.session.valid_turns.turn == 1, "green was asked under that number, and still is"
    third = send(second.session, f"game g1 turn 1\ngreen: {clue('green')}")
    assert (accepted(third), problems(third)) == (["green"], [])
    assert third.session.valid_turns.turn == 4


def test_in_one_text_the_number_may_count_for_one_seat_and_not_for_another(
    asked: Session, clue: Callable[[str], str]
) -> None:
    first = send(asked, f"red: {clue('red')}")
    again = send(first.session, f"turn 1\nred: WAIT\nblue: {clue('blue')}")
    assert accepted(again) == ["blue"]
    over = "turn 1 is over for red: its decision is made or no longer due; write `turn 2`"
    assert problems(again) == [over]
    assert [(found.line, found.column, found.problem.code) for found in again.diagnostics] == [(2, 1, "orders/wrong-turn")]
    assert again.session.game.pending == ()


def test_a_bound_mail_is_judged_by_its_seat(asked: Session, clue: Callable[[str], str]) -> None:
    first = send(asked, f"red: {clue('red')}")
    stale = adjudicate_files(first.session, [text_submission("r", b"turn 1\nWAIT", RED)])
    assert [found.line for found in stale.diagnostics] == [1]
    assert stale.session.game == first.session.game
    fresh = adjudicate_files(first.session, [text_submission("b", f"turn 1\n{clue('blue')}".encode(), BLUE)])
    assert (accepted(fresh), problems(fresh)) == (["blue"], [])


def test_a_stale_sheet_and_one_from_the_future_are_refused(asked: Session, clue: Callable[[str], str]) -> None:
    done = send(asked, *(f"{seat}: {clue(seat)}" for seat in ("red", "blue", "green"))).session
    assert done.valid_turns.turn == 2
    assert problems(send(done, "turn 1\nred: WAIT")) == [
        "turn 1 is over, and the game is at turn 2: orders for turn 1 do not count now"
    ]
    assert problems(send(done, "turn 3\nred: WAIT")) == [
        "turn 3 has not begun yet, and the game is at turn 2: orders for turn 3 do not count now"
    ]
    assert problems(send(asked, "turn 0\nred: WAIT")) != []


def test_corrections_bump_nothing_that_was_told(asked: Session, clue: Callable[[str], str]) -> None:
    handed = correct.hand_over(asked, RED, "Zoe", "Ann moved away")
    assert handed.valid_turns.turn == 1
    assert accepted(send(handed, f"turn 1\nred: {clue('red')}")) == ["red"]
    first = send(handed, f"turn 1\nred: {clue('red')}").session
    undone = correct.undo(first, 1, "a slip")
    assert undone.valid_turns.turn == 1
    again = send(undone, f"turn 1\nred: {clue('red')}\nblue: {clue('blue')}\ngreen: {clue('green')}")
    assert (accepted(again), problems(again)) == (["red", "blue", "green"], [])


def test_what_was_announced_for_what_was_undone_counts_no_more(asked: Session, clue: Callable[[str], str]) -> None:
    done = send(asked, *(f"{seat}: {clue(seat)}" for seat in ("red", "blue", "green"))).session
    undone = correct.undo(done, 0, "a slip")
    assert problems(send(undone, "turn 2\nred: WAIT")) == [
        "turn 2 was undone, and the game is at turn 1: orders for turn 2 do not count now"
    ]


def test_every_seat_is_told_a_number_that_counts_for_it(asked: Session, clue: Callable[[str], str]) -> None:
    first = send(asked, f"red: {clue('red')}").session
    for viewer in (None, RED, BLUE, GREEN):
        number = heading_of(first, viewer).turn
        assert number == (2 if viewer == RED else 1)
        if viewer is not None:
            assert number in first.valid_turns.by_seat[viewer]


@pytest.fixture(scope="module")
def window(asked: Session, clue: Callable[[str], str]) -> Session:
    """Return the game with its first window open, to which red has answered, with an order for later."""
    opened = send(asked, *(f"{seat}: {clue(seat)}" for seat in ("red", "blue", "green"))).session
    assert {decision.kind for decision in opened.rules.awaiting(opened.config, opened.game.state)} == {"window"}
    return send(opened, "turn 2\nred: WAIT 2").session


def suspect(session: Session) -> str:
    return next(row.order for row in legal_of(session, BLUE) if row.order.startswith("ACCUSE"))


def test_an_answer_is_changed_by_a_new_sheet_until_the_window_closes(window: Session) -> None:
    accuse = suspect(window)
    changed = send(window, f"turn 2\nred: {accuse}\n  WAIT")
    assert problems(changed) == []
    (link,) = changed.accepted
    assert (link.entry.seat, link.entry.order, link.entry.written) == ("red", "(sealed answer)", accuse)
    answer = changed.session.game.state.agent(RED).answer
    assert accuse == f"ACCUSE {answer.suspect}"
    assert [order.order for sheet in changed.session.game.pending for order in sheet.orders] == ["WAIT"]
    assert (RED, "this is your answer now; it replaces the earlier one") in changed.remarks
    assert {seat for seat, _ in changed.remarks} == {RED}
    assert changed.session.game.set_aside[-1].cause == "replaced"
    assert audit_game(changed.session).divergence is None
    closed = send(changed.session, "turn 2\nblue: WAIT\ngreen: WAIT")
    assert (accepted(closed)[:2], problems(closed)) == (["blue", "green"], [])
    assert audit_game(closed.session).divergence is None
    late = send(closed.session, "turn 2\nred: WAIT")
    assert "turn 2 is over" in problems(late)[0]


def test_a_change_with_a_mistake_leaves_the_answer_and_what_waits(window: Session) -> None:
    for wrong in ("ACCUSE Nobody", "CLUE hat", "thanks!"):
        result = send(window, f"red: {wrong}")
        assert result.session.game.state == window.game.state
        assert result.session.game.pending == window.game.pending
        assert result.accepted == ()
        assert len(result.diagnostics) == 1


def test_what_waits_never_changes_an_answer(window: Session) -> None:
    result = send(window, "blue: WAIT")
    assert accepted(result) == ["blue"]
    assert result.session.game.pending == window.game.pending


def test_nobody_else_learns_what_was_changed(window: Session) -> None:
    from adjudicator.present import log_of

    one, other = (send(window, f"red: {words}").session for words in (suspect(window), "WAIT 3"))
    for viewer in (None, BLUE, GREEN):
        told = [log_of(session, session.game.journal, viewer) for session in (one, other)]
        # A proof depends on what is hidden, and tells nothing of it: tests/cli/test_heads.py.
        bare = [[replace(row, proof=None) for row in rows] for rows in told]
        assert bare[0] == bare[1]
        assert [row.proof is None for row in told[0]] == [row.proof is None for row in told[1]]


def test_a_change_with_a_mistake_in_it_leaves_the_answer_though_nothing_waits(
    asked: Session, clue: Callable[[str], str]
) -> None:
    opened = send(asked, *(f"{seat}: {clue(seat)}" for seat in ("red", "blue", "green"))).session
    answered = send(opened, "turn 2\nred: WAIT").session
    result = send(answered, f"red: {suspect(answered)}\n  WIAT")
    assert result.session.game == answered.game
    assert (RED, "the new sheet has a mistake, so nothing of it counts; your earlier answer still counts") in result.remarks
    assert [order.fate.value for order in result.receipts[0].orders] == ["ignored", "refused"]
    assert "earlier orders still" in result.receipts[0].trouble


def test_whose_answers_stand_is_told_in_the_order_of_the_seats() -> None:
    """It was told in an order that was another in each run."""
    begun = begin("checkpoint-charlie", "red green white blue black")
    seats = begun.seats
    opened = send(begun, *(f"{seat}: {legal_of(begun, seat)[0].order}" for seat in seats)).session
    answered = send(opened, *(f"{seat}: WAIT" for seat in seats[:-1])).session
    result = send(answered, *(f"{seat}: {suspect(opened)}\n  WIAT" for seat in reversed(seats[:-1])))
    stands = [seat for seat, words in result.remarks if words.endswith("your earlier answer still counts")]
    assert stands == [*seats[:-1]]


# For which window


def opened(asked: Session, clue: Callable[[str], str]) -> Session:
    return send(asked, *(f"{seat}: {clue(seat)}" for seat in ("red", "blue", "green"))).session


def mailed(session: Session, minute: int, text: str, seat: Seat) -> AdjudicationResult:
    received = f"Received: by mx; Mon, 2 Mar 2026 18:{minute:02}:41 +0100"
    data = f"{received}\nMessage-ID: <{minute}@x>\nFrom: a@example.org\n\n{text}\n"
    return adjudicate_files(session, [mail_submission(f"{seat}{minute}.eml", data.encode(), seat)])


def test_both_are_told_for_which_window_an_answer_was_counted(asked: Session, clue: Callable[[str], str]) -> None:
    first = send(opened(asked, clue), "red: WAIT\n  WAIT")
    can = "counted as your answer for `turn 2`; a new mail can change it until all have answered"
    assert first.remarks == ((RED, can),)
    assert can in [note for _, note in first.notes]
    second = send(first.session, "blue: WAIT")
    assert second.remarks == ((BLUE, can),)
    closing = send(second.session, "green: WAIT")
    ahead = "counted as your answer for `turn 5`, sent ahead"
    assert closing.remarks == (
        (GREEN, "counted as your answer for `turn 2`, which is closed now"),
        (RED, f"{ahead}; a new mail can change it until all have answered"),
    )


def test_a_mail_that_came_before_a_window_opened_is_no_answer_in_it(asked: Session, clue: Callable[[str], str]) -> None:
    """Red changes its mind before the window closes, and the moderator takes that mail too late."""
    first = mailed(opened(asked, clue), 10, "WAIT", RED).session
    done = mailed(mailed(first, 11, "WAIT", BLUE).session, 20, "WAIT", GREEN).session
    assert done.valid_turns.turn == 5
    late = mailed(done, 15, "WAIT\nWAIT", RED)
    words = "this arrived before turn 5 began, and may be for an earlier turn; if it is for turn 5, write `turn 5`"
    assert problems(late) == [words]
    assert (accepted(late), late.session.game.pending) == ([], ())
    assert late.diagnostics[0].problem.code == "orders/late-answer"
    for minute, text in ((15, "turn 5\nWAIT"), (21, "WAIT")):
        good = mailed(done, minute, text, RED)
        assert (accepted(good), problems(good)) == (["red"], [])
    changed = mailed(mailed(done, 30, "WAIT", BLUE).session, 29, "WAIT", GREEN)
    assert (accepted(changed)[:1], problems(changed)) == (["green"], [])


def test_a_turn_with_a_changed_answer_and_orders_sent_ahead_is_replayed(
    asked: Session, clue: Callable[[str], str], tmp_path: Path
) -> None:
    begun = opened(asked, clue)
    accuse = suspect(begun)
    session = send(send(begun, "red: WAIT\n  WAIT").session, "blue: WAIT").session
    last = send(session, f"blue: {accuse}\ngreen: WAIT")
    assert accepted(last)[:2] == ["blue", "green"]
    assert "red" in accepted(last)
    exported = export_script(last.session, "game", with_secret=True)
    for name, data in exported.files.items():
        (tmp_path / name).write_bytes(data)
    played = play_script("game.txt", exported.text.encode(), str(tmp_path))
    assert played.diagnostics == ()
    assert played.session is not None
    assert played.session.game.state == last.session.game.state


def test_who_has_answered_is_told_how_to_change_that(asked: Session, clue: Callable[[str], str]) -> None:
    played = play_turn(opened(asked, clue), [text_submission("r", b"turn 2\nWAIT", RED)])
    texts = {report.viewer: report_text(report) for report in played.reports}
    assert "You have answered. The game waits for blue and green." in texts[RED]
    assert "write `turn 2` on a line above it" in texts[RED]
    assert "Send it without a line `turn`" not in texts[RED]
    assert "Write `turn 2`" in texts[BLUE]
