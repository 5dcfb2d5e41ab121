"""Audit one file, whatever is in it: a game, a script, damage, or something else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from adjudicator.audit.decide import audit_game, fault
from adjudicator.audit.published import compare_texts
from adjudicator.audit.published_texts import PublishedText
from adjudicator.audit.texts import divergence_text
from adjudicator.core.game import FORMAT
from adjudicator.core.problem import SetupError, Violation
from adjudicator.core.ruleset import fill_options
from adjudicator.core.values import replace
from adjudicator.files.errors import CannotRead, NoRules, NotBegun, RulesetChanged, Untrusted
from adjudicator.files.reading import TOO_DENSE
from adjudicator.library.game import Game
from adjudicator.rulesets import ruleset
from adjudicator.script.play import audit_script
from adjudicator.script.read import is_script
from adjudicator.store.game_file import load_game
from adjudicator.verdict import AuditResult, Divergence, Kind, Skipped, revised, undecided, verdict

_TEXT: Final = ".txt"
"""The file extension of games kept by hand; other texts in a folder are ignored."""


def audit_bytes(
    data: bytes,
    name: str,
    *,
    is_named: bool = True,
    folder: str | None = None,
    impact: bool = False,
    published: Sequence[PublishedText] = (),
) -> AuditResult:
    """Return the verdict on ``data``, the file ``name``, whatever it contains.

    A file that is no game is ``Skipped``, unless the user has named it (``is_named``). ``folder`` has the files that a
    script names (``None``: it may name none). ``impact`` takes today's rules, whatever the version of the game. It must also
    agree with the ``published`` texts of ``read_published``.
    """
    about = dict[str, Any]()
    try:
        # A game kept by hand has every divergence and not only the first; nothing of it was published.
        if is_script(data) and not published:
            return revised(audit_script(name, data, folder), is_impact=impact)
        if not is_named and name.lower().endswith(_TEXT):
            return Skipped(name)
        record = loaded = load_game(data)
        about = {"game": record.id, "ruleset": record.ruleset.id}
        meta, version = ruleset(record.ruleset.id).meta, record.ruleset.version
        if not meta.can_decide(version) and not impact:
            words = f"played by version {version} of {meta.id}, which version {meta.version} can no longer decide"
            return undecided(name, Kind.VERSION, words, **about)
        if impact:
            record = replace(record, ruleset=replace(record.ruleset, version=meta.version))
        setup = record.setup
        try:  # a file may lack options that have defaults, which the audit reports
            options = fill_options(meta, setup.seats, setup.options, record.ruleset.version)
            game = Game.of(replace(record, setup=replace(setup, options=options)))
        except SetupError as error:
            impossible = Divergence(Kind.SETUP, field="setup", recorded="as it is", recomputed=f"impossible: {error}")
            return revised(verdict(name, impossible, **about), is_impact=impact)
        if not impact:
            game = game.with_record(record)
        found = audit_game(game, name)
        if published:
            found = compare_texts(found, Game.of(loaded) if impact else game, published)
        return revised(found, is_impact=impact)
    except CannotRead as error:
        if isinstance(error, NotBegun) and not is_named:
            return Skipped(name)
        return undecided(name, Kind.UNREAD, error.words, ruleset=error.ruleset if isinstance(error, NoRules) else "")
    except Untrusted as error:
        return _rejected(data, name, is_named, error)
    except Exception as error:  # a bug must not prevent the verdicts on other games
        return verdict(name, fault(error, about.get("ruleset", "")), **about)


def forgery_in(data: bytes, name: str) -> Untrusted | None:
    """Return the forgery or damage that the audit finds in ``data``, the game file ``name``; ``None`` if it finds none.

    An exception of the rules may be a bug, or the fault of a forged file, where schema, chain and seal can fit. A bug that
    also stops the audit proves nothing against the file.
    """
    found = audit_bytes(data, name)
    divergence = None if isinstance(found, Skipped) else found.divergence
    if divergence is None or divergence.kind in (Kind.UNREAD, Kind.VERSION, Kind.FAULT):
        return None
    path = "$" if divergence.n is None else f"$.journal[{divergence.n}]"
    words = "this file cannot be trusted: it contradicts the rules"
    return Untrusted(name, [Violation(path, divergence_text(divergence))], words)


def _rejected(data: bytes, name: str, is_named: bool, error: Untrusted) -> AuditResult:
    """Return the verdict on a rejected file, or skip the file if nothing suggests that it is a game."""
    first, more = error.violations[0], len(error.violations) - 1
    document: Any = None
    if first.message != TOO_DENSE:
        with suppress(ValueError, RecursionError):
            document = json.loads(data)
    said = document if isinstance(document, dict) else {}
    if not is_named and document is not None and "journal" not in said and not {"format", "ruleset"} <= said.keys():
        return Skipped(name)
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
    return undecided(name, kind, words, first.place, **dict(zip(("game", "ruleset"), ids, strict=True)))
