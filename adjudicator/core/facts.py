"""Facts: the named values that conditions of orders may use, each with its help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, TypeVar

from adjudicator.core.conditions import FactValue
from adjudicator.core.each_seat import first_seat_field, own_of
from adjudicator.core.values import Seat, Value
from adjudicator.core.view import View

C = TypeVar("C")
S = TypeVar("S")
P = TypeVar("P")
"""A place of a game's board, in the game's own type."""


class Fact(Value):
    """A fact: its ``help`` text, and its ``value`` from the configuration, a view, and the argument as written.

    The help of a fact that takes an argument shows how to write it: ```gear of SEAT```, ```tile at CELL```. If it
    ``takes_seat``, the form for seats is added to a help that does not show one.
    """

    help: str
    value: Callable[[Any, View[Any], str], FactValue]
    takes_seat: bool = False

    def explained(self, name: str) -> str:
        """Return the help of the fact ``name``, with the form of its argument."""
        return f"{self.help}; `{name} of SEAT`" if self.takes_seat and "`" not in self.help else self.help

    @classmethod
    def of_game(cls, help: str, value: Callable[[Any, View[Any]], FactValue]) -> Fact:  # noqa: A002
        """Return a fact without an argument; if an order gives one, the fact has no value."""
        return cls(help, lambda config, view, argument: None if argument else value(config, view))

    @classmethod
    def at(cls, help: str, value: Callable[[Any, View[Any], str], FactValue]) -> Fact:  # noqa: A002
        """Return a fact with an argument, which is empty if the order has none."""
        return cls(help, value)

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

        return cls(help, look_up)

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

        return cls(help, look_up, takes_seat=True)

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


class FactValues(Mapping[str, Callable[[str], FactValue]]):
    """Facts by name, as functions of their argument; a condition uses one or two of dozens, so none is computed early."""

    __slots__ = ("_config", "_facts", "_view")

    def __init__(self, facts: Mapping[str, Fact], config: Any, view: View[Any]) -> None:
        """Compute ``facts`` of ``view`` on demand."""
        self._facts, self._config, self._view = facts, config, view

    def __getitem__(self, name: str) -> Callable[[str], FactValue]:
        value, config, view = self._facts[name].value, self._config, self._view
        return lambda argument: value(config, view, argument)

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __contains__(self, name: object) -> bool:
        return name in self._facts


def _called(config: Any, name: str) -> Seat | None:
    return next((seat for seat in config.seats if seat == name.lower()), None)
