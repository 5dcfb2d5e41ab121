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
from test_register import JOIN_ON, asks, registered
from test_waiting_lists import address, joins, lists

from adjudicator.club import standings as module
from adjudicator.club.folder import ClubFolder
from adjudicator.club.manage import ClubError, add_game
from adjudicator.club.players import remove_game
from adjudicator.club.standings import standing_of, standings
from adjudicator.outputs.standings import ClubStanding
from adjudicator.reports.data.player_standing import PlayerStanding, has_room, meets

FLAG = Path(__file__).parents[2] / "examples" / "checkered-flag" / "race" / "game.json"
Run = Callable[..., Any]


def row(post: Post, player: str) -> ClubStanding:
    (found,) = standings(post.club, player).club_standings
    return found


def standing(post: Post, address: str) -> PlayerStanding:
    with closing(post.club.ledger()) as ledger, ledger.change():
        return standing_of(post.club, ledger, address).standing


def ratios(post: Post, player: str) -> tuple[int, int, int, int]:
    found = row(post, player)
    return found.on_time, found.turns_due, found.seats_abandoned, found.seats_begun + found.seats_taken_over


def drop_red(post: Post) -> None:
    """Let red miss a deadline, after which the club gives up the seat."""
    post.settings('nmr = "wait"', 'nmr = "drop"')
    post.run(after=4 * DAY)


def hand(post: Post, name: str, address: str, game: str = "race") -> None:
    post.seat(game, "red", name, address)
    post.run(after=60)


