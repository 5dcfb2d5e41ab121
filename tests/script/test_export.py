"""Games written as scripts, and back again without a difference."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from portion import portion
from typer.testing import Result

from adjudicator.core.corrections import SecretRevealed
from adjudicator.core.game import Game
from adjudicator.core.step import gist
from adjudicator.present import log_of
from adjudicator.script.export import export_script
from adjudicator.script.play import play_script
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

ROOT = Path(__file__).parents[2]
Run = Callable[..., Result]
FILES = sorted((ROOT / "tests/data/games").glob("*/*.json")) + sorted((ROOT / "examples").glob("*/*/*.json"))
GAMES = [path for path in FILES if b'"journal":' in path.read_bytes()]
OLD = ROOT / "tests/data/games/format-1/games.zip"


def again(session: Session, folder: Path, *, with_secret: bool) -> Session:
    """Return the game that comes of the script of ``session``."""
    exported = export_script(session, "game", with_secret=with_secret)
    for name, data in exported.files.items():
        (folder / name).write_bytes(data)
    played = play_script("game.txt", exported.text.encode(), str(folder))
    assert played.diagnostics == ()
    assert played.session is not None
    return played.session


def without_what_no_script_holds(game: Game) -> Game:
    return replace(game, pending=(), set_aside=(), receipts=(), reported=0, languages=())


def without_explanations(game: Game) -> tuple[Any, ...]:
    """Return what happened in ``game``; words that explain a choice may be put better by a later version."""
    entries = (link.entry for link in game.journal)
    return game.state, game.chance, game.setup, [replace(entry, notes=tuple(map(gist, entry.notes))) for entry in entries]


def assert_nothing_differs(old: Session, new: Session) -> None:
    """Compare state, standings and logs of two games; where outcomes are written down now, only sheets differ."""
    assert old.game.state == new.game.state
    assert old.rules.standings(old.config, old.game.state) == new.rules.standings(new.config, new.game.state)
    assert [link.entry.drawn for link in old.game.journal] == [link.entry.drawn for link in new.game.journal]
    for viewer in (None, *old.seats):
        rows = [
            [
                replace(row, commitment=None, begun=None, proof=None, notes=())
                for row in log_of(session, session.game.journal, viewer)
            ]
            for session in (old, new)
        ]
        assert rows[0] == rows[1]


@pytest.mark.parametrize("path", portion(GAMES, 20), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_recorded_game_comes_back(path: Path, tmp_path: Path) -> None:
    session = open_session(load_game(path))
    same = again(session, tmp_path, with_secret=True)
    assert without_explanations(same.game) == without_explanations(session.game)
    if session.game.chance.source == "recorded" or is_revealed(session):
        return
    noted = again(session, tmp_path, with_secret=False)
    assert noted.game.chance.source == "recorded"
    assert_nothing_differs(session, noted)


def is_revealed(session: Session) -> bool:
    return any(isinstance(event, SecretRevealed) for link in session.game.journal for event in link.entry.events)


@pytest.mark.parametrize("name", portion(sorted(ZipFile(OLD).namelist()), 16))
def test_games_of_the_first_version_of_the_rules_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    with ZipFile(OLD) as archive:
        data = archive.read(name)
    session = open_session(load_game(data))
    same = again(session, tmp_path, with_secret=True)
    assert same.game.ruleset == session.game.ruleset
    assert without_explanations(same.game) == without_explanations(session.game)


def test_a_promised_game_with_odd_names_comes_back(run: Run, tmp_path: Path) -> None:
    command: Any = run.func  # type: ignore[attr-defined]
    seats = ("--seat", 'red="Ann" # 2', "--seat", "blue=Zoë ; the first")
    command("new", "checkered-flag", *seats, "--seed", "ab" * 32, "--commit-only", "-o", "g.json", code=0)
    command("words", "g.json", "red=a #1 horse; really", "--publish", "--without", "blue", code=0)
    command("begin", "g.json", code=0)
    command("apply", "g.json", "-", stdin="red: GEAR 1\nblue: GEAR 1\n")
    command("seat", "g.json", "red", "--holder", "", "--reason", 'left # "for good" ; alas', code=0)
    command("amend", "g.json", "racers[blue].driven=5", "--reason", "misread", code=0)
    command("undo", "g.json", "--to", "1", "--reason", "as it was", code=0)
    command("reveal", "g.json", "--force", "--reason", "we stop", code=0)
    session = open_session(load_game("g.json"))
    same = again(session, tmp_path, with_secret=False)
    assert dump_game(same.game) == dump_game(without_what_no_script_holds(session.game))


def test_the_command_writes_a_script_that_is_imported_again(run: Run, tmp_path: Path) -> None:
    game = ROOT / "examples/checkpoint-rally/two-players/game.json"
    told = run(game, "--export", "game.txt", "--with-secret").stdout
    assert told.startswith("game.txt: Checkpoint Rally, game ")
    run("game.txt", "--import", "again.json")
    assert run("again.json", "--as", "moderator").stdout == run(game, "--as", "moderator").stdout
    assert "already exists" in run(game, "--export", "game.txt", code=2).stderr
    text = run(game, "--export", "-").stdout
    if "\nrecorded " in text:
        assert text.startswith("# The secret of this game was not published: its outcomes are written down")
    assert json.loads(run(game, "--export", "x.txt", "--json").stdout)["file"] == "x.txt"


def test_files_that_a_script_needs_are_written_beside_it(run: Run) -> None:
    game = next(path for path in GAMES if json.loads(path.read_bytes())["setup"]["position"] is not None)
    told = run(game, "--export", "puzzle.txt", "--with-secret").stdout
    assert "  beside it   puzzle.position.json\n" in told
    assert Path("puzzle.position.json").is_file()
    assert "must go into a separate file" in run(game, "--export", "-", code=1).stderr
    run("puzzle.txt", "--import", "again.json")
    assert "puzzle.txt already exists" in run(game, "--export", "puzzle.txt", code=2).stderr
    written = Path("puzzle.txt").read_bytes()
    Path("puzzle.txt").unlink()  # as after a run that was killed before it came to the script
    Path("puzzle.position.json.lock").touch()
    run(game, "--export", "puzzle.txt", "--with-secret", code=0)
    assert not Path("puzzle.position.json.lock").exists()
    assert Path("puzzle.txt").read_bytes() == written
    Path("puzzle.position.json").write_bytes(b"mine")
    assert "puzzle.position.json, which already exists" in run(game, "--export", "puzzle.txt", code=2).stderr
    assert Path("puzzle.position.json").read_bytes() == b"mine"


def test_a_game_that_is_not_as_the_rules_have_it_is_not_exported(run: Run, forge: Any, tmp_path: Path) -> None:
    document = json.loads((ROOT / "examples/checkered-flag/race/game.json").read_bytes())
    document["journal"][3]["entry"]["drawn"] += 1
    (tmp_path / "g.json").write_bytes(forge(document))
    for more in ((), ("--with-secret",)):
        assert "nothing was written" in run("g.json", "--export", "x.txt", *more, code=1).stderr
    assert not Path("x.txt").exists()


@pytest.mark.parametrize(
    "arguments",
    [("--with-secret",), ("--export", "x", "--boards"), ("--export", "x", "--import", "y"), ("--export", "g.json")],
)
def test_misuse(run: Run, arguments: tuple[str, ...]) -> None:
    Path("g.json").write_bytes((ROOT / "examples/checkered-flag/race/game.json").read_bytes())
    run("g.json", *arguments, code=2)
    Path("s.txt").write_text("script checkered-flag\n")
    assert "is already a script" in run("s.txt", "--export", "x", code=2).stderr
