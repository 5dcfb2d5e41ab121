"""Write the replay page, or the film, for `replay -o`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudicator.cli.files import is_same, spare_other_files, spare_other_pictures, write_file
from adjudicator.cli.output import MisuseError, say_bytes, say_json, say_safely
from adjudicator.cli.progress import progress

if TYPE_CHECKING:
    from adjudicator.library.game import Game
    from adjudicator.reports.pages.replay_page import ReplayPage


def require_page(source: str, target: str, *, boards: bool, as_json: bool) -> None:
    """Raise ``MisuseError`` if the page cannot be written to ``target``, or not with the other options."""
    if boards:
        raise MisuseError("leave out --boards: a page always shows the position after each entry")
    if target == "-":
        if as_json:
            raise MisuseError("name a file: --json and the page cannot both go to standard output")
        return
    if not is_film(target) and not target.lower().endswith((".html", ".htm")):
        raise MisuseError(f"give the page a name that ends in .html, or the film one that ends in .gif, not “{target}”")
    if is_same(source, target):
        raise MisuseError(f"name another file: the page would replace {source}, which this command reads")


def is_film(target: str) -> bool:
    """Return whether the file ``target`` is for a film instead of a page."""
    return target.lower().endswith(".gif")


def write_film(
    game: Game, viewer: str | None, first: int, last: int | None, target: str, *, force: bool, as_json: bool
) -> None:
    """Write the positions from entry ``first`` to ``last`` as a film to ``target``.

    Raises ``MisuseError``, ``NoSuchEntryError``, ``CannotWrite``.
    """
    from adjudicator.cli.results import WrittenReplay
    from adjudicator.reports.pages.replay_page import step_picture
    from adjudicator.reports.pictures.gif import frames_of, gif_of, require_gif
    from adjudicator.reports.pictures.png import NoPictureError

    if not force:
        spare_other_pictures(target)
    try:
        require_gif()
        steps = list(game.seen_by(viewer).replay(first, last))
        chosen = [steps[at].position for at in frames_of(len(steps))]
        drawn = [svg for svg in map(step_picture, chosen) if svg is not None]
        if not drawn:
            raise NoPictureError(f"{game.meta.name} has no board to draw")
        with progress("drawn", len(drawn)) as advance:
            write_file(target, gif_of(drawn, advance))
    except NoPictureError as error:
        raise MisuseError(str(error)) from error
    if as_json:
        say_json(WrittenReplay(file=target, game=game.id, viewer=chosen[-1].heading.viewer, entries=len(steps)))
    else:
        say_safely(f"{target}: {game.meta.name}, game {game.id}, {len(drawn)} pictures of {len(steps)} entries")


def write_page(page: ReplayPage, target: str, *, force: bool, as_json: bool) -> None:
    """Write ``page`` to ``target``; replace other files only with ``force``. Raises ``MisuseError``, ``CannotWrite``."""
    from adjudicator.cli.results import WrittenReplay
    from adjudicator.reports.data.heading import reader
    from adjudicator.reports.pages.replay_page import FIRST_LINE
    from adjudicator.reports.text.table import count_of

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
    entries = count_of(page.entries, "entry", "entries")
    say_safely(f"{target}: {heading.name}, game {heading.game}, {entries}, {reader(heading)}")
