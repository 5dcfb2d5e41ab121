"""The hooks of a game's rules: what its author writes, each with its default."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, ClassVar, Generic, TypeVar, cast

from adjudicator.core.catalogue import listed_set
from adjudicator.core.chance import Chance
from adjudicator.core.drawing import Drawing
from adjudicator.core.each_seat import first_seat_field, of_seat, own_changed, seats_in
from adjudicator.core.event import Part, Spent
from adjudicator.core.facts import Fact
from adjudicator.core.order_of_play import OrderOfPlay
from adjudicator.core.phrases import listed
from adjudicator.core.piles import Pieces
from adjudicator.core.problem import Flaw, Problem
from adjudicator.core.ruleset import Decision, GameMeta, Readiness, Setup, Standing, Unit, Upgrade, account_among
from adjudicator.core.values import Seat, replace
from adjudicator.core.view import View
from adjudicator.core.visibility import PUBLIC, Mark
from adjudicator.core.wording import Order, Term

C = TypeVar("C")
"""A game's configuration, which never changes during a game (see ``Configuration``)."""
S = TypeVar("S")
"""A game's state: everything that changes."""
Moves = Generator[Any, S, Any]
"""A generator of events: each ``yield`` returns the state after its event."""


class Hooks(Generic[C, S]):
    """Everything that a game defines. Hooks are pure, and the class holds no state: a game's state is their argument.

    ``meta`` describes the game. ``components``, ``position`` and ``state`` are its classes, ``events`` and ``orders`` all
    kinds of them, ``terms`` the parts of its grammar, ``facts`` the values that conditions may use. ``grammar`` is a file
    among the grammars of this program (by default named like the game) or ``package:path``. ``order_of_play`` has the phases
    and the questions of the game.
    """

    meta: ClassVar[GameMeta]
    components: ClassVar[type]
    position: ClassVar[type | None] = None
    """The class of explicit positions; every player knows its fields marked ``PUBLIC``. Without it, they are states."""
    state: ClassVar[type]
    events: ClassVar[tuple[type, ...]]
    orders: ClassVar[tuple[type[Order], ...]]
    terms: ClassVar[Mapping[str, Term]] = {}
    facts: ClassVar[Mapping[str, Fact]] = {}
    grammar: ClassVar[str] = ""
    order_of_play: ClassVar[OrderOfPlay] = OrderOfPlay()
    pieces: ClassVar[tuple[Pieces, ...]] = ()
    """The kinds of pieces that positions and states name, with the places where they lie."""
    completed: ClassVar[Any] = None
    """A function that completes a player's line: it returns its expression with what the line states once for all parts."""
    candidates_are_legal: ClassVar[bool] = False
    """Whether ``check`` accepts all ``candidates``, so that the program does not ask it about each of them."""
    tells_rules: ClassVar[bool] = True
    """Whether every sentence about an event ends with its rule; if not, ``tell`` names the rule where it helps."""
    spent_seen_by: ClassVar[Mark] = PUBLIC
    """The mark of ``Spent`` events: who sees the cost of a seat's order."""
    upgrades: ClassVar[Mapping[int, Upgrade]] = {}
    """For each older format of game files, the upgrade of this game's parts to the next format."""

    # Setting up

    def configure(self, setup: Setup, version: int) -> C:
        """Return the constants of a game; call ``refuse`` if the component set or the options are unfit to play with.

        By default, they are the set-up itself. ``version`` is that of the rules with which the game was begun; if a later
        version decides differently, the configuration must say so (see ``GameMeta.oldest``).
        """
        return cast("C", setup)

    def begin(self, config: C) -> S:
        """Return the state before the first event of a game without an explicit position.

        By default, the state and each seat's part of it have the defaults of their classes.
        """
        field, thing = first_seat_field(self.state)
        return cast("S", self.state(**{field: tuple(thing(seat=seat) for seat in _seats(config))}))

    def place(self, config: C, position: Any) -> S:
        """Return the state that a moderator wrote, in its usual order and unchecked: a position, or an amended state.

        By default, the seats' parts come in the order of the seats. If positions have their own class, the state copies the
        fields that both have, and its ``seats`` are the seats' parts.
        """
        if isinstance(position, self.state):
            return cast("S", self._in_order_of_seats(config, position))
        things = tuple(of_seat(position.seats, seat) for seat in _seats(config))
        kind: Any = self.state
        shared = set(kind.__struct_fields__).intersection(position.__struct_fields__)
        own = {name: getattr(position, name) for name in shared}
        return cast("S", self.state(**own, **{first_seat_field(self.state)[0]: things}))

    def impossible(self, config: C, state: S, position: Any) -> Iterable[str | Flaw]:
        """Yield why ``state`` is impossible: the one validator of explicit positions and amendments.

        The program itself reports unknown ``pieces``, before it asks, and those in several places. ``position`` is the
        explicit position that ``place`` made the state of, with errors that no state can show; ``None`` after an amendment.
        """
        return ()

    # Who must act

    def decision(self, config: C, state: S, seat: Seat) -> Decision | Problem | None:
        """Return the decision that is due from ``seat``; ``None`` if others act first; why it will never act again.

        By default, it is the question that the order of play asks the seat.
        """
        asked = self.order_of_play.asked(config, state).get(seat)
        return None if asked is None else Decision(seat, asked.kind, asked.words(config, state, seat), asked.rule)

    def due(self, config: C, state: S) -> tuple[Seat, ...]:
        """Return the seats with a ``decision`` due, in the order in which they act; several at once if all answer.

        By default, the order of play says it.
        """
        return tuple(self.order_of_play.asked(config, state))

    def is_over(self, config: C, state: S) -> bool:
        """Return whether the game is over."""
        raise NotImplementedError

    def position_if_due(self, config: C, state: S, seat: Seat) -> S | None:
        """Return ``state`` as if ``seat``, which has nothing to decide now, were due; ``None`` if that is unknown.

        Players use it to plan ahead; it never becomes part of the game.
        """
        return None

    def position_before_answer(self, config: C, state: S, seat: Seat) -> S | None:
        """Return the position in which ``seat`` can change its answer while other seats have yet to answer, or ``None``.

        The events of an order decided there, applied to ``state``, must lead to the same position.
        """
        return None

    # Legality

    def validate(self, config: C, order: Any) -> Problem | None:
        """Return the problem that ``order`` has in every position, such as an unknown tile, or ``None``.

        By default, the order says it.
        """
        problem: Problem | None = order.validate(config)
        return problem

    def check(self, config: C, state: S, seat: Seat, order: Any) -> Problem | None:
        """Return why ``seat`` may not give ``order``, which ``validate`` accepts, now, or ``None``.

        All other checks of legality belong here. By default, the order must answer the question to the seat, and says the
        rest itself.
        """
        asked = self.order_of_play.asked(config, state).get(seat)
        if asked is None:
            return self._not_due(config, state, seat)
        if type(order) not in asked.orders:
            return asked.refuse(config, state, seat)
        problem: Problem | None = order.check(config, state, seat)
        return problem

    def candidates(self, config: C, state: S, seat: Seat) -> Iterable[Any]:
        """Yield at least every order that may be legal for ``seat`` now; ``legal`` keeps those that ``check`` accepts.

        By default, these are the offers of the orders that answer the question to the seat.
        """
        asked = self.order_of_play.asked(config, state).get(seat)
        return chain.from_iterable(kind.offers(config, state, seat) for kind in (() if asked is None else asked.orders))

    def cost(self, config: C, state: S, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        """Return the cost of the legal ``order``, part by part; ``None`` if it depends on chance.

        By default, the order says it.
        """
        why: tuple[Part, ...] | None = order.cost(config, state, seat)
        return why

    # What orders do

    def decide(self, config: C, state: S, seat: Seat, order: Any, chance: Chance) -> Moves[S]:
        """Yield the events of the legal ``order``; each ``yield`` returns the state after its event.

        By default, they are those of the order.
        """
        events: Moves[S] = order.decide(config, state, seat, chance)
        return events

    def proceed(self, config: C, state: S, chance: Chance) -> Moves[S]:
        """Yield the next events that need no order, if any: dealing, phases, the end.

        By default, the order of play says them.
        """
        return self.order_of_play.follow(config, state, chance)

    def spent(self, config: C, state: S, event: Spent) -> S:
        """Return ``state`` with the account of the event's seat at ``event.after``.

        By default, the account is the field of the seat's part of the state with the name of the account or of the unit (see
        ``Unit``); without such a field nothing changes.
        """
        account = _account_of(self.state, self.meta.unit)
        return cast("S", own_changed(state, event.seat, {account: event.after})) if account else state

    def continuation(self, config: C, state: S, seat: Seat, order: Any) -> Any | None:
        """Return the rest of an order of several steps (``WAIT 3``: ``WAIT 2``) in the state after one step, or ``None``.

        The rest stays pending before the other orders of its sheet, and a new sheet can still replace it.
        """
        return None

    def readiness(self, config: C, state: S, seat: Seat, order: Any) -> Readiness:
        """Return whether a pending order can be tried now, must wait for an answer of its seat, or has expired.

        By default, it waits while a question interrupts the seat that it does not answer.
        """
        asked = self.order_of_play.asked(config, state).get(seat)
        is_ready = asked is None or not asked.interrupts or type(order) in asked.orders
        return Readiness.READY if is_ready else Readiness.WAITS

    # What people see

    def public_text(self, config: C, state: S, seat: Seat, order: Any) -> str | None:
        """Return the public text of ``order``, or ``None`` for its canonical text."""
        return None

    def standings(self, config: C, state: S) -> tuple[Standing, ...]:
        """Return the standings, the leader first (see ``ranking``)."""
        raise NotImplementedError

    def draw(self, config: C, view: View[S]) -> Drawing:
        """Return a drawing of the position as the viewer of ``view`` may see it: boards, tracks, tables."""
        raise NotImplementedError

    def catalogue(self, components: Any) -> Drawing:
        """Return a drawing of a component set, for people who want to see what is in the box."""
        return listed_set(components)

    def choices(self, config: C, view: View[S]) -> Iterable[tuple[str, str]]:
        """Return the cards or parts that the viewer holds or can choose.

        Each has the name that orders use, and what it does in one line. `legal`, reports and order forms show it.
        """
        return ()

    def warnings(self, config: C, state: S) -> Iterable[str]:
        """Return warnings for the moderator about things that are legal but may not be intended."""
        return ()

    def preview(self, config: C, view: View[S], seat: Seat, orders: Sequence[Any]) -> Iterable[tuple[int, Problem]]:
        """Return results of the ``orders`` of ``seat`` that may not be intended, each with the index of its order.

        Only the seat sees them, before it sends its orders. They follow from its own ``view`` and reveal no future draws.
        """
        return ()

    def _not_due(self, config: C, state: S, seat: Seat) -> Problem:
        """Return why ``seat`` may order nothing now: it is out of the game, or other seats must act."""
        gone = self.decision(config, state, seat)
        if isinstance(gone, Problem):
            return gone
        due, (code, rule) = self.due(config, state), self.order_of_play.not_due
        return self.meta.problem(code, f"it is not {seat}'s turn" + (f": {listed(due)} must act" if due else ""), rule)

    def _in_order_of_seats(self, config: C, state: Any) -> Any:
        """Return ``state`` with the things that each seat has one of, from the first state on, in the order of the seats."""
        seats, found = _seats(config), dict(seats_in(state))
        at_first = (name for name, first in seats_in(self.begin(config)) if first == seats)
        whole = [name for name in at_first if found[name] != seats and sorted(found[name]) == sorted(seats)]
        changes = {name: tuple(of_seat(getattr(state, name), seat) for seat in seats) for name in whole}
        return replace(state, **changes) if changes else state


def _seats(config: Any) -> tuple[Seat, ...]:
    return cast("tuple[Seat, ...]", config.seats)


@cache
def _account_of(state: type, unit: Unit) -> str:
    """Return the field of the account in each seat's part of ``state``; empty if it has none."""
    thing: Any
    try:
        _, thing = first_seat_field(state)
    except NotImplementedError:
        return ""
    return account_among(thing.__struct_fields__, unit)
