"""Resource cards: what each does, when it is played, and who cancels a danger (GR-K, GR-H1, GR-H4, GR-H7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.core.frozen import change
from adjudicator.games.great_race.card_events import CardsDiscarded, CardsKept, CardsMissed, DeckShuffled, TileRemoved
from adjudicator.games.great_race.components import CardId
from adjudicator.games.great_race.events import PartsLost, ReactionChosen
from adjudicator.games.great_race.state import DECK, Stage
from adjudicator.games.great_race.threats import CardCancelled, DangerAccepted, DangerDone, ReactionAsked

TILES = "E2 sand D2 track D3 road"


def roomy(house):
    """Return the component set with a chassis for many cards, of which there are few."""
    cards = tuple(change(card, count=1) for card in house.cards)
    return change(house, cards=cards, gauges=change(house.gauges, chassis=20))


def test_gr_k1_financial_and_refuelling(race):
    cards = race(red={"mechanics": 1, "fuel": 2, "hand": "financial refuelling"})
    assert cards.cost("red", cards.order("PLAY Financial")) == 30
    cards.do("red", "PLAY Financial")
    cards.do("red", "PLAY Refuelling")
    assert (cards.crew("red").cash, cards.crew("red").fuel) == (110, 7)
    assert cards.state.discards == ("financial", "refuelling")


def test_gr_k1_a_cartographer_lays_three_tiles(race):
    cards = race(red={"mechanics": 1, "hand": "cartographer cartographer"})
    cards.do("red", "PLAY Cartographer first E2 then E3 then F3", "sand", "track", "road")
    assert cards.state.tiles == {"E2": "sand", "E3": "track", "F3": "road"}
    cards.do("red", "PLAY Cartographer", "ruts", "pass", "mud")
    assert len(cards.state.pending.tiles) == 3
    for words in ("LAY mud at D2", "LAY ruts at D3", "LAY pass at D1"):
        cards.do("red", words)
    assert cards.state.discards == ("cartographer", "cartographer")


def test_gr_k1_a_driver_drives_without_an_assistant(race):
    cards = race(red={"mechanics": 1, "hand": "driver"}, tiles=TILES)
    cards.do("red", "PLAY Driver E2")
    assert cards.crew("red").active.mechanics == 1
    assert cards.due() == [("red", "turn")]


def test_gr_k1_a_mechanic_card_repairs(race):
    cards = race(red={"funding": 1, "engine": 2, "hand": "mechanic spare-parts"})
    cards.do("red", "PLAY Mechanic using parts 1 buy 1")
    assert cards.crew("red").engine == 4
    assert cards.state.discards == ("spare-parts", "mechanic")


def test_gr_k1_a_trail_hunter_keeps_two_of_three(race):
    cards = race(red={"mechanics": 1, "hand": "trail-hunter"})
    cards.do("red", "PLAY Trail hunter", "ranger", "toolbox", "cheater")
    assert cards.view("blue").state.pending.cards == (None, None, None)
    assert cards.refused("red", "KEEP Ranger, Driver") == ("not-drawn", "GR-K1")
    assert cards.refused("red", "KEEP Ranger") == ("keep-two", "GR-K1")
    assert cards.refused("red", "PASS") == ("keep-first", "GR-K1")
    assert len(cards.words("red")) == 3
    told = cards.do("red", "KEEP Toolbox, Ranger")
    assert told.one(CardsKept).back == ("cheater",)
    assert cards.crew("red").hand == ("ranger", "toolbox")


def test_gr_k1_what_a_trail_hunter_keeps_can_be_said_ahead_and_nobody_reads_it(race):
    cards = race(red={"mechanics": 1, "hand": "trail-hunter jerrycan"})
    assert cards.refused("red", "PLAY Jerrycan keeping Ranger") == ("nothing-to-keep", "GR-K1")
    told = cards.do("red", "PLAY Trail hunter keeping Ranger, Driver, Toolbox", "cheater", "toolbox", "ranger")
    assert told.one(CardsKept).cards == ("ranger", "toolbox")
    assert cards.game.journal[-1].entry.order == "PLAY Trail hunter"
    assert cards.due() == [("red", "turn")]


def test_gr_k1_a_tracker_removes_a_connected_tile_for_good(race):
    cards = race(red={"mechanics": 1, "hand": "tracker"}, blue={"space": "D2"}, tiles=f"{TILES} H2 sand K6 sand")
    assert cards.refused("red", "PLAY Tracker remove K6") == ("no-path", "GR-K1")
    assert cards.refused("red", "PLAY Tracker remove D4") == ("no-tile-there", "GR-K1")
    assert cards.refused("red", "PLAY Tracker remove D2") == ("vehicle-there", "GR-H7")
    told = cards.do("red", "PLAY Tracker remove H2")
    assert told.one(TileRemoved).space == "H2"
    assert cards.state.removed == ("sand",)


def test_gr_k1_a_cheater_swaps_two_tiles_anywhere(race):
    cards = race(red={"mechanics": 1, "hand": "cheater"}, tiles=f"{TILES} K6 pass K7 pass")
    assert cards.refused("red", "PLAY Cheater swap K6 with K6") == ("same-space", "GR-K1")
    assert cards.refused("red", "PLAY Cheater swap K6 with K8") == ("no-tile-there", "GR-K1")
    cards.do("red", "PLAY Cheater swap K6 with E2")
    assert (cards.state.tiles["K6"], cards.state.tiles["E2"]) == ("sand", "pass")


def test_gr_k1_a_saboteur_takes_two_parts_as_its_user_says(race):
    cards = race(red={"mechanics": 1, "hand": "saboteur saboteur"}, blue={"mechanics": 1, "engine": 4, "chassis": 2})
    assert cards.refused("red", "PLAY Saboteur on blue engine 1") == ("does-not-add-up", "GR-K1")
    cards.do("red", "PLAY Saboteur on blue engine 1 chassis 1")
    assert cards.gauges("blue") == (10, 3, 1)
    cards.do("red", "PLAY Saboteur on blue")
    assert cards.gauges("blue") == (10, 1, 1)


def test_gr_k1_or_what_there_is(race):
    cards = race(red={"mechanics": 1, "hand": "saboteur"}, blue={"mechanics": 1, "engine": 1, "chassis": 0})
    told = cards.do("red", "PLAY Saboteur on blue")
    assert told.one(PartsLost).engine == 1


def test_gr_k1_cards_are_played_only_with_an_active_assistant(race):
    cards = race(red={"funding": 1, "hand": "financial"}, blue={"mechanics": 2})
    cards.do("red", "FUND")
    assert cards.says_no("red", "PLAY Financial").rule == "GR-V1"


@pytest.mark.parametrize("card", ["Spare parts", "Toolbox", "Transport", "Caravan", "Ranger"])
def test_gr_k2_what_goes_with_something_is_not_played_alone(race, card):
    held = race(red={"mechanics": 1, "hand": card.lower().replace(" ", "-")})
    code, rule = held.refused("red", f"PLAY {card}")
    assert code == "say-more"
    assert rule == ("GR-K3" if card == "Ranger" else "GR-K2")


def test_gr_k2_a_caravan_of_somebody_else_is_of_no_use(race):
    assert race(tiles="E2 village").refused("red", "DRIVE E2 using caravan") == ("not-in-hand", "GR-K1")


def test_gr_k3_a_jerrycan_is_played_whenever_one_is_asked(race):
    cards = race(stage="planning", red={"fuel": 3, "hand": "jerrycan"})
    cards.do("red", "PLAY Jerrycan")
    assert cards.crew("red").fuel == 4
    assert cards.refused("red", "PLAY Jerrycan") == ("not-in-hand", "GR-K1")


def test_gr_k4_a_danger_card_is_cancelled_with_an_escort_by_itself(race):
    cards = race(red={"mechanics": 1, "hand": "saboteur"}, blue={"mechanics": 1, "escort": 1})
    told = cards.do("red", "PLAY Saboteur on blue")
    assert told.one(CardCancelled).guard == "escort"
    assert cards.gauges("blue") == (10, 6, 6)
    assert cards.state.discards == ("saboteur",)


def test_gr_k4_who_wants_to_be_asked_is_asked(race):
    cards = race(red={"mechanics": 2, "hand": "cheater"}, blue={"mechanics": 2, "hand": "ranger"}, tiles=TILES)
    cards.do("red", "DRIVE D2")
    cards.do("blue", "REACT danger ask")
    cards.do("blue", "DRIVE D2")
    told = cards.do("red", "PLAY Cheater swap D2 with E2")
    assert told.one(ReactionAsked).seat == "blue"
    assert cards.due() == [("blue", "react")]
    assert cards.refused("blue", "CANCEL with escort") == ("no-escort", "GR-A3")
    assert cards.refused("blue", "PASS") == ("react-first", "GR-K4")
    cards.do("blue", "CANCEL with ranger")
    assert cards.state.tiles["D2"] == "track"
    assert cards.due() == [("red", "turn")]


def test_gr_k4_a_reaction_that_is_not_asked_for_is_refused(race):
    cards = race(red={"mechanics": 1, "hand": "ranger"})
    assert cards.refused("red", "CANCEL with ranger") == ("no-danger", "GR-K4")
    asked = race(red={"mechanics": 2, "hand": "saboteur"}, blue={"mechanics": 2, "hand": "jerrycan"}, tiles=TILES)
    asked.do("red", "DRIVE E2")
    asked.do("blue", "REACT cards ask")
    asked.do("blue", "DRIVE E2")
    asked.do("red", "PLAY Saboteur on blue")
    assert asked.refused("blue", "CANCEL with ranger") == ("not-in-hand", "GR-K1")
    asked.do("blue", "ACCEPT")
    assert asked.gauges("blue")[1:] == (4, 6)


def test_gr_k4_all_others_are_in_the_record_in_seat_order_whoever_could_react(race):
    cards = race(
        red={"mechanics": 1},
        blue={"mechanics": 1, "hand": "cheater"},
        green={"mechanics": 1, "hand": "ranger"},
        yellow={},
        tiles=TILES,
        turn="blue",
    )
    told = cards.do("blue", "PLAY Cheater swap D2 with E2")
    assert [event.seat for event in told.of(DangerAccepted)] == ["green", "yellow", "red"]
    assert told.one(DangerDone)


def test_gr_k4_nobody_hears_of_a_standing_answer(race):
    cards = race(stage="planning")
    told = cards.do("red", "REACT cards never")
    assert cards.rules.redact(cards.config, told.one(ReactionChosen), "blue") is None
    assert cards.view("blue").state.crew("red").to_cards is None
    assert cards.game.journal[-1].entry.order == "REACT (sealed)"


def test_gr_h1_the_owner_chooses_what_to_discard(race):
    cards = race(red={"scouts": 1, "chassis": 1, "hand": "caravan"}, blue={"mechanics": 1})
    cards.do("red", "SCOUT card", "ranger")
    assert cards.due() == [("red", "cut")]
    assert cards.refused("red", "DISCARD Caravan, Ranger") == ("too-few-left", "GR-H1")
    assert cards.refused("red", "DISCARD Toolbox") == ("not-in-hand", "GR-K1")
    assert cards.refused("red", "PASS") == ("too-many-cards", "GR-H1")
    told = cards.do("red", "DISCARD Caravan")
    assert told.one(CardsDiscarded).cards == ("caravan",)
    assert cards.due() == [("blue", "turn")]


def test_gr_h1_a_discard_may_be_sent_in_parts(race):
    hand = "caravan toolbox"
    cards = race(red={"mechanics": 1, "hand": "saboteur"}, blue={"mechanics": 1, "chassis": 2, "hand": hand})
    cards.do("red", "PLAY Saboteur on blue chassis 2")
    cards.do("blue", "DISCARD Toolbox")
    assert cards.due() == [("blue", "cut")]
    cards.do("blue", "DISCARD Caravan")
    assert cards.due() == [("red", "turn")]


def test_gr_h1_in_a_drive_the_cut_comes_once_it_is_over(race):
    cards = race(red={"mechanics": 1, "chassis": 1, "hand": "caravan"}, tiles="E2 stones E3 road")
    cards.do("red", "DRIVE E2 E3 losing chassis")
    assert cards.crew("red").space == "E3"
    assert cards.due() == [("red", "cut")]


def test_gr_h1_a_saboteur_makes_its_victim_discard(race):
    cards = race(red={"mechanics": 1, "hand": "saboteur"}, blue={"mechanics": 1, "chassis": 2, "hand": "caravan toolbox"})
    cards.do("red", "PLAY Saboteur on blue chassis 2")
    assert cards.due() == [("blue", "cut")]
    cards.do("blue", "DISCARD Caravan, Toolbox")
    assert cards.due() == [("red", "turn")]


def test_gr_h4_its_user_does_not_cancel_a_danger_card(race):
    cards = race(red={"mechanics": 1, "escort": 1, "hand": "cheater"}, tiles=TILES)
    told = cards.do("red", "PLAY Cheater swap D2 with E2")
    assert [event.seat for event in told.of(DangerAccepted)] == ["blue"]


def test_gr_h7_a_saboteur_harms_another_who_has_not_arrived(race):
    cards = race(
        red={"mechanics": 1, "hand": "saboteur"},
        blue={"space": "Cape-Town", "arrival": 1},
        green={"engine": 0, "chassis": 0},
        yellow={},
    )
    for target in ("red", "blue", "purple"):
        assert cards.refused("red", f"PLAY Saboteur on {target}") == ("no-such-target", "GR-H7"), target
    assert {"PLAY Saboteur on green", "PLAY Saboteur on yellow"} <= set(cards.words("red"))


def test_gr_h9_a_card_that_is_played_is_not_among_the_discards(race, house):
    discards = " ".join(" ".join([card.id] * (card.count - (card.id == "trail-hunter"))) for card in house.cards)
    cards = race(red={"mechanics": 1, "hand": "trail-hunter"}, discards=discards)
    cards.do("red", "PLAY Trail hunter", "ranger", "toolbox", "cheater")
    assert cards.state.in_play == "trail-hunter"
    assert len(DECK.left(cards.config, cards.state)) == 45 - 1 - 3


def test_gr_h9_with_no_card_left_none_is_drawn(race, house):
    hand = " ".join(card.id for card in house.cards)
    cards = race(red={"scouts": 1, "hand": "", "mechanics": 1}, blue={"mechanics": 1, "hand": hand}, parts=roomy(house))
    told = cards.do("red", "DRIVE sea Cairo")
    missed = told.one(CardsMissed)
    assert missed.tell(cards.config) == "no card is left to draw: red draws 2 cards too few"
    assert told.of(DeckShuffled) == []


def test_gr_c3_unknown_cards_are_told(race):
    cards = race()
    problem = cards.says_no("red", "TAKE Elephant")
    assert problem.code == "great-race/unknown-card"
    assert cards.says_no("red", "DISCARD Tolbox").suggestions == ("Toolbox",)


def test_gr_c3_a_card_that_this_game_does_not_have_cannot_be_played(race, house):
    without = replace(house, cards=tuple(card for card in house.cards if card.id != "caravan"))
    assert race(parts=without).says_no("red", "PLAY Caravan").code == "great-race/unknown-card"


def test_gr_k1_only_a_trail_hunter_keeps_cards(race):
    cards = race(red={"mechanics": 1, "hand": "refuelling"})
    problem = cards.says_no("red", "PLAY Refuelling keeping Ranger")
    assert (problem.code, problem.rule, problem.part) == ("great-race/nothing-to-keep", "GR-K1", "keeping")


def test_gr_k1_only_a_card_of_money_gives_francs(race):
    cards = race(red={"mechanics": 1, "hand": "refuelling financial"})
    assert not cards.cost("red", cards.order("PLAY Refuelling"))
    assert cards.cost("red", cards.order("PLAY Financial")) > 0


def test_gr_k1_a_card_that_is_in_no_set_is_played_by_nobody(race, house):
    parts = change(house, cards=tuple(card for card in house.cards if card.id != "saboteur"))
    problem = race(parts=parts).says_no("red", "PLAY Saboteur on blue")
    assert (problem.code, problem.part) == ("great-race/unknown-card", "card:0")


def test_gr_h9_a_trail_hunter_finds_what_there_is(race, house):
    others = " ".join(card.id for card in house.cards if card.id != "trail-hunter")
    cards = race(parts=roomy(house), red={"mechanics": 1, "hand": "trail-hunter"}, blue={"mechanics": 1, "hand": others})
    told = cards.do("red", "PLAY Trail hunter")
    missed = told.one(CardsMissed)
    assert (missed.seat, missed.missing) == ("red", cards.config.amount(CardId.TRAIL_HUNTER))
    assert told.of(DeckShuffled) == []
    assert cards.crew("red").hand == ()
    assert cards.state.pending is None


def test_gr_h9_without_a_card_for_the_bivouac_the_crews_plan_at_once(race, house):
    names = " ".join(card.id for card in house.cards)
    begun = race(parts=roomy(house), red={"hand": names}, blue={}, turn=None, round=2)
    assert begun.state.stage is Stage.PLANNING
    assert begun.state.offered == ()


@pytest.mark.parametrize(
    ("answer", "danger", "guard"),
    [
        ("", "PLAY Saboteur on blue", "escort"),
        ("", "PLAY Saboteur on green", None),
        ("", "PLAY Cheater swap D2 with E2", None),
        ("REACT cards with ranger only if parts > 1", "PLAY Saboteur on blue", "ranger"),
        ("REACT danger with ranger, escort", "PLAY Saboteur on blue", "ranger"),
        ("REACT cards with escort only if parts > 2", "PLAY Saboteur on blue", None),
        ("REACT cards with escort", "PLAY Cheater swap D2 with E2", "escort"),
        ("REACT cards with ranger", "PLAY Saboteur on green", "ranger"),
        ("REACT danger never", "PLAY Saboteur on blue", None),
        ("REACT tiles never", "PLAY Saboteur on blue", "escort"),
    ],
)
def test_gr_k4_a_standing_answer_holds_after_passing_and_for_dangers_of_others_if_it_says_so(race, answer, danger, guard):
    """Without an answer, a crew saves its own parts, with an escort before a Ranger."""
    cards = race(
        red={"mechanics": 1, "hand": "saboteur cheater"},
        blue={"mechanics": 1, "escort": 1, "hand": "ranger"},
        green={},
        tiles=TILES,
        turn="blue",
    )
    for words in filter(None, (answer, "PASS")):
        cards.do("blue", words)
    told = cards.do("red", danger)
    assert [event.guard for event in told.of(CardCancelled)] == ([] if guard is None else [guard])
    assert cards.crew("blue").active.escort == (guard != "escort")
    assert cards.crew("blue").hand == (() if guard == "ranger" else ("ranger",))


def test_gr_k4_a_crew_that_has_arrived_cancels_nothing(race):
    arrived = {"space": "Cape-Town", "arrival": 1}
    cards = race(red={"mechanics": 1, "hand": "cheater"}, blue=arrived, green={}, tiles=TILES)
    told = cards.do("red", "PLAY Cheater swap D2 with E2")
    assert [event.seat for event in told.of(DangerAccepted)] == ["green"]


def test_gr_s2_escorts_that_were_not_used_are_gone_when_the_next_round_begins(race):
    kept = race(red={"mechanics": 1, "escort": 2})
    kept.do("red", "PASS")
    kept.do("blue", "PASS", "ranger toolbox driver")
    assert (kept.crew("red").active.total, kept.crew("red").has_passed, kept.state.round) == (0, False, 2)
