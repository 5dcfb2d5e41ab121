"""Give every random outcome: derived from a committed secret, or recorded at a table.

The derivation is specified in ``docs/draws.md`` so that anyone can recompute it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, Literal, Protocol

from adjudicator.core.journal import Link, Outside
from adjudicator.core.phrases import spelled_word
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.values import MODERATOR, Count, Digest, Name, Seat, Value, Viewer, canonical_bytes, kept, replace

WORD: Final = "WORD"
"""The first word of the order of an entry with a word for chance."""
_FEWEST: Final = 3
_MOST: Final = 60
"""The fewest and the most characters of a normalized word."""
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible characters that Unicode counts as letters, marks or symbols."""
_COMMIT: Final = b"adjudicator commit 1\n"
_DRAW: Final = b"adjudicator draw 1\n"
_SPACE: Final = 1 << 256
_BLOCK: Final = 64
"""Bytes in a block of SHA-256."""
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class ChanceRecord(Value, kw_only=True, omit_defaults=True):
    """The chance of a game, as its file records it.

    ``source`` is ``committed`` (outcomes are derived from ``secret``) or ``recorded`` (outcomes are written with the
    orders). ``commitment`` fixes ``secret`` from the first day on. ``entropy`` holds the words that players added. A
    recorded game has neither secret nor commitment. A ``promised`` game was published before the words were known: each seat
    either sent a word or is listed in ``without``.
    """

    source: Literal["committed", "recorded"]
    commitment: Digest | None = kept(None)
    secret: Digest | None = kept(None)
    entropy: Mapping[str, Name] = kept({})
    promised: bool = False
    without: tuple[Seat, ...] = ()


class WordSent(Outside):
    """A word that the player of ``seat`` sent during the game; it is mixed into all outcomes from number ``outcome`` on.

    It is a public event of the journal, and no undo removes it. Only games of earlier versions have such events.
    """

    seat: Seat
    word: Name
    outcome: Count

    def order_text(self) -> str:
        return f"{WORD} {self.word}"

    def redact(self, rules: Any, viewer: Viewer) -> Any:
        # The number of its first outcome stays secret: it would reveal how many secret draws there were.
        return self if viewer == MODERATOR else replace(self, outcome=0)

    def tell(self) -> str:
        return f"{self.seat}'s word for chance: {spelled_word(self.word)}, mixed in from the next turn on"

    def note(self, past: Any) -> None:
        past.words[self.seat] = self.word
        past.words_sent.append(self)

    def flaws(self, past: Any) -> Iterator[tuple[str, Any, Any]]:
        if self.word == past.words.get(self.seat):
            yield "word", self.word, "another word than the one before"


class ImpossibleOutcomeError(AdjudicatorError):
    """Report that a recorded outcome is missing, left over, or impossible in the position; of an order, with its choice."""

    kind = "impossible-outcome"
    exit_code = 1
    choice: Any = None

    def __init__(self, purpose: str, outcome: str | None, among: Sequence[str]) -> None:
        """Keep the draw's ``purpose``, the recorded ``outcome`` (``None``: missing) and the possible ones (``among``)."""
        super().__init__(purpose)
        self.purpose, self.outcome, self.among = purpose, outcome, tuple(among)


class Chance(Protocol):
    """The source of outcomes that rules draw from; ``drawn`` counts the outcomes of the game so far."""

    drawn: int

    def pick(self, purpose: str, among: Sequence[str]) -> str:
        """Return one of ``among`` (not empty, in an order fixed by the rules); ``purpose`` describes the draw."""
        ...


class WordsInForce:
    """The players' words that apply to each outcome: those of the beginning, and ``later`` ones in the journal's order.

    ``span`` gives the outcomes to which the words found last apply: from the first number, below the second.
    """

    __slots__ = ("_count", "_entropy", "_latest", "later", "span")

    def __init__(self, entropy: Mapping[str, str], later: Iterable[WordSent] = ()) -> None:
        """Begin with the words ``entropy`` of the beginning."""
        self._entropy, self.later = dict(entropy), list(later)
        self._count, self._latest = 0, dict(entropy)
        self.span = 0, 0

    def at(self, number: int) -> bytes:
        """Return the bytes that represent the words in the message of outcome ``number``.

        They are the canonical JSON of the words of the beginning. Once later words apply, they are the canonical JSON of the
        number of later words and of the latest word of each seat.
        """
        if self._count and self.later[self._count - 1].outcome > number:  # an undo went back to before a word
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
        """Use the 32-byte ``secret``, the players' words ``entropy`` and the ``later`` words in the journal's order.

        The first ``drawn`` outcomes have been drawn already.
        """
        self._secret, self._words = secret, WordsInForce(entropy, later)
        self.drawn = drawn
        self._begin()

    def take(self, word: WordSent) -> None:
        """Mix in ``word``, which came after all others."""
        self._words.later.append(word)
        self._begin()

    def _begin(self) -> None:
        """Hash the common beginning of all draws from here to the outcome at which the next word is mixed in."""
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
    """Give the outcomes written beside an order, one by one."""

    __slots__ = ("_left", "drawn")

    def __init__(self, outcomes: Sequence[str], drawn: int = 0) -> None:
        """Give ``outcomes`` in order, after ``drawn`` earlier ones."""
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
        """Raise ``ImpossibleOutcomeError`` if a recorded outcome was not used."""
        if self._left:
            raise ImpossibleOutcomeError("nothing", self._left[0], ())


