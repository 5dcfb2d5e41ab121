"""The command `verify-chance`: for players, who have the logs and, at the end, the secret."""

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
    from adjudicator.audit.published_setup import Said
    from adjudicator.core.game import Game
    from adjudicator.outputs.audits import CheckedLogs

_HASH = re.compile("[0-9A-Fa-f]{64}")
Many = list[str] | None
Logs = Annotated[
    list[str],
    typer.Argument(
        metavar="LOG...", help="logs as they were sent: of `log --json`, or of `log --events`", show_default=False
    ),
]


def verify_chance(
    logs: Logs,
    reveal: Annotated[
        str | None, typer.Option("--reveal", metavar="SECRET|FILE", help="the secret, or the game file; else a log tells it")
    ] = None,
    commitment: Annotated[Many, typer.Option("--commitment", metavar="HASH", help="as published [repeatable]")] = None,
    promise: Annotated[Many, typer.Option("--promise", metavar="HASH", help="as published [repeatable]")] = None,
    hash_: Annotated[
        Many,
        typer.Option("--hash", metavar="HASH", help="the proof of an entry, as a head has it; it is looked up [repeatable]"),
    ] = None,
    ruleset: Annotated[str | None, typer.Option(metavar="RULESET", help="for logs without --json: what was played")] = None,
    seat: Annotated[
        Many, typer.Option("--seat", metavar="SEAT[=NAME]", help="likewise: the seats in order [repeatable]")
    ] = None,
    option: Annotated[Many, typer.Option("--option", metavar="KEY=VALUE", help="likewise: an option [repeatable]")] = None,
    components: Annotated[str | None, typer.Option(metavar="FILE", help="a component set of the moderator's own")] = None,
    setup: Annotated[str | None, typer.Option(metavar="FILE", help="the explicit position that the game began from")] = None,
    as_json: Json = False,
) -> None:
    """Check published logs against the secret of chance.

    The game is decided again from its set-up on, and every log is compared with it: the first thing that does not fit is
    told, and what could not be checked, and why. Give the public log and your own; the more logs, the more can be checked.

    Examples:
      adjudicator verify-chance public.jsonl red.jsonl --reveal 0f0f…
      adjudicator verify-chance public.txt --ruleset checkpoint-rally --seat red

    Exit codes: 0 all fits, 1 something does not, 3 what fits could be checked only in part.
    """
    with explained(as_json=as_json):
        from adjudicator.audit.published_setup import CannotCheckError, NotPromisedError
        from adjudicator.reports.published import published_text

        only_one_stdin(*logs, *filter(None, (reveal, components, setup)))
        hashes = [_hashes(given) for given in (commitment, promise, hash_)]
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
    """Return the game in the file ``reveal``, ``None`` if it is no file but the secret."""
    from adjudicator.store.load import load_game

    if reveal is None or _HASH.fullmatch(reveal):
        return None
    if not os.path.exists(reveal) and reveal != "-":
        raise MisuseError(f"--reveal takes 64 hexadecimal digits or a game file; there is no file “{reveal}”")
    return load_game(reveal, bulk=True)


def _secret(reveal: str | None, game: Game | None, logs: list[PublishedLog]) -> str:
    if game is not None:
        if game.chance.secret is None:
            raise MisuseError("this game file has no secret: its chance is recorded, or the secret was taken out")
        return game.chance.secret
    found = reveal.lower() if reveal else next((log.secret for log in logs if log.secret), None)
    if found is None:
        raise MisuseError("no log tells the secret of chance: give it with --reveal, once the moderator has published it")
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
) -> Said:
    from adjudicator import rulesets
    from adjudicator.audit.published_setup import Said
    from adjudicator.store.load import load_components, load_position

    named = ruleset or next((log.begun.ruleset for log in logs if log.begun), None)
    if named is None and (seat or option or components or setup):
        raise MisuseError("--seat, --option, --components and --setup go with --ruleset, which says what was played")
    rules: Any = rulesets.ruleset(named) if named else None
    return Said(
        secret=secret,
        ruleset=ruleset,
        players=players(seat or ()),
        options=pairs(option or (), "an option"),
        components=load_components(components, rules) if components else None,
        position=load_position(setup, rules) if setup else None,
        commitments=commitments,
        promises=promises,
    )


def _checked(logs: list[PublishedLog], said: Said, game: Game | None, hashes: tuple[str, ...]) -> CheckedLogs:
    """Return what comes of the ``logs``: decided again, or held against the ``game`` that was published, once audited."""
    from dataclasses import replace

    from adjudicator.audit.decide import audit_game
    from adjudicator.audit.published import check_published
    from adjudicator.audit.published_setup import CannotCheckError, NotPromisedError, published_session
    from adjudicator.core.head import proof_maker
    from adjudicator.core.journal import Journal
    from adjudicator.core.step import EngineFaultError
    from adjudicator.reports.audit import divergence_text
    from adjudicator.reports.verdict import Kind
    from adjudicator.session import open_session

    if game is None:
        if hashes:
            raise CannotCheckError("a proof of an entry can be looked for only in the game file: give it with --reveal")
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
        raise NotPromisedError(f"the game file is not as the rules have it: {divergence_text(verdict.divergence)}")
    for name, published in (("commitment", said.commitments), ("promise", said.promises)):
        right = getattr(game if name == "promise" else game.chance, name)
        told = (*published, *(getattr(log, name) for log in logs))
        for other in told:
            if other not in (None, right):
                raise NotPromisedError(f"the {name} of the game file is {right}, published was {other}")
    begun = session.with_game(replace(game, journal=Journal(), pending=(), state=None))
    return check_published(begun, logs, [link.entry for link in game.journal])


def _hashes(given: Many) -> tuple[str, ...]:
    for digest in given or ():
        if not _HASH.fullmatch(digest):
            raise MisuseError(f"a hash is 64 hexadecimal digits; “{digest}” is not")
    return tuple(digest.lower() for digest in given or ())
