"""The ledger: opened as it was left by this version, an older one and a newer one, and refused where it is damaged."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager, closing
from hashlib import sha256
from pathlib import Path

import pytest

from adjudicator.club import ledger
from adjudicator.club.database import Database
from adjudicator.club.ledger import GameRow, Ledger, MailState, NewLetter
from adjudicator.files.errors import CannotRead, Untrusted

HASHES = [
    "60638320b7ca",
    "a20f8a729644",
    "5c93cc81a702",
    "01ba45f76ee0",
    "17b29b91068e",
    "3f86afb999c5",
    "4e1f0ba31d6e",
    "fdd7b1eb4572",
    "ec8b59b11f97",
    "78ad6ea63896",
    "45d01dd2e684",
]


def filled(file: Path, version: int) -> None:
    """Write a ledger of ``version``, with a game, a mail and a letter, by the names of the columns that it has."""
    with closing(Database(file, ledger._STEPS[:version])) as db:
        db.execute("insert into games (id, seal, due) values ('race', 'ab', 7)")
        db.execute(
            "insert into mails (identity, hash, received, address, subject, data) values ('a', 'b', 1, 'c', 'd', x'65')"
        )
        values = "'key', 'race', 'red', 'report', 'a@b.c', '<1@x>', x'65', 5, 5"
        names = "key, game, seat, kind, recipient, message_id, data, next_try, written"
        db.execute(f"insert into letters ({names}) values ({values})")


@pytest.mark.parametrize("version", range(1, len(ledger._STEPS) + 1))
def test_a_ledger_of_each_version_goes_on(tmp_path: Path, version: int) -> None:
    filled(tmp_path / "ledger.sqlite", version)
    with closing(Ledger(tmp_path / "ledger.sqlite")) as opened:
        assert opened.game("race") == GameRow(id="race", seal="ab", due=7)
        assert [mail.data for mail in opened.mails(MailState.KEPT)] == [b"e"]
        assert [letter.message_id for letter in opened.due_letters(5, 100, 10)] == ["<1@x>"]
        again = NewLetter(key="key", game="", seat="", kind="", recipient="", message_id="", data=b"", at=0)
        assert not opened.queue(again)
        opened.record_change(3, "set", "a: 1 → 2")
        assert opened.last_change("set") == 3
        opened.keep_game_records({"race": ("mark", "data")})
        assert opened.game_records() == {"race": ("mark", "data")}
        opened.add_person("ann@example.net", "abcdefgh", 7, 0)
        person = opened.person_at("ann@example.net")
        assert person is not None and person.public == opened.answer_about_names("bob@example.net") == ""
        assert [opened.members(), opened.open_lists()] == [[], []]
        assert opened.waiting_messages() == opened.messages("race") == []
    Ledger(tmp_path / "ledger.sqlite").close()


def test_a_later_version_takes_over_a_ledger_of_this_one(tmp_path: Path) -> None:
    file = tmp_path / "ledger.sqlite"
    filled(file, len(ledger._STEPS))
    later = (*ledger._STEPS, "alter table games add column language text not null default '';")
    with closing(Database(file, later)) as db:
        assert tuple(db.execute("select id, due, language from games").fetchone()) == ("race", 7, "")
    with pytest.raises(CannotRead, match=f"a newer adjudicator has written this ledger .version {len(later)}"):
        Ledger(file)


def test_an_upgrade_that_fails_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "ledger.sqlite"
    filled(file, len(ledger._STEPS))
    with pytest.raises(Untrusted):
        Database(file, (*ledger._STEPS, "drop table votes; alter table nothing add column a text;"))
    with closing(Ledger(file)) as opened:
        assert opened.vote("race", "red", "draw", "seal") == {"red"}


def test_two_programs_upgrade_a_ledger_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, change = tmp_path / "ledger.sqlite", Database.change
    filled(file, 1)

    def overtaken(db: Database) -> AbstractContextManager[None]:
        monkeypatch.setattr(Database, "change", change)
        Ledger(file).close()
        return change(db)

    monkeypatch.setattr(Database, "change", overtaken)
    with closing(Ledger(file)) as opened:
        assert opened.game("race") == GameRow(id="race", seal="ab", due=7)


def test_the_steps_of_published_versions_never_change() -> None:
    """A running club has taken them; a new version only adds a step, with its hash here."""
    assert [sha256(" ".join(step.split()).encode()).hexdigest()[:12] for step in ledger._STEPS] == HASHES


def test_a_ledger_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(file)) as db:
        db.execute("pragma user_version = 99")
    with pytest.raises(CannotRead, match="a newer adjudicator"):
        Ledger(file)


def test_a_damaged_ledger_is_told_as_such(tmp_path: Path) -> None:
    file = tmp_path / "ledger.sqlite"
    file.write_bytes(b"no ledger" * 1_000)
    with pytest.raises(Untrusted, match="this ledger is damaged: restore the last copy that `adjudicator club backup` made"):
        Ledger(file)
