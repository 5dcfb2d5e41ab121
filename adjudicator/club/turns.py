"""Run the turn of one game: adjudicate it when all orders are in or the deadline is over, and write to its members once.

The club writes the reports beside the game file, then replaces this file in one step, then queues the letters in the
ledger. The keys of the letters contain the seal of the game. So the next run completes whatever was interrupted, and the
club does and sends nothing twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from adjudicator.club.clock import notify_players, with_deadline
from adjudicator.club.deadlines import duration, moment, next_deadline
from adjudicator.club.folder import REPORTS, ClubFolder
from adjudicator.club.ledger import GameRow, Ledger, MailState, StoredMail
from adjudicator.club.letters import (
    SeatLetter,
    due_line,
    few_names,
    player_name,
    report_subject,
    token_line_of,
    turn_of,
    with_footer,
    write_to_moderator,
    write_to_seat,
)
from adjudicator.club.missing import Missing, decide_for, dropped_seats, held_seats, missing_seats, order_for, usable_mails
from adjudicator.club.pending import Relevance, awaited_seats, flawed_seats, mistakes, read_orders, relevance
from adjudicator.club.settings import Nmr
from adjudicator.club.welcome import welcome
from adjudicator.core.canonical import canonical_bytes, digest
from adjudicator.core.corrections import MissedPolicy, WentOnHoliday
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.phrases import listed
from adjudicator.files.errors import Untrusted, Violation
from adjudicator.files.outbox import Outbox, deliver, outbox_of, read_outbox, report_name, write_outbox
from adjudicator.mail.outgoing import Attachment
from adjudicator.moderate.own_check import check_own
from adjudicator.moderate.turn import TurnResult, play_turn
from adjudicator.orders.submission import Submission
from adjudicator.reports.forms import FORMS, picture_form
from adjudicator.reports.report_picture import NoPictureError
from adjudicator.session import Session, load_session

_FORMS: Final = ("txt", "html")
"""The forms of a report in a letter: a mail program shows the one that it can."""
_REMINDER: Final = """\
{}, the club waits for your orders in {}.
{}
Your orders are due {}.

