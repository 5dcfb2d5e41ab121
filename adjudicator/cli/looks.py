"""The commands `show`, `legal` and `log`: a game looked at, nothing changed."""

from __future__ import annotations

from typing import Annotated

import typer

from adjudicator.cli.arguments import As, GameFile, Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import open_desk
from adjudicator.cli.output import MisuseError, is_terminal, say, say_json
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.desk import Desk


def show(game: GameFile, viewer: As = None, as_json: Json = False) -> None:
    """Show where the game stands: board, clocks, hands one may see, decisions due, standings.

    Example:  adjudicator show rally-042.json --as red
    """
    from adjudicator.present import position_of
    from adjudicator.reports.position import position_data, position_text

    with explained(as_json=as_json):
        desk = open_desk(game)
        position = position_of(desk, desk.viewer(viewer))
        if as_json:
            say_json(position_data(position))
        else:
            say(position_text(position, color=is_terminal()))


def legal(game: GameFile, viewer: As = None, as_json: Json = False) -> None:
    """List every legal order with its cost and why.

    Without --as for the seat whose decision is due. The list tells what is in that seat's hand: it is for that seat.

    Example:  adjudicator legal rally-042.json --as red
    """
    from adjudicator.present import legal_of
    from adjudicator.reports.legal import legal_data, legal_text

    with explained(as_json=as_json):
        desk = open_desk(game)
        seats = _asked(desk, viewer)
        if as_json:
            say_json({seat: legal_data(legal_of(desk, seat)) for seat in seats})
            return
        for seat in seats:
            rows = legal_of(desk, seat)
            say(f"{seat}: {len(rows)} legal orders" if rows else f"{seat}: nothing is asked of this seat now")
            if rows:
                say(legal_text(rows, desk.rules.meta.unit))
        if not seats:
            say("the game is over")


def log(
    game: GameFile,
    viewer: As = None,
    events: Annotated[bool, typer.Option("--events", help="also tell what happened with each order")] = False,
    as_json: Json = False,
) -> None:
    """Print the log of minutes: what each order cost, and by which rule.

    Example:  adjudicator log rally-042.json --as red --events
    """
    from adjudicator.present import log_of
    from adjudicator.reports.log import log_json, log_text

    with explained(as_json=as_json):
        desk = open_desk(game)
        rows = log_of(desk, desk.game.journal, desk.viewer(viewer))
        if as_json:
            say(log_json(rows).rstrip("\n"))
        else:
            say(log_text(rows, desk.rules.meta.unit, with_events=events))


def _asked(desk: Desk, name: str | None) -> tuple[Seat, ...]:
    """Return the seats whose legal orders are wanted: the one named, or all that are awaited."""
    if name is None:
        due = desk.rules.awaiting(desk.table, desk.game.state)
        return tuple(dict.fromkeys(decision.seat for decision in due))
    viewer = desk.viewer(name)
    if viewer is None or viewer == MODERATOR:
        raise MisuseError("--as takes a seat here; leave it out for the seat whose decision is due")
    return (viewer,)
