"""What can happen in The Great Race that the recorded games must show, read from the events of a journal."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from journals import EVERYWHERE, Test, entries_of, events_of, happened, is_over, option, players, wrote

from adjudicator.core.game import Game
from adjudicator.core.step import SKIPPED
from adjudicator.games.great_race.components import CardId
from adjudicator.games.great_race.rules import RULESET

FEWEST = 47
"""So many games at least are kept."""
PLAYED = {"card-played", "card-begun"}


def any_of(kind: str, shows: Callable[[Any], bool]) -> Test:
    """Tell whether an event of ``kind`` is such."""
    return lambda game: any(shows(event) for event in events_of(game, kind))


def any_entry(shows: Callable[[Any], bool]) -> Test:
    return lambda game: any(shows(entry) for entry in entries_of(game))


def kinds(entry: Any) -> list[str]:
    return [event.kind for event in entry.events]


def plays(card: CardId) -> Test:
    """Tell whether somebody played ``card``."""
    return any_entry(lambda entry: any(event.kind in PLAYED and event.card == card for event in entry.events))


def orders(words: str) -> Test:
    return any_entry(lambda entry: entry.order.startswith(words))


def wrote_so(words: str) -> Test:
    """Tell whether an order that was carried out has these words, or a sheet that said more than its order."""
    return lambda game: any(words in entry.order or words in (entry.written or "") for entry in entries_of(game))


def funded(many: int) -> Test:
    return any_of("spent", lambda event: any(part.what == f"funding of {many}" for part in event.why))


def fares(cards: int, *, is_free: bool) -> Test:
    def shows(entry: Any) -> bool:
        lines = [event for event in entry.events if event.kind == "line-taken" and event.cards == cards]
        return bool(lines) and is_free is ("spent" not in kinds(entry))

    return any_entry(shows)


def cancelled_after_passing(game: Game) -> bool:
    """Tell whether a seat that had passed gave an escort against a danger card."""
    passed: set[str] = set()
    for event in (event for entry in entries_of(game) for event in entry.events):
        if event.kind == "order-changed":
            passed = set()
        elif event.kind == "seat-passed":
            passed.add(event.seat)
        elif event.kind == "card-cancelled" and event.guard == "escort" and event.seat in passed:
            return True
    return False


def repaired_after_breakdown(game: Game) -> bool:
    broken: set[str] = set()
    for event in (event for entry in entries_of(game) for event in entry.events):
        if event.kind == "drive-ended" and event.rule == "GR-D6":
            broken.add(event.seat)
        elif event.kind == "parts-restored" and event.engine and event.seat in broken:
            return True
    return False


def planned_anew(game: Game) -> bool:
    """Tell whether a seat planned twice before the plans were opened."""
    planned: set[str] = set()
    for event in (event for entry in entries_of(game) for event in entry.events):
        if event.kind == "plan-opened":
            planned = set()
        elif event.kind == "plan-made":
            if event.seat in planned:
                return True
            planned.add(event.seat)
    return False


def prestige(game: Game) -> list[tuple[int, int]]:
    """Return place of arrival and points of those who arrived, in the order of arrival."""
    counted = [event for event in events_of(game, "prestige-counted") if event.place]
    return sorted((event.place, event.points + event.levels + event.francs) for event in counted)


def wins_though_later(game: Game) -> bool:
    points = [total for _, total in prestige(game)]
    return len(points) > 1 and max(points) > points[0]


def is_tie(game: Game) -> bool:
    points = [total for _, total in prestige(game)]
    return len(points) > 1 and points.count(max(points)) > 1


def arrivals(many: int) -> Test:
    return lambda game: is_over(game) and len(events_of(game, "seat-arrived")) == many


def overtakes(game: Game) -> bool:
    orders_of_rounds = [event.order for event in events_of(game, "order-changed")]
    return any(one != other for one, other in pairwise(orders_of_rounds))


def has_fixed_danger(entry: Any) -> bool:
    """Tell whether the danger of a tile that was laid before cost its two parts."""
    entered = [event for event in entry.events if event.kind == "space-entered"]
    return "blind-tile-laid" not in kinds(entry) and any(event.engine + event.chassis >= 2 for event in entered)


def cancelled_danger(guard: str, *, is_blind: bool) -> Test:
    def shows(entry: Any) -> bool:
        given = any(event.kind == "danger-cancelled" and event.guard == guard for event in entry.events)
        # A tile that was drawn is answered in the same entry or in that of PAY.
        return given and is_blind is ("blind-tile-laid" in kinds(entry) or entry.order.startswith("PAY"))

    return any_entry(shows)


def kind_of(event: type) -> str:
    """Return the kind that stands in the journal for ``event``."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "-", event.__name__).lower()


