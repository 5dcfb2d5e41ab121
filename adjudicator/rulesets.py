"""Find and load the installed rulesets by entry point; a broken one does not affect the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, TypeVar

from adjudicator.core.problem import AdjudicatorError, suggest
from adjudicator.core.rules import Rules, Ruleset
from adjudicator.core.ruleset import GameMeta, Option
from adjudicator.core.values import Value

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "adjudicator.rulesets"
"""The group of entry points; each is named like its ruleset and gives a ``GameMeta``."""

_ID: Final = re.compile("[a-z0-9-]+")
_GAMES: Final = "adjudicator.games."
T = TypeVar("T")
_OFFERED: Final[dict[str, Ruleset]] = {}
"""Rulesets that are found without being installed, by their id."""
_FOREIGN: Final[dict[str, str]] = {}
"""The rulesets of other packages that are loaded, and the package of each."""


class BrokenRuleset(Value):
    """A ruleset that is installed but cannot be used, and the ``reason`` as text."""

    name: str
    reason: str


class UnknownRuleset(AdjudicatorError):
    """Report an unknown ruleset; ``known`` lists the installed ones, ``suggestions`` the most similar."""

    kind = "ruleset"

    def __init__(self, wanted: str, known: tuple[str, ...]) -> None:
        """Keep ``known`` and find those that are similar to ``wanted``."""
        self.wanted, self.known, self.suggestions = wanted, known, suggest(wanted, known, 1)
        hint = f" (did you mean “{self.suggestions[0]}”?)" if self.suggestions else ""
        super().__init__(f"no game “{wanted}” is installed{hint}; installed are: {', '.join(known) or 'none'}")


class UnusableRuleset(AdjudicatorError):
    """Report a ruleset that is installed but cannot be used; the message says why."""

    kind = "ruleset"

    def __init__(self, broken: BrokenRuleset) -> None:
        """Keep ``broken`` and give its reason."""
        super().__init__(f"the ruleset “{broken.name}” cannot be used: {broken.reason}")
        self.broken = broken


Watcher = Callable[[str, Callable[[], object] | None], str]
"""A function that the registry calls with the id of another package's ruleset before any code of it runs.

Before a game uses the ruleset, the second argument is ``None``; before its ``GameMeta`` is loaded, it is the function that
loads it. The watcher returns why loading it would harm this process, or an empty text.
"""


def _trusting(_name: str, _load: object) -> str:
    return ""


_watcher: Watcher = _trusting


@contextmanager
def watch_rulesets(watcher: Watcher) -> Iterator[None]:
    """Call ``watcher`` before code of another package's ruleset runs, within a ``with`` block."""
    global _watcher
    before, _watcher = _watcher, watcher
    try:
        yield
    finally:
        _watcher = before


def metas() -> tuple[tuple[str, GameMeta | BrokenRuleset], ...]:
    """Return each installed ruleset as (name, meta or problem), sorted by name.

    A name stands twice where a package claims the name of a ruleset that comes with the program: the latter keeps it.
    """
    return tuple((name, found) for name in sorted(_claims()) for found in _settled(name))


def meta(ruleset_id: str) -> GameMeta:
    """Return the meta of the ruleset without loading its rules. Raises ``UnknownRuleset``, ``UnusableRuleset``."""
    own = _OFFERED[ruleset_id].meta if ruleset_id in _OFFERED else _own(ruleset_id)
    if own is not None:
        return own
    if any(not _is_own_place(point.value) for point in _claims().get(ruleset_id, ())):
        _watcher(ruleset_id, None)
    named = _settled(ruleset_id)
    for found in named:
        if isinstance(found, GameMeta):
            return found
    for found in named:
        if isinstance(found, BrokenRuleset):
            raise UnusableRuleset(found)
    raise UnknownRuleset(ruleset_id, tuple(name for name, found in metas() if isinstance(found, GameMeta)))


