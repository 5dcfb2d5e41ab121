"""The command `club serve`: the pages of a club for its members."""

from __future__ import annotations

import time
from collections.abc import Iterable

from adjudicator.cli.club_rounds import Folder
from adjudicator.cli.ui import MisuseError, Ui, option
from adjudicator.club.club import read_settings
from adjudicator.club.deadlines import moment
from adjudicator.club.rounds import RoundDone
from adjudicator.reports.sanitize import printable


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
        from adjudicator.serve.server import serve
    except ImportError as missing:
        raise MisuseError(f"the pages need the extra `serve`: pip install 'pbem-adjudicator[serve]' ({missing})") from None
    settings = read_settings(folder)
    if proxy and not settings.serve.address:
        raise MisuseError('write the address for members into club.toml: [serve] address = "https://club.example.org"')

    def show(done: RoundDone, lines: Iterable[str]) -> None:
        for line in lines:
            ui.say(f"{moment(int(time.time()), settings.time_zone)}  {printable(line)}")
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