To get your last report again, answer this mail and write RESEND.
"""
_NONE: Final = "You have no orders for this turn."
_FLAWED: Final = "Your newest mail has a mistake. Please correct it, and send all your orders again."
_TO_DO: Final = "`adjudicator club extend` sets a later deadline; `club seat` gives a seat to another player."
_OTHER_TURN: Final = "it was for another turn"
_PICTURES: Final = {"png": "image/png", "svg": "image/svg+xml"}


def open_game(club: ClubFolder, game: str) -> Session:
    """Return a game of the club with its rules. Raises ``FileProblem``, ``SetupError``."""
    session = load_session(club.game_file(game))
    if session.game.id != game:
        words = f"the id of this game is {session.game.id}: its folder must have this name"
        raise Untrusted(str(club.game_file(game)), [Violation("$.id", words)])
    return session


def advance(club: ClubFolder, ledger: Ledger, game: str, now: int, *, has_all_mails: bool = True) -> bool:
    """Run ``game`` as far as its mails or its deadline allow; return whether anything has happened.

    Unless the club ``has_all_mails`` that have come, it announces changes but does not adjudicate: another mail may replace
    those that it has. The caller has locked the game file. Raises ``FileProblem`` if the game or its settings are unusable.
    """
    session = open_game(club, game)
    row = ledger.game(game)
    if session.game.seal != row.seal:
        if not _is_only_holidays(session, row):
            _announce(club, ledger, session, game, now)
            return True
        size, changed = stamp(club, game)
        row = replace(row, seal=session.game.seal, size=size, changed=changed)
        with ledger.change():
            ledger.set_game(row)
    if row.is_over or row.is_paused:
        return False
    if not has_all_mails:
        return hold_deadline(club, ledger, row, now)
    mails = ledger.mails(MailState.WAITING, game)
    missing = missing_seats(club, ledger, session, mails, now)
    if not missing.seats and not missing.away:
        held = held_seats(session, mails)
        _play(club, ledger, session, game, usable_mails(session, mails, held), held, now)
        return True
    return _at_deadline(club, ledger, session, row, mails, missing, now)


def _is_only_holidays(session: Session, row: GameRow) -> bool:
    """Return whether only holidays are new since the last reports: the next report of a turn mentions them."""
    untold = [event for link in session.game.journal[session.game.reported :] for event in link.entry.events]
    return bool(row.seal and untold) and all(isinstance(event, WentOnHoliday) for event in untold)


def hold_deadline(club: ClubFolder, ledger: Ledger, row: GameRow, now: int) -> bool:
    """Write to the moderator once if the deadline of a game is over but the club has not read all mails yet."""
    if row.due and now >= row.due + _grace(club, row.id) and not row.is_paused:
        words = (
            "the deadline is over, but the club could not read all mails yet. It tries again. Mails that came in time count"
        )
        with ledger.change():
            write_to_moderator(
                club,
                ledger,
                key=f"waits/{row.id}/{row.due}",
                game=row.id,
                subject=f"{row.id}: the deadline waits for mails",
                text=f"{row.id}: {words}.\n\n`adjudicator club run --once` shows the error.\n",
                now=now,
            )
    return False


def _grace(club: ClubFolder, game: str) -> int:
    return int(duration(club.deadlines_of(game).grace).total_seconds())


def _at_deadline(
    club: ClubFolder,
    ledger: Ledger,
    session: Session,
    row: GameRow,
    mails: Sequence[StoredMail],
    missing: Missing,
    now: int,
) -> bool:
    """Handle a turn whose orders are not all in: remind players, wait for those on holiday, decide for late ones."""
    rule, game = club.deadlines_of(row.id), row.id
    if not row.due:
        return False
    if missing.away and missing.back > row.due:
        due = next_deadline(rule, missing.back, club.settings.time_zone)
        words = f"orders due {moment(due, club.settings.time_zone)}"
        text = f"A player is on holiday, so the deadline of {game} has moved: {words}."
        with ledger.change():
            ledger.set_game(with_deadline(rule, row, due))
            notify_players(club, ledger, game, text, now, subject=words)
        return True
    if now < row.due + _grace(club, game):
        return _remind(club, ledger, session, row, missing, flawed_seats(session, mails), now)
    late = missing_seats(club, ledger, session, mails, now, is_late=True).seats
    if len(late) > rule.most_missing or (late and rule.nmr is Nmr.WAIT):
        return _stop(club, ledger, session, row, late, now)
    held = held_seats(session, mails, is_late=True)
    mails = usable_mails(session, mails, held)
    decided: list[Submission] = []
    for seat in late:
        session, orders = decide_for(session, seat, rule, moment(row.due, club.settings.time_zone), held)
        decided += orders
    _play(club, ledger, session, game, mails, held, now, decided)
    return True


def _remind(
    club: ClubFolder, ledger: Ledger, session: Session, row: GameRow, missing: Missing, flawed: Collection[str], now: int
) -> bool:
    """Write once to each player whose orders are missing shortly before the deadline; ``flawed`` seats sent a mistake."""
    rule = club.deadlines_of(row.id)
    planned = with_deadline(rule, row, row.due)
    if now < planned.wake:
        if row.wake != planned.wake:  # the moderator has resumed the game
            with ledger.change():
                ledger.set_game(replace(row, wake=planned.wake))
        return False
    due = moment(row.due, club.settings.time_zone)
    with ledger.change():
        new = [
            write_to_seat(
                club,
                ledger,
                SeatLetter(
                    key=f"reminder/{row.id}/{row.position}/{row.due}/{seat}",
                    kind="reminder",
                    game=row.id,
                    seat=seat,
                    subject=f"{turn_of(session, seat)}: reminder, orders due {due}",
                    text=_REMINDER.format(player_name(session, seat), row.id, _FLAWED if seat in flawed else _NONE, due),
                ),
                now,
            )
            for seat in missing.seats
        ]
        ledger.set_game(replace(row, wake=row.due + _grace(club, row.id)))
    return any(new)


def _stop(club: ClubFolder, ledger: Ledger, session: Session, row: GameRow, late: Sequence[Seat], now: int) -> bool:
    """Write to the moderator once that the deadline is over and orders are missing; do nothing else."""
    names = listed(player_name(session, seat) for seat in late)
    words = f"the deadline is over, and the orders of {names} are missing: the game waits for you"
    if row.stopped == words:
        return False
    key = f"late/{row.id}/{row.position}/{row.due}"
    with ledger.change():
        ledger.set_game(replace(row, stopped=words, wake=0))
        ledger.raise_matter(key, row.id, now, words)
        write_to_moderator(
            club,
            ledger,
            key=key,
            game=row.id,
            subject=f"{turn_of(session, None)}: the orders of {few_names(session, late)} are missing",
            text=f"{row.id}: {words}.\n\n{_TO_DO}\n",
            now=now,
        )
    return True


def _play(
    club: ClubFolder,
    ledger: Ledger,
    session: Session,
    game: str,
    mails: Sequence[StoredMail],
    held: Collection[Seat],
    now: int,
    decided: Sequence[Submission] = (),
) -> None:
    """Adjudicate, write the reports, save the game, queue the letters: the next run can continue after each step."""
    last = _last_reports(club, session, game)
    texts = list(decided)
    for seat in sorted(dropped_seats(session) - {text.seat for text in decided}):
        session, orders = order_for(session, seat, MissedPolicy.DROP, held)
        texts += orders
    texts += [read_orders(mail, Seat(mail.seat))[0] for mail in mails]
    played = play_turn(session, texts, since=None if last is None else last.since, held_seats=held)
    _save(club, game, played)
    _announce(club, ledger, played.session, game, now, mails)


def _save(club: ClubFolder, game: str, played: TurnResult) -> Outbox:
    """Write the reports beside the game, then replace the game file."""
    after = played.session.game
    outbox = Outbox(after.seal, played.since, dict(_files(club, played)))
    write_outbox(outbox_of(str(club.game_file(game))), after.beginning, outbox)
    club.save(after)
    return outbox


def _files(club: ClubFolder, played: TurnResult) -> Iterator[tuple[str, bytes]]:
    """Yield every report in each of its forms, with the name of its file; some games have no picture."""
    wanted = club.settings.pictures
    picture = picture_form() if wanted == "png" else wanted
    for report in played.reports:
        for form in _FORMS:
            yield report_name(report.viewer, form), FORMS[form](report)
        if report.viewer not in (None, MODERATOR) and picture in _PICTURES:
            with suppress(NoPictureError):
                yield report_name(report.viewer, picture), FORMS[picture](report)


def _announce(
    club: ClubFolder, ledger: Ledger, session: Session, game: str, now: int, handed: Sequence[StoredMail] = ()
) -> None:
    """Queue the reports about the present position, settle the mails that the game has recorded, set the next deadline.

    ``handed`` are the mails of this adjudication: they are settled even if the game has not recorded them.
    """
    outbox = _last_reports(club, session, game)
    if outbox is None:
        # Another command has changed the game, or it has just begun: it has no reports yet.
        mails = ledger.mails(MailState.WAITING, game)
        played = play_turn(session, (), held_seats=held_seats(session, mails))
        session, outbox = played.session, _save(club, game, played)
    deliver(str(club.path(game, REPORTS)), outbox.files)
    is_over = session.rules.is_over(session.config, session.game.state)
    row = ledger.game(game)
    position = digest(canonical_bytes(session.game.state))
    # The deadline moves only if the position has changed.
    rule = club.deadlines_of(game)
    due = row.due if position == row.position else next_deadline(rule, now, club.settings.time_zone)
    due = 0 if is_over else due
    awaited = awaited_seats(session)
    with ledger.change():
        for seat in session.seats:
            if not row.seal:
                welcome(club, ledger, session, seat, due, now)
            _queue_report(club, ledger, session, row, seat, outbox, due, now)
        _report_to_moderator(club, ledger, session, game, outbox.files[report_name(MODERATOR)].decode(), now)
        _settle(ledger, session, game, {mail.id for mail in handed})
        size, changed = stamp(club, game)
        paused = now if row.is_paused and due != row.due else row.paused  # the pause of a new deadline begins now
        seen = replace(row, seal=session.game.seal, position=position, is_over=is_over, awaited=awaited, paused=paused)
        ledger.set_game(with_deadline(rule, replace(seen, size=size, changed=changed), due))


def _last_reports(club: ClubFolder, session: Session, game: str) -> Outbox | None:
    """Return the reports about the present position, ``None`` if the program has not made them yet."""
    outbox = read_outbox(outbox_of(str(club.game_file(game))), session.game.beginning)
    return None if outbox is None or outbox.seal != session.game.seal else outbox


def stamp(club: ClubFolder, game: str) -> tuple[int, int]:
    """Return the size of a game's file and the time of its last change: if both are the same, the file is unchanged."""
    found = club.game_file(game).stat()
    return found.st_size, found.st_mtime_ns


