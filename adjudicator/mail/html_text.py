"""Turn the HTML of a mail into lines of text, with marks for quotes and without hidden text.

One pass splits the page into tags and text. It builds no tree: tree builders repeat the formats that a broken page leaves
open, so 27 KB of HTML can become a tree of more than a gigabyte.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from adjudicator.mail.limits import MOST_TAGS, MailError

_UNSEEN: Final = frozenset(
    {"head", "script", "style", "title", "template", "noscript", "select", "button", "object", "svg"}
    | {"iframe", "noembed", "noframes"}
)
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "table"}
    | {"tbody", "td", "tfoot", "th", "thead", "tr", "ul"}
)
_APART: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "pre"})
"""Blocks with a blank line above and below."""
_BESIDE: Final = frozenset({"td", "th"})
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_RAW: Final = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
"""Elements that hold only text, even if it looks like a tag."""
_DEEPEST_QUOTE: Final = 20

_BLANK: Final = r" \t\n\r\f"
_PIECE: Final = re.compile(
    r"(?P<text>[^<]++)"
    r"|(?P<comment><!--(?!-?>))"
    r"|<(?:[!?]|/(?=[^a-zA-Z]))[^>]*+>?+"
    rf"|<(?P<slash>/?+)(?P<tag>[a-zA-Z][^{_BLANK}/>]*+)"
    r"|(?P<sign><)"
)
"""Text, the beginning of a comment, a declaration, the beginning of a tag, or a lone ``<``, as in the HTML standard.

One of them matches anywhere, and no quantifier backtracks, so each character is read a fixed number of times. No such
quantifier follows a group: Python before 3.11.5 matches too much there.
"""
_ATTRIBUTE: Final = re.compile(
    rf"[{_BLANK}/]*+(?P<name>[^{_BLANK}/>][^{_BLANK}/>=]*+)"
    rf"(?:[{_BLANK}]*+=[{_BLANK}]*+(?P<value>\"[^\"]*+\"?+|'[^']*+'?+|[^{_BLANK}>]*+))?"
)
_TAG_END: Final = re.compile(rf"[{_BLANK}/]*+(>?+)")
_COMMENT_END: Final = re.compile(r"--!?+>")
_BLANKS: Final = re.compile(rf"[{_BLANK}]++")
_RAW_END: Final = {tag: re.compile(rf"</{tag}(?=[{_BLANK}/>])", re.IGNORECASE) for tag in _RAW}
_LONG_NUMBER: Final = re.compile(r"&#(?:[0-9]{100,}+|[xX][0-9a-fA-F]{100,}+)")
"""The number of a character that Unicode lacks. Python may refuse such a long number."""


def html_lines(text: str) -> list[str]:
    """Return the visible text of the page ``text``, line by line. Raises ``MailError`` if it has too many tags."""
    if text.count("<") > MOST_TAGS:
        raise MailError("mail/too-many-tags", f"the HTML of the mail has more than {MOST_TAGS:,} tags")
    page = _Page()
    page.read(text)
    return page.finished()


class _Page:
    """Collects the text of a page, each line with its depth of quotation."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._has_room = True  # nothing is above, or a blank line
        self._words: list[str] = []
        self._open: list[tuple[str, bool, bool, bool]] = []  # tag, whether it hides, quotes, keeps blanks
        self._hiding = self._quoting = self._keeping = 0
        self._counts: dict[str, int] = {}

    def read(self, text: str) -> None:
        """Read the page piece by piece. A comment or tag without an end hides everything below it, as in browsers."""
        at = 0
        while piece := _PIECE.match(text, at):
            at = piece.end()
            if piece["tag"]:
                at = self._read_tag(text, at, piece["tag"].lower(), is_end=bool(piece["slash"]))
            elif piece["comment"]:
                end = _COMMENT_END.search(text, at)
                at = end.end() if end else len(text)
            else:
                self._write(piece["text"] or piece["sign"] or "")

    def _read_tag(self, text: str, at: int, tag: str, *, is_end: bool) -> int:
        """Read the rest of a tag, and its text if it holds only text. Return where that ends."""
        values: dict[str, str] = {}
        while found := _ATTRIBUTE.match(text, at):
            at = found.end()
            values.setdefault(found["name"].lower(), found["value"] or "")
        closed = _TAG_END.match(text, at)
        if closed is None or not closed[1]:
            return len(text)
        at = closed.end()
        if is_end:
            self._end(tag)
            return at
        self._begin(tag, values)
        if tag not in _RAW_END:
            return at
        end = _RAW_END[tag].search(text, at)
        until = end.start() if end else len(text)
        self._write(text[at:until])
        return until

    def finished(self) -> list[str]:
        """Return the lines, without blank lines at both ends."""
        self._end_line()
        lines = self._lines
        while lines and not lines[-1].strip("> "):
            lines.pop()
        return lines

    def _begin(self, tag: str, values: dict[str, str]) -> None:
        """Begin an element with its attributes ``values``. The slash of ``<p/>`` has no effect, as in browsers."""
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
        style = _unescaped(values.get("style", "").strip("\"'")).lower().replace(" ", "")
        hides = tag in _UNSEEN or "hidden" in values or "display:none" in style
        self._push(tag, hides, tag == "blockquote" and _is_quote(style), tag == "pre" or "white-space:pre" in style)

    def _end(self, tag: str) -> None:
        """End an element, and all open elements in it."""
        if not self._counts.get(tag):
            return
        if tag in _BLOCKS and tag not in _BESIDE:
            self._end_line()
        while self._pop() != tag:
            pass
        if tag in _APART:
            self._leave_room()

    def _write(self, data: str) -> None:
        """Write ``data``; join several blanks into one, except in preformatted text."""
        if self._hiding or not data:
            return
        data = _unescaped(data)
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
        """End the present line. An empty line counts only if it ``is_forced``."""
        words = "".join(self._words).rstrip(" ") if not self._keeping else "".join(self._words)
        self._words = []
        if words.strip() or (is_forced and not self._hiding):
            self._write_line(words)

    def _write_line(self, words: str) -> None:
        mark = ">" * min(self._quoting, _DEEPEST_QUOTE)
        line = f"{mark} {words}".rstrip() if mark else words
        self._lines.append(line)
        self._has_room = not line.strip("> ")

    def _leave_room(self) -> None:
        if not (self._has_room or self._hiding):
            self._write_line("")


def _unescaped(text: str) -> str:
    return unescape(_LONG_NUMBER.sub("\ufffd", text)) if "&" in text else text


def _is_quote(style: str) -> bool:
    """Return whether a block quote with this ``style`` is a quote: programs indent with block quotes without a border."""
    return "border:none" not in style or "border-left" in style
