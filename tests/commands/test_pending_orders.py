"""Texts against a game: what counts, what waits, what is set aside, and what each player is told.

A case says what a player gets, then has a line ``>`` for each call with its texts (``&`` stands between texts, ``/`` between
lines), and what is so after the last call. What no line says is empty: problems, pending orders, orders that were set aside.
``START`` is the first legal order of blue, who is due first; red is due after it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import adjudicator as adj

CASES = """\
# Accepted orders stand, and what is not due waits
> blue: START / DRAW / REFRESH
applied: blue START
waits: blue DRAW, REFRESH

# Several texts are one adjudication, and problems name their text
> blue: START & red: DRAW
applied: blue START
problems: 2.txt red start-first 1

# Problems come text by text and line by line
> red: PLACE H99 at A1 / MOVE Z9 / blue: DRAW & green: DRAW
problems: 1.txt red unknown-tile 1 | 1.txt red unknown-cell 2 | 1.txt blue start-first 3 | 2.txt  unknown-seat 1

# An order that nobody may carry out yet changes nothing
> blue: DRAW
problems: 1.txt blue start-first 1
nothing changed

# Pending orders join the new ones
> red: / / PLACE H4 at A1 rot 0 / DRAW
> blue: START
applied: blue START, red PLACE H4 at A1 rot 0
waits: red DRAW

# A problem of a pending order is told with the turn it came in and its line, and the rest is set aside
> red: / / DRAW / MOVE B1
> blue: START
applied: blue START
problems: (pending since turn 1) red start-first 3
note: red 1 order after line 3 not applied; please send new ones
aside: red refused 1 DRAW, MOVE B1

# A new sheet takes the place of what waits, which goes into the record
> red: DRAW / REFRESH
> red: MOVE B1
waits: red MOVE B1
note: red the new sheet replaces 2 orders pending since turn 1
aside: red replaced 1 DRAW, REFRESH

# The same sheet again takes nothing away
> red: MOVE B1
> red: MOVE B1
waits: red MOVE B1

# A replacement counts from the turn it came in
> blue: START / DRAW
> blue: REFRESH
waits: blue REFRESH
since: blue 2
aside: blue replaced 1 DRAW

# A new sheet with a mistake takes the place of nothing
> red: DRAW
> red: DRAWW
waits: red DRAW
problems: 1.txt red unknown-order 1
note: red the new sheet has a mistake, so nothing of it counts; 1 order pending since turn 1 still counts
nothing changed

# So does one whose mistake is in the place
> red: DRAW
> red: MOVE Z9
waits: red DRAW
problems: 1.txt red unknown-cell 1
nothing changed

# So does one whose mistake comes later
> red: DRAW
> red: REFRESH / DROW
waits: red DRAW
problems: 1.txt red unknown-order 2
nothing changed

# So does one without its colon
> red: DRAW
> red REFRESH
waits: red DRAW
problems: 1.txt red missing-colon 1
nothing changed

# A seat without pending orders keeps what is above a bad line
> red: DRAW / DROW / REFRESH
waits: red DRAW
problems: 1.txt red unknown-order 2

# A mistake of another seat in the same text keeps nobody else from replacing
> red: DRAW
> blue: DROW / red: REFRESH
waits: red REFRESH
problems: 1.txt blue unknown-order 1
aside: red replaced 1 DRAW

# What stands is adjudicated as if the new sheet had not come
> red: PLACE H4 at A1 rot 0
> blue: START / red: REFRSH
applied: blue START, red PLACE H4 at A1 rot 0
problems: 1.txt red unknown-order 2
trouble: red it has a mistake, so nothing of it counts; your earlier orders still count

# A new sheet that is illegal only when it becomes due takes the place of what waits, and is refused
> red: PLACE H4 at A1 rot 0 / DRAW
> blue: START / red: MOVE B1 / DRAW
applied: blue START
problems: 1.txt red start-first 2
note: red the new sheet replaces 2 orders pending since turn 1 | red 1 order after line 2 not applied; please send new ones
aside: red replaced 1 PLACE H4 at A1 rot 0, DRAW

