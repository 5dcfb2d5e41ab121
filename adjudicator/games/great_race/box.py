"""Draw a component set: its boards, tiles, cards and tables."""

from __future__ import annotations

from adjudicator.game import count, drawing, ordinal
from adjudicator.games.great_race.chart import chart_of
from adjudicator.games.great_race.components import Board, Components
from adjudicator.games.great_race.picture import chart_scene, legend
from adjudicator.games.great_race.said import effect_told


def boxed(components: Components) -> drawing.Drawing:
    """Draw the component set: boards, tiles, cards and tables."""
    charts = ((chart_scene(chart_of(board, None, {}, {}, ())), _cities(board)) for board in components.boards)
    boards = [shape for shapes in charts for shape in shapes]
    return drawing.box(components, *boards, legend(), _tiles(components), _cards(components), *_tables(components))


def _cities(board: Board) -> drawing.Columns:
    """List the cities of ``board``: starts and finishes, cards to draw, and lines to other cities."""
    rows = []
    for space in board.spaces:
        if space.is_city:
            lines = [
                f"{line.kind.value} to {line.ends[line.ends[0] == space.id]}, {line.price} F"
                for line in board.lines
                if space.id in line.ends
            ]
            what = "start or finish" if space.purple else ""
            rows.append((space.id, space.lane, space.cards, what, "; ".join(lines)))
    risks = count(sum(space.risk for space in board.spaces), "risk zone")
    title = f"Cities: {board.name} ({count(len(board.spaces), 'space')}, {count(board.lanes, 'lane')}, {risks})"
    return drawing.table(title, ("city", "lane", "cards", "", "lines"), rows)


def _tiles(components: Components) -> drawing.Columns:
    signs = {True: ("danger", "stop"), False: ("", "")}
    rows = (
        (tile.name, tile.id, tile.count, tile.fuel, tile.parts, signs[tile.danger][0], signs[tile.stop][1])
        for tile in components.tiles
    )
    many = sum(tile.count for tile in components.tiles)
    return drawing.table(f"Terrain tiles ({many})", ("tile", "id", "count", "fuel", "parts", "", ""), rows)


def _cards(components: Components) -> drawing.Columns:
    rows = ((card.name, card.count, effect_told(card)) for card in components.cards)
    many = sum(card.count for card in components.cards)
    return drawing.table(f"Resource cards ({many})", ("card", "count", "what it does"), rows)


def _tables(components: Components) -> tuple[drawing.Shape, ...]:
    gauges, prices, prestige = components.gauges, components.prices, components.prestige
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
    rows = tuple(
        (str(purse.players), ", ".join(map(str, purse.cash)), ", ".join(map(str, purse.bonus)))
        for purse in components.purses
    )
    return (
        drawing.Fields("Tables", fields),
        drawing.Columns(
            "Cash and bonus in francs, in turn order", ("players", "cash at the start", "bonus of a round"), rows
        ),
    )
