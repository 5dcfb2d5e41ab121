"""Read one mail: its lines, when it was received, who sent it, its attachments.

One pass finds the borders between the parts of a mail. The content of attachments is skipped and never decoded, and the
library parses only heads: its own parser nests calls as deep as the mail nests parts.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections import Counter
from functools import cached_property
from html import unescape
from typing import Final

from adjudicator.core.values import Value, digest
from adjudicator.mail import (
    MOST_BYTES,
    MOST_DEPTH,
    MOST_FIELDS,
    MOST_HEAD,
    MOST_LINES,
    MOST_PARTS,
    MOST_TAGS,
    MOST_TEXT,
    MailError,
)
from adjudicator.mail.envelope import decode, decode_words, head_of, moment, sender_of

_HEAD: Final = re.compile(
    rb"(?:(?:From (?=[^\n]*\n(?:From |[!-9;-~]*:))|[!-9;-~]*:|[ \t])[^\n]*(?:\n|\Z)){0,%d}\n?" % (MOST_LINES + 1)
)
"""The head of a part, and the blank line below it. The library stores something for each repetition."""
_BORDER: Final = re.compile(rb"\n--([^\n]*)")
_DEFAULT: Final = {"multipart/digest": "message/rfc822"}
"""The kind of parts that do not say it, by the kind of the part around them."""
_LEFT_OUT: Final = re.compile(rb"([0-9]{1,9}) bytes left out\s*")
"""What replaces the content of an attachment in a lean mail."""
_UNREADABLE: Final = re.compile(rb"X-Adjudicator-Left-Out: (mail/[a-z-]{1,40}) ([ -~]{1,200})\n")
"""The first line of a lean mail that cannot be read: the code and the message of its problem."""
_LONGEST_NAME: Final = 80
_LONGEST_ENCODED: Final = 500
"""Characters of an encoded file name to decode: the library takes quadratic time to decode them."""
_SILENT: Final = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-keys"}
)
"""Kinds of attachments that no list mentions: programs add them."""
_QUOTED_FROM: Final = re.compile(r"^>+From ", re.MULTILINE)
"""The beginning of a line that an mbox file quotes; not every program removes the quote."""
_NARROWEST: Final = 60
"""Columns below which no program wraps: the writer typed a space at the end of a shorter line."""
_LINES: Final = "lines without its attachments: send only your orders"
_END: Final = re.compile(r" \| *")
_HEADER: Final = re.compile(r"game [^ |]+ \|", re.IGNORECASE)
"""The header of a mail that the desk began."""


class Mail(Value):
    """The content of a mail.

    ``lines`` are its text, decoded. ``received`` is when the last server received it, in seconds since 1970, or ``None`` if
    no ``Received`` field says so. ``sender`` is the name of the sender, which is not proven.
    ``left_out`` names the attachments, with their sizes. ``identity`` is a hash that all copies of the mail share, whichever
    path they took and however a program has stored them.
    """

    lines: tuple[str, ...]
    received: int | None = None
    sender: str = ""
    left_out: tuple[str, ...] = ()
    identity: str = ""


def read_mail(data: bytes) -> Mail:
    """Return the mail in ``data``. Raises ``MailError`` if it is larger or more tangled than any that a player sends."""
    mail = _read(data)
    head, left_out = mail.head, list[str]()
    written, lines = [line for text in _texts(mail, left_out) for line in text.lines], list[str]()
    # The desk ends each line with ` |`, since some programs join the lines of a link; elsewhere the mark has no meaning.
    is_of_desk = any(map(_HEADER.match, written))
    for line in written:
        *parts, last = [line] if not is_of_desk or line.startswith(">") else _END.split(line)
        lines += [*parts, last] if last or not parts else parts
    name, address = sender_of(head)
    # The identity is what the writer has fixed: servers and programs add fields, encode anew, and quote `From `.
    fields = [head.get(field, "") for field in ("Message-ID", "Date", "Subject")]
    if not any(fields[:2]):  # the first server's field is the only other one that differs in the next mail
        fields[1] = head.get_all("Received", [""])[-1]
    sender = f"{name} <{address}>" if address else head.get("From", "")
    text = _QUOTED_FROM.sub("From ", "\n".join(line.rstrip() for line in lines).strip("\n"))
    said = "\0".join((*map(decode_words, (*fields, sender)), text))
    identity = digest(b"adjudicator mail 1\n", said.encode("utf-8", "surrogatepass"))
    received = moment(head.get("Received", "").rpartition(";")[2])  # the topmost: the reader's own server writes it
    return Mail(tuple(lines), received, name, tuple(left_out), identity)


def lean(data: bytes) -> bytes:
    """Return a mail that reads like the one in ``data``, without the content of its attachments.

    A mail that is small with them stays as it came. A mail that cannot be read becomes one with the same problem.
    """
    if len(data) <= MOST_TEXT:
        return data
    try:
        return _read(data).lean()
    except MailError as problem:
        return f"X-Adjudicator-Left-Out: {problem.code} {problem}\n".encode("ascii", "replace") + data[:MOST_HEAD]


class _Part:
    """A part of a mail, or the mail itself: its head ``at`` a place in the data, its content from ``start`` to ``end``.

    ``border`` is between its ``parts``, if it holds others. ``is_cut`` says that its text is beyond the limit.
    """

    def __init__(self, data: bytes, at: int, start: int, default: str) -> None:
        self.data, self.at, self.start, self.end = data, at, start, start
        self.head = head_of(data[at:start])
        self.head.set_default_type(default)
        self.kind = self.head.get_content_type()
        self.border = self._parameter("boundary").encode("utf-8", "replace") if self.kind.startswith("multipart/") else b""
        self.parts: list[_Part] = []
        self.is_cut = False

    def lean(self) -> bytes:
        """Return the part without the content of attachments, and of a text only as much as shows that it is too long."""
        head, end = self.data[self.at : self.start], min(self.end, self.start + MOST_TEXT + 1)
        if self.parts:
            parts = b"".join(b"\n--%b\n%b" % (self.border, part.lean()) for part in self.parts)
            return b"%b%b\n--%b--\n" % (head, parts, self.border)
        return head + (self.data[self.start : end] if self.is_text else b"%d bytes left out" % self.size)

    @cached_property
    def is_text(self) -> bool:
        """Whether this is plain text or HTML to read, and not a file. Parts without borders between them are a text."""
        main, _, sub = self.kind.partition("/")
        if main == "multipart":
            return not self.parts
        is_text = not main or not sub or self.kind in ("text/plain", "text/html")
        return is_text and self.head.get_content_disposition() != "attachment" and not self._file_name()

    @property
    def size(self) -> int:
        placeholder = _LEFT_OUT.fullmatch(self.data, self.start, self.end)
        if placeholder:
            return int(placeholder[1])
        size = self.end - self.start
        if self.head.get("Content-Transfer-Encoding", "").lower() == "base64":
            size = (size - sum(self.data.count(sign, self.start, self.end) for sign in (b"\n", b"="))) * 3 // 4
        return size

    @property
    def title(self) -> str:
        """What to call an attachment: its file, its kind, its size."""
        kind, name, size = decode_words(self.kind[:_LONGEST_NAME]), self._file_name(), f"{self.size / 1_000:.0f} kB"
        if self.size < 1_000:
            size = "1 byte" if self.size == 1 else f"{self.size} bytes"
        elif self.size >= 999_500:
            size = f"{self.size / 1_000_000:,.1f} MB"
        if kind == "message/rfc822":
            return f"a mail ({size})"
        return f"{name} ({kind}, {size})" if name else f"{kind} ({size})"

    @cached_property
    def lines(self) -> list[str]:
        if self.is_cut:
            raise _too_large()
        self.head.set_payload(self.data[self.start : self.end].decode("ascii", "surrogateescape"))
        data = self.head.get_payload(decode=True)
        text = decode(data if isinstance(data, bytes) else b"", self._parameter("charset"))
        if "\0" in text:
            raise MailError("mail/not-text", "the mail's text is binary data")
        if self.kind == "text/html":
            return _html_lines(text)
        lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
        if self._parameter("format").lower() != "flowed":
            return lines
        # As before wrapping (RFC 3676): a program wrapped a line if it ends with a space, and the next word had no room on
        # it. With DelSp that space is not part of the text. Quoted lines do not change: each has its own mark.
        has_extra_space, joined, parts = self._parameter("delsp").lower() == "yes", list[str](), list[str]()
        for line, following in zip(lines, [*lines[1:], ""], strict=True):
            is_quoted = line.startswith(">")
            if not is_quoted:
                line = line.removeprefix(" ")  # programs add a space to lines that look like quotes
            word = following.split(maxsplit=1)[:1]
            can_end = not line.endswith(" ") or is_quoted or line == "-- " or following.startswith(">")
            if not can_end and word and len(line) + len(word[0]) > _NARROWEST:
                parts.append(line[:-1] if has_extra_space else line)
                continue
            joined.append("".join([*parts, line]))
            parts = []
        return joined

    def _parameter(self, name: str) -> str:
        try:
            value = self.head.get_param(name, "")
            return str(value[2] if isinstance(value, tuple) else value).strip()
        except (ValueError, LookupError, TypeError):  # a wrong one
            return ""

    def _file_name(self) -> str:
        try:
            return decode_words(str(self.head.get_filename(""))[:_LONGEST_ENCODED])[:_LONGEST_NAME]
        except (ValueError, LookupError, TypeError):
            return "a file"


def _read(data: bytes) -> _Part:
    """Return the mail in ``data`` with its parts. Raises ``MailError``."""
    if problem := _UNREADABLE.match(data):
        raise MailError(problem[1].decode(), problem[2].decode())
    if len(data) > MOST_BYTES:
        words = f"the mail has more than {MOST_BYTES // 1_000_000} MB: send your orders again in a mail without attachments"
        raise MailError("mail/too-large", words)
    data = data.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    parts, around, heads, lines, fields = list[_Part](), list[_Part](), 0, 0, 0

    def begin(at: int, default: str) -> _Part:
        nonlocal heads, lines, fields
        start = _HEAD.match(data, at).end()  # type: ignore[union-attr]  # nothing is a head, too
        heads += start - at
        lines += data.count(b"\n", at, start)
        if heads > MOST_TEXT:
            raise _too_large()
        _require_few(lines, MOST_LINES, _LINES)
        parts.append(_Part(data, at, start, default))
        fields += len(parts[-1].head)
        _require_few(fields, MOST_FIELDS, "fields in its heads")
        _require_few(len(parts), MOST_PARTS, "parts")
        if parts[-1].border:
            around.append(parts[-1])
        return parts[-1]

    part: _Part | None = begin(0, "text/plain")
    for count, border in enumerate(_BORDER.finditer(data), 1):
        _require_few(count, MOST_LINES, _LINES)
        word = border[1].rstrip(b" \t")
        depth = next((at for at, one in enumerate(around) if word in (one.border, one.border + b"--")), None)
        if depth is None:
            continue
        if part is not None:
            part.end = max(part.start, border.start())
        owner, part = around[depth], None
        del around[depth + 1 :]
        if word != owner.border:  # programs show nothing below the last part
            around.pop()
            continue
        if len(around) >= MOST_DEPTH:
            raise MailError("mail/too-deep", f"the parts of the mail are nested more than {MOST_DEPTH} deep")
        part = begin(min(border.end() + 1, len(data)), _DEFAULT.get(owner.kind, "text/plain"))
        owner.parts.append(part)
    if part is not None:
        part.end = len(data)
    left = MOST_TEXT
    for text in (one for one in parts if one.is_text):
        left -= text.end - text.start
        text.is_cut = left < 0
        lines += 0 if text.is_cut else data.count(b"\n", text.start, text.end)
    _require_few(lines, MOST_LINES, _LINES)
    return parts[0]


def _require_few(count: int, most: int, what: str) -> None:
    if count > most:
        raise MailError(f"mail/too-many-{what.split()[0]}", f"the mail has more than {most:,} {what}")


def _too_large() -> MailError:
    """Return the error for a mail whose texts are too large, however large its attachments are."""
    return MailError("mail/too-large", f"the mail has more than {MOST_TEXT:,} bytes of text: send only your orders")


def _texts(part: _Part, left_out: list[str]) -> list[_Part]:
    """Return the texts to read in their order; add the titles of the attachments to ``left_out``."""
    if part.is_text:
        return [part]
    if not part.parts:
        if part.kind not in _SILENT:
            left_out.append(part.title)
        return []
    if part.kind == "multipart/encrypted":
        left_out.append("an encrypted text")
        return []
    beside: list[list[str]] = [[] for _ in part.parts]
    texts = [_texts(one, titles) for one, titles in zip(part.parts, beside, strict=True)]
    if part.kind == "multipart/related":  # the others are pictures in the text, not text themselves
        texts = texts[:1]
    if part.kind == "multipart/alternative":  # the parts say the same: plain text that is not blank counts, else HTML
        for at in sorted(range(len(texts)), key=lambda at: any(text.kind == "text/html" for text in texts[at])):
            if any(line.strip() for text in texts[at] for line in text.lines):
                texts, beside = [texts[at]], [beside[at]]
                break
        else:
            texts = []
    left_out.extend(title for titles in beside for title in titles)
    return [text for found in texts for text in found]


# The HTML of a mail -----------------------------------------------------------------------------------------------------
#
# One pass splits the page into tags and text. It builds no tree: tree builders repeat the formats that a broken page leaves
# open, so 27 KB of HTML can become a tree of more than a gigabyte; the library's parser takes quadratic time on Python 3.11.

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


def _html_lines(text: str) -> list[str]:
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
