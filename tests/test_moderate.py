"""Turn files against a game: what is new, what was pending, what is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.begin import Wish, begin_game
from adjudicator.core.game import PendingOrder, PendingSheet
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Player
from adjudicator.moderate import Adjudicated, adjudicate_files
from adjudicator.present import legal_of
from adjudicator.rulesets import ruleset
from adjudicator.session import Session
from adjudicator.store.components import shipped

RED, BLUE = Seat("red"), Seat("blue")


@pytest.fixture(scope="module")
def begun() -> Session:
    """Return a game in which blue begins, then red."""
    rules = ruleset("checkpoint-rally")
    components = shipped(rules)[0]
    wish = Wish(
        ruleset=rules.meta.id, id="g1", players=(Player(RED), Player(BLUE)), components=components, secret=f"{7:064x}"
    )
    session = begin_game(wish)
    assert [decision.seat for decision in rules.awaiting(session.config, session.game.state)] == [BLUE]
    return session


@pytest.fixture(scope="module")
def start(begun: Session) -> str:
    """Return an order with which blue may start."""
    return legal_of(begun, BLUE)[0].order


def send(session: Session, *texts: str, strict: bool = False) -> Adjudicated:
    files = [(f"{number}.txt", text.encode()) for number, text in enumerate(texts, 1)]
    return adjudicate_files(session, files, strict=strict)


def waiting(result: Adjudicated) -> dict[str, list[str]]:
    return {sheet.seat: [order.order for order in sheet.orders] for sheet in result.session.game.pending}


def codes(result: Adjudicated) -> list[tuple[str, str, int]]:
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


@pytest.mark.parametrize("text", ["red: DRAWW", "red: MOVE Z9", "red:\n  PLAY H4"])
def test_a_new_sheet_that_is_wrong_from_its_first_line_on_replaces_what_was_pending_too(begun: Session, text: str) -> None:
    """The player has changed his mind: the old orders must not be carried out, whatever the new ones were to be."""
    first = send(begun, "red: DRAW")
    second = send(first.session, text)
    assert waiting(second) == {}
    assert second.notes == ((RED, "the new sheet replaces 1 order pending since turn 1"),)


def test_a_mail_applied_twice_is_noticed(begun: Session, start: str) -> None:
    mail = f"blue: {start}\n  DRAW\nred: DRAW"
    first = send(begun, mail)
    assert first.notes == ()
    again = send(first.session, mail)
    assert again.notes[0] == (BLUE, "begins with what was applied in turn 1; a line `turn 2` tells new from old")
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


def test_another_s_name_is_a_line_that_cannot_be_read(begun: Session, start: str) -> None:
    players = (Player(RED, "Bob"), Player(BLUE, "Ann Smith"))
    session = begun.with_game(replace(begun.game, setup=replace(begun.game.setup, players=players)))
    assert ("blue", "unknown-order", 3) in codes(send(session, f"blue:\n  {start}\nBob\n"))
    assert ("blue", "unknown-order", 2) in codes(send(session, f"blue:\nAnn\n  {start}\n"))
