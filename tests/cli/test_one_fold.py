"""A command loads the game file once and folds its journal once, however many parts of the program read its states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.core.canonical import digest
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.rulesets import ruleset
from adjudicator.session import load_session
from adjudicator.store import load
from adjudicator.store.save import dump_game

RACE = Path(__file__).parent.parent.parent / "examples" / "checkered-flag" / "race"
MAIL = "From: Bob <bob@example.org>\nSubject: orders\nDate: Mon, 2 Mar 2026 20:00:00 +0000\n\nGEAR 1\n"


@pytest.fixture(scope="module")
def race() -> bytes:
    """Return the file of a race after ten turns with orders that wait, refused ones and conditions."""
    session = load_session((RACE / "start.json").read_bytes())
    for number in range(1, 9):
        text = (RACE / f"turn-{number:02}.txt").read_bytes()
        session = adjudicate_files(session, [(f"{number}.txt", text)]).session
    assert len(session.game.journal) > 15
    return dump_game(session.game)


COMMANDS = {
    "apply a text": ("apply", "g.json", "orders.txt"),
    "apply a mail": ("apply", "g.json", "blue=bob.eml", "--log", "log.jsonl"),
    "check": ("check", "g.json", "orders.txt"),
    "turn": ("turn", "g.json", "blue=bob.eml", "-o", "out"),
    "report": ("report", "g.json", "--all", "out"),
    "report since": ("report", "g.json", "--since", "3", "--as", "red"),
    "show": ("show", "g.json"),
    "log": ("log", "g.json"),
}
MORE = {
    "replay": (("replay", "g.json", "--boards"), 2),
    "undo": (("undo", "g.json", "--to", "7", "--reason", "a slip"), 3),
}
"""They need states within an adjudication, too, which a timeline does not keep; and an undo makes a new timeline."""


@pytest.mark.parametrize(
    ("command", "most"), [*((one, 1) for one in COMMANDS.values()), *MORE.values()], ids=[*COMMANDS, *MORE]
)
def test_a_command_folds_the_journal_once(
    command: tuple[str, ...], most: int, race: bytes, run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An order of `apply` folded the journal seven times."""
    folded, loaded, known = Counter[int](), Counter[str](), list[Any]()
    rules, real = ruleset("checkered-flag"), load.load_game

    def evolve(config: Any, state: Any, event: Any) -> Any:
        known.append(event)  # kept, so that no other event gets its number
        folded[id(event)] += 1
        return rules.evolve(config, state, event)

    def load_game(source: Any, **options: Any) -> Any:
        loaded[digest(source if isinstance(source, bytes) else Path(source).read_bytes())] += 1
        return real(source, **options)

    for name, text in {"g.json": race, "orders.txt": b"blue: GEAR 1\n", "bob.eml": MAIL.encode()}.items():
        Path(name).write_bytes(text)
    counting = rules.changed(evolve=evolve)
    monkeypatch.setattr("adjudicator.session.ruleset", lambda _: counting)
    monkeypatch.setattr("adjudicator.session.load_game", load_game)
    monkeypatch.setattr("adjudicator.store.load.load_game", load_game)
    assert run(*command, code=0).exit_code == 0
    assert len(folded) >= 90, "the events of the game before the command"
    assert max(folded.values()) == most
    assert loaded[digest(race)] == 1
    assert set(loaded.values()) == {1}, "a game is only loaded again to prove that its new file can be read"
