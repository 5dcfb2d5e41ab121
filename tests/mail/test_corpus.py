"""Whole mails as mail programs write them: no order lost, none invented, no courtesy taken for a mistake."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import making
import pytest
from frames.pieces import FRAMES, OLD, Frame
from hypothesis import given, settings
from hypothesis import strategies as st
from portion import portion

from adjudicator.mail.mailboxes import mails_of_mbox
from adjudicator.mail.message import read_mail
from adjudicator.orders.turnfile import TurnFile

CORPUS = Path(__file__).parent / "corpus"
WANTED: dict[str, dict[str, Any]] = tomllib.loads((CORPUS / "sheets.toml").read_text("utf-8"))
AROUND = [one for one in FRAMES if one.sheets is None]
"""The mails that can be filled with any orders."""

Receive = Callable[..., TurnFile]
Sheets = Callable[[str, TurnFile], dict[str, list[str]]]


def test_the_corpus_is_as_it_is_made() -> None:
    there = {path.name: path.read_bytes() for path in CORPUS.iterdir()}
    assert there == making.files()


def test_the_corpus_is_wide() -> None:
    languages = Counter(wanted["language"] for wanted in WANTED.values())
    assert len(WANTED) >= 200
    assert len(languages) >= 12
    assert min(languages.values()) >= 5
    assert {wanted["game"] for wanted in WANTED.values()} == set(OLD)


def test_each_mail_gives_its_sheet(receive_mail: Receive, sheets: Sheets) -> None:
    """Every second mail has the other line ends."""
    wrong = {}
    for number, (name, wanted) in enumerate(WANTED.items()):
        data = (CORPUS / f"{name}.eml").read_bytes()
        found = receive_mail(wanted["game"], other_ends(data) if number % 2 else data, wanted.get("seat"))
        codes = [diagnostic.problem.code for diagnostic in found.diagnostics]
        left_out = [ignored.text for ignored in found.ignored if not ignored.line]
        read = (sheets(wanted["game"], found), codes, left_out)
        if read != (sheets_of(wanted), wanted.get("problems", []), wanted.get("left_out", [])):
            wrong[name] = read
    assert wrong == {}


def test_copies_of_a_mail_have_one_identity_and_no_two_mails_have_the_same() -> None:
    """Servers add fields, programs mark mails as read, and mailboxes keep them with other line ends and quotes."""
    found: dict[str, str] = {}
    for name in WANTED:
        data = (CORPUS / f"{name}.eml").read_bytes()
        end = b"\r\n" if b"\r\n" in data else b"\n"
        fields = b"X-Mozilla-Status: 0001" + end + b"Received: by mda; Mon, 2 Mar 2037 21:00:00 +0100" + end
        quoted = re.sub(rb"(?m)^(>*From )", rb">\1", data)
        box = b"From a@x Mon Mar  2 18:08:41 2026" + end + fields + quoted + end
        copies = [data, other_ends(data), fields + data, data + end, *(mail.data for mail in mails_of_mbox(box))]
        assert len(copies) == 5, name
        identities = {read_mail(copy).identity for copy in copies}
        assert len(identities) == 1, name
        found[name] = identities.pop()
    assert len(set(found.values())) == len({(CORPUS / f"{name}.eml").read_bytes() for name in WANTED})


@pytest.mark.parametrize("name", portion(WANTED, 16))
def test_line_ends_do_not_matter(receive_mail: Receive, sheets: Sheets, name: str) -> None:
    """Attachments that are left out are named with their size, which has the line ends in it."""
    wanted, data = WANTED[name], (CORPUS / f"{name}.eml").read_bytes()
    first, other = (receive_mail(wanted["game"], mail, wanted.get("seat")) for mail in (data, other_ends(data)))
    assert sheets(wanted["game"], first) == sheets(wanted["game"], other)
    assert [one.problem for one in first.diagnostics] == [one.problem for one in other.diagnostics]
    assert [one.text for one in first.ignored if one.line] == [one.text for one in other.ignored if one.line]


def other_ends(data: bytes) -> bytes:
    """Return a mail with CR LF at the ends of its lines if it has LF, and with LF if it has CR LF."""
    return data.replace(b"\r\n", b"\n") if b"\r\n" in data else data.replace(b"\n", b"\r\n")


def sheets_of(wanted: dict[str, Any]) -> dict[str, list[str]]:
    """Return the orders of each seat that a mail must give."""
    return {seat: wanted[seat] for seat in ("red", "blue") if seat in wanted}


def test_a_mail_around_nothing_has_no_orders(receive_mail: Receive) -> None:
    """What it quotes is not taken, though each mail quotes sheets of the right game and turn."""
    wrong = {}
    for one in AROUND:
        found = receive_mail(one.game, one.build([""]), "red")
        codes = [diagnostic.problem.code for diagnostic in found.diagnostics]
        if found.sheets or codes != ["orders/empty"]:
            wrong[one.name] = (found.sheets, codes)
    assert wrong == {}


LINES = {
    "checkpoint-rally": [
        *("PLACE H3 at C2 rot 90", "  place h3 on c2, rotated by 90 degrees.", "MOVE C3 D3", "move to C3, then D3"),
        *("DRAW", "- DRAW", "1. REFRESH", "TAKE U7 IF row has U7", "DISCARD G7 H2", "KEEP H3 U1 U2 # the best"),
        *("draw two tiles OR REFRESH", "IF hand < 3 THEN (MOVE C3 OR DRAW) ELSE REFRESH"),
    ],
    "checkered-flag": [
        *("GEAR 2", "shift to 3rd gear", "GEAR 3 go", "GEAR 3 brake before danger", "BRAKE 2", "brake by 2 spaces"),
        *("GO", "Go.", "  * GEAR neutral", "IF gear > 2 THEN BRAKE 1 ELSE GO", "BRAKE before danger OR GO"),
    ],
    "checkpoint-charlie": [
        *("CLUE no hat", "clue is glasses", "ACCUSE Fleming", "WAIT 3", "wait 2 times", "ANNOUNCE", "PASS"),
        *("pass # for now", "SWAP white with Laces", "ACCUSE Fleming OR WAIT 1"),
    ],
}


@st.composite
def filled_frames(draw: st.DrawFn) -> tuple[Frame, bool, list[str]]:
    """Return a frame, whether its mail is bound to a seat, and lines of orders with blank lines and remarks between them."""
    one = draw(st.sampled_from(AROUND))
    orders = draw(st.lists(st.sampled_from(LINES[one.game]), min_size=1, max_size=8))
    between = draw(st.lists(st.sampled_from(["", "", "", "# a remark", "  "]), min_size=len(orders), max_size=len(orders)))
    lines = [line for order, other in zip(orders, between, strict=True) for line in ([order, other] if other else [order])]
    return one, draw(st.booleans()), lines


@given(filled_frames())
@settings(max_examples=150, deadline=None)
def test_orders_come_out_of_any_mail_as_they_were_written(
    receive: Receive, receive_mail: Receive, sheets: Sheets, filled: tuple[Frame, bool, list[str]]
) -> None:
    one, is_bound, lines = filled
    whole = lines if is_bound else ["red:", *lines]
    plainly = receive(one.game, [("orders.txt", "\n".join(["red:", *lines]).encode())])
    assert plainly.diagnostics == ()
    found = receive_mail(one.game, one.build(whole), "red" if is_bound else None)
    assert found.diagnostics == ()
    assert sheets(one.game, found) == sheets(one.game, plainly)
