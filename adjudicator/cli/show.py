"""The commands `show`, `legal` and `log`: a game looked at, nothing changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import As, GameFile, Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import is_picture, spare_other_files
from adjudicator.cli.output import MisuseError, is_terminal, say, say_bytes, say_json

if TYPE_CHECKING:
    from adjudicator.core.ids import Seat
    from adjudicator.reports.position import Position
    from adjudicator.session import Session

AsPlayer = Annotated[
    str | None, typer.Option("--as", metavar="SEAT", help="for which seat; without it, for each that is to decide now")
]


def show(
    game: GameFile,
    viewer: As = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="write the board there as a picture, too; `-`: only that")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="with --svg: replace the file, also if it is no picture")] = False,
    as_json: Json = False,
) -> None:
    """Show where a game stands, as one seat may see it.

    The board, the clocks, the hands that this seat may see, the decisions due, and the standings.

    Examples:
      adjudicator show race.json --as red
      adjudicator show race.json --as red --svg red.svg
    """
    with explained(as_json=as_json) as opened:
        from adjudicator.present import position_of
        from adjudicator.reports.position import position_text, shown_position

        if force and svg is None:
            raise MisuseError("--force goes with --svg, which alone writes a file")
        session = opened.session(game)
        position = position_of(session, session.viewer(viewer))
        if svg is not None:
            _draw(position, svg, is_forced=force)
        if svg == "-":
            return
        if as_json:
            say_json(shown_position(position))
        else:
            say(position_text(position, color=is_terminal()))


def _draw(position: Position, target: str, *, is_forced: bool) -> None:
    """Write the picture of ``position`` to the file ``target``, or to standard output. Raises ``MisuseError``."""
    from adjudicator.reports.heading import heading_lines
    from adjudicator.reports.picture import picture
    from adjudicator.store.save import write_atomic

    if target != "-" and not target.lower().endswith(".svg"):
        raise MisuseError(f"a picture is a file that ends with .svg; “{target}” does not")
    drawn = picture(position.drawing, heading_lines(position.heading)[0])
    if drawn is None:
        raise MisuseError(f"{position.heading.name} has no board to be drawn")
    if target == "-":
        say_bytes(drawn.encode())
        return
    if not is_forced:
        spare_other_files(target, "a picture", is_picture, "name another file, or replace it with --force")
    write_atomic(Path(target), drawn.encode())


def legal(game: GameFile, viewer: AsPlayer = None, as_json: Json = False) -> None:
    """List every legal order, with its cost and why.

    The list tells what a seat holds in its hand: it is for that seat only.

    Example:
      adjudicator legal race.json --as red
    """
    with explained(as_json=as_json) as opened:
        from adjudicator.present import legal_of

        session = opened.session(game)
        seats = _asked(session, viewer)
        if as_json:
            say_json({seat: legal_of(session, seat) for seat in seats})
        elif session.rules.is_over(session.config, session.game.state):
            say("the game is over")
        else:
            say("\n\n".join(_legal_text(session, seat) for seat in seats))


def log(
    game: GameFile,
    viewer: As = None,
    events: Annotated[bool, typer.Option("--events", help="also tell what happened with each order")] = False,
    as_json: Json = False,
) -> None:
    """Print the log of minutes: what each order cost, and why.

    With --json, a line of JSON for each order.

    Example:
      adjudicator log race.json --as red --events
    """
    with explained(as_json=as_json) as opened:
        from adjudicator.present import heading_of, log_lines, log_of
        from adjudicator.reports.heading import heading_lines
        from adjudicator.reports.log import log_text

        session = opened.session(game)
        seat = session.viewer(viewer)
        if as_json:
            say_bytes(log_lines(session, session.game.journal, seat).encode())
            return
        rows = log_of(session, session.game.journal, seat)
        head = "\n".join(heading_lines(heading_of(session, seat)))
        say(f"{head}\n\n{log_text(rows, session.rules.meta.unit, with_events=events)}")


def _legal_text(session: Session, seat: Seat) -> str:
    from adjudicator.present import legal_of
    from adjudicator.reports.legal import legal_text

    rows = legal_of(session, seat)
    if not rows:
        return f"{seat}: nothing is asked of this seat now; to decide: {', '.join(_due(session))}"
    count = "1 legal order" if len(rows) == 1 else f"{len(rows)} legal orders"
    return f"{seat}: {count}\n{legal_text(rows, session.rules.meta.unit)}"


def _asked(session: Session, name: str | None) -> tuple[Seat, ...]:
    """Return the seats whose legal orders are wanted: the one named, or all that are awaited."""
    from adjudicator.core.ids import MODERATOR

    if name is None:
        return _due(session)
    viewer = session.viewer(name)
    if viewer is None or viewer == MODERATOR:
        raise MisuseError("--as takes a seat here; leave it out for the seat whose decision is due")
    return (viewer,)


def _due(session: Session) -> tuple[Seat, ...]:
    due = session.rules.awaiting(session.config, session.game.state)
    return tuple(dict.fromkeys(decision.seat for decision in due))
