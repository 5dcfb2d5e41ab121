"""Conditions of orders (``IF row has U7 THEN …``), and the facts of a seat's own view that decide them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from operator import attrgetter
from typing import Any, Literal, TypeVar

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
    match condition:
        case Compare():
            return _evaluate_comparison(condition, context)
        case Not(part=part):
            evaluation = evaluate(part, context)
            return Evaluation(not evaluation.holds, evaluation.because)
        case Both(parts=parts):
            evaluations = [evaluate(part, context) for part in parts]
            return Evaluation(all(evaluation.holds for evaluation in evaluations), _gathered(evaluations))
        case Either(parts=parts):
            evaluations = [evaluate(part, context) for part in parts]
            return Evaluation(any(evaluation.holds for evaluation in evaluations), _gathered(evaluations))


def validate_condition(condition: Condition, facts: Mapping[str, Fact], names: Collection[str] = ()) -> tuple[Problem, ...]:
    """Return the problems that ``condition`` has in every position.

    ``facts`` are those of the game, ``names`` its names in lower case; without any, names are not checked. Codes:
    ``orders/`` with ``unknown-fact``, ``unknown-name``, ``no-argument``.
    """
    match condition:
        case Compare(left=left, right=right):
            return (*_validate_term(left, "name", facts, names), *_validate_term(right, "word", facts, names))
        case Not(part=part):
            return validate_condition(part, facts, names)
        case Both(parts=parts) | Either(parts=parts):
            return tuple(problem for part in parts for problem in validate_condition(part, facts, names))


def costed_orders(condition: Condition) -> Iterator[Any]:
    """Yield the orders whose cost ``condition`` asks for."""
    match condition:
        case Compare(left=left, right=right):
            yield from (term.order for term in (left, right) if isinstance(term, CostOf))
        case Not(part=part):
            yield from costed_orders(part)
        case Both(parts=parts) | Either(parts=parts):
            for part in parts:
                yield from costed_orders(part)


def condition_text(condition: Condition, order_text: Callable[[Any], str]) -> str:
    """Return the canonical text of ``condition``; ``order_text`` gives that of an order."""
    match condition:
        case Compare(left=left, how=how, right=right):
            return f"{term_text(left, order_text)} {how} {term_text(right, order_text)}"
        case Not(part=part):
            return f"NOT {_nested_text(part, order_text)}"
        case Both(parts=parts):
            return " AND ".join(_nested_text(part, order_text) for part in parts)
        case Either(parts=parts):
            return "(" + " OR ".join(_nested_text(part, order_text) for part in parts) + ")"


def _nested_text(condition: Condition, order_text: Callable[[Any], str]) -> str:
    text = condition_text(condition, order_text)
    return f"({text})" if isinstance(condition, Both) else text


def term_text(term: Term, order_text: Callable[[Any], str]) -> str:
    """Return the canonical text of ``term``."""
    match term:
        case FactOf(name=name, argument=argument, link=link):
            return f"{name} {link} {argument}" if argument else name
        case CostOf(order=order):
            return f"cost of {order_text(order)}"
        case Number(value=value):
            return str(value)
        case Word(text=text):
            return text


def _validate_term(term: Term, rule: str, facts: Mapping[str, Fact], names: Collection[str]) -> tuple[Problem, ...]:
    """Return the problems of ``term``; ``rule`` is the grammar's rule for a bare name on that side."""
    match term:
        case FactOf(name=name) if name not in facts:
            message = f"there is no fact called “{name}”; this game knows: {', '.join(sorted(facts)) or 'none'}"
            return (Problem("orders/unknown-fact", message, part=f"fact={name}", near=tuple(facts), written=name),)
        case FactOf(name=name, argument=argument, link=link) if argument and names:
            fact = facts[name]
            if link != fact.link:
                message = f"“{name}” does not go with “{link} {argument}”: {fact.explained(name)}"
                meant = f"{name} {fact.link} {argument}" if fact.argument else name
                return (Problem("orders/no-argument", message, part=f"argument={argument}", near=(meant,)),)
            return _validate_name(argument, "argument", names)
        case Word(text=text) if text.lower() not in facts and names:
            return _validate_name(text, rule, names)
    return ()


