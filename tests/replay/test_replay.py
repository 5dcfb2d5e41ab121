"""The replay of game files: entry by entry, as a seat may read it, with the position after each."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from past import session_after
from play import begin
from typer.testing import Result

from adjudicator.core.corrections import Undone
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.journal import link
from adjudicator.corrections.correct import amend, reveal, undo
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.present import log_of, position_maker, position_of
from adjudicator.replay import NoSuchEntryError, moves_of
from adjudicator.reports.cli.replay import replayed_move
from adjudicator.session import Session
from adjudicator.store.save import dump_game

EXAMPLE = Path(__file__).parents[2] / "examples" / "checkpoint-rally" / "two-players"
Run = Callable[..., Result]
VIEWERS = (None, Seat("red"), Seat("blue"), MODERATOR)


@pytest.fixture(scope="module")
def sessions() -> tuple[Session, ...]:
    """Return a game after its set-up, after each of its first turns, and after two corrections."""
    secret = "892c2d58776394760045698cff022a8463160923d1de11c65299d21135e6db8d"
    sessions = [begin(seats="red=Ann blue=Bob", id="rally-021", secret=secret)]
    for path in sorted(EXAMPLE.glob("turn-0[1-5].txt")):
        sessions.append(adjudicate_files(sessions[-1], [(path.name, path.read_bytes())]).session)
    last = sessions[-1]
    undone = undo(last, len(last.game.journal) - 3, "the wrong mail")
    return (*sessions, undone, amend(undone, ["racers[red].minutes=40"], "a slip of the pen"))


@pytest.fixture
def game(sessions: tuple[Session, ...], tmp_path: Path) -> str:
    (tmp_path / "race.json").write_bytes(dump_game(sessions[-1].game))
    return "race.json"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_position_after_an_entry_is_what_show_said_then(sessions: tuple[Session, ...], viewer: Seat | None) -> None:
    moves = {move.entry.n: move for move in moves_of(sessions[-1], viewer)}
    for session in sessions:
        then = replace(position_of(session, viewer), pending=())
        assert position_of(session_after(sessions[-1], moves[session.game.journal[-1].entry.n]), viewer) == then


@pytest.mark.parametrize("viewer", VIEWERS)
def test_positions_one_after_the_other_are_those_found_each_by_itself(
    sessions: tuple[Session, ...], viewer: Seat | None
) -> None:
    """Also where the secret was told and the game goes on, so that no head may be told any more; and backwards."""
    told = undo(reveal(sessions[-1], "asked for", is_forced=True), 5, "played on")
    position_after, moves = position_maker(told, viewer), list(moves_of(told, viewer))
    for move in (*moves, moves[3], moves[-1]):
        alone = position_of(session_after(told, move), viewer, move.turn)
        assert position_after(move.entry.n, move.state, move.turn) == alone


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_rows_are_those_of_the_log(sessions: tuple[Session, ...], viewer: Seat | None) -> None:
    session = sessions[-1]
    rows = [row for move in moves_of(session, viewer) for row in move.rows]
    assert tuple(rows) == log_of(session, session.game.journal, viewer)
    assert all(move.rows[0].seat == move.entry.seat for move in moves_of(session, viewer))


def test_an_entry_that_was_undone_is_marked(sessions: tuple[Session, ...], game: str, run: Run) -> None:
    undoing = len(sessions[-2].game.journal) - 1
    marked = [move.entry.n for move in moves_of(sessions[-1], None) if move.rows[0].undone_by == undoing]
    assert marked == [undoing - 2, undoing - 1]
    assert run(game).stdout.count(f"undone by entry {undoing}: ") == 2
    told = [json.loads(line) for line in run(game, "--json").stdout.splitlines()]
    assert [data["n"] for data in told if data.get("undone_by") == undoing] == marked


def test_json_is_a_line_an_entry_with_the_log_and_the_position(sessions: tuple[Session, ...], game: str, run: Run) -> None:
    told = [json.loads(line) for line in run(game, "--json", "--boards", "--as", "red").stdout.splitlines()]
    assert [data["n"] for data in told] == list(range(len(sessions[-1].game.journal)))
    moves = list(moves_of(sessions[-1], Seat("red")))
    assert [data["order"] for data in told] == [move.rows[0].order for move in moves]
    assert all(data["position"]["viewer"] == "red" for data in told)
    assert replayed_move(moves[0]).position is None


def test_only_the_entries_asked_for_are_shown(game: str, run: Run) -> None:
    lines = run(game, "--from", 2, "--until", 4, "--json").stdout.splitlines()
    assert [json.loads(line)["n"] for line in lines] == [2, 3, 4]
    shown = run(game, "--from", 2, "--until", 2).stdout
    assert "  2  Ann (red)  PLACE U10 at A1 rot 90" in shown
    assert shown.rstrip().endswith(
        "due after entry 2:\n  Ann (red): choose an action: PLACE, MOVE, DRAW, REFRESH or TAKE (CR-T1)"
    )
    assert run(game, "--from", 1, "--until", 2, "--boards").stdout.count("as everybody sees it") == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--until", 99), "no entry 99"),
        (("--from", -1), "there is no entry -1"),
        (("--from", 5, "--until", 4), "after its end"),
        (("--as", "green"), "no seat “green”"),
    ],
)
def test_numbers_and_seats_that_are_none_are_told(game: str, run: Run, options: tuple[object, ...], words: str) -> None:
    assert words in run(game, *options, code=2).stderr
    assert json.loads(run(game, *options, "--json", code=2).stdout)["message"]


def test_secrets_stay_secret(sessions: tuple[Session, ...], game: str, run: Run) -> None:
    told = run(game, "--json", "--boards").stdout
    cards = [racer.card for racer in sessions[-1].game.state.racers]
    assert not any(f'"{card}"' in told for card in cards)
    mine = run(game, "--json", "--boards", "--as", "red").stdout
    assert [f'"{card}"' in mine for card in cards] == [True, False]


def test_a_file_from_standard_input_and_a_damaged_one(game: str, run: Run) -> None:
    data = Path(game).read_bytes()
    assert run("-", stdin=data).output == run(game).output
    Path("bad.json").write_bytes(data.replace(b"slip", b"slap"))
    assert "bad.json: this file" in run("bad.json", code=3).stderr
    assert "standard input: " in run("-", stdin=b"hello", code=3).stderr
    assert "no such file" in run("none.json", code=2).stderr


def test_events_that_cannot_follow_end_the_replay_with_what_the_audit_says(sessions: tuple[Session, ...], run: Run) -> None:
    session = sessions[1]
    last = session.game.journal[-1]
    forged = replace(last.entry, n=last.entry.n + 1, events=(Undone(to=7, reason="x"),))
    game = replace(session.game, journal=session.game.journal.extended((link(session.game.head, forged),)))
    with pytest.raises(IndexError):
        list(moves_of(session.with_game(game), None))
    with pytest.raises(NoSuchEntryError):
        moves_of(session, None, 0, 9)
    Path("forged.json").write_bytes(dump_game(game))
    told = run("forged.json", code=3).stderr
    assert "forged.json: this file" in told
    assert "journal[2]: entry 2 " in told


def test_a_game_that_only_begins_has_its_set_up(sessions: tuple[Session, ...]) -> None:
    (move,) = moves_of(sessions[0], None)
    assert move.entry.n == 0
    with pytest.raises(NoSuchEntryError, match="only entry 0, the set-up"):
        moves_of(sessions[0], None, 1)
