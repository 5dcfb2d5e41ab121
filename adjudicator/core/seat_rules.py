"""Hooks that most games need not write: each seat's beginning, its explicit position, its account and its standing."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from adjudicator.core.compiled import in_order_of_seats
from adjudicator.core.event import Spent
from adjudicator.core.ids import Seat
from adjudicator.core.naming import account_among
from adjudicator.core.ranking import ranking
from adjudicator.core.ruleset import Meta, Standing, Unit
from adjudicator.core.seated import first_seated, of_seat, own_changed

C = TypeVar("C")
S = TypeVar("S")


class SeatRules(Generic[C, S]):
    """Hooks of ``Rules`` with defaults made from each seat's part of the state: its first field with one thing per seat."""

    if TYPE_CHECKING:
        meta: ClassVar[Meta]
        state: ClassVar[type]
        position: ClassVar[type | None]

        def is_over(self, config: C, state: S) -> bool:
            """Return whether the game is over."""

    def begin(self, config: C) -> S:
        """Return the state before the first event.

        By default, the state and each seat's part of it have the defaults of their classes.
        """
        field, thing = first_seated(self.state)
        return cast("S", self.state(**{field: tuple(thing(seat=seat) for seat in _seats(config))}))

    def place(self, config: C, position: Any) -> S:
        """Return the state that an explicit position for the game's own seats describes, without checking it.

        If positions are written like states, that is the position itself, with the seats' parts in the order of the seats.
        Otherwise the state copies the fields that both have, and ``seated`` makes each seat's part from its entry in
        ``seats``.
        """
        if self.position is None:
            return cast("S", in_order_of_seats(config, position))
        things = tuple(self.seated(config, of_seat(position.seats, seat)) for seat in _seats(config))
        shared = {field.name for field in fields(self.state)}.intersection(field.name for field in fields(position))
        own = {name: getattr(position, name) for name in shared}
        return cast("S", self.state(**own, **{first_seated(self.state)[0]: things}))

    def seated(self, config: C, at: Any) -> Any:
        """Return a seat's part of the state from its entry ``at`` in an explicit position."""
        return at

    def spent(self, config: C, state: S, event: Spent) -> S:
        """Return ``state`` with the account of the event's seat at ``event.after``.

        By default, the account is the field of the seat's part of the state with the name of the account or of the unit (see
        ``Unit``); without such a field nothing changes.
        """
        account = _account(self.state, self.meta.unit)
        return cast("S", own_changed(state, event.seat, {account: event.after})) if account else state

    def standings(self, config: C, state: S) -> tuple[Standing, ...]:
        """Return the standings, the leader first: by ``rank``, with ``score`` and ``note``."""
        return ranking(
            getattr(state, first_seated(self.state)[0]),
            key=lambda thing: self.rank(config, state, thing),
            score=lambda thing: self.score(config, state, thing),
            note=lambda thing: self.note(config, state, thing),
            is_final=self.is_over(config, state),
        )

    def rank(self, config: C, state: S, thing: Any) -> Any:
        """Return the ranking key of the seat that ``thing`` belongs to: the least leads, equal ones are level."""
        raise NotImplementedError

    def score(self, config: C, state: S, thing: Any) -> int:
        """Return the score of the seat that ``thing`` belongs to, in the game's unit: by default its account."""
        return cast("int", getattr(thing, _account(self.state, self.meta.unit)))

    def note(self, config: C, state: S, thing: Any) -> str:
        """Return a note on the standing of the seat that ``thing`` belongs to."""
        raise NotImplementedError


def _seats(config: Any) -> tuple[Seat, ...]:
    return cast("tuple[Seat, ...]", config.seats)


@cache
def _account(state: type, unit: Unit) -> str:
    """Return the field of the account in each seat's part of ``state``; empty if it has none."""
    try:
        _, thing = first_seated(state)
    except NotImplementedError:
        return ""
    return account_among([own.name for own in fields(thing)], unit)
