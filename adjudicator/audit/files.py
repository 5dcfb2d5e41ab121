"""Audit files of any kind: games, scripts, folders, archives, URLs, and bytes; many of them in a pool of processes."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from adjudicator.audit.decide import audit_game, fault
from adjudicator.audit.published import compare_texts
from adjudicator.audit.published_texts import PublishedText
from adjudicator.audit.texts import divergence_text
from adjudicator.core.game import FORMAT
from adjudicator.core.problem import SetupError, Violation
from adjudicator.core.ruleset import fill_options
from adjudicator.core.values import Value, replace
from adjudicator.files.errors import CannotRead, NoRules, NotBegun, RulesetChanged, Untrusted
from adjudicator.files.reading import TOO_DENSE
from adjudicator.library.game import Game
from adjudicator.processes import TIMEOUT, Lost, Pool
from adjudicator.rulesets import ruleset
from adjudicator.script.audit import audit_script
from adjudicator.script.read import is_script
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import TEXT, Candidate, Source, Unopened
from adjudicator.sources.find import find_sources
from adjudicator.store.game_file import load_game
from adjudicator.verdict import NO_GAME, AuditResult, Divergence, Kind, Skipped, Verdict, revised, undecided, verdict


class AuditOptions(Value):
    """How games are audited: ``is_impact`` by today's rules, whatever their version, in ``timeout`` seconds each.

    They must also agree with the published ``texts``.
    """

    is_impact: bool = False
    timeout: float = TIMEOUT
    texts: tuple[PublishedText, ...] = ()


USUAL: Final = AuditOptions()
"""How games are usually audited."""


def audit_files(
    paths: str | Path | Iterable[str | Path],
    *,
    jobs: int = 1,
    impact: bool = False,
    timeout: float = TIMEOUT,
    published: Sequence[PublishedText] = (),
) -> Generator[AuditResult, None, None]:
    """Decide each game at ``paths`` again, and yield the verdicts: files, scripts, folders, archives or URLs.

    The order is stable. A file that is no game gives a ``Skipped``, and a damaged file a ``Verdict`` with a divergence, no
    error. Up to ``jobs`` processes decide the games, each within ``timeout`` seconds; with 0 this process decides them, as
    long as it takes. ``impact`` takes today's rules, whatever the version of the game. The first game must also agree with
    the ``published`` texts of ``read_published``.
    """
    named = [str(path) for path in ([paths] if isinstance(paths, (str, Path)) else paths)]
    sources = find_sources(named)
    if published:
        yield from audit_sources(islice(sources, 1), AuditOptions(impact, timeout, tuple(published)), jobs)
    yield from audit_sources(sources, AuditOptions(impact, timeout), jobs)


def audit_sources(
    candidates: Iterable[Candidate], how: AuditOptions = USUAL, jobs: int = 1
) -> Generator[AuditResult, None, None]:
    """Yield the result for each of ``candidates``, in their order, from up to ``jobs`` processes.

    A game that takes too long is not decided. With no ``jobs`` this process decides all, as long as it takes: a browser has
    no other.
    """
    with audit_pool(how, jobs) as pool:
        yield from audit_in(pool, candidates, how)


def audit_pool(how: AuditOptions, jobs: int = 1) -> Pool:
    """Return a pool of processes that audit games."""
    return Pool(partial(audit_source, how, Opener()), jobs, how.timeout)


def audit_in(pool: Pool, candidates: Iterable[Candidate], how: AuditOptions) -> Iterator[AuditResult]:
    """Yield the results of ``audit_sources`` with a pool of ``audit_pool``."""
    for done in pool.run(candidates):
        result: AuditResult | Lost = done.result
        if not isinstance(result, Lost):
            yield result
        elif result.is_late:
            words = f"the rules have not decided it within {how.timeout:g} seconds; a longer `timeout` gives it more time"
            yield undecided(done.task.name, Kind.UNREAD, words)
        else:
            yield undecided(done.task.name, Kind.FAULT, f"its audit {result.words}")


def audit_bytes(data: bytes, name: str) -> AuditResult:
    """Return the verdict on ``data``, the file ``name``, whatever it contains."""
    with Opener() as opener:
        return audit_source(USUAL, opener, Source(name, "-", is_named=True, data=data))


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


def audit_source(how: AuditOptions, opener: Opener, candidate: Candidate) -> AuditResult:
    """Read, load and decide ``candidate`` again, and return the result, whatever it contains."""
    found = _result(how, opener, candidate)
    return revised(found, is_impact=True) if how.is_impact and isinstance(found, Verdict) else found


def _result(how: AuditOptions, opener: Opener, candidate: Candidate) -> AuditResult:
    name, data, about = candidate.name, b"", dict[str, Any]()
    if isinstance(candidate, Unopened):
        kind = candidate.kind
        return Skipped(name, candidate.why or NO_GAME) if kind is None else undecided(name, kind, candidate.why)
    try:
        data = opener.read(candidate)
        # A game kept by hand has every divergence and not only the first; nothing of it was published.
        if is_script(data) and not how.texts:
            is_file = candidate.member is None and candidate.path != "-"
            return audit_script(name, data, (os.path.dirname(candidate.path) or ".") if is_file else None)
        if not candidate.is_named and name.lower().endswith(TEXT):
            return Skipped(name)
        record = loaded = load_game(data)
        about = {"game": record.id, "ruleset": record.ruleset.id}
        meta, version = ruleset(record.ruleset.id).meta, record.ruleset.version
        if not meta.can_decide(version) and not how.is_impact:
            words = f"played by version {version} of {meta.id}, which version {meta.version} can no longer decide"
            return undecided(name, Kind.VERSION, words, **about)
        if how.is_impact:
            record = replace(record, ruleset=replace(record.ruleset, version=meta.version))
        setup = record.setup
        try:  # a file may lack options that have defaults, which the audit reports
            options = fill_options(meta, setup.seats, setup.options, record.ruleset.version)
            game = Game.of(replace(record, setup=replace(setup, options=options)))
        except SetupError as error:
            impossible = Divergence(Kind.SETUP, field="setup", recorded="as it is", recomputed=f"impossible: {error}")
            return verdict(name, impossible, **about)
        if not how.is_impact:
            game = game.with_record(record)
        found = audit_game(game, name)
        return compare_texts(found, Game.of(loaded) if how.is_impact else game, how.texts) if how.texts else found
    except CannotRead as error:
        if isinstance(error, NotBegun) and not candidate.is_named:
            return Skipped(name)
        return undecided(name, Kind.UNREAD, error.words, ruleset=error.ruleset if isinstance(error, NoRules) else "")
    except Untrusted as error:
        return _rejected(candidate, data, error)
    except Exception as error:  # a bug must not prevent the verdicts on other games
        return verdict(name, fault(error, about.get("ruleset", "")), **about)


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
