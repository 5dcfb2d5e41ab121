"""What the last receipt promises is what is played at the deadline."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.drivers.club import DAY, HOUR, Club, begin, flat

AT_THE_DEADLINE = [
    ["GEAR 1\nGOO"],
    ["GEAR 3"],
    ["GAER 1"],
    ["GEAR N\nGEAR 1\nGOO\nGEAR 2"],
    ["GEAR N", "GAER 1"],
    ["GEAR N", "GEAR 3"],
    ["GEAR N", "GEAR 1\nGOO"],
    ["GAER 1", "GAER 2"],
    ["GEAR 3", "GEAR 1\nGOO"],
    ["GEAR 1\nGOO", "GEAR N\nGOO"],
    ["GEAR N", "GEAR 1", "GAER 1", "Thanks!"],
    ["GEAR N", "WITHDRAW\nGAER 1"],
    ["GEAR N\nGEAR 1", "WITHDRAW from 2\nGAER 1"],
    ["GAER 1", "Thanks!"],
    ["WITHDRAW from 2\nGAER 1"],
    ["GAER 1", "turn 9\nGEAR 1"],
    ["GEAR 1\nGOO", "turn 9\nGEAR N"],
    ["GEAR 1\nGOO", "game other\nGEAR N"],
    ["turn x\nGEAR 1"],
    ["GEAR N", "turn x\nGEAR 1"],
    ["turn 1\nGEAR N", "turn 1\nGEAR 1\nGOO"],
]
"""The mails of red, one list for each race."""
PENDING = [
    ["GEAR N\nGOO"],
    ["GEAR 5"],
    ["GAER 1", "GEAR 1\nGOO"],
    ["GAER 1", "Thanks!"],
    ["WITHDRAW\nGAER 1"],
    ["WITHDRAW\nGEAR N\nGOO"],
    ["WITHDRAW from 2\nGAER 1"],
    ["WITHDRAW from 3\nGAER 1"],
    ["GAER 1", "WITHDRAW from 2", "GAER 2"],
    ["WITHDRAW from 2\nGEAR N", "GAER 2"],
    ["GEAR N", "GAER 2"],
    ["WITHDRAW", "GAER 2"],
    ["WITHDRAW from 2\nGAER 1", "GEAR 1\nGOO"],
    ["GAER 1", "turn 9\nGEAR N"],
    ["GAER 1", "turn 1\nGEAR N"],
    ["turn 2\nGEAR N\nGOO"],
    ["turn x\nGEAR N"],
]
"""The mails of red, who has pending orders, one list for each race."""


def begin_races(club: Club, lists: list[list[str]]) -> dict[str, list[str]]:
    """Begin a race of red and blue for each list of mails; return the mails of red by race."""
    races = {f"race-{number}": mails for number, mails in enumerate(lists)}
    for game in races:
        club.add("checkered-flag", "red", "blue", game=game)
    club.round()
    return races


def promised_orders(club: Club, races: dict[str, list[str]]) -> dict[str, list[str]]:
    """Let red write all mails, and the club read them in one round; return the orders that the last receipts promise."""
    for game, mails in races.items():
        for number, text in enumerate(mails):
            club.now += 60
            club.mail("red", text, game, Message_ID=f"<{game}/{number}@x>")
    club.round()
    found = {}
    for game, mails in races.items():
        (receipt,) = (flat(one.text) for one in club.new if one.mail["In-Reply-To"] == f"<{game}/{len(mails) - 1}@x>")
        orders = re.search(r"these orders count: (.*?)\. (They are|The game)", receipt)
        assert orders or "orders of yours" in receipt, receipt
        found[game] = [f"red {order}" for order in orders[1].split("; ")] if orders else []
    return found


@pytest.mark.parametrize("part", [0, *(pytest.param(one, marks=pytest.mark.soak) for one in (1, 2))])
def test_what_the_last_receipt_promises_happens_at_the_deadline(tmp_path: Path, part: int) -> None:
    club = begin("empty", tmp_path)
    races = begin_races(club, AT_THE_DEADLINE[part::3])
    promised = promised_orders(club, races)
    assert [club.journal(game) for game in races] == [[]] * len(races)
    club.round(4 * DAY)
    for game, mails in races.items():
        played = club.journal(game)
        assert (played, bool(played)) == (promised[game][: len(played)], bool(promised[game])), mails


@pytest.mark.parametrize("is_asked", [True, pytest.param(False, marks=pytest.mark.soak)])
@pytest.mark.parametrize("part", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_what_the_last_receipt_promises_of_pending_orders_happens(tmp_path: Path, is_asked: bool, part: int) -> None:
    club = begin("empty", tmp_path)
    races = begin_races(club, PENDING[part::2])
    for game in races:
        club.mail("red", "GEAR 1\nGEAR 2\nGEAR 3", game)
    club.round()
    if is_asked:  # a mistake holds the pending orders until red is asked
        for text, seat in (("GAER 1", "red"), ("GEAR 1", "blue")):
            for game in races:
                club.mail(seat, text, game)
            club.round(60)
    before = {game: club.journal(game) for game in races}
    promised = promised_orders(club, races)
    if not is_asked:
        for game in races:
            club.mail("blue", "GEAR 1", game)
        club.round(60)
        before = {game: [*orders, "blue GEAR 1"] for game, orders in before.items()}
    club.round(60)
    assert {game: club.journal(game) for game in races} == before
    club.round(4 * DAY)
    for game, mails in races.items():
        left = [f"red {order}" for sheet in club.game(game).seen_by("moderator").pending.waiting for order in sheet.orders]
        assert club.journal(game)[len(before[game]) :] + left == promised[game], mails


def test_who_has_sent_orders_gets_the_same_mails_whoever_is_late_and_however_long(tmp_path: Path) -> None:
    """A deadline that moves by a time bank would tell the others whose it is: the banks have different rests."""
    club, seen = begin("spies", tmp_path / "begun"), []
    club.club("set", "deadlines.bank=2 days", "public.address=https://club.example/", "public.names=true")
    club.mail("red", "CLUE raincoat")
    club.mail("blue", "CLUE grey")
    club.round(3 * DAY + 8 * HOUR)
    club.now += 12 * HOUR
    club.mail("green", "CLUE glasses")
    club.round()
    for late in (["blue"], ["green"], ["blue", "green"]):
        one = club.copied(tmp_path / "-".join(late))
        one.now += HOUR
        for seat in sorted({"red", "blue", "green"} - {*late}, reverse=True):  # the mail of red has the same hash
            one.mail(seat, "WAIT")
        one.round(3 * DAY + 11 * HOUR)
        got = [(letter.subject, letter.text) for letter in one.new if letter.to == "red"]
        one.mail("red", "STATUS\nRESEND")
        for hours in (0, 6, 24):
            one.round(hours * HOUR)
            got += sorted((letter.subject, letter.text) for letter in one.new if letter.to == "red")  # of one instant
        one.club("publish", "-o", "pages")
        pages = {path.name: path.read_bytes() for path in (one.top / "pages").iterdir() if path.is_file()}
        seen.append((got, pages))
    assert len(seen[0][0]) > 2 and seen[0] == seen[1] == seen[2]
    assert not [text for _, text in seen[0][0] if "runs until" in text]
