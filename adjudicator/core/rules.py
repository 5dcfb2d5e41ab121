"""What a game is written with: one class of rules, whose hooks say what is asked, what is legal and what follows.

``record`` compiles it into the record of pure functions (``core/ruleset.py``) that engine, files and reports call. The class
holds no state: all that changes is in the state that its hooks are given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, get_args, get_type_hints

from adjudicator.core.chance import Chance
from adjudicator.core.drawing import Drawing
from adjudicator.core.event import ALWAYS_PUBLIC, Event, Part, Spent
from adjudicator.core.facts import Fact, facts_of
from adjudicator.core.ids import MODERATOR, Seat, Viewer
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.ruleset import Decision, Meta, Ruleset, Setup, Standing, Types, Upgrade
from adjudicator.core.view import View
from adjudicator.core.visibility import PUBLIC, has_secrets, redactor, require_marks
from adjudicator.core.wording import Order, Term, language

C = TypeVar("C")
"""A game's configuration: what does not change while a game lasts. It has at least ``seats`` and ``position``."""
S = TypeVar("S")
"""A game's state: everything that changes."""


class Flaw(NamedTuple):
    """Why something cannot be: a ``message`` in words, the ``rule`` that says so, and its own ``code`` if it has one."""

    message: str
    rule: str = ""
    code: str = ""


def repeated(what: str, names: Iterable[object], rule: str = "") -> Iterator[Flaw]:
    """Yield each of ``names`` that a component set may have only once and has more often (``what``: ``the tile``)."""
    for name, times in Counter(names).items():
        if times > 1:
            yield Flaw(f"the component set has {what} {name} {times} times", rule)


