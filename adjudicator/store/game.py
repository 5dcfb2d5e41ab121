"""A game file as one object, the game it holds, and its bytes: canonical JSON with a line for each journal entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, Literal

from adjudicator.core.chance import ChanceRecord
from adjudicator.core.game import ComponentsRef, PendingSheet, Receipt, Record, RulesetRef, SetAside
from adjudicator.core.journal import Link, link
from adjudicator.core.values import Count, Digest, Name, TypeOf, Value, canonical_bytes, defaults_of, replace

SetupT = TypeOf("SetupT", default=Any)
JournalT = TypeOf("JournalT", default=Any)
StateT = TypeOf("StateT", default=Any)


class GameFile(Value, Generic[SetupT, JournalT, StateT], kw_only=True, omit_defaults=True):
    """One game, as JSON.

    ``journal`` lists the accepted orders with their events, each chained to the one before by its hash. ``seal`` is the
    hash over what the chain does not cover. ``setup.components`` is null where the ruleset ships the component set.
    """

    format: Literal[2]
    id: Name
    ruleset: RulesetRef
    components: ComponentsRef
    chance: ChanceRecord
    setup: SetupT
    journal: JournalT
    pending: tuple[PendingSheet, ...]
    state: StateT
    seal: Digest
    receipts: tuple[Receipt, ...] = ()
    reported: Count = 0
    set_aside: tuple[SetAside, ...] = ()
    languages: tuple[Name, ...] = ()


class PreparedFile(Value, Generic[SetupT], kw_only=True):
    """One game that has not begun, as JSON.

    Once the words ``are_published`` they stay as they are. ``seal`` is the hash over all of it.
    """

    prepared: Literal[1]
    id: Name
    ruleset: RulesetRef
    components: ComponentsRef
    chance: ChanceRecord
    setup: SetupT
    are_published: bool
    seal: Digest


def members(file: GameFile) -> dict[str, Any]:
    """Return the members of ``file`` that are written, by name."""
    usual = defaults_of(type(file))
    every = ((name, getattr(file, name)) for name in file.__struct_fields__)
    return {name: value for name, value in every if name not in usual or value != usual[name]}


def rechain(record: Record) -> Record:
    """Return ``record`` with new hashes for its heading and its entries."""
    before, links = record.beginning, list[Link]()
    for old in record.journal:
        links.append(link(before, old.entry))
        before = links[-1].hash
    return replace(record, journal=tuple(links))


def assemble(file: GameFile, components: Any) -> Record:
    """Return the game in ``file``, played with ``components``."""
    return Record(
        id=file.id,
        ruleset=file.ruleset,
        components=file.components,
        chance=file.chance,
        setup=replace(file.setup, components=components),
        journal=file.journal,
        pending=file.pending,
        state=file.state,
        receipts=file.receipts,
        reported=file.reported,
        set_aside=file.set_aside,
        languages=file.languages,
    )


def game_bytes(document: Mapping[str, Any], links: Iterable[tuple[bytes, str]]) -> bytes:
    """Return the bytes of a game file: without its line ends it is canonical JSON.

    ``document`` has everything in it by name, except its ``journal``; ``links`` are the canonical bytes of the journal's
    entries, each with its hash.
    """
    return b"".join(_pieces(document, links))


def is_laid_out(data: bytes, document: Mapping[str, Any], links: Iterable[tuple[bytes, str]]) -> bool:
    """Return whether ``data`` is what ``game_bytes`` returns, without making a second copy of it."""
    at = 0
    for piece in _pieces(document, links):
        if not data.startswith(piece, at):
            return False
        at += len(piece)
    return at == len(data)


def _pieces(document: Mapping[str, Any], links: Iterable[tuple[bytes, str]]) -> Iterator[bytes]:
    before = b"{"
    for name in sorted({*document, "journal"}):
        yield b'%s"%s":' % (before, name.encode())
        if name == "journal":
            yield from _journal(links)
        else:
            yield canonical_bytes(document[name])
        before = b",\n"
    yield b"}\n"


def _journal(links: Iterable[tuple[bytes, str]]) -> Iterator[bytes]:
    before = b"[\n"
    for entry, hash_ in links:
        yield b'%s{"entry":%s,"hash":"%s"}' % (before, entry, hash_.encode())
        before = b",\n"
    yield b"\n]"
