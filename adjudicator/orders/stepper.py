"""Step through a line by the tables of a parser: the one loop that shifts and reduces.

Lark compiles a grammar to tables (``lark_tables.py``). The loop runs them without Lark, because loading it takes longer
than reading a turn. Callbacks make the values: orders, or places on the line (``line_parser.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

END: Final = "$END"
"""The terminal after the last word of a line."""
States = tuple[int, ...]
"""The stack of a parser's states, the latest last. It alone decides what may follow."""
Match = re.Match[str]
Maker = Callable[[list[Any]], Any]
"""Makes the value of a rule from the values of its children."""
Ended = tuple[tuple[int, int], ...]
"""The rules that end before a terminal, each with its number of children and its own number."""
_Pattern = tuple[str, int]
"""A regular expression and its flags."""
_NO_ACTION: Final = (-1, None, 0)
_REMEMBERED: Final = 8_192
"""The most steps in the cache: nearly all lines take the same few hundred."""


class UnreadableError(ValueError):
    """The line is not in the language. The exception does not know which part is wrong."""


class Terminal(NamedTuple):
    """The spelling of a terminal: its ``pattern``, which is plain text if ``is_text``, and the same as a full ``regexp``.

    ``is_any_case`` says that a regular expression ignores case.
    """

    is_text: bool
    pattern: str
    regexp: str
    is_any_case: bool


class Rule(NamedTuple):
    """A rule of the grammar: its ``name``, and which children its value is made from.

    They are the ``kept`` ones, each with its index, whether its own children replace it, and the number of gaps (``None``)
    before it; ``gaps`` is the number of gaps at the end. If the rule ``is_transparent``, an only child is the value.
    """

    name: str
    is_transparent: bool = False
    kept: Sequence[tuple[int, bool, int]] | None = None
    gaps: int = 0


class Tables(NamedTuple):
    """The tables of a parser as plain data.

    ``first`` and ``last`` are the states before and after a line. ``actions`` has for each state and terminal the number of
    children, the rule's symbol and the rule's number, or −1 and the next state. ``gotos`` has the state after each symbol.
    ``rules`` are described by `Rule`, ``terminals`` by `Terminal`. ``openings`` has for each symbol of a rule the terminals
    with which it may begin. ``scanners`` has for each state the pattern that finds the next terminal, and for some kinds of
    terminals a pattern whose full match gives them another kind. ``ignored`` are the terminals between the others.
    """

    first: int
    last: int
    actions: Mapping[int, Mapping[str, tuple[int, Any, int]]]
    gotos: Mapping[int, Mapping[str, int]]
    rules: Sequence[tuple[Any, ...]]
    terminals: Mapping[str, tuple[Any, ...]]
    openings: Mapping[str, Sequence[str]]
    scanners: Mapping[int, tuple[str, int, Mapping[str, _Pattern]]]
    ignored: Sequence[str]


class Step(NamedTuple):
    """A step over a terminal: the rules that ``ended`` before it, and the new states."""

    ended: Ended
    states: States


