"""Games as earlier versions made them: with words for chance that players sent in later turns."""

from __future__ import annotations

import adjudicator as adj
from adjudicator.core.chance import WordSent
from adjudicator.core.journal import link
from adjudicator.core.step import Taken
from adjudicator.core.values import Seat, replace


def with_word(game: adj.Game, seat: str, word: str, *, beside: bool = False) -> adj.Game:
    """Return ``game`` with a ``word`` of ``seat``, ``beside`` the orders of the adjudication before it or alone."""
    record = game.record
    drawn = record.journal[-1].entry.drawn
    event = WordSent(seat=Seat(seat), word=word, outcome=max(one.entry.drawn for one in record.journal))
    turn = record.turn - beside
    entry = Taken((event,), record.state, event.order_text(), drawn=drawn).entry(len(record.journal), turn, Seat(seat))
    return game.with_record(replace(record, journal=(*record.journal, link(record.head, entry))))
