"""The mails of the club: who wrote each, its states, and the steps in which it is answered, in the order of arrival.

A token, the address of the sender, the results of the club's mail server, or a session show who wrote a mail. If possible,
its head decides: the body is decoded only if the head names a player, or if people can join the club, and never if the
sender may be forged.

A mail on which the program fails is held with its cause, and the others go on. After another failure, it keeps its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any, Final, Literal

from adjudicator.club import (
    ClubError,
    requests,  # noqa: F401 - it fills the table of commands
)
from adjudicator.club.clock import LONGEST_GAP
from adjudicator.club.club import WEB, Club, GameRow, MailRow, Person, SeatRow
from adjudicator.club.commands import Ask, Quota, carry_out, help_text, read
from adjudicator.club.counting import answer, read_orders
from adjudicator.club.db import Failure, Kind, contain
from adjudicator.club.holidays import answer_as_sitter
from adjudicator.club.letters import (
    CLUB,
    MEMBER,
    Claim,
    LetterRow,
    claim_in,
    content_of,
    is_right,
    token_line,
    tokens_in_addresses,
    write,
)
from adjudicator.club.lists import confirm_by, welcome_member
from adjudicator.club.matters import DAY, game_failed, note_use, raise_matter, uses
from adjudicator.club.people import Confirmation, ask_to_register, confirmation_of, is_reachable, member_of, register
from adjudicator.club.people import move as move_person
from adjudicator.club.post import note_bounce
from adjudicator.core.values import MODERATOR, Seat, Value, digest, replace
from adjudicator.library.texts import own_lines
from adjudicator.mail import MOST_TEXT, MailError, mail_hash
from adjudicator.mail.envelope import Envelope, envelope_of, plain_domain
from adjudicator.mail.mailbox import NewMail
from adjudicator.mail.message import lean, read_mail

MOVES: Final = {
    "new": frozenset({"ignored", "held", "answered", "waiting"}),
    "held": frozenset({"new", "ignored"}),
    "waiting": frozenset({"taken", "answered", "ignored"}),
}
"""The states to which a mail can go from each state.

* new: it came, or the moderator has accepted it; it keeps its place while its game cannot be opened.
* ignored: a program or a stranger wrote it, or the moderator has settled it. held: the moderator must decide, see ``why``.
* answered: it has no orders for this turn or a later one. waiting: it has, or a mistake where some may be meant.
* taken: the game has its receipt. A waiting mail whose turn is over without one, or whose seat has another player, is
  answered.
"""
_LONGEST_ADDRESS: Final = 200
_LAST: Final = "This is the last answer to you today. Please write again tomorrow."
_PATIENCE, _PATIENCE_ON_PAGES = 10.0, 2.0
"""Seconds to wait for a game at which another process is at work; a page says meanwhile that a round will answer."""
_LATER: Final = "The club has your text, and is at work just now: it answers in a minute. You need not send it again."
_HELD: Final = "The program has failed on this text. The club has kept it, and the moderator will look at it."
_NOTHING: Final = "Your mail has no command of this club."
_FAILURES: Final = frozenset({"fail", "softfail", "policy", "permerror"})
_PROVING: Final = {"dmarc": ("header.from",), "dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom",)}
"""The properties that name the domain which each method proves: the first one that the server has written counts."""
_MOST_TOKENS: Final = 5
"""The most tokens in addresses that the club tries for one mail; a usual mail has one."""
_ASKING: Final = frozenset({"GAMES", "JOIN", "NEW", "REGISTER", "STANDIN", "WHO"})
"""The commands by which a stranger asks to join."""
ReadLines = Callable[[], tuple[str, ...]]
"""Decodes the body of a mail, which takes time, and returns its lines."""


class Writer(Value, kw_only=True):
    """Who wrote a mail, as far as it is proven.

    ``kind``: a `program`, which gets no answer; a `stranger` who asks to join; a `member`, perhaps one who has just
    ``answered`` a letter; the `player` of ``seat`` in ``game``; or in `doubt`. ``why`` says why the club does not read the
    mail, ``group`` under which key mails from one path wait together, and ``lacking`` are the seats whose player seems to
    have sent it without a right token.
    """

    kind: Literal["program", "doubt", "stranger", "member", "player"]
    person: Person | None = None
    answered: Confirmation | None = None
    game: GameRow | None = None
    seat: SeatRow | None = None
    why: str = ""
    group: str = ""
    lacking: tuple[SeatRow, ...] = ()

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of a mail that say who wrote it."""
        seat = self.seat.seat if self.seat else ""
        return {"person": self.person and self.person.id, "game": self.game and self.game.id, "seat": seat}