class Stepper:
    """Steps through lines by ``tables``.

    ``text`` returns the text of a terminal from its kind and its match; ``words`` has translations for kinds of terminals.
    """

    def __init__(self, tables: Tables, words: Mapping[str, Callable[[str], str]] | None = None) -> None:
        """Take the tables; each pattern is compiled when it is first needed."""
        self.tables = tables
        self.text = partial(_translated, words) if words else _text
        self.rules = [Rule(*rule) for rule in tables.rules]
        self.terminals = {name: Terminal(*terminal) for name, terminal in tables.terminals.items()}
        self.step = lru_cache(_REMEMBERED)(self._step)
        self._scan = _Scanners(tables.scanners)
        self._ignored = frozenset(tables.ignored)

    def makers(self, make: Callable[[str], Maker]) -> list[Maker]:
        """Return the makers of all rules; ``make`` returns the maker of the rule with this name."""
        return [_with_children(rule, make(rule.name)) for rule in self.rules]

    def read(self, line: str, makers: Sequence[Maker], word: Callable[[str, Match], Any]) -> Any:
        """Return the value of ``line``. Raises ``UnreadableError``.

        ``word`` makes the value of a terminal from its kind and its match, ``makers`` those of the rules.
        """
        at, states, steps = self.walk(line)
        last = self.step(states, END) if at == len(line) else None
        if last is None:
            raise UnreadableError(line)
        values: list[Any] = []
        for ended, kind, found in steps:
            if ended:
                _make(ended, values, makers)
            values.append(word(kind, found))
        _make(last.ended, values, makers)
        return values[-1]

    def walk(self, line: str) -> tuple[int, States, list[tuple[Ended, str, Match]]]:
        """Step over all terminals of ``line`` that fit; return the index after them, the states there, and the steps.

        Each step has the rules that ended before the terminal, the kind of the terminal, and its match.
        """
        step, scan, ignored = self.step, self._scan, self._ignored
        states: States = (self.tables.first,)
        steps: list[tuple[Ended, str, Match]] = []
        at = 0
        while True:
            match, others = scan[states[-1]]
            found = match(line, at)
            if found is None:
                return at, states, steps
            kind: str = found.lastgroup
            if kind not in ignored:
                if kind in others and (other := others[kind](found[0])) is not None:
                    kind = other.lastgroup
                done = step(states, kind)
                if done is None:
                    return at, states, steps
                ended, states = done
                steps.append((ended, kind, found))
            at = found.end()

    def after(self, states: States, kind: str) -> States:
        """Return the states after ``states`` and a terminal of this ``kind``; none if it does not fit there."""
        step = self.step(states, kind)
        return () if step is None else step.states

    def _step(self, states: States, kind: str) -> Step | None:
        """Return the step from ``states`` over a terminal of this ``kind``; ``None`` if it does not fit there."""
        actions, gotos, stack, ended = self.tables.actions, self.tables.gotos, [*states], list[tuple[int, int]]()
        while True:
            size, target, rule = actions[stack[-1]].get(kind, _NO_ACTION)
            if size < 0:
                return None if target is None else Step((*ended,), (*stack, target))
            del stack[len(stack) - size :]
            stack.append(gotos[stack[-1]][target])
            ended.append((size, rule))
            if kind == END and stack[-1] == self.tables.last:
                return Step((*ended,), (*stack,))


class _Scanners(dict[int, tuple[Callable[[str, int], Any], Mapping[str, Callable[[str], Any]]]]):
    """The functions of each state that find the next terminal, in Lark's order of preference."""

    def __init__(self, patterns: Mapping[int, tuple[str, int, Mapping[str, _Pattern]]]) -> None:
        super().__init__()
        self._patterns = patterns

    def __missing__(self, state: int) -> Any:
        pattern, flags, others = self._patterns[state]
        full = {kind: re.compile(*other).fullmatch for kind, other in others.items()}
        self[state] = found = re.compile(pattern, flags).match, full
        return found


def _text(_kind: str, found: Match) -> str:
    return found[0]


def _translated(words: Mapping[str, Callable[[str], str]], kind: str, found: Match) -> str:
    translate = words.get(kind)
    return found[0] if translate is None else translate(found[0])


def _make(ended: Ended, values: list[Any], makers: Sequence[Maker]) -> None:
    """Replace the last ``values`` by the values of the rules that ``ended``."""
    for size, rule in ended:
        if size == 1:  # most rules have one child
            values[-1] = makers[rule]([values[-1]])
        else:
            begin = len(values) - size
            children = values[begin:]
            del values[begin:]
            values.append(makers[rule](children))


def _with_children(rule: Rule, make: Maker) -> Maker:
    """Return ``make`` with the children that ``rule`` keeps."""
    inner = _unless_alone(make) if rule.is_transparent else make
    return inner if rule.kept is None else _of_some(inner, rule.kept, rule.gaps)


def _unless_alone(make: Maker) -> Maker:
    return lambda children: children[0] if len(children) == 1 else make(children)


def _of_some(make: Maker, kept: Sequence[tuple[int, bool, int]], last: int) -> Maker:
    if not last and not any(is_inlined or gaps for _, is_inlined, gaps in kept):
        places = [at for at, _, _ in kept]
        return lambda children: make([children[at] for at in places])

    def make_of_some(children: list[Any]) -> Any:
        found: list[Any] = []
        for at, is_inlined, gaps in kept:
            if gaps:
                found += [None] * gaps
            if is_inlined:
                found += children[at].children
            else:
                found.append(children[at])
        if last:
            found += [None] * last
        return make(found)

    return make_of_some
