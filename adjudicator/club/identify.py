"""Find the seat to which a mail belongs, by its token, its sender's address, and the results of the club's mail server.

If possible, the header of the mail decides. The club searches only the text of a player's mail for a token, so the mail of
a stranger costs no work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from adjudicator import FileProblem
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.limits import DAY
from adjudicator.club.settings import SeatSettings
from adjudicator.club.tokens import Claim, claim_in, is_right, tokens_in_addresses
from adjudicator.core.values import Seat, Value, replace
from adjudicator.mail.envelope import Envelope, plain_domain

_MOST_FAILING: Final = frozenset({"fail", "softfail", "policy", "permerror"})
_PROVING: Final = {"dmarc": ("header.from",), "dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom",)}
"""The properties that name the domain which each method proves: the first one that the server has written counts."""
_DOUBTFUL: Final = "doubtful"
_MOST_TOKENS: Final = 5
"""The most tokens in addresses that the club tries for one mail; a usual mail has one."""

ReadLines = Callable[[], tuple[str, ...]]
"""Decodes the body of a mail, which takes time, and returns its lines."""


class Handling(StrEnum):
    """What the club does with a mail."""

    ANSWER = "answer"
    """It answers the mail as a mail of its seat."""
    HOLD = "hold"
    """It keeps the mail unread until the moderator decides."""
    IGNORE = "ignore"
    """It ignores the mail: an answer could start an endless exchange with a program."""


class Identification(Value, kw_only=True):
    """The seat to which a mail belongs (``game`` and ``seat`` are empty if it is unknown).

    ``why`` says why the club does not answer the mail. ``matter`` is the key under which the mail waits for the moderator
    (empty: the number of the mail). ``lacking`` are the seats whose player seems to have sent it without a right token.
    """

    handling: Handling
    game: str = ""
    seat: Seat = Seat("")
    why: str = ""
    matter: str = ""
    lacking: tuple[tuple[str, Seat], ...] = ()


def identify(club: ClubFolder, ledger: Ledger, envelope: Envelope, read_lines: ReadLines, at: int) -> Identification:
    """Return the seat to which the mail with this ``envelope`` belongs, received ``at`` (seconds since 1970).

    It calls ``read_lines`` only for a mail from a player's address, unless the sender may be forged. The ledger counts
    mails without a right token by the path on which they came. Raises ``FileProblem`` if the mail may belong to a game
    with unusable settings.
    """
    if envelope.robot:
        return Identification(handling=Handling.IGNORE, why=envelope.robot)
    unread: list[FileProblem] = []
    own = seats_of(club, envelope.address, unread)
    unproven = why_unproven(club.settings.trust.authserv_id, envelope) if own else ""
    wrong: list[Claim] = []
    for claim in _claims(club, envelope, read_lines if own and not unproven else tuple):
        settings = club.settings_of(claim.game).seats.get(claim.seat) if claim.game in club.games else None
        if settings is not None and is_right(claim, settings.token):
            found = _by_token(club, claim, settings, envelope.address, unproven)
            return found if found.handling is Handling.ANSWER or unproven else replace(found, lacking=tuple(own))
        wrong.append(claim)
    if unread and not own:
        raise unread[0]
    found = _without_token(club, envelope, own, unproven, has_wrong=bool(wrong))
    return found if found.handling is Handling.ANSWER else _counted(club, ledger, found, envelope.path, at)


def seats_of(club: ClubFolder, address: str, unread: list[FileProblem]) -> list[tuple[str, Seat]]:
    """Return the games and seats whose player writes from ``address``.

    The problem of each unreadable `game.toml` is added to ``unread``.
    """
    return [(game, seat) for game, seat, settings in _seats(club, unread) if _has_address(settings, address)]


def _claims(club: ClubFolder, envelope: Envelope, read_lines: ReadLines) -> Iterator[Claim]:
    """Yield the claims of the mail: in its subject, in the addresses of its recipients, and last in its body."""
    in_subject = claim_in(envelope.subject)
    if in_subject is not None:
        yield in_subject
    for token in islice(dict.fromkeys(tokens_in_addresses(envelope.recipients, club.settings.address)), _MOST_TOKENS):
        claims = (Claim(game, seat, token) for game, seat, _ in _seats(club))
        yield next((claim for claim in claims if _is_held(club, claim)), Claim("", "", token))
    in_body = claim_in("", read_lines())
    if in_body is not None:
        yield in_body


def _is_held(club: ClubFolder, claim: Claim) -> bool:
    return is_right(claim, club.settings_of(claim.game).seats[claim.seat].token)


def _by_token(club: ClubFolder, claim: Claim, settings: SeatSettings, address: str, unproven: str) -> Identification:
    """Return whether a mail with the right token belongs to the seat: its address must be the seat's, and proven."""
    game, seat = claim.game, Seat(claim.seat)
    who = club.player_of(game, seat)
    if not address:
        why = f"it has the token of {who}, but its From field does not have exactly one address"
    elif not _has_address(settings, address):
        why = f"it has the token of {who}, but comes from another address: {address}"
    else:
        why = unproven
    return Identification(handling=Handling.HOLD if why else Handling.ANSWER, game=game, seat=seat, why=why)


