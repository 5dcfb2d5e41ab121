"""Read the entries of a time sheet: speeds with their notes, times, kits."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from adjudicator.core.problem import suggest
from adjudicator.game import Value, Whole, listed, replace
from adjudicator.games.rally_round.components import CardId, Kind, KitCard
from adjudicator.games.rally_round.office.lines import Word, WrongError, said, words_of
from adjudicator.games.rally_round.office.outputs import SheetKit, SheetRow, SheetStep
from adjudicator.games.rally_round.office.sheet import kit_of
from adjudicator.games.rally_round.timing import MINUTE

MOST_ENTRIES: Final = 200
"""The most speeds of a row."""
_NOTHING: Final = ("-", "–", "—")
_NOTES: Final = ("via", "using")
_TIME: Final = re.compile(r"([0-9]{1,5})(?:[:.]([0-5][0-9]))?")
_SQUARES: Final = re.compile(r"\(\s*([-–]?[0-9]{1,2})\s*\)")
_MOST_VIA: Final = 20
_KIT: Final = {"start": "start", "accel": "faster", "decel": "slower"}


class Entry(Value):
    """A speed as written, with its notes (``step``); ``places`` are those of its words, the speed itself first."""

    speed: Whole
    step: SheetStep
    places: tuple[tuple[str, Word], ...]


def entries(behind: str, column: int) -> tuple[Entry, ...]:
    """Return the speeds in the text ``behind`` the bar, whose first character is in ``column``.

    After a speed may come the squares that the car came, ``(2)``, ``via`` and a place or a hidden track, ``using`` and a
    hazard card; ``turn`` is a turn missed by turning round. Raises ``WrongError``.
    """
    found: list[list[Word]] = []
    for word in words_of(behind, r"\([^)]*\)?|[^\s/,|(]+", column):
        is_note = word.low in _NOTES or word.text[0] == "("
        if is_note and not found:
            raise WrongError("speed", f"“{word.text}” comes after its speed", word, ["10"])
        if is_note or (found and _goes_on(found[-1], word)):
            found[-1].append(word)
        else:
            found.append([word])
    if len(found) > MOST_ENTRIES:
        raise WrongError("many", f"a row has at most {MOST_ENTRIES} speeds", found[MOST_ENTRIES][0])
    return tuple(map(_entry, found))


def _goes_on(words: Sequence[Word], word: Word) -> bool:
    """Return whether ``word`` continues a name after ``via`` or ``using``, or is the second half of ``turn round``."""
    last = words[-1].low
    if last in (*_NOTES, "turn"):
        return last != "turn" or word.low == "round"
    return any(one.low == "via" for one in words[1:]) and not re.fullmatch(r"[0-9-]+|turn", word.text)


def _entry(words: Sequence[Word]) -> Entry:
    first, places = words[0], [("speed", words[0])]
    if first.low == "turn":
        return Entry(0, SheetStep(turn=1, is_round=True), tuple(places))
    speed, via, using, squares, at = read_speed(first), list[str](), None, None, 1
    if words[1:] and words[1].text[0] == "(":
        squares, at = _read_squares(words[1]), 2
    while at < len(words):
        end = next((place for place in range(at + 1, len(words)) if words[place].low in _NOTES), len(words))
        head, name = words[at].low, words[at + 1 : end]
        if not name or (head == "using" and len(name) > 1):
            raise WrongError("note", "after a speed comes “via” and a place, “using” and a card, or squares (2)", words[at])
        word = Word(said(name), name[0].column)
        if head == "via":
            via.append(word.low.replace("’", "'"))
            places.append((f"via {len(via)}", word))
        else:
            using = CardId(word.text.upper())
            places.append(("using", word))
        at = end
    if len(via) > _MOST_VIA:
        raise WrongError("many", f"a turn leads over at most {_MOST_VIA} places", first)
    return Entry(speed, SheetStep(turn=1, via=tuple(via), using=using, squares=squares), tuple(places))


def with_entries(row: SheetRow, found: Sequence[Entry]) -> SheetRow:
    """Return ``row`` with the speeds ``found`` and their notes."""
    steps = [replace(entry.step, turn=turn) for turn, entry in enumerate(found, 1)]
    noted = tuple(step for step in steps if step != SheetStep(turn=step.turn))
    return replace(row, speeds=tuple(entry.speed for entry in found), steps=noted)


def places_of(found: Sequence[Entry]) -> Iterator[tuple[str, Word]]:
    """Yield the name and the word of each entry ``found`` in a row, such as ``speed 2`` or ``via 1 of 2``."""
    for turn, entry in enumerate(found, 1):
        yield from ((f"{name} {turn}" if name == "speed" else f"{name} of {turn}", word) for name, word in entry.places)


def read_speed(word: Word) -> int:
    """Read ``word`` as a speed. Raises ``WrongError``."""
    if not re.fullmatch(r"[0-9]{1,3}", word.text):
        meant = word.low.replace("o", "0").replace("l", "1")
        near = [meant] if re.fullmatch(r"[0-9]{1,3}", meant) else ["0"] if word.text in _NOTHING else []
        raise WrongError("speed", f"“{word.text}” is not a speed", word, near)
    return int(word.text)


def _read_squares(word: Word) -> int:
    """Read a note of squares such as ``(2)``; it is below 0 if the car rolled back past the square where the turn began."""
    found = _SQUARES.fullmatch(word.text)
    if found is None:
        raise WrongError("note", "note the squares of a turn as a number, such as (2)", word, ["(2)"])
    return int(found[1].replace("–", "-"))


def read_time(word: Word) -> int:
    """Read ``word`` as a time in seconds: ``5`` or ``6:24``. Raises ``WrongError``."""
    found = _TIME.fullmatch(word.text)
    if found is None:
        raise WrongError("time", f"“{word.text}” is not a time such as 5 or 6:24", word)
    return MINUTE * int(found[1]) + int(found[2] or 0)


def read_times(names: Sequence[str], words: Sequence[Word]) -> dict[str, Any]:
    """Return the times in ``words`` by name; a dash means no penalty, or a time that the sheet does not have."""
    nothing = {"penalty": 0}
    return {
        name: nothing.get(name) if word.text in _NOTHING else read_time(word)
        for name, word in zip(names, words, strict=False)
    }


def read_kit(words: Sequence[Word], cards: Collection[KitCard]) -> dict[str, Any]:
    """Read the kit in ``words``: ``start 30 accel 20``, or one of each kind of the ``cards``. Raises ``WrongError``."""
    names = [word for word in words if word.low.rstrip(":") not in list(Kind)]
    if cards and names and not all(word.text.isdigit() for word in words[1::2]):
        chosen = _chosen(_joined(names), cards)
        return {"cards": tuple(card.id for card in chosen), "kit": kit_of(chosen)}
    found: dict[str, Any] = {}
    for name, speed in zip(words[::2], words[1::2], strict=False):
        if name.low not in _KIT:
            raise WrongError("kit", f"“{name.text}” is not start, accel or decel", name, suggest(name.text, _KIT))
        found[_KIT[name.low]] = read_speed(speed)
    if not words or len(words) % 2:
        raise WrongError("kit", "write a kit as: kit start 30 accel 20 decel 20", suggestions=["kit start 30"])
    return {"kit": SheetKit(**found)}


def _joined(words: Sequence[Word]) -> Sequence[Word]:
    """Return the names of cards in ``words``: one each, or several up to a comma."""
    if not any("," in word.text for word in words):
        return words
    names, name = list[Word](), list[Word]()
    for word in words:
        name.append(word._replace(text=word.text.rstrip(",")))
        if word.text.endswith(",") or word is words[-1]:
            names.append(Word(said(name), name[0].column))
            name = []
    return names


def _chosen(words: Sequence[Word], cards: Collection[KitCard]) -> list[KitCard]:
    """Return the cards that ``words`` name, one of each kind. Raises ``WrongError``."""
    known = {name.casefold(): card for card in cards for name in (card.id, card.name)}
    taken = dict[Kind, KitCard]()
    for word in words:
        card = known.get(word.text.replace("’", "'").casefold())
        if card is None:
            near = suggest(word.text, [name for card in cards for name in (card.id, card.name)])
            raise WrongError("kit", f"the game has no kit card “{word.text}”", word, near)
        if card.kind in taken:
            raise WrongError("kit", f"a kit has only one {card.kind} card, not {taken[card.kind].id} and {card.id}", word)
        taken[card.kind] = card
    first = {card.kind: card.id for card in reversed([*cards])}
    missing = [kind for kind in Kind if kind in first and kind not in taken]
    if missing:
        whole = " ".join([*(card.id for card in taken.values()), *(first[kind] for kind in missing)])
        raise WrongError("kit", f"a kit has one card of each kind: this one needs {listed(missing)}", words[-1], [whole])
    return [taken[kind] for kind in Kind if kind in taken]
