"""Read and write the other files of a game: prepared games, players' own files, component sets, positions, lists of players.

The first two are sealed: canonical JSON with a line for each member, a tag that says what the file is, and a hash over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum
from itertools import groupby, pairwise
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Generic, Literal, NewType, Union, get_args, get_origin

from msgspec.structs import asdict

from adjudicator.core.chance import ChanceRecord, Head
from adjudicator.core.corrections import OUTSIDE, Amended, AmendedSeen
from adjudicator.core.game import PREPARED, ComponentsRef, PendingSheet, PreparedGame, RulesetRef
from adjudicator.core.problem import Violation
from adjudicator.core.rules import AnyRules, Ruleset
from adjudicator.core.ruleset import Player, Setup
from adjudicator.core.values import (
    Count,
    Digest,
    Name,
    Seat,
    Tagged,
    Value,
    canonical_text,
    digest,
    hints_of,
    json_value,
    replace,
)
from adjudicator.core.visibility import PUBLIC, Mark, note_in
from adjudicator.files import typed
from adjudicator.files.errors import CannotRead, FileProblem, Untrusted
from adjudicator.files.reading import Source, parse, quoted, read
from adjudicator.results import LogRow
from adjudicator.store.game_file import build, chance_violations, is_shipped, resolve, ruleset_of, setup_to_write
from adjudicator.store.schema import FileKind, PreparedFile, SetupT, setup_type, typed_as

_SEAT_FILE: Final = "seat_file"
"""The key that marks a player's own file; its value is the number of the file's form."""
_FORM: Final = 2
"""The form that this version writes; the first had only the last position."""

_MOST_BYTES: Final = 4_000_000
"""The size of the largest list of entrants."""
_MOST_SIGNS: Final = 10_000
"""The length of its longest line in characters."""


def load_components(source: Source, rules: AnyRules) -> Any:
    """Return a moderator's own component set for ``rules``. Raises ``CannotRead``, ``Untrusted``."""
    name, data = read(source)
    words = f"this is not a component set for {rules.meta.name}"
    return build(name, rules, FileKind.COMPONENTS, *parse(name, data), words)


def load_position(source: Source, rules: AnyRules, name: str = "") -> Any:
    """Return an explicit position for ``rules``. Raises ``CannotRead``, ``Untrusted``.

    ``name`` is the file name for messages where ``source`` is the bytes of the file.
    """
    found, data = read(source)
    name = name or found
    return build(name, rules, FileKind.POSITION, *parse(name, data), f"this is not a position of {rules.meta.name}")


def load_entrants(source: Source) -> tuple[Player, ...]:
    """Return the players in the file ``source``, in order.

    A line has a seat, and optionally the player's name and then the class: ``red,Ann Miller,Expert``. Semicolons and tabs
    may replace the commas; empty lines, remarks (``#``) and a heading line (``seat,…``) are ignored. The class is added to
    the name. Raises ``CannotRead``, or ``Untrusted`` with every wrong line.
    """
    import csv  # no other file needs it

    name, data = read(source)
    if len(data) > _MOST_BYTES:
        raise Untrusted(name, [Violation("line 1", f"the file is larger than {_MOST_BYTES:,} bytes")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    said = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    sign = next((one for one in (";", "\t", ",") if said and one in said[0][1]), ",")
    wrong: list[Violation] = []
    known: dict[str, int] = {}
    players: list[Player] = []
    for place, (number, line) in enumerate(said):
        if len(line) > _MOST_SIGNS:
            wrong.append(Violation(f"line {number}", f"the line has more than {_MOST_SIGNS:,} characters"))
            continue
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=sign, skipinitialspace=True))]
        seat = cells[0].lower()
        if not place and seat == "seat":  # the heading
            continue
        flaw = ""
        if not seat:
            flaw = "begin the line with the seat: seat, name, class"
        elif any(cells[3:]):
            flaw = f"write only seat, name and class: the line has {len(cells)} parts"
        elif seat in known:
            flaw = f"the seat {quoted(cells[0], 30)} is already in line {known[seat]}"
        if flaw:
            wrong.append(Violation(f"line {number}", flaw))
            continue
        known[seat] = number
        players.append(Player(Seat(seat), ", ".join(filter(None, cells[1:3]))))
    if not wrong and not players:
        words = "write a line for each entrant, such as `red,Ann Miller`: the list is empty"
        wrong.append(Violation("line 1", words))
    if wrong:
        raise Untrusted(name, wrong, "this is not a list of entrants")
    return tuple(players)


