"""Write SVG element by element, so that text of users never becomes markup."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from adjudicator.reports.sanitize import printable
from adjudicator.reports.width import character_width


def element(name: str, *inner: str, **attributes: object) -> str:
    """Return the element ``name`` with ``inner`` elements in it; ``stroke_width=2`` is the attribute ``stroke-width``."""
    written = "".join([_attribute(key, value) for key, value in attributes.items()])
    return f"<{name}{written}>{''.join(inner)}</{name}>" if inner else f"<{name}{written}/>"


def grouped(inner: Iterable[str], **attributes: object) -> tuple[str, ...]:
    """Return a group of ``inner`` elements, not joined, because each join would copy all of a large picture."""
    return (f"{element('g', **attributes)[:-2]}>", *inner, "</g>")


@lru_cache(maxsize=1 << 14, typed=True)
def _attribute(key: str, value: object) -> str:
    """Return an attribute as text from a cache: a replay draws the same things hundreds of times."""
    return f" {key.rstrip('_').replace('_', '-')}={quoteattr(str(value))}"


@lru_cache(maxsize=1 << 13, typed=True)
def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return the greatest width in pixels of ``text`` in any common sans-serif font of ``size``."""
    wide = sum(map(_em, printable(text)))
    return wide * size * (1.08 if is_bold else 1.0)


def text_lines(text: str, room: float, size: float) -> list[str]:
    """Return ``text`` in lines that fit into ``room`` pixels, broken at blanks; a word that is too long stays whole."""
    lines = [""]
    for word in printable(text).split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and text_width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@lru_cache(maxsize=1 << 12)
def _em(character: str) -> float:
    if character in "iIjl.,:;|!'’ ()[]ft·":
        return 0.4
    if character in "MWmw@%—…":
        return 1.0
    return 0.74 if character.isupper() or character.isdigit() else 0.64 * max(1, character_width(character))


def plain(text: str) -> str:
    """Return ``text`` escaped for a place between two tags."""
    return escape(printable(text))


@lru_cache(maxsize=1 << 12, typed=True)
def words(text: str, x: float, y: float, *, size: int = 11, anchor: str = "middle", **attributes: object) -> str:
    """Return ``text`` with its middle (or ``anchor``) at ``x`` and its base line at ``y``, in pixels."""
    return element("text", plain(text), x=x, y=y, font_size=size, text_anchor=anchor, **attributes)
