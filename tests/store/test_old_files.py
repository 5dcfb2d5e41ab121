"""The files of older formats, kept as they were written: all are read, replayed and audited as ever, and none can be forged.

See ``tests/data/games/format-1/README.md``.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from portion import portion

from adjudicator import rulesets
from adjudicator.audit.audit_source import audit_source
from adjudicator.core.game import FORMAT, Game
from adjudicator.files.errors import Untrusted
from adjudicator.session import open_session
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.sources.find import find_sources
from adjudicator.store.components import shipped_version
from adjudicator.store.load import load_canonical, load_carefully, load_components, load_game, load_position
from adjudicator.store.save import dump_game
from adjudicator.verdict import Verdict

Document = dict[str, Any]
Forge = Callable[[Document], bytes]

FOLDER = Path(__file__).parents[1] / "data" / "games" / "format-1"
PARTS = sorted((FOLDER / "parts").glob("*.json"))
SUM = "f180fd824c1a4a66580d846f329d79b86260c61bb2dfbdc6516361be94657e8d"
"""SHA-256 over the name and the bytes of every old file. It never changes: an old file is never made anew."""


@cache
def games() -> dict[str, bytes]:
    """Return the old games by name, read from their archive as the audit reads archives."""
    with Opener() as opener:
        sources = [source for source in find_sources([str(FOLDER / "games.zip")]) if isinstance(source, Source)]
        return {source.name.removeprefix(f"{FOLDER / 'games.zip'}/"): opener.read(source) for source in sources}


@cache
def game(name: str) -> Game:
    """Return the old game of that name, which is read once."""
    return load_game(games()[name])


NAMES = sorted(games())
FLAG = [name for name in NAMES if "flag" in name]


def audited(data: bytes) -> Verdict:
    with Opener() as opener:
        verdict = audit_source(Source("old", "-", data=data), opener)
    assert isinstance(verdict, Verdict)
    return verdict


def hashes(document: Document) -> list[str]:
    return [link["hash"] for link in document["journal"]]


def first_amendment(document: Document) -> int:
    """Return the number of the first entry that holds a whole state, or of entries if there is none."""
    kinds = [{event["kind"] for event in link["entry"]["events"]} for link in document["journal"]]
    return next((n for n, found in enumerate(kinds) if "amended" in found), len(kinds))


def test_the_files_are_those_that_were_written() -> None:
    digest = sha256()
    for name, data in [*sorted(games().items()), *((path.name, path.read_bytes()) for path in PARTS)]:
        digest.update(name.encode() + b"\0" + data + b"\0")
    assert digest.hexdigest() == SUM


def test_there_are_games_of_every_kind() -> None:
    texts = {name: data.decode() for name, data in games().items()}
    assert len(texts) == 148
    assert all('"format":1,' in text for text in texts.values())
    amended = '"kind":"amended"'
    for ruleset in ("checkered-flag", "checkpoint-charlie", "checkpoint-rally"):
        own = [text for text in texts.values() if f'"ruleset":{{"id":"{ruleset}"' in text]
        assert any(amended in text for text in own)
        assert any('"source":"recorded"' in text for text in own)
        assert any('"pending":[{' in text for text in own)
    assert any(
        '"stage":"over"' in text and amended in text for name, text in texts.items() if name.startswith("midway/flag")
    )
    assert any('"ground":' in text for name, text in texts.items() if name.startswith("midway/flag"))
    assert any('"is_begun":true' in text for text in texts.values())


@pytest.mark.parametrize("name", portion(NAMES, 6))
def test_an_old_game_is_read_replayed_and_verified(name: str) -> None:
    session = open_session(game(name))
    assert session.timeline.state == game(name).state
    verdict = audited(games()[name])
    assert verdict.divergence is None
    assert verdict.is_over or not name.startswith("recorded/")


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.soak)])
def test_an_old_game_is_written_in_the_present_format_and_stays_the_same(every: int) -> None:
    for name in NAMES[::every]:
        written = dump_game(game(name))
        assert json.loads(written)["format"] == FORMAT, name
        assert load_canonical(written) == game(name), name


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_published_hashes_stay_what_they_are(every: int) -> None:
    """Until an entry that holds a whole state, of which less is stored now. Short runs have the games read anyway."""
    for name in sorted({*NAMES} - {*FLAG})[::every]:
        document = json.loads(games()[name])
        same = first_amendment(document)
        assert [link.hash for link in game(name).journal[:same]] == hashes(document)[:same], name
        assert game(name).components.hash == document["components"]["hash"], name


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_the_track_of_checkered_flag_has_another_hash_and_so_has_all_that_follows(every: int) -> None:
    for name in FLAG[::every]:
        document = json.loads(games()[name])
        assert game(name).components.hash != document["components"]["hash"], name
        assert not {link.hash for link in game(name).journal} & set(hashes(document)), name
        old = [link["entry"]["events"] for link in document["journal"]]
        new = [link["entry"]["events"] for link in json.loads(dump_game(game(name)))["journal"]]
        same = [n for n, events in enumerate(old) if not any(event["kind"] == "amended" for event in events)]
        assert [new[n] for n in same] == [old[n] for n in same], name


def test_an_amendment_says_what_it_said() -> None:
    """Less what is no longer stored: that the race was over and who had won follows from the spaces driven."""
    old = json.loads(games()["midway/flag-ended-by-hand.json"])
    new = game("midway/flag-ended-by-hand.json")
    (was,) = old["journal"][2]["entry"]["events"]
    assert (was["before"]["stage"], was["after"]["stage"], was["after"]["winner"]) == ("racing", "over", "red")
    (found,) = new.journal[2].entry.events
    assert (found.before.racers[0].driven, found.after.racers[0].driven) == (12, 31)
    session = open_session(new)
    assert session.rules.is_over(session.config, new.state)
    assert [standing.seat for standing in session.rules.standings(session.config, new.state)] == ["red", "blue"]


def test_what_waited_still_waits() -> None:
    pending = {name: game(name).pending for name in NAMES if name.startswith("midway/")}
    assert [order.order for order in pending["midway/flag-own-track.json"][0].orders] == [
        "GEAR 1 go",
        "IF danger <= 3 THEN GEAR 1 ELSE GEAR 2 go",
    ]
    assert [sheet.is_begun for sheet in pending["midway/charlie-midway.json"]] == [True]
    assert pending["midway/rally-midway.json"]


# Component sets and positions.


def rules_of(path: Path) -> Any:
    return rulesets.ruleset(path.name.split(".")[0])


@pytest.mark.parametrize("path", PARTS, ids=lambda path: path.name)
def test_an_old_part_is_read(path: Path) -> None:
    is_position = path.name.endswith(("setup.json", "position.json"))
    part = (load_position if is_position else load_components)(path, rules_of(path))
    assert part


@pytest.mark.parametrize("path", [path for path in PARTS if ".house." in path.name], ids=lambda path: path.name)
def test_a_shipped_set_is_what_it_was(path: Path) -> None:
    """Also where a later version of the set is the one that new games have."""
    assert load_components(path, rules_of(path)) == shipped_version(rules_of(path), "house", 1)[0]


OWN_TRACK = FOLDER / "parts" / "checkered-flag.own-track.json"


def test_a_track_says_its_ground_once() -> None:
    """A set with the former ``ground`` of each position is the same as one without."""
    rules = rules_of(OWN_TRACK)
    document = json.loads(OWN_TRACK.read_bytes())
    assert {spot["ground"] for spot in document["track"]} == {"straight", "danger"}
    own = load_components(OWN_TRACK, rules)
    for spot in document["track"]:
        del spot["ground"]
    assert load_components(json.dumps(document).encode(), rules) == own


@pytest.mark.parametrize(("number", "ground"), [(6, "straight"), (5, "danger"), (5, "sand"), (5, None)])
def test_a_ground_that_contradicts_the_zones_is_not_passed_over(number: int, ground: Any) -> None:
    document = json.loads(OWN_TRACK.read_bytes())
    document["track"][number - 1]["ground"] = ground
    with pytest.raises(Untrusted, match=rf"track\[{number - 1}\]: .*“ground”"):
        load_components(json.dumps(document).encode(), rules_of(OWN_TRACK))


# Old files that were tampered with.

VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    1,
    -1,
    2**53,
    10**30,
    "",
    "x",
    "red",
    "amended",
    "0" * 64,
    [],
    [1],
    {},
    {"kind": "x"},
)
SMALL = sorted((name for name in NAMES if name.startswith("midway/")), key=lambda name: len(games()[name]))


def containers(value: Any) -> Iterator[Any]:
    """Yield every object and list in ``value`` that has something in it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if inner:
        yield value
    for item in inner:
        yield from containers(item)


