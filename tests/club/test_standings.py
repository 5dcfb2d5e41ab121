"""The standing of players in a club: by address, over all their games, on public pages with their consent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from players_post import DAY, Post, awaited, legal
from test_public import files, name_of, publish

from adjudicator.club.manage import ClubError, add_game
from adjudicator.club.players import seat_player
from adjudicator.club.standings import standing_of, standings
from adjudicator.outputs.standings import ClubStanding
from adjudicator.reports.data.player_standing import has_room, meets

FLAG = Path(__file__).parents[2] / "examples" / "checkered-flag" / "race" / "game.json"
Run = Callable[..., Any]


def row(post: Post, player: str) -> ClubStanding:
    (found,) = standings(post.club, player).club_standings
    return found


def ratios(post: Post, player: str) -> tuple[int, int, int, int]:
    found = row(post, player)
    return found.on_time, found.turns_due, found.seats_abandoned, found.seats_begun + found.seats_taken_over


def drop_red(post: Post) -> None:
    """Let red miss a deadline, after which the club gives up the seat."""
    post.settings('nmr = "wait"', 'nmr = "drop"')
    post.run(after=4 * DAY)


def hand(post: Post, name: str, address: str, game: str = "race") -> None:
    seat_player(post.club, game, "red", name, address, post.now)
    post.run(after=60)


def test_orders_on_time_and_missed_deadlines_count(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.run(after=4 * DAY)
    for seat in ("blue", "red", "blue"):
        post.send("race", seat, "GEAR 1")
        post.run()
    assert ratios(post, "red@example.org") == (1, 2, 0, 1)
    assert ratios(post, "BLUE@example.org") == ratios(post, "Blue") == (2, 2, 0, 1)
    assert not meets(standing_of(post.club, "red"), "reliability>=90")
    assert meets(standing_of(post.club, "blue"), "reliability>=90")


def test_a_holiday_moves_the_deadline_and_misses_nothing(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.send("race", "red", "HOLIDAY 2026-03-03 to 2026-03-08")
    post.run(after=DAY)
    post.run(after=3 * DAY)
    assert ratios(post, "red") == (0, 0, 0, 1)


def test_a_player_is_known_by_address_after_leaving_and_under_another_name(post: Post) -> None:
    drop_red(post)
    for _ in range(2):
        post.send("race", "blue", "GEAR 1")
        post.run()
    assert ratios(post, "red@example.org") == (0, 1, 1, 1)
    hand(post, "Carol", "carol@example.net")
    while row(post, "carol").on_time == 0:
        (seat,) = awaited(post.session("race"))
        order = legal(post.session("race"), seat)[0]
        post.send("race", seat, order, From="carol@example.net" if seat == "red" else "blue@example.org")
        post.run()
    assert ratios(post, "red@example.org") == ratios(post, "Red") == (0, 1, 1, 1)
    carol = row(post, "carol")
    assert (carol.on_time, carol.turns_due, carol.seats_begun, carol.seats_taken_over) == (1, 1, 0, 1)
    hand(post, "Caroline", "carol@example.net")
    assert row(post, "caroline").seats[0].on_time == 1 and not row(post, "caroline").seats[0].has_left
    assert not has_room(standing_of(post.club, "red@example.org"), 0) and has_room(standing_of(post.club, "blue"), 0)


def test_leaving_and_retaking_a_seat_moves_no_deadline_and_abandons_nothing(post: Post) -> None:
    with closing(post.club.ledger()) as ledger:
        before = ledger.game("race")
    post.run(after=DAY)
    hand(post, "Carol", "carol@example.net")
    hand(post, "Red", "red@example.org")
    with closing(post.club.ledger()) as ledger:
        after = ledger.game("race")
    assert (after.due, after.wake, after.paused) == (before.due, before.wake, before.paused)
    assert ratios(post, "red") == (0, 0, 0, 1)
    assert [one.seat for one in post.club.settings_of("race").former] == ["red", "red"]


def test_a_rating_counts_finished_games_of_all_players(post: Post) -> None:
    add_game(post.club, FLAG, {seat: f"{seat}@example.org" for seat in ("red", "blue")})
    red, blue = (row(post, seat).player_ratings[0] for seat in ("red@example.org", "blue@example.org"))
    assert (red.ruleset, red.rated_games) == ("checkered-flag", 1) and red.rating != blue.rating
    assert len(row(post, "red@example.org").seats) == 2


def test_names_that_are_unknown_or_not_unique_are_refused(post: Post) -> None:
    with pytest.raises(ClubError, match="no player Zoe"):
        standings(post.club, "Zoe")
    assert standing_of(post.club, "zoe@example.org").due == 0
    name = post.folder / "games" / "race" / "game.toml"
    name.write_text(name.read_text().replace('name = "Blue"', 'name = "Red"'))
    with pytest.raises(ClubError, match=r"several players are called red.*blue@example.org, red@example.org"):
        standing_of(post.club, "red")


def test_a_game_that_cannot_be_read_is_left_out(post: Post) -> None:
    add_game(post.club, FLAG, {seat: f"{seat}@example.org" for seat in ("red", "blue")})
    (post.folder / "games" / "race" / "game.json").write_text("{")
    found = standings(post.club)
    assert len(found.club_standings) == 2 and len(found.troubles) == 1
    assert [one.game for one in standing_of(post.club, "blue@example.org").seats] == ["flag-009"]


def player_pages(post: Post) -> dict[str, str]:
    """Return the text of the pages of players, by name."""
    found = {name: data.decode() for name, data in files(post).items() if re.fullmatch(r"(red|carol)-\w{8}\.html", name)}
    return {name.partition("-")[0]: " ".join(re.sub("<[^>]*>", " ", text).split()) for name, text in found.items()}


def test_public_pages_show_the_standing_of_players_who_agree(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.run(after=4 * DAY)
    publish(post)
    assert player_pages(post) == {}
    name_of(post, "red", "true")
    publish(post)
    assert "The last 10 games: orders on time: 0 of 1 (0 %); seats abandoned: 0 of 1 (0 %)" in player_pages(post)["red"]
    assert publish(post).changed_files == 0


def test_public_pages_count_only_games_in_which_the_player_agrees(post: Post) -> None:
    post.add("checkered-flag", "red", "blue", game="other")
    post.run()
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.settings("most_missing = 1", "most_missing = 9")
    post.run(after=4 * DAY)
    name_of(post, "red", "true", "other")
    publish(post)
    assert "orders on time: 0 of 1" in player_pages(post)["red"] and ratios(post, "red") == (0, 2, 0, 2)
    name_of(post, "red", "true")
    hand(post, "Carol", "carol@example.net")
    post.send("race", "blue", "GEAR 1")
    post.run()
    publish(post)
    red = player_pages(post)["red"]
    assert "orders on time: 0 of 2" in red and "seats abandoned: 1 of 2" in red and "carol" not in player_pages(post)


def test_the_command_shows_all_players_or_one_in_detail(run: Run, post: Post) -> None:
    shown = run("club", "standing", str(post.folder), code=0).output.splitlines()
    assert shown[0].split()[:2] == ["player", "address"] and [line.split()[0] for line in shown[-2:]] == ["Blue", "Red"]
    long = run("club", "standing", str(post.folder), "Red", code=0).output
    assert "0 of 0" in long and re.search(r"(?m)^race \(red\) +0 +0 +0 +running$", long)
    document = json.loads(run("club", "standing", str(post.folder), "red@example.org", "--json", code=0).output)
    assert document["club_standings"][0]["seats"][0]["game"] == "race" and document["troubles"] == []
    assert run("club", "standing", str(post.folder), "a", "b", code=2)
    assert "no player Zoe" in run("club", "standing", str(post.folder), "Zoe", code=2).stderr
