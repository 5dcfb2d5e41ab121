"""Archives of many games: made, added to, listed, checked, extracted, replayed, audited; and whatever may be wrong with one.

Foreign and damaged archives are made with SQLite, as others would. Those of version 1.0.0 are laid out by hand here.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import Result

import adjudicator as adj
from adjudicator.archive import GameCopy, open_archive, write_archive, write_games
from adjudicator.archive.store import Archive, old_games
from adjudicator.core.game import Receipt
from adjudicator.core.values import Seat, replace
from adjudicator.files.errors import CannotWrite
from adjudicator.results import ArchivedGame

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]
GAMES = ROOT / "tests" / "data" / "games"
DB = "g.adjudicator.db"


@cache
def games() -> dict[str, bytes]:
    """Return the files of six games, two of each of three rulesets, and a script, by name."""
    names = ("checkered-flag", "great-race", "checkpoint-rally")
    found = (sorted((GAMES / name).glob("recorded-*.json"), key=lambda path: path.stat().st_size)[:2] for name in names)
    paths = sorted(path for some in found for path in some)
    files = {f"{path.parent.name}/{path.name}": path.read_bytes() for path in paths}
    return {**files, "race.txt": (ROOT / "examples" / "checkpoint-rally" / "hand-kept" / "race.txt").read_bytes()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the games, and other files that are none."""
    for name, data in {**games(), "notes.txt": b"Call Ann.\n", "list.json": b"[]", "._x.json": b"x"}.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(data)
    return tmp_path / "in"


def packed(path: str | Path, files: Iterable[tuple[str, bytes]] | None = None) -> Path:
    """Make the archive ``path`` of ``files``, without files the games, and return it."""
    pairs = games().items() if files is None else files
    write_games(str(path), [(name, name, data) for name, data in pairs], force=True)
    return Path(path)


def changed(path: str | Path, *statements: str) -> None:
    """Change an archive as anybody can who has SQLite."""
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        for statement in statements:
            base.executescript(statement)


