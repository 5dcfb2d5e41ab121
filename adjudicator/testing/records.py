"""Checks laws of the record: entries decided again, files, timelines, accounts, and corrections."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from itertools import chain, islice
from random import Random
from typing import Any, Final, get_args

from adjudicator.audit.decide import audit_game
from adjudicator.core.conditions import Compare, Comparison, FactOf, Number
from adjudicator.core.engine import adjudicate
from adjudicator.core.event import Spent
from adjudicator.core.order import FirstOf, Instruction, Sheet, When
from adjudicator.core.problem import CorrectionError, SetupError
from adjudicator.core.values import Seat, Value, hints_of, json_value, replace
from adjudicator.library.game import Game
from adjudicator.resources import data_of
from adjudicator.store.game_file import dump_game, load_carefully, load_game
from adjudicator.testing.games import Broken, Games, Moment, law, require_same
from adjudicator.testing.orders import altered

_CAREFULLY: Final = 8  # the number of games loaded by both methods
_PLAYED_ON: Final = 40  # the number of positions from which random sheets are played on, or that are amended
_TURNS: Final = 4  # adjudications in a row from each position
_LONGEST: Final = 3  # orders on a sheet
_SENDING: Final = 0.5  # the share of seats that send a sheet: those that wait for others may change their answers
_CHOICES: Final = 30  # legal orders of a seat from which its sheet is drawn
_AMENDED: Final = 12  # the number of amendments tried on a position


@law
def deciding_again_gives_the_same_game(games: Games) -> None:
    """Deciding every entry of a game's file again gives its events and its state, also after random sheets and undos."""
    grown = ([*_played_on(games, moment)][-1] for moment in games.sampled(_PLAYED_ON))
    for game in chain(games.each(), grown):
        found = audit_game(Game.of(load_game(dump_game(game.record)))).divergence
        if found is not None:
            where = f"entry {found.n}, {found.field}"
            raise Broken(f"{where}: recorded {found.recorded[:300]}, recomputed {found.recomputed[:300]}")


@law
def timelines_can_grow(games: Games) -> None:
    """A timeline that grows with its game has the same states, turn numbers and valid turns as a new one."""
    for moment in games.sampled(_PLAYED_ON):
        for game in _played_on(games, moment):
            fresh = _known(Game.of(game.record, game.rules))
            for what, grown in _known(game).items():
                require_same(f"{what} of the grown timeline", grown, f"{what} of a new one", fresh[what])


@law
def files_keep_the_game(games: Games) -> None:
    """Loading a game from its file, with and without its schema, gives the same game, which gives the same file."""
    for number, game in enumerate(games.each()):
        data = dump_game(game.record)
        loaded = load_game(data)
        require_same("loaded", loaded, "the game", game.record)
        if number < _CAREFULLY:
            require_same("loaded with its schema", load_carefully("the file", data), "the game", game.record)
        if dump_game(loaded) != data:
            raise Broken("the loaded game gives a different file")


@law
def values_are_frozen(games: Games) -> None:
    """States, events and orders never change: they consist of frozen classes, tuples, enums, strings and numbers."""
    states = (moment.state for moment in games.sampled())
    orders = (order for some in games.orders.values() for order in some)
    for thing in (*states, *(event for _, event in games.events()), *orders):
        try:
            hash(thing)
        except TypeError as error:
            raise Broken(f"{type(thing).__name__} holds a value that is mutable: {error}") from None


@law
def why_adds_up(games: Games) -> None:
    """Each account continues from its previous value, and every part of a cost has a text and its rule."""
    prefix = f"{games.rules.meta.prefix}-"
    balances: dict[tuple[str, str], int] = {}
    for game, event in games.events():
        if not isinstance(event, Spent):
            continue
        account = (game.record.id, event.seat)
        if balances.get(account, event.before) != event.before:
            raise Broken(f"{event.seat}: the account was at {balances[account]}, but continues from {event.before}")
        balances[account] = event.after
        for part in event.why:
            if not part.what or not part.rule.startswith(prefix):
                words = f"the text “{part.what}” and the rule “{part.rule}”, not {prefix}…"
                raise Broken(f"{event.seat}: a part of a cost has {words}")


@law
def things_are_conserved(games: Games) -> None:
    """After every order, no piece is in several places, and the quantity that the author calls conserved is the same."""
    for game in games.each():
        config, conserved = game.rules.config, games.conserved
        first = None if conserved is None else conserved(config, game.rules.initial())
        for moment in games.moments(game):
            for kind in game.rules.pieces:
                for flaw in kind.in_several_places(config, moment.state):
                    raise Broken(flaw.message)
            now = None if conserved is None else conserved(config, moment.state)
            if now != first:
                raise Broken(f"the conserved quantity is {now!r}, but was {first!r} at the beginning")


@law
def a_changed_state_has_a_new_version(games: Games) -> None:
    """The classes of the state have the fields that ``data/state.json`` lists for this version, if there is such a file."""
    file = data_of(games.rules.meta) / "state.json"
    if not file.is_file():
        return
    known = json.loads(file.read_text("utf-8"))
    version, found = str(games.rules.meta.version), dict(_fields_by_class(games.rules.types.state, set()))
    if known.get(version) != found:
        changed = [name for name, names in found.items() if known.get(version, {}).get(name) != names]
        raise Broken(
            f"data/state.json does not list the fields of {', '.join(changed) or 'the state'} for version {version}: raise "
            f"the version if people have played it, and write into this file: {json.dumps({version: found})}"
        )


