"""A whole turn in one call: everything is taken once, everybody is told what they may know, nothing is half done."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.core.head import proof_maker
from adjudicator.files import atomic, outbox
from adjudicator.files.outbox import report_name
from adjudicator.reports.data.heading import HEAD
from adjudicator.store.load import load_game

Run = Callable[..., Result]
Orders = Callable[..., str]

FILES = ["red.txt", "blue.txt", "bystanders.txt", "moderator.txt", "manifest.json"]
GOOD = "MOVE D3\nDRAW\n"
HALF = "MOVE D3\nMVOE Z9\nDRAW\n"


def mail(text: str, minute: int = 8, number: int = 1) -> str:
    received = f"Received: by mx; Mon, 2 Mar 2026 18:{minute:02}:41 +0100"
    return f"{received}\nMessage-ID: <{number}@x>\nFrom: Ann <ann@example.org>\n\n{text}"


def told(result: Result) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def out_of(game: Path, folder: str = "out") -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted((game.parent / folder).iterdir())}


def without_proof(text: str) -> str:
    """Return a report without the proof in its head, which depends on what is hidden and tells nothing of it.

    ``tests/cli/test_heads.py`` has what nobody can learn from a proof.
    """
    found = HEAD.search(text)
    assert found is not None
    return text.replace(found[2], "", 1)


@pytest.fixture
def mails(game: Path) -> Callable[..., None]:
    """Return a writer of files in the folder ``mails``."""
    (game.parent / "mails").mkdir()

    def write(**texts: str) -> None:
        for name, text in texts.items():
            (game.parent / "mails" / name.replace("__", "=").replace("_", ".")).write_text(text)

    return write


def test_one_call_takes_the_mails_saves_the_game_and_writes_to_everybody(run: Run, game: Path, orders: Orders) -> None:
    result = run("turn", game, f"red={orders(mail(GOOD), 'ann.eml')}", orders("blue: DRAW", "blue.txt"), "-o", "out", code=0)
    assert "\n2 orders applied\npending: blue 1 order\n" in result.stdout
    assert f"reports written: {', '.join(FILES)} in out" in result.stdout
    assert sorted(out_of(game)) == sorted(FILES)
    saved = load_game(str(game))
    assert [link.entry.order for link in saved.journal[1:]] == ["MOVE D3", "DRAW"]
    assert saved.reported == len(saved.journal)
    assert {receipt.seat for receipt in saved.receipts} == {"red", "blue"}


def test_the_report_of_a_seat_says_everything_it_has_to_know(run: Run, game: Path, orders: Orders) -> None:
    run("turn", game, f"red={orders(mail('Hi Max,' + chr(10) + HALF), 'ann.eml')}", "-o", "out", code=1)
    text = out_of(game)["red.txt"]
    head, to_do, came, *_ = text.split("\n\n")
    assert head.startswith("rally · Checkpoint Rally · turn 2 · ")
    assert to_do.splitlines()[0] == "What to do now"
    assert any("`turn 2`" in line for line in to_do.splitlines())
    hash_ = sha256((game.parent / "ann.eml").read_bytes()).hexdigest()
    assert came.splitlines() == [
        "Your orders",
        "  Received ann.eml, 2026-03-02 17:08:41 UTC",
        "    line 2  MOVE D3  applied: entry 1",
        "    line 3  MVOE Z9  refused: see below",
        "    line 4  DRAW     ignored: an order above it was refused",
    ]
    assert "\n\n  Line 3: “MVOE” " in text
    assert "\n    MVOE Z9\n    ^^^^\n" in text
    assert "    try: MOVE Z9\n    [orders/unknown-order]\n" in text
    assert "  ignored: line 1 (a greeting):\n    Hi Max," in text
    assert "ann.eml:3:1: orders/unknown-order" in out_of(game)["moderator.txt"]
    assert "so far (entries 0 to 1)" in text
    assert "· red drives" in text
    assert "Decisions due\n" in text
    assert "Stopwatch" in text
    *_, proofs = text.split("\n\n")
    assert [line.split()[0] for line in proofs.splitlines()] == ["For", "commitment", "head", "sha256"]
    assert proofs.endswith(f"\n  sha256 {hash_[:16]} of ann.eml\n")


def test_each_mistake_names_its_mail_if_a_seat_has_sent_several(run: Run, game: Path, orders: Orders) -> None:
    mails = [f"red={orders(words, name)}" for name, words in (("one.txt", "MVOE Z9"), ("two.txt", "DRWA"))]
    run("turn", game, *mails, "-o", "out", code=1)
    text = " ".join(out_of(game)["red.txt"].split())
    assert "Line 1 of one.txt: “MVOE” is not an order" in text
    assert "Line 1 of two.txt: “DRWA” is not an order" in text


def test_a_mail_without_orders_is_told_once(run: Run, game: Path, orders: Orders) -> None:
    run("turn", game, f"red={orders(mail('Thanks for the game!'), 'ann.eml')}", "-o", "out", code=1)
    assert " ".join(out_of(game)["red.txt"].split()).count("no orders") == 1


def test_who_is_not_asked_is_told_whom_the_game_waits_for(run: Run, game: Path) -> None:
    run("turn", game, "-o", "out", code=0)
    assert "  You have nothing to decide now. The game waits for Ann (red)." in out_of(game)["blue.txt"]
    assert "Write `turn" not in out_of(game)["blue.txt"]  # by the time blue is asked it would be wrong
    assert "  No mail has arrived since the last report." in out_of(game)["blue.txt"]


def test_the_manifest_says_which_file_is_whose(run: Run, game: Path, orders: Orders) -> None:
    run("turn", game, f"red={orders(GOOD, 'ann.txt')}", "-o", "out", code=0)
    manifest = json.loads(out_of(game)["manifest.json"])
    saved = load_game(str(game))
    assert (manifest["game"], manifest["turn"], manifest["beginning"]) == ("rally", saved.turn, saved.beginning)
    proof = proof_maker(saved.chance.secret)(saved.journal[-1])
    assert manifest["head"] == {"n": saved.journal[-1].entry.n, "proof": proof}
    assert [(one["viewer"], one["file"]) for one in manifest["reports"]] == [
        ("red", "red.txt"),
        ("blue", "blue.txt"),
        (None, "bystanders.txt"),
        ("moderator", "moderator.txt"),
    ]
    for one in manifest["reports"]:
        assert one["hash"] == sha256((game.parent / "out" / one["file"]).read_bytes()).hexdigest()
    assert manifest["receipts"] == [{"turn": 1, "seat": "red", "hash": sha256(GOOD.encode()).hexdigest(), "received": None}]
    assert (manifest["over"], manifest["awaited"]) == (False, ["red"])


@pytest.mark.posix
def test_reports_are_for_the_moderator_s_eyes(run: Run, game: Path) -> None:
    run("turn", game, "-o", "out", code=0)
    for path in [*(game.parent / "out").iterdir(), game.parent / "rally.json.outbox"]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    assert stat.S_IMODE((game.parent / "out").stat().st_mode) == 0o700


# Once


def test_the_same_mails_do_nothing_twice(run: Run, game: Path, mails: Callable[..., None]) -> None:
    mails(red__1_eml=mail(HALF), blue_txt="blue: DRAW\n")
    run("turn", game, "mails", "-o", "out", code=1)
    saved, written = game.read_bytes(), out_of(game)
    result = run("turn", game, "mails", "-o", "out", code=0)
    assert result.stdout.splitlines()[:2] == [
        "ignored: mails/blue.txt, which was processed in turn 1",
        "ignored: mails/red=1.eml, which was processed in turn 1",
    ]
    assert "no new mail; the reports are those of the last run" in result.stdout
    assert (game.read_bytes(), out_of(game)) == (saved, written)


def test_a_mail_that_was_refused_is_not_taken_again_either(run: Run, game: Path, orders: Orders) -> None:
    """It was answered; that it might be legal by now is not what its sender knows."""
    path = orders(mail("MOVE E5"), "ann.eml")
    run("turn", game, f"red={path}", "-o", "out", code=1)
    assert len(load_game(str(game)).receipts) == 1
    run("turn", game, f"red={path}", "-o", "out", code=0)
    assert len(load_game(str(game)).receipts) == 1
    assert load_game(str(game)).turn == 1


def test_only_what_is_new_is_taken(run: Run, game: Path, mails: Callable[..., None]) -> None:
    mails(red__1_eml=mail("MOVE D3"))
    run("turn", game, "mails", "-o", "out", code=0)
    mails(red__2_eml=mail("MOVE C3", 9, 2))
    result = told(run("turn", game, "mails", "-o", "out", "--json", code=0))
    assert [known["source"] for known in result["known"]] == ["mails/red=1.eml"]
    assert [row["order"] for row in result["adjudication"]["accepted"]] == ["MOVE C3"]
    text = out_of(game)["red.txt"]
    assert "the last report (entry 2)" in text
    assert "MOVE D3" not in text.partition("can order now")[0]


def test_what_happened_by_another_command_is_told_with_the_next_turn(run: Run, game: Path, orders: Orders) -> None:
    run("turn", game, "-o", "out", code=0)
    run("apply", game, orders("red: MOVE D3"), code=0)
    run("turn", game, f"red={orders('MOVE C3', 'b.txt')}", "-o", "out", code=0)
    for name in FILES[:4]:
        assert "the last report (entries 1 to 2)" in out_of(game)[name]


def test_a_text_that_is_no_mail_may_be_the_same_in_a_later_turn_if_it_says_so(run: Run, game: Path, orders: Orders) -> None:
    """Such a text has the orders of several turns in it: those of the turn that is due are new."""
    plain = orders("DRAW\nKEEP H2 H3\n", "a.txt")
    both = orders("turn 1\nred: MOVE D3\nturn 2\nred: MOVE C3\n", "b.txt")
    run("turn", game, f"blue={plain}", both, "-o", "out", code=1)
    assert told(run("turn", game, f"blue={plain}", "-o", "out", "--json"))["known"] == [{"source": "a.txt", "turn": 1}]
    again = told(run("turn", game, both, "-o", "out", "--json"))
    assert again["known"] == []
    assert [row["order"] for row in again["adjudication"]["accepted"]] == ["MOVE C3"]
    assert told(run("turn", game, both, "-o", "out", "--json"))["known"] == [{"source": "b.txt", "turn": 2}]


def test_a_text_for_a_later_turn_is_taken_when_that_has_come(run: Run, game: Path, orders: Orders) -> None:
    early = f"red={orders('turn 2' + chr(10) + 'MOVE C3', 'early.txt')}"
    run("turn", game, early, "-o", "out", code=1)
    words = "turn 2 has not begun yet, and the game is at turn 1: orders for turn 2 do not count now"
    assert words in " ".join(out_of(game)["red.txt"].split())
    run("turn", game, f"red={orders('MOVE D3', 'now.txt')}", early, "-o", "out", code=0)
    result = told(run("turn", game, early, "-o", "out", "--json", code=0))
    assert [row["order"] for row in result["adjudication"]["accepted"]] == ["MOVE C3"]


STALE = {
    "bound, for a turn that is over": ("red=x.eml", mail("turn 1\nMOVE C3")),
    "for a turn that is over": ("x.eml", mail("turn 1\nred: MOVE C3")),
    "for another game": ("red=x.eml", mail("game rallye\nDRAW")),
    "without orders": ("x.eml", mail("Shall we meet in May?")),
    "without a seat": ("x.txt", "MOVE C3"),
    "too long": ("x.eml", mail("turn 2\n" + "red: MOVE C3\n" * 9_000)),
    "with too much text": ("x.eml", mail("turn 2\nred: MOVE C3\n" + "x" * 1_000_000)),
    "too large": ("red=x.eml", mail("turn 2\nMOVE C3\n" + "x" * 40_000_000)),
}


@pytest.mark.parametrize("name", STALE)
def test_a_mail_that_cannot_be_taken_is_reported_once(run: Run, game: Path, mails: Callable[..., None], name: str) -> None:
    file, text = STALE[name]
    mails(red__now_txt="MOVE D3")
    run("turn", game, "mails", "-o", "out", code=0)
    (game.parent / "mails" / file).write_text(text)
    first = run("turn", game, "mails", "-o", "out", code=1)
    assert f"mails/{file}" in first.stderr
    saved, written = game.read_bytes(), out_of(game)
    again = run("turn", game, "mails", "-o", "out", code=0)
    assert f"ignored: mails/{file}, which was processed in turn 2" in again.stdout
    assert again.stderr == ""
    assert (game.read_bytes(), out_of(game)) == (saved, written)
    run("apply", game, "red=-", stdin="DRAW", code=0)
    later = run("turn", game, "mails", "-o", "out", code=0)
    assert f"ignored: mails/{file}, which was processed in turn 2" in later.stdout


def test_a_mail_in_a_maildir_that_is_too_large_is_reported_once(run: Run, game: Path) -> None:
    for name in ("cur", "new"):
        (game.parent / "box" / name).mkdir(parents=True)
    (game.parent / "box" / "new" / "1.a.b").write_text(mail("MOVE C3\n" + "x" * 40_000_000))
    first = run("turn", game, "red=box", "-o", "out", code=1)
    assert "the mail has more than 40 MB: " in first.stderr
    again = run("turn", game, "red=box", "-o", "out", code=0)
    assert "ignored: box, mail 1, which was processed in turn 1" in again.stdout


def test_an_early_mail_whose_turn_went_by_is_reported_again(run: Run, game: Path, mails: Callable[..., None]) -> None:
    mails(red__early_eml=mail("turn 2\nMOVE C3"))
    run("turn", game, "mails", "-o", "out", code=1)
    run("apply", game, "red=-", stdin="MOVE D3", code=0)
    run("apply", game, "red=-", stdin="DRAW", code=0)
    result = run("turn", game, "mails", "-o", "out", code=1)
    assert "turn 2 is over, and the game is at turn 3" in result.stderr
    run("turn", game, "mails", "-o", "out", code=0)


def test_a_mail_is_read_again_once_its_seat_is_named(run: Run, game: Path, mails: Callable[..., None]) -> None:
    mails(a_eml=mail("MOVE D3"))
    run("turn", game, "mails", "-o", "out", code=1)
    (game.parent / "mails" / "a.eml").rename(game.parent / "mails" / "red=a.eml")
    run("turn", game, "mails", "-o", "out", code=0)
    assert load_game(str(game)).journal[-1].entry.order == "MOVE D3"


def test_after_an_undo_a_mail_that_was_too_late_is_read_again(run: Run, game: Path, mails: Callable[..., None]) -> None:
    """The turn that it was for has come back."""
    mails(red__1_txt="MOVE D3")
    run("turn", game, "mails", "-o", "out", code=0)
    mails(red__late_eml=mail("turn 1\nDRAW"))
    run("turn", game, "mails", "-o", "out", code=1)
    (game.parent / "mails" / "red=1.txt").unlink()
    run("undo", game, "--to", "0", "--reason", "a slip", code=0)
    run("turn", game, "mails", "-o", "out", code=0)
    assert load_game(str(game)).journal[-1].entry.order == "DRAW"


def test_one_text_of_two_seats_is_two_texts(run: Run, game: Path, orders: Orders) -> None:
    run("turn", game, f"red={orders('DRAW', 'a.txt')}", "-o", "out", code=0)
    result = told(run("turn", game, f"blue={orders('DRAW', 'b.txt')}", "-o", "out", "--json", code=0))
    assert result["known"] == []
    assert [receipt["seat"] for receipt in result["adjudication"]["receipts"]] == ["blue"]


# Interruptions


class Power(Exception):
    """The power fails."""


def failing_at(monkeypatch: pytest.MonkeyPatch, number: int) -> list[str]:
    """Let the write with this number fail, and all that follow."""
    written: list[str] = []
    whole = atomic.write_atomic

    def write(path: Any, data: bytes, mode: int = 0o666, **how: bool) -> None:
        if len(written) >= number:
            raise Power
        written.append(os.path.basename(path))
        whole(path, data, mode, **how)

    for module in (atomic, outbox):
        monkeypatch.setattr(module, "write_atomic", write)
    return written


@pytest.mark.parametrize("number", range(7))
def test_wherever_it_is_interrupted_the_next_run_completes_it(
    run: Run, game: Path, mails: Callable[..., None], number: int, game_bytes: bytes, tmp_path: Path
) -> None:
    mails(red__1_eml=mail(HALF), blue_txt="blue: DRAW\n")
    run("turn", game, "mails", "-o", "whole", code=1)
    saved, reports = game.read_bytes(), out_of(game, "whole")
    (tmp_path / "rally.json.outbox").unlink()
    game.write_bytes(game_bytes)
    with pytest.MonkeyPatch.context() as patched:
        written = failing_at(patched, number)
        with pytest.raises(Power):
            run("turn", game, "mails", "-o", "out")
    assert written == ["rally.json.outbox", "rally.json", *FILES][:number]
    assert game.read_bytes() == (saved if number > 1 else game_bytes)
    run("turn", game, "mails", "-o", "out")
    assert game.read_bytes() == saved
    assert out_of(game) == reports


@pytest.mark.parametrize("name", STALE)
def test_a_problem_of_an_interrupted_run_is_reported_by_the_next(
    run: Run, game: Path, mails: Callable[..., None], name: str
) -> None:
    """The power failed after the reports were kept, and before the game was written."""
    mails(red__now_txt="MOVE D3")
    run("turn", game, "mails", "-o", "out", code=0)
    file, text = STALE[name]
    (game.parent / "mails" / file).write_text(text)
    before = game.read_bytes()
    with pytest.MonkeyPatch.context() as patched:
        failing_at(patched, 1)
        with pytest.raises(Power):
            run("turn", game, "mails", "blue=-", "-o", "out", stdin="DRAW")
    assert game.read_bytes() == before
    again = run("turn", game, "mails", "blue=-", "-o", "out", stdin="DRAW", code=1)
    assert f"mails/{file}" in again.stderr
    assert f"mails/{file}, which was processed" not in again.stdout
    assert run("turn", game, "mails", "-o", "out", code=0).stderr == ""


def test_a_problem_is_reported_again_to_a_game_from_a_backup(run: Run, game: Path, mails: Callable[..., None]) -> None:
    backup = game.read_bytes()
    mails(red__1_txt="MOVE D3")
    run("turn", game, "mails", "-o", "out", code=0)
    mails(red__early_eml=mail("turn 9\nDRAW"))
    run("turn", game, "mails", "-o", "out", code=1)
    game.write_bytes(backup)
    assert "turn 9 has not begun yet" in run("turn", game, "mails", "-o", "out", code=1).stderr


def test_reports_that_were_never_written_may_go_to_another_folder(run: Run, game: Path, orders: Orders) -> None:
    path = f"red={orders(mail(HALF), 'ann.eml')}"
    run("turn", game, path, "-o", "out", code=1)
    run("turn", game, path, "-o", "other", code=0)
    assert out_of(game, "other") == out_of(game)


def test_a_folder_left_by_an_interrupted_run_takes_the_next_turn(run: Run, game: Path, orders: Orders) -> None:
    """Its reports are known from what is kept beside the game, though no manifest lists them yet."""
    with pytest.MonkeyPatch.context() as patched:
        failing_at(patched, 4)
        with pytest.raises(Power):
            run("turn", game, f"red={orders('MOVE D3', 'a')}", "-o", "out")
    run("turn", game, f"red={orders('MOVE C3', 'b')}", "-o", "out", code=0)
    assert json.loads(out_of(game)["manifest.json"])["turn"] == 3


@pytest.mark.parametrize("kept", [b"", b"{}", b"\xff\x00", b'{"beginning":7}', b"[" * 100_000])
def test_what_is_kept_beside_the_game_may_be_damaged_or_gone(run: Run, game: Path, orders: Orders, kept: bytes) -> None:
    path = f"red={orders(mail(HALF), 'ann.eml')}"
    run("turn", game, path, "-o", "out", code=1)
    (game.parent / "rally.json.outbox").write_bytes(kept)
    before = game.read_bytes()
    run("turn", game, path, "-o", "out", code=0)
    assert game.read_bytes() == before
    text = out_of(game)["red.txt"]
    assert "· red drives" in text
    assert "No mail" in text


# Trials and refusals


def test_a_trial_says_what_would_be_and_writes_nothing(run: Run, game: Path, orders: Orders) -> None:
    path, before = orders("red: MOVE D3"), game.read_bytes()
    result = run("turn", game, path, "--dry-run", code=0)
    assert "would be applied; nothing was changed" in result.stdout
    assert f"reports that would be written: {', '.join(FILES)}" in result.stdout
    assert sorted(one.name for one in game.parent.iterdir()) == ["rally.json", "turn.txt"]
    assert game.read_bytes() == before
    run("turn", game, path, "-o", "out", "--dry-run", code=0)
    assert not (game.parent / "out").exists()


def test_strict_does_nothing_where_there_is_a_problem(run: Run, game: Path, orders: Orders) -> None:
    before = game.read_bytes()
    result = run("turn", game, f"red={orders(HALF)}", "-o", "out", "--strict", code=1)
    assert "--strict" in result.stdout
    assert game.read_bytes() == before
    assert not (game.parent / "out").exists()
    run("turn", game, f"red={orders(GOOD)}", "-o", "out", "--strict", code=0)


@pytest.mark.parametrize(("arguments", "words"), [
    (("turn", "rally.json"), "name a folder for the reports with -o, or try first with --dry-run"),
    (("turn", "-", "-o", "out"), "`turn` changes it"),
    (("turn", "rally.json", "-o", "-"), "there are several reports"),
    (("turn", "rally.json", "-o", "rally.json"), "this is a file, but reports need a folder"),
    (("turn", "rally.json", "-o", "no/such"), "no/such: make the folder above it first"),
    (("turn", "rally.json", "nowhere", "-o", "out"), "nowhere: "),
    (("turn", "rally.json", "-", "-", "-o", "out"), "only once"),
])  # fmt: skip
def test_what_makes_no_sense_is_misuse(run: Run, game: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments, code=2)
    assert words in result.stderr
    assert result.stdout == ""
    assert words in told(run(*arguments, "--json", code=2))["message"]


def test_a_file_that_is_no_report_is_not_written_over(run: Run, game: Path, orders: Orders) -> None:
    (game.parent / "out").mkdir()
    mine = game.parent / "out" / "blue.txt"
    mine.write_text("my notes on blue")
    before = game.read_bytes()
    result = run("turn", game, f"red={orders(GOOD)}", "-o", "out", code=2)
    assert "out/blue.txt: name another folder, or replace this file with --force" in result.stderr
    assert (game.read_bytes(), mine.read_text()) == (before, "my notes on blue")
    assert sorted(out_of(game)) == ["blue.txt"]
    run("turn", game, f"red={orders(GOOD)}", "-o", "out", "--force", code=0)
    assert mine.read_text() != "my notes on blue"


def test_neither_is_a_game_nor_the_report_of_another(run: Run, game: Path, orders: Orders) -> None:
    run("turn", game, "-o", "out", code=0)
    other = game.parent / "other.json"
    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--id", "rally", "-o", other, code=0)
    before = out_of(game)
    assert "not a report of this game" in run("turn", other, "-o", "out", code=2).stderr
    assert out_of(game) == before
    (game.parent / "out" / "red.txt").write_bytes(other.read_bytes())
    assert "not a report" in run("turn", game, f"red={orders(GOOD)}", "-o", "out", code=2).stderr


def test_a_report_that_somebody_has_edited_is_not_lost(run: Run, game: Path, orders: Orders) -> None:
    run("turn", game, "-o", "out", code=0)
    (game.parent / "out" / "red.txt").write_text("a kind word before\n")
    assert "not a report" in run("turn", game, f"red={orders(GOOD)}", "-o", "out", code=2).stderr


def test_no_report_is_written_over_what_is_read(run: Run, game: Path, orders: Orders) -> None:
    before = orders("red: MOVE D3\n", "red.txt")
    result = run("turn", game, "red.txt", "-o", ".", "--force", code=2)
    assert "this command reads" in result.stderr
    assert (game.parent / before).read_text() == "red: MOVE D3\n"


def test_a_link_is_not_followed_out_of_the_folder(run: Run, game: Path) -> None:
    (game.parent / "out").mkdir()
    (game.parent / "out" / "red.txt").symlink_to(game.parent / "elsewhere")
    assert "not a report" in run("turn", game, "-o", "out", code=2).stderr
    assert not (game.parent / "elsewhere").exists()


@pytest.mark.posix
@pytest.mark.parametrize("kind", ["symbolic link", "dangling link", "hard link", "pipe"])
@pytest.mark.parametrize("words", [("turn", "-o", "out"), ("report", "--as", "red", "-o", "red.txt")])
def test_no_link_is_followed_in_the_place_of_the_outbox(run: Run, game: Path, kind: str, words: tuple[str, ...]) -> None:
    """A link let a run write the reports of all players into any file of the moderator's; a pipe stopped it for good."""
    before, path, other = game.read_bytes(), Path(f"{game}.outbox"), game.parent / "other.txt"
    other.write_text("kept")
    match kind:
        case "symbolic link":
            path.symlink_to(other)
        case "dangling link":
            path.symlink_to(game.parent / "later.txt")
        case "hard link":
            os.link(other, path)
        case _:
            os.mkfifo(path)
    said = run(words[0], game, *words[1:], code=2).stderr
    assert (
        "rally.json.outbox: remove this first: it is a link, has a second name (hard link), or is not an ordinary file"
        in said
    )
    assert (other.read_text(), game.read_bytes()) == ("kept", before)
    assert not (game.parent / "later.txt").exists()


