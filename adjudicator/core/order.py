"""The orders of a game with their words, and the contents of a sheet: alternatives and conditions around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final, Literal

from msgspec import NODEFAULT

from adjudicator.core.at import At
from adjudicator.core.chance import Chance
from adjudicator.core.conditions import Condition, condition_text
from adjudicator.core.event import Part
from adjudicator.core.phrases import count
from adjudicator.core.problem import Place, Problem, written_at
from adjudicator.core.ruleset import Language
from adjudicator.core.values import Seat, Value, defaults_of

_DRAWS: Final = " ["
"""The text between an order and its recorded outcomes; no order contains a bracket."""


class FirstOf(Value):
    """Alternatives (``… OR …``): the first of ``options`` that is legal is carried out."""

    options: tuple[Expression, ...]


class When(Value):
    """A conditional order: ``then`` if ``condition`` holds, else ``otherwise`` (``None``: nothing)."""

    condition: Condition
    then: Expression
    otherwise: Expression | None = None


Expression = Any
"""A game's order, a ``FirstOf`` or a ``When``."""


class Instruction(Value):
    """One order of a sheet: its expression, the outcomes ``draws`` recorded beside it, and its place in the text.

    ``line`` counts from 1 in the turn file ``source``; ``text`` is that line as written, ``place`` the order's part of it.
    """

    expression: Expression
    draws: tuple[str, ...] = ()
    line: int = 0
    text: str = ""
    source: str = ""
    place: Place | None = None

    @property
    def written(self) -> str:
        """The order as written, without the rest of its line but in the same columns."""
        return written_at(self.text, self.place)


Cause = Literal["replaced", "withdrawn", "refused", "over", "undone"]
"""Why orders are no longer pending: a new sheet, a withdrawal, a refused order before them, the end, an undo."""


class Withdrawal(Value):
    """``WITHDRAW``: take back the seat's pending orders from number ``first`` on (from 1); the rest as in `Instruction`."""

    first: int = 1
    line: int = 0
    text: str = ""
    source: str = ""
    place: Place | None = None


class Sheet(Value):
    """One seat's orders in sequence; ``turn`` is the adjudication in which they came, ``None`` for the present one.

    ``check_only`` holds the orders after an unreadable line: they are checked for mistakes, but never applied. ``is_begun``
    says that the first order is the rest of one that was begun in an earlier adjudication. A ``withdrawal`` comes before all
    orders: it has taken effect when they are adjudicated. ``is_valid`` says that no order is wrong in every position.
    """

    seat: Seat
    instructions: tuple[Instruction, ...]
    turn: int | None = None
    check_only: tuple[Instruction, ...] = ()
    is_begun: bool = False
    withdrawal: Withdrawal | None = None
    is_valid: bool = False


def leaves(expression: Expression) -> Iterator[Any]:
    """Yield the single orders of ``expression`` that may be carried out."""
    match expression:
        case FirstOf(options=options):
            for option in options:
                yield from leaves(option)
        case When(then=then, otherwise=otherwise):
            yield from leaves(then)
            if otherwise is not None:
                yield from leaves(otherwise)
        case _:
            yield expression


def with_orders(expression: Expression, change: Callable[[Any], Any]) -> Expression:
    """Return ``expression`` with each single order that may be carried out replaced by the result of ``change``."""
    match expression:
        case FirstOf(options=options):
            return FirstOf(tuple(with_orders(option, change) for option in options))
        case When(condition=condition, then=then, otherwise=otherwise):
            return When(condition, with_orders(then, change), None if otherwise is None else with_orders(otherwise, change))
        case _:
            return change(expression)


def conditions(expression: Expression) -> Iterator[Condition]:
    """Yield the conditions of ``expression``."""
    match expression:
        case FirstOf(options=options):
            for option in options:
                yield from conditions(option)
        case When(condition=condition, then=then, otherwise=otherwise):
            yield condition
            yield from conditions(then)
            if otherwise is not None:
                yield from conditions(otherwise)


def expression_text(expression: Expression, order_text: Callable[[Any], str]) -> str:
    """Return the canonical text of ``expression``; ``order_text`` gives that of a single order."""
    if isinstance(expression, FirstOf):
        return " OR ".join(_nested_text(option, order_text) for option in expression.options)
    if isinstance(expression, When):
        words = f"IF {condition_text(expression.condition, order_text)} THEN {_nested_text(expression.then, order_text)}"
        if expression.otherwise is None:
            return words
        return f"{words} ELSE {_nested_text(expression.otherwise, order_text)}"
    return order_text(expression)


def instruction_text(instruction: Instruction, order_text: Callable[[Any], str]) -> str:
    """Return the canonical text of ``instruction``, including recorded outcomes."""
    words = expression_text(instruction.expression, order_text)
    return f"{words}{_DRAWS}{' '.join(instruction.draws)}]" if instruction.draws else words


def without_draws(text: str) -> str:
    """Return the result of ``instruction_text`` without its recorded outcomes."""
    return text.partition(_DRAWS)[0]


def _nested_text(expression: Expression, order_text: Callable[[Any], str]) -> str:
    words = expression_text(expression, order_text)
    return f"({words})" if isinstance(expression, (FirstOf, When)) else words


Read = Callable[[list[Any]], Any]
"""A function that gives the value of a part of the grammar from the values of its parts."""