# A mail applied twice is noticed
> blue: START / DRAW
> blue: START / DRAW
waits: blue START, DRAW
note: blue begins with the orders of turn 1; if they are new orders, write `turn 2` above them
aside: blue replaced 1 DRAW

# A sheet for another game leaves what waits
> red: DRAW
> game other / red: REFRESH
waits: red DRAW
problems: 1.txt  wrong-game 1
nothing changed

# So does one for another turn
> red: DRAW
> turn 2 / red: REFRESH
waits: red DRAW
problems: 1.txt  wrong-turn 1
nothing changed

# Headers that fit change nothing
> game g1 / turn 1 / blue: START
applied: blue START

# Quoted lines and signatures are ignored
> > red: MOVE B1 / blue: START / -- / Bob
applied: blue START
ignored: 1, 3, 4

# A name under the orders is no order
> blue: START / Bob Smith. / red: REFRESH
applied: blue START
problems: 1.txt red start-first 3
ignored: 2

# A name of another player alone on its line refuses nothing
> blue: / Bob / START / Ann
applied: blue START
ignored: 2, 4

# WITHDRAW takes back all that waits
> red: DRAW / REFRESH
> red: WITHDRAW
note: red withdrawn: 2 orders pending since turn 1
aside: red withdrawn 1 DRAW, REFRESH

# WITHDRAW from an order on keeps those before it
> red: DRAW / REFRESH / MOVE B1
> red: withdraw from 2.
waits: red DRAW
aside: red withdrawn 1 REFRESH, MOVE B1

# What stands below a withdrawal joins what stays
> red: DRAW / REFRESH
> red: WITHDRAW from 2 / MOVE B1
waits: red DRAW, MOVE B1
aside: red withdrawn 1 REFRESH

# A withdrawal counts whatever stands below it: what was taken back in so many words must not be carried out
> red: DRAW
> red: WITHDRAW / REFRESH / DROW
waits: red REFRESH
problems: 1.txt red unknown-order 3
aside: red withdrawn 1 DRAW

# So does one above a line that cannot be read
> red: DRAW / REFRESH
> red: WITHDRAW from 2 / MVOE B1
waits: red DRAW
problems: 1.txt red unknown-order 2
aside: red withdrawn 1 REFRESH

# Where no orders wait there is nothing to withdraw
> red: WITHDRAW
note: red no orders wait, so there is nothing to withdraw
nothing changed

# A withdrawal from an order that does not wait is a mistake
> red: DRAW
> red: WITHDRAW from 2 / REFRESH
waits: red DRAW
problems: 1.txt red nothing-waits 1

# A withdrawal comes first
> red: DRAW
> red: REFRESH / WITHDRAW
waits: red DRAW
problems: 1.txt red late-withdrawal 2

# A later text with a mistake leaves the earlier one of the same call
> red: DRAW / MOVE B1 & red: REFRESH / DROW
waits: red DRAW, MOVE B1
problems: 2.txt red unknown-order 2
note: red the sheet in 2.txt has a mistake and does not count: the earlier one in 1.txt still counts
trouble: red | red it has a mistake, so the earlier one counts: 1.txt

# A later text that is illegal only in this position takes the place of the earlier one, and is refused
> blue: START & blue: MOVE B1
problems: 2.txt blue start-first 1
aside: blue replaced 1 START
trouble: blue a later one counts instead: 2.txt | blue

# A later text that is illegal in every position leaves the earlier one of the same call
> blue: START & blue: MOVE Z9 / DRAW
applied: blue START
problems: 2.txt blue unknown-cell 1
trouble: blue | blue it has a mistake, so the earlier one counts: 1.txt

# Of three texts the last one counts, and the others go into the record
> blue: START & blue: MOVE B1 & blue: START / REFRESH
applied: blue START
waits: blue REFRESH
aside: blue replaced 1 START | blue replaced 1 MOVE B1
trouble: blue a later one counts instead: 3.txt | blue a later one counts instead: 3.txt | blue

# What one text replaced in the same call is in the record, and the same text twice is not
> red: DRAW & red: DRAW & red: REFRESH
waits: red REFRESH
aside: red replaced 1 DRAW

