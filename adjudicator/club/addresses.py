"""Replace and delete the address of a player in the settings of games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from adjudicator.club.folder import GAME_SETTINGS, ClubFolder
from adjudicator.files.atomic import PRIVATE, write_atomic
from adjudicator.files.errors import FileProblem
from adjudicator.mail.envelope import plain_address


def move_address(club: ClubFolder, old: str, new: str) -> None:
    """Replace the address ``old`` of a player in all games, those that they left included. Raises ``CannotWrite``."""

    def move(document: Any) -> None:
        for section in (*document["seats"].values(), *document.get("former", ())):
            section["addresses"] = [
                new if plain_address(str(one)).casefold() == old else str(one) for one in section["addresses"]
            ]

    for game in _games_of(club, old):
        _change(club, game, move)


def forget_former(club: ClubFolder, address: str) -> list[str]:
    """Delete the former player with this ``address`` from the settings of games; return them. Raises ``CannotWrite``."""

    def drop(document: Any) -> None:
        former = document["former"]
        for number in reversed(range(len(former))):
            if address in (plain_address(str(one)).casefold() for one in former[number]["addresses"]):
                del former[number]
        if not former:
            del document["former"]

    games = _games_of(club, address)
    for game in games:
        _change(club, game, drop)
    return games


def _games_of(club: ClubFolder, address: str) -> list[str]:
    """Return the games that ``address`` plays or has played, as far as their settings can be read."""
    found = []
    for game in club.games:
        try:
            players = club.settings_of(game).players
        except FileProblem:
            continue
        if any(address in map(str.casefold, one.addresses) for _, one in players):
            found.append(game)
    return found


def _change(club: ClubFolder, game: str, change: Callable[[Any], None]) -> None:
    import tomlkit

    path: Path = club.path(game, GAME_SETTINGS)
    document = tomlkit.parse(path.read_text("utf-8"))
    change(document)
    write_atomic(path, tomlkit.dumps(document).encode(), PRIVATE)
    club.forget(game)
