"""The set-up: by recorded outcomes, in the rulebook's order (CR-S1 to CR-S6)."""

from dataclasses import replace
from itertools import pairwise, product

import pytest

from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.problem import SetupError
from adjudicator.games.checkpoint_rally.components import Tile
from adjudicator.games.checkpoint_rally.events import (
    BorderLaid,
    CarDriven,
    CarFinished,
    CheckpointMarked,
    LastChanceBegun,
    MarkersStacked,
    RaceStarted,
    RowFilled,
    SeatPrepared,
    TileDealt,
    TilePlaced,
    TilesDrawn,
)
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Keep, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.games.checkpoint_rally.state import Frame, Laid, Stage

BORDER = ["P3", "back", "P1", "front", "P4", "back", "P2", "front"]
NINE = [
    "HC1",
    "0",
    "HC2",
    "90",
    "HC3",
    "180",
    "HC4",
    "270",
    "GM1",
    "0",
    "GM2",
    "90",
    "GM3",
    "180",
    "GM4",
    "270",
    "UD1",
    "90",
]
ROW = ["UG1", "UG2", "UG3"]
TWO_CORNERS = ["HD1", "90", "HD2", "180"]
TWO_SEATS = ["254", "K2", "245", "K1"]
FOUR_CELLS = ["C1", "E3", "C5", "A3"]


def two_players(*, markers="blue red", hand="HG1 HG2 HG3 HG4"):
    """Return the outcomes of a set-up for two, drawn by the rulebook's steps."""
    return [*BORDER, *NINE, *ROW, *TWO_CORNERS, *TWO_SEATS, *markers.split(), *hand.split()]


def happened(rally, kind):
    """List the events of one kind in the set-up."""
    return [event for event in rally.game.journal[0].entry.events if isinstance(event, kind)]


# --- CR-S1: the border -----------------------------------------------------------------------------------------------


def test_cr_s1_the_border_pieces_lie_in_random_order_random_side_up(deal):
    """North, east, south, west: piece and side up come by chance."""
    rally = deal(2, two_players())
    frames = (Frame("P3", "back"), Frame("P1", "front"), Frame("P4", "back"), Frame("P2", "front"))
    assert rally.state.border == frames
    assert [event.frames for event in happened(rally, BorderLaid)] == [frames]


def test_cr_s1_no_border_piece_lies_twice(deal):
    """There is one of each."""
    outcomes = two_players()
    outcomes[2] = "P3"
    with pytest.raises(ImpossibleOutcomeError):
        deal(2, outcomes)


# --- CR-S2: the board ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "between"), [({}, "B2 D2 D4 B4"), ({"layout": "cross"}, "C2 D3 C4 B3")])
def test_cr_s2_edge_middles_then_between_then_centre(deal, options, between):
    """Random orientation and tile for C1 E3 C5 A3, then the four between them, then C3 (``layout``: diamond or cross)."""
    rally = deal(2, two_players(), **options)
    dealt = [event for event in happened(rally, TileDealt) if event.rule == "CR-S2"]
    assert [event.cell for event in dealt] == [*FOUR_CELLS, *between.split(), "C3"]
    assert [word for event in dealt for word in (event.tile, str(event.rot))] == NINE


def test_cr_s2_the_board_shows_what_was_dealt(start, house):
    """Nine tiles and, for four players, nothing else: the corners wait for the start tiles."""
    rally = start(4, 3, house)
    laid = {event.cell: Laid(event.tile, event.rot) for event in happened(rally, TileDealt)}
    board = dict(zip((f"{column}{row}" for row in "12345" for column in "ABCDE"), rally.state.board, strict=True))
    assert {cell: lies for cell, lies in board.items() if lies} == laid
    assert set(laid) == {"C1", "E3", "C5", "A3", "B2", "D2", "D4", "B4", "C3"}


# --- CR-S3: the row and the unused corners ---------------------------------------------------------------------------


def test_cr_s3_the_row_is_three_tiles(deal):
    """Form the row by drawing 3 map tiles face-up."""
    rally = deal(2, two_players())
    assert rally.state.row == tuple(ROW)
    assert [event.rule for event in happened(rally, RowFilled)] == ["CR-S3"]


