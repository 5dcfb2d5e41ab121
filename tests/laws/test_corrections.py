"""Corrections: each an entry with its reason; what was undone stays in the record; nothing impossible is accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.library.seat_records import records_of
from tests.drivers import toy
from tests.drivers.older import with_word
from tests.drivers.records import forge, spoiled, verdict


@pytest.fixture(scope="module")
def rally() -> adj.Game:
    """Return a game of two players who have acted twice, with tiles in their hands."""
    game = adj.new("checkpoint-rally", {"red": "Ann", "blue": "Bob"}, id="g1", seed="5" * 64)
    for _ in range(4):
        orders = [row.order for row in game.seen_by(game.due_seats[0]).legal]
        order = next((one for one in orders if one.split()[0] in ("DRAW", "DISCARD")), orders[0])
        game = game.apply({game.due_seats[0]: order}).game
    return game


def racer(game: adj.Game, seat: str) -> dict[str, Any]:
    return next(one for one in toy.document(game)["state"]["racers"] if one["seat"] == seat)


def state(game: adj.Game) -> dict[str, Any]:
    found: dict[str, Any] = toy.document(game)["state"]
    return found


def told(game: adj.Game, viewer: str | None = None) -> str:
    """Return the sentence under the last entry, as ``viewer`` reads it."""
    return game.seen_by(viewer).log()[-1].told[0]


def require_sound(game: adj.Game) -> None:
    """Require that the game survives its file and its audit."""
    assert adj.open(game.to_bytes()) == game
    assert game.audit().divergence is None


# Undo ----------------------------------------------------------------------------------------------------------------


def solo(orders: int) -> adj.Game:
    return toy.new("red").apply({"red": "ADD 1\n" * orders}).game


@pytest.mark.parametrize(
    ("steps", "undone"),
    [
        ([1], {2: 4, 3: 4}),
        # A second undo that goes farther takes back the first one, too, but not again what that had taken back.
        ([1, 0], {1: 5, 2: 4, 3: 4, 4: 5}),
        # What is played after an undo counts until it is undone.
        ([0, "ADD 2"], {1: 4, 2: 4, 3: 4}),
        ([0, "ADD 2", 4], {1: 4, 2: 4, 3: 4, 5: 6}),
        # A seat stays handed over, a secret published, and a word sent.
        (["hand", "reveal", "word", 0], {1: 7, 2: 7, 3: 7}),
        # An amendment is taken back.
        (["amend", 0], {1: 5, 2: 5, 3: 5, 4: 5}),
    ],
)
def test_what_an_undo_takes_back(steps: list[Any], undone: dict[int, int]) -> None:
    game = solo(3)
    for step in steps:
        if isinstance(step, int):
            game = game.undo(step, "x")
        elif step == "hand":
            game = game.hand_over("red", "Zoe", "moved house")
        elif step == "reveal":
            game = game.reveal("all may know", force=True)
        elif step == "amend":
            game = game.amend(["coins of red=9"], "counted again")
        elif step == "word":
            game = with_word(game, "red", "cow")
        else:
            game = game.apply({"red": step}).game
    assert {row.n: row.undone_by for row in game.seen_by("moderator").log() if row.undone_by is not None} == undone
    require_sound(game)
    if "hand" in steps:
        assert game.players == {"red": "Zoe"}


def test_undo_goes_back_and_keeps_the_record(rally: adj.Game) -> None:
    positions = [step.position.view.state for step in rally.seen_by("moderator").replay()]
    undone = rally.undo(2, "a mail was overlooked")
    assert undone.seen_by("moderator").position.view.state == positions[2]
    assert toy.entries(undone)[:-1] == toy.entries(rally)
    last = toy.entries(undone)[-1]
    assert (last["seat"], last["order"]) == ("moderator", "UNDO to 2")
    assert last["events"][0] == {"kind": "undone", "to": 2, "reason": "a mail was overlooked"}
    require_sound(undone)
    stale = undone.apply(f"turn {rally.turn}\nred: DRAW")
    assert [problem.code for problem in stale.problems] == ["orders/wrong-turn"]


@pytest.mark.parametrize("to", [3, -1, 5, 99])
def test_what_was_undone_or_has_not_been_is_no_place_to_go_back_to(rally: adj.Game, to: int) -> None:
    undone = rally.undo(1, "once")
    with pytest.raises(adj.CorrectionError) as caught:
        undone.undo(to, "twice")
    assert to != 3 or "entry 3 itself was undone by entry 5" in str(caught.value)


def test_pending_orders_go_with_an_undo_and_not_with_an_amendment() -> None:
    game = toy.new().apply({"red": "ADD 1\nADD 2", "blue": "ADD 1\nADD 2"}).game.apply({"blue": "ADD 3\nQUIT"}).game
    undone = game.undo(0, "so")
    assert toy.pending(undone) == {}
    (aside,) = toy.document(undone)["set_aside"]
    assert (aside["cause"], aside["reason"], aside["sheet"]["seat"]) == ("undone", "so", "blue")
    assert toy.pending(game.amend(["coins of red=9"], "x")) == {"blue": ["ADD 3", "QUIT"]}
    assert undone.correction_since(game).dropped == {"blue": 2}


# Pending orders taken away and brought back --------------------------------------------------------------------------


def waiting() -> adj.Game:
    return toy.new(mode="together").apply({"red": "CLIMB 2\nADD 2"}).game


def test_what_is_taken_away_is_in_the_record_and_can_be_brought_back() -> None:
    game = waiting()
    assert toy.pending(game) == {"red": ["CLIMB 1", "ADD 2"]}
    after = game.withdraw("red", "by telephone")
    (aside,) = toy.document(after)["set_aside"]
    assert (aside["turn"], aside["cause"], aside["reason"]) == (2, "withdrawn", "by telephone")
    assert aside["sheet"] == toy.document(game)["pending"][0]
    again = after.bring_back(1)
    assert toy.document(again)["pending"] == toy.document(game)["pending"]
    assert toy.document(again)["set_aside"] == [aside], "the record only grows"
    other = after.apply({"red": "HIDE"}).game.bring_back(1)
    assert (toy.pending(other), [one["cause"] for one in toy.document(other)["set_aside"]]) == (
        *({"red": ["CLIMB 1", "ADD 2"]}, ["withdrawn", "replaced"]),
    )
    require_sound(other)
    kept = game.withdraw("red", "x", 2)
    assert toy.pending(kept) == {"red": ["CLIMB 1"]}
    assert [one["order"] for one in toy.document(kept)["set_aside"][0]["sheet"]["orders"]] == ["ADD 2"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda game: game.withdraw("red", "x", 3), "red has only 2 pending orders"),
        (lambda game: game.withdraw("red", "x", 0), "red has only 2 pending orders"),
        (lambda game: game.withdraw("blue", "x"), "blue has no pending orders"),
        (lambda game: game.bring_back(1), "it is empty"),
        (lambda game: game.withdraw("red", "x").bring_back(0), "it has 1 to 1"),
        (lambda game: game.withdraw("red", "x").bring_back(2), "it has 1 to 1"),
        (lambda game: game.withdraw("red", "x").bring_back(1).bring_back(1), "are already pending"),
    ],
)
def test_what_does_not_wait_cannot_be_taken_away_or_brought_back(call: Callable[[adj.Game], Any], words: str) -> None:
    with pytest.raises(adj.CorrectionError, match=words):
        call(waiting())


# Amendments ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        *("racers[red].minutes", "Racers[RED].Minutes", "clock of red", "CLOCK OF Red", "minutes of red", "min of red"),
        *("racers[red].clock", "racers[0].minutes"),
    ],
)
def test_a_clock_goes_by_every_name(rally: adj.Game, path: str) -> None:
    amended = rally.amend([f"{path}=50"], "misread the dial")
    assert racer(amended, "red")["minutes"] == 50
    assert told(amended) == f"the moderator set red's clock from {racer(rally, 'red')['minutes']} to 50: misread the dial"
    assert state(amended)["order"] == ["blue", "red"], "what follows from it is put right"
    require_sound(amended)


def test_what_is_on_the_board_goes_by_its_cell_or_tile_and_a_hand_is_told_to_its_seat_alone(rally: adj.Game) -> None:
    laid = state(rally)["board"][0]
    rot = (laid["rot"] + 90) % 360
    for name in ("a1", laid["tile"].lower(), "0"):
        amended = rally.amend([f"board[{name}].rot={rot}"], "x")
        assert told(amended) == f"the moderator set board[A1].rot from {laid['rot']} to {rot}: x"
    tile = racer(rally, "red")["hand"][0]
    amended = rally.amend([f"hand of red-={tile.lower()}", f"discard+={tile.lower()}"], "slip")
    assert racer(amended, "red")["hand"] == racer(rally, "red")["hand"][1:]
    assert told(amended, "red") == f"the moderator put {tile} into discard and took {tile} out of red's hand: slip"
    for viewer in ("blue", None):
        assert told(amended, viewer) == f"the moderator put {tile} into discard and took 1 unseen out of red's hand: slip"
    placed = amended.amend([f'board[B1]={{"tile":"{tile}","rot":90}}', f"discard-={tile}"], "forgotten")
    assert f"the moderator set board[B1] from nothing to tile {tile} rot 90" in told(placed)
    require_sound(placed)


def test_what_a_viewer_may_not_see_is_not_told(rally: adj.Game) -> None:
    taken = [one["card"] for one in state(rally)["racers"]]
    card = next(f"K{number}" for number in range(1, 9) if f"K{number}" not in taken)
    amended = rally.amend([f"card of red={card.lower()}"], "mixed up")
    for viewer in (None, "blue"):
        assert told(amended, viewer) == "the moderator changed something you may not see: mixed up"
        assert f'"{card}"' not in adj.render(amended.seen_by(viewer).report(), "json")
    for viewer in ("red", "moderator"):
        assert told(amended, viewer).startswith("the moderator set red's card from K")
    toys = toy.new().amend(["coins of red=5"], "x")
    assert told(toys) == "the moderator set red's clock from 0 to 5: x"


REFUSED = [
    # Names that lead nowhere.
    ("clock of green=3", "there is no seat “green” for “clock of green”; choose from: red, blue"),
    ("cloak of red=3", "there is no “cloak” in “cloak of red” (did you mean “clock”?); choose from: seat, "),
    ("hnd of red=3", "there is no “hnd” in “hnd of red” (did you mean “hand”?); choose from: seat, "),
    ("stge=over", "there is no “stge” (did you mean “stage”?); choose from: stage, "),
    ("board[Z9].rot=90", "there is no “Z9” in “board[Z9].rot”; choose from: A1 to E5"),
    ("racers[9].minutes=3", "there is no “9” in “racers[9].minutes”; choose from: 0 to 1"),
    ("racers[red].marked[0]=C3", "there is no “0” in “racers[red].marked[0]”: the list is empty"),
    ("racers[\ud800].car=1", r"there is no “\ud800” in “racers[\ud800].car”; choose from: 0 to 1"),
    # Values that cannot be there.
    ("board[2].rot=45", "“board[2].rot=45”: must be 0, 90, 180 or 270, not 45"),
    ("clock of red=abc", "“clock of red=abc”: must be a whole number, not “abc”"),
    ("clock of red=-1", "must be 0 or more, not -1"),
    ("clock of red=1.0", "must be written as a whole number: 1"),
    ("clock of red=1e2", "must be written as a whole number: 100"),
    ("clock of red=NaN", "must be a whole number"),
    ("clock of red=true", "must be a whole number, not true"),
    ("clock of red=9007199254740992", "a number is too large"),
    (r'racers[red].car="\ud800"', r"“\ud800” contains half a character (a lone surrogate)"),
    ("racers[red].car=\ud800", r"“racers[red].car=\ud800”: holds half a character"),
    ('racers[red]={"a":1,"a":2}', "the name “a” appears twice"),
    ("stage=" + 1500 * "[" + 1500 * "]", "nested too deeply"),
    ("[" * 500 + "=1", ""),
    ("hand of red=H5", '“hand of red” is a list: write `hand of red=["H5"]`, or change one item with `+=` or `-=`'),
    ("row=[H4, H5]", '“row” is a list: write `row=["H4","H5"]`, or change one item with `+=` or `-=`'),
    ("board[A1]={}", "“board[A1]={}”: “tile” is missing\n“board[A1]={}”: “rot” is missing"),
    ("clock of red", ""),
    ("clock of red+=3", ""),
    ("discard-=XX", ""),
    # Positions that cannot be.
    ("discard+=XX", "there is no tile XX in this game"),
    ("racers[red].car=tractor", "there is no car tractor in this game"),
    ("racers[red].cell=D5", ""),
    ("order=[]", ""),
    ("racers=[]", "the seats of a game cannot be amended"),
]


@pytest.mark.parametrize(("change", "words"), REFUSED)
def test_a_change_that_cannot_be_is_refused_with_the_reason(rally: adj.Game, change: str, words: str) -> None:
    with pytest.raises((adj.CorrectionError, adj.SetupError)) as caught:
        rally.amend([change], "no")
    assert words in str(caught.value)


def test_every_wrong_change_is_told_at_once(rally: adj.Game) -> None:
    with pytest.raises(adj.CorrectionError) as caught:
        rally.amend(["racers[red].gps=9", "racers[blue].minutes=x"], "no")
    assert str(caught.value).endswith(
        "“racers[red].gps=9”: must be 2 or less, not 9\n“racers[blue].minutes=x”: must be a whole number, not “x”"
    )


@pytest.mark.parametrize("hook", ["impossible", "place", "follow", "asked", "candidates", "standings", "warnings", "draw"])
def test_what_the_rules_fail_over_is_refused_and_does_not_survive_the_audit(hook: str, tmp_path: Path) -> None:
    """Whatever the checks of a ruleset leave out: an amendment is refused, it is never a fault of the program."""
    game = toy.new().to_bytes()
    amended = adj.open(game).amend(["coins of red=77"], "x").to_bytes()

    def fail(rules: Any, at: Any, *rest: Any) -> Any:
        if getattr(at, "state", at).purses[0].coins == 77:
            raise KeyError("nobody")
        return getattr(toy.ToyCoins, hook)(rules, at, *rest)

    with toy.offered(**{hook: fail}):
        here = adj.open(game)
        assert toy.coins(here.amend(["coins of red=5"], "goes on")) == {"red": 5, "blue": 0}
        with pytest.raises(adj.SetupError, match=r"the rules cannot go on from it \(KeyError: 'nobody'\)"):
            here.amend(["coins of red=77"], "no")
        divergence = verdict(amended, tmp_path).divergence
    assert divergence is not None
    assert (divergence.kind, divergence.field) == ("correction", "events[0].after")
    assert divergence.recomputed.startswith("impossible: the rules cannot go on from it")


@pytest.mark.parametrize("hook", ["follow", "due", "standings", "draw"])
@pytest.mark.parametrize("coins", [5, 6])
def test_a_position_over_which_the_rules_fail_is_refused(hook: str, coins: int, tmp_path: Path) -> None:
    def fail(rules: Any, at: Any, *rest: Any) -> Any:
        if coins == 5 or getattr(at, "state", at).purses[0].coins == coins:
            raise KeyError("nobody")
        return getattr(toy.ToyCoins, hook)(rules, at, *rest)

    path = tmp_path / "position.json"
    path.write_text(json.dumps({"seats": [{"seat": "blue", "card": "A2"}, {"seat": "red", "coins": coins}]}))
    begun = toy.document(adj.new("toy-coins", ["red", "blue"], position=str(path), seed=toy.SEED))["state"]
    assert [purse["coins"] for purse in begun["purses"]] == [coins, 0]
    refused, words = (KeyError, "nobody") if coins == 5 else (adj.SetupError, "the rules cannot go on from it .KeyError: ")
    with toy.offered(**{hook: fail}), pytest.raises(refused, match=words):
        adj.new("toy-coins", ["red", "blue"], position=str(path), seed=toy.SEED)


def test_nobody_is_left_waiting_for_ever() -> None:
    game = toy.new().to_bytes()

    def asked(rules: Any, state: Any) -> Any:
        return () if state.purses[0].coins == 77 else toy.ToyCoins.asked(rules, state)

    with toy.offered(asked=asked, due=asked), pytest.raises(adj.SetupError, match="no seat could act"):
        adj.open(game).amend(["coins of red=77"], "no")


@pytest.mark.parametrize(
    ("hooks", "words"),
    [
        (("asked", "due"), "the game would wait for green: this game has no such seat"),
        (("candidates",), "red would have to act, but would have no legal order"),
    ],
)
def test_who_is_asked_after_an_amendment_is_there_and_can_answer(hooks: tuple[str, ...], words: str) -> None:
    def spoiled_hook(rules: Any, at: Any) -> Any:
        if getattr(at, "state", at).purses[0].coins != 77:
            return getattr(toy.ToyCoins, hooks[0])(rules, at)
        return toy.ACTION.to(toy.Seat("green")) if hooks[0] == "asked" else ()

    game = toy.new().to_bytes()
    with toy.offered(**dict.fromkeys(hooks, spoiled_hook)), pytest.raises(adj.SetupError, match=words):
        adj.open(game).amend(["coins of red=77"], "no")


def test_what_follows_from_an_amendment_comes_after_it_in_the_record() -> None:
    """A car made to crash by the moderator loses its turn at once: first the amendment, then what follows from it."""
    race = adj.new("checkered-flag", ["red", "blue"], seed="7" * 64)
    (first,) = race.due_seats
    amended = race.amend([f"racers[{first}].lost=2"], "its crash was overlooked")
    events = toy.entries(amended)[-1]["events"]
    assert [event["kind"] for event in events] == ["amended", "turn-lost", "turn-passed"]
    assert events[0]["before"] == state(race)
    assert [one["lost"] for one in (racer_in(events[0]["after"], first), racer(amended, first))] == [2, 1]
    assert amended.due_seats != race.due_seats
    require_sound(amended)
    ended = toy.new(goal="50").amend(["coins of red=50"], "counted again")
    assert (ended.is_over, [event["kind"] for event in toy.entries(ended)[-1]["events"]]) == (True, ["amended", "game-over"])


def racer_in(position: dict[str, Any], seat: str) -> dict[str, Any]:
    return next(one for one in position["racers"] if one["seat"] == seat)


def test_what_the_program_has_computed_before_changes_no_amendment() -> None:
    """The plans of simulated players stay in the cache of the configuration: they are no words of the game."""
    game = adj.new("rally-round", ["red", "blue"], seed=7)
    adj.choose_order(game, game.due_seats[0], "greedy")
    amended = game.amend(["crews[blue].penalty=1800"], "a penalty was forgotten")
    assert [crew["penalty"] for crew in state(amended)["crews"]] == [0, 1800]


# Seats, secrets, reasons ---------------------------------------------------------------------------------------------


def test_a_seat_changes_hands(rally: adj.Game) -> None:
    handed = rally.hand_over("red", "Zoe", "Ann moved away")
    assert (handed.players, state(handed)) == ({"red": "Zoe", "blue": "Bob"}, state(rally))
    require_sound(handed)
    with pytest.raises(adj.CorrectionError):
        handed.hand_over("red", "Zoe", "twice")
    for holder in ("x" * 81, "half \ud800", "two\nlines"):
        with pytest.raises(adj.CorrectionError, match="80 characters of plain text"):
            rally.hand_over("red", holder, "moved")


def test_the_secret_is_not_published_before_the_end_unless_forced(rally: adj.Game) -> None:
    with pytest.raises(adj.CorrectionError, match="not over"):
        rally.reveal()
    revealed = rally.reveal(" asked for ", force=True)
    assert toy.entries(revealed)[-1]["events"] == [
        {"is_early": True, "kind": "secret-revealed", "reason": "asked for", "secret": "5" * 64}
    ]
    assert told(revealed) == f"the secret of chance is {'5' * 64}, published before the end: asked for"
    with pytest.raises(adj.CorrectionError, match="already"):
        revealed.reveal(force=True)
    require_sound(revealed)
    assert (rally.cautions, "all later draws" in revealed.undo(2, "back").cautions[0]) == ((), True)
    over = toy.new(goal="3").apply({"red": "ADD 3"}).game.reveal()
    assert (told(over), over.cautions) == (f"the secret of chance is {toy.SEED}", ())


@pytest.mark.parametrize("reason", ["", "  ", "x" * 401, "half \ud800", "two\nlines", "a \x1b[31m colour", "a\u2028b"])
def test_a_correction_has_a_reason_in_plain_text(rally: adj.Game, reason: str) -> None:
    calls: list[Callable[[], adj.Game]] = [
        lambda: rally.undo(1, reason),
        lambda: rally.amend(["clock of red=50"], reason),
        lambda: rally.hand_over("red", "Zoe", reason),
        lambda: rally.reveal(reason, force=True),
        lambda: waiting().withdraw("red", reason),
    ]
    for call in calls:
        with pytest.raises(adj.CorrectionError, match="a reason"):
            call()


def test_each_correction_has_a_text_in_the_record_and_a_sentence() -> None:
    """Published logs hold both, and audits compare them: a new wording would contradict logs sent before."""
    game = solo(1).amend(["coins of red=9"], "counted again").hand_over("red", "Zoe", "moved house")
    game = game.miss_deadline("red", "noon", "bot").take_holiday("red", "Monday", "Friday")
    game = with_word(game, "red", "cow").reveal("all may know", force=True).undo(1, "a slip")
    rows = [(row.order, row.told) for row in game.seen_by().log()[2:]]
    assert [(order, told[0]) for order, told in rows] == [
        ("AMEND", "the moderator set red's clock from 1 to 9: counted again"),
        ("SEAT red", "red is played by Zoe instead of nobody: moved house"),
        ("NMR red", "no orders of red had come by noon: a simulated player decides for it this time"),
        ("HOLIDAY red", "the player of red is away from Monday to Friday"),
        ("WORD cow", "red's word for chance: cow, mixed in from the next turn on"),
        ("REVEAL", f"the secret of chance is {toy.SEED}, published before the end: all may know"),
        ("UNDO to 1", "back to where the game stood after entry 1: a slip"),
    ]


UNDONE = {
    "journal[5].entry.events[0].to": 2,
    "journal[5].entry.order": "UNDO to 2",
    "state.purses[0].acts": 2,
    "state.purses[0].coins": 2,
}
TOLD = {"kind": "secret-revealed", "secret": toy.SEED, "is_early": True, "reason": "x"}


@pytest.mark.parametrize(
    ("call", "changes", "found"),
    [
        (lambda game: game.undo(1, "x").undo(0, "y"), UNDONE, (5, "events[0].to", "an entry that was not undone itself")),
        (
            lambda game: game.hand_over("red", "Zoe", "x"),
            *({"journal[4].entry.events[0].holder": ""}, (4, "events[0].holder", "somebody else")),
        ),
        (
            lambda game: game.reveal("x", force=True).hand_over("red", "Zoe", "x"),
            {"journal[5].entry.events": [TOLD], "journal[5].entry.order": "REVEAL"},
            (5, "events[0].secret", "nothing: it was published already"),
        ),
    ],
)
def test_forged_corrections_that_correct_nothing_are_found(
    call: Callable[[adj.Game], adj.Game], changes: dict[str, Any], found: tuple[int, str, str]
) -> None:
    divergence = adj.open(forge(spoiled(toy.document(call(solo(3))), changes))).audit().divergence
    assert divergence is not None
    assert (divergence.n, divergence.field, divergence.recomputed) == found


# Absences ------------------------------------------------------------------------------------------------------------

DUE = ("2026-03-02 20:00 UTC", "2026-03-05 20:00 UTC")


@pytest.fixture(params=[False, True], ids=["today", "as before November 2026"])
def absent(request: pytest.FixtureRequest) -> adj.Game:
    """Return a game in which red missed two deadlines and is away; in older files each of these took a turn number."""
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id="race", seed="ab" * 32)
    game = game.miss_deadline("red", DUE[0], "bot").miss_deadline("red", DUE[1], "drop")
    game = game.take_holiday("red", "2026-03-09", "2026-03-16")
    numbers = {f"journal[{n}].entry.turn": n for n in (1, 2, 3)} if request.param else {}
    return adj.open(forge(spoiled(toy.document(game), numbers)))


def test_everybody_reads_of_absences_and_nothing_of_the_position_changes(absent: adj.Game) -> None:
    rows = absent.seen_by().log()
    assert [row.order for row in rows][1:] == ["NMR red", "NMR red", "HOLIDAY red"]
    assert [row.told[0] for row in rows[1:]] == [
        f"no orders of red had come by {DUE[0]}: a simulated player decides for it this time",
        f"no orders of red had come by {DUE[1]} (2 deadlines missed in a row):"
        " a simulated player decides for it from now on",
        "the player of red is away from 2026-03-09 to 2026-03-16",
    ]
    undone = absent.undo(0, "back")
    assert (state(undone), [row.undone_by for row in undone.seen_by().log()]) == (state(absent), [None] * 5), (
        "they stay in the record"
    )
    passing = toy.new().miss_deadline("red", "noon", "default")
    assert told(passing) == "no orders of red had come by noon: it passes, or does what costs least"
    require_sound(absent)
    require_sound(undone)


def test_turns_go_on_as_if_nobody_had_been_absent(absent: adj.Game) -> None:
    took_numbers = toy.entries(absent)[1]["turn"] == 1
    seat = absent.due_seats[0]
    played = absent.apply(f"turn 1\n{seat}: GEAR 1")
    assert (absent.turn, played.problems, played.game.turn) == (1, (), 5 if took_numbers else 2)
    away = played.game.take_holiday("red", "today", "tomorrow")
    assert (away.turn, away.latest_turn) == (played.game.turn, played.game.latest_turn)
    assert away.undo(0, "back").turn == 1


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({f"journal[{n}].entry.turn": 5 for n in (2, 3)}, (2, "turn", "1")),
        ({"journal[1].entry.events[0].seat": "green"}, (1, "events[0].seat", "one of red blue")),
        ({"journal[3].entry.events[0].seat": "green"}, (3, "events[0].seat", "one of red blue")),
        ({"journal[1].entry.events[0].missed": 2}, (1, "events[0].missed", "1")),
        ({"journal[2].entry.events[0].missed": 3}, (2, "events[0].missed", "1 or 2")),
        ({"journal[1].entry.order": "NMR blue"}, (1, "order", "NMR red")),
    ],
)
def test_forged_absences_are_found(changes: dict[str, Any], found: tuple[int, str, str]) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id="race", seed="ab" * 32)
    game = game.miss_deadline("red", DUE[0], "bot").miss_deadline("red", DUE[1], "drop").take_holiday("red", "x", "y")
    divergence = adj.open(forge(spoiled(toy.document(game), changes))).audit().divergence
    assert divergence is not None
    assert (divergence.n, divergence.field) == found[:2]
    assert found[1] == "turn" or divergence.recomputed == found[2]


def test_absences_in_a_script_give_the_same_game_and_a_line_that_is_none_is_told(absent: adj.Game) -> None:
    script = absent.script(with_secret=True).text
    lines = [f"nmr red bot 1 by {DUE[0]}", f"nmr red drop 2 by {DUE[1]}", "holiday red 2026-03-09 to 2026-03-16"]
    assert [line in script.splitlines() for line in lines] == [True] * 3
    again = adj.play_script(script).game
    assert again is not None
    assert toy.document(again)["journal"] == toy.document(absent)["journal"]
    for line, hint in (
        ("nmr green bot 1 by noon", "`nmr red bot 1 by 2026-03-02 20:00 UTC`"),
        ("nmr red wait 1 by noon", "`nmr red bot 1 by 2026-03-02 20:00 UTC`"),
        ("holiday red next week", "`holiday red 2026-12-20 to 2027-01-03`"),
        ("holiday green today to tomorrow", "`holiday red 2026-12-20 to 2027-01-03`"),
    ):
        (problem, *_) = adj.play_script(script.replace(lines[0], line)).problems
        assert hint in problem.message


# The record of a player on a seat ------------------------------------------------------------------------------------

NOON = "Thursday 2026-03-05 20:00 UTC"


def recorded(*steps: Any, **more: Any) -> list[tuple[Any, ...]]:
    """Return player, has left, turns on time, missed and excused after steps: seats that act, or calls of the moderator."""
    game = adj.new("toy-coins", {"red": "Ann", "blue": "Bob"}, options={"mode": "together"})
    for step in steps:
        game = step(game) if callable(step) else game.apply(dict.fromkeys(step.split(), "ADD 1")).game
    return [(one.player, one.has_left, one.on_time, one.missed, one.excused) for one in records_of(game, **more)]


def missed(game: adj.Game) -> adj.Game:
    return game.miss_deadline("red", NOON, "bot")


def away(first: str, last: str) -> Callable[[adj.Game], adj.Game]:
    return lambda game: game.take_holiday("red", first, last)


def handed(to: str) -> Callable[[adj.Game], adj.Game]:
    return lambda game: game.hand_over("red", to, "x")


def back(game: adj.Game) -> adj.Game:
    return game.undo(2, "x")


@pytest.mark.parametrize(
    ("steps", "records"),
    [
        (["red blue", "red blue"], [("Ann", False, 2, 0, 0), ("Bob", False, 2, 0, 0)]),
        # The orders that are decided after a miss are not the player's.
        ([missed, "red blue", "red blue"], [("Ann", False, 1, 1, 0), ("Bob", False, 2, 0, 0)]),
        # A holiday excuses misses on its days if it was known before.
        ([away("2026-03-01", "2026-03-05"), missed, "red blue"], [("Ann", False, 0, 0, 1), ("Bob", False, 1, 0, 0)]),
        ([away("2026-03-01", "2026-03-04"), missed, "red blue"], [("Ann", False, 0, 1, 0), ("Bob", False, 1, 0, 0)]),
        ([missed, "red blue", away("2026-03-01", "2026-03-09")], [("Ann", False, 0, 1, 0), ("Bob", False, 1, 0, 0)]),
        # What an undo takes back does not count.
        (["red blue", missed, "red blue", back, "red blue"], [("Ann", False, 2, 0, 0), ("Bob", False, 2, 0, 0)]),
        # Who leaves before the end abandons the seat, unless the player comes back.
        (
            ["red blue", handed("a simulated player"), "red blue", handed("Cleo"), "red blue"],
            [("Ann", True, 1, 0, 0), ("Bob", False, 3, 0, 0), ("Cleo", False, 1, 0, 0)],
        ),
        (
            ["red blue", handed("Cleo"), "red blue", handed("Ann"), "red blue"],
            [("Ann", False, 2, 0, 0), ("Bob", False, 3, 0, 0), ("Cleo", True, 1, 0, 0)],
        ),
    ],
)  # fmt: skip
def test_what_a_player_has_done_on_a_seat(steps: list[Any], records: list[tuple[Any, ...]]) -> None:
    assert recorded(*steps) == records


def test_names_of_one_address_are_one_player() -> None:
    names = {("red", "Ann"): "ann@x", ("red", "Anne"): "ann@x"}
    found = recorded("red blue", handed("Anne"), "red blue", names=names)
    assert found == [("ann@x", False, 2, 0, 0), ("Bob", False, 2, 0, 0)]


def test_a_turn_counts_once_however_many_orders_it_has() -> None:
    game = toy.new("red").apply({"red": "ADD 1\nADD 2\nIF coins > 9 THEN ADD 1"}).game
    (one,) = records_of(game)
    assert (one.on_time, one.is_begun, one.is_over) == (1, True, False)
    assert [second.n - first.n for first, second in pairwise(game.seen_by("moderator").log())] == [1, 1, 1]