def mutate(document: Document, chosen: Random) -> None:
    """Replace, leave out, rename or double something somewhere in ``document``."""
    place = chosen.choice(list(containers(document)))
    key = chosen.choice(list(place) if isinstance(place, dict) else range(len(place)))
    how = chosen.randrange(6)
    if how < 4:
        place[key] = copy.deepcopy(chosen.choice([*VALUES, chosen.choice(list(containers(document)))]))
    elif how == 4:
        del place[key]
    elif isinstance(place, dict):
        place[f"{key}_"] = place.pop(key)
    else:
        place.insert(key, copy.deepcopy(place[key]))


def mutants(seed: int, count: int, forge: Forge) -> Iterator[bytes]:
    """Yield old games with one thing changed, every other one with its hashes made anew by a forger."""
    chosen = Random(seed)
    for number in range(count):
        document = json.loads(games()[SMALL[number % len(SMALL)]])
        mutate(document, chosen)
        if number % 2:
            try:
                yield forge(document)
                continue
            except (KeyError, TypeError, AttributeError, RecursionError):
                pass
        yield json.dumps(document, ensure_ascii=False).encode()


def is_refused_or_whole(data: bytes) -> bool:
    """Return whether ``data`` is refused; if not, it must be a game that can be written, read and audited."""
    quick = load_canonical(data)
    try:
        found = load_carefully("x", data)
    except Untrusted as error:
        told = error.violations
    else:
        told = ()
    if told:
        assert all(violation.path.startswith("$") and violation.words for violation in told)
        assert quick is None
        return True
    assert quick in (None, found)
    assert load_game(dump_game(found)) == found
    assert audited(data).game == found.id
    return False


