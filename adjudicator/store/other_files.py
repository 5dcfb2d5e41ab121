"""Read and write the other files of a game: prepared games, players' own files, component sets and positions.

The first two are sealed: canonical JSON with a line for each member, a tag that says what the file is, and a hash over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Generic, Literal

from adjudicator.core.chance import ChanceRecord, Head
from adjudicator.core.game import PREPARED, ComponentsRef, PendingSheet, PreparedGame, RulesetRef
from adjudicator.core.problem import Violation
from adjudicator.core.rules import AnyRules, Ruleset
from adjudicator.core.ruleset import Setup
from adjudicator.core.values import Count, Digest, Name, Seat, Value, canonical_text, digest, replace
from adjudicator.files import typed
from adjudicator.files.errors import CannotRead, FileProblem, Untrusted
from adjudicator.files.reading import Source, parse, read
from adjudicator.results import LogRow
from adjudicator.store.components import is_shipped
from adjudicator.store.game_file import build, chance_violations, resolve, ruleset_of, setup_to_write
from adjudicator.store.kinds import FileKind, PreparedFile, SetupT, setup_type, typed_as
from adjudicator.store.views import view_of

_SEAT_FILE: Final = "seat_file"
"""The key that marks a player's own file; its value is the number of the file's form."""


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


# Prepared games ------------------------------------------------------------------------------------------------------


def dump_prepared(prepared: PreparedGame) -> bytes:
    """Return the bytes of the file of ``prepared``."""
    fields = {name: getattr(prepared, name) for name in PreparedGame.__struct_fields__}
    return _sealed({**fields, "prepared": PREPARED, "setup": setup_to_write(prepared)}, prepared.seal)


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
    components, wrong = resolve(rules, file.components, file.setup.components)
    fields = {field: getattr(file, field) for field in PreparedGame.__struct_fields__}
    prepared = PreparedGame(**{**fields, "setup": replace(file.setup, components=components)})
    wrong = wrong or tuple(_incoherences(rules, prepared, file.seal))
    if wrong:
        raise Untrusted(name, wrong)
    return prepared


def _incoherences(rules: AnyRules, prepared: PreparedGame, seal: str) -> Iterator[Violation]:
    """Yield the contradictions in ``prepared``: somebody who could change the file could choose the deal."""
    chance, seats = prepared.chance, prepared.setup.seats
    yield from chance_violations(chance)
    if not chance.promised or chance.secret is None:
        yield Violation("$.chance", "must be promised, and contain the secret")
    if not set(chance.entropy) <= set(seats) or len(set(seats)) != len(seats):
        yield Violation("$.chance.entropy", f"must contain words only of the seats {' '.join(dict.fromkeys(seats))}")
    if chance.without != (prepared.silent if prepared.are_published else ()):
        yield Violation("$.chance.without", "must name the seats that sent no word, once the words are published")
    if not rules.meta.can_decide(prepared.ruleset.version):
        yield Violation("$.ruleset.version", "this program can no longer play this version of the rules")
    if prepared.seal != seal:
        yield Violation("$.seal", "does not fit: somebody has changed the file by hand")


# Players' own files --------------------------------------------------------------------------------------------------


class SeatFile(Value, kw_only=True):
    """The knowledge that ``seat`` has of a game.

    ``setup`` has no explicit position, ``chance`` no secret. ``turn``, ``latest`` and ``counting`` are the turn numbers that
    orders may name, ``holders`` the players of the seats. ``view`` is the position as the seat sees it, ``pending`` its own
    pending orders, ``log`` the log as the seat may read it.
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


class _Written(SeatFile, Generic[SetupT], kw_only=True):
    """The same as JSON, with a tag, and a ``seal`` over all of it."""

    seat_file: Literal[1]
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
    document = {_SEAT_FILE: 1, **{name: getattr(file, name) for name in SeatFile.__struct_fields__}}
    if is_shipped(rules, file.components):
        document["setup"] = replace(file.setup, components=None)
    return _sealed(document, _seat_seal(document))


def load_seat_file(name: str, data: bytes) -> tuple[Ruleset, SeatFile]:
    """Return the rules of the game and the contents of the player's file ``name``. Raises ``Untrusted``."""
    data, document = parse(name, data)
    if not isinstance(document, dict) or _SEAT_FILE not in document or "ruleset" not in document:
        raise Untrusted(name, [Violation("$", "this is not a player's own file")])
    if document[_SEAT_FILE] != 1:
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
    components, wrong = resolve(rules, file.components, file.setup.components)
    try:
        view = view_of(rules.types.state, file.view)
    except (TypeError, ValueError):
        view, wrong = None, wrong or (Violation("$.view", f"is not a position of {rules.meta.name}"),)
    if not wrong and file.seat not in file.setup.seats:
        wrong = (Violation("$.seat", "is not a seat of this game"),)
    if wrong:
        raise Untrusted(name, wrong)
    fields = {field: getattr(file, field) for field in SeatFile.__struct_fields__}
    setup = replace(file.setup, components=components, position=None)
    return rules, SeatFile(**{**fields, "setup": setup, "view": view})


def _seat_seal(document: Any) -> str:
    return digest(b"adjudicator seat file\n", canonical_text(document).encode())


def _sealed(document: Mapping[str, Any], seal: str) -> bytes:
    document = {**document, "seal": seal}
    return ("{" + ",\n".join(f'"{name}":{canonical_text(document[name])}' for name in sorted(document)) + "}\n").encode()
