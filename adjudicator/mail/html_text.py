"""Turn the HTML of a mail into lines of text, with marks for quotes and without hidden text.

One pass splits the page into tags and text. It builds no tree: tree builders repeat the formats that a broken page leaves
open, so 27 KB of HTML can become a tree of more than a gigabyte.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final, NamedTuple

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
_STRUCK: Final = frozenset({"s", "del", "strike"})
_DEEPEST_QUOTE: Final = 20
_QUOTES: Final = re.compile(
    r"(?:ydp\w{1,20})?yahoo_quoted|OLK_SRC_BODY_SECTION|moz-forward-container"
    r"|mail-editor-reference-message-container|ms-outlook-mobile-reference-message|isReplyContent|isForwardContent"
)
"""Ids and classes of elements that hold an earlier mail."""
_ANSWERED: Final = "gmail_quote"
"""The class of such an element whose block quotes, of the same class, may have answers between them."""
_BEGINS: Final = frozenset({"divRplyFwdMsg", "appendonsend"})
"""Ids of elements above an earlier mail that continues to the end."""
_TITLE: Final = "-----Original Message-----"
"""The line that shows readers such a beginning."""

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


class _Element(NamedTuple):
    """An open element: its tag, and whether it hides, quotes, keeps blanks, strikes out, may have answers in it."""

    tag: str
    hides: bool
    quotes: bool
    keeps: bool
    strikes: bool
    is_answered: bool


class _Page:
    """Collects the text of a page, each line with its depth of quotation, and struck-out words between ``~~``."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._has_room = True  # nothing is above, or a blank line
        self._words: list[str] = []
        self._unstruck: list[str] = []  # the words of the line before those that are struck out
        self._open: list[_Element] = []
        self._hiding = self._quoting = self._keeping = self._striking = self._answered = 0
        self._earlier = -1  # the line where an earlier mail begins that may have no marks of its own
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
        while self._open:
            self._pop()
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
        style, names, kind = (_unescaped(values.get(name, "").strip("\"'")) for name in ("style", "class", "type"))
        style = style.lower().replace(" ", "")
        marks = {*names.split(), _unescaped(values.get("id", "").strip("\"'"))}
        is_block_quote = tag == "blockquote" and (_is_quote(style) or kind.lower() == "cite" or _ANSWERED in marks)
        if is_block_quote and _ANSWERED in marks and self._answered == 1:
            self._earlier = -1  # its quotes have marks: what is between them may be an answer
        if not marks.isdisjoint(_BEGINS) and not self._hiding:
            self._write_line(_TITLE)
        self._push(
            _Element(
                tag,
                hides=tag in _UNSEEN or "hidden" in values or "display:none" in style,
                quotes=is_block_quote or any(map(_QUOTES.fullmatch, marks)),
                keeps=tag == "pre" or "white-space:pre" in style,
                strikes=tag in _STRUCK or "line-through" in style,
                is_answered=not is_block_quote and _ANSWERED in marks,
            )
        )

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

    def _push(self, element: _Element) -> None:
        if element.is_answered and not self._answered and not self._quoting:
            self._end_line()
            self._earlier = len(self._lines)
        if element.strikes and not self._striking:
            self._unstruck, self._words = self._words, []
        self._open.append(element)
        self._count(element, 1)

    def _pop(self) -> str:
        element = self._open.pop()
        self._count(element, -1)
        if element.strikes and not self._striking:
            self._join_struck()
        if element.is_answered and not self._answered and self._earlier >= 0:
            self._end_line()
            self._lines[self._earlier :] = [f"> {line}".rstrip() for line in self._lines[self._earlier :]]
            self._earlier = -1
        return element.tag

    def _count(self, element: _Element, step: int) -> None:
        self._counts[element.tag] = self._counts.get(element.tag, 0) + step
        self._hiding += step * element.hides
        self._quoting += step * element.quotes
        self._keeping += step * element.keeps
        self._striking += step * element.strikes
        self._answered += step * element.is_answered

    def _join_struck(self) -> None:
        """Put the struck-out words behind the others of the line."""
        struck = "".join(self._words).replace("~", " ").strip()
        self._words, self._unstruck = [*self._unstruck, *([f"~~{struck}~~"] if struck else [])], []

    def _end_line(self, *, is_forced: bool = False) -> None:
        """End the present line. An empty line counts only if it ``is_forced``."""
        if self._striking:
            self._join_struck()
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
