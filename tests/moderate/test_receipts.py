"""Receipts: what became of every order that has arrived, seat by seat, and what of it is in the record."""

from __future__ import annotations

from hashlib import sha256

import pytest
from play import begin, legal

from adjudicator.core.game import Receipt
from adjudicator.core.ids import Seat
from adjudicator.games.checkered_flag.state import Position, SeatAt
from adjudicator.intake import submissions
from adjudicator.moderate.adjudicate import AdjudicationResult, addressee, adjudicate_files
from adjudicator.moderate.receipts import record_receipts
from adjudicator.orders.submission import Submission
from adjudicator.outputs.orders import SeatReceipt
from adjudicator.session import Session
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

RED, BLUE = Seat("red"), Seat("blue")
MAIL = "Received: by a; Mon, 2 Mar 2026 18:08:41 +0100\nMessage-ID: <1>\nFrom: Ann <ann@example.org>\n\n"
WHEN = 1772471321


@pytest.fixture(scope="module")
def begun() -> Session:
    """Return a game of Checkered Flag: each may order only what is due."""
    return begin()


@pytest.fixture(scope="module")
def start(begun: Session) -> str:
    """Return an order with which blue, who is due, may start."""
    return legal(begun, BLUE)[0]


def send(session: Session, *given: tuple[str, str, Seat | None], strict: bool = False) -> AdjudicationResult:
    texts = [text for name, data, seat in given for text in submissions(name, data.encode(), seat)]
    return adjudicate_files(session, texts, strict=strict)


def fates(receipt: SeatReceipt) -> list[tuple[int, str, str]]:
    return [(order.line, order.order, order.fate.value) for order in receipt.orders]


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def test_a_receipt_says_what_came_when_and_what_became_of_each_order(begun: Session, start: str) -> None:
    text = f"{MAIL}Hi!\n{start.lower()}\ndraw\nmove b1 or draw\n"
    (receipt,) = send(begun, ("in/bob.eml", text, BLUE)).receipts
    assert (receipt.seat, receipt.source, receipt.turn) == (BLUE, "in/bob.eml", 1)
    assert (receipt.hash, receipt.received, receipt.shared) == (hash_of(text), WHEN, False)
    assert fates(receipt) == [(2, start, "applied"), (3, "DRAW", "waits"), (4, "MOVE B1 OR DRAW", "waits")]
    assert receipt.orders[0].reason == "entry 1"
    assert receipt.waits == ("DRAW", "MOVE B1 OR DRAW")


def test_what_is_refused_stops_the_sheet_and_what_follows_is_ignored(begun: Session, start: str) -> None:
    (receipt,) = send(begun, ("t", f"blue: {start}\nDRWA\nDRAW\nMOVE Z9", None)).receipts
    assert fates(receipt) == [
        (1, start, "applied"),
        (2, "DRWA", "refused"),
        (3, "DRAW", "ignored"),
        (4, "MOVE Z9", "refused"),
    ]
    assert receipt.orders[2].reason.endswith("was refused")
    assert "DRAW" in receipt.orders[1].reason or "DRWA" in receipt.orders[1].reason
    assert receipt.waits == ()


def test_an_illegal_order_is_refused_with_its_reason(begun: Session) -> None:
    (receipt,) = send(begun, ("t", "blue: DRAW\n  REFRESH", None)).receipts
    assert [order.fate.value for order in receipt.orders] == ["refused", "ignored"]
    assert "start" in receipt.orders[0].reason


def test_an_order_whose_condition_does_not_hold_is_skipped(begun: Session, start: str) -> None:
    (receipt,) = send(begun, ("t", f"blue: {start} IF gps = 99\n  {start}", None)).receipts
    assert [order.fate.value for order in receipt.orders] == ["skipped", "applied"]


def test_of_two_mails_the_earlier_one_is_told_to_be_replaced(begun: Session, start: str) -> None:
    late = MAIL.replace("18:08", "19:08")
    earlier, later = send(begun, ("a/2.eml", f"{MAIL}DRAW\n", BLUE), ("a/1.eml", f"{late}{start}\n", BLUE)).receipts
    assert fates(earlier) == [(1, "DRAW", "ignored")]
    assert earlier.trouble == "a later one counts instead: 1.eml"
    assert (fates(later), later.trouble) == ([(1, start, "applied")], "")


def test_a_text_of_several_seats_gives_each_its_own(begun: Session, start: str) -> None:
    text = f"blue: {start}\nred: DRAW\n"
    blue, red = send(begun, ("t", text, None)).receipts
    assert not send(begun, ("a.eml", f"{MAIL}blue: DRAW", None)).receipts[0].shared
    assert not send(begun, ("t", "DRAW", BLUE)).receipts[0].shared
    assert send(begun, ("t", "blue: DRAW", None)).receipts[0].shared  # whether others are in it is not told either
    assert (blue.seat, red.seat) == ("blue", "red")
    assert blue.shared
    assert red.shared
    assert (fates(blue), fates(red)) == ([(1, start, "applied")], [(2, "DRAW", "refused")])


@pytest.mark.parametrize(("text", "words"), [
    (f"{MAIL}I am away.\n", "no order"),
    (f"{MAIL}game other\nDRAW\n", "other"),
    (f"{MAIL}turn 9\nDRAW\n", "turn 9 has not begun yet, and the game is at turn 1: orders for turn 9 do not count now"),
    (f"{MAIL}Content-Type\n\0\n", "binary"),
])  # fmt: skip
def test_a_mail_of_a_seat_that_says_nothing_has_its_receipt_too(begun: Session, text: str, words: str) -> None:
    (receipt,) = send(begun, ("a.eml", text, BLUE)).receipts
    assert receipt.seat == "blue"
    assert receipt.orders == ()
    assert words in receipt.trouble