# Prepared games ------------------------------------------------------------------------------------------------------


def dump_prepared(prepared: PreparedGame) -> bytes:
    """Return the bytes of the file of ``prepared``."""
    return _sealed({**asdict(prepared), "prepared": PREPARED, "setup": setup_to_write(prepared)}, prepared.seal)


def load_prepared(source: Source) -> PreparedGame:
    """Return the prepared game in ``source``: a path, or the bytes themselves. Raises ``CannotRead``, ``Untrusted``."""
    name, data = read(source)
    data, document = parse(name, data)
    if isinstance(document, dict) and {"format", "journal"} <= document.keys():
        raise CannotRead(name, "this game has begun: its words can no longer change")
    if not isinstance(document, dict) or not {"prepared", "ruleset"} <= document.keys():
        raise Untrusted(name, [Violation("$", "this is not a prepared game: `adjudicator new … --commit-only` makes one")])
    rules = ruleset_of(name, document)
    file: PreparedFile = build(name, rules, FileKind.PREPARED, data, document)
    prepared, wrong = resolve(PreparedGame, rules, file)
    if not wrong:  # somebody who could change the file could choose the deal
        chance, seats, found = prepared.chance, prepared.setup.seats, list(chance_violations(prepared.chance))
        if not chance.promised or chance.secret is None:
            found.append(Violation("$.chance", "must be promised, and contain the secret"))
        if not set(chance.entropy) <= set(seats) or len(set(seats)) != len(seats):
            words = f"must contain words only of the seats {' '.join(dict.fromkeys(seats))}"
            found.append(Violation("$.chance.entropy", words))
        if chance.without != (prepared.silent if prepared.are_published else ()):
            words = "must name the seats that sent no word, once the words are published"
            found.append(Violation("$.chance.without", words))
        if not rules.meta.can_decide(prepared.ruleset.version):
            found.append(Violation("$.ruleset.version", "this program can no longer play this version of the rules"))
        if prepared.seal != file.seal:
            found.append(Violation("$.seal", "does not fit: somebody has changed the file by hand"))
        wrong = tuple(found)
    if wrong:
        raise Untrusted(name, wrong)
    return prepared


# Players' own files --------------------------------------------------------------------------------------------------


class SeenEntry(Value, omit_defaults=True):
    """An entry as the seat saw it: its number ``n`` in the ``log`` and how many ``rows`` it has there, and its ``events``.

    ``turn`` is the turn number that reports named last after it. ``before`` has what was different in the view before it:
    the members that changed, down to ``[value]``, or ``[]`` for one that was not there (``None``: nothing changed). So the
    ``view`` of the file leads back to each earlier one (see ``views_of``).
    """

    n: Count
    turn: Count
    events: tuple[Any, ...] = ()
    before: Any = None
    rows: Count = 1


class SeatFile(Value, kw_only=True):
    """The knowledge that ``seat`` has of a game.

    ``setup`` has the public part of an explicit position, ``chance`` no secret. ``turn``, ``latest`` and ``counting`` are
    the turn numbers that orders may name, ``holders`` the players of the seats. ``view`` is the position as the seat sees
    it, ``pending`` its own pending orders, ``log`` the log as the seat may read it, ``past`` its entries with what leads
    back from ``view`` to the positions that the seat has seen. Files of version 1.0 have no ``past``.
    """

    id: Name
    ruleset: RulesetRef
    components: ComponentsRef
    chance: ChanceRecord
    promise: Digest | None
    setup: Setup
    seat: Seat
    turn: Count
    latest: Count
    counting: tuple[Count, ...]
    languages: tuple[Name, ...]
    holders: Mapping[Seat, str]
    head: Head | None
    pending: tuple[PendingSheet, ...]
    log: tuple[LogRow, ...]
    view: Any
    past: tuple[SeenEntry, ...] = ()


