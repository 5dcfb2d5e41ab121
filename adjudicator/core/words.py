"""Words that players add to chance during a game: entries of the journal that no undo removes.

A word affects only outcomes that were not drawn when it came, and so none of the adjudication that recorded it. Outcomes
drawn before an undo are drawn again unchanged: no word makes a draw happen twice.
"""

from __future__ import annotations

from typing import Any, Final

from adjudicator.core.chance import WordSent
from adjudicator.core.game import Game
from adjudicator.core.journal import Entry, link
from adjudicator.core.values import Seat, replace

KEYWORD: Final = "WORD"
"""The first word of a line that sends a word for chance."""


def is_word(entry: Entry) -> bool:
    """Return whether ``entry`` holds a word for chance and no order."""
    return bool(entry.events) and type(entry.events[0]) is WordSent


def words_sent(game: Game) -> tuple[WordSent, ...]:
    """Return the words sent since the beginning of ``game``, in the order of its journal."""
    return tuple(entry.events[0] for entry in game.journal.those(is_word))


def words_now(game: Game) -> dict[str, str]:
    """Return the latest word of each seat that has sent one, before the beginning or since."""
    return {**game.chance.entropy, **{word.seat: word.word for word in words_sent(game)}}


def with_word(game: Game, seat: Seat, word: str, turn: int) -> Game:
    """Return ``game`` with ``word``, in its standard form, from ``seat``, as the last entry so far of that ``turn``."""
    last = game.journal[-1].entry
    # An undo does not lower this number: an outcome that was drawn once is never drawn with other words.
    event = WordSent(seat=seat, word=word, outcome=max(link.entry.drawn for link in game.journal))
    entry = word_entry(event, n=last.n + 1, turn=turn, drawn=last.drawn)
    return replace(game, journal=game.journal.extended((link(game.head, entry),)))


def word_entry(event: WordSent, **members: Any) -> Entry:
    """Return the entry that holds ``event``, with its public text as the order; ``members``: ``n``, ``turn``, ``drawn``."""
    order = f"{KEYWORD} {event.word}"
    return Entry(seat=event.seat, order=order, written=None, notes=(), events=(event,), **members)
