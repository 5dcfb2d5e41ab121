"""Whole seasons: a game of each ruleset over real servers; at the end every game audits and every mail is accounted for."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from players_post import HOUR, Post, founded
from season import Season, message
from servers import dovecot, smtp
from test_servers import by_imap, by_smtp

from adjudicator.audit.decide import audit_game
from adjudicator.club.ledger import MailState

RUN = """
import sys
from pathlib import Path
from adjudicator.club.folder import ClubFolder
from adjudicator.club.run import run_once
run_once(ClubFolder(Path(sys.argv[1])), int(sys.argv[2]))
"""


def states(post: Post) -> Counter[str]:
    with closing(post.club.ledger()) as ledger:
        return Counter(state.value for state in MailState for _ in ledger.mails(state))


def require_sound(season: Season) -> None:
    """Every game is verified, and each mail of a player was taken, answered, or waits; none is forgotten."""
    sessions = [season.post.session(game) for game in season.games]
    for session in sessions:
        assert audit_game(session).divergence is None, session.game.id
    assert sum(len(session.game.journal) - 1 for session in sessions) >= len(sessions)
    found = states(season.post)
    assert sum(found.values()) == season.sent
    assert set(found) <= {"taken", "answered", "waiting"}


@pytest.fixture
def season(tmp_path: Path) -> Season:
    post = founded(tmp_path / "club")
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.settings('every = "3 days"\nat = "20:00"', 'every = "1 day"')
    post.settings("most_missing = 1", "most_missing = 5")
    return Season(post, Random(5))


@pytest.mark.parametrize("rounds", [2, pytest.param(3, marks=pytest.mark.soak)])
def test_a_season_over_real_servers(season: Season, monkeypatch: pytest.MonkeyPatch, rounds: int) -> None:
    post = season.post
    with dovecot() as imap, smtp() as out:
        by_imap(post, imap, monkeypatch)
        by_smtp(post, out.port)
        monkeypatch.setattr(post, "deliver", imap.deliver)
        season.begin()
        season.play(rounds)
        post.run(after=HOUR)
        assert imap.count("INBOX") == 0
    require_sound(season)
    sent = Counter((to, str(message(data)["Message-ID"])) for to, data in out.mails)
    assert set(sent.values()) == {1}, "a letter went out twice"
    with closing(post.club.ledger()) as ledger:
        counts = ledger.counts()
    assert {state for _, state in counts} == {"sent"}
    assert sum(counts.values()) == len(out.mails)
    assert counts["receipt", "sent"] == sum(states(post).values())


@pytest.mark.parametrize("stop", [3])
def test_a_run_that_is_killed_is_taken_up_by_the_next(season: Season, stop: int) -> None:
    kill_and_go_on(season, rounds=2, luck=Random(stop))


@pytest.mark.soak
def test_runs_that_are_killed_anywhere(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """300 runs killed after any time; nothing is lost, done twice or sent twice."""
    size = float(request.config.getoption("--soak-size"))
    seed = int(request.config.getoption("--soak-seed"))
    post = founded(tmp_path / "club")
    for old, new in (('nmr = "wait"', 'nmr = "bot"'), ('every = "3 days"\nat = "20:00"', 'every = "1 day"')):
        post.settings(old, new)
    season = Season(post, Random(seed))
    kill_and_go_on(season, rounds=max(3, int(300 * size)), luck=Random(seed))


def kill_and_go_on(season: Season, rounds: int, luck: Random) -> None:
    """Begin a round, kill it after some time, and let the next one finish it; the same each time."""
    post = season.post
    season.begin()
    post.run()
    for _ in range(rounds):
        season.answers()
        post.now += 12 * HOUR
        killed_after(post, luck.random() * 0.9)
        done = post.run()
        assert done.troubles == (), done.troubles
    post.run(after=60)
    require_sound(season)
    with closing(post.club.ledger()) as ledger:
        counts = ledger.counts()
    assert {state for _, state in counts} == {"sent"}
    assert sum(counts.values()) == len(list((post.folder / "outgoing").glob("*.eml")))
    assert not [path for path in post.folder.rglob("*") if re.search(r"\.tmp|\.part", path.name)]


def killed_after(post: Post, seconds: float) -> None:
    """Run a round in a process of its own, and kill it after so many seconds if it lasts so long."""
    run = subprocess.Popen([sys.executable, "-c", RUN, str(post.folder), str(post.now)], env=os.environ)
    try:
        run.wait(seconds + 0.2)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGKILL)
        run.wait()
