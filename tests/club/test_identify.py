"""Whose a mail is, found out before its body is read; what forged mails and wrong tokens cost, and whom."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from players_post import DAY, Post

from adjudicator.club.ledger import MailState
from adjudicator.mail import message

RECEIVED = "from x (x [{}]) by mx.example.org; Mon, 02 Mar 2026 12:00:00 +0000"
MALLORY, OWNER = RECEIVED.format("203.0.113.7"), RECEIVED.format("192.0.2.1")
LARGE = ("<a " * 20 + "\n") * 14_500
"""A body of 900 KB that would take long to decode."""
SERVER = ('# authserv_id = "mx.example.org"', 'authserv_id = "mx.example.org"')


def matters(post: Post) -> list[str]:
    with closing(post.club.ledger()) as ledger:
        return [one.words for one in ledger.matters()]


def states(post: Post) -> list[str]:
    with closing(post.club.ledger()) as ledger:
        return [state.value for state in MailState for _ in ledger.mails(state)]


def entries(post: Post) -> int:
    """Return how many orders the race has in its journal, besides its beginning."""
    return len(post.session("race").game.journal) - 1


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the bodies that were decoded."""
    sizes: list[int] = []
    decode = message.body_of

    def counting(mail: Any) -> Any:
        sizes.append(len(mail.as_bytes()))
        return decode(mail)

    monkeypatch.setattr(message, "body_of", counting)
    return sizes


@pytest.mark.parametrize(
    "changes",
    [
        {"From": "mallory@evil.org", "Subject": "orders"},
        {"From": "mallory@evil.org", "Subject": "Re: [race/red#aaaabbbbccccdddd] turn 1"},
        {"From": "mallory@evil.org"},
        {"From": "red@example.org, mallory@evil.org"},
        {"From": "red@example.org, mallory@evil.org", "Subject": "orders"},
        {"Auto-Submitted": "auto-replied"},
        {"X-Vacation": "yes", "Subject": "orders"},
        {
            "X-Vacation": "yes",
            "Subject": "orders",
            "Authentication-Results": "mx.example.org; dkim=pass header.d=example.org",
        },
        {"Subject": "orders", "Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"},
        {"Authentication-Results": "mx.example.org; spf=pass smtp.mailfrom=evil.org"},
        {"Subject": "orders"},
    ],
)
def test_no_body_is_decoded_for_a_mail_that_proves_nothing(post: Post, bodies: list[int], changes: dict[str, str]) -> None:
    """All sizes of a stranger's mail cost the same: the body of 900 KB is kept as it came, and not read."""
    post.settings(*SERVER)
    post.send("race", "red", LARGE, **{name.replace("-", "_"): value for name, value in changes.items()})
    post.run()
    assert bodies == []
    assert entries(post) == 0


def test_the_body_of_a_players_mail_is_decoded_for_the_token_in_it(post: Post, bodies: list[int]) -> None:
    post.send("race", "red", f"token {post.tag('race', 'red').strip('[]')}\nGEAR 1", Subject="orders")
    post.run()
    assert bodies
    assert entries(post) == 1


@pytest.mark.parametrize(
    "sender",
    [
        "mallory@evil.org (<red@example.org>)",
        "mallory@evil.org, red@example.org",
        "red@example.org <mallory@evil.org>",
        "<red@example.org> <mallory@evil.org>",
        "all: red@example.org;",
    ],
)
def test_a_mail_without_exactly_one_sender_waits_for_the_moderator(post: Post, sender: str) -> None:
    post.settings(*SERVER)
    data = post.send("race", "red", "GEAR 1", From="")
    for path in (post.folder / "inbox" / "new").iterdir():
        path.unlink()
    proof = b"Authentication-Results: mx.example.org; dmarc=pass header.from=evil.org; spf=pass smtp.mailfrom=evil.org\r\n"
    post.deliver(proof + f"From: {sender}\r\n".encode() + data)
    post.run()
    assert states(post) == ["held"]
    assert "exactly one address" in matters(post)[0]
    assert post.mails() == []


