"""Write and read a player's own file of a game: what one seat knows, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic, Literal

from adjudicator.core.chance import ChanceRecord, Head
from adjudicator.core.game import ComponentsRef, PendingSheet, RulesetRef
from adjudicator.core.rules import AnyRules, Ruleset
from adjudicator.core.ruleset import Setup
from adjudicator.core.values import Count, Digest, Name, Seat, Value, canonical_text, digest, json_value
from adjudicator.files import typed
from adjudicator.files.errors import Untrusted, Violation
from adjudicator.files.reading import parse
from adjudicator.results import LogRow
from adjudicator.store.components import is_shipped
from adjudicator.store.game import SetupT
from adjudicator.store.integrity import WrongComponents, resolve
from adjudicator.store.kinds import SEAT_FILE, setup_type, typed_as
from adjudicator.store.load import ruleset_of
from adjudicator.store.views import view_of

_WORDS: Final = "this file cannot be trusted"
_BROKEN: Final = Violation("$.seal", "does not fit: the file was changed by hand, or damaged in transit")


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


_FIELDS: Final = SeatFile.__struct_fields__


def dump_seat_file(rules: AnyRules, file: SeatFile) -> bytes:
    """Return the bytes of ``file``: canonical JSON, a line for each top-level name."""
    setup: Any = json_value(file.setup)
    if is_shipped(rules, file.components):
        setup["components"] = None
    document = {SEAT_FILE: 1, **{name: getattr(file, name) for name in _FIELDS}, "setup": setup}
    sealed = {**document, "seal": _seal(json_value(document))}
    lines = (f'"{name}":{canonical_text(sealed[name])}' for name in sorted(sealed))
    return ("{" + ",\n".join(lines) + "}\n").encode()


def load_seat_file(name: str, data: bytes) -> tuple[Ruleset, SeatFile]:
    """Return the rules of the game and the contents of the player's file ``name``. Raises ``Untrusted``."""
    data, document = parse(name, data)
    if not isinstance(document, dict) or SEAT_FILE not in document or "ruleset" not in document:
        raise Untrusted(name, [Violation("$", "this is not a player's own file")])
    if document[SEAT_FILE] != 1:
        words = "install a newer adjudicator: this program does not know the form of this file"
        raise Untrusted(name, [Violation(f"$.{SEAT_FILE}", words)])
    rules = ruleset_of(name, document)
    if document.get("seal") != _seal({key: value for key, value in document.items() if key != "seal"}):
        raise Untrusted(name, [_BROKEN], _WORDS)
    try:
        written: _Written = typed.read(typed_as(_Written, setup_type(rules.types)), data)
        components = resolve(rules, written.components, written.setup.components)
    except typed.Misfit as misfit:
        raise Untrusted(name, [misfit.violation], _WORDS) from None
    except WrongComponents as mistaken:
        raise Untrusted(name, [mistaken.violation]) from None
    try:
        view = view_of(rules.types.state, written.view)
    except (TypeError, ValueError):
        raise Untrusted(name, [Violation("$.view", f"is not a position of {rules.meta.name}")], _WORDS) from None
    if all(player.seat != written.seat for player in written.setup.players):
        raise Untrusted(name, [Violation("$.seat", "is not a seat of this game")], _WORDS)
    setup = Setup(written.setup.players, written.setup.options, components)
    fields = {field: getattr(written, field) for field in _FIELDS}
    return rules, SeatFile(**{**fields, "setup": setup, "view": view})


def _seal(document: Any) -> str:
    return digest(b"adjudicator seat file\n", canonical_text(document).encode())
