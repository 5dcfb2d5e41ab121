"""The commands `undo`, `amend`, `seat` and `reveal`: corrections, each an entry in the journal with its reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.arguments import GameFile, Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import open_desk, sound_bytes
from adjudicator.cli.output import MisuseError, say, say_json, say_safely
from adjudicator.core.ids import MODERATOR, Seat

if TYPE_CHECKING:
    from adjudicator.desk import Desk

Reason = Annotated[str, typer.Option("--reason", metavar="WORDS", help="why: it stands in the record for good")]
Output = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="write the game there, and leave GAME alone")
]


def undo(
    game: GameFile,
    reason: Reason,
    to: Annotated[int, typer.Option("--to", metavar="N", help="the entry of the log after which the game goes on")],
    output: Output = None,
    as_json: Json = False,
) -> None:
    """Go back to where the game stood after an entry.

    The entries since stay in the record, marked as undone. The same orders given again draw the same outcomes. Orders that
    waited are dropped: they were written for another position.

    Example:
      adjudicator undo race.json --to 12 --reason "blue's mail was overlooked"
    """
    from adjudicator import correct

    _correct(game, output, lambda desk: correct.undo(desk, to, reason), as_json=as_json)


def amend(
    game: GameFile,
    changes: Annotated[
        list[str], typer.Argument(metavar="PATH=VALUE", help="what to change, as the game file has it", show_default=False)
    ],
    reason: Reason,
    output: Output = None,
    as_json: Json = False,
) -> None:
    """Change values of the position: a clock, a hand, a tile.

    Members are named as in the `state` of the game file; in brackets stands a number from 0 or a seat. `=` sets a value
    (JSON or a bare word), `+=` and `-=` put something into a list or take it out. What cannot be, such as a tile in two
    places, is refused.

    Examples:
      adjudicator amend race.json 'racers[red].minutes=31' --reason "misread"
      adjudicator amend race.json 'stack-=H5' 'discard+=H5' --reason "a lost tile"
    """
    from adjudicator import correct

    _correct(game, output, lambda desk: correct.amend(desk, changes, reason), as_json=as_json)


def seat(
    game: GameFile,
    name: Annotated[str, typer.Argument(metavar="SEAT", help="the seat that changes hands", show_default=False)],
    holder: Annotated[str, typer.Option("--holder", metavar="NAME", help="who plays it from now on")],
    reason: Reason,
    output: Output = None,
    as_json: Json = False,
) -> None:
    """Give a seat to another player; the game goes on as it stands.

    Example:
      adjudicator seat race.json red --holder Zoe --reason "Ann moved away"
    """
    from adjudicator import correct

    _correct(game, output, lambda desk: correct.hand_over(desk, _seat(desk, name), holder, reason), as_json=as_json)


def reveal(
    game: GameFile,
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="why, if it is before the end")] = "",
    force: Annotated[bool, typer.Option("--force", help="publish it before the game is over; that is recorded")] = False,
    output: Output = None,
    as_json: Json = False,
) -> None:
    """Publish the secret of chance, so that all can check the draws.

    Example:
      adjudicator reveal race.json
    """
    from adjudicator import correct

    def correction(desk: Desk) -> Desk:
        return correct.reveal(desk, reason, is_forced=force)

    _correct(game, output, correction, as_json=as_json)


def _correct(game: str, output: str | None, correction: Callable[[Desk], Desk], *, as_json: bool) -> None:
    """Apply ``correction`` to the game file under its lock, and tell the entry it made."""
    from adjudicator.core.problem import SetupError
    from adjudicator.correct import CorrectionError
    from adjudicator.store.save import locked, write_atomic

    with explained(as_json=as_json):
        if "-" in (game, output):
            raise MisuseError("a correction works on files, not on standard input or output")
        with locked(Path(game)):
            try:
                desk = correction(open_desk(game))
            except CorrectionError as error:
                raise MisuseError(str(error)) from error
            except SetupError as error:
                problems = "\n".join(f"  {problem.message}" for problem in error.problems)
                raise MisuseError(f"the position cannot be so:\n{problems}") from error
            write_atomic(Path(output or game), sound_bytes(desk.game))
        _tell(desk, as_json=as_json)


def _tell(desk: Desk, *, as_json: bool) -> None:
    from adjudicator.present import log_of, position_of
    from adjudicator.reports.log import log_data, log_text

    rows = log_of(desk, desk.game.journal[-1:], MODERATOR)
    position = position_of(desk, None)
    if as_json:
        data: dict[str, Any] = {"game": desk.game.id, "turn": desk.game.turn, "entry": log_data(rows[0])}
        say_json(data)
        return
    say(log_text(rows, desk.rules.meta.unit, with_events=True))
    due = "; ".join(f"{decision.seat}: {decision.ask}" for decision in position.decisions) or "the game is over"
    say_safely(f"\n{desk.game.id} is corrected. Turn {desk.game.turn}, due now: {due}")


def _seat(desk: Desk, name: str) -> Seat:
    viewer = desk.viewer(name)
    if viewer is None or viewer == MODERATOR:
        raise MisuseError("the moderator's place is not a seat of the game")
    return viewer
