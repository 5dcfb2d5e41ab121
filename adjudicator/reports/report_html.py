"""Write a report as one self-contained HTML file."""

from __future__ import annotations

from typing import Final

from adjudicator.reports.heading import reader, turn_words
from adjudicator.reports.picture import draw, figure_rules
from adjudicator.reports.position import shown_players
from adjudicator.reports.report import Report
from adjudicator.reports.sanitize import printable
from adjudicator.reports.sections import sections_of
from adjudicator.reports.web import Words, web_page

_WINDOW: Final = 44
"""The most columns of a quoted line with a mistake, so that it fits on a phone."""
_FATES: Final = {
    "applied": "good",
    "waits": "good",
    "skipped": "bad",
    "refused": "bad",
    "ignored": "soft",
    "not understood": "soft",
}
"""The colour of an order in a receipt, by its fate; the words next to it say the same."""


def report_html(report: Report, *, has_slots: bool = False) -> str:
    """Return ``report`` as an HTML document for phone and desktop, light and dark, print and screen readers.

    Text of players never becomes markup. With slots, a mail can have more lines (``filled_page``).
    """
    heading, position = report.position.heading, report.position
    game = [heading.name, f"game {heading.game}", turn_words(heading), f"components {heading.components}"]
    players = tuple(shown_players(position))
    drawn = draw(position.drawing, seats=position.players, before=report.earlier)
    return web_page(
        "report.html",
        style="report.css figures.css zoom.css",
        script="zoom.js" if drawn.figures else "",
        rules=figure_rules(drawn),
        title=printable(f"{heading.game}: {heading.name}, {turn_words(heading)}, {reader(heading)}"),
        game=" · ".join(game),
        headline=report.headline,
        reader=reader(heading),
        players=players,
        badges={name: player for player in players for name in (player.seat, player.name)},
        sections=sections_of(report, _WINDOW),
        picture=drawn,
        own=report.viewer if report.viewer in position.seats else next(iter(position.seats), ""),
        about=" ".join(report.description),
        fates=_FATES,
        words=Words(report.rules()),
        has_slots=has_slots,
    )
