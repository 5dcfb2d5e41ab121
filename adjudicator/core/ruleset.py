"""The protocol between the core and a game: everything a ruleset provides, as one record of pure functions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, TypeVar

from adjudicator.core.bounds import Ge, Len
from adjudicator.core.catalogue import listed_set
from adjudicator.core.chance import Chance
from adjudicator.core.conditions import Facts
from adjudicator.core.drawing import Drawing
from adjudicator.core.event import Part
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Name, Seat, Viewer
from adjudicator.core.languages import Spoken
from adjudicator.core.problem import Problem

if TYPE_CHECKING:
    from adjudicator.core.view import View

T = TypeVar("T")
"""A game's configuration, which never changes during a game."""
S = TypeVar("S")
"""A game's state."""


@frozen
class Option:
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


@frozen
class Meta:
    """The description of a ruleset, which is known without loading its rules.

    ``id`` is its name on the command line and in files, ``version`` that of its rules, ``prefix`` the beginning of its rule
    ids. ``players`` is (fewest, most). ``unit`` is the unit of costs. ``component_sets`` names the sets it ships, the
    default first. ``ruleset`` says where the rules are, as ``module:attribute``. ``oldest`` is the earliest version of the
    rules that they can still decide games by (0: only the present one); the configuration holds the differences between
    versions. ``older_sets`` names earlier versions of the component sets, for games begun with them: ``house-1`` is version
    1 of ``house``.
    """

    id: str
    name: str
    version: int
    prefix: str
    players: tuple[int, int]
    unit: Unit
    options: tuple[Option, ...] = ()
    component_sets: tuple[str, ...] = ("house",)
    ruleset: str = ""
    oldest: int = 0
    older_sets: tuple[str, ...] = ()

    def can_decide(self, version: int) -> bool:
        """Return whether these rules can decide a game as their version ``version`` did."""
        return (self.oldest or self.version) <= version <= self.version

    @property
    def players_words(self) -> str:
        """The possible numbers of players as text."""
        fewest, most = self.players
        return f"{most} players" if fewest == most else f"{fewest} to {most:,} players"

    def problem(self, code: str, message: str, rule: str = "", part: str = "", suggestions: tuple[str, ...] = ()) -> Problem:
        """Return a problem of this game: its ``code`` gets the game's name in front (see ``Problem``)."""
        return Problem(f"{self.id}/{code}", message, rule, part, suggestions)

    def unknown(self, what: str, name: str, known: Collection[str], rule: str, part: str = "") -> Problem | None:
        """Return the problem that no ``what`` (``tile``) is called ``name``; ``None`` if it is ``known``."""
        if name in known:
            return None
        # Most programs that load a Meta make no suggestions.
        from adjudicator.core.suggestions import suggest

        return self.problem(f"unknown-{what}", f"there is no {what} {name}", rule, part or what, suggest(name, known))


@frozen
class ComponentSet:
    """The base of every component set: an id, a version, a name, and a note of its origin."""

    id: Name
    version: Annotated[int, Ge(1)]
    name: Name
    note: Annotated[str, Len(0, 500)]


@frozen
class Player:
    """A seat and its player, ``holder`` (empty: not named)."""

    seat: Seat
    holder: Annotated[str, Len(0, 80)] = ""


@frozen(per_game=("components", "position"))
class Setup:
    """The set-up of a game: ``players`` in order, every option's value, the components, and a position or ``None``."""

    players: tuple[Player, ...]
    options: Mapping[str, str]
    components: Any
    position: Any = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order."""
        return tuple(player.seat for player in self.players)


K = TypeVar("K")
"""A game's component set."""


@frozen
class Configuration(Generic[K]):
    """The base of every configuration: the ``seats`` in order, the explicit ``position`` or ``None``, and the components.

    A game adds its own look-up tables: ``class Config(Configuration[Components])``.
    """

    seats: tuple[Seat, ...]
    position: Any
    components: K

    def after(self, seat: Seat) -> Seat:
        """Return the next seat after ``seat`` in playing order: of two, the other."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]


@frozen
class Decision:
    """A decision that the game awaits from ``seat``: its ``kind`` (``action``), its question (``ask``), and the rule."""

    seat: Seat
    kind: str
    ask: str
    rule: Name


@frozen
class Standing:
    """The standing of a seat: ``place`` from 1 (level seats share one), ``score`` in the ruleset's unit, a ``note``."""

    place: Annotated[int, Ge(1)]
    seat: Seat
    score: int
    note: Name
    is_final: bool = False


