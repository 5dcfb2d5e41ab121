"""The quick way to read many game files: it says yes to files exactly as this program writes them, else it does not know.

Where it says yes, the careful way would come to the same game: the file is byte for byte the canonical text of what was
parsed, the same schema holds (checked by jsonschema-rs), the same objects are built, and chain and seal are as exact.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from adjudicator import rulesets
from adjudicator.core.game import FORMAT, Game
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.store import checking, integrity
from adjudicator.store.builder import NotQuickError, game_file_builder
from adjudicator.store.game import assemble
from adjudicator.store.kinds import FileKind
from adjudicator.store.layout import game_text


def load(data: bytes) -> Game | None:
    """Return the game in ``data``, or ``None`` if that is for the careful way to say (always without the extra ``fast``)."""
    try:
        from jsonschema_rs.canonical.json import to_string
    except ImportError:
        return None
    try:
        document = _parse(data)
        rules = _ruleset(document)
        if rules is None or not checking.quick_check(rules.meta, rules.types, FileKind.GAME)(document):
            return None
        entries = [to_string(link["entry"]) for link in document["journal"]]
        hashes = [link["hash"] for link in document["journal"]]
        if game_text(document, zip(entries, hashes, strict=True), to_string).encode() != data:
            return None
        built = game_file_builder(rules.types)(document)
        game = assemble(built, integrity.resolve(rules, built.components, built.setup.components))
    except (ValueError, AssertionError, RecursionError, NotQuickError, integrity.WrongComponents):
        return None
    return game if game.seal == built.seal and _is_coherent(game, entries) else None


def _parse(data: bytes) -> Any:
    # pydantic's reader is a quarter quicker than json's, but loading it takes longer than reading some fifty files.
    quicker = sys.modules.get("pydantic_core")
    return json.loads(data) if quicker is None else quicker.from_json(data)


def _ruleset(document: Any) -> AnyRuleset | None:
    """Return the ruleset that ``document`` names, if it is of this format and the ruleset is not older than the file."""
    named = document.get("ruleset") if isinstance(document, dict) else None
    if not isinstance(named, dict) or document.get("format") != FORMAT or not isinstance(named.get("id"), str):
        return None
    try:
        rules = rulesets.ruleset(named["id"])
    except (rulesets.UnknownRuleset, rulesets.UnusableRuleset):
        return None
    version = named.get("version")
    return rules if isinstance(version, int) and version <= rules.meta.version else None


def _is_coherent(game: Game, entries: list[str]) -> bool:
    """Return whether nothing speaks against ``game``; ``entries`` are the canonical texts of its journal entries."""
    chain = integrity.chain_violations(game, (entry.encode() for entry in entries))
    found = (chain, integrity.chance_violations(game.chance), integrity.numbering_violations(game))
    return not any(violation for violations in found for violation in violations)
