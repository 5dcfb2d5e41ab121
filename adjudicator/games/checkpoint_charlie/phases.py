"""The order of play: whom each phase asks what, and what follows."""

from __future__ import annotations

from typing import Final

from adjudicator.game import Phase, at_stage
from adjudicator.games.checkpoint_charlie.markers import close_hearing, hear, score_round
from adjudicator.games.checkpoint_charlie.rounds import (
    LAST_CALL,
    begin_round,
    choosers,
    close_window,
    end_accusing,
    turn_card,
    waiting_in_window,
)
from adjudicator.games.checkpoint_charlie.state import Stage, in_turn

PHASES: Final = (
    Phase("CC-S2", at_stage(Stage.CLUES), choosers, begin_round),
    Phase("CC-V1", at_stage(Stage.TURNING), follow=turn_card),
    Phase("CC-P1", at_stage(Stage.WINDOW), waiting_in_window, close_window),
    Phase("CC-A2", at_stage(Stage.LAST_CALL), lambda at: LAST_CALL.to(*in_turn(at, at.state.silent)[:1]), end_accusing),
    Phase("CC-E1", lambda at: at.state.stage is Stage.SCORING and at.state.speaking, hear, close_hearing),
    Phase("CC-K1", at_stage(Stage.SCORING), follow=score_round),
)
