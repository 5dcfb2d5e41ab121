"""A bug that one line brings to light: that line is left out, everybody else's turn goes on, and the moderator is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from play import begin, due, play

from adjudicator.audit.decide import audit_game
from adjudicator.core.ids import Seat
from adjudicator.intake import submissions
from adjudicator.moderate.adjudicate import AdjudicationResult, adjudicate_files
from adjudicator.moderate.own_check import check_own
from adjudicator.orders import explain, parser, reading, remarks
from adjudicator.orders.parser import reader
from adjudicator.orders.submission import Submission
from adjudicator.session import Session

SEATS = (Seat("red"), Seat("blue"), Seat("green"))


class BugError(Exception):
    """What nobody has thought of."""


def fail(*_given: Any, **_named: Any) -> Any:
    raise BugError("the hand is H2 and H3")


@pytest.fixture
def begun() -> Session:
    """Return a game of Checkpoint Charlie in which all seats are awaited at once."""
    session = begin("checkpoint-charlie", "red blue green", secret=f"{5:064x}")
    assert {decision.seat for decision in session.rules.awaiting(session.config, session.game.state)} == set(SEATS)
    return session


def failing(session: Session, name: str, when: Callable[..., bool] = lambda *_given: True, what: Any = fail) -> Session:
    """Return ``session`` with a hook of its rules that fails when ``when`` says so of its arguments."""
    hook = getattr(session.rules, name)

    def call(*given: Any) -> Any:
        return what(*given) if when(*given) else hook(*given)

    return replace(session, rules=session.rules.changed(**{name: call}))


def of_blue(*given: Any) -> bool:
    return Seat("blue") in given


def send(session: Session, text: str, *, strict: bool = False) -> AdjudicationResult:
    return adjudicate_files(session, [("t.txt", text.encode())], strict=strict)


def told(result: AdjudicationResult) -> list[tuple[str, str, int]]:
    return [(found.seat, found.problem.code, found.line) for found in result.diagnostics]


def clue(session: Session, seat: str) -> str:
    return session.rules.language.text(next(iter(session.rules.legal(session.config, session.game.state, Seat(seat)))))


def sheets(session: Session) -> str:
    return "".join(f"{seat}: {clue(session, seat)}\n" for seat in SEATS)


@pytest.mark.parametrize("hook", ["check", "decide", "continuation", "public_text"])
def test_a_bug_over_one_order_is_that_line_s_problem_alone(begun: Session, hook: str) -> None:
    broken = failing(begun, hook, of_blue)
    result = send(broken, sheets(begun))
    assert told(result) == [("blue", "core/fault", 2)]
    assert {link.entry.seat for link in result.accepted} == {"red", "green"}
    sound = send(begun, f"red: {clue(begun, 'red')}\n\ngreen: {clue(begun, 'green')}\n")
    assert result.session.game.journal == sound.session.game.journal
    assert result.session.game.state == sound.session.game.state
    assert audit_game(replace(result.session, rules=begun.rules)).divergence is None


def test_what_an_order_led_to_counts_as_well(begun: Session) -> None:
    """The position after it in which the rules cannot say who is due next never was."""
    hook, first = begun.rules.due, begun.game.state

    def due(config: Any, state: Any) -> Any:
        return hook(config, state) if state == first else fail()

    result = send(replace(begun, rules=begun.rules.changed(due=due)), f"red: {clue(begun, 'red')}\n")
    assert told(result) == [("red", "core/fault", 1)]
    assert result.session.game == begun.game
    assert not result.is_changed


def test_what_was_drawn_before_the_bug_was_never_drawn() -> None:
    session = play(begin(), 2)
    assert session.game.turn == 3

    def decide(*given: Any) -> Any:
        yield from session.rules.decide(*given)
        fail()

    broken = replace(session, rules=session.rules.changed(decide=decide))
    result = send(broken, f"{due(session)}: DRAW\n")
    assert told(result) == [(due(session), "core/fault", 1)]
    assert result.session.game == session.game
    again, other = (
        send(game, f"{due(session)}: DRAW\n") for game in (replace(result.session, rules=session.rules), session)
    )
    assert again.session.game == other.session.game


def test_the_orders_after_it_are_not_applied(begun: Session) -> None:
    order = clue(begun, "blue")
    result = send(failing(begun, "check", of_blue), f"blue: {order}\n  WAIT\n  WAIT\n")
    assert told(result) == [("blue", "core/fault", 1)]
    assert [(seat, "2 orders after line 1" in words) for seat, words in result.notes] == [("blue", True)]
    assert result.session.game == begun.game


def test_an_order_that_cannot_be_judged_at_all(begun: Session) -> None:
    result = send(failing(begun, "validate"), f"blue: {clue(begun, 'blue')}\n")
    assert told(result) == [("blue", "core/fault", 1)]


def test_the_words_of_the_problem_hold_nothing_of_the_bug(begun: Session) -> None:
    """What the rules fail with may name what a player must not know; the moderator has the bug itself."""
    (found,) = send(failing(begun, "check", of_blue), sheets(begun)).diagnostics
    assert "H2" not in found.problem.message
    assert isinstance(found.fault, BugError)


def test_a_ruleset_that_ends_the_program_is_a_bug_like_any_other(begun: Session) -> None:
    def leave(*_given: Any) -> Any:
        raise SystemExit(0)

    result = send(failing(begun, "decide", of_blue, leave), sheets(begun))
    assert told(result) == [("blue", "core/fault", 2)]
    assert "end the program" in str(result.diagnostics[0].fault)
    assert {link.entry.seat for link in result.accepted} == {"red", "green"}


def test_with_strict_nothing_is_applied(begun: Session) -> None:
    result = send(failing(begun, "check", of_blue), sheets(begun), strict=True)
    assert told(result) == [("blue", "core/fault", 2)]
    assert result.session.game == begun.game


def broken_reader(session: Session, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    """Let reading a line with ``word`` fail."""
    own = reader(session.rules)
    parse = own._line_parser
    own.parse.cache_clear()
    monkeypatch.setattr(own, "_line_parser", lambda line: fail() if word in line else parse(line))


def test_a_line_that_cannot_be_built(begun: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_reader(begun, monkeypatch, "WAIT")
    result = send(begun, f"red: {clue(begun, 'red')}\nblue: WAIT\n  {clue(begun, 'blue')}\ngreen: {clue(begun, 'green')}\n")
    reader(begun.rules).parse.cache_clear()
    assert told(result) == [("blue", "core/fault", 2)]
    assert {link.entry.seat for link in result.accepted} == {"red", "green"}
    assert isinstance(result.diagnostics[0].fault, BugError)


def test_a_bug_in_the_explanation_of_a_mistake(begun: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain, "parse_failure", fail)
    result = send(begun, f"blue: ACCUSE 7 7\nred: {clue(begun, 'red')}\n")
    assert told(result) == [("blue", "core/fault", 1)]
    assert [link.entry.seat for link in result.accepted] == ["red"]


def test_a_bug_in_what_passes_greetings_over(begun: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remarks.Remarks, "is_attempt", fail)
    result = send(begun, f"blue:\n  Hello there\n  {clue(begun, 'blue')}\nred: {clue(begun, 'red')}\n")
    assert told(result) == [("blue", "core/fault", 2)]
    assert [link.entry.seat for link in result.accepted] == ["red"]


def test_a_bug_over_a_whole_text(begun: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = reading.content

    def content(lines: Any, *given: Any, **named: Any) -> Any:
        for number, judged in enumerate(whole(lines, *given, **named)):
            if number and "blue" in lines[0]:
                fail()
            yield judged

    monkeypatch.setattr(reading, "content", content)
    texts = [(f"{seat}.txt", f"{seat}: {clue(begun, seat)}\n  WAIT\n".encode()) for seat in SEATS]
    result = adjudicate_files(begun, texts)
    assert ("", "core/fault", 0) in told(result)
    assert {link.entry.seat for link in result.accepted} == {"red", "green"}


def test_a_bug_over_a_mail(begun: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudicator.mail import message

    monkeypatch.setattr(message, "read_mail", fail)
    mail = b"From: x@example.org\nSubject: orders\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\nWAIT\n"
    sent = [*submissions("ann.eml", mail, Seat("blue")), ("r.txt", f"red: {clue(begun, 'red')}".encode())]
    result = adjudicate_files(begun, sent)
    assert told(result) == [("blue", "core/fault", 0)]
    assert [link.entry.seat for link in result.accepted] == ["red"]


def test_a_bug_in_reading_an_order_that_waits_costs_the_others_nothing(
    begun: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = send(begun, f"red: {clue(begun, 'red')}\n  WAIT\n").session
    assert [sheet.seat for sheet in waiting.game.pending] == ["red"]
    monkeypatch.setattr(parser, "line_parser", lambda _rules: fail)
    result = send(waiting, f"blue: {clue(begun, 'blue')}\n")
    assert ("red", "core/fault") in [found[:2] for found in told(result)]
    assert isinstance(next(found.fault for found in result.diagnostics if found.seat == "red"), BugError)
    assert "blue" in {link.entry.seat for link in result.accepted}
    assert [one.sheet.seat for one in result.session.game.set_aside] == ["red"]


@pytest.mark.parametrize("hook", ["preview", "view"])
def test_a_bug_over_what_a_sheet_would_lead_to_refuses_nothing(begun: Session, hook: str) -> None:
    text = Submission("t.txt", (clue(begun, "blue"),), Seat("blue"))
    result = check_own(failing(begun, hook), [text], Seat("blue"))
    assert result.diagnostics == ()
    assert [(found.problem.code, found.line) for found in result.foreseen] == [("core/fault", 1)]
    assert "H2" not in result.foreseen[0].problem.message


def test_a_ruleset_foresees_nothing_of_orders_that_no_position_allows() -> None:
    result = check_own(
        begin("rally-round", options={"kit": "draft"}), [Submission("t.txt", ("PICK BC", "PICK BC"), SEATS[0])], SEATS[0]
    )
    assert [found.problem.code for found in result.diagnostics] == ["rally-round/no-such-card"] * 2
    assert result.foreseen == ()
