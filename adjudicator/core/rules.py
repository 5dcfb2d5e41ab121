"""The rules of one game, bound to one set-up: what its author defines, and what the program derives from that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Generator, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar, cast, final

from adjudicator.core.advice import Luck, Seen, supposed
from adjudicator.core.at import Ask, At, C, Here, S, State, View, fill, of_seat
from adjudicator.core.chance import Chance
from adjudicator.core.conditions import Fact, Facts
from adjudicator.core.event import ALWAYS_PUBLIC, Event, Part, Spent, declared_changes, part_of
from adjudicator.core.order import Order, Term, language
from adjudicator.core.phrases import listed
from adjudicator.core.piles import Naming, Pieces, naming, unknown_name, unknown_pieces
from adjudicator.core.problem import EngineFaultError, Flaw, Problem, SetupError
from adjudicator.core.ruleset import GameMeta, Language, Setup, Standing, Types
from adjudicator.core.values import MODERATOR, Seat, Value, Viewer, hints_of, parameters, replace, require_parameters
from adjudicator.core.visibility import PUBLIC, Mark, note_in, redactor, require_marks

Moves = Generator[Any, Any, Any]
"""A generator of events: each ``yield`` returns the position (``At``) after its event."""
R = TypeVar("R")


def _do_nothing(_at: Any, _chance: Chance) -> Moves:
    yield from ()


NO_MOVES: Final = _do_nothing(None, cast("Chance", None))
"""The end of events, which the engine meets after every order."""
NO_MOVES.close()


class Phase(NamedTuple):
    """A row of the order of play: the ``rule`` that describes it, and ``when`` the game is in this phase.

    It ``asks`` seats, in the order in which they act; while no answer is due, the events that ``follow`` come next. If seats
    are independent, a position with a seat wants only what that seat is asked.
    """

    rule: str
    when: Callable[[Any], object]
    asks: Callable[[Any], Iterable[Ask]] = lambda _at: ()
    follow: Callable[[Any, Chance], Moves] = _do_nothing


class at_stage:  # noqa: N801 - reads like a function in a table
    """A condition for a ``Phase``: the game is at ``stage``, the value of ``stage`` in its state."""

    def __init__(self, stage: Any) -> None:
        """Hold the ``stage``."""
        self.stage = stage

    def __call__(self, at: Here) -> bool:
        """Return whether the game is at the stage."""
        return self.stage is at.state.stage


_Tried = tuple[Callable[[Any], object] | None, Phase]
"""A phase to try in a position, and the condition left to ask: ``None`` at its stage."""


class Rules(Generic[C, S]):
    """The rules of a game. A subclass describes the game; an instance has the rules of one game with its set-up.

    The methods up to ``preview``, and the attributes, are what a game defines; the others are final. They are pure, and an
    instance holds nothing but its ``config``: the state of a game is their argument. A method about one seat gets a
    position (``At``). A method may be a function of another module: ``draw = staticmethod(board.draw)``. A public name that
    the program does not know is a ``TypeError`` when the class is made. So are an event that sets a field which does not
    exist, and a function that the program would call with other arguments. A field without a mark, in a game with secrets,
    is an ``UnmarkedFieldError``.
    """

    meta: ClassVar[GameMeta]
    """The description of the game."""
    components: ClassVar[type]
    """The class of component sets."""
    position: ClassVar[type | None] = None
    """The class of explicit positions; every player knows its fields marked ``PUBLIC``. Without it, they are states."""
    state: ClassVar[type[State[Any]]]
    """The class of states."""
    events: ClassVar[tuple[type, ...]]
    """All kinds of events (see ``events_of``)."""
    orders: ClassVar[tuple[type[Order], ...]]
    """All kinds of orders."""
    terms: ClassVar[Mapping[str, Term]] = {}
    """The parts of the grammar."""
    facts: ClassVar[Mapping[str, Fact]] = {}
    """The values that conditions may use."""
    phases: ClassVar[tuple[Phase, ...]] = ()
    """The order of play: in each position, the first phase applies whose ``when`` is true."""
    grammar: ClassVar[str] = ""
    """A file among the grammars of this program (by default named like the game), or ``package:path``."""
    pieces: ClassVar[tuple[Pieces, ...]] = ()
    """The kinds of pieces that positions and states name, with the places where they lie."""
    not_due: ClassVar[tuple[str, str]] = "not-due", ""
    """The code and the rule of the refusal of an order from a seat that is not to act (see ``unasked``)."""
    completed: ClassVar[Any] = None
    """A function that completes a player's line: it returns its expression with what the line states once for all parts."""
    candidates_are_legal: ClassVar[bool] = False
    """Whether ``refusal`` accepts all ``candidates``, so that the program does not ask it about each of them."""
    tells_rules: ClassVar[bool] = True
    """Whether every sentence about an event ends with its rule; if not, ``tell`` names the rule where it helps."""
    spent_seen_by: ClassVar[Mark] = PUBLIC
    """The mark of ``Spent`` events: who sees the cost of a seat's order."""
    has_windows: ClassVar[bool] = False
    """Whether a seat that has answered may ever change its answer (see ``Ask.answered_in``)."""

    # What follows from the class. The program sets it.
    language: ClassVar[Language]
    types: ClassVar[Types]
    _redact_state: ClassVar[tuple[Any]]
    _redactors: ClassVar[Mapping[type, Any]]
    _namings: ClassVar[Mapping[type, tuple[Naming, ...]]]
    _at_stage: ClassVar[Mapping[Any, tuple[_Tried, ...]]]
    _elsewhere: ClassVar[tuple[_Tried, ...]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # Programs that test tests add functions with letters that no author writes.
        wrong = [name for name in vars(cls) if name.isascii() and not name.startswith("_") and name not in _HOOKS]
        if wrong:
            raise TypeError(f"{cls.__name__}: “{wrong[0]}” is not the name of a hook; other names begin with “_”")
        if not hasattr(cls, "meta"):
            return
        _require_sound(cls)
        grammar = cls.grammar or f"{cls.meta.id.replace('-', '_')}.lark"
        cls.language = replace(language(grammar, cls.orders, cls.terms), completed=cls.completed)
        cls.types = Types(cls.components, cls.position or cls.state, cls.state, cls.events)
        cls._redact_state = (redactor(cast("Any", cls.state)),)
        cls._redactors = {kind: redactor(kind) for kind in cls.events}
        cls._namings = {kind: naming(cls.pieces, kind, cls.terms) for kind in cls.orders}
        stages = {phase.when.stage for phase in cls.phases if isinstance(phase.when, at_stage)}
        tried = [(None if isinstance(phase.when, at_stage) else phase.when, phase) for phase in cls.phases]
        cls._elsewhere = tuple(one for one in tried if one[0] is not None)
        cls._at_stage = {
            stage: tuple(one for one in tried if getattr(one[1].when, "stage", stage) is stage) for stage in stages
        }

    def __init__(self, setup: Setup, version: int) -> None:
        """Bind the rules to ``setup`` and to the ``version`` with which the game began. Raises ``SetupError``."""
        self._found: tuple[Any, Any, Phase | None] = (None, None, None)
        self._asked: tuple[Any, tuple[Ask, ...], tuple[Ask, ...]] = (None, (), ())
        self._asked_of: tuple[Any, Any, Ask | None] = (None, None, None)
        self._names: frozenset[str] | None = None
        self._known: dict[type, list[tuple[str, Container[Any]]]] = {}
        self.config: C = self.configure(setup, version)
        self._is_each_alone: bool = cast("Any", self.config).seats_are_independent

    # Setting up

    def configure(self, setup: Setup, version: int) -> C:
        """Return the constants of a game; call ``refuse`` if the component set or the options are unfit to play with.

        By default, they are the set-up itself. ``version`` is that of the rules with which the game was begun; if a later
        version decides differently, the configuration must say so (see ``GameMeta.oldest``).
        """
        return cast("C", setup)

    def begin(self) -> S:
        """Return the state before the first event of a game without an explicit position.

        By default, the state and each seat's part of it have the defaults of their classes.
        """
        state: Any = self.state
        return cast("S", state(**{state.own_in: tuple(part_of(state)(seat=seat) for seat in self._seats)}))

    def place(self, position: Any) -> S:
        """Return the state that a moderator wrote, in its usual order and unchecked: a position, or an amended state.

        By default, the seats' parts come in the order of the seats. If positions have their own class, the state is that of
        ``begin`` with the values of the fields that both have and that are not ``None``; likewise each seat's part with the
        one of ``seats`` in the position (see ``fill``). A game may change that state further.
        """
        seats, field = self._seats, self.state.own_in
        if isinstance(position, self.state):
            parts = getattr(position, field, ())
            is_whole = sorted(part.seat for part in parts) == sorted(seats)
            if not is_whole or tuple(part.seat for part in parts) == seats:
                return cast("S", position)
            return cast("S", replace(position, **{field: tuple(of_seat(parts, seat) for seat in seats)}))
        state: Any = fill(cast("Any", self.begin()), position)
        given = {part.seat: part for part in position.seats}
        parts = tuple(fill(part, given[part.seat]) if part.seat in given else part for part in getattr(state, field))
        return cast("S", replace(state, **{field: parts}))

    def impossible(self, state: S, position: Any) -> Iterable[str | Flaw]:
        """Yield why ``state`` is impossible: the one validator of explicit positions and amendments.

        The program itself reports unknown ``pieces``, before it asks, and those in several places. After it has asked, it
        tries once whether the game can ask, rank and draw the seats, so check only what would spoil the play. ``position``
        is the explicit position that ``place`` made the state of, with errors that no state can show; ``None`` after an
        amendment.
        """
        return ()

    # Who must act: ``phases`` says it

    def retired(self, state: S, seat: Seat) -> Problem | None:
        """Return why ``seat`` will never act again, or ``None``: the program also asks about seats that are to act."""
        return None

    def is_over(self, state: S) -> bool:
        """Return whether the game is over."""
        raise NotImplementedError

    def position_if_due(self, state: S, seat: Seat) -> S | None:
        """Return ``state`` as if ``seat``, which has nothing to decide now, were due; ``None`` if that is unknown.

        Players use it to plan ahead; it never becomes part of the game.
        """
        return None

    # Legality

    def wrong(self, order: Any) -> Problem | None:
        """Return the problem that ``order`` has in every position, or ``None``.

        By default, it names a seat or a piece that the game does not have, or says itself what is wrong.
        """
        kind: Any = type(order)
        fields = self._known.get(kind)
        if fields is None:
            fields = [(one.field, one.kind.known(self.config)) for one in self._namings.get(kind, ())]
            self._known[kind] = fields
        for at, (field, known) in enumerate(fields):
            names = getattr(order, field)
            for name in names if type(names) is tuple else () if names is None else (names,):
                if name not in known:
                    return unknown_name(self.meta, self.config, order, self._namings[kind], at)
        problem: Problem | None = order.wrong(self.config)
        return problem

    def refusal(self, at: At[C, S, Any], order: Any) -> Problem | None:
        """Return why ``order``, which is not ``wrong``, is not legal for the seat of ``at`` now, or ``None``.

        By default, the order must answer the question to the seat, and says the rest itself.
        """
        ask = self.ask_of(at.state, at.seat)
        if ask is None or ask.answered_in is not None:
            return self.retired(at.state, at.seat) or self.unasked(at, order)
        if type(order) not in ask.orders:
            return ask.refuse(at)
        problem: Problem | None = order.check(at)
        return problem

    def unasked(self, at: At[C, S, Any], order: Any) -> Problem:
        """Return why the seat of ``at``, which is not to answer, may not give ``order``; by default, others must act."""
        return self.others_act(at, *self.not_due)

    def waits(self, at: At[C, S, Any], order: Any) -> bool:
        """Return whether a pending ``order`` must wait, because a question interrupts the seat of ``at``."""
        ask = self.ask_of(at.state, at.seat)
        return ask is not None and ask.answered_in is None and ask.interrupts and type(order) not in ask.orders

    def needs_no_turn(self, at: At[C, S, Any], order: Any) -> bool:
        """Return whether the seat of ``at`` may give ``order`` now, although the game asks it nothing: others wait."""
        return False

    def candidates(self, at: At[C, S, Any]) -> Iterable[Any]:
        """Yield at least every order that may be legal for the seat of ``at``; ``legal`` keeps those that are.

        By default, these are the offers of the orders that answer the question to the seat.
        """
        ask = self.ask_of(at.state, at.seat)
        orders = () if ask is None or ask.answered_in is not None else ask.orders
        return chain.from_iterable(kind.offers(at) for kind in orders)

    def cost(self, at: At[C, S, Any], order: Any) -> tuple[Part, ...] | None:
        """Return the cost of the legal ``order`` in parts, by default what the order says; ``None`` if chance decides."""
        why: tuple[Part, ...] | None = order.cost(at)
        return why

    # What orders do

    def decide(self, at: At[C, S, Any], order: Any, chance: Chance) -> Moves:
        """Yield the events of the legal ``order``; each ``yield`` returns the position after its event.

        By default, they are those of the order.
        """
        events: Moves = order.decide(at, chance)
        return events

    # What people see

    def public_text(self, at: At[C, S, Any], order: Any) -> str | None:
        """Return the public text of ``order``, or ``None`` for its canonical text."""
        return None

    def standings(self, state: S) -> tuple[Standing, ...]:
        """Return the standings, the leader first (see ``ranking``)."""
        raise NotImplementedError

    def draw(self, view: View[C, S, Any]) -> Any:
        """Return a drawing of the position as the viewer of ``view`` may see it: boards, tracks, tables."""
        raise NotImplementedError

    @classmethod
    def catalogue(cls, components: Any) -> Any:
        """Return a drawing of a component set, for people who want to see what is in the box; ``None`` lists its fields."""
        return None

    def choices(self, view: View[C, S, Any]) -> Iterable[tuple[str, str]]:
        """Return the cards or parts that the viewer holds or can choose.

        Each has the name that orders use, and what it does in one line. `legal`, reports and order forms show it.
        """
        return ()

    def warnings(self, state: S) -> Iterable[str]:
        """Return warnings for the moderator about things that are legal but may not be intended."""
        return ()

    def preview(self, view: View[C, S, Any], orders: Sequence[Any]) -> Iterable[tuple[int, Problem]]:
        """Return results of ``orders`` of the viewer that may not be intended, each with the index of its order.

        Only the seat sees them, before it sends its orders. They follow from its own ``view`` and reveal no future draws.
        """
        return ()

    def suppose(self, view: View[C, S, Any], known: Seen, luck: Luck) -> S:
        """Return a state that the viewer of ``view`` may take for the real one, for a private game that goes on from there.

        ``known`` is what it has seen so far; ``luck`` decides what it cannot know. By default, pieces fill the gaps in the
        places of ``pieces``, first those that it knows to be there (see ``Seen``); a game with other secrets gives these
        values, too. The program asks again if the state is impossible, or if the viewer would see another position.
        """
        return cast("S", supposed(self.pieces, view, known, luck))

    # For hooks

    @classmethod
    @final
    def refuse(cls, code: str, flaws: Iterable[str | Flaw]) -> None:
        """Raise ``SetupError`` with all ``flaws``, if there are any; ``code`` is for those without a code."""
        found = [flaw if isinstance(flaw, Flaw) else Flaw(flaw) for flaw in flaws]
        if found:
            problem = cls.meta.problem
            raise SetupError(
                tuple(problem(one.code or code, one.message, one.rule, one.part, one.near, one.written) for one in found)
            )

    @final
    def others_act(self, at: At[C, S, Any], code: str = "not-due", rule: str = "") -> Problem:
        """Return the problem that it is not the turn of the seat of ``at``, and which seats must act."""
        due = [ask.seat for ask in self.due(at.state)]
        return self.meta.problem(code, f"it is not {at.seat}'s turn" + (f": {listed(due)} must act" if due else ""), rule)

    @final
    def at(self, state: S, seat: Seat | None = None) -> At[C, S, Any]:
        """Return the position in which ``seat`` acts, with everything in it."""
        return At(self.config, state, seat)

    @property
    def _seats(self) -> tuple[Seat, ...]:
        return cast("tuple[Seat, ...]", cast("Any", self.config).seats)

    # Setting up

    @final
    def initial(self) -> S:
        """Return the first state of a game. Raises ``SetupError`` if its explicit position is impossible."""
        position = cast("Any", self.config).position
        if position is None:
            return self.begin()
        field = self.state.own_in if self.position is None else "seats"
        named = [part.seat for part in getattr(position, field, ())]
        if named and sorted(named) != sorted(self._seats):
            words = f"the position is for the seats {', '.join(named)}, the game for {', '.join(self._seats)}"
            self.refuse("impossible-position", [words])
        return self._placed("impossible-position", position, position)

    @final
    def amended(self, state: S) -> S:
        """Return the amended ``state`` with the values that follow from it. Raises ``SetupError`` if it is impossible."""
        if tuple(part.seat for part in getattr(state, self.state.own_in, ())) != (self._seats if self.state.own_in else ()):
            self.refuse("impossible-amendment", ["the seats of a game cannot be amended"])
        return self._placed("impossible-amendment", state, None)

    def _placed(self, code: str, given: Any, position: Any) -> S:
        """Return the state of ``given``, a position or an amended state; refuse it with ``code`` if it is impossible."""
        self.refuse(code, unknown_pieces(self.pieces, self.config, given))
        state = self.place(given)
        several = (flaw for kind in self.pieces for flaw in kind.in_several_places(self.config, state))
        self.refuse(code, dict.fromkeys((*several, *self.impossible(state, position))))
        return state

    @classmethod
    @final
    def known_position(cls, position: Any) -> Any:
        """Return the part of an explicit position that every player knows: its fields marked ``PUBLIC``."""
        if cls.position is None or position is None:
            return None
        known = {
            name: getattr(position, name) for name, hint in hints_of(cls.position).items() if note_in(hint, Mark) is PUBLIC
        }
        return cls.position(**known) if any(value is not None for value in known.values()) else None

    # Playing

    def _find(self, state: S) -> tuple[Any, At[C, S, Any], Phase | None]:
        """Return ``state``, its position and its phase: the engine asks again and again."""
        found = self._found
        if found[0] is not state:
            at: At[C, S, Any] = At(self.config, state)
            # Phases of other stages are not tried.
            for when, phase in self._at_stage.get(getattr(state, "stage", None), self._elsewhere):
                if when is None or when(at):
                    found = self._found = state, at, phase
                    break
            else:
                found = self._found = state, at, None
        return found

    def _ask(self, state: S) -> tuple[Any, tuple[Ask, ...], tuple[Ask, ...]]:
        """Return ``state``, what the game asks in it, and which of these answers are due."""
        _, at, phase = self._find(state)
        given: Any = () if phase is None else phase.asks(at)
        asked = (given,) if type(given) is Ask else tuple(given)
        if phase is not None and asked and not getattr(asked[0], "seat", ""):
            found = getattr(asked[0], "kind", asked[0])
            words = f"gives {found!r}, and must give questions to seats: ASK.to(seat)"
            raise EngineFaultError(f"`asks` of the phase {phase.rule} {words}", self.meta.id)
        due = asked
        for ask in asked:
            if ask.answered_in is not None:
                due = tuple([one for one in asked if one.answered_in is None])
                break
        self._asked = state, asked, due
        return self._asked

    @final
    def asked(self, state: S) -> tuple[Ask, ...]:
        """Return what the game asks, in the order in which seats act, also seats that may change their answers."""
        found = self._asked
        return found[1] if found[0] is state else self._ask(state)[1]

    @final
    def due(self, state: S) -> tuple[Ask, ...]:
        """Return the questions that wait for an answer."""
        found = self._asked
        return found[2] if found[0] is state else self._ask(state)[2]

    @final
    def is_window(self, state: S) -> bool:
        """Return whether a seat may change its answer."""
        return self.has_windows and len(self.asked(state)) > len(self.due(state))

    @final
    def ask_of(self, state: S, seat: Seat) -> Ask | None:
        """Return what the game asks ``seat``, also if it may change its answer; ``None`` if it asks nothing."""
        last = self._asked_of
        if last[0] is state and last[1] == seat:
            return last[2]
        asked: Iterable[Ask] = ()
        if not self._is_each_alone:
            asked = self.asked(state)
        elif (phase := self._find(state)[2]) is not None:
            asked = phase.asks(At(self.config, state, seat))
        found = None
        for ask in asked:
            if ask.seat == seat:
                found = ask
                break
        self._asked_of = state, seat, found
        return found

    @final
    def is_due(self, state: S, seat: Seat) -> bool:
        """Return whether an answer of ``seat`` is due."""
        ask = self.ask_of(state, seat)
        return ask is not None and ask.answered_in is None

    @final
    def has_answered(self, state: S, seat: Seat) -> bool:
        """Return whether ``seat`` has answered in a window and can still change its answer."""
        ask = self.ask_of(state, seat)
        return ask is not None and not ask.is_due

    @final
    def answering(self, state: S, seat: Seat) -> At[C, S, Any] | None:
        """Return the position in which ``seat`` gives an order: the present one, or the one before an answer it may change.

        Return ``None`` if ``seat`` is not asked.
        """
        ask = self.ask_of(state, seat)
        if ask is None:
            return None
        at: At[C, S, Any] = At(self.config, state, seat)
        return at if ask.answered_in is None else At(self.config, ask.answered_in(at), seat)

    @final
    def follow(self, state: S, chance: Chance) -> Moves:
        """Return the events that come next without an order: none while an answer is due."""
        _, at, phase = self._find(state)
        if phase is None or phase.follow is _do_nothing or self.due(state):
            return NO_MOVES
        return phase.follow(at, chance)

    @final
    def check(self, at: At[C, S, Any], order: Any) -> Problem | None:
        """Return why ``order`` is not legal for the seat of ``at``, in any position or only in this one, or ``None``."""
        return self.wrong(order) or self.refusal(at, order)

    @final
    def legal(self, at: At[C, S, Any]) -> Iterable[Any]:
        """Return every order that is legal for the seat of ``at``."""
        found = self.candidates(at)
        return found if self.candidates_are_legal else (order for order in found if self.check(at, order) is None)

    @final
    def cost_if_legal(self, at: At[C, S, Any], order: Any) -> tuple[Part, ...] | None:
        """Return the cost of ``order``; ``None`` if it is not legal now, or if the cost depends on chance."""
        return None if self.check(at, order) is not None else self.cost(at, order)

    # Informing people

    @final
    def view(self, state: S, viewer: Viewer) -> View[C, S, Any]:
        """Return what ``viewer`` may know of ``state``, with the questions that are due."""
        (redact,) = self._redact_state
        seen = state if redact is None else redact(self.config, state, state, viewer)
        return View(self.config, seen, viewer, self.due(state))

    @final
    def redact(self, event: Any, viewer: Viewer) -> Any:
        """Return ``event`` as ``viewer`` sees it; ``None`` if it sees nothing of it."""
        if viewer == MODERATOR:
            return event
        mark = self.spent_seen_by if type(event) is Spent else getattr(event, "seen_by", PUBLIC)
        if not mark.sees(self.config, event, event, viewer):
            return None
        hide = self._redactors.get(type(event))
        return event if hide is None else hide(self.config, event, event, viewer)

    @final
    def tell(self, event: Any) -> str:
        """Return the sentence about ``event``; empty if the log shows it in another way."""
        sentence = event.tell(self.config) if isinstance(event, Event) else ""
        return f"{sentence} ({event.rule})" if sentence and self.tells_rules else sentence

    @final
    def fact_values(self, view: View[C, S, Any]) -> Facts:
        """Return the values of the facts that conditions may use, each computed on demand."""
        return {name: partial(fact.value, view) for name, fact in self.facts.items()}

    @final
    def names(self) -> Collection[str]:
        """Return the seats and names, case-folded, that conditions may compare facts with; all others are mistakes."""
        if self._names is None:
            self._names = frozenset(word.casefold() for word in (*self._seats, *cast("Any", self.config).names))
        return self._names


AnyRuleset = Rules[Any, Any]
"""The rules of any game, bound to a set-up."""
Ruleset = type[AnyRuleset]
"""The class of the rules of any game, whose attributes need no set-up."""
AnyRules = AnyRuleset | Ruleset
"""The rules of any game, or their class: for readers of attributes that need no set-up."""
_HOOKS: Final = {
    name
    for name, value in [*vars(Rules).items(), *((name, None) for name in Rules.__annotations__)]
    if not name.startswith("_")
    and not getattr(getattr(value, "__func__", value), "__final__", False)
    and name not in ("language", "types")
}


def changed(rules: R, **parts: Any) -> R:
    """Return a copy of ``rules``, or a subclass of a class of rules, with other attributes or other functions as methods.

    The functions get no ``self`` in a copy. Raises ``AttributeError`` for a name that the rules do not have.
    """
    for name in parts:
        getattr(rules, name)
    if not isinstance(rules, type):
        made: Any = object.__new__(type(rules))
        vars(made).update(vars(rules))
    else:  # what follows from hooks follows again; other parts replace it
        made = type(rules.__name__, (rules,), {name: part for name, part in parts.items() if name in _HOOKS})
    for name, part in parts.items():
        setattr(made, name, part)
    return cast("R", made)


def _require_sound(rules: type[Rules[Any, Any]]) -> None:
    """Raise ``TypeError`` for what the program would only meet in a game, and ``UnmarkedFieldError``.

    A field that the state or a seat's part of it should have and does not have, a function of the game that the program
    would call with other arguments, a field without a mark.
    """
    state = rules.state
    if not issubclass(state, State):
        raise TypeError(f"{state.__name__} must be a `State`: class {state.__name__}(game.State[…])")
    if state.own_in and state.own_in not in state.__struct_fields__:
        raise TypeError(f"{state.__name__} says `own_in = {state.own_in!r}`, and there is no such field")
    part = part_of(state) if state.own_in else None
    if part is not None and not issubclass(part, Value):
        raise TypeError(f"{part.__name__} must be a `Value`: class {part.__name__}(game.Value)")
    own = () if part is None else part.__struct_fields__
    if state.account and state.account not in own:
        raise TypeError(f"{state.__name__} says `account = {state.account!r}`, and a seat's part has no such field")
    events = [kind for kind in rules.events if issubclass(kind, Event)]
    for kind in events:
        missing = declared_changes(kind)[1].difference(state.__struct_fields__, [f"own.{name}" for name in own])
        if missing:
            names = ", ".join(sorted(name.removeprefix("own.") for name in missing))
            why = f" ({state.__name__} has no `own_in`, the name of the field with a part for each seat)"
            raise TypeError(f"{kind.__name__} sets {names}, and there is no such field{'' if state.own_in else why}")
    for one, base in ((rules, Rules), *((kind, Order) for kind in rules.orders), *((kind, Event) for kind in events)):
        for name, given in vars(base).items():  # a static method has no `self`
            own_one = next((vars(above)[name] for above in one.__mro__ if name in vars(above)), given)
            wanted = parameters(given)
            if own_one is not given and wanted and not name.startswith("_"):
                require_parameters(f"{one.__name__}.{name}", own_one, wanted[isinstance(own_one, staticmethod) :])
    for phase in rules.phases:
        for name, wanted in (("when", ("at",)), ("asks", ("at",)), ("follow", ("at", "chance"))):
            require_parameters(f"`{name}` of the phase {phase.rule}", getattr(phase, name), wanted)
    kinds: tuple[Any, ...] = (state, *events)
    marks = (rules.spent_seen_by, *(kind.seen_by for kind in events))
    if any(redactor(kind) for kind in kinds) or any(mark is not PUBLIC for mark in marks):
        require_marks({state: (), **dict.fromkeys(events, ALWAYS_PUBLIC)})
