"""A game file as one object, the game it holds, and its bytes: canonical JSON with a line for each journal entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Annotated, Any, Literal

from adjudicator.core.bounds import Ge
from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.chance import ChanceRecord
from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.game import ComponentsRef, Game, PendingSheet, Receipt, RulesetRef, SetAside
from adjudicator.core.ids import Digest, Name
from adjudicator.core.journal import Link, link


@frozen(kw_only=True, per_game=("setup", "journal", "state"))
class GameFile:
    """One game, as JSON.

    ``journal`` lists the accepted orders with their events, each chained to the one before by its hash. ``seal`` is the
    hash over what the chain does not cover. ``setup.components`` is null where the ruleset ships the component set.
    """

    format: Literal[2]
    id: Name
    ruleset: RulesetRef
    components: ComponentsRef
    chance: ChanceRecord
    setup: Any
    journal: Any
    pending: tuple[PendingSheet, ...]
    state: Any
    seal: Digest
    receipts: tuple[Receipt, ...] = added_later(())
    reported: Annotated[int, Ge(0)] = added_later(0)
    set_aside: tuple[SetAside, ...] = added_later(())
    languages: tuple[Name, ...] = added_later(())


@frozen(kw_only=True, per_game=("setup",))
class PreparedFile:
    """One game that has not begun, as JSON.

    Once the words ``are_published`` they stay as they are. ``seal`` is the hash over all of it.
    """

    prepared: Literal[1]
    id: Name
    ruleset: RulesetRef
    components: ComponentsRef
    chance: ChanceRecord
    setup: Any
    are_published: bool
    seal: Digest


def members(file: GameFile) -> dict[str, Any]:
    """Return the members of ``file`` that are written, by name."""
    every = ((field.name, field.default) for field in fields(file))
    return {name: getattr(file, name) for name, default in every if getattr(file, name) != default}


def rechain(game: Game) -> Game:
    """Return ``game`` with new hashes for its heading and its entries."""
    before, links = game.beginning, list[Link]()
    for old in game.journal:
        links.append(link(before, old.entry))
        before = links[-1].hash
    return replace(game, journal=tuple(links))


def assemble(file: GameFile, components: Any) -> Game:
    """Return the game in ``file``, played with ``components``."""
    return Game(
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
