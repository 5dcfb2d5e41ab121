"""What mails are put together from: heads, encodings, parts, and the earlier mail that most of them quote."""

from __future__ import annotations

import base64
import html
import quopri
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

GM = "Max Keller"
GM_ADDRESS = "gm@example.org"
GM_BOTH = f"{GM} <{GM_ADDRESS}>"

ORDERS = {
    "checkpoint-rally": ("PLACE H3 at C2 rot 90", "MOVE C3 D3", "DRAW OR REFRESH"),
    "checkered-flag": ("GEAR 3", "IF gear > 2 THEN BRAKE 2", "GEAR 2 brake before danger"),
    "checkpoint-charlie": ("CLUE no hat", "WAIT 2", "ACCUSE Fleming"),
}
"""The orders in the mails of the corpus: canonical words, so that a sheet can be compared with them."""
OLD = {
    "checkpoint-rally": ("MOVE A1 B1", "REFRESH", "TAKE U7"),
    "checkered-flag": ("GEAR 1", "GO", "BRAKE 1"),
    "checkpoint-charlie": ("CLUE hat", "PASS", "ANNOUNCE"),
}
"""Orders in the earlier mails that are quoted: none of them may come out."""


@dataclass(frozen=True)
class Frame:
    """A mail as some program writes it, around any orders: ``build`` makes it from their lines.

    ``seat`` is whose mail it is taken for, if it is bound; else the lines begin with a head. ``language`` is that of the
    writer. ``codes`` are the problems it must give, ``left_out`` what must be told of as not read. ``sheets`` are given where
    they are not simply the orders; such a mail is no frame for others.
    """

    name: str
    game: str
    language: str
    build: Callable[[Sequence[str]], bytes]
    seat: str = ""
    codes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    sheets: dict[str, list[str]] | None = field(default=None, hash=False)


GAMES = tuple(ORDERS)
FRAMES: list[Frame] = []


def frame(name: str, language: str, build: Callable[[Sequence[str]], bytes], **more: object) -> None:
    """Add a frame; games take turns, and so do mails that are bound to a seat and such with a head."""
    number = len(FRAMES)
    values: dict[str, object] = {"game": GAMES[number % 3], "seat": "red" if number % 2 else "", **more}
    FRAMES.append(Frame(name, language=language, build=build, **values))  # type: ignore[arg-type]


def lines_for(one: Frame) -> list[str]:
    """Return the lines of orders that ``one`` is filled with in the corpus."""
    orders = ORDERS[one.game]
    return list(orders) if one.seat else ["red:", *orders]


SENT_BACK: list[str] = []
"""The report that mails quote instead of the usual earlier mail, while a test says so."""
TYPED = " \t"
"""Ends a line that the player typed between quoted ones: no mark stands before it."""


def earlier(words: str = "Turn 6 is done. These were the orders:") -> str:
    """Return an earlier mail of the moderator, with sheets in it that must never be taken for orders of any game."""
    if SENT_BACK:
        return SENT_BACK[-1]
    old = "\n".join(f"  {order}" for orders in OLD.values() for order in orders)
    return (
        f"{words}\n\ngame rally-042\nturn 7\nred:\n{old}\nblue:\n{old}\n\nPlease send orders for turn 7 until Friday.\n{GM}"
    )


def quoted(text: str, mark: str = "> ") -> str:
    return "\n".join(line if line.endswith(TYPED) else (mark + line).rstrip() for line in text.split("\n"))


def wrapped(text: str, width: int = 76) -> str:
    return "\n".join(
        textwrap.fill(line, width, break_on_hyphens=False) if len(line) > width else line for line in text.split("\n")
    )


def flowed(text: str, width: int = 72) -> str:
    """Return ``text`` in the format flowed: wrapped lines end with a space, lines like quotes get one before them."""
    result = []
    for line in text.split("\n"):
        if line.startswith(">"):
            result.append(line)
            continue
        stuffed = f" {line}" if line.startswith((" ", "From ")) else line
        if line == "-- " or len(stuffed) <= width:
            result.append(stuffed if line == "-- " else stuffed.rstrip(" "))
            continue
        indent = stuffed[: len(stuffed) - len(stuffed.lstrip(" "))]
        words, current = stuffed.split(), indent
        for word in words:
            if len(current) + len(word) > width and current.strip():
                result.append(current)
                current = ""
            current += word + " "
        result.append(current.rstrip(" "))
    return "\n".join(result)


