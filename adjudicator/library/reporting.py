"""Make the report to one viewer: this is the only place that selects its contents."""

from __future__ import annotations

from adjudicator.core.corrections import naming_of, secret_words_at, value_words
from adjudicator.core.game import Record
from adjudicator.core.values import MODERATOR, Seat, Viewer, differences, json_value, replace
from adjudicator.library.game import Game
from adjudicator.library.present import choices_of, is_hidden, legal_if_due, legal_of, log_of, position_of, waiting_of
from adjudicator.reports.data.report import Report
from adjudicator.reports.drawings.changes import Earlier
from adjudicator.results import OwnSecret


def report_for(game: Game, viewer: Viewer, first: int) -> Report:
    """Return the report to ``viewer``, with the log from entry ``first`` on, but without the results of mails."""
    report = Report(
        position=position_of(game, viewer),
        since=game.timeline.entry_numbers.number(first, viewer),
        happened=log_of(game, game.record.journal[first:], viewer),
        waiting=waiting_of(game, viewer).pending,
        earlier=_earlier(game, viewer, first),
    )
    return report if viewer is None or viewer == MODERATOR else _to_seat(game, viewer, report)


def _earlier(game: Game, viewer: Viewer, first: int) -> Earlier | None:
    """Return what ``viewer`` saw before entry ``first``; ``None`` if there was nothing, or all since is hidden.

    It is what the viewer could see then, drawn like what it sees now: what is marked as new follows from these two alone.
    """
    rules, journal = game.rules, game.record.journal
    visible = next((link.entry for link in journal[first:] if not is_hidden(link.entry, viewer)), None)
    if first == 0 or visible is None:
        return None
    state = game.timeline.state_after(first - 1)
    return Earlier(rules.draw(rules.view(state, viewer)), game.turn_number(visible.turn))


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


def secrets_of(game: Game, seat: Seat) -> tuple[OwnSecret, ...]:
    """Return the parts of the position that ``seat`` sees and a bystander does not, each with its name."""
    rules, state = game.rules, game.record.state
    seen = rules.view(state, seat).state
    public, own = json_value(rules.view(state, None).state), json_value(seen)
    naming, found = naming_of(rules), []
    for path, _, value in differences(public, own):
        usual = naming.called(own, path).replace(f"{seat}'s ", "your ", 1), value_words(value)
        title, words = secret_words_at(rules.config, seen, path, seat) or usual
        found.append(OwnSecret(title, words, value))
    return tuple(found)


def _to_seat(game: Game, seat: Seat, report: Report) -> Report:
    rules, state = game.rules, game.record.state
    eliminated = rules.retired(state, seat)
    own = replace(
        report,
        secrets=secrets_of(game, seat),
        out="" if eliminated is None else eliminated.message,
        has_answered=game.rules.has_answered(game.record.state, seat),
    )
    if report.position.heading.over or eliminated is not None:
        return own
    own = replace(own, choices=choices_of(game, seat))
    if own.is_asked:
        return replace(own, legal=legal_of(game, seat))
    return replace(own, legal=legal_if_due(game, seat), is_ahead=True)
