"""One round of a club: fetch, answer, adjudicate what is due, send. What fails costs only what it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from time import monotonic, sleep
from typing import Final

from adjudicator.club.clock import keep_time
from adjudicator.club.digest import digest
from adjudicator.club.failures import Failure, Kind, contained, game_failed
from adjudicator.club.folder import ClubFolder
from adjudicator.club.intake import Arrived, answer_all, fetch, keep, mailbox_of
from adjudicator.club.ledger import GameRow, Ledger
from adjudicator.club.post import Posted, post
from adjudicator.club.turns import advance, hold_deadline, stamp
from adjudicator.core.frozen import frozen
from adjudicator.core.phrases import listed
from adjudicator.mail.incoming import Fetched
from adjudicator.store.errors import CannotRead, CannotWrite
from adjudicator.store.lock import locked
from adjudicator.store.reading import read

_PATIENCE: Final = 60.0
"""Seconds between two rounds in which nothing comes: deadlines are kept to the minute."""
_MOST_STEPS: Final = 20
"""Turns of one game in one round: who has sent orders ahead may be asked again at once."""


@frozen(kw_only=True)
class Round:
    """What came of a round: how many mails were ``fetched``, which games have gone on, what was ``posted``.

    ``troubles`` say what could not be done, in words; ``done`` has a line for each thing that was.
    """

    fetched: int
    games: tuple[str, ...]
    posted: Posted
    troubles: tuple[str, ...]
    done: tuple[str, ...] = ()


def run_once(club: ClubFolder, now: int) -> Round:
    """Do everything that is to be done ``now``, in seconds since 1970. Raises ``InUse`` if another run is at work.

    It can be stopped anywhere, by whatever it is: the next round takes it up there. Settings and games are those that are
    there now. Raises ``CannotRead``, ``Untrusted`` if those of the club cannot be used.
    """
    club = ClubFolder(club.folder)
    troubles: list[str] = []
    with locked(club.folder / "club"), closing(club.ledger()) as ledger:
        keep_time(club, ledger, now)
        arrived = _fetched(club, ledger, now, troubles)
        queued = answer_all(club, ledger, now)
        troubles += queued.troubles
        unread = queued.games if arrived.is_all else queued.games | {""}
        games = tuple(
            game for game in _to_look_at(club, ledger, now) if _advanced(club, ledger, game, now, unread, troubles)
        )
        digest(club, ledger, now)
        posted = _posted(club, ledger, now, troubles)
        done = (*queued.done, *(_standing(ledger.game(game)) for game in games), *posted.done)
    return Round(fetched=arrived.new, games=games, posted=posted, troubles=tuple(troubles), done=done)


def _standing(row: GameRow) -> str:
    """Return how a game stands after it has gone on."""
    how = "the game is over" if row.is_over else f"waiting for {listed(row.awaited)}"
    return f"{row.id}: {row.stopped or how}"


def run_again(club: ClubFolder, now: int) -> Round:
    """Do one of many rounds: a temporary failure of the whole round is one of its troubles. Raises ``Untrusted``."""
    try:
        return run_once(club, now)
    except (CannotRead, CannotWrite, OSError) as error:
        return Round(fetched=0, games=(), posted=Posted(), troubles=(f"this round was not finished: {error}",))


def receive(club: ClubFolder, sources: Iterable[str], now: int) -> Round:
    """Keep the mails in ``sources``, files or ``-`` for standard input, as received ``now``, and do a round.

    Raises ``CannotRead``, ``InUse``.
    """
    mails = [read(source) for source in sources]
    with locked(club.folder / "club"), closing(club.ledger()) as ledger:
        new = sum(keep(ledger, Fetched(key=name, data=data, received=now), now) for name, data in mails)
    done = run_once(club, now)
    return replace(done, fetched=done.fetched + new)


def wait_for_more(club: ClubFolder) -> None:
    """Wait until a mail has come, as far as the mail server tells of it, or until it is time to look again."""
    begun = monotonic()
    with contained(lambda _failure: None), mailbox_of(club) as box:  # the next round reports the failure
        if box.wait(_PATIENCE):
            return
    sleep(max(0.0, _PATIENCE - (monotonic() - begun)))


def _fetched(club: ClubFolder, ledger: Ledger, now: int, troubles: list[str]) -> Arrived:
    with contained(lambda failure: troubles.append(f"no mails were fetched: {failure.cause}")), mailbox_of(club) as box:
        try:
            return fetch(ledger, box, now)
        finally:
            troubles.extend(box.troubles)
    return Arrived(new=0, is_all=False)


def _to_look_at(club: ClubFolder, ledger: Ledger, now: int) -> Iterator[str]:
    """Yield the games to which something has come, whose file has changed, or whose time has come."""
    rows = ledger.games()
    for game in club.games:
        row = rows.get(game, GameRow(id=game))
        is_time = bool(row.wake) and now >= row.wake and not row.is_paused
        if is_time or _stamp(club, game) != (row.size, row.changed):
            yield game


def _stamp(club: ClubFolder, game: str) -> tuple[int, int]:
    try:
        return stamp(club, game)
    except OSError:
        return -2, -2


def _advanced(club: ClubFolder, ledger: Ledger, game: str, now: int, unread: frozenset[str], troubles: list[str]) -> bool:
    """Take ``game`` as far as it goes; what fails in one game delays no other.

    ``unread`` are the games that wait for mails which could not be read yet; the empty name means that these may be of any
    game.
    """
    has_moved = False

    def fail(failure: Failure) -> None:
        troubles.append(f"{game}: {failure.cause}")
        game_failed(club, ledger, game, failure, now)
        if failure.kind is Kind.FAULT:
            _seen(club, ledger, game)

    with contained(fail):
        if game in unread:
            hold_deadline(club, ledger, ledger.game(game), now)
            return False
        with locked(club.game_file(game)):
            for _ in range(_MOST_STEPS):
                if not advance(club, ledger, game, now, has_all_mails="" not in unread):
                    break
                has_moved = True
            if "" not in unread:
                _seen(club, ledger, game)
    return has_moved


def _seen(club: ClubFolder, ledger: Ledger, game: str) -> None:
    """Note how the file of a game was when it was looked at: until it changes, or a mail comes, nobody needs to."""
    size, changed = _stamp(club, game)
    row = ledger.game(game)
    if (row.size, row.changed) != (size, changed):
        with ledger.change():
            ledger.set_game(replace(row, size=size, changed=changed))


def _posted(club: ClubFolder, ledger: Ledger, now: int, troubles: list[str]) -> Posted:
    with contained(lambda failure: troubles.append(f"no mails were sent: {failure.cause}")):
        posted = post(club, ledger, now)
        if posted.stopped:
            troubles.append(f"the next round sends the other mails: {posted.stopped}")
        return posted
    return Posted()
