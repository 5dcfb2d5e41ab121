"""CC-O: the Stasi officer and Café Adler."""

from __future__ import annotations

import pytest

from adjudicator.core.event import Spent
from adjudicator.core.problem import SetupError
from adjudicator.games.checkpoint_charlie.board import table_of
from adjudicator.games.checkpoint_charlie.components import Colour, Face, MarkerId
from adjudicator.games.checkpoint_charlie.events import ClueOpened, RoundBegun
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Clue, Pass, Swap, Wait
from adjudicator.games.checkpoint_charlie.score_events import (
    EndDeclared,
    GameEnded,
    HearingOpened,
    MarkersSwapped,
    PointsAnnounced,
    StasiReturned,
    StasiShown,
    SwapVoid,
)
from adjudicator.games.checkpoint_charlie.state import SEALED, Ending

FIVE = {"red": "hat", "blue": "glasses", "green": "raincoat", "yellow": "grey", "white": "newspaper"}
COUNTERS = "hat glasses coat colour newspaper"
STASI = {"stasi": "on"}
ADLER = {"adler": "on"}


def five(**changes):
    """Viktor is the chief; Emil and Ivan are assistants, Igor matches three."""
    seats = {seat: {"clue": clue} for seat, clue in FIVE.items()}
    seats["red"]["turned"], seats["blue"]["turned"] = "Viktor Emil Ivan", "Igor Fleming Olga"
    for seat, more in changes.items():
        seats[seat].update(more)
    return seats


def scored(game, draws):
    """Red catches the chief, blue and green an assistant, yellow and white get black: play to the end of the round."""
    for seat, suspect in (("red", "Viktor"), ("blue", "Emil"), ("green", "Ivan"), ("yellow", "Igor")):
        game.do(seat, Accuse(suspect))
    return game.do("white", Wait(), draws)


# The Stasi officer ---------------------------------------------------------------------------------------------------


def test_cc_o1_who_draws_the_stasi_marker_shows_it_and_returns_it(scene):
    """It goes back when all have drawn, and the next round is played with an open clue."""
    game = scene(**five(), options=STASI)
    told = scored(game, f"G3a W1a W1b STASI B0a {COUNTERS}")
    assert told.kinds.index("stasi-shown") < told.kinds.index("stasi-returned")
    assert told.one(StasiShown) == StasiShown(seat="yellow", marker="STASI")
    assert told.one(StasiReturned) == StasiReturned(seat="yellow", marker="STASI")
    assert told.kinds.index("stasi-returned") > max(n for n, kind in enumerate(told.kinds) if kind == "marker-drawn")
    assert "STASI" in game.pool
    assert game.agent("yellow").markers == ()
    assert game.state.watched == "yellow"


def test_cc_o1_an_open_clue_is_seen_by_all(scene):
    """For one round: it is opened once all have chosen, and the facts of others know it then."""
    game = scene(**five(), options=STASI)
    scored(game, f"G3a W1a W1b STASI B0a {COUNTERS}")
    for seat, face in (("red", "hat"), ("blue", "glasses"), ("green", "raincoat"), ("yellow", "orange")):
        game.do(seat, Clue(face))
    told = game.do("white", Clue("newspaper"), "Viktor")
    assert told.kinds[:3] == ["clue-chosen", "clue-opened", "deck-ready"]
    assert told.one(ClueOpened) == ClueOpened(seat="yellow", face=Face.ORANGE)
    assert told.one(ClueOpened) in game.redacted("red") and told.one(ClueOpened) in game.redacted(None)
    assert game.seen(None, "yellow").clue is Face.ORANGE
    assert game.seen(None, "green").clue == SEALED
    assert game.fact("red", "clue", "Colombini") == "orange"
    assert game.fact("red", "clue", "Lansbury") is None


def test_cc_o1_the_officer_leaves_before_scoring(scene):
    """Yellow is watched for one round only."""
    game = scene(**five(yellow={"is_watched": True}), options=STASI)
    told = scored(game, f"G3a W1a W1b B0b B0a {COUNTERS}")
    assert told.one(RoundBegun).round == 2
    assert game.state.watched is None


def test_cc_o1_drawn_in_the_last_scoring_it_stays(scene):
    """It is worth −2."""
    game = scene(**five(), options={**STASI, "rounds": "1"})
    told = scored(game, "G3a W1a W1b STASI B0a")
    assert told.one(StasiShown).seat == "yellow"
    assert not told.of(StasiReturned)
    (spent,) = [event for event in told.of(Spent) if event.seat == "yellow"]
    assert [(part.amount, part.what, part.rule) for part in spent.why] == [(-2, "Stasi officer", "CC-O1")]
    assert spent.after == -2


BLACK = "B0a B0b B0c B0d B1b B1c"


