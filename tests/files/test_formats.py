"""Game files, component sets and positions of every format are read for ever; schemas are published, strict and pinned."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from jsonschema import Draft202012Validator

import adjudicator as adj
from adjudicator import game as kit
from adjudicator.library.errors import EngineFaultError
from adjudicator.library.opening import read_players
from adjudicator.library.rulesets import MissingResource, component_set, schema_names
from adjudicator.library.rulesets import schema as library_schema
from tests.drivers import toy
from tests.drivers.records import (
    ROOT,
    RULESETS,
    Document,
    canonical,
    digest,
    forge,
    laid_out,
    put,
    refusal,
    sealed,
    small,
    spoiled,
    verdict,
)

FORMAT = 2
PINS = {
    "checkered-flag": "9197b0129f6f5ba05cb7699a5d118b387cc3a98371a84ccd0ea4a3fd54a2fd32",
    "checkpoint-charlie": "4aea1eb7e7df8aeeff57138214e37155e4afa93beb769f0d471c76da580a044a",
    "checkpoint-rally": "fcee01bf01a7f12c0427372cb6bd4071bbfba4882b3ae9f69b806ae53bae1592",
    "great-race": "befaaee23421d54fd95f7099c8fff18814692338991ed8b910720dd1c03926bf",
    "rally-round": "c7effb33b3aa1036b4b609a33fc6c52300b33f3d1a5db3612b5de82f35a03cd1",
}
"""SHA-256 over the shape of each ruleset's game files of format 2: state, events, set-up and all."""
CHANGED = """
The game files of {ruleset} no longer have the shape that format {format} was pinned with: `git diff schemas/` shows where.
Games are kept for years, so that every file must be read for ever. If files of the old shape are still read by the new one
(something longer or larger is allowed, an event was added), pin the new shape here:

    {found}

If not, this is a new format:
 1. raise the number of the format;
 2. keep the schemas as they were in schemas/format-{format}/ (with a general game-file.json, see schemas/format-1);
 3. say in the ruleset's `upgrades` what changed in its parts, and write the step from this format to the next;
 4. keep the games as they were in tests/data/games/format-{format}/ and read them all here;
 5. pin the new shape here under its number, and tell it in docs/game-file.md and CHANGELOG.md.
"""
OLD = ROOT / "tests" / "data" / "games" / "format-1"
PARTS = sorted((OLD / "parts").glob("*.json"))


def shape(part: Any) -> Any:
    """Return ``part`` of a schema without the words that only explain it, and without numbers of formats."""
    if isinstance(part, dict):
        told = ("description", "title", "$id", "$schema")
        return {key: shape(value) for key, value in part.items() if not (key in told and isinstance(value, str))}
    return [shape(item) for item in part] if isinstance(part, list) else part


def parts(schema: Any) -> list[dict[str, Any]]:
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    found = [part for value in inner for part in parts(value)]
    return [schema, *found] if isinstance(schema, dict) else found


# Schemas -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_shape_of_game_files_is_that_of_their_format(ruleset: str) -> None:
    found = sha256(canonical(shape(json.loads(library_schema(f"{ruleset}.game-file.json"))))).hexdigest()
    assert found == PINS[ruleset], CHANGED.format(ruleset=ruleset, format=FORMAT, found=found)


def test_the_schemas_of_an_older_format_stay_as_they_were_published() -> None:
    published = sha256()
    for file in sorted((ROOT / "schemas" / "format-1").iterdir(), key=lambda file: file.name):
        published.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    assert published.hexdigest() == "1f52b636ccc95541fb055d2bece515d7d89a8eba4008c0ab9bcdca461ec54c11"


def test_the_published_schemas_are_those_that_the_classes_give_and_no_others(tmp_path: Path) -> None:
    # If this fails: python -m adjudicator.store.schema
    from adjudicator.store import schema

    (tmp_path / "old.json").write_text("{}")
    schema.write(tmp_path)
    assert {file.name: file.read_text("utf-8") for file in tmp_path.iterdir()} == {
        name: library_schema(name) for name in schema_names()
    }
    with pytest.raises(MissingResource, match=r"no schema has the name “\.\./pyproject\.toml”"):
        library_schema("../pyproject.toml")


