"""Play games with changed rules: `python changed_games.py HEADING`, with a heading of the page of rule changes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import adjudicator as adj


def position(name: str, **value: object) -> str:
    """Write a position to a file here, and return its path."""
    Path(name).write_text(json.dumps(value), "utf-8")
    return name


def told(result: adj.Result) -> str:
    """Return the log of all that followed from the orders. They must have no problems."""
    assert not result.problems, result.problems
    return "\n".join(line for row in result.log for line in row.told)


def finish(game: adj.Game, viewer: str) -> str:
    """Audit and reload the game, render the reader's report in all forms, and return its text."""
    assert game.audit().is_verified, game.audit()
    assert adj.open(game.to_bytes()).head == game.head
    report = game.seen_by(viewer).report()
    assert all(adj.render(report, form) for form in ("html", "svg", "json"))
    return adj.render(report)


def crash() -> None:
    """Checkered Flag: a crash costs one turn more."""
    seats = [{"seat": "red", "position": 5, "gear": 2}, {"seat": "blue", "position": 20, "gear": 1}]
    game = adj.new("checkered-flag", ["red", "blue"], position=position("p.json", seats=seats, turn="red"), recorded=[])
    result = game.apply("red: GEAR 3 go [2 3 1]\nblue: GEAR 1 go [1 1]")
    assert "red has crashed on 9 and loses 3 turns" in told(result)
    assert "red loses a turn by its crash; 2 more turns are lost" in told(result)
    text = finish(result.game, "red")
    assert "crashed, 2 turns to lose" in text
    for _ in range(2):
        result = result.game.apply("blue: GEAR 1 go [1 1]")
    assert "red loses a turn by its crash; the next turn starts in neutral" in told(result)
    result = result.game.apply("blue: GEAR 1 go [1 1]")
    assert [row.order for row in result.game.seen_by("red").legal][:2] == ["GEAR N", "GEAR 1"]
    lost = [{"seat": "red", "position": 5, "lost": 3}, {"seat": "blue", "position": 20}]
    game = adj.new("checkered-flag", ["red", "blue"], position=position("p.json", seats=lost, turn="red"), seed=1)
    assert "2 more turns are lost" in finish(game, "red")


def sixth_round() -> None:
    """Checkpoint Charlie: a sixth round."""
    seats = [{"seat": seat} for seat in ("red", "blue", "green")]
    options = {"rounds": "6"}
    game = adj.new(
        "checkpoint-charlie",
        [seat["seat"] for seat in seats],
        options=options,
        position=position("p.json", seats=seats, round=5),
        seed=4,
    )
    log = ""
    while not game.is_over:
        seat = game.due_seats[0]
        orders = [row.order for row in game.seen_by(seat).legal]
        result = game.apply({seat: next((order for order in orders if order.startswith("ACCUSE")), orders[0])})
        game, log = result.game, log + told(result) + "\n"
    assert "round 6 begins" in log
    assert log.count("the game ends: this was the last round") == 1
    assert "Round 6 of 6" in finish(game, "red")


def sixth_trait() -> None:
    """Checkpoint Charlie: a sixth trait."""
    seats = ["red", "blue", "green", "white", "black"]
    traits = ["scar", "hat", "glasses", "coat", "colour"]
    game = adj.new("checkpoint-charlie", seats, recorded=["red", *traits])
    assert [row.order for row in game.seen_by("red").legal] == ["CLUE scar", "CLUE no scar"]
    (problem,) = game.apply("red: CLUE skar").problems
    assert problem.suggestions[0] == "scar", problem
    result = game.apply(
        "red: CLUE no scar\nblue: CLUE hat\ngreen: CLUE glasses\nwhite: CLUE sweater\nblack: CLUE grey [Natashax]"
    )
    assert "Laces (red) turns Natashax (hat, glasses, sweater, grey, no newspaper, scar): innocent" in told(result)
    result = result.game.apply(
        "red: WAIT\nblue: ACCUSE Natashax IF scar in looks of Natashax\ngreen: WAIT\nwhite: WAIT\nblack: WAIT [Natasha]"
    )
    text = finish(result.game, "red")
    assert "no scar" in text
    game = next(adj.simulate_games("checkpoint-charlie", players=5, player="greedy", seed=2, options={"rounds": "1"}))
    assert game.is_over
    assert "scar" in finish(game, "moderator")


