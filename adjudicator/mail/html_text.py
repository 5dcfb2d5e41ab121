"""HTML as mail programs write it, as lines of text: quotes get their marks, what is not shown goes.

The standard library's parser is used because it builds no tree: those that do take quadratic time over tags within tags.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

from adjudicator.mail.limits import MOST_TAGS, MailError

_UNSEEN: Final = frozenset({"head", "script", "style", "title", "template", "noscript", "select", "button", "object", "svg"})
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "table"}
    | {"tbody", "td", "tfoot", "th", "thead", "tr", "ul"}
)
_APART: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "pre"})
"""Blocks with room above and below."""
_BESIDE: Final = frozenset({"td", "th"})
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_BLANKS: Final = re.compile(r"[ \t\n\r\f]+")
_MOST_DECLARATIONS: Final = 1_000
_DEEPEST_QUOTE: Final = 20


def html_lines(text: str) -> list[str]:
    """Return what is seen of the page ``text``, line by line. Raises ``MailError`` if it has too many tags."""
    if text.count("<") > MOST_TAGS or text.count("<!") > _MOST_DECLARATIONS:
        raise MailError("mail/too-many-tags", f"the mail is written in HTML with more than {MOST_TAGS:,} tags")
    page = _Page()
    page.feed(_without_open_comment(text))
    page.close()
    return page.finished()


def _without_open_comment(text: str) -> str:
    """Return ``text`` without a comment that never ends: versions of the parser differ about it, browsers do not."""
    start = text.find("<!--", max(text.rfind("-->"), 0))
    return text if start < 0 else text[:start]


class _Page(HTMLParser):
    """Collects the text of a page; each line knows how often it is quoted."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[str] = []
        self._words: list[str] = []
        self._open: list[tuple[str, bool, bool, bool]] = []  # tag, whether it hides, quotes, keeps blanks
        self._hiding = self._quoting = self._keeping = 0
        self._counts: dict[str, int] = {}

    def finished(self) -> list[str]:
        """Return the lines, without blank ones at both ends."""
        self._end_line()
        lines = self._lines
        while lines and not lines[-1].strip("> "):
            lines.pop()
        return lines

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin what ``tag`` begins."""
        if tag == "br":
            self._end_line(is_forced=True)
            return
        if tag in _BLOCKS and not (tag in _BESIDE and self._words):
            self._end_line()
        elif tag in _BESIDE:
            self._words.append("  ")
        if tag in _APART:
            self._leave_room()
        if tag in _VOID:
            if tag == "hr":
                self._write_line("-----")
            return
        values = {name: (value or "").lower() for name, value in attrs if name in ("style", "hidden", "class", "type")}
        style = values.get("style", "").replace(" ", "")
        hides = tag in _UNSEEN or "hidden" in values or "display:none" in style
        self._push(tag, hides, tag == "blockquote" and _is_quote(style), tag == "pre" or "white-space:pre" in style)

    def handle_endtag(self, tag: str) -> None:
        """End what ``tag`` ends, and everything in it that was left open."""
        if not self._counts.get(tag):
            return
        if tag in _BLOCKS and tag not in _BESIDE:
            self._end_line()
        while self._pop() != tag:
            pass
        if tag in _APART:
            self._leave_room()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take ``<p/>`` for what browsers take it for: the slash is nothing."""
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        """Write ``data``, blanks drawn together where they are not kept."""
        if self._hiding:
            return
        if not self._keeping:
            words = _BLANKS.sub(" ", data)
            self._words.append(words[1:] if words.startswith(" ") and self._is_after_blank() else words)
            return
        first, *others = data.replace("\r\n", "\n").split("\n")
        self._words.append(first)
        for other in others:
            self._end_line(is_forced=True)
            self._words.append(other)

    def _is_after_blank(self) -> bool:
        return not self._words or not self._words[-1] or self._words[-1].endswith(" ")

    def _push(self, tag: str, hides: bool, quotes: bool, keeps: bool) -> None:
        self._open.append((tag, hides, quotes, keeps))
        self._counts[tag] = self._counts.get(tag, 0) + 1
        self._hiding += hides
        self._quoting += quotes
        self._keeping += keeps

    def _pop(self) -> str:
        tag, hides, quotes, keeps = self._open.pop()
        self._counts[tag] -= 1
        self._hiding -= hides
        self._quoting -= quotes
        self._keeping -= keeps
        return tag

    def _end_line(self, *, is_forced: bool = False) -> None:
        """End the line that is being written; an empty one only if it ``is_forced``."""
        words = "".join(self._words).rstrip(" ") if not self._keeping else "".join(self._words)
        self._words = []
        if words.strip() or (is_forced and not self._hiding):
            self._write_line(words)

    def _write_line(self, words: str) -> None:
        mark = ">" * min(self._quoting, _DEEPEST_QUOTE)
        self._lines.append(f"{mark} {words}".rstrip() if mark else words)

    def _leave_room(self) -> None:
        if self._lines and self._lines[-1].strip("> ") and not self._hiding:
            self._write_line("")


def _is_quote(style: str) -> bool:
    """Return whether a block quote with this ``style`` quotes: without a border it is how programs indent."""
    return "border:none" not in style or "border-left" in style
