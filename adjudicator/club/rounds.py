"""Run one round of a club: fetch mails, answer them, run games and lists, send letters. Failures stay local.

A round with nothing new is the usual one, every minute, so the parts that do the work are loaded only for work.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from adjudicator.club.club import NEW_SITTERS, ROUND, Club, GameRow, open_club
from adjudicator.club.db import LEDGER, Db, Failure, Kind, contain
from adjudicator.club.settings import Incoming, mailbox_of
from adjudicator.core.phrases import listed
from adjudicator.core.values import Value, replace
from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem, InUse
from adjudicator.files.reading import read
from adjudicator.files.writing import lock_of, locked, remove_temporary
from adjudicator.mail.mailbox import Mailbox, NewMail

_PATIENCE: Final = 60.0
"""Seconds between two rounds without mail: the club meets deadlines to the minute."""
_SLICE: Final = 4.0
"""Seconds to wait for mail before the club looks whether a round is asked for."""
_MOST_STEPS: Final = 20
"""The most turns of one game in one round: orders sent ahead may be due at once."""
_MANY: Final = 32
"""The number of games from which on several processes share them: their start takes the time of some games."""
_MOST_MAILS: Final = 1_000
"""Mails to fetch in one round; others wait in their mailbox for the next one."""
_LONGEST_WAIT: Final = 3600
"""Seconds for which mails wait after the arrival of one that cannot be fetched."""
_HOUR: Final = 3600
"""Seconds between two records of the time."""
_WORK: Final = (
    "select exists (select 1 from mails where state = 'new') or exists (select 1 from lists where closed = 0)"
    " or exists (select 1 from tournaments where closed = 0)"
    " or exists (select 1 from messages where waiting <> '[]') or exists (select 1 from matters where settled = 0)"
    " or exists (select 1 from letters where state = 'given up' or (state = 'queued' and tries > 0))"
    f" or exists (select 1 from letters where state = 'kept' and next_try <= ?) or exists ({NEW_SITTERS})"
)


class RoundDone(Value, kw_only=True):
    """One round of a club.

    ``fetched`` counts new mails; ``sent``, ``later`` and ``given_up`` count letters that were sent, must be tried again, or
    cannot be sent. ``gone_on`` are the games that continued, ``troubles`` the failures.
    """

    fetched: int
    gone_on: tuple[str, ...] = ()
    sent: int = 0
    later: int = 0
    given_up: int = 0
    troubles: tuple[str, ...] = ()


class OpenMailbox:
    """The mailbox of a club, which stays open from one round to the next: its server sees one login."""

    def __init__(self) -> None:
        """Begin with a closed mailbox."""
        self._box: Mailbox | None = None
        self._incoming: Incoming | None = None

    def of(self, club: Club) -> Mailbox:
        """Return the mailbox that the settings of ``club`` name, open. Raises ``MailboxError``, ``LookupError``."""
        if self._box is None or self._incoming != club.settings.incoming:
            self.close()
            self._incoming = club.settings.incoming
            self._box = mailbox_of(club.folder, self._incoming).__enter__()
        return self._box

    def wait(self, seconds: float) -> bool:
        """Wait for a mail, as ``Mailbox`` does; return at once if the mailbox is closed."""
        return self._box is not None and self._box.wait(seconds)

    def close(self) -> None:
        """Close the mailbox, so that the next round opens it again."""
        box, self._box = self._box, None
        if box is not None:
            box.__exit__(None, None, None)


def run_once(folder: Path, now: int, box: OpenMailbox | None = None) -> tuple[RoundDone, tuple[str, ...]]:
    """Do everything that is due ``now``, in seconds since 1970; return the result, and a line for each thing that was done.

    If a round stops anywhere, the next one continues there. ``box`` stays open for the next round. Raises ``InUse`` if
    another round is at work, ``CannotRead``, ``Untrusted`` if the settings of the club are unusable.
    """
    troubles, games, lines, own = list[str](), tuple[str, ...](), tuple[str, ...](), box or OpenMailbox()
    was_killed = Path(lock_of(str(folder / ROUND))).exists()
    with open_club(folder, now) as club, locked(folder / ROUND):
        if was_killed:
            from adjudicator.club.reports import desk_folder

            remove_temporary(club.folder / club.settings.outgoing.folder)
            if (desk := desk_folder(club)) is not None:
                for page in filter(Path.is_dir, desk.iterdir()):
                    remove_temporary(page)
            for row in club.games():
                with suppress(InUse, CannotWrite), club.game_locked(row, patience=0):
                    remove_temporary(club.file(row).parent)
        if abs(now - club.db.value("select clock from club")) >= _HOUR:
            from adjudicator.club.clock import keep_time

            keep_time(club)
        try:
            new, has_all = _fetch(club, own, troubles)
        finally:
            if box is None:
                own.close()
        if club.settings.people.open or club.settings.desk or club.db.value(_WORK, now, now, now) or _to_look_at(club):
            games, lines = _works(club, troubles, has_all=has_all)
        result = RoundDone(fetched=new, gone_on=games)
        if club.db.value("select exists (select 1 from letters where state = 'queued')"):
            from adjudicator.club.post import post
            from adjudicator.mail.smtp import Fate

            with club.db.transaction():  # the disk gets what the letters tell before any of them goes out
                club.db.run("update club set id = id")
            with contain(lambda failure: troubles.append(f"the club could not send mails: {failure.cause}")):
                done, stopped = post(club)
                troubles += [f"the next round sends the other mails: {stopped}"] if stopped else []
                counts = Counter(fate for fate, _ in done)
                result = replace(result, sent=counts[Fate.SENT], later=counts[Fate.LATER], given_up=counts[Fate.REFUSED])
                lines += tuple(line for _, line in done)
        if abs(now - club.db.value("select pruned from club")) >= 24 * _HOUR:  # the clock may have gone back
            from adjudicator.club.post import prune

            prune(club)
    return replace(result, troubles=tuple(troubles)), lines


def run(folder: Path, show: Callable[[RoundDone, tuple[str, ...]], object], called: threading.Event | None = None) -> None:
    """Do rounds until the program ends, each as soon as a mail comes or a minute is over, and ``show`` each result.

    If the event ``called`` is set, the next one begins within some seconds. A round that fails temporarily is a trouble of
    its result. Raises ``Untrusted``.
    """
    box, called, slices = OpenMailbox(), called or threading.Event(), _PATIENCE if called is None else _SLICE
    try:
        while True:
            try:
                done, lines = run_once(folder, int(time.time()), box)
            except (CannotRead, CannotWrite, OSError) as error:
                done, lines = RoundDone(fetched=0, troubles=(f"this round ended early: {error}",)), ()
            show(done, lines)
            end, has_mail = time.monotonic() + _PATIENCE, False
            while (left := end - time.monotonic()) > 0 and not (has_mail or called.is_set()):
                part = time.monotonic() + min(left, slices)
                with contain(lambda _failure: box.close()):  # the next round reports it
                    has_mail = box.wait(min(left, slices))
                if not has_mail:
                    called.wait(max(0.0, part - time.monotonic()))
            called.clear()
    finally:
        box.close()


def receive(folder: Path, sources: Iterable[str], now: int) -> RoundDone:
    """Store the mails in ``sources``, files or ``-`` for standard input, as received ``now``, and do a round.

    If another round is at work, the next one answers them. Raises ``CannotRead``.
    """
    from adjudicator.club.mails import keep

    mails = [read(source) for source in sources]
    with open_club(folder, now) as club, club.db.transaction():
        new = sum(keep(club, NewMail(key=name, data=data, received=now)) for name, data in mails)
    try:
        done, _ = run_once(folder, now)
    except InUse as error:
        if error.file != str(folder / ROUND):
            raise
        done = RoundDone(fetched=0)
    return replace(done, fetched=done.fetched + new)


def _fetch(club: Club, own: OpenMailbox, troubles: list[str]) -> tuple[int, bool]:
    """Store each mail in the mailbox, and only then put it away there; return how many are new, and whether those are all.

    If a new mail cannot be fetched, the mails after it stay in the mailbox for an hour: the club must not read them in
    another order.
    """
    found, new, box = 0, 0, Mailbox()

    def is_waiting() -> bool:
        return any(abs(club.now - came) < _LONGEST_WAIT for came in box.unread)

    def fail(failure: Failure) -> None:
        troubles.append(f"the club could not fetch mails: {failure.cause}")
        own.close()

    is_done = False
    with contain(fail):
        box = own.of(club)
        box.troubles.clear()
        box.unread.clear()
        for mail in box.fetch(_MOST_MAILS):
            from adjudicator.club.mails import keep

            if is_waiting():
                break
            found += 1
            new += keep(club, mail)
            box.put_away(mail.key)
        is_done = found < _MOST_MAILS and not is_waiting()
    troubles += box.troubles
    return new, is_done


def _to_look_at(club: Club) -> list[GameRow]:
    """Return the games that have a new mail, a changed file, or something due, such as the end of a pause."""
    return [
        row
        for row in club.games()
        if 0 < (row.resumes if row.paused else row.wake) <= club.now or club.stamp(row) != (row.size, row.changed)
    ]


def _works(club: Club, troubles: list[str], *, has_all: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Answer mails, tend lists, run games; return the games that have continued, and a line for each thing done."""
    # here alone, and not without work
    from adjudicator.club import holidays, lists, mails, messages, reports, seats, status, tournament

    with club.locked():
        seats.completed(club)
        answered = mails.answer_all(club)
        troubles += dict.fromkeys(answered.troubles)
        unread = frozenset(answered.stuck) if has_all else frozenset(answered.stuck) | {0}
        holidays.change_sitters(club, troubles)
        seats.pass_on(club, troubles)
        lists.tend(club, troubles, has_all_mails=0 not in unread)
        tournament.tend(club, troubles, has_all_mails=0 not in unread)
        moved = _advance_all(club, _to_look_at(club), unread, troubles)
        messages.send_waiting(club)
        reports.send_daily(club)
        status.digest(club)
        troubles += reports.write_pages(club)
    lines, rows = list(answered.done), list(map(club.row, moved))
    for row in rows:
        names = listed(one.player for one in club.seats(row) if one.is_due)
        lines.append(f"{row.name}: {row.stopped or ('the game is over' if row.is_over else f'waiting for {names}')}")
    return tuple(row.name for row in rows), tuple(lines)