def _queue_report(
    club: ClubFolder, ledger: Ledger, session: Session, row: GameRow, seat: Seat, outbox: Outbox, due: int, now: int
) -> None:
    """Queue the report to ``seat``, unless its player has the same one: a second letter would reveal what others did."""
    text = outbox.files[report_name(seat)]
    who = token_line_of(club, row.id, seat).encode()
    letter = SeatLetter(
        key=f"report/{row.id}/{digest(text, who)}/{seat}",
        kind="report",
        game=row.id,
        seat=seat,
        subject=report_subject(session, seat),
        text=text.decode(),
        html=outbox.files[report_name(seat, "html")].decode(),
        attached=tuple(_picture(outbox, seat)),
    )
    write_to_seat(club, ledger, with_footer(letter, club, due_line(club, session, seat, row, due)), now)


def _picture(outbox: Outbox, seat: Seat) -> Iterator[Attachment]:
    """Yield the board as ``seat`` may see it, if the game has a picture: many mail programs show none in a page."""
    for form, kind in _PICTURES.items():
        data = outbox.files.get(report_name(seat, form))
        if data is not None:
            yield Attachment(name=f"board.{form}", kind=kind, data=data)


def _report_to_moderator(club: ClubFolder, ledger: Ledger, session: Session, game: str, text: str, now: int) -> None:
    write_to_moderator(
        club,
        ledger,
        key=f"report/{game}/{session.game.seal}/{MODERATOR}",
        game=game,
        subject=report_subject(session, None),
        text=text,
        now=now,
    )


