"""A season of five games over real servers, with at least ten players who write as people do.

Their mails have greetings, remarks, quotes, second thoughts, photos and lost tokens, and strangers forge some. Every order
is carried out, every mail is answered, and no player reads a word of another player's mail.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from attack import Attack
from people import People, connect, require_answered, require_secret

sys.path.insert(0, str(Path(__file__).parents[1] / "club"))

from players_post import DAY, HOUR, founded
from season import message
from servers import dovecot, smtp

from adjudicator.audit.decide import audit_game
from adjudicator.club.manage import extend, pause, resume
from adjudicator.rulesets import metas
from adjudicator.session import Session

DUE = 12 * HOUR


def play(people: People, rounds: int) -> None:
    """Play so many rounds; now and then the moderator pauses, extends or seats another player, or somebody is away."""
    post = people.post
    post.run()
    for number in range(rounds):
        games = {game: post.session(game) for game, _ in sorted(metas())}
        running = [game for game, of in games.items() if not of.rules.is_over(of.config, of.game.state)]
        entries = {game: len(post.session(game).game.journal) for game in running}
        expected = {game: people.take_turns(game) for game in running}
        assert post.run(after=DUE).troubles == ()
        for game, orders in expected.items():
            require_played(post.session(game), entries[game], orders, people.count)
        if number % 3 == 2:
            disturb(people, people.luck.choice(running or ["checkered-flag"]))


def require_played(session: Session, begin: int, expected: dict[str, str], count: Callable[[str], None]) -> None:
    """Each of the ``expected`` orders is the first of its seat since entry ``begin``."""
    for seat, order in expected.items():
        played = [link.entry for link in session.game.journal[begin:] if link.entry.seat == seat]
        assert played, (session.game.id, seat, order)
        assert (played[0].written or played[0].order).startswith(order), (session.game.id, seat, order, played[0])
        count("orders carried out")


def disturb(people: People, game: str) -> None:
    """Let the moderator, or a player, do what happens between turns."""
    post, kind = people.post, people.luck.randrange(4)
    with closing(post.club.ledger()) as ledger:
        row = ledger.game(game)
        if row.is_over:
            return
        if kind == 0:
            pause(post.club, ledger, [game], post.now)
        elif kind == 1:
            extend(post.club, ledger, [game], "2 days", post.now)
        elif kind == 2:
            seat = people.luck.choice(list(post.club.settings_of(game).seats))
            name = f"{people.players[game, seat][0]}son"
            people.players[game, seat] = name, f"{name.lower()}@example.org"
            post.seat(game, seat, *people.players[game, seat])
    if kind == 0:
        assert post.run(after=14 * DAY).troubles == ()
        with closing(post.club.ledger()) as ledger:
            resume(post.club, ledger, [game], post.now)
            assert ledger.game(game).due >= row.due + 14 * DAY
    if kind == 3:
        seat = people.luck.choice(list(post.club.settings_of(game).seats))
        day = 1_000_000 if post.now < 0 else post.now
        from time import gmtime, strftime

        first, last = (strftime("%Y-%m-%d", gmtime(day + days * DAY)) for days in (1, 4))
        people.write(game, seat, f"HOLIDAY {first} to {last}\n")
    people.count("disturbances")
    assert post.run(after=HOUR).troubles == ()


@pytest.mark.soak
def test_a_season_of_people(attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    luck = attack.luck
    post = founded(tmp_path / "club")
    people = People(post, luck, attack.count)
    with dovecot() as imap, smtp() as out:
        connect(post, imap, out, monkeypatch)
        people.begin()
        play(people, attack.times(40))
        post.run(after=HOUR)
        assert imap.count("INBOX") == 0
    require_answered(people, out.mails)
    twice = Counter((to, str(message(data)["Message-ID"])) for to, data in out.mails)
    assert set(twice.values()) == {1}, "a letter went out twice"
    require_secret(people, out.mails)
    for game, _ in metas():
        session = post.session(game)
        assert audit_game(session).divergence is None
        attack.count("entries", len(session.game.journal))
        attack.count("games over", bool(session.rules.is_over(session.config, session.game.state)))
    attack.count("letters", len(out.mails))
