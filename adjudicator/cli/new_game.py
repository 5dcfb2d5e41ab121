"""Print a game that was set up: its file, its commitment, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from adjudicator.cli.output import say_json, say_safely

if TYPE_CHECKING:
    from adjudicator.session import Session

_MOST_SEATS: Final = 20
"""The number of seats that are listed one by one."""


def tell_session(session: Session, output: str, *, as_json: bool) -> None:
    """Print the file (``output``) of the new game of ``session``, and what to do next."""
    from adjudicator.outputs.games import NewGame

    game, due = session.game, session.rules.awaiting(session.config, session.game.state)
    if as_json:
        say_json(
            NewGame(
                file=output,
                game=game.id,
                ruleset=game.ruleset.id,
                turn=game.turn,
                components=game.components.id,
                components_version=game.components.version,
                components_hash=game.components.hash,
                commitment=game.chance.commitment,
                due=due,
            )
        )
        return
    say_safely("\n".join(_summary(session, output)))


def _summary(session: Session, output: str) -> Iterator[str]:
    """Yield what a moderator needs to know about a new game, and what to do next."""
    import shlex

    from adjudicator.reports.heading import to_write
    from adjudicator.reports.outcome import due_lines

    game, rules, file = session.game, session.rules, shlex.quote(output)
    seats = [f"{player.seat} ({player.holder})" if player.holder else player.seat for player in game.setup.players]
    if len(seats) > _MOST_SEATS:
        seats = [*seats[: _MOST_SEATS // 2], f"… {len(seats) - _MOST_SEATS:,} more …", *seats[-_MOST_SEATS // 2 :]]
    yield f"{output}: {rules.meta.name}, game {game.id}, components {game.components.id}"
    yield f"  seats       {', '.join(seats)}"
    if game.chance.commitment is None:
        yield "  chance      recorded: write each outcome in brackets after its order"
    else:
        yield f"  commitment  {game.chance.commitment}"
        if game.chance.promised:
            yield f"  promise     {game.promise}"
            yield "              you published both before the words: they prove that you did not choose the deal"
        else:
            yield "              publish it today: at the end it proves that nobody changed a draw"
    yield f"turn {game.turn}, due now:"
    yield from due_lines(rules.awaiting(session.config, game.state), session.holders)
    yield f"players {to_write(game.turn, 'their')}"
    steps = {
        f"show {file} --as {session.seats[0]}": "the position for this player; do so for each seat",
        f"legal {file}": "the legal orders: only for the seat that is due",
        f"apply {file} ORDERS": "when you have received orders, in a text file",
    }
    width = max(map(len, steps))
    yield "next:"
    yield from (f"  adjudicator {step:{width}}  {words}" for step, words in steps.items())
