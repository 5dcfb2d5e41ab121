"""The command `replay`: a game move by move, from its game file or from a script."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import As, Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import open_desk
from adjudicator.cli.output import MisuseError, is_terminal, say, say_json

if TYPE_CHECKING:
    from adjudicator.desk import Desk

Recorded = Annotated[
    str, typer.Argument(metavar="FILE", help="a game file or a script; `-` is standard input", show_default=False)
]


def replay(
    file: Recorded,
    first: Annotated[
        int, typer.Option("--from", metavar="N", help="begin with entry N of the log; 0 is the set-up", show_default=False)
    ] = 0,
    last: Annotated[int | None, typer.Option("--until", metavar="N", help="stop after entry N of the log")] = None,
    viewer: As = None,
    boards: Annotated[bool, typer.Option("--boards", help="show the position after each entry")] = False,
    as_json: Json = False,
) -> None:
    """Replay a game move by move.

    What is recorded is followed as it stands; `audit` asks the rules again. With --json, a line of JSON for each entry.

    Example:
      adjudicator replay race.json --until 12 --boards --as red
    """
    with explained(as_json=as_json):
        desk = open_desk(file)
        _show(desk, file, viewer, (first, last), boards=boards, as_json=as_json)


def _show(desk: Desk, file: str, name: str | None, span: tuple[int, int | None], *, boards: bool, as_json: bool) -> None:
    """Print the moves of the ``span`` (first and last entry), each as soon as it is followed where it stands by itself."""
    from adjudicator.replay.follow import CannotFollowError, NoSuchEntryError, follow, position_after
    from adjudicator.replay.told import board_text, ending_text, move_data, moves_text
    from adjudicator.store.errors import Untrusted, Violation

    viewer, unit = desk.viewer(name), desk.rules.meta.unit
    look = partial(position_after, desk, viewer=viewer)
    moves = []
    try:
        for move in follow(desk, viewer, *span):
            moves.append(move)
            if as_json:
                say_json(move_data(move, look if boards else None))
            elif boards:
                say(board_text(move, unit, look, color=is_terminal()) + "\n")
    except NoSuchEntryError as error:
        raise MisuseError(str(error)) from error
    except CannotFollowError as error:
        raise Untrusted(file, [Violation(f"$.journal[{error.entry}]", str(error))]) from error
    if not as_json and not boards:
        number = moves[-1].entry.n
        ending = ending_text(look(moves[-1]), number, is_last=number == len(desk.game.journal) - 1)
        say(f"{moves_text(moves, unit)}\n\n{ending}")
