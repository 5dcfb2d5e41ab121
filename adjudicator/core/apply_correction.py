"""Carry out a correction: journal it together with the events that follow without an order.

Before an amendment is accepted, the rules are tried on the amended state, since no game may ever have reached it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from adjudicator.core.chance import Chance, ImpossibleOutcomeError, RecordedChance
from adjudicator.core.corrections import Amended, Undone, apply_event, correction_words
from adjudicator.core.game import Game
from adjudicator.core.journal import Entry, link
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import StepResult, committed_chance, go_on
from adjudicator.core.timeline import Timeline
from adjudicator.core.values import MODERATOR, Seat, replace

_IMPOSSIBLE: Final = "core/impossible-amendment"


def apply_correction(
    rules: AnyRuleset, game: Game, event: Any, *, timeline: Timeline | None = None, takes_number: bool = True
) -> Game:
    """Return ``game`` corrected by ``event``, which becomes an entry of the moderator.

    Events that need no order follow at once. A correction takes the next number of an adjudication, but ``ABSENCES`` may go
    without (``takes_number``); the timeline decides which earlier numbers stay valid. An undo needs the ``timeline`` of the
    game, which is made if it is missing. Raises ``SetupError`` for an amendment from which the rules cannot continue.
    """
    if isinstance(event, Undone):
        state = (timeline or Timeline(rules, game)).state_after(event.to)
    else:
        state = apply_event(rules, game.state, event, ())
    last = game.journal[-1].entry
    drawn = game.journal[event.to].entry.drawn if isinstance(event, Undone) else last.drawn
    # An undone game draws the same outcomes again for the same orders: the count goes back with it.
    chance: Chance = committed_chance(game, drawn) or RecordedChance((), drawn)
    seats = (player.seat for player in game.setup.players)
    taken = consequences(rules, state, event, chance, seats)
    entry = Entry(
        n=last.n + 1,
        turn=game.turn if takes_number else last.turn,
        seat=MODERATOR,
        order=correction_words(event),
        written=None,
        notes=(),
        events=(event, *taken.events),
        drawn=chance.drawn,
    )
    return replace(game, journal=game.journal.extended((link(game.head, entry),)), state=taken.state)


def validate_amendment(rules: AnyRuleset, before: Any, state: Any, seats: Iterable[Seat]) -> Any:
    """Return the amended ``state`` with all values that follow from the new ones, if every viewer's view can be drawn.

    Raises ``SetupError`` with the reasons why the state is impossible. If the rules fail on the state ``before`` as well,
    they have a bug, and their exception is raised unchanged.
    """
    try:
        right = rules.amended(state)
        _try_views(rules, right, seats)
    except SetupError:
        raise
    except Exception as error:
        _try_before(rules, before, seats)
        raise _unplayable(error) from error
    return right


def consequences(rules: AnyRuleset, state: Any, event: Any, chance: Chance, seats: Iterable[Seat]) -> StepResult:
    """Return the events that need no order in ``state``, which is the result of the correction ``event``.

    Raises ``ImpossibleOutcomeError``, and ``SetupError`` if the rules fail on an amended state but not on the one before it.
    """
    if not isinstance(event, Amended):
        return go_on(rules, state, chance)
    table = tuple(seats)
    try:
        taken = go_on(rules, state, chance)
        _try_out(rules, taken.state, table)
    except (SetupError, ImpossibleOutcomeError):
        raise
    except Exception as error:
        _try_before(rules, event.before, table)
        raise _unplayable(error) from error
    return taken


def _try_out(rules: AnyRuleset, state: Any, seats: tuple[Seat, ...]) -> None:
    """Ask the rules once for everything that a moderator may ask for next, so that a failure shows up now."""
    asked = {ask.seat for ask in rules.due(state)}
    if not asked <= set(seats):
        strangers = ", ".join(sorted(asked - set(seats)))
        raise SetupError((Problem(_IMPOSSIBLE, f"the game would wait for {strangers}: this game has no such seat"),))
    if not asked and not rules.is_over(state):
        raise SetupError((Problem(_IMPOSSIBLE, "no seat could act, but the game would not be over"),))
    rules.standings(state)
    tuple(rules.warnings(state))
    _try_views(rules, state, seats)
    for seat in seats:
        rules.retired(state, seat)
        at = rules.at(state, seat)
        orders = tuple(rules.legal(at))
        for order in orders:
            rules.language.text(order)
            rules.cost(at, order)
        if seat in asked and not orders:
            raise SetupError((Problem(_IMPOSSIBLE, f"{seat} would have to act, but would have no legal order"),))


def _try_before(rules: AnyRuleset, state: Any, seats: Iterable[Seat]) -> None:
    """Raise the exception of the rules if they already fail on the ``state`` before an amendment."""
    try:
        taken = go_on(rules, rules.amended(state), RecordedChance(()))
        _try_out(rules, taken.state, tuple(seats))
    except (SetupError, ImpossibleOutcomeError):
        return


def _try_views(rules: AnyRuleset, state: Any, seats: Iterable[Seat]) -> None:
    for viewer in (None, MODERATOR, *seats):
        seen = rules.view(state, viewer)
        rules.draw(seen)
        rules.fact_values(seen)


def _unplayable(error: Exception) -> SetupError:
    return SetupError((Problem(_IMPOSSIBLE, f"the rules cannot go on from it ({type(error).__name__}: {error})"),))