def ruleset(ruleset_id: str) -> Ruleset:
    """Return the class of the rules of the ruleset, loaded once. Raises ``UnknownRuleset``, ``UnusableRuleset``."""
    if ruleset_id in _OFFERED:
        return _OFFERED[ruleset_id]
    if ruleset_id in _FOREIGN:
        _watcher(ruleset_id, None)
    return _ruleset(ruleset_id)


@contextmanager
def offer(rules: Ruleset) -> Iterator[None]:
    """Make ``rules`` available by their id in the block, installed or not.

    For rulesets that are being written: their files are read and written as those of any other.
    """
    before = _OFFERED.get(rules.meta.id)
    _OFFERED[rules.meta.id] = rules
    try:
        yield
    finally:
        del _OFFERED[rules.meta.id]
        if before is not None:
            _OFFERED[rules.meta.id] = before


@cache
def _ruleset(ruleset_id: str) -> Ruleset:
    place = meta(ruleset_id).ruleset
    loaded = _guarded(ruleset_id, place, lambda: _rules_at(place))
    if isinstance(loaded, BrokenRuleset):
        raise UnusableRuleset(loaded)
    if not (isinstance(loaded, type) and issubclass(loaded, Rules)):
        raise UnusableRuleset(BrokenRuleset(ruleset_id, f"{place} is not a class of Rules"))
    if not _is_own_place(place):
        _FOREIGN[ruleset_id] = place.partition(":")[0].split(".")[0]
    return loaded


def commands_of(ruleset_id: str) -> Any:
    """Return the typer app with the commands of the ruleset, ``None`` without one.

    Raises ``UnknownRuleset``, ``UnusableRuleset``.
    """
    place = meta(ruleset_id).commands
    loaded = _guarded(ruleset_id, place, lambda: attribute(place)) if place else None
    if isinstance(loaded, BrokenRuleset):
        raise UnusableRuleset(loaded)
    if place and not _is_own_place(place):
        _FOREIGN[ruleset_id] = place.partition(":")[0].split(".")[0]
    return loaded


def ids_with_commands() -> tuple[str, ...]:
    """Return the ids of the rulesets of this program that have their own commands."""
    return tuple(name for name in ruleset_ids() if (own := _own(name)) is not None and own.commands)


def ruleset_ids() -> tuple[str, ...]:
    """Return the ids of all installed rulesets, without loading any."""
    return tuple(sorted(_claims()))


def culprit(error: BaseException) -> str | None:
    """Return the ruleset of another package that ``error`` names (``ruleset``) or was raised in, or ``None``."""
    packages = {module.partition(".")[0] for module, _, _ in _steps(error)}
    named = getattr(error, "ruleset", "")
    return next((name for name, package in _FOREIGN.items() if name == named or package in packages), None)


def whose(error: BaseException, played_by: str = "") -> str:
    """Name the ruleset or program in which the bug ``error`` was raised; ``played_by`` is the ruleset of the game."""
    foreign = culprit(error)
    if foreign is not None:
        return f"a bug in the ruleset “{foreign}”, which is not part of this program"
    games = [module.split(".")[2].replace("_", "-") for module, _, _ in _steps(error) if module.startswith(_GAMES)]
    named = getattr(error, "ruleset", "") or (games[-1] if games else "")
    if named:
        return f"a bug in the ruleset “{named}”"
    return "a bug in the program" + (f" in a game of the ruleset “{played_by}”" if played_by else "")


def place_of(error: BaseException) -> str:
    """Return the place of ``error`` as `module, function, line N`: the last step in a ruleset, else the last of all."""
    steps, packages = _steps(error), set(_FOREIGN.values())
    ruled = [step for step in steps if step[0].startswith(_GAMES) or step[0].partition(".")[0] in packages]
    if not steps:
        return ""
    module, function, line = (ruled or steps)[-1]
    return f"{module}, {function}, line {line}"


