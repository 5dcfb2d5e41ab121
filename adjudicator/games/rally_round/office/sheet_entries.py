"""Read the entries of a time sheet: speeds with their notes, times, kits."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from adjudicator.core.suggestions import suggest
from adjudicator.game import frozen, listed
from adjudicator.games.rally_round.components import CardId, Kind, KitCard
from adjudicator.games.rally_round.office.outputs import SheetKit, SheetStep
from adjudicator.games.rally_round.office.sheet import kit_of
from adjudicator.games.rally_round.office.typed import Place, Word, WrongError
from adjudicator.games.rally_round.timing import MINUTE

MOST_ENTRIES: Final = 200
"""The most speeds of a row."""
NOTHING: Final = ("-", "–", "—")
_TIME: Final = re.compile(r"([0-9]{1,5})(?:[:.]([0-5][0-9]))?")
_MOST_VIA: Final = 20
_KIT: Final = {"start": "start", "accel": "faster", "decel": "slower"}
_KINDS: Final = frozenset(kind.value for kind in Kind)


@frozen
class Entry:
    """A speed as written, with its notes (``step``); ``places`` are those of its words, ``speed`` first."""

    speed: int
    step: SheetStep
    places: tuple[tuple[str, Word], ...]


def entries(behind: str, column: int) -> tuple[Entry, ...]:
    """Return the speeds in the text ``behind`` the bar, whose first character is in ``column``.

    After a speed may come the squares that the car came, ``(2)``, ``via`` and a place or a hidden track, ``using`` and a
    hazard card; ``turn`` is a turn missed by turning round. Raises ``WrongError``.
    """
    words = [Word(found[0], column + found.start()) for found in re.finditer(r"\([^)]*\)?|[^\s/,|(]+", behind)]
    found: list[list[Word]] = []
    for word in words:
        if word.text.lower() in ("via", "using") or word.text[0] == "(" or (found and _goes_on(found[-1], word)):
            if not found:
                raise WrongError("speed", f"“{word.text}” comes after its speed", word, ["10"])
            found[-1].append(word)
        else:
            found.append([word])
    if len(found) > MOST_ENTRIES:
        raise WrongError("many", f"a row has at most {MOST_ENTRIES} speeds", found[MOST_ENTRIES][0])
    return tuple(_entry(turn, said) for turn, said in enumerate(found, 1))


def _goes_on(said: Sequence[Word], word: Word) -> bool:
    """Return whether ``word`` continues a name after ``via`` or ``using``, or is the second half of ``turn round``."""
    last = said[-1].text.lower()
    if last in ("via", "using"):
        return True
    if last == "turn":
        return word.text.lower() == "round"
    return len(said) > 1 and any(one.text.lower() == "via" for one in said) and not re.fullmatch(r"[0-9-]+|turn", word.text)


def _entry(turn: int, said: Sequence[Word]) -> Entry:
    first, places = said[0], [("speed", said[0])]
    if first.text.lower() == "turn":
        return Entry(0, SheetStep(turn=turn, is_round=True), tuple(places))
    speed, via, using, at = read_speed(first), list[str](), None, 1
    squares = _read_squares(said[1]) if said[1:] and said[1].text[0] == "(" else None
    at += squares is not None
    while at < len(said):
        head = said[at].text.lower()
        end = next((place for place in range(at + 1, len(said)) if said[place].text.lower() in ("via", "using")), len(said))
        name = said[at + 1 : end]
        if not name or (head == "using" and len(name) > 1):
            raise WrongError("note", "after a speed comes “via” and a place, “using” and a card, or squares (2)", said[at])
        word = Word(" ".join(one.text for one in name), name[0].column)
        if head == "via":
            via.append(word.text.lower().replace("’", "'"))
            places.append((f"via {len(via)}", word))
        else:
            using = CardId(word.text.upper())
            places.append(("using", word))
        at = end
    if len(via) > _MOST_VIA:
        raise WrongError("many", f"a turn leads over at most {_MOST_VIA} places", first)
    return Entry(speed, SheetStep(turn=turn, via=tuple(via), using=using, squares=squares), tuple(places))


def in_row(found: Sequence[Entry], line: int) -> dict[str, Any]:
    """Return the fields of a row from the entries ``found`` in a ``line``: its speeds, their notes and places."""
    steps, places = list[SheetStep](), dict[str, Place]()
    for turn, entry in enumerate(found, 1):
        step = entry.step
        if step != SheetStep(turn=step.turn):
            steps.append(replace(step, turn=turn))
        for name, word in entry.places:
            places[f"{name} {turn}" if name == "speed" else f"{name} of {turn}"] = Place(line, word.column, len(word.text))
    return {"speeds": tuple(entry.speed for entry in found), "steps": tuple(steps), "places": places}


def read_speed(word: Word) -> int:
    """Read ``word`` as a speed. Raises ``WrongError``."""
    if not re.fullmatch(r"[0-9]{1,3}", word.text):
        meant = word.text.lower().replace("o", "0").replace("l", "1")
        near = [meant] if re.fullmatch(r"[0-9]{1,3}", meant) else ["0"] if word.text in NOTHING else []
        raise WrongError("speed", f"“{word.text}” is not a speed", word, near)
    return int(word.text)


def _read_squares(word: Word) -> int:
    """Read a note of squares such as ``(2)``; it is below 0 if the car rolled back past the square where the turn began."""
    found = re.fullmatch(r"\(\s*([-–]?[0-9]{1,2})\s*\)", word.text)
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
    """Return the times in ``words`` by name; a dash means no penalty."""
    found: dict[str, Any] = {
        name: None if word.text in NOTHING else read_time(word) for name, word in zip(names, words, strict=False)
    }
    if found.get("penalty", 0) is None:
        found["penalty"] = 0
    return found


def read_kit(words: Sequence[Word], cards: Collection[KitCard]) -> dict[str, Any]:
    """Read the kit in ``words``: ``start 30 accel 20``, or one of each kind of the ``cards``. Raises ``WrongError``."""
    names = [word for word in words if word.text.lower().rstrip(":") not in _KINDS]
    if cards and names and not all(word.text.isdigit() for word in words[1::2]):
        chosen = list(_chosen(_joined(names), cards))
        return {"cards": tuple(card.id for card in chosen), "kit": kit_of(chosen)}
    found: dict[str, Any] = {}
    for name, speed in zip(words[::2], words[1::2], strict=False):
        if name.text.lower() not in _KIT:
            raise WrongError("kit", f"“{name.text}” is not start, accel or decel", name, suggest(name.text, _KIT))
        found[_KIT[name.text.lower()]] = read_speed(speed)
    if not words or len(words) % 2:
        raise WrongError("kit", "write a kit as: kit start 30 accel 20 decel 20", suggestions=["kit start 30"])
    return {"kit": SheetKit(**found)}


def _joined(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the names of cards in ``words``: one each, or several up to a comma."""
    if not any("," in word.text for word in words):
        yield from words
        return
    name: list[str] = []
    column = 1
    for word in words:
        column = column if name else word.column
        name.append(word.text.rstrip(","))
        if word.text.endswith(","):
            yield Word(" ".join(name), column)
            name = []
    if name:
        yield Word(" ".join(name), column)


def _chosen(words: Iterator[Word], cards: Collection[KitCard]) -> Iterator[KitCard]:
    known = {name.casefold(): card for card in cards for name in (card.id, card.name)}
    taken = dict[Kind, KitCard]()
    word = Word("", 1)
    for word in words:
        card = known.get(word.text.replace("’", "'").casefold())
        if card is None:
            near = suggest(word.text, [name for card in cards for name in (card.id, card.name)])
            raise WrongError("kit", f"the game has no kit card “{word.text}”", word, near)
        if card.kind in taken:
            raise WrongError("kit", f"a kit has only one {card.kind} card, not {taken[card.kind].id} and {card.id}", word)
        taken[card.kind] = card
    missing = [kind for kind in Kind if kind not in taken and any(card.kind is kind for card in cards)]
    if missing:
        whole = " ".join([*(card.id for card in taken.values()), *(_first(kind, cards) for kind in missing)])
        why = f"a kit has one card of each kind: this one needs {listed(missing)}"
        raise WrongError("kit", why, word, [whole])
    yield from (taken[kind] for kind in Kind if kind in taken)


def _first(kind: Kind, cards: Collection[KitCard]) -> str:
    return next(str(card.id) for card in cards if card.kind is kind)
