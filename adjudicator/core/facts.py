"""Facts: the named values that conditions of orders may use, each with its help."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Literal, TypeVar

from adjudicator.core.at import At
from adjudicator.core.values import Seat, Value

P = TypeVar("P")
"""A place of a game's board, in the game's own type."""
FactValue = int | str | tuple[str, ...] | None
"""The value of a fact: a number, a name, several names, or ``None`` if it is not known."""


class Fact(Value):
    """A fact: its ``help`` text, and its ``value`` from a view and the argument as written.

    Its ``argument`` is a ``seat`` or another thing, written with ``of``, or a ``place``, written with ``at``; a fact with
    ``None`` takes none. The help shows how to write it: ```pool of COLOUR```, ```tile at CELL```.
    """

    help: str
    value: Callable[[Any, str], FactValue]
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
    def of_game(cls, help: str, value: Callable[[Any], FactValue]) -> Fact:  # noqa: A002
        """Return a fact without an argument; if an order gives one, the fact has no value."""
        return cls(help, lambda at, argument: None if argument else value(at))

    @classmethod
    def of_place(
        cls,
        help: str,  # noqa: A002
        value: Callable[[Any, P], FactValue],
        find: Callable[[Any, str], P | None],
        own: Callable[[Any], P | None] = lambda _at: None,
    ) -> Fact:
        """Return a fact of a place; ``value`` gives it from the configuration and the place.

        ``find`` gives the place that the argument names, from the configuration. Without an argument, ``own`` gives the
        viewer's place from its position. Without a place the fact has no value.
        """

        def look_up(at: At[Any, Any, Any], argument: str) -> FactValue:
            place = find(at.config, argument) if argument else None if at.own is None else own(at)
            return None if place is None else value(at.config, place)

        return cls(help, look_up, "place")

    @classmethod
    def of_seat(
        cls,
        help: str,  # noqa: A002
        value: str | Callable[[Any], FactValue],
        find: Callable[[Any, str], Seat | None] | None = None,
    ) -> Fact:
        """Return a fact of the viewer's seat, or of the seat that its argument names (``of SEAT``, added to the help).

        ``value`` gives it from the position of that seat, as the viewer sees it, or is the name of a field or property of
        the seat's part of the state. ``find`` gives the seat for a written name and the configuration; without it, the name
        must be the seat's own.
        """
        field: Any = attrgetter(f"own.{value}") if isinstance(value, str) else value

        def look_up(at: At[Any, Any, Any], argument: str) -> FactValue:
            seat = (find or _called)(at.config, argument or at.seat or "")
            if seat is None:
                return None
            found: FactValue = field(at if seat == at.seat else At(at.config, at.state, seat))
            return found

        return cls(help, look_up, "seat")


def _called(config: Any, name: str) -> Seat | None:
    return next((seat for seat in config.seats if seat == name.lower()), None)
