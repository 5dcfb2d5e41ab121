"""No forged game is ever verified: whatever is changed in a file whose chain and seal fit, the audit says where and why."""

from __future__ import annotations

import copy
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.audit import Divergence
from adjudicator.library.begin import ImpossibleOutcomeError
from tests.drivers import toy
from tests.drivers.older import with_word
from tests.drivers.records import (
    DELETE,
    ROOT,
    RULESETS,
    Document,
    at,
    entry_of,
    event_of,
    forge,
    laid_out,
    leaves,
    played,
    put,
    small,
    spoiled,
    steps,
    verdict,
    words,
)
from tests.drivers.records import Path as Way

Changes = dict[str, Any]


def begun(**more: Any) -> adj.Game:
    seats = {"red": "Ann", "blue": "Bob"}
    return adj.new("checkpoint-rally", seats, id="rally-042", **({"seed": "ab" * 32} | more))


def first_order(game: adj.Game) -> str:
    orders = [row.order for row in game.seen_by(game.due_seats[0]).legal]
    return "DRAW" if "DRAW" in orders else orders[0]


@cache
def table_talk() -> adj.Game:
    """Return a small game with everything a record can hold: branches, notes, corrections of each kind, waiting orders."""
    game = played(begun(words={"red": "horse"}), 4)
    game = played(game, 3, seed=7).undo(len(toy.entries(game)) - 1, "the wrong mail")
    game = played(game, 2, seed=8).amend(["racers[red].minutes=40"], "a slip of the pen")
    game = game.hand_over("blue", "Cleo", "Bob is away").take_holiday("blue", "2026-03-02", "2026-03-09")
    game = game.miss_deadline("red", "2026-03-05 20:00 UTC", "bot")
    game = played(game, 2, seed=9).reveal("all may know", force=True)
    for line in ("IF minutes > 500 THEN DRAW ELSE {}", "IF minutes > 500 THEN REFRESH ELSE ({} OR DRAW)"):
        seat = game.due_seats[0]
        game = game.apply({seat: line.format(next(iter(game.seen_by(seat).legal)).order)}).game
    other = next(seat for seat in game.seats if seat not in game.due_seats)
    return game.apply({other: "DRAW\nMOVE C3 OR REFRESH"}).game


@cache
def worded() -> adj.Game:
    """Return a game with words for chance: beside an order, behind an undo, by themselves."""

    def step(game: adj.Game) -> adj.Game:
        return game.apply(f"{game.due_seats[0]}: {first_order(game)}").game

    game = with_word(step(step(begun(words={"red": "horse"}))), "red", "cow", beside=True)
    game = step(step(with_word(game, "blue", "fish", beside=True)).undo(4, "x"))
    game = with_word(game, "red", "hen")
    return step(step(step(step(game))))


@cache
def at_a_table() -> adj.Game:
    """Return a game whose chance is recorded: always the last possible outcome."""
    drawn: list[str] = []
    while True:
        try:
            game = begun(seed=None, recorded=drawn)
        except ImpossibleOutcomeError as asked:
            drawn.append(asked.among[-1])
        else:
            break
    luck = Random(3)
    for _ in range(10):
        seat = game.due_seats[0]
        order, outcomes = luck.choice(game.seen_by(seat).legal).order, list[str]()
        while (result := game.apply({seat: f"{order} [{' '.join(outcomes)}]" if outcomes else order})).problems:
            outcomes.append(result.problems[0].suggestions[0])
        game = result.game
    return game


@cache
def finished() -> adj.Game:
    return adj.open(ROOT / "examples/checkpoint-rally/two-players/game.json")


@cache
def placed() -> adj.Game:
    """Return a race that begins from a position."""
    path = ROOT / "examples/checkered-flag/golden/case-1.setup.json"
    seats = [one["seat"] for one in json.loads(path.read_text("utf-8"))["seats"]]
    return adj.new("checkered-flag", seats, position=str(path), seed=7)


