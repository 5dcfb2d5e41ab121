"""Checkpoint Charlie beyond its scenarios: the cards, whole games, what is secret, simulated players, the wall."""

from __future__ import annotations

import json
import re
import sys
from calendar import monthrange
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import adjudicator as adj
from adjudicator.games.checkpoint_charlie.rounds import odds
from adjudicator.library.rulesets import component_set
from tests.drivers.scenarios import table

HOUSE = component_set("checkpoint-charlie").parts
LOOKS = {suspect["id"]: set(suspect["looks"]) for suspect in HOUSE["suspects"]}
MARKERS = {marker["id"]: marker for marker in HOUSE["markers"]}
FACES = list(zip(*(suspect["looks"] for suspect in HOUSE["suspects"]), strict=True))
SEATS = ("red", "blue", "green", "yellow", "white")
THREE = (
    "is_window true",
    "red clue=hat row=Viktor pile=Boris",
    "blue clue=glasses row=Ivan pile=Emil",
    "green clue=raincoat",
)
Parts = dict[str, Any]


def state_of(game: adj.Game, viewer: str | None = "moderator") -> Any:
    return json.loads(adj.render(game.seen_by(viewer).position, "json"))["view"]["state"]


# --- cards and markers -------------------------------------------------------------------------------------------------


def test_cc_c1_cc_c3_every_suspect_is_once_and_markers_have_their_values() -> None:
    """Nils can be the chief of the rulebook's example, without glasses, and Lash an assistant: they differ in one trait."""
    assert {tuple(suspect["looks"]) for suspect in HOUSE["suspects"]} == set(product(*map(dict.fromkeys, FACES)))
    assert len(LOOKS) == 32 and all(name.isalpha() and name == name.capitalize() for name in LOOKS)
    assert "no_glasses" in LOOKS["Nils"] and len(LOOKS["Nils"] & LOOKS["Lash"]) == 4
    usual = Counter(f"{one['colour']} {one['points']}" for one in MARKERS.values() if one["power"] == "none")
    few = {"gold 3": 2, "gold 4": 2, "gold 5": 1}
    assert usual == few | {"white 1": 6, "white 2": 6, "black 0": 4, "black -1": 4}
    others = [(one["power"], one["colour"], one["points"]) for one in MARKERS.values() if one["power"] != "none"]
    adler = [("adler", "black", -1), ("adler", "gold", 3), ("adler", "white", 1), ("adler", "white", 1)]
    assert sorted(others) == [*adler, ("stasi", "black", -2)]


def of(kind: str, name: str, **changes: Any) -> Callable[[], Parts]:
    """Return a maker of the house set in which the part ``name`` is changed."""
    return lambda: {**HOUSE, kind: [{**part, **changes} if part["id"] == name else part for part in HOUSE[kind]]}


UNFIT: list[tuple[Callable[[], Parts], str, str]] = [
    (of("suspects", "Anton", id="Boris"), "suspect Boris 2 times", "CC-C1"),
    (of("suspects", "Anton", id="anton"), "one word, a capital and small letters; “anton” is not", "CC-C1"),
    (of("suspects", "Anton", id="Mc Anton"), "“Mc Anton” is not", "CC-C1"),
    (of("suspects", "Anton", id="Glasses"), "cannot be called Glasses", "CC-C1"),
    (of("suspects", "Anton", id="Laces"), "cannot be called Laces", "CC-C2"),
    (of("suspects", "Anton", id="Row"), "cannot be called Row", "CC-C1"),
    (of("suspects", "Anton", looks=HOUSE["suspects"][1]["looks"]), "the set has no card with", "CC-C1"),
    (of("suspects", "Anton", looks=HOUSE["suspects"][0]["looks"][::-1]), "a face of each trait", "CC-C1"),
    (of("markers", "G5a", id="G4a"), "marker G4a 2 times", "CC-C3"),
    (of("markers", "G5a", id="G-5"), "letters and digits; “G-5” is not", "CC-C3"),
    (lambda: {**HOUSE, "markers": HOUSE["markers"][5:25]}, "no gold marker", "CC-C3"),
    (of("markers", "GA", replaces=None), "an optional marker replaces another", "CC-C3"),
    (of("markers", "W2a", replaces="W1a"), "and no other does", "CC-C3"),
    (of("markers", "GA", replaces="W2a"), "must replace an ordinary gold marker, not W2a", "CC-C3"),
    (of("markers", "GA", replaces="G9z"), "must replace an ordinary gold marker, not G9z", "CC-C3"),
    (of("markers", "GA", points=4), "worth what it replaces: 3, not 4", "CC-O2"),
    (of("markers", "WB", replaces="W1a"), "a replacement of marker W1a 2 times", "CC-C3"),
    (of("markers", "BA", power="stasi"), "one Stasi marker at most", "CC-O1"),
]


