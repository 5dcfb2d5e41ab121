"""Long games are read piece by piece: the same game, the same complaints, and little memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core.canonical import canonical_text
from adjudicator.core.game import Game
from adjudicator.store import bulk
from adjudicator.store.errors import Untrusted
from adjudicator.store.layout import game_text
from adjudicator.store.lines import lines_of
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

pytest.importorskip("jsonschema_rs")

Forge = Callable[[dict[str, Any]], bytes]


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every game be read as if it were long, a few entries at once."""
    monkeypatch.setattr(bulk, "_PIECE", 1_000)


@pytest.mark.usefixtures("in_pieces")
def test_a_game_read_in_pieces_is_the_same_game(game: Game) -> None:
    data = dump_game(game)
    lines = lines_of(data)
    assert lines is not None and len(list(lines.runs(1_000))) > 1
    assert [number for run in lines.runs(1_000) for number in run] == list(range(len(game.journal)))
    assert bulk.load(data) == game
    assert load_game(data, bulk=True) == load_game(data) == game


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("at", [0, 1, -1])
@pytest.mark.parametrize("name", ["order", "drawn", "turn", "n", "seat"])
def test_what_is_changed_in_any_piece_is_named(game: Game, at: int, name: str) -> None:
    document = json.loads(dump_game(game))
    document["journal"][at]["entry"][name] = 7
    links = [(canonical_text(link["entry"]), link["hash"]) for link in document["journal"]]
    spoiled = game_text(document, links, canonical_text).encode()
    assert bulk.load(spoiled) is None
    with pytest.raises(Untrusted) as careful:
        load_game(spoiled)
    with pytest.raises(Untrusted) as quick:
        load_game(spoiled, bulk=True)
    assert quick.value.violations == careful.value.violations


@pytest.mark.usefixtures("in_pieces")
def test_entries_that_fit_the_chain_and_not_the_numbering_are_refused(game: Game, forge: Forge) -> None:
    document = json.loads(dump_game(game))
    document["journal"].pop(1)
    assert bulk.load(forge(document)) is None
    assert bulk.load(dump_game(game).replace(game.seal.encode(), b"0" * 64)) is None


@pytest.mark.usefixtures("in_pieces")
def test_games_of_an_older_format_are_read_as_before() -> None:
    link = b'{"entry":{},"hash":"%s"}' % (b"0" * 64)
    data = b'{"components":{},\n"format":1,\n"journal":[\n%s\n],\n"seal":""}\n%s' % (link, b" " * 2_000)
    assert lines_of(data) is not None
    assert bulk.load(data) is None


@pytest.mark.parametrize("change", [
    lambda data: data.replace(b'"journal":[\n', b'"journal":['),
    lambda data: data.replace(b'"},\n{"entry"', b'"}\n{"entry"', 1),
    lambda data: data.replace(b'"}\n],', b'"},\n],'),
    lambda data: data.replace(b'{"entry":', b'{"entri":', 1),
    lambda data: b'"journal":[\n],\n',
    lambda data: b"",
])  # fmt: skip
def test_other_layouts_are_no_lines(game: Game, change: Callable[[bytes], bytes]) -> None:
    assert lines_of(change(dump_game(game))) is None
