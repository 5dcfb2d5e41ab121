"""The kinds of file that belong to a ruleset: their types, which are those of the record with what only a file has."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Generic, Literal, Union

from adjudicator.core.corrections import OUTSIDE, Amended, Forked
from adjudicator.core.game import PreparedGame, Record
from adjudicator.core.journal import Entry, Link
from adjudicator.core.ruleset import Setup, Types
from adjudicator.core.values import Digest, Meta, TypeOf

SetupT = TypeOf("SetupT", default=Any)
JournalT = TypeOf("JournalT", default=Any)
StateT = TypeOf("StateT", default=Any)


class GameFile(Record, Generic[SetupT, JournalT, StateT], kw_only=True, omit_defaults=True):
    """One game, as JSON.

    ``journal`` lists the accepted orders with their events, each chained to the one before by its hash. ``seal`` is the
    hash over what the chain does not cover. ``setup.components`` is null where the ruleset ships the component set.
    """

    format: Literal[2]
    setup: SetupT  # type: ignore[assignment]
    journal: JournalT  # type: ignore[assignment]
    state: StateT
    seal: Digest


class PreparedFile(PreparedGame, Generic[SetupT], kw_only=True):
    """One game that has not begun, as JSON.

    Once the words ``are_published`` they stay as they are. ``seal`` is the hash over all of it.
    """

    prepared: Literal[1]
    setup: SetupT  # type: ignore[assignment]
    are_published: bool
    seal: Digest


class FileKind(StrEnum):
    """A kind of file, as its schema is named."""

    GAME = "game-file"
    PREPARED = "prepared-game"
    COMPONENTS = "components"
    POSITION = "position"


@cache
def type_of(types: Types, kind: FileKind) -> Any:
    """Return the type of files of ``kind`` of the ruleset with these ``types``."""
    if kind is FileKind.COMPONENTS:
        return types.components
    if kind is FileKind.POSITION:
        return types.position
    if kind is FileKind.PREPARED:
        return typed_as(PreparedFile, setup_type(types))
    corrections = (typed_as(one, types.state) if one in (Amended, Forked) else one for one in OUTSIDE)
    event: Any = Union[(*types.events, *corrections)]
    link: Any = typed_as(Link, typed_as(Entry, tuple[event, ...]))
    return typed_as(GameFile, setup_type(types), Annotated[tuple[link, ...], Meta(min_length=1)], types.state)


def typed_as(kind: Any, *types: Any) -> Any:
    """Return the generic ``kind`` with the ``types`` that a game has in the place of its type variables."""
    return kind[types]


def setup_type(types: Types) -> Any:
    """Return the type of the set-up in a file of the ruleset with these ``types``."""
    return typed_as(Setup, types.components | None, types.position | None)
