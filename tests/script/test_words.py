"""Words for chance in scripts: written down with the orders of their turn, and read back to the same game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from play import begin, due, legal

from adjudicator.core.words import words_sent
from adjudicator.corrections.correct import undo
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.script.export import CannotExportError, export_script, is_same_game, validate_script
from adjudicator.script.play import ScriptRun, play_script
from adjudicator.session import Session


def step(session: Session, *lines: str) -> Session:
    orders = legal(session)
    text = f"{due(session)}: {'DRAW' if 'DRAW' in orders else orders[0]}"
    return adjudicate_files(session, [("turn", "\n".join((text, *lines)).encode())]).session


@pytest.fixture(scope="module")
def worded() -> Session:
    session = step(
        step(begin(seats="red=Ann blue", id="w", secret="5" * 64)),
        "blue: WORD \u03c3\u03c4\u03ac\u03c3\u03b9\u03c2",
        "red: WORD night train",
    )
    session = step(undo(step(session), 4, "x"))
    session = adjudicate_files(session, [("words", b"red: WORD seat")]).session
    return step(step(step(session)))


def test_a_game_with_words_comes_back_from_its_script(worded: Session) -> None:
    exported = export_script(worded, with_secret=True)
    assert exported.text.count(": WORD ") == len(words_sent(worded.game)) == 3
    validate_script(worded, exported, "")
    played = play_script("s", exported.text.encode(), None)
    assert played.session is not None
    assert is_same_game(worded, played.session)
    assert played.session.game.head == worded.game.head


def test_another_word_makes_another_game(worded: Session) -> None:
    text = export_script(worded, with_secret=True).text.replace("WORD night train", "WORD day train")
    again = play_script("s", text.encode(), None).session
    assert again is None or not is_same_game(worded, again)


def test_without_its_secret_no_script_tells_it(worded: Session) -> None:
    with pytest.raises(CannotExportError, match="--with-secret"):
        export_script(worded)


@pytest.fixture
def changed(worded: Session) -> Callable[[str, str], ScriptRun]:
    """Return what comes of the script of the game after one line was replaced."""
    text = export_script(worded, with_secret=True).text

    def play(old: str, new: str) -> ScriptRun:
        assert old in text
        return play_script("s", text.replace(old, new, 1).encode(), None)

    return play


@pytest.mark.parametrize(
    ("new", "code", "words"),
    [
        ("red: WORD no", "orders/bad-word", "3 to 60 letters"),
        ("red: WORD", "orders/bad-word", "is missing"),
        ("pink: WORD cow", "orders/unknown-seat", "pink"),
        ("red: WORD cow\nWORD fish", "script/word", "last one"),
    ],
)
def test_a_word_that_makes_no_entry_is_told(changed: Any, new: str, code: str, words: str) -> None:
    (problem, *_) = changed("red: WORD night train", new).diagnostics
    assert (problem.problem.code, words in problem.problem.message) == (code, True)


def test_a_word_that_is_its_seats_already_is_told(changed: Any) -> None:
    (problem,) = changed("red: WORD seat", "red: WORD Night train!").diagnostics
    assert (problem.problem.code, problem.seat) == ("script/word", "red")
    assert "already has" in problem.problem.message


def test_a_script_of_recorded_chance_has_no_words() -> None:
    text = export_script(begin("checkered-flag")).text + "turn 1\nred: WORD cow\n"
    (problem,) = play_script("s", text.encode(), None).diagnostics
    assert (problem.problem.code, problem.line) == ("script/word", text.count("\n"))
