"""The replay page, written where `replay` is asked for one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.cli.files import is_same, spare_other_files
from adjudicator.cli.output import MisuseError, say_bytes, say_json, say_safely

if TYPE_CHECKING:
    from adjudicator.reports.replay_page import ReplayPage


def require_page(source: str, target: str, *, boards: bool, as_json: bool) -> None:
    """Raise ``MisuseError`` if no page can be written to ``target``, or not with the other options."""
    if boards:
        raise MisuseError("a page has the position after each entry anyway: leave out --boards")
    if target == "-":
        if as_json:
            raise MisuseError("--json and the page cannot both go to standard output: name a file")
        return
    if not target.lower().endswith((".html", ".htm")):
        raise MisuseError(f"a replay page is a file that ends with .html; “{target}” does not")
    if is_same(source, target):
        raise MisuseError(f"the page would be written over {source}, which is read")


def write_page(page: ReplayPage, target: str, *, force: bool, as_json: bool) -> None:
    """Write ``page`` to ``target``, over other files only with ``force``. Raises ``MisuseError``, ``CannotWrite``."""
    from adjudicator.outputs.positions import WrittenReplay
    from adjudicator.reports.heading import reader
    from adjudicator.reports.replay_page import FIRST_LINE
    from adjudicator.store.save import write_atomic

    heading = page.heading
    if target == "-":
        say_bytes(page.text.encode())
        return
    if not force:
        begins = FIRST_LINE.encode()
        remedy = "name another file, or replace it with --force"
        spare_other_files(target, "a replay page", lambda line: line.startswith(begins), remedy)
    write_atomic(Path(target), page.text.encode())
    if as_json:
        say_json(WrittenReplay(file=target, game=heading.game, viewer=heading.viewer, entries=page.entries))
        return
    entries = "1 entry" if page.entries == 1 else f"{page.entries:,} entries"
    say_safely(f"{target}: {heading.name}, game {heading.game}, {entries}, {reader(heading)}")