def test_cr_s3_for_two_players_two_corners_get_a_tile(deal):
    """Every unused starting corner gets a random tile, randomly turned."""
    rally = deal(2, two_players())
    dealt = [event for event in happened(rally, TileDealt) if event.rule == "CR-S3"]
    assert {event.cell for event in dealt} == {"E1", "A5"}
    assert [word for event in dealt for word in (event.tile, str(event.rot))] == TWO_CORNERS


@pytest.mark.parametrize(("players", "used"), [(2, 2), (3, 3), (4, 4)])
def test_cr_s3_every_unused_corner_gets_a_tile(start, house, players, used):
    """In a 2- or 3-player game; four players leave no corner unused."""
    rally = start(players, 1, house)
    own = set(rally.config.corners.values())
    dealt = {event.cell for event in happened(rally, TileDealt) if event.rule == "CR-S3"}
    assert len(own) == used
    assert dealt == {"A1", "E1", "A5", "E5"} - own


def test_cr_s3_unused_corners_follow_the_chosen_ones(start, house):
    """Whoever chooses corners chooses also which are unused."""
    rally = start(3, 1, house, corner_red="E5", corner_blue="A1", corner_green="E1")
    assert [event.cell for event in happened(rally, TileDealt) if event.rule == "CR-S3"] == ["A5"]


# --- CR-S4: seats, corners, cars, cards ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "corners"),
    [
        ({}, {"A1", "E5"}),
        ({"corner_blue": "A1"}, {"A1", "E5"}),
        ({"corner_red": "A5", "corner_blue": "E1"}, {"A5", "E1"}),
    ],
)
def test_cr_s4_two_players_start_in_diagonally_opposite_corners(start, house, options, corners):
    """For two-player games start from opposite corners, and a seat starts where it chose to."""
    rally = start(2, 1, house, **options)
    assert set(rally.config.corners.values()) == corners
    for name, corner in options.items():
        assert rally.config.corners[name.removeprefix("corner_")] == corner


@pytest.mark.parametrize("options", [{}, {"corner_green": "A1"}, {"corner_yellow": "E1", "corner_red": "E5"}])
def test_cr_s4_no_two_seats_share_a_corner(start, house, options):
    """Each seat takes a corner of its own."""
    rally = start(4, 1, house, **options)
    assert set(rally.config.corners.values()) == {"A1", "E1", "A5", "E5"}
    for name, corner in options.items():
        assert rally.config.corners[name.removeprefix("corner_")] == corner


@pytest.mark.parametrize(
    ("players", "options", "code", "rule"),
    [
        (2, {"corner_red": "A1", "corner_blue": "E1"}, "corners-not-opposite", "CR-S4"),
        (2, {"corner_red": "A1", "corner_blue": "A1"}, "corner-twice", "CR-S4"),
        (3, {"corner_red": "E5", "corner_green": "E5"}, "corner-twice", "CR-S4"),
        (3, {"car_red": "buggy", "car_green": "buggy"}, "car-twice", "CR-S4"),
        (2, {"car_red": "tractor"}, "unknown-car", "CR-C5"),
        (2, {"corner_red": "C3"}, "bad-choice", ""),
        (2, {"layout": "circle"}, "bad-choice", ""),
        (2, {"corner_green": "A1"}, "unknown-option", ""),
    ],
)
def test_cr_s4_impossible_wishes_are_told_at_the_setup(start, house, players, options, code, rule):
    """Two seats cannot share a corner or a car, two players cannot start side by side."""
    with pytest.raises(SetupError) as caught:
        start(players, 1, house, **options)
    assert [(problem.code.partition("/")[2], problem.rule) for problem in caught.value.problems] == [(code, rule)]


def test_cr_s4_all_impossible_wishes_are_told_at_once(start, house):
    """A bad car does not hide a bad corner."""
    with pytest.raises(SetupError) as caught:
        start(2, 1, house, car_red="tractor", corner_red="A1", corner_blue="A5")
    codes = {problem.code.partition("/")[2] for problem in caught.value.problems}
    assert codes == {"unknown-car", "corners-not-opposite"}


def test_cr_s4_one_random_car_and_one_random_card_each(deal):
    """One random car each; one secret checkpoint card each."""
    rally = deal(2, two_players())
    assert [(racer.car, racer.card) for racer in rally.state.racers] == [("254", "K2"), ("245", "K1")]


