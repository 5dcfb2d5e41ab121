"""Find and load the installed rulesets by entry point: a broken one has its reason, and does not affect the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.problem import AdjudicatorError, suggest
from adjudicator.core.rules import Rules, Ruleset
from adjudicator.core.ruleset import GameMeta
from adjudicator.core.values import require_readable
from adjudicator.results import BrokenGame

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "adjudicator.rulesets"
"""The group of entry points; each is named like its ruleset and gives a ``GameMeta``."""

_ID: Final = re.compile("[a-z0-9-]+")
_OFFERED: Final[dict[str, Ruleset]] = {}
"""Rulesets that are found without being installed, by their id."""
_FOREIGN: Final[dict[str, str]] = {}
"""The rulesets of other packages that are loaded, and the package of each."""
_ALONE: Final = RLock()
"""Held by the thread that checks the description of a ruleset, or loads one of another package."""


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

    def __init__(self, broken: BrokenGame) -> None:
        """Keep ``broken`` and give its reason."""
        super().__init__(f"the ruleset “{broken.id}” cannot be used: {broken.broken}")
        self.broken = broken


def ruleset_ids() -> tuple[str, ...]:
    """Return the ids of all installed rulesets, without loading any."""
    return tuple(sorted(_claims()))


def all_rulesets() -> tuple[GameMeta | BrokenGame, ...]:
    """Return the installed rulesets by id, and in their places those that cannot be used, each with the reason.

    A name appears twice if a package claims the name of a ruleset that comes with the program, which keeps it.
    """
    return tuple(found for name in ruleset_ids() for found in _with_name(name))


def installed_games() -> tuple[GameMeta, ...]:
    """Return the description of each ruleset that can be played, sorted by id: players, options, component sets."""
    return tuple(found for found in all_rulesets() if isinstance(found, GameMeta))


def meta(ruleset_id: str) -> GameMeta:
    """Return the meta of the ruleset without loading its rules. Raises ``UnknownRuleset``, ``UnusableRuleset``."""
    if ruleset_id in _OFFERED:
        return _OFFERED[ruleset_id].meta
    found = own_meta(ruleset_id) or next(iter(_with_name(ruleset_id)), None)
    if found is None:
        raise UnknownRuleset(ruleset_id, tuple(one.id for one in installed_games()))
    if isinstance(found, BrokenGame):
        raise UnusableRuleset(found)
    return found


def own_meta(ruleset_id: str) -> GameMeta | None:
    """Return the meta of a ruleset that comes with this program, whose name no other package can take.

    Reading every installed package takes longer than all else that is needed to know a ruleset.
    """
    place = f"adjudicator.games.{ruleset_id.replace('-', '_')}"
    if _ID.fullmatch(ruleset_id) is None or find_spec(place) is None:
        return None
    found = getattr(import_module(f"{place}.meta"), "META", None)
    return found if isinstance(found, GameMeta) and found.id == ruleset_id else None


def ruleset(ruleset_id: str) -> Ruleset:
    """Return the class of the rules of the ruleset, loaded once. Raises ``UnknownRuleset``, ``UnusableRuleset``."""
    return _OFFERED[ruleset_id] if ruleset_id in _OFFERED else _ruleset(ruleset_id)


def package_of(ruleset_id: str) -> str:
    """Return the package that has the rules of the ruleset; `adjudicator` has its own.

    Raises ``UnknownRuleset``, also for one that is only on offer, whose rules are in no file, and ``UnusableRuleset``.
    """
    if ruleset_id in _OFFERED:
        raise UnknownRuleset(ruleset_id, ())
    return meta(ruleset_id).ruleset.partition(":")[0].partition(".")[0]


@contextmanager
def offer(rules: Ruleset) -> Iterator[None]:
    """Make ``rules`` available by their id in the block, installed or not.

    For rulesets that are being written: their files are read and written as those of any other.
    """
    before = dict(_OFFERED)
    _OFFERED[rules.meta.id] = rules
    try:
        yield
    finally:
        _OFFERED.clear()
        _OFFERED.update(before)


def commands_of(ruleset_id: str) -> Any:
    """Return the typer app with the commands of the ruleset, ``None`` without one.

    Raises ``UnknownRuleset``, ``UnusableRuleset``.
    """
    place = meta(ruleset_id).commands
    with _as_unusable(ruleset_id, place):
        return attribute(place) if place else None


def ids_with_commands() -> tuple[str, ...]:
    """Return the ids of the rulesets of this program that have their own commands."""
    return tuple(name for name in ruleset_ids() if (own := own_meta(name)) is not None and own.commands)


def attribute(place: str) -> Any:
    """Return what is at ``place`` (``module:attribute``)."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def forget() -> None:
    """Search for installed rulesets again at the next request: for programs that install while they run."""
    _claims.cache_clear()
    _with_name.cache_clear()
    _ruleset.cache_clear()


def whose_bug(error: BaseException, played_by: str = "") -> str:
    """Name the ruleset or program in which the bug ``error`` was raised; ``played_by`` is the ruleset of the game."""
    modules = [module.split(".") for module, _, _ in _steps(error)]
    named, packages = getattr(error, "ruleset", ""), {module[0] for module in modules}
    for name, package in _FOREIGN.items():
        if name == named or package in packages:
            return f"a bug in the ruleset “{name}”, which is not part of this program"
    games = [module[2].replace("_", "-") for module in modules if module[:2] == ["adjudicator", "games"] and module[2:]]
    if named or games:
        return f"a bug in the ruleset “{named or games[-1]}”"
    return "a bug in the program" + (f" in a game of the ruleset “{played_by}”" if played_by else "")


