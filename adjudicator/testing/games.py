"""Plays games of one ruleset with seeded players, and checks laws on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, wraps
from itertools import chain
from random import Random
from typing import Any, Final, NamedTuple, TypedDict, Unpack

from adjudicator.core.at import At, View
from adjudicator.core.game import Record
from adjudicator.core.journal import Entry
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.rules import AnyRuleset, Ruleset
from adjudicator.core.ruleset import Player
from adjudicator.core.values import USUAL_SEATS, Seat, Viewer, differences, json_value, replace
from adjudicator.library.begin import GameChoices, begin_game
from adjudicator.library.game import Game
from adjudicator.rulesets import offer
from adjudicator.simulate.play import Plan, play_on
from adjudicator.store.game_file import shipped

SAMPLED: Final = 120  # the number of positions on which slow laws are checked
_OF_A_KIND: Final = 150  # the number of orders of each kind to try in other positions
_GREEDY: Final = 3  # in every third game the players are greedy, so that games end


class Broken(Exception):
    """Report, inside a law, what differs; the caller adds the place."""


class LawBrokenError(AssertionError):
    """Report that games break a ``law``; the message says which, ``where``, and what differs."""

    def __init__(self, law: str, sentence: str, where: str, words: str) -> None:
        """Name the ``law`` with its ``sentence``."""
        place = f"\n  where: {where}" if where else ""
        super().__init__(f"{law}: {sentence}{place}\n  found: {words}")
        self.law, self.where, self.words = law, where, words


class Moment(NamedTuple):
    """The position ``state`` after entry ``n`` of ``game``."""

    game: Game
    n: int
    state: Any

    @property
    def record(self) -> Record:
        """The game up to this entry."""
        record = self.game.record
        return replace(record, journal=record.journal[: self.n + 1], state=self.state, pending=())

    @property
    def rules(self) -> AnyRuleset:
        """The rules, bound to the set-up of the game."""
        return self.game.rules

    @property
    def due(self) -> tuple[Seat, ...]:
        """The seats that are due."""
        return tuple(ask.seat for ask in self.rules.due(self.state))

    def at(self, seat: Seat) -> At[Any, Any, Any]:
        """Return the position in which ``seat`` acts."""
        return self.rules.at(self.state, seat)

    def legal(self, seat: Seat) -> list[Any]:
        """Return the legal orders of ``seat``."""
        return list(self.rules.legal(self.at(seat)))

    def problem(self, seat: Seat, order: Any) -> Problem | None:
        """Return why ``order`` is not legal for ``seat``, or ``None``."""
        return self.rules.check(self.at(seat), order)

    def cost(self, seat: Seat, order: Any) -> Any:
        """Return the cost of ``order`` for ``seat`` if it is legal and known."""
        return self.rules.cost_if_legal(self.at(seat), order)

    def view(self, viewer: Viewer) -> View[Any, Any, Any]:
        """Return what ``viewer`` sees."""
        return self.rules.view(self.state, viewer)


class Expectations(TypedDict, total=False):
    """What you, the author, expect of your game in addition to the laws of every game."""

    conserved: Callable[[Any, Any], Any]
    """Returns, from configuration and state, a quantity that no order changes, such as all tiles in all places."""
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
    """Options to use in turn, as far as a game's version has them; default: random choices of all that list choices."""
    versions: Sequence[int]
    """Versions of the rules to use in turn; default: all that the rules can decide."""
    positions: Sequence[Any]
    """Positions, built, from which every other game begins; default: none."""