def _without_token(
    club: ClubFolder, envelope: Envelope, own: list[tuple[str, Seat]], unproven: str, *, has_wrong: bool
) -> Identification:
    """Return the seat of a mail without a right token: the only seat of its address, if the club trusts addresses."""
    game, seat = own[0] if len(own) == 1 else ("", Seat(""))
    if not envelope.address:
        why = "its From field does not have exactly one address"
    elif has_wrong:
        why = "its token is not one of this club"
    elif not own:
        why = "its address is unknown"
    elif unproven:
        why = unproven
    elif len(own) > 1:
        why = f"it has no token, and its address has several seats: {_listed(club, own)}"
    elif club.settings.trust.token == "address":
        return Identification(handling=Handling.ANSWER, game=game, seat=seat)
    else:
        why = f"it lacks the token of {club.player_of(game, seat)}"
    lacking = () if unproven else tuple(own)
    return Identification(handling=Handling.HOLD, game=game, seat=seat, why=why, lacking=lacking)


def _counted(club: ClubFolder, ledger: Ledger, found: Identification, path: str, at: int) -> Identification:
    """Return ``found``; if too many mails without a right token came on one path, with a matter that they share.

    The club keeps all of them: a player may use the same path.
    """
    who, most = f"path/{path}", club.settings.trust.guesses
    if ledger.uses(who, _DOUBTFUL, at - DAY) < most:
        ledger.record_use(who, _DOUBTFUL, at)
        return found
    why = f"more than {most} mails without a right token came from {path or 'an unknown server'} within 24 hours"
    return replace(found, why=why, matter=f"{who}/{at // DAY}")


def _seats(club: ClubFolder, unread: list[FileProblem] | None = None) -> Iterator[tuple[str, Seat, SeatSettings]]:
    """Yield every game, seat and its settings; add the problem of each unreadable `game.toml` to ``unread``."""
    for game in club.games:
        try:
            seats = club.settings_of(game).seats
        except FileProblem as problem:
            if unread is not None:
                unread.append(problem)
            continue
        for seat, settings in seats.items():
            yield game, Seat(seat), settings


def _has_address(settings: SeatSettings, address: str) -> bool:
    return address in map(str.casefold, settings.addresses)


def _listed(club: ClubFolder, own: Iterable[tuple[str, Seat]]) -> str:
    return ", ".join(f"{game}: {club.player_of(game, seat)}" for game, seat in own)


def why_unproven(authserv_id: str, envelope: Envelope) -> str:
    """Return why the club's mail server does not prove the sender of a mail; empty if it does, or if no proof is needed."""
    if not authserv_id:
        return ""
    domain = envelope.address.rpartition("@")[2]
    failed: list[str] = []
    others: list[str] = []
    proven: set[str] = set()
    for method, result, name in _results(authserv_id, envelope.results):
        is_above = method != "dmarc" and "." in name and domain.endswith(f".{name}")
        if result in _MOST_FAILING:
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


def _results(authserv_id: str, values: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield method, result and domain of each check by the club's own mail server."""
    import authres

    for value in values:
        if not value.strip().casefold().startswith(authserv_id.casefold()):
            continue
        try:
            header = authres.AuthenticationResultsHeader.parse_value(value)
        except Exception:  # the sender of a mail can write anything into such a field
            continue
        if str(header.authserv_id or "").casefold() == authserv_id.casefold():
            for one in header.results:
                method = str(one.method).lower()
                yield method, str(one.result).lower(), _domain(one, _PROVING.get(method, ()))


def _domain(result: Any, names: tuple[str, ...]) -> str:
    """Return the domain that a result proves, empty if it names none."""
    said = {f"{one.type}.{one.name}".lower(): str(one.value) for one in result.properties}
    found = next((said[name] for name in names if said.get(name)), "")
    return plain_domain(found.rpartition("@")[2].strip("<> "))
