"""Private games that go on from a past position: they fit all that a seat knew, and are played on by simulated players."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.core.values import replace
from adjudicator.library.begin import GAME_ID
from adjudicator.library.seat_records import records_of
from tests.drivers.records import ROOT

GAMES = (
    ("checkered-flag", 2, {}),
    ("checkpoint-charlie", 4, {}),
    ("checkpoint-rally", 3, {}),
    ("great-race", 3, {}),
    ("rally-round", 3, {}),
    ("rally-round", 2, {"mode": "table"}),
)


def new(number: int, player: str, most_orders: int) -> adj.Game:
    ruleset, players, options = GAMES[number]
    (game,) = adj.simulate_games(ruleset, players=players, player=player, seed=3, options=options, most_orders=most_orders)
    return game


def played_on(fork: adj.Game, seat: str, orders: int) -> adj.Game:
    """Return ``fork`` after so many orders of ``seat``, with what the others answered."""
    for number in range(orders):
        fork = adj.play_others(fork, seat)
        if seat not in fork.due_seats:
            break
        fork = fork.apply({seat: adj.choose_order(fork, seat, "greedy", number)}).game
    return fork


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_fork_of_an_own_file_fits_what_its_seat_knew_and_can_be_played_on(number: int) -> None:
    game, luck = new(number, "random", 70), Random(5)
    for seat in game.seats[:2]:
        own = adj.open(game.seen_by(seat).own_file()).seen_by()
        for entry in sorted(luck.sample(range(len(game.record.journal) - 1), k=3)):
            n, secret = game.timeline.entry_numbers.public(entry), f"{entry:064x}"
            fork = adj.fork_game(own, n, secret=secret)
            assert fork == adj.fork_game(game.seen_by(seat), n, secret=secret), "it takes no more than the own file has"
            (step,) = [*own.replay(n, n)][-1:]
            assert fork.rules.view(fork.record.journal[0].entry.outside.state, seat).state == step.view
            after = played_on(fork, seat, 2)
            assert after.audit().is_verified, after.audit().divergence
            assert adj.open(after.to_bytes()) == after


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_fork_is_played_to_its_end(number: int) -> None:
    game = new(number, "greedy", 60)
    seat = game.seats[0]
    n = game.timeline.entry_numbers.public(len(game.record.journal) // 2)
    fork = adj.fork_game(adj.open(game.seen_by(seat).own_file()).seen_by(), n, secret=f"{7:064x}")
    end = played_on(fork, seat, 400)
    assert end.is_over and end.audit().is_verified


def test_a_fork_is_another_game_and_says_so() -> None:
    game = adj.open(ROOT / "tests/data/games/checkpoint-rally/again-005.json")
    whole, known = adj.fork_game(game.seen_by("moderator"), 9), adj.fork_game(game.seen_by("red"), 9)
    assert whole.record.state == game.timeline.state_after(9), "the moderator's fork has the whole position"
    for fork, words in ((whole, "recorded-005"), (known, "as red knew it: the rest was dealt anew")):
        assert fork.id.startswith(f"{game.id}-fork-9-")
        assert fork.head != game.head and fork.commitment != game.commitment
        verdict = fork.audit()
        assert (verdict.is_verified, verdict.forked_from) == (True, f"{game.id} after entry 9")
        assert words in fork.seen_by().log()[0].told[0]
        with pytest.raises(adj.CannotExportError, match="private game"):
            fork.script(with_secret=True)
        assert records_of(fork) == (), "no rating counts it"
    assert known.players == {"red": "Player Red", "blue": "simulated"}


@pytest.mark.parametrize("name", ["../up", "/tmp/up", "-rf", "a\nb", "<b>c", "☃"])
def test_the_id_of_a_fork_is_the_name_of_a_file_whatever_the_id_of_the_game(name: str) -> None:
    game = adj.open(ROOT / "tests/data/games/checkpoint-rally/again-005.json")
    own = adj.open(game.seen_by("red").own_file())
    assert own.own is not None
    renamed = replace(own, own=replace(own.own, id=name), record=replace(own.record, id=name))
    assert GAME_ID.fullmatch(adj.fork_game(renamed.seen_by(), 3).id)


def test_what_cannot_be_forked_is_refused() -> None:
    game = adj.open(ROOT / "tests/data/games/checkpoint-rally/again-005.json")
    end = game.seen_by("red").log()[-1].n
    with pytest.raises(adj.RequestError, match="the game is over after entry"):
        adj.fork_game(game.seen_by("red"), end)
    with pytest.raises(adj.AdjudicatorError, match="there is no entry"):
        adj.fork_game(game.seen_by("red"), end + 1)
    with pytest.raises(adj.RequestError, match="name a seat"):
        adj.fork_game(game.seen_by(), 3)
    with pytest.raises(adj.RequestError, match="another id"):
        adj.fork_game(game.seen_by("red"), 3, id=game.id)
    fork = adj.fork_game(game.seen_by("red"), 3, id="first")
    for reader in (fork.seen_by("red"), fork.seen_by("moderator"), adj.open(fork.seen_by("red").own_file()).seen_by()):
        for taken in ("first", game.id):
            with pytest.raises(adj.RequestError, match="another id"):
                adj.fork_game(reader, 0, id=taken)
        assert adj.fork_game(reader, 0, id="second").id == "second"


def test_a_forged_beginning_diverges() -> None:
    game = adj.open(ROOT / "tests/data/games/checkpoint-rally/again-005.json")
    fork = adj.fork_game(game.seen_by("moderator"), 9)
    record: Any = json.loads(fork.to_bytes())
    assert record["journal"][0]["entry"]["events"][0]["kind"] == "forked"
    record["journal"][0]["entry"]["events"][0]["state"]["racers"][0]["minutes"] += 1
    with pytest.raises(adj.Untrusted):
        adj.open(json.dumps(record).encode())


def test_a_seat_remembers_which_hidden_tiles_others_took() -> None:
    """A tile that another player took from the row, in everybody's sight, is still in that hand."""
    for seed in (5, 7, 8):
        (game,) = adj.simulate_games("checkpoint-rally", players=2, player="random", seed=seed, most_orders=60)
        reader, taken, forks = game.seen_by("red"), set[str](), 0
        for step in reader.replay():
            taken |= {one.tile for one in step.events if type(one).__name__ == "TileTaken" and one.seat == "blue"}
            shown = repr(step.view)
            taken = {tile for tile in taken if repr(tile) not in shown}
            if taken and forks < 4:
                state = adj.fork_game(reader, step.n, secret=f"{step.n:064x}").record.journal[0].entry.outside.state
                assert taken <= set(state.of("blue").hand)
                forks += 1
        assert forks
