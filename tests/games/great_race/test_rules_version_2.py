"""Golden cases for what version 2 of the rules changed, each beside what version 1 decides."""

from __future__ import annotations

import pytest

from adjudicator.core.frozen import change
from adjudicator.games.great_race.card_events import CardsMissed, CardWasted, TilesReturned
from adjudicator.games.great_race.driving import DangerCancelled, LineTaken, SpaceEntered
from adjudicator.games.great_race.events import RaceEnded
from adjudicator.games.great_race.state import BAG
from adjudicator.games.great_race.threats import DangerAccepted
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.session import open_session

NEAR = "H15 road G15 road"


# Lines (GR-D5)


def test_gr_d5_golden_a_line_leads_to_another_city(race):
    for version in (1, 2):
        dakar = race(red={"mechanics": 1, "space": "Dakar"}, version=version)
        words = dakar.words("red")
        assert "DRIVE sea Lagos" in words
        if version == 2:
            assert dakar.refused("red", "DRIVE sea Dakar") == ("no-line", "GR-D5")
        else:
            told = dakar.do("red", "DRIVE sea Dakar", "jerrycan", "ranger", "toolbox")
            assert told.one(LineTaken).city == "Dakar"


# Help that was named ahead (GR-D3)


def paying(race, version, drive, tile, **red):
    """Return a race in which red has driven, has drawn ``tile``, and is asked how it pays."""
    scene = race(red={"mechanics": 2, **red}, version=version)
    scene.do("red", drive, tile)
    assert scene.due() == [("red", "pay")]
    return scene


def test_gr_d3_golden_help_named_in_the_order_holds_for_the_payment(race):
    scene = paying(race, 2, "DRIVE D1 using escort", "ravine", escort=1)
    told = scene.do("red", "PAY chassis")
    assert told.one(DangerCancelled).guard == "escort"
    assert (scene.gauges("red"), scene.crew("red").active.escort) == ((9, 6, 5), 0)


def test_gr_d3_golden_help_of_a_standing_answer_holds_for_the_payment(race):
    scene = race(red={"mechanics": 2, "escort": 1})
    scene.do("red", "REACT tiles with escort")
    scene.do("red", "DRIVE D1", "ravine")
    told = scene.do("red", "PAY chassis")
    assert told.one(DangerCancelled).guard == "escort"
    assert scene.gauges("red") == (9, 6, 5)


def test_gr_d3_golden_a_caravan_named_in_the_order_holds_for_the_payment(race):
    scene = paying(race, 2, "DRIVE D2 E2 using caravan", "ford", hand="caravan")
    scene.do("red", "PAY chassis", "track")
    assert scene.crew("red").space == "E2"
    assert scene.state.discards == ("caravan",)


@pytest.mark.parametrize(
    ("words", "hand", "escorts", "gauges"),
    [
        ("PAY chassis", "ranger jerrycan", 0, (0, 6, 5)),
        ("PAY chassis using jerrycan", "ranger jerrycan", 0, (0, 6, 5)),
        ("PAY chassis using ranger", "jerrycan", 1, (0, 6, 5)),
        ("PAY chassis using nothing", "ranger jerrycan", 1, (0, 6, 3)),
    ],
)
def test_gr_d3_golden_a_payment_adds_help_replaces_the_guard_or_declines_all(race, words, hand, escorts, gauges):
    """The order names the escort; a jerrycan that is not needed stays in the hand."""
    scene = paying(race, 2, "DRIVE D1 using escort", "ravine", escort=1, fuel=1, hand="ranger jerrycan")
    scene.do("red", words)
    assert (" ".join(scene.crew("red").hand), scene.crew("red").active.escort) == (hand, escorts)
    assert scene.gauges("red") == gauges


def test_gr_d3_golden_several_helps_named_in_the_order_hold_and_can_be_declined(race):
    scene = paying(race, 2, "DRIVE D1 using escort, jerrycan", "ravine", escort=1, fuel=0, hand="jerrycan")
    assert {"PAY", "BACK"} <= set(scene.words("red"))
    assert scene.refused("red", "PAY using nothing") == ("cannot-pay", "GR-D1")
    scene.do("red", "PAY engine")
    assert (scene.gauges("red"), scene.crew("red").hand) == ((0, 5, 6), ())


def test_gr_d3_help_that_was_named_can_be_declined_only_if_there_is_any(race):
    assert "PAY using nothing" in paying(race, 2, "DRIVE D1 using escort", "ravine", escort=1).words("red")
    scene = paying(race, 2, "DRIVE D1", "ravine", escort=1)
    assert "PAY using nothing" not in scene.words("red")
    assert scene.allows("red", scene.order("PAY using nothing"))


