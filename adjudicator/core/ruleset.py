"""The values that describe a game to the program: its meta data, set-up, standings, language and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, TypeVar, cast

import msgspec

from adjudicator.core.at import HasSeat
from adjudicator.core.problem import MOST_PROBLEMS, Problem, SetupError, in_any_case
from adjudicator.core.values import Holder, Meta, Name, Positive, Seat, TypeOf, Value, field

X = TypeVar("X", bound=HasSeat)


class Option(Value):
    """A choice made when a game is set up.

    ``choices`` lists the possible values (empty: any text, checked by the game); ``default`` applies if the option is not
    given. A ``per_seat`` option is written with a seat: ``corner.red=A1``. An option that came with version ``since`` of the
    rules has the value ``before`` in games begun with an earlier version, and their files do not name it.
    """

    name: str
    choices: tuple[str, ...]
    default: str
    help: str
    per_seat: bool = False
    since: int = 1
    before: str = ""


class Unit(NamedTuple):
    """The unit of costs, ``short`` and ``long`` (``min``, ``minutes``), and the name of a seat's sum (``account``).

    With the ``form`` ``m:ss`` the amounts are seconds, shown as minutes and seconds.
    """

    short: str
    long: str
    account: str = "clock"
    form: str = ""


def account_label(unit: Unit) -> str:
    """Return the name of a seat's sum of ``unit``, for people."""
    return unit[2] if len(unit) > 2 else "clock"  # a ruleset may give the unit as a plain tuple of two


class GameMeta(Value):
    """The description of a ruleset, which is known without loading its rules.

    ``id`` is its name on the command line and in files, ``version`` that of its rules, ``prefix`` the beginning of its rule
    ids. ``players`` is (fewest, most). ``unit`` is the unit of costs. ``component_sets`` names the sets it ships, the
    default first. ``ruleset`` says where the rules are, as ``module:attribute``. ``oldest`` is the earliest version of the
    rules that they can still decide games by (0: only the present one); the configuration holds the differences between
    versions. ``older_sets`` names earlier versions of the component sets, for games begun with them: ``house-1`` is version
    1 of ``house``. ``commands`` says where the typer app with the game's own commands is (empty: it has none), and
    ``schemas`` where the shapes of what these print and read are; both as ``module:attribute``.
    """

    id: str
    name: Annotated[str, Meta(min_length=1)]
    version: Annotated[int, Meta(ge=1)]
    prefix: Annotated[str, Meta(min_length=1)]
    players: tuple[Positive, Positive]
    unit: Unit
    options: tuple[Option, ...] = ()
    component_sets: Annotated[tuple[str, ...], Meta(min_length=1)] = ("house",)
    ruleset: Annotated[str, Meta(pattern=":")] = ""
    oldest: Annotated[int, Meta(ge=0)] = 0
    older_sets: tuple[str, ...] = ()
    commands: Annotated[str, Meta(pattern="^$|:")] = ""
    schemas: Annotated[str, Meta(pattern="^$|:")] = ""

    @property
    def flaw(self) -> str:
        """The first field with a wrong value, which Python itself does not check (empty: none)."""
        try:
            msgspec.convert(msgspec.structs.asdict(self), type(self))
        except msgspec.ValidationError as error:
            return str(error)
        if self.oldest > self.version:
            return "Expected a version up to its own - at `$.oldest`"
        return "Expected the fewest and the most - at `$.players`" if self.players[0] > self.players[1] else ""

    @property
    def is_shipped(self) -> bool:
        """Whether the ruleset comes with this program, and its pages and schemas with it."""
        return self.ruleset.startswith("adjudicator.")

    def can_decide(self, version: int) -> bool:
        """Return whether these rules can decide a game as their version ``version`` did."""
        return (self.oldest or self.version) <= version <= self.version

    @property
    def players_words(self) -> str:
        """The possible numbers of players as text."""
        fewest, most = self.players
        return f"{most} players" if fewest == most else f"{fewest} to {most:,} players"

    def problem(
        self, code: str, message: str, rule: str = "", part: str = "", near: Iterable[str] = (), written: str | None = None
    ) -> Problem:
        """Return a problem of this game: its ``code`` gets the game's name in front (see ``Problem``)."""
        return Problem(f"{self.id}/{code}", message, rule, part, tuple(near), written)