@pytest.mark.parametrize("name", schema_names())
def test_each_schema_has_an_identity_and_is_closed_bounded_and_tells_kinds_apart(name: str) -> None:
    schema = json.loads(library_schema(name))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:adjudicator:{name.removesuffix('.json').replace('.', ':')}:{FORMAT}"
    assert schema["title"] and schema["description"]
    wrong = [part for part in parts(schema) if {"oneOf", "discriminator"} & part.keys()]
    for part in parts(schema):
        if part.get("type") == "object" and not {"additionalProperties", "allOf"} & part.keys():
            wrong.append(part)
        if part.get("type") == "integer" and not {"const", "enum"} & part.keys():
            wrong += [] if {"minimum", "maximum"} <= part.keys() else [part]
        if part.get("minLength") == 64 and part["pattern"] != "^[0-9a-f]{64}$":
            wrong.append(part)
        if "allOf" in part:
            kinds = [branch["if"]["properties"]["kind"]["const"] for branch in part["allOf"]]
            wrong += [] if (part["required"], part["properties"]["kind"]["enum"]) == (["kind"], kinds) else [part]
    assert wrong == []
    if name.endswith(".components.json") and "output" not in name:  # a copy of a set is the template of moderators
        fields = [field for part in parts(schema) for field in part.get("properties", {}).items()]
        assert [field for field, told in fields if not told.get("description", "").endswith(".")] == []
        assert len(fields) > 10


def test_a_game_file_may_lack_what_was_added_later_and_nothing_else() -> None:
    later = {"border_order", "identity", "languages", "promised", "receipts", "reported", "set_aside", "without"}
    schema = json.loads(library_schema("checkpoint-rally.game-file.json"))
    closed = [part for part in parts(schema) if part.get("additionalProperties") is False]
    assert len(closed) > 20
    assert [part for part in closed if part["required"] != [name for name in part["properties"] if name not in later]] == []
    components = schema["$defs"]["Components"]
    optional = [set(part["properties"]) - set(part["required"]) for part in (schema, components)]
    assert optional == [{"languages", "receipts", "reported", "set_aside"}, {"border_order"}]
    assert components["properties"]["border_order"]["default"] == "compass"


def test_logs_and_component_sets_obey_their_schemas(run: Any) -> None:
    row, rows = Draft202012Validator(json.loads(library_schema("turn-log.json"))), []
    for ruleset in RULESETS:
        Path("g.json").write_bytes(small(ruleset))
        rows += [json.loads(line) for line in run("log", "g.json", "--json", "--as", "moderator").stdout.splitlines()]
        schema = Draft202012Validator(json.loads(library_schema(f"{ruleset}.components.json")))
        assert list(schema.iter_errors(json.loads(json.dumps(component_set(ruleset).parts)))) == []
    assert [one for one in rows if not row.is_valid(one)] == []
    assert len(rows) > 30
    assert not row.is_valid({**rows[0], "extra": 1})
    assert not row.is_valid({key: value for key, value in rows[0].items() if key != "why"})


# Files of format 1, kept as they were written ------------------------------------------------------------------------


@cache
def games() -> dict[str, bytes]:
    with ZipFile(OLD / "games.zip") as archive:
        return {name: archive.read(name) for name in sorted(archive.namelist()) if name.endswith(".json")}


NAMES = sorted(games())
SAMPLE = [*NAMES[::16], *(name for name in NAMES if name.startswith("midway/"))]


def first_amendment(document: Document) -> int:
    """Return the number of the first entry that holds a whole state, or of entries if there is none."""
    kinds = [{event["kind"] for event in link["entry"]["events"]} for link in document["journal"]]
    return next((n for n, found in enumerate(kinds) if "amended" in found), len(kinds))


