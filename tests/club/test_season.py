"""Whole seasons: a game of each ruleset over real servers; at the end every game audits and every mail is accounted for."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from players_post import HOUR
from season import founded_season, message, require_sound, states
from servers import dovecot, smtp
from test_servers import by_imap, by_smtp


@pytest.mark.parametrize("rounds", [2, pytest.param(3, marks=pytest.mark.soak)])
def test_a_season_over_real_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: int) -> None:
    season = founded_season(tmp_path / "club", Random(5))
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
