"""A whole turn in one call: everything is taken once, nothing is half done, and no file of others is replaced."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from tests.drivers.commands import Run, rally, rally_bytes, written

FILES = ["red.txt", "blue.txt", "bystanders.txt", "moderator.txt", "manifest.json"]
GOOD = "MOVE D3\nDRAW\n"
HALF = "MOVE D3\nMVOE Z9\nDRAW\n"
Turn = Callable[..., Any]


def mail(text: str, minute: int = 8, number: int = 1) -> str:
    received = f"Received: by mx; Mon, 2 Mar 2026 18:{minute:02}:41 +0100"
    return f"{received}\nMessage-ID: <{number}@x>\nFrom: Ann <ann@example.org>\n\n{text}"


def out_of(folder: str = "out") -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(Path(folder).iterdir())}


def orders_of(path: Path) -> list[str]:
    return [row.order for row in adj.open(path).seen_by("moderator").log()][1:]


@pytest.fixture
def game(run: Run) -> Path:
    Path("mails").mkdir()
    return rally()


@pytest.fixture
def turn(run: Run, game: Path) -> Turn:
    """Return the command over the folder ``mails``, or over others, with the reports in ``out``."""
    return lambda *given, **how: run("turn", game, *(given or ("mails",)), "-o", "out", **how)


def known(turn: Turn) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(turn("mails", "--json", code=0).stdout)
    return found


def test_one_call_writes_to_everybody_and_the_manifest_says_which_file_is_whose(turn: Turn, game: Path) -> None:
    result = turn(f"red={written(mail(GOOD), 'ann.eml')}", written("blue: DRAW", "blue.txt"), code=0)
    assert "\n2 orders applied\npending: blue 1 order\n" in result.stdout
    assert f"reports written: {', '.join(FILES)} in out" in result.stdout
    saved, manifest = adj.open(game), json.loads(out_of()["manifest.json"])
    assert (sorted(out_of()), orders_of(game)) == (sorted(FILES), ["MOVE D3", "DRAW"])
    head = {"n": saved.head.n, "proof": saved.head.proof} if saved.head else None
    assert (manifest["game"], manifest["turn"], manifest["head"], manifest["awaited"]) == ("rally", 2, head, ["red"])
    assert [(one["viewer"], one["file"]) for one in manifest["reports"]] == [
        ("red", "red.txt"),
        ("blue", "blue.txt"),
        (None, "bystanders.txt"),
        ("moderator", "moderator.txt"),
    ]
    for one in manifest["reports"]:
        assert one["hash"] == sha256(Path("out", one["file"]).read_bytes()).hexdigest()
    assert manifest["receipts"][0]["hash"] == sha256(mail(GOOD).encode()).hexdigest()
    assert {receipt["seat"] for receipt in manifest["receipts"]} == {"red", "blue"}
    if os.name == "posix":
        paths = [*Path("out").iterdir(), Path("rally.json.outbox")]
        assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == {0o600}
        assert stat.S_IMODE(Path("out").stat().st_mode) == 0o700


def test_the_report_of_a_seat_says_everything_it_has_to_know(turn: Turn) -> None:
    turn(f"red={written(mail('Hi Max,' + chr(10) + HALF), 'ann.eml')}", code=1)
    text = out_of()["red.txt"]
    head, to_do, came, *_, proofs = text.split("\n\n")
    assert head.startswith("rally · Checkpoint Rally · turn 2 · ")
    assert to_do.splitlines()[0] == "What to do now" and any("`turn 2`" in line for line in to_do.splitlines())
    assert came.splitlines() == [
        "Your orders",
        "  Received ann.eml, 2026-03-02 17:08:41 UTC",
        "    line 2  MOVE D3  applied: entry 1",
        "    line 3  MVOE Z9  refused: see below",
        "    line 4  DRAW     ignored: an order above it was refused",
    ]
    for words in (
        "\n\n  Line 3: “MVOE” ",
        "\n    MVOE Z9\n    ^^^^\n",
        "    try: MOVE Z9\n    [orders/unknown-order]\n",
        "  ignored: line 1 (a greeting):\n    Hi Max,",
        "so far (entries 0 to 1)",
        "· red drives",
        "Decisions due\n",
        "Stopwatch",
    ):
        assert words in text
    hash_ = sha256(Path("ann.eml").read_bytes()).hexdigest()
    assert [line.split()[0] for line in proofs.splitlines()] == ["For", "commitment", "head", "sha256"]
    assert proofs.endswith(f"\n  sha256 {hash_[:16]} of ann.eml\n")
    assert "ann.eml:3:1: orders/unknown-order" in out_of()["moderator.txt"]
    turn(f"blue={written(mail('Thanks for the game!' + chr(27) + '[2J' + chr(7)), 'bob.eml')}", code=1)
    assert " ".join(out_of()["blue.txt"].split()).count("no orders") == 1
    assert not any("\x1b" in text or "\x07" in text for text in out_of().values())


# Once -----------------------------------------------------------------------------------------------------------------


def test_only_what_is_new_is_taken_also_of_what_was_refused(turn: Turn, game: Path) -> None:
    written(mail(HALF), "mails/red=1.eml")
    written("blue: DRAW\n", "mails/blue.txt")
    turn(code=1)
    saved, reports = game.read_bytes(), out_of()
    assert turn(code=0).stdout.splitlines()[:2] == [
        "ignored: mails/blue.txt, which was processed in turn 1",
        "ignored: mails/red=1.eml, which was processed in turn 1",
    ]
    assert (game.read_bytes(), out_of()) == (saved, reports)
    written(mail("MOVE C3", 9, 2), "mails/red=2.eml")
    result = known(turn)
    assert [one["source"] for one in result["known"]] == ["mails/blue.txt", "mails/red=1.eml"]
    assert [row["order"] for row in result["adjudication"]["accepted"]] == ["MOVE C3"]
    text = out_of()["red.txt"]
    assert "the last report (entry 2)" in text and "MOVE D3" not in text.partition("can order now")[0]
    other = json.loads(turn(f"blue={written(mail('MOVE C3', 9, 2), 'b.eml')}", "--json", code=0).stdout)
    assert (other["known"], other["adjudication"]["receipts"][0]["seat"]) == ([], "blue"), "one text of two seats is two"


@pytest.mark.parametrize("header", ["turn", "Zug"])
def test_a_text_with_the_orders_of_several_turns_is_taken_again_for_each(
    run: Run, game: Path, turn: Turn, header: str
) -> None:
    run("language", game, "de", code=0)
    plain = written("DRAW\nKEEP H2 H3\n", "a.txt")
    both = written(f"{header} 1\nred: MOVE D3\n{header} 2\nred: MOVE C3\n", "b.txt")
    turn(f"blue={plain}", both, code=1)
    assert json.loads(turn(f"blue={plain}", "--json").stdout)["known"] == [{"source": "a.txt", "turn": 1}]
    again = json.loads(turn(both, "--json").stdout)
    assert (again["known"], [row["order"] for row in again["adjudication"]["accepted"]]) == ([], ["MOVE C3"])
    assert json.loads(turn(both, "--json").stdout)["known"] == [{"source": "b.txt", "turn": 2}]


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
@pytest.mark.parametrize("is_interrupted", [False, True])
def test_a_mail_that_cannot_be_taken_is_reported_once_also_after_the_power_failed(
    turn: Turn, game: Path, name: str, is_interrupted: bool
) -> None:
    """The power fails after the reports were kept, and before the game was written: the next run reports it."""
    file, text = STALE[name]
    written("MOVE D3", "mails/red=now.txt")
    turn(code=0)
    written(text, f"mails/{file}")
    if is_interrupted:
        before = game.read_bytes()
        power_fails_at(1, lambda: turn("mails", "blue=-", stdin="DRAW"))
        assert game.read_bytes() == before
    first = turn("mails", *(["blue=-"] if is_interrupted else []), stdin="DRAW" if is_interrupted else "", code=1)
    assert f"mails/{file}" in first.stderr and f"mails/{file}, which was processed" not in first.stdout
    saved, reports = game.read_bytes(), out_of()
    again = turn(code=0)
    assert f"ignored: mails/{file}, which was processed in turn 2" in again.stdout
    assert (again.stderr, game.read_bytes(), out_of()) == ("", saved, reports)


def test_a_mail_is_reported_again_when_its_turn_went_by_or_came_back_or_the_game_is_a_backup(
    run: Run, turn: Turn, game: Path
) -> None:
    written(mail("turn 2\nMOVE C3"), "mails/red=early.eml")
    turn(code=1)
    run("apply", game, "red=-", stdin="MOVE D3", code=0)
    backup = game.read_bytes()
    run("apply", game, "red=-", stdin="DRAW", code=0)
    assert "turn 2 is over, and the game is at turn 3" in turn(code=1).stderr
    turn(code=0)
    run("undo", game, "--to", 1, "--reason", "a slip", code=0)
    turn(code=0)
    assert orders_of(game)[-1] == "MOVE C3"
    written(mail("turn 9\nDRAW", 9, 9), "mails/red=later.eml")
    turn(code=1)
    game.write_bytes(backup)
    assert "turn 9 has not begun yet" in turn(code=1).stderr


def test_a_mail_in_a_maildir_that_is_too_large_is_reported_once(turn: Turn) -> None:
    for name in ("cur", "new"):
        Path("box", name).mkdir(parents=True)
    written(mail("MOVE C3\n" + "x" * 40_000_000), "box/new/1.a.b")
    assert "the mail has more than 40 MB: " in turn("red=box", code=1).stderr
    assert "ignored: box, mail 1, which was processed in turn 1" in turn("red=box", code=0).stdout


# After an undo --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "to", "again", "pending"),
    [
        ({"red=1": GOOD, "blue=2": "DRAW\nREFRESH\n"}, {}, 0, [], {"blue": 2}),
        ({"red=1": GOOD}, {"blue=2": "DRAW\n"}, 1, ["mails/red=1.eml"], {"blue": 1}),
        ({"blue=2": "DRAW\n"}, {"red=1": "MOVE D3\n"}, 0, [], {"blue": 1}),
    ],
)
def test_what_was_undone_comes_in_again_once_and_what_stands_does_not(
    run: Run, turn: Turn, game: Path, first: dict[str, str], second: dict[str, str], to: int, again: list[str], pending: Any
) -> None:
    for letters in (first, second):
        for number, (name, text) in enumerate(letters.items()):
            written(mail(text, 8 + number, len(letters) * 10 + number), f"mails/{name}.eml")
        turn(code=0)
    before = adj.open(game)
    run("undo", game, "--to", to, "--reason", "the wrong dial", code=0)
    result = known(turn)
    assert ([one["source"] for one in result["known"]], result["adjudication"]["pending"]) == (again, pending)
    after = adj.open(game)
    assert to or after.position_hash == before.position_hash
    assert [one["source"] for one in known(turn)["known"]] == ["mails/blue=2.eml", "mails/red=1.eml"][
        : 1 + ("red=1" in first or bool(second))
    ]
    assert adj.open(game).head == after.head


# Interruptions --------------------------------------------------------------------------------------------------------


class Power(Exception):
    """The power fails."""


def power_fails_at(number: int, act: Callable[[], Any]) -> list[str]:
    """Act while the file with this number fails to take its place, and all that follow; return the others."""
    done: list[str] = []
    replace = os.replace

    def fail(source: Any, target: Any, *more: Any, **how: Any) -> None:
        if len(done) >= number:
            raise Power
        done.append(os.path.basename(target))
        replace(source, target, *more, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.replace", fail)
        assert act().exit_code == 70
    return done


@pytest.mark.parametrize("number", range(7))
def test_wherever_it_is_interrupted_the_next_run_completes_it(run: Run, turn: Turn, game: Path, number: int) -> None:
    written(mail(HALF), "mails/red=1.eml")
    written("blue: DRAW\n", "mails/blue.txt")
    run("turn", game, "mails", "-o", "whole", code=1)
    saved, reports = game.read_bytes(), out_of("whole")
    Path("rally.json.outbox").unlink()
    game.write_bytes(rally_bytes())
    assert power_fails_at(number, turn) == ["rally.json.outbox", "rally.json", *FILES][:number]
    assert game.read_bytes() == (saved if number > 1 else rally_bytes())
    if number == 4:  # a folder whose manifest lists nothing yet takes the next turn
        turn(f"red={written(mail('MOVE C3', 10, 3), 'more.eml')}", code=0)
        assert json.loads(out_of()["manifest.json"])["turn"] == 3
        return
    turn()
    assert (game.read_bytes(), out_of()) == (saved, reports)
    run("turn", game, "mails", "-o", "other", code=0)
    assert out_of("other") == reports, "they may go to another folder"


@pytest.mark.parametrize("kept", [b"", b"{}", b"\xff\x00", b'{"beginning":7}', b"[" * 100_000])
def test_what_is_kept_beside_the_game_may_be_damaged(turn: Turn, game: Path, kept: bytes) -> None:
    path = f"red={written(mail(HALF), 'ann.eml')}"
    turn(path, code=1)
    document = json.loads(Path("rally.json.outbox").read_text())
    before = game.read_bytes()
    Path("rally.json.outbox").write_bytes(kept)
    turn(path, code=0)
    assert game.read_bytes() == before
    assert "· red drives" in out_of()["red.txt"] and "No mail" in out_of()["red.txt"]
    del document["mails"]  # as earlier versions kept it
    written(json.dumps(document), "rally.json.outbox")
    assert "no new mail" in turn(path, code=0).stdout


# Files of others --------------------------------------------------------------------------------------------------------


def test_no_file_that_is_no_report_of_this_game_is_written_over(run: Run, turn: Turn, game: Path) -> None:
    Path("out").mkdir()
    written("my notes on blue", "out/blue.txt")
    given = f"red={written(GOOD)}"
    told = turn(given, code=2).stderr
    assert "out/blue.txt: name another folder, or replace this file with --force" in told
    assert (game.read_bytes(), out_of()) == (rally_bytes(), {"blue.txt": "my notes on blue"})
    turn(given, "--force", code=0)
    assert out_of()["blue.txt"] != "my notes on blue"
    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--id", "rally", "-o", "other.json", code=0)
    before = out_of()
    assert "not a report of this game" in run("turn", "other.json", "-o", "out", code=2).stderr
    assert out_of() == before
    for edited in (Path("other.json").read_bytes(), b"a kind word before\n"):
        Path("out/red.txt").write_bytes(edited)
        assert "not a report" in turn(f"red={written('MOVE C3', 'c.txt')}", code=2).stderr
        assert Path("out/red.txt").read_bytes() == edited
    Path("out/red.txt").unlink()
    Path("out/red.txt").symlink_to(Path.cwd() / "elsewhere")
    assert "not a report" in turn(f"red={written('MOVE C3', 'c.txt')}", code=2).stderr
    assert not Path("elsewhere").exists()


@pytest.mark.posix
@pytest.mark.parametrize("kind", ["symbolic link", "dangling link", "hard link", "pipe"])
@pytest.mark.parametrize("words", [("turn", "-o", "out"), ("report", "--as", "red", "-o", "red.txt")])
def test_no_link_is_followed_in_the_place_of_the_outbox(run: Run, game: Path, kind: str, words: tuple[str, ...]) -> None:
    """A link let a run write the reports of all players into any file of the moderator's; a pipe stopped it for good."""
    path, other = Path(f"{game}.outbox"), Path(written("kept", "other.txt"))
    match kind:
        case "symbolic link":
            path.symlink_to(other)
        case "dangling link":
            path.symlink_to("later.txt")
        case "hard link":
            os.link(other, path)
        case _:
            os.mkfifo(path)
    told = run(words[0], game, *words[1:], code=2).stderr
    assert "outbox: remove this first: it is a link, has a second name (hard link), or is not an ordinary file" in told
    assert (other.read_text(), game.read_bytes(), Path("later.txt").exists()) == ("kept", rally_bytes(), False)


