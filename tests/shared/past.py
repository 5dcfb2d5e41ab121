"""A game as it once stood, found by itself: what replays find faster is compared with it."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.replay import Move
from adjudicator.session import Session


def session_after(session: Session, move: Move) -> Session:
    """Return ``session`` as it stood after ``move``, with nothing pending: what was, the record does not say."""
    past = session.game.journal[: move.entry.n + 1]
    receipts = tuple(receipt for receipt in session.game.receipts if receipt.turn <= move.entry.turn)
    set_aside = tuple(one for one in session.game.set_aside if one.turn <= move.entry.turn)
    reported = min(session.game.reported, len(past))
    then = replace(session.game, journal=past, pending=(), state=move.state, receipts=receipts, reported=reported)
    return session.with_game(replace(then, set_aside=set_aside))
