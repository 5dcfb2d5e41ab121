"""Read game files with every check, and write them: the same game gives the same bytes.

``load_game`` reads a file with its types first. If the result, written again, gives the same bytes, and components, chance,
chain, seal and numbers fit, the file obeys its schema. Any other file is read as plain JSON: an editor may have laid it out
anew, or it has an older format, or problems. jsonschema then names all that the types refuse.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeVar

from adjudicator import rulesets
from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.game import FORMAT, ComponentsRef, PreparedGame, Record, RulesetRef
from adjudicator.core.journal import Link, first_break, link
from adjudicator.core.problem import Violation
from adjudicator.core.remember import remember_last
from adjudicator.core.rules import AnyRules, Ruleset
from adjudicator.core.ruleset import GameMeta, Setup, Types
from adjudicator.core.values import MODERATOR, canonical_bytes, defaults_of, digest, json_value, replace
from adjudicator.files import typed
from adjudicator.files.errors import CannotRead, CannotWrite, NoRules, NotBegun, RulesetChanged, Untrusted
from adjudicator.files.reading import LIMIT, MEGABYTE, Source, is_deep, parse, quoted, read, require_sparse
from adjudicator.resources import MissingResource, component_set
from adjudicator.store.schema import FileKind, GameFile, schema, type_of

T = TypeVar("T")
Document = dict[str, Any]
STEPS: Final[dict[int, Callable[[Document, AnyRules], Document]]] = {}
"""For each older format, the step to the next: plain JSON to plain JSON, whose hashes are then made anew.

