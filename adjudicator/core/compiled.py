"""Compile a class of rules into the record of pure functions that the core calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

from adjudicator.core.event import ALWAYS_PUBLIC, Event, Part, Spent
from adjudicator.core.facts import facts_of
from adjudicator.core.frozen import change
from adjudicator.core.ids import MODERATOR, Seat, Viewer
from adjudicator.core.problem import Flaw, Problem, SetupError
from adjudicator.core.remember import remember_last
from adjudicator.core.ruleset import Ruleset, Setup, Types
from adjudicator.core.seated import of_seat, seated_fields
from adjudicator.core.view import View
from adjudicator.core.visibility import PUBLIC, has_secrets, redactor, require_marks
from adjudicator.core.wording import language

if TYPE_CHECKING:
    from adjudicator.core.rules import Rules

C = TypeVar("C")
S = TypeVar("S")


_AS_WRITTEN: Final = (
    "awaiting",
    "are_apart",
    "decide",
    "legal",
    "if_due",
    "standings",
    "is_over",
    "draw",
    "catalogue",
    "validate",
    "proceed",
    "public_text",
    "eliminated",
    "choices",
    "foresee",
    "known_position",
    "continuation",
    "reopened",
    "expired",
    "is_for_later",
    "upgrades",
)
"""The hooks that the record takes from the rules unchanged."""


def compiled(rules: Rules[C, S]) -> Ruleset[C, S]:
    """Return ``rules`` as a record of functions. Raises ``UnmarkedFieldError`` (see ``Rules.record``)."""
    _require_marks(rules)
    _require_fields(rules)
    meta = rules.meta
    return Ruleset(
        meta=meta,
        language=change(
            language(rules.grammar or f"{meta.id.replace('-', '_')}.lark", rules.orders, rules.terms),
            completed=rules.completed,
        ),
        types=Types(rules.components, rules.position or rules.state, rules.state, rules.events),
        configure=lambda setup, version: _configured(rules, setup, version),
        initial=lambda config: _initial(rules, config),
        due=rules.due if _is_own(rules, "due") else None,
        asked=rules.asked if _is_own(rules, "asked") else None,
        check=_check(rules),
        evolve=_evolve(rules),
        view=_view(rules),
        tell=_tell_with_rule if rules.tells_rules else _tell,
        cost=lambda config, state, seat, order: _cost(rules, config, state, seat, order),
        redact=_redact(rules),
        facts=lambda config, view: facts_of(rules.facts, config, view),
        fact_names={name: fact.explained(name) for name, fact in rules.facts.items()},
        names=remember_last(lambda config: frozenset(word.lower() for word in (*_seats(config), *rules.names(config)))),
        validated_amendment=lambda config, state: _amended(rules, config, state),
        lint=lambda config, state: tuple(rules.lint(config, state)),
        has_windows=_is_own(rules, "reopened"),
        **{name: getattr(rules, name) for name in _AS_WRITTEN},
    )


def checked(rules: Rules[C, S], config: C, state: S, seat: Seat, order: Any) -> Problem | None:
    """Return why ``order`` is not legal, in any position or only in this one; ``None`` if it is legal."""
    return rules.validate(config, order) or rules.check(config, state, seat, order)


def _check(rules: Rules[C, S]) -> Callable[[C, S, Seat, Any], Problem | None]:
    if not _is_own(rules, "validate"):
        return rules.check
    validate, check = rules.validate, rules.check
    return lambda config, state, seat, order: validate(config, order) or check(config, state, seat, order)


def _require_marks(rules: Rules[Any, Any]) -> None:
    events = [kind for kind in rules.events if issubclass(kind, Event)]
    marks = (rules.spent_seen_by, *(kind.seen_by for kind in events))
    if has_secrets((rules.state, *events)) or any(mark is not PUBLIC for mark in marks):
        require_marks({rules.state: (), **dict.fromkeys(events, ALWAYS_PUBLIC)})


def _require_fields(rules: Rules[Any, Any]) -> None:
    """Raise ``TypeError`` for an event that sets a field which neither the state nor a seat's part of it has."""
    whole = {field.name for field in fields(rules.state)}
    own = {field.name for thing in [*seated_fields(rules.state).values()][:1] for field in fields(thing)}
    for kind in rules.events:
        of_state = {*getattr(kind, "sets", ()), *getattr(kind, "becomes", ())}
        missing = (of_state - whole) | ({*getattr(kind, "sets_own", ())} - own)
        if missing:
            raise TypeError(f"{kind.__name__} sets {', '.join(sorted(missing))}, and there is no such field")


def _seats(config: Any) -> tuple[Seat, ...]:
    seats: tuple[Seat, ...] = config.seats
    return seats


def _configured(rules: Rules[C, S], setup: Setup, version: int) -> C:
    _require(rules, "unfit-set", rules.unfit(setup))
    return rules.configure(setup, version)


