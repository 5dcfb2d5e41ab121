"""Plays games of one ruleset with seeded players, on which the laws are checked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain
from random import Random
from typing import Any, Final, NamedTuple, TypedDict, Unpack

from adjudicator.begin import GameChoices, begin_game
from adjudicator.core.game import Game
from adjudicator.core.ids import USUAL_SEATS, Seat, Viewer
from adjudicator.core.journal import Entry
from adjudicator.core.problem import SetupError
from adjudicator.core.rules import Ruleset
from adjudicator.core.ruleset import Player
from adjudicator.rulesets import offer
from adjudicator.session import Session
from adjudicator.simulate.plan import Plan, luck_of, name_of, secret_of
from adjudicator.simulate.play import play_on
from adjudicator.simulate.players import PLAYERS
from adjudicator.store.components import shipped
from adjudicator.testing.failure import LawBrokenError
from adjudicator.testing.mutants import Seen, values_seen

Conserved = Callable[[Any, Any], Any]
"""Returns, from configuration and state, a quantity that never changes in a game."""
Otherwise = Callable[[Any, Any, Viewer, Random], Any]
"""Returns a state that differs from a given one only in what a viewer may not know."""

SAMPLED: Final = 120
"""The number of positions on which slow laws are checked."""
_OF_A_KIND: Final = 150
"""The number of orders of each kind to try in other positions."""
_GREEDY: Final = 3
"""In every third game the players are greedy, so that games end."""


class Moment(NamedTuple):
    """The position ``state`` after entry ``n`` of the game of ``session``."""

    session: Session
    n: int
    state: Any

    @property
    def game(self) -> Game:
        """The game up to this entry."""
        game = self.session.game
        return replace(game, journal=game.journal[: self.n + 1], state=self.state, pending=())

    @property
    def due(self) -> tuple[Seat, ...]:
        """The seats that are due."""
        return tuple(ask.seat for ask in self.session.rules.due(self.state))


class Transition(NamedTuple):
    """An ``event`` of ``entry`` in the game of ``session``, with the state before and after it."""

    session: Session
    entry: Entry
    event: Any
    before: Any
    after: Any


class Expectations(TypedDict, total=False):
    """What you, the author, expect of your game in addition to the laws of every game."""

    conserved: Conserved
    """Returns a quantity that is the same after every order, such as all tiles in all places."""
    otherwise: Otherwise
    """Varies secrets, for games where random exchanges do not work."""
    rare: Collection[type]
    """Events and orders that random games need not show."""
    rule_ids: Collection[str]
    """The rules of the game, each of which the log of some game must cite."""
    never_shown: Mapping[str, str]
    """The rules that no log can cite, each with the reason."""
    positions_looked_at: int
    """The largest number of positions on which a slow law is checked; default: 120."""


class PlayOptions(Expectations, total=False):
    """How to play the games, and what you expect of them: the keywords of ``play_games`` and ``check_laws``."""

    seed: int
    """The seed of all chance, also of the players; default: 1."""
    most_orders: int
    """The number of orders after which a game stays unfinished; default: 250."""
    players: Sequence[int]
    """Numbers of players to use in turn; default: all possible numbers."""
    components: Sequence[Any]
    """Component sets, built, to use in turn; default: the shipped ones."""
    options: Sequence[Mapping[str, str]]
    """Options to use in turn, as far as a game's version has them.

    By default each game has random choices of the options that list their choices.
    """
    versions: Sequence[int]
    """Versions of the rules to use in turn; default: all that the rules can decide."""
    positions: Sequence[Any]
    """Positions, built, from which every other game begins; default: none."""


class Games:
    """The games that the laws check: ``sessions``, begun with ``seed``, and the ``expectations`` of their author."""

    def __init__(
        self, rules: Ruleset, sessions: Sequence[Session], seed: int = 1, **expectations: Unpack[Expectations]
    ) -> None:
        """Keep the arguments."""
        self.rules, self.sessions, self.seed = rules, tuple(sessions), seed
        self.conserved, self.otherwise = expectations.get("conserved"), expectations.get("otherwise")
        self.rare = frozenset(expectations.get("rare", ()))
        self.rule_ids, self.never_shown = (
            frozenset(expectations.get("rule_ids", ())),
            dict(expectations.get("never_shown", {})),
        )
        self._most = expectations.get("positions_looked_at", SAMPLED)
        self._at: Session | None = None
        self._entry: int | None = None
        self._words = ""

    @property
    def place(self) -> str:
        """The place that the current law checks, as text."""
        if self._at is None:
            return self._words
        game = self._at.game
        options = "".join(f", {name}={value}" for name, value in sorted(game.setup.options.items()))
        if game.ruleset.version != self.rules.meta.version:
            options += f", version {game.ruleset.version} of the rules"
        begun = ", from a position" if game.setup.position is not None else ""
        where = f"game {game.id} of seed {self.seed} ({len(self._at.seats)} players{options}{begun})"
        if self._entry is not None:
            entry = game.journal[self._entry].entry
            order = f": {entry.seat}: {entry.written or entry.order}" if entry.seat else " (the set-up)"
            where += f", entry {self._entry}{order}"
        return where

    def look_at(self, words: str) -> None:
        """Set ``words`` as the place that a law checks outside any game."""
        self._at, self._entry, self._words = None, None, words

    def luck(self, purpose: str) -> Random:
        """Return a random generator for ``purpose``, which gives the same numbers in every run."""
        return Random(f"{self.seed}\n{purpose}")

    def each(self) -> Iterator[Session]:
        """Yield the games at their end."""
        for session in self.sessions:
            self._at, self._entry = session, None
            yield session

    def entries(self, session: Session) -> Iterator[Entry]:
        """Yield the entries of one of the games."""
        self._at = session
        for link in session.game.journal:
            self._entry = link.entry.n
            yield link.entry

    def moments(self, session: Session) -> Iterator[Moment]:
        """Yield every position of one of the games."""
        self._at = session
        for entry, state in session.timeline.states():
            self._entry = entry.n
            yield Moment(session, entry.n, state)

    def sampled(self, most: int | None = None) -> Iterator[Moment]:
        """Yield positions of all games, about as many for each kind of decision that is due.

        ``most`` limits their number for the slowest laws; without it the limit is that of slow laws.
        """
        share = self._most / SAMPLED
        for moment in self._sample[: self._most if most is None else round(most * share)]:
            self._at, self._entry = moment.session, moment.n
            yield moment

    def transitions(self) -> Iterator[Transition]:
        """Yield all events of all games."""
        for session in self.each():
            state = session.rules.initial()
            for entry in self.entries(session):
                for event in entry.events:
                    after = event.apply(session.rules.config, state)
                    yield Transition(session, entry, event, state, after)
                    state = after

    @cached_property
    def orders(self) -> Mapping[type, Sequence[Any]]:
        """Orders of each kind that were legal somewhere."""
        luck = self.luck("orders")
        found: dict[type, dict[Any, None]] = {}
        for moment in self._sample:
            for seat in moment.due:
                legal = list(moment.session.rules.legal(moment.session.rules.at(moment.state, seat)))
                for order in luck.sample(legal, min(len(legal), 60)):
                    found.setdefault(type(order), {})[order] = None
        return {kind: luck.sample(list(some), min(len(some), _OF_A_KIND)) for kind, some in found.items()}

    @cached_property
    def seen_in_orders(self) -> Seen:
        """The values in the fields of these orders."""
        return values_seen([order for orders in self.orders.values() for order in orders])

    @cached_property
    def _sample(self) -> list[Moment]:
        luck = self.luck("moments")
        groups: dict[Any, list[Moment]] = {}
        for session in self.sessions:
            for moment in self.moments(session):
                kinds = sorted({ask.kind for ask in session.rules.due(moment.state)})
                groups.setdefault((*kinds, len(session.seats)), []).append(moment)
        for group in groups.values():
            luck.shuffle(group)
        rounds = max(map(len, groups.values()), default=0)
        return list(chain.from_iterable([group[at] for group in groups.values() if at < len(group)] for at in range(rounds)))


def play_games(rules: Ruleset, games: int = 50, **how: Unpack[PlayOptions]) -> Games:
    """Play ``games`` games of ``rules`` with random and greedy players, and return them; the seed fixes all of them.

    The games take the numbers of players, and all that ``how`` lists (see ``PlayOptions``), in turn. Raises
    ``SetupError`` if a game cannot be set up, and ``LawBrokenError`` if one cannot be played.
    """
    seed, most_orders = how.pop("seed", 1), how.pop("most_orders", 250)
    sets = how.pop("components", ()) or [shipped(rules, name)[0] for name in rules.meta.component_sets]
    players = how.pop("players", ()) or range(rules.meta.players[0], rules.meta.players[1] + 1)
    versions = how.pop("versions", ()) or range(rules.meta.oldest or rules.meta.version, rules.meta.version + 1)
    begun = _Beginnings(rules, seed, players, sets, how.pop("options", ()), versions, how.pop("positions", ()))
    sessions = []
    with offer(rules):
        for number in range(1, games + 1):
            session = begun.begin(number)
            try:
                sessions.append(_played(session, number, begun.luck(number), most_orders))
            except Exception as error:
                raise _unplayable(session, seed, error) from error
    return Games(rules, sessions, seed, **how)  # type: ignore[misc]


class _Beginnings(NamedTuple):
    """Says how games begin: every number of players with each of the ``sets``, and so on."""

    rules: Ruleset
    seed: int
    players: Sequence[int]
    sets: Sequence[Any]
    options: Sequence[Mapping[str, str]]
    versions: Sequence[int]
    positions: Sequence[Any]

    def luck(self, number: int) -> Random:
        """Return the generator for the choices of the players in game ``number``."""
        return luck_of(self._plan(number), number)

    def begin(self, number: int) -> Session:
        """Begin game ``number``; if its random options exclude each other, with the usual ones."""
        choices = self._choices(number)
        if self.positions and number % 2:
            choices = _from_position(choices, self.positions[number // 2 % len(self.positions)])
        try:
            return begin_game(choices)
        except SetupError:
            if self.options:
                raise
            return begin_game(replace(choices, options={}))

    def _plan(self, number: int) -> Plan:
        count = self.players[number % len(self.players)]
        return Plan(ruleset=self.rules.meta.id, games=number, players=count, seed=self.seed)

    def _choices(self, number: int) -> GameChoices:
        plan, meta = self._plan(number), self.rules.meta
        turn, at = divmod(number // len(self.players), len(self.sets))
        version = self.versions[turn // max(1, len(self.options)) % len(self.versions)]
        later = {option.name for option in meta.options if option.since > version}
        chosen = self.options[turn % len(self.options)] if self.options else self._any_options(number)
        return GameChoices(
            ruleset=meta.id,
            id=name_of(plan, number),
            players=tuple(Player(Seat(seat)) for seat in USUAL_SEATS[: plan.players]),
            components=self.sets[at],
            options={name: value for name, value in chosen.items() if name not in later},
            secret=secret_of(plan, number),
            version=version,
        )

    def _any_options(self, number: int) -> dict[str, str]:
        luck = Random(f"options\n{self.seed}\n{number}")
        named = (option for option in self.rules.meta.options if option.choices and not option.per_seat)
        return {option.name: luck.choice(option.choices) for option in named}


def _played(session: Session, number: int, luck: Random, most_orders: int) -> Session:
    if number % _GREEDY == 0:
        # Who looks ahead asks for more than playing takes, and what fails then is for the laws to tell.
        with suppress(Exception):
            return play_on(session, dict.fromkeys(session.seats, PLAYERS["greedy"]), luck, most_orders)
    return play_on(session, dict.fromkeys(session.seats, PLAYERS["random"]), luck, most_orders)


def _unplayable(session: Session, seed: int, error: Exception) -> LawBrokenError:
    where = f"game {session.game.id} of seed {seed} ({len(session.seats)} players)"
    sentence = "Every order that `legal` lists can be carried out."
    return LawBrokenError("games can be played", sentence, where, f"{type(error).__name__}: {error}")


def _from_position(choices: GameChoices, position: Any) -> GameChoices:
    seats = [at.seat for at in getattr(position, "seats", ())]
    players = tuple(Player(Seat(seat)) for seat in seats) or choices.players
    return replace(choices, players=players, position=position)
