"""Passwords are where the settings say, and never in a file of the club."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from adjudicator.club.settings import Incoming, Outgoing, Secret, server_of


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