PROOFS = {
    "mx.example.org; dmarc=pass header.from=example.org": "",
    "mx.example.org; dmarc=pass (p=none) header.from=EXAMPLE.org; spf=softfail smtp.mailfrom=list.example": "",
    "mx.example.org; dkim=pass header.d=example.org": "",
    "mx.example.org; dkim=pass header.i=@example.org header.s=a": "",
    "mx.example.org; dkim=pass header.d=list.example; dkim=pass header.d=example.org": "",
    "mx.example.org; spf=pass smtp.mailfrom=bounces@example.org": "",
    "mx.example.org; spf=pass smtp.mailfrom=example.org": "",
    "mx.example.org; dmarc=pass header.from=evil.org": "dmarc=pass is for evil.org",
    "mx.example.org; dmarc=pass": "its sender is not proven",
    "mx.example.org; dkim=pass header.d=evil.org": "dkim=pass is for evil.org",
    "mx.example.org; dkim=pass header.d=evil-example.org": "dkim=pass is for evil-example.org",
    "mx.example.org; dkim=pass header.d=sub.example.org": "dkim=pass is for sub.example.org",
    "mx.example.org; dkim=pass header.d=org": "dkim=pass is for org",
    "mx.example.org; spf=pass smtp.mailfrom=red@evil.org": "spf=pass is for evil.org",
    "mx.example.org; spf=pass smtp.mailfrom=example.org@evil.org": "spf=pass is for evil.org",
    "mx.example.org; spf=pass smtp.helo=example.org": "its sender is not proven",
    "mx.example.org; spf=pass smtp.mailfrom=evil.org; dkim=pass header.d=evil.org; dmarc=none header.from=example.org": (
        "its sender is not proven"
    ),
    "mx.example.org; dkim=pass header.d=example.org; dmarc=fail header.from=example.org": "may be forged: dmarc=fail",
    "evil.org; dmarc=pass header.from=example.org": "its sender is not proven",
    "mx.example.org.evil.org; dmarc=pass header.from=example.org": "its sender is not proven",
}


@pytest.mark.parametrize(("results", "why"), PROOFS.items())
def test_a_proof_counts_only_for_the_domain_of_the_sender(post: Post, results: str, why: str) -> None:
    post.settings(*SERVER)
    post.send("race", "red", "GEAR 1", Authentication_Results=results)
    post.run()
    assert entries(post) == (0 if why else 1)
    assert [why in words for words in matters(post)] == ([True] if why else [])


def test_a_domain_speaks_for_those_below_it(post: Post) -> None:
    post.settings(*SERVER)
    post.settings('"red@example.org"', '"red@mail.example.org"', "race")
    signed = "mx.example.org; dkim=pass header.d=example.org"
    post.send("race", "red", "GEAR 1", From="red@mail.example.org", Authentication_Results=signed)
    post.run()
    assert entries(post) == 1


@pytest.mark.parametrize("results", ["", "mx.example.org; dmarc=fail header.from=example.org"])
@pytest.mark.parametrize("owner", [MALLORY, OWNER])
def test_wrong_tokens_under_a_players_address_cost_the_player_nothing(post: Post, results: str, owner: str) -> None:
    """The right token gets in, even by the way that the wrong ones have come."""
    if results:
        post.settings(*SERVER)
    for number in range(20):
        head = {"Received": MALLORY, "Subject": f"[race/red#wrongtoken{number}]", "Authentication_Results": results}
        post.send("race", "red", "GEAR N", **head)
    post.run()
    proof = "mx.example.org; dmarc=pass header.from=example.org"
    post.send("race", "red", "GEAR 1", Received=owner, Authentication_Results=proof)
    post.run(after=60)
    assert entries(post) == 1
    assert states(post).count("held") == 20


def test_the_mails_of_who_guesses_are_kept_but_not_listed_one_by_one(post: Post) -> None:
    for number in range(20):
        post.send("race", "red", "GEAR N", Received=MALLORY, Subject=f"[race/red#wrongtoken{number}]")
    post.run()
    assert len(matters(post)) == 6
    assert "more than 5 mails" in matters(post)[-1]
    assert "203.0.113.7" in matters(post)[-1]
    post.send("race", "red", "GEAR 1", Received=OWNER, Subject="[race/red#aaaabbbbcccc]")
    post.run(after=60)
    assert "its token" in matters(post)[-1], "another way is another sender"
    post.send("race", "red", "GEAR 1", Received=MALLORY, From="ann@elsewhere.example")
    post.run(after=60)
    assert "it has the token of Red (red)" in matters(post)[-1], "a right token is always listed"
    post.now += 2 * DAY
    post.send("race", "red", "GEAR 1", Received=MALLORY, Subject="[race/red#wrongtoken]")
    post.run()
    assert "its token" in matters(post)[-1]


def test_strangers_are_counted_by_the_way_they_come_not_by_the_name_they_use(post: Post) -> None:
    for number in range(20):
        post.send("race", "red", "Buy!", Received=MALLORY, From=f"m{number}@evil.org", Subject="Buy!")
    post.run()
    assert len(matters(post)) == 6
    assert states(post) == ["held"] * 20


