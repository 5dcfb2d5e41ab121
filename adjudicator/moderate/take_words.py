"""Takes the words for chance that stand in sheets into a game: entries behind the orders of the same adjudication."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Link
from adjudicator.core.order import SheetWord
from adjudicator.core.words import with_word, words_now
from adjudicator.numbering import numbering
from adjudicator.outputs.orders import Fate
from adjudicator.session import Session

_RECORDED: Final = "the chance of this game is recorded: there is nothing to mix a word into"
_OVER: Final = "the game is over: nothing is drawn any more that a word could be mixed into"
_LATER: Final = "a later one counts in its place"


@frozen
class WordsTaken:
    """What came of words for chance: the ``game``, and the new ``links`` of its journal.

    ``notes`` (seat, words) tell of words that make no entry. ``fates`` tell of each line (source, number) what became of
    the word in it, and why or how.
    """

    game: Game
    links: tuple[Link, ...]
    notes: tuple[tuple[Seat, str], ...]
    fates: Mapping[tuple[str, int], tuple[Fate, str]]


def take_words(session: Session, game: Game, words: Mapping[Seat, Sequence[SheetWord]]) -> WordsTaken:
    """Return ``game``, to which an adjudication of ``session`` has led, with the last of the ``words`` of each seat.

    A word that is its seat's already makes no entry; nor does any where chance is recorded, or when the game is over.
    """
    before, turn, known = len(game.journal), session.game.turn, words_now(game) if words else {}
    vain = _vain(session, game) if words else ""
    notes: list[tuple[Seat, str]] = []
    fates: dict[tuple[str, int], tuple[Fate, str]] = {}
    for seat in (seat for seat in session.seats if words.get(seat)):
        *others, last = words[seat]
        fates.update(((other.source, other.line), (Fate.IGNORED, _LATER)) for other in others)
        if others:
            notes.append((seat, f"{len(words[seat])} words for chance were sent, and the last one counts: {last.word}"))
        is_known = known.get(seat) == last.word
        why = vain or (f"“{last.word}” is the word of {seat} already: it is mixed in" if is_known else "")
        if why:
            notes.append((seat, why))
        else:
            game = with_word(game, seat, last.word, turn)
        fates[last.source, last.line] = (Fate.IGNORED, why) if why else (Fate.APPLIED, _entry(game))
    return WordsTaken(game, tuple(game.journal[before:]), tuple(notes), fates)


def words_of_seats(words: Iterable[tuple[Seat, SheetWord]]) -> dict[Seat, tuple[SheetWord, ...]]:
    """Return ``words`` by seat, each seat's in their order."""
    found: dict[Seat, tuple[SheetWord, ...]] = {}
    for seat, word in words:
        found[seat] = (*found.get(seat, ()), word)
    return found


def _vain(session: Session, game: Game) -> str:
    if game.chance.source == "recorded":
        return _RECORDED
    return _OVER if session.rules.is_over(session.config, game.state) else ""


def _entry(game: Game) -> str:
    number = numbering(link.entry for link in game.journal).public[-1]
    return f"entry {number}, mixed in from the next turn on"
