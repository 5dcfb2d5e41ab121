"""What is measured: whole recorded games, simulated players, and commands from their start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from adjudicator.audit.audit_source import audit_source
from adjudicator.core.engine import fold
from adjudicator.core.game import Game
from adjudicator.rulesets import meta
from adjudicator.session import open_session
from adjudicator.simulate.plan import Plan
from adjudicator.simulate.play import play_game
from adjudicator.simulate.players import PLAYERS
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Candidate, Source
from adjudicator.store.load import load_carefully, load_game
from adjudicator.store.save import dump_game
from adjudicator.verdict import Verdict
from measuring import yardsticks
from measuring.clock import Work
from measuring.recorded import Whole, forget, whole_games

MOST_ORDERS = 60
"""So many orders of a game are simulated: some rulesets' games would go on for minutes."""


def adjudicating(ruleset: str, games: Sequence[Whole]) -> Work:
    """Return the adjudication of whole games, text in and hashed game out; its units are orders."""

    def play() -> None:
        forget()
        for game in games:
            game.play()

    return Work(ruleset, play, sum(game.orders for game in games))


def audited(sources: Iterable[Candidate]) -> Iterator[Verdict]:
    """Yield the verdicts on games, in this process, whose time is measured."""
    with Opener() as opener:
        for source in sources:
            verdict = audit_source(source, opener)
            assert isinstance(verdict, Verdict)
            yield verdict


def reading(games: Sequence[Whole]) -> list[Work]:
    """Return what is done with the files of games; its units are files."""
    loaded = [load_game(game.data) for game in games]

    def audit() -> None:
        forget()
        sources = [Source(game.path.name, game.path.name, data=game.data) for game in games]
        assert all(verdict.divergence is None for verdict in audited(sources))

    def folded(game: Game) -> None:
        session = open_session(game)
        fold(session.rules, session.config, (event for link in game.journal for event in link.entry.events))

    return [
        Work("load", lambda: [load_game(game.data) for game in games], len(games)),
        Work("load with care", lambda: [load_carefully("game", game.data) for game in games], len(games)),
        Work("fold", lambda: [folded(game) for game in loaded], len(games)),
        Work("audit from bytes", audit, len(games)),
        Work("write", lambda: [dump_game(game) for game in loaded], len(games)),
    ]


def simulating(ruleset: str, player: str) -> Work:
    """Return the first orders of a simulated game; its units are orders."""
    seats = min(4, meta(ruleset).players[1])
    plan = Plan(ruleset=ruleset, games=1, players=seats, player=player, most_orders=MOST_ORDERS)
    return Work(f"{ruleset}, {player}", lambda: play_game(plan, 1), play_game(plan, 1).orders)


def every_player(rulesets: Sequence[str]) -> list[Work]:
    """Return the players of all ``rulesets``."""
    return [simulating(ruleset, player) for ruleset in rulesets for player in PLAYERS]


def commands(folder: Path, orders: int = 40) -> list[Work]:
    """Return commands from their start, on a game of Checkpoint Rally in ``folder`` with so many orders to come."""
    whole = next(whole for whole in whole_games("checkpoint-rally", 20) if whole.orders >= orders)
    text = _first_orders(whole, orders)
    begun, over, sheet = folder / "begun.json", folder / "over.json", folder / "orders.txt"
    begun.write_bytes(dump_game(whole.before.game))
    over.write_bytes(whole.data)
    sheet.write_bytes(text)
    told: dict[str, tuple[Any, ...]] = {
        "--version": ("--version",),
        "--help": ("--help",),
        "show": ("show", over),
        f"check of {orders} orders": ("check", begun, sheet),
        f"apply of {orders} orders": ("apply", begun, sheet, "-o", folder / "new.json"),
    }
    return [_command(name, *arguments) for name, arguments in told.items()]


def _command(name: str, *arguments: Any) -> Work:
    words = ("-m", "adjudicator", *map(str, arguments))
    yardsticks.run(*words)  # what is compiled and cached once is by now
    return Work(name, lambda: yardsticks.run(*words), 1)


def _first_orders(whole: Whole, orders: int) -> bytes:
    """Return the text of the first ``orders`` orders of a game."""
    sheets: dict[str, list[str]] = {}
    for link in load_game(whole.data).journal[1 : orders + 1]:
        sheets.setdefault(str(link.entry.seat), []).append(link.entry.written or link.entry.order)
    text = "\n".join(line for seat, given in sheets.items() for line in (f"{seat}:", *given)).encode()
    assert len(replace(whole, text=text).play().journal) == orders + 1
    return text
