"""Write SVG element by element, so that text of users never becomes markup."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape

from adjudicator.reports.sanitize import printable


def element(name: str, *inner: str, **attributes: object) -> str:
    """Return the element ``name`` with ``inner`` elements in it; ``stroke_width=2`` is the attribute ``stroke-width``."""
    written = "".join([_attribute(key, value) for key, value in attributes.items()])
    return f"<{name}{written}>{''.join(inner)}</{name}>" if inner else f"<{name}{written}/>"


def grouped(inner: Iterable[str], **attributes: object) -> tuple[str, ...]:
    """Return a group of ``inner`` elements, not joined, because each join would copy all of a large picture."""
    return (f"{element('g', **attributes)[:-2]}>", *inner, "</g>")


def document(drawn: Iterable[str], width: float, height: float, shown: int | None = None) -> str:
    """Return the document: ``drawn`` on paper of that ``width`` and ``height``, scaled to a width of ``shown`` pixels."""
    paper, scale = element("rect", width=width, height=height, fill="#ffffff"), 1 if shown is None else shown / width
    size = {"width": round(width * scale), "height": round(height * scale)} if shown else {"width": width, "height": height}
    head = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}", **size}
    svg = element("svg", font_family="sans-serif", **head)
    return "".join((svg[:-2], ">", paper, *drawn, "</svg>\n"))


@lru_cache(maxsize=1 << 14, typed=True)
def _attribute(key: str, value: object) -> str:
    """Return an attribute as text from a cache: a replay draws the same things hundreds of times."""
    shown = escape(printable(str(value)), quote=False).replace('"', "&quot;")
    return f' {key.rstrip("_").replace("_", "-")}="{shown}"'


def plain(text: str) -> str:
    """Return ``text`` escaped for a place between two tags."""
    return escape(printable(text), quote=False)


@lru_cache(maxsize=1 << 12, typed=True)
def words(text: str, x: float, y: float, *, size: int = 11, anchor: str = "middle", **attributes: object) -> str:
    """Return ``text`` with its middle (or ``anchor``) at ``x`` and its base line at ``y``, in pixels."""
    return element("text", plain(text), x=x, y=y, font_size=size, text_anchor=anchor, **attributes)