def writer_on_page(club: Club, mail: MailRow) -> Writer:
    """Return who has written an input on a page: the session has proven the person, but the seat may be another's now."""
    person = club.db.first(Person, "select * from people where id = ?", mail.person)
    if mail.game is None:
        return Writer(kind="member", person=person) if person else Writer(kind="program", why="the person has left the club")
    row = club.row(mail.game)
    seat = club.seat(row, mail.seat)
    held = next((one for one in club.seats_of(person.id) if one.id == seat.id), None) if person else None
    if row.removed or held is None:
        return Writer(kind="program", why="its seat has another player now")
    return Writer(kind="player", person=person, game=row, seat=held)


def identify(club: Club, mail: MailRow, envelope: Envelope, read_lines: ReadLines) -> Writer:
    """Return the writer of the ``mail`` with this ``envelope``. The moderator has accepted one that has a seat already.

    The log counts mails without a right token by the path on which they came.
    """
    if mail.source == WEB:
        return writer_on_page(club, mail)
    accepted = club.row(mail.game) if mail.game is not None and mail.seat else None
    if accepted is not None and not accepted.removed:
        held = club.seat(accepted, mail.seat)
        return Writer(kind="player", person=club.person(held.person), game=accepted, seat=held)
    if envelope.robot:
        return Writer(kind="program", why=envelope.robot)
    settings, address = club.settings, envelope.address
    # The lower case of another letter may be ASCII.
    person = club.person_at(address) if address and address.isascii() else None
    seats = club.seats_of(person.id) if person is not None else []
    own = sorted(((club.row(seat.game), seat) for seat in seats), key=lambda one: one[0].name)
    lacking = tuple(seat for _, seat in own)
    unproven = why_unproven(settings.trust.authserv_id, envelope)
    in_subject = claim_in(envelope.subject)
    tokens = tuple(islice(dict.fromkeys(tokens_in_addresses(envelope.recipients, settings.address)), _MOST_TOKENS))
    is_for_game = bool(tokens) or (in_subject is not None and not _is_for_club(in_subject))
    is_open = settings.people.join and not (is_for_game or unproven) and is_reachable(club, address)
    if is_open:
        claim = in_subject or claim_in("", read_lines())
        if claim is not None and _is_for_club(claim):
            if person is not None and person.joined and is_right(claim, person.token):
                return Writer(kind="member", person=person)
            if (answered := confirmation_of(club, address, claim)) is not None:
                return Writer(kind="member", person=person, answered=answered)
        elif claim is None and not own:  # a player who forgot the token gets the letter about it
            if person is not None and person.joined and settings.trust.token == "address":
                return Writer(kind="member", person=person)
            if any(one.command.name in _ASKING and not one.hint for one in read(read_lines()).asks):
                return Writer(kind="stranger")
    unproven, has_wrong = unproven if own else "", False
    for claim in _claims(club, in_subject, tokens, read_lines if own and not unproven else tuple):
        try:
            row = club.row(claim.game)
            seat = club.seat(row, claim.seat)
        except ClubError:
            seat = None
        if seat is None or not is_right(claim, seat.token):
            has_wrong = True
            continue
        mine = next((one for _, one in own if one.id == seat.id), None)
        if not address:
            why = f"it has the token of {seat.player}, but its From field does not have exactly one address"
        elif mine is None:
            why = f"it has the token of {seat.player}, but comes from another address: {address}"
        elif not unproven:
            return Writer(kind="player", person=person, game=row, seat=mine)
        else:
            why = unproven
        return Writer(kind="doubt", game=row, seat=seat, why=why, lacking=() if unproven else lacking)
    if not address:
        why = "its From field does not have exactly one address"
    elif has_wrong:
        why = "its token is not one of this club"
    elif not own:
        why = "its address is unknown"
    elif unproven:
        why = unproven
    elif len(own) > 1:
        names = ", ".join(f"{row.name}: {seat.player}" for row, seat in own)
        why = f"it has no token, and its address has several seats: {names}"
    elif settings.trust.token == "address":
        return Writer(kind="player", person=person, game=own[0][0], seat=own[0][1])
    else:
        why = f"it lacks the token of {own[0][1].player}"
    # The club keeps all mails without a right token: a player may use the same path as a program that guesses tokens.
    who, most, group = f"path/{envelope.path}", settings.trust.guesses, ""
    if uses(club, who, "doubtful") < most:
        note_use(club, who, "doubtful")
    else:
        why = (
            f"more than {most} mails without a right token came from {envelope.path or 'an unknown server'} within 24 hours"
        )
        group = f"{who}/{mail.received // DAY}"
    game, only = own[0] if len(own) == 1 else (None, None)
    return Writer(kind="doubt", game=game, seat=only, why=why, group=group, lacking=() if unproven else lacking)