def test_gr_d3_by_version_1_a_payment_named_all_its_help(race):
    scene = paying(race, 1, "DRIVE D1 using escort", "ravine", escort=1)
    assert "PAY using nothing" not in scene.words("red")
    scene.do("red", "PAY chassis")
    assert (scene.gauges("red"), scene.crew("red").active.escort) == ((9, 6, 3), 1)


# A mix of gauges (GR-D1)


def test_gr_d1_golden_a_mix_of_gauges_is_for_the_known_tiles_before_a_blank_space(race):
    mixed = race(red={"mechanics": 1}, tiles="D1 pass")
    told = mixed.do("red", "DRIVE D1 C2 losing engine 1 chassis 1", "pass")
    assert [(event.engine, event.chassis) for event in told.of(SpaceEntered)] == [(1, 1)]
    assert mixed.due() == [("red", "pay")]
    mixed.do("red", "PAY chassis")
    assert (mixed.crew("red").space, mixed.gauges("red")) == ("C2", (6, 5, 3))


def test_gr_d1_golden_on_blank_spaces_after_a_mix_the_split_is_asked_each_time(race):
    mixed = race(red={"mechanics": 1}, tiles="D1 pass")
    mixed.do("red", "DRIVE D1 C2 D2 losing engine 2", "stones")
    mixed.do("red", "PAY engine", "stones")
    assert mixed.due() == [("red", "pay")]
    mixed.do("red", "PAY chassis")
    assert mixed.gauges("red") == (6, 3, 5)


def test_gr_d1_a_mix_before_a_blank_space_is_that_of_the_known_parts(race):
    mixed = race(red={"mechanics": 1}, tiles="D1 pass")
    problem = mixed.refuse("red", mixed.order("DRIVE D1 C2 losing engine 1 chassis 2"))
    assert (problem.code, problem.rule) == ("great-race/does-not-add-up", "GR-D1")
    assert problem.message == "the way before C2 costs 2 parts: engine 1 chassis 2 does not match"
    assert problem.suggestions == ("losing engine 0 chassis 2",)
    old = race(red={"mechanics": 1}, tiles="D1 pass", version=1)
    assert old.refused("red", "DRIVE D1 C2 losing engine 1 chassis 1") == ("not-known-yet", "GR-D3")


# A jerrycan in a sheet that waits (GR-K3)


@pytest.mark.parametrize("version", [1, 2])
def test_gr_k3_golden_a_jerrycan_before_an_answer_does_not_block_the_sheet(race, version):
    waiting = race(red={"scouts": 2, "fuel": 3, "hand": "jerrycan"}, version=version)
    orders = ("SCOUT tiles", "PLAY Jerrycan", "LAY sand at E2", "LAY track at D2")
    outcome = waiting.send("red", *orders, draws=("sand", "track"))
    assert [link.entry.order for link in outcome.accepted] == list(orders)
    assert not outcome.game.pending
    assert waiting.crew("red").fuel == 4


# Orders without effect (GR-K1, GR-H9)


def test_gr_k1_golden_a_cheater_may_swap_two_like_tiles(race):
    scene = {"red": {"mechanics": 1, "hand": "cheater"}, "tiles": "E2 sand K6 sand"}
    cards = race(**scene)
    assert "PLAY Cheater swap E2 with K6" in cards.words("red")
    told = cards.do("red", "PLAY Cheater swap E2 with K6")
    assert told.one(CardWasted).tell(cards.config) == "the Cheater of red changes nothing: both tiles are alike"
    assert cards.state.tiles == {"E2": "sand", "K6": "sand"}
    assert cards.state.discards == ("cheater",)
    assert race(**scene, version=1).refused("red", "PLAY Cheater swap E2 with K6") == ("nothing-to-swap", "GR-K1")


def test_gr_k1_golden_a_saboteur_may_be_played_on_a_vehicle_without_parts(race):
    scene = {"red": {"mechanics": 1, "hand": "saboteur"}, "blue": {"mechanics": 1, "engine": 0, "chassis": 0}}
    cards = race(**scene)
    assert cards.refused("red", "PLAY Saboteur on blue engine 1 chassis 1") == ("does-not-add-up", "GR-K1")
    told = cards.do("red", "PLAY Saboteur on blue")
    assert told.one(CardWasted).tell(cards.config) == "the Saboteur of red changes nothing: blue has no parts to lose"
    assert "red wants to take parts of blue" in [event.tell(cards.config) for event in told if event.kind != "spent"]
    assert told.one(DangerAccepted).seat == "blue"
    assert cards.gauges("blue") == (10, 0, 0)
    assert race(**scene, version=1).refused("red", "PLAY Saboteur on blue") == ("no-such-target", "GR-H7")


