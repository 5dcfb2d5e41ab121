"""Draw the table: the map, the dashboards, cards and bag, and a description of what lies around each vehicle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from adjudicator.game import MODERATOR, View, count, drawing, ordinal
from adjudicator.games.great_race.components import Board, CardId, Components, SpaceId, card_words
from adjudicator.games.great_race.config import Config, other_end, tile_told
from adjudicator.games.great_race.map import Map, legend
from adjudicator.games.great_race.state import BAG, DECK, Assistants, Crew, Keeping, Laying, Stage, State, reaction_text
from adjudicator.scenes import Gauge, Panel, panel_scenes

Seen = View[Config, State, Crew]


def drawn(view: Seen) -> drawing.Drawing:
    """Draw what ``view`` shows."""
    config, state = view.config, view.state
    vehicles = {crew.seat: crew.space for crew in state.crews}
    tiles = {space: config.tiles[tile] for space, tile in state.tiles.items()}
    panels = [_panel(config, state, state.of(seat), is_own=seat == view.seat) for seat in state.order]
    levels = ([f"{gauge.level}/{gauge.most}" for gauge in panel.gauges] for panel in panels)
    rows = tuple((one.title, *told, *(value for _, value in one.rows)) for one, told in zip(panels, levels, strict=True))
    labels = (*(gauge.label for gauge in panels[0].gauges), *(label for label, _ in panels[0].rows))
    shapes: list[drawing.Shape] = [
        Map(config.roads.board, config.roads.lanes, tiles, vehicles, state.markers).scene(),
        legend(),
        *panel_scenes(panels),
        drawing.Columns("Crews, in turn order", ("", *labels), rows, is_pictured=True),
        drawing.Fields("Cards and tiles", tuple(_table(config, state))),
    ]
    own = [crew for crew in state.crews if view.seat in (crew.seat, MODERATOR)]
    for crew in own:
        title = "Around your vehicle" if view.seat == crew.seat else f"Around {crew.seat}"
        shapes.append(drawing.Fields(title, tuple(_around(config, state, crew))))
    for crew in own:
        if crew.arrival is None:
            title = "Your standing answers" if view.seat == crew.seat else f"Standing answers of {crew.seat}"
            answers = ("danger cards", reaction_text(crew.to_cards)), ("tiles drawn", reaction_text(crew.to_tiles))
            shapes.append(drawing.Fields(title, answers))
    return drawing.Drawing(tuple(shapes))


def choices(view: Seen) -> Iterator[tuple[str, str]]:
    """Yield the cards and tiles that the viewer holds or can take, by their names in orders, each with what it does."""
    config, state, crew = view.config, view.state, view.own
    if crew is None:
        return
    mine = state.pending if isinstance(state.pending, (Keeping, Laying)) and state.pending.seat == crew.seat else None
    drawn, offered = mine.cards if isinstance(mine, Keeping) else (), state.offered if crew.seat in state.takers else ()
    for card in dict.fromkeys((*crew.hand, *drawn, *offered)):
        yield card_words(card), card.told(config.amount(card))
    for tile in dict.fromkeys(mine.tiles if isinstance(mine, Laying) else ()):
        yield tile, tile_told(config, tile)


def _panel(config: Config, state: State, crew: Crew, *, is_own: bool) -> Panel:
    full = config.components.gauges
    gauges = tuple(Gauge(name, getattr(crew, name), getattr(full, name)) for name in ("fuel", "engine", "chassis"))
    rows = (
        ("at", crew.space if crew.engine else f"{crew.space}, broken down"),
        ("lane", f"{config.roads.lanes[crew.space]}/{config.roads.board.lanes}"),
        ("cash", f"{crew.cash} F"),
        ("hand", _hand(config, crew.hand)),
        ("assistants", _assistants(config, state, crew)),
    )
    return Panel(crew.seat, crew.seat, gauges, rows, is_own=is_own)


def _hand(config: Config, hand: Iterable[CardId | None]) -> str:
    """Return the names of cards, each once with its number, and how many others are hidden."""
    counted = Counter(hand)
    names = ((config.cards[card].name, many) for card, many in counted.items() if card is not None)
    known = [f"{many} {name}" if many > 1 else name for name, many in names]
    return ", ".join([*known, *([count(counted[None], "card")] if counted[None] else [])]) or "no cards"


def _assistants(config: Config, state: State, crew: Crew) -> str:
    """Describe where the assistants are, as far as the viewer may know."""
    if crew.arrival is not None:
        return f"arrived {ordinal(crew.arrival)}"
    plan: Any = crew.plan  # others see a word
    if state.stage is Stage.PLANNING:
        sealed = "not planned yet" if plan is None else "planned, sealed"
        return plan.text("none left") if isinstance(plan, Assistants) else sealed
    if state.stage is Stage.CONVOY:
        left = crew.active.text("" if crew.has_passed else "none left")
        return ", ".join(filter(None, ("passed" if crew.has_passed else "", left)))
    return "–" if state.stage is Stage.OVER else f"{config.components.assistants} to place"


def _table(config: Config, state: State) -> Iterator[tuple[str, str]]:
    yield "round", f"{state.round}, {state.stage.value}"
    yield "face up", _hand(config, state.offered)
    yield "deck", count(DECK.many_left(config, state), "card")
    yield "discarded", _hand(config, state.discards)
    if state.in_play is not None:
        yield "being played", config.cards[state.in_play].name
    yield "bag", count(BAG.many_left(config, state), "tile")
    if state.removed:
        gone = Counter(state.removed)
        yield "out of the game", ", ".join(f"{many} {config.tiles[tile].name}" for tile, many in gone.items())
    match state.pending:
        case Laying(seat=seat, tiles=tiles):
            told = [tile_told(config, tile) for tile in tiles if tile is not None]
            yield f"drawn by {seat}", ", ".join(told) or count(len(tiles), "tile")
        case Keeping(seat=seat, cards=cards):
            yield f"drawn by {seat}", _hand(config, cards)


def _around(config: Config, state: State, crew: Crew) -> Iterator[tuple[str, str]]:
    """Yield where the vehicle of ``crew`` is and what lies around it, for people who see no map."""
    spaces, here = config.roads.spaces, config.roads.spaces[crew.space]
    yield "here", _space(config, state, crew.space)
    if crew.engine == 0:
        yield "", "broken down: the engine is at 0"
    for other in here.next:
        across, down = spaces[other].x - here.x, spaces[other].y - here.y
        north_south = "" if 2 * abs(down) < abs(across) else "south" if down > 0 else "north"
        west_east = "" if 2 * abs(across) < abs(down) else "east" if across > 0 else "west"
        yield "-".join(filter(None, (north_south, west_east))), _space(config, state, other)
    for line in config.roads.lines.get(crew.space, ()):
        yield f"{line.kind.value} line", f"to {other_end(line, crew.space)} for {line.price} F"


def _space(config: Config, state: State, space: SpaceId) -> str:
    """Describe a space: ``K5, empty, risk zone``; ``Tamanrasset, city, 1 card``; ``K4, Soft sand (3 fuel)``."""
    here, tile = config.roads.spaces[space], state.tiles.get(space)
    if here.is_city:
        which = "start" if space == config.roads.start else "finish" if space == config.roads.finish else "city"
        return f"{space}, {which}, {count(here.cards, 'card')}"
    return f"{space}, {'empty' if tile is None else tile_told(config, tile)}{', risk zone' * here.risk}"


# What is in the box


def boxed(components: Components) -> drawing.Drawing:
    """Draw the component set: boards, tiles, cards and tables."""
    tiles, cards, gauges = components.tiles, components.cards, components.gauges
    prices, prestige = components.prices, components.prestige
    boards = list[drawing.Shape]()
    for board in components.boards:
        boards += (Map(board, {space.id: space.lane for space in board.spaces}, {}, {}, ()).scene(), _cities(board))
    fields = (
        ("gauges", f"fuel {gauges.fuel}, engine {gauges.engine}, chassis {gauges.chassis}"),
        ("assistants", str(components.assistants)),
        ("funding", ", ".join(f"{many}: {francs} F" for many, francs in enumerate(components.funding, 1))),
        ("a level of fuel", f"{prices.fuel_in_city} F in a city, {prices.fuel_outside} F outside"),
        ("a part", f"{prices.part_in_city} F in a city, {prices.part_outside} F outside"),
        ("on the way", f"{components.surcharge} more fuel in a risk zone, {components.city_fuel} fuel to enter a city"),
        ("danger", f"{count(components.danger, 'more part')}, unless an escort or a Ranger cancels it"),
        ("prestige", ", ".join(f"{ordinal(at)} {points}" for at, points in enumerate(prestige.arrivals, 1))),
        ("", f"1 for each level of engine and chassis, 1 for each full {prestige.francs} F"),
    )
    return drawing.box(
        components,
        *boards,
        legend(),
        drawing.table(
            f"Terrain tiles ({sum(tile.count for tile in tiles)})",
            ("tile", "id", "count", "fuel", "parts", "", ""),
            ((one.name, one.id, one.count, one.fuel, one.parts, "danger" * one.danger, "stop" * one.stop) for one in tiles),
        ),
        drawing.table(
            f"Resource cards ({sum(card.count for card in cards)})",
            ("card", "count", "what it does"),
            ((card.name, card.count, card.id.told(card.amount)) for card in cards),
        ),
        drawing.Fields("Tables", fields),
        drawing.table(
            "Cash and bonus in francs, in turn order",
            ("players", "cash at the start", "bonus of a round"),
            ((one.players, ", ".join(map(str, one.cash)), ", ".join(map(str, one.bonus))) for one in components.purses),
        ),
    )


def _cities(board: Board) -> drawing.Columns:
    """List the cities of ``board``: starts and finishes, cards to draw, and lines to other cities."""
    rows = []
    for space in board.spaces:
        if space.is_city:
            lines = [line for line in board.lines if space.id in line.ends]
            told = "; ".join(f"{line.kind.value} to {other_end(line, space.id)}, {line.price} F" for line in lines)
            rows.append((space.id, space.lane, space.cards, "start or finish" if space.purple else "", told))
    risks = count(sum(space.risk for space in board.spaces), "risk zone")
    title = f"Cities: {board.name} ({count(len(board.spaces), 'space')}, {count(board.lanes, 'lane')}, {risks})"
    return drawing.table(title, ("city", "lane", "cards", "", "lines"), rows)