def test_what_no_seat_has_sent_has_no_receipt(begun: Session) -> None:
    assert send(begun, ("a.eml", f"{MAIL}I am away.\n", None), ("t", "violet: DRAW", None)).receipts == ()


def test_strict_takes_nothing_and_gives_no_receipt(begun: Session, start: str) -> None:
    result = send(begun, ("t", f"blue: {start}\nMOVE Z9", None), strict=True)
    assert (result.receipts, result.session.game.receipts) == ((), ())


def test_the_record_keeps_hash_and_time_and_no_word(begun: Session, start: str) -> None:
    text = f"{MAIL}{start}\nDRAW\nQUIBBLE\n"
    game = send(begun, ("bob.eml", text, BLUE)).session.game
    assert game.receipts == (Receipt(1, BLUE, hash_of(text), WHEN, game.receipts[0].identity),)
    written = dump_game(game)
    assert b"QUIBBLE" not in written
    assert b"bob.eml" not in written
    assert load_game(written) == load_game(written) == game


def test_the_same_bytes_are_recorded_once_in_a_turn(begun: Session, start: str) -> None:
    first = send(begun, ("a", f"blue: {start}", None), ("b", f"blue: {start}", None))
    assert len(first.receipts) == 2
    assert len(first.session.game.receipts) == 1
    assert record_receipts(first.session.game, begun.game.turn, first.receipts, ()) is first.session.game
    again = send(first.session, ("a", f"blue: {start}\n", None))
    assert [
        receipt.turn for receipt in record_receipts(again.session.game, first.session.game.turn, again.receipts, ()).receipts
    ] == [1, 2]


def test_what_was_not_for_this_turn_is_not_in_the_record(begun: Session) -> None:
    result = send(begun, ("a.eml", f"{MAIL}turn 9\nDRAW\n", BLUE))
    assert [receipt.taken for receipt in result.receipts] == [False]
    assert record_receipts(begun.game, begun.game.turn, result.receipts, ()) is begun.game


def test_a_game_without_receipts_has_the_seal_and_the_file_it_always_had(begun: Session) -> None:
    assert b"receipts" not in dump_game(begun.game)


def test_a_text_given_without_its_bytes_is_not_recorded(begun: Session, start: str) -> None:
    result = adjudicate_files(begun, [Submission("a", (f"blue: {start}",))])
    assert len(result.receipts) == 1
    assert result.session.game.receipts == ()
    assert addressee(result.session).turn == 2


def test_outcomes_written_beside_an_order_are_the_moderator_s() -> None:
    session = begin("checkered-flag", recorded=("6", "6", "1", "1"))
    (receipt,) = send(session, ("t", "red: GEAR 1 [5 2]\n  GEAR 1 [3 3]", None)).receipts
    assert [order.order for order in receipt.orders] == ["GEAR 1", "GEAR 1"]
    assert receipt.waits in ((), ("GEAR 1",))


def test_a_mail_older_than_one_that_was_taken_before_is_told(begun: Session, start: str) -> None:
    """It comes late; of the two together the other would have counted."""
    first = send(begun, ("new.eml", f"{MAIL}{start}\nDRAW\n", BLUE))
    older = MAIL.replace("18:08", "17:08")
    note = (BLUE, "old.eml came before a mail that the game took in turn 1: perhaps it is an older one")
    assert note in send(first.session, ("in/old.eml", f"{older}REFRESH\n", BLUE)).notes
    newer = MAIL.replace("18:08", "19:08")
    for other in (newer, MAIL):
        assert note not in send(first.session, ("in/old.eml", f"{other}REFRESH\n", BLUE)).notes
    assert send(first.session, ("in/old.eml", f"{older}REFRESH\n", RED)).notes == ()


def test_a_receipt_warns_of_an_order_that_did_less_than_its_words() -> None:
    """The event says of itself that it warns; here a stop that the spin does not allow."""
    seats = (SeatAt(seat=RED, position=1, gear=2), SeatAt(seat=BLUE))
    session = begin("checkered-flag", position=Position(seats=seats, turn=RED), recorded=())
    (receipt,) = send(session, ("ann.txt", "GEAR 2 brake 4 [1 2]", RED)).receipts
    words = "note: red cannot brake 4 spaces with this spin: it goes on (CF-B2)"
    assert [order.reason for order in receipt.orders] == [f"entry 1; {words}"]


def test_two_orders_on_a_line_have_a_row_each(begun: Session, start: str) -> None:
    (receipt,) = send(begun, ("t", f"{start}; DRAW; MOVE B1\n", BLUE)).receipts
    assert fates(receipt) == [(1, start, "applied"), (1, "DRAW", "waits"), (1, "MOVE B1", "waits")]
    assert receipt.orders[0].reason == "entry 1"
    (receipt,) = send(begun, ("t", f"{start} and then DRAW; MVOE B1; DRAW\n", BLUE)).receipts
    assert fates(receipt) == [(1, start, "applied"), (1, "DRAW", "waits"), (1, "MVOE B1", "refused"), (1, "DRAW", "ignored")]
    (receipt,) = send(begun, ("t", f"{start}; MOVE Z9; DRAW\n", BLUE)).receipts
    assert fates(receipt) == [(1, start, "applied"), (1, "MOVE Z9", "refused"), (1, "DRAW", "ignored")]
