"""What kind a divergence is, and what is told of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from play import begin

from adjudicator.core.chance import commitment
from adjudicator.core.ids import Seat
from adjudicator.games.checkered_flag.state import Position, SeatAt
from adjudicator.session import Session
from adjudicator.store.save import dump_game
from adjudicator.verdict import Divergence, Kind, Verdict

Document = dict[str, Any]
Forge = Callable[[Document], bytes]
Judged = Callable[..., Any]
Spoiled = Callable[..., Verdict]


def found(verdict: Verdict) -> Divergence:
    assert verdict.divergence is not None
    return verdict.divergence


def entry_with(document: Document, kind: str) -> Document:
    """Return the first entry that has an event of ``kind``."""
    for link in document["journal"]:
        if any(event["kind"] == kind for event in link["entry"]["events"]):
            entry: Document = link["entry"]
            return entry
    raise AssertionError(kind)


def event_in(document: Document, kind: str) -> Document:
    for event in entry_with(document, kind)["events"]:
        if event["kind"] == kind:
            found: Document = event
            return found
    raise AssertionError(kind)


def test_minutes_that_do_not_add_up_are_told_with_their_rules(spoiled: Spoiled) -> None:
    def cheat(document: Document) -> None:
        event_in(document, "spent")["after"] -= 1

    divergence = found(spoiled(cheat))
    assert (divergence.kind, divergence.field.rpartition(".")[2]) == (Kind.EVENTS, "after")
    assert int(divergence.recorded) == int(divergence.recomputed) - 1
    assert divergence.rule.startswith("CR-")
    assert divergence.order.startswith("PLACE")
    assert divergence.seat in ("red", "blue")


def test_another_secret_properly_committed_to_gives_another_set_up(spoiled: Spoiled) -> None:
    def replace_secret(document: Document) -> None:
        document["chance"]["secret"] = "cd" * 32
        document["chance"]["commitment"] = commitment(bytes.fromhex("cd" * 32))

    divergence = found(spoiled(replace_secret))
    assert (divergence.kind, divergence.entry) == (Kind.SETUP, 0)
    assert divergence.field.startswith("events[0].frames")
    assert divergence.rule == "CR-S1"


def test_another_word_of_a_player_gives_another_set_up(spoiled: Spoiled) -> None:
    def replace_word(document: Document) -> None:
        document["chance"]["entropy"]["red"] = "cow"

    assert found(spoiled(replace_word)).kind is Kind.SETUP


def test_a_word_of_somebody_who_does_not_play(spoiled: Spoiled, at_a_table: Session) -> None:
    def add_word(document: Document) -> None:
        document["chance"]["entropy"]["green"] = "cow"

    assert found(spoiled(add_word)).field == "chance.entropy"
    assert found(spoiled(add_word, at_a_table)).field == "chance.entropy"


def test_an_order_that_cannot_be_read(spoiled: Spoiled) -> None:
    def scribble(document: Document) -> None:
        document["journal"][2]["entry"]["order"] = "PLAICE H3"

    divergence = found(spoiled(scribble))
    assert (divergence.kind, divergence.entry, divergence.field) == (Kind.UNREADABLE, 2, "order")
    assert (divergence.recorded, divergence.recomputed) == ("PLAICE H3", "an order of this game")


def test_an_order_that_the_rules_refuse(spoiled: Spoiled) -> None:
    def order(document: Document) -> None:
        document["journal"][4]["entry"]["order"] = "MOVE E5 E4 E3 E2 E1 D1"

    divergence = found(spoiled(order))
    assert (divergence.kind, divergence.entry) == (Kind.REFUSED, 4)
    assert divergence.recomputed.startswith("refused: ")
    assert divergence.rule.startswith("CR-")


def test_a_seat_that_was_not_due(spoiled: Spoiled) -> None:
    def swap(document: Document) -> None:
        entry = document["journal"][1]["entry"]
        entry["seat"] = "blue" if entry["seat"] == "red" else "red"

    divergence = found(spoiled(swap))
    assert (divergence.kind, divergence.field) == (Kind.REFUSED, "seat")
    assert {divergence.recorded, divergence.recomputed} == {"red", "blue"}


def test_an_order_under_a_seat_s_name_that_is_nobody_s(spoiled: Spoiled) -> None:
    def vacate(document: Document) -> None:
        document["journal"][1]["entry"]["seat"] = None

    assert found(spoiled(vacate)).field == "seat"


def test_an_entry_left_out(spoiled: Spoiled) -> None:
    def leave_out(document: Document) -> None:
        del document["journal"][3]
        for number, link in enumerate(document["journal"]):
            link["entry"]["n"] = number

    assert found(spoiled(leave_out)).entry == 3


def test_entries_cut_off_at_the_end(spoiled: Spoiled) -> None:
    def cut_off(document: Document) -> None:
        del document["journal"][-1]

    def forgotten(document: Document) -> None:
        cut_off(document)
        last = document["journal"][-1]["entry"]["turn"]
        document["receipts"] = [receipt for receipt in document.get("receipts", ()) if receipt["turn"] <= last]

    # The receipts tell of a turn that is there no more; a forger who has thought of that is found by the state.
    assert found(spoiled(cut_off)).kind is Kind.DAMAGED
    divergence = found(spoiled(forgotten))
    assert (divergence.kind, divergence.entry) == (Kind.STATE, None)
    assert divergence.field.startswith("state.")


def test_a_correction_under_a_player_s_name(spoiled: Spoiled) -> None:
    def put_on(document: Document) -> None:
        entry_with(document, "amended")["seat"] = "red"

    divergence = found(spoiled(put_on))
    assert (divergence.kind, divergence.field, divergence.recomputed) == (Kind.CORRECTION, "seat", "moderator")


def test_a_correction_hidden_behind_an_order(spoiled: Spoiled) -> None:
    def hide(document: Document) -> None:
        amended = event_in(document, "amended")
        document["journal"][2]["entry"]["events"].append(amended)

    divergence = found(spoiled(hide))
    assert (divergence.entry, divergence.recomputed) == (2, "nothing")


def test_an_undo_that_goes_back_elsewhere(spoiled: Spoiled) -> None:
    def go_back(document: Document) -> None:
        entry = entry_with(document, "undone")
        entry["events"][0]["to"] = 3
        entry["order"] = "UNDO to 3"

    verdict = spoiled(go_back)
    assert found(verdict).entry == entry_of(verdict)


def test_an_undo_of_what_has_not_happened_is_told_by_its_number(spoiled: Spoiled) -> None:
    """Not as words that do not fit it: the words are made of the number."""

    def go_ahead(document: Document) -> None:
        event_in(document, "undone")["to"] = 99

    divergence = found(spoiled(go_ahead))
    assert (divergence.kind, divergence.field, divergence.recorded) == (Kind.CORRECTION, "events[0].to", "99")


def entry_of(verdict: Verdict) -> int:
    return verdict.entries


@pytest.mark.parametrize("to", [7, 8, 12])
def test_an_undo_of_what_has_not_been(spoiled: Spoiled, to: int) -> None:
    def go_back(document: Document) -> None:
        entry = entry_with(document, "undone")
        entry["events"][0]["to"] = to
        entry["order"] = f"UNDO to {to}"

    divergence = found(spoiled(go_back))
    assert (divergence.kind, divergence.field) == (Kind.CORRECTION, "events[0].to")


def test_an_amendment_of_what_never_was(spoiled: Spoiled) -> None:
    def twist(document: Document) -> None:
        event_in(document, "amended")["before"]["racers"][0]["minutes"] += 5

    divergence = found(spoiled(twist))
    assert (divergence.kind, divergence.field) == (Kind.CORRECTION, "events[0].before.racers[0].minutes")


def test_an_amendment_to_what_cannot_be(spoiled: Spoiled) -> None:
    def twist(document: Document) -> None:
        event_in(document, "amended")["after"]["discard"].append("H99")

    divergence = found(spoiled(twist))
    assert (divergence.kind, divergence.field) == (Kind.CORRECTION, "events[0].after")
    assert "there is no tile H99 in this game" in divergence.recomputed


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("stage", "over", "may still act"),
        ("acting", "red", "has finished"),
        ("border", [], "4 sides"),
    ],
)
def test_an_amendment_that_the_command_would_refuse(spoiled: Spoiled, field: str, value: Any, message: str) -> None:
    def twist(document: Document) -> None:
        event_in(document, "amended")["after"][field] = value

    divergence = found(spoiled(twist))
    assert (divergence.kind, divergence.field) == (Kind.CORRECTION, "events[0].after")
    assert message in divergence.recomputed


def test_a_seat_taken_from_somebody_else(spoiled: Spoiled) -> None:
    def rename(document: Document) -> None:
        event_in(document, "seat-handed")["before"] = "Ann"

    divergence = found(spoiled(rename))
    assert (divergence.field, divergence.recorded, divergence.recomputed) == ("events[0].before", "Ann", "Bob")


def test_an_early_secret_called_timely(spoiled: Spoiled) -> None:
    def hush(document: Document) -> None:
        event_in(document, "secret-revealed")["is_early"] = False

    assert found(spoiled(hush)).field == "events[0].is_early"


def test_alternatives_that_would_have_been_refused_in_any_position(spoiled: Spoiled) -> None:
    def widen(document: Document) -> None:
        entry = document["journal"][2]["entry"]
        entry["written"] = f"{entry['order']} OR PLACE H999 at C3 rot 0"

    divergence = found(spoiled(widen))
    assert (divergence.kind, divergence.entry) == (Kind.REFUSED, 2)
    assert "H999" in divergence.recomputed


def test_outcomes_in_brackets_in_a_game_with_committed_chance(spoiled: Spoiled) -> None:
    def write(document: Document) -> None:
        entry = document["journal"][2]["entry"]
        entry["written"] = f"{entry['order']} [H5]"

    assert found(spoiled(write)).kind is Kind.REFUSED


def test_a_reason_why_another_branch_was_taken(spoiled: Spoiled) -> None:
    def argue(document: Document) -> None:
        entry = next(link["entry"] for link in document["journal"] if link["entry"]["notes"])
        entry["notes"] = ["IF minutes > 500: yes (minutes is 501)"]

    divergence = found(spoiled(argue))
    assert (divergence.kind, divergence.field) == (Kind.BRANCH, "notes")


def test_recorded_outcomes_that_cannot_have_been(at_a_table: Session, forge: Forge, judged: Judged) -> None:
    document = json.loads(dump_game(at_a_table.game))
    entry = next(link["entry"] for link in document["journal"][1:] if "[" in (link["entry"]["written"] or ""))
    order, _, outcomes = entry["written"].partition(" [")
    for written, recorded in ((order, "nothing"), (f"{order} [Z9]", "Z9"), (f"{order} [{outcomes[:-1]} Z9]", "Z9")):
        entry["written"] = written if "[" in written else None
        divergence = found(judged(forge(document)))
        assert (divergence.kind, divergence.entry, divergence.field) == (Kind.CHANCE, entry["n"], "outcome")
        assert divergence.recorded == recorded


def test_another_outcome_than_the_events_have(at_a_table: Session, forge: Forge, judged: Judged) -> None:
    document = json.loads(dump_game(at_a_table.game))
    entry = next(link["entry"] for link in document["journal"][1:] if "[" in (link["entry"]["written"] or ""))
    first = entry["written"].partition("[")[2].rstrip("]").split()[0]
    other = next(tile for tile in at_a_table.game.state.stack(at_a_table.config) if tile != first)
    entry["written"] = entry["written"].replace(f"[{first}", f"[{other}")
    assert found(judged(forge(document))).entry == entry["n"]


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (lambda d: d["setup"]["options"].update({"corner.red": "E5"}), "order"),
        (lambda d: d["setup"]["options"].update({"weather": "rain"}), "setup"),
        (lambda d: d["setup"]["options"].pop("map"), "setup.options.map"),
        (lambda d: d["setup"]["options"].update({"map": "sideways"}), "setup"),
        (lambda d: d["setup"]["players"].pop(), ""),
    ],
)
def test_a_set_up_that_cannot_have_been(spoiled: Spoiled, spoil: Callable[[Document], None], field: str) -> None:
    divergence = found(spoiled(spoil))
    assert divergence.kind in (Kind.SETUP, Kind.DAMAGED, Kind.REFUSED)
    assert divergence.field.startswith(field)


def test_a_position_that_cannot_have_been(spoiled: Spoiled) -> None:
    seats = (SeatAt(seat=Seat("red"), position=21), SeatAt(seat=Seat("blue"), position=20))
    session = begin("checkered-flag", position=Position(seats=seats, turn=Seat("red")))

    def shove(document: Document) -> None:
        for at in document["setup"]["position"]["seats"]:
            at["position"] = 12

    divergence = found(spoiled(shove, session))
    assert (divergence.kind, divergence.entry, divergence.field) == (Kind.SETUP, None, "setup.position")
    assert divergence.recomputed == "impossible: position 12 is narrow: there is room for one car"


@pytest.mark.parametrize("order", ["PLAICE", "draw", "PLACE H999 at C3 rot 0", "DRAW [H5]"])
def test_orders_that_cannot_wait(spoiled: Spoiled, order: str) -> None:
    def wait(document: Document) -> None:
        document["pending"][0]["orders"][0]["order"] = order

    divergence = found(spoiled(wait))
    assert (divergence.kind, divergence.recorded) == (Kind.PENDING, order)
