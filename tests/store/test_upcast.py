"""Files of older formats: each step, with steps and with a ruleset's upgrades injected; see ``test_old_files`` too."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator import rulesets
from adjudicator.core.canonical import canonical_text, digest
from adjudicator.core.game import FORMAT, Game
from adjudicator.core.ruleset import Upgrade
from adjudicator.core.step import EngineFaultError
from adjudicator.files.errors import Untrusted, Violation
from adjudicator.files.reading import MOST_NESTED
from adjudicator.store import schema
from adjudicator.store.load import load_canonical, load_carefully, load_components, load_game, load_position
from adjudicator.store.save import dump_game
from adjudicator.store.upcast import UPCASTERS, Upcaster, upcast

Document = dict[str, Any]
Forge = Callable[[Document], bytes]


# Steps, with format 0 before the first: it had "name" for "id", and no notes.


def rename(document: Document, _rules: Any) -> Document:
    journal = [{**link, "entry": {**link["entry"], "notes": []}} for link in document["journal"]]
    changed = {**document, "id": document["name"], "journal": journal}
    del changed["name"]
    return changed


STEPS = {0: Upcaster(lambda old: () if old["journal"] else iter([Violation("$.journal", "is empty")]), rename), **UPCASTERS}


@pytest.fixture
def oldest(document: Document) -> Document:
    document["format"] = 0
    document["name"] = document.pop("id")
    for link in document["journal"]:
        del link["entry"]["notes"]
    return document


def test_every_older_format_has_its_step_and_its_schema(rules: Any) -> None:
    """A format without either would leave its files unreadable, or looked at by nobody."""
    assert list(UPCASTERS) == list(range(1, FORMAT))
    for number in UPCASTERS:
        assert schema.older_schema(rules.meta, number)
    assert schema.older_schema(rules.meta, 0) is schema.older_schema(rules.meta, FORMAT) is None


def test_the_present_format_is_left_alone(rules: Any) -> None:
    document = {"format": 1}
    assert upcast(document, 1, {}, rules) == (document, ())


def test_steps_follow_each_other(rules: Any) -> None:
    def step(document: Document, _rules: Any) -> Document:
        return {**document, "way": [*document["way"], document["format"]]}

    steps = {n: Upcaster(lambda _: iter(()), step) for n in (11, 12, 13)}
    before = {"format": 11, "way": []}
    assert upcast(before, 14, steps, rules) == ({"format": 14, "way": [11, 12, 13]}, ())
    assert before == {"format": 11, "way": []}


def test_a_file_that_is_wrong_in_its_own_format_takes_no_step(rules: Any) -> None:
    wrong = Violation("$.state", "cannot be")
    steps = {11: Upcaster(lambda _: iter((wrong,)), None), 12: Upcaster(iter, None)}
    assert upcast({"format": 11}, 13, steps, rules)[1] == (wrong,)


def test_a_missing_step(rules: Any) -> None:
    steps = {1: Upcaster(lambda _: iter(()), lambda document, _: document)}
    assert upcast({"format": 1}, 3, steps, rules)[1] == (Violation("$.format", "there is no format 2"),)
    assert upcast({"format": -1}, 3, steps, rules)[1] == (Violation("$.format", "there is no format -1"),)


def test_an_old_file_becomes_a_game_that_can_be_saved(oldest: Document, game: Game, forge: Forge) -> None:
    oldest["id"] = oldest["name"]  # as the hashes of format 1, to which it is brought first, ask for
    for link in oldest["journal"]:
        link["entry"]["notes"] = []
    forge(oldest)
    del oldest["id"]
    loaded = load_game(json.dumps(oldest).encode(), upcasters=STEPS)
    assert loaded == game
    assert load_game(dump_game(loaded)) == loaded


def test_an_old_file_is_verified_by_its_own_rules(oldest: Document) -> None:
    with pytest.raises(Untrusted, match=r"journal: is empty"):
        load_game(json.dumps({**oldest, "journal": []}).encode(), upcasters=STEPS)


def test_without_a_step_it_is_refused(oldest: Document) -> None:
    with pytest.raises(Untrusted, match="format 0"):
        load_game(json.dumps(oldest).encode())


# Format 1 of a ruleset from another package, whose own schema was never published.


@pytest.fixture
def old(document: Document) -> Document:
    """Return a file of format 1: what this ruleset stores has not changed since."""
    document["format"] = 1
    return document


@pytest.fixture
def upgraded(rules: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[Upgrade], None]:
    """Give the toy an upgrade from format 1."""

    def give(upgrade: Upgrade) -> None:
        changed = rules.changed(upgrades={1: upgrade})
        monkeypatch.setattr(rulesets, "ruleset", lambda _name: changed)

    return give


def refusal(data: bytes) -> list[str]:
    with pytest.raises(Untrusted) as caught:
        load_game(data)
    assert load_canonical(data) is None
    return [str(violation) for violation in caught.value.violations]


def both(data: bytes) -> Game:
    loaded = load_carefully("x", data)
    assert load_canonical(data) in (None, loaded)
    return loaded


def test_what_has_not_changed_keeps_its_published_hashes(old: Document, game: Game, forge: Forge) -> None:
    data = forge(old)
    assert b'"format":1,' in data
    assert both(data) == game
    assert [link.hash for link in both(data).journal] == [link["hash"] for link in old["journal"]]
    assert dump_game(both(data)) == data.replace(b'"format":1,', b'"format":%d,' % FORMAT)


def test_what_is_no_longer_stored_is_left_out_everywhere(
    old: Document, game: Game, forge: Forge, upgraded: Callable[[Upgrade], None]
) -> None:
    """In the state, before and after an amendment, in events, in the position, in a component set."""
    upgraded(
        Upgrade(
            components=Upgrade.without("colour"),
            position=Upgrade.without("weather"),
            state=Upgrade.without("height"),
            event=lambda event: Upgrade.without("echo")(event) if event["kind"] == "climbed" else event,
        )
    )
    state = old["state"]
    amended = {"kind": "amended", "before": {**state, "height": 7}, "after": {**state, "height": 8}, "reason": "so"}
    entry = {**old["journal"][-1]["entry"], "n": len(old["journal"]), "seat": "moderator", "events": [amended]}
    old["journal"].append({"entry": {**entry, "order": "AMEND", "written": None}, "hash": ""})
    old["state"] = {**state, "height": 8}
    old["setup"]["position"] = {"climbers": state["climbers"], "weather": "dry"}
    for link in old["journal"]:
        for event in link["entry"]["events"]:
            if event["kind"] == "climbed":
                event["echo"] = True
    rungs = [{"height": 1, "wood": "oak"}]
    old["setup"]["components"] = {"id": "own", "version": 1, "rungs": rungs, "colour": "red"}
    old["components"] = {"id": "own", "version": 1, "hash": digest(canonical_text(old["setup"]["components"]).encode())}
    loaded = both(forge(old))
    assert loaded.state == game.state
    (found,) = loaded.journal[-1].entry.events
    assert found.before == found.after == game.state
    assert loaded.setup.position.climbers == game.state.climbers
    assert loaded.components.hash != old["components"]["hash"]
    assert [link.entry.events for link in loaded.journal[:-1]] == [link.entry.events for link in game.journal]
    assert both(dump_game(loaded)) == loaded


def test_a_shipped_set_is_known_by_its_hash_then(
    old: Document, game: Game, forge: Forge, upgraded: Callable[[Upgrade], None]
) -> None:
    upgraded(Upgrade(shipped={"0" * 64: "standard"}))
    old["components"]["hash"] = "0" * 64
    loaded = both(forge(old))
    assert loaded.components == game.components
    assert loaded.journal[0].hash == game.journal[0].hash != old["journal"][0]["hash"]
    old["components"]["hash"] = "1" * 64
    (told,) = refusal(forge(old))
    assert told.startswith("components.hash: ") and "another set" in told


def test_an_upgrade_that_fails_is_a_bug_of_the_ruleset_and_names_the_part(
    old: Document, forge: Forge, upgraded: Callable[[Upgrade], None]
) -> None:
    def fail(_part: Document) -> Document:
        raise LookupError("no \x1b[2J such thing")

    def odd(part: Document) -> Document:
        return {**part, "height": 1.5}

    upgraded(Upgrade(state=fail))
    with pytest.raises(EngineFaultError) as caught:
        load_game(forge(old))
    assert str(caught.value) == "it cannot convert state from format 1: LookupError: no \x1b[2J such thing"
    assert caught.value.ruleset == "toy-ladder"
    upgraded(Upgrade(event=lambda event: odd(event) if event["kind"] == "rested" else event))
    words = r"journal\[1\].entry.events\[2\] from format 1: TypeError: float has no place in a file"
    with pytest.raises(EngineFaultError, match=words):
        load_game(forge(old))


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("chance",), [], "chance: must be a group of names and values, not a list"),
        (("chance", "secret"), 7, "chance.secret: must be text or null, not 7"),
        (("components", "hash"), "x", "components.hash: must have at least 64 characters, but has 1"),
        (("journal",), {}, "journal: must be a list, not a group of names and values"),
        (("journal",), [], "journal: must not be empty"),
        (("journal", 1), "x", "journal[1]: must be a group of names and values, not “x”"),
        (("journal", 1, "hash"), None, "journal[1].hash: must be text, not null"),
        (("journal", 1, "entry", "events"), [7], "journal[1].entry.events[0]: must be a group of names and values, not 7"),
        (("journal", 1, "entry", "events"), [{}], "journal[1].entry.events[0]: “kind” is missing"),
        (("journal", 1, "entry", "events"), [{"kind": []}], "journal[1].entry.events[0].kind: must be text, not a list"),
        (
            ("journal", 1, "entry", "events"),
            [{"kind": "amended", "before": [], "after": {}, "reason": "x"}],
            "journal[1].entry.events[0].before: must be a group of names and values, not a list",
        ),
        (("pending",), [[]], "pending[0]: must be a group of names and values, not a list"),
        (("seal",), 1, "seal: must be text, not 1"),
        (("setup", "components"), [], "setup.components: must be a group of names and values or null, not a list"),
        (("setup", "players"), {}, "setup.players: must be a list, not a group of names and values"),
        (("state",), None, "state: must be a group of names and values, not null"),
        (("hint",), 1, "the name “hint” is unknown here"),
    ],
)
def test_what_every_file_of_format_1_must_be_is_told(old: Document, path: tuple[Any, ...], value: Any, told: str) -> None:
    *way, last = path
    place: Any = old
    for key in way:
        place = place[key]
    place[last] = value
    assert told in refusal(json.dumps(old).encode())


@pytest.mark.parametrize("depth", [MOST_NESTED - 2, MOST_NESTED - 1, 900])
def test_lists_are_nested_only_so_deep(old: Document, depth: int) -> None:
    """The state of an old file is not in its schema; two objects are around the lists."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    found = refusal(json.dumps({**old, "state": {"x": value}}).encode())
    assert ("nested" in " ".join(found)) is (depth > MOST_NESTED - 2)