# Folders


def test_a_folder_gives_its_files_by_name_and_nothing_else(run: Run, game: Path, mails: Callable[..., None]) -> None:
    mails(red__1_eml=mail("MOVE D3"), ann__2_eml=mail("MOVE C3", 9), violet__3_txt="blue: DRAW")
    (game.parent / "mails" / ".hidden").write_text("red: REFRESH")
    (game.parent / "mails" / "old").mkdir()
    result = told(run("turn", game, "mails", "-o", "out", "--json"))
    assert [(one["seat"], one["source"]) for one in result["adjudication"]["receipts"]] == [
        ("red", "mails/ann=2.eml"),
        ("red", "mails/red=1.eml"),
        ("blue", "mails/violet=3.txt"),
    ]


def test_a_whole_folder_may_be_one_seat_s(run: Run, game: Path, mails: Callable[..., None]) -> None:
    mails(a_eml=mail("MOVE C2"), blue__b_eml=mail("MOVE D3", 9))
    result = told(run("turn", game, "red=mails", "-o", "out", "--json", code=0))
    assert {one["seat"] for one in result["adjudication"]["receipts"]} == {"red"}


def test_the_game_in_the_folder_is_no_mail(run: Run, game: Path, orders: Orders) -> None:
    orders("red: MOVE D3")
    for _ in range(2):
        result = told(run("turn", game, game.parent, "-o", "out", "--json", code=0))
        assert (result["adjudication"]["problems"], result["adjudication"]["ignored"]) == ([], [])
    assert load_game(str(game)).turn == 2


