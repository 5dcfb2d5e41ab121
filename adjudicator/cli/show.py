"""The commands `show`, `legal` and `log`: look at a game without changing it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import As, GameFile, Json, complete_seat
from adjudicator.cli.failures import explained
from adjudicator.cli.files import spare_other_pictures, write_file
from adjudicator.cli.output import MisuseError, is_terminal, say, say_bytes, say_json, terminal_width
from adjudicator.cli.tables import refuse_targets, write_tables

if TYPE_CHECKING:
    from adjudicator.core.values import Seat
    from adjudicator.library.game import Game
    from adjudicator.reports.data.position import Position
    from adjudicator.results import LegalRow
    from adjudicator.scenes.drawing import Drawing

AsPlayer = Annotated[
    str | None,
    typer.Option(
        "--as", metavar="SEAT", help="the seat; without it, each seat whose decision is due", autocompletion=complete_seat
    ),
]


def show(
    game: GameFile,
    viewer: As = None,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="also write a picture of the board; `-` prints only the picture"),
    ] = None,
    section: Annotated[
        str | None,
        typer.Option(
            "--section", metavar="NAME", help="with --svg: only this section of a map, or `all`, for narrow screens"
        ),
    ] = None,
    card: Annotated[
        str | None,
        typer.Option("--card", metavar="FILE", help="also write board and standings as a card to share, .png or .svg"),
    ] = None,
    html: Annotated[
        str | None,
        typer.Option("--html", metavar="FILE", help="also write the standings as an HTML table; `-` prints only the table"),
    ] = None,
    as_csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="also write the standings as CSV; `-` prints only the table")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="replace files even if they are not such pictures or tables")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the position of a game, as one seat may see it.

    You get the board, the clocks, the hands that this seat may see, the decisions that are due, and the standings.

    Examples:
      adjudicator show race.json --as red
      adjudicator show race.json --as red --svg red.svg
      adjudicator show rally.json --svg to-tc3.svg --section TC3
      adjudicator show race.json --card race.png
      adjudicator show race.json --html result.html --csv result.csv
    """
    with explained(as_json=as_json) as opened:
        from adjudicator.reports.cli.classification import standings_table
        from adjudicator.reports.data.position import position_text, shown_position

        if force and (svg, card, html, as_csv) == (None, None, None, None):
            raise MisuseError("use --force only with --svg, --card, --html or --csv: nothing else writes a file")
        if section is not None and svg is None:
            raise MisuseError("use --section only with --svg: it selects the part of the map to draw")
        if (svg, html, as_csv).count("-") > 1:
            raise MisuseError("name a file for all but one: only one of them can go to standard output")
        refuse_targets(html, as_csv, filter(None, (game, svg, card)))
        shown = opened.seen(game)
        position = shown.seen_by(viewer).position
        if svg is not None:
            _draw(position, svg, section, is_forced=force)
        if card is not None:
            _write_card(position, card, is_forced=force)
        write_tables(standings_table(position, shown.players), html, as_csv, is_forced=force)
        if "-" in (svg, html, as_csv):
            return
        if as_json:
            say_json(shown_position(position))
        else:
            say(position_text(position, color=is_terminal(), width=terminal_width()))
            _say_caveat(shown)


def _draw(position: Position, target: str, section: str | None, *, is_forced: bool) -> None:
    """Write the picture of ``position`` to the file ``target``, or to standard output. Raises ``MisuseError``."""
    from adjudicator.reports.data.heading import title_line

    title = title_line(position.heading)
    if not write_picture(position.drawing, title, target, section, position.players, is_forced=is_forced):
        raise MisuseError(f"{position.heading.name} has no board to draw")


