"""Turn the HTML of a mail into lines of text, with marks for quotes and without hidden text.

One pass splits the page into tags and text. It builds no tree: tree builders repeat the formats that a broken page leaves
open, so 27 KB of HTML can become a tree of more than a gigabyte; the library's parser takes quadratic time on Python 3.11.
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from typing import Final

from adjudicator.mail import MOST_TAGS, MailError

_UNSEEN: Final = re.compile("head|script|style|title|template|noscript|select|button|object|svg|iframe|noembed|noframes")
_APART: Final = re.compile(r"p|h[1-6]|[uod]l|table|blockquote|pre")
"""Blocks with a blank line above and below."""
_BESIDE: Final = ("td", "th")
_BLOCK: Final = re.compile(
    rf"{_APART.pattern}|address|article|aside|body|center|d[dt]|div|fieldset|footer|form|header|hr|html|li|main|nav|section"
    r"|t(?:body|foot|head|[rdh])"
)
_VOID: Final = re.compile("area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr")
_RAW: Final = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
"""Elements that hold only text, even if it looks like a tag."""
_DEEPEST_QUOTE: Final = 20
_QUOTES: Final = re.compile(
    r"(?:ydp\w{1,20})?yahoo_quoted|OLK_SRC_BODY_SECTION|moz-forward-container"
    r"|mail-editor-reference-message-container|ms-outlook-mobile-reference-message|isReplyContent|isForwardContent"
)
"""Ids and classes of elements that hold an earlier mail."""
_ANSWERED: Final = "gmail_quote"
"""The class of such an element whose block quotes, of the same class, may have answers between them."""
_BEGINS: Final = frozenset({"divRplyFwdMsg", "appendonsend"})
"""Ids of elements above an earlier mail that continues to the end, which readers know by a line with a title."""
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
    """Return the visible text of the page ``text``, line by line. Raises ``MailError`` if it has too many tags.

    A comment or tag without an end hides everything below it, as in browsers.
    """
    if text.count("<") > MOST_TAGS:
        raise MailError("mail/too-many-tags", f"the HTML of the mail has more than {MOST_TAGS:,} tags")
    page, at = _Page(), 0
    while piece := _PIECE.match(text, at):
        at = piece.end()
        if piece["comment"]:
            end = _COMMENT_END.search(text, at)
            at = end.end() if end else len(text)
        if not piece["tag"]:
            page.write(piece["text"] or piece["sign"] or "")
            continue
        tag, values = piece["tag"].lower(), dict[str, str]()
        while found := _ATTRIBUTE.match(text, at):
            at = found.end()
            values.setdefault(found["name"].lower(), _unescaped((found["value"] or "").strip("\"'")))
        closed = _TAG_END.match(text, at)
        if closed is None or not closed[1]:
            break
        at = closed.end()
        if piece["slash"]:
            page.end(tag)
            continue
        page.begin(tag, values)
        if tag in _RAW_END:
            end = _RAW_END[tag].search(text, at)
            page.write(text[at : end.start() if end else None])
            at = end.start() if end else len(text)
    return page.finished()


class _Page:
    """Collects the text of a page, each line with its depth of quotation, and struck-out words between ``~~``.

    ``depths`` counts the open elements by tag, and those that hide, quote, keep blanks, strike out, may be answered.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.words: list[str] = []
        self.unstruck: list[str] = []  # the words of the line before those that are struck out
        self.open: list[tuple[str, set[str]]] = []
        self.depths: Counter[str] = Counter()
        self.earlier = -1  # the line where an earlier mail begins that may have no marks of its own
        self.has_room = True  # nothing is above, or a blank line

    def begin(self, tag: str, values: dict[str, str]) -> None:
        """Begin an element with its attributes ``values``. The slash of ``<p/>`` has no effect, as in browsers."""
        depths = self.depths
        if tag in _BESIDE and self.words:
            self.words.append("  ")
        elif tag == "br" or _BLOCK.fullmatch(tag):
            self.end_line(is_forced=tag == "br")
        self.leave_room(tag)
        if tag == "hr":
            self.write_line("-----")
        if _VOID.fullmatch(tag):
            return
        style = values.get("style", "").lower().replace(" ", "")
        marks = {*values.get("class", "").split(), values.get("id", "")}
        # Programs indent with block quotes without a border.
        is_quote = "border:none" not in style or "border-left" in style or values.get("type", "").lower() == "cite"
        is_quote = tag == "blockquote" and (is_quote or _ANSWERED in marks)
        if is_quote and _ANSWERED in marks and depths["answered"] == 1:
            self.earlier = -1  # its quotes have marks: what is between them may be an answer
        if not marks.isdisjoint(_BEGINS) and not depths["hides"]:
            self.write_line("-----Original Message-----")
        kinds = {
            "hides": bool(_UNSEEN.fullmatch(tag)) or "hidden" in values or "display:none" in style,
            "quotes": is_quote or any(map(_QUOTES.fullmatch, marks)),
            "keeps": tag == "pre" or "white-space:pre" in style,
            "strikes": tag in ("s", "del", "strike") or "line-through" in style,
            "answered": not is_quote and _ANSWERED in marks,
        }
        if kinds["answered"] and not depths["answered"] and not depths["quotes"]:
            self.end_line()
            self.earlier = len(self.lines)
        if kinds["strikes"] and not depths["strikes"]:
            self.unstruck, self.words = self.words, []
        self.open.append((tag, {f"<{tag}>", *(kind for kind, is_so in kinds.items() if is_so)}))
        depths.update(self.open[-1][1])

    def end(self, tag: str) -> None:
        if not self.depths[f"<{tag}>"]:
            return
        if tag not in _BESIDE and _BLOCK.fullmatch(tag):
            self.end_line()
        ended = ""
        while ended != tag:
            ended, kinds = self.open.pop()
            self.depths.subtract(kinds)
            if "strikes" in kinds and not self.depths["strikes"]:
                self.join_struck()
            if "answered" in kinds and not self.depths["answered"] and self.earlier >= 0:
                self.end_line()
                self.lines[self.earlier :] = [f"> {line}".rstrip() for line in self.lines[self.earlier :]]
                self.earlier = -1
        self.leave_room(tag)

    def finished(self) -> list[str]:
        self.end_line()
        while self.open:
            self.end(self.open[0][0])
        while self.lines and not self.lines[-1].strip("> "):
            self.lines.pop()
        return self.lines

    def write(self, data: str) -> None:
        """Write ``data``; join several blanks into one, except in preformatted text."""
        if self.depths["hides"] or not data:
            return
        data = _unescaped(data)
        if not self.depths["keeps"]:
            is_after_blank = not self.words or not self.words[-1] or self.words[-1].endswith(" ")
            words = _BLANKS.sub(" ", data)
            self.words.append(words[1:] if words.startswith(" ") and is_after_blank else words)
            return
        first, *others = data.replace("\r\n", "\n").split("\n")
        self.words.append(first)
        for other in others:
            self.end_line(is_forced=True)
            self.words.append(other)

    def end_line(self, *, is_forced: bool = False) -> None:
        """End the present line. An empty line counts only if it ``is_forced``."""
        if self.depths["strikes"]:
            self.join_struck()
        words = "".join(self.words).rstrip(" ") if not self.depths["keeps"] else "".join(self.words)
        self.words = []
        if words.strip() or (is_forced and not self.depths["hides"]):
            self.write_line(words)

    def join_struck(self) -> None:
        """Put the struck-out words behind the others of the line."""
        struck = "".join(self.words).replace("~", " ").strip()
        self.words, self.unstruck = [*self.unstruck, *([f"~~{struck}~~"] if struck else [])], []

    def write_line(self, words: str) -> None:
        mark = ">" * min(self.depths["quotes"], _DEEPEST_QUOTE)
        self.lines.append(f"{mark} {words}".rstrip() if mark else words)
        self.has_room = not self.lines[-1].strip("> ")

    def leave_room(self, tag: str) -> None:
        if _APART.fullmatch(tag) and not (self.has_room or self.depths["hides"]):
            self.write_line("")


def _unescaped(text: str) -> str:
    return unescape(_LONG_NUMBER.sub("\ufffd", text)) if "&" in text else text
