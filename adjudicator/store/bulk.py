"""Read many game files quickly; files that this program would write differently are left to the careful reader.

A game that this module returns is the one that the careful reader returns: the file is byte for byte the canonical text of
the parsed data, the same schema holds (checked by jsonschema-rs), the same objects are built, and chain and seal fit.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from adjudicator import rulesets
from adjudicator.core.game import FORMAT, ComponentsRef, Game
from adjudicator.core.journal import Journal, Link
from adjudicator.core.ruleset import AnyRuleset, Types
from adjudicator.store import checking, integrity
from adjudicator.store.builder import NotQuickError, components_builder, game_file_builder
from adjudicator.store.components import reference
from adjudicator.store.game import GameFile, assemble, chained_anew
from adjudicator.store.kinds import FileKind
from adjudicator.store.layout import game_text
from adjudicator.store.lines import Lines, lines_of
from adjudicator.store.upcast import UPCASTERS, upcast

_PIECE: Final = 128 * 1024
"""Bytes of a journal to parse at once: plain JSON takes six times as much memory as the file, the game itself twice."""
_SETS: Final = 16
"""The number of a moderator's own component sets that are kept for the next game with the same set."""
_THIS_FORMAT: Final = b'\n"format":%d,\n' % FORMAT
_UNSURE: Final = (ValueError, KeyError, AssertionError, RecursionError, NotQuickError, integrity.WrongComponents)
"""The errors that a file raises if this program would write it differently."""


def load(data: bytes) -> Game | None:
    """Return the game in ``data``, or ``None`` if the careful reader must decide (always without the extra ``fast``)."""
    try:
        lines = lines_of(data) if len(data) > _PIECE else None
        if lines is not None and _THIS_FORMAT in lines.before:
            return _by_pieces(lines)
        found = _checked(data)
        if found is None:
            return None
        rules, document, entries = found
        return _built(rules, document, entries) if document["format"] == FORMAT else _upcast(rules, document)
    except _UNSURE:
        return None


def _by_pieces(lines: Lines) -> Game | None:
    """Return the game in ``lines``, ``None`` if it has any problem."""
    import pydantic_core  # noqa: F401  its reader gives equal texts as one, and `_parse` takes it where it is loaded

    links: list[Link] = []
    for numbers in lines.runs(_PIECE):
        found = load_part(lines.part(numbers))
        if found is None:
            return None
        game, piece, seal = found
        links += piece
    whole = replace(game, journal=Journal(links))
    is_sound = lines.is_chained(whole.beginning) and whole.seal == seal and _is_coherent(whole)
    return whole if is_sound else None


def load_part(data: bytes) -> tuple[Game, Sequence[Link], str] | None:
    """Return the game in ``data`` without its journal, the links in it, and its seal; ``None`` as ``load`` does.

    The links may be only some of a game's entries. So the caller checks the chain, the seal, and what depends on the number
    of entries; all else is checked here.
    """
    try:
        found = _checked(data)
        if found is None or found[1]["format"] != FORMAT:
            return None
        rules, document, _ = found
        built, game = _assembled(rules, document)
        part = replace(game, journal=Journal())
        wrong = any((*integrity.chance_violations(game.chance), *integrity.player_violations(game)))
        return None if wrong else (part, built.journal, built.seal)
    except _UNSURE:
        return None


def _checked(data: bytes) -> tuple[AnyRuleset, Any, list[str]] | None:
    """Return the ruleset of ``data``, its plain JSON after the schema check, and the canonical texts of its entries.

    ``None`` if this program would write the file differently.
    """
    try:
        from jsonschema_rs.canonical.json import to_string
    except ImportError:
        return None
    document = _parse(data)
    rules = _ruleset(document)
    if rules is None or not _check(rules, document["format"])(document):
        return None
    entries = [to_string(link["entry"]) for link in document["journal"]]
    hashes = [link["hash"] for link in document["journal"]]
    is_so = game_text(document, zip(entries, hashes, strict=True), to_string).encode() == data
    return (rules, document, entries) if is_so else None


def _check(rules: AnyRuleset, number: int) -> Callable[[Any], bool]:
    if number == FORMAT:
        return checking.quick_check(rules.meta, rules.types, FileKind.GAME)
    return checking.quick_older_check(rules.meta, number)


def _built(rules: AnyRuleset, document: Any, entries: list[str]) -> Game | None:
    """Return the game in ``document``, ``None`` if it has any problem; ``entries`` are canonical texts."""
    built, game = _assembled(rules, document)
    chain = integrity.chain_violations(game, (entry.encode() for entry in entries))
    return game if game.seal == built.seal and not any(chain) and _is_coherent(game) else None


def _assembled(rules: AnyRuleset, document: Any) -> tuple[GameFile, Game]:
    embedded, its_reference = document["setup"]["components"], None
    if embedded is not None:
        from jsonschema_rs.canonical.json import to_string

        embedded, its_reference = _own_set(rules.types, to_string(embedded))
        document = {**document, "setup": {**document["setup"], "components": None}}
    built = game_file_builder(rules.types)(document)
    return built, assemble(built, integrity.resolve(rules, built.components, embedded, its_reference))


@lru_cache(_SETS)
def _own_set(types: Types, text: str) -> tuple[Any, ComponentsRef]:
    """Return the component set with the canonical ``text``, and its reference: archives repeat the same ones."""
    components = components_builder(types)(json.loads(text))
    return components, reference(components)


def _upcast(rules: AnyRuleset, older: Any) -> Game | None:
    """Return the game in ``older``, which obeys the schema of its format, ``None`` if it has any problem."""
    document, wrong = upcast(older, FORMAT, UPCASTERS, rules, lambda *_: ())
    if wrong or not _check(rules, FORMAT)(document):
        return None
    game = chained_anew(_assembled(rules, document)[1])
    return game if _is_coherent(game) else None


def _parse(data: bytes) -> Any:
    # pydantic's reader is a quarter quicker than json's, but loading it takes longer than reading some fifty files.
    quicker = sys.modules.get("pydantic_core")
    return json.loads(data) if quicker is None else quicker.from_json(data)


def _ruleset(document: Any) -> AnyRuleset | None:
    """Return the ruleset that ``document`` names, if its format is known and the ruleset is not older than the file."""
    named = document.get("ruleset") if isinstance(document, dict) else None
    if not isinstance(named, dict) or not isinstance(named.get("id"), str):
        return None
    if type(document.get("format")) is not int or document["format"] not in (*UPCASTERS, FORMAT):
        return None
    try:
        rules = rulesets.ruleset(named["id"])
    except (rulesets.UnknownRuleset, rulesets.UnusableRuleset):
        return None
    version = named.get("version")
    return rules if isinstance(version, int) and version <= rules.meta.version else None


def _is_coherent(game: Game) -> bool:
    """Return whether ``game`` has no problem outside its chain and its seal."""
    return not any((*integrity.chance_violations(game.chance), *integrity.numbering_violations(game)))
