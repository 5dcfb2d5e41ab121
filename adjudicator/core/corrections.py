"""Corrections by the moderator: they are events, so the journal is never silently rewritten.

Each class knows its public text, its sentence, what a viewer sees of it, its effect, and what may be wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Generic

from adjudicator.core.chance import WordSent
from adjudicator.core.journal import SKIPPED, Entry, Outside
from adjudicator.core.phrases import Said, listed
from adjudicator.core.rules import AnyRules, AnyRuleset
from adjudicator.core.ruleset import Player, account_label
from adjudicator.core.values import (
    LONGEST_NOTE,
    MODERATOR,
    Count,
    Digest,
    Holder,
    Line,
    Meta,
    Name,
    Note,
    Places,
    Positive,
    Seat,
    TypeOf,
    Value,
    Viewer,
    canonical_text,
    differences,
    hints_of,
    json_value,
    replace,
)
from adjudicator.core.visibility import note_in

Reason = Annotated[str, Meta(min_length=1, max_length=LONGEST_NOTE)]
"""The moderator's reason for a correction."""
Moment = Name
"""A day or a time as text, such as ``2026-03-02 20:00 UTC``: the rules know no clock."""
Flaws = Iterator[tuple[str, Any, Any]]


class Past:
    """What the entries of a journal so far have recorded, apart from the position; ``take`` adds one.

    ``entries`` counts them. ``holders`` has the present player of each seat, ``words`` its last word for chance (those sent
    during the game are ``words_sent``), ``missed`` how many deadlines in a row it has missed. ``abandoned`` gives for each
    entry whose position an undo gave up the number of that undo. ``revealed`` is the entry that published the secret.
    ``skipped`` are the entries that were skipped, ``outside`` those that are no orders.
    """

    def __init__(self, players: Iterable[Player], words: Mapping[str, str] = MappingProxyType({})) -> None:
        """Begin without entries: ``words`` are those that ``players`` sent before the beginning."""
        self.entries = 0
        self.holders: dict[Seat, str] = {player.seat: player.holder for player in players}
        self.words: dict[str, str] = dict(words)
        self.words_sent: list[WordSent] = []
        self.missed: dict[Seat, int] = {}
        self.abandoned: dict[int, int] = {}
        self.revealed: int | None = None
        self.skipped: list[Entry] = []
        self.outside: list[Entry] = []
        self.most_drawn = 0

    def copy(self) -> Past:
        """Return a copy that takes other entries."""
        made = object.__new__(Past)
        for name, value in vars(self).items():
            setattr(made, name, value.copy() if isinstance(value, (dict, list)) else value)
        return made

    def take(self, entry: Entry) -> None:
        """Add ``entry``."""
        event = entry.outside
        if event is not None:
            event.note(self)
            self.outside.append(entry)
        elif entry.order == SKIPPED:
            self.skipped.append(entry)
        self.entries += 1
        if entry.drawn > self.most_drawn:
            self.most_drawn = entry.drawn

    @property
    def undone(self) -> dict[int, int]:
        """The number of the entry that undid it, for each undone entry.

        An undo never affects lasting entries: a seat's new player, a published secret, an absence, a word for chance.
        """
        lasting = {entry.n for entry in self.outside if entry.events[0].is_lasting}
        return {n: by for n, by in self.abandoned.items() if n not in lasting}


class Correction(Outside):
    """A correction by the moderator."""

    may_share_turn: ClassVar[bool] = False
    """Whether it may have the number of the adjudication before it, because it leaves the position unchanged."""


class Undone(Correction):
    """The game went back to its state after entry ``to``; the later entries stay in the journal."""

    is_lasting: ClassVar[bool] = False
    to: Count
    reason: Reason

    def order_text(self) -> str:
        return f"UNDO to {self.to}"

    def tell(self) -> str:
        return f"back to where the game stood after entry {self.to}: {self.reason}"

    def note(self, past: Past) -> None:
        past.abandoned.update((n, past.entries) for n in range(self.to + 1, past.entries) if n not in past.abandoned)

    def flaws(self, past: Past) -> Flaws:
        if self.to >= past.entries - 1:
            yield "to", self.to, f"an entry before {past.entries - 1}"
        elif self.to in past.abandoned:
            yield "to", self.to, "an entry that was not undone itself"


StateT = TypeOf("StateT", default=Any)


class Amended(Correction, Generic[StateT]):
    """The moderator replaced the state ``before`` with the state ``after``."""

    is_lasting: ClassVar[bool] = False
    before: StateT
    after: StateT
    reason: Reason

    def order_text(self) -> str:
        return "AMEND"

    def apply(self, config: Any, state: Any) -> Any:
        return self.after

    def redact(self, rules: AnyRuleset, viewer: Viewer) -> AmendedSeen:
        states = (self.before, self.after)
        if viewer != MODERATOR:  # the other fields of a view, the viewer and the open decisions, follow from the state
            states = tuple(rules.view(state, viewer).state for state in states)
        return AmendedSeen(changes_between(*states, Naming(rules)), self.reason)