SEATS = ["bystanders", "manifest", "con", "lpt1", "com9", "nul", "a_1", "x" * 23 + "y", "x" * 24]


def test_every_seat_has_a_file_of_its_own_that_every_system_takes(run: Run) -> None:
    run("new", "rally-round", *(word for seat in SEATS for word in ("--seat", seat)), "-o", "rally.json", code=0)
    run("turn", "rally.json", "-o", "out", code=0)
    names = [one["file"] for one in json.loads(out_of()["manifest.json"])["reports"]]
    assert len({name.casefold() for name in names}) == len(names) == len(SEATS) + 2
    for name in names:
        assert name.isascii() and not set(name) & set('/\\:*?"<>| %') and not name.startswith(".")
        assert name.split(".")[0] not in {"con", "nul", "lpt1", "com9", "manifest"}


def test_simulated_players_answer_in_a_private_game(run: Run, game: Path) -> None:
    run("fork", game, "--at", "0", "--as", "red", "--id", "trial", code=0)
    before = adj.open("trial.json")
    Path("red.txt").write_text("red: MOVE D3\nREFRESH\nREFRESH\nREFRESH\nREFRESH\n")
    run("turn", "trial.json", "red.txt", "-o", "out", code=0)
    after = adj.open("trial.json")
    assert "blue" in {row.seat for row in after.seen_by().log_since(before)}
    assert after.due_seats == ("red",) and json.loads(out_of()["manifest.json"])["awaited"] == ["red"]
    assert "blue" in out_of()["red.txt"] and after.audit().is_verified
    assert "no new mail" in run("turn", "trial.json", "red.txt", "-o", "out").stdout
