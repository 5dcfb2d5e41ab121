"""The command `verify-chance`: let players check the draws with their logs and the published secret."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from adjudicator.cli.arguments import Json, pairs, players
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin
from adjudicator.cli.output import DONE, PROBLEMS, UNTRUSTED, MisuseError, fail, leave, say, say_json
from adjudicator.cli.progress import progress

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
        from adjudicator.audit import CannotCheckError, NotPromisedError
        from adjudicator.audit.verify_logs import verify_logs
        from adjudicator.reports.cli.published import published_text

        only_one_stdin(*logs, *filter(None, (reveal, components, setup)))
        try:
            with progress("entries checked:") as advance:
                found = verify_logs(
                    logs,
                    reveal,
                    commitments=_hashes(commitment),
                    promises=_hashes(promise),
                    proofs=_hashes(hash_),
                    ruleset=ruleset,
                    players=players(seat or ()),
                    options=pairs(option or (), "an option"),
                    components=components,
                    position=setup,
                    notify=advance,
                )
        except NotPromisedError as error:
            fail(PROBLEMS, "not-promised", str(error), as_json=as_json)
        except CannotCheckError as error:
            raise MisuseError(str(error)) from error
        if as_json:
            say_json(found)
        else:
            say(published_text(found))
        leave(PROBLEMS if found.mismatch else UNTRUSTED if found.unchecked else DONE)


def _hashes(digests: Many) -> tuple[str, ...]:
    """Return the ``digests`` in lower case. Raises ``MisuseError`` for one that is not a hash."""
    for digest in digests or ():
        if not _HASH.fullmatch(digest):
            raise MisuseError(f"write a hash as 64 digits 0–9 and a–f, not “{digest}”")
    return tuple(digest.lower() for digest in digests or ())
