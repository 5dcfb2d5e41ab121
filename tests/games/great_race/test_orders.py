"""Orders in the words of players, and what they are read as."""

from __future__ import annotations

import pytest

from adjudicator.core.bounds import Len
from adjudicator.core.frozen import hints_of
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import Components
from adjudicator.games.great_race.orders import CARDS, Play
from adjudicator.games.great_race.rules import RULESET
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import reader
from adjudicator.testing.orders import read

WRITTEN = {
    "PLAN scout 1, mechanics 2 and escort 2": "PLAN scouts 1 mechanics 2 escort 2",
    "plan 2 scouts and 3 mechanics": "PLAN scouts 2 mechanics 3",
    "drive k4 then k5": "DRIVE K4 K5",
    "drive k4, k5 and k6 using ranger and guide": "DRIVE K4 K5 K6 using ranger, caravan",
    "drive to k4 -> k5 -> Tamanrasset": "DRIVE K4 K5 Tamanrasset",
    "drive k4 losing engine 1 and chassis 2": "DRIVE K4 losing engine 1 chassis 2",
    "drive k4 lose chassis with a jerry can": "DRIVE K4 losing chassis using jerrycan",
    "drive k4 using jerry cans and escort at k4": "DRIVE K4 using jerrycan, escort at K4",
    "drive by boat to Cairo with transport cards 2": "DRIVE sea Cairo using transport 2",
    "drive k4 k5 using ranger at k5, escort at k5, ranger at k4, ranger, ranger": (
        "DRIVE K4 K5 using escort at K5, ranger, ranger at K4, ranger at K5"
    ),
    "drive k4 using no help": "DRIVE K4 using nothing",
    "scout tiles first k4 then k5": "SCOUT tiles first K4 then K5",
    "scout tiles k4 and k5": "SCOUT tiles K4 K5",
    "play cheater swap m2 and k4": "PLAY Cheater swap K4 with M2",
    "repair engine 2 and chassis 1 using parts 2 and toolbox and buy 1": (
        "REPAIR engine 2 chassis 1 using parts 2 toolbox 1 buy 1"
    ),
    "lay sand to k4": "LAY sand at K4",
    "pay engine 1 and chassis 1 using ranger": "PAY engine 1 chassis 1 using ranger",
    "play saboteur on blue, engine 1 and chassis 1": "PLAY Saboteur on blue engine 1 chassis 1",
    "use the pilot k4 k5": "PLAY Driver K4 K5",
    "play geographer": "PLAY Cartographer",
    "discard guide and tool box": "DISCARD Caravan, Toolbox",
    "keep toolbox, ranger": "KEEP Ranger, Toolbox",
    "react danger with escort and ranger": "REACT danger with escort, ranger",
    "ask": "REACT danger ask",
    "react tiles only if parts over 2": "REACT tiles with escort, ranger only if parts > 2",
    "buy 3 levels of fuel": "BUY fuel 3",
    "buy 3 petrol": "BUY fuel 3",
    "go back": "BACK",
    "let it happen": "ACCEPT",
    "cancel with a ranger": "CANCEL with ranger",
}


@pytest.mark.parametrize("written", WRITTEN)
def test_an_order_is_read_in_the_words_of_players(written):
    order = read(RULESET, written)
    assert (None if order is None else RULESET.language.text(order)) == WRITTEN[written]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("PLAY Sabotuer on blue", "PLAY Saboteur on blue"),
        ("PLAY Sabateur on blue engine 1 chassis 1", "PLAY Saboteur on blue engine 1 chassis 1"),
        ("PLAY Trakcer remove K7", "PLAY Tracker remove K7"),
        ("PLAY Cheeter swap K4 with M2", "PLAY Cheater swap K4 with M2"),
        ("PLAY Cartografer first K4 then K5", "PLAY Cartographer first K4 then K5"),
        ("PLAY Drivr K4 K5", "PLAY Driver K4 K5"),
        ("PLAY Mecanic engine 1 using parts 1", "PLAY Mechanic engine 1 using parts 1"),
        ("PLAY Jerycan", "PLAY Jerrycan"),
        ("PLAY Tolbox", "PLAY Toolbox"),
        ("PLAY Trail hunter kepping Ranger", "PLAY Trail hunter keeping Ranger"),
    ],
)
def test_of_a_misspelled_card_the_card_is_suggested_and_not_the_rest_of_the_line(written, meant):
    """What follows is that of the card that was meant; the fault is told where it is."""
    found = reader(RULESET).read(written)
    assert isinstance(found, LineProblem)
    assert found.problem.suggestions == (meant,)
    at = next(at for at, (one, other) in enumerate(zip(written, meant, strict=False)) if one != other)
    assert found.column <= at + 1 < found.column + found.width + 1


