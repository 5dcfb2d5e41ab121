"""The quick way to read many game files: it says yes to files exactly as this program writes them, else it does not know.

Where it says yes, the careful way would come to the same game: the file is byte for byte the canonical text of what was
parsed, the same schema holds (checked by jsonschema-rs), the same classes are built, and chain and seal are as exact.
"""

from __future__ import annotations

from typing import Any

from adjudicator import rulesets
from adjudicator.core.game import FORMAT, Game
from adjudicator.core.plain import canonical_text, digest
from adjudicator.core.ruleset import Ruleset
from adjudicator.store import integrity
from adjudicator.store.game import GameFile, assemble
from adjudicator.store.layout import game_text


def load(data: bytes) -> Game | None:
    """Return the game in ``data``, or ``None`` if that is for the careful way to say (always without the extra ``fast``)."""
    try:
        from jsonschema_rs.canonical.json import to_string
    except ImportError:
        return None
    from pydantic_core import from_json

    from adjudicator.store import adapters, checking

    try:
        document = from_json(data)
        rules = _ruleset(document)
        if rules is None or not checking.quick_check(rules)(document):
            return None
        entries = [to_string(link["entry"]) for link in document["journal"]]
        if game_text(document, entries, to_string).encode() != data:
            return None
        built = adapters.plain_builder(rules.types).validate_python(document)
        game = assemble(built, integrity.resolve(rules, built.components, built.setup.components))
    except (ValueError, integrity.WrongComponents):  # pydantic's errors, too, are of this kind
        return None
    return game if _is_coherent(game, built, document, entries) else None


def _ruleset(document: Any) -> Ruleset[Any, Any, Any] | None:
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


def _is_coherent(game: Game, built: GameFile, document: dict[str, Any], entries: list[str]) -> bool:
    """Return whether nothing speaks against ``game``; ``entries`` are the canonical texts of its journal entries."""
    # What Game.seal would encode is at hand as plain values: the same bytes, without making them plain again.
    rest = canonical_text([game.chance.secret, document["pending"], document["state"]])
    if digest(game.head.encode(), rest.encode()) != built.seal:
        return False
    chain = integrity.chain_violations(game, (entry.encode() for entry in entries))
    found = (chain, integrity.chance_violations(game.chance), integrity.numbering_violations(game))
    return not any(violation for violations in found for violation in violations)
