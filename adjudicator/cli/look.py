"""The commands `show`, `legal` and `log`: look at a game without changing it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from adjudicator.cli.ui import As, GameFile, MisuseError, Ui, complete_seat, option
from adjudicator.reports.texts import printable, signed

if TYPE_CHECKING:
    from adjudicator.core.values import Seat
    from adjudicator.library.game import Game
    from adjudicator.reports.position import Position
    from adjudicator.scenes.drawing import Drawing

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Characters at which a spreadsheet begins a formula."""


def show(
    ui: Ui,
    game: GameFile,
    viewer: As = None,
    at: int | None = option(None, "--at", "N", "the position after entry N of the log, as it was seen then"),
    svg: str | None = option(None, "--svg", "FILE", "also write a picture of the board; `-` prints only the picture"),
    section: str | None = option(
        None, "--section", "NAME", "with --svg: only this section of a map, or `all`, for narrow screens"
    ),
    card: str | None = option(None, "--card", "FILE", "also write board and standings as a card to share, .png or .svg"),
    html: str | None = option(
        None, "--html", "FILE", "also write the standings as an HTML table; `-` prints only the table"
    ),
    as_csv: str | None = option(None, "--csv", "FILE", "also write the standings as CSV; `-` prints only the table"),
    force: bool = option(False, "--force", "replace files even if they are not such pictures or tables"),
) -> None:
    """Show the position of a game, as one seat may see it.

    You get the board, the clocks, the hands that this seat may see, the decisions that are due, and the standings.

    Examples:
      adjudicator show race.json --as red
      adjudicator show race.json --as red --at 12
      adjudicator show race.json --as red --svg red.svg
      adjudicator show rally.json --svg to-tc3.svg --section TC3
      adjudicator show race.json --card race.png
      adjudicator show race.json --html result.html --csv result.csv
    """
    from adjudicator.reports.position import position_text, shown_position

    writes = {"--svg": svg, "--card": card, "--html": html, "--csv": as_csv}
    ui.guard([game], writes, force)
    if section is not None and svg is None:
        raise MisuseError("use --section only with --svg: it selects the part of the map to draw")
    shown = ui.open(game, whole=False)
    reader = shown.seen_by(viewer)
    position = reader.position if at is None else reader.position_at(at)
    if svg is not None:
        from adjudicator.reports.heading import title_line

        title = title_line(position.heading)
        if not write_drawing(ui, position.drawing, title, svg, section, position.players):
            raise MisuseError(f"{position.heading.name} has no board to draw")
    if card is not None:
        from adjudicator.reports.images import png_of
        from adjudicator.reports.picture import card_sheet

        if not card.lower().endswith((".png", ".svg")):
            raise MisuseError(f"give the card a name that ends in .png or .svg, not “{card}”")
        drawn = card_sheet(position)
        ui.write_picture(card, png_of(drawn) if card.lower().endswith(".png") else drawn.svg.encode())
    if html is not None or as_csv is not None:
        write_standings(ui, position, shown.players, html, as_csv)
    if "-" in writes.values():
        return
    is_past = at is not None and position.heading.turn != reader.turn
    text = partial(position_text, position, color=ui.is_colored, width=ui.width, is_past=is_past)
    ui.show(partial(shown_position, position), text, is_safe=True)
    _say_caveat(ui, shown)


def write_drawing(ui: Ui, drawing: Drawing, title: str, target: str, section: str | None, seats: Iterable[str] = ()) -> bool:
    """Write the picture of ``drawing``, or of a ``section`` of its map, to ``target``; return whether it has one.

    `-` is standard output. Raises ``MisuseError``.
    """
    from adjudicator.reports.picture import ALL, PHONE, as_file, draw, draw_section, section_names

    if target != "-" and not target.lower().endswith(".svg"):
        raise MisuseError(f"give the picture a name that ends in .svg, not “{target}”")
    drawn = draw(drawing, seats=seats, details=False) if section is None else draw_section(drawing, section, seats=seats)
    if drawn is None:
        names = section_names(drawing)
        if not names:
            raise MisuseError("leave out --section: there is no map with a route to draw")
        raise MisuseError(f"the section “{section}” is unknown; choose from: {', '.join((*names, ALL))}")
    if drawn.figures:
        sheet = as_file(drawn, title, room=None if section is None else PHONE)
        ui.write_picture(target, sheet.svg.encode())
    return bool(drawn.figures)


def write_standings(ui: Ui, position: Position, holders: Mapping[Seat, str], html: str | None, as_csv: str | None) -> None:
    """Write the standings of ``position``, with the players in ``holders``, as HTML and as CSV to the named files.

    `-` is standard output. The HTML table has its title as caption, and headings for screen readers; no spreadsheet reads a
    cell of the CSV (RFC 4180) as a formula. Raises ``MisuseError``.
    """
    import csv
    from html import escape
    from io import StringIO

    heading = position.heading
    headings = ("place", "seat", "player", heading.unit[1], "note")
    rows = [
        [printable(cell) for cell in (f"{one.place}", one.seat, holders.get(one.seat, ""), score, one.note)]
        for one in position.standings
        for score in (signed(one.score, heading.unit),)
    ]
    if html is not None:
        title = printable(f"{heading.name}, game {heading.game}: {position.standings_title.lower()}")
        named = "".join(f'<th scope="col">{escape(word)}</th>' for word in headings)
        cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
        lines = ["<table>", f"<caption>{escape(title)}</caption>", f"<thead><tr>{named}</tr></thead>", "<tbody>"]
        lines += [*(f"<tr>{row}</tr>" for row in cells), "</tbody>", "</table>", ""]
        known = "".join(f'<th scope="col">{word}</th>' for word in headings[:2]).encode()
        data = "\n".join(lines).encode()
        ui.write(html, data, "a table of results", lambda head: head.startswith(b"<table>\n<caption>") and known in head)
    if as_csv is not None:
        text = StringIO()
        csv.writer(text).writerows(
            [headings, *([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row] for row in rows)]
        )
        first = text.getvalue().partition("\n")[0].encode()
        ui.write(as_csv, text.getvalue().encode(), "a table of results as CSV", lambda head: head.startswith(first))


