"""What there is to play, a game that was set up, the schemas there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Digest, Seat
from adjudicator.core.ruleset import Decision, Option, Player, Unit
from adjudicator.outputs.orders import OrderProblem


@frozen(kw_only=True)
class KnownGame:
    """A ruleset that can be played: what is known of it without loading its rules.

    ``players`` are the fewest and the most, ``unit`` what orders cost (short, long, what a seat's sum is called). The first
    of the ``component_sets`` is the default. ``oldest`` is the earliest version of the rules that games may have been begun
    with (0: only the present one).
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


@frozen
class BrokenGame:
    """A ruleset that is installed but cannot be used, and why it is ``broken``, in words."""

    id: str
    broken: str


@frozen(kw_only=True)
class NewGame:
    """A game that was set up: the ``file`` it is in, and what to publish: the ``commitment`` of its chance.

    ``commitment`` is ``None`` where the outcomes are written down by hand.
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


@frozen(kw_only=True)
class PromisedGame:
    """A game that was prepared in ``file`` and has not begun: what is fixed, and the hashes that prove it.

    ``version`` is that of the rules, ``position`` says that the game begins from an explicit one. ``commitment`` fixes the
    secret of chance, ``promise`` all that is fixed. ``words`` have come from some seats, ``silent`` are the others; when
    they are ``published``, nothing is changed any more.
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


@frozen
class SchemaNames:
    """The names of all schemas: of ``files``, and of the ``outputs`` of commands."""

    files: tuple[str, ...]
    outputs: tuple[str, ...]


@frozen(kw_only=True)
class GameLanguages:
    """The ``languages`` in which orders of a game may be written besides English, by code.

    ``installed`` are the codes and English names of those there are. ``warnings`` say which words cannot be told apart.
    """

    game: str
    languages: tuple[str, ...]
    installed: Mapping[str, str]
    warnings: tuple[str, ...]


@frozen(kw_only=True)
class ComponentCatalogue:
    """A component set: ``parts`` is the whole of it, as the schema of component sets of its ``ruleset`` says.

    ``problems`` is what keeps a game from being begun with it.
    """

    ruleset: str
    name: str
    components: str
    components_version: int
    components_hash: Digest
    parts: Mapping[str, Any]
    problems: tuple[OrderProblem, ...] = ()
