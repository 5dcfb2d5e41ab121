"""Lists of entrants: read as spreadsheets write them, and every wrong line told."""

from __future__ import annotations

import pytest

from adjudicator.files.errors import Untrusted
from adjudicator.store.entrants import MOST_BYTES, load_entrants


def read(text: str | bytes) -> list[tuple[str, str]]:
    players = load_entrants(text if isinstance(text, bytes) else text.encode())
    return [(player.seat, player.holder) for player in players]


@pytest.mark.parametrize(
    "text",
    [
        "red,Ann Miller,Expert\nblue,Bob\ngreen\n",
        "seat,name,class\r\nred,Ann Miller,Expert\r\nblue,Bob,\r\ngreen,,\r\n",
        "\ufeffRed; Ann Miller; Expert\n\n# a remark\nblue; Bob\ngreen",
        "seat\tname\tclass\nRED\tAnn Miller\tExpert\nblue\tBob\ngreen\n",
        'red,"Ann Miller",Expert\rblue,"Bob"\rgreen\r',
    ],
)
def test_a_line_is_a_seat_with_its_name_and_class(text: str) -> None:
    assert read(text) == [("red", "Ann Miller, Expert"), ("blue", "Bob"), ("green", "")]


def test_names_with_commas_and_of_older_spreadsheets() -> None:
    assert read('red,"Miller, Ann",Expert\n') == [("red", "Miller, Ann, Expert")]
    assert read("red,Zoë\n".encode("cp1252")) == [("red", "Zoë")]


def test_every_line_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(Untrusted) as caught:
        read("red,Ann\n,Bob\nred,Cat\nblue,Dan,Expert,1\n")
    assert [str(one) for one in caught.value.violations] == [
        "line 2: begin the line with the seat: seat, name, class",
        "line 3: the seat “red” is already in line 1",
        "line 4: write only seat, name and class: the line has 4 parts",
    ]


@pytest.mark.parametrize("text", ["", "\n# nobody\n", "seat,name,class\n"])
def test_a_list_of_nobody_is_none(text: str) -> None:
    with pytest.raises(Untrusted, match="write a line for each entrant"):
        read(text)


def test_a_list_has_an_end() -> None:
    with pytest.raises(Untrusted, match="larger than 4,000,000 bytes"):
        read("x" * (MOST_BYTES + 1))


def test_what_is_no_text_harms_nobody() -> None:
    assert read(b"\x00\xff,\x1b[2J\n") == [("\x00ÿ", "\x1b[2J")]  # `new` refuses both by their rules
