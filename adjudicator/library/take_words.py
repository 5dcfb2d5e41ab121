"""Record players' words for chance in a game, as entries after the orders of the same adjudication."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from adjudicator.core.entries import with_word
from adjudicator.core.game import Record
from adjudicator.core.journal import Link
from adjudicator.core.order import SheetWord
from adjudicator.core.values import Seat, Value
from adjudicator.library.game import Game
from adjudicator.orders.turnfile import SentSheet, in_order_of_arrival
from adjudicator.results import Fate

_RECORDED: Final = "the moderator records the chance of this game by hand, so words have no effect"
_OVER: Final = "the game is over: a word has no effect any more"
_LATER: Final = "a later word counts instead"


class WordsResult(Value):
    """The result of words for chance: the ``record``, and the new ``links`` of its journal.

    ``notes`` (seat, words) are about words without an entry. ``fates`` has the result of each line (source, number) with a
    word, and the reason or the entry.
    """

    record: Record
    links: tuple[Link, ...]
    notes: tuple[tuple[Seat, str], ...]
    fates: Mapping[tuple[str, int], tuple[Fate, str]]


def take_words(game: Game, record: Record, words: Mapping[Seat, Sequence[SheetWord]]) -> WordsResult:
    """Return ``game``, the result of an adjudication of ``game``, with the last of the ``words`` of each seat.

    A word that the seat already has makes no entry. If chance is recorded or the game is over, no word does.
    """
    before, turn, known = len(record.journal), game.record.turn, game.timeline.past.words
    no_effect = _reason_without_effect(game, record) if words else ""
    notes: list[tuple[Seat, str]] = []
    fates: dict[tuple[str, int], tuple[Fate, str]] = {}
    for seat in (seat for seat in game.seats if words.get(seat)):
        *others, last = words[seat]
        fates.update(((other.source, other.line), (Fate.IGNORED, _LATER)) for other in others)
        if others:
            notes.append((seat, f"of {len(words[seat])} words for chance, the last one counts: {last.word}"))
        is_known = known.get(seat) == last.word
        why = no_effect or (f"{seat} already has the word “{last.word}”" if is_known else "")
        if why:
            notes.append((seat, why))
        else:
            record = with_word(game.rules, record, seat, last.word, turn)
        fates[last.source, last.line] = (Fate.IGNORED, why) if why else (Fate.APPLIED, _entry(game.with_record(record)))
    return WordsResult(record, tuple(record.journal[before:]), tuple(notes), fates)


def words_in(sheets: Iterable[SentSheet]) -> dict[Seat, tuple[SheetWord, ...]]:
    """Return the valid words for chance in ``sheets`` by seat, in the order of arrival, also of sheets that do not count."""
    mails = in_order_of_arrival(sent for sent in sheets if sent.words)
    return {seat: tuple(word for sent in own for word in sent.words if word.word) for seat, own in mails.items()}


def _reason_without_effect(game: Game, record: Record) -> str:
    if record.chance.source == "recorded":
        return _RECORDED
    return _OVER if game.rules.is_over(record.state) else ""


def _entry(after: Game) -> str:
    number = after.timeline.entry_numbers.public(len(after.record.journal) - 1)
    return f"entry {number}, mixed in from the next turn on"
