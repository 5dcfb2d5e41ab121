"""Read good lines without Lark, by the tables that it made of a grammar, which are cached on disk.

Loading Lark takes longer than reading a turn. A line is read in one loop that shifts and reduces as Lark does; it only says
whether a line can be read. All explanations are Lark's own (``grammar.py``). All private names of Lark are here; if a new
version moves them, there are no tables, and Lark reads all lines.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from lark import Lark

END: Final = "$END"
"""The terminal after the last word of a line."""
Maker = Callable[[list[Any]], Any]
"""Makes the value of a rule from the values of its children."""
_Rule = tuple[str, bool, Sequence[tuple[int, bool, int]] | None, int]
"""A rule: its name; whether its only child is its value; the children kept, each with its index, whether its own children
replace it, and the number of gaps (``None``) before it; the number of gaps at the end."""
_Pattern = tuple[str, int]
"""A regular expression and its flags."""
_NO_ACTION: Final = (-1, None, 0)
_REMEMBERED: Final = 8_192
"""The most steps in the cache: nearly all lines take the same few hundred."""


class Tables(NamedTuple):
    """The tables of a parser as plain data.

    ``first`` and ``last`` are the states before and after a line. ``actions`` has for each state and terminal the number of
    children, the rule's symbol and the rule's number, or −1 and the next state. ``gotos`` has the state after each symbol.
    ``scanners`` has for each state the pattern that finds the next terminal, and for some kinds of terminals a pattern whose
    full match gives them another kind. ``ignored`` are the terminals between the others.
    """

    first: int
    last: int
    actions: Mapping[int, Mapping[str, tuple[int, Any, int]]]
    gotos: Mapping[int, Mapping[str, int]]
    rules: Sequence[_Rule]
    scanners: Mapping[int, tuple[str, int, Mapping[str, _Pattern]]]
    ignored: Sequence[str]


class Inlined(NamedTuple):
    """The value of a rule whose children go directly to the rule that uses it."""

    children: list[Any]


_Scan = tuple[Callable[[str, int], Any], Mapping[str, Callable[[str], Any]]]
"""A function that finds the next terminal, and for some kinds of terminals one that may give them another kind."""


class _Stack(dict[str, "tuple[Sequence[tuple[int, Maker]], _Stack] | None"]):
    """A stack of states, the latest last, with the steps from it by the kinds of terminals; ``None`` if one does not fit.

    A step has the rules that end before the terminal, each with its number of children and its maker, and the new stack.
    ``scan`` are the functions that find the next terminal, once they are needed.
    """

    __slots__ = ("reader", "scan", "states")

    def __init__(self, reader: FastReader, states: tuple[int, ...]) -> None:
        self.reader, self.states = reader, states
        self.scan: _Scan | None = None

    def __missing__(self, kind: str) -> Any:
        self[kind] = step = self.reader.step(self.states, kind)
        return step


class FastReader:
    """Reads lines by ``tables``: ``maker`` returns the maker of a rule, ``words`` translates the text of terminals.

    The makers in ``passing`` return an only child as it is.
    """

    def __init__(
        self,
        tables: Tables,
        maker: Callable[[str], Maker],
        words: Mapping[str, Callable[[str], str]],
        passing: Collection[Maker] = (),
    ) -> None:
        """Take the tables; the pattern of a state is compiled when it is first needed."""
        self._tables, self._words, self._ignored = tables, words, frozenset(tables.ignored)
        makers = [maker(rule[0]) for rule in tables.rules]
        self._makers = [_with_children(make, *rule[1:]) for make, rule in zip(makers, tables.rules, strict=True)]
        self._is_passing = [
            kept is None and (is_transparent or make in passing)
            for make, (_, is_transparent, kept, _) in zip(makers, tables.rules, strict=True)
        ]
        self._stacks: dict[tuple[int, ...], _Stack] = {}
        self._scans: dict[int, _Scan] = {}
        self._known = 0

    def read(self, line: str) -> Any:
        """Return the value of ``line``, or ``None`` if it cannot be read."""
        steps = self._steps(line)
        if steps is None:
            return None
        values, words = list[Any](), self._words
        for ended, kind, text in steps:
            for size, make in ended:
                if size == 1:  # most rules have one child
                    values[-1] = make([values[-1]])
                else:
                    begin = len(values) - size
                    children = values[begin:]
                    del values[begin:]
                    values.append(make(children))
            values.append(words[kind](text) if words and kind in words else text)
        return values[-2]  # the last one is the end of the line

    def words(self, line: str) -> list[tuple[str, str]]:
        """Return the words and signs of ``line``, each with the kind of its terminal; none if it cannot be read."""
        words = self._words
        return [(kind, words[kind](text) if kind in words else text) for _, kind, text in (self._steps(line) or ())[:-1]]

    def _steps(self, line: str) -> list[tuple[Sequence[tuple[int, Maker]], str, str]] | None:
        """Return for each terminal of ``line`` and its end the rules that end before it, its kind, and its text."""
        stack, ignored, length = self._stack((self._tables.first,)), self._ignored, len(line)
        steps, at = list[tuple[Sequence[tuple[int, Maker]], str, str]](), 0
        while at < length:
            match, others = stack.scan or self._scanner(stack)
            found: Any = match(line, at)
            if found is None:
                return None
            at, kind = found.end(), found.lastgroup
            if kind in ignored:
                continue
            text = found[0]
            if others and kind in others and (other := others[kind](text)) is not None:
                kind = other.lastgroup
            done = stack[kind]
            if done is None:
                return None
            ended, stack = done
            steps.append((ended, kind, text))
        done = stack[END]
        return None if done is None else [*steps, (done[0], END, "")]

    def _stack(self, states: tuple[int, ...]) -> _Stack:
        stacks = self._stacks  # another thread may begin anew
        if states not in stacks:
            stacks[states] = _Stack(self, states)
        return stacks[states]

    def _scanner(self, stack: _Stack) -> _Scan:
        """Return the functions that find the next terminal after ``stack``, in Lark's order of preference."""
        state = stack.states[-1]
        if state not in self._scans:
            pattern, flags, others = self._tables.scanners[state]
            found = {kind: re.compile(*other).fullmatch for kind, other in others.items()}
            self._scans[state] = re.compile(pattern, flags).match, found
        stack.scan = self._scans[state]
        return stack.scan

    def step(self, states: tuple[int, ...], kind: str) -> tuple[Sequence[tuple[int, Maker]], _Stack] | None:
        """Return the step from ``states`` over a terminal of this ``kind``; ``None`` if it does not fit there."""
        actions, gotos, stack, ended = self._tables.actions, self._tables.gotos, [*states], list[tuple[int, Maker]]()
        self._known += 1
        if self._known > _REMEMBERED:
            self._stacks, self._known = {}, 0
        while True:
            size, target, rule = actions[stack[-1]].get(kind, _NO_ACTION)
            if size < 0:
                return None if target is None else ((*ended,), self._stack((*stack, target)))
            del stack[len(stack) - size :]
            stack.append(gotos[stack[-1]][target])
            if size != 1 or not self._is_passing[rule]:
                ended.append((size, self._makers[rule]))
            if kind == END and stack[-1] == self._tables.last:
                return (*ended,), self._stack((*stack,))