class Games:
    """The games that the laws check: ``games``, begun with ``seed``, and the ``expectations`` of their author."""

    def __init__(self, rules: Ruleset, games: Sequence[Game], seed: int = 1, **expectations: Unpack[Expectations]) -> None:
        """Keep the arguments. Raises ``TypeError`` for an unknown expectation."""
        unknown = sorted(expectations.keys() - Expectations.__annotations__)
        if unknown:
            raise TypeError(f"the laws know no {', '.join(unknown)}: `PlayOptions` lists the keywords")
        self.rules, self.games, self.seed = rules, tuple(games), seed
        self.conserved, self.rare = expectations.get("conserved"), frozenset(expectations.get("rare", ()))
        self.rule_ids, self.never_shown = expectations.get("rule_ids", ()), expectations.get("never_shown", {})
        self._most = expectations.get("positions_looked_at", SAMPLED)
        self._at: Game | None = None
        self._entry: int | None = None

    @property
    def place(self) -> str:
        """The place that the current law checks, as text."""
        if self._at is None:
            return ""
        record = self._at.record
        options = "".join(f", {name}={value}" for name, value in sorted(record.setup.options.items()))
        if record.ruleset.version != self.rules.meta.version:
            options += f", version {record.ruleset.version} of the rules"
        begun = ", from a position" if record.setup.position is not None else ""
        where = f"game {record.id} of seed {self.seed} ({len(self._at.seats)} players{options}{begun})"
        if self._entry is not None:
            entry = record.journal[self._entry].entry
            order = f": {entry.seat}: {entry.written or entry.order}" if entry.seat else " (the set-up)"
            where += f", entry {self._entry}{order}"
        return where

    def look_at_all(self) -> None:
        """Let what a law finds be about all games."""
        self._at, self._entry = None, None

    def luck(self, purpose: str) -> Random:
        """Return a random generator for ``purpose``, which gives the same numbers in every run."""
        return Random(f"{self.seed}\n{purpose}")

    def each(self) -> Iterator[Game]:
        """Yield the games at their end."""
        for game in self.games:
            self._at, self._entry = game, None
            yield game

    def entries(self) -> Iterator[tuple[Game, Entry]]:
        """Yield the entries of all games."""
        for game in self.each():
            for link in game.record.journal:
                self._entry = link.entry.n
                yield game, link.entry

    def events(self) -> Iterator[tuple[Game, Any]]:
        """Yield the events of all games."""
        for game, entry in self.entries():
            yield from ((game, event) for event in entry.events)

    def moments(self, game: Game) -> Iterator[Moment]:
        """Yield every position of one of the games."""
        self._at = game
        for entry, state in game.timeline.states():
            self._entry = entry.n
            yield Moment(game, entry.n, state)

    def sampled(self, most: int = SAMPLED) -> Iterator[Moment]:
        """Yield positions of all games, about as many for each kind of decision that is due.

        ``most`` limits their number, and the author may want fewer.
        """
        for moment in self._sample[: round(most * self._most / SAMPLED)]:
            self._at, self._entry = moment.game, moment.n
            yield moment

    @cached_property
    def orders(self) -> Mapping[type, Sequence[Any]]:
        """Orders of each kind that were legal somewhere."""
        luck = self.luck("orders")
        found: dict[type, dict[Any, None]] = {}
        for moment in self._sample:
            for seat in moment.due:
                legal = moment.legal(seat)
                for order in luck.sample(legal, min(len(legal), 60)):
                    found.setdefault(type(order), {})[order] = None
        return {kind: luck.sample(list(some), min(len(some), _OF_A_KIND)) for kind, some in found.items()}

    @cached_property
    def _sample(self) -> list[Moment]:
        luck = self.luck("moments")
        groups: dict[Any, list[Moment]] = {}
        for game in self.games:
            for moment in self.moments(game):
                kinds = sorted({ask.kind for ask in game.rules.due(moment.state)})
                groups.setdefault((*kinds, len(game.seats)), []).append(moment)
        for group in groups.values():
            luck.shuffle(group)
        rounds = max(map(len, groups.values()), default=0)
        return list(chain.from_iterable([group[at] for group in groups.values() if at < len(group)] for at in range(rounds)))


Law = Callable[[Games], None]
"""A check of games that raises ``LawBrokenError`` if they break it. Its name and docstring say what must be true."""

LAWS: Final[list[Law]] = []
"""Every law: a function of games that raises ``LawBrokenError``; its name says what must be true."""


def law(check: Law) -> Law:
    """Turn ``check``, which raises ``Broken``, into a law that every game must keep."""

    @wraps(check)
    def kept(games: Games) -> None:
        games.look_at_all()
        with offer(games.rules):
            try:
                check(games)
            except Exception as error:
                name, sentence = check.__name__.replace("_", " "), (check.__doc__ or "").split("\n")[0]
                if isinstance(error, Broken):
                    raise LawBrokenError(name, sentence, games.place, str(error)) from None
                words = f"the rules raise {type(error).__name__}: {error}"
                raise LawBrokenError(name, sentence, games.place, words) from error

    LAWS.append(kept)
    return kept


