"""Hooks that most games need not write: what each seat begins with, is placed with, has spent, and how it stands."""

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
from adjudicator.core.seated import first_seated, of_seat, own_setter

C = TypeVar("C")
S = TypeVar("S")


class SeatRules(Generic[C, S]):
    """The hooks of ``Rules`` that follow from what each seat has in the state: its first field with one thing for each.

    A game writes those of them that it has otherwise.
    """

    if TYPE_CHECKING:
        meta: ClassVar[Meta]
        state: ClassVar[type]
        position: ClassVar[type | None]

        def is_over(self, config: C, state: S) -> bool:
            """Return whether the game is over."""

    def begin(self, config: C) -> S:
        """Return the state before anything has happened.

        Unless the game says otherwise, each seat has what the class of that gives without a word, and so has the state.
        """
        field, thing = first_seated(self.state)
        return cast("S", self.state(**{field: tuple(thing(seat=seat) for seat in _seats(config))}))

    def place(self, config: C, position: Any) -> S:
        """Return the state that an explicit position for the game's own seats describes, whatever may be wrong with it.

        Where positions are written as states are, that is the position, with what belongs to seats in their order. Otherwise
        the state has what the position has by the same names, and each seat what ``seated`` makes of its entry in ``seats``.
        """
        if self.position is None:
            return cast("S", in_order_of_seats(config, position))
        things = tuple(self.seated(config, of_seat(position.seats, seat)) for seat in _seats(config))
        shared = {field.name for field in fields(self.state)}.intersection(field.name for field in fields(position))
        own = {name: getattr(position, name) for name in shared}
        return cast("S", self.state(**own, **{first_seated(self.state)[0]: things}))

    def seated(self, config: C, at: Any) -> Any:
        """Return what belongs to a seat in the state by its entry ``at`` in an explicit position."""
        return at

    def spent(self, config: C, state: S, event: Spent) -> S:
        """Return ``state`` with the account of the event's seat at ``event.after``.

        Unless the game says otherwise, that is the field of what belongs to the seat that is called like the account, or
        like what orders cost (``Unit``); without such a field nothing is kept.
        """
        account = _account(self.state, self.meta.unit)
        return cast("S", own_setter(self.state, account)(state, event.seat, event.after)) if account else state

    def standings(self, config: C, state: S) -> tuple[Standing, ...]:
        """Return who is where, the leader first: by ``rank``, with ``score`` and ``note``."""
        return ranking(
            getattr(state, first_seated(self.state)[0]),
            key=lambda thing: self.rank(config, state, thing),
            score=lambda thing: self.score(config, state, thing),
            note=lambda thing: self.note(config, state, thing),
            is_final=self.is_over(config, state),
        )

    def rank(self, config: C, state: S, thing: Any) -> Any:
        """Return the key by which the seat stands that ``thing`` belongs to: the least leads, equal ones are level."""
        raise NotImplementedError

    def score(self, config: C, state: S, thing: Any) -> int:
        """Return what the seat has that ``thing`` belongs to, in the game's unit: its account."""
        return cast("int", getattr(thing, _account(self.state, self.meta.unit)))

    def note(self, config: C, state: S, thing: Any) -> str:
        """Return in words how the seat stands that ``thing`` belongs to."""
        raise NotImplementedError


def _seats(config: Any) -> tuple[Seat, ...]:
    return cast("tuple[Seat, ...]", config.seats)


@cache
def _account(state: type, unit: Unit) -> str:
    """Return the name of the account in what belongs to each seat of a ``state``; empty if there is none."""
    try:
        _, thing = first_seated(state)
    except NotImplementedError:
        return ""
    return account_among([own.name for own in fields(thing)], unit)
