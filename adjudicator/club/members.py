"""Open lists, grant requests of members, and delete a member's data, as the moderator says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from adjudicator.club.addresses import forget_former
from adjudicator.club.commands import New, commands_in
from adjudicator.club.folder import GAME_SETTINGS, ClubFolder
from adjudicator.club.join_game import OfferError, record_decline, required_list, seat_words
from adjudicator.club.ledger import Ledger
from adjudicator.club.manage import ClubError, find_matter
from adjudicator.club.matters import Matter
from adjudicator.club.offers import games_of
from adjudicator.club.players import REMOVED, release_seat, seat_player
from adjudicator.club.register import write_to_member
from adjudicator.club.stand_ins import vacancy
from adjudicator.core.phrases import listed
from adjudicator.mail.envelope import plain_address, with_plain_domains
from adjudicator.reports.sanitize import printable

_OPENED: Final = """\
The moderator has opened the list for the game of {} that you proposed.
You have a place on it. When it is full, you get a mail to confirm your place.
"""
_DECLINED: Final = """\
The moderator has declined your request: {}.

You can ask for the same again in a week. To ask why, write MESSAGE to
moderator: and your text.
"""


def open_list(ledger: Ledger, words: Iterable[str], now: int) -> str:
    """Open a list for a game as in the command NEW, such as `great-race players=3`; return the game as text.

    Raises ``ClubError``.
    """
    line = f"NEW {' '.join(words)}"
    found = commands_in([line]).commands
    wish = next((one for one in found if isinstance(one, New)), None)
    if wish is None:
        raise ClubError("name a ruleset, and what else you want, such as: great-race players=3 deadline=48h")
    try:
        wanted = required_list(wish)
    except OfferError as error:
        raise ClubError(str(error)) from error
    _require_none(ledger, wanted.ruleset)
    with ledger.change():
        ledger.add_list(wanted, opened=now)
    return wanted.words


def grant(club: ClubFolder, ledger: Ledger, number: int, seat: str, now: int) -> str:
    """Grant the request of matter ``number``; return what was done.

    The club opens the list, gives the member the ``seat``, or takes it from a player who resigns. If the matter has a
    game, the caller has begun to ``change_game``.

    Raises ``ClubError``, ``FileProblem``.
    """
    matter = find_matter(ledger, number)
    kind, *parts = matter.key.split("/")
    if kind == "new":
        return _open_proposed(club, ledger, number, int(parts[0]), now)
    if kind == "resign":
        return _let_go(club, ledger, matter, seat or matter.resigned)
    if kind != "standin":
        raise ClubError(f"matter {number} is not a request; name the game and --seat to accept its mail: {matter.words}")
    game, wanted, person_id = parts
    person = ledger.find_person(int(person_id))
    seat = seat or wanted
    if person is None:
        raise ClubError(f"matter {number}: this person is no longer a member")
    if not seat:
        raise ClubError(f"matter {number}: name the seat with --seat: {matter.words}")
    vacant = vacancy(club, game, seat) if seat in club.settings_of(game).seats else ""
    seat_player(club, ledger, game, seat, person.name, person.address, now)
    ledger.settle_by_key(matter.key)
    ledger.settle_by_key(vacant)
    return f"{game}: {person.name} now plays {seat}, with a new token"


def _let_go(club: ClubFolder, ledger: Ledger, matter: Matter, seat: str) -> str:
    """Take ``seat`` from its player, who resigns: the next round writes to the others, and asks those who stand in."""
    game = matter.game
    if not seat:
        raise ClubError(f"matter {matter.number}: name the seat with --seat: {matter.words}")
    release_seat(club, game, seat, "the player has resigned")
    ledger.settle_by_key(matter.key)
    ledger.settle_resignations(game, seat)
    ledger.look_at(game)
    return f"{game}: a simulated player has {seat} from now on"


def _open_proposed(club: ClubFolder, ledger: Ledger, number: int, list_id: int, now: int) -> str:
    one = ledger.waiting_list(list_id)
    if one is None:
        raise ClubError(f"matter {number}: this list does not exist any more")
    _require_none(ledger, one.ruleset)
    with ledger.change():
        ledger.open_list(one.id, now)
        ledger.settle_matter(number)
        for place in ledger.places(one.id):
            person, text = ledger.person(place.person), _OPENED.format(one.ruleset)
            write_to_member(
                club, ledger, person, f"opened/{one.id}/{person.id}", f"{one.ruleset}: your list is open", text, now
            )
    return f"the list for the next game of {one.ruleset} is open"


def settle(club: ClubFolder, ledger: Ledger, number: int, now: int) -> None:
    """Remove a matter from the list: a message in it is never sent, a request in it is declined. Raises ``ClubError``."""
    kind, *parts = find_matter(ledger, number).key.split("/")
    with ledger.change():
        ledger.settle_matter(number)
        if kind == "held":
            ledger.drop_message("/".join(parts))
        if kind == "standin":
            game, seat, person = parts
            _decline(club, ledger, int(person), seat_words(game, seat), number, now)
        one = ledger.waiting_list(int(parts[0])) if kind == "new" else None
        if one is not None and not one.opened:
            for place in ledger.places(one.id):
                _decline(club, ledger, place.person, one.words, number, now)
            ledger.close_list(one.id, now)


def _decline(club: ClubFolder, ledger: Ledger, number: int, what: str, matter: int, now: int) -> None:
    person = ledger.find_person(number)
    if person is not None:
        record_decline(ledger, person, what, now)
        text, subject = _DECLINED.format(what), "the moderator has declined your request"
        write_to_member(club, ledger, person, f"declined/{matter}/{person.id}", subject, text, now)


def _require_none(ledger: Ledger, ruleset: str) -> None:
    if any(one.ruleset == ruleset for one in ledger.open_lists()):
        raise ClubError(f"the club already has a list for the next game of {ruleset}")


def forget_member(club: ClubFolder, ledger: Ledger, address: str) -> str:
    """Delete the data of the member who writes from ``address``; return what was done, and what remains.

    The seats of this member must have other players. Raises ``ClubError``, ``CannotWrite``.
    """
    person = ledger.person_at(printable(plain_address(address).lower()))
    if person is None:
        raise ClubError(f"the club has no member with the address {address}")
    running, over = games_of(club, ledger, person)
    games = [*running, *over]
    if games:
        words = "`adjudicator club seat` gives the seat to another player, `club remove` removes a game"
        raise ClubError(f"this member still has a seat in {', '.join(games)}: {words}")
    said = [f"member {person.id}: deleted. Backups still have the data."]
    if former := forget_former(club, person.address):
        said.append(f"The game file and the reports of {listed(former)} still have the name.")
    with ledger.change():
        ledger.forget_person(person)
    said += (f"Delete the folder {folder}: it still has the address." for folder in _removed_with(club, person.address))
    return " ".join(said)


def _removed_with(club: ClubFolder, address: str) -> list[str]:
    """Return the folders of removed games whose settings have ``address``."""
    found = sorted((club.folder / REMOVED).glob(f"*/{GAME_SETTINGS}"))
    written = re.compile(rf"""["'<\s]{re.escape(address)}[>"'\s]""")
    return [
        f"{REMOVED}/{path.parent.name}"
        for path in found
        if written.search(with_plain_domains(path.read_text("utf-8", "replace")).casefold())
    ]
