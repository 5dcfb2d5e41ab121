"""Mails that cost as much as a stranger can make them: twice the size may cost twice the processor time, hardly more."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

import pytest
from attack import Attack

from adjudicator.club.commands import commands_in
from adjudicator.club.tokens import claim_in, without_tokens
from adjudicator.core.ids import Seat
from adjudicator.intake import mail_submission
from adjudicator.mail.envelope import envelope_of
from adjudicator.mail.html_text import _Page
from adjudicator.orders.submission import Addressee
from adjudicator.orders.turnfile import read_turn_files
from adjudicator.rulesets import ruleset

SIZE = 480_000
"""Bytes of the smaller of two mails."""
MINDED = 3.0
"""How much more a mail of twice the size may cost. Quadratic time would cost four times as much."""
FIXED = 0.5
"""Seconds that the larger mail may take besides: short times differ by chance."""
HEAD = "From: Ann <ann@example.org>\nReceived: by a; Mon, 2 Mar 2026 18:08:41 +0100\n"
HTML = (
    *(
        "<",
        "<a",
        "<a ",
        "</",
        "</a",
        "<?x ",
        "<!",
        "<!--",
        "-->",
        "--",
        "--!",
        "<![",
        "<![CDATA[",
        "]]>",
        ">",
        "=",
        '"',
        "'",
        '="',
    ),
    *("/", " ", "\n", "&", "&#", "&#x", "&amp", "&#1", "1", "x", "<p>", "<div hidden>", "</div>", "<pre>", "<td>", "<br>"),
    *("<blockquote>", "<script>", "</script", "</script>", "<title>", "<textarea>", "style=", "hidden", "<b>", "<i style='"),
)
WORDS = (
    *(
        " ",
        "\t",
        "\u00a0",
        ">",
        "> ",
        "-",
        "--",
        "token",
        "token ",
        "[a",
        "[a/b#",
        "MOVE",
        " C3",
        "(",
        ")",
        "IF ",
        "NOT ",
        "1. ",
    ),
    *(
        "red:",
        "red: ",
        ":",
        "On ",
        " wrote:",
        "From: ",
        "http://",
        "a@b.c",
        "x",
        "*",
        "_",
        "#",
        ";",
        "'",
        "\u0301",
        "MESSAGE to x:",
    ),
    *(
        "HOLIDAY ",
        "END",
        "game ",
        "turn 7",
        "WITHDRAW ",
        "-----Original Message-----",
        "2026-03-02 ",
        "12:00",
        ".",
        ",",
        "!",
    ),
)
FIELDS = (
    *(
        "=?",
        "=?utf-8?q?",
        "?=",
        "=?a?b?",
        "(",
        ")",
        "<",
        ">",
        '"',
        "\\",
        ";",
        "; a=b",
        "; a*1=",
        "=",
        "'",
        ",",
        "@",
        " ",
        "x",
        "%",
    ),
    *("\n ", ".", "a@b.c", "[", "/", "name=", "charset=", "boundary=b"),
)


def many(luck: Random, pieces: tuple[str, ...]) -> Callable[[int], str]:
    """Return what makes a text of any size: a beginning, and the same few pieces again and again."""
    begin = "".join(luck.choices(pieces, k=luck.randint(0, 3)))
    again = "".join(luck.choices(pieces, k=luck.randint(1, 4)))
    return lambda size: begin + again * (size // len(again.encode()))


def text_mail(luck: Random) -> Callable[[int], bytes]:
    text = many(luck, WORDS if luck.random() < 0.8 else (*WORDS, "\n"))
    kind = luck.choice(("text/plain; charset=utf-8", "text/plain; charset=utf-8; format=flowed"))
    coding = luck.choice(("8bit", "8bit", "base64", "quoted-printable", "x-uuencode"))
    return lambda size: f"{HEAD}Content-Type: {kind}\nContent-Transfer-Encoding: {coding}\n\n{text(size)}".encode()


def field_mail(luck: Random) -> Callable[[int], bytes]:
    field = many(luck, FIELDS)
    name = luck.choice(("From", "Subject", "Received", "Content-Type", "Content-Disposition", "References", "X"))
    return lambda size: f"{name}: {field(size)}\n{HEAD}\nDRAW\n".encode()


def tangled_mail(luck: Random) -> Callable[[int], bytes]:
    """Return what makes mails of many parts, up to the limits, with a hostile field in each."""
    field, depth = many(luck, FIELDS)(1_900).replace("\n", ""), luck.choice((1, 10, 48))
    opening = "".join(f"Content-Type: multipart/alternative; boundary=b{at}\n\n--b{at}\n" for at in range(depth))
    name = luck.choice(
        ("Content-Type: text/plain; x=", "Content-Type: image/png; name=", "Content-Disposition: attachment; filename=")
    )
    part = f"{name}{field}\n\nDRAW\n--b{depth - 1}\n"
    return lambda size: f"{HEAD}{opening}{part * (size // len(part.encode()))}".encode()


def page(luck: Random) -> Callable[[int], bytes]:
    text = many(luck, HTML)
    return lambda size: text(size).encode()


def read_page(data: bytes) -> None:
    """Read HTML without the limit of tags: reading takes linear time whatever the limit is."""
    read = _Page()
    read.read(data.decode())
    read.finished()


def read_mail(data: bytes) -> None:
    """Do all that a club does with a mail before its orders are judged."""
    envelope = envelope_of(data)
    submission = mail_submission("a mail", data, Seat("red"))
    assert submission.fault is None, submission.fault
    claim_in(envelope.subject, submission.lines)
    commands_in(tuple(map(without_tokens, submission.lines)))
    game = Addressee("rally-042", 7, (Seat("red"), Seat("blue")), {}, frozenset({"c3"}))
    read_turn_files(ruleset("checkpoint-rally"), game, [submission])


WAYS = {"text": text_mail, "fields": field_mail, "parts": tangled_mail, "html": page}


def seconds(read: Callable[[bytes], None], data: bytes) -> float:
    begun = process_time()
    read(data)
    return process_time() - begun


@pytest.mark.soak
@pytest.mark.parametrize("way", WAYS)
def test_twice_the_mail_costs_twice_the_time(attack: Attack, way: str) -> None:
    read = read_page if way == "html" else read_mail
    slowest = 0.0
    for _ in range(attack.times(300)):
        make = WAYS[way](attack.next_round())
        small, large = make(SIZE), make(2 * SIZE)
        few, much = seconds(read, small), seconds(read, large)
        assert much <= MINDED * few + FIXED, (attack.told, few, much, small[:300])
        slowest = max(slowest, much)
        attack.count("mails")
    attack.count("milliseconds of the slowest", round(slowest * 1000))