def test_cc_o1_back_in_the_pool_it_counts_as_not_run_out(scene):
    """Ruling: yellow and white draw the last two black markers, one of them the Stasi's: the game goes on."""
    game = scene(**five(green={"markers": BLACK}), options=STASI)
    told = scored(game, f"G3a W1a W1b STASI B1d {COUNTERS}")
    assert not told.of(EndDeclared)
    assert told.one(RoundBegun).round == 2
    assert [marker for marker in game.pool if game.config.markers[marker].colour is Colour.BLACK] == ["STASI"]


@pytest.mark.parametrize(("white", "points"), [("W2a W1c", 10), ("W1d W1c", 9)])
def test_cc_o1_an_announcer_s_own_counts(scene, white, points):
    """Ruling: the Stasi marker that yellow has just drawn takes off two points of those that can be announced."""
    game = scene(**five(yellow={"markers": f"G5a G4a {white}"}), options=STASI)
    scored(game, "G3a W1a W1b STASI B0a")
    assert game.asked() == ["yellow"]
    assert game.fact("yellow", "points") == points
    assert game.allows("yellow", Announce()) is (points >= 10)


def test_cc_o1_by_the_colours_it_counts_as_well(scene):
    """Yellow can have 11 points at most, less 2 as all can see: there is nothing to ask."""
    game = scene(**five(yellow={"markers": "G5a G4a W2a"}), options=STASI)
    assert "hearing-opened" not in scored(game, f"G3a W1a W1b STASI B0a {COUNTERS}").kinds


def test_cc_o1_it_stays_when_ten_points_are_announced(scene):
    """That scoring was the last: yellow keeps the Stasi marker."""
    game = scene(**five(red={"markers": "G5a G4a"}), options=STASI)
    scored(game, "G3a W1a W1b STASI B0a")
    told = game.do("red", Announce())
    assert told.one(EndDeclared).reason is Ending.ANNOUNCED
    assert not told.of(StasiReturned)
    assert game.config.points(game.agent("yellow").markers) == -2
    assert told.one(GameEnded).winners == ("red",)


def test_cc_o1_while_it_lies_open_all_see_it(scene):
    """In the scoring phase everybody knows who holds it, and what it takes off."""
    game = scene(**five(red={"markers": "G5a G4a"}), options=STASI)
    scored(game, "G3a W1a W1b STASI B0a")
    assert ("Stasi officer", "with Colombini (yellow)") in table_of(game.config, game.view(None)).places[0].rows
    assert game.seen(None, "yellow").markers == ("STASI",)
    assert game.fact(None, "markers", "yellow") == 1
    assert game.fact(None, "points", "yellow") is None


def test_cc_o1_without_the_option_there_is_none(scene):
    """The marker it replaces is in the game instead."""
    game = scene(**five())
    assert "STASI" not in game.config.markers
    assert "B1a" in game.pool


# Café Adler ----------------------------------------------------------------------------------------------------------


def test_cc_o2_it_may_be_swapped_on_drawing_it(scene):
    """Blue names colour and player, chance picks among that player's markers of the colour; both learn what they got."""
    game = scene(**five(green={"markers": "W2a W1c G4a"}), options=ADLER)
    scored(game, "G3b WA W2b B0a B0b")
    assert game.legal("blue") == [Pass(), Swap("white", "Britton")]
    for seat in ("red", "green", "yellow", "white"):
        if seat in game.asked():
            game.do(seat, Pass())
    told = game.do("blue", Swap("white", "Britton"), "W2a")
    swapped = MarkersSwapped(seat="blue", other="green", colour=Colour.WHITE, given=MarkerId("WA"), taken=MarkerId("W2a"))
    assert told.one(MarkersSwapped) == swapped
    assert game.agent("blue").markers == ("W2a",)
    assert game.agent("green").markers == ("WA", "W1c", "G4a", "W2b")
    assert game.spent == {"WA"}
    assert swapped in game.redacted("green") and swapped in game.redacted("blue")
    hidden = MarkersSwapped(seat="blue", other="green", colour=Colour.WHITE, given=None, taken=None)
    assert hidden in game.redacted("red") and hidden in game.redacted(None)


def test_cc_o2_it_may_be_swapped_later(scene):
    """Blue has held it for a round."""
    game = scene(**five(blue={"markers": "WA"}, green={"markers": "W2a"}), options=ADLER, round=2)
    scored(game, "G3b W1c W2b B0a B0b")
    assert Swap("white", "Britton") in game.legal("blue")
    assert Swap("white", "red") not in game.legal("blue")
    assert game.wrong("blue", Swap("white", "red")) == ("nothing-to-exchange", "CC-O2")


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Swap("gold", "Laces"), "no-adler-held"),
        (Swap("white", "Lansbury"), "own-markers"),
        (Swap("white", "blue"), "own-markers"),
        (Swap("white", "Laces"), "nothing-to-exchange"),
        (Swap("white", "Colombini"), "nothing-to-exchange"),
    ],
)
def test_cc_o2_what_cannot_be_swapped(scene, order, code):
    """Only an own Café Adler marker, for another player's of the same colour."""
    game = scene(**five(), options=ADLER)
    scored(game, "G3b WA W2b B0a B0b")
    assert game.wrong("blue", order) == (code, "CC-O2")


