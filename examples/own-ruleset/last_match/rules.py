"""Last Match: take one to three matches in turn. Whoever takes the last one has lost."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from adjudicator.core.chance import Chance
from adjudicator.core.conditions import Facts
from adjudicator.core.drawing import Drawing, Fields
from adjudicator.core.event import Part, Spent
from adjudicator.core.ids import Name, RuleId, Seat, Viewer
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import Decision, Language, Ruleset, Setup, Standing, Types
from last_match.meta import META

AT_MOST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """The heap."""

    id: Name
    version: Annotated[int, Ge(1)]
    matches: Annotated[int, Ge(1), Le(99)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A game that begins elsewhere: so many matches are left."""

    matches: Annotated[int, Ge(1), Le(99)]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything that changes: the matches left, those each seat has taken, and who is next."""

    matches: Annotated[int, Ge(0)]
    taken: tuple[Annotated[int, Ge(0)], ...]
    due: Seat


@dataclass(frozen=True, slots=True)
class Take:
    """The one order: take ``count`` matches."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchesTaken:
    """The one event: ``seat`` took ``count`` matches and left ``left`` of them."""

    seat: Seat
    count: Annotated[int, Ge(1)]
    left: Annotated[int, Ge(0)]
    rule: Name = "LM-1"
    kind: Literal["matches-taken"] = "matches-taken"


def seats_of(config: Setup) -> list[Seat]:
    """Return the seats in playing order."""
    return [player.seat for player in config.players]


def initial(config: Setup) -> State:
    """Return the heap at the beginning, the first seat to take."""
    matches = config.components.matches if config.position is None else config.position.matches
    return State(matches=matches, taken=(0,) * len(config.players), due=config.players[0].seat)


def is_over(_config: Setup, state: State) -> bool:
    """Return whether no match is left."""
    return state.matches == 0


def awaiting(config: Setup, state: State) -> tuple[Decision, ...]:
    """Return whom the game awaits, and what is asked."""
    if is_over(config, state):
        return ()
    return (Decision(state.due, "take", f"TAKE 1 to {min(AT_MOST, state.matches)} of the matches", RuleId("LM-1")),)


def check(_config: Setup, state: State, seat: Seat, order: Take) -> Problem | None:
    """Return why ``order`` is not legal, or ``None``."""
    if seat != state.due:
        return Problem("last-match/not-due", f"it is the turn of {state.due}", "LM-1")
    most = min(AT_MOST, state.matches)
    if 1 <= order.count <= most:
        return None
    words = f"1 to {most} matches can be taken, not {order.count}"
    return Problem("last-match/wrong-number", words, "LM-1", "count", (f"TAKE {most}",))


def cost(config: Setup, state: State, seat: Seat, order: Take) -> tuple[Part, ...] | None:
    """Return what ``order`` adds to the account of ``seat``, part by part."""
    if check(config, state, seat, order) is not None:
        return None
    return (Part(order.count, "matches taken", "LM-1"),)


def decide(config: Setup, state: State, seat: Seat, order: Take, _chance: Chance) -> Generator[Any, State, None]:
    """Yield what follows from a legal order."""
    before, why = state.taken[seats_of(config).index(seat)], cost(config, state, seat, order)
    yield MatchesTaken(seat=seat, count=order.count, left=state.matches - order.count)
    yield Spent(seat=seat, before=before, after=before + order.count, why=why or ())


def evolve(config: Setup, state: State, event: Any) -> State:
    """Return the state after ``event``."""
    seats = seats_of(config)
    at = seats.index(event.seat)
    if isinstance(event, MatchesTaken):
        return replace(state, matches=event.left, due=seats[(at + 1) % len(seats)])
    return replace(state, taken=(*state.taken[:at], event.after, *state.taken[at + 1 :]))


def legal(config: Setup, state: State, seat: Seat) -> Iterator[Take]:
    """Return every order that ``check`` accepts now."""
    orders = (Take(count) for count in range(1, AT_MOST + 1))
    return (order for order in orders if check(config, state, seat, order) is None)


def view(_config: Setup, state: State, _viewer: Viewer) -> State:
    """Return what a viewer may know: here are no secrets."""
    return state


def standings(config: Setup, state: State) -> tuple[Standing, ...]:
    """Return the seats: at the end the one before the next has taken the last match, and lost (LM-2)."""
    seats, over = seats_of(config), is_over(config, state)
    loser = seats[seats.index(state.due) - 1] if over else None
    rows = (
        Standing(2, seat, taken, "took the last match", is_final=over)
        if seat == loser
        else Standing(1, seat, taken, "wins" if over else "plays", is_final=over)
        for seat, taken in zip(seats, state.taken, strict=True)
    )
    return tuple(sorted(rows, key=lambda row: row.place))


def facts(_config: Setup, seen: State) -> Facts:
    """Return what conditions may ask for."""
    return {"matches": seen.matches}


def tell(_config: Setup, event: Any) -> str:
    """Return ``event`` as a sentence."""
    if not isinstance(event, MatchesTaken):
        return ""
    return f"{event.seat} takes {event.count}, {event.left} are left" if event.left else f"{event.seat} takes the last match"


def draw(_config: Setup, seen: State) -> Drawing:
    """Return the heap as it is shown."""
    return Drawing((Fields("Matches", (("left", "| " * seen.matches or "none"),)),))


LANGUAGE = Language(
    grammar="last_match:last_match.lark",
    builders={"take": lambda children: Take(children[0]), "count": lambda children: int(children[0])},
    texts={Take: lambda order: f"TAKE {order.count}"},
    terms={"count": "a number such as 2"},
    examples=("TAKE 2",),
)

RULESET: Ruleset[Setup, State, State] = Ruleset(
    meta=META,
    language=LANGUAGE,
    types=Types(components=Components, position=Position, state=State, events=(MatchesTaken, Spent), view=State),
    configure=lambda setup, _version: setup,
    initial=initial,
    awaiting=awaiting,
    check=check,
    decide=decide,
    evolve=evolve,
    legal=legal,
    cost=cost,
    view=view,
    facts=facts,
    fact_names={"matches": "the matches left"},
    standings=standings,
    is_over=is_over,
    tell=tell,
    draw=draw,
)
