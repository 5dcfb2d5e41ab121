"""The recorded games as texts to adjudicate: of each its beginning, and all its orders in one turn file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from adjudicator.audit import recorded_orders
from adjudicator.core.engine import adjudicate
from adjudicator.core.game import Game
from adjudicator.core.journal import Journal
from adjudicator.orders import parser
from adjudicator.orders.submission import Addressee
from adjudicator.orders.turnfile import read_turn_files
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game

FOLDER = Path(__file__).parents[2] / "recorded"
RULESETS = tuple(sorted(folder.parent.name for folder in FOLDER.glob("*/situations.py")))


@dataclass(frozen=True)
class Whole:
    """A whole game: its file, as it was ``before`` the first order, and the text of all ``orders``."""

    path: Path
    data: bytes
    before: Session
    text: bytes
    orders: int

    def play(self) -> Game:
        """Return the game that comes of the text: read, decided, and chained by hashes."""
        addressee = Addressee(self.before.game.id, self.before.game.turn, self.before.seats)
        received = read_turn_files(self.before.rules, addressee, [("orders.txt", self.text)])
        return adjudicate(self.before.rules, self.before.config, self.before.game, received.sheets).game


def forget() -> None:
    """Remember no line that was read: every measurement reads its own."""
    parser.reader.forget()
    recorded_orders.reader.forget()


def whole_games(ruleset: str, most: int) -> list[Whole]:
    """Return up to ``most`` recorded games of ``ruleset`` that come out again when their orders arrive all at once.

    Those with corrections or with chance that was written down are none: there is more to them than orders.
    """
    paths = sorted((FOLDER / ruleset).glob("*.json"))
    spaced = [path for first in range(7) for path in paths[first::7]]  # all kinds of games, not only the first ones made
    found: list[Whole] = []
    for whole in _orders_only(spaced):
        game = load_game(whole.data)
        if _told(whole.play()) == _told(game):
            found.append(whole)
        if len(found) == most:
            break
    return found


def _orders_only(paths: list[Path]) -> Iterator[Whole]:
    for path in paths:
        data = path.read_bytes()
        game = load_game(data)
        entries = [link.entry for link in game.journal]
        if game.chance.source == "committed" and all(entry.seat in game.setup.seats for entry in entries[1:]):
            yield _whole(path, data, open_session(game))


def _whole(path: Path, data: bytes, session: Session) -> Whole:
    game = session.game
    begun = Journal(game.journal[:1])
    state = session.timeline.state_after(0)
    before = session.with_game(replace(game, journal=begun, state=state, pending=(), receipts=(), set_aside=(), reported=0))
    sheets: dict[str, list[str]] = {}
    for link in game.journal[1:]:
        sheets.setdefault(str(link.entry.seat), []).append(link.entry.written or link.entry.order)
    lines = [line for seat, orders in sheets.items() for line in (f"{seat}:", *orders)]
    return Whole(path, data, before, "\n".join(lines).encode(), len(game.journal) - 1)


def _told(game: Game) -> list[object]:
    """Return what has happened in ``game``, whichever turn it happened in."""
    return [link.entry.events for link in game.journal]