def open_border() -> None:
    """Checkpoint Rally: the border is no neighbour for terrain."""
    game = adj.new("checkpoint-rally", ["red", "blue"], seed=1)
    for _ in range(2):
        (seat,) = game.due_seats
        starts = game.seen_by(seat).legal
        assert starts and not any("CR-P3" in str(row) for row in starts)
        game = game.apply({seat: starts[0].order}).game
    rally = next(adj.simulate_games("checkpoint-rally", players=2, player="greedy", seed=1, most_orders=60))
    laid = [row for row in rally.seen_by().log() if row.order.startswith("PLACE")]
    assert any("CR-P3" in str(row) for row in laid[2:])
    finish(rally, "red")


def far_controls() -> None:
    """Rally Round: controls four squares apart."""
    options = {"mode": "table", "wrong-marker": "reject"}
    game = adj.new("rally-round", ["red", "blue"], options=options, seed=1)
    for order in ("START at A4", "FINISH at Z23"):
        game = game.apply({game.due_seats[0]: order}).game
    (seat,) = game.due_seats
    (problem,) = game.apply({seat: "PLACE PC at A7 from N"}).problems
    assert problem.message.endswith("A7 is 3 squares from TC1: 4 at least")
    assert "PLACE PC at A8 from N" in [row.order for row in game.seen_by(seat).legal]
    result = game.apply({seat: "PLACE PC at A8 from N"})
    assert "A8" in told(result)
    finish(result.game, "moderator")


def fast_cars() -> None:
    """Rally Round: a limit of 110 mph."""
    game = adj.new("rally-round", ["red", "blue"], seed=1)
    game = game.apply("red: KIT D1 N1 E1 S1 A1 B1\nblue: KIT D1 N1 E1 S1 A1 B1").game
    game = game.amend(['crews[red].trail=["A3","A2"]', "crews[red].speed=100", "crews[red].speeds=[100]"], "A test.")
    result = game.apply("red: SPEED 110")
    assert "red drives 110 mph: over A1 B1 C1 to D1" in told(result)
    assert "110 mph" in finish(result.game, "moderator")
    assert "red goes off the road at A2: 120 mph, the limit is 110 (RR-F12)" in told(game.apply("red: SPEED 120"))


def convoy(card: str) -> adj.Game:
    """Begin a race of two, up to the first sequence of red, with ``card`` in its hand."""
    game = adj.new("great-race", ["red", "blue"], seed=1)
    while game.due[0].kind != "turn":
        seat = game.due_seats[0]
        game = game.apply({seat: game.seen_by(seat).legal[0].order}).game
    assert game.due_seats == ("red",)
    return game.amend([f'crews[red].hand=["{card}"]'], "A test.")


def plain_card() -> None:
    """The Great Race: a new card."""
    game = convoy("lottery")
    assert "PLAY Lottery" in [row.order for row in game.seen_by("red").legal]
    assert game.apply("red: PLAY Lotery").problems[0].suggestions == ("red: PLAY Lottery",)
    result = game.apply("red: IF hand has lottery THEN PLAY Lottery")
    assert "red plays Lottery" in told(result)
    assert result.log[0].min == 50
    assert "get 50 francs" in finish(game, "red")
    finish(result.game, "red")


def card_with_target() -> None:
    """The Great Race: a new card with a target."""
    game = convoy("bandit")
    assert "PLAY Bandit on blue" in [row.order for row in game.seen_by("red").legal]
    (problem,) = game.apply("red: PLAY Bandit on red").problems
    assert problem.message == "red would harm itself: a Bandit needs another seat"
    (problem,) = game.apply("red: PLAY Bandit").problems
    assert problem.message == "Bandit: say whom it robs"
    result = game.apply("red: PLAY bandit on blue chassis 1")
    assert "red wants to take chassis 1 of blue" in told(result)
    assert "blue cancels it with ranger" in told(result)
    finish(result.game, "blue")
    result = game.amend(["crews[blue].hand=[]"], "A test.").apply("red: PLAY Bandit on blue")
    assert "blue loses engine 1, chassis 0" in told(result)
    finish(result.game, "moderator")
    race = next(adj.simulate_games("great-race", players=2, player="greedy", seed=3))
    finish(race, "moderator")


GAMES = {
    (game.__doc__ or "").removesuffix("."): game
    for game in (crash, sixth_round, sixth_trait, open_border, far_controls, fast_cars, plain_card, card_with_target)
}
if __name__ == "__main__":
    GAMES[sys.argv[1]]()
