"""Run one round of a club: fetch mails, answer them, adjudicate games, send letters. Failures stay local."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from adjudicator.club.clock import keep_time
from adjudicator.club.digest import digest
from adjudicator.club.failures import Failure, Kind, contain, game_failed
from adjudicator.club.folder import ClubFolder
from adjudicator.club.intake import Arrivals, answer_all, fetch, keep, mailbox_of
from adjudicator.club.ledger import GameRow, Ledger
from adjudicator.club.messages import send_messages
from adjudicator.club.muster import tend_lists
from adjudicator.club.pages import publish
from adjudicator.club.post import Delivery, post
from adjudicator.club.results import RoundDone
from adjudicator.club.turns import advance, hold_deadline
from adjudicator.club.webhooks import post_notices
from adjudicator.core.phrases import listed
from adjudicator.core.values import replace
from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem
from adjudicator.files.lock import locked
from adjudicator.files.reading import read
from adjudicator.mail.mailbox import NewMail
from adjudicator.processes import TIMEOUT, Lost, Pool, usual_jobs

_PATIENCE: Final = 60.0
"""Seconds between two rounds without mail: the club meets deadlines to the minute."""
_MOST_STEPS: Final = 20
"""The most turns of one game in one round: orders sent ahead may be due at once."""
_MANY: Final = 32
"""The number of games from which on several processes share them: their start takes the time of some games."""


class _Elsewhere:
    """Run games as far as possible in another process, which opens the club for itself."""

    def __init__(self, folder: Path, now: int, unread: frozenset[str]) -> None:
        self._folder, self._now, self._unread = folder, now, unread
        self._opened: tuple[ClubFolder, Ledger] | None = None

    def __call__(self, game: str) -> tuple[bool, list[str]] | Exception:
        troubles = list[str]()
        try:
            if self._opened is None:
                club = ClubFolder(self._folder)
                self._opened = club, club.ledger()
            return _advanced(*self._opened, game, self._now, self._unread, troubles), troubles
        except (FileProblem, OSError) as error:  # without its ledger, the club can do nothing
            return error


def run_once(club: ClubFolder, now: int) -> tuple[RoundDone, tuple[str, ...]]:
    """Do everything that is due ``now``, in seconds since 1970; return the result, and a line for each thing that was done.

    If a round stops anywhere, the next one continues there. Each round reads the settings and the list of games again.
    Raises ``InUse`` if another run is active, ``CannotRead``, ``Untrusted`` if the settings of the club are unusable.
    """
    club = ClubFolder(club.folder)
    troubles: list[str] = []
    with locked(club.folder / "club"):
        with closing(club.ledger()) as ledger:
            keep_time(club, ledger, now)
            arrived = _fetched(club, ledger, now, troubles)
            queued = answer_all(club, ledger, now)
            troubles += queued.troubles
            unread = queued.games if arrived.is_all else queued.games | {""}
            club = tend_lists(club, ledger, now, troubles, has_all_mails="" not in unread)
            due = list(_to_look_at(club, ledger, now))
        shared = dict[str, Any]()
        if len(due) >= _MANY:  # the ledger is closed: SQLite does not survive a fork
            with Pool(_Elsewhere(club.folder, now, unread), usual_jobs(), TIMEOUT) as pool:
                shared = {done.task: done.result for done in pool.run(due)}
        with closing(club.ledger()) as ledger:
            moved = set[str]()
            for game in due:
                found = shared.get(game)
                if found is None:
                    has_moved = _advanced(club, ledger, game, now, unread, troubles)
                elif isinstance(found, Lost):
                    failure, has_moved = Failure(kind=Kind.FAULT, cause=f"the game {found.words}"), False
                    _fail(club, ledger, game, failure, now, troubles)
                elif isinstance(found, Exception):
                    raise found
                else:
                    has_moved, words = found
                    troubles += words
                moved |= {game} if has_moved else set()
            games = tuple(game for game in due if game in moved)
            send_messages(club, ledger, now, troubles)
            digest(club, ledger, now)
            troubles += publish(club, ledger)
            posted = _posted(club, ledger, now, troubles)
            done = (*queued.done, *(_status(club, ledger.game(game)) for game in games), *posted.done)
    result = RoundDone(
        fetched=arrived.new,
        gone_on=games,
        sent=posted.sent,
        later=posted.later,
        given_up=posted.given_up,
        troubles=tuple(troubles),
    )
    return result, done


def _status(club: ClubFolder, row: GameRow) -> str:
    """Return the status of a game that has moved, as a line of the log."""
    names = listed(club.player_of(row.id, seat) for seat in row.awaited)
    how = "the game is over" if row.is_over else f"waiting for {names}"
    return f"{row.id}: {row.stopped or how}"


def run_again(club: ClubFolder, now: int) -> tuple[RoundDone, tuple[str, ...]]:
    """Do one of many rounds; if it fails temporarily, return the failure as its trouble. Raises ``Untrusted``."""
    try:
        return run_once(club, now)
    except (CannotRead, CannotWrite, OSError) as error:
        words = f"this round ended early: {error}"
        return RoundDone(fetched=0, gone_on=(), sent=0, later=0, given_up=0, troubles=(words,)), ()


def receive(club: ClubFolder, sources: Iterable[str], now: int) -> RoundDone:
    """Store the mails in ``sources``, files or ``-`` for standard input, as received ``now``, and do a round.

    Raises ``CannotRead``, ``InUse``.
    """
    mails = [read(source) for source in sources]
    with locked(club.folder / "club"), closing(club.ledger()) as ledger, ledger.change():
        new = sum(keep(ledger, NewMail(key=name, data=data, received=now), now) for name, data in mails)
    done, _ = run_once(club, now)
    return replace(done, fetched=done.fetched + new)


def wait_for_more(club: ClubFolder) -> None:
    """Wait until the mail server announces a mail, or until the next round is due."""
    begun = monotonic()
    with contain(lambda _failure: None), mailbox_of(club) as box:  # the next round reports the failure
        if box.wait(_PATIENCE):
            return
    sleep(max(0.0, _PATIENCE - (monotonic() - begun)))


def _fetched(club: ClubFolder, ledger: Ledger, now: int, troubles: list[str]) -> Arrivals:
    with (
        contain(lambda failure: troubles.append(f"the club could not fetch mails: {failure.cause}")),
        mailbox_of(club) as box,
    ):
        try:
            return fetch(ledger, box, now)
        finally:
            troubles.extend(box.troubles)
    return Arrivals(new=0, is_all=False)


def _to_look_at(club: ClubFolder, ledger: Ledger, now: int) -> Iterator[str]:
    """Yield the games that have a new mail, a changed file, or something due."""
    rows = ledger.games()
    for game in club.games:
        row = rows.get(game, GameRow(id=game))
        is_time = bool(row.wake) and now >= row.wake and not row.is_paused
        if is_time or _stamp(club, game) != (row.size, row.changed):
            yield game


def _stamp(club: ClubFolder, game: str) -> tuple[int, int]:
    """Return the size of a game's file and the time of its last change: if both are the same, the file is unchanged."""
    try:
        found = club.game_file(game).stat()
    except OSError:
        return -2, -2
    return found.st_size, found.st_mtime_ns


