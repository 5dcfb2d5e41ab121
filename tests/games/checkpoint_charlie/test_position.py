"""Explicit positions and amendments: what can be, and what is refused with its reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.core.problem import SetupError
from adjudicator.games.checkpoint_charlie.components import Colour, Face, Trait
from adjudicator.games.checkpoint_charlie.orders import Accuse, Wait
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.state import Accusation, Answer, Speech, Stage, Statement

SEATS = {
    "red": {"clue": "hat", "turned": "Viktor Boris", "markers": "G3a W1a"},
    "blue": {"clue": "glasses", "turned": "Emil", "accused": "Viktor"},
    "green": {"clue": "raincoat"},
}


def seats(**changes):
    return {seat: {**given, **changes.get(seat, {})} for seat, given in SEATS.items()}


def test_a_position_fills_what_is_not_said(scene):
    """Deck, bag and pool are what is nowhere else; the upper half has lost the cards shown."""
    game = scene(**seats(), public=(Face.GREY,))
    state = game.state
    assert len(game.deck) == 29
    assert (state.bag, state.cards) == ((Trait.NEWSPAPER,), ("Meridian",))
    assert len(game.pool) == 23
    assert (state.first, state.to_turn, state.accusations) == ("red", "red", (Accusation("blue", "Viktor"),))
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
    ("seat", "fields", "message", "rule"),
    [
        ("red", {"turned": "", "row": ("Boris",)}, "Boris does not match the clue “hat”, so it is not in the row", "CC-V1"),
        ("red", {"turned": "", "pile": ("Viktor",)}, "Viktor matches the clue “hat”, so it is not in the pile", "CC-V1"),
        ("red", {"turned": "Viktor Boris Emil"}, "suspect Emil is in 2 places", "CC-C1"),
        ("red", {"turned": "", "row": ("Nobody",)}, "there is no suspect Nobody in this game", "CC-C1"),
        ("red", {"clue": "no_glasses", "turned": ""}, "clue counter glasses is in 2 places", "CC-C2"),
        ("red", {"clue": None, "turned": ""}, "either every seat has a clue counter, or none has one yet", "CC-S2"),
        ("red", {"accused": "Viktor"}, "Viktor is accused by 2 seats", "CC-A1"),
        ("red", {"accused": "Nils"}, "Nils is accused, but has not been turned", "CC-A1"),
        ("red", {"accused": "Boris"}, "once all but one have accused, the round is over", "CC-A2"),
        ("red", {"markers": "G3a G3a"}, "marker G3a is in 2 places", "CC-C3"),
        ("red", {"markers": "STASI"}, "there is no marker STASI in this game", "CC-C3"),
        ("red", {"is_watched": True}, "red cannot be watched: this game has no Stasi officer", "CC-O1"),
    ],
)
def test_a_position_that_cannot_be_is_refused(scene, seat, fields, message, rule):
    """With what is wrong, seat by seat."""
    with pytest.raises(SetupError) as error:
        scene(**seats(**{seat: fields}))
    assert any(message in problem.message and problem.rule == rule for problem in error.value.problems), error.value
    assert {problem.code for problem in error.value.problems} == {"checkpoint-charlie/impossible-position"}


@pytest.mark.parametrize(
    ("given", "message", "rule"),
    [
        ({"accusations": ("red",)}, "the order of accusing must name once each who has accused: blue", "CC-A1"),
        ({"first": "yellow"}, "there is no seat yellow in this game", ""),
        ({"to_turn": "yellow"}, "no seat yellow", ""),
        ({"public": (Face.NO_HAT,)}, "clue counter hat is in 2 places", "CC-C2"),
        ({"cards": ("Laces",)}, "there is no spare investigator card Laces in this game", "CC-S3"),
        ({"cards": ("Meridian", "Meridian")}, "spare investigator card Meridian is in 2 places", "CC-S3"),
        ({"cards": ("Meridian",)}, "the investigator cards in the deck and the public clues are 2 together, not 1", "CC-S3"),
        ({"round": 3, "options": {"rounds": "2"}}, "there is no round 3: the game has 2 rounds", "CC-E1"),
        ({"spent": ("G3a",)}, "marker G3a cannot have been exchanged", "CC-O2"),
        ({"spent": ("WA",), "options": {"adler": "on"}}, "marker WA cannot have been exchanged", "CC-O2"),
    ],
)
def test_a_table_that_cannot_be_is_refused(scene, given, message, rule):
    """With what is wrong of the round, the deck and the counters."""
    with pytest.raises(SetupError) as error:
        scene(**{**seats(red={"markers": "W2a"}), **given})
    assert any(message in problem.message and problem.rule == rule for problem in error.value.problems), error.value


def test_a_window_needs_a_card(scene):
    """Nobody is shown yet."""
    with pytest.raises(SetupError, match="a window opens after a card has been turned"):
        scene(red={"clue": "hat"}, blue={"clue": "glasses"}, green={"clue": "raincoat"})


def test_cards_come_after_the_clues(scene):
    with pytest.raises(SetupError, match="once all clues"):
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
        RULESET.initial(RULESET.configure(setup, RULESET.meta.version))


# Amendments ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def game(scene):
    return scene(**seats(), public=(Face.GREY,))


def with_agent(state, seat, **changes):
    return state.with_agent(seat, **changes)


def accusing(state, *accusations):
    """Return ``state`` with these accusations, pairs of a seat and a suspect, in their order."""
    return replace(state, accusations=tuple(Accusation(*accusation) for accusation in accusations))


def test_an_amendment_is_put_in_order(game):
    """The counter drawn is that of the clue, cards and spent markers stand in the order of the set."""
    given = with_agent(game.state, "red", trait=Trait.COAT)
    assert RULESET.validated_amendment(game.config, given) == game.state


def test_what_lies_in_no_order_is_put_in_that_of_the_set(scene):
    game = scene(**seats(red={"markers": "WB WA"}), options={"adler": "on"}, spent=("WA", "WB"))
    given = with_agent(replace(game.state, cards=("Meridian", "Colombini")), "red", spent=("WB", "WA"))
    assert RULESET.validated_amendment(game.config, given) == game.state


def test_an_amendment_may_change_a_clue(game):
    """Green has no card yet: its clue can be another face, or another counter if that is free."""
    after = RULESET.validated_amendment(game.config, with_agent(game.state, "green", clue=Face.SWEATER))
    assert after.agent("green").clue is Face.SWEATER
    moved = RULESET.validated_amendment(game.config, with_agent(game.state, "green", clue=Face.NEWSPAPER))
    assert moved.agent("green").counter is Trait.NEWSPAPER
    assert moved.bag == (Trait.COAT,)


@pytest.mark.parametrize(
    ("spoil", "message", "rule"),
    [
        (lambda state: replace(state, agents=state.agents[::-1]), "cannot be amended", ""),
        (lambda state: with_agent(state, "green", pile=("Viktor",)), "suspect Viktor", "CC-C1"),
        (lambda state: with_agent(state, "red", row=("Viktor", "Viktor")), "suspect Viktor", "CC-C1"),
        (lambda state: with_agent(state, "green", pile=("Boriss",)), "no suspect Boriss", "CC-C1"),
        (lambda state: with_agent(state, "red", clue=Face.NO_HAT), "in the row", "CC-V1"),
        (lambda state: with_agent(state, "red", pile=("Boris", "Emil")), "Emil matches the clue “hat”", "CC-V1"),
        (lambda state: with_agent(state, "green", clue=Face.GLASSES), "counter glasses", "CC-C2"),
        (lambda state: replace(state, public=(Face.NO_HAT,)), "counter hat", "CC-C2"),
        (lambda state: with_agent(state, "green", clue=None), "comes after everybody has laid a clue", "CC-S2"),
        (lambda state: with_agent(state, "green", clue=None), "every seat", "CC-S2"),
        (lambda state: with_agent(state, "green", markers=("G3a",)), "marker G3a", "CC-C3"),
        (lambda state: with_agent(state, "green", markers=("G9",)), "no marker G9", "CC-C3"),
        (lambda state: with_agent(state, "red", spent=("G3a",)), "G3a cannot have", "CC-O2"),
        (lambda state: with_agent(state, "green", spent=("G4a",)), "G4a cannot have", "CC-O2"),
        (lambda state: accusing(state, ("blue", "Viktor"), ("green", "Viktor")), "accused by 2", "CC-A1"),
        (lambda state: accusing(state, ("green", "Nils")), "Nils is accused", "CC-A1"),
        (lambda state: accusing(state, ("green", "Boris"), ("green", "Emil")), "green has accused 2 times", "CC-A1"),
        (lambda state: accusing(state, ("yellow", "Boris")), "no seat yellow", ""),
        (
            lambda state: accusing(state, ("blue", "Viktor"), ("green", "Boris"), ("red", "Emil")),
            "all but one",
            "CC-A2",
        ),
        (
            lambda state: replace(state, cards=()),
            "are 2 together",
            "CC-S3",
        ),
        (lambda state: replace(state, cards=("Laces",)), "card Laces", "CC-S3"),
        (lambda state: replace(state, cards=("Meridian", "Meridian")), "card Meridian", "CC-S3"),
        (lambda state: replace(state, to_turn="yellow"), "no seat yellow", ""),
        (lambda state: replace(state, first=None), "a seat must begin the round (“first”)", "CC-S1"),
        (lambda state: replace(state, watched="red"), "cannot be watched", "CC-O1"),
        (lambda state: replace(state, watched="yellow"), "no seat yellow", ""),
        (lambda state: replace(state, stage=Stage.CLUES), "all clues", "CC-V1"),
        (lambda state: replace(state, stage=Stage.CLUES), "a public clue", "CC-V2"),
        (lambda state: replace(state, stage=Stage.OVER), "all counters of the bag have been tossed for scoring", "CC-K1"),
        (lambda state: replace(state, speaking=("yellow",)), "no seat yellow", ""),
        (lambda state: replace(state, speaking=("red",)), "players are heard when a round is scored", "CC-E1"),
        (
            lambda state: with_agent(state, "blue", answer=Answer()),
            "blue: there is no window",
            "CC-P1",
        ),
        (lambda state: with_agent(state, "red", answer=Answer("Nils")), "red: Nils has not been turned", "CC-A1"),
        (
            lambda state: with_agent(state, "red", answer=Answer("Boriss")),
            "red: there is no suspect Boriss in this game",
            "CC-C1",
        ),
        (
            lambda state: with_agent(state, "red", answer=Answer("Viktor", "XXXXXXXXXXXXXXXX")),
            "red: XXXXXXXXXXXXXXXX is not a valid time",
            "CC-P1",
        ),
        (
            lambda state: with_agent(state, "red", answer=Answer(None, "2026-11-20T18:05")),
            "red: only an accusation says when it was received",
            "CC-P1",
        ),
        (
            lambda state: with_agent(state, "red", statement=Statement(Speech.PASS)),
            "red: it has not been asked whether it has anything to say",
            "CC-E1",
        ),
    ],
)
def test_an_amendment_that_cannot_be_is_refused(game, spoil, message, rule):
    """With everything that would be wrong."""
    with pytest.raises(SetupError) as error:
        RULESET.validated_amendment(game.config, spoil(game.state))
    assert any(message in problem.message and problem.rule == rule for problem in error.value.problems), error.value
    assert {problem.code for problem in error.value.problems} == {"checkpoint-charlie/impossible-amendment"}


@pytest.mark.parametrize(
    ("spoil", "messages"),
    [
        (lambda state: with_agent(state, "green", pile=("Viktor",)), 2),
        (lambda state: with_agent(state, "green", markers=("G3a",)), 1),
        (lambda state: with_agent(state, "green", clue=Face.NO_HAT), 1),
    ],
)
def test_what_is_in_two_places_is_told_once_for_each_rule_it_breaks(game, spoil, messages):
    """Viktor has a raincoat as well: he can neither lie twice nor on green's pile."""
    with pytest.raises(SetupError) as error:
        RULESET.validated_amendment(game.config, spoil(game.state))
    assert len(error.value.problems) == messages


