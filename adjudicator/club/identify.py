"""Find who wrote a mail: by its token, its sender's address, and the results of the club's mail server, or by a session.

If possible, the head of the mail decides: the body is decoded only if the head names a player, or if people can join the
club, and never if the sender may be forged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, Literal

from adjudicator.club import ClubError
from adjudicator.club.club import WEB, Club, GameRow, MailRow, Person, SeatRow
from adjudicator.club.commands import read
from adjudicator.club.letters import MEMBER, write
from adjudicator.club.matters import DAY, note_use, uses
from adjudicator.club.people import Confirmation, confirmation_of, is_reachable
from adjudicator.club.tokens import CLUB, Claim, claim_in, is_right, token_line, tokens_in_addresses
from adjudicator.core.values import Value
from adjudicator.mail.envelope import Envelope, plain_domain

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
