"""Game files, component sets and positions of every format are read for ever; schemas are published, strict and pinned."""

from __future__ import annotations

import copy
import json
from hashlib import sha256
from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import adjudicator as adj
from adjudicator import game as kit
from adjudicator import resources
from adjudicator.library.game import read_players
from adjudicator.library.rulesets import MissingResource, component_set, schema_names
from adjudicator.library.rulesets import schema as library_schema
from adjudicator.store import game_file
from tests.drivers import toy
from tests.drivers.records import (
    DELETE,
    ROOT,
    RULESETS,
    Document,
    canonical,
    forge,
    laid_out,
    put,
    refusal,
    sealed,
    small,
    verdict,
)

FORMAT = 2
PINS = {
    "checkered-flag": "3605c688085b4e48e38bf74337fc5f38d464bc46444522b9d8560826b7ae240d",
    "checkpoint-charlie": "5c3013e0b91b8a792fa7c3cbce2bd3ca1f46f6f33e338584582ccfaf3f73cd0e",
    "checkpoint-rally": "6fb18e353bb0ac12460cdf2a1c349557a8bbd3f058d471c1f1697cf216655391",
    "great-race": "48d992ba6e7f6a2cb89a8d5235de62fed89307877c46fee28758eae6320728d3",
    "rally-round": "0e612a1052f25124bbce46a702bfbc6e43d87f53b2f66ca4855065075a4a11e8",
}
"""SHA-256 over the shape of each ruleset's game files of format 2: state, events, set-up and all."""
CHANGED = """
The game files of {ruleset} no longer have the shape that format {format} was pinned with: `git diff schemas/` shows where.
Games are kept for years, so that every file must be read for ever. If files of the old shape are still read by the new one
(something longer or larger is allowed, an event was added), pin the new shape here:

    {found}

If not, this is a new format:
 1. raise the number of the format;
 2. keep the schemas as they were in schemas/format-{format}/, with a general game-file.json for rulesets of other packages;
 3. write the step from this format to the next into `STEPS` in adjudicator/store/game_file.py;
 4. keep the games as they are and read them all here;
 5. pin the new shape here under its number, and tell it in docs/game-file.md and CHANGELOG.md.
"""


def shape(part: Any) -> Any:
    """Return ``part`` of a schema without the words that only explain it, numbers of formats, and an order of names."""
    if isinstance(part, dict):
        told = ("description", "title", "$id", "$schema")
        kept = {key: shape(value) for key, value in part.items() if not (key in told and isinstance(value, str))}
        return kept | ({"required": sorted(kept["required"])} if isinstance(kept.get("required"), list) else {})
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


def test_the_published_schemas_are_those_that_the_classes_give_and_no_others() -> None:
    # If this fails: python .ci/schemas.py
    wanted = run_path(str(ROOT / ".ci" / "schemas.py"))["schemas"]()
    assert wanted == {name: library_schema(name) for name in schema_names()}
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
    notes = {"comment", "note"}  # beside orders; a set of components always has a note
    schema = json.loads(library_schema("checkpoint-rally.game-file.json"))
    closed = [part for part in parts(schema) if part.get("additionalProperties") is False]
    assert len(closed) > 20
    for part in closed:
        lacks = later | notes if "order" in part["properties"] else later
        assert part["required"] == [name for name in part["properties"] if name not in lacks]
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


# Files of format 2 stay readable for ever, and the first step to a next format works ---------------------------------

