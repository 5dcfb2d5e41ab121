"""What each mail command does. Its form, its limit and its lines in HELP are above each function."""

from __future__ import annotations

import re
from datetime import date
from functools import partial
from typing import Final

import adjudicator as adj
from adjudicator.club import clock, holidays, lists, messages, people, reports, seats, tournament
from adjudicator.club.club import Club, GameRow, SeatRow
from adjudicator.club.commands import Ask, Command, Reply, for_one_game, help_text
from adjudicator.club.deadlines import DeadlineError, duration, require_positive, time_of
from adjudicator.club.matters import DAY, note_use, raise_matter
from adjudicator.core.phrases import PLEASE, listed
from adjudicator.core.values import Seat
from adjudicator.library.rulesets import rules_of
from adjudicator.library.seat_records import SIMULATED
from adjudicator.reports.forms import report_text
from adjudicator.reports.report import Report
from adjudicator.reports.rules import rules_text
from adjudicator.reports.texts import printable

_WIDTH: Final = 78
_TRIED: Final = PLEASE | {
    *("only", "my", "the", "these", "this", "orders", "order", "moves", "turn", "sheet", "mail", "of", "for", "me")
}
"""Words that may follow PREVIEW."""
_STATUS: Final = frozenset({"position", "secrets", "due", "standings", "notes", "proofs"})
"""The blocks of a report that STATUS sends."""
_HOLIDAY: Final = "HOLIDAY 2026-12-20 to 2027-01-03"
_HELP_OF_HOLIDAY: Final = (
    f"{_HOLIDAY} | no orders of yours are due on these days, in all your games\n"
    f"{_HOLIDAY} sitter Ben | asks Ben to play for you meanwhile; HOLIDAY end ends your holiday early"
)
_HINT_OF_HOLIDAY: Final = f"write a holiday like {_HOLIDAY}"
_HINT_OF_MESSAGE: Final = (
    "write a message like MESSAGE to blue: or MESSAGE anonymous to blue, green: and the text below it, up to a line END"
)
_RESIGNS: Final = """\
`club seat` gives the seat to another player. `club accept`, with the number in `club status`, gives it to a
simulated player, and the club asks the members who stand in."""
_HINT_OF_VOTE: Final = (
    "write VOTE draw, VOTE undo, VOTE extend 2 days, VOTE pause, VOTE pause until 2026-12-31 or VOTE resume"
)
_BY_MODERATOR: Final = frozenset({"draw", "undo"})
"""The motions after which the moderator decides; they count until anything in the game changes."""
_WAIT: Final = "wait"


@Command(
    "PREVIEW",
    to="seat",
    beside=_TRIED,
    seat_help="PREVIEW | tests the orders in this mail; the club does not keep them\n"
    "WITHDRAW | takes back all your orders that wait",  # an order of every game
)
def preview(_ask: Ask) -> Reply:
    """Test the orders of the mail: the receipt does it."""
    return Reply("")


@Command("STATUS", to="seat", quota="status", seat_help="STATUS | shows the position, as you may see it")
def status(ask: Ask) -> Reply:
    """Return the position as the player may see it, what this player must do now, the own time bank and votes."""
    row, seat, game = ask.own
    own = game.seen_by(Seat(seat.seat))
    report = Report(position=own.position, since=0, happened=(), secrets=own.secrets, has_answered=own.has_answered)
    blocks = _STATUS | ({"to-do"} if report.own_due or own.has_answered else set())
    lines, chosen = [clock.bank_words(ask.club, row, seat)], listed(_own_votes(ask))
    lines += [clock.pause_words(ask.club, row)] if row.paused else []
    lines += [f"Your votes: {chosen}."] if chosen else []
    return Reply("\n\n".join([report_text(report, only=blocks).rstrip("\n"), *filter(None, lines)]))


@Command("RESEND", to="seat", quota="status", seat_help="RESEND | sends your last report again")
def resend(ask: Ask) -> Reply:
    """Queue a copy of the last report, with the present deadline."""
    row, seat, game = ask.own
    reports.resend(ask.club, row, game, seat, f"resend/{ask.key}", ask.thread)
    return Reply("The club sends your last report in a separate mail.")


@Command("GAMES", to="club", quota="status", club_help="GAMES | lists the games, and those that you can join")
def games(ask: Ask) -> Reply:
    """Return the tournaments, the games that the person can join, and the others."""
    blocks = (tournament.games_text(ask.club, ask.person), lists.games_text(ask.club, ask.person))
    return Reply("\n\n".join(filter(None, blocks)))


