"""The commands `undo`, `amend`, `seat` and `reveal`: correct a game with an entry in the journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Final

import typer

from adjudicator.cli.arguments import GameFile, Json
from adjudicator.cli.failures import explained, reasons
from adjudicator.cli.files import hold, is_same, sound_bytes, spare_others, write_file
from adjudicator.cli.output import MisuseError, say, say_unchanged, terminal_width
from adjudicator.core.problem import CorrectionError
from adjudicator.core.values import Value

if TYPE_CHECKING:
    from adjudicator.core.values import Seat
    from adjudicator.library.game import Game
    from adjudicator.reports.data.position import Position
    from adjudicator.results import LogRow

Reason = Annotated[str, typer.Option("--reason", metavar="WORDS", help="the reason, for the record")]
Output = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="write the new game here and keep GAME; only an earlier version of this game is replaced",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="with -o: replace the file even if it is not this game")]
_REMEDY: Final = "name another file, or use --force"


def undo(
    game: GameFile,
    reason: Reason,
    to: Annotated[int, typer.Option("--to", metavar="N", help="the last entry that stays valid")],
    output: Output = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Return to the position after an entry.

    Later entries stay in the record, marked as undone. If players give the same orders again, they draw the same outcomes.
    Pending orders are set aside, because they were written for another position; `pending` can bring them back.

    Example:
      adjudicator undo race.json --to 12 --reason "blue's mail was overlooked"
    """
    _correct(game, _Target(output, force), lambda before: before.undo(to, reason), as_json=as_json)


def amend(
    game: GameFile,
    changes: Annotated[
        list[str],
        typer.Argument(metavar="NAME=VALUE...", help="the changes, as explained above", show_default=False),
    ],
    reason: Reason,
    output: Output = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Change values of the position: a clock, a hand, a tile.

    Use the names in the `state` of the game file: `discard`, `racers[red].hand`, `board[A1].rot`. In brackets comes a
    number (the first is 0), a seat or a name. You can also write `hand of red` and `clock of red`. Case does not matter.
    `=` sets a value (JSON or a bare word), `+=` adds to a list and `-=` removes from it. An impossible position, such as
    one with a tile in two places, is rejected.

    Examples:
      adjudicator amend race.json 'clock of red=31' --reason "misread the dial"
      adjudicator amend race.json 'hand of red-=H5' discard+=H5 --reason slip
      adjudicator amend race.json 'board[A1].rot=90' --reason "was turned"
    """
    _correct(game, _Target(output, force), lambda before: before.amend(changes, reason), as_json=as_json)


def seat(
    game: GameFile,
    name: Annotated[str, typer.Argument(metavar="SEAT", help="the seat that gets a new player", show_default=False)],
    holder: Annotated[str, typer.Option("--holder", metavar="NAME", help="the new player's name")],
    reason: Reason,
    output: Output = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Give a seat to another player; the game continues.

    Example:
      adjudicator seat race.json red --holder Zoe --reason "Ann moved away"
    """
    _correct(game, _Target(output, force), lambda before: before.hand_over(name, holder, reason), as_json=as_json)


def reveal(
    game: GameFile,
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="the reason, if the game is not over")] = "",
    force: Annotated[bool, typer.Option("--force", help="publish it before the game is over, and record this")] = False,
    output: Output = None,
    as_json: Json = False,
) -> None:
    """Publish the secret of chance: all can check the draws.

    Do this when the game is over: with the secret anybody can predict later draws.

    Example:
      adjudicator reveal race.json
    """

    def revealed(before: Game) -> Game:
        try:
            return before.reveal(reason, force=force)
        except CorrectionError as error:
            words = str(error)
            option = "--reason" if force else "--force publishes it anyway"
            raise CorrectionError(words if before.is_over or before.secret is None else f"{words} ({option})") from error

    _correct(game, _Target(output), revealed, as_json=as_json)