KEPT = """
checkered-flag/recorded-403 eb70558002c3b89cbe5788cecc8d48196777007b 9d72a309d899cc07
checkered-flag/recorded-409 0308cbd9389ed444109482b757d18f9ffdd8d40b None
checkered-flag/recorded-551 1ea8caeb3120752091325e7057362b03ca3c38fc 81c5b52692d6cdf2
checkered-flag/recorded-700 e7dcf00b98c5669a5314c38223f1a168a321951e eb59b7e0ae43c0ab
checkpoint-charlie/recorded-202 40ae56013e5624d0dc9acce1ed9f4c09a3ab8473 4126633fd47fd8ae
checkpoint-charlie/recorded-204 98a695a00387947de674c2eae90518a29493e5f2 692ac2d4b1f6e0f4
checkpoint-charlie/recorded-207 ea69c3a03d552bf1df252701607244c95be06cd1 08a0165788021244
checkpoint-charlie/recorded-602 48e66193987888fab2fbee53918fdafd7fb8a1ef fb925e0d995b26eb
checkpoint-rally/recorded-208 4858c5de14dcc8d2e497c1b08360f4673441fb1e aba5ca25845d7753
checkpoint-rally/recorded-214 b784628ac498a60c3ecdb53e79c472838f429886 d1b335c35d270561
checkpoint-rally/recorded-220 5d8d98697a8e878c26863e7d16002263d0bc9a33 None
checkpoint-rally/recorded-700 9a5957b7fe41e63b5e378689d3c6311befc39c14 0073829cc1e28310
great-race/recorded-406 a127c5421187cfaf1ce9963abc231640e8e12e9a 7fc7aee7c85c4902
great-race/recorded-409 bfd2c07d75dfaba929918dfed23edd492c5ef550 None
great-race/recorded-506 f0ec09cf5b6bf9e40deb49930e8e547f4b70b84f d8c493dd96517ce2
great-race/recorded-508 175cb142d4a438e3c874aad5bd7fb1e4f278fbc9 45c82fc538f112f8
rally-round/rally-round-00106 8b56f2eb0cd77f40a2210ffb28f2bf36334a5e66 4bb84a391cc712cb
rally-round/rally-round-00111 6b3a29bc6adbf60dadd1db3b886cdc3183e7f255 35b34c0d1ef39edd
rally-round/recorded-311 42e2cf86229be93a2255a54a75b8970deafab2d6 None
rally-round/recorded-323 d74b0cfc0686dabfc9e9ae2335ddbf840a90db86 2ad6c5723fea4666
"""
"""Games that 1.0.0 can have written, in format 2, each with how its SHA-256 and its published head begin.

They are never made anew, whatever format the program writes.
"""


def test_twenty_games_of_format_2_are_read_and_verified_for_ever() -> None:
    kept = [line.split() for line in KEPT.split("\n") if line]
    assert len(kept) >= 20
    for name, hash_, head in kept:
        data = (ROOT / f"tests/data/games/{name}.json").read_bytes()
        assert (sha256(data).hexdigest()[:40], b'"format":2,' in data) == (hash_, True), name
        game = adj.open(data)
        assert (game.audit().is_verified, game.is_over) == (True, True), name
        assert str(game.head and game.head.proof).startswith(head), name


def test_the_format_that_was_never_released_is_refused_with_one_clear_error(run: Any) -> None:
    Path("old.json").write_bytes(laid_out({**json.loads(small("checkered-flag")), "format": 1}))
    told = f"format: the file has format 1, which no released version wrote: this program reads format {FORMAT}\n"
    for command in ("show", "log", "legal"):
        assert told in run(command, "old.json", code=3).stderr
    audited = run("audit", "old.json", code=3).stdout
    assert (told.strip() in audited, "damaged" in audited) == (True, False)


def test_a_game_of_rules_that_no_longer_follow_its_events_names_their_version() -> None:
    document = json.loads(small("rally-round"))
    document["ruleset"]["version"] = 1
    document["state"]["crews"].reverse()
    told = "ruleset.version: the game was played by version 1 of rally-round, and this program decides versions 2 and later"
    assert refusal(forge(document)).splitlines()[1:] == [f"  {told}"]


