"""Write a report in each output format; the libraries of a format load when it is used."""

from __future__ import annotations

import re
from typing import Final

from adjudicator.reports.png import GIF_MARK, PNG_MARK
from adjudicator.reports.report import Report, report_data
from adjudicator.reports.sanitize import safe_json

FORMS: Final = ("txt", "html", "md", "svg", "png", "json")
"""The output formats of a report, by file extension."""


def write_report(report: Report, form: str) -> bytes:
    """Return ``report`` in one of ``FORMS``. Raises ``NoPictureError`` for a picture without a board."""
    if form == "html":
        from adjudicator.reports.report_html import report_html

        return report_html(report).encode()
    if form == "md":
        from adjudicator.reports.report_markdown import report_markdown

        return report_markdown(report).encode()
    if form in ("svg", "png"):
        from adjudicator.reports.report_picture import report_png, report_svg

        return report_png(report) if form == "png" else report_svg(report).encode()
    if form == "json":
        return (safe_json(report_data(report)) + "\n").encode()
    from adjudicator.reports.report_text import report_text

    return report_text(report).encode()


_SVG: Final = re.compile(
    rb'<svg font-family="sans-serif" xmlns="[^"]*" viewBox="0 0 ([0-9.]+) ([0-9.]+)" width="\1" height="\2"'
)
_PLOT_MARK: Final = b"<dc:title>adjudicator</dc:title>"
_MARKED: Final = 2048
"""The bytes at the beginning of a picture that say which program has drawn it."""
_OTHER_ENDINGS: Final = {"htm": "html", "markdown": "md", "text": "txt"}


def form_named(ending: str) -> str | None:
    """Return the output format of files with the extension ``ending``, ``None`` if there is no such format."""
    name = ending.lower().lstrip(".")
    name = _OTHER_ENDINGS.get(name, name)
    return name if name in FORMS else None


def picture_form() -> str:
    """Return the picture format that most programs can show: ``png`` if its extra is installed, else ``svg``."""
    from importlib.util import find_spec

    return "svg" if find_spec("resvg_py") is None else "png"


def is_report(head: bytes) -> bool:
    """Return whether a file that begins with ``head`` is a report of this program, in any format."""
    first_line = head.partition(b"\n")[0]
    return (
        is_picture(head)
        or head.startswith(b'<!doctype html><html lang="en" data-made-by="adjudicator">')
        or (head.startswith(b'{"accounts":[') and b',"commitment":' in first_line)
        or b" \xc2\xb7 components" in first_line
    )


def is_picture(head: bytes) -> bool:
    """Return whether a file that begins with ``head`` is a picture that this program has drawn: SVG, PNG, plot or film."""
    begins = head[:_MARKED]
    return _SVG.match(begins) is not None or any(mark in begins for mark in (PNG_MARK, GIF_MARK, _PLOT_MARK))