class Forked(Correction, Generic[StateT]):
    """The game began as a private one with ``state``, the position after entry ``n`` of the game ``game``.

    It is the first event of such a game, in the place of a set-up. It knows no more than ``seat`` knew then, for whom all
    else was dealt anew, and simulated players have the other seats; without a ``seat`` it knows everything.
    """

    game: Name
    n: Count
    seat: Seat | None
    state: StateT

    def order_text(self) -> str:
        return f"FORK {self.game} at {self.n}"

    def tell(self) -> str:
        known = f", as {self.seat} knew it: the rest was dealt anew" if self.seat else ""
        return f"a private game from the position after entry {self.n} of {self.game}{known}"

    def apply(self, config: Any, state: Any) -> Any:
        return self.state

    def redact(self, rules: AnyRuleset, viewer: Viewer) -> Any:
        return replace(self, state=rules.view(self.state, viewer).state)

    def flaws(self, past: Past) -> Flaws:
        yield "kind", "forked", "another correction: a game begins only once"


class SeatHanded(Correction):
    """A seat changed hands: ``holder`` plays it now instead of ``before``."""

    seat: Seat
    before: Holder
    holder: Holder
    reason: Reason

    def order_text(self) -> str:
        return f"SEAT {self.seat}"

    def tell(self) -> str:
        return f"{self.seat} is played by {self.holder or 'nobody'} instead of {self.before or 'nobody'}: {self.reason}"

    def note(self, past: Past) -> None:
        past.holders[self.seat] = self.holder

    def flaws(self, past: Past) -> Flaws:
        yield from _unknown(self.seat, past)
        if self.before != past.holders[self.seat]:
            yield "before", self.before, past.holders[self.seat]
        if self.holder == self.before:
            yield "holder", self.holder, "somebody else"


class SecretRevealed(Correction):
    """The moderator published the secret of chance; ``is_early`` says that the game was not over yet."""

    secret: Digest
    is_early: bool
    reason: Note

    def order_text(self) -> str:
        return "REVEAL"

    def tell(self) -> str:
        early = ", published before the end" if self.is_early else ""
        return f"the secret of chance is {self.secret}{early}{_because(self.reason)}"

    def note(self, past: Past) -> None:
        if past.revealed is None:
            past.revealed = past.entries

    def flaws(self, past: Past) -> Flaws:
        if past.revealed is not None:
            yield "secret", self.secret, "nothing: it was published already"


class MissedPolicy(StrEnum):
    """The way in which the game decides for a seat that sent no orders by the deadline (NMR, no moves received)."""

    DEFAULT = "default"
    BOT = "bot"
    DROP = "drop"


_DONE_FOR: Final[Mapping[MissedPolicy, str]] = {
    MissedPolicy.DEFAULT: "it passes, or does what costs least",
    MissedPolicy.BOT: "a simulated player decides for it this time",
    MissedPolicy.DROP: "a simulated player decides for it from now on",
}


class MissedDeadline(Correction):
    """The player of ``seat`` sent no orders by ``due``, so the seat's decision was made by ``policy``.

    ``due`` is a time as text. The entries after this one hold what was decided, as orders of the seat. ``missed`` counts the
    deadlines that the seat has missed in a row, this one included.
    """

    may_share_turn: ClassVar[bool] = True
    seat: Seat
    due: Moment
    policy: MissedPolicy
    missed: Positive
    reason: Note = ""

    def order_text(self) -> str:
        return f"NMR {self.seat}"

    def tell(self) -> str:
        times = "" if self.missed == 1 else f" ({self.missed} deadlines missed in a row)"
        return f"no orders of {self.seat} had come by {self.due}{times}: {_DONE_FOR[self.policy]}{_because(self.reason)}"

    def note(self, past: Past) -> None:
        past.missed[self.seat] = self.missed

    def flaws(self, past: Past) -> Flaws:
        yield from _unknown(self.seat, past)
        last = past.missed.get(self.seat, 0)
        if self.missed not in (1, last + 1):
            yield "missed", self.missed, f"1 or {last + 1}" if last else "1"


class WentOnHoliday(Correction):
    """The player of ``seat`` is away from ``first`` to ``last`` (days as text) and need not send orders meanwhile."""

    may_share_turn: ClassVar[bool] = True
    seat: Seat
    first: Moment
    last: Moment
    reason: Note = ""

    def order_text(self) -> str:
        return f"HOLIDAY {self.seat}"

    def tell(self) -> str:
        return f"the player of {self.seat} is away from {self.first} to {self.last}{_because(self.reason)}"

    def flaws(self, past: Past) -> Flaws:
        yield from _unknown(self.seat, past)


OUTSIDE: Final = (Forked, Undone, Amended, SeatHanded, SecretRevealed, MissedDeadline, WentOnHoliday, WordSent)
"""Every kind of event in a journal that does not belong to a ruleset. The states in ``Amended`` and ``Forked`` are of the
game's own."""


class Change(Value):
    """One value that a correction changed: its ``path`` in the view, its JSON before and after, and a phrase (``words``)."""

    path: Name
    before: Line
    after: Line
    words: str