# What waits stands where every new text has a mistake
> red: MOVE B1
> red: DRAW / DROW & red: REFRESH / DROW
waits: red MOVE B1
problems: 1.txt red unknown-order 2 | 2.txt red unknown-order 2
nothing changed

# Of texts with mistakes the first stands that has an order above its mistake
> blue: MOVE Z9 / DROW & blue: START / DROW & blue: DRAW / DROW
applied: blue START
problems: 1.txt blue unknown-cell 1 | 1.txt blue unknown-order 2 | 2.txt blue unknown-order 2 | 3.txt blue unknown-order 2

# It stands though it is illegal in this position
> blue: MOVE B1 / DROW & blue: START / DROW
problems: 1.txt blue start-first 1 | 1.txt blue unknown-order 2 | 2.txt blue unknown-order 2

# A text without a mistake takes the place of those with one, whose problems are settled
> blue: DROW & blue: START & blue: MOVE Z9
applied: blue START
problems: 3.txt blue unknown-cell 1
trouble: blue a later one counts instead: 2.txt | blue | blue it has a mistake, so the earlier one counts: 2.txt

# A withdrawal takes back an earlier text of the same call
> red: MOVE B1
> red: DRAW / MOVE B1 & red: WITHDRAW / REFRESH
waits: red REFRESH
aside: red replaced 1 MOVE B1 | red withdrawn 1 DRAW, MOVE B1

# A withdrawal from an order of an earlier text of the same call keeps those before it
> red: DRAW / MOVE B1 & red: WITHDRAW from 2 / REFRESH
waits: red DRAW, REFRESH
aside: red withdrawn 1 MOVE B1
note: red withdrawn: 1 order of an earlier mail

# The numbers of a withdrawal count through what waits and what an earlier text of the same call has added
> red: DRAW / MOVE B1
> red: WITHDRAW from 2 / REFRESH & red: WITHDRAW from 2 / DRAW
waits: red DRAW, DRAW
aside: red withdrawn 1 MOVE B1 | red withdrawn 1 REFRESH

# A withdrawal of everything in the last text leaves nothing
> red: DRAW
> red: MOVE B1 & red: WITHDRAW
aside: red replaced 1 DRAW | red withdrawn 1 MOVE B1

# A withdrawal from an order that does not wait changes nothing, whatever stands below it
> red: DRAW & red: WITHDRAW from 3 / REFRESH
waits: red DRAW
problems: 2.txt red nothing-waits 1
trouble: red | red it has a mistake, so the earlier one counts: 1.txt

# A text for another turn stands beside the one that counts
> blue: START & turn 9 / blue: DRAW
applied: blue START
problems: 2.txt  wrong-turn 1

