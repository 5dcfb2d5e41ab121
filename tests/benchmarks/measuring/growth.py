"""What an order costs in games of any length, and a game in archives of any size."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from adjudicator.audit.decide import audit_game
from adjudicator.begin import GameChoices, begin_game
from adjudicator.core.engine import adjudicate
from adjudicator.core.game import Game
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Journal
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.ruleset import Player
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, NEIGHBOURS, ROTATIONS
from adjudicator.games.checkpoint_rally.orders import DrawTwo, Move, Place, Refresh
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders.submission import Addressee
from adjudicator.orders.turnfile import read_turn_files
from adjudicator.session import Session
from adjudicator.sources.find import find_sources
from adjudicator.store.components import shipped
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game
from measuring.clock import Measured, Work, measure
from measuring.recorded import Whole, forget
from measuring.works import audited

A_TURN = 100
"""So many orders of a long game arrive together."""
ENOUGH = 2_000
"""So many orders, or a fiftieth of it in games, a measurement has at least: small sizes are run several times."""


@dataclass(frozen=True)
class Long:
    """A long game before its first order and after its last, with the turns between: texts of orders."""

    before: Session
    after: Session
    turns: tuple[bytes, ...]

    def play(self) -> Game:
        """Return the game that comes of the texts, turn by turn."""
        session = self.before
        for text in self.turns:
            addressee = Addressee(session.game.id, session.game.turn, session.seats)
            received = read_turn_files(session.rules, addressee, [("orders.txt", text)])
            session = session.with_game(adjudicate(session.rules, session.config, session.game, received.sheets).game)
        return session.game


def long_game(orders: int, seed: int = 1) -> Long:
    """Play a race of Checkpoint Rally that nobody ever finishes, ``orders`` orders long."""
    luck = Random(seed)
    players = tuple(Player(Seat(name)) for name in ("red", "blue", "green", "yellow"))
    components, _ = shipped(RULESET)
    choices = GameChoices(ruleset=RULESET.meta.id, id="long", players=players, components=components, secret=f"{seed:064x}")
    before = session = begin_game(choices)
    turns: list[bytes] = []
    sheets: dict[str, list[str]] = {}
    for number in range(1, orders + 1):
        seat, order = _wandering(session, luck)
        outcome = adjudicate(session.rules, session.config, session.game, [Sheet(seat, (Instruction(order),))])
        assert not outcome.diagnostics
        session = session.with_game(outcome.game)
        sheets.setdefault(str(seat), []).append(session.rules.language.text(order))
        if number % A_TURN == 0 or number == orders:
            turns.append("\n".join(line for seat, lines in sheets.items() for line in (f"{seat}:", *lines)).encode())
            sheets.clear()
    return Long(before, session, tuple(turns))


def _wandering(session: Session, luck: Random) -> tuple[Seat, Any]:
    """Return whose turn it is and an order that does not end its race."""
    config, state = session.config, session.game.state
    decision = RULESET.awaiting(config, state)[0]
    seat = decision.seat
    racer = state.racer(seat)
    left = set(config.maps[racer.card]) - set(racer.marked) if racer.card else set()
    while decision.kind == "action":
        order = luck.choice((_laid, _driven, _drawn))(config, racer, luck)
        if RULESET.refusal(config, state, seat, order) is None and not left <= set(getattr(order, "path", ())):
            return seat, order
    return seat, next(iter(RULESET.legal(config, state, seat)))


def _laid(_config: Any, racer: Any, luck: Random) -> Any:
    return Place(luck.choice(racer.hand), luck.choice(CELLS), luck.choice(ROTATIONS)) if racer.hand else DrawTwo()


def _driven(config: Any, racer: Any, luck: Random) -> Any:
    beside = [cell for cell in NEIGHBOURS[INDEX[racer.cell or config.corners[racer.seat]]] if cell is not None]
    return Move((CELLS[luck.choice(beside)],))


def _drawn(_config: Any, _racer: Any, luck: Random) -> Any:
    return luck.choice((DrawTwo(), Refresh()))


def by_orders(sizes: Sequence[int], rounds: int) -> Iterator[tuple[int, Measured]]:
    """Yield what an order costs in games of ``sizes`` orders: beside it, what it costs in the shortest."""
    games = {size: long_game(size) for size in sizes}
    files = {size: dump_game(game.after.game) for size, game in games.items()}
    for make in (adjudicating, auditing, loading, one_more):
        works = [make(size, games[size], files[size]) for size in sizes]
        yield from zip(sizes, measure(works, [replace(works[0], name="shortest")], rounds), strict=True)


def _repeated(name: str, size: int, run: Any) -> Work:
    return Work(name, run, size, max(1, ENOUGH // size))


def adjudicating(size: int, game: Long, _file: bytes) -> Work:
    """Return the adjudication of a game from its texts."""

    def play() -> None:
        forget()
        assert len(game.play().journal) == size + 1

    return _repeated("adjudicate", size, play)


def auditing(size: int, game: Long, _file: bytes) -> Work:
    """Return the audit of a game that is loaded."""

    def audit() -> None:
        forget()
        assert audit_game(game.after).divergence is None

    return _repeated("audit", size, audit)


def loading(size: int, _game: Long, file: bytes) -> Work:
    """Return the loading of a file."""
    return _repeated("load", size, lambda: load_game(file))


def one_more(_size: int, game: Long, _file: bytes) -> Work:
    """Return the adjudication of one order in a game that has just been loaded."""
    session = game.after
    seat = RULESET.awaiting(session.config, session.game.state)[0].seat
    order = next(iter(RULESET.legal(session.config, session.game.state, seat)))
    journal = Journal(session.game.journal)

    def give() -> None:
        # The order before has gone on with the same list: what is its own would be copied.
        outcome = adjudicate(session.rules, session.config, replace(session.game, journal=journal), [_sheet(seat, order)])
        assert outcome.accepted
        del journal._shared[journal._length :]

    return Work("one more order", give, 1, 200)


def _sheet(seat: Seat, order: Any) -> Sheet:
    return Sheet(seat, (Instruction(order),))


def by_games(folder: Path, games: Sequence[Whole], sizes: Sequence[int], rounds: int) -> Iterator[tuple[int, Measured]]:
    """Yield what the audit of a game costs in folders of ``sizes`` files: beside it, what it costs in the smallest."""
    works = [archive(folder / str(size), games, size) for size in sizes]
    yield from zip(sizes, measure(works, [replace(works[0], name="shortest")], rounds), strict=True)


def archive(folder: Path, games: Sequence[Whole], size: int) -> Work:
    """Return the audit of a folder that is made of ``size`` games, each of ``games`` many times."""
    folder.mkdir()
    for number in range(size):  # one file under many names: ten thousand games take no room
        os.link(games[number % len(games)].path, folder / f"{number:06}.json")

    def audit() -> None:
        forget()
        verified = sum(1 for verdict in audited(find_sources([str(folder)])) if verdict.divergence is None)
        assert verified == size

    return Work("audit of a folder", audit, size, max(1, ENOUGH // 50 // size))
