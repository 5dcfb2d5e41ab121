"""Archives of many games: made, added to, listed, checked, taken out, replayed, audited; and whatever may be wrong with one.

Hostile archives are laid out by hand here, after the description of the format in docs/archives.md.
"""

from __future__ import annotations

import io
import json
import os
import random
import struct
import sys
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from typer.testing import Result

import adjudicator as adj
from adjudicator.archive import ArchiveReader, GameCopy, open_archive, pack_archive, write_archive
from adjudicator.library.errors import CannotRead
from adjudicator.library.rulesets import schema

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]


@cache
def games() -> dict[str, bytes]:
    """Return the files of six games, two of each of three rulesets, and a script, by name."""
    folder = ROOT / "tests" / "data" / "games"
    names = ("checkered-flag", "great-race", "checkpoint-rally")
    found = (sorted((folder / name).glob("recorded-*.json"), key=lambda path: path.stat().st_size)[:2] for name in names)
    paths = sorted(path for some in found for path in some)
    files = {f"{path.parent.name}/{path.name}": path.read_bytes() for path in paths}
    return {**files, "race.txt": (ROOT / "examples" / "checkpoint-rally" / "hand-kept" / "race.txt").read_bytes()}


def zstd(data: bytes) -> bytes:
    """Return a frame with a checksum."""
    if sys.version_info >= (3, 14):
        from compression import zstd as library

        return bytes(library.compress(data, options={library.CompressionParameter.checksum_flag: 1}))
    import zstandard

    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


def unzstd(data: bytes) -> bytes:
    """Return what all frames hold, as any program of Zstandard reads them."""
    if sys.version_info >= (3, 14):
        from compression import zstd as library

        return bytes(library.decompress(data))
    import zstandard

    with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True) as stream:
        return bytes(stream.read())


def line_of(name: str, data: bytes, /, **more: Any) -> bytes:
    document = {"hash": sha256(data).hexdigest(), "name": name, "text": data.decode(), **more}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode() + b"\n"


def row_of(number: int, name: str, data: bytes, /, **more: Any) -> bytes:
    row = {"n": number, "name": name, "game": "", "ruleset": "", "size": len(data), "hash": sha256(data).hexdigest(), **more}
    return json.dumps(row, separators=(",", ":"), sort_keys=True).encode() + b"\n"


def laid_out(blocks: Iterable[tuple[bytes, int]], index: bytes) -> bytes:
    """Return an archive of packed ``blocks``, each with the size that it says it unpacks to, and a packed ``index``."""
    frames = list(blocks)
    head = struct.pack("<II", 0x184D2A5D, len(index)) + index
    seek = [(len(packed), size) for packed, size in frames] + [(len(head), 0)]
    table = b"".join(struct.pack("<II", *one) for one in seek) + struct.pack("<IBI", len(seek), 0, 0x8F92EAB1)
    return b"".join(packed for packed, _ in frames) + head + struct.pack("<II", 0x184D2A5E, len(table)) + table


SMALL = [(f"{n}.json", b'{"n":%d}' % n) for n in range(3)]
BLOCK = b"".join(line_of(*one) for one in SMALL)
HEAD = b'{"archive":1,"games":3,"blocks":[3]}\n'


def opened(*blocks: tuple[bytes, int], index: bytes = b"") -> ArchiveReader:
    rows = b"".join(row_of(n, *one) for n, one in enumerate(SMALL, 1))
    return ArchiveReader(io.BytesIO(laid_out(blocks or [(zstd(BLOCK), len(BLOCK))], index or zstd(HEAD + rows))), "x")


@cache
def packed() -> bytes:
    """Return an archive of the games in blocks of two."""
    lines = unzstd(pack_archive(games().items())).splitlines(keepends=True)
    blocks = [b"".join(lines[at : at + 2]) for at in range(0, len(lines), 2)]
    rows = [row_of(n, name, data, **ids(data)) for n, (name, data) in enumerate(games().items(), 1)]
    head = json.dumps({"archive": 1, "games": 7, "blocks": [2, 2, 2, 1]}, separators=(",", ":")).encode() + b"\n"
    return laid_out([(zstd(block), len(block)) for block in blocks], zstd(head + b"".join(rows)))