@frozen
class Language:
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
    spoken: Spoken | None = None
    completed: Callable[[Any], Any] | None = None
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def codes(self) -> tuple[str, ...]:
        """The languages that players may use in addition to English."""
        return () if self.spoken is None else self.spoken.codes

    def text(self, order: Any) -> str:
        """Return the canonical text of a single ``order``."""
        return self.texts[type(order)](order)


@frozen
class Types:
    """The classes of a game's files: components, explicit position, state, each kind of event."""

    components: type
    position: type
    state: type
    events: tuple[type, ...]


def _same(part: dict[str, Any]) -> dict[str, Any]:
    return part


def without(*names: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return an upgrade that drops the members ``names``, which are no longer stored."""
    return lambda part: {name: value for name, value in part.items() if name not in names}


@frozen
class Upgrade:
    """An upgrade from one format of game files to the next: the changes in a game's parts of a file, as plain JSON objects.

    ``components`` and ``position`` are those of the set-up, ``state`` is any state (the present one, and those before and
    after an amendment), ``event`` any event of the game. Parts that need no change are left out. ``shipped`` gives the new
    id of each component set that came with the older format, by the hash of that set.
    """

    components: Callable[[dict[str, Any]], dict[str, Any]] = _same
    position: Callable[[dict[str, Any]], dict[str, Any]] = _same
    state: Callable[[dict[str, Any]], dict[str, Any]] = _same
    event: Callable[[dict[str, Any]], dict[str, Any]] = _same
    shipped: Mapping[str, str] = field(default_factory=dict)


def _nothing_foreseen(_config: Any, _view: Any, _seat: Seat, _orders: Any) -> tuple[tuple[int, Problem], ...]:
    return ()


def _nothing(*_: Any) -> Generator[Any, Any, None]:
    yield from ()


@frozen(kw_only=True)
class Ruleset(Generic[T, S]):
    """One game's rules. Every function is pure; ``config`` is the result of ``configure``.

    ``configure`` (set-up and version of the rules → config) raises ``SetupError``. ``due`` gives the seats in ``awaiting``
    without the questions (see ``due_of``), ``asked`` the decision of one seat in ``awaiting`` (see ``asked_of``); if seats
    ``are_apart``, no order of one affects the decisions of another. ``check`` decides all legality; ``validate`` is the part
    of it that no position can change (an unknown tile), so that such mistakes are reported at once. ``decide`` and
    ``proceed`` yield events and receive the state after each. ``public_text`` gives the public text of an order (``None``:
    its canonical text). ``redact`` gives an event as a viewer sees it (``None``: not at all). ``cost`` is ``None`` for an
    order that is not legal now. ``facts`` holds the named values of a view; ``fact_names`` explains them, with the form of
    their arguments (```row of SEAT```); ``names`` are the words, in lower case, that they are compared with. ``eliminated``
    says why a seat will never act again (``None``: it will). ``validated_amendment`` corrects the values that follow from
    those the moderator has changed, and raises ``SetupError`` with the reasons why the result is impossible. ``tell`` gives
    the sentence of an event, ``draw`` the drawing of a view; ``lint`` warns the moderator, ``choices`` explains the cards
    that the viewer holds or can choose, ``foresee`` tells a seat the results of its own orders. ``known_position`` gives the
    part of an explicit position that every player knows (``None``: nothing). ``continuation`` gives the rest of an order of
    several steps (``WAIT 3``: ``WAIT 2``) for the state after one step; it stays pending before the rest of its sheet, where
    a new sheet can still take it back. ``reopened`` gives the state in which a seat can still change its answer; a game
    ``has_windows`` if there is ever such a state. ``expired`` says that the time of a single order is over (``WAIT 2 in
    round 1`` in round 2): the order is dropped silently. ``is_for_later`` says that a seat must first answer another
    question than the order answers: an order that was sent before the question stays pending. ``upgrades`` gives the changes
    in the game's parts for each older format of game files.

    Fields with a default are for games with special features: secrets, costs, events that happen by themselves.
    """

    meta: Meta
    language: Language
    types: Types
    configure: Callable[[Setup, int], T]
    initial: Callable[[T], S]
    awaiting: Callable[[T, S], tuple[Decision, ...]]
    check: Callable[[T, S, Seat, Any], Problem | None]
    decide: Callable[[T, S, Seat, Any, Chance], Generator[Any, S, None]]
    evolve: Callable[[T, S, Any], S]
    legal: Callable[[T, S, Seat], Iterable[Any]]
    view: Callable[[T, S, Viewer], View[S]]
    standings: Callable[[T, S], tuple[Standing, ...]]
    is_over: Callable[[T, S], bool]
    tell: Callable[[T, Any], str]
    draw: Callable[[T, View[S]], Drawing]
    catalogue: Callable[[Any], Drawing] = listed_set
    due: Callable[[T, S], tuple[Seat, ...]] | None = None
    asked: Callable[[T, S, Seat], Decision | None] | None = None
    are_apart: Callable[[T], bool] = lambda _config: False
    validate: Callable[[T, Any], Problem | None] = lambda _config, _order: None
    proceed: Callable[[T, S, Chance], Generator[Any, S, None]] = _nothing
    if_due: Callable[[T, S, Seat], S | None] = lambda _config, _state, _seat: None
    cost: Callable[[T, S, Seat, Any], tuple[Part, ...] | None] = lambda _config, _state, _seat, _order: ()
    public_text: Callable[[T, S, Seat, Any], str | None] = lambda _config, _state, _seat, _order: None
    redact: Callable[[T, Any, Viewer], Any] = lambda _config, event, _viewer: event
    facts: Callable[[T, View[S]], Facts] = lambda _config, _view: {}
    fact_names: Mapping[str, str] = field(default_factory=dict)
    names: Callable[[T], Collection[str]] = lambda _config: ()
    eliminated: Callable[[T, S, Seat], Problem | None] = lambda _config, _state, _seat: None
    validated_amendment: Callable[[T, S], S] = lambda _config, state: state
    lint: Callable[[T, S], tuple[str, ...]] = lambda _config, _state: ()
    choices: Callable[[T, View[S]], Iterable[tuple[str, str]]] = lambda _config, _view: ()
    foresee: Callable[[T, View[S], Seat, Sequence[Any]], Iterable[tuple[int, Problem]]] = _nothing_foreseen
    known_position: Callable[[Any], Any] = lambda _position: None
    continuation: Callable[[T, S, Seat, Any], Any | None] = lambda _config, _state, _seat, _order: None
    reopened: Callable[[T, S, Seat], S | None] = lambda _config, _state, _seat: None
    has_windows: bool = False
    expired: Callable[[T, S, Seat, Any], bool] = lambda _config, _state, _seat, _order: False
    is_for_later: Callable[[T, S, Seat, Any], bool] = lambda _config, _state, _seat, _order: False
    upgrades: Mapping[int, Upgrade] = field(default_factory=dict)


AnyRuleset = Ruleset[Any, Any]
"""The rules of any game."""


def due_of(rules: AnyRuleset, config: Any, state: Any) -> tuple[Seat, ...]:
    """Return the seats with a decision due in ``state``, in the order in which they act."""
    if rules.due is not None:
        return rules.due(config, state)
    return tuple([decision.seat for decision in rules.awaiting(config, state)])


def is_due(rules: AnyRuleset, config: Any, state: Any, seat: Seat) -> bool:
    """Return whether ``seat`` has a decision due in ``state``."""
    if rules.asked is not None and rules.are_apart(config):
        return rules.asked(config, state, seat) is not None
    return seat in due_of(rules, config, state)


def asked_of(rules: AnyRuleset, config: Any, state: Any, seat: Seat) -> Decision | None:
    """Return the decision that is due from ``seat`` in ``state``, or ``None``."""
    if rules.asked is not None:
        return rules.asked(config, state, seat)
    return next((decision for decision in rules.awaiting(config, state) if decision.seat == seat), None)