def test_what_is_sealed_may_be_amended_to_what_its_seat_could_say(game):
    given = with_agent(game.state, "red", answer=Answer("Boris", "2026-11-20T18:05"))
    assert RULESET.validated_amendment(game.config, given) == given


def test_a_counter_that_was_tossed_cannot_go_back_into_the_bag(scene):
    """In a hearing there are five clues, or nobody would be the chief."""
    game = scene(**seats(red={"markers": "G5a G4a G4b"}), options={"adler": "on"})
    for seat, order in (("red", Accuse("Boris")), ("green", Wait())):
        game.do(seat, order, "grey newspaper G3b B0a B0b" if seat == "green" else "")
    assert game.state.speaking
    spoilt = replace(game.state, public=game.state.public[1:])
    with pytest.raises(SetupError, match="tossed"):
        RULESET.validated_amendment(game.config, spoilt)


def test_rounds_cannot_be_amended_past_the_last(scene):
    game = scene(**seats(), options={"rounds": "2"})
    with pytest.raises(SetupError, match="no round 3"):
        RULESET.validated_amendment(game.config, replace(game.state, round=3))


@pytest.mark.parametrize(
    ("statement", "message", "rule"),
    [
        (Statement(Speech.SWAP), "a swap names a colour and a seat", "CC-O2"),
        (Statement(Speech.SWAP, Colour.WHITE, "nobody"), "red: there is no seat nobody in this game", ""),
        (Statement(Speech.SWAP, Colour.WHITE, "blue"), "no white Café Adler marker is in this game", "CC-O2"),
        (Statement(Speech.PASS, Colour.BLACK, "blue"), "only a swap names a colour and a seat", "CC-O2"),
        (Statement(Speech.ANNOUNCE), "announcing takes 10", "CC-E1"),
    ],
)
def test_a_statement_that_its_seat_could_not_have_made_is_refused(scene, statement, message, rule):
    """Sealed as it is, it will be opened."""
    game = scene(**seats(red={"markers": "G3a W1a W1b W1c"}, blue={"markers": "G4a"}))
    for seat, order in (("red", Accuse("Boris")), ("green", Wait())):
        game.do(seat, order, "grey newspaper G3b B0a B0b" if seat == "green" else "")
    assert game.asked() == ["red"]
    spoken = with_agent(game.state, "red", statement=statement)
    with pytest.raises(SetupError, match=message) as error:
        RULESET.validated_amendment(game.config, spoken)
    assert [problem.rule for problem in error.value.problems] == [rule]
    passed = with_agent(game.state, "red", statement=Statement(Speech.PASS))
    assert RULESET.validated_amendment(game.config, passed) == passed


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stage": Stage.LAST_CALL}, "the last call comes when the deck is empty"),
        ({"stage": Stage.SCORING}, "all but one"),
    ],
)
def test_a_stage_that_has_not_come_yet_is_refused(scene, changes, message):
    """With suspects in the deck and nobody's accusation."""
    game = scene(**seats())
    state = replace(game.state, accusations=())
    with pytest.raises(SetupError, match=message):
        RULESET.validated_amendment(game.config, replace(state, **changes))