# What a seat may know


def reports_of(run: Run, game: Path, data: bytes, *arguments: str) -> dict[str, str]:
    game.write_bytes(data)
    (game.parent / "rally.json.outbox").unlink(missing_ok=True)
    run("turn", game, *arguments, "-o", "out", "--force")
    return out_of(game)


@pytest.mark.parametrize("blues", [
    ("DRAW", "REFRESH\nDRAW"),
    ("DRAW", "MVOE\nnonsense\n\n\nDRAW"),
    ("DRAW", "I am away this week."),
    ("DRAW", None),
])  # fmt: skip
@pytest.mark.parametrize("form", ["mails", "text", "mailbox"])
def test_what_others_have_sent_does_not_change_a_seat_s_report(
    run: Run, game: Path, game_bytes: bytes, orders: Orders, blues: tuple[str | None, ...], form: str
) -> None:
    """Not what waits, not what was refused, not how much it was: not in the words, the places or the hashes."""
    red = "MOVE D3\nMOVE Z9\nTELEPORT\nDRAW"
    found = []
    for blue in blues:
        if form == "mails":
            given = [f"red={orders(mail(red), 'r.eml')}"]
            given += [] if blue is None else [f"blue={orders(mail(blue, 3), 'b.eml')}"]
        elif form == "text":
            lines = (blue or "").replace("I am", "# I am")
            given = [orders(f"blue:\n{lines}\nred:\n{red}\n", "t.txt")]
        else:
            one, two = (
                mail(f"{seat}:\n{text}\n", 4, at) for at, (seat, text) in enumerate((("blue", blue or ""), ("red", red)))
            )
            border = "From ann@example.org Mon Mar  2 10:00:00 2026\n"
            given = [orders(f"{border}{one}\n{border}{two}\n", "in.mbox")]
        found.append(reports_of(run, game, game_bytes, *given))
    assert found[0]["red.txt"] == found[1]["red.txt"]
    assert found[0]["bystanders.txt"] == found[1]["bystanders.txt"]
    assert "MOVE Z9" in found[0]["red.txt"]


