"""Print a game that was set up: its file, its commitment, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from adjudicator.cli.output import say_json, say_safely

if TYPE_CHECKING:
    from adjudicator.library.game import Game

_MOST_SEATS: Final = 20
"""The number of seats that are listed one by one."""


def tell_game(game: Game, output: str, *, as_json: bool) -> None:
    """Print the file (``output``) of the new ``game``, and what to do next."""
    from adjudicator.cli.results import NewGame

    if as_json:
        say_json(
            NewGame(
                file=output,
                game=game.id,
                ruleset=game.meta.id,
                turn=game.turn,
                components=game.components.id,
                components_version=game.components.version,
                components_hash=game.components.hash,
                commitment=game.commitment,
                due=game.due,
            )
        )
        return
    say_safely("\n".join(_summary(game, output)))


def _summary(game: Game, output: str) -> Iterator[str]:
    """Yield what a moderator needs to know about a new game, and what to do next."""
    import shlex

    from adjudicator.reports.data.heading import to_write
    from adjudicator.reports.data.outcome import due_lines

    file = shlex.quote(output)
    seats = [f"{seat} ({player})" if player else seat for seat, player in game.players.items()]
    if len(seats) > _MOST_SEATS:
        seats = [*seats[: _MOST_SEATS // 2], f"… {len(seats) - _MOST_SEATS:,} more …", *seats[-_MOST_SEATS // 2 :]]
    yield f"{output}: {game.meta.name}, game {game.id}, components {game.components.id}"
    yield f"  seats       {', '.join(seats)}"
    if game.commitment is None:
        yield "  chance      recorded: write each outcome in brackets after its order"
    else:
        yield f"  commitment  {game.commitment}"
        if game.promise is not None:
            yield f"  promise     {game.promise}"
            yield "              you published both before the words: they prove that you did not choose the deal"
        else:
            yield "              publish it today: at the end it proves that nobody changed a draw"
    yield f"turn {game.turn}, due now:"
    yield from due_lines(game.due, game.players)
    yield f"players {to_write(game.turn, 'their')}"
    steps = {
        f"show {file} --as {game.seats[0]}": "the position for this player; do so for each seat",
        f"legal {file}": "the legal orders: only for the seat that is due",
        f"apply {file} ORDERS": "when you have received orders, in a text file",
    }
    width = max(map(len, steps))
    yield "next:"
    yield from (f"  adjudicator {step:{width}}  {words}" for step, words in steps.items())
