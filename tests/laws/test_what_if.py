"""A what-if plays a seat's orders on from its own knowledge, and ends where chance, a secret or another seat decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import adjudicator as adj

SEED = 7


def begun(ruleset: str, **more: Any) -> adj.Game:
    return adj.new(ruleset, {"red": "Ann", "blue": "Bob"}, seed=SEED, **more)


def played(game: adj.Game, orders: int = 12) -> Iterator[tuple[adj.Game, str, str]]:
    """Yield the first positions of ``game`` with the seat that is due and its order."""
    for number in range(orders):
        if game.is_over:
            return
        seat = game.due_seats[0]
        order = adj.choose_order(game, seat, "random", seed=number)
        yield game, seat, order
        game = game.apply({seat: order}).game


def test_it_ends_where_chance_decides_and_shows_what_comes_before() -> None:
    game, seat, order = next(played(begun("checkered-flag")))
    found = game.seen_by(seat).what_if({seat: order})
    assert found.ends == "chance"
    assert found.words == "Chance decides from here."
    assert [row.order for row in found.rows] == [order]
    assert found.position.due == ()
    assert game.apply({seat: order}).log[0].told[: len(found.rows[0].told)] == found.rows[0].told


def test_it_carries_out_several_orders_and_says_why_it_goes_no_further() -> None:
    game = begun("checkpoint-rally")
    ends = set()
    for now, seat, order in played(game, 25):
        found = now.seen_by(seat).what_if({seat: f"{order}\n{order}"})
        ends.add(found.ends.value)
        assert order in (found.rows[0].order, found.rows[0].written)
    assert {"your-turn", "mistake", "others", "hidden"} & ends >= {"others", "hidden"}


@pytest.mark.parametrize("ruleset", ["checkered-flag", "checkpoint-rally", "great-race", "rally-round"])
def test_the_file_of_a_player_gives_the_same_as_the_whole_game(ruleset: str) -> None:
    for game, seat, order in played(begun(ruleset)):
        own = adj.open(game.seen_by(seat).own_file())
        assert repr(own.seen_by(seat).what_if(order)) == repr(game.seen_by(seat).what_if({seat: order}))


@pytest.mark.parametrize("ruleset", ["checkered-flag", "checkpoint-rally", "great-race", "rally-round"])
def test_the_cost_of_a_line_is_that_of_the_log_or_unknown_with_the_reason(ruleset: str) -> None:
    known = 0
    for game, seat, order in played(begun(ruleset)):
        own = adj.open(game.seen_by(seat).own_file())
        found = own.seen_by(seat).costs(f"# later\n{order}")
        assert found == game.seen_by(seat).costs({seat: f"# later\n{order}"})
        (cost,) = found
        paid = [row for row in game.apply({seat: order}).log if row.seat == seat]
        assert cost.line == 2
        assert cost.min in (None, sum(row.min for row in paid))
        assert cost.after is None or cost.after == paid[-1].after
        assert (cost.min is None) == bool(cost.unknown)
        known += cost.min is not None
    assert known or ruleset == "checkered-flag"


def test_lines_after_a_draw_or_a_mistake_have_no_known_cost() -> None:
    game = begun("checkpoint-rally")
    (first, second) = game.seen_by(game.due_seats[0]).costs(
        {game.due_seats[0]: f"{adj.choose_order(game, game.due_seats[0])}\nMOVE B3 B4"}
    )
    assert (first.min is None, second.min, second.unknown[:6]) == (False, None, "Chance")
    (flawed, after) = game.seen_by(game.due_seats[0]).costs({game.due_seats[0]: "PLACE U10 at A1 rot 45\nMOVE B3 B4"})
    assert flawed.unknown == after.unknown and "be carried out" in flawed.unknown
    other = next(seat for seat in game.seats if seat not in game.due_seats)
    (waiting,) = game.seen_by(other).costs({other: "MOVE B3 B4"})
    assert waiting.unknown == f"{game.due_seats[0]} must decide next."
    assert game.seen_by(other).costs({other: "# later"}) == ()


def test_secrets_do_not_change_it() -> None:
    """The same view with another secret of chance, and so with other draws, gives the same what-if."""
    games = [adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id="race", seed=seed) for seed in range(8)]
    one = games[0]
    same = [game for game in games if game.seen_by("red").position.view.state == one.seen_by("red").position.view.state]
    assert len(same) > 1
    seat = one.due_seats[0]
    for row in one.seen_by(seat).legal:
        found = [game.seen_by(seat).what_if({seat: row.order}) for game in same]
        assert len({repr((what.rows, what.ends, what.position.view)) for what in found}) == 1


def test_an_order_that_is_not_legal_there_ends_it() -> None:
    game = begun("checkered-flag")
    found = game.seen_by(game.due_seats[0]).what_if({game.due_seats[0]: "GEAR 9"})
    assert (found.ends, found.rows) == ("mistake", ())
    assert found.words == "The next order cannot be carried out here."


def test_a_seat_that_is_not_due_plans_ahead_where_the_rules_can_tell() -> None:
    game = begun("checkered-flag")
    other = next(seat for seat in game.seats if seat not in game.due_seats)
    ahead = game.seen_by(other).legal_ahead
    assert ahead
    found = game.seen_by(other).what_if({other: ahead[0].order})
    assert found.is_ahead
    assert [row.order for row in found.rows] == [ahead[0].order]


def test_without_orders_it_is_the_position_now() -> None:
    game = begun("checkered-flag")
    seat = game.due_seats[0]
    found = game.seen_by(seat).what_if({seat: "# later"})
    assert (found.ends, found.rows) == ("your-turn", ())
    assert found.position.view.state == game.seen_by(seat).position.view.state


def test_the_texts_of_other_seats_have_no_costs_for_a_seat() -> None:
    game = begun("checkered-flag")
    red, blue = game.seats
    texts = ["GEAR 1", f"{blue}: GEAR 1", *adj.read_orders("GEAR 1", seat=blue)]
    assert game.seen_by(red).costs(texts) == ()
    assert game.seen_by(red).what_if(texts).rows == ()
    (cost,) = game.seen_by(red).costs([*texts, f"\n\n{red}: GEAR 1"])
    assert cost.line == 3


def test_a_withdrawal_of_orders_in_earlier_mails_is_no_mistake() -> None:
    game = begun("checkered-flag")
    other = next(seat for seat in game.seats if seat not in game.due_seats)
    for orders in ("GEAR 1", "WITHDRAW from 2\nGEAR 1"):
        (cost,) = game.seen_by(other).costs({other: orders})
        assert cost.unknown == f"{game.due_seats[0]} must decide next."
