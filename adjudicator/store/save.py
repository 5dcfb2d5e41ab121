"""Write game files: the same game gives the same bytes, and an interrupted run leaves the old file or the new one."""

from __future__ import annotations

from typing import Any

from adjudicator import rulesets
from adjudicator.core.game import FORMAT, PreparedGame, Record
from adjudicator.core.ruleset import Setup
from adjudicator.core.values import canonical_bytes, replace
from adjudicator.files.errors import CannotWrite
from adjudicator.files.reading import LIMIT, MEGABYTE
from adjudicator.store.components import is_shipped, reference
from adjudicator.store.game import game_bytes


def dump_game(record: Record) -> bytes:
    """Return the bytes of the file of ``record``.

    The file only names a component set that the ruleset ships; it contains any other set. Raises ``ValueError`` if the
    game's components are not those its heading names, ``CannotWrite`` if the file would be too large to read again.
    """
    links = ((canonical_bytes(link.entry), link.hash) for link in record.journal)
    data = game_bytes(_document(record), links)
    if len(data) > LIMIT:
        size, most = f"{len(data) / MEGABYTE:,.1f} MB", f"{LIMIT // MEGABYTE} MB"
        raise CannotWrite(f"game {record.id}", f"nothing was written: the file would have {size}, but the limit is {most}")
    return data


def _document(record: Record) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": record.id,
        "ruleset": record.ruleset,
        "components": record.components,
        "chance": record.chance,
        "setup": setup_to_write(record),
        "pending": record.pending,
        "state": record.state,
        "seal": record.seal,
        **({"receipts": record.receipts} if record.receipts else {}),
        **({"reported": record.reported} if record.reported else {}),
        **({"set_aside": record.set_aside} if record.set_aside else {}),
        **({"languages": record.languages} if record.languages else {}),
    }


def setup_to_write(record: Record | PreparedGame) -> Setup:
    """Return the set-up of ``record`` for its file, without a component set that the ruleset ships.

    Raises ``ValueError`` if the components are not those that the heading names.
    """
    if is_shipped(rulesets.ruleset(record.ruleset.id), record.components):
        return replace(record.setup, components=None)
    if reference(record.setup.components) != record.components:
        raise ValueError("the components of the game are not those that its heading names")
    return record.setup
