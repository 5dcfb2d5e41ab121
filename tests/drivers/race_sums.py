"""What must hold in every race, whatever happens in it: of francs, fuel and parts, of tiles and cards, of vehicles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from adjudicator.core.event import Spent, total
from adjudicator.games.great_race import drive as driving
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.state import BAG, DECK
from adjudicator.library.game import Game

Levels = tuple[int, int, int]
_NOTHING: Final = (0, 0, 0)
_DRAWN: Final = (happened.CardsOffered, happened.CardsDrawn, happened.CardsSearched)
_CARDS: Final = (*_DRAWN, happened.DeckShuffled)
_TILES: Final = (
    happened.TilesScouted,
    happened.TilesReturned,
    driving.BlindTileLaid,
    happened.TileLaid,
    happened.TileRemoved,
    happened.TilesSwapped,
)


def require_sums(session: Game) -> None:
    """Raise ``AssertionError`` unless all that a race has is accounted for, event by event and position by position.

    Of no corrected game: a moderator may change anything.
    """
    config, cancelled = session.rules.config, set[tuple[str, str]]()
    for event, before, after in _happenings(session):
        _require_money(event, before, after)
        _require_levels(event, before, after)
        _require_cards(config, event, before, after)
        _require_tiles(config, event, before, after)
        if isinstance(event, driving.DangerCancelled):
            cancelled.add((event.seat, event.space))
        elif isinstance(event, driving.SpaceEntered):
            _require_toll(config, event, before, is_safe=(event.seat, event.space) in cancelled)
            cancelled.clear()


def _happenings(session: Game) -> Iterator[tuple[Any, Any, Any]]:
    """Yield every event with the state before and after it; none of the positions after an order is impossible."""
    rules = session.rules
    state = rules.initial()
    for link in session.record.journal:
        for event in link.entry.events:
            after = event.apply(rules.config, state)
            yield event, state, after
            state = after
        rules.amended(state)  # raises `SetupError` if it is impossible


def _require_money(event: Any, before: Any, after: Any) -> None:
    """Francs come and go with what is told of them alone."""
    for old, new in zip(before.crews, after.crews, strict=True):
        gained = 0
        if isinstance(event, Spent) and event.seat == new.seat:
            assert event.before == old.cash, event
            gained = total(event.why)
        assert new.cash - old.cash == gained, event


def _require_levels(event: Any, before: Any, after: Any) -> None:
    """Fuel, engine and chassis change by what is told, and of the seat that it is told of."""
    for old, new in zip(before.crews, after.crews, strict=True):
        told = _told_levels(event) if getattr(event, "seat", None) == new.seat else _NOTHING
        assert _levels(new) == tuple(map(sum, zip(_levels(old), told, strict=True))), event


def _levels(crew: Any) -> Levels:
    return crew.fuel, crew.engine, crew.chassis


def _told_levels(event: Any) -> Levels:
    match event:
        case happened.FuelGained():
            return event.levels, 0, 0
        case happened.PartsRestored():
            return 0, event.engine, event.chassis
        case happened.PartsLost():
            return 0, -event.engine, -event.chassis
        case driving.SpaceEntered():
            return -event.fuel, -event.engine, -event.chassis
    return _NOTHING


def _require_cards(config: Any, event: Any, before: Any, after: Any) -> None:
    """Cards leave the deck when they are drawn, and come back when the discards are shuffled; else they change places."""
    if not isinstance(event, _CARDS) and DECK.out(before) == DECK.out(after):
        return
    out, then = Counter(DECK.out(before)), Counter(DECK.out(after))
    if isinstance(event, _DRAWN):
        assert Counter(event.cards) <= Counter(DECK.left(config, before)), event
        out += Counter(event.cards)
    elif isinstance(event, happened.DeckShuffled):
        assert event.cards == before.discards
        out -= Counter(event.cards)
    assert then == out, event


def _require_tiles(config: Any, event: Any, before: Any, after: Any) -> None:
    """Tiles leave the bag when they are drawn; one that is removed never comes back, and none lies where it did not."""
    if not isinstance(event, _TILES) and (before.laid, before.removed) == (after.laid, after.removed):
        assert BAG.out(before) == BAG.out(after), event
        return
    out, then = Counter(BAG.out(before)), Counter(BAG.out(after))
    laid, now = dict(before.tiles), after.tiles
    match event:
        case happened.TilesScouted():
            assert Counter(event.tiles) <= Counter(BAG.left(config, before)), event
            out += Counter(event.tiles)
        case happened.TilesReturned():
            out -= Counter(event.tiles)
        case driving.BlindTileLaid():
            assert event.tile in BAG.left(config, before), event
            out[event.tile] += 1
            laid = _with_tile(laid, event)
        case happened.TileLaid():
            laid = _with_tile(laid, event)
        case happened.TileRemoved():
            assert laid.pop(event.space) == event.tile
            assert after.removed == (*before.removed, event.tile)
        case happened.TilesSwapped():
            assert (laid[event.one], laid[event.other]) == (event.one_tile, event.other_tile)
            laid[event.one], laid[event.other] = event.other_tile, event.one_tile
    assert (then, now) == (out, laid), event
    assert len(after.laid) == len(now)


def _with_tile(laid: Any, event: Any) -> Any:
    assert event.space not in laid, event
    return laid | {event.space: event.tile}


def _require_toll(config: Any, event: Any, before: Any, *, is_safe: bool) -> None:
    """A vehicle comes from beside a space or over a line, and pays what the space costs, no more and no less."""
    roads, parts = config.roads, config.components
    here, there = before.of(event.seat).space, event.space
    assert there in roads.graph.beside[here], event
    if roads.is_city(there):
        assert (event.fuel, event.engine, event.chassis) == (parts.city_fuel, 0, 0), event
        return
    tile = config.tiles[before.tiles[there]]
    assert event.fuel == tile.fuel + parts.surcharge * roads.spaces[there].risk, event
    assert tile.danger or not is_safe
    assert event.engine + event.chassis == tile.parts + parts.danger * (tile.danger and not is_safe), event