@pytest.mark.parametrize(
    ("seed", "count"),
    [*((seed, 20) for seed in range(2)), *(pytest.param(seed, 1_000, marks=pytest.mark.soak) for seed in range(10, 18))],
)
def test_a_changed_old_game_is_refused_with_the_reason_or_is_a_game(seed: int, count: int, forge: Forge) -> None:
    refused = [is_refused_or_whole(data) for data in mutants(seed, count, forge)]
    assert count / 2 <= refused.count(True) < count


def test_no_flipped_bit_makes_another_game_of_an_old_file() -> None:
    data = games()[SMALL[0]]
    original, chosen = game(SMALL[0]), Random(1)
    for _ in range(150):
        position = chosen.randrange(len(data))
        spoiled = data[:position] + bytes([data[position] ^ (1 << chosen.randrange(8))]) + data[position + 1 :]
        assert load_canonical(spoiled) is None
        try:
            found = load_game(spoiled)
        except Untrusted:
            continue
        assert found == original


def test_an_accusation_of_a_seat_without_an_agent_is_a_fault_of_the_file(forge: Forge) -> None:
    document = next(
        found
        for name in NAMES
        if "charlie" in name
        for found in [json.loads(games()[name])]
        if found["state"]["accusations"]
    )
    document["state"]["accusations"][0] = "nobody"
    with pytest.raises(Untrusted, match=r"state\.accusations\[0\]\.suspect"):
        load_game(forge(document))