def test_orders_on_time_and_missed_deadlines_count(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.run(after=4 * DAY)
    for seat in ("blue", "red", "blue"):
        post.send("race", seat, "GEAR 1")
        post.run()
    assert ratios(post, "red@example.org") == (1, 2, 0, 1)
    assert ratios(post, "BLUE@example.org") == ratios(post, "Blue") == (2, 2, 0, 1)
    assert not meets(standing(post, "red@example.org"), "reliability>=90")
    assert meets(standing(post, "blue@example.org"), "reliability>=90")


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
    assert not has_room(standing(post, "red@example.org"), 0) and has_room(standing(post, "blue@example.org"), 0)


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


def test_the_holiday_of_a_player_is_not_for_the_next_one(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.send("race", "red", "HOLIDAY 2026-03-03 to 2026-03-30")
    post.run()
    hand(post, "Carol", "carol@example.net")
    post.run(after=5 * DAY)
    assert row(post, "carol").seats[0].missed == 1


def test_a_rating_counts_finished_games_of_all_players(post: Post) -> None:
    add_game(post.club, FLAG, {seat: f"{seat}@example.org" for seat in ("red", "blue")})
    red, blue = (row(post, seat).player_ratings[0] for seat in ("red@example.org", "blue@example.org"))
    assert (red.ruleset, red.rated_games) == ("checkered-flag", 1) and red.rating != blue.rating
    assert len(row(post, "red@example.org").seats) == 2


def test_who_shows_games_ratios_with_each_game_and_ratings(post: Post) -> None:
    post.settings("[incoming]", JOIN_ON)
    add_game(post.club, FLAG, {seat: f"{seat}@example.org" for seat in ("red", "blue")})
    registered(post, "eve")
    post.send("race", "red", "GAMES\nGEAR 1")
    post.run()
    post.mails()
    text = asks(post, address("eve"), "WHO red")
    assert "Red\n  plays     race\n  finished  flag-009\n  orders on time: " in text
    assert "\n  seats abandoned: 0 of 2 (0 %)\n  rating: checkered-flag " in text
    assert re.search(r"(?m)^race \(red\) +1 +0 +0 +running$", text) and re.search(
        r"(?m)^flag-009 \(red\) .* finished$", text
    )
    text = asks(post, address("eve"), "WHO eve")
    assert "  orders on time: no turns yet\n  seats abandoned: no seats yet\n  rating: 1500 (no games yet)" in text


def test_a_list_can_be_for_players_with_a_rating(offering: Post) -> None:
    add_game(offering.club, FLAG, {"red": address("ann"), "blue": address("bob")})
    offering.run()
    offering.mails()
    value = {name: row(offering, address(name)).player_ratings[0].rating for name in ("ann", "bob")}
    worse, better = sorted(value, key=lambda name: value[name])
    offering.settings('{ laps = "2" }', '{ laps = "2" }\ncondition = "rating>=1500"')
    offering.run()
    refusal = asks(offering, address(worse), "JOIN checkered-flag")
    assert "This game is for players with rating>=1500. Your record: " in refusal
    assert f"rating: checkered-flag {value[worse]} ± " in refusal
    assert "1 of 2" in asks(offering, address(better), "JOIN checkered-flag")
    assert "is for players with rating>=1501" in asks(offering, address("eve"), "NEW checkpoint-rally rating>=1501")
    joins(offering, "eve")
    assert len(lists(offering)["checkered-flag"]) == 2


def opened(post: Post, monkeypatch: pytest.MonkeyPatch, call: Callable[[], object]) -> list[str]:
    """Return the games that a call opens."""
    found, real = list[str](), module.open_game

    def open_game(club: ClubFolder, game: str) -> object:
        found.append(game)
        return real(club, game)

    with monkeypatch.context() as patch:
        patch.setattr(module, "open_game", open_game)
        call()
    return found


def test_a_game_is_opened_for_the_standing_only_after_a_change(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    add_game(post.club, FLAG, {seat: f"{seat}@example.org" for seat in ("red", "blue")})
    post.run()
    assert opened(post, monkeypatch, lambda: standings(post.club)) == ["flag-009", "race"]
    before = standings(post.club)
    assert opened(post, monkeypatch, lambda: standings(post.club)) == []
    assert opened(post, monkeypatch, lambda: standing(post, "red@example.org")) == []
    assert standings(post.club) == before
    post.send("race", "red", "GEAR 1")
    post.run()
    assert opened(post, monkeypatch, lambda: standing(post, "zoe@example.net")) == []
    assert opened(post, monkeypatch, lambda: standing(post, "red@example.org")) == ["race"]
    assert standing(post, "red@example.org").on_time - before.club_standings[1].on_time == 1
    post.settings('name = "Ann"', 'name = "Anna"', "flag-009")
    assert opened(post, monkeypatch, lambda: standings(post.club)) == ["flag-009"]


def test_the_ledger_forgets_what_a_removed_game_says(post: Post) -> None:
    standings(post.club)
    with closing(post.club.ledger()) as ledger:
        assert list(ledger.game_records()) == ["race"]
        remove_game(post.club, ledger, "race")
        assert ledger.game_records() == {}


def test_names_that_are_unknown_or_not_unique_are_refused(post: Post) -> None:
    with pytest.raises(ClubError, match="no player Zoe"):
        standings(post.club, "Zoe")
    assert standing(post, "zoe@example.org").due == 0
    name = post.folder / "games" / "race" / "game.toml"
    name.write_text(name.read_text().replace('name = "Blue"', 'name = "Red"'))
    with pytest.raises(ClubError, match=r"several players are called red.*blue@example.org, red@example.org"):
        standings(post.club, "red")


def test_a_game_that_cannot_be_read_is_left_out(post: Post) -> None:
    add_game(post.club, FLAG, {seat: f"{seat}@example.org" for seat in ("red", "blue")})
    (post.folder / "games" / "race" / "game.json").write_text("{")
    found = standings(post.club)
    assert len(found.club_standings) == 2 and len(found.troubles) == 1
    assert [one.game for one in standing(post, "blue@example.org").seats] == ["flag-009"]


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
    assert "time: 0 of 1" in player_pages(post)["red"] and ratios(post, "red") == (0, 2, 0, 2)
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
    assert "no turns yet" in long and re.search(r"(?m)^race \(red\) +0 +0 +0 +running$", long)
    document = json.loads(run("club", "standing", str(post.folder), "red@example.org", "--json", code=0).output)
    assert document["club_standings"][0]["seats"][0]["game"] == "race" and document["troubles"] == []
    assert run("club", "standing", str(post.folder), "a", "b", code=2)
    assert "no player Zoe" in run("club", "standing", str(post.folder), "Zoe", code=2).stderr
