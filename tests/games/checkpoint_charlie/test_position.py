"""Explicit positions and amendments: what can be, and what is refused with its reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.core.problem import SetupError
from adjudicator.games.checkpoint_charlie.components import Colour, Face, Trait
from adjudicator.games.checkpoint_charlie.orders import Accuse, Wait
from adjudicator.games.checkpoint_charlie.ruleset import RULESET
from adjudicator.games.checkpoint_charlie.state import Answer, Speech, Stage, Statement

SEATS = {
    "red": {"clue": "hat", "turned": "Viktor Boris", "markers": "G3a W1a"},
    "blue": {"clue": "glasses", "turned": "Emil", "accused": "Viktor"},
    "green": {"clue": "raincoat"},
}


def seats(**changes):
    return {seat: {**given, **changes.get(seat, {})} for seat, given in SEATS.items()}


def test_a_position_fills_what_is_not_said(scene):
    """Deck, bag and pool are what is nowhere else; the upper half has lost the cards shown."""
    state = scene(**seats(), public=(Face.GREY,)).state
    assert len(state.deck) == 29 and state.upper == 13
    assert (state.bag, state.cards) == ((Trait.NEWSPAPER,), ("Meridian",))
    assert len(state.pool) == 23
    assert (state.first, state.to_turn, state.accusations) == ("red", "red", ("blue",))
    assert (state.stage, state.window) == (Stage.WINDOW, 1)


def test_a_position_between_two_rounds_draws_counters(scene):
    """Without clues the round begins."""
    game = scene(red={"markers": "G3a"}, blue={}, green={}, round=3, first="green", outcomes="hat coat colour")
    assert game.state.stage is Stage.CLUES
    assert game.asked() == ["green", "red", "blue"]
    assert game.state.round == 3


def test_a_position_with_an_empty_deck_calls_for_accusations(scene, house):
    """All 32 cards have been turned."""
    names = [suspect.id for suspect in house.suspects]
    given = {
        seat: {"clue": clue, "turned": " ".join(names[n::3])}
        for n, (seat, clue) in enumerate({"red": "hat", "blue": "glasses", "green": "raincoat"}.items())
    }
    game = scene(**given, public=(Face.GREY, Face.NEWSPAPER), is_window=False)
    assert game.due() == [("red", "last-call")]


@pytest.mark.parametrize(
    ("seat", "fields", "message"),
    [
        ("red", {"turned": "", "row": ("Boris",)}, "Boris does not match the clue “hat”, so it is not in the row"),
        ("red", {"turned": "", "pile": ("Viktor",)}, "Viktor matches the clue “hat”, so it is not in the pile"),
        ("red", {"turned": "Viktor Boris Emil"}, "suspect Emil is in 2 places"),
        ("red", {"turned": "", "row": ("Nobody",)}, "there is no suspect Nobody in this game"),
        ("red", {"clue": "no_glasses", "turned": ""}, "clue counter glasses is in 2 places"),
        ("red", {"clue": None, "turned": ""}, "either every seat has a clue, or none has one yet"),
        ("red", {"accused": "Viktor"}, "Viktor is accused by 2 seats"),
        ("red", {"accused": "Nils"}, "Nils is accused, but has not been turned"),
        ("red", {"accused": "Boris"}, "once all but one have accused, the round is over"),
        ("red", {"markers": "G3a G3a"}, "marker G3a is in 2 places"),
        ("red", {"markers": "STASI"}, "there is no marker STASI in this game"),
        ("red", {"is_watched": True}, "nobody is watched, neither red: this game has no Stasi officer"),
    ],
)
def test_a_position_that_cannot_be_is_refused(scene, seat, fields, message):
    """With what is wrong, seat by seat."""
    with pytest.raises(SetupError) as error:
        scene(**seats(**{seat: fields}))
    assert any(message in problem.message for problem in error.value.problems), error.value
    assert {problem.code for problem in error.value.problems} == {"checkpoint-charlie/impossible-position"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"accusations": ("red",)}, "the order of accusing must name once each who has accused: blue"),
        ({"first": "yellow"}, "there is no seat yellow to begin the round"),
        ({"to_turn": "yellow"}, "there is no seat yellow to turn the next card"),
        ({"public": (Face.NO_HAT,)}, "clue counter hat is in 2 places"),
        ({"cards": ("Laces",)}, "investigator Laces is not in the deck: Colombini, Meridian can be"),
        ({"cards": ("Meridian", "Meridian")}, "an investigator card is in the deck twice"),
        ({"cards": ("Meridian",)}, "2 investigator cards are in the deck, or their public clues are on the table"),
        ({"round": 3, "options": {"rounds": "2"}}, "there are 2 rounds, this would be round 3"),
        ({"spent": ("G3a",)}, "marker G3a cannot have been exchanged"),
        ({"spent": ("WA",), "options": {"adler": "on"}}, "marker WA cannot have been exchanged"),
    ],
)
def test_a_table_that_cannot_be_is_refused(scene, given, message):
    """With what is wrong of the round, the deck and the counters."""
    with pytest.raises(SetupError) as error:
        scene(**{**seats(red={"markers": "W2a"}), **given})
    assert any(message in problem.message for problem in error.value.problems), error.value


def test_a_window_needs_a_card(scene):
    """Nobody is shown yet."""
    with pytest.raises(SetupError, match="a window opens after a card has been turned"):
        scene(red={"clue": "hat"}, blue={"clue": "glasses"}, green={"clue": "raincoat"})


def test_cards_come_after_the_clues(scene):
    with pytest.raises(SetupError, match="cards are turned only once the clue is laid"):
        scene(red={"row": ("Viktor",)}, blue={}, green={}, is_window=False)
    with pytest.raises(SetupError, match="a public clue comes after all clues are laid"):
        scene(red={}, blue={}, green={}, public=(Face.HAT,), is_window=False)


def test_a_window_needs_cards_in_the_deck(scene, house):
    names = [suspect.id for suspect in house.suspects]
    given = {"red": {"clue": "hat", "turned": " ".join(names)}, "blue": {"clue": "glasses"}, "green": {"clue": "raincoat"}}
    with pytest.raises(SetupError, match="no window opens after the last card"):
        scene(**given, public=(Face.GREY, Face.NEWSPAPER))


def test_the_stasi_marker_lies_in_the_pool(scene):
    with pytest.raises(SetupError, match="the Stasi marker is in the pool between two scoring phases"):
        scene(**seats(red={"markers": "STASI"}), options={"stasi": "on"})


def test_a_position_names_the_seats_of_the_game(position, house):
    from adjudicator.core.options import fill_options
    from adjudicator.core.ruleset import Player, Setup

    names = ("red", "blue", "yellow")
    placed = position({}, seats())
    setup = Setup(tuple(Player(name) for name in names), fill_options(RULESET.meta, names, {}), house, placed)
    with pytest.raises(SetupError, match="the position is for the seats red, blue, green"):
        RULESET.initial(RULESET.configure(setup))


# Amendments ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def game(scene):
    return scene(**seats(), public=(Face.GREY,))


def with_agent(state, seat, **changes):
    return state.with_agent(replace(state.agent(seat), **changes))


def test_an_amendment_is_put_in_order(game):
    """Bags are sorted, and the counter drawn is that of the clue."""
    state = game.state
    given = with_agent(replace(state, pool=state.pool[::-1], deck=state.deck[::-1], bag=("newspaper",)), "red", trait="coat")
    assert RULESET.validated_amendment(game.config, given) == state


def test_an_amendment_may_change_a_clue(game):
    """Green has no card yet: its clue can be another face, or another counter if that is free."""
    after = RULESET.validated_amendment(game.config, with_agent(game.state, "green", clue=Face.SWEATER))
    assert after.agent("green").clue is Face.SWEATER
    moved = replace(with_agent(game.state, "green", clue=Face.NEWSPAPER), bag=(Trait.COAT,))
    assert RULESET.validated_amendment(game.config, moved).agent("green").trait is Trait.NEWSPAPER


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda state: replace(state, agents=state.agents[::-1]), "the seats of a game cannot be amended"),
        (lambda state: replace(state, deck=state.deck[1:]), "suspect Anton: nowhere"),
        (lambda state: replace(state, deck=(*state.deck, "Viktor")), "suspect Viktor is in 2 places"),
        (lambda state: with_agent(state, "red", clue=Face.NO_HAT), "so it is not in the row"),
        (lambda state: with_agent(state, "green", clue=Face.GLASSES), "clue counter glasses is in 2 places"),
        (lambda state: with_agent(state, "green", clue=None), "everybody has laid a clue before the stage"),
        (lambda state: with_agent(state, "green", accused="Viktor"), "Viktor is accused by 2 seats"),
        (lambda state: with_agent(state, "green", accused="Boris"), "once each who has accused"),
        (lambda state: replace(state, pool=state.pool[1:]), "nowhere"),
        (lambda state: replace(state, spent=("G3a",)), "cannot have been exchanged"),
        (lambda state: replace(state, bag=()), "clue counter newspaper: nowhere"),
        (lambda state: replace(state, cards=()), "2 investigator cards are in the deck"),
        (lambda state: replace(state, cards=("Laces",)), "cannot have the investigator cards Laces"),
        (lambda state: replace(state, to_turn="yellow"), "there is no seat yellow to turn the next card"),
        (lambda state: replace(state, first=None), "there is no seat at all to begin the round"),
        (lambda state: replace(state, stage=Stage.DRAWING), "clue counters are drawn once"),
        (lambda state: replace(state, speaking=("yellow",)), "only seats can be asked"),
        (lambda state: with_agent(state, "blue", answer=Answer()), "blue: there is nothing to have answered"),
        (lambda state: with_agent(state, "red", answer=Answer("Nils")), "red: Nils has not been turned"),
        (
            lambda state: with_agent(state, "red", statement=Statement(Speech.PASS)),
            "red: there is nothing to have spoken to",
        ),
        (
            lambda state: replace(
                with_agent(with_agent(state, "green", accused="Boris"), "red", accused="Emil"),
                accusations=("blue", "green", "red"),
            ),
            "once all but one have accused, the round is over",
        ),
    ],
)
def test_an_amendment_that_cannot_be_is_refused(game, spoil, message):
    """With everything that would be wrong."""
    with pytest.raises(SetupError) as error:
        RULESET.validated_amendment(game.config, spoil(game.state))
    assert any(message in problem.message for problem in error.value.problems), error.value
    assert {problem.code for problem in error.value.problems} == {"checkpoint-charlie/impossible-amendment"}


def test_a_counter_that_was_tossed_cannot_go_back_into_the_bag(scene):
    """In a hearing there are five clues, or nobody would be the chief."""
    game = scene(**seats(red={"markers": "G5a G4a G4b"}), options={"adler": "on"})
    for seat, order in (("red", Accuse("Boris")), ("green", Wait())):
        game.do(seat, order, "grey newspaper G3b B0a B0b" if seat == "green" else "")
    assert game.state.stage is Stage.HEARING
    spoilt = replace(game.state, public=game.state.public[1:], bag=(Trait.COLOUR,))
    with pytest.raises(SetupError, match="all counters of the bag have been tossed for scoring"):
        RULESET.validated_amendment(game.config, spoilt)


def test_rounds_cannot_be_amended_past_the_last(scene):
    game = scene(**seats(), options={"rounds": "2"})
    with pytest.raises(SetupError, match="there are 2 rounds, no round 3"):
        RULESET.validated_amendment(game.config, replace(game.state, round=3))


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (Statement(Speech.SWAP), "a swap names a colour and a seat"),
        (Statement(Speech.SWAP, Colour.WHITE, "nobody"), "a swap names a colour and a seat"),
        (Statement(Speech.PASS, Colour.BLACK, "blue"), "only a swap names a colour and a seat"),
        (Statement(Speech.ANNOUNCE), "it takes 10 to announce"),
    ],
)
def test_a_statement_that_its_seat_could_not_have_made_is_refused(scene, statement, message):
    """Sealed as it is, it will be opened."""
    game = scene(**seats())
    state = replace(game.state, stage=Stage.HEARING, bag=(), speaking=("red", "blue"), to_turn=game.state.to_turn or "red")
    spoken = with_agent(state, "red", statement=statement)
    with pytest.raises(SetupError, match=message):
        RULESET.validated_amendment(game.config, spoken)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stage": Stage.LAST_CALL}, "the last call comes when the deck is empty"),
        ({"stage": Stage.SCORING}, "a round is scored when all but one have accused"),
    ],
)
def test_a_stage_that_has_not_come_yet_is_refused(scene, changes, message):
    """With suspects in the deck and nobody's accusation."""
    game = scene(**seats())
    state = replace(game.state, agents=tuple(replace(agent, accused=None) for agent in game.state.agents), accusations=())
    with pytest.raises(SetupError, match=message):
        RULESET.validated_amendment(game.config, replace(state, **changes))
