"""The components as shipped: the house set (and the tiny example set) read as plain JSON.

The rulebook prints no tile faces, border pieces or checkpoint maps, so nothing here can be compared with the
published game. What is tested is what the rulebook does say (CR-C2 to CR-C5) and what makes the house set fair
and good to play: balance, no twins, comparable distances.
"""

import json
from collections import Counter
from importlib.resources import files
from itertools import combinations, pairwise, permutations
from pathlib import Path

import pytest

from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.store.components import shipped, shipped_version

SIDES = ("N", "E", "S", "W")
ROADS = {"highway": "H", "gravel": "G", "urban": "U"}
TERRAINS = {"city", "mountains", "grassland", "desert"}
CELLS = {column + row for column in "ABCDE" for row in "12345"}
CORNERS = ("A1", "E1", "A5", "E5")
MAP_SIZES = {"upper": 4, "lower": 3}

HOUSE_FILE = files("adjudicator.games.checkpoint_rally") / "data" / "house.json"
OLD_HOUSE_FILE = files("adjudicator.games.checkpoint_rally") / "data" / "house-1.json"
TINY_FILE = Path(__file__).parents[3] / "examples" / "checkpoint-rally" / "own-set" / "tiny-set.json"

HOUSE_TEXT = HOUSE_FILE.read_text(encoding="utf-8")
OLD_HOUSE = json.loads(OLD_HOUSE_FILE.read_text(encoding="utf-8"))
TINY_TEXT = TINY_FILE.read_text(encoding="utf-8")
HOUSE = json.loads(HOUSE_TEXT)
TINY = json.loads(TINY_TEXT)


# --- helpers ---------------------------------------------------------------------------------------------------------


def tiles_of(parts, road):
    """List the tiles of one road type."""
    return [tile for tile in parts["tiles"] if tile["road"] == road]


def terrain_sides(tiles):
    """Count how many tile sides show each terrain."""
    return Counter(terrain for tile in tiles for terrain in tile["sides"])


def shape(tile):
    """Name the road's shape from its exits."""
    exits = tile["exits"]
    if len(exits) == 2:
        return "straight" if exits in (["N", "S"], ["E", "W"]) else "bend"
    return {3: "T-junction", 4: "crossing"}[len(exits)]


def turns(ring):
    """List the four rotations of a sequence of four sides."""
    return [tuple(ring[n:]) + tuple(ring[:n]) for n in range(4)]


def face(tile):
    """Describe a tile's exits and terrains so that two tiles equal under rotation get equal descriptions."""
    return min(turns([(side in tile["exits"], terrain) for side, terrain in zip(SIDES, tile["sides"], strict=True)]))


def terrain_ring(tile):
    """Describe a tile's terrains alone, again the same for every rotation."""
    return min(turns(tile["sides"]))


def terrain_pattern(tile):
    """Count each terrain of a tile, most frequent first: (3, 1) is one terrain on three sides."""
    return tuple(sorted(Counter(tile["sides"]).values(), reverse=True))


def border_sides(parts):
    """List every side of every border piece, two for each piece."""
    return [tuple(piece[side]) for piece in parts["borders"] for side in ("front", "back")]


def maps_of(parts, which):
    """List the upper or the lower map of every card."""
    return [tuple(card[which]) for card in parts["cards"]]


def distance(start, end):
    """Count the orthogonal steps from one cell to another."""
    return abs(ord(start[0]) - ord(end[0])) + abs(ord(start[1]) - ord(end[1]))


def tour(corner, cells):
    """Count the steps of the shortest walk from a corner through all the cells, in any order, without return."""
    return min(sum(distance(a, b) for a, b in pairwise((corner, *order))) for order in permutations(cells))


def tours(cells):
    """List the tour length from each of the four corners."""
    return [tour(corner, cells) for corner in CORNERS]


def uses(which):
    """Count on how many house maps each cell that is not a corner appears."""
    used = Counter(cell for cells in maps_of(HOUSE, which) for cell in cells)
    return {cell: used[cell] for cell in CELLS - set(CORNERS)}


