"""Read the reports of mail servers about letters that did not arrive, and match them by their Message-ID."""

from __future__ import annotations

import re
from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger, StoredMail
from adjudicator.club.letters import UNPROVEN
from adjudicator.club.limits import DAY
from adjudicator.reports.sanitize import printable

_MOST: Final = 500_000
"""Bytes of a report that the club searches: the report contains the header of the letter, often the whole letter."""
_MOST_LETTERS: Final = 20
_IDENTIFIER: Final = re.compile(rb"(?im)^message-id:\s{0,9}(<[0-9a-f]{32}@[^<>\s]{1,250}>)")
_ACTION: Final = re.compile(rb"(?im)^action:[ \t]*([a-z]+)")
_REASON: Final = re.compile(rb"(?im)^diagnostic-code:[ \t]*([^\r\n]{1,300}(?:\r?\n[ \t][^\r\n]{1,300}){0,3})")
_STATUS: Final = re.compile(rb"(?im)^status:[ \t]*([0-9.]{5,11})")


def note_bounce(club: ClubFolder, ledger: Ledger, mail: StoredMail, now: int) -> None:
    """Raise a matter for each letter of this club that did not arrive, according to ``mail``.

    Only the recipient of a letter and the servers on its way know its Message-ID, so no one else can report it.
    """
    data = mail.data[:_MOST]
    actions = {action.lower() for action in _ACTION.findall(data)}
    if actions and b"failed" not in actions:  # delayed, or relayed
        return
    for identifier in list(dict.fromkeys(_IDENTIFIER.findall(data)))[:_MOST_LETTERS]:
        letter = ledger.letter_with(identifier.decode("ascii", "replace"))
        if letter is not None and letter.kind != UNPROVEN:
            nobody = "you" if letter.kind == "moderator" else "a member"
            who = (club.player_of(letter.game, letter.seat) if letter.game in club.games else letter.seat) or nobody
            words = f"a mail ({letter.kind}) to {who} at {letter.recipient} came back: {_reason(data)}"
            ledger.raise_matter(f"bounce/{letter.game}/{letter.recipient}/{now // DAY}", letter.game, now, printable(words))


def _reason(data: bytes) -> str:
    found = _REASON.search(data) or _STATUS.search(data)
    return " ".join(found[1].decode("utf-8", "replace").split()) if found else "the mail server gives no reason"
