"""What a viewer may know of an entry, of the beginning of a game, and since when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.core.game import Record
from adjudicator.core.journal import Entry, Outside
from adjudicator.core.order import without_draws
from adjudicator.core.rules import AnyRules, AnyRuleset
from adjudicator.core.ruleset import Setup
from adjudicator.core.values import MODERATOR, Viewer, replace
from adjudicator.results import Begun

if TYPE_CHECKING:
    from adjudicator.library.game import Game


def redact_entry(rules: AnyRuleset, entry: Entry, viewer: Viewer, *, is_over: bool = False) -> Entry:
    """Return ``entry`` as ``viewer`` may read it; ``is_over`` says that its game is.

    The game's ``redact`` decides what an event shows; a correction shows the changes in the viewer's own view. Only the seat
    and the moderator read the rest of the order on the sheet, and the reason for a branch. Only the moderator reads outcomes
    that the sheet has beside an order: others may have drawn them. All read notes and comments when the game is over.
    """
    redacted = (
        event.redact(rules, viewer)
        if isinstance(event, Outside)
        else event
        if viewer == MODERATOR
        else rules.redact(event, viewer)
        for event in entry.events
    )
    events = tuple(event for event in redacted if event is not None)
    is_own = viewer is not None and viewer in (entry.seat, MODERATOR)
    note = entry.note if is_own or is_over else ""
    comment = entry.comment if is_over or viewer == MODERATOR else ""
    entry = replace(entry, events=events, note=note, comment=comment)
    if not is_own:
        return replace(entry, written=None, notes=())
    if viewer == MODERATOR or entry.written is None:
        return entry
    said = without_draws(entry.written)
    return replace(entry, written=None if said == entry.order else said)


def is_hidden(entry: Entry, viewer: Viewer) -> bool:
    """Return whether ``entry`` is hidden from ``viewer``: a skipped order could reveal its player's intention."""
    return entry.is_skipped and viewer not in (entry.seat, MODERATOR)


def beginning_of(game: Game) -> Begun:
    """Return the public facts about the beginning of ``game``."""
    record = game.record
    return Begun(
        game=record.id,
        ruleset=record.ruleset.id,
        version=record.ruleset.version,
        components=record.components.id,
        components_version=record.components.version,
        components_hash=record.components.hash,
        players=record.setup.players,
        options=record.setup.options,
        position=record.setup.position is not None or game.fork is not None,
        words=record.chance.entropy,
        without=record.chance.without,
        promise=game.promise,
    )


def first_unreported(record: Record, since: int | None, viewer: Viewer) -> int:
    """Return the first entry of the report to ``viewer``: the first unreported one, else that of the last report.

    ``since`` is the entry with which the last reports began, if that is known. Entries that are hidden from the viewer do
    not count as new.
    """
    if any(not is_hidden(link.entry, viewer) for link in record.journal[record.reported :]):
        return record.reported
    if since is not None and 0 <= since < len(record.journal):
        return since
    latest = record.journal[-1].entry.turn
    return next(link.entry.n for link in record.journal if link.entry.turn == latest)


def known_position(rules: AnyRules, setup: Setup) -> Any:
    """Return the public part of the explicit position of ``setup``, which may also contain secrets."""
    return None if setup.position is None else rules.known_position(setup.position)