def test_what_was_changed_afterwards_is_told_in_the_words_of_today(old: Document, document: Document) -> None:
    def spoilt(change: Callable[[Document], Any]) -> tuple[list[str], list[str]]:
        found = []
        for number in (1, FORMAT):
            spoiled = {**copy.deepcopy(old), "format": number}
            change(spoiled)
            found.append(refusal(json.dumps(spoiled).encode()))
        return found[0], found[1]

    for change in (
        lambda game: game.update(id="renamed"),
        lambda game: game["journal"][2]["entry"].update(order="CLIMB 9"),
        lambda game: game["journal"][0]["entry"].update(drawn=7),
        lambda game: game["state"].update(wood=None),
        lambda game: game["journal"].pop(),
        lambda game: game.update(pending=[]),
        lambda game: game["chance"].update(secret=None),
    ):
        then, now = spoilt(change)
        assert then == now


def test_a_set_in_the_file_must_be_the_one_that_the_heading_names(old: Document, forge: Forge) -> None:
    """It stands outside of the hash chain: its own hash, which the heading holds, is all that keeps it."""
    own = {"id": "own", "version": 1, "rungs": [{"height": 1, "wood": "oak"}]}
    old["setup"]["components"] = own
    old["components"] = {"id": "own", "version": 1, "hash": digest(canonical_text(own).encode())}
    both(forge(old))
    own["rungs"][0]["height"] = 2
    assert [told.partition(":")[0] for told in refusal(forge(old))] == ["setup.components"]