def require_same(one: str, left: Any, other: str, right: Any) -> None:
    """Raise ``Broken`` with the first difference of ``left`` and ``right``, called ``one`` and ``other``."""
    if left == right:
        return
    for path, found, expected in differences(json_value(left), json_value(right)):
        raise Broken(f"{path or 'the whole'}: {one} has {found}, {other} has {expected}")
    raise Broken(f"{one} is not equal to {other}, though all their members are")


def play_games(rules: Ruleset, games: int = 50, **how: Unpack[PlayOptions]) -> Games:
    """Play ``games`` games of ``rules`` with random and greedy players, and return them; the seed fixes all of them.

    The games take the numbers of players, and all that ``how`` lists (see ``PlayOptions``), in turn. Raises
    ``SetupError`` if a game cannot be set up, and ``LawBrokenError`` if one cannot be played.
    """
    meta, seed, most_orders = rules.meta, how.pop("seed", 1), how.pop("most_orders", 250)
    sets = how.pop("components", ()) or [shipped(rules, name)[0] for name in meta.component_sets]
    players = how.pop("players", ()) or range(meta.players[0], meta.players[1] + 1)
    versions = how.pop("versions", ()) or range(meta.oldest or meta.version, meta.version + 1)
    options, positions = how.pop("options", ()), how.pop("positions", ())
    played = Games(rules, [], seed, **how)  # type: ignore[misc]
    with offer(rules):
        for number in range(1, games + 1):
            plan = Plan(ruleset=meta.id, games=number, players=players[number % len(players)], seed=seed)
            turn, at = divmod(number // len(players), len(sets))
            version = versions[turn // max(1, len(options)) % len(versions)]
            luck = Random(f"options\n{seed}\n{number}")
            free = (option for option in meta.options if option.choices and not option.per_seat)
            chosen = options[turn % len(options)] if options else {one.name: luck.choice(one.choices) for one in free}
            later = {option.name for option in meta.options if option.since > version}
            position = positions[number // 2 % len(positions)] if positions and number % 2 else None
            named = [one.seat for one in getattr(position, "seats", ())]
            choices = GameChoices(
                ruleset=meta.id,
                id=plan.name_of(number),
                players=tuple(Player(Seat(seat)) for seat in named or USUAL_SEATS[: plan.players]),
                components=sets[at],
                options={name: value for name, value in chosen.items() if name not in later},
                position=position,
                secret=plan.secret_of(number),
                version=version,
            )
            try:
                game = begin_game(choices)
            except SetupError:
                if options:
                    raise
                game = begin_game(replace(choices, options={}))  # The random options exclude each other.
            try:
                luck, ended = plan.luck_of(number), None
                if number % _GREEDY == 0:
                    # Who looks ahead asks for more than playing takes, and what fails then is for the laws to tell.
                    with suppress(Exception):
                        ended = play_on(game, dict.fromkeys(game.seats, "greedy"), luck, most_orders)
                played.games += (ended or play_on(game, dict.fromkeys(game.seats, "random"), luck, most_orders),)
            except Exception as error:
                where = f"game {game.record.id} of seed {seed} ({len(game.seats)} players)"
                sentence, words = "Every order that `legal` lists can be carried out.", f"{type(error).__name__}: {error}"
                raise LawBrokenError("games can be played", sentence, where, words) from error
    return played


def check_laws(rules: Ruleset, games: int = 50, **how: Unpack[PlayOptions]) -> None:
    """Play ``games`` games of ``rules`` and check every law on them. Raises ``AssertionError`` with each broken law.

    ``PlayOptions`` describes the keywords: how games are played, and what the author tells the laws.
    """
    played = play_games(rules, games, **how)
    broken = []
    for law in LAWS:
        try:
            law(played)
        except LawBrokenError as found:
            broken.append(found)
    if broken:
        raise AssertionError("\n\n".join(map(str, broken))) from (broken[0] if len(broken) == 1 else None)