class Order(Value):
    """An order of a game. Name it in the imperative; in the grammar its rule has that name (``MoveCar``: ``move_car``).

    Define ``wrong`` and ``check`` (when it is legal), ``offers`` (the orders to list), ``cost``, and ``decide`` (what it
    does). By default it is always legal, costs nothing and does nothing.
    """

    examples: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        """Return the order made of the parts of its grammar rule: field by field, ``None`` for a part left out.

        Raises ``TypeError`` if there are more parts than fields.
        """
        names, optional = cls.__struct_fields__, defaults_of(cls)
        if len(children) > len(names):
            raise TypeError(
                f"{cls.__name__} has {count(len(names), 'field')}, its rule of the grammar {len(children)} parts"
            )
        fields = zip(names, children, strict=False)
        return cls(**{name: child for name, child in fields if child is not None or name not in optional})

    @staticmethod
    def all_in(expression: Expression) -> Iterator[Any]:
        """Yield the single orders of a line's ``expression`` that may be carried out: all alternatives and branches."""
        return leaves(expression)

    @staticmethod
    def changed_in(expression: Expression, change: Callable[[Any], Any]) -> Expression:
        """Return a line's ``expression`` with each single order (see ``all_in``) replaced by the result of ``change``."""
        return with_orders(expression, change)

    def text(self) -> str:
        """Return the canonical text, which reads back as the same order: its name, and each field without its default."""
        kind = type(self)
        defaults = defaults_of(kind)
        values = ((getattr(self, name), defaults.get(name, NODEFAULT)) for name in kind.__struct_fields__)
        return " ".join((kind.__name__.upper(), *(str(value) for value, default in values if value != default)))

    def wrong(self, config: Any) -> Problem | None:
        """Return the problem that this order has in every position, such as an unknown tile, or ``None``."""
        return None

    def check(self, at: At[Any, Any, Any]) -> Problem | None:
        """Return why the seat of ``at``, whose question this order answers, may not give it now, or ``None``."""
        return None

    @classmethod
    def offers(cls, at: At[Any, Any, Any]) -> Iterator[Any]:
        """Yield at least every order of this kind that may be legal for the seat of ``at``, in the shortest words."""
        yield cls()

    def cost(self, at: At[Any, Any, Any]) -> tuple[Part, ...] | None:
        """Return what this legal order costs, in the game's unit, part by part; ``None`` if chance decides that."""
        return ()

    def decide(self, at: At[Any, Any, Any], chance: Chance) -> Generator[Any, Any, Any]:
        """Yield the events of this legal order; each ``yield`` returns the position after its event."""
        yield from ()

    def rest(self, at: At[Any, Any, Any]) -> Any | None:
        """Return what is left of an order of several steps (``WAIT 3``: ``WAIT 2``) in the position after one, or ``None``.

        The rest stays pending before the other orders of its sheet, and a new sheet can still replace it.
        """
        return None

    def has_expired(self, at: At[Any, Any, Any]) -> bool:
        """Return whether the time of this order, the rest of a begun one, is over; then the program drops it silently."""
        return False


class Term(Value):
    """A part of a game's grammar, such as a tile: ``help`` is its name in messages (empty: no message names it).

    ``read`` turns its words into a value. Without ``read`` it is a part that all games share, which the core reads.
    ``rule`` is the rule of the game that lists the possible values: a message about a wrong value names it. ``spellings``
    are the possible values as regular expressions: in the grammar, ``<NAME>`` with the name of the part means any of them.
    """

    help: str
    read: Read | None = None
    rule: str = ""
    spellings: tuple[str, ...] = ()

    @classmethod
    def number(cls, help: str, words: Mapping[str, int] | None = None, rule: str = "") -> Term:  # noqa: A002
        """Return a part that is a whole number.

        ``words``, in lower case, map to numbers that players may also write as text or with an ending; more text may follow
        (``third gear``).
        """
        if words is None:
            return cls(help, lambda children: int(children[0]), rule)

        def read(children: list[Any]) -> int:
            word = str(children[0]).lower().split()[0]
            return words[word] if word in words else int(re.sub(r"\D", "", word))

        return cls(help, read, rule)

    @classmethod
    def constant(cls, value: Any, help: str = "", rule: str = "") -> Term:  # noqa: A002
        """Return a part that always means ``value``, whatever its words."""
        return cls(help, lambda _children: value, rule)


def language(grammar: str, orders: Iterable[type[Order]], terms: Mapping[str, Term]) -> Language:
    """Return the language of a game: its ``grammar`` file, its ``orders``, and the ``terms`` that they consist of.

    Raises ``ValueError`` if two of them are for the same rule of the grammar, ``TypeError`` if an order has no examples.
    """
    kinds = tuple(orders)
    for kind in kinds:
        if not kind.examples:
            raise TypeError(f"{kind.__name__} has no `examples`: an example of each way to write it, such as (“DRAW”,)")
    names = [*(_snake(kind.__name__) for kind in kinds), *terms]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two orders or terms are for the same rule of the grammar: {', '.join(twice)}")
    return Language(
        grammar=grammar,
        builders={
            **{_snake(kind.__name__): kind.read for kind in kinds},
            **{name: term.read for name, term in terms.items() if term.read is not None},
        },
        texts={kind: kind.text for kind in kinds},
        terms={name: term.help for name, term in terms.items() if term.help},
        rules={name: term.rule for name, term in terms.items() if term.rule},
        spellings={name: term.spellings for name, term in terms.items() if term.spellings},
        examples=tuple(example for kind in kinds for example in kind.examples),
    )


_UPPER: Final = re.compile(r"(?<!^)(?=[A-Z])")


def _snake(name: str) -> str:
    return _UPPER.sub("_", name).lower()
