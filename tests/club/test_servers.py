"""Fetching by IMAP and sending by SMTP, with real servers: what they refuse, what they do not take now, what is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest
from players_post import DAY, HOUR, Post
from servers import Imap, Smtp, certified, dovecot, free_port, smtp, smtp_apart

from adjudicator.mail.imap import ImapFolder
from adjudicator.mail.incoming import MailboxError
from adjudicator.mail.servers import Security, Server
from adjudicator.mail.smtp import Fate, Handover


@pytest.fixture(scope="module")
def imap() -> Iterator[Imap]:
    with dovecot() as running:
        yield running


@pytest.fixture
def outgoing() -> Iterator[Smtp]:
    with smtp() as running:
        yield running


def by_imap(post: Post, imap: Imap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLUB_TEST_PASSWORD", imap.password)
    security = "none" if imap.tls is None else "starttls"
    words = f'kind = "imap"\nhost = "127.0.0.1"\nport = {imap.port}\nsecurity = "{security}"\nuser = "{imap.user}"'
    post.settings('kind = "maildir"\nfolder = "inbox"', f'{words}\nfolder = "INBOX"\npassword.env = "CLUB_TEST_PASSWORD"')


def by_smtp(post: Post, port: int, security: str = "none") -> None:
    words = f'kind = "smtp"\nhost = "127.0.0.1"\nport = {port}\nsecurity = "{security}"'
    text = (post.folder / "club.toml").read_text()
    (post.folder / "club.toml").write_text(
        text.replace('kind = "folder"                    # writes mails into the folder; "smtp" sends them', words)
    )


def letters(post: Post) -> dict[tuple[str, str], int]:
    with closing(post.club.ledger()) as ledger:
        return ledger.counts()


def matters(post: Post) -> list[str]:
    with closing(post.club.ledger()) as ledger:
        return [one.words for one in ledger.matters()]


def test_mails_are_fetched_by_imap_once_and_moved(post: Post, imap: Imap, monkeypatch: pytest.MonkeyPatch) -> None:
    by_imap(post, imap, monkeypatch)
    done = imap.count("Adjudicated")
    data = post.send("race", "red", "GEAR 1")
    imap.deliver(data)
    imap.deliver(data)
    assert post.run().fetched == 1
    assert (imap.count("INBOX"), imap.count("Adjudicated")) == (0, done + 2)
    assert len(post.session("race").game.journal) == 2
    assert post.run(after=60).fetched == 0


def test_a_mail_that_is_much_too_large_is_not_fetched_whole(post: Post, imap: Imap, monkeypatch: pytest.MonkeyPatch) -> None:
    by_imap(post, imap, monkeypatch)
    for name in ("imap", "limits", "parse"):  # a tenth of the usual limit, to be quick
        monkeypatch.setattr(f"adjudicator.mail.{name}.MOST_BYTES", 4_000_000)
    imap.deliver(post.send("race", "red", "x" * 70 + "\n") + b"y" * 4_100_000)
    assert post.run().fetched == 1
    assert "The mail has" in post.got()["red: race: your mail has a mistake"]


def test_waiting_ends_when_a_mail_comes(imap: Imap) -> None:
    from threading import Thread

    server = Server(host="127.0.0.1", port=imap.port, security=Security.NONE, user=imap.user, password=imap.password)
    with ImapFolder(server, "INBOX", "Adjudicated") as box:
        sender = Thread(target=imap.deliver, args=(b"Subject: x\r\n\r\n",))
        sender.start()
        came = any(box.wait(30) for _ in range(20)) or list(box.fetch(10))
        sender.join()
        assert came
        for found in box.fetch(10):
            box.put_away(found.key)


def test_a_server_that_is_away_or_does_not_know_the_password_is_told(
    post: Post, imap: Imap, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_imap(post, imap, monkeypatch)
    monkeypatch.setenv("CLUB_TEST_PASSWORD", "wrong")
    (trouble,) = post.run().troubles
    assert "refuses" in trouble
    assert "wrong" not in trouble
    monkeypatch.delenv("CLUB_TEST_PASSWORD")
    assert "CLUB_TEST_PASSWORD" in post.run().troubles[0]
    with (
        pytest.raises(MailboxError, match="cannot be reached"),
        ImapFolder(Server(host="127.0.0.1", port=free_port(), security=Security.NONE), "INBOX", "x"),
    ):
        pass


def test_letters_go_out_by_smtp_each_once(post: Post, outgoing: Smtp) -> None:
    by_smtp(post, outgoing.port)
    post.send("race", "red", "GEAR 1")
    assert post.run().posted.sent == 4
    assert sorted(to for to, _ in outgoing.mails) == ["blue@example.org", "gm@example.org", *["red@example.org"] * 2]
    assert post.run(after=DAY).posted.sent == 0


def test_who_is_refused_costs_nobody_else_a_letter(post: Post, outgoing: Smtp) -> None:
    by_smtp(post, outgoing.port)
    outgoing.refuse = lambda to: "550 no such user" if to.startswith("blue") else None
    post.send("race", "red", "GEAR 1")
    posted = post.run().posted
    assert (posted.given_up, posted.sent) == (1, 4)
    assert [to for to, data in outgoing.mails if b"could not send" in data] == ["gm@example.org"]
    assert matters(post) == ["the club could not send a report to blue@example.org: 550 no such user"]


def test_what_is_not_taken_now_is_tried_again_with_patience(post: Post, outgoing: Smtp) -> None:
    by_smtp(post, outgoing.port)
    outgoing.refuse_data = lambda _data: "451 greylisted"
    post.send("race", "red", "GEAR 1")
    assert post.run().posted.later == 4
    assert post.run(after=30).posted.later == 0
    assert post.run(after=40).posted.later == 4
    outgoing.refuse_data = lambda _data: None
    assert post.run(after=10).posted.sent == 0
    assert post.run(after=HOUR).posted.sent == 4
    assert len(outgoing.mails) == 4


def test_a_mail_that_cannot_be_read_is_told_and_the_others_are_answered(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    (post.folder / "inbox" / "new" / "1.broken").write_bytes(b"x")

    def fail_over_one(path: Any, mode: str) -> Any:
        if str(path).endswith("broken"):
            raise OSError(5, "Input/output error")
        return open(path, mode)

    monkeypatch.setattr("adjudicator.mail.incoming.open", fail_over_one, raising=False)
    post.send("race", "red", "GEAR 1")
    done = post.run()
    assert done.fetched == 1
    assert done.troubles == (f"a mail could not be read: {post.folder / 'inbox' / 'new' / '1.broken'}: Input/output error",)
    assert len(post.session("race").game.journal) == 2


def test_after_a_letter_that_hangs_the_others_wait_for_the_next_round(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    class Hanging:
        def send(self, _sender: str, to: str, _data: bytes) -> Handover:
            tried.append(to)
            return Handover(Fate.LATER if len(tried) == 1 else Fate.UNTRIED, "the mail server did not answer in time")

    monkeypatch.setattr("adjudicator.club.post.open_sender", lambda _server: nullcontext(Hanging()))
    by_smtp(post, free_port())
    post.send("race", "red", "GEAR 1")
    done = post.run()
    assert (len(tried), done.posted.later, done.posted.sent) == (2, 1, 0)
    assert done.troubles == ("the next round sends the other mails: the mail server did not answer in time",)
    tried.append("")
    assert post.run(after=1).posted.later == 0
    assert tried[3:] == tried[1:2], "nobody was made to wait by the letter before"


def test_a_server_that_is_away_is_waited_for_and_in_the_end_given_up(post: Post) -> None:
    by_smtp(post, free_port())
    post.send("race", "red", "GEAR 1")
    assert post.run().posted.later == 4
    for _ in range(14):
        post.run(after=8 * HOUR)
    assert letters(post)["report", "given up"] == 2
    assert any("cannot be reached" in words for words in matters(post))


def test_starttls_is_used_and_the_certificate_is_verified(
    post: Post, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A club that does not know the authority neither logs in nor sends; one that does fetches and sends."""
    (tmp_path / "tls").mkdir()
    tls = certified(tmp_path / "tls")
    with dovecot(tls) as imap, smtp_apart(tmp_path / "sent", tls) as port:
        by_imap(post, imap, monkeypatch)
        by_smtp(post, port, "starttls")
        imap.deliver(post.send("race", "red", "GEAR 1"))
        (trouble,) = post.run().troubles
        assert "CERTIFICATE_VERIFY_FAILED" in trouble
        assert imap.count("INBOX") == 1
        monkeypatch.setenv("SSL_CERT_FILE", str(tls.authority))
        done = post.run(after=60)
        assert (done.fetched, done.posted.sent, done.troubles) == (1, 4, ())
        assert len(list((tmp_path / "sent" / "new").iterdir())) == 4


def test_a_password_never_stands_in_what_is_told() -> None:
    server = Server(host="h", port=1, user="u", password="sesame")
    assert "sesame" not in f"{server!r} {server}"
