"""A season of all games over real servers whose rounds are killed: it ends as the same season that nobody disturbs."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from attack import Attack
from outcome import addressed, games, ledger, letters
from stopping import KILLED, Steps, call_apart

sys.path.insert(0, str(Path(__file__).parents[1] / "club"))

from players_post import HOUR, Post
from season import Season, founded_season, message, require_sound
from servers import Imap, by_imap, by_smtp, certified, dovecot, smtp_apart

from adjudicator.club.run import run_once

PAUSE = 12 * HOUR
MOST = 12
"""Kills of one round: then it may end."""

Sent = list[tuple[str, str, bytes]]


class Outbox:
    """The mails that the mail server took."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "new"

    def emptied(self) -> Sent:
        """Return the recipient, the Message-ID and the text of every mail since the last call."""
        found = []
        for path in sorted(self.folder.iterdir()):
            data = path.read_bytes()
            mail = message(data)
            del mail["X-Peer"]  # has the port of the sender
            found.append((str(mail["X-RcptTo"]), str(mail["Message-ID"]), mail.as_bytes()))
            path.unlink()
        return found


def one_round(post: Post) -> None:
    assert run_once(post.club, post.now).troubles == ()


def kill_rounds(attack: Attack, wild: Post, calm: Steps, most: int) -> None:
    """Kill a round, and those that take it up, ``most`` times or until little is left to do; then let one end.

    ``calm`` are the steps of the same round in the other club.
    """
    left, luck = 1.0, attack.luck
    for _ in range(most):
        done = luck.random()
        at, left = left * done, left * (1 - done)
        is_lasting = luck.random() < 0.7
        steps = Steps(kill_in=1 + round(at * calm.lasting)) if is_lasting else Steps(1 + round(at * calm.count))
        ended = call_apart(wild.folder, partial(one_round, wild), steps)
        assert ended.code in (0, KILLED), ended
        attack.count("kills" if ended.code == KILLED else "rounds that ended before")
        if ended.code != KILLED or left < 0.01:
            break
    one_round(wild)


def play(attack: Attack, calm: Season, wild: Post, imap: Imap, out: Outbox, kills: int) -> dict[str, Sent]:
    """Play the same season in both clubs until the second was killed ``kills`` times; return what each has sent."""
    post, mails = calm.post, list[bytes]()
    sent: dict[str, Sent] = {"calm": [], "wild": []}

    def deliver(data: bytes) -> None:
        mails.append(data)
        imap.deliver(data, post.now)

    post.deliver = deliver  # type: ignore[method-assign]
    while attack.counts["kills"] < kills:
        calm.answers()
        attack.count("mails", len(mails))
        post.now += PAUSE
        steps = Steps()
        with steps.counting():
            one_round(post)  # what this process loads now, the killed ones need not load
        sent["calm"] += out.emptied()
        assert imap.count("INBOX") == 0
        for data in mails:
            imap.deliver(data, wild.now)
        mails.clear()
        wild.now = post.now
        kill_rounds(attack, wild, steps, min(MOST, kills - attack.counts["kills"]))
        attack.count("rounds")
        sent["wild"] += out.emptied()
        assert imap.count("INBOX") == 0
    return sent


@pytest.mark.parametrize(("kills", "most"), [(3, 1), pytest.param(300, None, marks=pytest.mark.soak)])
def test_kills_change_no_game_and_no_letter(
    attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kills: int, most: int | None
) -> None:
    """Every letter is sent once; only a kill between sending and noting it sends it again, with the same Message-ID."""
    for name in ("tls", "calm", "wild"):
        (tmp_path / name).mkdir()
    tls = certified(tmp_path / "tls")
    monkeypatch.setenv("SSL_CERT_FILE", str(tls.authority))
    calm = founded_season(tmp_path / "calm" / "club", attack.luck)
    out = Outbox(tmp_path / "sent")
    with dovecot(tls) as imap, smtp_apart(tmp_path / "sent", tls) as port:
        by_imap(calm.post, imap, monkeypatch)
        by_smtp(calm.post, port, "starttls")
        calm.post.give_desk()
        calm.begin(most)
        calm.post.run()
        begun = out.emptied()
        wild = Post(tmp_path / "wild" / "club", now=calm.post.now)
        shutil.copytree(calm.post.folder, wild.folder)
        sent = play(attack, calm, wild, imap, out, attack.times(kills))
    for post in (calm.post, wild):
        require_sound(Season(post, attack.luck, calm.games, calm.sent))
    assert games(wild) == games(calm.post)
    assert letters(wild) == letters(calm.post)
    assert wild.pages() == calm.post.pages() != {}
    assert ledger(wild) == ledger(calm.post)
    assert not [path for path in wild.folder.rglob("*") if path.suffix in (".tmp", ".part")]
    count_letters(attack, begun, sent, calm.post)


def count_letters(attack: Attack, begun: Sent, sent: dict[str, Sent], post: Post) -> None:
    """The calm club has sent each letter once; the other the same, some of them again without a change."""
    once = Counter(addressed(post))
    assert set(once.values()) == {1}
    assert Counter(mail[:2] for mail in begun + sent["calm"]) == once
    wild = {mail[:2]: mail for mail in sent["wild"]}
    assert wild.keys() == {mail[:2] for mail in sent["calm"]}
    assert set(wild.values()) == set(sent["wild"])
    attack.count("letters", len(sent["calm"]))
    attack.count("letters sent again with the same Message-ID", len(sent["wild"]) - len(sent["calm"]))
    attack.count("orders in the games", sum(len(post.session(game).game.journal) - 1 for game in post.club.games))