def _advance_all(club: Club, due: Sequence[GameRow], unread: frozenset[int], troubles: list[str]) -> list[int]:
    """Run the games that are ``due``, many of them in several processes; return the numbers of those that have continued."""
    if len(due) < _MANY:
        return [row.id for row in due if _advance(club, row.id, unread, troubles)]
    import adjudicator.club.turns  # noqa: F401 - the processes need not load it each
    from adjudicator.processes import TIMEOUT, Lost, Pool, usual_jobs

    moved = []
    club.db.close()  # SQLite does not survive a fork
    with Pool(_Elsewhere(club.folder, club.now, unread), usual_jobs(), TIMEOUT) as pool:
        results = {done.task: done.result for done in pool.run([row.id for row in due])}
    club.db = Db(club.folder / LEDGER)
    for row in due:
        found = results[row.id]
        if isinstance(found, Lost):
            _fail(club, row, club.stamp(row), Failure(kind=Kind.FAULT, cause=f"the game {found.words}"), troubles)
        elif isinstance(found, Exception):
            raise found
        else:
            troubles += found[1]
            moved += [row.id] if found[0] else []
    return moved


class _Elsewhere:
    """Run games as far as possible in another process, which opens the club for itself."""

    def __init__(self, folder: Path, now: int, unread: frozenset[int]) -> None:
        self._folder, self._now, self._unread = folder, now, unread
        self._stack, self._club = ExitStack(), list[Club]()

    def __call__(self, game: int) -> tuple[bool, list[str]] | Exception:
        troubles = list[str]()
        try:
            if not self._club:
                self._club.append(self._stack.enter_context(open_club(self._folder, self._now)))
            return _advance(self._club[0], game, self._unread, troubles), troubles
        except (FileProblem, OSError) as error:  # without its ledger, the club can do nothing
            return error


