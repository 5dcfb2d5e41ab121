"""Let kits of Rally Round compete: drive random rallies with each kit, and print how often one beats another.

    python examples/compare_kits.py [--rallies 120] [--seed 1] [--only driver] [--components FILE] [--json]

Every rally is a route laid at random on the map, with sections of all four timings. All crews drive it by the rules, alone
as by internet, and each plans its speeds as well as its kit allows. The same arguments give the same tables.

The exit code is 1 if anything wins more than 60 % by more than the error of so many rallies, else 0.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from adjudicator.core.chance import CommittedChance
from adjudicator.core.ruleset import Player
from adjudicator.core.step import carry_out
from adjudicator.core.values import Seat, replace
from adjudicator.games.rally_round.bot import planned
from adjudicator.games.rally_round.components import Colour, Control, Feature, Kind, Rally, Timing
from adjudicator.games.rally_round.office.commands import settled
from adjudicator.games.rally_round.orders import Pick
from adjudicator.games.rally_round.roads import Network, network_of
from adjudicator.games.rally_round.route import Leg, flaws_of, leg_after, legs_of, posts_of, ranked
from adjudicator.games.rally_round.rules import RallyRound
from adjudicator.games.rally_round.state import Position
from adjudicator.library.begin import GameChoices, begin_game
from adjudicator.store.game_file import shipped
from adjudicator.store.other_files import load_components

Kit = tuple[str, ...]
WHOLE = "whole kits"
KINDS = (*map(str, Kind), WHOLE)
SECTIONS = 7
NEAREST, FARTHEST = 12, 27
UNFAIR = 60.0
"""No card and no kit should win more than so many percent against another."""


@dataclass
class Duels:
    """How often each of ``names`` beat each other one; who is level wins half."""

    title: str
    names: list[str]
    won: dict[tuple[str, str], float] = field(default_factory=dict)
    drawn: dict[tuple[str, str], int] = field(default_factory=dict)
    played: int = 0

    def count(self, sheets: dict[str, tuple[int, ...]], squares: Sequence[int]) -> None:
        """Count one rally: ``sheets`` has the penalty of each after every section, of ``squares`` each."""
        self.played += 1
        for one in self.names:
            for other in self.names:
                if one != other:
                    first = ranked({Seat(one): sheets[one], Seat(other): sheets[other]}, squares)[0]
                    won = 0.5 if len(first) == 2 else float(first == [one])
                    self.won[one, other] = self.won.get((one, other), 0) + won
                    self.drawn[one, other] = self.drawn.get((one, other), 0) + (len(first) == 2)

    def share(self, one: str, other: str) -> float:
        """Return in percent how often ``one`` beat ``other``."""
        return 100 * self.won[one, other] / self.played

    def shares(self) -> dict[str, dict[str, float]]:
        """Return in percent how often each beat each other one."""
        return {one: {other: round(self.share(one, other), 1) for other in self.names if other != one} for one in self.names}

    def level(self, one: str) -> float:
        """Return in percent how often ``one`` was level with the others."""
        others = [other for other in self.names if other != one]
        return 100 * sum(self.drawn[one, other] for other in others) / self.played / len(others)

    @property
    def error(self) -> float:
        """Twice the standard error of a share, in percent: 95 of 100 shares are no farther from the truth."""
        return 100 / math.sqrt(self.played)

    @property
    def is_unfair(self) -> bool:
        """Whether one wins more than its share against another, by more than the error."""
        return self.most - self.error > UNFAIR

    @property
    def most(self) -> float:
        """The highest share of all, in percent."""
        return max(self.share(one, other) for one, other in self.won)

    @property
    def told(self) -> str:
        """The highest share with its error, and whether it is too high, in a line."""
        told = f"Most: {self.most:.1f} %, give or take {self.error:.1f}, of {self.played} rallies."
        return f"{told} That is more than {UNFAIR:.0f} %." if self.is_unfair else told

    def table(self) -> Iterator[str]:
        """Yield the lines of a table in Markdown: in each row how often it beats what heads the column."""
        yield f"| {self.title} | {' | '.join(self.names)} | level |"
        yield f"|---|{'---|' * (len(self.names) + 1)}"
        for one in self.names:
            cells = ("–" if one == other else f"{self.share(one, other):.0f}" for other in self.names)
            yield f"| {one} | {' | '.join(cells)} | {self.level(one):.0f} |"


def rally(network: Network, luck: Random, number: int) -> Rally:
    """Return a rally of some sections over a route that is laid at random, and is unambiguous."""
    starts = [square.id for square in network.squares.values() if square.feature is Feature.CHEQUERED]
    while True:
        laid = Rally(id=f"r{number}", name=f"Rally {number}", controls=(Control(square=luck.choice(starts)),))
        legs = legs_of(network, laid)
        for _ in range(60 * SECTIONS):
            longer = _with_section(network, laid, legs, luck)
            if longer is not None:
                laid, legs = longer, legs_of(network, longer)
            if sum(control.section is not None for control in laid.controls) == SECTIONS:
                return laid


def _with_section(network: Network, laid: Rally, legs: tuple[Leg, ...], luck: Random) -> Rally | None:
    """Return the rally with one more section, if a random place for its end will do."""
    square = luck.choice(list(network.links))
    side = network.side(square, luck.choice(network.links[square]))
    end = Control(square=square, side=side, section=Timing.ROAD)
    longer = replace(laid, controls=(*laid.controls, end))
    *_, start, post = posts_of(longer.controls)
    leg = leg_after(network, legs, start, post, laid.black_spots)
    if not NEAREST <= leg.ways.distance <= FARTHEST:
        return None
    spots = settled(network, longer) if leg.ways.number > 1 else ()
    longer = replace(longer, black_spots=(*longer.black_spots, *(spots or ())))
    if spots is None or any(flaws_of(network, longer)):
        return None
    way = legs_of(network, longer)[-1].ways.first
    return replace(longer, controls=(*laid.controls, *_timed(network, end, way, luck)))


def _timed(network: Network, end: Control, way: Sequence[Any], luck: Random) -> Iterator[Control]:
    """Yield the controls of a section over ``way``: a PC on some, and its end with a timing that suits the road."""
    if luck.random() < 0.4:
        at = luck.randrange(3, len(way) - 3)
        yield Control(square=way[at], side=network.side(way[at], way[at - 1]))
    major = sum(network.squares[square].colour in (Colour.RED, Colour.ORANGE) for square in way[1:])
    minor_only = Timing.SELECTIVE if 3 * major < len(way) else Timing.ROAD
    timing = luck.choice((*[Timing.ROAD] * 3, *[minor_only, Timing.STAGE, Timing.REGULARITY] * 2))
    yield replace(end, section=timing, speed=luck.randint(20, 30) if timing is Timing.REGULARITY else None)


def driven(components: Any, laid: Rally, kits: Sequence[Kit]) -> tuple[dict[Kit, tuple[int, ...]], list[int]]:
    """Return the penalty of each kit after every section of the rally, and the squares of the sections."""
    found: dict[Kit, tuple[int, ...]] = {}
    position = Position(rally=laid)
    choices = GameChoices(
        ruleset="rally-round",
        id="kits",
        players=(Player(Seat("red")),),
        components=components,
        position=position,
        secret="00" * 32,
    )
    begun = begin_game(choices)
    rules, seat = begun.rules, Seat("red")
    for kit in dict.fromkeys(kits):
        state, order = begun.record.state, Pick(kit[0], kit[1:])
        while order is not None:
            state = carry_out(rules, state, rules.at(state, seat), order, CommittedChance(bytes(32), {})).state
            crew = state.of(seat)
            order = None if crew.is_done(rules.config) else planned(rules.config, crew)
        found[kit] = tuple(line.penalty for line in crew.lines)
    return found, [section.distance for section in rules.config.sections]


def whole_kits(cards: dict[Kind, list[Any]]) -> dict[str, Kit]:
    """Return kits that have every card once: the first card of each kind, the second, and so on."""
    return {f"kit {number}": kit for number, kit in enumerate(zip(*(cards[kind] for kind in Kind), strict=False), 1)}


def compared(
    components: Any, numbers: Iterable[int], seed: int, told: Callable[[int], None], only: Collection[str] = KINDS
) -> list[Duels]:
    """Return the duels of the cards of each kind, the rest of the kit being any but the same, and of whole kits.

    With ``only`` some kinds they are told of those: the rallies, and what comes of them, are the same.
    """
    network = network_of(components)
    cards = {kind: [card.id for card in components.kit if card.kind is kind] for kind in Kind}
    kits = whole_kits(cards) if WHOLE in only else {}
    duels = {kind: Duels(str(kind), list(cards[kind])) for kind in Kind if kind in only}
    whole = Duels(WHOLE, list(kits))
    for number in numbers:
        luck = Random(f"kits {seed} {number}")
        laid, others = rally(network, luck, number), {kind: luck.choice(cards[kind]) for kind in Kind}
        hands = {(kind, card): tuple((others | {kind: card})[one] for one in Kind) for kind in duels for card in cards[kind]}
        sheets, squares = driven(components, laid, [*hands.values(), *kits.values()])
        for kind in duels:
            duels[kind].count({card: sheets[hands[kind, card]] for card in cards[kind]}, squares)
        whole.count({name: sheets[kit] for name, kit in kits.items()}, squares)
        told(number)
    return [*duels.values(), *([whole] if kits else [])]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 1 if a card or a kit wins more than 60 % by more than the error, else 0."""
    first, *_, last = (__doc__ or "").strip().split("\n\n")
    parser = argparse.ArgumentParser(description=first, epilog=last)
    parser.add_argument("--rallies", type=int, default=120, help="how many rallies are driven")
    parser.add_argument("--seed", type=int, default=1, help="another one lays other routes")
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS, help="only cards of these kinds")
    parser.add_argument("--components", type=Path, help="a component set of your own, as JSON")
    parser.add_argument("--json", action="store_true", help="the shares as JSON")
    given = parser.parse_args(arguments)
    components = shipped(RallyRound)[0] if given.components is None else load_components(given.components, RallyRound)
    found = compared(
        components, range(1, given.rallies + 1), given.seed, lambda number: _tell(number, given.rallies), given.only
    )
    if given.json:
        print(json.dumps({duels.title: duels.shares() for duels in found}, indent=1))
    for duels in [] if given.json else found:
        print("\n".join(duels.table()), f"\n{duels.told}\n", sep="\n")
    return int(any(duels.is_unfair for duels in found))


def _tell(number: int, rallies: int) -> None:
    if not number % 10:
        print(f"{number} of {rallies} rallies", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
