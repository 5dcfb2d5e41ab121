"""Players decide whether public pages and chat rooms name them: their own no always wins."""

from __future__ import annotations

import re

import pytest
from players_post import Post
from test_public import files, publish
from test_register import JOIN_ON, asks, letters, members, write
from test_waiting_lists import address, joins

GAME = "checkered-flag-1"


@pytest.fixture
def begun(offering: Post) -> Post:
    """A club with a game of Ann and Bob that began from a list; Ann has agreed to be named."""
    assert asks(offering, address("ann"), "SET public=yes") == "Public pages and chat rooms may name you in your games.\n"
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    return offering


def named(post: Post) -> set[str]:
    """Publish the pages; return the players whom they name."""
    publish(post)
    text = "\n".join(data.decode("utf-8", "replace") for data in files(post).values())
    return {name for name in ("Ann", "Bob") if re.search(rf"\b{name}\b", text)}


def say(post: Post, name: str, answer: str) -> None:
    joins(post, name, words=f"SET public={answer}")


def test_pages_name_players_who_agree_until_they_change_their_mind(begun: Post) -> None:
    assert named(begun) == {"Ann"}
    say(begun, "ann", "no")
    say(begun, "bob", "YES")
    assert named(begun) == {"Bob"}
    assert {one.name: one.public for one in members(begun)} == {"Ann": "no", "Bob": "yes", "Eve": ""}


def test_the_no_of_a_player_wins_over_all_settings(begun: Post) -> None:
    begun.settings("[incoming]", "[public]\nnames = true\n\n[incoming]")
    assert named(begun) == {"Ann", "Bob"}
    begun.settings("[seats.blue]\n", "[seats.blue]\npublic_name = true\n", GAME)
    say(begun, "bob", "no")
    assert named(begun) == {"Ann"}


def test_the_no_of_the_moderator_wins_over_a_yes(begun: Post) -> None:
    begun.settings("[seats.red]\n", "[seats.red]\npublic_name = false\n", GAME)
    assert named(begun) == set()


def test_an_answer_follows_its_player_to_a_new_address(begun: Post) -> None:
    from test_new_address import NEW, asked, token_for

    begun.settings("[incoming]", "[public]\nnames = true\n\n[incoming]")
    say(begun, "ann", "no")
    asked(begun)
    write(begun, NEW, "Yes", token_for(begun, NEW))
    begun.run()
    assert named(begun) == {"Bob"}


def test_players_of_other_games_can_answer_in_the_mail_of_a_game(post: Post) -> None:
    post.settings("[incoming]", f"[public]\nnames = true\n\n{JOIN_ON}")
    post.send("race", "red", "SET public=no")
    post.run()
    publish(post)
    text = "\n".join(data.decode("utf-8", "replace") for data in files(post).values())
    assert re.search(r"\bBlue\b", text) and not re.search(r"\bRed\b", text)


def test_other_answers_change_nothing(begun: Post) -> None:
    begun.mails()
    assert "HELP shows" in asks(begun, address("ann"), "SET public=maybe")
    assert members(begun)[0].public == "yes"
    assert letters(begun) == []
