"""Forged game files, chain and seal made anew: whatever a command stumbles over, the file is blamed, and no bug reported."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from typer.testing import Result

from adjudicator.verdict import Divergence, Kind, Verdict

Run = Callable[..., Result]
Orders = Callable[..., str]
Forge = Callable[[dict[str, Any]], bytes]
Document = dict[str, Any]

COMMANDS: dict[str, tuple[str, ...]] = {
    "show": ("show",),
    "show as red": ("show", "--as", "red", "--json"),
    "legal": ("legal",),
    "log": ("log", "--events"),
    "log for machines": ("log", "--json", "--as", "moderator"),
    "check": ("check", "turn.txt"),
    "apply": ("apply", "turn.txt"),
    "replay": ("replay", "--boards"),
    "undo": ("undo", "--to", "0", "--reason", "x"),
    "amend": ("amend", "racers[blue].minutes=9", "--reason", "x"),
    "seat": ("seat", "red", "--holder", "Zoe", "--reason", "x"),
    "reveal": ("reveal", "--force", "--reason", "x"),
}
EXAMPLE = Path(__file__).parents[2] / "examples" / "checkpoint-rally" / "two-players"


def events(document: Document, kind: str) -> dict[str, Any]:
    """Return the first event of ``kind`` in the journal."""
    told = (event for link in document["journal"] for event in link["entry"]["events"])
    found: dict[str, Any] = next(event for event in told if event["kind"] == kind)
    return found


def racers(document: Document) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document["state"]["racers"]
    return found


FORGERIES: dict[str, Callable[[Document], Any]] = {
    "nobody races": lambda game: game["state"].update(racers=[]),
    "strangers in the order": lambda game: game["state"].update(order=["pink", "red"]),
    "a tile in a hand": lambda game: racers(game)[0].update(hand=["ZZ"]),
    "a card": lambda game: racers(game)[0].update(card="ZZ"),
    "a cell": lambda game: racers(game)[0].update(cell="Z9"),
    "a tile in the row": lambda game: game["state"].update(row=["ZZ"]),
    "a stranger moves": lambda game: events(game, "car-driven").update(seat="pink"),
    "a move to nowhere": lambda game: events(game, "car-driven").update(cell="Z9"),
    "a stranger is amended": lambda game: events(game, "amended")["after"].update(racers=[]),
    "undone to nowhere": lambda game: events(game, "undone").update(to=99),
    "a card of the set-up": lambda game: events(game, "seat-prepared").update(card="ZZ"),
    "a car of the set-up": lambda game: events(game, "seat-prepared").update(car="ZZ"),
}


@pytest.fixture(scope="module")
def document() -> Document:
    """Return a game in the middle of its race, amended, with entries undone and orders that wait."""
    from adjudicator.corrections.correct import amend, undo
    from adjudicator.moderate.adjudicate import adjudicate_files
    from adjudicator.session import open_session
    from adjudicator.store.load import load_game
    from adjudicator.store.save import dump_game

    session = open_session(load_game(EXAMPLE / "start.json"))
    for path in sorted(EXAMPLE.glob("turn-*.txt"))[:12]:
        session = adjudicate_files(session, [(path.name, path.read_bytes())]).session
    session = amend(session, ["racers[blue].minutes=30", "racers[red].minutes=20"], "misread")
    entries = len(session.game.journal)
    session = adjudicate_files(session, [("x", b"red: REFRESH")]).session
    assert len(session.game.journal) == entries + 1
    session = adjudicate_files(undo(session, entries - 1, "mail"), [("x", b"blue: REFRESH")]).session
    assert session.game.pending
    made: Document = json.loads(dump_game(session.game))
    return made


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_game_is_never_a_bug_of_the_program(
    run: Run, tmp_path: Path, orders: Orders, document: Document, forge: Forge, name: str
) -> None:
    changed = copy.deepcopy(document)
    FORGERIES[name](changed)
    forged, game = forge(changed), tmp_path / "rally.json"
    orders("red: DRAW\nblue: DRAW")
    blamed = []
    for command, (word, *more) in COMMANDS.items():
        game.write_bytes(forged)
        result = run(word, game, *more)  # raises what would be told as a bug
        if result.exit_code != 3:
            continue
        blamed.append(command)
        if "--json" in more:
            assert json.loads(result.stdout.splitlines()[-1])["error"] == "untrusted"
        else:
            assert f"adjudicator: {game}: this file cannot be trusted" in result.stderr
        assert game.read_bytes() == forged
    assert blamed


def test_the_divergence_is_told_with_its_entry(run: Run, tmp_path: Path, document: Document, forge: Forge) -> None:
    changed = copy.deepcopy(document)
    FORGERIES["undone to nowhere"](changed)
    (tmp_path / "rally.json").write_bytes(forge(changed))
    entry = next(link["entry"]["n"] for link in changed["journal"] if link["entry"]["order"].startswith("UNDO"))
    result = run("seat", "rally.json", "red", "--holder", "Zoe", "--reason", "x", code=3)
    assert f"\n  journal[{entry}]: entry {entry} (moderator: UNDO to " in result.stderr
    machine = run("seat", "rally.json", "red", "--holder", "Zoe", "--reason", "x", "--json", code=3)
    answer = json.loads(machine.stdout)
    assert (answer["error"], answer["file"], answer["violations"][0]["path"]) == (
        "untrusted",
        "rally.json",
        f"$.journal[{entry}]",
    )


def test_on_standard_input_too(run: Run, document: Document, forge: Forge) -> None:
    changed = copy.deepcopy(document)
    FORGERIES["nobody races"](changed)
    assert "standard input: " in run("show", "-", stdin=forge(changed), code=3).stderr


def test_a_failure_over_a_sound_game_is_a_bug(
    run: Run, game: Path, document: Document, forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> NoReturn:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.present.position_of", fail)
        with pytest.raises(ZeroDivisionError):
            run("show", game)
    changed = copy.deepcopy(document)
    FORGERIES["a stranger moves"](changed)
    game.write_bytes(forge(changed))
    monkeypatch.setenv("ADJUDICATOR_DEBUG", "1")  # who looks for a bug sees where it happened
    with pytest.raises(KeyError):
        run("show", game)


def test_a_game_of_another_version_is_not_blamed(
    run: Run, game: Path, document: Document, forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another version decided says nothing against a file: the failure stays a bug."""
    from adjudicator.audit import audit_source

    divergence = Divergence(Kind.VERSION, recomputed="played by version 1")
    monkeypatch.setattr(audit_source, "audit_source", lambda *_: Verdict("x", divergence=divergence))
    changed = copy.deepcopy(document)
    FORGERIES["a stranger moves"](changed)
    game.write_bytes(forge(changed))
    with pytest.raises(KeyError):
        run("show", game)
