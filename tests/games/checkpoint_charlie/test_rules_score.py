"""CC-K and CC-E: chief, assistants, markers, the end of the game."""

from __future__ import annotations

import pytest

from adjudicator.core.event import Spent, total
from adjudicator.games.checkpoint_charlie.components import Colour, Face
from adjudicator.games.checkpoint_charlie.events import RoundBegun
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Pass, Wait
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.score_events import (
    AccusationJudged,
    ChiefNamed,
    ClueRevealed,
    CounterTossed,
    EndDeclared,
    GameEnded,
    MarkerDrawn,
    MarkerMissed,
    PointsAnnounced,
)
from adjudicator.games.checkpoint_charlie.state import Ending

FIVE = {"red": "hat", "blue": "glasses", "green": "raincoat", "yellow": "grey", "white": "newspaper"}
COUNTERS = "hat glasses coat colour newspaper"


def five(**changes):
    """Viktor is the chief; Emil, Ivan and Fleming are assistants, Igor matches three, Olga none."""
    seats = {seat: {"clue": clue} for seat, clue in FIVE.items()}
    seats["red"]["turned"], seats["blue"]["turned"] = "Viktor Emil Ivan", "Igor Fleming Olga"
    for seat, more in changes.items():
        seats[seat].update(more)
    return seats


def three(**changes):
    seats = {"red": {"clue": "hat"}, "blue": {"clue": "glasses"}, "green": {"clue": "raincoat"}}
    seats["red"]["turned"], seats["blue"]["turned"] = "Viktor Emil Ivan", "Igor Fleming Olga"
    for seat, more in changes.items():
        seats[seat].update(more)
    return seats


def judged(told):
    return [(event.seat, event.suspect, len(event.matched), event.colour) for event in told.of(AccusationJudged)]


def test_cc_k1_the_chief_matches_all_five_clues(scene):
    """All clues are revealed; who matches all of them is the chief, whether he was turned or not."""
    game = scene(**five(), options={"rounds": "1"})
    for seat, order in (("red", Wait()), ("blue", Accuse("Igor")), ("green", Accuse("Olga")), ("yellow", Accuse("Emil"))):
        game.do(seat, order)
    told = game.do("white", Accuse("Ivan"), "B0a B0b W1a W1b B0c")
    assert {event.seat: event.face for event in told.of(ClueRevealed)} == {seat: Face(clue) for seat, clue in FIVE.items()}
    assert told.one(ChiefNamed) == ChiefNamed(suspect="Viktor", is_shown=True)
    assert not told.of(CounterTossed)


def test_cc_k1_counters_left_in_the_bag_are_tossed(scene):
    """Three players, no investigator card turned: two tosses make five clues."""
    game = scene(**three(), options={"rounds": "1"})
    for seat, order in (("red", Wait()), ("blue", Accuse("Emil"))):
        game.do(seat, order)
    told = game.do("green", Accuse("Viktor"), "grey no_newspaper B0a W1a W1b")
    assert [event.face for event in told.of(CounterTossed)] == [Face.GREY, Face.NO_NEWSPAPER]
    assert told.one(ChiefNamed) == ChiefNamed(suspect="Bruno", is_shown=False)
    assert judged(told)[1] == ("green", "Viktor", 4, Colour.WHITE)
    assert len(game.state.public) == 2 and not game.state.bag


def test_cc_k1_a_public_clue_counts_as_any_other(scene):
    """With one public clue a single counter is tossed."""
    game = scene(**three(), public=(Face.ORANGE,), options={"rounds": "1"})
    game.do("red", Wait())
    game.do("blue", Accuse("Fleming"))
    told = game.do("green", Accuse("Viktor"), "newspaper G3a W1a B0a")
    assert told.one(CounterTossed).face is Face.NEWSPAPER
    assert judged(told)[:2] == [("blue", "Fleming", 5, Colour.GOLD), ("green", "Viktor", 4, Colour.WHITE)]


def test_cc_k2_case_5_4_4_3_and_one_late(scene):
    """Four accusers on 5, 4, 4 and 3 matches and one late: gold, white, white, black, black; the late one draws last."""
    game = scene(**five(), options={"rounds": "1"})
    for seat, suspect in (("red", "Viktor"), ("blue", "Emil"), ("green", "Ivan"), ("yellow", "Igor")):
        game.do(seat, Accuse(suspect))
    told = game.do("white", Wait(), "G5a W2a W1a B0a B1a")
    assert judged(told) == [
        ("red", "Viktor", 5, Colour.GOLD),
        ("blue", "Emil", 4, Colour.WHITE),
        ("green", "Ivan", 4, Colour.WHITE),
        ("yellow", "Igor", 3, Colour.BLACK),
        ("white", None, 0, Colour.BLACK),
    ]
    assert [event.seat for event in told.of(MarkerDrawn)] == ["red", "blue", "green", "yellow", "white"]
    assert [event.after for event in told.of(Spent)] == [5, 2, 1, 0, -1]


