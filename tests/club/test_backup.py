"""The ledger on a full disk, damaged, copied and restored."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from players_post import Post, states
from test_ledger import filled
from typer.testing import CliRunner, Result

from adjudicator.audit.decide import audit_game
from adjudicator.cli.app import app_for
from adjudicator.club import database
from adjudicator.club.backup import restore
from adjudicator.club.folder import ClubFolder
from adjudicator.club.manage import ClubError
from adjudicator.files.errors import CannotWrite, InUse, Untrusted


def club(*words: str | Path) -> Result:
    arguments = ["club", *map(str, words)]
    return CliRunner().invoke(app_for(arguments), arguments)


def fill_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let SQLite find no room for another page, as on a full disk."""
    real = database._connected

    def connected(path: Path) -> sqlite3.Connection:
        connection = real(path)
        connection.execute("pragma max_page_count = 1")  # SQLite takes this for the size that the file has
        return connection

    monkeypatch.setattr(database, "_connected", connected)


def test_a_full_disk_is_named_and_loses_nothing(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.send("race", "red", "GEAR 1\n" + "; a long remark\n" * 3_000)
    with monkeypatch.context() as patch:
        fill_disk(patch)
        result = club("run", post.folder, "--once")
    assert result.exit_code == 2
    assert f"{post.folder / 'ledger.sqlite'}: the ledger is not usable now: database or disk is full" in result.stderr
    assert "bug" not in result.stderr
    post.run(after=60)
    assert states(post) == ["taken"]


def test_a_club_that_runs_on_survives_a_full_disk(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudicator.club.run import run_again

    post.send("race", "red", "GEAR 1\n" + "; a long remark\n" * 3_000)
    with monkeypatch.context() as patch:
        fill_disk(patch)
        assert "disk is full" in run_again(post.club, post.now).troubles[0]
    assert run_again(post.club, post.now).troubles == ()
    assert states(post) == ["taken"]


def test_a_step_that_cannot_be_finished_is_as_if_it_had_never_begun(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_disk(monkeypatch)
    with closing(post.club.ledger()) as ledger:
        with pytest.raises(CannotWrite, match="disk is full"), ledger.change():
            ledger.raise_matter("a", "race", 1, "x" * 1_000_000)
        with ledger.change():
            ledger.settle_by_key("a")
        assert ledger.matters() == []


def test_a_ledger_that_another_program_has_locked_is_busy(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.0)
    with closing(sqlite3.connect(post.folder / "ledger.sqlite", isolation_level=None)) as other:
        other.execute("begin immediate")
        with closing(post.club.ledger()) as ledger, pytest.raises(InUse, match="another program"), ledger.change():
            pass


def damage(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[4096:] = b"\x5a" * (len(data) - 4096)
    file.write_bytes(data)


def test_a_damaged_ledger_says_how_to_restore(post: Post) -> None:
    damage(post.folder / "ledger.sqlite")
    for task in (("run", post.folder, "--once"), ("status", post.folder), ("backup", post.folder, post.folder / "copy")):
        result = club(*task)
        assert result.exit_code == 3, task
        assert "ledger.sqlite" in result.stderr
        assert "`adjudicator club backup`" in result.stderr
    assert not (post.folder / "copy").exists()


@pytest.mark.parametrize(
    "statement",
    [
        "update games set vacant = cast(x'ff41' as text)",
        "create trigger lost before update on letters begin select raise(ignore); end",
    ],
)
def test_a_ledger_with_damaged_values_stops_the_round_and_sends_no_letter_again(post: Post, statement: str) -> None:
    """A letter whose result the damaged ledger did not keep went out for ever; text that is no UTF-8 was a bug."""
    post.send("race", "red", "GEAR 1")
    post.run()
    post.mails()
    post.send("race", "blue", "GEAR 1")
    with closing(sqlite3.connect(post.folder / "ledger.sqlite")) as ledger:
        ledger.execute(statement)
        ledger.commit()
    result = club("run", post.folder, "--once")
    assert (result.exit_code, "`adjudicator club backup`" in result.stderr) == (3, True), result.output
    sent = [mail["Message-ID"] for mail in post.mails()]
    assert len(sent) == len(set(sent))


@pytest.mark.parametrize("left", [None, b""])
def test_a_ledger_that_has_vanished_is_not_begun_anew(post: Post, left: bytes | None) -> None:
    file = post.folder / "ledger.sqlite"
    file.unlink()
    if left is not None:
        file.write_bytes(left)
    result = club("run", post.folder, "--once")
    assert result.exit_code == 3
    assert "the file is missing or empty" in result.stderr and "club backup" in result.stderr
    assert post.mails() == []


def test_a_backup_is_a_club_that_can_go_on(post: Post, tmp_path: Path) -> None:
    post.send("race", "red", "GEAR 1")
    post.run()
    copy = tmp_path / "copies" / "monday"
    copy.parent.mkdir()
    result = club("backup", post.folder, copy)
    assert (result.exit_code, result.stdout) == (0, f"{copy}: a copy of the club with its ledger and 1 game\n")
    restored = Post(copy, now=post.now)
    assert restored.run(after=60).games == ()
    restored.send("race", "blue", "GEAR 1")
    restored.run(after=60)
    assert len(restored.session("race").game.journal) == 3
    assert sorted(path.name for path in copy.parent.iterdir()) == ["monday"]


def test_a_damaged_club_is_restored_and_repeats_nothing(post: Post, tmp_path: Path) -> None:
    post.send("race", "red", "GEAR 1")
    post.run()
    post.mails()
    club("backup", post.folder, tmp_path / "copy")
    post.send("race", "blue", "GEAR 1")
    post.run(after=60)
    post.mails()
    damage(post.folder / "ledger.sqlite")
    with pytest.raises(Untrusted):
        post.run(after=60)
    result = club("restore", post.folder, tmp_path / "copy")  # the mails stored since the backup go back to the new ones
    assert result.exit_code == 0
    old = post.folder / "replaced" / "1"
    assert result.stdout == f"{post.folder}: restored from {tmp_path / 'copy'}; the ledger and games before are in {old}\n"
    assert {path.name for path in old.iterdir()} >= {"games", "ledger.sqlite"}
    post.run(after=60)
    assert states(post) == ["taken", "taken"]
    session = post.session("race")
    assert [link.entry.seat for link in session.game.journal][1:] == ["red", "blue"]
    assert audit_game(session).divergence is None
    assert post.mails() == []  # the letters since the backup go out again with the same Message-ID, and so the same file


def test_a_restored_club_sends_nothing_twice(post: Post, tmp_path: Path) -> None:
    post.send("race", "red", "GEAR 1")
    post.run()
    post.mails()
    club("backup", post.folder, tmp_path / "copy")
    for folder in (post.folder, tmp_path / "another"):
        assert club("restore", folder, tmp_path / "copy").exit_code == 0
        restored = Post(folder, now=post.now)
        done = restored.run(after=60)
        assert (done.fetched, done.posted.sent, done.games) == (0, 0, ())
        restored.send("race", "blue", "GEAR 1")
        assert restored.run(after=60).games == ("race",)
        with closing(restored.club.ledger()) as ledger:
            assert [one.words for one in ledger.changes(0)] == [f"restored from {tmp_path / 'copy'}"]


@pytest.mark.parametrize("lack", ["club.toml", "ledger.sqlite"])
def test_a_backup_that_cannot_be_used_replaces_nothing(post: Post, tmp_path: Path, lack: str) -> None:
    club("backup", post.folder, tmp_path / "copy")
    (tmp_path / "copy" / lack).unlink()
    before = sorted(path.name for path in post.folder.iterdir())
    result = club("restore", post.folder, tmp_path / "copy")
    assert result.exit_code in (2, 3)
    assert f"{tmp_path / 'copy'}" in result.stderr
    assert sorted(path.name for path in post.folder.iterdir()) == before
    post.run(after=60)
    assert club("restore", post.folder).exit_code == 2


def test_a_restore_leaves_its_backup_alone(post: Post, tmp_path: Path) -> None:
    club("backup", post.folder, tmp_path / "copy")
    file = tmp_path / "copy" / "ledger.sqlite"
    file.unlink()
    filled(file, 6)  # as an older version has written it
    before = file.read_bytes()
    result = club("restore", post.folder, tmp_path / "copy")
    assert result.exit_code == 0, result.stderr
    assert file.read_bytes() == before
    damage(file)
    result = club("restore", post.folder, tmp_path / "copy")
    assert result.exit_code == 3
    assert f"{file}: this ledger" in result.stderr
    post.run(after=60)


def test_an_interrupted_restore_is_repeated(post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club("backup", post.folder, tmp_path / "copy")
    real = Path.rename

    def fail(self: Path, target: Path) -> Path:
        if target == post.folder / "ledger.sqlite":
            raise OSError(28, "No space left on device")
        return real(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fail)
        assert "the restore failed: No space left" in club("restore", post.folder, tmp_path / "copy").stderr
    with pytest.raises(Untrusted, match="missing or empty"):
        post.run(after=60)
    assert club("restore", post.folder, tmp_path / "copy").exit_code == 0
    assert post.run(after=60).posted.sent == 0
    assert post.session("race").game.id == "race"


def test_a_backup_replaces_nothing(post: Post, tmp_path: Path) -> None:
    from adjudicator.club.backup import back_up

    (tmp_path / "copy").mkdir()
    with closing(post.club.ledger()) as ledger, pytest.raises(ClubError, match="already exists"):
        back_up(post.club, ledger, tmp_path / "copy").__enter__()


def test_a_backup_that_cannot_be_finished_leaves_nothing(
    post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adjudicator.club.backup import back_up

    def fail(*_given: object, **_named: object) -> None:
        raise OSError(28, "No space left on device")

    folder = tmp_path / "copies"
    folder.mkdir()
    monkeypatch.setattr(shutil, "copytree", fail)
    with closing(post.club.ledger()) as ledger, pytest.raises(CannotWrite, match="No space left"):
        back_up(post.club, ledger, folder / "monday").__enter__()
    assert list(folder.iterdir()) == []


def test_a_copy_made_by_hand_during_a_round_restores_the_latest_steps(post: Post, tmp_path: Path) -> None:
    with closing(post.club.ledger()) as ledger:
        with ledger.change():
            ledger.record_change(post.now, "set", "the latest step")
        shutil.copytree(post.folder, tmp_path / "copy")
    assert (tmp_path / "copy" / "ledger.sqlite-wal").stat().st_size
    restore(tmp_path / "new", tmp_path / "copy", post.now)
    with closing(ClubFolder(tmp_path / "new").ledger()) as ledger:
        assert "the latest step" in [one.words for one in ledger.changes(0)]
