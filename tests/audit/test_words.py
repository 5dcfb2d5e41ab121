"""Words for chance audited: where one was changed, moved, left out or made up, the audit says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.audit.decide import audit_game
from adjudicator.session import Session
from adjudicator.store.save import dump_game
from adjudicator.verdict import Divergence, Kind, Verdict

Document = dict[str, Any]
Entry = dict[str, Any]


def entries(document: Document) -> list[Entry]:
    return [link["entry"] for link in document["journal"]]


def word_of(document: Document, word: str) -> Entry:
    """Return the entry of ``word``."""
    return next(entry for entry in entries(document) if entry["order"] == f"WORD {word}")


@pytest.fixture
def found(spoiled: Callable[..., Verdict], worded: Session) -> Callable[[Callable[[Document], None]], Divergence]:
    """Return where the game with words diverges after something was changed."""

    def run(spoil: Callable[[Document], None]) -> Divergence:
        divergence = spoiled(spoil, worded).divergence
        assert divergence is not None
        return divergence

    return run


def test_a_game_with_words_is_verified(worded: Session) -> None:
    assert audit_game(worded).divergence is None
    document = json.loads(dump_game(worded.game))
    assert [word_of(document, word)["events"][0]["outcome"] for word in ("cow", "fish", "hen")] == sorted(
        word_of(document, word)["events"][0]["outcome"] for word in ("cow", "fish", "hen")
    )


@pytest.mark.parametrize("change", [1, -1])
def test_a_word_that_counts_from_another_outcome(found: Any, change: int) -> None:
    def shift(document: Document) -> None:
        word_of(document, "hen")["events"][0]["outcome"] += change

    divergence = found(shift)
    assert (divergence.kind, divergence.field) == (Kind.CHANCE, "events[0].outcome")


def test_a_word_after_an_undo_counts_from_what_was_ever_drawn(worded: Session) -> None:
    document = json.loads(dump_game(worded.game))
    hen = word_of(document, "hen")
    before = [entry["drawn"] for entry in entries(document)[: hen["n"]]]
    assert hen["events"][0]["outcome"] == max(before) >= hen["drawn"]


def test_another_word_deals_otherwise(found: Any) -> None:
    def rename(document: Document) -> None:
        entry = word_of(document, "cow")
        entry["order"], entry["events"][0]["word"] = "WORD cat", "cat"

    divergence = found(rename)
    assert divergence.kind in (Kind.EVENTS, Kind.CHANCE)


@pytest.mark.parametrize(
    ("member", "value", "field"),
    [
        ("order", "WORD cat", "order"),
        ("written", "WORD cat", "written"),
        ("notes", ["x"], "notes"),
        ("seat", "blue", "seat"),
        ("turn", 40, "turn"),
    ],
)
def test_an_entry_that_does_not_fit_its_word(found: Any, member: str, value: Any, field: str) -> None:
    def twist(document: Document) -> None:
        at = entries(document).index(word_of(document, "hen"))
        for entry in entries(document)[at:] if member == "turn" else [entries(document)[at]]:
            entry[member] = value

    assert found(twist).field == field


@pytest.mark.parametrize("word", ["Hen", "hen ", "no", "h\u200ben", "cow"])
def test_a_word_that_no_sheet_could_have_sent(found: Any, word: str) -> None:
    def twist(document: Document) -> None:
        entry = word_of(document, "hen")
        entry["order"], entry["events"][0]["word"] = f"WORD {word}", word

    assert found(twist).field == "events[0].word"


def test_two_words_of_a_seat_in_one_turn(found: Any) -> None:
    def join(document: Document) -> None:
        cow, fish = word_of(document, "cow"), word_of(document, "fish")
        fish["seat"] = fish["events"][0]["seat"] = cow["seat"]

    assert found(join).field == "turn"


def test_an_order_behind_the_words_of_its_turn(found: Any) -> None:
    def join(document: Document) -> None:
        at = entries(document).index(word_of(document, "hen"))
        for entry in entries(document)[at + 1 :]:
            entry["turn"] -= 1

    assert found(join).field == "turn"


def test_a_word_in_a_game_whose_chance_is_recorded(spoiled: Callable[..., Verdict], at_a_table: Session) -> None:
    def add(document: Document) -> None:
        last = entries(document)[-1]
        event = {"kind": "word-sent", "outcome": last["drawn"], "seat": "red", "word": "cow"}
        entry = {**last, "n": last["n"] + 1, "turn": last["turn"] + 1, "seat": "red", "order": "WORD cow"}
        document["journal"].append({"entry": {**entry, "written": None, "notes": [], "events": [event]}, "hash": ""})

    divergence = spoiled(add, at_a_table).divergence
    assert divergence is not None
    assert "people draw the outcomes" in divergence.recomputed


def test_a_word_that_hides_behind_an_order(found: Any) -> None:
    def hide(document: Document) -> None:
        entry = next(entry for entry in entries(document)[1:] if entry["seat"] in ("red", "blue"))
        entry["events"].append(word_of(document, "cow")["events"][0])

    divergence = found(hide)
    assert (divergence.kind, divergence.recomputed) == (Kind.EVENTS, "nothing")


def test_a_word_after_the_end(spoiled: Callable[..., Verdict], finished: Session) -> None:
    def add(document: Document) -> None:
        last = entries(document)[-1]
        event = {
            "kind": "word-sent",
            "outcome": max(entry["drawn"] for entry in entries(document)),
            "seat": "red",
            "word": "cow",
        }
        entry = {**last, "n": last["n"] + 1, "turn": last["turn"] + 1, "seat": "red", "order": "WORD cow"}
        document["journal"].append({"entry": {**entry, "written": None, "notes": [], "events": [event]}, "hash": ""})

    divergence = spoiled(add, finished).divergence
    assert divergence is not None
    assert "is over" in divergence.recomputed