def test_the_old_files_are_those_that_were_written() -> None:
    """They are never made anew; and there are games of every kind."""
    written = sha256()
    for name, data in [*games().items(), *((path.name, path.read_bytes()) for path in PARTS)]:
        written.update(name.encode() + b"\0" + data + b"\0")
    assert written.hexdigest() == "f180fd824c1a4a66580d846f329d79b86260c61bb2dfbdc6516361be94657e8d"
    texts = [data.decode() for data in games().values()]
    assert (len(texts), all('"format":1,' in text for text in texts)) == (148, True)
    for ruleset in ("checkered-flag", "checkpoint-charlie", "checkpoint-rally"):
        own = [text for text in texts if f'"ruleset":{{"id":"{ruleset}"' in text]
        signs = ('"kind":"amended"', '"source":"recorded"', '"pending":[{')
        assert [any(sign in text for text in own) for sign in signs] == [True] * 3


@pytest.mark.parametrize("name", [*SAMPLE, *(pytest.param(name, marks=pytest.mark.soak) for name in {*NAMES} - {*SAMPLE})])
def test_an_old_game_is_read_verified_and_written_in_the_present_format(name: str, tmp_path: Path) -> None:
    data, old = games()[name], json.loads(games()[name])
    found = adj.open(data)
    assert verdict(data, tmp_path).divergence is None
    assert found.is_over or not name.startswith("recorded/")
    written = found.to_bytes()
    new = json.loads(written)
    assert (new["format"], adj.open(written) == found) == (FORMAT, True)
    hashes, was = ([link["hash"] for link in document["journal"]] for document in (new, old))
    if "flag" in name:  # its track has another hash, and so has all that follows
        assert new["components"]["hash"] != old["components"]["hash"]
        assert not {*hashes} & {*was}
    else:
        same = first_amendment(old)
        assert (hashes[:same], new["components"]["hash"]) == (was[:same], old["components"]["hash"])
    events = [[link["entry"]["events"] for link in document["journal"]] for document in (new, old)]
    plain = [n for n, found in enumerate(events[1]) if not any(event["kind"] == "amended" for event in found)]
    assert [events[0][n] for n in plain] == [events[1][n] for n in plain]


def test_an_old_amendment_says_what_it_said_and_what_waited_still_waits() -> None:
    """Less what is no longer stored: that the race was over and who had won follows from the spaces driven."""
    old, new = (json.loads(games()["midway/flag-ended-by-hand.json"]), adj.open(games()["midway/flag-ended-by-hand.json"]))
    (was,), (found,) = (document["journal"][2]["entry"]["events"] for document in (old, toy.document(new)))
    assert (was["before"]["stage"], was["after"]["stage"], was["after"]["winner"]) == ("racing", "over", "red")
    assert [found[when]["racers"][0]["driven"] for when in ("before", "after")] == [12, 31]
    assert (new.is_over, [standing.seat for standing in new.standings]) == (True, ["red", "blue"])
    lines = ["GEAR 1 go", "IF danger <= 3 THEN GEAR 1 ELSE GEAR 2 go"]
    assert toy.pending(adj.open(games()["midway/flag-own-track.json"])) == {"red": lines} or lines == [
        *next(iter(toy.pending(adj.open(games()["midway/flag-own-track.json"])).values()))
    ]
    (sheet,) = toy.document(adj.open(games()["midway/charlie-midway.json"]))["pending"]
    assert sheet["is_begun"]


def seats_in(path: Path) -> list[str]:
    found = json.loads(path.read_text("utf-8")).get("seats") or []
    return [one["seat"] for one in found]


@pytest.mark.parametrize("path", PARTS, ids=lambda path: path.name)
def test_an_old_component_set_or_position_begins_a_game(path: Path, tmp_path: Path) -> None:
    ruleset = path.name.split(".")[0]
    is_position = path.name.endswith(("setup.json", "position.json"))
    seats = seats_in(path) or ["red", "blue", *(["green"] if ruleset == "checkpoint-charlie" else [])]
    if is_position:
        with suppress(adj.SetupError):  # it is read; what it says may fit another set
            assert adj.new(ruleset, seats, position=str(path), seed=1).audit().is_verified
        return
    own = tmp_path / "own.json"
    document = json.loads(path.read_text("utf-8"))
    own.write_text(json.dumps({**document, "id": "own"}))
    game = adj.new(ruleset, seats, components=str(own), seed=1)
    assert toy.document(game)["components"]["id"] == "own"


OWN_TRACK = OLD / "parts" / "checkered-flag.own-track.json"