class AmendedSeen(Outside, tag="amended"):
    """An amendment as one viewer sees it: the changes in that viewer's view, and the reason."""

    kind: ClassVar[str] = "amended"
    changes: tuple[Change, ...]
    reason: str

    def tell(self) -> str:
        """Return the sentence."""
        words = listed(filter(None, (change.words for change in self.changes))) or "changed something you may not see"
        return f"the moderator {words}: {self.reason}"


def changes_between(before: Any, after: Any, naming: Naming) -> tuple[Change, ...]:
    """Return the differences between two states, in order; ``naming`` gives the names of the values."""
    old, new = json_value(before), json_value(after)
    return tuple(
        Change(path, canonical_text(left), canonical_text(right), change_words(naming.called(new, path), left, right))
        for path, left, right in differences(old, new)
    )


def _unknown(seat: Seat, past: Past) -> Flaws:
    if seat not in past.holders:
        yield "seat", seat, f"one of {' '.join(past.holders)}"


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


class Naming:
    """The names that ``rules`` use for the values of a state: the unit, a seat's account, the places in lists."""

    def __init__(self, rules: AnyRules) -> None:
        """Find the names."""
        self.unit, self.account = rules.meta.unit, rules.state.account
        notes = {name: note_in(hint, Places) for name, hint in hints_of(rules.types.state).items()}
        self.places = {name: note.names for name, note in notes.items() if note is not None}

    def is_account(self, word: str, member: str) -> bool:
        """Return whether ``word`` names the account of a seat, and ``member`` is the field of that account."""
        return member == self.account != "" and word in (member, *self.unit[:2], account_label(self.unit))

    def called(self, document: Any, path: str) -> str:
        """Return the name of the value at ``path`` of a state: ``red's hand`` for a seat's, else its path as in `amend`."""
        place, owner, words = document, "", ""
        for key, number in _STEP.findall(path):
            if key:
                place = place.get(key) if isinstance(place, dict) else None
                words += f".{key}" if words else key
                continue
            index, places = int(number), self.places.get(words, ())
            place = place[index] if isinstance(place, list) and index < len(place) else None
            known = item_name(place)
            if known is not None and known[0] == "seat":
                owner, words = known[1], ""
            elif index < len(places):
                words += f"[{places[index]}]"
            else:
                words += f"[{known[1] if known is not None else number}]"
        if owner and self.is_account(words, words):
            words = account_label(self.unit)
        return (f"{owner}'s {words}" if owner and words else owner or words).replace("_", " ")


def secret_words_at(config: Any, state: Any, path: str, viewer: str) -> tuple[str, str] | None:
    """Return title and words of what ``viewer`` sees at ``path`` of ``state``; ``None`` if no field on the way has any."""
    place: Any = state
    owner = ""
    for field, number in _STEP.findall(path):
        if number:
            place = place[int(number)]
            continue
        owner = getattr(place, "seat", owner)
        kind: Any = type(place)
        said, value = note_in(hints_of(kind).get(field), Said), getattr(place, field, None)
        if said is not None:
            whose = "your " if owner == viewer else f"{owner}'s " if owner else ""
            return f"{whose}{said.title or field.replace('_', ' ')}", said.words(config, value)
        if not isinstance(value, Value) and not isinstance(value, tuple):
            return None
        place = value
    return None


def item_name(item: Any) -> tuple[str, str] | None:
    """Return the member that identifies an ``item`` of a list, with its value: the first one that is a text."""
    if not isinstance(item, dict):
        return None
    return next(((key, value) for key, value in item.items() if isinstance(value, str) and value), None)


def change_words(name: str, before: Any, after: Any) -> str:
    """Return the change of the value called ``name`` from ``before`` to ``after`` (plain values) as a phrase.

    It is empty if both are the same as text, such as a hidden value and an empty list.
    """
    if isinstance(before, list) and isinstance(after, list):
        taken, put = list(_beyond(before, after)), list(_beyond(after, before))
        if taken and not put:
            return f"took {_items(taken)} out of {name}"
        if put and not taken:
            return f"put {_items(put)} into {name}"
    was, is_ = value_words(before), value_words(after)
    return "" if was == is_ else f"set {name} from {was} to {is_}"


def _beyond(items: list[Any], others: list[Any]) -> Iterator[Any]:
    """Yield the ``items`` that are not in ``others``, counting repeated items."""
    left = list(others)
    for item in items:
        if item in left:
            left.remove(item)
        else:
            yield item


def _items(items: list[Any]) -> str:
    """Return the items that came or went as text; if the viewer sees none of them (``None``), only their number."""
    return ", ".join(map(value_words, items)) if any(item is not None for item in items) else f"{len(items)} unseen"


def value_words(value: Any) -> str:
    """Return a plain ``value`` as text: lists with commas, members by their names."""
    if value is None or value == []:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(value_words, value))
    if isinstance(value, dict):
        return " ".join(f"{key} {value_words(item)}" for key, item in value.items())
    return value if isinstance(value, str) else canonical_text(value)
