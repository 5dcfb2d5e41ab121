"""Write the report of a club to its moderator, and the findings of its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from adjudicator.core.phrases import count
from adjudicator.reports.cli.club import letters_text, matters_text
from adjudicator.reports.data.club import ClubCheckup, ClubMessage, ClubMessages, ClubReport
from adjudicator.reports.text.table import GAP

Moment = Callable[[int], str]


def report_text(report: ClubReport, moment: Moment) -> str:
    """Return ``report`` for people; ``moment`` formats a time in seconds since 1970."""
    since = f"since {moment(report.since)}" if report.since else "since the club began"
    late = (f"{one.game}: {one.player or one.seat} ({one.seat}), due {moment(one.deadline)}" for one in report.late)
    changes = (f"{moment(one.changed_at)}  {one.task}: {one.what}" for one in report.changes)
    running = [game for game in report.continued if game not in report.games_over]
    lost = sum(one.next_try is None for one in report.unsent)
    counts = {"queued": len(report.unsent) - lost, "given up": lost}
    blocks = [
        "\n".join(
            [
                f"{report.name}, {since}",
                f"{GAP}mails fetched: {_counts(report.club_mails)}",
                f"{GAP}letters written: {_counts(report.letters)}",
                f"{GAP}games with a new position: {', '.join(running) or 'none'}",
                f"{GAP}games over: {', '.join(report.games_over) or 'none'}",
            ]
        ),
        _block("Your changes", changes),
        _block("Late", late),
        _block("Stopped", (f"{game}: {why}" for game, why in report.stopped_games.items())),
        matters_text(report.matters, moment),
        letters_text(report.unsent, counts, moment),
    ]
    if not (report.late or report.stopped_games or report.matters or report.unsent):
        blocks.append("Nobody is late, and nothing waits for you.")
    return "\n\n".join(block for block in blocks if block)


def checkup_text(checkup: ClubCheckup) -> str:
    """Return ``checkup`` for people: each problem, and below it what to do."""
    if not checkup.club_findings:
        return f"nothing is wrong; checked: {', '.join(checkup.checks)}"
    lines = [f"{count(len(checkup.club_findings), 'problem')}:"]
    for one in checkup.club_findings:
        lines += [f"{one.check}: {one.what}", f"{GAP}→ {one.advice}"]
    return "\n".join(lines)


def messages_text(found: ClubMessages, moment: Moment) -> str:
    """Return the messages of a game for people: a line for each, and below it its text."""
    blocks = []
    for one in found.club_messages:
        name = ", without a name," if one.is_anonymous else ""
        lines = [f"{moment(one.written_at)}  {one.player}{name} to {', '.join(one.message_to)}  {_fate(one)}"]
        blocks.append("\n".join([*lines, *(f"{GAP}{line}" for line in one.text.split("\n"))]))
    return "\n\n".join(blocks) or f"{found.game}: no messages"


def _fate(message: ClubMessage) -> str:
    if message.state == "accepted":
        return f"(not sent yet to {', '.join(message.waiting_seats)})" if message.waiting_seats else "(sent)"
    return "(waits for you)" if message.state == "held" else "(dropped)"


def _counts(counts: Mapping[str, int]) -> str:
    """Return ``counts`` as text: `5 (3 answered, 2 held)`."""
    parts = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    return f"{sum(counts.values())} ({parts})" if parts else "none"


def _block(title: str, lines: Iterable[str]) -> str:
    found = [f"{GAP}{line}" for line in lines]
    return "\n".join([title, *found]) if found else ""
