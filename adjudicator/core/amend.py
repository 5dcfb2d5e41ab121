"""What an amendment leads to: the rules are asked whether they can go on from a state that no game has come to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from adjudicator.core.chance import Chance, ImpossibleOutcomeError
from adjudicator.core.corrections import Amended
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.step import AnyRuleset, Taken, go_on

_IMPOSSIBLE: Final = "core/impossible-amendment"


def put_right(rules: AnyRuleset, config: Any, state: Any, seats: Iterable[Seat]) -> Any:
    """Return the amended ``state`` with what follows from its new values, as everybody at the table could be shown it.

    Raises ``SetupError`` with what cannot be so.
    """
    try:
        right = rules.validated_amendment(config, state)
        _show(rules, config, right, seats)
    except SetupError:
        raise
    except Exception as error:
        raise _unplayable(error) from error
    return right


def followed(rules: AnyRuleset, config: Any, state: Any, event: Any, chance: Chance, seats: Iterable[Seat]) -> Taken:
    """Return what happens without an order in ``state``, to which the correction ``event`` has led.

    Raises ``ImpossibleOutcomeError``. Whatever else the rules fail over is for an amendment to answer for, which can make
    what no game comes to: raises ``SetupError`` then.
    """
    if not isinstance(event, Amended):
        return go_on(rules, config, state, chance)
    try:
        taken = go_on(rules, config, state, chance)
        _try_out(rules, config, taken.state, tuple(seats))
    except (SetupError, ImpossibleOutcomeError):
        raise
    except Exception as error:
        raise _unplayable(error) from error
    return taken


def _try_out(rules: AnyRuleset, config: Any, state: Any, seats: tuple[Seat, ...]) -> None:
    """Ask the rules once for everything that a moderator may ask for next: what fails now must not fail then."""
    asked = {decision.seat for decision in rules.awaiting(config, state)}
    if not asked <= set(seats):
        nobody = ", ".join(sorted(asked - set(seats)))
        raise SetupError((Problem(_IMPOSSIBLE, f"{nobody} would be asked, but has no seat in this game"),))
    if not asked and not rules.is_over(config, state):
        raise SetupError((Problem(_IMPOSSIBLE, "nobody could act any more, and the game would not be over"),))
    rules.standings(config, state)
    rules.lint(config, state)
    _show(rules, config, state, seats)
    for seat in seats:
        rules.eliminated(config, state, seat)
        orders = tuple(rules.legal(config, state, seat))
        for order in orders:
            rules.language.text(order)
            rules.cost(config, state, seat, order)
        if seat in asked and not orders:
            raise SetupError((Problem(_IMPOSSIBLE, f"{seat} would be asked, and could not give a single order"),))


def _show(rules: AnyRuleset, config: Any, state: Any, seats: Iterable[Seat]) -> None:
    for viewer in (None, MODERATOR, *seats):
        seen = rules.view(config, state, viewer)
        rules.draw(config, seen)
        rules.facts(config, seen)


def _unplayable(error: Exception) -> SetupError:
    return SetupError((Problem(_IMPOSSIBLE, f"the rules cannot go on from it ({type(error).__name__}: {error})"),))
