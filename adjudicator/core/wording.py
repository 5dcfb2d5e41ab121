"""Orders with their grammar: how each is read, how it is written, and what its parts are called in messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final

from msgspec import NODEFAULT

from adjudicator.core.at import At
from adjudicator.core.chance import Chance
from adjudicator.core.event import Part
from adjudicator.core.order import Expression, leaves, with_orders
from adjudicator.core.phrases import count
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import Language
from adjudicator.core.values import Value, defaults_of

Read = Callable[[list[Any]], Any]
"""A function that gives the value of a part of the grammar from the values of its parts."""


class Order(Value):
    """An order of a game. Name it in the imperative; in the grammar its rule has that name (``MoveCar``: ``move_car``).

    Define ``wrong`` and ``check`` (when it is legal), ``offers`` (the orders to list), ``cost``, and ``decide`` (what it
    does). By default it is always legal, costs nothing and does nothing.
    """

    examples: ClassVar[tuple[str, ...]] = ()
    obvious: ClassVar[frozenset[str]] = frozenset()

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

    Raises ``ValueError`` if two of them are for the same rule of the grammar, ``TypeError`` if an order calls a field
    ``obvious`` that it does not have.
    """
    kinds = tuple(orders)
    for kind in kinds:
        if unknown := kind.obvious.difference(kind.__struct_fields__):
            raise TypeError(f"{kind.__name__} has no field {', '.join(sorted(unknown))}")
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
