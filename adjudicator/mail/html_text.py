"""Turn the HTML of a mail into lines of text: quotes get their marks, and hidden text is left out.

One pass cuts the page into tags and text, and no tree is built: a parser that builds one repeats the formats that a broken
page leaves open, so that 27 KB of HTML can become a tree of more than a gigabyte.
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
"""Blocks with room above and below."""
_BESIDE: Final = frozenset({"td", "th"})
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_RAW: Final = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
"""Elements that hold only text: a tag in them is text."""
_DEEPEST_QUOTE: Final = 20

_BLANK: Final = r" \t\n\r\f"
_NAME: Final = rf"[^{_BLANK}/>][^{_BLANK}/>=]*+"
_VALUE: Final = rf"[{_BLANK}]*+=[{_BLANK}]*+(?:\"[^\"]*+\"?+|'[^']*+'?+|[^{_BLANK}>]*+)"
_PIECE: Final = re.compile(
    r"(?P<text>[^<]++)"
    r"|<!--(?:-?+>|(?:[^-]++|-(?!-!?+>))*+(?:--!?+>|\Z))"
    r"|<(?:[!?]|/(?=[^a-zA-Z]))[^>]*+(?:>|\Z)"
    rf"|<(?P<slash>/?+)(?P<tag>[a-zA-Z][^{_BLANK}/>]*+)(?P<rest>(?:[{_BLANK}/]++|{_NAME}(?:{_VALUE})?+)*+)(?P<end>>|\Z)"
    r"|(?P<sign><)"
)
"""Text, a comment, a declaration, a tag, or the sign alone, as the HTML standard cuts a page.

It never fails, and its quantifiers give nothing back. So each character is read a fixed number of times in any page.
"""
_ATTRIBUTE: Final = re.compile(rf"({_NAME})((?:{_VALUE})?+)")
_BLANKS: Final = re.compile(rf"[{_BLANK}]++")
_RAW_END: Final = {tag: re.compile(rf"</{tag}(?=[{_BLANK}/>])", re.IGNORECASE) for tag in _RAW}
_LONG_NUMBER: Final = re.compile(r"&#(?:[0-9]{100,}+|[xX][0-9a-fA-F]{100,}+)")
"""The number of a character that Unicode does not have; Python may refuse to read so long a number."""


def html_lines(text: str) -> list[str]:
    """Return the visible text of the page ``text``, line by line. Raises ``MailError`` if it has too many tags."""
    if text.count("<") > MOST_TAGS:
        raise MailError("mail/too-many-tags", f"the mail is written in HTML with more than {MOST_TAGS:,} tags")
    page = _Page()
    page.read(text)
    return page.finished()


class _Page:
    """Collects the text of a page; each line knows how often it is quoted."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._has_room = True  # nothing is above, or a blank line
        self._words: list[str] = []
        self._open: list[tuple[str, bool, bool, bool]] = []  # tag, whether it hides, quotes, keeps blanks
        self._hiding = self._quoting = self._keeping = 0
        self._counts: dict[str, int] = {}

    def read(self, text: str) -> None:
        """Read the page piece by piece. A tag that never ends, and all below it, is left out, as in browsers."""
        at = 0
        while piece := _PIECE.match(text, at):
            at, tag = piece.end(), (piece["tag"] or "").lower()
            if not tag:
                self._write(piece["text"] or piece["sign"] or "")
            elif not piece["end"]:
                return
            elif piece["slash"]:
                self._end(tag)
            else:
                self._begin(tag, piece["rest"])
                if tag in _RAW_END:
                    closing = _RAW_END[tag].search(text, at)
                    begun, at = at, closing.start() if closing else len(text)
                    self._write(text[begun:at])

    def finished(self) -> list[str]:
        """Return the lines, without blank ones at both ends."""
        self._end_line()
        lines = self._lines
        while lines and not lines[-1].strip("> "):
            lines.pop()
        return lines

    def _begin(self, tag: str, rest: str) -> None:
        """Begin what ``tag`` begins; ``rest`` are its attributes. The slash of ``<p/>`` means nothing, as in browsers."""
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
        is_hidden, style = _look(rest)
        hides = tag in _UNSEEN or is_hidden or "display:none" in style
        self._push(tag, hides, tag == "blockquote" and _is_quote(style), tag == "pre" or "white-space:pre" in style)

    def _end(self, tag: str) -> None:
        """End what ``tag`` ends, and everything in it that was left open."""
        if not self._counts.get(tag):
            return
        if tag in _BLOCKS and tag not in _BESIDE:
            self._end_line()
        while self._pop() != tag:
            pass
        if tag in _APART:
            self._leave_room()

    def _write(self, data: str) -> None:
        """Write ``data``, blanks drawn together where they are not kept."""
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
        """End the line that is being written; an empty one only if it ``is_forced``."""
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


def _look(rest: str) -> tuple[bool, str]:
    """Return whether the attributes ``rest`` of a tag hide it, and its style, in lower case and without blanks."""
    if "hidden" not in rest.lower() and "style" not in rest.lower():
        return False, ""
    values: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(rest):
        values.setdefault(name.lower(), value)
    style = _unescaped(values.get("style", "").lstrip(" \t\n\r\f=").strip("\"'"))
    return "hidden" in values, style.lower().replace(" ", "")


def _unescaped(text: str) -> str:
    return unescape(_LONG_NUMBER.sub("\ufffd", text)) if "&" in text else text


def _is_quote(style: str) -> bool:
    """Return whether a block quote with this ``style`` quotes: without a border it is how programs indent."""
    return "border:none" not in style or "border-left" in style
