"""A ruleset whose author gave the state or an event another shape, and kept the version: the file is not to blame."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from adjudicator import rulesets
from adjudicator.audit.audit_source import audit_source
from adjudicator.cli.files import Opened
from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game
from adjudicator.files.errors import RulesetChanged, Untrusted
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game
from adjudicator.store.upcast import is_whole
from adjudicator.verdict import Kind, Verdict

REMEDY = "its author must declare a new field with `added_later`, raise `version` or write an upcast"


@pytest.fixture
def data(game: Game, rules: Any, toy: Any, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return the file of a game that was written before the state had ``laps``."""

    @frozen(kw_only=True)
    class State(toy.State):  # type: ignore[misc, name-defined]
        laps: int

    written = dump_game(game)
    changed = rules.changed(types=replace(rules.types, state=State))
    monkeypatch.setattr(rulesets, "ruleset", lambda _name: changed)
    return written


def judged(data: bytes) -> Verdict:
    with Opener() as opener:
        found = audit_source(Source("game.json", "-", is_named=True, data=data), opener)
    assert isinstance(found, Verdict)
    return found


def test_the_author_is_told_what_to_do(data: bytes) -> None:
    with pytest.raises(RulesetChanged) as caught:
        load_game(data)
    assert "the file is undamaged, but the ruleset “toy-ladder” has changed since: " + REMEDY in str(caught.value)
    assert "state: “laps” is missing" in str(caught.value)
    with pytest.raises(RulesetChanged, match=r"^game\.json: the file is undamaged, but the ruleset"):
        Opened().game_of("game.json", data)


def test_the_audit_calls_it_another_version_and_not_damage(data: bytes) -> None:
    divergence = judged(data).divergence
    assert divergence is not None
    assert (divergence.kind, divergence.field) == (Kind.VERSION, "state")
    assert divergence.recomputed.startswith(
        "“laps” is missing: the file is undamaged, but the ruleset “toy-ladder” has changed"
    )
    assert divergence.recomputed.endswith(REMEDY)


@pytest.mark.parametrize("name", ["state", "journal", "id"])
def test_a_file_that_was_changed_as_well_stays_damaged(data: bytes, name: str) -> None:
    document = json.loads(data)
    if name == "state":
        document["state"]["climbers"][0]["seconds"] += 1
    elif name == "journal":
        document["journal"][1]["entry"]["order"] = "CLIMB 9"
    else:
        document["id"] = 7
    divergence = judged(json.dumps(document).encode()).divergence
    assert divergence is not None
    assert divergence.kind is Kind.DAMAGED


def test_every_part_of_a_file_is_under_its_hashes(make_game: Callable[..., Game], document: dict[str, Any]) -> None:
    """The check that a file is whole looks at its text alone: it must come to the hashes that the objects have."""
    assert is_whole(document)
    assert is_whole(json.loads(dump_game(replace(make_game(2), reported=1, languages=("de",)))))
    assert not is_whole({**document, "reported": 1})


def test_a_deleted_entry_is_one_violation(document: dict[str, Any]) -> None:
    journal = document["journal"]
    for changed, told in (
        ([*journal[:2], *journal[3:]], "journal[2]: somebody has deleted entry 2: entry 3 follows entry 1"),
        (
            [journal[0], *journal[3:]],
            "journal[1]: somebody has deleted entries 1 to 2: entry 3 follows entry 0",
        ),
        (journal[1:], "journal[0]: somebody has deleted entry 0: entry 1 comes first"),
    ):
        with pytest.raises(Untrusted) as caught:
            load_game(json.dumps({**document, "journal": changed}).encode())
        assert [str(violation) for violation in caught.value.violations] == [told]
    exchanged = [journal[0], journal[2], journal[1], *journal[3:]]
    with pytest.raises(Untrusted, match=r"somebody has changed entry 2 .*: it does not fit its hash"):
        load_game(json.dumps({**document, "journal": exchanged}).encode())
    with pytest.raises(Untrusted, match="the last entries"):
        load_game(json.dumps({**document, "journal": journal[:-1]}).encode())