def test_an_unknown_card_or_group_of_assistants_is_told_with_one_that_there_is():
    told = {
        "PLAY Elephant": "a card such as Jerrycan",
        "TAKE the jerrycen": "a card such as Jerrycan",
        "PLAN scots 2": "assistants such as scouts 2",
    }
    for written, expected in told.items():
        found = reader(RULESET).read(written)
        assert isinstance(found, LineProblem)
        assert (found.column, found.problem.message.partition("expected ")[2]) == (6, expected)


@pytest.mark.parametrize(
    ("written", "meant"), [("DRIVE E2 loosing chassis", "losing"), ("SCOUT tiles first E2 than E3", "then")]
)
def test_a_misspelled_word_behind_spaces_is_no_space_but_that_word(race, written, meant):
    problem = race().says_no("red", written)
    assert (problem.code, problem.suggestions[0]) == ("great-race/unknown-space", meant)


def test_a_name_that_is_not_on_the_board_is_not_taken_for_such_a_word(race):
    assert race().says_no("red", "DRIVE to Lyonn").suggestions == ()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("TAKE the saboteur", "TAKE Saboteur"),
        ("take a tracker", "TAKE Tracker"),
        ("DISCARD the jerrycan and the guide", "DISCARD Jerrycan and Guide"),
    ],
)
def test_a_card_may_have_its_article(written, meant):
    assert reader(RULESET).read(written) == reader(RULESET).read(meant)


@pytest.mark.parametrize("card", CardId)
def test_gr_c3_each_card_is_known_to_the_grammar_and_played_in_one_way(card):
    """A new card needs its entry only: it is plain, says which order plays it, or is the jerrycan."""
    for words in (card.words, card.value.replace("-", " ").upper()):
        assert read(RULESET, f"TAKE {words}").card == card
        assert read(RULESET, f"DISCARD Ranger and {words}").more == (card,)
    has_order = any(order.plays is card for order in CARDS)
    assert [card.kind.gain is not None, bool(card.kind.instead[1]), card is CardId.JERRYCAN].count(True) == 1
    assert not (has_order and card.kind.gain)
    if card.kind.gain is not None:
        assert read(RULESET, f"PLAY {card.words}") == Play(card.value)


def test_gr_c3_a_set_may_have_each_card():
    """The limit of a component set follows from the cards."""
    assert Len(1, len(CardId)) in hints_of(Components)["cards"].__metadata__


@pytest.mark.parametrize(
    ("order", "public"),
    [
        ("DRIVE E2 losing chassis using escort, ranger", "DRIVE E2"),
        ("DRIVE E2 D2 losing engine 1", "DRIVE E2 D2"),
        ("DRIVE e2 using nothing", "DRIVE E2"),
        ("DRIVE sea cairo using transport 2", "DRIVE sea Cairo using transport 2"),
        ("PLAY Driver E2 losing engine using ranger", "PLAY Driver E2"),
        ("PAY engine using ranger", "PAY"),
        ("PLAN mechanics 3 funding 2", "PLAN (sealed)"),
        ("REACT danger never", "REACT (sealed)"),
        ("KEEP Ranger, Toolbox", "KEEP"),
        ("PLAY Trail hunter keeping Ranger", "PLAY Trail hunter"),
        ("DISCARD Ranger", None),
        ("SCOUT tiles first E2 then D2", None),
        ("PLAY Tracker remove cairo", "PLAY Tracker remove Cairo"),
    ],
)
def test_gr_h2_others_read_an_order_without_what_is_secret(race, order, public):
    """``None``: they read all of it."""
    table = race()
    assert RULESET.public_text(table.config, table.state, "red", table.order(order)) == public
