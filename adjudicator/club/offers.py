"""Write the list of the club's games for members."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.identify import seats_of
from adjudicator.club.ledger import GameRow, Ledger
from adjudicator.club.people import Person
from adjudicator.core.phrases import listed
from adjudicator.core.problem import suggest
from adjudicator.reports.sanitize import printable

_MOST: Final = 30
"""Games of one kind in a letter."""


def games_text(club: ClubFolder, ledger: Ledger, person: Person) -> str:
    """Return the games that ``person`` can join, those that run, and those that are over; names of players are not in it."""
    own = {place.list for place in ledger.places_of(person.id)}
    rows = ledger.games()
    over = {game for game in club.games if rows.get(game, GameRow(id=game)).is_over}
    lists = [
        f"  {one.words}: {len(ledger.places(one.id))} have joined"
        f"{', and so have you' if one.id in own else f'; write JOIN {one.ruleset}'}"
        for one in ledger.open_lists()
    ]
    seats = ((game, rows[game].vacant) for game in club.games if game in rows and game not in over)
    vacant = _shortened([f"  {game}: {listed(found)}; write STANDIN {game}" for game, found in seats if found])
    blocks = [
        ("Games that you can join", lists),
        *([("Games with a seat without a player", vacant)] if vacant else []),
        ("Running games", _named(game for game in club.games if game not in over)),
        ("Finished games", _named(over)),
    ]
    return "\n\n".join("\n".join([title, *(lines or ["  none"])]) for title, lines in blocks)


def games_of(club: ClubFolder, ledger: Ledger, person: Person) -> tuple[list[str], list[str]]:
    """Return the games that ``person`` plays, and those of theirs that are over."""
    games = dict.fromkeys(game for game, _ in seats_of(club, person.address, []))
    over = {game for game in games if ledger.game(game).is_over}
    return [game for game in games if game not in over], sorted(over)


def _named(games: Iterable[str]) -> list[str]:
    return _shortened([f"  {name}" for name in sorted(games)])


def _shortened(lines: list[str]) -> list[str]:
    return [*lines[:_MOST], *([f"  … {len(lines) - _MOST} more"] if len(lines) > _MOST else [])]


def unknown(wanted: str, known: Iterable[str], what: str = "game or list") -> str:
    """Return the answer to a command that names an unknown thing, with similar names that are ``known``."""
    similar = suggest(wanted, dict.fromkeys(known))
    hint = f" Did you mean {' or '.join(similar)}?" if similar else "" if what == "member" else " GAMES lists all games."
    return printable(f"The club has no {what} called “{wanted}”.{hint}")