class ComponentSet(Value):
    """The base class of component sets: a game adds its tiles, cards or maps as fields."""

    id: Name
    """The name of the set, which a game file records."""
    version: Positive
    """The version of the set, from 1; raise it when a game has begun with an earlier one."""
    name: Name
    """The name for people."""
    note: Annotated[str, Meta(max_length=500)]
    """Where the set comes from, for people."""


class Player(Value):
    """A seat and its player, ``holder`` (empty: not named)."""

    seat: Seat
    holder: Holder = ""


class Constants:
    """What the program asks of every configuration, apart from its ``seats`` and ``position``."""

    __slots__ = ()
    if TYPE_CHECKING:

        @property
        def seats(self) -> tuple[Seat, ...]:
            """The seats in playing order."""
            ...

    @property
    def names(self) -> Iterable[str]:
        """The names, in addition to the seats, that conditions may compare facts with; all others are mistakes."""
        return ()

    @property
    def seats_are_independent(self) -> bool:
        """Whether no order of one seat ever affects whether another seat must act, unless it ends the game.

        Then the engine carries out all orders of a seat in one go without looking at the other seats, so that the time for
        each seat does not grow with their number.
        """
        return False

    def after(self, seat: Seat) -> Seat:
        """Return the next seat after ``seat`` in playing order: of two, the other."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def clockwise(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats in playing order, beginning with ``seat``."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]


ComponentsT = TypeOf("ComponentsT", default=Any)
PositionT = TypeOf("PositionT", default=Any)


class Setup(Constants, Value, Generic[ComponentsT, PositionT]):
    """The set-up of a game: ``players`` in order, every option's value, the components, and a position or ``None``."""

    players: tuple[Player, ...]
    options: Mapping[str, str]
    components: ComponentsT
    position: PositionT = None  # type: ignore[assignment]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order."""
        return tuple(player.seat for player in self.players)


K = TypeVar("K")
"""A game's component set."""


class Configuration(Constants, Value, Generic[K]):
    """The base of every configuration: the ``seats`` in order, the explicit ``position`` or ``None``, and the components.

    A game adds its own look-up tables: ``class Config(Configuration[Components])``.
    """

    seats: tuple[Seat, ...]
    position: Any
    components: K


class Standing(Value):
    """The standing of a seat: ``place`` from 1 (level seats share one), ``score`` in the ruleset's unit, a ``note``."""

    place: Positive
    seat: Seat
    score: int
    note: Name
    is_final: bool = False

    @classmethod
    def ranking(
        cls,
        things: Iterable[X],
        key: Callable[[X], Any],
        *,
        score: Callable[[X], int],
        note: Callable[[X], str],
        is_final: bool = False,
    ) -> tuple[Standing, ...]:
        """Return the standings of the seats that ``things`` belong to, the least ``key`` first; equal keys share a place.

        ``score`` is in the game's unit, ``note`` describes each seat's standing.
        """
        ranked = sorted(things, key=key)
        keys = [key(thing) for thing in ranked]
        return tuple(
            cls(place=keys.index(rank) + 1, seat=thing.seat, score=score(thing), note=note(thing), is_final=is_final)
            for thing, rank in zip(ranked, keys, strict=True)
        )


