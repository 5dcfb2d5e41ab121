"""An attack: its seed, its size, what it counted; and the hostile words, bytes and values that attacks are made of."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final

ODD_CHARACTERS: Final = (
    "\u202e\u200b\u00a0\ufeff\u2028\u2029\u0085\x00\x07\x1b\x7f\u0301\u0323\u00ad\u2060\ufffd\ud7ff\ue000\U0001f3ce\U000e0041"
    "İıſßﬀＡ３٣Ⅷ²½СсΑαéÄœŁ中\u3000\u115f“”„«»‘’–—−•*·\t\v\f\x1c"
)
"""Controls, marks, invisible and double-faced letters, digits of other scripts, odd quotes, dashes and blanks."""
SIGNS: Final = " \n\r:;,.#>-()[]{}<=!/\\|&%$@^~`'\"+_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
NUMBERS: Final = (0, -1, 1, 2, 3, 7, 2**31, 2**63, 2**64, 10**30, -(10**30))


class Attack:
    """What one attack does: ``luck`` decides everything by the seed, ``counts`` says how often each outcome was met.

    It goes round by round, each with luck of its own, so that one that failed can be run again alone.
    """

    def __init__(self, name: str, seed: int, share: float, first: int = 0, *, is_long: bool = True) -> None:
        """Begin with round ``first``. A short attack plays games with the usual options, a long one with any."""
        self.options: tuple[dict[str, str], ...] = () if is_long else ({},)
        self.name, self.seed, self.share, self.at = name, seed, share, first
        self.counts: Counter[str] = Counter()
        self.luck = Random()
        self.next_round()

    def next_round(self) -> Random:
        """Go on to the next round, and return its luck."""
        self.luck = Random(f"{self.seed}\n{self.name}\n{self.at}")
        self.at += 1
        return self.luck

    def times(self, whole: int) -> int:
        """Return how often is to be tried what is tried ``whole`` times at full size."""
        return max(1, round(whole * self.share))

    def count(self, outcome: str, times: int = 1) -> None:
        """Count an ``outcome``."""
        self.counts[outcome] += times

    @property
    def told(self) -> str:
        """What came of it, in a line."""
        counted = ", ".join(f"{outcome} {times:,}" for outcome, times in sorted(self.counts.items()))
        return f"{self.name} (seed {self.seed}, size {self.share:g}, last round {self.at - 1}): {counted}"


def mutated_text(luck: Random, text: str, most: int = 3) -> str:
    """Return ``text`` with a few characters or words exchanged, left out, doubled or put in."""
    for _ in range(luck.randint(1, most)):
        text = luck.choice(_TEXT_WAYS)(luck, text)
    return text


def mutated_bytes(luck: Random, data: bytes, most: int = 4) -> bytes:
    """Return ``data`` with a few bytes flipped, cut, doubled, moved or put in."""
    for _ in range(luck.randint(1, most)):
        at, end = sorted((luck.randrange(len(data) + 1), luck.randrange(len(data) + 1)))
        near = min(end, at + luck.randint(1, 12))
        match luck.randrange(7):
            case 0:
                data = data[:at] + bytes([luck.randrange(256)]) + data[at + 1 :]
            case 1:
                data = data[:at] + data[near:]
            case 2:
                data = data[:near] + data[at:]
            case 3:
                data = data[:at] + luck.randbytes(luck.randint(1, 4)) + data[at:]
            case 4:
                data = data[:at] + luck.choice(ODD_CHARACTERS).encode("utf-8", "surrogatepass") + data[near:]
            case 5:
                data = data[:at] if luck.random() < 0.3 else data
            case _:
                data = data[:at] + data[at:near][::-1] + data[near:]
    return data


def mutated_document(luck: Random, document: Any, most: int = 3) -> Any:
    """Return a copy of the JSON value ``document`` with a few of its values changed, left out, moved or doubled."""
    changed = json.loads(json.dumps(document))
    for _ in range(luck.randint(1, most)):
        places = list(_places(changed))  # anew: what was changed before may be gone
        if not places:
            return _odd_value(luck, changed)
        holder, key = luck.choice(places)
        if luck.random() < 0.5:
            _exchange_alike(luck, holder, key, places)
        else:
            _change(luck, holder, key, places)
    return changed


def _exchange_alike(luck: Random, holder: Any, key: Any, places: list[tuple[Any, Any]]) -> None:
    """Put something in a place that stands in another of the same name: most schemas have nothing against it."""
    alike = [other[there] for other, there in places if there == key and type(other) is type(holder)]
    holder[key] = json.loads(json.dumps(luck.choice(alike)))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from _places(item)


def _change(luck: Random, holder: Any, key: Any, places: list[tuple[Any, Any]]) -> None:
    match luck.randrange(6):
        case 0:
            del holder[key]
        case 1:
            other, there = luck.choice(places)
            try:
                holder[key] = json.loads(json.dumps(other[there]))
            except (KeyError, IndexError):  # that place has gone
                holder[key] = None
        case 2 if isinstance(holder, list):
            holder.insert(luck.randrange(len(holder) + 1), json.loads(json.dumps(holder[key])))
        case 2:
            holder[luck.choice(["", "x", "$schema", f"{key}s"])] = holder[key]
        case _:
            holder[key] = _odd_value(luck, holder[key])


def _odd_value(luck: Random, value: Any) -> Any:
    if isinstance(value, bool):
        return luck.choice([not value, 0, 1, None])
    if isinstance(value, int) and luck.random() < 0.8:
        return luck.choice([value + 1, value - 1, -value, luck.choice(NUMBERS)])
    if isinstance(value, str) and luck.random() < 0.8:
        return mutated_text(luck, value) if value else luck.choice(ODD_CHARACTERS)
    return luck.choice([None, True, "", "x", [], {}, [value], {"x": value}, 0.5, luck.choice(NUMBERS), "x" * 5_000])


def _exchange(luck: Random, text: str) -> str:
    at = luck.randrange(len(text) + 1)
    return text[:at] + luck.choice(SIGNS) + text[at + 1 :]


def _leave_out(luck: Random, text: str) -> str:
    at = luck.randrange(len(text) + 1)
    return text[:at] + text[at + luck.randint(1, 3) :]


def _put_in(luck: Random, text: str) -> str:
    at = luck.randrange(len(text) + 1)
    return text[:at] + luck.choice((luck.choice(ODD_CHARACTERS), luck.choice(SIGNS), "((", "[", "9" * 30)) + text[at:]


def _move_word(luck: Random, text: str) -> str:
    words = text.split(" ")
    word = words.pop(luck.randrange(len(words)))
    for _ in range(luck.choice((0, 1, 1, 2))):
        words.insert(luck.randrange(len(words) + 1), word)
    return " ".join(words)


def _other_case(luck: Random, text: str) -> str:
    return luck.choice((text.upper(), text.lower(), text.title(), text.swapcase()))


def _repeat(luck: Random, text: str) -> str:
    return luck.choice((" ", "", " OR ", " AND ", "\t")).join([text] * luck.choice((2, 2, 3, 30)))[:700]


_TEXT_WAYS: Final = (_exchange, _exchange, _leave_out, _put_in, _put_in, _move_word, _other_case, _repeat)
