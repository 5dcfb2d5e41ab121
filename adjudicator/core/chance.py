"""The source of every random outcome: derived from a committed secret, or recorded at a table.

The derivation is specified in ``docs/chance.md`` so that anyone can recompute it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Final, Literal, Protocol

from adjudicator.core.bounds import Ge, Len
from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.ids import Digest, Seat

_COMMIT: Final = b"adjudicator commit 1\n"
_DRAW: Final = b"adjudicator draw 1\n"
_SPACE: Final = 1 << 256
_BLOCK: Final = 64
"""Bytes in a block of SHA-256."""
_REMEMBERED: Final = 256
"""Dice and wheels whose faces are not put into words again."""


@frozen(kw_only=True)
class ChanceRecord:
    """What a game file says about its chance.

    ``source`` is ``committed`` (outcomes derived from ``secret``) or ``recorded`` (outcomes written with the orders).
    ``commitment`` fixes ``secret`` from the first day on; ``entropy`` holds a word from each player that wished to add
    one. A recorded game has neither secret nor commitment. A ``promised`` game was published before the words were known:
    of each seat it has a word, or the seat is one of those it was begun ``without``.
    """

    source: Literal["committed", "recorded"]
    commitment: Digest | None = None
    secret: Digest | None = None
    entropy: Mapping[str, Annotated[str, Len(1, 80)]] = field(default_factory=dict)
    promised: bool = added_later(False)
    without: tuple[Seat, ...] = added_later(())


@frozen(kw_only=True)
class WordSent:
    """A word that the player of ``seat`` has sent while the game goes on: mixed into each ``outcome`` from this number on.

    It is an event of the journal, for everybody to read, and lasts whatever is undone.
    """

    seat: Seat
    word: Annotated[str, Len(1, 80)]
    outcome: Annotated[int, Ge(0)]
    kind: Literal["word-sent"] = "word-sent"


class ImpossibleOutcomeError(Exception):
    """A recorded outcome is missing, left over, or not possible in the position."""

    def __init__(self, purpose: str, outcome: str | None, among: Sequence[str]) -> None:
        """Keep what was drawn for (``purpose``), the recorded ``outcome`` (``None``: missing) and what was possible."""
        super().__init__(purpose)
        self.purpose, self.outcome, self.among = purpose, outcome, tuple(among)


class Chance(Protocol):
    """Where rules get outcomes from. ``drawn`` counts the outcomes given so far in the game."""

    drawn: int

    def pick(self, purpose: str, among: Sequence[str]) -> str:
        """Return one of ``among`` (at least one, in an order fixed by the rules); ``purpose`` names the draw in words."""
        ...


class WordsInForce:
    """The players' words outcome by outcome: those of the beginning, and ``later`` ones in the order of the journal.

    ``span`` holds the outcomes for which those found last are in force: from the first number, below the second.
    """

    __slots__ = ("_count", "_entropy", "_latest", "later", "span")

    def __init__(self, entropy: Mapping[str, str], later: Iterable[WordSent] = ()) -> None:
        """Begin with the words ``entropy`` of the beginning."""
        self._entropy, self.later = dict(entropy), list(later)
        self._count, self._latest = 0, dict(entropy)
        self.span = 0, 0

    def at(self, number: int) -> bytes:
        """Return what stands for the words in the message of outcome ``number``.

        That is the canonical JSON of the words of the beginning; once later ones are in force, of their count and of the
        latest word of each seat.
        """
        if self._count and self.later[self._count - 1].outcome > number:  # an undo has gone back behind a word
            self._count, self._latest = 0, dict(self._entropy)
        while self._count < len(self.later) and self.later[self._count].outcome <= number:
            word = self.later[self._count]
            self._latest[word.seat] = word.word
            self._count += 1
        self.span = (
            self.later[self._count - 1].outcome if self._count else 0,
            self.later[self._count].outcome if self._count < len(self.later) else _SPACE,
        )
        return canonical_bytes((self._count, self._latest) if self._count else self._latest)


class CommittedChance:
    """Derive outcomes from a secret by HMAC-SHA-256 with rejection sampling."""

    __slots__ = ("_begun", "_secret", "_since", "_until", "_words", "drawn")

    def __init__(self, secret: bytes, entropy: Mapping[str, str], drawn: int = 0, later: Iterable[WordSent] = ()) -> None:
        """Use the 32-byte ``secret``, the players' words ``entropy`` and those that came ``later``, as the journal has them.

        Goes on after ``drawn`` outcomes.
        """
        self._secret, self._words = secret, WordsInForce(entropy, later)
        self.drawn = drawn
        self._begin()

    def take(self, word: WordSent) -> None:
        """Mix in one more word, which came after all others."""
        self._words.later.append(word)
        self._begin()

    def _begin(self) -> None:
        """Hash what the draws from here on all begin with, up to the outcome with which the next word is mixed in."""
        self._begun = Keyed(self._secret, _DRAW + self._words.at(self.drawn) + b"\n")
        self._since, self._until = self._words.span

    def pick(self, purpose: str, among: Sequence[str]) -> str:
        """Return the next outcome: each of ``among`` is equally likely."""
        if not self._since <= self.drawn < self._until:
            self._begin()
        index = draw_index(self._begun.digest, self.drawn, purpose, len(among))
        self.drawn += 1
        return among[index]


class RecordedChance:
    """Give the outcomes written beside an order, one after the other."""

    __slots__ = ("_left", "drawn")

    def __init__(self, outcomes: Sequence[str], drawn: int = 0) -> None:
        """Give ``outcomes`` in order; go on after ``drawn`` outcomes."""
        self._left = list(outcomes)
        self.drawn = drawn

    def pick(self, purpose: str, among: Sequence[str]) -> str:
        """Return the next recorded outcome, in the rules' own spelling. Raises ``ImpossibleOutcomeError``."""
        if not self._left:
            raise ImpossibleOutcomeError(purpose, None, among)
        written = self._left.pop(0)
        for outcome in among:
            if outcome.casefold() == written.casefold():
                self.drawn += 1
                return outcome
        raise ImpossibleOutcomeError(purpose, written, among)

    def finish(self) -> None:
        """Raise ``ImpossibleOutcomeError`` if an outcome was recorded that nothing asked for."""
        if self._left:
            raise ImpossibleOutcomeError("nothing", self._left[0], ())