class Language(Value):
    """The grammar and the words of a game's orders.

    ``grammar`` is a file among the grammars, or ``package:path`` for one of another package. ``builders`` turn the children
    of a grammar rule into an order, ``texts`` give an order's canonical text. ``terms`` gives the names of grammar symbols
    in messages (``tile``: "a tile such as H3"), ``rules`` the game's rule for each; ``examples`` shows one order of
    each kind. ``spoken`` holds words of other languages that players may use (``None``: English alone); the program never
    writes them. ``completed`` completes a player's line: it returns its expression with what the line states once for all
    parts. ``spellings`` are regular expressions for the game's names, which replace ``<NAME>`` in the grammar.
    """

    grammar: str
    builders: Mapping[str, Callable[[list[Any]], Any]]
    texts: Mapping[type, Callable[[Any], str]]
    terms: Mapping[str, str]
    examples: tuple[str, ...]
    rules: Mapping[str, str] = field(default_factory=dict)
    spoken: Any = None
    completed: Callable[[Any], Any] | None = None
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def codes(self) -> tuple[str, ...]:
        """The languages that players may use in addition to English."""
        return () if self.spoken is None else cast("tuple[str, ...]", self.spoken.codes)

    def text(self, order: Any) -> str:
        """Return the canonical text of a single ``order``."""
        return self.texts[type(order)](order)


class Types(Value):
    """The classes of a game's files: components, explicit position, state, each kind of event."""

    components: type
    position: type
    state: type
    events: tuple[type, ...]


def fill_options(
    meta: GameMeta, seats: Iterable[Seat], values: Mapping[str, str], version: int | None = None
) -> dict[str, str]:
    """Return every option of ``version`` of the rules (``None``: the present one) with its value or its default.

    Options of a seat are named ``option.seat``. Raises ``SetupError`` with every wrong name and value.
    """
    available = {name: option for name, option in _available(meta, seats) if option.since <= (version or meta.version)}
    unknown, problems = [name for name in values if name not in available], list[Problem]()
    for name in unknown[:MOST_PROBLEMS]:
        words = f"there is no option “{name}”; this game has: {', '.join(available)}"
        problems.append(Problem("core/unknown-option", words, part=f"option:{name}", near=tuple(available), written=name))
    if len(unknown) > MOST_PROBLEMS:
        more = f"{len(unknown) - MOST_PROBLEMS:,} more options do not exist either"
        problems.append(Problem("core/too-many-problems", more))
    for name, value in values.items():
        choices = available[name].choices if name in available else ()
        if choices and value not in choices:
            words = f"option {name} cannot be “{value}”; it may be: {', '.join(choices)}"
            problems.append(Problem("core/bad-choice", words, part=f"option:{name}", near=choices, written=value))
    if problems:
        raise SetupError(tuple(problems))
    return {name: values.get(name, option.default) for name, option in available.items()}


def options_in_any_case(meta: GameMeta, seats: Iterable[Seat], values: Mapping[str, str]) -> dict[str, str]:
    """Return options in the ruleset's spelling: names and choices that differ from it only in case are corrected.

    Unknown names and choices stay as they are. Raises ``SetupError`` if this gives an option twice.
    """
    available = dict(_available(meta, seats))
    spelled: dict[str, str] = {}
    for written, value in values.items():
        name = in_any_case(written, available) or written
        if name in spelled:
            raise SetupError((Problem("core/option-twice", f"option {name} is given twice"),))
        choices = available[name].choices if name in available else ()
        spelled[name] = in_any_case(value, choices) or value
    return spelled


def options_in_play(meta: GameMeta, seats: Iterable[Seat], options: Mapping[str, str], version: int) -> dict[str, str]:
    """Return the ``options`` of a game begun by an older ``version`` of the rules, with the old values of later options."""
    later = {name: option.before for name, option in _available(meta, seats) if option.since > version}
    return {**later, **options}


def _available(meta: GameMeta, seats: Iterable[Seat]) -> Iterable[tuple[str, Option]]:
    seats = tuple(seats)
    for option in meta.options:
        for name in [f"{option.name}.{seat}" for seat in seats] if option.per_seat else [option.name]:
            yield name, option
