"""The command `desk`: the adjudicator in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from adjudicator.cli.results import WrittenDesk
from adjudicator.cli.ui import MisuseError, Ui, option
from adjudicator.desk.build import build
from adjudicator.desk.serve import server_of


def desk(
    ui: Ui,
    folder: Annotated[str, option(..., "--output", "-o", "DIR", "the folder for the desk", show_default=False)],
    serve: bool = option(False, "--serve", "also serve the desk on this computer, until Ctrl+C"),
    port: int = option(8000, "N", "the port of --serve; 0: any free one", min=0, max=65535),
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
    with ui.progress("building"):
        release = build(Path(folder))
    size, files = sum(release.sizes.values()), len(release.sizes)
    ui.show(
        WrittenDesk(folder=folder, release=release.name, file_count=files, size=size),
        f"{folder}: the desk, release {release.name}, {size / 1_000_000:.1f} MB in {files} files",
    )
    if not serve:
        return
    try:
        server = server_of(Path(folder), port)
    except OSError as error:
        raise MisuseError(f"choose another --port: {port} cannot be used ({error.strerror})") from None
    address = f"http://127.0.0.1:{server.server_port}/"
    (ui.warn if ui.as_json else ui.say)(f"open {address} in your browser; Ctrl+C ends the server")
    ui.flush()
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            ui.say("the server has stopped")