# --- the file --------------------------------------------------------------------------------------------------------


def test_cr_c2_the_set_says_that_it_is_a_house_set():
    """The rulebook prints no faces, and the file must not pretend to be a transcription."""
    assert (HOUSE["id"], HOUSE["version"], HOUSE["name"]) == ("house", 2, "House set")
    assert "house set" in HOUSE["note"].lower() and "rulebook" in HOUSE["note"]


def test_cr_c3_the_house_set_of_version_1_differs_in_its_border_alone():
    """Games that were begun with it go on with it; everything but the border pieces is the same."""
    assert (OLD_HOUSE["id"], OLD_HOUSE["version"]) == ("house", 1)
    assert "border_order" not in OLD_HOUSE
    assert {name for name in HOUSE if HOUSE[name] != OLD_HOUSE.get(name)} == {"version", "border_order", "borders"}


def test_cr_c3_the_hash_of_the_house_set_of_version_1_stands():
    """It is in the heading of every game begun with that set, and so in every hash of its journal."""
    _, ref = shipped_version(RULESET, "house", 1)
    assert (ref.version, ref.hash) == (1, "b50762564f6fde582437ff0184d6e3af8d60186ec787a809c4eba22a677a63ee")
    assert shipped_version(RULESET, "house", 2)[1] == shipped(RULESET)[1] != ref


def test_cr_c3_a_set_that_is_written_today_is_written_clockwise():
    """A piece is the same strip on every side."""
    for parts in (HOUSE, TINY):
        assert parts["border_order"] == "clockwise", parts["id"]


def test_cr_c2_a_set_has_the_same_fields_everywhere():
    """Whoever transcribes the real set needs one format, without exceptions."""
    for parts in (HOUSE, TINY):
        fields = ["id", "version", "name", "note", "tiles", "border_order", "borders", "cards", "cars"]
        assert list(parts) == fields, parts["id"]
        assert {tuple(tile) for tile in parts["tiles"]} == {("id", "road", "exits", "sides")}, parts["id"]
        assert {tuple(piece) for piece in parts["borders"]} == {("id", "front", "back")}, parts["id"]
        assert {tuple(card) for card in parts["cards"]} == {("id", "upper", "lower")}, parts["id"]
        assert {tuple(car) for car in parts["cars"]} == {("id", "name", "highway", "gravel", "urban")}, parts["id"]


def test_cr_c2_no_id_is_used_twice():
    """An order names a component by its id alone."""
    for parts in (HOUSE, TINY):
        ids = [part["id"] for kind in ("tiles", "borders", "cards", "cars") for part in parts[kind]]
        assert len(ids) == len(set(ids)), parts["id"]


def test_cr_c2_the_file_has_one_component_a_line():
    """A person compares the file with the cardboard, line by line."""
    for text in (HOUSE_TEXT, TINY_TEXT):
        lines = text.splitlines()
        components = [json.loads(line.rstrip(",")) for line in lines if line.startswith("  {")]
        parts = json.loads(text)
        assert components == parts["tiles"] + parts["borders"] + parts["cards"] + parts["cars"], parts["id"]
        assert text.endswith("}\n"), parts["id"]


# --- CR-C2: tiles ----------------------------------------------------------------------------------------------------


def test_cr_c2_there_are_forty_two_tiles():
    """The rulebook counts 42 map tiles."""
    assert len(HOUSE["tiles"]) == 42


def test_cr_c2_each_road_type_has_fourteen_tiles():
    """Fourteen tiles of each road type, numbered in order behind the road's letter."""
    for road in ROADS:
        assert [tile["id"] for tile in tiles_of(HOUSE, road)] == [f"{ROADS[road]}{n}" for n in range(1, 15)], road


def test_cr_c2_every_tile_has_one_known_road_type():
    """A tile is highway, gravel or urban."""
    for parts in (HOUSE, TINY):
        assert {tile["road"] for tile in parts["tiles"]} == set(ROADS), parts["id"]


