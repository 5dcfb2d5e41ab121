"""How fast The Great Race is: orders of whole races adjudicated, and drives listed on an open board.

Goals: 3,000 orders a second, and 20 ms for everything that is legal with engine 6 in the middle of an open board: paths are
listed by need, and a way of paying is never listed at all.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from adjudicator.begin import GameChoices, begin_game
from adjudicator.core.engine import adjudicate
from adjudicator.core.frozen import change
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.ruleset import Player
from adjudicator.games.great_race.components import CardId, SpaceId
from adjudicator.games.great_race.positions import Position, SeatAt, TileAt
from adjudicator.games.great_race.rules import RULESET
from adjudicator.games.great_race.state import Assistants
from adjudicator.session import Session
from adjudicator.simulate.play import play_on
from adjudicator.simulate.players import PLAYERS
from adjudicator.store.components import shipped
from adjudicator.testing.orders import read

pytestmark = pytest.mark.benchmark
SEATS = (Seat("red"), Seat("blue"), Seat("green"))


def begun(**changes: Any) -> Session:
    choices = GameChoices(
        ruleset=RULESET.meta.id,
        id="bench",
        players=tuple(map(Player, SEATS)),
        components=shipped(RULESET)[0],
        secret="7" * 64,
    )
    return begin_game(replace(choices, **changes))


@pytest.mark.benchmark(group="orders of a race")
def test_adjudicate_a_race(benchmark: Any) -> None:
    before = begun()
    after = play_on(before, dict.fromkeys(SEATS, PLAYERS["random"]), Random(3), 600)
    orders: dict[str, list[Instruction]] = {}
    for link in after.game.journal[1:]:
        entry = link.entry
        orders.setdefault(str(entry.seat), []).append(Instruction(read(RULESET, entry.written or entry.order)))
    sheets = [Sheet(Seat(seat), tuple(given)) for seat, given in orders.items()]
    done = benchmark(lambda: adjudicate(RULESET, before.config, before.game, sheets))
    assert len(done.accepted) == sum(map(len, orders.values()))
    benchmark.extra_info["orders"] = len(done.accepted)


@pytest.mark.parametrize("tiles", [0, 17])
@pytest.mark.benchmark(group="legal with engine 6 on an open board")
def test_list_what_is_legal(benchmark: Any, tiles: int) -> None:
    house = shipped(RULESET)[0]
    parts = change(house, id="roomy", gauges=change(house.gauges, engine=6, chassis=6, fuel=10))
    easy = [tile.id for tile in house.tiles if not (tile.parts or tile.danger or tile.stop) for _ in range(tile.count)]
    open_land = [space.id for space in house.boards[0].spaces if not space.is_city and 4 <= space.lane <= 8][5:]
    hand = (CardId.DRIVER, CardId.JERRYCAN, CardId.RANGER, CardId.CHEATER, CardId.SPARE_PARTS, CardId.TOOLBOX)
    red = SeatAt(seat=SEATS[0], space=SpaceId("Fort-Lamy"), assistants=Assistants(2, 2, 1, 0), hand=hand)
    laid = tuple(TileAt(space=space, tile=tile) for space, tile in zip(open_land[:tiles], easy, strict=False))
    others = tuple(SeatAt(seat=seat, assistants=Assistants(mechanics=1)) for seat in SEATS[1:])
    session = begun(components=parts, position=Position(seats=(red, *others), turn=SEATS[0], tiles=laid))
    listed = benchmark(lambda: list(RULESET.legal(session.config, session.game.state, SEATS[0])))
    benchmark.extra_info["orders"] = len(listed)