def test_nor_do_the_hands_of_others(run: Run, tmp_path: Path, orders: Orders) -> None:
    from tests.cli.conftest import POSITION

    found = []
    for number, hand in enumerate((["U1", "U2"], ["G4", "G5"])):
        seats = [dict(seat) for seat in POSITION["seats"]]
        seats[1]["hand"] = hand
        (tmp_path / "setup.json").write_text(json.dumps({**POSITION, "seats": seats}))
        arguments = ["--seat", "red", "--seat", "blue", "--seed", "ab" * 32, "--id", "rally", "--setup", "setup.json"]
        run("new", "checkpoint-rally", *arguments, "-o", f"{number}.json", code=0)
        run("turn", f"{number}.json", f"red={orders('MOVE D3', 'r.txt')}", "-o", f"out{number}", code=0)
        folder = tmp_path / f"out{number}"
        found.append({path.name: path.read_text() for path in folder.iterdir()})
    for name in ("red.txt", "bystanders.txt"):
        assert without_proof(found[0][name]) == without_proof(found[1][name])
    assert without_proof(found[0]["blue.txt"]) != without_proof(found[1]["blue.txt"])


def test_sealed_orders_stay_sealed(run: Run, tmp_path: Path, orders: Orders) -> None:
    """In Checkpoint Charlie all lay a clue at once: which one, nobody learns from a report but who laid it."""
    seats = ["--seat", "red", "--seat", "blue", "--seat", "green", "--seed", "ab" * 32, "--id", "c"]
    run("new", "checkpoint-charlie", *seats, "-o", "start.json", code=0)
    start = (tmp_path / "start.json").read_bytes()
    clues = [row["order"] for row in told(run("legal", "start.json", "--as", "blue", "--json"))["blue"]]
    found = []
    for clue in clues[:2]:
        (tmp_path / "g.json").write_bytes(start)
        (tmp_path / "g.json.outbox").unlink(missing_ok=True)
        run("turn", "g.json", f"blue={orders(clue, 'b.txt')}", "-o", "out", "--force", code=0)
        found.append({path.name: path.read_text() for path in (tmp_path / "out").iterdir()})
    for name in ("red.txt", "green.txt", "bystanders.txt"):
        assert without_proof(found[0][name]) == without_proof(found[1][name])
    assert without_proof(found[0]["blue.txt"]) != without_proof(found[1]["blue.txt"])


