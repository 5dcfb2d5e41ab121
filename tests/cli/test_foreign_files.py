"""No command replaces a file that another program has made, unless with `--force`; its own it replaces each time."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


PNG = b"\x89PNG\r\n\x1a\n" + b"".join([
    chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0"),
    chunk(b"tEXt", b"Software\0Inkscape"),
    chunk(b"IDAT", zlib.compress(b"\0\0")),
    chunk(b"IEND", b""),
])  # fmt: skip
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><path d="M0 0L9 9"/></svg>\n'
PLOT = b'<?xml version="1.0" encoding="utf-8"?>\n<svg><metadata><dc:title>Matplotlib v3.9</dc:title></metadata></svg>\n'
FOREIGN = {
    "svg": (SVG, b"<?xml version='1.0'?>\n" + SVG, PLOT),
    "png": (PNG,),
    "gif": (b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff!\xfe\x04GIMP\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;",),
    "html": (b"<table>\n<caption>guests</caption>\n<tr><td>Ann</td></tr></table>\n", b"<!doctype html><html lang='en'>\n"),
    "csv": (b"place,seat,guest\n1,4,Ann\n",),
    "json": (b'{"accounts":[{"bank":"first"}]}\n', b"[]\n"),
    "txt": (b"my notes\n",),
    "md": (b"# my notes\n",),
}
COMMANDS: dict[str, tuple[str, ...]] = {
    **{f"report {form}": ("report", "rally.json", "--as", "red", "-o", f"mine.{form}")
       for form in ("svg", "png", "html", "json", "txt", "md")},
    "show --svg": ("show", "rally.json", "--svg", "mine.svg"),
    "show --card svg": ("show", "rally.json", "--card", "mine.svg"),
    "show --card png": ("show", "rally.json", "--card", "mine.png"),
    "show --html": ("show", "rally.json", "--html", "mine.html"),
    "show --csv": ("show", "rally.json", "--csv", "mine.csv"),
    "components --svg": ("components", "checkpoint-rally", "--svg", "mine.svg"),
    "replay html": ("replay", "rally.json", "-o", "mine.html"),
    "replay gif": ("replay", "rally.json", "-o", "mine.gif"),
    "simulate --plot svg": ("simulate", "checkered-flag", "--games", "1", "--plot", "mine.svg"),
    "simulate --plot png": ("simulate", "checkered-flag", "--games", "1", "--plot", "mine.png"),
}  # fmt: skip
NEW_ONLY: dict[str, tuple[str, ...]] = {
    "components -o": ("components", "checkpoint-rally", "-o", "mine.json"),
    "replay --export": ("replay", "rally.json", "--export", "mine.txt"),
    "new": ("new", "checkered-flag", "--seat", "red", "--seat", "blue", "-o", "mine.json"),
    "simulate --out": ("simulate", "checkered-flag", "--games", "1", "--out", "mine.jsonl.zst"),
    "archive": ("archive", "mine.jsonl.zst", "rally.json"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_of_another_program_is_kept(run: Run, game: Path, name: str) -> None:
    for extra, kind in (("resvg_py", "png"), ("PIL", "gif"), ("matplotlib", "plot")):
        if kind in name or COMMANDS[name][-1].endswith(kind):
            pytest.importorskip(extra)
    words, target = COMMANDS[name], game.parent / COMMANDS[name][-1]
    for foreign in FOREIGN[target.suffix[1:]]:
        target.write_bytes(foreign)
        told = run(*words, code=2).stderr
        assert "--force" in told
        assert target.name in told
        assert target.read_bytes() == foreign
    run(*words, "--force", code=0)
    made = target.read_bytes()
    assert made not in FOREIGN[target.suffix[1:]]
    run(*words, code=0)
    assert target.read_bytes() == made


@pytest.mark.parametrize("name", NEW_ONLY)
def test_a_new_file_replaces_nothing(run: Run, game: Path, name: str) -> None:
    words, target = NEW_ONLY[name], game.parent / NEW_ONLY[name][-1 if name != "archive" else 1]
    target.write_bytes(b"mine")
    assert "--force" in run(*words, code=2).stderr
    assert target.read_bytes() == b"mine"
    run(*words, "--force", code=0)
    assert target.read_bytes() != b"mine"


@pytest.mark.parametrize("words", [
    ("report", "rally.json", "--all", "out", "--format", "svg"),
    ("turn", "rally.json", "-o", "out", "--format", "svg"),
])  # fmt: skip
def test_a_picture_in_the_folder_of_the_reports_is_kept(run: Run, game: Path, words: tuple[str, ...]) -> None:
    (game.parent / "out").mkdir()
    (game.parent / "out" / "red.svg").write_bytes(SVG)
    assert "red.svg" in run(*words, code=2).stderr
    assert [path.name for path in (game.parent / "out").iterdir()] == ["red.svg"]
    assert (game.parent / "out" / "red.svg").read_bytes() == SVG
    run(*words, "--force", code=0)
    run(*words, code=0)
