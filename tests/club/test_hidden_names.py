"""A season of a game without names: whatever players ask and the moderator does, nobody learns who the others are."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from adjudicator.simulate.bots import choose_order
from tests.drivers.club import HOUR, Club, begin

PEOPLE = {"annika": "Annika", "bertram": "Bertram", "cornelia": "Cornelia", "desmond": "Desmond", "eleonore": "Eleonore"}
GAME = "checkered-flag-1"
LINES = (
    *(
        "STATUS",
        "RESEND",
        "GAMES",
        "WHO {name}",
        "MESSAGE to all: hello",
        "MESSAGE anonymous to all: hello",
        "WAIT for deadline",
    ),
    *(
        "NOWAIT",
        "VOTE draw",
        "HOLIDAY {day} to {day}",
        "OBSERVE checkered-flag-1",
        "PREVIEW\nGEAR 9",
        "HELP",
        "SET public=yes",
    ),
    *(
        "JOIN checkered-flag-1",
        "STANDIN checkered-flag-1",
        "MESSAGE to moderator: hello",
        "GAER 1",
        "LEAVE",
    ),
)
NOTICES = '#!/bin/sh\ncat >> "$(dirname "$0")/notices"\n'


def begun(top: Path) -> Club:
    """Return a club of five members, of whom two play without names, and one observes them."""
    club = begin("open", top)
    club.club("set", "press=free", "press_anonymous=true", "names=hidden", "public.names=true", "hook=./notify")
    notify = club.folder / "notify"
    notify.write_text(NOTICES)
    notify.chmod(0o700)
    for line in ("JOIN", "REGISTER {}"):
        for who, name in PEOPLE.items():
            club.mail(who, line.format(name))
        club.round()
    club.club("open", "checkered-flag", "laps=1")
    for _ in range(2):
        for who in ("annika", "bertram"):
            club.mail(who, "JOIN checkered-flag", "club")
        club.round()
    club.mail("desmond", f"OBSERVE {GAME}", "club")
    club.round()
    return club


def seats_of(club: Club) -> dict[str, str]:
    """Return who plays each seat, as the moderator sees it."""
    found = json.loads(club.club("list", "--json").stdout)["players"]
    return {one["seat"]: one["addresses"][0].partition("@")[0] for one in found}


def leaks(club: Club) -> list[str]:
    """Return the names and addresses of others in the new letters to people, and any in notices and public pages."""
    if club.number % 12 == 0:
        club.club("publish", "-o", "public")
    others = [
        path.read_text("utf-8", "replace")
        for path in club.top.glob("public/**/*")
        if path.suffix in (".html", ".xml", ".ics")
    ]
    others += [path.read_text() for path in club.folder.glob("notices")]
    found = [f"a page or notice: {name}" for text in others for name in PEOPLE if name in text.lower()]
    for letter in club.new:
        if letter.to == "gm":
            continue
        parts = [part.get_content() for part in letter.mail.walk() if part.get_content_type().startswith("text/")]
        text = "\n".join([*map(str, letter.mail.values()), *parts]).lower()
        asked = [name for name in PEOPLE if letter.to != name and name in text]
        is_answer = letter.subject == "your mail was read" and GAME not in text  # to WHO, with a name that was asked for
        found += [f"{letter.to}: {letter.subject}: {name}" for name in asked if not is_answer]
    return found


def test_no_letter_and_no_page_names_the_players_of_a_game_before_its_end(tmp_path: Path) -> None:
    club, luck = begun(tmp_path), Random(7)
    game = club.game(GAME)
    assert set(game.players.values()) == {""} and len(set(seats_of(club).values())) == 2
    club.club("publish", "-o", "public")
    assert not leaks(club) and [*club.top.glob("public/games/*.html")]
    turns = 0
    while not (game := club.game(GAME)).is_over:
        turns += 1
        assert turns < 200
        holders = seats_of(club)
        for seat in game.due_seats:
            if turns not in (4, 5) or seat != game.seats[0]:  # two missed deadlines in the beginning
                club.mail(holders[seat], choose_order(game, seat, seed=None), GAME)
        for who in luck.sample([*PEOPLE], 2):
            day, name = f"2026-04-{luck.randint(1, 28):02}", luck.choice([*PEOPLE.values()])
            club.mail(who, luck.choice(LINES).format(day=day, name=name), luck.choice([GAME, "club"]))
        if turns == 8:
            club.club("seat", GAME, game.seats[1], "Eleonore", "eleonore@example.org")
        if turns == 12:
            club.club("seat", GAME, game.seats[1], "Cornelia", "cornelia@example.org")
        club.round(HOUR)
        is_over = club.game(GAME).is_over
        for seat in game.seats:
            own = club.game(GAME).seen_by(seat).own_file().decode().lower()
            assert not any(name in own for name in PEOPLE)
        assert is_over or not leaks(club), leaks(club)
    ends = [letter for letter in club.new if "is over" in letter.subject and letter.to != "gm"]
    assert ends and all("The players were " in letter.text for letter in ends)
    assert all(f"Eleonore ({game.seats[1]})" in letter.text for letter in ends)
    club.club("publish", "-o", "public")
    pages = "".join(path.read_text() for path in club.top.glob("public/games/*.html"))
    assert "Cornelia" in pages and PEOPLE[seats_of(club)[game.seats[0]]] in pages
    standing = json.loads(club.club("standing", "--json").stdout)["club_standings"]
    found = {one["player"]: (one["seats_begun"], one["seats_taken_over"], len(one["player_ratings"])) for one in standing}
    assert {name: found[name] for name in sorted(found)} == {
        "Annika": (1, 0, 1),
        "Bertram": (1, 0, 1),
        "Cornelia": (0, 1, 0),
        "Eleonore": (0, 1, 0),
    }
    club.mail("desmond", "WHO Cornelia", "club")
    club.round(HOUR)
    assert GAME in club.letter("desmond", "your mail was read").text