def _with_children(make: Maker, is_transparent: bool, kept: Any, last: int) -> Maker:
    """Return ``make`` with the children that a rule keeps; ``last`` is the number of gaps at the end."""
    inner: Maker = (lambda found: found[0] if len(found) == 1 else make(found)) if is_transparent else make
    if kept is None:
        return inner
    if not any(is_inlined for _, is_inlined, _ in kept):
        places = [place for at, _, gaps in kept for place in (*[-1] * gaps, at)] + [-1] * last
        if len(places) == 1:
            return lambda children: inner([(*children, None)[places[0]]])
        pick: Any = itemgetter(*places) if places else lambda _children: ()
        return (lambda children: inner([*pick((*children, None))])) if -1 in places else lambda found: inner([*pick(found)])

    if make is Inlined and [*map(tuple, kept)] == [(0, True, 0), (1, False, 0)] and not last:

        def longer(children: list[Any]) -> Any:  # a list grows in place, item by item
            children[0].children.append(children[1])
            return children[0]

        return longer

    def make_of_some(children: list[Any]) -> Any:
        found: list[Any] = []
        for at, is_inlined, gaps in kept:
            found += [None] * gaps
            if is_inlined:
                found += children[at].children
            else:
                found.append(children[at])
        return inner(found + [None] * last)

    return make_of_some


# Taking the tables from Lark


def tables_of(parser: Lark) -> Tables | None:
    """Return the tables of ``parser``, or ``None`` if this version of Lark keeps them in another way."""
    try:
        inside: Any = parser.parser
        table, callbacks = inside.parser._parse_table, inside.parser.parser.callbacks
        (start,) = parser.options.start
        # An action is to shift, with the next state, or to reduce by a rule.
        rows = {state: {str(one): row[one][1] for one in row} for state, row in table.states.items()}
        reduced = (step for row in rows.values() for step in row.values() if not isinstance(step, int))
        numbers = {rule: number for number, rule in enumerate(dict.fromkeys(reduced))}

        def action(step: Any) -> tuple[int, Any, int]:
            is_shift = isinstance(step, int)
            return (-1, step, 0) if is_shift else (len(step.expansion), str(step.origin.name), numbers[step])

        return Tables(
            first=table.start_states[start],
            last=table.end_states[start],
            actions={state: {one: action(step) for one, step in row.items()} for state, row in rows.items()},
            gotos={state: {one: step for one, step in row.items() if step not in numbers} for state, row in rows.items()},
            rules=[_rule(rule, callbacks[rule]) for rule in numbers],
            scanners={state: _scanner(lexer) for state, lexer in inside.lexer.lexers.items()},
            ignored=tuple(map(str, parser.lexer_conf.ignore)),
        )
    except (AttributeError, KeyError, TypeError, ValueError, ImportError):
        return None


