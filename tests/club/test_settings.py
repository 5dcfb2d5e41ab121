"""Passwords are where the settings say, and never in a file of the club."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from adjudicator.club.settings import Incoming, Outgoing, Secret, parse_club, server_of
from adjudicator.files.errors import Untrusted


def test_from_a_variable_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    side = Incoming(kind="imap", host="h", user="u", password=Secret(env="CLUB_TEST"))
    monkeypatch.setenv("CLUB_TEST", "sesame")
    assert server_of(side).password == "sesame"
    monkeypatch.delenv("CLUB_TEST")
    with pytest.raises(LookupError, match="CLUB_TEST"):
        server_of(side)


def test_from_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {("mail", "club"): "sesame"}
    keyring = SimpleNamespace(get_password=lambda service, user: kept.get((service, user)))
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    assert server_of(Outgoing(kind="smtp", host="h", password=Secret(keyring="mail/club"))).password == "sesame"
    with pytest.raises(LookupError, match="mail/other"):
        server_of(Outgoing(kind="smtp", host="h", password=Secret(keyring="mail/other")))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[deadlines]\nnrm = 'bot'", "deadlines: the name “nrm” is unknown here; did you mean “nmr”?"),
        (
            "[deadlines]\nnmr = 'bto'",
            "deadlines.nmr: must be “wait”, “default”, “bot” or “drop”, not “bto”; did you mean “bot”?",
        ),
        ("[deadlines]\nnmr = 5", "deadlines.nmr: must be text, not 5"),
        ("deadlines = 5", "deadlines: must be a group of names and values, not 5"),
        ("[incoming]\nport = '993'", "incoming.port: must be a whole number, not “993”"),
        ("[incoming]\nport = 0", "incoming.port: must be 1 or more, not 0"),
    ],
)
def test_settings_that_cannot_be_used_say_why(text: str, words: str) -> None:
    with pytest.raises(Untrusted) as caught:
        parse_club("club.toml", text.encode())
    assert words in [str(one) for one in caught.value.violations]