CARDS: dict[str, Test] = {f"the card {card.value}": plays(card) for card in CardId}
KINDS: dict[str, Test] = {f"the event {kind}": happened(kind) for kind in map(kind_of, RULESET.types.events)}


def is_split_before_blank(entry: Any) -> bool:
    """Tell whether the parts of a way before a blank space were split exactly (GR-D1)."""
    return "blind-tile-laid" in kinds(entry) and bool(re.search(r"losing (engine|chassis) \d", entry.written or ""))


def is_help_kept(entry: Any) -> bool:
    """Tell whether help cancelled a danger that the payment itself did not name (GR-D3)."""
    return entry.order == "PAY" and "danger-cancelled" in kinds(entry) and "using" not in (entry.written or "")


def fills_up_before_laying(game: Game) -> bool:
    """Tell whether a jerrycan was played between the tiles drawn and their laying (GR-K3)."""
    orders_given = [entry.order for entry in entries_of(game)]
    return any(one == "PLAY Jerrycan" and other.startswith("LAY ") for one, other in pairwise(orders_given))


def ends_with_too_many_cards(game: Game) -> bool:
    return is_over(game) and any(crew.excess for crew in game.state.crews)


VERSION_2: dict[str, Test] = {
    "version 2": lambda game: game.ruleset.version == 2 and is_over(game),
    "C1: a name as the board has it": any_entry(
        lambda entry: entry.order == "DRIVE Cairo" and (entry.written or "").startswith("DRIVE cairo")
    ),
    "D1: a mix of gauges before a blank space": any_entry(is_split_before_blank),
    "D3: help named ahead holds for the payment": any_entry(is_help_kept),
    "K1: a Cheater that changes nothing": any_of("card-wasted", lambda event: event.target is None),
    "K1: a Saboteur that changes nothing": any_of("card-wasted", lambda event: event.target is not None),
    "K3: a jerrycan before tiles are laid": fills_up_before_laying,
    "H1: no discard in the last sequence of the race": ends_with_too_many_cards,
    "H9: tiles scouted without a free space": any_entry(
        lambda entry: entry.order == "SCOUT tiles" and "tiles-returned" in kinds(entry)
    ),
    "H9: a card scouted where none is left": any_entry(
        lambda entry: entry.order == "SCOUT card" and "cards-missed" in kinds(entry)
    ),
}
"""What games begun before version 2 of the rules cannot show."""