@law
def what_came_about_is_possible(games: Games) -> None:
    """A position from a played game is possible, and an empty amendment does not change it."""
    for moment in games.sampled():
        try:
            again = moment.rules.amended(moment.state)
        except SetupError as refused:
            raise Broken(f"the rules refuse it as impossible: {refused}") from None
        require_same("the position after an empty amendment", again, "the position", moment.state)


@law
def amendments_are_refused_or_can_be_played(games: Games) -> None:
    """The game refuses an amendment with its own reasons, or can continue from the amended position."""
    for moment in games.sampled(_PLAYED_ON):
        luck = games.luck(f"amend {moment.game.record.id} {moment.n}")
        game = moment.game.with_record(moment.record)
        values = [(path, value) for path, value in _values(json_value(moment.state)) if not path.endswith(".seat")]
        words = [value for _, value in values if isinstance(value, str)]
        for path, value in luck.sample(values, min(len(values), _AMENDED)):
            assignment = f"{path}={json.dumps(altered(value, luck, words if isinstance(value, str) else ()))}"
            try:
                amended = game.amend([assignment], "a law is tried").record.state
            except CorrectionError:
                continue
            except SetupError as refused:
                for problem in refused.problems:
                    # The core refuses an amendment without a reason of the game only if the rules failed.
                    have_failed = refused.__cause__ is not None and problem.code == "core/impossible-amendment"
                    if have_failed or not problem.message:
                        raise Broken(f"{assignment}: the game gives no reason against it, but {problem.message}") from None
                continue
            again = game.rules.amended(amended)
            require_same(f"{assignment}: after a second validation the position", again, "after one validation it", amended)


def _known(game: Game) -> dict[str, Any]:
    """Return what the timeline of ``game`` knows, by name."""
    timeline, last = game.timeline, game.record.journal[-1].entry
    return {
        "the list of states": tuple(state for _, state in timeline.states()),
        "the list of turn numbers": tuple(timeline.turn_number(turn) for turn in range(last.turn + 2)),
        "the list of turns after entries": tuple(map(timeline.turn_after, range(last.n + 1))),
        "the list of undone entries": tuple(timeline.undone.items()),
        "the turn to write": (timeline.valid_turns.turn, timeline.valid_turns.latest),
        "the list of valid turns": tuple((seat, *sorted(turns)) for seat, turns in timeline.valid_turns.by_seat.items()),
    }


def _played_on(games: Games, moment: Moment) -> Iterator[Game]:
    """Yield the game of ``moment`` as it grows by random sheets of several seats at once, and by undos.

    Raises ``Broken`` if the events of an entry do not lead to the new state. Those of a changed answer must do so also from
    the position before the first answer.
    """
    game, rules = moment.game.with_record(moment.record), moment.rules
    luck = games.luck(f"sheets {game.record.id} {moment.n}")

    def evolve(state: Any, event: Any) -> Any:
        return event.apply(rules.config, state)

    yield game
    for turn in range(_TURNS):
        state = game.record.state
        outcome = adjudicate(rules, game.record, [*_sheets(games, moment._replace(state=state), luck)])
        for entry in (link.entry for link in outcome.accepted):
            asked = rules.answering(state, Seat(entry.seat or ""))
            state = reduce(evolve, entry.events, state)
            if entry.events and asked is not None:
                first = reduce(evolve, entry.events, asked.state)
                require_same(f"the state after “{entry.order}” as the first answer", first, "as the second it", state)
        require_same("the fold of the events", state, "the game", outcome.record.state)
        game = game.with_record(replace(outcome.record, pending=()))
        yield game
        if turn % 2 and len(game.record.journal) > 1:
            with suppress(CorrectionError):  # This entry may be undone already.
                game = game.undo(luck.randrange(len(game.record.journal) - 1), "a law is tried")
            yield game


def _sheets(games: Games, moment: Moment, luck: Random) -> Iterator[Sheet]:
    """Yield a random sheet for most seats, also for seats that have answered and may change the answer."""
    rules = moment.rules
    for seat in moment.game.seats:
        asked = rules.answering(moment.state, seat)
        orders = [] if asked is None else [*islice(rules.legal(asked), _CHOICES)]
        orders = orders or [luck.choice(some) for some in games.orders.values()]
        if luck.random() < _SENDING and orders:
            facts = rules.fact_values(moment.view(seat)).items()
            values = ((FactOf(name), fact("")) for name, fact in facts)
            numbers = [(fact, Number(value)) for fact, value in values if type(value) is int and value >= 0]
            lines = []
            for number in range(1, luck.randint(1, _LONGEST) + 1):
                first, second = luck.choice(orders), luck.choice(orders)
                ways = [first, FirstOf((first, second))]
                if numbers:
                    fact, value = luck.choice(numbers)
                    yes, no = (Compare(fact, how, value) for how in (Comparison.AT_LEAST, Comparison.MORE))
                    ways += [When(yes, first, None), When(no, first, luck.choice((second, None)))]
                lines.append(Instruction(luck.choice(ways), line=number))
            yield Sheet(seat, tuple(lines))


def _fields_by_class(hint: Any, met: set[Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield each class inside the type ``hint`` that is not ``met`` yet, with the names of its fields."""
    if hint in met:
        return
    met.add(hint)
    inner = get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Value):
        hints = hints_of(hint)
        yield hint.__name__, sorted(hints)
        inner = tuple(hints.values())
    for each in inner:
        yield from _fields_by_class(each, met)


def _values(document: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values in the JSON ``document`` that are no objects, with their paths as a moderator writes them."""
    items = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    for key, value in items:
        here = f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}".removeprefix(".")
        if not isinstance(value, dict):
            yield here, value
        yield from _values(value, here)
