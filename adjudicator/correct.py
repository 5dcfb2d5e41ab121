"""Corrections a moderator makes: each one an entry in the journal, with its reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from adjudicator.core.corrections import Amended, SeatHanded, SecretRevealed, Undone
from adjudicator.core.engine import correct
from adjudicator.core.ids import Seat
from adjudicator.core.plain import canonical_text, plain
from adjudicator.core.record import holders, undone_by
from adjudicator.desk import Desk

_ASSIGNMENT: Final = re.compile(r"\s*(?P<path>[^=+]+?)\s*(?P<how>\+=|-=|=)\s*(?P<value>.*)", re.DOTALL)
_STEP: Final = re.compile(r"\.?([A-Za-z_][\w-]*)|\[([^\]]+)\]")
_MOST: Final = 4_000


class CorrectionError(Exception):
    """A correction makes no sense; the message says why."""


@dataclass(frozen=True, slots=True)
class _Assignment:
    path: str
    how: str
    value: Any


def undo(desk: Desk, to: int, reason: str) -> Desk:
    """Return the game as it stood after entry ``to``; the entries since stay in the record, pending sheets go.

    Raises ``CorrectionError``.
    """
    entries = [link.entry for link in desk.game.journal]
    if not 0 <= to < len(entries) - 1:
        raise CorrectionError(
            f"entry {to} cannot be gone back to: there are entries 0 to {len(entries) - 1}, the last is now"
        )
    undone = undone_by(entries)
    if to in undone:
        raise CorrectionError(f"entry {to} itself was undone by entry {undone[to]}")
    game = correct(desk.rules, desk.table, desk.game, Undone(to=to, reason=_reason(reason)))
    return desk.with_game(replace(game, pending=()))


def amend(desk: Desk, assignments: Iterable[str], reason: str) -> Desk:
    """Return the game with values of its state changed: ``racers[red].minutes=14``, ``stack-=H5``.

    A path names members of the state as its file has them; in brackets stands a number from 0, or the seat of an item.
    A value is JSON, or a bare word. Raises ``CorrectionError``, ``SetupError``, ``Untrusted`` (values the schema refuses).
    """
    from adjudicator.store.parts import build_state

    written = tuple(assignments)
    document = plain(desk.game.state)
    for text in written:
        _assign(document, _parsed(text))
    before = desk.game.state
    after = desk.rules.amended(desk.table, build_state(desk.rules, document))
    if after == before:
        raise CorrectionError("nothing would be changed")
    event = Amended(before=before, after=after, reason=_reason(reason))
    # The words are public; what was changed shows in the event, to those who may know it.
    return desk.with_game(correct(desk.rules, desk.table, desk.game, event))


def hand_over(desk: Desk, seat: Seat, holder: str, reason: str) -> Desk:
    """Return the game with ``seat`` played by ``holder``. Raises ``CorrectionError``."""
    held = holders(desk.game.setup.players, (link.entry for link in desk.game.journal))
    if len(holder) > 80 or held[seat] == holder:
        raise CorrectionError("a name has at most 80 characters" if len(holder) > 80 else f"{seat} is {holder}'s already")
    event = SeatHanded(seat=seat, before=held[seat], holder=holder, reason=_reason(reason))
    return desk.with_game(correct(desk.rules, desk.table, desk.game, event))


def reveal(desk: Desk, reason: str, *, is_forced: bool) -> Desk:
    """Return the game with its secret of chance published. Before the end only if ``is_forced``; that is recorded.

    Raises ``CorrectionError``.
    """
    secret = desk.game.chance.secret
    if secret is None:
        raise CorrectionError("the chance of this game is recorded: there is no secret")
    if any(isinstance(event, SecretRevealed) for link in desk.game.journal for event in link.entry.events):
        raise CorrectionError("the secret was published already")
    is_over = desk.rules.is_over(desk.table, desk.game.state)
    if not is_over and not is_forced:
        raise CorrectionError("the game is not over: who knows the secret knows every draw to come (--force does it anyway)")
    event = SecretRevealed(secret=secret, is_early=not is_over, reason=reason)
    return desk.with_game(correct(desk.rules, desk.table, desk.game, event))


def _reason(reason: str) -> str:
    if not 1 <= len(reason.strip()) <= 400:
        raise CorrectionError("a reason has 1 to 400 characters")
    return reason.strip()


def _parsed(text: str) -> _Assignment:
    match = _ASSIGNMENT.fullmatch(text) if len(text) <= _MOST else None
    if match is None:
        raise CorrectionError(f"an amendment is written PATH=VALUE, such as racers[red].minutes=14; “{text[:60]}” is not")
    try:
        value = json.loads(match["value"])
    except (ValueError, RecursionError):
        value = match["value"]
    return _Assignment(match["path"], match["how"], value)


def _assign(document: Any, assignment: _Assignment) -> None:
    steps = _steps(assignment.path)
    place = document
    for step in steps[:-1]:
        place = _member(place, step, assignment.path)
    key = _key(place, steps[-1], assignment.path)
    if assignment.how == "=":
        place[key] = assignment.value
        return
    items = place[key]
    if not isinstance(items, list):
        raise CorrectionError(f"{assignment.path} is no list: it takes `=`, not `{assignment.how}`")
    if assignment.how == "+=":
        items.append(assignment.value)
    elif assignment.value in items:
        items.remove(assignment.value)
    else:
        raise CorrectionError(f"{assignment.path} does not hold {canonical_text(assignment.value)}")


def _steps(path: str) -> list[str]:
    steps, place = [], 0
    while place < len(path):
        match = _STEP.match(path, place)
        if match is None:
            raise CorrectionError(f"“{path[:60]}” is no path: write members with dots, items in brackets")
        steps.append(match[1] or match[2])
        place = match.end()
    return steps


def _member(place: Any, step: str, path: str) -> Any:
    return place[_key(place, step, path)]


def _key(place: Any, step: str, path: str) -> Any:
    """Return the key or index that ``step`` means in ``place``. Raises ``CorrectionError`` if there is none."""
    if isinstance(place, dict) and step in place:
        return step
    if isinstance(place, list):
        if step.isdecimal() and int(step) < len(place):
            return int(step)
        for index, item in enumerate(place):
            if isinstance(item, dict) and item.get("seat") == step:
                return index
    known = (
        ", ".join(place) if isinstance(place, dict) else f"0 to {len(place) - 1}" if isinstance(place, list) else "nothing"
    )
    raise CorrectionError(f"there is no “{step}” in {path}; there is: {known}")