@pytest.mark.parametrize(("number", "ground"), [(6, "straight"), (5, "danger"), (5, "sand"), (5, None)])
def test_a_ground_that_contradicts_the_zones_is_not_ignored(number: int, ground: Any, tmp_path: Path) -> None:
    document = json.loads(OWN_TRACK.read_bytes())
    document["track"][number - 1]["ground"] = ground
    (tmp_path / "own.json").write_text(json.dumps(document))
    with pytest.raises(adj.Untrusted, match=rf"track\[{number - 1}\]: .*“ground”"):
        adj.new("checkered-flag", ["red", "blue"], components=str(tmp_path / "own.json"))


VALUES: tuple[Any, ...] = (None, True, 0, -1, 2**53, "", "x", "red", "amended", "0" * 64, [], [1], {}, {"kind": "x"})


@pytest.mark.parametrize("count", [60, pytest.param(4_000, marks=pytest.mark.soak)])
def test_a_changed_old_game_is_refused_with_the_reason_or_is_a_game(count: int, tmp_path: Path) -> None:
    """Something anywhere is replaced, left out or doubled; in every other file the hashes are made anew by a forger."""
    luck, refused = Random(1), 0
    names = sorted((name for name in NAMES if name.startswith("midway/")), key=lambda name: len(games()[name]))
    for number in range(count):
        document = json.loads(games()[names[number % len(names)]])
        mutate(document, luck)
        try:
            data = forge(document) if number % 2 else laid_out(document)
        except (KeyError, TypeError, AttributeError):
            data = json.dumps(document).encode()
        try:
            found = adj.open(data)
        except adj.Untrusted:
            refused += 1
            continue
        except Exception:  # events that cannot follow
            assert verdict(data, tmp_path).divergence is not None
            continue
        assert adj.open(found.to_bytes()) == found
        assert verdict(data, tmp_path).game == found.id
    assert count / 2 <= refused < count


def mutate(document: Document, luck: Random) -> None:
    place: Any = document
    for _ in range(luck.randint(0, 5)):
        inner = [
            item for item in (place.values() if isinstance(place, dict) else place) if isinstance(item, dict | list) and item
        ]
        place = luck.choice(inner) if inner else place
    key = luck.choice(list(place) if isinstance(place, dict) else range(len(place)))
    match luck.randrange(4):
        case 0 | 1:
            place[key] = copy.deepcopy(luck.choice(VALUES))
        case 2:
            del place[key]
        case _ if isinstance(place, dict):
            place[f"{key}_"] = place.pop(key)
        case _:
            place.insert(key, copy.deepcopy(place[key]))


# Format 1 of a ruleset from another package, whose own schema was never published ------------------------------------


@pytest.fixture
def old() -> Document:
    """Return a file of format 1: what the toy stores has not changed since."""
    game = toy.new().apply({"red": "ADD 1\nADD 2", "blue": "ROLL"}).game.amend(["coins of red=9"], "so")
    found = {**toy.document(game), "format": 1}
    del found["receipts"]  # which no file had then
    return found


def test_what_has_not_changed_keeps_its_published_hashes(old: Document) -> None:
    data = forge(old)
    assert b'"format":1,' in data
    assert adj.open(data).to_bytes() == data.replace(b'"format":1,', b'"format":%d,' % FORMAT)


def test_what_is_no_longer_stored_is_left_out_everywhere(old: Document) -> None:
    """In the state, before and after an amendment, in events, in the position, in a component set."""
    without = kit.Upgrade.without
    upgrade = kit.Upgrade(
        components=without("colour"),
        position=without("weather"),
        state=without("height"),
        event=lambda event: without("echo")(event) if event["kind"] == "gained" else event,
    )
    new = toy.document(adj.open(forge(old)))
    cards = {"id": "own", "version": 1, "cards": list(component_set("toy-coins").parts["cards"]), "colour": "red"}
    old["setup"]["components"] = cards
    old["components"] = {"id": "own", "version": 1, "hash": digest(canonical(cards))}
    old["state"]["height"] = 8
    amended = old["journal"][-1]["entry"]["events"][0]
    amended["before"]["height"], amended["after"]["height"] = 7, 8
    for link in old["journal"]:
        for event in link["entry"]["events"]:
            if event["kind"] == "gained":
                event["echo"] = True
    with toy.offered(upgrades={1: upgrade}):
        found = toy.document(adj.open(forge(old)))
        assert [link["entry"] for link in found["journal"]] == [link["entry"] for link in new["journal"]]
        assert found["state"] == new["state"]
        assert ("colour" in found["setup"]["components"], found["components"]["hash"]) == (
            *(False, digest(canonical({name: value for name, value in cards.items() if name != "colour"}))),
        )
    assert "height" in refusal(forge(old))