def test_cc_k2_case_the_chief_is_in_the_deck_still(scene):
    """The late one gets white."""
    seats = five()
    seats["red"]["turned"] = "Emil Ivan"
    game = scene(**seats, options={"rounds": "1"})
    for seat, suspect in (("red", "Fleming"), ("blue", "Emil"), ("green", "Ivan"), ("yellow", "Igor")):
        game.do(seat, Accuse(suspect))
    told = game.do("white", Wait(), "W2b W2a W1a B0a W1b")
    assert told.one(ChiefNamed).is_shown is False
    assert judged(told)[-1] == ("white", None, 0, Colour.WHITE)


def test_cc_k2_markers_are_drawn_in_the_order_of_accusing(scene):
    """Not of the seats: yellow accused first."""
    game = scene(
        **five(yellow={"accused": "Emil"}, red={"accused": "Ivan"}),
        accusations=("yellow", "red"),
        to_turn="white",
        options={"rounds": "1"},
    )
    for seat, order in (("blue", Accuse("Igor")), ("green", Wait())):
        game.do(seat, order)
    told = game.do("white", Accuse("Viktor"), "W1a W1b G3a B0a B0b")
    assert [event.seat for event in told.of(MarkerDrawn)] == ["yellow", "red", "white", "blue", "green"]


BLACK = "B0a B0b B0c B0d B1a B1b B1c"


def test_cc_k3_a_colour_that_has_run_out_gives_nothing(scene):
    """One black marker is left, for two: the one who accused draws it, the late one gets none, and the game ends."""
    game = scene(**five(green={"markers": BLACK}))
    for seat, suspect in (("red", "Viktor"), ("blue", "Emil"), ("green", "Ivan"), ("yellow", "Igor")):
        game.do(seat, Accuse(suspect))
    told = game.do("white", Wait(), "G5a W2a W1a B1d")
    assert told.one(MarkerMissed) == MarkerMissed(seat="white", colour=Colour.BLACK)
    assert game.agent("white").markers == ()
    assert told.one(EndDeclared).reason is Ending.COLOUR_OUT


def test_cc_k3_only_the_colour_shows(scene):
    """Values are known to their holder, and to all once the game is over."""
    game = scene(**five(red={"markers": "G4a"}, blue={"markers": "B1a W1a"}))
    for seat, suspect in (("red", "Viktor"), ("blue", "Emil"), ("green", "Ivan"), ("yellow", "Igor")):
        game.do(seat, Accuse(suspect))
    game.do("white", Wait(), f"G3a W2a W1b B0a B0b {COUNTERS}")
    assert game.seen("blue", "red").markers == (Colour.GOLD, Colour.GOLD)
    assert game.fact("blue", "points", "red") is None
    assert game.seen("blue", "blue").markers == ("B1a", "W1a", "W2a")
    assert game.fact("red", "points") == 7
    drawn = [event for event in game.redacted(None) if isinstance(event, MarkerDrawn)]
    assert [event.marker for event in drawn] == [None] * 5
    standings = RULESET.standings(game.config, game.state)
    assert [(item.place, item.seat, item.score, item.note) for item in standings] == [
        (1, "red", 0, "2 gold"),
        (2, "blue", 0, "2 white, 1 black"),
        (3, "green", 0, "1 white"),
        (4, "yellow", 0, "1 black"),
        (4, "white", 0, "1 black"),
    ]


def test_cc_k3_all_is_turned_over_at_the_end(scene):
    """The points of each marker, with its rule; the sums may be below 0."""
    game = scene(**five(white={"markers": "B1b"}), options={"rounds": "1"})
    for seat, suspect in (("red", "Viktor"), ("blue", "Emil"), ("green", "Ivan"), ("yellow", "Igor")):
        game.do(seat, Accuse(suspect))
    told = game.do("white", Wait(), "G5a W2a W1a B0a B1a")
    spent = {event.seat: event for event in told.of(Spent)}
    assert [(part.amount, part.what, part.rule) for part in spent["white"].why] == [(-1, "black", "CC-C3")] * 2
    assert all(event.before == 0 and event.after == total(event.why) for event in spent.values())
    assert game.seen(None, "white").markers == ("B1b", "B1a")
    assert [(item.seat, item.score) for item in RULESET.standings(game.config, game.state)][-1] == ("white", -2)


GOLDS = {"red": {"markers": "G5a W2a W2b"}}  # 9 points