@Command(
    "JOIN [{wanted:game} [as {seat:seat}]]",
    to="club",
    quota="messages",
    club_help="JOIN checkered-flag | takes a place on the list for the next game, or in a tournament\n"
    "JOIN race-7 as blue | asks for this seat, which has no player;\n | STANDIN race-7 asks for any seat without a player",
)
def join(ask: Ask, wanted: str = "", seat: str = "") -> Reply:
    """Give the person a place in a tournament or on a list, or ask for a seat."""
    own = tournament.open_to(ask.club, wanted)
    said = tournament.enter(ask.club, ask.person, own) if own else lists.join(ask.club, ask.person, wanted, seat)
    return Reply(said)


Command("STANDIN {game:game}", to="club", quota="messages")(
    lambda ask, game: Reply(seats.ask_for_seat(ask.club, ask.person, game))
)


@Command(
    "LEAVE [{wanted:game}]",
    to="club",
    quota="messages",
    club_help="LEAVE checkered-flag | gives up your place on a list or in a tournament; LEAVE alone, all places on lists",
)
def leave(ask: Ask, wanted: str = "") -> Reply:
    """Give up a place in a tournament, or places on lists."""
    own = tournament.open_to(ask.club, wanted)
    return Reply(tournament.withdraw(ask.club, ask.person, own) if own else lists.leave(ask.club, ask.person, wanted))


Command(
    "OBSERVE {game:game} [{ends:no}]",
    to="club",
    quota="messages",
    hint="write OBSERVE with the name of a game, such as OBSERVE race-7; OBSERVE race-7 no ends it",
    club_help="OBSERVE race-7 | sends you what the public may know after each turn; OBSERVE race-7 no ends this",
)(lambda ask, game, ends=False: Reply(lists.observe(ask.club, ask.person, game, ends=ends)))


@Command(
    "RULES|RULE {wanted:rest}",
    to="seat club",
    quota="rules",
    seat_help="RULES CR-P1 | shows a rule, by its number or by a word in it",
    club_help="RULES | sends the house rules of the club",
)
def rules(ask: Ask, wanted: str) -> Reply:
    """Return rules of the game by number or word (empty: all), or the house rules of the club."""
    if ask.game is None and wanted:
        return for_one_game("RULES")
    if ask.game is None:
        none = "This club has no house rules. For the rules of a game, answer a mail of that game."
        return Reply(ask.club.house_rules() or none)
    try:
        page = rules_of(ask.game.meta.id, wanted.split())
    except adj.RequestError as error:  # its cause does not repeat the name of the game
        return Reply(printable(f"RULES {wanted}: {error.__cause__}"), is_done=False)
    return Reply(rules_text(page, ask.game.meta, width=_WIDTH))


Command(
    "WHO {name:member}", to="club", quota="status", club_help="WHO Ann | shows a member with games, standing and ratings"
)(lambda ask, name: Reply(people.show_member(ask.club, name)))


@Command(
    "HOLIDAY [from|on] {first:date} [to|until|–|- {last:date}] [sitter {sitter:value}]",
    to="seat club",
    quota="messages",
    hint=_HINT_OF_HOLIDAY,
    seat_help=_HELP_OF_HOLIDAY,
    club_help=_HELP_OF_HOLIDAY,
)
def holiday(ask: Ask, first: date, last: date | None = None, sitter: str = "") -> Reply:
    """Note that the person is away, for one day without a ``last``: deadlines move, and all their journals say so.

    If a ``sitter`` agrees to play for them, neither is so in the games that the sitter does not play.
    """
    last = last or first
    if last < first:
        words = f"The club cannot read “HOLIDAY {first} to {last}”. Please {_HINT_OF_HOLIDAY}, with the first day first."
        return Reply(words, is_done=False)
    when = holidays.days_words(first, last)
    if flaw := holidays.holiday_flaw(ask.club, ask.person, first, last, ask.mail.received):
        return Reply(f"The club cannot accept your holiday {when}: {flaw}.", is_done=False)
    member, said = people.member_called(ask.club, sitter) if sitter else None, ""
    if member is not None and member.id == ask.person.id:
        return Reply("You cannot play for yourself: name another member as your sitter.", is_done=False)
    if sitter and member is None and "@" not in sitter:
        names = [one.name for one in people.members(ask.club)]
        words = people.unknown(sitter, names, "member")
        return Reply(f"The club has not noted your holiday. {words}", is_done=False)
    holidays.note_holiday(ask.club, ask.person, first, last, member)
    if member is not None:
        holidays.ask_sitter(ask.club, ask.person, member)
    if sitter:  # whether an address belongs to a member is a secret
        said = printable(f" The club asks {sitter} to play for you. Until they agree, the holiday counts as usual.")
    days = "this day" if first == last else "these days"
    return Reply(f"You are on holiday {when}. No orders of yours are due on {days}.{said}")