@pytest.mark.parametrize(("spoilt", "message", "rule"), UNFIT, ids=lambda value: value if isinstance(value, str) else "")
def test_an_unfit_set_is_refused_with_the_rule(tmp_path: Path, spoilt: Callable[[], Parts], message: str, rule: str) -> None:
    (tmp_path / "own.json").write_text(json.dumps({**spoilt(), "id": "own"}))
    with pytest.raises(adj.SetupError) as error:
        adj.new("checkpoint-charlie", SEATS[:3], components=str(tmp_path / "own.json"))
    found = [(problem.message, problem.rule) for problem in error.value.problems]
    assert any(message in words and rule == cited for words, cited in found), found
    assert {problem.code for problem in error.value.problems} == {"checkpoint-charlie/unfit-set"}


def test_cc_p1_a_time_is_accepted_on_the_days_that_a_month_has(tmp_path: Path) -> None:
    game = table("checkpoint-charlie", *THREE, folder=tmp_path)
    for month in range(1, 13):
        last = monthrange(2023, month)[1]
        taken = [
            not game.apply({"red": f"ACCUSE Viktor received 2023-{month:02}-{day} 10:00"}).problems
            for day in (last, last + 1)
        ]
        assert taken == [True, False]


def next_of(deck: tuple[str, ...], cards: tuple[str, ...]) -> list[str]:
    """Return the cards that can come next, each as often as its chance has it."""
    among = odds(deck, cards)
    return [among[at] for at in range(len(among))]


def chance_of(deck: list[Any], cards: tuple[str, ...], turned: list[str | None]) -> Fraction:
    """Return the exact chance that the next cards are ``turned`` (``None``: any suspect)."""
    chance = Fraction(1)
    for card in turned:
        next_cards = next_of(tuple(deck), cards)
        count = sum(other in deck for other in next_cards) if card is None else next_cards.count(card)
        deck, cards = (deck[1:], cards) if card is None else (deck, tuple(other for other in cards if other != card))
        chance *= Fraction(count, len(next_cards))
    return chance


def test_cc_s3_investigators_are_anywhere_in_the_upper_half_alike_and_suspects_in_either_half() -> None:
    """Among the seventeen or eighteen upper places each, or each pair, is as likely; with five players there are none."""
    deck = [*LOOKS]
    assert Counter(next_of(tuple(deck), ())) == Counter(deck)
    assert {chance_of(deck, ("Meridian",), [*[None] * n, "Meridian"]) for n in range(17)} == {Fraction(1, 17)}
    assert chance_of(deck, ("Meridian",), [None] * 17) == 0
    for one, other in combinations(range(18), 2):
        turned: list[str | None] = [None] * (other + 1)
        turned[one], turned[other] = "Colombini", "Meridian"
        assert chance_of(deck, ("Colombini", "Meridian"), turned) == Fraction(1, 18 * 17)
    for size in range(17, 33):
        counts = Counter(card for card in next_of(tuple(deck[-size:]), ("Colombini",)) if card in LOOKS)
        assert len(counts) == size and len({*counts.values()}) == 1