class UnknownError(ImpossibleOutcomeError):
    """Report that the rules need an outcome of chance or a hidden value, which the viewer cannot know."""

    def __init__(self, purpose: str) -> None:
        """Keep the ``purpose`` for which the rules need it."""
        super().__init__(purpose, None, ())


class UnknownChance:
    """A source of chance that has no outcome: every draw raises ``UnknownError``."""

    drawn = 0

    def pick(self, purpose: str, among: Sequence[str]) -> str:
        """Raise ``UnknownError``."""
        del among
        raise UnknownError(purpose)


class BadWordError(ValueError):
    """A word is not valid; the message says why, and continues after the name of a seat: “has …”, “must …”."""


def normalize_word(written: str) -> str:
    """Return a player's word in small letters, digits and single spaces. Raises ``BadWordError``.

    Punctuation makes no difference. Invisible characters are refused and not dropped: someone or some program put them
    there, and the player should look.
    """
    for sign in written:
        if _UNSEEN.match(sign) or (unicodedata.category(sign)[0] == "C" and sign not in "\t\r\n"):
            name = unicodedata.name(sign, "no character")
            raise BadWordError(f"has an invisible character (U+{ord(sign):04X}, {name}): write the word without it")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", written).casefold())
    word = " ".join("".join(sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in folded).split())
    if not _FEWEST <= len(word) <= _MOST:
        raise BadWordError(f"must have {_FEWEST} to {_MOST} letters, digits and spaces; this one has {len(word)}")
    if not any(sign.isalnum() for sign in word):
        raise BadWordError("must have at least one letter or digit")
    return word


def commitment(secret: bytes) -> str:
    """Return the commitment published on the first day: it fixes ``secret`` (32 bytes) without revealing it."""
    return sha256(_COMMIT + secret).hexdigest()


def draw_index(digest: Callable[[bytes], bytes], number: int, purpose: str, size: int) -> int:
    """Return the index, 0 to ``size`` − 1, of outcome ``number`` (from 0) drawn for ``purpose`` among ``size`` things.

    ``digest`` returns the HMAC of the common beginning of the game's draws followed by its argument.
    """
    fair = _SPACE - _SPACE % size
    attempt = 0
    while True:
        value = int.from_bytes(digest(f"{number}\n{attempt}\n{purpose}".encode()), "big")
        if value < fair:
            return value % size
        attempt += 1


class Keyed:
    """HMAC-SHA-256 under one key over messages with a common beginning, which is hashed only once (RFC 2104)."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes, beginning: bytes) -> None:
        """Use ``key``, and the ``beginning`` of all messages."""
        padded = (key if len(key) <= _BLOCK else sha256(key).digest()).ljust(_BLOCK, b"\0")
        self._inner = sha256(padded.translate(_INNER) + beginning)
        self._outer = sha256(padded.translate(_OUTER))

    def digest(self, rest: bytes) -> bytes:
        """Return the HMAC of the beginning and ``rest``."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(rest)
        outer.update(inner.digest())
        return outer.digest()


_PROOF: Final = b"adjudicator proof 1\n"


class Head(Value):
    """Entry ``n`` of a journal, with a ``proof`` that fixes that entry and all entries before it."""

    # The hash of an entry stays secret: it covers secrets of the entry, and a player who knows the hash before it could
    # guess a sealed answer or a drawn tile until the hash fits. The proof, made with the secret of chance, reveals nothing.
    n: Count
    proof: Digest


def proof_maker(secret: Digest | None) -> Callable[[Link], Digest | None]:
    """Return a function that gives the proof of an entry: HMAC-SHA-256 under the ``secret`` of chance over its hash.

    Without a secret (recorded chance) there is no proof, and the function returns ``None``.
    """
    if secret is None:
        return lambda _link: None
    keyed = Keyed(bytes.fromhex(secret), _PROOF)
    return lambda link: keyed.digest(link.hash.encode()).hex()