def test_gr_h9_golden_tiles_may_be_scouted_without_a_free_space_and_go_back(race, narrow):
    scene = {"parts": narrow, "red": {"scouts": 1, "mechanics": 1, "hand": "cartographer"}, "tiles": "E2 sand"}
    full = race(**scene)
    told = full.do("red", "PLAY Cartographer", "track", "ruts", "pass")
    assert told.one(TilesReturned).tiles == ("track", "ruts", "pass")
    told = full.do("red", "SCOUT tiles", "track", "ruts")
    assert told.one(TilesReturned).tiles == ("track", "ruts")
    assert len(BAG.left(full.config, full.state)) == 59
    for words in ("SCOUT tiles", "PLAY Cartographer"):
        assert race(**scene, version=1).refused("red", words) == ("no-free-space", "GR-H9")


def test_gr_h9_golden_a_card_may_be_scouted_when_none_is_left(race, house):
    cards = tuple(change(card, count=1) for card in house.cards)
    parts = change(house, cards=cards, gauges=change(house.gauges, chassis=20))
    scene = {
        "parts": parts,
        "red": {"scouts": 1, "hand": "", "mechanics": 1},
        "blue": {"mechanics": 1, "hand": " ".join(card.id for card in cards)},
    }
    empty = race(**scene)
    assert "SCOUT card" in empty.words("red")
    assert empty.do("red", "SCOUT card").one(CardsMissed).missing == 1
    assert race(**scene, version=1).refused("red", "SCOUT card") == ("deck-empty", "GR-H9")


def test_gr_k1_golden_the_receipt_warns_of_an_order_without_effect(race):
    cards = race(red={"mechanics": 1, "hand": "cheater"}, tiles="E2 sand K6 sand")
    done = adjudicate_files(open_session(cards.game), [("red.txt", b"red: PLAY Cheater swap E2 with K6")])
    why = "entry 1; note: the Cheater of red changes nothing: both tiles are alike (GR-K1)"
    assert [order.reason for order in done.receipts[0].orders] == [why]


# The last sequence of the race (GR-H1)


def losing_chassis_last(race, version):
    """Return a last round in which blue, who plays last, has more cards than its chassis allows at the end."""
    blue = {"mechanics": 1, "space": "G15", "chassis": 1, "hand": "caravan"}
    last = race(red={"mechanics": 1, "space": "H15"}, blue=blue, tiles=f"{NEAR} G14 stones", version=version)
    last.do("red", "DRIVE Cape-Town")
    return last, last.do("blue", "DRIVE G14 losing chassis")


def test_gr_h1_golden_nobody_discards_in_the_last_sequence_of_the_race(race):
    last, told = losing_chassis_last(race, 2)
    assert told.one(RaceEnded)
    assert last.crew("blue").hand == ("caravan",)
    last, told = losing_chassis_last(race, 1)
    assert last.due() == [("blue", "cut")]


def test_gr_h1_as_long_as_somebody_plays_on_cards_are_discarded_in_the_last_round_too(race):
    blue = {"mechanics": 1, "space": "G15", "chassis": 1, "hand": "caravan"}
    last = race(
        red={"mechanics": 1, "space": "H15"}, blue=blue, green={"mechanics": 1, "space": "G15"}, tiles=f"{NEAR} G14 stones"
    )
    last.do("red", "DRIVE Cape-Town")
    last.do("blue", "DRIVE G14 losing chassis")
    assert last.due() == [("blue", "cut")]


def test_gr_h1_golden_nor_where_no_vehicle_can_arrive_any_more(race, house):
    removed = " ".join(" ".join([tile.id] * (tile.count - (tile.id == "stones"))) for tile in house.tiles)
    board = house.boards[0]
    parts = change(house, boards=(change(board, lines=()),))
    scene = {"red": {"mechanics": 1, "chassis": 1, "hand": "caravan"}, "blue": {}, "tiles": "E2 stones", "removed": removed}
    for version, due in ((2, []), (1, [("red", "cut")])):
        last = race(parts=parts, **scene, version=version)
        last.do("red", "DRIVE E2 losing chassis")
        assert (last.due(), last.is_over()) == (due, not due)


# Names in the public log (GR-C1)


def test_gr_c1_golden_the_public_log_has_the_names_of_the_board(race):
    for version, public in ((2, "DRIVE Cairo"), (1, "DRIVE cairo")):
        scene = race(red={"mechanics": 2, "space": "I3"}, tiles="I3 track", version=version)
        scene.do("red", "DRIVE cairo using nothing", "jerrycan", "ranger")
        entry = scene.game.journal[-1].entry
        assert (entry.order, entry.written) == (public, "DRIVE cairo using nothing [jerrycan ranger]")