def test_cc_s3_what_can_come_next_is_not_written_out() -> None:
    """One of up to 576 things is drawn for a card: all draws on record count them in this order."""
    deck, cards = tuple(LOOKS), ("Colombini", "Meridian")
    for size in range(17, 33):
        suspects = deck[-size:]
        written_out = [*suspects, *cards, *suspects * (size - 17), *cards * (size - 1)]
        assert next_of(suspects, cards) == written_out
        assert sys.getsizeof(odds(suspects, cards)) < 100


# --- whole games -------------------------------------------------------------------------------------------------------

FULL = {"stasi": "on", "adler": "on"}
OPTIONS: tuple[dict[str, str], ...] = ({}, FULL, {"adler": "on", "window": "lap"}, {**FULL, "accuse": "rows", "rounds": "2"})


def played(players: int, seed: int, options: dict[str, str]) -> adj.Game:
    luck = Random(seed)
    game = adj.new("checkpoint-charlie", SEATS[:players], seed=seed, options=options)
    while not game.is_over:
        seat = luck.choice(game.due_seats)
        rows = game.seen_by(seat).legal
        row = rows[0] if rows[0].order == "WAIT" and luck.random() < 0.9 else luck.choice(rows)
        game = game.apply({seat: row.order}).game
    return game


@pytest.fixture(scope="module")
def games() -> list[adj.Game]:
    wishes = [(players, options) for options in OPTIONS for players in (3, 5)] + [(4, FULL), (4, {})]
    return [played(players, seed, options) for seed, (players, options) in enumerate(wishes)]


def test_whole_games_agree_with_a_second_reading(games: list[adj.Game]) -> None:
    """CC-V1, CC-A1, CC-A2, CC-K1 to CC-K3, CC-E1, CC-O1: from looks, clues and markers alone."""
    kinds = Counter[str]()
    for game in games:
        events = [event for link in json.loads(game.to_bytes())["journal"] for event in link["entry"]["events"]]
        kinds.update(event["kind"] for event in events)
        clues: dict[str, str] = {}
        shown, accused, public, held, rounds = set[str](), dict[str, str](), list[str](), dict[str, list[str]](), list[int]()
        for event in events:
            match event["kind"]:
                case "round-begun":
                    clues, shown, accused, public = {}, set(), {}, []
                    rounds.append(event["round"])
                    assert not any("STASI" in markers for markers in held.values())
                case "clue-chosen":
                    clues[event["seat"]] = event["face"]
                case "investigator-turned" | "counter-tossed":
                    public.append(event["face"])
                case "suspect-turned":
                    assert event["suspect"] not in shown
                    shown.add(event["suspect"])
                    assert event["is_match"] is (clues[event["seat"]] in LOOKS[event["suspect"]])
                case "accused":
                    assert event["suspect"] in shown - {*accused.values()} and event["seat"] not in accused
                    accused[event["seat"]] = event["suspect"]
                    assert event["place"] == len(accused)
                case "round-ended":
                    assert len(game.seats) - len(accused) == (event["late"] is not None)
                case "accusation-judged":
                    wanted = {*clues.values(), *public}
                    (chief,) = [name for name, looks in LOOKS.items() if looks == wanted]
                    matched = len(LOOKS.get(event["suspect"], set()) & wanted)
                    late = "black" if chief in shown else "white"
                    due = {5: "gold", 4: "white"}.get(matched, "black") if event["suspect"] else late
                    assert (len(wanted), len(event["matched"]), event["colour"]) == (5, matched, due)
                case "marker-drawn":
                    assert not any(event["marker"] in markers for markers in held.values())
                    held.setdefault(event["seat"], []).append(event["marker"])
                case "stasi-returned":
                    held[event["seat"]].remove("STASI")
                case "markers-swapped":
                    for seat, gone, got in (("seat", "given", "taken"), ("other", "taken", "given")):
                        own = held[event[seat]]
                        own[own.index(event[gone])] = event[got]
                case "spent":
                    points = [MARKERS[marker]["points"] for marker in held.get(event["seat"], [])]
                    assert [part["amount"] for part in event["why"]] == points and event["after"] == sum(points)
        assert rounds == [*range(1, len(rounds) + 1)]
        worth = {
            seat: (sum(MARKERS[one]["points"] for one in own), sum(MARKERS[one]["colour"] == "gold" for one in own))
            for seat, own in ((seat, held.get(seat, [])) for seat in game.seats)
        }
        winners = [seat for seat in game.seats if worth[seat] == max(worth.values())]
        assert events[-1]["winners"] == winners == [one.seat for one in game.standings if one.place == 1]
        assert all(state_of(game, viewer) == state_of(game) for viewer in (None, *game.seats)), "all is open at the end"
    assert len(kinds) >= 28


