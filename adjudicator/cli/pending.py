"""The commands `pending` and `withdraw`: list, bring back or remove pending orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import GameFile, Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import Opened, hold, is_same, sound_bytes, spare_others, write_file
from adjudicator.cli.output import MisuseError, say, say_unchanged
from adjudicator.core.values import MODERATOR

if TYPE_CHECKING:
    from adjudicator.library.game import Game

Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="write the new game here and keep GAME")]


def pending(
    game: GameFile,
    viewer: Annotated[
        str, typer.Option("--as", metavar="SEAT", help="list only the orders of this seat; without it, all of them")
    ] = MODERATOR,
    bring_back: Annotated[
        int | None, typer.Option("--bring-back", metavar="N", help="make the set-aside orders [N] pending again")
    ] = None,
    output: Output = None,
    as_json: Json = False,
) -> None:
    """List the pending orders, and those that were set aside.

    Pending orders that were replaced, withdrawn or dropped stay in the record, each sheet with a number. --bring-back makes
    a sheet pending again, and sets the present pending orders of that seat aside.

    Examples:
      adjudicator pending race.json
      adjudicator pending race.json --as red
      adjudicator pending race.json --bring-back 2
    """
    with explained(as_json=as_json) as opened:
        if bring_back is None:
            if output is not None:
                raise MisuseError("use -o only with --bring-back: a list changes nothing")
            (say_unchanged if as_json else say)(_answer(opened.game(game), viewer, as_json=as_json))
            return
        if viewer != MODERATOR:
            raise MisuseError("leave out --as: only the moderator may use --bring-back")
        number = bring_back
        _change(opened, game, output, lambda old: old.bring_back(number), as_json=as_json)


def withdraw(
    game: GameFile,
    name: Annotated[
        str, typer.Argument(metavar="SEAT", help="the seat whose pending orders you remove", show_default=False)
    ],
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="the reason, for the record")],
    first: Annotated[int, typer.Option("--from", metavar="N", help="the number of the first order to remove")] = 1,
    output: Output = None,
    as_json: Json = False,
) -> None:
    """Remove pending orders of a seat.

    A player can do the same with the order WITHDRAW, or WITHDRAW from 2. `pending` lists the removed orders and can bring
    them back.

    Examples:
      adjudicator withdraw race.json red --reason "Ann asked by telephone"
      adjudicator withdraw race.json red --from 2 --reason "his wish"
    """
    with explained(as_json=as_json) as opened:
        _change(opened, game, output, lambda old: old.withdraw(name, reason, first), as_json=as_json)


def _change(opened: Opened, game: str, output: str | None, change: Callable[[Game], Game], *, as_json: bool) -> None:
    """Write the game of the file ``game`` after ``change``, and print its pending orders. Raises ``MisuseError``."""
    target = output or game
    if "-" in (game, target):
        raise MisuseError("name a file: this command cannot use standard input or output")
    with hold(target):
        after = change(opened.game(game))
        if not is_same(game, target):
            spare_others(target, after, "name another file")
        answer = _answer(after, MODERATOR, as_json=as_json)
        write_file(target, sound_bytes(after))
    (say_unchanged if as_json else say)(answer)


def _answer(game: Game, viewer: str, *, as_json: bool) -> str:
    """Return the list of pending orders that ``viewer`` may see."""
    from adjudicator.reports.data.waiting import waiting_orders, waiting_text
    from adjudicator.reports.text.sanitize import safe_json

    waiting = game.seen_by(viewer).pending
    return safe_json(waiting_orders(waiting)) if as_json else waiting_text(waiting)