def _write_card(position: Position, target: str, *, is_forced: bool) -> None:
    """Write ``position`` as a card to the file ``target``. Raises ``MisuseError``."""
    from adjudicator.reports.pages.card import CARD_SIZE, card_svg
    from adjudicator.reports.pictures.png import NoPictureError, png_of

    if not target.lower().endswith((".png", ".svg")):
        raise MisuseError(f"give the card a name that ends in .png or .svg, not “{target}”")
    if not is_forced:
        spare_other_pictures(target)
    drawn = card_svg(position)
    try:
        data = png_of(drawn, *CARD_SIZE) if target.lower().endswith(".png") else drawn.encode()
    except NoPictureError as error:
        raise MisuseError(str(error)) from error
    write_file(target, data)


def write_picture(
    drawing: Drawing, title: str, target: str, section: str | None, seats: Iterable[str] = (), *, is_forced: bool
) -> bool:
    """Write the picture of ``drawing``, or of a ``section`` of its map, to the file ``target``; return whether it has one.

    `-` is standard output. Raises ``MisuseError``.
    """
    if target != "-" and not target.lower().endswith(".svg"):
        raise MisuseError(f"give the picture a name that ends in .svg, not “{target}”")
    drawn = _drawn(drawing, title, section, seats)
    if drawn is None:
        return False
    if target == "-":
        say_bytes(drawn.encode())
        return True
    if not is_forced:
        spare_other_pictures(target)
    write_file(target, drawn.encode())
    return True


def _drawn(drawing: Drawing, title: str, section: str | None, seats: Iterable[str]) -> str | None:
    """Return the picture of ``drawing``, or of a ``section`` of its map. Raises ``MisuseError`` for an unknown section."""
    from adjudicator.reports.pictures.picture import picture
    from adjudicator.reports.pictures.sections import ALL, WIDTH, section_drawing, section_names

    if section is None:
        return picture(drawing, title, seats)
    part = section_drawing(drawing, section)
    if part is None:
        known = ", ".join((*section_names(drawing), ALL) if section_names(drawing) else ())
        raise MisuseError(
            f"the section “{section}” is unknown; choose from: {known}"
            if known
            else "leave out --section: there is no map with a route to draw"
        )
    return picture(part, title, seats, WIDTH)


def legal(
    game: GameFile,
    viewer: AsPlayer = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option("--kind", metavar="WORD", help="only orders that begin with this word [repeatable]"),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="the largest number of lines for a seat")] = None,
    as_json: Json = False,
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
    with explained(as_json=as_json) as opened:
        shown = opened.seen(game)
        seats, wanted = _asked(shown, viewer), _kinds(shown, kinds or [])
        if as_json:
            say_json({seat: _of_kinds(shown.seen_by(seat).legal, wanted) for seat in seats})
        elif shown.is_over:
            say("the game is over")
        else:
            say("\n\n".join(_legal_text(shown, seat, wanted, limit) for seat in seats))
            _say_caveat(shown)


def log(
    game: GameFile,
    viewer: As = None,
    events: Annotated[bool, typer.Option("--events", help="also list the events of each order")] = False,
    turn: Annotated[
        int | None, typer.Option(metavar="N", help="only the orders of turn N, as numbered in the reports")
    ] = None,
    since: Annotated[int | None, typer.Option(metavar="N", help="only the orders of turn N and later")] = None,
    as_json: Json = False,
) -> None:
    """Print the log: what each order cost, and why.

    With --json you get one line of JSON for each order.

    Examples:
      adjudicator log race.json --as red --events
      adjudicator log race.json --since 7
    """
    with explained(as_json=as_json) as opened:
        from adjudicator.reports.data.heading import head_lines
        from adjudicator.reports.data.log import log_json, log_text

        shown = opened.seen(game)
        seat = shown.viewer(viewer)
        if turn is not None and since is not None:
            raise MisuseError("use --turn for one turn or --since for a turn and all later ones, not both")
        rows = shown.seen_by(seat).log(turn=turn, since=since)
        if as_json:
            say_bytes(f"{log_json(rows)}\n".encode() if rows else b"")
            return
        head = "\n".join(head_lines(shown.seen_by(seat).position.heading))
        color, width = is_terminal(), terminal_width()
        table = log_text(rows, shown.meta.unit, with_events=events, width=width, colored=shown.seats if color else ())
        say(f"{head}\n\n{table}")
        _say_caveat(shown)


