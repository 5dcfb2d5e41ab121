"""Check published logs against the secret of chance."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.values import replace
from adjudicator.library.errors import RequestError

if TYPE_CHECKING:
    from adjudicator.audit.published_logs import PublishedLog
    from adjudicator.audit.published_setup import GameFacts
    from adjudicator.core.game import Record
    from adjudicator.core.ruleset import Player
    from adjudicator.outputs.audits import CheckedLogs

_SECRET: Final = re.compile("[0-9A-Fa-f]{64}")


def verify_logs(
    logs: Iterable[str | Path],
    reveal: str | None = None,
    *,
    commitments: Sequence[str] = (),
    promises: Sequence[str] = (),
    proofs: Sequence[str] = (),
    ruleset: str | None = None,
    players: Sequence[Player] = (),
    options: Mapping[str, str] | None = None,
    components: str | None = None,
    position: str | None = None,
    notify: Callable[[], object] = lambda: None,
) -> CheckedLogs:
    """Check the files ``logs``, which players received, against the secret of chance; return the result.

    ``reveal`` is the secret, or the path of the game file; without it, a log must contain the secret. ``commitments``,
    ``promises`` and ``proofs`` are published hashes. ``ruleset``, ``players`` and ``options`` are for logs that are tables;
    ``components`` and ``position`` are the files of a custom set and of a first position. Each entry that is
    checked calls ``notify``.

    Raises ``NotPromisedError`` if the secret or the set-up is not the published one, ``CannotCheckError`` and
    ``RequestError`` if something is missing, ``FileProblem``.
    """
    from adjudicator.audit.published_logs import read_log
    from adjudicator.audit.published_setup import GameFacts
    from adjudicator.files.reading import read
    from adjudicator.rulesets import ruleset as rules_of
    from adjudicator.store.load import load_components, load_position

    published = [read_log(*read(path)) for path in logs]
    record = _game(reveal)
    secret = _secret(reveal, record, published)
    named = ruleset or next((log.begun.ruleset for log in published if log.begun), None)
    if named is None and (players or options or components or position):
        raise RequestError("use --seat, --option, --components and --setup with --ruleset, which names the game")
    rules: Any = rules_of(named) if named else None
    facts = GameFacts(
        secret=secret,
        ruleset=ruleset,
        players=tuple(players),
        options=dict(options or {}),
        components=load_components(components, rules) if components else None,
        position=load_position(position, rules) if position else None,
        commitments=tuple(commitments),
        promises=tuple(promises),
    )
    return _checked(published, facts, record, proofs, notify)


def _game(reveal: str | None) -> Record | None:
    """Return the game in the file ``reveal``, ``None`` if ``reveal`` is the secret."""
    from adjudicator.store.load import load_game

    if reveal is None or _SECRET.fullmatch(reveal):
        return None
    if not os.path.exists(reveal) and reveal != "-":
        raise RequestError(
            f"give --reveal a game file or 64 digits 0–9 and a–f: “{reveal}” is not a secret, and no file has this name"
        )
    return load_game(reveal)


def _secret(reveal: str | None, record: Record | None, logs: Iterable[PublishedLog]) -> str:
    if record is not None:
        if record.chance.secret is None:
            raise RequestError("this game file has no secret: people drew the outcomes, or somebody removed the secret")
        return record.chance.secret
    found = reveal.lower() if reveal else next((log.secret for log in logs if log.secret), None)
    if found is None:
        raise RequestError(
            "give the secret of chance with --reveal, once the moderator has published it: no log contains it"
        )
    return found


def _checked(
    logs: Sequence[PublishedLog],
    said: GameFacts,
    record: Record | None,
    hashes: Sequence[str],
    notify: Callable[[], object],
) -> CheckedLogs:
    """Return the result for the ``logs``: decided again, or compared with the published ``record`` after its audit."""
    from adjudicator.audit.decide import audit_game
    from adjudicator.audit.published import check_published
    from adjudicator.audit.published_setup import CannotCheckError, NotPromisedError, published_session
    from adjudicator.core.chance import proof_maker
    from adjudicator.core.problem import EngineFaultError
    from adjudicator.library.game import Game
    from adjudicator.reports.cli.audits import divergence_text
    from adjudicator.verdict import Kind

    if record is None:
        if hashes:
            raise CannotCheckError("name the game file with --reveal: --hash searches for a proof in it")
        return check_published(published_session(logs, said), logs, notify=notify)
    prove = proof_maker(record.chance.secret)
    known = {digest for link in record.journal for digest in (prove(link), link.hash)}
    missing = [digest for digest in hashes if digest not in known]
    if missing:
        raise NotPromisedError(f"no entry of the game file has the proof {missing[0]}")
    game = Game.of(record)
    verdict = audit_game(game, notify=notify)
    if verdict.divergence is not None and verdict.divergence.kind is Kind.FAULT:
        raise EngineFaultError(divergence_text(verdict.divergence), verdict.ruleset)
    if verdict.divergence is not None:
        raise NotPromisedError(f"the game file contradicts the rules: {divergence_text(verdict.divergence)}")
    for name, published in (("commitment", said.commitments), ("promise", said.promises)):
        right = getattr(record if name == "promise" else record.chance, name)
        for other in (*published, *(getattr(log, name) for log in logs)):
            if other not in (None, right):
                raise NotPromisedError(f"the {name} of the game file is {right}, but {other} was published")
    begun = game.with_record(replace(record, journal=(), pending=(), state=None))
    return check_published(begun, logs, [link.entry for link in record.journal], notify)
