"""Write the replay page for `replay -o`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudicator.cli.files import is_same, spare_other_files, write_file
from adjudicator.cli.output import MisuseError, say_bytes, say_json, say_safely

if TYPE_CHECKING:
    from adjudicator.reports.pages.replay_page import ReplayPage


def require_page(source: str, target: str, *, boards: bool, as_json: bool) -> None:
    """Raise ``MisuseError`` if the page cannot be written to ``target``, or not with the other options."""
    if boards:
        raise MisuseError("leave out --boards: a page always shows the position after each entry")
    if target == "-":
        if as_json:
            raise MisuseError("name a file: --json and the page cannot both go to standard output")
        return
    if not target.lower().endswith((".html", ".htm")):
        raise MisuseError(f"give the page a name that ends in .html, not “{target}”")
    if is_same(source, target):
        raise MisuseError(f"name another file: the page would replace {source}, which this command reads")


def write_page(page: ReplayPage, target: str, *, force: bool, as_json: bool) -> None:
    """Write ``page`` to ``target``; replace other files only with ``force``. Raises ``MisuseError``, ``CannotWrite``."""
    from adjudicator.outputs.positions import WrittenReplay
    from adjudicator.reports.data.heading import reader
    from adjudicator.reports.pages.replay_page import FIRST_LINE

    heading = page.heading
    if target == "-":
        say_bytes(page.text.encode())
        return
    if not force:
        begins = FIRST_LINE.encode()
        remedy = "name another file, or use --force"
        spare_other_files(target, "a replay page", lambda line: line.startswith(begins), remedy)
    write_file(target, page.text.encode())
    if as_json:
        say_json(WrittenReplay(file=target, game=heading.game, viewer=heading.viewer, entries=page.entries))
        return
    entries = "1 entry" if page.entries == 1 else f"{page.entries:,} entries"
    say_safely(f"{target}: {heading.name}, game {heading.game}, {entries}, {reader(heading)}")
