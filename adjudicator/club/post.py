"""Send the queued letters, each once, and try again later if a server is away or full."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Final

from adjudicator.club.database import RESTORE
from adjudicator.club.folder import LEDGER, ClubFolder
from adjudicator.club.ledger import WEBHOOK, DueLetter, Ledger
from adjudicator.club.letters import UNPROVEN, write_to_moderator
from adjudicator.club.limits import DAY
from adjudicator.club.settings import server_of
from adjudicator.core.problem import Violation
from adjudicator.core.values import Value
from adjudicator.files.atomic import PRIVATE, write_atomic
from adjudicator.files.errors import Untrusted
from adjudicator.mail.envelope import address_flaw
from adjudicator.mail.smtp import Fate, Handover, Sender

_MINUTE: Final = 60
_WAITS: Final = (1, 5, 15, 60, 180, 360)
"""Minutes until the next try of a letter; the last value repeats."""
_LONGEST_WAIT: Final = _WAITS[-1] * _MINUTE
_PATIENCE: Final = 4 * 24 * 60 * _MINUTE
"""The time after which the club gives up a letter, in seconds."""
_LEAST_TRIES: Final = 12
"""The least number of tries before that, which take two days: the clock may have jumped."""
_BATCH: Final = 200

_FATES: Final = {Fate.SENT: "sent", Fate.LATER: "not sent yet: ", Fate.REFUSED: "given up: "}

Send = Callable[[str, bytes, str], Handover]


class Delivery(Value, kw_only=True):
    """The numbers of letters that were sent, that wait for another try, and that the club has given up.

    ``stopped`` says why the round did not try some letters (empty: it tried all); the next round begins with them. ``done``
    has a line for each letter that it tried.
    """

    sent: int = 0
    later: int = 0
    given_up: int = 0
    stopped: str = ""
    done: tuple[str, ...] = ()

    def plus(self, other: Delivery) -> Delivery:
        """Return the sum of two deliveries."""
        return Delivery(
            sent=self.sent + other.sent,
            later=self.later + other.later,
            given_up=self.given_up + other.given_up,
            stopped=self.stopped or other.stopped,
            done=(*self.done, *other.done),
        )


def post(club: ClubFolder, ledger: Ledger, now: int) -> Delivery:
    """Send the letters that are due ``now``, in seconds since 1970. Raises ``LookupError`` if the password is missing."""
    if not ledger.due_letters(now, _LONGEST_WAIT, 1):
        return Delivery()
    if club.settings.outgoing.kind == "folder":
        send = _into_folder(club)
        return send_due(club, ledger, now, lambda one: send(one.recipient, one.data, one.message_id))
    with closing(Sender(server_of(club.settings.outgoing))) as server:
        return send_due(club, ledger, now, lambda one: server.send(club.settings.address, one.recipient, one.data))


def _into_folder(club: ClubFolder) -> Send:
    folder = club.folder / club.settings.outgoing.folder
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def write(_to: str, data: bytes, message_id: str) -> Handover:
        write_atomic(folder / f"{message_id.strip('<>').partition('@')[0]}.eml", data, PRIVATE)
        return Handover(Fate.SENT)

    return write


def send_due(
    club: ClubFolder, ledger: Ledger, now: int, send: Callable[[DueLetter], Handover], *, is_webhook: bool = False
) -> Delivery:
    """Hand each letter that is due ``now``, or each notice if ``is_webhook``, to ``send``, and record its result.

    Raises ``Untrusted`` if the ledger is damaged and keeps no result.
    """
    counts = dict.fromkeys(Fate, 0)
    stopped, done, tried = "", list[str](), set[int]()
    while not stopped and (letters := ledger.due_letters(now, _LONGEST_WAIT, _BATCH, is_webhook=is_webhook)):
        for letter in letters:
            if letter.id in tried:  # without an end, the club would send it again and again
                words = f"the ledger does not keep that letter {letter.id} is sent"
                raise Untrusted(str(club.folder / LEDGER), [Violation("$", words)], RESTORE)
            tried.add(letter.id)
            flaw = "" if is_webhook else address_flaw(letter.recipient)
            handed = Handover(Fate.REFUSED, flaw) if flaw else send(letter)
            if handed.fate is Fate.UNTRIED:
                stopped = handed.said
                break
            fate = record_result(club, ledger, letter, handed, now)
            counts[fate] += 1
            done.append(f"{letter.game or 'club'}: {letter.kind} to {letter.recipient}: {_FATES[fate]}{handed.said}")
    return Delivery(
        sent=counts[Fate.SENT], later=counts[Fate.LATER], given_up=counts[Fate.REFUSED], stopped=stopped, done=tuple(done)
    )


def interrupted_notices(ledger: Ledger, now: int) -> list[DueLetter]:
    """Return the notices of which no result is recorded, because the club stopped while it sent them."""
    return ledger.due_letters(now, _LONGEST_WAIT, _BATCH, is_webhook=True, state="sending")


def record_result(club: ClubFolder, ledger: Ledger, letter: DueLetter, handed: Handover, now: int) -> Fate:
    """Record the result of a try to send ``letter``; return it."""
    is_late = handed.fate is Fate.LATER and letter.tries >= _LEAST_TRIES and now - letter.written > _PATIENCE
    fate = Fate.REFUSED if is_late else handed.fate
    with ledger.change():
        match fate:
            case Fate.SENT:
                ledger.sent(letter.id)
            case Fate.LATER:
                usual = _WAITS[min(letter.tries, len(_WAITS) - 1)] * _MINUTE
                wait = min(max(usual, handed.wait), _LONGEST_WAIT)
                ledger.postpone(letter.id, now + wait, handed.said)
            case Fate.REFUSED:
                ledger.give_up(letter.id, handed.said)
                _tell(club, ledger, letter, handed.said, now)
    return fate


def _tell(club: ClubFolder, ledger: Ledger, letter: DueLetter, said: str, now: int) -> None:
    if letter.kind == UNPROVEN:
        return
    words = f"the club could not send a {letter.kind} to {letter.recipient}: {said}"
    key = f"unsent/{letter.recipient}/{now // DAY}" if letter.kind == WEBHOOK else f"unsent/{letter.id}"
    if ledger.raise_matter(key, letter.game, now, words) and letter.kind != "moderator":
        write_to_moderator(
            club,
            ledger,
            key=key,
            game=letter.game,
            subject=f"{letter.game or 'club'}: the club could not send a mail",
            text=f"{words}\n",
            now=now,
        )
