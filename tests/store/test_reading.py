"""Hostile and careless bytes: refused with the place and the reason, never with a traceback."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.game import Game
from adjudicator.files import reading
from adjudicator.files.errors import CannotRead, Untrusted
from adjudicator.files.reading import member, parse, quoted, read, trail
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game


def refusal(data: bytes) -> str:
    with pytest.raises(Untrusted) as caught:
        parse("f.json", data)
    return "\n".join(str(violation) for violation in caught.value.violations)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (b" \n\t", "the file is empty"),
        (b'{"a":1,', "this is not complete JSON: it ends too early, in line 1; is the file cut off?"),
        (b'{"a":\n"bc', "this is not complete JSON: it ends too early, in line 2; is the file cut off?"),
        (b'{"a":1}\n]', "this is not JSON: line 2, column 1: there is more text after the last closing bracket"),
        (b"game rally-042", "this is not JSON: it begins with “game rally-042”"),
        (b'{"a":"\x80"}', "this is not text in UTF-8: byte 7 of 9 is wrong"),
        (b"\xff\xfe{\x00}\x00", "UTF-16"),
        (b'{"a":{"b":1,"b":1}}', "a: the name “b” appears twice"),
        (b'[{"x":1,"y":2,"x":3}]', "[0]: the name “x” appears twice"),
        (b'{"a":[1,1.0]}', "a[1]: must be written as a whole number: 1"),
        (b'{"a":1e2}', "a: must be written as a whole number: 100"),
        (b'{"a":2.5}', "a: must be a whole number, not 2.5"),
        (b'{"a":1e999}', "a: must be a whole number"),
        (b'{"a":NaN,"b":-Infinity}', "b: must be a whole number"),
        (b'{"a b":["\\ud800"]}', "[“a b”][0]: “\\ud800” contains half a character (a lone surrogate)"),
        (b'{"\\udc00x":1}', "“\\udc00x” contains half a character (a lone surrogate)"),
        (b"[" * 100_000, "the brackets are nested too deeply"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "the brackets are nested too deeply"),
        (b'{"a":' + b"9" * 5000 + b"}", "a number in the file has thousands of digits"),
    ],
)
def test_refused_with_place_and_reason(data: bytes, words: str) -> None:
    assert words in refusal(data)


def test_every_odd_thing_is_told_at_once() -> None:
    told = refusal(b'{"a":1.5,"a":[NaN,{"b":1,"b":2}],"c":"\\ud834"}')
    assert told.count("\n") == 3
    assert "a[1]: the name “b” appears twice" in told


def test_whole_characters_written_as_pairs_are_fine() -> None:
    assert parse("f", b'"\\ud834\\udd1e"')[1] == "\N{MUSICAL SYMBOL G CLEF}"


@given(st.binary(max_size=60))
def test_any_bytes_are_parsed_or_refused(data: bytes) -> None:
    try:
        _, found = parse("f", data)
    except Untrusted:
        return
    assert found == json.loads(data.removeprefix(b"\xef\xbb\xbf"))


@pytest.mark.parametrize("share", range(0, 100, 2))
def test_a_file_cut_off_anywhere_is_refused(game: Game, share: int) -> None:
    data = dump_game(game)
    with pytest.raises(Untrusted):
        load_game(data[: len(data) * share // 100])


def test_only_the_line_end_may_be_missing(game: Game) -> None:
    data = dump_game(game)
    assert load_game(data[:-1]) == game
    with pytest.raises(Untrusted, match="cut off"):
        load_game(data[:-2])


@pytest.mark.parametrize("depth", [50, 300, *range(800, 1000, 10), 5000])
def test_nesting_of_any_depth_in_a_game_is_refused(document: dict[str, Any], depth: int) -> None:
    document["state"] = "@"
    data = json.dumps(document).encode().replace(b'"@"', b"[" * depth + b"]" * depth)
    with pytest.raises(Untrusted):
        load_game(data)
    with pytest.raises(Untrusted):
        load_game(data)


def test_missing_folder_and_odd_names(tmp_path: Path) -> None:
    for name, words in (
        (tmp_path / "none.json", "there is no such file"),
        (tmp_path, "this is a folder"),
        (tmp_path / "none" / "x", "there is no such file"),
        ("a\0b", "this is not a valid file name"),
        (tmp_path / ("x" * 300), "cannot be read"),
    ):
        with pytest.raises(CannotRead, match=words):
            load_game(name)


def test_not_permitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CannotRead, match="permission to read"):
        read(tmp_path / "x")


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LIMIT", 10)
    (tmp_path / "x").write_bytes(b"x" * 11)
    with pytest.raises(CannotRead, match="larger than"):
        read(tmp_path / "x")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x" * 11)))
    with pytest.raises(CannotRead, match=r"standard input: .*larger than"):
        read("-")
    (tmp_path / "x").write_bytes(b"x" * 10)
    assert read(tmp_path / "x")[1] == b"x" * 10


def test_paths_and_quotes_are_safe_to_print() -> None:
    assert trail(["state", "racers", 0, "minutes"]) == "$.state.racers[0].minutes"
    assert member("$", "a\x1b[31m") == "$[“a\\u001b[31m”]"
    assert quoted("x" * 100) == "“" + "x" * 59 + "…”"
    assert quoted("\u202eevil\n") == "“\\u202eevil\\u000a”"
