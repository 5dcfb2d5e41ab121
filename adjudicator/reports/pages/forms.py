"""Write a report in each output format; the libraries of a format load when it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudicator.reports.data.report import Report, report_data


def _text(report: Report) -> bytes:
    from adjudicator.reports.pages.report_text import report_text

    return report_text(report).encode()


def _html(report: Report) -> bytes:
    from adjudicator.reports.pages.report_html import report_html

    return report_html(report).encode()


def _markdown(report: Report) -> bytes:
    from adjudicator.reports.pages.report_markdown import report_markdown

    return report_markdown(report).encode()


def _svg(report: Report) -> bytes:
    from adjudicator.reports.pages.report_picture import report_svg

    return report_svg(report).encode()


def _png(report: Report) -> bytes:
    from adjudicator.reports.pages.report_picture import report_png

    return report_png(report)


def _json(report: Report) -> bytes:
    from adjudicator.reports.text.sanitize import safe_json

    return (safe_json(report_data(report)) + "\n").encode()


FORMS: Final[dict[str, Callable[[Report], bytes]]] = {
    "txt": _text,
    "html": _html,
    "md": _markdown,
    "svg": _svg,
    "png": _png,
    "json": _json,
}
"""The function that writes each output format, by file extension; those for pictures raise ``NoPictureError``."""

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


def is_report(first_line: bytes) -> bool:
    """Return whether a file with this first line is a report of this program, in any format."""
    begins = first_line.startswith((b'<!doctype html><html lang="en" data-made-by="adjudicator">', b"<svg ", b"\x89PNG"))
    return begins or first_line.startswith(b'{"accounts":[') or b" \xc2\xb7 components" in first_line
