"""The road book in words, and an old route compared with this one."""

from adjudicator.games.rally_round.board import road_names
from adjudicator.games.rally_round.office.road_book import road_book
from adjudicator.games.rally_round.office.routes import compared, lay, told
from adjudicator.games.rally_round.route import legs_of, sections_of


def laid(world, *controls, main="." * 15, **more):
    return lay(world.parts(main, **more), world.rally(*controls))


def test_every_junction_feature_and_control_is_an_instruction(world):
    route = laid(world, "A1", "G1 W", "M1 W road", main="..q......!.....", lanes=["E1 E2 E3"])
    (section,) = route.config.sections
    names = {key: name for key, name in road_names(route.components).items() if "1" in key[0]}
    assert [line.replace(names["A1", "B1"], "Main Road") for line in road_book(route.config, section, names)] == [
        "TC1 A1: leave to the east on Main Road",
        "after 2 squares: C1, Quiet Zone 40 mph",
        "after 2 squares: E1: straight on",
        "after 2 squares: G1, PC2",
        "after 3 squares: J1, hazard",
        "after 3 squares: TC3 M1, entered from the west",
    ]


def test_turns_are_told_from_the_side_that_the_car_comes_from(world):
    route = laid(world, "A1", "E3 N road", lanes=["E1 E2 E3 E4"])
    told_ = told(route, {}).laid[0].road_book
    assert any(line.startswith("after 4 squares: E1: right onto ") for line in told_)
    route = laid(world, "M1", "E3 N road", lanes=["E1 E2 E3 E4"])
    assert any(line.startswith("after 8 squares: E1: left onto ") for line in told(route, {}).laid[0].road_book)


def test_an_old_route_is_compared_square_by_square(world):
    route = laid(world, "A1", "G1 W", "M1 W road")
    (section,) = sections_of(legs_of(route.network, route.rally))
    same = {"PC2": ("A1", "B1", "C1", "D1", "E1", "F1", "G1"), "TC3": ("H1", "I1", "J1", "K1", "L1", "M1")}
    assert compared(section, same).step == 0
    assert compared(section, {"TC3": (*same["PC2"], *same["TC3"])}).step == 0
    assert compared(section, {**same, "TC3": ("G1", "H1", "I1", "J1", "K1", "L1", "M1")}).step == 0
    other = compared(section, {**same, "TC3": ("H1", "I1", "K1")})
    assert (other.step, other.ours, other.theirs) == (9, "J1", "K1")
    short = compared(section, {"PC2": same["PC2"]})
    assert (short.step, short.ours, short.theirs) == (7, "H1", "")
    assert compared(section, {"TC9": ("A1",)}) is None
