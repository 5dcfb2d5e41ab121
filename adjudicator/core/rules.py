"""The base class of a game's rules: its hooks define who acts, which orders are legal, and what follows from them.

``record`` compiles it (``core/compiled.py``) into the record of pure functions that engine, files and reports call. The
class holds no state: everything that changes is in the state that its hooks receive.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any, ClassVar, TypeVar, cast

from adjudicator.core.catalogue import listed_set
from adjudicator.core.chance import Chance
from adjudicator.core.compiled import checked, compiled
from adjudicator.core.drawing import Drawing
from adjudicator.core.event import Part
from adjudicator.core.facts import Fact
from adjudicator.core.ids import Seat
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Flaw, Problem
from adjudicator.core.ruleset import Decision, Meta, Ruleset, Setup, Upgrade
from adjudicator.core.seat_rules import SeatRules
from adjudicator.core.view import View
from adjudicator.core.visibility import PUBLIC, Mark
from adjudicator.core.wording import Order, Term

C = TypeVar("C")
"""A game's configuration, which never changes during a game. It has at least ``seats`` and ``position``."""
S = TypeVar("S")
"""A game's state: everything that changes."""
Moves = Generator[Any, S, Any]
"""A generator of events: each ``yield`` returns the state after its event."""


def _require_hook(kind: type, name: str) -> None:
    if not isinstance(getattr(Rules, name, None), FunctionType) or name.startswith("_"):
        raise TypeError(f"{kind.__name__}: “{name}” is not the name of a hook")
    if name in vars(kind):
        raise TypeError(f"{kind.__name__} defines the hook “{name}” twice")