def paragraphs(text: str, opening: str = "<div>", closing: str = "</div>", blank: str = "<div><br></div>") -> str:
    """Return the lines of ``text`` as blocks of HTML; blanks at their beginnings as programs write them."""
    return "\n".join(f"{opening}{escaped(line)}{closing}" if line.strip() else blank for line in text.split("\n"))


def breaks(text: str, mark: str = "<br>") -> str:
    return f"{mark}\n".join(map(escaped, text.split("\n")))


def escaped(line: str) -> str:
    bare = line.lstrip(" ")
    return "&nbsp;" * (len(line) - len(bare)) + html.escape(bare)


# Encodings of a part: its head and its bytes.


def plain(text: str, charset: str = "utf-8", how: str = "quoted-printable", more: str = "", kind: str = "plain") -> bytes:
    """Return a part of text with its head; the lines end as the mail's do (that is settled when it is finished)."""
    name = charset if charset.islower() else charset.lower()
    text = text.replace("\n", "\r\n") if how == "base64" else text
    data = (text + "\n").encode({"windows-1252": "cp1252", "iso-8859-1": "cp1252"}.get(name, name), "replace")
    head = f'Content-Type: text/{kind}; charset="{charset}"{more}\nContent-Transfer-Encoding: {how}\n\n'
    if how == "quoted-printable":
        data = quopri.encodestring(data)
    elif how == "base64":
        data = base64.encodebytes(data)
    return head.encode() + data


def page(markup: str, charset: str = "utf-8", how: str = "quoted-printable") -> bytes:
    return plain(markup, charset, how, kind="html")


def multipart(kind: str, *parts: bytes, border: str = "000000000000b1946ac92492d234", more: str = "") -> bytes:
    head = f'Content-Type: multipart/{kind}; boundary="{border}"{more}\n\n'.encode()
    if kind == "mixed" and b"Apple" in border.encode():
        head += b"\n"
    return (
        head
        + b"".join(f"--{border}\n".encode() + part.rstrip(b"\n") + b"\n\n" for part in parts)
        + f"--{border}--\n".encode()
    )


def attachment(name: str, kind: str, data: bytes, disposition: str = "attachment") -> bytes:
    head = f'Content-Type: {kind}; name="{name}"\nContent-Disposition: {disposition}; filename="{name}"\n'
    return f"{head}Content-Transfer-Encoding: base64\n\n".encode() + base64.encodebytes(data)


def word(text: str, how: str = "q") -> str:
    """Return ``text`` as an encoded word of a mail's head."""
    if text.isascii():
        return text
    data = text.encode()
    if how == "b":
        return f"=?utf-8?B?{base64.b64encode(data).decode()}?="
    return (
        "=?UTF-8?Q?" + "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"={byte:02X}" for byte in data) + "?="
    )


def mail(
    body: bytes, *, sender: str, subject: str, agent: str = "", ends: str = "\n", hops: int = 2, more: str = ""
) -> bytes:
    """Return a whole mail: the head as it has become on its way, and ``body``, which begins with the head of its part."""
    received = [
        f"Received: from relay{hop}.example.net (relay{hop}.example.net [192.0.2.{hop}])\n"
        f"\tby mx.example.org (Postfix) with ESMTPS id 4Pz{hop}9k2TqXz9s\n"
        f"\tfor <{GM_ADDRESS}>; Mon,  2 Mar 2026 18:0{9 - hop}:41 +0100 (CET)"
        for hop in range(1, hops + 1)
    ]
    head = [
        "Return-Path: <player@example.org>",
        f"Delivered-To: {GM_ADDRESS}",
        *received,
        "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=m1;\n"
        "\th=from:to:subject:date:message-id; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\n"
        "\tb=dGhpcyBpcyBubyByZWFsIHNpZ25hdHVyZQ0K",
        *([more] if more else []),
        f"From: {sender}",
        f"To: {GM_BOTH}",
        f"Subject: {subject}",
        "Date: Mon, 02 Mar 2026 18:05:12 +0100",
        "Message-ID: <6d1f0c2e-7b1a-4c55@mail.example.org>",
        "In-Reply-To: <turn-7@example.org>",
        "MIME-Version: 1.0",
        *([agent] if agent else []),
    ]
    data = ("\n".join(head) + "\n").encode() + body
    return data.replace(b"\r\n", b"\n").replace(b"\n", ends.encode())
