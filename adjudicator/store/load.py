"""Read game files with every check, and return a game that can be trusted or report all problems at once."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import msgspec

from adjudicator import rulesets
from adjudicator.core.game import FORMAT, Record
from adjudicator.core.journal import BrokenChainError, proven
from adjudicator.core.rules import AnyRules, Ruleset
from adjudicator.core.ruleset import GameMeta
from adjudicator.core.values import canonical_bytes
from adjudicator.files import typed
from adjudicator.files.errors import CannotRead, NoRules, NotBegun, RulesetChanged, Untrusted, Violation
from adjudicator.files.reading import Source, is_deep, parse, quoted, read, require_sparse
from adjudicator.store import upcast
from adjudicator.store.game import GameFile, assemble, is_laid_out, members, rechain
from adjudicator.store.integrity import (
    BROKEN_SEAL,
    WrongComponents,
    chain_violations,
    chance_violations,
    numbering_violations,
    resolve,
)
from adjudicator.store.kinds import FileKind, name_whole_game, type_of

_LONGEST_ID: Final = 80
_PART: Final = re.compile(r"\$\.(state|setup\.components|setup\.position|journal\[\d+\]\.entry\.events)\b")
"""The parts of a game file whose shape the ruleset defines."""


def load_game(source: Source, *, upcasters: Mapping[int, upcast.Upcaster] = upcast.UPCASTERS) -> Record:
    """Return the game in ``source``: a path, ``-`` for standard input, or the bytes themselves.

    A file that is not byte for byte what this program would write is parsed as JSON first: an editor may have changed it, or
    it has an older format, or a problem. Raises ``CannotRead``, or ``Untrusted`` with all problems.
    """
    name, data = read(source)
    require_sparse(name, data)
    canonical = None if _IS_IN_BROWSER and is_deep(data) else load_canonical(data)
    return canonical or load_carefully(name, data, upcasters)


_IS_IN_BROWSER: Final = sys.platform == "emscripten"
"""Whether deeply nested JSON overflows the stack of the parser and stops Python, instead of a ``RecursionError``."""


class _Ruleset(msgspec.Struct):
    id: str
    version: int


class _Named(msgspec.Struct):
    """The part of a game file that says which ruleset can read it."""

    format: Literal[2]
    ruleset: _Ruleset


def load_canonical(data: bytes) -> Record | None:
    """Return the game in ``data``, ``None`` if this program would write other bytes or there is any problem."""
    try:
        named = typed.read(_Named, data).ruleset
        rules = rulesets.ruleset(named.id)
        file: GameFile = typed.read(type_of(rules.types, FileKind.GAME), data)
        record = assemble(file, resolve(rules, file.components, file.setup.components))
        links = proven(record.beginning, ((canonical_bytes(link.entry), link.hash) for link in file.journal))
        if named.version > rules.meta.version or not is_laid_out(data, members(file), links):
            return None
        return record if not any(_incoherences(record, file.seal)) else None
    except (*_PROBLEMS, rulesets.UnknownRuleset, rulesets.UnusableRuleset):
        return None


_PROBLEMS: Final = (typed.Misfit, BrokenChainError, WrongComponents, RecursionError, UnicodeError)
"""The problems that ``load_carefully`` explains."""


def load_components(source: Source, rules: AnyRules) -> Any:
    """Return a moderator's own component set for ``rules``. Raises ``CannotRead``, ``Untrusted``."""
    return _load_part(source, rules, FileKind.COMPONENTS, f"this is not a component set for {rules.meta.name}")


def load_position(source: Source, rules: AnyRules, name: str = "") -> Any:
    """Return an explicit position for ``rules``. Raises ``CannotRead``, ``Untrusted``.

    ``name`` is the file name for messages where ``source`` is the bytes of the file.
    """
    return _load_part(source, rules, FileKind.POSITION, f"this is not a position of {rules.meta.name}", name)


def _load_part(source: Source, rules: AnyRules, kind: FileKind, words: str, name: str = "") -> Any:
    found, data = read(source)
    name = name or found
    data, document = parse(name, data)
    upgraded = upcast.upcast_part(document, kind, rules)
    if upgraded != document:
        data, document = json.dumps(upgraded, ensure_ascii=False).encode(), upgraded
    return build(name, rules, kind, data, document, words)


def load_carefully(name: str, data: bytes, steps: Mapping[int, upcast.Upcaster] = upcast.UPCASTERS) -> Record:
    """Return the game in ``data``, the bytes of the file ``name``, in any layout or format. Raises ``Untrusted``."""
    data, document = parse(name, data)
    number = _format(name, document)
    rules = ruleset_of(name, document)
    if number != FORMAT:
        document, wrong = upcast.upcast(document, FORMAT, steps, rules)
        if wrong:
            raise Untrusted(name, wrong)
        data = json.dumps(document, ensure_ascii=False).encode()
    try:
        built = build(name, rules, FileKind.GAME, data, document, "this file cannot be trusted")
    except Untrusted as error:
        raise _cause(error, rules, document, is_verified=number != FORMAT) from None
    wrong_parts: list[Violation] = []
    components = None
    try:
        components = resolve(rules, built.components, built.setup.components)
    except WrongComponents as mistaken:
        wrong_parts.append(mistaken.violation)
    record = assemble(built, components)
    if number != FORMAT:
        record = rechain(record)
    broken = tuple(chain_violations(record, (canonical_bytes(item.entry) for item in record.journal)))
    wrong_parts.extend(_incoherences(record, built.seal if number == FORMAT else record.seal, broken))
    if wrong_parts:
        raise Untrusted(name, wrong_parts)
    return record