def test_a_shipped_set_is_known_by_its_hash_then(old: Document) -> None:
    old["components"]["hash"] = "0" * 64
    with toy.offered(upgrades={1: kit.Upgrade(shipped={"0" * 64: "house"})}):
        data = forge(old)
        found = toy.document(adj.open(data))
        assert found["components"] == toy.document(toy.new())["components"]
        assert found["journal"][0]["hash"] != json.loads(data)["journal"][0]["hash"]
        old["components"]["hash"] = "1" * 64
        assert "components.hash: " in refusal(forge(old))


def test_an_upgrade_that_fails_is_a_bug_of_the_ruleset_and_names_the_part(old: Document) -> None:
    def fail(_part: Document) -> Document:
        raise LookupError("no \x1b[2J such thing")

    for upgrade, words in (
        (kit.Upgrade(state=fail), "from format 1: LookupError: no"),
        (
            kit.Upgrade(event=lambda event: {**event, "height": 1.5}),
            " from format 1: TypeError: float has no place in a file",
        ),
    ):
        with toy.offered(upgrades={1: upgrade}), pytest.raises(EngineFaultError) as caught:
            adj.open(forge(old))
        assert (words in str(caught.value), caught.value.ruleset) == (True, "toy-coins")


OLD_FAULTS: list[tuple[str, Any, str]] = [
    ("chance", [], "chance: must be a group of names and values, not a list"),
    ("chance.secret", 7, "chance.secret: must be text or null, not 7"),
    ("components.hash", "x", "components.hash: must have at least 64 characters, but has 1"),
    ("journal", {}, "journal: must be a list, not a group of names and values"),
    ("journal", [], "journal: must not be empty"),
    ("journal[1]", "x", "journal[1]: must be a group of names and values, not “x”"),
    ("journal[1].hash", None, "journal[1].hash: must be text, not null"),
    ("journal[1].entry.events", [7], "journal[1].entry.events[0]: must be a group of names and values, not 7"),
    ("journal[1].entry.events", [{}], "journal[1].entry.events[0]: “kind” is missing"),
    ("journal[1].entry.events", [{"kind": []}], "journal[1].entry.events[0].kind: must be text, not a list"),
    ("pending", [[]], "pending[0]: must be a group of names and values, not a list"),
    ("seal", 1, "seal: must be text, not 1"),
    ("setup.components", [], "setup.components: must be a group of names and values or null, not a list"),
    ("setup.players", {}, "setup.players: must be a list, not a group of names and values"),
    ("state", None, "state: must be a group of names and values, not null"),
    ("hint", 1, "the name “hint” is unknown here"),
]


@pytest.mark.parametrize(("path", "value", "told"), OLD_FAULTS)
def test_what_every_file_of_format_1_must_be_is_told(old: Document, path: str, value: Any, told: str) -> None:
    assert told in refusal(laid_out(put(old, path, value)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("id", "renamed"),
        ("journal[2].entry.order", "ADD 9"),
        ("journal[0].entry.drawn", 7),
        ("state.rounds", 7),
        ("journal", lambda links: links[:-1]),
        ("pending", []),
        ("chance.secret", None),
    ],
)
def test_what_was_changed_afterwards_is_told_in_the_words_of_today(old: Document, path: str, value: Any) -> None:
    sheet = {"seat": "red", "turn": 1, "orders": [{"line": 1, "order": "ADD 1"}], "is_begun": False}
    old = sealed({**old, "pending": [sheet]})
    then, now = (refusal(laid_out(put({**old, "format": number}, path, value))) for number in (1, FORMAT))
    assert then == now


