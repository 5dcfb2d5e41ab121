"""Games of version 1 of the rules today: decided as they were, and which of them would go otherwise now (CR-C3, CR-F2)."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from play import begin

from adjudicator.audit.audit_source import audit_source
from adjudicator.audit.decide import audit_game
from adjudicator.games.checkpoint_rally.components import BorderOrder
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.session import open_session
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.store.components import shipped, shipped_version
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

RECORDED = sorted((Path(__file__).parents[2] / "data" / "games" / "checkpoint-rally").glob("*.json"))
SEED = "5" * 64


@pytest.fixture(scope="module")
def games():
    """Every recorded game by its name."""
    return {path.stem: load_game(path) for path in RECORDED}


def of_version(games, version):
    return {name: game for name, game in games.items() if game.ruleset.version == version}


def chance_ended_by_an_action_of_no_time(game):
    """Return the words of the orders that ended a last chance and moved no marker."""
    found = []
    for link in game.journal:
        events = link.entry.events
        moved = any(event.kind == "spent" and event.before != event.after for event in events)
        if any(event.kind == "last-chance-ended" for event in events) and not moved:
            found.append(link.entry.order.split()[0])
    return found


def verdict_of(path, *, is_impact):
    with Opener() as opener:
        return audit_source(Source(str(path), str(path)), opener, is_impact=is_impact)


def test_there_are_recorded_games_of_both_versions(games):
    """Those of version 1 have its house set, those of version 2 their own."""
    assert len(of_version(games, 1)) >= 5
    assert len(of_version(games, 2)) >= 3
    assert {game.components.version for game in of_version(games, 1).values()} == {1}
    assert {game.components.version for game in of_version(games, 2).values()} == {2}


def test_cr_f2_the_impact_names_the_games_that_would_have_gone_otherwise(games):
    """All are verified by their own rules; by the present ones those differ where such an action ended a last chance."""
    ended = {name: chance_ended_by_an_action_of_no_time(game) for name, game in games.items()}
    assert {word for words in ended.values() for word in words} == {"TAKE", "PLACE"}
    assert not any(ended[name] for name in of_version(games, 2))
    different = set()
    for path in RECORDED:
        verdict = verdict_of(path, is_impact=True)
        if verdict.divergence is not None:
            different.add(path.stem)
            assert "last-chance-ended" in verdict.divergence.recorded
            assert verdict.divergence.rule == "CR-F2"
    assert different == {name for name, words in ended.items() if words}
    for name in different:
        assert verdict_of(next(path for path in RECORDED if path.stem == name), is_impact=False).divergence is None


def test_cr_f2_a_forged_version_is_found_where_the_versions_differ(games):
    """A game of version 2 whose last chance went on after an action of no time cannot pass as one of version 1."""
    forged = {}
    for name, game in of_version(games, 2).items():
        verdict = audit_game(open_session(replace(game, ruleset=replace(game.ruleset, version=1))))
        if verdict.divergence is not None:
            forged[name] = verdict.divergence
    assert forged
    assert {divergence.rule for divergence in forged.values()} == {"CR-F2"}


def test_cr_c3_no_recorded_game_of_version_1_is_read_clockwise(games):
    """Its set says nothing, so it is read by the compass; read clockwise, most games would not add up."""
    old = list(of_version(games, 1).values())[:10]
    assert {game.setup.components.border_order for game in old} == {BorderOrder.COMPASS}
    otherwise = 0
    for game in old:
        assert audit_game(open_session(game)).divergence is None
        turned = replace(game.setup.components, border_order=BorderOrder.CLOCKWISE)
        verdict = audit_game(open_session(replace(game, setup=replace(game.setup, components=turned))))
        otherwise += verdict.divergence is not None
    assert otherwise >= 5


def begun(components, version=0):
    return begin(id="g-1", components=components, secret=SEED, version=version)


def test_cr_c3_a_new_game_has_the_house_set_of_version_2():
    """A game that is begun by version 1 can have the house set of that time."""
    new = begun(shipped(RULESET)[0]).game
    assert (new.ruleset.version, new.components.version) == (2, 2)
    old = begun(shipped_version(RULESET, "house", 1)[0], version=1).game
    assert (old.ruleset.version, old.components.version) == (1, 1)
    for game in (new, old):
        data = dump_game(game)
        assert json.loads(data)["setup"]["components"] is None  # it is shipped, so the file only names it
        assert load_game(data) == load_game(data) == game


@pytest.mark.parametrize("border_order", list(BorderOrder))
def test_cr_c3_a_set_of_ones_own_keeps_its_order_in_the_file(border_order):
    """An old one is written without the field, so that its hash stands; both are read as they were."""
    own = replace(shipped(RULESET)[0], id="own", version=1, border_order=border_order)
    game = begun(own).game
    data = dump_game(game)
    written = json.loads(data)["setup"]["components"]
    assert written.get("border_order", "compass") == border_order
    assert ("border_order" in written) == (border_order is BorderOrder.CLOCKWISE)
    assert load_game(data) == load_game(data) == game
