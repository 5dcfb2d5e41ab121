"""Whole mails as mail programs write them: no order lost, none invented, no courtesy taken for a mistake."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudicator as adj
from tests.data.mails.pieces import FRAMES, OLD, Frame
from tests.drivers.mails import (
    CORPUS_SUM,
    at_turn_7,
    corpus,
    corpus_sum,
    other_ends,
    read_in,
    reading,
    wanted,
)

AROUND = [one for one in FRAMES if one.sheets is None]
"""The mails that can be filled with any orders."""


def test_the_corpus_is_as_it_was_and_wide() -> None:
    assert corpus_sum() == CORPUS_SUM, "the mails of the corpus are made otherwise than before"
    languages = Counter(one.language for one in FRAMES)
    assert (len(FRAMES), len(languages)) == (222, 12)
    assert min(languages.values()) >= 5
    assert {one.game for one in FRAMES} == set(OLD)


@pytest.mark.parametrize("ends", ["as they are, or the other ones", pytest.param("the others", marks=pytest.mark.soak)])
def test_each_mail_gives_its_orders(ends: str) -> None:
    """Every second mail has the other line ends, with which an attached mail has another size."""
    wrong = {}
    for number, one in enumerate(FRAMES):
        data = corpus()[one.name]
        read = read_in(one.game, other_ends(data) if number % 2 == (ends[0] == "a") else data, one.seat or None)
        read = (*read[:2], [re.sub(r"a mail \(.*", "a mail", part) for part in read[2]])
        if read != (wanted(one), list(one.codes), [re.sub(r"a mail \(.*", "a mail", part) for part in one.left_out]):
            wrong[one.name] = read
    assert wrong == {}


def test_copies_of_a_mail_have_one_identity_and_no_two_mails_have_the_same() -> None:
    """Servers add fields, programs mark mails as read, and mailboxes keep them with other line ends and quotes."""
    seen: dict[str, str] = {}
    for name, data in corpus().items():
        end = b"\r\n" if b"\r\n" in data else b"\n"
        fields = b"X-Mozilla-Status: 0001" + end + b"Received: by mda; Mon, 2 Mar 2037 21:00:00 +0100" + end
        quoted = re.sub(rb"(?m)^(>*From )", rb">\1", data)
        box = b"From a@x Mon Mar  2 18:08:41 2026" + end + fields + quoted + end
        copies = [adj.read_mail(copy) for copy in (data, other_ends(data), fields + data, data + end)]
        copies += adj.read_orders(box, name="box.mbox")
        assert len(copies) == 5, name
        (seen[name],) = {copy.identity for copy in copies}
    assert len(set(seen.values())) == len(set(corpus().values()))


def test_a_mail_around_nothing_has_no_orders() -> None:
    """What it quotes is not taken, though each mail quotes sheets of the right game and turn."""
    wrong = {}
    for one in AROUND:
        orders, codes, _ = read_in(one.game, one.build([""]), "red")
        if orders or codes != ["orders/empty"]:
            wrong[one.name] = (orders, codes)
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
@settings(max_examples=50, deadline=None)
def test_orders_come_out_of_any_mail_as_they_were_written(filled: tuple[Frame, bool, list[str]]) -> None:
    one, is_bound, lines = filled
    (text,) = adj.read_orders("\n".join(["red:", *lines]), name="orders.txt")
    plainly = reading(at_turn_7(one.game), text).orders
    assert plainly
    read = read_in(one.game, one.build(lines if is_bound else ["red:", *lines]), "red" if is_bound else None)
    assert read[:2] == (plainly, [])
