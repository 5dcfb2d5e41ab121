"""A round runs only the games that have something new, and several processes share many of them."""

from __future__ import annotations

import os
import shutil
import threading
from contextlib import closing
from pathlib import Path

import pytest
from players_post import Post, founded

from adjudicator.club import run, turns
from adjudicator.club.players import release_seat

GAMES = ("race", "second")


@pytest.fixture(scope="module")
def _begun(tmp_path_factory: pytest.TempPathFactory) -> Post:
    """A club with two new games."""
    post = founded(tmp_path_factory.mktemp("many") / "club")
    for game in GAMES:
        post.add("checkered-flag", "red", "blue", game=game)
    with closing(post.club.ledger()) as ledger:
        ledger.secret()  # all copies have it
    return post


@pytest.fixture
def post(_begun: Post, tmp_path: Path) -> Post:
    """A copy of that club."""
    shutil.copytree(_begun.folder, tmp_path / "club")
    return Post(tmp_path / "club")


def letters(post: Post) -> dict[str, bytes]:
    """Return the letters that the club has sent, by key."""
    with closing(post.club.ledger()) as ledger:
        rows = list(ledger._db.execute("select key, data, state from letters"))
    assert {row["state"] for row in rows} == {"sent"}
    assert len(post.mails()) == len(rows)
    return {row["key"]: row["data"] for row in rows}


@pytest.mark.usefixtures("other_processes")
def test_several_processes_do_what_one_does(post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(post.folder, tmp_path / "other")
    alone = Post(tmp_path / "other")
    assert alone.run().games == GAMES
    monkeypatch.setattr(run, "_MANY", 2)
    assert post.run().games == GAMES
    assert letters(post) == letters(alone)
    assert post.run().games == ()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes can be forked here")
@pytest.mark.usefixtures("other_processes")
def test_a_process_that_ends_loses_no_game_and_repeats_no_letter(
    post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, announce = os.getpid(), turns._announce_in_chats

    def end(*given: object) -> None:
        if os.getpid() != here:
            (tmp_path / f"ended{os.getpid()}").touch()
            os._exit(1)  # in the middle of a change of the ledger
        announce(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(threading, "active_count", lambda: 1)  # else the processes do not know the next line
    monkeypatch.setattr(turns, "_announce_in_chats", end)
    monkeypatch.setattr(run, "_MANY", 2)
    done = post.run()
    assert len(list(tmp_path.glob("ended*"))) == len(GAMES)
    assert (done.games, done.troubles) == (GAMES, ())
    assert len(letters(post)) == 5 * len(GAMES)


def test_a_round_with_nothing_new_opens_no_game(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    open_game = turns.open_game

    def note(club: object, game: str) -> object:
        opened.append(game)
        return open_game(club, game)  # type: ignore[arg-type]

    monkeypatch.setattr(turns, "open_game", note)
    post.run()
    assert set(opened) == set(GAMES)
    opened.clear()
    post.run(after=60)
    assert opened == []
    post.send("second", "red", "STATUS")
    post.run(after=60)
    assert "race" not in opened


@pytest.mark.usefixtures("slow_bots")
def test_a_game_with_more_turns_than_fit_in_a_round_goes_on_in_the_next(post: Post) -> None:
    for seat in ("red", "blue"):
        release_seat(post.club, "race", seat, "nobody plays it")
    played = [len(post.session("race").game.journal)]
    for _ in range(4):
        post.run(after=60)
        played.append(len(post.session("race").game.journal))
    assert played == sorted(set(played))