GAMES: dict[str, Callable[[], adj.Game]] = {
    "talk": table_talk,
    "words": worded,
    "table": at_a_table,
    "over": finished,
    "placed": placed,
}


def entries(document: Document) -> list[Document]:
    return [link["entry"] for link in document["journal"]]


def noted(document: Document) -> str:
    """Return the path of the first entry with a note."""
    return f"journal[{next(entry['n'] for entry in entries(document) if entry['notes'])}].entry"


def word(document: Document, said: str) -> str:
    """Return the path of the entry of a word."""
    return f"journal[{next(entry['n'] for entry in entries(document) if entry['order'] == f'WORD {said}')}].entry"


def drawn_at(document: Document) -> str:
    """Return the path of the first order with outcomes in brackets."""
    return f"journal[{next(entry['n'] for entry in entries(document)[1:] if '[' in (entry['written'] or ''))}].entry"


def renumbered(links: list[Any]) -> list[Any]:
    return [{**link, "entry": {**link["entry"], "n": n}} for n, link in enumerate(links)]


def another_secret(_document: Document) -> Changes:
    commitment = sha256(b"adjudicator commit 1\n" + bytes.fromhex("cd" * 32)).hexdigest()
    return {"chance.secret": "cd" * 32, "chance.commitment": commitment}


def more_word(document: Document) -> Changes:
    """Add the word of a forger."""
    last = entries(document)[-1]
    drawn = max(entry["drawn"] for entry in entries(document))
    event = {"kind": "word-sent", "outcome": drawn, "seat": "red", "word": "cow"}
    entry = {**last, "n": last["n"] + 1, "turn": last["turn"] + 1, "seat": "red", "order": "WORD cow", "written": None}
    return {"journal": [*document["journal"], {"entry": {**entry, "notes": [], "events": [event]}, "hash": ""}]}


def said(path: str, other: str) -> Changes:
    return {f"{path}.order": f"WORD {other}", f"{path}.events[0].word": other}


