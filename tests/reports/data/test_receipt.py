"""Receipts in words and as data: short for people, whole for machines, harmless whatever players write."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.core.canonical import json_value
from adjudicator.core.ids import Seat
from adjudicator.outputs.orders import Fate, ReceivedOrder, SeatReceipt
from adjudicator.reports.data.receipt import receipt_text, receipts_text, text_name, time_words

RECEIPT = SeatReceipt(
    seat=Seat("red"),
    source="in/ann.eml",
    turn=7,
    hash="0123456789abcdef" * 4,
    received=1772471321,
    shared=False,
    taken=True,
    orders=(
        ReceivedOrder(3, "MOVE D3", Fate.APPLIED, "entry 12"),
        ReceivedOrder(14, "DRAW", Fate.WAITS, ""),
    ),
    trouble="",
    waits=("DRAW", "REFRESH"),
)


def test_in_words() -> None:
    assert receipt_text(RECEIPT) == (
        "red: received ann.eml, 2026-03-02 17:08:41 UTC, sha256 0123456789abcdef\n"
        "  line 3   MOVE D3  applied: entry 12\n"
        "  line 14  DRAW     waits\n"
        "  waiting now: DRAW; REFRESH"
    )


def test_of_a_text_of_several_seats_no_place_and_no_hash_is_told() -> None:
    """With the hash, a seat could try out what others may have ordered; a place tells how much they have written."""
    text = receipt_text(replace(RECEIPT, shared=True, received=None, waits=()))
    assert text.splitlines() == [
        "red: received ann.eml, a text for several seats",
        "  MOVE D3  applied: entry 12",
        "  DRAW     waits",
    ]


def test_several_receipts_stand_below_each_other() -> None:
    empty = replace(RECEIPT, orders=(), waits=(), hash=None, received=None)
    assert receipts_text([empty, replace(empty, trouble="no text")]) == (
        "red: received ann.eml\n  no orders found in it\nred: received ann.eml\n  no text"
    )


def test_for_machines_everything_is_whole() -> None:
    assert json_value(RECEIPT) == {
        "seat": "red",
        "turn": 7,
        "source": "in/ann.eml",
        "hash": RECEIPT.hash,
        "received": 1772471321,
        "shared": False,
        "taken": True,
        "orders": [
            {"line": 3, "order": "MOVE D3", "fate": "applied", "reason": "entry 12"},
            {"line": 14, "order": "DRAW", "fate": "waits", "reason": ""},
        ],
        "trouble": "",
        "waits": ["DRAW", "REFRESH"],
    }


def test_nothing_in_it_moves_a_terminal() -> None:
    nasty = replace(
        RECEIPT,
        source="in/\x1b[2J.eml",
        orders=(ReceivedOrder(1, "\x1b[31mDRAW", Fate.REFUSED, "\x07?"),),
        trouble="\x1b",
        waits=("\u202e",),
    )
    text = receipt_text(nasty)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize(("source", "name"), [
    ("ann.eml", "ann.eml"),
    ("/home/gm/mails/ann.eml", "ann.eml"),
    ("in/box.mbox, mail 12", "box.mbox"),
    ("Maildir, mail 3", "Maildir"),
    ("standard input", "standard input"),
    ("/", "/"),
])  # fmt: skip
def test_a_text_is_called_by_its_file_alone(source: str, name: str) -> None:
    assert text_name(source) == name


def test_times_that_cannot_be_are_no_trouble() -> None:
    assert time_words(0) == "1970-01-01 00:00:00 UTC"
    assert time_words(10**18) == "an impossible time"
