"""The command `report`, and `turn` where it is asked for other forms than texts."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.cli import report as command
from adjudicator.reports.pages.forms import FORMS
from adjudicator.reports.pictures.png import NoPictureError
from adjudicator.store.load import load_game

Run = Callable[..., Result]
Orders = Callable[..., str]
BEGINS = {
    "txt": b"rally \xc2\xb7 Checkpoint Rally \xc2\xb7 turn ",
    "html": b"<!doctype html>",
    "md": b"# rally",
    "svg": b"<svg ",
    "png": b"\x89PNG",
    "json": b'{"accounts":[',
}


def test_without_anything_it_is_the_text_for_bystanders(run: Run, game: Path) -> None:
    text = run("report", game, code=0).stdout
    assert text.startswith("rally · Checkpoint Rally · turn 1 · components house · as everybody sees it\n")
    assert text == run("report", game, "--as", "bystander", code=0).stdout
    assert "Order form" not in text
    assert "What only you know" not in text


@pytest.mark.parametrize("form", FORMS)
def test_the_ending_says_in_which_form_it_is_written(run: Run, game: Path, form: str) -> None:
    if form == "png":
        pytest.importorskip("resvg_py")
    run("report", game, "--as", "red", "-o", f"red.{form}", code=0)
    data = (game.parent / f"red.{form}").read_bytes()
    assert data.startswith(BEGINS[form])
    assert run("report", game, "--as", "red", "--format", form, code=0).stdout_bytes == data
    run("report", game, "--as", "red", "-o", "report.of.red", "--format", form, code=0)
    assert (game.parent / "report.of.red").read_bytes() == data


def test_it_changes_nothing(run: Run, game: Path) -> None:
    before = game.read_bytes()
    run("report", game, "--all", "out", "--format", "txt,html", code=0)
    assert game.read_bytes() == before


def test_the_text_is_that_of_the_turn_but_for_the_mails_before_there_was_one(run: Run, game: Path) -> None:
    alone = run("report", game, "--as", "red", code=0).stdout
    run("turn", game, "-o", "out", code=0)
    of_turn = (game.parent / "out" / "red.txt").read_text()
    assert alone == of_turn.replace("Your orders\n  No mail has arrived since the last report.\n\n", "")
    assert run("report", game, "--as", "red", code=0).stdout == of_turn


@pytest.mark.parametrize("form", ["txt", "html", "md", "json"])
def test_after_a_turn_it_still_says_what_was_wrong_with_the_orders(run: Run, game: Path, orders: Orders, form: str) -> None:
    run("turn", game, f"red={orders('MOVE D3')}", f"blue={orders('MVOE Z9', 'b.txt')}", "-o", "out", code=1)
    assert "MVOE Z9" in run("report", game, "--as", "blue", "--format", form, code=0).stdout
    assert "MVOE Z9" in run("report", game, "--as", "moderator", "--format", form, code=0).stdout
    for viewer in ("red", "bystander"):
        assert "MVOE Z9" not in run("report", game, "--as", viewer, "--format", form, code=0).stdout
    run("undo", game, "--to", "0", "--reason", "slip", code=0)
    assert "MVOE Z9" not in run("report", game, "--as", "blue", "--format", form, code=0).stdout


def test_what_has_happened_begins_where_it_is_asked_to(run: Run, game: Path, orders: Orders) -> None:
    for text in ("red: MOVE D3", "red: MOVE C3", "red: DRAW"):
        run("turn", game, orders(text), "-o", "out", code=0)
    assert "since the last report (entry 3)" in run("report", game, code=0).stdout
    asked = run("report", game, "--since", 2, code=0).stdout
    assert "What has happened in turn 2 and later (entries 2 to 3)" in asked
    assert "last report" not in asked
    assert "What has happened so far (entries 0 to 3)" in run("report", game, "--since", 0, code=0).stdout
    assert "no turn 9" in run("report", game, "--since", 9, code=2).stderr


def test_everybodys_are_written_into_a_folder(run: Run, game: Path) -> None:
    result = run("report", game, "--all", "out", "--format", "html, txt,html", "--json", code=0)
    made = json.loads(result.stdout)["made"]
    names = [f"{who}.{form}" for who in ("red", "blue", "bystanders", "moderator") for form in ("html", "txt")]
    assert [Path(one["file"]).name for one in made] == names
    for one in made:
        assert sha256((game.parent / one["file"]).read_bytes()).hexdigest() == one["hash"]
    assert ((game.parent / "out").stat().st_mode & 0o777) == 0o700
    run("report", game, "--all", "out", "--format", "html,txt", code=0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-o", "red.doc"), "no format has the extension “.doc”"),
        (("-o", "red"), "red has no extension"),
        (("--format", "doc"), "the format “doc” is unknown; choose from: txt, html, md, svg, png, json, game"),
        (("--format", "txt,html"), "one file has one form"),
        (("--all", "out", "--as", "red"), "use --all without --as and -o"),
        (("-o", "rally.json", "--format", "json"), "would replace"),
        (("-o", "notes.txt"), "notes.txt already exists and is not a report"),
        (
            (
                "--as",
                "green",
            ),
            "no seat “green”",
        ),
    ],
)
def test_what_makes_no_sense_is_told_and_nothing_is_written(
    run: Run, game: Path, arguments: tuple[str, ...], words: str
) -> None:
    (game.parent / "notes.txt").write_text("my notes\n")
    before = {path.name: path.read_bytes() for path in game.parent.iterdir()}
    assert words in run("report", game, *arguments, code=2).stderr
    assert {path.name: path.read_bytes() for path in game.parent.iterdir()} == before


def test_other_files_are_replaced_by_force_and_reports_without(run: Run, game: Path) -> None:
    (game.parent / "red.html").write_text("my notes\n")
    run("report", game, "-o", "red.html", code=2)
    run("report", game, "-o", "red.html", "--force", code=0)
    run("report", game, "-o", "red.html", "--as", "red", code=0)
    assert "as Ann (red)" in (game.parent / "red.html").read_text()


def test_where_the_extra_for_pictures_is_missing_it_says_what_to_install(
    run: Run, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert "pip install 'pbem-adjudicator[png]'" in run("report", game, "-o", "red.png", code=2).stderr
    assert not (game.parent / "red.png").exists()
    assert "pip install" in run("turn", game, "-o", "out", "--format", "txt,png", code=2).stderr
    assert not (game.parent / "out").exists()


def test_a_game_of_which_nothing_can_be_drawn_is_told(monkeypatch: pytest.MonkeyPatch, run: Run, game: Path) -> None:
    def nothing(_report: object) -> bytes:
        raise NoPictureError("nothing to draw")

    monkeypatch.setitem(FORMS, "svg", nothing)
    assert "nothing to draw" in run("report", game, "-o", "red.svg", code=2).stderr
    assert ", ".join((*FORMS, command.OWN_FILE)) == command.FORMATS


def test_a_turn_writes_the_forms_it_is_asked_for_and_lists_them(run: Run, game: Path, orders: Orders) -> None:
    run("turn", game, f"red={orders('MVOE')}", "-o", "out", "--format", "html,txt,svg", code=1)
    manifest = json.loads((game.parent / "out" / "manifest.json").read_text())
    files = {one["file"]: one["hash"] for one in manifest["reports"]}
    assert {*files} == {
        f"{who}.{form}" for who in ("red", "blue", "bystanders", "moderator") for form in ("html", "txt", "svg")
    }
    for name, hash_ in files.items():
        assert sha256((game.parent / "out" / name).read_bytes()).hexdigest() == hash_
    assert "MVOE" in (game.parent / "out" / "red.html").read_text()


def test_the_same_turn_in_another_form_has_lost_nothing(run: Run, game: Path, orders: Orders) -> None:
    text = orders("MVOE")
    run("turn", game, f"red={text}", "-o", "out", code=1)
    before = (game.parent / "out" / "red.txt").read_text()
    again = run("turn", game, f"red={text}", "-o", "out", "--format", "txt,md,png", code=0)
    assert "red.md" in again.stdout
    assert (game.parent / "out" / "red.txt").read_text() == before
    assert "MVOE" in (game.parent / "out" / "red.md").read_text()
    assert (game.parent / "out" / "red.png").read_bytes().startswith(b"\x89PNG")
    run("turn", game, "-o", "elsewhere", "--format", "txt,md,png", code=0)
    assert (game.parent / "elsewhere" / "red.png").read_bytes() == (game.parent / "out" / "red.png").read_bytes()


def test_a_turn_that_was_interrupted_is_completed_in_all_forms(
    run: Run, game: Path, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adjudicator.files import outbox

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    arguments = ("turn", game, f"red={orders('MOVE D3')}", "-o", "out", "--format", "txt,png")
    with monkeypatch.context() as patched:
        patched.setattr(outbox, "deliver", stop)
        run(*arguments, code=130)
    assert load_game(str(game)).turn == 2
    run(*arguments, code=0)
    assert "red drives" in (game.parent / "out" / "red.txt").read_text()
    assert (game.parent / "out" / "red.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("command", ["report", "turn"])
def test_an_outbox_that_the_system_does_not_let_be_read_is_told(
    run: Run, game: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Else another report would be made, and nobody would know."""
    run("turn", game, "-o", "out")
    before = game.read_bytes()

    def failing(_path: str, _flags: int) -> int:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.files.outbox.open_plain", failing)
        result = run(command, game, "-o", "out" if command == "turn" else "new.html", code=2)
    assert "rally.json.outbox: the file cannot be read: Input/output error" in result.stderr
    assert game.read_bytes() == before
    assert not Path("new.html").exists()


def test_an_outbox_of_earlier_versions_is_read(run: Run, game: Path) -> None:
    run("turn", game, "-o", "out", code=0)
    path = game.parent / "rally.json.outbox"
    document = json.loads(path.read_text())
    del document["mails"]
    path.write_text(json.dumps(document))
    assert "no new mail" in run("turn", game, "-o", "out", code=0).stdout
    run("report", game, "--as", "red", code=0)


@pytest.mark.parametrize("form", ["txt", "md", "svg", "json"])
def test_only_the_page_needs_the_library_of_templates(game: Path, form: str) -> None:
    target = game.parent / f"x.{form}"
    script = (
        "import sys\n"
        f"sys.argv = ['adjudicator', 'report', {str(game)!r}, '-o', {str(target)!r}]\n"
        "from adjudicator.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('jinja2', 'markupsafe', 'resvg_py') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"
    assert target.exists()
