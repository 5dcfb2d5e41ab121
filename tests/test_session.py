"""Loading a game: its stored state must be the fold of its events."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.conditions import Compare, Comparison, FactOf, Number
from adjudicator.core.engine import adjudicate
from adjudicator.core.order import Instruction, Sheet, When
from adjudicator.files.errors import Untrusted
from adjudicator.games.checkpoint_charlie.orders import Wait
from adjudicator.rulesets import ruleset
from adjudicator.session import load_session
from adjudicator.store.save import dump_game
from adjudicator.testing import play_games

ROOT = Path(__file__).parent.parent
RACE = ROOT / "examples/checkered-flag/race/game.json"
LATER = When(Compare(FactOf("round"), Comparison.AT_LEAST, Number(99)), Wait())
"""An order whose condition fails."""


def test_a_state_that_is_not_the_fold_of_the_events_is_refused(forge: Callable[[dict[str, Any]], bytes]) -> None:
    document = json.loads(RACE.read_bytes())
    racer = document["state"]["racers"][0]
    racer["driven"] += 1
    with pytest.raises(Untrusted) as caught:
        load_session(forge(document))
    told = [str(violation) for violation in caught.value.violations]
    right, found = racer["driven"] - 1, racer["driven"]
    assert told == [f"state.racers[0].driven: must be {right} according to the journal, not {found}"]


def test_a_sound_game_is_loaded_from_its_path() -> None:
    assert load_session(RACE) == load_session(RACE.read_bytes())


def test_a_state_in_which_an_earlier_program_reopened_an_answer_is_corrected() -> None:
    """The events count: the seat has answered, and an order whose condition failed came after that."""
    rules = ruleset("checkpoint-charlie")
    games = play_games(rules, 4, most_orders=40)
    corrected = 0
    for moment in games.sampled():
        for seat in moment.session.seats:
            reopened = rules.position_before_answer(moment.session.config, moment.state, seat)
            if reopened is not None:
                sheet = Sheet(seat, (Instruction(LATER),))
                game = adjudicate(rules, moment.session.config, moment.game, [sheet]).game
                assert load_session(dump_game(replace(game, state=reopened))).game == game
                corrected += 1
    assert corrected
