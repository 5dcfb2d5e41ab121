"""What the ledger keeps about people: nothing of those who are forgotten, and the standing of the others."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from tests.drivers.club import DAY, Club, begin


@pytest.fixture
def left(tmp_path: Path) -> Club:
    """Bob has finished a race against Ann, and has left another one; the ledger has much about him."""
    club = begin("begun", tmp_path)
    club.command("club", "add", "thursday", finished(), "--seat", "red=ann@example.org", "--seat", "blue=bob@example.org")
    club.club("set", "press=free")
    club.round()
    club.mail("bob", "MESSAGE to red: hi, Bob here\nEND\nHOLIDAY 2026-04-06 to 2026-04-09\nRESIGN", "checkered-flag-1")
    club.mail("bob", "SET address=bob@new.example\nMESSAGE to moderator: Bob says no", "club")
    club.mail("bob", "JOIN", "new")
    club.mail("bob", "orders", "new", Subject="[race/red#abcdefgh23456789] x")
    club.round()
    head = "From: mailer-daemon@mx.example\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=x"
    failed = f"Action: failed\r\nStatus: 5.1.1\r\n\r\nMessage-ID: {club.known('id', 'bob')}"
    club.deliver(f"{head}\r\n\r\n--x\r\n\r\n{failed}\r\n--x--\r\n".encode())
    club.mail("bob", "HELP", "new")
    club.mail("bob@new.example", "Yes")
    club.mail("bob@new.example", "JOIN checkered-flag\nSET standin=yes", "club")
    club.round()
    club.club("seat", "checkered-flag-1", "blue", "Zoe", "zoe@example.org")
    club.round()
    return club


def finished() -> Path:
    return Path(__file__).parents[2] / "examples" / "checkered-flag" / "race" / "game.json"


def in_ledger(club: Club) -> dict[str, list[str]]:
    """Return all rows of each table as text, the contents of letters unpacked."""
    with closing(sqlite3.connect(club.folder / "ledger.sqlite")) as ledger:
        tables = [name for (name,) in ledger.execute("select name from sqlite_master where type = 'table'")]
        return {table: [" ".join(map(text, row)) for row in ledger.execute(f"select * from {table}")] for table in tables}


def text(value: object) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        return zlib.decompress(value).decode()
    except zlib.error:
        return value.decode("utf-8", "replace")


def test_a_person_who_is_forgotten_leaves_no_row(left: Club) -> None:
    assert any("bob@" in row for row in in_ledger(left)["mails"])
    assert any("bob@example.org came back" in row for row in in_ledger(left)["matters"])
    left.club("forget", "bob@new.example", code=2)  # he still has a seat in the finished game
    left.club("seat", "flag-009", "blue", "Yan", "yan@example.org")
    left.round()
    said = left.club("forget", "bob@new.example").output
    assert "The game file and the reports of checkered-flag-1 and flag-009 still have the name." in said
    own = {table: [row for row in rows if "bob" in row.lower()] for table, rows in in_ledger(left).items()}
    others = {table for table, rows in own.items() if rows}
    assert others <= {"letters", "seats"}  # letters to others, and the journals of his games, have his name
    assert not [row for rows in own.values() for row in rows if "bob@" in row]
    left.round(DAY)
    assert not [one for one in left.new if "bob" in one.to]


def test_a_forgotten_opponent_stays_rated(left: Club) -> None:
    def rated() -> object:
        (found,) = json.loads(left.club("standing", "ann@example.org", "--json").stdout)["club_standings"]
        return found["player_ratings"]

    left.club("seat", "flag-009", "blue", "Yan", "yan@example.org")
    left.round()
    before = rated()
    left.club("forget", "bob@new.example")
    assert before
    assert rated() == before
