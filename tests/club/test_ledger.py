"""The ledger: busy, on a full disk, damaged, of an older or newer version, copied and restored."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from adjudicator.club.club import MailRow, Person, Prefs, open_club
from adjudicator.club.db import Db
from adjudicator.club.mails import MOVES, move
from tests.drivers.club import Club, begin

REPAIR = "`adjudicator club backup`"
COMMANDS = [
    "add duel.json --seat red=red@example.org --seat blue=blue@example.org",
    "seat race blue Carol carol@example.org",
    "seat race blue Blue blue@example.net",
    "remove race",
    "run --once",
    "receive mail.eml",
    "status --since last",
    "set deadlines.every=2days",
    "set race deadlines.every=2days",
    "pause race",
    "resume race",
    "extend race",
    "settle 1 2",
    "release 1",
    "accept 3",
    "accept race 4 --seat blue",
    "open great-race",
    "forget ann@example.org",
    "backup copy",
    "restore older",
]


def connect_with(monkeypatch: pytest.MonkeyPatch, prepare: Callable[[sqlite3.Connection], object], **named: Any) -> None:
    """Let the program get connections to its ledger with other properties."""
    real = sqlite3.connect

    def connected(*given: Any, **more: Any) -> sqlite3.Connection:
        connection = real(*given, **{**more, **named})
        prepare(connection)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connected)


@contextmanager
def in_use(club: Club) -> Iterator[None]:
    """Let another program use the ledger."""
    with closing(sqlite3.connect(club.folder / "ledger.sqlite", isolation_level=None)) as other:
        other.execute("begin immediate")
        yield
        other.execute("rollback")


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A club with matters of all kinds, and mails in its mailbox."""
    club = begin("dropped", tmp_path_factory.mktemp("crowded"))
    club.mail("blue", "MESSAGE to moderator: hello\nEND\nRESIGN")
    club.mail("stranger", "GEAR 1", "new", Subject="race")
    club.round()
    club.command("new", "checkered-flag", "--seat", "red=Red", "--seat", "blue=Blue", "-o", "duel.json")
    club.club("backup", "older")
    (club.top / "mail.eml").write_bytes(club.mail("blue", "STATUS"))
    return club


def test_matters_have_the_numbers_of_the_commands(crowded: Club) -> None:
    status = crowded.club("status").output
    assert [word in status for word in ("  1  ", "  2  ", "  3  ", "  4  ")] == [True] * 4, status


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_changes_nothing_while_another_program_uses_the_ledger(
    crowded: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    club = crowded.copied(tmp_path)
    task, *words = (word.replace("2days", "2 days") for word in command.split())
    connect_with(monkeypatch, lambda _connection: None, timeout=0.01)
    before = club.files()
    with in_use(club):
        ended = club.club(task, *words, code=2)
    assert "another program uses this ledger" in ended.output
    assert club.files() == before


def test_a_full_disk_is_named_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1\n" + "; a long remark\n" * 3_000)
    with monkeypatch.context() as patch:
        connect_with(patch, lambda one: one.execute("pragma max_page_count = 1"))  # SQLite takes this for the present size
        said = club.club("run", "--once", code=2).output
    assert "thursday/ledger.sqlite: the ledger is not usable now: database or disk is full" in said
    assert "bug" not in said
    club.round(60)
    assert club.journal("race") == ["red GEAR 1"]


def test_a_wrong_statement_is_a_bug_and_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("race", tmp_path)

    class Wrong(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            is_query = statement.startswith("select") and "matters" in statement
            return super().execute("select words from nowhere" if is_query else statement, *([] if is_query else values))

    connect_with(monkeypatch, lambda _connection: None, factory=Wrong)
    said = club.club("status", code=70).output
    assert "bug in the program" in said and "no such table: nowhere" in said
    assert "damaged" not in said and "restore" not in said


def damage(file: Path) -> None:
    """Leave the first page of the file, and nothing else."""
    data = bytearray(file.read_bytes())
    data[4096:] = b"\x5a" * (len(data) - 4096)
    file.write_bytes(data)


def rewrite(statement: str) -> Callable[[Path], None]:
    def changed(file: Path) -> None:
        with closing(sqlite3.connect(file)) as ledger:
            ledger.execute(statement)
            ledger.commit()

    return changed


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (damage, REPAIR),
        (lambda file: file.write_bytes(b"no ledger" * 1_000), REPAIR),
        (lambda file: file.write_bytes(b""), "the file is missing or empty"),
        (lambda file: file.unlink(), "the file is missing or empty"),
        (rewrite("pragma user_version = 99"), "a newer adjudicator has written this ledger (version 99)"),
        (rewrite("pragma user_version = 8"), "of an earlier version: run `adjudicator club upgrade thursday`"),
    ],
    ids=["damaged", "no ledger", "empty", "gone", "newer", "older"],
)
def test_a_ledger_that_cannot_be_used_is_named_and_left_alone(
    tmp_path: Path, harm: Callable[[Path], None], words: str
) -> None:
    club = begin("race", tmp_path)
    harm(club.folder / "ledger.sqlite")
    code = 2 if "version" in words else 3
    for task in (["run", "--once"], ["status"], ["backup", "copy"]):
        said = club.club(*task, code=code).output
        assert "ledger.sqlite" in said and words in said
    assert not (tmp_path / "copy").exists()
    assert len(list((club.folder / "outgoing").glob("*.eml"))) == len(club.seen)