def bug_words(error: BaseException, played_by: str = "") -> str:
    """Return whose bug ``error`` is, its place and message; ``played_by`` is the ruleset of the game."""
    place = place_of(error)
    return f"{whose(error, played_by)}{f' ({place})' if place else ''}: {type(error).__name__}: {error}"


def _steps(error: BaseException) -> list[tuple[str, str, int]]:
    """Return module, function and line of each step to ``error`` and then to its cause, the outermost first."""
    from traceback import walk_tb

    found = walk_tb(error.__traceback__)
    steps = [(step.f_globals.get("__name__", ""), step.f_code.co_name, line) for step, line in found]
    return steps if error.__cause__ is None else [*steps, *_steps(error.__cause__)]


def forget() -> None:
    """Search for installed rulesets again at the next request: for programs that install while they run."""
    _claims.cache_clear()
    _settled.cache_clear()
    _ruleset.cache_clear()


@cache
def _claims() -> dict[str, list[EntryPoint]]:
    """Return the entry points that claim each name."""
    claims: dict[str, list[EntryPoint]] = {}
    for point in _entry_points():
        # The same package may be on the path twice (an editable install run from its checkout): that is no conflict.
        others = claims.setdefault(point.name, [])
        if all(point.value != other.value for other in others):
            others.append(point)
    return claims


@cache
def _settled(name: str) -> tuple[GameMeta | BrokenRuleset, ...]:
    return tuple(_settle(name, _claims()[name])) if name in _claims() else ()


def _own(ruleset_id: str) -> GameMeta | None:
    """Return the meta of a ruleset that comes with this program, whose name no other package can take.

    Reading every installed package takes longer than all else that is needed to know a ruleset.
    """
    if _ID.fullmatch(ruleset_id) is None:
        return None
    place = f"adjudicator.games.{ruleset_id.replace('-', '_')}"
    if find_spec(place) is None:
        return None
    found = getattr(import_module(f"{place}.meta"), "META", None)
    return found if isinstance(found, GameMeta) and found.id == ruleset_id else None


def is_foreign(ruleset_id: str) -> bool:
    """Return whether a ruleset with this id can only come from another package."""
    return ruleset_id not in _OFFERED and _own(ruleset_id) is None


def _entry_points() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # reads every installed package: only when asked

    return tuple(entry_points(group=GROUP))


def _settle(name: str, points: list[EntryPoint]) -> list[GameMeta | BrokenRuleset]:
    """Return the ruleset ``name``: a single claim is loaded; of several only that of this program counts."""
    own = [point for point in points if _is_own_place(point.value)]
    counted = own if len(own) == 1 else points
    if len(counted) == 1:
        settled = [_load(counted[0])]
    else:
        settled = [BrokenRuleset(name, f"remove all but one of the packages that claim this name: {_places(points)}")]
    for point in points:
        if counted is own and point not in own:
            settled.append(BrokenRuleset(name, f"{_places([point])} claims the name of a ruleset of this program"))
    return settled


def _places(points: list[EntryPoint]) -> str:
    return ", ".join(sorted(f"{point.dist.name} ({point.value})" if point.dist else point.value for point in points))


def _load(point: EntryPoint) -> GameMeta | BrokenRuleset:
    if not _is_own_place(point.value) and (harm := _watcher(point.name, point.load)):
        return BrokenRuleset(point.name, f"loading it failed: {harm}")
    found = _guarded(point.name, point.value, point.load, point.dist.name if point.dist else "")
    if isinstance(found, BrokenRuleset):
        return found
    if not isinstance(found, GameMeta):
        return BrokenRuleset(point.name, f"{point.value} is not a GameMeta")
    if found.id != point.name:
        return BrokenRuleset(point.name, f"the name of its entry point is “{point.name}”, but its id is “{found.id}”")
    wrong = next(_wrong_fields(found), None)
    return (
        found if wrong is None else BrokenRuleset(point.name, f"the field “{wrong[0]}” of its GameMeta must be {wrong[1]}")
    )


