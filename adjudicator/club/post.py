"""Send the queued letters, each once; tell the program of the club what happens in its games; delete old contents."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from time import monotonic, time_ns
from typing import Final, Literal

import adjudicator as adj
from adjudicator.club.club import Club, GameRow
from adjudicator.club.db import RESTORE, Failure, Kind, contain
from adjudicator.club.letters import UNPROVEN, Content, LetterRow, content_of, message_id, mime, write
from adjudicator.club.matters import DAY, raise_matter
from adjudicator.club.people import agrees
from adjudicator.club.settings import HIDDEN, server_of
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Violation
from adjudicator.core.values import Seat
from adjudicator.files.errors import Untrusted
from adjudicator.files.writing import PRIVATE, sync_folder, write_atomic
from adjudicator.mail.envelope import address_flaw
from adjudicator.mail.smtp import Fate, Handover, Sender
from adjudicator.reports.heading import player_name, result_words
from adjudicator.reports.texts import printable

HOOK: Final = "hook"
"""The kind of letters that go to the club's own program."""
_WAITS: Final = tuple(60 * minutes for minutes in (1, 5, 15, 60, 180, 360))
"""Seconds until the next try of a letter; the last value repeats."""
_PATIENCE: Final = 4 * DAY
"""The time after which the club gives up a letter, in seconds."""
_LEAST_TRIES: Final = 12
"""The least number of tries before that, which take two days: the clock may have jumped."""
_BATCH: Final = 50
"""Letters that go into a folder before the disk is asked to keep them."""
_WRITERS: Final = 8
"""Files that are written at the same time."""
_FATES: Final = {Fate.SENT: "sent", Fate.LATER: "not sent yet: ", Fate.REFUSED: "given up: "}
_LONGEST_RUN: Final = 30.0
"""Seconds that the program may take for one notice; after as long in one round, the next round sends the others."""
_MOST_NAMES: Final = 5
_LONGEST: Final = 800
"""Characters of a notice."""
KEPT: Final = 30 * DAY
"""The time for which the ledger keeps what sent letters say, in seconds."""
_LOG_KEPT: Final = 7 * DAY
_DUE: Final = (
    "select letters.*, coalesce(games.name, 'club') as place from letters left join games on games.id = letters.game"
    " where letters.id in (select id from letters where state = 'queued' and (next_try <= ? or next_try > ?)"
    " and (kind = 'hook') = ? order by id limit ?) order by letters.id"
)
"""No letter waits longer than the last wait: if one seems to, the clock went back, and the letter is due."""
_PRUNE: Final = """\
update letters set content = x'' where written < ? and state in ('sent', 'dropped') and content <> x'' and id not in (
  select max(report.id) from letters as report join seats on seats.game = report.game and seats.seat = report.seat
  where until = 0 and kind = 'report' and state in ('sent', 'dropped') group by report.game, report.seat)
"""
_MOST_BYTES: Final = 500_000
"""Bytes of a report of a mail server that the club searches: it contains the header of the letter, often all of it."""
_MOST_LETTERS: Final = 20
_IDENTIFIER: Final = re.compile(rb"(?im)^message-id:\s{0,9}(<[0-9a-f]{32}@[^<>\s]{1,250}>)")
_ACTION: Final = re.compile(rb"(?im)^action:[ \t]*([a-z]+)")
_REASON: Final = re.compile(rb"(?im)^diagnostic-code:[ \t]*([^\r\n]{1,300}(?:\r?\n[ \t][^\r\n]{1,300}){0,3})")
_STATUS: Final = re.compile(rb"(?im)^status:[ \t]*([0-9.]{5,11})")
Event = Literal["begin", "turn", "deadline", "over"]


class _DueLetter(LetterRow, kw_only=True):
    """A letter to send now; ``place`` is the name of its game, or `club`."""

    place: str


def post(club: Club) -> tuple[list[tuple[Fate, str]], str]:
    """Send the mails that are due, then the notices; return the result of each, with a line that says it.

    Return also why the round did not try some letters (empty: it tried all); the next round begins with them. Raises
    ``LookupError`` if the password is missing, ``Untrusted`` if the ledger is damaged and keeps no result.
    """
    done, folder = list[tuple[Fate, str]](), club.folder / club.settings.outgoing.folder
    failed, files, stopped = list[Handover](), list[Future[None]](), ""

    def store(letter: LetterRow) -> Handover:  # the name of its file is always the same, so it may be written again
        path, data, at = folder / f"{letter.message_id.strip('<>').partition('@')[0]}.eml", mime(club, letter), time_ns()

        def write_file() -> None:
            write_atomic(path, data, PRIVATE, syncs_folder=False)
            with suppress(FileNotFoundError):  # another program has already sent it
                os.utime(path, ns=(at, at))  # the order of the letters

        files.append(writers.submit(write_file))  # many wait for the disk at once
        return Handover(Fate.SENT)

    def finish() -> None:
        written, files[:] = files[:], []
        for wait in written:
            wait.result()
        sync_folder(str(folder))

    def run(notice: LetterRow) -> Handover:
        if monotonic() - begun >= _LONGEST_RUN:
            return Handover(Fate.UNTRIED, f"this round has taken {_LONGEST_RUN:g} seconds")
        handed = failed[0] if failed else _run_hook(club, notice)  # one failure is enough in a round
        failed.extend([handed] if handed.fate is Fate.LATER else [])
        return handed

    has_mails = bool(club.db.all(_DueLetter, _DUE, club.now, club.now + _WAITS[-1], False, 1))
    if has_mails and club.settings.outgoing.kind == "folder":
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with ThreadPoolExecutor(_WRITERS) as writers:
            stopped = _send(club, store, done, batch=_BATCH, finish=finish)
    elif has_mails:
        with closing(Sender(server_of(club.settings.outgoing))) as server:
            stopped = _send(club, lambda one: server.send(club.settings.address, one.recipient, mime(club, one)), done)
    begun = monotonic()
    return done, _send(club, run, done, is_hook=True) or stopped


