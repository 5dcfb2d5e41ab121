"""CC-S and CC-V: how a round begins, and what turning a card does."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from adjudicator.games.checkpoint_charlie.components import INVESTIGATORS, Face
from adjudicator.games.checkpoint_charlie.events import (
    CounterDrawn,
    FirstDrawn,
    InvestigatorTurned,
    RoundBegun,
    SuspectTurned,
    WindowOpened,
)
from adjudicator.games.checkpoint_charlie.orders import Accuse, Clue, Wait
from adjudicator.games.checkpoint_charlie.round import odds
from adjudicator.games.checkpoint_charlie.state import SEALED, Stage

FIVE = {"red": "hat", "blue": "glasses", "green": "raincoat", "yellow": "grey", "white": "newspaper"}


def five(**changes):
    seats = {seat: {"clue": clue} for seat, clue in FIVE.items()}
    for seat, more in changes.items():
        seats[seat].update(more)
    return seats


def test_cc_s1_the_first_player_is_drawn(deal):
    """Chance names the first player of round 1, who also turns first."""
    game = deal(3, "green hat coat colour")
    assert (game.state.first, game.state.to_turn) == ("green", "green")
    events = game.redacted(None)
    assert [type(event) for event in events[:2]] == [FirstDrawn, RoundBegun]
    assert [event.seat for event in events if isinstance(event, CounterDrawn)] == ["green", "red", "blue"]


@pytest.mark.parametrize(("accused", "first"), [("Viktor", "green"), ("Fleming", "blue")])
def test_cc_s1_who_caught_the_chief_begins_the_next_round(scene, accused, first):
    """Green catches Viktor and begins; if nobody does, blue begins again."""
    game = scene(
        **five(red={"turned": "Viktor Fleming Boris Olga Lotte", "accused": "Boris"}, blue={"turned": "Emil"}),
        first="blue",
        outcomes="Ivan",
    )
    for seat, order in {"blue": Accuse("Olga"), "yellow": Accuse("Lotte"), "white": Wait()}.items():
        game.do(seat, order)
    colour = "G3a" if accused == "Viktor" else "W1a"
    told = game.do("green", Accuse(accused), f"B0a {colour} B0b B0c B0d hat glasses coat colour newspaper")
    assert told.one(RoundBegun).first == first
    assert (game.state.round, game.state.first, game.state.to_turn) == (2, first, first)


def test_cc_s2_a_counter_is_drawn_unseen_and_its_face_chosen(deal):
    """Either face of the own counter, no other; the others see neither counter nor face."""
    game = deal(3, "red hat coat colour")
    assert game.due() == [("red", "clue"), ("blue", "clue"), ("green", "clue")]
    assert game.legal("blue") == [Clue("raincoat"), Clue("sweater")]
    assert game.wrong("blue", Clue("hat")) == ("not-on-counter", "CC-S2")
    game.do("blue", Clue("sweater"))
    assert game.agent("blue").clue is Face.SWEATER
    for viewer in ("red", None):
        assert (game.seen(viewer, "blue").clue, game.seen(viewer, "blue").trait) == (SEALED, None)
        assert (game.seen(viewer, "green").clue, game.seen(viewer, "green").trait) == (None, SEALED)
        assert [game.cell(viewer, seat, "answer") for seat in ("blue", "green")] == ["in", "awaited"]
        hidden = [event for event in game.redacted(viewer) if getattr(event, "seat", "") == "blue"]
        assert [getattr(event, "trait", None) or getattr(event, "face", None) for event in hidden] == [None, None]
    assert game.seen("blue", "blue").clue is Face.SWEATER
    assert game.wrong("blue", Clue("raincoat")) == ("answered-already", "CC-P1")


@pytest.mark.parametrize(("seats", "left"), [(3, 2), (4, 1), (5, 0)])
def test_cc_s2_counters_stay_in_the_bag(start, seats, left):
    """Two with three players, one with four."""
    assert len(start(seats, 3).state.bag) == left
    assert start(seats, 3).view(None).state.bag_size == left


@pytest.mark.parametrize(("seats", "cards"), [(3, INVESTIGATORS[3:]), (4, INVESTIGATORS[4:]), (5, ())])
def test_cc_s3_unused_investigators_are_in_the_upper_half(start, seats, cards):
    """Two with three players, one with four, none with five."""
    game = start(seats, 3)
    assert game.state.cards == cards
    assert len(game.deck) == 32
    upper = [name for name in odds(game.deck, cards) if name in cards]
    assert len(upper) * 16 == (len(odds(game.deck, cards)) - len(upper)) * len(cards)


def test_cc_s3_five_players_shuffle_all(start):
    """Each suspect is equally likely on top."""
    game = start(5, 3)
    assert Counter(odds(game.deck, game.state.cards)) == Counter(game.deck)


def chance_of(game, turned):
    """Return the exact chance that the next cards are as in ``turned`` (``None``: a suspect)."""
    deck, left = game.deck, game.state.cards
    chance = Fraction(1)
    for card in turned:
        cards = odds(deck, left)
        if card is None:
            count = sum(other in deck for other in cards)
            deck = deck[1:]
        else:
            count = cards.count(card)
            left = tuple(other for other in left if other != card)
        chance *= Fraction(count, len(cards))
    return chance


def test_cc_s3_one_card_is_anywhere_in_the_upper_half_alike(start):
    """Of the seventeen places in the upper half each is equally likely, none below."""
    game = start(4, 3)
    for place in range(17):
        assert chance_of(game, [None] * place + ["Meridian"]) == Fraction(1, 17)
    assert chance_of(game, [None] * 17) == 0


def test_cc_s3_two_cards_are_anywhere_in_the_upper_half_alike(start):
    """Of the pairs of places among eighteen each is equally likely, in either order."""
    game = start(3, 3)
    for one, other in combinations(range(18), 2):
        turned = [None] * (other + 1)
        for names in (("Colombini", "Meridian"), ("Meridian", "Colombini")):
            turned[one], turned[other] = names
            assert chance_of(game, turned) == Fraction(1, 18 * 17)


def test_cc_s3_every_suspect_is_alike_all_the_way(start):
    """The halves are made without looking: of the suspects not seen each is equally likely, in either half."""
    game = start(3, 3)
    deck, cards = game.deck, game.state.cards
    while deck or cards:
        counts = Counter(card for card in odds(deck, cards) if card in deck)
        assert len(set(counts.values())) <= 1
        assert not counts or set(counts) == set(deck)
        deck, cards = (deck[1:], cards) if counts else (deck, cards[1:])


def test_cc_s3_no_state_holds_an_order_of_the_deck(start):
    """The deck is a bag in the order of the component set, whatever the secret is."""
    assert start(3, 1).deck == start(3, 2).deck == tuple(start(3, 1).config.looks)


def test_cc_v1_matching_is_a_fact(deal):
    """A card that matches the own clue goes into the row, another onto the pile; then the next seat turns."""
    game = deal(3, "blue coat hat colour")  # blue coat, green hat, red colour
    for seat, clue in (("red", "grey"), ("green", "no_hat")):
        game.do(seat, Clue(clue))
    told = game.do("blue", Clue("raincoat"), "Boris")
    assert told.one(SuspectTurned) == SuspectTurned(seat="blue", suspect="Boris", is_match=False)
    assert (game.agent("blue").row, game.agent("blue").pile) == ((), ("Boris",))
    assert "Boris" not in game.deck
    for seat, draws in (("red", ""), ("blue", ""), ("green", "Pavel")):
        game.do(seat, Wait(), draws)
    assert game.agent("green").row == ("Pavel",)
    for seat, draws in (("red", ""), ("blue", ""), ("green", "Ursula")):
        game.do(seat, Wait(), draws)
    assert game.agent("red").pile == ("Ursula",)
    assert game.state.to_turn == "blue"


def test_cc_v1_public_clues_never_count_for_it(scene):
    """Red has a hat for its clue; that no glasses are public keeps Viktor with his glasses in the row."""
    game = scene(
        red={"clue": "hat"},
        blue={"clue": "raincoat"},
        green={"clue": "grey"},
        public=(Face.NO_GLASSES,),
        outcomes="Viktor",
    )
    assert game.agent("red").row == ("Viktor",)


def test_cc_v1_the_one_who_has_accused_turns_cards_too(scene):
    """Turning goes on for all."""
    game = scene(**five(red={"turned": "Boris", "accused": "Boris"}), to_turn="red", outcomes="Viktor")
    assert game.agent("red").row == ("Viktor",)


def test_cc_v2_an_investigator_card_gives_a_public_clue(scene):
    """A counter of the bag is tossed, a window opens, and the same player turns on."""
    seats = {"red": {"clue": "hat"}, "blue": {"clue": "raincoat"}, "green": {"clue": "grey"}}
    game = scene(**seats, to_turn="blue", outcomes="Meridian no_glasses")
    turned = [event for event in game.redacted(None) if isinstance(event, InvestigatorTurned)]
    assert turned == [InvestigatorTurned(seat="blue", card="Meridian", face=Face.NO_GLASSES)]
    assert game.state.public == (Face.NO_GLASSES,)
    assert game.state.bag == ("newspaper",)
    assert game.state.cards == ("Colombini",)
    assert game.state.stage is Stage.WINDOW
    assert game.state.to_turn == "blue"
    for seat, draws in (("red", ""), ("blue", ""), ("green", "Boris")):
        game.do(seat, Wait(), draws)
    assert game.agent("blue").pile == ("Boris",)


def test_cc_v2_the_toss_is_between_all_faces_in_the_bag(scene):
    """A counter by chance and a face by chance: each face of the bag is as likely."""
    seats = {"red": {"clue": "hat"}, "blue": {"clue": "raincoat"}, "green": {"clue": "grey"}}
    for face in ("glasses", "no_glasses", "newspaper", "no_newspaper"):
        game = scene(**seats, outcomes=f"Colombini {face}")
        assert game.view(None).state.public == (Face(face),)


def test_cc_v2_a_card_is_no_part_of_a_lap(scene):
    """With ``window=lap`` an investigator card opens a window, and the lap goes on where it was."""
    seats = {"red": {"clue": "hat"}, "blue": {"clue": "raincoat"}, "green": {"clue": "grey"}}
    game = scene(**seats, options={"window": "lap"}, outcomes="Boris Meridian glasses")
    assert game.state.window == 1
    for seat, draws in (("red", ""), ("green", ""), ("blue", "Viktor Emil")):
        game.do(seat, Wait(), draws)
    opened = [event.number for event in game.redacted(None) if isinstance(event, WindowOpened)]
    assert opened == [1, 2]
    assert game.state.to_turn == game.state.first == "red"
