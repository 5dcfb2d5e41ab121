"""The journal as one viewer may read it: the one place where entries are masked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adjudicator.core.corrections import CORRECTIONS, redact_correction
from adjudicator.core.ids import MODERATOR, Viewer
from adjudicator.core.journal import Entry
from adjudicator.core.order import without_draws
from adjudicator.core.ruleset import Ruleset
from adjudicator.core.step import SKIPPED


def redacted_entry(rules: Ruleset[Any, Any, Any], config: Any, entry: Entry, viewer: Viewer) -> Entry:
    """Return ``entry`` as ``viewer`` may read it.

    Events are shown as the game's ``redact`` says, corrections by what they change in the viewer's own view. What the
    sheet said beyond the order itself, and why a branch was taken, only the seat and the moderator read; outcomes written
    beside it only the moderator, since they may be what others drew.
    """
    redacted = (redact_event(rules, config, event, viewer) for event in entry.events)
    events = tuple(event for event in redacted if event is not None)
    if viewer is None or viewer not in (entry.seat, MODERATOR):
        return replace(entry, events=events, written=None, notes=())
    if viewer == MODERATOR or entry.written is None:
        return replace(entry, events=events)
    said = without_draws(entry.written)
    return replace(entry, events=events, written=None if said == entry.order else said)


def is_hidden(entry: Entry, viewer: Viewer) -> bool:
    """Return whether ``viewer`` is not to know of ``entry`` at all: nothing was done, and that could tell what was meant."""
    return entry.order == SKIPPED and viewer not in (entry.seat, MODERATOR)


def redact_event(rules: Ruleset[Any, Any, Any], config: Any, event: Any, viewer: Viewer) -> Any:
    """Return ``event`` as ``viewer`` sees it, ``None`` for not at all."""
    if isinstance(event, CORRECTIONS):
        return redact_correction(rules, config, event, viewer)
    return event if viewer == MODERATOR else rules.redact(config, event, viewer)
