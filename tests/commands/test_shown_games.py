"""What the games among the examples are there to show: their ends, their rules at work, mails as players write them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.commands import ROOT

EXAMPLES = ROOT / "examples"
SHOWN = {
    "checkpoint-rally/two-players": (
        range(15, 26), "bob (blue) 50 min finished first | ann (red) 54 min finished second"),
    "checkpoint-rally/four-players": (
        range(15, 26),
        "ann (red) 35 min finished second | cleo (green) 37 min finished first | dan (yellow) 37 min finished third"
        " | bob (blue) 39 min not classified, 2 checkpoints"),
    "checkpoint-rally/own-set": (
        range(1, 40), "ann (red) 24 min finished first | bob (blue) 24 min finished second"),
    "checkered-flag/race": (
        range(15, 16), "ann (red) 55 sp first across the finish line | bob (blue) 40 sp on the track, crashed"),
    "checkpoint-charlie/three-players": (
        range(15, 26), "bob (blue) 4 pt 1 gold | cleo (green) 3 pt 1 gold, 1 black | ann (red) 2 pt 2 white"),
    "great-race/race": (range(10, 11), "ann (red) 80 f 10 points of prestige, arrived first"),
    "rally-round/competition": (range(1, 40), "ann (red) 1:32 marks finished"),
}  # fmt: skip
"""The games with the number of their mailbags and the result that their README tells."""
HABITS = {
    "checkpoint-rally/*-players": r"^game rally-02\d$ ~ ^turn \d+$ ~ ^red:$ ~ ^blue: \w+ ~ \bplace\b ~ \bPLACE\b ~ \bOR\b ~ \bif .+ then .+ else\b ~ \bIF .+ THEN .+ ELSE\b ~ \bkeep\b ~ DRAW\n +DISCARD ~ ^# ~   # ~ ;  ~ ^>  ~ ^-- $ ~ ^ *-  ~ ^ *1\.  ~ \r$ ~ \xa0 ~ “",  # noqa: E501
    "checkered-flag/race": r"^game flag-009$ ~ ^turn \d+$ ~ ^red:$ ~ ^blue: \w+ ~ ^ *GEAR 2\b ~ ^ *gear 3\b ~ \bshift (up|down)? ?to\b ~ \bOR\b ~ \bif .+ then .+ else\b ~ \bIF .+ THEN .+ ELSE\b ~ ^#  ~   #  ~ ^>  ~ ^-- $ ~ ^ *-  ~ ^ *1\.  ~ \r$ ~ \xa0 ~ “",  # noqa: E501
    "checkpoint-charlie/three-players": r"^game charlie-03$ ~ ^turn \d+\r?$ ~ ^red:$ ~ ^blue: \w+ ~ \bwait 3\b ~ \bWAIT 4 windows\b ~ \bOR\b ~ \breceived 2026-11-\d\d \d\d:\d\d ~ \bSWAP\b ~ \bPASS\b ~ ^#  ~   #  ~ ^>  ~ ^-- $ ~ ^ *-  ~ \r$ ~ \xa0 ~ “",  # noqa: E501
    "great-race/race": r"^game corsica-2$ ~ ^turn 1$ ~ ^red:$ ~ ^blue: \w+ ~ \bOR\b ~ \bIF\b ~   #  ~ ^>  ~ ^-- $ ~ ^ *- ",
}
"""Ways in which players write, each somewhere in the mails of these games."""
EVENTS = {
    "checkered-flag/race": "start-spun gear-shifted wheels-spun car-braked brakes-checked curve-checked car-crashed"
    " turn-lost",
    "rally-round/competition": "driven rolled passage-met hazard-drawn section-ended speed-refused line-dropped",
    "checkpoint-charlie/three-players": "claim-rejected marker-drawn",
}
TURNS = {
    "checkpoint-charlie/three-players": [
        (7, "Britton (green) accuses Misha, first to accuse"),
        (7, "the public clue is “newspaper”"),
        (12, "Lansbury (blue) accuses Ivan too late"),
        (12, "Lansbury (blue) shows the Stasi marker"),
        (13, "Lansbury (blue) opens the clue “no hat”: the Stasi officer is watching"),
        (17, "Lansbury (blue) accuses Pavel"),
        (19, "a counter left in the bag is tossed"),
        (20, "Lansbury (blue) gives a gold Café Adler marker to Britton (green) for another, unseen"),
        (20, "the gold Café Adler marker GA lies open with Britton (green) from now on"),
    ],
    "great-race/race": [
        (1, "red takes Jerrycan"),
        (2, "blue travels by sea to Calvi"),
        (3, "green discards Cheater"),
        (3, "blue cancels it with escort"),
        (4, "the turn order of the next round is red, blue, green"),
        (6, "red cancels the danger of D6 with escort"),
        (6, "green stops at A5"),
        (7, "green lays Sandstorm (2 fuel, danger, stop) at C1"),
        (10, "it goes back to B6 and pays nothing"),
        (10, "red has reached the finish, first"),
    ],
}
"""What happens in the turn that the README names."""
GOLDEN = {
    "checkpoint-rally/golden/case-1": "4 − highway W − grassland N − mountains W",
    "checkpoint-rally/golden/case-2": "4 − mountains as before − grassland as before − highway as before",
    "checkpoint-rally/golden/case-3": "13 → 15",
    "checkpoint-rally/golden/case-4": "− 2 second to finish",
    "checkpoint-rally/golden/case-5": "4 urban D3 + 2 highway C3",
    "checkered-flag/golden/case-1": "the lesser of 5 and 2 | 4 on both wheels",
    "checkered-flag/golden/case-2": "21 → 26  5 second gear, ",
    "checkered-flag/golden/case-3": "30 → 37  7 third gear, 5 and 2 together",
    "checkered-flag/golden/case-4": "31 → 35  6 second gear | − 2 braked | a crash (it crashes at 1 or 2)"
    " | red has crashed on 35 and loses 1 turn",
    "checkered-flag/golden/case-5": "red has crashed on 30 and loses 2 turns | 1 more turn | starts in neutral",
    "checkered-flag/golden/case-6": "red brakes 2 spaces to stop on 12: 2 by choice (CF-B2)"
    " | blue brakes 3 spaces to stop on 11: 3 behind red",
    "checkpoint-charlie/golden/case-1": "(red) draws a gold | (blue) draws a white | (green) draws a white"
    " | (yellow) draws a black",
    "checkpoint-charlie/golden/case-2": "the chief of spies is Viktor, who is still in the deck"
    " | Meridian (white) has accused nobody, but the chief is still in the deck: white is due (CC-K2)",
    "checkpoint-charlie/golden/case-3": "Meridian (white) accuses Viktor, first to accuse (CC-A1)"
    " | Laces (red) accuses Viktor too, but Meridian (white) came first: no accusation yet (CC-P1)",
    "checkpoint-charlie/golden/case-4": "Laces (red) accuses Viktor, first to accuse (CC-A1)"
    " | Meridian (white) accuses Viktor too, but Laces (red) came first: no accusation yet (CC-P1)",
}
MISTAKES = {
    "checkpoint-rally": "orders/unknown-order orders/unknown-seat orders/missing-colon orders/wrong-game orders/wrong-turn"
    " orders/unknown-fact orders/empty unknown-tile unknown-cell bad-rotation three-steps not-in-hand car-on-cell no-road"
    " gps-spent no-discard-due",
    "checkered-flag": "orders/unknown-order orders/unknown-seat orders/missing-colon no-such-gear orders/wrong-game"
    " orders/unknown-fact orders/unexpected brake-first no-stop-there nothing-braked nothing-moves out-of-reach two-steps",
    "checkpoint-charlie": "orders/unknown-order orders/unexpected orders/unknown-seat orders/missing-colon orders/wrong-game"
    " orders/wrong-turn orders/unknown-fact unknown-suspect bad-time unknown-face too-many-waits no-such-round"
    " unknown-colour unknown-investigator accused-by-another not-in-a-row not-shown window-open another-round",
    "great-race": "orders/unknown-order orders/unexpected orders/unknown-seat orders/unknown-fact does-not-add-up"
    " too-many-cards plan-first not-in-hand no-danger unknown-space no-way too-far no-room no-line tile-there broken-down",
    "rally-round": "kit-first unknown-card wrong-control no-such-speed no-such-place card-not-held illegal-speed"
    " kit-complete",
}


def text(name: str) -> str:
    return (EXAMPLES / name).read_text("utf-8")


@cache
def log(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text(f"{name}/log.jsonl").splitlines()]


def events(name: str) -> list[dict[str, Any]]:
    return [event for link in json.loads(text(f"{name}/game.json"))["journal"] for event in link["entry"]["events"]]


def told(name: str) -> list[str]:
    return [line for row in log(name) for line in row["told"]]


@pytest.mark.parametrize("name", SHOWN)
def test_a_game_is_played_in_a_believable_number_of_mails_and_ends_as_its_readme_tells(name: str) -> None:
    turns, result = SHOWN[name]
    assert len(list((EXAMPLES / name).glob("turn-*.txt"))) in turns
    lines = [set(line.lower().replace(",", "").split()) for line in text(f"{name}/expected.txt").splitlines()]
    wanted = [set(f"{at}. {words}".replace(",", "").split()) for at, words in enumerate(result.split(" | "), 1)]
    starts = [at for at, line in enumerate(lines) if wanted[0] <= line]
    assert any(all(map(set.issubset, wanted, lines[at : at + len(wanted)])) for at in starts), wanted


@pytest.mark.parametrize("name", HABITS)
def test_turn_files_look_as_mails_do(name: str) -> None:
    mails = "\n".join(path.read_bytes().decode() for path in sorted(EXAMPLES.glob(f"{name}/turn-*.txt")))
    habits = HABITS[name].split(" ~ ")
    assert [habit for habit in habits if not re.search(habit, mails, re.MULTILINE)] == []


@pytest.mark.parametrize("name", EVENTS)
def test_everything_that_makes_the_game_happens(name: str) -> None:
    assert set(EVENTS[name].split()) <= {event["kind"] for event in events(name)}


@pytest.mark.parametrize("name", TURNS)
def test_it_happens_in_the_turn_that_the_readme_names(name: str) -> None:
    readme = text(f"{name}/README.md")
    for turn, words in TURNS[name]:
        assert any(words in line for row in log(name) if row["turn"] == turn for line in row["told"]), words
        assert re.search(rf"^\| (\d+, )*{turn}(, \d+)* \|", readme, re.MULTILINE), turn


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_case_goes_as_the_rulebook_says(name: str) -> None:
    shown = text(f"{name}.expected.txt")
    assert [words for words in GOLDEN[name].split(" | ") if words not in shown] == []


@pytest.mark.parametrize("game", MISTAKES)
def test_every_kind_of_mistake_is_in_the_report(game: str) -> None:
    shown = text(f"{game}/mistakes/expected.txt")
    codes = [code if "/" in code else f"{game}/{code}" for code in MISTAKES[game].split()]
    assert [code for code in codes if code not in shown] == []


def test_the_public_logs_keep_secrets() -> None:
    for name in ("checkpoint-rally/two-players", "checkpoint-rally/four-players"):
        public, game = text(f"{name}/log.jsonl"), json.loads(text(f"{name}/game.json"))
        drawn = [words for words in told(name) if re.match(r"\w+ draws", words)]
        assert drawn and all(re.fullmatch(r"\w+ draws \d tiles? \(CR-\w\d\)", words) for words in drawn)
        cards = {event["card"] for event in events(name) if event["kind"] == "seat-prepared"}
        assert cards and not [card for card in cards if re.search(rf"\b{card}\b", public)]
        assert "KEEP" not in public and game["chance"]["secret"] not in public
    name = "checkpoint-charlie/three-players"
    public, lines = text(f"{name}/log.jsonl"), told(name)
    assert sum(row["order"] == "(sealed answer)" for row in log(name)) >= 40
    assert not any(row.get("written") or row.get("notes") for row in log(name))
    assert "(sealed)" not in public and "draws the clue counter with" not in public and "accuses Pavel too" not in public
    drawn = [words for words in lines if re.search(r"draws a (gold|white|black)", words)]
    assert len(drawn) == 6 and all(re.search(r"\) draws a (gold|white|black) marker \(CC-K2\)$", words) for words in drawn)
    markers = {event["marker"] for event in events(name) if event["kind"] == "marker-drawn"}
    assert len(markers) == 6 and not [one for one in markers - {"STASI", "GA"} if re.search(rf"\b{one}\b", public)]
    assert [" lies open with " in words for words in lines if re.search(r"\bGA\b", words)] == [True]
    assert [words.partition(" lays ")[2] for words in lines if " lays " in words] == ["a clue (CC-S2)"] * 6
    revealed = [n for n, words in enumerate(lines) if words.startswith("the clue of ")]
    ended = [n for n, words in enumerate(lines) if words.startswith("the round is over")]
    assert len(revealed) == 6 and revealed[0] > ended[0] and revealed[3] > ended[1]
    name = "great-race/race"
    assert sum(row["order"] == "PLAN (sealed)" for row in log(name)) == 9
    assert sum(bool(re.search(r"draws \d card", line)) for line in told(name)) == 6
    assert "green draws 2 tiles (GR-A1)" in told(name)
    assert not any(row.get("written") or row.get("notes") for row in log(name) if row["seat"] != "moderator")
    shown = text("rally-round/competition/expected.txt")
    seen = shown[shown.index("$ adjudicator show game.json --as blue") : shown.index("$ adjudicator amend")]
    assert "Time sheet of blue" in seen and "Time sheet of red" not in seen


def test_crashes_of_every_kind_and_costs_that_add_up() -> None:
    race = events("checkered-flag/race")
    assert {(event["kind"], event["is_crash"]) for event in race if "is_crash" in event} == {
        (kind, is_crash) for kind in ("brakes-checked", "curve-checked") for is_crash in (True, False)
    }
    assert {event["turns"] for event in race if event["kind"] == "car-crashed"} == {1, 2}
    braked = [event for event in race if event["kind"] == "car-braked"]
    assert any(event["forced"] for event in braked) and any(event["chosen"] for event in braked)
    rows = [row for name in SHOWN for row in (log(name) if (EXAMPLES / name / "log.jsonl").exists() else [])]
    assert len(rows) > 200
    assert [row["n"] for row in rows if row["why"] and sum(part["amount"] for part in row["why"]) != row["min"]] == []
    three = re.findall(r"^ *\d  (\w+)", text("checkered-flag/golden/case-5.expected.txt"), re.MULTILINE)
    assert three == ["red", "blue", "blue", "blue", "red"], "three moves of blue pass while red loses two turns"
    assert "red: discard 3 of 6 tiles" in text("checkpoint-rally/golden/expected.txt")
    assert "2 ways of 27 squares" in text("rally-round/mistakes/expected.txt")
    assert Path(EXAMPLES, "rally-round").is_dir()