def _is_for_club(claim: Claim) -> bool:
    return (claim.game, claim.seat) == (CLUB, MEMBER)


def _claims(club: Club, in_subject: Claim | None, tokens: Iterable[str], read_lines: ReadLines) -> Iterator[Claim]:
    """Yield the claims of a mail: in its subject, in the addresses of its recipients (``tokens``), and last in its body."""
    if in_subject is not None:
        yield in_subject
    query = (
        "select games.name as game, seats.seat, seats.token from seats join games on games.id = seats.game"
        " where seats.token = ? and seats.until = 0 and games.removed = 0"
    )
    for token in tokens:
        yield club.db.first(Claim, query, token) or Claim("", "", token)
    in_body = claim_in("", read_lines())
    if in_body is not None:
        yield in_body


def why_unproven(authserv_id: str, envelope: Envelope) -> str:
    """Return why the club's mail server does not prove the sender of a mail; empty if it does, or if no proof is needed."""
    if not authserv_id:
        return ""
    domain = envelope.address.rpartition("@")[2]
    failed, others, proven = list[str](), list[str](), set[str]()
    for method, result, name in results_of(authserv_id, envelope.results):
        is_above = method != "dmarc" and "." in name and domain.endswith(f".{name}")
        if result in _FAILURES:
            failed.append(f"{method}={result}")
        elif result == "pass" and name and (domain == name or is_above):
            proven.add(method)
        elif result == "pass" and name:
            others.append(f"{method}=pass is for {name}")
    if "dmarc" in proven:
        return ""
    if failed:
        return f"its sender may be forged: {', '.join(sorted(failed))}"
    if proven:
        return ""
    return "; ".join([f"its sender is not proven: the mail server found neither DKIM nor SPF of {domain}", *others])


