"""Files of older formats, with a step injected: format 1 is the first, so there is none of our own yet."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core.game import Game
from adjudicator.store.errors import Untrusted, Violation
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game
from adjudicator.store.upcast import UPCASTERS, Upcaster, upcast

Document = dict[str, Any]


def upgrade(document: Document) -> Document:
    """Format 0 had "name" for "id", and no notes."""
    journal = [{**link, "entry": {**link["entry"], "notes": []}} for link in document["journal"]]
    changed = {**document, "id": document["name"], "journal": journal}
    del changed["name"]
    return changed


STEPS = {0: Upcaster(lambda document: () if document["journal"] else (Violation("$.journal", "is empty"),), upgrade)}


@pytest.fixture
def old(document: Document) -> Document:
    document["format"] = 0
    document["name"] = document.pop("id")
    for link in document["journal"]:
        del link["entry"]["notes"]
    return document


def test_there_is_no_older_format_yet() -> None:
    assert UPCASTERS == {}


def test_the_present_format_is_left_alone() -> None:
    document = {"format": 1}
    assert upcast(document, 1, {}) == (document, ())


def test_steps_follow_each_other() -> None:
    steps = {
        n: Upcaster(lambda _: (), lambda document: {**document, "way": [*document["way"], document["format"]]})
        for n in (1, 2, 3)
    }
    before = {"format": 1, "way": []}
    assert upcast(before, 4, steps) == ({"format": 4, "way": [1, 2, 3]}, ())
    assert before == {"format": 1, "way": []}


def test_a_missing_step() -> None:
    steps = {1: Upcaster(lambda _: (), dict)}
    assert upcast({"format": 1}, 3, steps)[1] == (Violation("$.format", "there is no format 2"),)
    assert upcast({"format": -1}, 3, steps)[1] == (Violation("$.format", "there is no format -1"),)


def test_an_old_file_becomes_a_game_that_can_be_saved(old: Document, game: Game) -> None:
    loaded = load_game(json.dumps(old).encode(), upcasters=STEPS)
    assert loaded == game  # the toy's notes were empty, so even the hashes made anew are the same
    assert load_game(dump_game(loaded)) == loaded


def test_an_old_file_is_verified_by_its_own_rules(old: Document) -> None:
    with pytest.raises(Untrusted, match=r"\$\.journal: is empty"):
        load_game(json.dumps({**old, "journal": []}).encode(), upcasters=STEPS)


def test_without_a_step_it_is_refused(old: Document) -> None:
    with pytest.raises(Untrusted, match="there is no format 0"):
        load_game(json.dumps(old).encode())


def test_hashes_are_made_anew(old: Document, game: Game, make_game: Callable[..., Game]) -> None:
    for link in old["journal"]:
        link["hash"] = "0" * 64
    old["name"] = "renamed"
    loaded = load_game(json.dumps(old).encode(), upcasters=STEPS)
    assert loaded.journal[-1].hash != game.journal[-1].hash
    assert loaded == make_game(id="renamed")
    assert load_game(dump_game(loaded)) == loaded
