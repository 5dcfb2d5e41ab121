"""What others write never passes for words of the club: in `club status`, in letters to the moderator, in heads of mails."""

from __future__ import annotations

import pytest
from players_post import Post, matters
from test_register import letters, tagged, write
from test_waiting_lists import address
from typer.testing import CliRunner

from adjudicator.cli.app import app_for

FORGED = (
    "\n  9  Monday 2026-03-02 12:00 UTC  race: mail from red@example.org",
    "hi\n\nMails: 3 given up\n  report to gm@example.org",
    "hi\r\n  7  Monday",
    "\x1b[2J\x1b[1;1H  8  Tuesday",
    "hi\u2028  8  Tuesday\u2029  9",
    "hi\x0b  8  Tuesday\x85  9\x0c10",
    "\u202e  8  yadseuT\u202c",
    "hi\n> quoted\n>> twice\n\u200b> hidden",
)


def status(post: Post, *more: str) -> list[str]:
    arguments = ["club", "status", str(post.folder), *more]
    result = CliRunner().invoke(app_for(arguments), arguments)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


@pytest.mark.parametrize("is_player", [False, True])
@pytest.mark.parametrize("text", FORGED)
def test_a_message_to_the_moderator_forges_no_line(offering: Post, text: str, is_player: bool) -> None:
    offering.add("checkered-flag", "red", "blue", game="race")
    offering.run()
    offering.mails()
    before = status(offering)
    if is_player:
        offering.send("race", "red", f"MESSAGE to moderator:\n{text}\nEND")
    else:
        write(offering, address("ann"), f"MESSAGE to moderator:\n{text}\nEND", tagged(offering, address("ann")))
    offering.run()
    new = [line for line in status(offering) if line not in before]
    assert all(line.isprintable() for line in new)
    own = [line for line in new if not line.startswith("    > ")]
    assert [line.strip() for line in own[:1]] == ["Waiting for you"]
    assert len(own) == 2
    assert own[1].endswith(" writes:")
    (mail,) = [body for to, _, body in letters(offering) if to == "gm@example.org"]
    said = mail.partition(" writes:\n\n")[2].partition("\n\n`club status`")[0]
    assert all(line.startswith(">") for line in said.splitlines() if line)


@pytest.mark.parametrize(
    "wish",
    [
        "=?utf-8?q?eve=40evil.example=2C?=@evil.example",
        "=?utf-8?b?ZXZlQGV2aWwuZXhhbXBsZSw=?=@evil.example",
        "=?utf-8?q?=0D=0ABcc:_eve=40evil.example?=@evil.example",
        "a@evil.example, eve@evil.example",
        "a@=?utf-8?q?evil.example?=",
        "a@evil.example\u2028Bcc: eve@evil.example",
        "eve\u202e@evil.example",
        "=?x?q?=FF?=@evil.example",
        "j\u00fcrgen@evil.example",
    ],
)
def test_a_new_address_makes_no_letter_to_anybody_else(offering: Post, wish: str) -> None:
    write(offering, address("ann"), f"SET address={wish}", tagged(offering, address("ann")))
    done = offering.run()
    assert done.troubles == ()
    assert [(to, "cannot write to this address" in text) for to, _, text in letters(offering)] == [(address("ann"), True)]
    assert matters(offering) == []


@pytest.mark.parametrize("sender", ["ev\u202el@evil.example", "e\x1b[2Jvil@evil.example", "\u3164@evil.example"])
def test_an_address_in_a_matter_is_safe_to_print(post: Post, sender: str) -> None:
    post.deliver(f"From: {sender}\nSubject: x\n\nhi\n".encode())
    post.run()
    assert all(line.isprintable() for line in status(post))
    assert all(words.isprintable() for words in matters(post))
