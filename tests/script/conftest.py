"""Scripts to play: written out of games that were played, some as if their draws had been noted at a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from play import begin
from typer.testing import Result

from adjudicator.begin import GameChoices, begin_game
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Player
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.session import Session

RULES = "checkpoint-rally"
EXAMPLES = Path(__file__).parents[2] / "examples" / RULES


@pytest.fixture(scope="session")
def examples() -> Path:
    return EXAMPLES


def heading(session: Session) -> list[str]:
    game = session.game
    seats = [f"seat {player.seat}={player.holder}" for player in game.setup.players]
    return [f"script {game.ruleset.id}", f"id {game.id}", *seats, f"seed {game.chance.secret}"]


def blocks(session: Session) -> list[list[str]]:
    """Return the lines of each turn of a game, as they would be written down."""
    turns: dict[int, list[str]] = {}
    for link in session.game.journal[1:]:
        entry = link.entry
        turns.setdefault(entry.turn, []).append(f"{entry.seat}: {entry.written or entry.order}")
    return list(turns.values())


@pytest.fixture(scope="session")
def script_of() -> Callable[[Session], str]:
    """Return the script of a game with derived chance."""

    def write(session: Session) -> str:
        lines = heading(session)
        for number, block in enumerate(blocks(session), 1):
            lines += [f"turn {number}", *block]
        return "\n".join(lines) + "\n"

    return write


@pytest.fixture(scope="session")
def applied() -> Callable[[Session], Session]:
    """Return what the commands give for the orders of a game: `new`, and for each turn `apply` with a turn file."""

    def run(session: Session) -> Session:
        game = session.game
        setup = game.setup
        choices = GameChoices(
            ruleset=game.ruleset.id,
            id=game.id,
            players=setup.players,
            components=setup.components,
            secret=game.chance.secret,
        )
        again = begin_game(choices)
        for block in blocks(session):
            sheets: dict[str, list[str]] = {}
            for line in block:
                seat, _, order = line.partition(": ")
                sheets.setdefault(seat, [f"{seat}:"]).append(f"  {order}")
            text = "\n".join(line for sheet in sheets.values() for line in sheet)
            result = adjudicate_files(again, [("turn", text.encode())])
            assert not result.diagnostics
            again = result.session
        return again

    return run


@pytest.fixture(scope="session")
def played() -> Callable[[str, str], Session]:
    """Return a shipped game, played from its turn files; arguments: the name of the example, the secret."""

    def play(name: str, **changes: Any) -> Session:
        session = begin(RULES, **changes)
        for path in sorted((EXAMPLES / name).glob("turn-*.txt")):
            session = adjudicate_files(session, [(path.name, path.read_bytes())]).session
        return session

    return play


@pytest.fixture(scope="session")
def two_players(played: Callable[..., Session]) -> Session:
    secret = "892c2d58776394760045698cff022a8463160923d1de11c65299d21135e6db8d"
    players = (Player(Seat("red"), "Ann"), Player(Seat("blue"), "Bob"))
    session = played("two-players", id="rally-021", players=players, secret=secret)
    assert session.game.set_aside  # of that no script knows
    return session.with_game(replace(session.game, set_aside=()))


@pytest.fixture
def run(run: Callable[..., Result]) -> Callable[..., Result]:
    """Return the command `replay`, which is to succeed unless another ``code`` is asked for."""
    return partial(run, "replay", code=0)
