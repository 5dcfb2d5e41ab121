"""Run one round of a club: fetch mails, answer them, adjudicate games, send letters. Failures stay local."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from adjudicator.club.clock import keep_time
from adjudicator.club.digest import digest
from adjudicator.club.failures import Failure, Kind, contain, game_failed
from adjudicator.club.folder import ClubFolder
from adjudicator.club.foreign import ForeignGames, is_foreign_game
from adjudicator.club.intake import Answering, Arrivals, Backlog, answer_all, fetch, keep, mailbox_of
from adjudicator.club.ledger import GameRow, Ledger, StoredMail
from adjudicator.club.messages import send_messages
from adjudicator.club.muster import tend_lists
from adjudicator.club.pages import publish
from adjudicator.club.post import Delivery, post
from adjudicator.club.turns import advance, hold_deadline
from adjudicator.club.webhooks import post_notices
from adjudicator.core.phrases import listed
from adjudicator.core.values import Value, replace
from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem
from adjudicator.files.lock import locked
from adjudicator.files.reading import read
from adjudicator.mail.incoming import NewMail
from adjudicator.processes import Lost, Pool, usual_jobs

_PATIENCE: Final = 60.0
"""Seconds between two rounds without mail: the club meets deadlines to the minute."""
_MOST_STEPS: Final = 20
"""The most turns of one game in one round: orders sent ahead may be due at once."""
_MANY: Final = 32
"""The number of games from which on several processes share them: their start takes the time of some games."""


class Round(Value, kw_only=True):
    """The result of a round: how many mails it ``fetched``, which ``games`` moved, and what it ``posted``.

    ``troubles`` describe what failed; ``done`` has a line for each thing that the round did.
    """

    fetched: int
    games: tuple[str, ...]
    posted: Delivery
    troubles: tuple[str, ...]
    done: tuple[str, ...] = ()


class _Turn(Value):
    """The task to run a ``game`` as far as possible, in a round that left mails of the games ``unread``."""

    game: str
    unread: frozenset[str]


class _Elsewhere:
    """The work on games in another process, which opens the club for itself."""

    def __init__(self, folder: Path, now: int) -> None:
        self._folder, self._now = folder, now
        self._answering: Answering | None = None

    def __call__(self, task: StoredMail | _Turn) -> Backlog | tuple[bool, list[str]]:
        if self._answering is None:
            club = ClubFolder(self._folder)
            self._answering = Answering(club, club.ledger(), self._now)
        answering, troubles = self._answering, list[str]()
        if isinstance(task, _Turn):
            has_moved = _advanced(answering.club, answering.ledger, task.game, self._now, task.unread, troubles)
            return has_moved, troubles
        answering.handle(task)
        return answering.result()


def run_once(club: ClubFolder, now: int) -> Round:
    """Do everything that is due ``now``, in seconds since 1970. Raises ``InUse`` if another run is active.

    If a round stops anywhere, the next one continues there. Each round reads the settings and the list of games again.
    Raises ``CannotRead``, ``Untrusted`` if the settings of the club are unusable.
    """
    club = ClubFolder(club.folder)
    troubles: list[str] = []
    with locked(club.folder / "club"), ForeignGames(_Elsewhere(club.folder, now)) as foreign:
        with closing(club.ledger()) as ledger:
            keep_time(club, ledger, now)
            arrived = _fetched(club, ledger, now, troubles)
            queued = answer_all(club, ledger, now, foreign)
            troubles += queued.troubles
            unread = queued.games if arrived.is_all else queued.games | {""}
            club = tend_lists(club, ledger, now, troubles, has_all_mails="" not in unread)
            due = list(_to_look_at(club, ledger, now))
        shared, moved = _share(club, due, now, unread, troubles)
        with closing(club.ledger()) as ledger:
            rest = [game for game in due if game not in shared]
            moved |= {game for game in rest if _advanced(club, ledger, game, now, unread, troubles, foreign)}
            games = tuple(game for game in due if game in moved)
            send_messages(club, ledger, now, troubles)
            digest(club, ledger, now)
            troubles += publish(club, ledger)
            posted = _posted(club, ledger, now, troubles)
            done = (*queued.done, *(_status(club, ledger.game(game)) for game in games), *posted.done)
    return Round(fetched=arrived.new, games=games, posted=posted, troubles=tuple(troubles), done=done)


def _status(club: ClubFolder, row: GameRow) -> str:
    """Return the status of a game that has moved, as a line of the log."""
    names = listed(club.player_of(row.id, seat) for seat in row.awaited)
    how = "the game is over" if row.is_over else f"waiting for {names}"
    return f"{row.id}: {row.stopped or how}"


def run_again(club: ClubFolder, now: int) -> Round:
    """Do one of many rounds; if it fails temporarily, return the failure as its trouble. Raises ``Untrusted``."""
    try:
        return run_once(club, now)
    except (CannotRead, CannotWrite, OSError) as error:
        return Round(fetched=0, games=(), posted=Delivery(), troubles=(f"this round ended early: {error}",))


def receive(club: ClubFolder, sources: Iterable[str], now: int) -> Round:
    """Store the mails in ``sources``, files or ``-`` for standard input, as received ``now``, and do a round.

    Raises ``CannotRead``, ``InUse``.
    """
    mails = [read(source) for source in sources]
    with locked(club.folder / "club"), closing(club.ledger()) as ledger, ledger.change():
        new = sum(keep(ledger, NewMail(key=name, data=data, received=now), now) for name, data in mails)
    done = run_once(club, now)
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


def _share(
    club: ClubFolder, games: Sequence[str], now: int, unread: frozenset[str], troubles: list[str]
) -> tuple[set[str], set[str]]:
    """Run ``games`` in several processes if they are many; return those that are done, and those that have moved.

    The others are rulesets of other packages, or failures that must be found here, too. Nobody else has the ledger open:
    SQLite does not survive a fork.
    """
    shared, moved = set[str](), set[str]()
    if len(games) < _MANY:
        return shared, moved
    with Pool(_Elsewhere(club.folder, now), usual_jobs()) as pool:
        for done in pool.run(_Turn(game, unread) for game in games if _is_own(club, game)):
            if not isinstance(done.result, Lost):
                has_moved, words = done.result
                troubles += words
                shared.add(done.task.game)
                moved |= {done.task.game} if has_moved else set()
    return shared, moved


def _is_own(club: ClubFolder, game: str) -> bool:
    """Return whether ``game`` runs no code of other packages, as far as its file can be read."""
    try:
        return not is_foreign_game(club.game_file(game))
    except FileProblem:
        return False


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
    foreign: ForeignGames | None = None,
) -> bool:
    """Run ``game`` as far as possible; a failure in one game does not delay the others.

    ``unread`` are the games with mails that the club could not read yet; the empty name means mails of an unknown game.
    """
    has_moved = False

    def fail(failure: Failure) -> None:
        troubles.append(f"{game}: {failure.cause}")
        game_failed(club, ledger, game, failure, now)
        if failure.kind is Kind.FAULT:
            _seen(club, ledger, game)

    with contain(fail):
        if game in unread:
            hold_deadline(club, ledger, ledger.game(game), now)
            return False
        if foreign is not None and is_foreign_game(club.game_file(game)):
            has_moved, words = foreign.do(_Turn(game, unread))
            troubles += words
            return bool(has_moved)
        with locked(club.game_file(game)):
            for _ in range(_MOST_STEPS):
                if not advance(club, ledger, game, now, has_all_mails="" not in unread):
                    if "" not in unread:
                        _seen(club, ledger, game)
                    break
                has_moved = True
    return has_moved


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
