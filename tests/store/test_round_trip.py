"""What is saved is what is loaded, byte for byte and value for value."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.core.canonical import canonical_text
from adjudicator.core.chance import ChanceRecord
from adjudicator.core.game import Game, PendingOrder, PendingSheet
from adjudicator.core.journal import Entry, link
from adjudicator.core.rules import AnyRuleset
from adjudicator.store import components
from adjudicator.store.load import load_canonical, load_game
from adjudicator.store.save import dump_game


def test_load_gives_the_game_that_was_dumped(game: Game) -> None:
    loaded = load_game(dump_game(game))
    assert loaded == game
    assert load_game(dump_game(loaded)) == loaded


def test_same_game_same_bytes(make_game: Callable[..., Game]) -> None:
    assert dump_game(make_game()) == dump_game(make_game())
    assert dump_game(load_game(dump_game(make_game()))) == dump_game(make_game())


def test_the_file_is_one_line_for_each_name_and_each_entry(game: Game) -> None:
    data = dump_game(game)
    lines = data.decode().split("\n")
    assert lines[-1] == ""
    assert len(lines) == 1 + 10 + 1 + len(game.journal)
    assert all(json.loads(line.rstrip(","))["entry"]["n"] == n for n, line in enumerate(lines[5 : 5 + len(game.journal)]))
    assert data.replace(b"\n", b"").decode() == canonical_text(json.loads(data))


def test_one_more_order_changes_few_lines(make_game: Callable[..., Game]) -> None:
    before = set(dump_game(make_game(orders=2, pending=0)).split(b"\n"))
    after = set(dump_game(make_game(orders=4, pending=0)).split(b"\n"))
    # The last entry gains a comma; state and seal change.
    assert len(before - after) == 3


def test_a_path_and_standard_input_and_bytes(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = dump_game(game)
    file = tmp_path / "game.json"
    file.write_bytes(data)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    assert load_game(file) == load_game(str(file)) == load_game(data) == load_game("-") == game


def test_layout_does_not_matter_to_the_reader(game: Game) -> None:
    spread = json.dumps(json.loads(dump_game(game)), indent=4, ensure_ascii=True)
    assert load_game(spread.encode()) == game
    assert load_game(b"\xef\xbb\xbf" + spread.replace("\n", "\r\n").encode()) == game


def test_a_shipped_set_is_named_only(game: Game, rules: AnyRuleset) -> None:
    document = json.loads(dump_game(game))
    assert document["setup"]["components"] is None
    assert document["components"]["id"] == "standard"
    assert load_game(dump_game(game)).setup.components == components.shipped(rules)[0]


def own_set(game: Game) -> dict[str, Any]:
    own = replace(game.setup.components, rungs=game.setup.components.rungs[:2])
    return {"components": components.reference(own), "setup": replace(game.setup, components=own)}


def test_a_moderators_own_set_is_embedded_even_under_a_shipped_name(make_game: Callable[..., Game], game: Game) -> None:
    own = make_game(**own_set(game))
    data = dump_game(own)
    assert len(json.loads(data)["setup"]["components"]["rungs"]) == 2
    assert load_game(data) == own == load_canonical(data)


def test_dump_refuses_components_that_the_heading_does_not_name(game: Game) -> None:
    with pytest.raises(ValueError, match="heading"):
        dump_game(replace(game, components=replace(game.components, version=7)))


def test_explicit_position_and_recorded_chance(make_game: Callable[..., Game], game: Game, toy: ModuleType) -> None:
    position = toy.Position(climbers=(toy.Climber(seat="red", rung=7, tool=toy.Saw((90,))), toy.Climber(seat="blue")))
    setup = replace(game.setup, position=position)
    recorded = make_game(orders=0, setup=setup, chance=ChanceRecord(source="recorded"))
    assert recorded.state.climbers[0].rung == 7
    assert load_game(dump_game(recorded)) == recorded == load_canonical(dump_game(recorded))


def test_secret_may_be_withheld(make_game: Callable[..., Game], game: Game) -> None:
    veiled = replace(game, chance=replace(game.chance, secret=None))
    assert load_game(dump_game(veiled)) == veiled == load_canonical(dump_game(veiled))


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.tuples(words, st.one_of(st.none(), words), st.lists(words, max_size=2)), max_size=4),
    options=st.dictionaries(words, words, max_size=3),
    pending=st.lists(words, max_size=3),
)
def test_any_words_survive(
    lines: list[tuple[str, str | None, list[str]]],
    options: dict[str, str],
    pending: list[str],
    make_game: Callable[..., Game],
    game: Game,
    toy: ModuleType,
) -> None:
    made = make_game(orders=0, setup=replace(game.setup, options=options))
    for n, (order, written, notes) in enumerate(lines, start=1):
        events = (toy.Climbed(seat="red", rungs=n), toy.Rested(seat="red"))
        entry = Entry(n=n, turn=1, seat="red", order=order, written=written, notes=tuple(notes), events=events, drawn=n)
        made = replace(made, journal=made.journal.extended([link(made.head, entry)]))
    orders = tuple(PendingOrder(line, text) for line, text in enumerate(pending))
    made = replace(made, pending=(PendingSheet("blue", 2, orders),))
    data = dump_game(made)
    assert load_game(data) == made
    assert load_canonical(data) == made
    assert dump_game(load_game(data)) == data