def _say_caveat(shown: Game) -> None:
    """Print a note that a player's own file does not contain everything, if the file is one."""
    if shown.caveat:
        say(f"\n{shown.caveat}")


def _kinds(shown: Game, words: list[str]) -> frozenset[str]:
    """Return the named kinds of orders, in lower case. Raises ``MisuseError`` for an unknown one."""
    from adjudicator.core.problem import did_you_mean
    from adjudicator.reports.data.legal import kind_of

    known = sorted({kind_of(example) for example in shown.rules.language.examples})
    for word in words:
        if word.casefold() not in known:
            hint = did_you_mean(word.casefold(), known)
            raise MisuseError(f"no order begins with “{word}”{hint}; choose from: {', '.join(known)}")
    return frozenset(map(str.casefold, words))


def _of_kinds(rows: tuple[LegalRow, ...], kinds: frozenset[str]) -> tuple[LegalRow, ...]:
    from adjudicator.reports.data.legal import kind_of

    return tuple(row for row in rows if not kinds or kind_of(row.order) in kinds)


def _legal_text(shown: Game, seat: Seat, kinds: frozenset[str], limit: int | None) -> str:
    due = shown.due_seats
    if seat in due:
        from adjudicator.reports.data.heading import to_write

        number = to_write(shown.seen_by(seat).turn)
        head, legal, tail = f"{seat}: ", _of_kinds(shown.seen_by(seat).legal, kinds), f"; {number}"
        return _listed(head, legal, shown, kinds, limit, tail) + _choices_text(shown, seat, legal)
    nothing = f"{seat}: this seat has no decision now; due: {', '.join(due)}"
    if out := shown.seen_by(seat).eliminated:
        return f"{nothing}\n{out}"
    rows = shown.seen_by(seat).legal_ahead
    if rows is None:
        return f"{nothing}\nthe rules of {shown.meta.name} cannot tell its legal orders before it is due"
    words = "if it were due now (others act first, so this may change): "
    listed = _listed(words, _of_kinds(rows, kinds), shown, kinds, limit)
    return f"{nothing}\n{listed}{_choices_text(shown, seat, _of_kinds(rows, kinds))}"


def _choices_text(shown: Game, seat: Seat, rows: tuple[LegalRow, ...]) -> str:
    """Return lines that say what the cards do that the orders of ``rows`` name; empty if they name none."""
    from adjudicator.reports.data.legal import choices_named
    from adjudicator.reports.text.sanitize import printable
    from adjudicator.reports.text.table import table_lines

    named = choices_named(shown.seen_by(seat).choices, [row.order for row in rows])
    return (
        "\n".join(["", *table_lines((), [tuple(map(printable, choice)) for choice in named], terminal_width())])
        if named
        else ""
    )


def _listed(
    head: str, rows: tuple[LegalRow, ...], shown: Game, kinds: frozenset[str], limit: int | None, tail: str = ""
) -> str:
    from adjudicator.core.phrases import count
    from adjudicator.reports.data.legal import legal_text

    which = f" with {', '.join(word.upper() for word in sorted(kinds))}" if kinds else ""
    if not rows:
        return f"{head}no legal order{which}"
    told = legal_text(rows, shown.meta.unit, limit=limit, width=terminal_width())
    return f"{head}{count(len(rows), 'legal order')}{which}{tail}\n{told}"


def _asked(shown: Game, name: str | None) -> tuple[Seat, ...]:
    """Return the seats whose legal orders are wanted: the named one, or all that are due."""
    from adjudicator.core.values import MODERATOR

    if name is None and shown.own_seat is None:
        return shown.due_seats
    viewer = shown.viewer(name)
    if viewer is None or viewer == MODERATOR:
        raise MisuseError("name a seat with --as, or leave out --as for the seats whose decisions are due")
    return (viewer,)