class Rules(SeatRules[C, S]):
    """The rules of one game. More hooks, with defaults that suit most games, are in ``SeatRules``.

    ``meta`` describes the game. ``components``, ``position`` and ``state`` are its classes, ``events`` and ``orders`` all
    kinds of them, ``terms`` the parts of its grammar, ``facts`` the values that conditions may use. ``grammar`` is a file
    among the grammars of this program (by default named like the game) or ``package:path``.
    """

    meta: ClassVar[Meta]
    components: ClassVar[type]
    position: ClassVar[type | None] = None
    """The class of explicit positions; without one they are written like states."""
    state: ClassVar[type]
    events: ClassVar[tuple[type, ...]]
    orders: ClassVar[tuple[type[Order], ...]]
    terms: ClassVar[Mapping[str, Term]] = {}
    facts: ClassVar[Mapping[str, Fact]] = {}
    grammar: ClassVar[str] = ""
    completed: ClassVar[Any] = None
    """A function that completes a player's line: it returns its expression with what the line states once for all parts."""
    tells_rules: ClassVar[bool] = True
    """Whether every sentence about an event ends with its rule; if not, ``tell`` names the rule where it helps."""
    spent_seen_by: ClassVar[Mark] = PUBLIC
    """The mark of ``Spent`` events: who sees the cost of a seat's order."""
    upgrades: ClassVar[Mapping[int, Upgrade]] = {}
    """For each older format of game files, the upgrade of this game's parts to the next format."""

    def __init_subclass__(cls, *, hooks: Iterable[Callable[..., Any]] = ()) -> None:
        """Install each function of ``hooks`` as the hook of its name, so that other modules of the game may define hooks.

        Raises ``TypeError`` for a function whose name is not that of a hook, and for a hook that is defined twice.
        """
        super().__init_subclass__()
        for function in hooks:
            _require_hook(cls, function.__name__)
            setattr(cls, function.__name__, staticmethod(function))

    # Setting up

    def unfit(self, setup: Setup) -> Iterable[str | Flaw]:
        """Yield the reasons why the component set or the options are unfit to play with."""
        return ()

    def configure(self, setup: Setup, version: int) -> C:
        """Return the constants of a game: seats, options, components, and look-up tables made from them.

        Without such tables, that is the set-up itself. ``version`` is that of the rules with which the game was begun; if a
        later version decides differently, the configuration must say so (see ``Meta.oldest``).
        """
        return cast("C", setup)

    def misplaced(self, config: C, position: Any) -> Iterable[str | Flaw]:
        """Yield flaws of an explicit position that no state can represent, so that ``impossible`` cannot see them."""
        return ()

    def known_position(self, position: Any) -> Any:
        """Return the part of an explicit position that every player knows and the rules need later; ``None`` if nothing."""
        return None

    def normalized(self, config: C, state: S) -> S:
        """Return ``state``, placed or amended by a moderator, with everything in its usual order."""
        return state

    def impossible(self, config: C, state: S) -> Iterable[str | Flaw]:
        """Yield why ``state`` is impossible: the one validator of explicit positions and amendments."""
        return ()

    # Who must act

    def awaiting(self, config: C, state: S) -> tuple[Decision, ...]:
        """Return the decisions due, each with its seat, its kind and its question; several at once if all answer."""
        raise NotImplementedError

    def due(self, config: C, state: S) -> tuple[Seat, ...]:
        """Return the seats of the decisions in ``awaiting``, in their order.

        Define it only if writing the questions takes time: carrying out or auditing orders does not need them.
        """
        return tuple([decision.seat for decision in self.awaiting(config, state)])

    def asked(self, config: C, state: S, seat: Seat) -> Decision | None:
        """Return the decision that is due from ``seat``, if any. Define it only if many seats decide at once."""
        return next((decision for decision in self.awaiting(config, state) if decision.seat == seat), None)

    def are_apart(self, config: C) -> bool:
        """Return whether no order of one seat ever affects whether another seat must act, unless it ends the game.

        Then the engine carries out all orders of a seat in one go without looking at the other seats, so that the time for
        each seat does not grow with their number.
        """
        return False

    def is_over(self, config: C, state: S) -> bool:
        """Return whether the game is over."""
        raise NotImplementedError

    def eliminated(self, config: C, state: S, seat: Seat) -> Problem | None:
        """Return why ``seat`` will never act again, or ``None`` if it will."""
        return None

    # Legality

    def validate(self, config: C, order: Any) -> Problem | None:
        """Return the problem that ``order`` has in every position, such as an unknown tile, or ``None``."""
        return None

    def check(self, config: C, state: S, seat: Seat, order: Any) -> Problem | None:
        """Return why ``seat`` may not give ``order`` now, or ``None``. All other checks of legality belong here."""
        raise NotImplementedError

    def candidates(self, config: C, state: S, seat: Seat) -> Iterable[Any]:
        """Yield at least every order that may be legal for ``seat`` now; ``legal`` keeps those that ``check`` accepts."""
        raise NotImplementedError

    def not_due(self, config: C, state: S, seat: Seat, code: str, rule: str) -> Problem:
        """Return why ``seat`` may order nothing now: it is out of the game, or (``code``) other seats must act."""
        due = self.due(config, state)
        message = f"it is not {seat}'s turn" + (f": {listed(due)} must act" if due else "")
        return self.eliminated(config, state, seat) or self.meta.problem(code, message, rule)

    def legal(self, config: C, state: S, seat: Seat) -> Iterable[Any]:
        """Yield every order that ``check`` accepts from ``seat`` now. Define it only for speed."""
        return (order for order in self.candidates(config, state, seat) if checked(self, config, state, seat, order) is None)

    def if_due(self, config: C, state: S, seat: Seat) -> S | None:
        """Return ``state`` as if ``seat``, which has nothing to decide now, were due; ``None`` if that is unknown.

        Players use it to plan ahead; it never becomes part of the game.
        """
        return None

    def cost(self, config: C, state: S, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        """Return the cost of the legal ``order``, part by part; ``None`` if it depends on chance."""
        return ()

    # What orders do

    def decide(self, config: C, state: S, seat: Seat, order: Any, chance: Chance) -> Moves[S]:
        """Yield the events of the legal ``order``; each ``yield`` returns the state after its event."""
        raise NotImplementedError

    def proceed(self, config: C, state: S, chance: Chance) -> Moves[S]:
        """Yield the next events that need no order, if any: dealing, phases, the end."""
        yield from ()

    def continuation(self, config: C, state: S, seat: Seat, order: Any) -> Any | None:
        """Return the rest of an order of several steps (``WAIT 3``: ``WAIT 2``) in the state after one step, or ``None``."""
        return None

    def reopened(self, config: C, state: S, seat: Seat) -> S | None:
        """Return the position in which ``seat`` can change its answer while other seats have yet to answer, or ``None``.

        The events of an order decided there, applied to ``state``, must lead to the same position.
        """
        return None

    def expired(self, config: C, state: S, seat: Seat, order: Any) -> bool:
        """Return whether the time of a pending order is over, so that it is dropped."""
        return False

    def is_for_later(self, config: C, state: S, seat: Seat, order: Any) -> bool:
        """Return whether ``seat`` must first answer a question that ``order`` does not answer, so that the order waits."""
        return False

    # What people see

    def public_text(self, config: C, state: S, seat: Seat, order: Any) -> str | None:
        """Return the public text of ``order``, or ``None`` for its canonical text."""
        return None

    def draw(self, config: C, view: View[S]) -> Drawing:
        """Return a drawing of the position as the viewer of ``view`` may see it: boards, tracks, tables."""
        raise NotImplementedError

    def catalogue(self, components: Any) -> Drawing:
        """Return a drawing of a component set, for people who want to see what is in the box."""
        return listed_set(components)

    def names(self, config: C) -> Iterable[str]:
        """Return the names, in addition to the seats, that conditions may compare facts with; all others are mistakes."""
        return ()

    def lint(self, config: C, state: S) -> Iterable[str]:
        """Return warnings about things that are legal but may not be intended."""
        return ()

    def choices(self, config: C, view: View[S]) -> Iterable[tuple[str, str]]:
        """Return the cards or parts that the viewer holds or can choose.

        Each has the name that orders use, and what it does in one line. `legal`, reports and order forms show it.
        """
        return ()

    def foresee(self, config: C, view: View[S], seat: Seat, orders: Sequence[Any]) -> Iterable[tuple[int, Problem]]:
        """Return results of the ``orders`` of ``seat`` that may not be intended, each with the index of its order.

        Only the seat sees them, before it sends its orders. They follow from its own ``view`` and reveal no future draws.
        """
        return ()

    def record(self) -> Ruleset[C, S]:
        """Return these rules as the record of functions that the core calls.

        Raises ``UnmarkedFieldError`` if the game has secrets and a field of its state or its events has no mark.
        """
        return compiled(self)