def test_nothing_a_player_writes_moves_a_terminal(run: Run, game: Path, orders: Orders) -> None:
    run(
        "turn",
        game,
        f"red={orders(mail('MOVE D3' + chr(10) + chr(27) + '[2J' + chr(7) + 'x'), 'a.eml')}",
        "-o",
        "out",
    )
    assert not any("\x1b" in text or "\x07" in text for text in out_of(game).values())


# Names


NAMES = [
    "red",
    "bystanders",
    "manifest",
    "con",
    "lpt1",
    "com9",
    "nul",
    "a_1",
    "é",
    "a/b",
    "..",
    "x" * 80,
    "x" * 79 + "y",
    "A",
    "a",
]


def test_every_seat_has_a_file_of_its_own_that_every_system_takes() -> None:
    names = [report_name(name) for name in (*NAMES, None, "moderator")]  # type: ignore[arg-type]
    assert len({name.casefold() for name in names}) == len(names)
    assert names[0] == "red.txt"
    for name in names:
        assert name.isascii()
        assert not set(name) & set('/\\:*?"<>| %')
        assert not name.startswith(".")
        assert len(name) < 130
        assert name.split(".")[0] not in {"con", "nul", "lpt1", "com9", "manifest"}


# After an undo


def test_what_was_undone_comes_in_again_once(run: Run, game: Path, mails: Callable[..., None]) -> None:
    mails(red__1_eml=mail(GOOD), blue__2_eml=mail("DRAW\nREFRESH\n", 9, 2))
    run("turn", game, "mails", "-o", "out", code=0)
    before = load_game(str(game))
    run("undo", game, "--to", "0", "--reason", "the wrong dial", code=0)
    again = told(run("turn", game, "mails", "-o", "out", "--json", code=0))
    assert again["known"] == []
    words = "red=1.eml came in turn 1, which was undone: it counts again"
    assert {"seat": "red", "note": words} in again["adjudication"]["notes"]
    after = load_game(str(game))
    assert after.state == before.state
    assert [sheet.orders for sheet in after.pending] == [sheet.orders for sheet in before.pending]
    third = told(run("turn", game, "mails", "-o", "out", "--json", code=0))
    assert [known["source"] for known in third["known"]] == ["mails/blue=2.eml", "mails/red=1.eml"]
    assert load_game(str(game)).journal == after.journal


