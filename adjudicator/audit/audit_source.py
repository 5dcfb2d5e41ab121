"""Audit one source: read, load and decide it again, and return a verdict whatever it contains."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import Any

from adjudicator.audit.decide import audit_game, fault, with_all_options
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
from adjudicator.store.game_file import load_game
from adjudicator.verdict import NO_GAME, AuditResult, Divergence, Kind, Skipped, Verdict, revised, undecided, verdict


def audit_source(candidate: Candidate, opener: Opener, *, is_impact: bool = False) -> AuditResult:
    """Return the result for ``candidate``; ``is_impact`` decides it by today's rules, whatever its own version."""
    if isinstance(candidate, Unopened):
        name, why, kind = candidate.name, candidate.why, candidate.kind
        return Skipped(name, why or NO_GAME) if kind is None else undecided(name, kind, why)
    data = b""
    try:
        data = opener.read(candidate)
        if is_script(data):  # a game kept by hand: it has every divergence and not only the first
            folder = (
                None if candidate.member is not None or candidate.path == "-" else os.path.dirname(candidate.path) or "."
            )
            found = audit_script(candidate.name, data, folder)
            return revised(found.verdict, further=found.divergences[1:])
        if not candidate.is_named and candidate.name.lower().endswith(TEXT):
            return Skipped(candidate.name)
        return _decided(candidate.name, load_game(data), is_impact=is_impact)
    except CannotRead as error:
        if isinstance(error, NotBegun) and not candidate.is_named:
            return Skipped(candidate.name)
        by = error.ruleset if isinstance(error, NoRules) else ""
        return undecided(candidate.name, Kind.UNREAD, error.words, ruleset=by)
    except Untrusted as error:
        return _rejected(candidate, data, error)
    except Exception as error:  # a bug must not prevent the verdicts on other games
        return verdict(candidate.name, fault(error))


def _decided(name: str, record: Record, *, is_impact: bool) -> Verdict:
    meta, version = ruleset(record.ruleset.id).meta, record.ruleset.version
    about: dict[str, Any] = {"game": record.id, "ruleset": record.ruleset.id}
    if not meta.can_decide(version) and not is_impact:
        words = f"played by version {version} of {meta.id}, which version {meta.version} can no longer decide"
        return undecided(name, Kind.VERSION, words, **about)
    present = replace(record, ruleset=replace(record.ruleset, version=meta.version)) if is_impact else record
    try:
        game = Game.of(with_all_options(present))
    except SetupError as error:
        impossible = Divergence(Kind.SETUP, field="setup", recorded="as it is", recomputed=f"impossible: {error}")
        return verdict(name, impossible, **about)
    except Exception as error:
        return verdict(name, fault(error, meta.id), **about)
    return audit_game(game if is_impact else game.with_record(record), name)


def _rejected(source: Source, data: bytes, error: Untrusted) -> AuditResult:
    """Return the verdict on a rejected file, or skip the file if nothing suggests that it is a game."""
    first, more = error.violations[0], len(error.violations) - 1
    document: Any = None
    if first.message != TOO_DENSE:
        with suppress(ValueError, RecursionError):
            document = json.loads(data)
    said = document if isinstance(document, dict) else {}
    if not source.is_named and document is not None and "journal" not in said and not {"format", "ruleset"} <= said.keys():
        return Skipped(source.name)
    named = said["ruleset"] if isinstance(said.get("ruleset"), dict) else {}
    other = {  # whether another version of the program or the rules wrote it, by the place of what is wrong
        "$.format": type(said.get("format")) is int and 0 < said["format"] != FORMAT,
        "$.ruleset.id": isinstance(named.get("id"), str),
        "$.ruleset.version": type(named.get("version")) is int and named["version"] > 1,
        "$.components.version": bool(said),
    }
    kind = Kind.VERSION if other.get(first.path) else Kind.DAMAGED
    words = first.message + (f" (and {more} more)" if more else "")
    if isinstance(error, RulesetChanged):
        kind, words = Kind.VERSION, f"{first.message}: {error.reason}"
    ids = (text if isinstance(text, str) and len(text) <= 80 else "" for text in (said.get("id"), named.get("id")))
    return undecided(source.name, kind, words, first.place, **dict(zip(("game", "ruleset"), ids, strict=True)))
