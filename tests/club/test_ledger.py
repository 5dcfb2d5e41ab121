"""The ledger: opened as it was left by this version, an older one and a newer one, and refused where it is damaged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from adjudicator.club.ledger import GameRow, Ledger
from adjudicator.files.errors import CannotRead, Untrusted


def test_a_ledger_of_the_version_before_is_taken_over(tmp_path: Path) -> None:
    file = tmp_path / "ledger.sqlite"
    with closing(Ledger(file)) as ledger:
        ledger.set_game(GameRow(id="race", seal="ab", due=7, awaited=("red",)))
    with closing(sqlite3.connect(file)) as db:
        db.executescript(
            "alter table games drop column position; alter table games rename column paused to is_paused;"
            "drop table clock; drop index mails_by_address;"
            "drop index mails_by_matter; drop index letters_by_message_id; alter table mails drop column matter;"
            "pragma user_version = 1;"
        )
    with closing(Ledger(file)) as ledger:
        assert ledger.game("race") == GameRow(id="race", seal="ab", due=7, awaited=("red",))


def test_a_ledger_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(file)) as db:
        db.execute("pragma user_version = 99")
    with pytest.raises(CannotRead, match="a newer adjudicator has written this ledger"):
        Ledger(file)


def test_a_damaged_ledger_is_told_as_such(tmp_path: Path) -> None:
    file = tmp_path / "ledger.sqlite"
    file.write_bytes(b"no ledger" * 1_000)
    with pytest.raises(Untrusted, match="this ledger is damaged: restore the last copy that `adjudicator club backup` made"):
        Ledger(file)
