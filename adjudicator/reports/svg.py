"""SVG, written element by element: names and words of users can never become markup."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from adjudicator.reports.sanitize import printable


def element(name: str, *inner: str, **attributes: object) -> str:
    """Return the element ``name`` with ``inner`` elements in it; ``stroke_width=2`` is the attribute ``stroke-width``."""
    written = "".join(f" {key.rstrip('_').replace('_', '-')}={quoteattr(str(value))}" for key, value in attributes.items())
    return f"<{name}{written}>{''.join(inner)}</{name}>" if inner else f"<{name}{written}/>"


def words(text: str, x: float, y: float, *, size: int = 11, anchor: str = "middle", **attributes: object) -> str:
    """Return ``text`` with its middle (or ``anchor``) at ``x`` and its base line at ``y``, in pixels."""
    return element("text", escape(printable(text)), x=x, y=y, font_size=size, text_anchor=anchor, **attributes)
