"""Lines that were wrapped for the journey are joined again; lines that end with a space by chance are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.intake import mail_submission
from adjudicator.mail.flowed import divide, unwrap

LONG = "PLACE H3 at C2 rot 90 OR PLACE H3 at C2 rot 180 OR PLACE H3 at D2 rot"


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        ([f"{LONG} ", "90 OR DRAW"], [f"{LONG} 90 OR DRAW"]),
        ([f"{LONG} ", f"{LONG} ", "90"], [f"{LONG} {LONG} 90"]),
        (["DRAW ", "MOVE C3 ", "REFRESH"], ["DRAW ", "MOVE C3 ", "REFRESH"]),
        ([LONG, "90"], [LONG, "90"]),
        ([f"{LONG} ", ""], [f"{LONG} ", ""]),
        ([f"{LONG} "], [f"{LONG} "]),
        ([" >DRAW", " From here", "  MOVE C3"], [">DRAW", "From here", " MOVE C3"]),
        ([f"> {LONG} ", "> 90"], [f"> {LONG} ", "> 90"]),
        ([f"{LONG} ", "> 90"], [f"{LONG} ", "> 90"]),
        (["-- ", "Ann"], ["-- ", "Ann"]),
        ([], []),
    ],
)
def test_unwrapped(lines: list[str], joined: list[str]) -> None:
    assert unwrap(lines, has_extra_space=False) == joined


def test_the_space_at_the_end_may_be_no_part_of_the_text() -> None:
    assert unwrap([f"{LONG} ", "90"], has_extra_space=True) == [f"{LONG}90"]
    assert unwrap([f"{LONG}  ", "90"], has_extra_space=True) == [f"{LONG} 90"]


@given(st.lists(st.text(alphabet="ab >-", max_size=80), max_size=20), st.booleans())
def test_no_word_is_lost(lines: list[str], has_extra_space: bool) -> None:
    joined = unwrap(lines, has_extra_space=has_extra_space)
    assert len(joined) <= len(lines)
    assert "".join(joined).replace(" ", "") == "".join(lines).replace(" ", "")


SHEET = ["game spring", "turn 3", "red:", "  GEAR 1", "  BRAKE 2"]
"""Lines that the desk writes into a link for a mail, each with its mark."""


@pytest.mark.parametrize("end", ["\r\n", "\n", "", " "])
def test_a_mail_from_the_desk_is_read_whatever_became_of_its_lines(end: str) -> None:
    text = "".join(f"{line} |{end}" for line in SHEET)
    data = f"From: red@example.org\nSubject: spring turn 3\n\n{text}".encode()
    assert [line.strip() for line in mail_submission("a mail", data).lines] == [line.strip() for line in SHEET]


@pytest.mark.parametrize(
    "lines",
    [
        ["red:", "  GEAR 1 | BRAKE 2"],
        ["Ann Smith | Example & Co. | London", "game spring"],
        ["> game spring | turn 3 |", "red: GEAR 1 | GEAR 2"],
        ["game spring", "Ann | London"],
    ],
)
def test_the_mark_means_nothing_in_other_mails(lines: list[str]) -> None:
    assert divide(lines) == lines


def test_lines_between_those_of_the_desk_stay() -> None:
    assert divide(["game spring |", "turn 3 | red: |", "GEAR 1", "", "> a | b", "BRAKE 2 |"]) == [
        *("game spring", "turn 3", "red:", "GEAR 1", "", "> a | b", "BRAKE 2"),
    ]
