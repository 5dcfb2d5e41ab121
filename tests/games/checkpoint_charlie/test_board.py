"""The picture of the table: orders can be written by it, and it shows nobody what it must not."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from adjudicator.core.drawing import Drawing
from adjudicator.games.checkpoint_charlie import board
from adjudicator.games.checkpoint_charlie.components import LOOKS, Face
from adjudicator.games.checkpoint_charlie.orders import Accuse
from adjudicator.reports.drawings.scene_text import description_lines
from adjudicator.reports.pictures.picture import boards_of, picture
from adjudicator.scenes import Group

TEXT = "{http://www.w3.org/2000/svg}text"


def table_of(game, viewer) -> Drawing:
    return game.rules.draw(game.config, game.view(viewer))


def svg_of(game, viewer) -> str:
    return picture(table_of(game, viewer), "a game", game.config.seats)


def words_of(game, viewer) -> set[str]:
    return {text.text or "" for text in ElementTree.fromstring(svg_of(game, viewer)).iter(TEXT)}


def places_of(game, viewer):
    return {place.seat: place for place in board.table_of(game.config, game.view(viewer)).places}


def at_a_window(scene, clue="hat", markers="G5a W1a", green="no_newspaper"):
    """Return a window of three: two rows and a pile, and what red alone holds."""
    red = {"clue": clue, "row": ("Sasha",), "markers": markers}
    blue = {"clue": "grey", "turned": "Nils Lotte Carla", "accused": "Sasha"}
    return scene(red=red, blue=blue, green={"clue": green}, public=("sweater", "glasses"))


def test_whom_one_may_accuse_stands_on_a_card(scene):
    game = at_a_window(scene)
    accusable = {order.suspect for order in game.legal("red", Accuse)}
    assert accusable == {"Nils", "Lotte", "Carla"}
    assert accusable <= words_of(game, "red")
    assert {"row", "pile", "Sasha", "Laces (red)", "Lansbury (blue)"} <= words_of(game, "red")
    on_cards = {card.label for place in places_of(game, "red").values() for cards in place.cards for card in cards.cards}
    assert not {"Boris", "Viktor"} & on_cards


def test_the_wall_crosses_off_who_misses_a_clue_that_the_viewer_knows(scene):
    """Red knows its own clue and the public ones; who is not turned yet is dashed, and hidden clues change nothing."""
    game, other = at_a_window(scene), at_a_window(scene, green="newspaper")
    for viewer, clues in (("red", {"hat", "sweater", "glasses"}), (None, {"sweater", "glasses"})):
        wall = wall_of(game, viewer)
        cards = {one.id: one.parts for one in wall.parts if isinstance(one, Group)}
        assert {*cards} == {*game.config.looks}
        crossed = {name for name, parts in cards.items() if len(parts) == 5}
        looks = {name: {face.value for face in faces} for name, faces in game.config.looks.items()}
        assert crossed == {name for name, faces in looks.items() if not clues <= faces}
        clear = {name for name, parts in cards.items() if parts[1].opacity == 1}
        assert clear == {"Sasha", "Nils", "Lotte", "Carla"} - crossed
        solid = {name for name, parts in cards.items() if not parts[0].stroke_dasharray}
        assert solid == {"Sasha", "Nils", "Lotte", "Carla"}
        assert wall == wall_of(other, viewer)


def test_a_cross_covers_no_name_and_the_wall_is_first(scene):
    """The cross begins below the name, and the first picture is the wall, which pages and cards show."""
    wall = boards_of(table_of(at_a_window(scene), "red"))[0]
    assert (wall.id, wall.is_beside) == ("wall", False)
    for card in wall.parts:
        name, crosses = card.parts[2], card.parts[4:]
        assert name.text == card.id
        assert all(float(re.match(r"M[0-9.]+ ([0-9.]+)", cross.way)[1]) > name.y + 5 for cross in crosses)


def test_the_suspects_of_a_component_set_are_the_wall(scene):
    """Nobody is crossed off there, and the legend explains only what is drawn."""
    wall, legend = board.catalogue(at_a_window(scene).config.components)
    assert {len(card.parts) for card in wall.parts} == {4}
    assert [entry.name for row in legend.rows for entry in row] == [look.value for look in LOOKS]


def wall_of(game, viewer):
    return next(shape for shape in table_of(game, viewer).shapes if getattr(shape, "id", "") == "wall")


def test_the_person_on_a_card_is_the_suspect(scene):
    game = at_a_window(scene)
    cards = [card for place in places_of(game, None).values() for cards in place.cards for card in cards.cards]
    assert {card.label for card in cards} == {"Sasha", "Nils", "Lotte", "Carla"}
    for card in cards:
        seen = {feature.look.value if not feature.is_missing else f"no_{feature.look.value}" for feature in card.features}
        assert seen == {face.value for face in game.config.looks[card.label]}
        assert card.pieces == (("blue",) if card.label == "Sasha" else ())


def test_every_face_has_a_look_of_its_own():
    looks = {face.value.removeprefix("no_") for face in Face}
    assert looks == {look.value for look in LOOKS}


def test_the_deck_and_what_is_secret_lie_face_down(scene):
    game = at_a_window(scene)
    middle, red, blue = (places_of(game, "blue")[seat] for seat in ("", "red", "blue"))
    assert [(cards.label, cards.down, cards.cards) for cards in middle.cards] == [("deck", 28 + len(game.state.cards), ())]
    assert [counter.feature and counter.feature.text for counter in middle.counters[0].counters] == ["sweater", "glasses"]
    clue, markers = (counters.counters for counters in red.counters)
    assert [(counter.text, counter.mark, counter.feature) for counter in clue] == [("secret", "", None)]
    assert [(counter.text, counter.mark) for counter in markers] == [("gold", "G"), ("white", "W")]
    assert blue.counters[0].counters[0].feature.look is Face.GREY
    own = places_of(game, "red")["red"].counters
    assert own[0].counters[0].feature.text == "hat"
    assert [counter.mark for counter in own[1].counters] == ["G5", "W1"]


def test_two_tables_that_differ_in_secrets_are_one_picture_to_others(scene):
    one, other = at_a_window(scene), at_a_window(scene, clue="newspaper", markers="G4a W2a", green="no_hat")
    for viewer in ("blue", None):
        assert svg_of(one, viewer) == svg_of(other, viewer)
        assert description_lines(table_of(one, viewer)) == description_lines(table_of(other, viewer))
    assert svg_of(one, "red") != svg_of(other, "red")


def test_what_a_card_matches_is_told_by_the_clues_one_knows(scene):
    game = at_a_window(scene)
    for viewer, clues in (("red", 3), ("blue", 3), (None, 2)):
        cards = [card for place in places_of(game, viewer).values() for cards in place.cards for card in cards.cards]
        assert {card.remark.partition("/")[2] for card in cards} == {str(clues)}
        for card in cards:
            assert card.remark.partition("/")[0] == str(game.fact(viewer, "matches", card.label))