@pytest.mark.parametrize(
    "statement",
    [
        "update games set stopped = cast(x'ff41' as text)",
        "update games set settings = '{'",
        "create trigger lost before update on letters begin select raise(ignore); end",
    ],
)
def test_a_ledger_with_damaged_values_stops_the_round_and_sends_no_letter_again(tmp_path: Path, statement: str) -> None:
    """A letter whose result the damaged ledger did not keep went out for ever; text that is no UTF-8 was a bug."""
    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1")
    club.round()
    club.mail("blue", "GEAR 1")
    rewrite(statement)(club.folder / "ledger.sqlite")
    assert REPAIR in club.round(code=3)
    sent = [letter.mail["Message-ID"] for letter in club.new]
    assert len(sent) == len(set(sent))


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Db]:
    made = Db(tmp_path / "ledger.sqlite", create=True)
    yield made
    made.close()


def test_a_transaction_inside_another_one_is_a_part_of_it(db: Db) -> None:
    with suppress(KeyError), db.transaction():
        with db.transaction():
            db.insert("people", address="ann@example.org", token="t")
        raise KeyError
    assert db.value("select count(*) from people") == 0


def test_columns_of_other_types_hold_json(db: Db) -> None:
    number = db.insert("people", address="ann@example.org", token="t", others=("a@example.org",), joined=5)
    assert db.insert("people", unless="address", address="ann@example.org", token="x") == 0
    found = db.first(Person, "select * from people")
    assert found == Person(
        id=number,
        address="ann@example.org",
        others=("a@example.org",),
        name="",
        token="t",
        joined=5,
        prefs=Prefs(),
    )
    db.update("people", number, prefs=Prefs(language="de"), others=())
    assert db.all(str, "select prefs from people") == ['{"language":"de"}']
    assert db.first(Person, "select * from people where id = ?", number + 1) is None


def test_no_row_refers_to_one_that_does_not_exist(db: Db) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        db.insert("seats", game=1, seat="red", place=0, person=1, name="Ann", since=0)


