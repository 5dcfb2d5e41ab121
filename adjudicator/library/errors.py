# mypy: implicit-reexport
# ruff: noqa: F401 - some imports are for programs
"""What the library refuses: a request that makes no sense for this game, an unknown reader, a step that is impossible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from adjudicator.core.problem import AdjudicatorError, EngineFaultError, suggest
from adjudicator.files.errors import CannotRead, CannotWrite, Untrusted

BYSTANDER: Final = "bystander"
"""The name of the public viewer."""


class RequestError(AdjudicatorError):
    """Report a request that makes no sense for this game, such as a turn that it does not have; the message says why."""


class NoOrdersError(RequestError):
    """Report that the texts to check contain no orders of the seat that asks."""


class UnknownViewerError(AdjudicatorError):
    """Report a reader that the game does not have: no seat of it, nor the moderator."""

    kind = "unknown-seat"

    def __init__(self, wanted: str, viewers: Iterable[str], holders: Mapping[Any, str]) -> None:
        """Suggest the seat of the player called ``wanted``, else the viewer whose name is most similar."""
        known = tuple(viewers)
        seats = [seat for seat, holder in holders.items() if holder.casefold() == wanted.casefold()]
        similar = seats or suggest(wanted, known, 1)
        suggestion = f" (did you mean “{similar[0]}”?)" if similar else ""
        super().__init__(f"this game has no seat “{wanted}”{suggestion}; choose from: {', '.join(known)}")


class NoSuchEntryError(AdjudicatorError):
    """Report that the first or last entry of a replay does not exist."""


class PreparationError(AdjudicatorError):
    """Report that a step of the preparation is impossible, with all reasons."""


class CannotFollow(Untrusted):
    """Report a journal whose events the rules cannot apply: an audit of the file may find the entry that was changed."""


class UnsoundGameError(Exception):
    """Report a bug before it does harm: the game could not be read again after writing."""
