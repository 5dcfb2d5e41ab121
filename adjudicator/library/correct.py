"""Makes the moderator's corrections, each an entry in the journal with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

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
from adjudicator.core.game import Record, withdraw_undone
from adjudicator.core.problem import CorrectionError
from adjudicator.core.values import Seat, canonical_bytes, json_value, replace
from adjudicator.files import typed
from adjudicator.files.errors import Violation
from adjudicator.files.reading import TOO_DEEP, quoted
from adjudicator.library.beginning import is_text
from adjudicator.library.game import Game
from adjudicator.library.paths import assign, named, parse_assignment, words_in


def undo(game: Game, to: int, reason: str) -> Game:
    """Return the game as it was after entry ``to``; later entries stay in the journal, pending sheets are set aside.

    Raises ``CorrectionError``.
    """
    last = len(game.record.journal) - 1
    if not last:
        raise CorrectionError("this game has only its set-up, entry 0: there is no entry to undo")
    if to == last:
        raise CorrectionError(f"entry {to} is the last one: there is nothing after it to undo")
    if not 0 <= to < last:
        raise CorrectionError(f"there is no entry {to}: name one from 0 (the set-up) to {last - 1}")
    abandoned = game.timeline.past.abandoned
    if to in abandoned:
        raise CorrectionError(f"entry {to} itself was undone by entry {abandoned[to]}")
    words = reason_words(reason)
    return _corrected(game.with_record(withdraw_undone(game.record, words)), Undone(to=to, reason=words))


def amend(game: Game, assignments: Iterable[str], reason: str) -> Game:
    """Return the game with changed values in its state: ``clock of red=14``, ``board[A1].rot=90``, ``discard+=H5``.

    `adjudicator.library.paths` describes their form. Raises ``CorrectionError``, ``SetupError``.
    """
    document = json_value(game.record.state)
    naming = naming_of(game.rules)
    names = {*game.seats, *words_in(document)}, words_in(game.rules.config)
    changes = (parse_assignment(text) for text in tuple(assignments))
    meant = [replace(change, value=named(change.value, *names)) for change in changes]
    assigned = [(assign(document, change, naming), change.text) for change in meant]
    before = game.record.state
    wanted = _built(game, document, assigned)
    after = validate_amendment(game.rules, before, wanted)
    if after == before:
        raise CorrectionError("this changes nothing: the position has these values already")
    event = Amended(before=before, after=after, reason=reason_words(reason))
    # The reason is public; the event shows the change to those who may know it.
    return _corrected(game, event)


def hand_over(game: Game, seat: Seat, holder: str, reason: str) -> Game:
    """Return the game with ``seat`` played by ``holder``. Raises ``CorrectionError``."""
    if len(holder) > 80 or not is_text(holder):
        raise CorrectionError("a name has at most 80 characters of plain text, on one line")
    held = game.holders
    if held[seat] == holder:
        raise CorrectionError(f"{holder} already has {seat}" if holder else f"{seat} has no player already")
    event = SeatHanded(seat=seat, before=held[seat], holder=holder, reason=reason_words(reason))
    return _corrected(game, event)


def reveal(game: Game, reason: str, *, is_forced: bool) -> Game:
    """Return the game with its secret of chance published.

    Before the end this must be ``is_forced`` and needs a reason, which is recorded. Raises ``CorrectionError``.
    """
    secret = game.record.chance.secret
    if secret is None:
        raise CorrectionError("the chance of this game is recorded: it has no secret")
    if game.timeline.past.revealed is not None:
        raise CorrectionError("the secret is already public")
    is_over = game.rules.is_over(game.record.state)
    if not is_over and not is_forced:
        raise CorrectionError("the game is not over: whoever knows the secret knows all later draws")
    if not is_over and not reason.strip():
        raise CorrectionError("to publish the secret before the end, give a reason, which the journal records")
    words = reason_words(reason) if reason.strip() else ""
    event = SecretRevealed(secret=secret, is_early=not is_over, reason=words)
    return _corrected(game, event)


def miss_deadline(
    game: Game, seat: Seat, due: str, policy: MissedPolicy, count: int, reason: str = "", *, takes_number: bool = True
) -> Game:
    """Return the game with the note that ``seat`` missed the deadline ``due``, and the ``policy`` applied.

    ``count`` is how many deadlines the seat has missed in a row. Unless it ``takes_number``, the note joins the adjudication
    before it, and players see the same number as without it. Raises ``CorrectionError``.
    """
    words = reason_words(reason) if reason.strip() else ""
    event = MissedDeadline(seat=seat, due=due, policy=policy, missed=count, reason=words)
    return _corrected(game, event, takes_number=takes_number)


def take_holiday(game: Game, seat: Seat, first: str, last: str, reason: str = "", *, takes_number: bool = True) -> Game:
    """Return the game with the note that the player of ``seat`` is away from ``first`` to ``last``, days as text.

    ``takes_number`` as for ``miss_deadline``. Raises ``CorrectionError``.
    """
    words = reason_words(reason) if reason.strip() else ""
    event = WentOnHoliday(seat=seat, first=first, last=last, reason=words)
    return _corrected(game, event, takes_number=takes_number)


def _corrected(game: Game, event: Correction, *, takes_number: bool = True) -> Game:
    changed = apply_correction(game.rules, game.record, event, game.timeline, takes_number=takes_number)
    return game.with_record(changed)


def missed_deadlines(record: Record, seat: Seat) -> int:
    """Return how many deadlines ``seat`` has missed since the game recorded its last mail."""
    for link in reversed(record.journal):
        event = link.entry.outside
        if isinstance(event, MissedDeadline) and event.seat == seat:
            has_come = any(one.seat == seat and one.turn > link.entry.turn for one in record.receipts)
            return 0 if has_come else event.missed
    return 0


def cautions(game: Game) -> tuple[str, ...]:
    """Return warnings to the moderator about the game after a correction, as sentences."""
    if game.timeline.past.revealed is None or game.rules.is_over(game.record.state):
        return ()
    return ("the secret of chance is public, and the game is not over: whoever knows it knows all later draws",)


def waiting_orders(game: Game) -> dict[Seat, int]:
    """Return the number of pending orders by seat."""
    return {sheet.seat: len(sheet.orders) for sheet in game.record.pending}


def dropped_orders(before: Game, after: Game) -> dict[Seat, int]:
    """Return the number of pending orders by seat that an undo, which made ``after``, has dropped."""
    if not isinstance(after.record.journal[len(before.record.journal)].entry.outside, Undone):
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


def _built(game: Game, document: Any, assigned: Sequence[tuple[str, str]]) -> Any:
    """Return the state in ``document``; an error names the assignment (path, text) that caused it."""
    kind, wrong = game.rules.types.state, list[Violation]()
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