def legal(
    ui: Ui,
    game: GameFile,
    viewer: str | None = option(
        None, "--as", "SEAT", "the seat; without it, each seat whose decision is due", autocompletion=complete_seat
    ),
    kinds: list[str] | None = option(None, "--kind", "WORD", "only orders that begin with this word [repeatable]"),
    limit: int | None = option(None, "N", "the largest number of lines for a seat", min=1),
) -> None:
    """List every legal order, with its cost and the reason.

    Similar orders with the same cost share a line: `MOVE C2 | C3 | D4`. --json lists each order separately and ignores
    --limit.

    The list reveals the hand of a seat, so show it only to that seat. If you name a seat that is not due, you get the
    orders that would be legal if it were due now, if the rules can tell; --json then lists none.

    Examples:
      adjudicator legal race.json --as red
      adjudicator legal race.json --as red --kind place --kind move --limit 20
    """
    from adjudicator.core.problem import did_you_mean
    from adjudicator.core.values import MODERATOR
    from adjudicator.reports.legal import kind_of

    shown = ui.open(game, whole=False)
    seats = shown.due_seats
    if viewer is not None or shown.own_seat is not None:
        seat = shown.viewer(viewer)
        if seat is None or seat == MODERATOR:
            raise MisuseError("name a seat with --as, or leave out --as for the seats whose decisions are due")
        seats = (seat,)
    known = sorted({kind_of(example) for example in shown.rules.language.examples})
    wanted = [word.casefold() for word in kinds or ()]
    for word, folded in zip(kinds or (), wanted, strict=True):
        if folded not in known:
            hint = did_you_mean(folded, known)
            raise MisuseError(f"no order begins with “{word}”{hint}; choose from: {', '.join(known)}")
    if ui.as_json:
        legal = {seat: shown.seen_by(seat).legal for seat in seats}
        ui.show({seat: [row for row in legal[seat] if not wanted or kind_of(row.order) in wanted] for seat in seats})
    elif shown.is_over:
        ui.say("the game is over")
    else:
        ui.say("\n\n".join(_legal_text(shown, seat, frozenset(wanted), limit, ui.width) for seat in seats), is_safe=True)
        _say_caveat(ui, shown)


def _legal_text(shown: Game, seat: Seat, kinds: frozenset[str], limit: int | None, width: int | None) -> str:
    """Return the legal orders of ``seat``, and what the cards do that they name; or why it has none, and what follows."""
    from adjudicator.core.phrases import count
    from adjudicator.reports.heading import to_write
    from adjudicator.reports.legal import choices_named, kind_of, legal_text
    from adjudicator.reports.texts import table_lines

    reader = shown.seen_by(seat)
    if seat in shown.due_seats:
        head, found, tail = f"{seat}: ", reader.legal, f"; {to_write(reader.turn)}"
    else:
        nothing = f"{seat}: this seat has no decision now; due: {', '.join(shown.due_seats)}\n"
        if reader.eliminated:
            return nothing + reader.eliminated
        ahead = reader.legal_ahead
        if ahead is None:
            return f"{nothing}the rules of {shown.meta.name} cannot tell its legal orders before it is due"
        head, found, tail = f"{nothing}if it were due now (others act first, so this may change): ", ahead, ""
    rows = tuple(row for row in found if not kinds or kind_of(row.order) in kinds)
    which = f" with {', '.join(word.upper() for word in sorted(kinds))}" if kinds else ""
    if not rows:
        return f"{head}no legal order{which}"
    lines = [
        f"{head}{count(len(rows), 'legal order')}{which}{tail}",
        legal_text(rows, shown.meta.unit, limit=limit, width=width),
    ]
    named = choices_named(reader.choices, [row.order for row in rows])
    if named:
        lines += table_lines((), [tuple(map(printable, choice)) for choice in named], width)
    return "\n".join(lines)


def log(
    ui: Ui,
    game: GameFile,
    viewer: As = None,
    events: bool = option(False, "--events", "also list the events of each order"),
    turn: int | None = option(None, "N", "only the orders of turn N, as numbered in the reports"),
    since: int | None = option(None, "N", "only the orders of turn N and later"),
) -> None:
    """Print the log: what each order cost, and why.

    With --json you get one line of JSON for each order.

    Examples:
      adjudicator log race.json --as red --events
      adjudicator log race.json --since 7
    """
    from adjudicator.reports.heading import head_lines
    from adjudicator.reports.log import log_json, log_text

    shown = ui.open(game, whole=False)
    if turn is not None and since is not None:
        raise MisuseError("use --turn for one turn or --since for a turn and all later ones, not both")
    reader = shown.seen_by(viewer)
    rows = reader.log(turn=turn, since=since)
    if ui.as_json:
        ui.send(f"{log_json(rows)}\n".encode() if rows else b"")
        return
    head = "\n".join(head_lines(reader.position.heading))
    colored = shown.seats if ui.is_colored else ()
    table = log_text(rows, shown.meta.unit, with_events=events, width=ui.width, colored=colored)
    ui.say(f"{head}\n\n{table}", is_safe=True)
    _say_caveat(ui, shown)


def _say_caveat(ui: Ui, shown: Game) -> None:
    """Print a note that a player's own file does not contain everything, if the file is one."""
    if shown.caveat:
        ui.say(f"\n{shown.caveat}")
