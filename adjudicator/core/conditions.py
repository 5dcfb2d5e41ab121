"""Conditions of orders (``IF row has U7 THEN …``), and the facts of a seat's own view that decide them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final, Literal, TypeVar

from adjudicator.core.at import At
from adjudicator.core.problem import Problem
from adjudicator.core.values import Seat, Value, require_parameters

FactValue = int | str | tuple[str, ...] | None
"""The value of a fact: a number, a name, several names, or ``None`` if it is not known."""
Facts = Mapping[str, Callable[[str], FactValue]]
"""The values that a seat may use, by their argument (``tile at C2``), which is empty if the order has none."""


class Comparison(StrEnum):
    """The comparison of two terms; the values are the canonical spelling."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    HAS = "has"
    IN = "in"


class FactOf(Value):
    """A named value of the seat's own view, with its argument if it takes one (``tile at C2``: the ``link`` is ``at``)."""

    name: str
    argument: str = ""
    link: str = ""


class CostOf(Value):
    """The cost that an order would have now, in the ruleset's unit."""

    order: Any


class Number(Value):
    """A written number."""

    value: int


class Word(Value):
    """A written name: that of a fact if there is such a fact, else the name itself."""

    text: str


Term = FactOf | CostOf | Number | Word


class Compare(Value):
    """A comparison ``how`` of ``left`` with ``right``."""

    left: Term
    how: Comparison
    right: Term


class Both(Value):
    """A condition that holds if all ``parts`` hold."""

    parts: tuple[Condition, ...]


class Either(Value):
    """A condition that holds if at least one of ``parts`` holds."""

    parts: tuple[Condition, ...]


class Not(Value):
    """A condition that holds if ``part`` does not."""

    part: Condition


Condition = Compare | Both | Either | Not


class Context(Value):
    """The context of a condition: the seat's ``facts``, the ``cost`` of an order (``None``: not legal now), all ``names``.

    ``names`` are in lower case. A word that is both a fact and a name means the name when it is compared with a name.
    """

    facts: Facts
    cost: Callable[[Any], int | None]
    names: Collection[str] = ()


class Evaluation(Value):
    """The result of a condition: whether it holds, and ``because`` of which values, for the log."""

    holds: bool
    because: tuple[str, ...]


def evaluate(condition: Condition, context: Context) -> Evaluation:
    """Return whether ``condition`` holds in ``context``. A comparison with something unknown never holds."""
    if isinstance(condition, Compare):
        left = _meant(condition.left, None, context)
        first = _value(left, context)
        right = _meant(condition.right, first, context)
        second = _value(right, context)
        told = [_told(term, value) for term, value in ((left, first), (right, second))]
        return Evaluation(_compare(first, condition.how, second), tuple(filter(None, told)))
    if isinstance(condition, Not):
        found = evaluate(condition.part, context)
        return Evaluation(not found.holds, found.because)
    parts = [evaluate(part, context) for part in condition.parts]
    holds = (all if isinstance(condition, Both) else any)(part.holds for part in parts)
    return Evaluation(holds, tuple(dict.fromkeys(line for part in parts for line in part.because)))


def _meant(term: Term, beside: FactValue, context: Context) -> Term:
    """Return the meaning of a word that is compared with the value ``beside``: the fact of that name, or the name itself.

    A word that is both means the name beside a name, and the fact beside a number.
    """
    if not isinstance(term, Word) or term.text.lower() not in context.facts:
        return term
    is_name = isinstance(beside, (str, tuple)) and term.text.casefold() in context.names
    return term if is_name else FactOf(term.text.lower())


def _value(term: Term, context: Context) -> FactValue:
    if isinstance(term, FactOf):
        fact = context.facts.get(term.name)
        return None if fact is None else fact(term.argument)
    if isinstance(term, CostOf):
        return context.cost(term.order)
    return term.value if isinstance(term, Number) else term.text


def _told(term: Term, value: FactValue) -> str:
    """Return the sentence about the ``value`` of a ``term``; numbers and names need none (empty)."""
    if isinstance(term, CostOf):
        return "that order is not possible now" if value is None else f"the cost is {value}"
    if not isinstance(term, FactOf):
        return ""
    words = (" ".join(value) or "empty") if isinstance(value, tuple) else "not known" if value is None else str(value)
    return f"{_term_text(term, str)} is {words}"