def test_cr_c2_every_tile_has_two_or_more_exits():
    """Exits are named once each, in the order N E S W; a road leads somewhere, so there are at least two."""
    for parts in (HOUSE, TINY):
        for tile in parts["tiles"]:
            assert tile["exits"] == [side for side in SIDES if side in tile["exits"]], (parts["id"], tile["id"])
            assert len(tile["exits"]) >= 2, (parts["id"], tile["id"])


def test_cr_c2_every_tile_has_a_known_terrain_on_each_side():
    """Four sides, each with one of the four terrains."""
    for parts in (HOUSE, TINY):
        for tile in parts["tiles"]:
            assert len(tile["sides"]) == 4 and set(tile["sides"]) <= TERRAINS, (parts["id"], tile["id"])


def test_cr_c2_each_road_type_has_the_same_mix_of_shapes():
    """4 straights, 5 bends, 3 T-junctions and 2 crossings: no road type is better connected than another."""
    for road in ROADS:
        shapes = Counter(shape(tile) for tile in tiles_of(HOUSE, road))
        assert shapes == {"straight": 4, "bend": 5, "T-junction": 3, "crossing": 2}, road


def test_cr_c2_no_two_tiles_are_equal_under_rotation():
    """Within a road type every tile is its own, however it is turned."""
    for parts in (HOUSE, TINY):
        for road in ROADS:
            faces = [face(tile) for tile in tiles_of(parts, road)]
            assert len(set(faces)) == len(faces), (parts["id"], road)


def test_cr_c2_no_two_tiles_have_the_same_terrains():
    """Stronger: even across the road types no ring of terrains comes twice."""
    assert len({terrain_ring(tile) for tile in HOUSE["tiles"]}) == 42


def test_cr_c2_each_terrain_is_on_a_quarter_of_all_sides():
    """42 of 168 sides each, the middle of the 22-28 % that a good set may have."""
    assert terrain_sides(HOUSE["tiles"]) == dict.fromkeys(TERRAINS, 42)


def test_cr_c2_each_terrain_is_balanced_within_a_road_type():
    """14 of 56 sides each, so that a terrain says nothing about the road."""
    for road in ROADS:
        assert terrain_sides(tiles_of(HOUSE, road)) == dict.fromkeys(TERRAINS, 14), road


def test_cr_c2_each_terrain_is_on_as_many_tiles_of_a_road_type():
    """A replacement counts terrain types, not sides: each type is on 9 of the 14 tiles."""
    for road in ROADS:
        present = Counter(terrain for tile in tiles_of(HOUSE, road) for terrain in set(tile["sides"]))
        assert present == dict.fromkeys(TERRAINS, 9), road


def test_cr_c2_road_exits_are_spread_over_the_terrains():
    """Of the 35 exits of a road type 8 or 9 lead through each terrain."""
    for road in ROADS:
        exits = Counter(
            terrain
            for tile in tiles_of(HOUSE, road)
            for side, terrain in zip(SIDES, tile["sides"], strict=True)
            if side in tile["exits"]
        )
        assert set(exits) == TERRAINS and set(exits.values()) <= {8, 9}, road


def test_cr_c2_most_tiles_have_two_or_three_terrains():
    """Per road type three tiles have one terrain on three sides, one has all four, none a single one."""
    for road in ROADS:
        patterns = Counter(terrain_pattern(tile) for tile in tiles_of(HOUSE, road))
        assert patterns == {(2, 1, 1): 6, (2, 2): 4, (3, 1): 3, (1, 1, 1, 1): 1}, road


def test_cr_c2_the_tile_that_matches_any_terrain_has_a_plain_road():
    """All four terrains replace anything cheaply; the price is that such a tile is only a straight."""
    assert {shape(tile) for tile in HOUSE["tiles"] if len(set(tile["sides"])) == 4} == {"straight"}


def test_cr_c2_every_pair_of_terrains_meets_on_tiles_as_often():
    """No two terrains belong together: the six pairs share a tile equally often, give or take one."""
    pairs = Counter(pair for tile in HOUSE["tiles"] for pair in combinations(sorted(set(tile["sides"])), 2))
    assert len(pairs) == 6 and max(pairs.values()) - min(pairs.values()) <= 1


