"""What a game tells simulated players: orders worth a look, how good a position is, what hidden pieces may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, cast

from adjudicator.core.at import View
from adjudicator.core.event import InOrder
from adjudicator.core.values import Seat, Value, hints_of, replace
from adjudicator.core.visibility import Mark, classes_in, note_in, secret_fields

if TYPE_CHECKING:
    from adjudicator.core.piles import Pieces


T = TypeVar("T")


class Luck(Protocol):
    """The source of a player's random choices: a ``random.Random`` with a seed."""

    def choice(self, among: Sequence[T], /) -> T:
        """Return any of ``among``."""

    def random(self) -> float:
        """Return a number from 0 to below 1."""

    def sample(self, among: Sequence[T], /, k: int) -> list[T]:
        """Return ``k`` of ``among``, in any order."""


class Advice(NamedTuple):
    """What a game tells a simulated player about one decision.

    ``orders`` are those worth a look, the best first; ``None`` means all legal ones. ``ahead`` estimates from the state, as
    the viewer sees it, what the viewer has still to spend: the player takes the order with the least cost now and ahead.
    Without ``ahead`` it takes the first of ``orders`` that is legal.
    """

    orders: Iterable[Any] | None = None
    ahead: Callable[[Any], float] | None = None


class Advise(Protocol):
    """The function ``advise`` of a game's file ``bot.py``, which simulated players ask."""

    def __call__(self, view: View[Any, Any, Any], luck: Luck, *, plans: bool) -> Advice | None:
        """Return advice for a player of the viewer, which knows only ``view``; ``None`` if any legal order will do.

        A player that ``plans`` wants the best order, else any. ``luck`` is for choices between equally good orders.
        """
        ...


def no_advice(view: View[Any, Any, Any], luck: Luck, *, plans: bool) -> Advice | None:
    """Return the advice for a game without a file ``bot.py``: to compare standings after all legal orders."""
    return Advice() if plans else None


class Seen(Value):
    """What a viewer has seen of a game: the ``events`` that still count, and the hidden pieces whose places it knows.

    ``held`` has these by seat and place, as ``Pieces`` names it: a tile that blue took from an open row is
    ``{("blue", "racers.hand"): ("H3",)}``.
    """

    events: tuple[Any, ...]
    held: Mapping[tuple[Seat, str], tuple[Any, ...]]


def seen(kinds: Sequence[Pieces], config: Any, viewer: Seat, steps: Sequence[tuple[Iterable[Any], Any]]) -> Seen:
    """Return what ``viewer`` has seen in ``steps``: the events of each entry, and the state after it, as it sees them.

    ``kinds`` are those of the pieces of the game.

    Each event is tried on a view in which every hidden place has all unseen pieces: what is missing there afterwards has
    left the place, what is new there has come to it.
    """
    known, events = dict[tuple[Seat, str], Counter[Any]](), list[Any]()
    before: Any = None
    hidden = [(kind, [place for place in kind.places if _may_hide(type(steps[0][1]), place)]) for kind in kinds]
    for happened, after in steps:
        events += happened
        for kind, places in hidden if before is not None else ():
            every = tuple(kind.left(config, before))
            for place in places:
                full, there = _stuffed(config, before, viewer, place, every)
                for event in happened if there else ():
                    try:
                        changed = event.apply(config, full)
                    except Exception:  # an event with gaps that no rule expects tells nothing of this place
                        continue
                    for holder, pieces in _places(changed, place):
                        if (had := there.get(holder.seat)) is not None:
                            held, now = known.setdefault((holder.seat, place), Counter()), Counter(pieces)
                            held += now - had
                            held -= had - now
        for kind, places in hidden:  # what lies open now is not hidden any more
            unseen = Counter(kind.left(config, after))
            for where, held in known.items():
                if where[1] in places:
                    held &= unseen
        before = after
    return Seen(tuple(events), {where: tuple(held.elements()) for where, held in known.items() if held})


def supposed(kinds: Sequence[Pieces], view: View[Any, Any, Any], known: Seen, luck: Luck) -> Any:
    """Return the state of ``view`` with a piece in each gap where its viewer counts pieces that it does not see.

    The pieces that it knows to be there come first, and ``luck`` deals the others.
    """
    state = view.state
    for kind in kinds:
        pool = Counter(kind.left(view.config, state))
        for (_, place), pieces in known.held.items():
            pool -= Counter(pieces) if place in kind.places else Counter()
        left = luck.sample(rest := list(pool.elements()), k=len(rest))
        for place in kind.places:

            def filled(holder: Any, pieces: tuple[Any, ...], place: str = place, left: list[Any] = left) -> tuple[Any, ...]:
                if None not in pieces:
                    return pieces
                there = [*known.held.get((getattr(holder, "seat", Seat("")), place), ())]
                dealt = [
                    one if one is not None else there.pop() if there else left.pop() if left else None for one in pieces
                ]
                order = note_in(hints_of(cast("type", type(holder)))[place.rpartition(".")[2]], InOrder)
                return tuple(sorted(dealt, key=order.key(view.config)) if order and None not in dealt else dealt)

            state = _refilled(state, place.split("."), filled)
    return state


def _may_hide(state: Any, place: str) -> bool:
    """Return whether the pieces at ``place`` of the class ``state`` are hidden from some viewers."""
    *way, field = place.split(".")
    holders: list[Any] = [state]
    for step in way:
        holders = [inner for one in holders if step in hints_of(one) for inner in classes_in(hints_of(one)[step])]
    return any(field in secret_fields(one) for one in holders)


def _stuffed(
    config: Any, state: Any, viewer: Seat, place: str, every: tuple[Any, ...]
) -> tuple[Any, dict[Seat, Counter[Any]]]:
    """Return ``state`` with ``every`` unseen piece at each ``place`` that ``viewer`` cannot see, and these by their seat."""
    field, hidden = place.rpartition(".")[2], dict[Seat, Counter[Any]]()

    def stuffed(holder: Any, pieces: tuple[Any, ...]) -> tuple[Any, ...]:
        mark = note_in(hints_of(cast("type", type(holder)))[field], Mark)
        if mark is None or not hasattr(holder, "seat") or mark.sees(config, state, holder, viewer):
            return pieces
        hidden[holder.seat] = Counter(every)
        return every

    return _refilled(state, place.split("."), stuffed), hidden


def _places(state: Any, place: str) -> Iterable[tuple[Any, tuple[Any, ...]]]:
    """Yield each holder in ``state`` with the pieces that lie at its ``place``."""
    found = list[tuple[Any, tuple[Any, ...]]]()

    def noted(holder: Any, pieces: tuple[Any, ...]) -> tuple[Any, ...]:
        found.append((holder, pieces))
        return pieces

    _refilled(state, place.split("."), noted)
    return found


def _refilled(value: Any, way: Sequence[str], fill: Callable[[Any, tuple[Any, ...]], tuple[Any, ...]]) -> Any:
    """Return ``value`` with what ``fill`` gives for the holder and the pieces of each tuple at the end of the ``way``."""
    field, *rest = way
    inner = getattr(value, field, None)
    if rest and isinstance(inner, Sequence) and not isinstance(inner, str):
        new: Any = tuple(_refilled(one, rest, fill) for one in inner)
    elif rest and isinstance(inner, Value):
        new = _refilled(inner, rest, fill)
    elif not rest and isinstance(inner, tuple):
        new = fill(value, inner)
    else:
        return value
    return replace(value, **{field: new})