def test_a_round_that_is_not_over_is_not_scored(scene):
    """CC-A2, once for all."""
    game = scene(**seats())
    with pytest.raises(SetupError) as error:
        RULESET.validated_amendment(game.config, replace(game.state, accusations=(), stage=Stage.SCORING))
    found = {problem.message: problem.rule for problem in error.value.problems}
    assert found["a round is scored when all but one have accused"] == "CC-A2"


@pytest.mark.parametrize(("drawn", "is_refused"), [(0, False), (1, True), (2, True), (3, False)])
def test_cc_s2_all_have_a_counter_or_none_has(scene, drawn, is_refused):
    """However many have one."""
    state = scene(red={}, blue={}, green={}, outcomes="hat coat colour").state
    for seat, trait in list(zip(("red", "blue", "green"), (Trait.HAT, Trait.COAT, Trait.COLOUR), strict=True)):
        state = with_agent(state, seat, trait=trait if drawn > ("red", "blue", "green").index(seat) else None)
    config = scene(red={}, blue={}, green={}, outcomes="hat coat colour").config
    if is_refused:
        with pytest.raises(SetupError, match="every seat"):
            RULESET.validated_amendment(config, state)
    else:
        assert RULESET.validated_amendment(config, state) == state


def test_cards_of_who_has_no_clue_are_not_held_against_it(scene):
    """What is wrong with them is told: that they were turned too early."""
    game = scene(red={}, blue={}, green={}, outcomes="hat coat colour")
    with pytest.raises(SetupError) as error:
        RULESET.validated_amendment(game.config, with_agent(game.state, "red", row=("Viktor",), pile=("Boris",)))
    assert [problem.message for problem in error.value.problems] == ["red: cards are turned only once all clues are laid"]


def turned(house, number):
    """Return three seats who have turned so many suspects between them."""
    names = [suspect.id for suspect in house.suspects[:number]]
    clues = {"red": "hat", "blue": "glasses", "green": "raincoat"}
    return {seat: {"clue": clue, "turned": " ".join(names[n::3])} for n, (seat, clue) in enumerate(clues.items())}


def test_investigator_cards_are_turned_with_the_upper_half(scene, house):
    """Sixteen suspects are in the lower half: above them a card can still be an investigator's, not among them."""
    assert scene(**turned(house, 16)).state.cards == ("Colombini", "Meridian")
    with pytest.raises(SetupError) as error:
        scene(**turned(house, 17))
    (problem,) = error.value.problems
    assert problem.rule == "CC-S3"
    assert problem.message.endswith("Colombini and Meridian with it: only 15 suspects are left")
