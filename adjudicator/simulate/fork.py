"""Begin a private game from a position of another one, and let simulated players play on."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from secrets import token_hex
from typing import Any, Final

from adjudicator.core.advice import Seen, seen
from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.corrections import Forked, Undone
from adjudicator.core.engine import begin
from adjudicator.core.game import Record
from adjudicator.core.problem import SetupError
from adjudicator.core.ruleset import Player
from adjudicator.core.step import fork as begin_fork
from adjudicator.core.values import MODERATOR, Seat, json_value, replace
from adjudicator.files.typed import Misfit, convert
from adjudicator.library.begin import BAD_ID, GAME_ID
from adjudicator.library.errors import RequestError
from adjudicator.library.game import Game
from adjudicator.library.reader import Reader, Step
from adjudicator.library.results import Result
from adjudicator.library.shown import known_position
from adjudicator.simulate.bots import choose_order
from adjudicator.simulate.play import FoulPlayError, play_on

_PLAYER: Final = "greedy"
"""The simulated players of a fork."""
_TRIES: Final = 50
"""How often the unknown is dealt until it fits what the seat knows."""
_MOST_ORDERS: Final = 500
"""The number of orders that simulated players give at most until the person must decide."""
_SPARE: Final = 40
"""The number of orders that a simulated player may need more than twice as many as the player whom it stands for."""


def fork_game(reader: Reader, n: int, *, id: str = "", secret: str | None = None) -> Game:  # noqa: A002 - as for `new`
    """Return a private game that goes on from the position after entry ``n``, as ``reader`` saw it then.

    For a seat, all that it did not know is dealt anew, and simulated players have the other seats (see ``play_others``). For
    the moderator, the game has the whole position of that moment. It has another ``id`` (by default with the words ``fork``,
    the number and the beginning of its commitment) and another ``secret`` of chance (``None``: a random one).

    Raises ``RequestError`` for the public, for the end of a game, and if no position fits; ``NoSuchEntryError``.
    """
    game, viewer = reader.game, reader.viewer
    if id and not GAME_ID.fullmatch(id):
        raise RequestError(BAD_ID.format(id[:80]))
    if viewer is None:
        raise RequestError("name a seat, whose knowledge the private game has, or the moderator, who knows everything")
    steps = _counting(list(reader.replay(0, n)))
    if id in (game.id, *(one.game for one in steps[0].events if isinstance(one, Forked))):
        raise RequestError(f"give the private game another id than {id}, which a game before it has")
    secret = token_hex(32) if secret is None else secret
    committed, luck = commitment(bytes.fromhex(secret)), Random(f"adjudicator fork 1\n{secret}")
    seat = None if viewer == MODERATOR else viewer
    setup = game.record.setup
    record = Record(
        id=id or f"{game.id[:55] if GAME_ID.fullmatch(game.id) else 'game'}-fork-{n}-{committed[:6]}",
        ruleset=game.record.ruleset,
        components=game.record.components,
        chance=ChanceRecord(source="committed", commitment=committed, secret=secret),
        setup=replace(
            setup,
            players=tuple(
                Player(one, steps[-1].holders[one] if seat in (one, None) else "simulated") for one in setup.seats
            ),
            position=setup.position if seat is None else known_position(game.rules, setup),
        ),
        journal=(),
        pending=(),
        state=None,
        languages=game.record.languages,
    )
    begun = Game.of(record)
    if begun.rules.is_over(steps[-1].view):
        raise RequestError(f"the game is over after entry {n}: name an earlier one")
    if seat is None:
        return begun.with_record(begin_fork(begun.rules, record, Forked(game=game.id, n=n, seat=None, state=steps[-1].view)))
    known = seen(begun.rules.pieces, begun.rules.config, seat, [(step.events, step.view) for step in steps])
    for _ in range(_TRIES):
        with suppress(SetupError):  # impossible after all, such as cards that none of them fits
            state = begun.rules.amended(_supposed(begun, seat, steps, known, luck))
            if begun.rules.view(state, seat).state == steps[-1].view:
                event = Forked(game=game.id, n=n, seat=seat, state=state)
                return begun.with_record(begin_fork(begun.rules, record, event))
    raise RequestError(f"no position was found that fits what {seat} knew after entry {n}: name another one")


def _supposed(begun: Game, seat: Seat, steps: list[Step], known: Seen, luck: Random) -> Any:
    """Return a whole state that ``seat`` may take for the real one after the last of ``steps``.

    Raises ``SetupError`` if it is none, as of a game that does not say how to suppose its secrets.
    """
    rules, state = begun.rules, steps[-1].view
    if rules.config.seats_are_independent:
        for part in getattr(state, state.own_in):
            if part.seat != seat and not _is_whole(type(part), part):
                state = state.with_own(_played_anew(begun, seat, part, steps, luck))
    found = rules.suppose(replace(rules.view(state, seat), state=state), known, luck)
    if not _is_whole(rules.types.state, found):
        rules.refuse("unknown-secrets", ["this game cannot suppose what others hide: begin from the moderator's game file"])
    return found


def _is_whole(kind: Any, value: Any) -> bool:
    """Return whether ``value`` is a ``kind`` without placeholders."""
    try:
        return bool(convert(kind, json_value(value)) == value)
    except Misfit:
        return False


def _played_anew(begun: Game, viewer: Seat, shown: Any, steps: list[Step], luck: Random) -> Any:
    """Return the part of an independent seat of which ``viewer`` sees only what is in ``shown``.

    A simulated player has that seat from the beginning, until the viewer would see the same: after as many orders as
    the log has, or nearly so. Raises ``SetupError`` if it does not come there.
    """
    rules, seat, found = begun.rules, shown.seat, list[tuple[int, Any]]()
    orders = sum(row.seat == seat and row.order != "" for step in steps for row in step.rows)
    secret = luck.randbytes(32)
    chance = ChanceRecord(source="committed", commitment=commitment(secret), secret=secret.hex())
    game = begun.with_record(begin(rules, replace(begun.record, chance=chance)))
    for number in range(2 * orders + _SPARE):
        state = game.record.state
        if rules.view(state, viewer).state.of(seat) == shown:
            found.append((abs(number - orders), state.of(seat)))
        elif found:
            break
        game = play_on(game, {seat: _PLAYER}, luck, 1)
    if not found:
        rules.refuse("unknown-secrets", [f"{seat} is not where a simulated player comes"])
    return min(found, key=lambda one: one[0])[1]


def _counting(steps: list[Step]) -> list[Step]:
    """Return the ``steps`` that still count after the last of them: an undo goes back to before the others."""
    found = list[Step]()
    for step in steps:
        if step.events and isinstance(undone := step.events[0], Undone):
            found = [one for one in found if one.n <= undone.to]
        found.append(step)
    return found


def play_others(game: Game, person: str) -> Game:
    """Return ``game`` after orders of simulated players for all others, up to where the seat ``person`` must act."""
    for _ in range(_MOST_ORDERS):
        due = game.due_seats
        if not due or person in due:
            break
        result = game.apply({due[0]: choose_order(game, due[0], _PLAYER, None)})
        if not result.accepted:
            raise FoulPlayError(f"{due[0]}: {'; '.join(one.message for one in result.problems) or 'not taken'}")
        # Nobody has sent these orders, so they have no receipts.
        game = result.game.with_record(replace(result.game.record, receipts=game.record.receipts))
    return game


def others_answering(result: Result) -> Result:
    """Return the ``result`` of orders in a fork of what a seat knew, with what simulated players ordered after them."""
    before, fork = result.game, result.game.fork
    if fork is None or fork.seat is None:
        return result
    after = play_others(before, fork.seat)
    new = after.record.journal[len(before.record.journal) :]
    return replace(result, game=after, is_changed=True, accepted=(*result.accepted, *new)) if new else result
