"""Whole games kept on file: each is verified and stays as it was written, and together they show what can happen.

``games/`` has games of every ruleset, every version of its rules and every kind of end, chosen so that each kind of
event, order, cost and correction stands in one of them. A file is never made anew: to keep one more, save a finished game
here. An ``again-…`` is the script of a game by older rules, played once more by those of 1.0.0.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.library.rulesets import ruleset_ids, schema

GAMES = Path(__file__).parent / "games"
RULESETS = tuple(sorted(path.name for path in GAMES.iterdir()))
FILES = [path for name in RULESETS for path in sorted((GAMES / name).glob("*.json"))]
NEVER_SHOWN = {
    "checkered-flag": {
        "CF-C1": "the track: where a space is narrow or danger, the rule that makes something of it is told",
        "CF-C2": "the wheels: a spin is told by the rule it is made for",
        "CF-C3": "the gears: a shift is told by CF-G1",
    },
    "checkpoint-charlie": {
        "CC-C1": "the suspects: they are turned by CC-V1",
        "CC-C2": "the investigators, which events name only as seats, and the counters: they are drawn by CC-S2",
    },
    "checkpoint-rally": {
        "CR-C1": "the board: tiles are laid on it by CR-P1",
        "CR-C2": "the tiles: they are dealt by CR-S2",
        "CR-C3": "the border: it is laid by CR-S1",
        "CR-C4": "the cards: they are given out by CR-S4, their checkpoints marked by CR-K1",
        "CR-C5": "the cars: what they need is counted by CR-M1",
        "CR-C6": "updates, row and stack: they are used by CR-G1 and CR-P5, filled by CR-S3 and drawn from by CR-D1",
        "CR-C7": "the bonus for finishers: it is counted by CR-F1",
    },
    "great-race": {
        "GR-C1": "the board: its spaces are entered by GR-D1 and GR-D4, its lines taken by GR-D5",
        "GR-C2": "the tiles: they are laid by GR-A1 and GR-D3",
        "GR-C3": "the cards: they are laid out by GR-B1 and drawn by GR-D4",
        "GR-C4": "the dashboard: it is filled by GR-L1, its gauges are paid from by GR-D1 and restored by GR-A2",
        "GR-S2": "cash at the start, which the setup holds; what is lost beyond a gauge is missing in GR-K1 and GR-K3",
        "GR-H2": "what is secret: others are told less of the same events",
        "GR-H3": "the ability to pay: GR-D3 tells who is asked and who goes back",
        "GR-H4": "who may cancel: it is told by GR-D2 and GR-K4",
        "GR-H5": "what counts as active: who is next is told by GR-V1",
        "GR-H6": "what a drive and a repair are at least: others are refused",
        "GR-H7": "vehicles that share a space, and whom cards may harm: others are refused",
        "GR-H8": "no surcharge in cities, and cards at every entry: both are told by GR-D4",
    },
    "rally-round": {
        "RR-C1": "the map: squares are driven over by RR-M1",
        "RR-C2": "the features: what each does is told by RR-F1 to RR-F12",
        "RR-C3": "the cards: they are chosen by RR-K1 and drawn by RR-F8",
        "RR-C4": "the marked map: its controls are met by RR-F1 and RR-T1 to RR-T4",
        "RR-T5": "the rounding of target times, which RR-T4 tells",
        "RR-T6": "a warning to the organiser: it is no event",
        "RR-L4": "when a route is complete: the next question tells that",
        "RR-M3": "legal changes of speed: they are driven by RR-M1, others refused by RR-M4",
        "RR-F3": "the seconds of a last turn: they are in the time that RR-T2 to RR-T4 tell",
        "RR-P4": "what a fault costs: each names the rule it broke",
        "RR-P6": "where RR-F10 counts",
        "RR-P7": "no entry of a sheet that the program keeps can be false",
        "RR-H1": "the distance of a section: it is in its target time",
        "RR-H2": "which control is visited: it is met by RR-F1 and RR-T1 to RR-T4",
        "RR-H3": "what a roll meets: it costs by RR-F1 and RR-F5",
        "RR-H4": "what does not happen: nobody is in the way",
        "RR-H5": "where a Starting Speed is asked for: a stop is told by RR-M2",
        "RR-H8": "what a part leaves as it was: it ends by RR-V1",
        "RR-H9": "sheets that are kept by hand: they are no games",
    },
}
"""Rules that say what there is, so that no event and no cost comes from them: each with what stands in the log instead."""
NEVER_HAPPENS = {"checkpoint-rally": {"stack-ran-out"}}
"""Kinds of events that no game on file has; none is a fork of another."""

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)


@cache
def documents(ruleset: str) -> list[Any]:
    return [json.loads(path.read_bytes()) for path in FILES if path.parent.name == ruleset]


def events(ruleset: str) -> list[Any]:
    return [event for game in documents(ruleset) for link in game["journal"] for event in link["entry"]["events"]]


def test_every_ruleset_has_games() -> None:
    assert set(RULESETS) >= set(ruleset_ids()) >= {"checkered-flag", "rally-round"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_game_on_file_is_over_verified_and_written_byte_for_byte(path: Path) -> None:
    game = adj.open(path)
    assert game.audit().is_verified, game.audit().divergence
    assert game.is_over
    assert game.to_bytes() == path.read_bytes()


@each_ruleset
def test_every_rule_stands_in_the_log_of_a_game_or_it_is_said_why_not(ruleset: str, run: Callable[..., Any]) -> None:
    """Of a rule that is said never to be shown, no log may show anything."""
    rules = {fact["id"] for fact in json.loads(run("rules", ruleset, "--json", code=0).stdout)["facts"]}
    parts = [part for event in events(ruleset) for part in (event, *(event.get("why") or ())) if isinstance(part, dict)]
    cited = {part["rule"] for part in parts if part.get("rule")}
    assert cited == rules - NEVER_SHOWN[ruleset].keys()
    assert NEVER_SHOWN[ruleset].keys() <= rules


@each_ruleset
def test_the_games_show_every_version_option_and_event(ruleset: str, run: Callable[..., Any]) -> None:
    about = json.loads(run("rules", ruleset, "--json", code=0).stdout)
    games = documents(ruleset)
    oldest = {one.id: one.oldest or one.version for one in adj.installed_games()}[ruleset]
    assert {game["ruleset"]["version"] for game in games} == set(range(oldest, about["version"] + 1))
    assert {game["chance"]["source"] for game in games} == {"committed", "recorded"}
    for option in (option for fact in about["facts"] for option in fact["options"] if not option["per_seat"]):
        shown = {game["setup"]["options"].get(option["name"]) for game in games}
        few = {choice for choice in option["choices"] if not choice.isdecimal() or int(choice) <= 3}
        assert shown >= few, option["name"]
    shapes = json.loads(schema(f"{ruleset}.game-file.json"))["$defs"].values()
    kinds = {shape["properties"]["kind"].get("const") for shape in shapes if "kind" in shape.get("properties", {})} - {None}
    assert kinds - {event["kind"] for event in events(ruleset)} == {"forked"} | NEVER_HAPPENS.get(ruleset, set())


@each_ruleset
def test_the_games_show_every_correction_conditions_alternatives_and_words(ruleset: str) -> None:
    games = documents(ruleset)
    written = [link["entry"]["written"] or "" for game in games for link in game["journal"]]
    assert any(" OR " in words for words in written)
    assert any("IF " in words for words in written)
    assert {"undone", "amended", "seat-handed"} <= {event["kind"] for event in events(ruleset)}
    assert any(link["entry"]["notes"] for game in games for link in game["journal"])
    assert any(game["chance"]["entropy"] for game in games)
