"""The command `desk`: write the desk, the adjudicator for the browser, and serve it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.output import MisuseError, say, say_json
from adjudicator.cli.progress import progress


def desk(
    folder: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="the folder for the desk", show_default=False)
    ],
    serve: Annotated[bool, typer.Option("--serve", help="also serve the desk on this computer, until Ctrl+C")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="the port of --serve; 0: any free one")] = 8000,
    as_json: Json = False,
) -> None:
    """Write the desk, a web page for playing and moderating.

    Players open their own file, click on the board and write orders, and see every mistake while they type. Moderators
    open the game, drop mails, adjudicate, read the reports and save the file. The files never leave the computer of the
    person who opens them: the page needs a place for static files, but no program on a server. After the first visit it
    works offline.

    To build the desk you need Node.js 20 or newer, and the registries of npm and of Python packages.

    Examples:
      adjudicator desk -o desk/
      adjudicator desk -o desk/ --serve
    """
    with explained(as_json=as_json):
        from adjudicator.cli.results import WrittenDesk
        from adjudicator.desk.build import CannotBuildError, build

        try:
            with progress("building"):
                release = build(Path(folder))
        except CannotBuildError as error:
            raise MisuseError(str(error)) from None
        if as_json:
            say_json(
                WrittenDesk(
                    folder=folder, release=release.name, file_count=len(release.sizes), size=sum(release.sizes.values())
                )
            )
        else:
            megabytes = sum(release.sizes.values()) / 1_000_000
            say(f"{folder}: the desk, release {release.name}, {megabytes:.1f} MB in {len(release.sizes)} files")
        if serve:
            _serve(Path(folder), port)


def _serve(folder: Path, port: int) -> None:
    from adjudicator.desk.serve import server_of

    try:
        server = server_of(folder, port)
    except OSError as error:
        raise MisuseError(f"choose another --port: {port} cannot be used ({error.strerror})") from None
    say(f"open http://127.0.0.1:{server.server_port}/ in your browser; Ctrl+C ends the server")
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("the server has stopped")