def test_a_way_that_the_sender_names_is_none(post: Post) -> None:
    """Gmail and others write a topmost field without the sender's machine."""
    for number in range(20):
        head = {"Received": "by 2002:a05:6a10 with SMTP id 7; x", "Return-Path": f"<m{number}@evil.org>"}
        post.send("race", "red", "Buy!", From=f"m{number}@evil.org", Subject="Buy!", **head)
    post.run()
    assert len(matters(post)) == 6
    assert "more than 5 mails without a right token came from an unknown server" in matters(post)[-1]


def test_with_addresses_enough_guesses_take_nothing_from_the_player(post: Post) -> None:
    post.settings('token = "required"', 'token = "address"')
    for number in range(6):
        post.send("race", "red", "GEAR N", Subject=f"[race/red#wrongtoken{number}]")
    post.run()
    post.send("race", "red", "GEAR 1", Subject="orders")
    post.run(after=60)
    assert entries(post) == 1


@pytest.mark.parametrize("field", ["To", "Cc", "Delivered-To", "X-Original-To"])
def test_the_address_that_is_written_to_may_carry_the_token(post: Post, field: str) -> None:
    token = post.club.settings_of("race").seats["red"].token
    head = {"To": "", field.replace("-", "_"): f'"Thursday club" <Club+{token}@example.org>'}
    post.send("race", "red", "GEAR 1", Subject="orders", **head)
    post.run()
    assert entries(post) == 1


@pytest.mark.parametrize("to", ["club+aaaabbbbccccdddd@example.org", "xclub+{}@example.org", "club+{}@example.org.evil.org"])
def test_another_address_or_token_is_none(post: Post, to: str) -> None:
    token = post.club.settings_of("race").seats["red"].token
    post.send("race", "red", "GEAR 1", Subject="orders", To=to.format(token))
    post.run()
    assert entries(post) == 0
    assert len(matters(post)) == 1


def test_a_right_token_counts_beside_a_wrong_one(post: Post) -> None:
    token = post.club.settings_of("race").seats["red"].token
    post.send("race", "red", "GEAR 1", Subject="[race/red#wrongtoken]", To=f"club+{token}@example.org")
    post.run()
    assert entries(post) == 1


def test_a_token_in_an_address_reaches_no_other_player(post: Post) -> None:
    token = post.club.settings_of("race").seats["red"].token
    post.settings('press = "moderated"', 'press = "free"')
    post.send("race", "red", f"MESSAGE to blue:\nOn Monday, club+{token}@example.org has written\nEND\nGEAR 1")
    post.run()
    letters = [mail.as_string() for mail in post.mails() if str(mail["To"]).startswith("blue")]
    assert letters
    assert not any(token in letter for letter in letters)


@pytest.mark.parametrize("subject", ["orders", "[race/red#wrongtoken]"])
def test_a_player_whose_token_is_missing_is_told_once_a_day_which_line_to_add(post: Post, subject: str) -> None:
    line = f"token {post.tag('race', 'red').strip('[]')}"
    for after in (0, 60, DAY + 60):
        post.send("race", "red", "GEAR 1", Subject=subject)
        post.run(after=after)
        got = {key: text for key, text in post.got().items() if not key.startswith("gm: waiting for you")}
        assert [line in text for text in got.values()] == ([] if after == 60 else [True])
        assert all(key.startswith("red: ") for key in got)
    assert entries(post) == 0


def test_who_plays_in_several_games_gets_the_line_for_each(post: Post) -> None:
    post.add("checkered-flag", "red", "blue", game="other")
    post.run()
    post.mails()
    post.send("race", "red", "GEAR 1", Subject="orders")
    post.run()
    mails = [str(mail.get_body(("plain",)).get_content()) for mail in post.mails()]
    for game in ("race", "other"):
        assert any(f"token {post.tag(game, 'red').strip('[]')}" in text for text in mails), game


def test_a_forged_sender_gets_no_letter(post: Post) -> None:
    post.settings(*SERVER)
    results = "mx.example.org; dmarc=fail header.from=example.org"
    post.send("race", "red", "GEAR 1", Subject="orders", Authentication_Results=results)
    post.run()
    assert post.mails() == []
    assert "may be forged" in matters(post)[0]


def test_broken_settings_of_a_game_do_not_hide_the_players_of_others(post: Post) -> None:
    post.settings('token = "required"', 'token = "address"')
    post.add("checkered-flag", "green", "blue", game="broken")
    (post.folder / "games" / "broken" / "game.toml").write_text("seats = 1", "utf-8")
    post.send("race", "red", "GEAR 1", Subject="orders")
    post.run()
    assert entries(post) == 1
