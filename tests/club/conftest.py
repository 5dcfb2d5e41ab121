"""A club with a race in it whose first letters have gone out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from players_post import Post, club_with_game, founded


@pytest.fixture(scope="session")
def _empty(tmp_path_factory: pytest.TempPathFactory) -> Post:
    return founded(tmp_path_factory.mktemp("empty") / "club")


@pytest.fixture
def empty(_empty: Post, tmp_path: Path) -> Post:
    """A club without a game."""
    return _empty.copied(tmp_path / "club")


@pytest.fixture(scope="session")
def _racing(tmp_path_factory: pytest.TempPathFactory) -> Post:
    return club_with_game(tmp_path_factory.mktemp("racing") / "club", "checkered-flag", "red", "blue", game="race")


@pytest.fixture
def post(_racing: Post, tmp_path: Path) -> Post:
    """A club with a race of red and blue, red being first to order a gear; the first reports are read."""
    return _racing.copied(tmp_path / "club")


@pytest.fixture(scope="session")
def _spying(tmp_path_factory: pytest.TempPathFactory) -> Post:
    return club_with_game(
        tmp_path_factory.mktemp("spying") / "club", "checkpoint-charlie", "red", "blue", "green", game="spies"
    )


@pytest.fixture
def spies(_spying: Post, tmp_path: Path) -> Post:
    """A club with a game in which red, blue and green order at once; the first reports are read."""
    return _spying.copied(tmp_path / "club")


@pytest.fixture
def slow_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let simulated players take few turns in a round: where nobody else plays, they play the whole game."""
    monkeypatch.setattr("adjudicator.club.run._MOST_STEPS", 2)


OFFER = """[people]
join = true
new = true

[[people.open]]
ruleset = "checkered-flag"
deadline = "48 hours"
options = { laps = "2" }

[incoming]"""


@pytest.fixture(scope="session")
def _offering(tmp_path_factory: pytest.TempPathFactory) -> Post:
    from test_register import registered

    post = founded(tmp_path_factory.mktemp("offering") / "club")
    post.settings("[incoming]", OFFER)
    registered(post, "ann", "bob", "eve")
    return post


@pytest.fixture
def offering(_offering: Post, tmp_path: Path) -> Post:
    """A club that offers a race of two players, with the members Ann, Bob and Eve."""
    return _offering.copied(tmp_path / "club")