def _cause(error: Untrusted, rules: AnyRules, document: Any, *, is_verified: bool) -> Untrusted:
    """Return ``error``, or ``RulesetChanged`` if chain and seal fit, which proves that the ``document`` is unchanged.

    ``is_verified`` says that they fit in a file of an older format.
    """
    from adjudicator.store import checking

    wrong = checking.violations(rules, FileKind.GAME, document)
    if not wrong or not all(_PART.match(violation.path) for violation in wrong):
        return error
    return RulesetChanged(error.file, wrong, rules.meta.id) if is_verified or upcast.is_whole(document) else error


def _format(name: str, document: Any) -> int:
    """Return the number of the file's format. Raises ``CannotRead``, or ``Untrusted`` if this program cannot read it."""
    if isinstance(document, dict) and "prepared" in document and "format" not in document:
        raise NotBegun(name, "use `adjudicator words` and then `adjudicator begin` first: this game has not begun")
    if isinstance(document, dict) and "seat_file" in document and "format" not in document:
        raise CannotRead(
            name, "name the game file: this is a player's own file, which only `show`, `legal`, `log` and `check` can read"
        )
    if not isinstance(document, dict) or "format" not in document or "ruleset" not in document:
        raise Untrusted(name, [Violation("$", "this is not a game file: “format” or “ruleset” is missing")])
    number = document["format"]
    if type(number) is not int:
        raise Untrusted(name, [Violation("$.format", f"must be a whole number from 1 to {FORMAT}")])
    if number > FORMAT:
        words = f"install a newer adjudicator: the file has format {number}, and this program reads formats up to {FORMAT}"
        raise Untrusted(name, [Violation("$.format", words)])
    return number


def ruleset_of(name: str, document: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset that ``document`` names, unless it is older than the file. Raises ``CannotRead``, ``Untrusted``."""
    found = document["ruleset"]
    wanted = found.get("id") if isinstance(found, dict) else None
    if not isinstance(wanted, str) or len(wanted) > _LONGEST_ID:
        raise Untrusted(name, [Violation("$.ruleset.id", "must be the name of a ruleset, such as “checkered-flag”")])
    try:
        rules = rulesets.ruleset(wanted)
    except rulesets.UnknownRuleset as unknown:
        words = f"no ruleset {quoted(wanted)} is installed; installed are: {', '.join(unknown.known) or 'none'}"
        raise Untrusted(name, [Violation("$.ruleset.id", words)]) from None
    except rulesets.UnusableRuleset as unusable:
        raise NoRules(name, str(unusable), wanted) from None
    version = found.get("version")
    if type(version) is int and version > rules.meta.version:
        raise Untrusted(name, [Violation("$.ruleset.version", _newer(rules.meta, version))])
    return rules


def _newer(meta: GameMeta, version: int) -> str:
    return (
        f"install a newer adjudicator: the game uses version {version} of {meta.id}, "
        f"and this program has version {meta.version}"
    )


def build(name: str, rules: AnyRules, kind: FileKind, data: bytes, document: Any, words: str) -> Any:
    """Return the object in ``data`` (``document`` is the same, parsed), if it obeys the schema.

    ``name`` is the name of the file, ``words`` the heading of the message if it does not. Raises ``Untrusted``. The types
    accept what the schema accepts, and also games without fields that have a default. jsonschema names what they refuse.
    """
    is_part = kind in (FileKind.COMPONENTS, FileKind.POSITION)
    built, wrong = None, list[Violation]()
    try:
        built = typed.read(type_of(rules.types, kind), data)
    except typed.Misfit as misfit:
        wrong.append(misfit.violation)
    if wrong or not (is_part or canonical_bytes(built) == canonical_bytes(document)):
        from adjudicator.store import checking

        found = checking.violations(rules, kind, document) or wrong
        if found:
            raise Untrusted(name, (is_part and name_whole_game(document)) or found, words)
    return built


def _incoherences(record: Record, seal: str, broken: tuple[Violation, ...] = ()) -> Iterator[Violation]:
    """Yield the contradictions in ``record``; ``broken`` are those in its chain."""
    yield from chance_violations(record.chance)
    yield from broken
    if record.seal != seal:
        yield BROKEN_SEAL
    told = {f"{violation.path}.entry.n" for violation in broken}
    yield from (violation for violation in numbering_violations(record) if violation.path not in told)