def _advance(club: Club, game: int, unread: frozenset[int], troubles: list[str]) -> bool:
    """Run a game as far as possible; a failure in one game does not delay the others.

    ``unread`` are the games with mails that the club could not read yet; 0 means mails of an unknown game.
    """
    from adjudicator.club.turns import advance, hold_deadline

    row, has_moved = club.row(game), False
    stamp = club.stamp(row)
    with contain(lambda failure: _fail(club, row, stamp, failure, troubles)):
        if game in unread:
            hold_deadline(club, row)
            return False
        with club.game_locked(row):
            for _ in range(_MOST_STEPS):
                row = club.row(game)
                stamp = club.stamp(row)
                if not advance(club, row, has_all_mails=0 not in unread):
                    if 0 not in unread:
                        _note_seen(club, row, stamp)
                    break
                has_moved = True
    return has_moved


def _fail(club: Club, row: GameRow, stamp: tuple[int, int], failure: Failure, troubles: list[str]) -> None:
    from adjudicator.club.matters import game_failed

    troubles.append(f"{row.name}: {failure.cause}")
    with club.db.transaction():
        if failure.kind is Kind.FAULT:
            _note_seen(club, row, stamp)
        game_failed(club, row, failure)


def _note_seen(club: Club, row: GameRow, stamp: tuple[int, int]) -> None:
    """Record that nothing is left to do for a ``row`` and a file with this ``stamp``, unless a command has changed the row.

    Until one of them changes, or a mail comes, the club need not look at the game.
    """
    with club.db.transaction(is_repeatable=True):
        if club.row(row.id) == row:
            club.db.update("games", row.id, size=stamp[0], changed=stamp[1])