def pick_number(chance: Chance, purpose: str, among: Sequence[int]) -> int:
    """Return the next outcome where it is a number, of a die or a wheel: each face ``among`` is equally likely."""
    return int(chance.pick(purpose, _faces(tuple(among))))


@lru_cache(_REMEMBERED)
def _faces(among: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(str, among))


def spelled_word(word: str) -> str:
    """Return ``word`` for those who are to recognize it: the numbers of its characters stand behind it, but for plain ones.

    Letters of several alphabets look alike, and another one among them would deal another game.
    """
    odd = " ".join(f"U+{ord(sign):04X}" for sign in word if not sign.isascii())
    return f"{word} ({odd})" if odd else word


def commitment(secret: bytes) -> str:
    """Return what is published on the first day: it fixes ``secret`` (32 bytes) without telling it."""
    return sha256(_COMMIT + secret).hexdigest()


def draw_index(digest: Callable[[bytes], bytes], number: int, purpose: str, size: int) -> int:
    """Return the index, 0 to ``size`` − 1, of outcome ``number`` (from 0) drawn for ``purpose`` among ``size`` things.

    ``digest`` gives the HMAC of what a game's draws all begin with and the rest of the message.
    """
    fair = _SPACE - _SPACE % size
    attempt = 0
    while True:
        value = int.from_bytes(digest(f"{number}\n{attempt}\n{purpose}".encode()), "big")
        if value < fair:
            return value % size
        attempt += 1


class Keyed:
    """HMAC-SHA-256 under one key over messages that all begin alike: what they share is hashed once (RFC 2104)."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes, beginning: bytes) -> None:
        """Begin with ``key`` and what all messages begin with."""
        padded = (key if len(key) <= _BLOCK else sha256(key).digest()).ljust(_BLOCK, b"\0")
        self._inner = sha256(bytes(byte ^ 0x36 for byte in padded) + beginning)
        self._outer = sha256(bytes(byte ^ 0x5C for byte in padded))

    def digest(self, rest: bytes) -> bytes:
        """Return the HMAC of the beginning and ``rest``."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(rest)
        outer.update(inner.digest())
        return outer.digest()