def results_of(authserv_id: str, values: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield method, result and proven domain (empty: none) of each check by the mail server with this name."""
    import authres

    for value in values:
        if not value.strip().casefold().startswith(authserv_id.casefold()):
            continue
        try:
            header = authres.AuthenticationResultsHeader.parse_value(value)
        except Exception:  # the sender of a mail can write anything into such a field
            continue
        for one in header.results if str(header.authserv_id or "").casefold() == authserv_id.casefold() else ():
            method = str(one.method).lower()
            said = {f"{prop.type}.{prop.name}".lower(): str(prop.value) for prop in one.properties}
            found = next((said[name] for name in _PROVING.get(method, ()) if said.get(name)), "")
            yield method, str(one.result).lower(), plain_domain(found.rpartition("@")[2].strip("<> "))


def ask_for_token(club: Club, mail: MailRow, seats: Sequence[SeatRow], thread: tuple[str, ...]) -> None:
    """Write to the player of ``seats`` how to send ``mail`` again, for each seat at most once within 24 hours.

    One letter has the lines of all. The sender of a mail can be forged: the letter goes to the address that the club knows.
    """
    running = [seat for seat in seats if not club.row(seat.game).is_over] or seats[:1]
    new = [seat for seat in running if not uses(club, f"seat/{seat.game}/{seat.seat}", "token")]
    for seat in new:
        note_use(club, f"seat/{seat.game}/{seat.seat}", "token")
    if not new:
        return
    rows = {seat.id: club.row(seat.game) for seat in new}
    lines = "\n".join(f"    {token_line(rows[seat.id].name, seat.seat, seat.token)}" for seat in new)
    key, when, seat = f"token/{mail.identity}/{new[0].id}", club.moment(mail.received), new[0]
    if len(new) == 1:
        write(club, "token", seat, key, game=rows[seat.id], thread=thread, when=when, lines=lines)
    else:  # with the token of one game in the subject, an answer would belong to that game
        write(club, "tokens", seat.address, key, thread=thread, when=when, lines=lines)


@dataclass
class Backlog:
    """The games that are ``stuck``, by number (0: mails of no game): their mails stay new, in their order.

    ``troubles`` say why, ``done`` has a line for each mail that the club handled, ``writer`` is that of the mail at work,
    whose game ``is_opening``.
    """

    stuck: set[int] = field(default_factory=set)
    troubles: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    writer: Writer = field(default_factory=lambda: Writer(kind="doubt"))
    is_opening: bool = False


def move(club: Club, mail: MailRow, state: str, **columns: Any) -> None:
    """Give ``mail`` another ``state`` and other values in ``columns``. Raises ``ValueError`` if `MOVES` lacks it."""
    if state not in MOVES.get(mail.state, ()):
        raise ValueError(f"a mail that is {mail.state} cannot become {state}")
    club.db.update("mails", mail.id, state=state, **columns)


def keep(club: Club, found: NewMail) -> bool:
    """Store a mail in the ledger; return whether it is new and not a copy of a stored one.

    A large mail is stored without its attachments. If the clock went back since the sender's last mail, this one counts as
    received at the same time, after it.
    """
    address, identity, data = "", digest(found.data), found.data[:MOST_TEXT]
    with contain(lambda _failure: None):  # the club reports a failure when it answers the mail
        envelope = envelope_of(found.data)
        address, identity = envelope.address[:_LONGEST_ADDRESS], envelope.identity
        data = data if envelope.robot else lean(found.data)  # a report of a mail server has the letter as an attachment
    with club.db.transaction():
        number = club.db.insert(
            "mails",
            unless="identity",
            identity=identity,
            hash=mail_hash(found.data),
            received=max(found.received, _latest(club, address)),
            fetched=club.now,
            address=address,
            data=data,
        )
    return bool(number)


def _latest(club: Club, address: str) -> int:
    """Return when the last mail from ``address`` came, if that is after the present time: the clock went back."""
    query = "select max(received) from mails where address = ? and received > ? and received <= ?"
    return club.db.value(query, address, club.now, club.now + LONGEST_GAP) or 0


def keep_input(club: Club, person: Person, text: str, key: str, seat: SeatRow | None = None, turn: int = 0) -> int:
    """Store what a ``person`` writes on a page, for ``seat`` or (none) to the club; return its number.

    It becomes a mail with the source `web`: what counts of mails counts of it. The last text of a ``key`` again is the one
    that is stored; an earlier one, from a page to which a browser went back, is another mail. The orders in it are for a
    ``turn`` (0: the one at which the game is then), which the line above them names.
    """
    row, of_seat = (club.row(seat.game), f"{seat.game}/{seat.seat}") if seat else (None, "")
    of_key = digest(f"web/{person.id}/{of_seat}/{turn}/{key}".encode())[:32]
    with club.db.transaction(is_repeatable=True):  # the transaction with the answer waits for the disk
        count = club.db.value("select count(*) from mails where identity between ? and ?", of_key, f"{of_key}~")
        last, identity = (
            of_key + digest(f"{number}/{text}".encode("utf-8", "replace"))[:32] for number in (count, count + 1)
        )
        if stored := club.db.value("select id from mails where identity = ?", last):
            return int(stored)
        # The same text again is another mail, not a copy: the subject says so.
        head = f"From: {person.address}\nSubject: {identity}\nContent-Type: text/plain; charset=utf-8\n"
        body = f"{f'turn {turn}' if turn else ''}\n{text}\n"
        data = f"{head}Content-Transfer-Encoding: 8bit\n\n{body}".encode("utf-8", "replace")
        return club.db.insert(
            "mails",
            identity=identity,
            hash=mail_hash(data),
            source=WEB,
            received=max(club.now, _latest(club, person.address)),
            fetched=club.now,
            address=person.address,
            person=person.id,
            game=row.id if row else None,
            seat=seat.seat if seat else "",
            data=data,
        )


def answer_all(club: Club) -> Backlog:
    """Answer every new mail; return which of them stay new, and why."""
    at = Backlog()
    for number in club.db.all(int, "select id from mails where state = 'new' order by received, id"):
        _answer(club, number, at)  # one by one: they may be large
    return at


def answer_one(club: Club, number: int) -> tuple[str, str, str]:
    """Answer the input with this ``number`` from a page, unless that was done; return its state, a subject and the answer.

    If the mail stays new, a round will answer it.
    """
    _answer(club, number, Backlog())
    with club.db.transaction():  # before the person is told that the club has it, the disk has it
        club.db.run("update mails set id = id where id = ? and state = 'new'", number)
    query = "select * from letters where key in (?, ?) order by id"
    mail = club.db.all(MailRow, "select * from mails where id = ?", number)[0]
    letters = club.db.all(LetterRow, query, f"receipt/{mail.identity}", f"answer/{mail.identity}")
    subjects = [letter.subject.partition("] ")[2].rpartition(": ")[2] for letter in letters]
    said = "\n".join(content_of(letter).text for letter in letters)
    none = {"new": _LATER, "held": _HELD, "ignored": f"The club has not taken this: {mail.why}."}
    return mail.state, next(iter(subjects), ""), said or none.get(mail.state, "")


def waiting_mails(club: Club, row: GameRow, seat: str) -> list[MailRow]:
    """Return the mails of a seat that wait, in their order."""
    query = "select * from mails where state = 'waiting' and game = ? and seat = ? order by received, id"
    return club.db.all(MailRow, query, row.id, seat)


def _answer(club: Club, number: int, at: Backlog) -> None:
    """Answer a new mail; hold one on which the program fails for the moderator, and tell them, and the player if known."""
    at.writer, at.is_opening = Writer(kind="doubt"), False

    def fail(failure: Failure) -> None:
        writer, row, seat = at.writer, at.writer.game, at.writer.seat
        at.troubles.append(f"{row.name if row else 'mail'}: {failure.cause}")
        if failure.kind is not Kind.FAULT or at.is_opening:
            at.stuck.add(row.id if row else 0)
            if row is not None:
                game_failed(club, row, failure)
            return
        words = f"mail from {mail.address or 'an unknown address'}: the program failed on it: {failure.cause}"
        with club.db.transaction():
            _hold(club, mail, writer, failure.cause, words)
            if writer.kind == "player" and row is not None and seat is not None:
                with contain(lambda _failure: None):
                    write(club, "unread", seat, f"aside/{mail.identity}", game=row, when=club.moment(mail.received))
                key, about = f"aside/{mail.id}/{club.now}", club.person(seat.person)
                write(club, "failed-mail", MODERATOR, key, game=row, about=about, seat=seat.seat, words=words)
            else:  # strangers can send any number of such mails: the moderator gets one letter a day about them
                write(club, "failed-mails", MODERATOR, f"aside/{club.now // DAY}", words=words)

    for mail in club.db.all(MailRow, "select * from mails where id = ? and state = 'new'", number):
        with contain(fail):
            at.done += filter(None, [_handle(club, mail, at)])


def _handle(club: Club, mail: MailRow, at: Backlog) -> str:
    """Answer one mail, step by step; return what was done, empty if it stays new or another process has answered it."""
    is_new = "select count(*) from mails where id = ? and state = 'new'"
    with club.db.transaction():
        if not club.db.value(is_new, mail.id):
            return ""
        envelope = envelope_of(mail.data)

        @cache
        def read_lines() -> tuple[str, ...]:
            try:
                return read_mail(mail.data).lines
            except MailError:
                return ()

        at.writer = identify(club, mail, envelope, read_lines)
        writer, sender = at.writer, mail.address or "an unclear sender"
        if envelope.is_bounce:
            note_bounce(club, mail.data)
        if writer.kind == "program":
            move(club, mail, "ignored", why=writer.why)
            return f"a mail from {sender} was sent by a program: {writer.why}"
        if writer.kind == "doubt":
            _hold(club, mail, writer, writer.why, f"mail from {sender}: {writer.why}", writer.group)
            ask_for_token(club, mail, writer.lacking, envelope.references)
            return f"a mail from {sender} waits for you: {writer.why}"
        if writer.kind == "stranger":
            why = ask_to_register(club, envelope)
            move(club, mail, "ignored", why=why)
            return f"a mail from {envelope.address}: {why}"
        if writer.kind == "member":
            return _answer_member(club, mail, writer, envelope, read_lines())
    person, row, seat = writer.person, writer.game, writer.seat
    assert person is not None
    assert row is not None
    assert seat is not None
    if row.id in at.stuck:  # its lock or file would fail again, and the mails keep their order
        return ""
    with club.game_locked(row, _PATIENCE_ON_PAGES if mail.source == WEB else _PATIENCE):
        at.is_opening = True
        game = club.game(row)
        at.is_opening = False
        with club.db.transaction():
            if not club.db.value(is_new, mail.id):
                return ""
            if mail.source == WEB and (writer := writer_on_page(club, mail)).seat is None:  # since the lock is free
                move(club, mail, "ignored", why=writer.why)
                return f"{row.name}: an input for {seat.seat} was ignored: {writer.why}"
            own = replace(mail, **writer.columns)
            quota = Quota(club, f"seat/{row.id}/{seat.seat}")
            ask = Ask(club, person, own, envelope.references, club.row(row.id), seat, game)
            waiting = waiting_mails(club, row, seat.seat)
            submission, found = read_orders(game, own, Seat(seat.seat))
            replies = carry_out(found.asks, ask, quota)
            ask = ask._replace(row=club.row(row.id))  # a vote may have moved the deadline
            answered = answer(ask, submission, found, replies, quota, waiting)
            of_members = [
                one for one, reply in zip(found.asks, replies, strict=True) if "seat" not in one.command.to and reply.is_done
            ]
            if of_members:
                member = member_of(club, seat)
                more = carry_out(of_members, Ask(club, member, mail, envelope.references), None)
                _write_answer(club, mail, member.id, [reply.text for reply in more], envelope)
            if answered.text:
                key, thread, how = f"receipt/{mail.identity}", envelope.references, answered.subject
                is_shown = mail.source == WEB
                write(club, "receipt", seat, key, game=row, thread=thread, is_shown=is_shown, how=how, text=answered.text)
            move(club, mail, answered.state, why=answered.why, **writer.columns)
            club.db.update("seats", seat.id, is_ready=answered.is_ready)
            club.db.update("games", row.id, changed=-1)
    return f"{row.name}: the mail of {seat.seat} from {mail.address} was answered"


def _answer_member(club: Club, mail: MailRow, writer: Writer, envelope: Envelope, lines: tuple[str, ...]) -> str:
    """Register the member or take the new address, carry out the commands, and queue the answer; return what was done."""
    found, person, texts, answered = read(lines), writer.person, list[str](), writer.answered
    asks, is_new = list(found.asks), answered is not None and answered.kind == "register"
    if answered is not None and is_new:
        wanted = next((one.values["name"] for one in asks if one.command.name == "REGISTER"), "")
        person = register(club, answered, wanted)
        welcome_member(club, person)
        asks = [one for one in asks if not (one.command.name == "REGISTER" and one.values["name"] == person.name)]
    elif answered is not None:
        person = move_person(club, answered)
        texts.append(f"The club now writes to {envelope.address}.")
    assert person is not None
    quota = Quota(club, f"person/{person.id}")
    replies = carry_out(asks, Ask(club, person, mail, envelope.references), quota)
    texts += confirm_by(club, person, envelope.references)  # after LEAVE, there is nothing to confirm
    texts += answer_as_sitter(club, person, envelope.references, own_lines(found.rest))
    texts += [reply.text for reply in replies]
    is_web = mail.source == WEB
    if not texts and not is_new and (is_web or not quota.is_repeated(found.rest, is_remark=True)):
        texts = [_NOTHING, help_text(club.settings.people, is_for_seat=False)]
    if texts and (is_web or quota.take("receipts")):
        texts += [] if is_web or quota.left("receipts") else [_LAST]
        _write_answer(club, mail, person.id, texts, envelope)
    move(club, mail, "answered", person=person.id)
    return f"the mail of {person.name} from {envelope.address} was answered"


def _write_answer(club: Club, mail: MailRow, person: int, texts: list[str], envelope: Envelope) -> None:
    key, to, text, is_shown = f"answer/{mail.identity}", club.person(person), "\n\n".join(texts) + "\n", mail.source == WEB
    write(club, "answer", to, key, thread=envelope.references, is_shown=is_shown, text=text)


def _hold(club: Club, mail: MailRow, writer: Writer, why: str, words: str, group: str = "") -> None:
    """Let ``mail`` wait under a matter with these ``words``: its own one, or that of the ``group``."""
    key = group or f"mail/{mail.id}"
    matter = raise_matter(club, "mail", words, key=key, game=writer.game)
    matter = matter or club.db.value("select id from matters where key = ?", key)
    move(club, mail, "held", why=why, matter=matter, **writer.columns)
