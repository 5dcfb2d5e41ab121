"""The table as its viewers see it: the map, the dashboards, cards and bag, and in words what lies around a vehicle."""

from importlib.resources import files

import pytest

from adjudicator.core.drawing import Fields
from adjudicator.core.frozen import change
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.ruleset import Player, Setup
from adjudicator.core.scene import Scene
from adjudicator.files import typed
from adjudicator.games.great_race.board import direction
from adjudicator.games.great_race.components import CardId, Components, SpaceId, TileId
from adjudicator.games.great_race.config import configured, effect_told
from adjudicator.games.great_race.rules import RULESET
from adjudicator.games.great_race.state import Assistants, Keeping, Laid, Laying, Stage, begun
from adjudicator.reports.drawings.drawing_text import drawing_text
from adjudicator.reports.drawings.scene_parts import found_in
from adjudicator.reports.pictures.picture import picture
from adjudicator.scenes import Gauge

HOUSE = typed.read(Components, (files("adjudicator.games.great_race") / "data" / "house.json").read_text(encoding="utf-8"))
RED, BLUE = Seat("red"), Seat("blue")
CONFIG = configured(Setup((Player(RED), Player(BLUE)), {"board": "africa", "start": "Cape-Town"}, HOUSE), 1)
VIEWERS = (RED, BLUE, None, MODERATOR)


@pytest.fixture
def state():
    """The second round, planned: red is on a tile beside Windhoek, blue still at the Cape."""
    found = begun(CONFIG).with_crew(
        RED, space=SpaceId("G14"), fuel=4, chassis=3, hand=(CardId.JERRYCAN, CardId.JERRYCAN, CardId.RANGER)
    )
    laid = (Laid(SpaceId("G14"), TileId("dunes")), Laid(SpaceId("H14"), TileId("storm")))
    return change(found, stage=Stage.PLANNING, round=2, laid=laid, markers=(BLUE, RED), removed=(TileId("mud"),))


def drawing(state, viewer=RED):
    return RULESET.draw(CONFIG, RULESET.view(CONFIG, state, viewer))


def shape(state, kind, title="", viewer=RED):
    return next(
        shape for shape in drawing(state, viewer).shapes if isinstance(shape, kind) and shape.title.startswith(title)
    )


def panel(state, seat, viewer=RED):
    held = [one.holds for one in found_in(shape(state, Scene, seat, viewer)) if one.holds]
    return dict((one.label, (one.level, one.most)) if isinstance(one, Gauge) else one for one in held)


def test_gr_c4_a_dashboard_shows_gauges_money_and_place(state):
    told, full = panel(state, "red"), HOUSE.gauges
    gauges = (told["fuel"], told["engine"], told["chassis"])
    assert gauges == ((4, full.fuel), (full.engine, full.engine), (3, full.chassis))
    assert (told["at"], told["lane"], told["cash"]) == ("G14", "3/16", "80 F")


def test_gr_h2_hands_are_named_to_their_owner_and_counted_to_others(state):
    assert panel(state, "red")["hand"] == "2 Jerrycan, Ranger" == panel(state, "red", MODERATOR)["hand"]
    assert panel(state, "red", BLUE)["hand"] == "3 cards" == panel(state, "red", None)["hand"]
    assert panel(state, "blue")["hand"] == "no cards"


def test_gr_h2_a_plan_is_told_to_its_owner_and_sealed_to_others(state):
    planned = state.with_crew(RED, plan=Assistants(2, 0, 1, 2))
    assert panel(planned, "red")["assistants"] == "scouts 2, escort 1, funding 2"
    assert panel(planned, "red", BLUE)["assistants"] == "planned, sealed"
    assert panel(planned, "blue", BLUE)["assistants"] == "not planned yet"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"active": Assistants(1, 2, 0, 0)}, "scouts 1, mechanics 2"),
        ({"active": Assistants(0, 0, 2, 0), "has_passed": True}, "passed, escort 2"),
        ({"has_passed": True}, "passed"),
        ({}, "none left"),
        ({"arrival": 1, "space": SpaceId("Algiers")}, "arrived first"),
    ],
)
def test_gr_v1_assistants_left_are_told_in_the_convoy(state, changes, told):
    driving = change(state, stage=Stage.CONVOY).with_crew(RED, **changes)
    assert panel(driving, "red", BLUE)["assistants"] == told


def test_gr_n2_map_and_lanes_show_tiles_vehicles_and_markers(state):
    found = found_in(shape(state, Scene))
    regions = {one.name: one.holds for one in found if one.token is None}
    assert (len(regions["G14"][1]), len(regions["H14"][1])) == (2, 3)
    standing = [(one.name, one.id) for one in found if one.token]
    assert {("G14", "red"), ("lane 1", "blue"), ("lane 3", "red")} <= {*standing}
    assert len(standing) == 4


def test_gr_c2_cards_and_tiles_are_counted_the_same_for_all(state):
    for viewer in VIEWERS:
        told = dict(shape(state, Fields, "Cards", viewer).rows)
        assert told == {
            "round": "2, planning",
            "face up": "no cards",
            "deck": "42 cards",
            "discarded": "no cards",
            "bag": "57 tiles",
            "out of the game": "1 Mud",
        }


