"""The commands `pending` and `withdraw`: the orders that wait, and those that waited and were not carried out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import GameFile, Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import Opened, hold, is_same, sound_bytes, spare_others
from adjudicator.cli.output import MisuseError, say
from adjudicator.core.ids import MODERATOR

if TYPE_CHECKING:
    from adjudicator.core.ids import Viewer
    from adjudicator.session import Session

Output = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="write the game there, and leave GAME alone")
]


def pending(
    game: GameFile,
    viewer: Annotated[
        str, typer.Option("--as", metavar="SEAT", help="only what this seat has sent; without it, all: for the moderator")
    ] = MODERATOR,
    bring_back: Annotated[
        int | None, typer.Option("--bring-back", metavar="N", help="let the orders [N] that were set aside wait again")
    ] = None,
    output: Output = None,
    as_json: Json = False,
) -> None:
    """List the orders that wait, and those that were set aside.

    Orders that waited and were replaced, withdrawn or dropped stay in the record, each sheet with its number. It can wait
    again: what waits of that seat then is set aside in its place.

    Examples:
      adjudicator pending race.json
      adjudicator pending race.json --as red
      adjudicator pending race.json --bring-back 2
    """
    with explained(as_json=as_json) as opened:
        if bring_back is None:
            if output is not None:
                raise MisuseError("-o goes with --bring-back: to look changes nothing")
            session = opened.session(game)
            say(_answer(session, session.viewer(viewer), as_json=as_json))
            return
        if viewer != MODERATOR:
            raise MisuseError("--bring-back is the moderator's: leave --as out")
        from adjudicator.core.waiting import brought_back

        number = bring_back
        _change(opened, game, output, lambda old: old.with_game(brought_back(old.game, number)), as_json=as_json)


def withdraw(
    game: GameFile,
    name: Annotated[str, typer.Argument(metavar="SEAT", help="whose orders wait no longer", show_default=False)],
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="why: it stays in the record")],
    first: Annotated[int, typer.Option("--from", metavar="N", help="from which order on; without it, all")] = 1,
    output: Output = None,
    as_json: Json = False,
) -> None:
    """Take orders that wait away from their queue.

    A player does the same with the order WITHDRAW, or WITHDRAW from 2. `pending` lists what was taken away, and brings it
    back.

    Examples:
      adjudicator withdraw race.json red --reason "Ann asked by telephone"
      adjudicator withdraw race.json red --from 2 --reason "his wish"
    """
    with explained(as_json=as_json) as opened:
        from adjudicator.core.waiting import withdrawn
        from adjudicator.corrections.correct import reason_words

        def taken_away(old: Session) -> Session:
            seat = old.viewer(name)
            if seat is None or seat == MODERATOR:
                raise MisuseError("the moderator's place is not a seat of the game")
            return old.with_game(withdrawn(old.game, seat, "withdrawn", reason_words(reason), first))

        _change(opened, game, output, taken_away, as_json=as_json)


def _change(opened: Opened, game: str, output: str | None, change: Callable[[Session], Session], *, as_json: bool) -> None:
    """Write the game of the file ``game`` after ``change``, and print what waits in it then. Raises ``MisuseError``."""
    from adjudicator.core.corrections import CorrectionError
    from adjudicator.store.save import write_atomic

    target = output or game
    if "-" in (game, target):
        raise MisuseError("this works on files, not on standard input or output")
    with hold(target):
        try:
            session = change(opened.session(game))
        except CorrectionError as error:
            raise MisuseError(str(error)) from error
        if not is_same(game, target):
            spare_others(target, session.game, "name another file")
        answer = _answer(session, MODERATOR, as_json=as_json)
        write_atomic(Path(target), sound_bytes(session.game))
    say(answer)


def _answer(session: Session, viewer: Viewer, *, as_json: bool) -> str:
    """Return what is printed of the orders that wait, as far as ``viewer`` may know."""
    from adjudicator.present import waiting_of
    from adjudicator.reports.sanitize import safe_json
    from adjudicator.reports.waiting import waiting_orders, waiting_text

    waiting = waiting_of(session, viewer)
    return safe_json(waiting_orders(waiting)) if as_json else waiting_text(waiting)
