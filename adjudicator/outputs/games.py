"""Define the output about installed games, new games, schemas and component sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.core.ruleset import GameMeta, Option, Player, Unit
from adjudicator.core.values import ByFields, Digest, Seat, Value
from adjudicator.outputs.orders import Decision, OrderProblem


class KnownGame(Value, kw_only=True):
    """A ruleset that can be played, described without loading its rules.

    ``players`` are the fewest and the most, ``unit`` is the unit of costs (short, long, the name of a seat's total). The
    first of the ``component_sets`` is the default. ``oldest`` is the oldest version of the rules that this program still
    plays (0: only the present one).
    """

    id: str
    name: str
    version: int
    prefix: str
    players: tuple[int, int]
    unit: Unit
    options: tuple[Option, ...]
    component_sets: tuple[str, ...]
    oldest: int
    older_sets: tuple[str, ...]

    @classmethod
    def of(cls, meta: GameMeta) -> KnownGame:
        """Return the description of the ruleset ``meta``."""
        return cls(
            id=meta.id,
            name=meta.name,
            version=meta.version,
            prefix=meta.prefix,
            players=meta.players,
            unit=Unit(*meta.unit),
            options=meta.options,
            component_sets=meta.component_sets,
            oldest=meta.oldest,
            older_sets=meta.older_sets,
        )


class BrokenGame(Value):
    """A ruleset that is installed but cannot be used, and why it is ``broken``."""

    id: str
    broken: str


InstalledGame = ByFields[KnownGame | BrokenGame]


class NewRuleset(Value):
    """The package of a new ruleset: its ``id``, its ``folder``, and the ``files`` there."""

    id: str
    folder: str
    files: tuple[str, ...]


class NewGame(Value, kw_only=True):
    """A game that was set up: its ``file``, and the ``commitment`` of its chance, which the moderator should publish.

    ``commitment`` is ``None`` if people write down the random outcomes by hand.
    """

    file: str
    game: str
    ruleset: str
    turn: int
    components: str
    components_version: int
    components_hash: Digest
    commitment: Digest | None
    due: tuple[Decision, ...]


class PromisedGame(Value, kw_only=True):
    """A game that was prepared in ``file`` and has not begun: its settings, and the hashes that prove them.

    ``version`` is the version of the rules, ``position`` says that the game begins from an explicit position. ``commitment``
    fixes the secret of chance, ``promise`` all settings. ``words`` are the words of seats so far, ``silent`` the other
    seats; after the words are ``published``, they cannot change.
    """

    file: str
    game: str
    ruleset: str
    name: str
    version: int
    components: str
    components_version: int
    components_hash: Digest
    players: tuple[Player, ...]
    options: Mapping[str, str]
    position: bool
    commitment: Digest
    promise: Digest
    words: Mapping[Seat, str]
    silent: tuple[Seat, ...]
    published: bool


class SchemaNames(Value):
    """The names of all schemas: those of ``files``, and those of the ``outputs`` of commands."""

    files: tuple[str, ...]
    outputs: tuple[str, ...]


class GameLanguages(Value, kw_only=True):
    """The codes of the ``languages`` in which orders of a game may be written in addition to English.

    ``installed`` are the codes and English names of all installed languages. ``warnings`` name ambiguous words.
    """

    game: str
    languages: tuple[str, ...]
    installed: Mapping[str, str]
    warnings: tuple[str, ...]


class ComponentCatalogue(Value, kw_only=True):
    """A component set: ``parts`` are all its parts, in the form of the ruleset's schema for component sets.

    ``problems`` are the reasons why no game can begin with it.
    """

    ruleset: str
    name: str
    components: str
    components_version: int
    components_hash: Digest
    parts: Mapping[str, Any]
    problems: tuple[OrderProblem, ...] = ()
