"""Games of version 1 of the rules today: decided as they were, and none would go otherwise now (CF-B2, CF-D1)."""

from pathlib import Path

import pytest
from play import begin

from adjudicator.audit.audit_source import audit_source
from adjudicator.games.checkered_flag.rules import RULESET
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

RECORDED = sorted((Path(__file__).parents[2] / "data" / "games" / "checkered-flag").glob("*.json"))
OLD = [path for path in RECORDED if load_game(path).ruleset.version == 1]


def begun(version=0, **options):
    return begin("checkered-flag", id="g-1", options=options, secret="5" * 64, version=version)


def test_there_are_recorded_games_of_both_versions():
    assert len(OLD) >= 5
    assert len(RECORDED) - len(OLD) >= 5


@pytest.mark.parametrize("is_impact", [False, True])
def test_cf_b2_no_game_of_version_1_would_have_gone_otherwise(is_impact):
    """What could be ordered then does the same now: more may be ordered, and the game asks where it asked."""
    for path in OLD:
        with Opener() as opener:
            assert audit_source(Source(str(path), str(path)), opener, is_impact=is_impact).divergence is None


def test_cf_b2_a_game_of_version_1_brakes_as_by_the_option_last():
    """It has no such option, neither in its file nor to be chosen."""
    old, new = begun(version=1), begun(braking="last")
    assert "braking" not in old.game.setup.options
    assert old.config == new.config
    assert begun().config.brakes_freely
    assert load_game(dump_game(old.game)) == old.game


def test_cf_b2_a_running_game_of_version_1_reads_the_new_words():
    """They are held to the stops that it has."""
    session = begun(version=1)
    first = RULESET.awaiting(session.config, session.game.state)[0].seat
    done = adjudicate_files(session, [("orders.txt", f"{first}: GEAR 1 brake 6".encode())])
    assert done.accepted
    assert done.session.game.state.racer(first).driven > 0