def told(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


# Made, listed, checked, extracted -------------------------------------------------------------------------------------


def test_made_listed_checked_and_taken_out_again_byte_for_byte(run: Run, folder: Path) -> None:
    made = run("archive", DB, folder, code=0).stdout
    assert "g.adjudicator.db: 7 games" in made
    assert "7 games put in" in made
    listed = told(run("archive", DB, "--json", code=0))
    assert {row["name"] for row in listed[:-1]} == set(games())
    assert listed[-1]["task"] == "listed" and listed[-1]["loose"] == sum(map(len, games().values()))
    heading, *rows = run("archive", DB, code=0).stdout.splitlines()
    assert heading.split() == ["number", "bytes", "ruleset", "game", "name"] and len(rows) == 8
    places = [heading.index(word) for word in ("ruleset", "game", "name")]
    assert all(row[at - 2 : at].isspace() and not row[at].isspace() for row in rows[:-1] for at in places)
    assert "every game agrees with its row" in run("archive", DB, "--check", code=0).stdout
    assert "7 games written to out" in run("archive", DB, "--extract", "out", code=0).stdout
    assert {str(path.relative_to("out")): path.read_bytes() for path in Path("out").rglob("*.*")} == games()
    assert "0 games written to out, 7 there already" in run("archive", DB, "--extract", "out", code=0).stdout
    assert os.listdir(".") and not [name for name in os.listdir(".") if name not in (DB, "in", "out")]  # one file at rest


def test_the_facts_of_a_game_are_in_its_row(run: Run) -> None:
    over, running = adj.open(GAMES / "checkered-flag" / "recorded-403.json"), running_game()
    write_games(DB, [("", game.id, game.to_bytes()) for game in (over, running)])
    first, second, _ = told(run("archive", DB, "--json", code=0))
    for row, game in ((first, over), (second, running)):
        assert (row["game"], row["ruleset"], row["head"]) == (game.id, game.meta.id, game.record.journal[-1].hash)
        assert row["players"] == dict(game.players)
    assert first["result"] == {one.seat: one.place for one in over.standings}
    assert second.get("result") is None


def running_game() -> adj.Game:
    return adj.new("checkpoint-rally", {"red": "Ann", "blue": "Bob"}, id="running", seed="5" * 64)


@pytest.mark.parametrize(
    ("name", "times", "begun", "ended"),
    [
        ("403", (1_790_200_000, None, 1_790_000_000), "2026-09-21", "2026-09-23"),
        ("403", (1_790_000_000, 9_000_000_000_000_000), "2026-09-21", "2026-09-21"),
        ("403", (253_402_300_800,), None, None),
        ("running", (1_790_000_000,), "2026-09-21", None),
    ],
)
def test_dates_are_those_of_the_first_and_the_last_orders(
    run: Run, name: str, times: tuple[int | None, ...], begun: str | None, ended: str | None
) -> None:
    """A date that no calendar has costs no other fact, and a running game has no end."""
    game = running_game() if name == "running" else adj.open(GAMES / "checkered-flag" / f"recorded-{name}.json")
    receipts = tuple(Receipt(turn=1, seat=Seat("red"), hash="0" * 64, received=at) for at in times)
    Path("g.json").write_bytes(game.with_record(replace(game.record, receipts=receipts)).to_bytes())
    run("archive", DB, "g.json", code=0)
    row, _ = told(run("archive", DB, "--json", code=0))
    assert (row.get("begun"), row.get("ended")) == (begun, ended)
    assert (row["players"], row["head"]) == (dict(game.players), game.record.head)


@pytest.mark.parametrize("name", ["a.adjudicator.db", "A.ADJUDICATOR.DB"])
def test_games_keep_their_names_in_another_archive(run: Run, folder: Path, name: str) -> None:
    Path("many").mkdir()
    run("archive", f"many/{name}", folder, code=0)
    run("archive", "b.adjudicator.db", "many", code=0)
    assert {row.get("name") for row in told(run("archive", "b.adjudicator.db", "--json", code=0))[:-1]} == set(games())


def test_an_archive_is_small_private_and_the_same_for_the_same_games(run: Run, folder: Path) -> None:
    run("archive", "a.adjudicator.db", folder, code=0)
    run("archive", "b.adjudicator.db", folder, code=0)
    assert Path("a.adjudicator.db").read_bytes() == Path("b.adjudicator.db").read_bytes()
    if os.name == "posix":
        assert os.stat("a.adjudicator.db").st_mode & 0o777 == 0o600  # hands and secrets are in it
    (end,) = told(run("archive", "c.adjudicator.db", GAMES, "--json", code=0))
    assert end["loose"] >= 9 * end["size"]


def test_an_archive_that_grows_game_by_game_is_as_small(run: Run) -> None:
    """The first games of a ruleset are its dictionary; one that comes later is packed with it."""
    files = [(f"{n}.json", (GAMES / "checkered-flag" / "recorded-403.json").read_bytes()) for n in range(20)]
    for name, data in files:
        write_games("one.adjudicator.db", [(name, name, data + b"\n" * int(name[:-5]))], add=True)
    with open_archive("one.adjudicator.db") as archive:
        assert [data for _, data in archive.games()] == [data + b"\n" * n for n, (_, data) in enumerate(files)]
    with closing(sqlite3.connect("one.adjudicator.db")) as base:
        assert base.execute("select max(length(body)) from game").fetchone()[0] < 500


def test_adding_puts_in_what_is_new(run: Run, folder: Path) -> None:
    first, *others = sorted(games())
    run("archive", DB, folder / first, "--add", code=0)  # there is none yet
    assert "7 games put in, 1 there already" in run("archive", DB, folder, folder / first, "--add", code=0).stdout
    assert "0 games put in, 7 there already" in run("archive", DB, folder, "--add", code=0).stdout
    assert run("archive", DB, "--quiet", code=0).stdout.startswith("g.adjudicator.db: 8 games")
    (folder / others[0]).write_bytes(games()[others[1]])
    run("archive", DB, folder, "--add", "--json", code=0)
    names = [row.get("name") for row in told(run("archive", DB, "--json"))]
    assert f"{others[0].removesuffix('.json')}-2.json" in names
    assert "every game agrees" in run("archive", DB, "--check", code=0).stdout


@pytest.mark.parametrize(("path", "place"), [
    ("sub/g.adjudicator.db", "."), ("./sub/../sub/g.adjudicator.db", "sub"), ("link/g.adjudicator.db", "sub"),
    ("sub/g.adjudicator.db", "link"),
])  # fmt: skip
@pytest.mark.parametrize("how", ["--add", "--force"])
def test_an_archive_never_contains_itself(run: Run, path: str, place: str, how: str) -> None:
    """Whatever it is called, and wherever it lies among the games."""
    Path("sub").mkdir()
    Path("link").symlink_to("sub")
    Path("one.json").write_bytes(next(iter(games().values())))
    run("archive", path, "one.json", code=0)
    Path("one.json").replace("sub/two.json")
    run("archive", path, place, how, code=0)
    listed = [row["name"] for row in told(run("archive", path, "--json", code=0))[:-1]]
    two = {".": "sub/two.json"}.get(place, "two.json")
    assert listed == (["one.json", two] if how == "--add" else [two])


@pytest.mark.parametrize("number", [40, pytest.param(10_002, marks=pytest.mark.soak)])
def test_any_number_of_games_may_have_one_name(tmp_path: Path, number: int) -> None:
    """None is left out, none comes twice, and adding them again adds nothing."""
    smallest = json.loads(min((data for name, data in games().items() if name.endswith(".json")), key=len))
    path, source = str(tmp_path / DB), str(tmp_path / "g.zip")
    with zipfile.ZipFile(source, "w") as written, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the names are the same
        for at in range(number):
            written.writestr("game.json", json.dumps({**smallest, "id": f"g{at}"}, separators=(",", ":"), sort_keys=True))
    found: list[Any] = []
    write_archive(path, [source], found.append)
    assert [one for one in found if not isinstance(one, GameCopy) or one.is_same] == []
    with open_archive(path) as archive:
        rows = [row for row in archive.rows() if isinstance(row, ArchivedGame)]
    assert len({row.name for row in rows}) == len({row.game for row in rows}) == number
    found.clear()
    write_archive(path, [source], found.append, add=True)
    assert [one.is_same for one in found] == [True] * number


def test_the_next_game_of_one_name_takes_no_more_queries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many games have that name already, also before this run."""
    queries, counts, query = list[str](), list[int](), Archive.query

    def counted(archive: Archive, statement: str, *values: object) -> list[Any]:
        queries.append(statement)
        return query(archive, statement, *values)

    def notify(_: GameCopy) -> None:
        counts.append(len(queries))
        queries.clear()

    monkeypatch.setattr(Archive, "query", counted)
    for run in range(2):
        files = [("", "race.txt", games()["race.txt"] + b"#" * (100 * run + n)) for n in range(100)]
        write_games(str(tmp_path / DB), files, notify, add=True)
    assert len(counts) == 200
    assert set(counts[2:100]) == set(counts[101:])


def test_one_game_is_taken_out_by_name_id_or_number(run: Run) -> None:
    packed(DB, [("sub/first.json", two_of_one_id()[0][1]), ("b.json", games()["race.txt"])])
    for which, folder in (("sub/first.json", "a"), ("sub/first", "b"), ("twice", "c"), ("1", "d")):
        assert "1 game written" in run("archive", DB, "--extract", folder, "--game", which, code=0).stdout
        assert [path.name for path in Path(folder).rglob("*.json")] == ["first.json"]
    assert "2 games written" in run("archive", DB, "--extract", "e", "--game", "1", "--game", "2", code=0).stdout


def test_other_files_stay_unless_forced(run: Run) -> None:
    packed(DB, [("a.json", b"x"), ("b.json", b"y")])
    Path("out").mkdir()
    Path("out/a.json").write_bytes(b"mine")
    assert "out/a.json already exists" in run("archive", DB, "--extract", "out", code=3).stdout
    assert (Path("out/a.json").read_bytes(), Path("out/b.json").read_bytes()) == (b"mine", b"y")
    assert "1 game written to out, 1 there already" in run("archive", DB, "--extract", "out", "--force", code=0).stdout
    assert Path("out/a.json").read_bytes() == b"x"


def test_a_game_that_is_too_large_is_left_out(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.archive.add.LARGEST", len(games()["race.txt"]))
    result = run("archive", DB, folder, code=3).stdout
    assert "1 game put in" in result and result.count("the game is too large") == 6


def test_an_archive_of_archives(run: Run, folder: Path) -> None:
    shutil.make_archive("z", "zip", folder)
    run("archive", "in/inner.adjudicator.db", "z.zip", code=0)
    end = told(run("archive", DB, "in/inner.adjudicator.db", "z.zip", "--json", code=0))[-1]
    assert (end["games"], end["taken"], end["same"]) == (7, 7, 7)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("g.json in", "give the archive a name like NAME.adjudicator.db, not g.json"),
        ("g.jsonl.zst in", "name it g.adjudicator.db"),
        ("old.jsonl.zst", "convert this archive first: `adjudicator archive old.jsonl.zst -o old.adjudicator.db`"),
        ("old.jsonl.zst -o new.jsonl.zst", "name it new.adjudicator.db"),
        ("old.jsonl.zst -o new.adjudicator.db --check", "use -o without PATHs"),
        ("there.adjudicator.db in", "the archive already exists; use --add to add games, or --force to replace it"),
        ("g.adjudicator.db --add", "name the files or folders whose games --add should add"),
        ("there.adjudicator.db in --check", "leave out the PATHs"),
        ("there.adjudicator.db --check --extract x", "leave out --check"),
        ("there.adjudicator.db --game 1", "use --game only with --extract"),
        ("there.adjudicator.db there.adjudicator.db --add", "leave the archive itself out of the PATHs"),
        ("there.adjudicator.db -o there.adjudicator.db", "leave the archive itself out of the PATHs"),
        ("nowhere.adjudicator.db", "no such"),
        ("in/in.adjudicator.db", "this is not an ordinary file"),
        (
            "there.adjudicator.db --extract out --game recorded-999",
            "no game in this archive has the name, id or number recorded-999; `adjudicator archive there.adjudicator.db`",
        ),
        ("there.adjudicator.db --extract out --game twice", "name one of the 2 games with the id twice: a.json, b.json"),
    ],
)
def test_misuse_is_told(run: Run, folder: Path, arguments: str, words: str) -> None:
    Path("in/in.adjudicator.db").mkdir()
    whole = packed("there.adjudicator.db", two_of_one_id()).read_bytes()
    result = run("archive", *arguments.split(), code=2)
    assert words in result.stderr
    assert Path("there.adjudicator.db").read_bytes() == whole


@pytest.mark.parametrize("add", [[], ["--add"]])
def test_an_archive_of_nothing_is_not_made(run: Run, add: list[str], tmp_path: Path) -> None:
    result = run("archive", DB, "mistyped", *add, code=2)
    assert "mistyped  there is no such file" in result.stdout
    assert f"{DB}: no archive was made: there is no game for it" in result.stderr
    packed(DB, [("a.json", b"x")])
    whole = Path(DB).read_bytes()
    assert run("archive", DB, "mistyped", "--force", code=2)
    assert Path(DB).read_bytes() == whole


@pytest.mark.parametrize("arguments", ["new.adjudicator.db in", f"{DB} --check", f"{DB} --extract out", f"{DB} in --add"])
def test_a_missing_library_is_told_with_the_name_of_the_archive(
    run: Run, folder: Path, arguments: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed(DB, [("a.json", b"x")])
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    result = run("archive", *arguments.split(), code=2)
    assert result.stderr.startswith(f"adjudicator: {arguments.split()[0]}: ")
    assert not Path("new.adjudicator.db").exists()


def test_a_full_disk_is_told_with_the_name_of_the_archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    full = CannotWrite("x", "")

    def fill(archive: Archive, *_: object) -> None:
        full.rename(archive.name)
        raise full

    monkeypatch.setattr("adjudicator.archive.add.fill", fill)
    with pytest.raises(CannotWrite) as caught:
        write_archive(str(tmp_path / DB), [], lambda _: None)
    assert caught.value.file == str(tmp_path / DB)
    assert not list(tmp_path.glob(f"{DB}"))


def two_of_one_id() -> list[tuple[str, bytes]]:
    of = b'{"format":2,"id":"twice","ruleset":{"id":"x"},"journal":[],"n":"%b"}'
    return [(name, of % name.encode()) for name in ("a.json", "b.json")]


def test_what_cannot_be_put_in_is_told_and_the_rest_is(run: Run, folder: Path) -> None:
    (folder / "latin.txt").write_bytes("script 1\ngame x\nred: caf\xe9\n".encode("latin-1"))
    (folder / "torn.json.zst").write_bytes(b"x")
    result = run("archive", DB, folder, folder / "list.json", code=3)
    assert "torn.json.zst  the file is damaged" in result.stdout
    assert "list.json  this is neither a game file nor a script" in result.stdout
    assert "g.adjudicator.db: 8 games" in result.stdout
    run("archive", DB, "--extract", "out", code=0)
    assert Path("out/latin.txt").read_bytes() == (folder / "latin.txt").read_bytes()


@pytest.mark.parametrize("name", ["../up.json", "/etc/x.json", "C:\\x.json", "a/../../b.json", "a\x1b[2J.json", "a//b", ""])
def test_no_name_leads_out_of_the_folder(run: Run, name: str) -> None:
    packed(DB, [(name, two_of_one_id()[0][1]), ("good.json", b"{}")])
    result = run("archive", DB, "--extract", "out/deep", code=3)
    assert "cannot be written" in result.stdout
    assert "\x1b" not in result.stdout
    assert [str(path) for path in Path().rglob("*.json")] == ["out/deep/good.json"]


def test_games_of_an_archive_are_replayed_shown_and_audited(run: Run) -> None:
    name, archived = next(name for name in games() if name.startswith("checkered-flag")), packed(DB)
    loose = run("archive", archived, "--extract", "out", code=0) and f"out/{name}"
    for command in ("replay", "show", "log"):
        assert run(command, f"{archived}#{name}", code=0).stdout == run(command, loose, code=0).stdout
    assert run("replay", f"{archived}#race.txt").stdout == run("replay", "out/race.txt").stdout
    by_name = run("audit", f"{archived}#{name}", code=0).stdout
    assert by_name.startswith("verified") and by_name.splitlines()[0].endswith(f"{DB}#{name}")
    assert run("audit", f"{archived}#1", code=0).stdout == by_name
    assert "no game in this archive has the name, id or number nope" in run("audit", f"{archived}#nope").stdout
    for odd in ("\udcff", "\x00", "9" * 30, "-1", "0", ""):
        assert "no game in this archive" in run("replay", f"{archived}#{odd}", code=2).stderr
    assert "name one game of this archive" in run("replay", archived, code=2).stderr
    orders = Path("orders.txt")
    orders.write_text("red: GEAR 1\n")
    assert "no such f" in run("apply", f"{archived}#{name}", orders, code=2).stderr  # an archive is never played on


@pytest.mark.parametrize("name", ["x.adjudicator.db#1", "x.jsonl.zst#1"])
def test_a_file_may_be_called_as_a_game_of_an_archive_is(run: Run, name: str) -> None:
    first = next(iter(games()))
    Path(name).write_bytes(games()[first])
    Path("alone.json").write_bytes(games()[first])
    assert run("replay", name, code=0).stdout == run("replay", "alone.json", code=0).stdout


def test_a_site_of_an_archive(run: Run) -> None:
    run("site", f"{packed(DB)}#2", "-o", "public", code=0)
    (page,) = Path("public/games").glob("*.html")
    assert DB not in page.read_text("utf-8")


def test_without_the_library_the_command_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    archived = packed(DB)
    for module in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    words = "pip install zstandard" if sys.version_info >= (3, 14) else "pip install 'pbem-adjudicator[archive]'"
    assert words in run("archive", archived, "--check", code=2).stderr
    assert words in run("audit", archived).stdout
    with pytest.raises(adj.FileProblem):
        packed("new.adjudicator.db")


def test_the_library_that_packs_is_here() -> None:
    assert find_spec("compression.zstd" if sys.version_info >= (3, 14) else "zstandard") is not None


# Any file comes back ---------------------------------------------------------------------------------------------------


def comes_back(path: Path, name: str, data: bytes) -> bool:
    packed(path, [(name, data)])
    with open_archive(str(path)) as archive:
        return list(archive.games()) == [(name, data)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"{}",
        b"{}\n",
        b'{"a":\t1}',
        b'{"a":1}\r\n',
        b'{"a":NaN}',
        b'{"entry":1,"hash":""}',
        b'{"journal":[\n{"entry":1,"hash":"' + b"0" * 64 + b'"},\n{"entry":1,"hash":""}\n]}\n',
        '{"ä":"\u2028"}'.encode(),
        "\ufeff{}".encode(),
        "caf\xe9".encode("latin-1"),
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b'{"a":"\\ud800"}',
    ],
)
def test_what_is_no_game_as_this_program_writes_it_comes_back_all_the_same(tmp_path: Path, data: bytes) -> None:
    assert comes_back(tmp_path / DB, 'a "name"', data)


def test_hashes_that_do_not_follow_stay(tmp_path: Path) -> None:
    name, data = next(iter(games().items()))
    assert comes_back(tmp_path / DB, name, data.replace(json.loads(data)["journal"][3]["hash"].encode(), b"0" * 64))


PIECES = st.sampled_from(['{"entry":', '1,"hash":"', "0" * 64, '"}', ",", "\n", "{", "}", "\t", '{"entry":2,"hash":""}'])


@settings(max_examples=30)
@given(st.lists(PIECES | st.text(max_size=5), max_size=30).map("".join))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    assert comes_back(tmp_path_factory.mktemp("any") / DB, "x", text.encode("utf-8", "ignore"))


# Interrupted, or in use -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [{"add": True}, {"force": True}, {}])
def test_an_interrupted_run_leaves_what_was_there(run: Run, how: dict[str, bool]) -> None:
    if how:
        packed(DB, list(games().items())[:1])
    before = sorted(os.listdir()), how and Path(DB).read_bytes()

    def interrupted() -> Iterator[tuple[str, str, bytes]]:
        for number in range(3):
            yield "", f"{number}.json", games()["race.txt"] + b"#" * number
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_games(DB, interrupted(), **how)
    assert (sorted(os.listdir()), how and Path(DB).read_bytes()) == before


KILLED = """
import os, signal, sys
from adjudicator.archive.add import write_games
data = open(sys.argv[2], "rb").read()
def games():
    print(flush=True)
    for number in range(int(sys.argv[3])):
        yield "", f"{number}.json", data + b" " * number
    if sys.argv[4] == "now":
        os.kill(os.getpid(), signal.SIGKILL)
write_games(sys.argv[1], games(), add=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_killed_run_leaves_what_was_there(run: Run) -> None:
    """What it had begun to write is taken back by the next command that reads the archive."""
    whole = packed(DB).read_bytes()
    big = Path("big.json")
    big.write_bytes(random.Random(1).randbytes(2_000_000))
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, DB, big, "40", "now"], cwd=Path.cwd(), env=own_path(), check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert Path(f"{DB}-journal").exists()  # so much does not fit into memory
    assert "every game agrees" in run("archive", DB, "--check", code=0).stdout
    assert (Path(DB).read_bytes(), Path(f"{DB}-journal").exists()) == (whole, False)


def own_path() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.soak
def test_runs_killed_at_any_moment_lose_nothing(run: Run) -> None:
    """The archive is as it was before, or as it is after the run; it always checks."""
    luck, data = random.Random(8), GAMES / "checkered-flag" / "recorded-403.json"
    packed(DB, [])
    number, before = 0, list[Any]()
    for _ in range(100):
        number += luck.randint(1, 100)
        command = [sys.executable, "-c", KILLED, DB, str(data), str(number), "later"]
        process = subprocess.Popen(command, env=own_path(), stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()  # now it writes
        try:
            process.wait(luck.uniform(0, 1))
        except subprocess.TimeoutExpired:
            process.kill()
        process.stdout.close()
        process.wait()
        with open_archive(DB) as archive:
            assert archive.damage() == ""
            found = [data for _, data in archive.games()]
        assert all(isinstance(one, bytes) for one in found)
        assert len(found) <= number and found[: len(before)] == before
        before = found
        if process.returncode == 0:
            assert len(found) == number
    assert "every game agrees" in run("archive", DB, "--check", code=0).stdout


def test_a_journal_that_names_another_file_is_not_played_back(run: Run) -> None:
    """SQLite would delete that file."""
    whole = packed(DB).read_bytes()
    Path("mine.txt").write_bytes(b"")
    name = b"mine.txt"
    number = struct.pack(">I", 1)
    end = number + name + struct.pack(">II", len(name), sum(name)) + b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    head = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + struct.pack(">IIIII", 0, 0, 1, 512, 8192)
    Path(f"{DB}-journal").write_bytes(head.ljust(512, b"\0") + end)
    run("archive", DB)
    assert (Path("mine.txt").exists(), Path(DB).read_bytes()) == (True, whole)


def test_another_program_that_writes_is_waited_for_and_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.archive.store._PATIENCE", 0)
    packed(DB)
    Path("new.json").write_bytes(next(iter(games().values())))
    with closing(sqlite3.connect(DB, isolation_level=None)) as other:
        other.execute("begin immediate")
        assert "another program uses this archive" in run("archive", DB, "new.json", "--add", code=2).stderr
        assert "7 games" in run("archive", DB, "--quiet", code=0).stdout  # reading goes on
        other.execute("rollback")
    run("archive", DB, "new.json", "--add", code=0)


# Damaged, or from somebody else ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "pragma application_id = 1",
        "create table more (x)",
        "create trigger t after insert on game begin delete from game; end",
        "drop view games; create view games as select 1",
        "drop index game_name",
        "drop table dictionary",
        "alter table game add column more",
        "create view v as select load_extension('x')",
    ],
)
def test_a_file_with_other_tables_is_no_archive(run: Run, statement: str) -> None:
    changed(packed(DB), statement)
    for command in (("archive", DB), ("archive", DB, "--check"), ("archive", DB, ROOT / "examples", "--add")):
        assert "this is not an archive" in run(*command, code=3).stderr
    assert "this is not an archive" in run("audit", DB, code=3).stdout


