"""Facts: the named values that conditions of orders may use, each with its help."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Literal, TypeVar

from adjudicator.core.each_seat import first_seat_field, own_of
from adjudicator.core.values import Seat, Value
from adjudicator.core.view import View

C = TypeVar("C")
S = TypeVar("S")
P = TypeVar("P")
"""A place of a game's board, in the game's own type."""
FactValue = int | str | tuple[str, ...] | None
"""The value of a fact: a number, a name, several names, or ``None`` if it is not known."""


class Fact(Value):
    """A fact: its ``help`` text, and its ``value`` from the configuration, a view, and the argument as written.

    Its ``argument`` is a ``seat`` or another thing, written with ``of``, or a ``place``, written with ``at``; a fact with
    ``None`` takes none. The help shows how to write it: ```pool of COLOUR```, ```tile at CELL```.
    """

    help: str
    value: Callable[[Any, View[Any], str], FactValue]
    argument: Literal["seat", "place"] | None = None

    @property
    def link(self) -> str:
        """The word before the argument; empty if the fact takes none."""
        return {"seat": "of", "place": "at", None: ""}[self.argument]

    def explained(self, name: str) -> str:
        """Return the help of the fact ``name``, with the form for a seat unless it shows one."""
        is_shown = self.argument != "seat" or f"`{name} of " in self.help
        return self.help if is_shown else f"{self.help}; `{name} of SEAT`"

    @classmethod
    def of_game(cls, help: str, value: Callable[[Any, View[Any]], FactValue]) -> Fact:  # noqa: A002
        """Return a fact without an argument; if an order gives one, the fact has no value."""
        return cls(help, lambda config, view, argument: None if argument else value(config, view))

    @classmethod
    def of_place(
        cls,
        help: str,  # noqa: A002
        value: Callable[[Any, P], FactValue],
        find: Callable[[Any, str], P | None],
        own: Callable[[Any, Any], P | None] = lambda _config, _thing: None,
    ) -> Fact:
        """Return a fact of a place; ``value`` gives it from the configuration and the place.

        ``find`` gives the place that the argument names. Without an argument, ``own`` gives the viewer's place from the
        configuration and the viewer's part of the state. Without a place the fact has no value.
        """

        def look_up(config: Any, view: View[Any], argument: str) -> FactValue:
            if not argument:
                kind: Any = type(view.state)
                thing = view.own(getattr(view.state, first_seat_field(kind)[0]))
                place = None if thing is None else own(config, thing)
            else:
                place = find(config, argument)
            return None if place is None else value(config, place)

        return cls(help, look_up, "place")

    @classmethod
    def of_seat(
        cls,
        help: str,  # noqa: A002
        value: Callable[[Any, View[Any], Seat], FactValue],
        find: Callable[[Any, str], Seat | None] | None = None,
    ) -> Fact:
        """Return a fact of the viewer's seat, or of the seat that its argument names (``of SEAT``, added to the help).

        ``find`` gives the seat for a written name and the configuration; without it, the name must be the seat's own.
        """

        def look_up(config: Any, view: View[Any], argument: str) -> FactValue:
            seat = (find or _called)(config, argument or view.viewer or "")
            return None if seat is None else value(config, view, seat)

        return cls(help, look_up, "seat")

    @classmethod
    def of_own(
        cls,
        help: str,  # noqa: A002
        value: str | Callable[[Any, Any], FactValue],
        find: Callable[[Any, str], Seat | None] | None = None,
    ) -> Fact:
        """Return a fact of a seat's part of the state: the seat's thing in the first field with one thing for each seat.

        The fact is about the seat that ``of_seat`` would choose. ``value`` is the name of a field or property of the thing,
        or a function of the configuration and the thing.
        """
        if isinstance(value, str):
            field = attrgetter(value)
            return cls.of_seat(help, lambda _config, view, seat: field(own_of(view.state, seat)), find)
        return cls.of_seat(help, lambda config, view, seat: value(config, own_of(view.state, seat)), find)


def _called(config: Any, name: str) -> Seat | None:
    return next((seat for seat in config.seats if seat == name.lower()), None)
