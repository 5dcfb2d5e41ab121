"""Take one game a step further: play its turn or tell what has changed, remind players, judge those who are late.

A step that plays prepares its letters with the seal of the new game, saves the game, and sets the letters free. If it stops
in between, the next one sees by the seal of the file whether the letters tell the truth: it sets them free, or deletes them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import adjudicator as adj
import adjudicator.club.requests  # it has the commands of mails
from adjudicator.club.clock import acts_at, grace_end, reminder_time, rest, resume, set_deadline, spend, tell
from adjudicator.club.club import Club, GameRow, MailRow, SeatRow
from adjudicator.club.counting import MISTAKE, Bearing, Counts, bearing, counts, own_orders, read_orders
from adjudicator.club.deadlines import Nmr, next_deadline, span_words
from adjudicator.club.holidays import away_until, with_holidays
from adjudicator.club.letters import free, write
from adjudicator.club.mails import move
from adjudicator.club.matters import raise_matter, settle_seat
from adjudicator.club.messages import send_with_report
from adjudicator.club.people import record
from adjudicator.club.post import announce
from adjudicator.club.reports import (
    OBSERVERS,
    contents,
    due_words,
    keep_for_later,
    observers,
    pages_wanted,
    remind,
    slots_of,
    write_reports,
)
from adjudicator.club.seats import ask_stand_ins
from adjudicator.club.settings import HIDDEN
from adjudicator.core.phrases import listed
from adjudicator.core.values import MODERATOR, Seat, replace
from adjudicator.library.game import WentOnHoliday
from adjudicator.library.own_orders import mistakes
from adjudicator.library.results import few_names, player_name, turn_of
from adjudicator.library.seat_records import SIMULATED
from adjudicator.simulate.bots import choose_order

_NONE: Final = "You have no orders for this turn."
_FLAWED: Final = "Your newest mail has a mistake. Please correct it, and send all your orders again."
_OTHER_TURN: Final = "it was for another turn"
_WAITING: Final = "select * from mails where game = ? and state = 'waiting' order by received, id"
_HOUR: Final = 3600
_NAME: Final = (
    "update seats set hidden_name = (select name from people where id = person) where game = ? and hidden_name = ''",
    "update seats set names = iif(name = '', names, json_insert(names, '$[#]', name)), name = hidden_name"
    " where game = ? and hidden_name <> '' and name <> hidden_name",
)
"""The players of a game that has hidden their names get them when it is over."""
_MOST: Final = 100
"""The most orders that the club gives for a seat at once: some games ask a seat again and again."""
_PASS: Final = "PASS"


class _ChangedError(Exception):
    """Another command has changed the row of the game since the step has read it."""


def advance(club: Club, row: GameRow, *, has_all_mails: bool = True) -> bool:
    """Run a game as far as its mails or its deadline allow, by one step; return whether anything has happened.

    Unless the club ``has_all_mails`` that have come, it tells changes but does not adjudicate: another mail may replace
    those that it has. The caller has locked the game. Raises ``FileProblem`` if the game is unusable.
    """
    while True:
        try:
            return _step(club, row, has_all_mails=has_all_mails)
        except _ChangedError:  # what was read is old: begin again
            row = club.row(row.id)


def hold_deadline(club: Club, row: GameRow) -> None:
    """Write to the moderator once if the deadline of a game is over but the club has not read all mails yet."""
    if row.due and not row.paused and club.now >= grace_end(club, row, row.due):
        write(club, "unread-mails", MODERATOR, f"waits/{row.id}/{row.due}", game=row)


def _step(club: Club, row: GameRow, *, has_all_mails: bool) -> bool:
    game = club.game(row)
    if game.record.seal == row.next_seal != row.seal:  # a step has stopped after it had saved the game
        _free(club, row, game)
        return True
    if has_all_mails:  # a mail that was not answered yet must not meet another journal than those that came with it
        game = with_holidays(club, row, game)
    seats, mails = {Seat(one.seat): one for one in club.seats(row)}, club.db.all(MailRow, _WAITING, row.id)
    sent = {seat: own for seat in game.seats if (own := [mail for mail in mails if mail.seat == seat])}
    if game.record.seal != row.seal:
        new = [event for link in game.record.journal[game.record.reported :] for event in link.entry.events]
        if not (row.seal and new and all(isinstance(event, WentOnHoliday) for event in new)):
            held = {seat for seat, own in sent.items() if counts(game, seat, own).is_held}
            _tell(club, row, game.play_turn(held_seats=held))
            return True
        # Only holidays are new since the last reports: the next report of a turn mentions them.
        club.db.update("games", row.id, seal=game.record.seal, changed=-1)
        row = club.row(row.id)
    if row.paused and 0 < row.resumes <= club.now:  # a deadline of 20:00 stays one if the round comes a minute later
        with club.db.transaction():
            _require_same(club, row)
            at = row.resumes if club.now - row.resumes < _HOUR else club.now
            resume(club, row, f"The pause of {row.name} is over.", at)
        return True
    if row.is_over or row.paused:
        return False
    if not has_all_mails:
        hold_deadline(club, row)
        return False
    now = {seat: counts(game, seat, sent.get(seat, ())) for seat in {*game.due_seats, *sent}}
    gone = {seat for seat, holder in game.players.items() if holder == SIMULATED}
    missing = [seat for seat in game.due_seats if seat not in gone and not now[seat].is_ready]
    waits = row.due and not row.overtime and any(one.votes.get("wait") == game.position_hash for one in seats.values())
    if not missing and not waits:
        _play(club, row, game, now, mails)
        return True
    if not row.due:
        return False
    away = {seat: until for seat in missing if (until := away_until(club, seats[seat]))}
    if max(away.values(), default=0) > row.due:
        due = next_deadline(club.deadlines(row), max(away.values()), club.settings.time_zone)
        words = f"orders due {club.moment(due)}"
        with club.db.transaction():
            _require_same(club, row)
            set_deadline(club, row, due)
            tell(club, row, words, f"A player is on holiday, so the deadline of {turn_of(game, None)} has moved: {words}.")
        return True
    begun = row.deadline
    ends = {seat: begun + rest(club, row, seats[seat]) for seat in missing}
    end = max(ends.values(), default=begun)
    is_longer = end > row.due and not row.stopped  # a mail with a mistake, or a setting, has come since they began
    if club.deadlines(row).bank and club.now >= begun and (not row.overtime or is_longer):
        with club.db.transaction():
            _require_same(club, row)
            set_deadline(club, row, max(end, row.due), begin=club.now, overtime=begun)
            for seat, at in ends.items():
                if at > max(row.due, club.now):
                    last, why = club.moment(at), _FLAWED if now[seat].is_flawed else _NONE
                    runs = f"Your time bank runs: {span_words(at - club.now)} left, until {last}."
                    text = f"{why}\nThey were due {club.moment(begun)}. {runs} It stops when you send your orders."
                    tell(club, row, f"your time bank runs until {last}", text, [seat])
        return True
    if club.now < grace_end(club, row, row.due):
        return _remind(club, row, game, [seats[seat] for seat in missing], now)
    now = {seat: counts(game, seat, sent.get(seat, ()), is_late=True) for seat in now}
    return _judge(club, row, game, [seat for seat in missing if not now[seat].is_flawed], now, mails)


def _require_same(club: Club, row: GameRow) -> None:
    if club.row(row.id) != row:
        raise _ChangedError


def _remind(club: Club, row: GameRow, game: adj.Game, missing: Sequence[SeatRow], now: dict[Seat, Counts]) -> bool:
    """Write once to each player whose orders are missing shortly before the deadline, or before the own time bank ends."""
    wake, end = reminder_time(club, row, row.due), acts_at(club, row, row.due, row.overtime)
    if row.wake == end or club.now < wake:  # they were reminded, or need not be yet
        if row.wake not in (wake, end):  # the moderator has resumed the game
            club.db.update("games", row.id, wake=wake)
        return False
    with club.db.transaction():
        _require_same(club, row)
        new = [
            remind(
                club,
                row,
                one,
                f"reminder/{row.id}/{row.position}/{due}/{one.seat}",
                turn=turn_of(game, Seat(one.seat)),
                player=player_name(game, Seat(one.seat)),
                why=_FLAWED if now[Seat(one.seat)].is_flawed else _NONE,
                due=club.moment(due),
            )
            for one in missing
            if (due := row.overtime + rest(club, row, one) if row.overtime else row.due) > club.now or not row.overtime
        ]
        if not row.overtime:
            # The notice names all awaited seats: that of a seat whose orders are in would reveal that they came.
            announce(club, row, game, "deadline", f"{row.id}/{row.position}/{row.due}")
        club.db.update("games", row.id, wake=end)
    return any(new)


def _judge(
    club: Club, row: GameRow, game: adj.Game, late: Sequence[Seat], now: dict[Seat, Counts], mails: Sequence[MailRow]
) -> bool:
    """Decide for the seats that are ``late`` and play the turn; or only tell the moderator once that the game waits."""
    rule = club.deadlines(row)
    if len(late) > rule.most_missing or (late and rule.nmr is Nmr.WAIT):
        names = listed(player_name(game, seat) for seat in late)
        words = f"the deadline is over, and the orders of {names} are missing: the game waits for you"
        if row.stopped == words:
            return False
        key, turn = f"late/{row.id}/{row.position}/{row.due}", turn_of(game, None)
        with club.db.transaction():
            _require_same(club, row)
            club.db.update("games", row.id, stopped=words, wake=0)
            raise_matter(club, "late", words, key=key, game=row)
            write(club, "late", MODERATOR, key, game=row, turn=turn, names=few_names(game, late), words=words)
        return True
    held, decided = {seat for seat, one in now.items() if one.is_held}, list[adj.Submission]()
    for seat in late:
        count = game.missed_deadlines(seat) + 1
        is_dropped = rule.nmr is Nmr.DROP or bool(rule.drop_after and count >= rule.drop_after)
        policy = Nmr.DROP if is_dropped else rule.nmr
        game = game.miss_deadline(seat, club.moment(row.deadline), policy)
        if is_dropped:
            game = game.hand_over(seat, SIMULATED, f"deadlines missed: {count}")
        game, orders = _orders_for(game, seat, policy, held)
        decided += orders
    _play(club, row, game, now, mails, decided)
    return True


def _orders_for(
    game: adj.Game, seat: Seat, policy: Nmr, held: Collection[Seat]
) -> tuple[adj.Game, tuple[adj.Submission, ...]]:
    """Return the game and the orders that ``policy`` gives for ``seat`` until it is no longer asked.

    A single order is returned, to be adjudicated with those of the others; several are in the game already. Pending orders
    of ``held`` seats stay pending.
    """
    before, orders = game, list[adj.Submission]()
    for _ in range(_MOST):
        if seat not in game.due_seats:
            break
        if policy is Nmr.DEFAULT:
            rows = game.seen_by(seat).legal
            passing = (row for row in rows if row.order.split()[0] == _PASS)
            order = next(passing, min(rows, key=lambda row: (row.min or 0, row.order))).order
        else:
            order = choose_order(game, seat, seed=None)  # a repeated run decides the same
        (text,) = adj.read_orders(order, name=f"the club's decision for {seat}", seat=seat)
        orders.append(replace(text, hash=""))  # it gets no receipt
        done = game.apply(orders[-1:], held_seats=held)
        if not done.accepted:
            break
        game = done.game
    return (before, tuple(orders)) if len(orders) == 1 else (game, ())


def _play(
    club: Club,
    row: GameRow,
    game: adj.Game,
    now: dict[Seat, Counts],
    mails: Sequence[MailRow],
    decided: Sequence[adj.Submission] = (),
) -> None:
    """Adjudicate the orders ``decided`` for late seats, those of simulated players, and the mails that count ``now``."""
    last = row.since if game.record.seal == row.seal else None
    held, texts = {seat for seat, one in now.items() if one.is_held}, list(decided)
    gone = {seat for seat, holder in game.players.items() if holder == SIMULATED}
    for seat in sorted(gone - {text.seat for text in decided}):
        game, orders = _orders_for(game, seat, Nmr.DROP, held)
        texts += orders
    plays = {mail.id for one in now.values() for mail in one.plays}
    given = [mail for mail in mails if mail.id in plays]
    texts += [read_orders(game, mail, Seat(mail.seat))[0] for mail in given]
    _tell(club, row, game.play_turn(texts, last=last, held_seats=held), given)


def _tell(club: Club, row: GameRow, turn: adj.Turn, given: Sequence[MailRow] = ()) -> None:
    """Prepare the letters about a ``turn``, for which the mails were ``given``; save its game, and set them free."""
    game, found = turn.game, contents(turn, club.settings.pictures, is_observed=bool(observers(club, row)))
    seal = game.record.seal
    with club.db.transaction():
        _require_same(club, row)
        club.db.run("delete from letters where game = ? and state = 'prepared'", row.id)
        club.db.update("games", row.id, next_seal=seal, next_since=turn.since)
        write_reports(club, row, game, found)
        for mail in given:
            club.db.update("mails", mail.id, seal=seal)
    club.save(row, game)
    _free(club, row, game)


def _free(club: Club, row: GameRow, game: adj.Game) -> None:
    """Set the letters about ``game`` free, settle the mails of its turn, set the next deadline.

    The row and the seats are read again: another command may have changed them since the game was played.
    """
    seal, position = game.record.seal, game.position_hash
    with club.db.transaction(is_repeatable=True):
        row = club.row(row.id)
        mails, is_same = club.db.all(MailRow, _WAITING, row.id), position == row.position
        if not is_same:  # the deadline moves only then
            spend(club, row, game, mails)
        due = next_deadline(club.deadlines(row), club.now, club.settings.time_zone)
        due, overtime = 0 if game.is_over else row.due if is_same else due, row.overtime if is_same else 0
        columns = {"seal": seal, "position": position, "since": row.next_since, "next_seal": "", "is_over": game.is_over}
        columns |= {"paused": club.now if row.paused and due != row.due else row.paused}  # a new deadline: a new pause
        paged = pages_wanted(club, row, game)
        set_deadline(club, row, due, begin=club.now, overtime=overtime, paged=paged, changed=-1, **columns)
        is_named = game.is_over and row.settings.names == HIDDEN
        for statement in _NAME if is_named else ():
            club.db.run(statement, row.id)
        after, seats = club.row(row.id), club.seats(row)
        slots = {one.seat: slots_of(club, after, one, game) for one in seats}
        new = free(club, row, {**slots, OBSERVERS: {"due": due_words(club, after, game)}})
        send_with_report(club, after, game, new)
        if row.seal:
            keep_for_later(club, after, game, seats, new)
        ask_stand_ins(club, after, game)
        if (row.seal and not row.is_over) if game.is_over else position != row.position:
            announce(club, after, game, "over" if game.is_over else "turn" if row.seal else "begin", f"{row.id}/{seal}")
        recorded, waiting = {receipt.hash for receipt in game.record.receipts}, list[MailRow]()
        for mail in mails:
            if mail.hash in recorded:
                move(club, mail, "taken")
                continue
            own = own_orders(game, mail)
            meant = bearing(game, own)
            is_past = meant is Bearing.ELSEWHERE and not mail.why
            if mail.seal == seal or game.is_over or is_past:  # the game has had it, and has not taken it; or never will
                move(club, mail, "answered", why=_OTHER_TURN)
            else:  # a mail with a mistake still says that the player wants to change the orders
                why = MISTAKE if meant is not Bearing.NOW or mistakes(own.problems) else ""
                club.db.update("mails", mail.id, why=why)
                waiting.append(replace(mail, why=why))
        for one in seats:
            if game.is_over:
                settle_seat(club, after, one.seat)
            seat, is_dropped = Seat(one.seat), game.players[Seat(one.seat)] == SIMULATED
            own_mails = [mail for mail in waiting if mail.seat == seat]
            left = counts(game, seat, own_mails) if own_mails else Counts()
            club.db.update(
                "seats",
                one.id,
                is_due=seat in game.due_seats,
                is_ready=left.is_ready and left.has_mails,
                is_dropped=is_dropped and not game.is_over,
                **({} if is_dropped or is_named else {"name": game.players[seat] or ""}),
            )
        record(club, after, game)