def test_what_is_no_database_at_all(run: Run) -> None:
    for data in (
        b"",
        b"x",
        b"SQLite format 3\0",
        random.Random(1).randbytes(10_000),
        packed("a.adjudicator.db").read_bytes()[:99],
    ):
        Path(DB).write_bytes(data)
        assert run("archive", DB).exit_code in (2, 3)
        assert run("audit", DB).exit_code == 3
    changed(packed(DB), "pragma user_version = 3")
    assert "install a newer adjudicator" in run("archive", DB, code=2).stderr
    with closing(sqlite3.connect(packed("wal.adjudicator.db"))) as base:
        base.execute("pragma journal_mode = wal")
    assert "this is not an archive" in run("archive", "wal.adjudicator.db", code=3).stderr


ODD = {
    "size = 'x'": "its row is damaged",
    "size = 7": "its file does not fit its hash",
    "hash = 'x'": "its row is damaged",
    f"hash = '{'0' * 64}'": "its file does not fit its hash",
    "players = '[1]'": "its row is damaged",
    f"players = '{'[' * 5000}'": "its row is damaged",
    'result = \'{"red":"x"}\'': "its row is damaged",
    "result = 7": "its row is damaged",
    "head = x'00'": "its row is damaged",
    "name = x'00'": "its row is damaged",
    "id = cast(x'ff' as text)": "UTF-8",
    "players = '{\"red\":\"' || hex(zeroblob(300000)) || '\"}'": "too big",
    "body = 'x'": "its file is damaged",
    "body = x'00'": "its file is damaged",
    "body = substr(body, 1, 30)": "its file",
    "body = (select body from game where n = 1)": "its file",
    "body = zeroblob(60000000)": "its file is damaged",
}