# Orders that wait since an earlier run fall to the last of two texts as to the first
> red: DRAW
> red: MOVE B1 & red: REFRESH & red: DROW
waits: red REFRESH
problems: 3.txt red unknown-order 1
aside: red replaced 1 DRAW | red replaced 1 MOVE B1
"""
START = "PLACE U4 at E5 rot 90"


@pytest.fixture(scope="module")
def begun() -> adj.Game:
    """Return a game in which blue begins, then red."""
    game = adj.new("checkpoint-rally", {"red": "Ann", "blue": "Bob Smith"}, id="g1", seed=7)
    assert (game.due_seats, game.seen_by("blue").legal[0].order) == (("blue",), START)
    return game


def send(game: adj.Game, *texts: str, strict: bool = False) -> adj.Result:
    read = [one for at, text in enumerate(texts, 1) for one in adj.read_orders(text, name=f"{at}.txt")]
    return game.apply(read, strict=strict)


def waiting(game: adj.Game) -> dict[str, list[str]]:
    return {sheet.seat: list(sheet.orders) for sheet in game.seen_by("moderator").pending.waiting}


def aside(game: adj.Game) -> list[str]:
    """Return the record of orders that were set aside: seat, why, in which turn, what."""
    return [
        f"{one.seat} {one.cause} {one.turn} {', '.join(one.orders)}" for one in game.seen_by("moderator").pending.set_aside
    ]


def codes(result: adj.Result) -> list[str]:
    return [f"{one.source} {one.seat} {one.code.partition('/')[2]} {one.line}" for one in result.problems]


def said(result: adj.Result) -> dict[str, list[str]]:
    """Return all that a case may say of a result."""
    new = result.log
    return {
        "applied": [", ".join(f"{row.seat} {row.order}" for row in new)] if new else [],
        "waits": [f"{seat} {', '.join(orders)}" for seat, orders in waiting(result.game).items()],
        "problems": codes(result),
        "aside": aside(result.game),
    }


@pytest.mark.parametrize("case", CASES.split("\n\n"), ids=lambda case: case.partition("\n")[0].removeprefix("# "))
def test_what_comes_of_texts(begun: adj.Game, case: str) -> None:
    game, told = begun, dict[str, list[str]]()
    for line in case.strip().splitlines()[1:]:
        if line.startswith("> "):
            before = game
            result = send(game, *(re.sub(" ?/ ?", "\n", text).replace("START", START) for text in line[2:].split(" & ")))
            game = result.game
        else:
            name, _, words = line.partition(":")
            told.setdefault(name, []).extend([] if not words else words.replace("START", START).strip().split(" | "))
    found = said(result)
    assert found == {name: told.get(name, []) for name in found}
    if "nothing changed" in told:
        assert (result.is_changed, game) == (False, before)
    notes = [f"{seat} {words}" for seat, words in result.notes]
    assert set(told.get("note", [])) <= set(notes)
    if "trouble" in told:
        seat = told["trouble"][0].split()[0]
        assert [f"{one.seat} {one.trouble}".strip() for one in result.receipts if one.seat == seat] == told["trouble"]
    if "ignored" in told:
        assert [", ".join(str(one.line) for one in result.ignored)] == told["ignored"]
    if "since" in told:
        assert [f"{one.seat} {one.turn}" for one in game.seen_by("moderator").pending.waiting] == told["since"]
    assert game.audit().is_verified


def test_a_text_with_the_name_of_pending_orders_is_a_text_like_others(begun: adj.Game) -> None:
    texts = [
        ("(pending since turn 1)", "blue: DRAW"),
        ("2.txt", "blue: REFRESH"),
        ("(pending since turn 1).txt", f"blue: {START}"),
    ]
    found = begun.apply([one for name, text in texts for one in adj.read_orders(text, name=name)])
    assert ([row.order for row in found.log], waiting(found.game)) == ([START], {})
    assert aside(found.game) == ["blue replaced 1 DRAW", "blue replaced 1 REFRESH"]


def test_the_notes_name_the_turn_for_orders_that_come_twice(begun: adj.Game) -> None:
    first = send(begun, f"blue: {START}\n  DRAW\nred: DRAW")
    assert first.notes == ()
    again = send(first.game, f"blue: {START}\n  DRAW\nred: DRAW")
    words = "begins with the orders of turn 1; if they are new orders, write `turn 2` above them"
    assert again.notes[0] == ("blue", words)
    assert [words for _, words in send(first.game, "blue: DRAW").notes if "begins" in words] == []
    skipped = "blue: IF minutes > 500 THEN DRAW"
    assert send(send(begun, skipped).game, skipped).notes == (), "orders that did nothing are not repeated"


def test_strict_applies_nothing_where_there_is_one_problem(begun: adj.Game) -> None:
    text = f"blue: {START}\nred: MOVE Z9"
    strict, lenient = send(begun, text, strict=True), send(begun, text)
    assert (strict.problems, len(lenient.log)) == (lenient.problems, 1)
    assert (strict.game, strict.log, strict.notes, strict.is_changed, strict.receipts) == (begun, (), (), False, ())
    assert send(begun, f"blue: {START}", strict=True) == send(begun, f"blue: {START}")
    first = send(begun, "red: DRAW").game
    assert send(first, "red: WITHDRAW\nblue: DROW", strict=True).game == first


def test_nobody_withdraws_the_orders_of_others(begun: adj.Game) -> None:
    result = send(begun, "red: DRAW").game.apply({"blue": "red: WITHDRAW\nWITHDRAW"})
    assert (waiting(result.game), [one.seat for one in result.problems]) == ({"red": ["DRAW"]}, ["blue"])


@pytest.mark.parametrize("line", [" OR ".join(["LAY H1 A1 0"] * 32), " OR ".join(["DRAW IF gps=1"] * 15)])
def test_an_order_that_grows_in_canonical_words_can_wait_like_any_other(begun: adj.Game, line: str) -> None:
    first = send(begun, f"red: {line}")
    assert [len(orders) for orders in waiting(first.game).values()] == [1]
    second = send(first.game, f"blue: {START}")
    assert second.log[0].seat == "blue"
    assert "pending-unreadable" not in str(codes(second))


def test_a_pending_order_of_an_older_version_that_nobody_can_read_any_more_is_a_problem(
    begun: adj.Game, forge: Callable[[dict[str, Any]], bytes]
) -> None:
    document = json.loads(send(begun, "red: MOVE B1\n  DRAW\n  REFRESH").game.to_bytes())
    document["pending"][0]["orders"][1]["order"] = "TELEPORT A1"
    result = send(adj.open(forge(document)), "blue: DRAW")
    assert "(pending since turn 1) red pending-unreadable 2" in codes(result)
    assert (waiting(result.game), aside(result.game)) == ({"red": ["MOVE B1"]}, ["red refused 1 TELEPORT A1, REFRESH"])


LINES = ["PLACE H4 at A1 rot 0", "DRAW", "REFRESH", "MOVE B1", "DROW", "thanks!", "WITHDRAW", "WITHDRAW from 2", "END"]
SHEETS = st.tuples(st.sampled_from(["red", "blue"]), st.lists(st.sampled_from([*LINES, START]), min_size=1, max_size=4))
USUAL = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@USUAL
@given(st.lists(SHEETS, min_size=1, max_size=8))
def test_no_waiting_order_ever_disappears(begun: adj.Game, mails: list[tuple[str, list[str]]]) -> None:
    """Whatever arrives: an order that waits goes on waiting, is carried out, or stands in the record."""
    game = begun
    for seat, lines in mails:
        before, result = game.seen_by("moderator").pending, send(game, f"{seat}:\n" + "\n".join(lines))
        game = result.game
        after = game.seen_by("moderator").pending
        known = len(before.set_aside)
        assert after.set_aside[:known] == before.set_aside
        for sheet in before.waiting:
            kept = Counter(order for left in after.waiting if left.seat == sheet.seat for order in left.orders)
            taken = Counter(row.written or row.order for row in result.log if row.seat == sheet.seat)
            stored = Counter(order for one in after.set_aside[known:] if one.seat == sheet.seat for order in one.orders)
            assert not Counter(sheet.orders) - kept - taken - stored


@USUAL
@given(st.lists(st.lists(st.sampled_from(LINES[:8]), min_size=1, max_size=3), min_size=2, max_size=4))
def test_texts_in_one_call_come_to_the_same_as_in_several_where_nothing_is_due(
    begun: adj.Game, texts: list[list[str]]
) -> None:
    """Red is not asked yet: what waits in the end does not depend on how the mails were handed over."""
    mails, game = ["red:\n" + "\n".join(lines) for lines in texts], begun
    for mail in mails:
        game = send(game, mail).game
    assert waiting(send(begun, *mails).game) == waiting(game)


# Seats that are held --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def held(forge: Callable[[dict[str, Any]], bytes]) -> adj.Game:
    """Return a race with pending orders of both seats; that of red is due."""
    document = json.loads(adj.new("checkered-flag", ["red", "blue"], seed="ab" * 32).to_bytes())
    orders = [{"line": 1, "order": "GEAR N"}]
    document["pending"] = [{"is_begun": False, "orders": orders, "seat": seat, "turn": 0} for seat in ("red", "blue")]
    return adj.open(forge(document))


def test_pending_orders_of_a_held_seat_stay_though_they_are_due_and_a_new_sheet_counts(held: adj.Game) -> None:
    assert [row.seat for row in held.apply().log] == ["red", "blue"]
    result = held.apply(held_seats={"red"})
    assert (result.log, result.is_changed, result.game) == ((), False, held)
    assert waiting(held.apply("red: WITHDRAW", held_seats={"red"}).game) == {"blue": ["GEAR N"]}
