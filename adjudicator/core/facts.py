"""Facts: the named values that conditions of orders may use, each with the words that explain it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, TypeVar

from adjudicator.core.conditions import Facts, Value
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.seated import first_seated, own_of
from adjudicator.core.view import View

C = TypeVar("C")
S = TypeVar("S")
P = TypeVar("P")
"""A place of a game's board, as the game writes it."""


@frozen
class Fact:
    """A fact: its ``help`` in words, and its ``value`` from the configuration, a view, and the argument as written.

    The help of a fact that takes an argument shows how that is written: ```gear of SEAT```, ```tile at CELL```. Where a seat
    may be named, and the help does not show it, ``of_seat`` has it added.
    """

    help: str
    value: Callable[[Any, View[Any], str], Value]
    of_seat: bool = False

    def explained(self, name: str) -> str:
        """Return the help of the fact ``name``, with the form of its argument."""
        return f"{self.help}; `{name} of SEAT`" if self.of_seat and "`" not in self.help else self.help


def fact(help: str, value: Callable[[Any, View[Any]], Value]) -> Fact:  # noqa: A002
    """Return a fact without an argument; with one it is not known."""
    return Fact(help, lambda config, view, argument: None if argument else value(config, view))


def fact_at(help: str, value: Callable[[Any, View[Any], str], Value]) -> Fact:  # noqa: A002
    """Return a fact with an argument, empty where none is written."""
    return Fact(help, value)


def fact_of_place(
    help: str,  # noqa: A002
    value: Callable[[Any, P], Value],
    find: Callable[[Any, str], P | None],
    own: Callable[[Any, Any], P | None] = lambda _config, _thing: None,
) -> Fact:
    """Return a fact of a place, from the configuration and that: of the one that its argument names, which ``find`` gives.

    Without an argument it is the place where the viewer is: ``own`` gives it from the configuration and what the viewer's
    seat has. Where neither gives one, the fact is not known.
    """

    def look_up(config: Any, view: View[Any], argument: str) -> Value:
        if not argument:
            kind: Any = type(view.state)
            thing = view.own(getattr(view.state, first_seated(kind)[0]))
            place = None if thing is None else own(config, thing)
        else:
            place = find(config, argument)
        return None if place is None else value(config, place)

    return Fact(help, look_up)


def fact_of_seat(
    help: str,  # noqa: A002
    value: Callable[[Any, View[Any], Seat], Value],
    find: Callable[[Any, str], Seat | None] | None = None,
) -> Fact:
    """Return a fact of the viewer's seat, or of the seat that its argument names: the help need not say how (``of SEAT``).

    ``find`` gives the seat that the configuration knows by a written name; without it that is the seat's own name.
    """

    def look_up(config: Any, view: View[Any], argument: str) -> Value:
        seat = (find or _called)(config, argument or view.viewer or "")
        return None if seat is None else value(config, view, seat)

    return Fact(help, look_up, of_seat=True)


def fact_of_own(
    help: str,  # noqa: A002
    value: str | Callable[[Any, Any], Value],
    find: Callable[[Any, str], Seat | None] | None = None,
) -> Fact:
    """Return a fact of what belongs to a seat, found as ``fact_of_seat`` does it, in the first such field of the state.

    ``value`` is the name of a field or a property of it, or a function of the configuration and it.
    """
    if isinstance(value, str):
        field = attrgetter(value)
        return fact_of_seat(help, lambda _config, view, seat: field(own_of(view.state, seat)), find)
    return fact_of_seat(help, lambda config, view, seat: value(config, own_of(view.state, seat)), find)


def facts_of(offered: Mapping[str, Fact], config: Any, view: View[Any]) -> Facts:
    """Return the values of the facts ``offered``, each worked out when it is asked for."""
    return _Offered(offered, config, view)


class _Offered(Mapping[str, Callable[[str], Value]]):
    """Facts by name, as functions of their argument. Of dozens a condition asks for one or two."""

    __slots__ = ("_config", "_offered", "_view")

    def __init__(self, offered: Mapping[str, Fact], config: Any, view: View[Any]) -> None:
        self._offered, self._config, self._view = offered, config, view

    def __getitem__(self, name: str) -> Callable[[str], Value]:
        value, config, view = self._offered[name].value, self._config, self._view
        return lambda argument: value(config, view, argument)

    def __iter__(self) -> Iterator[str]:
        return iter(self._offered)

    def __len__(self) -> int:
        return len(self._offered)

    def __contains__(self, name: object) -> bool:
        return name in self._offered


def _called(config: Any, name: str) -> Seat | None:
    return next((seat for seat in config.seats if seat == name.lower()), None)