@pytest.mark.parametrize("change", ODD)
def test_a_row_that_makes_no_sense_costs_only_its_game(run: Run, change: str) -> None:
    changed(packed(DB), f"update game set {change} where n = 3")
    checked = run("archive", DB, "--check", code=3).stdout
    assert checked.count("problem") == 1 and ODD[change] in checked
    assert "6 games written to out" in run("archive", DB, "--extract", "out", code=3).stdout
    assert {str(path.relative_to("out")): path.read_bytes() for path in Path("out").rglob("*.*")}.items() < games().items()


def test_a_damaged_row_is_told_wherever_it_is_read(run: Run) -> None:
    changed(packed(DB), "update game set hash = 'x' where n = 3")
    listed = run("archive", DB, code=3).stdout
    assert listed.count("its row is damaged") == 1 and "1 could not be added or read" in listed
    assert "its row is damaged" in run("archive", DB, "--extract", "out", "--game", "3", code=3).stderr
    assert "its row is damaged" in run("audit", f"{DB}#3", code=3).stdout


@pytest.mark.parametrize("change", [
    "id = 'b'", "ruleset = 's'", "players = '{}'", "result = '{\"red\":2}'", "head = 'x'", "begun = '2020'", "ended = 7"
])  # fmt: skip
def test_a_row_that_lies_about_its_game_is_found_by_the_check(run: Run, change: str) -> None:
    changed(packed(DB), f"update game set {change} where n = 3")
    checked = run("archive", DB, "--check", code=3).stdout
    assert checked.count("problem") == 1 and "but the archive says" in checked


