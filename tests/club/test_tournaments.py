"""Whole tournaments of many members: who meets whom, points, byes."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.club import DAY, Club, begin

FILE = """
name = "cup"
rounds = {rounds}
pairing = "{pairing}"
members = {members}
seed = "{seed}"
{more}

[[games]]
ruleset = "rally-round"
players = {players}
deadline = "1 day"

[settings.deadlines]
nmr = "bot"
most_missing = 8
"""
NAMES = ("Ann", "Bob", "Eve", "Dan", "Fay", "Gus", "Hal", "Ida", "Jon")


def gathered(top: Path, people: int) -> Club:
    """Return a club with so many members."""
    club = begin("members", top)
    club.club("set", "deadlines.at=", "deadlines.grace=0 hours")
    for name in NAMES[3:people]:
        club.mail(name.lower(), "JOIN")
    club.round()
    for name in NAMES[3:people]:
        club.mail(name.lower(), f"REGISTER {name}")
    club.round()
    for name in NAMES[:people]:
        club.mail(name.lower(), "SET format=text", "club")  # a hundred reports as pages take as long as the games
    club.round()
    assert len(club.new) == people
    return club


def begun(club: Club, people: int, **given: object) -> dict[int, list[set[str]]]:
    """Begin a tournament; return the people of each game of the first round."""
    given = {"pairing": "swiss", "rounds": 3, "players": 2, "seed": "1", "more": ""} | given
    (club.top / "cup.toml").write_text(FILE.format(members=json.dumps(NAMES[:people]), **given), "utf-8")
    club.club("tournament", "cup.toml")
    club.round()
    return drawn(club)


def play(club: Club, people: int, **given: object) -> tuple[dict[str, Any], dict[int, list[set[str]]]]:
    """Play a tournament to its end; return its table, and the people of each game by round."""
    begun(club, people, **given)
    for _ in range(40):
        club.round(after=DAY)
        table = json.loads(club.club("tournament", "--json").stdout)["club_tournaments"][0]
        if table["is_over"]:
            break
    assert table["is_over"]
    return table, drawn(club)


def drawn(club: Club) -> dict[int, list[set[str]]]:
    """Return the people of each game by round."""
    games: dict[int, dict[str, set[str]]] = {}
    for one in json.loads(club.club("list", "--json").stdout)["players"]:
        number = int(one["game"].split("-")[1])
        games.setdefault(number, {}).setdefault(one["game"], set()).add(one["player"])
    return {number: list(found.values()) for number, found in games.items()}


def repeated(games: dict[int, list[set[str]]]) -> int:
    """Return how often two people have met again."""
    met = Counter(pair for found in games.values() for group in found for pair in combinations(sorted(group), 2))
    return sum(number - 1 for number in met.values())


def test_in_four_rounds_of_seven_nobody_meets_again_and_each_sits_out_at_most_once(tmp_path: Path) -> None:
    club = gathered(tmp_path, 7)
    table, games = play(club, 7, rounds=4)
    assert len(games) == 4
    assert repeated(games) == 0
    rests = Counter(name for found in games.values() for name in set(NAMES[:7]) - set().union(*found))
    assert max(rests.values()) == 1
    assert all([len(group) for group in found] == [2, 2, 2] for found in games.values())
    assert sum(line["points"] for line in table["table"]) == 4 * (3 + 1)
    lines = table["table"]
    assert [line["place"] for line in lines] == sorted(line["place"] for line in lines)
    assert sorted((line["points"], line["opponents_points"]) for line in lines)[::-1] == [
        (line["points"], line["opponents_points"]) for line in lines
    ]


@pytest.mark.parametrize("pairing", ["swiss", "random"])
def test_the_same_seed_draws_the_same_games_of_all_sizes(tmp_path: Path, pairing: str) -> None:
    club = gathered(tmp_path / "members", 9)
    again = club.copied(tmp_path / "again")
    games = begun(club, 9, pairing=pairing, players=4, rounds=1)
    assert sorted(map(len, games[1])) == [3, 3, 3]
    assert repeated(games) == 0
    assert begun(again, 9, pairing=pairing, players=4, rounds=1)[1] == games[1]


def test_the_players_of_a_game_share_all_its_points(tmp_path: Path) -> None:
    club = gathered(tmp_path, 8)
    table, games = play(club, 8, players=4, rounds=2, more="points = [10, 5, 2]")
    assert sum(line["points"] for line in table["table"]) == pytest.approx(4 * 17, abs=0.1)
    assert all(line["finished_games"] == 2 for line in table["table"])
    assert repeated(games) <= 4


def test_two_winners_of_each_group_go_on(tmp_path: Path) -> None:
    club = gathered(tmp_path, 8)
    table, games = play(club, 8, pairing="groups", players=4, rounds=5, more="winners = 2")
    assert [[len(group) for group in games[number]] for number in sorted(games)] == [[4, 4], [4]]
    assert {line["player"] for line in table["table"][:4]} == games[2][0]
    assert [line["is_out"] for line in table["table"]] == 4 * [False] + 4 * [True]