class _Target(Value):
    """The file for a corrected game (``None``: its own file), and whether it may replace another file.

    ``is_forced`` is ``None`` for a command whose ``--force`` means something else.
    """

    path: str | None
    is_forced: bool | None = None

    def validate(self, game: Game) -> None:
        """Raise ``MisuseError`` if ``game`` would replace something else."""
        if self.path is None or self.is_forced:
            return
        spare_others(self.path, game, "name another file" if self.is_forced is None else _REMEDY)


def _correct(game: str, target: _Target, correction: Callable[[Game], Game], *, as_json: bool) -> None:
    """Apply ``correction`` to the game file under the lock of the file it replaces, and print the new entry."""
    from adjudicator.core.problem import SetupError

    with explained(as_json=as_json) as opened:
        if "-" in (game, target.path):
            raise MisuseError("name a file: a correction cannot use standard input or output")
        if target.is_forced and target.path is None:
            raise MisuseError("use --force only with -o: the game file itself is always replaced")
        path = target.path or game
        with hold(path):
            before = opened.game(game)
            try:
                after = correction(before)
            except SetupError as error:
                raise MisuseError(reasons("this position is impossible:", error)) from error
            if not is_same(game, path):
                target.validate(after)
            answer = _answer(before, after, path, as_json=as_json)
            write_file(path, sound_bytes(after))
        (say_unchanged if as_json else say)(answer)


def _answer(before: Game, game: Game, path: str, *, as_json: bool) -> str:
    """Return the entry that turned ``before`` into ``game``, the pending orders, and the next decisions."""
    from adjudicator.core.phrases import count
    from adjudicator.core.values import MODERATOR
    from adjudicator.reports.data.heading import head_text
    from adjudicator.reports.data.log import log_text
    from adjudicator.reports.text.sanitize import printable, safe_json

    made = game.correction_since(before)
    if as_json:
        return safe_json(made)
    rows, position = game.seen_by(MODERATOR).log_since(before), game.seen_by().position

    def orders_of(counts: Mapping[Seat, int]) -> str:
        return ", ".join(f"{seat} {count(orders, 'order')}" for seat, orders in counts.items())

    waiting, dropped, notes = game.pending_counts, made.dropped, game.cautions
    names, width = position.heading.holders, terminal_width()
    log = log_text(rows, game.meta.unit, with_events=True, width=width, holders=lambda _row: names)
    lines = ["", *([] if game.head is None else [head_text(game.head)]), *_next_decisions(game, position)]
    if dropped:
        lines.append(f"set aside: {orders_of(dropped)}; `adjudicator pending` lists them and can bring them back")
    if waiting:
        lines.append(f"pending: {orders_of(waiting)}")
    lines += [*(f"note: {note}" for note in notes), *_published(game, rows[0], path)]
    return "\n".join([log, *map(printable, "\n".join(lines).split("\n"))])


def _next_decisions(game: Game, position: Position) -> Iterator[str]:
    """Yield the next decisions after a correction, or the result of a game that is over."""
    from adjudicator.reports.data.heading import to_write
    from adjudicator.reports.data.outcome import due_lines, outcome_lines

    if position.heading.over:
        yield f"{game.id} is over:"
        yield from outcome_lines(position.standings, position.heading.unit, position.heading.holders)
        return
    yield f"{game.id} is corrected"
    yield f"turn {position.heading.turn}, due now:"
    yield from due_lines(position.due, game.players)
    yield f"players {to_write(position.heading.turn, 'their')}"


def _published(game: Game, row: LogRow, path: str) -> Iterator[str]:
    """Yield what to send to the players after ``row`` has published the secret of chance, and how they check it."""
    if row.order != "REVEAL":
        return
    import shlex

    file = shlex.quote(path)
    yield "\nThe secret is in the record now. Publish it where the commitment was published:"
    yield f"  secret      {game.secret}"
    yield f"  commitment  {game.commitment}"
    yield "Send each player the public log and the player's own log, as JSON:"
    yield f"  adjudicator log {file} --json > public.jsonl"
    yield from (f"  adjudicator log {file} --as {seat} --json > {seat}.jsonl" for seat in game.seats)
    yield "With these logs every player can check that nobody changed a draw (docs/chance.md):"
    yield f"  adjudicator audit --published public.jsonl {game.seats[0]}.jsonl"
