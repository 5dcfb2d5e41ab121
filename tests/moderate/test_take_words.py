"""Words for chance taken into a game: mixed in from the next turn on, lasting, and never in the way of an order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from play import begin, due, legal

from adjudicator.audit.decide import audit_game
from adjudicator.core.chance import ImpossibleOutcomeError, WordSent
from adjudicator.core.corrections import CorrectionError
from adjudicator.core.ids import Seat
from adjudicator.core.timeline import Timeline
from adjudicator.core.words import is_word, words_sent
from adjudicator.corrections import correct
from adjudicator.moderate.adjudicate import AdjudicationResult, adjudicate_files
from adjudicator.present import log_of
from adjudicator.rulesets import ruleset
from adjudicator.session import Session
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

GAMES = ("checkpoint-rally", "checkered-flag", "checkpoint-charlie", "rally-round")
SEATS = ("red", "blue", "green")


def begun(game: str = "checkpoint-rally", **changes: Any) -> Session:
    seats = SEATS[: max(2, ruleset(game).meta.players[0])]
    return begin(game, " ".join(seats), **{"id": "w", "secret": "5" * 64, **changes})


def first_legal(session: Session) -> str:
    return legal(session)[0]


def send(session: Session, *texts: str, strict: bool = False) -> AdjudicationResult:
    return adjudicate_files(session, [(f"t{n}", text.encode()) for n, text in enumerate(texts)], strict=strict)


def step(session: Session, *words: str) -> Session:
    """Let the seat that is due give its first legal order, and send these lines with it."""
    result = send(session, "\n".join((f"{due(session)}: {first_legal(session)}", *words)))
    assert not result.diagnostics
    return result.session


def events(session: Session) -> list[Any]:
    return [link.entry.events for link in session.game.journal if not is_word(link.entry)]


def is_sound(session: Session) -> bool:
    """Return whether the game survives its file, its fold and its audit."""
    loaded = load_game(dump_game(session.game))
    folded = Timeline(session.rules, session.config, session.game).state
    return audit_game(session).divergence is None and loaded == session.game and folded == session.game.state


@pytest.mark.parametrize("game", GAMES)
def test_in_every_game_a_word_is_an_entry_behind_the_orders_of_its_turn(game: str) -> None:
    session = begun(game)
    order = first_legal(session)
    result = send(session, f"{due(session)}:\nWORD Umbrella!\n{order}\n")
    assert not result.diagnostics
    first, word = (link.entry for link in result.accepted)
    assert (first.seat, word.order, word.seat) == (due(session), "WORD umbrella", due(session))
    assert (word.turn, word.drawn) == (first.turn, first.drawn)
    assert word.events == (WordSent(seat=due(session), word="umbrella", outcome=first.drawn),)
    assert is_sound(result.session)


@pytest.mark.parametrize("game", GAMES)
def test_a_word_of_a_seat_that_is_not_asked_needs_no_order(game: str) -> None:
    session = begun(game)
    other = next(seat for seat in reversed(session.seats) if seat != due(session))
    result = send(session, f"{other}: WORD umbrella")
    assert [link.entry.order for link in result.accepted] == ["WORD umbrella"]
    assert (result.is_changed, result.diagnostics, result.notes) == (True, (), ())
    assert result.session.game.state == session.game.state
    assert result.session.valid_turns.turn == session.valid_turns.turn  # what is due was announced before
    assert is_sound(result.session)


def played(first: str = "", second: str = "", steps: int = 6) -> Session:
    session = step(begun(), *([f"red: WORD {first}"] if first else []))
    session = step(session, *([f"blue: WORD {second}"] if second else []))
    for _ in range(steps):
        if any(order.split()[0] == "DRAW" for order in map(session.rules.language.text, _legal(session))):
            session = send(session, f"{due(session)}: DRAW").session
        else:
            session = step(session)
    return session


def _legal(session: Session) -> tuple[Any, ...]:
    return tuple(session.rules.legal(session.config, session.game.state, due(session)))


def test_a_word_changes_the_draws_of_later_turns_and_none_before() -> None:
    plain, cow, cat = played(), played("cow"), played("cat")
    for one, other in ((plain, cow), (cow, cat)):
        assert events(one)[:2] == events(other)[:2]
        assert events(one)[2:] != events(other)[2:]
    late, later = played("cow", "fish"), played("cow", "fox")
    assert events(late)[:3] == events(later)[:3] == events(cow)[:3]
    assert events(late)[3:] != events(later)[3:]
    assert all(map(is_sound, (plain, cow, cat, late, later)))


def test_the_same_orders_draw_the_same_after_an_undo_whatever_word_has_come() -> None:
    session = step(step(begun()), "red: WORD cow")
    drawn = [link.entry for link in session.game.journal][-2]
    back = correct.undo(send(session, "blue: WORD fish").session, 1, "again, with a word")
    assert [word.word for word in words_sent(back.game)] == ["cow", "fish"]
    again = send(back, f"{drawn.seat}: {drawn.order}").session
    assert again.game.journal[-1].entry.events == drawn.events
    assert is_sound(again)


def test_what_was_never_drawn_before_an_undo_is_drawn_with_the_word() -> None:
    def after(word: str) -> Session:
        session = correct.undo(step(step(begun()), f"red: WORD {word}"), 1, "x")
        for _ in range(3):
            session = step(session)
        for _ in range(4):
            session = send(session, f"{due(session)}: DRAW").session
        return session

    cow, cat = after("cow"), after("cat")
    assert is_sound(cow)
    assert is_sound(cat)
    assert events(cow) != events(cat)


def test_a_position_behind_an_undo_cannot_be_gone_back_to_by_way_of_a_word() -> None:
    session = step(step(begun()), "red: WORD cow")
    word = session.game.journal[-1].entry.n
    back = correct.undo(session, 1, "x")
    with pytest.raises(CorrectionError, match="was undone"):
        correct.undo(step(back), word, "x")
    there = correct.undo(step(session), word, "to a word that stands")
    assert there.game.state == session.game.state
    assert is_sound(there)


def test_a_decision_keeps_its_number_through_words_and_undone_turns() -> None:
    session = step(begun())
    number = session.valid_turns.turn
    worded = send(session, "red: WORD cow\nblue: WORD fish").session
    assert worded.valid_turns.turn == number
    undone = correct.undo(step(worded, "red: WORD fox"), worded.game.journal[-1].entry.n, "x")
    assert number in undone.valid_turns.by_seat[due(undone)]
    assert not send(undone, f"turn {number}\n{due(undone)}: {first_legal(undone)}").diagnostics


def test_the_last_word_of_a_seat_counts_and_it_is_told() -> None:
    result = send(begun(), "red:\nWORD cow\nWORD fish", "red: WORD fox\nblue: WORD hen")
    assert [link.entry.order for link in result.accepted] == ["WORD fox", "WORD hen"]
    assert result.notes == ((Seat("red"), "of 3 words for chance, the last one counts: fox"),)
    fates = [(order.order, order.fate.value) for one in result.receipts for order in one.orders]
    assert fates == [("WORD cow", "ignored"), ("WORD fish", "ignored"), ("WORD fox", "applied"), ("WORD hen", "applied")]


def test_a_word_that_is_its_seats_already_makes_no_entry() -> None:
    session = send(begun(entropy={"red": "horse"}), "blue: WORD fish").session
    result = send(session, "red: WORD Horse.\nblue: WORD FISH")
    assert not result.is_changed
    assert [words for _, words in result.notes] == [
        "red already has the word “horse”",
        "blue already has the word “fish”",
    ]
    assert send(session, "red: WORD fish").is_changed


def test_where_chance_is_recorded_there_is_nothing_to_mix_it_into() -> None:
    drawn: list[str] = []
    while True:
        try:
            session = begun(secret=None, recorded=drawn)
            break
        except ImpossibleOutcomeError as asked:
            drawn.append(asked.among[0])
    result = send(session, "red: WORD cow")
    assert (result.is_changed, result.diagnostics) == (False, ())
    assert [words for _, words in result.notes] == [
        "the moderator records the chance of this game by hand, so words have no effect"
    ]


def test_orders_that_wait_stay_as_they_are() -> None:
    session = begun()
    other = next(seat for seat in session.seats if seat != due(session))
    waiting = send(session, f"{other}:\nDRAW\nREFRESH").session
    assert waiting.game.pending
    result = send(waiting, f"{other}: WORD cow", f"{other}: WORD no")
    assert result.session.game.pending == waiting.game.pending
    assert not result.session.game.set_aside
    assert [problem.problem.code for problem in result.diagnostics] == ["orders/bad-word"]
    assert len(result.accepted) == 1


def test_a_bad_word_does_not_spoil_the_sheet_that_replaces_what_waits() -> None:
    session = begun()
    other = next(seat for seat in session.seats if seat != due(session))
    waiting = send(session, f"{other}:\nDRAW").session
    result = send(waiting, f"{other}:\nREFRESH\nWORD no")
    assert [order.order for order in result.session.game.pending[0].orders] == ["REFRESH"]


def test_with_strict_a_bad_word_is_enough_to_do_nothing() -> None:
    result = send(begun(), "red: WORD no\nblue: WORD cow", strict=True)
    assert (result.is_changed, result.accepted, len(result.diagnostics)) == (False, (), 1)


@pytest.mark.parametrize("view", [None, Seat("red"), Seat("blue")])
def test_everybody_reads_every_word(view: Seat | None) -> None:
    session = send(begun(), "red: WORD cow").session
    (row,) = log_of(session, session.game.journal[1:], view)
    assert (row.seat, row.order, row.min) == ("red", "WORD cow", 0)
    assert row.told == ("red's word for chance: cow, mixed in from the next turn on",)


def test_a_finished_game_takes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun()
    over = replace(session, rules=session.rules.changed(is_over=_always))
    result = send(over, "red: WORD cow")
    assert not result.accepted
    assert "is over" in result.notes[0][1]


_always: Callable[[Any, Any], bool] = lambda _config, _state: True  # noqa: E731


def test_corrections_draw_with_the_words_in_force() -> None:
    """An amended position may draw at once: the audit finds the same, with a word that came before."""
    session = step(step(begun(), "red: WORD cow"), "blue: WORD fish")
    amended = correct.amend(session, ["racers[red].minutes=3"], "a slip of the pen")
    handed = correct.hand_over(amended, Seat("red"), "Zoe", "moved house")
    told = correct.reveal(step(handed), "all may know", is_forced=True)
    assert is_sound(send(told, "red: WORD hen").session)


def test_a_receipt_names_a_word_by_the_number_that_players_know() -> None:
    session = begun()
    seat = due(session)
    skipped = send(session, f"{seat}: IF minutes > 500 THEN {first_legal(session)}").session
    assert len(skipped.game.journal) == 2
    (receipt,) = send(skipped, "red: WORD cow").receipts
    assert receipt.orders[0].reason == "entry 1, mixed in from the next turn on"


def test_a_word_counts_though_a_later_mail_takes_the_place_of_the_orders_beside_it() -> None:
    session = begun()
    seat = due(session)
    orders = [session.rules.language.text(order) for order in _legal(session)]
    result = send(session, f"{seat}:\n{orders[0]}\nWORD cow", f"{seat}:\n{orders[1]}")
    assert [link.entry.order for link in result.accepted] == [orders[1], "WORD cow"]
    late = send(session, f"{seat}:\n{orders[0]}\nWORD cow", f"{seat}:\nPLAICE\nWORD fish")
    assert [link.entry.order for link in late.accepted] == [orders[0], "WORD fish"]
    assert is_sound(result.session)
    assert is_sound(late.session)


@pytest.mark.parametrize(
    "hostile", ["\ufdfa" * 60, "a" * 400, "{}[]\\\"'", "\u0130" * 30, "UNDO to 0", "red: DRAW", "\u202ecow", "<b>cow</b>"]
)
def test_hostile_words_are_taken_in_one_form_or_told(hostile: str) -> None:
    result = send(begun(), f"red:\nWORD {hostile}\nWORD fish\nWORD {hostile}")
    assert {problem.problem.code for problem in result.diagnostics} <= {"orders/bad-word"}
    (word,) = (link.entry for link in result.accepted)
    assert len(word.order) <= 65
    assert set(word.order) & set("{}[]\"'\\:<>#;") == set()
    assert is_sound(result.session)
