"""Words that players add to chance while a game goes on: entries of the journal that last, whatever is undone.

A word is mixed into the outcomes that nobody had drawn when it came, and so into none of the adjudication that took it in.
What was drawn before an undo is drawn again as it was: no word draws twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from adjudicator.core.chance import WordSent
from adjudicator.core.game import Game
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Entry, link

KEYWORD: Final = "WORD"
"""What a line of a sheet begins with that sends a word."""


def is_word(entry: Entry) -> bool:
    """Return whether ``entry`` holds a word for chance, and no order."""
    return bool(entry.events) and type(entry.events[0]) is WordSent


def words_sent(game: Game) -> tuple[WordSent, ...]:
    """Return the words sent since the beginning of ``game``, in the order of its journal."""
    return tuple(entry.events[0] for entry in game.journal.those(is_word))


def words_now(game: Game) -> dict[str, str]:
    """Return the latest word of each seat that has sent one, be it before the beginning or since."""
    return {**game.chance.entropy, **{word.seat: word.word for word in words_sent(game)}}


def with_word(game: Game, seat: Seat, word: str, turn: int) -> Game:
    """Return ``game`` with ``word``, in its one form, from ``seat``, as the last entry so far of adjudication ``turn``."""
    last = game.journal[-1].entry
    # An undo leaves this number as it was: what has been drawn once is not drawn with other words.
    event = WordSent(seat=seat, word=word, outcome=max(link.entry.drawn for link in game.journal))
    entry = word_entry(event, n=last.n + 1, turn=turn, drawn=last.drawn)
    return replace(game, journal=game.journal.extended((link(game.head, entry),)))


def word_entry(event: WordSent, **members: Any) -> Entry:
    """Return the entry that holds ``event``, its order for everybody to read; ``members``: ``n``, ``turn``, ``drawn``."""
    order = f"{KEYWORD} {event.word}"
    return Entry(seat=event.seat, order=order, written=None, notes=(), events=(event,), **members)
