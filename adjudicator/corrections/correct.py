"""Makes the moderator's corrections, each an entry in the journal with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from adjudicator.begin import is_text
from adjudicator.core.corrections import (
    Amended,
    Correction,
    MissedDeadline,
    MissedPolicy,
    SeatHanded,
    SecretRevealed,
    Undone,
    WentOnHoliday,
    naming_of,
)
from adjudicator.core.entries import apply_correction, validate_amendment
from adjudicator.core.game import Game, withdraw_undone
from adjudicator.core.problem import CorrectionError
from adjudicator.core.values import Seat, canonical_bytes, json_value, replace
from adjudicator.corrections.paths import assign, named, parse_assignment, words_in
from adjudicator.files import typed
from adjudicator.files.errors import Violation
from adjudicator.files.reading import TOO_DEEP, quoted
from adjudicator.session import Session


def undo(session: Session, to: int, reason: str) -> Session:
    """Return the game as it was after entry ``to``; later entries stay in the journal, pending sheets are set aside.

    Raises ``CorrectionError``.
    """
    last = len(session.game.journal) - 1
    if not last:
        raise CorrectionError("this game has only its set-up, entry 0: there is no entry to undo")
    if to == last:
        raise CorrectionError(f"entry {to} is the last one: there is nothing after it to undo")
    if not 0 <= to < last:
        raise CorrectionError(f"there is no entry {to}: name one from 0 (the set-up) to {last - 1}")
    abandoned = session.timeline.past.abandoned
    if to in abandoned:
        raise CorrectionError(f"entry {to} itself was undone by entry {abandoned[to]}")
    words = reason_words(reason)
    return _corrected(session.with_game(withdraw_undone(session.game, words)), Undone(to=to, reason=words))


def amend(session: Session, assignments: Iterable[str], reason: str) -> Session:
    """Return the game with changed values in its state: ``clock of red=14``, ``board[A1].rot=90``, ``discard+=H5``.

    `adjudicator.corrections.paths` describes their form. Raises ``CorrectionError``, ``SetupError``.
    """
    document = json_value(session.game.state)
    naming = naming_of(session.rules)
    names = {*session.seats, *words_in(document)}, words_in(session.rules.config)
    changes = (parse_assignment(text) for text in tuple(assignments))
    meant = [replace(change, value=named(change.value, *names)) for change in changes]
    assigned = [(assign(document, change, naming), change.text) for change in meant]
    before = session.game.state
    wanted = _built(session, document, assigned)
    after = validate_amendment(session.rules, before, wanted)
    if after == before:
        raise CorrectionError("this changes nothing: the position has these values already")
    event = Amended(before=before, after=after, reason=reason_words(reason))
    # The reason is public; the event shows the change to those who may know it.
    return _corrected(session, event)


def hand_over(session: Session, seat: Seat, holder: str, reason: str) -> Session:
    """Return the game with ``seat`` played by ``holder``. Raises ``CorrectionError``."""
    if len(holder) > 80 or not is_text(holder):
        raise CorrectionError("a name has at most 80 characters of plain text, on one line")
    held = session.holders
    if held[seat] == holder:
        raise CorrectionError(f"{holder} already has {seat}" if holder else f"{seat} has no player already")
    event = SeatHanded(seat=seat, before=held[seat], holder=holder, reason=reason_words(reason))
    return _corrected(session, event)


def reveal(session: Session, reason: str, *, is_forced: bool) -> Session:
    """Return the game with its secret of chance published.

    Before the end this must be ``is_forced`` and needs a reason, which is recorded. Raises ``CorrectionError``.
    """
    secret = session.game.chance.secret
    if secret is None:
        raise CorrectionError("the chance of this game is recorded: it has no secret")
    if session.timeline.past.revealed is not None:
        raise CorrectionError("the secret is already public")
    is_over = session.rules.is_over(session.game.state)
    if not is_over and not is_forced:
        raise CorrectionError("the game is not over: whoever knows the secret knows all later draws")
    if not is_over and not reason.strip():
        raise CorrectionError("to publish the secret before the end, give a reason, which the journal records")
    words = reason_words(reason) if reason.strip() else ""
    event = SecretRevealed(secret=secret, is_early=not is_over, reason=words)
    return _corrected(session, event)


def miss_deadline(
    session: Session, seat: Seat, due: str, policy: MissedPolicy, count: int, reason: str = "", *, takes_number: bool = True
) -> Session:
    """Return the game with the note that ``seat`` missed the deadline ``due``, and the ``policy`` applied.

    ``count`` is how many deadlines the seat has missed in a row. Unless it ``takes_number``, the note joins the adjudication
    before it, and players see the same number as without it. Raises ``CorrectionError``.
    """
    words = reason_words(reason) if reason.strip() else ""
    event = MissedDeadline(seat=seat, due=due, policy=policy, missed=count, reason=words)
    return _corrected(session, event, takes_number=takes_number)


def take_holiday(
    session: Session, seat: Seat, first: str, last: str, reason: str = "", *, takes_number: bool = True
) -> Session:
    """Return the game with the note that the player of ``seat`` is away from ``first`` to ``last``, days as text.

    ``takes_number`` as for ``miss_deadline``. Raises ``CorrectionError``.
    """
    words = reason_words(reason) if reason.strip() else ""
    event = WentOnHoliday(seat=seat, first=first, last=last, reason=words)
    return _corrected(session, event, takes_number=takes_number)


def _corrected(session: Session, event: Correction, *, takes_number: bool = True) -> Session:
    changed = apply_correction(session.rules, session.game, event, session.timeline, takes_number=takes_number)
    return session.with_game(changed)


def missed_deadlines(game: Game, seat: Seat) -> int:
    """Return how many deadlines ``seat`` has missed since the game recorded its last mail."""
    for link in reversed(game.journal):
        event = link.entry.outside
        if isinstance(event, MissedDeadline) and event.seat == seat:
            has_come = any(one.seat == seat and one.turn > link.entry.turn for one in game.receipts)
            return 0 if has_come else event.missed
    return 0


def cautions(session: Session) -> tuple[str, ...]:
    """Return warnings to the moderator about the game after a correction, as sentences."""
    if session.timeline.past.revealed is None or session.rules.is_over(session.game.state):
        return ()
    return ("the secret of chance is public, and the game is not over: whoever knows it knows all later draws",)


def waiting_orders(session: Session) -> dict[Seat, int]:
    """Return the number of pending orders by seat."""
    return {sheet.seat: len(sheet.orders) for sheet in session.game.pending}


def dropped_orders(before: Session, after: Session) -> dict[Seat, int]:
    """Return the number of pending orders by seat that an undo, which made ``after``, has dropped."""
    if not isinstance(after.game.journal[len(before.game.journal)].entry.outside, Undone):
        return {}
    left = waiting_orders(after)
    gone = {seat: orders - left.get(seat, 0) for seat, orders in waiting_orders(before).items()}
    return {seat: orders for seat, orders in gone.items() if orders > 0}


def reason_words(reason: str) -> str:
    """Return the moderator's reason for the journal. Raises ``CorrectionError`` if it is not one line of text."""
    words = reason.strip()
    if not 1 <= len(words) <= 400:
        raise CorrectionError(f"a reason has 1 to 400 characters; this one has {len(words)}")
    if not is_text(words):
        raise CorrectionError("a reason is plain text, on one line")
    return words


def _built(session: Session, document: Any, assigned: Sequence[tuple[str, str]]) -> Any:
    """Return the state in ``document``; an error names the assignment (path, text) that caused it."""
    kind, wrong = session.rules.types.state, list[Violation]()
    try:
        return typed.read(kind, canonical_bytes(document))
    except typed.Misfit as misfit:
        from adjudicator.files.explain import violations
        from adjudicator.store.schema import json_schema

        found = violations(document, json_schema, kind) or (misfit.violation,)
        wrong += (one for one in found if not any(_is_inside(other.path, one.path) for other in found))
    except RecursionError:
        wrong.append(Violation("$", TOO_DEEP))
    lines = []
    for violation in wrong:
        texts = [text for path, text in assigned if violation.path == path or _is_inside(violation.path, path)]
        lines.append(f"{quoted(texts[-1]) if texts else violation.place}: {violation.words}")
    raise CorrectionError("\n".join(lines))


def _is_inside(path: str, outer: str) -> bool:
    """Return whether the JSON path ``path`` is inside ``outer``: a list is wrong only because one of its values is."""
    return path.startswith((f"{outer}.", f"{outer}["))