Row = tuple[Any, ...]
TABLE: dict[str, Row] = {
    # What: in which game, the changes, and the kind, the entry (…: any), the field and some of the words of the verdict.
    "minutes that do not add up": ("talk", lambda d: {event_of(d, "spent") + ".after": lambda n: n - 1}, "events", "…"),
    "another secret, properly committed to": ("talk", another_secret, "set-up", 0, "events[0].frames"),
    "another word of a player": ("talk", lambda d: {"chance.entropy.red": "cow"}, "set-up", 0),
    "a word of somebody else": ("talk", lambda d: {"chance.entropy.green": "cow"}, "set-up", None, "chance.entropy"),
    "a word where people draw": ("table", lambda d: {"chance.entropy.green": "cow"}, "set-up", None, "chance.entropy"),
    "an order that cannot be read": (
        *("talk", lambda d: {"journal[2].entry.order": "PLAICE H3"}, "unreadable order", 2, "order", "an order of"),
    ),
    "an order that the rules refuse": (
        *("talk", lambda d: {"journal[4].entry.order": "MOVE E5 E4 E3 E2 E1 D1"}, "refused order", 4, "", "refused: "),
    ),
    "a seat that was not due": (
        *("talk", lambda d: {"journal[1].entry.seat": lambda seat: "blue" if seat == "red" else "red"}, "refused order", 1),
        "seat",
    ),
    "an order that is nobody's": ("talk", lambda d: {"journal[1].entry.seat": None}, "", 1, "seat"),
    "an entry left out": ("talk", lambda d: {"journal": lambda links: renumbered(links[:3] + links[4:])}, "", 3),
    "entries cut off, of which receipts tell": ("talk", lambda d: {"journal": lambda links: links[:-1]}, "damaged", "…"),
    "entries cut off by a clever forger": (
        *("talk", lambda d: {"journal": lambda links: links[:-1], "receipts": DELETE}, "state", None, "state."),
    ),
    "a correction under a player's name": (
        "talk",
        lambda d: {f"journal[{entry_of(d, 'amended')}].entry.seat": "red"},
        *("correction", "…", "seat", "moderator"),
    ),
    "a correction hidden behind an order": (
        "talk",
        lambda d: {"journal[2].entry.events": lambda events: [*events, entries(d)[entry_of(d, "amended")]["events"][0]]},
        *("", 2, "", "nothing"),
    ),
    "an undo that goes back elsewhere": (
        "talk",
        lambda d: {event_of(d, "undone") + ".to": 3, f"journal[{entry_of(d, 'undone')}].entry.order": "UNDO to 3"},
        *("", "…"),
    ),
    "an undo of what has not happened": (
        *("talk", lambda d: {event_of(d, "undone") + ".to": 99}, "correction", "…", "events[0].to"),
    ),
    "an undo of itself": (
        "talk",
        lambda d: {event_of(d, "undone") + ".to": 8, f"journal[{entry_of(d, 'undone')}].entry.order": "UNDO to 8"},
        *("correction", "…", "events[0].to"),
    ),
    "an amendment of what never was": (
        "talk",
        lambda d: {event_of(d, "amended") + ".before.racers[0].minutes": lambda n: n + 5},
        *("correction", "…", "events[0].before.racers[0].minutes"),
    ),
    "an amendment to what cannot be": (
        "talk",
        lambda d: {event_of(d, "amended") + ".after.discard": lambda tiles: [*tiles, "H99"]},
        *("correction", "…", "events[0].after", "there is no tile H99 in this game"),
    ),
    "a seat taken from somebody else": (
        *("talk", lambda d: {event_of(d, "seat-handed") + ".before": "Ann"}, "correction", "…", "events[0].before", "Bob"),
    ),
    "an early secret called timely": (
        *("talk", lambda d: {event_of(d, "secret-revealed") + ".is_early": False}, "", "…", "events[0].is_early"),
    ),
    "alternatives that no position allows": (
        "talk",
        lambda d: {"journal[2].entry.written": f"{entries(d)[2]['order']} OR PLACE H999 at C3 rot 0"},
        *("refused order", 2, "", "H999"),
    ),
    "outcomes in a game that draws its own": (
        *("talk", lambda d: {"journal[2].entry.written": f"{entries(d)[2]['order']} [H5]"}, "refused order", 2),
    ),
    "a reason why another branch was taken": (
        "talk",
        lambda d: {f"{noted(d)}.notes": ["IF minutes > 500: yes (minutes is 501)"]},
        *("other branch", "…", "notes"),
    ),
    "a reason about something else": (
        *("talk", lambda d: {f"{noted(d)}.notes[0]": "IF it rains: yes"}, "other branch", "…", "notes"),
    ),
    "an order that cannot wait": ("talk", lambda d: {"pending[0].orders[0].order": "PLAICE"}, "pending orders", None),
    "one in other words": ("talk", lambda d: {"pending[0].orders[0].order": "draw"}, "pending orders", None),
    "one that no position allows": (
        *("talk", lambda d: {"pending[0].orders[0].order": "PLACE H999 at C3 rot 0"}, "pending orders", None),
    ),
    "one with outcomes": ("talk", lambda d: {"pending[0].orders[0].order": "DRAW [H5]"}, "pending orders", None),
    "an option that there is not": ("talk", lambda d: {"setup.options.weather": "rain"}, "set-up", None, "setup"),
    "an option left out": ("talk", lambda d: {"setup.options.map": DELETE}, "set-up", None, "setup.options.map"),
    "an option with another value": ("talk", lambda d: {"setup.options.map": "sideways"}, "set-up", None, "setup"),
    "a player left out": ("talk", lambda d: {"setup.players": lambda players: players[:1]}, "", "…"),
    "a player twice": ("talk", lambda d: {"setup.players[1].seat": "red"}, "damaged", "…"),
    "more reports than entries": ("talk", lambda d: {"reported": 999}, "damaged", "…"),
    "a line that no mail can hold": ("talk", lambda d: {"journal[1].entry.order": "DRAW" + " " * 2_000}, "damaged", "…"),
    "a secret that was not committed to": ("talk", lambda d: {"chance.secret": "0" * 64}, "damaged", "…", "chance.secret"),
    "a game without its secret": ("talk", lambda d: {"chance.secret": None}, "chance", None, "chance.secret", "the secret"),
    "a state that the rules do not come to": (
        *("over", lambda d: {"state.racers[0].minutes": lambda n: n + 1}, "state", None, "state.racers[0].minutes"),
    ),
    "a position that cannot have been": (
        "placed",
        lambda d: {f"setup.position.seats[{n}].position": 12 for n in (0, 1)},
        *("set-up", None, "setup.position", "impossible: "),
    ),
    "an outcome that is missing": (
        *("table", lambda d: {drawn_at(d) + ".written": None}, "chance", "…", "outcome"),
    ),
    "an outcome that cannot have been": (
        "table",
        lambda d: {drawn_at(d) + ".written": lambda line: re.sub(r"\[\w+", "[Z9", line)},
        *("chance", "…", "outcome"),
    ),
    "an outcome too many": (
        *("table", lambda d: {drawn_at(d) + ".written": lambda line: line[:-1] + " Z9]"}, "chance", "…", "outcome"),
    ),
    # Words for chance.
    "a word that counts from a later outcome": (
        "words",
        lambda d: {word(d, "hen") + ".events[0].outcome": lambda n: n + 1},
        *("chance", "…", "events[0].outcome"),
    ),
    "a word that counts from an earlier outcome": (
        "words",
        lambda d: {word(d, "hen") + ".events[0].outcome": lambda n: n - 1},
        *("chance", "…", "events[0].outcome"),
    ),
    "a word that deals otherwise": ("words", lambda d: said(word(d, "cow"), "cat"), "", "…"),
    "an entry in other words": ("words", lambda d: {word(d, "hen") + ".order": "WORD cat"}, "", "…", "order"),
    "an entry written in other words": ("words", lambda d: {word(d, "hen") + ".written": "WORD cat"}, "", "…", "written"),
    "an entry with notes": ("words", lambda d: {word(d, "hen") + ".notes": ["x"]}, "", "…", "notes"),
    "an entry of another seat": ("words", lambda d: {word(d, "hen") + ".seat": "blue"}, "", "…", "seat"),
    **{
        f"a word that nobody could have sent: {other!r}": (
            *("words", lambda d, other=other: said(word(d, "hen"), other), "", "…", "events[0].word"),
        )
        for other in ("Hen", "hen ", "no", "h\u200ben", "cow")
    },
    "two words of a seat in one turn": (
        "words",
        lambda d: {word(d, "fish") + ".seat": "red", word(d, "fish") + ".events[0].seat": "red"},
        *("", "…", "turn"),
    ),
    "a word where people draw the outcomes": ("table", more_word, "", "…", "", "people draw the outcomes"),
    "a word after the end": ("over", more_word, "", "…", "", "is over"),
    "a word that hides behind an order": (
        "words",
        lambda d: {"journal[1].entry.events": lambda events: [*events, at(d, steps(word(d, "cow")))["events"][0]]},
        *("events", 1, "", "nothing"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", TABLE)
def test_a_forgery_is_found_where_it_is(what: str, tmp_path: Path) -> None:
    which, change, kind, entry, field, words = (*TABLE[what], *("", "…", "", "")[len(TABLE[what]) - 2 :])
    document = toy.document(GAMES[which]())
    found = verdict(forge(spoiled(document, change(document))), tmp_path)
    assert found.divergence is not None
    assert found.divergence.kind == kind or not kind
    assert found.divergence.n == entry or entry == "…"
    assert found.divergence.field.startswith(field)
    assert words in found.divergence.recomputed


@pytest.mark.parametrize("which", GAMES)
def test_the_games_that_are_forged_here_are_verified_as_they_were(which: str, tmp_path: Path) -> None:
    game = GAMES[which]()
    found = verdict(game.to_bytes(), tmp_path)
    assert found.divergence is None
    corrections = [entry for entry in toy.entries(game) if entry["seat"] == "moderator"]
    assert (found.entries, found.corrections) == (len(toy.entries(game)), len(corrections))
    assert found.draws == toy.entries(game)[-1]["drawn"]
    if which == "talk":
        kinds = {event["kind"] for entry in corrections for event in entry["events"]}
        assert kinds >= {"undone", "amended", "seat-handed", "went-on-holiday", "missed-deadline", "secret-revealed"}
        assert (found.game, found.ruleset, found.over) == ("rally-042", "checkpoint-rally", False)
        assert toy.pending(game)


def test_a_note_may_say_more_and_files_may_be_laid_out_otherwise(tmp_path: Path) -> None:
    """The words that explain a branch may be put better by a later version: they stay as they are."""
    document = toy.document(table_talk())
    better = spoiled(document, {f"{noted(document)}.notes[0]": lambda note: f"{note} “so it was”"})
    assert verdict(forge(better), tmp_path).divergence is None
    for other in (json.dumps(document, indent=1), laid_out(document).decode().replace("\n", "\r\n")):
        assert verdict(other.encode(), tmp_path).divergence is None


# Every value of a file -----------------------------------------------------------------------------------------------

MEANINGLESS = (
    r"id",  # what the game is called
    r"ruleset\.version",  # by which version of the rules it was begun, where all of them decide it alike
    r"setup\.players\[\d+\]\.holder",  # who played, where no seat was handed over
    r"journal\[\d+\]\.entry\.events\[0\]\.(reason|holder|due|policy|first|last)",  # a moderator's words and notes
    r"journal\[\d+\]\.entry\.notes\[\d+\]",  # the words that explain a branch, not which branch it was
    r"journal\[\d+\]\.entry\.turn",  # which orders came together in one adjudication
    r"reported|receipts(\[\d+\](\.(turn|seat|hash|received|identity))?)?",  # what has arrived: nothing follows from it
    r"pending(\[\d+\](\.(seat|turn|is_begun|orders(\[\d+\](\.(order|line))?)?))?)?",
)
"""What nobody can decide again: a change here may be verified, since no rule says what should stand there."""
MAY_BE_VERIFIED = re.compile("|".join(f"(?:{pattern})" for pattern in MEANINGLESS))


def shape(path: Way) -> str:
    """Return what kind of place ``path`` leads to; the states around an amendment are like the state of the game."""
    steps = ".".join("*" if isinstance(step, int) else step for step in path)
    return re.sub(r"^journal\.\*\.entry\.events\.\*\.(before|after)\.", "state.", steps)


def changed(value: Any, others: list[Any]) -> Iterator[Any]:
    """Yield values that a forger might put in the place of ``value``: of places of the same kind, as the schema allows."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, *([value - 1] if value else []))
    elif isinstance(value, list):
        yield from ([value[:-1], [*value, copy.deepcopy(value[0])]] if value else [])
        yield from [[value[1], value[0], *value[2:]]] if len(value) > 1 and value[0] != value[1] else []
    elif value is None:
        yield from (item for item in others[:3] if item is not None)
    else:
        yield from (*[item for item in others if item != value][:2], None, f"{value}x")


def forgeries(document: Document) -> Iterator[tuple[Way, Any]]:
    others: dict[str, list[Any]] = defaultdict(list)
    for path, value in leaves(document):
        if value not in others[shape(path)]:
            others[shape(path)].append(value)
    for path, value in leaves(document):
        if path[0] not in ("format", "seal", "components") and path[-1] != "hash":
            yield from ((path, new) for new in changed(value, others[shape(path)]))


def names_the_place(divergence: Divergence, path: Way) -> bool:
    """Return whether ``divergence`` leads to where the file was changed."""
    if path[0] != "journal" or len(path) < 2 or not isinstance(path[1], int):
        return divergence.n in (None, 0) or path[0] in ("setup", "chance", "journal")
    if path[-1] == "turn":  # which entries came together shows in the next entry, or in what waits since
        return (divergence.n in (path[1], path[1] + 1) and divergence.field == "turn") or divergence.kind == "pending orders"
    if path[3:6:2] == ("events", "after"):  # what a moderator has made of a position only what came of it later can tell
        return divergence.n is None or divergence.n >= path[1]
    inner, field = words(path[3:]), divergence.field
    follows = inner.startswith(field) or field.startswith(inner) or divergence.kind == "correction"
    return divergence.n == path[1] and (not inner.startswith("events") or follows)


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("which", ["talk", *RULESETS])
def test_every_change_in_any_game_is_found(which: str, every: int, tmp_path: Path) -> None:
    document = toy.document(table_talk()) if which == "talk" else json.loads(small(which, 4))
    reached = 0
    chosen = islice(forgeries(document), len(which), None, every)
    for path, new in chosen:
        found = verdict(forge(put(document, path, copy.deepcopy(new))), tmp_path).divergence
        where = (words(path), new, found)
        if found is None:
            assert MAY_BE_VERIFIED.fullmatch(words(path)), where
        elif found.kind not in ("damaged", "version"):
            assert names_the_place(found, path), where
            reached += found.kind != "fault"
            assert found.kind != "fault", where
    assert reached > 4


def flips(data: bytes, luck: Random) -> Iterator[bytes]:
    """Yield ``data`` with a byte changed, left out, put in, or a piece exchanged; and lines left out, doubled, exchanged."""
    at, size = luck.randrange(len(data)), luck.randrange(1, 40)
    other, lines = luck.randrange(len(data) - size), data.split(b"\n")
    one, two = luck.randrange(len(lines)), luck.randrange(len(lines))
    yield data[:at] + bytes([data[at] ^ 1 << luck.randrange(8)]) + data[at + 1 :]
    yield data[:at] + luck.choice([b",", b"\n", b'"', b"0", b"{", b"]"]) + data[at:]
    yield data[:at] + data[other : other + size] + data[at:]
    yield b"\n".join(lines[:one] + lines[one + 1 :])
    yield b"\n".join(lines[:one] + lines[one : one + 1] + lines[one:])
    lines[one], lines[two] = lines[two], lines[one]
    yield b"\n".join(lines)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_flipped_file_and_no_mixed_journal_is_verified_or_finds_a_bug(ruleset: str, tmp_path: Path) -> None:
    data, luck, found = small(ruleset), Random(ruleset), list[Any]()
    document = json.loads(data)
    mixed = []
    for _ in range(2):
        other = copy.deepcopy(document)
        one, two = (luck.choice(other["journal"])["entry"] for _ in range(2))
        name = luck.choice(sorted(one))
        one[name] = two[name]
        at = luck.randrange(len(other["journal"]))
        lists = [
            lambda links, at=at: links[:at] + links[at + 1 :],
            lambda links: links[::-1],
            lambda links: [*links, links[1]],
        ]
        mixed += [forge(other), forge(put(document, "journal", luck.choice(lists)))]
    for spoilt in (*flips(data, luck), *flips(data, luck), *mixed):
        result = verdict(spoilt, tmp_path)
        if result.divergence is None:
            assert entries(json.loads(spoilt)) == entries(document)
        else:
            found.append(result.divergence.kind)
    assert len(found) > 8
    assert "fault" not in found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_at_random_are_verified(ruleset: str, seed: int, tmp_path: Path) -> None:
    seats = ["red", "blue", "green"] if ruleset == "checkpoint-charlie" else ["red", "blue"]
    game = played(adj.new(ruleset, seats, seed=seed), 16, seed)
    found = verdict(game.to_bytes(), tmp_path)
    assert (found.divergence, found.entries) == (None, len(toy.entries(game)))