@Command("HOLIDAY end|ends|over", to="seat club", quota="messages")
def end_holiday(ask: Ask) -> Reply:
    """End the present holiday of the person; who plays for them gives their seats back."""
    if not holidays.end_holiday(ask.club, ask.person):
        return Reply("You are not on holiday now.", is_done=False)
    return Reply("Your holiday is over. Deadlines that it has moved stay as they are.")


@Command("MESSAGE [{anonymous:anonymous}] [to] {to:player} {text:prose}", to="seat club", quota="messages", has_text=True)
@Command(
    "MESSAGE [{anonymous:anonymous}] [to] {to:players} [: {text:text}]",
    to="seat club",
    quota="messages",
    hint=_HINT_OF_MESSAGE,
    has_text=True,
    seat_help="MESSAGE to blue, green: … | sends this line to players, `all` or the `moderator`; for a longer text, write\n"
    " | nothing after the colon, the text below, and END or a blank line below it\n"
    "MESSAGE anonymous to blue: … | sends it without your name, with the next report, if your game allows this",
)
def message(ask: Ask, to: tuple[str, ...], text: str, below: str, anonymous: bool = False) -> Reply:
    """Send a text to players or the moderator; ``below`` is the line after its end, if it may be meant as a part of it."""
    return messages.take(ask, to, text, below, anonymous=anonymous)


def wait(ask: Ask, *, is_on: bool) -> Reply:
    """Let the present turn last until its deadline, or no longer."""
    row, seat, game = ask.own
    if seat.seat not in game.due_seats:
        return Reply("It is not your turn: the game does not wait for you.", is_done=False)
    _cast(ask.club, row, seat, "wait", game.position_hash if is_on else "")
    words = "The game now waits for the deadline, even if all orders are in. NOWAIT ends this."
    return Reply(words if is_on else "The game no longer waits for the deadline on your account.")


Command(
    "WAIT for|until|till [the] deadline",
    to="seat",
    quota="messages",
    seat_help="WAIT FOR DEADLINE | plays this turn at the deadline, even if all orders are in;\n"
    " | NOWAIT plays this turn when all orders are in",
)(partial(wait, is_on=True))
Command("NOWAIT", to="seat", quota="messages")(partial(wait, is_on=False))


@Command(
    "VOTE [for] {motion:motion} [{term:term}]",
    to="seat",
    quota="messages",
    hint=_HINT_OF_VOTE,
    seat_help="VOTE draw, VOTE undo | the moderator decides, if all players vote for it\n"
    "VOTE extend 2 days | moves the deadline, if all players vote for it\n"
    "VOTE pause until 2026-12-31 | stops the clock, if all players vote for it; VOTE pause, VOTE resume, too",
)
def vote(ask: Ask, motion: str, term: str = "") -> Reply:
    """Count a vote in the present position. If all players vote for the same, it happens, or the moderator decides."""
    (old, seat, game), club = ask.own, ask.club
    row = club.row(old.id)  # a command above may have changed it
    wanted = f"pause until {term}" if motion == "pause" and term else f"{motion} {term}".rstrip()
    if flaw := _vote_flaw(club, row, motion, term):
        return Reply(f"The club cannot count your vote for {wanted}: {flaw}.", is_done=False)
    if motion == "none":
        for known in _own_votes(ask):
            _cast(club, row, seat, known, "")
        return Reply("The club no longer counts your earlier votes.")
    voters = [one for one in club.seats(row) if game.players[Seat(one.seat)] != SIMULATED]
    if seat.seat not in [one.seat for one in voters]:
        return Reply("A simulated player has your seat, so your vote does not count.", is_done=False)
    mark = game.record.seal if motion in _BY_MODERATOR else game.position_hash
    _cast(club, row, seat, wanted, mark)
    said = f"The club has counted your vote for {wanted}. It counts until the game continues, or you write VOTE none."
    if not all(one.id == seat.id or one.votes.get(wanted) == mark for one in voters):
        return Reply(said)
    if motion in _BY_MODERATOR:
        words = f"all players vote for {motion}"
        raise_matter(club, "note", words, key=f"vote/{row.id}/{mark}/{motion}", game=row, advice="")
        return Reply(said)
    for one in voters:
        _cast(club, row, one, wanted, "")
    note_use(club, f"game/{row.id}", "vote", wanted)
    if motion == "extend":
        clock.extend(club, row, term, is_voted=True)
    elif motion == "pause":
        clock.pause(club, row, time_of(term, club.settings.time_zone) if term else 0, is_voted=True)
    else:
        clock.resume(club, row, f"The players have resumed {row.name}.")
    return Reply(f"All players have voted for {wanted}.")


