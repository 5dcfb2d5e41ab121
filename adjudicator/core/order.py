"""The orders of a game with their words, and the contents of a sheet: alternatives and conditions around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Final, Literal, NamedTuple, get_args, get_origin

from adjudicator.core.at import At
from adjudicator.core.chance import Chance
from adjudicator.core.conditions import Condition, condition_text
from adjudicator.core.event import Part
from adjudicator.core.phrases import count, words_of
from adjudicator.core.problem import Place, Problem, written_at
from adjudicator.core.ruleset import Language
from adjudicator.core.values import Seat, Value, defaults_of, hints_of, kebab
from adjudicator.core.visibility import bare_type

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
CHOICES: Final = (FirstOf, When)
"""The classes of expressions that are more than one order."""


class Instruction(Value):
    """One order of a sheet: its expression, the outcomes ``draws`` recorded beside it, and its place in the text.

    ``line`` counts from 1 in the turn file ``source``; ``text`` is that line as written, ``place`` the order's part of it.
    ``note`` is what its player notes beside it.
    """

    expression: Expression
    draws: tuple[str, ...] = ()
    line: int = 0
    text: str = ""
    source: str = ""
    place: Place | None = None
    note: str = ""

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


def _walk(expression: Expression) -> Iterator[Any]:
    """Yield ``expression`` and all expressions in it, in the order in which they are written."""
    yield expression
    inner = (expression.then, expression.otherwise) if type(expression) is When else ()
    for one in expression.options if type(expression) is FirstOf else inner:
        if one is not None:
            yield from _walk(one)


def leaves(expression: Expression) -> Iterator[Any]:
    """Yield the single orders of ``expression`` that may be carried out."""
    return (one for one in _walk(expression) if type(one) not in CHOICES)


def conditions(expression: Expression) -> Iterator[Condition]:
    """Yield the conditions of ``expression``."""
    return (one.condition for one in _walk(expression) if type(one) is When)


def with_orders(expression: Expression, change: Callable[[Any], Any]) -> Expression:
    """Return ``expression`` with each single order that may be carried out replaced by the result of ``change``."""
    if type(expression) is FirstOf:
        return FirstOf(tuple(with_orders(option, change) for option in expression.options))
    if type(expression) is When:
        then, otherwise = (one and with_orders(one, change) for one in (expression.then, expression.otherwise))
        return When(expression.condition, then, otherwise)
    return change(expression)


def expression_text(expression: Expression, order_text: Callable[[Any], str]) -> str:
    """Return the canonical text of ``expression``; ``order_text`` gives that of a single order."""
    if type(expression) not in CHOICES:
        return order_text(expression)

    def inner(expression: Expression) -> str:
        words = expression_text(expression, order_text)
        return f"({words})" if type(expression) in CHOICES else words

    if type(expression) is FirstOf:
        return " OR ".join(map(inner, expression.options))
    words = f"IF {condition_text(expression.condition, order_text)} THEN {inner(expression.then)}"
    return words if expression.otherwise is None else f"{words} ELSE {inner(expression.otherwise)}"


def instruction_text(instruction: Instruction, order_text: Callable[[Any], str]) -> str:
    """Return the canonical text of ``instruction``, including recorded outcomes."""
    words = expression_text(instruction.expression, order_text)
    return f"{words}{_DRAWS}{' '.join(instruction.draws)}]" if instruction.draws else words


def without_draws(text: str) -> str:
    """Return the result of ``instruction_text`` without its recorded outcomes."""
    return text.partition(_DRAWS)[0]


Read = Callable[[list[Any]], Any]
"""A function that gives the value of a part of the grammar from the values of its parts."""


class Given(NamedTuple):
    """What a ``Term`` returns for the ``field`` of an order, wherever it is written.

    Several for a tuple field are its items, several numbers for another field add up; of other values, the last counts.
    """

    field: str
    value: Any


class Order(Value):
    """An order of a game. Name it in the imperative; in the grammar its rule has that name (``MoveCar``: ``move_car``).

    Define ``wrong`` and ``check`` (when it is legal), ``offers`` (the orders to list), ``cost``, and ``decide`` (what it
    does). By default it is always legal, costs nothing and does nothing.

    ``template`` is the pattern of its canonical text, which reads back as the same order: ``PLAY {card}[ on {seat}]``. A
    group in square brackets is left out, or is what follows its ``|``, if all its optional fields have their defaults and
    its properties are empty. Values have the words of their type's ``Said`` (which gets no configuration here) or of their
    own ``text()``; what is true is its field's name. The items of a tuple are joined by what follows a colon
    (``{cards:, }``), else by blanks. By default, the text is the order's name, and each field without its default.
    """

    examples: ClassVar[tuple[str, ...]] = ()
    template: ClassVar[str] = ""

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        """Return the order made of the parts of its grammar rule: field by field, ``None`` for a part left out.

        A tuple field takes the rest of the parts, if its own is not a tuple. A part that is ``Given`` goes to its field.
        Raises ``TypeError`` if there are more parts than fields.
        """
        names = _fields_read(cls)
        made: dict[str, Any] = {}
        named = [child for child in children if type(child) is Given]
        parts = [child for child in children if type(child) is not Given] if named else children
        for place, part in enumerate(parts):
            if place == len(names):
                raise TypeError(f"{cls.__name__} has {count(place, 'field')}, its rule of the grammar {len(parts)} parts")
            name, is_tuple = names[place]
            if is_tuple and part is not None and type(part) is not tuple:
                made[name] = tuple([one for one in parts[place:] if one is not None])
                break
            if part is not None or name not in defaults_of(cls):
                made[name] = part
        for name, value in named:
            if (name, True) in names and type(value) is not tuple:
                value = (*made.get(name, ()), value)
            elif type(value) is int and name in made:
                value += made[name]
            made[name] = value
        return cls(**made)

    all_in = staticmethod(leaves)
    changed_in = staticmethod(with_orders)

    def text(self) -> str:
        """Return the canonical text (see ``template``)."""
        return _writer(type(self))(self)

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
    rules = {kind: kebab(kind.__name__).replace("-", "_") for kind in kinds}
    names = [*rules.values(), *terms]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two orders or terms are for the same rule of the grammar: {', '.join(twice)}")
    return Language(
        grammar=grammar,
        builders={
            **{rule: kind.read for kind, rule in rules.items()},
            **{name: term.read for name, term in terms.items() if term.read is not None},
        },
        texts={kind: _writer(kind) if kind.text is Order.text else kind.text for kind in kinds},
        terms={name: term.help for name, term in terms.items() if term.help},
        rules={name: term.rule for name, term in terms.items() if term.rule},
        spellings={name: term.spellings for name, term in terms.items() if term.spellings},
        examples=tuple(example for kind in kinds for example in kind.examples),
    )


@cache
def _fields_read(kind: type[Order]) -> tuple[tuple[str, bool], ...]:
    """Return the fields of ``kind`` in order, each with whether it is a tuple."""
    return tuple((name, get_origin(bare_type(hint)) is tuple) for name, hint in hints_of(kind).items())


_TOKEN: Final = re.compile(r"\{(\w+)(?::([^}]*))?\}|([\[\]|])|[^\[\]|{]+")
_Write = Callable[[Any], str]
"""A function that writes a part of an order's text."""


