"""Corrections a moderator makes: each one an entry in the journal, with its reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from adjudicator.begin import is_text
from adjudicator.core.amend import put_right
from adjudicator.core.canonical import canonical_text, json_value
from adjudicator.core.corrections import Amended, SeatHanded, SecretRevealed, Undone
from adjudicator.core.engine import correct
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.record import holders, undone_by
from adjudicator.session import Session
from adjudicator.store.errors import Untrusted
from adjudicator.store.reading import parse, quoted, trail
from adjudicator.store.shape import LARGEST

_ASSIGNMENT: Final = re.compile(r"\s*(?P<path>[^=+]+?)\s*(?P<how>\+=|-=|=)\s*(?P<value>.*)", re.DOTALL)
_STEP: Final = re.compile(r"\.?([A-Za-z_][\w-]*)|\[([^\]]+)\]")
_MOST: Final = 4_000


class CorrectionError(Exception):
    """A correction makes no sense; the message says why."""


@frozen
class _Assignment:
    text: str
    path: str
    how: str
    value: Any


def undo(session: Session, to: int, reason: str) -> Session:
    """Return the game as it stood after entry ``to``; the entries since stay in the record, pending sheets go.

    Raises ``CorrectionError``.
    """
    entries = [link.entry for link in session.game.journal]
    if not 0 <= to < len(entries) - 1:
        raise CorrectionError(
            f"entry {to} cannot be gone back to: there are entries 0 to {len(entries) - 1}, the last is now"
        )
    undone = undone_by(entries)
    if to in undone:
        raise CorrectionError(f"entry {to} itself was undone by entry {undone[to]}")
    game = correct(session.rules, session.config, session.game, Undone(to=to, reason=_reason(reason)))
    return session.with_game(replace(game, pending=()))


def amend(session: Session, assignments: Iterable[str], reason: str) -> Session:
    """Return the game with values of its state changed: ``racers[red].minutes=14``, ``stack-=H5``.

    A path names members of the state as its file has them; in brackets stands a number from 0, or the seat of an item.
    A value is JSON, or a bare word. Raises ``CorrectionError``, ``SetupError``.
    """
    document = json_value(session.game.state)
    assigned = [(_assign(document, assignment), assignment.text) for assignment in map(_parsed, tuple(assignments))]
    before = session.game.state
    after = put_right(session.rules, session.config, _built(session, document, assigned), session.seats)
    if after == before:
        raise CorrectionError("nothing would be changed")
    event = Amended(before=before, after=after, reason=_reason(reason))
    # The words are public; what was changed shows in the event, to those who may know it.
    return session.with_game(correct(session.rules, session.config, session.game, event))


def hand_over(session: Session, seat: Seat, holder: str, reason: str) -> Session:
    """Return the game with ``seat`` played by ``holder``. Raises ``CorrectionError``."""
    if len(holder) > 80 or not is_text(holder):
        raise CorrectionError("a name has at most 80 characters of plain text, on one line")
    held = holders(session.game.setup.players, (link.entry for link in session.game.journal))
    if held[seat] == holder:
        raise CorrectionError(f"{seat} is {holder}'s already" if holder else f"{seat} is nobody's already")
    event = SeatHanded(seat=seat, before=held[seat], holder=holder, reason=_reason(reason))
    return session.with_game(correct(session.rules, session.config, session.game, event))


def reveal(session: Session, reason: str, *, is_forced: bool) -> Session:
    """Return the game with its secret of chance published.

    Before the end only if ``is_forced``, and for a reason; that is recorded. Raises ``CorrectionError``.
    """
    secret = session.game.chance.secret
    if secret is None:
        raise CorrectionError("the chance of this game is recorded: there is no secret")
    if any(isinstance(event, SecretRevealed) for link in session.game.journal for event in link.entry.events):
        raise CorrectionError("the secret was published already")
    is_over = session.rules.is_over(session.config, session.game.state)
    if not is_over and not is_forced:
        raise CorrectionError("the game is not over: who knows the secret knows every draw to come (--force does it anyway)")
    if not is_over and not reason.strip():
        raise CorrectionError("a secret published before the end needs a reason, which stands in the record (--reason)")
    words = _reason(reason) if reason.strip() else ""
    event = SecretRevealed(secret=secret, is_early=not is_over, reason=words)
    return session.with_game(correct(session.rules, session.config, session.game, event))


def cautions(session: Session) -> tuple[str, ...]:
    """Return what a moderator should know of the game as it stands after a correction, in sentences."""
    events = (event for link in session.game.journal for event in link.entry.events)
    if session.rules.is_over(session.config, session.game.state) or not any(
        isinstance(event, SecretRevealed) for event in events
    ):
        return ()
    return ("the secret of chance was published, and the game goes on: who knows it knows every draw to come",)


def _reason(reason: str) -> str:
    """Return the moderator's words as they are recorded. Raises ``CorrectionError`` if a line cannot hold them."""
    words = reason.strip()
    if not 1 <= len(words) <= 400:
        raise CorrectionError(f"a reason has 1 to 400 characters, this one has {len(words)}")
    if not is_text(words):
        raise CorrectionError("a reason is plain text, on one line")
    return words