@pytest.mark.parametrize("at", [0, 1], ids=["car", "card"])
def test_cr_s4_nobody_gets_what_another_has(deal, at):
    """There is one of each car and of each card."""
    outcomes = two_players()
    first = len(outcomes) - 10
    outcomes[first + 2 + at] = outcomes[first + at]
    with pytest.raises(ImpossibleOutcomeError):
        deal(2, outcomes)


def test_cr_s4_specific_cars_may_be_chosen(start, house):
    """You may choose specific cars: the chosen one is given, and nobody draws it."""
    for seed in range(12):
        rally = start(4, seed, house, car_blue="buggy", car_yellow="race-car")
        cars = [racer.car for racer in rally.state.racers]
        assert (cars[1], cars[3]) == ("buggy", "race-car")
        assert len(set(cars)) == 4


def test_cr_s4_the_card_is_secret_and_the_car_is_not(deal):
    """The car data sheet lies face-up, the checkpoint card is given face-down."""
    rally = deal(2, two_players())
    for viewer, event in product(("red", "blue", None), happened(rally, SeatPrepared)):
        seen = RULESET.redact(rally.config, event, viewer)
        assert (seen.car, seen.card) == (event.car, event.card if viewer == event.seat else None), viewer


# --- CR-S5: the markers ----------------------------------------------------------------------------------------------


def test_cr_s5_the_last_marker_drawn_plays_first(deal):
    """Markers are stacked in the order drawn: the top, the last drawn, plays first."""
    rally = deal(2, two_players(markers="red blue"))
    assert [event.seats for event in happened(rally, MarkersStacked)] == [("red", "blue")]
    assert rally.state.order == ("blue", "red")
    assert rally.due() == [("blue", "start")]


def test_cr_s5_the_second_from_the_top_plays_second(start, house):
    """Second player is second from the top, etc."""
    rally = start(4, 5, house)
    (stacked,) = happened(rally, MarkersStacked)
    played = []
    while rally.state.stage is Stage.STARTING:
        ((seat, kind),) = rally.due()
        if kind == "start":
            played.append(seat)
        rally.do(seat, next(iter(RULESET.legal(rally.config, rally.state, seat))))
    assert played == list(reversed(stacked.seats))


def test_cr_s5_the_markers_begin_on_thirty_with_no_minutes_spent(deal):
    """The 30-minute mark is 0 minutes spent."""
    rally = deal(2, two_players())
    assert [racer.minutes for racer in rally.state.racers] == [0, 0]
    assert rally.fact("red", "dial") == 30


# --- CR-S6: the start ------------------------------------------------------------------------------------------------


def test_cr_s6_the_first_player_draws_four_tiles(deal):
    """Draw 4 map tiles from the stack to your hand, and do not show them to your opponents."""
    rally = deal(2, two_players())
    (drawn,) = happened(rally, TilesDrawn)
    assert (drawn.seat, drawn.tiles, drawn.rule) == ("red", ("HG1", "HG2", "HG3", "HG4"), "CR-S6")
    assert RULESET.redact(rally.config, drawn, "blue").tiles == (None,) * 4
    assert rally.racer("blue").hand == ()


def test_cr_s6_each_player_completes_before_the_next_draws(deal):
    """In player order, each player follows these steps before moving on to the next player."""
    rally = deal(2, two_players())
    told = rally.do("red", Place("HG1", "A1", 0), "UC1", "UC2", "UC3", "UC4")
    assert [(drawn.seat, drawn.tiles) for drawn in told.of(TilesDrawn)] == [("blue", ("UC1", "UC2", "UC3", "UC4"))]
    assert rally.racer("red").hand == ("HG2", "HG3", "HG4")
    assert rally.due() == [("blue", "start")]
    told = rally.do("blue", Place("UC3", "E5", 0))
    assert told.of(RaceStarted)
    assert rally.state.stage is Stage.RACING
    assert rally.racer("blue").cell == "E5"


def test_cr_s6_tile_and_drive_are_both_clocked(deal):
    """Laying costs as CR-P (here 4: nothing matches), the drive onto it what the car needs for that road (red: 2)."""
    rally = deal(2, two_players())
    told = rally.do("red", Place("HG1", "A1", 0), "UC1", "UC2", "UC3", "UC4")
    assert [(amount, rule) for amount, _, rule in told.why] == [(4, "CR-P1"), (2, "CR-S6")]
    assert rally.racer("red").minutes == 6
    assert [type(event) for event in told[:2]] == [TilePlaced, CarDriven]
    assert told.of(CarDriven)[0].came_from is None