def scored(game, draws):
    """Red catches the chief, the others go without: play to the end of the round."""
    for seat, suspect in (("red", "Viktor"), ("blue", "Emil"), ("green", "Ivan"), ("yellow", "Igor")):
        game.do(seat, Accuse(suspect))
    return game.do("white", Wait(), draws)


def test_cc_e1_ten_points_may_be_announced(scene):
    """Red has 12 and says so: the game ends after the round, and red wins."""
    game = scene(**five(**GOLDS))
    scored(game, "G3a W1a W1b B0a B0b")
    assert game.due() == [("red", "hearing")]
    told = game.do("red", Announce())
    assert told.one(PointsAnnounced).seat == "red"
    assert told.one(EndDeclared).reason is Ending.ANNOUNCED
    assert told.one(GameEnded).winners == ("red",)
    assert game.is_over()


def test_cc_e1_announcing_is_voluntary(scene):
    """Red keeps quiet: the next round begins, and nobody has learnt anything."""
    game = scene(**five(**GOLDS))
    scored(game, "G3a W1a W1b B0a B0b")
    told = game.do("red", Pass(), COUNTERS)
    assert told.one(RoundBegun).round == 2
    assert game.game.journal[-1].entry.order == "(sealed answer)"


def test_cc_e1_what_is_announced_is_verified(scene):
    """One gold and two white can be ten and are not: refused, and only red is told."""
    game = scene(**five(red={"markers": "G3b W1c W1d W1e"}))
    scored(game, "G3a W1a W1b B0a B0b")
    assert game.due() == [("red", "hearing")]
    assert game.wrong("red", Announce()) == ("too-few-points", "CC-E1")
    assert game.wrong("red", Wait()) == ("hearing-open", "CC-E1")
    assert game.wrong("blue", Pass()) == ("not-asked", "CC-P1")
    assert game.legal("red") == [Pass()]


@pytest.mark.parametrize(("markers", "is_asked"), [("G3b W1c", True), ("G3b", False), ("W1c W1d", False), ("", False)])
def test_cc_e1_whom_the_adjudicator_asks_is_public(scene, markers, is_asked):
    """Whoever could have ten by the colours: two gold and a white one can be 11; two gold or a gold and two white 9."""
    game = scene(**five(red={"markers": markers}))
    told = scored(game, f"G3a W1a W1b B0a B0b{'' if is_asked else ' ' + COUNTERS}")
    assert ("hearing-opened" in told.kinds) is is_asked
    assert game.config.points(game.agent("red").markers) < 10


def test_cc_e1_nobody_is_asked_to_announce_in_the_last_round(scene):
    """The game ends anyway."""
    game = scene(**five(**GOLDS), options={"rounds": "1"})
    told = scored(game, "G3a W1a W1b B0a B0b")
    assert told.one(EndDeclared).reason is Ending.LAST_ROUND
    assert game.is_over()


def test_cc_e1_a_colour_that_has_run_out_ends_the_game(scene):
    """The last gold marker is drawn in round 2."""
    game = scene(**five(blue={"markers": "G3a G3b"}, white={"markers": "G4a G4b"}), round=2)
    told = scored(game, "G5a W1a W1b B0a B0b")
    assert told.one(EndDeclared) == EndDeclared(reason=Ending.COLOUR_OUT)
    assert told.one(GameEnded).winners == ("white",)


@pytest.mark.parametrize("rounds", [1, 3, 5])
def test_cc_e1_the_last_round(scene, rounds):
    """Round five by default, fewer by option."""
    game = scene(**five(), options={"rounds": str(rounds)}, round=rounds)
    told = scored(game, "G5a W1a W1b B0a B0b")
    assert told.one(EndDeclared).reason is Ending.LAST_ROUND


def test_cc_e1_a_tie_goes_to_the_most_gold(scene):
    """Green and red have five points each; red's are of one gold marker."""
    game = scene(**five(green={"markers": "W2a W2b"}), options={"rounds": "1"})
    told = scored(game, "G5a W1a W1b B0a B0b")
    assert told.one(GameEnded).winners == ("red",)
    assert [(item.place, item.seat, item.score) for item in RULESET.standings(game.config, game.state)][:2] == [
        (1, "red", 5),
        (2, "green", 5),
    ]


def test_cc_e1_else_the_victory_is_shared(scene):
    """Blue has five points with one gold marker as well."""
    game = scene(**five(blue={"markers": "G3b"}), options={"rounds": "1"})
    told = scored(game, "G5a W2a W1b B0a B0b")
    assert told.one(GameEnded).winners == ("red", "blue")
    assert [item.place for item in RULESET.standings(game.config, game.state)] == [1, 1, 3, 4, 4]
    assert all(item.is_final for item in RULESET.standings(game.config, game.state))
