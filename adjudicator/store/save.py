"""Write game files: the same game gives the same bytes, and an interrupted run leaves the old file or the new one."""

from __future__ import annotations

from typing import Any

from adjudicator import rulesets
from adjudicator.core.game import FORMAT, Game, PreparedGame
from adjudicator.core.ruleset import Setup
from adjudicator.core.values import canonical_bytes, replace
from adjudicator.files.errors import CannotWrite
from adjudicator.files.reading import LIMIT, MEGABYTE
from adjudicator.store.components import is_shipped, reference
from adjudicator.store.game import game_bytes


def dump_game(game: Game) -> bytes:
    """Return the bytes of the file of ``game``.

    The file only names a component set that the ruleset ships; it contains any other set. Raises ``ValueError`` if the
    game's components are not those its heading names, ``CannotWrite`` if the file would be too large to read again.
    """
    links = ((canonical_bytes(link.entry), link.hash) for link in game.journal)
    data = game_bytes(_document(game), links)
    if len(data) > LIMIT:
        size, most = f"{len(data) / MEGABYTE:,.1f} MB", f"{LIMIT // MEGABYTE} MB"
        raise CannotWrite(f"game {game.id}", f"nothing was written: the file would have {size}, but the limit is {most}")
    return data


def _document(game: Game) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": game.id,
        "ruleset": game.ruleset,
        "components": game.components,
        "chance": game.chance,
        "setup": setup_to_write(game),
        "pending": game.pending,
        "state": game.state,
        "seal": game.seal,
        **({"receipts": game.receipts} if game.receipts else {}),
        **({"reported": game.reported} if game.reported else {}),
        **({"set_aside": game.set_aside} if game.set_aside else {}),
        **({"languages": game.languages} if game.languages else {}),
    }


def setup_to_write(game: Game | PreparedGame) -> Setup:
    """Return the set-up of ``game`` for its file, without a component set that the ruleset ships.

    Raises ``ValueError`` if the components are not those that the heading names.
    """
    if is_shipped(rulesets.ruleset(game.ruleset.id), game.components):
        return replace(game.setup, components=None)
    if reference(game.setup.components) != game.components:
        raise ValueError("the components of the game are not those that its heading names")
    return game.setup