VERSION_1: dict[str, Test] = {
    **EVERYWHERE,
    "version 1": lambda game: game.ruleset.version == 1 and is_over(game),
    **CARDS,
    **{words: test for words, test in KINDS.items() if words != "the event card-wasted"},
    "2 players": players(2),
    "3 players": players(3),
    "4 players": players(4),
    "Africa": option("board", "africa"),
    "Asia": option("board", "asia"),
    "Africa from the south": option("start", "Cape-Town"),
    "Asia from the east": option("start", "Peking"),
    "begun from a position": lambda game: game.setup.position is not None and is_over(game),
    "an order skipped for its condition": any_entry(lambda entry: entry.order == SKIPPED),
    "a condition that held": wrote("IF round > 0"),
    "a condition that did not hold": wrote("IF fuel < 0"),
    "a plan made anew": planned_anew,
    "a standing answer": happened("reaction-chosen"),
    "S2: gains beyond the gauge are lost": any_of("fuel-gained", lambda event: event.rule == "GR-K1" and event.levels < 5),
    "V1: fuel bought": any_of("fuel-gained", lambda event: event.rule == "GR-V1"),
    "V1: passing with an escort left, which cancels later": cancelled_after_passing,
    "N1: overtaken": overtakes,
    "A1: a card scouted": orders("SCOUT card"),
    "A1: where tiles go is asked": orders("LAY "),
    "A1: first, said ahead": wrote_so("SCOUT tiles first"),
    "A1: cheap, said ahead": wrote_so("SCOUT tiles cheap"),
    "A1: dear, said ahead": wrote_so("SCOUT tiles dear"),
    "A2: a toolbox": any_of("card-played", lambda event: event.card == "toolbox"),
    "A2: a part bought": any_of("spent", lambda event: any(part.rule == "GR-A2" for part in event.why)),
    "A3: an escort removes a tile": happened("tile-removed", rule="GR-A3"),
    **{f"A4: a funding of {many}": funded(many) for many in range(1, 6)},
    "D1: parts of engine and chassis in one drive": any_of("space-entered", lambda event: event.engine and event.chassis),
    "D1: three spaces though the engine loses a level on the way": any_entry(
        lambda entry: (
            kinds(entry).count("space-entered") == 3
            and any(event.kind == "drive-begun" and event.steps == 3 for event in entry.events)
            and any(event.kind == "space-entered" and event.engine for event in entry.events)
        )
    ),
    "D2: the danger of a tile costs its parts": any_entry(has_fixed_danger),
    "D2: an escort cancels the danger of a tile": cancelled_danger("escort", is_blind=False),
    "D2: a ranger cancels the danger of a tile": cancelled_danger("ranger", is_blind=False),
    "D2: a guard cancels the danger of a tile just drawn": lambda game: any(
        cancelled_danger(guard, is_blind=True)(game) for guard in ("escort", "ranger")
    ),
    "D2: a stop": any_of("drive-ended", lambda event: event.words.startswith("stops at")),
    "D2: a caravan": happened("card-played", card="caravan"),
    "D3: too dear, and back": any_of("drive-ended", lambda event: "goes back" in event.words),
    "D3: a jerrycan makes it payable": any_entry(
        lambda entry: entry.order.startswith("PAY") and any(kind == "fuel-gained" for kind in kinds(entry))
    ),
    "D5: by sea": happened("line-taken", by="sea"),
    "D5: by air": happened("line-taken", by="air"),
    "D5: a Transport card": fares(1, is_free=True),
    "D5: two Transport cards, and no change": fares(2, is_free=True),
    "D5: the whole price": fares(0, is_free=False),
    "D6: a breakdown": happened("drive-ended", rule="GR-D6"),
    "D6: repaired after a breakdown": repaired_after_breakdown,
    "K1: a Mechanic card repairs": any_entry(lambda entry: entry.order.startswith("PLAY Mechanic")),
    "K1: what a Trail hunter keeps is asked": orders("KEEP"),
    "K1: what it keeps is said ahead": any_entry(lambda entry: {"card-begun", "cards-kept"} <= set(kinds(entry))),
    "K1: a Saboteur takes of both gauges": happened("parts-lost", engine=1, chassis=1),
    "K4: a danger card is cancelled with an escort": happened("card-cancelled", guard="escort"),
    "K4: a danger card is cancelled with a ranger": happened("card-cancelled", guard="ranger"),
    "K4: who wants to be asked lets it happen": orders("ACCEPT"),
    "K4: three are asked in their order": any_entry(lambda entry: kinds(entry).count("danger-accepted") == 3),
    "F1: the others play out": lambda game: is_over(game) and len(events_of(game, "seat-arrived")) < len(game.setup.players),
    "F1: one arrives": arrivals(1),
    "F1: two arrive": arrivals(2),
    "F1: three arrive": arrivals(3),
    "F2: the first to arrive does not win": wins_though_later,
    "F2: a tie goes to the earlier arrival": is_tie,
    "H1: a jerrycan before the cut": any_entry(lambda entry: entry.order == "PLAY Jerrycan"),
    "H3: help declined": orders("BACK"),
    "H7: a Cheater swaps a tile": happened("tiles-swapped"),
    "H9: the bag is empty on the way": happened("drive-ended", rule="GR-H9"),
    "H9: nobody can arrive any more": arrivals(0),
}
"""What games begun by version 1 show."""

SITUATIONS: dict[str, Test] = {**VERSION_1, **VERSION_2}
"""Each situation and whether a game shows it."""