# --- secrets -----------------------------------------------------------------------------------------------------------

SCORED = (
    *("is_window true", "option adler=on", "round 2", "red clue=hat row=Viktor,Emil pile=Ivan"),
    *("blue clue=glasses row=Igor,Fleming pile=Olga markers={}", "green clue=raincoat", "yellow clue=grey"),
    "white clue=newspaper",
)
ENDED = (
    "red: ACCUSE Viktor\nblue: ACCUSE Emil\ngreen: ACCUSE Ivan\nyellow: ACCUSE Igor\nwhite: WAIT [G3b {} W2b B0a B0b]\n\n"
)
SECRETS: dict[str, tuple[tuple[str, ...], str, list[tuple[str, ...]]]] = {
    "a clue and markers": (
        ("is_window true", "red clue=hat row=Viktor pile=Boris", "blue clue={} markers={}", "green clue=raincoat"),
        "",
        [("glasses", "G5a,W1a"), ("no_newspaper", "G3a,W2f"), ("orange", "G4a,W1b")],
    ),
    "an answer": (THREE, "blue: {}\n", [("WAIT",), ("ACCUSE Viktor",), ("ACCUSE Emil received 2026-11-20 18:05",)]),
    "a counter": (
        ("seat red", "seat blue", "seat green", "recorded red hat {} {}"),
        "",
        [("coat", "colour"), ("colour", "coat")],
    ),
    "a statement and a marker": (
        SCORED,
        f"{ENDED}\nblue: {{}}\n",
        [("WA", "W1c", "PASS"), ("W2c", "WA", "SWAP white with Britton"), ("W1c", "W2d", "PASS")],
    ),
}


@pytest.mark.parametrize("what", SECRETS)
def test_what_is_secret_changes_nothing_of_what_others_are_given(tmp_path: Path, what: str) -> None:
    """Position, picture, legal orders, log, report and a planned order are the same, whatever blue holds or has sealed."""
    lines, mail, worlds = SECRETS[what]
    seen: dict[str | None, set[str]] = {}
    for world in worlds:
        left = iter(world)
        text = [re.sub(r"\{\}", lambda _: next(left), line) for line in lines]  # noqa: B023
        game = table("checkpoint-charlie", *text, folder=tmp_path)
        begun = game
        for part in filter(None, mail.split("\n\n")):
            result = game.apply(re.sub(r"\{\}", lambda _: next(left), part))  # noqa: B023
            assert not result.problems
            game = result.game
        for viewer in (None, *game.seats):
            told = [
                (row.order, row.told, row.why)
                for row in (*begun.seen_by(viewer).log(), *game.seen_by(viewer).log_since(begun))
            ]
            given = [adj.render(game.seen_by(viewer).position), told, game.due, game.standings]
            given.append(re.sub("[0-9a-f]{64}", "", adj.render(game.seen_by(viewer).report(), "svg")))
            if viewer and viewer in game.due_seats:
                given += [game.seen_by(viewer).legal, adj.choose_order(game, viewer, "greedy")]
            seen.setdefault(viewer, set()).add(repr(given))
    assert {viewer for viewer, given in seen.items() if len(given) > 1} == (
        {"blue", "green"} if what == "a counter" else {"blue"}
    )


