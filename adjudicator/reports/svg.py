"""Write SVG element by element, so that text of users never becomes markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from adjudicator.core.values import Value
from adjudicator.reports.sanitize import printable


def element(name: str, *inner: str, **attributes: object) -> str:
    """Return the element ``name`` with ``inner`` elements in it; ``stroke_width=2`` is the attribute ``stroke-width``."""
    written = [
        f' {key.rstrip("_").replace("_", "-")}="{escape(printable(value)) if isinstance(value, str) else value}"'
        for key, value in attributes.items()
    ]
    start = f"<{name}{''.join(written)}"
    return f"{start}>{''.join(inner)}</{name}>" if inner else f"{start}/>"


class Sheet(Value):
    """A whole SVG document, and its size in pixels."""

    svg: str
    width: float
    height: float


def document(drawn: Iterable[str], width: float, height: float, title: str, about: str = "") -> Sheet:
    """Return the document: ``drawn`` on paper of that ``width`` and ``height``.

    ``title`` and ``about`` describe it for screen readers.
    """
    head = {"font_family": "sans-serif", "xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"}
    told = {"role": "img", "aria_labelledby": "board-title board-words"}
    described = element("title", plain(title), id="board-title") + element("desc", plain(about), id="board-words")
    paper = element("rect", width=width, height=height, fill="#ffffff")
    svg = element("svg", described, paper, *drawn, **head, width=width, height=height, **told)
    return Sheet(svg + "\n", width, height)


def plain(text: str) -> str:
    """Return ``text`` escaped for a place between two tags."""
    return escape(printable(text), quote=False)


def words(text: str, x: float | str, y: float, *, size: float = 11, anchor: str = "middle", **attributes: object) -> str:
    """Return ``text`` with its middle (or ``anchor``) at ``x`` and its base line at ``y``, in pixels."""
    return element("text", plain(text), x=x, y=y, font_size=size, text_anchor=anchor, **attributes)
