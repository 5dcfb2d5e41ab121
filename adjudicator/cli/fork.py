"""The command `fork`: play on privately from an earlier position of a game."""

from __future__ import annotations

import shlex
from typing import Annotated

from adjudicator.cli.arguments import complete_seat
from adjudicator.cli.new import next_steps
from adjudicator.cli.orders import next_lines
from adjudicator.cli.results import ForkedGame
from adjudicator.cli.ui import Ui, argument, option
from adjudicator.core.values import MODERATOR
from adjudicator.reports.log import log_text
from adjudicator.simulate.fork import fork_game, play_others


def fork(
    ui: Ui,
    file: Annotated[str, argument(..., "FILE", "your own file, a game file, or ARCHIVE#GAME; `-` is standard input")],
    at: Annotated[int, option(..., "--at", "N", "the entry of the log after which you play on; 0 is the set-up")],
    viewer: str | None = option(
        None,
        "--as",
        "SEAT",
        "of a game file: the seat that you play, with what it knew then; without it, you play all seats and know everything",
        autocompletion=complete_seat,
    ),
    output: str | None = option(None, "-o", "--output", "FILE", "the new game file; without it, ID.json"),
    game_id: str | None = option(None, "--id", "ID", "the id of the new game; without it, the old id with the entry number"),
    force: bool = option(False, "--force", "replace the file if it already exists"),
) -> None:
    """Play on privately from an earlier position.

    Use it to see what might have happened. The new game begins with the position after entry N as you knew it then. What
    you did not know, such as the hands of others, is dealt again, so that it fits everything that you had seen. Simulated
    players have the other seats: they decide when it is not your turn, here and after each `apply` or `turn`. `show`,
    `legal`, `replay` and the desk work as for any game.

    The game has another id and another secret of chance, and its first entry says where it comes from.

    A moderator can fork a game file: without --as, the new game has the whole position, and you order for all seats.

    Examples:
      adjudicator fork red.json --at 12
      adjudicator fork red.json --at 12 -o what-if.json
      adjudicator fork race.json --at 12 --as red -o what-if.json
    """
    ui.guard([file], {"-o": output}, force)
    shown = ui.open(file, whole=False)
    reader = shown.seen_by(viewer if viewer or shown.own_seat else MODERATOR)
    begun = fork_game(reader, at, id=game_id or "")
    event = begun.fork
    assert event is not None
    game = begun if event.seat is None else play_others(begun, event.seat)
    target = f"{game.id}.json" if output is None else output
    ui.write(target, game.to_bytes())
    if target == "-":
        return
    played = game.seen_by(event.seat or MODERATOR).log_since(begun)
    knows = f", as {event.seat} knew it" if event.seat else ""
    lines = [f"{target}: {game.meta.name}, game {game.id}, goes on after entry {at} of {event.game}{knows}"]
    if event.seat:
        others = ", ".join(seat for seat in game.seats if seat != event.seat)
        lines.append(f"  you play    {event.seat}; simulated players: {others}" if others else f"  you play    {event.seat}")
    if played:
        lines += ["", log_text(played, game.meta.unit, with_events=True, width=ui.width), ""]
    steps = {
        f"show {shlex.quote(target)}{f' --as {event.seat}' if event.seat else ''}": "the position",
        f"legal {shlex.quote(target)}": "what can be ordered, and what it costs",
        f"apply {shlex.quote(target)} ORDERS": "play on",
    }
    lines += [*next_lines(game), *([] if game.is_over else [next_steps(steps)])]
    made = ForkedGame(
        file=target, game=game.id, forked_from=event.game, n=at, seat=event.seat, happened=played, due=game.due
    )
    ui.show(made, "\n".join(lines))
