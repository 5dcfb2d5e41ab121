"""Write the daily letter to the moderator: matters that wait, and letters that did not arrive."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from adjudicator.club.deadlines import zone
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import write_to_moderator
from adjudicator.club.manage import status_of
from adjudicator.club.results import status_text
from adjudicator.core.phrases import count

_COMMANDS: Final = "`adjudicator club settle` removes a matter, `accept` takes a mail, `release` sends a message.\n"
_HOUR: Final = 8
"""The letter goes out in the first round after this hour, in the time zone of the club."""


def digest(club: ClubFolder, ledger: Ledger, now: int) -> None:
    """Queue the letter in the first round of a morning, if anything has waited since before that morning."""
    local = datetime.fromtimestamp(now, UTC).astimezone(zone(club.settings.time_zone))
    morning = int(local.replace(hour=_HOUR, minute=0, second=0).timestamp())
    waiting = (*(matter.at for matter in ledger.matters()), *(letter.written for letter in ledger.unsent()))
    if now < morning or not any(since < morning for since in waiting):
        return
    status = status_of(club, ledger)
    words = [count(len(status.matters), "matter")] if status.matters else []
    words += [count(len(status.unsent), "unsent mail")] if status.unsent else []
    text = status_text(status, club.moment)
    with ledger.change():
        write_to_moderator(
            club,
            ledger,
            key=f"digest/{local.date()}",
            game="",
            subject=f"waiting for you: {', '.join(words)}",
            text=f"{text}\n\n{_COMMANDS}",
            now=now,
        )
