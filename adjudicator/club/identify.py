"""Whose a mail is: by the token in it, the address it comes from, and what the own server has found out about that."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.tokens import claim_in, is_right
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.mail.envelope import Envelope
from adjudicator.store.errors import FileProblem

_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR
_MOST_FAILING: Final = frozenset({"fail", "softfail", "policy", "permerror"})


class Standing(StrEnum):
    """What is to be done with a mail."""

    OWN = "own"
    """It is its seat's."""
    HELD = "held"
    """The moderator is to look at it."""
    PASSED_OVER = "passed over"
    """Nobody needs to look at it, and nobody may answer it."""


@frozen(kw_only=True)
class Identified:
    """Whose a mail is (``game`` and ``seat``, empty if it is not known), and if it is not to be read, ``why``."""

    standing: Standing
    game: str = ""
    seat: Seat = Seat("")
    why: str = ""


def identified(club: ClubFolder, ledger: Ledger, envelope: Envelope, lines: tuple[str, ...], at: int) -> Identified:
    """Return whose the mail with this ``envelope`` and these ``lines`` is, received ``at`` (seconds since 1970).

    A wrong token is noted in the ledger.
    """
    if envelope.robot:
        return Identified(standing=Standing.PASSED_OVER, why=envelope.robot)
    is_guessing = ledger.guesses(envelope.address, at - _DAY) >= club.settings.trust.guesses
    found = _by_token(club, ledger, envelope, lines, at)
    if found is None:
        found = _by_address(club, envelope)
    if is_guessing:
        return _doubted(found)
    if found.standing is Standing.OWN:
        why = _unproven(club.settings.trust.authserv_id, envelope.results)
        if why:
            return Identified(standing=Standing.HELD, game=found.game, seat=found.seat, why=why)
    return found


def _doubted(found: Identified) -> Identified:
    """Return what becomes of a mail from whose address many wrong tokens have come: if not lucky, it may be the player's."""
    why = "its address has sent too many wrong tokens"
    if found.standing is not Standing.OWN:
        return Identified(standing=Standing.PASSED_OVER, why=why)
    return Identified(standing=Standing.HELD, game=found.game, seat=found.seat, why=f"{why}; this one has the right one")


def _by_token(club: ClubFolder, ledger: Ledger, envelope: Envelope, lines: tuple[str, ...], at: int) -> Identified | None:
    claim = claim_in(envelope.subject, lines)
    if claim is None:
        return None
    settings = club.settings_of(claim.game).seats.get(claim.seat) if claim.game in club.games else None
    if settings is None or not is_right(claim, settings.token):
        ledger.guessed(envelope.address, at)
        return Identified(standing=Standing.HELD, why="its token is none of this club's")
    game, seat = claim.game, Seat(claim.seat)
    if envelope.address not in map(str.casefold, settings.addresses):
        why = f"it has the token of {seat}, but comes from an address that is not {seat}'s: {envelope.address}"
        return Identified(standing=Standing.HELD, game=game, seat=seat, why=why)
    return Identified(standing=Standing.OWN, game=game, seat=seat)


def _by_address(club: ClubFolder, envelope: Envelope) -> Identified:
    own = list(_playing(club, envelope.address))
    if not own:
        return Identified(standing=Standing.HELD, why="its address is no player's")
    if len(own) > 1:
        why = f"its address plays in several games, and it does not say which one is meant: {_listed(own)}"
        return Identified(standing=Standing.HELD, why=why)
    game, seat = own[0]
    if club.settings.trust.token == "required":
        return Identified(standing=Standing.HELD, game=game, seat=seat, why=f"it lacks the token of {seat}")
    return Identified(standing=Standing.OWN, game=game, seat=seat)


def _playing(club: ClubFolder, address: str) -> Iterable[tuple[str, Seat]]:
    try:
        return list(club.seats_at(address))
    except FileProblem:  # the settings of some game are broken: that is told of the game, not of each mail
        return []


def _listed(own: Iterable[tuple[str, Seat]]) -> str:
    return ", ".join(f"{game} ({seat})" for game, seat in own)


def _unproven(authserv_id: str, results: Iterable[str]) -> str:
    """Return why nothing proves the sender of a mail: what the own server says of it. Empty if that is not asked for."""
    if not authserv_id:
        return ""
    methods = _methods(authserv_id, results)
    if methods.get("dmarc") == "pass":
        return ""
    failed = [f"{method}={result}" for method, result in sorted(methods.items()) if result in _MOST_FAILING]
    if failed:
        return f"its sender may be forged: {', '.join(failed)}"
    if "pass" in (methods.get("dkim"), methods.get("spf")):
        return ""
    return "nothing proves its sender: the mail server has neither DKIM nor SPF of it"


def _methods(authserv_id: str, results: Iterable[str]) -> dict[str, str]:
    """Return what the own server says of each method; fields of others, which anybody can write, are passed over."""
    import authres

    found: dict[str, str] = {}
    for value in results:
        try:
            header = authres.AuthenticationResultsHeader.parse_value(value)
        except Exception:  # whoever writes such a field may write anything
            continue
        if str(header.authserv_id or "").casefold() != authserv_id.casefold():
            continue
        for one in header.results:
            found.setdefault(str(one.method).lower(), str(one.result).lower())
    return found
