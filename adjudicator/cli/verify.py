"""The command `verify-chance`: let players check the draws with their logs and the published secret."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.arguments import Json, pairs, players
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin
from adjudicator.cli.output import DONE, PROBLEMS, UNTRUSTED, MisuseError, fail, leave, say, say_json

if TYPE_CHECKING:
    from adjudicator.audit.published_logs import PublishedLog
    from adjudicator.audit.published_setup import GameFacts
    from adjudicator.core.game import Game
    from adjudicator.outputs.audits import CheckedLogs

_HASH = re.compile("[0-9A-Fa-f]{64}")
Many = list[str] | None
Logs = Annotated[
    list[str],
    typer.Argument(
        metavar="LOG...", help="the logs that you received, from `log --json` or `log --events`", show_default=False
    ),
]


def verify_chance(
    logs: Logs,
    reveal: Annotated[
        str | None,
        typer.Option(
            "--reveal", metavar="SECRET|FILE", help="the secret, or the game file; without it, a log must contain it"
        ),
    ] = None,
    commitment: Annotated[
        Many, typer.Option("--commitment", metavar="HASH", help="the commitment that was published [repeatable]")
    ] = None,
    promise: Annotated[
        Many, typer.Option("--promise", metavar="HASH", help="the promise that was published [repeatable]")
    ] = None,
    hash_: Annotated[
        Many,
        typer.Option("--hash", metavar="HASH", help="a proof from a head, to find in the game file [repeatable]"),
    ] = None,
    ruleset: Annotated[str | None, typer.Option(metavar="RULESET", help="for logs without --json: the game")] = None,
    seat: Annotated[
        Many, typer.Option("--seat", metavar="SEAT[=NAME]", help="for logs without --json: the seats in order [repeatable]")
    ] = None,
    option: Annotated[
        Many, typer.Option("--option", metavar="NAME=VALUE", help="for logs without --json: an option [repeatable]")
    ] = None,
    components: Annotated[str | None, typer.Option(metavar="FILE", help="the moderator's own component set")] = None,
    setup: Annotated[str | None, typer.Option(metavar="FILE", help="the file with the first position")] = None,
    as_json: Json = False,
) -> None:
    """Check published logs against the secret of chance.

    The program decides the game again from its set-up and compares every log with it. You get the first contradiction, and
    a list of what could not be checked and why. Give the public log and your own log; with more logs the program can check
    more.

    Examples:
      adjudicator verify-chance public.jsonl red.jsonl --reveal 0f0f…
      adjudicator verify-chance public.txt --ruleset checkpoint-rally --seat red

    Exit codes: 0 the logs are right, 1 a contradiction, 3 no contradiction, but only a part could be checked.
    """
    with explained(as_json=as_json):
        from adjudicator.audit.published_setup import CannotCheckError, NotPromisedError
        from adjudicator.reports.published import published_text

        only_one_stdin(*logs, *filter(None, (reveal, components, setup)))
        hashes = [_hashes(digests) for digests in (commitment, promise, hash_)]
        read = _read_logs(logs)
        game = _game(reveal)
        secret = _secret(reveal, game, read)
        said = _said(read, secret, ruleset, seat, option, components, setup, hashes[0], hashes[1])
        try:
            found = _checked(read, said, game, hashes[2])
        except NotPromisedError as error:
            fail(PROBLEMS, "not-promised", str(error), as_json=as_json)
        except CannotCheckError as error:
            raise MisuseError(str(error)) from error
        if as_json:
            say_json(found)
        else:
            say(published_text(found))
        leave(PROBLEMS if found.mismatch else UNTRUSTED if found.unchecked else DONE)


def _read_logs(paths: list[str]) -> list[PublishedLog]:
    from adjudicator.audit.published_logs import read_log
    from adjudicator.store.reading import read

    return [read_log(*read(path)) for path in paths]


def _game(reveal: str | None) -> Game | None:
    """Return the game in the file ``reveal``, ``None`` if ``reveal`` is the secret."""
    from adjudicator.store.load import load_game

    if reveal is None or _HASH.fullmatch(reveal):
        return None
    if not os.path.exists(reveal) and reveal != "-":
        raise MisuseError(
            f"give --reveal a game file or 64 digits 0–9 and a–f: “{reveal}” is not a secret, and no file has this name"
        )
    return load_game(reveal)


def _secret(reveal: str | None, game: Game | None, logs: list[PublishedLog]) -> str:
    if game is not None:
        if game.chance.secret is None:
            raise MisuseError("this game file has no secret: people drew the outcomes, or somebody removed the secret")
        return game.chance.secret
    found = reveal.lower() if reveal else next((log.secret for log in logs if log.secret), None)
    if found is None:
        raise MisuseError("give the secret of chance with --reveal, once the moderator has published it: no log contains it")
    return found


def _said(
    logs: list[PublishedLog],
    secret: str,
    ruleset: str | None,
    seat: Many,
    option: Many,
    components: str | None,
    setup: str | None,
    commitments: tuple[str, ...],
    promises: tuple[str, ...],
) -> GameFacts:
    from adjudicator import rulesets
    from adjudicator.audit.published_setup import GameFacts
    from adjudicator.store.load import load_components, load_position

    named = ruleset or next((log.begun.ruleset for log in logs if log.begun), None)
    if named is None and (seat or option or components or setup):
        raise MisuseError("use --seat, --option, --components and --setup with --ruleset, which names the game")
    rules: Any = rulesets.ruleset(named) if named else None
    return GameFacts(
        secret=secret,
        ruleset=ruleset,
        players=players(seat or ()),
        options=pairs(option or (), "an option"),
        components=load_components(components, rules) if components else None,
        position=load_position(setup, rules) if setup else None,
        commitments=commitments,
        promises=promises,
    )


def _checked(logs: list[PublishedLog], said: GameFacts, game: Game | None, hashes: tuple[str, ...]) -> CheckedLogs:
    """Return the result for the ``logs``: decided again, or compared with the published ``game`` after its audit."""
    from dataclasses import replace

    from adjudicator.audit.decide import audit_game
    from adjudicator.audit.published import check_published
    from adjudicator.audit.published_setup import CannotCheckError, NotPromisedError, published_session
    from adjudicator.core.head import proof_maker
    from adjudicator.core.journal import Journal
    from adjudicator.core.step import EngineFaultError
    from adjudicator.reports.audits import divergence_text
    from adjudicator.session import open_session
    from adjudicator.verdict import Kind

    if game is None:
        if hashes:
            raise CannotCheckError("name the game file with --reveal: --hash searches for a proof in it")
        return check_published(published_session(logs, said), logs)
    prove = proof_maker(game.chance.secret)
    known = {digest for link in game.journal for digest in (prove(link), link.hash)}
    missing = [digest for digest in hashes if digest not in known]
    if missing:
        raise NotPromisedError(f"no entry of the game file has the proof {missing[0]}")
    session = open_session(game)
    verdict = audit_game(session)
    if verdict.divergence is not None and verdict.divergence.kind is Kind.FAULT:
        raise EngineFaultError(divergence_text(verdict.divergence), verdict.ruleset)
    if verdict.divergence is not None:
        raise NotPromisedError(f"the game file contradicts the rules: {divergence_text(verdict.divergence)}")
    for name, published in (("commitment", said.commitments), ("promise", said.promises)):
        right = getattr(game if name == "promise" else game.chance, name)
        for other in (*published, *(getattr(log, name) for log in logs)):
            if other not in (None, right):
                raise NotPromisedError(f"the {name} of the game file is {right}, but {other} was published")
    begun = session.with_game(replace(game, journal=Journal(), pending=(), state=None))
    return check_published(begun, logs, [link.entry for link in game.journal])


def _hashes(digests: Many) -> tuple[str, ...]:
    """Return the ``digests`` in lower case. Raises ``MisuseError`` for one that is not a hash."""
    for digest in digests or ():
        if not _HASH.fullmatch(digest):
            raise MisuseError(f"write a hash as 64 digits 0–9 and a–f, not “{digest}”")
    return tuple(digest.lower() for digest in digests or ())