def _initial(rules: Rules[C, S], config: Any) -> S:
    position, seats = config.position, _seats(config)
    if position is None:
        return rules.begin(config)
    named = _seats_named(rules, config, position)
    if named and sorted(named) != sorted(seats):
        words = f"the position is for the seats {', '.join(named)}, the game for {', '.join(seats)}"
        _require(rules, "impossible-position", [words])
    state = _begun(rules, config)
    _require(rules, "impossible-position", (*rules.misplaced(config, position), *rules.impossible(config, state)))
    return state


def _seats_named(rules: Rules[C, S], config: Any, position: Any) -> Sequence[Seat]:
    """Return the seats that ``position`` names, or an empty sequence if it names none."""
    if rules.position is not None:
        return [at.seat for at in getattr(position, "seats", ())]
    at_first = {name for name, seats in _seats_in(rules.begin(config)) if seats == _seats(config)}
    return next((seats for name, seats in _seats_in(position) if name in at_first), ())


def in_order_of_seats(config: Any, state: Any) -> Any:
    """Return ``state`` with every tuple of one thing for each seat in the order of the game's seats."""
    seats = _seats(config)
    whole = (name for name, found in _seats_in(state) if sorted(found) == sorted(seats))
    return change(state, **{name: tuple(of_seat(getattr(state, name), seat) for seat in seats) for name in whole})


def _begun(rules: Rules[C, S], config: Any) -> S:
    """Return the first state of the game, without checking that it is possible."""
    position = config.position
    return rules.begin(config) if position is None else rules.normalized(config, rules.place(config, position))


def _is_own(rules: Rules[Any, Any], hook: str) -> bool:
    """Return whether a game defines ``hook`` itself instead of using the default."""
    home = next(kind for kind in type(rules).__mro__ if hook in vars(kind))
    return home.__module__ != "adjudicator.core.rules"


def _amended(rules: Rules[C, S], config: C, state: S) -> S:
    now = dict(_seats_in(state))
    for name, seats in _seats_in(_begun(rules, config)):
        # A tuple that begins with one thing for each seat keeps that; tuples of bids and the like grow and shrink.
        if seats == _seats(config) and now[name] != seats:
            _require(rules, "impossible-amendment", ["the seats of a game cannot be amended"])
    state = rules.normalized(config, state)
    _require(rules, "impossible-amendment", rules.impossible(config, state))
    return state


def _seats_in(state: Any) -> Iterator[tuple[str, tuple[Seat, ...]]]:
    """Yield each tuple in ``state`` whose things belong to one seat each, as its name and their seats."""
    kind: type = type(state)
    for name in seated_fields(kind):
        yield name, tuple(thing.seat for thing in getattr(state, name))


def _require(rules: Rules[Any, Any], code: str, flaws: Iterable[str | Flaw]) -> None:
    """Raise ``SetupError`` if there are ``flaws``, with all of them; ``code`` is for those without a code."""
    problems = tuple(_problem(rules, code, flaw) for flaw in flaws)
    if problems:
        raise SetupError(problems)


def _problem(rules: Rules[Any, Any], code: str, flaw: str | Flaw) -> Problem:
    found = flaw if isinstance(flaw, Flaw) else Flaw(flaw)
    return rules.meta.problem(found.code or code, found.message, found.rule, suggestions=found.suggestions)


def _cost(rules: Rules[C, S], config: C, state: S, seat: Seat, order: Any) -> tuple[Part, ...] | None:
    return None if checked(rules, config, state, seat, order) is not None else rules.cost(config, state, seat, order)


def _evolve(rules: Rules[C, S]) -> Callable[[C, S, Any], S]:
    spent = rules.spent

    def evolve(config: C, state: S, event: Any) -> S:
        return spent(config, state, event) if type(event) is Spent else event.apply(config, state)

    return evolve


def _view(rules: Rules[C, S]) -> Callable[[C, S, Viewer], View[S]]:
    redact, awaiting = redactor(rules.state), rules.awaiting

    def view(config: C, state: S, viewer: Viewer) -> View[S]:
        seen = state if redact is None else redact(config, state, state, viewer)
        return View(viewer, seen, awaiting(config, state))

    return view


def _redact(rules: Rules[C, S]) -> Callable[[C, Any, Viewer], Any]:
    redactors = {kind: redactor(kind) for kind in rules.events}

    def redact(config: C, event: Any, viewer: Viewer) -> Any:
        if viewer == MODERATOR:
            return event
        mark = rules.spent_seen_by if type(event) is Spent else getattr(event, "seen_by", PUBLIC)
        if not mark.sees(config, event, event, viewer):
            return None
        hide = redactors.get(type(event))
        return event if hide is None else hide(config, event, event, viewer)

    return redact


def _tell(config: Any, event: Any) -> str:
    return event.tell(config) if isinstance(event, Event) else ""


def _tell_with_rule(config: Any, event: Any) -> str:
    sentence = _tell(config, event)
    return f"{sentence} ({event.rule})" if sentence else ""