class _Written(SeatFile, Generic[SetupT], kw_only=True):
    """The same as JSON, with a tag, and a ``seal`` over all of it."""

    seat_file: Literal[1, 2]
    setup: SetupT  # type: ignore[assignment]
    seal: Digest


def is_seat_file(data: bytes) -> bool:
    """Return whether ``data``, the bytes of a file, has the key that marks a player's own file.

    Inside it, the word may be the name of a seat. A file that cannot be read is refused as either kind.
    """
    if f'"{_SEAT_FILE}"'.encode() not in data:
        return False
    try:
        document = parse("", data)[1]
    except FileProblem:
        return True
    return isinstance(document, dict) and _SEAT_FILE in document


def dump_seat_file(rules: AnyRules, file: SeatFile) -> bytes:
    """Return the bytes of ``file``."""
    document = {_SEAT_FILE: _FORM, **asdict(file)}
    if is_shipped(rules, file.components):
        document["setup"] = replace(file.setup, components=None)
    return _sealed(document, _seat_seal(document))


def load_seat_file(name: str, data: bytes) -> tuple[Ruleset, SeatFile]:
    """Return the rules of the game and the contents of the player's file ``name``. Raises ``Untrusted``."""
    data, document = parse(name, data)
    if not isinstance(document, dict) or _SEAT_FILE not in document or "ruleset" not in document:
        raise Untrusted(name, [Violation("$", "this is not a player's own file")])
    if document[_SEAT_FILE] not in (1, _FORM):
        words = "install a newer adjudicator: this program does not know the form of this file"
        raise Untrusted(name, [Violation(f"$.{_SEAT_FILE}", words)])
    rules = ruleset_of(name, document)
    seal = document.pop("seal", None)
    if seal != _seat_seal(document):
        words = "does not fit: the file was changed by hand, or damaged in transit"
        raise Untrusted(name, [Violation("$.seal", words)])
    try:
        file: _Written = typed.read(typed_as(_Written, setup_type(rules.types)), data)
    except typed.Misfit as misfit:
        raise Untrusted(name, [misfit.violation]) from None
    seen, wrong = resolve(SeatFile, rules, file)
    try:
        view = view_of(rules.types.state, file.view)
    except (TypeError, ValueError):
        view, wrong = None, wrong or (Violation("$.view", f"is not a position of {rules.meta.name}"),)
    if not wrong and file.seat not in file.setup.seats:
        wrong = (Violation("$.seat", "is not a seat of this game"),)
    if not wrong and file.past:
        # Only skipped orders have the number of the entry before them.
        logged = [(n, len([*rows])) for (n, _), rows in groupby(file.log, lambda row: (row.n, row.skipped))]
        numbers = [entry.n for entry in file.past]
        has_gaps = numbers[0] != 0 or any(after - n not in (0, 1) for n, after in pairwise(numbers))
        if has_gaps or logged != [(entry.n, entry.rows) for entry in file.past]:
            wrong = (Violation("$.past", "must have the entries of the log, numbered from 0 without gaps"),)
    if wrong:
        raise Untrusted(name, wrong)
    return rules, replace(seen, view=view)


def way_back(before: Any, after: Any) -> Any:
    """Return what leads from the plain JSON ``after`` back to ``before`` (see ``SeenEntry``)."""
    if isinstance(before, dict) and isinstance(after, dict):
        changed = (name for name in before if name not in after or before[name] != after[name])
        return {name: [] for name in after.keys() - before.keys()} | {
            name: way_back(before[name], after.get(name)) for name in changed
        }
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after) and dict in map(type, before):
        pairs = enumerate(zip(before, after, strict=True))
        return {str(at): way_back(old, new) for at, (old, new) in pairs if old != new}
    return [before]