def _advanced(
    club: ClubFolder,
    ledger: Ledger,
    game: str,
    now: int,
    unread: frozenset[str],
    troubles: list[str],
) -> bool:
    """Run ``game`` as far as possible; a failure in one game does not delay the others.

    ``unread`` are the games with mails that the club could not read yet; the empty name means mails of an unknown game.
    """
    has_moved = False
    with contain(lambda failure: _fail(club, ledger, game, failure, now, troubles)):
        if game in unread:
            hold_deadline(club, ledger, ledger.game(game), now)
            return False
        with locked(club.game_file(game)):
            for _ in range(_MOST_STEPS):
                if not advance(club, ledger, game, now, has_all_mails="" not in unread):
                    if "" not in unread:
                        _seen(club, ledger, game)
                    break
                has_moved = True
    return has_moved


def _fail(club: ClubFolder, ledger: Ledger, game: str, failure: Failure, now: int, troubles: list[str]) -> None:
    troubles.append(f"{game}: {failure.cause}")
    game_failed(club, ledger, game, failure, now)
    if failure.kind is Kind.FAULT:
        _seen(club, ledger, game)


def _seen(club: ClubFolder, ledger: Ledger, game: str) -> None:
    """Record the size and time of a game's file: until it changes, or a mail comes, the club need not read it."""
    size, changed = _stamp(club, game)
    with ledger.change():
        row = ledger.game(game)
        if (row.size, row.changed) != (size, changed):
            ledger.set_game(replace(row, size=size, changed=changed))


def _posted(club: ClubFolder, ledger: Ledger, now: int, troubles: list[str]) -> Delivery:
    """Send the letters, then the notices for chat services."""
    found = Delivery()
    for what, send in (("mails", post), ("notices", post_notices)):
        failures = list[Failure]()
        with contain(failures.append):
            posted = send(club, ledger, now)
            found = found.plus(posted)
            troubles += [f"the next round sends the other {what}: {posted.stopped}"] if posted.stopped else []
        troubles += (f"the club could not send {what}: {one.cause}" for one in failures)
    return found
