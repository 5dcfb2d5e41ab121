"""Run the turn of one game: adjudicate it when all orders are in or the deadline is over, and write to its members once.

The club writes the reports beside the game file, then replaces this file in one step, then queues the letters in the
ledger. The keys of the letters contain the seal of the game. A round runs a game again until nothing is left to do; only
then does it record the size and time of the game file. So the next round completes whatever was interrupted, and the club
does and sends nothing twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Final

import adjudicator as adj
from adjudicator.club.clock import notify_players, with_deadline
from adjudicator.club.deadlines import Nmr, next_deadline, shifted
from adjudicator.club.folder import REPORTS, ClubFolder, open_file
from adjudicator.club.holidays import with_holidays
from adjudicator.club.ledger import GameRow, Ledger, MailState, NewLetter, StoredMail
from adjudicator.club.letters import SeatLetter, token_line_of, write_to_moderator, write_to_seat
from adjudicator.club.messages import send_messages_with_report
from adjudicator.club.missing import Missing, decide_for, dropped_seats, held_seats, missing_seats, order_for, usable_mails
from adjudicator.club.pages import make_own_files
from adjudicator.club.pending import Relevance, flawed_seats, own_orders, read_orders, relevance
from adjudicator.club.reports import report_letter
from adjudicator.club.stand_ins import ask_stand_ins
from adjudicator.club.webhooks import Event, announce
from adjudicator.club.welcome import welcome
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Violation
from adjudicator.core.values import MODERATOR, Seat, digest, replace
from adjudicator.files.errors import Untrusted
from adjudicator.files.outbox import Outbox, deliver, outbox_of, read_outbox, report_name, write_outbox
from adjudicator.library.game import WentOnHoliday
from adjudicator.library.letters import few_names, player_name, report_subject, turn_of
from adjudicator.library.own_orders import mistakes
from adjudicator.mail.outgoing import Attachment
from adjudicator.reports.forms import picture_form, write_report
from adjudicator.reports.png import NoPictureError

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
WAIT: Final = "wait"
"""The vote of a seat that wants the turn to last until its deadline."""
_PICTURES: Final = {"png": "image/png", "svg": "image/svg+xml"}


def open_game(club: ClubFolder, game: str) -> adj.Game:
    """Return a game of the club with its rules. Raises ``FileProblem``, ``SetupError``."""
    found = open_file(club.game_file(game))
    if found.id != game:
        words = f"the id of this game is {found.id}: its folder must have this name"
        raise Untrusted(str(club.game_file(game)), [Violation("$.id", words)])
    return found


def advance(club: ClubFolder, ledger: Ledger, name: str, now: int, *, has_all_mails: bool = True) -> bool:
    """Run the game ``name`` as far as its mails or its deadline allow; return whether anything has happened.

    Unless the club ``has_all_mails`` that have come, it announces changes but does not adjudicate: another mail may replace
    those that it has. The caller has locked the game file. Raises ``FileProblem`` if the game or its settings are unusable.
    """
    game, row = with_holidays(club, ledger, open_game(club, name), now), ledger.game(name)
    if game.record.seal != row.seal:
        if not _is_only_holidays(game, row):
            _announce(club, ledger, game, now)
            return True
        row = replace(row, seal=game.record.seal, changed=-1)
        with ledger.change():
            ledger.set_game(row)
    if row.is_over or row.is_paused:
        return False
    if not has_all_mails:
        return hold_deadline(club, ledger, row, now)
    mails = ledger.mails(MailState.WAITING, name)
    missing = missing_seats(club, ledger, game, mails, now)
    waits = row.due and ledger.voters(name, WAIT, game.position_hash)
    if not missing.seats and not missing.away and not waits:
        held = held_seats(game, mails)
        _play(club, ledger, game, usable_mails(game, mails, held), held, now)
        return True
    return _at_deadline(club, ledger, game, row, mails, missing, now)


def _is_only_holidays(game: adj.Game, row: GameRow) -> bool:
    """Return whether only holidays are new since the last reports: the next report of a turn mentions them."""
    new = [event for link in game.record.journal[game.record.reported :] for event in link.entry.events]
    return bool(row.seal and new) and all(isinstance(event, WentOnHoliday) for event in new)


def hold_deadline(club: ClubFolder, ledger: Ledger, row: GameRow, now: int) -> bool:
    """Write to the moderator once if the deadline of a game is over but the club has not read all mails yet."""
    if row.due and now >= row.due + _grace(club, row) and not row.is_paused:
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


def _grace(club: ClubFolder, row: GameRow) -> int:
    return shifted(row.due, club.deadlines_of(row.id).grace, club.settings.time_zone) - row.due


def _at_deadline(
    club: ClubFolder,
    ledger: Ledger,
    game: adj.Game,
    row: GameRow,
    mails: Sequence[StoredMail],
    missing: Missing,
    now: int,
) -> bool:
    """Handle a turn whose orders are not all in: remind players, wait for those on holiday, decide for late ones."""
    rule = club.deadlines_of(row.id)
    if not row.due:
        return False
    if missing.away and missing.back > row.due:
        due = next_deadline(rule, missing.back, club.settings.time_zone)
        words = f"orders due {club.moment(due)}"
        text = f"A player is on holiday, so the deadline of {turn_of(game, None)} has moved: {words}."
        with ledger.change():
            ledger.set_game(with_deadline(rule, row, due, club.settings.time_zone))
            notify_players(club, ledger, row.id, text, now, subject=words)
        return True
    if now < row.due + _grace(club, row):
        return _remind(club, ledger, game, row, missing, flawed_seats(game, mails), now)
    late = missing_seats(club, ledger, game, mails, now, is_late=True).seats
    if len(late) > rule.most_missing or (late and rule.nmr is Nmr.WAIT):
        return _stop(club, ledger, game, row, late, now)
    held = held_seats(game, mails, is_late=True)
    mails = usable_mails(game, mails, held)
    decided: list[adj.Submission] = []
    for seat in late:
        game, orders = decide_for(game, seat, rule, club.moment(row.due), held)
        decided += orders
    _play(club, ledger, game, mails, held, now, decided)
    return True


def _remind(
    club: ClubFolder, ledger: Ledger, game: adj.Game, row: GameRow, missing: Missing, flawed: Collection[str], now: int
) -> bool:
    """Write once to each player whose orders are missing shortly before the deadline; ``flawed`` seats sent a mistake."""
    rule = club.deadlines_of(row.id)
    planned = with_deadline(rule, row, row.due, club.settings.time_zone)
    if now < planned.wake:
        if row.wake != planned.wake:  # the moderator has resumed the game
            with ledger.change():
                ledger.set_game(replace(row, wake=planned.wake))
        return False
    due = club.moment(row.due)
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
                    subject=f"{turn_of(game, seat)}: reminder, orders due {due}",
                    text=_REMINDER.format(player_name(game, seat), row.id, _FLAWED if seat in flawed else _NONE, due),
                ),
                now,
            )
            for seat in missing.seats
        ]
        # The notice names all awaited seats: that of a seat whose orders are in would reveal that they came.
        announce(club, ledger, game, "deadline", f"{row.id}/{row.position}/{row.due}", row.due, now)
        ledger.set_game(replace(row, wake=row.due + _grace(club, row)))
    return any(new)


def _stop(club: ClubFolder, ledger: Ledger, game: adj.Game, row: GameRow, late: Sequence[Seat], now: int) -> bool:
    """Write to the moderator once that the deadline is over and orders are missing; do nothing else."""
    names = listed(player_name(game, seat) for seat in late)
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
            subject=f"{turn_of(game, None)}: the orders of {few_names(game, late)} are missing",
            text=f"{row.id}: {words}.\n\n{_TO_DO}\n",
            now=now,
        )
    return True


def _play(
    club: ClubFolder,
    ledger: Ledger,
    game: adj.Game,
    mails: Sequence[StoredMail],
    held: Collection[Seat],
    now: int,
    decided: Sequence[adj.Submission] = (),
) -> None:
    """Adjudicate, write the reports, save the game, queue the letters: the next run can continue after each step."""
    last = _last_reports(club, game)
    texts = list(decided)
    for seat in sorted(dropped_seats(game) - {text.seat for text in decided}):
        game, orders = order_for(game, seat, Nmr.DROP, held)
        texts += orders
    texts += [read_orders(game, mail, Seat(mail.seat))[0] for mail in mails]
    turn = game.play_turn(texts, last=None if last is None else last.since, held_seats=held)
    _save(club, turn)
    _announce(club, ledger, turn.game, now)


def _save(club: ClubFolder, turn: adj.Turn) -> Outbox:
    """Write the reports beside the game, with the mails that the game does not record, then replace the game file."""
    after = turn.game
    outbox = Outbox(after.record.seal, turn.since, dict(_files(club, turn)), told=turn.reported)
    write_outbox(outbox_of(str(club.game_file(after.id))), after.record.beginning, outbox)
    club.save(after)
    return outbox


def _files(club: ClubFolder, turn: adj.Turn) -> Iterator[tuple[str, bytes]]:
    """Yield every report as text, and those of players also as a page and a picture, with the names of the files."""
    wanted = club.settings.pictures
    pictures = [picture_form() if wanted == "png" else wanted] if wanted in _PICTURES else []
    for report in turn.reports:
        is_to_player = report.viewer not in (None, MODERATOR)
        for form in ("txt", "html", *pictures) if is_to_player else ("txt",):
            with suppress(NoPictureError):  # the game has none
                yield report_name(report.viewer, form), write_report(report, form)


def _announce(club: ClubFolder, ledger: Ledger, game: adj.Game, now: int) -> None:
    """Queue the reports about the present position, settle the mails of its adjudication, set the next deadline."""
    outbox = _last_reports(club, game)
    if outbox is None:
        # Another command has changed the game, or it has just begun: it has no reports yet.
        mails = ledger.mails(MailState.WAITING, game.id)
        turn = game.play_turn(held_seats=held_seats(game, mails))
        game, outbox = turn.game, _save(club, turn)
    wanted = (".txt",) if club.settings.desk is None else (".txt", ".html")
    kept = {name: data for name, data in outbox.files.items() if name.endswith(wanted)}
    deliver(str(club.path(game.id, REPORTS)), kept)
    make_own_files(club, ledger, game, now)
    row, position = ledger.game(game.id), game.position_hash
    # The deadline moves only if the position has changed.
    rule = club.deadlines_of(game.id)
    due = row.due if position == row.position else next_deadline(rule, now, club.settings.time_zone)
    due = 0 if game.is_over else due
    letters = list(_letters(club, ledger, game, row, outbox, due, now))
    with ledger.change():
        new = [letter for letter in letters if ledger.queue(letter)]
        send_messages_with_report(club, ledger, game, [letter.seat for letter in new if letter.kind == "report"], now)
        ask_stand_ins(club, ledger, game, now)
        _report_to_moderator(club, ledger, game, outbox.files[report_name(MODERATOR)].decode(), now)
        _announce_in_chats(club, ledger, game, row, due, now)
        _settle(ledger, game, outbox)
        paused = now if row.is_paused and due != row.due else row.paused  # the pause of a new deadline begins now
        seen = replace(row, seal=game.record.seal, position=position, is_over=game.is_over, paused=paused)
        seen = replace(seen, vacant=() if game.is_over else tuple(sorted(dropped_seats(game))))
        seen = replace(seen, awaited=game.due_seats, changed=-1)
        ledger.set_game(with_deadline(rule, seen, due, club.settings.time_zone))


def _announce_in_chats(club: ClubFolder, ledger: Ledger, game: adj.Game, row: GameRow, due: int, now: int) -> None:
    """Queue notices if the game has begun, moved or ended since the last reports, which ``row`` describes."""
    event: Event = "over" if game.is_over else "turn" if row.seal else "begin"
    is_new = bool(row.seal) and not row.is_over if game.is_over else game.position_hash != row.position
    if is_new:
        announce(club, ledger, game, event, f"{game.id}/{game.record.seal}", due, now)


def _last_reports(club: ClubFolder, game: adj.Game) -> Outbox | None:
    """Return the reports about the present position, ``None`` if the program has not made them yet."""
    outbox = read_outbox(outbox_of(str(club.game_file(game.id))), game.record.beginning)
    return None if outbox is None or outbox.seal != game.record.seal else outbox


def _letters(
    club: ClubFolder, ledger: Ledger, game: adj.Game, row: GameRow, outbox: Outbox, due: int, now: int
) -> Iterator[NewLetter]:
    """Yield the letters to the players: their reports, after a welcome if the game has just begun."""
    for seat in game.seats:
        if not row.seal:
            yield welcome(club, ledger, game, seat, due, now)
        yield _report(club, ledger, game, row, seat, outbox, due, now)


def _report(
    club: ClubFolder, ledger: Ledger, game: adj.Game, row: GameRow, seat: Seat, outbox: Outbox, due: int, now: int
) -> NewLetter:
    """Return the report to ``seat``; the same one has the same key, because a second letter would reveal what others did."""
    text = outbox.files[report_name(seat)]
    who = token_line_of(club, row.id, seat).encode()
    letter = SeatLetter(
        key=f"report/{row.id}/{digest(text, who)}/{seat}",
        kind="report",
        game=row.id,
        seat=seat,
        subject=report_subject(game, seat),
        text=text.decode(),
        html=outbox.files[report_name(seat, "html")].decode(),
        attached=tuple(_picture(outbox, seat)),
    )
    return report_letter(club, ledger, letter, game, row, due, now)


def _picture(outbox: Outbox, seat: Seat) -> Iterator[Attachment]:
    """Yield the board as ``seat`` may see it, if the game has a picture: many mail programs show none in a page."""
    for form, kind in _PICTURES.items():
        data = outbox.files.get(report_name(seat, form))
        if data is not None:
            yield Attachment(name=f"board.{form}", kind=kind, data=data)


def _report_to_moderator(club: ClubFolder, ledger: Ledger, game: adj.Game, text: str, now: int) -> None:
    write_to_moderator(
        club,
        ledger,
        key=f"report/{game.id}/{game.record.seal}/{MODERATOR}",
        game=game.id,
        subject=report_subject(game, None),
        text=text,
        now=now,
    )


def _settle(ledger: Ledger, game: adj.Game, outbox: Outbox) -> None:
    """Settle the waiting mails that the game has recorded, or ``outbox`` has told, and check the others again."""
    recorded = {receipt.hash for receipt in game.record.receipts}
    for mail in ledger.mails(MailState.WAITING, game.id):
        if mail.hash in recorded:
            ledger.settle(mail.id, MailState.TAKEN, game=game.id, seat=mail.seat)
        elif outbox.told and _key(game, mail) in outbox.told:
            ledger.settle(mail.id, MailState.ANSWERED, game=game.id, seat=mail.seat, why=_OTHER_TURN)
        else:
            _look_again(ledger, game, mail)


def _key(game: adj.Game, mail: StoredMail) -> str:
    """Return the key under which the reports have told about ``mail``."""
    text = read_orders(game, mail, Seat(mail.seat))[0]
    return f"{mail.seat} {text.identity or text.hash}"


def _look_again(ledger: Ledger, game: adj.Game, mail: StoredMail) -> None:
    """Check again whether a waiting mail has mistakes: the position has changed."""
    own = own_orders(game, mail)
    meant = relevance(game, own)
    if meant is Relevance.ELSEWHERE and not mail.is_flawed:
        ledger.settle(mail.id, MailState.ANSWERED, game=mail.game, seat=own.seat, why=_OTHER_TURN)
    else:  # a mail with a mistake still says that the player wants to change the orders
        is_flawed = meant is not Relevance.NOW or bool(mistakes(own.problems))
        ledger.settle(mail.id, MailState.WAITING, game=mail.game, seat=own.seat, is_flawed=is_flawed)
