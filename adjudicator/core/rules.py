"""What a game is written with: one class of rules, whose hooks say what is asked, what is legal and what follows.

``record`` compiles it (``core/compiled.py``) into the record of pure functions that engine, files and reports call. The
class holds no state: all that changes is in the state that its hooks are given.
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
"""A game's configuration: what does not change while a game lasts. It has at least ``seats`` and ``position``."""
S = TypeVar("S")
"""A game's state: everything that changes."""
Moves = Generator[Any, S, Any]
"""What happens, event by event: each ``yield`` gives the state after it."""


def _require_hook(kind: type, name: str) -> None:
    if not isinstance(getattr(Rules, name, None), FunctionType) or name.startswith("_"):
        raise TypeError(f"{kind.__name__}: “{name}” is not the name of a hook")
    if name in vars(kind):
        raise TypeError(f"{kind.__name__} defines the hook “{name}” twice")


class Rules(SeatRules[C, S]):
    """The rules of one game. More hooks, of which a game writes those that it has otherwise, are in ``SeatRules``.

    ``meta`` tells what it is; ``components``, ``position`` and ``state`` are its classes, ``events`` and ``orders`` all
    kinds of them, ``terms`` the parts of its grammar, ``facts`` what conditions may ask for. ``grammar`` is a file among the
    grammars of this program, named like the game unless said otherwise, or ``package:path``.
    """

    meta: ClassVar[Meta]
    components: ClassVar[type]
    position: ClassVar[type | None] = None
    """The class of explicit positions; without one they are written as states are."""
    state: ClassVar[type]
    events: ClassVar[tuple[type, ...]]
    orders: ClassVar[tuple[type[Order], ...]]
    terms: ClassVar[Mapping[str, Term]] = {}
    facts: ClassVar[Mapping[str, Fact]] = {}
    grammar: ClassVar[str] = ""
    completed: ClassVar[Any] = None
    """A function that gives what a player's line means: its expression with what is said once for all of it."""
    tells_rules: ClassVar[bool] = True
    """Whether every sentence about an event ends with its rule; if not, ``tell`` names it where that says something."""
    spent_seen_by: ClassVar[Mark] = PUBLIC
    """Who sees what an order cost a seat: the mark of ``Spent``, asked with that event."""
    upgrades: ClassVar[Mapping[int, Upgrade]] = {}
    """For each older format of game files, what makes this game's parts of it those of the next format."""

    def __init_subclass__(cls, *, hooks: Iterable[Callable[..., Any]] = ()) -> None:
        """Make each function of ``hooks`` the hook of its name: other modules of the game may define them.

        Raises ``TypeError`` for a function whose name is not that of a hook, and for a hook that is defined twice.
        """
        super().__init_subclass__()
        for function in hooks:
            _require_hook(cls, function.__name__)
            setattr(cls, function.__name__, staticmethod(function))

    # Setting up

    def unfit(self, setup: Setup) -> Iterable[str | Flaw]:
        """Yield what makes the component set, or the options, unfit to play with."""
        return ()

    def configure(self, setup: Setup, version: int) -> C:
        """Return what never changes in a game: seats, options, components with what is looked up in them.

        That is the set-up itself where there is no more to it. ``version`` is that of the rules by which the game was begun:
        where a later one decides otherwise, the configuration says so (see ``Meta.oldest``).
        """
        return cast("C", setup)

    def misplaced(self, config: C, position: Any) -> Iterable[str | Flaw]:
        """Yield what is written in an explicit position that no state could have, so that ``impossible`` cannot see it."""
        return ()

    def known_position(self, position: Any) -> Any:
        """Return what of an explicit position every player knows and the rules look at later on, ``None`` if nothing."""
        return None

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

    def due(self, config: C, state: S) -> tuple[Seat, ...]:
        """Return the seats of the decisions that are ``awaiting``, in their order.

        To be written only where the questions take time to put: who carries orders out, or decides them again, does not ask.
        """
        return tuple([decision.seat for decision in self.awaiting(config, state)])

    def asked(self, config: C, state: S, seat: Seat) -> Decision | None:
        """Return the decision that is due of ``seat``, if one is. To be written only where many seats are asked at once."""
        return next((decision for decision in self.awaiting(config, state) if decision.seat == seat), None)

    def are_apart(self, config: C) -> bool:
        """Return whether no order of one seat ever changes whether another is asked, unless it ends the game.

        Then the orders of each seat are carried out in one go, and nobody else is looked at meanwhile: a thousand seats
        take no longer, each, than ten.
        """
        return False

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
        due = self.due(config, state)
        message = f"it is not the turn of {seat}: {listed(due) or 'nobody'} {'are' if len(due) > 1 else 'is'} to act"
        return self.eliminated(config, state, seat) or self.meta.problem(code, message, rule)

    def legal(self, config: C, state: S, seat: Seat) -> Iterable[Any]:
        """Yield every order that ``check`` accepts from ``seat`` now. To be written only where speed asks for it."""
        return (order for order in self.candidates(config, state, seat) if checked(self, config, state, seat, order) is None)

    def if_due(self, config: C, state: S, seat: Seat) -> S | None:
        """Return ``state`` as if ``seat``, of which nothing is asked now, were due; ``None`` where that cannot be said.

        Nothing of it is kept: players look at it to plan ahead.
        """
        return None

    def cost(self, config: C, state: S, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        """Return what the legal ``order`` costs, part by part; ``None`` where chance has still to tell."""
        return ()

    # What follows

    def decide(self, config: C, state: S, seat: Seat, order: Any, chance: Chance) -> Moves[S]:
        """Yield the events of the legal ``order``; each ``yield`` gives the state after it."""
        raise NotImplementedError

    def proceed(self, config: C, state: S, chance: Chance) -> Moves[S]:
        """Yield what happens next without anybody's order, or nothing: dealing, phases, the end."""
        yield from ()

    def continuation(self, config: C, state: S, seat: Seat, order: Any) -> Any | None:
        """Return what is left of an order of several steps (``WAIT 3``: ``WAIT 2``) in the state after it, or ``None``."""
        return None

    def reopened(self, config: C, state: S, seat: Seat) -> S | None:
        """Return the position in which ``seat`` is asked again what it has answered while others are asked, or ``None``.

        What an order leads to from there must lead from ``state`` to the same position.
        """
        return None

    def expired(self, config: C, state: S, seat: Seat, order: Any) -> bool:
        """Return whether the time of an order that waits is over, so that it is dropped."""
        return False

    def is_for_later(self, config: C, state: S, seat: Seat, order: Any) -> bool:
        """Return whether ``seat`` is asked something in between now, to which ``order`` is no answer: then that waits on."""
        return False

    # What is told

    def public_text(self, config: C, state: S, seat: Seat, order: Any) -> str | None:
        """Return the words in which everybody may read ``order``, ``None`` for its own."""
        return None

    def draw(self, config: C, view: View[S]) -> Drawing:
        """Return the position, as the view's viewer may see it, in shapes: boards, tracks, tables."""
        raise NotImplementedError

    def catalogue(self, components: Any) -> Drawing:
        """Return a component set in shapes, for people who want to see what is in the box."""
        return listed_set(components)

    def names(self, config: C) -> Iterable[str]:
        """Return the words that facts are compared with besides the seats, so that one that does not exist is told."""
        return ()

    def lint(self, config: C, state: S) -> Iterable[str]:
        """Return warnings: what is legal but may not be meant."""
        return ()

    def choices(self, config: C, view: View[S]) -> Iterable[tuple[str, str]]:
        """Return the cards or parts that the viewer holds or can choose.

        Each has the name that orders use, and what it does in one line. `legal`, reports and order forms show it.
        """
        return ()

    def foresee(self, config: C, view: View[S], seat: Seat, orders: Sequence[Any]) -> Iterable[tuple[int, Problem]]:
        """Return what the ``orders`` of ``seat`` would lead to and may not be meant, each with the index of its order.

        It is for the seat alone, before it sends them: from its own ``view``, and nothing of what chance would give.
        """
        return ()

    def record(self) -> Ruleset[C, S]:
        """Return these rules as the record of functions that the core calls.

        Raises ``UnmarkedFieldError`` if the game has secrets and a field of its state or its events has no mark.
        """
        return compiled(self)