def _led_back(way: Any, after: Any) -> Any:
    """Return the plain JSON to which the ``way`` leads from ``after``."""
    if isinstance(way, list):
        return way[0]
    led: Any = after.copy()
    for name, inner in way.items():
        at = name if isinstance(led, dict) else int(name)
        if inner == []:
            del led[at]
        else:
            led[at] = _led_back(inner, led[at] if isinstance(led, list) else led.get(at))
    return led


def past_of(rules: AnyRules, file: SeatFile) -> Iterator[tuple[SeenEntry, tuple[Any, ...], Any]]:
    """Yield the entries of the ``past`` of ``file`` with their events, and the view after each as plain JSON.

    Raises ``Untrusted`` for a past that somebody has written.
    """
    views = [json_value(file.view)]
    kinds = (*rules.types.events, *(AmendedSeen if one is Amended else one for one in OUTSIDE))
    event: Any = Union[kinds]  # noqa: UP007
    with trusted_past():
        for entry in reversed(file.past[1:]):
            views.append(views[-1] if entry.before is None else _led_back(entry.before, views[-1]))
        for entry in file.past:
            events = tuple(view_of(event, one) for one in entry.events)
            if not all(isinstance(one, Value) for one in events):
                raise TypeError("an event that no game has")
            yield entry, events, views.pop()


@contextmanager
def trusted_past() -> Iterator[None]:
    """Raise ``Untrusted`` if the block fails over the past of a player's own file: no audit could find the place."""
    try:
        yield
    except FileProblem:
        raise
    except Exception as error:
        cause = f"somebody has changed it, or this is a bug ({type(error).__name__}: {error})"
        raise Untrusted("the file", [Violation("$.past", f"the rules cannot follow the past: {cause}")]) from error


def view_of(hint: Any, value: Any) -> Any:
    """Return the view of a seat in the plain JSON ``value``: a state of the type ``hint``, with placeholders.

    Every marked field may have a placeholder. Raises ``TypeError`` or ``ValueError`` if the JSON is not such a view.
    """
    while isinstance(hint, NewType) or get_origin(hint) is Annotated:
        hint = hint.__supertype__ if isinstance(hint, NewType) else get_args(hint)[0]
    inner = get_args(hint)
    if isinstance(value, list) and get_origin(hint) is tuple and inner[1:] == (...,):
        return tuple(view_of(inner[0], item) for item in value)
    if value is None and NoneType in inner:
        return None
    if not isinstance(value, dict):
        return typed.convert(hint, value)
    if get_origin(hint) in (Union, UnionType):
        for kind in inner:  # the class with the tag of the value, or without a tag, with its fields
            is_class = isinstance(kind, type) and issubclass(kind, Value)
            if is_class and (
                value.get("kind") == kind.kind if issubclass(kind, Tagged) else value.keys() == hints_of(kind).keys()
            ):
                return view_of(kind, value)
        return typed.convert(dict, value)
    if not (isinstance(hint, type) and issubclass(hint, Value)):
        return typed.convert(hint, value)
    fields, hints = dict[str, Any](), hints_of(hint)
    for name, item in value.items():
        mark = note_in(hints.get(name), Mark)
        if name == "kind" and issubclass(hint, Tagged):
            continue
        if mark in (None, PUBLIC):
            fields[name] = view_of(hints.get(name), item)
            continue
        with suppress(TypeError, ValueError):
            item = view_of(hints.get(name), item)
        fields[name] = _named(item, {} if mark is None or mark.among is None else {one.value: one for one in mark.among})
    return hint(**fields)


def _named(value: Any, members: Mapping[Any, Enum]) -> Any:
    """Return ``value`` with tuples instead of lists, and ``members`` of an enumeration instead of their names."""
    if isinstance(value, (list, tuple)):
        return tuple(_named(item, members) for item in value)
    return members.get(value, value) if isinstance(value, str) else value


def _seat_seal(document: Any) -> str:
    return digest(b"adjudicator seat file\n", canonical_text(document).encode())


def _sealed(document: Mapping[str, Any], seal: str) -> bytes:
    document = {**document, "seal": seal}
    return ("{" + ",\n".join(f'"{name}":{canonical_text(document[name])}' for name in sorted(document)) + "}\n").encode()