def test_cr_s6_matches_make_the_start_cheaper(scene):
    """Two border pieces and two neighbours touch a corner tile: two desert borders and one highway leave 4 − 3 + 2."""
    rally = scene({"B1": "HC1", "E5": "GM1"}, red={"hand": "HD1 HD2 HD3 HD4"}, blue={"cell": "E5", "minutes": 9})
    told = rally.do("red", Place("HD1", "A1", 0))
    assert [rule for _, _, rule in told.why] == ["CR-P1", "CR-P2", "CR-P3", "CR-P3", "CR-S6"]
    assert told.minutes == rally.racer("red").minutes == 3


def test_cr_s6_the_cost_told_beforehand_is_the_cost(scene):
    """``cost`` of a start tile counts the drive as well."""
    rally = scene({"E5": "GM1"}, red={"hand": "HC1 GC1 UC1 UC2"}, blue={"cell": "E5", "minutes": 9})
    told = [rally.minutes("red", Place(tile, "A1", 0)) for tile in ("HC1", "GC1", "UC1")]
    assert told == [4 + 2, 4 + 4, 4 + 5]


def test_cr_s6_first_a_start_tile_is_placed_in_the_own_corner(scene):
    """Nothing else can be done before: each player completes these steps before moving on."""
    rally = scene({"E5": "GM1"}, row="GM2 GM3 GM4", red={"hand": "HC1 HC2 HC3 HC4"}, blue={"cell": "E5", "minutes": 9})
    for cell in ("E1", "B1"):
        assert rally.why_not("red", Place("HC1", cell, 0)) == ("not-your-corner", "CR-S6"), cell
    assert rally.why_not("red", Place("HC5", "A1", 0)) == ("not-in-hand", "CR-P1")
    assert rally.why_not("red", Place("HC1", "A1", 0, gps=True)) == ("nothing-to-keep", "CR-P5")
    others = (Move(("A1",)), DrawTwo(), Refresh(), Take("GM2"), Discard(("HC1",)), Keep(("HC1", "HC2", "HC3")))
    for order in others:
        assert rally.why_not("red", order) == ("start-first", "CR-S6"), order


def test_cr_s6_the_others_wait_for_the_start(scene):
    """Whoever has started already takes no turn before all have."""
    rally = scene({"E5": "GM1"}, red={"hand": "HC1", "minutes": 9}, blue={"cell": "E5"})
    assert rally.wrong("blue", DrawTwo()) == ("not-your-turn", "CR-T1")


def test_cr_s6_all_four_tiles_may_be_laid_in_all_rotations(deal):
    """Any of the four, turned in any way: 16 orders, and no other."""
    rally = deal(2, two_players())
    expected = {Place(tile, "A1", rot) for tile in ("HG1", "HG2", "HG3", "HG4") for rot in (0, 90, 180, 270)}
    assert set(RULESET.legal(rally.config, rally.state, "red")) == expected


def test_cr_s6_entering_marks_a_checkpoint_on_the_corner(scene):
    """Ruling: the entry marks a checkpoint if the corner is one."""
    rally = scene({"E5": "GM1"}, red={"hand": "HC1 HC2 HC3 HC4", "map": "A1 C3"}, blue={"cell": "E5", "minutes": 9})
    told = rally.do("red", Place("HC1", "A1", 0))
    assert [event.cell for event in told.of(CheckpointMarked)] == ["A1"]
    assert rally.racer("red").marked == ("A1",)


def test_cr_s6_the_entry_may_even_finish_the_race(scene):
    """A map of the corner alone: 4 + 2 − 2 for the first of two, and the other has its last chance once it has started."""
    rally = scene({}, red={"hand": "HC1 HC2 HC3 HC4", "map": "A1"}, blue={"hand": "GC1 GC2 GC3 GC4"})
    assert rally.minutes("red", Place("HC1", "A1", 0)) == 4
    told = rally.do("red", Place("HC1", "A1", 0))
    assert told.minutes == 4
    assert told.of(CarFinished)
    assert rally.due() == [("blue", "start")]
    told = rally.do("blue", Place("GC1", "E5", 0))
    assert [event.seat for event in told.of(LastChanceBegun)] == ["blue"]
    assert rally.due() == [("blue", "action")]


