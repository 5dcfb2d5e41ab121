"""A game as a line: JSON that anybody can read, and the same file back, byte for byte, whatever it is."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from adjudicator.sources import archive_lines as lines
from adjudicator.sources.archive_lines import BadLineError, pack_game, unpack_game
from adjudicator.store import schema


def test_every_game_comes_back_as_it_was(games: dict[str, bytes]) -> None:
    for name, data in games.items():
        packed = pack_game(name, data)
        assert unpack_game(packed.line) == (name, sha256(data).hexdigest(), data)


def test_a_line_is_the_game_as_json_but_for_hashes_that_follow(games: dict[str, bytes]) -> None:
    """Whoever has no more than JSON and SHA-256 has the whole game."""
    valid = Draft202012Validator(json.loads(schema.text(schema.ARCHIVE_LINE)))
    for name, data in games.items():
        line = pack_game(name, data).line
        assert b"\n" not in line
        told: Any = json.loads(line)
        assert list(valid.iter_errors(told)) == []
        if "text" in told:
            assert told["text"].encode() == data
            continue
        whole, before = json.loads(data), ""
        for link, real in zip(told["game"]["journal"], whole["journal"], strict=True):
            canonical = json.dumps(link["entry"], ensure_ascii=False, separators=(",", ":"), sort_keys=True)
            link["hash"] = link["hash"] or sha256((before + canonical).encode()).hexdigest()
            before = link["hash"]
            assert before == real["hash"]
        assert told["game"] == whole


def test_hashes_that_follow_are_left_out_and_others_stay(games: dict[str, bytes]) -> None:
    name, data = next(iter(games.items()))
    document = json.loads(data)
    assert pack_game(name, data).line.count(b'"hash":""') == len(document["journal"]) - 1
    wrong = data.replace(document["journal"][3]["hash"].encode(), b"0" * 64)
    line = pack_game(name, wrong).line
    assert line.count(b'"hash":""') == len(document["journal"]) - 3
    assert unpack_game(line)[2] == wrong


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
    line = pack_game('a "name"\n', data).line
    assert b"\n" not in line
    assert unpack_game(line)[0] == 'a "name"\n'
    assert unpack_game(line)[2] == data
    assert json.loads(line) if data.count(b"{") < 100 else True


@settings(max_examples=40)
@given(st.text(), st.text())
def test_any_text_under_any_name_comes_back(name: str, text: str) -> None:
    if name.isprintable():
        assert unpack_game(pack_game(name, text.encode()).line)[::2] == (name, text.encode())


_PIECES = st.sampled_from(['{"entry":', '1,"hash":"', "0" * 64, '"}', ",", "\n", "{", "}", "\t", '{"entry":2,"hash":""}'])


@given(st.lists(_PIECES, max_size=30))
def test_whatever_looks_like_a_journal_comes_back(pieces: list[str]) -> None:
    data = "".join(pieces).encode()
    assert unpack_game(pack_game("x", data).line)[2] == data


def test_what_no_archive_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadLineError, match="in UTF-8"):
        pack_game("x", b"\xff")
    monkeypatch.setattr(lines, "LARGEST", 1024 * 1024)
    with pytest.raises(BadLineError, match="it has 1 MB, and the limit is 1 MB"):
        pack_game("x", b" " * (1024 * 1024 + 1))


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b'{"hash":"","name":"x","text":""}', b'{"hash":"' + b"0" * 64 + b'","name":"x","text":1}', b"[" * 100_000],
)
def test_a_line_of_something_else_is_refused(line: bytes) -> None:
    with pytest.raises(BadLineError, match="this is not a line of an archive"):
        unpack_game(line)


def test_every_changed_byte_of_a_line_is_found(games: dict[str, bytes]) -> None:
    name, data = next(iter(games.items()))
    line = pack_game(name, data).line
    body = line.index(b'"game":') + 7
    for at in range(body, len(line) - 1, 97):
        changed = bytearray(line)
        changed[at] ^= 1
        with pytest.raises(BadLineError):
            unpack_game(bytes(changed))