def _vote_flaw(club: Club, row: GameRow, motion: str, term: str) -> str:
    """Return why the club cannot count a vote; empty if it can."""
    is_date, most = bool(re.match(r"\d{4}-", term)), club.settings.limits
    if row.is_over:
        return f"{row.name} is over"
    if (term and is_date != (motion == "pause")) or (bool(term) != (motion == "extend") and motion != "pause"):
        return f"please {_HINT_OF_VOTE}"
    try:
        if motion == "extend":
            require_positive(term)
            if duration(term) > duration(most.extension):
                return f"a vote can extend a deadline by at most {most.extension}"
            if not row.due:
                return f"{row.name} has no deadline"
        elif term and not club.now < time_of(term, club.settings.time_zone) <= club.now + most.days_ahead * DAY:
            return f"a pause ends after today, and within {most.days_ahead} days"
    except DeadlineError as error:
        return str(error)
    if motion == "pause" and row.paused:
        return "the game is already paused"
    if motion == "resume" and not row.paused:
        return "the game is not paused"
    if motion == "resume" and not row.is_voted:
        return "the moderator has paused the game. Please write MESSAGE to moderator: and your text"
    return ""


def _own_votes(ask: Ask) -> list[str]:
    """Return the motions for which the seat of ``ask`` has voted, and which still count."""
    row, seat, game = ask.own
    marks, votes = (game.record.seal, game.position_hash), ask.club.seat(row, seat.seat).votes
    return [motion for motion, mark in votes.items() if motion != _WAIT and mark in marks]


def _cast(club: Club, row: GameRow, seat: SeatRow, motion: str, mark: str) -> None:
    """Record the vote of ``seat`` for ``motion``, which counts as long as the game has this ``mark`` (empty: no longer).

    It replaces another one of this kind, such as for a longer extension.
    """
    kind, known = motion.partition(" ")[0], club.seat(row, seat.seat).votes
    votes = {one: at for one, at in known.items() if one.partition(" ")[0] != kind}
    club.db.update("seats", seat.id, votes={**votes, motion: mark} if mark else votes)
    club.db.update("games", row.id, changed=-1)


@Command(
    "RESIGN",
    to="seat",
    quota="messages",
    signs=".,!",
    seat_help="RESIGN | asks the moderator for another player in your place",
)
def resign(ask: Ask) -> Reply:
    """Ask the moderator for another player in the seat."""
    row, seat, _ = ask.own
    if seat.is_sitter:
        return Reply(holidays.stop_sitting(ask.club, seat))
    words = f"{seat.player} wants to resign"
    key, advice = f"resign/{seat.id}/{ask.key}", None if seats.stand_ins(ask.club, row, seat.seat) else _RESIGNS
    raise_matter(ask.club, "resign", words, key=key, game=row, seat=seat.seat, person=ask.person, advice=advice)
    if advice is None:
        return Reply("Somebody has asked for a seat in this game, and gets yours in a minute. Thank you for playing!")
    return Reply("The moderator gets your wish to resign. Please send orders until another player has your seat.")


Command("REGISTER {name:name}", to="club", quota="messages")(
    lambda ask, name: Reply(people.change_setting(ask.club, ask.person, "name", name))
)
Command(
    "SET {name:word} = {value:value}",
    to="club",
    quota="messages",
    club_help="SET name=Ann | changes your name in new games; SET format=text gives you mails without pages\n"
    "SET address=ann@example.org | changes your address, when you have confirmed it by a mail from there\n"
    "SET public=yes | lets public pages name you in your games; SET public=no ends this\n"
    "SET mail=digest | sends you all reports of a day in one mail; SET mail=late, each in place of a reminder;\n"
    " | SET mail=turn, each at once\n"
    "SET standin=yes | asks you when a seat of a game loses its player\n"
    "SET language=de | lets you write orders in German, too, in games that begin from a list",
)(lambda ask, name, value: Reply(people.change_setting(ask.club, ask.person, name, value)))
Command(
    "NEW {ruleset:word} [{wish:pairs}]",
    to="club",
    quota="messages",
    club_help="NEW great-race players=3 deadline=48h | asks the moderator for a list for a new game",
)(lambda ask, ruleset, wish=None: Reply(lists.propose(ask.club, ask.person, ruleset, wish or {}, ask.key)))


Command("HELP", to="seat club", quota="status", seat_help="HELP | sends this list")(
    lambda ask: Reply(help_text(ask.club.settings.people, is_for_seat=ask.game is not None))
)