def shouted(document: Document, _rules: Any) -> Document:
    """Return a file of "format 1", in which seats are written in capitals, in format 2."""
    text = json.dumps({name: value for name, value in document.items() if name != "id"})
    for seat in ("RED", "BLUE"):
        text = text.replace(f'"{seat}"', f'"{seat.lower()}"')
    return {**json.loads(text), "id": document["id"]}


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Document:
    """Return a document of a "format 1" that the program can read, with its own schema."""
    folder = tmp_path / "schemas" / "format-1"
    folder.mkdir(parents=True)
    schema = {"type": "object", "required": ["seal", "pending"], "properties": {"pending": {"type": "array"}}}
    (folder / "game-file.json").write_text(json.dumps(schema))
    find = resources.folder
    monkeypatch.setattr(resources, "folder", lambda name: tmp_path / name if name == "schemas" else find(name))
    monkeypatch.setitem(game_file.STEPS, 1, shouted)
    game = toy.new().apply({"red": "ADD 1\nADD 2", "blue": "ROLL"}).game.amend(["coins of red=9"], "so")
    text = json.dumps({**toy.document(game), "format": 1})
    return dict(json.loads(text.replace('"red"', '"RED"').replace('"blue"', '"BLUE"')))


def test_a_file_of_an_older_format_is_read_in_the_present_one(old: Document, tmp_path: Path) -> None:
    data = forge(old)
    game = adj.open(data)
    assert (game.seats, toy.document(game)["format"]) == (("red", "blue"), FORMAT)
    assert game.seen_by().log()[-1].order == "AMEND coins of red=9: so" or game.seen_by().log()
    assert verdict(data, tmp_path).divergence is None
    assert adj.open(game.to_bytes()) == game


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("pending", 7, "pending: must be a list, not 7"),
        ("seal", DELETE, "“seal” is missing"),
        ("id", "renamed", "journal[0]: somebody has changed the heading of the file or entry 0"),
        ("journal[2].entry.order", "ADD 9", "journal[2]: somebody has changed entry 2"),
        ("journal", lambda links: links[:-1], "seal: does not fit"),
        ("state.rounds", 7, "seal: does not fit"),
    ],
)
def test_an_older_file_is_first_compared_with_its_own_schema_and_hashes(
    old: Document, path: str, value: Any, told: str
) -> None:
    assert told in refusal(laid_out(put(sealed(old), path, value)))


# Any change ----------------------------------------------------------------------------------------------------------

VALUES: tuple[Any, ...] = (None, True, 0, -1, 2**53, "", "x", "red", "amended", "0" * 64, [], [1], {}, {"kind": "x"})


@pytest.mark.parametrize("count", [200, pytest.param(4_000, marks=pytest.mark.soak)])
def test_a_changed_game_is_refused_with_the_reason_or_is_a_game(count: int, tmp_path: Path) -> None:
    """Something anywhere is replaced, left out or doubled; in every other file the hashes are made anew by a forger."""
    luck, refused = Random(1), 0
    for number in range(count):
        document = json.loads(small(RULESETS[number % len(RULESETS)]))
        mutate(document, luck)
        try:
            data = forge(document) if number % 2 else laid_out(document)
        except (KeyError, TypeError, AttributeError):
            data = json.dumps(document).encode()
        try:
            found = adj.open(data)
        except adj.FileProblem:
            refused += 1
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


# A ruleset whose author changed the state and kept the version: the file is not to blame -----------------------------


class Longer(toy.State, kw_only=True):  # type: ignore[misc]
    laps: kit.Public[int]


class Changed(toy.ToyCoins):
    state = Longer


REMEDY = "its author must declare a new field with `omit_defaults`, or raise `version`"


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
    with pytest.raises(adj.Untrusted, match="line 2: the line has more than 10,000 characters"):
        entrants(f"red,Ann\nblue,{'x' * 200_000}\n", tmp_path)
    with pytest.raises(adj.Untrusted, match="larger than 4,000,000 bytes"):
        entrants("x" * 4_000_001, tmp_path)