def test_a_set_in_an_old_file_must_be_the_one_that_the_heading_names(old: Document) -> None:
    own = {"id": "own", "version": 1, "cards": [f"A{n}" for n in range(1, 9)]}
    named = {"setup.components": own, "components": {"id": "own", "version": 1, "hash": digest(canonical(own))}}
    assert adj.open(forge(spoiled(old, named)))
    changed = spoiled(old, {**named, "setup.components": {**own, "cards": [f"B{n}" for n in range(1, 9)]}})
    assert "setup.components: " in refusal(forge(changed))


# A ruleset whose author changed the state and kept the version: the file is not to blame -----------------------------


class Longer(toy.State, kw_only=True):  # type: ignore[misc]
    laps: kit.Public[int]


class Changed(toy.ToyCoins):
    state = Longer


REMEDY = "its author must declare a new field with `omit_defaults`, raise `version` or write an upcast"


def test_a_changed_ruleset_is_told_and_not_called_damage(tmp_path: Path) -> None:
    data = toy.new().apply({"red": "ADD 1"}).game.to_bytes()
    with toy.offer(Changed):
        told = refusal(data, "game.json")
        words = f"game.json: the file is undamaged, but the ruleset “toy-coins” has changed since: {REMEDY}"
        assert (words in told, "state: “laps” is missing" in told) == (True, True)
        divergence = verdict(data, tmp_path).divergence
        assert divergence is not None
        assert (divergence.kind, divergence.field) == ("version", "state")
        assert divergence.recomputed.endswith(REMEDY)
        document = json.loads(data)
        for path, value in (("state.rounds", 9), ("journal[1].entry.order", "ADD 9"), ("id", 7)):
            divergence = verdict(laid_out(put(document, path, value)), tmp_path).divergence
            assert divergence is not None
            assert divergence.kind == "damaged", path


# Lists of entrants ---------------------------------------------------------------------------------------------------


def entrants(text: str | bytes, tmp_path: Path) -> list[tuple[str, str]]:
    path = tmp_path / "entrants.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [(player.seat, player.holder) for player in read_players(path)]


LISTS: list[tuple[str | bytes, list[tuple[str, str]]]] = [
    *(
        (text, [("red", "Ann Miller, Expert"), ("blue", "Bob"), ("green", "")])
        for text in (
            "red,Ann Miller,Expert\nblue,Bob\ngreen\n",
            "seat,name,class\r\nred,Ann Miller,Expert\r\nblue,Bob,\r\ngreen,,\r\n",
            "\ufeffRed; Ann Miller; Expert\n\n# a remark\nblue; Bob\ngreen",
            "seat\tname\tclass\nRED\tAnn Miller\tExpert\nblue\tBob\ngreen\n",
            'red,"Ann Miller",Expert\rblue,"Bob"\rgreen\r',
        )
    ),
    ('red,"Miller, Ann",Expert\n', [("red", "Miller, Ann, Expert")]),
    ("red,Zoë\n".encode("cp1252"), [("red", "Zoë")]),
    (b"\x00\xff,\x1b[2J\n", [("\x00ÿ", "\x1b[2J")]),  # `new` refuses both by their rules
]


@pytest.mark.parametrize(("text", "found"), LISTS)
def test_a_line_of_a_list_is_a_seat_with_its_name_and_class(text: str | bytes, found: Any, tmp_path: Path) -> None:
    assert entrants(text, tmp_path) == found


def test_every_wrong_line_of_a_list_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(adj.Untrusted) as caught:
        entrants("red,Ann\n,Bob\nred,Cat\nblue,Dan,Expert,1\n", tmp_path)
    assert [line.strip() for line in str(caught.value).splitlines()[1:]] == [
        "line 2: begin the line with the seat: seat, name, class",
        "line 3: the seat “red” is already in line 1",
        "line 4: write only seat, name and class: the line has 4 parts",
    ]
    for text in ("", "\n# nobody\n", "seat,name,class\n"):
        with pytest.raises(adj.Untrusted, match="write a line for each entrant"):
            entrants(text, tmp_path)
    with pytest.raises(adj.Untrusted, match="larger than 4,000,000 bytes"):
        entrants("x" * 4_000_001, tmp_path)