def _wrong_fields(found: GameMeta) -> Iterator[tuple[str, str]]:
    """Yield each field of a meta with a wrong type, and the right type, which Python itself does not check."""
    for name in ("name", "prefix", "ruleset"):
        if not (isinstance(getattr(found, name), str) and getattr(found, name)):
            yield name, "a text"
    if ":" not in str(found.ruleset):
        yield "ruleset", "where the rules are, as “module:attribute”"
    for name in ("commands", "schemas"):
        place = getattr(found, name)
        if not isinstance(place, str) or bool(place) is (":" not in place):
            yield name, "empty, or a place as “module:attribute”"
    if not _is_whole(found.version) or found.version < 1:
        yield "version", "a whole number from 1"
    if not _is_whole(found.oldest) or not 0 <= found.oldest <= found.version:
        yield "oldest", "the earliest version it can decide, up to its own, or 0"
    if not (_is_tuple(found.players, int) and len(found.players) == 2 and 1 <= found.players[0] <= found.players[1]):
        yield "players", "the fewest and the most, as in (2, 4)"
    if not (_is_tuple(found.unit, str) and len(found.unit) >= 2):
        yield "unit", "a Unit, as in Unit(“min”, “minutes”)"
    if not (_is_tuple(found.component_sets, str) and found.component_sets):
        yield "component_sets", "the names of one set or more, as in (“house”,)"
    if not _is_tuple(found.options, Option):
        yield "options", "a tuple of Option"


def _is_tuple(value: Any, kind: type) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, kind) and not isinstance(item, bool) for item in value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_own_place(place: str) -> bool:
    """Return whether ``place`` (``module:attribute``) is a part of this program."""
    return place.partition(":")[0].split(".")[0] == "adjudicator"


def _rules_at(place: str) -> Any:
    """Return what is at ``place``. Raises ``TypeError`` if no file can hold the values of another package's rules."""
    found = attribute(place)
    if isinstance(found, type) and issubclass(found, Rules) and not _is_own_place(place):
        from adjudicator.core.values import require_readable

        types = found.types
        require_readable(types.components, types.position, types.state, *types.events)
    return found


def attribute(place: str) -> Any:
    """Return what is at ``place`` (``module:attribute``)."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _guarded(name: str, place: str, load: Callable[[], T], package: str = "") -> T | BrokenRuleset:
    """Return the result of ``load`` or its error: another package's code may fail in any way.

    It loads what is at ``place``, of the ``package`` of that name where it is known. What that prints is in nobody's report.
    """
    try:
        with redirect_stdout(StringIO()):
            return load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        words = getattr(error, "msg", "") if isinstance(error, SyntaxError) else str(error)
        reason = f"loading it failed: {type(error).__name__}: {words}".removesuffix(": ")
        module = place.partition(":")[0].split(".")[0]
        if _is_own_place(place):
            return BrokenRuleset(name, reason)
        where = f": {found}" if (found := _fault_in(module, error)) else ""
        theirs = f"the fault is in the package {package or module}, which is not part of this program"
        # These come from a ruleset of an older protocol, too.
        is_older = type(error) in (AttributeError, ImportError, TypeError)
        change = "; for rulesets of version 1.0.0 see “Protocol version 2” in docs/rulesets.md" if is_older else ""
        return BrokenRuleset(name, f"{reason}{change}; {theirs}{where}")


def _fault_in(module: str, error: BaseException) -> str:
    """Return the file and line of the package ``module`` that raised ``error``, empty if no code of it ran."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno or 1}"
    from traceback import walk_tb

    steps = [
        (step.f_code.co_filename, line)
        for step, line in walk_tb(error.__traceback__)
        if step.f_globals.get("__name__", "").partition(".")[0] == module
    ]
    return "{}, line {}".format(*steps[-1]) if steps else ""
