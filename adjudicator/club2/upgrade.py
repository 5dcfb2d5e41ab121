"""Take over a club of version 1.0.0: its ledger, the settings of its games, the letters that wait."""

from __future__ import annotations

from pathlib import Path


def upgrade(folder: Path, now: int) -> tuple[str, ...]:
    """Make the ledger of the club in ``folder`` one of this version; return a sentence for each change.

    What is replaced stays in `replaced/`. Raises ``CannotRead``, ``Untrusted`` with all that is wrong: then nothing changes.
    """
    raise NotImplementedError
