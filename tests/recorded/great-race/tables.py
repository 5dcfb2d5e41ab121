"""Positions that make rare things happen, each with the mails that bring them about; simulated crews play on from there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudicator.core.frozen import change
from adjudicator.core.ids import Seat
from adjudicator.files import typed
from adjudicator.games.great_race.components import CardId, Components, SpaceId, TileId
from adjudicator.games.great_race.positions import Position, SeatAt, TileAt
from adjudicator.games.great_race.state import Assistants, Stage

ROOT = Path(__file__).parents[3]


def set_in(path: str) -> Components:
    """Return the component set in the file at ``path``, below the root of the project."""
    return typed.read(Components, (ROOT / path).read_text(encoding="utf-8"))


PINNED = set_in("tests/rules/great-race/set.json")
"""The set of the tests, which goes into each file: the house set may be balanced anew."""
SCARCE: Components = change(
    PINNED,
    id="scarce",
    name="Scarce set",
    tiles=tuple([change(tile, count=1) for tile in PINNED.tiles]),
    cards=tuple([change(card, count=1) for card in PINNED.cards]),
    gauges=change(PINNED.gauges, chassis=12),
)
"""A tile and a card of each kind, so that bag and deck run out."""

SMALL = set_in("examples/great-race/race/corsica.json")
"""A board with few spaces, which can be full."""

TILES = "E2 sand D2 track D3 road E3 steppe F2 stones"
NEAR = "H15 road G15 road"
FULL = (
    "C1 ruts B2 ruts C2 ruts D2 ruts B3 ruts C3 ruts D3 ruts A4 ruts B4 sand D4 sand "
    "A5 sand B5 sand C5 sand B6 sand C6 steppe D6 steppe B7 steppe C7 steppe D7 track"
)
"""All spaces of the small board but one."""


@dataclass(kw_only=True, frozen=True)
class Table:
    """A position, in which red is next unless ``turn`` says otherwise, and the mails that are sent then."""

    mails: tuple[str, ...] = ()
    seats: dict[str, dict[str, Any]] = field(default_factory=dict)
    tiles: str = ""
    bag: str | None = None
    discards: str = ""
    turn: str | None = "red"
    stage: Stage | None = None
    parts: Components = PINNED
    board: str = "africa"

    @property
    def position(self) -> Position:
        words = self.tiles.split()
        laid = [TileAt(space=SpaceId(space), tile=TileId(tile)) for space, tile in zip(words[::2], words[1::2], strict=True)]
        return Position(
            seats=tuple([_seat(seat, given) for seat, given in self.seats.items()]),
            tiles=tuple(laid),
            removed=tuple(self._removed(laid)),
            discards=tuple(map(CardId, self.discards.split())),
            turn=None if self.turn is None else Seat(self.turn),
            stage=self.stage,
            round=2,
        )

    def _removed(self, laid: list[TileAt]) -> list[TileId]:
        """Return what must be gone so that nothing but ``bag`` is left in it."""
        if self.bag is None:
            return []
        left = Counter({tile.id: tile.count for tile in self.parts.tiles})
        left.subtract(at.tile for at in laid)
        left.subtract(map(TileId, self.bag.split()))
        return sorted(left.elements())


def _seat(seat: str, given: dict[str, Any]) -> SeatAt:
    fields = dict(given)
    hand = tuple(map(CardId, fields.pop("hand", "").split()))
    plan = Assistants(**{slot: fields.pop(slot, 0) for slot in ("scouts", "mechanics", "escort", "funding")})
    return SeatAt(seat=Seat(seat), hand=hand, assistants=plan, **fields)


_DECK = " ".join(" ".join([card.id] * card.count) for card in PINNED.cards)
_IDLE = {"mechanics": 1}

TABLES = (
    Table(
        seats={"red": {"mechanics": 2, "cash": 0, "hand": "transport transport"}, "blue": _IDLE},
        mails=("red: DRIVE sea Cairo using transport 2",),
    ),
    Table(
        seats={
            "red": {"mechanics": 1, "hand": "transport"},
            "blue": _IDLE,
            "green": {"space": "Cairo", "mechanics": 1, "cash": 90},
        },
        mails=("red: DRIVE sea Cairo using transport 1", "blue: PASS", "green: DRIVE air Khartoum"),
    ),
    Table(
        seats={"red": {"mechanics": 2, "hand": "cheater"}, "blue": {"mechanics": 2, "hand": "ranger"}},
        tiles=TILES,
        mails=(
            "red: DRIVE D2",
            "blue: REACT danger ask",
            "blue: DRIVE D2",
            "red: PLAY Cheater swap D2 with E2",
            "blue: CANCEL with ranger",
        ),
    ),
    Table(
        seats={
            "red": {"mechanics": 2, "hand": "cheater saboteur"},
            "blue": {"mechanics": 2, "escort": 1, "hand": "jerrycan"},
        },
        tiles=TILES,
        mails=(
            "red: DRIVE E2",
            "blue: REACT cards ask",
            "blue: DRIVE E2",
            "red: PLAY Saboteur on blue engine 1 chassis 1",
            "blue: ACCEPT",
            "red: PLAY Cheater swap D2 with E2",
            "blue: PLAY Jerrycan",
            "blue: ACCEPT",
        ),
    ),
    Table(
        seats={"red": {"mechanics": 2, "hand": "saboteur tracker"}, "blue": {"mechanics": 2, "escort": 1}, "green": _IDLE},
        tiles=TILES,
        mails=("red: PLAY Tracker remove E2", "red: PLAY Saboteur on blue"),
    ),
    Table(
        seats={"red": {"mechanics": 2, "hand": "saboteur"}, "blue": {"escort": 1, "mechanics": 1}, "green": _IDLE},
        tiles=TILES,
        mails=("red: DRIVE D2", "blue: PASS", "green: PASS", "red: PLAY Saboteur on blue"),
    ),
    Table(
        seats={"red": {"mechanics": 3, "engine": 2, "chassis": 0}, "blue": _IDLE},
        tiles="E2 pass E3 road",
        mails=("red: DRIVE E2", "blue: PASS", "red: REPAIR buy 1", "red: DRIVE E3"),
    ),
    Table(
        seats={"red": {"mechanics": 2, "fuel": 1}, "blue": _IDLE},
        bag="sand sand dunes",
        mails=("red: DRIVE E2 F2 using nothing",),
    ),
    Table(
        seats={"red": {"mechanics": 2, "engine": 1, "chassis": 1, "hand": "ranger"}, "blue": _IDLE},
        bag="ravine ravine ravine",
        mails=("red: DRIVE E2", "red: BACK", "blue: PASS", "red: DRIVE D2", "red: PAY using ranger"),
    ),
    Table(
        seats={"red": {"mechanics": 2, "fuel": 2, "hand": "jerrycan"}, "blue": _IDLE},
        bag="sand sand sand",
        mails=("red: DRIVE E2", "red: PAY using jerrycan"),
    ),
    Table(
        seats={"red": {"mechanics": 2, "hand": "ranger"}, "blue": _IDLE},
        bag="bandits bandits pass",
        mails=("red: REACT tiles with ranger only if parts > 1", "red: DRIVE E2 losing chassis"),
    ),
    Table(
        seats={"red": {"mechanics": 3, "escort": 1, "hand": "ranger"}, "blue": _IDLE},
        tiles="E2 bandits D2 bandits D1 bandits",
        mails=(
            "red: DRIVE E2 using escort",
            "blue: PASS",
            "red: DRIVE D2 using ranger at D2",
            "red: DRIVE D1 losing engine",
        ),
    ),
    Table(
        seats={"red": {"mechanics": 2, "hand": "caravan", "engine": 3}, "blue": _IDLE},
        tiles="E2 village E3 stones F3 mud",
        mails=("red: DRIVE E2 E3 F3 losing engine using caravan",),
    ),
    Table(
        seats={"red": {"mechanics": 1, "engine": 3}, "blue": _IDLE},
        tiles="E2 stones F2 road G2 road",
        mails=("red: DRIVE E2 F2 G2 losing engine",),
    ),
    Table(
        seats={
            "red": {"mechanics": 1, "space": "H15", "engine": 1, "chassis": 1, "cash": 10},
            "blue": {"mechanics": 1, "space": "G15", "engine": 2, "chassis": 2, "cash": 50},
        },
        tiles=NEAR,
        mails=("red: DRIVE Cape-Town", "blue: DRIVE Cape-Town"),
    ),
    Table(
        seats={
            "red": {"mechanics": 1, "space": "H15", "engine": 1, "chassis": 1, "cash": 10, "hand": "caravan"},
            "blue": {"mechanics": 1, "space": "G15", "engine": 2, "chassis": 2, "cash": 10},
            "green": {"mechanics": 1, "funding": 1, "space": "G15", "engine": 1, "chassis": 1, "cash": 0},
        },
        tiles=NEAR,
        mails=("red: DRIVE Cape-Town", "blue: DRIVE Cape-Town", "green: FUND", "green: DRIVE Cape-Town"),
    ),
    Table(
        seats={"red": {"funding": 5}, "blue": {"funding": 4}, "green": {"funding": 3}, "yellow": {"funding": 2}},
        mails=("red: FUND", "blue: FUND", "green: FUND", "yellow: FUND"),
    ),
    Table(
        seats={"red": {"scouts": 2, "mechanics": 1}, "blue": {"scouts": 2, "funding": 1}},
        discards=_DECK,
        mails=("red: SCOUT card", "blue: SCOUT tiles cheap E2 then E3", "red: SCOUT tiles dear D2 then D3", "blue: FUND"),
    ),
    Table(
        seats={"red": {"scouts": 1, "mechanics": 1, "chassis": 1, "fuel": 3, "hand": "jerrycan caravan"}, "blue": _IDLE},
        stage=Stage.CONVOY,
        mails=("red: PLAY Jerrycan", "red: SCOUT card", "red: DISCARD Caravan"),
    ),
    Table(
        seats={"red": {"mechanics": 1, "escort": 1, "hand": "trail-hunter cartographer"}, "blue": _IDLE},
        tiles=TILES,
        mails=(
            "red: PLAY Trail hunter keeping Ranger, Driver, Toolbox",
            "red: PLAY Cartographer first F1 then G2 then H2",
            "red: ESCORT remove E2",
        ),
    ),
    Table(
        seats={
            "red": {"mechanics": 2, "hand": "mechanic toolbox spare-parts spare-parts driver", "engine": 2},
            "blue": _IDLE,
        },
        tiles=TILES,
        mails=(
            "red: PLAY Mechanic engine 1 chassis 0 using parts 1",
            "red: PLAY Driver D2 D3",
            "red: REPAIR engine 3 chassis 0 using toolbox",
        ),
    ),
    Table(
        seats={"red": {"mechanics": 1, "fuel": 1, "hand": "financial refuelling jerrycan"}, "blue": {"escort": 1}},
        tiles=TILES,
        mails=("red: BUY fuel 1", "red: PLAY Financial", "red: PLAY Refuelling", "red: DRIVE D2", "blue: ESCORT remove E2"),
    ),
    Table(
        seats={"red": {"scouts": 2, "mechanics": 1}, "blue": _IDLE, "green": _IDLE, "yellow": _IDLE},
        parts=SCARCE,
        bag="",
        mails=("red: PASS", "blue: PASS", "green: PASS", "yellow: PASS"),
    ),
    Table(
        seats={"red": {"scouts": 2, "mechanics": 2}, "blue": {"mechanics": 1, "fuel": 5}},
        parts=SCARCE,
        bag="road",
        mails=("red: DRIVE E2 F2 using nothing",),
    ),
    Table(
        seats={
            "red": {
                "mechanics": 1,
                "scouts": 1,
                "hand": "tracker financial transport mechanic ranger driver cartographer saboteur",
            },
            "blue": {"scouts": 1, "hand": "trail-hunter cheater jerrycan refuelling spare-parts toolbox"},
        },
        parts=SCARCE,
        mails=("red: DRIVE sea Cairo", "blue: SCOUT tiles"),
    ),
    Table(
        seats={"red": {"scouts": 1, "mechanics": 1}, "blue": _IDLE},
        tiles="D1 track D2 track D3 track",
        bag="sand",
        mails=("red: SCOUT tiles first E2",),
    ),
    Table(
        seats={"red": {"scouts": 1, "mechanics": 1}, "blue": _IDLE},
        parts=SMALL,
        board="corsica",
        tiles=FULL,
        mails=("red: SCOUT tiles",),
    ),
)

"""The tables of the games that were begun by version 1 of the rules."""

TABLES_2 = (
    Table(
        seats={"red": {"mechanics": 2, "escort": 1}, "blue": _IDLE},
        bag="ravine ravine ravine",
        mails=("red: DRIVE D1 using escort", "red: PAY chassis"),
    ),
    Table(
        seats={"red": {"mechanics": 2}, "blue": _IDLE},
        tiles="D1 pass",
        mails=("red: DRIVE D1 C2 losing engine 1 chassis 1",),
    ),
    Table(
        seats={"red": {"scouts": 1, "fuel": 3, "hand": "jerrycan"}, "blue": _IDLE},
        bag="sand sand sand",
        mails=("red: SCOUT tiles\nred: PLAY Jerrycan\nred: LAY sand at E2\nred: LAY sand at D2",),
    ),
    Table(
        seats={"red": {"mechanics": 1, "hand": "cheater"}, "blue": _IDLE},
        tiles="E2 sand D2 sand",
        mails=("red: PLAY Cheater swap D2 with E2",),
    ),
    Table(
        seats={"red": {"mechanics": 1, "hand": "saboteur"}, "blue": {"mechanics": 1, "engine": 0, "chassis": 0}},
        mails=("red: PLAY Saboteur on blue",),
    ),
    Table(
        seats={"red": {"scouts": 1, "mechanics": 1}, "blue": _IDLE},
        parts=SMALL,
        board="corsica",
        tiles=f"{FULL} B8 dunes",
        mails=("red: SCOUT tiles",),
    ),
    Table(
        seats={
            "red": {
                "mechanics": 1,
                "scouts": 1,
                "hand": "tracker financial transport mechanic ranger driver cartographer saboteur caravan",
            },
            "blue": {"scouts": 1, "hand": "trail-hunter cheater jerrycan refuelling spare-parts toolbox"},
        },
        parts=SCARCE,
        mails=("red: SCOUT card",),
    ),
    Table(
        seats={
            "red": {"mechanics": 1, "space": "H15"},
            "blue": {"mechanics": 1, "space": "G15", "chassis": 1, "hand": "caravan"},
        },
        tiles=f"{NEAR} G14 stones",
        mails=("red: DRIVE Cape-Town", "blue: DRIVE G14 losing chassis"),
    ),
    Table(
        seats={"red": {"mechanics": 1, "space": "I3"}, "blue": _IDLE},
        tiles="I3 track",
        mails=("red: DRIVE cairo",),
    ),
)
"""The tables of the games that are begun by version 2: each shows what it changed."""

__all__ = ["PINNED", "SCARCE", "TABLES", "TABLES_2", "Table"]
