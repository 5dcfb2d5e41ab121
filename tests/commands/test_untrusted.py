"""Files that cannot be trusted: damaged, changed, forged, of another kind. Exit 3, where and why, and the file as it was."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.library.rulesets import component_set, ruleset_ids
from tests.drivers.commands import ROOT, Run, argv, plain, rally, written

Document = dict[str, Any]
Forge = Callable[[Document], bytes]
FORMAT = b'"format":2'


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def spoil(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new, 1)

    return spoil


def edited(change: Callable[[Document], Any]) -> Callable[[bytes], bytes]:
    def spoil(data: bytes) -> bytes:
        document = json.loads(data)
        change(document)
        return json.dumps(document, ensure_ascii=False).encode()

    return spoil


def deep(levels: int) -> Any:
    return 1 if levels == 0 else [deep(levels - 1)]


SPOILED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _data: b"", "the file is empty"),
    "blank": (lambda _data: b" \n", "the file is empty"),
    "binary": (lambda _data: bytes(range(256)), "UTF-8"),
    "utf-16": (lambda data: data.decode().encode("utf-16"), "UTF-16"),
    "truncated": (lambda data: data[: len(data) // 2], "is the file cut off?"),
    "one byte short": (lambda data: data.rstrip()[:-1], "is the file cut off?"),
    "not json": (lambda _data: b"red: DRAW\n", "this is not JSON"),
    "another json": (lambda _data: b"[1, 2, 3]", "this is not a game file"),
    "deep lists": (lambda _data: b"[" * 100_000, "nested too deeply"),
    "deep objects": (lambda _data: b'{"a":' * 20_000 + b"1" + b"}" * 20_000, "nested too deeply"),
    "deep state": (edited(lambda game: game.update(state=deep(900))), "nested too deeply"),
    "long number": (replaced(FORMAT, b'"format":' + b"9" * 5000), "digits"),
    "newer format": (replaced(FORMAT, b'"format":99'), "install a newer adjudicator"),
    "no format": (edited(lambda game: game.pop("format")), "this is not a game file"),
    "another ruleset": (replaced(b'"checkpoint-rally"', b'"checkpoint-ralley"'), "  ruleset.id"),
    "doubled name": (replaced(FORMAT, FORMAT + b"," + FORMAT), "appears twice"),
    "fraction": (replaced(FORMAT, FORMAT + b".5"), "  format"),
    "a member too many": (edited(lambda game: game.update(hint="x")), "the name “hint” is unknown here"),
    "a member missing": (edited(lambda game: game.pop("pending")), "“pending” is missing"),
    "a wrong type": (edited(lambda game: game["state"].update(stage=7)), "  state.stage"),
    "an edited state": (edited(lambda game: game["state"]["racers"][1].update(minutes=4)), "  seal"),
    "an edited hand": (edited(lambda game: game["state"]["racers"][0]["hand"].reverse()), "  seal"),
    "an edited heading": (replaced(b'"holder":"Ann"', b'"holder":"Eve"'), "heading"),
    "an edited secret": (replaced(b"abab", b"baba"), "  chance.secret"),
    "an edited commitment": (replaced(b'"commitment":"fe', b'"commitment":"ef'), "  chance"),
    "edited orders": (replaced(b"MOVE D3", b"MOVE C2"), "entry 1"),
    "an edited event": (replaced(b'"after":2', b'"after":1'), "entry 1"),
    "an edited hash": (edited(lambda game: game["journal"][1].update(hash="0" * 64)), "entry 1"),
    "an edited receipt": (edited(lambda game: game["receipts"][0].update(hash="0" * 64)), "receipts"),
    "an entry cut out": (edited(lambda game: game["journal"].pop(1)), "  journal[1]"),
    "an entry twice": (edited(lambda game: game["journal"].append(game["journal"][-1])), "  journal[3]"),
    "entries cut off": (edited(lambda game: game["journal"].pop()), "  seal"),
    "no journal": (edited(lambda game: game.update(journal=[])), "  journal"),
    "an edited pending order": (replaced(b"REFRESH", b"DRAW"), "  seal"),
    "another component set": (replaced(b'"id":"house"', b'"id":"horse"'), "  components.id"),
}


@pytest.fixture
def played(run: Run) -> Path:
    """Return the game after two entries, with an order that waits."""
    game = rally()
    run("apply", game, "-", stdin="red: MOVE D3\n  MOVE C3\nblue: REFRESH", code=0)
    written("red: DRAW")
    return game


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_game_is_refused_by_every_command_with_the_place(run: Run, played: Path, name: str) -> None:
    spoil, words = SPOILED[name]
    spoiled = spoil(played.read_bytes())
    assert spoiled != played.read_bytes()
    played.write_bytes(spoiled)
    for line in ("show", "legal", "log", "rules", "check turn.txt", "apply turn.txt", "apply turn.txt -o x.json"):
        command, *more = line.split()
        result = run(command, played, *more, code=3)
        assert plain(result.stderr).startswith(f"adjudicator: {played}: ")
        assert words in result.stderr
        assert (result.stdout, len(result.stderr) < 10_000) == ("", True)
    assert run("show", "-", stdin=spoiled, code=3).stderr.startswith("adjudicator: standard input: ")
    assert played.read_bytes() == spoiled
    assert not Path("x.json").exists()


def test_what_is_wrong_is_told_to_machines_place_by_place_and_a_new_layout_is_the_same_game(run: Run, played: Path) -> None:
    whole, text = played.read_bytes(), run("show", played, code=0).stdout
    played.write_text(json.dumps(json.loads(whole), indent=4) + "\n\n", encoding="utf-8-sig")
    assert run("show", played, code=0).stdout == text
    run("apply", played, "turn.txt", code=0)
    played.write_bytes(edited(lambda game: game.update(hint=1, pending=7, turn=2))(whole))
    answer = json.loads(run("show", played, "--json", code=3).stdout)
    assert (answer["error"], answer["file"]) == ("untrusted", str(played))
    assert [violation["path"] for violation in answer["violations"]].count("$") == 2
    assert {violation["path"] for violation in answer["violations"]} == {"$", "$.pending"}


# Forged, with chain and seal made anew ---------------------------------------------------------------------------------


def event(document: Document, kind: str) -> Document:
    """Return the first event of ``kind`` in the journal."""
    told = (event for link in document["journal"] for event in link["entry"]["events"])
    found: Document = next(event for event in told if event["kind"] == kind)
    return found


FORGERIES: dict[str, Callable[[Document], Any]] = {
    "nobody races": lambda game: game["state"].update(racers=[]),
    "strangers in the order": lambda game: game["state"].update(order=["pink", "red"]),
    "a tile in a hand": lambda game: game["state"]["racers"][0].update(hand=["ZZ"]),
    "a card": lambda game: game["state"]["racers"][0].update(card="ZZ"),
    "a cell": lambda game: game["state"]["racers"][0].update(cell="Z9"),
    "a tile in the row": lambda game: game["state"].update(row=["ZZ"]),
    "a stranger moves": lambda game: event(game, "car-driven").update(seat="pink"),
    "a move to nowhere": lambda game: event(game, "car-driven").update(cell="Z9"),
    "a stranger is amended": lambda game: event(game, "amended")["after"].update(racers=[]),
    "undone to nowhere": lambda game: event(game, "undone").update(to=99),
    "a card of the set-up": lambda game: event(game, "seat-prepared").update(card="ZZ"),
    "a car of the set-up": lambda game: event(game, "seat-prepared").update(car="ZZ"),
}
FORGED_COMMANDS = """\
show
show --as red --json
legal
log --events
log --json --as moderator
check turn.txt
apply turn.txt
replay --boards
undo --to 0 --reason x
amend racers[blue].minutes=9 --reason x
seat red --holder Zoe --reason x
reveal --before-the-end --reason x
"""


@pytest.fixture(scope="module")
def document() -> Document:
    """Return a game in the middle of its race, amended, with entries undone and orders that wait."""
    example = ROOT / "examples" / "checkpoint-rally" / "two-players"
    game = adj.open(example / "start.json")
    for path in sorted(example.glob("turn-*.txt"))[:12]:
        game = game.apply(path.read_bytes().decode()).game
    game = game.amend(["racers[blue].minutes=30", "racers[red].minutes=20"], "misread")
    entries = len(game.seen_by("moderator").log())
    game = game.apply("red: REFRESH").game
    game = game.undo(entries - 1, "mail").apply("blue: REFRESH").game
    assert game.seen_by("moderator").pending.waiting
    made: Document = json.loads(game.to_bytes())
    return made


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_game_is_never_a_bug_of_the_program(run: Run, document: Document, forge: Forge, name: str) -> None:
    changed = copy.deepcopy(document)
    FORGERIES[name](changed)
    forged = written(forge(changed), "rally.json")
    data = Path(forged).read_bytes()
    written("red: DRAW\nblue: DRAW")
    blamed = 0
    for command in FORGED_COMMANDS.splitlines():
        Path(forged).write_bytes(data)
        word, *more = command.split()
        result = run(word, forged, *more)  # raises what would be told as a bug
        if result.exit_code == 3:
            blamed += 1
            if "--json" in more:
                assert json.loads(result.stdout.splitlines()[-1])["error"] == "untrusted"
            else:
                assert f"adjudicator: {forged}: this file cannot be trusted" in result.stderr
            assert Path(forged).read_bytes() == data
    assert blamed


def test_the_divergence_of_a_forgery_is_told_with_its_entry(run: Run, document: Document, forge: Forge) -> None:
    changed = copy.deepcopy(document)
    FORGERIES["undone to nowhere"](changed)
    written(forge(changed), "rally.json")
    entry = next(link["entry"]["n"] for link in changed["journal"] if link["entry"]["order"].startswith("UNDO"))
    line = "seat rally.json red --holder Zoe --reason x"
    assert f"\n  journal[{entry}]: entry {entry} (moderator: UNDO to " in run(*line.split(), code=3).stderr
    answer = json.loads(run(*line.split(), "--json", code=3).stdout)
    assert (answer["file"], answer["violations"][0]["path"]) == ("rally.json", f"$.journal[{entry}]")


def test_a_state_that_is_not_the_fold_of_the_events_is_told_with_the_right_value(run: Run, forge: Forge) -> None:
    changed = json.loads((ROOT / "examples/checkered-flag/race/game.json").read_bytes())
    changed["state"]["racers"][0]["driven"] += 1
    written(forge(changed), "race.json")
    assert re.search(
        r"\n  state\.racers\[0\]\.driven: must be 55 according to the journal, not 56\n",
        run("show", "race.json", code=3).stderr,
    )


@pytest.mark.parametrize("code", ["xx", "../../etc", ""])
def test_a_game_in_a_language_that_is_not_installed_says_so(run: Run, forge: Forge, code: str) -> None:
    changed = json.loads(rally().read_bytes())
    changed["languages"] = [code]
    written(forge(changed), "rally.json")
    result = run("apply", "rally.json", "-", stdin="red: MOVE D3\n", code=2 if code else 3)
    assert f"“{code}”" in result.stderr or not code
    run("show", "rally.json", code=0 if code else 3)


def test_a_set_that_borrowed_its_name_is_not_verified(run: Run, forge: Forge) -> None:
    house = json.loads(run("games", "checkpoint-rally", "--json", code=0).stdout)
    house["parts"]["cars"].reverse()
    written(json.dumps({**house["parts"], "id": "own"}), "own.json")
    run(
        *argv("new checkpoint-rally --seat red --seat blue --components own.json -o game.json"),
        code=0,
    )
    changed = json.loads(Path("game.json").read_bytes())
    changed["setup"]["components"]["id"] = changed["components"]["id"] = "house"
    written(forge(changed), "game.json")
    assert "components" in run("audit", "game.json").stdout.splitlines()[0]
    assert run("audit", "game.json").exit_code


EDITS: dict[str, Callable[[Document], Any]] = {
    "another secret": lambda it: it["chance"].update(secret="aa" * 32),
    "a word put in by hand": lambda it: it["chance"]["entropy"].update(blue="tree"),
    "seats in another order": lambda it: it["setup"]["players"].reverse(),
    "another option": lambda it: it["setup"]["options"].update(map="lower"),
    "published by hand": lambda it: it.update(are_published=False),
    "no promise": lambda it: it["chance"].pop("promised"),
    "something more": lambda it: it.update(more=1),
    "another number": lambda it: it.update(prepared=2),
    "no secret": lambda it: it["chance"].update(secret=None),
}
PREPARE = "new checkpoint-rally --seat red=Ann --seat blue=Bob --commit-only -o race.json"


def test_a_prepared_game_that_was_changed_by_hand_is_not_trusted(run: Run) -> None:
    run(*PREPARE.split(), code=0)
    run(*argv("begin race.json red=horse --publish --without blue"), code=0)
    whole = Path("race.json").read_bytes()
    for name, change in EDITS.items():
        Path("race.json").write_bytes(edited(change)(whole))
        assert Path("race.json").read_bytes() != whole
        for deal in ([], ["--deal"]):
            assert "cannot be trusted" in run("begin", "race.json", *deal, code=3).stderr, name


@pytest.mark.parametrize("word", ["Horse", "hor\u200bse", "horse ", "ho", "h\u00adorse"])
def test_an_audit_finds_a_word_that_is_not_in_its_one_form(run: Run, forge: Forge, word: str) -> None:
    run(*PREPARE.split(), code=0)
    run(*argv("begin race.json red=horse --publish --without blue"), code=0)
    run("begin", "race.json", "--deal", code=0)
    changed = json.loads(Path("race.json").read_bytes())
    changed["chance"]["entropy"]["red"] = word
    written(forge(changed), "race.json")
    assert "chance.entropy.red" in run("audit", "race.json", code=1).stdout


def test_a_game_cannot_be_made_a_promised_one_afterwards(run: Run, forge: Forge) -> None:
    run(*argv("new checkpoint-rally --seat red --seat blue --entropy red=horse -o plain.json"), code=0)
    changed = json.loads(Path("plain.json").read_bytes())
    changed["chance"]["without"] = ["blue"]
    written(forge(changed), "plain.json")
    assert "\n  chance.without" in run("show", "plain.json", code=3).stderr
    changed["chance"].update(promised=True, without=[])
    written(forge(changed), "plain.json")
    assert "chance.without" in run("audit", "plain.json", code=1).stdout


def opened(path: Path | str) -> Any:
    return json.loads(Path(path).read_bytes())


# Any damage: the message needs no knowledge of the code ----------------------------------------------------------------

JUNK: tuple[Any, ...] = (7, -1, 2**60, "x", "", None, True, [], {}, [1], {"x": 1}, [[]])
CHANGES: tuple[Any, ...] = ("gone", "renamed", *JUNK)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to everything in ``value``; of a list only to the first item."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def damaged(document: Any, most: float) -> Iterator[Any]:
    """Yield ``document`` about ``most`` times, each kind of change once at least, at places that are evenly spread."""
    changes = [(path, change) for path in places(document) for change in CHANGES]
    step = max(1, int(len(changes) / max(most, len(CHANGES))))
    while math.gcd(step, len(CHANGES)) > 1:  # else some kinds of change would never come
        step -= 1
    for path, change in changes[::step]:
        spoiled = copy.deepcopy(document)
        inside = spoiled
        for key in path[:-1]:
            inside = inside[key]
        if change == "gone":
            del inside[path[-1]]
        elif change == "renamed" and isinstance(inside, dict):
            inside[f"{path[-1]}x"] = inside.pop(path[-1])
        else:
            inside[path[-1]] = change
        yield spoiled


def refusals(load: Callable[[bytes], Any], documents: Iterator[Any]) -> int:
    """Return how many of ``documents`` cannot be loaded, after a look at each message."""
    found = 0
    for document in documents:
        try:
            load(json.dumps(document).encode())
        except (adj.FileProblem, adj.SetupError) as problem:
            told, found = str(problem), found + 1
            plain(told.partition(", or this is a bug in the ruleset")[0])
    return found


def resealed(data: bytes) -> bytes:
    """Return a player's own file with its seal made anew: the seal would find a damage first."""
    body = {key: value for key, value in json.loads(data).items() if key != "seal"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return json.dumps({**body, "seal": sha256(b"adjudicator seat file\n" + text.encode()).hexdigest()}).encode()


@pytest.fixture(params=[0.08, pytest.param(1, marks=pytest.mark.soak)])
def share(request: pytest.FixtureRequest) -> float:
    """Return how much of the damage a test tries; the long runs try all of it."""
    return float(request.param)


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_a_damaged_game_or_component_set_is_told_in_plain_words(run: Run, ruleset: str, share: float) -> None:
    path = min(
        (ROOT / "tests" / "data" / "games" / ruleset).glob("*.json"), key=lambda file: (file.stat().st_size, file.name)
    )
    assert refusals(adj.open, damaged(opened(path), 30 * share)) > 10

    def load(data: bytes) -> None:
        component_set(ruleset, written(data, "own.json"))

    parts = json.loads(run("games", ruleset, "--json", code=0).stdout)["parts"]
    assert refusals(load, damaged(parts, 15 * share)) > 5


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*/mistakes/position.json")), ids=lambda path: path.parts[-3])
def test_a_damaged_position_is_told_in_plain_words(run: Run, path: Path, share: float) -> None:
    document = opened(path)
    seats = [one["seat"] for one in document[next(key for key in ("seats", "piles") if key in document)]]

    def load(data: bytes) -> None:
        adj.new(path.parts[-3], seats, position=written(data, "position.json"), seed=1)

    assert refusals(load, damaged(document, 200 * share)) > 20 * share


def test_a_damaged_file_of_a_player_or_of_a_prepared_game_is_told_in_plain_words(run: Run, share: float) -> None:
    run("report", rally(), "--as", "red", "--format", "game", "-o", "red.json", code=0)
    own = opened("red.json")
    assert json.loads(resealed(Path("red.json").read_bytes())) == own
    assert refusals(lambda data: adj.open(resealed(data)), damaged(own, 200 * share)) > 50 * share
    assert refusals(adj.open, damaged(own, 30 * share)) > 20 * share
    run(*PREPARE.split(), code=0)
    assert refusals(adj.open_prepared, damaged(opened("race.json"), 200 * share)) > 50 * share


@pytest.mark.parametrize("name", ["view", "seat", "log", "setup", "counting", "pending", "chance"])
def test_a_player_s_own_file_that_was_made_up_is_refused_or_looked_at(run: Run, name: str) -> None:
    run("report", rally(), "--as", "red", "--format", "game", "-o", "red.json", code=0)
    whole = opened("red.json")
    for value in (None, "moderator", 7, [{}], ["x"], "x"):
        written(resealed(json.dumps({**whole, name: value}).encode()), "red.json")
        plain(run("show", "red.json", code=3).stderr)
    for key in whole["view"] if name == "view" else ():
        written(resealed(json.dumps({**whole, "view": {**whole["view"], key: "nonsense"}}).encode()), "red.json")
        assert run("show", "red.json").exit_code in (0, 3)
    left = {key: value for key, value in whole["setup"]["options"].items() if key != "car.red"}
    written(resealed(json.dumps({**whole, "setup": {**whole["setup"], "options": left}}).encode()), "red.json")
    assert "cannot begin with this set-up" in run("show", "red.json", code=3).stderr
    written(b'["seat_file":1]', "red.json")
    run("legal", "red.json", code=3)


def test_damaged_settings_of_a_club_are_told_in_plain_words(run: Run, share: float) -> None:
    line = "club init thu --name Thursday --address club@example.org --moderator me@example.org"
    run(*line.split(), code=0)
    file, told = Path("thu/club.toml"), set()
    lines = file.read_text().splitlines()
    for number in (number for number, line in enumerate(lines) if re.match(r"\w+ = ", line)):
        name, _, value = lines[number].partition(" = ")
        ways = (f"{name}x = {value}", *(f"{name} = {bad}" for bad in ("[]", "{ a = 1 }", "1979-05-27", "")), "")
        for way in ways if share == 1 else (ways[number % len(ways)],):
            file.write_text("\n".join((*lines[:number], way, *lines[number + 1 :])))
            result = run("club", "status", "thu")
            if result.exit_code:
                told.add(plain(result.stderr))
    for data in (b"\xff\xfe", b"", b"a = 1.5", b"[[deadlines]]", b"x" * 2_000_000):
        file.write_bytes(data)
        told.add(plain(run("club", "status", "thu", code=3).stderr))
    assert len(told) > (30 if share == 1 else 15)


KINDS = {
    "empty": b"",
    "binary": bytes(range(256)),
    "utf-16": '{"format": 2}'.encode("utf-16"),
    "deep": b"[" * 5000,
    "list": b"[]",
    "half": b'{"format": 2, "id": ',
    "comma": b'{"format": 2,}',
    "escape": b'{"format": "\\q"}',
    "unicode": b'{"format": "\\u12"}',
    "control": b'{"format": "\n"}',
    "twice": b'{"format": 1, "format": 2}',
    "text": b"red: DRAW\n",
    "script": b"script 1\nfoo bar\n",
    "mail": b"From: a@b\nSubject: x\n\nred: DRAW\n",
    "archive": b"\x28\xb5\x2f\xfd" + bytes(40),
    "zip": b"PK\x03\x04" + bytes(40),
}
READERS = """\
show FILE
log FILE
replay FILE
audit FILE
words FILE
begin FILE
undo FILE --to 1 --reason x
games checkpoint-rally --set FILE
new checkpoint-rally --seat red --seat blue --setup FILE
new checkpoint-rally --seat red --seat blue --seed FILE
new rally-round --seats FILE
rally-round route FILE
rally-round sheet score FILE
"""


@pytest.mark.parametrize("line", READERS.splitlines())
def test_a_file_of_a_wrong_kind_is_told_in_plain_words(run: Run, line: str) -> None:
    for name, data in KINDS.items():
        for file in (
            ("x.json", "x.zip", "x.tar", "x.adjudicator.db", "x.jsonl.zst", "x.eml")
            if line.startswith("audit")
            else ("x.json",)
        ):
            result = run(*line.replace("FILE", written(data, file)).split())
            assert result.exit_code, name
            plain(result.output)
    rally()
    if any(words in line for words in ("--set", "route")):
        told = run(*line.replace("FILE", "rally.json").split(), code=3).stderr
        assert told.splitlines()[1:] == ["  it is a game file"]


def test_orders_of_a_wrong_kind_are_told_in_plain_words(run: Run) -> None:
    game = rally()
    for data in KINDS.values():
        for file in ("orders.txt", "orders.eml", "orders.mbox"):
            plain(run("check", game, written(data, file), code=0 if data.endswith(b"DRAW\n") else 1).stderr)
