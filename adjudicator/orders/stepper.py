"""Step through a line by the tables of a parser: the one loop that shifts and reduces.

Lark compiles a grammar to tables (``lark_tables.py``). The loop runs them without Lark, because loading it takes longer
than reading a turn. Callbacks make the values: orders (``line_parser.py``) or places on the line (``parts.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

END: Final = "$END"
"""The terminal after the last word of a line."""
States = tuple[int, ...]
"""The stack of a parser's states, the latest last. It alone decides what may follow."""
Match = re.Match[str]
Maker = Callable[[list[Any]], Any]
"""Makes the value of a rule from the values of its children."""
_Pattern = tuple[str, int]
"""A regular expression and its flags."""
_NO_ACTION: Final = (-1, None, 0)


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
        self._scan = _Scanners(tables.scanners)
        self._ignored = frozenset(tables.ignored)
        self._no_values: list[Maker] = [_nothing] * len(self.rules)

    def read(self, line: str, makers: Sequence[Maker], word: Callable[[str, Match], Any]) -> Any:
        """Return the value of ``line``. Raises ``UnreadableError``.

        ``word`` makes the value of a terminal from its kind and its match, ``makers`` those of the rules.
        """
        states, values = [self.tables.first], list[Any]()
        if self._walk(line, states, values, makers, word) < len(line) or not self._step(states, END, values, makers):
            raise UnreadableError(line)
        return values[-1]

    def stop(self, line: str) -> tuple[int, States]:
        """Return the index to which ``line`` can be read, and the states there."""
        states = [self.tables.first]
        return self._walk(line, states, [], self._no_values, _no_word), (*states,)

    def after(self, states: States, kind: str) -> States:
        """Return the states after ``states`` and a terminal of this ``kind``; none if it does not fit there."""
        found, values = [*states], [None] * (len(states) - 1)
        return (*found,) if self._step(found, kind, values, self._no_values) else ()

    def makers(self, make: Callable[[str], Maker]) -> list[Maker]:
        """Return the makers of all rules; ``make`` returns the maker of the rule with this name."""
        return [_with_children(rule, make(rule.name)) for rule in self.rules]

    def _walk(
        self,
        line: str,
        states: list[int],
        values: list[Any],
        makers: Sequence[Maker],
        word: Callable[[str, Match], Any],
    ) -> int:
        """Step over all terminals of ``line`` that fit; return the index after them."""
        scan, ignored, at = self._scan, self._ignored, 0
        while True:
            match, others = scan[states[-1]]
            found = match(line, at)
            if found is None:
                return at
            kind: str = found.lastgroup
            if kind not in ignored:
                if kind in others:
                    other = others[kind](found[0])
                    kind = kind if other is None else other.lastgroup
                if not self._step(states, kind, values, makers):
                    return at
                values.append(word(kind, found))
            at = found.end()

    def _step(self, states: list[int], kind: str, values: list[Any], makers: Sequence[Maker]) -> bool:
        """Advance ``states`` over a terminal of this ``kind``; return ``False`` and leave them if it does not fit there.

        Rules that end before the terminal replace the last ``values`` by one.
        """
        actions, gotos = self.tables.actions, self.tables.gotos
        size, target, rule = actions[states[-1]].get(kind, _NO_ACTION)
        if size < 0:
            if target is not None:
                states.append(target)
            return target is not None
        before = states.copy()
        while size >= 0:
            begin = len(values) - size
            children = values[begin:]
            del states[begin + 1 :], values[begin:]
            states.append(gotos[states[-1]][target])
            values.append(makers[rule](children))
            if kind == END and states[-1] == self.tables.last:
                return True
            size, target, rule = actions[states[-1]].get(kind, _NO_ACTION)
        if target is None:
            states[:] = before
            return False
        states.append(target)
        return True


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


def _nothing(_children: list[Any]) -> None:
    """Make no value."""


def _text(_kind: str, found: Match) -> str:
    return found[0]


def _translated(words: Mapping[str, Callable[[str], str]], kind: str, found: Match) -> str:
    translate = words.get(kind)
    return found[0] if translate is None else translate(found[0])


def _no_word(_kind: str, _found: Match) -> None:
    """Make no value."""


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
