"""Orders in other languages: the same orders, told in the same places; nothing on record knows of languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.words import spoken
from adjudicator.games.checkered_flag.rules import RULESET as FLAG
from adjudicator.games.checkpoint_charlie.rules import RULESET as CHARLIE
from adjudicator.games.checkpoint_rally.rules import RULESET as RALLY
from adjudicator.orders.clean import clean
from adjudicator.orders.languages import languages, speaking
from adjudicator.orders.parser import LineProblem, reader
from adjudicator.orders.translation import translated

GAMES = {rules.meta.id: rules for rules in (RALLY, CHARLIE, FLAG)}
RECORDED = Path(__file__).parents[1] / "recorded"
EVERY = [(game, code) for game, rules in GAMES.items() for code in languages(rules.meta)]


def recorded_orders(game: str) -> Iterator[str]:
    for path in (RECORDED / game).glob("*.json"):
        for entry in json.loads(path.read_text("utf-8"))["journal"]:
            words = entry["entry"]["written"] or entry["entry"]["order"]
            if words and entry["entry"]["seat"]:
                yield words


HARD = {
    "checkpoint-rally": (
        "IF row has U7 AND NOT hand < 3 THEN TAKE U7 ELSE (MOVE C3 D3 OR DRAW)",
        "IF minutes of blue at least 3 THEN REFRESH",
        "IF cost of MOVE C3 <= 4 THEN MOVE C3",
        "IF U7 not in row THEN DRAW",
        "IF tile at C3 is not H3 THEN KEEP H3 U1",
        "red: DRAW two tiles",
        "game rally, turn 7",
        "move to C3 and D3",
        "PLACE H3 rot 90 at C2 with gps",
    ),
    "checkpoint-charlie": (
        "CLUE no hat",
        "CLUE raincoat",
        "ACCUSE Boris received 2026-11-20 18:05",
        "WAIT 3 times in round 2",
        "ANNOUNCE ten points",
        "SWAP white with Laces",
        "PASS",
    ),
    "checkered-flag": (
        "GEAR neutral",
        "GEAR first go",
        "GEAR 2 brake to 36",
        "GEAR third brake before the next danger",
        "do not brake",
        "GO",
        "BRAKE by 2 spaces",
    ),
}


@pytest.mark.parametrize(("game", "code"), EVERY)
def test_what_is_translated_is_read_as_what_it_was(game: str, code: str) -> None:
    rules = GAMES[game]
    words, other = spoken(game, [languages(rules.meta)[code]]), speaking(rules, [code])  # type: ignore[index]
    told = dict.fromkeys([*HARD[game], *rules.language.examples, *recorded_orders(game)])
    english, foreign = reader(rules), reader(other)
    wrong = []
    for text in told:
        said = english.read(text)
        if isinstance(said, LineProblem):
            assert text.split()[0] in ("SEAT", "UNDO", "AMEND", "REVEAL"), text
            continue
        line = translated(rules, words, text)
        if foreign.read(clean(line)) != said or foreign.read(text) != said:
            wrong.append((text, line))
        if foreign.read(clean(line.upper())) != english.read(text.upper()):
            wrong.append((text, line.upper()))
    assert wrong == []
