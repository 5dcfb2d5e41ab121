"""Facts: the named values that conditions of orders may use, each with its help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, TypeVar

from adjudicator.core.at import At, View
from adjudicator.core.conditions import Value
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat

P = TypeVar("P")
"""A place of a game's board, in the game's own type."""


@frozen
class Fact:
    """A fact: its ``help`` text, and its ``value`` from a view and the argument as written.

    The help of a fact that takes an argument shows how to write it: ```gear of SEAT```, ```tile at CELL```. If it
    ``takes_seat``, the form for seats is added to a help that does not show one.
    """

    help: str
    value: Callable[[Any, str], Value]
    takes_seat: bool = False

    def explained(self, name: str) -> str:
        """Return the help of the fact ``name``, with the form of its argument."""
        return f"{self.help}; `{name} of SEAT`" if self.takes_seat and "`" not in self.help else self.help

    @classmethod
    def of_game(cls, help: str, value: Callable[[Any], Value]) -> Fact:  # noqa: A002
        """Return a fact without an argument; if an order gives one, the fact has no value."""
        return cls(help, lambda at, argument: None if argument else value(at))

    @classmethod
    def at(cls, help: str, value: Callable[[Any, str], Value]) -> Fact:  # noqa: A002
        """Return a fact with an argument, which is empty if the order has none."""
        return cls(help, value)

    @classmethod
    def of_place(
        cls,
        help: str,  # noqa: A002
        value: Callable[[Any, P], Value],
        find: Callable[[Any, str], P | None],
        own: Callable[[Any], P | None] = lambda _at: None,
    ) -> Fact:
        """Return a fact of a place; ``value`` gives it from the configuration and the place.

        ``find`` gives the place that the argument names, from the configuration. Without an argument, ``own`` gives the
        viewer's place from its position. Without a place the fact has no value.
        """

        def look_up(at: At[Any, Any, Any], argument: str) -> Value:
            place = find(at.config, argument) if argument else None if at.own is None else own(at)
            return None if place is None else value(at.config, place)

        return cls(help, look_up)

    @classmethod
    def of_seat(
        cls,
        help: str,  # noqa: A002
        value: str | Callable[[Any], Value],
        find: Callable[[Any, str], Seat | None] | None = None,
    ) -> Fact:
        """Return a fact of the viewer's seat, or of the seat that its argument names (``of SEAT``, added to the help).

        ``value`` gives it from the position of that seat, as the viewer sees it, or is the name of a field or property of
        the seat's part of the state. ``find`` gives the seat for a written name and the configuration; without it, the name
        must be the seat's own.
        """
        field: Any = attrgetter(f"own.{value}") if isinstance(value, str) else value

        def look_up(at: At[Any, Any, Any], argument: str) -> Value:
            seat = (find or _called)(at.config, argument or at.seat or "")
            if seat is None:
                return None
            found: Value = field(at if seat == at.seat else At(at.config, at.state, seat))
            return found

        return cls(help, look_up, takes_seat=True)


class FactValues(Mapping[str, Callable[[str], Value]]):
    """Facts by name, as functions of their argument; a condition uses one or two of dozens, so none is computed early."""

    __slots__ = ("_facts", "_view")

    def __init__(self, facts: Mapping[str, Fact], view: View[Any, Any, Any]) -> None:
        """Compute ``facts`` of ``view`` on demand."""
        self._facts, self._view = facts, view

    def __getitem__(self, name: str) -> Callable[[str], Value]:
        value, view = self._facts[name].value, self._view
        return lambda argument: value(view, argument)

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __contains__(self, name: object) -> bool:
        return name in self._facts


def _called(config: Any, name: str) -> Seat | None:
    return next((seat for seat in config.seats if seat == name.lower()), None)
