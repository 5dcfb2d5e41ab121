"""The command `archive`, and archives given to the others: made, added to, listed, checked, taken out, replayed, audited."""

from __future__ import annotations

import json
import os
import sys
import warnings
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.archive import make
from adjudicator.archive.make import GameCopy, Omission, write_archive
from adjudicator.archive.writer import archive_of, pack_block
from adjudicator.core.canonical import canonical_bytes
from adjudicator.sources import zstd
from adjudicator.sources.archive_lines import pack_game
from adjudicator.sources.archive_places import open_archive

Run = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path, games: dict[str, bytes]) -> Path:
    """Return a folder with the games, and other files that are none."""
    for name, data in {**games, "notes.txt": b"Call Ann.\n", "list.json": b"[]", "._x.json": b"x"}.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(data)
    return tmp_path / "in"


def told(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_made_listed_checked_and_taken_out_again_byte_for_byte(run: Run, folder: Path, games: dict[str, bytes]) -> None:
    made = run("archive", "g.jsonl.zst", folder, code=0).stdout
    assert "g.jsonl.zst: 7 games" in made
    assert "7 games put in" in made
    listed = told(run("archive", "g.jsonl.zst", "--json", code=0))
    assert {row["name"] for row in listed[:-1]} == set(games)
    assert listed[-1]["task"] == "listed" and listed[-1]["loose"] == sum(map(len, games.values()))
    assert "every game agrees with the index" in run("archive", "g.jsonl.zst", "--check", code=0).stdout
    assert "7 games written to out" in run("archive", "g.jsonl.zst", "--extract", "out", code=0).stdout
    assert {str(path.relative_to("out")): path.read_bytes() for path in Path("out").rglob("*.*")} == games
    assert "0 games written to out, 7 there already" in run("archive", "g.jsonl.zst", "--extract", "out", code=0).stdout


def test_the_same_games_give_the_same_bytes_at_most_an_eighth_of_them(
    run: Run, folder: Path, games: dict[str, bytes]
) -> None:
    run("archive", "a.jsonl.zst", folder, code=0)
    run("archive", "b.jsonl.zst", folder, code=0)
    assert Path("a.jsonl.zst").read_bytes() == Path("b.jsonl.zst").read_bytes()
    if os.name == "posix":
        assert os.stat("a.jsonl.zst").st_mode & 0o777 == 0o600  # hands and secrets are in it
    many = Path(__file__).parents[1] / "data" / "games" / "checkered-flag"
    (end,) = told(run("archive", "c.jsonl.zst", many, "--json", code=0))
    assert end["loose"] >= 8 * end["size"]


def test_adding_puts_in_what_is_new(run: Run, folder: Path, games: dict[str, bytes]) -> None:
    first, *others = sorted(games)
    run("archive", "g.jsonl.zst", folder / first, code=0)
    assert "7 games put in, 1 there already" in run("archive", "g.jsonl.zst", folder, folder / first, "--add", code=0).stdout
    assert "0 games put in, 7 there already" in run("archive", "g.jsonl.zst", folder, "--add", code=0).stdout
    assert "g.jsonl.zst: 8 games" in run("archive", "g.jsonl.zst", "--quiet", code=0).stdout
    (folder / others[0]).write_bytes(games[others[1]])
    run("archive", "g.jsonl.zst", folder, "--add", "--json", code=0)
    names = [row.get("name") for row in told(run("archive", "g.jsonl.zst", "--json"))]
    assert f"{others[0].removesuffix('.json')}-2.json" in names
    assert "every game agrees" in run("archive", "g.jsonl.zst", "--check", code=0).stdout


@pytest.mark.parametrize(("path", "place"), [
    ("sub/g.jsonl.zst", "."), ("./sub/../sub/g.jsonl.zst", "sub"), ("link/g.jsonl.zst", "sub"), ("sub/g.jsonl.zst", "link"),
])  # fmt: skip
@pytest.mark.parametrize("how", ["--add", "--force"])
def test_an_archive_never_contains_itself(run: Run, games: dict[str, bytes], path: str, place: str, how: str) -> None:
    """Whatever it is called, and wherever it lies among the games."""
    Path("sub").mkdir()
    Path("link").symlink_to("sub")
    Path("one.json").write_bytes(next(iter(games.values())))
    run("archive", path, "one.json", code=0)
    Path("one.json").replace("sub/two.json")
    run("archive", path, place, how, code=0)
    listed = [row["name"] for row in told(run("archive", path, "--json", code=0))[:-1]]
    two = {".": "sub/two.json"}.get(place, "two.json")
    assert listed == (["one.json", two] if how == "--add" else [two])


@pytest.mark.parametrize("count", [40, pytest.param(10_002, marks=pytest.mark.soak)])
def test_any_number_of_games_may_have_one_name(games: dict[str, bytes], tmp_path: Path, count: int) -> None:
    """None is left out, none comes twice, and adding them again adds nothing."""
    smallest = json.loads(min((data for name, data in games.items() if name.endswith(".json")), key=len))
    path, source = str(tmp_path / "g.jsonl.zst"), str(tmp_path / "g.zip")
    with zipfile.ZipFile(source, "w") as packed, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the names are the same
        for number in range(count):
            packed.writestr("game.json", canonical_bytes({**smallest, "id": f"g{number}"}))
    found: list[GameCopy | Omission] = []
    write_archive(path, [source], found.append)
    assert all(isinstance(one, GameCopy) and not one.is_same for one in found)
    with closing(open_archive(path)) as archive:
        rows = list(archive.rows())
    assert len({row.name for row in rows}) == len({row.game for row in rows}) == count
    found.clear()
    write_archive(path, [source], found.append, add=True)
    assert len(found) == count
    assert all(isinstance(one, GameCopy) and one.is_same for one in found)


def test_adding_one_by_one_leaves_no_small_blocks(run: Run, games: dict[str, bytes]) -> None:
    from contextlib import closing

    from adjudicator.sources.archive_places import open_archive

    for name, data in games.items():
        Path(name.replace("/", "-")).write_bytes(data)
        run("archive", "g.jsonl.zst", name.replace("/", "-"), "--add", code=0)
    with closing(open_archive("g.jsonl.zst")) as archive:
        assert (archive.games, archive.blocks) == (7, 1)


def test_an_archive_of_archives(run: Run, folder: Path, games: dict[str, bytes]) -> None:
    import shutil

    shutil.make_archive("z", "zip", folder)
    run("archive", "in/inner.jsonl.zst", "z.zip", code=0)
    end = told(run("archive", "g.jsonl.zst", "in/inner.jsonl.zst", "z.zip", "--json", code=0))[-1]
    assert (end["games"], end["taken"], end["same"]) == (7, 7, 7)


def test_an_interrupted_run_leaves_what_was_there(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = sorted(path for path in folder.rglob("recorded-*.json"))[0]
    run("archive", "g.jsonl.zst", first, code=0)
    before, packed = Path("g.jsonl.zst").read_bytes(), make.pack_game

    def interrupted(name: str, data: bytes) -> Any:
        if "rally" in name:
            raise KeyboardInterrupt
        return packed(name, data)

    monkeypatch.setattr(make, "pack_game", interrupted)
    assert run("archive", "g.jsonl.zst", folder, "--add").exit_code == 130
    assert run("archive", "g.jsonl.zst", folder, "--force").exit_code == 130
    assert run("archive", "new.jsonl.zst", folder).exit_code == 130
    assert Path("g.jsonl.zst").read_bytes() == before
    assert sorted(os.listdir()) == ["g.jsonl.zst", "in"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("g.json in", "give the archive a name like NAME.jsonl.zst, not g.json"),
        ("there.jsonl.zst in", "the archive already exists; use --add to add games, or --force to replace it"),
        ("g.jsonl.zst --add", "name the files or folders whose games --add should add"),
        ("there.jsonl.zst in --check", "leave out the PATHs"),
        ("there.jsonl.zst --check --extract x", "leave out --check"),
        ("there.jsonl.zst --game 1", "use --game only with --extract"),
        ("there.jsonl.zst there.jsonl.zst --add", "leave the archive itself out of the PATHs"),
        ("nowhere.jsonl.zst", "no such"),
        (
            "there.jsonl.zst --extract out --game recorded-001",
            "no game in this archive has the name, id or number recorded-001; `adjudicator archive there.jsonl.zst`",
        ),
        ("there.jsonl.zst --extract out --game twice", "name one of the 2 games with the id twice: a.json, b.json"),
        ("torn.jsonl.zst in --add", "make a new archive from the readable games"),
    ],
)
def test_misuse_is_told(run: Run, folder: Path, arguments: str, words: str) -> None:
    two = [
        pack_game(name, b'{"format":2,"id":"twice","ruleset":{"id":"x"},"n":"%b"}' % name.encode())
        for name in ("a.json", "b.json")
    ]
    whole = b"".join(archive_of("x", [pack_block(two)]))
    Path("there.jsonl.zst").write_bytes(whole)
    Path("torn.jsonl.zst").write_bytes(whole[:-1])
    result = run("archive", *arguments.split(), code=2)
    assert words in result.stderr
    assert (Path("there.jsonl.zst").read_bytes(), Path("torn.jsonl.zst").read_bytes()) == (whole, whole[:-1])


def test_what_cannot_be_put_in_is_told_and_the_rest_is(run: Run, folder: Path) -> None:
    (folder / "latin.txt").write_bytes("script 1\ngame x\nred: caf\xe9\n".encode("latin-1"))
    (folder / "torn.json.zst").write_bytes(b"x")
    result = run("archive", "g.jsonl.zst", folder, folder / "list.json", code=3)
    assert "torn.json.zst  the file cannot be unpacked" in result.stdout
    assert "list.json  this is neither a game file nor a script" in result.stdout
    assert "g.jsonl.zst: 7 games" in result.stdout


def test_a_damaged_archive_gives_what_is_left(run: Run, packed: bytes, games: dict[str, bytes]) -> None:
    flipped = bytearray(packed)
    flipped[len(packed) // 40] ^= 1
    Path("g.jsonl.zst").write_bytes(flipped)
    assert "block 1 is damaged" in run("archive", "g.jsonl.zst", "--check", code=3).stdout
    assert "5 games written to out" in run("archive", "g.jsonl.zst", "--extract", "out", code=3).stdout
    Path("t.jsonl.zst").write_bytes(packed[:-1])
    assert "read: 7" in run("archive", "t.jsonl.zst", code=3).stdout
    assert "7 games put in" in run("archive", "new.jsonl.zst", "t.jsonl.zst", code=3).stdout
    assert {"n": 1, "name": next(iter(games))}.items() <= told(run("archive", "new.jsonl.zst", "--json", code=0))[0].items()


@pytest.mark.parametrize("name", ["../up.json", "/etc/x.json", "C:\\x.json", "a/../../b.json", "a\x1b[2J.json", "a//b", ""])
def test_no_name_leads_out_of_the_folder(run: Run, name: str) -> None:
    bad = pack_game(name, b'{"format":2,"id":"x","ruleset":{"id":"x"},"journal":[]}')
    Path("g.jsonl.zst").write_bytes(b"".join(archive_of("x", [pack_block([bad, pack_game("good.json", b"{}")])])))
    result = run("archive", "g.jsonl.zst", "--extract", "out/deep", code=3)
    assert "cannot be written" in result.stdout
    assert "\x1b" not in result.stdout
    assert [str(path) for path in Path().rglob("*.json")] == ["out/deep/good.json"]


def test_names_that_repeat_are_found_by_the_check_and_kept_apart(run: Run) -> None:
    two = [pack_game("same.json", b'{"n":%d}' % n) for n in (1, 2)]
    Path("g.jsonl.zst").write_bytes(b"".join(archive_of("x", [pack_block(two)])))
    assert "another game of this archive has the same name" in run("archive", "g.jsonl.zst", "--check", code=3).stdout
    result = run("archive", "g.jsonl.zst", "--extract", "out", code=3)
    assert "out/same.json already exists" in result.stdout
    assert Path("out/same.json").read_bytes() == b'{"n":1}'


def test_an_index_that_lies_is_found_by_the_check(run: Run) -> None:
    honest = pack_game("a.json", b'{"id":"a","ruleset":{"id":"r"}}')
    from dataclasses import replace

    for field, value in (("name", "b.json"), ("game", "b"), ("ruleset", "s"), ("size", 1), ("hash", "0" * 64)):
        whole = b"".join(archive_of("x", [pack_block([replace(honest, **{field: value})])]))
        Path("g.jsonl.zst").write_bytes(whole)
        assert f"but the index says {value}" in run("archive", "g.jsonl.zst", "--check", code=3).stdout


def test_games_of_an_archive_are_replayed_shown_and_audited(run: Run, archived: Path, games: dict[str, bytes]) -> None:
    name = next(name for name in games if name.startswith("checkered-flag"))
    loose = run("archive", archived, "--extract", "out", code=0) and f"out/{name}"
    for command in ("replay", "show", "log"):
        assert run(command, f"{archived}#{name}", code=0).stdout == run(command, loose, code=0).stdout
    assert run("replay", f"{archived}#race.txt").stdout == run("replay", "out/race.txt").stdout
    by_name = run("audit", f"{archived}#{name}", code=0).stdout
    assert by_name.startswith("verified") and by_name.splitlines()[0].endswith(f"games.jsonl.zst#{name}")
    assert run("audit", f"{archived}#1", code=0).stdout == by_name
    assert "no game in this archive has the name, id or number nope" in run("audit", f"{archived}#nope").stdout
    assert "name one game of this archive" in run("replay", archived, code=2).stderr
    orders = Path("orders.txt")
    orders.write_text("red: GEAR 1\n")
    assert "no such f" in run("apply", f"{archived}#{name}", orders, code=2).stderr  # an archive is never played on


def test_a_file_may_be_called_as_a_game_of_an_archive_is(run: Run, games: dict[str, bytes]) -> None:
    name = next(iter(games))
    Path("x.jsonl.zst#1").write_bytes(games[name])
    Path("alone.json").write_bytes(games[name])
    assert run("replay", "x.jsonl.zst#1", code=0).stdout == run("replay", "alone.json", code=0).stdout


def test_simulated_games_go_into_an_archive(run: Run) -> None:
    of = ("simulate", "checkered-flag", "--games", 3, "--most-orders", 8)
    run(*of, "-o", "g.jsonl.zst", code=0)
    run(*of, "--jobs", 2, "-o", "h.jsonl.zst", code=0)
    assert Path("g.jsonl.zst").read_bytes() == Path("h.jsonl.zst").read_bytes()
    run(*of, "-o", "loose", code=0)
    assert "3 games put in" in run("archive", "l.jsonl.zst", "loose", code=0).stdout
    assert Path("l.jsonl.zst").read_bytes() == Path("g.jsonl.zst").read_bytes()
    assert "use --force to replace g.jsonl.zst, which already exists" in run(*of, "-o", "g.jsonl.zst", code=2).stderr
    assert "3 games: 3 verified" in run("audit", "g.jsonl.zst", code=0).stdout


def test_a_site_of_an_archive(run: Run, archived: Path) -> None:
    run("site", f"{archived}#2", "-o", "public", code=0)
    (page,) = Path("public/games").glob("*.html")
    assert "games.jsonl.zst" not in page.read_text("utf-8")


def test_without_the_library_the_command_says_what_to_install(
    run: Run, archived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    assert zstd.MISSING in run("archive", archived, code=2).stderr
