"""The commands that do rounds, `club run`, `club serve` and `club receive`: a round with nothing new loads little."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

from adjudicator.cli.ui import PROBLEMS, MisuseError, Ui, argument, option
from adjudicator.club.club import open_club, read_settings
from adjudicator.club.deadlines import moment
from adjudicator.club.rounds import RoundDone, receive, run, run_once
from adjudicator.files.errors import CannotRead, CannotWrite
from adjudicator.reports.texts import printable

_SHOWN: Final = 20
"""The number of games that a round names; it counts the rest."""
Folder = Annotated[Path, argument(..., "FOLDER", "the folder of the club")]


def club_run(ui: Ui, folder: Folder, once: bool = option(False, "--once", "do one round, then stop")) -> None:
    """Run the club until you stop it.

    A round fetches and answers mails, adjudicates games, sends reports, and reminds players who are late. A terminal shows
    games, deadlines and open matters all the time.

    Examples:
      adjudicator club run thursday
      adjudicator club run thursday --once
    """
    now, is_screen = int(time.time()), ui.width is not None and not ui.as_json
    zone = read_settings(folder).time_zone

    def print_log(done: RoundDone, lines: Iterable[str]) -> None:
        _show_round(ui, done, _log(zone, lines))
        ui.flush()

    if once:
        with ui.progress("working"):
            done, lines = run_once(folder, now)
        _show_round(ui, done, None if is_screen else _log(zone, lines))
    elif not is_screen:
        run(folder, print_log)
    else:
        from rich.live import Live  # only terminals need these
        from rich.text import Text

        from adjudicator.club.status import status, status_text

        with Live(auto_refresh=False) as shown:

            def show_status(done: RoundDone, _lines: Iterable[str]) -> None:
                with suppress(CannotRead, CannotWrite), open_club(folder, int(time.time())) as club:  # the next may succeed
                    last = f"last round {club.moment(club.now)}; Ctrl-C stops the club"
                    text = "\n".join((status_text(status(club), club.moment, ui.width), "", last, *done.troubles))
                    shown.update(Text("\n".join(map(printable, text.split("\n")))), refresh=True)

            run(folder, show_status)


def club_serve(
    ui: Ui,
    folder: Folder,
    port: int = option(8080, "N", "the port on this computer; 0: any free one", min=0, max=65535),
    proxy: bool = option(False, "--proxy", "a web server of yours passes requests on, with X-Forwarded-For"),
) -> None:
    """Run the club, with pages for its members.

    Members log in by a link in a mail. They see their games, send orders from the board or as text, and use the commands
    of mails as forms. Mails stay: each report is also mailed, and each mail also counts. It does rounds until you stop it,
    so `club run` is not needed.

    The pages are for a web server in front of them, which has a certificate; see docs/serve.md.

    Examples:
      adjudicator club serve thursday
      adjudicator club serve thursday --port 8080 --proxy
    """
    try:
        from adjudicator.serve.app import serve
    except ImportError as missing:
        raise MisuseError(f"the pages need the extra `serve`: pip install 'pbem-adjudicator[serve]' ({missing})") from None
    settings = read_settings(folder)
    if proxy and not settings.serve.address:
        raise MisuseError('write the address for members into club.toml: [serve] address = "https://club.example.org"')

    def show(done: RoundDone, lines: Iterable[str]) -> None:
        if log := _log(settings.time_zone, lines):
            ui.say(log)
        for trouble in done.troubles:
            ui.warn(f"adjudicator: {trouble}")
        ui.flush()

    def begun(address: str) -> None:
        public = f"{settings.serve.address}, {'from your web server at' if proxy else 'on this computer'} "
        ui.say(f"the pages of the club: {public if settings.serve.address else ''}{address} (Ctrl-C ends them)")
        ui.flush()

    try:
        serve(folder, port, show, begun, is_behind_proxy=proxy)
    except OSError as error:
        raise MisuseError(f"choose another --port: {port} cannot be used ({error.strerror})") from None


def club_receive(
    ui: Ui,
    folder: Folder,
    mails: list[str] | None = argument(None, "MAIL...", "the files of the mails; without them, standard input"),
) -> None:
    """Take mails as received now, and do a round.

    Examples:
      adjudicator club receive thursday < mail.eml
      adjudicator club receive thursday mail.eml
    """
    ui.guard(mails or ())
    _show_round(ui, receive(folder, mails or ("-",), int(time.time())))


def _log(zone: str, lines: Iterable[str]) -> str:
    return "\n".join(f"{moment(int(time.time()), zone)}  {printable(line)}" for line in lines)


def _show_round(ui: Ui, done: RoundDone, log: str | None = None) -> None:
    """Print the result of a round: as JSON, as the ``log`` of what was done, or without one the counts."""
    if done.troubles:
        ui.code = PROBLEMS
    if ui.as_json:
        ui.show(done)
        return
    if log:
        ui.say(log)
    elif log is None and (done.fetched or done.gone_on or done.sent or done.later):
        again = f", {done.later} to send later" if done.later else ""
        more = f" and {len(done.gone_on) - _SHOWN:,} more" if len(done.gone_on) > _SHOWN else ""
        games = f"; adjudicated: {', '.join(done.gone_on[:_SHOWN])}{more}" if done.gone_on else ""
        ui.say(f"mails: {done.fetched} fetched, {done.sent} sent{again}{games}")
    for trouble in done.troubles:
        ui.warn(f"adjudicator: {trouble}")