def _parsed(text: str) -> _Assignment:
    match = _ASSIGNMENT.fullmatch(text) if len(text) <= _MOST else None
    if match is None:
        raise CorrectionError(f"an amendment is written PATH=VALUE, such as racers[red].minutes=14; {quoted(text)} is not")
    return _Assignment(text, match["path"], match["how"], _value(text, match["value"]))


def _value(text: str, written: str) -> Any:
    """Return the value ``written`` in the assignment ``text``: JSON that a file can hold, or else a bare word."""
    if any("\ud800" <= sign <= "\udfff" for sign in written):
        raise CorrectionError(f"{quoted(text)}: holds half a character")
    try:
        canonical_text(json.loads(written, parse_int=_number, parse_float=_nothing, parse_constant=_nothing))
    except ValueError:
        return written
    except (RecursionError, OverflowError) as error:
        words = "a number is too large" if isinstance(error, OverflowError) else "it is nested too deeply"
        raise CorrectionError(f"{quoted(text)}: {words}") from None
    try:
        _, value = parse(text, written.encode())
    except Untrusted as error:
        raise CorrectionError("\n".join(f"{quoted(text)}: {violation.words}" for violation in error.violations)) from None
    return value


def _number(digits: str) -> int:
    number = int(digits)
    if abs(number) > LARGEST:
        raise OverflowError
    return number


def _nothing(_written: str) -> None:
    """Pass over a fraction: what is wrong with it is said where files are read."""


def _built(session: Session, document: Any, assigned: Sequence[tuple[str, str]]) -> Any:
    """Return the state in ``document``; what cannot be is told of the assignment (path, text) that has put it there."""
    from adjudicator.store.parts import build_state, is_within

    try:
        return build_state(session.rules, document)
    except Untrusted as error:
        lines = []
        for violation in error.violations:
            texts = [text for path, text in assigned if is_within(violation.path, path)]
            lines.append(f"{quoted(texts[-1]) if texts else violation.path}: {violation.words}")
        raise CorrectionError("\n".join(lines)) from error


def _assign(document: Any, assignment: _Assignment) -> str:
    """Change ``document`` as it is asked; return the JSON path of what was changed."""
    *steps, last = _steps(assignment.path)
    place, keys = document, []
    for step in steps:
        keys.append(_key(place, step, assignment.path))
        place = place[keys[-1]]
    key = _key(place, last, assignment.path)
    _put(place, key, assignment)
    return trail((*keys, key))


def _put(place: Any, key: Any, assignment: _Assignment) -> None:
    if assignment.how == "=":
        place[key] = assignment.value
        return
    items = place[key]
    if not isinstance(items, list):
        raise CorrectionError(f"{quoted(assignment.path)} is no list: it takes `=`, not `{assignment.how}`")
    if assignment.how == "+=":
        items.append(assignment.value)
    elif assignment.value in items:
        items.remove(assignment.value)
    else:
        raise CorrectionError(f"{quoted(assignment.path)} does not hold {canonical_text(assignment.value)}")


def _steps(path: str) -> list[str]:
    steps, place = [], 0
    while place < len(path):
        match = _STEP.match(path, place)
        if match is None:
            raise CorrectionError(f"{quoted(path)} is no path: write members with dots, items in brackets")
        steps.append(match[1] or match[2])
        place = match.end()
    return steps


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
    listed = ", ".join(place) if isinstance(place, dict) else f"0 to {len(place) - 1}" if isinstance(place, list) else ""
    known = listed if place else "nothing"
    raise CorrectionError(f"there is no {quoted(step)} in {quoted(path)}; there is: {known}")
