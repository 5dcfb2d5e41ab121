"""Write SVG element by element, so that text of users never becomes markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from adjudicator.reports.sanitize import printable


def element(name: str, *inner: str, **attributes: object) -> str:
    """Return the element ``name`` with ``inner`` elements in it; ``stroke_width=2`` is the attribute ``stroke-width``."""
    written = [
        f' {key.rstrip("_").replace("_", "-")}="{escape(printable(value)) if isinstance(value, str) else value}"'
        for key, value in attributes.items()
    ]
    start = f"<{name}{''.join(written)}"
    return f"{start}>{''.join(inner)}</{name}>" if inner else f"{start}/>"


def document(drawn: Iterable[str], width: float, height: float, shown: float | None = None) -> str:
    """Return the document: ``drawn`` on paper of that ``width`` and ``height``, scaled to a width of ``shown`` pixels."""
    paper = element("rect", width=width, height=height, fill="#ffffff")
    size = {"width": width, "height": height} if shown is None else {"width": shown, "height": round(height * shown / width)}
    head = {"font_family": "sans-serif", "xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"}
    return element("svg", paper, *drawn, **head, **size) + "\n"


def plain(text: str) -> str:
    """Return ``text`` escaped for a place between two tags."""
    return escape(printable(text), quote=False)


def words(text: str, x: float, y: float, *, size: int = 11, anchor: str = "middle", **attributes: object) -> str:
    """Return ``text`` with its middle (or ``anchor``) at ``x`` and its base line at ``y``, in pixels."""
    return element("text", plain(text), x=x, y=y, font_size=size, text_anchor=anchor, **attributes)