def test_a_mail_of_which_an_order_stands_is_not_taken_again(run: Run, game: Path, mails: Callable[..., None]) -> None:
    """Red's first order stands where the game goes back to; what waited of blue was dropped."""
    mails(red__1_eml=mail("MOVE D3\nDRAW\n"))
    run("turn", game, "mails", "-o", "out", code=0)
    mails(blue__2_eml=mail("DRAW\n", 9, 2))
    run("turn", game, "mails", "-o", "out", code=0)
    run("undo", game, "--to", "1", "--reason", "so", code=0)
    again = told(run("turn", game, "mails", "-o", "out", "--json", code=0))
    assert [known["source"] for known in again["known"]] == ["mails/red=1.eml"]
    assert again["adjudication"]["pending"] == {"blue": 1}
    assert [note["seat"] for note in again["adjudication"]["notes"]] == ["blue"]


def test_what_waited_when_the_undo_came_is_taken_again(run: Run, game: Path, mails: Callable[..., None]) -> None:
    """Blue has sent ahead; the undo of red's order drops what waits of blue, too."""
    mails(blue__2_eml=mail("DRAW\n", 9, 2))
    run("turn", game, "mails", "-o", "out", code=0)
    mails(red__1_eml=mail("MOVE D3\n"))
    run("turn", game, "mails", "-o", "out", code=0)
    before = load_game(str(game))
    assert [sheet.seat for sheet in before.pending] == ["blue"]
    run("undo", game, "--to", "0", "--reason", "so", code=0)
    again = told(run("turn", game, "mails", "-o", "out", "--json", code=0))
    assert again["known"] == []
    assert [row["seat"] for row in again["adjudication"]["accepted"]] == ["red"]
    assert again["adjudication"]["pending"] == {"blue": 1}
    assert load_game(str(game)).state == before.state
