"""The rules of one game: the hooks that its author writes, and the operations that the program derives from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields
from typing import Any, Final, Self, TypeVar, final

from adjudicator.core.conditions import Facts
from adjudicator.core.each_seat import seat_fields, seats_in
from adjudicator.core.event import ALWAYS_PUBLIC, Event, Part, Spent
from adjudicator.core.facts import FactValues
from adjudicator.core.frozen import change, hints_of
from adjudicator.core.hooks import Hooks, Moves
from adjudicator.core.ids import MODERATOR, Seat, Viewer
from adjudicator.core.piles import unknown_pieces
from adjudicator.core.problem import Flaw, Problem, SetupError
from adjudicator.core.remember import remember_last
from adjudicator.core.ruleset import Decision, Language, Types
from adjudicator.core.view import View
from adjudicator.core.visibility import PUBLIC, has_secrets, mark_of, redactor, require_marks
from adjudicator.core.wording import language

__all__ = ["AnyRuleset", "Moves", "Rules"]
C = TypeVar("C")
S = TypeVar("S")
_HOOKS: Final = {name for name in (*vars(Hooks), *Hooks.__annotations__) if not name.startswith("_")}


class Rules(Hooks[C, S]):
    """The base class of a game's rules. ``Hooks`` lists what a game defines; everything in this class is final.

    A hook is a method, or a function of another module: ``draw = staticmethod(board.draw)``. A public name that is no
    hook raises ``TypeError``. ``language`` is the grammar and the words of orders, ``types`` the classes of files.
    ``fact_names`` explains each fact. A game ``has_windows`` if a seat can ever change an answer.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # Programs that test tests add functions with letters that no author writes.
        wrong = [name for name in vars(cls) if name.isascii() and not name.startswith("_") and name not in _HOOKS]
        if wrong:
            raise TypeError(f"{cls.__name__}: “{wrong[0]}” is not the name of a hook; other names begin with “_”")

    def __init__(self) -> None:
        """Prepare the rules for play.

        Raises ``UnmarkedFieldError`` if the game has secrets and a field of its state or its events has no mark.
        """
        _require_marks(self)
        _require_fields(self)
        grammar = self.grammar or f"{self.meta.id.replace('-', '_')}.lark"
        self.language: Language = change(language(grammar, self.orders, self.terms), completed=self.completed)
        self.types = Types(self.components, self.position or self.state, self.state, self.events)
        self.fact_names = {name: fact.explained(name) for name, fact in self.facts.items()}
        self.has_windows = type(self).position_before_answer is not Hooks.position_before_answer
        self._redact_state = redactor(self.state)
        self._redactors = {kind: redactor(kind) for kind in self.events}

    @final
    def changed(self, **parts: Any) -> Self:
        """Return a copy of these rules with other attributes, or other functions as methods.

        Raises ``AttributeError`` for a name that rules do not have.
        """
        for name in parts:
            getattr(self, name)
        made = object.__new__(type(self))
        vars(made).update({**vars(self), **parts})
        return made

    # For hooks

    @final
    def refuse(self, code: str, flaws: Iterable[str | Flaw]) -> None:
        """Raise ``SetupError`` with all ``flaws``, if there are any; ``code`` is for those without a code."""
        found = [flaw if isinstance(flaw, Flaw) else Flaw(flaw) for flaw in flaws]
        if found:
            problem = self.meta.problem
            raise SetupError(
                tuple(problem(one.code or code, one.message, one.rule, one.part, one.suggestions) for one in found)
            )

    # Setting up

    @final
    def initial(self, config: Any) -> S:
        """Return the first state of a game. Raises ``SetupError`` if its explicit position is impossible."""
        position, seats = config.position, _seats(config)
        if position is None:
            return self.begin(config)
        named = self._seats_named(config, position)
        if named and sorted(named) != sorted(seats):
            words = f"the position is for the seats {', '.join(named)}, the game for {', '.join(seats)}"
            self.refuse("impossible-position", [words])
        return self._placed("impossible-position", config, position, position)

    @final
    def validated_amendment(self, config: Any, state: S) -> S:
        """Return the amended ``state`` with the values that follow from it. Raises ``SetupError`` if it is impossible."""
        now, position = dict(seats_in(state)), config.position
        for name, seats in seats_in(self.begin(config) if position is None else self.place(config, position)):
            # A tuple that begins with one thing for each seat keeps that; tuples of bids and the like grow and shrink.
            if seats == _seats(config) and now[name] != seats:
                self.refuse("impossible-amendment", ["the seats of a game cannot be amended"])
        return self._placed("impossible-amendment", config, state, None)

    def _placed(self, code: str, config: Any, given: Any, position: Any) -> S:
        """Return the state of ``given``, a position or an amended state; refuse it with ``code`` if it is impossible."""
        self.refuse(code, unknown_pieces(self.pieces, config, given))
        state = self.place(config, given)
        several = (flaw for kind in self.pieces for flaw in kind.in_several_places(config, state))
        self.refuse(code, dict.fromkeys((*several, *self.impossible(config, state, position))))
        return state

    @final
    def known_position(self, position: Any) -> Any:
        """Return the part of an explicit position that every player knows: its fields marked ``PUBLIC``."""
        if self.position is None:
            return None
        known = {name: getattr(position, name) for name, hint in hints_of(self.position).items() if mark_of(hint) is PUBLIC}
        return self.position(**known) if any(value is not None for value in known.values()) else None

    def _seats_named(self, config: C, position: Any) -> Sequence[Seat]:
        """Return the seats that ``position`` names, or an empty sequence if it names none."""
        if self.position is not None:
            return [at.seat for at in getattr(position, "seats", ())]
        at_first = {name for name, seats in seats_in(self.begin(config)) if seats == _seats(config)}
        return next((seats for name, seats in seats_in(position) if name in at_first), ())

    # Playing

    @final
    def awaiting(self, config: C, state: S) -> tuple[Decision, ...]:
        """Return the decisions due, each with its seat, its kind and its question."""
        found = (self.decision(config, state, seat) for seat in self.due(config, state))
        return tuple([decision for decision in found if isinstance(decision, Decision)])

    @final
    def decision_due(self, config: C, state: S, seat: Seat) -> Decision | None:
        """Return the decision that is due from ``seat``, or ``None``."""
        found = self.decision(config, state, seat)
        return found if isinstance(found, Decision) else None

    @final
    def kinds_due(self, config: C, state: S) -> dict[Seat, tuple[str, str, str]]:
        """Return the kind and the rule of each decision due, with its words only if the game ``has_windows``.

        One window is like another but for the words (“window 5 of round 1”), and may open while its answers are still there.
        """
        if self.has_windows or type(self).due is not Hooks.due:
            return {one.seat: (one.kind, one.rule, one.ask) for one in self.awaiting(config, state)}
        return {seat: (one.kind, one.rule, "") for seat, one in self.order_of_play.asked(config, state).items()}

    @final
    def is_due(self, config: Any, state: S, seat: Seat) -> bool:
        """Return whether ``seat`` has a decision due."""
        if config.seats_are_independent:
            return isinstance(self.decision(config, state, seat), Decision)
        return seat in self.due(config, state)

    @final
    def eliminated(self, config: C, state: S, seat: Seat) -> Problem | None:
        """Return why ``seat`` will never act again, or ``None`` if it will."""
        found = self.decision(config, state, seat)
        return found if isinstance(found, Problem) else None

    @final
    def refusal(self, config: C, state: S, seat: Seat, order: Any) -> Problem | None:
        """Return why ``order`` is not legal, in any position or only in this one; ``None`` if it is legal."""
        return self.validate(config, order) or self.check(config, state, seat, order)

    @final
    def legal(self, config: C, state: S, seat: Seat) -> Iterable[Any]:
        """Return every order that is legal for ``seat`` now."""
        found = self.candidates(config, state, seat)
        if self.candidates_are_legal:
            return found
        return (order for order in found if self.refusal(config, state, seat, order) is None)

    @final
    def cost_if_legal(self, config: C, state: S, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        """Return the cost of ``order``; ``None`` if it is not legal now, or if the cost depends on chance."""
        return None if self.refusal(config, state, seat, order) is not None else self.cost(config, state, seat, order)

    @final
    def evolve(self, config: C, state: S, event: Any) -> S:
        """Return ``state`` after ``event``."""
        if type(event) is Spent:
            return self.spent(config, state, event)
        after: S = event.apply(config, state)
        return after

    # Informing people

    @final
    def view(self, config: C, state: S, viewer: Viewer) -> View[S]:
        """Return what ``viewer`` may know of ``state``, with the decisions due."""
        redact = self._redact_state
        seen = state if redact is None else redact(config, state, state, viewer)
        return View(viewer, seen, self.awaiting(config, state))

    @final
    def redact(self, config: C, event: Any, viewer: Viewer) -> Any:
        """Return ``event`` as ``viewer`` sees it; ``None`` if it sees nothing of it."""
        if viewer == MODERATOR:
            return event
        mark = self.spent_seen_by if type(event) is Spent else getattr(event, "seen_by", PUBLIC)
        if not mark.sees(config, event, event, viewer):
            return None
        hide = self._redactors.get(type(event))
        return event if hide is None else hide(config, event, event, viewer)

    @final
    def tell(self, config: C, event: Any) -> str:
        """Return the sentence about ``event``; empty if the log shows it in another way."""
        sentence = event.tell(config) if isinstance(event, Event) else ""
        return f"{sentence} ({event.rule})" if sentence and self.tells_rules else sentence

    @final
    def fact_values(self, config: C, view: View[S]) -> Facts:
        """Return the values of the facts that conditions may use, each computed on demand."""
        return FactValues(self.facts, config, view)

    @final
    def names(self, config: C) -> Collection[str]:
        """Return the seats and names, in lower case, that conditions may compare facts with; all others are mistakes."""
        return _names(config)


AnyRuleset = Rules[Any, Any]
"""The rules of any game."""


@remember_last
def _names(config: Any) -> frozenset[str]:
    return frozenset(word.lower() for word in (*config.seats, *config.names))


def _seats(config: Any) -> tuple[Seat, ...]:
    seats: tuple[Seat, ...] = config.seats
    return seats


def _require_marks(rules: AnyRuleset) -> None:
    events = [kind for kind in rules.events if issubclass(kind, Event)]
    marks = (rules.spent_seen_by, *(kind.seen_by for kind in events))
    if has_secrets((rules.state, *events)) or any(mark is not PUBLIC for mark in marks):
        require_marks({rules.state: (), **dict.fromkeys(events, ALWAYS_PUBLIC)})


def _require_fields(rules: AnyRuleset) -> None:
    """Raise ``TypeError`` for an event that sets a field which neither the state nor a seat's part of it has."""
    whole = {field.name for field in fields(rules.state)}
    own = {field.name for thing in [*seat_fields(rules.state).values()][:1] for field in fields(thing)}
    for kind in rules.events:
        of_state = {*getattr(kind, "sets", ()), *getattr(kind, "becomes", ())}
        missing = (of_state - whole) | ({*getattr(kind, "sets_own", ())} - own)
        if missing:
            raise TypeError(f"{kind.__name__} sets {', '.join(sorted(missing))}, and there is no such field")
