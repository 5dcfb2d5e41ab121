"""Commands are those that the sender of a mail wrote: not those in the mail that it answers, in whatever language."""

from __future__ import annotations

import pytest
from players_post import Post
from test_register import JOIN_ON, asks, letters, registered, tagged, write

from adjudicator.club.commands import Games, Message, commands_in, without_quotes

HEADS = (
    "-----Ursprüngliche Nachricht-----\nVon: Thursday club <club@example.org>\nGesendet: Montag, 2. März 2026 13:00\n"
    "An: ann@example.net\nBetreff: Re: [club/member#…] your mail was read",
    "Von: Thursday club <club@example.org>\nGesendet: Montag, 2. März 2026 13:00\nAn: ann@example.net\nBetreff: x",
    "Am 02.03.2026 um 13:00 schrieb Thursday club <club@example.org>:",
    "Le lun. 2 mars 2026 à 13:00, Thursday club <club@example.org> a écrit :",
    "El lun, 2 mar 2026 a las 13:00, Thursday club (<club@example.org>) escribió:",
    "On Mon, 2 Mar 2026 at 13:00, Thursday club <club@example.org>\nwrote:",
    "On Mon, 2 Mar 2026 at 13:00, Thursday club <club@example.org> wrote:",
    "-------- Original Message --------",
    "From: Thursday club <club@example.org>\nSent: Monday, 2 March 2026 13:00\nTo: ann@example.net\nSubject: x",
)
QUOTED = "LEAVE\nMESSAGE to blue: what I wrote before\nSET name=Anna"


@pytest.mark.parametrize("head", HEADS)
def test_the_commands_of_an_earlier_mail_do_not_count(head: str) -> None:
    lines = f"GAMES\n\n{head}\n\n{QUOTED}".splitlines()
    assert commands_in(lines).commands == (Games(),)
    assert list(without_quotes(lines)) == ["GAMES", ""]


@pytest.mark.parametrize("head", HEADS)
def test_a_message_ends_above_an_earlier_mail(head: str) -> None:
    (message,) = commands_in(f"MESSAGE to blue:\nHello\n\n{head}\n\n{QUOTED}".splitlines()).commands
    assert isinstance(message, Message) and message.text == "Hello"


def test_the_commands_below_a_marked_quote_count() -> None:
    lines = f"On Mon, 2 Mar 2026, Thursday club <club@example.org> wrote:\n> {QUOTED}\n".splitlines()
    lines = [line if line.startswith(("On", ">")) else f"> {line}" for line in lines]
    found = commands_in([*lines, "", "GAMES"])
    assert (found.commands, found.lines) == ((Games(),), (*lines, "", ""))


def test_an_answer_with_the_whole_letter_carries_nothing_in_it_out(empty: Post) -> None:
    """The list of commands in the letter looks like commands."""
    empty.settings("[incoming]", JOIN_ON)
    registered(empty, "ann")
    asks(empty, "ann@example.net", "HELP")
    write(empty, "ann@example.net", "HELP", tagged(empty, "ann@example.net"))
    empty.run()
    (help_text,) = [text for _, _, text in letters(empty)]
    answer = asks(empty, "ann@example.net", f"GAMES\n\n{HEADS[1]}\n\n{help_text}")
    assert "Running games" in answer and "cannot read" not in answer and "HELP shows" not in answer