def _rule(rule: Any, build: Any) -> _Rule:
    """Return ``rule`` with the children that Lark's function ``build`` would keep, which wraps others."""
    name, is_transparent, kept, gaps = str(rule.alias or rule.options.template_source or rule.origin.name), False, None, 0
    while hasattr(build, "node_builder"):
        kind = type(build).__name__
        if kind == "ExpandSingleChild":
            is_transparent = True
        elif kind in ("ChildFilterLALR", "ChildFilterLALR_NoPlaceholders"):
            kept = [(at, bool(is_inlined), before[0] if before else 0) for at, is_inlined, *before in build.to_include]
            gaps = getattr(build, "append_none", 0)
        else:
            raise TypeError(f"Lark builds {name} in an unknown way: {kind}")
        build = build.node_builder
    return name, is_transparent, kept, gaps


def _scanner(lexer: Any) -> tuple[str, int, dict[str, _Pattern]]:
    """Return the pattern of a state's ``lexer``, and for each terminal that also matches keywords the pattern of these."""
    own = copy(lexer)  # the parser keeps what it compiles itself
    # It would compile the pattern of every state, which takes long.
    own.re = SimpleNamespace(compile=lambda pattern, flags: (str(pattern), int(flags)), match=re.match)
    ((pattern, flags),) = own.scanner._mres  # makes the callbacks, too
    unless = {str(kind): callback.scanner._mres for kind, callback in own.callback.items()}
    return pattern, flags, {kind: other for kind, (other,) in unless.items()}


# The cache on disk. A file holds its own hash, then plain data: ``marshal`` of dicts, lists, strings and numbers, no code.
# If a file is torn, foreign, stale or unwritable, the program silently compiles the grammar.

_FORMAT: Final = "12"
"""The format of the stored data, which is in the names of files: a program with another format makes its own."""
_KEPT: Final = 3
"""The most files for a ruleset in its languages: that of this program, and of others that use the same folder."""
_DIGEST: Final = 32
_UNFINISHED: Final = ".new-"
_HOUR: Final = 3600


def stored(name: str, parts: Sequence[str], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what ``make`` makes of ``parts``, the texts of a grammar and its options, from the disk if it is there."""
    lark: Any = find_spec("lark")  # its first file has its version; loading Lark to ask for it takes long
    used = sha256(Path(lark.origin).read_bytes()).hexdigest(), sys.implementation.cache_tag or sys.version
    text = "\0".join((_FORMAT, *parts, *used))
    prefix = re.sub(r"[^a-z0-9-]", "_", name)
    folder, file = cache_folder(), f"{prefix}-{sha256(text.encode()).hexdigest()[:16]}.tables"
    if folder is None:
        return make()
    with suppress(OSError):
        content = (folder / file).read_bytes()
        if sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
            return dict(marshal.loads(content[_DIGEST:]))
    made = make()
    body = marshal.dumps(made)
    with suppress(OSError):
        from tempfile import mkstemp

        handle, temporary = mkstemp(dir=folder, prefix=_UNFINISHED)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(sha256(body).digest() + body)
            Path(temporary).replace(folder / file)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
        # Now all but the newest files of this ruleset go, and old remains of interrupted runs.
        ages = sorted(((other.stat().st_mtime, other) for other in folder.iterdir()), reverse=True)
        old = [other for _, other in ages if re.fullmatch(rf"{prefix}-[0-9a-f]{{16}}\.tables", other.name)][_KEPT:]
        left = [other for age, other in ages if other.name.startswith(_UNFINISHED) and age < ages[0][0] - _HOUR]
        for other in (*old, *left):
            other.unlink(missing_ok=True)
    return made


@cache
def cache_folder() -> Path | None:
    """Return the folder for tables (``$ADJUDICATOR_CACHE`` or the user's own), or ``None`` if there is no private one.

    Anyone who can write there decides how orders are read, so a folder of another user, or open to others, is not used.
    """
    chosen = os.environ.get("ADJUDICATOR_CACHE")
    if chosen:
        path = Path(chosen)
    elif sys.platform == "linux":  # the answer of platformdirs, which takes time to load
        base = os.environ.get("XDG_CACHE_HOME", "")
        path = Path(base if base.strip() else os.path.expanduser("~/.cache")) / "adjudicator"
    else:
        from platformdirs import user_cache_path

        path = user_cache_path("adjudicator", appauthor=False)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path if is_private(path) else None
    except OSError:
        return None


def is_private(path: Path) -> bool:
    """Return whether only this user can write to the file or folder at ``path``. Raises ``OSError``."""
    status = path.stat()
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