A document is compared with the schema of its own format (``schemas/format-2/``) and with its hashes before its first step.
Format 1 was never released.
"""
_LONGEST_ID: Final = 80
_PART: Final = re.compile(r"\$\.(state|setup\.components|setup\.position|journal\[\d+\]\.entry\.events)\b")
"""The parts of a game file whose shape the ruleset defines."""
_IS_IN_BROWSER: Final = sys.platform == "emscripten"
"""Whether deeply nested JSON overflows the stack of the parser and stops Python, instead of a ``RecursionError``."""


# Reading -------------------------------------------------------------------------------------------------------------


def load_game(source: Source) -> Record:
    """Return the game in ``source``: a path, ``-`` for standard input, or the bytes themselves.

    Raises ``CannotRead``, or ``Untrusted`` with all problems.
    """
    name, data = read(source)
    require_sparse(name, data)
    canonical = None if _IS_IN_BROWSER and is_deep(data) else _load_canonical(data)
    return canonical or load_carefully(name, data)


def _load_canonical(data: bytes) -> Record | None:
    """Return the game in ``data``, ``None`` if this program would write other bytes or there is any problem."""
    try:
        named: RulesetRef = typed.read(RulesetRef, data[data.rfind(_RULESET) + len(_RULESET) :].partition(_BETWEEN)[0])
        rules = rulesets.ruleset(named.id)
        file: GameFile = typed.read(type_of(rules.types, FileKind.GAME), data)
        record, wrong = resolve(Record, rules, file)
        if wrong or record.ruleset != named or named.version > rules.meta.version:
            return None
        before, after = _around_journal(file)
        at, between, proof = len(before), b"", record.beginning
        for item in file.journal:  # no second copy of the whole is made
            line = canonical_bytes(item)
            proof = digest(proof.encode(), line[_ENTRY])
            if proof != item.hash or not data.startswith(between + line, at):
                return None
            at += len(between) + len(line)
            between = _BETWEEN
        is_sound = data.startswith(before) and data[at:] == after and record.seal == file.seal
        is_sound = is_sound and not any(chance_violations(record.chance)) and not any(_contradictions(record))
    except (typed.Misfit, RecursionError, UnicodeError):
        return None
    except (rulesets.UnknownRuleset, rulesets.UnusableRuleset):
        return None
    return record if is_sound else None


def load_carefully(name: str, data: bytes) -> Record:
    """Return the game in ``data``, the bytes of the file ``name``, in any layout or format.

    Raises ``CannotRead`` for a file of another kind, or ``Untrusted`` with all problems.
    """
    data, document = parse(name, data)
    said, words = document if isinstance(document, dict) else {}, ""
    if "prepared" in said and "format" not in said:
        raise NotBegun(name, "use `adjudicator begin` first: this game has not begun")
    if "seat_file" in said and "format" not in said:
        words = "name the game file: this is a player's own file, which only "
        words += "`show`, `legal`, `log`, `check`, `replay` and `fork` can read"
        raise CannotRead(name, words)
    if not {"format", "ruleset"} <= said.keys():
        raise Untrusted(name, [Violation("$", "this is not a game file: “format” or “ruleset” is missing")])
    number = said["format"]
    if type(number) is not int:
        words = f"must be the number of a format, such as {FORMAT}"
    elif number > FORMAT:
        words = f"install a newer adjudicator: the file has format {number}, and this program reads formats up to {FORMAT}"
    elif number < 1:
        words = f"there is no format {number}"
    elif number < FORMAT and number not in STEPS:
        words = f"the file has format {number}, which no released version wrote: this program reads format {FORMAT}"
    if words:
        raise Untrusted(name, [Violation("$.format", words)])
    rules = ruleset_of(name, document)
    if number < FORMAT:
        if wrong := _violations(rules, FileKind.GAME, document, number) or tuple(_broken(document)):
            raise Untrusted(name, wrong)
        for old in range(number, FORMAT):
            document = {**STEPS[old](document, rules), "format": old + 1}
        data = json.dumps(document, ensure_ascii=False).encode()
    file = build(name, rules, FileKind.GAME, data, document, is_verified=number < FORMAT)
    record, wrong = resolve(Record, rules, file)
    found = [*wrong, *chance_violations(record.chance)]
    if number == FORMAT:
        found += _broken(json_value(file))
    else:
        links = list[Link]()
        for old_link in record.journal:
            links.append(link(links[-1].hash if links else record.beginning, old_link.entry))
        record = replace(record, journal=tuple(links))
    told = {f"{violation.path}.entry.n" for violation in found}
    found += (violation for violation in _contradictions(record) if violation.path not in told)
    if found:
        raise Untrusted(name, dict.fromkeys(found))
    return record


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
    version, ours = found.get("version"), rules.meta.version
    if type(version) is int and version > ours:
        words = f"the game uses version {version} of {wanted}, and this program has version {ours}"
        raise Untrusted(name, [Violation("$.ruleset.version", f"install a newer adjudicator: {words}")])
    return rules


def build(
    name: str,
    rules: AnyRules,
    kind: FileKind,
    data: bytes,
    document: Any,
    words: str = "this file cannot be trusted",
    *,
    is_verified: bool = False,
) -> Any:
    """Return the object in ``data`` (``document`` is the same, parsed), if it obeys the schema.

    ``name`` is the name of the file, ``words`` the heading of the message if it does not. The types accept what the schema
    accepts, and also games without fields that have a default. jsonschema names what they refuse. Raises ``Untrusted``, and
    ``RulesetChanged`` if only the ruleset's own parts of a game are wrong, though its hashes fit (or ``is_verified``).
    """
    built, misfit = None, tuple[Violation, ...]()
    try:
        built = typed.read(type_of(rules.types, kind), data)
    except typed.Misfit as error:
        misfit = (error.violation,)
    is_part = kind in (FileKind.COMPONENTS, FileKind.POSITION)
    if built is not None and (is_part or canonical_bytes(built) == canonical_bytes(document)):
        return built
    wrong = _violations(rules, kind, document)
    if wrong and kind is FileKind.GAME and all(_PART.match(violation.path) for violation in wrong):
        try:
            is_whole = is_verified or not any(_broken(document))
        except (TypeError, ValueError, OverflowError):  # it contains a value that no game has
            is_whole = False
        if is_whole:
            raise RulesetChanged(name, wrong, rules.meta.id)
    if wrong or misfit:
        raise Untrusted(name, (is_part and name_whole_game(document)) or wrong or misfit, words)
    return built


def _violations(rules: AnyRules, kind: FileKind, document: Any, number: int = FORMAT) -> tuple[Violation, ...]:
    """Return the violations in ``document`` of the schema of its ``kind``, in the format ``number``."""
    from adjudicator.files.explain import violations  # slow to load, and sound files need no explanation

    return violations(document, schema, rules.meta, rules.types, kind, number)


def name_whole_game(document: Any) -> list[Violation]:
    """Return one violation that names ``document`` if it is a file of a whole game, in place of all its wrong names."""
    if not isinstance(document, dict) or "ruleset" not in document:
        return []
    names = {"journal": "a game file", "prepared": "a prepared game", "seat_file": "a player's own file"}
    return [Violation("$", f"it is {words}") for tag, words in names.items() if tag in document][:1]


# Component sets ------------------------------------------------------------------------------------------------------


@remember_last
def reference(components: Any) -> ComponentsRef:
    """Return the reference to ``components`` in a game file: id, version and the hash over their canonical JSON."""
    return ComponentsRef(components.id, components.version, digest(canonical_bytes(components)))


def shipped(rules: AnyRules, name: str = "", version: int = 0) -> tuple[Any, ComponentsRef]:
    """Return a component set that comes with ``rules``, and its reference; without ``name`` the default set.

    It has the ``version`` asked for if the program has that, or else its present one. Raises ``MissingResource`` for any
    other name.
    """
    name, older = name or rules.meta.component_sets[0], f"{name}-{version}"
    return _shipped(rules.meta, rules.types, older if older in rules.meta.older_sets else name)


@cache
def _shipped(meta: GameMeta, types: Types, name: str) -> tuple[Any, ComponentsRef]:
    components = typed.read(types.components, component_set(meta, name))
    return components, reference(components)


def is_shipped(rules: AnyRules, components: ComponentsRef) -> bool:
    """Return whether exactly these ``components`` come with ``rules``, so that a file need not contain them."""
    is_known = components.id in rules.meta.component_sets
    return is_known and shipped(rules, components.id, components.version)[1] == components


def is_borrowed(rules: AnyRules, components: Any) -> bool:
    """Return whether ``components`` have the name of a set that comes with ``rules``, but are not that set."""
    if components.id not in rules.meta.component_sets:
        return False
    found, known = shipped(rules, components.id, components.version)
    return components is not found and components.version == found.version and reference(components) != known


def resolve(kind: type[T], rules: AnyRules, file: Any) -> tuple[T, tuple[Violation, ...]]:
    """Return the ``kind`` in ``file``, with its component set: the one in the file, or the shipped set that it refers to.

    Also return what is wrong if that set is not the one in the file's heading.
    """
    recorded, components, wrong = file.components, file.setup.components, tuple[Violation, ...]()
    if components is not None:
        wrong = () if reference(components) == recorded else (_FOREIGN_SET,)
    else:
        try:
            components, found = shipped(rules, recorded.id, recorded.version)
        except MissingResource as missing:
            wrong = (Violation("$.components.id", f"{missing}; and the file does not contain the set itself"),)
        else:
            if found.version != recorded.version:
                words = f"the game uses version {recorded.version} of “{recorded.id}”, but this program has version "
                wrong = (Violation("$.components.version", f"{words}{found.version}"),)
            elif found.hash != recorded.hash:
                words = f"the game began with another set “{recorded.id}”: the set in this program has other contents"
                wrong = (Violation("$.components.hash", words),)
    return typed.recast(kind, file, setup=replace(file.setup, components=components)), wrong


# What must fit together ----------------------------------------------------------------------------------------------

_FOREIGN_SET: Final = Violation("$.setup.components", "this is not the component set that `components` names")
_BROKEN_SEAL: Final = Violation(
    "$.seal",
    "does not fit: somebody has changed the state, the pending orders, the receipts or the secret, "
    "or deleted the last entries",
)


def _broken(document: Document) -> Iterator[Violation]:
    """Yield where component set, hash chain or seal of a file do not fit, from its plain JSON alone.

    The document obeys its schema, except perhaps in the parts that the ruleset defines.
    """
    chance, setup, journal = document["chance"], document["setup"], document["journal"]
    components = setup["components"]
    if components is not None and digest(canonical_bytes(components)) != document["components"]["hash"]:
        yield _FOREIGN_SET
    heading = [1, *(document[name] for name in ("id", "ruleset", "components"))]
    heading += [chance[name] for name in ("source", "commitment", "entropy")]
    heading += [setup[name] for name in ("players", "options", "position")]
    heading += ["promised", chance.get("without", ())] if chance.get("promised") else []
    beginning = digest(b"adjudicator game\n", canonical_bytes(heading))
    broken = first_break(beginning, ((canonical_bytes(item["entry"]), item["hash"]) for item in journal))
    if broken is not None:
        numbers, entry = [item["entry"]["n"] for item in journal], journal[broken]["entry"]
        n, seat, order = numbers[broken], entry["seat"], entry["order"]
        if n > broken and set(numbers).isdisjoint(range(broken, n)):
            deleted = f"entry {broken}" if n == broken + 1 else f"entries {broken} to {n - 1}"
            follows = f"entry {n} follows entry {broken - 1}" if broken else f"entry {n} comes first"
            words = f"somebody has deleted {deleted}: {follows}"
        else:
            named = f"entry {n} ({seat}: {quoted(order)})" if seat else f"entry {n}"
            changed = named if broken else "the heading of the file or entry 0"
            words = f"somebody has changed {changed}: it does not fit its hash"
        yield Violation(f"$.journal[{broken}]", words)
    sealed = [chance["secret"], document["pending"], document["state"]]
    for name in defaults_of(Record):
        if document.get(name):
            sealed += [document[name]] if name == "receipts" else [name, document[name]]
    if document["seal"] != digest(journal[-1]["hash"].encode(), canonical_bytes(sealed)):
        yield _BROKEN_SEAL


def chance_violations(chance: ChanceRecord) -> Iterator[Violation]:
    """Yield the contradictions between secret and commitment."""
    if chance.without and not chance.promised:
        yield Violation("$.chance.without", "must be empty: nothing was promised before the words of this game were known")
    if chance.source == "recorded":
        for name, right in (("promised", False), ("commitment", None), ("secret", None)):
            if getattr(chance, name) != right:
                words = f"must be {json.dumps(right)}: people draw the outcomes of this game"
                yield Violation(f"$.chance.{name}", words)
    elif chance.commitment is None:
        yield Violation("$.chance.commitment", "is missing: the program draws the outcomes of this game")
    elif chance.secret is not None and commitment(bytes.fromhex(chance.secret)) != chance.commitment:
        yield Violation("$.chance.secret", "this is not the secret of this game: it does not fit the commitment")


def _contradictions(record: Record) -> Iterator[Violation]:
    """Yield the contradictions in ``record``: unknown or duplicate seats, numbers out of order."""
    seats, known = set[str](), {*record.setup.seats, None}

    def stranger(seat: str | None, path: str) -> Iterator[Violation]:
        if seat not in known:
            yield Violation(path, f"{quoted(str(seat))} is not a seat of this game")

    for index, player in enumerate(record.setup.players):
        if player.seat in seats or player.seat == MODERATOR:
            words = "is not a player's seat" if player.seat == MODERATOR else "has two players"
            yield Violation(f"$.setup.players[{index}].seat", f"{quoted(player.seat)} {words}")
        seats.add(player.seat)
    before, following = 0, 0
    for index, item in enumerate(record.journal):
        entry = item.entry
        if entry.n not in (index, following):  # a gap is reported once
            yield Violation(f"$.journal[{index}].entry.n", f"must be {index}, not {entry.n}")
        if entry.turn < before:
            yield Violation(f"$.journal[{index}].entry.turn", f"must be {before} or more, not {entry.turn}")
        if entry.seat != MODERATOR and entry.seat not in known:
            yield from stranger(entry.seat, f"$.journal[{index}].entry.seat")
        before, following = entry.turn, entry.n + 1
    seats.clear()
    for index, sheet in enumerate(record.pending):
        path = f"$.pending[{index}].seat"
        if sheet.seat in seats:
            yield Violation(path, f"{quoted(sheet.seat)} has two sheets of pending orders")
        else:
            yield from stranger(sheet.seat, path)
        seats.add(sheet.seat)
    if record.reported > len(record.journal):
        yield Violation("$.reported", f"must be {len(record.journal)} or less, not {record.reported}")
    for index, aside in enumerate(record.set_aside):
        yield from stranger(aside.sheet.seat, f"$.set_aside[{index}].sheet.seat")
    before = 0
    for index, receipt in enumerate(record.receipts):
        yield from stranger(receipt.seat, f"$.receipts[{index}].seat")
        if not before <= receipt.turn <= record.turn:
            yield Violation(f"$.receipts[{index}].turn", f"must be from {before} to {record.turn}, not {receipt.turn}")
        before = max(before, receipt.turn)


# Writing -------------------------------------------------------------------------------------------------------------


def dump_game(record: Record) -> bytes:
    """Return the bytes of the file of ``record``: canonical JSON, with a line for each member and each entry of the journal.

    The file only names a component set that the ruleset ships; it contains any other set. Raises ``ValueError`` if the
    game's components are not those its heading names, ``CannotWrite`` if the file would be too large to read again.
    """
    file: GameFile = typed.recast(GameFile, record, setup=setup_to_write(record), format=FORMAT, seal=record.seal)
    before, after = _around_journal(file)
    data = b"".join((before, _BETWEEN.join(map(canonical_bytes, record.journal)), after))
    if len(data) > LIMIT:
        size, most = f"{len(data) / MEGABYTE:,.1f} MB", f"{LIMIT // MEGABYTE} MB"
        raise CannotWrite(f"game {record.id}", f"nothing was written: the file would have {size}, but the limit is {most}")
    return data


def setup_to_write(record: Record | PreparedGame) -> Setup:
    """Return the set-up of ``record`` for its file, without a component set that the ruleset ships.

    Raises ``ValueError`` if the components are not those that the heading names.
    """
    if is_shipped(rulesets.ruleset(record.ruleset.id), record.components):
        return replace(record.setup, components=None)
    if reference(record.setup.components) != record.components:
        raise ValueError("the components of the game are not those that its heading names")
    return record.setup


def _around_journal(file: GameFile) -> tuple[bytes, bytes]:
    """Return the bytes of ``file`` before the first line of its journal, and those after the last."""
    usual, sides = defaults_of(GameFile), (list[bytes](), list[bytes]())
    for name in sorted(file.__struct_fields__):
        value = getattr(file, name)
        if name != "journal" and (name not in usual or value != usual[name]):
            sides[name > "journal"].append(b'"%s":%s' % (name.encode(), canonical_bytes(value)))
    first, last = map(_BETWEEN.join, sides)
    return b'{%s,\n"journal":[\n' % first, b"\n],\n%s}\n" % last


_RULESET: Final = b'\n"ruleset":'
"""The beginning of the line that says which ruleset can read the file."""
_BETWEEN: Final = b",\n"
"""What is between two members of a file, and between two lines of its journal."""
_ENTRY: Final = slice(len('{"entry":'), -len(',"hash":""}') - 64)
"""The place of the entry in a line of the journal."""