def _send(
    club: Club,
    send: Callable[[LetterRow], Handover],
    done: list[tuple[Fate, str]],
    *,
    is_hook: bool = False,
    batch: int = 1,
    finish: Callable[[], object] = lambda: None,
) -> str:
    """Hand each letter that is due to ``send``; ``finish`` each ``batch``, and record its results, in ``done``, too.

    A batch of several needs a ``send`` that may be repeated. Return why the others must wait for the next round.
    """
    stopped, tried = "", set[int]()
    while not stopped and (due := club.db.all(_DueLetter, _DUE, club.now, club.now + _WAITS[-1], is_hook, batch)):
        if due[0].id in tried:  # without an end, the club would send it again and again
            words = f"the ledger does not keep that letter {due[0].id} is sent"
            raise Untrusted(str(club.db.path), [Violation("$", words)], RESTORE)
        results, failures = list[tuple[_DueLetter, Handover]](), list[Failure]()
        tried.update(letter.id for letter in due)
        for letter in due:
            handed = Handover(Fate.REFUSED, "" if is_hook else address_flaw(letter.recipient))
            if not handed.said:
                with contain(failures.append):
                    handed = send(letter)
            if failures:  # a bug concerns one letter, a full disk all letters
                failure = failures.pop()
                handed = Handover(Fate.LATER if failure.kind is Kind.FAULT else Fate.UNTRIED, failure.cause)
            if handed.fate is Fate.UNTRIED:
                stopped = handed.said
                break
            results.append((letter, handed))
        with contain(failures.append):
            finish()
        if failures:
            return failures[0].cause
        with club.db.transaction():
            for letter, handed in results:
                fate = _record(club, letter, handed)
                words = f"{letter.place}: {letter.kind} to {letter.recipient}: {_FATES[fate]}{handed.said}"
                done.append((fate, words))
    return stopped


def _record(club: Club, letter: _DueLetter, handed: Handover) -> Fate:
    """Record the result of a try to send ``letter``, and tell the moderator if it is the last one; return it."""
    if club.db.value("select state from letters where id = ?", letter.id) == "dropped":  # by a command since a moment ago
        return handed.fate
    is_late = letter.tries >= _LEAST_TRIES and club.now - letter.written > _PATIENCE
    if handed.fate is Fate.SENT:
        club.db.update("letters", letter.id, state="sent", said="")
        return Fate.SENT
    tries = letter.tries + 1
    if handed.fate is Fate.LATER and not is_late:
        wait = _WAITS[min(letter.tries, len(_WAITS) - 1)]
        club.db.update("letters", letter.id, state="queued", tries=tries, next_try=club.now + wait, said=handed.said)
        return Fate.LATER
    club.db.update("letters", letter.id, state="given up", tries=tries, next_try=club.now, said=handed.said)
    if letter.kind != UNPROVEN:
        raise_matter(
            club,
            "unsent",
            f"the club could not send a {letter.kind} to {letter.recipient}: {handed.said}",
            key=f"unsent/{letter.recipient}/{club.now // DAY}" if letter.kind == HOOK else f"unsent/{letter.id}",
            game=club.row(letter.game) if letter.game else None,
            person=club.person(letter.person) if letter.person else None,
            subject=f"{letter.place}: the club could not send a mail",
            advice=None if letter.kind == "moderator" else "",
        )
    return Fate.REFUSED


