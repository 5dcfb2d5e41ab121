"""Two worlds that differ only in what a reader may not know look the same to it, to the byte, whatever it asks.

Each case makes two game files by the format alone: with another secret of chance, with hidden cards and tiles exchanged,
with other pending or sealed orders. Proofs and commitments are hashes of the secrets, and are masked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from itertools import combinations
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.library.errors import NoOrdersError
from adjudicator.library.rulesets import component_set
from tests.drivers import toy
from tests.drivers.records import RULESETS, forge, played, spoiled

Given = dict[str, str]
WITH_SECRETS = tuple(ruleset for ruleset in RULESETS if ruleset != "checkered-flag")
"""The games whose players hold cards and tiles that others do not see."""


@cache
def begun(ruleset: str, orders: int = 6, seed: int = 7) -> adj.Game:
    seats = (
        {"red": "Ann", "blue": "Bob", "green": "Cleo"} if ruleset == "checkpoint-charlie" else {"red": "Ann", "blue": "Bob"}
    )
    return played(adj.new(ruleset, seats, id="g", seed=seed), orders, seed)


def given(game: adj.Game, viewer: str | None, orders: list[str]) -> Given:
    """Return everything that ``viewer`` gets of ``game``, by name, with hashes masked; it asks about ``orders``, too."""
    return {what: re.sub(r"\b[0-9a-f]{64}\b", "HASH", text) for what, text in _given(game, viewer, orders)}


def _given(game: adj.Game, viewer: str | None, orders: list[str]) -> Iterator[tuple[str, str]]:
    view, report = game.seen_by(viewer).position, game.seen_by(viewer).report(since=0)
    yield "the position", adj.render(view)
    yield "the state", repr((view.view.state, view.due, view.standings))
    yield "the log", "\n".join(map(repr, game.seen_by(viewer).log()))
    for form in ("txt", "html", "md", "json"):
        yield f"the report as {form}", adj.render(report, form)
    with suppress(adj.RequestError):
        yield "the picture", adj.render(report, "svg")
    yield "the pending orders", repr(game.seen_by(viewer).pending)
    yield "its turn", repr((game.seen_by(viewer).turn, game.due, game.standings, game.is_over))
    yield "the replay", "\n".join(repr((step.n, step.rows, step.events)) for step in game.seen_by(viewer).replay())
    if len(toy.entries(game)) < 8:  # a long game takes long, and has been seen like this when it was short
        yield "the past positions", "\n".join(adj.render(step.position) for step in game.seen_by(viewer).replay())
        yield "the replay page", game.seen_by(viewer).replay_page().text
    if viewer is None:
        return
    yield "the own file", game.seen_by(viewer).own_file().decode()
    legal = game.seen_by(viewer).legal
    yield (
        "the legal orders",
        repr((legal, game.seen_by(viewer).legal_ahead, game.seen_by(viewer).choices, game.seen_by(viewer).example)),
    )
    yield (
        "what it alone knows",
        repr((game.seen_by(viewer).secrets, game.seen_by(viewer).has_answered, game.seen_by(viewer).eliminated)),
    )
    for row in legal[:: max(1, len(legal) // 2)]:
        found = game.seen_by(viewer).what_if({viewer: row.order})
        yield f"what if {row.order}", repr((found.rows, found.ends, found.words, found.position.view.state))
        yield f"the cost of {row.order}", repr(game.seen_by(viewer).costs({viewer: row.order}))
    for order in orders:
        with suppress(NoOrdersError):
            yield f"the check of {order}", repr(game.seen_by(viewer).check({viewer: order}).problems)


def foreign(game: adj.Game) -> list[str]:
    """Return orders that other seats could give now, and some that nobody can."""
    others = [row.order for seat in game.seats for row in [*game.seen_by(seat).legal][:2]]
    return [*others, "IF clock > 3 THEN DRAW ELSE PASS"]


def require_same(one: adj.Game, other: adj.Game, readers: tuple[str | None, ...]) -> None:
    assert one.to_bytes() != other.to_bytes()
    one, other = (adj.open(json.dumps(toy.document(game), indent=1).encode()) for game in (one, other))
    for viewer in readers:
        here, there = (given(world, viewer, foreign(one)) for world in (one, other))
        assert [what for what in here if here[what] != there.get(what)] == [], viewer
        assert here.keys() == there.keys()


# The secret of chance ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_nobody_sees_what_will_be_drawn(ruleset: str) -> None:
    game, secret = begun(ruleset), "ab" * 32
    commitment = sha256(b"adjudicator commit 1\n" + bytes.fromhex(secret)).hexdigest()
    other = spoiled(toy.document(game), {"chance.secret": secret, "chance.commitment": commitment})
    require_same(game, adj.open(forge(other)), (None, *game.seats))


# Hidden cards and tiles ----------------------------------------------------------------------------------------------


def names_in(parts: Any) -> Iterator[list[str]]:
    """Yield the names of the pieces of each kind in a component set."""
    for items in parts.values() if isinstance(parts, dict) else ():
        if isinstance(items, list) and items and isinstance(items[0], dict) and "id" in items[0]:
            yield [item["id"] for item in items]


def hidden_from(game: adj.Game, viewer: str | None) -> Iterator[tuple[str, str]]:
    """Yield pairs of pieces of one kind of which ``viewer`` sees neither, and of which one at least is in the record."""
    known = "" if viewer is None else game.seen_by(viewer).own_file().decode() + repr(game.seen_by(viewer).secrets)
    texts = (
        known
        + adj.render(game.seen_by(viewer).report(since=0))
        + repr((game.seen_by(viewer).log(), game.seen_by(viewer).position.view.state))
    )
    record = game.to_bytes().decode()
    for names in names_in(component_set(game.meta.id).parts):
        unseen = [name for name in names if not re.search(rf"\b{re.escape(name)}\b", texts)]
        there = {name for name in unseen if re.search(rf'"{re.escape(name)}"', record)}
        yield from ((one, two) for one, two in combinations(unseen, 2) if {one, two} & there and are_alike(one, two))


def are_alike(one: str, two: str) -> bool:
    """Return whether two pieces have the same back: their names begin alike, where these have numbers."""
    return one[0] == two[0] if re.match(r"[A-Z]\d", one) and re.match(r"[A-Z]\d", two) else one.islower()


def exchanged(game: adj.Game, one: str, two: str) -> adj.Game:
    """Return the game in which two pieces have changed places, everywhere and from the beginning.

    Raises ``FileProblem`` if they cannot: a card that is no help, say.
    """
    swap = {one: two, two: one}
    text = re.sub(rf"\b({re.escape(one)}|{re.escape(two)})\b", lambda found: swap[found[0]], game.to_bytes().decode())
    return adj.open(forge(json.loads(text)))


@pytest.mark.parametrize("ruleset", WITH_SECRETS)
def test_nobody_sees_what_others_hold(ruleset: str) -> None:
    game, tried = begun(ruleset, 12), 0
    for viewer in (None, *game.seats):
        pairs = list(hidden_from(game, viewer))
        for one, two in pairs[:: max(1, len(pairs) // 2)]:
            with suppress(adj.FileProblem):
                require_same(game, exchanged(game, one, two), (viewer,))
                tried += 1
    assert tried > 2


def test_in_checkered_flag_all_is_open() -> None:
    game = begun("checkered-flag")
    assert [game.seen_by(seat).position.view.state for seat in (None, *game.seats)] == [
        game.seen_by("moderator").position.view.state
    ] * 3


def test_who_may_see_it_does() -> None:
    """The comparison finds what a reader may know: else it would prove nothing."""
    game = begun("checkpoint-rally", 14)
    state = toy.document(game)["state"]
    card = next(one["card"] for one in state["racers"] if one["seat"] == "blue")
    other = next(f"K{n}" for n in range(1, 21) if f"K{n}" not in [one["card"] for one in state["racers"]])
    changed = exchanged(game, card, other)
    for viewer in ("blue", "moderator"):
        here, there = given_short(game, viewer), given_short(changed, viewer)
        assert {what for what in here if here[what] != there[what]} >= {"the position", "the state", "the report as txt"}


def given_short(game: adj.Game, viewer: str) -> Given:
    view = game.seen_by(viewer).position
    report = adj.render(game.seen_by(viewer).report(since=0))
    return {"the position": adj.render(view) + report, "the state": repr(view.view.state), "the report as txt": report}


def test_a_seat_reads_its_secrets_in_the_words_of_the_game() -> None:
    game = toy.new(mode="sealed").apply({"red": "BID 3"}).game
    cards = [purse["card"] for purse in toy.document(game)["state"]["purses"]]
    told = [[(one.called, one.said) for one in game.seen_by(seat).secrets] for seat in game.seats]
    assert told == [[("your bid", "3"), ("your card", f"the {cards[0]}")], [("your card", f"the {cards[1]}")]]


# Orders that wait, and sealed answers --------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", [ruleset for ruleset in RULESETS if ruleset != "rally-round"])
def test_nobody_reads_the_pending_orders_of_others(ruleset: str) -> None:
    game = next(game for n in range(6, 20) if len((game := begun(ruleset, n)).due_seats) < len(game.seats))
    seat = next(seat for seat in game.seats if seat not in game.due_seats)
    texts = ["WAIT 2", "WAIT 3", *(row.order for row in game.seen_by(game.due_seats[0]).legal)]
    worlds = [game.apply({seat: text}).game for text in texts[:9]]
    one, other = [world for world in worlds if world.pending_counts == {seat: 1}][:2]
    require_same(one, other, tuple(reader for reader in (None, *game.seats) if reader != seat))


SEALED: dict[str, tuple[Callable[[], adj.Game], str, tuple[str, str]]] = {
    "a bid": (lambda: toy.new("red", "blue", "green", mode="sealed"), "red", ("BID 1", "BID 7")),
    "an order under another name": (lambda: toy.new(), "red", ("HIDE", "ADD 7 OR HIDE")),
    "a condition with the same result": (lambda: toy.new(), "red", ("IF coins = 0 THEN ADD 1", "ADD 1")),
    "a condition on a secret": (lambda: toy.new(), "red", ("IF card = A1 THEN ADD 1 ELSE ADD 1", "ADD 1")),
    "a first answer that was changed": (lambda: toy.new("red", "blue", "green", mode="sealed"), "red", ("BID 1", "BID 2")),
    "a rest that goes on": (lambda: toy.new(mode="together"), "red", ("ADD 2\nADD 3", "ADD 2\nADD 4")),
}


@pytest.mark.parametrize("what", SEALED)
def test_nobody_reads_what_a_seat_has_sealed(what: str) -> None:
    make, seat, orders = SEALED[what]
    game = make()
    one, other = (game.apply({seat: order}).game for order in orders)
    require_same(one, other, tuple(reader for reader in (None, *game.seats) if reader != seat))


def test_nobody_reads_the_clue_and_the_answer_of_an_agent() -> None:
    """Checkpoint Charlie: a clue lies face down, and the answers of a window are sealed until all have answered."""
    game, tried = begun("checkpoint-charlie", 0), 0
    for _ in range(12):
        seat = game.due_seats[0]
        by_words: dict[str, list[adj.Game]] = {}
        for row in [*game.seen_by(seat).legal][:6]:
            after = game.apply({seat: row.order}).game
            by_words.setdefault(after.seen_by().log()[-1].order, []).append(after)
        for worlds in by_words.values():
            if len(worlds) > 1 and len(game.due_seats) > 1:
                readers = tuple(one for one in (None, *game.seats) if one != seat)
                require_same(worlds[0], worlds[-1], readers[:2])
                tried += 1
        game = game.apply({seat: game.seen_by(seat).legal[0].order}).game
        if tried > 2:
            break
    assert tried > 1


def test_an_order_that_was_skipped_is_known_to_its_seat_alone() -> None:
    plain = toy.new().apply({"red": "ADD 1"}).game
    one, other = (plain.apply({"blue": f"{'IF coins > 4 THEN ADD 2' if n else ''}\nADD 3"}).game for n in (0, 1))
    require_same(one, other, (None, "red"))
    assert given(one, "blue", [])["the log"] != given(other, "blue", [])["the log"]