def _compare(left: FactValue, how: Comparison, right: FactValue) -> bool:
    """Return the result of a comparison: names in any case, which have no order, and numbers, also those of names."""
    if left is None or right is None:
        return False
    if how in (Comparison.HAS, Comparison.IN):
        many, one = (left, right) if how is Comparison.HAS else (right, left)
        return str(one).casefold() in (str(name).casefold() for name in (many if isinstance(many, tuple) else (many,)))
    if isinstance(left, str) or isinstance(right, str):
        is_same = isinstance(left, str) and isinstance(right, str) and left.casefold() == right.casefold()
        return is_same if how is Comparison.EQUAL else how is Comparison.UNEQUAL and not is_same
    first, second = (len(value) if isinstance(value, tuple) else value for value in (left, right))
    return _ORDERED[how](first, second)


_ORDERED: Final[Mapping[Comparison, Callable[[int, int], bool]]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.UNEQUAL: operator.ne,
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.MORE: operator.gt,
    Comparison.AT_LEAST: operator.ge,
}


def _comparisons(condition: Condition) -> Iterator[Compare]:
    if isinstance(condition, Compare):
        yield condition
    else:
        for part in (condition.part,) if isinstance(condition, Not) else condition.parts:
            yield from _comparisons(part)


def costed_orders(condition: Condition) -> Iterator[Any]:
    """Yield the orders whose cost ``condition`` asks for."""
    for one in _comparisons(condition):
        yield from (term.order for term in (one.left, one.right) if isinstance(term, CostOf))


def validate_condition(condition: Condition, facts: Mapping[str, Fact], names: Collection[str] = ()) -> Iterator[Problem]:
    """Yield the problems that ``condition`` has in every position.

    ``facts`` are those of the game, ``names`` its names in lower case; without any, names are not checked. Codes:
    ``orders/`` with ``unknown-fact``, ``unknown-name``, ``no-argument``.
    """
    sides = ((term, rule) for one in _comparisons(condition) for term, rule in ((one.left, "name"), (one.right, "word")))
    for term, part in sides:  # the grammar has a part for a bare name on each side
        name = ""
        if isinstance(term, FactOf):
            fact = facts.get(term.name)
            if fact is None:
                message = f"there is no fact called “{term.name}”; this game knows: {', '.join(sorted(facts)) or 'none'}"
                part = f"fact={term.name}"
                yield Problem("orders/unknown-fact", message, part=part, near=tuple(facts), written=term.name)
            elif term.argument and names and term.link != fact.link:
                said = f"“{term.name}” does not go with “{term.link} {term.argument}”: {fact.explained(term.name)}"
                meant = f"{term.name} {fact.link} {term.argument}" if fact.argument else term.name
                yield Problem("orders/no-argument", said, part=f"argument={term.argument}", near=(meant,))
            elif names:
                part, name = "argument", term.argument
        elif isinstance(term, Word) and term.text.lower() not in facts and names:
            name = term.text
        if name and not name.isdigit() and name.casefold() not in names:
            message, near = f"nothing in this game is called “{name}”", tuple(sorted(names))
            yield Problem("orders/unknown-name", message, part=f"{part}={name}", near=near, written=name)


def condition_text(condition: Condition, order_text: Callable[[Any], str]) -> str:
    """Return the canonical text of ``condition``; ``order_text`` gives that of an order."""
    if isinstance(condition, Compare):
        return f"{_term_text(condition.left, order_text)} {condition.how} {_term_text(condition.right, order_text)}"
    parts = (condition.part,) if isinstance(condition, Not) else condition.parts
    texts = [condition_text(part, order_text) for part in parts]
    texts = [f"({text})" if isinstance(part, Both) else text for part, text in zip(parts, texts, strict=True)]
    if isinstance(condition, Not):
        return f"NOT {texts[0]}"
    return " AND ".join(texts) if isinstance(condition, Both) else f"({' OR '.join(texts)})"


def _term_text(term: Term, order_text: Callable[[Any], str]) -> str:
    if isinstance(term, FactOf):
        return f"{term.name} {term.link} {term.argument}" if term.argument else term.name
    if isinstance(term, CostOf):
        return f"cost of {order_text(term.order)}"
    return str(term.value) if isinstance(term, Number) else term.text


P = TypeVar("P")
"""A place of a game's board, in the game's own type."""


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
        require_parameters("the value of a fact of the game", value, ("at",))
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
        require_parameters("the value of a fact of a seat", value, ("at",))
        field: Any = attrgetter(f"own.{value}") if isinstance(value, str) else value

        def look_up(at: At[Any, Any, Any], argument: str) -> FactValue:
            name = argument or at.seat or ""
            if find is not None:
                seat = find(at.config, name)
            else:
                seat = next((one for one in at.config.seats if one == name.lower()), None)
            if seat is None:
                return None
            found: FactValue = field(at if seat == at.seat else At(at.config, at.state, seat))
            return found

        return cls(help, look_up, "seat")