# --- CR-C3: border pieces --------------------------------------------------------------------------------------------


def test_cr_c3_there_are_four_border_pieces():
    """One for each side of the board."""
    for parts in (HOUSE, TINY):
        assert [piece["id"] for piece in parts["borders"]] == ["P1", "P2", "P3", "P4"], parts["id"]


def test_cr_c3_every_border_side_has_five_known_terrains():
    """A piece is as long as the board and printed on both sides."""
    for parts in (HOUSE, TINY):
        for terrains in border_sides(parts):
            assert len(terrains) == 5 and set(terrains) <= TERRAINS, parts["id"]


def test_cr_c3_border_terrains_are_balanced():
    """Of the 40 terrains on all pieces each type has 10."""
    for parts in (HOUSE, TINY):
        printed = Counter(terrain for side in border_sides(parts) for terrain in side)
        assert printed == dict.fromkeys(TERRAINS, 10), parts["id"]


def test_cr_c3_no_two_border_sides_are_equal():
    """Front differs from back and piece from piece, also when one is read from the other end."""
    for parts in (HOUSE, TINY):
        sides = border_sides(parts)
        assert len({min(side, side[::-1]) for side in sides}) == len(sides) == 8, parts["id"]


def test_cr_c3_no_terrain_runs_longer_than_two():
    """A long stretch of one terrain would make a whole edge cheap."""
    for parts in (HOUSE, TINY):
        for side in border_sides(parts):
            assert all(len(set(side[n : n + 3])) > 1 for n in range(3)), (parts["id"], side)


# --- CR-C4: checkpoint cards -----------------------------------------------------------------------------------------


def test_cr_c4_there_are_twenty_cards():
    """The rulebook counts 20 checkpoint map cards."""
    assert [card["id"] for card in HOUSE["cards"]] == [f"K{n}" for n in range(1, 21)]


def test_cr_c4_the_upper_map_has_four_checkpoints_and_the_lower_three():
    """A player has four tokens, and the upper map is the longer game."""
    for which in MAP_SIZES:
        assert {len(cells) for cells in maps_of(HOUSE, which)} == {MAP_SIZES[which]}, which


def test_cr_c4_checkpoints_are_cells_but_never_corners():
    """A corner is somebody's start: a checkpoint there would be free for one player and far for the others."""
    for parts in (HOUSE, TINY):
        for which in MAP_SIZES:
            for cells in maps_of(parts, which):
                assert set(cells) <= CELLS - set(CORNERS), (parts["id"], which, cells)


def test_cr_c4_no_map_names_a_cell_twice():
    """Every checkpoint of a map is another cell, and the cells stand in reading order of their names."""
    for parts in (HOUSE, TINY):
        for which in MAP_SIZES:
            for cells in maps_of(parts, which):
                assert list(cells) == sorted(set(cells)), (parts["id"], which, cells)


def test_cr_c4_no_two_maps_are_equal():
    """Two players never have the same race."""
    for parts in (HOUSE, TINY):
        for which in MAP_SIZES:
            maps = maps_of(parts, which)
            assert len({frozenset(cells) for cells in maps}) == len(maps), (parts["id"], which)


def test_cr_c4_no_two_maps_are_nearly_equal():
    """Two maps share at most two cells."""
    for which in MAP_SIZES:
        assert max(len(set(a) & set(b)) for a, b in combinations(maps_of(HOUSE, which), 2)) <= 2, which


def test_cr_c4_checkpoints_of_a_map_are_not_neighbours():
    """Two checkpoints side by side would be one stop."""
    for parts in (HOUSE, TINY):
        for which in MAP_SIZES:
            for cells in maps_of(parts, which):
                assert all(distance(a, b) > 1 for a, b in combinations(cells, 2)), (parts["id"], which, cells)