def test_cr_s6_a_draw_line_crossed_at_the_start_draws(scene):
    """Ruling: a draw line crossed here draws too; here 10 + 4 + 2 minutes cross the one at 15."""
    rally = scene({}, red={"hand": "HC1 HC2 HC3 HC4", "minutes": 10}, blue={"minutes": 10})
    told = rally.do("red", Place("HC1", "A1", 0), "UC1")
    assert [(event.tiles, event.rule) for event in told.of(TilesDrawn)] == [(("UC1",), "CR-T2")]


def test_cr_s6_a_discard_at_the_start_comes_before_the_next_player(scene):
    """Four tiles less one, and one for the draw line: one must go before the next player draws four."""
    rally = scene({}, red={"hand": "HC1 HC2 HC3 HC4", "minutes": 10}, blue={"minutes": 10})
    rally.do("red", Place("HC1", "A1", 0), "UC1")
    assert rally.due() == [("red", "discard")]
    assert rally.racer("blue").hand == ()
    told = rally.do("red", Discard(("HC2",)), "UM1", "UM2", "UM3", "UM4")
    assert [event.seat for event in told.of(TilesDrawn)] == ["blue"]
    assert rally.due() == [("blue", "start")]


@pytest.mark.parametrize("rot", [180, 270])
def test_cr_s6_a_tile_without_exit_onto_the_board_locks_in(scene, tile, rot):
    """Legal, but warned of: in A1 a bend must lead east or south, turned by 270 degrees it leads only off the board."""
    rally = scene({}, extra=[tile("H1", "NE", "cccc")], red={"hand": "H1 HC2"}, blue={"hand": "HC3"})
    assert tuple(RULESET.warnings(rally.config, rally.state)) == ()
    rally.do("red", Place("H1", "A1", rot))
    warnings = tuple(RULESET.warnings(rally.config, rally.state))
    assert len(warnings) == (1 if rot == 270 else 0)
    assert all("red" in warning and "A1" in warning and "CR-S6" in warning for warning in warnings)


def test_cr_s6_with_a_short_stack_there_is_what_there_is(scene):
    """Stack and discard pile hold three tiles: the next player starts with those (CR-T3)."""
    rally = scene({}, stack="UC1 UC2 UC3", red={"hand": "HC1 HC2", "minutes": 1}, blue={"minutes": 2})
    rally.do("red", Place("HC1", "A1", 0), "UC1", "UC2", "UC3")
    assert rally.racer("blue").hand == ("UC1", "UC2", "UC3")


def test_cr_s6_four_for_the_first_and_one_for_the_second_is_enough(scene):
    """Two players without a hand need at least five tiles: the second is dealt the one that is left."""
    with pytest.raises(SetupError):
        scene({}, stack="UC1 UC2 UC3 UC4", red={}, blue={})
    rally = scene({}, stack="UC1 UC2 UC3 UC4 UC5", outcomes="UC1 UC2 UC3 UC4", red={}, blue={})
    rally.do("red", Place("UC1", "A1", 0), "UC5")
    assert rally.racer("blue").hand == ("UC5",)


def test_cr_s6_the_discard_pile_may_be_dealt_from(scene):
    """The stack is empty, but the discard pile becomes the new one (CR-T3)."""
    rally = scene({}, stack="", discard="UC1", red={"hand": "HC1"}, blue={})
    rally.do("red", Place("HC1", "A1", 0), "UC1")
    assert rally.racer("blue").hand == ("UC1",)


def test_cr_s6_a_player_without_any_tile_to_start_with_is_told_at_the_setup(scene):
    """No hand, no stack, no discard pile: that player could never start, so the position is impossible."""
    with pytest.raises(SetupError):
        scene({}, stack="", red={"hand": "HC1"}, blue={})


# --- the set-up as a whole -------------------------------------------------------------------------------------------


def test_cr_s_the_setup_goes_in_the_rulebooks_order(deal):
    """Border, nine cells, row, unused corners, seats, markers, the first hand."""
    rally = deal(2, two_players())
    kinds = [type(event) for event in rally.game.journal[0].entry.events]
    changes = [kinds[0], *(after for before, after in pairwise(kinds) if after is not before)]
    assert changes == [BorderLaid, TileDealt, RowFilled, TileDealt, SeatPrepared, MarkersStacked, TilesDrawn]