@pytest.mark.parametrize("dictionary", ["x'00'", "'x'", "zeroblob(9)"])
def test_a_dictionary_that_is_damaged_costs_the_games_of_its_ruleset(run: Run, dictionary: str) -> None:
    data = (GAMES / "checkered-flag" / "recorded-403.json").read_bytes()
    packed(DB, [*((f"{n}.json", data + b" " * n) for n in range(9)), ("race.txt", games()["race.txt"])])
    changed(DB, f"update dictionary set body = {dictionary}")
    assert "1 game written to out" in run("archive", DB, "--extract", "out", code=3).stdout


def test_a_bomb_takes_little_memory(run: Run) -> None:
    packed(DB)
    with closing(sqlite3.connect(DB)) as base:
        base.execute("update game set body = ? where n = 1", (zstd(bytes(300_000_000)),))
        base.commit()
    tracemalloc.start()
    assert "more than" in run("archive", DB, "--check", code=3).stdout
    assert tracemalloc.get_traced_memory()[1] < 300_000_000
    tracemalloc.stop()


def test_no_flipped_byte_anywhere_gives_another_game(tmp_path: Path) -> None:
    """Whatever byte it is: no wrong game is read, and nothing is passed over without a word."""
    path, luck = packed(tmp_path / DB), random.Random(7)
    whole = path.read_bytes()
    for at in [*luck.sample(range(len(whole)), 60), *range(0, 110, 3)]:
        flipped = bytearray(whole)
        flipped[at] ^= 1 << luck.randrange(8)
        path.write_bytes(flipped)
        try:
            with open_archive(str(path)) as archive:
                read = dict(archive.games())
                is_told = archive.damage() or any(not isinstance(data, bytes) for data in read.values())
        except adj.FileProblem:
            continue
        right = {name: data for name, data in read.items() if isinstance(data, bytes)}
        assert all(data in games().values() for data in right.values())
        assert is_told or len(right) == len(games())