def test_cc_s2_the_report_of_a_seat_has_the_faces_of_its_counter_and_no_other_report() -> None:
    game = adj.new("checkpoint-charlie", SEATS[:3], seed=1)
    for seat in game.seats:
        faces = " or ".join(row.order.removeprefix("CLUE ") for row in game.seen_by(seat).legal)
        told = [faces in adj.render(game.seen_by(viewer).report()) for viewer in (None, *game.seats)]
        assert told == [viewer == seat for viewer in (None, *game.seats)]


def test_cc_o1_the_last_clue_amended_opens_the_watched_one_and_undone_it_is_sealed_again() -> None:
    game = adj.new("checkpoint-charlie", SEATS[:3], seed=7, options={"stasi": "on"})
    for seat in ("red", "blue"):
        game = game.apply({seat: game.seen_by(seat).legal[0].order}).game
    game = game.amend(["watched=red"], "red had the marker")
    assert state_of(game, None)["agents"][0]["clue"] == "sealed"
    face = game.seen_by("green").legal[0].order.removeprefix("CLUE ").replace("no ", "no_")
    after = game.amend([f"agents[green].clue={face}"], "tossed by the moderator")
    assert state_of(after, None)["agents"][0]["clue"] == state_of(after)["agents"][0]["clue"] != "sealed"
    undone = after.undo(game.head.n if game.head else 0, "green has written")
    assert state_of(undone, None)["agents"][0]["clue"] == "sealed"


# --- simulated players and the picture ---------------------------------------------------------------------------------


def test_a_player_that_plans_accuses_whom_rows_and_piles_show_and_waits_while_nothing_is_known(tmp_path: Path) -> None:
    """Blue's row has glasses in common and green's raincoats: red knows that nobody but Viktor matches all five."""
    lines = ("is_window true", "public grey newspaper", "red clue=hat row=Viktor")
    rows = ("blue clue=glasses row=Klaus,Ursula", "green clue=raincoat row=Pavel,Lotte")
    game = table("checkpoint-charlie", *lines, *rows, folder=tmp_path)
    assert adj.choose_order(game, "red", "greedy") == "ACCUSE Viktor"
    game = table("checkpoint-charlie", lines[0], lines[2], "blue clue=glasses", "green clue=raincoat", folder=tmp_path)
    assert adj.choose_order(game, "blue", "greedy") == "WAIT"


def test_the_wall_crosses_off_who_misses_a_clue_that_the_reader_knows(tmp_path: Path) -> None:
    """Red knows its own clue and the public ones; 32 people differ without any colour; who was not turned is dashed."""
    blue = "blue clue=grey row=Nils,Lotte pile=Carla accused=Sasha"
    lines = ("is_window true", "public sweater glasses", "red clue=hat row=Sasha", blue, "green clue=no_newspaper")
    game = table("checkpoint-charlie", *lines, folder=tmp_path)
    for viewer, clues in (("red", {"hat", "sweater", "glasses"}), (None, {"sweater", "glasses"})):
        root = ElementTree.fromstring(adj.render(game.seen_by(viewer).report(), "svg"))
        cards: dict[str, ElementTree.Element] = {}
        for one in root.iter():
            if one.get("data-id") in LOOKS:
                cards.setdefault(one.get("data-id", ""), one)
        assert {*cards} == {*LOOKS}
        crossed = {name for name, card in cards.items() if len(card) > 4}
        assert crossed == {name for name, looks in LOOKS.items() if not clues <= looks}
        solid = {name for name, card in cards.items() if not card[0].get("stroke-dasharray")}
        assert solid == {"Sasha", "Nils", "Lotte", "Carla"}
        persons = {
            re.sub("#[0-9a-f]{6}", "", ElementTree.tostring(card[1], "unicode")).replace(' opacity="0.35"', "")
            for card in cards.values()
        }
        assert len(persons) == 32