def test_cr_s_all_the_rest_is_the_stack(deal):
    """The remaining map tiles are placed in a stack."""
    rally = deal(2, two_players())
    assert len(rally.stack) == 60 - 9 - 3 - 2 - 4
    assert not {*NINE, *ROW, *TWO_CORNERS, "HG1"} & set(rally.stack)


@pytest.mark.parametrize("at", [10, 26, 29])
def test_cr_s_no_tile_is_dealt_twice(deal, at):
    """What lies on the board or in the row cannot come out of the stack again."""
    outcomes = two_players()
    outcomes[at] = "HC1"
    with pytest.raises(ImpossibleOutcomeError):
        deal(2, outcomes)


def unfit(start, components, players=2, **options):
    """Return the code and the rule of each problem by which a set-up is refused."""
    with pytest.raises(SetupError) as caught:
        start(players, 1, components, **options)
    return [(problem.code.partition("/")[2], problem.rule) for problem in caught.value.problems]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cr_s_a_set_must_have_enough_tiles(start, parts, players):
    """Nine cells, the row, the unused corners and four for each hand: one tile fewer is too few."""
    needed = 9 + 3 + (4 - players) + 4 * players
    tiles = parts().tiles
    assert len(tiles) >= needed
    assert start(players, 1, parts(tiles=tiles[:needed])).state.stage is Stage.STARTING
    assert unfit(start, parts(tiles=tiles[: needed - 1]), players) == [("unfit-set", "CR-C2")]


def test_cr_s_a_set_must_have_enough_cards_and_cars(start, parts):
    """Three players need three of each; both shortages are told."""
    few = parts(maps={"K1": ("A1",), "K2": ("A5",)}, cars={"a": (2, 4, 5), "b": (2, 4, 5)})
    assert start(2, 1, few).state.stage is Stage.STARTING
    assert unfit(start, few, 3) == [("unfit-set", "CR-C4"), ("unfit-set", "CR-C5")]


@pytest.mark.parametrize(("what", "rule"), [("tiles", "CR-C2"), ("borders", "CR-C3"), ("cards", "CR-C4"), ("cars", "CR-C5")])
def test_cr_s_a_set_with_two_parts_of_one_id_is_unfit(start, parts, what, rule):
    """An order names a tile by its id alone; and so do files name all other parts."""
    plain = parts()
    twice = replace(plain, **{what: (*getattr(plain, what), getattr(plain, what)[0])})
    assert unfit(start, twice) == [("unfit-set", rule)]


def test_cr_s_a_tile_id_must_be_writable(start, parts):
    """A letter, then letters and digits in capitals: what an order can name."""
    for name in ("h1", "1H", "H-1", "Ä1", "H 1"):
        odd = Tile(name, *(getattr(parts().tiles[0], field) for field in ("road", "exits", "sides")))
        assert unfit(start, parts(extra=[odd])) == [("unfit-set", "CR-C2")], name


def test_cr_s_an_exit_named_twice_is_unfit(start, parts, tile):
    """A side has one exit or none."""
    assert unfit(start, parts(extra=[tile("H1", "NN", "cccc")])) == [("unfit-set", "CR-C2")]


@pytest.mark.parametrize(("cells", "rule"), [("A1 A6", "CR-C1"), ("A1 C3 A1", "CR-C4")])
def test_cr_s_a_map_must_be_on_the_board_and_name_a_cell_once(start, parts, cells, rule):
    """A checkpoint off the board could never be reached. Both halves of the card have it here."""
    assert unfit(start, parts(maps={"K1": cells.split(), "K2": ["A1"]})) == [("unfit-set", rule)] * 2


def test_cr_s_what_is_wrong_with_the_set_hides_no_wish_that_cannot_be(start, parts, tile):
    """All is told at once, each by its own rule."""
    problems = unfit(start, parts(extra=[tile("H1", "NN", "cccc")]), car_red="tractor", corner_red="A1", corner_blue="A5")
    assert problems == [("unfit-set", "CR-C2"), ("unknown-car", "CR-C5"), ("corners-not-opposite", "CR-S4")]