def _run_hook(club: Club, notice: LetterRow) -> Handover:
    """Give ``notice`` to the program of the club. It counts as sent before the program runs: no notice goes out twice."""
    hook = club.settings.hook
    if not hook:
        return Handover(Fate.REFUSED, "club.toml no longer has a hook")
    with club.db.transaction():
        club.db.update("letters", notice.id, state="sent")
    try:
        done = subprocess.run(
            [(club.folder / hook).absolute()],
            input=content_of(notice).text.encode(),
            cwd=club.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_LONGEST_RUN,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Handover(Fate.LATER, f"the program took more than {_LONGEST_RUN:g} seconds")
    except OSError as error:
        return Handover(Fate.LATER, f"the program cannot run: {error.strerror or error}")
    return Handover(Fate.LATER, f"the program ended with {done.returncode}") if done.returncode else Handover(Fate.SENT)


def announce(club: Club, row: GameRow, game: adj.Game, event: Event, key: str) -> None:
    """Queue a notice of ``event`` for the program ``hook`` of the club, once for each ``key``; ``row`` has the deadline.

    It names only players who agree to be named.
    """
    if not club.settings.hook:
        return
    agreed = {Seat(one.seat): one.real_name for one in club.seats(row) if agrees(club, one)}
    held = {seat: name if agreed.get(seat) == name else "" for seat, name in game.players.items()}
    if row.settings.names == HIDDEN:  # the file has no names; before the end, even consent would be a trait of the player
        held = {seat: agreed.get(seat, "") if game.is_over else "" for seat in game.seats}

    def names(seats: tuple[Seat, ...]) -> str:
        return f"{len(seats)} players" if len(seats) > _MOST_NAMES else listed(player_name(seat, held) for seat in seats)

    until, url = f" Orders are due {club.moment(row.deadline)}." if row.due else "", club.settings.public.url
    waiting, turn = f"waiting for {names(game.due_seats)}.{until}", game.seen_by().turn
    result = result_words(game.standings, held) if game.is_over else ""
    text = {
        "begin": f"{row.name} begins: {game.meta.name} with {names(game.seats)}; {waiting}",
        "turn": f"{row.name}, turn {turn}: {waiting}",
        "deadline": f"{row.name}: the deadline comes soon; {waiting}",
        "over": f"{row.name} is over: {result}.",
    }[event]
    if url:
        from adjudicator.site import HomeGame  # the site takes long to load

        url = f"{url}{HomeGame(game=row.name, path='').file}"
    key = f"hook/{event}/{row.id}/{key}"
    notice = {
        "id": message_id(club, key).strip("<>").partition("@")[0],
        "event": event,
        "game": row.name,
        "ruleset": row.ruleset,
        "turn": turn,
        "waiting_for": [printable(player_name(seat, held)) for seat in game.due_seats],
        "due": row.deadline or None,
        "result": printable(result),
        "text": printable(text).replace("@", "\uff20")[:_LONGEST],  # no word in it calls all members of a room
        "url": url,
    }
    content = Content(text=json.dumps(notice, ensure_ascii=False))
    write(club, "hook", club.settings.hook, key, game=row, content=content, event=event)


def failure_in(data: bytes) -> str:
    """Return why a letter did not arrive, according to the mail of a server in ``data``; empty if that has another fate."""
    data = data[:_MOST_BYTES]
    actions = {action.lower() for action in _ACTION.findall(data)}
    if actions and b"failed" not in actions:  # delayed, or relayed
        return ""
    reason = _REASON.search(data) or _STATUS.search(data)
    return " ".join(reason[1].decode("utf-8", "replace").split()) if reason else "the mail server gives no reason"


def note_bounce(club: Club, data: bytes) -> None:
    """Raise a matter for each letter of this club that did not arrive, according to the mail in ``data``.

    Only the recipient of a letter and the servers on its way know its Message-ID, so no one else can report it.
    """
    data, why = data[:_MOST_BYTES], failure_in(data)
    if not why:
        return
    for identifier in list(dict.fromkeys(_IDENTIFIER.findall(data)))[:_MOST_LETTERS]:
        known = "select * from letters where message_id = ?"
        letter = club.db.first(LetterRow, known, identifier.decode("ascii", "replace"))
        if letter is None or letter.kind in (UNPROVEN, HOOK):
            continue
        row = club.row(letter.game) if letter.game else None
        seats = (one for one in (club.seats(row, former=True) if row else ()) if one.seat == letter.seat)
        name = next((one.player for one in seats if one.person == letter.person), letter.seat or "a member")
        who = "you" if letter.kind == "moderator" else name
        raise_matter(
            club,
            "bounce",
            f"a mail ({letter.kind}) to {who} at {letter.recipient} came back: {why}",
            key=f"bounce/{letter.game or ''}/{letter.recipient}/{club.now // DAY}",
            game=row,
            person=club.person(letter.person) if letter.person else None,
        )


def prune(club: Club) -> None:
    """Delete what letters of 30 days ago say, but each player's last report, and old uses of limits.

    A letter that the club gave up is no longer listed then.
    """
    with club.db.transaction():
        club.db.run("update letters set state = 'dropped' where state = 'given up' and next_try < ?", club.now - KEPT)
        club.db.run(_PRUNE, club.now - KEPT)
        club.db.run("delete from log where who <> 'moderator' and at < ?", club.now - _LOG_KEPT)
        club.db.update("club", 1, pruned=club.now)