def test_cr_c4_a_map_is_as_far_from_every_corner():
    """The shortest tour of a map differs by at most two steps from corner to corner."""
    for parts in (HOUSE, TINY):
        for which in MAP_SIZES:
            for cells in maps_of(parts, which):
                assert max(tours(cells)) - min(tours(cells)) <= 2, (parts["id"], which, cells)


@pytest.mark.parametrize(("which", "steps"), [("upper", 10), ("lower", 8)])
def test_cr_c4_all_maps_are_equally_long(which, steps):
    """The mean tour over the four corners is the same number of steps on every card."""
    assert {sum(tours(cells)) for cells in maps_of(HOUSE, which)} == {4 * steps}


def test_cr_c4_no_corner_is_the_better_seat():
    """Over all cards the tours from each corner add up to the same."""
    for which in MAP_SIZES:
        totals = [sum(column) for column in zip(*map(tours, maps_of(HOUSE, which)), strict=True)]
        assert len(set(totals)) == 1, which


def test_cr_c4_every_cell_is_used_about_as_often():
    """The use of any two cells differs by at most one card, so no part of the board lies idle."""
    for which in MAP_SIZES:
        used = uses(which).values()
        assert min(used) >= 1 and max(used) - min(used) <= 1, which


def test_cr_c4_the_centre_is_not_overused():
    """Everybody passes C3 anyway: no cell is asked for less often."""
    for which in MAP_SIZES:
        assert uses(which)["C3"] == min(uses(which).values()), which


def test_cr_c4_the_two_maps_of_a_card_are_different_races():
    """Upper and lower map of a card share at most one cell."""
    assert all(len(set(card["upper"]) & set(card["lower"])) <= 1 for card in HOUSE["cards"])


# --- CR-C5: cars -----------------------------------------------------------------------------------------------------


def test_cr_c5_there_are_the_six_cars_of_the_rulebook():
    """Named in the rulebook's order."""
    assert [car["id"] for car in HOUSE["cars"]] == [
        "race-car",
        "electric-car",
        "rally-car",
        "four-wheel-drive",
        "sports-car",
        "buggy",
    ]


def test_cr_c5_the_cars_are_the_six_permutations_of_two_four_five():
    """Six cars, three road types, three times: every car is another permutation."""
    minutes = [tuple(car[road] for road in ROADS) for car in HOUSE["cars"]]
    assert sorted(minutes) == sorted(permutations((2, 4, 5)))


@pytest.mark.parametrize(
    ("car_id", "road"),
    [("race-car", "highway"), ("rally-car", "gravel"), ("four-wheel-drive", "gravel"), ("electric-car", "urban")],
)
def test_cr_c5_a_car_is_fast_where_its_name_promises(car_id, road):
    """A race car belongs on the highway, an electric car in town."""
    assert next(car for car in HOUSE["cars"] if car["id"] == car_id)[road] == 2


# --- a moderator's own set -------------------------------------------------------------------------------------------


def test_cr_c2_the_tiny_set_is_enough_for_two_players():
    """The set-up with two players takes 9 + 3 + 2 tiles and two hands of 4; the tiny set has two to spare."""
    assert TINY["id"] == "tiny"
    assert Counter(tile["road"] for tile in TINY["tiles"]) == dict.fromkeys(ROADS, 8)
    assert len(TINY["tiles"]) == 9 + 3 + 2 + 2 * 4 + 2


def test_cr_c2_half_of_the_tiny_set_are_crossings():
    """It is made to play fast: roads meet nearly everywhere."""
    assert sum(shape(tile) == "crossing" for tile in TINY["tiles"]) == 12


def test_cr_c4_the_tiny_set_has_four_cards_of_two_checkpoints():
    """One card for each of up to four players, two checkpoints on either map."""
    for which in MAP_SIZES:
        assert [len(cells) for cells in maps_of(TINY, which)] == [2, 2, 2, 2], which


def test_cr_c5_each_road_type_has_its_fast_car_in_the_tiny_set():
    """With only three cars each is the fastest on one road type."""
    for road in ROADS:
        assert sorted(car[road] for car in TINY["cars"])[0] == 2 and len(TINY["cars"]) == 3, road