# Component sets and positions of one's own name no format.


def test_a_set_and_a_position_of_an_older_format_are_read(
    rules: Any, toy: Any, upgraded: Callable[[Upgrade], None], tmp_path: Path
) -> None:
    upgrade = Upgrade(components=Upgrade.without("colour"), position=Upgrade.without("weather"))
    changed = rules.changed(upgrades={1: upgrade})
    own = b'{"id": "own", "version": 1, "rungs": [{"height": 2}]%s}'
    assert load_components(own % b', "colour": "red"', changed) == load_components(own % b"", changed)
    placed = b'{"climbers": [{"seat": "red"}]%s}'
    assert load_position(placed % b', "weather": 7', changed) == load_position(placed % b"", rules)
    with pytest.raises(Untrusted, match="the name “colour” is unknown here"):
        load_components(own % b', "colour": "red"', rules)


@pytest.mark.parametrize("data", [b"[]", b"7", b"null", b'{"rungs": 7}', b'{"id": []}'])
def test_what_no_upgrade_can_read_is_told_by_the_schema(rules: Any, data: bytes) -> None:
    def fail(part: Document) -> Document:
        return {**part, "rungs": [rung["height"] for rung in part["rungs"]]}

    changed = rules.changed(upgrades={1: Upgrade(components=fail)})
    with pytest.raises(Untrusted) as caught:
        load_components(data, changed)
    with pytest.raises(Untrusted) as plain:
        load_components(data, rules)
    assert caught.value.violations == plain.value.violations
