"""Turn files against a game: what is new, what was pending, what is told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from play import begin, due

from adjudicator.core.game import PendingOrder, PendingSheet
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Player
from adjudicator.moderate.adjudicate import AdjudicationResult, adjudicate_files
from adjudicator.present import legal_of
from adjudicator.session import Session

RED, BLUE = Seat("red"), Seat("blue")


@pytest.fixture(scope="module")
def begun() -> Session:
    """Return a game in which blue begins, then red."""
    session = begin()
    assert due(session) == BLUE
    return session


@pytest.fixture(scope="module")
def start(begun: Session) -> str:
    """Return an order with which blue may start."""
    return legal_of(begun, BLUE)[0].order


def send(session: Session, *texts: str, strict: bool = False) -> AdjudicationResult:
    files = [(f"{number}.txt", text.encode()) for number, text in enumerate(texts, 1)]
    return adjudicate_files(session, files, strict=strict)


def waiting(result: AdjudicationResult) -> dict[str, list[str]]:
    return {sheet.seat: [order.order for order in sheet.orders] for sheet in result.session.game.pending}


def codes(result: AdjudicationResult) -> list[tuple[str, str, int]]:
    return [
        (diagnostic.seat, diagnostic.problem.code.partition("/")[2], diagnostic.line) for diagnostic in result.diagnostics
    ]


def test_accepted_orders_stand_and_what_is_not_due_waits(begun: Session, start: str) -> None:
    result = send(begun, f"blue: {start}\n  DRAW\n  REFRESH")
    assert result.is_changed
    assert [(link.entry.seat, link.entry.turn, link.entry.order) for link in result.accepted] == [("blue", 1, start)]
    assert len(result.session.game.journal) == 2
    assert waiting(result) == {"blue": ["DRAW", "REFRESH"]}
    assert [(sheet.seat, sheet.turn) for sheet in result.session.game.pending] == [("blue", 1)]


def test_several_files_are_one_adjudication(begun: Session, start: str) -> None:
    result = send(begun, f"blue: {start}", "red: DRAW")
    assert {link.entry.turn for link in result.accepted} == {1}
    assert codes(result) == [("red", "start-first", 1)]
    assert result.diagnostics[0].source == "2.txt"


def test_problems_come_file_by_file_and_line_by_line(begun: Session) -> None:
    result = send(begun, "red: PLACE H99 at A1\n  MOVE Z9\nblue: DRAW", "green: DRAW")
    assert [(diagnostic.source, diagnostic.line) for diagnostic in result.diagnostics] == [
        ("1.txt", 1),
        ("1.txt", 2),
        ("1.txt", 3),
        ("2.txt", 1),
    ]
    assert all(diagnostic.column for diagnostic in result.diagnostics)


def test_nothing_accepted_and_nothing_new_pending_is_no_change(begun: Session) -> None:
    result = send(begun, "blue: DRAW")
    assert (result.is_changed, result.session.game) == (False, begun.game)


def test_a_new_pending_sheet_is_a_change(begun: Session) -> None:
    assert send(begun, "red: DRAW").is_changed


def test_pending_orders_join_the_new_ones(begun: Session, start: str) -> None:
    first = send(begun, "red:\n\n  PLACE H4 at A1 rot 0\n  DRAW")
    assert waiting(first) == {"red": ["PLACE H4 at A1 rot 0", "DRAW"]}
    second = send(first.session, f"blue: {start}")
    assert [link.entry.seat for link in second.accepted] == ["blue", "red"]


def test_a_problem_of_a_pending_order_is_told_with_the_turn_it_came_in_and_its_line(begun: Session, start: str) -> None:
    first = send(begun, "red:\n\n  DRAW\n  MOVE B1")
    second = send(first.session, f"blue: {start}")
    (diagnostic,) = second.diagnostics
    assert (diagnostic.source, diagnostic.line, diagnostic.seat) == ("(pending since turn 1)", 3, "red")
    assert second.notes == ((RED, "1 order after line 3 not applied; please send new ones"),)
    assert waiting(second) == {}


def test_a_new_sheet_replaces_what_was_pending_and_says_so(begun: Session) -> None:
    first = send(begun, "red: DRAW\n  MOVE B1")
    second = send(first.session, "red: REFRESH")
    assert waiting(second) == {"red": ["REFRESH"]}
    assert second.notes == ((RED, "the new sheet replaces 2 orders pending since turn 1"),)


def test_a_replacement_counts_from_the_turn_it_came_in(begun: Session, start: str) -> None:
    first = send(begun, f"blue: {start}\n  DRAW")
    again = send(first.session, "blue: REFRESH")
    assert [(sheet.seat, sheet.turn) for sheet in again.session.game.pending] == [("blue", 2)]


WRONG = [
    "red: DRAWW",
    "red: MOVE Z9",
    "red:\n  PLAY H4",
    "red: REFRESH\n  DROW",
    "red REFRESH",
]


@pytest.mark.parametrize("text", WRONG)
def test_a_new_sheet_with_a_mistake_in_it_takes_the_place_of_nothing(begun: Session, text: str) -> None:
    first = send(begun, "red: DRAW")
    second = send(first.session, text)
    assert waiting(second) == {"red": ["DRAW"]}
    assert [diagnostic.seat for diagnostic in second.diagnostics] == ["red"]
    words = "the new sheet has a mistake, so nothing of it counts; 1 order pending since turn 1 still counts"
    assert second.notes == ((RED, words),)
    assert not second.is_changed


def test_a_mail_applied_twice_is_noticed(begun: Session, start: str) -> None:
    mail = f"blue: {start}\n  DRAW\nred: DRAW"
    first = send(begun, mail)
    assert first.notes == ()
    again = send(first.session, mail)
    assert again.notes[0] == (BLUE, "begins with the orders of turn 1; if they are new orders, write `turn 2` above them")
    assert [note for seat, note in send(first.session, "blue: DRAW").notes if "begins" in note] == []


@pytest.mark.parametrize("header", ["game other", "turn 2", "turn 0"])
def test_a_sheet_for_another_game_or_turn_leaves_what_was_pending(begun: Session, header: str) -> None:
    first = send(begun, "red: DRAW")
    for orders in ("red: REFRESH", "red: REFRSH"):
        second = send(first.session, f"{header}\n{orders}")
        assert waiting(second) == {"red": ["DRAW"]}
        assert second.diagnostics
        assert not second.is_changed


def test_headers_that_fit_change_nothing(begun: Session, start: str) -> None:
    assert send(begun, f"game g1\nturn 1\nblue: {start}").diagnostics == ()


def test_strict_applies_nothing_where_there_is_one_problem(begun: Session, start: str) -> None:
    text = f"blue: {start}\nred: MOVE Z9"
    strict, lenient = send(begun, text, strict=True), send(begun, text)
    assert strict.diagnostics == lenient.diagnostics
    assert (strict.session, strict.accepted, strict.notes, strict.is_changed) == (begun, (), (), False)
    assert len(lenient.accepted) == 1


def test_strict_without_a_problem_is_no_different(begun: Session, start: str) -> None:
    assert send(begun, f"blue: {start}", strict=True) == send(begun, f"blue: {start}")


def test_debris_of_mail_is_reported_not_applied(begun: Session, start: str) -> None:
    result = send(begun, f"> red: MOVE B1\nblue: {start}\n-- \nBob")
    assert [ignored.line for ignored in result.ignored] == [1, 3, 4]
    assert result.diagnostics == ()


def test_a_pending_order_of_an_older_version_that_nobody_can_read_any_more_is_a_problem(begun: Session, start: str) -> None:
    orders = PendingOrder(1, "MOVE B1"), PendingOrder(2, "TELEPORT A1"), PendingOrder(3, "DRAW")
    session = begun.with_game(replace(begun.game, pending=(PendingSheet(RED, 1, orders),)))
    result = send(session, "blue: DRAW")
    assert ("red", "pending-unreadable", 2) in codes(result)
    assert waiting(result) == {"red": ["MOVE B1"]}


LONG = " OR ".join(["LAY H1 A1 0"] * 32)
DEEP = " OR ".join(["DRAW IF gps=1"] * 15)


@pytest.mark.parametrize("line", [LONG, DEEP], ids=["long", "deep"])
def test_an_order_that_grows_in_canonical_words_can_wait_like_any_other(begun: Session, start: str, line: str) -> None:
    first = send(begun, f"red: {line}")
    assert [len(orders) for orders in waiting(first).values()] == [1]
    second = send(first.session, f"blue: {start}")
    assert [link.entry.seat for link in second.accepted][:1] == ["blue"]
    assert "pending-unreadable" not in str(codes(second))


def test_adjudicating_changes_nothing_that_was_passed_in(begun: Session, start: str) -> None:
    before = begun.game.seal
    send(begun, f"blue: {start}")
    assert begun.game.seal == before
    assert len(begun.game.journal) == 1


@pytest.mark.parametrize("signed", ["Ann Smith", "ann", "- Ann", "Ann Smith."])
def test_a_name_under_the_orders_is_no_order(begun: Session, start: str, signed: str) -> None:
    players = (Player(RED, "Bob"), Player(BLUE, "Ann Smith"))
    session = begun.with_game(replace(begun.game, setup=replace(begun.game.setup, players=players)))
    result = send(session, f"blue:\n  {start}\n{signed}\nred: DRAW\n")
    assert not [diagnostic for diagnostic in result.diagnostics if diagnostic.line == 3]
    assert [(line.line, line.why) for line in result.ignored] == [(3, "the name of the player")]
    assert [link.entry.seat for link in result.accepted][:1] == ["blue"]


def test_a_name_alone_on_its_line_refuses_nothing(begun: Session, start: str) -> None:
    players = (Player(RED, "Bob"), Player(BLUE, "Ann Smith"))
    session = begun.with_game(replace(begun.game, setup=replace(begun.game.setup, players=players)))
    for text in (f"blue:\n  {start}\nBob\n", f"blue:\nAnn\n  {start}\n"):
        result = send(session, text)
        assert (codes(result), [link.entry.seat for link in result.accepted]) == ([], ["blue"])


def aside(result: AdjudicationResult) -> list[tuple[str, str, int, list[str]]]:
    """Return the record of orders that were set aside: seat, why, in which turn, what."""
    return [
        (one.sheet.seat, one.cause, one.turn, [order.order for order in one.sheet.orders])
        for one in result.session.game.set_aside
    ]


def test_what_stands_is_adjudicated_as_if_the_new_sheet_had_not_come(begun: Session, start: str) -> None:
    first = send(begun, "red: PLACE H4 at A1 rot 0")
    with_junk = send(first.session, f"blue: {start}\nred: REFRSH")
    without = send(first.session, f"blue: {start}")
    games = [replace(result.session.game, receipts=()) for result in (with_junk, without)]
    assert games[0] == games[1]
    (receipt,) = [one for one in with_junk.receipts if one.seat == RED]
    assert receipt.trouble == "it has a mistake, so nothing of it counts; your earlier orders still count"
    assert [order.fate.value for order in receipt.orders] == ["refused"]
    assert [link.entry.seat for link in with_junk.accepted] == ["blue", "red"]


def test_a_new_sheet_that_is_refused_when_it_becomes_due_takes_the_place_of_nothing(begun: Session, start: str) -> None:
    """MOVE is never a first order: that shows only now that red is to start."""
    first = send(begun, "red: PLACE H4 at A1 rot 0\n  DRAW")
    second = send(first.session, f"blue: {start}\nred: MOVE B1\n  DRAW")
    assert [(link.entry.seat, link.entry.order) for link in second.accepted] == [
        ("blue", start),
        ("red", "PLACE H4 at A1 rot 0"),
        ("red", "DRAW"),
    ][: len(second.accepted)]
    assert len(second.accepted) >= 2
    assert ("red", "start-first", 2) in codes(second)
    assert "nothing of it" in dict(second.notes)[RED]
    assert aside(second) == []


def test_a_sheet_without_a_mistake_takes_the_place_of_what_waits_which_goes_into_the_record(begun: Session) -> None:
    first = send(begun, "red: DRAW\n  REFRESH")
    second = send(first.session, "red: MOVE B1")
    assert waiting(second) == {"red": ["MOVE B1"]}
    assert aside(second) == [("red", "replaced", 1, ["DRAW", "REFRESH"])]
    third = send(second.session, "red: MOVE B1")
    assert aside(third) == aside(second), "the same mail again takes nothing away"


def test_a_seat_without_waiting_orders_keeps_what_is_above_a_bad_line(begun: Session) -> None:
    result = send(begun, "red: DRAW\n  DROW\n  REFRESH")
    assert waiting(result) == {"red": ["DRAW"]}
    assert aside(result) == []


def test_a_mistake_of_another_seat_in_the_same_text_keeps_nobody_else_from_replacing(begun: Session) -> None:
    first = send(begun, "red: DRAW\nblue: DROW")
    second = send(first.session, "blue: DROW\nred: REFRESH")
    assert waiting(second) == {"red": ["REFRESH"]}


def test_withdraw_takes_back_all_that_waits(begun: Session) -> None:
    first = send(begun, "red: DRAW\n  REFRESH")
    second = send(first.session, "red: WITHDRAW")
    assert (waiting(second), codes(second), second.is_changed) == ({}, [], True)
    assert aside(second) == [("red", "withdrawn", 1, ["DRAW", "REFRESH"])]
    assert second.notes == ((RED, "withdrawn: 2 orders pending since turn 1"),)


def test_withdraw_from_an_order_on_keeps_those_before_it(begun: Session) -> None:
    first = send(begun, "red: DRAW\n  REFRESH\n  MOVE B1")
    second = send(first.session, "red: withdraw from 2.")
    assert waiting(second) == {"red": ["DRAW"]}
    assert aside(second) == [("red", "withdrawn", 1, ["REFRESH", "MOVE B1"])]


def test_what_stands_below_a_withdrawal_joins_what_stays(begun: Session) -> None:
    first = send(begun, "red: DRAW\n  REFRESH")
    second = send(first.session, "red: WITHDRAW from 2\n  MOVE B1")
    assert waiting(second) == {"red": ["DRAW", "MOVE B1"]}
    bad = send(first.session, "red: WITHDRAW from 2\n  MVOE B1")
    assert waiting(bad) == {"red": ["DRAW"]}
    assert aside(bad) == aside(second) == [("red", "withdrawn", 1, ["REFRESH"])]


def test_a_withdrawal_counts_whatever_stands_below_it(begun: Session) -> None:
    """What was taken back in so many words must not be carried out."""
    first = send(begun, "red: DRAW")
    second = send(first.session, "red: WITHDRAW\n  REFRESH\n  DROW")
    assert waiting(second) == {"red": ["REFRESH"]}
    assert aside(second) == [("red", "withdrawn", 1, ["DRAW"])]


def test_a_withdrawal_of_what_is_not_there(begun: Session) -> None:
    assert send(begun, "red: WITHDRAW").notes == ((RED, "no orders wait, so there is nothing to withdraw"),)
    first = send(begun, "red: DRAW")
    second = send(first.session, "red: WITHDRAW from 2\n  REFRESH")
    assert codes(second) == [("red", "nothing-waits", 1)]
    assert (waiting(second), aside(second)) == ({"red": ["DRAW"]}, [])


def test_a_withdrawal_comes_first(begun: Session) -> None:
    first = send(begun, "red: DRAW")
    second = send(first.session, "red: REFRESH\n  WITHDRAW")
    assert codes(second) == [("red", "late-withdrawal", 2)]
    assert waiting(second) == {"red": ["DRAW"]}


def test_nobody_withdraws_the_orders_of_others(begun: Session) -> None:
    from adjudicator.orders.submission import text_submission

    first = send(begun, "red: DRAW")
    result = adjudicate_files(first.session, [text_submission("b", b"red: WITHDRAW\nWITHDRAW", BLUE)])
    assert waiting(result) == {"red": ["DRAW"]}
    assert [diagnostic.seat for diagnostic in result.diagnostics] == ["blue"]


def test_what_a_refused_order_stops_of_what_waited_goes_into_the_record(begun: Session, start: str) -> None:
    first = send(begun, "red: DRAW\n  MOVE B1")
    second = send(first.session, f"blue: {start}")
    assert waiting(second) == {}
    assert aside(second) == [("red", "refused", 1, ["DRAW", "MOVE B1"])]


def test_what_cannot_be_read_any_more_goes_into_the_record(begun: Session) -> None:
    orders = PendingOrder(1, "MOVE B1"), PendingOrder(2, "TELEPORT A1"), PendingOrder(3, "DRAW")
    session = begun.with_game(replace(begun.game, pending=(PendingSheet(RED, 1, orders),)))
    assert aside(send(session, "blue: DRAW")) == [("red", "refused", 1, ["TELEPORT A1", "DRAW"])]


def test_strict_leaves_what_waits_alone(begun: Session) -> None:
    first = send(begun, "red: DRAW")
    second = send(first.session, "red: WITHDRAW\nblue: DROW", strict=True)
    assert second.session == first.session


LINES = [
    "PLACE H4 at A1 rot 0",
    "DRAW",
    "REFRESH",
    "MOVE B1",
    "DROW",
    "thanks for all!",
    "WITHDRAW",
    "WITHDRAW from 2",
    "END",
]
MAILS = st.lists(
    st.tuples(st.sampled_from(["red", "blue"]), st.lists(st.sampled_from([*LINES, "START"]), min_size=1, max_size=4)),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MAILS)
def test_no_waiting_order_ever_disappears(begun: Session, start: str, mails: list[tuple[str, list[str]]]) -> None:
    """Whatever arrives: an order that waits goes on waiting, is carried out, or stands in the record."""
    session = begun
    for seat, lines in mails:
        before = session.game
        result = send(session, f"{seat}:\n" + "\n".join(start if line == "START" else line for line in lines))
        after = result.session.game
        assert after.set_aside[: len(before.set_aside)] == before.set_aside
        for sheet in before.pending:
            had = Counter(order.order for order in sheet.orders)
            kept = Counter(order.order for left in after.pending if left.seat == sheet.seat for order in left.orders)
            taken = Counter(
                link.entry.written or link.entry.order for link in result.accepted if link.entry.seat == sheet.seat
            )
            stored = Counter(
                order.order
                for one in after.set_aside[len(before.set_aside) :]
                if one.sheet.seat == sheet.seat
                for order in one.sheet.orders
            )
            assert not had - kept - taken - stored
        session = result.session


def test_a_later_text_with_a_mistake_leaves_the_earlier_one_of_the_same_call(begun: Session) -> None:
    for wrong in ("red: DROW", "red: REFRESH\n  DROW", "red: PLACE H99 at A1", "red: WITHDRAW from 3\n REFRESH"):
        result = send(begun, "red: DRAW\n  MOVE B1", wrong)
        assert waiting(result) == {"red": ["DRAW", "MOVE B1"]}, wrong
        assert [(one.seat, one.source) for one in result.diagnostics] == [("red", "2.txt")]
        assert (
            RED,
            "the sheet in 2.txt has a mistake and does not count: the earlier one in 1.txt still counts",
        ) in result.notes
        good, bad = result.receipts
        assert bad.trouble == "it has a mistake, so the earlier one counts: 1.txt"
        assert (good.trouble, [order.fate.value for order in good.orders]) == ("", ["waits", "waits"])
        assert "waits" not in [order.fate.value for order in bad.orders]


def test_a_later_text_that_the_game_refuses_leaves_the_earlier_one_of_the_same_call(begun: Session, start: str) -> None:
    """MOVE is no first order: that shows only when it is tried."""
    result = send(begun, f"blue: {start}", "blue: MOVE B1")
    assert [link.entry.order for link in result.accepted] == [start]
    assert codes(result) == [("blue", "start-first", 1)]
    last = send(begun, f"blue: {start}", "blue: MOVE B1", f"blue: {start}\n  REFRESH")
    assert [link.entry.order for link in last.accepted] == [start]
    assert (codes(last), waiting(last)) == ([], {"blue": ["REFRESH"]})
    assert aside(last) == [("blue", "replaced", 1, [start]), ("blue", "replaced", 1, ["MOVE B1"])]
    assert [receipt.trouble for receipt in last.receipts] == ["a later one counts instead: 3.txt"] * 2 + [""]


def test_what_one_text_replaced_in_the_same_call_is_in_the_record(begun: Session) -> None:
    result = send(begun, "red: DRAW\n  MOVE B1", "red: REFRESH")
    assert waiting(result) == {"red": ["REFRESH"]}
    assert aside(result) == [("red", "replaced", 1, ["DRAW", "MOVE B1"])]
    assert aside(send(begun, "red: DRAW", "red: DRAW")) == []
    three = send(send(begun, "red: MOVE B1").session, "red: DRAW", "red: REFRESH", "red: DROW")
    assert waiting(three) == {"red": ["REFRESH"]}
    assert [entry[1:] for entry in aside(three)] == [("replaced", 1, ["MOVE B1"]), ("replaced", 1, ["DRAW"])]


def test_what_waits_stands_where_every_new_text_has_a_mistake(begun: Session) -> None:
    first = send(begun, "red: MOVE B1")
    result = send(first.session, "red: DRAW\n  DROW", "red: REFRESH\n  DROW")
    assert waiting(result) == {"red": ["MOVE B1"]}
    assert [(one.source, one.line) for one in result.diagnostics] == [("1.txt", 2), ("2.txt", 2)]
    assert all(receipt.trouble for receipt in result.receipts)
    assert not result.is_changed


def test_of_texts_with_mistakes_the_first_stands_of_which_anything_is_left(begun: Session, start: str) -> None:
    result = send(begun, "blue: MOVE B1\n  DROW", f"blue: {start}\n  DROW", "blue: DRAW\n  DROW")
    assert [link.entry.order for link in result.accepted] == [start]
    assert ("blue", "start-first", 1) in codes(result)


def test_a_withdrawal_takes_back_an_earlier_text_of_the_same_call(begun: Session) -> None:
    first = send(begun, "red: MOVE B1")
    result = send(first.session, "red: DRAW\n  MOVE B1", "red: WITHDRAW\n  REFRESH")
    assert waiting(result) == {"red": ["REFRESH"]}
    assert sorted(aside(result)) == [("red", "withdrawn", 1, ["DRAW", "MOVE B1"]), ("red", "withdrawn", 1, ["MOVE B1"])]
    cut = send(begun, "red: DRAW\n  MOVE B1", "red: WITHDRAW from 2\n  REFRESH")
    assert waiting(cut) == {"red": ["DRAW", "REFRESH"]}
    assert aside(cut) == [("red", "withdrawn", 1, ["MOVE B1"])]
    assert (RED, "withdrawn: 1 order of an earlier mail") in cut.notes
    fates = [[(order.order, order.fate.value) for order in receipt.orders] for receipt in cut.receipts]
    assert fates == [
        [("DRAW", "waits"), ("MOVE B1", "ignored")],
        [("red: WITHDRAW from 2", "applied"), ("REFRESH", "waits")],
    ]


TEXTS = st.lists(st.lists(st.sampled_from([*LINES[:6], *LINES[6:8]]), min_size=1, max_size=3), min_size=2, max_size=4)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS)
def test_texts_in_one_call_come_to_the_same_as_in_several_where_nothing_is_due(
    begun: Session, texts: list[list[str]]
) -> None:
    """Red is not asked yet: what waits in the end does not depend on how the mails were handed over."""
    mails = ["red:\n" + "\n".join(lines) for lines in texts]
    session = begun
    for mail in mails:
        session = send(session, mail).session
    together = send(begun, *mails)
    assert waiting(together) == {sheet.seat: [one.order for one in sheet.orders] for sheet in session.game.pending}
