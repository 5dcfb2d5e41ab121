"""What never changes in a rally: the map, the marked map, the cards, the options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from adjudicator.game import Configuration, Flaw, Memo, Setup, field, listed, remembered
from adjudicator.games.rally_round import roads as maps
from adjudicator.games.rally_round import route
from adjudicator.games.rally_round.components import (
    BY_COLOUR,
    PREFIXES,
    SETBACKS,
    CardId,
    Colour,
    Components,
    Does,
    Feature,
    HazardCard,
    Kind,
    KitCard,
    Rally,
    Rights,
    Square,
    SquareId,
    Timing,
)
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.roads import Network
from adjudicator.games.rally_round.route import Section

MOST_AT_TABLE: Final = 6
TABLE: Final = Rally(id="table", name="The rally at the table", controls=())
"""The rally of a table before its first marker."""


class Config(Configuration[Components]):
    """Seats in order, the map, the ``rally`` with its ``sections``, and the cards by their ids.

    ``chequered`` are the squares for start and finish at a table (RR-L1), ``marked`` those under a marker, whose features
    are void (RR-L3). With ``rejects`` illegal speeds are refused (RR-M4), with ``rejects_markers`` wrong markers (RR-L3).
    With ``is_open`` everybody sees every time sheet. ``version`` is that of the rules.

    At a table the players lay the route, in each of the ``parts``; ``course`` gives the configuration with that route.
    ``is_dealt``: chance deals kits; ``is_solo``: one player drives all crews. ``memo`` holds what follows from all this.
    """

    network: Network
    rally: Rally
    sections: tuple[Section, ...]
    chequered: tuple[SquareId, ...]
    marked: frozenset[SquareId]
    kit: Mapping[CardId, KitCard]
    hazards: Mapping[CardId, HazardCard]
    is_open: bool
    rejects: bool
    version: int
    rejects_markers: bool = False
    is_table: bool = False
    is_stage_rally: bool = False
    is_dealt: bool = False
    is_solo: bool = False
    parts: int = 1
    names: tuple[str, ...] = ()
    memo: Memo = field(default_factory=Memo)

    @property
    def seats_are_independent(self) -> bool:
        """Whether each crew drives alone, by internet (RR-V1)."""
        return not self.is_table

    @property
    def black_spots(self) -> tuple[SquareId, ...]:
        """The squares that no car may pass (RR-F6)."""
        return self.rally.black_spots

    def square(self, square: SquareId) -> Square:
        """Return the square of that id."""
        return self.network.squares[square]

    @remembered
    def rights(self, kit: tuple[CardId, ...], using: CardId | None = None) -> Rights:
        """Return the rights by the cards of a ``kit``, and by a hazard card in use."""
        cards = [self.kit[card].effects for card in kit] + ([self.hazards[using].effects] if using else [])
        return Rights(tuple(effect for effects in cards for effect in effects))

    def feature(self, square: SquareId) -> Feature | None:
        """Return the feature of ``square`` that counts, ``None`` under a marker (RR-L3)."""
        return None if square in self.marked else self.network.squares[square].feature


def configured(setup: Setup, version: int) -> Config:
    """Return the configuration of a game of ``setup``, which has no flaw."""
    components: Components = setup.components
    is_table = setup.options.get("mode") == "table"
    network, rally = maps.network_of(components, is_rounded=version < 4), TABLE if is_table else rally_of(setup)
    assert rally is not None
    sections = route.sections_of(route.legs_of(network, rally))
    kit, hazards = {card.id: card for card in components.kit}, {card.id: card for card in components.hazards}
    posts = [post.name for section in sections for post in section.posts]
    if is_table:
        posts += [f"{prefix}{number}" for prefix in PREFIXES.values() for number in range(2, 100)]
    return Config(
        seats=setup.seats,
        position=setup.position,
        components=components,
        network=network,
        rally=rally,
        sections=sections,
        chequered=tuple(square.id for square in components.squares if square.feature is Feature.CHEQUERED),
        marked=frozenset((*(control.square for control in rally.controls), *rally.black_spots)),
        kit=kit,
        hazards=hazards,
        is_open=is_table or setup.options["sheets"] == "open",
        rejects=setup.options["illegal-speed"] == "reject",
        version=version,
        rejects_markers=setup.options.get("wrong-marker", "reject") == "reject",
        is_table=is_table,
        is_stage_rally=setup.options.get("kind") == "stage",
        is_dealt=setup.options.get("kit") == "deal" or setup.options.get("solo") == "competitive",
        is_solo=setup.options.get("solo") == "competitive",
        parts=int(setup.options.get("parts", "1")),
        names=(*network.squares, *kit, *hazards, *Colour, *Timing, *posts),
    )


def rally_of(setup: Setup) -> Rally | None:
    """Return the rally that ``setup`` asks for, from its position or its component set; ``None`` without one."""
    if setup.position is not None and setup.position.rally is not None:
        given: Rally = setup.position.rally
        return given
    rallies, wanted = setup.components.rallies, setup.options["rally"]
    return next((rally for rally in rallies if wanted in ("first", rally.id)), None)


def unfit(setup: Setup, version: int = META.version) -> Iterator[Flaw]:
    """Yield the flaws of the component set and of the rally, each with its rule."""
    components: Components = setup.components
    found, rally, parts = _flaws_of_set(components), rally_of(setup), setup.options.get("parts", "1")
    yield from found
    if version > 2:  # games that have begun with another sign go on
        yield from maps.flaws_of_signs(components)
    if setup.options.get("mode") == "table":
        many = len(setup.seats)
        few = [kind for kind in Kind if sum(card.kind is kind for card in components.kit) < many]
        ends = sum(square.feature is Feature.CHEQUERED for square in components.squares)
        is_laid = setup.position is not None and setup.position.rally is not None
        yield from Flaw.where(
            (many > MOST_AT_TABLE, f"a table has room for {MOST_AT_TABLE} crews, not {many}", "RR-H7"),
            *((True, f"the component set has too few {kind} cards for {many} crews", "RR-K1") for kind in few),
            (ends < 2, "a rally at a table needs two chequered squares, for start and finish", "RR-L1"),
            (is_laid, "at a table the players lay the route: the position must not have a rally", "RR-L1"),
        )
        return
    if version > 2 and parts != "1":  # such a rally never ends
        words = f"by internet a rally has one part, not {parts}: only a game at a table has several"
        yield Flaw(words, "RR-V1", near=("1",), part="option:parts")
    if rally is None:
        known = listed((rally.id for rally in components.rallies), "or")
        words = f"the component set has no rally “{setup.options['rally']}”, only {known}"
        words = words if known else "the component set has no rally: give your own with new --setup"
        yield Flaw(words, "RR-C4", part="option:rally")
    elif not found:
        yield from route.flaws_of(maps.network_of(components), rally)


@lru_cache(maxsize=4)
def _flaws_of_set(components: Components) -> tuple[Flaw, ...]:
    """Return the flaws of a component set in any game, from the cache if possible."""
    found = [*maps.flaws_of(components)]
    cards: tuple[KitCard | HazardCard, ...] = (*components.kit, *components.hazards)
    found += Flaw.repeated("the card", (card.id for card in cards), "RR-C3")
    found += Flaw.repeated("the rally", (rally.id for rally in components.rallies), "RR-C4")
    missing = [kind for kind in Kind if all(card.kind is not kind for card in components.kit)]
    found += (Flaw(f"the component set has no {kind} card", "RR-C3") for kind in missing)
    for card in cards:
        for effect in card.effects:
            mph, needs_mph = (effect.red, effect.yellow, effect.white), effect.does in BY_COLOUR
            words = f"{card.id}: “{effect.does}” {'needs' if needs_mph else 'has no'} mph by colour"
            has_turns, turns = bool(effect.turns), "“miss” needs a number of turns, and no other effect has one"
            found += Flaw.where(
                (any(mph) is not needs_mph, words, "RR-C3"),
                (has_turns is not (effect.does is Does.MISS), f"{card.id}: {turns}", "RR-C3"),
                (any(one % 10 for one in mph), f"{card.id}: speeds must be multiples of 10 mph", "RR-C3"),
            )
        setbacks = {effect.does in SETBACKS for effect in card.effects}
        if len(setbacks) > 1 or (True in setbacks and card in components.kit):
            words = f"{card.id}: a card is either an advantage or a setback, and a kit card is an advantage"
            found.append(Flaw(words, "RR-C3"))
    return tuple(found)