def place_of_bug(error: BaseException) -> str:
    """Return the place of ``error`` as `module, function, line N`: the last step in a ruleset, else the last of all."""
    steps, packages = _steps(error), set(_FOREIGN.values())
    ruled = [step for step in steps if step[0].startswith("adjudicator.games.") or step[0].partition(".")[0] in packages]
    return "{}, {}, line {}".format(*(ruled or steps)[-1]) if steps else ""


def bug_words(error: BaseException, played_by: str = "") -> str:
    """Return whose bug ``error`` is, its place and message; ``played_by`` is the ruleset of the game."""
    place = place_of_bug(error)
    return f"{whose_bug(error, played_by)}{f' ({place})' if place else ''}: {type(error).__name__}: {error}"


def _steps(error: BaseException) -> list[tuple[str, str, int]]:
    """Return module, function and line of each step to ``error`` and then to its cause, the outermost first."""
    from traceback import walk_tb  # takes time to load, and is needed for bugs alone

    found = walk_tb(error.__traceback__)
    steps = [(step.f_globals.get("__name__", ""), step.f_code.co_name, line) for step, line in found]
    return steps if error.__cause__ is None else [*steps, *_steps(error.__cause__)]


@cache
def _claims() -> dict[str, dict[str, EntryPoint]]:
    """Return the entry points that claim each name, by their places.

    The same package may be on the path twice (an editable install run from its checkout): that is no conflict.
    """
    from importlib.metadata import entry_points  # reads every installed package: only when asked

    claims: dict[str, dict[str, EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        claims.setdefault(point.name, {}).setdefault(point.value, point)
    return claims


@cache
def _with_name(name: str) -> tuple[GameMeta | BrokenGame, ...]:
    """Return the ruleset ``name``: a single claim is loaded; of several only that of this program counts."""
    points = _claims().get(name, {})
    places = {place: f"{package} ({place})" if (package := _package(point)) else place for place, point in points.items()}
    own = [place for place in points if _is_own(place)]
    counted = own if len(own) == 1 else list(points)
    others = (words for place, words in places.items() if place not in counted)
    thieves = [BrokenGame(name, f"{words} claims the name of a ruleset of this program") for words in others]
    if len(counted) > 1:
        every = ", ".join(sorted(places.values()))
        return (BrokenGame(name, f"remove all but one of the packages that claim this name: {every}"),)
    return (*(_load(points[place]) for place in counted), *thieves)


def _package(point: EntryPoint) -> str:
    """Return the name of the package that has the entry ``point``; empty if nothing says it."""
    with suppress(OSError):  # from 3.15 on, a package without metadata has no name
        return point.dist.name if point.dist else ""
    return ""


def _load(point: EntryPoint) -> GameMeta | BrokenGame:
    try:
        with _as_unusable(point.name, point.value, _package(point)):
            found = point.load()
    except UnusableRuleset as error:
        return error.broken
    if not isinstance(found, GameMeta):
        return BrokenGame(point.name, f"{point.value} is not a GameMeta")
    if found.id != point.name:
        return BrokenGame(point.name, f"the name of its entry point is “{point.name}”, but its id is “{found.id}”")
    with _ALONE:  # msgspec before 0.23 crashes if a thread uses a class that another is preparing
        flaw = found.flaw
    return BrokenGame(point.name, f"a field of its GameMeta is wrong: {flaw}") if flaw else found


@cache
def _ruleset(ruleset_id: str) -> Ruleset:
    place = meta(ruleset_id).ruleset
    with _as_unusable(ruleset_id, place):
        loaded = attribute(place)
        is_rules = isinstance(loaded, type) and issubclass(loaded, Rules)
        if is_rules and not _is_own(place):
            types = loaded.types
            require_readable(types.components, types.position, types.state, *types.events)
    if not is_rules:
        raise UnusableRuleset(BrokenGame(ruleset_id, f"{place} is not a class of Rules"))
    found: Ruleset = loaded
    return found


def _is_own(place: str) -> bool:
    return place.startswith("adjudicator.")


@contextmanager
def _as_unusable(name: str, place: str, package: str = "") -> Iterator[None]:
    """Raise ``UnusableRuleset`` for whatever the block raises, which loads what is at ``place``.

    Code of another ``package``, whose name is not always known, may fail in any way. No report has what it prints.
    """
    module, is_foreign = place.partition(":")[0].split(".")[0], bool(place) and not _is_own(place)
    if is_foreign:
        _FOREIGN[name] = module
    try:
        with ExitStack() as stack:
            if is_foreign:  # standard output is that of all threads: the last of several to give it back would keep it
                stack.enter_context(_ALONE)
                stack.enter_context(redirect_stdout(StringIO()))
            yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        from traceback import walk_tb

        words = getattr(error, "msg", "") if isinstance(error, SyntaxError) else str(error)
        reason = f"loading it failed: {type(error).__name__}: {words}".removesuffix(": ")
        if not _is_own(place):
            steps = [(step.f_globals.get("__name__", ""), step.f_code, line) for step, line in walk_tb(error.__traceback__)]
            lines = [f": {code.co_filename}, line {n}" for within, code, n in steps if within.partition(".")[0] == module]
            if isinstance(error, SyntaxError) and error.filename:
                lines.append(f": {error.filename}, line {error.lineno or 1}")
            # These come from a ruleset of an older protocol, too.
            is_older = type(error) in (AttributeError, ImportError, TypeError)
            change = "; for rulesets of version 1.0.0 see “Protocol version 2” in docs/rulesets.md" if is_older else ""
            theirs = f"; the fault is in the package {package or module}, which is not part of this program"
            reason = f"{reason}{change}{theirs}{lines[-1] if lines else ''}"
        raise UnusableRuleset(BrokenGame(name, reason)) from error