def ids(data: bytes) -> dict[str, str]:
    document = json.loads(data) if data.startswith(b"{") else {"id": "", "ruleset": {"id": ""}}
    return {"game": document["id"], "ruleset": document["ruleset"]["id"]}


def reader_of(data: bytes) -> ArchiveReader:
    return ArchiveReader(io.BytesIO(data), "x")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the games, and other files that are none."""
    for name, data in {**games(), "notes.txt": b"Call Ann.\n", "list.json": b"[]", "._x.json": b"x"}.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(data)
    return tmp_path / "in"


@pytest.fixture
def archived(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl.zst"
    path.write_bytes(packed())
    return path


def told(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_made_listed_checked_and_taken_out_again_byte_for_byte(run: Run, folder: Path) -> None:
    made = run("archive", "g.jsonl.zst", folder, code=0).stdout
    assert "g.jsonl.zst: 7 games" in made
    assert "7 games put in" in made
    listed = told(run("archive", "g.jsonl.zst", "--json", code=0))
    assert {row["name"] for row in listed[:-1]} == set(games())
    assert listed[-1]["task"] == "listed" and listed[-1]["loose"] == sum(map(len, games().values()))
    assert "every game agrees with the index" in run("archive", "g.jsonl.zst", "--check", code=0).stdout
    assert "7 games written to out" in run("archive", "g.jsonl.zst", "--extract", "out", code=0).stdout
    assert {str(path.relative_to("out")): path.read_bytes() for path in Path("out").rglob("*.*")} == games()
    assert "0 games written to out, 7 there already" in run("archive", "g.jsonl.zst", "--extract", "out", code=0).stdout


@pytest.mark.parametrize("name", ["a.jsonl.zst", "A.JSONL.ZST"])
def test_games_keep_their_names_in_another_archive(run: Run, folder: Path, name: str) -> None:
    Path("many").mkdir()
    run("archive", f"many/{name}", folder, code=0)
    run("archive", "b.jsonl.zst", "many", code=0)
    assert {row.get("name") for row in told(run("archive", "b.jsonl.zst", "--json", code=0))[:-1]} == set(games())


def test_the_same_games_give_the_same_bytes_at_most_an_eighth_of_them(run: Run, folder: Path) -> None:
    run("archive", "a.jsonl.zst", folder, code=0)
    run("archive", "b.jsonl.zst", folder, code=0)
    assert Path("a.jsonl.zst").read_bytes() == Path("b.jsonl.zst").read_bytes()
    if os.name == "posix":
        assert os.stat("a.jsonl.zst").st_mode & 0o777 == 0o600  # hands and secrets are in it
    many = ROOT / "tests" / "data" / "games" / "checkered-flag"
    (end,) = told(run("archive", "c.jsonl.zst", many, "--json", code=0))
    assert end["loose"] >= 8 * end["size"]


def test_adding_puts_in_what_is_new(run: Run, folder: Path) -> None:
    first, *others = sorted(games())
    run("archive", "g.jsonl.zst", folder / first, code=0)
    assert "7 games put in, 1 there already" in run("archive", "g.jsonl.zst", folder, folder / first, "--add", code=0).stdout
    assert "0 games put in, 7 there already" in run("archive", "g.jsonl.zst", folder, "--add", code=0).stdout
    assert "g.jsonl.zst: 8 games" in run("archive", "g.jsonl.zst", "--quiet", code=0).stdout
    (folder / others[0]).write_bytes(games()[others[1]])
    run("archive", "g.jsonl.zst", folder, "--add", "--json", code=0)
    names = [row.get("name") for row in told(run("archive", "g.jsonl.zst", "--json"))]
    assert f"{others[0].removesuffix('.json')}-2.json" in names
    assert "every game agrees" in run("archive", "g.jsonl.zst", "--check", code=0).stdout


@pytest.mark.parametrize(("path", "place"), [
    ("sub/g.jsonl.zst", "."), ("./sub/../sub/g.jsonl.zst", "sub"), ("link/g.jsonl.zst", "sub"), ("sub/g.jsonl.zst", "link"),
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
    path, source = str(tmp_path / "g.jsonl.zst"), str(tmp_path / "g.zip")
    with zipfile.ZipFile(source, "w") as written, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the names are the same
        for at in range(number):
            written.writestr("game.json", json.dumps({**smallest, "id": f"g{at}"}, separators=(",", ":"), sort_keys=True))
    found: list[Any] = []
    write_archive(path, [source], found.append)
    assert [one for one in found if not isinstance(one, GameCopy) or one.is_same] == []
    with closing(open_archive(path)) as archive:
        rows = list(archive.rows())
    assert len({row.name for row in rows}) == len({row.game for row in rows}) == number
    found.clear()
    write_archive(path, [source], found.append, add=True)
    assert [one.is_same for one in found] == [True] * number


def test_adding_one_by_one_leaves_no_small_blocks(run: Run) -> None:
    for name, data in games().items():
        Path(name.replace("/", "-")).write_bytes(data)
        run("archive", "g.jsonl.zst", name.replace("/", "-"), "--add", code=0)
    with closing(open_archive("g.jsonl.zst")) as archive:
        assert (archive.games, archive.blocks) == (7, 1)
    many = pack_archive((f"{n}", b"{}") for n in range(130))
    large = pack_archive((f"{n}", b'{"x":"' + b"x" * 3_000_000 + b'"}') for n in range(3))
    assert (reader_of(many).blocks, reader_of(large).blocks) == (3, 3)  # closed by games and by bytes


def test_an_archive_of_archives(run: Run, folder: Path) -> None:
    import shutil

    shutil.make_archive("z", "zip", folder)
    run("archive", "in/inner.jsonl.zst", "z.zip", code=0)
    end = told(run("archive", "g.jsonl.zst", "in/inner.jsonl.zst", "z.zip", "--json", code=0))[-1]
    assert (end["games"], end["taken"], end["same"]) == (7, 7, 7)


def test_an_interrupted_run_leaves_what_was_there(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = sorted(folder.rglob("recorded-*.json"))[0]
    run("archive", "g.jsonl.zst", first, code=0)
    before, number, read = Path("g.jsonl.zst").read_bytes(), [0], os.replace

    def interrupted(*_: Any, **__: Any) -> None:
        number[0] += 1
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    assert run("archive", "g.jsonl.zst", folder, "--add").exit_code == 130
    assert run("archive", "g.jsonl.zst", folder, "--force").exit_code == 130
    monkeypatch.setattr(os, "replace", read)
    assert number[0] == 2
    assert Path("g.jsonl.zst").read_bytes() == before
    assert sorted(name for name in os.listdir() if not name.endswith(".lock")) == ["g.jsonl.zst", "in"]


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
            "there.jsonl.zst --extract out --game recorded-999",
            "no game in this archive has the name, id or number recorded-999; `adjudicator archive there.jsonl.zst`",
        ),
        ("there.jsonl.zst --extract out --game twice", "name one of the 2 games with the id twice: a.json, b.json"),
        ("torn.jsonl.zst in --add", "make a new archive from the readable games"),
    ],
)
def test_misuse_is_told(run: Run, folder: Path, arguments: str, words: str) -> None:
    two = [
        (name, b'{"format":2,"id":"twice","ruleset":{"id":"x"},"n":"%b"}' % name.encode()) for name in ("a.json", "b.json")
    ]
    whole = pack_archive(two)
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


def test_a_damaged_archive_gives_what_is_left(run: Run) -> None:
    flipped = bytearray(packed())
    flipped[len(packed()) // 40] ^= 1
    Path("g.jsonl.zst").write_bytes(flipped)
    assert "block 1 is damaged" in run("archive", "g.jsonl.zst", "--check", code=3).stdout
    assert "5 games written to out" in run("archive", "g.jsonl.zst", "--extract", "out", code=3).stdout
    Path("t.jsonl.zst").write_bytes(packed()[:-1])
    assert "read: 7" in run("archive", "t.jsonl.zst", code=3).stdout
    assert "7 games put in" in run("archive", "new.jsonl.zst", "t.jsonl.zst", code=3).stdout
    listed = told(run("archive", "new.jsonl.zst", "--json", code=0))
    assert (listed[0]["n"], listed[0]["name"]) == (1, next(iter(games())))


@pytest.mark.parametrize("name", ["../up.json", "/etc/x.json", "C:\\x.json", "a/../../b.json", "a\x1b[2J.json", "a//b", ""])
def test_no_name_leads_out_of_the_folder(run: Run, name: str) -> None:
    bad = (name, b'{"format":2,"id":"x","ruleset":{"id":"x"},"journal":[]}')
    Path("g.jsonl.zst").write_bytes(pack_archive([bad, ("good.json", b"{}")]))
    result = run("archive", "g.jsonl.zst", "--extract", "out/deep", code=3)
    assert "cannot be written" in result.stdout
    assert "\x1b" not in result.stdout
    assert [str(path) for path in Path().rglob("*.json")] == ["out/deep/good.json"]


def test_names_that_repeat_are_found_by_the_check_and_kept_apart(run: Run) -> None:
    two = [("same.json", b'{"n":1}'), ("same.json", b'{"n":2}')]
    block = b"".join(line_of(*one) for one in two)
    rows = b"".join(row_of(n, *one) for n, one in enumerate(two, 1))
    index = zstd(b'{"archive":1,"games":2,"blocks":[2]}\n' + rows)
    Path("g.jsonl.zst").write_bytes(laid_out([(zstd(block), len(block))], index))
    assert "another game of this archive has the same name" in run("archive", "g.jsonl.zst", "--check", code=3).stdout
    result = run("archive", "g.jsonl.zst", "--extract", "out", code=3)
    assert "out/same.json already exists" in result.stdout
    assert Path("out/same.json").read_bytes() == b'{"n":1}'


@pytest.mark.parametrize(
    ("field", "value"), [("name", "b.json"), ("game", "b"), ("ruleset", "s"), ("size", 1), ("hash", "0" * 64)]
)
def test_an_index_that_lies_is_found_by_the_check(run: Run, field: str, value: object) -> None:
    honest = ("a.json", b'{"id":"a","ruleset":{"id":"r"}}')
    row = row_of(1, *honest, **{"game": "a", "ruleset": "r", field: value})
    index = zstd(b'{"archive":1,"games":1,"blocks":[1]}\n' + row)
    Path("g.jsonl.zst").write_bytes(laid_out([(zstd(line_of(*honest)), len(line_of(*honest)))], index))
    assert f"but the index says {value}" in run("archive", "g.jsonl.zst", "--check", code=3).stdout


def test_games_of_an_archive_are_replayed_shown_and_audited(run: Run, archived: Path) -> None:
    name = next(name for name in games() if name.startswith("checkered-flag"))
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


def test_a_file_may_be_called_as_a_game_of_an_archive_is(run: Run) -> None:
    name = next(iter(games()))
    Path("x.jsonl.zst#1").write_bytes(games()[name])
    Path("alone.json").write_bytes(games()[name])
    assert run("replay", "x.jsonl.zst#1", code=0).stdout == run("replay", "alone.json", code=0).stdout


def test_a_site_of_an_archive(run: Run, archived: Path) -> None:
    run("site", f"{archived}#2", "-o", "public", code=0)
    (page,) = Path("public/games").glob("*.html")
    assert "games.jsonl.zst" not in page.read_text("utf-8")


def test_without_the_library_the_command_says_what_to_install(
    run: Run, archived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    words = "pip install zstandard" if sys.version_info >= (3, 14) else "pip install 'pbem-adjudicator[archive]'"
    assert words in run("archive", archived, code=2).stderr
    assert words in run("audit", archived).stdout
    with pytest.raises(adj.FileProblem):
        pack_archive([("a", b"{}")])


# A game as a line: JSON that anybody can read, and the same file back, byte for byte, whatever it is.


def test_a_line_is_the_game_as_json_but_for_hashes_that_follow() -> None:
    """Whoever has no more than JSON, Zstandard and SHA-256 has the whole game."""
    valid = Draft202012Validator(json.loads(schema("archive-line.json")))
    lines = unzstd(pack_archive(games().items())).splitlines()
    assert len(lines) == len(games())
    for (name, data), line in zip(games().items(), lines, strict=True):
        document: Any = json.loads(line)
        assert list(valid.iter_errors(document)) == []
        assert (document["name"], document["hash"]) == (name, sha256(data).hexdigest())
        if name == "race.txt":
            assert document["text"].encode() == data
            continue
        whole, before, left_out = json.loads(data), "", 0
        for link, real in zip(document["game"]["journal"], whole["journal"], strict=True):
            canonical = json.dumps(link["entry"], ensure_ascii=False, separators=(",", ":"), sort_keys=True)
            left_out += not link["hash"]
            link["hash"] = before = link["hash"] or sha256((before + canonical).encode()).hexdigest()
            assert before == real["hash"]
        assert (document["game"], left_out) == (whole, len(whole["journal"]) - 1)


def comes_back(name: str, data: bytes) -> bool:
    return reader_of(pack_archive([(name, data)])).read(1) == (name, data)


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
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b'{"a":"\\ud800"}',
    ],
)
def test_what_is_no_game_as_this_program_writes_it_comes_back_all_the_same(data: bytes) -> None:
    assert comes_back('a "name"', data)


def test_hashes_that_do_not_follow_stay() -> None:
    name, data = next(iter(games().items()))
    assert comes_back(name, data.replace(json.loads(data)["journal"][3]["hash"].encode(), b"0" * 64))


PIECES = st.sampled_from(['{"entry":', '1,"hash":"', "0" * 64, '"}', ",", "\n", "{", "}", "\t", '{"entry":2,"hash":""}'])


@settings(max_examples=60)
@given(st.text().filter(str.isprintable), st.lists(PIECES | st.text(max_size=5), max_size=30).map("".join))
def test_any_text_under_any_name_comes_back(name: str, text: str) -> None:
    assert comes_back(name, text.encode("utf-8", "ignore"))


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b'{"hash":"","name":"x","text":""}', b'{"hash":"' + b"0" * 64 + b'","name":"x","text":1}', b"[" * 100_000],
)
def test_a_line_of_something_else_is_no_game(line: bytes) -> None:
    block = line + b"\n" + b"".join(line_of(*one) for one in SMALL[1:])
    archive = opened((zstd(block), len(block)))
    with pytest.raises(adj.Untrusted):
        archive.read(1)
    assert archive.read(2) == SMALL[1]


def test_every_changed_byte_of_a_line_is_found() -> None:
    name, data = next(iter(games().items()))
    line = unzstd(pack_archive([(name, data)]))
    index = zstd(b'{"archive":1,"games":1,"blocks":[1]}\n' + row_of(1, name, data, **ids(data)))
    for at in range(line.index(b'"game":') + 7, len(line) - 2, 197):
        changed = bytearray(line)
        changed[at] ^= 1
        with pytest.raises(adj.Untrusted):
            opened((zstd(bytes(changed)), len(changed)), index=index).read(1)


# Read at random and by stream, as any Zstandard program reads it.


def verdicts(path: object) -> dict[str, str]:
    """Return what the audit of an archive came to: the name of each game, and `verified` or why not."""
    found = {}
    for result in adj.audit_files(str(path)):
        assert isinstance(result, adj.Verdict)
        words = "verified" if result.divergence is None else f"{result.divergence.kind}: {result.divergence.recomputed}"
        found[result.source.rpartition("/games.jsonl.zst")[2].lstrip("#")] = words
    return found


def frames() -> list[tuple[int, int]]:
    """Return where each block of the archive begins, and its length."""
    (number,) = struct.unpack("<I", packed()[-9:-5])
    sizes = [size for size, _ in struct.iter_unpack("<II", packed()[-9 - 8 * number : -9])]
    return [(sum(sizes[:at]), size) for at, size in enumerate(sizes)]


def test_at_random_by_number_and_by_the_index() -> None:
    archive, names = reader_of(packed()), list(games())
    numbers = list(range(1, archive.games + 1))
    random.Random(1).shuffle(numbers)
    assert {archive.read(number) for number in numbers} == set(games().items())
    for number in (0, -1, archive.games + 1):
        with pytest.raises(adj.Untrusted, match="the archive has no game"):
            archive.read(number)
    rows = list(archive.rows())
    assert [(row.n, row.name, row.size) for row in rows] == [
        (n, name, len(games()[name])) for n, name in enumerate(names, 1)
    ]
    assert [[row.n for row in archive.rows(*some)] for some in ((3, 5), (6,), (9,))] == [[3, 4, 5], [6, 7], []]
    assert {row.ruleset for row in rows} == {"checkered-flag", "great-race", "checkpoint-rally", ""}


def test_the_index_and_the_list_of_blocks_are_as_the_format_has_them() -> None:
    """As contrib/seekable_format of Zstandard has it: whatever reads that finds the blocks."""
    whole = pack_archive(games().items())
    number, flags, magic = struct.unpack("<IBI", whole[-9:])
    assert (number, flags, magic) == (2, 0, 0x8F92EAB1)
    (block, size), (index, _) = struct.iter_unpack("<II", whole[-9 - 8 * number : -9])
    assert len(unzstd(whole[:block])) == size
    assert struct.unpack_from("<II", whole, block) == (0x184D2A5D, index - 8)
    head, *rows = map(json.loads, unzstd(whole[block + 8 : block + index]).splitlines())
    valid = Draft202012Validator(json.loads(schema("archive-index.json")))
    assert [error for row in (head, *rows) for error in valid.iter_errors(row)] == []
    assert (head, len(rows)) == ({"archive": 1, "games": 7, "blocks": [7]}, 7)
    assert not valid.is_valid({**head, "archive": "1"})


def test_all_of_it_is_audited(archived: Path) -> None:
    found = verdicts(archived)
    assert list(found) == list(games())
    assert [name for name, words in found.items() if words != "verified"] == ["race.txt"]  # it diverges on purpose


def test_a_cut_archive_has_its_first_games(archived: Path) -> None:
    archived.write_bytes(packed()[:-20])
    whole = verdicts(archived)
    assert whole.pop("").startswith("damaged: the list of blocks at its end is missing; games that could be read: 7")
    assert list(whole) == list(games())
    at, size = frames()[1]
    archived.write_bytes(packed()[: at + size - 1])
    cut = verdicts(archived)
    assert cut.pop("").startswith("damaged: the list of blocks at its end is missing; games that could be read: 2")
    assert list(cut.items()) == [(name, "verified") for name in list(games())[:2]]


def test_a_flipped_byte_costs_its_block_alone(archived: Path) -> None:
    (begin, size), names = frames()[1], list(games())
    for at in (begin, begin + size // 2, begin + size - 1):
        flipped = bytearray(packed())
        flipped[at] ^= 0x10
        archived.write_bytes(flipped)
        found = verdicts(archived)
        assert {name for name, words in found.items() if words.startswith("damaged: block 2 is damaged")} == set(names[2:4])
        assert [found[name] for name in (*names[:2], *names[4:6])] == ["verified"] * 4


def test_no_flipped_byte_anywhere_costs_other_games_their_verdict() -> None:
    """Whatever byte it is: at most the games of one block are not read, no wrong game is, and it is never passed over."""
    chosen, whole = random.Random(7), packed()
    right = [(name, sha256(data).hexdigest()) for name, data in games().items()]
    for at in sorted(chosen.sample(range(len(whole)), 40)) + list(range(len(whole) - 60, len(whole))):
        flipped = bytearray(whole)
        flipped[at] ^= 1 << chosen.randrange(8)
        archive, read = reader_of(bytes(flipped)), {}
        for number in range(1, archive.games + 1):
            try:
                name, data = archive.read(number)
            except adj.Untrusted:
                continue
            read[name] = data
        assert read.items() <= games().items()
        assert len(games()) - len(read) <= 2
        try:
            rows = [(row.name, row.hash) for row in archive.rows()]
        except adj.Untrusted:
            rows = []
        assert archive.damage or rows != right or read == games() or len(read) < archive.games  # a bit may be nobody's


def test_without_an_index_blocks_are_found_again() -> None:
    """Even where something has been written in between that is none."""
    pieces = (packed()[at : at + size] + b"\x28\xb5\x2f\xfd rubbish" for at, size in frames()[:-1])
    archive = reader_of(b"".join(pieces))
    assert archive.damage
    assert {archive.read(number) for number in range(1, archive.games + 1)} == set(games().items())


# What makes no sense.


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"", "its index "),  # damaged, or cut off: the libraries differ
        (zstd(b"[]\n"), "its index is damaged"),
        (zstd(b"[" * 100_000), "its index is damaged"),
        (zstd(b'{"archive":2,"games":3,"blocks":[3]}\n'), "its index is of format 2; this program reads 1"),
        (zstd(b'{"archive":1,"games":4,"blocks":[3]}\n'), "two things about how many games"),
        (zstd(b'{"archive":1,"games":0,"blocks":[]}\n'), "does not fit the list of its blocks"),
        (zstd(b'{"archive":1,"games":3,"blocks":[3,0]}\n'), "its index is damaged"),
        (zstd(b'{"archive":1,"games":3,"blocks":[true,2]}\n'), "its index is damaged"),
        (zstd(b'{"archive":1,"games":3000000,"blocks":[3000000]}\n'), "3,000,000 games; an archive has up to 1,000,000"),
        (zstd(b'{"archive":1,"games":3,"blocks":[3]}' + b" " * 20_000_000), "its index is damaged"),
    ],
)
def test_an_index_that_makes_no_sense(head: bytes, words: str) -> None:
    """The games are found without it."""
    whole = laid_out([(zstd(BLOCK), len(BLOCK))], head)
    archive = reader_of(whole)
    assert words in archive.damage
    assert [archive.read(number)[0] for number in (1, 2, 3)] == ["0.json", "1.json", "2.json"]


@pytest.mark.parametrize("lie", [{"name": "other.json"}, {"name": "2.json"}, {"hash": "0" * 64}])
def test_an_index_that_lies_about_a_game(lie: dict[str, str]) -> None:
    rows = [row_of(n, *one, **(lie if n == 2 else {})) for n, one in enumerate(SMALL, 1)]
    archive = opened(index=zstd(HEAD + b"".join(rows)))
    row = list(archive.rows())[1]
    with pytest.raises(adj.Untrusted, match="its name or hash in the index differs"):
        archive.read(2, row.name, row.hash)


def test_an_index_that_ends_too_early_or_is_odd_in_the_middle() -> None:
    for rows in (b"", b"{}\n", b'{"n":2}\n', b"x" * 100_000):
        archive = opened(index=zstd(HEAD + rows))
        assert not archive.damage
        with pytest.raises(adj.Untrusted, match="index is damaged"):
            list(archive.rows())
        assert archive.read(3)[0] == "2.json"
    archive = opened(index=zstd(b'{"archive":1,"games":2,"blocks":[2]}\n'))
    with pytest.raises(adj.Untrusted, match="block 1 has 3 games, its index says 2"):
        archive.read(1)


def frame(descriptor: int, header: bytes, *blocks: bytes) -> bytes:
    """Return a frame with raw ``blocks``, laid out by hand as RFC 8878 has it."""
    laid = [((len(one) << 3) | (at == len(blocks))).to_bytes(3, "little") + one for at, one in enumerate(blocks, 1)]
    return b"\x28\xb5\x2f\xfd" + bytes([descriptor]) + header + b"".join(laid)


def window(log: int) -> bytes:
    return bytes([(log - 10) << 3])


def wrong_checksum() -> bytes:
    changed = bytearray(zstd(BLOCK))
    changed[-1] ^= 1
    return bytes(changed)


RUBBISH = {
    "a window that would take all memory": frame(0, window(27), BLOCK),
    "such a window as the size of a single segment": frame(0x20 | 0xC0, (1 << 30).to_bytes(8, "little"), BLOCK),
    "a dictionary that nobody has": frame(1, window(20) + b"\x07", BLOCK),
    "a size that is not so": frame(0xC0, window(20) + (1 << 31).to_bytes(8, "little"), BLOCK),
    "a reserved bit": frame(0x08, window(20), BLOCK),
    "an unknown kind of block": b"\x28\xb5\x2f\xfd\x00" + window(20) + b"\x07\x00\x00",
    "no frame at all": b"rubbish",
    "rubbish after it": frame(0, window(20), BLOCK) + b"rubbish",
    "a wrong checksum": wrong_checksum(),
    "a bomb": zstd(bytes(50_000_000)),
}


@pytest.mark.parametrize("kind", RUBBISH)
def test_a_block_that_cannot_be_unpacked_costs_only_its_games(kind: str) -> None:
    """In little memory, whatever it says of itself."""
    rows = b"".join(row_of(n, *one) for n, one in enumerate(SMALL * 2, 1))
    index = zstd(b'{"archive":1,"games":6,"blocks":[3,3]}\n' + rows)
    tracemalloc.start()
    archive = opened((RUBBISH[kind], len(BLOCK)), (zstd(BLOCK), len(BLOCK)), index=index)
    with pytest.raises(adj.Untrusted, match="block 1 is damaged"):
        archive.read(1)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1 << 24
    assert archive.read(4) == SMALL[0]
    assert opened((frame(0, window(26), BLOCK), len(BLOCK))).read(1) == SMALL[0]  # the largest window that is read


def test_a_list_of_blocks_that_claims_more_than_there_is() -> None:
    for number in (0, 4, 2**31, 2**32 - 1):
        archive = reader_of(packed()[:-9] + struct.pack("<IBI", number, 0, 0x8F92EAB1))
        assert archive.damage
        assert archive.games == 7
    said = opened((zstd(bytes(1000)), 2**29))
    with pytest.raises(adj.Untrusted, match="block 1 is damaged: it was not unpacked: it claims to have 512 MB of text"):
        said.read(1)


def test_what_is_no_archive_at_all(tmp_path: Path) -> None:
    for data in (b"", b"x", b"\x28\xb5\x2f\xfd" * 40_000, zstd(b"no games\n"), random.Random(1).randbytes(100_000)):
        archive = reader_of(data)
        assert archive.damage
        assert (archive.games, list(archive.rows())) == (0, [])
    with pytest.raises(CannotRead, match="no such file"):
        open_archive(str(tmp_path / "nowhere.jsonl.zst"))
    with pytest.raises(CannotRead, match="cannot be opened"):
        open_archive(str(tmp_path))

    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    assert "Input/output error" in ArchiveReader(Failing(b"x" * 100), "x").damage


def test_many_games_take_little_memory_to_list_and_to_find() -> None:
    """20,000 games in two hundred blocks: nothing is held but the block that was read last and the list of blocks."""
    rows = b"".join(row_of(n, f"{n:06}", b"") for n in range(1, 20_001))
    head = json.dumps({"archive": 1, "games": 20_000, "blocks": [100] * 200}, separators=(",", ":")).encode() + b"\n"
    whole = io.BytesIO(laid_out([(b"x", 1)] * 200, zstd(head + rows)))
    del rows
    tracemalloc.start()
    archive = ArchiveReader(whole, "x")
    assert sum(1 for _ in archive.rows()) == archive.games == 20_000
    assert next(archive.rows(19_999)).n == 19_999
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 3_000_000


def test_the_library_that_packs_is_here() -> None:
    assert find_spec("compression.zstd" if sys.version_info >= (3, 14) else "zstandard") is not None