def test_a_damaged_page_costs_only_its_games(run: Run) -> None:
    """All others are read, and those that are lost are named."""
    data = (GAMES / "checkered-flag" / "recorded-403.json").read_bytes()
    luck = random.Random(1)
    files = [(f"{n:03}.json", data + luck.randbytes(1500).hex().encode()) for n in range(200)]
    whole = bytearray(packed(DB, files).read_bytes())
    with closing(sqlite3.connect(DB)) as base:
        ((root,),) = base.execute("select rootpage from sqlite_schema where name = 'game'")
    at = next(at for at in range(len(whole) // 2, len(whole), 8192) if whole[at : at + 1] == b"\r" and at != root * 8192)
    at -= at % 8192
    whole[at : at + 8192] = bytes(8192)
    Path(DB).write_bytes(whole)
    checked = told(run("archive", DB, "--check", "--json", code=3))
    lost = {one["source"].rpartition("#")[2] for one in checked[:-1] if "#" in one["source"]}
    assert 0 < len(lost) < 10 and lost < {name for name, _ in files}
    end = told(run("archive", DB, "--extract", "out", "--json", code=3))[-1]
    assert (end["taken"], end["unsound"]) == (200 - len(lost), len(lost))
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()}.items() < dict(files).items()


def test_a_cut_archive_gives_what_is_left_or_says_that_it_cannot(run: Run) -> None:
    whole = packed(DB).read_bytes()
    for part in (0.95, 0.6, 0.1):
        Path(DB).write_bytes(whole[: int(len(whole) * part)])
        found = run("archive", DB, "--check", code=3)
        assert "damaged" in found.output


# Ad-hoc queries, and reading without this program ---------------------------------------------------------------------


def test_the_queries_of_the_docs_work(run: Run) -> None:
    packed(DB)
    text = (ROOT / "docs" / "archives.md").read_text("utf-8")
    queries = re.findall(r"sqlite3 games\.adjudicator\.db \"(.*?)\"", text, re.DOTALL)
    assert len(queries) == 3
    with closing(sqlite3.connect(DB)) as base:
        for query in queries:
            assert base.execute(query).fetchall()


def test_the_view_has_the_facts_that_the_command_lists(run: Run) -> None:
    packed(DB)
    listed = told(run("archive", DB, "--json", code=0))[:-1]
    with closing(sqlite3.connect(f"file:{DB}?immutable=1", uri=True)) as base:  # as Datasette opens it
        base.row_factory = sqlite3.Row
        rows = [dict(row) for row in base.execute("select * from games order by n")]
    for row, there in zip(rows, listed, strict=True):
        facts = {"game": row.pop("id"), **row, **{name: json.loads(row[name] or "null") for name in ("players", "result")}}
        assert facts == {name: there[name] for name in facts}


class Raw:
    """A dictionary as Python 3.14 has it."""

    def __init__(self, content: bytes, *, is_raw: bool) -> None:
        assert is_raw
        self.content = content


def unzstd(data: bytes, dictionary: Raw | None = None) -> bytes:
    import zstandard

    if dictionary is None:
        return zstandard.ZstdDecompressor().decompress(data)
    own = zstandard.ZstdCompressionDict(dictionary.content, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
    return zstandard.ZstdDecompressor(dict_data=own).decompress(data)


def test_the_program_of_the_docs_reads_every_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    data = (GAMES / "checkered-flag" / "recorded-403.json").read_bytes()
    files = {**{f"{n}.json": data + b"\n" * n for n in range(9)}, **games()}
    packed("games.adjudicator.db", files.items())
    text = (ROOT / "docs" / "archives.md").read_text("utf-8")
    program = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert program is not None
    if sys.version_info < (3, 14):
        monkeypatch.setitem(
            sys.modules, "compression", SimpleNamespace(zstd=SimpleNamespace(decompress=unzstd, ZstdDict=Raw))
        )
    space: dict[str, Any] = {}
    exec(program[1], space)
    assert {name: space["file_of"](name) for name in files} == files


# Archives of version 1.0.0 --------------------------------------------------------------------------------------------


def zstd(data: bytes) -> bytes:
    """Return a frame with a checksum."""
    if sys.version_info >= (3, 14):
        from compression import zstd as library

        return bytes(library.compress(data, options={library.CompressionParameter.checksum_flag: 1}))
    import zstandard

    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


def line_of(name: str, data: bytes) -> bytes:
    """Return a game as a line: tabs for line ends, and no hashes that follow from the text before."""
    head = f'{{"hash":"{sha256(data).hexdigest()}","name":{json.dumps(name, ensure_ascii=False)},'.encode()
    if not data.startswith(b"{"):
        return head + b'"text":' + json.dumps(data.decode()).encode() + b"}\n"
    lines = data.split(b"\n")
    links = [at for at, line in enumerate(lines) if line.startswith(b'{"entry":')]
    for at in links[1:]:
        lines[at] = re.sub(rb'"hash":"[0-9a-f]{64}"(\},?)\Z', rb'"hash":""\1', lines[at])
    return head + b'"game":' + b"\t".join(lines) + b"}\n"


def skippable(data: bytes) -> bytes:
    return struct.pack("<II", 0x184D2A5D, len(data)) + data


def old_blocks(files: Iterable[tuple[str, bytes]], each: int = 2) -> list[bytes]:
    lines = [line_of(*one) for one in files]
    return [zstd(b"".join(lines[at : at + each])) for at in range(0, len(lines), each)]


def old_archive(*blocks: bytes) -> bytes:
    index = zstd(b'{"archive":1,"games":7,"blocks":[2,2,2,1]}\n') + zstd(b'{"n":1}\n')
    table = struct.pack("<II", 0x184D2A5E, 9) + struct.pack("<IBI", 0, 0, 0x8F92EAB1)
    return b"".join(blocks) + skippable(index) + table


@cache
def old() -> bytes:
    return old_archive(*old_blocks(games().items()))


def read_old(data: bytes) -> list[tuple[str, Any]]:
    return list(old_games(io.BytesIO(data), "old.jsonl.zst"))


def sound(data: bytes) -> dict[str, bytes]:
    return {name: game for name, game in read_old(data) if isinstance(game, bytes)}


def test_an_old_archive_is_audited_replayed_and_converted(run: Run) -> None:
    Path("old.jsonl.zst").write_bytes(old())
    assert sound(old()) == games()
    name = next(iter(games()))
    packed("new.adjudicator.db")
    assert (
        run("replay", f"old.jsonl.zst#{name}", code=0).stdout == run("replay", f"new.adjudicator.db#{name}", code=0).stdout
    )
    assert run("audit", "old.jsonl.zst").stdout.count("verified") == run("audit", "new.adjudicator.db").stdout.count(
        "verified"
    )
    assert "7 games put in" in run("archive", "old.jsonl.zst", "-o", DB, code=0).stdout
    assert Path(DB).read_bytes() == Path("new.adjudicator.db").read_bytes()
    assert "already exists" in run("archive", "old.jsonl.zst", "-o", DB, code=2).stderr
    run("archive", "old.jsonl.zst", "-o", DB, "--force", code=0)


def test_a_damaged_block_costs_only_its_games(run: Run) -> None:
    """Wherever the damage is: other games are read, damage is told, and no wrong game is read."""
    luck, blocks = random.Random(7), old_blocks(games().items())
    for at in luck.sample(range(sum(map(len, blocks))), 60):
        flipped = bytearray(old())
        flipped[at] ^= 1 << luck.randrange(8)
        found = read_old(bytes(flipped))
        right = {name: data for name, data in found if isinstance(data, bytes)}
        assert right.items() <= games().items()
        assert len(games()) - len(right) <= 2
        assert len(right) == len(games()) or any(not isinstance(data, bytes) for _, data in found)
    Path("old.jsonl.zst").write_bytes(old()[: len(blocks[0]) + 100])
    result = run("archive", "old.jsonl.zst", "-o", DB, code=3).stdout
    assert "are damaged, or cut off" in result and "2 games put in" in result


def test_blocks_are_found_between_other_bytes() -> None:
    pieces = (block + b"\x28\xb5\x2f\xfd rubbish" for block in old_blocks(games().items()))
    assert sound(b"".join(pieces)) == games()


def frame(descriptor: int, header: bytes, *blocks: bytes) -> bytes:
    """Return a frame with raw ``blocks``, laid out by hand as RFC 8878 has it."""
    laid = [((len(one) << 3) | (at == len(blocks))).to_bytes(3, "little") + one for at, one in enumerate(blocks, 1)]
    return b"\x28\xb5\x2f\xfd" + bytes([descriptor]) + header + b"".join(laid)


def window(log: int) -> bytes:
    return bytes([(log - 10) << 3])


BLOCK = b"".join(line_of(f"{n}.json", b'{"n":%d}' % n) for n in range(3))
RUBBISH = {
    "a window that would take all memory": frame(0, window(27), BLOCK),
    "such a window as the size of a single segment": frame(0x20 | 0xC0, (1 << 30).to_bytes(8, "little"), BLOCK),
    "a dictionary that nobody has": frame(1, window(20) + b"\x07", BLOCK),
    "a size that is not so": frame(0xC0, window(20) + (1 << 31).to_bytes(8, "little"), BLOCK),
    "a reserved bit": frame(0x08, window(20), BLOCK),
    "an unknown kind of block": b"\x28\xb5\x2f\xfd\x00" + window(20) + b"\x07\x00\x00",
    "no frame at all": b"rubbish",
    "a wrong checksum": zstd(BLOCK)[:-1] + b"\x00",
    "a bomb": zstd(bytes(100_000_000)),
    "lines that are no games": zstd(b'\n{}\n{"hash":"","name":"x","text":""}\n' + b"[" * 100_000 + b"\n"),
    "a claim to be longer than the file": skippable(b"x")[:4] + b"\xff\xff\xff\x7f",
}


@pytest.mark.parametrize("kind", RUBBISH)
def test_a_block_that_cannot_be_unpacked_costs_only_its_games(kind: str) -> None:
    """In little memory, whatever it says of itself."""
    tracemalloc.start()
    found = read_old(RUBBISH[kind] + zstd(BLOCK))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 200_000_000
    assert not isinstance(found[0][1], bytes)
    assert [data for _, data in found if isinstance(data, bytes)][-3:] == [b'{"n":0}', b'{"n":1}', b'{"n":2}']
    assert len(sound(frame(0, window(26), BLOCK))) == 3  # the largest window that is read


def test_a_changed_game_of_an_old_archive_is_told_with_its_name() -> None:
    (_, first), (name, changed), (_, last) = read_old(zstd(BLOCK.replace(b'"n":1', b'"n":7')))
    assert (first, name, last) == (b'{"n":0}', "1.json", b'{"n":2}')
    assert "somebody has changed it" in str(changed)


def test_what_is_no_old_archive(run: Run) -> None:
    for data in (b"x", b"\x28\xb5\x2f\xfd" * 40_000, zstd(b"no games\n"), random.Random(1).randbytes(100_000)):
        assert sound(data) == {}
        Path("old.jsonl.zst").write_bytes(data)
        assert run("audit", "old.jsonl.zst").exit_code == 3