def _settle(ledger: Ledger, session: Session, game: str, handed: Collection[int]) -> None:
    """Settle the waiting mails that the game has recorded or that were ``handed`` to it, and check the others again."""
    recorded = {receipt.hash for receipt in session.game.receipts}
    for mail in ledger.mails(MailState.WAITING, game):
        if mail.hash in recorded:
            ledger.settle(mail.id, MailState.TAKEN, game=game, seat=mail.seat)
        elif mail.id in handed:
            ledger.settle(mail.id, MailState.ANSWERED, game=game, seat=mail.seat, why=_OTHER_TURN)
        else:
            _look_again(ledger, session, mail)


def _look_again(ledger: Ledger, session: Session, mail: StoredMail) -> None:
    """Check again whether a waiting mail has mistakes: the position has changed."""
    seat, text = Seat(mail.seat), read_orders(mail, Seat(mail.seat))[0]
    problems = check_own(session, [text], seat).diagnostics
    meant = relevance(session, seat, text, problems)
    if meant is Relevance.ELSEWHERE and not mail.is_flawed:
        ledger.settle(mail.id, MailState.ANSWERED, game=mail.game, seat=seat, why=_OTHER_TURN)
    else:  # a mail with a mistake still says that the player wants to change the orders
        is_flawed = meant is not Relevance.NOW or bool(mistakes(problems))
        ledger.settle(mail.id, MailState.WAITING, game=mail.game, seat=seat, is_flawed=is_flawed)