class Rules(Generic[C, S]):
    """The rules of one game.

    ``meta`` tells what it is; ``components``, ``position`` and ``state`` are its classes, ``events`` and ``orders`` all
    kinds of them, ``terms`` the parts of its grammar, ``facts`` what conditions may ask for. ``grammar`` is a file among the
    grammars of this program, named like the game unless said otherwise, or ``package:path``.
    """

    meta: ClassVar[Meta]
    components: ClassVar[type]
    position: ClassVar[type]
    state: ClassVar[type]
    events: ClassVar[tuple[type, ...]]
    orders: ClassVar[tuple[type[Order], ...]]
    terms: ClassVar[Mapping[str, Term]] = {}
    facts: ClassVar[Mapping[str, Fact]] = {}
    grammar: ClassVar[str] = ""
    tells_rules: ClassVar[bool] = True
    """Whether every sentence about an event ends with its rule; if not, ``tell`` names it where that says something."""
    upgrades: ClassVar[Mapping[int, Upgrade]] = {}
    """For each older format of game files, what makes this game's parts of it those of the next format."""

    # Setting up

    def unfit(self, setup: Setup) -> Iterable[str | Flaw | Problem]:
        """Yield what makes the component set, or the options, unfit to play with; a ``Problem`` has a code of its own."""
        return ()

    def configure(self, setup: Setup, version: int) -> C:
        """Return what never changes in a game: seats, options, components with what is looked up in them.

        ``version`` is that of the rules by which the game was begun: where a later one decides otherwise, the configuration
        says so (see ``Meta.oldest``).
        """
        raise NotImplementedError

    def begin(self, config: C) -> S:
        """Return the state before anything has happened."""
        raise NotImplementedError

    def misplaced(self, config: C, position: Any) -> Iterable[str | Flaw]:
        """Yield what is written in an explicit position that no state could have, so that ``impossible`` cannot see it."""
        return ()

    def place(self, config: C, position: Any) -> S:
        """Return the state that an explicit position for the game's own seats describes, whatever may be wrong with it."""
        raise NotImplementedError

    def normalized(self, config: C, state: S) -> S:
        """Return ``state``, placed or amended by a moderator, with everything in its usual order."""
        return state

    def impossible(self, config: C, state: S) -> Iterable[str | Flaw]:
        """Yield why ``state`` cannot be: the one validator of explicit positions and amendments."""
        return ()

    # Who is asked

    def awaiting(self, config: C, state: S) -> tuple[Decision, ...]:
        """Return the decisions due, each with its seat, its kind and its question; several at once where all answer."""
        raise NotImplementedError

    def is_over(self, config: C, state: S) -> bool:
        """Return whether the game is over."""
        raise NotImplementedError

    def eliminated(self, config: C, state: S, seat: Seat) -> Problem | None:
        """Return why ``seat`` will never be asked again, or ``None`` while it will."""
        return None

    # What is legal

    def validate(self, config: C, order: Any) -> Problem | None:
        """Return what is wrong with ``order`` in every position, such as a tile that does not exist, or ``None``."""
        return None

    def check(self, config: C, state: S, seat: Seat, order: Any) -> Problem | None:
        """Return why ``seat`` may not give ``order`` now, or ``None``. All other legality lives here."""
        raise NotImplementedError

    def candidates(self, config: C, state: S, seat: Seat) -> Iterable[Any]:
        """Yield at least every order that may be legal for ``seat`` now; ``legal`` is those that ``check`` accepts."""
        raise NotImplementedError

    def not_due(self, config: C, state: S, seat: Seat, code: str, rule: str) -> Problem:
        """Return why ``seat`` may order nothing now: it is out of the game, or (``code``) others are to act."""
        due = listed(decision.seat for decision in self.awaiting(config, state)) or "nobody"
        message = f"it is not the turn of {seat}: {due} is to act"
        return self.eliminated(config, state, seat) or self.meta.problem(code, message, rule)

    def legal(self, config: C, state: S, seat: Seat) -> Iterable[Any]:
        """Yield every order that ``check`` accepts from ``seat`` now. To be written only where speed asks for it."""
        return (order for order in self.candidates(config, state, seat) if self._checked(config, state, seat, order) is None)

    def cost(self, config: C, state: S, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        """Return what the legal ``order`` costs, part by part; ``None`` where chance has still to tell."""
        return ()

    # What follows

    def decide(self, config: C, state: S, seat: Seat, order: Any, chance: Chance) -> Generator[Any, S, Any]:
        """Yield the events of the legal ``order``; each ``yield`` gives the state after it."""
        raise NotImplementedError

    def proceed(self, config: C, state: S, chance: Chance) -> Generator[Any, S, Any]:
        """Yield what happens next without anybody's order, or nothing: dealing, phases, the end."""
        yield from ()

    def spent(self, config: C, state: S, event: Spent) -> S:
        """Return ``state`` with the account of the event's seat at ``event.after``."""
        return state

    def continuation(self, config: C, state: S, seat: Seat, order: Any) -> Any | None:
        """Return what is left of an order of several steps (``WAIT 3``: ``WAIT 2``) in the state after it, or ``None``."""
        return None

    def expired(self, config: C, state: S, seat: Seat, order: Any) -> bool:
        """Return whether the time of an order that waits is over, so that it is dropped."""
        return False

    # What is told

    def public_text(self, config: C, state: S, seat: Seat, order: Any) -> str | None:
        """Return the words in which everybody may read ``order``, ``None`` for its own."""
        return None

    def standings(self, config: C, state: S) -> tuple[Standing, ...]:
        """Return who is where, the leader first."""
        raise NotImplementedError

    def draw(self, config: C, view: View[S]) -> Drawing:
        """Return the position, as the view's viewer may see it, in shapes: boards, tracks, tables."""
        raise NotImplementedError

    def names(self, config: C) -> Iterable[str]:
        """Return the words that facts are compared with besides the seats, so that one that does not exist is told."""
        return ()

    def lint(self, config: C, state: S) -> Iterable[str]:
        """Return warnings: what is legal but may not be meant."""
        return ()

    # What the core calls

    def record(self) -> Ruleset[C, S, View[S]]:
        """Return these rules as the record of functions that the core calls.

        Raises ``UnmarkedFieldError`` if the game has secrets and a field of its state or its events has no mark.
        """
        events = [kind for kind in self.events if issubclass(kind, Event)]
        if has_secrets((self.state, *events)) or any(kind.seen_by is not PUBLIC for kind in events):
            require_marks({self.state: (), **dict.fromkeys(events, ALWAYS_PUBLIC)})
        return Ruleset(
            meta=self.meta,
            language=language(self.grammar or f"{self.meta.id.replace('-', '_')}.lark", self.orders, self.terms),
            types=Types(self.components, self.position, self.state, self.events, View),
            configure=self._configured,
            initial=self._initial,
            awaiting=self.awaiting,
            check=self._checked,
            decide=self.decide,
            evolve=self._evolve(),
            legal=self.legal,
            view=self._view(),
            standings=self.standings,
            is_over=self.is_over,
            tell=_tell_with_rule if self.tells_rules else _tell,
            draw=self.draw,
            validate=self.validate,
            proceed=self.proceed,
            cost=self._costed,
            public_text=self.public_text,
            redact=self._redact(),
            facts=lambda config, view: facts_of(self.facts, config, view),
            fact_names={name: fact.help for name, fact in self.facts.items()},
            names=self._names,
            eliminated=self.eliminated,
            validated_amendment=self._amended,
            lint=lambda config, state: tuple(self.lint(config, state)),
            continuation=self.continuation,
            expired=self.expired,
            upgrades=self.upgrades,
        )

    def _configured(self, setup: Setup, version: int) -> C:
        self._require("unfit-set", self.unfit(setup))
        return self.configure(setup, version)

    def _initial(self, config: C) -> S:
        position = config.position  # type: ignore[attr-defined]
        if position is None:
            return self.begin(config)
        named = [at.seat for at in getattr(position, "seats", ())]
        if named and sorted(named) != sorted(config.seats):  # type: ignore[attr-defined]
            seats = ", ".join(config.seats)  # type: ignore[attr-defined]
            self._require("impossible-position", [f"the position is for the seats {', '.join(named)}, the game for {seats}"])
        state = self._begun(config)
        self._require("impossible-position", (*self.misplaced(config, position), *self.impossible(config, state)))
        return state

    def _begun(self, config: C) -> S:
        """Return what the game begins with, be it possible or not."""
        position = config.position  # type: ignore[attr-defined]
        return self.begin(config) if position is None else self.normalized(config, self.place(config, position))

    def _amended(self, config: C, state: S) -> S:
        now = dict(_seats_in(state))
        for name, seats in _seats_in(self._begun(config)):
            # Where there is something of each seat from the beginning, there always is; bids and the like come and go.
            if seats == config.seats and now[name] != seats:  # type: ignore[attr-defined]
                self._require("impossible-amendment", ["the seats of a game cannot be amended"])
        state = self.normalized(config, state)
        self._require("impossible-amendment", self.impossible(config, state))
        return state

    def _require(self, code: str, flaws: Iterable[str | Flaw | Problem]) -> None:
        """Raise ``SetupError`` with every one of ``flaws``; ``code`` is that of those that have none of their own."""
        problems = tuple(self._problem(code, flaw) for flaw in flaws)
        if problems:
            raise SetupError(problems)

    def _problem(self, code: str, flaw: str | Flaw | Problem) -> Problem:
        if isinstance(flaw, Problem):
            return flaw
        found = flaw if isinstance(flaw, Flaw) else Flaw(flaw)
        return self.meta.problem(found.code or code, found.message, found.rule)

    def _checked(self, config: C, state: S, seat: Seat, order: Any) -> Problem | None:
        return self.validate(config, order) or self.check(config, state, seat, order)

    def _costed(self, config: C, state: S, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        return None if self._checked(config, state, seat, order) is not None else self.cost(config, state, seat, order)

    def _names(self, config: C) -> Collection[str]:
        return frozenset(word.lower() for word in (*config.seats, *self.names(config)))  # type: ignore[attr-defined]

    def _evolve(self) -> Any:
        spent = self.spent

        def evolve(config: C, state: S, event: Any) -> S:
            return spent(config, state, event) if type(event) is Spent else event.apply(config, state)

        return evolve

    def _view(self) -> Any:
        redact, awaiting = redactor(self.state), self.awaiting

        def view(config: C, state: S, viewer: Viewer) -> View[S]:
            seen = state if redact is None else redact(config, state, state, viewer)
            return View(viewer, seen, awaiting(config, state))

        return view

    def _redact(self) -> Any:
        redactors = {kind: redactor(kind) for kind in self.events}

        def redact(config: C, event: Any, viewer: Viewer) -> Any:
            if viewer == MODERATOR:
                return event
            mark = getattr(event, "seen_by", PUBLIC)
            if not mark.sees(config, event, event, viewer):
                return None
            hide = redactors.get(type(event))
            return event if hide is None else hide(config, event, event, viewer)

        return redact


def _tell(config: Any, event: Any) -> str:
    return event.tell(config) if isinstance(event, Event) else ""


def _tell_with_rule(config: Any, event: Any) -> str:
    told = _tell(config, event)
    return f"{told} ({event.rule})" if told else ""


def _seats_in(state: Any) -> Iterator[tuple[str, tuple[Seat, ...]]]:
    """Yield the name of each tuple in ``state`` whose things belong to one seat each, and their seats."""
    hints = get_type_hints(type(state))
    for field in fields(state):
        kind = next(iter(get_args(hints[field.name])), None)
        if isinstance(kind, type) and "seat" in get_type_hints(kind):
            yield field.name, tuple(thing.seat for thing in getattr(state, field.name))