def test_cc_o2_the_receiver_can_swap_it_no_more(scene):
    """Green got blue's marker: it is spent, though green is asked, since nobody else knows which green holds."""
    game = scene(**five(blue={"markers": "WA"}, green={"markers": "WB"}), options=ADLER, round=2)
    scored(game, "G3b W1c W2b B0a B0b")
    for seat in [seat for seat in game.asked() if seat != "blue"]:
        game.do(seat, Pass())
    told = game.do("blue", Swap("white", "Britton"), "W2b")
    assert told.one(HearingOpened).seats
    assert game.spent == {"WA"}
    assert game.agent("green").markers == ("WB", "WA")
    assert game.wrong("blue", Swap("white", "Britton")) == ("no-adler-held", "CC-O2")
    assert Swap("white", "Lansbury") in game.legal("green")  # WB is its own still


def test_cc_o2_two_exchanged_for_each_other_are_both_spent(scene):
    """Ruling: blue's Adler goes for green's, and neither can be exchanged again; green's own order comes to nothing."""
    game = scene(**five(blue={"markers": "WA"}, green={"markers": "WB"}), options=ADLER, round=2)
    scored(game, "G3b W1c W2b B0a B0b")
    for seat in [seat for seat in game.asked() if seat not in ("blue", "green")]:
        game.do(seat, Pass())
    game.do("green", Swap("white", "Lansbury"))
    told = game.do("blue", Swap("white", "Britton"), "WB")
    assert told.one(MarkersSwapped).taken == "WB"
    assert told.one(SwapVoid).seat == "green"
    assert game.spent == {"WA", "WB"}
    assert told.one(HearingOpened).seats == ("yellow", "white")  # for black: all see that white has no other
    assert game.wrong("blue", Swap("white", "green"))[0] == "not-asked"


def test_cc_o2_swapped_or_not_it_is_worth_what_it_replaced(scene):
    """Ruling: gold 3, white 1, black −1, for whoever holds it in the end."""
    game = scene(**five(blue={"markers": "GA WA BA"}), options={**ADLER, "rounds": "1"})
    told = scored(game, "G3b W1c W2b B0a B0b")
    for seat in game.asked():
        told = game.do(seat, Pass())
    (spent,) = [event for event in told.of(Spent) if event.seat == "blue"]
    assert [(part.amount, part.what, part.rule) for part in spent.why] == [
        (3, "gold Café Adler", "CC-O2"),
        (1, "white Café Adler", "CC-O2"),
        (-1, "black Café Adler", "CC-O2"),
        (1, "white", "CC-C3"),
    ]


def test_cc_o2_there_is_a_window_to_swap_after_the_last_scoring(scene):
    """Nobody can announce any more, but Café Adler markers can be swapped before all is turned over."""
    game = scene(**five(blue={"markers": "WA"}), options={**ADLER, "rounds": "1"})
    told = scored(game, "G3b W1c W2b B0a B0b")
    assert told.one(EndDeclared).reason is Ending.LAST_ROUND
    assert game.wrong("blue", Announce()) == ("ends-anyway", "CC-E1")
    for seat in [seat for seat in game.asked() if seat != "blue"]:
        game.do(seat, Pass())
    told = game.do("blue", Swap("white", "Britton"), "W2b")
    assert game.agent("blue").markers == ("W2b", "W1c")
    for seat in game.asked():
        told = game.do(seat, Pass())
    assert told.one(GameEnded)


def test_cc_o2_the_stasi_marker_is_not_exchanged(scene):
    """Ruling: it lies open, and an exchange is of unseen markers: yellow has no other black one."""
    game = scene(**five(blue={"markers": "BA"}, white={"markers": "B0b"}), options={**ADLER, **STASI})
    scored(game, "G3b W1c W2b STASI B0a")
    assert game.wrong("blue", Swap("black", "Colombini")) == ("nothing-to-exchange", "CC-O2")
    assert Swap("black", "Meridian") in game.legal("blue")


def test_cc_o2_announcements_come_before_exchanges(scene):
    """Ruling: red announces, blue swaps with red: red's points counted as they lay; then those left may swap."""
    game = scene(**five(red={"markers": "G5a G4a W2a"}, blue={"markers": "GA"}), options=ADLER, round=2)
    scored(game, "G3b W1c W2b B0a B0b")
    game.do("red", Announce())
    for seat in [seat for seat in game.asked() if seat != "blue"]:
        game.do(seat, Pass())
    told = game.do("blue", Swap("gold", "Laces"), "G5a")
    kinds = [kind for kind in told.kinds if kind in ("points-announced", "end-declared", "markers-swapped")]
    assert kinds == ["points-announced", "end-declared", "markers-swapped"]
    assert told.one(PointsAnnounced).seat == "red"
    assert game.agent("red").markers == ("GA", "G4a", "W2a", "G3b")