class _Group(NamedTuple):
    """A group of a template: what it holds, what takes its place, and the names in it."""

    inner: list[Any]
    otherwise: list[Any]
    names: list[str]


@cache
def _writer(kind: type[Order]) -> _Write:
    """Return the function that writes the canonical text of an order. Raises ``TypeError`` for a wrong template.

    Text and plain fields in a row are one ``str.format``, which is far faster than a function for each. Most orders have
    only defaults in all groups: these are tried first, as a whole.
    """
    fields, defaults, hints, words = kind.__struct_fields__, defaults_of(kind), hints_of(kind), words_of(kind)
    each = (f"[ {{{name}}}]" if name in defaults else f" {{{name}}}" for name in fields)
    template = kind.template or "".join((kind.__name__.upper(), *each))
    tokens, grouped = list(_TOKEN.finditer(template))[::-1], list[str]()

    def value(name: str, separator: str) -> str | _Write:
        if name not in fields and not hasattr(kind, name):
            raise TypeError(f"{kind.__name__}: the template has {{{name}}}, and there is no such field")
        returned = getattr(getattr(getattr(kind, name), "fget", None), "__annotations__", {}).get("return")
        hint = str if returned == "str" else bare_type(hints.get(name))
        said, get, is_many = words.get(name), attrgetter(name), get_origin(hint) is tuple
        item = bare_type(get_args(hint)[0]) if is_many else hint
        if said is None and (item in (str, int) or (isinstance(item, type) and issubclass(item, StrEnum))):
            return (lambda order: separator.join(map(str, get(order))) or "nothing") if is_many else f"{{0.{name}}}"

        def write(order: Any) -> str:
            found = get(order)
            if said is not None and found is not None:
                found = said(None, found)
            if type(found) is tuple:
                return separator.join([_word(one) for one in found]) or "nothing"
            return name if found is True else _word(found)

        return write

    def parsed(names: list[str]) -> list[Any]:
        """Return the parts up to the end of a group: formats, writers and groups; add the names in them to ``names``."""
        found = list[Any]()
        while tokens and tokens[-1][0] not in ("]", "|"):
            token = tokens.pop()
            if token[3]:
                group = _Group([], [], [])
                group.inner.extend(parsed(group.names))
                names += group.names
                grouped.extend(group.names)
                if tokens and tokens[-1][0] == "|":
                    tokens.pop()
                    group.otherwise.extend(parsed(names))
                if not tokens or tokens.pop()[0] != "]":
                    raise TypeError(f"{kind.__name__}: a bracket of the template is not closed: {template}")
                found.append(group)
            elif token[1]:
                names.append(token[1])
                found.append(value(token[1], token[2] or " "))
            else:
                found.append(token[0].replace("}", "}}"))
        return found

    def writer(parts: list[Any], *, is_short: bool = False) -> _Write:
        """Return the function that writes ``parts``; if ``is_short``, all groups are left out."""
        found, left = list[str | _Write](), parts[::-1]
        while left:
            one = left.pop()
            if isinstance(one, _Group) and is_short:
                left += one.otherwise[::-1]
            elif isinstance(one, str) and found and isinstance(last := found[-1], str):
                found[-1] = last + one
            else:
                is_group = isinstance(one, _Group)
                found.append(either(one.names, writer(one.otherwise), writer(one.inner)) if is_group else one)
        first, *more = [one.format if isinstance(one, str) else one for one in found or [""]]
        if len(more) < 2:
            return (lambda order: first(order) + more[0](order)) if more else first
        return lambda order: "".join([first(order), *[write(order) for write in more]])

    def either(names: list[str], usual: _Write, other: _Write) -> _Write:
        """Return ``usual`` for orders in which the ``names`` have their defaults or are empty properties, else ``other``."""
        optional = [name for name in names if name in defaults]
        properties = [name for name in names if name not in fields]
        get, expected = (type, kind) if not optional else (attrgetter(*optional), tuple(map(defaults.get, optional)))
        if len(optional) == 1:
            expected = defaults[optional[0]]

        def write(order: Any) -> str:
            if get(order) == expected and not (properties and any(getattr(order, name) for name in properties)):
                return usual(order)
            return other(order)

        return write

    parts = parsed([])
    if tokens:
        raise TypeError(f"{kind.__name__}: the template has “{tokens[-1][0]}” outside of a group: {template}")
    whole = writer(parts)
    return either(grouped, writer(parts, is_short=True), whole) if grouped else whole


def _word(value: Any) -> str:
    if type(value) in (str, int):
        return str(value)
    text = getattr(value, "text", None)
    return str(value) if text is None else text()
