"""Audit one source: read, load and decide it again, and return a verdict whatever it contains."""

from __future__ import annotations

import json
import os
from typing import Any

from adjudicator.audit.compare import fault
from adjudicator.audit.decide import audit_game, with_all_options
from adjudicator.core.game import FORMAT, Record
from adjudicator.core.problem import SetupError
from adjudicator.core.values import replace
from adjudicator.files.errors import CannotRead, NoRules, NotBegun, RulesetChanged, Untrusted
from adjudicator.files.reading import TOO_DENSE
from adjudicator.library.game import Game
from adjudicator.rulesets import ruleset
from adjudicator.script.audit import audit_script
from adjudicator.script.read import is_script
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import TEXT, Candidate, Source, Unopened
from adjudicator.store.load import load_game
from adjudicator.verdict import AuditResult, Divergence, Kind, Skipped, Verdict


def audit_source(candidate: Candidate, opener: Opener, *, is_impact: bool = False) -> AuditResult:
    """Return the result for ``candidate``; ``is_impact`` decides it by today's rules, whatever its own version."""
    if isinstance(candidate, Unopened):
        name, why, kind = candidate.name, candidate.why, candidate.kind
        return Skipped(name, why) if kind is None else _undecided(name, kind, why)
    try:
        return _audited(candidate, opener, is_impact=is_impact)
    except Exception as error:  # a bug must not prevent the verdicts on other games
        return Verdict(candidate.name, divergence=fault(error))


def _audited(source: Source, opener: Opener, *, is_impact: bool) -> AuditResult:
    data = b""
    try:
        data = opener.read(source)
        return _opened(source, data, is_impact=is_impact)
    except CannotRead as error:
        if isinstance(error, NotBegun) and not source.is_named:
            return Skipped(source.name)
        found = _undecided(source.name, Kind.UNREAD, error.words)
        return replace(found, ruleset=error.ruleset) if isinstance(error, NoRules) else found
    except Untrusted as error:
        return _untrusted(source, data, error)


def _opened(source: Source, data: bytes, *, is_impact: bool) -> AuditResult:
    """Return the verdict on the bytes ``data``. Raises ``CannotRead``, ``Untrusted``."""
    if is_script(data):
        return _scripted(source, data)
    if not source.is_named and source.name.lower().endswith(TEXT):
        return Skipped(source.name)
    return _decided(source, load_game(data), is_impact=is_impact)


def _decided(source: Source, record: Record, *, is_impact: bool) -> Verdict:
    meta = ruleset(record.ruleset.id).meta
    about = Verdict(source.name, record.id, record.ruleset.id)
    if not meta.can_decide(record.ruleset.version) and not is_impact:
        words = f"played by version {record.ruleset.version} of {meta.id}, which version {meta.version} can no longer decide"
        return replace(about, divergence=Divergence(Kind.VERSION, recomputed=words))
    try:
        game = Game.of(_by_the_present_rules(record) if is_impact else with_all_options(record))
    except SetupError as error:
        return replace(
            about, divergence=Divergence(Kind.SETUP, field="setup", recorded="as it is", recomputed=f"impossible: {error}")
        )
    except Exception as error:
        return replace(about, divergence=fault(error, meta.id))
    return audit_game(game if is_impact else game.with_record(record), source.name)


def _scripted(source: Source, data: bytes) -> Verdict:
    """Return the verdict on a game kept by hand, with every divergence and not only the first."""
    folder = None if source.member is not None or source.path == "-" else os.path.dirname(source.path) or "."
    found = audit_script(source.name, data, folder)
    return replace(found.verdict, further=found.divergences[1:])


def _undecided(name: str, kind: Kind, words: str) -> Verdict:
    return Verdict(name, divergence=Divergence(kind, recomputed=words))


def _by_the_present_rules(record: Record) -> Record:
    """Return ``record`` as if it had been begun by the present version of its rules. Raises ``SetupError``."""
    meta = ruleset(record.ruleset.id).meta
    return with_all_options(replace(record, ruleset=replace(record.ruleset, version=meta.version)))


def _untrusted(source: Source, data: bytes, error: Untrusted) -> AuditResult:
    """Return the verdict on a rejected file, or skip the file if nothing suggests that it is a game."""
    document = None if error.violations[0].words == TOO_DENSE else _parsed(data)
    if not source.is_named and document is not None and not _looks_like_a_game(document):
        return Skipped(source.name)
    first = error.violations[0]
    more = len(error.violations) - 1
    if isinstance(error, RulesetChanged):
        kind, words = Kind.VERSION, f"{first.words}: {error.reason}"
    else:
        kind = Kind.VERSION if _is_of_another_version(document, first.path) else Kind.DAMAGED
        words = first.words + (f" (and {more} more)" if more else "")
    name, rules = _called(document)
    divergence = Divergence(kind, field=first.place, recomputed=words)
    return Verdict(source.name, name, rules, divergence=divergence)


def _parsed(data: bytes) -> Any:
    """Return the JSON in ``data``, or ``None`` if it is not JSON."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _looks_like_a_game(document: Any) -> bool:
    return isinstance(document, dict) and ("journal" in document or {"format", "ruleset"} <= document.keys())


def _is_of_another_version(document: Any, path: str) -> bool:
    """Return whether the file was rejected at ``path`` because another version of the program or rules wrote it."""
    if not isinstance(document, dict):
        return False
    named = document.get("ruleset")
    match path:
        case "$.format":
            return type(document["format"]) is int and document["format"] > FORMAT
        case "$.ruleset.id":
            return isinstance(named, dict) and isinstance(named.get("id"), str)
        case "$.ruleset.version":
            return isinstance(named, dict) and type(named.get("version")) is int and named["version"] > 1
        case _:
            return path == "$.components.version"


def _called(document: Any) -> tuple[str, str]:
    """Return the names of game and ruleset in a rejected file, empty where they are missing or too long."""
    if not isinstance(document, dict):
        return "", ""
    named = document.get("ruleset")
    said = (document.get("id"), named.get("id") if isinstance(named, dict) else None)
    name, rules = (text if isinstance(text, str) and len(text) <= 80 else "" for text in said)
    return name, rules