def _validate_name(name: str, rule: str, names: Collection[str]) -> tuple[Problem, ...]:
    if name.isdigit() or name.casefold() in names:
        return ()
    message = f"nothing in this game is called “{name}”"
    return (Problem("orders/unknown-name", message, part=f"{rule}={name}", near=tuple(sorted(names)), written=name),)


def _gathered(evaluations: list[Evaluation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for evaluation in evaluations for line in evaluation.because))


def _evaluate_comparison(condition: Compare, context: Context) -> Evaluation:
    left_term = _meant(condition.left, None, context)
    left = _value(left_term, context)
    right_term = _meant(condition.right, left, context)
    right = _value(right_term, context)
    because = tuple(_said(term, value) for term, value in ((left_term, left), (right_term, right)) if _label(term))
    return Evaluation(_compare(left, condition.how, right), because)


def _meant(term: Term, beside: FactValue, context: Context) -> Term:
    """Return the meaning of a word that is compared with the value ``beside``: the fact of that name, or the name itself.

    A word that is both means the name beside a name, and the fact beside a number.
    """
    if not isinstance(term, Word) or term.text.lower() not in context.facts:
        return term
    is_name = isinstance(beside, (str, tuple)) and term.text.casefold() in context.names
    return term if is_name else FactOf(term.text.lower())


def _said(term: Term, value: FactValue) -> str:
    if value is None and isinstance(term, CostOf):
        return "that order is not possible now"
    return f"{_label(term)} is {_spoken(value)}"


def _value(term: Term, context: Context) -> FactValue:
    match term:
        case Number(value=value):
            return value
        case CostOf(order=order):
            return context.cost(order)
        case Word(text=text):
            return text
        case FactOf(name=name, argument=argument):
            return _fact(context.facts, name, argument)


def _fact(facts: Facts, name: str, argument: str) -> FactValue:
    fact = facts.get(name)
    return None if fact is None else fact(argument)


def _compare(left: FactValue, how: Comparison, right: FactValue) -> bool:
    if left is None or right is None:
        return False
    if how is Comparison.HAS:
        return _contains(left, right)
    if how is Comparison.IN:
        return _contains(right, left)
    if isinstance(left, str) or isinstance(right, str):
        return _compare_names(left, how, right)
    return _ORDERED[how](_count(left), _count(right))


def _contains(many: FactValue, one: FactValue) -> bool:
    names = many if isinstance(many, tuple) else (many,)
    return str(one).casefold() in (str(name).casefold() for name in names)


def _compare_names(left: FactValue, how: Comparison, right: FactValue) -> bool:
    same = isinstance(left, str) and isinstance(right, str) and left.casefold() == right.casefold()
    return same if how is Comparison.EQUAL else (not same and how is Comparison.UNEQUAL)


def _count(value: FactValue) -> int:
    return len(value) if isinstance(value, tuple) else int(value or 0)


_ORDERED: dict[Comparison, Callable[[int, int], bool]] = {
    Comparison.EQUAL: lambda left, right: left == right,
    Comparison.UNEQUAL: lambda left, right: left != right,
    Comparison.LESS: lambda left, right: left < right,
    Comparison.AT_MOST: lambda left, right: left <= right,
    Comparison.MORE: lambda left, right: left > right,
    Comparison.AT_LEAST: lambda left, right: left >= right,
}


def _label(term: Term) -> str:
    """Return the label of ``term`` for a sentence about its value; numbers and names need none (empty)."""
    match term:
        case FactOf():
            return term_text(term, str)
        case CostOf():
            return "the cost"
        case _:
            return ""


def _spoken(value: FactValue) -> str:
    if value is None:
        return "not known"
    if isinstance(value, tuple):
        return " ".join(value) or "empty"
    return str(value)


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
            seat = (find or _called)(at.config, argument or at.seat or "")
            if seat is None:
                return None
            found: FactValue = field(at if seat == at.seat else At(at.config, at.state, seat))
            return found

        return cls(help, look_up, "seat")


def _called(config: Any, name: str) -> Seat | None:
    return next((seat for seat in config.seats if seat == name.lower()), None)