def test_gr_a1_what_was_drawn_is_told_to_who_drew_it(state):
    scouting = change(state, pending=Laying(seat=RED, tiles=(TileId("road"), TileId("pass"))))
    assert (
        dict(shape(scouting, Fields, "Cards").rows)["drawn by red"] == "Made road (no cost), Mountain pass (2 fuel, 2 parts)"
    )
    assert dict(shape(scouting, Fields, "Cards", BLUE).rows)["drawn by red"] == "2 tiles"
    keeping = change(state, pending=Keeping(seat=RED, cards=(CardId.RANGER, CardId.TOOLBOX)))
    assert dict(shape(keeping, Fields, "Cards").rows)["drawn by red"] == "Ranger, Toolbox"
    assert dict(shape(keeping, Fields, "Cards", None).rows)["drawn by red"] == "2 cards"


def test_what_lies_around_the_own_vehicle_is_told_in_words(state):
    assert shape(state, Fields, "Around").rows == (
        ("here", "G14, High dunes (3 fuel, 1 part)"),
        ("west", "Windhoek, city, 2 cards"),
        ("east", "H14, Sandstorm (2 fuel, danger, stop), risk zone"),
        ("north-west", "G13, empty"),
        ("north-east", "H13, empty, risk zone"),
        ("south-west", "G15, empty"),
        ("south-east", "H15, empty, risk zone"),
    )


def test_gr_d5_lines_and_gr_d6_a_breakdown_are_told_in_words(state):
    broken = state.with_crew(RED, space=SpaceId("Beira"), engine=0)
    assert panel(broken, "red", None)["at"] == "Beira, broken down"
    rows = shape(broken, Fields, "Around").rows
    assert rows[:2] == (("here", "Beira, city, 1 card"), ("", "broken down: the engine is at 0"))
    assert rows[-2:] == (("sea line", "to Mombasa for 80 F"), ("air line", "to Bukama for 70 F"))


def test_each_viewer_is_told_of_its_own_vehicle_and_the_moderator_of_all(state):
    told = {
        viewer: [found.title for found in drawing(state, viewer).shapes if getattr(found, "title", "").startswith("Around")]
        for viewer in VIEWERS
    }
    assert told == {
        RED: ["Around your vehicle"],
        BLUE: ["Around your vehicle"],
        None: [],
        MODERATOR: ["Around red", "Around blue"],
    }


@pytest.mark.parametrize(
    ("x", "y", "told"),
    [(12, 10, "east"), (8, 10, "west"), (10, 12, "south"), (10, 8, "north"), (11, 11, "south-east"), (9, 9, "north-west")],
)
def test_directions_are_those_of_the_map(x, y, told):
    here = CONFIG.roads.spaces[SpaceId("G14")]
    assert direction(change(here, x=10, y=10), change(here, x=x, y=y)) == told


@pytest.mark.parametrize("viewer", VIEWERS)
def test_all_of_it_is_drawn_as_text_and_as_a_picture(state, viewer):
    text = drawing_text(drawing(state, viewer))
    assert max(map(len, text.splitlines())) <= 120
    assert ("Jerrycan" in text) is (viewer in (RED, MODERATOR))
    found = picture(drawing(state, viewer), "x")
    assert found is not None and ("Jerrycan" in found) is (viewer in (RED, MODERATOR))


def test_who_sees_it_reads_its_standing_answers_to_danger(race):
    table = race(stage=Stage.PLANNING)
    table.do("red", "REACT danger with ranger only if parts > 1")
    shapes = table.rules.draw(table.config, table.view("red")).shapes
    (answers,) = [shape for shape in shapes if getattr(shape, "title", "") == "Your standing answers"]
    said = "with ranger, if it would lose more than 1 part"
    assert answers.rows == (("danger cards", said), ("tiles drawn", said))
    others = table.rules.draw(table.config, table.view("blue")).shapes
    assert "Standing answers of red" not in [getattr(shape, "title", "") for shape in others]
    everything = table.rules.draw(table.config, table.view(MODERATOR)).shapes
    assert "Standing answers of red" in [getattr(shape, "title", "") for shape in everything]


def choices(state, viewer):
    return dict(RULESET.choices(CONFIG, RULESET.view(CONFIG, state, viewer)))


def test_the_cards_in_a_hand_are_explained_to_their_owner_alone(state):
    assert choices(state, RED) == {
        "Jerrycan": "get 1 fuel; play it at any time (GR-K3)",
        "Ranger": "cancel a danger; play it at any time (GR-K3)",
    }
    for viewer in (BLUE, None, MODERATOR):
        assert choices(state, viewer) == {}


def test_gr_b1_cards_in_the_bivouac_are_explained_to_those_who_take_one(state):
    offered = change(state, stage=Stage.BIVOUAC, offered=(CardId.TRAIL_HUNTER, CardId.DRIVER), takers=(BLUE,))
    assert choices(offered, BLUE) == {
        "Trail hunter": "draw 3 cards and keep all but one; play it before an assistant (GR-K1)",
        "Driver": "drive as with a mechanic; play it before an assistant (GR-K1)",
    }
    assert "Driver" not in choices(offered, RED)


def test_gr_k1_cards_that_a_trail_hunter_found_are_explained_to_who_keeps_them(state):
    found = change(state, stage=Stage.CONVOY, pending=Keeping(seat=BLUE, cards=(CardId.TOOLBOX,)))
    assert choices(found, BLUE) == {"Toolbox": "repair points: 3; play it with a repair (GR-K2)"}
    assert "Toolbox" not in choices(found, RED)


@pytest.mark.parametrize("card", HOUSE.cards, ids=lambda card: card.id)
def test_gr_c3_every_card_says_what_it_does_and_when_it_is_played(card):
    told = effect_told(card)
    assert "; play it " in told
    assert "{" not in told
    assert (str(card.amount) in told) is (card.amount > 0)