def test_a_mail_moves_in_all_ways_of_the_table_and_in_no_other(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    rewrite("create table moves (before text, after text)")(club.folder / "ledger.sqlite")
    rewrite(
        "create trigger moved after update of state on mails when old.state <> new.state"
        " begin insert into moves values (old.state, new.state); end"
    )(club.folder / "ledger.sqlite")
    club.mail("blue", "STATUS")
    club.mail("gm", "away", "new", Auto_Submitted="auto-replied")
    for who in ("eve", "zoe"):
        club.mail(who, "GEAR 1", Subject=f"[{club.known('tag', 'red')}]")
    club.round()
    club.club("accept", "race", "1", "--seat", "red")
    club.club("settle", "2")
    club.mail("red", "GEAR 1")
    club.round(60)
    club.mail("blue", "GEAR 9")
    club.round(60)
    club.club("seat", "race", "blue", "Carol", "carol@example.org")
    club.round(60)
    club.mail("carol", "GEAR 9")
    club.round(60)
    club.club("remove", "race")
    with closing(sqlite3.connect(club.folder / "ledger.sqlite")) as ledger:
        moves = set(ledger.execute("select before, after from moves"))
    assert moves == {(before, after) for before, states in MOVES.items() for after in states}


def test_a_mail_that_was_taken_never_moves(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1")
    club.round()
    with open_club(club.folder, club.now) as opened:
        taken = opened.db.first(MailRow, "select * from mails where state = 'taken'")
        assert taken is not None
        with pytest.raises(ValueError, match="a mail that is taken cannot become waiting"):
            move(opened, taken, "waiting")
        assert opened.db.first(MailRow, "select * from mails where state = 'taken'") == taken


def test_a_round_with_nothing_new_loads_no_part_that_works(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.round(60)
    script = (
        "import sys; from pathlib import Path; from adjudicator.club.rounds import run_once;"
        f" run_once(Path({str(club.folder)!r}), {club.now + 60});"
        " print(*(name for name in sys.modules if name.startswith('adjudicator.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "adjudicator.club.rounds" in loaded
    works = ("clock", "lists", "mails", "post", "reports", "requests", "status", "turns")
    assert loaded.isdisjoint(f"adjudicator.club.{name}" for name in works)


def test_a_game_keeps_only_what_differs_from_the_club(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.club("set", "race", "deadlines.every=12 hours", "press=off")
    with closing(sqlite3.connect(club.folder / "ledger.sqlite")) as ledger:
        ((settings,),) = ledger.execute("select settings from games").fetchall()
    assert json.loads(settings) == {"deadlines": {"every": "12 hours"}, "press": "off"}


# Backups


def test_a_backup_is_a_club_that_can_go_on(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1")
    club.round()
    assert (
        club.club("backup", "copies/thursday").output == "copies/thursday: a copy of the club with its ledger and 1 game\n"
    )
    assert [path.name for path in (tmp_path / "copies").iterdir()] == ["thursday"]
    assert "already exists" in club.club("backup", "copies/thursday", code=2).output
    copy = Club(tmp_path / "copies", club.now, club.number, club.seen, [], club.tags)
    copy.round(60)
    assert copy.names() == []
    copy.mail("blue", "GEAR 1")
    copy.round(60)
    assert copy.journal("race") == ["red GEAR 1", "blue GEAR 1"]
    assert "backup: copies/thursday" in club.club("status", "--since", "1 week").output


def test_a_damaged_club_is_restored_and_repeats_nothing(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1")
    club.round()
    club.club("backup", "copy")
    club.mail("blue", "GEAR 1")
    club.round(60)
    damage(club.folder / "ledger.sqlite")
    club.round(60, code=3)
    said = club.club("restore", "copy").output  # the mails stored since the backup go back to the new ones
    assert said == "thursday: restored from copy; the ledger and games before are in thursday/replaced/1\n"
    assert {path.name for path in (club.folder / "replaced" / "1").iterdir()} >= {"games", "ledger.sqlite"}
    club.round(60)
    assert club.new == [], "letters since the backup go out again with the same Message-ID, and so the same file"
    assert club.journal("race") == ["red GEAR 1", "blue GEAR 1"]
    assert club.game("race").audit().is_verified
    assert "restored from copy" in club.club("status", "--since", "1 week").output
    club.round(60)
    assert club.new == []


@pytest.mark.parametrize("lack", ["club.toml", "ledger.sqlite"])
def test_a_backup_that_cannot_be_used_replaces_nothing(tmp_path: Path, lack: str) -> None:
    club = begin("race", tmp_path)
    club.club("backup", "copy")
    (tmp_path / "copy" / lack).unlink()
    before = club.files()
    said = club.club("restore", "copy", code=2 if lack == "club.toml" else 3).output
    assert "copy" in said and "club init" not in said
    assert club.files() == before
    club.club("restore", code=2)
    club.round(60)


def test_a_restore_leaves_its_backup_alone(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.club("backup", "copy")
    file = tmp_path / "copy" / "ledger.sqlite"
    before = file.read_bytes()
    club.club("restore", "copy")
    assert file.read_bytes() == before
    damage(file)
    assert "copy/ledger.sqlite: this ledger" in club.club("restore", "copy", code=3).output
    club.round(60)


def test_an_interrupted_restore_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club, real = begin("race", tmp_path), Path.rename
    club.club("backup", "copy")

    def fail(self: Path, target: Path) -> Path:
        if Path(target).name == "ledger.sqlite" and Path(target).parent.name == "thursday":
            raise OSError(28, "No space left on device")
        return real(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fail)
        assert "the restore failed: No space left" in club.club("restore", "copy", code=None).output
    assert "missing or empty" in club.round(60, code=3)
    club.club("restore", "copy")
    club.round(60)
    assert club.names() == []


def test_a_backup_that_cannot_be_finished_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("race", tmp_path)
    (tmp_path / "copies").mkdir()

    def fail(*_given: object, **_named: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copytree", fail)
        assert "No space left" in club.club("backup", "copies/monday", code=2).output
    assert list((tmp_path / "copies").iterdir()) == []


def test_a_copy_made_by_hand_during_a_round_restores_the_latest_steps(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    with closing(sqlite3.connect(club.folder / "ledger.sqlite")):
        club.club("pause", "race")
        with closing(sqlite3.connect(club.folder / "ledger.sqlite")) as reader:
            reader.execute("begin")
            reader.execute("select count(*) from sqlite_master").fetchone()
            club.club("resume", "race")
            shutil.copytree(club.folder, tmp_path / "copy")
    assert (tmp_path / "copy" / "ledger.sqlite-wal").stat().st_size
    club.club("restore", "copy")
    assert "resume: race: resumed" in club.club("status", "--since", "1 week").output
