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
_BLOCK: Final = re.compile(
    rf"{_APART.pattern}|address|article|aside|body|center|d[dt]|div|fieldset|footer|form|header|hr|html|li|main|nav|section"
    r"|t(?:body|foot|head|r)"
)
_VOID: Final = re.compile("area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr")
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
    rf"[{_BLANK}/]*+(?:(?P<end>>)|(?P<name>[^{_BLANK}/>][^{_BLANK}/>=]*+)"
    rf"(?:[{_BLANK}]*+=[{_BLANK}]*+(?P<value>\"[^\"]*+\"?+|'[^']*+'?+|[^{_BLANK}>]*+))?)"
)
"""An attribute, or the end of the tag."""
_BLANKS: Final = re.compile(rf"[{_BLANK}]++")
_COMMENT_END: Final = re.compile(r"--!?+>|\Z")
_RAW: Final = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
"""Elements that hold only text, even if it looks like a tag."""
_RAW_END: Final = {tag: re.compile(rf"</{tag}(?=[{_BLANK}/>])|\Z", re.IGNORECASE) for tag in _RAW}
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
            at = _COMMENT_END.search(text, at).end()  # type: ignore[union-attr]  # the end of the text is one, too
        if not piece["tag"]:
            page.write(piece["text"] or piece["sign"] or "")
            continue
        tag, values = piece["tag"].lower(), dict[str, str]()
        while (found := _ATTRIBUTE.match(text, at)) and found["name"]:
            at = found.end()
            values.setdefault(found["name"].lower(), _unescaped((found["value"] or "").strip("\"'")))
        if found is None:
            break
        at = found.end()
        if piece["slash"]:
            page.end(tag)
            continue
        page.begin(tag, values)
        if tag in _RAW_END:
            end = _RAW_END[tag].search(text, at).start()  # type: ignore[union-attr]
            page.write(text[at:end])
            at = end
    page.end_line()
    while page.open:
        page.end(page.open[-1][0])
    while page.lines and not page.lines[-1].strip("> "):
        page.lines.pop()
    return page.lines


def _unescaped(text: str) -> str:
    return unescape(_LONG_NUMBER.sub("\ufffd", text)) if "&" in text else text


class _Page:
    """The text of a page, each line with its depth of quotation, and struck-out words between ``~~``.

    ``depths`` counts the open elements by tag, and those that hide, quote, keep blanks, strike out, may be answered.
    ``earlier`` is the line where an earlier mail begins that may have no marks of its own, or -1.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.words: list[str] = []
        self.struck = 0  # the index of the first struck-out word of the line
        self.open: list[tuple[str, set[str]]] = []
        self.depths: Counter[str] = Counter()
        self.earlier = -1

    def begin(self, tag: str, values: dict[str, str]) -> None:
        """Begin an element with its attributes ``values``. The slash of ``<p/>`` has no effect, as in browsers."""
        depths = self.depths
        if tag in ("td", "th") and self.words:
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
        is_indented = "border:none" in style and "border-left" not in style and values.get("type", "").lower() != "cite"
        is_quote = tag == "blockquote" and (_ANSWERED in marks or not is_indented)
        if is_quote and _ANSWERED in marks and depths["answered"] == 1:
            self.earlier = -1  # its quotes have marks: what is between them may be an answer
        if not marks.isdisjoint(_BEGINS) and not depths["hides"]:
            self.write_line("-----Original Message-----")
        kinds = {
            f"<{tag}>": True,
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
            self.struck = len(self.words)
        self.open.append((tag, {kind for kind, is_so in kinds.items() if is_so}))
        depths.update(self.open[-1][1])

    def end(self, tag: str) -> None:
        """End an element, and all open elements in it."""
        if not self.depths[f"<{tag}>"]:
            return
        if _BLOCK.fullmatch(tag):
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

    def write(self, data: str) -> None:
        """Write ``data``; join several blanks into one, except in preformatted text."""
        if self.depths["hides"] or not data:
            return
        first, *others = [_unescaped(data)]
        if self.depths["keeps"]:
            first, *others = first.replace("\r\n", "\n").split("\n")
        else:
            first = _BLANKS.sub(" ", first)
            if not self.words or self.words[-1][-1:] in ("", " "):
                first = first.removeprefix(" ")
        self.words.append(first)
        for other in others:
            self.end_line(is_forced=True)
            self.words.append(other)

    def end_line(self, *, is_forced: bool = False) -> None:
        """End the present line. An empty line counts only if it ``is_forced``."""
        if self.depths["strikes"]:
            self.join_struck()
        words = "".join(self.words).rstrip("" if self.depths["keeps"] else " ")
        self.words, self.struck = [], 0
        if words.strip() or (is_forced and not self.depths["hides"]):
            self.write_line(words)

    def join_struck(self) -> None:
        struck = "".join(self.words[self.struck :]).replace("~", " ").strip()
        self.words[self.struck :] = [f"~~{struck}~~"] if struck else []

    def write_line(self, words: str) -> None:
        mark = ">" * min(self.depths["quotes"], 20)
        self.lines.append(f"{mark} {words}".rstrip() if mark else words)

    def leave_room(self, tag: str) -> None:
        if _APART.fullmatch(tag) and not self.depths["hides"] and self.lines and self.lines[-1].strip("> "):
            self.write_line("")