def test_cc_o2_after_an_announcement_one_may_swap(scene):
    """Ruling: red announces and is asked once more, with nothing left but to swap."""
    game = scene(**five(red={"markers": "GA G4a W2a"}, blue={"markers": "G5a"}), options=ADLER, round=2)
    scored(game, "G3b W1c W2b B0a B0b")
    for seat in [seat for seat in game.asked() if seat != "red"]:
        game.do(seat, Pass())
    told = game.do("red", Announce())
    assert told.one(HearingOpened).seats and not told.of(GameEnded)
    assert game.wrong("red", Announce()) == ("ends-anyway", "CC-E1")
    assert Swap("gold", "Lansbury") in game.legal("red")


def test_cc_o2_after_a_swap_one_may_announce(scene):
    """Blue swaps its way to ten points, is asked again, and announces."""
    game = scene(**five(red={"markers": "G5a"}, blue={"markers": "GA G4a W2a"}), options=ADLER, round=2)
    scored(game, "G3b W1c W2b B0a B0b")
    before = game.config.points(game.agent("blue").markers)
    assert before == 10
    for seat in [seat for seat in game.asked() if seat != "blue"]:
        game.do(seat, Pass())
    game.do("blue", Swap("gold", "Laces"), "G5a")
    assert "blue" in game.asked()
    assert game.allows("blue", Announce())


def test_cc_o2_exchanges_go_in_the_order_of_drawing(scene):
    """Green accused first, so green's exchange comes first, though blue sits before it."""
    seats = five(green={"accused": "Ivan", "markers": "WA"}, blue={"markers": "WB"}, red={"accused": "Viktor"})
    game = scene(**seats, accusations=("green", "red"), options=ADLER, round=2)
    for seat, order in (("blue", Accuse("Emil")), ("yellow", Accuse("Igor"))):
        game.do(seat, order)
    game.do("white", Wait(), "W1c G3b W2b B0a B0b")
    for seat in [seat for seat in game.asked() if seat not in ("blue", "green")]:
        game.do(seat, Pass())
    game.do("blue", Swap("white", "Britton"))
    told = game.do("green", Swap("white", "Lansbury"), "W2b W1c")
    swaps = told.of(MarkersSwapped)
    assert [(event.seat, event.given, event.taken) for event in swaps] == [("green", "WA", "W2b"), ("blue", "WB", "W1c")]


def test_cc_o2_whom_the_adjudicator_asks_is_public(scene):
    """All with a colour of which an Adler may be about, and somebody to swap with; not by what they hold."""
    asked = []
    for markers in ("WA", "W1c", "W2c"):
        game = scene(**five(blue={"markers": markers}), options=ADLER)
        told = scored(game, "G3b W1d W2b B0a B0b")
        asked.append(told.one(HearingOpened).seats)
    assert asked == [("blue", "green", "yellow", "white")] * 3  # red alone has gold


def test_cc_o2_once_both_are_swapped_nobody_is_asked_for_white(scene):
    """What all have seen counts: two exchanges of white, none of black."""
    game = scene(
        **five(blue={"markers": "WA"}, green={"markers": "WB"}),
        options=ADLER,
        spent=("WA", "WB"),
        swaps=("white", "white"),
    )
    assert scored(game, "G3b W1d W2b B0a B0b").one(HearingOpened).seats == ("yellow", "white")


def test_cc_o1_two_seats_are_never_watched(scene):
    """There is one officer."""
    with pytest.raises(SetupError, match="watches one seat"):
        scene(**five(yellow={"is_watched": True}, red={"is_watched": True}), options=STASI)


def test_cc_o1_who_is_watched_is_told_while_clues_are_asked_for(scene):
    """Before anybody chooses: the table says whom the officer is with, the question that the clue will lie open."""
    seats = {seat: {"clue": None, "turned": ""} for seat in ("red", "blue", "green", "yellow", "white")}
    seats["yellow"]["is_watched"] = True
    game = scene(**seats, options=STASI, outcomes="hat glasses coat colour newspaper")
    asked = {decision.seat: decision for decision in game.rules.awaiting(game.config, game.state)}
    assert asked["yellow"].rule == "CC-O1"
    assert "will lie open" in asked["yellow"].ask
    assert "lie open" not in asked["red"].ask
    drawn = table_of(game.config, game.view("red"))
    assert ("Stasi officer", "with Colombini (yellow)") in drawn.places[0].rows
