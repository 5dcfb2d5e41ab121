"""The command `pending`: list, bring back or remove pending orders."""

from __future__ import annotations

from typing import Annotated

import typer

from adjudicator.cli.arguments import Force, GameFile, Output
from adjudicator.cli.ui import MisuseError, Ui, command
from adjudicator.core.values import MODERATOR


@command
def pending(
    ui: Ui,
    game: GameFile,
    viewer: Annotated[
        str, typer.Option("--as", metavar="SEAT", help="list only the orders of this seat; without it, all of them")
    ] = MODERATOR,
    withdraw: Annotated[
        str | None, typer.Option("--withdraw", metavar="SEAT", help="remove the pending orders of this seat")
    ] = None,
    first: Annotated[
        int, typer.Option("--from", metavar="N", help="with --withdraw: the number of the first order to remove")
    ] = 1,
    reason: Annotated[
        str | None, typer.Option("--reason", metavar="WORDS", help="with --withdraw: the reason, for the record")
    ] = None,
    bring_back: Annotated[
        int | None, typer.Option("--bring-back", metavar="N", help="make the set-aside orders [N] pending again")
    ] = None,
    output: Output = None,
    force: Force = False,
) -> None:
    """List the pending orders, and those that were set aside.

    --withdraw removes pending orders of a seat. A player can do the same with the order WITHDRAW, or WITHDRAW from 2.

    Pending orders that were replaced, withdrawn or dropped stay in the record, each sheet with a number. --bring-back makes
    a sheet pending again, and sets the present pending orders of that seat aside.

    Examples:
      adjudicator pending race.json
      adjudicator pending race.json --as red
      adjudicator pending race.json --withdraw red --reason "Ann asked by telephone"
      adjudicator pending race.json --withdraw red --from 2 --reason "his wish"
      adjudicator pending race.json --bring-back 2
    """
    from adjudicator.reports.data.waiting import waiting_orders, waiting_text

    if withdraw is not None and bring_back is not None:
        raise MisuseError("use --withdraw or --bring-back, not both")
    if withdraw is None and (reason is not None or first != 1):
        raise MisuseError("use --from and --reason only with --withdraw")
    if withdraw is not None and reason is None:
        raise MisuseError("give the reason with --reason: it stays in the record")
    if withdraw is None and bring_back is None:
        if output is not None or force:
            raise MisuseError("use -o only with --withdraw or --bring-back: a list changes nothing")
        waiting = ui.open(game).pending(viewer)
        ui.show(lambda: waiting_orders(waiting), lambda: waiting_text(waiting))
        return
    if viewer != MODERATOR:
        raise MisuseError("leave out --as: only the moderator may change pending orders")
    with ui.change(game, output, force=force) as edit:
        if withdraw is not None:
            after = edit.game.withdraw(withdraw, reason or "", first)
        else:
            after = edit.game.bring_back(bring_back or 0)
        edit.validate(after)
        waiting = after.pending(viewer)
        ui.show(lambda: waiting_orders(waiting), lambda: waiting_text(waiting))
        edit.save(after)
